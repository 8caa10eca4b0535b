"""The tolerance: how far apart two numbers may be and still count as close, because a correct program in doubles may
not tell them apart.

|x - y| <= CLOSENESS (1 + |x| + |y|) + slack: docs/reach.md says who must be accepted, why no more is granted, and
what can hide in it. The variance as the paper prints it (l.1203), n/(n-1) (Q/n - mean^2) with Q the sum of the squares, loses
(n + 2) u Q/n in its first term, u = 2^-53, and twice as much in the second, at most Q/n as well: together at most
(3 n + 8) u Q / (n - 1), though it may be 0. `slack` is twice the most that this moves the radius of any arm in the round,
since a side speaks of at most two arms.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from bufalu.reference.comparisons import EveryTie
from bufalu.reference.confidence import ConfidenceInterval
from bufalu.reference.exact import ONE, Exact
from bufalu.reference.radius_shapes import RadiusShape
from bufalu.reference.rationals import Rational, nearest_float
from bufalu.reference.state import ArmRecord
from bufalu.reference.view import maximisers

CLOSENESS = Fraction(1, 10**9)
"""Two sides x, y are close when |x - y| <= CLOSENESS (1 + |x| + |y|) + slack."""

CLOSENESS_DOUBLE = 1e-9
_UNIT = Fraction(1, 2**53)
_LONG = 2000
"""A denominator of more bits is cut before its number becomes a double."""


def slack(records: Sequence[ArmRecord], confidence: ConfidenceInterval, round_number: int) -> float:
    """What cancellation in the variance may add to the tolerance of a round."""
    if not confidence.uses_variance:
        return 0.0
    known = [record for record in records if record.queries >= max(2, confidence.needed_queries)]
    shape = confidence.shape
    if shape is not None:
        growth = shape.growth.doubles(round_number)[1]
        return 2 * max((_doubt_of_shape(record, shape, growth) for record in known), default=0.0)
    return 2 * max((_doubt(record, confidence, round_number) for record in known), default=0.0)


def largest_slack(shape: RadiusShape, round_number: int) -> float:
    """No state has more slack in this round, or before: Q <= n, so the variance is in doubt by at most (3 n + 8) u n /
    (n - 1) on either side, and that over n - offset is largest for the fewest queries with a finite interval.
    """
    n, total = max(2, shape.needed_queries), 0.0
    growth = shape.growth.doubles(round_number)[1]
    for term in shape.terms:
        if term.uses_variance:
            moved = float(2 * term.coefficient * (3 * n + 8) * _UNIT * n / ((n - 1) * (n - term.offset))) * growth
            total += math.sqrt(moved) if term.rooted else moved
    return 2 * total * (1 + 1e-3)


def _doubt(record: ArmRecord, confidence: ConfidenceInterval, round_number: int) -> float:
    """How far the radius moves while the variance moves within its error, in doubles (rounding is below 1e-14)."""
    n, total, squares = record.queries, _short(record.total), _short(record.squares)
    error = (3 * n + 8) * _UNIT * squares
    least = max(squares - error, Fraction(total) ** 2 / n)
    high, low = (
        double_of(confidence.radius(ArmRecord(n, total, moved), round_number)) for moved in (squares + error, least)
    )
    return high - low


def _doubt_of_shape(record: ArmRecord, shape: RadiusShape, growth: float) -> float:
    """How far rounded squares move the radius of an interval that has a shape: only its terms with a variance move."""
    n = record.queries
    spread, divisor = record.variance_quotient()
    variance = spread / divisor
    error = (3 * n + 8) * float(_UNIT) / (n - 1) * nearest_float(record.squares)
    moved = 0.0
    for term in shape.terms:
        if term.uses_variance:
            factor = float(term.coefficient) * growth / (n - term.offset)
            high, low = factor * (variance + error), factor * max(0.0, variance - error)
            moved += math.sqrt(high) - math.sqrt(low) if term.rooted else high - low
    return moved


def _short(value: Rational) -> Rational:
    """`value`, or a number within 2^-200 of it relatively: what follows is a double, and long rationals take long."""
    if value.denominator.bit_length() <= _LONG or value <= 0:
        return value
    shift = 200 + value.denominator.bit_length() - value.numerator.bit_length()
    return Fraction((value.numerator << shift) // value.denominator, 1 << shift)


def double_of(number: Exact) -> float:
    """A double close to the number: the one that stands beside it, where its error is known."""
    return number.approximation if math.isfinite(number.error) else float(number)


_CLOSENESS = Exact.of(CLOSENESS)


class NearTies:
    """Near-maximisers and both outcomes of a close test: what a program in doubles may do.

    `ambiguous` says afterwards whether any comparison was close without being an exact tie of a maximum, or a test
    was close: then the accepted set may be larger than the exact one. The slack of the round (`tolerance.py`) is asked
    for only where it may matter.
    """

    def __init__(self, slack: Callable[[], float] = lambda: 0.0) -> None:
        self.ambiguous = False
        self.widest: Exact | None = None
        """The largest distance of two sides that counted as close."""
        self._ask_slack = slack
        self._slack: float | None = None

    def largest(self, arms: Sequence[int], value: Callable[[int], Exact]) -> Sequence[int]:
        """All arms whose value is close to the largest."""
        tied = maximisers(arms, value)
        return self._near(arms, value, tied)

    def smallest(self, arms: Sequence[int], value: Callable[[int], Exact]) -> Sequence[int]:
        """All arms whose value is close to the smallest."""
        return self._near(arms, value, EveryTie[Exact]().smallest(arms, value))

    def at_most(self, left: Exact, right: Exact) -> Sequence[bool]:
        """Both outcomes if the sides are close, the true one first."""
        return self._outcomes(bool(left <= right), left, right)

    def below(self, left: Exact, right: Exact) -> Sequence[bool]:
        """Both outcomes if the sides are close, the true one first."""
        return self._outcomes(bool(left < right), left, right)

    def toss(self, chance: Fraction) -> Sequence[bool]:
        """Both outcomes, as without doubles."""
        return EveryTie[Exact]().toss(chance)

    def _outcomes(self, truth: bool, left: Exact, right: Exact) -> Sequence[bool]:
        if not self._close(left, right):
            return (truth,)
        self.ambiguous = True
        return (truth, not truth)

    def _near(self, arms: Sequence[int], value: Callable[[int], Exact], tied: Sequence[int]) -> Sequence[int]:
        if not tied:
            return []
        best = value(tied[0])
        near = [arm for arm in arms if arm in tied or self._close(value(arm), best)]
        if len(near) > len(tied):
            self.ambiguous = True
        return near

    def _close(self, left: Exact, right: Exact) -> bool:
        if not close(left, right):
            if self._slack is None:
                self._slack = self._ask_slack()
            if not (self._slack > 0 and close(left, right, self._slack)):
                return False
        if not left.is_infinite:
            distance = _absolute(left - right)
            if self.widest is None or self.widest < distance:
                self.widest = distance
        return True


def close(left: Exact, right: Exact, slack: float = 0.0) -> bool:
    """|x - y| <= 1e-9 (1 + |x| + |y|) + slack, decided exactly; infinities are close only to themselves."""
    if left.is_infinite or right.is_infinite:
        return left.approximation == right.approximation
    gap = abs(left.approximation - right.approximation)
    reach = CLOSENESS_DOUBLE * (1 + abs(left.approximation) + abs(right.approximation)) + slack
    # The doubles decide alone when the gap is far from the threshold and the errors are small against it.
    if left.error + right.error < reach * 1e-3 and not 0.99 * reach < gap < 1.01 * reach:
        return gap < reach
    difference = _absolute(left - right)
    return difference <= _CLOSENESS * (ONE + _absolute(left) + _absolute(right)) + Exact.of(Fraction(slack))


def _absolute(number: Exact) -> Exact:
    return -number if number.sign() < 0 else number

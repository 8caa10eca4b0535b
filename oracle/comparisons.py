"""The comparisons that keep, beside every exact tie, what a program in doubles cannot tell apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from bufalu.oracle.tolerance import CLOSENESS, CLOSENESS_DOUBLE
from bufalu.reference.comparisons import EveryTie
from bufalu.reference.exact import ONE, Exact
from bufalu.reference.view import maximisers

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

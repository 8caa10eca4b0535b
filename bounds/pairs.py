"""What is proved of the pair rule, as numbers of queries (docs/pairs.md, proofs/PairEndToEnd.v).

With F_t = ln(t b(t)) + ln((t - 1 + s)/s), b(t) being the number of binary digits of t, an arm that is queried in round t
with n queries before it has level^2 n^2 <= A F_t (n + s (1 + kappa^2)/(1 + kappa)) or level^2 n^2 <= B F_t (n + s), as
the leader and as the challenger of the pair. `PairRoot` is the largest such n, and `PairCount` the number
A F_t/level^2 + s (1 + kappa^2)/(1 + kappa), or B F_t/level^2 + s, that the theorems have in its place.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import numpy

from bufalu.bounds.enclosures import INFINITE, Enclosure, Number, Truth, largest
from bufalu.bounds.epsilons import Doubles, as_enclosure, first_round
from bufalu.bounds.errors import OutsideDomain
from bufalu.bounds.expressions import Expression, counting, log, maximum, sqrt
from bufalu.bounds.regularity import Count
from bufalu.bounds.smooth_sums import sum_of_inverse_powers
from bufalu.reference.epsilon_shapes import Direction, LogPolynomial
from bufalu.reference.exact import Exact
from bufalu.reference.policies.policy import Pairing
from bufalu.reference.radicals import NormalForm, RadicalTerm
from bufalu.reference.rationals import Rational, rational

Round = TypeVar("Round", int, Doubles, Expression)
"""The number of a round, the numbers of many, or the symbol of one."""


@dataclass(frozen=True)
class PairCount:
    """A F_t/level^2 + s (1 + kappa^2)/(1 + kappa) or B F_t/level^2 + s, the larger: A and B for the two roles."""

    pairing: Pairing
    as_leader: Rational
    as_challenger: Rational

    follows_log = False

    @property
    def roles(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The factor of F_t and what is added, as leader and as challenger."""
        kappa, spread = Fraction(self.pairing.kappa), Fraction(self.pairing.spread)
        shift = spread * (1 + kappa**2) / (1 + kappa)
        return (Fraction(self.as_leader), shift), (Fraction(self.as_challenger), spread)

    def count(self, round_number: int, level: Exact) -> Count:
        """See `SampleRule`."""
        if round_number == 1:
            return 0
        if level.is_infinite:
            return rational(max(shift for _, shift in self.roles))
        if level.sign() == 0:
            return INFINITE
        width, logarithm = as_enclosure(level), Enclosure.of(self._in_the_log(round_number)).log()
        return largest(self._of_role(factor * logarithm, shift, width) for factor, shift in self.roles)

    def _of_role(self, scale: Enclosure, shift: Fraction, width: Enclosure) -> Enclosure:
        """The number of one role, for `scale` = A F_t."""
        return scale / width.squared() + shift

    def doubles(self, rounds: Doubles, level: Doubles) -> Doubles:
        """See `SampleRule`."""
        spread = float(self.pairing.spread)
        digits = numpy.frexp(rounds)[1]
        logarithm = numpy.log(rounds * digits * ((self._answers(rounds) + spread) / spread))
        counts = [self._role_doubles(float(factor) * logarithm, float(shift), level) for factor, shift in self.roles]
        largest_of_both: Doubles = numpy.maximum.reduce(counts)
        return largest_of_both

    def _answers(self, round_number: Round) -> Round | int:
        """How many answers each of two arms has at most before the round, for all that their f can be."""
        return round_number - 1

    def _role_doubles(self, scale: Doubles, shift: float, level: Doubles) -> Doubles:
        return scale / (level * level) + shift

    def expression(self, horizon: Expression, level: Expression) -> Expression:
        """See `SampleRule`; b is the number of binary digits of T."""
        spread = Fraction(self.pairing.spread)
        logarithm = log(horizon * counting("b")) + log((self._answers(horizon) + spread) / spread)
        return maximum(*(self._role_expression(factor * logarithm, shift, level) for factor, shift in self.roles))

    def _role_expression(self, scale: Expression, shift: Fraction, level: Expression) -> Expression:
        return scale / level**2 + shift

    def symbols(self, round_number: int) -> Mapping[str, Number]:
        """See `SampleRule`."""
        return {"b": round_number.bit_length()}

    def exceeds(self, queries: int, round_number: int, level: Exact) -> bool:
        """See `SampleRule`; (n - shift) level^2 < A F_t for one of the roles."""
        return any(self._role_exceeds(queries, round_number, level, *role) for role in self.roles)

    def _role_exceeds(self, queries: int, round_number: int, level: Exact, factor: Fraction, shift: Fraction) -> bool:
        return Exact.of(queries - shift) * level * level < self._scale(round_number, factor)

    def _scale(self, round_number: int, factor: Fraction) -> Exact:
        """factor F_t, exactly: no double of it is needed where comparisons are few."""
        logarithm = RadicalTerm(factor, logs=((self._in_the_log(round_number), 2),))
        return Exact(0.0, math.inf, NormalForm((logarithm,), 0))

    def _in_the_log(self, round_number: int) -> Fraction:
        """t b(t) (t - 1 + s)/s."""
        spread = Fraction(self.pairing.spread)
        return round_number * round_number.bit_length() * (self._answers(round_number) + spread) / spread

    def direction(self, level: LogPolynomial) -> Direction:
        """See `SampleRule`: nothing is known, since F_t is no multiple of ln t."""
        return Direction.UNKNOWN


@dataclass(frozen=True)
class PairRoot(PairCount):
    """The largest n with level^2 n^2 <= A F_t (n + s (1 + kappa^2)/(1 + kappa)) or level^2 n^2 <= B F_t (n + s)."""

    def _of_role(self, scale: Enclosure, shift: Fraction, width: Enclosure) -> Enclosure:
        square = width.squared()
        return (scale + (scale.squared() + 4 * shift * square * scale).sqrt()) / (2 * square)

    def _role_doubles(self, scale: Doubles, shift: float, level: Doubles) -> Doubles:
        square = level * level
        root: Doubles = numpy.sqrt(scale * scale + 4 * shift * square * scale)
        return (scale + root) / (2 * square)

    def _role_expression(self, scale: Expression, shift: Fraction, level: Expression) -> Expression:
        return (scale + sqrt(scale**2 + 4 * shift * level**2 * scale)) / (2 * level**2)

    def count(self, round_number: int, level: Exact) -> Count:
        """See `SampleRule`: no n reaches an infinite level."""
        return 0 if level.is_infinite else super().count(round_number, level)

    def _role_exceeds(self, queries: int, round_number: int, level: Exact, factor: Fraction, shift: Fraction) -> bool:
        return Exact.of(queries**2) * level * level < self._scale(round_number, factor * (queries + shift))


@dataclass(frozen=True)
class SharpPairCount(PairCount):
    """A f_t/level^2 + shift for one role, where no arm has more than 4 M answers: f_t = ln(t b(t)) + ln((4 M + s)/s).

    The role that a sharp theorem has for an arm: the challenger's for a suboptimal one, whose `as_leader` is 0, and the
    leader's for the optimal one.
    """

    most: int

    @property
    def roles(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The role whose factor is not 0."""
        return tuple(role for role in super().roles if role[0])

    def _answers(self, round_number: Round) -> Round | int:
        return 4 * self.most


def enough_answers(pairing: Pairing, horizon: int, gap: Fraction, delta: Fraction) -> int:
    """The least M that the sharp theorem allows, about: R ln T <= 2 delta^2 M, and the thinness of M below gap - 2 delta.

    R is 3/2 (1 + 1/gap)^2 (1 + kappa^2) (1 + s). Raises `OutsideDomain` unless 0 < 2 delta < gap.
    """
    if not 0 < 2 * delta < gap:
        raise OutsideDomain("the sharp theorem of the pair rule needs a positive delta below half the smallest gap")
    kappa, spread = Fraction(pairing.kappa), Fraction(pairing.spread)
    needed = Enclosure.of(horizon).log() * reach(pairing, gap) / (2 * delta**2)

    def thin(most: int) -> bool:
        growth = Enclosure.of(horizon * horizon.bit_length() * (4 * most + spread) / spread).log()
        thinness = ((1 + kappa) * most + (1 + kappa**2) * spread) / (2 * most**2)
        return (growth * thinness < (gap - 2 * delta) ** 2) is Truth.TRUE

    low = high = max(1, math.ceil(needed.upper))
    while not thin(high):
        low, high = high, 2 * high
    return first_round(thin, low, high)


def reach(pairing: Pairing, gap: Fraction) -> Fraction:
    """R = 3/2 (1 + 1/gap)^2 (1 + kappa^2) (1 + s)."""
    kappa, spread = Fraction(pairing.kappa), Fraction(pairing.spread)
    return Fraction(3, 2) * (1 + 1 / gap) ** 2 * (1 + kappa**2) * (1 + spread)


def rare_failures(first: int, last: int) -> Enclosure:
    """The sum of 1/(t b(t)) over the rounds first..last: all rounds with as many digits at once."""
    result = Enclosure.of(0)
    while first <= last:
        digits = first.bit_length()
        end = min(last, 2**digits - 1)
        result = result + sum_of_inverse_powers(1, first, end) / digits
        first = end + 1
    return result

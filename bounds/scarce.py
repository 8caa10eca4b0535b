"""Scarce querying (l.326-364) and querying costs (l.748-764): the regret is linear until an arm is known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from bufalu.bounds.enclosures import DEFAULT_PRECISION, Enclosure, total, working_precision
from bufalu.bounds.errors import OutsideDomain
from bufalu.bounds.expressions import Expression, counting, minimum, nonnegative, sqrt
from bufalu.bounds.families import Family, Gaussian
from bufalu.reference.errors import UndecidedComparison
from bufalu.reference.instances import Instance
from bufalu.reference.rationals import Rational

MOST_BITS = 1 << 14
"""How far the precision grows before a whole part is called undecided."""


def linear_regret_expression() -> Expression:
    """T/K (1 - sqrt(2 min{K n, T} kappa)): plays of an arm after n expected queries, kappa = Kinf+ (l.338)."""
    arms, horizon = counting("K"), counting("T")
    queries, kinf = nonnegative("n"), nonnegative("kappa")
    return horizon / arms * (1 - sqrt(2 * minimum(arms * queries, horizon) * kinf))


def least_plays(arms: int, horizon: int, expected_queries: Rational, kinf: Enclosure) -> Enclosure:
    """A better-than-uniform strategy plays a suboptimal arm at least this often in expectation (l.333-338).

    Zero when Kinf+ is infinite; may be negative, and then says nothing. Raises `OutsideDomain` for bad counts.
    """
    if arms < 1 or horizon < 1 or expected_queries < 0:
        raise OutsideDomain("plays are bounded for K >= 1 arms, T >= 1 rounds and a number of queries >= 0")
    if kinf.is_infinite:
        return Enclosure.of(0)
    return linear_regret_expression().evaluate({"K": arms, "T": horizon, "n": expected_queries, "kappa": kinf})


def scarce_threshold_expression() -> Expression:
    """1 / (8 K kappa): up to this many expected queries, half of a uniform share is played (l.340)."""
    return 1 / (8 * counting("K") * nonnegative("kappa"))


def scarce_threshold(arms: int, kinf: Enclosure) -> Enclosure:
    """The value of `scarce_threshold_expression`."""
    return scarce_threshold_expression().evaluate({"K": arms, "kappa": kinf})


class Profile(Protocol):
    """A per-arm querying profile B_a(t), nondecreasing (l.350)."""

    def inverse(self, arms: int, gap: Rational, bound: Fraction | Enclosure) -> int | None:
        """sup{t >= 1: B_a(t) <= bound}, 0 if there is none; None when infinite (l.344).

        Raises `UndecidedComparison` when the bound is an enclosure that does not decide it.
        """


@dataclass(frozen=True)
class PolynomialProfile:
    """B_a(t) = t^alpha / K with 0 <= alpha <= 1 (l.359); alpha = 0 is allowed and never grows (erratum E26)."""

    alpha: Rational

    def inverse(self, arms: int, gap: Rational, bound: Fraction | Enclosure) -> int | None:
        """The whole part of (K x)^(1/alpha), by whole numbers alone when x is rational."""
        if self.alpha == 0:
            return None if arms * bound >= 1 else 0
        if isinstance(bound, Fraction):
            power = math.floor((arms * bound) ** Fraction(self.alpha).denominator)
            return whole_root(power, Fraction(self.alpha).numerator)
        return _whole_part((arms * bound).power(1 / Fraction(self.alpha)))


@dataclass(frozen=True)
class PolylogProfile:
    """B_a(t) = (ln t)^alpha / K with alpha > 0, blind to the gaps (l.362)."""

    alpha: Rational

    def inverse(self, arms: int, gap: Rational, bound: Fraction | Enclosure) -> int | None:
        """The whole part of exp((K x)^(1/alpha)); B_a(1) = 0, so never below 1."""
        return _whole_part(Enclosure.of(arms * bound).power(1 / Fraction(self.alpha)).exp())


@dataclass(frozen=True)
class GapAwareProfile:
    """B_a(t) = ln t / Delta_a^2 (l.363)."""

    def inverse(self, arms: int, gap: Rational, bound: Fraction | Enclosure) -> int | None:
        """The whole part of exp(Delta_a^2 x)."""
        return _whole_part(Enclosure.of(Fraction(gap) ** 2 * bound).exp())


@dataclass(frozen=True)
class FiniteRegret:
    """The corollary of l.343: from `horizon` on, the regret is at least `regret`; `rounds` are the B_a^-1 per arm.

    `rounds[a]` is None for optimal arms, and for those whose Kinf+ is infinite, which the corollary says nothing of
    (erratum E8). `horizon` is None when some B_a^-1 is infinite: then no T is large enough.
    """

    horizon: int | None
    regret: Enclosure | None
    rounds: tuple[int | None, ...]


def finite_regret(instance: Instance, family: Family, profile: Profile) -> FiniteRegret:
    """sum_a Delta_a / (2K) B_a^-1(1 / (8 K Kinf+_a)) for better-than-uniform strategies (l.343-349).

    All constants are kept: the paper's Omega drops 1/(2K) and, in the poly-log example, a factor 1/4 inside the
    exponent (erratum E7). Raises `UndecidedComparison` if a whole part stays undecided at `MOST_BITS` bits.
    """
    arms = instance.number_of_arms
    rounds: list[int | None] = []
    endless = False
    for number, (arm, gap) in enumerate(zip(instance.arms, instance.gaps, strict=True), start=1):
        kinf = family.kinf_plus(arm, instance.best_mean)
        if number in instance.optimal_arms or kinf.is_infinite:
            rounds.append(None)
            continue
        value = _inverse(instance, family, profile, number, gap)
        endless = endless or value is None
        rounds.append(value)
    if endless:
        return FiniteRegret(None, None, tuple(rounds))
    counted = [(gap, value) for gap, value in zip(instance.gaps, rounds, strict=True) if value is not None]
    regret = sum((Fraction(gap) * value for gap, value in counted), Fraction(0)) / (2 * arms)
    return FiniteRegret(max((value for _, value in counted), default=0), Enclosure.of(regret), tuple(rounds))


def _inverse(instance: Instance, family: Family, profile: Profile, number: int, gap: Rational) -> int | None:
    """B_a^-1 at the threshold, with as many bits as the whole part needs."""
    arms, bits = instance.number_of_arms, DEFAULT_PRECISION
    while True:
        with working_precision(bits):
            try:
                return profile.inverse(arms, gap, _threshold(instance, family, number))
            except UndecidedComparison:
                if bits >= MOST_BITS:
                    raise
        bits *= 2


def _threshold(instance: Instance, family: Family, number: int) -> Fraction | Enclosure:
    """1 / (8 K Kinf+), exactly where Kinf+ is rational: there alone can B_a^-1 be met with equality."""
    arm, arms = instance.arms[number - 1], instance.number_of_arms
    if isinstance(family, Gaussian):
        kinf = family.exact_kinf_plus(arm, instance.best_mean)
        return scarce_threshold_expression().rational({"K": arms, "kappa": kinf})
    return scarce_threshold(arms, family.kinf_plus(arm, instance.best_mean))


def whole_root(value: int, degree: int) -> int:
    """The largest whole number whose `degree`-th power is not above `value`."""
    low, high = 0, 1 << (value.bit_length() // degree + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**degree <= value else (low, middle)
    return low


def _whole_part(value: Enclosure) -> int:
    """The floor of a number; raises `UndecidedComparison` when its ball does not decide it."""
    whole = value.integer_part()
    if whole is None:
        raise UndecidedComparison("the whole part of a bound on queries is not decided at this precision")
    return whole


def query_aware_regret(
    gaps: Sequence[Rational], cost: Rational, queries: Sequence[Enclosure], plays: Sequence[Enclosure]
) -> Enclosure:
    """sum_a (Delta_a E n(a) + c E n^q(a)) (l.754)."""
    return total(gap * played + cost * queried for gap, played, queried in zip(gaps, plays, queries, strict=True))


def least_query_aware_regret(gaps: Sequence[Rational], cost: Rational, queries: Sequence[Enclosure]) -> Enclosure:
    """sum_a (Delta_a + c) E n^q(a), which the query-aware regret is never below (l.757)."""
    return total((gap + cost) * queried for gap, queried in zip(gaps, queries, strict=True))


def break_even_cost(regret: Rational, queries: Rational, other_regret: Rational, other_queries: Rational) -> Fraction:
    """The cost per query at which two policies have the same query-aware regret (l.477).

    Above it the policy with fewer queries is better. Raises `OutsideDomain` when they query equally often.
    """
    if queries == other_queries:
        raise OutsideDomain("two policies with the same number of queries break even at every cost or at none")
    return Fraction(regret - other_regret) / Fraction(other_queries - queries)

"""Scarce querying (l.326-364) and querying costs (l.748-764): the regret is linear until an arm is known.

A querying profile B_a(t) is nondecreasing (l.350), and its `inverse` at a bound x is sup{t >= 1: B_a(t) <= x}, 0 if there
is none, None when infinite (l.344); it raises `UndecidedComparison` where the precision at hand does not decide it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from bufalu.bounds.enclosures import Enclosure, total
from bufalu.bounds.errors import OutsideDomain
from bufalu.bounds.expressions import Expression, counting, minimum, nonnegative, sqrt
from bufalu.reference.errors import UndecidedComparison
from bufalu.reference.rationals import Rational


def linear_regret_expression() -> Expression:
    """T/K (1 - sqrt(2 min{K n, T} kappa)): plays of an arm after n expected queries, kappa = Kinf+ (l.338)."""
    arms, horizon = counting("K"), counting("T")
    queries, kinf = nonnegative("n"), nonnegative("kappa")
    return horizon / arms * (1 - sqrt(2 * minimum(arms * queries, horizon) * kinf))


def scarce_threshold_expression() -> Expression:
    """1 / (8 K kappa): up to this many expected queries, half of a uniform share is played (l.340)."""
    return 1 / (8 * counting("K") * nonnegative("kappa"))


@dataclass(frozen=True)
class PolynomialProfile:
    """B_a(t) = t^alpha / K with 0 <= alpha <= 1 (l.359); alpha = 0 is allowed and never grows (erratum E26)."""

    alpha: Rational

    def inverse(self, arms: int, gap: Rational, bound: Fraction) -> int | None:
        """The whole part of (K x)^(1/alpha), by whole numbers alone."""
        if self.alpha == 0:
            return None if arms * bound >= 1 else 0
        power = math.floor((arms * bound) ** Fraction(self.alpha).denominator)
        return whole_root(power, Fraction(self.alpha).numerator)


@dataclass(frozen=True)
class PolylogProfile:
    """B_a(t) = (ln t)^alpha / K with alpha > 0, blind to the gaps (l.362)."""

    alpha: Rational

    def inverse(self, arms: int, gap: Rational, bound: Fraction) -> int | None:
        """The whole part of exp((K x)^(1/alpha)); B_a(1) = 0, so never below 1."""
        return _whole_part(Enclosure.of(arms * bound).power(1 / Fraction(self.alpha)).exp())


@dataclass(frozen=True)
class GapAwareProfile:
    """B_a(t) = ln t / Delta_a^2 (l.363)."""

    def inverse(self, arms: int, gap: Rational, bound: Fraction) -> int | None:
        """The whole part of exp(Delta_a^2 x)."""
        return _whole_part(Enclosure.of(Fraction(gap) ** 2 * bound).exp())


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
        raise UndecidedComparison("the whole part is not decided at this precision")
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

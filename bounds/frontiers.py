"""The frontier from below: which pairs of regret and queries no consistent strategy can have as T grows (docs/pairs.md).

With a unique optimal arm * and any threshold x_a between the means, Kinf+(a, x_a) n_a + Kinf-(*, x_a) n_* is at least 1 for
the queries per ln T (l.605, `lower.unique_pair_weighted.corrected`). An arm is played at least as often as it is queried.
So for a price p of a query and weights w_a >= 0 with w_a Kinf+(a, x_a) <= Delta_a + p and sum_a w_a Kinf-(*, x_a) <= p

    regret + p queries  >=  sum_a (Delta_a + p) n_a + p n_*  >=  sum_a w_a,   per ln T, as a limit inferior.

Each price gives a line that nothing lies below; the frontier is the largest of them. Doubles choose thresholds, and any
choice is a valid bound: what is said of it is certified.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from bufalu.bounds.bound import Bound, BoundTerm
from bufalu.bounds.enclosures import Enclosure, Number
from bufalu.bounds.errors import OutsideDomain
from bufalu.bounds.expressions import Expression, minimum, nonnegative, number, positive, summed
from bufalu.bounds.families import Family, chosen_family
from bufalu.reference import arguments
from bufalu.reference.arguments import InstanceLike
from bufalu.reference.instances import Arm, Instance
from bufalu.reference.rationals import NumberLike, Rational, parameter

POINTS = 48
"""Lines of which the frontier is made."""

FARTHEST = 300.0
"""Queries of the optimal arm at the last line but one, in multiples of those where all queries are fewest."""

STEPS = 48
"""Steps of a search in doubles."""


@dataclass(frozen=True)
class FrontierLine:
    """regret + price queries, per ln T, is at least `bound`; without a price the queries alone are."""

    price: Fraction | None
    bound: Bound

    @cached_property
    def least(self) -> Fraction:
        """The certified lower end of the bound."""
        return self.bound.evaluate().lower


@dataclass(frozen=True)
class Frontier:
    """Lines in (queries, regret), both per ln T, from the one that counts queries alone down to the price 0."""

    family: Family
    lines: tuple[FrontierLine, ...]

    @property
    def fewest_queries(self) -> Fraction:
        """No consistent strategy has fewer queries per ln T."""
        return self.lines[0].least

    @property
    def least_regret(self) -> Fraction:
        """No consistent strategy has less regret per ln T."""
        return self.lines[-1].least

    @cached_property
    def corners(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """(queries, regret) where neighbouring lines meet, by growing queries.

        Left of the first corner, below the path through all of them and below the last one there is nothing.
        """
        meetings = (_meeting(steep, flat) for steep, flat in pairwise(self._largest_somewhere()))
        return tuple((queries, self.regret_at(queries)) for queries in meetings)

    def regret_at(self, queries: Rational) -> Fraction:
        """The least regret per ln T with so many queries per ln T; raises `OutsideDomain` below `fewest_queries`."""
        if queries < self.fewest_queries:
            raise OutsideDomain(
                f"queries must be at least {float(self.fewest_queries):.6g} per ln T: no consistent strategy has fewer"
            )
        return max(line.least - line.price * queries for line in self.lines if line.price is not None)

    def _largest_somewhere(self) -> list[FrontierLine]:
        """The lines without those that rounding leaves just below where their neighbours meet."""
        kept: list[FrontierLine] = []
        for line in self.lines:
            while len(kept) > 2 and _meeting(kept[-2], line) <= _meeting(kept[-2], kept[-1]):
                kept.pop()
            kept.append(line)
        return kept


def _meeting(steep: FrontierLine, flat: FrontierLine) -> Fraction:
    """The queries at which two lines meet."""
    if steep.price is None:
        return steep.least
    return (steep.least - flat.least) / (steep.price - (flat.price or 0))


def frontier(instance: InstanceLike, family: Family | str | None = None, points: int = POINTS) -> Frontier:
    """The frontier of an instance with a unique optimal arm among several, for strategies consistent on the family.

    By default the family is that of `lower_bounds`. Raises `OutsideDomain` for several optimal arms or a single arm, and
    `NotInFamily` for an arm outside of the family.
    """
    search = _Search.of(instance, family)
    fewest = search.own_queries(math.inf)
    lines = [search.line(None, fewest)]
    for step in range(1, points - 1):
        own = fewest * FARTHEST ** (step / (points - 2))
        lines.append(search.line(Fraction(search.price(own)), own))
    return Frontier(search.family, (*lines, search.line(Fraction(0), math.inf)))


def least_cost(instance: InstanceLike, price: NumberLike, family: Family | str | None = None) -> Bound:
    """What regret plus price times queries costs every consistent strategy per ln T, at least, as T grows.

    Raises `OutsideDomain` for a negative price and what `frontier` raises.
    """
    search, asked = _Search.of(instance, family), Fraction(parameter(price, "price"))
    if asked < 0:
        raise OutsideDomain(f"price must be at least 0, not {asked}")
    return search.line(asked, search.own_queries(float(asked)) if asked else math.inf).bound


class _Search:
    """Thresholds in doubles for given queries n_* of the optimal arm, and certified lines from them."""

    def __init__(self, instance: Instance, family: Family, best: int) -> None:
        self.family = family
        self._gaps, self._best_arm = instance.gaps, instance.arms[best - 1]
        self._others = {at: arm for at, arm in enumerate(instance.arms, start=1) if at != best}
        self._known: dict[tuple[Arm, float], tuple[Enclosure, Enclosure]] = {}

    @staticmethod
    def of(instance: InstanceLike, family: Family | str | None) -> _Search:
        """Raises what `frontier` raises."""
        bandit = arguments.instance(instance)
        if not bandit.unique or bandit.smallest_gap is None:
            raise OutsideDomain("a frontier is known where one arm of several is the unique optimal one")
        (best,) = bandit.optimal_arms
        return _Search(bandit, chosen_family(family, bandit), best)

    def divergences(self, arm: Arm, own: float) -> tuple[Enclosure, Enclosure]:
        """Kinf+ of the arm and Kinf- of the optimal one at the threshold for n_* = own; arms that are equal share them."""
        if (arm, own) not in self._known:
            self._known[arm, own] = self._searched(arm, own)
        return self._known[arm, own]

    def _searched(self, arm: Arm, own: float) -> tuple[Enclosure, Enclosure]:
        low, high = Fraction(arm.mean), Fraction(self._best_arm.mean)
        if math.isinf(own):
            return self.family.kinf_plus(arm, high), Enclosure.of(0)

        def at(share: float) -> tuple[Enclosure, Enclosure]:
            level = low + Fraction(share) * (high - low)
            return self.family.kinf_plus(arm, level), self.family.kinf_minus(self._best_arm, level)

        def needed(share: float) -> float:
            """The queries that the arm needs beside n_*, by the bound at this threshold."""
            plus, minus = at(share)
            return (1 - float(minus) * own) / float(plus)

        # The level sets of the quotient are intervals, since both divergences are convex: there is one peak.
        return at(_peak(needed))

    def price(self, own: float) -> float:
        """The price of a query for which n_* = own is best: sum_a Delta_a r_a / (1 - sum_a r_a), r_a = Kinf-/Kinf+.

        r_a is by how much n_a falls when n_* grows; infinite where they fall by more together.
        """
        slopes = {at: _ratio(*self.divergences(arm, own)) for at, arm in self._others.items()}
        rest = 1 - sum(slopes.values())
        return sum(self._gaps[at - 1] * slope for at, slope in slopes.items()) / rest if rest > 0 else math.inf

    def own_queries(self, price: float) -> float:
        """About the n_* that is best for a positive price; for an infinite one the least with a finite price."""
        low = high = 1.0
        while self.price(high) >= price:
            high *= 2
        while self.price(low) < price:
            low /= 2
        for _ in range(STEPS):
            middle = math.sqrt(low * high)
            low, high = (middle, high) if self.price(middle) >= price else (low, middle)
        return high

    def line(self, price: Fraction | None, own: float) -> FrontierLine:
        """The certified line at the thresholds for n_* = own: weights (Delta_a + p)/Kinf+, times what makes them fit."""
        values: dict[str, Number] = {} if price is None else {"p": price}
        terms: list[BoundTerm] = []
        spent: list[Expression] = []
        for at, arm in self._others.items():
            plus, minus = self.divergences(arm, own)
            values |= {f"K_{at}": plus}
            cost = number(1) if price is None else positive(f"Delta_{at}") + nonnegative("p")
            if price is not None:
                values[f"Delta_{at}"] = self._gaps[at - 1]
            terms.append(BoundTerm(f"arm {at}", cost / positive(f"K_{at}")))
            if price != 0:
                values[f"M_{at}"] = minus
                spent.append(cost * nonnegative(f"M_{at}") / positive(f"K_{at}"))
        total = summed(term.expression for term in terms)
        if spent:
            total = total * minimum(number(1), (number(1) if price is None else nonnegative("p")) / summed(spent))
        words = "queries" if price is None else "regret + price x queries"
        return FrontierLine(
            price,
            Bound(
                name=f"{words}, per ln T",
                line="docs/pairs.md",
                statement=f"liminf E[{words}] / ln T is at least this for every strategy that is consistent on the family",
                expression=total,
                values=values,
                terms=tuple(terms),
            ),
        )


def _ratio(plus: Enclosure, minus: Enclosure) -> float:
    return float(minus) / float(plus)


def _peak(function: Callable[[float], float]) -> float:
    """Where a function with one peak on (0, 1) is about largest, by the golden section."""
    low, high = 0.0, 1.0
    share = (math.sqrt(5) - 1) / 2
    left, right = high - share * (high - low), low + share * (high - low)
    at_left, at_right = function(left), function(right)
    for _ in range(STEPS):
        if at_left < at_right:
            low, left, at_left = left, right, at_right
            right = low + share * (high - low)
            at_right = function(right)
        else:
            high, right, at_right = right, left, at_left
            left = high - share * (high - low)
            at_left = function(left)
    return (low + high) / 2

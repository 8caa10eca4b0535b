"""Which policy and schedule have the least certified bound on regret plus price times queries (docs/dial.md).

Candidates are positions of the dial, BuFALU (1) and BuFAU (0) among them, with a few schedules. What is certified of
each is the smallest of the proved bounds: the sharper theorem, the one for any gaps, the cap, and the trivial ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from bufalu.bounds.dial import best_position, position_for_queries, rounded
from bufalu.bounds.enclosures import Enclosure
from bufalu.bounds.errors import OutsideDomain
from bufalu.bounds.upper import upper_bounds
from bufalu.reference.instances import Instance
from bufalu.reference.rationals import Rational, format_rational
from bufalu.reference.schedules import parse_schedule

POSITIONS = (Fraction(1), Fraction(3, 4), Fraction(1, 2), Fraction(1, 4), Fraction(0))
"""Positions of the dial that are always tried, beside the best ones for the price and for queries."""

BELOW_THE_GAP = Fraction(99, 100)
"""A constant epsilon of this share of the smallest gap: larger ones may leave a suboptimal arm unqueried for ever."""


@dataclass(frozen=True)
class Offer:
    """A policy with a schedule, and what is certified: expected regret and queries after T rounds are at most these."""

    policy: str
    epsilon: str
    regret: Fraction
    queries: Fraction
    price: Fraction

    @property
    def cost(self) -> Fraction:
        """Regret plus price times queries."""
        return self.regret + self.price * self.queries


def offers(instance: Instance, horizon: int, price: Rational) -> tuple[Offer, ...]:
    """Every candidate for a known instance with Hoeffding's intervals, the cheapest first.

    Raises `OutsideDomain` for a negative price or an instance of one arm or without a gap.
    """
    _check(price)
    smallest = instance.smallest_gap
    if smallest is None:
        raise OutsideDomain("nothing is to be planned where every arm is optimal")
    epsilons = ("zero", "power:1/4", "inverse-log", _just_below(smallest))
    found: list[Offer] = []
    for epsilon in epsilons:
        schedule = parse_schedule(epsilon)
        for rho in positions(instance, price):
            bounds = upper_bounds(instance, schedule, horizon, policy=_dial(rho))
            regret = _least(
                bounds.sharper_regret.evaluate(),
                bounds.regret_problem_independent.evaluate(),
                Enclosure.of(instance.largest_gap * horizon),
            )
            queries = _least(bounds.sharper_queries.evaluate(), Enclosure.of(bounds.quantities.all_queries))
            found.append(Offer(_dial(rho), epsilon, regret, min(queries, Fraction(horizon)), Fraction(price)))
    return _cheapest_first(found)


def offers_for_any_means(arms: int, smallest_gap: Rational, horizon: int, price: Rational) -> tuple[Offer, ...]:
    """Every candidate that has a bound for all instances with one optimal arm and gaps of at least `smallest_gap`.

    That needs an epsilon below the gap, so that no arm but the optimal one is left unqueried. Each arm's term of the
    sharper theorem falls with its gap: the worst has all gaps equal, but for the overhead, where Delta_max may be 1.
    Raises `OutsideDomain` for fewer than two arms, a gap outside (0, 1], a horizon below 2 or a negative price.
    """
    _check(price)
    if arms < 2 or horizon < 2 or not 0 < smallest_gap <= 1:
        raise OutsideDomain("a plan without means needs two arms or more, two rounds or more, and a gap in (0, 1]")
    gap = Fraction(smallest_gap)
    equal = Instance.deterministic([Fraction(1), *[1 - gap] * (arms - 1)])
    log = Enclosure.of(horizon).log()
    found: list[Offer] = []
    for epsilon, level in (("zero", Fraction(0)), (_just_below(gap), BELOW_THE_GAP * gap)):
        for rho in positions(equal, price):
            others = max(min(gap, (gap + level) / (1 + rho)), level)
            own = max(rho * gap / (1 + rho), level)
            samples = 6 * log / others**2
            overhead = 3 * arms
            any_gaps = 2 * (1 + rho) * (6 * arms * horizon * log).sqrt() + level * (horizon - arms) + overhead
            regret = _least((arms - 1) * gap * samples + overhead, any_gaps, Enclosure.of(horizon))
            queries = Fraction(horizon)
            if own:
                queries = min(queries, _least((arms - 1) * samples + 6 * log / own**2 + overhead))
            found.append(Offer(_dial(rho), epsilon, regret, queries, Fraction(price)))
    return _cheapest_first(found)


def positions(instance: Instance, price: Rational) -> tuple[Fraction, ...]:
    """The positions of the dial that are tried, from BuFALU's down to BuFAU's."""
    tried = {*POSITIONS, rounded(position_for_queries(instance.number_of_arms))}
    if instance.unique and price > 0:
        tried.add(rounded(best_position(instance, price)))
    return tuple(sorted(tried, reverse=True))


def _check(price: Rational) -> None:
    if price < 0:
        raise OutsideDomain("the price of a query is not negative")


def _just_below(gap: Rational) -> str:
    return f"constant:{format_rational(BELOW_THE_GAP * gap)}"


def _dial(rho: Fraction) -> str:
    return f"dial:{format_rational(rho)}"


def _least(*bounds: Enclosure) -> Fraction:
    """The smallest upper end of some upper bounds, which is an upper bound."""
    return min(bound.upper for bound in bounds if not bound.is_infinite)


def cheapest(found: Sequence[Offer]) -> tuple[Offer, ...]:
    """Of offers in the order of their costs those that cost the least: several, where what is proved of them is the same."""
    return tuple(offer for offer in found if offer.cost == found[0].cost)


def _cheapest_first(found: Sequence[Offer]) -> tuple[Offer, ...]:
    return tuple(sorted(found, key=lambda offer: (offer.cost, offer.queries, offer.regret)))

"""Which policy and schedule have the least certified bound on regret plus price times queries (docs/dial.md, docs/pairs.md).

Candidates are positions of the dial, BuFALU (1) and BuFAU (0) among them, and the pair rule for some kappas, with a few
schedules. What is certified of each is the smallest of the proved bounds: the sharper theorem, the one for any gaps, the
cap, and the trivial ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from bufalu.bounds.dial import best_position, position_for_queries, rounded
from bufalu.bounds.enclosures import Enclosure, largest
from bufalu.bounds.errors import OutsideDomain
from bufalu.bounds.maxima import LevelRule
from bufalu.bounds.quantities import Quantities
from bufalu.bounds.regularity import regularity_of
from bufalu.bounds.upper import UpperBounds, problem_independent, upper_bounds
from bufalu.reference.instances import Instance
from bufalu.reference.policies import DEFAULT_INTERVAL
from bufalu.reference.rationals import Rational, format_rational
from bufalu.reference.schedules import parse_schedule

POSITIONS = (Fraction(1), Fraction(3, 4), Fraction(1, 2), Fraction(1, 4), Fraction(0))
"""Positions of the dial that are always tried, beside the best ones for the price and for queries."""

KAPPAS = (Fraction(1), Fraction(2), Fraction(4))
"""How many queries of the leader the pair rule makes for one of the challenger, at most: those that are tried."""

BELOW_THE_GAP = Fraction(99, 100)
"""A constant epsilon of this share of the smallest gap: larger ones may leave a suboptimal arm unqueried for ever."""


@dataclass(frozen=True)
class Candidate:
    """A policy that is tried: of which family, and where it stands in it (a position of the dial, a kappa).

    `interval` is the text of its intervals, None for the pair rule, which has none.
    """

    family: str
    place: Fraction
    interval: str | None = None

    @property
    def policy(self) -> str:
        """The text form of the policy."""
        return f"{self.family}:{format_rational(self.place)}"


@dataclass(frozen=True)
class Offer:
    """A policy with a schedule, and what is certified: expected regret and queries after T rounds are at most these."""

    candidate: Candidate
    epsilon: str
    regret: Fraction
    queries: Fraction
    price: Fraction

    @property
    def policy(self) -> str:
        """The policy's text form."""
        return self.candidate.policy

    @property
    def cost(self) -> Fraction:
        """Regret plus price times queries."""
        return self.regret + self.price * self.queries


def offers(instance: Instance, horizon: int, price: Rational, interval: str = DEFAULT_INTERVAL) -> tuple[Offer, ...]:
    """Every candidate for a known instance, the dial with this interval, the cheapest first.

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
        for candidate in candidates(instance, price, interval):
            bounds = upper_bounds(instance, schedule, horizon, candidate.interval, candidate.policy)
            regret = _least(
                bounds.sharper_regret.evaluate(),
                bounds.regret_problem_independent.evaluate(),
                Enclosure.of(instance.largest_gap * horizon),
            )
            queries = _least(bounds.sharper_queries.evaluate(), Enclosure.of(bounds.quantities.all_queries))
            found.append(Offer(candidate, epsilon, regret, min(queries, Fraction(horizon)), Fraction(price)))
    return _cheapest_first(found)


def offers_for_any_means(
    arms: int, smallest_gap: Rational, horizon: int, price: Rational, interval: str = DEFAULT_INTERVAL
) -> tuple[Offer, ...]:
    """Every candidate that has a bound for all instances with one optimal arm and gaps of at least `smallest_gap`.

    That needs an epsilon below the gap, so that no arm but the optimal one is left unqueried. An arm has fewer queries the
    larger its gap; what it adds to the regret, N times gap, is convex in its gap, so it is largest at one of the ends, and
    Delta_max may be 1. Raises `OutsideDomain` for fewer than two arms, a gap outside (0, 1], a horizon below 2, a negative
    price, or an interval whose N depends on variances.
    """
    _check(price)
    if regularity_of(interval).good_numbers.by_variance:
        raise OutsideDomain(f"a plan with the interval '{interval}' needs the arms: its N depends on their variances")
    _check_size(arms, horizon)
    if not 0 < smallest_gap <= 1:
        raise OutsideDomain("a plan without means needs two arms or more, two rounds or more, and a gap in (0, 1]")
    gap = Fraction(smallest_gap)
    closest = _equal_gaps(arms, gap)
    found: list[Offer] = []
    for epsilon in ("zero", _just_below(gap)):
        schedule = parse_schedule(epsilon)
        for candidate in candidates(closest, price, interval):
            near = upper_bounds(closest, schedule, horizon, candidate.interval, candidate.policy)
            arm = largest(
                each * _without_cap(near.quantities, _equal_gaps(arms, each)) for each in (gap, Fraction(1))
            )
            overhead = near.quantities.failures + arms
            regret = _least((arms - 1) * arm + overhead, _whatever_the_gaps(near), Enclosure.of(horizon))
            queries = _least(near.sharper_queries.evaluate(), Enclosure.of(near.quantities.all_queries))
            found.append(Offer(candidate, epsilon, regret, queries, Fraction(price)))
    return _cheapest_first(found)


def offers_for_any_gaps(
    arms: int, horizon: int, price: Rational, interval: str = DEFAULT_INTERVAL
) -> tuple[Offer, ...]:
    """Every candidate with what holds for all instances of so many arms: the bound for any gaps, and the cap on queries.

    Schedules that fall slowly, and a budget near the best one for the price. Raises `OutsideDomain` for fewer than two arms,
    a horizon below 2 or a negative price.
    """
    _check(price)
    _check_size(arms, horizon)
    widest = _equal_gaps(arms, Fraction(1))
    found: list[Offer] = []
    for epsilon in ("zero", "power:1/4", "power:1/3", "inverse-log", *_budget(arms, horizon, price)):
        schedule = parse_schedule(epsilon)
        for candidate in candidates(widest, price, interval):
            bounds = upper_bounds(widest, schedule, horizon, candidate.interval, candidate.policy)
            regret = _least(_whatever_the_gaps(bounds), Enclosure.of(horizon))
            found.append(Offer(candidate, epsilon, regret, Fraction(bounds.quantities.all_queries), Fraction(price)))
    return _cheapest_first(found)


def _without_cap(numbers: Quantities, instance: Instance) -> Enclosure:
    """N of arm 2 at T by the sharper theorem, without the cap t - 1, which would hide what gaps in between cost."""
    guarantee, horizon = numbers.guarantee, numbers.horizon
    level = guarantee.level(instance, 2, sharper=True) or LevelRule(0)
    wanted = level.at(numbers.schedule.at(horizon, numbers.arms))
    return Enclosure.of(guarantee.rule(instance, 2, sharper=True).count(horizon, wanted))


def _whatever_the_gaps(bounds: UpperBounds) -> Enclosure:
    """The bound for any gaps with a largest gap of 1."""
    return problem_independent(bounds.quantities).evaluate({"Delta_max": 1})


def _equal_gaps(arms: int, gap: Fraction) -> Instance:
    return Instance.deterministic([Fraction(1), *[1 - gap] * (arms - 1)])


def _budget(arms: int, horizon: int, price: Rational) -> tuple[str, ...]:
    """The budget B at which T sqrt(6 K ln T / B) + price B is about least, a multiple of K; none without a price."""
    if not price:
        return ()
    log = float(Enclosure.of(horizon).log())
    best = (horizon * (6 * arms * log) ** 0.5 / (2 * float(price))) ** (2 / 3)
    return (f"budget:{arms * max(1, round(min(best, horizon) / arms))}",)


def candidates(instance: Instance, price: Rational, interval: str = DEFAULT_INTERVAL) -> tuple[Candidate, ...]:
    """The policies that are tried: the dial from BuFALU's position down to BuFAU's, and the pair rule."""
    dial = tuple(Candidate("dial", rho, interval) for rho in positions(instance, price))
    return (*dial, *(Candidate("pairs", kappa) for kappa in KAPPAS))


def positions(instance: Instance, price: Rational) -> tuple[Fraction, ...]:
    """The positions of the dial that are tried, from BuFALU's down to BuFAU's."""
    tried = {*POSITIONS, rounded(position_for_queries(instance.number_of_arms))}
    if instance.unique and price > 0:
        tried.add(rounded(best_position(instance, price)))
    return tuple(sorted(tried, reverse=True))


def _check(price: Rational) -> None:
    if price < 0:
        raise OutsideDomain(f"the price of a query must be at least 0, not {price}")


def _check_size(arms: int, horizon: int) -> None:
    if arms < 2 or horizon < 2:
        raise OutsideDomain("a plan without means needs two arms or more, and two rounds or more")


def _just_below(gap: Rational) -> str:
    return f"constant:{format_rational(BELOW_THE_GAP * gap)}"


def _least(*bounds: Enclosure) -> Fraction:
    """The smallest upper end of some upper bounds, which is an upper bound."""
    return min(bound.upper for bound in bounds if not bound.is_infinite)


def cheapest(found: Sequence[Offer]) -> tuple[Offer, ...]:
    """Of offers in the order of their costs those that cost the least: several, where what is proved of them is the same."""
    return tuple(offer for offer in found if offer.cost == found[0].cost)


def _cheapest_first(found: Sequence[Offer]) -> tuple[Offer, ...]:
    return tuple(sorted(found, key=lambda offer: (offer.cost, offer.queries, offer.regret)))

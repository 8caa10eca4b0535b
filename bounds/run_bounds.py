"""The theorem along one run, for an epsilon that an adversary chooses from the history (l.416, l.1042).

On every run, in the rounds in which the good event holds, an arm is queried at most N-bar_a + 1 times and played
without a query at most L_a times, where N-bar_a and L_a are taken over the epsilons of that run. The bounds of the
theorem follow by taking expectations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from bufalu.bounds.enclosures import Enclosure
from bufalu.bounds.errors import OutsideDomain
from bufalu.bounds.maxima import Largest, LevelRule, best_of, capped
from bufalu.bounds.regularity import Count, SampleRule, regularity_of
from bufalu.reference import arguments
from bufalu.reference.arguments import InstanceLike, IntervalLike
from bufalu.reference.exact import Exact
from bufalu.reference.instances import Instance
from bufalu.reference.rationals import NumberLike, many, truth_value
from bufalu.reference.schedules import nonnegative_level


@dataclass(frozen=True)
class RunBounds:
    """Bounds on the counts of one run; tuples are per arm.

    `queries` (N-bar_a + 1) and `unqueried` (L_a) hold in the rounds with the good event, `query_cap` (N-bar^as + 1)
    and `query_cap_exact` in all rounds.
    """

    queries: tuple[Count, ...]
    unqueried: tuple[int, ...]
    query_cap: Count
    query_cap_exact: int


def run_bounds(
    instance: InstanceLike,
    epsilons: Iterable[NumberLike | Exact],
    confidence: IntervalLike | None = None,
    *,
    sharper: bool = False,
) -> RunBounds:
    """The bounds for a run whose rounds K+1, K+2, ... used these epsilons; `sharper` takes the sharper levels.

    Raises `InvalidSchedule` for a negative epsilon, `OutsideDomain` for an infinite one, and `NotRegular` for an
    interval without a theorem.
    """
    regularity = regularity_of("hoeffding" if confidence is None else confidence)
    instance = arguments.instance(instance)
    sharper = truth_value(sharper, "sharper")
    levels = [nonnegative_level(epsilon, "epsilons") for epsilon in many(epsilons, "epsilons")]
    if any(epsilon.is_infinite for epsilon in levels):
        raise OutsideDomain("epsilons must be finite numbers")
    rounds = list(enumerate(levels, start=instance.number_of_arms + 1))
    queries: list[Count] = []
    for arm, gap in zip(instance.arms, instance.gaps, strict=True):
        rule = regularity.good(arm.variance)
        queries.append(_along(rule, _level(instance, Fraction(gap), sharper), rounds))
    thresholds = [Exact.of(gap) for gap in instance.gaps]
    most = 1
    for round_number, epsilon in rounds:
        most += regularity.sure.exceeds(most, round_number, epsilon)
    return RunBounds(
        queries=tuple(queries),
        unqueried=tuple(sum(epsilon >= threshold for epsilon in levels) for threshold in thresholds),
        query_cap=_along(regularity.sure, LevelRule(0), rounds),
        query_cap_exact=most,
    )


def _level(instance: Instance, gap: Fraction, sharper: bool) -> LevelRule | None:
    """The level that the theorem takes for an arm with this gap; None when it is infinite."""
    if not instance.unique:
        return LevelRule(gap)
    if gap and sharper:
        return LevelRule(gap, divisor=2)
    smallest = instance.smallest_gap
    own = gap or smallest
    return None if own is None else LevelRule(Fraction(own) / 2)


def _along(rule: SampleRule, level: LevelRule | None, rounds: Sequence[tuple[int, Exact]]) -> Count:
    """N-bar + 1 over the rounds of the run."""
    if level is None or not rounds:
        return 1
    found = [Largest(capped(rule, level.at(epsilon), t), t, epsilon) for t, epsilon in rounds]
    count = best_of(found).count
    return count + 1 if isinstance(count, int | Fraction) else Enclosure.of(count) + 1

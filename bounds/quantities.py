"""The numbers that the theorems are made of, for one instance, schedule, horizon and interval (l.411-416, l.846)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from bufalu.bounds.enclosures import Enclosure, Number
from bufalu.bounds.epsilons import check_question, rounds_at_least, sum_of_epsilon
from bufalu.bounds.guarantees import Guarantee, guarantee_of
from bufalu.bounds.maxima import Largest, LevelRule, largest_count
from bufalu.bounds.query_cap import all_queries, exact_query_cap
from bufalu.bounds.regularity import Count, SampleRule, regularity_of
from bufalu.reference import arguments
from bufalu.reference.arguments import InstanceLike, IntervalLike, PolicyLike, ScheduleLike
from bufalu.reference.exact import PLUS_INFINITY, Exact
from bufalu.reference.instances import Instance
from bufalu.reference.policies import BUFALU, DEFAULT_INTERVAL, Policy
from bufalu.reference.rationals import CountLike, Rational, whole_number
from bufalu.reference.schedules import Schedule

LARGEST_HORIZON = 10**300
"""Beyond this number of rounds the doubles that filter comparisons end."""


@dataclass(frozen=True)
class Quantities:
    """All quantities of one question, each computed when it is first asked for; tuples are per arm."""

    instance: Instance
    schedule: Schedule
    horizon: int
    guarantee: Guarantee
    policy: Policy = BUFALU

    def __post_init__(self) -> None:
        check_question(self.schedule, self.arms, self.horizon)

    @property
    def arms(self) -> int:
        """K."""
        return self.instance.number_of_arms

    @cached_property
    def levels(self) -> tuple[Rational | None, ...]:
        """The level at which the theorem takes N-bar of each arm; None for +infinity (l.422-431)."""
        found = (self.guarantee.level(self.instance, number, sharper=False) for number in range(1, self.arms + 1))
        return tuple(None if rule is None else rule.level for rule in found)

    @cached_property
    def l_epsilon(self) -> tuple[int | None, ...]:
        """L_epsilon(T, Delta_a); None for optimal arms (l.411)."""
        counts = {
            gap: rounds_at_least(self.schedule, self.arms, self.horizon, gap)
            for gap in set(self.instance.gaps)
            if gap
        }
        return tuple(counts.get(gap) for gap in self.instance.gaps)

    @cached_property
    def l_epsilon_used(self) -> tuple[int | None, ...]:
        """L_epsilon of each gap without the first K rounds, in which epsilon plays no role."""
        first = [self.schedule.at(t, self.arms) for t in range(1, min(self.arms, self.horizon) + 1)]
        return tuple(
            None if count is None else count - sum(epsilon >= Exact.of(gap) for epsilon in first)
            for gap, count in zip(self.instance.gaps, self.l_epsilon, strict=True)
        )

    @cached_property
    def n_bar(self) -> tuple[Largest, ...]:
        """N-bar_a^g(T, level), capped by t - 1, with the round that attains it (l.850)."""
        return tuple(self._largest(number, sharper=False, cap=True) for number in range(1, self.arms + 1))

    @cached_property
    def n_bar_main(self) -> tuple[Count, ...]:
        """N-bar(T, level) of the main text, without the cap: infinite where epsilon and the level are 0 (l.411)."""
        return tuple(self._largest(number, sharper=False, cap=False).count for number in range(1, self.arms + 1))

    @cached_property
    def n_bar_sharper(self) -> tuple[Largest, ...]:
        """N-bar of the sharper theorem: at a higher level, or with what the formula gives away."""
        return tuple(self._largest(number, sharper=True, cap=True) for number in range(1, self.arms + 1))

    @cached_property
    def n_bar_sure(self) -> Largest:
        """N-bar^as(T), capped by t - 1 (l.850); for Bernstein's interval the smaller N_2^as."""
        return self.largest_sure(self.guarantee.sure)

    def largest_sure(self, rule: SampleRule) -> Largest:
        """N-bar^as(T) by a given rule, such as N_1^as."""
        return largest_count(rule, LevelRule(0), self.schedule, self.arms, self.horizon)

    @cached_property
    def query_cap_exact(self) -> int:
        """The exact worst case m_T of the queries of one arm."""
        return exact_query_cap(self.guarantee.sure_exactly, self.schedule, self.arms, self.horizon)

    @cached_property
    def all_queries(self) -> int:
        """What is really guaranteed for all arms together, on every run (erratum E13 for budgets)."""
        return all_queries(self.query_cap_exact, self.arms, self.horizon)

    @cached_property
    def failures(self) -> Number:
        """C(T), as the theorem says it."""
        return self.guarantee.failures(self.instance, self.horizon)

    @cached_property
    def failures_least(self) -> Enclosure:
        """C(T) as small as the proof allows (erratum E14)."""
        return self.guarantee.least_failures(self.instance, self.horizon)

    @cached_property
    def sum_of_epsilon(self) -> Number:
        """The sum of epsilon(t) over K < t <= T (l.435)."""
        return sum_of_epsilon(self.schedule, self.arms, self.horizon)

    @cached_property
    def _known(self) -> dict[tuple[SampleRule, LevelRule, bool], Largest]:
        """Maxima that were found already: arms with the same gap and variance share them."""
        return {}

    def _largest(self, number: int, *, sharper: bool, cap: bool) -> Largest:
        rule = self.guarantee.rule(self.instance, number, sharper=sharper)
        level = self.guarantee.level(self.instance, number, sharper=sharper)
        if level is None:
            # An infinite level is met by no query at all.
            return Largest(0, 1, PLUS_INFINITY)
        key = (rule, level, cap)
        if key not in self._known:
            self._known[key] = largest_count(rule, level, self.schedule, self.arms, self.horizon, cap=cap)
        return self._known[key]


def quantities(
    instance: InstanceLike,
    schedule: ScheduleLike,
    horizon: CountLike,
    confidence: IntervalLike | None = None,
    policy: PolicyLike = BUFALU,
) -> Quantities:
    """The quantities of the theorems, by default for BuFALU with Hoeffding's interval.

    Raises `OutsideDomain` for T < 1, `NotRegular` for an interval without a theorem, `NoTheorem` for a policy
    without one, `NeedsPath` for an adaptive epsilon.
    """
    bandit, played = arguments.instance(instance), arguments.policy(policy)
    chosen, rounds = arguments.schedule(schedule), whole_number(horizon, "horizon", most=LARGEST_HORIZON)
    guarantee = guarantee_of(played, lambda: regularity_of(DEFAULT_INTERVAL if confidence is None else confidence))
    return Quantities(bandit, chosen, rounds, guarantee, played)

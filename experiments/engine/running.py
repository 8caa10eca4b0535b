"""The fast engine: many seeds of one configuration, with the decisions of the exact reference.

outcome = run_seeds(Configuration("bufalu", instance, parse_schedule("power:1/4"), 100_000), range(1000))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from bufalu.experiments.engine.arrays import (
    BERNSTEIN_BUDGET,
    HOEFFDING_BUDGET,
    NO_BUDGET,
    PLAYS,
    POLICY_CODES,
    QUERIES,
    Floats,
    Integers,
    Rewards,
    Rule,
    Seeds,
)
from bufalu.experiments.engine.compiled import require
from bufalu.experiments.engine.errors import OutsideEngine
from bufalu.experiments.engine.exact_rounds import exact_decision
from bufalu.experiments.engine.loop import advance
from bufalu.experiments.engine.round_tables import WINDOW, check_shape, window
from bufalu.experiments.engine.streams import common_denominator, reward_tables, stream_keys
from bufalu.reference.confidence import BernsteinInterval, HoeffdingInterval, confidence_named
from bufalu.reference.instances import Instance
from bufalu.reference.policies import RuleKind, policy_named
from bufalu.reference.radius_shapes import RadiusShape
from bufalu.reference.schedules import BernsteinBudget, Budget, Schedule

INTEGER_LIMIT = 1 << 31
"""denominator * horizon stays below this, so that no product of two sums leaves 64 bits."""


@dataclass(frozen=True)
class Configuration:
    """One cell of an experiment: everything that a run depends on but its seed."""

    policy: str
    instance: Instance
    schedule: Schedule
    horizon: int
    confidence: str = "hoeffding"
    ties: str = "first"
    jumps: bool = True

    def __post_init__(self) -> None:
        if policy_named(self.policy).kind not in POLICY_CODES:
            raise OutsideEngine(f"the fast engine has no kernel for the policy '{self.policy}': `simulate` takes it")
        check_shape(self.confidence, confidence_named(self.confidence).shape)
        if self.ties not in ("first", "last"):
            raise OutsideEngine(f"the fast engine breaks ties `first` or `last`, not '{self.ties}'")
        if self.schedule.adaptive:
            raise OutsideEngine("the fast engine takes schedules fixed in advance; `simulate` takes an adaptive one")
        if self.horizon < 0:
            raise OutsideEngine(f"a horizon of {self.horizon} rounds is negative")
        if common_denominator(self.instance) * self.horizon >= INTEGER_LIMIT:
            raise OutsideEngine("denominator of the rewards times horizon must stay below 2^31")

    @property
    def shape(self) -> RadiusShape:
        """The radius as data."""
        return check_shape(self.confidence, confidence_named(self.confidence).shape)

    @property
    def kind(self) -> RuleKind:
        """The kernel of the policy."""
        kind = policy_named(self.policy).kind
        assert kind is not None  # `__post_init__` refuses the others
        return kind


class SeedResults(NamedTuple):
    """Plays and queries of every arm (columns) for every seed (rows), after each checkpoint (first axis).

    `resolved` counts the rounds that doubles could not decide and the exact reference did, so that no decision of the
    run depended on rounding.
    """

    checkpoints: tuple[int, ...]
    plays: Integers
    queries: Integers
    resolved: int


def run_seeds(
    configuration: Configuration, seeds: Sequence[int], checkpoints: Sequence[int] | None = None
) -> SeedResults:
    """Runs every seed to the horizon; memory does not grow with the horizon.

    `checkpoints` are increasing round numbers (by default the horizon alone) after which the counts are kept. Raises
    `ExperimentsUnavailable` without numba.
    """
    require()
    marks = tuple(checkpoints) if checkpoints is not None else (configuration.horizon,)
    if any(mark < 0 or mark > configuration.horizon for mark in marks) or list(marks) != sorted(set(marks)):
        raise OutsideEngine("checkpoints must be distinct, increasing and within the horizon")
    arms = configuration.instance.number_of_arms
    rule = rule_of(configuration)
    rewards = reward_tables(configuration.instance)
    state = fresh_seeds(seeds, arms)
    plays = np.zeros((len(marks), len(seeds), arms), np.int64)
    queries = np.zeros_like(plays)
    resolved = 0
    done = 0
    for position, mark in enumerate(marks):
        while done < mark:
            end = min(mark, done + WINDOW)
            resolved += play_window(configuration, rule, rewards, state, range(done + 1, end + 1))
            done = end
        plays[position] = state.counts[:, PLAYS]
        queries[position] = state.counts[:, QUERIES]
    return SeedResults(marks, plays, queries, resolved)


def play_window(configuration: Configuration, rule: Rule, rewards: Rewards, seeds: Seeds, rounds: range) -> int:
    """Plays the given rounds of every seed; gives the number of rounds that exact arithmetic decided."""
    tables = window(configuration.shape, configuration.schedule, rule.arms, rounds[0], rounds[-1])
    resolved = 0
    advance(rule, tables, rewards, seeds)
    while (stopped := np.flatnonzero(seeds.waiting)).size:
        for s in stopped:
            decision = exact_decision(
                seeds,
                int(s),
                denominator=rule.denominator,
                policy=configuration.policy,
                confidence=configuration.confidence,
                schedule=configuration.schedule,
                ties=configuration.ties,
            )
            seeds.forced_arm[s] = decision.arm - 1
            seeds.forced_query[s] = int(decision.query)
            seeds.waiting[s] = 0
        resolved += stopped.size
        advance(rule, tables, rewards, seeds)
    return resolved


def rule_of(configuration: Configuration) -> Rule:
    """The numbers that tell the kernel which policy, interval and exact ties it deals with."""
    schedule = configuration.schedule
    matched, spends, total = NO_BUDGET, 0, Fraction(1)
    if isinstance(schedule, Budget):
        total = Fraction(schedule.total)
        spends = 1
        # Only the radius for which a budget is made has a width of exactly epsilon after B / K queries.
        matched = HOEFFDING_BUDGET if configuration.shape == HoeffdingInterval().shape else NO_BUDGET
    elif isinstance(schedule, BernsteinBudget) and configuration.shape == BernsteinInterval.shape:
        total, matched = Fraction(schedule.total), BERNSTEIN_BUDGET
    if max(total.numerator, total.denominator) >= INTEGER_LIMIT // configuration.instance.number_of_arms:
        matched, spends, total = NO_BUDGET, 0, Fraction(1)
    return Rule(
        policy=POLICY_CODES[configuration.kind],
        arms=configuration.instance.number_of_arms,
        bernstein=int(configuration.shape.uses_variance),
        last=int(configuration.ties == "last"),
        jumps=int(configuration.jumps),
        denominator=common_denominator(configuration.instance),
        matched=matched,
        spends=spends,
        budget_numerator=total.numerator,
        budget_denominator=total.denominator,
    )


def fresh_seeds(seeds: Sequence[int], arms: int) -> Seeds:
    """The state before round 1: nothing played, nothing known."""
    rows = len(seeds)
    return Seeds(
        next_round=np.ones(rows, np.int64),
        waiting=np.zeros(rows, np.int64),
        forced_arm=np.full(rows, -1, np.int64),
        forced_query=np.zeros(rows, np.int64),
        keys=stream_keys(seeds, arms),
        counts=np.zeros((rows, 4, arms), np.int64),
        forms=np.zeros((rows, 3, arms), np.float64),
        scratch=np.zeros((2, arms), np.float64),
    )


def regret(instance: Instance, plays: Integers) -> Floats:
    """sum_a Delta_a n(a) for every run (l.270), from exact counts, as doubles."""
    denominator = int(np.lcm.reduce([gap.denominator for gap in instance.gaps]))
    scaled = np.array([int(gap * denominator) for gap in instance.gaps], np.int64)
    total: Floats = (plays * scaled).sum(axis=-1) / denominator
    return total

"""The two count bounds behind the theorem (l.938-951) on one path: for every arm, under the good event."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from hypothesis.strategies import SearchStrategy

from bufalu.properties.runs.cap import count_finding
from bufalu.properties.runs.examination import check_statement
from bufalu.properties.runs.observed_rounds import Run
from bufalu.properties.runs.scenarios import Scenario
from bufalu.properties.runs.statements import Examination, Place, Statement, TrueMeans
from bufalu.properties.runs.strategies import adaptive_scenarios, scenarios, separating_scenarios
from bufalu.properties.runs.thresholds import BernsteinCount, HoeffdingCount, SampleCount, good_event_count
from bufalu.properties.runs.worst_means import Intervals, corner_means
from bufalu.properties.runs.wrong import (
    bernstein_scenarios,
    free_adversaries,
    free_scenarios,
    hoeffding_scenarios,
    one_less,
    slightly_less,
    with_epsilon,
    wrong,
)
from bufalu.reference.confidence import BernsteinInterval, ConfidenceInterval, HoeffdingInterval
from bufalu.reference.exact import PLUS_INFINITY, Exact
from bufalu.reference.rationals import Rational

RuleChoice: TypeAlias = Callable[[ConfidenceInterval, "Rational"], "SampleCount | None"]
"""N_a^g by the interval and the variance of the arm; None where nobody has worked it out."""

LevelChoice: TypeAlias = Callable[[TrueMeans, int], "Rational | None"]
"""mu_a, the level at which an arm's samples are counted; None is +infinity."""


def proof_level(true_means: TrueMeans, arm: int) -> Rational | None:
    """Delta_a, Delta_a / 2 or Delta_min / 2, as the proof chooses mu_a (l.1018); None for a single arm."""
    gap = true_means.gap(arm)
    if len(true_means.optimal) > 1:
        return gap
    own = gap or true_means.smallest_gap
    return None if own is None else Fraction(own) / 2


def unqueried_rounds(intervals: Intervals, true_means: TrueMeans) -> Iterator[Place]:
    """The good rounds in which an arm is played unqueried are at most L_epsilon(t, Delta_a), at every t (l.938)."""
    run = intervals.run
    gaps = [Exact.of(true_means.gap(arm)) for arm in range(1, run.arms + 1)]
    allowed = [0] * run.arms
    spent = [0] * run.arms
    for index, situation in enumerate(run.situations):
        for position, gap in enumerate(gaps):
            allowed[position] += gap <= situation.epsilon
        if situation.query or not intervals.good(index, true_means):
            continue
        arm = situation.arm
        spent[arm - 1] += 1
        yield unqueried_against_allowed(situation.round, arm, spent[arm - 1], allowed[arm - 1], true_means)


def unqueried_against_allowed(round_number: int, arm: int, count: int, bound: int, true_means: TrueMeans) -> Place:
    """The finding about one unqueried good round."""
    words = f"arm {arm} by round {round_number}, means {true_means.text()}: unqueried good rounds against L_epsilon"
    telling = bound < round_number - len(true_means.means)
    return count_finding(count, bound, telling=telling, round_number=round_number, arm=arm, words=words)


def queried_against_allowed(round_number: int, arm: int, count: int, bound: int, true_means: TrueMeans) -> Place:
    """The finding about one queried good round."""
    words = f"arm {arm} by round {round_number}, means {true_means.text()}: queried good rounds against N-bar + 1"
    telling = bound < round_number - len(true_means.means) + 1
    return count_finding(count, bound, telling=telling, round_number=round_number, arm=arm, words=words)


def queried_rounds(
    intervals: Intervals, true_means: TrueMeans, level: LevelChoice = proof_level, rule: RuleChoice = good_event_count
) -> Iterator[Place]:
    """The good rounds in which an arm is queried are at most N_bar_a^g(t, mu_a) + 1, at every t (l.946).

    The initial query counts as a good round, and the maximum in N_bar runs over K < s <= t alone: both make the
    statement stronger than the printed one. Says nothing of an interval whose N^g nobody has worked out.
    """
    run = intervals.run
    if rule(run.confidence, 0) is None:
        return
    most = [
        whole_n_bar(run, rule, level(true_means, arm), true_means.variances[arm - 1])
        for arm in range(1, run.arms + 1)
    ]
    spent = list(run.queries_until(run.arms))
    for index, situation in enumerate(run.situations):
        if not situation.query or not intervals.good(index, true_means):
            continue
        arm = situation.arm
        spent[arm - 1] += 1
        bound = most[arm - 1][index] + 1
        yield queried_against_allowed(situation.round, arm, spent[arm - 1], bound, true_means)


def whole_n_bar(run: Run, choice: RuleChoice, level: Rational | None, variance: Rational) -> list[int]:
    """The whole part of N_bar^g(t, level) for every situation of the run; many means ask for the same one."""
    key = (choice, level, variance if run.confidence.uses_variance else 0)
    known = run.memory.get(key)
    if known is None:
        rule = choice(run.confidence, variance)
        assert rule is not None  # `queried_rounds` says nothing of the other intervals
        number = PLUS_INFINITY if level is None else Exact.of(level)
        most = 0
        known = []
        for situation in run.situations:
            widest = situation.epsilon if number < situation.epsilon else number
            while most < situation.round - 1 and rule.reached(most + 1, situation.round, widest):
                most += 1
            known.append(most)
        run.memory[key] = known
    return known


def over_corner_means(examine: Callable[[Intervals, TrueMeans], Iterator[Place]]) -> Callable[[Run], Iterator[Place]]:
    """The statement about given means, tried at the worst corners of the run's boxes."""

    def examination(run: Run) -> Iterator[Place]:
        intervals = Intervals(run)
        for true_means in corner_means(intervals):
            yield from examine(intervals, true_means)

    return examination


def short_and_long_scenarios() -> SearchStrategy[Scenario]:
    """Games of every kind, and scenarios long enough for a gap of one to bind."""
    return scenarios() | separating_scenarios()


class AlwaysGood(Intervals):
    """Intervals that pass every round off as good."""

    def good(self, index: int, true_means: TrueMeans) -> bool:
        """True, whatever the means are."""
        return True


def unqueried_in_bad_rounds(run: Run) -> Iterator[Place]:
    """L_epsilon bounding all unqueried rounds of an arm, where that arm is the worst and all rounds are bad."""
    for arm in range(1, run.arms + 1):
        means = tuple(0 if other == arm else 1 for other in range(1, run.arms + 1))
        yield from unqueried_rounds(AlwaysGood(run), TrueMeans(means, (0,) * run.arms))


def queried_at_level(share: Rational, applies: Callable[[TrueMeans, int], bool]) -> Examination:
    """The bound on queried rounds with the level of some arms multiplied."""

    def level(true_means: TrueMeans, arm: int) -> Rational | None:
        right = proof_level(true_means, arm)
        return right if right is None or not applies(true_means, arm) else share * right

    return over_corner_means(partial(queried_rounds, level=level))


def suboptimal_beside_one(true_means: TrueMeans, arm: int) -> bool:
    """Whether one arm alone is optimal, and it is another one."""
    return len(true_means.optimal) == 1 and true_means.gap(arm) > 0


def alone_at_the_top(true_means: TrueMeans, arm: int) -> bool:
    """Whether the arm is the only optimal one."""
    return true_means.optimal == (arm,)


def beside_several(true_means: TrueMeans, arm: int) -> bool:
    """Whether several arms are optimal."""
    return len(true_means.optimal) > 1


def smaller_hoeffding(interval: ConfidenceInterval, variance: Rational) -> SampleCount | None:
    """N_a^g with 1 for 6."""
    return HoeffdingCount(1) if interval == HoeffdingInterval() else good_event_count(interval, variance)


def smaller_bernstein(interval: ConfidenceInterval, variance: Rational) -> SampleCount | None:
    """N_a^g with 6 for 52."""
    if interval != BernsteinInterval():
        return good_event_count(interval, variance)
    return BernsteinCount(quadratic=24 * Fraction(variance), linear=6)


UNQUERIED_COUNT = check_statement(
    Statement(
        "count.unqueried",
        ("count.unqueried",),
        "under the good event an arm is played unqueried in at most L_epsilon(T, gap) rounds",
        over_corner_means(unqueried_rounds),
        steered=True,
    ),
    short_and_long_scenarios,
    40,
    mutants={
        "L_epsilon counting epsilon >= gap + 2^-40": wrong(
            with_epsilon(over_corner_means(unqueried_rounds), slightly_less), free_scenarios
        ),
        "in all rounds, not only the good ones": wrong(unqueried_in_bad_rounds, separating_scenarios),
    },
)
QUERIED_COUNT = check_statement(
    Statement(
        "count.queried",
        ("count.queried",),
        "under the good event an arm is queried at most N-bar^g(T, its level) + 1 times",
        over_corner_means(queried_rounds),
    ),
    short_and_long_scenarios,
    40,
    mutants={
        "the gap for half of it, one arm being optimal": wrong(
            queried_at_level(2, suboptimal_beside_one), separating_scenarios
        ),
        "the smallest gap for half of it, for the unique optimal arm": wrong(
            queried_at_level(2, alone_at_the_top), separating_scenarios
        ),
        "twice the gap, several arms being optimal": wrong(queried_at_level(2, beside_several), separating_scenarios),
        "without + 1": wrong(one_less(over_corner_means(queried_rounds))),
        "ln t for 6 ln t": wrong(
            over_corner_means(partial(queried_rounds, rule=smaller_hoeffding)), hoeffding_scenarios
        ),
        "6 ln t / mu for 52 with Bernstein's interval": wrong(
            over_corner_means(partial(queried_rounds, rule=smaller_bernstein)), bernstein_scenarios
        ),
    },
)

check_statement(
    UNQUERIED_COUNT,
    adaptive_scenarios,
    30,
    claims=("theorem.adaptive_epsilon",),
    name=f"adaptive.{UNQUERIED_COUNT.name}",
    mutants={
        "L_epsilon counting epsilon >= gap + 2^-40, against an adversary": wrong(
            with_epsilon(UNQUERIED_COUNT.examine, slightly_less), free_adversaries
        )
    },
)
check_statement(
    QUERIED_COUNT,
    adaptive_scenarios,
    30,
    claims=("theorem.adaptive_epsilon",),
    name=f"adaptive.{QUERIED_COUNT.name}",
    mutants={"without + 1, against an adversary": wrong(one_less(QUERIED_COUNT.examine), adaptive_scenarios)},
)

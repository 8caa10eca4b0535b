"""The two count bounds behind the theorem (l.938-951) on one path: for every arm, under the good event."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TypeAlias

from bufalu.properties.runs.cap import count_finding
from bufalu.properties.runs.observed_rounds import Run
from bufalu.properties.runs.statements import Place, Statement, TrueMeans
from bufalu.properties.runs.thresholds import SampleCount, good_event_count
from bufalu.properties.runs.worst_means import Intervals, corner_means
from bufalu.reference.confidence import ConfidenceInterval
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


UNQUERIED_COUNT = Statement(
    "count.unqueried",
    ("count.unqueried",),
    "under the good event an arm is played unqueried in at most L_epsilon(T, gap) rounds",
    over_corner_means(unqueried_rounds),
)
QUERIED_COUNT = Statement(
    "count.queried",
    ("count.queried",),
    "under the good event an arm is queried at most N-bar^g(T, its level) + 1 times",
    over_corner_means(queried_rounds),
)

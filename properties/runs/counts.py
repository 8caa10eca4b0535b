"""The two count bounds behind the theorem (l.938-951) on one path: for every arm, under the good event."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from bufalu.properties.runs.cap import count_finding
from bufalu.properties.runs.observed_rounds import ObservedRound, Run
from bufalu.properties.runs.statements import Place, Statement, TrueMeans
from bufalu.properties.runs.thresholds import SampleCount, good_event_count
from bufalu.properties.runs.worst_means import Intervals, corner_worlds
from bufalu.reference.confidence import ConfidenceInterval
from bufalu.reference.exact import PLUS_INFINITY, Exact
from bufalu.reference.rationals import Rational


@dataclass(frozen=True)
class CountBounds:
    """The constants of the two bounds; the defaults are the paper's, the mutants change one at a time."""

    unique_share: Rational = Fraction(1, 2)
    multiple_share: Rational = 1
    best_share: Rational = Fraction(1, 2)
    extra: int = 1
    strictly_above: bool = False
    good_event: bool = True
    use_epsilon_in_level: bool = True
    rule: Callable[[ConfidenceInterval, Rational], SampleCount | None] = good_event_count

    def level(self, world: TrueMeans, arm: int) -> Rational | None:
        """mu_a: Delta_a, Delta_a / 2 or Delta_min / 2, as the proof chooses them (l.1018); None is +infinity."""
        optimal = world.optimal
        gap = world.gap(arm)
        if len(optimal) > 1:
            return self.multiple_share * gap
        if gap > 0:
            return self.unique_share * gap
        smallest = world.smallest_gap
        if smallest is None:
            # A single arm: Delta_min is +infinity, and nothing of it is nothing.
            return None if self.best_share else 0
        return self.best_share * smallest


PAPER = CountBounds()


def unqueried_rounds(intervals: Intervals, world: TrueMeans, bounds: CountBounds = PAPER) -> Iterator[Place]:
    """The good rounds in which an arm is played unqueried are at most L_epsilon(t, Delta_a), at every t (l.938)."""
    run = intervals.run
    gaps = [Exact.of(world.gap(arm)) for arm in range(1, run.arms + 1)]
    allowed = [0] * run.arms
    spent = [0] * run.arms
    for index, situation in enumerate(run.situations):
        for position, gap in enumerate(gaps):
            exceeds = gap < situation.epsilon if bounds.strictly_above else gap <= situation.epsilon
            allowed[position] += exceeds
        if situation.query or (bounds.good_event and not intervals.good(index, world)):
            continue
        arm = situation.arm
        spent[arm - 1] += 1
        words = f"arm {arm} by round {situation.round}, means {world.text()}: unqueried good rounds against L_epsilon"
        telling = allowed[arm - 1] < situation.round - run.arms
        yield count_finding(
            spent[arm - 1], allowed[arm - 1], telling=telling, round_number=situation.round, arm=arm, words=words
        )


def queried_rounds(intervals: Intervals, world: TrueMeans, bounds: CountBounds = PAPER) -> Iterator[Place]:
    """The good rounds in which an arm is queried are at most N_bar_a^g(t, mu_a) + 1, at every t (l.946).

    The initial query counts as a good round, and the maximum in N_bar runs over K < s <= t alone: both make the
    statement stronger than the printed one. Says nothing of an interval whose N^g nobody has worked out.
    """
    run = intervals.run
    if bounds.rule(run.confidence, 0) is None:
        return
    most = [
        whole_n_bar(run, bounds, bounds.level(world, arm), world.variances[arm - 1]) for arm in range(1, run.arms + 1)
    ]
    spent = list(run.queries_until(run.arms))
    for index, situation in enumerate(run.situations):
        if not situation.query or (bounds.good_event and not intervals.good(index, world)):
            continue
        arm = situation.arm
        spent[arm - 1] += 1
        bound = most[arm - 1][index] + bounds.extra
        words = f"arm {arm} by round {situation.round}, means {world.text()}: queried good rounds against N-bar + 1"
        telling = bound < situation.round - run.arms + 1
        yield count_finding(
            spent[arm - 1], bound, telling=telling, round_number=situation.round, arm=arm, words=words
        )


def whole_n_bar(run: Run, bounds: CountBounds, level: Rational | None, variance: Rational) -> list[int]:
    """The whole part of N_bar^g(t, level) for every situation of the run; many worlds ask for the same one."""
    key = (bounds, level, variance if run.confidence.uses_variance else 0)
    known = run.memory.get(key)
    if known is None:
        rule = bounds.rule(run.confidence, variance)
        assert rule is not None  # `queried_rounds` says nothing of the other intervals
        number = PLUS_INFINITY if level is None else Exact.of(level)
        most = 0
        known = []
        for situation in run.situations:
            widest = level_in_round(number, situation, bounds)
            while most < situation.round - 1 and rule.reached(most + 1, situation.round, widest):
                most += 1
            known.append(most)
        run.memory[key] = known
    return known


def level_in_round(level: Exact, situation: ObservedRound, bounds: CountBounds) -> Exact:
    """max{mu_a, epsilon(t)}."""
    if bounds.use_epsilon_in_level and level < situation.epsilon:
        return situation.epsilon
    return level


def over_corner_worlds(
    examine: Callable[[Intervals, TrueMeans, CountBounds], Iterator[Place]], bounds: CountBounds
) -> Callable[[Run], Iterator[Place]]:
    """The statement about given means, tried at the worst corners of the run's boxes."""

    def examination(run: Run) -> Iterator[Place]:
        intervals = Intervals(run)
        for world in corner_worlds(intervals):
            yield from examine(intervals, world, bounds)

    return examination


def unqueried_count(bounds: CountBounds = PAPER, name: str = "count.unqueried") -> Statement:
    """The bound on unqueried rounds with the given constants."""
    return Statement(
        name,
        ("count.unqueried",),
        "under the good event an arm is played unqueried in at most L_epsilon(T, gap) rounds",
        over_corner_worlds(unqueried_rounds, bounds),
    )


def queried_count(bounds: CountBounds = PAPER, name: str = "count.queried") -> Statement:
    """The bound on queried rounds with the given constants."""
    return Statement(
        name,
        ("count.queried",),
        "under the good event an arm is queried at most N-bar^g(T, its level) + 1 times",
        over_corner_worlds(queried_rounds, bounds),
    )


UNQUERIED_COUNT = unqueried_count()
QUERIED_COUNT = queried_count()

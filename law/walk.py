"""The walk over merged states: all paths of a run at once.

All paths that have seen the same values of the same arms are in the same state, whatever the order. In a round every
state that is awake decides; a query moves its weight to the states of the possible values, and a state that does not
query sleeps until the first round in which its decision could change (between two queries only t moves).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np

from bufalu.law.branching import Branches, TieLaw
from bufalu.law.double_filter import DoubleFilter
from bufalu.law.errors import TooManyStates
from bufalu.law.histograms import Booleans, Histograms, Integers
from bufalu.law.round_values import RoundValues
from bufalu.law.weights import LARGEST_FACTOR, RationalWeights, Weights, WholeWeights, grouped
from bufalu.reference.confidence import ConfidenceInterval
from bufalu.reference.instances import Instance
from bufalu.reference.policies import Policy
from bufalu.reference.rationals import Rational
from bufalu.reference.state import State
from bufalu.reference.view import ExactView

MOST_STATES = 8_000_000
"""Merged states of one round beyond which the walk gives up."""

FEW_STATES = 8
"""Up to this many states in a round the reference is quicker than arrays."""

LOOKAHEAD = 400_000
"""States times rounds that a search for wake-up rounds examines at once."""

MOST_BITS = 1000
"""Weights of more bits are quicker as Python's own integers than in machine words."""


@dataclass(frozen=True)
class Stretches:
    """States that do the same thing from round `first` until before round `stop`: play `arm`, query or not."""

    first: int
    stop: Integers
    rows: Integers
    weights: Weights
    arm: Integers
    query: Booleans


class Recorder(Protocol):
    """What listens to a walk."""

    def stretches(self, table: Histograms, played: Stretches) -> None:
        """Some states were played for some rounds."""

    def dropped(self, queries: Integers, weights: Weights, round_number: int) -> None:
        """States that are not followed from this round on."""

    def finished(self, table: Histograms, rows: Integers, weights: Weights) -> None:
        """The states after the last round."""


@dataclass(frozen=True)
class Weighing:
    """What an observation multiplies a weight by: `factors[arm][value]`; a weight is in units of base^-queries.

    Counting paths takes factors 1. Probabilities take whole numbers over a common denominator, the base.
    """

    factors: tuple[tuple[Rational, ...], ...]
    base: int

    @staticmethod
    def counting(instance: Instance) -> Weighing:
        """Every observation counts once: weights are numbers of paths."""
        return Weighing(tuple((1,) * len(arm.values) for arm in instance.arms), 1)

    @staticmethod
    def probabilities(instance: Instance, ties: TieLaw) -> Weighing:
        """Weights are probabilities: whole numbers over base^queries, or fractions where ties are random."""
        if ties.rule is None:
            return Weighing(tuple(tuple(Fraction(p) for p in arm.probabilities) for arm in instance.arms), 1)
        base = math.lcm(*(p.denominator for arm in instance.arms for p in arm.probabilities))
        return Weighing(
            tuple(tuple(int(p * base) for p in arm.probabilities) for arm in instance.arms),
            base,
        )

    def start(self, ties: TieLaw, horizon: int) -> Weights:
        """The weight 1 of the empty state: in machine words where nothing is divided and numbers stay short enough."""
        factors = [factor for of_arm in self.factors for factor in of_arm]
        if ties.rule is None or not all(isinstance(each, int) and each <= LARGEST_FACTOR for each in factors):
            return RationalWeights.of([1])
        growth = max(sum(map(int, of_arm)) for of_arm in self.factors)
        if horizon * (growth - 1).bit_length() > MOST_BITS:
            return RationalWeights.of([1])
        return WholeWeights.of([1])


@dataclass(frozen=True)
class Setting:
    """Who plays what, and how long."""

    instance: Instance
    rule: Policy
    confidence: ConfidenceInterval
    clock: RoundValues
    ties: TieLaw

    def branches(self, state: State, round_number: int) -> Branches:
        """The reference's decisions in a state, with the probabilities that the tie-break gives them."""
        view = ExactView(state, self.confidence, round_number, self.clock.epsilons[round_number])
        return self.ties.branches(lambda tie_break: self.rule.decide(view, tie_break))


class Walk:
    """A run of one policy on one instance, all paths at once."""

    def __init__(self, setting: Setting, weighing: Weighing, negligible: Rational = 0) -> None:
        self.table = Histograms(setting.instance, setting.confidence)
        self.clock = setting.clock
        self.decided_exactly = 0
        self.states = 0
        self._setting = setting
        self._weighing = weighing
        self._negligible = negligible
        self._judge = DoubleFilter(
            setting.rule, setting.confidence, self.table, setting.clock, setting.ties.settlement
        )
        self._waiting: dict[int, list[tuple[Integers, Weights]]] = {}

    def run(self, recorder: Recorder, progress: Callable[[int], None] | None = None) -> None:
        """Plays the rounds 1..T and tells the recorder; raises `TooManyStates`."""
        self._send(1, self.table.empty.reshape(1, -1), self._weighing.start(self._setting.ties, self.clock.horizon))
        for round_number in range(1, self.clock.horizon + 1):
            if round_number not in self._waiting:
                continue
            rows, weights = self._arrivals(round_number, recorder)
            self.states += len(weights)
            for played in self._played(round_number, rows, weights):
                recorder.stretches(self.table, played)
                self._move(played)
            if progress is not None:
                progress(round_number)
        rows, weights = self._arrivals(self.clock.horizon + 1, recorder)
        recorder.finished(self.table, rows, weights)

    # ---- one round

    def _played(self, round_number: int, rows: Integers, weights: Weights) -> Iterator[Stretches]:
        """What the states do in this round, and until when."""
        size = len(weights)
        if round_number <= self.clock.arms:
            arm = np.full(size, round_number - 1)
            stop = np.full(size, round_number + 1)
            yield Stretches(round_number, stop, rows, weights, arm, np.ones(size, dtype=np.bool_))
            return
        if size <= FEW_STATES:
            yield self._by_reference(round_number, rows, weights)
            return
        decisions = self._judge.decide(rows, np.full(size, round_number))
        sure = decisions.sure
        if sure.all():
            yield self._by_doubles(round_number, rows, weights, decisions.arm, decisions.query)
            return
        if sure.any():
            yield self._by_doubles(
                round_number, rows[sure], weights.chosen(sure), decisions.arm[sure], decisions.query[sure]
            )
        self.decided_exactly += len(rows) - int(sure.sum())
        yield self._by_reference(round_number, rows[~sure], weights.chosen(~sure))

    def _by_doubles(
        self, round_number: int, rows: Integers, weights: Weights, arm: Integers, query: Booleans
    ) -> Stretches:
        """What the filter is sure of, and until when."""
        stop = np.full(len(rows), round_number + 1)
        asleep = ~query
        if asleep.any():
            stop[asleep] = self._wake_rounds(rows[asleep], arm[asleep], round_number)
        return Stretches(round_number, stop, rows, weights, arm, query)

    def _by_reference(self, round_number: int, rows: Integers, weights: Weights) -> Stretches:
        """What the reference says of each state; a random tie splits a state, and then it does not sleep."""
        origin: list[int] = []
        arms: list[int] = []
        queries: list[bool] = []
        shares: list[Rational] = []
        for position, row in enumerate(rows.tolist()):
            for decision, share in self._setting.branches(self.table.state(row), round_number):
                origin.append(position)
                arms.append(decision.arm - 1)
                queries.append(decision.query)
                shares.append(share)
        split = weights.chosen(np.array(origin, dtype=np.int64)).shared(shares)
        arm, query = np.array(arms), np.array(queries, dtype=np.bool_)
        stop = np.full(len(origin), round_number + 1)
        asleep = ~query & np.array([share == 1 for share in shares], dtype=np.bool_)
        if asleep.any():
            stop[asleep] = self._wake_rounds(rows[origin][asleep], arm[asleep], round_number)
        return Stretches(round_number, stop, rows[origin], split, arm, query)

    def _wake_rounds(self, rows: Integers, arm: Integers, round_number: int) -> Integers:
        """For states that play `arm` unqueried: the first later round in which that is not certain, or T + 1."""
        horizon = self.clock.horizon
        wake = np.full(len(rows), horizon + 1)
        asleep = np.arange(len(rows))
        start, reach = round_number + 1, 4
        while len(asleep) and start <= horizon:
            length = min(reach, horizon - start + 1, max(1, LOOKAHEAD // len(asleep)))
            rounds = np.tile(np.arange(start, start + length), len(asleep))
            ahead = self._judge.decide(np.repeat(rows[asleep], length, axis=0), rounds)
            unchanged = ahead.sure & ~ahead.query & (ahead.arm == np.repeat(arm[asleep], length))
            changed = ~unchanged.reshape(len(asleep), length)
            woken = changed.any(axis=1)
            wake[asleep[woken]] = start + np.argmax(changed[woken], axis=1)
            asleep = asleep[~woken]
            start, reach = start + length, reach * 4
        return wake

    # ---- moving and merging

    def _move(self, played: Stretches) -> None:
        for arm in range(self.clock.arms):
            here = played.query & (played.arm == arm)
            if not here.any():
                continue
            rows, weights = played.rows[here], played.weights.chosen(here)
            # Products of long integers are what a round costs: none by one, and none twice.
            products: dict[Rational, Weights] = {1: weights}
            for outcome, factor in enumerate(self._weighing.factors[arm]):
                moved = rows.copy()
                moved[:, arm] = self.table.successors(rows[:, arm], outcome)
                if factor not in products:
                    products[factor] = weights.times(factor)
                self._send(played.first + 1, moved, products[factor])
        resting = np.flatnonzero(~played.query)
        resting = resting[np.argsort(played.stop[resting], kind="stable")]
        wakes = played.stop[resting]
        for here in np.split(resting, np.flatnonzero(wakes[1:] != wakes[:-1]) + 1):
            if len(here):
                self._send(int(played.stop[here[0]]), played.rows[here], played.weights.chosen(here))

    def _send(self, round_number: int, rows: Integers, weights: Weights) -> None:
        self._waiting.setdefault(round_number, []).append((rows, weights))

    def _arrivals(self, round_number: int, recorder: Recorder) -> tuple[Integers, Weights]:
        """The states that decide in this round, each once, without the negligible ones."""
        parts = self._waiting.pop(round_number, [])
        if not parts:
            return np.zeros((0, self.clock.arms), dtype=np.int64), RationalWeights.of([])
        rows, weights = merged(parts, len(self.table))
        if len(weights) > MOST_STATES:
            raise TooManyStates(
                f"round {round_number} has {len(weights):,} states: shorten the horizon, or drop negligible mass"
            )
        if self._negligible and round_number <= self.clock.horizon:
            queries = self.table.queries[rows].sum(axis=1)
            thresholds = [self._negligible * self._weighing.base**count for count in range(int(queries.max()) + 1)]
            small = np.array(
                [weight < thresholds[made] for weight, made in zip(weights.listed(), queries.tolist(), strict=True)],
                dtype=np.bool_,
            )
            if small.any():
                recorder.dropped(queries[small], weights.chosen(small), round_number)
                rows, weights = rows[~small], weights.chosen(~small)
        return rows, weights


def merged(parts: Sequence[tuple[Integers, Weights]], numbers: int) -> tuple[Integers, Weights]:
    """Equal rows become one row with the sum of their weights; entries are below `numbers`."""
    rows = np.concatenate([part[0] for part in parts])
    weights = parts[0][1].joined([part[1] for part in parts[1:]])
    if len(weights) == 1:
        return rows, weights
    arms = rows.shape[1]
    places, groups = grouped([rows[:, arm] for arm in range(arms)], [numbers] * arms)
    return rows[places], weights.sums(groups, len(places))

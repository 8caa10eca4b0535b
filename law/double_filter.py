"""The rules on many states at once, in doubles with error bounds: a filter, never a judge.

Where doubles cannot tell, or where a tie must be broken by more than the smallest or largest arm number, the answer
is "not sure" and the reference decides. Error bounds are those of `bufalu.reference.exact` and `confidence`. Ties
cost nothing: histograms of the same class are exactly equal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bufalu.law.histograms import Booleans, Doubles, Histograms, Integers
from bufalu.law.round_values import RoundValues
from bufalu.reference.confidence import ConfidenceInterval
from bufalu.reference.exact import FILTER, ROUNDING, Exact, log_root, rational_form
from bufalu.reference.policies import Policy, RuleKind
from bufalu.reference.radicals import NormalForm
from bufalu.reference.rationals import Rational, nearest_float

SMALLEST, LARGEST, UNRESOLVED = "smallest", "largest", "unresolved"
"""How a tie is settled inside the filter: by arm number, or not at all."""

LARGEST_SHARE = 2**15
"""Shares with a larger denominator are not squared in machine words, which must also hold a count of queries."""


@dataclass(frozen=True)
class Decisions:
    """Arm index (from 0) and query of each row; only meaningful where `sure`."""

    arm: Integers
    query: Booleans
    sure: Booleans


class Batch:
    """Rows of histogram numbers, one column for each arm, each row with its own round.

    What belongs to an arm of a row is kept arm by arm, `mean[arm][row]`: arms are few and rows are many.
    """

    def __init__(self, double_filter: DoubleFilter, rows: Integers, rounds: Integers) -> None:
        table, clock = double_filter.table, double_filter.clock
        self.double_filter = double_filter
        self.rows = rows
        self.rounds = rounds
        self.size, self.arms = rows.shape
        self.index = np.arange(self.size)
        numbers = np.ascontiguousarray(rows.T)
        self.mean = table.mean[numbers]
        self.radius = table.slope[numbers] * clock.root[rounds] + table.curvature[numbers] * clock.growth[rounds]
        infinite = np.isinf(self.radius)
        self.lower = self.mean - self.radius
        self.upper = self.mean + self.radius
        self.error = np.where(infinite, 0.0, self.upper * FILTER)
        self.width = 2 * self.radius
        self.width_error = np.where(infinite, 0.0, self.width * FILTER)
        self.interval_class = table.interval_class[numbers]
        self.width_class = table.width_class[numbers]
        self.sure: Booleans = np.ones(self.size, dtype=np.bool_)

    def best(self, values: Doubles, errors: Doubles, classes: Integers, excluded: Integers | None = None) -> Integers:
        """The arm index of the largest value in each row, but for `excluded`; unsure rows are marked."""
        top = np.zeros(self.size, dtype=np.int64) if excluded is None else np.where(excluded == 0, 1, 0)
        largest = values[top, self.index]
        for arm in range(1, self.arms):
            larger = values[arm] > largest
            if excluded is not None:
                larger &= excluded != arm
            top = np.where(larger, arm, top)
            largest = np.where(larger, values[arm], largest)
        slack, alike = errors[top, self.index], classes[top, self.index]
        tied: list[Booleans] = []
        for arm in range(self.arms):
            equal = classes[arm] == alike
            beaten = equal | (largest - values[arm] > slack + errors[arm])
            if excluded is not None:
                equal &= excluded != arm
                beaten |= excluded == arm
            self.sure &= beaten
            tied.append(equal)
        return self._settle(tied)

    def wider(self, left: Integers, right: Integers) -> Integers:
        """The wider of two arms in each row."""
        gap = self.width[left, self.index] - self.width[right, self.index]
        slack = self.width_error[left, self.index] + self.width_error[right, self.index]
        equal = self.width_class[left, self.index] == self.width_class[right, self.index]
        self.sure &= equal | (np.abs(gap) > slack)
        if self.double_filter.settlement == UNRESOLVED:
            self.sure &= ~equal | (left == right)
        settled = np.minimum(left, right) if self.double_filter.settlement == SMALLEST else np.maximum(left, right)
        return np.where(equal, settled, np.where(gap > 0, left, right))

    def steered(self, leader: Integers, challenger: Integers) -> Integers:
        """The dial's candidate: the leader if its UCB is the larger and its width at least rho of the challenger's."""
        rho = nearest_float(self.double_filter.rho)
        gap = self.upper[leader, self.index] - self.upper[challenger, self.index]
        slack = self.error[leader, self.index] + self.error[challenger, self.index]
        alike = self.interval_class[leader, self.index] == self.interval_class[challenger, self.index]
        higher, lower = gap > slack, gap < -slack
        # rho is within half a unit in the last place of its double, and the product is rounded once.
        share = rho * self.width[challenger, self.index]
        width_gap = self.width[leader, self.index] - share
        width_slack = self.width_error[leader, self.index] + (
            rho * self.width_error[challenger, self.index] * (1 + 2.0**-40) + share * (2 * ROUNDING)
        )
        wide, narrow = width_gap > width_slack, width_gap < -width_slack
        equal = self._in_proportion(leader, challenger)
        if self.double_filter.rho == 0:
            wide, narrow = np.ones(self.size, dtype=np.bool_), np.zeros(self.size, dtype=np.bool_)
        # Either reason against the leader is enough; for it, both must be known, and where one is a tie both may be taken.
        against = (lower & ~alike) | (narrow & ~equal)
        known = against | ((higher | alike) & (wide | equal))
        tied = known & ~against & (alike | equal)
        self.sure &= known
        if self.double_filter.settlement == UNRESOLVED:
            self.sure &= ~tied
        settle = np.minimum if self.double_filter.settlement == SMALLEST else np.maximum
        return np.where(tied, settle(leader, challenger), np.where(against, challenger, leader))

    def _in_proportion(self, leader: Integers, challenger: Integers) -> Booleans:
        """Where the leader's width is known to be rho times the challenger's, exactly and in every round."""
        rho, table = self.double_filter.rho, self.double_filter.table
        if rho == 1:
            alike: Booleans = self.width_class[leader, self.index] == self.width_class[challenger, self.index]
            return alike
        offset = self.double_filter.root_offset
        if offset is None or not 0 < rho.numerator < rho.denominator < LARGEST_SHARE:
            return np.zeros(self.size, dtype=np.bool_)
        # Widths are as 1 / sqrt(n - offset): the counts are as the squares.
        counts = table.queries[self.rows] - offset
        mine, theirs = counts[self.index, leader], counts[self.index, challenger]
        proportional: Booleans = rho.numerator**2 * mine == rho.denominator**2 * theirs
        return proportional & (mine > 0) & (theirs > 0)

    def _settle(self, tied: list[Booleans]) -> Integers:
        """One of the tied arms of each row, in which there is at least one; unsure rows are marked."""
        if self.double_filter.settlement == UNRESOLVED:
            self.sure &= np.sum(tied, axis=0) == 1
        everyone = range(self.arms)
        settled = np.zeros(self.size, dtype=np.int64)
        # What comes last stays: the largest arm of all, or the smallest.
        for arm in everyone if self.double_filter.settlement == LARGEST else reversed(everyone):
            settled = np.where(tied[arm], arm, settled)
        return settled

    def separated(self, challenger: Integers, leader: Integers) -> Booleans:
        """Whether UCB(challenger) <= LCB(leader)."""
        gap = self.lower[leader, self.index] - self.upper[challenger, self.index]
        slack = self.error[leader, self.index] + self.error[challenger, self.index]
        self.sure &= np.abs(gap) > slack
        return gap > 0

    def within(self, candidate: Integers, leader: Integers) -> Booleans:
        """Whether UCB(candidate) - LCB(leader) <= epsilon."""
        alike = self.interval_class[candidate, self.index] == self.interval_class[leader, self.index]
        spread = self.upper[candidate, self.index] - self.lower[leader, self.index]
        error = (self.error[candidate, self.index] + self.error[leader, self.index]) * (1 + 2.0**-40)
        error = np.where(np.isinf(spread), 0.0, error + np.abs(spread) * ROUNDING)
        answer, certain = self._below_epsilon(spread, error)
        # Arms with the same interval, in particular one and the same arm: the spread is a width.
        narrow, narrow_certain = self._narrow(candidate, alike & ~certain)
        self.sure &= certain | narrow_certain
        return np.where(certain, answer, narrow)

    def narrow(self, candidate: Integers) -> Booleans:
        """Whether CI(candidate) <= epsilon."""
        answer, certain = self._below_epsilon(
            self.width[candidate, self.index], self.width_error[candidate, self.index]
        )
        exact, exact_certain = self._narrow(candidate, ~certain)
        self.sure &= certain | exact_certain
        return np.where(certain, answer, exact)

    def _below_epsilon(self, values: Doubles, errors: Doubles) -> tuple[Booleans, Booleans]:
        clock = self.double_filter.clock
        gap = clock.epsilon[self.rounds] - values
        return gap > 0, np.abs(gap) > errors + clock.epsilon_error[self.rounds]

    def _narrow(self, candidate: Integers, wanted: Booleans) -> tuple[Booleans, Booleans]:
        """Width against epsilon without doubles, for the wanted rows: budget schedules aim at this tie."""
        answer: Booleans = np.zeros(self.size, dtype=np.bool_)
        for row in np.flatnonzero(wanted).tolist():
            answer[row] = self.double_filter.narrow(int(self.rows[row, candidate[row]]), int(self.rounds[row]))
        return answer, wanted

    def spent(self) -> Booleans:
        """Whether greedy's effective budget is spent: 6 K ln t < (B^q - K + 1) epsilon^2."""
        queries = self.double_filter.table.queries[self.rows].sum(axis=1)
        pairs, inverse = np.unique(np.stack([queries, self.rounds], axis=1), axis=0, return_inverse=True)
        verdicts: Booleans = np.array(
            [self.double_filter.spent(made, now) for made, now in pairs.tolist()], dtype=np.bool_
        )
        return verdicts[inverse.reshape(-1)]


class DoubleFilter:
    """The filter of one policy: decides rows in doubles and says where it is sure."""

    def __init__(
        self, policy: Policy, confidence: ConfidenceInterval, table: Histograms, clock: RoundValues, settlement: str
    ) -> None:
        self.table = table
        self.clock = clock
        self.settlement = settlement
        self.rho: Rational = 1 if policy.steering is None else policy.steering
        self.root_offset = _root_offset(confidence)
        self._confidence = confidence
        # An interval without doubles, or a rule that is not known here, leaves every decision to the reference.
        self._rule = None if policy.kind is None or confidence.shape is None else RULES.get(policy.kind)
        self._narrow: dict[tuple[int, int], bool] = {}
        self._spent: dict[tuple[int, int], bool] = {}

    def decide(self, rows: Integers, rounds: Integers) -> Decisions:
        """The decisions in rounds t > K, one for each row."""
        # Infinity minus infinity is met on purpose: it is never larger than an error, so the row is not sure.
        if self._rule is None:
            nothing = np.zeros(len(rows), dtype=np.bool_)
            return Decisions(np.zeros(len(rows), dtype=np.int64), nothing, nothing)
        with np.errstate(invalid="ignore"):
            return self._rule(Batch(self, rows, rounds))

    def narrow(self, number: int, round_number: int) -> bool:
        """CI(histogram) <= epsilon(t), exactly; remembered for its width class."""
        key = (int(self.table.width_class[number]), round_number)
        if key not in self._narrow:
            record = self.table.records[number]
            if record.queries < self._confidence.needed_queries:
                self._narrow[key] = False
            else:
                variance = record.exact_variance() if self._confidence.uses_variance else 0
                form = self._confidence.radius_form(record.queries, variance, round_number)
                self._narrow[key] = _unfiltered(rational_form(2).times(form)) <= self.clock.epsilons[round_number]
        return self._narrow[key]

    def spent(self, queries: int, round_number: int) -> bool:
        """6 K ln t < (B^q - K + 1) epsilon(t)^2, exactly."""
        key = (queries, round_number)
        if key not in self._spent:
            epsilon = self.clock.epsilons[round_number]
            allowance = Exact.of(6 * self.clock.arms) * log_root(round_number, 2)
            self._spent[key] = allowance < Exact.of(queries - self.clock.arms + 1) * epsilon * epsilon
        return self._spent[key]


def _root_offset(confidence: ConfidenceInterval) -> int | None:
    """The offset of an interval whose radius is a single root without a variance; None for any other."""
    if confidence.shape is None or len(confidence.shape.terms) != 1:
        return None
    (term,) = confidence.shape.terms
    return term.offset if term.rooted and not term.uses_variance else None


def _unfiltered(form: NormalForm) -> Exact:
    """A number without a double: every comparison goes to the exact path."""
    return Exact(0.0, np.inf, form)


def _of_two(batch: Batch, of_two: Callable[[Integers, Integers], Integers]) -> Decisions:
    """BuFALU and the dial: they differ in which of leader and challenger is the candidate."""
    leader = batch.best(batch.lower, batch.error, batch.interval_class)
    if batch.arms == 1:
        return Decisions(leader, np.zeros(batch.size, dtype=np.bool_), batch.sure)
    challenger = batch.best(batch.upper, batch.error, batch.interval_class, excluded=leader)
    candidate = of_two(leader, challenger)
    query = ~(batch.separated(challenger, leader) | batch.within(candidate, leader))
    return Decisions(np.where(query, candidate, leader), query, batch.sure)


def _bufalu(batch: Batch) -> Decisions:
    return _of_two(batch, batch.wider)


def _bufau(batch: Batch) -> Decisions:
    leader = batch.best(batch.lower, batch.error, batch.interval_class)
    candidate = batch.best(batch.upper, batch.error, batch.interval_class)
    if batch.arms == 1:
        return Decisions(leader, np.zeros(batch.size, dtype=np.bool_), batch.sure)
    challenger = batch.best(batch.upper, batch.error, batch.interval_class, excluded=leader)
    query = ~(batch.separated(challenger, leader) | batch.within(candidate, leader))
    return Decisions(np.where(query, candidate, leader), query, batch.sure)


def _dial(batch: Batch) -> Decisions:
    return _of_two(batch, batch.steered)


def _cbm_ucb(batch: Batch) -> Decisions:
    candidate = batch.best(batch.upper, batch.error, batch.interval_class)
    query = ~batch.narrow(candidate)
    return Decisions(candidate, query, batch.sure)


def _ucb(batch: Batch) -> Decisions:
    candidate = batch.best(batch.upper, batch.error, batch.interval_class)
    return Decisions(candidate, np.ones(len(candidate), dtype=np.bool_), batch.sure)


def _greedy(batch: Batch) -> Decisions:
    spent = batch.spent()
    table = batch.double_filter.table
    numbers = batch.rows.T
    means = table.plain_mean[numbers]
    # Which of the two choices matters depends on the row, and only that one has to be sure.
    surely = batch.sure.copy()
    favourite = batch.best(means, means * ROUNDING, table.mean_class[numbers])
    sure_favourite, batch.sure = batch.sure, surely
    candidate = batch.best(batch.upper, batch.error, batch.interval_class)
    sure = np.where(spent, sure_favourite, batch.sure)
    return Decisions(np.where(spent, favourite, candidate), ~spent, sure)


RULES: dict[RuleKind, Callable[[Batch], Decisions]] = {
    RuleKind.WIDER_OF_LEADER_AND_CHALLENGER: _bufalu,
    RuleKind.LARGEST_UCB_AGAINST_LEADER: _bufau,
    RuleKind.LARGEST_UCB_BY_WIDTH: _cbm_ucb,
    RuleKind.LARGEST_UCB_BY_BUDGET: _greedy,
    RuleKind.LARGEST_UCB: _ucb,
    RuleKind.DIAL: _dial,
}

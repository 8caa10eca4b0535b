"""What a decision rule sees at the start of a round, generic over the ordered numbers that it compares."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Protocol, Self, TypeVar

from bufalu.reference.confidence import ConfidenceInterval
from bufalu.reference.exact import FILTER, MINUS_INFINITY, PLUS_INFINITY, Exact, log_root, rational_form
from bufalu.reference.radicals import NormalForm
from bufalu.reference.rationals import Rational
from bufalu.reference.state import ArmRecord, State


class Number(Protocol):
    """An ordered number: exact, floating, rational or symbolic. `<` and `<=` must be usable as conditions."""

    def __lt__(self, other: Self, /) -> bool: ...
    def __le__(self, other: Self, /) -> bool: ...
    def __sub__(self, other: Self, /) -> Self: ...
    def __mul__(self, other: Self, /) -> Self: ...


N = TypeVar("N", bound=Number)
N_co = TypeVar("N_co", bound=Number, covariant=True)


class View(Protocol[N_co]):
    """Everything a rule may look at in round t: K, t, epsilon(t) and the intervals of the arms."""

    @property
    def round(self) -> int:
        """t, from 1."""

    @property
    def arms(self) -> int:
        """K; the arms are 1..K."""

    @property
    def epsilon(self) -> N_co:
        """epsilon(t)."""

    def lcb(self, arm: int, /) -> N_co:
        """LCB_t(a)."""

    def ucb(self, arm: int, /) -> N_co:
        """UCB_t(a)."""

    def width(self, arm: int, /) -> N_co:
        """CI_t(a) = UCB_t(a) - LCB_t(a)."""

    def mean(self, arm: int, /) -> N_co:
        """The empirical mean of the queried rewards."""

    def overspend(self) -> N_co:
        """B^q(t-1) - K + 1, what greedy compares with its budget."""

    def six_k_log(self) -> N_co:
        """6 K ln t, the numerator of greedy's budget (l.1426)."""


class ExactView:
    """The view of a real state in exact numbers. Doubles are computed at once; exact forms are built on demand."""

    __slots__ = ("_all_queries", "_confidence", "_lower", "_radii", "_records", "_upper", "arms", "epsilon", "round")

    def __init__(self, state: State, confidence: ConfidenceInterval, round_number: int, epsilon: Exact) -> None:
        self.round = round_number
        self.arms = state.arms
        self.epsilon = epsilon
        self._all_queries = state.all_queries
        self._records = tuple(state.records)
        self._confidence = confidence
        self._radii: list[float] = []
        self._lower: list[Exact] = []
        self._upper: list[Exact] = []
        clock = confidence.clock(round_number)
        for record in self._records:
            doubles = record.doubles
            if doubles is None or doubles[0] is not confidence:
                doubles = _doubles(record, confidence)
            if doubles is None:
                self._radii.append(math.inf)
                self._lower.append(MINUS_INFINITY)
                self._upper.append(PLUS_INFINITY)
                continue
            _, mean, slope, curvature = doubles
            radius = slope * clock.root + curvature * clock.log
            error = (mean + radius) * FILTER
            source = (confidence, round_number, record)
            self._radii.append(radius)
            self._lower.append(Exact(mean - radius, error, (_lower_form, source)))
            self._upper.append(Exact(mean + radius, error, (_upper_form, source)))

    def lcb(self, arm: int) -> Exact:
        """LCB_t(a): mean minus radius; -infinity with too few queries (l.1133, l.1210)."""
        return self._lower[arm - 1]

    def ucb(self, arm: int) -> Exact:
        """UCB_t(a): mean plus radius; +infinity with too few queries."""
        return self._upper[arm - 1]

    def width(self, arm: int) -> Exact:
        """CI_t(a): twice the radius; +infinity with too few queries."""
        radius = self._radii[arm - 1]
        if radius == math.inf:
            return PLUS_INFINITY
        record, confidence = self._records[arm - 1], self._confidence
        # Without a variance in the source, two arms with equal counts tie at a glance.
        variance = record.exact_variance() if confidence.uses_variance else 0
        source = (confidence, self.round, record.queries, variance)
        return Exact(2 * radius, 2 * radius * FILTER, (_width_form, source))

    def mean(self, arm: int) -> Exact:
        """The empirical mean of the queried rewards."""
        return Exact.of(self._records[arm - 1].exact_mean())

    def overspend(self) -> Exact:
        """B^q(t-1) - K + 1."""
        return Exact.of(self._all_queries - self.arms + 1)

    def six_k_log(self) -> Exact:
        """6 K ln t."""
        return Exact.of(6 * self.arms) * log_root(self.round, 2)


def maximisers(arms: Sequence[int], value: Callable[[int], N]) -> list[int]:
    """All arms among `arms` with the largest `value`, in the given order; empty for no arms."""
    if not arms:
        return []
    remaining = iter(arms)
    tied = [next(remaining)]
    best = value(tied[0])
    for arm in remaining:
        contender = value(arm)
        if contender < best:
            continue
        if best < contender:
            tied = []
            best = contender
        tied.append(arm)
    return tied


def _doubles(record: ArmRecord, confidence: ConfidenceInterval) -> tuple[object, float, float, float] | None:
    """The doubles of mean, a and b that the filter uses, after the interval that a and b belong to: a record may be
    looked at through several. None for an infinite interval.
    """
    if record.queries < confidence.needed_queries:
        return None
    slope, curvature = confidence.coefficients(record)
    mean = record.total.numerator / (record.total.denominator * record.queries)
    record.doubles = (confidence, mean, slope, curvature)
    return record.doubles


def _interval_forms(
    confidence: ConfidenceInterval, round_number: int, record: ArmRecord
) -> tuple[NormalForm, NormalForm]:
    variance = record.exact_variance() if confidence.uses_variance else 0
    radius = confidence.radius_form(record.queries, variance, round_number)
    return rational_form(record.exact_mean()), radius


def _lower_form(confidence: ConfidenceInterval, round_number: int, record: ArmRecord) -> NormalForm:
    mean, radius = _interval_forms(confidence, round_number, record)
    return mean.minus(radius)


def _upper_form(confidence: ConfidenceInterval, round_number: int, record: ArmRecord) -> NormalForm:
    mean, radius = _interval_forms(confidence, round_number, record)
    return mean.plus(radius)


def _width_form(confidence: ConfidenceInterval, round_number: int, queries: int, variance: Rational) -> NormalForm:
    return rational_form(2).times(confidence.radius_form(queries, variance, round_number))

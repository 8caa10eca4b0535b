"""What a decision rule sees at the start of a round, generic over the ordered numbers that it compares."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Protocol, Self, TypeVar

from bufalu.reference.confidence import ConfidenceInterval
from bufalu.reference.exact import FILTER, MINUS_INFINITY, PLUS_INFINITY, Deferred, Exact, log_root, rational_form
from bufalu.reference.radicals import Form
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
        """6 K ln t, the numerator of greedy's budget (l.1424)."""


class ExactView:
    """The view of a real state in exact numbers. Doubles are at hand for every arm; exact forms are built on demand."""

    __slots__ = ("_all_queries", "_confidence", "_means", "_radii", "_records", "arms", "epsilon", "round")

    def __init__(self, state: State, confidence: ConfidenceInterval, round_number: int, epsilon: Exact) -> None:
        self.round = round_number
        self.arms = state.arms
        self.epsilon = epsilon
        self._all_queries = state.all_queries
        self._records = tuple(state.records)
        self._confidence = confidence
        self._means: list[float] = []
        self._radii: list[float] = []
        clock = confidence.clock(round_number)
        for record in self._records:
            doubles = record.doubles
            if doubles is None or doubles[0] is not confidence:
                doubles = _doubles(record, confidence)
            _, mean, slope, curvature = doubles
            self._means.append(mean)
            self._radii.append(slope * clock.root + curvature * clock.log)

    def lcb(self, arm: int) -> Exact:
        """LCB_t(a): mean minus radius; -infinity with too few queries (l.1133, l.1209)."""
        radius = self._radii[arm - 1]
        if radius == math.inf:
            return MINUS_INFINITY
        mean = self._means[arm - 1]
        source = (self._confidence, self.round, self._records[arm - 1])
        return Exact(mean - radius, (mean + radius) * FILTER, (_lower_form, source))

    def ucb(self, arm: int) -> Exact:
        """UCB_t(a): mean plus radius; +infinity with too few queries."""
        radius = self._radii[arm - 1]
        if radius == math.inf:
            return PLUS_INFINITY
        bound = self._means[arm - 1] + radius
        source = (self._confidence, self.round, self._records[arm - 1])
        return Exact(bound, bound * FILTER, (_upper_form, source))

    def width(self, arm: int) -> Exact:
        """CI_t(a): twice the radius; +infinity with too few queries."""
        radius = self._radii[arm - 1]
        if radius == math.inf:
            return PLUS_INFINITY
        return Exact(
            2 * radius, 2 * radius * FILTER, _width_source(self._confidence, self.round, self._records[arm - 1])
        )

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
    tied = [arms[0]]
    best = value(arms[0])
    for arm in arms[1:]:
        contender = value(arm)
        if contender < best:
            continue
        if best < contender:
            tied = []
            best = contender
        tied.append(arm)
    return tied


def _doubles(record: ArmRecord, confidence: ConfidenceInterval) -> tuple[object, float, float, float]:
    """The doubles of mean, a and b that the filter uses, after the interval that a and b belong to: a record may be
    looked at through several. An infinite slope stands for an infinite interval.
    """
    if record.queries < confidence.needed_queries:
        # Not kept: at t = 1 an infinite slope would meet ln 1 = 0, and no rule looks at an interval before t = K + 1.
        return confidence, 0.0, math.inf, 0.0
    slope, curvature = confidence.coefficients(record)
    mean = record.total.numerator / (record.total.denominator * record.queries)
    record.doubles = (confidence, mean, slope, curvature)
    return record.doubles


def _interval_forms(confidence: ConfidenceInterval, round_number: int, record: ArmRecord) -> tuple[Form, Form]:
    variance = record.exact_variance() if confidence.uses_variance else 0
    radius = confidence.radius_form(record.queries, variance, round_number)
    return rational_form(record.exact_mean()), radius


def _lower_form(confidence: ConfidenceInterval, round_number: int, record: ArmRecord) -> Form:
    mean, radius = _interval_forms(confidence, round_number, record)
    return mean.minus(radius)


def _upper_form(confidence: ConfidenceInterval, round_number: int, record: ArmRecord) -> Form:
    mean, radius = _interval_forms(confidence, round_number, record)
    return mean.plus(radius)


def _width_form(confidence: ConfidenceInterval, round_number: int, queries: int, variance: Rational) -> Form:
    return rational_form(2).times(confidence.radius_form(queries, variance, round_number))


def _width_source(confidence: ConfidenceInterval, round_number: int, record: ArmRecord) -> Deferred:
    """The deferred width: two arms with equal counts tie at a glance where the variance plays no role."""
    variance = record.exact_variance() if confidence.uses_variance else 0
    return _width_form, (confidence, round_number, record.queries, variance)

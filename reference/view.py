"""What a decision rule sees at the start of a round, generic over the ordered numbers that it compares."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
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
    """Everything a rule may look at in round t: K, t, epsilon(t), ln t, the queries so far and the intervals."""

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

    def all_queries(self) -> N_co:
        """B^q(t-1), the queries of all arms before this round."""

    def log(self) -> N_co:
        """ln t."""

    def number(self, value: Rational, /) -> N_co:
        """A rational constant as a number of this view."""


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
        # The hottest loop of the reference, hence the local names: a round of a run is little more than this.
        radii: list[float | None] = []
        lower: list[Exact] = []
        upper: list[Exact] = []
        shape, needed = confidence.shape, confidence.needed_queries
        root, growth = (math.nan, math.nan) if shape is None else shape.growth.doubles(round_number)
        for record in self._records:
            if record.queries < needed:
                radii.append(math.inf)
                lower.append(MINUS_INFINITY)
                upper.append(PLUS_INFINITY)
                continue
            source = (confidence, round_number, record)
            doubles = record.doubles
            if doubles is None or doubles[0] is not confidence:
                doubles = _doubles(record, confidence)
            if doubles is None:
                # No safe doubles: an infinite error sends every comparison to the exact path.
                radii.append(None)
                lower.append(Exact(0.0, math.inf, (_lower_form, source)))
                upper.append(Exact(0.0, math.inf, (_upper_form, source)))
                continue
            _, mean, slope, curvature = doubles
            radius = slope * root + curvature * growth
            high = mean + radius
            error = high * FILTER
            radii.append(radius)
            lower.append(Exact(mean - radius, error, (_lower_form, source)))
            upper.append(Exact(high, error, (_upper_form, source)))
        self._radii, self._lower, self._upper = radii, lower, upper

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
        # Without its rewards in the source, two arms with equal counts tie at a glance.
        seen = record if confidence.uses_variance else record.queries
        source = (confidence, self.round, seen)
        if radius is None:
            return Exact(0.0, math.inf, (_width_form, source))
        return Exact(2 * radius, 2 * radius * FILTER, (_width_form, source))

    def mean(self, arm: int) -> Exact:
        """The empirical mean of the queried rewards."""
        return Exact.of(self._records[arm - 1].exact_mean())

    def all_queries(self) -> Exact:
        """B^q(t-1)."""
        return Exact.of(self._all_queries)

    def log(self) -> Exact:
        """ln t."""
        return log_root(self.round, 2)

    def number(self, value: Rational) -> Exact:
        """A rational constant."""
        return Exact.of(value)

    def same_interval_key(self, arm: int) -> Hashable:
        """Arms with equal keys have the same interval in this round; all infinite ones have one key."""
        record, confidence = self._records[arm - 1], self._confidence
        if record.queries < confidence.needed_queries:
            return None
        return (record.queries, record.total, record.squares if confidence.uses_variance else 0)


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
    """The doubles of mean, slope and curvature that the filter uses, after the interval that they belong to: a record
    may be looked at through several. None where there are no safe ones.
    """
    coefficients = None if confidence.shape is None else confidence.shape.coefficients(record)
    if coefficients is None:
        return None
    mean = record.total.numerator / (record.total.denominator * record.queries)
    record.doubles = (confidence, mean, *coefficients)
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


def _width_form(confidence: ConfidenceInterval, round_number: int, seen: ArmRecord | int) -> NormalForm:
    queries, variance = (seen, 0) if isinstance(seen, int) else (seen.queries, seen.exact_variance())
    return rational_form(2).times(confidence.radius_form(queries, variance, round_number))

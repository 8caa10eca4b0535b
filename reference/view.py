"""What a decision rule sees at the start of a round, generic over the ordered numbers that it compares."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, Protocol, Self, TypeAlias, TypeVar

from bufalu.reference.confidence import ConfidenceInterval
from bufalu.reference.errors import NoCounts
from bufalu.reference.exact import FILTER, MINUS_INFINITY, PLUS_INFINITY, Exact, log_root, rational_form
from bufalu.reference.radicals import NormalForm
from bufalu.reference.radius_shapes import pair_radius
from bufalu.reference.rationals import Rational
from bufalu.reference.state import ArmRecord, State


class Number(Protocol):
    """An ordered number: exact, floating, rational or symbolic. `<` and `<=` must be usable as conditions."""

    def __lt__(self, other: Self, /) -> bool: ...
    def __le__(self, other: Self, /) -> bool: ...
    def __sub__(self, other: Self, /) -> Self: ...
    def __mul__(self, other: Self, /) -> Self: ...


_ERROR = 2 * FILTER
"""Of mean + radius: covers both bounds of an interval, and its width."""
_INFINITE = math.inf

_Origin: TypeAlias = tuple[ConfidenceInterval, int, Sequence[ArmRecord], list[float]]
"""What the quantities of a round share: the interval, the round, the records of the arms, the errors of their doubles."""

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

    def queries(self, arm: int, /) -> N_co:
        """n^q(a), the rewards of this arm that are known."""

    def pair_radius(self, arm: int, other: int, spread: int, /) -> N_co:
        """How far the difference of the means of two arms may be off: the radius of the pair rule (docs/pairs.md)."""

    def all_queries(self) -> N_co:
        """B^q(t-1), the queries of all arms before this round."""

    def log(self) -> N_co:
        """ln t."""

    def number(self, value: Rational, /) -> N_co:
        """A rational constant as a number of this view."""


class Quantity:
    """LCB, UCB or width of every arm in one round: doubles with their errors at once, exact numbers on demand."""

    __slots__ = ("_by_record", "_doubles", "_form", "_known", "_margin", "_origin")

    def __init__(
        self, doubles: list[float], margin: float, form: Callable[..., NormalForm], by_record: bool, origin: _Origin
    ) -> None:
        self._doubles = doubles
        self._margin = margin
        self._form = form
        self._by_record = by_record
        self._origin = origin
        self._known: dict[int, NormalForm] | None = None

    def __call__(self, arm: int, /) -> Exact:
        """The quantity of this arm, exactly."""
        double = self._doubles[arm]
        if _INFINITE > double > -_INFINITE:
            return Exact(double, self._origin[3][arm], (_form_of, (self, arm)))
        return PLUS_INFINITY if double > 0 else MINUS_INFINITY

    def form(self, arm: int) -> NormalForm:
        """The exact form of this arm's quantity, which is finite; built once, since rules ask again and again."""
        if self._known is None:
            self._known = {}
        if arm not in self._known:
            confidence, round_number, records, _ = self._origin
            self._known[arm] = self._form(confidence, round_number, records[arm - 1])
        return self._known[arm]

    def shortlist(self, arms: Sequence[int]) -> list[int]:
        """The arms that doubles cannot rule out of the maximum, in the given order: every maximiser is among them.

        An arm is ruled out where its double is below another by three times the largest error: by more than the two errors
        that `Exact` asks for, and the rounding of the difference, which is less than any error but 0.
        """
        doubles, margin = self._doubles, self._margin
        found = [arms[0]]
        top = doubles[arms[0]]
        for arm in arms[1:]:
            gap = doubles[arm] - top
            if gap > margin:
                found, top = [arm], doubles[arm]
            elif not gap < -margin:  # infinity minus infinity is no number: nobody is ruled out
                found.append(arm)
                if gap > 0:
                    top = doubles[arm]
        return found

    def alike(self, arms: Sequence[int]) -> bool:
        """Whether the quantity is made of the same numbers for all these arms: they tie at a glance.

        Where rewards do not matter, equal counts are enough.
        """
        records = self._origin[2]
        model = records[arms[0] - 1]
        queries, by_record = model.queries, self._by_record
        for arm in arms:
            record = records[arm - 1]
            if record.queries != queries or (by_record and record != model):
                return False
        return True


class ExactView:
    """The view of a real state in exact numbers. Doubles are computed at once; exact forms are built on demand."""

    __slots__ = (
        "_all_queries",
        "_confidence",
        "_records",
        "arms",
        "epsilon",
        "lcb",
        "round",
        "ucb",
        "width",
    )

    def __init__(self, state: State, confidence: ConfidenceInterval, round_number: int, epsilon: Exact) -> None:
        self.round = round_number
        self.arms = state.arms
        self.epsilon = epsilon
        self._all_queries = state.all_queries
        self._records = tuple(state.records)
        self._confidence = confidence
        # The hottest loop of the reference, hence the local names: a round of a run is little more than this.
        lower, upper, widths, errors = [0.0], [0.0], [0.0], [0.0]  # arms are numbered from 1
        shape, needed = confidence.shape, confidence.needed_queries
        root, growth = (math.nan, math.nan) if shape is None else shape.growth.doubles(round_number)
        for record in self._records:
            if record.queries < needed:
                lower.append(-math.inf)
                upper.append(math.inf)
                widths.append(math.inf)
                errors.append(0.0)
                continue
            doubles = record.doubles
            if doubles is None or doubles[0] is not confidence:
                doubles = _doubles(record, confidence)
            if doubles is None:
                # No safe doubles: an infinite error sends every comparison to the exact path.
                lower.append(0.0)
                upper.append(0.0)
                widths.append(0.0)
                errors.append(math.inf)
                continue
            _, mean, slope, curvature = doubles
            radius = slope * root + curvature * growth
            high = mean + radius
            lower.append(mean - radius)
            upper.append(high)
            widths.append(2 * radius)
            # A width is two radii, and no radius is larger than `high`.
            errors.append(high * _ERROR)
        origin, margin = (confidence, round_number, self._records, errors), 3 * max(errors)
        self.lcb = Quantity(lower, margin, _lower_form, True, origin)
        """LCB_t(a): mean minus radius; -infinity with too few queries (l.1133, l.1210)."""
        self.ucb = Quantity(upper, margin, _upper_form, True, origin)
        """UCB_t(a): mean plus radius; +infinity with too few queries."""
        self.width = Quantity(widths, margin, _width_form, confidence.uses_variance, origin)
        """CI_t(a): twice the radius; +infinity with too few queries."""

    def mean(self, arm: int) -> Exact:
        """The empirical mean of the queried rewards."""
        record = self._records[arm - 1]
        if record.mean is None:
            record.mean = Exact.of(record.exact_mean())
        return record.mean

    def queries(self, arm: int) -> Exact:
        """n^q(a)."""
        return Exact.of(self._records[arm - 1].queries)

    def pair_radius(self, arm: int, other: int, spread: int) -> Exact:
        """The radius of two arms together; +infinity if one of them has no answers."""
        return pair_radius(self.round, self._records[arm - 1].queries, self._records[other - 1].queries, spread)

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

    def same_answers_key(self, arm: int) -> Hashable:
        """Arms with equal keys have as many answers, and the same sum of them."""
        return (self._records[arm - 1].queries, self._records[arm - 1].total)


class WithoutCounts(Generic[N]):
    """Part of a view whose intervals are given, not made of answers: a rule that asks for counts is refused."""

    def queries(self, arm: int, /) -> N:
        """Raises `NoCounts`."""
        raise NoCounts("this view has intervals that are given, and no numbers of answers")

    def pair_radius(self, arm: int, other: int, spread: int, /) -> N:
        """Raises `NoCounts`."""
        return self.queries(arm)


def _form_of(quantity: Quantity, arm: int) -> NormalForm:
    return quantity.form(arm)


def maximisers(arms: Sequence[int], value: Callable[[int], N]) -> list[int]:
    """All arms among `arms` with the largest `value`, in the given order; empty for no arms."""
    if not arms:
        return []
    if isinstance(value, Quantity):
        arms = value.shortlist(arms)
        if len(arms) == 1 or value.alike(arms):
            return arms
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


def _width_form(confidence: ConfidenceInterval, round_number: int, record: ArmRecord) -> NormalForm:
    _, radius = _interval_forms(confidence, round_number, record)
    return rational_form(2).times(radius)

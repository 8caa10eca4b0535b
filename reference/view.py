"""What a decision rule sees at the start of a round, generic over the ordered numbers that it compares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, Self, TypeVar

from bufalu.reference.confidence import Clock, ConfidenceInterval, half_width
from bufalu.reference.exact import FILTER, MINUS_INFINITY, PLUS_INFINITY, Exact, log_root
from bufalu.reference.radicals import Form
from bufalu.reference.state import State


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
    """The view of a real state in exact numbers."""

    __slots__ = ("_clock", "_confidence", "_radii", "_state", "arms", "epsilon", "round")

    def __init__(self, state: State, confidence: ConfidenceInterval, round_number: int, epsilon: Exact) -> None:
        self.round = round_number
        self.arms = state.arms
        self.epsilon = epsilon
        self._state = state
        self._confidence = confidence
        self._clock = Clock(round_number)
        self._radii: dict[int, Exact] = {}

    def lcb(self, arm: int) -> Exact:
        """LCB_t(a): mean minus radius."""
        radius = self.radius(arm)
        if radius is PLUS_INFINITY:
            return MINUS_INFINITY
        mean = self._state.records[arm - 1].mean or self.mean(arm)
        # mean - radius is off by less than 20 u (mean + radius), see confidence.py.
        error = (mean.approximation + radius.approximation) * FILTER
        return Exact(mean.approximation - radius.approximation, error, (_bound_form, (mean, radius, -1)))

    def ucb(self, arm: int) -> Exact:
        """UCB_t(a): mean plus radius."""
        radius = self.radius(arm)
        if radius is PLUS_INFINITY:
            return PLUS_INFINITY
        mean = self._state.records[arm - 1].mean or self.mean(arm)
        approximation = mean.approximation + radius.approximation
        return Exact(approximation, approximation * FILTER, (_bound_form, (mean, radius, 1)))

    def width(self, arm: int) -> Exact:
        """CI_t(a): twice the radius."""
        radius = self.radius(arm)
        return radius + radius

    def mean(self, arm: int) -> Exact:
        """The empirical mean of the queried rewards."""
        record = self._state.records[arm - 1]
        if record.mean is None:
            record.mean = Exact.of(record.exact_mean())
        return record.mean

    def radius(self, arm: int) -> Exact:
        """Half of CI_t(a)."""
        radius = self._radii.get(arm)
        if radius is None:
            radius = self._radii[arm] = half_width(self._confidence, self._state.records[arm - 1], self._clock)
        return radius

    def overspend(self) -> Exact:
        """B^q(t-1) - K + 1."""
        return Exact.of(self._state.all_queries - self.arms + 1)

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


def _bound_form(mean: Exact, radius: Exact, sign: int) -> Form:
    shifted = radius.form()
    return mean.form().plus(shifted) if sign > 0 else mean.form().minus(shifted)

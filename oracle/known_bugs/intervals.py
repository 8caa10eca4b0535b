"""The intervals of the known bugs: the right ones, and wrong ones computed in doubles as a program would (the double is then
the exact radius).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Protocol

from bufalu.reference.confidence import ConfidenceInterval
from bufalu.reference.exact import Exact, rational_form
from bufalu.reference.radicals import NormalForm
from bufalu.reference.rationals import nearest_float
from bufalu.reference.state import ArmRecord


class Interval(Protocol):
    """Gives half the width of an arm's interval; infinite below `needed_queries`."""

    @property
    def needed_queries(self) -> int:
        """The smallest number of queries with a finite interval."""

    def radius(self, record: ArmRecord, round_number: int) -> Exact:
        """Half of CI_t(a) for an arm with enough queries."""


@dataclass(frozen=True)
class RightInterval:
    """An interval of the reference, exact."""

    confidence: ConfidenceInterval

    @property
    def needed_queries(self) -> int:
        """The smallest number of queries with a finite interval."""
        return self.confidence.needed_queries

    def radius(self, record: ArmRecord, round_number: int) -> Exact:
        """The reference's radius."""
        return self.confidence.radius(record, round_number)


class ArmDoubles(NamedTuple):
    """What a radius is computed from: queries n, unbiased variance V, mean, and the round t."""

    queries: int
    variance: float
    mean: float
    round: int


@dataclass(frozen=True)
class DoubleInterval:
    """mean +- radius with a radius in doubles."""

    needed_queries: int
    formula: Callable[[ArmDoubles], float]

    def radius(self, record: ArmRecord, round_number: int) -> Exact:
        """The formula's double, taken as exact."""
        doubles = ArmDoubles(
            record.queries,
            nearest_float(record.exact_variance()),
            nearest_float(record.exact_mean()),
            round_number,
        )
        return exact_double(self.formula(doubles))


def exact_double(value: float) -> Exact:
    """A finite double as an exact number."""
    return Exact(value, 0.0, (_double_form, (value,)))


def _double_form(value: float) -> NormalForm:
    return rational_form(Fraction(value))


def hoeffding(
    logarithm: Callable[[int], float] = math.log, factor: float = 1.5, offset: int = 0, rooted: bool = True
) -> DoubleInterval:
    """sqrt(factor log(t) / (n + offset)) with one part wrong, or the radicand without its root."""

    def formula(doubles: ArmDoubles) -> float:
        radicand = factor * logarithm(doubles.round) / (doubles.queries + offset)
        return math.sqrt(radicand) if rooted else radicand

    return DoubleInterval(max(1, 1 - offset), formula)


def bernstein(
    logarithm: Callable[[int], float] = math.log,
    *,
    factor: float = 6.0,
    slope: float = 7.0,
    variance: Callable[[ArmDoubles], float] = lambda doubles: doubles.variance,
    slope_count: Callable[[int], int] = lambda n: n - 1,
    needed_queries: int = 2,
    rooted: bool = True,
) -> DoubleInterval:
    """sqrt(factor V log(t) / n) + slope log(t) / (n - 1) with one part wrong."""

    def formula(doubles: ArmDoubles) -> float:
        height = logarithm(doubles.round)
        radicand = factor * variance(doubles) * height / doubles.queries
        return (math.sqrt(radicand) if rooted else radicand) + slope * height / slope_count(doubles.queries)

    return DoubleInterval(needed_queries, formula)


def log_of_previous_round(round_number: int) -> float:
    """ln(t - 1), 0 at t = 1."""
    return math.log(max(round_number - 1, 1))


def log_of_next_round(round_number: int) -> float:
    """ln(t + 1)."""
    return math.log(round_number + 1)


def biased_variance(doubles: ArmDoubles) -> float:
    """The variance with n in the denominator."""
    return doubles.variance * (doubles.queries - 1) / doubles.queries


def second_moment(doubles: ArmDoubles) -> float:
    """The mean of the squares, with the mean not subtracted."""
    return biased_variance(doubles) + doubles.mean**2


def bernoulli_variance(doubles: ArmDoubles) -> float:
    """mean (1 - mean), right only for rewards 0 and 1 (and then biased)."""
    return max(0.0, doubles.mean * (1 - doubles.mean))


def standard_deviation(doubles: ArmDoubles) -> float:
    """The standard deviation where the variance belongs."""
    return math.sqrt(doubles.variance)

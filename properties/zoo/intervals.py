"""Wrong confidence intervals, computed in doubles as a program would (the double is then the exact radius)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from bufalu.reference.confidence import Clock
from bufalu.reference.exact import Exact, rational_form
from bufalu.reference.radicals import Form
from bufalu.reference.rationals import Rational, nearest_float
from bufalu.reference.state import ArmRecord


class Figures(NamedTuple):
    """What a radius is computed from: queries n, unbiased variance V, mean, and the round t."""

    queries: int
    variance: float
    mean: float
    round: int


@dataclass(frozen=True)
class DoubleInterval:
    """mean +- radius with a radius in doubles; infinite below `needed_queries`."""

    name: str
    needed_queries: int
    formula: Callable[[Figures], float]

    def radius(self, record: ArmRecord, clock: Clock) -> Exact:
        """The formula's double, taken as exact."""
        figures = Figures(
            record.queries,
            nearest_float(record.exact_variance()),
            nearest_float(record.exact_mean()),
            clock.round,
        )
        return exact_double(self.formula(figures))

    def radius_form(self, queries: int, variance: Rational, round_number: int) -> Form:
        """The formula's double, as an exact form."""
        return _double_form(self.formula(Figures(queries, nearest_float(variance), 0.0, round_number)))


def exact_double(value: float) -> Exact:
    """A finite double as an exact number."""
    return Exact(value, 0.0, (_double_form, (value,)))


def _double_form(value: float) -> Form:
    return rational_form(Fraction(value))


def hoeffding(
    logarithm: Callable[[int], float] = math.log, factor: float = 1.5, offset: int = 0, rooted: bool = True
) -> DoubleInterval:
    """sqrt(factor log(t) / (n + offset)) with one part wrong, or the radicand without its root."""

    def formula(figures: Figures) -> float:
        radicand = factor * logarithm(figures.round) / (figures.queries + offset)
        return math.sqrt(radicand) if rooted else radicand

    return DoubleInterval("hoeffding", max(1, 1 - offset), formula)


def bernstein(
    logarithm: Callable[[int], float] = math.log,
    *,
    factor: float = 6.0,
    slope: float = 7.0,
    variance: Callable[[Figures], float] = lambda figures: figures.variance,
    slope_count: Callable[[int], int] = lambda n: n - 1,
    needed_queries: int = 2,
    rooted: bool = True,
) -> DoubleInterval:
    """sqrt(factor V log(t) / n) + slope log(t) / (n - 1) with one part wrong."""

    def formula(figures: Figures) -> float:
        height = logarithm(figures.round)
        radicand = factor * variance(figures) * height / figures.queries
        return (math.sqrt(radicand) if rooted else radicand) + slope * height / slope_count(figures.queries)

    return DoubleInterval("bernstein", needed_queries, formula)


def log_of_previous_round(round_number: int) -> float:
    """ln(t - 1), 0 at t = 1."""
    return math.log(max(round_number - 1, 1))


def log_of_next_round(round_number: int) -> float:
    """ln(t + 1)."""
    return math.log(round_number + 1)


def biased_variance(figures: Figures) -> float:
    """The variance with n in the denominator."""
    return figures.variance * (figures.queries - 1) / figures.queries


def second_moment(figures: Figures) -> float:
    """The mean of the squares, with the mean not subtracted."""
    return biased_variance(figures) + figures.mean**2


def bernoulli_variance(figures: Figures) -> float:
    """mean (1 - mean), right only for rewards 0 and 1 (and then biased)."""
    return max(0.0, figures.mean * (1 - figures.mean))


def standard_deviation(figures: Figures) -> float:
    """The standard deviation where the variance belongs."""
    return math.sqrt(figures.variance)

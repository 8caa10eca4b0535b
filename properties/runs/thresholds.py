"""How many queries an interval needs before it is narrower than a level: count <= N(t, level), decided exactly.

Written without divisions, so that level 0 means N = +infinity, and independently of `bufalu.bounds`, which encloses
the same quantities; the tests hold the two against each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np
import numpy.typing as npt

from bufalu.reference import arguments
from bufalu.reference.confidence import BernsteinInterval, ConfidenceInterval, SampleNumbers
from bufalu.reference.exact import Exact, log_root, root
from bufalu.reference.radicals import NormalForm, RadicalTerm
from bufalu.reference.radius_shapes import Growth, RadiusShape, RadiusTerm
from bufalu.reference.rationals import Rational, nearest_float

Floats = npt.NDArray[np.float64]


class SampleCount(Protocol):
    """N(t, level): with more queries than this, the interval of the arm is narrower than the level."""

    def reached(self, count: Rational, round_number: int, level: Exact) -> bool:
        """Whether count <= N(t, level), without the cap t - 1; t >= 2, level >= 0."""

    def estimate(self, log: Floats, level: Floats) -> Floats:
        """N(t, level) in doubles, `log` being those of ln t; within 64 units, the errors of the arguments apart."""


@dataclass(frozen=True)
class HoeffdingCount:
    """6 ln t / level^2 (l.1138)."""

    factor: Rational = 6

    def reached(self, count: Rational, round_number: int, level: Exact) -> bool:
        """count level^2 <= 6 ln t."""
        return Exact.of(count) * level * level <= Exact.of(self.factor) * log_root(round_number, 2)

    def estimate(self, log: Floats, level: Floats) -> Floats:
        """The count that `reached` compares with, for many rounds in doubles."""
        return nearest_float(self.factor) * log / (level * level)


@dataclass(frozen=True)
class BernsteinCount:
    """`quadratic` ln t / level^2 + `linear` ln t / level + 1: N_a^g with 24 V and 52, N_1^as with 6 and 28 (l.1217)."""

    quadratic: Rational = 6
    linear: Rational = 28
    offset: Rational = 1

    def reached(self, count: Rational, round_number: int, level: Exact) -> bool:
        """(count - 1) level^2 <= (quadratic + linear level) ln t."""
        if count <= self.offset:
            return True
        if level.is_infinite:
            return False
        logarithm = log_root(round_number, 2)
        right = Exact.of(self.quadratic) * logarithm + Exact.of(self.linear) * logarithm * level
        return Exact.of(count - self.offset) * level * level <= right

    def estimate(self, log: Floats, level: Floats) -> Floats:
        """The count that `reached` compares with, for many rounds in doubles."""
        quadratic, linear = nearest_float(self.quadratic), nearest_float(self.linear)
        finite = quadratic * log / (level * level) + linear * log / level + nearest_float(self.offset)
        return np.where(level > 0, finite, np.inf)  # with the variance 0 it would be 0 / 0


@dataclass(frozen=True)
class SharpBernsteinCount:
    """N_2^as = (sqrt(A) + sqrt(A + B))^2 + 1 with A = 3 ln t / (2 level^2) and B = 14 ln t / level (l.1221)."""

    def reached(self, count: Rational, round_number: int, level: Exact) -> bool:
        """With x = sqrt(count - 1): x^2 level <= 2 x sqrt(3 ln t / 2) + 14 ln t, as x <= sqrt(A) + sqrt(A + B) says."""
        if count <= 1:
            return True
        right = root(6 * (count - 1)) * log_root(round_number) + Exact.of(14) * log_root(round_number, 2)
        return Exact.of(count - 1) * level <= right

    def estimate(self, log: Floats, level: Floats) -> Floats:
        """The count that `reached` compares with, for many rounds in doubles."""
        root_of_first = np.sqrt(1.5 * log) / level
        both: Floats = root_of_first + np.sqrt(root_of_first * root_of_first + 14 * log / level)
        return both * both + 1


@dataclass(frozen=True)
class VariantCount:
    """`factor` max(0, ln t + 3 ln ln t) / level^2, 2 being the factor for the radius of l.1644."""

    factor: Rational = 2

    def reached(self, count: Rational, round_number: int, level: Exact) -> bool:
        """count level^2 <= factor max(0, ln t + 3 ln ln t)."""
        left = Exact.of(count) * level * level
        if round_number <= 2:
            return left.sign() <= 0
        # An infinite error sends the comparison to the exact form, whose sign is found by enclosures.
        right = Exact(0.0, float("inf"), NormalForm((RadicalTerm(self.factor, variant_degree=2),), round_number))
        return left <= right

    def estimate(self, log: Floats, level: Floats) -> Floats:
        """The count that `reached` compares with, for many rounds in doubles."""
        growth = np.where(log > 1.0, log + 3 * np.log(np.maximum(log, 1.0)), 0.0)
        return nearest_float(self.factor) * growth / (level * level)


@dataclass(frozen=True)
class RadiusCount:
    """The largest count at which the width still reaches the level, read off a radius that never grows with the count."""

    interval: ConfidenceInterval

    def reached(self, count: Rational, round_number: int, level: Exact) -> bool:
        """Whether 2 radius(count) >= level."""
        if count < self.interval.needed_queries:
            return True
        return not level.is_infinite and not sure_width(self.interval, int(count), round_number) < level

    def estimate(self, log: Floats, level: Floats) -> Floats:
        """Nothing is known in doubles: every count is decided exactly."""
        return np.full(np.shape(level), np.nan)


def sure_width(interval: ConfidenceInterval, queries: int, round_number: int) -> Exact:
    """The width of an arm with these queries, with the largest variance that rewards in [0, 1] can have (l.1224)."""
    variance = Fraction(queries, 4 * (queries - 1)) if interval.uses_variance else Fraction(0)
    radius = interval.radius_form(queries, variance, round_number)
    # An infinite error sends every comparison to the exact form.
    return Exact.of(2) * Exact(0.0, float("inf"), radius)


def stated_count(numbers: SampleNumbers, variance: Rational = 0) -> SampleCount:
    """N as an interval states it in its `regularity`."""
    quadratic = Fraction(numbers.quadratic) + numbers.by_variance * Fraction(variance)
    if not numbers.linear and not numbers.constant:
        return HoeffdingCount(quadratic) if numbers.growth is Growth.LOG else VariantCount(quadratic)
    return BernsteinCount(quadratic, numbers.linear, numbers.constant)


def root_factor(shape: RadiusShape | None) -> Rational | None:
    """4 c for a radius sqrt(c g / n), whose width is at most the level once n level^2 >= 4 c g; None for another."""
    if shape is None or len(shape.terms) != 1:
        return None
    term = shape.terms[0]
    return 4 * term.coefficient if term == RadiusTerm(term.coefficient) else None


def sure_count(interval: ConfidenceInterval) -> SampleCount | None:
    """N^as of an interval: for Bernstein's the smaller of the paper's two, for others what they state, or else what
    their radius gives. None where nobody has worked it out: for a variance in a radius without a shape.
    """
    shape = interval.shape
    if shape == BernsteinInterval.shape:
        return SharpBernsteinCount()
    if interval.regularity is not None and interval.regularity.sure is not None:
        return stated_count(interval.regularity.sure)
    factor = root_factor(shape)
    if shape is not None and factor is not None and shape.growth is not Growth.LOG_BEFORE:
        return HoeffdingCount(factor) if shape.growth is Growth.LOG else VariantCount(factor)
    return None if shape is None and interval.uses_variance else RadiusCount(interval)


def good_event_count(confidence: ConfidenceInterval | str, variance: Rational) -> SampleCount | None:
    """N_a^g of an arm with this variance; None where nobody has worked it out."""
    interval = arguments.interval(confidence)
    if interval.shape == BernsteinInterval.shape:
        return BernsteinCount(quadratic=24 * Fraction(variance), linear=52)
    if interval.regularity is not None:
        return stated_count(interval.regularity.good, variance)
    return sure_count(interval)


def largest_count(rule: SampleCount, levels: Sequence[tuple[int, Exact]], enough: int | None = None) -> int:
    """The whole part of max over the given (t, level) of min{N(t, level), t - 1}; 0 over nothing.

    `enough` stops the search as soon as the answer is known to be at least that.
    """
    best = 0
    for round_number, level in levels:
        # Any count not above the best so far changes nothing, so most rounds cost one comparison.
        while best < round_number - 1 and rule.reached(best + 1, round_number, level):
            best += 1
            if enough is not None and best >= enough:
                return best
    return best

"""What is proved of a confidence interval: failures and sample counts (l.833-845, l.1134, l.1211; ours for l.1644).

A `SampleRule` gives the uncapped number of queries after which an interval is narrower than a level; the appendix
caps it by t - 1. A `Regularity` is the pair of rules of one interval, with its C(T).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, TypeAlias

import numpy

from bufalu.bounds.enclosures import INFINITE, Enclosure, Number, smallest
from bufalu.bounds.epsilons import as_enclosure
from bufalu.bounds.errors import NotRegular
from bufalu.bounds.expressions import Expression, log, positive, sqrt
from bufalu.bounds.failures import least_bernstein_failures, least_failures, least_log_log_failures
from bufalu.bounds.growths import (
    KNOWN_GROWTHS,
    Doubles,
    doubles_of_growth,
    enclosed_growth,
    exact_growth,
    growth_formula,
)
from bufalu.reference import arguments
from bufalu.reference.arguments import IntervalLike
from bufalu.reference.confidence import (
    BernsteinInterval,
    ConfidenceInterval,
    HoeffdingInterval,
    KLUCBInterval,
    RegularityNumbers,
    SampleNumbers,
    confidence_named,
)
from bufalu.reference.epsilon_shapes import Direction, LogPolynomial
from bufalu.reference.exact import Exact, log_root, root
from bufalu.reference.radius_shapes import Growth
from bufalu.reference.rationals import Rational, rational

Count: TypeAlias = int | Fraction | Enclosure
"""A number of samples: exact where it is rational (t - 1, B/K), enclosed where it is not."""


class SampleRule(Protocol):
    """N(t, level) without the cap: more queries than this make the interval narrower than the level."""

    def count(self, round_number: int, level: Exact) -> Count:
        """N(t, level) for t >= 1; +infinity for level 0 and t >= 2, and 0 at t = 1, where the cap t - 1 is 0."""

    def doubles(self, rounds: Doubles, level: Doubles) -> Doubles:
        """N(t, level) of many rounds in doubles, off by less than `ROUNDING` relatively where nothing over- or underflows."""

    def expression(self, horizon: Expression, level: Expression) -> Expression:
        """N(T, level) as a formula."""

    def symbols(self, round_number: int) -> Mapping[str, Number]:
        """The values of the symbols that the formula has beside those of its arguments."""

    def exceeds(self, queries: int, round_number: int, level: Exact) -> bool:
        """Whether queries < N(t, level), decided exactly, for t >= 2."""

    @property
    def follows_log(self) -> bool:
        """Whether N is a rising function of ln t / level^2 and ln t / level."""

    def direction(self, level: LogPolynomial) -> Direction:
        """Which way N(t, epsilon(t)) goes for epsilon = a s + b s^2 with s = sqrt(ln t) and b > 0."""


ROUNDING = 2.0**-46
"""128 u, u = 2^-53. A count in doubles takes a logarithm (4 ulps, 8 u), a rounded level (1 u, doubled by the square)
and fewer than 20 correctly rounded operations on positive numbers: below 40 u."""


@dataclass(frozen=True)
class PolynomialRule:
    """g(t) (quadratic / level^2 + linear / level) + constant, where g(t) is ln t or another growth."""

    quadratic: Rational
    linear: Rational = 0
    constant: Rational = 0
    growth: Growth = Growth.LOG

    def count(self, round_number: int, level: Exact) -> Count:
        """See `SampleRule`; rational when the level is a multiple of sqrt(ln t) and there is no linear part."""
        if round_number == 1:
            return 0
        if level.is_infinite:
            return self.constant
        if level.sign() == 0:
            return INFINITE
        if self.follows_log and not self.linear and (slope := _squared_slope(level)) is not None:
            return rational(Fraction(self.quadratic) / slope + self.constant)
        width = as_enclosure(level)
        return (
            enclosed_growth(self.growth, round_number) * (self.quadratic / width.squared() + self.linear / width)
            + self.constant
        )

    def doubles(self, rounds: Doubles, level: Doubles) -> Doubles:
        """See `SampleRule`."""
        square: Doubles = float(self.quadratic) / (level * level)
        growth = doubles_of_growth(self.growth, numpy.log(rounds))
        return growth * (square + float(self.linear) / level) + float(self.constant)

    def expression(self, horizon: Expression, level: Expression) -> Expression:
        """See `SampleRule`."""
        return (
            growth_formula(self.growth, horizon) * (self.quadratic / level**2 + self.linear / level) + self.constant
        )

    def symbols(self, round_number: int) -> Mapping[str, Number]:
        """See `SampleRule`."""
        return {}

    def exceeds(self, queries: int, round_number: int, level: Exact) -> bool:
        """(queries - constant) level^2 < g(t) (quadratic + linear level)."""
        remaining = Exact.of(queries - self.constant)
        factor = Exact.of(self.quadratic)
        if self.linear:
            factor = factor + Exact.of(self.linear) * level
        return remaining * level * level < exact_growth(self.growth, round_number) * factor

    @property
    def follows_log(self) -> bool:
        """See `SampleRule`."""
        return self.growth is Growth.LOG

    def direction(self, level: LogPolynomial) -> Direction:
        """The derivative of N(t, epsilon(t)) in s has the sign of linear a (a + b s) - 2 quadratic b.

        That is at least linear a^2 - 2 quadratic b. Of another growth than ln t nothing is said.
        """
        if not self.follows_log:
            return Direction.UNKNOWN
        if self.linear * level.slope_squared >= 2 * self.quadratic * level.curvature:
            return Direction.NONDECREASING
        return Direction.UNKNOWN if self.linear else Direction.NONINCREASING


@dataclass(frozen=True)
class RootRule:
    """N_2^as: (sqrt(x) + sqrt(x + 14 ln t / level))^2 + 1 with x = 3 ln t / (2 level^2) (l.1226).

    The count from which Bernstein's radius, with the largest variance n / (4 (n - 1)), is narrower than the level.
    """

    follows_log = True

    def count(self, round_number: int, level: Exact) -> Count:
        """See `SampleRule`; rational for the levels of a Bernstein budget."""
        if round_number == 1:
            return 0
        if level.is_infinite:
            return 1
        if level.sign() == 0:
            return INFINITE
        if (share := _bernstein_share(level)) is not None:
            return rational(1 + 1 / share)
        width = as_enclosure(level)
        logarithm = Enclosure.of(round_number).log()
        x = Fraction(3, 2) * logarithm / width.squared()
        return (x.sqrt() + (x + 14 * logarithm / width).sqrt()).squared() + 1

    def doubles(self, rounds: Doubles, level: Doubles) -> Doubles:
        """See `SampleRule`."""
        logarithm = numpy.log(rounds)
        x = 1.5 * logarithm / (level * level)
        outer: Doubles = numpy.sqrt(x) + numpy.sqrt(x + 14 * logarithm / level)
        return outer * outer + 1

    def expression(self, horizon: Expression, level: Expression) -> Expression:
        """See `SampleRule`."""
        x = Fraction(3, 2) * log(horizon) / level**2
        return (sqrt(x) + sqrt(x + 14 * log(horizon) / level)) ** 2 + 1

    def symbols(self, round_number: int) -> Mapping[str, Number]:
        """See `SampleRule`."""
        return {}

    def exceeds(self, queries: int, round_number: int, level: Exact) -> bool:
        """Whether n <= 1, or the largest width sqrt(6 ln t/(n-1)) + 14 ln t/(n-1) is above the level."""
        if queries <= 1:
            return True
        width = root(6 * (queries - 1)) * log_root(round_number) + Exact.of(14) * log_root(round_number, 2)
        return Exact.of(queries - 1) * level < width

    def direction(self, level: LogPolynomial) -> Direction:
        """With y^2 = 1 / (N - 1), y solves sqrt(6) y + 14 y^2 s = a + b s, and falls if 14 y^2 >= b.

        That holds for every s if sqrt(6 b / 14) <= a. For the budget of l.871 it is an equality, and N the constant B/K.
        """
        grows = 7 * level.slope_squared >= 3 * level.curvature
        return Direction.NONDECREASING if grows else Direction.UNKNOWN


@dataclass(frozen=True)
class Regularity:
    """The functions of the regularity definition for one interval (l.833).

    `good_numbers` gives N_a^g from the variance of the arm, `sure` is N^as (for Bernstein the smaller N_2^as), `looser`
    the N_1^as beside it. `failures` times K is the printed C(T); `least_failures` is what its proof allows, where that
    has been worked out.
    """

    name: str
    line: str
    failures: int
    good_numbers: SampleNumbers
    sure: SampleRule
    looser: SampleRule
    least_failures: Callable[[int, int], Enclosure] | None = None

    def good(self, variance: Rational) -> SampleRule:
        """N_a^g of an arm with this variance."""
        return _rule(self.good_numbers, variance)

    @property
    def supposition(self) -> str | None:
        """What every bound with these numbers supposes; None where it is proved here."""
        if self in PROVED:
            return None
        return (
            f"supposed, and not proved here, is what the interval '{self.name}' states of itself ({self.line}): its N^g and "
            f"N^as, and that its failures sum to at most {self.failures}K. `bufalu audit --interval` tries to refute it"
        )

    def failure_sum(self, arms: int) -> int:
        """The printed C(T), 2K or 12K; or 8K for the interval of l.1644, of which nothing is printed."""
        return self.failures * arms

    def least_failure_sum(self, arms: int, horizon: int) -> Enclosure:
        """C(T) as small as the proof allows (erratum E14), or as printed where nobody has looked."""
        if self.least_failures is None:
            return Enclosure.of(self.failure_sum(arms))
        return self.least_failures(arms, horizon)


def _rule(numbers: SampleNumbers, variance: Rational) -> PolynomialRule:
    quadratic = rational(numbers.quadratic + numbers.by_variance * variance)
    return PolynomialRule(quadratic, numbers.linear, numbers.constant, numbers.growth)


def _sure_rule(interval: ConfidenceInterval, numbers: SampleNumbers) -> PolynomialRule:
    """N^as holds on every path, whatever its variances; raises `NotRegular` for numbers that depend on one."""
    if numbers.by_variance:
        raise NotRegular(
            f"the interval '{interval.text}' says an N^as that depends on the variance, which no path is sure of"
        )
    return _rule(numbers, 0)


def _regularity(
    interval: ConfidenceInterval, least_failures: Callable[[int, int], Enclosure] | None = None
) -> Regularity:
    if interval.regularity is None:
        raise NotRegular(
            f"no bound is proved for the interval '{interval.text}' (hoeffding, bernstein and kl-ucb have one)"
        )
    return regularity_with(interval, interval.regularity, least_failures)


def regularity_with(
    interval: ConfidenceInterval,
    numbers: RegularityNumbers,
    least_failures: Callable[[int, int], Enclosure] | None = None,
) -> Regularity:
    """The regularity that these numbers state of an interval.

    Raises `NotRegular` if they leave N^as open, or grow otherwise than `KNOWN_GROWTHS`.
    """
    for samples in (numbers.good, numbers.looser, *([] if numbers.sure is None else [numbers.sure])):
        if samples.growth not in KNOWN_GROWTHS:
            raise NotRegular(f"no N of the interval '{interval.text}' can grow as {samples.growth.value}")
    if numbers.sure is not None:
        sure: SampleRule = _sure_rule(interval, numbers.sure)
    elif interval.shape == BernsteinInterval.shape:
        sure = RootRule()
    else:
        raise NotRegular(
            f"the interval '{interval.text}' says no N^as, and only Bernstein's can be found from its radius"
        )
    looser = _sure_rule(interval, numbers.looser)
    return Regularity(interval.text, numbers.line, numbers.failures, numbers.good, sure, looser, least_failures)


HOEFFDING = _regularity(HoeffdingInterval(), least_failures)
BERNSTEIN = _regularity(BernsteinInterval(), least_bernstein_failures)
LOG_LOG = _regularity(KLUCBInterval(), least_log_log_failures)
PROVED = (HOEFFDING, BERNSTEIN, LOG_LOG)
"""What the Coq kernel has checked; the paper states the first two."""


def regularity_of(confidence: IntervalLike) -> Regularity:
    """The regularity that is proved of an interval.

    Raises `NotRegular` for an interval without one, such as `hoeffding:2`, and `UnknownName` for an unknown text.
    """
    interval = arguments.interval(confidence)
    for known in PROVED:
        if interval == confidence_named(known.name):
            return known
    return _regularity(interval)


def bernstein_budget_samples(variance: Rational, share: Rational, horizon: int) -> Enclosure:
    """4 V (b-1) + min{22 sqrt((b-1) ln T), 4 (b-1)} + 1: no N-bar_a^g exceeds it for a per-arm budget b (l.1233)."""
    parts = bernstein_budget_terms(positive("V"), positive("b"), positive("L"))
    values = {"V": variance, "b": Fraction(share) - 1, "L": Enclosure.of(horizon).log()}
    leading, root_term, linear = (part.evaluate(values) for part in parts)
    return leading + smallest([root_term, linear]) + 1


def bernstein_budget_terms(
    variance: Expression, rest: Expression, logarithm: Expression
) -> tuple[Expression, Expression, Expression]:
    """4 V b, 22 sqrt(b ln T) and 4 b for a per-arm budget of b + 1: the first plus the smaller of the others (l.1233)."""
    return 4 * variance * rest, 22 * sqrt(rest * logarithm), 4 * rest


def _squared_slope(level: Exact) -> Fraction | None:
    """c^2 for a level c sqrt(ln t) with c^2 rational, else None."""
    terms = level.form().reduced().terms
    if len(terms) != 1 or terms[0].degree != 1 or terms[0].exponent or terms[0].variant_degree:
        return None
    return Fraction(terms[0].coefficient) ** 2 * Fraction(terms[0].radicand)


def _bernstein_share(level: Exact) -> Fraction | None:
    """k for a level sqrt(6 k ln t) + 14 k ln t, else None; N_2^as of it is 1 + 1/k."""
    terms = sorted(level.form().reduced().terms, key=lambda term: term.degree)
    if [term.degree for term in terms] != [1, 2] or any(term.exponent or term.variant_degree for term in terms):
        return None
    linear, quadratic = terms
    share = Fraction(quadratic.coefficient) / 14
    slope = Fraction(linear.coefficient) ** 2 * Fraction(linear.radicand)
    return share if quadratic.radicand == 1 and slope == 6 * share else None

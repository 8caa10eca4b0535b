"""Confidence intervals behind one small protocol: mean +- radius. Hoeffding (l.1129), empirical Bernstein (l.1200),
and the variant of l.1644.

Every radius is (a s + b s^2) for numbers a, b of the arm and s = sqrt(ln t); `spread` caches doubles of a and b until
the arm is queried again. Roundings: a and b are correctly rounded from rationals but for one square root (2 u), s
costs LIBM_ULPS ulps of log halved by the root and one rounding (5 u), s^2 twice that; products and the sum add 3 u.
All terms are positive, so the radius is off by less than 16 u relatively, and mean +- radius by less than 20 u (mean
+ radius): `FILTER` is 32 u.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Protocol

from bufalu.reference.errors import UnknownName
from bufalu.reference.exact import FILTER, PLUS_INFINITY, Exact
from bufalu.reference.radicals import Form, Term
from bufalu.reference.rationals import Rational, nearest_float
from bufalu.reference.state import ArmRecord


class Clock:
    """The round and the doubles of s = sqrt(ln t) that all arms share in it."""

    __slots__ = ("log", "root_log", "round")

    def __init__(self, round_number: int) -> None:
        self.round = round_number
        self.log = math.log(round_number)
        self.root_log = math.sqrt(self.log)


class ConfidenceInterval(Protocol):
    """A rule for the half-width of an arm's interval, and from how many queries on it is finite."""

    @property
    def name(self) -> str:
        """The command line's name."""

    @property
    def needed_queries(self) -> int:
        """The smallest number of queries with a finite interval."""

    def radius(self, record: ArmRecord, clock: Clock) -> Exact:
        """Half the width CI_t(a) of an arm with at least `needed_queries` queries, at round t >= 2."""

    def radius_form(self, queries: int, variance: Rational, round_number: int) -> Form:
        """The exact half-width of an arm with `queries` rewards of unbiased variance `variance`."""


class HoeffdingInterval:
    """mean +- sqrt(3 ln t / (2 n)) (l.1129-1133)."""

    name = "hoeffding"
    needed_queries = 1

    def radius(self, record: ArmRecord, clock: Clock) -> Exact:
        """sqrt(3 ln t / (2 n))."""
        if record.spread is None:
            record.spread = (math.sqrt(1.5 / record.queries), 0.0)
        approximation = record.spread[0] * clock.root_log
        return Exact(
            approximation, approximation * FILTER, (self.radius_form, (record.queries, 0, clock.round))
        )

    def radius_form(self, queries: int, variance: Rational, round_number: int) -> Form:
        """sqrt(3/(2n)) s; the variance plays no role."""
        return Form((Term(1, radicand=Fraction(3, 2 * queries), degree=1),), round_number)


class BernsteinInterval:
    """mean +- (sqrt(6 V ln t / n) + 7 ln t / (n - 1)), V the unbiased variance of the queried rewards (l.1200-1208).
    """

    name = "bernstein"
    needed_queries = 2

    def radius(self, record: ArmRecord, clock: Clock) -> Exact:
        """sqrt(6 V ln t / n) + 7 ln t / (n - 1)."""
        n = record.queries
        if record.spread is None:
            record.spread = (math.sqrt(nearest_float(Fraction(6 * record.exact_variance(), n))), 7 / (n - 1))
        slope, curvature = record.spread
        approximation = slope * clock.root_log + curvature * clock.log
        return Exact(
            approximation,
            approximation * FILTER,
            (_bernstein_form, (n, record.total, record.squares, clock.round)),
        )

    def radius_form(self, queries: int, variance: Rational, round_number: int) -> Form:
        """sqrt(6V/n) s + 7/(n-1) s^2."""
        terms = [Term(Fraction(7, queries - 1), degree=2)]
        if variance:
            terms.append(Term(1, radicand=Fraction(6 * variance) / queries, degree=1))
        return Form(tuple(terms), round_number)


class KLUCBInterval:
    """mean +- sqrt(max(0, ln t + 3 ln ln t) / (2 n)): the tighter radius suggested at l.1644, made symmetric.

    The radicand is negative at t = 2 alone (ln 2 + 3 ln ln 2 < 0 < ln 3 + 3 ln ln 3), where the radius is 0.
    """

    name = "kl-ucb"
    needed_queries = 1

    def radius(self, record: ArmRecord, clock: Clock) -> Exact:
        """sqrt(max(0, ln t + 3 ln ln t) / (2 n))."""
        form = self.radius_form(record.queries, 0, clock.round)
        if not form.terms:
            return Exact(0.0, 0.0, form)
        # ln t + 3 ln ln t >= 1.38 for t >= 3 and loses at most 4 times what ln t loses: still below FILTER.
        approximation = math.sqrt((clock.log + 3 * math.log(clock.log)) / (2 * record.queries))
        return Exact(approximation, approximation * FILTER, form)

    def radius_form(self, queries: int, variance: Rational, round_number: int) -> Form:
        """sqrt(1/(2n)) g with g = sqrt(ln t + 3 ln ln t), or 0 at t <= 2; the variance plays no role."""
        if round_number <= 2:
            return Form((), round_number)
        return Form((Term(1, radicand=Fraction(1, 2 * queries), variant_degree=1),), round_number)


CONFIDENCE_INTERVALS: dict[str, ConfidenceInterval] = {
    interval.name: interval for interval in (HoeffdingInterval(), BernsteinInterval(), KLUCBInterval())
}


def confidence_named(name: str) -> ConfidenceInterval:
    """The interval with this name; raises `UnknownName` with the list of names."""
    try:
        return CONFIDENCE_INTERVALS[name]
    except KeyError:
        known = ", ".join(CONFIDENCE_INTERVALS)
        raise UnknownName(f"there is no confidence interval '{name}' (choose one of: {known})") from None


def _bernstein_form(queries: int, total: Rational, squares: Rational, round_number: int) -> Form:
    variance = ArmRecord(queries, total, squares).exact_variance()
    return BernsteinInterval().radius_form(queries, variance, round_number)


def half_width(confidence: ConfidenceInterval, record: ArmRecord, clock: Clock) -> Exact:
    """The radius of an arm, +infinity while it has too few queries (l.1133, l.1209)."""
    if record.queries < confidence.needed_queries:
        return PLUS_INFINITY
    return confidence.radius(record, clock)

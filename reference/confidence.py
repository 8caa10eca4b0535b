"""Confidence intervals behind one small protocol: mean +- radius.

Hoeffding (l.1129), empirical Bernstein (l.1200), and the variant suggested at l.1644.

**The float filter.** With s = sqrt(ln t) every radius is a s + b s^2 (for the variant a g) with numbers a, b of the
arm alone. Their doubles are kept with the arm until it is queried again. Roundings, in units u = 2^-53: the mean is
correctly rounded (1 u); a and b come from correctly rounded rationals and one square root (2 u); s costs the ulps of
`log`, halved by the root, and one rounding (5 u), s^2 8 u and g at most 15 u (at t = 3, where it is worst: the sum is
1.38, off by 9 u from ln t, by 3 * 9 u from ln ln t and by 2 u from rounding; half of the quotient, and the root's own
rounding); the product adds 1 u and the sums 2 u. All terms are positive, so mean +- radius is off by less than 20.5 u
(mean + radius), and `FILTER` is 32 u. A variance so small that the double of 6V/n is subnormal makes a wrong by less
than 2^-530, which 7/(n-1) dwarfs.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Protocol

from bufalu.reference.errors import UnknownName
from bufalu.reference.radicals import NormalForm, RadicalTerm
from bufalu.reference.rationals import Rational, nearest_float
from bufalu.reference.state import ArmRecord


class RoundDoubles:
    """The round, and the doubles of sqrt(ln t) and ln t that all arms share in it."""

    __slots__ = ("log", "root", "round")

    def __init__(self, round_number: int) -> None:
        self.round = round_number
        self.log = math.log(round_number)
        self.root = math.sqrt(self.log)


class ConfidenceInterval(Protocol):
    """A rule for the half-width of an arm's interval, and from how many queries on it is finite."""

    @property
    def name(self) -> str:
        """The command line's name."""

    @property
    def needed_queries(self) -> int:
        """The smallest number of queries with a finite interval."""

    @property
    def uses_variance(self) -> bool:
        """Whether the radius depends on the variance of the rewards; if not, it is given as 0."""

    def radius_form(self, queries: int, variance: Rational, round_number: int) -> NormalForm:
        """The exact half-width of an arm with `queries` rewards of unbiased variance `variance`, at a round t >= 2."""

    def coefficients(self, record: ArmRecord) -> tuple[float, float]:
        """Doubles of a and b, the radius being a s + b s^2."""

    def clock(self, round_number: int) -> RoundDoubles:
        """The doubles of s and s^2 in this round."""


class HoeffdingInterval:
    """mean +- sqrt(3 ln t / (2 n)) (l.1129-1133)."""

    name = "hoeffding"
    needed_queries = 1
    uses_variance = False

    def radius_form(self, queries: int, variance: Rational, round_number: int) -> NormalForm:
        """sqrt(3/(2n)) s; the variance plays no role."""
        return NormalForm((RadicalTerm(1, radicand=Fraction(3, 2 * queries), degree=1),), round_number)

    def coefficients(self, record: ArmRecord) -> tuple[float, float]:
        """sqrt(3/(2n)) and 0."""
        return math.sqrt(1.5 / record.queries), 0.0

    def clock(self, round_number: int) -> RoundDoubles:
        """sqrt(ln t) and ln t."""
        return RoundDoubles(round_number)


class BernsteinInterval:
    """mean +- (sqrt(6 V ln t / n) + 7 ln t / (n - 1)), V the unbiased variance of the queried rewards (l.1200-1208)."""

    name = "bernstein"
    needed_queries = 2
    uses_variance = True

    def radius_form(self, queries: int, variance: Rational, round_number: int) -> NormalForm:
        """sqrt(6V/n) s + 7/(n-1) s^2."""
        terms = [RadicalTerm(Fraction(7, queries - 1), degree=2)]
        if variance:
            terms.append(RadicalTerm(1, radicand=Fraction(6 * variance, queries), degree=1))
        return NormalForm(tuple(terms), round_number)

    def coefficients(self, record: ArmRecord) -> tuple[float, float]:
        """sqrt(6V/n) and 7/(n-1)."""
        n = record.queries
        return math.sqrt(nearest_float(Fraction(6 * record.exact_variance(), n))), 7 / (n - 1)

    def clock(self, round_number: int) -> RoundDoubles:
        """sqrt(ln t) and ln t."""
        return RoundDoubles(round_number)


class KLUCBInterval:
    """mean +- sqrt(max(0, ln t + 3 ln ln t) / (2 n)): the tighter radius suggested at l.1644, made symmetric.

    The radicand is negative at t = 2 alone (ln 2 + 3 ln ln 2 < 0 < ln 3 + 3 ln ln 3), where the radius is 0.
    """

    name = "kl-ucb"
    needed_queries = 1
    uses_variance = False

    def radius_form(self, queries: int, variance: Rational, round_number: int) -> NormalForm:
        """sqrt(1/(2n)) g with g = sqrt(ln t + 3 ln ln t), or 0 at t <= 2; the variance plays no role."""
        if round_number <= 2:
            return NormalForm((), round_number)
        return NormalForm((RadicalTerm(1, radicand=Fraction(1, 2 * queries), variant_degree=1),), round_number)

    def coefficients(self, record: ArmRecord) -> tuple[float, float]:
        """sqrt(1/(2n)) and 0."""
        return math.sqrt(0.5 / record.queries), 0.0

    def clock(self, round_number: int) -> RoundDoubles:
        """g in the place of sqrt(ln t)."""
        clock = RoundDoubles(round_number)
        clock.root = math.sqrt(clock.log + 3 * math.log(clock.log)) if round_number > 2 else 0.0
        return clock


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

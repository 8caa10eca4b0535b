"""The radius of an interval as small data, from which every room derives what it needs: exact forms, doubles, tables.

With g the growth of the round (ln t, as a rule; ln(t - 1) where a rule counts the rounds before) a radius is a sum of terms

    sqrt(coefficient [V] g / (n - offset))   if the term is rooted,
    coefficient [V] g / (n - offset)         if not,

n being the queries of the arm, and V the unbiased variance of its rewards in the terms that use it.

**Doubles.** In a round with doubles of sqrt(g) and g, the radius is slope * sqrt(g) + curvature * g, with slope and
curvature of the arm alone. Roundings, in units u = 2^-53: slope and curvature come from correctly rounded quotients and
one square root each (2 u), added up (1 u for each further term); sqrt(ln t) costs the ulps of `log`, halved by the root,
and one rounding (5 u), ln t 8 u, and sqrt(ln t + 3 ln ln t) at most 15 u (at t = 3, where it is worst: the sum is 1.38,
off by 9 u from ln t, by 3 * 9 u from ln ln t and by 2 u from rounding; half of the quotient, and the root's own
rounding), its square at most 29 u, which no interval here uses; a product adds 1 u and the two sums of mean +- radius
2 u. All terms are positive, so with at most `MOST_TERMS` terms mean +- radius is off by less than 24 u of mean + radius,
and `FILTER` is 32 u. A quotient that leaves the safe range of doubles, for a tiny variance, has no doubles: exact
arithmetic decides alone.

**The radius of two arms together**, beyond the paper: how far the difference of two empirical means may be from the true
one.

For arms with n and m answers before round t, b(t) the number of binary digits of t and a whole number s, the spread:

    f = ln(t b(t)) + 1/2 ln((n + s)(m + s)/s^2) = 1/2 ln((t b(t)/s)^2 (n + s)(m + s)),
    r = sqrt(f/2 ((n + s)/n^2 + (m + s)/m^2)),

the root of a rational times the logarithm of a rational; +infinity if one arm has no answers. docs/pairs.md has the theorem.

**Its doubles**, in units u = 2^-53, for rounds from 2 to 10^15 (below: exact arithmetic alone). t b(t) is off by 1 u, its
logarithm by 8 u of itself and 1 u; (n + s)/s is off by 1 u and so is twice its logarithm's share, beside 8 u of itself. All
parts are positive and ln(t b(t)) >= ln 4, so f is off by 8 u + 2 u/ln 4 + 2 u < 12 u of itself; each (n + s)/n^2 by 2 u, the
sum by 3 u, the product by 17 u, and r by half of that and one rounding: less than 10 u, and `FILTER` is 32 u.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from bufalu.reference.epsilon_shapes import AnyDoubles
from bufalu.reference.errors import InvalidInterval
from bufalu.reference.exact import FILTER, PLUS_INFINITY, Exact
from bufalu.reference.radicals import NormalForm, RadicalTerm
from bufalu.reference.rationals import (
    CountLike,
    NumberLike,
    Rational,
    format_rational,
    many,
    parameter,
    shown,
    truth_value,
    whole_number,
)
from bufalu.reference.state import ArmRecord

MOST_TERMS = 4
LARGEST_COEFFICIENT = 10**100
"""Coefficients lie between its inverse and this, so that only variances can leave the range of doubles."""

_SAFE = 1e-280
"""A quotient below has no safe double: its bits, or those of its products, may be lost."""


class Growth(Enum):
    """How a radius grows with the round."""

    LOG = "ln t"
    LOG_BEFORE = "ln(t - 1)"
    LOG_LOG = "max(0, ln t + 3 ln ln t)"

    def log_round(self, round_number: int) -> int:
        """The round whose logarithm it takes: t, or the number of rounds before."""
        return round_number - 1 if self is Growth.LOG_BEFORE else round_number

    def doubles(self, round_number: int) -> tuple[float, float]:
        """Doubles of sqrt(g) and g at a round t >= 1; before round 1 there is no round, and g is 0."""
        if self is _LOG:  # nearly always, and asked for in every round of a run
            log = math.log(round_number)
            return math.sqrt(log), log
        log = math.log(max(self.log_round(round_number), 1))
        if self is not Growth.LOG_LOG:
            return math.sqrt(log), log
        # Negative at t = 2 alone: ln 2 + 3 ln ln 2 < 0 < ln 3 + 3 ln ln 3.
        value = log + 3 * math.log(log) if round_number > 2 else 0.0
        return math.sqrt(value), value

    def term(self, coefficient: Rational, radicand: Rational, power: int) -> RadicalTerm:
        """coefficient * sqrt(radicand) * sqrt(g)^power as an exact term; for the second growth at t >= 3 only."""
        if self is not Growth.LOG_LOG:
            return RadicalTerm(coefficient, radicand, degree=power)
        return RadicalTerm(coefficient, radicand, variant_degree=power)


_LOG = Growth.LOG


class _Term(NamedTuple):
    coefficient: Rational
    rooted: bool
    uses_variance: bool
    offset: int


class RadiusTerm(_Term):
    """sqrt(coefficient [V] g / (n - offset)), or coefficient [V] g / (n - offset) if it is not rooted."""

    __slots__ = ()

    def __new__(
        cls, coefficient: NumberLike, rooted: bool = True, uses_variance: bool = False, offset: CountLike = 0
    ) -> RadiusTerm:
        """The term; the coefficient is a parameter. Raises `InvalidNumber` naming the argument that is wrong."""
        return super().__new__(
            cls,
            parameter(coefficient, "coefficient"),
            truth_value(rooted, "rooted"),
            truth_value(uses_variance, "uses_variance"),
            whole_number(offset, "offset"),
        )

    def __str__(self) -> str:
        factors = f"{format_rational(self.coefficient)}{' V' if self.uses_variance else ''} g"
        quotient = f"{factors} / {f'(n - {self.offset})' if self.offset else 'n'}"
        return f"sqrt({quotient})" if self.rooted else quotient


@dataclass(frozen=True, init=False, repr=False)
class RadiusShape:
    """A sum of terms with a common growth; raises `InvalidInterval` unless all coefficients are positive."""

    terms: tuple[RadiusTerm, ...]
    growth: Growth

    def __init__(self, terms: Iterable[RadiusTerm], growth: Growth = Growth.LOG) -> None:
        object.__setattr__(self, "terms", tuple(many(terms, "terms")))
        object.__setattr__(self, "growth", growth)
        if not isinstance(growth, Growth):
            raise InvalidInterval(f"growth must be a Growth, not {shown(growth)}")
        if not 1 <= len(self.terms) <= MOST_TERMS:
            raise InvalidInterval(f"a radius has 1 to {MOST_TERMS} terms, not {len(self.terms)}")
        for term in self.terms:
            if not isinstance(term, RadiusTerm):
                raise InvalidInterval(f"terms must hold RadiusTerm objects, not {shown(term)}")
            if not 1 <= term.coefficient * LARGEST_COEFFICIENT <= LARGEST_COEFFICIENT**2:
                raise InvalidInterval(
                    f"the coefficients of a radius lie between 10^-100 and 10^100, and {_short(term.coefficient)} does not"
                )

    def __str__(self) -> str:
        return " + ".join(map(str, self.terms)).replace(
            "g", "g" if self.growth is Growth.LOG_LOG else self.growth.value
        )

    def __repr__(self) -> str:
        where = f", g = {self.growth.value}" if self.growth is Growth.LOG_LOG else ""
        return f"<RadiusShape {self}{where}>"

    @cached_property
    def uses_variance(self) -> bool:
        """Whether some term has a factor V."""
        return any(term.uses_variance for term in self.terms)

    @property
    def hoeffding_coefficient(self) -> Rational | None:
        """c, if the radius is sqrt(c ln t / n), or that with ln(t - 1); None for every other radius."""
        first = self.terms[0]
        alone = first == RadiusTerm(first.coefficient) and len(self.terms) == 1
        return first.coefficient if alone and self.growth is not Growth.LOG_LOG else None

    @cached_property
    def needed_queries(self) -> int:
        """The smallest n for which every term is defined; a variance needs two rewards."""
        return max(2 if self.uses_variance else 1, *(term.offset + 1 for term in self.terms))

    def form(self, queries: int, variance: Rational, round_number: int) -> NormalForm:
        """The exact radius of an arm with `queries` rewards of this variance, at a round t >= 2."""
        log_round = self.growth.log_round(round_number)
        if log_round <= (2 if self.growth is Growth.LOG_LOG else 1):
            # g is 0: ln 1, or the second growth at t = 2
            return NormalForm((), log_round)
        terms: list[RadicalTerm] = []
        for term in self.terms:
            quotient = Fraction(term.coefficient) / (queries - term.offset)
            if term.uses_variance:
                if not variance:
                    continue
                quotient *= variance
            terms.append(self.growth.term(1, quotient, 1) if term.rooted else self.growth.term(quotient, 1, 2))
        return NormalForm(tuple(terms), log_round)

    def coefficients(self, record: ArmRecord) -> tuple[float, float] | None:
        """Doubles of slope and curvature for an arm with enough queries; None where doubles are not safe."""
        slope = curvature = 0.0
        spread, divisor = record.variance_quotient() if self.uses_variance else (0, 1)
        for coefficient, rooted, uses_variance, offset in self.terms:
            n = record.queries - offset
            if uses_variance:
                if not spread:
                    continue
                quotient = coefficient.numerator * spread / (coefficient.denominator * divisor * n)
            else:
                quotient = coefficient.numerator / (coefficient.denominator * n)
            if quotient < _SAFE:
                return None
            if rooted:
                slope += math.sqrt(quotient)
            else:
                curvature += quotient
        return slope, curvature


def _short(value: Rational) -> str:
    text = format_rational(value)
    return text if len(text) <= 60 else text[:57] + "..."


LARGEST_SPREAD = 10**9
"""Of the pair rule: its s is at most this."""
LATEST_ROUND = 10**15
"""Later rounds, and more answers, are not turned into doubles."""


def squared_pair_radius(
    log: Callable[[AnyDoubles], AnyDoubles], of_round: AnyDoubles, one: AnyDoubles, other: AnyDoubles, spread: int
) -> AnyDoubles:
    """r^2 in doubles or arrays of them: `of_round` is ln(t b(t)), and the arms have `one` and `other` answers, at least 1."""
    mine, theirs = one + spread, other + spread
    growth = of_round + (log(mine / spread) + log(theirs / spread)) * 0.5
    return growth * 0.5 * (mine / (one * one) + theirs / (other * other))


def pair_radius(round_number: int, one: int, other: int, spread: int) -> Exact:
    """r of two arms with so many answers, exactly, with a double where there is a safe one."""
    fewer, more = (one, other) if one < other else (other, one)
    if not fewer:
        return PLUS_INFINITY
    form = (_pair_form, (round_number, fewer, more, spread))
    if more > LATEST_ROUND or not 2 <= round_number <= LATEST_ROUND:
        return Exact(0.0, math.inf, form)
    of_round = math.log(round_number * round_number.bit_length())
    approximation = math.sqrt(squared_pair_radius(math.log, of_round, float(fewer), float(more), spread))
    return Exact(approximation, approximation * FILTER, form)


def _pair_form(round_number: int, one: int, other: int, spread: int) -> NormalForm:
    scale = Fraction(round_number * round_number.bit_length(), spread)
    grown = scale * scale * (one + spread) * (other + spread)
    thinness = Fraction(one + spread, one * one) + Fraction(other + spread, other * other)
    return NormalForm((RadicalTerm(1, thinness / 4, logs=((grown, 1),)),), 0)

"""An epsilon schedule as small data, from which every room derives what it needs: exact numbers, doubles, sums, directions.

Epsilon(t) is a sum of positive terms (see `radicals.py`)

    coefficient * sqrt(radicand) * t^exponent * sqrt(ln t)^degree      with -64 <= exponent <= 0 and |degree| <= 16.

**Doubles**, in units u = 2^-53, for rounds up to 10^300. The factor of a term takes two nearest doubles, a root and a
product (4 u). A power of t takes `pow` (`LIBM_ULPS` ulps, 8 u), a round that may not be a double (|exponent| u) and,
unless the exponent is a double, its rounding (|exponent| ln t u, below 700 |exponent| u, and below 710 u since the power
is a double); a power of ln t takes `log` (8 u, times half of the degree) and `pow` (8 u). Each product adds 1 u, and so
does each further term: all are positive. A term whose factor lies outside of the range in which that holds has no doubles.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple, Protocol, Self, TypeVar

from bufalu.reference.errors import InvalidSchedule
from bufalu.reference.exact import (
    LARGEST_FLOAT_ROUND,
    LIBM_ULPS,
    PLUS_INFINITY,
    ROUNDING,
    ZERO,
    Exact,
    check_round,
    root,
)
from bufalu.reference.radicals import NormalForm, RadicalTerm
from bufalu.reference.rationals import format_rational, is_double, many, nearest_float, rational, shown

MAX_EXPONENT, MAX_DEGREE = 64, 16
"""Of the terms of an epsilon: they have t^-64 to t^0, for which `power_of` knows its error, and sqrt(ln t) to -16 to 16."""
LARGEST_FACTOR = 1e100
"""Factors between its inverse and this leave room for the powers of t and ln t."""

UNDERFLOW = 1e-300
"""Times the factors of all terms, this covers what is lost where t^exponent leaves the range of doubles."""

LATEST_TURN = 10**6
"""A shape that rises for longer than this before it falls is walked through: nothing is known of it in advance."""


class Direction(Enum):
    """Which way a sequence is known to go; a constant one counts as never rising."""

    NONINCREASING = auto()
    NONDECREASING = auto()
    UNKNOWN = auto()


class Doubles(Protocol):
    """A double or an array of them: what adds, multiplies, divides and takes powers entry by entry."""

    def __add__(self, other: Self | float, /) -> Self:
        """The sum."""

    def __mul__(self, other: Self | float, /) -> Self:
        """The product."""

    def __truediv__(self, other: Self | float, /) -> Self:
        """The quotient."""

    def __pow__(self, other: float, /) -> Self:
        """The power."""


AnyDoubles = TypeVar("AnyDoubles", bound=Doubles)


class LogPolynomial(NamedTuple):
    """epsilon(t) = a sqrt(ln t) + b ln t, told by a^2 and b: the two budget schedules are of this kind."""

    slope_squared: Fraction
    curvature: Fraction


class _Factors(NamedTuple):
    factor: float
    exponent: float
    half_degree: float


@dataclass(frozen=True, init=False, repr=False)
class EpsilonShape:
    """A sum of terms; of none it is 0. Raises `InvalidSchedule` for a term that is not as the module's first lines say."""

    terms: tuple[RadicalTerm, ...]

    def __init__(self, terms: Iterable[RadicalTerm]) -> None:
        object.__setattr__(self, "terms", tuple(many(terms, "terms")))
        for term in self.terms:
            _check(term)

    def __str__(self) -> str:
        return " + ".join(map(_text, self.terms)) or "0"

    def __repr__(self) -> str:
        return f"<EpsilonShape {self}>"

    def at(self, round_number: int) -> Exact:
        """epsilon(t), exactly, with a double where there is a safe one; +infinity at t = 1 if some degree is negative."""
        constant = self.constant
        if constant is not None:
            return constant
        if type(round_number) is not int or round_number < 2:
            check_round(round_number)
            return self._first
        form = (NormalForm, (self.terms, round_number))
        error = self.relative_error
        if error is None or round_number > LARGEST_FLOAT_ROUND:
            return Exact(0.0, math.inf, form)
        approximation = self.doubles(round_number * 1.0, math.log(round_number))
        if not 1e-200 < approximation < 1e200:
            return Exact(0.0, math.inf, form)
        return Exact(approximation, approximation * error, form)

    def doubles(self, rounds: AnyDoubles, logarithms: AnyDoubles) -> AnyDoubles:
        """epsilon(t) for rounds t >= 2 with their ln t, as doubles or arrays of them; only where `relative_error` is known.

        Off by `relative_error` of itself, and by `least_error` where a power of t underflows.
        """
        total = None
        for factor, exponent, half_degree in self._factors:
            part = logarithms**half_degree * factor if half_degree or not exponent else rounds**exponent * factor
            if half_degree and exponent:
                part = part * rounds**exponent
            total = part if total is None else total + part
        return rounds * 0.0 if total is None else total

    @cached_property
    def relative_error(self) -> float | None:
        """How far `doubles` can be off, with room to spare; None where doubles are not safe."""
        if not all(1 / LARGEST_FACTOR <= factors.factor <= LARGEST_FACTOR for factors in self._factors):
            return None
        return ROUNDING * (max(map(_units, self.terms), default=0) + len(self.terms))

    @cached_property
    def least_error(self) -> float:
        """What `doubles` can be off by besides, where a power of t is too small for a double."""
        return UNDERFLOW * sum(factors.factor for factors in self._factors if factors.exponent)

    @cached_property
    def constant(self) -> Exact | None:
        """The number that epsilon(t) is in every round, if the round plays no role."""
        return self._first if all(term.exponent == term.degree == 0 for term in self.terms) else None

    @cached_property
    def limit(self) -> Exact:
        """What epsilon(t) tends to as t grows."""
        if any(term.exponent == 0 and term.degree > 0 for term in self.terms):
            return PLUS_INFINITY
        return EpsilonShape(term for term in self.terms if term.exponent == term.degree == 0)._first

    @cached_property
    def direction(self) -> Direction:
        """Which way epsilon(t) goes, as far as the signs of exponents and degrees tell."""
        if self.falls_from == 1:
            return Direction.NONINCREASING
        rises = all(term.exponent == 0 and term.degree >= 0 for term in self.terms)
        return Direction.NONDECREASING if rises else Direction.UNKNOWN

    @cached_property
    def falls_from(self) -> int | None:
        """A round from which epsilon(t) never rises, at most `LATEST_TURN`; None if none is known.

        t^-e (ln t)^(d/2) with e, d > 0 rises until ln t = d / 2e, and falls then.
        """
        turn = 0.0
        for term in self.terms:
            if term.degree > 0:
                if not term.exponent or term.degree > -2 * term.exponent * 14:  # exp(14) > LATEST_TURN
                    return None
                turn = max(turn, math.exp(term.degree / (-2 * nearest_float(term.exponent))))
        found = math.ceil(turn * (1 + 2.0**-40)) if turn else 1
        return found if found <= LATEST_TURN else None

    @cached_property
    def log_polynomial(self) -> LogPolynomial | None:
        """a^2 and b, if epsilon(t) = a sqrt(ln t) + b ln t with rational a^2 and b, not both 0."""
        slopes = [term for term in self.terms if term.degree == 1]
        others = [term for term in self.terms if term.degree != 1]
        if (
            not self.terms
            or len(slopes) > 1
            or any(term.exponent for term in self.terms)
            or any(term.degree != 2 or term.radicand != 1 for term in others)
        ):
            return None
        slope_squared = sum((Fraction(term.coefficient) ** 2 * term.radicand for term in slopes), Fraction(0))
        return LogPolynomial(slope_squared, sum((Fraction(term.coefficient) for term in others), Fraction(0)))

    @cached_property
    def _first(self) -> Exact:
        """epsilon(1), where t and its powers are 1 and ln t is 0."""
        if any(term.degree < 0 for term in self.terms):
            return PLUS_INFINITY
        parts = [term for term in self.terms if term.degree == 0]
        if all(term.radicand == 1 for term in parts):
            return Exact.of(rational(sum((Fraction(term.coefficient) for term in parts), Fraction(0))))
        return sum((Exact.of(term.coefficient) * root(term.radicand) for term in parts), ZERO)

    @cached_property
    def _factors(self) -> tuple[_Factors, ...]:
        return tuple(
            _Factors(
                nearest_float(term.coefficient) * math.sqrt(nearest_float(term.radicand)),
                nearest_float(term.exponent),
                term.degree / 2,
            )
            for term in self.terms
        )


def _units(term: RadicalTerm) -> float:
    """The error of a term in doubles, in units u, by the module's first lines."""
    units = 4.0
    if term.exponent:
        size = -nearest_float(term.exponent)
        units += 2 * LIBM_ULPS + size + (0 if is_double(term.exponent) else min(700 * size, 710)) + 1
    if term.degree:
        units += LIBM_ULPS * abs(term.degree) + 2 * LIBM_ULPS + 1
    return units


def _check(term: object) -> None:
    if not isinstance(term, RadicalTerm):
        raise InvalidSchedule(f"terms must hold RadicalTerm objects, not {shown(term)}")
    numbers = (term.coefficient, term.radicand, term.exponent)
    if not all(isinstance(number, int | Fraction) for number in numbers) or type(term.degree) is not int:
        raise InvalidSchedule(f"a term of epsilon has rational numbers and a whole degree, and {term} has not")
    if term.coefficient <= 0 or term.radicand <= 0:
        raise InvalidSchedule(f"the terms of epsilon are positive, and {_text(term)} is not")
    if not -MAX_EXPONENT <= term.exponent <= 0 or abs(term.degree) > MAX_DEGREE or term.variant_degree:
        raise InvalidSchedule(
            f"a term of epsilon is a number times t^e sqrt(ln t)^d with -{MAX_EXPONENT} <= e <= 0 and |d| <= {MAX_DEGREE}, "
            f"and {term} is not"
        )


def _text(term: RadicalTerm) -> str:
    factors = [format_rational(term.coefficient)] if term.coefficient != 1 else []
    if term.radicand != 1:
        factors.append(f"sqrt({format_rational(term.radicand)})")
    if term.exponent:
        factors.append(f"t^({format_rational(term.exponent)})")
    if term.degree:
        factors.append("sqrt(ln t)" if term.degree == 1 else f"sqrt(ln t)^{term.degree}")
    return " ".join(factors) or "1"

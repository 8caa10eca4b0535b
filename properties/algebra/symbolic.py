"""A typed surface over sympy: the only module of this room that touches it.

A `Term` is a real expression. Two certificates are offered for inequalities, both exact: an identity, and a
polynomial with nonnegative coefficients in nonnegative variables (after shifting them, x = lower + slack).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

import sympy

Operand: TypeAlias = "Term | int | Fraction"


class Term:
    """A real expression in positive symbols."""

    __slots__ = ("raw",)

    def __init__(self, raw: sympy.Expr) -> None:
        self.raw = raw

    def __add__(self, other: Operand) -> Term:
        return Term(self.raw + _raw(other))

    def __radd__(self, other: Operand) -> Term:
        return Term(_raw(other) + self.raw)

    def __sub__(self, other: Operand) -> Term:
        return Term(self.raw - _raw(other))

    def __rsub__(self, other: Operand) -> Term:
        return Term(_raw(other) - self.raw)

    def __mul__(self, other: Operand) -> Term:
        return Term(self.raw * _raw(other))

    def __rmul__(self, other: Operand) -> Term:
        return Term(_raw(other) * self.raw)

    def __truediv__(self, other: Operand) -> Term:
        return Term(self.raw / _raw(other))

    def __rtruediv__(self, other: Operand) -> Term:
        return Term(_raw(other) / self.raw)

    def __pow__(self, exponent: Operand) -> Term:
        return Term(self.raw ** _raw(exponent))

    def __neg__(self) -> Term:
        return Term(-self.raw)

    def __str__(self) -> str:
        return str(self.raw)

    def at(self, values: Mapping[Term, Operand]) -> Term:
        """The expression with symbols replaced, all at once."""
        pairs = {symbol.raw: _raw(value) for symbol, value in values.items()}
        return Term(self.raw.subs(pairs, simultaneous=True))

    def derivative(self, symbol: Term) -> Term:
        """The derivative with respect to a symbol."""
        return Term(sympy.diff(self.raw, symbol.raw))

    def limit(self, symbol: Term, point: Operand, side: str = "+") -> Term:
        """The limit as the symbol tends to the point from the given side."""
        return Term(sympy.limit(self.raw, symbol.raw, _raw(point), side))

    def limit_at_infinity(self, symbol: Term) -> Term:
        """The limit as the symbol tends to infinity."""
        return Term(sympy.limit(self.raw, symbol.raw, sympy.oo))

    def equals(self, other: Operand) -> bool:
        """Whether the two are identical as expressions, decided by simplification of the difference to 0."""
        difference = sympy.simplify(sympy.expand(self.raw - _raw(other), force=True))
        return bool(difference == 0) or bool(sympy.simplify(sympy.expand_log(difference, force=True)) == 0)

    @property
    def is_infinite(self) -> bool:
        """Whether this is +infinity."""
        return bool(self.raw == sympy.oo)

    def nonnegative_coefficients(self, *symbols: Term) -> bool:
        """Whether this is a polynomial in the symbols (each >= 0) with nonnegative rational coefficients, not all
        0.
        """
        polynomial = sympy.Poly(sympy.expand(self.raw), *(symbol.raw for symbol in symbols))
        coefficients = polynomial.coeffs()
        return all(bool(c.is_Rational) and bool(c >= 0) for c in coefficients) and any(
            bool(c > 0) for c in coefficients
        )


def symbols(names: str) -> tuple[Term, ...]:
    """Positive real symbols, by a list of names separated by blanks."""
    return tuple(Term(sympy.Symbol(name, positive=True)) for name in names.split())


def real_symbols(names: str) -> tuple[Term, ...]:
    """Real symbols of either sign."""
    return tuple(Term(sympy.Symbol(name, real=True)) for name in names.split())


def number(value: int | Fraction) -> Term:
    """An exact number."""
    return Term(_raw(value))


def ln(term: Operand) -> Term:
    """The natural logarithm."""
    return Term(sympy.log(_raw(term)))


def exp(term: Operand) -> Term:
    """The exponential."""
    return Term(sympy.exp(_raw(term)))


def sqrt(term: Operand) -> Term:
    """The nonnegative square root."""
    return Term(sympy.sqrt(_raw(term)))


def kl(p: Operand, q: Operand) -> Term:
    """The binary divergence p ln(p/q) + (1-p) ln((1-p)/(1-q)), logarithms expanded."""
    a, b = _raw(p), _raw(q)
    return Term(a * (sympy.log(a) - sympy.log(b)) + (1 - a) * (sympy.log(1 - a) - sympy.log(1 - b)))


def gaussian_divergence(mean: Term, other: Term) -> Term:
    """KL(N(mean, 1), N(other, 1)) by integrating the definition."""
    x = sympy.Symbol("x", real=True)
    density = sympy.exp(-((x - mean.raw) ** 2) / 2) / sympy.sqrt(2 * sympy.pi)
    ratio = ((x - other.raw) ** 2 - (x - mean.raw) ** 2) / 2
    return Term(sympy.simplify(sympy.integrate(density * sympy.expand(ratio), (x, -sympy.oo, sympy.oo))))


def _raw(value: Operand) -> sympy.Expr:
    if isinstance(value, Term):
        return value.raw
    if isinstance(value, Fraction):
        return sympy.Rational(value.numerator, value.denominator)
    return sympy.Integer(value)

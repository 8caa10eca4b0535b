"""Symbolic formulas. The only module that touches sympy, which is never given text that came from outside.

An `Expression` is built from symbols with explicit assumptions and from exact numbers. It can be printed,
differentiated, simplified, compared, and evaluated two ways: with certified enclosures, and with sympy's own
arithmetic as a check.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

import sympy

from bufalu.bounds.enclosures import INFINITE, Enclosure, Number, largest, pi, smallest
from bufalu.bounds.errors import NotEvaluable

Operand: TypeAlias = "Expression | int | Fraction"
_Sympy: TypeAlias = Any  # sympy carries no types; nothing of this type leaves the module


class Expression:
    """A formula in named symbols."""

    __slots__ = ("_expr",)

    def __init__(self, expr: _Sympy) -> None:
        self._expr: _Sympy = expr

    # ---- building

    def __add__(self, other: Operand) -> Expression:
        return Expression(self._expr + _lift(other))

    __radd__ = __add__

    def __sub__(self, other: Operand) -> Expression:
        return Expression(self._expr - _lift(other))

    def __rsub__(self, other: Operand) -> Expression:
        return Expression(_lift(other) - self._expr)

    def __mul__(self, other: Operand) -> Expression:
        return Expression(self._expr * _lift(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Operand) -> Expression:
        return Expression(self._expr / _lift(other))

    def __rtruediv__(self, other: Operand) -> Expression:
        return Expression(_lift(other) / self._expr)

    def __pow__(self, exponent: Operand) -> Expression:
        return Expression(self._expr ** _lift(exponent))

    def __neg__(self) -> Expression:
        return Expression(-self._expr)

    # ---- reading

    def latex(self) -> str:
        """The formula in LaTeX."""
        return str(sympy.latex(self._expr))

    def __str__(self) -> str:
        return str(self._expr)

    def __repr__(self) -> str:
        return f"Expression({self._expr})"

    @property
    def symbols(self) -> frozenset[str]:
        """The names of the free symbols."""
        return frozenset(str(symbol) for symbol in self._expr.free_symbols)

    # ---- algebra

    def substitute(self, values: Mapping[str, Operand]) -> Expression:
        """Replace symbols, found by name, by formulas or exact numbers."""
        pairs = {symbol: _lift(values[str(symbol)]) for symbol in self._expr.free_symbols if str(symbol) in values}
        return Expression(self._expr.subs(pairs, simultaneous=True))

    def derivative(self, name: str) -> Expression:
        """The derivative in the symbol called `name`; zero when it does not occur."""
        return Expression(sympy.diff(self._expr, self._symbol(name)))

    def limit(self, name: str, point: Operand, side: str = "+") -> Expression:
        """The limit as the symbol called `name` tends to the point, from above or from below (`side` "-")."""
        return Expression(sympy.limit(self._expr, self._symbol(name), _lift(point), side))

    def limit_at_infinity(self, name: str) -> Expression:
        """The limit as the symbol called `name` tends to infinity."""
        return Expression(sympy.limit(self._expr, self._symbol(name), sympy.oo))

    def integral_over_reals(self, name: str) -> Expression:
        """The integral over the whole real line in the symbol called `name`."""
        return Expression(
            sympy.simplify(sympy.integrate(sympy.expand(self._expr), (self._symbol(name), -sympy.oo, sympy.oo)))
        )

    def _symbol(self, name: str) -> _Sympy:
        """The free symbol called `name`, or a new one when it does not occur."""
        for symbol in self._expr.free_symbols:
            if str(symbol) == name:
                return symbol
        return sympy.Dummy(name, real=True)

    def simplified(self) -> Expression:
        """The formula as sympy simplifies it."""
        return Expression(sympy.simplify(self._expr))

    def is_identically(self, other: Operand) -> bool:
        """Whether sympy reduces the difference to zero under the symbols' assumptions (False says nothing).

        No rule is forced: ln(x^2) is 2 ln x for a positive symbol x, and is not for a real one.
        """
        difference = self._expr - _lift(other)
        expanded = sympy.expand_log(sympy.expand(difference))
        return bool(sympy.simplify(difference) == 0) or bool(sympy.simplify(expanded) == 0)

    @property
    def is_infinite(self) -> bool:
        """Whether this is +infinity."""
        return bool(self._expr == sympy.oo)

    def has_nonnegative_coefficients(self, *names: str) -> bool:
        """Whether this is a polynomial in the named symbols with nonnegative rational coefficients, not all zero.

        For nonnegative symbols that proves the formula nonnegative. Raises `NotEvaluable` if it is no polynomial.
        """
        try:
            polynomial = sympy.Poly(sympy.expand(sympy.cancel(self._expr)), *(self._symbol(name) for name in names))
        except sympy.PolynomialError:
            raise NotEvaluable(f"{self._expr} is not a polynomial in {', '.join(names)}") from None
        coefficients = polynomial.coeffs()
        rational = all(bool(coefficient.is_Rational) for coefficient in coefficients)
        return rational and min(coefficients) >= 0 and max(coefficients) > 0

    # ---- evaluating

    def evaluate(self, values: Mapping[str, Number]) -> Enclosure:
        """The certified value at numbers given by symbol name; raises `NotEvaluable` for a symbol without one."""
        return _enclose(self._expr, values)

    def rational(self, values: Mapping[str, int | Fraction]) -> Fraction:
        """The exact value at rational numbers; raises `NotEvaluable` if it is not rational."""
        result = self.substitute(values)._expr
        if not result.is_Rational:
            raise NotEvaluable(f"{self._expr} is not rational at these numbers")
        return Fraction(int(result.p), int(result.q))

    def decimal(self, values: Mapping[str, int | Fraction], digits: int = 30) -> Decimal:
        """The value to `digits` digits by sympy's own (uncertified) arithmetic: the second way to compute it."""
        result = self.substitute(values)._expr.evalf(digits)
        if result.free_symbols:
            raise NotEvaluable(f"no value for {', '.join(sorted(map(str, result.free_symbols)))}")
        return Decimal(str(result)) if result.is_finite else Decimal("Infinity")


def pi_expression() -> Expression:
    """The number pi."""
    return Expression(sympy.pi)


def number(value: int | Fraction) -> Expression:
    """A constant."""
    return Expression(_lift(value))


def positive(name: str) -> Expression:
    """A symbol for a positive real."""
    return Expression(sympy.Symbol(name, positive=True))


def positives(names: str) -> tuple[Expression, ...]:
    """Symbols for positive reals, by their names with blanks between."""
    return tuple(map(positive, names.split()))


def real(name: str) -> Expression:
    """A symbol for a real of either sign."""
    return Expression(sympy.Symbol(name, real=True))


def nonnegative(name: str) -> Expression:
    """A symbol for a real that may be zero."""
    return Expression(sympy.Symbol(name, nonnegative=True))


def counting(name: str) -> Expression:
    """A symbol for a whole number of at least one."""
    return Expression(sympy.Symbol(name, integer=True, positive=True))


def log(argument: Operand) -> Expression:
    """The natural logarithm."""
    return Expression(sympy.log(_lift(argument)))


def sqrt(argument: Operand) -> Expression:
    """The square root."""
    return Expression(sympy.sqrt(_lift(argument)))


def exp(argument: Operand) -> Expression:
    """The exponential."""
    return Expression(sympy.exp(_lift(argument)))


def minimum(*arguments: Operand) -> Expression:
    """The smallest of formulas."""
    return Expression(sympy.Min(*map(_lift, arguments)))


def maximum(*arguments: Operand) -> Expression:
    """The largest of formulas. Symbols alone are not compared, two by two, which takes long for many and gives nothing."""
    lifted = [_lift(argument) for argument in arguments]
    return Expression(
        sympy.Max(*lifted, evaluate=len(set(lifted)) == 1 or not all(each.is_Symbol for each in lifted))
    )


def summed(arguments: Iterable[Expression]) -> Expression:
    """The sum of formulas, zero over nothing."""
    return Expression(sympy.Add(*(argument._expr for argument in arguments)))


def _lift(value: Operand) -> _Sympy:
    """A sympy object for a formula or an exact number; text and floats never pass."""
    if isinstance(value, Expression):
        return value._expr
    return sympy.Rational(value.numerator, value.denominator)


def _enclose(expr: _Sympy, values: Mapping[str, Number]) -> Enclosure:  # noqa: C901, PLR0911, PLR0912 - one branch for each kind of node
    """Walk the formula with ball arithmetic."""
    if expr.is_Rational:
        return Enclosure.of(Fraction(int(expr.p), int(expr.q)))
    if expr.is_Symbol:
        name = str(expr)
        if name not in values:
            raise NotEvaluable(f"no value for {name}")
        return Enclosure.of(values[name])
    if expr is sympy.oo:
        return INFINITE
    if expr is sympy.pi:
        return pi()
    if expr.is_Pow and expr.exp.is_Rational:
        return _enclose(expr.base, values).power(Fraction(int(expr.exp.p), int(expr.exp.q)))
    arguments = [_enclose(argument, values) for argument in expr.args]
    if expr.is_Add:
        result = Enclosure.of(0)
        for argument in arguments:
            result = result + argument
        return result
    if expr.is_Mul:
        result = Enclosure.of(1)
        for argument in arguments:
            result = result * argument
        return result
    if isinstance(expr, sympy.Max):
        return largest(arguments)
    if isinstance(expr, sympy.Min):
        return smallest(arguments)
    if isinstance(expr, sympy.log):
        return arguments[0].log()
    if isinstance(expr, sympy.exp):
        return arguments[0].exp()
    if expr.is_Pow:
        base, exponent = arguments
        return (base.log() * exponent).exp()
    raise NotEvaluable(f"no certified evaluation of {type(expr).__name__}")

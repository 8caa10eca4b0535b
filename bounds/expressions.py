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
        for symbol in self._expr.free_symbols:
            if str(symbol) == name:
                return Expression(sympy.diff(self._expr, symbol))
        return Expression(sympy.Integer(0))

    def simplified(self) -> Expression:
        """The formula as sympy simplifies it."""
        return Expression(sympy.simplify(self._expr))

    def is_identically(self, other: Operand) -> bool:
        """Whether sympy reduces the difference to zero under the symbols' assumptions (False says nothing)."""
        return bool(sympy.simplify(self._expr - _lift(other)) == 0)

    def positive_solutions(self, name: str) -> tuple[Expression, ...]:
        """The formulas for the symbol `name` that make this formula zero."""
        for symbol in self._expr.free_symbols:
            if str(symbol) == name:
                return tuple(Expression(root) for root in sympy.solve(self._expr, symbol))
        return ()

    # ---- evaluating

    def evaluate(self, values: Mapping[str, Number]) -> Enclosure:
        """The certified value at numbers given by symbol name; raises `NotEvaluable` for a symbol without one."""
        return _enclose(self._expr, values)

    def decimal(self, values: Mapping[str, int | Fraction], digits: int = 30) -> Decimal:
        """The value to `digits` digits by sympy's own (uncertified) arithmetic: the second way to compute it."""
        result = self.substitute(values)._expr.evalf(digits)
        if result.free_symbols:
            raise NotEvaluable(f"no value for {', '.join(sorted(map(str, result.free_symbols)))}")
        return Decimal(str(result)) if result.is_finite else Decimal("Infinity")


def number(value: int | Fraction) -> Expression:
    """A constant."""
    return Expression(_lift(value))


def positive(name: str) -> Expression:
    """A symbol for a positive real."""
    return Expression(sympy.Symbol(name, positive=True))


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
    """The largest of formulas."""
    return Expression(sympy.Max(*map(_lift, arguments)))


def summed(arguments: Iterable[Expression]) -> Expression:
    """The sum of formulas, zero over nothing."""
    return Expression(sympy.Add(*(argument._expr for argument in arguments)))


def _lift(value: Operand) -> _Sympy:
    """A sympy object for a formula or an exact number; text and floats never pass."""
    if isinstance(value, Expression):
        return value._expr
    return sympy.Rational(value.numerator, value.denominator)


def _enclose(expr: _Sympy, values: Mapping[str, Number]) -> Enclosure:
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

"""Real numbers known to lie between two others. The only module that touches python-flint.

An `Enclosure` is an arb ball: the true value is inside, whatever was rounded on the way. Comparing two of them gives
a `Truth`, which is UNDECIDED where they overlap and then refuses to be used as a boolean.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache, partial, wraps
from typing import ParamSpec, TypeAlias, TypeVar

import flint

from bufalu.bounds.errors import OutsideDomain
from bufalu.reference.errors import UndecidedComparison
from bufalu.reference.rationals import nearest_float

DEFAULT_PRECISION = 192
"""Bits carried by every operation; the reports need about 31."""

Number: TypeAlias = "int | Fraction | float | Enclosure"

P = ParamSpec("P")
R = TypeVar("R")


class Truth(enum.Enum):
    """The answer to a comparison of enclosures: never a guess."""

    TRUE = "true"
    FALSE = "false"
    UNDECIDED = "undecided"

    def __bool__(self) -> bool:
        """True or false; raises `UndecidedComparison` when the enclosures overlap."""
        if self is Truth.UNDECIDED:
            raise UndecidedComparison("the enclosures overlap: evaluate again with more bits")
        return self is Truth.TRUE


@contextmanager
def working_precision(bits: int) -> Iterator[None]:
    """Carry `bits` bits inside the block instead of `DEFAULT_PRECISION`; raises `OutsideDomain` below 2."""
    if bits < 2:
        raise OutsideDomain(f"bits must be at least 2, not {bits}")
    before = _Precision.bits
    _Precision.bits = bits
    try:
        yield
    finally:
        _Precision.bits = before


class _Precision:
    """The precision in force; flint's own global setting is restored after every operation."""

    bits = DEFAULT_PRECISION


def remembered(function: Callable[P, R]) -> Callable[P, R]:
    """`function` of exact numbers, whose latest answers are kept, those of each precision apart."""

    @lru_cache(maxsize=256)
    def answer(_bits: int, *arguments: P.args, **named: P.kwargs) -> R:
        return function(*arguments, **named)

    return wraps(function)(lambda *arguments, **named: answer(_Precision.bits, *arguments, **named))


def _rounded(operation: Callable[[], flint.arb]) -> Enclosure:
    """The result of one flint operation at the precision in force."""
    before = flint.ctx.prec
    flint.ctx.prec = _Precision.bits
    try:
        return Enclosure(operation())
    finally:
        flint.ctx.prec = before


class Enclosure:
    """A real number, or +infinity, known to lie in an interval with rational ends."""

    __slots__ = ("_ball",)

    def __init__(self, ball: flint.arb) -> None:
        """Wrap a ball; raises `OutsideDomain` for NaN and for a ball that says nothing (of infinite radius)."""
        if not (ball.is_finite() or ball == flint.arb.pos_inf()):
            raise OutsideDomain("an operation outside its domain: the result could be any number")
        self._ball = ball

    # ---- making

    @staticmethod
    def of(value: Number) -> Enclosure:
        """The enclosure of an exact number; a float is the rational that it denotes."""
        if isinstance(value, Enclosure):
            return value
        if isinstance(value, float):
            if math.isinf(value):
                if value < 0:
                    raise OutsideDomain("minus infinity is not a value of any quantity here")
                return INFINITE
            value = Fraction(value)
        numerator, denominator = value.numerator, value.denominator
        if denominator == 1:
            return _rounded(lambda: flint.arb(numerator) + 0)
        return _rounded(lambda: flint.arb(flint.fmpq(numerator, denominator)))

    @staticmethod
    def between(lower: int | Fraction, upper: int | Fraction) -> Enclosure:
        """The smallest ball at hand around [lower, upper]; raises `OutsideDomain` when it is empty."""
        if lower > upper:
            raise OutsideDomain(f"the interval [{lower}, {upper}] is empty")
        low, high = Enclosure.of(lower), Enclosure.of(upper)
        return _rounded(lambda: low._ball.union(high._ball))

    # ---- reading

    @property
    def is_infinite(self) -> bool:
        """Whether the value is +infinity."""
        return not self._ball.is_finite()

    @property
    def is_positive(self) -> bool:
        """Whether every number of the enclosure is positive."""
        return (self > 0) is Truth.TRUE

    @property
    def is_negative(self) -> bool:
        """Whether every number of the enclosure is negative."""
        return (self < 0) is Truth.TRUE

    @property
    def lower(self) -> Fraction:
        """The exact lower end; raises `OutsideDomain` when infinite."""
        return self._end(upper=False)

    @property
    def upper(self) -> Fraction:
        """The exact upper end; raises `OutsideDomain` when infinite."""
        return self._end(upper=True)

    def _end(self, *, upper: bool) -> Fraction:
        if self.is_infinite:
            raise OutsideDomain("an infinite value has no finite ends")
        end = _rounded(lambda: self._ball.upper() if upper else self._ball.lower())._ball
        mantissa, exponent = map(int, end.man_exp())
        return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)

    @property
    def lower_float(self) -> float:
        """The largest double not above the value that is at hand."""
        return math.inf if self.is_infinite else _rounded_down(self.lower)

    @property
    def upper_float(self) -> float:
        """The smallest double not below the value that is at hand."""
        return math.inf if self.is_infinite else 0.0 - _rounded_down(-self.upper)

    def __float__(self) -> float:
        return math.inf if self.is_infinite else nearest_float((self.lower + self.upper) / 2)

    @property
    def relative_width(self) -> float:
        """(upper - lower) / |the end nearer to zero|; zero for an exact number, infinite when zero is inside."""
        lower, upper = self.lower, self.upper
        if lower == upper:
            return 0.0
        if lower <= 0 <= upper:
            return math.inf
        return nearest_float((upper - lower) / min(abs(lower), abs(upper)))

    def as_json(self) -> dict[str, float] | None:
        """`{"lower": x, "upper": y}` rounded outwards to doubles; None when infinite."""
        if self.is_infinite:
            return None
        return {"lower": self.lower_float, "upper": self.upper_float}

    def contains(self, value: Number) -> bool:
        """Whether every point of `value` lies inside this enclosure."""
        other = Enclosure.of(value)
        if self.is_infinite or other.is_infinite:
            return self.is_infinite and other.is_infinite
        if isinstance(value, int | Fraction):
            return self.lower <= value <= self.upper
        return self.lower <= other.lower and other.upper <= self.upper

    def overlaps(self, value: Number) -> bool:
        """Whether the two can be the same number."""
        other = Enclosure.of(value)
        if self.is_infinite or other.is_infinite:
            return self.is_infinite and other.is_infinite
        return self.lower <= other.upper and other.lower <= self.upper

    def integer_part(self) -> int | None:
        """The floor of the value, or None when the ball does not decide it."""
        lower, upper = math.floor(self.lower), math.floor(self.upper)
        return lower if lower == upper else None

    def __str__(self) -> str:
        return f"{float(self):.8g}"

    def __repr__(self) -> str:
        if self.is_infinite:
            return "Enclosure(infinite)"
        return f"Enclosure({float(self):.12g} +/- {float(self.upper - self.lower) / 2:.2g})"

    # ---- comparing

    def _compare(self, value: Number, *, strict: bool) -> Truth:
        """Whether self < value (strict) or self <= value, for every choice of points inside."""
        other = Enclosure.of(value)
        if other.is_infinite:
            return Truth.FALSE if self.is_infinite and strict else Truth.TRUE
        if self.is_infinite:
            return Truth.FALSE
        exact = value if isinstance(value, int | Fraction) else None
        low, high = (exact, exact) if exact is not None else (other.lower, other.upper)
        if self.upper < low or (self.upper == low and not strict):
            return Truth.TRUE
        if self.lower > high or (self.lower == high and strict):
            return Truth.FALSE
        return Truth.UNDECIDED

    def __lt__(self, other: Number) -> Truth:
        return self._compare(other, strict=True)

    def __le__(self, other: Number) -> Truth:
        return self._compare(other, strict=False)

    def __gt__(self, other: Number) -> Truth:
        return _NOT[self._compare(other, strict=False)]

    def __ge__(self, other: Number) -> Truth:
        return _NOT[self._compare(other, strict=True)]

    # ---- arithmetic

    def __add__(self, other: Number) -> Enclosure:
        right = Enclosure.of(other)
        return INFINITE if self.is_infinite or right.is_infinite else _rounded(lambda: self._ball + right._ball)

    __radd__ = __add__

    def __neg__(self) -> Enclosure:
        if self.is_infinite:
            raise OutsideDomain("minus infinity is not a value of any quantity here")
        return _rounded(lambda: -self._ball)

    def __sub__(self, other: Number) -> Enclosure:
        return self + (-Enclosure.of(other))

    def __rsub__(self, other: Number) -> Enclosure:
        return Enclosure.of(other) + (-self)

    def __mul__(self, other: Number) -> Enclosure:
        right = Enclosure.of(other)
        if self.is_infinite or right.is_infinite:
            finite = self if right.is_infinite else right
            if not (finite.is_infinite or finite > 0):
                raise OutsideDomain("infinity times a number that is not positive")
            return INFINITE
        return _rounded(lambda: self._ball * right._ball)

    __rmul__ = __mul__

    def __truediv__(self, other: Number) -> Enclosure:
        """The quotient, with x / inf = 0 and x / 0 = +inf for x > 0 (the paper's conventions)."""
        right = Enclosure.of(other)
        if right.is_infinite:
            if self.is_infinite:
                raise OutsideDomain("infinity over infinity")
            return Enclosure.of(0)
        if self.is_infinite:
            return INFINITE
        if right.is_zero:
            if self > 0:
                return INFINITE
            raise OutsideDomain("a number that is not positive over zero")
        return _rounded(lambda: self._ball / right._ball)

    def __rtruediv__(self, other: Number) -> Enclosure:
        return Enclosure.of(other) / self

    @property
    def is_zero(self) -> bool:
        """Whether the value is exactly zero."""
        return self._ball.is_zero()

    def squared(self) -> Enclosure:
        """The square, never negative."""
        return INFINITE if self.is_infinite else _rounded(lambda: self._ball**2)

    def sqrt(self) -> Enclosure:
        """The square root of a nonnegative number."""
        return INFINITE if self.is_infinite else _rounded(self._ball.sqrt)

    def log(self) -> Enclosure:
        """The natural logarithm of a positive number."""
        return INFINITE if self.is_infinite else _rounded(self._ball.log)

    def exp(self) -> Enclosure:
        """The exponential."""
        return INFINITE if self.is_infinite else _rounded(self._ball.exp)

    def power(self, exponent: int | Fraction) -> Enclosure:
        """A power with rational exponent of a nonnegative number; 0^0 is 1."""
        if self.is_infinite:
            if exponent > 0:
                return INFINITE
            return Enclosure.of(0 if exponent < 0 else 1)
        if exponent == 0:
            return Enclosure.of(1)
        if self.is_zero:
            return INFINITE if exponent < 0 else Enclosure.of(0)
        if exponent.denominator == 1:
            return _rounded(lambda: self._ball**exponent.numerator)
        exact = Enclosure.of(exponent)
        return _rounded(lambda: self._ball**exact._ball)

    # ---- special functions

    def hurwitz_zeta(self, start: Number) -> Enclosure:
        """The analytic continuation of the sum of (start + k)^(-self) over k >= 0."""
        offset = Enclosure.of(start)
        return _rounded(lambda: self._ball.zeta(offset._ball))

    def digamma(self) -> Enclosure:
        """The logarithmic derivative of the gamma function: at n + 1 it exceeds that at n by 1/n."""
        return _rounded(self._ball.digamma)

    def exponential_integral(self) -> Enclosure:
        """Ei, an antiderivative of exp(x) / x."""
        return _rounded(self._ball.ei)

    def confluent_hypergeometric(self, upper: Number, lower: Number) -> Enclosure:
        """1F1(upper; lower; self)."""
        above, below = Enclosure.of(upper), Enclosure.of(lower)
        return _rounded(lambda: self._ball.hypgeom_1f1(above._ball, below._ball))


def pi() -> Enclosure:
    """The number pi."""
    return _rounded(flint.arb.pi)


def smallest(values: Iterable[Number]) -> Enclosure:
    """The minimum of numbers; +infinity over nothing."""
    result = INFINITE
    for value in map(Enclosure.of, values):
        if result.is_infinite:
            result = value
        elif not value.is_infinite:
            result = _rounded(partial(result._ball.min, value._ball))
    return result


def largest(values: Iterable[Number]) -> Enclosure:
    """The maximum of nonnegative numbers; zero over nothing."""
    result = Enclosure.of(0)
    for value in map(Enclosure.of, values):
        if result.is_infinite or value.is_infinite:
            return INFINITE
        result = _rounded(partial(result._ball.max, value._ball))
    return result


def total(values: Iterable[Number]) -> Enclosure:
    """The sum of numbers, zero over nothing."""
    result = Enclosure.of(0)
    for value in values:
        result = result + value
    return result


def _rounded_down(value: Fraction) -> float:
    """The largest double that is not above `value`."""
    nearest = nearest_float(value)
    if nearest == math.inf or (math.isfinite(nearest) and Fraction(nearest) > value):
        return math.nextafter(nearest, -math.inf)
    return nearest


_NOT = {Truth.TRUE: Truth.FALSE, Truth.FALSE: Truth.TRUE, Truth.UNDECIDED: Truth.UNDECIDED}

INFINITE = Enclosure(flint.arb.pos_inf())
"""The value +infinity."""

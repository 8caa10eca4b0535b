"""Rational numbers in and out of text. A float is the rational that it denotes; `0.1` in text is one tenth."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TypeAlias

from bufalu.reference.errors import InvalidNumber

Rational: TypeAlias = int | Fraction
"""An exact number; whole numbers are kept as `int` because sums of them are much faster."""

_FRACTION = re.compile(r"([+-]?\d+)(?:/(\d+))?", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE]([+-]?\d+))?", re.ASCII)
MAX_TEXT_LENGTH = 400
MAX_DECIMAL_EXPONENT = 400


def rational(value: int | Fraction | float) -> Rational:
    """The exact rational that `value` denotes; raises `InvalidNumber` for NaN and infinities."""
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InvalidNumber(f"{value} is not a finite number")
        value = Fraction(value)
    return value.numerator if value.denominator == 1 else Fraction(value)


def parse_rational(text: str) -> Rational:
    """The rational written as `p/q`, as a whole number or as a decimal (`0.1` is 1/10).

    Raises `InvalidNumber` for anything else, for a zero denominator, and for texts or exponents so long that
    writing the number out would be an attack rather than a number.
    """
    stripped = text.strip()
    if len(stripped) > MAX_TEXT_LENGTH:
        raise InvalidNumber(f"a number of {len(stripped)} characters is too long (at most {MAX_TEXT_LENGTH})")
    if match := _FRACTION.fullmatch(stripped):
        denominator = int(match[2] or 1)
        if denominator == 0:
            raise InvalidNumber(f"'{stripped}' divides by zero")
        return rational(Fraction(int(match[1]), denominator))
    if match := _DECIMAL.fullmatch(stripped):
        if match[1] is not None and abs(int(match[1])) > MAX_DECIMAL_EXPONENT:
            raise InvalidNumber(f"'{stripped}' has an exponent beyond {MAX_DECIMAL_EXPONENT}")
        return rational(Fraction(stripped))
    raise InvalidNumber(f"'{stripped}' is not a number (write 1/4, 0.25 or 3)")


def nearest_float(value: Rational) -> float:
    """The double nearest to `value`; infinite when it is beyond the largest one."""
    try:
        return value.numerator / value.denominator
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def is_double(value: Rational) -> bool:
    """Whether `value` is exactly a finite binary64 number."""
    approximation = nearest_float(value)
    return math.isfinite(approximation) and Fraction(approximation) == value


def format_rational(value: Rational) -> str:
    """`p/q`, or `p` for a whole number; `parse_rational` reads it back."""
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"

"""Rational numbers in and out of text. A float is the rational that it denotes; `0.1` in text is one tenth."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from bufalu.reference.errors import InvalidNumber

Rational: TypeAlias = int | Fraction
"""An exact number; whole numbers are kept as `int` because sums of them are much faster."""

_FRACTION = re.compile(r"([+-]?\d+)(?:/(\d+))?", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE]([+-]?\d+))?", re.ASCII)
_SHORT_DECIMAL = re.compile(r"(\d{1,19})\.(\d{1,19})", re.ASCII)
"""Most numbers of long lists; read as the others, only sooner."""
_POWERS_OF_TEN = [10**digits for digits in range(20)]
MAX_TEXT_LENGTH = 400
MAX_WRITTEN_LENGTH = 8000
"""What files that we wrote ourselves may hold: the numbers of the command line are short, their means need not be."""

MAX_DECIMAL_EXPONENT = 400

LARGEST_COUNT = 10**18
"""Numbers of rounds, seeds and processes end here."""


def rational(value: int | Fraction | float) -> Rational:
    """The exact rational that `value` denotes; raises `InvalidNumber` for NaN, infinities and what is no number."""
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InvalidNumber(f"{value} is not a finite number")
        value = Fraction(value)
    if not isinstance(value, int | Fraction):
        raise InvalidNumber(f"a {type(value).__name__} is not an exact number (give an int, a Fraction or a float)")
    return value if isinstance(value, Fraction) and value.denominator != 1 else value.numerator


def parse_rational(text: str, longest: int = MAX_TEXT_LENGTH) -> Rational:
    """The rational written as `p/q`, as a whole number or as a decimal (`0.1` is 1/10).

    Raises `InvalidNumber` for anything else, for a zero denominator, and for texts (of more than `longest`
    characters) or exponents so long that writing the number out would be an attack rather than a number.
    """
    stripped = text.strip()
    if len(stripped) > longest:
        raise InvalidNumber(f"a number of {len(stripped)} characters is too long (at most {longest})")
    if match := _SHORT_DECIMAL.fullmatch(stripped):
        return rational(Fraction(int(match[1] + match[2]), _POWERS_OF_TEN[len(match[2])]))
    if match := _FRACTION.fullmatch(stripped):
        denominator = _whole(match[2] or "1")
        if denominator == 0:
            raise InvalidNumber(f"'{stripped}' divides by zero")
        return rational(Fraction(_whole(match[1]), denominator))
    if match := _DECIMAL.fullmatch(stripped):
        if match[1] is not None and abs(int(match[1])) > MAX_DECIMAL_EXPONENT:
            raise InvalidNumber(f"'{stripped}' has an exponent beyond {MAX_DECIMAL_EXPONENT}")
        return rational(Fraction(Decimal(stripped)))
    raise InvalidNumber(f"'{stripped}' is not a number (write 1/4, 0.25 or 3)")


def parse_count(text: str) -> int:
    """The whole number written `1000000`, `1_000_000` or `1e6`, from 0 to LARGEST_COUNT; raises `InvalidNumber`."""
    plain = re.sub(r"(?<=\d)_(?=\d)", "", text.strip(), flags=re.ASCII)
    refusal = f"'{text}' is not a whole number between 0 and 10^18 (write 1000000, 1_000_000 or 1e6)"
    try:
        number = parse_rational(plain)
    except InvalidNumber:
        raise InvalidNumber(refusal) from None
    if "/" in plain or plain[:1] in "+-" or number.denominator != 1 or not 0 <= number <= LARGEST_COUNT:
        raise InvalidNumber(refusal)
    return int(number)


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
    numerator = _digits(value.numerator)
    return numerator if value.denominator == 1 else f"{numerator}/{_digits(value.denominator)}"


def _whole(text: str) -> int:
    """The whole number in `text`; `int` alone refuses more than 4300 digits."""
    return int(Decimal(text))


def _digits(number: int) -> str:
    """The digits of a whole number; `str` alone refuses more than 4300 of them."""
    return str(Decimal(number)) if number.bit_length() > 10_000 else str(number)

"""Rational numbers in and out of text, and as arguments.

`0.1` in text is one tenth. A float that is an argument is read in one of two ways: a *parameter* (a mean, a constant, a
price) is the decimal that it shows, so that 0.13 is 13/100 as on the command line; *data* (an observed reward, an epsilon
that a program computed) is the binary64 that it is.
"""

from __future__ import annotations

import math
import numbers
import operator
import re
from collections.abc import Iterable, Mapping, Set
from decimal import Decimal
from fractions import Fraction
from typing import SupportsFloat, SupportsIndex, TypeAlias, TypeVar

from bufalu.reference.errors import InvalidNumber

Rational: TypeAlias = int | Fraction
"""An exact number; whole numbers are kept as `int` because sums of them are much faster."""

NumberLike: TypeAlias = SupportsFloat | SupportsIndex | str
"""A number as people have it: int, Fraction, Decimal, float, a text such as "1/4" or "0.25", or a scalar of numpy."""

CountLike: TypeAlias = SupportsIndex | float
"""A whole number as people have it: int, a whole float such as 1e6, or an integer of numpy."""

T = TypeVar("T")

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


def parameter(value: NumberLike, name: str) -> Rational:
    """A number that somebody wrote down: a float is the decimal that it shows, in its own precision (float32 too).

    Raises `InvalidNumber` naming the argument for what is no finite number, truth values included.
    """
    if isinstance(value, float):  # numpy's doubles too, whose own text says more than the number
        value = float(value)
        return data(str(value) if math.isfinite(value) else value, name)
    if isinstance(value, numbers.Real) and not isinstance(value, numbers.Rational):
        return data(str(value), name)
    return data(value, name)


def data(value: NumberLike, name: str) -> Rational:
    """A number that was observed or computed: a float is the binary number that it is.

    Raises `InvalidNumber` naming the argument for what is no finite number, truth values included.
    """
    if type(value) is int:
        return value
    if type(value) is Fraction or type(value) is float:
        if type(value) is not float or math.isfinite(value):
            return rational(value)
    elif isinstance(value, str | Decimal):
        try:
            return parse_rational(str(value))
        except InvalidNumber as problem:
            raise InvalidNumber(f"{name}: {problem}") from None
    elif isinstance(value, numbers.Real) and not _is_truth_value(value):
        try:
            return rational(Fraction(*_ratio(value)))
        except (TypeError, ValueError, OverflowError, AttributeError, ZeroDivisionError):
            pass
    raise InvalidNumber(f'{name} must be a finite number (0.25, "1/4", a Fraction), not {shown(value)}')


def whole_number(value: CountLike, name: str, least: int = 0, most: int = LARGEST_COUNT) -> int:
    """A whole number between two others; raises `InvalidNumber` naming the argument otherwise."""
    if type(value) is int and least <= value <= most:
        return value
    if not _is_truth_value(value):
        try:
            number = int(value) if isinstance(value, float) and value.is_integer() else operator.index(value)  # type: ignore[arg-type]  # what has no index is refused
            if least <= number <= most:
                return number
        except (TypeError, ValueError, OverflowError):
            pass
    limits = f"of at least {least}" if most >= LARGEST_COUNT else f"from {least} to {most}"
    raise InvalidNumber(f"{name} must be a whole number {limits}, not {shown(value)}")


def many(values: Iterable[T], name: str) -> Iterable[T]:
    """A list, an array or the like; raises `InvalidNumber` naming the argument for a text and for what is no collection."""
    if isinstance(values, str | bytes | Mapping | Set) or not isinstance(values, Iterable) or _ndim(values) == 0:
        raise InvalidNumber(f"{name} must be a list, not {shown(values)}")
    return values


def _ndim(values: object) -> object:
    """How many dimensions an array of numpy has: one of none cannot be gone through."""
    return getattr(values, "ndim", None)


def truth_value(value: bool, name: str) -> bool:
    """True or False, numpy's too; raises `InvalidNumber` naming the argument for anything else ("no" is true in Python)."""
    if _is_truth_value(value):
        return bool(value)
    raise InvalidNumber(f"{name} must be True or False, not {shown(value)}")


def _is_truth_value(value: object) -> bool:
    """Python's or numpy's, which are called alike."""
    return type(value).__name__ in ("bool", "bool_")


def shown(value: object) -> str:
    """Something that was given instead, short enough for a sentence."""
    try:
        text = repr(value)
    except Exception:  # a foreign object, or a whole number of too many digits
        text = f"a {type(value).__name__}"
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:40]}... (a {type(value).__name__})"


def _ratio(value: numbers.Real) -> tuple[int, int]:
    """Numerator and denominator of a foreign number, such as a scalar of numpy."""
    if isinstance(value, numbers.Rational):
        return int(value.numerator), int(value.denominator)
    ratio: tuple[int, int] = value.as_integer_ratio()  # type: ignore[attr-defined]  # every float type of numpy has it
    return ratio


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


def parse_count(text: str, least: int = 0) -> int:
    """The whole number written `1000000`, `1_000_000` or `1e6`, from `least` to LARGEST_COUNT; raises `InvalidNumber`."""
    plain = re.sub(r"(?<=\d)_(?=\d)", "", text.strip(), flags=re.ASCII)
    refusal = f"'{text}' is not a whole number between {least} and 10^18 (write 1000000, 1_000_000 or 1e6)"
    try:
        number = parse_rational(plain)
    except InvalidNumber:
        raise InvalidNumber(refusal) from None
    if "/" in plain or plain[:1] in "+-" or number.denominator != 1 or not least <= number <= LARGEST_COUNT:
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

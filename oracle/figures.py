"""Exact numbers as decimals that are right in every digit."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal

from bufalu.reference.exact import Exact

DIGITS = 9
"""Of a figure, where nothing else is said."""


def certified(number: Exact, digits: int = DIGITS) -> str:
    """A decimal of `digits` significant digits, correctly rounded: both ends of an enclosure round to it."""
    if number.is_infinite:
        return "+inf" if number.approximation > 0 else "-inf"
    rounding = Context(prec=digits, rounding=ROUND_HALF_EVEN)
    for more in (5, 20, 80):
        lower, upper = number.enclosure(digits + more)
        if rounding.plus(lower) == rounding.plus(upper):
            return plain(rounding.plus(lower))
    lower, upper = number.enclosure(digits)
    return f"[{plain(lower)}, {plain(upper)}]"


def plain(number: Decimal) -> str:
    """A decimal without needless zeros or exponents."""
    text = f"{number:f}" if -30 < number.adjusted() < 30 else str(number)
    return text.rstrip("0").rstrip(".") if "." in text and "E" not in text else text

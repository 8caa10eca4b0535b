"""`Exact`: the ordered numbers that the policies run on. A double answers first; algebra answers what it cannot.

Each number carries a double `approximation`, a bound `error` on its distance from the truth, and the exact sum of
radicals (`radicals.py`), built only when it is needed. Two numbers are ordered by their approximations when these are
further apart than the two errors, else by the exact sign.

**Why the filter is sound.** With u = 2^-53 every stored `error` is at least (1 + 2^-40) times a true bound. If fl(y -
x) > fl(error_x + error_y) > 0, then y - x >= fl(y - x) / (1 + u) > (error_x + error_y)(true), because 2^-40 dwarfs
the two roundings; with both errors zero the floating difference of two doubles has the right sign (gradual
underflow). NaN, from comparing equal infinities, fails every test and falls through to the exact path.

**What is assumed of the platform**, and tested in tests/reference/test_platform.py: doubles are IEEE 754 binary64
with correctly rounded + - * / and sqrt, and libm's `log` and `pow` are within `LIBM_ULPS` units in the last place.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import total_ordering
from typing import TypeAlias

from bufalu.reference.errors import InvalidNumber, NoNumber
from bufalu.reference.radicals import NormalForm, RadicalTerm
from bufalu.reference.rationals import Rational, nearest_float, shown

LIBM_ULPS = 4
"""How far libm's log and pow may be off; glibc promises 1."""

ROUNDING = 2.0**-52
"""Twice the unit roundoff: covers one correctly rounded operation with room for the safety factor."""

LARGEST_FLOAT_ROUND = 2**1000
"""Rounds beyond are not turned into doubles."""

FILTER = 2.0**-48
"""32 u: covers a confidence bound (see `confidence.py`), whose roundings add up to less than 21 u."""

_INFINITE = math.inf

_PARTS_OF_PARTS = 4
"""How deep two numbers are looked at for being written alike: enough for every figure of a policy."""

Deferred: TypeAlias = tuple[Callable[..., NormalForm], tuple[object, ...]]
"""An exact form that has not been built yet: a function and its arguments."""


@total_ordering
class Exact:
    """A real number or an infinity, compared without tolerance."""

    __slots__ = ("_form", "approximation", "error")

    def __init__(self, approximation: float, error: float, form: NormalForm | Deferred) -> None:
        self.approximation = approximation
        self.error = error
        self._form = form

    @staticmethod
    def of(value: Rational) -> Exact:
        """The rational number `value`."""
        if not isinstance(value, int | Fraction):
            raise InvalidNumber(f"value must be an int or a Fraction, not {shown(value)}")
        approximation = nearest_float(value)
        if math.isinf(approximation):
            # Beyond the doubles: an infinite error sends every comparison to the exact path.
            return Exact(0.0, math.inf, rational_form(value))
        exact = approximation.as_integer_ratio() == (value.numerator, value.denominator)
        error = 0.0 if exact else abs(approximation) * ROUNDING + 5e-324
        return Exact(approximation, error, (rational_form, (value,)))

    @property
    def is_infinite(self) -> bool:
        """Whether this is +infinity or -infinity."""
        return math.isinf(self.approximation)

    def form(self) -> NormalForm:
        """The exact sum of radicals; raises `NoNumber` for an infinity, which has none."""
        if self.is_infinite:
            raise NoNumber("an infinity has no exact form")
        if isinstance(self._form, NormalForm):
            return self._form
        # Parts first, without recursion: a sum of thousands of numbers is as deep as it is long.
        waiting = [self]
        while waiting:
            number = waiting[-1]
            if isinstance(number._form, NormalForm):
                waiting.pop()
                continue
            build, arguments = number._form
            unbuilt = [
                part for part in arguments if isinstance(part, Exact) and not isinstance(part._form, NormalForm)
            ]
            if unbuilt:
                waiting += unbuilt
            else:
                number._form = build(*arguments)
        return self.form()

    def sign(self) -> int:
        """-1, 0 or 1."""
        if self.approximation > self.error:
            return 1
        if self.approximation < -self.error:
            return -1
        return self.form().sign()

    def enclosure(self, digits: int) -> tuple[Decimal, Decimal]:
        """Lower and upper bounds that agree to about `digits` significant digits (never wrong, possibly a few digits
        wider).
        """
        if self.is_infinite:
            return Decimal(self.approximation), Decimal(self.approximation)
        reduced = self.form().reduced()
        if not reduced.terms:
            return Decimal(0), Decimal(0)
        precision = digits + 10
        while True:
            value, error = reduced.evaluate(precision)
            if value.copy_abs().scaleb(-digits) > error:
                down = Context(prec=digits + 2, rounding=ROUND_FLOOR)
                up = Context(prec=digits + 2, rounding=ROUND_CEILING)
                return down.subtract(value, error), up.add(value, error)
            precision *= 2

    def __lt__(self, other: Exact) -> bool:
        gap = other.approximation - self.approximation
        slack = self.error + other.error
        if gap > slack:
            return True
        if gap < -slack:
            return False
        return _exact_order(self, other) < 0

    def __le__(self, other: Exact) -> bool:
        gap = other.approximation - self.approximation
        slack = self.error + other.error
        if gap > slack:
            return True
        if gap < -slack:
            return False
        return _exact_order(self, other) <= 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Exact):
            return NotImplemented
        if abs(other.approximation - self.approximation) > self.error + other.error:
            return False
        return _exact_order(self, other) == 0

    # Equal numbers may be written in different ways, so there is no cheap hash that respects equality.
    __hash__ = None  # type: ignore[assignment]  # the documented way to make a class unhashable

    def __add__(self, other: Exact) -> Exact:
        approximation = self.approximation + other.approximation
        if not math.isfinite(approximation):
            return _infinite_sum(self, other)
        error = (self.error + other.error) * (1 + 2.0**-40) + abs(approximation) * ROUNDING
        return Exact(approximation, error, (_sum_form, (self, other)))

    def __sub__(self, other: Exact) -> Exact:
        approximation = self.approximation - other.approximation
        if not -_INFINITE < approximation < _INFINITE:
            return _infinite_sum(self, -other)
        error = (self.error + other.error) * (1 + 2.0**-40) + abs(approximation) * ROUNDING
        return Exact(approximation, error, (_difference_form, (self, other)))

    def __neg__(self) -> Exact:
        return Exact(-self.approximation, self.error, (_negated_form, (self,)))

    def __mul__(self, other: Exact) -> Exact:
        if self.is_infinite or other.is_infinite:
            direction = self.sign() * other.sign()
            if direction == 0:
                raise NoNumber("0 times infinity is not a number")
            return PLUS_INFINITY if direction > 0 else MINUS_INFINITY
        approximation = self.approximation * other.approximation
        error = (
            abs(self.approximation) * other.error + abs(other.approximation) * self.error + self.error * other.error
        ) * (1 + 2.0**-40) + abs(approximation) * ROUNDING
        if not (math.isfinite(approximation) and error >= 1e-290 and math.isfinite(error)):
            # Too large or too small for the error analysis: only the exact path may decide.
            approximation, error = 0.0, math.inf
        return Exact(approximation, error, (_product_form, (self, other)))

    def __float__(self) -> float:
        """A double within `error` of the number, for display and for filters."""
        if self.is_infinite or (self.error == 0.0):
            return self.approximation
        lower, _ = self.enclosure(20)
        return float(lower)

    def __repr__(self) -> str:
        return f"Exact({float(self):.17g})"


def rational_form(value: Rational) -> NormalForm:
    """The form of a rational number."""
    return NormalForm((RadicalTerm(value),), 0)


def root(radicand: Rational) -> Exact:
    """The square root of a nonnegative rational; raises `InvalidNumber` for anything else."""
    if not isinstance(radicand, int | Fraction) or radicand < 0:
        raise InvalidNumber(f"radicand must be an int or a Fraction of at least 0, not {shown(radicand)}")
    if radicand == 0:
        return ZERO
    approximation = math.sqrt(nearest_float(radicand))
    if not 1e-150 < approximation < 1e150:
        return Exact(0.0, math.inf, NormalForm((RadicalTerm(1, radicand),), 0))
    return Exact(approximation, approximation * 2 * ROUNDING, NormalForm((RadicalTerm(1, radicand),), 0))


def log_root(round_number: int, power: int = 1) -> Exact:
    """sqrt(ln t)^power; at t = 1 it is 0, 1 or +infinity for positive, zero and negative powers.

    Raises `InvalidNumber` for a round below 1 or a power that is not whole.
    """
    check_round(round_number)
    if type(power) is not int:
        raise InvalidNumber(f"power must be a whole number, not {shown(power)}")
    if power == 0:
        return ONE
    if round_number == 1:
        return ZERO if power > 0 else PLUS_INFINITY
    form = (_log_form, (round_number, power))
    try:
        approximation = math.log(round_number) ** (power / 2)
    except OverflowError:
        approximation = math.inf
    if not 1e-150 < approximation < 1e150:
        # Relative errors mean nothing near the ends of the doubles: only the exact path may decide.
        return Exact(0.0, math.inf, form)
    # log: LIBM_ULPS ulps (2u each) raised to power/2; pow: LIBM_ULPS more.
    error = approximation * ROUNDING * LIBM_ULPS * (abs(power) + 2)
    return Exact(approximation, error, form)


_POWER_ERROR = 700 * ROUNDING
"""Of a power of t, relatively; `power_of` derives it."""


def power_of(round_number: int, exponent: Rational) -> Exact:
    """t^exponent for a rational exponent (if the power leaves the range of doubles: slower, still exact).

    Raises `InvalidNumber` for a round below 1 or an exponent that is not rational.
    """
    check_round(round_number)
    if not isinstance(exponent, int | Fraction):
        raise InvalidNumber(f"exponent must be an int or a Fraction, not {shown(exponent)}")
    if round_number == 1 or exponent == 0:
        return ONE
    slope = nearest_float(exponent)
    form = (_power_form, (round_number, exponent))
    if abs(slope) > 64 or round_number > LARGEST_FLOAT_ROUND:
        return Exact(0.0, math.inf, form)
    try:
        approximation = float(round_number) ** slope
    except OverflowError:
        approximation = math.inf
    if not 1e-260 < approximation < 1e260:
        return Exact(0.0, math.inf, form)
    # pow: LIBM_ULPS ulps. Rounding t to a double costs |exponent| u <= 64 u, rounding the exponent |exponent| ln t u,
    # which is |ln(t^exponent)| u < 600 u: together less than 700 twice-u.
    return Exact(approximation, approximation * _POWER_ERROR, form)


def check_round(round_number: int) -> None:
    """Raises `InvalidNumber` unless this is a whole number of at least 1."""
    if type(round_number) is not int or round_number < 1:
        raise InvalidNumber(f"round_number must be a whole number of at least 1, not {shown(round_number)}")


def _log_form(round_number: int, power: int) -> NormalForm:
    return NormalForm((RadicalTerm(1, degree=power),), round_number)


def _power_form(round_number: int, exponent: Rational) -> NormalForm:
    return NormalForm((RadicalTerm(1, exponent=exponent),), round_number)


def _sum_form(left: Exact, right: Exact) -> NormalForm:
    return left.form().plus(right.form())


def _difference_form(left: Exact, right: Exact) -> NormalForm:
    return left.form().minus(right.form())


def _negated_form(number: Exact) -> NormalForm:
    return number.form().negated()


def _product_form(left: Exact, right: Exact) -> NormalForm:
    return left.form().times(right.form())


def _exact_order(left: Exact, right: Exact) -> int:
    if math.isinf(left.approximation) or math.isinf(right.approximation):
        # First of all, since an infinity has no form that could be looked at.
        if left.approximation == right.approximation:
            return 0
        return -1 if left.approximation == -math.inf or right.approximation == math.inf else 1
    if _written_alike(left._form, right._form):
        # Written alike, hence equal: the commonest real tie (equal counts, equal sums) needs no algebra.
        return 0
    return left.form().minus(right.form()).sign()


def _written_alike(left: NormalForm | Deferred, right: NormalForm | Deferred, depth: int = _PARTS_OF_PARTS) -> bool:
    if isinstance(left, NormalForm) or isinstance(right, NormalForm):
        return left == right
    (build, parts), (other_build, other_parts) = left, right
    if build != other_build:
        return False
    for part, other in zip(parts, other_parts, strict=True):
        if part is other:
            continue
        if not isinstance(part, Exact) or not isinstance(other, Exact):
            if part != other:
                return False
        # Exact numbers are not compared, which is the question itself, but looked at in their turn: infinities have no form.
        elif not (depth and part.approximation == other.approximation) or not _written_alike(
            part._form, other._form, depth - 1
        ):
            return False
    return True


def _infinite_sum(left: Exact, right: Exact) -> Exact:
    if left.is_infinite or right.is_infinite:
        if left.is_infinite and right.is_infinite and left.approximation != right.approximation:
            raise NoNumber(
                "infinity minus infinity is not a number: intervals of too few answers have no ends to subtract"
            )
        return PLUS_INFINITY if math.inf in (left.approximation, right.approximation) else MINUS_INFINITY
    return Exact(0.0, math.inf, (_sum_form, (left, right)))


ZERO = Exact.of(0)
ONE = Exact.of(1)
PLUS_INFINITY = Exact(math.inf, 0.0, rational_form(0))
MINUS_INFINITY = Exact(-math.inf, 0.0, rational_form(0))

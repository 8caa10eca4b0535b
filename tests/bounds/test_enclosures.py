"""An enclosure contains the true value, and a comparison is never a guess."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import flint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.bounds.enclosures import INFINITE, Enclosure, Truth, largest, smallest, total, working_precision
from bufalu.bounds.errors import OutsideDomain
from bufalu.reference.errors import UndecidedComparison

rationals = st.fractions(min_value=-1000, max_value=1000, max_denominator=10**6)
positives = st.fractions(min_value=Fraction(1, 10**6), max_value=10**6, max_denominator=10**6)


@given(rationals, rationals)
def test_arithmetic_contains_the_exact_result(x: Fraction, y: Fraction) -> None:
    left, right = Enclosure.of(x), Enclosure.of(y)
    assert (left + right).contains(x + y)
    assert (left - right).contains(x - y)
    assert (left * right).contains(x * y)
    assert left.squared().contains(x * x)
    if y:
        assert (left / right).contains(x / y)


@given(positives)
def test_root_and_logarithm_agree_with_decimal(x: Fraction) -> None:
    with localcontext() as context:
        context.prec = 60
        number = Decimal(x.numerator) / Decimal(x.denominator)
        slack = Fraction(1, 10**50)
        for enclosure, decimal in ((Enclosure.of(x).sqrt(), number.sqrt()), (Enclosure.of(x).log(), number.ln())):
            value = Fraction(decimal)
            assert enclosure.lower - slack <= value <= enclosure.upper + slack


@given(positives, st.integers(-5, 5), st.integers(1, 5))
def test_rational_powers_undo_themselves(x: Fraction, numerator: int, denominator: int) -> None:
    exponent = Fraction(numerator, denominator)
    if exponent:
        assert Enclosure.of(x).power(exponent).power(1 / exponent).contains(x)


@given(rationals, rationals)
def test_comparisons_of_exact_numbers_are_right_or_undecided(x: Fraction, y: Fraction) -> None:
    left = Enclosure.of(x)
    for verdict, truth in ((left < y, x < y), (left <= y, x <= y), (left > y, x > y), (left >= y, x >= y)):
        assert verdict in {Truth.TRUE if truth else Truth.FALSE, Truth.UNDECIDED}
        if abs(x - y) > Fraction(1, 10**40):
            assert verdict is not Truth.UNDECIDED


def test_undecided_refuses_to_be_a_boolean() -> None:
    third = Enclosure.of(Fraction(1, 3))
    assert (third < Fraction(1, 3)) is Truth.UNDECIDED
    with pytest.raises(UndecidedComparison):
        bool(third < Fraction(1, 3))
    assert (Enclosure.of(Fraction(1, 4)) <= Fraction(1, 4)) is Truth.TRUE


def test_more_bits_make_a_tighter_ball() -> None:
    coarse = Enclosure.of(2).sqrt()
    with working_precision(600):
        fine = Enclosure.of(2).sqrt()
    assert fine.upper - fine.lower < coarse.upper - coarse.lower
    assert flint.ctx.prec == 53, "flint's own setting is left alone"


def test_conventions_of_the_paper_for_zero_and_infinity() -> None:
    assert (1 / Enclosure.of(0)).is_infinite
    assert (1 / INFINITE).is_zero
    assert smallest([]).is_infinite
    assert largest([]).is_zero
    assert smallest([3, INFINITE]).contains(3)
    assert largest([3, INFINITE]).is_infinite
    assert (INFINITE > 10**100) is Truth.TRUE
    assert (Enclosure.of(math.inf) > INFINITE) is Truth.FALSE


@pytest.mark.parametrize(
    "operation",
    [
        lambda: Enclosure.of(0).log(),
        lambda: Enclosure.of(-1).sqrt(),
        lambda: Enclosure.of(0) / Enclosure.of(0),
        lambda: INFINITE / INFINITE,
        lambda: INFINITE * 0,
        lambda: -INFINITE,
        lambda: 1 / Enclosure.between(-1, 1),
        lambda: Enclosure.between(2, 1),
    ],
)
def test_what_has_no_value_is_refused(operation) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(OutsideDomain):
        operation()


@given(rationals)
def test_json_rounds_outwards(x: Fraction) -> None:
    record = Enclosure.of(x).as_json()
    assert record is not None
    assert Fraction(record["lower"]) <= x <= Fraction(record["upper"])
    assert record["upper"] - record["lower"] <= 4 * math.ulp(max(abs(float(x)), 1e-300))
    assert INFINITE.as_json() is None


def test_special_functions_against_plain_sums() -> None:
    zeta = Enclosure.of(3).hurwitz_zeta(5) - Enclosure.of(3).hurwitz_zeta(40)
    assert zeta.contains(sum(Fraction(1, t**3) for t in range(5, 40)))
    assert (Enclosure.of(11).log_gamma() - Enclosure.of(math.factorial(10)).log()).contains(0)
    # li and erfi by their derivatives: (f(x+h) - f(x)) / h lies between the derivative's end values.
    x, h = Fraction(50), Fraction(1, 10**6)
    slope = (Enclosure.of(x + h).logarithmic_integral() - Enclosure.of(x).logarithmic_integral()) / h
    assert slope < 1 / Enclosure.of(x).log()
    assert slope > 1 / Enclosure.of(x + h).log()
    slope = (Enclosure.of(1 + h).imaginary_error_function() - Enclosure.of(1).imaginary_error_function()) / h
    assert slope > Fraction(30, 10)
    assert slope < Fraction(31, 10)


def test_a_sum_with_too_few_bits_is_wide_but_right() -> None:
    values = [Fraction(1, n) for n in range(1, 50)]
    with working_precision(12):
        wide = total(values)
    assert wide.contains(sum(values))
    assert wide.relative_width > 1e-4

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
    with pytest.raises(OutsideDomain), working_precision(1):
        pass
    with working_precision(2):
        assert Enclosure.of(Fraction(1, 3)).lower <= Fraction(1, 3)
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
    # Ei by its derivative: (f(x+h) - f(x)) / h lies between the derivative's end values.
    x, h = Enclosure.of(50), Fraction(1, 10**6)
    slope = ((x + h).exponential_integral() - x.exponential_integral()) / h
    assert slope > x.exp() / x
    assert slope < (x + h).exp() / (x + h)
    # 1F1(2; 3; 4) = 2 (exp(4) 3 + 1) / 16, and 1F1(2; 2; 4) is exp(4)
    e4 = Enclosure.of(4).exp()
    assert (Enclosure.of(4).confluent_hypergeometric(2, 3) - (3 * e4 + 1) / 8).contains(0)
    assert (Enclosure.of(4).confluent_hypergeometric(2, 2) - e4).contains(0)


def test_a_sum_with_too_few_bits_is_wide_but_right() -> None:
    values = [Fraction(1, n) for n in range(1, 50)]
    with working_precision(12):
        wide = total(values)
    assert wide.contains(sum(values))
    assert wide.relative_width > 1e-4


intervals = st.tuples(st.integers(-12, 12), st.integers(0, 6)).map(
    lambda pair: Enclosure.between(Fraction(pair[0], 4), Fraction(pair[0] + pair[1], 4))
)
"""Balls whose ends are few, so that they often touch."""


def judged(verdicts: set[bool]) -> Truth:
    """What is to be said when these answers are possible."""
    return Truth.UNDECIDED if len(verdicts) > 1 else Truth.TRUE if verdicts.pop() else Truth.FALSE


@given(intervals, intervals)
def test_intervals_are_compared_by_their_ends(one: Enclosure, other: Enclosure) -> None:
    points = [(x, y) for x in (one.lower, one.upper) for y in (other.lower, other.upper)]
    assert (one < other) is judged({x < y for x, y in points})
    assert (one <= other) is judged({x <= y for x, y in points})
    assert (one > other) is judged({x > y for x, y in points})
    assert (one >= other) is judged({x >= y for x, y in points})
    assert one.contains(other) == (one.lower <= other.lower and other.upper <= one.upper)
    assert one.overlaps(other) == (max(one.lower, other.lower) <= min(one.upper, other.upper))
    assert one.is_positive == (one.lower > 0)
    assert one.is_negative == (one.upper < 0)
    assert one.is_zero == (one.lower == one.upper == 0)


@given(intervals)
def test_an_interval_is_read_by_its_ends(one: Enclosure) -> None:
    whole = math.floor(one.lower)
    assert one.integer_part() == (whole if whole == math.floor(one.upper) else None)
    assert float(one) == (one.lower + one.upper) / 2
    if one.lower == one.upper:
        assert one.relative_width == 0
    elif one.lower <= 0 <= one.upper:
        assert one.relative_width == math.inf
    else:
        nearer = min(abs(one.lower), abs(one.upper))
        assert one.relative_width == pytest.approx(float((one.upper - one.lower) / nearer))


@pytest.mark.parametrize(
    "value", [Fraction(0), Fraction(1, 3), Fraction(-1, 3), Fraction(10**400), Fraction(-(10**400))]
)
def test_doubles_of_the_ends_lie_outside_and_are_the_nearest_that_do(value: Fraction) -> None:
    enclosure = Enclosure.of(value)
    for double, end, away in (
        (enclosure.lower_float, enclosure.lower, math.inf),
        (enclosure.upper_float, enclosure.upper, -math.inf),
    ):
        if math.isfinite(double):
            assert (Fraction(double) - end) * (1 if away > 0 else -1) <= 0
            inner = math.nextafter(double, away)
            assert not math.isfinite(inner) or (Fraction(inner) - end) * (1 if away > 0 else -1) > 0 or end == double
        else:
            assert (double > 0) == (away < 0) == (value > 0)


def test_infinity_among_numbers() -> None:
    assert not INFINITE.contains(1) and not Enclosure.of(1).contains(INFINITE) and INFINITE.contains(INFINITE)
    assert not INFINITE.overlaps(1) and not Enclosure.of(1).overlaps(INFINITE) and INFINITE.overlaps(INFINITE)
    assert (INFINITE <= INFINITE) is Truth.TRUE and (INFINITE < INFINITE) is Truth.FALSE
    assert (Enclosure.of(1) < INFINITE) is Truth.TRUE and (INFINITE < 1) is Truth.FALSE
    for value in (INFINITE + 1, 1 + INFINITE, INFINITE * 2, 2 * INFINITE, INFINITE * INFINITE, INFINITE / 2):
        assert value.is_infinite
    for value in (
        INFINITE.squared(),
        INFINITE.sqrt(),
        INFINITE.log(),
        INFINITE.exp(),
        INFINITE.power(Fraction(1, 2)),
    ):
        assert value.is_infinite
    assert INFINITE.power(-1).is_zero and INFINITE.power(0).contains(1)
    assert Enclosure.of(0).power(-1).is_infinite and Enclosure.of(0).power(0).contains(1)
    assert Enclosure.of(0).power(Fraction(1, 2)).is_zero
    assert INFINITE.lower_float == INFINITE.upper_float == float(INFINITE) == math.inf
    for operation in (
        lambda: INFINITE * -1,
        lambda: -1 * INFINITE,
        lambda: -1 / Enclosure.of(0),
        lambda: INFINITE.lower,
    ):
        with pytest.raises(OutsideDomain):
            operation()

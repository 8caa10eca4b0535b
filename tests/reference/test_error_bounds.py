"""What a number says of its own error is true of everything computed from it, and not much more than is needed.

The numbers are blurred: their doubles are off by as much as they say, which real ones never are by far. A filter or a
bound with a wrong sign or factor then decides wrongly at once.
"""

import math
from fractions import Fraction

import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from bufalu.properties.runs.strategies import fractions
from bufalu.reference.exact import LIBM_ULPS, ROUNDING, Exact, log_root, power_of, rational_form, root
from bufalu.reference.radicals import NormalForm, RadicalTerm

eighths = st.integers(-40, 40).map(lambda n: n / 8)
errors = st.sampled_from([0.0, 0.125, 0.5, 1.0, 3.0])
ends = st.sampled_from([-1, -0.5, 0, 0.5, 1])
blurred = st.tuples(eighths, errors, ends)
OPERATIONS = {"+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y}


def truth(number: tuple[float, float, float]) -> Fraction:
    approximation, error, end = number
    return Fraction(approximation) + Fraction(end) * Fraction(error)


def built(number: tuple[float, float, float]) -> Exact:
    return Exact(number[0], number[1], rational_form(truth(number)))


@given(blurred, blurred)
def test_order_is_that_of_the_truth_wherever_the_doubles_are(one, other):
    x, y = truth(one), truth(other)
    left, right = built(one), built(other)
    assert (left < right, left <= right, left == right) == (x < y, x <= y, x == y)
    assert left.sign() == (x > 0) - (x < 0)


@pytest.mark.parametrize("operation", OPERATIONS)
@given(one=blurred, other=blurred)
def test_errors_of_results_hold_and_are_no_larger_than_they_must_be(operation, one, other):
    combine = OPERATIONS[operation]
    result = combine(built(one), built(other))
    if math.isinf(result.error):
        # A product that is 0 in doubles without any error is left to the exact path.
        assert operation == "*" and 0.0 in (abs(one[0]) + one[1], abs(other[0]) + other[1], one[0] * other[0])
        return
    ways = [
        combine(Fraction(one[0]) + p * Fraction(one[1]), Fraction(other[0]) + q * Fraction(other[1]))
        for p in (-1, 1)
        for q in (-1, 1)
    ]
    furthest = max(abs(way - Fraction(result.approximation)) for way in ways)
    assert abs(combine(truth(one), truth(other)) - Fraction(result.approximation)) <= furthest <= result.error
    assert result.error <= furthest * (1 + Fraction(1, 2**30)) + Fraction(abs(result.approximation)) / 2**50
    assert (-built(one)).error == one[1]


@pytest.mark.parametrize("value", [Fraction(1, 3), Fraction(2, 7), Fraction(10**290, 3), Fraction(1, 3 * 10**290), 5])
def test_rationals_and_roots_know_their_errors(value):
    number = Exact.of(value)
    assert abs(Fraction(number.approximation) - value) <= number.error <= abs(value) / 2**51
    square = root(value)
    low, high = Fraction(square.approximation) - Fraction(square.error), Fraction(square.approximation)
    assert low**2 <= value <= (high + Fraction(square.error)) ** 2
    assert square.error <= square.approximation / 2**50


@pytest.mark.parametrize("number", [2, 3, 7, 100, 10**6 + 3, 10**30])
@pytest.mark.parametrize("power", [-5, -2, -1, 1, 2, 3, 8])
def test_powers_of_logarithms_and_rounds_know_their_errors(number, power):
    before, ctx.prec = ctx.prec, 300
    try:
        wanted = arb(number).log() ** (arb(power) / 2)
        assert_near(log_root(number, power), wanted, LIBM_ULPS * (abs(power) + 2))
        for exponent in (Fraction(power, 3), Fraction(power, 4)):
            exact = arb(number) ** (arb(exponent.numerator) / exponent.denominator)
            assert_near(power_of(number, exponent), exact, 700)
    finally:
        ctx.prec = before


def assert_near(number: Exact, wanted: arb, most: int) -> None:
    """The truth is within the error, which is so many roundings: those that were counted, and no more."""
    assert number.error > 0
    assert abs(wanted - arb(number.approximation)) <= arb(number.error)
    assert number.approximation * ROUNDING * (most - 0.5) < number.error <= number.approximation * ROUNDING * most


@given(fractions(-50, 50, 99), st.integers(2, 30), st.integers(1, 25))
def test_an_enclosure_holds_the_number_to_the_asked_digits(value, number, digits):
    exact = Exact.of(value) + log_root(number)
    low, high = exact.enclosure(digits)
    assert (exact - exact).enclosure(digits) == (0, 0)
    assert Exact.of(Fraction(low)) <= exact <= Exact.of(Fraction(high))
    # Two digits more than asked for; an irrational number fills them.
    assert Fraction(high) - Fraction(low) <= abs(Fraction(high)) * Fraction(3, 10**digits)
    assert len(low.as_tuple().digits) == digits + 2 == len(high.as_tuple().digits)


@given(
    st.lists(
        st.tuples(
            fractions(Fraction(1, 9), 9, 9),
            st.integers(-4, 4),
            st.integers(-3, 3),
            fractions(-20, 20, 6),
        ),
        min_size=1,
        max_size=3,
    ),
    st.integers(3, 10**6),
    st.integers(10, 40),
)
def test_the_error_of_an_evaluation_is_four_times_the_first_order(parts, number, digits):
    """4 (8 + 4 |degree| + 4 |variant degree| + 4 |exponent| (ln t + 1) + m) units of the sum of all sizes, hardly more."""
    terms = tuple(
        RadicalTerm(coefficient, degree=degree, variant_degree=variant, exponent=exponent)
        for coefficient, degree, variant, exponent in parts
    )
    form = NormalForm(terms, number)
    value, error = form.evaluate(digits)
    better, rest = form.evaluate(digits + 30)
    assert abs(value - better) <= error + rest
    needed = [8 + 4 * abs(d) + 4 * abs(v) + 4 * abs(e) * Fraction(math.log(number) + 1) for _, d, v, e in parts]
    spare = max(4 * abs(e) + 4 for *_, e in parts)
    share = Fraction(error) / Fraction(better) * 10 ** (digits - 1)
    assert 4 * (max(needed) + len(terms)) <= share * Fraction(101, 100)
    assert share <= 4 * (max(needed) + spare + len(terms)) * Fraction(101, 100)

"""Equality, order and arithmetic of `Exact` against an independent model, infinities included, in every order of use.

The model is a pair: a rational and a multiple of sqrt(ln t), or an infinity. A number is used before and after it has
been compared, since a comparison may build its exact form.
"""

import math
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bufalu.properties.runs.strategies import fractions
from bufalu.reference.errors import NoNumber
from bufalu.reference.exact import MINUS_INFINITY, ONE, PLUS_INFINITY, ZERO, Exact, log_root, power_of, root

ROUND = 7
S = Fraction(math.sqrt(math.log(ROUND))).limit_denominator(10**12)
"""sqrt(ln 7) to eleven digits: the numbers below are a + b sqrt(ln 7) with a, b so short that this orders them."""

shorts = fractions(-3, 3, 6)
infinities = st.sampled_from([math.inf, -math.inf])


def model(value):
    """The model's value, a rational or an infinity."""
    return value if isinstance(value, float) else value[0] + value[1] * S


def built(value):
    """The number itself."""
    if isinstance(value, float):
        return PLUS_INFINITY if value > 0 else MINUS_INFINITY
    if value[1] == 0:
        return Exact.of(value[0])
    return Exact.of(value[0]) + Exact.of(value[1]) * log_root(ROUND)


values = st.one_of(infinities, st.tuples(shorts, shorts), st.tuples(shorts, st.just(Fraction(0))))


def agrees(left, right, x, y):
    """Whether all six relations are as the model has them."""
    return (
        (left == right) == (x == y)
        and (left != right) == (x != y)
        and (left < right) == (x < y)
        and (left <= right) == (x <= y)
        and (left > right) == (x > y)
        and (left >= right) == (x >= y)
    )


@given(values, values, st.booleans())
def test_order_and_equality_follow_the_model(x, y, forms_first):
    left, right = built(x), built(y)
    if forms_first:
        for number in (left, right):
            if not number.is_infinite:
                number.form()
    for _ in range(2):
        assert agrees(left, right, model(x), model(y))
        assert agrees(right, left, model(y), model(x))


@given(values, values, values)
@example((Fraction(0), Fraction(0)), (Fraction(1), Fraction(0)), math.inf)
def test_arithmetic_follows_the_model_whatever_was_compared_before(x, y, z):
    for combine in (lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b):
        wanted = _expected(combine, x, y)
        left, right, third = built(x), built(y), built(z)
        if wanted is None:
            with pytest.raises(NoNumber, match=r"(0 times|infinity minus) infinity is not a number"):
                combine(left, right)
            continue
        found = combine(left, right)
        for _ in range(2):
            assert agrees(found, third, wanted, model(z))
            assert (found.sign() > 0) - (found.sign() < 0) == (wanted > 0) - (wanted < 0)


def _expected(combine, x, y):
    """The model's result; None where there is no number."""
    left, right = model(x), model(y)
    if isinstance(left, float) or isinstance(right, float):
        left, right = float(left), float(right)
        result = combine(left, right)
        return None if math.isnan(result) else result
    if combine(2, 3) == 6:
        # A product is a polynomial in sqrt(ln 7): multiply out, so that nothing is rounded twice.
        (a, b), (c, d) = x, y
        return a * c + (a * d + b * c) * S + b * d * S * S
    return combine(left, right)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_an_infinity_is_no_zero_in_any_order_of_evaluation(order):
    product = ZERO * ONE
    questions = [
        lambda: product == ZERO,
        lambda: product != PLUS_INFINITY and product < PLUS_INFINITY,
        lambda: product != MINUS_INFINITY and product > MINUS_INFINITY,
    ]
    for index in order:
        assert questions[index]()
    assert product != PLUS_INFINITY
    assert PLUS_INFINITY != MINUS_INFINITY
    assert -PLUS_INFINITY == MINUS_INFINITY


def test_a_long_sum_is_as_exact_as_a_short_one():
    total = ZERO
    for _ in range(2000):
        total = total + root(2)
    assert total == Exact.of(2000) * root(2)
    assert (total - root(2)) < total
    again = ZERO
    for _ in range(2000):
        again = again + root(2)
    assert again == total


def test_numbers_made_of_the_same_parts_in_different_ways_are_different():
    """Sum and difference of the same two numbers, too close for doubles: only their forms tell them apart."""
    one, tiny = root(2), Exact.of(Fraction(1, 10**30))
    assert one - tiny != one + tiny
    assert one - tiny < one + tiny
    assert not one + tiny <= one - tiny
    assert one + tiny == one + tiny
    assert log_root(7) * tiny != log_root(7, 2) * tiny


@pytest.mark.parametrize("exponent", [Fraction(n, 30) for n in range(-30, 31, 3)])
@pytest.mark.parametrize("number", [7, 49, 343])
def test_roots_and_powers_of_one_base_are_the_same_numbers(number, exponent):
    """sqrt(7) 7^x = 7^(x + 1/2), also where the powers are written over another base."""
    height = {7: 1, 49: 2, 343: 3}[number]
    assert root(7) * power_of(number, exponent / height) == power_of(number, (exponent + Fraction(1, 2)) / height)
    assert Exact.of(7) * power_of(number, exponent / height) == power_of(number, (exponent + 1) / height)

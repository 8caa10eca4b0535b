"""Exact signs: ties decided by algebra, near misses by precision, everything against independent balls."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.properties.runs.strategies import fractions
from bufalu.reference import radicals
from bufalu.reference.errors import MixedRounds, UndecidedComparison
from bufalu.reference.radicals import NormalForm, RadicalTerm, integer_root, perfect_power
from tests.reference.balls import ball, rational_ball

rationals = fractions(-4, 4, 40)
positive = fractions(Fraction(1, 40), 40, 40)
rounds = st.one_of(
    st.integers(2, 40), st.integers(2, 10**12), st.sampled_from([2**10, 3**8, 10**6, 12**4, 2**60, 10**18])
)
exponents = fractions(-2, 2, 8)
logs = st.dictionaries(
    st.one_of(fractions(Fraction(41, 40), 40, 40), st.sampled_from([2, 4, 8, 9, Fraction(9, 4), 10**6])),
    st.integers(-2, 2).filter(bool),
    max_size=2,
).map(lambda powers: tuple(sorted(powers.items())))
terms = st.builds(RadicalTerm, rationals, positive, exponents, st.integers(-4, 6), st.just(0), logs)
forms = st.builds(NormalForm, st.lists(terms, max_size=5).map(tuple), rounds)


@given(forms)
def test_sign_agrees_with_balls(form):
    value = ball(form)
    sign = form.sign()
    if value > 0:
        assert sign == 1
    elif value < 0:
        assert sign == -1
    else:
        assert sign == 0


@given(forms)
def test_reduction_keeps_the_value(form):
    assert ball(form).overlaps(ball(form.reduced()))


@given(forms, st.integers(20, 60))
def test_evaluation_error_bound_contains_the_value(form, digits):
    value, error = form.evaluate(digits)
    allowed = Fraction(error) + Fraction(1, 10**150)
    assert abs(rational_ball(Fraction(value)) - ball(form, bits=600)) <= rational_ball(allowed)


@given(forms, st.lists(terms, max_size=3))
def test_arithmetic_agrees_with_balls(left, others):
    right = NormalForm(tuple(others), left.round)
    assert ball(left.plus(right)).overlaps(ball(left) + ball(right))
    assert ball(left.minus(right)).overlaps(ball(left) - ball(right))
    assert ball(left.times(right)).overlaps(ball(left) * ball(right))


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        (NormalForm((RadicalTerm(1, 8), RadicalTerm(-2, 2)), 0), "sqrt 8 = 2 sqrt 2"),
        (
            NormalForm((RadicalTerm(1, Fraction(1, 12), degree=1), RadicalTerm(Fraction(-1, 6), 3, degree=1)), 7),
            "sqrt(1/12) = sqrt(3)/6",
        ),
        (
            NormalForm((RadicalTerm(1, exponent=Fraction(-1, 4)), RadicalTerm(Fraction(-1, 4))), 256),
            "256^(-1/4) = 1/4",
        ),
        (
            NormalForm((RadicalTerm(1, exponent=Fraction(-1, 2)), RadicalTerm(Fraction(-1, 6), 3)), 12),
            "12^(-1/2) = sqrt(3)/6",
        ),
        (NormalForm((RadicalTerm(1, exponent=Fraction(1, 6)), RadicalTerm(-1, 2)), 8), "8^(1/6) = sqrt 2"),
        (NormalForm((RadicalTerm(1, exponent=Fraction(3, 4)), RadicalTerm(-5, 5)), 25), "25^(3/4) = 5 sqrt 5"),
        (NormalForm((RadicalTerm(1, 2, exponent=Fraction(1, 4)), RadicalTerm(-2)), 4), "sqrt(2) 4^(1/4) = 2"),
        (NormalForm((RadicalTerm(3, degree=2), RadicalTerm(-3, degree=2)), 10**18 + 9), "equal coefficients of ln t"),
        (
            NormalForm(
                (RadicalTerm(1, exponent=Fraction(-2, 3)), RadicalTerm(-1, exponent=Fraction(-1, 3))), 1_000_003
            ).times(NormalForm((), 0)),
            "0",
        ),
    ],
)
def test_exact_ties_are_zero(form, reason):
    assert form.sign() == 0, reason


@pytest.mark.parametrize("scale", [10**17, 10**40, 10**200])
def test_near_misses_are_not_ties(scale):
    # 8^(1/6) - sqrt 2 = 0, moved by one unit in a far digit.
    tie = NormalForm((RadicalTerm(1, exponent=Fraction(1, 6)), RadicalTerm(-1, 2)), 8)
    assert tie.plus(NormalForm((RadicalTerm(Fraction(1, scale)),), 0)).sign() == 1
    assert tie.plus(NormalForm((RadicalTerm(Fraction(-1, scale)),), 0)).sign() == -1


@pytest.mark.parametrize("t", [2, 3, 10, 10**5, 10**12])
def test_near_misses_of_transcendental_numbers(t):
    # A rational within 10^-50 of sqrt(ln t), on the known side: only high precision can tell.
    below, error = NormalForm((RadicalTerm(1, degree=1),), t).evaluate(60)
    close = Fraction(below) - Fraction(error) - Fraction(1, 10**55)
    assert NormalForm((RadicalTerm(1, degree=1), RadicalTerm(-close)), t).sign() == 1
    close = Fraction(below) + Fraction(error) + Fraction(1, 10**55)
    assert NormalForm((RadicalTerm(1, degree=1), RadicalTerm(-close)), t).sign() == -1


def test_linear_dependence_is_found_only_within_a_class():
    assert NormalForm((RadicalTerm(1, 2), RadicalTerm(1, 3), RadicalTerm(-1, 5)), 0).sign() == 1
    assert NormalForm((RadicalTerm(1, 2), RadicalTerm(1, 3), RadicalTerm(-1, 10)), 0).sign() == -1
    kept = NormalForm((RadicalTerm(1, 2), RadicalTerm(1, 18), RadicalTerm(1, 3)), 0).reduced()
    assert sorted((term.coefficient, term.radicand) for term in kept.terms) == [(1, 3), (4, 2)]


@pytest.mark.parametrize("digits", [20, 50, 150])
def test_variant_numbers_are_told_apart_as_far_as_is_said(digits):
    root, _ = NormalForm((RadicalTerm(1, variant_degree=1),), 10).evaluate(200)
    for sign in (-1, 1):
        moved = Fraction(root) - Fraction(sign, 10**digits)
        assert NormalForm((RadicalTerm(1, variant_degree=1), RadicalTerm(-moved)), 10).sign() == sign


def test_variant_numbers_that_do_not_separate_are_reported(monkeypatch):
    monkeypatch.setattr(radicals, "VARIANT_DIGITS", 60)
    # ln t + 3 ln ln t is not known to be transcendental: agreement beyond the stated precision must be said.
    root, error = NormalForm((RadicalTerm(1, variant_degree=1),), 10).evaluate(200)
    close = NormalForm((RadicalTerm(1, variant_degree=1), RadicalTerm(-Fraction(root) + Fraction(1, 10**190))), 10)
    assert error < Decimal(10) ** -180
    with pytest.raises(UndecidedComparison):
        close.sign()
    # The same number minus itself is zero whatever its nature.
    assert NormalForm((RadicalTerm(1, variant_degree=1), RadicalTerm(-1, variant_degree=1)), 10).sign() == 0


@given(st.integers(2, 10**18))
def test_perfect_powers(value):
    base, height = perfect_power(value)
    assert base**height == value
    assert perfect_power(base) == (base, 1)


@given(st.integers(1, 10**40), st.integers(2, 9))
def test_integer_roots(value, degree):
    root = integer_root(value, degree)
    assert root**degree <= value < (root + 1) ** degree


def test_rounds_do_not_mix():
    with pytest.raises(MixedRounds, match="rounds 3 and 4"):
        NormalForm((RadicalTerm(1, degree=1),), 3).plus(NormalForm((RadicalTerm(1, degree=1),), 4))

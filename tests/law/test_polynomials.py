"""Paths counted once give the law for every mean, and Bernstein coefficients bound it on boxes."""

from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.law import NoExactLaw, exact_law
from bufalu.law.polynomials import PathPolynomial, grid, polynomial_law
from bufalu.reference.instances import Instance
from tests.law.bernstein import value_at

means = st.fractions(min_value=F(1, 50), max_value=F(49, 50), max_denominator=50)


@pytest.mark.parametrize("policy", ["bufalu", "bufau", "cbm-ucb", "greedy"])
@pytest.mark.parametrize("ties", ["first", "random"])
def test_one_count_gives_the_law_for_all_means(policy, ties):
    counted = polynomial_law(2, "constant:3/2", 9, policy=policy, ties=ties)
    for pair in [(F(1, 2), F(1, 4)), (F(1, 10), F(9, 10)), (F(3, 7), F(3, 7))]:
        weighed = exact_law(Instance.bernoulli(pair), "constant:3/2", 9, policy=policy, ties=ties)
        assert [p.at(pair) for p in counted.plays] == [v.exact for v in weighed.expected_plays()]
        assert [q.at(pair) for q in counted.queries] == [v.exact for v in weighed.expected_queries_per_arm()]


@given(means, means)
def test_plays_add_up_to_the_horizon_for_all_means(first, second):
    counted = polynomial_law(2, "power:1/4", 6)
    assert sum(polynomial.at((first, second)) for polynomial in counted.plays) == 6


@given(means, means)
def test_the_bernstein_form_is_the_same_polynomial(first, second):
    polynomial = polynomial_law(2, "constant:3/2", 7).plays[0]
    form = polynomial.bernstein()
    assert form.smallest <= polynomial.at((first, second)) <= form.largest
    degrees = [size - 1 for size in form.coefficients.shape]
    assert len(degrees) == 2
    assert value_at(form, (first, second)) == polynomial.at((first, second))


@given(means, means)
def test_halves_are_the_polynomial_on_half_of_the_box(first, second):
    form = polynomial_law(2, "constant:3/2", 7).plays[1].bernstein()
    left, right = form.halves(0)
    assert value_at(left, (first, second)) == value_at(form, (first / 2, second))
    assert value_at(right, (first, second)) == value_at(form, ((1 + first) / 2, second))


def test_nonnegativity_is_decided_either_way():
    # (p - 1/3)^2 + 1/100 has negative coefficients and no zero; (p - 1/3)^2 - 1/100 is negative near 1/3.
    square = {((2, 0),): F(1, 9), ((1, 1),): 2 * (F(1, 9) - F(1, 3)), ((0, 2),): F(4, 9)}

    def shifted(height):
        return PathPolynomial(1, {**square, ((0, 0),): height}).bernstein()

    assert shifted(F(1, 100)).nonnegative() is True
    assert shifted(-F(1, 100)).nonnegative() is False
    assert shifted(F(1, 100)).nonnegative(depth=0) is None


def test_the_number_of_means_is_checked():
    with pytest.raises(NoExactLaw, match="3 means"):
        polynomial_law(2, "zero", 3).plays[0].at((0, 0, 0))
    assert len(list(grid(2, 4))) == 25


def test_a_zero_in_a_corner_is_not_below_zero():
    """p ((p - 1/3)^2 + 1/100) has negative coefficients, and is 0 at p = 0."""
    terms = {((2, 0),): F(1, 9), ((1, 1),): 2 * (F(1, 9) - F(1, 3)), ((0, 2),): F(4, 9), ((0, 0),): F(1, 100)}
    form = PathPolynomial(1, {((hits + 1, misses),): value for ((hits, misses),), value in terms.items()}).bernstein()
    assert form.smallest < 0
    assert form.nonnegative() is not False


def test_eight_halvings_are_tried():
    """(p - 1/3)^2 + h: the smaller h, the more halvings until no coefficient is negative."""
    square = {((2, 0),): F(1, 9), ((1, 1),): 2 * (F(1, 9) - F(1, 3)), ((0, 2),): F(4, 9)}

    def decided(height, **depth):
        return PathPolynomial(1, {**square, ((0, 0),): height}).bernstein().nonnegative(**depth)

    assert (decided(F(1, 4**9)), decided(F(1, 4**9), depth=7), decided(F(1, 4**10))) == (True, None, None)

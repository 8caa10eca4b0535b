"""The intervals against their formulas, written a second time with balls; the conventions for few queries."""

from fractions import Fraction

import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from bufalu.reference.confidence import BernsteinInterval, HoeffdingInterval, KLUCBInterval, confidence_named
from bufalu.reference.errors import UnknownName
from bufalu.reference.exact import MINUS_INFINITY, PLUS_INFINITY, ZERO, Exact
from bufalu.reference.state import State
from bufalu.reference.view import ExactView
from tests.reference.balls import ball, rational_ball

rewards = st.lists(st.fractions(0, 1, max_denominator=7), min_size=2, max_size=12)


def view_of(sample, confidence, t):
    state = State(1)
    for reward in sample:
        state.record(1, reward)
    return ExactView(state, confidence, t, ZERO)


@given(rewards, st.integers(2, 10**9))
def test_hoeffding_is_the_formula_of_the_paper(sample, t):
    view = view_of(sample, HoeffdingInterval(), t)
    n, mean = len(sample), rational_ball(Fraction(sum(sample)) / len(sample))
    radius = (3 * arb(t).log() / (2 * n)).sqrt()
    assert ball(view.ucb(1).form()).overlaps(mean + radius)
    assert ball(view.lcb(1).form()).overlaps(mean - radius)
    assert ball(view.width(1).form()).overlaps((6 * arb(t).log() / n).sqrt())
    assert view.width(1) == view.ucb(1) - view.lcb(1)


@given(rewards, st.integers(2, 10**9))
def test_bernstein_is_the_formula_of_the_paper(sample, t):
    view = view_of(sample, BernsteinInterval(), t)
    n, average = len(sample), Fraction(sum(sample)) / len(sample)
    variance = sum((reward - average) ** 2 for reward in sample) / (n - 1)
    log = arb(t).log()
    radius = (6 * rational_ball(variance) * log / n).sqrt() + 7 * log / (n - 1)
    assert ball(view.ucb(1).form()).overlaps(rational_ball(average) + radius)
    assert ball(view.lcb(1).form()).overlaps(rational_ball(average) - radius)
    assert view.width(1) == view.ucb(1) - view.lcb(1)


@given(rewards, st.integers(2, 10**9))
def test_variant_is_the_formula_of_the_paper_made_symmetric(sample, t):
    view = view_of(sample, KLUCBInterval(), t)
    log = arb(t).log()
    radicand = log + 3 * log.log()
    radius = (radicand / (2 * len(sample))).sqrt() if radicand > 0 else arb(0)
    assert ball(view.ucb(1).form()).overlaps(rational_ball(Fraction(sum(sample)) / len(sample)) + radius)


def test_the_variant_has_a_negative_radicand_at_two_alone():
    for t in range(2, 200):
        log = arb(t).log()
        assert bool(log + 3 * log.log() < 0) == (t == 2)


@pytest.mark.parametrize(
    ("confidence", "queries"), [(HoeffdingInterval(), 0), (BernsteinInterval(), 0), (BernsteinInterval(), 1)]
)
def test_too_few_queries_give_the_whole_line(confidence, queries):
    view = view_of([1] * queries, confidence, 5)
    assert view.ucb(1) == PLUS_INFINITY
    assert view.lcb(1) == MINUS_INFINITY
    assert view.width(1) == PLUS_INFINITY


def test_a_biased_variance_is_noticed():
    # The mutant divides by n instead of n - 1: the squared slope would be 6 (1/4) / 2, not 6 (1/2) / 2.
    view = view_of([0, 1], BernsteinInterval(), 3)
    (term,) = [term for term in view.ucb(1).form().terms if term.degree == 1]
    assert Fraction(term.coefficient) ** 2 * term.radicand == Fraction(3, 2)


def test_means_ignore_what_was_not_queried():
    assert view_of([1, 0, 0, 1], HoeffdingInterval(), 9).mean(1) == Exact.of(Fraction(1, 2))


def test_unknown_names_are_refused_with_the_list():
    with pytest.raises(UnknownName, match="hoeffding, bernstein, kl-ucb"):
        confidence_named("chernoff")

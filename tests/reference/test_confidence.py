"""The intervals against their formulas, written a second time with balls; the conventions for few queries."""

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from bufalu.properties.runs.strategies import fractions
from bufalu.reference.confidence import BernsteinInterval, HoeffdingInterval, KLUCBInterval, confidence_named
from bufalu.reference.errors import UnknownName
from bufalu.reference.exact import MINUS_INFINITY, PLUS_INFINITY, ZERO, Exact
from bufalu.reference.radius_shapes import Growth, RadiusShape, RadiusTerm
from bufalu.reference.state import State
from bufalu.reference.view import ExactView
from tests.reference.balls import ball, rational_ball

rewards = st.lists(fractions(0, 1, 7), min_size=2, max_size=12)


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


def test_means_ignore_what_was_not_queried():
    assert view_of([1, 0, 0, 1], HoeffdingInterval(), 9).mean(1) == Exact.of(Fraction(1, 2))


def test_unknown_names_are_refused_with_the_list():
    with pytest.raises(UnknownName, match=r"hoeffding\[:C\[:before\]\], bernstein, kl-ucb"):
        confidence_named("chernoff")


def test_a_state_looked_at_through_several_intervals_shows_each_its_own():
    # The doubles of an arm are kept between rounds; kept for the wrong interval, they would misorder everything.
    sample = [Fraction(1, 3), Fraction(2, 3), Fraction(1, 2)]
    state = State(1)
    for reward in sample:
        state.record(1, reward)
    for confidence in (HoeffdingInterval(), BernsteinInterval(), KLUCBInterval(), HoeffdingInterval()):
        shared = ExactView(state, confidence, 10, ZERO).ucb(1)
        fresh = view_of(sample, confidence, 10).ucb(1)
        assert shared.approximation == fresh.approximation
        assert abs(ball(shared.form()) - shared.approximation) <= shared.error


hard_rewards = st.lists(
    st.one_of(
        st.sampled_from(
            [0, 1, Fraction(1, 10**400), 1 - Fraction(1, 10**400), Fraction(5e-324), Fraction(1, 3**500)]
        ),
        st.floats(0, 1).map(Fraction),
        fractions(0, 1, 7),
    ),
    min_size=2,
    max_size=6,
)


@pytest.mark.parametrize("confidence", [HoeffdingInterval(), BernsteinInterval(), KLUCBInterval()])
@given(sample=hard_rewards, t=st.one_of(st.integers(3, 60), st.integers(3, 10**18), st.just(10**30)))
def test_the_filter_contains_every_bound(confidence, sample, t):
    view = view_of(sample, confidence, t)
    for number in (view.lcb(1), view.ucb(1), view.width(1), view.mean(1)):
        assert abs(ball(number.form(), bits=4000) - number.approximation) <= number.error


def test_a_filter_of_one_rounding_would_be_wrong():
    # The mutant: 1 u for the whole bound. Somewhere among these rounds the doubles are further off.
    view_error = [
        abs(ball(ucb.form()) - ucb.approximation) > ucb.approximation * 2.0**-53
        for ucb in (view_of([0, 1, 1], KLUCBInterval(), t).ucb(1) for t in range(3, 400))
    ]
    assert any(view_error)


@pytest.mark.parametrize("growth", list(Growth))
@pytest.mark.parametrize("round_number", [3, 4, 5, 17, 1000, 10**9, 10**15])
def test_doubles_of_a_clock_are_near_the_truth(growth, round_number):
    """g and sqrt(g) of every clock against Decimal's logarithm, to a few units in the last place."""
    with localcontext() as context:
        context.prec = 60
        log = Decimal(growth.log_round(round_number)).ln()
        true = log if growth is not Growth.LOG_LOG else log + 3 * log.ln()
        root, value = growth.doubles(round_number)
        assert abs(Decimal(value) - true) <= true * Decimal(2) ** -46
        assert abs(Decimal(root) - true.sqrt()) <= true.sqrt() * Decimal(2) ** -46


def test_the_other_clocks_stand_still_until_the_third_round():
    for growth in (Growth.LOG_LOG, Growth.LOG_BEFORE):
        assert growth.doubles(1) == growth.doubles(2) == (0.0, 0.0)
    assert Growth.LOG_LOG.doubles(3)[1] > 1


def test_only_a_single_root_of_the_logarithm_has_the_coefficient_of_hoeffding():
    plain = RadiusTerm(Fraction(3, 2))
    assert RadiusShape([plain]).hoeffding_coefficient == Fraction(3, 2)
    assert RadiusShape([plain], Growth.LOG_BEFORE).hoeffding_coefficient == Fraction(3, 2)
    others = [
        RadiusShape([plain], Growth.LOG_LOG),
        RadiusShape([plain, plain]),
        *(RadiusShape([RadiusTerm(Fraction(3, 2), *rest)]) for rest in ((False,), (True, True), (True, False, 1))),
    ]
    assert [shape.hoeffding_coefficient for shape in others] == [None] * 5


def test_a_term_says_whether_a_root_is_taken():
    terms = (RadiusTerm(2), RadiusTerm(2, rooted=False), RadiusTerm(2, uses_variance=True, offset=1))
    assert [str(term) for term in terms] == ["sqrt(2 g / n)", "2 g / n", "sqrt(2 V g / (n - 1))"]

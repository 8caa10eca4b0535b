"""The pair rule: its relation against the definition, its numbers against an independent computation, its convention."""

from dataclasses import replace
from decimal import Context, Decimal
from fractions import Fraction

import mpmath
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bufalu import check_trace
from bufalu.properties.runs.strategies import fractions
from bufalu.reference.comparisons import first, last
from bufalu.reference.confidence import confidence_named
from bufalu.reference.errors import InvalidNumber, NoCounts, UndecidedComparison, UnknownName
from bufalu.reference.exact import Exact, log_root
from bufalu.reference.live import Pairs
from bufalu.reference.policies import Decision, PairsPolicy, policy_named
from bufalu.reference.policies.interchangeable import admissible_decisions
from bufalu.reference.radicals import NormalForm, RadicalTerm
from bufalu.reference.radius_shapes import LATEST_ROUND, pair_radius
from bufalu.reference.state import ArmRecord, State
from bufalu.reference.view import ExactView, WithoutCounts
from tests.reference.test_dial import run_of

HOEFFDING = confidence_named("hoeffding")
HALF = Fraction(1, 2)


def radius_by_the_letter(t, n, m, s):
    """The page's formula in two hundred digits: nothing of the reference but the four numbers."""
    with mpmath.workdps(200):
        digits = len(f"{t:b}")
        f = mpmath.log(t * digits) + mpmath.log(mpmath.mpf((n + s) * (m + s)) / s**2) / 2
        return mpmath.sqrt(f / 2 * (mpmath.mpf(n + s) / n**2 + mpmath.mpf(m + s) / m**2))


counts = st.integers(1, 10**6)


@given(st.integers(2, 10**9), counts, counts, st.sampled_from([1, 4, 7, 10**9]))
def test_the_radius_is_the_formula_and_its_double_is_as_close_as_it_says(t, n, m, s):
    radius, truth = pair_radius(t, n, m, s), radius_by_the_letter(t, n, m, s)
    low, high = radius.enclosure(60)
    with mpmath.workdps(80):
        assert mpmath.mpf(str(low)) <= truth <= mpmath.mpf(str(high))
        assert abs(mpmath.mpf(radius.approximation) - truth) <= radius.error / 2
    assert radius.error < 1e-13 * radius.approximation
    assert pair_radius(t, m, n, s) == radius


def test_a_round_beyond_the_doubles_has_the_exact_form_alone():
    late = pair_radius(LATEST_ROUND + 1, 3, 5, 4)
    assert late.error == float("inf")
    assert late < pair_radius(LATEST_ROUND + 2, 3, 5, 4)


def view_of(samples, round_number, epsilon, interval="hoeffding"):
    """The view of arms with these (answers, sum)."""
    state = State(len(samples))
    state.records = [ArmRecord(n, total, total) for n, total in samples]
    state.all_queries = sum(n for n, _ in samples)
    return ExactView(state, confidence_named(interval), round_number, epsilon)


def by_the_letter(samples, t, epsilon, kappa, s):
    """`pair_decision` of proofs/PairRule.v, in two hundred digits; equal numbers are those of equal counts and means."""
    arms = range(len(samples))
    means = [Fraction(total) / n for n, total in samples]
    outcomes = set()
    with mpmath.workdps(200):
        for leader in (arm for arm in arms if means[arm] == max(means)):
            if len(samples) == 1:
                outcomes.add(Decision(1, False))
                continue
            index = {
                arm: mpmath.mpf((means[arm] - means[leader]).numerator) / (means[arm] - means[leader]).denominator
                + radius_by_the_letter(t, samples[arm][0], samples[leader][0], s)
                for arm in arms
                if arm != leader
            }
            for challenger in (arm for arm, value in index.items() if value == max(index.values())):
                if index[challenger] <= mpmath.mpf(epsilon.numerator) / epsilon.denominator:
                    outcomes.add(Decision(leader + 1, False))
                    continue
                ours, theirs = samples[leader][0], kappa * samples[challenger][0]
                if ours <= theirs:
                    outcomes.add(Decision(leader + 1, True))
                if theirs <= ours:
                    outcomes.add(Decision(challenger + 1, True))
    return outcomes


samples_of_an_arm = st.integers(1, 12).flatmap(
    lambda n: st.tuples(st.just(n), st.integers(0, 2 * n).map(lambda half: Fraction(half, 2)))
)


@example([(2, Fraction(1)), (1, Fraction(1, 2))], 7, Fraction(0), Fraction(2), 4)
@given(
    st.lists(samples_of_an_arm, min_size=1, max_size=4),
    st.integers(5, 5000),
    fractions(0, 3, 8),
    st.sampled_from([Fraction(1), Fraction(3, 2), Fraction(2), Fraction(4)]),
    st.sampled_from([1, 4]),
)
def test_the_relation_is_the_definition(samples, t, epsilon, kappa, s):
    rule, view = PairsPolicy(kappa, s), view_of(samples, t, Exact.of(epsilon))
    expected = by_the_letter(samples, t, epsilon, kappa, s)
    assert set(rule.admissible(view)) == expected
    assert {rule.decide(view, first), rule.decide(view, last)} <= expected


def test_equal_answers_tie_and_equal_counts_at_kappa_leave_both_open():
    view = view_of([(4, Fraction(2)), (2, Fraction(1)), (2, Fraction(1))], 9, Exact.of(0))
    # All means are equal: each may lead, and beside arm 2 the challenger is arm 3, of fewer answers than arm 1.
    assert set(PairsPolicy(2).admissible(view)) == {Decision(1, True), Decision(2, True), Decision(3, True)}
    assert set(PairsPolicy(3).admissible(view_of([(6, 3), (2, 0)], 9, Exact.of(0)))) == {
        Decision(1, True),
        Decision(2, True),
    }


def test_the_only_arm_is_played_without_a_query():
    assert set(PairsPolicy(2).admissible(view_of([(1, Fraction(0))], 5, Exact.of(0)))) == {Decision(1, False)}


@pytest.mark.parametrize("best", [Fraction(0), Fraction(3)])
def test_an_arm_without_answers_is_queried_before_any_that_has_some(best):
    """Whether such an arm, of mean 0 by convention, may be a leader or not: the decisions are the same."""
    view = view_of([(3, best), (0, 0), (5, Fraction(0)), (0, 0)], 9, Exact.of(100))
    assert set(PairsPolicy(2).admissible(view)) == {Decision(2, True), Decision(4, True)}
    nobody = view_of([(0, 0), (0, 0)], 3, Exact.of(100))
    assert set(PairsPolicy(2).admissible(nobody)) == {Decision(1, True), Decision(2, True)}


def test_an_index_meets_an_epsilon_with_a_logarithm_where_both_are_rationally_related():
    # t = 2, one answer each, s = 1: r^2 = 1/4 (2 + 2) ln(4^2 2 2) = ln 64 = 6 ln 2, exactly the square of epsilon.
    view = view_of([(1, HALF), (1, HALF)], 2, Exact.of(6) * log_root(2, 2) * Exact.of(1))
    assert pair_radius(2, 1, 1, 1) * pair_radius(2, 1, 1, 1) == view.epsilon
    root_of_six = Exact(0.0, float("inf"), NormalForm((RadicalTerm(1, 6, degree=1),), 2))
    tied = view_of([(1, HALF), (1, HALF)], 2, root_of_six)
    assert pair_radius(2, 1, 1, 1) == root_of_six
    rule = PairsPolicy(1, 1)
    index = rule.index(tied, 1)(2)
    assert index <= root_of_six <= index


def test_two_logarithms_that_agree_to_the_last_digit_tried_are_left_undecided():
    two, three = (RadicalTerm(1, logs=((x, 2),)) for x in (2, 3))
    # The nearest rational to ln 2 + ln 3, less both, in more digits than are tried.
    context = Context(prec=2300)
    near = Fraction(context.add(context.ln(Decimal(2)), context.ln(Decimal(3))))
    gap = NormalForm((RadicalTerm(near), two._replace(coefficient=-1), three._replace(coefficient=-1)), 0)
    with pytest.raises(UndecidedComparison, match="several logarithms"):
        gap.sign()
    rounded = Fraction(near.numerator * 10**50 // near.denominator, 10**50)
    coarse = NormalForm((RadicalTerm(rounded), *gap.terms[1:]), 0)
    assert coarse.sign() == -1


@given(fractions(1, 9, 9).filter(lambda x: x > 1), st.integers(1, 4), st.integers(1, 4))
def test_logarithms_of_powers_of_one_number_are_one_logarithm(x, k, j):
    one, other = (NormalForm((RadicalTerm(c, logs=((x**p, 2),)),), 0) for c, p in ((j, k), (k, j)))
    assert one.minus(other).sign() == 0
    assert one.minus(other).plus(NormalForm((RadicalTerm(Fraction(1, 10**60)),), 0)).sign() == 1


@pytest.mark.parametrize("interval", ["hoeffding", "bernstein"])
def test_many_equal_arms_are_decided_by_a_few(interval):
    samples = [(1, Fraction(0))] * 9 + [(1, HALF)] * 9 + [(2, Fraction(1))] * 3
    view, rule = view_of(samples, 40, Exact.of(0), interval), PairsPolicy(2)
    assert admissible_decisions(rule, view) == rule.admissible(view)


@pytest.mark.parametrize("epsilon", ["zero", "power:1/4", "inverse-log", "budget:60"])
def test_a_run_conforms_to_itself_alone(epsilon):
    run = run_of("pairs:2", epsilon, 600)
    assert check_trace(run, strict=True).conforms
    for other in ("pairs:1", "pairs:2:1", "bufalu"):
        assert not check_trace(replace(run, header=replace(run.header, policy=other)), strict=True).conforms


@pytest.mark.parametrize(
    "text", ["pairs", "pairs:", "pairs:1/2", "pairs:2:0", "pairs:2:1/2", "pairs:2:4:4", "pairs:x"]
)
def test_what_has_no_numbers_of_the_pair_rule_is_refused(text):
    with pytest.raises(UnknownName, match="pair"):
        policy_named(text)


def test_the_text_form_names_the_spread_where_it_is_not_four():
    for text in ("pairs:2", "pairs:3/2", "pairs:2:1"):
        assert policy_named(text).text == text
    assert policy_named("pairs:2:4") == policy_named("pairs:2") == PairsPolicy(2)


def test_a_live_pair_rule_takes_its_numbers_as_people_have_them():
    for kappa in (1.5, "1.5", "3/2", Fraction(3, 2)):
        assert Pairs(kappa, arms=2).rule == PairsPolicy(Fraction(3, 2))
    assert Pairs(2, arms=2, spread=1).rule == PairsPolicy(2, 1)
    with pytest.raises(InvalidNumber, match="at least 1"):
        Pairs(0.5, arms=2)


def test_a_view_of_given_intervals_has_no_counts():
    with pytest.raises(NoCounts):
        WithoutCounts().pair_radius(1, 2, 4)


def test_of_tied_leaders_the_steps_follow_the_first_and_its_challenger():
    leader, challenger, *_ = PairsPolicy(2).steps(view_of([(2, Fraction(1)), (2, Fraction(1))], 9, Exact.of(0)))
    assert (leader.arms, leader.chosen, challenger.arms, challenger.chosen) == ((1, 2), 1, (2,), 2)

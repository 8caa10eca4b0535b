"""N-bar: closed forms against walking, walking against plain floats, exact values, monotonicity, and wrong rules."""

import math
from fractions import Fraction

import numpy
import pytest
from flint import arb
from hypothesis import example, given
from hypothesis import strategies as st

from bufalu.bounds import maxima
from bufalu.bounds.enclosures import Enclosure
from bufalu.bounds.errors import NotRegular
from bufalu.bounds.failures import least_bernstein_failures, least_failures, repaired_failures
from bufalu.bounds.maxima import LevelRule, capped, largest_count, walked_maximum
from bufalu.bounds.regularity import (
    BERNSTEIN,
    HOEFFDING,
    LOG_LOG,
    PolynomialRule,
    RootRule,
    bernstein_budget_samples,
    regularity_of,
)
from bufalu.reference.confidence import confidence_named
from bufalu.reference.exact import Exact
from bufalu.reference.radicals import RadicalTerm
from bufalu.reference.schedules import BernsteinBudget, Budget, Constant, Power, ShapedSchedule, Values, Zero
from tests.bounds.questions import FORMULAS, GROWING, formulas, levels, portions, value_lists

SMALL_LINEAR = PolynomialRule(6, 1)
"""Under a Bernstein budget its counts fall first, and rise later."""

RULES = (
    HOEFFDING.sure,
    BERNSTEIN.good(Fraction(1, 4)),
    BERNSTEIN.good(0),
    BERNSTEIN.looser,
    BERNSTEIN.sure,
    SMALL_LINEAR,
)
rules = st.sampled_from(RULES)
level_rules = st.builds(LevelRule, levels, st.sampled_from([None, 2, 1, Fraction(3, 2)]))


def same(left, right):
    left, right = Enclosure.of(left), Enclosure.of(right)
    return left.overlaps(right)


@given(
    schedule=formulas,
    rule=rules,
    level=level_rules,
    arms=st.integers(1, 5),
    horizon=st.integers(1, 120),
    cap=st.booleans(),
)
@example(
    schedule=BernsteinBudget(20),
    rule=BERNSTEIN.good(Fraction(1, 4)),
    level=LevelRule(0),
    arms=2,
    horizon=50,
    cap=False,
)
def test_closed_forms_are_the_honest_maximum(*, schedule, rule, level, arms, horizon, cap):
    closed = largest_count(rule, level, schedule, arms, horizon, cap=cap)
    honest = walked_maximum(rule, level, schedule, arms, horizon, cap=cap)
    assert same(closed.count, honest.count)


@pytest.mark.parametrize("schedule", FORMULAS, ids=str)
def test_closed_forms_at_a_longer_horizon(schedule):
    for rule in (HOEFFDING.sure, BERNSTEIN.good(Fraction(1, 4))):
        for level in (LevelRule(Fraction(1, 8)), LevelRule(Fraction(1, 4), divisor=2), LevelRule(0)):
            closed = largest_count(rule, level, schedule, 3, 1500)
            assert same(closed.count, walked_maximum(rule, level, schedule, 3, 1500).count)


def plain(rule, level, epsilon, t, cap):
    """The definition in plain floats, written independently of the rules."""
    shared = level.level if level.divisor is None else (level.level + epsilon) / level.divisor
    width = max(min(level.level, shared), epsilon)
    if t == 1:
        return 0.0
    if width == 0:
        count = math.inf
    elif isinstance(rule, RootRule):
        x = 1.5 * math.log(t) / width**2
        count = (math.sqrt(x) + math.sqrt(x + 14 * math.log(t) / width)) ** 2 + 1
    else:
        count = float(rule.quadratic) * math.log(t) / width**2 + float(rule.linear) * math.log(t) / width
        count += float(rule.constant)
    return min(count, t - 1) if cap else count


@given(value_lists(25), rules, level_rules, st.integers(1, 25), st.booleans())
def test_any_sequence_against_plain_floats(schedule, rule, level, horizon, cap):
    found = largest_count(rule, level, schedule, 2, horizon, cap=cap).count
    expected = max(plain(rule, level, float(schedule.values[t - 1]), t, cap) for t in range(1, horizon + 1))
    assert float(Enclosure.of(found)) == pytest.approx(expected, rel=1e-9)


def test_a_wrong_constant_is_noticed():
    wrong = PolynomialRule(5)
    schedule = Power(Fraction(1, 4))
    found = largest_count(wrong, LevelRule(Fraction(1, 8)), schedule, 5, 100_000).count
    assert float(Enclosure.of(found)) != pytest.approx(
        plain(HOEFFDING.sure, LevelRule(Fraction(1, 8)), 100_000**-0.25, 100_000, True), rel=1e-3
    )


def test_a_maximum_at_the_last_round_only_is_noticed():
    """A drop of epsilon in the middle: the maximum is not at T."""
    schedule = Values((1, 1, 1, 0, 1, 1, 1, 1))
    largest = largest_count(HOEFFDING.sure, LevelRule(0), schedule, 2, 8)
    assert largest.round == 8
    assert largest_count(HOEFFDING.sure, LevelRule(0), Values((9,) * 30 + (0,) + (9,) * 30), 2, 61).round == 31


def test_budget_counts_are_exact_numbers():
    for t in (2, 3, 1000, 10**9):
        assert HOEFFDING.sure.count(t, Budget(Fraction(101, 2)).at(t, 5)) == Fraction(101, 10)
        assert RootRule().count(t, BernsteinBudget(37).at(t, 5)) == Fraction(37, 5)
    assert capped(HOEFFDING.sure, Exact.of(0), 9) == 8
    assert largest_count(HOEFFDING.sure, LevelRule(0), Zero(), 2, 10**9).count == 10**9 - 1


@given(st.integers(2, 10**6), st.integers(1, 400), portions(1, 90, 30), rules)
def test_exceeds_is_the_comparison_with_the_count(t, queries, level, rule):
    count = Enclosure.of(rule.count(t, Exact.of(level)))
    assert rule.exceeds(queries, t, Exact.of(level)) == bool(count > queries)


def test_the_root_rule_is_where_the_widest_interval_meets_the_level():
    """N_2^as solves sqrt(6 L/(n-1)) + 14 L/(n-1) = level (l.1301), and N_1^as is never below it."""
    for t in (2, 17, 10**5):
        for level in (Fraction(1, 10), Fraction(1), Fraction(7, 2)):
            count = Enclosure.of(RootRule().count(t, Exact.of(level)))
            log = Enclosure.of(t).log()
            width = (6 * log / (count - 1)).sqrt() + 14 * log / (count - 1)
            assert width.overlaps(level)
            assert bool(count <= BERNSTEIN.looser.count(t, Exact.of(level)))


@given(formulas, rules, st.integers(1, 4), st.integers(1, 80), st.tuples(levels, levels).map(sorted))
def test_n_bar_falls_with_the_level_and_grows_with_the_horizon(schedule, rule, arms, horizon, pair):
    low, high = pair
    wide = Enclosure.of(largest_count(rule, LevelRule(low), schedule, arms, horizon).count)
    narrow = Enclosure.of(largest_count(rule, LevelRule(high), schedule, arms, horizon).count)
    later = Enclosure.of(largest_count(rule, LevelRule(low), schedule, arms, horizon + 1).count)
    assert narrow.lower <= wide.upper
    assert wide.lower <= later.upper


@given(formulas, st.integers(1, 4), st.integers(1, 80), portions(1, 12, 12))
def test_the_sharper_level_lies_between_half_the_gap_and_the_gap(schedule, arms, horizon, gap):
    counts = [
        Enclosure.of(largest_count(HOEFFDING.sure, level, schedule, arms, horizon).count)
        for level in (LevelRule(gap), LevelRule(gap, divisor=2), LevelRule(gap / 2))
    ]
    assert counts[0].lower <= counts[1].upper
    assert counts[1].lower <= counts[2].upper


@given(formulas, st.integers(1, 5), st.integers(2, 80), portions(1, 12, 12))
def test_halving_the_gap_costs_at_most_a_factor_four(schedule, arms, horizon, gap):
    """N-bar(T, D/2) <= 4 N-bar(T, D), capped or not (l.448)."""
    for cap in (True, False):
        half = Enclosure.of(largest_count(HOEFFDING.sure, LevelRule(gap / 2), schedule, arms, horizon, cap=cap).count)
        full = Enclosure.of(largest_count(HOEFFDING.sure, LevelRule(gap), schedule, arms, horizon, cap=cap).count)
        assert half.lower <= 4 * full.upper


@given(
    portions(0, 12, 48),
    portions(18, 1200, 3),
    levels,
    st.integers(2, 3000),
)
def test_bernstein_budget_bound(variance, budget, level, horizon):
    """l.1233, in total-budget form: b = B/K."""
    rule = BERNSTEIN.good(variance)
    count = Enclosure.of(largest_count(rule, LevelRule(level), BernsteinBudget(budget), 5, horizon).count)
    assert count.lower <= bernstein_budget_samples(variance, Fraction(budget) / 5, horizon).upper


def test_nearly_equal_rounds_beyond_number_are_enclosed_by_the_doubles():
    """A budget written out as doubles: all rounds are nearly the largest, and the enclosure is still narrow."""
    arms, budget, horizon = 2, 40, 4000
    values = tuple(Fraction(math.sqrt(6 * arms * math.log(t) / budget)) for t in range(1, horizon + 1))
    count = Enclosure.of(largest_count(HOEFFDING.sure, LevelRule(0), Values(values), arms, horizon).count)
    assert count.contains(Fraction(budget, arms)) or abs(float(count) - budget / arms) < 1e-9
    assert 0 < count.relative_width < 1e-9


def test_levels_beyond_the_doubles_are_left_to_the_balls():
    huge, tiny = Fraction(10**200), Fraction(1, 10**200)
    for values in ((huge,) * 6, (tiny,) * 6, (huge, tiny, 0, huge, huge, tiny)):
        for cap in (True, False):
            found = Enclosure.of(largest_count(HOEFFDING.sure, LevelRule(0), Values(values), 1, 6, cap=cap).count)
            brute = [Enclosure.of(HOEFFDING.sure.count(t, Exact.of(values[t - 1]))) for t in range(1, 7)]
            if cap:
                brute = [min(count, Enclosure.of(t), key=float) for t, count in enumerate(brute)]
            expected = max(brute, key=lambda count: math.inf if count.is_infinite else count.upper)
            assert found.overlaps(expected)


def test_numpy_logarithm_is_as_accurate_as_the_error_analysis_assumes():
    rounds = numpy.unique(numpy.geomspace(2, 2e7, 3000).astype(numpy.int64))
    for t, value in zip(rounds.tolist(), numpy.log(rounds.astype(numpy.float64)).tolist(), strict=True):
        true = Enclosure.of(t).log()
        assert abs(Fraction(value) - true.lower) <= Fraction(4, 2**52) * true.upper


def test_growing_budgets_are_walked_through():
    found = largest_count(HOEFFDING.sure, LevelRule(Fraction(1, 8)), GROWING, 2, 60)
    expected = max(
        plain(HOEFFDING.sure, LevelRule(Fraction(1, 8)), float(GROWING.at(t, 2)), t, True) for t in range(1, 61)
    )
    assert float(Enclosure.of(found.count)) == pytest.approx(expected, rel=1e-12)


def test_only_proved_intervals_have_bounds():
    assert regularity_of(confidence_named("hoeffding")) is HOEFFDING
    assert regularity_of(confidence_named("bernstein")) is BERNSTEIN
    assert regularity_of(confidence_named("kl-ucb")) is LOG_LOG
    with pytest.raises(NotRegular):
        regularity_of(confidence_named("hoeffding:2"))


@pytest.mark.parametrize("arms", [1, 2, 5, 40])
@pytest.mark.parametrize("horizon", [1, 2, 7, 60, 3000])
def test_failure_sums(arms, horizon):
    repaired = repaired_failures(arms, horizon)
    least, bernstein = least_failures(arms, horizon), least_bernstein_failures(arms, horizon)
    direct = math.fsum(2 * arms * (t - 1) / t**3 for t in range(1, horizon + 1))
    possible = range(arms + 1, horizon + 1)
    direct_least = math.fsum(2 * arms * max(0, t - arms - math.floor(1.5 * math.log(t))) / t**3 for t in possible)
    direct_bernstein = math.fsum(6 * arms * (t - arms - 1) / t**3 for t in possible)
    assert float(repaired) == pytest.approx(direct, rel=1e-12, abs=1e-30)
    assert float(least) == pytest.approx(direct_least, rel=1e-9, abs=1e-12)
    assert float(bernstein) == pytest.approx(direct_bernstein, rel=1e-9, abs=1e-12)
    assert bool(least <= HOEFFDING.failure_sum(arms))
    assert least.lower <= repaired.upper
    assert bool(repaired <= HOEFFDING.failure_sum(arms))
    assert bool(bernstein <= BERNSTEIN.failure_sum(arms))


def test_the_limit_of_the_repaired_sum_is_a_difference_of_zeta_values():
    limit = 2 * (arb(2).zeta() - arb(3).zeta())
    assert float(repaired_failures(1, 10**12)) == pytest.approx(float(limit), rel=1e-11)
    assert float(limit) < 0.886


def test_refinement_limit_is_what_the_docstring_says():
    assert maxima.MOST_REFINED == 2000
    constant = Constant(Fraction(1, 2))
    assert largest_count(HOEFFDING.sure, LevelRule(0), constant, 2, 10**9).round == 10**9


@pytest.mark.parametrize("most", [3, 2000])
def test_a_round_that_doubles_cannot_judge_counts_beside_many_that_they_can(monkeypatch, most):
    monkeypatch.setattr(maxima, "MOST_REFINED", most)
    schedule = Values([1] * 10 + [Fraction(1, 10**200)])
    found = walked_maximum(HOEFFDING.sure, LevelRule(0), schedule, 1, 11, cap=False)
    assert found.round == 11 and Enclosure.of(found.count).lower > 10**400


def test_a_round_with_epsilon_zero_counts_the_rounds_before_it():
    """t - 1 = 9 at t = 10, beside 6 ln 11 / 1.3^2 = 8.51 at t = 11."""
    schedule = Values([5] * 9 + [0, Fraction(13, 10)])
    found = walked_maximum(HOEFFDING.sure, LevelRule(0), schedule, 1, 11)
    assert (found.round, found.count) == (10, 9)


def test_without_a_cap_a_count_that_falls_is_largest_in_round_two():
    """6 ln t / (ln t)^2 falls from round 2 on; in round 1 there is nothing to count."""

    class Rising(ShapedSchedule):
        def terms(self, arms: int) -> tuple[RadicalTerm, ...]:
            return (RadicalTerm(1, degree=2),)

    found = largest_count(HOEFFDING.sure, LevelRule(0), Rising(), 2, 50, cap=False)
    assert found.round == 2 and float(found.count) == pytest.approx(6 / math.log(2))

"""The exact cap: the fast algorithm, the recurrence, the definition, real runs, and rules that are wrong."""

import math
from fractions import Fraction
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.bounds.enclosures import Enclosure
from bufalu.bounds.maxima import LevelRule, largest_count
from bufalu.bounds.query_cap import (
    _smallest_over_blocks,
    all_queries,
    exact_query_cap,
    recurrence,
    samples_rounded_up,
)
from bufalu.bounds.regularity import BERNSTEIN, HOEFFDING, PolynomialRule, Regularity
from bufalu.reference.confidence import BernsteinInterval, HoeffdingInterval
from bufalu.reference.exact import Exact, log_root
from bufalu.reference.instances import Instance
from bufalu.reference.live import BuFALU
from bufalu.reference.rewards import SeededRewards
from bufalu.reference.schedules import BernsteinBudget, Budget, Power, Values
from bufalu.reference.simulation import simulate
from tests.bounds.questions import FORMULAS, GROWING, formulas, value_lists

regularities = st.sampled_from([HOEFFDING, BERNSTEIN])
INTERVALS = {"hoeffding": HoeffdingInterval(), "bernstein": BernsteinInterval()}


def by_definition(schedule, arms, horizon):
    """m_T for Hoeffding's interval, straight from its definition in exact numbers."""
    queries = 1
    for t in range(arms + 1, horizon + 1):
        epsilon = schedule.at(t, arms)
        if Exact.of(queries) * epsilon * epsilon < Exact.of(6) * log_root(t, 2):
            queries += 1
    return queries


def query_counts(instance, schedule, horizon, regularity):
    policy = BuFALU(instance.number_of_arms, confidence=INTERVALS[regularity.name])
    counts = [0] * instance.number_of_arms
    for played in simulate(policy, instance, schedule, horizon, SeededRewards(instance, 0)):
        counts[played.arm - 1] += played.query
    return counts


@given(formulas, st.integers(1, 5), st.integers(1, 150), regularities)
def test_fast_cap_is_the_recurrence(schedule, arms, horizon, regularity):
    assert exact_query_cap(regularity.sure, schedule, arms, horizon) == recurrence(
        regularity.sure, schedule, arms, horizon
    )


@pytest.mark.parametrize("schedule", FORMULAS, ids=str)
def test_fast_cap_is_the_definition(schedule):
    for arms, horizon in ((1, 1), (2, 2), (2, 3), (5, 700)):
        assert exact_query_cap(HOEFFDING.sure, schedule, arms, horizon) == by_definition(schedule, arms, horizon)


@given(value_lists(30), st.integers(1, 4), st.integers(1, 30))
def test_any_sequence_follows_the_definition(schedule, arms, horizon):
    assert exact_query_cap(HOEFFDING.sure, schedule, arms, horizon) == by_definition(schedule, arms, horizon)


def test_jumps_are_not_jumped_over():
    """A late drop of epsilon cannot be used at once: rounding up N-bar at T would answer 30."""
    schedule = Values((5,) * 28 + (0, 0))
    assert exact_query_cap(HOEFFDING.sure, schedule, 1, 30) == by_definition(schedule, 1, 30)
    assert exact_query_cap(HOEFFDING.sure, schedule, 1, 30) < 6
    assert exact_query_cap(HOEFFDING.sure, GROWING, 2, 60) == by_definition(GROWING, 2, 60)


@given(formulas, st.integers(1, 5), st.integers(1, 200), regularities)
def test_exact_cap_never_exceeds_the_printed_one(schedule, arms, horizon, regularity):
    printed = Enclosure.of(largest_count(regularity.sure, LevelRule(0), schedule, arms, horizon).count) + 1
    assert exact_query_cap(regularity.sure, schedule, arms, horizon) <= printed.upper


def test_runs_attain_the_cap_and_kill_a_smaller_constant():
    """Equal arms with Hoeffding's interval: 6 is needed, 5 in its place is exceeded by a real run."""
    instance = Instance.deterministic([Fraction(1, 2)] * 2)
    wrong = Regularity("hoeffding", "-", 2, HOEFFDING.good_numbers, PolynomialRule(5), PolynomialRule(5))
    for schedule, horizon in ((Budget(14), 60), (Budget(Fraction(29, 2)), 60), (Power(Fraction(1, 10)), 400)):
        counts = query_counts(instance, schedule, horizon, HOEFFDING)
        assert max(counts) == exact_query_cap(HOEFFDING.sure, schedule, 2, horizon)
        assert max(counts) > exact_query_cap(wrong.sure, schedule, 2, horizon)


def guaranteed(rule, schedule, arms, horizon):
    return all_queries(exact_query_cap(rule, schedule, arms, horizon), arms, horizon)


@pytest.mark.parametrize("budget", [1, 2, 7, 12, 13, Fraction(25, 2), 40])
@pytest.mark.parametrize("arms", [2, 3])
def test_equal_arms_keep_the_budget_guarantee(budget, arms):
    schedule, horizon = Budget(budget), 120
    most = guaranteed(HOEFFDING.sure, schedule, arms, horizon)
    used = sum(query_counts(Instance.deterministic([Fraction(1, 2)] * arms), schedule, horizon, HOEFFDING))
    assert used <= most == arms * max(1, math.ceil(Fraction(budget) / arms))
    if Fraction(budget, arms).denominator == 1:
        assert used == most == budget


@pytest.mark.parametrize(("budget", "arms", "used"), [(1, 2, 2), (7, 2, 8), (13, 2, 14), (2, 3, 3)])
def test_the_budget_itself_is_exceeded(budget, arms, used):
    """E13: the initial rounds, or rounding B/K up, let a run query more often than B."""
    instance = Instance.deterministic([Fraction(1, 2)] * arms)
    assert sum(query_counts(instance, Budget(budget), 120, HOEFFDING)) == used > budget
    assert used == guaranteed(HOEFFDING.sure, Budget(budget), arms, 120)


def test_what_is_guaranteed_for_all_arms():
    assert guaranteed(HOEFFDING.sure, Budget(100), 2, 10) == 10
    assert guaranteed(HOEFFDING.sure, GROWING, 2, 60) == 52
    assert guaranteed(BERNSTEIN.sure, BernsteinBudget(40), 3, 10**6) == 42
    # a budget keeps its promise only with the interval that it is made for
    assert guaranteed(BERNSTEIN.sure, Budget(40), 3, 10**6) > 42
    assert exact_query_cap(BERNSTEIN.sure, BernsteinBudget(40), 3, 10**6) == 14


@given(st.integers(1, 300), st.integers(2, 5), st.integers(1, 200))
def test_budget_caps_are_whole_parts(budget, arms, horizon):
    expected = 1 if horizon <= arms else min(horizon - arms + 1, max(1, -(-budget // arms)))
    assert exact_query_cap(HOEFFDING.sure, Budget(budget), arms, horizon) == expected


def test_a_billion_rounds_are_not_walked_through():
    # Walking through them would hang the tests.
    caps = [exact_query_cap(HOEFFDING.sure, schedule, 5, 10**9) for schedule in FORMULAS]
    # 6 ln T sqrt(T), 6 (ln T)^3 and B/K, rounded up
    assert caps[3] == math.ceil(6 * math.log(10**9) * math.sqrt(10**9))
    assert caps[7] == math.ceil(6 * math.log(10**9) ** 3)
    assert caps[8] == 20


@pytest.mark.parametrize("limit", [1, 5, 40])
def test_rounded_samples_are_cut_one_above_the_limit(limit):
    """Nothing below the limit is cut, and what is cut says that the limit is exceeded, by one."""
    rule = HOEFFDING.sure
    assert samples_rounded_up(rule, Exact.of(0), 10, limit) == limit + 1
    for numerator in range(1, 40):
        level = Exact.of(Fraction(numerator, 4))
        uncut = samples_rounded_up(rule, level, 10, 10**9)
        assert uncut == max(1, math.ceil(6 * math.log(10) / (numerator / 4) ** 2))
        assert samples_rounded_up(rule, level, 10, limit) == min(uncut, limit + 1)


def test_a_whole_number_of_samples_at_the_limit_is_not_cut():
    """Under a budget of B queries the rule needs B/K samples exactly, which the limit B/K allows."""
    level = Budget(Fraction(20)).at(9, 2)
    assert [samples_rounded_up(HOEFFDING.sure, level, 9, limit) for limit in (8, 9, 10, 11)] == [9, 10, 10, 10]


def test_a_cap_that_never_binds_is_every_round():
    assert exact_query_cap(HOEFFDING.sure, Values((Fraction(0),) * 50), 2, 50) == 49
    assert exact_query_cap(HOEFFDING.sure, Power(Fraction(50)), 2, 50) == 49
    assert exact_query_cap(HOEFFDING.sure, Power(Fraction(50)), 2, 2) == 1


@given(st.lists(st.integers(0, 3), min_size=2, max_size=40), st.integers(1, 3))
def test_the_search_in_blocks_misses_no_round(steps, arms):
    """min over K <= s <= T of c(s) + T - s, for any c that never falls and has c(K) = 1."""
    counts = dict(enumerate(accumulate(steps, initial=1), start=arms))
    horizon = max(counts)
    assert _smallest_over_blocks(counts.__getitem__, arms, horizon) == min(
        count + horizon - s for s, count in counts.items()
    )

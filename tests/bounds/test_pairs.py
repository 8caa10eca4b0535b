"""The bounds of the pair rule: the inequalities that are proved, their largest whole numbers, and every claim's formula."""

import math
from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.bounds import Enclosure, Truth, upper_bounds
from bufalu.bounds.enclosures import INFINITE
from bufalu.bounds.guarantees import PairGuarantee
from bufalu.bounds.pairs import PairCount, PairRoot, SharpPairCount, enough_answers, rare_failures
from bufalu.bounds.quantities import Quantities
from bufalu.bounds.query_cap import exact_query_cap, recurrence
from bufalu.bounds.upper import problem_independent, queries, query_cap, refined_counts, regret
from bufalu.properties.algebra.formulas import numbers_follow_formula
from bufalu.properties.runs.strategies import fractions
from bufalu.reference.exact import PLUS_INFINITY, Exact
from bufalu.reference.instances import Instance
from bufalu.reference.policies import PairsPolicy
from bufalu.reference.policies.policy import Pairing
from bufalu.reference.rewards import SeededRewards
from bufalu.reference.schedules import Budget, Constant, Power, Zero
from bufalu.reference.simulation import simulate
from tests.bounds.questions import formulas, several_arms, value_lists
from tests.properties.mutants.test_mutants_in_bounds import mutated

FIVE = Instance.bernoulli([F(1, 4)] * 4 + [F(1, 2)])
TIED = Instance.bernoulli([F(1, 4), F(1, 2), F(1, 2)])
TWO = Pairing(2, 4)
pairings = st.builds(Pairing, fractions(1, 9, 4), st.integers(1, 9))


def asked(instance, schedule, horizon, pairing=TWO):
    return Quantities(instance, schedule, horizon, PairGuarantee(pairing))


def big_f(t, s):
    return math.log(t * len(f"{t:b}")) + math.log((t - 1 + s) / s)


def close(bound, wanted):
    return float(bound.evaluate()) == pytest.approx(wanted, rel=1e-12)


@given(pairings, *[fractions(F(1, 6), 5, 6)] * 2)
def test_numbers_doubles_and_comparisons_are_those_of_the_formula(pairing, leader, challenger):
    assert numbers_follow_formula(PairCount(pairing, leader, challenger))
    assert numbers_follow_formula(PairRoot(pairing, leader, challenger))
    assert numbers_follow_formula(SharpPairCount(pairing, leader, 0, 17))


@given(pairings, st.integers(2, 10**9), fractions(F(1, 50), 2, 50))
def test_the_root_is_where_the_inequality_ends(pairing, t, level):
    """level^2 n^2 <= A F (n + shift), for the larger role, holds at the floor of the root and fails after it."""
    rule = PairRoot(pairing, F(3, 2), F(3))
    n = math.floor(rule.count(t, Exact.of(level)).lower)
    kappa, s = F(pairing.kappa), F(pairing.spread)
    for count, wanted in ((n, True), (n + 1, False)):
        roles = ((F(3, 2), s * (1 + kappa**2) / (1 + kappa)), (F(3), s))
        f = Enclosure.of(t * t.bit_length() * (t - 1 + s) / s).log()
        held = [level**2 * count**2 <= factor * f * (count + shift) for factor, shift in roles]
        assert (Truth.TRUE in held) is wanted
        assert rule.exceeds(count, t, Exact.of(level)) is wanted
    assert rule.count(t, Exact.of(level)).upper <= PairCount(pairing, F(3, 2), F(3)).count(t, Exact.of(level)).upper


def test_ends_of_the_levels():
    count, root = PairCount(TWO, 1, 1), PairRoot(TWO, 1, 1)
    assert count.count(5, PLUS_INFINITY) == F(20, 3)
    assert root.count(5, PLUS_INFINITY) == 0
    assert count.count(1, Exact.of(1)) == root.count(1, Exact.of(1)) == 0
    assert count.count(5, Exact.of(0)) is INFINITE


def test_the_numbers_are_those_of_the_claims():
    """`pairs.theorem.*` by hand, at T = 100,000 and epsilon = 0: kappa = 2 and s = 4."""
    horizon = 100_000
    numbers = asked(FIVE, Zero(), horizon)
    f, gap = big_f(horizon, 4), 0.25
    other = max(1.5 * f / gap**2 + 4 * 5 / 3, 3 * f / gap**2 + 4)
    own = max(6 * f / gap**2 + 4 * 5 / 3, 0.75 * f / gap**2 + 4)
    failures = 4 * math.fsum(1 / (t * t.bit_length()) for t in range(1, horizon + 1))
    assert close(regret(numbers, numbers.n_bar, "regret"), 4 * gap * other + (5 + failures) * gap)
    assert close(queries(numbers, numbers.n_bar, "queries"), 4 * other + own + 5 + failures)
    any_gaps = 2 * math.sqrt(3 * 5 * horizon * f) + (5 * 20 / 3 + 5 + failures) * gap
    assert close(problem_independent(numbers), any_gaps)
    found = [float(Enclosure.of(numbers.n_bar[arm - 1].count)) for arm in (1, 5)]
    assert found == pytest.approx([other, own], rel=1e-12)
    several = asked(TIED, Constant(F(1, 10)), horizon)
    beside = max(1.5 * f / gap**2 + 4 * 5 / 3, 2 * f / gap**2 + 4)
    optimal = max(1.5 * f * 100 + 4 * 5 / 3, 2 * f * 100 + 4)
    failures = 2 * 2 * failures / 4
    assert close(queries(several, several.n_bar, "queries"), beside + 2 * optimal + 3 + failures)
    assert close(query_cap(several), 1.5 * f * 100 + 4 * 5 / 3 + 1)


def test_kappa_is_not_inverted():
    """A large kappa lets the optimal arm be queried more and the others less: the theorem's direction."""
    balanced, leaning = (asked(FIVE, Zero(), 10**9, Pairing(kappa, 4)) for kappa in (1, 3))
    assert leaning.n_bar[0].count.upper < balanced.n_bar[0].count.lower
    assert leaning.n_bar[4].count.lower > balanced.n_bar[4].count.upper


@given(formulas, st.integers(1, 5), st.integers(1, 150), pairings)
def test_the_fast_cap_is_the_recurrence(schedule, arms, horizon, pairing):
    rule = PairGuarantee(pairing).sure_exactly
    assert exact_query_cap(rule, schedule, arms, horizon) == recurrence(rule, schedule, arms, horizon)


@pytest.mark.parametrize("schedule", [Power(F(1, 4)), Constant(F(1, 10)), Budget(5000)], ids=str)
def test_whole_numbers_never_exceed_the_theorem(schedule):
    numbers = asked(FIVE, schedule, 10_000)
    assert numbers.query_cap_exact <= query_cap(numbers).evaluate().upper
    for whole, plain, root in zip(refined_counts(numbers), numbers.n_bar, numbers.n_bar_sharper, strict=True):
        assert isinstance(whole, int)
        assert whole <= Enclosure.of(root.count).upper + 1 <= Enclosure.of(plain.count).upper + 1


def test_one_arm_is_never_queried_again():
    numbers = asked(Instance.bernoulli([F(1, 2)]), Zero(), 1_000)
    assert [largest.count for largest in numbers.n_bar] == [0]
    assert float(numbers.failures) == 0
    assert close(queries(numbers, numbers.n_bar, "queries"), 1)


@given(st.integers(1, 3_000), st.integers(0, 3_000))
def test_failures_are_the_sum(first, more):
    wanted = math.fsum(1 / (t * t.bit_length()) for t in range(first, first + more))
    assert float(rare_failures(first, first + more - 1)) == pytest.approx(wanted, rel=1e-12, abs=1e-15)


def test_with_enough_answers_a_pair_is_thin_and_with_one_less_it_is_not():
    """Near half the gap delta asks for little, and thinness for the more."""
    gap, delta, horizon, kappa, s = 0.5, 0.249, 10**5, 2, 4

    def thinness(most: int) -> float:
        growth = math.log(horizon * horizon.bit_length() * (4 * most + s) / s)
        return growth * ((1 + kappa) * most + (1 + kappa**2) * s) / (2 * most**2)

    found = enough_answers(Pairing(kappa, s), horizon, F(1, 2), F(249, 1000))
    assert thinness(found + 1) < (gap - 2 * delta) ** 2 < thinness(found - 1)


def test_failures_stay_below_the_harmonic_number():
    horizon = 10**300
    harmonic = sum(F(1, j) for j in range(1, horizon.bit_length() + 1))
    assert rare_failures(1, horizon).upper <= harmonic
    assert float(rare_failures(1, 100_000)) == pytest.approx(2.78081731, rel=1e-8)


@given(st.one_of(formulas, value_lists(40)), several_arms, st.integers(1, 40), pairings)
def test_no_run_exceeds_the_exact_cap(schedule, instance, horizon, pairing):
    counts = [0] * instance.number_of_arms
    policy = PairsPolicy(pairing.kappa, pairing.spread)
    for played in simulate(policy, instance, schedule, horizon, SeededRewards(instance, 0)):
        counts[played.arm - 1] += played.query
    assert max(counts) <= upper_bounds(instance, schedule, horizon, policy=policy).query_cap_exact


@pytest.mark.parametrize(
    ("function", "old", "new"),
    [
        (PairGuarantee.rule, "challenger = 4 * challenger", "challenger = 2 * challenger"),
        (PairGuarantee.rule, "leader = 4 * leader", "leader = leader"),
        (PairGuarantee.rule, "challenger = Fraction(2)", "challenger = Fraction(1)"),
        (PairGuarantee._pairs, "2 * others", "others"),
        (PairGuarantee.any_gaps, "max(leader, challenger), 0", "leader, 0"),
        (PairCount._answers, "round_number - 1", "round_number"),
        (PairCount._in_the_log, "round_number.bit_length()", "1"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.__qualname__,
)
def test_a_wrong_formula_is_noticed(monkeypatch, function, old, new):
    monkeypatch.setattr(function, "__code__", mutated(function, old, new))
    with pytest.raises(AssertionError):
        test_the_numbers_are_those_of_the_claims()

"""The asymptotic theorem (l.303-314): special cases, the best level, and the wording that is true."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st

from bufalu.bounds.divergences import bernoulli_entropy
from bufalu.bounds.enclosures import Truth
from bufalu.bounds.errors import OutsideDomain
from bufalu.bounds.families import Bernoulli, Bounded, Family, Gaussian, TwoFaced
from bufalu.bounds.lower import balance_level, lower_bounds, pair_bound
from bufalu.reference.instances import Arm, Instance
from tests.bounds.questions import fewer, portions

QUARTER, HALF = Fraction(1, 4), Fraction(1, 2)
means = portions(1, 19, 20)


def test_the_five_arms_of_the_tables() -> None:
    result = lower_bounds(Instance.bernoulli([QUARTER] * 4 + [HALF]), Bernoulli())
    assert result.kinf_plus[0].overlaps(bernoulli_entropy(QUARTER, HALF))
    assert result.kinf_plus[4].is_zero
    assert result.kinf_minus[:4] == (None,) * 4
    first = result.suboptimal[0]
    assert first is not None
    assert first.evaluate().overlaps(1 / bernoulli_entropy(QUARTER, HALF))
    assert result.suboptimal[4] is None
    assert result.optimal.evaluate().overlaps(1 / bernoulli_entropy(HALF, QUARTER))
    assert len(result.bounds) == 4 + 1 + 4
    assert "l.308" in repr(first)


@given(means, means)
def test_gaussian_balance_is_the_midpoint(one: Fraction, two: Fraction) -> None:
    """mu_0 = mu_a + Delta_a/2 (l.319), and the pair then costs 8 / Delta^2."""
    assume(one != two)
    low, high = sorted((one, two))
    pair = pair_bound(Instance.bernoulli([low, high]), Gaussian(1), 1)
    assert pair.balance.contains((low + high) / 2)
    expected = 8 / (high - low) ** 2
    assert abs(pair.bound.evaluate().upper - expected) < expected / 10**12


FAMILIES: list[Family] = [Bernoulli(), Bounded(), Gaussian(HALF)]


@fewer(2)
@given(st.sampled_from(FAMILIES), means, means, st.integers(0, 10))
def test_no_level_of_the_range_gives_a_better_pair_bound(
    family: Family, one: Fraction, two: Fraction, step: int
) -> None:
    assume(one != two)
    low, high = sorted((one, two))
    instance = Instance.bernoulli([low, high])
    best = pair_bound(instance, family, 1).bound.evaluate()
    other = pair_bound(instance, family, 1, low + (high - low) * Fraction(step, 10)).bound.evaluate()
    assert other.lower <= best.upper * (1 + Fraction(1, 10**15))


@fewer(2)
@given(st.sampled_from(FAMILIES), means, means)
def test_the_two_distances_meet_at_the_balance(family: Family, one: Fraction, two: Fraction) -> None:
    assume(one != two)
    low, high = sorted((one, two))
    arm, best = Arm.bernoulli(low), Arm.bernoulli(high)
    left, right = balance_level(family, arm, best)
    assert low <= left <= right <= high
    assert right - left <= Fraction(1, 2**40)
    assert (family.kinf_plus(arm, left) > family.kinf_minus(best, left)) is not Truth.TRUE
    assert (family.kinf_plus(arm, right) < family.kinf_minus(best, right)) is not Truth.TRUE


def test_the_balance_is_taken_below_the_printed_range_too() -> None:
    """Erratum E4: with a third arm just below the best, mu_0 of the worst arm lies under mu^s."""
    instance = Instance.bernoulli([Fraction(1, 10), Fraction(45, 100), HALF])
    pair = pair_bound(instance, Gaussian(1), 1)
    assert pair.balance.upper < Fraction(45, 100)
    assert pair.balance.contains(pair.level)
    with pytest.raises(OutsideDomain):
        pair_bound(instance, Gaussian(1), 1, Fraction(9, 100))


def test_a_threshold_below_the_printed_range_trebles_the_bound() -> None:
    """Where the printed range ends, the bound for the worst of these arms is 3.53, and at mu_0 it is 10.86."""
    runner_up = Fraction(61, 100)
    instance = Instance.bernoulli([Fraction(6, 25), Fraction(33, 50), runner_up])
    printed, best = (pair_bound(instance, Bernoulli(), 1, level).bound.evaluate() for level in (runner_up, None))
    assert Fraction("3.525") <= printed.lower <= printed.upper <= Fraction("3.535")
    assert Fraction("10.855") <= best.lower <= best.upper <= Fraction("10.865")


def test_the_improved_form_excludes_more_than_the_printed_one() -> None:
    """Kinf+ n_a + Kinf- n_a* >= 1 (l.605) is stronger than the bound on the sum (l.310)."""
    instance = Instance.bernoulli([QUARTER, HALF])
    pair = pair_bound(instance, Bernoulli(), 1, Fraction(3, 10))
    threshold = Fraction(float(pair.bound.evaluate()))
    smaller_coefficient_arm = (2 * threshold, 0) if pair.plus < pair.minus else (0, 2 * threshold)
    rates = tuple(rate * Fraction(9, 10) / 1 for rate in smaller_coefficient_arm)
    assert sum(rates) > threshold, "the printed bound allows these rates"
    assert pair.excludes(*rates) is Truth.TRUE, "the improved one does not"
    assert pair.excludes(10**9, 10**9) is Truth.FALSE


def test_several_optimal_arms_need_more_than_logarithmic_queries() -> None:
    for family in (Bernoulli(), Bounded(), Gaussian(1)):
        result = lower_bounds(Instance.bernoulli([QUARTER, HALF, HALF]), family)
        assert result.optimal.evaluate().is_infinite
        assert result.pairs == ()


def test_two_faces_make_both_conditions_necessary() -> None:
    """l.726-744: all coins: from below; one sure arm: nothing; two sure arms: from above."""
    x = Fraction(1, 3)
    family, coin, sure = TwoFaced(x), Arm.bernoulli(x), Arm.deterministic(x)
    coins = lower_bounds(Instance((coin, coin)), family)
    assert coins.optimal.evaluate().is_infinite
    mixed = lower_bounds(Instance((coin, sure)), family)
    assert mixed.optimal.evaluate().is_zero
    assert mixed.optimal == mixed.several[0], "the bound from above is no larger"
    both = lower_bounds(Instance((coin, sure, sure)), family)
    assert both.optimal.evaluate().is_infinite
    assert both.several[0].evaluate().is_zero, "from below nothing follows"


def test_the_statement_is_the_liminf_of_the_sum() -> None:
    """Errata E1 and E2: the printed wording is kept apart from what the proof gives."""
    pair = lower_bounds(Instance.bernoulli([QUARTER, HALF]), Bernoulli()).pairs[0].bound
    assert "liminf E[queries of arms 1 and 2]" in pair.statement
    assert pair.printed is not None
    assert pair.printed.count("liminf") == 2


def test_ends_of_the_conventions() -> None:
    alone = lower_bounds(Instance.bernoulli([HALF]), Bernoulli())
    assert alone.optimal.evaluate().is_zero
    sure = lower_bounds(Instance.bernoulli([HALF, 1]), Bernoulli())
    assert sure.kinf_plus[0].is_infinite
    first = sure.suboptimal[0]
    assert first is not None
    assert first.evaluate().is_zero, "no Bernoulli mean exceeds 1, so arm 1 need not be queried"
    with pytest.raises(OutsideDomain):
        pair_bound(Instance.bernoulli([HALF, HALF]), Bernoulli(), 1)


@pytest.mark.parametrize("means", [[HALF, HALF, QUARTER, QUARTER], [HALF, QUARTER, QUARTER, Fraction(1, 3)]])
def test_equal_arms_are_worked_out_once(means: list[Fraction]) -> None:
    """Each arm has what it would have alone beside the best one, and the same question is asked once."""
    asked: list[Fraction] = []

    class Counting(Bernoulli):
        def kinf_plus(self, arm, level):
            asked.extend([arm.mean] if level == HALF else [])
            return super().kinf_plus(arm, level)

    heard: list[int] = []
    found = lower_bounds(Instance.bernoulli(means), Counting(), progress=heard.append)
    assert sorted(asked[: len(set(means))]) == sorted(set(means))
    assert [value.as_json() for value in found.kinf_plus] == [
        Bernoulli().kinf_plus(arm, HALF).as_json() for arm in Instance.bernoulli(means).arms
    ]
    for pair in found.pairs:
        alone = pair_bound(Instance.bernoulli(means), Bernoulli(), pair.arm)
        assert pair.bound.evaluate().as_json() == alone.bound.evaluate().as_json()
        assert (pair.level, pair.bound.name) == (alone.level, alone.bound.name)
    assert heard == ([1, 3, 4] if found.pairs else []), "those that are alike are done together"


def test_two_hundred_equal_arms_take_no_comparison_of_symbols(monkeypatch: pytest.MonkeyPatch) -> None:
    """sympy would compare them two by two, 20,000 times; the largest of symbols needs none of that."""
    monkeypatch.setattr(sympy.Symbol, "__ge__", lambda left, right: pytest.fail("symbols were compared"))
    found = lower_bounds(Instance.bernoulli([HALF] * 200), Bernoulli())
    assert (
        found.several[0].evaluate().is_infinite
        is lower_bounds(Instance.bernoulli([HALF] * 2), Bernoulli()).several[0].evaluate().is_infinite
    )

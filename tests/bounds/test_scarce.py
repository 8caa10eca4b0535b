"""Scarce querying: the linear-regret proposition, the corollary and its three profiles, and the costs."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.bounds import enclosures, scarce
from bufalu.bounds.enclosures import INFINITE, Enclosure, Truth
from bufalu.bounds.errors import OutsideDomain
from bufalu.bounds.families import Bernoulli, Gaussian
from bufalu.bounds.scarce import (
    GapAwareProfile,
    PolylogProfile,
    PolynomialProfile,
    break_even_cost,
    finite_regret,
    least_plays,
    least_query_aware_regret,
    linear_regret_expression,
    query_aware_regret,
    scarce_threshold,
    whole_root,
)
from bufalu.properties.runs.strategies import fractions
from bufalu.reference.errors import UndecidedComparison
from bufalu.reference.instances import Instance
from tests.bounds.questions import portions

gaps = portions(2, 12, 24)


@given(st.integers(1, 9), st.integers(1, 10**6), fractions(0, 50, 9), gaps)
def test_plays_by_formula_and_by_function(arms: int, horizon: int, queries: Fraction, gap: Fraction) -> None:
    kinf = Enclosure.of(gap**2 / 2)
    values = {"K": arms, "T": horizon, "n": queries, "kappa": kinf}
    assert linear_regret_expression().evaluate(values).overlaps(least_plays(arms, horizon, queries, kinf))


@given(st.integers(1, 9), st.integers(1, 10**6), gaps, fractions(0, 1, 9))
def test_half_a_uniform_share_below_the_threshold(arms: int, horizon: int, gap: Fraction, share: Fraction) -> None:
    """l.340, for a rational Kinf+: at the threshold the bound is exactly T/(2K), with fewer queries more."""
    kinf = gap**2 / 2
    queries = share / (8 * arms * kinf)
    plays = least_plays(arms, horizon, queries, Enclosure.of(kinf))
    assert (plays < Fraction(horizon, 2 * arms)) is not Truth.TRUE
    assert scarce_threshold(arms, Enclosure.of(kinf)).contains(1 / (8 * arms * kinf))


def test_four_for_eight_in_the_threshold_is_wrong() -> None:
    kinf = Fraction(1, 32)
    plays = least_plays(2, 10**6, 1 / (4 * 2 * kinf), Enclosure.of(kinf))
    assert plays < Fraction(10**6, 4)


def test_no_information_no_bound() -> None:
    assert least_plays(3, 100, 5, INFINITE).is_zero
    with pytest.raises(OutsideDomain):
        least_plays(0, 100, 5, Enclosure.of(1))


def brute_inverse(budget, bound: float, limit: int) -> int:  # type: ignore[no-untyped-def]
    return max((t for t in range(1, limit) if budget(t) <= bound), default=0)


@given(st.integers(1, 4), gaps, st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(2, 3)]))
def test_polynomial_profile_against_brute_force(others: int, gap: Fraction, alpha: Fraction) -> None:
    """t^alpha / K <= 1/(4 K Delta^2), in whole numbers: t^u (4 Delta^2)^v <= 1."""
    instance = Instance.bernoulli([Fraction(1, 2)] + [Fraction(1, 2) - gap] * others)
    result = finite_regret(instance, Gaussian(1), PolynomialProfile(alpha))
    limit = 2 + math.ceil(float(1 / (4 * gap**2)) ** float(1 / alpha))
    u, v = alpha.numerator, alpha.denominator
    expected = max((t for t in range(1, limit + 1) if t**u * (4 * gap**2) ** v <= 1), default=0)
    assert result.rounds == (None, *([expected] * others))
    assert result.horizon == expected
    assert result.regret is not None
    assert result.regret.contains(gap * expected * others / (2 * (others + 1)))


@given(st.integers(1, 3), gaps.filter(lambda gap: gap >= Fraction(1, 5)))
def test_polylog_profile_keeps_the_constant_in_the_exponent(others: int, gap: Fraction) -> None:
    """exp(1 / (4 Delta^2)), not exp(1 / Delta^2) as printed (erratum E7)."""
    instance = Instance.bernoulli([Fraction(1, 2)] + [Fraction(1, 2) - gap] * others)
    (rounds,) = set(finite_regret(instance, Gaussian(1), PolylogProfile(1)).rounds) - {None}
    assert rounds == brute_inverse(math.log, float(1 / (4 * gap**2)), 600)
    assert rounds is not None
    assert rounds < math.exp(float(1 / gap**2)), "the printed exponent promises more than the corollary gives"


def test_gap_aware_profile_is_one_round() -> None:
    instance = Instance.bernoulli([Fraction(1, 4)] * 4 + [Fraction(1, 2)])
    result = finite_regret(instance, Gaussian(1), GapAwareProfile())
    assert result.rounds == (1, 1, 1, 1, None)
    assert result.regret is not None
    assert result.regret.contains(Fraction(1, 10))


def test_equality_and_infinity_in_the_corollary() -> None:
    instance = Instance.bernoulli([Fraction(1, 4)] * 4 + [Fraction(1, 2)])
    assert finite_regret(instance, Gaussian(1), PolynomialProfile(Fraction(1, 2))).rounds[0] == 16, "4^2, met exactly"
    endless = finite_regret(instance, Gaussian(1), PolynomialProfile(0))
    assert endless.horizon is None
    assert endless.regret is None
    sure = finite_regret(Instance.bernoulli([Fraction(1, 2), 1]), Bernoulli(), PolylogProfile(1))
    assert sure.rounds == (None, None), "Kinf+ is infinite: the corollary says nothing (erratum E8)"
    assert sure.regret is not None
    assert sure.regret.is_zero


@given(st.integers(0, 10**30), st.integers(1, 7))
def test_whole_root(value: int, degree: int) -> None:
    result = whole_root(value, degree)
    assert result**degree <= value < (result + 1) ** degree


@given(st.lists(st.tuples(gaps, st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=5), gaps)
def test_query_aware_regret_is_above_its_lower_bound(rows: list[tuple[Fraction, int, int]], cost: Fraction) -> None:
    """Arms must be played to be queried (l.757); dropping that hypothesis makes it false."""
    delta = [gap for gap, _, _ in rows]
    queries = [Enclosure.of(q) for _, q, _ in rows]
    plays = [Enclosure.of(q + extra) for _, q, extra in rows]
    least = least_query_aware_regret(delta, cost, queries)
    assert (query_aware_regret(delta, cost, queries, plays) < least) is not Truth.TRUE
    if any(q for _, q, _ in rows):
        unplayed = [Enclosure.of(0)] * len(rows)
        assert (query_aware_regret(delta, cost, queries, unplayed) < least) is Truth.TRUE


def test_break_even_cost() -> None:
    cost = break_even_cost(400, 700, 100, 100_700)
    assert cost == Fraction(3, 1000)
    assert 400 + cost * 700 == 100 + cost * 100_700
    with pytest.raises(OutsideDomain):
        break_even_cost(1, 5, 2, 5)


def test_bits_are_doubled_until_a_whole_number_is_certain():
    class Doubtful:
        def __init__(self):
            self.bits = []

        def inverse(self, arms, gap, threshold):
            self.bits.append(enclosures._Precision.bits)
            if len(self.bits) < 3:
                raise UndecidedComparison("more bits")
            return 5

    profile, instance = Doubtful(), Instance.bernoulli([Fraction(1, 4), Fraction(1, 2)])
    assert scarce._inverse(instance, Gaussian(1), profile, 1, Fraction(1, 4)) == 5
    first = enclosures.DEFAULT_PRECISION
    assert profile.bits == [first, 2 * first, 4 * first]


def test_more_queries_than_rounds_count_as_one_in_each_round():
    """T/K (1 - sqrt(2 T kappa)) from K n = T on: 5 (1 - sqrt(1/10))."""
    values = {"K": 2, "T": 10, "kappa": Enclosure.of(Fraction(1, 200))}
    for queries in (5, 100):
        found = linear_regret_expression().evaluate({**values, "n": queries})
        assert abs(float(found) - 5 * (1 - math.sqrt(0.1))) < 1e-12


def test_a_profile_that_never_grows_stays_at_one_over_k():
    """B_a(t) = 1/K: no t brings it above x >= 1/K, and none is needed for less."""
    for arms in (1, 2, 5):
        below, at, above = (Fraction(share) / arms for share in (Fraction(99, 100), 1, Fraction(3, 2)))
        assert PolynomialProfile(0).inverse(arms, 1, below) == 0
        assert PolynomialProfile(0).inverse(arms, 1, at) is None
        assert PolynomialProfile(0).inverse(arms, 1, above) is None

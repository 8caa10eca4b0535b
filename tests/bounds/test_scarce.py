"""Scarce querying: the linear-regret proposition, the corollary and its three profiles, and the costs."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.bounds.enclosures import Enclosure, Truth
from bufalu.bounds.errors import OutsideDomain
from bufalu.bounds.scarce import (
    GapAwareProfile,
    PolylogProfile,
    PolynomialProfile,
    break_even_cost,
    least_query_aware_regret,
    linear_regret_expression,
    query_aware_regret,
    scarce_threshold_expression,
    whole_root,
)
from bufalu.properties.runs.strategies import fractions
from tests.bounds.questions import portions

gaps = portions(2, 12, 24)


@given(st.integers(1, 9), st.integers(1, 10**6), gaps, fractions(0, 1, 9))
def test_half_a_uniform_share_below_the_threshold(arms: int, horizon: int, gap: Fraction, share: Fraction) -> None:
    """l.340, for a rational Kinf+: at the threshold the bound is exactly T/(2K), with fewer queries more."""
    kinf = gap**2 / 2
    queries = share / (8 * arms * kinf)
    plays = linear_regret_expression().evaluate({"K": arms, "T": horizon, "n": queries, "kappa": kinf})
    assert (plays < Fraction(horizon, 2 * arms)) is not Truth.TRUE
    assert scarce_threshold_expression().rational({"K": arms, "kappa": kinf}) == 1 / (8 * arms * kinf)


def test_four_for_eight_in_the_threshold_is_wrong() -> None:
    kinf = Fraction(1, 32)
    plays = linear_regret_expression().evaluate({"K": 2, "T": 10**6, "n": 1 / (4 * 2 * kinf), "kappa": kinf})
    assert plays < Fraction(10**6, 4)


def gaussian_bound(arms: int, gap: Fraction) -> Fraction:
    """1 / (8 K Kinf+) for laws with variance 1, whose Kinf+ is gap^2 / 2."""
    return scarce_threshold_expression().rational({"K": arms, "kappa": gap**2 / 2})


def brute_inverse(budget, bound: float, limit: int) -> int:  # type: ignore[no-untyped-def]
    return max((t for t in range(1, limit) if budget(t) <= bound), default=0)


@given(st.integers(1, 4), gaps, st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(2, 3)]))
def test_polynomial_profile_against_brute_force(others: int, gap: Fraction, alpha: Fraction) -> None:
    """t^alpha / K <= 1/(4 K Delta^2), in whole numbers: t^u (4 Delta^2)^v <= 1."""
    result = PolynomialProfile(alpha).inverse(others + 1, gap, gaussian_bound(others + 1, gap))
    limit = 2 + math.ceil(float(1 / (4 * gap**2)) ** float(1 / alpha))
    u, v = alpha.numerator, alpha.denominator
    expected = max((t for t in range(1, limit + 1) if t**u * (4 * gap**2) ** v <= 1), default=0)
    assert result == expected


@given(st.integers(1, 3), gaps.filter(lambda gap: gap >= Fraction(1, 5)))
def test_polylog_profile_keeps_the_constant_in_the_exponent(others: int, gap: Fraction) -> None:
    """exp(1 / (4 Delta^2)), not exp(1 / Delta^2) as printed (erratum E7)."""
    rounds = PolylogProfile(1).inverse(others + 1, gap, gaussian_bound(others + 1, gap))
    assert rounds == brute_inverse(math.log, float(1 / (4 * gap**2)), 600)
    assert rounds is not None
    assert rounds < math.exp(float(1 / gap**2)), "the printed exponent promises more than the corollary gives"


def test_gap_aware_profile_is_one_round() -> None:
    assert GapAwareProfile().inverse(5, Fraction(1, 4), gaussian_bound(5, Fraction(1, 4))) == 1


def test_equality_and_infinity_in_the_corollary() -> None:
    bound = gaussian_bound(5, Fraction(1, 4))
    assert PolynomialProfile(Fraction(1, 2)).inverse(5, Fraction(1, 4), bound) == 16, "4^2, met exactly"
    assert PolynomialProfile(0).inverse(5, Fraction(1, 4), bound) is None


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

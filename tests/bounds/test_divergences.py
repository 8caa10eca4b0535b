"""KL, kl and the inequalities that the proofs take from them (l.288, l.518, l.783)."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given

from bufalu.bounds.divergences import bernoulli_entropy, local_pinsker, log_lower_bound, relative_entropy
from bufalu.bounds.enclosures import Enclosure, Truth
from bufalu.bounds.errors import OutsideDomain
from bufalu.properties.runs.strategies import fractions

unit = fractions(0, 1, 60)


def plain_kl(p: float, q: float) -> float:
    return sum(a * math.log(a / b) for a, b in ((p, q), (1 - p, 1 - q)) if a > 0)


@given(unit, unit)
def test_bernoulli_entropy_three_ways(p: Fraction, q: Fraction) -> None:
    value = bernoulli_entropy(p, q)
    general = relative_entropy({0: 1 - p, 1: p}, {0: 1 - q, 1: q})
    assert value.is_infinite == general.is_infinite == ((q == 0 and p > 0) or (q == 1 and p < 1))
    if not value.is_infinite:
        assert value.overlaps(general)
        assert float(value) == pytest.approx(plain_kl(float(p), float(q)), abs=1e-12)


@given(unit, unit)
def test_log_lower_bound_is_below_kl(p: Fraction, q: Fraction) -> None:
    value = bernoulli_entropy(p, q)
    assert (value < log_lower_bound(p, q)) is not Truth.TRUE


def test_without_ln_2_the_log_lower_bound_is_false() -> None:
    half = Fraction(1, 2)
    assert bernoulli_entropy(half, half) < log_lower_bound(half, half) + Enclosure.of(2).log()


@given(unit, unit)
def test_local_pinsker_is_below_kl(p: Fraction, q: Fraction) -> None:
    if p < q:
        assert (bernoulli_entropy(p, q) < local_pinsker(p, q)) is not Truth.TRUE


def test_local_pinsker_has_no_room_for_a_constant_of_one() -> None:
    """(q-p)^2/q, the mutant without the 2, exceeds kl somewhere."""
    p, q = Fraction(1, 100), Fraction(11, 1000)
    assert bernoulli_entropy(p, q) < 2 * local_pinsker(p, q)


@given(unit, unit, unit)
def test_kl_grows_away_from_its_first_argument(p: Fraction, q: Fraction, r: Fraction) -> None:
    low, high = sorted((q, r))
    if p <= low:
        assert (bernoulli_entropy(p, high) < bernoulli_entropy(p, low)) is not Truth.TRUE


def test_outside_the_unit_interval() -> None:
    with pytest.raises(OutsideDomain):
        bernoulli_entropy(2, Fraction(1, 2))
    with pytest.raises(OutsideDomain):
        local_pinsker(Fraction(1, 2), Fraction(1, 4))


@pytest.mark.parametrize(("p", "q"), [(Fraction(-1, 2), Fraction(1, 2)), (Fraction(1, 2), Fraction(-1, 2))])
def test_each_side_of_the_unit_interval_is_named(p: Fraction, q: Fraction) -> None:
    for left, right in ((p, q), (1 - p, 1 - q)):
        with pytest.raises(OutsideDomain, match=r"needs two numbers in \[0, 1\]"):
            bernoulli_entropy(left, right)

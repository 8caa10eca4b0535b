"""Kinf+ and Kinf-: closed forms against brute force, the dual against the primal, and the conventions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bufalu.bounds.divergences import bernoulli_entropy, relative_entropy
from bufalu.bounds.enclosures import Enclosure, Truth, working_precision
from bufalu.bounds.errors import NotInFamily, OutsideDomain
from bufalu.bounds.families import Bernoulli, Bounded, Family, Gaussian, TwoFaced, chosen_family, parse_family
from bufalu.reference.errors import UnknownName
from bufalu.reference.instances import Arm, Instance
from tests.bounds.questions import portions

unit = portions(0, 24, 24)
inside = portions(1, 23, 24)


@st.composite
def finite_arms(draw: st.DrawFn) -> Arm:
    values = draw(st.lists(unit, min_size=1, max_size=4, unique=True))
    weights = draw(st.lists(st.integers(1, 6), min_size=len(values), max_size=len(values)))
    return Arm.finite([(v, Fraction(w, sum(weights))) for v, w in zip(values, weights, strict=True)])


def masses(arm: Arm) -> dict:  # type: ignore[type-arg]
    return dict(zip(arm.values, arm.probabilities, strict=True))


@given(inside, inside)
def test_bernoulli_is_the_infimum_over_a_grid(p: Fraction, level: Fraction) -> None:
    arm = Arm.bernoulli(p)
    above, below = Bernoulli().kinf_plus(arm, level), Bernoulli().kinf_minus(arm, level)
    for step in range(1, 40):
        q = Fraction(step, 40)
        if q > level:
            assert (bernoulli_entropy(p, q) < above) is not Truth.TRUE
        if q < level:
            assert (bernoulli_entropy(p, q) < below) is not Truth.TRUE
    tiny = Fraction(1, 10**12)
    closest = bernoulli_entropy(p, max(p, level) + tiny)
    assert closest - above < Fraction(1, 10**9)


@given(finite_arms(), unit)
def test_bounded_dual_equals_a_primal_distribution(arm: Arm, level: Fraction) -> None:
    """Every distribution with a higher mean is at least as far, and the tilted arm is exactly as far."""
    assume(arm.mean < level < 1)
    value = Bounded().kinf_plus(arm, level)
    assert value.relative_width < 1e-12
    for weight in (Fraction(1, 3), Fraction(2, 3), Fraction(9, 10)):
        mixed = {v: (1 - weight) * p for v, p in masses(arm).items()}
        mixed[1] = mixed.get(1, 0) + weight
        if sum(v * p for v, p in mixed.items()) > level:
            assert (relative_entropy(masses(arm), mixed) < value) is not Truth.TRUE
    # The optimal primal: nu'(x) = nu(x) / (1 - k (x - m)/(1 - m)), the missing mass at 1. Bisect for mean = level.
    low, high = Fraction(0), Fraction(1)
    for _ in range(60):
        k = (low + high) / 2
        tilted = {v: p / (1 - k * (v - level) / (1 - level)) for v, p in masses(arm).items() if v < 1}
        rest = 1 - sum(tilted.values())
        mean = sum(v * p for v, p in tilted.items()) + rest
        if rest >= 0 and mean >= level:
            high = k
        else:
            low = k
    k = high
    tilted = {v: p / (1 - k * (v - level) / (1 - level)) for v, p in masses(arm).items() if v < 1}
    rest = 1 - sum(tilted.values())
    if rest >= 0 and sum(v * p for v, p in tilted.items()) + rest >= level:
        if rest or 1 in arm.values:
            tilted[1] = rest
        assert (relative_entropy(masses(arm), tilted) < value) is not Truth.TRUE


@given(inside, inside)
def test_bounded_agrees_with_bernoulli_on_bernoulli_arms(p: Fraction, level: Fraction) -> None:
    arm = Arm.bernoulli(p)
    assert Bounded().kinf_plus(arm, level).overlaps(Bernoulli().kinf_plus(arm, level))
    assert Bounded().kinf_minus(arm, level).overlaps(Bernoulli().kinf_minus(arm, level))


def test_bounded_with_the_dual_at_its_end() -> None:
    """A point mass at v: the nearest distribution puts the rest at 1, KL = ln((1 - v)/(1 - m))."""
    value = Bounded().kinf_plus(Arm.deterministic(Fraction(1, 4)), Fraction(1, 2))
    assert value.overlaps(Enclosure.of(Fraction(3, 2)).log())


FAMILIES: list[Family] = [Bernoulli(), Bernoulli(Fraction(3, 4)), Gaussian(Fraction(1, 3)), Bounded()]


@given(st.sampled_from(FAMILIES), inside, unit, unit)
def test_kinf_plus_rises_and_kinf_minus_falls_with_the_level(
    family: Family, p: Fraction, one: Fraction, two: Fraction
) -> None:
    """The direction is the reverse of l.319 (erratum E3)."""
    assume(p <= Fraction(3, 4))
    arm, (low, high) = Arm.bernoulli(p), sorted((one, two))
    assert (family.kinf_plus(arm, high) < family.kinf_plus(arm, low)) is not Truth.TRUE
    assert (family.kinf_minus(arm, low) < family.kinf_minus(arm, high)) is not Truth.TRUE


def test_the_printed_direction_is_refuted() -> None:
    arm = Arm.bernoulli(Fraction(1, 4))
    assert Bernoulli().kinf_plus(arm, Fraction(1, 2)) < Bernoulli().kinf_plus(arm, Fraction(3, 4))


def test_gaussian_by_its_density() -> None:
    """KL of N(m, v) and N(m', v) is (m - m')^2 / 2v (l.352)."""
    arm = Arm.deterministic(Fraction(1, 4))
    assert Gaussian(1).kinf_plus(arm, Fraction(3, 4)).contains(Fraction(1, 8))
    assert Gaussian(Fraction(1, 4)).kinf_plus(arm, Fraction(3, 4)).contains(Fraction(1, 2))
    assert Gaussian(1).kinf_minus(arm, Fraction(3, 4)).is_zero


def test_infimum_over_nothing_is_infinite() -> None:
    one, half = Arm.bernoulli(1), Arm.bernoulli(Fraction(1, 2))
    for family in (Bernoulli(), Bounded()):
        assert family.kinf_plus(half, 1).is_infinite
        assert family.kinf_plus(one, 1).is_infinite
        assert family.kinf_minus(half, 0).is_infinite
    capped = Bernoulli(Fraction(1, 2))
    assert capped.kinf_plus(half, Fraction(1, 2)).is_infinite
    assert capped.kinf_minus(half, Fraction(1, 2)).is_zero


def test_the_example_of_two_faces() -> None:
    """l.726-744: at x, Ber(x) can only be mistaken for worse arms, the sure payment of x only for better ones."""
    x = Fraction(1, 3)
    family = TwoFaced(x)
    coin, sure = Arm.bernoulli(x), Arm.deterministic(x)
    assert family.kinf_minus(coin, x).is_zero
    assert family.kinf_plus(coin, x).is_infinite
    assert family.kinf_plus(sure, x).is_zero
    assert family.kinf_minus(sure, x).is_infinite
    # The arm that always pays 1 may have come from the other face: ln(1/x).
    assert family.kinf_minus(Arm.deterministic(1), Fraction(1, 2)).overlaps(Enclosure.of(3).log())


def test_arms_outside_the_family_are_refused() -> None:
    with pytest.raises(NotInFamily):
        Bernoulli().kinf_plus(Arm.deterministic(Fraction(1, 2)), 1)
    with pytest.raises(NotInFamily):
        Bernoulli(Fraction(1, 4)).kinf_plus(Arm.bernoulli(Fraction(1, 2)), 1)
    with pytest.raises(NotInFamily):
        TwoFaced(Fraction(1, 4)).kinf_plus(Arm.deterministic(Fraction(1, 2)), 1)


def test_family_names() -> None:
    assert parse_family("bernoulli") == Bernoulli()
    assert parse_family("gaussian:1/4") == Gaussian(Fraction(1, 4))
    assert parse_family("bounded") == Bounded()
    with pytest.raises(UnknownName):
        parse_family("poisson")
    with pytest.raises(OutsideDomain):
        parse_family("gaussian:0")


@pytest.mark.parametrize("digits", [1, 5, 10, 16, 20])
@pytest.mark.parametrize("level", [Fraction(1, 2), Fraction(1, 10), Fraction(9, 10)])
def test_a_mean_next_to_the_level_is_told_apart_by_exact_signs(level, digits):
    """Doubles see no distance any more; for coins, the family of all distributions on [0, 1] gives kl itself."""
    distance = Fraction(1, 20 * 10**digits)
    for found, mean in (
        (Bounded().kinf_plus(Arm.bernoulli(level - distance), level), level - distance),
        (Bounded().kinf_minus(Arm.bernoulli(level + distance), level), level + distance),
    ):
        with working_precision(600):
            assert found.overlaps(bernoulli_entropy(mean, level))
        assert found.relative_width < 1e-8


@pytest.mark.parametrize("x", [Fraction(1, 4), Fraction(2, 3)])
def test_the_second_face_is_a_coin_between_x_and_one(x):
    arm = Arm((x, Fraction(1)), (Fraction(1, 2), Fraction(1, 2)))
    family = TwoFaced(x)
    for weight in (Fraction(3, 5), Fraction(9, 10)):
        level = x + weight * (1 - x)
        assert family.kinf_plus(arm, level).overlaps(bernoulli_entropy(Fraction(1, 2), weight))
        assert family.kinf_minus(arm, level).is_zero
    for weight in (Fraction(1, 10), Fraction(2, 5)):
        level = x + weight * (1 - x)
        assert family.kinf_minus(arm, level).overlaps(bernoulli_entropy(Fraction(1, 2), weight))
        assert family.kinf_plus(arm, level).is_zero


@pytest.mark.parametrize("given", [3, Bernoulli, object()])
def test_what_is_no_family_is_refused(given):
    with pytest.raises(UnknownName, match="family must be"):
        chosen_family(given, Instance.bernoulli([Fraction(1, 2)]))


def test_the_family_by_default_is_that_of_coins_if_all_arms_are_coins() -> None:
    coin, sure, other = Arm.bernoulli(Fraction(1, 2)), Arm.bernoulli(1), Arm.finite([(Fraction(1, 2), 1)])
    for arms, family in (((coin, coin), Bernoulli), ((coin, sure), Bernoulli), ((coin, other), Bounded)):
        assert type(chosen_family(None, Instance(arms))) is family


def test_the_two_faces_have_no_other_members():
    """On {0, 1} with mean up to x, or on {x, 1}: neither {0, 1} with a larger mean, nor another support with a smaller."""
    family = TwoFaced(Fraction(1, 2))
    for member in (
        Arm.bernoulli(Fraction(1, 2)),
        Arm.bernoulli(0),
        Arm.deterministic(Fraction(1, 2)),
        Arm.deterministic(1),
    ):
        assert family.kinf_plus(member, Fraction(3, 4)) is not None
    for stranger in (
        Arm.bernoulli(Fraction(3, 5)),
        Arm.deterministic(Fraction(1, 3)),
        Arm.deterministic(Fraction(2, 3)),
    ):
        with pytest.raises(NotInFamily):
            family.kinf_plus(stranger, Fraction(3, 4))

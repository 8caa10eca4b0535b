"""L_epsilon, the inverse of epsilon and its sum: closed forms and bisections against walking through the rounds."""

import math
from fractions import Fraction

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.bounds import epsilons
from bufalu.bounds.enclosures import Enclosure, working_precision
from bufalu.bounds.epsilons import (
    as_enclosure,
    first_round,
    inverse,
    rounds_at_least,
    sum_of_epsilon,
    sum_of_powers_once,
    walk,
)
from bufalu.bounds.errors import NeedsPath, OutsideDomain, TooLong
from bufalu.bounds.smooth_sums import (
    bernoulli_numbers,
    sum_of_inverse_powers,
    sum_of_powers,
)
from bufalu.bounds.upper import upper_bounds
from bufalu.properties.runs.strategies import fractions
from bufalu.reference.confidence import confidence_named
from bufalu.reference.exact import Exact, log_root, power_of, root
from bufalu.reference.instances import Instance
from bufalu.reference.radicals import RadicalTerm
from bufalu.reference.schedules import (
    Adaptive,
    Budget,
    Constant,
    InverseLog,
    NondecreasingBudget,
    Power,
    Values,
    Zero,
    parse_schedule,
)
from bufalu.reference.state import ArmRecord
from tests.bounds.questions import FORMULAS, GROWING, WILD, OfTerms, formulas, levels, portions, value_lists


def counted(schedule, arms, horizon, level):
    return sum(epsilon >= Exact.of(level) for epsilon in walk(schedule, arms, horizon))


def test_the_paper_example_is_exact():
    assert rounds_at_least(Power(Fraction(1, 4)), 5, 100_000, Fraction(1, 4)) == 256
    assert rounds_at_least(Power(Fraction(1, 4)), 5, 10**9, Fraction(1, 4)) == 256
    # a strict comparison, the likely mistake, would lose the round of the tie
    assert not power_of(256, Fraction(-1, 4)) > Exact.of(Fraction(1, 4))


@given(formulas, st.integers(1, 5), st.integers(1, 60), levels)
def test_bisection_counts_what_walking_counts(schedule, arms, horizon, level):
    assert rounds_at_least(schedule, arms, horizon, level) == counted(schedule, arms, horizon, level)


@given(value_lists(20), st.integers(1, 20), levels)
def test_values_are_counted_exactly(schedule, horizon, level):
    assert rounds_at_least(schedule, 2, horizon, level) == counted(schedule, 2, horizon, level)


def test_values_that_round_to_the_same_double_are_told_apart():
    tiny = Fraction(1, 10**40)
    third = Fraction(1, 3)
    schedule = Values((third - tiny, third, third + tiny))
    assert rounds_at_least(schedule, 1, 3, third) == 2


@given(
    st.sampled_from([Power(Fraction(1, 4)), Power(2), InverseLog(), Constant(Fraction(1, 3)), Zero()]),
    portions(2, 18, 9),
    st.integers(1, 400),
)
def test_nonincreasing_counts_are_the_inverse_cut_at_the_horizon(schedule, level, horizon):
    reached = inverse(schedule, 2, level)
    count = rounds_at_least(schedule, 2, horizon, level)
    assert count == (horizon if reached is None else min(reached, horizon))


@given(value_lists(12), levels)
def test_counts_never_exceed_the_inverse(schedule, level):
    reached = inverse(schedule, 2, level)
    assert reached is not None
    assert rounds_at_least(schedule, 2, 12, level) <= reached


def test_inverses():
    assert inverse(Power(Fraction(1, 4)), 1, Fraction(1, 4)) == 256
    assert inverse(InverseLog(), 1, Fraction(1, 10)) == math.floor(math.exp(10))
    assert inverse(Power(1), 1, 2) == 0
    assert inverse(Zero(), 1, 0) is None
    assert inverse(Budget(7), 1, 100) is None
    with pytest.raises(TooLong):
        inverse(InverseLog(), 1, Fraction(1, 1000))
    with pytest.raises(TooLong):
        inverse(NondecreasingBudget(lambda t: t), 1, 1)


HUMP = OfTerms((RadicalTerm(1, exponent=Fraction(-1, 2), degree=1), RadicalTerm(Fraction(1, 10))))
"""sqrt(ln t / t) + 1/10: 0.1 at t = 1, 0.70 at t = 3, and falling to 0.1."""


@pytest.mark.parametrize("level", [Fraction(n, 20) for n in range(1, 16)])
def test_a_schedule_that_rises_and_falls(level):
    reached = inverse(HUMP, 1, level)
    assert (reached is None) == (level <= Fraction(1, 10))
    honest = [t for t in range(1, 4000) if HUMP.at(t, 1) >= Exact.of(level)]
    if reached is not None:
        assert reached == max(honest, default=0)
    assert rounds_at_least(HUMP, 1, 3999, level) == len(honest)
    assert rounds_at_least(HUMP, 1, 2, level) == sum(t <= 2 for t in honest)


def test_an_inverse_before_the_turn():
    """t^-1/2 sqrt(ln t)^2 rises until t = e^2: between two rounds the peak may lie below the level."""
    hump = OfTerms((RadicalTerm(1, exponent=-1, degree=2),))  # ln t / t: 0, 0.3466, 0.3662, 0.3466
    assert inverse(hump, 1, Fraction(36, 100)) == 3
    assert inverse(hump, 1, Fraction(37, 100)) == 0
    with pytest.raises(TooLong):
        inverse(OfTerms((RadicalTerm(1, exponent=Fraction(-1, 1000), degree=2),)), 1, 1)


def test_questions_without_an_answer_are_refused():
    with pytest.raises(OutsideDomain):
        rounds_at_least(Zero(), 1, 0, 1)
    with pytest.raises(NeedsPath):
        rounds_at_least(Adaptive(lambda history, t, arms: 0), 2, 5, 1)
    with pytest.raises(TooLong):
        rounds_at_least(GROWING, 2, epsilons.MOST_ROUNDS + 1, 1)


@pytest.mark.parametrize(
    "schedule", [*FORMULAS, WILD, GROWING], ids=lambda schedule: schedule.text or type(schedule).__name__
)
@pytest.mark.parametrize(("arms", "horizon"), [(1, 1), (3, 3), (2, 3), (1, 90), (5, 700)])
def test_sums_agree_with_adding_up(schedule, arms, horizon):
    expected = math.fsum(float(as_enclosure(e)) for e in walk(schedule, arms, horizon, arms + 1))
    assert float(Enclosure.of(sum_of_epsilon(schedule, arms, horizon))) == pytest.approx(expected, rel=1e-12)


@given(value_lists(15), st.integers(1, 15), st.integers(1, 4))
def test_sums_of_values_are_exact(schedule, horizon, arms):
    assert sum_of_epsilon(schedule, arms, horizon) == sum(schedule.values[arms:horizon])


def test_sums_of_many_denominators_are_enclosed():
    schedule = Values(tuple(Fraction(1, n) for n in range(2, 300)))
    total = Enclosure.of(sum_of_epsilon(schedule, 1, 298))
    assert total.contains(sum(schedule.values[1:298], Fraction(0)))
    assert total.relative_width < 1e-40


@pytest.mark.parametrize("last", [2, 100, 129, 130, 131, 1000, 20_000])
@pytest.mark.parametrize(
    ("closed", "summand"),
    [
        (lambda last: sum_of_powers(Fraction(-1, 4), 0, 2, last), lambda t: t**-0.25),
        (lambda last: sum_of_powers(-1, 0, 2, last), lambda t: 1 / t),
        (lambda last: sum_of_powers(Fraction(-7, 2), 0, 2, last), lambda t: t**-3.5),
        (lambda last: sum_of_powers(0, -1, 2, last), lambda t: 1 / math.log(t)),
        (lambda last: sum_of_powers(0, Fraction(1, 2), 2, last), lambda t: math.sqrt(math.log(t))),
        (lambda last: sum_of_powers(0, 1, 2, last), math.log),
        (lambda last: sum_of_powers(0, 0, 2, last), lambda t: 1.0),
        (lambda last: sum_of_powers(-1, -1, 2, last), lambda t: 1 / t / math.log(t)),
        (lambda last: sum_of_powers(-1, Fraction(3, 2), 2, last), lambda t: math.log(t) ** 1.5 / t),
        (lambda last: sum_of_powers(Fraction(-1, 2), Fraction(1, 2), 2, last), lambda t: (math.log(t) / t) ** 0.5),
        (
            lambda last: sum_of_powers(Fraction(-2, 3), Fraction(-5, 2), 2, last),
            lambda t: t ** (-2 / 3) * math.log(t) ** -2.5,
        ),
        (lambda last: sum_of_powers(-3, -3, 2, last), lambda t: t**-3.0 * math.log(t) ** -3),
        (lambda last: sum_of_powers(Fraction(-1, 8), 8, 2, last), lambda t: t**-0.125 * math.log(t) ** 8),
        (lambda last: sum_of_inverse_powers(3, 2, last), lambda t: t**-3.0),
    ],
)
def test_closed_sums_agree_with_adding_up(closed, summand, last):
    result = closed(last)
    assert float(result) == pytest.approx(math.fsum(map(summand, range(2, last + 1))), rel=1e-13)
    assert result.relative_width < 1e-40


def test_the_remainder_of_the_sum_is_needed_and_enough(monkeypatch):
    """With few corrections the enclosure widens but keeps the truth; the sum of direct terms is exact to 1e-50."""
    from bufalu.bounds import smooth_sums

    exact = sum(Fraction(1, t) for t in range(2, 2001))
    monkeypatch.setattr(smooth_sums, "CORRECTIONS", 2)
    monkeypatch.setattr(smooth_sums, "DIRECT_TERMS", 4)
    rough = smooth_sums.sum_of_powers(-1, 0, 2, 2000)
    assert rough.contains(exact)
    assert rough.upper - rough.lower > Fraction(1, 10**7)


def test_a_sum_is_remembered_for_its_precision_alone():
    question = Fraction(-1, 2), Fraction(1, 2), 2, 5_000
    with working_precision(60):
        rough = sum_of_powers_once(*question)
    fine = sum_of_powers_once(*question)
    assert sum_of_powers_once(*question) is fine
    assert fine.upper - fine.lower < (rough.upper - rough.lower) / 2**100


def test_bernoulli_numbers():
    assert bernoulli_numbers(8)[2::2] == (Fraction(1, 6), Fraction(-1, 30), Fraction(1, 42), Fraction(-1, 30))
    assert bernoulli_numbers(3) == (1, Fraction(-1, 2), Fraction(1, 6), 0)


@given(st.integers(2, 10**9), fractions(-3, 3, 7))
def test_exact_numbers_become_enclosures_around_the_same_number(round_number, exponent):
    number = power_of(round_number, exponent) * root(Fraction(3, 7)) + Exact.of(2) * log_root(round_number, 3)
    lower, upper = number.enclosure(25)
    ball = as_enclosure(number)
    assert ball.lower <= Fraction(upper)
    assert Fraction(lower) <= ball.upper


def test_first_round_of_a_property_that_never_holds():
    assert first_round(lambda t: False, 3, 9) == 10
    assert first_round(lambda t: True, 3, 9) == 3


def test_sums_and_counts_of_a_walked_schedule_are_enclosed_by_their_error_bounds():
    """The doubles' way against balls term by term; a bound of zero errors, the mutant, would miss the truth."""
    balls = sum((as_enclosure(e) for e in walk(GROWING, 2, 400, 3)), Enclosure.of(0))
    found = Enclosure.of(sum_of_epsilon(GROWING, 2, 400))
    assert found.contains(balls)
    assert 0 < found.relative_width < 1e-9
    for level in (Fraction(1, 3), Fraction(1, 2), 1, 2):
        assert rounds_at_least(GROWING, 2, 400, level) == counted(GROWING, 2, 400, level)


def test_a_question_about_another_schedule_is_not_answered_from_the_last_one():
    first, second = Values((1, 2, 3)), Values((3, 3, 3))
    assert rounds_at_least(first, 1, 3, 2) == 2
    assert rounds_at_least(second, 1, 3, 2) == 3
    assert rounds_at_least(second, 1, 2, 2) == 2
    assert rounds_at_least(first, 1, 3, 2) == 2


def test_a_walked_sum_is_as_wide_as_twice_the_errors_of_its_terms(monkeypatch):
    monkeypatch.setattr(epsilons, "in_doubles", lambda *_: (numpy.array([9.0, 9.0, 1.0, 3.0]), 0.25))
    found = epsilons._walked_sum(Zero(), 2, 4)
    assert 2 - 1e-6 < found.lower <= 2
    assert 6 <= found.upper < 6 + 1e-6


@pytest.mark.parametrize("interval", ["hoeffding", "bernstein", "kl-ucb", "hoeffding:2:before"])
def test_a_radius_is_the_same_number_in_balls(interval):
    for number in (3, 50, 10**6):
        radius = confidence_named(interval).radius(ArmRecord(7, 3, 2), number)
        low, high = radius.enclosure(20)
        found = epsilons.as_enclosure(radius)
        assert found.lower <= high and low <= found.upper
        assert found.upper - found.lower < 1e-12


def test_a_double_that_is_off_is_not_trusted(monkeypatch):
    numbers = [Exact.of(1), Exact(2.0, 1e-9, Exact.of(2).form()), Exact.of(Fraction(1, 3))]
    monkeypatch.setattr(epsilons, "walk", lambda *_: numbers)
    found, error = epsilons._doubles(GROWING, 1, 3)
    assert found[0] == 1.0 and math.isnan(found[1]) and found[2] == 1 / 3 and error == 2.0**-44


def test_an_epsilon_that_equals_the_gap_counts_in_the_first_rounds_too():
    """Constant epsilon and gap 1/4: all T rounds count, and T - K of them after the initial ones."""
    gap = Fraction(1, 4)
    instance = Instance.bernoulli([Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)])
    numbers = upper_bounds(instance, f"constant:{gap}", 20).quantities
    assert numbers.l_epsilon == (None, 20, 0)
    assert numbers.l_epsilon_used == (None, 17, 0)


@pytest.mark.parametrize("schedule", ["constant:1/3", "power:1/4", "budget:9", "zero"])
@pytest.mark.parametrize("horizon", [1, 3, 4])
def test_no_epsilon_is_used_in_the_initial_rounds(schedule, horizon):
    assert sum_of_epsilon(parse_schedule(schedule), 4, horizon) == 0

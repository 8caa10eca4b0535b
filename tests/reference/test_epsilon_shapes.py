"""Epsilons that are sums of terms: exact numbers, doubles within their errors, directions, limits, and what is refused."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.reference import epsilon_shapes
from bufalu.reference.epsilon_shapes import LATEST_TURN, Direction, EpsilonShape, LogPolynomial
from bufalu.reference.errors import InvalidNumber, InvalidSchedule
from bufalu.reference.exact import PLUS_INFINITY, ZERO, Exact, log_root, power_of, root
from bufalu.reference.radicals import RadicalTerm

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
ROUNDS = (2, 3, 10, 97, 10**6, 2**53 + 1, 10**30)

positive = st.sampled_from([1, THIRD, Fraction(7, 2), 10**9, Fraction(1, 10**12)])
terms = st.builds(
    RadicalTerm,
    positive,
    positive,
    st.sampled_from([0, -HALF, -THIRD, -2, Fraction(-7, 8), -20]),
    st.integers(-4, 4),
    st.just(0),
    logs=st.just(()),
)
shapes = st.lists(terms, max_size=4).map(EpsilonShape)


def value(shape: EpsilonShape, number: int) -> Exact:
    """The sum, factor by factor."""
    parts = (
        Exact.of(term.coefficient)
        * root(term.radicand)
        * power_of(number, term.exponent)
        * log_root(number, term.degree)
        for term in shape.terms
    )
    return sum(parts, ZERO)


@given(shapes)
def test_numbers_are_the_sum_of_the_terms(shape):
    for number in ROUNDS:
        assert shape.at(number) == value(shape, number)


def assert_within(shape: EpsilonShape, number: int, double: float) -> None:
    """Half of what is claimed must do: the claim has room to spare."""
    claimed = Fraction(shape.relative_error) * Fraction(double) / 2 + Fraction(shape.least_error)
    assert abs(Fraction(double) - Fraction(shape.at(number).enclosure(40)[0])) <= claimed


@given(shapes)
def test_doubles_hold_the_truth_one_by_one_and_in_arrays(shape):
    rounds = np.array([float(number) for number in ROUNDS if number < 2**53])
    with np.errstate(under="ignore"):
        found = shape.doubles(rounds, np.log(rounds)).tolist()
    for number, double in zip(ROUNDS, found, strict=False):
        assert_within(shape, number, double)
        assert_within(shape, number, shape.doubles(float(number), math.log(number)))
        exact = shape.at(number)
        assert exact.error == math.inf or exact.error <= 1e-9 * exact.approximation


def test_an_exponent_that_is_no_double_costs_its_size_times_the_logarithm():
    """t^(-190/3): rounding the exponent moves the power by hundreds of units."""
    shape = EpsilonShape([RadicalTerm(1, exponent=Fraction(-190, 3))])
    for number in (1_009, 50_021):
        assert_within(shape, number, shape.doubles(float(number), math.log(number)))


def test_powers_of_arrays_are_within_the_assumed_ulps():
    """numpy's `pow` and `log` are assumed to be as good as the platform's."""
    rounds = np.arange(2.0, 40_000.0, 7.0)
    for exponent in (-0.25, -1 / 3, -7.5, 0.5, -1.0, 3.0):
        for base in (rounds, np.log(rounds)):
            honest = np.array([math.pow(number, exponent) for number in base.tolist()])
            assert np.all(np.abs(base**exponent - honest) <= 4 * np.spacing(honest))


def test_a_constant_is_one_exact_number():
    shape = EpsilonShape([RadicalTerm(THIRD), RadicalTerm(2)])
    assert shape.constant is not None and shape.at(9) is shape.constant
    assert shape.constant == Exact.of(Fraction(7, 3))
    assert EpsilonShape([RadicalTerm(1, 2)]).constant == root(2)
    assert EpsilonShape([RadicalTerm(1, degree=1)]).constant is None
    assert EpsilonShape([]).constant == ZERO


def test_the_first_round_has_no_logarithm():
    assert EpsilonShape([RadicalTerm(1, degree=-1), RadicalTerm(5)]).at(1) == PLUS_INFINITY
    assert EpsilonShape([RadicalTerm(1, degree=3), RadicalTerm(5, exponent=-1)]).at(1) == Exact.of(5)
    with pytest.raises(InvalidNumber):
        EpsilonShape([RadicalTerm(1, degree=1)]).at(0)


def test_factors_beyond_the_doubles_leave_exact_numbers():
    shape = EpsilonShape([RadicalTerm(1, Fraction(1, 10**700), degree=1)])
    assert shape.relative_error is None
    assert shape.at(9).error == math.inf and shape.at(9) > ZERO
    assert EpsilonShape([RadicalTerm(1, exponent=-64)]).at(10**9).error == math.inf


@given(shapes)
def test_directions_and_turns(shape):
    def value(number: int) -> Decimal:
        return shape.at(number).enclosure(60)[0]  # numbers of different rounds are not compared exactly

    early = [value(number) for number in range(1, 30)]
    if shape.direction is Direction.NONINCREASING:
        assert early == sorted(early, reverse=True)
    if shape.direction is Direction.NONDECREASING:
        assert early == sorted(early)
    turn = shape.falls_from
    if turn is not None:
        assert value(turn + 9) <= value(turn + 1) <= value(turn)


@pytest.mark.parametrize(
    ("degree", "exponent", "turn"),
    [
        (1, -HALF, 3),
        (2, -HALF, 8),
        (1, -8, 2),
        (1, -1, 2),
        (3, -THIRD, 91),
        (2, Fraction(-1, 4), 55),
        (1, -2, 2),
        (1, Fraction(-1, 24), 162_755),
        (-3, 0, 1),
        (1, 0, None),
        (1, Fraction(-1, 100), None),
        (14, -HALF, None),
    ],
)
def test_where_a_term_turns(degree, exponent, turn):
    """sqrt(ln t)^d / t^e falls from exp(d / 2e) on; turns beyond `LATEST_TURN` are not told."""
    assert EpsilonShape([RadicalTerm(1, exponent=exponent, degree=degree)]).falls_from == turn
    assert math.exp(14 / 1) > LATEST_TURN


def test_limits():
    falling, constant, rising = RadicalTerm(1, exponent=-1), RadicalTerm(THIRD), RadicalTerm(1, degree=1)
    assert EpsilonShape([falling]).limit == ZERO
    assert EpsilonShape([falling, constant, RadicalTerm(1, degree=-1)]).limit == Exact.of(THIRD)
    assert EpsilonShape([falling, constant, rising]).limit == PLUS_INFINITY


def test_polynomials_in_the_root_of_the_logarithm():
    slope, curve = RadicalTerm(2, 3, degree=1), RadicalTerm(5, degree=2)
    assert EpsilonShape([slope]).log_polynomial == LogPolynomial(Fraction(12), Fraction(0))
    assert EpsilonShape([curve, slope, curve]).log_polynomial == LogPolynomial(Fraction(12), Fraction(10))
    assert EpsilonShape([curve]).log_polynomial == LogPolynomial(Fraction(0), Fraction(5))
    for others in (
        [],
        [slope, slope],
        [RadicalTerm(1, 2, degree=2)],
        [slope, RadicalTerm(1)],
        [slope._replace(exponent=-1)],
    ):
        assert EpsilonShape(others).log_polynomial is None


@pytest.mark.parametrize(
    ("term", "message"),
    [
        (RadicalTerm(0), "are positive, and 0 is not"),
        (RadicalTerm(1, -2), "are positive"),
        (RadicalTerm(1, exponent=1), "-64 <= e <= 0"),
        (RadicalTerm(1, exponent=-65), "-64 <= e <= 0"),
        (RadicalTerm(1, degree=17), r"\|d\| <= 16"),
        (RadicalTerm(1, variant_degree=1), "is not"),
        (RadicalTerm(0.5), "rational numbers"),
        (RadicalTerm(1, degree=0.5), "whole degree"),
        ((1, 1, 0, 0, 0), "must hold RadicalTerm"),
    ],
)
def test_what_is_no_term_is_refused(term, message):
    with pytest.raises(InvalidSchedule, match=message):
        EpsilonShape([term])


def test_a_shape_reads_as_a_formula():
    shape = EpsilonShape([RadicalTerm(3, 2, -HALF, 1), RadicalTerm(1), RadicalTerm(THIRD, degree=-2)])
    assert str(shape) == "3 sqrt(2) t^(-1/2) sqrt(ln t) + 1 + 1/3 sqrt(ln t)^-2"
    assert repr(EpsilonShape([])) == "<EpsilonShape 0>"


def test_what_rises_and_what_falls_have_no_common_direction():
    rising, falling = RadicalTerm(1, degree=1), RadicalTerm(1, degree=-1)
    assert EpsilonShape((rising,)).direction is Direction.NONDECREASING
    assert EpsilonShape((falling,)).direction is Direction.NONINCREASING
    assert EpsilonShape((rising, falling)).direction is Direction.UNKNOWN


def test_a_turn_that_doubles_put_at_a_whole_round_is_taken_to_be_after_it(monkeypatch):
    """The exponential is never whole, and its double may be, just below it."""
    monkeypatch.setattr(epsilon_shapes.math, "exp", lambda power: 5.0)
    assert EpsilonShape((RadicalTerm(1, exponent=Fraction(-1, 2), degree=1),)).falls_from == 6

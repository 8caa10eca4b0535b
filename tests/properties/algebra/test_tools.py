"""The tools of the algebra room: certificates that refuse what is false, enclosures, stated views."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.bounds.enclosures import Enclosure
from bufalu.bounds.errors import NotEvaluable
from bufalu.bounds.expressions import exp, log, number, positive, positives, real, sqrt
from bufalu.properties.algebra import printed_numbers
from bufalu.properties.algebra.witnesses import hoeffding_view
from bufalu.reference.confidence import confidence_named
from bufalu.reference.exact import ZERO
from bufalu.reference.policies import BUFALU
from bufalu.reference.state import State
from bufalu.reference.view import ExactView

UNIT = (Fraction(0), Fraction(1))


def test_a_positive_function_is_certified_on_its_box() -> None:
    proof = printed_numbers.positive_on_box(lambda point: point[0] * point[0] - point[0] * point[1] + 1, [UNIT, UNIT])
    assert proof.certified
    assert proof.failing is None


def test_a_function_with_a_negative_value_is_refused_with_a_place() -> None:
    proof = printed_numbers.positive_on_box(lambda point: point[0] - Fraction(1, 3), [UNIT])
    assert not proof.certified
    assert proof.failing is not None
    assert proof.failing[0][0] < Fraction(1, 3)


def test_a_function_that_touches_zero_is_not_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printed_numbers, "MAX_PIECES", 200)
    assert not printed_numbers.positive_on_box(lambda point: point[0] * point[0], [UNIT]).certified


@given(st.fractions(min_value="1/100", max_value=100), st.fractions(min_value="1/100", max_value=100))
def test_enclosures_contain_the_values_of_their_points(first: Fraction, second: Fraction) -> None:
    low, high = min(first, second), max(first, second)
    interval = Enclosure.between(low, high)
    for point in (low, (low + high) / 2, high):
        value = Enclosure.of(point)
        for of_interval, of_point in (
            (interval.log(), value.log()),
            (interval.sqrt(), value.sqrt()),
            (interval * interval - 1 / interval, value * value - 1 / value),
        ):
            difference = of_interval - of_point
            assert not difference.is_positive
            assert not difference.is_negative


def test_coefficient_certificates_refuse_negative_and_empty_polynomials() -> None:
    x, y = positives("x y")
    assert (x + 2 * x * y).has_nonnegative_coefficients("x", "y")
    assert not (x - y).has_nonnegative_coefficients("x", "y")
    assert not (x - x).has_nonnegative_coefficients("x", "y")
    assert not (sqrt(2) * x).has_nonnegative_coefficients("x")
    with pytest.raises(NotEvaluable, match="not a polynomial"):
        (1 / x).has_nonnegative_coefficients("x")


def test_identities_are_told_from_near_identities() -> None:
    x, y = positives("x y")
    assert (log(x * y)).is_identically(log(x) + log(y))
    assert (exp(log(x) * 2)).is_identically(x**2)
    assert not (x + number(Fraction(1, 10**12))).is_identically(x)
    assert not log(x + y).is_identically(log(x) + log(y))


def test_logarithm_rules_hold_only_where_they_are_true() -> None:
    x, y = positive("x"), real("y")
    assert log(x**2).is_identically(2 * log(x))
    assert not log(y**2).is_identically(2 * log(y))
    assert not sqrt(y**2).is_identically(y)


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9)), min_size=2, max_size=4), st.integers(5, 500))
def test_stated_hoeffding_views_decide_as_real_states(samples: list[tuple[int, int]], round_number: int) -> None:
    state = State(len(samples))
    stated = []
    for arm, (queries, ones) in enumerate(samples, start=1):
        total = min(ones, queries)
        for position in range(queries):
            state.record(arm, 1 if position < total else 0)
        stated.append((queries, Fraction(total, queries)))
    real = ExactView(state, confidence_named("hoeffding"), round_number, ZERO)
    assert BUFALU.admissible(hoeffding_view(round_number, stated, ZERO)) == BUFALU.admissible(real)

"""The argument by which a divergence is told."""

from fractions import Fraction

import pytest

from bufalu.oracle.checking import Divergence
from bufalu.pages import argument
from bufalu.reference.confidence import confidence_named
from bufalu.reference.exact import ZERO
from bufalu.reference.policies import BUFALU, Decision
from bufalu.reference.state import State
from bufalu.reference.view import ExactView


def test_arms_that_play_no_role_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    state = State(3)
    for arm in (1, 2, 3):
        state.record(arm, Fraction(1, 2))
    view = ExactView(state, confidence_named("hoeffding"), 4, ZERO)
    divergence = Divergence(4, Decision(1, True), {}, {}, state, None)
    for shown, last in (
        ([1], "(and 2 arms more, which play no role)"),
        ([1, 3], "(and 1 arm more, which plays no role)"),
    ):
        monkeypatch.setattr(argument, "_shown_arms", lambda *_, shown=shown: shown)
        assert argument._table(BUFALU, divergence, view)[-1] == last
    monkeypatch.setattr(argument, "_shown_arms", lambda *_: [1, 2, 3])
    assert len(argument._table(BUFALU, divergence, view)) == 4


def test_a_mean_is_shown_as_a_fraction_of_up_to_sixteen_characters() -> None:
    assert argument._fraction(Fraction(1, 10**13 + 1)) == "1/10000000000001"
    assert "/" not in argument._fraction(Fraction(1, 10**14 + 1))

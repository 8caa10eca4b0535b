"""The epsilons of a law: those of a schedule of anybody's, refused where they are negative."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import pytest

from bufalu.law.round_values import RoundValues
from bufalu.reference.confidence import confidence_named
from bufalu.reference.errors import InvalidSchedule
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.rounds import Round
from bufalu.reference.schedules import Schedule


@dataclass(frozen=True)
class Falling(Schedule):
    """epsilon(t) = start - t, as a user's own schedule."""

    start: Fraction

    def at(self, round_number: int, arms: int, history: Sequence[Round] = ()) -> Exact:
        return Exact.of(self.start - round_number)


def test_epsilons_stand_in_their_rounds():
    clock = RoundValues(confidence_named("hoeffding"), Falling(Fraction(5)), 2, 5)
    assert clock.epsilons == [ZERO, ZERO, ZERO, Exact.of(2), Exact.of(1), ZERO]
    assert clock.epsilon.tolist() == [0, 0, 0, 2, 1, 0]


def test_a_negative_epsilon_is_refused_where_it_is_used():
    almost = Fraction(5) - Fraction(1, 10**30)
    with pytest.raises(InvalidSchedule, match=r"epsilon\(5\) = .* is negative"):
        RoundValues(confidence_named("hoeffding"), Falling(almost), 2, 5)
    RoundValues(confidence_named("hoeffding"), Falling(almost), 5, 5)

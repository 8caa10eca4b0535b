"""How things present themselves: whole while they are short, cut where they are long."""

from fractions import Fraction

import pytest

from bufalu import BuFALU
from bufalu.oracle.program import _shown as answer_shown
from bufalu.reference import arguments
from bufalu.reference.confidence import confidence_named
from bufalu.reference.errors import BufaluError
from bufalu.reference.exact import Exact
from bufalu.reference.instances import Arm, Instance
from bufalu.reference.rationals import shown
from bufalu.reference.rewards import RewardsInOrder, SeededRewards, Tape
from bufalu.reference.schedules import Values

HALF = Fraction(1, 2)


def test_texts_are_cut_beyond_their_length():
    assert shown("x" * 58) == f"'{'x' * 58}'" and shown("x" * 59) == f"'{'x' * 39}... (a str)"
    assert answer_shown("x" * 200) == "x" * 200 and answer_shown("x" * 201) == "x" * 197 + "..."


def test_instances_show_a_dozen_means():
    assert (
        repr(Instance.bernoulli([HALF] * 12)) == f"<Instance of 12 Bernoulli arms, means {', '.join(['1/2'] * 12)}>"
    )
    assert repr(Instance.bernoulli([HALF] * 13)).endswith(f"means {', '.join(['1/2'] * 12)}, ...>")
    assert repr(Instance.deterministic([HALF, 1])) == "<Instance of 2 deterministic arms, means 1/2, 1>"
    mixed = Instance((Arm.bernoulli(HALF), Arm.deterministic(HALF), Arm.finite([(0, HALF), (HALF, HALF)])))
    assert repr(mixed) == "<Instance of 3 arms, means 1/2, 1/2, 1/4>"


def test_arms_show_how_they_are_made():
    assert repr(Arm.bernoulli(HALF)) == "Arm.bernoulli('1/2')"
    assert repr(Arm.deterministic(1)) == "Arm.deterministic('1')"
    assert repr(Arm.finite([(0, HALF), (HALF, HALF)])) == "Arm.finite([('0', '1/2'), ('1/2', '1/2')])"


def test_values_show_four():
    assert repr(Values([1, 2, 3, 4])) == "<Values for 4 rounds: 1, 2, 3, 4>"
    assert repr(Values([1, 2, 3, 4, 5])) == "<Values for 5 rounds: 1, 2, 3, 4, ...>"


def test_rewards_say_what_they_are():
    assert repr(Tape([[1, 0], [1]])) == "<Tape of 2, 1 rewards for the arms>"
    drawn = RewardsInOrder([1, 1])
    drawn.draw(1, 1)
    assert repr(drawn) == "<RewardsInOrder, 1 drawn>"
    assert repr(SeededRewards(Instance.bernoulli([HALF] * 2), 7)) == "<SeededRewards of 2 arms, seed 7>"


def test_numbers_and_intervals():
    assert repr(Exact.of(Fraction(1, 4))) == "Exact(0.25)"
    assert "g = max(0, ln t + 3 ln ln t)" in repr(confidence_named("kl-ucb").shape)
    assert "g = " not in repr(confidence_named("hoeffding").shape)
    assert "..." in repr(BuFALU(13)) and "..." not in repr(BuFALU(12))


def test_a_refusal_names_the_argument_once():
    with pytest.raises(BufaluError, match=r"^given: .*unheard-of"):
        arguments.interval("unheard-of", "given")
    with pytest.raises(BufaluError, match=r"^arms: "):
        arguments.instance([2], "arms")
    for name, call in (("policy", arguments.policy), ("interval", arguments.interval)):
        with pytest.raises(BufaluError) as refusal:
            call("unheard-of", name)
        assert str(refusal.value).count(name) >= 1 and not str(refusal.value).startswith(
            f"{name}: there is no {name}"
        )

"""`bufalu.testing.conformance`: a suite for the user's own test run."""

import pytest

from bufalu import BuFALU
from bufalu.properties.zoo import mutant_named
from bufalu.properties.zoo.variants import FloatPolicy
from bufalu.reference.errors import UnknownName
from bufalu.testing import Nonconforming, conformance

TestReference = conformance(lambda arms: BuFALU(arms, "bernstein"), confidence="bernstein")
TestDoubles = conformance(lambda arms: FloatPolicy("greedy", arms, "hoeffding", "last"), policy="greedy", rounds=20)


def test_a_wrong_object_fails_with_the_argument() -> None:
    suite = conformance(lambda arms: mutant_named("narrower-queried").live("bufalu", arms))()
    names = [name for name in dir(suite) if name.startswith("test_")]
    assert "test_smoke_run" in names
    assert len(names) > 10
    with pytest.raises(Nonconforming, match=r"Likely bug: .*narrower-queried"):
        suite.test_search()


def test_bad_answers_are_told() -> None:
    class Strange:
        def decide(self, round_number: int, epsilon: float) -> tuple[int, bool]:
            return (0, True)

        def observe(self, reward: float) -> None:
            raise AssertionError("never reached")

    with pytest.raises(Exception, match="decide returned"):
        conformance(lambda arms: Strange())().test_smoke_run()


def test_names_are_checked() -> None:
    with pytest.raises(UnknownName):
        conformance(BuFALU, policy="ucb1")

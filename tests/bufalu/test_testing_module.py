"""`bufalu.testing.conformance`: a suite for the user's own test run."""

import numpy as np
import pytest

from bufalu import BuFALU
from bufalu.oracle.correct_variants import FloatPolicy
from bufalu.oracle.known_bugs import known_bug_named
from bufalu.reference.errors import UnknownName
from bufalu.testing import Nonconforming, conformance

TestReference = conformance(lambda arms: BuFALU(arms, "bernstein"), confidence="bernstein")
TestDoubles = conformance(lambda arms: FloatPolicy("greedy", arms, "hoeffding", "last"), policy="greedy", rounds=20)


def test_a_wrong_object_fails_with_the_argument() -> None:
    suite = conformance(lambda arms: known_bug_named("narrower-queried").live("bufalu", arms))()
    names = [name for name in dir(suite) if name.startswith("test_")]
    assert "test_smoke_run" in names
    assert len(names) > 10
    with pytest.raises(Nonconforming, match=r"Likely bug: .*narrower-queried"):
        suite.test_search()


@pytest.mark.parametrize("answer", [(0, True), ("1", True), (1.9, True), (True, True), (1, 1), (1, "no"), (1,), None])
def test_bad_answers_are_told(answer: object) -> None:
    class Strange:
        def decide(self, round_number: int, epsilon: float) -> object:
            return answer

        def observe(self, reward: float) -> None:
            raise AssertionError("never reached")

    with pytest.raises(Exception, match="decide returned"):
        conformance(lambda arms: Strange())().test_smoke_run()


def test_numpy_answers_are_answers() -> None:
    class InNumpy:
        def __init__(self, arms: int) -> None:
            self.live = BuFALU(arms)
            self.observe = self.live.observe

        def decide(self, round_number: int, epsilon: float) -> tuple[np.int64, np.bool_]:
            arm, query = self.live.decide(round_number, epsilon)
            return np.int64(arm), np.bool_(query)

    conformance(InNumpy)().test_smoke_run()


def test_names_are_checked() -> None:
    with pytest.raises(UnknownName):
        conformance(BuFALU, policy="ucb1")

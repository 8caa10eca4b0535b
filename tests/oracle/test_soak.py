"""A conformance run keeps nothing of the games that it has played: memory stays flat, however long it lasts."""

import gc
import tracemalloc

import pytest

from bufalu.oracle import conformance
from bufalu.oracle.conformance import Effort, run_setting
from bufalu.oracle.correct_variants import FloatPolicy
from bufalu.oracle.directed import Stage
from bufalu.oracle.games import Played, play
from bufalu.reference.policies import Decision

PASSES = 3
ALLOWED_BYTES = 50_000


class DoublesUnderTest:
    def reset(self, policy: str, confidence: str, arms: int) -> None:
        self.live = FloatPolicy(policy, arms, confidence)

    def decide(self, round_number: int, epsilon: float) -> Decision:
        return self.live.decide(round_number, epsilon)

    def observe(self, reward: float) -> None:
        self.live.observe(reward)


def bytes_in_use_after_a_pass() -> int:
    stages = (Stage.SMOKE, Stage.PRECISION)
    assert run_setting(DoublesUnderTest(), "bufalu", "hoeffding", Effort(), stages).finished
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def growth() -> int:
    """What later passes leave behind; what is kept on purpose, logarithms say, is kept by the first one."""
    tracemalloc.start()
    try:
        first, *later = [bytes_in_use_after_a_pass() for _ in range(PASSES)]
    finally:
        tracemalloc.stop()
    return max(later) - first


def test_games_leave_nothing_behind() -> None:
    assert growth() < ALLOWED_BYTES


def test_games_that_are_kept_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[Played] = []

    def play_and_keep(*arguments) -> Played:
        kept.append(play(*arguments))
        return kept[-1]

    monkeypatch.setattr(conformance, "play", play_and_keep)
    assert growth() > ALLOWED_BYTES

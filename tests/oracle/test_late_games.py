"""Games with late and missing answers: right programs conform, wrong ones are caught, others are not asked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from bufalu.oracle.conformance import Effort, SettingRun, replay, run_setting, turns
from bufalu.oracle.directed import Scope, Stage, games
from bufalu.oracle.games import game_of_trace, play
from bufalu.oracle.implementations import FactoryUnderTest, LiveObject
from bufalu.oracle.search import _cut
from bufalu.reference.live import LivePolicy
from bufalu.reference.rationals import CountLike, NumberLike
from bufalu.reference.traces import Trace, TraceHeader
from bufalu.testing import conformance
from tests.oracle.runs import INTERVALS, POLICIES, reference, rewards
from tests.oracle.runs import play as played_by
from tests.oracle.test_late_answers import CountsQuestions, CountsTwice, CreditsTheLastArm


class ForgetsLateAnswers(LivePolicy):
    """Only answers to the last round count."""

    def observe(self, reward: NumberLike, round: CountLike | None = None) -> None:
        if round in (None, self._next_round - 1):
            super().observe(reward, round)


class WrongWhereInfinite(LivePolicy):
    """Takes an arm without answers for one that is known to be bad, and never asks about it again."""

    def decide(self, round: int, epsilon: float) -> tuple[int, bool]:  # type: ignore[override]
        decision = super().decide(round, epsilon)
        if round > self.state.arms and decision.query and not self.state.queries(decision.arm):
            self._pending = None
            return decision.arm, False
        return decision


def late(factory: Callable[[int], LiveObject]) -> FactoryUnderTest:
    return FactoryUnderTest(factory, takes_late=True)


@pytest.mark.parametrize("ties", ["first", "last"])
@pytest.mark.parametrize("interval", INTERVALS)
@pytest.mark.parametrize("policy", [*POLICIES, "dial:1/2"])
def test_a_right_program_conforms(policy: str, interval: str, ties: str) -> None:
    right = late(lambda arms: LivePolicy(policy, arms, interval, ties))
    result = run_setting(right, policy, interval, Effort(strict=True), (Stage.LATE,))
    assert (result.verdict, result.played[Stage.LATE]) == ("conforms", 6)


@pytest.mark.parametrize(
    "wrong", [CountsQuestions, CountsTwice, CreditsTheLastArm, ForgetsLateAnswers, WrongWhereInfinite]
)
@pytest.mark.parametrize("policy", POLICIES)
def test_a_wrong_one_is_caught_and_its_run_is_replayed(policy: str, wrong: type[LivePolicy]) -> None:
    made = late(partial(wrong, policy))
    failed = run_setting(made, policy, "hoeffding", Effort(), (Stage.LATE,)).failed
    assert failed is not None and failed.divergence is not None
    assert failed.rounds <= 60, "it is shrunk"
    assert failed.trace.late
    again = replay(made, failed.trace, strict=False).failed
    assert again is not None and again.trace == failed.trace
    assert replay(late(partial(LivePolicy, policy)), failed.trace, strict=True).verdict == "conforms"


def test_who_does_not_declare_it_is_not_asked() -> None:
    plain = FactoryUnderTest(lambda arms: LivePolicy("bufalu", arms))
    run = SettingRun(plain, "bufalu", "hoeffding", Effort())
    assert Stage.LATE not in [stage for stage, _ in turns({("bufalu", "hoeffding"): run})]
    (game, *_) = games(Stage.LATE, "bufalu", "hoeffding", Scope(late=True))
    assert play(game, plain, "bufalu", "hoeffding", strict=True).skipped == "late answers are not declared"
    assert games(Stage.LATE, "bufalu", "hoeffding", Scope()) == ()


def test_a_test_class_has_the_late_games() -> None:
    suite = conformance(lambda arms: LivePolicy("bufalu", arms), late=True)
    assert hasattr(suite, "test_some_answers_never") and not hasattr(
        conformance(lambda arms: LivePolicy("bufalu", arms)), "test_some_answers_never"
    )
    suite().test_some_answers_never()

    class Unaware:
        def __init__(self, arms: int) -> None:
            self.live = LivePolicy("bufalu", arms)

        def decide(self, round: int, epsilon: float) -> tuple[int, bool]:
            return self.live.decide(round, epsilon)

        def observe(self, reward: float) -> None:
            self.live.observe(reward)

    with pytest.raises(AssertionError, match="has no method `later`"):
        conformance(Unaware, late=True)().test_some_answers_never()


def test_rounds_are_left_out_with_the_answers_that_they_brought() -> None:
    header = TraceHeader("bufalu", "hoeffding", 2, "constant:1/2")
    trace = played_by(reference(header), header, 40, rewards("eighths", 3), delays=(0, 4, None, 9))
    shorter = _cut(trace, 10, 8)
    assert isinstance(shorter, Trace) and len(shorter.rounds) == 32
    for before, after in zip(trace.rounds[:10], shorter.rounds[:10], strict=True):
        assert (before.arm, before.query, before.reward) == (after.arm, after.query, after.reward)
        known = before.answered or before.number + 1
        assert (after.answered or after.number + 1) == max(
            after.number + 1, known if known <= 11 else max(11, known - 8)
        )
    game = game_of_trace(shorter)
    assert game.delay is not None and game.rounds == 32

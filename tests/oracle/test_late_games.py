"""Games with late and missing answers: right programs conform, wrong ones are caught, others are not asked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from bufalu.oracle.conformance import Effort, SettingRun, replay, run_setting, turns
from bufalu.oracle.directed import Scope, Stage, games
from bufalu.oracle.games import game_of_trace, play, record
from bufalu.oracle.implementations import FactoryUnderTest, LiveObject
from bufalu.oracle.known_bugs import LATE_BUGS, KnownBug
from bufalu.oracle.report import check_trace
from bufalu.oracle.search import _cut
from bufalu.reference.live import LivePolicy
from bufalu.reference.traces import Trace, TraceHeader
from bufalu.testing import conformance
from tests.oracle.runs import INTERVALS, POLICIES, reference, rewards
from tests.oracle.runs import play as played_by


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


WRONG: dict[str, Callable[[str, int], LiveObject]] = {
    **{bug.id: bug.live for bug in LATE_BUGS},
    "never-asks-where-nothing-is-known": WrongWhereInfinite,
}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("policy", POLICIES)
def test_a_wrong_one_is_caught_and_its_run_is_replayed(policy: str, wrong: str) -> None:
    made = late(partial(WRONG[wrong], policy))
    failed = run_setting(made, policy, "hoeffding", Effort(), (Stage.LATE,)).failed
    assert failed is not None and failed.divergence is not None
    assert failed.rounds <= 60, "it is shrunk"
    assert failed.trace.late
    again = replay(made, failed.trace, strict=False).failed
    assert again is not None and again.trace == failed.trace
    assert replay(late(partial(LivePolicy, policy)), failed.trace, strict=True).verdict == "conforms"


@pytest.mark.parametrize("bug", LATE_BUGS, ids=lambda bug: bug.id)
@pytest.mark.parametrize("policy", ["bufalu", "cbm-ucb"])
def test_the_likely_bug_is_named(policy: str, bug: KnownBug) -> None:
    wrong = late(lambda arms: bug.live(policy, arms))
    failed = run_setting(wrong, policy, "hoeffding", Effort(), (Stage.LATE,)).failed
    assert failed is not None
    games_of_it = [
        record(game, wrong, policy, "hoeffding") for game in games(Stage.LATE, policy, "hoeffding", Scope(late=True))
    ]
    traces = [trace for trace in games_of_it if trace is not None and not check_trace(trace).conforms]
    common = set.intersection(*({found.known.id for found in check_trace(trace).bugs} for trace in traces))
    assert bug.id in common
    assert len(common & {other.id for other in LATE_BUGS}) == 1, "told apart from its likes"


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

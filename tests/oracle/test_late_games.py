"""Games with late and missing answers: right programs conform, wrong ones are caught, others are not asked."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import pytest

from bufalu.oracle.conformance import Effort, SettingRun, replay, run_setting, turns
from bufalu.oracle.diagnosis import narrowed
from bufalu.oracle.directed import Scope, Stage, games
from bufalu.oracle.games import FinishedGame, game_of_trace, play, record
from bufalu.oracle.implementations import FactoryUnderTest, LiveObject
from bufalu.oracle.known_bugs import LATE_BUGS, KnownBug
from bufalu.oracle.report import check_trace, diagnosed
from bufalu.oracle.search import _cut
from bufalu.reference.live import LivePolicy
from bufalu.reference.rationals import CountLike, NumberLike
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


class AsksWhereNothingIsKnown(LivePolicy):
    """Asks again about an arm without answers, where the policy rests: with a single arm, or when the budget is spent."""

    def decide(self, round: int, epsilon: float) -> tuple[int, bool]:  # type: ignore[override]
        decision = super().decide(round, epsilon)
        unknown = [arm for arm in range(1, self.state.arms + 1) if not self.state.queries(arm)]
        if decision.query or not unknown:
            return decision
        self._pending = unknown[0]
        return unknown[0], True


class DropsOldAnswers(LivePolicy):
    """Throws an answer away that comes more than 500 rounds after its question."""

    def observe(self, reward: NumberLike, round: CountLike | None = None) -> None:
        if round is None or self._next_round - int(round) <= 500:
            super().observe(reward, round)


class DropsOvertakenAnswers(LivePolicy):
    """Throws away the answer to an earlier question than the last one answered."""

    _newest = 0

    def observe(self, reward: NumberLike, round: CountLike | None = None) -> None:
        if round is None or int(round) > self._newest:
            self._newest = self._newest if round is None else int(round)
            super().observe(reward, round)


class ForgetsByGrowing(LivePolicy):
    """Remembers the arms that it was asked about in a table that outlives it, and loses them whenever it is enlarged."""

    def __init__(self, room: list[int], policy: str, arms: int) -> None:
        super().__init__(policy, arms)
        self._room = room

    def later(self) -> None:
        super().later()
        if self._next_round > self._room[0]:
            self._room[0] = 2 * self._next_round + 64
            self._awaited.update(dict.fromkeys(self._awaited, 1))


class RemembersArmsIn(LivePolicy):
    """Remembers the arm that it was asked about in so many bits."""

    def __init__(self, bits: int, policy: str, arms: int) -> None:
        super().__init__(policy, arms)
        self._most = 2**bits

    def later(self) -> None:
        super().later()
        asked = self._next_round - 1
        self._awaited[asked] = (self._awaited[asked] - 1) % self._most + 1


class RemembersTheLast(LivePolicy):
    """Remembers the arms of so many rounds: those of older ones have been written over."""

    def __init__(self, rounds: int, policy: str, arms: int) -> None:
        super().__init__(policy, arms)
        self._rounds = rounds
        self._played: dict[int, int] = {}

    def decide(self, round: int, epsilon: float) -> tuple[int, bool]:  # type: ignore[override]
        decision = super().decide(round, epsilon)
        self._played[round % self._rounds] = decision.arm
        return decision

    def observe(self, reward: NumberLike, round: CountLike | None = None) -> None:
        if round is not None:
            self._awaited[int(round)] = self._played[int(round) % self._rounds]
        super().observe(reward, round)


def late(factory: Callable[[int], LiveObject]) -> FactoryUnderTest:
    return FactoryUnderTest(factory, takes_late=True)


@pytest.mark.parametrize("ties", ["first", "last"])
@pytest.mark.parametrize("interval", INTERVALS)
@pytest.mark.parametrize("policy", [*POLICIES, "dial:1/2"])
def test_a_right_program_conforms(policy: str, interval: str, ties: str) -> None:
    right = late(lambda arms: LivePolicy(policy, arms, interval, ties))
    result = run_setting(right, policy, interval, Effort(strict=True), (Stage.SMOKE, Stage.LATE))
    assert (result.verdict, result.played[Stage.LATE]) == ("conforms", 9)


WRONG: dict[str, Callable[[str, int], LiveObject]] = {
    **{bug.id: bug.live for bug in LATE_BUGS},
    "never-asks-where-nothing-is-known": WrongWhereInfinite,
}


@cache
def shrunk(policy: str, wrong: str) -> FinishedGame | None:
    """The game in which a wrong program fails, made small."""
    return run_setting(late(partial(WRONG[wrong], policy)), policy, "hoeffding", Effort(), (Stage.LATE,)).failed


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("policy", POLICIES)
def test_a_wrong_one_is_caught_and_its_run_is_replayed(policy: str, wrong: str) -> None:
    made = late(partial(WRONG[wrong], policy))
    failed = shrunk(policy, wrong)
    assert failed is not None and failed.divergence is not None
    assert failed.rounds <= 60, "it is shrunk"
    assert failed.trace.late
    again = replay(made, failed.trace, strict=False).failed
    assert again is not None and again.trace == failed.trace
    assert replay(late(partial(LivePolicy, policy)), failed.trace, strict=True).verdict == "conforms"


LOST: dict[str, tuple[Callable[[str, int], LiveObject], int, tuple[str, ...]]] = {
    "older than 500 rounds": (DropsOldAnswers, 64, tuple(POLICIES)),
    "in a table that has grown": (partial(ForgetsByGrowing, [64]), 64, tuple(POLICIES)),
    "in 5 bits": (partial(RemembersArmsIn, 5), 64, tuple(POLICIES)),
    "in 7 bits": (partial(RemembersArmsIn, 7), 200, tuple(POLICIES)),
    "after 64 rounds": (partial(RemembersTheLast, 64), 5, tuple(POLICIES)),
    "after 256 rounds": (partial(RemembersTheLast, 256), 5, tuple(POLICIES)),
    "after 1,024 rounds": (partial(RemembersTheLast, 1_024), 5, tuple(POLICIES)),
    # CBM-UCB never rests beside an arm without answers.
    "asked again": (AsksWhereNothingIsKnown, 64, ("bufalu", "bufau", "greedy", "dial:1/2")),
}
"""What happens to late answers, the number of arms that shows it (`--arms`), and the policies under which it can."""


@pytest.mark.parametrize("lost", LOST)
def test_answers_that_are_old_or_many_or_missing(lost: str) -> None:
    wrong, arms, policies = LOST[lost]
    for policy in policies[: 1 if "table" in lost else None]:  # a table grows once
        played = (
            play(game, late(partial(wrong, policy)), policy, "hoeffding", strict=True)
            for stage in (Stage.SMOKE, Stage.LATE)
            for game in games(stage, policy, "hoeffding", Scope(arms=arms, late=True))
        )
        assert any(game.divergence is not None for game in played), policy


def test_more_arms_are_late_where_more_are_wanted() -> None:
    for arms in (9, 64, 200):
        assert (
            max(game.arms for game in games(Stage.LATE, "bufalu", "bernstein", Scope(arms=arms, late=True))) == arms
        )


@pytest.mark.long
@pytest.mark.parametrize("bug", LATE_BUGS, ids=lambda bug: bug.id)
@pytest.mark.parametrize("policy", ["bufalu", "cbm-ucb"])
def test_the_likely_bug_is_named(policy: str, bug: KnownBug) -> None:
    wrong = late(partial(bug.live, policy))
    assert shrunk(policy, bug.id) is not None
    games_of_it = [
        record(game, wrong, policy, "hoeffding") for game in games(Stage.LATE, policy, "hoeffding", Scope(late=True))
    ]
    reports = [check_trace(trace) for trace in games_of_it if trace is not None]
    wrong_ones = [report for report in reports if not report.conforms]
    common = set.intersection(*({found.known.id for found in report.bugs} for report in wrong_ones))
    assert bug.id in common
    assert len(common & {other.id for other in LATE_BUGS}) == 1, "told apart from its likes"


@pytest.mark.parametrize("wrong", [DropsOvertakenAnswers, WrongWhereInfinite])
def test_what_is_like_a_known_bug_in_one_late_game_is_told_from_it_in_another(
    wrong: Callable[[str, int], LiveObject],
) -> None:
    """Dropping what was overtaken is like dropping all that is late, and never asking again like counting a question as 0."""
    result = run_setting(late(partial(wrong, "bufalu")), "bufalu", "hoeffding", Effort(), (Stage.SMOKE, Stage.LATE))
    assert result.failed is not None
    report = diagnosed(result.failed.checked, result.failed.trace, strict=False)
    assert {bug.known.id for bug in report.bugs} & {bug.id for bug in LATE_BUGS}
    assert narrowed(report, result.second_opinions).bugs == ()


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

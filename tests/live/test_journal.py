"""The journal in one process: what it decides, what it refuses, and that a restart changes nothing."""

from __future__ import annotations

import math
import random
import shutil
import sqlite3
import threading
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from bufalu.live import connections
from bufalu.live.deciding import Step
from bufalu.live.errors import AnsweredTwice, JournalDiffers, UnknownStep, UnusableJournal
from bufalu.live.journal import Journal
from bufalu.live.recount import _short
from bufalu.live.settings import _TiesOfRound, own_number
from bufalu.live.store import ArmSums, Store, state_of
from bufalu.oracle.report import check_trace
from bufalu.reference.errors import (
    InvalidInstance,
    InvalidInterval,
    InvalidReward,
    InvalidSchedule,
    NoChance,
    UnknownName,
)
from bufalu.reference.live import LivePolicy
from bufalu.reference.schedules import parse_schedule
from bufalu.reference.state import ArmRecord

ARMS = ["short", "polite", "long"]


def opened(path: Path, **changes: object) -> Journal:
    arguments: dict[str, object] = {"arms": ARMS, "epsilon": "power:1/4", "ties": "first"}
    return Journal.open(path, **{**arguments, **changes})  # type: ignore[arg-type]  # wrong ones are tried too


def test_answered_at_once_it_decides_as_the_live_policy(tmp_path: Path) -> None:
    rewards, schedule = random.Random(5), parse_schedule("constant:1")
    live = LivePolicy("bufalu", 3)
    with opened(tmp_path / "run.db", epsilon="constant:1") as journal:
        for number in range(1, 201):
            decision, step = live.decide(number, schedule.at(number, 3)), journal.next()
            assert (step.id, step.arm, step.ask) == (number, ARMS[decision.arm - 1], decision.query)
            if step.ask:
                reward = 1 if decision.arm == 1 else rewards.randrange(2)
                live.observe(reward)
                journal.answer(step.id, reward)
        assert journal.rounds == 200
        assert any(not played.query for played in journal.trace().rounds)
        assert check_trace(journal.trace(), strict=True).conforms


def test_a_trace_says_when_answers_came(tmp_path: Path) -> None:
    with opened(tmp_path / "late.db", known={"short": [1, 0.5]}) as journal:
        for _ in range(4):
            journal.next()
        journal.answer(2, 1)
        journal.no_answer(3)
        journal.answer(4, 0)
        journal.next()
        journal.answer(1, 0.5)
        trace = journal.trace()
    assert [(played.reward, played.answered) for played in trace.rounds[:4]] == [
        (Fraction(1, 2), 6),
        (1, 5),
        (None, None),
        (0, None),
    ]
    assert trace.header.known is not None
    assert (trace.header.known[0].queries, trace.header.known[0].squares) == (2, Fraction(5, 4))
    assert check_trace(trace, strict=True).conforms


def test_decisions_use_known_answers_only(tmp_path: Path) -> None:
    with opened(tmp_path / "late.db") as late, opened(tmp_path / "never.db") as never:
        for journal in (late, never):
            assert [journal.next().arm for _ in ARMS] == ARMS
        for arm in (1, 2):
            for journal in (late, never):
                journal.answer(arm, 1)
        waited, forgotten = late.next(), never.next()
        assert waited == forgotten
        assert waited.arm == "long", "an arm without an answer has no interval, and is asked about again"
        assert [step.id for step in late.waiting] == [3, 4]
        never.no_answer(3)
        assert [step.id for step in never.waiting] == [4]
        late.answer(3, 0)
        late.answer(4, 0)
        assert late.summary().arms[2].answers == 2
        assert never.summary().arms[2].answers == 0


def test_a_restart_after_every_call_changes_nothing(tmp_path: Path) -> None:
    def played(restart: bool) -> list[Step]:
        path, rewards = tmp_path / f"{restart}.db", random.Random(8)
        journal, steps = opened(path, ties="random:4"), []
        for _ in range(120):
            steps.append(journal.next())
            open_ones = [step.id for step in journal.waiting]
            if len(open_ones) > 5:
                answered = rewards.choice(open_ones)
                if rewards.randrange(4):
                    journal.answer(answered, rewards.randrange(2))
                else:
                    journal.no_answer(answered)
            if restart:
                journal.close()
                journal = Journal.open(path)
        return steps

    assert played(restart=True) == played(restart=False)


def test_random_ties_depend_on_the_seed_and_on_the_round(tmp_path: Path) -> None:
    def arms(seed: int) -> list[str]:
        with opened(tmp_path / f"{seed}.db", ties=f"random:{seed}") as journal:
            return [journal.next().arm for _ in range(40)]

    assert arms(1)[3:] != arms(2)[3:]
    assert len(set(arms(3)[3:])) == 3


def test_rewards_have_any_range(tmp_path: Path) -> None:
    with opened(tmp_path / "stars.db", rewards=(1, 5)) as stars, opened(tmp_path / "unit.db") as unit:
        for number in range(1, 4):
            stars.next(), unit.next()
            stars.answer(number, number + 1)
            unit.answer(number, Fraction(number, 4))
        assert stars.header().epsilon == "scaled:1/4:power:1/4", "epsilon has the unit of the rewards"
        assert stars.summary().arms[1].mean == 3.0
        assert unit.summary().arms[1].upper == pytest.approx(0.5 + math.sqrt(1.5 * math.log(4))), (
            "as of the next round"
        )
        assert unit.summary().arms[1].mean == 0.5
        assert [played.reward for played in stars.played()] == [played.reward for played in unit.played()]
        stars.next()
        before, waiting = stars.summary(), stars.waiting
        for outside in (0, 0.5, 0.9999999, 5.0000001, 5.5, 6):
            with pytest.raises(InvalidReward, match=f"the answer {outside} is outside the range from 1 to 5"):
                stars.answer(4, outside)
        for wrong in (float("nan"), "five", True, None):
            with pytest.raises(InvalidReward):
                stars.answer(4, wrong)  # type: ignore[arg-type]  # wrong on purpose
        assert (stars.summary(), stars.waiting) == (before, waiting)
        assert [step.id for step in waiting] == [4], "which can be answered still"


def test_what_was_known_before_counts(tmp_path: Path) -> None:
    known = {"short": [1, 1, 0], "long": [0]}
    with opened(tmp_path / "warm.db", known=known) as journal:
        assert [arm.answers for arm in journal.summary().arms] == [3, 0, 1]
        assert journal.summary().arms[0].upper == pytest.approx(2 / 3 + math.sqrt(1.5 * math.log(2) / 3)), (
            "before the first round the interval is that of round 2"
        )
        assert [journal.next().arm for _ in ARMS] == ARMS
    summary = opened(tmp_path / "warm.db", known=known).summary()
    assert (summary.answers, summary.before, summary.given, summary.waiting, summary.never) == (4, 4, 0, 3, 0)
    with opened(tmp_path / "warm.db") as journal:
        journal.answer(1, 0)
        journal.no_answer(2)
        summary = journal.summary()
    assert (summary.answers, summary.before, summary.given, summary.waiting, summary.never) == (5, 4, 1, 1, 1)
    was = r"known short: 3 of sum 2 and squares 2 in \[0, 1\]; long: 1 of sum 0 and squares 0 in \[0, 1\]"
    with pytest.raises(JournalDiffers, match=f"{was}, and short: 1 of sum 1 .* was given"):
        opened(tmp_path / "warm.db", known={"short": [1]})
    with pytest.raises(JournalDiffers, match=f"{was}, and nothing was given"):
        opened(tmp_path / "warm.db", known={})
    with pytest.raises(InvalidInstance, match="there is no arm"):
        opened(tmp_path / "other.db", known={"other": [1]})
    with pytest.raises(InvalidReward, match="outside the range"):
        opened(tmp_path / "other.db", known={"short": [2]})


def test_what_is_known_of_the_best_arm_and_of_the_loss(tmp_path: Path) -> None:
    known = {"short": [5] * 400, "polite": [1] * 400, "long": [1] * 100}
    with opened(tmp_path / "sure.db", rewards=(1, 5), known=known) as journal:
        for _ in ARMS:
            journal.next()
        summary = journal.summary()
        assert summary.may_be_best == ("short",)
        narrow, wide = summary.arms[1], summary.arms[2]
        assert narrow.lower is not None and wide.lower is not None
        assert wide.lower < narrow.lower < 1, "means lie in the range all the same"
        assert summary.lost_at_most == 4.0 + 4.0, (
            "one play each of the worst, against the best; none of the best itself"
        )
    with opened(tmp_path / "new.db", rewards=(1, 5)) as journal:
        journal.next()
        assert journal.summary().may_be_best == tuple(ARMS)
        assert [(arm.mean, arm.lower, arm.upper) for arm in journal.summary().arms] == [(None, None, None)] * 3
        assert journal.summary().lost_at_most == 4.0, "one play of an arm of which nothing is known"
    with opened(tmp_path / "last.db", known={"short": [0] * 400, "polite": [0] * 400, "long": [1] * 400}) as journal:
        journal.next()
        assert journal.summary().lost_at_most == 1.0, "the best is the last arm"
    with opened(tmp_path / "alone.db", arms=["alone"], known={"alone": [1]}) as journal:
        journal.next()
        assert journal.summary().lost_at_most == 0.0, "there is no better arm"


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ({"arms": ["short", "long", "polite"]}, "arms short, polite, long, and short, long, polite was given"),
        ({"arms": ["short, polite", "long"]}, "and 'short, polite', long was given"),
        ({"arms": ["new"], "known": {"new": [1]}}, "arms short, polite, long, and new was given"),
        ({"policy": "bufau"}, "policy bufalu, and bufau was given"),
        ({"epsilon": "zero"}, "epsilon power:1/4, and zero was given"),
        ({"rewards": (0, 2)}, "rewards 0, 1, and 0, 2 was given"),
        ({"confidence": "bernstein"}, "confidence hoeffding, and bernstein was given"),
        ({"ties": "last"}, "ties first, and last was given"),
    ],
)
def test_another_setting_is_refused_with_both_values(tmp_path: Path, changes: dict[str, object], shown: str) -> None:
    opened(tmp_path / "run.db").next()
    with pytest.raises(JournalDiffers) as refused:
        opened(tmp_path / "run.db", **changes)
    assert shown in str(refused.value)
    assert opened(tmp_path / "run.db", epsilon="power:0.25", policy="bufalu").rounds == 1


def test_a_wrong_answer_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    with opened(tmp_path / "run.db", epsilon="constant:100") as journal:
        for _ in range(4):
            journal.next()
        for number in (1, 2, 3):
            journal.answer(number, 1)
        journal.no_answer(4) if journal.waiting else None
        silent = journal.next()
        assert not silent.ask
        before = journal.summary()
        for step, error in (
            (1, AnsweredTwice),
            (silent.id, UnknownStep),
            (99, UnknownStep),
            (0, UnknownStep),
            ("x", UnknownStep),
            (1.5, UnknownStep),
        ):
            with pytest.raises(error):
                journal.answer(step, 0)  # type: ignore[arg-type]  # wrong on purpose
            with pytest.raises(error):
                journal.no_answer(step)  # type: ignore[arg-type]  # wrong on purpose
        assert journal.summary() == before


def test_what_makes_no_journal(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    for arguments, error in (
        ({"arms": []}, InvalidInstance),
        ({"arms": ["a", "a"]}, InvalidInstance),
        ({"arms": ["a", ""]}, InvalidInstance),
        ({"arms": ["a", 2]}, InvalidInstance),
        ({"arms": ["a", "b" * 201]}, InvalidInstance),
        ({"epsilon": None}, InvalidSchedule),
        ({"epsilon": [1, 2, 3]}, InvalidSchedule),
        ({"rewards": (5, 1)}, InvalidReward),
        ({"rewards": (1, 1)}, InvalidReward),
        ({"policy": "none"}, UnknownName),
        ({"ties": "coin"}, UnknownName),
        ({"policy": "coin:1/2"}, NoChance),
    ):
        with pytest.raises(error):
            opened(path, **arguments)  # type: ignore[arg-type]  # wrong on purpose
        assert not path.exists()
    with pytest.raises(InvalidSchedule, match="must have a text form"):
        opened(path, epsilon=[1, 2, 3])
    with pytest.raises(UnusableJournal, match="there is no journal"):
        Journal.open(path)
    opened(path, arms=["a", "b" * 200]).close()
    (tmp_path / "text.db").write_text("not a database, and long enough to be looked at as one" * 40)
    with pytest.raises(UnusableJournal, match="is not a journal"):
        opened(tmp_path / "text.db")
    with pytest.raises(UnusableJournal):
        opened(tmp_path / "no" / "folder.db")


def test_an_empty_file_becomes_a_journal(tmp_path: Path) -> None:
    """A program may have ended between the making of the file and the first transaction."""
    (tmp_path / "run.db").touch()
    with pytest.raises(UnusableJournal, match="is empty: give arms"):
        Journal.open(tmp_path / "run.db")
    assert opened(tmp_path / "run.db").next().id == 1


def test_a_new_file_that_somebody_else_writes_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when two workers open one new journal together: SQLite gives a file its log only while nobody else is there."""
    path = tmp_path / "a.db"
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    statements: list[str] = []

    def watched(
        place: str, connect: Callable[[str], sqlite3.Connection] = connections._connection
    ) -> sqlite3.Connection:
        connection = connect(place)
        connection.set_trace_callback(noted)
        return connection

    def noted(statement: str) -> None:
        statements.append(statement)
        if statement == "BEGIN EXCLUSIVE":
            other.execute("COMMIT")

    monkeypatch.setattr(connections, "_connection", watched)
    with Journal.open(path, arms=["a", "b"], epsilon="zero") as journal:
        assert journal.next().ask
    assert statements.count("BEGIN EXCLUSIVE") == 1
    other.close()


def test_a_copy_of_a_journal_in_use_without_its_log_is_refused(tmp_path: Path) -> None:
    with opened(tmp_path / "run.db") as journal:
        journal.next()
        shutil.copy(tmp_path / "run.db", tmp_path / "bare.db")
        with pytest.raises(UnusableJournal, match="the rest was in the -wal file beside it"):
            Journal.open(tmp_path / "bare.db")
        with sqlite3.connect(tmp_path / "run.db") as original, sqlite3.connect(tmp_path / "copy.db") as copy:
            original.backup(copy)
        assert Journal.open(tmp_path / "copy.db").rounds == 1


def test_eight_threads_make_one_sequence(tmp_path: Path) -> None:
    journal, seen = opened(tmp_path / "run.db"), [[] for _ in range(8)]  # type: list[list[int]]
    together = threading.Barrier(8)

    def work(mine: list[int]) -> None:
        together.wait()
        for _ in range(25):
            step = journal.next()
            mine.append(step.id)
            if step.ask:
                journal.answer(step.id, step.id % 2)

    threads = [threading.Thread(target=work, args=(mine,)) for mine in seen]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(number for mine in seen for number in mine) == list(range(1, 201))
    assert journal.summary().rounds == 200
    assert not journal.waiting


def test_a_journal_names_a_file_by_any_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert opened(Path("run.db")).next().id == 1
    assert Journal.open("run.db").next().id == 2


def test_the_pair_rule_decides_with_late_answers_and_takes_no_interval(tmp_path: Path) -> None:
    with pytest.raises(InvalidInterval, match="no confidence interval"):
        opened(tmp_path / "refused.db", policy="pairs:2", confidence="hoeffding")
    rewards = random.Random(7)
    with opened(tmp_path / "pairs.db", policy="pairs:2", epsilon="constant:1/2") as journal:
        for number in range(1, 301):
            step = journal.next()
            if step.ask and number % 5:
                journal.answer(step.id, rewards.random() / 4 + (3 / 4 if step.arm == "polite" else 0))
            elif step.ask:
                journal.no_answer(step.id)
        summary, trace = journal.summary(), journal.trace()
    assert summary.asked < 150
    assert max(summary.arms, key=lambda arm: arm.plays).name == "polite"
    assert check_trace(trace, strict=True).conforms
    assert str(check_trace(trace)).startswith("conforms: pairs:2, 3 arms")


def test_an_arm_whose_answer_is_lost_is_asked_again_by_the_pair_rule(tmp_path: Path) -> None:
    with opened(tmp_path / "lost.db", policy="pairs:2", epsilon="constant:100") as journal:
        for number, arm in enumerate(ARMS, 1):
            assert journal.next().arm == arm
            if number != 2:
                journal.answer(number, 1)
        again = journal.next()
        assert (again.arm, again.ask) == ("polite", True)
        journal.answer(again.id, 0)
        assert not journal.next().ask


def test_a_refusal_names_a_float_as_it_was_given(tmp_path: Path) -> None:
    with opened(tmp_path / "stars.db", rewards=(1, 5)) as journal:
        step = journal.next()
        with pytest.raises(InvalidReward, match=r"the answer 5\.1 is outside the range from 1 to 5"):
            journal.answer(step.id, 5.1)
        journal.answer(step.id, 4.3)
        with pytest.raises(AnsweredTwice, match=r"with the answer 4\.3; nothing was changed"):
            journal.answer(step.id, 2)


def test_a_folder_that_is_not_there_is_asked_about(tmp_path: Path) -> None:
    with pytest.raises(UnusableJournal, match=r"is there such a folder, and may it be written\?"):
        opened(tmp_path / "nowhere" / "new.db")


def test_a_question_that_waits_is_the_step_that_was_given(tmp_path: Path) -> None:
    with opened(tmp_path / "run.db") as journal:
        steps = [journal.next() for _ in ARMS]
        assert list(journal.waiting) == steps
        assert [step.arm for step in steps] == ARMS


def test_a_generator_is_made_where_there_is_a_tie() -> None:
    ties = _TiesOfRound("random:1:5")
    assert ties([7]) == 7
    assert ties._generator is None
    assert ties([7, 8]) in (7, 8)
    assert ties._generator is not None


def test_long_numbers_are_cut_after_forty_characters() -> None:
    assert _short(10**39) == "1" + "0" * 39
    assert _short(10**40) == "1" + "0" * 39 + "..."


def test_own_numbers_are_as_long_as_they_are() -> None:
    digits = "7" * 20_001
    number = own_number(f"1/{digits}")
    assert number.denominator == (10**20_001 - 1) // 9 * 7


def test_a_file_says_whose_it_is_and_in_which_format(tmp_path: Path) -> None:
    """Journals of today are read tomorrow: these two numbers never change without a new format."""
    opened(tmp_path / "run.db").close()
    with sqlite3.connect(tmp_path / "run.db") as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (int.from_bytes(b"BUFA", "big"),)
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)


def test_a_policy_sees_number_sum_and_squares_of_the_answers() -> None:
    half = Fraction(1, 2)
    state = state_of([ArmSums(9, 5, 3, 2, 3 * half), ArmSums(4, 2, 2, 1, half)])
    assert (state.arms, state.all_queries) == (2, 5)
    assert state.records == [ArmRecord(3, 2, 3 * half), ArmRecord(2, 1, half)]


def test_only_a_file_that_cannot_be_opened_is_asked_about() -> None:
    for code, asked in ((sqlite3.SQLITE_CANTOPEN, True), (sqlite3.SQLITE_FULL, False)):
        problem = sqlite3.OperationalError("no room")
        problem.sqlite_errorcode = code
        with pytest.raises(UnusableJournal, match="no room") as refused, Store("run.db")._refusals():
            raise problem
        assert ("is there such a folder" in str(refused.value)) is asked

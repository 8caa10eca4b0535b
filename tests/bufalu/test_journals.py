"""A journal is judged by `check`: every decision, by what was known, and what was changed in the file is seen."""

import json
import random
import sqlite3
from fractions import Fraction
from pathlib import Path

import pytest

from bufalu.commands.journals import JournalSource, block_of
from bufalu.live.journal import Journal
from bufalu.oracle.report import check_file, check_trace
from bufalu.reference.policies import Reason
from tests.bufalu.runner import bufalu


def played(path: Path, rounds: int = 400, **settings: object) -> Journal:
    """A journal with answers at once, late, out of order, never, and some from before."""
    chance = random.Random(3)
    given = {
        "arms": ["a", "b", "c"],
        "epsilon": "constant:10",
        "ties": "random:5",
        "rewards": (0, 10),
        "known": {"a": [3, 7]},
    }
    journal = Journal.open(path, **{**given, **settings})
    for _ in range(rounds):
        step = journal.next()
        good = step.arm == "a"
        waiting = [late.id for late in journal.waiting]
        while waiting and (good or len(waiting) > 6):
            number = waiting.pop(chance.randrange(len(waiting)))
            if chance.randrange(5):
                journal.answer(number, chance.choice([9, 9.5, Fraction(25, 3)]) if good else chance.randrange(5))
            else:
                journal.no_answer(number)
            good = False
    return journal


def changed_copy(journal: Journal, folder: Path, *changes: str) -> Path:
    """A copy of a journal in which some statements changed something."""
    path = folder / "changed.db"
    with sqlite3.connect(path) as copy, sqlite3.connect(journal._store.path) as original:
        original.backup(copy)
        for change in changes:
            assert copy.execute(change).rowcount > 0 or change.startswith("PRAGMA")
    return path


def journal_reason(journal: Journal, number: int) -> str:
    """The name of the reason that the file has for a round."""
    with sqlite3.connect(journal._store.path) as connection:
        return connection.execute("SELECT reason FROM step WHERE round = ?", (number,)).fetchone()[0]


@pytest.fixture(scope="module")
def journal(tmp_path_factory):
    with played(tmp_path_factory.mktemp("live") / "run.db") as made:
        yield made


def test_columns_are_the_rounds(journal):
    trace = journal.trace()
    assert any(one.answered for one in trace.rounds) and any(one.query and one.reward is None for one in trace.rounds)
    assert not all(one.query for one in trace.rounds)
    for length in (1, 7, 1000):
        blocks = [block_of(stretch) for stretch in journal.stretches(length)]
        assert tuple(one for block in blocks for one in block.rounds()) == trace.rounds


def test_a_journal_conforms_as_its_trace_does(journal):
    path = journal._store.path
    report = check_file(JournalSource(path, journal), strict=True)
    assert report.conforms and report.checked == check_trace(journal.trace(), strict=True).checked
    for command in (("check",), ("live", "check"), ("explain",)):
        assert bufalu(*command, path, "--strict").returncode == 0
    assert json.loads(bufalu("live", "check", path, "--json").stdout)["rounds"] == 400


def test_it_is_judged_while_another_connection_writes(journal):
    """The reader sees one moment: what is decided and answered meanwhile belongs to the next check."""
    source = JournalSource(journal._store.path, journal)
    stretches = journal.stretches(100)
    first = [next(stretches)]
    with Journal.open(journal._store.path) as writer:
        before = writer.rounds
        step = writer.next()
        writer.no_answer(step.id) if step.ask else None
    assert sum(len(stretch.decisions) for stretch in [*first, *stretches]) == before
    assert check_file(source, strict=True).checked.rounds == before + 1


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE step SET reward = '0', answered = round + 1 WHERE ask = 1 AND reward IS NULL",
        "UPDATE step SET reward = NULL, answered = NULL WHERE arm = 1 AND round < 200",
        "UPDATE step SET answered = round + 1 WHERE reward IS NOT NULL",
        "UPDATE step SET arm = arm % 3 + 1 WHERE round = 350",
        "UPDATE step SET ask = 1 - ask, reward = NULL, answered = NULL WHERE round = 390",
        "UPDATE setting SET value = replace(value, '\"2 1 29/50\"', '\"0 0 0\"')",
        "UPDATE step SET answered = 5000 WHERE round = (SELECT max(round) FROM step WHERE reward IS NOT NULL)",
    ],
)
def test_what_was_changed_in_the_file_is_seen(journal, tmp_path, change):
    found = bufalu("check", changed_copy(journal, tmp_path, change))
    assert found.returncode == 1, found.stdout
    assert found.stdout.startswith("nonconforming")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("plays = plays - 1", "keeps for 'b' plays "),
        ("asked = asked + 1", "keeps for 'b' questions "),
        ("answers = answers + 1", "keeps for 'b' answers "),
        ("total = '1/3'", "keeps for 'b' a sum of answers in [0, 1] of 1/3; its steps have "),
        ("squares = '0'", "keeps for 'b' a sum of their squares of 0; its steps have "),
    ],
)
def test_a_changed_sum_is_seen_though_every_round_is_right(journal, tmp_path, change, told):
    """By the sums the next round is decided: who changes one changes what comes, and nothing that was."""
    path = changed_copy(journal, tmp_path, f"UPDATE arm SET {change} WHERE arm = 2")
    found = bufalu("check", path, "--strict")
    assert found.returncode == 1
    headline, *rest = found.stdout.splitlines()
    assert headline.startswith("nonconforming") and "each of " in headline and told in "\n".join(rest)
    assert json.loads(bufalu("check", path, "--json").stdout)["miscounts"] == rest[:1]


def test_sums_of_arms_that_are_gone_are_missed(journal, tmp_path):
    found = bufalu("check", changed_copy(journal, tmp_path, "DELETE FROM arm WHERE arm = 3"))
    assert found.returncode == 1 and "keeps sums of 2 arms and has 3" in found.stdout


@pytest.mark.parametrize(("number", "another"), [(2, Reason.UNCERTAIN), (390, Reason.SEPARATED_AND_WITHIN_EPSILON)])
def test_a_changed_reason_is_seen(journal, tmp_path, number, another):
    """The decision stays one of the policy; the reason that the file gives for it is not the policy's."""
    was = Reason[journal_reason(journal, number)]
    assert was in (Reason.INITIAL, Reason.SEPARATED, Reason.WITHIN_EPSILON)
    path = changed_copy(journal, tmp_path, f"UPDATE step SET reason = '{another.name}' WHERE round = {number}")
    found = bufalu("check", path)
    assert found.returncode == 1
    assert f"round {number} gives a wrong reason" in found.stdout.splitlines()[0]
    assert f"gives another reason for it ({another.value})" in found.stdout and was.value in found.stdout
    assert "Likely bug" not in found.stdout and "No known bug" not in found.stdout
    first = json.loads(bufalu("check", path, "--json").stdout)["first_divergence"]
    assert (first["round"], first["reason"]) == (number, another.name.lower())
    assert bufalu("explain", path).returncode == 1


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("UPDATE step SET reason = 'WHIM' WHERE round = 17", "round 17: its reason, or that it is open,"),
        ("UPDATE step SET closed = 0 WHERE round = 17", "round 17: its reason, or that it is open,"),
        ("DELETE FROM step WHERE round = 17", "some of the rounds from 1 on are missing"),
        ("UPDATE step SET arm = 9 WHERE round = 17", "round 17: expected 1..3"),
        ("UPDATE step SET answered = 3 WHERE round = 17", "round 17: expected a later round"),
        ("UPDATE step SET reward = '11' WHERE round = 17", "outside the range from 0 to 10"),
        ("PRAGMA application_id = 7", "a database of another program"),
        ("UPDATE setting SET value = '{'", "its settings are damaged"),
        ("UPDATE setting SET value = '[]'", "its settings are damaged"),
        ("UPDATE setting SET value = '{\"arms\": []}'", "its settings are damaged"),
    ],
)
def test_what_no_journal_says_is_refused(journal, tmp_path, change, problem):
    asked = "UPDATE step SET ask = 1, reward = '1', answered = 18, closed = 1 WHERE round = 17"
    path = changed_copy(journal, tmp_path, asked, change)
    for command in (("check",), ("live", "check")):
        refused = bufalu(*command, path)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert problem in refused.stderr and len(refused.stderr.splitlines()) == 1


def test_a_reason_that_no_journal_writes_is_refused(journal, tmp_path):
    path = changed_copy(journal, tmp_path, "UPDATE step SET reason = 'WHIM' WHERE round = 17")
    refused = bufalu("live", "show", path, "--html", tmp_path / "page.html")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "step 17 has a reason that no journal writes: WHIM" in refused.stderr
    assert not (tmp_path / "page.html").exists()


def test_options_that_a_journal_answers_itself_are_refused(journal, tmp_path):
    refused = bufalu("check", journal._store.path, "--policy", "bufau")
    assert refused.returncode == 2 and "leave out the options" in refused.stderr
    (tmp_path / "text.db").write_text("no")
    for path, problem in ((tmp_path / "text.db", "is not a journal"), (tmp_path / "none.db", "there is no journal")):
        refused = bufalu("live", "check", path)
        assert refused.returncode == 2 and problem in refused.stderr

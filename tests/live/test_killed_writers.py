"""kill -9 at any moment: nothing that was promised is lost, nothing is decided twice, and the decisions are the policy's."""

from __future__ import annotations

import json
import signal
from pathlib import Path

from bufalu.live.journal import Journal
from bufalu.oracle.report import check_trace
from tests.bufalu.runner import printed_by_module
from tests.live import killed_writers


def test_a_hundred_kills_lose_nothing(tmp_path: Path) -> None:
    told = json.loads(printed_by_module(killed_writers.__name__, tmp_path))
    assert told["signals"] == [-signal.SIGKILL] * killed_writers.KILLS
    journal = Journal.open(tmp_path / "run.db")
    rounds = {played.number: played for played in journal.played()}
    assert list(rounds) == list(range(1, journal.rounds + 1))
    steps = [line.split()[1:] for line in told["said"] if line.startswith("step")]
    assert len({number for number, *_ in steps}) == len(steps) > 100, "no step was given out twice"
    for number, arm, ask in steps:
        assert (journal.settings.arms[rounds[int(number)].arm - 1], str(rounds[int(number)].query)) == (arm, ask)
    waiting = {step.id for step in journal.waiting}
    answered = [int(line.split()[1]) for line in told["said"] if line.startswith("answer")]
    assert len(answered) > 50
    for number in answered:
        assert rounds[number].reward == number % 2
    for line in told["said"]:
        if line.startswith("none"):
            number = int(line.split()[1])
            assert rounds[number].reward is None and number not in waiting
    report = check_trace(journal.trace(), strict=True)
    assert report.conforms and report.checked.rounds == journal.rounds, "no decision is rejected"

"""Processes that share a journal, by its name or through a fork, take one sequence of rounds."""

from __future__ import annotations

import json
from pathlib import Path

from bufalu.live.journal import Journal
from tests.bufalu.runner import printed_by_module
from tests.live import forked_writers


def test_processes_at_once_take_one_sequence(tmp_path: Path) -> None:
    given = json.loads(printed_by_module(forked_writers.__name__, tmp_path / "run.db"))
    assert [len(steps) for steps in given] == [5, 5, *[forked_writers.STEPS] * 5, 1]
    assert all(steps == sorted(steps) for steps in given)
    journal = Journal.open(tmp_path / "run.db")
    everything = sorted(number for steps in given for number in steps)
    assert everything == list(range(1, journal.rounds + 1))
    assert not journal.waiting
    assert journal.summary().answers == journal.summary().asked

"""Progress where there is no terminal: a line after ten seconds, then one a minute."""

import sys
from io import StringIO

import pytest

from bufalu.commands import terminal
from bufalu.commands.terminal import Progress
from tests.conftest import FIRST_LINE


@pytest.fixture(autouse=True)
def what_a_user_waits_for(monkeypatch):
    monkeypatch.setattr(terminal, "_FIRST_LINE", FIRST_LINE)


def test_a_long_run_says_something(monkeypatch, capsys):
    clock = [100.0]
    monkeypatch.setattr(terminal.time, "monotonic", lambda: clock[0])
    with Progress(1000, "rounds", "claims") as progress:
        for seconds in (1, 9, 12, 13, 71, 73):
            clock[0] = 100.0 + seconds
            progress.update(10 * seconds)
        progress.update(1000)
    said = capsys.readouterr().err.splitlines()
    assert said == [
        "claims: 120/1,000 rounds  10/s  88 s left",
        "claims: 730/1,000 rounds  10/s  27 s left",
    ]


@pytest.mark.parametrize("power", [1, 2, 3, 4])
def test_the_promised_end_does_not_move_away(power, monkeypatch, capsys):
    """Later rounds cost more, as in an exact law: what was promised first is kept, to a twentieth."""
    clock = [0.0]
    monkeypatch.setattr(terminal.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(terminal, "_FIRST_LINE", 0.0)
    monkeypatch.setattr(terminal, "_NEXT_LINES", 0.0)
    with Progress(100, "rounds", growing=True) as progress:
        for done in range(1, 101):
            clock[0] = 1000 * (done / 100) ** power
            progress.update(done)
    said = capsys.readouterr().err.splitlines()
    left = [float(line.split("/s  ")[1].split(" ")[0].replace(",", "")) for line in said[4:]]
    ends = [1000 * (done / 100) ** power + more for done, more in enumerate(left, start=5)]
    assert all(abs(end - 1000) <= 50 for end in ends), ends
    assert left == sorted(left, reverse=True)


def test_the_first_of_many_steps_promises_nothing(monkeypatch, capsys):
    """An audit's first check is done after 14 seconds, with Coq: 463 times as long is no forecast."""
    clock = [0.0]
    monkeypatch.setattr(terminal.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(terminal, "_NEXT_LINES", 0.0)
    with Progress(464, "checks") as progress:
        for done, seconds in ((1, 14.0), (19, 15.0), (20, 16.0)):
            clock[0] = seconds
            progress.update(done)
    assert capsys.readouterr().err.splitlines() == ["1/464 checks", "19/464 checks", "20/464 checks  1/s  355 s left"]


def test_uneven_steps_promise_no_end_far_away(monkeypatch, capsys):
    """Ten stages in no time and ten of a second each say nothing of a power."""
    clock = [0.0]
    monkeypatch.setattr(terminal.time, "monotonic", lambda: clock[0])
    with Progress(100, "stages") as progress:
        for done in range(1, 21):
            clock[0] = done / 100 if done <= 10 else done - 9.0
            progress.update(done)
    assert capsys.readouterr().err == "19/100 stages  2/s  43 s left\n"


def test_an_unknown_total_gives_a_count(monkeypatch, capsys):
    clock = [0.0]
    monkeypatch.setattr(terminal.time, "monotonic", lambda: clock[0])
    with Progress(None, "rounds") as progress:
        clock[0] = 20.0
        progress.update(4000)
    assert capsys.readouterr().err == "4,000 rounds  200/s\n"


@pytest.mark.parametrize("a_terminal", [True, False])
def test_work_goes_on_where_nobody_hears_of_its_progress(monkeypatch, a_terminal):
    tried = []

    class Gone(StringIO):
        def isatty(self):
            return a_terminal

        def write(self, text):
            tried.append(text)
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stderr", Gone())
    monkeypatch.setattr(terminal, "_FIRST_LINE", 0.0)
    with Progress(2, "rounds") as progress:
        progress.update(2)
    assert any("2/2 rounds" in text for text in tried)

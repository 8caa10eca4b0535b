"""The command line as a whole: help, version, one voice for errors."""

import signal

import pytest

from bufalu.cli import COMMANDS, load_command, main
from bufalu.commands import doctor
from tests.bufalu.runner import bufalu


def test_help_lists_every_command():
    run = bufalu("--help")
    assert run.returncode == 0
    for name in COMMANDS:
        assert f"\n    {name}" in run.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_with_an_example(name):
    run = bufalu(name, "--help")
    assert run.returncode == 0
    assert "example:" in run.stdout
    assert f"bufalu {name}" in run.stdout.split("example:")[1]
    assert load_command(name).HELP.splitlines()[0] == COMMANDS[name]
    assert COMMANDS[name].endswith(".")


@pytest.mark.parametrize("arguments", [(), ("frobnicate",), ("simulate", "--nonsense")])
def test_usage_errors_are_one_line_and_exit_with_two(arguments):
    run = bufalu(*arguments)
    assert run.returncode == 2
    assert run.stderr.startswith("bufalu")
    assert run.stderr.count("\n") == 1
    assert run.stdout == ""


SIGNALS = (signal.SIGTERM, signal.SIGHUP)


@pytest.fixture
def plain_signals():
    """Signals that end a program, as a shell starts it."""
    kept = {number: signal.signal(number, signal.SIG_DFL) for number in SIGNALS}
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.usefixtures("plain_signals")
def test_signals_are_the_commands_while_it_runs_and_the_callers_after_it(monkeypatch, capsys, number):
    """A signal that came later would raise in the middle of the caller's own work."""

    def run(_: object) -> int:
        signal.raise_signal(number)
        raise AssertionError("the signal was not heard")

    monkeypatch.setattr(doctor, "run", run)
    assert main(["doctor"]) == 128 + number
    assert capsys.readouterr().err == f"bufalu doctor: ended by {number.name}\n"
    assert [signal.getsignal(each) for each in SIGNALS] == [signal.SIG_DFL] * 2

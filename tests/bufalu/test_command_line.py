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


@pytest.mark.parametrize(
    ("arguments", "command", "unknown"),
    [
        (("simulate", "--means", "0.2", "0.3", "--horizon", "9", "--epsilon", "zero"), "simulate", "0.3"),
        (("plan", "--arms", "5", "--horizon", "9", "--price=1"), "plan", "--price=1"),
        (("check", "--jsn"), "check", "--jsn"),
        (("live", "answer", "--nothing"), "live answer", "--nothing"),
        (("conform", "mine", "--stdio"), "conform", "--stdio"),
        (("--quiet", "check"), "", "--quiet"),
    ],
)
def test_what_is_not_known_is_named_by_the_command_that_does_not_know_it(arguments, command, unknown):
    """Also where something is missing besides: a slip in its name may be the reason."""
    name = f"bufalu {command}".strip()
    assert bufalu(*arguments).stderr == f"{name}: unrecognized arguments: {unknown} (see {name} --help)\n"


def test_a_help_is_given_beside_what_is_not_known():
    assert bufalu("check", "--jsn", "--help").returncode == 0


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

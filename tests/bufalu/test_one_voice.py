"""One voice: the same option means the same in every command, colours obey, refusals are one line."""

import argparse
import os
import pty
import re
import subprocess
import sys
from collections import defaultdict

import pytest

from bufalu.cli import COMMANDS, build_parser, main
from tests.bufalu.runner import ROOT, assert_one_clear_line, bufalu, commands

OTHER_WORDS = {
    "--output": "--out",
    "--output-dir": "--out",
    "--jobs": "--workers",
    "--processes": "--workers",
    "--schedule": "--epsilon",
    "--algorithm": "--policy",
    "--tie-break": "--ties",
    "--random-seed": "--seed",
}
"""Words that a command might use for what the others call by the second name."""

SHORT = ("-h", "-v")
"""For --help and --verbose, as everywhere else in the world."""


def voices(parser):
    """For each option how each command that has it describes its value."""
    found = defaultdict(dict)
    for name, command in commands(parser):
        for action in command._actions:
            for option in action.option_strings:
                found[option][name] = (action.metavar, action.type)
    return found


def discords(found):
    """Options that differ between commands, have another name elsewhere, or are not spelt like the others."""
    problems = []
    for option, described in found.items():
        # A command writes one file or a folder of them, and says which.
        if option != "--out" and len(set(described.values())) > 1:
            problems.append(f"{option} differs: {described}")
        if option in OTHER_WORDS:
            problems.append(f"{option} in {', '.join(described)} is called {OTHER_WORDS[option]} elsewhere")
        if option not in SHORT and not re.fullmatch(r"--[a-z]+(-[a-z]+)*", option):
            problems.append(f"{option} is not spelt like the others")
    return problems


def test_the_same_option_means_the_same_everywhere():
    assert discords(voices(build_parser())) == []


def test_every_command_speaks_json():
    everything = dict(commands(build_parser()))
    assert {name.split()[0] for name in everything} == set(COMMANDS)
    assert set(voices(build_parser())["--json"]) == set(everything)


@pytest.mark.parametrize("option", ["--jobs", "--Horizon", "-x", "--seed"])
def test_a_discord_is_heard(option):
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    commands.add_parser("one").add_argument("--seed", metavar="N")
    commands.add_parser("two").add_argument(option, metavar="SEED")
    assert discords(voices(parser))


ARMS = ("--means", "1/4,1/2")


def on_a_terminal(*arguments, **environment):
    """What a command prints when its stdout is a terminal."""
    ours, theirs = pty.openpty()
    plain = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    run = subprocess.run(
        [sys.executable, "-m", "bufalu", *arguments],
        cwd=ROOT,
        env={**plain, "TERM": "xterm", **environment},
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
    )
    os.close(theirs)
    printed = b""
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:
            break
        if not chunk:
            break
        printed += chunk
    os.close(ours)
    assert run.returncode == 0
    return printed.decode()


def test_colours_on_a_terminal_unless_refused(tmp_path):
    command = ("check", str(tmp_path / "t.jsonl"))
    assert main(["simulate", *ARMS, "--horizon", "10", "--epsilon", "zero", "--out", command[1]]) == 0
    assert "\033[" in on_a_terminal(*command)
    assert "\033[" not in on_a_terminal(*command, NO_COLOR="1")
    assert "\033[" not in on_a_terminal(*command, TERM="dumb")
    assert "\033[" not in bufalu(*command).stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("bounds", "--means", "2", "--horizon", "10", "--epsilon", "zero"),
        ("law", *ARMS, "--horizon", "10", "--epsilon", "constant:-1"),
        ("law", *ARMS, "--horizon", "10", "--epsilon", "zero", "--negligible", "2"),
        ("simulate", "--means", "1/4,1/2,1/3", "--horizon", "10", "--epsilon", "bernstein-budget:2"),
    ],
)
def test_a_value_out_of_range_gets_one_line_and_exit_code_two(arguments):
    """Values that are no numbers or names at all are given to every option in `test_refusals.py`."""
    assert_one_clear_line(bufalu(*arguments))

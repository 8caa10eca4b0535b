"""Refusals that people met, in the words that help them."""

import gzip

import pytest

from bufalu.cli import build_parser, main
from tests.bufalu.runner import bufalu, commands

RUN = ("--means", "1/4,1/2", "--horizon", "9")

LONG = {
    "a word": "x" * 5000,
    "a sentence": "x y " * 1250,
    "a number": "9" * 5000,
    "a path": "/".join(["d" * 200] * 25),
    "a list": ",".join(["1/x"] * 1250),
}
"""What nobody types and every script can give by mistake."""

PLAUSIBLE = {
    "--means": "1/4,1/2",
    "--epsilon": "zero",
    "--horizon": "9",
    "--cost": "1",
    "--names": "a,b",
    "--only": "cap.almost_sure",
    "language": "python",
    "step": "1",
    "reward": "1",
    "program": "cat",
    "part": "table1",
    "trace": "no-such-trace.jsonl",
    "journal": "no-such-journal.db",
    "--seeds": "2",
}
"""What stands beside the long value, so that the command comes to look at it."""
NEEDED = {
    "audit": ["--only"],
    "compare": ["--means", "--epsilon", "--horizon", "--seeds"],
    "live answer": ["reward"],
    "reproduce": ["part"],
}
"""What is given though the command could do without: else it would go to work."""


def said(capsys, *arguments):
    try:
        code = main(list(arguments))
    except SystemExit as stopped:
        code = stopped.code
    told = capsys.readouterr()
    assert (code, told.out) == (2, "")
    assert len(told.err.splitlines()) == 1
    return told.err


@pytest.mark.parametrize("horizon", ["-5", "0", "1/2", "x"])
def test_a_horizon_starts_at_one(capsys, horizon):
    line = said(capsys, "simulate", "--means", "1/4,1/2", "--epsilon", "zero", "--horizon", horizon)
    assert "between 1 and 10^18" in line


@pytest.mark.parametrize("number", ["0.1", "1/10", "0"])
def test_a_number_for_epsilon_is_a_constant(capsys, number):
    assert f"constant:{number}" in said(capsys, "simulate", *RUN, "--epsilon", number)


def test_a_study_is_kept_in_a_folder(capsys, tmp_path):
    (tmp_path / "file").write_text("mine")
    study = (*RUN, "--policy", "bufalu", "--epsilon", "zero", "--seeds", "2")
    line = said(capsys, "compare", *study, "--out", str(tmp_path / "file"))
    assert "is a file: a study is kept in a folder" in line
    assert (tmp_path / "file").read_text() == "mine"


@pytest.fixture
def trace(tmp_path, capsys):
    path = tmp_path / "run.jsonl"
    assert main(["simulate", *RUN, "--epsilon", "zero", "--out", str(path)]) == 0
    capsys.readouterr()
    return path


def test_a_compressed_trace_may_have_any_name(trace, tmp_path, capsys):
    packed = tmp_path / "packed.jsonl"
    packed.write_bytes(gzip.compress(trace.read_bytes()))
    assert main(["check", str(packed)]) == 0
    assert capsys.readouterr().out.startswith("conforms")


def test_a_dash_is_no_file(trace, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "/dev/stdout" in said(capsys, "explain", str(trace), "--svg", "-")
    assert not (tmp_path / "-").exists()


def takers():
    """Each command with the options and arguments of it that take a value; the first list has those that are needed."""
    for name, parser in commands(build_parser()):
        takes = {
            (action.option_strings or [action.dest])[-1]: action for action in parser._actions if action.nargs != 0
        }
        yield name, [word for word in takes if takes[word].required or word in NEEDED.get(name, ())], list(takes)


PLACES = [(command, needed, place) for command, needed, places in takers() for place in places]


@pytest.mark.parametrize("value", list(LONG))
def test_little_is_quoted_of_a_long_value_wherever_it_is_given(value, tmp_path):
    given = LONG[value]
    assert len(PLACES) > 90
    for command, needed, place in PLACES:
        values = {word: PLAUSIBLE[word] for word in needed} | {place: given}
        words = [part for word, text in values.items() for part in ((word, text) if word[0] == "-" else (text,))]
        told = bufalu(*command.split(), *words, cwd=tmp_path)
        assert told.returncode == 2, (command, place, told)
        assert given[:81] not in told.stderr and given[-81:] not in told.stderr, (command, place)
        assert (told.stdout, len(told.stderr.splitlines())) == ("", 1), (command, place, told.stderr[:500])


@pytest.mark.parametrize("command", ["simulate", "law"])
def test_an_interval_for_a_policy_that_has_none_is_refused(command, capsys):
    wanted = [command, *RUN, "--epsilon", "zero", "--policy", "pairs:2"]
    assert main([*wanted, "--confidence", "hoeffding"]) == 2
    assert "pairs:2 has no confidence interval: leave out 'hoeffding'" in capsys.readouterr().err
    assert main(wanted) == 0

"""`bufalu live` from a shell: each verb, its JSON, and what is refused without a change."""

import json

import pytest

from bufalu.cli import main

NEW = ("--names", "short,polite,long", "--epsilon", "power:1/4", "--range", "1,5", "--ties", "first")


@pytest.fixture
def journal(tmp_path, capsys):
    path = str(tmp_path / "prompts.db")
    assert main(["live", "new", path, *NEW]) == 0
    capsys.readouterr()
    return path


def told(capsys, *arguments):
    assert main(["live", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_run_from_the_shell(journal, capsys):
    first = told(capsys, "next", journal)
    assert first == {
        "id": 1,
        "arm": "short",
        "ask": True,
        "reason": "initial round: every arm is played and queried once",
    }
    for arm in ("polite", "long"):
        assert told(capsys, "next", journal)["arm"] == arm
    assert told(capsys, "answer", journal, "1", "5") == {"id": 1, "answered": True}
    assert told(capsys, "answer", journal, "3", "--none") == {"id": 3, "answered": False}
    shown = told(capsys, "show", journal)
    assert shown["rounds"] == 3
    assert [step["id"] for step in shown["waiting"]] == [2]
    assert [arm["mean"] for arm in shown["arms"]] == [5.0, None, None]
    assert shown["settings"]["epsilon"] == "power:1/4"
    assert told(capsys, "new", journal, *NEW)["rounds"] == 3, "the same settings take the journal up"


def test_what_was_known_before(tmp_path, capsys):
    path = str(tmp_path / "warm.db")
    known = ("--known", "short=3,4", "--known", "long=1/1", "--known", "short=5")
    assert main(["live", "new", path, *NEW, *known]) == 0
    assert main(["live", "show", path]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "0 rounds, asked 0 times, 4 answers known, 4 of them from before"
    shown = told(capsys, "show", path)
    assert [(arm["answers"], arm["mean"]) for arm in shown["arms"]] == [(3, 4.0), (0, None), (1, 1.0)]
    assert (shown["before"], shown["waiting"]) == (4, [])


def test_what_is_left_out_takes_a_journal_up_as_it_is(tmp_path, capsys):
    path = str(tmp_path / "dial.db")
    assert main(["live", "new", path, *NEW, "--policy", "dial:1/2", "--confidence", "bernstein"]) == 0
    capsys.readouterr()
    kept = told(capsys, "new", path, *NEW)
    assert (kept["policy"], kept["confidence"]) == ("dial:1/2", "bernstein")
    assert main(["live", "new", path, *NEW, "--policy", "bufalu"]) == 2
    assert "policy dial:1/2, and bufalu was given" in capsys.readouterr().err


def test_what_is_printed(journal, capsys):
    assert main(["live", "next", journal]) == 0
    assert capsys.readouterr().out == "1 ask short (initial round: every arm is played and queried once)\n"
    assert main(["live", "answer", journal, "1", "4"]) == 0
    assert main(["live", "next", journal]) == 0
    capsys.readouterr()
    assert main(["live", "show", journal]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "2 rounds, asked 2 times, 1 answer known"
    assert lines[1].split() == ["arm", "played", "asked", "answered", "mean", "interval"]
    assert lines[2].split()[:5] == ["short", "1", "1", "1", "4"]
    assert lines[-3] == "may be best: short, polite, long"
    assert lines[-1] == "waiting for answers to step 2 (polite)"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("next", "NONE"), "there is no journal"),
        (("answer", "FILE", "1", "4"), "there is no step 1"),
        (("answer", "FILE", "1", "six"), "not a number"),
        (("answer", "FILE", "1", "6"), "outside the range"),
        (("answer", "FILE", "0", "4"), "between 1 and 10^18"),
        (("new", "FILE", *NEW[:-1], "last"), "was created with ties first, and last was given"),
        (("new", "NONE", "--names", "a,b", "--epsilon", "zero", "--range", "5"), "smallest and the largest"),
        (("new", "NONE", "--names", "a,a", "--epsilon", "zero"), "two arms have the name"),
        (("new", "NONE", "--names", "a,b", "--epsilon", "file:/dev/null"), "text form"),
        (("new", "NONE", *NEW, "--known", "short"), "--known takes an arm and its rewards"),
        (("new", "NONE", *NEW, "--known", "brief=3"), "there is no arm"),
        (("new", "NONE", *NEW, "--known", "short=3,6"), "outside the range"),
        (("show",), "required"),
        ((), "required"),
    ],
)
def test_a_refusal_is_one_line(journal, tmp_path, capsys, arguments, words):
    places = {"FILE": journal, "NONE": str(tmp_path / "none.db")}
    try:
        code = main(["live", *(places.get(word, word) for word in arguments)])
    except SystemExit as stopped:
        code = stopped.code
    said = capsys.readouterr()
    assert (code, said.out) == (2, "")
    assert len(said.err.splitlines()) == 1
    assert words in said.err
    assert not (tmp_path / "none.db").exists()
    assert told(capsys, "show", journal)["rounds"] == 0


def test_the_page_is_written(journal, tmp_path, capsys):
    page = tmp_path / "page.html"
    assert main(["live", "next", journal]) == 0
    assert main(["live", "answer", journal, "1", "4"]) == 0
    assert main(["live", "show", journal, "--html", str(page), "--cost", "0.25"]) == 0
    capsys.readouterr()
    text = page.read_text(encoding="utf-8")
    assert "prompts.db" in text and "<dt>paid</dt><dd>0.25</dd>" in text
    for wrong in (["--cost", "1"], ["--html", str(page), "--cost", "-1"], ["--html", str(tmp_path / "page.png")]):
        assert main(["live", "show", journal, *wrong]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1

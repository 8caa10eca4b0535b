"""`mine.py:Mine` on the command line: what is loaded, and what is refused in one clear line."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path

import pytest

from bufalu.cli import main
from bufalu.commands import own_audit, own_files
from bufalu.properties.claims.registered import forget_registered

INTERVALS = """
from bufalu import NormalForm, ConfidenceInterval, RadiusShape, RadiusTerm, ShapedInterval

class Fine(ShapedInterval):
    text = "own-fine-NUMBER"
    shape = RadiusShape((RadiusTerm(2),))

class Taken(ShapedInterval):
    text = "hoeffding"
    shape = RadiusShape((RadiusTerm(2),))

class Nameless(ShapedInterval):
    text = "No Name"
    shape = RadiusShape((RadiusTerm(2),))

class Numbered(ShapedInterval):
    text = 3
    shape = RadiusShape((RadiusTerm(2),))

class Breaks(ConfidenceInterval):
    text = "own-breaks-NUMBER"
    def radius_form(self, queries, variance, round_number):
        return 1 / (queries - 1)

class Floating(ConfidenceInterval):
    text = "own-floating-NUMBER"
    def radius_form(self, queries, variance, round_number):
        return 0.5

class Unfinished(ConfidenceInterval):
    text = "own-unfinished-NUMBER"

class Wanting(ShapedInterval):
    def __init__(self, factor):
        self.factor = factor

class Torn(ShapedInterval):
    text = "own-torn-NUMBER"
    shape = RadiusShape((RadiusTerm(1),))
    def radius_form(self, queries, variance, round_number):
        return RadiusShape((RadiusTerm(2),)).form(queries, variance, round_number)

seven = 7
"""

POLICIES = """
import random
from bufalu import Decision, Policy, Reason

class Fine(Policy):
    text = "own-policy-NUMBER"
    def possible(self, view, comparisons):
        yield Decision(min(view.round, view.arms), True), Reason.UNCERTAIN

class Outside(Fine):
    text = "own-outside-NUMBER"
    def decide(self, view, ties):
        return Decision(view.arms + 1, True)

class Other(Fine):
    text = "own-other-NUMBER"
    def decide(self, view, ties):
        return Decision(1, False)

class Tuple(Fine):
    text = "own-tuple-NUMBER"
    def decide(self, view, ties):
        return None

class Endless(Fine):
    text = "own-endless-NUMBER"
    def possible(self, view, comparisons):
        if view.round <= view.arms:
            yield Decision(view.round, True), Reason.INITIAL
        else:
            for arm in comparisons.largest(range(1, view.arms + 1), lambda arm: view.ucb(arm) - view.ucb(1)):
                yield Decision(arm, True), Reason.UNCERTAIN

class Fickle(Policy):
    text = "own-fickle-NUMBER"
    def decide(self, view, ties):
        return Decision(1, random.random() < 0.5)
    def possible(self, view, comparisons):
        yield Decision(1, True), Reason.UNCERTAIN
        yield Decision(1, False), Reason.UNCERTAIN

class Rare(Policy):
    text = "own-rare-NUMBER"
    def possible(self, view, comparisons):
        yield Decision(1, random.random() < 1e-9), Reason.UNCERTAIN

class Private(Policy):
    text = "own-private-NUMBER"
    coin = random.Random(1)
    def possible(self, view, comparisons):
        yield Decision(1, self.coin.random() < 0.5), Reason.UNCERTAIN
"""

_numbers = count(1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files of one's own, whose names nobody has used yet."""
    number = str(next(_numbers))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(INTERVALS.replace("NUMBER", number))
    (tmp_path / "rules.py").write_text(POLICIES.replace("NUMBER", number))
    (tmp_path / "broken.py").write_text("x = 1\ny = x / 0\n")
    (tmp_path / "unreadable.py").write_text("x = 1\ny = = 2\n")
    (tmp_path / "leaves.py").write_text("import sys\nsys.exit(3)\n")
    return tmp_path


@pytest.mark.parametrize(
    ("option", "problem"),
    [
        ("--interval=absent.py:Mine", "there is no file absent.py"),
        ("--interval=mine.py:Absent", "there is no Absent in mine.py; it has Fine,"),
        ("--interval=mine.py:seven", "is not a confidence interval"),
        ("--interval=rules.py:Fine", "is not a confidence interval"),
        ("--policy=mine.py:Fine", "is not a policy"),
        ("--interval=mine.py:Taken", "which is the name of another one"),
        ("--interval=mine.py:Nameless", "cannot name a confidence interval"),
        ("--interval=mine.py:Numbered", "must be a string"),
        ("--interval=mine.py:Breaks", "mine.py, line 23: ZeroDivisionError"),
        ("--interval=mine.py:Floating", "must give a NormalForm, not a float"),
        ("--interval=mine.py:Unfinished", "radius_form"),
        ("--interval=mine.py:Wanting", "mine.py:Wanting: TypeError"),
        ("--interval=mine.py:Torn", "is not that of its `shape` after 1 queries in round 2"),
        ("--interval=broken.py:Mine", "broken.py, line 2: ZeroDivisionError"),
        ("--interval=unreadable.py:Mine", "unreadable.py, line 2: SyntaxError"),
        ("--interval=leaves.py:Mine", "leaves.py, line 2: SystemExit"),
        ("--policy=rules.py:Outside", "must decide for a Decision"),
        ("--policy=rules.py:Tuple", "must decide for a Decision"),
        ("--policy=rules.py:Other", "which its `possible` does not list"),
        *((f"--policy=rules.py:{name}", "write the chance as a tie") for name in ("Fickle", "Rare", "Private")),
        ("--interval=nobody", "there is no confidence interval 'nobody'"),
        ("--claims=mine.py", "registers no claim"),
        ("--claims=broken.py", "broken.py, line 2"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    option: str, problem: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", option, "--only", "cap.almost_sure"]) == 2
    captured = capsys.readouterr()
    assert problem in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        (["--strict"], "--strict goes with the audit of the paper"),
        (["--only", "kinf.definition"], "speaks neither of intervals nor of the algorithm"),
        (["--interval", "mine.py:Fine"], "given twice"),
    ],
)
def test_what_makes_no_sense_together_is_refused(
    more: list[str], problem: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(["audit", "--interval", "mine.py:Fine", *more])
    except SystemExit as left:
        code = left.code
    assert code == 2
    assert problem in capsys.readouterr().err


REGISTERED = """
from bufalu import RadiusShape, RadiusTerm, ShapedInterval, register_interval

class Scaled(ShapedInterval):
    text = "own-scaled-NUMBER"
    def __init__(self, factor=2):
        self.factor = factor
    @property
    def shape(self):
        return RadiusShape((RadiusTerm(self.factor),))

two, three = Scaled(2), Scaled(3)
register_interval("own-scaled-NUMBER", two)
"""


def test_a_text_that_the_file_has_given_to_another_object_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of one class, but not the same: it would run, and be judged, as the registered one."""
    (folder / "known.py").write_text(REGISTERED.replace("NUMBER", str(next(_numbers))))
    run = ["simulate", "--means", "1/4,1/2", "--epsilon", "power:1/4", "--horizon", "12", "--confidence"]
    assert main([*run, "known.py:two"]) == main([*run, "known.py:Scaled"]) == 0
    assert main([*run, "known.py:three"]) == 2
    assert "which is the name of another one" in capsys.readouterr().err


def test_every_command_takes_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = ["--means", "1/4,1/2", "--epsilon", "power:1/4", "--horizon", "12"]
    own = ["--policy", "rules.py:Fine", "--confidence", "mine.py:Fine"]
    assert main(["simulate", *run, *own, "--out", "run.jsonl"]) == 0
    assert main(["law", *run, *own]) == 0
    assert main(["check", "run.jsonl", *own]) == 0
    assert "conforms: own-policy" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["simulate", "law"])
def test_a_rule_that_subtracts_infinities_is_not_called_a_defect_of_bufalu(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = "--policy rules.py:Endless --confidence bernstein --means 1/4,1/2 --epsilon zero --horizon 6"
    assert main([command, *run.split()]) == 2
    said = capsys.readouterr().err
    assert "infinity minus infinity" in said and "defect" not in said


@pytest.mark.parametrize(
    ("option", "place"),
    [("--out", "missing/x.json"), ("--html", "missing/x.html"), ("--html", "x.jpg"), ("--witnesses", "file/below")],
)
def test_a_place_that_cannot_be_written_is_refused_before_the_work(
    option: str,
    place: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "file").write_text("mine")
    monkeypatch.setattr(own_audit, "run_checks", lambda *_, **__: pytest.fail("went to work"))
    assert main(["audit", "--interval", "hoeffding", option, str(tmp_path / place)]) == 2
    assert capsys.readouterr().err.startswith("bufalu audit: cannot write ")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_the_report_is_told_in_all_three_ways(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claims = "cap.almost_sure,regular.hoeffding.width_nonnegative,dial.cap"
    arguments = ["audit", "--interval", "mine.py:Fine", "--only", claims, "--workers", "1"]
    assert main([*arguments, "--html", "own.html", "--out", "own.json"]) == 0
    shown = capsys.readouterr().out
    for part in ("not refuted  cap.almost_sure", "does not apply  dial.cap", "Nothing that was asked"):
        assert part in shown
    page = (folder / "own.html").read_text()
    for part in ("The paper&#39;s claims about the interval own-fine", "does not apply", 'id="cap.almost_sure"'):
        assert part in page
    told = json.loads((folder / "own.json").read_text())
    assert told["holds"] is True
    assert {claim["id"]: claim["outcome"] for claim in told["claims"]} == {
        "cap.almost_sure": "not refuted",
        "regular.hoeffding.width_nonnegative": "proved",
        "dial.cap": "does not apply",
    }


CLAIMS = """
from bufalu import Decided, register_check, register_claim

register_claim("mine.sum", "One and one is two.", expected="EXACT")
register_claim("mine.alone", "Nobody checks this.")

@register_check("mine.sum", "cap.almost_sure", verdict="EXACT")
def sums():
    return Decided(1 + 1 == TOTAL, "counted", 1)
"""


@pytest.fixture
def own_claims(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    forget_registered()

    def write(text: str) -> None:
        own_files._module.cache_clear()
        forget_registered()
        (tmp_path / "claims.py").write_text(text)

    yield write
    forget_registered()


def test_a_claim_from_outside_stands_in_the_table(own_claims, capsys: pytest.CaptureFixture[str]) -> None:
    own_claims(CLAIMS.replace("TOTAL", "2"))
    assert main(["audit", "--claims", "claims.py", "--only", "mine.sum,kinf.gaussian", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(item["id"], item["section"], item["verdict"]) for item in told][-1] == (
        "mine.sum",
        "Registered from outside",
        "EXACT",
    )


@pytest.mark.parametrize(
    ("total", "only", "problem"),
    [
        ("3", "mine.sum", "mine.sum is REFUTED, recorded as EXACT"),
        ("2", "mine.alone", "no check speaks for it"),
        ("1 / 0", "mine.sum", "claims.py, line 9"),
    ],
)
def test_a_claim_from_outside_that_does_not_stand_fails_the_audit(
    own_claims, total: str, only: str, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    own_claims(CLAIMS.replace("TOTAL", total))
    assert main(["audit", "--claims", "claims.py", "--only", only]) == 1
    assert problem in capsys.readouterr().out


def test_a_refuted_claim_from_outside_is_replayed_with_its_file(
    own_claims, capsys: pytest.CaptureFixture[str]
) -> None:
    own_claims(CLAIMS.replace("TOTAL", "3"))
    assert main(["audit", "--claims", "claims.py", "--only", "mine.sum"]) == 1
    assert "replay           bufalu audit --claims claims.py --only mine.sum\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('register_claim("cap.almost_sure", "x")', "there is a claim 'cap.almost_sure' already"),
        ('register_claim("Bad Name", "x")', "cannot name a claim"),
        ('register_claim("mine.x", "x", expected="REFUTED")', "a claim is expected to be one of PROVED"),
        ('register_check("mine.nobody")', "there is no claim 'mine.nobody'"),
        ("register_check()", "at least one claim"),
        ('register_check("cap.almost_sure", verdict="PROVED")', "gives one of CERTIFIED"),
    ],
)
def test_what_cannot_be_registered_is_said(
    own_claims, text: str, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    own_claims(f"from bufalu import register_check, register_claim\n{text}\n")
    assert main(["audit", "--claims", "claims.py", "--only", "kinf.gaussian"]) == 2
    assert problem in capsys.readouterr().err

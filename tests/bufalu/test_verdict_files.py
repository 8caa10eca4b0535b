"""The files for other people's tools: `check` and `conform` with --junit, --sarif, --summary and --badge."""

import json
import os
import shlex
import sys
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest

from bufalu.pages.badge import badge_json, badge_svg
from bufalu.pages.junit import junit
from bufalu.pages.outcome import Case, Ending, FilePlace, Outcome
from bufalu.pages.sarif import address, sarif
from bufalu.pages.summary import inline, summary
from bufalu.properties.runs.statements import Violation
from tests.bufalu.test_conform_command import bufalu
from tests.oracle.misbehaving_program import misbehaving

FILES = ("--junit", "verdict.xml", "--sarif", "verdict.sarif", "--summary", "verdict.md", "--badge", "verdict.svg")
QUICK = ("--examples", "1", "--rounds", "10")
HEADER = (
    '{"format": "bufalu-trace", "version": 1, "policy": "%s", "confidence": "hoeffding", "arms": 2, "epsilon": null}'
)
RIGHT = [
    '{"round": 1, "arm": 1, "query": true, "reward": 1.0, "epsilon": 1.0}',
    '{"round": 2, "arm": 2, "query": true, "reward": 0.0, "epsilon": 1.0}',
    '{"round": 3, "arm": 1, "query": true, "reward": 0.0, "epsilon": 1.0}',
]
WRONG = [*RIGHT[:2], RIGHT[2].replace('"arm": 1', '"arm": 2')]


def _record(required: str, *, closed: bool = True, **properties: object) -> dict[str, object]:
    """The schema of an object with these members, some of them required; of a closed one there are no others."""
    more = {"additionalProperties": False} if closed else {}
    return {"type": "object", "required": required.split(), "properties": properties, **more}


def _list(items: object, **more: object) -> dict[str, object]:
    return {"type": "array", "items": items, **more}


_STRING = {"type": "string"}
_TEXT = _record("text", closed=False, text={"type": "string", "minLength": 1})
_PHYSICAL = _record(
    "artifactLocation region",
    closed=False,
    artifactLocation=_record("uri", closed=False, uri={"type": "string", "format": "uri-reference", "minLength": 1}),
    region=_record("", closed=False, startLine={"type": "integer", "minimum": 1}),
)
_LOCATION = _record("physicalLocation", closed=False, physicalLocation=_PHYSICAL)
_DRIVER = _record(
    "name",
    name=_STRING,
    semanticVersion=_STRING,
    rules=_list(_record("id", id=_STRING, shortDescription=_TEXT), uniqueItems=True),
)
_RESULT = _record(
    "message ruleId locations",
    ruleId=_STRING,
    ruleIndex={"type": "integer", "minimum": -1},
    level={"enum": ["none", "note", "warning", "error"]},
    message=_TEXT,
    locations=_list(_LOCATION, minItems=1),
    relatedLocations=_list(_LOCATION, uniqueItems=True),
)
_RUN = _record(
    "tool results",
    tool=_record("driver", driver=_DRIVER),
    invocations=_list(_record("executionSuccessful", closed=False, executionSuccessful={"type": "boolean"})),
    results=_list(_RESULT),
)
SARIF_ESSENTIALS = _record(
    "version runs", **{"$schema": {"type": "string", "format": "uri"}}, version={"const": "2.1.0"}, runs=_list(_RUN)
)
"""What the schema of SARIF 2.1.0 says of the objects that we use, and what GitHub asks besides (a place for each)."""


def conform(cwd: Path, *program: str, options: tuple[str, ...] = QUICK) -> tuple[int, str, str]:
    return bufalu("conform", *FILES, *options, "--", *misbehaving(*program), cwd=cwd)


def trace(folder: Path, rounds: list[str], policy: str = "cbm-ucb") -> str:
    (folder / "trace.jsonl").write_text("\n".join([HEADER % policy, *rounds]) + "\n")
    return "trace.jsonl"


def suite_of(text: str) -> ElementTree.Element:
    """The one suite of a JUnit file, after the counts and elements that its readers rely on were checked."""
    root = ElementTree.fromstring(text)
    assert root.tag == "testsuites"
    (suite,) = root
    assert suite.tag == "testsuite"
    cases = list(suite)
    kinds = [[child.tag for child in case] for case in cases]
    assert all(case.tag == "testcase" and case.attrib.keys() == {"classname", "name"} for case in cases)
    assert all(len(kind) <= 1 for kind in kinds)
    for tag, count in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        assert suite.attrib[count] == str(kinds.count([tag]))
    assert suite.attrib["tests"] == str(len(cases))
    for case in cases:
        assert all(child.attrib["message"] for child in case)
    return suite


def results_of(text: str) -> list[dict]:
    """The results of a SARIF log that keeps its schema."""
    log = json.loads(text)
    jsonschema.validate(log, SARIF_ESSENTIALS)
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    return run["results"]


def read(folder: Path) -> tuple[ElementTree.Element, list[dict], str, str]:
    """Suite, results, summary and badge of a command that ran with `FILES`."""
    texts = [(folder / f"verdict.{ending}").read_text() for ending in ("xml", "sarif", "md", "svg")]
    ElementTree.fromstring(texts[3])
    return suite_of(texts[0]), results_of(texts[1]), texts[2], texts[3]


def test_a_conforming_program_is_green_everywhere(tmp_path: Path) -> None:
    code, out, _ = conform(tmp_path, "correct", options=("--replay", trace(tmp_path, RIGHT, "bufalu")))
    suite, results, page, badge = read(tmp_path)
    assert (code, suite.attrib["failures"], suite.attrib["tests"], results) == (0, "0", "1", [])
    assert out.splitlines()[-1] in page
    assert "✅" in page
    assert "❌" not in page
    assert ">conforms<" in badge


def test_a_wrong_program_is_red_everywhere_and_the_argument_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # addresses are relative to the folder where the command runs
    code, out, _ = conform(tmp_path, "mutant", "narrower-queried")
    suite, (result,), page, badge = read(tmp_path)
    failure = suite.find("testcase/failure")
    assert code == 1
    assert failure is not None
    for line in out.splitlines()[1:]:
        if not line.startswith("The counterexample is in"):
            assert line in failure.text
            assert line in result["message"]["text"]
            assert line.strip() in page
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == address(sys.executable)
    witness = result["relatedLocations"][0]["physicalLocation"]
    assert witness["artifactLocation"]["uri"] == "counterexample.jsonl"
    lines = (tmp_path / "counterexample.jsonl").read_text().splitlines()
    assert json.loads(lines[witness["region"]["startLine"] - 1])["round"] == int(out.split("round ")[1].split()[0])
    assert ">nonconforming<" in badge


def test_a_broken_program_is_an_error_not_a_failure(tmp_path: Path) -> None:
    code, out, _ = conform(tmp_path, "garbage")
    suite, (result,), page, badge = read(tmp_path)
    assert (code, suite.attrib["errors"], suite.attrib["failures"]) == (3, "1", "0")
    assert out.splitlines()[0] in suite.find("testcase/error").attrib["message"]
    assert result["ruleId"] == "broken"
    assert "Whose fault" in page
    assert ">broken<" in badge


def test_a_command_that_cannot_be_run_leaves_no_old_verdict_behind(tmp_path: Path) -> None:
    for name in FILES[1::2]:
        (tmp_path / name).write_text("an old verdict")
    code, _, err = bufalu("conform", *FILES, "--", "./nowhere", cwd=tmp_path)
    suite, (result,), page, badge = read(tmp_path)
    assert (code, suite.attrib["errors"], result["ruleId"]) == (2, "1", "refused")
    assert "cannot run './nowhere'" in err
    assert "cannot run './nowhere'" in page
    assert ">refused<" in badge


def test_a_trace_is_told_with_its_line(tmp_path: Path) -> None:
    right, _, _ = bufalu("check", *FILES, trace(tmp_path, RIGHT), cwd=tmp_path)
    assert (right, read(tmp_path)[1]) == (0, [])
    wrong, out, _ = bufalu("check", *FILES, trace(tmp_path, WRONG), cwd=tmp_path)
    suite, (result,), page, _ = read(tmp_path)
    place = result["locations"][0]["physicalLocation"]
    assert (wrong, suite.attrib["failures"], result["ruleId"]) == (1, "1", "nonconforming")
    assert place == {"artifactLocation": {"uri": "trace.jsonl"}, "region": {"startLine": 4}}
    assert all(line.strip() in page for line in out.splitlines()[1:])
    assert "bufalu check trace.jsonl" in page


def test_a_file_that_is_no_trace_is_refused_in_the_files_too(tmp_path: Path) -> None:
    code, _, err = bufalu("check", *FILES, trace(tmp_path, ["nonsense"]), cwd=tmp_path)
    suite, (result,), _, _ = read(tmp_path)
    assert (code, suite.attrib["errors"], result["ruleId"]) == (2, "1", "refused")
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 2
    assert result["message"]["text"] in err


def test_violated_claims_fail_a_case_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = trace(tmp_path, RIGHT)
    assert bufalu("check", *FILES, "--means", "1/2,1/2", path, cwd=tmp_path)[0] == 0
    suite, results, _, _ = read(tmp_path)
    assert [case.attrib["name"] for case in suite] == ["cbm-ucb with hoeffding", "claims about single runs"]
    assert results == []
    # no trace of a policy violates what is proved of it, so the violation is made up
    made_up = [Violation("cap.almost_sure", 3, None, "two is more than one")]
    monkeypatch.setattr("bufalu.commands.check.violated_claims", lambda *_: made_up)
    assert bufalu("check", *FILES, "--means", "1/2,1/2", path, cwd=tmp_path)[0] == 1
    suite, (result,), page, badge = read(tmp_path)
    assert [len(case) for case in suite] == [0, 1]
    assert (result["ruleId"], suite.attrib["failures"]) == ("violates-claims", "1")
    assert "two is more than one" in page
    assert ">violates claims<" in badge


def test_the_targets_are_tried_before_the_work(tmp_path: Path) -> None:
    path = trace(tmp_path, WRONG)
    for option in ("--junit", "--sarif", "--summary", "--badge"):
        code, out, err = bufalu("check", option, "nowhere/verdict.svg", path, cwd=tmp_path)
        assert (code, out) == (2, "")
        assert "cannot write nowhere/verdict.svg" in err
    code, out, err = bufalu("check", "--badge", "badge.png", path, cwd=tmp_path)
    assert (code, out) == (2, "")
    assert "a badge is a .svg, or a .json" in err
    code, out, err = bufalu("check", "--junit", "a", "--sarif", "./a", path, cwd=tmp_path)
    assert (code, out) == (2, "")
    assert "two files of this command would have the same name" in err
    assert os.listdir(tmp_path) == ["trace.jsonl"]


def test_a_file_that_fails_after_the_work_costs_neither_verdict_nor_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str, text: str) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("bufalu.commands.verdict_files.write_whole", refuse)
    code, out, err = bufalu("check", "--junit", "verdict.xml", trace(tmp_path, WRONG), cwd=tmp_path)
    assert code == 1
    assert out.startswith("nonconforming")
    assert err == "bufalu check: the verdict stands, but the disk is full\n"


def outcome(*cases: Case, verdict: Ending = Ending.NONCONFORMING) -> Outcome:
    return Outcome(
        "bufalu conform", "./a", verdict, "headline", cases, FilePlace("a b/ü.py"), None, (shlex.join(["a"]),)
    )


HOSTILE = "`````\n# <script>alert(1)</script> \x00\x1b[2J \ud800 ]]> | [x](y)"


def test_nothing_that_a_program_says_breaks_a_file() -> None:
    told = outcome(Case(HOSTILE, Ending.NONCONFORMING, HOSTILE, (HOSTILE,)), verdict=Ending.BROKEN)
    suite_of(junit(told))
    (result,) = results_of(sarif(told))
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b/%C3%BC.py"
    page = summary(told)
    page.encode()
    row = next(line for line in page.splitlines() if line.startswith("| ") and "script" in line)
    assert row.replace("\\|", "").count("|") == 4
    assert "\\<script\\>" in row
    fence = "`" * 6
    assert page.count(f"\n{fence}text\n") == page.count(f"\n{fence}\n") == 1


def test_a_badge_says_of_how_many_settings_it_speaks() -> None:
    both = (Case("a", Ending.CONFORMS, ""), Case("b", Ending.SKIPPED, "no"))
    told = json.loads(badge_json(outcome(*both, verdict=Ending.CONFORMS)))
    assert told["schemaVersion"] == 1
    assert (told["message"], told["isError"]) == ("conforms (1 of 2 settings)", False)
    assert "conforms (1 of 2 settings)" in badge_svg(outcome(*both, verdict=Ending.CONFORMS))
    assert json.loads(badge_json(outcome()))["message"] == "nonconforming"
    assert json.loads(badge_json(outcome()))["isError"] is True


def test_inline_text_keeps_its_words() -> None:
    assert inline("a  b\nc") == "a b c"
    assert inline("x_y | z") == "x\\_y \\| z"

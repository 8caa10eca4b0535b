"""What changed between two audits."""

import json

import pytest

from bufalu.properties.audit.baseline import ChangeKind, InvalidBaseline, changes, read_baseline
from bufalu.reference.errors import UnusableFile
from tests.bufalu.runner import assert_one_clear_line, bufalu


def claim(name, verdict="PROVED", statement="s", kind="solver"):
    return {"id": name, "verdict": verdict, "statement": statement, "evidence": [{"kind": kind, "verdict": verdict}]}


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (claim("a", "TESTED"), claim("a", "PROVED"), ChangeKind.STRONGER),
        (claim("a", "PROVED"), claim("a", "TESTED"), ChangeKind.WEAKER),
        (claim("a", "PROVED"), claim("a", "REFUTED"), ChangeKind.WEAKER),
        (claim("a", "GAP"), claim("a", "ERRATUM"), ChangeKind.OTHER),
        (claim("a"), claim("a", statement="t"), ChangeKind.RESTATED),
        (claim("a"), claim("a", kind="algebra"), ChangeKind.EVIDENCE),
    ],
)
def test_each_change_has_its_word(before, after, kind):
    (found,) = changes([before], [after])
    assert found.kind is kind
    assert "->" in found.text


def test_new_and_gone_claims():
    found = changes([claim("a"), claim("b")], [claim("b"), claim("c")])
    assert [(each.claim, each.kind) for each in found] == [("a", ChangeKind.GONE), ("c", ChangeKind.NEW)]
    assert [each.claim for each in changes([claim("a"), claim("b")], [claim("b")], partial=True)] == []
    assert changes([claim("a")], [claim("a")]) == []


def test_evidence_that_was_not_run_is_no_evidence():
    quiet = claim("a")
    quiet["evidence"].append({"kind": "Coq kernel", "verdict": "NOT RUN"})
    assert changes([claim("a")], [quiet]) == []


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", '[{"id": "a"}]', '[{"id": "a", "evidence": [], "verdict": "FINE"}]']
)
def test_what_is_not_an_audit_is_refused(tmp_path, text):
    path = tmp_path / "old.json"
    path.write_text(text)
    with pytest.raises(InvalidBaseline):
        read_baseline(path)
    with pytest.raises(UnusableFile):
        read_baseline(tmp_path / "missing.json")


def test_the_command_says_what_changed(tmp_path):
    arguments = ["audit", "--only", "interval.hoeffding_width,gap.width_of_largest_ucb", "--workers", "1"]
    old = tmp_path / "old.json"
    assert bufalu(*arguments, "--out", old).returncode == 0
    same = bufalu(*arguments, "--baseline", old)
    assert f"nothing changed since {old}" in same.stdout
    claims = json.loads(old.read_text())
    claims[0]["verdict"] = "TESTED"
    old.write_text(json.dumps(claims))
    page = tmp_path / "page.html"
    found = bufalu(*arguments, "--baseline", old, "--json", "--html", page)
    assert found.returncode == 0, found.stderr
    told = json.loads(found.stdout)
    assert [(each["claim"], each["change"]) for each in told["changes"]] == [(claims[0]["id"], "stronger verdict")]
    assert len(told["claims"]) == 2
    assert "1 changes since the earlier audit" in page.read_text()
    assert_one_clear_line(bufalu(*arguments, "--baseline", tmp_path / "none.json"))

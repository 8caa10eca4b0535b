"""The table of speed is written by the benchmark: it has the marks, and a row says what its figure says."""

import pytest

from benchmarks.figures import BEGIN, END, Measurement, with_table
from tests.docs.snippets import ROOT

PAGE = f"before\n{BEGIN}\nold\n{END}\nafter\n"
MET = Measurement("a ratio", 2.5, "x", 3.0, note="5 against 2 us")
UNKNOWN = Measurement("a time", None, "s", 45.0, note="no coqc")
DETAIL = Measurement("  a cell", 3.0, "ns/round", detail=True)


def test_the_page_has_the_marks():
    page = with_table((ROOT / "docs" / "speed.md").read_text(), "some machine", [MET])
    assert "| a ratio | <= 3 | 2.5 x | met | 5 against 2 us |" in page


def test_the_table_replaces_what_was_there_and_says_what_was_not_measured():
    page = with_table(PAGE, "some machine", [MET, UNKNOWN, DETAIL])
    assert page.startswith("before\n")
    assert page.endswith(f"{END}\nafter\n")
    assert "old" not in page
    assert "| a time | <= 45 | - s | NOT MEASURED | no coqc |" in page
    assert "a cell" not in page
    assert with_table(page, "some machine", [MET, UNKNOWN, DETAIL]) == page


@pytest.mark.parametrize(
    ("value", "at_least", "verdict"),
    [(3.0, False, "met"), (3.1, False, "MISSED"), (2.9, True, "MISSED"), (3.0, True, "met")],
)
def test_a_verdict_compares_with_the_goal(value, at_least, verdict):
    assert Measurement("a ratio", value, "x", 3.0, at_least=at_least).verdict == verdict


def test_a_page_without_marks_is_refused():
    with pytest.raises(ValueError, match="unpack"):
        with_table("no marks", "some machine", [MET])


@pytest.mark.parametrize(("value", "remark"), [(2.0, "a note"), (4.0, "a note; it is slow"), (None, "a note")])
def test_the_reason_is_given_where_a_goal_is_missed(value, remark):
    figure = Measurement("a time", value, "s", 3.0, note="a note", reason="it is slow")
    assert figure.row().endswith(f"| {remark} |")
    assert figure.line().endswith(remark)

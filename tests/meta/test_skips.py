"""The closing line about skipped tests: everything that may be lacking has its command."""

import re
from types import SimpleNamespace

from tests.conftest import pytest_terminal_summary
from tests.meta.test_imports import ROOT
from tests.oracle.test_skeletons import TOOLS
from tests.skips import ENABLED_BY, LEFT_TO_LONG, closing_line


def test_skips_are_counted_by_the_command_that_enables_them():
    reasons = [
        *["Skipped: chromium is not installed: the pages were not tried"] * 3,
        "Skipped: gcc is not installed",
        "cc is missing",
        "Skipped: a device that is always full is a Linux thing",
        "Skipped: a toy is not installed",
    ]
    assert closing_line(reasons) == (
        "skipped: 3 without chromium (apt-get install chromium), 2 without cc or gcc (apt-get install gcc libc6-dev), "
        "1: a device that is always full is a Linux thing, 1: a toy is not installed"
    )


def test_what_a_reason_calls_missing_has_a_command():
    """In the sources, as they are written; what stands for a name there is one of the languages' tools."""
    packages = {"z3", "cvc5", "numba"}
    named = set()
    for path in (ROOT / "tests").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        named |= set(re.findall(r"""(?:skip\(|reason=)f?"([^"]+?) is (?:missing|not installed)""", text))
    assert len(named) >= 8
    assert {name for name in named if "{" not in name} - packages <= ENABLED_BY.keys()
    assert {*TOOLS.values(), "cc"} <= ENABLED_BY.keys()


def test_what_is_left_to_another_command_is_told_with_it():
    assert closing_line([f"Skipped: {LEFT_TO_LONG}"] * 2) == f"skipped: 2: {LEFT_TO_LONG}"
    assert "`make long`" in LEFT_TO_LONG


def test_pytest_ends_with_the_line():
    said: list[str] = []
    skipped = SimpleNamespace(longrepr=("test_x.py", 3, "Skipped: node is not installed"))
    pytest_terminal_summary(SimpleNamespace(stats={"skipped": [skipped]}, write_line=said.append))
    assert said == ["skipped: 1 without node (apt-get install nodejs)"]
    pytest_terminal_summary(SimpleNamespace(stats={}, write_line=said.append))
    assert len(said) == 1

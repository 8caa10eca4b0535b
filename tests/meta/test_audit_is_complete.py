"""No claim without a check, no check without a claim, nothing that speaks for claims left uncollected."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from bufalu.properties.audit.collecting import ROOMS, collect
from bufalu.properties.claims import BY_ID, CLAIMS

ROOT = Path(__file__).resolve().parents[2]
COLLECTION = collect()


def test_everything_was_collected() -> None:
    assert COLLECTION.missing == {}


def test_no_claim_without_a_check() -> None:
    assert [claim.id for claim in CLAIMS if not COLLECTION.speaking_for(claim.id)] == []


def test_no_check_without_a_claim() -> None:
    for check in COLLECTION.checks:
        assert check.claims, check.name
        assert [claim for claim in check.claims if claim not in BY_ID] == [], check.name


def test_check_names_are_unique() -> None:
    assert [name for name, count in Counter(check.name for check in COLLECTION.checks).items() if count > 1] == []


@pytest.mark.parametrize("room", ROOMS)
def test_check_names_say_where_the_check_lives(room: str) -> None:
    found = collect((room,)).checks
    assert found
    for check in found:
        assert re.fullmatch(room + r"\.[a-z][A-Za-z0-9_.-]*", check.name), check.name


def test_only_modules_of_the_rooms_register_checks() -> None:
    """All of these are loaded by the audit; what registers elsewhere would be missed."""
    registering = re.compile(r"^from bufalu\.properties\.claims\.check import .*\b(?:check|register)\b", re.MULTILINE)
    for path in sorted((ROOT / "properties").rglob("*.py")):
        if registering.search(path.read_text(encoding="utf-8")):
            assert path.parent.name in ROOMS, path


def test_every_file_with_tests_is_collected_by_pytest() -> None:
    for path in (ROOT / "tests").rglob("*.py"):
        if "def test_" in path.read_text(encoding="utf-8"):
            assert path.name.startswith("test_"), path


def test_every_check_has_a_mutant() -> None:
    """That each of them is refuted is asked in tests/properties: of the kernel's by files, of all others in mutants."""
    assert [check.name for check in COLLECTION.checks if not check.mutants] == []

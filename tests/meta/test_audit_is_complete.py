"""No claim without a check, no check without a claim, nothing that speaks for claims left uncollected."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from bufalu.properties.algebra import checks as algebra
from bufalu.properties.audit.collecting import SOURCES, collect
from bufalu.properties.claims import BY_ID, CLAIMS
from bufalu.properties.claims.evidence import Check
from bufalu.properties.mutants.wrong_statements import CLAIM_MUTANTS

ROOT = Path(__file__).resolve().parents[2]
COLLECTION = collect()

MUTANT_TESTS = {
    "bufalu.properties.smt.evidence": (
        "tests/properties/smt/test_necessity.py",
        "tests/properties/smt/wrong_rules.py",
    ),
    "bufalu.properties.coq.checks": (
        "tests/properties/coq/test_checks.py",
        "tests/properties/coq/test_broken_theorems.py",
    ),
    "bufalu.properties.expectations.checks": ("tests/properties/expectations/test_checks.py",),
    "bufalu.properties.numerics.checks": ("tests/experiments", "tests/properties/numerics/test_checks.py"),
}
"""Where the wrong versions of the other sources are tried."""


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


@pytest.mark.parametrize("source", SOURCES)
def test_check_names_say_where_the_check_lives(source: str) -> None:
    room = source.split(".")[2]
    for check in collect((source,)).checks:
        assert re.fullmatch(room + r"\.[a-z][A-Za-z0-9_.-]*", check.name), check.name


def property_modules_with_checks() -> list[str]:
    """Modules of the properties room with a top-level `CHECKS` or `checks`."""
    found = []
    for path in sorted((ROOT / "properties").rglob("*.py")):
        names: set[str] = set()
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                names.add(node.name)
            elif isinstance(node, ast.Assign):
                names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                names.add(node.target.id)
        if names & {"CHECKS", "checks"}:
            relative = path.relative_to(ROOT).with_suffix("")
            found.append("bufalu." + ".".join(relative.parts))
    return found


@pytest.mark.parametrize("module", property_modules_with_checks())
def test_every_module_with_checks_is_collected(module: str) -> None:
    names = {check.name for check in COLLECTION.checks}
    exported: tuple[Check, ...] = collect((module,)).checks
    assert exported, module
    assert {check.name for check in exported} <= names, f"{module} is not reached from {SOURCES}"


def test_every_list_of_statements_is_collected() -> None:
    lists = [
        path.stem
        for path in sorted((ROOT / "properties" / "algebra").glob("*.py"))
        if "\nSTATEMENTS = StatementList()" in path.read_text(encoding="utf-8")
    ]
    assert sorted(module.__name__.rpartition(".")[2] for module in algebra.MODULES) == lists


def test_every_file_with_tests_is_collected_by_pytest() -> None:
    for path in (ROOT / "tests").rglob("*.py"):
        if "def test_" in path.read_text(encoding="utf-8"):
            assert path.name.startswith("test_"), path


def test_every_algebraic_and_pathwise_check_has_a_wrong_version() -> None:
    refuted = {mutant.check for mutant in CLAIM_MUTANTS}
    with_mutants = {statement.name for statement in algebra.STATEMENTS if statement.mutants}
    for check in collect(("bufalu.properties.algebra.checks", "bufalu.properties.runs.checks")).checks:
        assert check.name in with_mutants or check.name in refuted, f"{check.name} kills no mutant"


@pytest.mark.parametrize("source", [source for source in SOURCES if source in MUTANT_TESTS])
def test_wrong_versions_of_the_other_sources_are_tried(source: str) -> None:
    for place in MUTANT_TESTS[source]:
        assert (ROOT / place).exists(), place


def test_no_source_is_without_a_place_for_its_wrong_versions() -> None:
    covered = {*MUTANT_TESTS, "bufalu.properties.algebra.checks", "bufalu.properties.runs.checks"}
    assert set(SOURCES) == covered

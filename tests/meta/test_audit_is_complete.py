"""No claim without a check, no check without a claim, nothing that speaks for claims left uncollected."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections import Counter
from pathlib import Path

import pytest

from bufalu.experiments.paper.verdicts import STATEMENT_CLAIMS
from bufalu.properties.algebra import checks as algebra
from bufalu.properties.audit.collecting import SOURCES, collect
from bufalu.properties.claims import BY_ID, CLAIMS
from bufalu.properties.claims.evidence import Check

ROOT = Path(__file__).resolve().parents[2]
COLLECTION = collect()

STATEMENTS_IN_THE_TEXT = set(STATEMENT_CLAIMS)
"""Numbers in the text: their comparisons are tested together, on results that are wrong in several places."""


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


def killed_checks() -> set[str]:
    """The checks of which some test kills a mutant, by the marks on the tests."""
    killed: set[str] = set()
    for path in sorted((ROOT / "tests" / "properties").rglob("test_*.py")):
        module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        for function in vars(module).values():
            if inspect.isfunction(function):
                marks = getattr(function, "pytestmark", [])
                killed.update(name for mark in marks if mark.name == "kills" for name in mark.args)
    return killed


def test_every_check_has_a_mutant_that_it_kills() -> None:
    killed = killed_checks()
    names = {check.name for check in COLLECTION.checks}
    assert sorted(name for name in killed - names if not name.startswith("coq.")) == [], "no such checks"
    left = names - killed
    numbers = {name for name in left if name.removeprefix("numerics.") in STATEMENTS_IN_THE_TEXT}
    assert sorted(left - numbers) == [], "a theorem's mutant is the broken version in the comment above it"

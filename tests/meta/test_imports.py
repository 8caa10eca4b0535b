"""Imports: the reference stands on the standard library alone, and rooms are reached only as `bufalu.<room>`."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("reference", "bounds", "doubles", "law", "live", "oracle", "experiments", "properties", "pages")


def imported_names(source: str) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add("." * node.level + (node.module or ""))
    return names


def foreign_to_reference(source: str) -> set[str]:
    return {
        name
        for name in imported_names(source)
        if name.split(".")[0] not in sys.stdlib_module_names and not name.startswith("bufalu.reference")
    }


def bare_rooms(source: str) -> set[str]:
    return {name for name in imported_names(source) if name.split(".")[0] in ROOMS or name.startswith(".")}


def python_files(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


@pytest.mark.parametrize("path", python_files("reference"), ids=lambda path: path.name)
def test_the_reference_imports_the_standard_library_alone(path):
    assert foreign_to_reference(path.read_text()) == set()


def test_rooms_are_imported_by_their_full_names():
    offenders = {
        str(path.relative_to(ROOT)): bare
        for path in python_files(*ROOMS, "bufalu", "tests", "benchmarks")
        if (bare := bare_rooms(path.read_text()))
    }
    assert offenders == {}


ABOVE = {"engine": ("studies", "paper"), "studies": ("paper",)}
"""Which parts of the experiments a part must not name, not even in a text from which a module is imported."""


def named_above(folder: str, source: str) -> set[str]:
    texts = {node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)}
    return {
        text
        for text in texts
        for part in ABOVE[folder]
        if isinstance(text, str) and text.startswith(f"bufalu.experiments.{part}")
    }


@pytest.mark.parametrize("folder", ABOVE)
def test_the_experiments_name_nothing_above_them(folder):
    for path in python_files(f"experiments/{folder}"):
        assert named_above(folder, path.read_text()) == set(), path


def test_the_checks_bite():
    assert named_above("studies", 'PATH = "bufalu.experiments.paper.variants"') == {
        "bufalu.experiments.paper.variants"
    }
    assert foreign_to_reference("import numpy") == {"numpy"}
    assert foreign_to_reference("from bufalu.bounds import x") == {"bufalu.bounds"}
    assert bare_rooms("import reference.exact") == {"reference.exact"}
    assert bare_rooms("from . import exact") == {"."}


def test_importing_the_reference_loads_no_other_package():
    program = (
        "import sys; before = set(sys.modules); import bufalu.reference.simulation; "
        "new = {name.split('.')[0] for name in set(sys.modules) - before}; "
        "print(sorted(new - set(sys.stdlib_module_names) - {'bufalu'}))"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_symlinks_point_to_the_rooms():
    for room in ROOMS:
        link = ROOT / "bufalu" / room
        assert link.is_symlink()
        assert link.resolve() == ROOT / room

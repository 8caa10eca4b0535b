"""The wheel built from the sdist: one top-level name, every room, installed into a clean environment."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("reference", "bounds", "doubles", "law", "live", "oracle", "experiments", "properties", "pages", "commands")
OUTSIDE = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE")}


class Distributions(NamedTuple):
    wheel: Path
    said: str


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    tree = tmp_path_factory.mktemp("tree") / "bufalu"
    skipped = shutil.ignore_patterns(
        ".git", ".venv*", "*.egg-info", "build", "dist", "__pycache__", ".*_cache", ".hypothesis"
    )
    shutil.copytree(ROOT, tree, symlinks=True, ignore=skipped)
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(tree)]
    run = subprocess.run(command, env=OUTSIDE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert run.returncode == 0, run.stdout[-2000:]
    (built,) = out.glob("*.whl")
    return Distributions(built, run.stdout)


@pytest.fixture(scope="module")
def wheel(built):
    return built.wheel


def warnings_in(said: str) -> list[str]:
    """Lines of warning, and those that setuptools frames with stars or exclamation marks."""
    return [
        line for line in said.splitlines() if re.search(r"warning|deprecat|ignored|\*\*\*\*|!!", line, re.IGNORECASE)
    ]


def test_the_build_gives_no_warning(built):
    assert "Successfully built" in built.said
    assert warnings_in(built.said) == []


def test_a_warning_of_setuptools_is_noticed():
    said = "running build_py\n_Warning: Package 'bufalu.proofs' is absent from the `packages` configuration.\n!!\ncopying"
    assert len(warnings_in(said)) == 2


def modules_on_disk() -> set[str]:
    found = set()
    for room in (*ROOMS[:-1], "bufalu"):
        for path in (ROOT / room).rglob("*.py"):
            if path.is_relative_to(ROOT / "bufalu") and any(
                part in ROOMS[:-1] for part in path.parts[len(ROOT.parts) + 1 :]
            ):
                continue
            relative = path.relative_to(ROOT)
            found.add(str(relative if room == "bufalu" else Path("bufalu") / relative))
    return found


def test_no_top_level_name_but_ours(wheel):
    names = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {name for name in names if not name.endswith(".dist-info")} == {"bufalu"}


def test_no_module_is_missing(wheel):
    shipped = {name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".py")}
    assert modules_on_disk() - shipped == set()
    assert "bufalu/py.typed" in zipfile.ZipFile(wheel).namelist()


def test_package_data_is_shipped(wheel):
    shipped = set(zipfile.ZipFile(wheel).namelist())
    for room in ROOMS[:-1]:
        for path in (ROOT / room).rglob("*"):
            data = path.suffix in (".json", ".css", ".js", ".html", ".svg", ".woff2", ".txt")
            if path.is_file() and (data or path.parent.name == "skeletons"):
                assert str(Path("bufalu") / path.relative_to(ROOT)) in shipped


def test_proofs_vectors_and_schemas_are_shipped(wheel):
    shipped = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("proofs", "vectors"):
        tracked = [path.name for path in (ROOT / folder).iterdir() if path.suffix in (".v", ".txt", ".json")]
        assert tracked
        assert {f"bufalu/{folder}/{name}" for name in tracked} <= shipped
    assert "bufalu/proofs/_CoqProject" in shipped
    for schema in (ROOT / "docs" / "schemas").iterdir():
        assert f"bufalu/schemas/{schema.name}" in shipped


def test_the_wheel_works_in_a_clean_environment(wheel, tmp_path):
    environment = tmp_path / "clean"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    python = environment / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "--quiet", str(wheel)]
    subprocess.run(install, check=True, capture_output=True, env=OUTSIDE)
    top_level = {
        path.name
        for path in next((environment / "lib").glob("python*/site-packages")).iterdir()
        if "-info" not in path.name
    }
    assert top_level == {"bufalu"}
    # The reference needs no other package, so a clean environment runs it.
    program = "from bufalu import BuFALU; print(BuFALU(2).decide(1, 0))"
    run = subprocess.run([str(python), "-c", program], cwd=tmp_path, capture_output=True, text=True, env=OUTSIDE)
    assert run.stdout.strip() == "Decision(arm=1, query=True)", run.stderr


def test_every_dependency_has_a_lower_bound():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = [*project["dependencies"], *(d for extra in project["optional-dependencies"].values() for d in extra)]
    assert all(">=" in dependency for dependency in declared)

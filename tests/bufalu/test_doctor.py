"""`bufalu doctor`: what is there is found by trying it, what is not is said with what it would add."""

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError

import pytest

from bufalu.commands import doctor
from bufalu.commands.doctor import PARTS, ExternalTool, OtherVersion, Package, differences, pinned
from tests.bufalu.runner import ROOT, assert_one_clear_line, bufalu

WITHOUT = """
import sys
for name in {names!r}:
    sys.modules[name] = None
from bufalu.cli import main
sys.exit(main(["doctor", "--json"]))
"""


def doctor_without(*names):
    program = WITHOUT.format(names=names)
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    return run.returncode, {part["name"]: part for part in json.loads(run.stdout)["parts"]}


def test_every_part_has_a_line():
    run = bufalu("doctor")
    assert run.returncode == 0, run.stdout
    for part in PARTS:
        assert part.name in run.stdout
        assert part.adds in run.stdout
    assert "\033" not in run.stdout


def test_a_missing_optional_package_is_said_and_is_no_failure():
    code, parts = doctor_without("z3", "numba")
    assert code == 0
    assert parts["z3-solver"]["version"] is None
    assert parts["numba"]["version"] is None
    assert parts["z3-solver"]["install"] == "pip install z3-solver"
    assert parts["numpy"]["version"]


def test_a_missing_required_package_is_a_failure():
    code, parts = doctor_without("flint", "hypothesis", "sympy")
    assert code == 1
    for name in ("python-flint", "hypothesis", "sympy"):
        assert parts[name]["version"] is None


def test_a_command_without_its_package_says_so_in_one_line():
    program = WITHOUT.format(names=("hypothesis",)).replace('["doctor", "--json"]', '["mutants", "--games", "1"]')
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert_one_clear_line(run)
    assert "hypothesis" in run.stderr
    assert "bufalu doctor" in run.stderr


def test_what_does_not_start_is_not_there(tmp_path, monkeypatch):
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    assert ExternalTool("x", (str(broken),), "", "").found() is None
    assert ExternalTool("x", ("no-such-program",), "", "").found() is None
    assert Package("x", "no_such_module", "", "").found() is None
    broken.write_text("#!/bin/sh\necho tool version 4.5.6, patched\n")
    assert ExternalTool("x", (str(broken),), "", "").found() == "4.5.6"
    monkeypatch.setenv("TOOL", str(broken))
    assert ExternalTool("x", ("no-such-program",), "", "", variable="TOOL").found() == "4.5.6"


def test_every_optional_dependency_is_among_the_parts():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = [*extras["dependencies"]]
    for extra in ("proofs", "experiments", "studies", "cluster"):
        declared += extras["optional-dependencies"][extra]
    names = {part.name for part in PARTS}
    assert {dependency.split(">=")[0] for dependency in declared} <= names


def same_name(name):
    """Names of packages are compared without case, and -, _ and . are one."""
    return re.sub(r"[-_.]+", "-", name).lower()


def test_everything_declared_is_pinned():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    declared = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    for name, extra in project["project"]["optional-dependencies"].items():
        declared += extra if name != "adapters" else []  # other people's libraries, in an environment of their own
    pins = {same_name(name) for name in pinned()}
    assert {same_name(dependency.split(">=")[0]) for dependency in declared} <= pins
    assert {part.name for part in PARTS} - pinned().keys() == {"chromium", "node"}  # no verdict depends on them


@pytest.mark.parametrize("line", ["", "coq==1", "# coq==1 or so", "#coq==1"])
def test_only_whole_lines_are_pins(line, tmp_path, monkeypatch):
    (tmp_path / "pins.txt").write_text(f"# words about pins\n# a==2.0\nb.c-d_e==3rc1\n{line}\n")
    monkeypatch.setattr(doctor, "PINS", tmp_path / "pins.txt")
    assert pinned() == {"a": "2.0", "b.c-d_e": "3rc1"} | ({"coq": "1"} if line == "coq==1" else {})


def test_another_version_than_the_pinned_one_is_said(monkeypatch):
    installed = {"numpy": "2.0", "z3-solver": None, "coq": "8.20.1"}
    found = [(part, installed[part.name]) for part in PARTS if part.name in installed]
    pins = {"numpy": "2.0", "z3-solver": "4.9", "coq": "8.16.1", "packaging": "1", "not-here": "3", "attrs": "2"}
    pins["setuptools"] = "84"

    def version(name):
        if name == "not-here":
            raise PackageNotFoundError
        return {"packaging": "1", "attrs": "2.1", "setuptools": "65.5.0"}[name]

    monkeypatch.setattr(doctor, "version", version)
    differing = [OtherVersion("coq", "8.20.1", "8.16.1"), OtherVersion("attrs", "2.1", "2")]
    assert differences(found, pins) == differing
    (said,) = list(doctor.as_lines(found, pins))[-1]
    assert said.text.endswith("seen to pass: coq 8.20.1 (pinned: 8.16.1), attrs 2.1 (pinned: 2)")
    told = doctor.as_json(found, pins)
    assert told["differences"][0] == {"name": "coq", "version": "8.20.1", "pinned": "8.16.1"}
    assert [part["pinned"] for part in told["parts"]] == ["2.0", "4.9", "8.16.1"]
    (said,) = list(doctor.as_lines(found[:1], {"numpy": "2.0", "coq": "8.16.1"}))[-1]
    assert said.text == "what is there has the versions with which everything was seen to pass (with Coq 8.16.1)"

"""`bufalu doctor`: what is there is found by trying it, what is not is said with what it would add."""

import json
import subprocess
import sys

from bufalu.commands.doctor import PARTS, ExternalTool, Package
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
    assert parts["z3-solver"]["install"] == "pip install 'bufalu[proofs]'"
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
    import tomllib

    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = [*extras["dependencies"]]
    for extra in ("proofs", "experiments", "studies", "cluster"):
        declared += extras["optional-dependencies"][extra]
    names = {part.name for part in PARTS}
    assert {dependency.split(">=")[0] for dependency in declared} <= names

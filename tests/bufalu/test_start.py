"""Start-up: what is not needed to show a help is not loaded. Modules are counted, not milliseconds."""

import json
import subprocess
import sys

import pytest

import bufalu
from bufalu.cli import COMMANDS

LARGE = ("numpy", "sympy", "hypothesis", "numba", "matplotlib", "flint", "z3", "pyarrow", "latex2mathml", "jinja2")
LOADED = """
import json, sys
before = set(sys.modules)
from bufalu.cli import main
try:
    ends = main(sys.argv[1:])
except SystemExit as end:
    ends = end.code
print(json.dumps([ends or 0, sorted(set(sys.modules) - before)]))
"""


def loaded(*arguments: str, ends: int = 0) -> list[str]:
    run = subprocess.run([sys.executable, "-c", LOADED, *arguments], capture_output=True, text=True, check=True)
    ended, found = json.loads(run.stdout.splitlines()[-1])
    assert ended == ends
    assert "argparse" in found
    return found


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_the_list_of_commands_loads_none_of_them(option):
    found = loaded(option)
    assert not [name for name in found if name.startswith("bufalu.commands.") and name != "bufalu.commands.terminal"]
    assert not [name for name in found if name in LARGE]
    assert len(found) < 110


@pytest.mark.parametrize("command", COMMANDS)
def test_a_help_loads_no_large_package(command):
    found = loaded(command, "--help")
    assert not [name for name in found if name in LARGE]
    assert f"bufalu.commands.{command}" in found
    assert len(found) < 220


def test_a_check_of_a_trace_that_conforms_loads_neither_known_bugs_nor_journals(tmp_path):
    trace, wrong = tmp_path / "trace.jsonl", tmp_path / "wrong.jsonl"
    run = ["simulate", "--means", "1/4,1/2", "--epsilon", "zero", "--horizon", "50", "--out", str(trace)]
    assert "bufalu.reference.simulation" in loaded(*run, "--reference")
    found = loaded("check", str(trace))
    assert "bufalu.oracle.report" in found
    assert not [name for name in found if "known_bugs" in name or "diagnosis" in name or "journal" in name]
    wrong.write_text(trace.read_text().replace('"arm": 1', '"arm": 2'))
    assert "bufalu.oracle.known_bugs" in loaded("check", str(wrong), ends=1)


def test_an_audit_of_one_claim_loads_no_other_evidence():
    found = loaded("audit", "--only", "mean.zero_before_queries")
    assert "bufalu.properties.algebra.caps" in found
    assert not [name for name in found if name in ("numba", "hypothesis", "z3") or "known_bugs" in name]


def test_every_public_name_is_where_it_is_said_to_be():
    assert set(bufalu.PLACES) == set(bufalu.__all__) - {"__version__"}
    for name in bufalu.__all__:
        assert getattr(bufalu, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nobody'"):
        _ = bufalu.nobody

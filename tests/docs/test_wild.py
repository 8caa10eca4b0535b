"""Two libraries from the wild, where they are installed: which convention they follow, and planted constants are caught.

The interpreter that has them is `.venv-bench/bin/python` (`make peers`), or what BUFALU_WILD_PYTHON names.
"""

import json
import os
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.bufalu.test_conform_command import bufalu
from tests.docs.snippets import ROOT

WILD = ROOT / "examples" / "wild"
PYTHON = os.environ.get("BUFALU_WILD_PYTHON") or str(ROOT / ".venv-bench" / "bin" / "python")
LIBRARIES = {"smpybandits_ucb.py": ("SMPyBandits", "0.9.7"), "mabwiser_ucb1.py": ("mabwiser", "2.7.4")}
PLANTED = {"smpybandits_ucb.py": ("--constant", "1"), "mabwiser_ucb1.py": ("--alpha", "0.7")}


@cache
def lacking(adapter: str) -> str | None:
    """Why an adapter cannot run here, None if it can."""
    package, version = LIBRARIES[adapter]
    ask = f"from importlib.metadata import version; print(version('{package}'))"
    try:
        run = subprocess.run([PYTHON, "-c", ask], capture_output=True, text=True)
    except OSError:
        return f"{package} is not installed: there is no {PYTHON}"
    return None if run.stdout.strip() == version else f"{package} is not installed in {PYTHON} as version {version}"


def replayed(folder: Path, convention: str, adapter: str, *options: str) -> tuple[int, dict]:
    """The verdict on a library that plays a run of the reference with this convention once more."""
    if reason := lacking(adapter):
        pytest.skip(reason)
    run = ("--means", "1/4,1/2,1/3", "--policy", "ucb", "--epsilon", "zero", "--horizon", "250", "--seed", "5")
    assert bufalu("simulate", *run, "--confidence", convention, "--out", "run.jsonl", cwd=folder)[0] == 0
    program = (PYTHON, str(WILD / adapter), *options)
    code, out, _ = bufalu("conform", "--json", "--timeout", "60", "--replay", "run.jsonl", "--", *program, cwd=folder)
    return code, json.loads(out)


@pytest.mark.parametrize("adapter", LIBRARIES)
def test_a_library_takes_the_logarithm_of_the_rounds_before(adapter: str, tmp_path: Path) -> None:
    code, told = replayed(tmp_path, "hoeffding:2:before", adapter)
    assert (code, told["verdict"]) == (0, "conforms"), told
    code, told = replayed(tmp_path, "hoeffding:2", adapter)
    assert (code, told["verdict"]) == (1, "nonconforming")
    assert "log-of-previous-round" in {bug["id"] for bug in told["likely_bugs"]}


@pytest.mark.parametrize("adapter", LIBRARIES)
def test_a_planted_constant_is_caught(adapter: str, tmp_path: Path) -> None:
    code, told = replayed(tmp_path, "hoeffding:2:before", adapter, *PLANTED[adapter])
    assert (code, told["verdict"]) == (1, "nonconforming")
    assert told["first_divergence"]["round"] > 3


@pytest.mark.parametrize("adapter", LIBRARIES)
def test_as_it_is_a_library_differs_in_the_initial_rounds_alone(adapter: str, tmp_path: Path) -> None:
    code, told = replayed(tmp_path, "hoeffding:2:before", adapter, "--as-is")
    assert code == 1
    assert told["first_divergence"]["round"] <= 3


def test_the_page_names_the_versions_and_options() -> None:
    page = (ROOT / "docs" / "wild.md").read_text()
    for adapter, (package, version) in LIBRARIES.items():
        assert f"examples/wild/{adapter}" in page
        assert version in page
        assert version in (ROOT / "Makefile").read_text()
        assert package.lower() in page.lower()
        assert " ".join(PLANTED[adapter]) in page

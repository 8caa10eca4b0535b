"""Libraries from the wild, where they are installed: each is what the page says, and planted defects are caught.

Their environments lie below `.venv-wild/` (`make wild`); a test whose library is not there is skipped.
"""

import importlib.util
import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.bufalu.runner import bufalu
from tests.docs.fences import Fence, fences
from tests.docs.snippets import ROOT, printed_after

SPECIFICATION = importlib.util.spec_from_file_location("judge", ROOT / "examples" / "wild" / "judge.py")
judge = importlib.util.module_from_spec(SPECIFICATION)
sys.modules["judge"] = judge
SPECIFICATION.loader.exec_module(judge)

PAGE = (ROOT / "docs" / "wild.md").read_text(encoding="utf-8")
ROWS = [line for line in PAGE.splitlines() if "../examples/wild/" in line]
CASES = {" ".join((case.adapter, *case.options)): case for case in judge.CASES}
PLANTED = {
    "smpybandits_ucb.py": ("--constant", "1"),
    "mabwiser_ucb1.py": ("--alpha", "0.7"),
    "river_ucb.py": ("--delta", "0.7"),
    "mabby_ucb1.py": ("--alpha", "0.7"),
    "pymab_ucb.py": ("--constant", "1"),
}
MENDED = ("coba_ucb.py", "striatum_ucb1.py")
NEW_ARMS_NEED_HELP = ("smpybandits_ucb.py", "mabwiser_ucb1.py", "river_ucb.py")


@cache
def installed(library) -> bool:
    return library.installed()


def need(*libraries) -> None:
    """Skips a test that needs a library which is not there."""
    if not all(installed(library) for library in libraries):
        pytest.skip("the wild is not installed")


def replayed(folder: Path, case, *options: str, convention: str | None = None) -> tuple[int, dict]:
    """The verdict on a library that plays a run of the reference once more: by its own convention, unless told."""
    need(case.library)
    run = ("--means", "1/4,1/2,1/3", "--policy", "ucb", "--epsilon", "zero", "--horizon", "150", "--seed", "5")
    run += ("--confidence", convention or case.convention, "--out", "run.jsonl")
    assert bufalu("simulate", *run, cwd=folder).returncode == 0
    told = bufalu("conform", "--json", "--replay", "run.jsonl", "--", *case.program, *options, cwd=folder)
    return told.returncode, json.loads(told.stdout)


@pytest.mark.parametrize("name", CASES)
def test_a_library_is_what_the_table_says(name: str, tmp_path: Path) -> None:
    code, told = replayed(tmp_path, CASES[name])
    assert f" | {told['verdict']}" in ROWS[list(CASES).index(name)]
    assert code == (0 if told["verdict"] == "conforms" else 1)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.convention == judge.BEFORE][:2])
def test_the_logarithm_of_the_rounds_before_is_told_from_that_of_the_round(name: str, tmp_path: Path) -> None:
    code, told = replayed(tmp_path, CASES[name], convention="hoeffding:2")
    assert (code, told["verdict"]) == (1, "nonconforming")
    assert "log-of-previous-round" in {bug["id"] for bug in told["likely_bugs"]}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_constant_is_caught(name: str, tmp_path: Path) -> None:
    code, told = replayed(tmp_path, CASES[name], *PLANTED[name])
    assert (code, told["verdict"]) == (1, "nonconforming")
    assert told["first_divergence"]["round"] > 3


@pytest.mark.parametrize("name", NEW_ARMS_NEED_HELP)
def test_as_it_is_a_library_differs_in_the_initial_rounds_alone(name: str, tmp_path: Path) -> None:
    code, told = replayed(tmp_path, CASES[name], "--as-is")
    assert code == 1
    assert told["first_divergence"]["round"] <= 3


@pytest.mark.parametrize("name", MENDED)
def test_with_its_finding_mended_a_library_conforms(name: str, tmp_path: Path) -> None:
    assert replayed(tmp_path, CASES[name], "--mended")[0] == 0


REPRODUCTIONS = {
    block.remark.removeprefix("not run: it needs "): block for block in fences(PAGE) if block.language == "python"
}


@pytest.mark.parametrize("needed", REPRODUCTIONS)
def test_a_reproduction_prints_what_the_page_shows(needed: str) -> None:
    package, version = needed.split()
    (library,) = {case.library for case in judge.CASES if case.library.package == package}
    assert library.version == version
    need(library)
    block: Fence = REPRODUCTIONS[needed]
    run = subprocess.run([str(library.folder / "bin" / "python"), "-c", block.text], capture_output=True, text=True)
    blocks = fences(PAGE)
    assert run.stdout == printed_after(PAGE, blocks, blocks.index(block)), run.stderr


def test_the_table_has_a_row_for_every_case_and_no_other() -> None:
    assert len(ROWS) == len(judge.CASES)
    for case, row in zip(judge.CASES, ROWS, strict=True):
        told = f"| {case.library.package} {case.library.version}, {case.what} | [{case.adapter}]"
        assert row.startswith(told)
        assert f"| `{case.convention}` |" in row
        assert row.endswith(f"| {case.remark} |")
    assert {case.library for case in judge.CASES if f"### {case.library.package}\n" in PAGE} == {
        case.library for case, row in zip(judge.CASES, ROWS, strict=True) if "| nonconforming" in row
    }


def test_the_page_names_what_is_planted() -> None:
    for name, options in PLANTED.items():
        assert f"`{' '.join((name, *options))}`" in PAGE


def test_the_script_replaces_the_table_and_nothing_else() -> None:
    page = f"before\n{judge.BEGIN}\nold\n{judge.END}\nafter\n"
    written = judge.with_rows(page, ["| new |"])
    assert written.startswith(f"before\n{judge.BEGIN}\n| library |")
    assert written.endswith(f"| new |\n{judge.END}\nafter\n")
    assert "old" not in written
    assert judge.with_rows(PAGE, ROWS) == PAGE
    with pytest.raises(SystemExit, match="lost the marks"):
        judge.with_rows("no marks", [])

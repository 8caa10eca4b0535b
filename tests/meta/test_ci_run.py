"""`.ci/run`: everything runs, pytest's summary comes last, and the exit code says whether anything failed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
STEPS = ["--keep-going test", "long", "audit", "coqchk", "adapters", "nightly"]
LONG = "skipped: 31 without chromium (apt-get install chromium)"
SUMMARY = ["skipped: 1 without julia (see julialang.org)", "1 failed, 5027 passed, 1 skipped in 300.12s (0:05:00)"]


def ran(
    tree: Path, fails: str = "nothing", pytest_says: str = "\n".join(SUMMARY), tests_leave: str = ":"
) -> tuple[int, list[str], list[str]]:
    """The exit code, what was said after the heading of the summary, and the calls of a `make` that fails at one target.

    `tests_leave` is what `make test` starts in the background and leaves behind.
    """
    programs = {
        ".ci/tools": "exit 0",
        "bin/coqchk": "exit 0",
        "bin/make": f"""echo "$*" >> {tree}/calls
case "$*" in *test) {tests_leave} & echo '{pytest_says}' ;; *nightly*) echo "3 passed in 2.00s" ;; esac
case "$*" in long) echo '{LONG}' ;; esac
words="$*"; [ "${{words%% NIGHTLY*}}" != "{fails}" ]""",
    }
    for name, text in programs.items():
        program = tree / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/bash\n{text}\n")
        program.chmod(0o755)
    shutil.copy(ROOT / ".ci" / "run", tree / ".ci" / "run")
    done = subprocess.run(
        [str(tree / ".ci" / "run")], env={"PATH": f"{tree}/bin:/usr/bin:/bin"}, capture_output=True, text=True
    )
    last = done.stdout.splitlines()
    calls = (tree / "calls").read_text().splitlines()
    return done.returncode, last[last.index("== summary") + 1 :], calls


def test_all_is_run_and_the_summary_of_pytest_is_last(tmp_path: Path) -> None:
    code, said, calls = ran(tmp_path)
    assert (code, said) == (0, [LONG, *SUMMARY])
    assert [call.split(" NIGHTLY")[0] for call in calls] == STEPS


@pytest.mark.parametrize("step", STEPS)
def test_whatever_fails_the_rest_runs_and_ci_fails(tmp_path: Path, step: str) -> None:
    code, said, calls = ran(tmp_path, fails=step)
    assert code == 1
    assert len(calls) == len(STEPS)
    assert len(said) == 4 and said[0].startswith("FAILED: ")
    assert said[1:] == [LONG, *SUMMARY]


def test_a_pytest_that_did_not_end_is_said(tmp_path: Path) -> None:
    assert ran(tmp_path, pytest_says="words")[:2] == (1, [LONG, "no summary: pytest did not end"])


def test_a_pytest_without_tests_is_a_failure_and_ended(tmp_path: Path) -> None:
    said = ["FAILED: make --keep-going test", LONG, "no tests ran in 0.52s"]
    assert ran(tmp_path, fails=STEPS[0], pytest_says=said[-1])[:2] == (1, said)


def test_the_limits_of_all_steps_together_are_below_that_of_a_job() -> None:
    """So that a step without end is told by the summary: what ends with its job says nothing."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    limits = [int(minutes) for minutes in re.findall(r"\b(?:step|limited) (\d+) ", script)]
    assert len(limits) == 1 + len(STEPS)
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8"))
    (seconds,) = map(int, re.findall(r"--kill-after=(\d+)s", script))
    # The five minutes are for the checkout and for Python.
    assert sum(limits) + len(limits) * seconds / 60 + 5 <= workflow["jobs"]["test"]["timeout-minutes"]


def test_what_ended_a_worker_of_pytest_is_in_the_summary(tmp_path: Path) -> None:
    raised = "INTERNALERROR> OSError: no room"
    said = "\n".join(["INTERNALERROR>   File x, line 1", raised, *SUMMARY])
    assert ran(tmp_path, fails=STEPS[0], pytest_says=said)[1][1:] == [LONG, raised, *SUMMARY]


def test_a_program_that_a_test_left_behind_keeps_nobody_waiting(tmp_path: Path) -> None:
    """Such a program holds the output of `make test` open for longer than CI runs, while the pipe has a writer."""
    os.mkfifo(tmp_path / "pipe")
    writer = os.open(tmp_path / "pipe", os.O_RDWR)
    assert ran(tmp_path, tests_leave=f"cat {tmp_path}/pipe")[:2] == (0, [LONG, *SUMMARY])
    os.close(writer)

"""docs/ci.md and action.yml: the ten lines turn red on a wrong program, and the summary shows the argument."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.docs.fences import fences
from tests.docs.snippets import ROOT
from tests.oracle.misbehaving_program import misbehaving

ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
WORKFLOWS = [block.text for block in fences((ROOT / "docs" / "ci.md").read_text()) if block.language == "yaml"]


def steps_that_use_the_action(workflow: str) -> list[dict]:
    jobs = yaml.safe_load(workflow)["jobs"].values()
    return [step for job in jobs for step in job["steps"] if step.get("uses", "").startswith("OWNER/bufalu@")]


def run_action(folder: Path, inputs: dict[str, str]) -> tuple[int, str, str, str]:
    """Exit code, log, step summary and outputs: the shell steps as a runner runs them, with `bufalu` installed already."""
    assert inputs.keys() <= ACTION["inputs"].keys()
    values = {name: inputs.get(name, described["default"]) for name, described in ACTION["inputs"].items()}
    programs = folder / "temp" / "bufalu" / "bin"
    programs.mkdir(parents=True, exist_ok=True)
    (programs / "bufalu").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bufalu "$@"\n')
    (programs / "bufalu").chmod(0o755)
    given = {
        "GITHUB_ACTIONS": "true",
        "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_STEP_SUMMARY": str(folder / "step-summary"),
        "GITHUB_OUTPUT": str(folder / "output"),
        "RUNNER_TEMP": str(folder / "temp"),
        "PYTHONPATH": str(ROOT),
    }
    (folder / "step-summary").write_text("")
    (folder / "output").write_text("")
    log = ""
    for step in ACTION["runs"]["steps"]:
        assert step["shell"] == "bash"
        variables = {
            name: re.sub(r"\$\{\{ inputs\.([a-z]+) \}\}", lambda found: values[found[1]], text)
            for name, text in step.get("env", {}).items()
        }
        script = folder / "temp" / "step.sh"
        script.write_text(step["run"])
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
        environment = {**os.environ, **given, **variables}
        run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        log += run.stdout + run.stderr
        if run.returncode:
            break
    return run.returncode, log, (folder / "step-summary").read_text(), (folder / "output").read_text()


def program(*arguments: str) -> str:
    return shlex.join(misbehaving(*arguments))


def test_ten_lines_are_enough_and_only_inputs_that_exist_are_used() -> None:
    assert len(WORKFLOWS[0].strip().splitlines()) <= 10
    for workflow in WORKFLOWS:
        (step,) = steps_that_use_the_action(workflow)
        assert step["with"].keys() <= ACTION["inputs"].keys()


def test_the_ten_lines_turn_red_on_a_wrong_program_and_the_summary_shows_the_argument(tmp_path: Path) -> None:
    (step,) = steps_that_use_the_action(WORKFLOWS[0])
    assert step["with"].keys() == {"program"}
    code, log, page, output = run_action(tmp_path, {"program": program("mutant", "narrower-queried")})
    assert code == 1, log
    assert output == "exit-code=1\n"
    assert "## ❌ bufalu conform: nonconforming" in page
    assert "Let the state before round" in page
    assert "a contradiction" in page
    assert "Likely bug: the whole trace is what `narrower-queried` would do" in page
    written = sorted(path.name for path in (tmp_path / "bufalu-verdict").iterdir())
    assert written == ["badge.svg", "counterexample.jsonl", "junit.xml", "summary.md", "verdict.sarif"]


def test_the_action_is_green_on_a_right_program(tmp_path: Path) -> None:
    options = "--examples 1 --rounds 10 --arms 2"
    code, log, page, output = run_action(tmp_path, {"program": program("correct"), "options": options})
    assert code == 0, log
    assert output == "exit-code=0\n"
    assert "## ✅ bufalu conform: conforms" in page


def test_the_action_checks_a_trace_and_nothing_in_an_input_is_executed(tmp_path: Path) -> None:
    rounds = next(block.text for block in fences((ROOT / "docs" / "ci.md").read_text()) if block.language == "jsonl")
    hostile = "$(touch executed); a b.jsonl"
    (tmp_path / hostile).write_text(rounds)
    code, _, page, _ = run_action(tmp_path, {"trace": hostile, "files": "out put"})
    assert code == 1
    assert "round 3 is not admissible" in page
    assert (tmp_path / "out put" / "junit.xml").exists()
    assert not (tmp_path / "executed").exists()


@pytest.mark.parametrize("inputs", [{}, {"program": "x", "trace": "y"}, {"program": "x", "options": "--nonsense"}])
def test_bad_inputs_fail_the_step_without_a_verdict(inputs: dict[str, str], tmp_path: Path) -> None:
    code, log, page, output = run_action(tmp_path, inputs)
    assert (code, page, output) == (2, "", "exit-code=2\n"), log


def test_a_broken_program_fails_the_step_with_its_own_code(tmp_path: Path) -> None:
    code, _, page, _ = run_action(tmp_path, {"program": program("garbage")})
    assert code == 3
    assert "bufalu conform: broken" in page

"""Runs `bufalu conform` on a built program and keeps what a table needs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Outcome:
    """The exit code, the stage that ended the run, the likely bugs, and the processor time of oracle and program."""

    exit_code: int
    stage: str | None
    bugs: tuple[str, ...]
    seconds: float


def judged(command: list[str], folder: Path, options: tuple[str, ...] = ()) -> Outcome:
    """What `bufalu conform` says of a program; the counterexample goes to the folder."""
    counterexample = str(folder / "counterexample.jsonl")
    conform = [sys.executable, "-m", "bufalu", "conform", "--json", "--out", counterexample, *options, "--", *command]
    # A program among many others on the machine may be slow to answer.
    conform[4:4] = ["--timeout", "120"]
    with (folder / "verdict.json").open("w+") as verdict, (folder / "stages.txt").open("w+") as told:
        process = subprocess.Popen(conform, cwd=ROOT, stdout=verdict, stderr=told)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        verdict.seek(0)
        told.seek(0)
        result, stages = json.load(verdict), told.read().strip().splitlines()
    if result.get("broken", {}).get("reason") == "timeout":
        raise TimeoutError(f"{command[-1]} gave no answer in two minutes: that is no verdict on a busy machine")
    # A program that breaks or skips ends the run in the stage that was told last.
    stage = stages[-1].split(" ")[0].rstrip(":") if process.returncode else None
    bugs = tuple(bug["id"] for bug in result.get("likely_bugs") or ())
    return Outcome(process.returncode, stage, bugs, usage.ru_utime + usage.ru_stime)

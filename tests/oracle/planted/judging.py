"""Runs `bufalu conform` on a built program and keeps what a table needs."""

from __future__ import annotations

import json
import resource
from dataclasses import dataclass
from pathlib import Path

from tests.bufalu.runner import bufalu


@dataclass(frozen=True)
class ConformRun:
    """The exit code, the stage that ended the run, the likely bugs, and the processor time of oracle and program."""

    exit_code: int
    stage: str | None
    bugs: tuple[str, ...]
    seconds: float


def judged(command: list[str], folder: Path, options: tuple[str, ...] = ()) -> ConformRun:
    """What `bufalu conform` says of a program; the counterexample goes to the folder."""
    counterexample = str(folder / "counterexample.jsonl")
    began = _processor_seconds()
    # A program among many others on the machine may be slow to answer.
    patient = ("--timeout", "600", "--json", "--out", counterexample)
    run = bufalu("conform", *patient, *options, "--", *command)
    seconds = _processor_seconds() - began
    result, stages = json.loads(run.stdout), run.stderr.strip().splitlines()
    if result.get("broken", {}).get("reason") == "timeout":
        raise TimeoutError(f"{command[-1]} gave no answer in ten minutes: that is no verdict on a busy machine")
    # A program that breaks or skips ends the run in the stage that was told last.
    stage = stages[-1].split(" ")[0].rstrip(":") if run.returncode else None
    bugs = tuple(bug["id"] for bug in result.get("likely_bugs") or ())
    return ConformRun(run.returncode, stage, bugs, seconds)


def _processor_seconds() -> float:
    """Of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)

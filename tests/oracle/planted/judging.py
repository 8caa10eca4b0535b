"""Runs `bufalu conform` on a built program and keeps what a table needs."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Outcome:
    """The exit code, the stage that ended the run, the likely bugs and the seconds that it took."""

    exit_code: int
    stage: str | None
    bugs: tuple[str, ...]
    seconds: float


def judged(command: list[str], folder: Path, options: tuple[str, ...] = ()) -> Outcome:
    """What `bufalu conform` says of a program; the counterexample goes to the folder."""
    counterexample = str(folder / "counterexample.jsonl")
    conform = [sys.executable, "-m", "bufalu", "conform", "--json", "--out", counterexample, *options, "--", *command]
    start = time.monotonic()
    finished = subprocess.run(conform, cwd=ROOT, capture_output=True, text=True, timeout=600)
    seconds = time.monotonic() - start
    result = json.loads(finished.stdout)
    stage = None
    if finished.returncode:
        # A program that breaks or skips ends the run in the stage that was told last.
        stage = finished.stderr.strip().splitlines()[-1].split(" ")[0].rstrip(":")
    bugs = tuple(bug["id"] for bug in result.get("likely_bugs", []))
    return Outcome(finished.returncode, stage, bugs, seconds)

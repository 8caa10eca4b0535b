"""Runs the command line in a process of its own, as a user does."""

import os
import resource
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def bufalu(*arguments, cwd=None, stdin=None, timeout=300, memory=None):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "120"}
    return subprocess.run(
        [sys.executable, "-m", "bufalu", *map(str, arguments)],
        cwd=cwd or ROOT,
        env=environment,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=timeout,
        preexec_fn=None if memory is None else lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory)),
    )


def assert_one_clear_line(run):
    """A refusal: exit code 2, nothing on stdout, one line on stderr, no traceback."""
    assert run.returncode == 2, run.stderr
    assert run.stdout == ""
    assert len(run.stderr.strip().splitlines()) == 1, run.stderr
    assert "Traceback" not in run.stderr

"""Runs the command line: in this process, which starts nothing, in a copy of it, or in a new Python, as a user does."""

import argparse
import ctypes
import os
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from unittest.mock import patch

from bufalu.cli import main
from tests.forked import forked

ROOT = Path(__file__).resolve().parents[2]
SURROUNDINGS = {"PYTHONPATH": str(ROOT), "COLUMNS": "120"}
_LIBC = ctypes.CDLL(None)
_DROP_FROM_BOUNDING_SET, _CAPABILITIES_OF_64_BITS, _OVERRIDES = 24, 0x20080522, (1, 2)
"""prctl's PR_CAPBSET_DROP, the version of capset's arguments, and the capabilities by which root ignores permissions."""


def bufalu(*arguments, cwd=None, environment=SURROUNDINGS):
    """Exit code, stdout and stderr of a command, run in this process; what the command starts is started.

    What a command registers would stay: a file of the user's own goes to `bufalu_copy`.
    """
    out, errors = _stream(), _stream()
    with (
        chdir(cwd or ROOT),
        patch.dict(os.environ, environment),
        redirect_stdout(out),
        redirect_stderr(errors),
    ):
        try:
            code = main(list(map(str, arguments)))
        except SystemExit as end:
            code = int(end.code or 0)
    return subprocess.CompletedProcess(arguments, code, _text(out), _text(errors))


def bufalu_copy(*arguments, cwd=None, environment=SURROUNDINGS):
    """Runs a command in a copy of this process, with which ends whatever the command registers."""
    return forked(lambda: main(list(map(str, arguments))), cwd or ROOT, environment)


def bufalu_process(*arguments, cwd=None, prepared=None):
    """Runs a command in a new Python, for what only that can show: its memory, say. `prepared` is called in it first."""
    return subprocess.run(
        [sys.executable, "-m", "bufalu", *map(str, arguments)],
        cwd=cwd or ROOT,
        env={**os.environ, **SURROUNDINGS},
        capture_output=True,
        text=True,
        preexec_fn=prepared,
    )


def printed_by_module(name, *arguments):
    """What a module of ours prints that is run as a program, without an error."""
    command = [sys.executable, "-m", name, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def bufalu_as_a_user(*arguments, cwd=None):
    """Runs a command in a copy where the modes of files count, also for root; only on Linux."""

    def work():
        if os.geteuid() == 0:
            _obey_modes()
        return main(list(map(str, arguments)))

    return forked(work, cwd or ROOT, SURROUNDINGS)


def _obey_modes():
    """Gives up what root may do against modes, in this process and in those that it starts."""
    for capability in _OVERRIDES:
        assert _LIBC.prctl(_DROP_FROM_BOUNDING_SET, capability, 0, 0, 0) == 0
    this_process, held = (ctypes.c_uint32 * 2)(_CAPABILITIES_OF_64_BITS, 0), (ctypes.c_uint32 * 6)()
    assert _LIBC.capget(this_process, held) == 0
    for kept in range(3):  # effective, permitted, inheritable; the other three are of higher numbers
        held[kept] &= ~sum(1 << capability for capability in _OVERRIDES)
    assert _LIBC.capset(this_process, held) == 0


def commands(parser):
    """Every command with its name, and its parser; one that has verbs of its own speaks through each of them."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                verbs = [(f"{name} {verb}", inner) for verb, inner in commands(command)]
                yield from verbs or [(name, command)]


def _stream() -> TextIOWrapper:
    return TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True)


def _text(stream: TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode()


def assert_one_clear_line(run):
    """A refusal: exit code 2, nothing on stdout, one line on stderr, no traceback."""
    assert run.returncode == 2, run.stderr
    assert run.stdout == ""
    assert len(run.stderr.strip().splitlines()) == 1, run.stderr
    assert "Traceback" not in run.stderr

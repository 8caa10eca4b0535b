"""Runs work in a process of its own that has everything loaded already: a copy of this one.

What the work registers or changes ends with it, as in a new Python, which would spend seconds on loading the same again.
"""

import os
import signal
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryFile


def forked(
    work: Callable[[], object], cwd: Path, environment: Mapping[str, str], stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """The exit code of the work (what it returns, or exits with), and what it wrote."""
    with TemporaryFile("w+") as given, TemporaryFile("w+") as out, TemporaryFile("w+") as errors:
        given.write(stdin)
        given.seek(0)
        with warnings.catch_warnings():
            # A copy has none of the threads that read what pytest says: nothing in it waits for them.
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            _end_with(work, [file.fileno() for file in (given, out, errors)], cwd, environment)
        try:
            _, status = os.waitpid(child, 0)
        except BaseException:
            os.kill(child, signal.SIGKILL)
            raise
        out.seek(0)
        errors.seek(0)
        code = os.waitstatus_to_exitcode(status)
        return subprocess.CompletedProcess([], code, out.read(), errors.read())


def _end_with(work: Callable[[], object], streams: list[int], cwd: Path, environment: Mapping[str, str]) -> None:
    """The life of the copy. Nothing that this process would do on leaving is done twice."""
    code: object = 1
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115 - until the end
        os.chdir(cwd)
        os.environ.update(environment)
        code = work()
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else int(code is not None))

"""Ending a program with everything that it started, or with the one that started it, as far as the system lets us.

A process group reaches children that stay in it. On Linux, children that left it (setsid, double fork) are found in
/proc, and orphans come to us while we are their "subreaper". Elsewhere only the group is ended.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
PATIENCE = 2.0
"""Seconds to wait for killed processes to disappear."""


def _prctl(option: int, value: int) -> bool:
    """Whether Linux did what was asked of it; elsewhere nothing is done."""
    try:
        return bool(ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) == 0)
    except (OSError, AttributeError):
        return False


def adopt_orphans(wanted: bool) -> bool:
    """Whether orphaned descendants come to this process from now on; False where the system cannot do that."""
    return _prctl(_PR_SET_CHILD_SUBREAPER, int(wanted))


@contextmanager
def on_one_processor() -> Iterator[None]:
    """Keeps this thread, and what it starts meanwhile, on the processor that it runs on. Only Linux can do that.

    Two that wait for each other in turn gain nothing from a second processor, and lose the time that it takes to wake it: by
    the clock a conformance run takes more than twice as long with two.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    with suppress(OSError, AttributeError):
        os.sched_setaffinity(0, {ctypes.CDLL(None).sched_getcpu()})
    try:
        yield
    finally:
        with suppress(OSError):  # some of them may have been taken away meanwhile
            os.sched_setaffinity(0, allowed)


def end_with_parent(parent: int) -> None:
    """From now on this process is killed when the one that started it, `parent`, ends in whatever way.

    Only Linux can do that; elsewhere nothing happens.
    """
    # The parent may have ended before the system was asked.
    if _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL) and os.getppid() != parent:
        os._exit(1)


def children_of(pid: int) -> set[int]:
    """The living children of a process, as Linux lists them; empty where it does not."""
    found: set[int] = set()
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                found.update(map(int, (task / "children").read_text().split()))
    return found


def descendants_of(pid: int) -> set[int]:
    """The children of a process, their children, and so on."""
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        for child in children_of(waiting.pop()) - found:
            found.add(child)
            waiting.append(child)
    return found


def end_with_descendants(process: subprocess.Popen[bytes], adopting: bool) -> tuple[int, ...]:
    """Kills a program and what it started; if `adopting`, every other child of ours is an orphan of that program.

    Returns the processes that could not be ended: those of another user (`sudo`), or stuck in the system.
    """
    doomed = descendants_of(process.pid)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    with suppress(PermissionError):
        process.kill()
    with suppress(subprocess.TimeoutExpired):
        process.wait(PATIENCE)
    deadline = time.monotonic() + PATIENCE
    while True:
        # Each round finds what was started in the meantime, and orphans that have come to us.
        adopted = children_of(os.getpid()) if adopting else set()
        doomed = {pid for pid in doomed | adopted for pid in (pid, *descendants_of(pid)) if _is_alive(pid)}
        if not doomed or time.monotonic() > deadline:
            return tuple(sorted(doomed if process.poll() is not None else doomed | {process.pid}))
        for pid in doomed:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        for pid in doomed:
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        time.sleep(0.005)


def _is_alive(pid: int) -> bool:
    """Whether a process exists and is not a zombie that only waits to be collected."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return False
    if state == "Z":
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
        return False
    return True

"""The one way to wait for another process where nothing tells of the event: look again until it is so.

Nothing here has a deadline of its own: what never happens is ended by pytest's limit for a test, so that a slow machine
changes how long a test takes and never what it says.
"""

import time
from collections.abc import Callable
from pathlib import Path


def until(condition: Callable[[], object]) -> None:
    """Returns once the condition is true."""
    while not condition():
        time.sleep(0.005)


def gone(pid: int) -> bool:
    """Whether a process has ended, be it that nobody has collected it yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True

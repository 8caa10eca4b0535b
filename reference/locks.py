"""One process at a time: for work whose result is kept, so that others wait for it and do not do it again."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path


@contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Waits until no other process is inside with the same file, made for this alone, where system and folder allow it."""
    with ExitStack() as open_files:
        # Windows has no `fcntl`. A folder that cannot be written and a file system without locks cost time, nothing else.
        with suppress(ImportError, OSError):
            locks = importlib.import_module("fcntl")
            lock.parent.mkdir(parents=True, exist_ok=True)
            handle = open_files.enter_context(lock.open("wb"))
            locks.flock(handle, locks.LOCK_EX)  # released when the file is closed, by the death of the process too
        yield

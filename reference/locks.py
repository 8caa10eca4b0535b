"""One process at a time: for work whose result is kept in a folder, so that others wait for it and do not do it again."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Waits until no other process is inside with the same folder, where the system and the folder allow it."""
    with ExitStack() as open_files:
        # Windows has no `fcntl`. A folder that cannot be written and a file system without locks cost time, nothing else.
        with suppress(ImportError, OSError):
            locks = importlib.import_module("fcntl")
            folder.mkdir(parents=True, exist_ok=True)
            handle = open_files.enter_context((folder / "in-use").open("wb"))
            locks.flock(handle, locks.LOCK_EX)  # released when the file is closed, by the death of the process too
        yield

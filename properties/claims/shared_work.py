"""Processor time: what each check takes, and apart from it what is done once for several checks.

Seconds by the clock say how busy the machine was; processor seconds, of this process and of the programs that it waited
for, say what the work cost.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class SharedWork:
    """Work that was done once for several checks, and its processor seconds."""

    name: str
    seconds: float


_DONE: list[SharedWork] = []
"""What was shared since somebody asked."""


def processor_seconds() -> float:
    """What this process and its finished children have used so far."""
    return sum(os.times()[:4])


@contextmanager
def shared_work(name: str) -> Iterator[None]:
    """Sets the cost of the block apart: it is no check's own."""
    before = processor_seconds()
    try:
        yield
    finally:
        _DONE.append(SharedWork(name, processor_seconds() - before))


def take_shared_work() -> tuple[SharedWork, ...]:
    """What was shared since the last question."""
    taken = tuple(_DONE)
    _DONE.clear()
    return taken

"""One line of the benchmark: what was measured, its goal, and whether it was met."""

from __future__ import annotations

import resource
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """A measured number. `goal` is the most, or with `at_least` the least, that was asked for; None asks for nothing.

    A `value` of None was not measured, and `note` says why.
    """

    subject: str
    value: float | None
    unit: str
    goal: float | None = None
    at_least: bool = False
    note: str = ""

    @property
    def verdict(self) -> str:
        if self.value is None:
            return "NOT MEASURED"
        if self.goal is None:
            return ""
        met = self.value >= self.goal if self.at_least else self.value <= self.goal
        return "met" if met else "MISSED"

    def line(self) -> str:
        value = "-" if self.value is None else f"{self.value:,.3g}" if self.value < 1000 else f"{self.value:,.0f}"
        asked = ""
        if self.goal is not None:
            asked = f"{'>=' if self.at_least else '<='} {self.goal:,g}"
        note = f"  {self.note}" if self.note else ""
        return f"{self.subject:<66} {asked:>12} {value:>10} {self.unit:<9} {self.verdict:<12}{note}".rstrip()


def processor_seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """The least of a few measurements of this process, after a first one that compiles and warms up."""
    work()
    return min(once(work) for _ in range(repeats))


def once(work: Callable[[], object]) -> float:
    """Processor seconds of one call: other programs on the machine do not count."""
    start = time.process_time()
    work()
    return time.process_time() - start


MOST_SECONDS = 400
"""Processor seconds after which a program is ended: the clock would count what else runs on the machine."""


def command_seconds(command: Sequence[str]) -> float:
    """Processor seconds of a program and its children; raises as `subprocess.run` does where it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS)),
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

"""One line of the benchmark: what was measured, its goal, and whether it was met."""

from __future__ import annotations

import os
import resource
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Measurement:
    """A measured number. `goal` is the most, or with `at_least` the least, that was asked for; None asks for nothing.

    A `value` of None was not measured, and `note` says why.
    """

    subject: str
    value: float | None
    unit: str
    goal: float | None = None
    at_least: bool = False
    note: str = ""
    detail: bool = False
    """Whether the line is left out of the page's table."""
    reason: str = ""
    """What stands in the way of the goal; said where it is missed."""

    @property
    def verdict(self) -> str:
        if self.value is None:
            return "NOT MEASURED"
        if self.goal is None:
            return ""
        met = self.value >= self.goal if self.at_least else self.value <= self.goal
        return "met" if met else "MISSED"

    @property
    def asked(self) -> str:
        return "" if self.goal is None else f"{'>=' if self.at_least else '<='} {self.goal:,g}"

    @property
    def shown(self) -> str:
        if self.value is None:
            return "-"
        return f"{self.value:,.3g}" if self.value < 1000 else f"{self.value:,.0f}"

    @property
    def remark(self) -> str:
        """The note, and the reason where the goal is missed."""
        return "; ".join(filter(None, (self.note, self.reason if self.verdict == "MISSED" else "")))

    def line(self) -> str:
        """A line for the terminal."""
        note = f"  {self.remark}" if self.remark else ""
        return (
            f"{self.subject:<71} {self.asked:>12} {self.shown:>10} {self.unit:<9} {self.verdict:<12}{note}".rstrip()
        )

    def row(self) -> str:
        """A row of the page's table."""
        return (
            f"| {self.subject.strip()} | {self.asked} | {self.shown} {self.unit} | {self.verdict} | {self.remark} |"
        )


BEGIN, END = "<!-- written by make bench: begin -->", "<!-- end -->"


def with_table(page: str, machine: str, found: Sequence[Measurement]) -> str:
    """The page with the figures between its two marks; raises `ValueError` where a mark is missing."""
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    rows = [figure.row() for figure in found if not figure.detail]
    head = ["| what | asked for | measured | | |", "|---|---|---|---|---|"]
    return before + "\n".join([BEGIN, machine, "", *head, *rows, END]) + after


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


@dataclass(frozen=True)
class Cost:
    """What a program and its children took."""

    processor: float
    clock: float


def command_cost(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Cost:
    """Runs a program, with more in its environment; raises as `subprocess.run` does where it fails."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        command,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **(environment or {})},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS)),
    )
    clock, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock)


def command_seconds(command: Sequence[str]) -> float:
    """Processor seconds of a program and its children."""
    return command_cost(command).processor

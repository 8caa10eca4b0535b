"""What a terminal shows: colours only on one, progress on stderr only on one."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Iterable
from typing import TextIO

from bufalu.pages.text import Line

_COLOURS = {
    "green": "32",
    "red": "31",
    "yellow": "33",
    "blue": "34",
    "magenta": "35",
    "cyan": "36",
    "grey": "90",
    "bold": "1",
}


def colours_wanted(stream: TextIO) -> bool:
    """Whether `stream` is a terminal and the user has not said NO_COLOR."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def coloured(text: str, colour: str, stream: TextIO | None = None) -> str:
    """`text` in a colour, if the stream (stdout by default) wants any."""
    if not colours_wanted(stream or sys.stdout):
        return text
    return f"\033[{_COLOURS[colour]}m{text}\033[0m"


def show(lines: Iterable[Line]) -> None:
    """Prints lines to stdout, with their colours if it wants any."""
    for line in lines:
        print("".join(word if colour is None else coloured(word, colour) for word, colour in line))


def width(elsewhere: int) -> int:
    """How many columns the terminal has; `elsewhere` where stdout is none."""
    return shutil.get_terminal_size((elsewhere, 24)).columns if sys.stdout.isatty() else elsewhere


def say(text: str, end: str = "\n") -> None:
    """Writes to stderr what is said beside a result, or why there is none. If nobody can hear it (a full disk, a reader
    that left, a closed stream), nothing else changes: the result stands, and the exit code says it.
    """
    with contextlib.suppress(OSError, ValueError):
        print(text, end=end, file=sys.stderr, flush=True)


def heard_on_terminal() -> bool:
    """Whether stderr is a terminal; not if it is closed."""
    return not sys.stderr.closed and sys.stderr.isatty()


_FIRST_LINE, _NEXT_LINES = 10.0, 60.0
"""Seconds without a word after which something is said where there is no terminal."""


class Progress:
    """A bar with a rate and the time left, on stderr if that is a terminal. Use it as a context.

    Elsewhere there is a line of text after ten seconds and then one a minute. Where the total is not known, None, there
    is a count and a rate.
    """

    def __init__(self, total: int | None, unit: str, label: str = "") -> None:
        self._total = None if total is None else max(total, 1)
        self._unit = unit
        self._label = label
        self._bar = heard_on_terminal()
        self._start = time.monotonic()
        self._next = 0.0 if self._bar else _FIRST_LINE

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            say("\r\033[K", end="")

    def expect(self, total: int) -> None:
        """Says how much there is to do, once that is known."""
        self._total = max(total, 1)

    def update(self, done: int, label: str | None = None) -> None:
        """Shows that `done` of the total are finished, on a terminal at most ten times a second."""
        if label is not None:
            self._label = label
        spent = time.monotonic() - self._start
        if spent < self._next and not (self._bar and done == self._total):
            return
        self._next = spent + (0.1 if self._bar else _NEXT_LINES)
        rate = done / max(spent, 1e-9)
        line, bar = f"{done:,} {self._unit}  {rate:,.0f}/s", ""
        if self._total is not None:
            left = (self._total - done) / rate if rate else 0.0
            filled = min(24, 24 * done // self._total)
            bar = f"[{'#' * filled}{'.' * (24 - filled)}] "
            line = f"{done:,}/{self._total:,} {self._unit}  {rate:,.0f}/s  {left:,.0f} s left"
        if self._bar:
            say(f"\r\033[K{f'{bar}{line}  {self._label}'[:160]}", end="")
        else:
            say(f"{self._label}: {line}" if self._label else line)

"""What a terminal shows: colours only on one, progress on stderr only on one."""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import sys
import time
from collections.abc import Iterable

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


def coloured(text: str, colour: str) -> str:
    """`text` in a colour, if stdout is a terminal and the user has not said NO_COLOR."""
    wanted = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return f"\033[{_COLOURS[colour]}m{text}\033[0m" if wanted else text


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


_STEEPEST = 6.0
"""The largest power of what is done with which the time is thought to grow."""

_FIRST_STEPS = 20
"""Steps, or a twentieth of few, after which the time left is told: the first of 464 checks says nothing of the others."""


class Progress:
    """A bar with a rate and the time left, on stderr if that is a terminal. Use it as a context.

    Elsewhere there is a line of text after ten seconds and then one a minute. Where the total is not known, None, there
    is a count and a rate. `growing` says that each step costs more than the one before.
    """

    def __init__(self, total: int | None, unit: str, label: str = "", *, growing: bool = False) -> None:
        self._total = None if total is None else max(total, 1)
        self._unit = unit
        self._label = label
        self._growing = growing
        self._bar = heard_on_terminal()
        self._start = time.monotonic()
        self._earlier, self._later = (0, 0.0), (0, 0.0)
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
        if done >= 2 * self._later[0]:
            self._earlier, self._later = self._later, (done, spent)
        if spent < self._next and not (self._bar and done == self._total):
            return
        self._next = spent + (0.1 if self._bar else _NEXT_LINES)
        rate = done / max(spent, 1e-9)
        line, bar = f"{done:,} {self._unit}  {rate:,.0f}/s", ""
        if self._total is not None:
            left = self._left(done, spent, self._total)
            filled = min(24, 24 * done // self._total)
            bar = f"[{'#' * filled}{'.' * (24 - filled)}] "
            line = f"{done:,}/{self._total:,} {self._unit}"
            if done >= min(_FIRST_STEPS, self._total / 20):
                line += f"  {rate:,.0f}/s  {left:,.0f} s left"
        if self._bar:
            say(f"\r\033[K{f'{bar}{line}  {self._label}'[:160]}", end="")
        else:
            say(f"{self._label}: {line}" if self._label else line)

    def _left(self, done: int, spent: float, total: int) -> float:
        """The seconds left at the rate so far; where steps are growing, if the time spent goes on as a power of what is done.

        In an exact law a later round has more states: taking the rate so far for the rate to come would promise an end that
        moves away. The power is what the last doubling has shown. It says nothing where steps are merely uneven.
        """
        if not done or not spent:
            return 0.0
        before, then = self._earlier
        known = self._growing and 0 < before < done and 0 < then < spent
        power = math.log(spent / then) / math.log(done / before) if known else 1.0
        return spent * (math.pow(total / done, min(max(power, 1.0), _STEEPEST)) - 1)

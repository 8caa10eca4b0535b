"""What a terminal shows: colours only on one, progress on stderr only on one."""

from __future__ import annotations

import os
import sys
import time
from typing import TextIO

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


def harmless(text: str) -> str:
    """Text from elsewhere on one line, with control characters and lone surrogates escaped: nothing moves the cursor."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


class Progress:
    """A bar with a rate and the time left, on stderr if that is a terminal; otherwise silent. Use it as a context.

    Where the total is not known, None, there is a count and a rate.
    """

    def __init__(self, total: int | None, unit: str, label: str = "") -> None:
        self._total = None if total is None else max(total, 1)
        self._unit = unit
        self._label = label
        self._shown = sys.stderr.isatty()
        self._start = time.monotonic()
        self._last = 0.0

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def expect(self, total: int) -> None:
        """Says how much there is to do, once that is known."""
        self._total = max(total, 1)

    def update(self, done: int, label: str | None = None) -> None:
        """Shows that `done` of the total are finished, at most ten times a second."""
        if label is not None:
            self._label = label
        if not self._shown:
            return
        now = time.monotonic()
        if now - self._last < 0.1 and done != self._total:
            return
        self._last = now
        rate = done / max(now - self._start, 1e-9)
        line = f"{done:,} {self._unit}  {rate:,.0f}/s  {self._label}"
        if self._total is not None:
            left = (self._total - done) / rate if rate else 0.0
            filled = min(24, 24 * done // self._total)
            bar = "#" * filled + "." * (24 - filled)
            line = f"[{bar}] {done:,}/{self._total:,} {self._unit}  {rate:,.0f}/s  {left:,.0f} s left  {self._label}"
        print(f"\r\033[K{line[:160]}", end="", file=sys.stderr, flush=True)

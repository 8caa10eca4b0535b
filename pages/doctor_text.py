"""Which parts are installed, in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bufalu.pages.text import Line, Span, line


class PartRow(NamedTuple):
    """A part of bufalu or of its surroundings, its installed version or None, and how it is got."""

    name: str
    required: bool
    version: str | None
    pinned: str | None
    adds: str
    install: str


def doctor_lines(parts: Sequence[PartRow], differing: Sequence[str], coq: str) -> Iterator[Line]:
    """One line for each part, how to get what is missing, and what differs from the pins; `coq` is that of Coq."""
    for part in parts:
        if part.version is not None:
            yield line("  ", Span("found  ", "green"), f"  {part.name:<13} {part.version:<14}  {part.adds}")
        else:
            word = Span("MISSING", "red") if part.required else Span("missing", "yellow")
            yield line("  ", word, f"  {part.name:<13} {'':<14}  {part.adds}: {part.install}")
    optional = [part.version for part in parts if not part.required]
    yield line(f"{sum(number is not None for number in optional)} of {len(optional)} optional parts are there")
    if differing:
        yield line(f"other versions than those with which everything was seen to pass: {', '.join(differing)}")
    else:
        yield line(f"what is there has the versions with which everything was seen to pass (with Coq {coq})")

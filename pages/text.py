"""Text for a terminal: lines whose words may be coloured, aligned columns, and what comes from elsewhere made harmless."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias


class Span(NamedTuple):
    """Some words of a line; on a terminal in a colour, if one is named."""

    text: str
    colour: str | None = None


Line: TypeAlias = tuple[Span, ...]
"""A line of output, or several, if a text in it has line ends."""


def line(*words: str | Span) -> Line:
    """A line of plain texts and of spans."""
    return tuple(Span(word) if isinstance(word, str) else word for word in words)


def headed(lines: Sequence[str], colour: str) -> tuple[Line, ...]:
    """Lines whose first one, the verdict, is coloured."""
    first, *rest = lines
    return line(Span(first, colour)), *map(line, rest)


def harmless(text: str) -> str:
    """Text from elsewhere on one line, with control characters and lone surrogates escaped: nothing moves the cursor."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Rows as aligned columns: the first to the left, the others to the right."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))]).rstrip()
        for row in rows
    )

"""Files that subcommands write for people."""

from __future__ import annotations

from pathlib import Path

from bufalu.reference.errors import UnusableFile


def write_text(path: str, text: str) -> None:
    """Writes a file; raises `UnusableFile` with the reason if that fails."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as problem:
        raise UnusableFile(f"cannot write {path}: {problem.strerror}") from None

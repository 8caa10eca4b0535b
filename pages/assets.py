"""Style sheets and scripts of the pages."""

from __future__ import annotations

from importlib.resources import files


def asset(name: str) -> str:
    """A style sheet or script that is shipped with the pages, as text."""
    return files("bufalu.pages").joinpath(name).read_text(encoding="utf-8")

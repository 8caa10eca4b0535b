"""Skeletons of implementations under test: one text, and one template for each language.

Every sentence and every line of the protocol that the programs have in common is written here or in `about.txt`, once,
and put in where a template says `@NAME@`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files

from bufalu.reference.errors import UnknownName

_OK = json.dumps({"ok": True})
_FILL_IN = "fill in: play arm 1 for ever, until you know better"


@dataclass(frozen=True)
class Language:
    """A language with its template, the command that runs the program, and what its comments look like."""

    title: str
    template: str
    command: str
    comment: str
    first: str | None = None
    last: str | None = None


LANGUAGES = {
    "c": Language("C", "skeleton.c", "./skeleton    (gcc -O2 -o skeleton skeleton.c)", " * ", "/*", " */"),
    "rust": Language("Rust", "skeleton.rs", "./skeleton    (rustc -O skeleton.rs)", "// "),
    "java": Language("Java", "Skeleton.java", "java Skeleton.java", "// "),
    "go": Language("Go", "skeleton.go", "./skeleton    (go build skeleton.go)", "// "),
    "julia": Language("Julia", "skeleton.jl", "julia skeleton.jl", "# "),
    "javascript": Language("JavaScript", "skeleton.js", "node skeleton.js", "// "),
}
"""The languages by the name that the command line knows."""


def skeleton(name: str) -> str:
    """The program in a language; raises `UnknownName` for one that there is none in."""
    language = LANGUAGES.get(name)
    if language is None:
        raise UnknownName(f"there is no skeleton in '{name}' (choose one of: {', '.join(LANGUAGES)})")
    start = json.dumps(
        {
            "version": 1,
            "implementation": {"name": "skeleton", "language": language.title, "version": "0"},
            "policies": ["bufalu"],
            "confidence": ["hoeffding"],
        }
    )
    texts = {
        "@ABOUT@": _comment(language),
        "@START@": start,
        "@START_QUOTED@": start.replace('"', '\\"'),
        "@OK@": _OK,
        "@OK_QUOTED@": _OK.replace('"', '\\"'),
        "@FILL_IN@": _FILL_IN,
    }
    program = _text(language.template)
    for place, text in texts.items():
        program = program.replace(place, text)
    return program


def _comment(language: Language) -> str:
    about = _text("about.txt").replace("@LANGUAGE@", language.title).replace("@COMMAND@", language.command)
    lines = [f"{language.comment}{line}".rstrip() for line in about.rstrip().splitlines()]
    return "\n".join([line for line in (language.first, *lines, language.last) if line is not None])


def _text(name: str) -> str:
    return files(__name__).joinpath(name).read_text(encoding="utf-8")

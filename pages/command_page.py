"""All commands as a page of the site, written from their `--help` when it is built."""

from __future__ import annotations

import argparse
import importlib
import textwrap
from collections.abc import Iterator
from functools import partial

INTRODUCTION = """\
# Commands

By task. This page is what `bufalu COMMAND --help` prints, written when the site is built. Wherever a command takes a
number, `1/3`, `0.1` and `1e6` are exact.
"""

TASKS = {
    "Compare": ("compare", "bounds", "plan", "law", "simulate"),
    "Check": ("check", "conform", "explain", "skeleton", "vectors"),
    "Live": ("live",),
    "Audit": ("audit", "mutants", "reproduce"),
    "Installation": ("doctor",),
}
"""The commands by what a person wants to do."""

WIDTH = 92
"""What a window of 1280 pixels shows without scrolling."""


def command_page() -> str:
    """The page as Markdown; raises `LookupError` for a command that stands under no task, or under two."""
    commands = dict(_subcommands(importlib.import_module("bufalu.cli").build_parser()))
    placed = [name for names in TASKS.values() for name in names]
    if sorted(placed) != sorted(commands):
        raise LookupError(f"the page has {sorted(placed)}, and the command line {sorted(commands)}")
    parts = [INTRODUCTION]
    for task, names in TASKS.items():
        parts.append(f"## {task}\n")
        for name in names:
            parts += _entry(f"bufalu {name}", commands[name])
    return "\n".join(parts) + "\n"


def _entry(name: str, command: argparse.ArgumentParser) -> Iterator[str]:
    command.formatter_class = partial(argparse.RawDescriptionHelpFormatter, width=WIDTH)
    command.description = "\n\n".join(map(_wrapped, (command.description or "").split("\n\n")))
    yield f"### {name}\n\n```text\n{command.format_help().rstrip()}\n```\n"
    for below, subcommand in _subcommands(command):
        yield from _entry(f"{name} {below}", subcommand)


def _wrapped(paragraph: str) -> str:
    """A paragraph at the width of the page; one with lines that are set in stays as it is."""
    return paragraph if "\n " in paragraph else textwrap.fill(paragraph, WIDTH)


def _subcommands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:  # argparse has no other way to them
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()

"""BuFALU and its baselines as a formally checked reference: the public API.

Arguments are taken as people have them, in every function alike. An *epsilon* is a text ("power:1/4"), a schedule, a function
of the round, a list or an array; an *interval* or a *policy* is a text, an object or a class; *rewards* are a seed, a list
for each arm, or an iterator; an *instance* may be a list of means.

A float that is a parameter (a mean, a constant, a price) is the decimal that it shows: 0.13 is 13/100, a float32 of 0.13
too. A float that is data (an observed reward, an epsilon that a program computed) is the binary number that it is.

What cannot be taken raises a `BufaluError` that names the argument.

Every name is loaded when it is asked for, so that a command starts with what it needs and the reference stands alone. The
names stand in `__init__.pyi`, which is also what type checkers read.
"""

from __future__ import annotations

import importlib
from pathlib import Path

from bufalu._version import __version__


def _places() -> dict[str, str]:
    """Where each public name lives, by the lines `from MODULE import NAME as NAME` of the stub."""
    lines = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8").splitlines()
    return {words[3]: words[1] for words in map(str.split, lines) if words[:1] == ["from"]}


PLACES = _places()
"""The module in which each public name lives."""
__all__ = ["__version__", *PLACES]  # noqa: PLE0604 # texts, read from the stub


def __getattr__(name: str) -> object:
    if name not in PLACES:
        raise AttributeError(f"module 'bufalu' has no attribute '{name}'")
    found = globals()[name] = getattr(importlib.import_module(PLACES[name]), name)
    importlib.import_module("bufalu.pages.notebook").give_looks()
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

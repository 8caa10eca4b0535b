"""Gathers the checks of all rooms: one list of module names, each of which exports `CHECKS`."""

from __future__ import annotations

import importlib
from dataclasses import dataclass

from bufalu.properties.evidence import Check

SOURCES: tuple[str, ...] = ("bufalu.properties.algebra.checks",)
"""Every module that speaks for claims. A module that is not listed here is not collected, and a test says so."""


@dataclass(frozen=True)
class Collection:
    """The checks that could be loaded, and the sources that could not, with the reason."""

    checks: tuple[Check, ...]
    missing: dict[str, str]

    def speaking_for(self, claim: str) -> tuple[Check, ...]:
        """The checks of one claim."""
        return tuple(check for check in self.checks if claim in check.claims)


def collect(sources: tuple[str, ...] = SOURCES) -> Collection:
    """Imports every source. One that needs something which is not installed is reported, never hidden."""
    checks: list[Check] = []
    missing: dict[str, str] = {}
    for source in sources:
        try:
            module = importlib.import_module(source)
        except ImportError as problem:
            missing[source] = str(problem)
            continue
        checks.extend(module.CHECKS)
    return Collection(tuple(checks), missing)

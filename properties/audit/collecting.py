"""Gathers the checks of all rooms: one list of module names, each of which exports `CHECKS` or `checks()`."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, replace
from types import ModuleType

from bufalu.properties.claims.evidence import Check
from bufalu.properties.claims.registered import registered_checks

SOURCES: tuple[str, ...] = (
    "bufalu.properties.algebra.checks",
    "bufalu.properties.smt.evidence",
    "bufalu.properties.coq.checks",
    "bufalu.properties.expectations.checks",
    "bufalu.properties.runs.checks",
    "bufalu.properties.numerics.checks",
)
"""Every module that speaks for claims. A module that is not listed here is not collected, and a test says so."""

ONE_AFTER_THE_OTHER = frozenset(
    {"bufalu.properties.coq.checks", "bufalu.properties.expectations.checks", "bufalu.properties.numerics.checks"}
)
"""Sources whose checks share work: the build of the proofs, the computed laws, the runs of the numerical section."""


OPTIONAL_PACKAGES = frozenset({"cvc5", "flint", "jsonschema", "matplotlib", "numba", "z3"})
"""Packages of other people whose absence leaves evidence ungathered. Any other import that fails is a defect."""


def is_missing_package(problem: ImportError) -> bool:
    """Whether an import failed because an optional package is not installed, and not through a fault of our own."""
    return isinstance(problem, ModuleNotFoundError) and (problem.name or "").split(".")[0] in OPTIONAL_PACKAGES


@dataclass(frozen=True)
class Collection:
    """The checks that could be loaded, and the sources that could not, with the reason."""

    checks: tuple[Check, ...]
    missing: dict[str, str]

    def speaking_for(self, claim: str) -> tuple[Check, ...]:
        """The checks of one claim."""
        return tuple(check for check in self.checks if claim in check.claims)


def collect(sources: tuple[str, ...] = SOURCES) -> Collection:
    """Imports every source, and adds the checks from outside.

    A source that needs a package which is not installed is reported, never hidden.

    Raises the `ImportError` of a source that cannot be imported for any other reason.
    """
    checks: list[Check] = []
    missing: dict[str, str] = {}
    for source in sources:
        try:
            module = importlib.import_module(source)
        except ImportError as problem:
            if not is_missing_package(problem):
                raise
            missing[source] = str(problem)
            continue
        found = _checks_of(module)
        if source in ONE_AFTER_THE_OTHER:
            found = tuple(replace(check, group=source) for check in found)
        checks.extend(found)
    return Collection((*checks, *(registered_checks() if sources is SOURCES else ())), missing)


def _checks_of(module: ModuleType) -> tuple[Check, ...]:
    """What a source exports: `CHECKS`, or `checks()` where making them costs something."""
    found: tuple[Check, ...] = module.CHECKS if hasattr(module, "CHECKS") else module.checks()
    return found

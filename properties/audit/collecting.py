"""Gathers the checks of all rooms: every module of a room is loaded, and registers what it has."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass, replace

from bufalu.properties.claims.check import checks_of
from bufalu.properties.claims.evidence import Check
from bufalu.properties.claims.registered import registered_checks

ROOMS: tuple[str, ...] = ("algebra", "smt", "coq", "expectations", "runs", "numerics")
"""The folders of `properties` whose modules speak for claims. A check elsewhere is not collected, and a test says so."""

ONE_AFTER_THE_OTHER = frozenset({"coq", "expectations", "numerics"})
"""Rooms whose checks share work: the build of the proofs, the computed laws, the runs of the numerical section."""

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


def collect(rooms: tuple[str, ...] = ROOMS) -> Collection:
    """Imports every module of the rooms, and adds the checks from outside.

    A module that needs a package which is not installed is reported, never hidden.

    Raises the `ImportError` of a module that cannot be imported for any other reason.
    """
    checks: list[Check] = []
    missing: dict[str, str] = {}
    for room in rooms:
        for module in modules_of(room):
            try:
                importlib.import_module(module)
            except ImportError as problem:
                if not is_missing_package(problem):
                    raise
                missing[module] = str(problem)
        group = room if room in ONE_AFTER_THE_OTHER else None
        checks.extend(replace(check, group=group) for check in checks_of(room))
    return Collection((*checks, *(registered_checks() if rooms is ROOMS else ())), missing)


def modules_of(room: str) -> list[str]:
    """The names of a room's modules; raises `ModuleNotFoundError` if there is no such room."""
    package = importlib.import_module(f"bufalu.properties.{room}")
    return [f"{package.__name__}.{module.name}" for module in pkgutil.iter_modules(package.__path__)]

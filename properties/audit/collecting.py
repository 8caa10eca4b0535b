"""Gathers the checks of all rooms: every module of a room is loaded, and registers what it has."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from bufalu.properties.claims.check import checks_of
from bufalu.properties.claims.evidence import Check
from bufalu.properties.claims.registered import registered_checks

ROOMS: tuple[str, ...] = ("algebra", "smt", "coq", "expectations", "runs", "numerics")
"""The folders of `properties` whose modules speak for claims. A check elsewhere is not collected, and a test says so."""

ONE_AFTER_THE_OTHER = frozenset({"coq", "expectations", "numerics"})
"""Rooms whose checks share work: the build of the proofs, the computed laws, the runs of the numerical section."""

OPTIONAL_PACKAGES = frozenset({"cvc5", "flint", "jsonschema", "matplotlib", "numba", "z3"})
"""Packages of other people whose absence leaves evidence ungathered. Any other import that fails is a defect."""


_HOUSE = Path(__file__).resolve().parents[2]
"""Where the rooms are, in the repository and in an installed package."""

_NAMED_ELSEWHERE: dict[str, tuple[str, ...]] = {
    "bufalu.properties.coq.checks": ("proofs/*.v", "proofs/statements.txt"),
    "bufalu.properties.numerics.checks": (
        "properties/numerics/checks.py",
        "properties/claims/tables.py",
        "experiments/paper/verdicts.py",
    ),
    "bufalu.properties.smt.evidence": ("properties/smt/*.py",),
}
"""The modules whose checks speak for claims that other files name, and these files. A test holds all modules to it."""


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


def collect(rooms: tuple[str, ...] = ROOMS, claims: Iterable[str] | None = None) -> Collection:
    """Imports every module of the rooms, and adds the checks from outside.

    With `claims`, only modules that may speak for one of them: sympy and the engine take seconds to load. A module that
    needs a package which is not installed is reported, never hidden.

    Raises the `ImportError` of a module that cannot be imported for any other reason.
    """
    checks: list[Check] = []
    missing: dict[str, str] = {}
    wanted = None if claims is None else tuple(claims)
    for room in rooms:
        for module in modules_of(room):
            if wanted is not None and not may_speak(module, wanted):
                continue
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


def may_speak(module: str, claims: Iterable[str]) -> bool:
    """Whether a module may have a check of one of these claims: it, or a file that it reads them from, has the id.

    The rows of the tables have ids that are put together: there the part before the first point is enough.
    """
    names = {name for claim in claims for name in (claim, f"{claim.partition('.')[0]}.{{")}
    return any(name in text for text in _texts(module) for name in names)


@cache
def _texts(module: str) -> tuple[str, ...]:
    """The text of a module, or of the files that name the claims in its stead."""
    own = f"{module.partition('.')[2].replace('.', '/')}.py"
    paths = (path for pattern in _NAMED_ELSEWHERE.get(module, (own,)) for path in _HOUSE.glob(pattern))
    return tuple(path.read_text(encoding="utf-8") for path in paths)

"""How a check is registered where it is written: one decorator for every kind of evidence."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from bufalu.properties.claims.evidence import (
    AuditProfile,
    Check,
    Decided,
    Evidence,
    EvidenceKind,
    Mutants,
    Verdict,
    Witness,
    check_name,
)
from bufalu.reference.errors import NameTaken

F = TypeVar("F", bound=Callable[..., object])

KINDS = {
    Verdict.CERTIFIED: EvidenceKind.ALGEBRA,
    Verdict.EXACT: EvidenceKind.ALL_CASES,
    Verdict.TESTED: EvidenceKind.GENERATED,
    Verdict.REPRODUCED: EvidenceKind.MONTE_CARLO,
    Verdict.ARGUED: EvidenceKind.LIMIT,
}
"""What a function that gives a `Decided` can establish, with the kind of evidence that it is unless it says another."""

_CHECKS: dict[str, Check] = {}


def check(
    *claims: str,
    mutants: Mutants,
    verdict: Verdict | None = None,
    kind: EvidenceKind | None = None,
    name: str | None = None,
) -> Callable[[F], F]:
    """A decorator: the function is a check of these claims.

    With a `verdict` the function takes the constants of its statement, with the right ones as defaults, and gives a
    `Decided`: if it holds, the claims get this verdict, else they are REFUTED. Without one it takes an `AuditProfile`
    first and gives `Evidence` of the given `kind`. Each of the `mutants` is a wrong version: arguments with which the
    check must say REFUTED. The name of the check is the function's, below its room, unless it is given.
    """

    def register_function(function: F) -> F:
        chosen = name or check_name(function.__module__.split(".")[2], function.__name__)
        if verdict is not None:
            known = kind or KINDS[verdict]
            register(Check(chosen, claims, known, deciding(function, claims, verdict, known), mutants=mutants))
        else:
            assert kind is not None, f"{chosen} does not say which kind of evidence it gives"
            run: Callable[..., Evidence] = function  # type: ignore[assignment]  # what the docstring asks for
            register(Check(chosen, claims, kind, run, mutants=mutants))
        return function

    return register_function


certified = partial(check, verdict=Verdict.CERTIFIED)
exact = partial(check, verdict=Verdict.EXACT)
argued = partial(check, verdict=Verdict.ARGUED)
erratum = partial(check, verdict=Verdict.ERRATUM)
gap = partial(check, verdict=Verdict.GAP)
"""The decorator with the verdict that the function's claims get if it holds."""


def register(found: Check) -> Check:
    """Puts a check into its room; raises `NameTaken` if another has its name."""
    if found.name in _CHECKS:
        raise NameTaken(f"there is a check '{found.name}' already")
    _CHECKS[found.name] = found
    return found


def checks_of(room: str) -> tuple[Check, ...]:
    """The checks that the loaded modules of a room have registered, by name."""
    return tuple(_CHECKS[name] for name in sorted(_CHECKS) if name.startswith(f"{room}."))


def deciding(
    decide: Callable[..., object], claims: tuple[str, ...], verdict: Verdict, kind: EvidenceKind
) -> Callable[..., Evidence]:
    """The evidence of a function that gives a `Decided`; raises `TypeError` if it gives something else."""

    def run(profile: AuditProfile, **changes: object) -> Evidence:
        decided = decide(**changes)
        if not isinstance(decided, Decided):
            raise TypeError(f"{decide.__name__} must give a Decided(holds, detail), not a {type(decided).__name__}")
        given = verdict if decided.holds else Verdict.REFUTED
        witness = decided.witness
        if witness is None and given in (Verdict.ERRATUM, Verdict.GAP, Verdict.REFUTED):
            witness = Witness(decided.detail, f"bufalu audit --only {claims[0]}")
        return Evidence(kind, given, decided.detail, decided.cases, None, decided.slack, witness=witness)

    run.__module__ = decide.__module__
    return run

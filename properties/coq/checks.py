"""Each theorem of the kernel as a check of the claims that it is tied to: by the comment above it, or by the pin."""

from __future__ import annotations

from functools import cache, partial

from bufalu.properties.claims.check import check
from bufalu.properties.claims.evidence import AuditProfile, Evidence, Verdict, check_name
from bufalu.properties.claims.shared_work import shared_work
from bufalu.properties.coq.kernel import KIND, KernelReport, check_proofs, judged, pinned, speaking, ties
from bufalu.properties.coq.theorem import Theorem
from bufalu.properties.coq.theorems import THEOREMS
from bufalu.reference.errors import BufaluError


@cache
def _shared_outcome() -> KernelReport | BufaluError:
    """The one build of this process. A rejection is kept too, so that it is not built again for every theorem."""
    try:
        with shared_work("the Coq build of all proofs"):
            return check_proofs()
    except BufaluError as problem:
        return problem


def _evidence(place: str, claims: tuple[str, ...], theorem: Theorem | None, _profile: AuditProfile) -> Evidence:
    outcome, pin = _shared_outcome(), pinned()
    if (objection := judged(outcome, pin, place, claims)) is not None:
        return objection
    assert isinstance(outcome, KernelReport)
    assert theorem is not None
    recalled = ", cached: the same text was built before" if outcome.cached else ""
    surface = pin.surface(place)
    return Evidence(
        KIND,
        Verdict.ERRATUM if theorem.refutes else Verdict.PROVED,
        f"{theorem.file}, {theorem.name}: {theorem.says}. Differs from print: {theorem.differs}. Accepted by the kernel of "
        f"Coq {outcome.coq}{recalled}; rests on at most {', '.join(pin.axioms) or 'no axiom'}. To believe it, read "
        f"{sum(entry.lines for entry in surface.values())} lines: the statement and {len(surface) - 1} definitions.",
    )


_BY_PLACE = {theorem.place: theorem for theorem in THEOREMS}


def name_of(place: str) -> str:
    """The name of a theorem's check; one that only the pin has, as after a move to another file, is called by its place."""
    return f"coq.{place.rpartition('.')[2]}" if place in _BY_PLACE else check_name("coq", place)


for _place, _claims in speaking(ties(THEOREMS), pinned().ties).items():
    _theorem = _BY_PLACE.get(_place)
    check(
        *_claims,
        kind=KIND,
        name=name_of(_place),
        mutants={} if _theorem is None else _theorem.mutants,
    )(partial(_evidence, _place, _claims, _theorem))

"""The ledger of a claim: what is assumed, what is trusted and what is not claimed, from the evidence that it has.

Beside it the theorem of the kernel that speaks for the claim, in words and in Coq.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from markupsafe import Markup

from bufalu.properties.audit.running import ClaimResult, kinds_of_evidence
from bufalu.properties.claims import Claim
from bufalu.properties.claims.evidence import EvidenceKind, Verdict
from bufalu.properties.coq.kernel import pinned
from bufalu.properties.coq.theorem import NO_DIFFERENCE, Theorem
from bufalu.properties.coq.theorems import PROOFS, THEOREMS, written_texts

_PYTHON = "CPython's integers and fractions"
_COMPARISONS = "the argument behind exact comparisons (ln t is transcendental; docs/soundness.md)"
_STATED = re.compile(r"(?:Theorem|Lemma|Corollary|Definition) ([\w']+)")
_OTHER_INSTANCES = "other instances and longer horizons than those listed"


@dataclass(frozen=True)
class Terms:
    """What a kind of evidence asks a reader to trust, and what it leaves open."""

    trusted: tuple[str, ...]
    not_claimed: tuple[str, ...]


TERMS: Mapping[EvidenceKind, Terms] = {
    EvidenceKind.COQ: Terms(
        ("the Coq kernel and the axioms of its real numbers", "that the formal statement means the printed one"),
        ("reward laws without finite support in the lower bounds", "floating point"),
    ),
    EvidenceKind.SMT: Terms(
        ("z3 (the full profile asks cvc5 as well)", "that the formula means the printed statement"),
        ("probabilities: a solver speaks of single rounds and of inductions whose step it proves",),
    ),
    EvidenceKind.CODE_PATHS: Terms(
        ("z3", "CPython, which runs the code on symbolic numbers"),
        ("numbers of arms beyond those that the evidence names",),
    ),
    EvidenceKind.ALGEBRA: Terms(
        ("sympy, for identities of formulas", _PYTHON), ("anything outside the stated domain",)
    ),
    EvidenceKind.ENCLOSURE: Terms(
        ("python-flint (arb), for directed rounding",), ("anything outside the stated domain",)
    ),
    EvidenceKind.ALL_CASES: Terms((_PYTHON, _COMPARISONS), ("cases outside the stated list",)),
    EvidenceKind.EXAMPLE: Terms((_PYTHON,), ("more than the one example",)),
    EvidenceKind.REFERENCE_RUN: Terms((_PYTHON, _COMPARISONS), ("other inputs than the stated ones",)),
    EvidenceKind.EXACT_LAW: Terms((_PYTHON, _COMPARISONS), (_OTHER_INSTANCES,)),
    EvidenceKind.GENERATED: Terms(
        (_PYTHON, _COMPARISONS, "Hypothesis, to propose cases"), ("that no run breaks it",)
    ),
    EvidenceKind.MONTE_CARLO: Terms(
        ("the compiled engine (numba), compared with the reference in tests", "the counter-based random stream"),
        ("more digits than the noise allows", "a false-alarm rate of zero"),
    ),
    EvidenceKind.ENGINE_RUN: Terms(
        ("the compiled engine (numba), compared with the reference in tests",), ("other arms than the stated ones",)
    ),
    EvidenceKind.PRINTED: Terms(("the numbers as the paper prints them",), ("that the printed numbers are right",)),
    EvidenceKind.LIMIT: Terms((_PYTHON, "sympy, for limits"), ("the statement itself: only a step of its proof",)),
    EvidenceKind.NOTHING: Terms((), ("anything",)),
}

SETTING = "the paper's setting (Section 2), with rewards in [0, 1] (l.391)"


def ledger(result: ClaimResult) -> list[tuple[str, tuple[str, ...]]]:
    """The three lists, each with its name."""
    claim = result.claim
    kinds = kinds_of_evidence([result]) or (EvidenceKind.NOTHING,)
    assumed = [*claim.hypotheses] or [SETTING]
    assumed += [f"{name}: {text}" for name, text in _differences(claim)]
    trusted = [item for kind in kinds for item in TERMS[kind].trusted]
    open_ends = [item for kind in kinds for item in TERMS[kind].not_claimed]
    if result.verdict is Verdict.ERRATUM:
        open_ends.append("that the paper's conclusions fall: the corrected claim says what stands")
    if claim.although:
        trusted.append(f"rests on claims of weaker verdict: {claim.although}")
    parts = (("Assumed", assumed), ("Trusted", trusted), ("Not claimed", open_ends))
    return [(name, tuple(dict.fromkeys(items))) for name, items in parts]


def coq_statement(claim: Claim) -> dict[str, object] | None:
    """The kernel's theorem that speaks for a claim, in words and in Coq, with all that there is to read of it."""
    theorem = _speaking_for(claim)
    if theorem is None or theorem.place not in pinned().theorems:
        return None
    surface = pinned().surface(theorem.place)
    statement, *definitions = surface
    return {
        "theorem": theorem,
        "place": statement,
        "text": _linked(surface[statement].text),
        "lines": sum(entry.lines for entry in surface.values()),
        "definitions": definitions,
    }


def coq_definitions(claims: Iterable[Claim]) -> list[tuple[str, Markup]]:
    """The definitions that the kernel's theorems for these claims go back to, each once, as Coq prints them."""
    places = {pinned().theorem_of(claim.id) for claim in claims}
    needed = {name for place in pinned().theorems if place in places for name in pinned().surface(place)}
    return [(name, _linked(entry.text)) for name, entry in pinned().definitions.items() if name in needed]


def coq_files(claims: Iterable[Claim]) -> list[tuple[str, Markup]]:
    """The files with the kernel's theorems for these claims, as they are written, with an anchor where each begins."""
    theorems = [theorem for theorem in map(_speaking_for, claims) if theorem is not None]
    names, files = {theorem.name for theorem in theorems}, {theorem.file for theorem in theorems}
    return [(file, _anchored(text, names)) for file, text in written_texts(PROOFS).items() if file in files]


def _anchored(text: str, names: Collection[str]) -> Markup:
    """A file of ours, with an anchor before each statement of these names."""
    lines = (
        Markup('<span id="written-{}"></span>{}').format(stated[1], line)
        if (stated := _STATED.match(line)) and stated[1] in names
        else line
        for line in text.splitlines(keepends=True)
    )
    return Markup().join(lines)


def _linked(text: str) -> Markup:
    """What Coq prints, every name of ours in it a link to its definition."""
    anchors = _anchors()
    parts = re.split(r"([A-Za-z_][\w']*(?:\.[A-Za-z_][\w']*)+)", text)
    links = (
        Markup('<a href="#coq-{}">{}</a>').format(anchors[part], part) if part in anchors else part for part in parts
    )
    return Markup().join(links)


@cache
def _anchors() -> Mapping[str, str]:
    """For every name in what Coq prints, the definition to read; names that stand for parts of one lead to the whole."""
    found = {part: name for name, entry in pinned().definitions.items() for part in entry.also}
    return found | {name: name for name in pinned().definitions}


def _speaking_for(claim: Claim) -> Theorem | None:
    return next((theorem for theorem in THEOREMS if claim.id in theorem.claims), None)


def _differences(claim: Claim) -> list[tuple[str, str]]:
    """How the kernel's statements differ from the print: what a reader of the theorem takes for granted."""
    theorem = _speaking_for(claim)
    return [] if theorem is None or theorem.differs in NO_DIFFERENCE else [(theorem.name, theorem.differs)]

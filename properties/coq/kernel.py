"""The Coq kernel as a witness: builds `proofs/`, and compares what Coq prints of them with what is pinned.

Coq is optional: without it the answer is a plain "not run", with the reason.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from bufalu.properties.claims.evidence import Evidence, EvidenceKind, Verdict
from bufalu.properties.coq import asking, hypotheses, pin, replaying
from bufalu.properties.coq.asking import EVERY_THEOREM, UnreadableBuild, entries, library, what_all_rest_on
from bufalu.properties.coq.building import NOTES, as_one_unit, built, default_cache, find_coqc, once, version_of
from bufalu.properties.coq.hypotheses import used_by_proofs
from bufalu.properties.coq.pin import PINNED, PROVED_BY, REFUTED_BY, Pin, first_difference, read_pin
from bufalu.properties.coq.theorem import Theorem
from bufalu.properties.coq.theorems import (
    PROOFS,
    STANDARD_AXIOMS,
    VECTORS,
    catalogue,
    ordered_files,
    pinned_theorems,
    written_texts,
)
from bufalu.properties.coq.vectors import vectors_source
from bufalu.reference.errors import BufaluError

KIND = EvidenceKind.COQ
NO_COMPILER = "coqc is not installed: `sudo apt-get install coq` (on macOS `brew install coq`) and audit again"
_ANSWER = re.compile(r"^(?=Axioms:$|Closed under the global context$)", flags=re.MULTILINE)


class UnexpectedAxiom(BufaluError):
    """A theorem rests on something else than the axioms of Coq's real numbers."""


@dataclass(frozen=True)
class KernelReport:
    """What the kernel accepted, as Coq prints it. `not_run` is None, or why there was nothing to say.

    A `cached` report recalls a build of the very same text by the same version of Coq. `used` has the hypotheses of its
    section that each proof uses, by the place of its theorem.
    """

    found: Pin
    coq: str | None
    not_run: str | None = None
    cached: bool = False
    used: Mapping[str, str] = field(default_factory=dict)


def ties(theorems: Iterable[Theorem]) -> dict[str, str]:
    """Each claim that a theorem speaks for, by the comments above the theorems, as the pin says it."""
    return {
        claim: f"{REFUTED_BY if claim in theorem.refutes else PROVED_BY} {theorem.place}"
        for theorem in theorems
        for claim in theorem.claims
    }


def speaking(*tied: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The claims of each theorem, by the comments or by the pin: one that is untied from its theorem is missed."""
    found: dict[str, list[str]] = {}
    for claim, tie in dict.fromkeys(pair for mapping in tied for pair in mapping.items()):
        found.setdefault(tie.rpartition(" ")[2], []).append(claim)
    return {place: tuple(dict.fromkeys(claims)) for place, claims in found.items()}


def check_proofs(
    directory: Path = PROOFS, vectors: str | None = None, cache_directory: Path | None = None
) -> KernelReport:
    """Builds the development with freshly generated vectors, or recalls the build of the very same text.

    Raises ProofRejected or ModelDisagrees if Coq rejects a file, UnexpectedAxiom if a theorem rests on more than the
    standard axioms, UnreadableBuild if Coq's answer is not understood.
    """
    theorems = catalogue(directory)
    compiler = find_coqc()
    if compiler is None:
        return KernelReport(Pin(ties(theorems), (), {}, {}), None, NO_COMPILER)
    texts, version, pinned = built_texts(directory, vectors), version_of(compiler), pinned_theorems(theorems)
    everything = [theorem.place for theorem in theorems]

    def ask() -> str:
        with built(compiler, texts) as folder, library(compiler, folder) as asked:
            stated, definitions = entries(asked, pinned)
            axioms = axioms_in(asked.ask(what_all_rest_on(everything)))
            notes = folder / NOTES  # no verdict needs them, and a compiler need not write them
            used = used_by_proofs(as_one_unit(texts), notes.read_text(encoding="utf-8") if notes.exists() else "")
        return json.dumps([Pin(ties(theorems), axioms, stated, definitions).text(), used])

    reading = [inspect.getsource(module) for module in (asking, hypotheses, pin, replaying)]
    question = [version, reading, list(texts.items())]
    answer, cached = once(cache_directory or default_cache(), question, ask)
    text, used = json.loads(answer)
    found = read_pin(text)
    if foreign := sorted({*found.axioms} - STANDARD_AXIOMS):
        raise UnexpectedAxiom(f"{EVERY_THEOREM} rests on {', '.join(foreign)}")
    return KernelReport(found, version, cached=cached, used=used)


def built_texts(directory: Path, vectors: str | None = None) -> dict[str, str]:
    """Every file that has theorems, in the order of the build, the vectors freshly written."""
    texts = written_texts(directory)
    if VECTORS in ordered_files(directory):
        texts[VECTORS] = vectors_source() if vectors is None else vectors
    return {name: texts[name] for name in ordered_files(directory) if name in texts}


def axioms_in(output: str) -> tuple[str, ...]:
    """The axioms in the one answer about them: they start a line, their types are indented or follow a colon."""
    answers = _ANSWER.split(output)[1:]
    if len(answers) != 1:
        raise UnreadableBuild(f"Coq reported assumptions {len(answers)} times; it was asked once")
    lines = answers[0].splitlines()[1:]
    return tuple(sorted(line.split()[0] for line in lines if line and not line[0].isspace()))


@cache
def pinned(directory: Path = PROOFS) -> Pin:
    """What a person has read."""
    return read_pin((directory / PINNED).read_text(encoding="utf-8"))


def judged(outcome: KernelReport | BufaluError, read: Pin, place: str, claims: Iterable[str]) -> Evidence | None:
    """Why a theorem does not settle the claims that it is tied to, by the comments or by the pin; None if it does."""
    if isinstance(outcome, BufaluError):
        return Evidence(KIND, Verdict.REFUTED, f"{place} is not proved by this build: {outcome}")
    for claim in claims:
        now, then = (each.ties.get(claim, "without a theorem") for each in (outcome.found, read))
        if now != then:
            return Evidence(KIND, Verdict.REFUTED, f"{claim} is {now}, and pinned in {PINNED} as {then}")
    if outcome.not_run is not None:
        return Evidence(KIND, Verdict.NOT_RUN, f"the kernel check did not run: {outcome.not_run}")
    if foreign := {*outcome.found.axioms} - {*read.axioms}:
        return Evidence(KIND, Verdict.REFUTED, f"{EVERY_THEOREM} rests on {', '.join(sorted(foreign))}, not pinned")
    difference = first_difference(outcome.found, read, place)
    return None if difference is None else Evidence(KIND, Verdict.REFUTED, difference)


def _main() -> None:
    """Writes `proofs/statements.txt` for the sources as they are. Needs Coq."""
    report = check_proofs()
    if report.not_run is not None:
        raise SystemExit(report.not_run)
    (PROOFS / PINNED).write_text(report.found.text(), encoding="utf-8")


if __name__ == "__main__":
    _main()

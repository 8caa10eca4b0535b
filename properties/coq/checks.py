"""The Coq kernel as a witness: builds `proofs/`, reads what every theorem says and rests on, and says so claim by claim.

Coq is optional: without it the answer is a plain "not run", with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from bufalu.properties.claims.check import check
from bufalu.properties.claims.evidence import AuditProfile, Evidence, EvidenceKind, Verdict
from bufalu.properties.claims.shared_work import shared_work
from bufalu.properties.coq.building import compiled, default_cache, find_coqc, once, version_of
from bufalu.properties.coq.statements import PINNED, Statements, printed_statements, read_pinned, used_definitions
from bufalu.properties.coq.theorem import Theorem
from bufalu.properties.coq.theorems import (
    ASSUMPTIONS,
    EVERY_THEOREM,
    PROOFS,
    STANDARD_AXIOMS,
    THEOREMS,
    VECTORS,
    assumptions_source,
    catalogue,
    ordered_files,
    written_texts,
)
from bufalu.properties.coq.vectors import vectors_source
from bufalu.reference.errors import BufaluError

KIND = EvidenceKind.COQ
NO_COMPILER = "coqc is not installed: `sudo apt-get install coq` (on macOS `brew install coq`) and audit again"
_ANSWER = r"^(?=Axioms:$|Closed under the global context$)"


class UnexpectedAxiom(BufaluError):
    """A theorem rests on something else than the axioms of Coq's real numbers."""


class UnreadableBuild(BufaluError):
    """Coq's output does not have a statement for each theorem and one report of assumptions."""


class DefinitionChanged(BufaluError):
    """A definition behind the theorems is not the one that `proofs/statements.txt` pins."""


@dataclass(frozen=True)
class ProvedTheorem:
    """A theorem that the kernel accepted: what Coq prints for it, what is pinned, the axioms that it rests on at most.

    Those are the axioms of all theorems together: asking Coq for each alone took longer than many of the proofs.
    """

    theorem: Theorem
    statement: str
    pinned: str | None
    assumptions: tuple[str, ...]


@dataclass(frozen=True)
class KernelReport:
    """What the kernel said. `not_run` is None, or why there was nothing to say.

    A `cached` report recalls a build of the very same text by the same version of Coq.
    """

    proved: tuple[ProvedTheorem, ...]
    coq: str | None
    not_run: str | None = None
    cached: bool = False


def check_proofs(
    directory: Path = PROOFS, vectors: str | None = None, cache_directory: Path | None = None
) -> KernelReport:
    """Builds the development with freshly generated vectors, or recalls the build of the very same text.

    Raises ProofRejected or ModelDisagrees if Coq rejects a file, UnexpectedAxiom if a theorem rests on more than the
    standard axioms, DefinitionChanged if a definition is not the pinned one, UnreadableBuild if Coq's answer is not
    understood.
    """
    compiler = find_coqc()
    if compiler is None:
        return KernelReport((), None, NO_COMPILER)
    build = _build(compiler, directory, vectors, cache_directory or default_cache())
    pinned = read_pinned((directory / PINNED).read_text(encoding="utf-8"))
    _compare_definitions(build.statements.definitions, pinned.definitions)
    proved = tuple(
        ProvedTheorem(theorem, statement, pinned.theorems.get(theorem.name), build.assumptions)
        for theorem, statement in zip(catalogue(directory), build.statements.theorems.values(), strict=True)
    )
    return KernelReport(proved, build.version, cached=build.cached)


@cache
def _shared_outcome() -> KernelReport | BufaluError:
    """The one build of this process. A rejection is kept too, so that it is not built again for every theorem."""
    try:
        with shared_work("the Coq build of all proofs"):
            return check_proofs()
    except BufaluError as problem:
        return problem


def _evidence(theorem: Theorem, _profile: AuditProfile) -> Evidence:
    outcome = _shared_outcome()
    if isinstance(outcome, BufaluError):
        return Evidence(KIND, Verdict.REFUTED, f"{theorem.name} is not proved by this build: {outcome}")
    if outcome.not_run is not None:
        return Evidence(KIND, Verdict.NOT_RUN, f"the kernel check did not run: {outcome.not_run}")
    found = next((each for each in outcome.proved if each.theorem.name == theorem.name), None)
    if found is None:
        return Evidence(KIND, Verdict.REFUTED, f"{theorem.name} is not in the build")
    if found.statement != found.pinned:
        return Evidence(
            KIND, Verdict.REFUTED, f"{theorem.name} does not say what is pinned in {PINNED}: {found.statement}"
        )
    recalled = ", cached: the same text was built before" if outcome.cached else ""
    return Evidence(
        KIND,
        Verdict.ERRATUM if theorem.refutes else Verdict.PROVED,
        f"{theorem.file}, {theorem.name}: {theorem.says}. Differs from print: {theorem.differs}. Accepted by the kernel of "
        f"Coq {outcome.coq}{recalled}; rests on at most {', '.join(found.assumptions) or 'no axiom'}.{_shared(theorem)}",
    )


def _shared(theorem: Theorem) -> str:
    """Which claims it does not settle alone."""
    parts = [f"{part.claim} ({part.number} of {part.of})" for part in theorem.settles if part.of > 1]
    return f" One of several theorems that settle {', '.join(parts)} together." if parts else ""


@dataclass(frozen=True)
class _Build:
    """An accepted build: what the theorems say, and what they rest on all together."""

    version: str
    statements: Statements
    assumptions: tuple[str, ...]
    cached: bool


def _build(compiler: str, directory: Path, vectors: str | None, cache_directory: Path) -> _Build:
    """Compiles the development, or recalls what Coq said about the very same text, and reads the answer."""
    texts = _texts(directory, vectors)
    version = version_of(compiler)
    asked = [version, list(texts.items())]
    output, cached = once(cache_directory, asked, partial(compiled, compiler, texts))
    assumptions = _read_assumptions(texts[ASSUMPTIONS], output)
    theorems = _read_statements(output, catalogue(directory))
    # The vectors are written anew for every build, so they are no part of what is pinned.
    definitions = used_definitions({name: texts[name] for name in texts if name != VECTORS}, theorems.values())
    return _Build(version, Statements(theorems, definitions), assumptions, cached)


def _compare_definitions(found: Mapping[str, str], pinned: Mapping[str, str]) -> None:
    """Raises DefinitionChanged with the first definition that is not the pinned one."""
    for place in (*found, *pinned):
        if found.get(place) != pinned.get(place):
            text = found.get(place, "the theorems no longer use it")
            raise DefinitionChanged(f"{place} is not as pinned in {PINNED}: {text}")


def _texts(directory: Path, vectors: str | None = None) -> dict[str, str]:
    """Every file in the order of the build, with the vectors and the questions about assumptions freshly written."""
    written = written_texts(directory)
    made = {ASSUMPTIONS: assumptions_source(directory)}
    if VECTORS in (names := ordered_files(directory)):
        made[VECTORS] = vectors_source() if vectors is None else vectors
    return {name: made[name] if name in made else written[name] for name in names}


def _read_statements(output: str, theorems: Sequence[Theorem]) -> dict[str, str]:
    """The statement of every theorem, in their order."""
    printed = printed_statements(re.split(_ANSWER, output, maxsplit=1, flags=re.MULTILINE)[0])
    if missing := [theorem.name for theorem in theorems if theorem.name not in printed]:
        raise UnreadableBuild(f"Coq did not print what {missing[0]} says")
    return {theorem.name: printed[theorem.name] for theorem in theorems}


def _read_assumptions(commands: str, output: str) -> tuple[str, ...]:
    """The axioms behind all theorems, from the one question about them and its answer."""
    asked = re.findall(r"^Print Assumptions (\w+)\.$", commands, flags=re.MULTILINE)
    if asked != [EVERY_THEOREM]:
        raise UnreadableBuild(f"{ASSUMPTIONS} does not ask what {EVERY_THEOREM} rests on, and nothing else")
    answers = re.split(_ANSWER, output, flags=re.MULTILINE)[1:]
    if len(answers) != 1:
        raise UnreadableBuild(f"Coq reported assumptions {len(answers)} times; it was asked once")
    axioms = _axioms(answers[0])
    if foreign := sorted(set(axioms) - STANDARD_AXIOMS):
        raise UnexpectedAxiom(f"{EVERY_THEOREM} rests on {', '.join(foreign)}")
    return axioms


def _axioms(answer: str) -> tuple[str, ...]:
    """The names in one answer: they start a line, their types are indented or follow a colon."""
    lines = answer.splitlines()[1:]
    return tuple(line.split()[0] for line in lines if line and not line[0].isspace())


for _theorem in THEOREMS:
    if _theorem.claims or _theorem.refutes:
        _claims = _theorem.claims or _theorem.refutes
        check(*_claims, kind=KIND, name=f"coq.{_theorem.name}", mutants=_theorem.mutants)(
            partial(_evidence, _theorem)
        )


def _main() -> None:
    """Prints the text of `proofs/statements.txt` for the sources as they are. Needs Coq."""
    compiler = find_coqc()
    if compiler is None:
        raise SystemExit("needs coqc")
    print(_build(compiler, PROOFS, None, default_cache()).statements.text(), end="")


if __name__ == "__main__":
    _main()

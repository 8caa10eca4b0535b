"""The Coq kernel as a witness: builds `proofs/`, reads what every main theorem rests on, and says so claim by claim.

Coq is optional, and an installed wheel has no `.v` files: then the answer is a plain "not run", with the reason.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from time import perf_counter

from bufalu.properties.claims.evidence import AuditProfile, Check, Evidence, EvidenceKind, Verdict
from bufalu.properties.coq.theorem import Theorem
from bufalu.properties.coq.theorems import EVERY_THEOREM, STANDARD_AXIOMS, THEOREMS
from bufalu.properties.coq.vectors import vectors_source
from bufalu.reference.errors import BufaluError

KIND = EvidenceKind.COQ
VECTORS = "Vectors.v"
ASSUMPTIONS = "Assumptions.v"
SECONDS_PER_FILE = 300
CLOSED = "Closed under the global context"


class ProofRejected(BufaluError):
    """The Coq kernel did not accept a file; the message names the file and quotes Coq."""


class ModelDisagrees(ProofRejected):
    """A test vector of the Python reference contradicts the Coq model of the decision relation."""


class UnexpectedAxiom(BufaluError):
    """A theorem rests on something else than the axioms of Coq's real numbers."""


class UnreadableBuild(BufaluError):
    """Coq's output does not have one report of assumptions for each main theorem."""


@dataclass(frozen=True)
class ProvedTheorem:
    """A theorem that the kernel accepted, and the axioms that it rests on at most."""

    theorem: Theorem
    assumptions: tuple[str, ...]


@dataclass(frozen=True)
class KernelReport:
    """What the kernel said. `not_run` is None, or why there was nothing to say."""

    proved: tuple[ProvedTheorem, ...]
    coq: str | None
    seconds: float
    not_run: str | None = None


def sources() -> Path | None:
    """The directory of the `.v` files, or None in an installation without them."""
    directory = Path(__file__).resolve().parents[2] / "proofs"
    return directory if (directory / "_CoqProject").is_file() else None


def find_coqc() -> str | None:
    """The Coq compiler: the environment variable COQC if set, else `coqc` on the path, else None."""
    return shutil.which(os.environ.get("COQC", "coqc"))


def default_cache() -> Path:
    """Where finished builds are remembered: under XDG_CACHE_HOME, or ~/.cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bufalu" / "proofs"


def ordered_files(directory: Path) -> tuple[str, ...]:
    """The files of `_CoqProject`, in the order in which they must be compiled."""
    lines = (directory / "_CoqProject").read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line.endswith(".v"))


def check_proofs(
    directory: Path | None = None, vectors: str | None = None, cache_directory: Path | None = None
) -> KernelReport:
    """Builds the development with freshly generated vectors, or recalls the build of the very same text.

    Raises ProofRejected or ModelDisagrees if Coq rejects a file, UnexpectedAxiom if a theorem rests on more than the
    standard axioms, UnreadableBuild if Coq's answer is not understood.
    """
    compiler = find_coqc()
    directory = directory or sources()
    if directory is None:
        return KernelReport((), None, 0.0, "the Coq sources are not part of an installed package")
    if compiler is None:
        return KernelReport((), None, 0.0, "coqc is not installed (Debian: apt-get install coq)")
    texts = {name: (directory / name).read_text(encoding="utf-8") for name in ordered_files(directory)}
    texts[VECTORS] = vectors_source() if vectors is None else vectors
    version = _version(compiler)
    remembered = (cache_directory or default_cache()) / f"{_digest(version, texts)}.json"
    recalled = _recall(remembered)
    started = perf_counter()
    if recalled is None:
        output = _compile(compiler, texts)
    else:
        output = recalled
    proved = _read(texts[ASSUMPTIONS], output)
    if recalled is None:
        _remember(remembered, output)
    return KernelReport(proved, version, perf_counter() - started)


def checks() -> tuple[Check, ...]:
    """One check for each theorem that settles a claim; they share one build."""
    return tuple(
        Check(f"coq.{theorem.name}", theorem.claims, KIND, partial(_evidence, theorem))
        for theorem in THEOREMS
        if theorem.claims
    )


@cache
def _shared_report() -> KernelReport:
    return check_proofs()


def _evidence(theorem: Theorem, _profile: AuditProfile) -> Evidence:
    try:
        report = _shared_report()
    except ModelDisagrees as disagreement:
        return Evidence(KIND, Verdict.REFUTED, str(disagreement))
    if report.not_run is not None:
        return Evidence(KIND, Verdict.NOT_RUN, f"the kernel check did not run: {report.not_run}")
    found = next(each for each in report.proved if each.theorem == theorem)
    return Evidence(
        KIND,
        Verdict.PROVED,
        f"{theorem.file}, {theorem.name}: {theorem.says}. Differs from print: {theorem.differs}. Accepted by the "
        f"kernel of Coq {report.coq}; rests on at most {', '.join(found.assumptions) or 'no axiom'}.",
        seconds=report.seconds,
    )


def _version(compiler: str) -> str:
    shown = subprocess.run([compiler, "--print-version"], capture_output=True, text=True, check=True).stdout
    return shown.split()[0]


def _digest(version: str, texts: dict[str, str]) -> str:
    """A key for the build: the compiler's version, and every text in its order."""
    return hashlib.sha256(json.dumps([version, list(texts.items())]).encode()).hexdigest()


def _recall(remembered: Path) -> str | None:
    """The output of an earlier build of the same text; None if there is none or it cannot be read."""
    try:
        output = json.loads(remembered.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return output if isinstance(output, str) else None


def _remember(remembered: Path, output: str) -> None:
    """Keeps an accepted build. A directory that cannot be written only costs time on the next run."""
    try:
        remembered.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", dir=remembered.parent, suffix=".part", delete=False, encoding="utf-8"
        ) as part:
            json.dump(output, part)
        Path(part.name).replace(remembered)
    except OSError:
        return


def _compile(compiler: str, texts: dict[str, str]) -> str:
    """Compiles every file in a directory of its own; gives what `Assumptions.v` printed."""
    printed = ""
    with tempfile.TemporaryDirectory(prefix="bufalu-proofs-") as place:
        for name, text in texts.items():
            (Path(place) / name).write_text(text, encoding="utf-8")
        for name in texts:
            command = [compiler, "-q", "-R", ".", "Bufalu", name]
            try:
                done = subprocess.run(
                    command, cwd=place, capture_output=True, text=True, check=False, timeout=SECONDS_PER_FILE
                )
            except subprocess.TimeoutExpired as late:
                raise ProofRejected(f"Coq took more than {SECONDS_PER_FILE} s for {name}") from late
            if done.returncode != 0:
                raise _rejection(name, done.stderr)
            if name == ASSUMPTIONS:
                printed = done.stdout
    return printed


def _rejection(name: str, complaint: str) -> ProofRejected:
    quoted = " ".join(complaint.split())
    if name == VECTORS and "Unable to unify" in quoted:
        return ModelDisagrees(
            "the Python reference and the Coq model disagree; first on V round [intervals] epsilon [the reference's "
            f"decisions, Y with a query and P without]: {quoted}"
        )
    return ProofRejected(f"Coq rejects {name}: {quoted}")


def _read(commands: str, output: str) -> tuple[ProvedTheorem, ...]:
    """Pairs each `Print Assumptions` with its answer, in order."""
    asked = re.findall(r"^Print Assumptions (\w+)\.$", commands, flags=re.MULTILINE)
    answers = re.split(rf"^(?=Axioms:$|{CLOSED}$)", output, flags=re.MULTILINE)[1:]
    if len(asked) != len(answers):
        raise UnreadableBuild(f"Coq reported the assumptions of {len(answers)} theorems; {len(asked)} were asked for")
    assumptions = {name: _axioms(answer) for name, answer in zip(asked, answers, strict=True)}
    for name in (EVERY_THEOREM, *(theorem.name for theorem in THEOREMS if theorem.main)):
        if name not in assumptions:
            raise UnreadableBuild(f"{ASSUMPTIONS} does not ask what {name} rests on")
        if foreign := sorted(set(assumptions[name]) - STANDARD_AXIOMS):
            raise UnexpectedAxiom(f"{name} rests on {', '.join(foreign)}")
    return tuple(
        ProvedTheorem(theorem, assumptions.get(theorem.name, assumptions[EVERY_THEOREM])) for theorem in THEOREMS
    )


def _axioms(answer: str) -> tuple[str, ...]:
    """The names in one answer: they start a line, their types are indented or follow a colon."""
    lines = answer.splitlines()[1:]
    return tuple(line.split()[0] for line in lines if line and not line[0].isspace())

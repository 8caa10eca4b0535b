"""How a statement becomes a check: a function with the paper's constants as defaults, and wrong constants beside it.

Each statement carries mutants, keyword arguments which make it false. A test runs them all: a check that a wrong
statement survives is a defect.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bufalu.properties.claims.evidence import (
    AuditProfile,
    Check,
    Evidence,
    EvidenceKind,
    Verdict,
    Witness,
    check_name,
)

Mutants = Mapping[str, Mapping[str, object]]
"""Wrong versions by name: the keyword arguments that spoil the statement."""


@dataclass(frozen=True)
class Finding:
    """What a statement's function found: whether it holds, in a sentence, and figures if there are any."""

    holds: bool
    detail: str
    cases: int | None = None
    slack: str | None = None
    witness: Witness | None = None


@dataclass(frozen=True)
class Statement:
    """A statement that a machine decides, the claims it speaks for, and wrong versions that it must refute."""

    claims: tuple[str, ...]
    kind: EvidenceKind
    verdict: Verdict
    examine: Callable[..., Finding]
    mutants: Mutants

    @property
    def name(self) -> str:
        """The name of its check: that of the function."""
        return check_name("algebra", self.examine.__name__)

    def evidence(self, _: AuditProfile) -> Evidence:
        """The evidence of the statement as it stands."""
        return self.evidence_with({})

    def evidence_with(self, changes: Mapping[str, object]) -> Evidence:
        """The evidence of the statement with changed constants."""
        finding = self.examine(**changes)
        verdict = self.verdict if finding.holds else Verdict.REFUTED
        witness = finding.witness
        if witness is None and self.verdict in (Verdict.ERRATUM, Verdict.GAP):
            witness = Witness(finding.detail, f"bufalu audit --only {self.claims[0]}")
        return Evidence(self.kind, verdict, finding.detail, finding.cases, None, finding.slack, witness=witness)


Register = Callable[[Callable[..., Finding]], Callable[..., Finding]]


@dataclass
class Bench:
    """The statements of one module, in order."""

    statements: list[Statement] = field(default_factory=list)

    def statement(self, *claims: str, kind: EvidenceKind, verdict: Verdict, mutants: Mutants) -> Register:
        """Registers a function as the check of these claims."""

        def register(examine: Callable[..., Finding]) -> Callable[..., Finding]:
            self.statements.append(Statement(claims, kind, verdict, examine, mutants))
            return examine

        return register

    def certified(self, *claims: str, kind: EvidenceKind = EvidenceKind.ALGEBRA, mutants: Mutants) -> Register:
        """A statement decided by exact algebra or rigorous enclosures."""
        return self.statement(*claims, kind=kind, verdict=Verdict.CERTIFIED, mutants=mutants)

    def exact(self, *claims: str, kind: EvidenceKind = EvidenceKind.ALL_CASES, mutants: Mutants) -> Register:
        """A statement decided on every case of a stated finite list, in rational arithmetic."""
        return self.statement(*claims, kind=kind, verdict=Verdict.EXACT, mutants=mutants)

    def argued(self, *claims: str, kind: EvidenceKind = EvidenceKind.LIMIT, mutants: Mutants) -> Register:
        """A limit or a cited theorem of which a finite consequence or a step is decided."""
        return self.statement(*claims, kind=kind, verdict=Verdict.ARGUED, mutants=mutants)

    def erratum(
        self, *claims: str, kind: EvidenceKind, mutants: Mutants, verdict: Verdict = Verdict.ERRATUM
    ) -> Register:
        """A witness that a printed statement is wrong; it fails if the witness does not contradict the print."""
        return self.statement(*claims, kind=kind, verdict=verdict, mutants=mutants)

    def checks(self) -> tuple[Check, ...]:
        """The statements as checks for the audit."""
        return tuple(Check(item.name, item.claims, item.kind, item.evidence) for item in self.statements)

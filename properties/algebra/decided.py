"""How a statement becomes a check: a function with the paper's constants as defaults, and wrong constants beside it.

Each statement carries mutants, other constants which make it false. A test runs them all: a check that a wrong
statement survives is a defect. Formulas come from `bounds`, so a mutant there is noticed too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bufalu.properties.claims.evidence import (
    AuditProfile,
    Check,
    Decided,
    Evidence,
    EvidenceKind,
    Verdict,
    Witness,
    check_name,
)

Mutants = Mapping[str, Mapping[str, object]]
"""Wrong versions by name: the constants that spoil the statement."""


@dataclass(frozen=True)
class DecidedStatement:
    """A statement that a machine decides, the claims it speaks for, and wrong versions that it must refute."""

    claims: tuple[str, ...]
    kind: EvidenceKind
    verdict: Verdict
    decide: Callable[..., Decided]
    mutants: Mutants

    @property
    def name(self) -> str:
        """The name of its check: that of the function."""
        return check_name("algebra", self.decide.__name__)

    def evidence(self, changes: Mapping[str, object] | None = None) -> Evidence:
        """The evidence of the statement as it stands, or with changed constants."""
        decided = self.decide(**(changes or {}))
        verdict = self.verdict if decided.holds else Verdict.REFUTED
        witness = decided.witness
        if witness is None and self.verdict in (Verdict.ERRATUM, Verdict.GAP):
            witness = Witness(decided.detail, f"bufalu audit --only {self.claims[0]}")
        return Evidence(self.kind, verdict, decided.detail, decided.cases, None, decided.slack, witness=witness)

    def check(self) -> Check:
        """The statement as a check for the audit."""

        def run(profile: AuditProfile) -> Evidence:
            return self.evidence()

        return Check(self.name, self.claims, self.kind, run)


Register = Callable[[Callable[..., Decided]], Callable[..., Decided]]


@dataclass
class StatementList:
    """The statements of one module, in order; its methods are decorators that add one."""

    statements: list[DecidedStatement] = field(default_factory=list)

    def add(self, *claims: str, kind: EvidenceKind, verdict: Verdict, mutants: Mutants) -> Register:
        """Registers a function as the check of these claims."""

        def register(decide: Callable[..., Decided]) -> Callable[..., Decided]:
            self.statements.append(DecidedStatement(claims, kind, verdict, decide, mutants))
            return decide

        return register

    def certified(self, *claims: str, kind: EvidenceKind = EvidenceKind.ALGEBRA, mutants: Mutants) -> Register:
        """A statement decided by exact algebra or rigorous enclosures."""
        return self.add(*claims, kind=kind, verdict=Verdict.CERTIFIED, mutants=mutants)

    def exact(self, *claims: str, kind: EvidenceKind = EvidenceKind.ALL_CASES, mutants: Mutants) -> Register:
        """A statement decided on every case of a stated finite list, in rational arithmetic."""
        return self.add(*claims, kind=kind, verdict=Verdict.EXACT, mutants=mutants)

    def argued(self, *claims: str, kind: EvidenceKind = EvidenceKind.LIMIT, mutants: Mutants) -> Register:
        """A limit or a cited theorem of which a finite consequence or a step is decided."""
        return self.add(*claims, kind=kind, verdict=Verdict.ARGUED, mutants=mutants)

    def erratum(
        self, *claims: str, kind: EvidenceKind, mutants: Mutants, verdict: Verdict = Verdict.ERRATUM
    ) -> Register:
        """A witness that a printed statement is wrong; it fails if the witness does not contradict the print."""
        return self.add(*claims, kind=kind, verdict=verdict, mutants=mutants)

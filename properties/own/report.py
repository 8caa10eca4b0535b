"""What an audit of one's own found: for each claim whether it is proved, tried and not refuted, fails, or is open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from bufalu.properties.audit.collecting import Collection
from bufalu.properties.audit.running import AuditReport, ClaimResult
from bufalu.properties.claims.claim import GOOD_NEWS, Standing, combined
from bufalu.properties.claims.evidence import AuditProfile, Check, Evidence, EvidenceKind, Verdict
from bufalu.properties.own.questions import FAIR_TIES, SOME_TIES, OwnQuestion
from bufalu.properties.own.subject import OwnSubject

Named = tuple[tuple[str, Evidence], ...]
"""Evidence by the names of its checks."""


class OwnVerdict(Enum):
    """What became of a claim: `value` is the word that is printed."""

    PROVED = "proved"
    UNREFUTED = "not refuted"
    FAILS = "fails"
    FAILS_FOR_SOME_TIES = "fails for some ties"
    OPEN = "open"
    NOT_APPLICABLE = "does not apply"


FAILING = (OwnVerdict.FAILS, OwnVerdict.FAILS_FOR_SOME_TIES)


@dataclass(frozen=True)
class OwnResult(ClaimResult):
    """A claim with its evidence on the user's own, and that of what it supposes of the interval."""

    asked: OwnQuestion
    supposed: Named = ()
    """By the claims that these conditions are."""

    @property
    def verdict(self) -> Verdict:
        """The verdict of a claim from its evidence; where one way of asking had nothing to say, that of the others."""
        verdicts = [evidence.verdict for _, evidence in self.evidence]
        return combined([verdict for verdict in verdicts if verdict is not Verdict.VACUOUS] or verdicts)

    @property
    def outcome(self) -> OwnVerdict:
        """What was asked and not answered is open; so is what does not fail, but supposes a condition that is refuted."""
        if not self.asked.checks:
            return OwnVerdict.OPEN if self.asked.applies else OwnVerdict.NOT_APPLICABLE
        if self.verdict is Verdict.REFUTED:
            refuted = [name for name, evidence in self.evidence if evidence.verdict is Verdict.REFUTED]
            some = all(name.endswith(SOME_TIES) for name in refuted)
            return OwnVerdict.FAILS_FOR_SOME_TIES if some else OwnVerdict.FAILS
        if self.verdict not in GOOD_NEWS or self.refuted_conditions:
            return OwnVerdict.OPEN
        return OwnVerdict.PROVED if self.verdict in (Verdict.PROVED, Verdict.CERTIFIED) else OwnVerdict.UNREFUTED

    @property
    def standing(self) -> Standing:
        """How it counts in a report: what fails is against the record, what is open is below it."""
        if any(evidence.failed for _, evidence in self.evidence):
            return Standing.FAILED
        if self.outcome in FAILING:
            return Standing.MISSED
        return Standing.BELOW if self.outcome is OwnVerdict.OPEN else Standing.REACHED

    @property
    def refuted_conditions(self) -> Named:
        """What the claim supposes of the interval although it is refuted."""
        return tuple((claim, each) for claim, each in self.supposed if each.verdict is Verdict.REFUTED)

    @property
    def detail(self) -> str:
        """Why: what the leading evidence says, or the reason."""
        if self.leading is None:
            return self.asked.reason
        if self.outcome is OwnVerdict.FAILS_FOR_SOME_TIES:
            return f"{self.leading.detail}; {self.of_fair_ties}"
        if self.outcome is OwnVerdict.OPEN and self.refuted_conditions:
            claim, evidence = self.refuted_conditions[0]
            return f"it supposes {claim}, which fails: {evidence.detail}"
        return self.leading.detail

    @property
    def of_fair_ties(self) -> str:
        """What is known of fair ties where some other way of breaking ties fails."""
        said = [each.detail for name, each in self.evidence if name.endswith(FAIR_TIES)]
        return f"with fair ties no law that was tried refutes it: {said[0]}" if said else "fair ties were not asked"


def own_report(
    brought: OwnSubject,
    asked: Sequence[OwnQuestion],
    finished: Mapping[str, Evidence],
    profile: AuditProfile,
    seconds: float,
) -> AuditReport:
    """Sorts finished evidence by claim; a check that has not finished is NOT RUN."""
    missing = Evidence(EvidenceKind.NOTHING, Verdict.NOT_RUN, "the check did not finish")

    def found(check: Check) -> Evidence:
        return brought.with_own_commands(finished.get(check.name, missing))

    results = [
        OwnResult(
            question.claim,
            tuple((check.name, found(check)) for check in question.checks),
            question,
            tuple((check.claims[0], found(check)) for check in question.supposed),
        )
        for question in asked
    ]
    return AuditReport(tuple(results), profile, {}, seconds, options=brought.options)


def own_results(report: AuditReport, *outcomes: OwnVerdict) -> tuple[OwnResult, ...]:
    """The claims of a report on one's own, those of some outcomes alone if any are named."""
    every = [result for result in report.results if isinstance(result, OwnResult)]
    return tuple(result for result in every if not outcomes or result.outcome in outcomes)


def own_collection(asked: Sequence[OwnQuestion]) -> Collection:
    """The checks of these questions and of what they suppose, each once."""
    checks = {check.name: check for question in asked for check in (*question.checks, *question.supposed)}
    return Collection(tuple(checks.values()), {})

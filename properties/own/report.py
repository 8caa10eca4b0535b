"""What an audit of one's own found: for each claim whether it is proved, tried and not refuted, fails, or is open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from bufalu.properties.audit.collecting import Collection
from bufalu.properties.audit.running import AuditReport, ClaimResult
from bufalu.properties.claims.claim import GOOD_NEWS, Standing, combined
from bufalu.properties.claims.evidence import AuditProfile, Check, Evidence, EvidenceKind, Verdict
from bufalu.properties.own.interval_checks import known_inequality
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


def own_objects(brought: OwnSubject, report: AuditReport) -> dict[str, object]:
    """The report for machines."""
    return {
        "subject": brought.name,
        "holds": report.holds,
        "claims": [_object(report, result) for result in own_results(report)],
        "closing": closing(brought, report),
    }


def _object(report: AuditReport, result: OwnResult) -> dict[str, object]:
    witness = result.witness
    return {
        "id": result.claim.id,
        "outcome": result.outcome.value,
        "verdict": result.verdict.value if result.evidence else None,
        "statement": result.claim.statement,
        "detail": result.detail,
        "checks": [name for name, _ in result.evidence],
        "witness": None
        if witness is None
        else {"called": witness.label, "summary": witness.summary, "command": report.replay(result, witness)},
    }


def own_collection(asked: Sequence[OwnQuestion]) -> Collection:
    """The checks of these questions and of what they suppose, each once."""
    checks = {check.name: check for question in asked for check in (*question.checks, *question.supposed)}
    return Collection(tuple(checks.values()), {})


def closing(brought: OwnSubject, report: AuditReport) -> str:
    """A paragraph that a person can act on."""
    return " ".join(_sentences(brought, report))


def _sentences(brought: OwnSubject, report: AuditReport) -> Iterator[str]:
    name, failing = brought.name, own_results(report, *FAILING)
    supposed = {claim for row in own_results(report) for claim, _ in row.refuted_conditions}
    if failing:
        yield f"Of {name}, {_ids(failing)} fail{'s' if len(failing) == 1 else ''}, with a case that shows it."
    elif supposed:
        yield f"What was asked of {name} did not fail, but supposes {' and '.join(sorted(supposed))}, which does."
    else:
        yield f"Nothing that was asked of {name} failed."
    some = own_results(report, OwnVerdict.FAILS_FOR_SOME_TIES)
    if some:
        yield (
            f"For {_ids(some)} the case is a way of breaking ties that never tosses the rule's coins; fair ties were asked "
            "apart from it, and the table says what they gave."
        )
    settled = own_results(report, OwnVerdict.PROVED)
    if proved := [row for row in settled if row.verdict is Verdict.PROVED]:
        yield f"{_ids(proved)} rest on proofs that hold for every interval with LCB <= UCB."
    if certified := [row for row in settled if row.verdict is Verdict.CERTIFIED]:
        yield f"{_ids(certified)} is decided for every count and round."
    if tried := own_results(report, OwnVerdict.UNREFUTED):
        yield (
            f"Tried and not refuted, on the runs and laws that the table counts, which is no proof: {_ids(tried)}. "
            "Another --seed tries others, and --profile full more."
        )
    failed = {row.claim.id for row in failing} | supposed
    if brought.policy is None:
        yield from _advice_on_interval(brought, failed)
    else:
        yield from _advice_on_policy(failed)
    if open_rows := own_results(report, OwnVerdict.OPEN):
        yield f"Open: {_ids(open_rows)}; the table says what each of them needs."


def _advice_on_interval(brought: OwnSubject, failed: set[str]) -> Iterator[str]:
    interval = brought.the_interval
    if "regular.hoeffding" in failed:
        yield (
            "So the interval is not regular with that C, and nothing is known of its theorem: widen the radius, or state a "
            "larger C in `regularity`."
        )
    elif interval.regularity is None:
        yield (
            "The theorem holds of it once its failure probabilities are proved to sum to at most C(T). "
            f"{known_inequality(interval)}. State what is proved in `regularity` (RegularityNumbers), and `bufalu bounds "
            "--confidence` computes the bounds."
        )
    if "regular.hoeffding.queries_shrink_width" in failed:
        yield "The stated N^as or N^g is too small: bounds computed from it mean nothing."
    if "regular.hoeffding.width_nonnegative" in failed:
        yield "A negative width breaks the first condition of regularity, on which everything else rests."


def _advice_on_policy(failed: set[str]) -> Iterator[str]:
    if "gap_query.unqueried_is_near_optimal" in failed:
        yield (
            "It can play an arm without a query that is worse than the best by more than epsilon, so the regret of unqueried "
            "rounds is not under control: the proof of the regret bounds does not carry over, whatever the laws above say."
        )
    if failed & {"gap_query.queried_is_wide", "cap.almost_sure"}:
        yield "It can query where BuFALU must not, so the cap on queries is not guaranteed."
    elif "cap.almost_sure" not in failed:
        yield "No run queried an arm beyond the cap."
    if any(claim.startswith("count.") for claim in failed):
        yield "The counts under the good event fail, and with them the proof of the bounds on expected queries or plays."
    if not failed:
        yield "The bounds are those of BuFALU; that the policy has them for all instances takes a proof of its own."


def _ids(results: Sequence[OwnResult]) -> str:
    names = [result.claim.id for result in results]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"

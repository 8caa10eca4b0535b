"""What an audit of one's own found: for each claim whether it survives, fails, does not apply or is open, and what to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from bufalu.properties.audit.collecting import Collection
from bufalu.properties.audit.running import AuditReport, ClaimResult
from bufalu.properties.claims.claim import GOOD_NEWS, Claim
from bufalu.properties.claims.evidence import AuditProfile, Check, Evidence, EvidenceKind, Verdict, Witness
from bufalu.properties.own.interval_checks import known_inequality
from bufalu.properties.own.questions import Asked
from bufalu.properties.own.subject import Brought


class Outcome(Enum):
    """What became of a claim."""

    SURVIVES = "survives"
    FAILS = "fails"
    OPEN = "open"
    NOT_APPLICABLE = "does not apply"


@dataclass(frozen=True)
class OwnRow:
    """One claim: its evidence on the user's own, or the reason why there is none."""

    asked: Asked
    result: ClaimResult | None

    @property
    def claim(self) -> Claim:
        """The claim."""
        return self.asked.claim

    @property
    def outcome(self) -> Outcome:
        """Survives only by evidence; whatever was asked and not answered is open."""
        if self.result is None:
            return Outcome.OPEN if self.asked.applies else Outcome.NOT_APPLICABLE
        if self.result.verdict is Verdict.REFUTED:
            return Outcome.FAILS
        return Outcome.SURVIVES if self.result.verdict in GOOD_NEWS else Outcome.OPEN

    @property
    def detail(self) -> str:
        """Why: what the leading evidence says, or the reason."""
        if self.result is None or self.result.leading is None:
            return self.asked.reason
        return self.result.leading.detail


@dataclass(frozen=True)
class OwnReport:
    """The outcome of an audit of one's own."""

    brought: Brought
    rows: tuple[OwnRow, ...]
    profile: AuditProfile
    seconds: float
    folder: str | None = None

    @property
    def holds(self) -> bool:
        """Whether nothing fails."""
        return not self.with_outcome(Outcome.FAILS)

    def with_outcome(self, outcome: Outcome) -> tuple[OwnRow, ...]:
        """The rows of one outcome."""
        return tuple(row for row in self.rows if row.outcome is outcome)

    def replay(self, row: OwnRow, witness: Witness) -> str:
        """The command that replays a witness, as it can be typed."""
        rerun = f"bufalu audit{self.brought.options} --only {row.claim.id}{self.profile.options}"
        return witness.replay(rerun, self.folder)

    def closing(self) -> str:
        """A paragraph that a person can act on."""
        return " ".join(_sentences(self))

    def as_audit(self) -> AuditReport:
        """The answered claims as a report of the audit, for the page that shows one.

        The record of a claim is what was found here, unless that contradicts it.
        """
        results = [
            replace(row.result, claim=replace(row.claim, expected=_expected(row.result.verdict)))
            for row in self.rows
            if row.result is not None
        ]
        return AuditReport(tuple(results), self.profile, {}, self.seconds, self.folder, self.brought.options)

    def objects(self) -> dict[str, object]:
        """For machines."""
        return {
            "subject": self.brought.name,
            "holds": self.holds,
            "claims": [self._object(row) for row in self.rows],
            "closing": self.closing(),
        }

    def _object(self, row: OwnRow) -> dict[str, object]:
        witness = None if row.result is None else row.result.witness
        return {
            "id": row.claim.id,
            "outcome": row.outcome.value,
            "verdict": None if row.result is None else row.result.verdict.value,
            "statement": row.claim.statement,
            "detail": row.detail,
            "checks": [] if row.result is None else [name for name, _ in row.result.evidence],
            "witness": None
            if witness is None
            else {"called": witness.label, "summary": witness.summary, "command": self.replay(row, witness)},
        }


def _expected(verdict: Verdict) -> Verdict:
    """What stands as the record of a claim on the page: a survivor's own verdict, and nothing less than ARGUED."""
    return verdict if verdict in GOOD_NEWS else Verdict.ARGUED


def own_report(
    brought: Brought,
    asked: Sequence[Asked],
    finished: Mapping[str, Evidence],
    profile: AuditProfile,
    seconds: float,
) -> OwnReport:
    """Sorts finished evidence by claim; a check that has not finished is NOT RUN."""
    missing = Evidence(EvidenceKind.NOTHING, Verdict.NOT_RUN, "the check did not finish")
    rows = []
    for question in asked:
        result = None
        if question.checks:
            evidence = tuple(
                (check.name, brought.with_own_commands(finished.get(check.name, missing)))
                for check in question.checks
            )
            result = ClaimResult(question.claim, evidence)
        rows.append(OwnRow(question, result))
    return OwnReport(brought, tuple(rows), profile, seconds)


def own_collection(asked: Sequence[Asked]) -> Collection:
    """The checks of these questions, each once."""
    checks: dict[str, Check] = {check.name: check for question in asked for check in question.checks}
    return Collection(tuple(checks.values()), {})


def _sentences(report: OwnReport) -> Iterator[str]:
    name, failing, open_rows = (
        report.brought.name,
        report.with_outcome(Outcome.FAILS),
        report.with_outcome(Outcome.OPEN),
    )
    survivors = report.with_outcome(Outcome.SURVIVES)
    if failing:
        yield f"Of {name}, {_ids(failing)} fail{'s' if len(failing) == 1 else ''}, with a case that shows it."
    else:
        yield f"Nothing that was asked of {name} failed."
    proved = [row for row in survivors if row.result is not None and row.result.verdict is Verdict.PROVED]
    certified = [row for row in survivors if row not in proved and _verdict(row) is Verdict.CERTIFIED]
    rest = [row for row in survivors if row not in proved and row not in certified]
    if proved:
        yield f"{_ids(proved)} rest on proofs that hold for every interval with LCB <= UCB."
    if certified:
        yield f"{_ids(certified)} is decided for every count and round."
    if rest:
        yield (
            f"{_ids(rest)} survived what was tried, which is less than a proof: the generated runs and the listed laws. "
            "Another --seed or --profile full tries more."
        )
    failed = {row.claim.id for row in failing}
    if report.brought.policy is None:
        yield from _advice_on_interval(report, failed)
    else:
        yield from _advice_on_policy(failed)
    if open_rows:
        yield f"Open: {_ids(open_rows)}; the table says what each of them needs."


def _advice_on_interval(report: OwnReport, failed: set[str]) -> Iterator[str]:
    interval = report.brought.the_interval
    if "regular.hoeffding" in failed:
        yield (
            "With these failures the theorem does not give its bounds with that C: widen the radius, or state a larger C "
            "in `regularity`."
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


def _verdict(row: OwnRow) -> Verdict | None:
    return None if row.result is None else row.result.verdict


def _ids(rows: Sequence[OwnRow]) -> str:
    names = [row.claim.id for row in rows]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"

"""The outcome of the audit of one's own interval or policy: what is proved, not refuted, fails, is open or does not apply."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from bufalu.pages.outcome import Case, Ending, FilePlace, Outcome
from bufalu.pages.text import Line, Span, line
from bufalu.properties.audit.running import AuditReport
from bufalu.properties.claims.evidence import Verdict
from bufalu.properties.own.interval_checks import known_inequality
from bufalu.properties.own.report import FAILING, OwnResult, OwnVerdict, own_results
from bufalu.properties.own.subject import OwnSubject

COLOURS = {
    OwnVerdict.PROVED: "green",
    OwnVerdict.UNREFUTED: "cyan",
    OwnVerdict.FAILS: "red",
    OwnVerdict.FAILS_FOR_SOME_TIES: "red",
    OwnVerdict.OPEN: "yellow",
    OwnVerdict.NOT_APPLICABLE: "grey",
}
_VERDICTS = {
    OwnVerdict.PROVED: Ending.CONFORMS,
    OwnVerdict.UNREFUTED: Ending.CONFORMS,
    OwnVerdict.FAILS: Ending.VIOLATES_CLAIMS,
    OwnVerdict.FAILS_FOR_SOME_TIES: Ending.VIOLATES_CLAIMS,
    OwnVerdict.OPEN: Ending.UNFINISHED,
    OwnVerdict.NOT_APPLICABLE: Ending.SKIPPED,
}
DETAILED = 6
"""With at most this many claims their evidence is printed in full."""


def own_outcome(brought: OwnSubject, report: AuditReport, width: int) -> Outcome:
    """One case for each claim; lines are at most `width` wide, but for commands."""
    name, rows, told = brought.name, own_results(report), closing(brought, report)
    return Outcome(
        "bufalu audit",
        name,
        Ending.CONFORMS if report.holds else Ending.VIOLATES_CLAIMS,
        told,
        tuple(Case(row.claim.id, _VERDICTS[row.outcome], row.detail) for row in rows),
        FilePlace(name),
        lines=tuple(_lines(brought, report, width)),
        document={
            "subject": name,
            "holds": report.holds,
            "claims": [_object(report, row) for row in rows],
            "closing": told,
        },
    )


def _lines(brought: OwnSubject, report: AuditReport, width: int) -> Iterator[Line]:
    """The outcomes one by one, those that fail first with their replays; then what to make of it."""
    yield line(Span(f"The paper's claims about {brought.name}", "bold"))
    if len(report.results) <= DETAILED:
        for row in own_results(report):
            yield from _in_full(report, row, width)
    else:
        for row in own_results(report, *FAILING):
            yield from _in_full(report, row, width)
        yield line()
        for outcome in (OwnVerdict.PROVED, OwnVerdict.UNREFUTED, OwnVerdict.OPEN):
            yield from (_in_short(row, width) for row in own_results(report, outcome))
        yield from _not_applicable(report, width)
    counts = [f"{outcome.value}: {len(rows)}" for outcome in OwnVerdict if (rows := own_results(report, outcome))]
    profile = report.profile
    yield line(f"\n{', '.join(counts)} ({profile.name} profile, seed {profile.seed}, {report.seconds:.0f} s)")
    yield line(f"\n{textwrap.fill(closing(brought, report), width)}")


def _in_short(row: OwnResult, width: int) -> Line:
    """A claim in one line: `bufalu audit ... --only CLAIM` tells all."""
    head = f"{row.claim.id:<38}  "
    detail = textwrap.shorten(row.detail, max(30, width - len(head) - 13), placeholder=" ...")
    return line(Span(f"{row.outcome.value:<11}", COLOURS[row.outcome]), f"  {head}{detail}")


def _in_full(report: AuditReport, row: OwnResult, width: int) -> Iterator[Line]:
    """A claim with what it says here, every piece of evidence, and how to replay its witness or closest case."""
    outcome = Span(row.outcome.value, COLOURS[row.outcome])
    yield line("\n", outcome, "  ", Span(row.claim.id, "bold"), f"  ({row.claim.place})")
    yield _paragraph(row.asked.words, width)
    if not row.evidence or row.outcome is OwnVerdict.OPEN:
        yield _paragraph(row.detail, width)
    for name, evidence in row.evidence:
        yield _paragraph(f"{evidence.verdict.value} by {name}: {evidence.detail}", width)
    witness = row.witness
    if witness is not None:
        yield _paragraph(f"{witness.label}: {witness.summary}", width)
        yield line(f"    replay: {report.replay(row, witness)}")


def _not_applicable(report: AuditReport, width: int) -> Iterator[Line]:
    """The claims about something else, by reason."""
    reasons: dict[str, list[str]] = {}
    for row in own_results(report, OwnVerdict.NOT_APPLICABLE):
        reasons.setdefault(row.detail, []).append(row.claim.id)
    for reason, names in reasons.items():
        yield line("\n", Span(OwnVerdict.NOT_APPLICABLE.value, "grey"), f"  {reason}:")
        yield _paragraph(", ".join(names), width)


def _paragraph(text: str, width: int) -> Line:
    return line(textwrap.fill(text, width, initial_indent="    ", subsequent_indent="    "))


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

"""The outcome of the audit of one's own interval or policy: what is proved, not refuted, fails, is open or does not apply."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from bufalu.pages.outcome import Case, Ending, FilePlace, Outcome
from bufalu.pages.text import Line, Span, line
from bufalu.properties.audit.running import AuditReport
from bufalu.properties.own.report import FAILING, OwnResult, OwnVerdict, closing, own_objects, own_results
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
    name = brought.name
    return Outcome(
        "bufalu audit",
        name,
        Ending.CONFORMS if report.holds else Ending.VIOLATES_CLAIMS,
        closing(brought, report),
        tuple(Case(row.claim.id, _VERDICTS[row.outcome], row.detail) for row in own_results(report)),
        FilePlace(name),
        lines=tuple(_lines(brought, report, width)),
        document=own_objects(brought, report),
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

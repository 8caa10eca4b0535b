"""The outcome of the audit of one's own interval or policy: what survives, fails, does not apply, or stays open."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from bufalu.pages.outcome import Case, Outcome, Place, Verdict
from bufalu.pages.text import Line, Span, line
from bufalu.properties.own import report as own
from bufalu.properties.own.report import OwnReport, OwnRow

COLOURS = {
    own.Outcome.SURVIVES: "green",
    own.Outcome.FAILS: "red",
    own.Outcome.OPEN: "yellow",
    own.Outcome.NOT_APPLICABLE: "grey",
}
_VERDICTS = {
    own.Outcome.SURVIVES: Verdict.CONFORMS,
    own.Outcome.FAILS: Verdict.VIOLATES_CLAIMS,
    own.Outcome.OPEN: Verdict.UNFINISHED,
    own.Outcome.NOT_APPLICABLE: Verdict.SKIPPED,
}
DETAILED = 6
"""With at most this many claims their evidence is printed in full."""


def own_outcome(report: OwnReport, width: int) -> Outcome:
    """One case for each claim; lines are at most `width` wide, but for commands."""
    name = report.brought.name
    return Outcome(
        "bufalu audit",
        name,
        Verdict.CONFORMS if report.holds else Verdict.VIOLATES_CLAIMS,
        report.closing(),
        tuple(Case(row.claim.id, _VERDICTS[row.outcome], row.detail) for row in report.rows),
        Place(name),
        lines=tuple(_lines(report, width)),
        document=report.objects(),
    )


def _lines(report: OwnReport, width: int) -> Iterator[Line]:
    """The outcomes one by one, those that fail first with their replays; then what to make of it."""
    yield line(Span(f"The paper's claims about {report.brought.name}", "bold"))
    if len(report.rows) <= DETAILED:
        for row in report.rows:
            yield from _in_full(report, row, width)
    else:
        for row in report.with_outcome(own.Outcome.FAILS):
            yield from _in_full(report, row, width)
        yield line()
        for row in (*report.with_outcome(own.Outcome.SURVIVES), *report.with_outcome(own.Outcome.OPEN)):
            yield _in_short(row, width)
        yield from _not_applicable(report, width)
    counts = [f"{outcome.value}: {len(rows)}" for outcome in own.Outcome if (rows := report.with_outcome(outcome))]
    profile = report.profile
    yield line(f"\n{', '.join(counts)} ({profile.name} profile, seed {profile.seed}, {report.seconds:.0f} s)")
    yield line(f"\n{textwrap.fill(report.closing(), width)}")


def _in_short(row: OwnRow, width: int) -> Line:
    """A claim in one line: `bufalu audit ... --only CLAIM` tells all."""
    verdict = row.result.verdict.value if row.result is not None and row.outcome is own.Outcome.SURVIVES else ""
    head = f"{verdict:<9}  {row.claim.id:<38}  "
    detail = textwrap.shorten(row.detail, max(30, width - len(head) - 10), placeholder=" ...")
    return line(Span(f"{row.outcome.value:<8}", COLOURS[row.outcome]), f"  {head}{detail}")


def _in_full(report: OwnReport, row: OwnRow, width: int) -> Iterator[Line]:
    """A claim with what it says here, every piece of evidence, and how to replay its witness or closest case."""
    verdict = "" if row.result is None else f"  {row.result.verdict.value}"
    outcome = Span(row.outcome.value, COLOURS[row.outcome])
    yield line("\n", outcome, f"{verdict}  ", Span(row.claim.id, "bold"), f"  ({row.claim.place})")
    yield _paragraph(row.asked.words, width)
    if row.result is None:
        yield _paragraph(row.detail, width)
        return
    for name, evidence in row.result.evidence:
        yield _paragraph(f"{evidence.verdict.value} by {name}: {evidence.detail}", width)
    witness = row.result.witness
    if witness is not None:
        yield _paragraph(f"{witness.label}: {witness.summary}", width)
        yield line(f"    replay: {report.replay(row, witness)}")


def _not_applicable(report: OwnReport, width: int) -> Iterator[Line]:
    """The claims about something else, by reason."""
    reasons: dict[str, list[str]] = {}
    for row in report.with_outcome(own.Outcome.NOT_APPLICABLE):
        reasons.setdefault(row.detail, []).append(row.claim.id)
    for reason, names in reasons.items():
        yield line("\n", Span(own.Outcome.NOT_APPLICABLE.value, "grey"), f"  {reason}:")
        yield _paragraph(", ".join(names), width)


def _paragraph(text: str, width: int) -> Line:
    return line(textwrap.fill(text, width, initial_indent="    ", subsequent_indent="    "))

"""How an audit looks in a terminal: a table by section of the paper, details of a few claims, a closing summary."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby

from bufalu.pages.mathematics import plain
from bufalu.pages.text import Line, Span, line
from bufalu.properties.audit.baseline import Change
from bufalu.properties.audit.running import AuditReport, ClaimResult, kinds_of_evidence
from bufalu.properties.claims import Claim, Standing
from bufalu.properties.claims.evidence import Evidence, EvidenceKind, Verdict

COLOURS = {
    Verdict.PROVED: "green",
    Verdict.CERTIFIED: "green",
    Verdict.EXACT: "green",
    Verdict.TESTED: "cyan",
    Verdict.REPRODUCED: "cyan",
    Verdict.ARGUED: "blue",
    Verdict.ERRATUM: "yellow",
    Verdict.GAP: "magenta",
    Verdict.REFUTED: "red",
    Verdict.VACUOUS: "red",
    Verdict.NOT_RUN: "grey",
}
ESTABLISHING_NOTHING = frozenset({Verdict.REFUTED, Verdict.VACUOUS, Verdict.NOT_RUN})
"""Verdicts of which it would be false to say what evidence of their kind has shown."""
KINDS_WIDTH = 24
WORTH_A_LINE = 0.2
"""Processor seconds from which on a check has a line of its own."""


def table(report: AuditReport, width: int) -> Iterator[Line]:
    """One line for each claim: verdict, claim, evidence in a few words; then what each check took."""
    longest = max(len(result.claim.id) for result in report.results)
    for section, results in groupby(report.results, key=lambda result: result.claim.section):
        yield line(Span(section.value, "bold"))
        for result in results:
            yield _row(result, longest, width)
        yield line()
    yield line(Span("Kinds of evidence", "bold"))
    for kind in kinds_of_evidence(report.results):
        yield line(f"  {kind.value:<{max(len(each.value) for each in EvidenceKind)}}  {kind.meaning}")
    yield line()
    yield from _processor_seconds(report)


def _processor_seconds(report: AuditReport) -> Iterator[Line]:
    """Where the time of the processor went: shared work once, every check once, those that took little together."""
    checks, shared = report.check_seconds(), report.shared_seconds()
    long = {name: seconds for name, seconds in checks.items() if seconds >= WORTH_A_LINE}
    others = sum(checks.values()) - sum(long.values())
    yield line(Span("Processor seconds of the checks", "bold"))
    for work, seconds in shared.items():
        if _was_done(seconds):
            yield line(f"{seconds:8.1f}  {work}, once for all checks that need it")
    for name, seconds in long.items():
        yield line(f"{seconds:8.1f}  {name}")
    yield line(f"{others:8.1f}  {len(checks) - len(long)} checks of less than {WORTH_A_LINE} s")
    yield line(f"{sum(checks.values()) + sum(shared.values()):8.1f}  together\n")


def details(report: AuditReport, width: int) -> Iterator[Line]:
    """Everything known about a few claims."""
    for result in report.results:
        claim = result.claim
        verdict = _word(result.verdict), " " * (10 - len(result.verdict.value))
        yield line(*verdict, _mark(result), " ", Span(claim.id, "bold"), f"  ({claim.place})")
        yield from _paragraph("statement", claim.statement, width)
        if claim.latex:
            yield from _paragraph("formula", plain(claim.latex), width)
        if claim.hypotheses:
            yield from _paragraph("assuming", "; ".join(claim.hypotheses), width)
        if claim.erratum is not None:
            told = f"{claim.erratum.number}: {claim.erratum.printed}; see {claim.erratum.corrected}"
            yield from _paragraph("erratum", told, width)
        for name, evidence in result.evidence:
            told = f"{evidence.verdict.value} by {name}{_seconds(evidence)}"
            if evidence.verdict not in ESTABLISHING_NOTHING:
                told += f": {evidence.kind.meaning}"
            yield from _paragraph(evidence.kind.value, told, width)
            yield from _paragraph("", evidence.detail, width)
            if figures := _figures(evidence):
                yield from _paragraph("", figures, width)
        if result.witness is not None:
            yield from _paragraph(result.witness.label, result.witness.summary, width)
            # In one line, however long: a wrapped command cannot be copied.
            yield line(f"  {'replay':<15}  {report.replay(result, result.witness)}")
        yield line()


def summary(report: AuditReport) -> Iterator[Line]:
    """Counts by verdict, what stands below its record and why, what failed, and one line that says it all."""
    present = [verdict for verdict in Verdict if report.count(verdict)]
    counts = [word for verdict in present for word in (", ", _word(verdict), f" {report.count(verdict)}")]
    yield line(f"{_claims(len(report.results))}: ", *counts[1:])
    errata = {result.claim.erratum.number for result in report.results if result.claim.erratum is not None}
    if errata:
        what = "1 erratum or gap" if len(errata) == 1 else f"{len(errata)} errata and gaps, each"
        first = min(errata, key=lambda number: (len(number), number))
        yield line(f"{what} with a witness and a corrected statement (bufalu audit --only {first})")
    for source, reason in report.missing.items():
        yield line(f"not collected: {source} ({reason})")
    for reason, count in report.why_below().items():
        yield line(Span(f"{_claims(count)} below the recorded verdict", "yellow"), f": {reason}")
    for result in report.standing_at(Standing.MISSED):
        recorded = result.claim.expected.value
        yield line(Span(f"{result.claim.id} is {result.verdict.value}", "red"), f", recorded as {recorded}")
    for result in _failed(report):
        reasons = "; ".join(result.absent) or "no check speaks for it"
        yield line(Span(f"{result.claim.id}: a check did not do its work", "red"), f": {reasons}")
    profile = report.profile
    yield line(_closing(report), f" ({profile.name} profile, seed {profile.seed}, {report.seconds:.0f} s)")


def changed_lines(changed: Sequence[Change], baseline: str) -> Iterator[Line]:
    """What is not as it was in an earlier audit, a line each."""
    if not changed:
        yield line(f"nothing changed since {baseline}")
        return
    yield line(f"changed since {baseline}: {len(changed)}")
    for change in changed:
        yield line(f"  {change.claim}  {change.text}")


def listed(claims: Sequence[Claim]) -> Iterator[Line]:
    """Ids, places and statements, for people who look for a claim."""
    longest = max(len(claim.id) for claim in claims)
    for claim in claims:
        number = f"{claim.erratum.number}: " if claim.erratum is not None else ""
        yield line(f"{claim.id:<{longest}}  {claim.place:<14}  {number}{claim.statement}")


def _closing(report: AuditReport) -> Span:
    if report.complete:
        return Span("every claim reached its recorded verdict", "green")
    if report.holds:
        below = len(report.standing_at(Standing.BELOW))
        return Span(f"nothing contradicts the record; {_claims(below)} below it", "yellow")
    missed, failed = len(report.standing_at(Standing.MISSED)), len(_failed(report))
    cut_off = len(report.standing_at(Standing.FAILED)) - failed
    said = f"{_claims(missed)} against the record, {_claims(failed)} with a check that failed"
    return Span(said + (f", {_claims(cut_off)} with a check that did not finish" if cut_off else ""), "red")


def _failed(report: AuditReport) -> list[ClaimResult]:
    """The claims with a check that did not do its work, without those of which a check was merely cut off."""
    return [result for result in report.standing_at(Standing.FAILED) if not result.cut_off]


def _claims(count: int) -> str:
    return f"{count} claim" if count == 1 else f"{count} claims"


def _row(result: ClaimResult, longest: int, width: int) -> Line:
    evidence = result.leading
    words = ", ".join(kind.value for kind in kinds_of_evidence([result]))
    kinds = textwrap.shorten(words, KINDS_WIDTH, placeholder=" ...")
    detail = "" if evidence is None else evidence.detail
    padding = " " * (10 - len(result.verdict.value))
    head = f" {result.claim.id:<{longest}}  "
    if width - 13 - len(head) >= 2 * KINDS_WIDTH:  # in a narrow terminal the details have the room
        head += f"{kinds:<{KINDS_WIDTH}} "
    shown = textwrap.shorten(detail, max(0, width - 13 - len(head) - 1), placeholder=" ...")
    return line("  ", _word(result.verdict), padding, _mark(result), head, shown.rstrip())


def _seconds(evidence: Evidence) -> str:
    done = [work for work in evidence.shared if _was_done(work.seconds)]
    shared = "".join(f" after {work.name} ({work.seconds:.2f} s)" for work in done)
    return f" in {evidence.seconds:.2f} s of the processor{shared}"


def _was_done(seconds: float) -> bool:
    """Whether shared work took enough time to be shown: what needs a tool that is not here takes none."""
    return round(seconds, 1) > 0


def _figures(evidence: Evidence) -> str:
    parts = []
    if evidence.cases is not None:
        parts.append(f"{evidence.cases:,} cases")
    if evidence.nonvacuous is not None:
        parts.append(f"{evidence.nonvacuous:.0%} of them could have failed")
    if evidence.slack is not None:
        parts.append(f"closest case: {evidence.slack}")
    return ", ".join(parts)


def _mark(result: ClaimResult) -> Span:
    if result.standing is Standing.REACHED:
        return Span(" ")
    return Span("-", "yellow") if result.standing is Standing.BELOW else Span("!", "red")


def _word(verdict: Verdict) -> Span:
    return Span(verdict.value, COLOURS[verdict])


def _paragraph(label: str, text: str, width: int) -> Iterator[Line]:
    lines = textwrap.wrap(text, max(40, width - 19)) or [""]
    for position, each in enumerate(lines):
        yield line(f"  {label if position == 0 else '':<15}  {each}")

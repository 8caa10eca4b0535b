"""How an audit looks in a terminal: a table by section of the paper, details of a few claims, a closing summary."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Sequence
from itertools import groupby

from bufalu.commands.terminal import coloured
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
PLAIN_WIDTH = 200
"""Width of a line where there is no terminal to ask."""
KINDS_WIDTH = 24
WORTH_A_LINE = 0.2
"""Processor seconds from which on a check has a line of its own."""


def print_table(report: AuditReport) -> None:
    """One line for each claim: verdict, claim, evidence in a few words, slack; then what each check took."""
    width = shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns if sys.stdout.isatty() else PLAIN_WIDTH
    longest = max(len(result.claim.id) for result in report.results)
    for section, results in groupby(report.results, key=lambda result: result.claim.section):
        print(coloured(section.value, "bold"))
        for result in results:
            print(_line(result, longest, width))
        print()
    print(coloured("Kinds of evidence", "bold"))
    for kind in kinds_of_evidence(report.results):
        print(f"  {kind.value:<{max(len(each.value) for each in EvidenceKind)}}  {kind.meaning}")
    print()
    _print_seconds(report)


def _print_seconds(report: AuditReport) -> None:
    """Where the time of the processor went: shared work once, every check once, those that took little together."""
    checks, shared = report.check_seconds(), report.shared_seconds()
    long = {name: seconds for name, seconds in checks.items() if seconds >= WORTH_A_LINE}
    others = sum(checks.values()) - sum(long.values())
    print(coloured("Processor seconds of the checks", "bold"))
    for work, seconds in shared.items():
        print(f"{seconds:8.1f}  {work}, once for all checks that need it")
    for name, seconds in long.items():
        print(f"{seconds:8.1f}  {name}")
    print(f"{others:8.1f}  {len(checks) - len(long)} checks of less than {WORTH_A_LINE} s")
    print(f"{sum(checks.values()) + sum(shared.values()):8.1f}  together\n")


def print_details(report: AuditReport) -> None:
    """Everything known about a few claims."""
    for result in report.results:
        claim = result.claim
        print(f"{_verdict(result.verdict)}{_mark(result)} {coloured(claim.id, 'bold')}  ({claim.place})")
        _paragraph("statement", claim.statement)
        _paragraph("formula", claim.latex)
        if claim.hypotheses:
            _paragraph("assuming", "; ".join(claim.hypotheses))
        if claim.erratum is not None:
            _paragraph("erratum", f"{claim.erratum.number}: {claim.erratum.printed}; see {claim.erratum.corrected}")
        for name, evidence in result.evidence:
            _paragraph(
                evidence.kind.value,
                f"{evidence.verdict.value} by {name}{_seconds(evidence)}: {evidence.kind.meaning}",
            )
            _paragraph("", evidence.detail)
            if figures := _figures(evidence):
                _paragraph("", figures)
        if result.witness is not None:
            _paragraph(result.witness.label, result.witness.summary)
            _line_as_typed("replay", report.replay(result, result.witness))
        print()


def print_summary(report: AuditReport) -> None:
    """Counts by verdict, what stands below its record and why, what failed, and one line that says it all."""
    counts = [f"{_verdict(verdict).strip()} {report.count(verdict)}" for verdict in Verdict if report.count(verdict)]
    print(f"{_claims(len(report.results))}: " + ", ".join(counts))
    errata = {result.claim.erratum.number for result in report.results if result.claim.erratum is not None}
    if errata:
        what = "1 erratum or gap" if len(errata) == 1 else f"{len(errata)} errata and gaps, each"
        first = min(errata, key=lambda number: (len(number), number))
        print(f"{what} with a witness and a corrected statement (bufalu audit --only {first})")
    for source, reason in report.missing.items():
        print(f"not collected: {source} ({reason})")
    for reason, count in report.why_below().items():
        print(coloured(f"{_claims(count)} below the recorded verdict", "yellow") + f": {reason}")
    for result in report.standing_at(Standing.MISSED):
        recorded = result.claim.expected.value
        print(coloured(f"{result.claim.id} is {result.verdict.value}", "red") + f", recorded as {recorded}")
    for result in report.standing_at(Standing.FAILED):
        reasons = "; ".join(result.absent) or "no check speaks for it"
        print(coloured(f"{result.claim.id}: a check did not do its work", "red") + f": {reasons}")
    print(f"{_outcome(report)} ({report.profile.name} profile, seed {report.profile.seed}, {report.seconds:.0f} s)")


def print_changes(changed: Sequence[Change], baseline: str) -> None:
    """What is not as it was in an earlier audit, a line each."""
    if not changed:
        print(f"nothing changed since {baseline}")
        return
    print(f"changed since {baseline}: {len(changed)}")
    for change in changed:
        print(f"  {change.claim}  {change.text}")


def print_list(claims: Sequence[Claim]) -> None:
    """Ids, places and statements, for people who look for a claim."""
    longest = max(len(claim.id) for claim in claims)
    for claim in claims:
        number = f"{claim.erratum.number}: " if claim.erratum is not None else ""
        print(f"{claim.id:<{longest}}  {claim.place:<14}  {number}{claim.statement}")


def _outcome(report: AuditReport) -> str:
    if report.complete:
        return coloured("every claim reached its recorded verdict", "green")
    if report.holds:
        below = len(report.standing_at(Standing.BELOW))
        return coloured(f"nothing contradicts the record; {_claims(below)} below it", "yellow")
    missed, failed = len(report.standing_at(Standing.MISSED)), len(report.standing_at(Standing.FAILED))
    return coloured(f"{_claims(missed)} against the record, {_claims(failed)} with a check that failed", "red")


def _claims(count: int) -> str:
    return f"{count} claim" if count == 1 else f"{count} claims"


def _line(result: ClaimResult, longest: int, width: int) -> str:
    evidence = result.leading
    words = ", ".join(kind.value for kind in kinds_of_evidence([result]))
    kinds = textwrap.shorten(words, KINDS_WIDTH, placeholder=" ...")
    detail = "" if evidence is None else evidence.detail
    slack = f"  slack {evidence.slack}" if evidence is not None and evidence.slack is not None else ""
    head = f"  {result.verdict.value:<10}{_mark(result)} {result.claim.id:<{longest}}  {kinds:<{KINDS_WIDTH}} "
    room = max(20, width - len(head) - len(slack) - 1)
    shown = textwrap.shorten(detail, room, placeholder=" ...")
    return head.replace(result.verdict.value, _coloured_word(result.verdict), 1) + f"{shown:<{room}}{slack}".rstrip()


def _seconds(evidence: Evidence) -> str:
    shared = "".join(f" after {work.name} ({work.seconds:.2f} s)" for work in evidence.shared)
    return f" in {evidence.seconds:.2f} s of the processor{shared}"


def _figures(evidence: Evidence) -> str:
    parts = []
    if evidence.cases is not None:
        parts.append(f"{evidence.cases:,} cases")
    if evidence.nonvacuous is not None:
        parts.append(f"{evidence.nonvacuous:.0%} of them nonvacuous")
    if evidence.slack is not None:
        parts.append(f"smallest slack {evidence.slack}")
    return ", ".join(parts)


def _mark(result: ClaimResult) -> str:
    if result.standing is Standing.REACHED:
        return " "
    return coloured("-", "yellow") if result.standing is Standing.BELOW else coloured("!", "red")


def _verdict(verdict: Verdict) -> str:
    return _coloured_word(verdict) + " " * (10 - len(verdict.value))


def _coloured_word(verdict: Verdict) -> str:
    return coloured(verdict.value, COLOURS[verdict])


def _line_as_typed(label: str, command: str) -> None:
    """A command in one line, however long: a wrapped one cannot be copied."""
    print(f"  {label:<15}  {command}")


def _paragraph(label: str, text: str) -> None:
    width = shutil.get_terminal_size((120, 24)).columns if sys.stdout.isatty() else 120
    lines = textwrap.wrap(text, max(40, width - 19)) or [""]
    for position, line in enumerate(lines):
        print(f"  {label if position == 0 else '':<15}  {line}")

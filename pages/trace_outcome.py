"""The outcome of `bufalu check`: a trace held against its policy, and against claims about single runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bufalu.oracle.checking import LONGEST_SUMS
from bufalu.pages.argument import argument
from bufalu.pages.outcome import Case, Ending, FilePlace, Outcome
from bufalu.pages.text import Line, headed
from bufalu.reference.errors import InvalidTrace
from bufalu.reference.policies import named_with

if TYPE_CHECKING:
    from bufalu.oracle.report import Report
    from bufalu.oracle.sources import TraceSource
    from bufalu.properties.runs.claims_on_trace import OnTrace
    from bufalu.properties.runs.statements import Violation

MOST_VIOLATIONS = 10
"""How many violations of claims are told; the JSON has them all."""


@dataclass(frozen=True)
class RunClaims:
    """The claims about single runs that were held against a trace, and where they fail on it."""

    names: tuple[str, ...]
    violations: list[Violation]


def trace_outcome(
    source: TraceSource, report: Report, claims: RunClaims | None, asked: Sequence[OnTrace], again: str
) -> Outcome:
    """One case for the policy, one for each claim that was `asked` by name, one for the `claims` that means allow.

    SKIPPED if nothing fails, and what was asked does not speak of the run.
    """
    header = source.header
    policy = Ending.CONFORMS if report.conforms else Ending.NONCONFORMING
    judged = _case(named_with(header.policy, header.confidence), policy, report_lines(report))
    named = [_case(one.statement, _on_trace(one), statement_lines(one)) for one in asked]
    held = [] if claims is None else [_case("claims about single runs", _kept(claims), _claim_lines(claims))]
    cases = (judged, *named, *held)
    silent = judged
    if named and all(case.verdict is Ending.SKIPPED for case in named):
        silent = named[0]
    worst = next((case for case in cases if case.verdict.fails), silent)
    line = None if report.checked.divergence is None else source.line_of(report.checked.divergence.round)
    return Outcome(
        "bufalu check",
        source.path,
        worst.verdict,
        worst.message,
        cases,
        FilePlace(source.path, line),
        again=(again,),
        lines=tuple(line for case in (*named, judged, *held) for line in _told(case)),
        document=_document(report, claims, asked),
    )


def invalid_document(problem: InvalidTrace) -> dict[str, object]:
    """What is wrong with a file that is not a trace."""
    return {
        "verdict": "invalid",
        "file": problem.path,
        "line": problem.line,
        "field": problem.field,
        "problem": problem.problem,
    }


def _document(report: Report, claims: RunClaims | None, asked: Sequence[OnTrace]) -> dict[str, object]:
    told = report_document(report)
    if claims is not None:
        told["checked_claims"] = list(claims.names)
        told["violated_claims"] = [violation._asdict() for violation in claims.violations]
    if asked:
        told["claim"] = [statement_document(one) for one in asked]
    return told


def _told(case: Case) -> tuple[Line, ...]:
    colours = {Ending.CONFORMS: "green", Ending.SKIPPED: "yellow"}
    return headed((case.message, *case.details), colours.get(case.verdict, "red"))


def _case(name: str, verdict: Ending, lines: Sequence[str]) -> Case:
    return Case(name, verdict, lines[0], tuple(lines[1:]))


def _on_trace(one: OnTrace) -> Ending:
    if one.says_nothing:
        return Ending.SKIPPED
    return Ending.VIOLATES_CLAIMS if one.fails else Ending.CONFORMS


def _kept(claims: RunClaims) -> Ending:
    return Ending.VIOLATES_CLAIMS if claims.violations else Ending.CONFORMS


def _claim_lines(claims: RunClaims) -> list[str]:
    """What became of the claims, and the first violations."""
    if not claims.violations:
        return [f"claims: {', '.join(claims.names)} hold on this trace"]
    first = claims.violations[:MOST_VIOLATIONS]
    return [
        f"claims: {len(claims.violations)} violations",
        *(f"  {bad.statement}, round {bad.round}: {bad.account}" for bad in first),
    ]


def report_lines(report: Report) -> list[str]:
    """The verdict, the argument, and what probably went wrong."""
    rounding = []
    if report.rounding is not None:
        rounding = [
            f"rounding: the sides of a comparison differ by {float(report.rounding):.1e}, less than a program in doubles can "
            "be asked to tell; without --strict the decision is accepted"
        ]
    divergence = report.checked.divergence
    story = [] if divergence is None else [*argument(report.checked, divergence), *likely_bugs(report)]
    return [*rounding, report.headline, *story, *report.miscounts]


def likely_bugs(report: Report) -> list[str]:
    """What probably went wrong, and what helps."""
    divergence = report.checked.divergence
    if report.rounding is not None or (divergence is not None and divergence.in_reason_alone):
        return []
    if not report.searched:
        why = f"the sums of the rewards have more than {LONGEST_SUMS:,} bits"
        if report.checked.header.known is not None:
            why = "some answers were known before the first round"
        return [f"Likely bugs were not looked for: {why}."]
    if report.too_short:
        names = ", ".join(bug.known.id for bug in report.bugs)
        return [f"Too short to tell which bug it is. Known ones that would have done this: {names}."]
    return [f"Likely bug: {bug.sentence()}." for bug in report.bugs] or ["No known bug explains it."]


def report_document(report: Report) -> dict[str, object]:
    """The report for a machine."""
    checked, rounding = report.checked, report.rounding
    return {
        "verdict": "conforms" if report.conforms else "nonconforming",
        "policy": checked.header.policy,
        "confidence": checked.header.confidence,
        "arms": checked.header.arms,
        "strict": report.strict,
        "rounds": checked.rounds,
        "ambiguous_rounds": checked.ambiguous_rounds,
        "first_divergence": _first_divergence(report),
        "rounding": None if rounding is None else float(rounding),
        "likely_bugs": None
        if not report.searched
        else [
            {"id": bug.known.id, "description": bug.known.description, "rounds": bug.rounds, "whole": bug.whole}
            for bug in report.bugs
        ],
        "miscounts": list(report.miscounts),
    }


def _first_divergence(report: Report) -> dict[str, object] | None:
    """`{round, got, admissible, because}`, and the `reason` where that alone is wrong."""
    divergence = report.checked.divergence
    if divergence is None:
        return None
    reason = divergence.reason if divergence.in_reason_alone else None
    return {
        "round": divergence.round,
        "got": divergence.got._asdict(),
        "admissible": [decision._asdict() for decision in sorted(divergence.admissible)],
        "because": "\n".join(argument(report.checked, divergence)),
        **({} if reason is None else {"reason": reason.name.lower()}),
    }


def statement_lines(one: OnTrace) -> list[str]:
    """What a statement says of the trace; the first line has the verdict."""
    if one.place is None:
        return [f"{one.statement}: says nothing about this run", f"  {one.words}"]
    account = one.place.account()
    if one.fails:
        return [f"{one.statement}: fails in round {one.place.round}", f"  {one.words}", f"  {account}"]
    return [f"{one.statement}: holds at {one.places} places of this run", f"  {one.words}", f"  closest: {account}"]


def statement_document(one: OnTrace) -> dict[str, object]:
    """What a statement says of the trace, for a machine."""
    return {
        "statement": one.statement,
        "words": one.words,
        "holds": None if one.says_nothing else not one.fails,
        "places": one.places,
        "round": None if one.place is None else one.place.round,
        "account": None if one.place is None else one.place.account(),
    }

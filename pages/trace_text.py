"""What was found of a trace, as text for a person and as JSON: by the oracle, and by statements about single runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bufalu.oracle.checking import LONGEST_SUMS

if TYPE_CHECKING:
    from bufalu.oracle.report import Report
    from bufalu.properties.runs.claims_on_trace import OnTrace


def report_lines(report: Report) -> list[str]:
    """The verdict, the argument, and what probably went wrong."""
    rounding = []
    if report.rounding is not None:
        rounding = [
            f"rounding: the sides of a comparison differ by {float(report.rounding):.1e}, less than a program in doubles can "
            "be asked to tell; without --strict the decision is accepted"
        ]
    bugs = [] if report.checked.divergence is None else likely_bugs(report)
    return [*rounding, report.headline, *report.argument, *bugs, *report.miscounts]


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
        "because": "\n".join(report.argument),
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

"""The audit of a user's own interval or policy as the same page as the audit of the paper."""

from __future__ import annotations

from dataclasses import replace

from bufalu.pages.own_outcome import closing
from bufalu.pages.report import OwnHeading, report_page
from bufalu.properties.audit.running import AuditReport, kinds_of_evidence
from bufalu.properties.own.report import FAILING, OwnVerdict, own_results
from bufalu.properties.own.subject import OwnSubject

_ORDER = (*FAILING, OwnVerdict.OPEN, OwnVerdict.UNREFUTED, OwnVerdict.PROVED, OwnVerdict.NOT_APPLICABLE)
"""What fails stands first, then what is still to be answered."""

_LOOKS = {**dict.fromkeys(FAILING, "bad"), OwnVerdict.PROVED: "good"}


def own_page(brought: OwnSubject, report: AuditReport, version: str = "") -> str:
    """The report as HTML text: what to make of it, the outcomes, and the answered claims with their evidence."""
    rows = [
        {
            "result": row,
            "look": _LOOKS.get(outcome, ""),
            "kinds": [kind.value for kind in kinds_of_evidence([row])] if row.evidence else [],
        }
        for outcome in _ORDER
        for row in own_results(report, outcome)
    ]
    heading = OwnHeading(f"The paper's claims about {brought.name}", closing(brought, report), report.holds, rows)
    answered = tuple(result for result in report.results if result.evidence)
    return report_page(replace(report, results=answered), version=version, own=heading)

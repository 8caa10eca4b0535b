"""The audit of a user's own interval or policy as the same page as the audit of the paper."""

from __future__ import annotations

from dataclasses import replace
from html import escape

from bufalu.pages.report import ReportHeading, report_page
from bufalu.properties.audit.running import AuditReport
from bufalu.properties.own.report import OwnVerdict, closing, own_results
from bufalu.properties.own.subject import OwnSubject


def own_page(brought: OwnSubject, report: AuditReport, version: str = "") -> str:
    """The report as HTML text: what to make of it, the outcomes, and the answered claims with their evidence."""
    rows = "".join(
        f"<tr><td>{escape(row.outcome.value)}</td><td>{_linked(row.claim.id, bool(row.evidence))}</td>"
        f"<td>{escape(row.detail)}</td></tr>"
        for outcome in OwnVerdict
        for row in own_results(report, outcome)
    )
    words = "good" if report.holds else "bad"
    head = "".join(f'<th scope="col">{name}</th>' for name in ("outcome", "claim", "why"))
    table = (
        f'<div class="wide"><table class="evidence"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
    )
    lead = f'<p class="verdict {words}">{escape(closing(brought, report))}</p>'
    heading = ReportHeading(f"The paper's claims about {brought.name}", f"{lead}\n{table}")
    answered = tuple(result for result in report.results if result.evidence)
    return report_page(replace(report, results=answered), version=version, heading=heading)


def _linked(claim: str, answered: bool) -> str:
    return f'<a href="#{escape(claim)}">{escape(claim)}</a>' if answered else escape(claim)

"""The audit of a user's own interval or policy as the same page as the audit of the paper."""

from __future__ import annotations

from html import escape

from bufalu.pages.report import Heading, report_page
from bufalu.properties.own.report import Outcome, OwnReport


def own_page(report: OwnReport, version: str = "") -> str:
    """The report as HTML text: what to make of it, the outcomes, and the answered claims with their evidence."""
    rows = "".join(
        f"<tr><td>{escape(row.outcome.value)}</td><td>{_linked(row.claim.id, row.result is not None)}</td>"
        f"<td>{escape(row.detail)}</td></tr>"
        for outcome in Outcome
        for row in report.with_outcome(outcome)
    )
    words = "good" if report.holds else "bad"
    head = "".join(f'<th scope="col">{name}</th>' for name in ("outcome", "claim", "why"))
    table = (
        f'<div class="wide"><table class="evidence"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
    )
    lead = f'<p class="verdict {words}">{escape(report.closing())}</p>'
    heading = Heading(f"The paper's claims about {report.brought.name}", f"{lead}\n{table}")
    return report_page(report.as_audit(), version=version, heading=heading)


def _linked(claim: str, answered: bool) -> str:
    return f'<a href="#{escape(claim)}">{escape(claim)}</a>' if answered else escape(claim)

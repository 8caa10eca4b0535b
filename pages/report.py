"""The audit as one HTML file that opens offline: every claim with its verdict, evidence and witness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from bufalu.pages.claim_graph import graph_of
from bufalu.pages.ledger import coq_definitions, coq_files, coq_statement, ledger
from bufalu.pages.mathematics import font_face, formula
from bufalu.pages.report_extras import Figure, MutantMatrix
from bufalu.pages.templates import rendered
from bufalu.properties.audit.baseline import Change
from bufalu.properties.audit.running import AuditReport, ClaimResult, kinds_of_evidence
from bufalu.properties.claims import Standing
from bufalu.properties.claims.evidence import Verdict

MEANINGS = {
    Verdict.PROVED: "a proof checker accepted it",
    Verdict.CERTIFIED: "decided by exact algebra or rigorous enclosures",
    Verdict.EXACT: "decided on every path of listed small instances",
    Verdict.TESTED: "survived generated cases",
    Verdict.REPRODUCED: "Monte-Carlo agrees with the printed figure",
    Verdict.ARGUED: "a finite consequence was checked, the statement itself was not",
    Verdict.ERRATUM: "wrong as printed: a witness is attached",
    Verdict.GAP: "the printed proof does not give the statement",
    Verdict.REFUTED: "a witness contradicts it: the audit fails",
    Verdict.VACUOUS: "its hypotheses were never met, or the bound was trivial",
    Verdict.NOT_RUN: "its evidence needs something that is not installed",
}


LONGEST_FILE, LONGEST_SUMMARY = 4000, 160
"""How many characters of a witness' file, and of the evidence in one line, a page shows."""


@dataclass(frozen=True)
class OwnHeading:
    """What stands above the claims of a report about one's own: `rows` are the outcomes, in the order to be read."""

    title: str
    closing: str
    holds: bool
    rows: Sequence[Mapping[str, object]]


def report_page(
    report: AuditReport,
    matrix: MutantMatrix | None = None,
    figures: Sequence[Figure] = (),
    version: str = "",
    changed: Sequence[Change] | None = None,
    *,
    own: OwnHeading | None = None,
    source: Sequence[str] = (),
) -> str:
    """The report as HTML text. Readable without scripting, which only adds filters; nothing is fetched.

    `source` are the lines of the paper's text, if it is at hand: then what is printed stands beside each claim.
    """
    results = {result.claim.id: result for result in report.results}
    return rendered(
        "report.html",
        title="Audit of Query-Reward Tradeoffs in Multi-Armed Bandits" if own is None else own.title,
        font=Markup(font_face()),
        report=report,
        own=own,
        version=version,
        changed=changed,
        matrix=matrix,
        figures=figures,
        here=results.keys(),
        meanings=MEANINGS,
        counts=[(verdict, count) for verdict in Verdict if (count := report.count(verdict))],
        total=max(len(results), 1),
        kinds=kinds_of_evidence(report.results),
        sections=[
            (name, list(group)) for name, group in groupby(report.results, key=lambda r: r.claim.section.value)
        ],
        cards={claim: _card(report, result, source) for claim, result in results.items()},
        graph=graph_of(report),
        errata=[
            (result, results.get(result.claim.erratum.corrected))
            for result in report.results
            if result.claim.erratum is not None
        ],
        definitions=coq_definitions(result.claim for result in report.results),
        files=coq_files(result.claim for result in report.results),
    )


def _card(report: AuditReport, result: ClaimResult, source: Sequence[str]) -> dict[str, object]:
    """What the card of a claim shows beyond the claim and its evidence."""
    claim, leading, witness = result.claim, result.leading, result.witness
    return {
        "kinds": kinds_of_evidence([result]),
        "formula": formula(claim.latex),
        "printed": "\n".join(line for first, last in claim.lines for line in source[first - 1 : last]),
        "users": [each.claim.id for each in report.results if claim.id in each.claim.rests_on],
        "surprise": {Standing.REACHED: "", Standing.BELOW: " "}.get(result.standing, " bad"),
        "leading": "" if leading is None else shortened(f"{leading.kind.value}: {leading.detail}", LONGEST_SUMMARY),
        "coq": coq_statement(claim),
        "ledger": ledger(result),
        "file": None if witness is None or witness.content is None else shortened(witness.content, LONGEST_FILE),
    }


def shortened(text: str, most: int) -> str:
    """The text, cut with an ellipsis if it is longer than `most` characters."""
    return text if len(text) <= most else text[: most - 1] + "…"

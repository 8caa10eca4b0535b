"""The audit as one HTML file that opens offline: every claim with its verdict, evidence and witness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

from bufalu.pages.assets import asset
from bufalu.pages.claim_graph import graph_section
from bufalu.pages.ledger import coq_definitions, coq_statement, ledger
from bufalu.pages.mathematics import font_face, typeset
from bufalu.pages.report_extras import Figure, MutantMatrix, figures_section, matrix_section
from bufalu.properties.audit.baseline import Change, ChangeKind
from bufalu.properties.audit.running import AuditReport, ClaimResult, kinds_of_evidence
from bufalu.properties.claims import Claim, Standing
from bufalu.properties.claims.evidence import Evidence, Verdict

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


@dataclass(frozen=True)
class ReportHeading:
    """What stands above the claims of a report that is not the paper's: a title, and HTML that says what was found."""

    title: str
    outcome: str


def report_page(
    report: AuditReport,
    matrix: MutantMatrix | None = None,
    figures: Sequence[Figure] = (),
    version: str = "",
    changed: Sequence[Change] | None = None,
    *,
    heading: ReportHeading | None = None,
) -> str:
    """The report as HTML text. Readable without scripting, which only adds filters; nothing is fetched."""
    paper = "Audit of <cite>Query-Reward Tradeoffs in Multi-Armed Bandits</cite>"
    plain = "Audit of Query-Reward Tradeoffs in Multi-Armed Bandits" if heading is None else heading.title
    title = paper if heading is None else escape(heading.title)
    outcome = _outcome(report) if heading is None else heading.outcome
    sections = "\n".join(
        _section(report, name, list(group))
        for name, group in groupby(report.results, key=lambda r: r.claim.section.value)
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(plain)}</title>
<link rel="icon" href="data:,">
<style>{font_face()}{asset("common.css")}{asset("report.css")}</style>
</head>
<body>
<a class="skip" href="#claims">Skip to the claims</a>
<main>
<h1>{title}</h1>
{_summary(report, outcome, version)}
{_changes(changed)}
{_controls(report)}
{_contents(report, matrix, figures)}
<div id="claims">
{sections}
</div>
{graph_section(report)}
{_errata(report)}
{matrix_section(matrix)}
{figures_section(figures)}
{coq_definitions(result.claim for result in report.results)}
</main>
<script>{asset("report.js")}</script>
<script>{asset("claim_graph.js")}</script>
</body>
</html>
"""


def slug(text: str) -> str:
    """A text as an anchor."""
    return "".join(c if c.isalnum() else "-" for c in text.lower())


def badge(verdict: Verdict) -> str:
    """A verdict as a coloured word."""
    return f'<span class="badge v-{slug(verdict.value)}" title="{escape(MEANINGS[verdict])}">{verdict.value}</span>'


def _outcome(report: AuditReport) -> str:
    if report.complete:
        return '<p class="verdict good">Every claim reached its recorded verdict.</p>'
    reasons = "".join(f"<li>{count}: {escape(reason)}</li>" for reason, count in report.why_below().items())
    below = f"<p>Claims below their recorded verdict, and why:</p><ul>{reasons}</ul>" if reasons else ""
    if report.holds:
        return f'<p class="verdict">Nothing contradicts the record.</p>{below}'
    return f'<p class="verdict bad">Some verdicts contradict the record, or a check failed.</p>{below}'


def _summary(report: AuditReport, outcome: str, version: str) -> str:
    total = max(len(report.results), 1)
    present = [verdict for verdict in Verdict if report.count(verdict)]
    bar = "".join(
        f'<span class="v-{slug(verdict.value)}" style="width:{100 * report.count(verdict) / total:.3f}%" '
        f'title="{verdict.value}: {report.count(verdict)}"></span>'
        for verdict in present
    )
    rows = "".join(
        f"<tr><td>{badge(verdict)}</td><td>{report.count(verdict)}</td><td>{escape(MEANINGS[verdict])}</td></tr>"
        for verdict in present
    )
    kinds = "".join(
        f"<dt>{escape(kind.value)}</dt><dd>{escape(kind.meaning)}</dd>" for kind in kinds_of_evidence(report.results)
    )
    missing = "".join(f"<li>{escape(name)}: {escape(reason)}</li>" for name, reason in report.missing.items())
    note = f"<p>Not collected:</p><ul>{missing}</ul>" if missing else ""
    shared = "".join(
        f"<li>{escape(work)}: {seconds:.1f} processor seconds, once for all checks that need it</li>"
        for work, seconds in report.shared_seconds().items()
    )
    note += f"<p>Work that several checks share:</p><ul>{shared}</ul>" if shared else ""
    return f"""<p class="lead">{len(report.results)} claims of the paper, each restated and examined by machine.
Profile {escape(report.profile.name)}, seed {report.profile.seed}, {report.seconds:.0f} seconds by the clock.
{escape(version)}</p>
{outcome}
<div class="bar" role="img" aria-label="Share of each verdict; the table below has the numbers">{bar}</div>
<table class="counts">
<thead><tr><th scope="col">verdict</th><th scope="col">claims</th><th scope="col">means</th></tr></thead>
<tbody>{rows}</tbody></table>{note}
<details><summary>Kinds of evidence</summary><dl>{kinds}</dl></details>"""


def _changes(changed: Sequence[Change] | None) -> str:
    """What changed since an earlier audit; nothing unless one was given."""
    if changed is None:
        return ""
    if not changed:
        return "<p>Nothing changed since the earlier audit.</p>"
    rows = "".join(
        f'<tr><td><a href="#{escape(each.claim)}">{escape(each.claim)}</a></td><td>{each.kind.value}</td>'
        f"<td>{escape(each.before)}</td><td>{escape(each.after)}</td></tr>"
        if each.kind is not ChangeKind.GONE
        else f"<tr><td>{escape(each.claim)}</td><td>{each.kind.value}</td><td>{escape(each.before)}</td><td></td></tr>"
        for each in changed
    )
    head = "".join(f'<th scope="col">{name}</th>' for name in ("claim", "change", "before", "now"))
    return (
        f'<details class="changes" open><summary>{len(changed)} changes since the earlier audit</summary><div class="wide">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></details>"
    )


def _controls(report: AuditReport) -> str:
    verdicts = "".join(
        f'<label class="chip"><input type="checkbox" name="verdict" value="{verdict.value}" checked> {verdict.value}</label>'
        for verdict in Verdict
        if report.count(verdict)
    )
    kinds = kinds_of_evidence(report.results)
    options = "".join(f'<option value="{kind.name}">{escape(kind.value)}</option>' for kind in kinds)
    return f"""<form id="controls" hidden aria-label="Filter the claims">
<fieldset><legend>Verdict</legend>{verdicts}</fieldset>
<label>Kind of evidence <select name="kind"><option value="">any</option>{options}</select></label>
<label>Search <input type="search" name="search" placeholder="cap, l.421, Hoeffding"></label>
<button type="reset">Show all</button>
<p id="shown" role="status" aria-live="polite"></p>
</form>"""


def _contents(report: AuditReport, matrix: MutantMatrix | None, figures: Sequence[Figure]) -> str:
    names = list(dict.fromkeys(result.claim.section.value for result in report.results))
    links = [f'<li><a href="#{slug(name)}">{escape(name)}</a></li>' for name in names]
    if len(report.results) > 1:
        links.append('<li><a href="#graph">What rests on what</a></li>')
    links.append('<li><a href="#errata">Errata</a></li>')
    if matrix is not None:
        links.append('<li><a href="#matrix">Claims and mutants</a></li>')
    if figures:
        links.append('<li><a href="#figures">Figures</a></li>')
    return f'<nav aria-label="Contents"><ul>{"".join(links)}</ul></nav>'


def _section(report: AuditReport, name: str, results: list[ClaimResult]) -> str:
    articles = "\n".join(_claim(report, result) for result in results)
    return (
        f'<section aria-labelledby="{slug(name)}"><h2 id="{slug(name)}">{escape(name)}</h2>\n{articles}\n</section>'
    )


def _neighbours(report: AuditReport, claim: Claim) -> str:
    """Links to what a claim rests on and to what rests on it; only names where the report has no such claim."""
    here = {result.claim.id for result in report.results}
    users = [result.claim.id for result in report.results if claim.id in result.claim.rests_on]
    parts = []
    for words, ids in (("Rests on", claim.rests_on), ("Used by", users)):
        links = [f'<a href="#{escape(each)}">{escape(each)}</a>' if each in here else escape(each) for each in ids]
        if links:
            parts.append(f"{words}: {', '.join(links)}.")
    return f'<p class="rests">{" ".join(parts)}</p>' if parts else ""


def _claim(report: AuditReport, result: ClaimResult) -> str:
    claim = result.claim
    kinds = " ".join(kind.name for kind in kinds_of_evidence([result]))
    hypotheses = "".join(f"<li>{escape(text)}</li>" for text in claim.hypotheses)
    given = f'<div class="given">Given: <ul>{hypotheses}</ul></div>' if hypotheses else ""
    surprise = ""
    if result.standing is not Standing.REACHED:
        bad = "" if result.standing is Standing.BELOW else " bad"
        surprise = f'<p class="verdict{bad}">Recorded as {claim.expected.value}: {result.standing.value}.</p>'
    return f"""<article id="{escape(claim.id)}" data-verdict="{result.verdict.value}" data-kinds="{escape(kinds)}">
<h3>{badge(result.verdict)} <a class="anchor" href="#{escape(claim.id)}">{escape(claim.id)}</a>
<span class="place">{escape(claim.place)}</span></h3>
<p>{escape(claim.statement)}</p>
<div class="formula">{typeset(claim.latex)}</div>
{given}{surprise}{_erratum_note(claim)}{_neighbours(report, claim)}
{_evidence_table(result)}
{coq_statement(claim)}{ledger(result)}
{_witness(report, result)}
</article>"""


def _erratum_note(claim: Claim) -> str:
    if claim.erratum is None:
        return ""
    erratum = claim.erratum
    return (
        f'<p class="erratum"><strong>{escape(erratum.number)}</strong>: {escape(erratum.printed)}. Corrected statement: '
        f'<a href="#{escape(erratum.corrected)}">{escape(erratum.corrected)}</a>.</p>'
    )


def _evidence_table(result: ClaimResult) -> str:
    rows = "".join(_evidence_row(name, evidence) for name, evidence in result.evidence)
    leading = result.leading
    words = "" if leading is None else f"{leading.kind.value}: {leading.detail}"
    return f"""<details><summary>{escape(shortened(words))}</summary>
<div class="wide"><table class="evidence"><thead><tr>
<th scope="col">kind</th><th scope="col">verdict</th><th scope="col">what was examined</th>
<th scope="col">cases</th><th scope="col">could have failed</th><th scope="col">closest case</th>
<th scope="col">processor seconds</th></tr></thead>
<tbody>{rows}</tbody></table></div></details>"""


def _evidence_row(name: str, evidence: Evidence) -> str:
    cells = [
        f'<span title="{escape(evidence.kind.meaning)}">{escape(evidence.kind.value)}</span>',
        badge(evidence.verdict),
        f"{escape(evidence.detail)} <code>{escape(name)}</code>",
        "" if evidence.cases is None else f"{evidence.cases:,}",
        "" if evidence.nonvacuous is None else f"{evidence.nonvacuous:.0%}",
        escape(evidence.slack or ""),
        f"{evidence.seconds:.1f}",
    ]
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _witness(report: AuditReport, result: ClaimResult) -> str:
    witness = result.witness
    if witness is None:
        return ""
    file = ""
    if witness.filename is not None and witness.content is not None:
        shown = shortened(witness.content, 4000)
        file = f"<details><summary>the file {escape(witness.filename)}</summary><pre>{escape(shown)}</pre></details>"
    return (
        f'<div class="witness"><strong>{witness.label.capitalize()}</strong> {escape(witness.summary)}<br>Replay: '
        f"<code>{escape(report.replay(result, witness))}</code>{file}</div>"
    )


def _errata(report: AuditReport) -> str:
    by_id = {result.claim.id: result for result in report.results}
    rows = []
    for result in report.results:
        erratum = result.claim.erratum
        if erratum is None:
            continue
        corrected = by_id.get(erratum.corrected)
        statement = "" if corrected is None else escape(corrected.claim.statement)
        verdict = "" if corrected is None else badge(corrected.verdict)
        rows.append(
            f"<tr><th scope='row'><a href='#{escape(result.claim.id)}'>{escape(erratum.number)}</a></th>"
            f"<td>{escape(result.claim.place)}</td><td>{escape(erratum.printed)}</td><td>{statement} {verdict}</td>"
            f"<td><code>bufalu audit --only {escape(erratum.number)}</code></td></tr>"
        )
    if not rows:
        return ""
    head = "".join(f'<th scope="col">{name}</th>' for name in ("", "lines", "printed", "corrected", "witness"))
    return (
        f'<section aria-labelledby="errata"><h2 id="errata">Errata</h2><div class="wide"><table class="errata">'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div></section>"
    )


def shortened(text: str, most: int = 160) -> str:
    """The text, cut with an ellipsis if it is longer than `most` characters."""
    return text if len(text) <= most else text[: most - 1] + "…"

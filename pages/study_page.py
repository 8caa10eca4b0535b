"""A study as one HTML file that opens offline: tables, and pictures that answer; without scripting the pictures as drawn."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Sequence
from html import escape
from pathlib import Path

from bufalu.experiments.studies.statistics import LEVEL, PairedDifference, Spread
from bufalu.experiments.studies.summary import CellSummary, StudySummary, histogram
from bufalu.pages.assets import asset
from bufalu.pages.drawing import COLOURS, DARK_COLOURS
from bufalu.pages.study_pictures import picture_groups
from bufalu.pages.study_text import heading, number, untold

DIGITS = 7
"""Significant digits of the numbers behind the pictures; the Parquet files have all of them."""


def study_page(summary: StudySummary, pictures: Sequence[Path] = ()) -> str:
    """The page as HTML text; nothing in it is fetched from anywhere. `pictures` are SVG files for readers without scripting.

    Raises `OSError` for a picture that cannot be read.
    """
    study = summary.study
    title = escape(study.title or f"{', '.join(study.policies)}: regret and queries over {study.seeds:,} seeds")
    style = asset("common.css") + asset("study.css") + _series_colours()
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
<p class="lead">{_lead(summary)}</p>
<div id="study" hidden>
<div id="controls"></div>
<div class="charts">
<figure><figcaption>Regret over time</figcaption><div id="regret-curve" class="chart" tabindex="0"></div></figure>
<figure><figcaption>Queries over time</figcaption><div id="queries-curve" class="chart" tabindex="0"></div></figure>
</div>
<p class="hint">Thick: means. Thin: the theorem's bound on the mean, in the policy's colour where several have one, and where
one has, dashed, the sharper bound; dotted: what consistent strategies need asymptotically. Point at a round, or use the
arrow keys, for its numbers.</p>
<div id="details" role="status" aria-live="polite"></div>
<div class="charts">
<figure><figcaption>Regret against queries at the horizon, all schedules</figcaption>
<div id="tradeoff" class="chart"></div></figure>
<figure><figcaption>Regret over the seeds</figcaption><div id="regret-seeds" class="chart"></div>
<figcaption>Queries over the seeds</figcaption><div id="queries-seeds" class="chart"></div></figure>
</div>
</div>
<noscript><p>Scripting is off: these are the pictures as drawn.</p>{"".join(map(_picture, pictures))}</noscript>
<h2>Numbers</h2>
{"".join(_setting_table(cells) for cells in summary.settings())}
<p class="lead">{_notes(summary)}</p>
</main>
<script type="application/json" id="data">{embedded(summary)}</script>
<script>{asset("study.js")}</script>
</body>
</html>
"""


def _lead(summary: StudySummary) -> str:
    study = summary.study
    return escape(
        f"{study.rounds:,} rounds: {_counted(len(study.instances), 'instance', 'instances')}, "
        f"{_counted(len(study.policies), 'policy', 'policies')}, {_counted(len(study.epsilons), 'schedule', 'schedules')}, "
        f"{_counted(study.seeds, 'seed', 'seeds')} each. Every policy meets "
        f"the same rewards. {summary.resolved:,} rounds were decided by the exact reference; none depended on rounding."
    )


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _notes(summary: StudySummary) -> str:
    reasons = {f.bounds for f in summary.cells if isinstance(f.bounds, str)}
    said = f" Without a bound: {'; '.join(sorted(reasons))}." if reasons else ""
    slow = {f.path_reason for f in summary.cells if f.path_reason is not None}
    if slow:
        said += f" Played by the exact reference, not by the engine: {'; '.join(sorted(slow))}."
    return escape(
        f"Intervals cover the mean with probability {LEVEL:.0%} each, in the limit of many seeds; those of differences "
        f"{LEVEL:.0%} together. Bounds are on expectations, certified. Dotted: what the asymptotic theorem asks of "
        f"consistent strategies, drawn where it is below the trivial bound.{said}"
    )


def _picture(path: Path) -> str:
    content = base64.b64encode(path.read_bytes()).decode()
    return f'<img class="drawn" alt="{escape(path.stem)}" src="data:image/svg+xml;base64,{content}">'


def _setting_table(cells: Sequence[CellSummary]) -> str:
    first = cells[0].cell.policy
    head = (
        "<thead><tr><th>policy</th><th></th><th>mean</th><th>5%</th><th>median</th><th>95%</th><th>theorem</th>"
        f"<th>bound / mean</th><th>minus {escape(first)}</th></tr></thead>"
    )
    rows = []
    for index, found in enumerate(cells):
        swatch = f'<span class="swatch" style="background:var(--series-{index % len(COLOURS)})"></span>'
        for quantity in ("regret", "queries"):
            name = f"<td>{swatch}{escape(found.cell.policy)}</td>" if quantity == "regret" else "<td></td>"
            rows.append(f'<tr class="{quantity}">{name}<td>{quantity}</td>{_numbers(found, quantity)}</tr>')
    sentences = [escape(sentence) for found in cells[1:] for sentence in untold(found, first)]
    told = f"<ul>{''.join(f'<li>{sentence}</li>' for sentence in sentences)}</ul>" if sentences else ""
    table = f'<div class="wide"><table>{head}<tbody>{"".join(rows)}</tbody></table></div>'
    return f"<section><h3>{escape(heading(cells[0]))}</h3>{table}{told}</section>"


def _numbers(found: CellSummary, quantity: str) -> str:
    spread: Spread = getattr(found, quantity)
    bound: float | None = getattr(found, f"{quantity}_bound")
    against: PairedDifference | None = getattr(found, f"{quantity}_against_first")
    mean = number(spread.mean) + ("" if spread.low is None else f" ± {number(spread.mean - spread.low)}")
    shown = [mean, *(number(spread.quantiles[at]) for at in (0, 2, 4))]
    shown.append("" if bound is None else number(bound) if math.isfinite(bound) else "∞")
    shown.append(f"{bound / spread.mean:.3g}" if bound and math.isfinite(bound) and spread.mean else "")
    if against is None or against.low is None or against.high is None:
        shown.append("")
    else:
        shown.append(f"{against.mean:+,.1f} [{against.low:+,.1f}, {against.high:+,.1f}]")
    return "".join(f"<td>{value}</td>" for value in shown)


def _series_colours() -> str:
    def rule(colours: Sequence[str]) -> str:
        return ":root{" + "".join(f"--series-{i}:{colour};" for i, colour in enumerate(colours)) + "}"

    return f"{rule(COLOURS)}@media (prefers-color-scheme: dark){{{rule(DARK_COLOURS)}}}"


def embedded(summary: StudySummary) -> str:
    """The numbers behind the pictures as JSON that is safe inside a script element."""
    groups = []
    for settings in picture_groups(summary):
        cell = settings[0][0].cell
        name = f"{cell.instance_name}, {cell.confidence}, ties {cell.ties}, T = {cell.horizon:,}"
        groups.append({"name": name, "settings": [_setting(cells) for cells in settings]})
    document = {"policies": list(summary.study.policies), "colours": len(COLOURS), "groups": groups}
    return json.dumps(document, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _setting(cells: Sequence[CellSummary]) -> dict[str, object]:
    first = cells[0]
    document: dict[str, object] = {
        "epsilon": first.cell.epsilon,
        "rounds": list(first.rounds),
        "lower": {"regret": first.lower.regret, "queries": first.lower.queries},
        "steepest": {"regret": float(first.cell.instance.largest_gap), "queries": 1},
        "cells": [_cell(found) for found in cells],
    }
    for quantity in ("regret", "queries"):
        edges, counts = histogram(cells, quantity)
        document[f"{quantity}_seeds"] = {"edges": _short(edges.tolist()), "counts": counts}
    return document


def _cell(found: CellSummary) -> dict[str, object]:
    document: dict[str, object] = {"policy": found.cell.policy, "path": found.path}
    for quantity in ("regret", "queries"):
        spread: Spread = getattr(found, quantity)
        curve: Sequence[Spread] = getattr(found, f"{quantity}_curve")
        document[quantity] = {
            "final": _short([spread.mean, *spread.quantiles]),
            "mean": _short([point.mean for point in curve]),
            "low": _short([point.mean if point.low is None else point.low for point in curve]),
            "high": _short([point.mean if point.high is None else point.high for point in curve]),
            "q05": _short([point.quantiles[0] for point in curve]),
            "q95": _short([point.quantiles[-1] for point in curve]),
            "texts": [[number(n) for n in (point.mean, point.quantiles[0], point.quantiles[-1])] for point in curve],
        }
    if not isinstance(found.bounds, str):
        document["bounds"] = {
            "rounds": list(found.bounds.rounds),
            "regret": _short(found.bounds.regret),
            "queries": _short(found.bounds.queries),
            "sharper_regret": _short(found.bounds.sharper_regret),
            "sharper_queries": _short(found.bounds.sharper_queries),
        }
    return document


def _short(values: Sequence[float]) -> list[float | None]:
    """Rounded for a picture; None for what is infinite."""
    return [float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None for value in values]

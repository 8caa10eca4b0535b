"""A study as one HTML file that opens offline: tables, and pictures that answer; without scripting the pictures as drawn."""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence
from pathlib import Path

from markupsafe import Markup

from bufalu.experiments.studies.statistics import LEVEL, PairedDifference, Spread
from bufalu.experiments.studies.summary import CellSummary, StudySummary, histogram
from bufalu.pages.drawing import COLOURS, DARK_COLOURS
from bufalu.pages.provenance import instance_words, provenance
from bufalu.pages.study_pictures import QUANTITIES, lower_points, picture_groups
from bufalu.pages.study_text import ABOVE_THE_BOUND, difference_words, heading, number, untold, with_radius
from bufalu.pages.templates import data, rendered

DIGITS = 7
"""Significant digits of the numbers behind the pictures; the Parquet files have all of them."""


def study_page(summary: StudySummary, pictures: Sequence[Path] = ()) -> str:
    """The page as HTML text; nothing in it is fetched from anywhere. `pictures` are SVG files for readers without scripting.

    Raises `OSError` for a picture that cannot be read.
    """
    study = summary.study
    return rendered(
        "study.html",
        title=study.title or f"{', '.join(study.policies)}: regret and queries over {study.seeds:,} seeds",
        compared=_compared(summary),
        legend=_legend(summary),
        paired=study.policies[0] if len(study.policies) > 1 and study.seeds > 1 else None,
        schedules=len(study.epsilons),
        pictures=[(path.stem, _source(path)) for path in pictures],
        tables=[_table(cells) for cells in summary.settings()],
        notes=_notes(summary),
        data=embedded(summary),
        series=COLOURS,
        dark_series=DARK_COLOURS,
    )


def study_tables(summary: StudySummary) -> str:
    """The tables of the page alone, for notebooks."""
    tables = [_table(cells) for cells in summary.settings()]
    return rendered("study_notebook.html", tables=tables, series=COLOURS, dark_series=DARK_COLOURS)


def _compared(summary: StudySummary) -> list[tuple[str, str]]:
    """What was compared, by what and when, each with its name."""
    study, made = summary.study, provenance(summary.study)
    answers = f"{study.delay} rounds late" if study.delay else ""
    if study.missing != "0":
        answers = ", ".join(filter(None, (answers, f"never with probability {study.missing}")))
    told = [("arms", instance_words(name, instance)) for name, instance in study.instances.items()]
    told += [
        ("policies", ", ".join(study.policies)),
        ("epsilon", ", ".join(study.epsilons)),
        ("intervals", ", ".join(study.confidences)),
        ("ties", ", ".join(study.ties)),
        ("rounds", ", ".join(f"{horizon:,}" for horizon in study.horizons) + f", {study.seeds:,} seeds each"),
        *([("answers", answers)] if answers else []),
        (
            "played",
            f"{study.rounds:,} rounds in all, every policy with the same rewards; {summary.resolved:,} of them were decided "
            "by the exact reference, and none depended on rounding",
        ),
        ("made", f"by {made.version} on {made.date}"),
    ]
    return [*told, ("again", made.command)] if made.command is not None else told


def _legend(summary: StudySummary) -> str:
    """What the lines of the curves are: of what is drawn, and of nothing else."""
    bounded = max(sum(not isinstance(found.bounds, str) for found in cells) for cells in summary.settings())
    told = ["Thick: means."]
    if bounded == 1:
        told.append("Thin: the theorem's bound on the mean; dashed: the sharper bound.")
    if bounded > 1:
        told.append("Thin: the theorem's bound on the mean, in the policy's colour.")
    if any(not isinstance(found.bounds, str) and found.bounds.leading_queries for found in summary.cells):
        told.append("Dash-dotted: the leading term of the sharp theorem, what to expect as rounds grow.")
    if any(lower_points(found, quantity) for found in summary.cells for quantity in QUANTITIES):
        told.append("Dotted: what consistent strategies need asymptotically, where it is below the trivial bound.")
    return " ".join([*told, "Point at a round, or use the arrow keys, for its numbers."])


def _notes(summary: StudySummary) -> str:
    told = [f"Intervals cover the mean with probability {LEVEL:.0%} each, in the limit of many seeds"]
    told[0] += f"; those of differences {LEVEL:.0%} together." if len(summary.study.policies) > 1 else "."
    if any(not isinstance(found.bounds, str) for found in summary.cells):
        told.append("Bounds are on expectations, certified.")
    if any(found.vacuous for found in summary.cells):
        told.append("VACUOUS: no better than the trivial bound.")
    if above := [f"{what} of {found.cell.policy}" for found in summary.cells for what in found.above_bound]:
        told.append(f"ABOVE THE BOUND ({ABOVE_THE_BOUND}): {', '.join(dict.fromkeys(above))}.")
    if reasons := {found.bounds for found in summary.cells if isinstance(found.bounds, str)}:
        told.append(f"Without a bound: {'; '.join(sorted(reasons))}.")
    if slow := {found.path_reason for found in summary.cells if found.path_reason is not None}:
        told.append(f"Played by the exact reference, not by the engine: {'; '.join(sorted(slow))}.")
    return " ".join(told)


def _source(path: Path) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(path.read_bytes()).decode()}"


def _table(cells: Sequence[CellSummary]) -> dict[str, object]:
    """The table of one setting, for the template."""
    first = cells[0].cell.policy
    return {
        "heading": heading(cells[0]),
        "first": first,
        "bounded": any(not isinstance(found.bounds, str) for found in cells),
        "paired": len(cells) > 1,
        "rows": [_row(found, index, quantity) for index, found in enumerate(cells) for quantity in QUANTITIES],
        "sentences": [sentence for found in cells[1:] for sentence in untold(found, first)],
    }


def _row(found: CellSummary, index: int, quantity: str) -> dict[str, object]:
    spread: Spread = getattr(found, quantity)
    bound: float | None = getattr(found, f"{quantity}_bound")
    against: PairedDifference | None = getattr(found, f"{quantity}_against_first")
    finite = bound is not None and math.isfinite(bound)
    return {
        "quantity": quantity,
        "policy": found.cell.policy if quantity == "regret" else None,
        "colour": index % len(COLOURS),
        "numbers": [with_radius(spread), *(number(spread.quantiles[at]) for at in (0, 2, 4))],
        "bound": "" if bound is None else number(bound) if finite else "∞",
        "vacuous": quantity in found.vacuous,
        "ratio": f"{bound / spread.mean:.3g}" if bound and finite and spread.mean else "",
        "difference": "" if against is None or against.low is None else difference_words(against),
    }


def embedded(summary: StudySummary) -> Markup:
    """The numbers behind the pictures as JSON that is safe inside a script element."""
    groups = []
    for settings in picture_groups(summary):
        cell = settings[0][0].cell
        name = f"{cell.instance_name}, {cell.confidence}, ties {cell.ties}, T = {cell.horizon:,}"
        groups.append({"name": name, "settings": [_setting(cells) for cells in settings]})
    document = {"policies": list(summary.study.policies), "colours": len(COLOURS), "groups": groups}
    return data(document)


def _setting(cells: Sequence[CellSummary]) -> dict[str, object]:
    first = cells[0]
    document: dict[str, object] = {
        "epsilon": first.cell.epsilon,
        "rounds": list(first.rounds),
        "lower": {"regret": first.lower.regret, "queries": first.lower.queries},
        "steepest": {"regret": float(first.cell.instance.largest_gap), "queries": 1},
        "cells": [_cell(found) for found in cells],
    }
    for quantity in QUANTITIES:
        edges, counts = histogram(cells, quantity)
        document[f"{quantity}_seeds"] = {"edges": _short(edges.tolist()), "counts": counts}
    return document


def _cell(found: CellSummary) -> dict[str, object]:
    document: dict[str, object] = {"policy": found.cell.policy, "path": found.path}
    for quantity in QUANTITIES:
        against: Sequence[PairedDifference] | None = getattr(found, f"{quantity}_against_curve")
        if against is not None and against[0].low is not None:
            document[f"{quantity}_difference"] = [
                _short([point.mean, point.low or 0.0, point.high or 0.0]) for point in against
            ]
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
            "leading_regret": _short(found.bounds.leading_regret),
            "leading_queries": _short(found.bounds.leading_queries),
        }
    return document


def _short(values: Sequence[float]) -> list[float | None]:
    """Rounded for a picture; None for what is infinite."""
    return [float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None for value in values]

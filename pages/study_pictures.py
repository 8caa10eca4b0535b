"""The pictures of a study: curves with bands and bounds, regret against queries, and distributions over seeds."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from bufalu.experiments.studies.statistics import LEVEL, PairedDifference, Spread
from bufalu.experiments.studies.summary import CellSummary, StudySummary, histogram
from bufalu.pages.drawing import Canvas
from bufalu.pages.provenance import instance_words, provenance

QUANTITIES = ("regret", "queries")
MOST_ROWS = 6
"""Schedules in one picture; more go into further ones."""


def draw_study(summary: StudySummary, folder: Path) -> list[Path]:
    """Pictures for each instance, horizon, interval and tie-break, as PNG and SVG: curves, what is paired over time (for
    several policies and seeds), regret against queries, and the seeds.
    """
    written: list[Path] = []
    made = provenance(summary.study)
    footer = "\n".join(filter(None, (f"{made.version}, {made.date}", made.command)))
    sheets = picture_groups(summary)
    for number, settings in enumerate(sheets, start=1):
        cell = settings[0][0].cell
        title = f"{summary.study.title}: " if summary.study.title else ""
        title += f"{instance_words(cell.instance_name, cell.instance)}, {cell.confidence}, ties {cell.ties}"
        title += f", T = {cell.horizon:,}, {settings[0][0].seeds:,} seeds"
        words = f"{cell.instance_name} {cell.confidence} {cell.ties} {cell.horizon}"
        slug = "" if len(sheets) == 1 else f"-{number}-{re.sub(r'[^A-Za-z0-9]+', '-', words).strip('-')}"
        drawn = {"curves": draw_curves(settings, title), "regret-against-queries": draw_tradeoff(settings, title)}
        if len(settings[0]) > 1 and settings[0][0].seeds > 1:
            drawn["differences"] = draw_differences(settings, title)
        drawn["seeds"] = draw_spread(settings, title)
        for name, canvas in drawn.items():
            canvas.footer(footer)
            written += canvas.save(folder, f"{name}{slug}")
    return written


def picture_groups(summary: StudySummary) -> list[list[tuple[CellSummary, ...]]]:
    """The settings that share a picture: they differ in the schedule alone."""
    found = []
    for _, group in groupby(
        summary.settings(), key=lambda cells: (*cells[0].cell.setting[:1], *cells[0].cell.setting[2:])
    ):
        settings = list(group)
        found += [settings[at : at + MOST_ROWS] for at in range(0, len(settings), MOST_ROWS)]
    return found


def draw_curves(
    settings: Sequence[tuple[CellSummary, ...]], title: str, labels: Sequence[str] | None = None
) -> Canvas:
    """Regret and queries against the round, one row for each setting; by default rows are called by their schedules."""
    bands = f"dark bands: {LEVEL:.0%} for the mean; light: 5% to 95% of the seeds"
    canvas = Canvas(len(settings), 2, f"{title}\n{bands}")
    for row, cells in enumerate(settings):
        for column, quantity in enumerate(QUANTITIES):
            label = labels[row] if labels is not None else f"epsilon {cells[0].cell.epsilon}"
            canvas.panel(row, column, f"{quantity}, {label}", "round t", quantity, log=True)
            for number, found in enumerate(cells):
                curve: Sequence[Spread] = getattr(found, f"{quantity}_curve")
                mean = [point.mean for point in curve]
                lows, highs = zip(*(point.quantiles[:: len(point.quantiles) - 1] for point in curve), strict=True)
                canvas.band(found.rounds, mean, (lows, highs), number, strength=0.10)
                low = [point.mean if point.low is None else point.low for point in curve]
                high = [point.mean if point.high is None else point.high for point in curve]
                canvas.line(found.rounds, mean, (low, high), found.cell.policy, number)
            bounded = [number for number, found in enumerate(cells) if not isinstance(found.bounds, str)]
            for number in bounded:
                add_bounds(canvas, cells[number], quantity, number if len(bounded) > 1 else None)
            add_lower(canvas, cells[0], quantity)
    return canvas


def draw_differences(settings: Sequence[tuple[CellSummary, ...]], title: str) -> Canvas:
    """Regret and queries minus those of the first policy, seed by seed, against the round."""
    first = settings[0][0].cell.policy
    canvas = Canvas(len(settings), 2, f"{title}\nbands: for the mean difference, at each round alone")
    for row, cells in enumerate(settings):
        for column, quantity in enumerate(QUANTITIES):
            theirs = {"regret": "that", "queries": "those"}[quantity]
            label = f"{quantity} minus {theirs} of {first}, epsilon {cells[0].cell.epsilon}"
            canvas.panel(row, column, label, "round t", "difference", log=True, linear_up=True)
            for number, found in enumerate(cells):
                points: Sequence[PairedDifference] | None = getattr(found, f"{quantity}_against_curve")
                if points is not None:
                    mean = [point.mean for point in points]
                    low = [point.mean if point.low is None else point.low for point in points]
                    high = [point.mean if point.high is None else point.high for point in points]
                    canvas.line(found.rounds, mean, (low, high), found.cell.policy, number)
            canvas.level(0.0)
    return canvas


def add_bounds(canvas: Canvas, found: CellSummary, quantity: str, number: int | None) -> None:
    """The theorem's bound for a policy, in its colour if several have one; if none other has, the sharper one too.

    Beside it the leading term of the sharp theorem, where there is one.
    """
    bounds = found.bounds
    if isinstance(bounds, str):
        return
    values, sharper, leading = bounds.regret, bounds.sharper_regret, bounds.leading_regret
    if quantity == "queries":
        values, sharper, leading = bounds.queries, bounds.sharper_queries, bounds.leading_queries
    style = ("-", "--", "-.", ":")[(number or 0) % 4]  # by which lines on each other are told apart
    canvas.bound(bounds.rounds, values, f"theorem ({found.cell.policy})", style, number)
    if number is None:
        canvas.bound(bounds.rounds, sharper, f"sharper ({found.cell.policy})", "--")
    if leading:
        canvas.bound(bounds.rounds, leading, f"sharp, leading term ({found.cell.policy})", "-.", number)


def add_lower(canvas: Canvas, found: CellSummary, quantity: str) -> None:
    """The asymptotic lower bound, where there is something of it to draw."""
    if points := lower_points(found, quantity):
        rounds, values = zip(*points, strict=True)
        canvas.bound(rounds, values, "consistent strategies, asymptotically at least", ":")


def lower_points(found: CellSummary, quantity: str) -> list[tuple[int, float]]:
    """The asymptotic lower bound, rate times ln t, where it is below the trivial upper one."""
    rate: float | None = getattr(found.lower, quantity)
    if rate is None:
        return []
    steepest = float(found.cell.instance.largest_gap) if quantity == "regret" else 1.0
    return [(t, rate * math.log(t)) for t in found.rounds if t > 1 and 0 < rate * math.log(t) <= steepest * t]


def draw_tradeoff(settings: Sequence[tuple[CellSummary, ...]], title: str) -> Canvas:
    """Regret against queries at the horizon, a point for each policy and schedule."""
    canvas = Canvas(1, 1, f"{title}\npoints: means; whiskers: 5% to 95% of the seeds", size=(7.4, 5.4))
    everything = [found for cells in settings for found in cells]
    positive = all(min(found.regret.least, found.queries.least) > 0 for found in everything)
    canvas.panel(0, 0, "", "queries", "regret", log=positive)
    for marker, cells in enumerate(settings):
        for number, found in enumerate(cells):
            canvas.point(found.queries, found.regret, found.cell.policy, number, marker)
    if len(settings) > 1:
        for marker, cells in enumerate(settings):
            canvas.key(f"epsilon {cells[0].cell.epsilon}", marker)
    return canvas


def draw_spread(settings: Sequence[tuple[CellSummary, ...]], title: str) -> Canvas:
    """How regret and queries at the horizon are distributed over the seeds."""
    legend = "shape: seeds; dot: mean; bar: median; line: 5% to 95%"
    canvas = Canvas(len(settings), 2, f"{title}\n{legend}", size=(5.2, 0.9 + 0.55 * len(settings[0])))
    for row, cells in enumerate(settings):
        for column, quantity in enumerate(QUANTITIES):
            canvas.panel(row, column, f"{quantity}, epsilon {cells[0].cell.epsilon}", quantity, "", log=False)
            edges, counts = histogram(cells, quantity)
            canvas.ridges(
                edges, counts, [found.cell.policy for found in cells], [getattr(found, quantity) for found in cells]
            )
    return canvas

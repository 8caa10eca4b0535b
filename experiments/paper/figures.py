"""The figures of the paper, with what it lacks: confidence bands, and the theorem's bounds in the same picture."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

from bufalu.experiments.paper.budget_effect import BudgetPoint, curve
from bufalu.experiments.paper.curves import Curve
from bufalu.experiments.paper.printed import POLICIES
from bufalu.experiments.studies.drawing import Canvas
from bufalu.experiments.studies.theorems import BoundLine, bound_line

NAMES = {"bufalu": "BuFALU", "bufau": "BuFAU", "greedy": "greedy", "cbm-ucb": "CBM-UCB"}
OPTIMA = {"unique": "one optimal arm", "multiple": "two optimal arms"}
CONFIDENCE = 2.576
"""Bands cover the mean with probability 99% (normal quantile)."""


def draw_figures(found: Sequence[Curve], points: Sequence[BudgetPoint], folder: Path) -> list[Path]:
    """One figure for each of the paper's, as PNG and SVG in `folder/figures`."""
    written: list[Path] = []
    for figure in dict.fromkeys(c.panel.figure for c in found):
        written += draw_runs([c for c in found if c.panel.figure == figure], folder / "figures", figure)
    for interval in ("hoeffding", "kl-ucb"):
        chosen = [p for p in points if p.confidence == interval]
        if chosen:
            written += draw_budget(chosen, folder / "figures", f"budget-{interval}", interval)
    return written


def draw_runs(found: Sequence[Curve], folder: Path, name: str) -> list[Path]:
    """Regret and queries against the round: the unique optimum above, two optimal arms below."""
    schedule = found[0].panel.schedule
    spread = "nothing random" if found[0].seeds == 1 else f"{found[0].seeds:,} seeds; bands: 99% for the mean"
    canvas = Canvas(2, 2, f"epsilon(t) = {written(schedule)}, {spread}")
    for row, optimum in enumerate(("unique", "multiple")):
        lines = [c for c in found if c.panel.optimum == optimum]
        if not lines:
            continue
        bounds = bound_line(lines[0].panel.instance, lines[0].panel.schedule, lines[0].rounds)
        for column, quantity in enumerate(("regret", "queries")):
            canvas.panel(row, column, f"{quantity}, {OPTIMA[optimum]}", "round t", quantity, log=True)
            for c in lines:
                mean, std = (c.regret_mean, c.regret_std) if column == 0 else (c.queries_mean, c.queries_std)
                error = CONFIDENCE * std / math.sqrt(c.seeds)
                band = (mean - error, mean + error)
                canvas.line(c.rounds, mean, band, NAMES[c.policy], POLICIES.index(c.policy))
            add_bounds(canvas, bounds, quantity)
    return canvas.save(folder, name)


def add_bounds(canvas: Canvas, bounds: BoundLine, quantity: str) -> None:
    """The upper bounds for BuFALU: the paper's, and the sharper one."""
    values, sharper = (bounds.regret, bounds.sharper_regret)
    if quantity == "queries":
        values, sharper = (bounds.queries, bounds.sharper_queries)
    canvas.bound(bounds.rounds, values, "theorem (BuFALU)", "-")
    canvas.bound(bounds.rounds, sharper, "sharper theorem", "--")


def draw_budget(points: Sequence[BudgetPoint], folder: Path, name: str, interval: str) -> list[Path]:
    """Regret and queries at T = 1,000 against B / T."""
    canvas = Canvas(2, 2, f"T = 1,000, interval {interval}, {points[0].seeds:,} seeds; bands: 99% for the mean")
    quantities: tuple[tuple[str, Callable[[BudgetPoint], tuple[float, float]]], ...] = (
        ("regret", lambda p: (p.regret.mean, p.regret.std)),
        ("queries", lambda p: (p.queries.mean, p.queries.std)),
    )
    for row, optimum in enumerate(("unique", "multiple")):
        for column, (quantity, statistics) in enumerate(quantities):
            canvas.panel(row, column, f"{quantity}, {OPTIMA[optimum]}", "B / T", quantity, log=False)
            for policy in POLICIES:
                line = curve(points, optimum, interval, policy)
                pairs = [statistics(p) for p in line]
                errors = [CONFIDENCE * std / math.sqrt(p.seeds) for p, (_, std) in zip(line, pairs, strict=True)]
                means = [mean for mean, _ in pairs]
                band = (
                    [mean - error for mean, error in zip(means, errors, strict=True)],
                    [mean + error for mean, error in zip(means, errors, strict=True)],
                )
                fractions = [float(p.fraction) for p in line]
                canvas.line(fractions, means, band, NAMES[policy], POLICIES.index(policy))
            if column == 0:
                canvas.mark(0.08, "0.08 (l.1642)")
    return canvas.save(folder, name)


def written(schedule: str) -> str:
    """A schedule as a formula."""
    return {"power:1/4": "t^(-1/4)", "zero": "0", "inverse-log": "1/ln t"}.get(schedule, schedule)

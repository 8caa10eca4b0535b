"""The figures of the paper, with what it lacks: confidence bands, and the theorem's bounds in the same picture."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

from bufalu.experiments.paper.budget_effect import BudgetPoint, curve
from bufalu.experiments.paper.paper_studies import BUDGET_INTERVALS
from bufalu.experiments.paper.printed import POLICIES
from bufalu.experiments.studies.summary import StudySummary
from bufalu.pages.drawing import Canvas
from bufalu.pages.study_pictures import draw_curves

OPTIMA = {"unique": "one optimal arm", "multiple": "two optimal arms"}
CONFIDENCE = 2.576
"""Bands of the budget's figure cover the mean with probability 99% (normal quantile)."""


def draw_figures(summaries: Sequence[StudySummary], points: Sequence[BudgetPoint], folder: Path) -> list[Path]:
    """One figure for each of the paper's, as PNG and SVG: a schedule of a study (l.452, l.1446-1595), or a sweep."""
    written: list[Path] = []
    for summary in summaries:
        for epsilon in summary.study.epsilons:
            settings = [cells for cells in summary.settings() if cells[0].cell.epsilon == epsilon]
            spread = "nothing random" if summary.study.seeds == 1 else f"{summary.study.seeds:,} seeds"
            title = f"{summary.study.title}, epsilon {epsilon}, {spread}"
            labels = [OPTIMA[cells[0].cell.instance_name] for cells in settings]
            kind = "deterministic" if summary.study.seeds == 1 else f"five-arms-{epsilon.split(':')[0]}"
            written += draw_curves(settings, title, labels).save(folder, kind)
    for interval in BUDGET_INTERVALS:
        chosen = [p for p in points if p.confidence == interval]
        if chosen:
            written += draw_budget(chosen, folder, f"budget-{interval}", interval)
    return written


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
                canvas.line([float(p.fraction) for p in line], means, band, policy, POLICIES.index(policy))
            if column == 0:
                canvas.mark(0.08, "0.08 (l.1642)")
    return canvas.save(folder, name)

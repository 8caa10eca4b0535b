"""The bounds against the horizon, drawn."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bufalu.bounds.enclosures import Enclosure
from bufalu.bounds.frontiers import Frontier
from bufalu.bounds.report import Question
from bufalu.bounds.upper import UpperBounds, upper_bounds
from bufalu.pages.drawing import Canvas, check_drawable

POINTS = 60
"""Horizons drawn, evenly spaced on the logarithmic axis."""

_TRIVIAL, _ANY_GAPS, _PAPER, _SHARPER, _REFINED, _ONE_ARM = 7, 1, 4, 0, 2, 6
"""The numbers of the colours (`drawing.COLOURS`) of what is drawn."""


@dataclass(frozen=True)
class BoundCurve:
    """A named line of the picture, one value for each horizon."""

    label: str
    colour: int
    style: str
    values: tuple[float, ...]


@dataclass(frozen=True)
class BoundPanel:
    """One pair of axes."""

    title: str
    curves: tuple[BoundCurve, ...]


def horizons(arms: int, horizon: int, points: int = POINTS) -> tuple[int, ...]:
    """Distinct horizons from K + 1 (or 2) to T, evenly spaced on a logarithmic axis; T alone if that is less."""
    first = max(arms + 1, 2)
    if horizon <= first:
        return (horizon,)
    ratio = horizon / first
    return tuple(sorted({min(horizon, round(first * ratio ** (k / (points - 1)))) for k in range(points)}))


def panels(questions: tuple[UpperBounds, ...]) -> tuple[BoundPanel, BoundPanel]:
    """The curves for regret and for queries, from the bounds at each horizon."""

    def curve(label: str, colour: int, style: str, value: Callable[[UpperBounds], Enclosure | int]) -> BoundCurve:
        return BoundCurve(label, colour, style, tuple(float(Enclosure.of(value(bounds))) for bounds in questions))

    def most(bounds: UpperBounds) -> Enclosure:
        return Enclosure.of(bounds.quantities.instance.largest_gap) * bounds.quantities.horizon

    regret = (
        curve("trivial: largest gap times T", _TRIVIAL, "--", most),
        curve("for any gaps", _ANY_GAPS, ":", lambda bounds: bounds.regret_problem_independent.evaluate()),
        curve("theorem", _PAPER, "-", lambda bounds: bounds.regret.evaluate()),
        curve("sharper", _SHARPER, "-", lambda bounds: bounds.sharper_regret.evaluate()),
        curve("refined", _REFINED, "-.", lambda bounds: bounds.refined_regret.evaluate()),
    )
    queries = (
        curve("trivial: T", _TRIVIAL, "--", lambda bounds: bounds.quantities.horizon),
        curve("theorem", _PAPER, "-", lambda bounds: bounds.queries.evaluate()),
        curve("sharper", _SHARPER, "-", lambda bounds: bounds.sharper_queries.evaluate()),
        curve("refined", _REFINED, "-.", lambda bounds: bounds.refined_queries.evaluate()),
        curve("one arm at most (exact)", _ONE_ARM, ":", lambda bounds: bounds.query_cap_exact),
    )
    return BoundPanel("bounds on the expected regret", regret), BoundPanel("bounds on the expected queries", queries)


def draw_frontier(path: str, found: Frontier, horizon: int) -> None:
    """Draws a frontier, its rates times ln T: regret against queries. Raises what `check_drawable` raises."""
    check_drawable(path)
    canvas = Canvas(
        1, 1, f"What no consistent strategy undercuts as T grows, family {found.family.name}", size=(7.4, 5.0)
    )
    canvas.panel(0, 0, f"rates times ln T at T = {horizon:,}", "queries", "regret", log=True)
    add_frontier(canvas, found, horizon)
    canvas.write(Path(path))


def add_frontier(canvas: Canvas, found: Frontier, horizon: int) -> None:
    """The frontier in the open panel, from above its first corner on."""
    log = math.log(horizon)
    queries, regret = zip(*((float(across) * log, float(up) * log) for across, up in found.corners), strict=True)
    canvas.bound(
        (queries[0], *queries), (2 * regret[0], *regret), "as T grows, no consistent strategy lies below", "-"
    )


def draw_bounds(path: str, question: Question, progress: Callable[[int], None]) -> None:
    """Draws regret and query bounds against T on logarithmic axes into an SVG, PNG or PDF file.

    `progress` is told how many of POINTS horizons are done. Raises what `check_drawable` and `upper_bounds` raise.
    """
    check_drawable(path)
    instance, schedule = question.instance, question.schedule
    where = horizons(instance.number_of_arms, question.horizon)
    found: list[UpperBounds] = []
    for done, point in enumerate(where, start=1):
        found.append(upper_bounds(instance, schedule, point, question.confidence, question.policy))
        progress(done)
    numbers = found[-1].quantities
    title = (
        f"{numbers.policy.title}{numbers.guarantee.words}, {instance.number_of_arms} arms, "
        f"epsilon {schedule.text or 'as given'}"
    )
    canvas = Canvas(1, 2, title, size=(5.5, 3.7))
    for column, panel in enumerate(panels(tuple(found))):
        positive = any(value > 0 for curve in panel.curves for value in curve.values)
        canvas.panel(0, column, panel.title, "horizon T", "", log=positive)
        for curve in panel.curves:
            marker = "o" if len(where) == 1 else ""
            canvas.path(where, curve.values, curve.label, curve.colour, style=curve.style, marker=marker)
    canvas.write(Path(path))

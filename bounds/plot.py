"""The bounds against the horizon, drawn. The only module of this room that touches matplotlib."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from bufalu.bounds.enclosures import Enclosure
from bufalu.bounds.errors import PlotUnavailable
from bufalu.bounds.upper import UpperBounds, upper_bounds
from bufalu.reference.arguments import IntervalLike, PolicyLike
from bufalu.reference.instances import Instance
from bufalu.reference.policies import BUFALU
from bufalu.reference.schedules import Schedule
from bufalu.reference.whole_files import check_writable, whole_file

POINTS = 60
"""Horizons drawn, evenly spaced on the logarithmic axis."""

FORMATS = (".svg", ".png", ".pdf")

_Matplotlib: TypeAlias = Any  # matplotlib's types change between versions; nothing of this type leaves the module


@dataclass(frozen=True)
class BoundCurve:
    """A named line of the picture, one value for each horizon."""

    label: str
    colour: str
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

    def curve(label: str, colour: str, style: str, value: Callable[[UpperBounds], Enclosure | int]) -> BoundCurve:
        return BoundCurve(label, colour, style, tuple(float(Enclosure.of(value(bounds))) for bounds in questions))

    def most(bounds: UpperBounds) -> Enclosure:
        return Enclosure.of(bounds.quantities.instance.largest_gap) * bounds.quantities.horizon

    regret = (
        curve("trivial: largest gap times T", "#999999", "--", most),
        curve("for any gaps", "#c9a227", ":", lambda bounds: bounds.regret_problem_independent.evaluate()),
        curve("paper", "#b3322c", "-", lambda bounds: bounds.regret.evaluate()),
        curve("sharper", "#1f5fa8", "-", lambda bounds: bounds.sharper_regret.evaluate()),
        curve("refined", "#2e8b57", "-.", lambda bounds: bounds.refined_regret.evaluate()),
    )
    queries = (
        curve("trivial: T", "#999999", "--", lambda bounds: bounds.quantities.horizon),
        curve("paper", "#b3322c", "-", lambda bounds: bounds.queries.evaluate()),
        curve("sharper", "#1f5fa8", "-", lambda bounds: bounds.sharper_queries.evaluate()),
        curve("refined", "#2e8b57", "-.", lambda bounds: bounds.refined_queries.evaluate()),
        curve("one arm at most (exact)", "#6b4c9a", ":", lambda bounds: bounds.query_cap_exact),
    )
    return BoundPanel("bounds on the expected regret", regret), BoundPanel("bounds on the expected queries", queries)


def check_drawable(path: str) -> None:
    """Raises `PlotUnavailable` for an ending that is not drawn or without matplotlib, and `UnusableFile` for a file that
    cannot be written.
    """
    if Path(path).suffix.lower() not in FORMATS:
        raise PlotUnavailable(f"'{path}' ends in none of {', '.join(FORMATS)}")
    check_writable(path)
    _load_matplotlib()


def draw_bounds(
    path: str,
    instance: Instance,
    schedule: Schedule,
    horizon: int,
    *,
    confidence: IntervalLike | None = None,
    policy: PolicyLike = BUFALU,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Draws regret and query bounds against T on logarithmic axes into an SVG, PNG or PDF file.

    `progress` is told how many of how many horizons are done. Raises `PlotUnavailable` without matplotlib or for
    another ending, `UnusableFile` when the file cannot be written, and what `upper_bounds` raises.
    """
    check_drawable(path)
    matplotlib = _load_matplotlib()
    where = horizons(instance.number_of_arms, horizon)
    questions: list[UpperBounds] = []
    for done, point in enumerate(where, start=1):
        questions.append(upper_bounds(instance, schedule, point, confidence, policy))
        if progress is not None:
            progress(done, len(where))
    numbers = questions[-1].quantities
    title = (
        f"{numbers.policy.title}, {numbers.regularity.name} intervals, {instance.number_of_arms} arms, "
        f"epsilon {schedule.text or 'as given'}"
    )
    # A fixed salt and no date make the same question give the same file.
    with matplotlib.rc_context({"svg.hashsalt": "bufalu", "svg.fonttype": "none", "font.size": 10}):
        figure = _figure(matplotlib, where, panels(tuple(questions)), title)
        kind = Path(path).suffix[1:].lower()
        with whole_file(path) as part:
            figure.savefig(part, format=kind, metadata={"Date": None} if kind == "svg" else None)


def _load_matplotlib() -> _Matplotlib:
    try:
        import matplotlib
        import matplotlib.figure
    except ImportError:
        raise PlotUnavailable("drawing needs matplotlib: pip install 'bufalu[experiments]'") from None
    return matplotlib


def _figure(
    matplotlib: _Matplotlib, where: tuple[int, ...], drawn: tuple[BoundPanel, ...], title: str
) -> _Matplotlib:
    figure = matplotlib.figure.Figure(figsize=(11, 4.6), layout="constrained")
    figure.suptitle(title)
    marker = "o" if len(where) == 1 else None
    for axes, panel in zip(figure.subplots(1, len(drawn)), drawn, strict=True):
        for curve in panel.curves:
            style = {"color": curve.colour, "label": curve.label, "linewidth": 1.6, "marker": marker}
            axes.plot(where, curve.values, curve.style, **style)
        axes.set_xscale("log")
        positive = any(value > 0 for curve in panel.curves for value in curve.values)
        axes.set_yscale("log" if positive else "linear")
        axes.set_xlabel("horizon T")
        axes.set_title(panel.title)
        axes.grid(visible=True, which="major", color="#dddddd", linewidth=0.6)
        axes.legend(frameon=False, fontsize=9)
    return figure

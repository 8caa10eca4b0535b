"""The picture of a plan: regret against queries, the dial and the pair rule as curves, with what is proved of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from bufalu.bounds.frontiers import Frontier
from bufalu.bounds.planning import Offer
from bufalu.experiments.studies.summary import CellSummary
from bufalu.pages.bounds_picture import add_frontier
from bufalu.pages.drawing import Canvas

BASELINES = {"greedy": 1, "cbm-ucb": 2}
"""Policies that are drawn as points, with their markers."""

ENDS = {"dial:1": "BuFALU", "dial:0": "BuFAU", "pairs:1": "pairs:1", "pairs:4": "pairs:4"}
"""What is named at the ends of the measured curves."""


def draw_plan(
    path: str, offers: Sequence[Offer], limit: Frontier | None, measured: Sequence[CellSummary], horizon: int
) -> None:
    """Draws the plan; `measured` may be empty, and a limit needs a unique optimal arm. Raises what `Canvas` raises."""
    canvas = Canvas(1, 1, f"Regret against queries after {horizon:,} rounds", (8.4, 5.4))
    canvas.panel(0, 0, "each curve: the dial from BuFALU to BuFAU, or the pair rule", "queries", "regret", log=True)
    ordered = sorted(offers, key=lambda offer: (offer.epsilon, offer.candidate.family, offer.candidate.place))
    epsilons = sorted({offer.epsilon for offer in offers})
    for (epsilon, family), group in groupby(ordered, key=lambda offer: (offer.epsilon, offer.candidate.family)):
        chosen, number = list(group), epsilons.index(epsilon)
        queries, regret = [float(offer.queries) for offer in chosen], [float(offer.regret) for offer in chosen]
        canvas.path(queries, regret, f"proved, {family}, {epsilon}", number, style="--", marker="x")
        cells = {cell.cell.policy: cell for cell in measured if cell.cell.epsilon == epsilon}
        if cells:
            _add_measured(canvas, [cells[offer.policy] for offer in chosen], f"measured, {epsilon}", number)
    for policy, marker in BASELINES.items():
        played = [cell for cell in measured if cell.cell.policy == policy]
        for cell in played:
            number = epsilons.index(cell.cell.epsilon)
            canvas.point(cell.queries, cell.regret, f"measured, {cell.cell.epsilon}", number, marker)
        if played:
            canvas.key(policy, marker)
    if limit is not None:
        add_frontier(canvas, limit, horizon)
    canvas.write(Path(path))


def _add_measured(canvas: Canvas, played: Sequence[CellSummary], name: str, number: int) -> None:
    """The curve of one family as it was played, with the names of its ends."""
    canvas.path([cell.queries.mean for cell in played], [cell.regret.mean for cell in played], name, number)
    for cell in (played[0], played[-1]):
        canvas.label(cell.queries.mean, cell.regret.mean, ENDS[cell.cell.policy], number)

"""The picture of a plan: regret against queries, the dial as a curve from BuFALU to BuFAU, with what is proved."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from bufalu.bounds.planning import Offer
from bufalu.experiments.studies.summary import CellSummary
from bufalu.experiments.studies.theorems import LowerRates
from bufalu.pages.drawing import Canvas

BASELINES = {"greedy": 1, "cbm-ucb": 2}
"""Policies that are drawn as points, with their markers."""


def draw_plan(
    path: str, offers: Sequence[Offer], lower: LowerRates, measured: Sequence[CellSummary], horizon: int
) -> None:
    """Draws the plan; `measured` may be empty. Raises what `Canvas` raises."""
    canvas = Canvas(1, 1, f"Regret against queries after {horizon:,} rounds", (8.4, 5.4))
    canvas.panel(0, 0, "each curve: the dial from BuFALU (few queries) to BuFAU", "queries", "regret", log=True)
    epsilons = sorted({offer.epsilon for offer in offers})
    for number, epsilon in enumerate(epsilons):
        chosen = sorted((offer for offer in offers if offer.epsilon == epsilon), key=lambda o: -_position(o.policy))
        queries, regret = [float(offer.queries) for offer in chosen], [float(offer.regret) for offer in chosen]
        canvas.path(queries, regret, f"proved, {epsilon}", number, style="--", marker="x")
        cells = {cell.cell.policy: cell for cell in measured if cell.cell.epsilon == epsilon}
        if cells:
            played = [cells[offer.policy] for offer in chosen]
            canvas.path(
                [cell.queries.mean for cell in played],
                [cell.regret.mean for cell in played],
                f"measured, {epsilon}",
                number,
            )
            for cell in (played[0], played[-1]):
                label = "BuFALU" if cell.cell.policy == "dial:1" else "BuFAU"
                canvas.label(cell.queries.mean, cell.regret.mean, label, number)
            for policy, marker in BASELINES.items():
                if policy in cells:
                    canvas.point(cells[policy].queries, cells[policy].regret, f"measured, {epsilon}", number, marker)
    for policy, marker in BASELINES.items():
        if any(cell.cell.policy == policy for cell in measured):
            canvas.key(policy, marker)
    if lower.regret is not None and lower.queries is not None:
        log = math.log(horizon)
        canvas.corner(lower.queries * log, lower.regret * log, "asymptotic lower bounds")
    canvas.write(Path(path))


def _position(policy: str) -> Fraction:
    return Fraction(policy.removeprefix("dial:"))

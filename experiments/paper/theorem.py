"""The theorem's upper bounds along the rounds of a figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bufalu.bounds.upper import upper_bounds
from bufalu.reference.instances import Instance
from bufalu.reference.schedules import parse_schedule

POINTS = 20
"""On logarithmic axes the bounds are nearly straight, and certified ones cost time: some rounds make a line."""


@dataclass(frozen=True)
class BoundLine:
    """Upper bounds on BuFALU's expected regret and queries after some rounds (l.422-431), and the sharper ones."""

    rounds: tuple[int, ...]
    regret: tuple[float, ...]
    queries: tuple[float, ...]
    sharper_regret: tuple[float, ...]
    sharper_queries: tuple[float, ...]


def bound_line(instance: Instance, schedule: str, rounds: Sequence[int]) -> BoundLine:
    """The bounds at about POINTS of the given rounds, the last one among them."""
    step = max(1, len(rounds) // POINTS)
    chosen = tuple(rounds[len(rounds) - 1 :: -step][::-1])
    found = [upper_bounds(instance, parse_schedule(schedule), number) for number in chosen]
    return BoundLine(
        chosen,
        tuple(bounds.regret.evaluate().upper_float for bounds in found),
        tuple(bounds.queries.evaluate().upper_float for bounds in found),
        tuple(bounds.sharper_regret.evaluate().upper_float for bounds in found),
        tuple(bounds.sharper_queries.evaluate().upper_float for bounds in found),
    )

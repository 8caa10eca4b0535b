"""The rounds after which a curve has a point."""

from __future__ import annotations

POINTS, FIRST = 80, 10
"""How many points a curve has unless the study says otherwise, and the round of the first one."""


def checkpoints(horizon: int, points: int = POINTS) -> tuple[int, ...]:
    """Rounds in nearly equal ratios from 10 up to the horizon, which is one of them; for one point, that alone."""
    if points == 1:
        return (horizon,)
    first = min(FIRST, horizon)
    ratio = horizon / first
    spaced = {round(first * ratio ** (k / (points - 1))) for k in range(points)}
    return tuple(sorted({min(number, horizon) for number in spaced} | {horizon}))

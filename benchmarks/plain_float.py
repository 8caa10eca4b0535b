"""BuFALU in plain doubles, a loop written for speed, against which the exact reference is measured.

It is a correct variant for ordinary schedules, and wrong where ties are exact (budget schedules), as a test shows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator


def float_bufalu(
    arms: int, horizon: int, epsilon: Callable[[int], float], draw: Callable[[int, int], float]
) -> Iterator[tuple[int, bool]]:
    """BuFALU in plain doubles with ties to the first arm, as a practitioner would write it in pure Python."""
    queries = [0] * arms
    totals = [0.0] * arms
    everyone = range(arms)
    for t in range(1, horizon + 1):
        if t <= arms:
            arm, query = t - 1, True
        else:
            log = math.log(t)
            means = [totals[a] / queries[a] for a in everyone]
            radii = [math.sqrt(3 * log / (2 * queries[a])) for a in everyone]
            lcb = [means[a] - radii[a] for a in everyone]
            ucb = [means[a] + radii[a] for a in everyone]
            leader = max(everyone, key=lcb.__getitem__)
            challenger = max((a for a in everyone if a != leader), key=ucb.__getitem__)
            pair = (leader, challenger) if leader < challenger else (challenger, leader)
            candidate = pair[0] if radii[pair[0]] >= radii[pair[1]] else pair[1]
            if ucb[challenger] <= lcb[leader] or ucb[candidate] - lcb[leader] <= epsilon(t):
                arm, query = leader, False
            else:
                arm, query = candidate, True
        if query:
            queries[arm] += 1
            totals[arm] += draw(arm + 1, queries[arm])
        yield arm + 1, query

"""The rules in plain doubles: a correct variant for ordinary schedules, a mutant where ties are exact (budget
schedules).

`FloatView` feeds the very same decision rules with floats. The benchmark measures the exact reference against
`float_bufalu`, a loop written for speed, and the tests show which decisions doubles get wrong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction


class FloatView:
    """What a rule sees when everything is a double."""

    def __init__(self, queries: list[int], totals: list[float], round_number: int, epsilon: float) -> None:
        self.round = round_number
        self.arms = len(queries)
        self.epsilon = epsilon
        self._queries = queries
        self._totals = totals

    def mean(self, arm: int) -> float:
        return self._totals[arm - 1] / self._queries[arm - 1]

    def radius(self, arm: int) -> float:
        return math.sqrt(3 * math.log(self.round) / (2 * self._queries[arm - 1]))

    def lcb(self, arm: int) -> float:
        return self.mean(arm) - self.radius(arm)

    def ucb(self, arm: int) -> float:
        return self.mean(arm) + self.radius(arm)

    def width(self, arm: int) -> float:
        return 2 * self.radius(arm)

    def all_queries(self) -> float:
        return float(sum(self._queries))

    def log(self) -> float:
        return math.log(self.round)

    def number(self, value: int | Fraction) -> float:
        return float(value)


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

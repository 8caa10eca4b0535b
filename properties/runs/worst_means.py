"""Means at the worst corners of the boxes of intervals that a run has seen, so that the good event is never vacuous.

A mean outside its interval makes the statements "under the good event" empty. So the means are not drawn: they are
put at the ends of the intersection of all intervals up to some round (or of that round's intervals, if the
intersection is empty), in the arrangement that leaves the statement the least room.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from bufalu.properties.runs.observed_rounds import ObservedRound, Run
from bufalu.properties.runs.statements import TrueMeans
from bufalu.reference.exact import Exact, log_root, root
from bufalu.reference.rationals import Rational, rational

GRID = 2**30
"""Corners are moved inwards to multiples of 1 / GRID: means that a trace file writes as plain numbers."""
DIGITS = 20
"""How exactly an end without doubles is looked at: more finely than the grid."""


class Intervals:
    """LCB_t(a) and UCB_t(a) of every situation of a run, built once for all the means that are tried on it."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.bounds: list[list[tuple[Exact, Exact]]] = [
            [(situation.view.lcb(arm), situation.view.ucb(arm)) for arm in situation.arms]
            for situation in run.situations
        ]

    def good(self, index: int, true_means: TrueMeans) -> bool:
        """Whether the good event of the situation holds for these means, decided exactly (l.1134, l.1213)."""
        for (low, high), mean in zip(self.bounds[index], true_means.exact_means, strict=True):
            if mean < low or high < mean:
                return False
        factor = self.run.confidence.deviation
        if factor is None:
            return True
        situation = self.run.situations[index]
        return all(variance_is_near(situation, arm, true_means, factor) for arm in situation.arms)

    def box(self, first: int, last: int) -> list[tuple[Fraction, Fraction]] | None:
        """A box inside the intervals of the situations first..last, within [0, 1]; None if there is none."""
        box: list[tuple[Fraction, Fraction]] = []
        for position in range(self.run.arms):
            lows = [rounded_up(self.bounds[index][position][0]) for index in range(first, last + 1)]
            highs = [rounded_down(self.bounds[index][position][1]) for index in range(first, last + 1)]
            low, high = max(lows), min(highs)
            if high < low:
                return None
            box.append((low, high))
        return box


def mean_is_inside(situation: ObservedRound, arm: int, true_means: TrueMeans) -> bool:
    """LCB_t(a) <= mu_a <= UCB_t(a)."""
    mean = true_means.exact_means[arm - 1]
    return not (mean < situation.view.lcb(arm) or situation.view.ucb(arm) < mean)


def variance_is_near(situation: ObservedRound, arm: int, true_means: TrueMeans, factor: Rational = 6) -> bool:
    """|sqrt(V_hat) - sqrt(V)| <= sqrt(factor ln t / (n - 1)), true for n <= 1; Bernstein's factor is 6 (l.1213)."""
    record = situation.state.records[arm - 1]
    if record.queries < 2:
        return True
    distance = root(record.exact_variance()) - root(true_means.variances[arm - 1])
    allowed = root(Fraction(factor, record.queries - 1)) * log_root(situation.round)
    return distance <= allowed and -distance <= allowed


def rounded_up(bound: Exact) -> Fraction:
    """A grid point at or above a lower bound, not below 0."""
    if _has_no_doubles(bound):
        return max(Fraction(0), Fraction(math.ceil(Fraction(bound.enclosure(DIGITS)[1]) * GRID), GRID))
    if bound.approximation + bound.error <= 0:
        return Fraction(0)
    return Fraction(math.ceil((bound.approximation + 2 * bound.error) * GRID), GRID)


def rounded_down(bound: Exact) -> Fraction:
    """A grid point at or below an upper bound, not above 1."""
    if _has_no_doubles(bound):
        return min(Fraction(1), Fraction(math.floor(Fraction(bound.enclosure(DIGITS)[0]) * GRID), GRID))
    if bound.approximation - bound.error >= 1:
        return Fraction(1)
    return Fraction(math.floor((bound.approximation - 2 * bound.error) * GRID), GRID)


def _has_no_doubles(bound: Exact) -> bool:
    """Whether only the exact form tells where the number lies, as with an interval without a shape."""
    return math.isinf(bound.error) and not bound.is_infinite


def corner_means(intervals: Intervals) -> Iterator[TrueMeans]:
    """A few means for a run, each pressing on one of the two most queried arms.

    Inside the intersection of all boxes every round is good; if it is empty, the boxes of the last and of the middle
    round are used, and the good event is decided round by round.
    """
    run = intervals.run
    if not run.situations:
        return
    targets = sorted(range(run.arms), key=lambda position: -run.queries[position])[:2]
    last = len(run.situations) - 1
    whole = intervals.box(0, last)
    boxes = [(last, whole)] if whole else [(end, intervals.box(end, end)) for end in {last, last // 2}]
    for end, box in boxes:
        # A single interval can be too narrow for the grid.
        for target in targets if box else ():
            for means in arrangements(box or [], target):
                yield TrueMeans(means, smallest_variances(run.situations[end], means))


def arrangements(box: list[tuple[Fraction, Fraction]], target: int) -> Iterator[tuple[Rational, ...]]:
    """The means at corners of the box that press hardest on the arm at position `target`."""
    lows = [low for low, _ in box]
    highs = [high for _, high in box]
    others = sorted((p for p in range(len(box)) if p != target), key=lambda p: -highs[p])
    if not others:
        yield (rational(lows[target]),)
        return
    # one best arm as good as can be, all others as bad as can be
    best = others[0]
    unique = list(lows)
    unique[best] = highs[best]
    yield tuple(map(rational, unique))
    # the target itself is the best arm, and as far ahead as can be
    ahead = list(lows)
    ahead[target] = highs[target]
    yield tuple(map(rational, ahead))
    # two best arms with the same mean
    if len(others) >= 2:
        level = min(highs[others[0]], highs[others[1]])
        if level >= max(lows[others[0]], lows[others[1]]):
            multiple = list(lows)
            multiple[others[0]] = multiple[others[1]] = level
            yield tuple(map(rational, multiple))


def smallest_variances(situation: ObservedRound, means: tuple[Rational, ...]) -> tuple[Rational, ...]:
    """The smallest variances that the good event of the situation allows: they leave N_a^g the least room."""
    variances: list[Rational] = []
    for arm, mean in zip(situation.arms, means, strict=True):
        record = situation.state.records[arm - 1]
        variance: Rational = 0
        if record.queries >= 2:
            allowed = root(Fraction(6, record.queries - 1)) * log_root(situation.round)
            excess = root(record.exact_variance()) - allowed
            if excess.sign() > 0:
                variance = min(rounded_up(excess) ** 2, Fraction(mean) * (1 - mean))
        variances.append(rational(variance))
    return tuple(variances)

"""When the good event fails: the last round in which an arm's interval misses its mean.

With the data of an arm fixed, an interval of known shape only widens with t, so a failure holds until some round and
never after. Hoeffding's good event is that every interval holds its mean (l.1136); an interval with a `deviation`, as
Bernstein's, asks besides that the empirical deviation is close to the true one (l.1214).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from bufalu.law.histograms import Booleans, Histograms, Integers
from bufalu.law.round_values import RoundValues
from bufalu.reference.confidence import ConfidenceInterval
from bufalu.reference.exact import Exact, log_root, root
from bufalu.reference.instances import Arm, Instance
from bufalu.reference.rationals import Rational, nearest_float
from bufalu.reference.state import ArmRecord

MARGIN = 2.0**-40
_UNKNOWN = -1


def is_bad(arm: Arm, record: ArmRecord, confidence: ConfidenceInterval, round_number: int) -> bool:
    """Whether this arm breaks the good event in round t with these observations."""
    if record.queries < confidence.needed_queries or round_number < 2:
        return False
    distance = abs(Fraction(record.exact_mean()) - arm.mean)
    if distance and confidence.radius(record, round_number) < Exact.of(distance):
        return True
    factor = confidence.deviation
    return factor is not None and _deviation_is_off(arm, record, factor, round_number)


def _deviation_is_off(arm: Arm, record: ArmRecord, factor: Rational, round_number: int) -> bool:
    if record.queries < 2:
        return False
    difference = root(record.exact_variance()) - root(arm.variance)
    if difference.sign() < 0:
        difference = -difference
    # sqrt(factor ln t / (n - 1)) < |difference|, without the division.
    return root(factor) * log_root(round_number) < root(record.queries - 1) * difference


class LastBadRounds:
    """For each arm and histogram, the last round n < t <= T in which it breaks the good event; 0 if there is none."""

    def __init__(self, instance: Instance, confidence: ConfidenceInterval, clock: RoundValues) -> None:
        self._instance = instance
        self._confidence = confidence
        self._clock = clock
        self._known: list[Integers] = [np.full(0, _UNKNOWN, dtype=np.int64) for _ in instance.arms]

    def of_rows(self, table: Histograms, rows: Integers) -> Integers:
        """For each state, the last round in which some arm breaks the good event."""
        last = np.zeros(len(rows), dtype=np.int64)
        for position, arm in enumerate(self._instance.arms):
            known = self._known[position]
            if len(known) < len(table):
                known = np.concatenate([known, np.full(2 * len(table) - len(known), _UNKNOWN, dtype=np.int64)])
                self._known[position] = known
            numbers = rows[:, position]
            new = np.unique(numbers[known[numbers] == _UNKNOWN])
            if len(new):
                known[new] = 0
                for number in new[~self._surely_good(arm, table, new)].tolist():
                    known[number] = self._last(arm, table, number)
            last = np.maximum(last, known[numbers])
        return last

    def _surely_good(self, arm: Arm, table: Histograms, numbers: Integers) -> Booleans:
        """A filter in doubles: True only where the good event holds, in the first round in which the histogram can be
        met and hence in all, by more than all roundings together.

        Distances and deviations are at most 1 and computed within 2^-50; radii and thresholds within 2^-47 relatively
        (see `bufalu.reference.confidence`). `MARGIN` dwarfs both. Histograms with too few queries have no interval.
        """
        queries = table.queries[numbers]
        first = np.minimum(np.maximum(2, queries + 1), max(self._clock.horizon, 1))
        root_growth, growth = self._clock.root[first], self._clock.growth[first]
        few = queries < self._confidence.needed_queries
        slope = np.where(few, 0.0, table.slope[numbers])
        radius = slope * root_growth + np.where(few, 0.0, table.curvature[numbers]) * growth
        distance = np.abs(table.mean[numbers] - nearest_float(arm.mean))
        good: Booleans = distance < radius * (1 - MARGIN) - MARGIN
        if self._confidence.deviation is not None:
            allowed = np.sqrt(nearest_float(self._confidence.deviation) * np.log(first) / np.maximum(queries - 1, 1))
            off = np.abs(table.deviation[numbers] - math.sqrt(nearest_float(arm.variance)))
            good &= off < allowed * (1 - MARGIN) - MARGIN
        return good | few

    def _last(self, arm: Arm, table: Histograms, number: int) -> int:
        # n rewards have been seen after round n at the earliest, so that earlier rounds do not matter.
        record = table.records[number]
        low, high = max(2, record.queries + 1), self._clock.horizon
        surely = None if self._confidence.deviation is not None else self._sides(arm, table, number)

        def bad(round_number: int) -> bool:
            if surely is not None and (known := surely(round_number)) is not None:
                return known
            return is_bad(arm, record, self._confidence, round_number)

        if low > high or not bad(low):
            return 0
        while low < high:
            middle = (low + high + 1) // 2
            if bad(middle):
                low = middle
            else:
                high = middle - 1
        return low

    def _sides(self, arm: Arm, table: Histograms, number: int) -> Callable[[int], bool | None]:
        """Whether the mean is outside the interval in a round, as far as doubles can tell: by more than `MARGIN`."""
        distance = abs(float(table.mean[number]) - nearest_float(arm.mean))
        slope, curvature = float(table.slope[number]), float(table.curvature[number])

        def side(round_number: int) -> bool | None:
            radius = slope * float(self._clock.root[round_number]) + curvature * float(
                self._clock.growth[round_number]
            )
            if distance < radius * (1 - MARGIN) - MARGIN:
                return False
            return True if distance > radius * (1 + MARGIN) + MARGIN else None

        return side

"""When the good event fails: the last round in which an arm's interval misses its mean.

With the data of an arm fixed, its interval only widens with t, so a failure holds until some round and never after.
Hoeffding's good event is that every interval holds its mean (l.1136); Bernstein's asks besides that the empirical
deviation is close to the true one (l.1214).
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from bufalu.properties.law.histograms import Histograms, Integers
from bufalu.reference.confidence import BernsteinInterval, ConfidenceInterval
from bufalu.reference.exact import FILTER, Exact, log_root, root
from bufalu.reference.instances import Arm, Instance
from bufalu.reference.rationals import nearest_float
from bufalu.reference.state import ArmRecord

MARGIN = 2.0**-40


def is_bad(arm: Arm, record: ArmRecord, confidence: ConfidenceInterval, round_number: int) -> bool:
    """Whether this arm breaks the good event in round t with these observations."""
    if record.queries < confidence.needed_queries or round_number < 2:
        return False
    if _surely_good(arm, record, confidence, round_number):
        return False
    distance = abs(Fraction(record.exact_mean()) - arm.mean)
    if distance and _radius(record, confidence, round_number) < Exact.of(distance):
        return True
    return isinstance(confidence, BernsteinInterval) and _deviation_is_off(arm, record, round_number)


def _surely_good(arm: Arm, record: ArmRecord, confidence: ConfidenceInterval, round_number: int) -> bool:
    """A filter in doubles: True only if the good event holds by more than all roundings together.

    Distances and deviations are at most 1 and computed within 2^-50; radii and thresholds within 2^-47 relatively
    (see `bufalu.reference.confidence`). `MARGIN` dwarfs both.
    """
    slope, curvature = confidence.coefficients(record)
    moment = confidence.clock(round_number)
    radius = slope * moment.root + curvature * moment.log
    mean = record.total.numerator / (record.total.denominator * record.queries)
    if abs(mean - nearest_float(arm.mean)) >= radius * (1 - MARGIN) - MARGIN:
        return False
    if not isinstance(confidence, BernsteinInterval):
        return True
    deviation = slope * math.sqrt(record.queries / 6)
    allowed = math.sqrt(6 * moment.log / (record.queries - 1))
    return abs(deviation - math.sqrt(nearest_float(arm.variance))) < allowed * (1 - MARGIN) - MARGIN


def _radius(record: ArmRecord, confidence: ConfidenceInterval, round_number: int) -> Exact:
    variance = record.exact_variance() if confidence.uses_variance else 0
    slope, curvature = confidence.coefficients(record)
    moment = confidence.clock(round_number)
    radius = slope * moment.root + curvature * moment.log
    return Exact(radius, radius * FILTER, (confidence.radius_form, (record.queries, variance, round_number)))


def _deviation_is_off(arm: Arm, record: ArmRecord, round_number: int) -> bool:
    difference = root(record.exact_variance()) - root(arm.variance)
    if difference.sign() < 0:
        difference = -difference
    # sqrt(6 ln t / (n - 1)) < |difference|, without the division: n >= 2 here.
    return root(6) * log_root(round_number) < root(record.queries - 1) * difference


class LastBadRounds:
    """For each arm and histogram, the last round n < t <= T in which it breaks the good event; 0 if there is none."""

    def __init__(self, instance: Instance, confidence: ConfidenceInterval, horizon: int) -> None:
        self._instance = instance
        self._confidence = confidence
        self._horizon = horizon
        self._known: list[Integers] = [np.full(0, -1, dtype=np.int64) for _ in instance.arms]

    def of_rows(self, table: Histograms, rows: Integers) -> Integers:
        """For each state, the last round in which some arm breaks the good event."""
        last = np.zeros(len(rows), dtype=np.int64)
        for position, arm in enumerate(self._instance.arms):
            known = self._known[position]
            if len(known) < len(table):
                known = np.concatenate([known, np.full(2 * len(table) - len(known), -1, dtype=np.int64)])
                self._known[position] = known
            numbers = rows[:, position]
            for number in np.unique(numbers[known[numbers] < 0]).tolist():
                known[number] = self._last(arm, table.records[number])
            last = np.maximum(last, known[numbers])
        return last

    def _last(self, arm: Arm, record: ArmRecord) -> int:
        # n rewards have been seen after round n at the earliest, so that earlier rounds do not matter.
        low, high = max(2, record.queries + 1), self._horizon
        if low > high or not is_bad(arm, record, self._confidence, low):
            return 0
        while low < high:
            middle = (low + high + 1) // 2
            if is_bad(arm, record, self._confidence, middle):
                low = middle
            else:
                high = middle - 1
        return low

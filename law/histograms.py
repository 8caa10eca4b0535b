"""The states of single arms, numbered: how often each value of the support has been observed.

A state of the run is one number for each arm. Everything that a decision needs of an arm is kept beside its number:
the doubles of the reference's filter, and classes that say which arms are *exactly* equal (in interval, width, mean).
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from bufalu.reference.confidence import ConfidenceInterval
from bufalu.reference.instances import Instance
from bufalu.reference.rationals import Rational, nearest_float
from bufalu.reference.state import ArmRecord, State

Integers: TypeAlias = NDArray[np.int64]
Doubles: TypeAlias = NDArray[np.float64]
Booleans: TypeAlias = NDArray[np.bool_]

Support: TypeAlias = tuple[Rational, ...]

_UNKNOWN = -1


class Histograms:
    """All histograms met so far. Arms with the same support share their numbers."""

    def __init__(self, instance: Instance, confidence: ConfidenceInterval) -> None:
        self._confidence = confidence
        self._numbers: dict[tuple[Support, tuple[int, ...]], int] = {}
        self._classes: dict[Hashable, int] = {}
        self.widest = max(len(arm.values) for arm in instance.arms)
        self.counts: list[tuple[int, ...]] = []
        self.records: list[ArmRecord] = []
        self._supports: list[Support] = []
        self.queries: Integers = np.zeros(0, dtype=np.int64)
        self.mean_class: Integers = np.zeros(0, dtype=np.int64)
        self.interval_class: Integers = np.zeros(0, dtype=np.int64)
        self.width_class: Integers = np.zeros(0, dtype=np.int64)
        self.mean: Doubles = np.zeros(0)
        self.plain_mean: Doubles = np.zeros(0)
        self.slope: Doubles = np.zeros(0)
        self.curvature: Doubles = np.zeros(0)
        self.deviation: Doubles = np.zeros(0)
        self._next: Integers = np.zeros((0, self.widest), dtype=np.int64)
        self._grow(256)
        self.empty = np.array([self._number(arm.values, (0,) * len(arm.values)) for arm in instance.arms])

    def __len__(self) -> int:
        return len(self.records)

    def successors(self, numbers: Integers, outcome: int) -> Integers:
        """The histograms after one more observation of the `outcome`-th value of the support."""
        known: Integers = self._next[numbers, outcome]
        if (known == _UNKNOWN).any():
            for number in np.unique(numbers[known == _UNKNOWN]).tolist():
                counts = list(self.counts[number])
                counts[outcome] += 1
                # Numbering may move the arrays, so the successor comes first.
                successor = self._number(self._supports[number], tuple(counts))
                self._next[number, outcome] = successor
            known = self._next[numbers, outcome]
        return known

    def state(self, row: Sequence[int]) -> State:
        """The state of a run whose arms have these histograms."""
        state = State(len(row))
        state.records = [self.records[number] for number in row]
        state.all_queries = sum(record.queries for record in state.records)
        return state

    def _number(self, support: Support, counts: tuple[int, ...]) -> int:
        key = (support, counts)
        if key in self._numbers:
            return self._numbers[key]
        number = len(self.records)
        if number == len(self.queries):
            self._grow(2 * number)
        record = ArmRecord(
            sum(counts),
            sum(count * value for count, value in zip(counts, support, strict=True)),
            sum(count * value * value for count, value in zip(counts, support, strict=True)),
        )
        self._numbers[key] = number
        self.counts.append(counts)
        self.records.append(record)
        self._supports.append(support)
        self._describe(number, record)
        return number

    def _describe(self, number: int, record: ArmRecord) -> None:
        mean, queries = record.exact_mean(), record.queries
        self.queries[number] = queries
        self.mean_class[number] = self._class(("mean", mean))
        if queries < self._confidence.needed_queries:
            # An infinite interval: all of these are alike.
            self.slope[number] = np.inf
            self.interval_class[number] = self._class("infinite interval")
            self.width_class[number] = self._class("infinite width")
            self.mean[number] = 0.0
        else:
            # Without doubles nothing is sure: NaN fails every test of the filter.
            shape = self._confidence.shape
            coefficients = None if shape is None else shape.coefficients(record)
            self.slope[number], self.curvature[number] = coefficients or (np.nan, np.nan)
            # For a given n, the variance is determined by n (sum of squares) - (sum)^2, which needs no division.
            spread = queries * record.squares - record.total**2 if self._confidence.uses_variance else 0
            self.interval_class[number] = self._class((queries, record.total, spread))
            self.width_class[number] = self._class((queries, spread))
            self.mean[number] = record.total.numerator / (record.total.denominator * queries)
        self.plain_mean[number] = mean.numerator / mean.denominator
        if self._confidence.deviation is not None:
            self.deviation[number] = math.sqrt(nearest_float(record.exact_variance()))

    def _class(self, key: Hashable) -> int:
        return self._classes.setdefault(key, len(self._classes))

    def _grow(self, size: int) -> None:
        """Makes room for `size` histograms."""
        kept = len(self.records)
        self.queries = _longer(self.queries, kept, size)
        self.mean_class = _longer(self.mean_class, kept, size)
        self.interval_class = _longer(self.interval_class, kept, size)
        self.width_class = _longer(self.width_class, kept, size)
        self.mean = _longer(self.mean, kept, size)
        self.plain_mean = _longer(self.plain_mean, kept, size)
        self.slope = _longer(self.slope, kept, size)
        self.curvature = _longer(self.curvature, kept, size)
        self.deviation = _longer(self.deviation, kept, size)
        successors: Integers = np.full((size, self.widest), _UNKNOWN, dtype=np.int64)
        successors[:kept] = self._next[:kept]
        self._next = successors


Entry = TypeVar("Entry", bound=np.generic)


def _longer(array: NDArray[Entry], kept: int, size: int) -> NDArray[Entry]:
    grown: NDArray[Entry] = np.zeros(size, dtype=array.dtype)
    grown[:kept] = array[:kept]
    return grown

"""Counter-based rewards: X_a(k) is a pure function of (seed, arm, k), whatever the order of the queries, the split of
the work or the number of workers.

The k-th draw of an arm is SplitMix64's output function at key + k * golden (Steele, Lea, Flood 2014), with a 64-bit
key for each arm from numpy's `SeedSequence`. Its top 63 bits are compared with ceil(2^63 * cumulative probability):
exact for dyadic probabilities, off by less than 2^-63 otherwise.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import ceil, lcm

import numpy as np

from bufalu.experiments.engine.arrays import TABLE_SIZE, Integers, Rewards, Words
from bufalu.experiments.engine.draws import FIRST_FACTOR, GOLDEN, SECOND_FACTOR
from bufalu.reference.instances import Arm, Instance
from bufalu.reference.rationals import Rational, rational

MASK = (1 << 64) - 1
DRAW_BITS = 63
NEVER_ABOVE = np.uint64(1 << DRAW_BITS)


def stream_keys(seeds: Sequence[int], arms: int) -> Words:
    """One key for each seed and arm."""
    return _stream_keys(tuple(seeds), arms)


@lru_cache(maxsize=8)
def _stream_keys(seeds: tuple[int, ...], arms: int) -> Words:
    return np.array([np.random.SeedSequence(seed).generate_state(arms, np.uint64) for seed in seeds], np.uint64)


def thresholds(arm: Arm) -> list[int]:
    """The draws below entry i give one of the values 0..i; the last entry lies above every draw."""
    return [ceil(Fraction(total) * (1 << DRAW_BITS)) for total in accumulate(arm.probabilities)]


def common_denominator(instance: Instance) -> int:
    """The least common denominator of all rewards of all arms."""
    return lcm(*(value.denominator for arm in instance.arms for value in arm.values))


@lru_cache(maxsize=8)
def reward_tables(instance: Instance) -> Rewards:
    """The supports of the arms for the kernels, padded with values that are never drawn."""
    denominator = common_denominator(instance)
    size = max(len(arm.values) for arm in instance.arms)
    values: Integers = np.zeros((instance.number_of_arms, size), np.int64)
    below: Words = np.full((instance.number_of_arms, size), NEVER_ABOVE, np.uint64)
    for row, arm in enumerate(instance.arms):
        values[row, : len(arm.values)] = [int(value * denominator) for value in arm.values]
        values[row, len(arm.values) :] = values[row, len(arm.values) - 1]
        below[row, : len(arm.values)] = thresholds(arm)
    counts = np.arange(TABLE_SIZE, dtype=np.float64)
    counts[0] = 1.0
    return Rewards(values, below, np.stack([1.0 / (counts * denominator), 1.0 / np.sqrt(counts)]))


class CounterRewards:
    """The same rewards one at a time, for the reference simulator: a `RewardSource`."""

    def __init__(self, instance: Instance, seed: int) -> None:
        self._arms = instance.arms
        self._keys = [int(key) for key in stream_keys([seed], instance.number_of_arms)[0]]
        self._thresholds = [thresholds(arm) for arm in instance.arms]

    def draw(self, arm: int, k: int) -> Rational:
        """X_arm(k), in any order of k."""
        word = (self._keys[arm - 1] + k * int(GOLDEN)) & MASK
        word = ((word ^ (word >> 30)) * int(FIRST_FACTOR)) & MASK
        word = ((word ^ (word >> 27)) * int(SECOND_FACTOR)) & MASK
        draw = (word ^ (word >> 31)) >> 1
        return rational(self._arms[arm - 1].values[bisect_right(self._thresholds[arm - 1], draw)])

"""The streams of the reference, `bufalu.reference.streams`, as tables for the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import lcm

import numpy as np

from bufalu.experiments.engine.arrays import TABLE_SIZE, Integers, Rewards, Words
from bufalu.reference.instances import Instance
from bufalu.reference.streams import DRAW_BITS, stream_key, thresholds

NEVER_ABOVE = np.uint64(1 << DRAW_BITS)


def stream_keys(seeds: Sequence[int], arms: int) -> Words:
    """One key for each seed and arm; raises `InvalidNumber` for a negative seed."""
    return _stream_keys(tuple(map(int, seeds)), arms)


@lru_cache(maxsize=8)
def _stream_keys(seeds: tuple[int, ...], arms: int) -> Words:
    return np.array([[stream_key(seed, arm) for arm in range(1, arms + 1)] for seed in seeds], np.uint64)


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

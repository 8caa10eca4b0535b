"""The streams of the reference, `bufalu.reference.rewards`, as tables for the kernels."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from math import lcm

import numpy as np

from bufalu.experiments.engine.arrays import Floats, Integers, Prizes, Rewards, Words, lined
from bufalu.experiments.engine.vectors import WIDTH
from bufalu.reference.instances import Arm, Instance
from bufalu.reference.rewards import DRAW_BITS, stream_key, thresholds

NEVER_ABOVE = (1 << DRAW_BITS) - 1


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
def reward_tables(arms: tuple[Arm, ...], denominator: int) -> Rewards:
    """The supports of the arms for the kernels, as numerators over `denominator`.

    Shorter supports are padded with their last value that can be drawn, so that a draw beyond them gives it too.
    """
    drawable = [bisect_left(thresholds(arm), 1 << DRAW_BITS) + 1 for arm in arms]
    size = max(2, *drawable)
    values: Floats = np.zeros((len(arms), size))
    below: Integers = np.full((len(arms), size), NEVER_ABOVE, np.int64)
    for row, (arm, entries) in enumerate(zip(arms, drawable, strict=True)):
        numerators = [float(value * denominator) for value in arm.values[:entries]]
        values[row] = numerators + [numerators[-1]] * (size - entries)
        below[row, : entries - 1] = thresholds(arm)[: entries - 1]
    alike = size == 2 and all(entries == 2 for entries in drawable) and bool((values == values[0]).all())
    limits, small, large = (
        np.repeat(below[:, 0], WIDTH),
        np.repeat(values[:, 0], WIDTH),
        np.repeat(values[:, 1], WIDTH),
    )
    prizes = Prizes(lined(limits), lined(small), lined(large))
    return Rewards(1 if alike else size, values.ravel(), below.ravel(), prizes)

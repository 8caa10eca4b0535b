"""One seed round by round: the trace that the reference's simulator gives, in blocks of arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bufalu.experiments.engine.arrays import COUNT, Integers, Words
from bufalu.experiments.engine.compiled import require
from bufalu.experiments.engine.round_tables import WINDOW
from bufalu.experiments.engine.rules import Configuration
from bufalu.experiments.engine.running import play_window
from bufalu.experiments.engine.seed_groups import arm_rows, fresh_seeds
from bufalu.experiments.engine.streams import reward_tables, stream_keys
from bufalu.experiments.engine.vectors import WIDTH
from bufalu.reference.instances import Arm
from bufalu.reference.rewards import FIRST_FACTOR, GOLDEN, SECOND_FACTOR


class TracedRounds(NamedTuple):
    """The rounds first, first + 1, ...: arms from 1, which rounds were queried, and the position of the seen reward among
    the values of its arm, -1 where there is none. `resolved` rounds were decided by exact arithmetic.
    """

    first: int
    arm: Integers
    query: NDArray[np.bool_]
    value: Integers
    resolved: int


def traced_rounds(configuration: Configuration, seed: int) -> Iterator[TracedRounds]:
    """All rounds of a seed, a window at a time; raises `ExperimentsUnavailable` without numba."""
    require()
    arms = configuration.instance.number_of_arms
    state = fresh_seeds(configuration, [seed], min(WINDOW, configuration.horizon))
    keys = stream_keys([seed], arms)[0]
    asked = np.zeros(arms, np.int64)
    for first in range(1, configuration.horizon + 1, WINDOW):
        last = min(configuration.horizon, first + WINDOW - 1)
        state.played.fill(-1)
        resolved = play_window(configuration, state, first, last)
        played = repeated(state.played.reshape(-1, WIDTH)[: last - first + 1, 0])
        arm, query = (played >> 1)[:], (played & 1).astype(np.bool_)
        if configuration.direction == -1:
            arm = arms - 1 - arm
        value = np.full(arm.size, -1, np.int64)
        for a in range(arms):
            rounds = np.flatnonzero(query & (arm == a))
            value[rounds] = drawn(configuration.instance.arms[a], keys[a], int(asked[a]), rounds.size)
            asked[a] += rounds.size
        assert np.array_equal(asked, arm_rows(state)[0, COUNT, :: configuration.direction, 0])
        yield TracedRounds(first, arm + 1, query, value, resolved)


def repeated(played: Integers) -> Integers:
    """The entries, each -1 replaced by the entry before it: a jump is written down once."""
    places = np.where(played >= 0, np.arange(played.size), 0)
    return played[np.maximum.accumulate(places)]


def drawn(arm: Arm, key: np.uint64, before: int, number: int) -> Integers:
    """Which of its values the draws before + 1, ..., before + number of an arm give."""
    words: Words = key + np.arange(before + 1, before + number + 1, dtype=np.uint64) * np.uint64(GOLDEN)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(FIRST_FACTOR)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(SECOND_FACTOR)
    draws = ((words ^ (words >> np.uint64(31))) >> np.uint64(1)).astype(np.int64)
    tables = reward_tables((arm,), 1) if len(arm.values) > 1 else None
    if tables is None:
        return np.zeros(number, np.int64)
    return np.searchsorted(tables.below[:-1], draws, "right")

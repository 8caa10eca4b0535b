"""What depends on the round alone, as tables for a window of rounds: the growth of the radii, epsilon, and how far
off doubles can be.

Error analysis, with u = 2^-53. `log` of a whole number is within 4 ulps (assumed of numpy, tested against exact
enclosures), so ln t, growth and bend are within 16 u relatively, and every epsilon below within 32 u. A slope is within
6 u and a curve within 3 u (draws.py); both are at most 1, so with g = growth + bend a radius is within 24 u g. Let the
offset z be a power of two with z >= 1 + g in all rounds, and b the bits of an arm's tag. A mean plus offset is within
4 u + u (z + 1), adding or subtracting the radius rounds by u (z + 1 + g), and the tag replaces less than 2^b units in
the last place, 2^b 2u (z + 1 + g). So a bound, which lies between 0 and 2z, is within (32 + 2^(b+2)) u z, and a
difference of two within (66 + 2^(b+3)) u z. The margin is (128 + 2^(b+4)) u z. A comparison with epsilon allows the
margin times (1 + epsilon), which covers 32 u epsilon. The same holds of the pair rule, with g above the radii of its pairs,
which are within 24 u too (pairs.py).
"""

from __future__ import annotations

import numpy as np

from bufalu.experiments.engine.arrays import (
    BEND,
    EPSILON,
    GROWTH,
    LOG,
    LOWEST_LEVEL,
    ROUND_COLUMNS,
    Floats,
    Integers,
    Window,
)
from bufalu.experiments.engine.errors import OutsideEngine
from bufalu.experiments.engine.radii import Radii
from bufalu.reference.epsilon_shapes import Direction
from bufalu.reference.schedules import Schedule

UNIT = 2.0**-53
HIGHEST_LEVEL = 16
WINDOW = 1 << HIGHEST_LEVEL
"""Rounds are played in windows of this many, so that tables do not grow with the horizon."""

LARGEST_LEVEL = 2.0**60
"""Epsilon is cut here in the tables: beyond every finite width, below the double of an infinite one."""


def margin_of(offset: float, tag_bits: int) -> float:
    """What two bounds must differ by to be ordered for certain."""
    return float((128.0 + 2.0 ** (tag_bits + 4)) * UNIT * offset)


class RecentWindows:
    """The last two windows made, so that chunks of seeds of a short run share theirs. (Schedules need not be hashable.)"""

    def __init__(self) -> None:
        self._kept: list[tuple[tuple[object, ...], Window]] = []

    def window(self, radii: Radii, schedule: Schedule, arms: int, start: int, end: int) -> Window:
        """The tables of the rounds start..end."""
        key = (radii, schedule, arms, start, end)
        for known, tables in self._kept:
            if known == key:
                return tables
        tables = window(radii, schedule, arms, start, end)
        self._kept = [*self._kept[-1:], (key, tables)]
        return tables


def window(radii: Radii, schedule: Schedule, arms: int, start: int, end: int) -> Window:
    """The tables of the rounds start..end; raises `OutsideEngine` for a schedule that looks at the history."""
    rounds = np.arange(start, end + 1, dtype=np.float64)
    table = np.empty((rounds.size, ROUND_COLUMNS))
    table[:, GROWTH], table[:, BEND] = radii.growth(rounds)
    table[:, LOG] = np.log(rounds)
    table[:, EPSILON] = epsilon = levels(schedule, arms, start, end)
    floor, level = block_minima(epsilon)
    return Window(start, rounds.size, table.ravel(), floor, level)


def ends(radii: Radii, schedule: Schedule, arms: int, start: int, end: int) -> Window:
    """The rounds start and end alone, with the least epsilon between them, 0 where it is not known: for leaps."""
    rounds = np.array([start, end], np.float64)
    table = np.empty((2, ROUND_COLUMNS))
    table[:, GROWTH], table[:, BEND] = radii.growth(rounds)
    table[:, LOG] = np.log(rounds)
    table[:, EPSILON] = 0.0
    least = {Direction.NONDECREASING: start, Direction.NONINCREASING: end}.get(schedule.direction(arms))
    floor = np.zeros(1) if least is None else levels(schedule, arms, least, least)
    return Window(start, end - start + 1, table.ravel(), floor, np.zeros(1, np.int64))


def levels(schedule: Schedule, arms: int, start: int, end: int) -> Floats:
    """epsilon(start..end) in doubles within 32 u. Rounds t <= K, where no policy looks at epsilon, hold 0."""
    if schedule.adaptive:
        raise OutsideEngine("the fast engine takes schedules fixed in advance; use `simulate` for an adaptive one")
    shape = schedule.shape(arms)
    if shape is not None and shape.relative_error is not None and shape.relative_error <= 64 * UNIT:
        rounds = np.maximum(np.arange(start, end + 1, dtype=np.float64), 2.0)
        epsilon: Floats = shape.doubles(rounds, np.log(rounds))
    else:
        numbers = range(start, end + 1)
        epsilon = np.array([float(schedule.at(t, arms)) if t > arms else 0.0 for t in numbers], np.float64)
    epsilon[: max(0, arms - start + 1)] = 0.0
    return np.minimum(epsilon, LARGEST_LEVEL)


def block_minima(epsilon: Floats) -> tuple[Floats, Integers]:
    """The least epsilon of every aligned block of 2^k rounds, level after level, and where each level starts."""
    parts: list[Floats] = []
    starts = [0] * LOWEST_LEVEL
    blocks, filled = epsilon, 0
    for level in range(HIGHEST_LEVEL + 1):
        if level:
            blocks = np.minimum(blocks[0 : 2 * (blocks.size // 2) : 2], blocks[1::2])
        if level >= LOWEST_LEVEL and blocks.size:
            starts.append(filled)
            parts.append(blocks)
            filled += blocks.size
    floor = np.concatenate(parts) if parts else np.zeros(1)
    return floor, np.array([*starts, filled] if not parts else starts, np.int64)

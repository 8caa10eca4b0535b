"""What depends on the round alone, as tables for a window of rounds: the growth of the radii, epsilon, and how far
off doubles can be.

Error analysis, with u = 2^-53. `log` of a whole number is within 4 ulps (assumed of numpy, tested against exact
enclosures), so ln t, growth and bend are within 16 u relatively, and every epsilon below within 32 u. A slope is within
6 u and a curve within 3 u (draws.py); both are at most 1, so with g = growth + bend a radius is within 24 u g. Let the
offset z be a power of two with z >= 1 + g in all rounds, and b the bits of an arm's tag. A mean plus offset is within
4 u + u (z + 1), adding or subtracting the radius rounds by u (z + 1 + g), and the tag replaces less than 2^b units in
the last place, 2^b 2u (z + 1 + g). So a bound, which lies between 0 and 2z, is within (32 + 2^(b+2)) u z, and a
difference of two within (66 + 2^(b+3)) u z. The margin is (128 + 2^(b+4)) u z. A comparison with epsilon allows the
margin times (1 + epsilon), which covers 32 u epsilon.
"""

from __future__ import annotations

import math

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
from bufalu.reference.epsilon_shapes import Direction
from bufalu.reference.radius_shapes import Growth, RadiusShape, RadiusTerm
from bufalu.reference.rationals import nearest_float
from bufalu.reference.schedules import Schedule

UNIT = 2.0**-53
HIGHEST_LEVEL = 16
WINDOW = 1 << HIGHEST_LEVEL
"""Rounds are played in windows of this many, so that tables do not grow with the horizon."""

LARGEST_LEVEL = 2.0**60
"""Epsilon is cut here in the tables: beyond every finite width, below the double of an infinite one."""


LEAST_BEND = 2.0**-10
MOST_GROWTH = 2.0**30
"""Coefficients of radii within which infinite widths and margins keep their distance from all others."""


def check_shape(text: str, shape: RadiusShape | None) -> RadiusShape:
    """The shape, if the kernels know how an arm's part of it is kept; raises `OutsideEngine` with the reason if not.

    They keep 1/sqrt(n), or sqrt(V/n) and 1/(n-1).
    """
    if shape is None:
        raise OutsideEngine(f"the interval '{text}' has no form in doubles: `simulate` takes it, the engine does not")
    if shape.growth is Growth.LOG_BEFORE:
        raise OutsideEngine(f"the engine has ln t, not the ln(t - 1) of '{text}': `simulate` takes it")
    plain = [RadiusTerm(term.coefficient) for term in shape.terms] == list(shape.terms) and len(shape.terms) == 1
    rooted = [term for term in shape.terms if term.rooted]
    linear = [term for term in shape.terms if not term.rooted]
    varied = (
        shape.growth is Growth.LOG
        and len(rooted) == len(linear) == 1
        and rooted[0] == RadiusTerm(rooted[0].coefficient, uses_variance=True)
        and linear[0] == RadiusTerm(linear[0].coefficient, rooted=False, offset=1)
        and linear[0].coefficient >= LEAST_BEND
    )
    if not (plain or varied) or max(term.coefficient for term in shape.terms) > MOST_GROWTH:
        raise OutsideEngine(
            f"the engine computes radii sqrt(c g / n) and sqrt(c V ln t / n) + d ln t / (n - 1) with coefficients up to "
            f"2^30 and d from 2^-10 on, and '{text}' is neither: `simulate` takes it"
        )
    return shape


def growth(shape: RadiusShape, log: Floats) -> tuple[Floats, Floats]:
    """Growth and bend: sqrt(c g) and d g with g the growth of the shape, ln t or max(0, ln t + 3 ln ln t).

    Hoeffding sqrt(3 ln t / 2) (l.1129), Bernstein sqrt(6 ln t) and 7 ln t (l.1208), sqrt(g / 2) in l.1644.
    """
    grown = log
    if shape.growth is Growth.LOG_LOG:
        grown = np.maximum(0.0, log + 3.0 * np.log(np.maximum(log, 0.5)))
    slope, curve = np.zeros_like(log), np.zeros_like(log)
    for term in shape.terms:
        if term.rooted:
            slope = np.sqrt(nearest_float(term.coefficient) * grown)
        else:
            curve = nearest_float(term.coefficient) * grown
    return slope, curve


def offset_of(shape: RadiusShape, horizon: int) -> float:
    """A power of two above 1 + growth + bend in every round."""
    slope, curve = growth(shape, np.log(np.array([max(2.0, float(horizon))])))
    return float(2.0 ** math.ceil(math.log2(1.001 * (1.0 + float(slope[0] + curve[0])))))


def margin_of(offset: float, tag_bits: int) -> float:
    """What two bounds must differ by to be ordered for certain."""
    return float((128.0 + 2.0 ** (tag_bits + 4)) * UNIT * offset)


class RecentWindows:
    """The last two windows made, so that chunks of seeds of a short run share theirs. (Schedules need not be hashable.)"""

    def __init__(self) -> None:
        self._kept: list[tuple[tuple[object, ...], Window]] = []

    def window(self, shape: RadiusShape, schedule: Schedule, arms: int, start: int, end: int) -> Window:
        """The tables of the rounds start..end."""
        key = (shape, schedule, arms, start, end)
        for known, tables in self._kept:
            if known == key:
                return tables
        tables = window(shape, schedule, arms, start, end)
        self._kept = [*self._kept[-1:], (key, tables)]
        return tables


def window(shape: RadiusShape, schedule: Schedule, arms: int, start: int, end: int) -> Window:
    """The tables of the rounds start..end; raises `OutsideEngine` for a schedule that looks at the history."""
    log = np.log(np.arange(start, end + 1, dtype=np.float64))
    table = np.empty((log.size, ROUND_COLUMNS))
    table[:, GROWTH], table[:, BEND] = growth(shape, log)
    table[:, LOG] = log
    table[:, EPSILON] = epsilon = levels(schedule, arms, start, end)
    floor, level = block_minima(epsilon)
    return Window(start, log.size, table.ravel(), floor, level)


def ends(shape: RadiusShape, schedule: Schedule, arms: int, start: int, end: int) -> Window:
    """The rounds start and end alone, with the least epsilon between them, 0 where it is not known: for leaps."""
    log = np.log(np.array([start, end], np.float64))
    table = np.empty((2, ROUND_COLUMNS))
    table[:, GROWTH], table[:, BEND] = growth(shape, log)
    table[:, LOG] = log
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

"""What the kernels work on: flat arrays in named tuples, which both numpy and the compiled code read.

Seeds are kept in groups of eight, one to a lane. A quantity of an arm is eight neighbours of an array, so that the
kernels load it for a whole group at once.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]

DIAL, WIDEST, SPENDING, PAIRS = range(4)
"""Families of rules that share a kernel: leader against challenger with a dial between their candidates (BuFALU is the
dial at 1, BuFAU at 0), the largest upper bound with a test of its width (CBM-UCB), greedy, which spends a budget, and the
pair rule, whose radii belong to two arms.
"""

MEAN, SLOPE, CURVE, COUNT, SUM, SQUARES, RESTS = range(7)
"""Rows of an arm: mean plus offset, the slope and curve of its radius, its queries, the sum and the sum of squares of its
rewards (over the common denominator and its square, whole numbers), and the rounds in which it was played unqueried.
With n queries and the spread s of the pair rule, slope and curve are (n + s) / n^2 and ln((n + s) / s) / 4 (pairs.py).
"""
ARM_ROWS = 7

NEXT, ASKED = range(2)
"""Rows of a seed: the offset of the first round that it has not played, and its queries of all arms."""
SEED_ROWS = 2

GROWTH, BEND, LOG, EPSILON = range(4)
"""Columns of a window, one row a round: a radius is growth * slope + bend * curve, but for the pair rule, which has
the growth ln(t b(t)) / 2 alone; ln t; epsilon(t).
"""
ROUND_COLUMNS = 4

PAIR = 2
"""The arms of a narrowed field."""

REST_ROWS = 3
"""Rows of the arms beside a field: largest lower bound, upper bound and mean."""

LOWEST_LEVEL = 4
"""The smallest block of rounds that is tried as a jump has 2^LOWEST_LEVEL rounds; the kernels go from block to block."""


LINE = 64
"""Bytes of a cache line: eight lanes fill one."""

Entry = TypeVar("Entry", np.float64, np.int64)


def lined(values: NDArray[Entry]) -> NDArray[Entry]:
    """A flat copy that starts with a cache line, so that no vector of lanes lies across two."""
    room = np.empty(values.size + LINE // values.itemsize, values.dtype)
    skipped = -room.ctypes.data % LINE // values.itemsize
    copy = room[skipped : skipped + values.size]
    copy[:] = values.ravel()
    return copy


class KernelRule(NamedTuple):
    """Everything that a kernel knows of a configuration beside its family and the shape of its intervals.

    `arms` of `all_arms` arms are in the field (narrowing.py). `tags` masks the bits of a bound that hold the arm, `margin`
    is what two bounds must differ by; `scale` is the inverse of the common denominator. Arms are queried in turn through
    round `initial`; `backwards` says that they are stored last arm first. The dial stands at rho; `leader_weight` and
    `challenger_weight` are the squares of its numerator and denominator, of the pair rule the denominator and numerator of
    kappa; `spread` is the pair rule's s. Where a budget schedule makes widths and epsilon tie exactly, a Hoeffding interval
    is narrow from `full_count` queries on, and a Bernstein interval of `tied_count` queries with the largest variance is;
    greedy is over its budget beyond `spend_limit`. -1 means that there is no such number.
    """

    arms: int
    all_arms: int
    backwards: int
    initial: int
    tags: int
    margin: float
    offset: float
    denominator: float
    scale: float
    rho: float
    leader_weight: float
    challenger_weight: float
    spread: float
    full_count: float
    tied_count: float
    spend_limit: float
    jumps: int


class Window(NamedTuple):
    """Everything that depends on the round alone, for the rounds start, start + 1, ...

    `floor` holds the minima of epsilon over aligned blocks of 2^k rounds, those of level k from `level_start[k]` on.
    """

    start: int
    length: int
    table: Floats
    floor: Floats
    level_start: Integers


class Prizes(NamedTuple):
    """Supports of two values, eight equal neighbours for each arm: `limits` are the thresholds below which a 63-bit draw
    gives the `small` value.
    """

    limits: Integers
    small: Floats
    large: Floats


class Rewards(NamedTuple):
    """Finite supports of `size` values, arm after arm: `values` are numerators over the common denominator, `below` the
    thresholds of the 63-bit draws. A size of 1 says that all arms have the same two values; `prizes` are the first two.
    """

    size: int
    values: Floats
    below: Integers
    prizes: Prizes


class Field(NamedTuple):
    """The two arms in front of each lane of a group, kept apart for a while (narrowing.py): `arms`, `keys` and `prizes` as
    for all arms, the tags that the two have among all, and what bounds the others.

    The field of group g holds to the end of round `until[g]` of a window, -1 if there is none, and was made before round
    `since[g]`; `patience` and `failures` tell when a group may try again.
    """

    arms: Floats
    keys: Integers
    prizes: Prizes
    tags: Integers
    rest: Floats
    until: Integers
    since: Integers
    patience: Integers
    failures: Integers


class Seeds(NamedTuple):
    """The state of many runs, in groups of eight lanes, as flat arrays: `arms` by group, row, arm and lane, `keys` by
    group, arm and lane, `seeds` by group, row and lane.

    `keys` are those of the streams. `field` has the arms of the groups whose field is narrowed. Bit l of `waiting[g]` says
    that lane l of group g needs an exact comparison. `patience` and `failures` tell when a group may try to jump again;
    `active` lists the groups at work. `played` is filled with 2 * arm + query for every round of a window, group and lane
    unless it is empty; -1 repeats the entry before it. `drawn` and `chosen` are room for the lanes of one vector,
    `found` for those of four.
    """

    groups: int
    arms: Floats
    keys: Integers
    seeds: Floats
    waiting: Integers
    patience: Integers
    failures: Integers
    active: Integers
    played: Integers
    field: Field
    drawn: Integers
    chosen: Integers
    found: Floats

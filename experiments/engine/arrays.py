"""What the kernels work on: plain arrays in named tuples, which both numpy and the compiled code read."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bufalu.reference.policies import RuleKind

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]

BUFALU, BUFAU, CBM_UCB, GREEDY = 0, 1, 2, 3
POLICY_CODES = {
    RuleKind.WIDER_OF_LEADER_AND_CHALLENGER: BUFALU,
    RuleKind.LARGEST_UCB_AGAINST_LEADER: BUFAU,
    RuleKind.LARGEST_UCB_BY_WIDTH: CBM_UCB,
    RuleKind.LARGEST_UCB_BY_BUDGET: GREEDY,
}

NO_BUDGET, HOEFFDING_BUDGET, BERNSTEIN_BUDGET = 0, 1, 2

UNKNOWN = -1
"""What a comparison says that rounding could turn."""

TABLE_SIZE = 1 << 16
"""Tables of 1/n and 1/sqrt(n) end here; larger counts are divided, so that memory does not grow with the horizon."""

LOWEST_LEVEL = 2
"""The smallest block of rounds that is tried as a jump has 2^LOWEST_LEVEL rounds."""


class Rule(NamedTuple):
    """Policy, interval and tie-break as numbers. `matched` says that widths and epsilon can tie exactly, `spends`
    that greedy's budget is the rational numerator / denominator.
    """

    policy: int
    arms: int
    bernstein: int
    last: int
    jumps: int
    denominator: int
    matched: int
    spends: int
    budget_numerator: int
    budget_denominator: int


QUERIES, SUMS, SQUARES, PLAYS = 0, 1, 2, 3
"""Rows of a seed's counts: what was queried and seen of each arm, and how often it was played."""

MEAN, SLOPE, CURVE = 0, 1, 2
"""Rows of a seed's forms: the interval of an arm is mean +- (slopes_t * slope + curves_t * curve)."""

SLOPES, CURVES, LOG, MARGIN, EPSILON = 0, 1, 2, 3, 4
"""Rows of a window's table, one column a round: slopes_t, curves_t, ln t, the error bound of a difference of two
bounds, and epsilon(t).
"""


class Window(NamedTuple):
    """Everything that depends on the round alone, for the rounds start, start + 1, ...

    `floor` holds the minima of epsilon over aligned blocks of 2^k rounds, those of level k from `level_start[k]` on.
    """

    start: int
    table: Floats
    floor: Floats
    level_start: Integers


class Rewards(NamedTuple):
    """Finite supports: `values` are numerators over the common denominator, `below` the cumulative 63-bit thresholds;
    `inverse` holds 1 / (n * denominator) and 1 / sqrt(n) for small n.
    """

    values: Integers
    below: Words
    inverse: Floats


class Seeds(NamedTuple):
    """The state of many runs, one row a seed. `next_round` is the round not yet decided; a seed that waits for an
    exact comparison has `waiting` set, and takes `forced_arm` (-1: none) and `forced_query` when it goes on.
    `scratch` is room for the bounds of one round.
    """

    next_round: Integers
    waiting: Integers
    forced_arm: Integers
    forced_query: Integers
    keys: Words
    counts: Integers
    forms: Floats
    scratch: Floats

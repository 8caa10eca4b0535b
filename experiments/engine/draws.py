"""The rewards of the compiled rounds: drawing one, and renewing what is known of the arm."""

# ruff: noqa: PLR0917 - compiled code takes its arrays one by one, and `in` makes a tuple there

from __future__ import annotations

import numpy as np

from bufalu.experiments.engine.arrays import (
    CURVE,
    MEAN,
    QUERIES,
    SLOPE,
    SQUARES,
    SUMS,
    TABLE_SIZE,
    Floats,
    Integers,
    Rule,
    Words,
)
from bufalu.experiments.engine.compiled import inlined
from bufalu.reference import streams

GOLDEN, FIRST_FACTOR, SECOND_FACTOR = (
    np.uint64(constant) for constant in (streams.GOLDEN, streams.FIRST_FACTOR, streams.SECOND_FACTOR)
)
SHIFT_30, SHIFT_27, SHIFT_31, SHIFT_1 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(1)


@inlined
def draw_bits(key: np.uint64, count: int) -> np.uint64:
    """The 63 bits of draw number `count` (from 1) of the stream `key` (SplitMix64's output function)."""
    word = key + np.uint64(count) * GOLDEN
    word = (word ^ (word >> SHIFT_30)) * FIRST_FACTOR
    word = (word ^ (word >> SHIFT_27)) * SECOND_FACTOR
    return (word ^ (word >> SHIFT_31)) >> SHIFT_1


@inlined
def drawn_value(below: Words, values: Integers, key: np.uint64, arm: int, count: int) -> int:
    """X_arm(count) times the common denominator. The sum of comparisons is a loop without a branch to mispredict."""
    bits = draw_bits(key, count)
    which = 0
    for entry in range(below.shape[1] - 1):
        which += bits >= below[arm, entry]
    return int(values[arm, which])


@inlined
def record(
    rule: Rule,
    below: Words,
    values: Integers,
    inverse: Floats,
    keys: Words,
    counts: Integers,
    forms: Floats,
    arm: int,
) -> None:
    """Queries `arm`: draws its next reward and renews what its interval is made of."""
    n = counts[QUERIES, arm] + 1
    value = drawn_value(below, values, keys[arm], arm, n)
    total = counts[SUMS, arm] + value
    counts[QUERIES, arm] = n
    counts[SUMS, arm] = total
    counts[SQUARES, arm] += value * value
    if n < TABLE_SIZE:
        forms[MEAN, arm] = total * inverse[0, n]
    else:
        forms[MEAN, arm] = total / (float(n) * rule.denominator)
    if not rule.bernstein:
        forms[SLOPE, arm] = inverse[1, n] if n < TABLE_SIZE else 1.0 / np.sqrt(float(n))
    elif n >= 2:
        scatter = n * counts[SQUARES, arm] - total * total
        scale = float(n) * float(n) * float(n - 1) * float(rule.denominator) * float(rule.denominator)
        forms[SLOPE, arm] = np.sqrt(float(scatter) / scale)
        forms[CURVE, arm] = 1.0 / float(n - 1)
    else:
        forms[SLOPE, arm] = np.inf
        forms[CURVE, arm] = np.inf

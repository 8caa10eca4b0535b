"""The rewards of the compiled rounds: drawing one for each lane that asks, and renewing what is known of its arm."""

# ruff: noqa: PLR0917 - compiled code takes its arrays one by one

from __future__ import annotations

import numpy as np

from bufalu.experiments.engine.arrays import COUNT, CURVE, MEAN, SLOPE, SQUARES, SUM, Floats, Integers, Rule
from bufalu.experiments.engine.compiled import inlined
from bufalu.experiments.engine.lanes import (
    WIDTH,
    Flags,
    Lanes,
    Wholes,
    above,
    bits,
    every,
    every_whole,
    fused,
    higher,
    less,
    load,
    load_wholes,
    lower,
    pick,
    root,
    same,
    shifted,
    store,
    store_wholes,
)
from bufalu.reference import streams

GOLDEN, FIRST_FACTOR, SECOND_FACTOR = (
    int(np.uint64(constant).astype(np.int64))
    for constant in (streams.GOLDEN, streams.FIRST_FACTOR, streams.SECOND_FACTOR)
)

UNBOUNDED = 2.0**80
"""The curve of an arm with one reward, whose Bernstein interval is infinite: beyond every epsilon of a table."""


@inlined
def draw_bits(word: Wholes) -> Wholes:
    """The 63 bits of a draw: `bufalu.reference.streams.mixed`, shifted."""
    word = (word ^ shifted(word, 30)) * every_whole(FIRST_FACTOR)
    word = (word ^ shifted(word, 27)) * every_whole(SECOND_FACTOR)
    return shifted(word ^ shifted(word, 31), 1)


@inlined
def value_at(below: Integers, values: Floats, size: int, arm: int, draw: int) -> float:
    """The value of a draw of one arm, by bisection."""
    first, last = arm * size, arm * size + size - 1
    while first < last:
        middle = (first + last) >> 1
        if draw < below[middle]:
            last = middle
        else:
            first = middle + 1
    return float(values[first])


@inlined
def values_of(
    rule: Rule,
    size: int,
    below: Integers,
    values: Floats,
    drawn: Integers,
    chosen: Integers,
    found: Floats,
    arm: Wholes,
    asks: Flags,
    draw: Wholes,
) -> Lanes:
    """The values of eight draws; those of two values without a branch, larger supports lane by lane."""
    if size == 2:
        limit, small, large = every_whole(0), every(0.0), every(0.0)
        for a in range(rule.arms):
            here = same(arm, every_whole(rule.tags - a))
            limit = pick(here, every_whole(below[2 * a]), limit)
            small = pick(here, every(values[2 * a]), small)
            large = pick(here, every(values[2 * a + 1]), large)
        return pick(less(draw, limit), small, large)
    store_wholes(drawn, 0, draw)
    store_wholes(chosen, 0, arm)
    asking = bits(asks)
    for lane in range(WIDTH):
        if asking >> lane & 1:
            found[lane] = value_at(below, values, size, rule.tags - chosen[lane], drawn[lane])
    return load(found, 0)


@inlined
def record(
    rule: Rule,
    curved: int,
    size: int,
    below: Integers,
    values: Floats,
    state: Floats,
    words: Integers,
    drawn: Integers,
    chosen: Integers,
    found: Floats,
    base: int,
    word_base: int,
    arm: Wholes,
    asks: Flags,
) -> None:
    """Queries the tagged arm of each lane that asks: draws its next reward, and renews its interval.

    Every number is renewed by correctly rounded operations from whole numbers below 2^53: a mean is within 2 roundings
    (3 with the offset), a slope within 2 (Hoeffding) or 6 (Bernstein), a curve within 1.
    """
    row = rule.arms * WIDTH
    one, denominator = every(1.0), every(rule.denominator)
    count, total, squares, word = one, one, one, every_whole(0)
    for a in range(rule.arms):
        at = base + a * WIDTH
        here = same(arm, every_whole(rule.tags - a))
        count = pick(here, load(state, at + COUNT * row), count)
        total = pick(here, load(state, at + SUM * row), total)
        word = pick(here, load_wholes(words, word_base + a * WIDTH), word)
        if curved:
            squares = pick(here, load(state, at + SQUARES * row), squares)
    value = values_of(rule, size, below, values, drawn, chosen, found, arm, asks, draw_bits(word))
    word = word + every_whole(GOLDEN)
    count = count + one
    total = total + value
    scale = count * denominator
    mean = total / scale + every(rule.offset)
    curve = one
    if curved:
        squares = squares + value * value
        rest = count - one
        several = above(rest, every(0.5))
        variance = scatter(count, total, squares) / (scale * scale * rest)
        slope = pick(several, root(variance), every(0.0))
        curve = lower(one / rest, every(UNBOUNDED))
    else:
        slope = one / root(count)
    for a in range(rule.arms):
        at = base + a * WIDTH
        here = asks & same(arm, every_whole(rule.tags - a))
        store(state, at + COUNT * row, pick(here, count, load(state, at + COUNT * row)))
        store(state, at + SUM * row, pick(here, total, load(state, at + SUM * row)))
        store(state, at + MEAN * row, pick(here, mean, load(state, at + MEAN * row)))
        store(state, at + SLOPE * row, pick(here, slope, load(state, at + SLOPE * row)))
        word_at = word_base + a * WIDTH
        store_wholes(words, word_at, pick(here, word, load_wholes(words, word_at)))
        if curved:
            store(state, at + SQUARES * row, pick(here, squares, load(state, at + SQUARES * row)))
            store(state, at + CURVE * row, pick(here, curve, load(state, at + CURVE * row)))


@inlined
def scatter(count: Lanes, total: Lanes, squares: Lanes) -> Lanes:
    """n times the sum of squares less the square of the sum: n (n - 1) V times the squared denominator.

    Exact while both products stay below 2^53; beyond, what the products lose is added again, so that the result is
    within 3 roundings of the products' difference and of 2^-106 of the products.
    """
    left, right = count * squares, total * total
    lost = fused(count, squares, every(0.0) - left) - fused(total, total, every(0.0) - right)
    return higher(left - right + lost, every(0.0))

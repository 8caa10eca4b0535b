"""The rewards of the compiled rounds: drawing one for each lane that asks, and renewing what is known of its arm."""

# ruff: noqa: PLR0917 - compiled code takes its arrays one by one

from __future__ import annotations

import numpy as np

from bufalu.experiments.engine.arrays import (
    COUNT,
    CURVE,
    MEAN,
    PAIRS,
    SLOPE,
    SQUARES,
    SUM,
    Floats,
    Integers,
    KernelRule,
    Prizes,
    Rewards,
)
from bufalu.experiments.engine.compiled import inlined
from bufalu.experiments.engine.lanes import (
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
    pick,
    root,
    same,
    shifted,
    store,
    store_wholes,
    tag_of,
)
from bufalu.experiments.engine.logarithms import logarithm
from bufalu.experiments.engine.vectors import WIDTH
from bufalu.reference import rewards

GOLDEN, FIRST_FACTOR, SECOND_FACTOR = (
    int(np.uint64(constant).astype(np.int64))
    for constant in (rewards.GOLDEN, rewards.FIRST_FACTOR, rewards.SECOND_FACTOR)
)

BEYOND = 2.0**52

UNBOUNDED = 2.0**80
"""The curve of an arm with one reward, whose Bernstein interval is infinite: beyond every epsilon of a table."""


@inlined
def draw_bits(word: Wholes) -> Wholes:
    """The 63 bits of a draw: `bufalu.reference.rewards.mixed`, shifted."""
    word = (word ^ shifted(word, 30)) * every_whole(FIRST_FACTOR)
    word = (word ^ shifted(word, 27)) * every_whole(SECOND_FACTOR)
    return shifted(word ^ shifted(word, 31), 1)


@inlined
def as_wholes(count: Lanes) -> Wholes:
    """Whole numbers below 2^52 out of doubles: added to 2^52, they are the lowest bits."""
    return tag_of(count + every(BEYOND), (1 << 52) - 1)


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
    rule: KernelRule,
    rewards: Rewards,
    room: tuple[Integers, Integers, Floats],
    arm: Wholes,
    asks: Flags,
    draw: Wholes,
) -> Lanes:
    """The values of eight draws from larger supports, lane by lane."""
    drawn, chosen, found = room
    store_wholes(drawn, 0, draw)
    store_wholes(chosen, 0, arm)
    asking = bits(asks)
    for lane in range(WIDTH):
        if asking >> lane & 1:
            found[lane] = value_at(rewards.below, rewards.values, rewards.size, rule.tags - chosen[lane], drawn[lane])
    return load(found, 0)


@inlined
def renewed(
    family: int, rule: KernelRule, curved: int, count: Lanes, total: Lanes, squares: Lanes
) -> tuple[Lanes, Lanes, Lanes]:
    """Mean plus offset, slope and curve of arms with these counts and sums.

    They come from whole numbers below 2^53, with a few operations: a mean is within 4 roundings, a slope within 2
    (Hoeffding), 6 (Bernstein) or 4 (pairs), a curve within 3, and of pairs within 4 u (1 + itself), u = 2^-53.
    """
    one = every(1.0)
    if curved:
        several = above(count, every(1.5))
        rest = pick(several, count - one, one)
        scale = count * every(rule.denominator)
        inverse = one / (scale * rest)
        slope = root(scatter(count, total, squares) * inverse * (rest * inverse))
        return total * rest * inverse + every(rule.offset), slope, pick(several, scale * inverse, every(UNBOUNDED))
    inverse = one / count
    mean = total * (inverse * every(rule.scale)) + every(rule.offset)
    if family == PAIRS:
        weight = count + every(rule.spread)
        return mean, weight * (inverse * inverse), every(0.25) * logarithm(weight * every(1.0 / rule.spread))
    return mean, root(inverse), one


@inlined
def renew(family: int, rule: KernelRule, curved: int, state: Floats, at: int) -> None:
    """Renews what is known of the arm at place `at` in all lanes in which it was queried."""
    row = rule.arms * WIDTH
    count = load(state, at + COUNT * row)
    mean, slope, curve = renewed(
        family, rule, curved, count, load(state, at + SUM * row), load(state, at + SQUARES * row)
    )
    queried = above(count, every(0.5))
    store(state, at + MEAN * row, pick(queried, mean, load(state, at + MEAN * row)))
    store(state, at + SLOPE * row, pick(queried, slope, load(state, at + SLOPE * row)))
    if curved or family == PAIRS:
        store(state, at + CURVE * row, pick(queried, curve, load(state, at + CURVE * row)))


@inlined
def record(
    family: int,
    rule: KernelRule,
    curved: int,
    rewards: Rewards,
    prizes: Prizes,
    state: Floats,
    keys: Integers,
    room: tuple[Integers, Integers, Floats],
    places: tuple[int, int, int],
    arm: Wholes,
    asks: Flags,
) -> None:
    """Queries the tagged arm of each lane that asks: draws its next reward, and renews its interval. `places` are
    those of the first arm in `state`, `keys` and `prizes`; `room` is for the lanes of larger supports.
    """
    row = rule.arms * WIDTH
    base, key_base, prize_base = places
    one = every(1.0)
    count, total, squares, key = one, one, one, every_whole(0)
    limit, small, large = every_whole(0), every(rewards.values[0]), every(rewards.values[1])
    pairs = rewards.size <= 2
    for a in range(rule.arms):
        at = base + a * WIDTH
        here = same(arm, every_whole(rule.tags - a))
        count = pick(here, load(state, at + COUNT * row), count)
        total = pick(here, load(state, at + SUM * row), total)
        key = pick(here, load_wholes(keys, key_base + a * WIDTH), key)
        if curved:
            squares = pick(here, load(state, at + SQUARES * row), squares)
        if pairs:
            limit = pick(here, load_wholes(prizes.limits, prize_base + a * WIDTH), limit)
        if rewards.size == 2:
            small = pick(here, load(prizes.small, prize_base + a * WIDTH), small)
            large = pick(here, load(prizes.large, prize_base + a * WIDTH), large)
    count = count + one
    draw = draw_bits(key + as_wholes(count) * every_whole(GOLDEN))
    if pairs:
        value = pick(less(draw, limit), small, large)
    else:
        value = values_of(rule, rewards, room, arm, asks, draw)
    total = total + value
    if curved:
        squares = squares + value * value
    mean, slope, curve = renewed(family, rule, curved, count, total, squares)
    for a in range(rule.arms):
        at = base + a * WIDTH
        here = asks & same(arm, every_whole(rule.tags - a))
        store(state, at + COUNT * row, pick(here, count, load(state, at + COUNT * row)))
        store(state, at + SUM * row, pick(here, total, load(state, at + SUM * row)))
        store(state, at + MEAN * row, pick(here, mean, load(state, at + MEAN * row)))
        store(state, at + SLOPE * row, pick(here, slope, load(state, at + SLOPE * row)))
        if curved:
            store(state, at + SQUARES * row, pick(here, squares, load(state, at + SQUARES * row)))
        if curved or family == PAIRS:
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

"""Seeds that go from query to query, each at its own round: the loop of the pair rule, which rests most of the time.

Without a query all means stand still, and with them the leader. The index of every other arm rises with its radius, and
from round t to round v the square of a radius grows at most as the growth does: r_v <= r_t (1 + (g_v / g_t - 1) / 2).
So the index and the radius of the challenger bound its indices in the rounds that follow, the largest index of the other
arms and the largest radius bound theirs, and a seed may rest as long as both bounds stay below epsilon, over whole blocks
of rounds where they stay below their least epsilon.
"""

# ruff: noqa: PLR0917 - compiled code takes its arrays one by one

from __future__ import annotations

from typing import NamedTuple

from bufalu.experiments.engine.arrays import (
    ARM_ROWS,
    EPSILON,
    GROWTH,
    LOWEST_LEVEL,
    NEXT,
    RESTS,
    ROUND_COLUMNS,
    Floats,
    KernelRule,
    Rewards,
    Seeds,
    Window,
)
from bufalu.experiments.engine.compiled import apart, inlined
from bufalu.experiments.engine.decisions import Now
from bufalu.experiments.engine.draws import record
from bufalu.experiments.engine.lanes import bits, every, flags, load, pick, store, store_wholes
from bufalu.experiments.engine.pairs import PairVerdict, verdict
from bufalu.experiments.engine.steps import due, round_now, row_of, turn
from bufalu.experiments.engine.vectors import WIDTH

SLIGHTLY_MORE = 1.0 + 2.0**-40
"""Covers the roundings of what is added to an index."""


@inlined
def rounds_now(rule: KernelRule, window: Window, seeds: Seeds, g: int, lanes: int) -> Now:
    """The numbers of the round of each of these lanes."""
    place = int(seeds.seeds[row_of(g, NEXT)]) - window.start
    if lanes & 1 and lanes & ~bits(turn(seeds, g, window.start + place)) == 0:
        return round_now(rule, window.table, place)
    for lane in range(WIDTH):
        if lanes >> lane & 1:
            columns = (int(seeds.seeds[row_of(g, NEXT) + lane]) - window.start) * ROUND_COLUMNS
            seeds.found[lane] = window.table[columns + GROWTH]
            seeds.found[WIDTH + lane] = window.table[columns + EPSILON]
    epsilon = load(seeds.found, WIDTH)
    tolerance = every(rule.margin) * (every(1.0) + epsilon)
    return Now(load(seeds.found, 0), every(0.0), epsilon + tolerance, epsilon - tolerance, 0.0, 0.0)


class Rising(NamedTuple):
    """Two bounds of indices, each a number plus a multiple of the growth."""

    challenger: float
    challenger_rise: float
    others: float
    others_rise: float


@inlined
def below(rule: KernelRule, window: Window, last: int, level: int, bounds: Rising) -> bool:
    """Whether all indices are below epsilon in the 2^level rounds to `last`."""
    least = window.table[last * ROUND_COLUMNS + EPSILON]
    if level:
        least = window.floor[window.level_start[level] + (last >> level)]
    growth = window.table[last * ROUND_COLUMNS + GROWTH]
    bound = max(bounds.challenger + bounds.challenger_rise * growth, bounds.others + bounds.others_rise * growth)
    return bool(least - rule.margin * (1.0 + least) > bound)


@inlined
def rising(window: Window, place: int, found: Floats, lane: int) -> Rising:
    """The bounds of a lane whose verdict in the round at `place` is in `found`."""
    growth = window.table[place * ROUND_COLUMNS + GROWTH]
    rise = 0.5 * SLIGHTLY_MORE * found[WIDTH + lane] / growth
    others_rise = 0.5 * SLIGHTLY_MORE * found[3 * WIDTH + lane] / growth
    return Rising(found[lane] - rise * growth, rise, found[2 * WIDTH + lane] - others_rise * growth, others_rise)


@inlined
def awake(rule: KernelRule, window: Window, place: int, bounds: Rising) -> int:
    """The first place of the window after `place`, a round without a query, in which there could be one."""
    level, highest = LOWEST_LEVEL, window.level_start.size - 1
    place += 1
    while place < window.length:
        last = place | ((1 << level) - 1)
        if last < window.length and below(rule, window, last, level, bounds):
            place = last + 1
            larger = max(level + 1, LOWEST_LEVEL)
            if larger <= highest and place & ((1 << larger) - 1) == 0:
                level = larger
        elif level == 0:
            break
        else:
            level = level - 1 if level > LOWEST_LEVEL else 0
    return place


@inlined
def play_event(
    family: int, rule: KernelRule, curved: int, window: Window, rewards: Rewards, seeds: Seeds, g: int
) -> int:
    """Plays the next round of each lane of a group, and the rounds after it that need no decision; says whether there was
    any to play.
    """
    lanes = due(seeds, g, window.start + window.length)
    if lanes == 0:
        return 0
    base, at, mine = g * ARM_ROWS * rule.arms * WIDTH, row_of(g, NEXT), flags(lanes)
    now = rounds_now(rule, window, seeds, g, lanes)
    found = verdict(rule, seeds.arms, base, now, 0)
    if bits(mine & ~found.sure):
        found = settled(rule, seeds.arms, base, now, found)
        seeds.waiting[g] |= bits(mine & ~found.sure)
    plays = mine & found.sure
    asks = plays & found.asks
    asking, resting = bits(asks), bits(plays & ~asks)
    note_lanes(rule, window, seeds, g, found, bits(plays), asking)
    store(seeds.seeds, at, load(seeds.seeds, at) + pick(asks, every(1.0), every(0.0)))
    if resting:
        rest_on(rule, window, seeds, g, found, resting)
    if asking:
        room, places = (seeds.drawn, seeds.chosen, seeds.found), (base, g * rule.arms * WIDTH, 0 * g)
        record(family, rule, curved, rewards, rewards.prizes, seeds.arms, seeds.keys, room, places, found.arm, asks)
    return 1


@apart
def settled(rule: KernelRule, state: Floats, base: int, now: Now, quick: PairVerdict) -> PairVerdict:
    """The verdict, with the lanes that were not sure decided carefully."""
    sure, careful = quick.sure, verdict(rule, state, base, now, 1)
    return PairVerdict(
        pick(sure, quick.arm, careful.arm),
        (sure & quick.asks) | (~sure & careful.asks),
        sure | careful.sure,
        pick(sure, quick.reach, careful.reach),
        pick(sure, quick.radius, careful.radius),
        pick(sure, quick.others, careful.others),
        pick(sure, quick.widest, careful.widest),
    )


@inlined
def rest_on(rule: KernelRule, window: Window, seeds: Seeds, g: int, found: PairVerdict, lanes: int) -> None:
    """Lets these lanes play their arms unqueried for as long as that is certain."""
    at, base = row_of(g, NEXT), g * ARM_ROWS * rule.arms * WIDTH
    store(seeds.found, 0, found.reach)
    store(seeds.found, WIDTH, found.radius)
    store(seeds.found, 2 * WIDTH, found.others)
    store(seeds.found, 3 * WIDTH, found.widest)
    store_wholes(seeds.chosen, 0, found.arm)
    for lane in range(WIDTH):
        if lanes >> lane & 1:
            place = int(seeds.seeds[at + lane]) - window.start
            end = awake(rule, window, place, rising(window, place, seeds.found, lane))
            arm = rule.tags - seeds.chosen[lane]
            seeds.seeds[at + lane] += float(end - place)
            seeds.arms[base + (RESTS * rule.arms + arm) * WIDTH + lane] += float(end - place)


@inlined
def note_lanes(
    rule: KernelRule, window: Window, seeds: Seeds, g: int, found: PairVerdict, plays: int, asks: int
) -> None:
    """Writes down 2 * arm + query of each of these lanes in its own round, if somebody wants to know."""
    if seeds.played.size:
        store_wholes(seeds.chosen, 0, found.arm)
        for lane in range(WIDTH):
            if plays >> lane & 1:
                place = int(seeds.seeds[row_of(g, NEXT) + lane]) - window.start
                entry = 2 * (rule.tags - seeds.chosen[lane]) + (asks >> lane & 1)
                seeds.played[(place * seeds.groups + g) * WIDTH + lane] = entry

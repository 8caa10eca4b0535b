"""The pieces of the compiled loop: which groups are at work, jumps, rounds of a field of two, rounds of all arms."""

# ruff: noqa: PLR0917 - compiled code takes its arrays one by one

from __future__ import annotations

from bufalu.experiments.engine.arrays import (
    ARM_ROWS,
    ASKED,
    BEND,
    EPSILON,
    GROWTH,
    LOG,
    LOWEST_LEVEL,
    NEXT,
    PAIR,
    RESTS,
    ROUND_COLUMNS,
    SEED_ROWS,
    SPENDING,
    Floats,
    KernelRule,
    Rewards,
    Seeds,
    Window,
)
from bufalu.experiments.engine.compiled import inlined
from bufalu.experiments.engine.decisions import Now, Rest
from bufalu.experiments.engine.draws import record
from bufalu.experiments.engine.families import decide, decide_carefully, rests
from bufalu.experiments.engine.jumps import Stretch
from bufalu.experiments.engine.lanes import (
    EVERY_LANE,
    Flags,
    Lanes,
    Wholes,
    above,
    bits,
    equal,
    every,
    every_whole,
    flags,
    load,
    load_wholes,
    pick,
    same,
    store,
    store_wholes,
)
from bufalu.experiments.engine.narrowing import PAIR_TAGS, narrow, widen
from bufalu.experiments.engine.top_arms import over_budget
from bufalu.experiments.engine.vectors import WIDTH

BLOCK = 1 << LOWEST_LEVEL
LEVEL_STEP = 2
"""Jumps are tried over blocks of 2^4, 2^6, 2^8, ... rounds, the longest first."""

STRETCH = 64
"""A narrowed field holds for so many rounds at most."""

SHORT = 16
"""A field that held for less is not tried again for a while, up to as many rounds as it may hold."""

NEARLY = 1.125
"""A budget is nearly spent if so many times the queries would be too many."""

MOST_PATIENCE = 8
"""A group in which no seed could jump is not asked again for up to this many blocks."""


@inlined
def row_of(g: int, row: int) -> int:
    """Where a row of the seeds of a group begins."""
    return (g * SEED_ROWS + row) * WIDTH


@inlined
def first_block(window: Window, seeds: Seeds) -> int:
    """The block of the first round that some seed has not played."""
    begin = float(window.start + window.length)
    for g in range(seeds.groups):
        for lane in range(WIDTH):
            begin = min(begin, seeds.seeds[row_of(g, NEXT) + lane])
    return (int(begin) - window.start) // BLOCK * BLOCK


@inlined
def round_now(rule: KernelRule, table: Floats, i: int) -> Now:
    """The numbers of one round of a window."""
    columns = i * ROUND_COLUMNS
    epsilon = table[columns + EPSILON]
    tolerance = rule.margin * (1.0 + epsilon)
    return Now(
        every(table[columns + GROWTH]),
        every(table[columns + BEND]),
        every(epsilon + tolerance),
        every(epsilon - tolerance),
        epsilon,
        table[columns + LOG],
    )


@inlined
def stretch(rule: KernelRule, table: Floats, first: int, last: int, least: float) -> Stretch:
    """The rounds first..last of a window, of which `least` is the least epsilon."""
    i, e = first * ROUND_COLUMNS, last * ROUND_COLUMNS
    return Stretch(
        every(table[i + GROWTH]),
        every(table[i + BEND]),
        every(table[e + GROWTH]),
        every(table[e + BEND]),
        every(least - rule.margin * (1.0 + least)),
        least,
        table[e + LOG],
    )


@inlined
def due(seeds: Seeds, g: int, end: int) -> int:
    """The lanes of a group that have rounds before `end` to play."""
    return bits(above(every(float(end)), load(seeds.seeds, row_of(g, NEXT)))) & ~int(seeds.waiting[g])


@inlined
def turn(seeds: Seeds, g: int, number: int) -> Flags:
    """The lanes of a group whose next round is this one."""
    mine = equal(load(seeds.seeds, row_of(g, NEXT)), every(float(number)))
    if seeds.waiting[g]:
        mine = mine & ~flags(seeds.waiting[g])
    return mine


@inlined
def move(seeds: Seeds, g: int, where: Flags, rounds: Lanes) -> None:
    """Counts rounds of some lanes as played."""
    at = row_of(g, NEXT)
    store(seeds.seeds, at, load(seeds.seeds, at) + pick(where, rounds, every(0.0)))


@inlined
def rest_through(rule: KernelRule, seeds: Seeds, g: int, arm: Wholes, calm: Flags, rounds: Lanes) -> None:
    """Takes lanes through rounds in which nothing is queried."""
    base = g * ARM_ROWS * rule.arms * WIDTH
    move(seeds, g, calm, rounds)
    for a in range(rule.arms):
        at = base + (RESTS * rule.arms + a) * WIDTH
        here = calm & same(arm, every_whole(rule.tags - a))
        store(seeds.arms, at, load(seeds.arms, at) + pick(here, rounds, every(0.0)))


@inlined
def note(rule: KernelRule, seeds: Seeds, g: int, i: int, arm: Wholes, plays: Flags, asks: Flags) -> None:
    """Writes down 2 * arm + query of a round, if somebody wants to know."""
    if seeds.played.size:
        at = (i * seeds.groups + g) * WIDTH
        entry = every_whole(2 * rule.tags) + every_whole(-2) * arm + pick(asks, every_whole(1), every_whole(0))
        store_wholes(seeds.played, at, pick(plays, entry, load_wholes(seeds.played, at)))


@inlined
def jump(family: int, rule: KernelRule, curved: int, window: Window, seeds: Seeds, g: int, block: int) -> int:
    """Takes the lanes of a group that certainly rest over the longest stretches that begin with this block; says whether
    any was taken.
    """
    jumped, base = 0, g * ARM_ROWS * rule.arms * WIDTH
    for step in range((window.level_start.size - 1 - LOWEST_LEVEL) // LEVEL_STEP, -1, -1):
        level = LOWEST_LEVEL + LEVEL_STEP * step
        last = block + (1 << level) - 1
        here = turn(seeds, g, window.start + block)
        if not bits(here) or block & ((1 << level) - 1) != 0 or last >= window.length:
            continue
        least = window.floor[window.level_start[level] + (block >> level)]
        asked = load(seeds.seeds, row_of(g, ASKED))
        time = stretch(rule, window.table, block, last, least)
        arm, calm = rests(family, rule, curved, seeds.arms, base, time, asked)
        calm = calm & here
        if bits(calm) == 0:
            continue
        jumped = 1
        rest_through(rule, seeds, g, arm, calm, every(float(1 << level)))
        note(rule, seeds, g, block, arm, calm, flags(0))
    return jumped


@inlined
def at_work(family: int, rule: KernelRule, curved: int, window: Window, seeds: Seeds, block: int, end: int) -> int:
    """Lists the groups with rounds of a block to play, after they have tried to jump; says how many they are."""
    number = 0
    for g in range(seeds.groups):
        lanes = due(seeds, g, window.start + end)
        if lanes and rule.jumps and window.start + block > rule.initial:
            seeds.patience[g] -= 1
            if seeds.patience[g] <= 0:
                if seeds.field.until[g] >= 0:
                    widen(rule, curved, seeds.arms, seeds.field, g)
                jumped = jump(family, rule, curved, window, seeds, g, block)
                # Where some seeds of a group jump and others stay, its rounds cost what they cost with all.
                lanes = due(seeds, g, window.start + end)
                most = 2 if jumped else MOST_PATIENCE
                seeds.failures[g] = min(2 * seeds.failures[g], most) if lanes else 1
                seeds.patience[g] = seeds.failures[g]
        if lanes:
            seeds.active[number] = g
            number += 1
    return number


@inlined
def renew_field(
    family: int,
    rule: KernelRule,
    curved: int,
    window: Window,
    rewards: Rewards,
    seeds: Seeds,
    g: int,
    i: int,
    now: Now,
) -> None:
    """Ends the field of a group whose rounds are over, and makes a new one if it is time to try."""
    field = seeds.field
    if field.until[g] >= 0:
        widen(rule, curved, seeds.arms, field, g)
        field.failures[g] = field.patience[g] = 1
    field.patience[g] -= 1
    if field.patience[g] > 0:
        return
    last = min(i + STRETCH, window.length) - 1
    spent = flags(0)
    if family == SPENDING:
        asked = load(seeds.seeds, row_of(g, ASKED)) * every(NEARLY)
        _, under = over_budget(rule, asked, now.log, now.epsilon)
        spent = ~under
    time = stretch(rule, window.table, i, last, 0.0)
    narrow(rule, curved, family, seeds.arms, seeds.keys, rewards.prizes, field, g, time, spent)
    field.since[g], field.until[g] = i, last


@inlined
def end_field(rule: KernelRule, curved: int, seeds: Seeds, g: int, i: int) -> None:
    """Ends the field of a group in a round that the arms outside could have a part in."""
    field = seeds.field
    widen(rule, curved, seeds.arms, field, g)
    short = i - field.since[g] < SHORT
    field.failures[g] = min(2 * field.failures[g], STRETCH) if short else 1
    field.patience[g] = field.failures[g]


@inlined
def count_query(family: int, seeds: Seeds, g: int, asks: Flags) -> None:
    """Counts the queries of each seed, where the policy looks at them."""
    if family == SPENDING:
        at = row_of(g, ASKED)
        store(seeds.seeds, at, load(seeds.seeds, at) + pick(asks, every(1.0), every(0.0)))


@inlined
def play_pair(
    family: int,
    rule: KernelRule,
    pair: KernelRule,
    curved: int,
    rewards: Rewards,
    seeds: Seeds,
    g: int,
    i: int,
    now: Now,
    mine: Flags,
    rest: Rest,
) -> int:
    """Plays a round of a group in its field of two, if every lane is sure; says whether it did."""
    field, pair_base = seeds.field, g * PAIR * WIDTH
    base = ARM_ROWS * pair_base
    asked = load(seeds.seeds, row_of(g, ASKED))
    arm, asks, sure = decide(family, pair, curved, field.arms, base, now, asked, rest)
    if bits(mine & ~sure) != 0:
        return 0
    asks = asks & mine
    asking = bits(asks)
    if asking != EVERY_LANE:
        for slot in range(PAIR):
            at = base + (RESTS * PAIR + slot) * WIDTH
            here = mine & ~asks & same(arm, every_whole(PAIR_TAGS - slot))
            store(field.arms, at, load(field.arms, at) + pick(here, every(1.0), every(0.0)))
    if seeds.played.size:
        first, second = load_wholes(field.tags, pair_base), load_wholes(field.tags, pair_base + WIDTH)
        own = pick(same(arm, every_whole(PAIR_TAGS)), first, second)
        note(rule, seeds, g, i, own, mine, asks)
    if asking:
        room, places = (seeds.drawn, seeds.chosen, seeds.found), (base, pair_base, pair_base)
        record(family, pair, curved, rewards, field.prizes, field.arms, field.keys, room, places, arm, asks)
        count_query(family, seeds, g, asks)
    move(seeds, g, mine, every(1.0))
    return 1


@inlined
def initial_arm(rule: KernelRule, number: int) -> Wholes:
    """The arm that has its turn in an initial round."""
    turn_of = (number - 1) % rule.arms
    if rule.backwards and number <= rule.arms:
        turn_of = rule.arms - 1 - turn_of
    return every_whole(rule.tags - turn_of)


@inlined
def play_round(
    family: int,
    rule: KernelRule,
    curved: int,
    rewards: Rewards,
    seeds: Seeds,
    g: int,
    i: int,
    number: int,
    now: Now,
    mine: Flags,
) -> int:
    """Plays a round of a group with all arms; gives the lanes that wait for an exact decision."""
    base = g * ARM_ROWS * rule.arms * WIDTH
    arm, asks, sure = initial_arm(rule, number), flags(-1), flags(-1)
    if number > rule.initial:
        asked = load(seeds.seeds, row_of(g, ASKED))
        arm, asks, sure = decide(family, rule, curved, seeds.arms, base, now, asked, None)
        if bits(mine & ~sure):
            arm_2, asks_2, sure_2 = decide_carefully(family, rule, curved, seeds.arms, base, now, asked)
            arm = pick(sure, arm, arm_2)
            asks = (sure & asks) | (~sure & asks_2)
            sure = sure | sure_2
            seeds.waiting[g] |= bits(mine & ~sure)
    plays = sure & mine
    asks = asks & plays
    asking = bits(asks)
    if asking != EVERY_LANE:
        calm = plays & ~asks
        for a in range(rule.arms):
            at = base + (RESTS * rule.arms + a) * WIDTH
            here = calm & same(arm, every_whole(rule.tags - a))
            store(seeds.arms, at, load(seeds.arms, at) + pick(here, every(1.0), every(0.0)))
    note(rule, seeds, g, i, arm, plays, asks)
    if asking:
        # A literal 0 would be a type of its own, for which `record` were compiled a second time.
        room, places = (seeds.drawn, seeds.chosen, seeds.found), (base, g * rule.arms * WIDTH, 0 * g)
        record(family, rule, curved, rewards, rewards.prizes, seeds.arms, seeds.keys, room, places, arm, asks)
        count_query(family, seeds, g, asks)
    move(seeds, g, plays, every(1.0))
    return int(seeds.waiting[g])

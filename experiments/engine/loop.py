"""The compiled loop over rounds and groups of seeds."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from bufalu.experiments.engine import arrays, decisions, draws, jumps, lanes, narrowing
from bufalu.experiments.engine.arrays import (
    ARM_ROWS,
    ASKED,
    BEND,
    DIAL,
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
    WIDEST,
    Rewards,
    Rule,
    Seeds,
    Window,
)
from bufalu.experiments.engine.compiled import compiled, digest
from bufalu.experiments.engine.decisions import (
    decide_carefully,
    decide_dial,
    decide_spending,
    decide_widest,
    over_budget,
)
from bufalu.experiments.engine.draws import record
from bufalu.experiments.engine.jumps import rests
from bufalu.experiments.engine.lanes import (
    EVERY_LANE,
    WIDTH,
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
from bufalu.experiments.engine.narrowing import PAIR_TAGS, narrow, pair_rule, rest_of, widen

BLOCK = 1 << LOWEST_LEVEL
LEVEL_STEP = 2
"""Jumps are tried over blocks of 2^4, 2^6, 2^8, ... rounds, the longest first."""

STOP = 1024
"""Seeds that go on while another waits for an exact decision stop at rounds whose place is a multiple of this."""

TILE = 8
"""So many groups take turns."""

STRETCH = 64
"""A narrowed field holds for so many rounds at most."""

SHORT = 16
"""A field that held for less is not tried again for a while, up to as many rounds as it may hold."""

NEARLY = 1.125
"""A budget is nearly spent if so many times the queries would be too many."""

MOST_PATIENCE = 8
"""A group in which no seed could jump is not asked again for up to this many blocks."""

Advance = Callable[[Rule, Window, Rewards, Seeds], None]


def build(family: int, curved: int, sources: int) -> Advance:
    """The compiled `advance` of a family of rules, for straight (Hoeffding) or curved (Bernstein) radii. Its cache on
    disk is keyed by its own code and by `sources`, the digest of everything that is compiled into it.
    """

    def advance(rule: Rule, window: Window, rewards: Rewards, seeds: Seeds) -> None:
        """Plays every seed to the end of the window, or to the first round that only exact arithmetic can decide. While
        one waits for that, the others go on to the next stop.
        """
        assert sources >= 0
        # Arrays are taken out of their tuples once: doing it in the loop costs a reference count each time.
        table, floor, level_start = window.table, window.floor, window.level_start
        state, keys, rows, waiting = seeds.arms, seeds.keys, seeds.seeds, seeds.waiting
        played, patience, failures, active = seeds.played, seeds.patience, seeds.failures, seeds.active
        drawn, chosen, found = seeds.drawn, seeds.chosen, seeds.found
        field, fields, pair = seeds.field, rewards.size <= 2 and rule.arms > PAIR and rule.jumps, pair_rule(rule)
        arms, groups, margin = rule.arms, seeds.groups, rule.margin
        start, length = window.start, window.length
        row, tags = arms * WIDTH, rule.tags
        one, zero = every(1.0), every(0.0)
        begin, stopped = float(start + length), 0
        for g in range(groups):
            for lane in range(WIDTH):
                begin = min(begin, rows[(g * SEED_ROWS + NEXT) * WIDTH + lane])
        for block in range((int(begin) - start) // BLOCK * BLOCK, length, BLOCK):
            if stopped and block % STOP == 0:
                break
            end = min(block + BLOCK, length)
            number = 0
            for g in range(groups):
                next_at = (g * SEED_ROWS + NEXT) * WIDTH
                due = bits(above(every(float(start + end)), load(rows, next_at))) & ~waiting[g]
                if due and rule.jumps and start + block > rule.initial:
                    patience[g] -= 1
                    if patience[g] <= 0:
                        if field.until[g] >= 0:
                            widen(rule, curved, state, field, g)
                        base, jumped = g * ARM_ROWS * row, 0
                        for step in range((level_start.size - 1 - LOWEST_LEVEL) // LEVEL_STEP, -1, -1):
                            level = LOWEST_LEVEL + LEVEL_STEP * step
                            last = block + (1 << level) - 1
                            at_start = bits(equal(load(rows, next_at), every(float(start + block)))) & ~waiting[g]
                            if not at_start or block & ((1 << level) - 1) != 0 or last >= length:
                                continue
                            least = floor[level_start[level] + (block >> level)]
                            i, e = block * ROUND_COLUMNS, last * ROUND_COLUMNS
                            within = every(least - margin * (1.0 + least))
                            growth, bend = every(table[i + GROWTH]), every(table[i + BEND])
                            end_growth, end_bend = every(table[e + GROWTH]), every(table[e + BEND])
                            asked = load(rows, (g * SEED_ROWS + ASKED) * WIDTH)
                            arm, calm = rests(
                                family,
                                rule,
                                curved,
                                state,
                                base,
                                growth,
                                bend,
                                end_growth,
                                end_bend,
                                within,
                                asked,
                                table[e + LOG],
                                least,
                            )
                            calm = calm & flags(at_start)
                            if bits(calm) == 0:
                                continue
                            jumped = 1
                            rounds = every(float(1 << level))
                            store(rows, next_at, load(rows, next_at) + pick(calm, rounds, zero))
                            for a in range(arms):
                                at = base + (RESTS * arms + a) * WIDTH
                                here = calm & same(arm, every_whole(tags - a))
                                store(state, at, load(state, at) + pick(here, rounds, zero))
                                if played.size:
                                    at = (block * groups + g) * WIDTH
                                    entry = pick(here, every_whole(2 * a), load_wholes(played, at))
                                    store_wholes(played, at, entry)
                        # Where some seeds of a group jump and others stay, its rounds cost what they cost with all.
                        due = bits(above(every(float(start + end)), load(rows, next_at))) & ~waiting[g]
                        failures[g] = min(2 * failures[g], 2 if jumped else MOST_PATIENCE) if due else 1
                        patience[g] = failures[g]
                if due:
                    active[number] = g
                    number += 1
            # One round of every group after the other, so that none waits for the numbers it has just stored; a few
            # groups at a time, so that all of them stay in the nearest cache.
            for tile in range(0, number, TILE):
                for i in range(block, end):
                    columns = i * ROUND_COLUMNS
                    epsilon, log = table[columns + EPSILON], table[columns + LOG]
                    growth, bend = every(table[columns + GROWTH]), every(table[columns + BEND])
                    tolerance = margin * (1.0 + epsilon)
                    high, low = every(epsilon + tolerance), every(epsilon - tolerance)
                    for position in range(tile, min(tile + TILE, number)):
                        g = active[position]
                        base, key_base = g * ARM_ROWS * row, g * row
                        next_at = (g * SEED_ROWS + NEXT) * WIDTH
                        asked_at = (g * SEED_ROWS + ASKED) * WIDTH
                        turn = bits(equal(load(rows, next_at), every(float(start + i)))) & ~waiting[g]
                        if turn == 0:
                            continue
                        if fields and field.until[g] < i and start + i > rule.initial:
                            if field.until[g] >= 0:
                                widen(rule, curved, state, field, g)
                                field.failures[g] = field.patience[g] = 1
                            field.patience[g] -= 1
                            if field.patience[g] <= 0:
                                last = min(i + STRETCH, length) - 1
                                e, spent = last * ROUND_COLUMNS, flags(0)
                                if family == SPENDING:
                                    _, under = over_budget(rule, load(rows, asked_at) * every(NEARLY), log, epsilon)
                                    spent = ~under
                                end_growth, end_bend = every(table[e + GROWTH]), every(table[e + BEND])
                                narrow(
                                    rule,
                                    curved,
                                    family,
                                    state,
                                    keys,
                                    rewards.prizes,
                                    field,
                                    g,
                                    growth,
                                    bend,
                                    end_growth,
                                    end_bend,
                                    spent,
                                )
                                field.since[g], field.until[g] = i, last
                        if field.until[g] >= 0:
                            pair_base, rest = g * PAIR * WIDTH, rest_of(field, g)
                            field_base = ARM_ROWS * pair_base
                            if family == DIAL:
                                arm, asks, sure = decide_dial(
                                    pair, curved, 0, field.arms, field_base, growth, bend, high, low, rest
                                )
                            elif family == WIDEST:
                                arm, asks, sure = decide_widest(
                                    pair, curved, 0, field.arms, field_base, growth, bend, high, low, rest
                                )
                            else:
                                asked = load(rows, asked_at)
                                arm, asks, sure = decide_spending(
                                    pair, curved, 0, field.arms, field_base, growth, bend, asked, log, epsilon, rest
                                )
                            if turn & ~bits(sure) == 0:
                                plays = flags(turn)
                                asks = asks & plays
                                asking = bits(asks)
                                if asking != EVERY_LANE:
                                    for slot in range(PAIR):
                                        at = field_base + (RESTS * PAIR + slot) * WIDTH
                                        here = plays & ~asks & same(arm, every_whole(PAIR_TAGS - slot))
                                        store(field.arms, at, load(field.arms, at) + pick(here, one, zero))
                                if played.size:
                                    at = (i * groups + g) * WIDTH
                                    own = pick(
                                        same(arm, every_whole(PAIR_TAGS)),
                                        load_wholes(field.tags, pair_base),
                                        load_wholes(field.tags, pair_base + WIDTH),
                                    )
                                    entry = every_whole(2 * tags) + every_whole(-2) * own
                                    entry = entry + pick(asks, every_whole(1), every_whole(0))
                                    store_wholes(played, at, pick(plays, entry, load_wholes(played, at)))
                                if asking:
                                    record(
                                        pair,
                                        curved,
                                        0,
                                        rewards,
                                        field.prizes,
                                        field.arms,
                                        field.keys,
                                        drawn,
                                        chosen,
                                        found,
                                        field_base,
                                        pair_base,
                                        pair_base,
                                        arm,
                                        asks,
                                    )
                                    if family == SPENDING:
                                        store(rows, asked_at, load(rows, asked_at) + pick(asks, one, zero))
                                store(rows, next_at, load(rows, next_at) + pick(plays, one, zero))
                                continue
                            widen(rule, curved, state, field, g)
                            short = i - field.since[g] < SHORT
                            field.failures[g] = min(2 * field.failures[g], STRETCH) if short else 1
                            field.patience[g] = field.failures[g]
                        if start + i <= rule.initial:
                            turn_of = (start + i - 1) % arms
                            if rule.backwards and start + i <= arms:
                                turn_of = arms - 1 - turn_of
                            arm = every_whole(tags - turn_of)
                            asks, sure = flags(-1), flags(-1)
                        else:
                            if family == DIAL:
                                arm, asks, sure = decide_dial(
                                    rule, curved, 0, state, base, growth, bend, high, low, None
                                )
                            elif family == WIDEST:
                                arm, asks, sure = decide_widest(
                                    rule, curved, 0, state, base, growth, bend, high, low, None
                                )
                            else:
                                asked = load(rows, asked_at)
                                arm, asks, sure = decide_spending(
                                    rule, curved, 0, state, base, growth, bend, asked, log, epsilon, None
                                )
                            if turn & ~bits(sure):
                                asked = load(rows, asked_at)
                                arm_2, asks_2, sure_2 = decide_carefully(
                                    family, rule, curved, state, base, growth, bend, high, low, asked, log, epsilon
                                )
                                arm = pick(sure, arm, arm_2)
                                asks = (sure & asks) | (~sure & asks_2)
                                sure = sure | sure_2
                                waiting[g] |= turn & ~bits(sure)
                                stopped |= waiting[g]
                        plays = sure & flags(turn)
                        asks = asks & plays
                        asking = bits(asks)
                        if asking != EVERY_LANE:
                            calm = plays & ~asks
                            for a in range(arms):
                                at = base + (RESTS * arms + a) * WIDTH
                                here = calm & same(arm, every_whole(tags - a))
                                store(state, at, load(state, at) + pick(here, one, zero))
                        if played.size:
                            at = (i * groups + g) * WIDTH
                            for a in range(arms):
                                here = plays & same(arm, every_whole(tags - a))
                                entry = pick(here & asks, every_whole(2 * a + 1), load_wholes(played, at))
                                store_wholes(played, at, pick(here & ~asks, every_whole(2 * a), entry))
                        if asking:
                            record(
                                rule,
                                curved,
                                1,
                                rewards,
                                rewards.prizes,
                                state,
                                keys,
                                drawn,
                                chosen,
                                found,
                                base,
                                key_base,
                                0,
                                arm,
                                asks,
                            )
                            if family == SPENDING:
                                store(rows, asked_at, load(rows, asked_at) + pick(asks, one, zero))
                        store(rows, next_at, load(rows, next_at) + pick(plays, one, zero))
        for g in range(groups):
            if field.until[g] >= 0:
                widen(rule, curved, state, field, g)

    return compiled(advance)


Leap = Callable[[Rule, Window, Seeds], None]


def build_leap(family: int, curved: int, sources: int) -> Leap:
    """The compiled `leap` of a family, cached as `advance` is."""

    def leap(rule: Rule, window: Window, seeds: Seeds) -> None:
        """Takes every seed that certainly rests through all rounds of the window, of which the table has the two ends,
        to the end of it.
        """
        assert sources >= 0
        table, least = window.table, window.floor[0]
        state, rows = seeds.arms, seeds.seeds
        zero, rounds = every(0.0), every(float(window.length))
        e = ROUND_COLUMNS
        within = every(least - rule.margin * (1.0 + least))
        growth, bend = every(table[GROWTH]), every(table[BEND])
        end_growth, end_bend = every(table[e + GROWTH]), every(table[e + BEND])
        for g in range(seeds.groups):
            base = g * ARM_ROWS * rule.arms * WIDTH
            next_at = (g * SEED_ROWS + NEXT) * WIDTH
            here = equal(load(rows, next_at), every(float(window.start)))
            asked = load(rows, (g * SEED_ROWS + ASKED) * WIDTH)
            arm, calm = rests(
                family,
                rule,
                curved,
                state,
                base,
                growth,
                bend,
                end_growth,
                end_bend,
                within,
                asked,
                table[e + LOG],
                least,
            )
            calm = calm & here
            store(rows, next_at, load(rows, next_at) + pick(calm, rounds, zero))
            for a in range(rule.arms):
                at = base + (RESTS * rule.arms + a) * WIDTH
                mine = calm & same(arm, every_whole(rule.tags - a))
                store(state, at, load(state, at) + pick(mine, rounds, zero))

    return compiled(leap)


def sources() -> int:
    """The digest of all that is compiled into the kernels."""
    return digest(arrays, lanes, draws, decisions, jumps, narrowing)


@cache
def kernel(family: int, curved: int) -> Advance:
    """The loop of a family, compiled when it is first used."""
    return build(family, curved, sources())


@cache
def leaping_kernel(family: int, curved: int) -> Leap:
    """The leap of a family, compiled when it is first used."""
    return build_leap(family, curved, sources())

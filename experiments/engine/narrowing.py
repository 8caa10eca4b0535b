"""A field of two: while two arms are in front, the others wait outside, and a round looks at two arms.

Where a policy asks in every round, as with epsilon = 0 and several optima, there is nothing to jump over: each reward must
be drawn. But an arm outside the field is frozen until it is queried, so that its upper bound only rises and its lower bound
only falls, and the largest of each, taken at the end and at the start of a stretch of rounds, bound all of them throughout.
Every round of the field is decided beside these bounds (`decisions.Rest`); one that an arm outside could have a part in
ends the field, and is played with all arms.
"""

# ruff: noqa: PLR0917 - compiled code takes its arrays one by one

from __future__ import annotations

from bufalu.experiments.engine.arrays import (
    ARM_ROWS,
    CURVE,
    DIAL,
    MEAN,
    PAIR,
    REST_ROWS,
    SQUARES,
    Field,
    Floats,
    Integers,
    KernelRule,
    Prizes,
)
from bufalu.experiments.engine.compiled import apart, inlined
from bufalu.experiments.engine.decisions import REST, Rest, of_arm, radius
from bufalu.experiments.engine.jumps import Stretch
from bufalu.experiments.engine.lanes import (
    Flags,
    Wholes,
    every,
    every_whole,
    higher,
    less,
    load,
    load_wholes,
    lower,
    pick,
    same,
    store,
    store_wholes,
    tag_of,
    tagged,
)
from bufalu.experiments.engine.vectors import WIDTH

PAIR_TAGS = 3
"""The tags of the field are 3 and 2; `decisions.REST` is that of the others. Fields are made of three arms or more, which
have two bits for tags or more, so that the margin covers what these replace.
"""


@inlined
def pair_rule(rule: KernelRule) -> KernelRule:
    """The rule with two arms in the field."""
    return KernelRule(
        PAIR,
        rule.all_arms,
        rule.backwards,
        rule.initial,
        PAIR_TAGS,
        rule.margin,
        rule.offset,
        rule.denominator,
        rule.scale,
        rule.rho,
        rule.leader_weight,
        rule.challenger_weight,
        rule.spread,
        rule.full_count,
        rule.tied_count,
        rule.spend_limit,
        rule.jumps,
    )


@inlined
def in_front(
    rule: KernelRule, curved: int, family: int, state: Floats, base: int, time: Stretch, spent: Flags
) -> tuple[Wholes, Wholes]:
    """The tags of two arms, the first arm first: leader and challenger, or the two of largest upper bound, of largest mean
    where a budget is nearly `spent`. Which two they are decides how long a field lasts, and nothing else.
    """
    top, following, lead = every(0.0), every(0.0), every(0.0)
    for a in range(rule.arms):
        at = base + a * WIDTH
        mean, own = load(state, at), radius(rule, curved, state, at, time.growth, time.bend)
        over = tagged(mean + pick(spent, every(0.0), own), rule.tags, rule.tags - a)
        following = higher(following, lower(top, over))
        top = higher(top, over)
        lead = higher(lead, tagged(mean - own, rule.tags, rule.tags - a))
    one, other = tag_of(top, rule.tags), tag_of(following, rule.tags)
    if family == DIAL:
        leader = tag_of(lead, rule.tags)
        one, other = leader, pick(same(one, leader), other, one)
    ordered = less(other, one)
    return pick(ordered, one, other), pick(ordered, other, one)


@inlined
def wholes_of(rule: KernelRule, words: Integers, base: int, arm: Wholes) -> Wholes:
    """The entry of each lane's tagged arm."""
    found = every_whole(0)
    for a in range(rule.arms):
        found = pick(same(arm, every_whole(rule.tags - a)), load_wholes(words, base + a * WIDTH), found)
    return found


@apart
def narrow(
    rule: KernelRule,
    curved: int,
    family: int,
    state: Floats,
    keys: Integers,
    prizes: Prizes,
    field: Field,
    group: int,
    time: Stretch,
    spent: Flags,
) -> None:
    """Moves the two arms in front of each lane of a group to the field, and bounds the others in all rounds of a stretch."""
    base, key_base = group * ARM_ROWS * rule.arms * WIDTH, group * rule.arms * WIDTH
    pair_base = group * PAIR * WIDTH
    first, second = in_front(rule, curved, family, state, base, time, spent)
    low, high, mean = every(0.0), every(0.0), every(0.0)
    for a in range(rule.arms):
        at, tag = base + a * WIDTH, every_whole(rule.tags - a)
        inside = same(first, tag) | same(second, tag)
        middle = pick(inside, every(0.0), load(state, at))
        start = radius(rule, curved, state, at, time.growth, time.bend)
        end = radius(rule, curved, state, at, time.end_growth, time.end_bend)
        low = higher(low, middle - start)
        high = higher(high, middle + pick(inside, every(0.0), end))
        mean = higher(mean, middle)
    rest_base = group * REST_ROWS * WIDTH
    store(field.rest, rest_base, tagged(low, PAIR_TAGS, REST))
    store(field.rest, rest_base + WIDTH, tagged(high, PAIR_TAGS, REST))
    store(field.rest, rest_base + 2 * WIDTH, mean)
    for slot in range(PAIR):
        arm = second if slot else first
        place = pair_base + slot * WIDTH
        store_wholes(field.tags, place, arm)
        store_wholes(field.keys, place, wholes_of(rule, keys, key_base, arm))
        store_wholes(field.prizes.limits, place, wholes_of(rule, prizes.limits, 0, arm))
        store(field.prizes.small, place, of_arm(rule, prizes.small, 0, MEAN, arm))
        store(field.prizes.large, place, of_arm(rule, prizes.large, 0, MEAN, arm))
        for row in range(ARM_ROWS):
            if curved or row not in (CURVE, SQUARES):
                entry = of_arm(rule, state, base, row, arm)
                store(field.arms, ARM_ROWS * pair_base + (row * PAIR + slot) * WIDTH, entry)


@inlined
def rest_of(field: Field, group: int) -> Rest:
    """What bounds the arms outside the field of a group."""
    at = group * REST_ROWS * WIDTH
    return Rest(load(field.rest, at), load(field.rest, at + WIDTH), load(field.rest, at + 2 * WIDTH))


@apart
def widen(rule: KernelRule, curved: int, state: Floats, field: Field, group: int) -> None:
    """Moves the arms of the field of a group back to the others."""
    base, pair_base = group * ARM_ROWS * rule.arms * WIDTH, group * PAIR * WIDTH
    first, second = load_wholes(field.tags, pair_base), load_wholes(field.tags, pair_base + WIDTH)
    for row in range(ARM_ROWS):
        if curved or row not in (CURVE, SQUARES):
            one = load(field.arms, ARM_ROWS * pair_base + row * PAIR * WIDTH)
            other = load(field.arms, ARM_ROWS * pair_base + (row * PAIR + 1) * WIDTH)
            for a in range(rule.arms):
                at, tag = base + (row * rule.arms + a) * WIDTH, every_whole(rule.tags - a)
                entry = pick(same(first, tag), one, load(state, at))
                store(state, at, pick(same(second, tag), other, entry))
    field.until[group] = -1

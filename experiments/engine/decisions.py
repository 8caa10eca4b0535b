"""One round of BuFALU, BuFAU and the dial for eight seeds: decisions that no rounding can turn, and which lanes have one.

Every bound carries its arm in its lowest bits, arms with smaller numbers the larger tags, so that a maximum names its arm
and real ties, which have equal bits otherwise, go to the first arm. A lane is sure if all bounds that matter differ by
more than the margin. The quick form leaves every tie unsure; the `careful` form tells real ties by whole numbers: arms
with equal counts and sums, and widths that meet a budget exactly. What it leaves unsure is for exact arithmetic.
"""

# ruff: noqa: PLR0917 - compiled code takes its arrays one by one

from __future__ import annotations

from typing import NamedTuple

from bufalu.experiments.engine.arrays import (
    COUNT,
    CURVE,
    SLOPE,
    SQUARES,
    SUM,
    Floats,
    KernelRule,
)
from bufalu.experiments.engine.compiled import inlined
from bufalu.experiments.engine.draws import scatter
from bufalu.experiments.engine.lanes import (
    Flags,
    Lanes,
    Wholes,
    above,
    equal,
    every,
    every_whole,
    flags,
    higher,
    less,
    load,
    lower,
    pick,
    same,
    tag_of,
    tagged,
)
from bufalu.experiments.engine.vectors import WIDTH

EXACT = 2.0**53
"""Whole numbers below this are doubles."""

REST = 0
"""The tag of the arms that are left out of a narrowed field."""


class Now(NamedTuple):
    """What a round has for all seeds: `growth` and `bend` of the radii, `high` and `low`, which enclose epsilon, and plain
    doubles of epsilon and ln t.
    """

    growth: Lanes
    bend: Lanes
    high: Lanes
    low: Lanes
    epsilon: float
    log: float


class Rest(NamedTuple):
    """The arms that are left out of a field of two (narrowing.py), by bounds that hold in all its rounds: their largest
    lower bound at its start and upper bound at its end, both tagged `REST`, and their largest mean. A decision that these
    could be part of is not sure.
    """

    low: Lanes
    high: Lanes
    mean: Lanes


@inlined
def radius(rule: KernelRule, curved: int, state: Floats, at: int, growth: Lanes, bend: Lanes) -> Lanes:
    """Half the width of the interval of the arm at place `at`."""
    row = rule.arms * WIDTH
    if curved:
        return growth * load(state, at + SLOPE * row) + bend * load(state, at + CURVE * row)
    return growth * load(state, at + SLOPE * row)


@inlined
def of_arm(rule: KernelRule, state: Floats, base: int, row: int, arm: Wholes) -> Lanes:
    """The row of each lane's tagged arm."""
    found = every(0.0)
    for a in range(rule.arms):
        entry = load(state, base + (row * rule.arms + a) * WIDTH)
        found = pick(same(arm, every_whole(rule.tags - a)), entry, found)
    return found


class Record(NamedTuple):
    """Queries, sum and sum of squares of each lane's arm."""

    number: Lanes
    total: Lanes
    squares: Lanes


@inlined
def record_of(rule: KernelRule, curved: int, state: Floats, base: int, arm: Wholes) -> Record:
    """What is known of each lane's tagged arm; no squares unless they matter."""
    count, total, squares = of_arm(rule, state, base, COUNT, arm), of_arm(rule, state, base, SUM, arm), every(0.0)
    if curved:
        squares = of_arm(rule, state, base, SQUARES, arm)
    return Record(count, total, squares)


@inlined
def distance(x: Lanes, y: Lanes) -> Lanes:
    """|x - y|."""
    return higher(x - y, y - x)


@inlined
def twins(rule: KernelRule, curved: int, state: Floats, base: int, a: int, other: Record) -> Flags:
    """Where arm a has the given count and sums: then it has the same interval in every round, a real tie."""
    at, row = base + a * WIDTH, rule.arms * WIDTH
    alike = equal(load(state, at + COUNT * row), other.number) & equal(load(state, at + SUM * row), other.total)
    if curved:
        alike = alike & equal(load(state, at + SQUARES * row), other.squares)
    return alike


@inlined
def equal_pair(rule: KernelRule, curved: int, state: Floats, base: int) -> Flags:
    """Where the first two arms have the same counts and sums."""
    row = rule.arms * WIDTH
    count, total, squares = load(state, base + COUNT * row), load(state, base + SUM * row), every(0.0)
    if curved:
        squares = load(state, base + SQUARES * row)
    return twins(rule, curved, state, base, 1, Record(count, total, squares))


@inlined
def full_scatter(rule: KernelRule, curved: int, own: Record) -> Flags:
    """Where a Bernstein interval meets its budget exactly: the tied count, and the largest variance, n / (4 (n - 1))."""
    if not curved or rule.tied_count < 0.0:
        return flags(0)
    full = own.number * every(rule.denominator)
    largest = equal(every(4.0) * scatter(own.number, own.total, own.squares), full * full)
    return equal(own.number, every(rule.tied_count)) & largest & above(every(EXACT), full * full)


class Order(NamedTuple):
    """The two largest lower bounds of the arms and the three largest upper bounds, each with the tag of its arm."""

    lead: Lanes
    second: Lanes
    top: Lanes
    following: Lanes
    third: Lanes


@inlined
def order(rule: KernelRule, curved: int, state: Floats, base: int, now: Now, rest: Rest | None) -> Order:
    """The largest bounds, those of the arms outside of a field among them."""
    zero = every(0.0)
    lead, second, top, following, third = zero, zero, zero, zero, zero
    if rest is not None:
        lead, top = rest.low, rest.high
    for a in range(rule.arms):
        at = base + a * WIDTH
        mean, own = load(state, at), radius(rule, curved, state, at, now.growth, now.bend)
        below = tagged(mean - own, rule.tags, rule.tags - a)
        over = tagged(mean + own, rule.tags, rule.tags - a)
        second = higher(second, lower(lead, below))
        lead = higher(lead, below)
        passed = lower(top, over)
        top = higher(top, over)
        third = higher(third, lower(following, passed))
        following = higher(following, passed)
    return Order(lead, second, top, following, third)


class RoleTags(NamedTuple):
    """Leader and challenger by their tags, the challenger's upper bound, and where the leader has the largest one.

    `swap` says where the candidate is the challenger, `settled` where the comparison of widths behind that is beyond
    doubt.
    """

    leader: Wholes
    challenger: Wholes
    rival: Lanes
    leads: Flags
    swap: Flags
    settled: Flags


@inlined
def roles(rule: KernelRule, curved: int, state: Floats, base: int, now: Now, bounds: Order) -> RoleTags:
    """Who is compared with whom.

    The candidate is the leader if CI(l) >= rho CI(u) and UCB(l) >= UCB(u), and the challenger if CI(l) <= rho CI(u) or
    UCB(l) <= UCB(u): rho = 1 is BuFALU, rho = 0, without the test of widths, BuFAU.
    """
    leader = tag_of(bounds.lead, rule.tags)
    leads = same(tag_of(bounds.top, rule.tags), leader)
    rival = pick(leads, bounds.following, bounds.top)
    challenger = tag_of(rival, rule.tags)
    swap, settled = ~leads, flags(-1)
    if rule.rho > 0.0:
        if curved:
            margin = every(rule.margin)
            own = radius_of(rule, curved, state, base, now.growth, now.bend, leader)
            other = every(rule.rho) * radius_of(rule, curved, state, base, now.growth, now.bend, challenger)
            swap = swap | above(other - own, margin)
            settled = above(distance(own, other), margin) | ~leads
        else:
            left = every(rule.challenger_weight) * of_arm(rule, state, base, COUNT, challenger)
            right = every(rule.leader_weight) * of_arm(rule, state, base, COUNT, leader)
            swap = swap | above(right, left) | (equal(left, right) & less(leader, challenger))
    return RoleTags(leader, challenger, rival, leads, swap, settled)


@inlined
def query_tests(rule: KernelRule, now: Now, bounds: Order, rival: Lanes, swap: Flags) -> tuple[Flags, Flags, Flags]:
    """Where leader and challenger are separated, where the candidate is queried, and where not, for certain."""
    margin = every(rule.margin)
    gap, between = pick(swap, rival, bounds.top) - bounds.lead, rival - bounds.lead
    separated = above(every(0.0) - margin, between)
    return separated, above(between, margin) & above(gap, now.high), separated | above(now.low, gap)


@inlined
def decide_dial(
    rule: KernelRule, curved: int, state: Floats, base: int, now: Now, rest: Rest | None
) -> tuple[Wholes, Flags, Flags]:
    """The played arms, which of them are queried, and which lanes are sure."""
    if rule.arms == 1:
        return every_whole(rule.tags), flags(0), flags(-1)
    margin = every(rule.margin)
    bounds = order(rule, curved, state, base, now, rest)
    leader, challenger, rival, leads, swap, settled = roles(rule, curved, state, base, now, bounds)
    separated, asks, rests = query_tests(rule, now, bounds, rival, swap)
    leading, clear = above(bounds.lead - bounds.second, margin), above(bounds.top - bounds.following, margin)
    if rest is not None:
        # Equal arms, of which the first leads, tie with each other, and with no other arm.
        alike = equal_pair(rule, curved, state, base)
        leading = (leading | (alike & above(bounds.lead - rest.low, margin))) & ~same(leader, every_whole(REST))
        clear = clear | (alike & above(bounds.top - rest.high, margin))
        outside = same(challenger, every_whole(REST))
        if rule.rho > 0.0:
            clear = clear & ~outside
            if curved and rule.rho == 1.0:
                settled = settled | alike
        else:
            # Whichever arm BuFAU's challenger is, the leader is above it; the other arm of the field bounds it below.
            clear = clear & (leads | ~outside)
            asks = asks & (~outside | above(bounds.third - bounds.lead, margin))
    if rule.rho > 0.0:
        clear = clear & (above(bounds.following - bounds.third, margin) | ~leads)
    sure = leading & (separated | (clear & settled & (asks | rests)))
    return pick(asks & swap, challenger, leader), asks, sure


@inlined
def doubts(
    rule: KernelRule,
    curved: int,
    state: Floats,
    base: int,
    now: Now,
    who: tuple[Wholes, Lanes, Lanes],
    own: Record,
    other: Record,
) -> tuple[Flags, Flags, Lanes]:
    """Where another arm could lead, or challenge, without a real tie; and the upper bound of the leader.

    `who` has the leader, its lower bound and the challenger's upper bound; `own` and `other` are the records of the two.
    """
    leader, lead, rival = who
    margin = every(rule.margin)
    doubtful_leader, doubtful_challenger, leader_top = flags(0), flags(0), every(0.0)
    for a in range(rule.arms):
        at = base + a * WIDTH
        mean, half = load(state, at), radius(rule, curved, state, at, now.growth, now.bend)
        leading = same(leader, every_whole(rule.tags - a))
        leader_top = pick(leading, mean + half, leader_top)
        close = ~above(lead - margin, mean - half) & ~leading
        doubtful_leader = doubtful_leader | (close & ~twins(rule, curved, state, base, a, own))
        close = ~above(rival - margin, mean + half) & ~leading
        doubtful_challenger = doubtful_challenger | (close & ~twins(rule, curved, state, base, a, other))
    return doubtful_leader, doubtful_challenger, leader_top


@inlined
def as_wide(rule: KernelRule, own: Record, other: Record) -> Flags:
    """Where two curved intervals have equal widths in every round, by whole numbers that doubles hold."""
    full = own.number * every(rule.denominator)
    alike = equal(scatter(own.number, own.total, own.squares), scatter(other.number, other.total, other.squares))
    return equal(own.number, other.number) & alike & above(every(EXACT), full * full)


@inlined
def decide_dial_carefully(
    rule: KernelRule, curved: int, state: Floats, base: int, now: Now
) -> tuple[Wholes, Flags, Flags]:
    """As `decide_dial`, with real ties told by whole numbers."""
    if rule.arms == 1:
        return every_whole(rule.tags), flags(0), flags(-1)
    bounds = order(rule, curved, state, base, now, None)
    leader, challenger, rival, leads, swap, settled = roles(rule, curved, state, base, now, bounds)
    own = record_of(rule, curved, state, base, leader)
    other = record_of(rule, curved, state, base, challenger)
    doubtful_leader, doubtful_challenger, leader_top = doubts(
        rule, curved, state, base, now, (leader, bounds.lead, rival), own, other
    )
    tied = equal(own.number, other.number) & equal(own.total, other.total) & equal(own.squares, other.squares)
    clear = above(distance(leader_top, rival), every(rule.margin)) | tied
    if rule.rho > 0.0:
        clear = clear & ~doubtful_challenger
        if curved and rule.rho == 1.0:
            level = as_wide(rule, own, other)
            swap = swap | (level & less(leader, challenger))
            settled = settled | level
    else:
        clear = clear & (~doubtful_challenger | leads)
    separated, asks, rests = query_tests(rule, now, bounds, rival, swap)
    own_width = (~swap) | tied
    if rule.full_count >= 0.0:
        narrow = ~above(every(rule.full_count), own.number)
        asks = above(rival - bounds.lead, every(rule.margin)) & ((own_width & ~narrow) | (~own_width & asks))
        rests = separated | (own_width & narrow) | (~own_width & rests)
    rests = rests | (own_width & full_scatter(rule, curved, own))
    sure = ~doubtful_leader & (separated | (clear & settled & (asks | rests)))
    return pick(asks & swap, challenger, leader), asks, sure


@inlined
def radius_of(
    rule: KernelRule, curved: int, state: Floats, base: int, growth: Lanes, bend: Lanes, arm: Wholes
) -> Lanes:
    """Half the width of the interval of each lane's tagged arm."""
    half = growth * of_arm(rule, state, base, SLOPE, arm)
    if curved:
        half = half + bend * of_arm(rule, state, base, CURVE, arm)
    return half

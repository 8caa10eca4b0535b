"""Stretches of rounds that need not be decided one by one, because nothing in them can change.

Without a query the state is frozen and only t moves: upper bounds rise, lower bounds fall. Each comparison is therefore
made between its worst ends, and holds in every round between them. Every policy jumps wherever it rests, with one optimum
or several: BuFALU, BuFAU and the dial where leader and challenger are separated or within epsilon, CBM-UCB where its arm
has a narrow interval, greedy where its budget is spent.

A queried round cannot be jumped over: its reward must be drawn, and the next decision depends on it. So there is nothing to
jump where a policy asks in every round: CBM-UCB and greedy with epsilon = 0 by their rules, as CI > 0 and no budget is spent;
BuFAU with epsilon = 0 as long as leader and challenger are not separated, which is every round of the paper's cells, for the
arm of largest upper bound is queried until another's is larger; BuFALU with epsilon = 0 and several optima, whose intervals
meet. These rounds are made cheaper instead, by looking at the two arms in front alone (narrowing.py).
"""

# ruff: noqa: PLR0917 - compiled code takes its arrays one by one

from __future__ import annotations

from bufalu.experiments.engine.arrays import (
    COUNT,
    CURVE,
    DIAL,
    MEAN,
    SLOPE,
    SQUARES,
    SUM,
    WIDEST,
    Floats,
    Rule,
)
from bufalu.experiments.engine.compiled import apart, inlined
from bufalu.experiments.engine.decisions import (
    best_mean,
    full_scatter,
    of_arm,
    over_budget,
    radius,
    radius_of,
    twins,
)
from bufalu.experiments.engine.lanes import (
    WIDTH,
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
    pick,
    same,
    tag_of,
    tagged,
)

SLIGHTLY_LESS = 1.0 - 2.0**-40
"""One interval is narrower than another for certain if slope and curve are, by this factor."""


@inlined
def narrow_enough(
    rule: Rule, curved: int, state: Floats, base: int, arm: Wholes, width: Lanes, least: Lanes
) -> Flags:
    """Where the interval of each lane's arm is within epsilon: by its width at the end, or by whole numbers."""
    narrow = above(least, width)
    if rule.full_count >= 0.0:
        narrow = narrow | ~above(every(rule.full_count), of_arm(rule, state, base, COUNT, arm))
    if curved and rule.tied_count >= 0.0:
        count, total = of_arm(rule, state, base, COUNT, arm), of_arm(rule, state, base, SUM, arm)
        narrow = narrow | full_scatter(rule, curved, count, total, of_arm(rule, state, base, SQUARES, arm))
    return narrow


@inlined
def surely_narrower(factor: float, slope: Lanes, curve: Lanes, other_slope: Lanes, other_curve: Lanes) -> Flags:
    """Where a curved interval is narrower than `factor` times another in every round."""
    reach = every(factor * SLIGHTLY_LESS)
    return ~above(slope, reach * other_slope) & above(reach * other_curve, curve)


@inlined
def rests_dial(
    rule: Rule,
    curved: int,
    state: Floats,
    base: int,
    growth: Lanes,
    bend: Lanes,
    end_growth: Lanes,
    end_bend: Lanes,
    least: Lanes,
) -> tuple[Wholes, Flags]:
    """The arms that lead at the start, and where they are played unqueried in every round, for certain.

    `growth` and `bend` are those of the first round, `end_growth` and `end_bend` of the last; `least` lies below epsilon
    in all of them, rounding allowed for.
    """
    if rule.arms == 1:
        return every_whole(rule.tags), flags(-1)
    margin, zero = every(rule.margin), every(0.0)
    lead = zero
    for a in range(rule.arms):
        at = base + a * WIDTH
        low = load(state, at) - radius(rule, curved, state, at, growth, bend)
        lead = higher(lead, tagged(low, rule.tags, rule.tags - a))
    leader = tag_of(lead, rule.tags)
    mean, slope = of_arm(rule, state, base, MEAN, leader), of_arm(rule, state, base, SLOPE, leader)
    count, total = of_arm(rule, state, base, COUNT, leader), of_arm(rule, state, base, SUM, leader)
    curve, squares, own_start, own_end = zero, zero, growth * slope, end_growth * slope
    if curved:
        curve, squares = of_arm(rule, state, base, CURVE, leader), of_arm(rule, state, base, SQUARES, leader)
        own_start, own_end = own_start + bend * curve, own_end + end_bend * curve
    lowest = mean - own_end
    rival_start, rival_end, leads = zero, zero, flags(-1)
    for a in range(rule.arms):
        at = base + a * WIDTH
        other = ~same(leader, every_whole(rule.tags - a))
        middle, start = load(state, at), radius(rule, curved, state, at, growth, bend)
        end = radius(rule, curved, state, at, end_growth, end_bend)
        rival_start = higher(rival_start, pick(other, middle + start, zero))
        rival_end = higher(rival_end, pick(other, middle + end, zero))
        behind = above(lowest - margin, middle - start) | twins(rule, curved, state, base, a, count, total, squares)
        leads = leads & (behind | ~other)
    separated = above(lowest - margin, rival_end)
    # Which of the arms that can be the challenger leave the candidate open, or are the candidate themselves?
    always_top = above(mean + own_start, rival_end + margin)
    leader_may, challenger_may = flags(0), flags(0)
    for a in range(rule.arms):
        at, row = base + a * WIDTH, rule.arms * WIDTH
        end = radius(rule, curved, state, at, end_growth, end_bend)
        possible = ~above(rival_start - margin, load(state, at) + end) & ~same(leader, every_whole(rule.tags - a))
        leader_first = less(every_whole(rule.tags - a), leader)
        leader_wider, leader_narrower = flags(-1), flags(0)
        if rule.rho > 0.0 and curved:
            other_slope, other_curve = load(state, at + SLOPE * row), load(state, at + CURVE * row)
            leader_narrower = surely_narrower(rule.rho, slope, curve, other_slope, other_curve)
            leader_wider = surely_narrower(1.0 / rule.rho, other_slope, other_curve, slope, curve)
        elif rule.rho > 0.0:
            left = every(rule.challenger_weight) * load(state, at + COUNT * row)
            right = every(rule.leader_weight) * count
            leader_narrower = above(right, left) | (equal(left, right) & ~leader_first)
            leader_wider = above(left, right) | (equal(left, right) & leader_first)
        leader_may = leader_may | (possible & ~leader_narrower)
        challenger_may = challenger_may | (possible & ~(always_top & leader_wider))
    narrow = narrow_enough(rule, curved, state, base, leader, own_end + own_end, least)
    within = (~leader_may | narrow) & (~challenger_may | above(least, rival_end - lowest))
    return leader, separated | (leads & within)


@inlined
def rests_widest(
    rule: Rule,
    curved: int,
    state: Floats,
    base: int,
    growth: Lanes,
    bend: Lanes,
    end_growth: Lanes,
    end_bend: Lanes,
    least: Lanes,
) -> tuple[Wholes, Flags]:
    """The same for CBM-UCB: one arm has the largest upper bound throughout, and a narrow interval."""
    margin, zero = every(rule.margin), every(0.0)
    top = zero
    for a in range(rule.arms):
        at = base + a * WIDTH
        value = load(state, at) + radius(rule, curved, state, at, growth, bend)
        top = higher(top, tagged(value, rule.tags, rule.tags - a))
    arm = tag_of(top, rule.tags)
    count, total = of_arm(rule, state, base, COUNT, arm), of_arm(rule, state, base, SUM, arm)
    squares = of_arm(rule, state, base, SQUARES, arm) if curved else zero
    others = zero
    for a in range(rule.arms):
        at = base + a * WIDTH
        value = load(state, at) + radius(rule, curved, state, at, end_growth, end_bend)
        alike = twins(rule, curved, state, base, a, count, total, squares)
        others = higher(others, pick(alike, zero, value))
    width = end_growth * of_arm(rule, state, base, SLOPE, arm)
    if curved:
        width = radius_of(rule, state, base, end_growth, end_bend, arm)
    narrow = narrow_enough(rule, curved, state, base, arm, width + width, least)
    return arm, narrow & above(top - others, margin)


@inlined
def rests_spending(
    rule: Rule, state: Floats, base: int, asked: Lanes, end_log: float, floor: float
) -> tuple[Wholes, Flags]:
    """The same for greedy: over its budget in every round. `floor` is the least epsilon."""
    over, _ = over_budget(rule, asked, end_log, floor)
    arm, known = best_mean(rule, state, base)
    return arm, over & known


@apart
def rests(
    family: int,
    rule: Rule,
    curved: int,
    state: Floats,
    base: int,
    growth: Lanes,
    bend: Lanes,
    end_growth: Lanes,
    end_bend: Lanes,
    least: Lanes,
    asked: Lanes,
    end_log: float,
    floor: float,
) -> tuple[Wholes, Flags]:
    """The same for any family."""
    if family == DIAL:
        return rests_dial(rule, curved, state, base, growth, bend, end_growth, end_bend, least)
    if family == WIDEST:
        return rests_widest(rule, curved, state, base, growth, bend, end_growth, end_bend, least)
    return rests_spending(rule, state, base, asked, end_log, floor)

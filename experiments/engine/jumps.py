"""Stretches of rounds that need not be decided one by one, because nothing in them can change.

Without a query the state is frozen and only t moves: upper bounds rise, lower bounds fall. Each comparison is therefore
made between its worst ends, and holds in every round between them. Every policy jumps wherever it rests, with one optimum
or several: BuFALU, BuFAU and the dial where leader and challenger are separated or within epsilon, CBM-UCB where its arm
has a narrow interval, greedy where its budget is spent, the pair rule (pairs.py) where its challenger is near enough.

A queried round cannot be jumped over: its reward must be drawn, and the next decision depends on it. Such rounds are made
cheaper instead, by looking at the two arms in front alone (narrowing.py).
"""

# ruff: noqa: PLR0917 - compiled code takes its arrays one by one

from __future__ import annotations

from typing import NamedTuple

from bufalu.experiments.engine.arrays import (
    COUNT,
    CURVE,
    MEAN,
    SLOPE,
    Floats,
    KernelRule,
)
from bufalu.experiments.engine.compiled import inlined
from bufalu.experiments.engine.decisions import (
    Record,
    full_scatter,
    of_arm,
    radius,
    radius_of,
    record_of,
    twins,
)
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
    pick,
    same,
    tag_of,
    tagged,
)
from bufalu.experiments.engine.vectors import WIDTH

SLIGHTLY_LESS = 1.0 - 2.0**-40
"""One interval is narrower than another for certain if slope and curve are, by this factor."""


@inlined
def narrow_enough(
    rule: KernelRule, curved: int, state: Floats, base: int, arm: Wholes, width: Lanes, least: Lanes
) -> Flags:
    """Where the interval of each lane's arm is within epsilon: by its width at the end, or by whole numbers."""
    narrow = above(least, width)
    if rule.full_count >= 0.0:
        narrow = narrow | ~above(every(rule.full_count), of_arm(rule, state, base, COUNT, arm))
    if curved and rule.tied_count >= 0.0:
        narrow = narrow | full_scatter(rule, curved, record_of(rule, curved, state, base, arm))
    return narrow


@inlined
def surely_narrower(factor: float, slope: Lanes, curve: Lanes, other_slope: Lanes, other_curve: Lanes) -> Flags:
    """Where a curved interval is narrower than `factor` times another in every round."""
    reach = every(factor * SLIGHTLY_LESS)
    return ~above(slope, reach * other_slope) & above(reach * other_curve, curve)


class Stretch(NamedTuple):
    """Some rounds in a row: growth and bend of the first and of the last, `least`, which lies below epsilon in all of them,
    rounding allowed for, and plain doubles of the least epsilon and of ln t in the last.
    """

    growth: Lanes
    bend: Lanes
    end_growth: Lanes
    end_bend: Lanes
    least: Lanes
    epsilon: float
    end_log: float


class Front(NamedTuple):
    """Each lane's leader at the start of a stretch: its tag, mean, slope, curve and record, and its radius at both ends."""

    leader: Wholes
    mean: Lanes
    slope: Lanes
    curve: Lanes
    record: Record
    start: Lanes
    end: Lanes


@inlined
def in_lead(rule: KernelRule, curved: int, state: Floats, base: int, time: Stretch) -> Front:
    """The arms of largest lower bound in the first round."""
    lead, curve = every(0.0), every(0.0)
    for a in range(rule.arms):
        at = base + a * WIDTH
        low = load(state, at) - radius(rule, curved, state, at, time.growth, time.bend)
        lead = higher(lead, tagged(low, rule.tags, rule.tags - a))
    leader = tag_of(lead, rule.tags)
    mean, slope = of_arm(rule, state, base, MEAN, leader), of_arm(rule, state, base, SLOPE, leader)
    start, end = time.growth * slope, time.end_growth * slope
    if curved:
        curve = of_arm(rule, state, base, CURVE, leader)
        start, end = start + time.bend * curve, end + time.end_bend * curve
    return Front(leader, mean, slope, curve, record_of(rule, curved, state, base, leader), start, end)


@inlined
def largest_others(
    rule: KernelRule, curved: int, state: Floats, base: int, time: Stretch, front: Front
) -> tuple[Lanes, Lanes, Flags]:
    """The largest upper bound of the other arms at both ends, and where the leader leads throughout."""
    zero, lowest = every(0.0), front.mean - front.end
    at_start, at_end, leads = zero, zero, flags(-1)
    for a in range(rule.arms):
        at = base + a * WIDTH
        other = ~same(front.leader, every_whole(rule.tags - a))
        middle, start = load(state, at), radius(rule, curved, state, at, time.growth, time.bend)
        end = radius(rule, curved, state, at, time.end_growth, time.end_bend)
        at_start = higher(at_start, pick(other, middle + start, zero))
        at_end = higher(at_end, pick(other, middle + end, zero))
        behind = above(lowest - every(rule.margin), middle - start) | twins(
            rule, curved, state, base, a, front.record
        )
        leads = leads & (behind | ~other)
    return at_start, at_end, leads


@inlined
def wider_and_narrower(
    rule: KernelRule, curved: int, state: Floats, at: int, front: Front, leader_first: Flags
) -> tuple[Flags, Flags]:
    """Where CI(l) >= rho CI(u), and where CI(l) <= rho CI(u), in every round for certain, for the arm at a place."""
    row = rule.arms * WIDTH
    wider, narrower = flags(-1), flags(0)
    if rule.rho > 0.0 and curved:
        slope, curve = load(state, at + SLOPE * row), load(state, at + CURVE * row)
        narrower = surely_narrower(rule.rho, front.slope, front.curve, slope, curve)
        wider = surely_narrower(1.0 / rule.rho, slope, curve, front.slope, front.curve)
    elif rule.rho > 0.0:
        left = every(rule.challenger_weight) * load(state, at + COUNT * row)
        right = every(rule.leader_weight) * front.record.number
        narrower = above(right, left) | (equal(left, right) & ~leader_first)
        wider = above(left, right) | (equal(left, right) & leader_first)
    return wider, narrower


@inlined
def rests_dial(rule: KernelRule, curved: int, state: Floats, base: int, time: Stretch) -> tuple[Wholes, Flags]:
    """The arms that lead at the start, and where they are played unqueried in every round, for certain."""
    if rule.arms == 1:
        return every_whole(rule.tags), flags(-1)
    margin = every(rule.margin)
    front = in_lead(rule, curved, state, base, time)
    lowest = front.mean - front.end
    rival_start, rival_end, leads = largest_others(rule, curved, state, base, time, front)
    separated = above(lowest - margin, rival_end)
    # Which of the arms that can be the challenger leave the candidate open, or are the candidate themselves?
    always_top = above(front.mean + front.start, rival_end + margin)
    leader_may, challenger_may = flags(0), flags(0)
    for a in range(rule.arms):
        at, tag = base + a * WIDTH, every_whole(rule.tags - a)
        end = radius(rule, curved, state, at, time.end_growth, time.end_bend)
        possible = ~above(rival_start - margin, load(state, at) + end) & ~same(front.leader, tag)
        wider, narrower = wider_and_narrower(rule, curved, state, at, front, less(tag, front.leader))
        leader_may = leader_may | (possible & ~narrower)
        challenger_may = challenger_may | (possible & ~(always_top & wider))
    narrow = narrow_enough(rule, curved, state, base, front.leader, front.end + front.end, time.least)
    within = (~leader_may | narrow) & (~challenger_may | above(time.least, rival_end - lowest))
    return front.leader, separated | (leads & within)


@inlined
def rests_widest(rule: KernelRule, curved: int, state: Floats, base: int, time: Stretch) -> tuple[Wholes, Flags]:
    """The arms of largest upper bound, and where one stays so throughout and has a narrow interval: CBM-UCB rests."""
    zero = every(0.0)
    top = zero
    for a in range(rule.arms):
        at = base + a * WIDTH
        value = load(state, at) + radius(rule, curved, state, at, time.growth, time.bend)
        top = higher(top, tagged(value, rule.tags, rule.tags - a))
    arm = tag_of(top, rule.tags)
    own, others = record_of(rule, curved, state, base, arm), zero
    for a in range(rule.arms):
        at = base + a * WIDTH
        value = load(state, at) + radius(rule, curved, state, at, time.end_growth, time.end_bend)
        others = higher(others, pick(twins(rule, curved, state, base, a, own), zero, value))
    half = radius_of(rule, curved, state, base, time.end_growth, time.end_bend, arm)
    narrow = narrow_enough(rule, curved, state, base, arm, half + half, time.least)
    return arm, narrow & above(top - others, every(rule.margin))

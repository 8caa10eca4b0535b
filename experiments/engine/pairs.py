"""The pair rule (docs/pairs.md), beyond the paper: the leader, of largest mean, against the others two by two.

With n queries, spread s and b(t) the number of binary digits of t let G(n) = (n + s) / n^2, the slope of an arm, and
H(n) = ln((n + s) / s) / 4, its curve. The radius of arms a and c in round t is

    r(a, c) = sqrt((ln(t b(t)) / 2 + H(n_a) + H(n_c)) (G(n_a) + G(n_c))),

and the index of an arm beside the leader l is m_a - m_l + r(a, l).

Error analysis, with u = 2^-53: the growth ln(t b(t)) / 2 is within 9 u and at least 0.8 after round 2; a curve is within
4 u (1 + itself), so that the sum of the three is within 9 u + 8 u / 0.8 + 2 u = 21 u relatively; a slope is within 4 u, the
sum of two within 5 u, the product within 27 u, and the root within 15 u. So a radius is within 24 u, as
those of intervals are, and the margin of round_tables.py holds, with an offset above every radius.
"""

# ruff: noqa: PLR0917 - compiled code takes its arrays one by one

from __future__ import annotations

from typing import NamedTuple

from bufalu.experiments.engine.arrays import COUNT, CURVE, MEAN, SLOPE, Floats, KernelRule
from bufalu.experiments.engine.compiled import inlined
from bufalu.experiments.engine.decisions import Now, of_arm, record_of, twins
from bufalu.experiments.engine.jumps import Stretch
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
    root,
    same,
    tag_of,
    tagged,
)
from bufalu.experiments.engine.top_arms import best_mean
from bufalu.experiments.engine.vectors import WIDTH


class Leader(NamedTuple):
    """The arm of largest mean of each lane: its tag, mean plus offset, slope, curve and number of queries, and where no
    other mean comes close, or is equal and comes later.
    """

    tag: Wholes
    mean: Lanes
    slope: Lanes
    curve: Lanes
    number: Lanes
    leads: Flags


@inlined
def leader_quickly(rule: KernelRule, state: Floats, base: int) -> Leader:
    """The leaders by their doubles."""
    row = rule.arms * WIDTH
    lead, second, slope, curve, count = every(0.0), every(0.0), every(0.0), every(0.0), every(0.0)
    for a in range(rule.arms):
        at = base + a * WIDTH
        mean = tagged(load(state, at), rule.tags, rule.tags - a)
        better = above(mean, lead)
        slope = pick(better, load(state, at + SLOPE * row), slope)
        curve = pick(better, load(state, at + CURVE * row), curve)
        count = pick(better, load(state, at + COUNT * row), count)
        second = higher(second, lower(lead, mean))
        lead = higher(lead, mean)
    return Leader(tag_of(lead, rule.tags), lead, slope, curve, count, above(lead - second, every(rule.margin)))


@inlined
def leader_carefully(rule: KernelRule, state: Floats, base: int) -> Leader:
    """The leaders by whole numbers, which tell equal means too."""
    tag, leads = best_mean(rule, state, base)
    return Leader(
        tag,
        of_arm(rule, state, base, MEAN, tag),
        of_arm(rule, state, base, SLOPE, tag),
        of_arm(rule, state, base, CURVE, tag),
        of_arm(rule, state, base, COUNT, tag),
        leads,
    )


@inlined
def radius_with(rule: KernelRule, state: Floats, at: int, growth: Lanes, leader: Leader) -> Lanes:
    """r(a, l) of the arm at place `at`."""
    row = rule.arms * WIDTH
    grown = growth + leader.curve + load(state, at + CURVE * row)
    return root(grown * (leader.slope + load(state, at + SLOPE * row)))


class Challenge(NamedTuple):
    """The two largest of m_a + r(a, l) beside the leader, each with the tag of its arm, of which the first is the challenger;
    the challenger's queries and radius; and the largest radius.
    """

    top: Lanes
    following: Lanes
    number: Lanes
    radius: Lanes
    widest: Lanes


@inlined
def challenge(rule: KernelRule, state: Floats, base: int, growth: Lanes, leader: Leader) -> Challenge:
    """The challengers of the leaders in rounds of this growth."""
    zero = every(0.0)
    top, following, count, own, widest = zero, zero, zero, zero, zero
    for a in range(rule.arms):
        at = base + a * WIDTH
        radius = radius_with(rule, state, at, growth, leader)
        widest = higher(widest, radius)
        value = tagged(load(state, at) + radius, rule.tags, rule.tags - a)
        value = pick(same(leader.tag, every_whole(rule.tags - a)), zero, value)
        better = above(value, top)
        count = pick(better, load(state, at + COUNT * rule.arms * WIDTH), count)
        own = pick(better, radius, own)
        following = higher(following, lower(top, value))
        top = higher(top, value)
    return Challenge(top, following, count, own, widest)


@inlined
def unrivalled(rule: KernelRule, state: Floats, base: int, growth: Lanes, leader: Leader, top: Lanes) -> Flags:
    """Where no arm comes close to the challenger but the leader and arms with the challenger's count and sum."""
    own, doubtful = record_of(rule, 0, state, base, tag_of(top, rule.tags)), flags(0)
    for a in range(rule.arms):
        at = base + a * WIDTH
        value = load(state, at) + radius_with(rule, state, at, growth, leader)
        close = ~above(top - every(rule.margin), value) & ~same(leader.tag, every_whole(rule.tags - a))
        doubtful = doubtful | (close & ~twins(rule, 0, state, base, a, own))
    return ~doubtful


class PairVerdict(NamedTuple):
    """The played arms, which of them are queried, and which lanes are sure; `reach`, the index of the challenger, and its
    radius; the largest index of the other arms, and the largest radius of a pair.
    """

    arm: Wholes
    asks: Flags
    sure: Flags
    reach: Lanes
    radius: Lanes
    others: Lanes
    widest: Lanes


@inlined
def verdict(rule: KernelRule, state: Floats, base: int, now: Now, careful: int) -> PairVerdict:
    """One round of each lane. The `careful` form tells equal means, and arms with equal counts and sums, by whole numbers."""
    leader = leader_carefully(rule, state, base) if careful else leader_quickly(rule, state, base)
    found = challenge(rule, state, base, now.growth, leader)
    if careful:
        clear = unrivalled(rule, state, base, now.growth, leader, found.top)
    else:
        clear = above(found.top - found.following, every(rule.margin))
    index = found.top - leader.mean
    asks, rests = above(index, now.high), above(now.low, index)
    # The leader where n_l <= kappa n_u, else the challenger; with equality the first of the two.
    challenger = tag_of(found.top, rule.tags)
    left, right = every(rule.challenger_weight) * found.number, every(rule.leader_weight) * leader.number
    swap = asks & (above(right, left) | (equal(left, right) & less(leader.tag, challenger)))
    sure = leader.leads & (rests | (asks & clear))
    arm, others = pick(swap, challenger, leader.tag), found.following - leader.mean
    return PairVerdict(arm, asks, sure, index, found.radius, others, found.widest)


@inlined
def decide_pairs(rule: KernelRule, state: Floats, base: int, now: Now, careful: int) -> tuple[Wholes, Flags, Flags]:
    """The played arms, which of them are queried, and which lanes are sure."""
    if rule.arms == 1:
        return every_whole(rule.tags), flags(0), flags(-1)
    found = verdict(rule, state, base, now, careful)
    return found.arm, found.asks, found.sure


@inlined
def rests_pairs(rule: KernelRule, state: Floats, base: int, time: Stretch) -> tuple[Wholes, Flags]:
    """The leaders, and where no index exceeds epsilon in any round: means stand still, and radii are largest at the end."""
    if rule.arms == 1:
        return every_whole(rule.tags), flags(-1)
    leader = leader_carefully(rule, state, base)
    index = challenge(rule, state, base, time.end_growth, leader).top - leader.mean
    return leader.tag, leader.leads & above(time.least, index)

"""One round of CBM-UCB and greedy for eight seeds: an arm of largest upper bound, or of largest mean, and whether to ask.

Bounds, tags and the careful form are those of decisions.py.
"""

# ruff: noqa: PLR0917 - compiled code takes its arrays one by one

from __future__ import annotations

from bufalu.experiments.engine.arrays import COUNT, MEAN, SUM, Floats, KernelRule
from bufalu.experiments.engine.compiled import inlined
from bufalu.experiments.engine.decisions import (
    EXACT,
    REST,
    Now,
    Rest,
    distance,
    equal_pair,
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
    bits,
    every,
    every_whole,
    flags,
    higher,
    load,
    lower,
    pick,
    same,
    tag_of,
    tagged,
)
from bufalu.experiments.engine.vectors import WIDTH

RELATIVE = 2.0**-46
"""Bounds the relative rounding error of greedy's test, (B^q - K + 1) epsilon^2 against 6 K ln t."""


@inlined
def largest(
    rule: KernelRule, curved: int, state: Floats, base: int, now: Now, rest: Rest | None
) -> tuple[Wholes, Lanes, Flags]:
    """The arms of largest upper bound, these bounds, and which lanes are sure of theirs."""
    margin, zero = every(rule.margin), every(0.0)
    top, following = zero, zero
    if rest is not None:
        top = rest.high
    for a in range(rule.arms):
        at = base + a * WIDTH
        value = load(state, at) + radius(rule, curved, state, at, now.growth, now.bend)
        over = tagged(value, rule.tags, rule.tags - a)
        following = higher(following, lower(top, over))
        top = higher(top, over)
    arm = tag_of(top, rule.tags)
    sure = above(top - following, margin)
    if rest is not None:
        sure = sure | (equal_pair(rule, curved, state, base) & above(top - rest.high, margin))
        sure = sure & ~same(arm, every_whole(REST))
    return arm, top, sure


@inlined
def largest_carefully(rule: KernelRule, curved: int, state: Floats, base: int, now: Now) -> tuple[Wholes, Flags]:
    """As `largest`, with real ties told by whole numbers."""
    arm, top, _ = largest(rule, curved, state, base, now, None)
    own, doubtful = record_of(rule, curved, state, base, arm), flags(0)
    for a in range(rule.arms):
        at = base + a * WIDTH
        value = load(state, at) + radius(rule, curved, state, at, now.growth, now.bend)
        close = ~above(top - every(rule.margin), value)
        doubtful = doubtful | (close & ~twins(rule, curved, state, base, a, own))
    return arm, ~doubtful


@inlined
def decide_widest(
    rule: KernelRule, curved: int, state: Floats, base: int, now: Now, rest: Rest | None
) -> tuple[Wholes, Flags, Flags]:
    """CBM-UCB: the arm of largest upper bound, queried if its interval is wider than epsilon."""
    arm, _, sure = largest(rule, curved, state, base, now, rest)
    half = radius_of(rule, curved, state, base, now.growth, now.bend, arm)
    width = half + half
    asks, rests = above(width, now.high), above(now.low, width)
    return arm, asks, sure & (asks | rests)


@inlined
def decide_widest_carefully(
    rule: KernelRule, curved: int, state: Floats, base: int, now: Now
) -> tuple[Wholes, Flags, Flags]:
    """As `decide_widest`, with real ties told by whole numbers."""
    arm, sure = largest_carefully(rule, curved, state, base, now)
    half = radius_of(rule, curved, state, base, now.growth, now.bend, arm)
    width = half + half
    asks, rests = above(width, now.high), above(now.low, width)
    own = record_of(rule, curved, state, base, arm)
    if rule.full_count >= 0.0:
        rests = ~above(every(rule.full_count), own.number)
        asks = ~rests
    rests = rests | full_scatter(rule, curved, own)
    return arm, asks, sure & (asks | rests)


@inlined
def over_budget(rule: KernelRule, asked: Lanes, log: float, epsilon: float) -> tuple[Flags, Flags]:
    """Greedy's test (l.1427), (B^q - K + 1) epsilon^2 > 6 K ln t: where it holds and where it does not, for certain."""
    overspend = asked - every(float(rule.all_arms - 1))
    if rule.spend_limit >= 0.0:
        over = above(overspend, every(rule.spend_limit))
        return over, ~over
    cost, budget = overspend * every(epsilon * epsilon), every(6.0 * rule.all_arms * log)
    slack = every(RELATIVE) * (cost + budget)
    return above(cost, budget + slack), above(budget, cost + slack)


@inlined
def best_mean(rule: KernelRule, state: Floats, base: int) -> tuple[Wholes, Flags]:
    """The arms of largest empirical mean, by cross-multiplied whole numbers, and which lanes are sure of theirs."""
    row = rule.arms * WIDTH
    arm, sure = every_whole(rule.tags), flags(-1)
    count, total = load(state, base + COUNT * row), load(state, base + SUM * row)
    for a in range(1, rule.arms):
        at = base + a * WIDTH
        other_count, other_total = load(state, at + COUNT * row), load(state, at + SUM * row)
        left, right = other_total * count, total * other_count
        better = above(left, right)
        both = left + right
        sure = sure & (above(every(EXACT), both) | above(distance(left, right), both * every(RELATIVE)))
        arm = pick(better, every_whole(rule.tags - a), arm)
        count, total = pick(better, other_count, count), pick(better, other_total, total)
    return arm, sure


@inlined
def decide_spending(
    rule: KernelRule, state: Floats, base: int, now: Now, asked: Lanes, top: tuple[Wholes, Flags], rest: Rest | None
) -> tuple[Wholes, Flags, Flags]:
    """Greedy: over its budget the arm of largest mean, unqueried, else the arm of largest upper bound, queried.

    `top` has the latter, and which lanes are sure of theirs.
    """
    over, under = over_budget(rule, asked, now.log, now.epsilon)
    arm, sure = top
    sure = under & sure
    if bits(over) != 0:
        best, known = best_mean(rule, state, base)
        if rest is not None:
            known = known & above(of_arm(rule, state, base, MEAN, best) - rest.mean, every(rule.margin))
        arm = pick(over, best, arm)
        sure = sure | (over & known)
    return arm, under, sure

"""One round of the policies for eight seeds: decisions that no rounding can turn, and which lanes have one.

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
from bufalu.experiments.engine.draws import scatter
from bufalu.experiments.engine.lanes import (
    WIDTH,
    Flags,
    Lanes,
    Wholes,
    above,
    bits,
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

RELATIVE = 2.0**-46
"""Bounds the relative rounding error of greedy's test, (B^q - K + 1) epsilon^2 against 6 K ln t."""

EXACT = 2.0**53
"""Whole numbers below this are doubles."""

REST = 0
"""The tag of the arms that are left out of a narrowed field."""


class Rest(NamedTuple):
    """The arms that are left out of a field of two (narrowing.py), by bounds that hold in all its rounds: their largest
    lower bound at its start and upper bound at its end, both tagged `REST`, and their largest mean. A decision that these
    could be part of is not sure.
    """

    low: Lanes
    high: Lanes
    mean: Lanes


@inlined
def radius(rule: Rule, curved: int, state: Floats, at: int, growth: Lanes, bend: Lanes) -> Lanes:
    """Half the width of the interval of the arm at place `at`."""
    row = rule.arms * WIDTH
    if curved:
        return growth * load(state, at + SLOPE * row) + bend * load(state, at + CURVE * row)
    return growth * load(state, at + SLOPE * row)


@inlined
def of_arm(rule: Rule, state: Floats, base: int, row: int, arm: Wholes) -> Lanes:
    """The row of each lane's tagged arm."""
    found = every(0.0)
    for a in range(rule.arms):
        entry = load(state, base + (row * rule.arms + a) * WIDTH)
        found = pick(same(arm, every_whole(rule.tags - a)), entry, found)
    return found


@inlined
def distance(x: Lanes, y: Lanes) -> Lanes:
    """|x - y|."""
    return higher(x - y, y - x)


@inlined
def twins(
    rule: Rule, curved: int, state: Floats, base: int, a: int, count: Lanes, total: Lanes, squares: Lanes
) -> Flags:
    """Where arm a has the given count and sums: then it has the same interval in every round, a real tie."""
    at, row = base + a * WIDTH, rule.arms * WIDTH
    alike = equal(load(state, at + COUNT * row), count) & equal(load(state, at + SUM * row), total)
    if curved:
        alike = alike & equal(load(state, at + SQUARES * row), squares)
    return alike


@inlined
def equal_pair(rule: Rule, curved: int, state: Floats, base: int) -> Flags:
    """Where the first two arms have the same counts and sums."""
    row = rule.arms * WIDTH
    count, total, squares = load(state, base + COUNT * row), load(state, base + SUM * row), every(0.0)
    if curved:
        squares = load(state, base + SQUARES * row)
    return twins(rule, curved, state, base, 1, count, total, squares)


@inlined
def full_scatter(rule: Rule, curved: int, count: Lanes, total: Lanes, squares: Lanes) -> Flags:
    """Where a Bernstein interval meets its budget exactly: the tied count, and the largest variance, n / (4 (n - 1))."""
    if not curved or rule.tied_count < 0.0:
        return flags(0)
    full = count * every(rule.denominator)
    largest = equal(every(4.0) * scatter(count, total, squares), full * full)
    return equal(count, every(rule.tied_count)) & largest & above(every(EXACT), full * full)


@inlined
def decide_dial(
    rule: Rule,
    curved: int,
    careful: int,
    state: Floats,
    base: int,
    growth: Lanes,
    bend: Lanes,
    high: Lanes,
    low: Lanes,
    rest: Rest | None,
) -> tuple[Wholes, Flags, Flags]:
    """The played arms, which of them are queried, and which lanes are sure. `high` and `low` enclose epsilon.

    The candidate is the leader if CI(l) >= rho CI(u) and UCB(l) >= UCB(u), and the challenger if CI(l) <= rho CI(u) or
    UCB(l) <= UCB(u): rho = 1 is BuFALU, rho = 0, without the test of widths, BuFAU.
    """
    if rule.arms == 1:
        return every_whole(rule.tags), flags(0), flags(-1)
    margin, zero = every(rule.margin), every(0.0)
    lead, second, top, following, third = zero, zero, zero, zero, zero
    if rest is not None:
        lead, top = rest.low, rest.high
    for a in range(rule.arms):
        at = base + a * WIDTH
        mean, own = load(state, at), radius(rule, curved, state, at, growth, bend)
        below = tagged(mean - own, rule.tags, rule.tags - a)
        over = tagged(mean + own, rule.tags, rule.tags - a)
        second = higher(second, lower(lead, below))
        lead = higher(lead, below)
        passed = lower(top, over)
        top = higher(top, over)
        third = higher(third, lower(following, passed))
        following = higher(following, passed)
    leader = tag_of(lead, rule.tags)
    leads = same(tag_of(top, rule.tags), leader)
    rival = pick(leads, following, top)
    challenger = tag_of(rival, rule.tags)
    swap, settled = ~leads, flags(-1)
    if rule.rho > 0.0:
        first = less(leader, challenger)
        if curved:
            own = radius_of(rule, state, base, growth, bend, leader)
            other = every(rule.rho) * radius_of(rule, state, base, growth, bend, challenger)
            swap = swap | above(other - own, margin)
            settled = above(distance(own, other), margin) | ~leads
        else:
            left = every(rule.challenger_weight) * of_arm(rule, state, base, COUNT, challenger)
            right = every(rule.leader_weight) * of_arm(rule, state, base, COUNT, leader)
            swap = swap | above(right, left) | (equal(left, right) & first)
    gap, apart = pick(swap, rival, top) - lead, rival - lead
    separated = above(zero - margin, apart)
    asks = above(apart, margin) & above(gap, high)
    rests = separated | above(low, gap)
    if not careful:
        leading, clear = above(lead - second, margin), above(top - following, margin)
        if rest is not None:
            # Equal arms, of which the first leads, tie with each other, and with no other arm.
            alike = equal_pair(rule, curved, state, base)
            leading = (leading | (alike & above(lead - rest.low, margin))) & ~same(leader, every_whole(REST))
            clear = clear | (alike & above(top - rest.high, margin))
            outside = same(challenger, every_whole(REST))
            if rule.rho > 0.0:
                clear = clear & ~outside
                if curved and rule.rho == 1.0:
                    settled = settled | alike
            else:
                # Whichever arm BuFAU's challenger is, the leader is above it; the other arm of the field bounds it below.
                clear = clear & (leads | ~outside)
                asks = asks & (~outside | above(third - lead, margin))
        if rule.rho > 0.0:
            clear = clear & (above(following - third, margin) | ~leads)
        sure = leading & (separated | (clear & settled & (asks | rests)))
        return pick(asks & swap, challenger, leader), asks, sure

    count, total = of_arm(rule, state, base, COUNT, leader), of_arm(rule, state, base, SUM, leader)
    count_c, total_c = of_arm(rule, state, base, COUNT, challenger), of_arm(rule, state, base, SUM, challenger)
    squares, squares_c = zero, zero
    if curved:
        squares, squares_c = (
            of_arm(rule, state, base, SQUARES, leader),
            of_arm(rule, state, base, SQUARES, challenger),
        )
    doubtful_leader, doubtful_challenger, leader_top = flags(0), flags(0), zero
    for a in range(rule.arms):
        at = base + a * WIDTH
        mean, own = load(state, at), radius(rule, curved, state, at, growth, bend)
        leading = same(leader, every_whole(rule.tags - a))
        leader_top = pick(leading, mean + own, leader_top)
        close = ~above(lead - margin, mean - own) & ~leading
        doubtful_leader = doubtful_leader | (close & ~twins(rule, curved, state, base, a, count, total, squares))
        close = ~above(rival - margin, mean + own) & ~leading
        doubtful_challenger = doubtful_challenger | (
            close & ~twins(rule, curved, state, base, a, count_c, total_c, squares_c)
        )
    tied = equal(count, count_c) & equal(total, total_c) & equal(squares, squares_c)
    clear = above(distance(leader_top, rival), margin) | tied
    if rule.rho > 0.0:
        clear = clear & ~doubtful_challenger
        if curved and rule.rho == 1.0:
            as_wide = equal(count, count_c) & equal(
                scatter(count, total, squares), scatter(count_c, total_c, squares_c)
            )
            full = count * every(rule.denominator)
            as_wide = as_wide & above(every(EXACT), full * full)
            swap = swap | (as_wide & less(leader, challenger))
            settled = settled | as_wide
    else:
        clear = clear & (~doubtful_challenger | leads)
    gap = pick(swap, rival, top) - lead
    asks = above(apart, margin) & above(gap, high)
    rests = separated | above(low, gap)
    own_width = (~swap) | tied
    if rule.full_count >= 0.0:
        narrow = ~above(every(rule.full_count), count)
        asks = above(apart, margin) & ((own_width & ~narrow) | (~own_width & asks))
        rests = separated | (own_width & narrow) | (~own_width & rests)
    rests = rests | (own_width & full_scatter(rule, curved, count, total, squares))
    sure = ~doubtful_leader & (separated | (clear & settled & (asks | rests)))
    return pick(asks & swap, challenger, leader), asks, sure


@inlined
def radius_of(rule: Rule, state: Floats, base: int, growth: Lanes, bend: Lanes, arm: Wholes) -> Lanes:
    """Half the width of the curved interval of each lane's tagged arm."""
    return growth * of_arm(rule, state, base, SLOPE, arm) + bend * of_arm(rule, state, base, CURVE, arm)


@inlined
def largest(
    rule: Rule, curved: int, careful: int, state: Floats, base: int, growth: Lanes, bend: Lanes, rest: Rest | None
) -> tuple[Wholes, Flags]:
    """The arms of largest upper bound, and which lanes are sure of theirs."""
    margin, zero = every(rule.margin), every(0.0)
    top, following = zero, zero
    if rest is not None:
        top = rest.high
    for a in range(rule.arms):
        at = base + a * WIDTH
        value = load(state, at) + radius(rule, curved, state, at, growth, bend)
        over = tagged(value, rule.tags, rule.tags - a)
        following = higher(following, lower(top, over))
        top = higher(top, over)
    arm = tag_of(top, rule.tags)
    if not careful:
        sure = above(top - following, margin)
        if rest is not None:
            sure = sure | (equal_pair(rule, curved, state, base) & above(top - rest.high, margin))
            sure = sure & ~same(arm, every_whole(REST))
        return arm, sure
    count, total = of_arm(rule, state, base, COUNT, arm), of_arm(rule, state, base, SUM, arm)
    squares = of_arm(rule, state, base, SQUARES, arm) if curved else zero
    doubtful = flags(0)
    for a in range(rule.arms):
        at = base + a * WIDTH
        value = load(state, at) + radius(rule, curved, state, at, growth, bend)
        close = ~above(top - margin, value)
        doubtful = doubtful | (close & ~twins(rule, curved, state, base, a, count, total, squares))
    return arm, ~doubtful


@inlined
def decide_widest(
    rule: Rule,
    curved: int,
    careful: int,
    state: Floats,
    base: int,
    growth: Lanes,
    bend: Lanes,
    high: Lanes,
    low: Lanes,
    rest: Rest | None,
) -> tuple[Wholes, Flags, Flags]:
    """CBM-UCB: the arm of largest upper bound, queried if its interval is wider than epsilon."""
    arm, sure = largest(rule, curved, careful, state, base, growth, bend, rest)
    width = growth * of_arm(rule, state, base, SLOPE, arm)
    if curved:
        width = radius_of(rule, state, base, growth, bend, arm)
    width = width + width
    asks, rests = above(width, high), above(low, width)
    if careful:
        count = of_arm(rule, state, base, COUNT, arm)
        if rule.full_count >= 0.0:
            rests = ~above(every(rule.full_count), count)
            asks = ~rests
        if curved:
            total, squares = of_arm(rule, state, base, SUM, arm), of_arm(rule, state, base, SQUARES, arm)
            rests = rests | full_scatter(rule, curved, count, total, squares)
    return arm, asks, sure & (asks | rests)


@inlined
def over_budget(rule: Rule, asked: Lanes, log: float, epsilon: float) -> tuple[Flags, Flags]:
    """Greedy's test (l.1427), (B^q - K + 1) epsilon^2 > 6 K ln t: where it holds and where it does not, for certain."""
    overspend = asked - every(float(rule.all_arms - 1))
    if rule.spend_limit >= 0.0:
        over = above(overspend, every(rule.spend_limit))
        return over, ~over
    cost, budget = overspend * every(epsilon * epsilon), every(6.0 * rule.all_arms * log)
    slack = every(RELATIVE) * (cost + budget)
    return above(cost, budget + slack), above(budget, cost + slack)


@inlined
def best_mean(rule: Rule, state: Floats, base: int) -> tuple[Wholes, Flags]:
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
    rule: Rule,
    curved: int,
    careful: int,
    state: Floats,
    base: int,
    growth: Lanes,
    bend: Lanes,
    asked: Lanes,
    log: float,
    epsilon: float,
    rest: Rest | None,
) -> tuple[Wholes, Flags, Flags]:
    """Greedy: over its budget the arm of largest mean, unqueried, else the arm of largest upper bound, queried."""
    over, under = over_budget(rule, asked, log, epsilon)
    arm, sure = largest(rule, curved, careful, state, base, growth, bend, rest)
    sure = under & sure
    if bits(over) != 0:
        best, known = best_mean(rule, state, base)
        if rest is not None:
            known = known & above(of_arm(rule, state, base, MEAN, best) - rest.mean, every(rule.margin))
        arm = pick(over, best, arm)
        sure = sure | (over & known)
    return arm, under, sure


@apart
def decide_carefully(
    family: int,
    rule: Rule,
    curved: int,
    state: Floats,
    base: int,
    growth: Lanes,
    bend: Lanes,
    high: Lanes,
    low: Lanes,
    asked: Lanes,
    log: float,
    epsilon: float,
) -> tuple[Wholes, Flags, Flags]:
    """The careful form of a family's decision."""
    if family == DIAL:
        return decide_dial(rule, curved, 1, state, base, growth, bend, high, low, None)
    if family == WIDEST:
        return decide_widest(rule, curved, 1, state, base, growth, bend, high, low, None)
    return decide_spending(rule, curved, 1, state, base, growth, bend, asked, log, epsilon, None)

"""Stretches of rounds that need not be decided one by one, because nothing in them can change.

Without a query the state is frozen and only t moves: upper bounds rise, lower bounds fall. While one arm is queried,
the bounds of all others are known in advance.
"""

# ruff: noqa: PLR0917, PLR1714, SIM109 - compiled code takes its arrays one by one, and `in` makes a tuple there

from __future__ import annotations

import numpy as np

from bufalu.experiments.engine.arrays import (
    BUFAU,
    CBM_UCB,
    EPSILON,
    GREEDY,
    HOEFFDING_BUDGET,
    LOG,
    LOWEST_LEVEL,
    MARGIN,
    MEAN,
    PLAYS,
    QUERIES,
    SLOPE,
    SLOPES,
    SQUARES,
    SUMS,
    TABLE_SIZE,
    Floats,
    Integers,
    Rule,
    Words,
)
from bufalu.experiments.engine.compiled import inlined
from bufalu.experiments.engine.decisions import all_queries, over_budget, radius_at, twins, wider
from bufalu.experiments.engine.draws import drawn_value


@inlined
def rests(rule: Rule, table: Floats, counts: Integers, forms: Floats, arm: int, i: int, e: int, floor: float) -> bool:
    """Whether, with no query, `arm` is certainly played unqueried in every round from offset i to e.

    Upper bounds rise with t and lower bounds fall, so each comparison is made between its worst ends; `floor` is the
    least epsilon of the block.
    """
    margin = table[MARGIN, e]
    if rule.policy == GREEDY:
        return over_budget(rule, table[LOG, e], floor, all_queries(rule, counts)) == 1
    own_start = radius_at(table, forms, i, arm)
    own_end = radius_at(table, forms, e, arm)
    mean = forms[MEAN, arm]
    lowest, highest = mean - own_end, mean + own_end
    leads, second, rival = True, -np.inf, -1
    rival_start = -np.inf
    for a in range(rule.arms):
        if a == arm:
            continue
        start = radius_at(table, forms, i, a)
        end = radius_at(table, forms, e, a)
        second = max(second, forms[MEAN, a] + end)
        upper = forms[MEAN, a] + start
        if upper > rival_start or (rule.last and upper == rival_start):
            rival, rival_start = a, upper
        if not forms[MEAN, a] - start < lowest - margin and not twins(rule, counts, a, arm):
            leads = False
    tolerance = margin * (1.0 + floor)
    narrow = rule.matched == HOEFFDING_BUDGET and (
        counts[QUERIES, arm] * rule.arms * rule.budget_denominator >= rule.budget_numerator
    )
    above = mean + own_start > second + margin
    if rule.policy == CBM_UCB:
        if not (above or tops(rule, table, counts, forms, arm, -1, i, e)):
            return False
        return bool(narrow or 2.0 * own_end < floor - tolerance)
    if second < lowest - margin:
        return True
    if not leads:
        return False
    if rule.policy == BUFAU:
        return bool((narrow and above) or max(second, highest) - lowest < floor - tolerance)
    if not tops(rule, table, counts, forms, rival, arm, i, e):
        return False
    rival_end = radius_at(table, forms, e, rival)
    rival_gap = forms[MEAN, rival] + rival_end - lowest
    if rule.bernstein:
        return bool(max(rival_gap, highest - lowest) < floor - tolerance)
    if wider(rule, counts, rival, arm, 0.0, margin) == rival:
        return bool(rival_gap < floor - tolerance)
    return bool(narrow or highest - lowest < floor - tolerance)


@inlined
def tops(rule: Rule, table: Floats, counts: Integers, forms: Floats, arm: int, skip: int, i: int, e: int) -> bool:
    """Whether `arm` or a twin of it has the largest upper bound apart from `skip` in every round from i to e."""
    own = radius_at(table, forms, i, arm)
    least = forms[MEAN, arm] + own - table[MARGIN, e]
    for a in range(rule.arms):
        if a == arm or a == skip or twins(rule, counts, a, arm):
            continue
        other = radius_at(table, forms, e, a)
        if not forms[MEAN, a] + other < least:
            return False
    return True


@inlined
def jump(
    rule: Rule, table: Floats, floor: Floats, level_start: Integers, counts: Integers, forms: Floats, arm: int, i: int
) -> int:
    """Skips blocks of 2^k rounds, growing while they succeed, in which `arm` is played unqueried for certain."""
    length = table.shape[1]
    level = LOWEST_LEVEL
    while True:
        size = 1 << level
        if i & (size - 1) == 0 and i + size <= length:
            least = floor[level_start[level] + (i >> level)]
            if rests(rule, table, counts, forms, arm, i, i + size - 1, least):
                counts[PLAYS, arm] += size
                i += size
                if level + 1 < level_start.size:
                    level += 1
                continue
        if level == LOWEST_LEVEL:
            return i
        level -= 1


@inlined
def run_end(
    rule: Rule,
    table: Floats,
    below: Words,
    values: Integers,
    inverse: Floats,
    key: np.uint64,
    counts: Integers,
    forms: Floats,
    arm: int,
    i: int,
    e: int,
) -> int:
    """Goes on querying `arm`, at most to offset e, while it certainly has the largest upper bound and the query rule
    certainly asks. For intervals without a curve; the state of the arm is kept in registers.
    """
    margin = table[MARGIN, e]
    ceiling, others_top, others_low = -np.inf, -np.inf, -np.inf
    for a in range(rule.arms):
        if a != arm:
            start = table[SLOPES, i] * forms[SLOPE, a]
            ceiling = max(ceiling, forms[MEAN, a] + table[SLOPES, e] * forms[SLOPE, a])
            others_top = max(others_top, forms[MEAN, a] + start)
            others_low = max(others_low, forms[MEAN, a] - start)
    ceiling += margin
    others_top -= margin
    queries, unsettled = all_queries(rule, counts), rule.policy == BUFAU
    n, total, squares = counts[QUERIES, arm], counts[SUMS, arm], counts[SQUARES, arm]
    mean, slope, first = forms[MEAN, arm], forms[SLOPE, arm], i
    while i <= e:
        radius, epsilon = table[SLOPES, i] * slope, table[EPSILON, i]
        if not mean + radius > ceiling:
            break
        level = epsilon + margin * (1.0 + epsilon)
        if rule.policy == GREEDY:
            if over_budget(rule, table[LOG, i], epsilon, queries + i - first) != 0:
                break
        elif not 2.0 * radius > level or (
            unsettled and not (mean - radius < others_top and mean + radius - others_low > level)
        ):
            break
        n += 1
        value = drawn_value(below, values, key, arm, n)
        total += value
        squares += value * value
        if n < TABLE_SIZE:
            mean, slope = total * inverse[0, n], inverse[1, n]
        else:
            mean, slope = total / (float(n) * rule.denominator), 1.0 / np.sqrt(float(n))
        i += 1
    counts[PLAYS, arm] += i - first
    counts[QUERIES, arm], counts[SUMS, arm], counts[SQUARES, arm] = n, total, squares
    forms[MEAN, arm], forms[SLOPE, arm] = mean, slope
    return i

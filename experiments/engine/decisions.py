"""One round of the four policies in certified doubles: a decision that no rounding can turn, or UNKNOWN.

Two bounds are ordered if they differ by more than the margin of the round; arms with equal counts and sums are real
ties and go to the tie-break; under a matching budget schedule widths and epsilon are compared as integers.
"""

# ruff: noqa: PLR0917, PLR1714 - compiled code takes its arrays one by one, and `in` makes a tuple there

from __future__ import annotations

import numpy as np

from bufalu.experiments.engine.arrays import (
    BERNSTEIN_BUDGET,
    BUFAU,
    CBM_UCB,
    CURVE,
    CURVES,
    EPSILON,
    GREEDY,
    HOEFFDING_BUDGET,
    LOG,
    MARGIN,
    MEAN,
    QUERIES,
    SLOPE,
    SLOPES,
    SQUARES,
    SUMS,
    UNKNOWN,
    Floats,
    Integers,
    Rule,
)
from bufalu.experiments.engine.compiled import inlined

RELATIVE = 2.0**-46
"""Bounds the relative rounding error of greedy's test, (B^q - K + 1) epsilon^2 against 6 K ln t."""


@inlined
def radius_at(table: Floats, forms: Floats, i: int, arm: int) -> float:
    """Half the width of the interval of `arm` in the round at offset i."""
    return float(table[SLOPES, i] * forms[SLOPE, arm] + table[CURVES, i] * forms[CURVE, arm])


@inlined
def twins(rule: Rule, counts: Integers, a: int, b: int) -> bool:
    """Whether two arms have the same interval in every round: a real tie."""
    if counts[QUERIES, a] != counts[QUERIES, b]:
        return False
    if rule.bernstein and counts[QUERIES, a] < 2:
        return True
    if counts[SUMS, a] != counts[SUMS, b]:
        return False
    return not rule.bernstein or counts[SQUARES, a] == counts[SQUARES, b]


@inlined
def largest(rule: Rule, counts: Integers, values: Floats, skip: int, margin: float) -> int:
    """The arm of largest value apart from `skip`, the tie-break's choice among real ties, or UNKNOWN."""
    best, runner, arm = -np.inf, -np.inf, -1
    for a in range(rule.arms):
        value = values[a] if a != skip else -np.inf
        better = value > best
        runner = max(runner, min(best, value))
        best = value if better else best
        arm = a if better else arm
    if best - runner > margin:
        return arm
    return among_close(rule, counts, values, skip, best - margin)


@inlined
def among_close(rule: Rule, counts: Integers, values: Floats, skip: int, least: float) -> int:
    """The tie-break's choice among the arms with a value of at least `least` if they are twins, else UNKNOWN."""
    chosen = -1
    for a in range(rule.arms):
        if a == skip or values[a] < least:
            continue
        if chosen < 0:
            chosen = a
        elif not twins(rule, counts, a, chosen):
            return UNKNOWN
        elif rule.last:
            chosen = a
    return chosen


@inlined
def exceeds(gap: float, epsilon: float, margin: float) -> int:
    """1 if gap > epsilon, 0 if gap <= epsilon, UNKNOWN where rounding could decide."""
    tolerance = margin * (1.0 + epsilon)
    if gap > epsilon + tolerance:
        return 1
    return 0 if gap < epsilon - tolerance else UNKNOWN


@inlined
def width_exceeds(rule: Rule, counts: Integers, arm: int, width: float, epsilon: float, margin: float) -> int:
    """`exceeds` for the width of one arm's interval, by integers where a budget schedule makes exact ties.

    Hoeffding: sqrt(6 ln t / n) > sqrt(6 K ln t / B) iff n K < B. Bernstein: equality iff n K = B and the variance is
    the largest possible, n / (4 (n - 1)).
    """
    n = counts[QUERIES, arm]
    if rule.matched == HOEFFDING_BUDGET:
        return 1 if n * rule.arms * rule.budget_denominator < rule.budget_numerator else 0
    if rule.matched == BERNSTEIN_BUDGET and n * rule.arms * rule.budget_denominator == rule.budget_numerator:
        full = n * rule.denominator
        if 4 * (n * counts[SQUARES, arm] - counts[SUMS, arm] * counts[SUMS, arm]) == full * full:
            return 0
    return exceeds(width, epsilon, margin)


@inlined
def wider(rule: Rule, counts: Integers, a: int, b: int, difference: float, margin: float) -> int:
    """Which of two arms has the wider interval, given radius(a) - radius(b); ties go to the tie-break."""
    low, high = min(a, b), max(a, b)
    tied = high if rule.last else low
    n, m = counts[QUERIES, a], counts[QUERIES, b]
    if not rule.bernstein:
        by_count = a if n < m else b
        return tied if n == m else by_count
    if n == m:
        left = n * counts[SQUARES, a] - counts[SUMS, a] * counts[SUMS, a]
        if n < 2 or left == n * counts[SQUARES, b] - counts[SUMS, b] * counts[SUMS, b]:
            return tied
    if difference > margin:
        return a
    return b if difference < -margin else UNKNOWN


@inlined
def all_queries(rule: Rule, counts: Integers) -> int:
    """B^q: the queries of all arms."""
    total = 0
    for a in range(rule.arms):
        total += counts[QUERIES, a]
    return total


@inlined
def over_budget(rule: Rule, log: float, epsilon: float, queries: int) -> int:
    """Greedy's test (l.1427): 1 if (B^q - K + 1) epsilon^2 > 6 K ln t, 0 if not, UNKNOWN where rounding decides."""
    overspend = queries - rule.arms + 1
    if rule.spends:
        return 1 if overspend * rule.budget_denominator > rule.budget_numerator else 0
    cost, budget = overspend * epsilon * epsilon, 6.0 * rule.arms * log
    if cost > budget + RELATIVE * (cost + budget):
        return 1
    return 0 if cost < budget - RELATIVE * (cost + budget) else UNKNOWN


@inlined
def best_mean(rule: Rule, counts: Integers) -> int:
    """The arm of largest empirical mean, exactly, by cross-multiplied integers."""
    arm = 0
    for a in range(1, rule.arms):
        left, right = counts[SUMS, a] * counts[QUERIES, arm], counts[SUMS, arm] * counts[QUERIES, a]
        if left > right or (left == right and rule.last):
            arm = a
    return arm


@inlined
def decide(rule: Rule, table: Floats, counts: Integers, forms: Floats, i: int, lower: Floats, upper: Floats) -> int:
    """2 * arm + query for the round at offset i, or UNKNOWN. `lower` and `upper` are room for the bounds."""
    margin, epsilon = table[MARGIN, i], table[EPSILON, i]
    if rule.policy == GREEDY:
        spent = over_budget(rule, table[LOG, i], epsilon, all_queries(rule, counts))
        if spent == UNKNOWN:
            return UNKNOWN
        if spent:
            return 2 * best_mean(rule, counts)
    for a in range(rule.arms):
        radius = radius_at(table, forms, i, a)
        lower[a] = forms[MEAN, a] - radius
        upper[a] = forms[MEAN, a] + radius
    if rule.policy == GREEDY or rule.policy == CBM_UCB:
        candidate = largest(rule, counts, upper, -1, margin)
        if candidate < 0 or rule.policy == GREEDY:
            return 2 * candidate + 1
        width = upper[candidate] - lower[candidate]
        query = width_exceeds(rule, counts, candidate, width, epsilon, margin)
        return UNKNOWN if query == UNKNOWN else 2 * candidate + query

    leader = largest(rule, counts, lower, -1, margin)
    if leader < 0:
        return UNKNOWN
    if rule.arms == 1:
        return 2 * leader
    challenger = largest(rule, counts, upper, leader, margin)
    if challenger < 0:
        return UNKNOWN
    apart = upper[challenger] - lower[leader]
    if apart < -margin:
        return 2 * leader
    if not apart > margin:
        return UNKNOWN
    if rule.policy == BUFAU:
        ahead = upper[challenger] - upper[leader]
        candidate = challenger if ahead > 0.0 else leader
        if not abs(ahead) > margin:
            candidate = largest(rule, counts, upper, -1, margin)
    else:
        difference = 0.5 * ((upper[challenger] - lower[challenger]) - (upper[leader] - lower[leader]))
        candidate = wider(rule, counts, challenger, leader, difference, margin)
    if candidate < 0:
        return UNKNOWN
    gap = upper[candidate] - lower[leader]
    if candidate == leader or twins(rule, counts, candidate, leader):
        query = width_exceeds(rule, counts, candidate, gap, epsilon, margin)
    else:
        query = exceeds(gap, epsilon, margin)
    if query == UNKNOWN:
        return UNKNOWN
    return 2 * candidate + 1 if query else 2 * leader

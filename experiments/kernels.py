"""The compiled rounds: the four policies on integers and certified doubles, with jumps over what cannot change.

A decision is taken here only if no rounding can turn it. Two bounds are ordered if they differ by more than the window's
`margin`; arms with equal counts and sums are real ties and go to the tie-break; under a matching budget schedule widths
and epsilon are compared as integers. Anything else stops the seed (`waiting`), and the caller decides that round with
the exact reference. All compiled code is in this file, because the compiler's cache looks at one file only.
"""

from __future__ import annotations

import numpy as np

from bufalu.experiments.arrays import (
    BERNSTEIN_BUDGET,
    BUFALU,
    BUFAU,
    CBM_UCB,
    CURVE,
    CURVES,
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
    Rewards,
    Rule,
    Seeds,
    Window,
    Words,
)
from bufalu.experiments.compiled import compiled, inlined

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
SHIFT_30, SHIFT_27, SHIFT_31, SHIFT_1 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(1)

UNKNOWN = -1
RUN = 64
"""A run of queries of one arm is certified for this many rounds at a time."""

RELATIVE = 2.0**-46
"""Bounds the relative rounding error of greedy's test, (B^q - K + 1) epsilon^2 against 6 K ln t."""


@inlined
def draw_bits(key: np.uint64, count: int) -> np.uint64:
    """The 63 bits of draw number `count` (from 1) of the stream `key` (SplitMix64's output function)."""
    word = key + np.uint64(count) * GOLDEN
    word = (word ^ (word >> SHIFT_30)) * FIRST_FACTOR
    word = (word ^ (word >> SHIFT_27)) * SECOND_FACTOR
    return (word ^ (word >> SHIFT_31)) >> SHIFT_1


@inlined
def radius_at(table: Floats, forms: Floats, i: int, arm: int) -> float:
    """Half the width of the interval of `arm` in the round at offset i."""
    return table[SLOPES, i] * forms[SLOPE, arm] + table[CURVES, i] * forms[CURVE, arm]


@inlined
def record(
    rule: Rule, below: Words, values: Integers, inverse: Floats, keys: Words, counts: Integers, forms: Floats, arm: int
) -> None:
    """Queries `arm`: draws its next reward and renews what its interval is made of."""
    n = counts[QUERIES, arm] + 1
    bits = draw_bits(keys[arm], n)
    which = 0
    while bits >= below[arm, which]:
        which += 1
    value = values[arm, which]
    total = counts[SUMS, arm] + value
    counts[QUERIES, arm] = n
    counts[SUMS, arm] = total
    counts[SQUARES, arm] += value * value
    if n < TABLE_SIZE:
        forms[MEAN, arm] = total * inverse[0, n]
    else:
        forms[MEAN, arm] = total / (float(n) * rule.denominator)
    if not rule.bernstein:
        forms[SLOPE, arm] = inverse[1, n] if n < TABLE_SIZE else 1.0 / np.sqrt(float(n))
    elif n >= 2:
        scatter = n * counts[SQUARES, arm] - total * total
        scale = float(n) * float(n) * float(n - 1) * float(rule.denominator) * float(rule.denominator)
        forms[SLOPE, arm] = np.sqrt(float(scatter) / scale)
        forms[CURVE, arm] = 1.0 / float(n - 1)
    else:
        forms[SLOPE, arm] = np.inf
        forms[CURVE, arm] = np.inf


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
        value = values[a]
        if a == skip:
            continue
        if arm < 0 or value > best:
            runner, best, arm = best, value, a
        elif value > runner:
            runner = value
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
        if n == m:
            return tied
        return a if n < m else b
    if n == m:
        left = n * counts[SQUARES, a] - counts[SUMS, a] * counts[SUMS, a]
        if n < 2 or left == n * counts[SQUARES, b] - counts[SUMS, b] * counts[SUMS, b]:
            return tied
    if difference > margin:
        return a
    return b if difference < -margin else UNKNOWN


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


@inlined
def all_queries(rule: Rule, counts: Integers) -> int:
    """B^q: the queries of all arms."""
    total = 0
    for a in range(rule.arms):
        total += counts[QUERIES, a]
    return total


@inlined
def over_budget(rule: Rule, log: float, epsilon: float, queries: int) -> int:
    """Greedy's test (l.1424): 1 if (B^q - K + 1) epsilon^2 > 6 K ln t, 0 if not, UNKNOWN where rounding decides."""
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
        if forms[MEAN, a] + start > rival_start:
            rival, rival_start = a, forms[MEAN, a] + start
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
        return narrow or 2.0 * own_end < floor - tolerance
    if second < lowest - margin:
        return True
    if not leads:
        return False
    if rule.policy == BUFAU:
        return (narrow and above) or max(second, highest) - lowest < floor - tolerance
    if not tops(rule, table, counts, forms, rival, arm, i, e):
        return False
    rival_end = radius_at(table, forms, e, rival)
    rival_gap = forms[MEAN, rival] + rival_end - lowest
    if rule.bernstein or counts[QUERIES, rival] == counts[QUERIES, arm]:
        return max(rival_gap, highest - lowest) < floor - tolerance
    if counts[QUERIES, rival] < counts[QUERIES, arm]:
        return rival_gap < floor - tolerance
    return narrow or highest - lowest < floor - tolerance


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
def run_end(rule: Rule, table: Floats, below: Words, values: Integers, inverse: Floats, keys: Words, counts: Integers,
        forms: Floats, arm: int, i: int) -> int:
    """Goes on querying `arm` while it certainly has the largest upper bound and the query rule certainly asks."""
    length = table.shape[1]
    while i < length:
        e = min(i + RUN, length) - 1
        margin = table[MARGIN, e]
        ceiling, others_top, others_low = -np.inf, -np.inf, -np.inf
        for a in range(rule.arms):
            if a == arm:
                continue
            start = radius_at(table, forms, i, a)
            ceiling = max(ceiling, forms[MEAN, a] + radius_at(table, forms, e, a))
            others_top = max(others_top, forms[MEAN, a] + start)
            others_low = max(others_low, forms[MEAN, a] - start)
        queries = all_queries(rule, counts)
        while i <= e:
            radius = radius_at(table, forms, i, arm)
            mean, epsilon = forms[MEAN, arm], table[EPSILON, i]
            if not mean + radius > ceiling + margin:
                return i
            level = epsilon + margin * (1.0 + epsilon)
            if rule.policy == GREEDY:
                if over_budget(rule, table[LOG, i], epsilon, queries) != 0:
                    return i
                queries += 1
            elif rule.policy == CBM_UCB:
                if not 2.0 * radius > level:
                    return i
            elif not mean - radius < others_top - margin:
                return i
            elif not mean + radius - max(mean - radius, others_low) > level:
                return i
            counts[PLAYS, arm] += 1
            record(rule, below, values, inverse, keys, counts, forms, arm)
            i += 1
    return i


@compiled
def advance(rule: Rule, window: Window, rewards: Rewards, seeds: Seeds) -> None:
    """Plays every seed to the end of the window, or to the first round that only exact arithmetic can decide."""
    # Arrays are taken out of their tuples once: doing it in the loop costs a reference count each time.
    table, floor, level_start = window.table, window.floor, window.level_start
    below, values, inverse = rewards.below, rewards.values, rewards.inverse
    lower, upper = seeds.scratch[0], seeds.scratch[1]
    for s in range(seeds.next_round.size):
        if seeds.waiting[s]:
            continue
        counts, forms, keys = seeds.counts[s], seeds.forms[s], seeds.keys[s]
        i = seeds.next_round[s] - window.start
        forced, forced_query = seeds.forced_arm[s], seeds.forced_query[s]
        seeds.forced_arm[s] = -1
        while i < table.shape[1]:
            if forced >= 0:
                arm, query, forced = forced, forced_query, -1
            elif window.start + i <= rule.arms:
                arm, query = window.start + i - 1, 1
            else:
                choice = decide(rule, table, counts, forms, i, lower, upper)
                if choice < 0:
                    seeds.waiting[s] = 1
                    break
                arm, query = choice >> 1, choice & 1
            counts[PLAYS, arm] += 1
            i += 1
            if query:
                record(rule, below, values, inverse, keys, counts, forms, arm)
                if rule.jumps and rule.policy != BUFALU and window.start + i > rule.arms:
                    i = run_end(rule, table, below, values, inverse, keys, counts, forms, arm, i)
            elif rule.jumps:
                i = jump(rule, table, floor, level_start, counts, forms, arm, i)
        seeds.next_round[s] = window.start + i

"""The exact worst case of the number of queries of one arm, beside the paper's cap (l.421, l.856).

After n queries an arm is queried in round t only if its width exceeds epsilon(t) (l.877), hence only if n < g(t), the
uncapped N^as(t, epsilon(t)). So the queries of an arm never exceed

    m_K = 1,   m_t = m_{t-1} + 1 if m_{t-1} < g(t), else m_{t-1}.

If g never falls, put c(K) = 1 and c(s) = max{1, ceil g(s)}: then m_T is the minimum over K <= s <= T of c(s) + T - s; on
a block a..b of rounds s the summand is at least c(a) + T - b. If g never rises, growth stops for good at the first t > K
with t - K >= g(t). docs/bounds.md has the proofs.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy

from bufalu.bounds.enclosures import Enclosure
from bufalu.bounds.epsilons import check_question, first_round, in_doubles
from bufalu.bounds.maxima import SAFE_DOUBLES, count_direction
from bufalu.bounds.regularity import ROUNDING, SampleRule
from bufalu.reference.epsilon_shapes import Direction
from bufalu.reference.exact import Exact
from bufalu.reference.schedules import Schedule


def exact_query_cap(rule: SampleRule, schedule: Schedule, arms: int, horizon: int) -> int:
    """m_T, the largest number of queries of one arm that N^as lets happen within T rounds.

    A bound for every run; with Hoeffding's interval and a budget it is attained (docs/bounds.md). With Bernstein's the
    rule is N_2^as, the widest interval that rewards in [0, 1] allow. T <= K gives 1: each arm was queried at most once.
    """
    check_question(schedule, arms, horizon)
    if horizon <= arms:
        return 1
    way = count_direction(rule, schedule, arms)
    if way is Direction.UNKNOWN:
        return recurrence(rule, schedule, arms, horizon)
    if way is Direction.NONINCREASING:
        stop = first_round(lambda t: not rule.exceeds(t - arms, t, schedule.at(t, arms)), arms + 1, horizon)
        return stop - arms
    return _smallest_over_blocks(lambda t: samples_rounded_up(rule, schedule.at(t, arms), t, horizon), arms, horizon)


def samples_rounded_up(rule: SampleRule, epsilon: Exact, round_number: int, limit: int) -> int:
    """max{1, ceil N(t, epsilon)}, cut at `limit` + 1, decided exactly: the smallest n >= 1 with n >= N."""
    count = Enclosure.of(rule.count(round_number, epsilon))
    if count.is_infinite or count.lower > limit:
        return limit + 1
    # Not above the answer, since the lower end is not above N; hardly ever below it.
    candidate = max(1, math.ceil(count.lower))
    while rule.exceeds(candidate, round_number, epsilon):
        candidate += 1
    return candidate


def _smallest_over_blocks(rounded: Callable[[int], int], arms: int, horizon: int) -> int:
    """min over K <= s <= T of c(s) + T - s for a nondecreasing c with c(K) = 1."""
    best = min(1 + horizon - arms, rounded(horizon))
    blocks = [(arms + 1, horizon - 1)]
    while blocks:
        first, last = blocks.pop()
        if first > last:
            continue
        value = rounded(first)
        if value + horizon - last >= best:
            continue
        best = min(best, value + horizon - first)
        middle = (first + 1 + last) // 2
        blocks += [(first + 1, middle), (middle + 1, last)]
    return best


def recurrence(rule: SampleRule, schedule: Schedule, arms: int, horizon: int) -> int:
    """m_T by walking through the rounds, for any schedule: doubles answer first, exact comparisons the rest."""
    if horizon <= arms:
        return 1
    epsilons, error = in_doubles(schedule, arms, horizon)
    rounds = numpy.arange(1, horizon + 1, dtype=numpy.float64)
    low, high = SAFE_DOUBLES
    with numpy.errstate(divide="ignore", invalid="ignore", over="ignore"):
        counts = rule.doubles(rounds, epsilons)
    slack = 4 * (ROUNDING + 4 * error)
    trusted = (epsilons > low) & (epsilons < high) & numpy.isfinite(counts)
    surely = numpy.where(trusted, counts * (1 - slack), -1.0).tolist()
    possibly = numpy.where(trusted, counts * (1 + slack), math.inf).tolist()
    queries = 1
    for round_number in range(arms + 1, horizon + 1):
        if queries >= possibly[round_number - 1]:
            continue
        if queries < surely[round_number - 1] or rule.exceeds(queries, round_number, schedule.at(round_number, arms)):
            queries += 1
    return queries


def all_queries(cap: int, arms: int, horizon: int) -> int:
    """min{T, K m_T}, m_T the `cap` of one arm: the queries of all arms together never exceed it, on any run.

    For a budget schedule with the interval that it is made for, this is min{T, K max{1, ceil(B(T)/K)}}. It is at most
    B(T) only if K divides B(T) >= K: "never violated" (l.416) is off by the initial rounds and by rounding up
    (erratum E13), though B(T) + K of l.441 is never reached once B(T) >= K.
    """
    return min(horizon, arms * cap)

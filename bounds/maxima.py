"""N-bar: the largest sample count over the rounds 1..T (l.411, l.850), in closed form where one is proved.

`LevelRule` says which level the count is taken at, given epsilon(t): the paper's max{level, epsilon}, or the sharper
max{(gap + epsilon)/2, epsilon}. Closed forms:

* epsilon(t) never rises: N rises with t and falls with the level, so it never falls, and the maximum is at T.
* epsilon(t) / sqrt(ln t) never rises, as for sqrt(6 K ln t / B), and N is a rising function of ln t / epsilon^2 and
  ln t / epsilon, which it is not for the interval of l.1644 and for pairs: then it never falls either (l.1141, l.1230).
* epsilon = a sqrt(ln t) + b ln t, as for the Bernstein budget: the rule says which way N goes (`SampleRule.direction`). With
  Bernstein's interval and budget it never falls. With Hoeffding's, while epsilon(t) is below the gap or level, N never
  falls; from then on N(t, epsilon(t)) never rises, and the maximum of its minimum with t - 1 is where the two cross.

All other sequences are walked through: doubles find the few rounds that can be largest, certified balls decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy

from bufalu.bounds.enclosures import INFINITE, Enclosure, Truth, largest
from bufalu.bounds.epsilons import check_question, first_round, in_doubles
from bufalu.bounds.growths import Doubles
from bufalu.bounds.regularity import ROUNDING, Count, SampleRule
from bufalu.reference.epsilon_shapes import Direction
from bufalu.reference.exact import Exact
from bufalu.reference.rationals import Rational
from bufalu.reference.schedules import Schedule

MOST_REFINED = 2000
"""Up to this many nearly equal rounds are evaluated with balls; beyond, the doubles' error bound is the enclosure."""

SAFE_DOUBLES = (1e-100, 1e100)
"""Levels outside of this range would leave the range in which the error analysis of doubles holds."""


@dataclass(frozen=True)
class LevelRule:
    """The level of a count as a function of epsilon(t): max{level, epsilon}, or the sharper form with a divisor.

    That is max{min{level, (level + epsilon)/divisor}, epsilon}, with divisor 2 for BuFALU, where the inner minimum
    plays no role, and 1 + rho for the dial.
    """

    level: Rational
    divisor: Rational | None = None

    def at(self, epsilon: Exact) -> Exact:
        """The level at this epsilon (l.850)."""
        own = Exact.of(self.level)
        if self.divisor is not None and not epsilon.is_infinite:
            own = min(own, Exact.of(1 / Fraction(self.divisor)) * (own + epsilon))
        return max(own, epsilon)

    def doubles(self, epsilon: Doubles) -> Doubles:
        """The level of many rounds in doubles, from the epsilon of each."""
        own = float(self.level)
        if self.divisor is None:
            return numpy.maximum(own, epsilon)
        return numpy.maximum(numpy.minimum(own, (own + epsilon) / float(self.divisor)), epsilon)


@dataclass(frozen=True)
class Largest:
    """The largest count, a round that attains it, and epsilon there."""

    count: Count
    round: int
    epsilon: Exact


def capped(rule: SampleRule, level: Exact, round_number: int) -> Count:
    """min{N(t, level), t - 1}, exact where the minimum is rational (l.1139)."""
    return _smaller(rule.count(round_number, level), round_number - 1)


def largest_count(
    rule: SampleRule, level: LevelRule, schedule: Schedule, arms: int, horizon: int, *, cap: bool = True
) -> Largest:
    """max over t = 1..T of min{N(t, level(t)), t - 1}, or of N(t, level(t)) alone without `cap` (l.411, l.850)."""
    check_question(schedule, arms, horizon)

    def at(round_number: int) -> Largest:
        epsilon = schedule.at(round_number, arms)
        wanted = level.at(epsilon)
        count = capped(rule, wanted, round_number) if cap else rule.count(round_number, wanted)
        return Largest(count, round_number, epsilon)

    way = count_direction(rule, schedule, arms)
    if way is Direction.UNKNOWN:
        return walked_maximum(rule, level, schedule, arms, horizon, cap=cap)
    if way is Direction.NONDECREASING:
        return at(horizon)
    below = Exact.of(level.level)
    switch = first_round(lambda t: schedule.at(t, arms) >= below, 1, horizon)
    candidates = {max(1, switch - 1), min(switch, horizon)}
    if cap and switch < horizon:
        crossing = first_round(partial(_cap_is_larger, rule, schedule, arms), max(2, switch), horizon)
        candidates |= {max(switch, crossing - 1), min(crossing, horizon)}
    elif switch == 1 < horizon:
        candidates.add(2)  # N is 0 at t = 1, where there is nothing to count
    return best_of([at(round_number) for round_number in sorted(candidates)])


def count_direction(rule: SampleRule, schedule: Schedule, arms: int) -> Direction:
    """Which way N(t, epsilon(t)) is known to go; where it falls, epsilon rises (see the module's first lines)."""
    if schedule.direction(arms) is Direction.NONINCREASING:
        return Direction.NONDECREASING
    shape = schedule.shape(arms)
    if shape is None:
        return Direction.UNKNOWN
    if all(term.degree <= 1 for term in shape.terms):
        return Direction.NONDECREASING if rule.follows_log else Direction.UNKNOWN
    level = shape.log_polynomial
    return Direction.UNKNOWN if level is None else rule.direction(level)


def _cap_is_larger(rule: SampleRule, schedule: Schedule, arms: int, round_number: int) -> bool:
    """Whether N(t, epsilon(t)) <= t - 1, decided exactly."""
    return not rule.exceeds(round_number - 1, round_number, schedule.at(round_number, arms))


def best_of(candidates: list[Largest]) -> Largest:
    """The candidate with the largest count; where balls do not decide, the count encloses all that may be it."""
    best = candidates[0]
    for candidate in candidates[1:]:
        verdict = Enclosure.of(candidate.count) > best.count
        if verdict is Truth.TRUE:
            best = candidate
        elif verdict is Truth.UNDECIDED:
            best = Largest(largest([best.count, candidate.count]), best.round, best.epsilon)
    return best


def walked_maximum(
    rule: SampleRule, level: LevelRule, schedule: Schedule, arms: int, horizon: int, *, cap: bool = True
) -> Largest:
    """The maximum of `SampleRule.count` over all rounds by walking through them, for any sequence of epsilons.

    Doubles find the rounds that can attain it. Those that doubles cannot judge (levels outside of `SAFE_DOUBLES`) are
    left to the balls; a level below the range asks for so many samples that the cap t - 1 is the exact answer.
    """
    epsilons, error = in_doubles(schedule, arms, horizon)
    rounds = numpy.arange(1, horizon + 1, dtype=numpy.float64)
    levels = level.doubles(epsilons)
    low, high = SAFE_DOUBLES
    with numpy.errstate(divide="ignore", invalid="ignore", over="ignore"):
        counts = rule.doubles(rounds, levels)
    doubtful = ~((levels > low) & (levels < high))
    if cap:
        doubtful &= ~(levels <= low)
        counts = numpy.where(levels <= low, rounds - 1, numpy.minimum(counts, rounds - 1))
    counts[0], doubtful[0] = 0.0, False  # N is 0 at t = 1
    settled = numpy.where(doubtful, 0.0, counts)
    peak, slack = float(settled.max()), 4 * (ROUNDING + 4 * error)
    chosen = (numpy.flatnonzero((settled >= peak * (1 - slack)) | doubtful) + 1).tolist()
    if len(chosen) > MOST_REFINED and not doubtful.any() and peak > 0:
        attained = int(numpy.argmax(settled)) + 1
        ends = Fraction(peak) * (1 - Fraction(slack)), Fraction(peak) * (1 + Fraction(slack))
        return Largest(Enclosure.between(*ends), attained, schedule.at(attained, arms))
    found: list[Largest] = []
    for round_number in chosen:
        epsilon = schedule.at(round_number, arms)
        wanted = level.at(epsilon)
        count = capped(rule, wanted, round_number) if cap else rule.count(round_number, wanted)
        found.append(Largest(count, round_number, epsilon))
        if count is INFINITE:
            break
    return best_of(found)


def _smaller(count: Count, limit: int) -> Count:
    verdict = Enclosure.of(count) <= limit
    if verdict is Truth.UNDECIDED:
        # Only an enclosure can be undecided, and then the limit lies within its width of the truth.
        return Enclosure.of(count) if isinstance(count, Enclosure) else min(count, limit)
    return count if verdict is Truth.TRUE else limit

"""What the theorems ask of an epsilon schedule: how often it exceeds a level, its inverse, its sum (l.411-435).

A schedule with terms is searched by bisection with exact comparisons where it is known to rise or to fall, and summed in
closed form term by term; what remains, and any other sequence, is walked through once, in doubles first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TypeAlias

import numpy
from numpy.typing import NDArray

from bufalu.bounds.enclosures import Enclosure, Number, remembered, total
from bufalu.bounds.errors import NeedsPath, OutsideDomain, TooLong
from bufalu.bounds.smooth_sums import sum_of_powers
from bufalu.reference.epsilon_shapes import Direction
from bufalu.reference.exact import Exact
from bufalu.reference.radicals import RadicalTerm
from bufalu.reference.rationals import Rational, nearest_float, rational
from bufalu.reference.schedules import Schedule

MOST_ROUNDS = 20_000_000
"""How many rounds of an arbitrary sequence are walked through before giving up."""

LARGEST_INVERSE = 10**300
"""epsilon^-1 is not sought beyond this round: the doubles that filter comparisons end there."""

TRUSTED = 2.0**-44
"""Relative error up to which the double of an exact number is used as a filter."""

# The candidates of a plan share their schedules.
sum_of_powers_once = remembered(sum_of_powers)

LEAST_DOUBLE = 1e-250
"""A double of a schedule below this may have lost digits to underflow, and is not used."""

Doubles: TypeAlias = NDArray[numpy.float64]


def as_enclosure(value: Exact) -> Enclosure:
    """The exact number, term by term, at the precision in force; raises `OutsideDomain` for -infinity."""
    if value.is_infinite:
        return Enclosure.of(value.approximation)
    form = value.form()
    logarithm = Enclosure.of(max(form.round, 1)).log()
    parts: list[Enclosure] = []
    for term in form.terms:
        part = Enclosure.of(term.coefficient) * Enclosure.of(term.radicand).sqrt()
        if term.exponent:
            part = part * Enclosure.of(form.round).power(term.exponent)
        if term.degree:
            part = part * logarithm.power(Fraction(term.degree, 2))
        if term.variant_degree:
            part = part * (logarithm + 3 * logarithm.log()).power(Fraction(term.variant_degree, 2))
        for other, power in term.logs:
            part = part * Enclosure.of(other).log().power(Fraction(power, 2))
        parts.append(part)
    return total(parts)


def check_question(schedule: Schedule, arms: int, horizon: int) -> None:
    """Raises `OutsideDomain` unless K >= 1 and T >= 1, and `NeedsPath` for an epsilon that depends on the history."""
    if arms < 1 or horizon < 1:
        raise OutsideDomain(f"bounds need at least one arm and one round, not K = {arms} and T = {horizon}")
    if schedule.adaptive:
        raise NeedsPath("epsilon depends on the history: give the epsilons of a run to `run_bounds`")


def rounds_at_least(schedule: Schedule, arms: int, horizon: int, level: Rational) -> int:
    """L_epsilon(T, level): how many of the rounds 1..T have epsilon(t) >= level, decided exactly (l.411)."""
    check_question(schedule, arms, horizon)
    threshold = Exact.of(level)

    def reaches(round_number: int) -> bool:
        return schedule.at(round_number, arms) >= threshold

    if schedule.direction(arms) is Direction.NONDECREASING:
        return horizon + 1 - first_round(reaches, 1, horizon)
    turn = min(falls_from(schedule, arms) or horizon + 1, horizon + 1)
    falling = first_round(lambda t: not reaches(t), turn, horizon) - turn
    return falling if turn == 1 else falling + _walked_count(schedule, arms, turn - 1, level)


def falls_from(schedule: Schedule, arms: int) -> int | None:
    """A round from which epsilon is known never to rise, if there is one."""
    shape = schedule.shape(arms)
    if shape is not None:
        return shape.falls_from
    return 1 if schedule.direction(arms) is Direction.NONINCREASING else None


def first_round(wanted: Callable[[int], bool], first: int, last: int) -> int:
    """The first round of first..last with a property that stays once it holds; last + 1 when it never does."""
    low, high = first, last + 1
    while low < high:
        middle = (low + high) // 2
        if wanted(middle):
            high = middle
        else:
            low = middle + 1
    return low


def inverse(schedule: Schedule, arms: int, level: Rational) -> int | None:
    """epsilon^-1(level) = sup{t >= 1: epsilon(t) >= level}, 0 over nothing, None when infinite (l.414).

    For a list of values the supremum is over the rounds that it gives. Raises `TooLong` where the answer lies beyond
    `LARGEST_INVERSE`, and `NeedsPath` or `TooLong` for schedules that only a run or an endless search could answer.
    """
    check_question(schedule, arms, 1)
    if schedule.listed is not None:
        return max((t for t, value in enumerate(schedule.listed, start=1) if value >= level), default=0)
    threshold = Exact.of(level)
    shape, turn = schedule.shape(arms), falls_from(schedule, arms)
    if level == 0 or (shape is not None and shape.limit >= threshold):
        return None
    if turn is None:
        raise TooLong("the inverse of an arbitrary endless schedule cannot be found by search")
    reach = turn
    while schedule.at(reach, arms) >= threshold:
        if reach > LARGEST_INVERSE:
            raise TooLong(f"epsilon stays above the level beyond round {LARGEST_INVERSE:.0e}")
        reach *= 2
    last = first_round(lambda t: schedule.at(t, arms) < threshold, turn, reach)
    while last and schedule.at(last, arms) < threshold:  # more than once only before the turn
        last -= 1
    return last


def sum_of_epsilon(schedule: Schedule, arms: int, horizon: int) -> Number:
    """The sum of epsilon(t) over the rounds K < t <= T in which it is used (l.435, whose sum starts at 1)."""
    check_question(schedule, arms, horizon)
    if horizon <= arms:
        return 0
    if schedule.listed is not None:
        schedule.at(horizon, arms)  # refuses a list that is too short
        return _rational_sum(schedule.listed[arms:horizon])
    shape = schedule.shape(arms)
    if shape is None:
        return _walked_sum(schedule, arms, horizon)
    whole = [_sum_of_term(term, arms + 1, horizon) for term in shape.terms]
    if all(isinstance(part, int | Fraction) for part in whole):
        return rational(sum((Fraction(part) for part in whole if not isinstance(part, Enclosure)), Fraction(0)))
    return total(whole)


def _sum_of_term(term: RadicalTerm, first: int, last: int) -> Number:
    """The sum of one term over the rounds first..last."""
    if not term.exponent and not term.degree and term.radicand == 1:
        return term.coefficient * (last - first + 1)
    factor = Enclosure.of(term.coefficient) * Enclosure.of(term.radicand).sqrt()
    return factor * sum_of_powers_once(term.exponent, Fraction(term.degree, 2), first, last)


def walk(schedule: Schedule, arms: int, horizon: int, first: int = 1) -> Iterator[Exact]:
    """epsilon(first), ..., epsilon(T)."""
    return (schedule.at(round_number, arms) for round_number in range(first, horizon + 1))


class _Recent:
    """The doubles of the schedule that was asked for last: one question walks through the same rounds many times."""

    question: tuple[Schedule, int, int] | None = None
    answer: tuple[Doubles, float]


def in_doubles(schedule: Schedule, arms: int, horizon: int) -> tuple[Doubles, float]:
    """epsilon(1..T) as doubles, and a bound on their relative errors; NaN where no double is worth trusting."""
    known = _Recent.question
    if known is None or known[0] is not schedule or known[1:] != (arms, horizon):
        _Recent.answer = _doubles(schedule, arms, horizon)
        _Recent.answer[0].flags.writeable = False
        _Recent.question = (schedule, arms, horizon)
    return _Recent.answer


def _doubles(schedule: Schedule, arms: int, horizon: int) -> tuple[Doubles, float]:
    if schedule.listed is not None:
        schedule.at(horizon, arms)  # refuses a list that is too short
        values = numpy.fromiter(map(nearest_float, schedule.listed[:horizon]), dtype=numpy.float64, count=horizon)
        return values, 2.0**-53
    if horizon > MOST_ROUNDS:
        raise TooLong(f"an arbitrary schedule is walked through for at most {MOST_ROUNDS} rounds, not {horizon}")
    shape = schedule.shape(arms)
    if shape is not None and shape.relative_error is not None:
        rounds = numpy.arange(1, horizon + 1, dtype=numpy.float64)
        with numpy.errstate(divide="ignore"):
            found: Doubles = shape.doubles(rounds, numpy.log(rounds))
        found[found < LEAST_DOUBLE] = numpy.nan
        found[:1] = schedule.at(1, arms).approximation
        return found, shape.relative_error
    numbers = numpy.empty((horizon, 2), dtype=numpy.float64)
    for position, number in enumerate(walk(schedule, arms, horizon)):
        numbers[position] = number.approximation, number.error
    approximations, errors = numbers[:, 0].copy(), numbers[:, 1]
    approximations[errors > numpy.abs(approximations) * TRUSTED] = numpy.nan
    return approximations, TRUSTED


def _walked_count(schedule: Schedule, arms: int, horizon: int, level: Rational) -> int:
    """L_epsilon of any sequence: doubles answer unless they are too close to the level, then exact numbers do."""
    approximations, error = in_doubles(schedule, arms, horizon)
    slack = 4 * max(error, 2.0**-52)
    nearest = nearest_float(level)
    above = approximations > nearest * (1 + slack) + 5e-324
    below = approximations < nearest * (1 - slack) - 5e-324
    threshold = Exact.of(level)
    close = (numpy.flatnonzero(~(above | below)) + 1).tolist()
    if schedule.listed is not None:
        exact = sum(1 for round_number in close if schedule.listed[round_number - 1] >= level)
    else:
        exact = sum(1 for round_number in close if schedule.at(round_number, arms) >= threshold)
    return int(numpy.count_nonzero(above)) + exact


def _walked_sum(schedule: Schedule, arms: int, horizon: int) -> Enclosure:
    """The sum of any sequence after round K: `fsum` rounds once, and each double is off by its error bound."""
    approximations, error = in_doubles(schedule, arms, horizon)
    used = approximations[arms:]
    trusted = used[~numpy.isnan(used)].tolist()
    middle = Fraction(math.fsum(trusted))
    spread = middle * Fraction(2 * error)  # the terms are not negative, so errors add up to at most this
    doubtful = (numpy.flatnonzero(numpy.isnan(used)) + arms + 1).tolist()
    rest = total(as_enclosure(schedule.at(round_number, arms)) for round_number in doubtful)
    return Enclosure.between(middle - spread, middle + spread) + rest


def _rational_sum(values: tuple[Rational, ...]) -> Number:
    """The exact sum while denominators stay short, certified balls otherwise."""
    whole, rest = 0, Enclosure.of(0)
    dyadic: dict[int, int] = {}
    for value in values:
        denominator = value.denominator
        if denominator == 1:
            whole += value.numerator
        elif denominator in dyadic or len(dyadic) < 64:
            dyadic[denominator] = dyadic.get(denominator, 0) + value.numerator
        else:
            rest = rest + value
    exact = whole + sum((Fraction(top, bottom) for bottom, top in dyadic.items()), Fraction(0))
    return exact if rest.is_zero else rest + exact

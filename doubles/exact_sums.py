"""Exact sums of doubles and of their squares, vectorised: what carries the state from one block to the next."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from bufalu.doubles.blocks import Answers, Floats, Integers
from bufalu.reference.rationals import Rational, rational
from bufalu.reference.state import ArmRecord, State

_GRAIN = 2.0**20
_SQUARE_GRAIN = 2.0**10
_LOW_BITS = 27
_RUN = 256


def on_grid(values: Floats, grain: float) -> bool:
    """Whether all values are multiples of 1/grain, so that sums of fewer than 2^32 of them in [0, 1] are exact."""
    scaled = values * grain
    return bool(np.all(scaled == np.floor(scaled)))


def exact_sum(values: Floats) -> Rational:
    """The sum of doubles in [0, 1] (fewer than 2^32 of them), without rounding."""
    if on_grid(values, _GRAIN):
        return rational(Fraction(float(np.sum(values))))
    total = Fraction(0)
    for mantissas, exponent in _by_exponent(values):
        high, low = mantissas >> _LOW_BITS, mantissas & ((1 << _LOW_BITS) - 1)
        whole = (int(high.sum()) << _LOW_BITS) + int(low.sum())
        total += whole * Fraction(2) ** (exponent - 53)
    return rational(total)


def exact_sum_of_squares(values: Floats) -> Rational:
    """The sum of the squares of doubles in [0, 1] (fewer than 2^32 of them), without rounding."""
    if on_grid(values, _SQUARE_GRAIN):
        return rational(Fraction(float(np.sum(values * values))))
    total = Fraction(0)
    for mantissas, exponent in _by_exponent(values):
        high, low = mantissas >> _LOW_BITS, mantissas & ((1 << _LOW_BITS) - 1)
        # high < 2^26, low < 2^27: runs of 2^8 products stay below 2^63.
        whole = (
            (_in_runs(high * high) << 2 * _LOW_BITS) + (_in_runs(2 * high * low) << _LOW_BITS) + _in_runs(low * low)
        )
        total += whole * Fraction(2) ** (2 * exponent - 106)
    return rational(total)


def _by_exponent(values: Floats) -> list[tuple[Integers, int]]:
    """The integer mantissas (below 2^53) of nonzero values, grouped by binary exponent."""
    fractions, exponents = np.frexp(values[values != 0])
    mantissas = (fractions * 2.0**53).astype(np.int64)
    return [(mantissas[exponents == exponent], int(exponent)) for exponent in np.unique(exponents)]


def _in_runs(values: Integers) -> int:
    starts = np.arange(0, len(values), _RUN)
    return sum(int(part) for part in np.add.reduceat(values, starts)) if len(values) else 0


def longest_sum(state: State) -> int:
    """The bits of the longest denominator of a sum of rewards."""
    return max(record.total.denominator.bit_length() for record in state.records)


def state_after(state: State, answers: Answers, with_squares: bool) -> State:
    """The exact state after these answers; squares are left alone unless they are needed."""
    after = state.copy()
    for arm in np.unique(answers.arm):
        mine = answers.reward[answers.arm == arm]
        record = state.records[int(arm) - 1]
        squares = exact_sum_of_squares(mine) if with_squares else 0
        after.records[int(arm) - 1] = ArmRecord(
            record.queries + len(mine), record.total + exact_sum(mine), record.squares + squares
        )
    for arm, reward, rounded, times in _beyond_doubles(answers):
        record = after.records[arm - 1]
        correction = times * (reward * reward - rounded * rounded) if with_squares else 0
        after.records[arm - 1] = ArmRecord(
            record.queries, record.total + times * (reward - rounded), record.squares + correction
        )
    after.all_queries += len(answers)
    return after


def _beyond_doubles(answers: Answers) -> list[tuple[int, Rational, Rational, int]]:
    """The rewards that no double holds: arm, reward, the double in its place, and how often.

    What is one object counts as one: a source that repeats its rewards, stars on a scale say, shares them.
    """
    if not answers.exact_rewards:
        return []
    times: dict[tuple[int, int], int] = {}
    first: dict[tuple[int, int], int] = {}
    for index, (number, arm) in enumerate(zip(answers.asked.tolist(), answers.arm.tolist(), strict=True)):
        reward = answers.exact_rewards.get(number)
        if reward is not None:
            key = arm, id(reward)
            times[key] = times.get(key, 0) + 1
            first.setdefault(key, index)
    return [
        (arm, answers.exact_reward(index), rational(float(answers.reward[index])), times[arm, same])
        for (arm, same), index in first.items()
    ]

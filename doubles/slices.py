"""A trace taken block by block: slices that arrays can hold, each with the exact state before it and the answers in it.

The state is carried from one slice to the next by exact sums of doubles and of their squares, vectorised.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from bufalu.doubles.blocks import NO_ANSWERS, Answers, Block, Floats, Integers
from bufalu.reference.exact import Exact
from bufalu.reference.rationals import Rational, rational
from bufalu.reference.schedules import Schedule
from bufalu.reference.state import ArmRecord, State

_GRAIN, _SQUARE_GRAIN = 2.0**20, 2.0**10
"""Multiples of 1/_GRAIN, and squares of multiples of 1/_SQUARE_GRAIN, add up in doubles without rounding."""
_LOW_BITS = 27
"""A mantissa of 53 bits is cut in two, so that products of the parts are words of 64 bits."""
_RUN = 256
"""So many of these products add up to a word."""


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


_SLICE_ENTRIES, _SLICE_ROUNDS = 2**17, 8_192
"""An array over the arms and rounds of a slice has at most so many entries, and a slice so many rounds."""


class Slice:
    """A few rounds of a trace, the exact state before the first of them, and the answers known from a later one on.

    An answer that the round after the slice is the first to know belongs to the slice.
    """

    def __init__(self, block: Block, state: State, answers: Answers | None = None) -> None:
        self.block = block
        self.state = state
        self.answers = block.answers() if answers is None else answers
        self._replayed, self._done = state.copy(), 0

    def __len__(self) -> int:
        return len(self.block)

    @property
    def first(self) -> int:
        """The number of the first round."""
        return self.block.first

    @property
    def initial(self) -> bool:
        """Whether the rounds are among the initial ones t <= K; no slice has both kinds."""
        return self.block.first <= self.state.arms

    def arrivals(self) -> Integers:
        """The place of the last round that did not know an answer, for each answer."""
        return self.answers.known - (self.block.first + 1)

    def state_before(self, place: int) -> State:
        """The exact state before the round at a place, to be looked at before another one is asked for.

        Cheap for places in increasing order.
        """
        known = int(np.searchsorted(self.answers.known, self.block.first + place, side="right"))
        if known < self._done:
            self._replayed, self._done = self.state.copy(), 0
        for index in range(self._done, known):
            self._replayed.record(int(self.answers.arm[index]), self.answers.exact_reward(index))
        self._done = known
        return self._replayed

    def epsilon(self, place: int, schedule: Schedule | None) -> Exact | None:
        """epsilon of the round at a place, exactly: of the schedule, or as the round carries it, None if it does not."""
        if schedule is None:
            return self.block.exact_epsilon(place)
        return schedule.at(self.block.first + place, self.state.arms)


class Unfolding:
    """Takes the blocks of a trace in order and cuts them into slices. Carries the state, and the answers on their way."""

    def __init__(self, opening: State, with_squares: bool) -> None:
        self._state = opening
        self._with_squares = with_squares
        self._coming = NO_ANSWERS

    def slices(self, block: Block) -> Iterator[Slice]:
        """The slices of the next block, to be used one after the other; initial rounds and later ones share none."""
        for part in parts(block, self._state.arms):
            piece = Slice(part, self._state, self._arriving(part))
            yield piece
            self._state = state_after(self._state, piece.answers, self._with_squares)

    def _arriving(self, part: Block) -> Answers:
        """The answers, to these rounds or to earlier ones, that arrive in this part, in the order in which they do."""
        asked = part.answers()
        if part.answered is None and not len(self._coming):
            return asked
        everything = self._coming.followed_by(asked)
        due = everything.known <= part.first + len(part)
        self._coming = everything.chosen(np.flatnonzero(~due))
        arriving = np.flatnonzero(due)
        return everything.chosen(arriving[np.argsort(everything.known[arriving], kind="stable")])


def parts(block: Block, arms: int) -> Iterator[Block]:
    """The block in parts that the filter can hold; initial rounds (t <= K) and later ones never share a part."""
    length = max(1, min(_SLICE_ROUNDS, _SLICE_ENTRIES // arms))
    initial = min(len(block), max(0, arms - block.first + 1))
    if initial:
        yield block.cut(0, initial)
    for start in range(initial, len(block), length):
        yield block.cut(start, min(start + length, len(block)))

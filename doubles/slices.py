"""A trace taken block by block: slices that arrays can hold, each with the exact state before it and the answers in it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bufalu.doubles.blocks import NO_ANSWERS, Answers, Block, Integers
from bufalu.doubles.exact_sums import state_after
from bufalu.reference.exact import Exact
from bufalu.reference.schedules import Schedule
from bufalu.reference.state import State

_SLICE_ENTRIES = 2**17
_SLICE_ROUNDS = 8_192


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

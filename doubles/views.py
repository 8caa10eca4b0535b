"""What a rule sees of many rounds at once: the `View` of the reference, each number an expression over arrays."""

from __future__ import annotations

from typing import cast

import numpy as np

from bufalu.doubles.block_doubles import UNIT, BlockDoubles
from bufalu.doubles.errors import NotOnArrays
from bufalu.doubles.numbers import ArrayConstant, ArrayNumber, ArrayQuantity, OfRound
from bufalu.reference.rationals import Rational

_LOG_ERROR = 16 * UNIT
"""Of a logarithm, relatively: twice what libm's four units in the last place allow."""


class Rounds:
    """The numbers of consecutive or chosen rounds: compared with a number where all of them agree, and nothing else."""

    def __init__(self, first: int, last: int) -> None:
        self._first = first
        self._last = last

    def __le__(self, other: int) -> bool:
        return self._agreed(self._first <= other, self._last <= other)

    def __lt__(self, other: int) -> bool:
        return self._agreed(self._first < other, self._last < other)

    def __ge__(self, other: int) -> bool:
        return not self < other

    def __gt__(self, other: int) -> bool:
        return not self <= other

    def __eq__(self, other: object) -> bool:
        raise NotOnArrays("a rule that asks for one round is not run on many at once")

    __hash__ = None  # type: ignore[assignment]  # the numbers of many rounds are no key

    @staticmethod
    def _agreed(first: bool, last: bool) -> bool:
        if first != last:
            raise NotOnArrays("a rule that tells rounds apart by their numbers is not run on many at once")
        return first


class ArrayView:
    """Many rounds of runs with `arms` arms. UCB less LCB of one arm is its width."""

    def __init__(
        self,
        rounds: Rounds,
        bounds: tuple[ArrayQuantity, ArrayQuantity, ArrayQuantity, ArrayQuantity],
        of_round: tuple[OfRound, OfRound, OfRound],
    ) -> None:
        self.lcb, self.ucb, self.width, self.mean = bounds
        self.ucb.less = (self.lcb, self.width)
        self.epsilon, self._log, self._all_queries = cast("tuple[ArrayNumber, ArrayNumber, ArrayNumber]", of_round)
        self.arms, self._length = self.lcb.doubles.shape
        # A rule sees a number that it can compare with others: all that it may ask many rounds at once.
        self.round = cast(int, rounds)

    def all_queries(self) -> ArrayNumber:
        """B^q(t-1)."""
        return self._all_queries

    def log(self) -> ArrayNumber:
        """ln t."""
        return self._log

    def number(self, value: Rational, /) -> ArrayNumber:
        """A rational constant."""
        return ArrayConstant(value, self._length)


def view_of_block(doubles: BlockDoubles, first: int) -> ArrayView:
    """What a rule sees of the rounds from `first` on, all of them after the initial ones."""
    error, size, most = doubles.bound_error, doubles.largest, doubles.largest_error
    length = len(doubles.epsilon)
    mean_error = np.broadcast_to(doubles.mean_error, doubles.mean.shape)
    return ArrayView(
        Rounds(first, first + length - 1),
        (
            ArrayQuantity("lcb", doubles.lcb, error, doubles.same_interval, size=size, error_size=most),
            ArrayQuantity("ucb", doubles.ucb, error, doubles.same_interval, size=size, error_size=most),
            ArrayQuantity(
                "width", doubles.width, error, doubles.same_width, size=2 * size, error_size=2 * most, factor=2.0
            ),
            ArrayQuantity(
                "mean", doubles.mean, mean_error, doubles.same_mean, size=1.0, error_size=doubles.mean_error
            ),
        ),
        (
            OfRound("epsilon", doubles.epsilon, doubles.epsilon_error),
            OfRound("log", doubles.log, doubles.log * _LOG_ERROR),
            OfRound("queries", doubles.total_queries, np.zeros(length)),
        ),
    )

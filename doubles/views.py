"""What a rule sees of many rounds at once: the `View` of the reference, each number an expression over arrays."""

from __future__ import annotations

from functools import cached_property
from typing import cast

import numpy as np

from bufalu.doubles.block_doubles import UNIT, BlockDoubles
from bufalu.doubles.blocks import Floats, Integers
from bufalu.doubles.errors import NotOnArrays
from bufalu.doubles.numbers import ArrayConstant, ArrayNumber, ArrayQuantity, OfPair, OfRound, Sameness
from bufalu.reference.pair_radii import LATEST_ROUND
from bufalu.reference.rationals import Rational

_LOG_ERROR = 16 * UNIT
"""Of a logarithm, relatively: twice what libm's four units in the last place allow."""


class Rounds:
    """The numbers of consecutive or chosen rounds: compared with a number where all of them agree, and nothing else."""

    def __init__(self, numbers: Integers) -> None:
        self._numbers = numbers
        self._first = int(numbers.min())
        self._last = int(numbers.max())

    @cached_property
    def log_scales(self) -> Floats:
        """ln(t b(t)), b(t) the number of binary digits of t, for each round t; NaN where doubles are not safe."""
        safe = np.where(self._numbers <= LATEST_ROUND, self._numbers, np.nan)
        logs: Floats = np.log(safe * np.frexp(safe)[1])
        return logs

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
        queries: ArrayQuantity,
        of_round: tuple[OfRound, OfRound, OfRound],
    ) -> None:
        self.lcb, self.ucb, self.width, self.mean = bounds
        self.ucb.less = (self.lcb, self.width)
        self.queries = queries
        self.epsilon, self._log, self._all_queries = cast("tuple[ArrayNumber, ArrayNumber, ArrayNumber]", of_round)
        self.arms, self._length = self.lcb.doubles.shape
        self._rounds = rounds
        # A rule sees a number that it can compare with others: all that it may ask many rounds at once.
        self.round = cast(int, rounds)

    def pair_radius(self, arm: int, other: int, spread: int, /) -> ArrayNumber:
        """The radius of two arms together."""
        return OfPair(self.queries, self._rounds.log_scales, (arm - 1, other - 1), spread)

    def all_queries(self) -> ArrayNumber:
        """B^q(t-1)."""
        return self._all_queries

    def log(self) -> ArrayNumber:
        """ln t."""
        return self._log

    def number(self, value: Rational, /) -> ArrayNumber:
        """A rational constant."""
        return ArrayConstant(value, self._length)


def counts_of_arms(queries: Floats, same: Sameness) -> ArrayQuantity:
    """The numbers of answers, one row for each arm: whole numbers without an error."""
    errors, most = np.zeros(queries.shape), float(queries.max())
    return ArrayQuantity("queries", queries, errors, same, size=most, error_size=0.0, whole=True)


def view_of_block(doubles: BlockDoubles, first: int) -> ArrayView:
    """What a rule sees of the rounds from `first` on, all of them after the initial ones."""
    error, size, most = doubles.bound_error, doubles.largest, doubles.largest_error
    length = len(doubles.epsilon)
    mean_error = np.broadcast_to(doubles.mean_error, doubles.mean.shape)
    return ArrayView(
        Rounds(np.arange(first, first + length)),
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
        counts_of_arms(doubles.queries, doubles.same_queries),
        (
            OfRound("epsilon", doubles.epsilon, doubles.epsilon_error),
            OfRound("log", doubles.log, doubles.log * _LOG_ERROR),
            OfRound("queries", doubles.total_queries, np.zeros(length)),
        ),
    )

"""What a rule sees of many rounds at once: the `View` of the reference, each number an expression over arrays; and below
them the means, intervals and epsilons of a whole block in doubles, with bounds on their errors.

**Error bounds**, in units u = 2^-53, for a slice with m rounds or m answers, whichever are more. Sums start from the
exact state, rounded once, and add at most m rewards in [0, 1], each less a pivot: the standard bound for recursive
summation gives each mean an error below (2m + 8) u. (What arrives together is summed first, which makes no chain of
additions longer; adding 0 rounds nothing.) `log` is within 4 ulps (8 u), and ln t + 3 ln ln t within 29 u; a term of a
radius without a variance is then within 20 u (40 u) of itself. The sum of squared deviations D from the pivot is within
(m + 5) u, and the square of their sum over n within 3 m u D (Cauchy-Schwarz), so the variance is within
(4m + 32) u D / (n - 1); its effect on the radius is bounded by moving the variance that far.
Every bound below is at least twice what is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import cast

import numpy as np

from bufalu.doubles.blocks import Block, Booleans, Floats, Integers, NotOnArrays
from bufalu.doubles.numbers import ArrayConstant, ArrayNumber, ArrayQuantity, OfPair, OfRound, Sameness
from bufalu.doubles.slices import Slice, on_grid
from bufalu.reference.radius_shapes import LATEST_ROUND, Growth, RadiusShape
from bufalu.reference.rationals import Rational, nearest_float
from bufalu.reference.schedules import Schedule
from bufalu.reference.state import ArmRecord

UNIT = 2.0**-53
_LOG_ERROR = 16 * UNIT
"""Of a logarithm, relatively: twice what libm's four units in the last place allow."""

_EXACT_GRAIN = 2.0**10
"""Counts, sums and squares of rewards that are multiples of 1/_EXACT_GRAIN carry no error in doubles."""
_EXACT_PRODUCTS = 2.0**31
"""Products of such a sum and a count are exact below this."""


@dataclass(frozen=True)
class BlockDoubles:
    """What the rules see in each round of a slice; arrays over arms have one row for each arm.

    `bound_error` bounds the errors of `lcb` and `ucb`, twice it that of `width`. If `exact` then counts, sums and
    squares carry no error at all, and equal ones are real ties.
    """

    queries: Floats
    sums: Floats
    squares: Floats
    mean: Floats
    lcb: Floats
    ucb: Floats
    width: Floats
    mean_error: float
    bound_error: Floats
    log: Floats
    epsilon: Floats
    epsilon_error: Floats
    total_queries: Floats
    exact: bool
    width_uses_squares: bool
    largest: float
    """No finite bound is larger in size, but for its error."""
    largest_error: float
    constant: Booleans
    """Which arms have shown one and the same reward so far (told only where squares are used)."""

    def same_interval(self, one: int, other: int, places: Integers) -> Booleans:
        """Where two arms, from 0, are known to have the same interval: equal counts, sums and, if they matter, squares."""
        known = self._both_infinite(one, other, places)
        if self.exact:
            equal = _equal(self.queries, one, other, places) & _equal(self.sums, one, other, places)
            if self.width_uses_squares:
                equal &= _equal(self.squares, one, other, places)
            known |= equal
        return known

    def same_width(self, one: int, other: int, places: Integers) -> Booleans:
        """Where two arms are known to have the same width: equal counts, unless rewards matter and vary."""
        if not self.width_uses_squares or (self.constant[one] and self.constant[other]):
            same = _equal(self.queries, one, other, places)
            return same if same.all() else same | self._both_infinite(one, other, places)
        return self.same_interval(one, other, places)

    def _both_infinite(self, one: int, other: int, places: Integers) -> Booleans:
        found: Booleans = np.isinf(self.width[one].take(places)) & np.isinf(self.width[other].take(places))
        return found

    def same_queries(self, one: int, other: int, places: Integers) -> Booleans:
        """Where two arms have as many answers."""
        return _equal(self.queries, one, other, places)

    def same_mean(self, one: int, other: int, places: Integers) -> Booleans:
        """Where two arms are known to have the same mean: cross products of exact sums and counts agree."""
        mine, theirs = self.queries[one].take(places), self.queries[other].take(places)
        left, right = self.sums[one].take(places) * theirs, self.sums[other].take(places) * mine
        seen = (mine > 0) & (theirs > 0)
        known: Booleans = seen & (left == right) & (left < _EXACT_PRODUCTS)
        return known if self.exact else np.zeros_like(known)


def _equal(rows: Floats, one: int, other: int, places: Integers) -> Booleans:
    same: Booleans = rows[one].take(places) == rows[other].take(places)
    return same


def block_doubles(piece: Slice, shape: RadiusShape, schedule: Schedule | None) -> BlockDoubles:
    """The doubles of the rounds of a slice: what its answers make of the exact state before it."""
    state, answers = piece.state, piece.answers
    arms, length = state.arms, len(piece)
    additions = max(length, len(answers))
    rounds = np.arange(piece.first, piece.first + length, dtype=np.float64)
    log = np.log(rounds)
    arrival = piece.arrivals()
    growth = _growth(shape.growth, rounds)
    squared = shape.uses_variance

    exact = (
        not answers.exact_rewards
        and on_grid(answers.reward, _EXACT_GRAIN)
        and all(_on_exact_grid(record.total) and _on_exact_grid(record.squares) for record in state.records)
    )
    queries, sums, mean, radius, error = (np.empty((arms, length)) for _ in range(5))
    squares = np.zeros((arms, length)) if squared else np.empty((arms, 0))
    constant = np.zeros(arms, dtype=np.bool_)
    for index, record in enumerate(state.records):
        mine = np.flatnonzero(answers.arm == index + 1)
        places, rewards = arrival[mine], answers.reward[mine]
        span = length if len(mine) else 1  # an arm that rests has the same doubles all the time
        pivot = 0.0 if exact else _pivot(record, rewards)
        exact_pivot = Fraction(pivot)
        steps = rewards - pivot
        counts = _before(np.bincount(places, minlength=span), float(record.queries))
        totals = _before(np.bincount(places, steps, span), nearest_float(record.total - record.queries * exact_pivot))
        spread = totals
        if squared:
            opening = record.squares - 2 * exact_pivot * record.total + record.queries * exact_pivot * exact_pivot
            squares[index] = spread = _before(np.bincount(places, steps * steps, span), nearest_float(opening))
            constant[index] = opening == 0 and not steps.any()
        queries[index], sums[index] = counts, totals
        mean[index] = np.where(counts > 0.0, pivot + totals / np.maximum(counts, 1.0), 0.0)
        radius[index], error[index] = _radius(shape, counts, totals, spread, growth, additions=additions)

    mean_error = (4 * additions + 32) * UNIT
    epsilon, epsilon_error = _epsilons(piece.block, log, arms, schedule)
    error += mean_error
    return BlockDoubles(
        queries=queries,
        sums=sums,
        squares=squares,
        mean=mean,
        lcb=mean - radius,
        ucb=mean + radius,
        width=2 * radius,
        mean_error=mean_error,
        bound_error=error,
        log=log,
        epsilon=epsilon,
        epsilon_error=epsilon_error,
        total_queries=_before(np.bincount(arrival, minlength=length), float(state.all_queries)),
        exact=exact,
        width_uses_squares=squared,
        largest=1.0 + float(np.max(radius, where=radius < np.inf, initial=0.0)),
        largest_error=float(error.max()),
        constant=constant,
    )


def _before(steps: Floats | Integers, opening: float) -> Floats:
    """Running sums before each step, from an opening value on."""
    sums = np.empty(len(steps))
    sums[0] = 0.0
    np.cumsum(steps[:-1], out=sums[1:])
    sums += opening
    return sums


def _on_exact_grid(value: Rational) -> bool:
    return value.denominator <= 2**20 and value.denominator & (value.denominator - 1) == 0


def _pivot(record: ArmRecord, rewards: Floats) -> float:
    """A value near the arm's rewards: deviations from it lose fewer digits than the rewards themselves."""
    if record.queries:
        return nearest_float(record.exact_mean())
    return float(rewards[0]) if len(rewards) else 0.0


def _growth(growth: Growth, rounds: Floats) -> Floats:
    """g in every round."""
    log: Floats = np.log(np.maximum(rounds - 1, 1) if growth is Growth.LOG_BEFORE else rounds)
    if growth is not Growth.LOG_LOG:
        return log
    grown: Floats = np.where(log > 1.0, log + 3 * np.log(np.maximum(log, 1.0)), 0.0)
    return grown


def _radius(
    shape: RadiusShape, queries: Floats, sums: Floats, squares: Floats, growth: Floats, *, additions: int
) -> tuple[Floats, Floats]:
    """Half the width of one arm, and a bound on its error; infinite and 0 with too few queries."""
    relative = (128 if shape.growth is Growth.LOG_LOG else 64) * UNIT
    radius, error = np.zeros(growth.shape), np.zeros(growth.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        for term in shape.terms:
            slope = nearest_float(term.coefficient) * growth / (queries - term.offset)
            if term.uses_variance:
                variance = np.maximum(squares - sums * sums / np.maximum(queries, 1.0), 0.0) / (queries - 1)
                doubt = (8 * additions + 64) * UNIT * squares / (queries - 1)
                low, middle, high = (
                    slope * np.maximum(variance - doubt, 0.0),
                    slope * variance,
                    slope * (variance + doubt),
                )
            else:
                low = middle = high = slope
            if term.rooted:
                low, middle, high = np.sqrt(low), np.sqrt(middle), np.sqrt(high)
            radius = radius + middle
            error = error + (high - low) * 1.0001 + relative * (middle + high)
    few = queries < shape.needed_queries
    return np.where(few, np.inf, radius), np.where(few, 0.0, error)


def _epsilons(block: Block, log: Floats, arms: int, schedule: Schedule | None) -> tuple[Floats, Floats]:
    """Doubles of epsilon with error bounds: of the schedule, or as the rounds carry them."""
    rounds = np.arange(block.first, block.first + len(block), dtype=np.float64)
    if schedule is None:
        epsilon = block.epsilon
        return epsilon, (4 * UNIT * epsilon if block.exact_epsilons else np.zeros_like(epsilon))
    shape = schedule.shape(arms)
    if shape is not None and shape.relative_error is not None:
        with np.errstate(divide="ignore"):
            epsilon = shape.doubles(rounds, log)
        return epsilon, shape.relative_error * epsilon + shape.least_error
    levels = [schedule.at(int(number), arms) for number in rounds]
    return (
        np.array([level.approximation for level in levels]),
        np.array([level.error for level in levels]),
    )


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

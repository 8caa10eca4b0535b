"""Bugs that show only with many arms, after many rounds, near a tie or by rounding, so that a report can name them.

They are no part of the matrix of claims and mutants, whose runs are short and exact.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from bufalu.oracle.known_bugs import intervals as wrong
from bufalu.oracle.known_bugs.bookkeeping import Bookkeeping, BookkeepingView, MovingAverage, in_doubles
from bufalu.oracle.known_bugs.edited_rules import LeaderRule, N
from bufalu.oracle.known_bugs.intervals import Interval, exact_double
from bufalu.oracle.known_bugs.known_bug import KnownBug
from bufalu.reference.comparisons import Comparisons
from bufalu.reference.exact import MINUS_INFINITY, PLUS_INFINITY, ZERO, Exact
from bufalu.reference.rationals import Rational, nearest_float, rational
from bufalu.reference.state import ArmRecord, State
from bufalu.reference.view import View, maximisers

_LARGEST_SINGLE = 3.4028234663852886e38


def single(value: float) -> float:
    """The nearest number of single precision, infinite beyond the largest."""
    if abs(value) > _LARGEST_SINGLE:
        return math.copysign(math.inf, value)
    rounded: float = struct.unpack("f", struct.pack("f", value))[0]
    return rounded


def _exact_single(number: Exact) -> Exact:
    value = number.approximation if number.is_infinite else single(float(number))
    if math.isinf(value):
        return PLUS_INFINITY if value > 0 else MINUS_INFINITY
    return exact_double(value)


class EpsilonInSinglePrecision(Bookkeeping):
    """Epsilon is read as a float of 32 bits."""

    def epsilon(self, round_number: int, epsilon: Exact) -> Exact:
        """The nearest one."""
        return _exact_single(epsilon)


class RewardsInSinglePrecision(Bookkeeping):
    """Rewards are read as floats of 32 bits."""

    REMEMBERS = True

    def queried(self, round_number: int, arm: int, reward: Rational) -> None:
        """Records the nearest one."""
        super().queried(round_number, arm, rational(single(nearest_float(reward))))


class MeansInSinglePrecision(Bookkeeping):
    """Means are rounded to 32 bits."""

    def mean(self, arm: int) -> Exact:
        """The nearest one."""
        return _exact_single(super().mean(arm))


class RadiiInSinglePrecision(Bookkeeping):
    """Radii are rounded to 32 bits."""

    def radius(self, arm: int, round_number: int) -> Exact:
        """The nearest one."""
        return _exact_single(super().radius(arm, round_number))


class SumsInSinglePrecision(Bookkeeping):
    """Sums of rewards and of their squares are kept in 32 bits."""

    REMEMBERS = True

    def queried(self, round_number: int, arm: int, reward: Rational) -> None:
        """Adds and rounds."""
        old, value = self.state.records[arm - 1], nearest_float(reward)
        total = rational(single(nearest_float(old.total) + value))
        squares = rational(single(nearest_float(old.squares) + value * value))
        self.state.all_queries += 1
        self.state.records[arm - 1] = _possible(old.queries + 1, total, squares)


class SmoothedMean(MovingAverage):
    """Each reward moves the mean by a fixed share of the distance; the count is right."""

    def __init__(self, step: float, state: State, interval: Interval) -> None:
        super().__init__(state, interval)
        self.step = step


class CountInBits(Bookkeeping):
    """The queries of an arm are counted in so many bits, one of them maybe the sign; mean and radius use that count."""

    def __init__(self, bits: int, signed: bool, state: State, interval: Interval) -> None:
        super().__init__(state, interval)
        self._numbers = 1 << bits
        self._last = (self._numbers >> 1 if signed else self._numbers) - 1

    def mean(self, arm: int) -> Exact:
        """The sum over the count that is left, 0 where that is 0."""
        return Exact.of(self._seen(arm).exact_mean())

    def radius(self, arm: int, round_number: int) -> Exact:
        """The radius for the count that is left."""
        return self.radius_of(self._seen(arm), round_number)

    def _seen(self, arm: int) -> ArmRecord:
        record = self.state.records[arm - 1]
        if record.queries <= self._last:
            return record
        return self._miscounted(arm, self._count(record.queries))

    def _count(self, queries: int) -> int:
        """What is left of a number of queries."""
        left = queries % self._numbers
        return left if left <= self._last else left - self._numbers

    def _miscounted(self, arm: int, count: int) -> ArmRecord:
        record = self.state.records[arm - 1]
        return _possible(count, record.total, record.squares)


class DeviationsCountedInBits(CountInBits):
    """Queries counted so by a program that sums deviations from the first reward, and takes for it the one at count 0."""

    def __init__(self, bits: int, signed: bool, state: State, interval: Interval) -> None:
        super().__init__(bits, signed, state, interval)
        self._kept = [_Deviations() for _ in range(state.arms)]

    def catch_up(self, state: State, rewards: Sequence[tuple[int, float]]) -> None:
        """Sums up the deviations as well, in doubles."""
        super().catch_up(state, rewards)
        counts = [0] * state.arms
        self._kept = [_Deviations() for _ in range(state.arms)]
        for arm, reward in rewards:
            self._kept[arm - 1].add(reward, starts=counts[arm - 1] % self._numbers == 0)
            counts[arm - 1] += 1

    def queried(self, round_number: int, arm: int, reward: Rational) -> None:
        """Adds the deviation too."""
        self._kept[arm - 1].add(nearest_float(reward), starts=self.state.queries(arm) % self._numbers == 0)
        super().queried(round_number, arm, reward)

    def _miscounted(self, arm: int, count: int) -> ArmRecord:
        """The record with this mean and this variance, to which the first reward does not matter."""
        kept = self._kept[arm - 1]
        first, total, squares = rational(kept.first), rational(kept.total), rational(kept.squares)
        if not count:
            return ArmRecord()
        spread = max(squares - Fraction(total) ** 2 / count, Fraction(0))
        mean = first + Fraction(total) / count
        return ArmRecord(count, count * mean, spread + count * mean**2)


@dataclass
class _Deviations:
    """The first reward of an arm, and the sums of the deviations from it and of their squares."""

    first: float = 0.0
    total: float = 0.0
    squares: float = 0.0

    def add(self, reward: float, *, starts: bool) -> None:
        if starts:
            self.first = reward
        step = reward - self.first
        self.total += step
        self.squares += step * step


class RoundInBits(Bookkeeping):
    """The round is kept in so many bits; radii use that one."""

    def __init__(self, bits: int, state: State, interval: Interval) -> None:
        super().__init__(state, interval)
        self._mask = (1 << bits) - 1

    def radius(self, arm: int, round_number: int) -> Exact:
        """The radius of an earlier round."""
        if round_number <= self._mask:
            return super().radius(arm, round_number)
        earlier = max(round_number & self._mask, 1)
        return in_doubles(super().radius(arm, earlier)) if earlier > 1 else ZERO


_BELOW_ALL = Exact.of(-(10**9))
"""Below the LCB of every arm with answers."""


class FirstArmsView(BookkeepingView):
    """Only the first arms are looked at: the others are below them, also where these have no answers yet."""

    def __init__(self, most: int, bookkeeping: Bookkeeping, round_number: int, epsilon: Exact) -> None:
        super().__init__(bookkeeping, round_number, epsilon)
        self._most = most

    def lcb(self, arm: int) -> Exact:
        """Minus infinity for the others."""
        if arm > self._most:
            return MINUS_INFINITY
        lower = super().lcb(arm)
        return _BELOW_ALL if lower.is_infinite else lower

    def ucb(self, arm: int) -> Exact:
        """Minus infinity for the others."""
        return super().ucb(arm) if arm <= self._most else MINUS_INFINITY

    def mean(self, arm: int) -> Exact:
        """Minus infinity for the others."""
        return super().mean(arm) if arm <= self._most else MINUS_INFINITY


class LeaderMemory(Bookkeeping):
    """Remembers the leader of every round."""

    REMEMBERS = True

    def __init__(self, state: State, interval: Interval) -> None:
        super().__init__(state, interval)
        self.leaders: dict[int, int] = {}


class HoldingView(BookkeepingView):
    """The leader of the round before stays until another LCB exceeds its own by a margin."""

    def __init__(self, margin: Fraction, bookkeeping: Bookkeeping, round_number: int, epsilon: Exact) -> None:
        super().__init__(bookkeeping, round_number, epsilon)
        assert isinstance(bookkeeping, LeaderMemory)
        self.leader = 0
        if round_number <= self.arms:
            return
        leaders = bookkeeping.leaders
        if round_number not in leaders:
            best = maximisers(range(1, self.arms + 1), self.lcb)[0]
            held = leaders.pop(round_number - 1, best)
            leaders[round_number] = best if self.lcb(held) + Exact.of(margin) < self.lcb(best) else held
        self.leader = leaders[round_number]


@dataclass(frozen=True)
class HoldingRule(LeaderRule):
    """The leader is the one that the view holds."""

    def leaders(self, view: View[N], comparisons: Comparisons[N]) -> Iterable[int]:
        """The one that is held."""
        held: object = getattr(view, "leader", None)
        return [held] if isinstance(held, int) else super().leaders(view, comparisons)


def _possible(queries: int, total: Rational, squares: Rational) -> ArmRecord:
    """A record whose variance is not negative, whatever rounding or a wrong count have done to it."""
    least = Fraction(total) ** 2 / queries if queries else Fraction(0)
    return ArmRecord(queries, total, max(squares, least))


def _logarithms(last: int, round_number: int) -> float:
    return math.log(min(round_number, last))


def _single_logarithm(round_number: int) -> float:
    return single(math.log(round_number))


_HOLDING_RULES = {"bufalu": HoldingRule("bufalu"), "bufau": HoldingRule("bufau")}

ROUNDING = (
    KnownBug(
        "epsilon-in-float32",
        "reads epsilon in single precision",
        "errs where epsilon is within 1e-7 of the test",
        bookkeeping=EpsilonInSinglePrecision,
    ),
    KnownBug(
        "rewards-in-float32",
        "reads rewards in single precision",
        "errs where two figures are within 1e-7",
        bookkeeping=RewardsInSinglePrecision,
    ),
    KnownBug(
        "means-in-float32",
        "keeps means in single precision",
        "errs where two figures are within 1e-7",
        bookkeeping=MeansInSinglePrecision,
    ),
    KnownBug(
        "sums-in-float32",
        "keeps sums in single precision",
        "errs more and more, the longer the sums",
        bookkeeping=SumsInSinglePrecision,
    ),
    KnownBug(
        "radii-in-float32",
        "keeps radii in single precision",
        "errs where two figures are within 1e-7",
        bookkeeping=RadiiInSinglePrecision,
    ),
    KnownBug(
        "logarithms-in-float32",
        "takes logarithms in single precision",
        "errs where two figures are within 1e-7",
        intervals={
            "hoeffding": wrong.hoeffding(_single_logarithm),
            "bernstein": wrong.bernstein(_single_logarithm),
        },
    ),
)

_SIGNS = {False: ("", ""), True: ("-signed", " with a sign")}
_KEPT = {
    CountInBits: ("", ""),
    DeviationsCountedInBits: ("-deviations", ", and sums deviations from its first reward"),
}

COUNTERS = tuple(
    KnownBug(
        f"count-in-{bits}-bits{_SIGNS[signed][0]}{kept[0]}",
        f"counts the queries of an arm in {bits} bits{_SIGNS[signed][1]}{kept[1]}",
        f"a well known arm is unknown again after {1 << (bits - signed)} queries",
        bookkeeping=partial(bookkeeping, bits, signed),
    )
    for bookkeeping, kept in _KEPT.items()
    for bits, signed in ((8, False), (8, True), (10, False), (12, False), (16, False), (16, True))
) + tuple(
    KnownBug(
        f"round-in-{bits}-bits",
        f"keeps the round in {bits} bits",
        f"intervals collapse in round {1 << bits}",
        bookkeeping=partial(RoundInBits, bits),
    )
    for bits in (12, 16)
)

TABLES = tuple(
    KnownBug(
        f"logarithms-up-to-{last}",
        f"has a table of logarithms that ends at {last}",
        "intervals stop widening with t",
        intervals={
            "hoeffding": wrong.hoeffding(partial(_logarithms, last)),
            "bernstein": wrong.bernstein(partial(_logarithms, last)),
        },
    )
    for last in (1_000, 1_024, 2_000, 4_096, 5_000)
)

MISSED_ARMS = tuple(
    KnownBug(
        f"looks-at-{most}-arms",
        f"looks at the first {most} arms only",
        "arms beyond are never played again",
        view=partial(FirstArmsView, most),
    )
    for most in (5, 8, 10, 16, 32)
)

HELD_LEADERS = tuple(
    KnownBug(
        f"leader-stays-by-{name}",
        f"keeps the leader until it is beaten by {name}",
        "leaders change late",
        rules=_HOLDING_RULES,
        bookkeeping=LeaderMemory,
        view=partial(HoldingView, margin),
    )
    for name, margin in ((f"1e-{digits}", Fraction(1, 10**digits)) for digits in (2, 3, 4, 5, 6))
)

SMOOTHED = tuple(
    KnownBug(
        f"mean-smoothed-by-{step}",
        f"each reward moves the mean by {step} of the distance",
        "the mean forgets",
        bookkeeping=partial(SmoothedMean, step),
    )
    for step in (0.2, 0.1, 0.05, 0.01)
)

FAR_BUGS: tuple[KnownBug, ...] = ROUNDING + COUNTERS + TABLES + MISSED_ARMS + HELD_LEADERS + SMOOTHED
"""All of them, in a stable order."""

STALE_STATE = KnownBug(
    "state-survives-reset",
    "keeps something of an earlier run: a new process plays this run right",
    "a run depends on the runs before it",
)
"""No trace shows it alone: `conform` plays the run once more in the same process and in a new one."""

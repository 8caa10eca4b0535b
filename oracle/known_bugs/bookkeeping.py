"""What a program keeps between rounds, and what its rule then sees; the wrong ways to keep it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from bufalu.oracle.known_bugs.intervals import Interval, exact_double
from bufalu.reference.exact import MINUS_INFINITY, ONE, PLUS_INFINITY, ZERO, Exact, log_root
from bufalu.reference.radius_shapes import pair_radius
from bufalu.reference.rationals import Rational, nearest_float
from bufalu.reference.state import ArmRecord, State


class Bookkeeping:
    """The right way: sums over queried rounds, the current round and epsilon."""

    REMEMBERS = False
    """Whether it keeps anything that neither the right state tells nor the rewards in doubles."""

    def __init__(self, state: State, interval: Interval) -> None:
        self.state = state
        self.interval = interval

    def catch_up(self, state: State, rewards: Sequence[tuple[int, float]]) -> None:
        """Takes the right state after these rewards of arms, nearest doubles; not for those that remember more than that."""
        self.state = state

    def queried(self, round_number: int, arm: int, reward: Rational) -> None:
        """Takes the reward of a queried round."""
        self.state.record(arm, reward)

    def unqueried(self, round_number: int, arm: int) -> None:
        """Learns that a round was played without a query."""

    def unanswered(self, round_number: int, arm: int) -> None:
        """Learns that the next round will not know the answer to a query."""

    def late(self, round_number: int, arm: int, reward: Rational) -> None:
        """Takes an answer that was not known in the round after its query."""
        self.queried(round_number, arm, reward)

    def mean(self, arm: int) -> Exact:
        """The mean of an arm."""
        return Exact.of(self.state.mean(arm))

    def radius(self, arm: int, round_number: int) -> Exact:
        """Half the width of an arm's interval."""
        return self.radius_of(self.state.records[arm - 1], round_number)

    def radius_of(self, record: ArmRecord, round_number: int) -> Exact:
        """Half the width of the interval of a record, infinite with too few queries."""
        if record.queries < self.interval.needed_queries:
            return PLUS_INFINITY
        return self.interval.radius(record, round_number)

    def initial_epsilon(self, epsilon: Exact) -> None:
        """Learns what epsilon came with an initial round, where it plays no role."""

    def epsilon(self, round_number: int, epsilon: Exact) -> Exact:
        """The epsilon that the rule uses, after the initial rounds."""
        return epsilon

    def all_queries(self) -> Exact:
        """B^q(t-1)."""
        return Exact.of(self.state.all_queries)


class BookkeepingView:
    """What the rule of a program with this bookkeeping sees in a round."""

    def __init__(self, bookkeeping: Bookkeeping, round_number: int, epsilon: Exact) -> None:
        self.round = round_number
        self.arms = bookkeeping.state.arms
        self.epsilon = bookkeeping.epsilon(round_number, epsilon)
        self._bookkeeping = bookkeeping
        self._radii, self._means = dict[int, Exact](), dict[int, Exact]()
        self._lower, self._upper = dict[int, Exact](), dict[int, Exact]()

    def lcb(self, arm: int) -> Exact:
        """Mean minus radius."""
        if arm not in self._lower:
            radius = self._radius(arm)
            self._lower[arm] = MINUS_INFINITY if radius.is_infinite else BookkeepingView.mean(self, arm) - radius
        return self._lower[arm]

    def ucb(self, arm: int) -> Exact:
        """Mean plus radius."""
        if arm not in self._upper:
            radius = self._radius(arm)
            self._upper[arm] = PLUS_INFINITY if radius.is_infinite else BookkeepingView.mean(self, arm) + radius
        return self._upper[arm]

    def width(self, arm: int) -> Exact:
        """Twice the radius."""
        radius = self._radius(arm)
        return radius + radius

    def mean(self, arm: int) -> Exact:
        """The mean in bookkeeping."""
        if arm not in self._means:
            self._means[arm] = self._bookkeeping.mean(arm)
        return self._means[arm]

    def queries(self, arm: int) -> Exact:
        """The answers in bookkeeping."""
        return Exact.of(self._bookkeeping.state.queries(arm))

    def pair_radius(self, arm: int, other: int, spread: int) -> Exact:
        """The radius of two arms with the answers in bookkeeping."""
        state = self._bookkeeping.state
        return pair_radius(self.round, state.queries(arm), state.queries(other), spread)

    def all_queries(self) -> Exact:
        """What greedy compares with its budget, but for a constant."""
        return self._bookkeeping.all_queries()

    def log(self) -> Exact:
        """ln t."""
        return log_root(self.round, 2)

    def number(self, value: Rational) -> Exact:
        """A rational constant."""
        return Exact.of(value)

    def _radius(self, arm: int) -> Exact:
        if arm not in self._radii:
            self._radii[arm] = self._bookkeeping.radius(arm, self.round)
        return self._radii[arm]


class ClippedView(BookkeepingView):
    """UCB is cut at 1 and LCB at 0; widths stay."""

    def lcb(self, arm: int) -> Exact:
        """At least 0."""
        return max(ZERO, super().lcb(arm))

    def ucb(self, arm: int) -> Exact:
        """At most 1."""
        return min(ONE, super().ucb(arm))


class UnqueriedCountsAsZero(Bookkeeping):
    """Mean and count run over plays; an unseen reward is a zero."""

    REMEMBERS = True

    def unqueried(self, round_number: int, arm: int) -> None:
        """Records a zero."""
        self.state.record(arm, 0)


class CountsPlays(Bookkeeping):
    """The count runs over plays, the mean over queries."""

    REMEMBERS = True

    def unqueried(self, round_number: int, arm: int) -> None:
        """Counts the play and keeps the mean."""
        self.state.record(arm, self.state.mean(arm))


class MeanOverPlays(Bookkeeping):
    """The sum of queried rewards is divided by plays; the count in the radius is right."""

    REMEMBERS = True

    def __init__(self, state: State, interval: Interval) -> None:
        super().__init__(state, interval)
        self.unseen = [0] * state.arms

    def unqueried(self, round_number: int, arm: int) -> None:
        """Counts the play."""
        self.unseen[arm - 1] += 1

    def mean(self, arm: int) -> Exact:
        """The sum over the plays."""
        record = self.state.records[arm - 1]
        return Exact.of(Fraction(record.total) / max(1, record.queries + self.unseen[arm - 1]))


class OneRewardLate(Bookkeeping):
    """Decides before the last reward has been added (the initial rounds are seen at once)."""

    REMEMBERS = True

    def __init__(self, state: State, interval: Interval) -> None:
        super().__init__(state, interval)
        self.waiting: tuple[int, Rational] | None = None

    def queried(self, round_number: int, arm: int, reward: Rational) -> None:
        """Adds the reward before this one to what the rule sees."""
        self._catch_up()
        self.waiting = (arm, reward)
        if round_number <= self.state.arms:
            self._catch_up()

    def unqueried(self, round_number: int, arm: int) -> None:
        """Adds what was waiting."""
        self._catch_up()

    def _catch_up(self) -> None:
        if self.waiting is not None:
            self.state.record(*self.waiting)
        self.waiting = None


class RoundsRewards(Bookkeeping):
    """Keeps rewards as 0 or 1."""

    REMEMBERS = True

    def queried(self, round_number: int, arm: int, reward: Rational) -> None:
        """Records 1 for a reward of at least one half, else 0."""
        self.state.record(arm, 1 if reward * 2 >= 1 else 0)


class ForgetsOldRewards(Bookkeeping):
    """Keeps a window of the last 32 rewards of each arm."""

    REMEMBERS = True

    WINDOW = 32

    def __init__(self, state: State, interval: Interval) -> None:
        super().__init__(state, interval)
        self.kept: list[list[Rational]] = [[] for _ in range(state.arms)]

    def queried(self, round_number: int, arm: int, reward: Rational) -> None:
        """Drops the oldest reward once the window is full."""
        window = self.kept[arm - 1]
        if len(window) == self.WINDOW:
            window.pop(0)
        window.append(reward)
        self.state.all_queries += 1
        self.state.records[arm - 1] = ArmRecord(len(window), sum(window), sum(r * r for r in window))


class CountStopsAt64(Bookkeeping):
    """The count in the radius stops at 64; the mean goes on."""

    def radius(self, arm: int, round_number: int) -> Exact:
        """The radius as if there were at most 64 queries of the same mean and spread."""
        record = self.state.records[arm - 1]
        return self.radius_of(rescaled(record, min(64, record.queries)), round_number)


class TotalCount(Bookkeeping):
    """The radius divides by all queries instead of the arm's own."""

    def radius(self, arm: int, round_number: int) -> Exact:
        """The radius of an arm as if all queries had been its own."""
        return self.radius_of(rescaled(self.state.records[arm - 1], self.state.all_queries), round_number)


class StaleIntervals(Bookkeeping):
    """An arm's interval is computed when it is queried and kept until the next query, with the old ln t."""

    REMEMBERS = True

    def __init__(self, state: State, interval: Interval) -> None:
        super().__init__(state, interval)
        self.computed_at = [2] * state.arms

    def queried(self, round_number: int, arm: int, reward: Rational) -> None:
        """The arm's interval will be that of the next round from now on."""
        super().queried(round_number, arm, reward)
        self.computed_at[arm - 1] = round_number + 1

    def radius(self, arm: int, round_number: int) -> Exact:
        """The radius in the round after the arm's last query."""
        return in_doubles(super().radius(arm, self.computed_at[arm - 1]))


class LogOfQueries(Bookkeeping):
    """ln of the number of queries plus one stands where ln t belongs: time stands still in unqueried rounds."""

    def radius(self, arm: int, round_number: int) -> Exact:
        """The radius of an earlier round."""
        return in_doubles(super().radius(arm, self.state.all_queries + 1))


class UnseenArmsAreCertain(Bookkeeping):
    """An arm without a finite interval gets the mean as both its bounds."""

    def radius(self, arm: int, round_number: int) -> Exact:
        """Zero where it should be infinite."""
        radius = super().radius(arm, round_number)
        return ZERO if radius.is_infinite else radius


class UnknownBelowThreeQueries(Bookkeeping):
    """An arm counts as unknown until its third query."""

    def radius(self, arm: int, round_number: int) -> Exact:
        """Infinite below three queries."""
        return PLUS_INFINITY if self.state.queries(arm) < 3 else super().radius(arm, round_number)


class MovingAverage(Bookkeeping):
    """Each reward moves the mean half way; the count is right."""

    REMEMBERS = True

    def __init__(self, state: State, interval: Interval) -> None:
        super().__init__(state, interval)
        self.averages = [0.0] * state.arms
        self.step = 0.5

    def queried(self, round_number: int, arm: int, reward: Rational) -> None:
        """Moves the average by its step."""
        value = nearest_float(reward)
        old = self.averages[arm - 1] if self.state.queries(arm) else value
        self.averages[arm - 1] = old + self.step * (value - old)
        super().queried(round_number, arm, reward)

    def mean(self, arm: int) -> Exact:
        """The moving average."""
        return exact_double(self.averages[arm - 1])


class EpsilonOfPreviousRound(Bookkeeping):
    """Uses the epsilon of the round before."""

    REMEMBERS = True

    def __init__(self, state: State, interval: Interval) -> None:
        super().__init__(state, interval)
        self.seen: dict[int, Exact] = {}

    def initial_epsilon(self, epsilon: Exact) -> None:
        """Keeps it for the first deciding round."""
        self.seen[self.state.arms] = epsilon

    def epsilon(self, round_number: int, epsilon: Exact) -> Exact:
        """The previous epsilon as a double, or this one where the previous one is not known."""
        if round_number <= self.state.arms:
            return epsilon
        self.seen[round_number] = epsilon
        self.seen.pop(round_number - 2, None)
        return in_doubles(self.seen[round_number - 1]) if round_number - 1 in self.seen else epsilon


class EpsilonNeverRises(Bookkeeping):
    """Takes epsilon for nonincreasing: uses the smallest so far."""

    REMEMBERS = True

    def __init__(self, state: State, interval: Interval) -> None:
        super().__init__(state, interval)
        self.smallest = PLUS_INFINITY

    def epsilon(self, round_number: int, epsilon: Exact) -> Exact:
        """The running minimum, a double where it comes from an earlier round."""
        if round_number <= self.state.arms:
            return epsilon
        current = in_doubles(epsilon)
        if self.smallest < current:
            return self.smallest
        self.smallest = current
        return epsilon


class BudgetOffByOne(Bookkeeping):
    """Stops when B^q(t-1) exceeds B(t), not B(t) - 1."""

    def all_queries(self) -> Exact:
        """One query less."""
        return super().all_queries() - ONE


class BudgetWithoutInitialRounds(Bookkeeping):
    """The effective budget lacks its + K."""

    def all_queries(self) -> Exact:
        """The initial queries are charged too."""
        return super().all_queries() + Exact.of(self.state.arms)


class BudgetOfOneArm(Bookkeeping):
    """The effective budget is 6 ln t / epsilon^2 + K: the factor K is missing."""

    def all_queries(self) -> Exact:
        """K times the spending against K times the budget: (B^q - K + 1) K, after K - 1 are taken off again."""
        initial = Exact.of(self.state.arms - 1)
        return (super().all_queries() - initial) * Exact.of(self.state.arms) + initial


def rescaled(record: ArmRecord, queries: int) -> ArmRecord:
    """A record of another size with the same mean and mean of squares."""
    if not record.queries:
        return record
    share = Fraction(queries, record.queries)
    return ArmRecord(queries, record.total * share, record.squares * share)


def in_doubles(number: Exact) -> Exact:
    """The double next to an exact number: figures of different rounds have no common exact form."""
    return number if number.is_infinite else exact_double(float(number))

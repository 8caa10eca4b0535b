"""What a program keeps between rounds, and what its rule then sees; the wrong ways to keep it."""

from __future__ import annotations

from fractions import Fraction

from bufalu.properties.zoo.intervals import exact_double
from bufalu.reference.confidence import Clock, ConfidenceInterval, half_width
from bufalu.reference.exact import MINUS_INFINITY, ONE, PLUS_INFINITY, ZERO, Exact
from bufalu.reference.rationals import Rational, nearest_float
from bufalu.reference.state import ArmRecord, State
from bufalu.reference.view import ExactView


class Memory:
    """The right way: sums over queried rounds, the current round and epsilon."""

    def __init__(self, state: State, confidence: ConfidenceInterval) -> None:
        self.state = state
        self.confidence = confidence

    def view(self, round_number: int, epsilon: Exact) -> ExactView:
        """What the rule sees."""
        return ExactView(self.state, self.confidence, round_number, epsilon)

    def queried(self, round_number: int, arm: int, reward: Rational) -> None:
        """Takes the reward of a queried round."""
        self.state.record(arm, reward)

    def unqueried(self, round_number: int, arm: int) -> None:
        """Learns that a round was played without a query."""


class UnqueriedCountsAsZero(Memory):
    """Mean and count run over plays; an unseen reward is a zero."""

    def unqueried(self, round_number: int, arm: int) -> None:
        """Records a zero."""
        self.state.record(arm, 0)


class CountsPlays(Memory):
    """The count runs over plays, the mean over queries."""

    def unqueried(self, round_number: int, arm: int) -> None:
        """Counts the play and keeps the mean."""
        mean = self.state.mean(arm)
        if self.state.queries(arm):
            self.state.record(arm, mean)


class MeanOverPlays(Memory):
    """The sum of queried rewards is divided by plays; the count in the radius is right."""

    def __init__(self, state: State, confidence: ConfidenceInterval) -> None:
        super().__init__(state, confidence)
        self.plays = [0] * state.arms

    def queried(self, round_number: int, arm: int, reward: Rational) -> None:
        """Counts the play too."""
        super().queried(round_number, arm, reward)
        self.plays[arm - 1] += 1

    def unqueried(self, round_number: int, arm: int) -> None:
        """Counts the play."""
        self.plays[arm - 1] += 1

    def view(self, round_number: int, epsilon: Exact) -> ExactView:
        """The right intervals around the wrong means."""
        for arm, record in enumerate(self.state.records, start=1):
            if record.queries:
                record.mean = Exact.of(Fraction(record.total) / max(self.plays[arm - 1], record.queries))
        return super().view(round_number, epsilon)


class OneRewardLate(Memory):
    """Decides before the last reward has been added."""

    def __init__(self, state: State, confidence: ConfidenceInterval) -> None:
        super().__init__(state, confidence)
        self.waiting: tuple[int, Rational] | None = None
        self.shown = state.copy()

    def queried(self, round_number: int, arm: int, reward: Rational) -> None:
        """Adds the reward before this one to what the rule sees (the initial rounds are seen at once)."""
        super().queried(round_number, arm, reward)
        if round_number <= self.state.arms:
            self.shown.record(arm, reward)
            return
        self._catch_up()
        self.waiting = (arm, reward)

    def unqueried(self, round_number: int, arm: int) -> None:
        """Adds what was waiting."""
        self._catch_up()

    def view(self, round_number: int, epsilon: Exact) -> ExactView:
        """The state of one reward ago."""
        return ExactView(self.shown, self.confidence, round_number, epsilon)

    def _catch_up(self) -> None:
        if self.waiting is not None:
            self.shown.record(*self.waiting)
        self.waiting = None


class RoundsRewards(Memory):
    """Keeps rewards as 0 or 1."""

    def queried(self, round_number: int, arm: int, reward: Rational) -> None:
        """Records 1 for a reward of at least one half, else 0."""
        self.state.record(arm, 1 if reward * 2 >= 1 else 0)


class ForgetsOldRewards(Memory):
    """Keeps a window of the last 32 rewards of each arm."""

    WINDOW = 32

    def __init__(self, state: State, confidence: ConfidenceInterval) -> None:
        super().__init__(state, confidence)
        self.kept: list[list[Rational]] = [[] for _ in range(state.arms)]

    def queried(self, round_number: int, arm: int, reward: Rational) -> None:
        """Drops the oldest reward once the window is full."""
        window = self.kept[arm - 1]
        if len(window) == self.WINDOW:
            window.pop(0)
        window.append(reward)
        self.state.all_queries += 1
        self.state.records[arm - 1] = ArmRecord(len(window), sum(window), sum(r * r for r in window))


class CountStopsAt64(Memory):
    """The count in the radius stops at 64; the mean goes on."""

    def view(self, round_number: int, epsilon: Exact) -> ExactView:
        """Radii as if no arm had more than 64 queries."""
        return _CappedCounts(self.state, self.confidence, round_number, epsilon)


class _CappedCounts(ExactView):
    def radius(self, arm: int) -> Exact:
        record = self._state.records[arm - 1]
        if record.queries <= 64:
            return super().radius(arm)
        share = Fraction(64, record.queries)
        shrunk = ArmRecord(64, record.total * share, record.squares * share)
        return half_width(self._confidence, shrunk, self._clock)


class TotalCount(Memory):
    """The radius divides by all queries instead of the arm's own."""

    def view(self, round_number: int, epsilon: Exact) -> ExactView:
        """The same count for every arm."""
        return _TotalCounts(self.state, self.confidence, round_number, epsilon)


class _TotalCounts(ExactView):
    def radius(self, arm: int) -> Exact:
        record = self._state.records[arm - 1]
        if not record.queries:
            return PLUS_INFINITY
        share = Fraction(self._state.all_queries, record.queries)
        pooled = ArmRecord(self._state.all_queries, record.total * share, record.squares * share)
        return half_width(self._confidence, pooled, self._clock)


class StaleIntervals(Memory):
    """An arm's interval is computed when it is queried and kept until the next query, with the old ln t."""

    def __init__(self, state: State, confidence: ConfidenceInterval) -> None:
        super().__init__(state, confidence)
        self.computed_at = [2] * state.arms

    def queried(self, round_number: int, arm: int, reward: Rational) -> None:
        """The arm's interval will be that of the next round from now on."""
        super().queried(round_number, arm, reward)
        self.computed_at[arm - 1] = round_number + 1

    def view(self, round_number: int, epsilon: Exact) -> ExactView:
        """Radii of the round after each arm's last query."""
        return _StaleRadii(self, round_number, epsilon)


class _StaleRadii(ExactView):
    def __init__(self, memory: StaleIntervals, round_number: int, epsilon: Exact) -> None:
        super().__init__(memory.state, memory.confidence, round_number, epsilon)
        self._computed_at = memory.computed_at

    def radius(self, arm: int) -> Exact:
        clock = Clock(self._computed_at[arm - 1])
        radius = half_width(self._confidence, self._state.records[arm - 1], clock)
        return radius if radius.is_infinite else exact_double(radius.approximation)


class LogOfQueries(Memory):
    """ln of the number of queries plus one stands where ln t belongs."""

    def view(self, round_number: int, epsilon: Exact) -> ExactView:
        """A clock that stands still in unqueried rounds."""
        return _QueryClock(self.state, self.confidence, round_number, epsilon)


class _QueryClock(ExactView):
    def radius(self, arm: int) -> Exact:
        clock = Clock(self._state.all_queries + 1)
        radius = half_width(self._confidence, self._state.records[arm - 1], clock)
        return radius if radius.is_infinite else exact_double(radius.approximation)


class ClipsBounds(Memory):
    """UCB is cut at 1 and LCB at 0."""

    def view(self, round_number: int, epsilon: Exact) -> ExactView:
        """Bounds inside [0, 1], widths as they were."""
        return _ClippedBounds(self.state, self.confidence, round_number, epsilon)


class _ClippedBounds(ExactView):
    def lcb(self, arm: int) -> Exact:
        return max(ZERO, super().lcb(arm))

    def ucb(self, arm: int) -> Exact:
        return min(ONE, super().ucb(arm))


class UnseenArmsAreZero(Memory):
    """An arm without a finite interval gets the mean as both its bounds."""

    def view(self, round_number: int, epsilon: Exact) -> ExactView:
        """Zero width where it should be infinite."""
        return _ZeroWidths(self.state, self.confidence, round_number, epsilon)


class _ZeroWidths(ExactView):
    def radius(self, arm: int) -> Exact:
        radius = super().radius(arm)
        return ZERO if radius.is_infinite else radius


class EpsilonOfPreviousRound(Memory):
    """Uses the epsilon of the round before."""

    def __init__(self, state: State, confidence: ConfidenceInterval) -> None:
        super().__init__(state, confidence)
        self.known: tuple[int, Exact] | None = None
        self.previous: Exact | None = None

    def view(self, round_number: int, epsilon: Exact) -> ExactView:
        """The previous epsilon, or this one in the first deciding round."""
        if self.known is not None and self.known[0] < round_number:
            self.previous = self.known[1]
        self.known = (round_number, epsilon) if round_number > self.state.arms else None
        return super().view(round_number, self.previous or epsilon)


class SmallestEpsilon(Memory):
    """Takes epsilon for nonincreasing: uses the smallest so far."""

    def __init__(self, state: State, confidence: ConfidenceInterval) -> None:
        super().__init__(state, confidence)
        self.smallest = PLUS_INFINITY

    def view(self, round_number: int, epsilon: Exact) -> ExactView:
        """The running minimum, rounded to a double where it comes from another round."""
        if round_number > self.state.arms:
            lowest = exact_double(epsilon.approximation)
            self.smallest = min(self.smallest, lowest)
            if self.smallest < lowest:
                epsilon = self.smallest
        return super().view(round_number, epsilon)


class BudgetOffByOne(Memory):
    """Stops when B^q(t-1) exceeds B(t), not B(t) - 1."""

    def view(self, round_number: int, epsilon: Exact) -> ExactView:
        """One query less is seen."""
        return _OneLess(self.state, self.confidence, round_number, epsilon)


class _OneLess(ExactView):
    def overspend(self) -> Exact:
        return super().overspend() - ONE


class BudgetWithoutInitialRounds(Memory):
    """The effective budget lacks its + K."""

    def view(self, round_number: int, epsilon: Exact) -> ExactView:
        """The initial queries are charged to the budget."""
        return _InitialCharged(self.state, self.confidence, round_number, epsilon)


class _InitialCharged(ExactView):
    def overspend(self) -> Exact:
        return super().overspend() + Exact.of(self.arms)


class BudgetOfOneArm(Memory):
    """The effective budget is 6 ln t / epsilon^2 + K: the factor K is missing."""

    def view(self, round_number: int, epsilon: Exact) -> ExactView:
        """K times the spending against K times the budget."""
        return _ArmsCharged(self.state, self.confidence, round_number, epsilon)


class _ArmsCharged(ExactView):
    def overspend(self) -> Exact:
        return super().overspend() * Exact.of(self.arms)


class ExponentialAverage(Memory):
    """The mean is a moving average: each reward counts one half, the count is right."""

    def __init__(self, state: State, confidence: ConfidenceInterval) -> None:
        super().__init__(state, confidence)
        self.averages = [0.0] * state.arms

    def queried(self, round_number: int, arm: int, reward: Rational) -> None:
        """Moves the average half way."""
        first = not self.state.queries(arm)
        super().queried(round_number, arm, reward)
        value = nearest_float(reward)
        self.averages[arm - 1] = value if first else (self.averages[arm - 1] + value) / 2

    def view(self, round_number: int, epsilon: Exact) -> ExactView:
        """The right radii around moving averages."""
        for arm, record in enumerate(self.state.records, start=1):
            if record.queries:
                record.mean = exact_double(self.averages[arm - 1])
        return super().view(round_number, epsilon)


class InfiniteWhileYoung(Memory):
    """An arm counts as unknown until its third query."""

    def view(self, round_number: int, epsilon: Exact) -> ExactView:
        """Infinite intervals below three queries."""
        return _YoungArms(self.state, self.confidence, round_number, epsilon)


class _YoungArms(ExactView):
    def radius(self, arm: int) -> Exact:
        if self._state.records[arm - 1].queries < 3:
            return PLUS_INFINITY
        return super().radius(arm)

    def lcb(self, arm: int) -> Exact:
        return MINUS_INFINITY if self.radius(arm).is_infinite else super().lcb(arm)

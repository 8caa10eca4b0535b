"""A known bug: a wrong version of a policy, as a rule, an interval or a bookkeeping, runnable like the real ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from bufalu.oracle.known_bugs.bookkeeping import Bookkeeping, BookkeepingView
from bufalu.oracle.known_bugs.edited_rules import UNEDITED_RULES, EditedRule
from bufalu.oracle.known_bugs.intervals import Interval, RightInterval
from bufalu.reference.comparisons import EveryTie, TieBreak
from bufalu.reference.exact import Exact
from bufalu.reference.live import LivePolicy
from bufalu.reference.policies import Admissible, Decision
from bufalu.reference.rationals import CountLike, NumberLike, Rational, whole_number
from bufalu.reference.rounds import Arrivals, Round
from bufalu.reference.schedules import nonnegative_level
from bufalu.reference.state import State

EVERY_POLICY = ("bufalu", "bufau", "cbm-ucb", "greedy")
EVERY_INTERVAL = ("hoeffding", "bernstein")


class KilledBy(Enum):
    """Where a known bug can be noticed, as the architecture of the checks has it."""

    CONFORM = "conform"
    STRICT = "check --strict on budget schedules"
    SYMBOLIC = "the symbolic layer, where intervals are abstract; equivalent with real intervals"


@dataclass(frozen=True)
class KnownBug:
    """One wrong version. `rules` and `intervals` replace those of the policies and intervals that they name.

    In an equivalent setting (policy, interval) the change makes no difference; the catalogue says why.
    """

    id: str
    description: str
    effect: str
    place: KilledBy = KilledBy.CONFORM
    rules: Mapping[str, EditedRule] = field(default_factory=dict)
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    bookkeeping: Callable[[State, Interval], Bookkeeping] = Bookkeeping
    view: Callable[[Bookkeeping, int, Exact], BookkeepingView] = BookkeepingView
    only_policies: tuple[str, ...] = EVERY_POLICY
    only_intervals: tuple[str, ...] = EVERY_INTERVAL
    equivalent_settings: tuple[tuple[str, str], ...] = ()
    ties: str = "first"

    def under(self, policy: str, rule: EditedRule) -> KnownBug:
        """This bug, which is not one of a rule, with the rule of another policy."""
        return replace(self, rules={policy: rule}, only_policies=(policy,), equivalent_settings=())

    @property
    def policies(self) -> tuple[str, ...]:
        """The policies that this bug changes."""
        named = tuple(self.rules) if self.rules else EVERY_POLICY
        return tuple(policy for policy in named if policy in self.only_policies)

    @property
    def confidences(self) -> tuple[str, ...]:
        """The intervals under which this bug shows."""
        named = tuple(self.intervals) if self.intervals else EVERY_INTERVAL
        return tuple(name for name in named if name in self.only_intervals)

    def settings(self) -> list[tuple[str, str]]:
        """Every (policy, interval) that this bug changes."""
        settings = [(policy, interval) for policy in self.policies for interval in self.confidences]
        return [setting for setting in settings if setting not in self.equivalent_settings]

    def live(
        self, policy: str, arms: int, confidence: str = "hoeffding", ties: TieBreak | str | None = None
    ) -> LiveKnownBug:
        """The wrong version of a policy, to be used like `bufalu.BuFALU` and its sisters."""
        return LiveKnownBug(self, policy, arms, confidence, ties)


class LiveKnownBug(LivePolicy):
    """A live policy with a known bug's rule, interval and bookkeeping. `confidence` is the interval that it claims to use."""

    def __init__(self, bug: KnownBug, policy: str, arms: int, confidence: str, ties: TieBreak | str | None) -> None:
        self.edited_rule = bug.rules.get(policy) or UNEDITED_RULES[policy]
        super().__init__(self.edited_rule, arms, confidence, ties or bug.ties)
        interval = bug.intervals.get(confidence) or RightInterval(self.confidence)
        self.bookkeeping = bug.bookkeeping(self.state, interval)
        self._bug = bug
        self.arrivals = Arrivals()
        self._told_unanswered = 0

    def decide(self, round: CountLike, epsilon: NumberLike | Exact) -> Decision:
        """The bug's decision of this round; raises what `LivePolicy.decide` raises."""
        if self._pending is not None or round != self._next_round:
            return super().decide(round, epsilon)
        self._tell_unanswered()
        round = self._next_round
        decision = self.edited_rule.decide(self.view(round, epsilon), self._ties)
        if round <= self.state.arms:
            self.bookkeeping.initial_epsilon(nonnegative_level(epsilon, "epsilon"))
        self._next_round += 1
        if decision.query:
            self._pending = decision.arm
        else:
            self.bookkeeping.unqueried(round, decision.arm)
        return decision

    def _learn(self, arm: int, reward: Rational) -> None:
        """Gives an answer to the bug's bookkeeping."""
        self.bookkeeping.queried(self._next_round - 1, arm, reward)

    def _learn_late(self, arm: int, reward: Rational) -> None:
        """Gives a late answer to the bug's bookkeeping; the one to the last round would have come before."""
        self._tell_unanswered()
        self.bookkeeping.late(self._next_round - 1, arm, reward)

    def _tell_unanswered(self) -> None:
        """Tells the bookkeeping, once, that the last round is not answered yet."""
        last = self._next_round - 1
        if last in self._awaited and last != self._told_unanswered:
            self._told_unanswered = last
            self.bookkeeping.unanswered(last, self._awaited[last])

    def admissible(self, round: CountLike, epsilon: NumberLike | Exact) -> Admissible:
        """Every decision that some tie-break gives the bug."""
        return self.edited_rule.admissible(self.view(whole_number(round, "round", 1), epsilon))

    def possible(self, round_number: int, epsilon: Exact) -> Iterator[Decision]:
        """The admissible decisions one by one, some of them several times."""
        for decision, _ in self.edited_rule.possible(self.view(round_number, epsilon), EveryTie[Exact]()):
            yield decision

    def follow(self, played: Round) -> None:
        """Takes a round of somebody's trace for its own, whatever this bug would have done."""
        if played.number <= self.state.arms and played.epsilon is not None:
            self.bookkeeping.initial_epsilon(played.epsilon)
        if not played.query:
            self.bookkeeping.unqueried(played.number, played.arm)
        if played.late:
            self.bookkeeping.unanswered(played.number, played.arm)
        # The answers to the latest queries first, as the games of the oracle tell them.
        for asked, arm, reward in reversed(self.arrivals.after(played)):
            if asked == played.number:
                self.bookkeeping.queried(played.number, arm, reward)
            else:
                self.bookkeeping.late(played.number, arm, reward)

    def view(self, round_number: int, epsilon: NumberLike | Exact) -> BookkeepingView:
        """What the bug's rule sees in this round; raises `InvalidSchedule` for a negative epsilon."""
        return self._bug.view(self.bookkeeping, round_number, self._level(round_number, epsilon))

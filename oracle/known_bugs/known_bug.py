"""A mutant: a wrong version of a policy, as a rule, an interval or a memory, runnable like the real ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from bufalu.oracle.known_bugs.bookkeeping import Memory, MemoryView
from bufalu.oracle.known_bugs.intervals import Interval, RightInterval
from bufalu.oracle.stepwise_rules import CORRECT, ZooRule
from bufalu.reference.exact import Exact
from bufalu.reference.live import LivePolicy
from bufalu.reference.policies import Decision, Explained
from bufalu.reference.rationals import Rational, rational
from bufalu.reference.rounds import Round
from bufalu.reference.state import State
from bufalu.reference.ties import TieBreak

EVERY_POLICY = ("bufalu", "bufau", "cbm-ucb", "greedy")
EVERY_INTERVAL = ("hoeffding", "bernstein")


class Place(Enum):
    """Where a mutant can be killed, as the architecture of the checks has it."""

    CONFORM = "conform"
    STRICT = "check --strict on budget schedules"
    SYMBOLIC = "the symbolic layer, where intervals are abstract; equivalent with real intervals"


@dataclass(frozen=True)
class Mutant:
    """One wrong version. `rules` and `intervals` replace those of the policies and intervals that they name.

    In an equivalent setting (policy, interval) the change makes no difference; the catalogue says why.
    """

    id: str
    description: str
    effect: str
    place: Place = Place.CONFORM
    rules: Mapping[str, ZooRule] = field(default_factory=dict)
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    memory: Callable[[State, Interval], Memory] = Memory
    view: Callable[[Memory, int, Exact], MemoryView] = MemoryView
    only_policies: tuple[str, ...] = EVERY_POLICY
    only_intervals: tuple[str, ...] = EVERY_INTERVAL
    equivalent_settings: tuple[tuple[str, str], ...] = ()
    ties: str = "first"

    @property
    def policies(self) -> tuple[str, ...]:
        """The policies that this mutation changes."""
        named = tuple(self.rules) if self.rules else EVERY_POLICY
        return tuple(policy for policy in named if policy in self.only_policies)

    @property
    def confidences(self) -> tuple[str, ...]:
        """The intervals under which this mutation shows."""
        named = tuple(self.intervals) if self.intervals else EVERY_INTERVAL
        return tuple(name for name in named if name in self.only_intervals)

    def settings(self) -> list[tuple[str, str]]:
        """Every (policy, interval) that this mutation changes."""
        settings = [(policy, interval) for policy in self.policies for interval in self.confidences]
        return [setting for setting in settings if setting not in self.equivalent_settings]

    def live(
        self, policy: str, arms: int, confidence: str = "hoeffding", ties: TieBreak | str | None = None
    ) -> LiveMutant:
        """The wrong version of a policy, to be used like `bufalu.BuFALU` and its sisters."""
        return LiveMutant(self, policy, arms, confidence, ties)


class LiveMutant(LivePolicy):
    """A live policy with a mutant's rule, interval and memory. `confidence` is the interval that it claims to use."""

    def __init__(self, mutant: Mutant, policy: str, arms: int, confidence: str, ties: TieBreak | str | None) -> None:
        self.zoo_rule = mutant.rules.get(policy) or CORRECT[policy]
        super().__init__(self.zoo_rule, arms, confidence, ties or mutant.ties)
        interval = mutant.intervals.get(confidence) or RightInterval(self.confidence)
        self.memory = mutant.memory(self.state, interval)
        self._mutant = mutant

    def decide(self, round: int, epsilon: Rational | float | Exact) -> Decision:
        """The mutant's decision of this round; raises what `LivePolicy.decide` raises."""
        if self._pending is not None or round != self._next_round:
            return super().decide(round, epsilon)
        decision = self.zoo_rule.decide(self.view(round, epsilon), self._ties)
        self._next_round += 1
        if decision.query:
            self._pending = decision.arm
        else:
            self.memory.unqueried(round, decision.arm)
        return decision

    def observe(self, reward: Rational | float) -> None:
        """Gives the reward of the round just queried to the mutant's memory; raises what `LivePolicy.observe` raises."""
        if self._pending is None:
            super().observe(reward)
        else:
            self.memory.queried(self._next_round - 1, self._pending, rational(reward))
            self._pending = None

    def admissible(self, round: int, epsilon: Rational | float | Exact) -> Explained:
        """Every decision that some tie-break gives the mutant."""
        return self.zoo_rule.admissible(self.view(round, epsilon))

    def follow(self, played: Round) -> None:
        """Takes a round of somebody's trace for its own, whatever this mutant would have done."""
        if played.reward is None:
            self.memory.unqueried(played.number, played.arm)
        else:
            self.memory.queried(played.number, played.arm, played.reward)

    def view(self, round_number: int, epsilon: Rational | float | Exact) -> MemoryView:
        """What the mutant's rule sees in this round; raises `InvalidSchedule` for a negative epsilon."""
        return self._mutant.view(self.memory, round_number, self._checked(round_number, epsilon))

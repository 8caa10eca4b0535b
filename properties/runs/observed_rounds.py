"""A run as the statements see it: every round with the state before it, hence with its intervals."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from bufalu.reference.confidence import ConfidenceInterval, confidence_named
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.policies import Decision, Policy, policy_named
from bufalu.reference.rationals import Rational
from bufalu.reference.rounds import Arrivals, Round
from bufalu.reference.state import State
from bufalu.reference.traces import TraceHeader, with_epsilon
from bufalu.reference.view import ExactView


@dataclass(frozen=True)
class ObservedRound:
    """One round after the initial ones: the state before it, what the policy saw, and what it did."""

    played: Round
    state: State
    view: ExactView

    @property
    def round(self) -> int:
        """t."""
        return self.played.number

    @property
    def arm(self) -> int:
        """a_t."""
        return self.played.arm

    @property
    def query(self) -> bool:
        """q_t."""
        return self.played.query

    @property
    def epsilon(self) -> Exact:
        """epsilon(t)."""
        return self.view.epsilon

    @property
    def decision(self) -> Decision:
        """(a_t, q_t)."""
        return Decision(self.played.arm, self.played.query)

    @property
    def arms(self) -> range:
        """1..K."""
        return range(1, self.state.arms + 1)


@dataclass(frozen=True)
class Run:
    """A run of any program with K arms: all its rounds, and the situations of the rounds t > K."""

    policy: str
    confidence: ConfidenceInterval
    arms: int
    schedule: str | None
    rounds: tuple[Round, ...]
    situations: tuple[ObservedRound, ...]
    memory: dict[Hashable, list[int]] = field(default_factory=dict, compare=False, repr=False)
    """What statements have computed for this run and may want again."""

    @property
    def horizon(self) -> int:
        """T."""
        return len(self.rounds)

    @property
    def rule(self) -> Policy:
        """The policy as the paper writes it; raises `UnknownName`."""
        return policy_named(self.policy)

    @cached_property
    def queries(self) -> tuple[int, ...]:
        """n^q_T(a) for every arm."""
        return self.queries_until(self.horizon)

    def queries_until(self, round_number: int) -> tuple[int, ...]:
        """n^q_t(a) for every arm, t = `round_number`."""
        counts = [0] * self.arms
        for played in self.rounds[:round_number]:
            counts[played.arm - 1] += played.query
        return tuple(counts)

    @cached_property
    def plays(self) -> tuple[int, ...]:
        """n_T(a) for every arm."""
        counts = [0] * self.arms
        for played in self.rounds:
            counts[played.arm - 1] += 1
        return tuple(counts)

    def header(self) -> TraceHeader:
        """The header of this run's trace."""
        return TraceHeader(self.policy, self.confidence.text, self.arms, self.schedule)


def after_query(state: State, arm: int, reward: Rational) -> State:
    """The state after one more reward; `state` itself stays as it was."""
    following = state.copy()
    following.record(arm, reward)
    return following


def replay(header: TraceHeader, rounds: Iterable[Round]) -> Run:
    """The run of a trace with the state before every round; epsilon comes from the header's schedule if it has one.

    Raises what an unknown interval or schedule raises.
    """
    confidence = confidence_named(header.confidence)
    state, arrivals = header.opening(), Arrivals()
    played_rounds: list[Round] = []
    situations: list[ObservedRound] = []
    for played in with_epsilon(rounds, header.schedule, header.arms):
        if played.number > header.arms:
            view = ExactView(state, confidence, played.number, played.epsilon or ZERO)
            situations.append(ObservedRound(played, state, view))
        played_rounds.append(played)
        for _, arm, reward in arrivals.after(played):
            state = after_query(state, arm, reward)
    return Run(header.policy, confidence, header.arms, header.epsilon, tuple(played_rounds), tuple(situations))


def maximum(numbers: Sequence[Exact]) -> Exact:
    """The largest of one or more exact numbers; written with `<` alone, which is one comparison and not two."""
    largest = numbers[0]
    for number in numbers[1:]:
        largest = number if largest < number else largest
    return largest

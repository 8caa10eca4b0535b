"""What one run did, told round by round for a picture: intervals, leader and challenger, both tests, the reasons.

Decisions are judged exactly. The numbers for drawing are doubles of the exact ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from bufalu.oracle.report import check_trace
from bufalu.reference.confidence import confidence_named
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.policies import Admissible, Decision, Reason, policy_named
from bufalu.reference.policies.interchangeable import admissible_decisions
from bufalu.reference.policies.roles import Roles
from bufalu.reference.rationals import Rational, format_rational, nearest_float
from bufalu.reference.rounds import Round
from bufalu.reference.state import ArmRecord, State
from bufalu.reference.traces import Trace, with_epsilon
from bufalu.reference.view import ExactView

REASONS = tuple(Reason)
"""The order in which reasons are numbered in the data of a picture."""


@dataclass
class ArmHistory:
    """One arm after each of its queries: the round, the count, and mean and variance of what was seen."""

    rounds: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    means: list[float] = field(default_factory=list)
    variances: list[float] = field(default_factory=list)
    exact_means: list[str] = field(default_factory=list)
    records: list[ArmRecord] = field(default_factory=list)


@dataclass
class Story:
    """The data of a picture; lists over rounds start with round 1."""

    trace: Trace
    arms: list[ArmHistory]
    played: list[int] = field(default_factory=list)
    queried: list[bool] = field(default_factory=list)
    rewards: list[str | None] = field(default_factory=list)
    leaders: list[int] = field(default_factory=list)
    challengers: list[int] = field(default_factory=list)
    reasons: list[int] = field(default_factory=list)
    uncertainties: list[float | None] = field(default_factory=list)
    epsilons: list[float | None] = field(default_factory=list)
    divergence: int | None = None
    admissible: list[str] = field(default_factory=list)

    @property
    def length(self) -> int:
        """The number of rounds."""
        return len(self.played)


def tell(trace: Trace, progress: Callable[[int], None] = lambda done: None, *, strict: bool = False) -> Story:
    """The story of a trace, with its first divergent round if it has one; calls `progress` with the rounds told.

    Which round diverges, if any, is the oracle's judgement, with the oracle's flag. Raises what `check_trace` raises.
    """
    header = trace.header
    rule = policy_named(header.policy)
    confidence = confidence_named(header.confidence)
    state = State(header.arms)
    story = Story(trace, [ArmHistory() for _ in range(header.arms)])
    for played in with_epsilon(trace.rounds, header.schedule, header.arms):
        epsilon = played.epsilon
        view = ExactView(state, confidence, played.number, epsilon or ZERO)
        allowed = admissible_decisions(rule, view)
        _note_round(story, played, view, allowed, epsilon)
        if played.reward is not None:
            state.record(played.arm, played.reward)
            _note_query(story.arms[played.arm - 1], played, state)
        if played.number % 256 == 0:
            progress(played.number)
    divergence = check_trace(trace, strict).checked.divergence
    if divergence is not None:
        story.divergence = divergence.round
        story.admissible = [describe(choice) for choice in sorted(divergence.admissible)]
    return story


def describe(decision: Decision) -> str:
    """A decision in words."""
    return f"play arm {decision.arm} {'and query' if decision.query else 'without a query'}"


def _note_round(story: Story, played: Round, view: ExactView, allowed: Admissible, epsilon: Exact | None) -> None:
    story.played.append(played.arm)
    story.queried.append(played.query)
    story.rewards.append(None if played.reward is None else format_rational(played.reward))
    story.epsilons.append(None if epsilon is None else finite(epsilon))
    reasons = allowed.get(Decision(played.arm, played.query)) or next(iter(allowed.values()))
    story.reasons.append(min(REASONS.index(reason) for reason in reasons))
    if epsilon is None:
        story.leaders.append(0)
        story.challengers.append(0)
        story.uncertainties.append(None)
        return
    roles = Roles(view)
    story.leaders.append(roles.leader)
    story.challengers.append(roles.challenger)
    story.uncertainties.append(finite(policy_named(story.trace.header.policy).uncertainty(view)))


def _note_query(history: ArmHistory, played: Round, state: State) -> None:
    record = state.records[played.arm - 1]
    mean: Rational = record.exact_mean()
    history.rounds.append(played.number)
    history.counts.append(record.queries)
    history.means.append(nearest_float(mean))
    history.variances.append(nearest_float(record.exact_variance()))
    history.exact_means.append(format_rational(mean))
    history.records.append(record)


def finite(number: Exact) -> float | None:
    """The double of a finite number, None for an infinity."""
    return None if number.is_infinite else (number.approximation if number.error < 1 else float(number))

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
from bufalu.reference.rationals import Rational, format_rational, nearest_float
from bufalu.reference.rounds import Round
from bufalu.reference.schedules import Schedule, parse_schedule
from bufalu.reference.state import State
from bufalu.reference.traces import Trace
from bufalu.reference.view import ExactView, maximisers

REASONS = tuple(Reason)
"""The order in which reasons are numbered in the data of a picture."""

UNCERTAINTY = {
    "bufalu": "UCB(candidate) − LCB(leader)",
    "bufau": "UCB(candidate) − LCB(leader)",
    "cbm-ucb": "width of the played arm",
    "greedy": "width of the arm with the largest UCB",
}
"""What the second panel compares with epsilon, for each policy."""


@dataclass
class ArmHistory:
    """One arm after each of its queries: the round, the count, and mean and variance of what was seen."""

    rounds: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    means: list[float] = field(default_factory=list)
    variances: list[float] = field(default_factory=list)
    exact_means: list[str] = field(default_factory=list)


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
    schedule = None if header.epsilon is None else parse_schedule(header.epsilon)
    state = State(header.arms)
    story = Story(trace, [ArmHistory() for _ in range(header.arms)])
    for played in trace.rounds:
        epsilon = round_epsilon(played, schedule, header.arms)
        view = ExactView(state, confidence, played.number, epsilon or ZERO)
        allowed = rule.admissible(view)
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


def round_epsilon(played: Round, schedule: Schedule | None, arms: int) -> Exact | None:
    """epsilon(t) of a round of a file: the schedule's exact value, or the number in the round; None at first."""
    if played.number <= arms:
        return None
    return played.epsilon if schedule is None else schedule.at(played.number, arms)


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
    everyone = range(1, view.arms + 1)
    leader = maximisers(everyone, view.lcb)[0]
    others = [arm for arm in everyone if arm != leader]
    challenger = maximisers(others, view.ucb)[0] if others else leader
    story.leaders.append(leader)
    story.challengers.append(challenger)
    story.uncertainties.append(finite(_uncertainty(story.trace.header.policy, view, leader, challenger)))


def _uncertainty(policy: str, view: ExactView, leader: int, challenger: int) -> Exact:
    top = maximisers(range(1, view.arms + 1), view.ucb)[0]
    if policy == "bufalu":
        candidate = maximisers(sorted({leader, challenger}), view.width)[0]
        return view.ucb(candidate) - view.lcb(leader)
    if policy == "bufau":
        return view.ucb(top) - view.lcb(leader)
    return view.width(top)


def _note_query(history: ArmHistory, played: Round, state: State) -> None:
    record = state.records[played.arm - 1]
    mean: Rational = record.exact_mean()
    history.rounds.append(played.number)
    history.counts.append(record.queries)
    history.means.append(nearest_float(mean))
    history.variances.append(nearest_float(record.exact_variance()))
    history.exact_means.append(format_rational(mean))


def finite(number: Exact) -> float | None:
    """The double of a finite number, None for an infinity."""
    return None if number.is_infinite else (number.approximation if number.error < 1 else float(number))

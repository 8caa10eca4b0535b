"""What one run did, told round by round for a picture: intervals, leader and challenger, both tests, the reasons.

Decisions are judged exactly, and so is who led and why: by doubles with error bounds where these settle it, else by exact
arithmetic. The numbers for drawing are doubles of the exact ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from bufalu.doubles.blocks import Block, Booleans, Floats, Integers, blocks_of_rounds
from bufalu.doubles.findings import block_roles
from bufalu.doubles.slices import Slice, Unfolding
from bufalu.doubles.views import BlockDoubles, block_doubles, view_of_block
from bufalu.oracle.checking import Checker, Divergence
from bufalu.reference.confidence import confidence_named
from bufalu.reference.errors import InvalidTrace
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.policies import Decision, policy_named
from bufalu.reference.policies.decisions import REASONS, Roles
from bufalu.reference.policies.interchangeable import admissible_decisions
from bufalu.reference.rationals import Rational, rational
from bufalu.reference.schedules import Schedule
from bufalu.reference.traces import Trace, TraceHeader
from bufalu.reference.view import ExactView

FROM_DIVERGENCE = "the round that does not conform, and those after it"
COLUMNS = 460
"""A static picture has the intervals of at most so many rounds."""


@dataclass(frozen=True)
class Story:
    """The data of a picture; arrays over rounds start with round 1. A number that there is not is NaN, an arm 0."""

    header: TraceHeader
    played: Integers
    queried: Booleans
    rewards: Integers
    """For each answer in turn, the place of its reward among `distinct_rewards`."""
    distinct_rewards: tuple[Rational, ...]
    leaders: Integers
    challengers: Integers
    candidates: Integers
    """The arm whose UCB, less the LCB of the leader (`against_leader`) or its own, is the uncertainty; 0 where another
    number is.
    """
    against_leader: bool
    reasons: Integers
    uncertainties: Floats
    epsilons: Floats
    exact_epsilons: Callable[[int], Exact | None]
    """The epsilon that the trace carries for a round, exactly."""
    columns: Integers
    """The rounds whose intervals are known here: all after the initial ones, or evenly spaced ones."""
    lower: Floats
    upper: Floats
    """LCB and UCB, one row for each arm, in the rounds `columns`; infinite with too few queries."""
    divergence: int | None = None
    admissible: list[str] = field(default_factory=list)
    answered: Integers | None = None
    """The first round that knew the answer to each round, 0 for none; None if the next round always did."""

    @property
    def length(self) -> int:
        """The number of rounds."""
        return len(self.played)

    def reason_counts(self) -> list[int]:
        """How many rounds were decided for each of `REASONS`: all of them, or those before the divergent one."""
        judged = self.reasons if self.divergence is None else self.reasons[: self.divergence - 1]
        return [int(count) for count in np.bincount(judged, minlength=len(REASONS))]

    def _rounds_by_reason(self) -> dict[str, int]:
        """How many rounds were decided for each reason that occurs, and how many there are from a divergent one on."""
        found = {reason.value: count for reason, count in zip(REASONS, self.reason_counts(), strict=True) if count}
        if self.divergence is not None:
            found[FROM_DIVERGENCE] = self.length - self.divergence + 1
        return found

    def lines(self) -> list[str]:
        """What the run did, for a terminal."""
        return [f"  {count:>9,}  {words}" for words, count in self._rounds_by_reason().items()]

    def document(self) -> dict[str, object]:
        """What the run did, for a machine."""
        return {
            "rounds": self.length,
            "queries": int(self.queried.sum()),
            "reasons": self._rounds_by_reason(),
            "first_divergence": self.divergence,
            "admissible": self.admissible,
        }


def tell(trace: Trace, progress: Callable[[int], None] = lambda done: None, *, strict: bool = False) -> Story:
    """The story of a trace, with its first divergent round if it has one; calls `progress` with the rounds told.

    Which round diverges, if any, is the oracle's judgement, with the oracle's flag. Raises what `check_trace` raises.
    """
    return tell_blocks(trace.header, list(blocks_of_rounds(trace.rounds)), progress, strict=strict)


def tell_blocks(
    header: TraceHeader,
    blocks: list[Block],
    progress: Callable[[int], None] = lambda done: None,
    *,
    strict: bool = False,
) -> Story:
    """`tell` for the blocks of a trace."""
    length = sum(len(block) for block in blocks)
    if not length:
        raise InvalidTrace("the trace", None, None, "no rounds: there is nothing to judge")
    teller = _Teller(header, length)
    checker = Checker(header, strict)
    for block in blocks:
        bare = block if header.epsilon is None else _without_epsilons(block)
        checker.take(bare)
        teller.take(bare)
        progress(block.first + len(block) - 1)
    divergence = checker.result.divergence
    return teller.story(
        blocks,
        None if divergence is None else divergence.round,
        [] if divergence is None else _alternatives(divergence),
    )


def _alternatives(divergence: Divergence) -> list[str]:
    """What the divergent round could have done; why it could, where its reason alone is wrong."""
    if divergence.in_reason_alone:
        return sorted(reason.value for reason in divergence.admissible[divergence.got])
    return [describe(choice) for choice in sorted(divergence.admissible)]


def describe(decision: Decision) -> str:
    """A decision in words."""
    return f"play arm {decision.arm} {'and query' if decision.query else 'without a query'}"


def columns(arms: int, length: int) -> Integers:
    """The rounds whose intervals a static picture has."""
    first = arms + 1
    count = max(0, min(COLUMNS, length - first + 1))
    if count <= 1:
        return np.full(count, first, dtype=np.int64)
    return first + (length - first) * np.arange(count, dtype=np.int64) // (count - 1)


class _Teller:
    """Takes the blocks of a trace in order."""

    def __init__(self, header: TraceHeader, length: int) -> None:
        self.header = header
        self.policy = policy_named(header.policy)
        self.confidence = confidence_named(header.confidence)
        self.schedule: Schedule | None = header.schedule
        self.unfolding = Unfolding(header.opening(), with_squares=self.confidence.uses_variance)
        self.by_arms = self.policy.ours and self.policy.uses_interval and self.confidence.shape is not None
        """Whether the uncertainty is UCB(candidate) - LCB(leader or candidate); a stranger's policy may draw anything."""
        self.against_leader = self.policy.ours and self.policy.steering is not None
        self.leaders, self.challengers, self.candidates = (np.zeros(length, dtype=np.int64) for _ in range(3))
        # Round t <= K has the first reason, and no role or number.
        self.reasons = np.zeros(length, dtype=np.int64)
        self.uncertainties, self.epsilons = np.full(length, np.nan), np.full(length, np.nan)
        self.columns = columns(header.arms, length)
        self.lower = np.full((header.arms, len(self.columns)), -np.inf)
        self.upper = np.full((header.arms, len(self.columns)), np.inf)

    def take(self, block: Block) -> None:
        """One more block."""
        for piece in self.unfolding.slices(block):
            if not piece.initial:
                self._later(piece)

    def _later(self, piece: Slice) -> None:
        here = slice(piece.first - 1, piece.first - 1 + len(piece))
        unsure = np.ones(len(piece), dtype=np.bool_)
        doubles: BlockDoubles | None = None
        if self.confidence.shape is not None:
            doubles = block_doubles(piece, self.confidence.shape, self.schedule)
            self.epsilons[here] = doubles.epsilon
            inside = np.flatnonzero((self.columns >= piece.first) & (self.columns < piece.first + len(piece)))
            places = self.columns[inside] - piece.first
            ends = (doubles.lcb, doubles.ucb) if self.policy.uses_interval else (doubles.mean, doubles.mean)
            self.lower[:, inside], self.upper[:, inside] = (end[:, places] for end in ends)
            if self.by_arms:
                view = view_of_block(doubles, piece.first)
                roles = block_roles(self.policy, view, piece.block.arm, piece.block.query)
                self.leaders[here], self.challengers[here] = roles.leader, roles.challenger
                self.candidates[here], self.reasons[here] = roles.candidate, roles.reason
                unsure = roles.unsure
        self._exactly(piece, np.flatnonzero(unsure))
        absent = np.isnan(self.epsilons[here])
        for holders in (self.leaders, self.challengers, self.candidates):
            holders[here][absent] = 0
        if self.header.arms == 1:
            self.challengers[here] = 0  # a single arm has no challenger (E22)
        if doubles is not None and self.by_arms:
            candidate, every = self.candidates[here] - 1, np.arange(len(piece))
            lower = doubles.lcb[self.leaders[here] - 1 if self.against_leader else candidate, every]
            self.uncertainties[here] = np.where(absent, np.nan, doubles.ucb[candidate, every] - lower)

    def _exactly(self, piece: Slice, doubtful: Integers) -> None:
        """The rounds at these places in exact arithmetic."""
        drawn = set(self.columns.tolist()) if self.confidence.shape is None else set()
        for place in map(int, doubtful):
            number, state = piece.first + place, piece.state_before(place)
            epsilon = piece.epsilon(place, self.schedule)
            view = ExactView(state, self.confidence, number, ZERO if epsilon is None else epsilon)
            allowed = admissible_decisions(self.policy, view)
            reasons = allowed.get(piece.block.decision(place)) or next(iter(allowed.values()))
            self.reasons[number - 1] = min(REASONS.index(reason) for reason in reasons)
            if epsilon is not None:
                self._exact_roles(view, number)
                if np.isnan(self.epsilons[number - 1]):
                    self.epsilons[number - 1] = _double(epsilon)
            if number in drawn:
                column = int(np.searchsorted(self.columns, number))
                for arm in range(1, self.header.arms + 1):
                    self.lower[arm - 1, column] = _double(view.lcb(arm))
                    self.upper[arm - 1, column] = _double(view.ucb(arm))

    def _exact_roles(self, view: ExactView, number: int) -> None:
        leaders, challengers = self.policy.roles(view)
        self.leaders[number - 1], self.challengers[number - 1] = leaders[0], (challengers or leaders)[0]
        if self.by_arms:
            self.candidates[number - 1] = self.policy.first_candidates(view, Roles(view))[0]
        else:
            self.uncertainties[number - 1] = _double(self.policy.uncertainty(view))

    def story(self, blocks: list[Block], divergence: int | None, admissible: list[str]) -> Story:
        """What was told."""
        rewards, distinct = _rewards(blocks)
        return Story(
            header=self.header,
            played=np.concatenate([block.arm for block in blocks]),
            queried=np.concatenate([block.query for block in blocks]),
            rewards=rewards,
            distinct_rewards=distinct,
            leaders=self.leaders,
            challengers=self.challengers,
            candidates=self.candidates,
            against_leader=self.against_leader,
            reasons=self.reasons,
            uncertainties=self.uncertainties,
            epsilons=self.epsilons,
            exact_epsilons=lambda number: _exact_epsilon(blocks, number),
            columns=self.columns,
            lower=self.lower,
            upper=self.upper,
            divergence=divergence,
            admissible=admissible,
            answered=_answered(blocks),
        )


def _double(number: Exact) -> float:
    """A double of a number."""
    return number.approximation if number.is_infinite or number.error < 1 else float(number)


def _exact_epsilon(blocks: Iterable[Block], number: int) -> Exact | None:
    for block in blocks:
        if block.first <= number < block.first + len(block):
            return block.exact_epsilon(number - block.first)
    return None


def _without_epsilons(block: Block) -> Block:
    """The block without the epsilons that its rounds carry: the schedule has them."""
    absent = np.full(len(block), np.nan)
    return replace(block, epsilon=absent, exact_epsilons={})


def _answered(blocks: list[Block]) -> Integers | None:
    """When the answers were known, the round after the last one standing for all later ones."""
    if all(block.answered is None for block in blocks):
        return None
    known = np.zeros(sum(len(block) for block in blocks), dtype=np.int64)
    for block in blocks:
        answers = block.answers()
        known[answers.asked - 1] = answers.known
    return np.minimum(known, len(known) + 1)


def _rewards(blocks: list[Block]) -> tuple[Integers, tuple[Rational, ...]]:
    """The rewards of all queries that were answered, as places among the distinct ones."""
    seen = np.concatenate([block.answers().reward for block in blocks])
    doubles, places = np.unique(seen, return_inverse=True)
    distinct: dict[Rational, int] = {rational(float(value)): place for place, value in enumerate(doubles)}
    for answer, reward in _beyond_doubles(blocks):
        places[answer] = distinct.setdefault(reward, len(distinct))
    return places, tuple(distinct)


def _beyond_doubles(blocks: list[Block]) -> Iterator[tuple[int, Rational]]:
    """The rewards that no double holds, each with the number of the answer, from 0."""
    before = 0
    for block in blocks:
        answers = block.answers()
        for asked, reward in answers.exact_rewards.items():
            yield before + int(np.searchsorted(answers.asked, asked)), reward
        before += len(answers)

"""A trace: what a run did, round by round, with its header; counts, means, regret and queries so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bufalu.reference import arguments
from bufalu.reference.arguments import IntervalLike, PolicyLike, ScheduleLike
from bufalu.reference.errors import InvalidInstance, InvalidSchedule, UnknownName
from bufalu.reference.rationals import (
    CountLike,
    NumberLike,
    Rational,
    many,
    parameter,
    shown,
    whole_number,
)
from bufalu.reference.rounds import Arrivals, Round
from bufalu.reference.schedules import Schedule, parse_schedule
from bufalu.reference.state import MOST_ARMS, ArmRecord, State


@dataclass(frozen=True, init=False)
class TraceHeader:
    """How a trace came about: the text forms of policy, interval and schedule, for which objects may be given.

    `epsilon` is None when the rounds carry their own numbers; `known` has what was known of each arm before round 1, None for
    nothing; `finding` the bugs that `bufalu conform` named after other runs of the same program, None where nobody looked.
    Raises a `BufaluError` naming the argument that is wrong; a text is looked up when the trace is used.
    """

    policy: str
    confidence: str
    arms: int
    epsilon: str | None
    means: tuple[Rational, ...] | None
    known: tuple[ArmRecord, ...] | None
    finding: tuple[str, ...] | None

    def __init__(
        self,
        policy: PolicyLike,
        confidence: IntervalLike,
        arms: CountLike,
        epsilon: ScheduleLike | None,
        means: Iterable[NumberLike] | None = None,
        *,
        known: Iterable[ArmRecord] | None = None,
        finding: Iterable[str] | None = None,
    ) -> None:
        own_policy = policy if isinstance(policy, str) else arguments.policy(policy).text
        interval = confidence if isinstance(confidence, str) else arguments.interval(confidence).text
        schedule = (
            epsilon if epsilon is None or isinstance(epsilon, str) else arguments.schedule(epsilon, "epsilon").text
        )
        if epsilon is not None and schedule is None:
            raise InvalidSchedule("epsilon has no text form: give None, and the numbers in the rounds")
        exact = None if means is None else tuple(parameter(mean, "means") for mean in many(means, "means"))
        object.__setattr__(self, "policy", own_policy)
        object.__setattr__(self, "confidence", interval)
        object.__setattr__(self, "arms", whole_number(arms, "arms", 1, MOST_ARMS))
        object.__setattr__(self, "epsilon", schedule)
        object.__setattr__(self, "means", exact)
        object.__setattr__(self, "known", None if known is None else _known(known, self.arms))
        object.__setattr__(self, "finding", None if finding is None else _names(finding))

    @property
    def schedule(self) -> Schedule | None:
        """The schedule that `epsilon` names; raises `InvalidSchedule` if there is none of that name."""
        return None if self.epsilon is None else parse_schedule(self.epsilon)

    def opening(self) -> State:
        """What is known before round 1."""
        state = State(self.arms)
        if self.known is not None:
            state.records = list(self.known)
            state.all_queries = sum(record.queries for record in self.known)
        return state


def _names(finding: Iterable[str]) -> tuple[str, ...]:
    """The names of bugs; raises `UnknownName` for what is no text."""
    names = tuple(many(finding, "finding"))
    if not all(isinstance(name, str) for name in names):
        raise UnknownName(f"finding must be a list of names, not {shown(names)}")
    return names


def _known(known: Iterable[ArmRecord], arms: int) -> tuple[ArmRecord, ...] | None:
    """The records of the arms, None where nothing is known; raises `InvalidInstance` for what no rewards in [0, 1] give."""
    records = tuple(many(known, "known"))
    if len(records) != arms:
        raise InvalidInstance(f"known: expected what is known of {arms} arms, found {len(records)}")
    for arm, record in enumerate(records, start=1):
        if not isinstance(record, ArmRecord) or not record.is_possible:
            raise InvalidInstance(
                f"known: no rewards in [0, 1] of arm {arm} have this number, sum and sum of squares"
            )
    return records if any(record.queries for record in records) else None


def with_epsilon(rounds: Iterable[Round], schedule: Schedule | None, arms: int) -> Iterator[Round]:
    """The rounds, each after the initial ones with its epsilon(t): that of the schedule if there is one."""
    for played in rounds:
        if schedule is None or played.number <= arms:
            yield played
        else:
            yield played._replace(epsilon=schedule.at(played.number, arms))


class Tally:
    """Running sums over a stream of rounds (l.268-270): plays, queries and observed rewards of each arm.

    `state` has the answers that the next round knows, which are those to all queries unless answers come late.
    """

    def __init__(self, arms: int) -> None:
        self.state = State(arms)
        self.plays = [0] * arms
        self.asked = [0] * arms
        self.rounds = 0
        self._arrivals = Arrivals()

    def add(self, played: Round) -> None:
        """Counts one more round."""
        self.rounds += 1
        self.plays[played.arm - 1] += 1
        self.asked[played.arm - 1] += played.query
        for _, arm, reward in self._arrivals.after(played):
            self.state.record(arm, reward)

    def count(self, rounds: Iterable[Round]) -> Iterator[Round]:
        """Passes the rounds on one by one, and counts each before the next is asked for."""
        for played in rounds:
            self.add(played)
            yield played

    @property
    def queries(self) -> int:
        """B^q, all queries so far."""
        return sum(self.asked)

    def queries_per_arm(self) -> tuple[int, ...]:
        """n^q(a) for every arm."""
        return tuple(self.asked)

    def regret(self, gaps: Iterable[Rational]) -> Rational:
        """The sum of Delta_a n(a): the pseudo-regret of this path for an instance with these gaps."""
        return sum((gap * plays for gap, plays in zip(gaps, self.plays, strict=True)), start=0)


@dataclass(frozen=True, init=False, repr=False)
class Trace:
    """A header and its rounds 1, 2, 3, ..., all in memory; raises `InvalidInstance` for rounds out of order."""

    header: TraceHeader
    rounds: tuple[Round, ...]

    def __init__(self, header: TraceHeader, rounds: Iterable[Round]) -> None:
        if not isinstance(header, TraceHeader):
            raise InvalidInstance(f"header must be a TraceHeader, not {shown(header)}")
        object.__setattr__(self, "header", header)
        object.__setattr__(self, "rounds", tuple(many(rounds, "rounds")))
        for wrong in (played for played in self.rounds if not isinstance(played, Round)):
            raise InvalidInstance(f"rounds must hold Round objects, not {shown(wrong)}")
        for expected, played in enumerate(self.rounds, start=1):
            if played.number != expected:
                raise InvalidInstance(f"round {played.number} stands where round {expected} belongs")
            if played.answered is not None and (played.reward is None or played.answered <= expected):
                raise InvalidInstance(f"round {expected}: `answered` is a later round, where there is a reward")

    @property
    def late(self) -> bool:
        """Whether an answer was not known in the round after its query, or some were known before round 1."""
        return self.header.known is not None or any(played.late for played in self.rounds)

    def __repr__(self) -> str:
        return f"<Trace of {self.title}>"

    @property
    def title(self) -> str:
        """What ran and how long, in a line."""
        header, rounds = self.header, f"{len(self.rounds):,} rounds"
        queries = sum(played.query for played in self.rounds)
        epsilon = "with its own epsilons" if header.epsilon is None else f"epsilon {header.epsilon}"
        arms = "1 arm" if header.arms == 1 else f"{header.arms} arms"
        return f"{header.policy} with {header.confidence} intervals, {arms}, {epsilon}: {rounds}, {queries:,} queries"

    def tally(self, until: int | None = None) -> Tally:
        """Plays, queries and means after the first `until` rounds (all of them by default)."""
        tally = Tally(self.header.arms)
        tally.state = self.header.opening()
        for played in self.rounds[:until]:
            tally.add(played)
        return tally

"""A trace: what a run did, round by round, with its header; counts, means, regret and queries so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from bufalu.reference.errors import InvalidInstance
from bufalu.reference.rationals import Rational
from bufalu.reference.rounds import Round
from bufalu.reference.schedules import Schedule, parse_schedule
from bufalu.reference.state import State


@dataclass(frozen=True)
class TraceHeader:
    """How a trace came about: the text forms of policy, interval and schedule.

    `epsilon` is None when the rounds carry their own numbers.
    """

    policy: str
    confidence: str
    arms: int
    epsilon: str | None
    means: tuple[Rational, ...] | None = None

    @property
    def schedule(self) -> Schedule | None:
        """The schedule that `epsilon` names; raises `InvalidSchedule` if there is none of that name."""
        return None if self.epsilon is None else parse_schedule(self.epsilon)


def with_epsilon(rounds: Iterable[Round], schedule: Schedule | None, arms: int) -> Iterator[Round]:
    """The rounds, each after the initial ones with its epsilon(t): that of the schedule if there is one."""
    for played in rounds:
        if schedule is None or played.number <= arms:
            yield played
        else:
            yield played._replace(epsilon=schedule.at(played.number, arms))


@dataclass
class Tally:
    """Running sums over a stream of rounds (l.268-270): plays, queries and observed rewards of each arm."""

    arms: int
    state: State = field(init=False)
    plays: list[int] = field(init=False)
    rounds: int = 0

    def __post_init__(self) -> None:
        self.state = State(self.arms)
        self.plays = [0] * self.arms

    def add(self, played: Round) -> None:
        """Counts one more round."""
        self.rounds += 1
        self.plays[played.arm - 1] += 1
        if played.reward is not None:
            self.state.record(played.arm, played.reward)

    def count(self, rounds: Iterable[Round]) -> Iterator[Round]:
        """The same rounds, counted as they pass by."""
        for played in rounds:
            self.add(played)
            yield played

    @property
    def queries(self) -> int:
        """B^q, all queries so far."""
        return self.state.all_queries

    def queries_per_arm(self) -> tuple[int, ...]:
        """n^q(a) for every arm."""
        return tuple(record.queries for record in self.state.records)

    def regret(self, gaps: Iterable[Rational]) -> Rational:
        """The sum of Delta_a n(a): the pseudo-regret of this path for an instance with these gaps."""
        return sum((gap * plays for gap, plays in zip(gaps, self.plays, strict=True)), start=0)


@dataclass(frozen=True)
class Trace:
    """A header and its rounds 1, 2, 3, ..., all in memory."""

    header: TraceHeader
    rounds: tuple[Round, ...]

    def __post_init__(self) -> None:
        for expected, played in enumerate(self.rounds, start=1):
            if played.number != expected:
                raise InvalidInstance(f"round {played.number} stands where round {expected} belongs")

    def tally(self, until: int | None = None) -> Tally:
        """Plays, queries and means after the first `until` rounds (all of them by default)."""
        tally = Tally(self.header.arms)
        for played in self.rounds[:until]:
            tally.add(played)
        return tally

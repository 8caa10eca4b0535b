"""The journal: which arm next, whether to ask for its reward, and why; answers when they come, if they come.

A journal is one SQLite file. Every step and every answer is one transaction, decisions use the answers known by then and
nothing else, and ties are broken by a seed in the file: two processes, eight threads, a crash and a restart make
the decisions of one undisturbed run.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Self

from bufalu.live.deciding import Decider, Step
from bufalu.live.errors import AnsweredTwice, UnknownStep, UnusableJournal
from bufalu.live.settings import OpeningRequest, Settings, given_as, own_number
from bufalu.live.store import ArmSums, StepRow, Store, state_of
from bufalu.live.summary import Summary, summary_of
from bufalu.reference.arguments import IntervalLike, PolicyLike, ScheduleLike
from bufalu.reference.errors import InvalidNumber
from bufalu.reference.policies import Reason
from bufalu.reference.rationals import CountLike, NumberLike, Rational, data, format_rational, whole_number
from bufalu.reference.rounds import Round
from bufalu.reference.state import State
from bufalu.reference.traces import Trace, TraceHeader


class RoundColumns(NamedTuple):
    """Consecutive rounds from `first` on, as columns. A decision is twice the number of the arm, one more if it asked; that
    times `CODES`, and the place of its reason among `REASONS`.

    Answers to these rounds: which round asked, which was the first to know, and the place of the reward among `rewards`,
    which lie in [0, 1]. `sums` are those that the file keeps after all rounds of this moment.
    """

    first: int
    decisions: list[int]
    asked: list[int]
    known: list[int]
    codes: list[int]
    rewards: list[Rational]
    sums: list[ArmSums]


class Journal:
    """A durable run of a policy, made by `Journal.open`; usable from every thread, and in children after a fork."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self.settings = settings
        self._decider = Decider(settings)
        self._version: tuple[int, int] | None = None
        self._rounds = 0
        self._sums: list[ArmSums] = []
        self._state = State(len(settings.arms))

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        arms: Sequence[str] | None = None,
        policy: PolicyLike | None = None,
        epsilon: ScheduleLike | None = None,
        rewards: tuple[NumberLike, NumberLike] | None = None,
        *,
        confidence: IntervalLike | None = None,
        ties: str | None = None,
        known: Mapping[str, Sequence[NumberLike]] | None = None,
    ) -> Self:
        """Takes up the journal in this file, or creates it: then `arms` (their names) and `epsilon` must be given.

        Unless said otherwise the policy is BuFALU, rewards lie in [0, 1], intervals are Hoeffding's, and ties are
        drawn with a new seed that the file keeps. `epsilon` is in the unit of the rewards. `known` has rewards of arms
        from before the first round, of the same laws. What is given for a journal that exists must be what it was
        created with: else `JournalDiffers`, with both values. Raises `UnusableJournal` for a file that is none, and a
        `BufaluError` naming an argument that is wrong.
        """
        place = os.fspath(path)
        given = OpeningRequest.of(
            arms, policy, epsilon, rewards=rewards, confidence=confidence, ties=ties, known=known
        )
        if not Path(place).exists():
            if arms is None:
                raise UnusableJournal(f"there is no journal {place} (give arms and epsilon to create it)")
            given.settings(seed=0)  # what makes no journal leaves no file either
        store, settings = Store(place), None
        if Path(place).exists():  # to take up a journal nothing is written
            with store.reading() as connection:
                settings = store.settings(connection)
        if settings is None:
            if arms is None:
                raise UnusableJournal(
                    f"{place} is empty: give arms and epsilon to create a journal there; if it is a copy of one in "
                    "use, the rest was in the -wal file beside it (docs/live.md says how to copy it)"
                )
            with store.transaction() as connection:
                settings = store.settings(connection)
                if settings is None:
                    settings = given.settings(secrets.randbelow(10**9))
                    store.create(connection, settings)
        given.refuse_unless(settings, place)
        return cls(store, settings)

    def next(self) -> Step:
        """Decides the next round and keeps it. Raises `UnusableJournal`, and `InvalidSchedule` where epsilon ends."""
        with self._store.transaction() as connection, self._up_to_date(connection):
            number = self._rounds + 1
            decision, reason = self._decider.decide(self._state, number)
            self._store.add_step(connection, number, decision.arm, decision.query, reason.name)
            sums = self._sums[decision.arm - 1]
            self._keep(
                connection,
                decision.arm,
                sums._replace(plays=sums.plays + 1, asked=sums.asked + decision.query),
            )
            self._rounds = number
            return Step(number, self.settings.arms[decision.arm - 1], decision.query, reason.value)

    def answer(self, step: CountLike, reward: NumberLike) -> None:
        """Takes the reward of a step that asked; the next decision knows it. A float is the binary64 that it is.

        Raises `UnknownStep` for a step that was not taken or did not ask, `AnsweredTwice` for one that is closed, and
        `InvalidReward` outside the range; then nothing has changed.
        """
        scaled = self.settings.scaled(reward)
        with self._store.transaction() as connection, self._up_to_date(connection):
            number, arm = self._waiting_step(connection, step)
            text = format_rational(data(reward, "the answer"))
            self._store.close_step(connection, number, self._rounds + 1, text)
            plays, asked, answers, total, squares = self._sums[arm - 1]
            sums = ArmSums(plays, asked, answers + 1, total + scaled, squares + scaled * scaled)
            self._keep(connection, arm, sums)
            self._state.record(arm, scaled)

    def no_answer(self, step: CountLike) -> None:
        """Says that the answer to a step will never come: it counts for nothing. Refusals as with `answer`."""
        with self._store.transaction() as connection, self._up_to_date(connection):
            number, _ = self._waiting_step(connection, step)
            self._store.close_step(connection, number, None, None)

    @property
    def waiting(self) -> tuple[Step, ...]:
        """The steps that asked and were not closed yet, oldest first."""
        with self._store.reading() as connection:
            return tuple(
                self._step(row.round, row.arm, row.ask, row.reason) for row in self._store.waiting(connection)
            )

    @property
    def rounds(self) -> int:
        """How many steps were taken so far."""
        with self._store.reading() as connection:
            return self._store.rounds(connection)

    def summary(self) -> Summary:
        """Counts, means and intervals by name, which arms may be best, and how much was lost at most so far."""
        with self._store.reading() as connection:
            rounds, sums = self._store.rounds(connection), self._store.sums(connection)
            waiting = self._store.count_waiting(connection)
        return summary_of(self.settings, rounds, sums, waiting)

    def steps(self) -> Iterator[Step]:
        """All steps so far, as a stream."""
        with self._store.reading() as connection:
            for row in self._store.steps(connection):
                yield self._step(row.round, row.arm, row.ask, row.reason)

    def header(self) -> TraceHeader:
        """The header of the journal's trace: arms are numbered in the order of their names, rewards lie in [0, 1]."""
        settings = self.settings
        known = settings.records_before()
        return TraceHeader(
            settings.policy, settings.confidence, len(settings.arms), self._decider.schedule, known=known
        )

    def played(self) -> Iterator[Round]:
        """The rounds as a stream: a reward stands with the round that asked for it, whenever it came; None if it did not."""
        with self._store.reading() as connection:
            for row in self._store.steps(connection):
                yield self._round(row)

    def trace(self) -> Trace:
        """The whole run as a trace, in memory, for `check_trace` and `write_trace`; an answer still to come is none yet."""
        return Trace(self.header(), self.played())

    def stretches(self, length: int) -> Iterator[RoundColumns]:
        """All rounds of one moment as columns, `length` of them at a time: a check of a journal reads nothing else."""
        with self._store.reading() as connection:
            sums = self._store.sums(connection)
            for first in range(1, self._store.rounds(connection) + 1, length):
                decisions = self._store.decisions(connection, first, length)
                answers = self._store.answers(connection, first, length)
                codes = {text: code for code, text in enumerate(dict.fromkeys(text for _, _, text in answers))}
                yield RoundColumns(
                    first,
                    decisions,
                    [asked for asked, _, _ in answers],
                    [known for _, known, _ in answers],
                    [codes[text] for _, _, text in answers],
                    [self.settings.scaled(text) for text in codes],
                    sums,
                )

    def _round(self, row: StepRow) -> Round:
        if row.reward is None:
            return Round(row.round, row.arm, row.ask, None, None)
        late = None if row.answered == row.round + 1 else row.answered
        return Round(row.round, row.arm, row.ask, self.settings.scaled(row.reward), None, late)

    def close(self) -> None:
        """Ends this process's connection. Nothing is lost without it."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def _step(self, number: int, arm: int, ask: bool, reason: str) -> Step:
        if reason not in Reason.__members__:
            raise UnusableJournal(f"{self._store.path}: step {number} has a reason that no journal writes: {reason}")
        return Step(number, self.settings.arms[arm - 1], ask, Reason[reason].value)

    @contextmanager
    def _up_to_date(self, connection: sqlite3.Connection) -> Iterator[None]:
        """What is in memory is what is in the file: read again after another process wrote, or after a failure."""
        version = self._store.version(connection)
        if version != self._version:
            self._rounds = self._store.rounds(connection)
            self._sums = self._store.sums(connection)
            self._state = state_of(self._sums)
            self._version = version
        try:
            yield
        except BaseException:
            self._version = None
            raise

    def _keep(self, connection: sqlite3.Connection, arm: int, sums: ArmSums) -> None:
        self._store.write_sums(connection, arm, sums)
        self._sums[arm - 1] = sums

    def _waiting_step(self, connection: sqlite3.Connection, step: CountLike) -> tuple[int, int]:
        """Round and arm of a step whose answer is awaited."""
        try:
            number = whole_number(step, "step")
        except InvalidNumber as problem:
            raise UnknownStep(str(problem)) from None
        row = self._store.step(connection, number)
        if row is None:
            raise UnknownStep(f"there is no step {number}: {self._rounds} were taken so far")
        if not row.ask:
            raise UnknownStep(f"step {number} did not ask for an answer")
        if row.closed:
            kept = (
                "as never to be answered"
                if row.reward is None
                else f"with the answer {given_as(own_number(row.reward))}"
            )
            raise AnsweredTwice(f"step {number} is closed already, {kept}; nothing was changed")
        return row.round, row.arm

"""The file of a journal: SQLite with a write-ahead log, each change one transaction, one row a step.

Beside the steps stand the sums of each arm's answers, so that taking a run up again costs as much as it has arms, whatever
the number of its rounds.
"""

from __future__ import annotations

import ctypes
import json
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from itertools import chain
from typing import NamedTuple
from weakref import WeakSet

from bufalu.live.connections import cannot_open, connect, looking
from bufalu.live.errors import UnusableJournal
from bufalu.live.settings import Settings, own_number
from bufalu.reference.policies.decisions import REASONS
from bufalu.reference.rationals import Rational, format_rational, shown
from bufalu.reference.state import ArmRecord, State

FORMAT = 1
APPLICATION = 0x42554641
"""The mark by which SQLite files say whose they are: BUFA."""

_SCHEMA = """
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE arm (
    arm INTEGER PRIMARY KEY, plays INTEGER NOT NULL, asked INTEGER NOT NULL,
    answers INTEGER NOT NULL, total TEXT NOT NULL, squares TEXT NOT NULL);
CREATE TABLE step (
    round INTEGER PRIMARY KEY, arm INTEGER NOT NULL, ask INTEGER NOT NULL, reason TEXT NOT NULL,
    closed INTEGER NOT NULL, answered INTEGER, reward TEXT);
CREATE INDEX waiting ON step (round) WHERE ask = 1 AND closed = 0;
"""


class ArmSums(NamedTuple):
    """How often an arm was played, asked about and answered, and the sums of its answers and their squares in [0, 1]."""

    plays: int
    asked: int
    answers: int
    total: Rational
    squares: Rational


class StepRow(NamedTuple):
    """A step as the file keeps it. `closed`: nothing more is expected. `answered` is the first round that knew."""

    round: int
    arm: int
    ask: bool
    reason: str
    closed: bool
    answered: int | None
    reward: str | None


CODES = len(REASONS) + 1
"""One for each reason, and the last for a step that no journal writes: one with another reason, or one that is open though it
has its answer or never asked."""

_REASON_CODE = (
    f"CASE WHEN closed < (ask = 0 OR reward IS NOT NULL) THEN {CODES - 1} ELSE CASE reason "
    + " ".join(f"WHEN '{reason.name}' THEN {code}" for code, reason in enumerate(REASONS))
    + f" ELSE {CODES - 1} END END"
)
_COLUMNS = "round, arm, ask, reason, closed, answered, reward"


def _row(found: tuple[int, int, int, str, int, int | None, str | None]) -> StepRow:
    number, arm, ask, reason, closed, answered, reward = found
    return StepRow(number, arm, bool(ask), reason, bool(closed), answered, reward)


def state_of(sums: Sequence[ArmSums]) -> State:
    """What a policy sees: answers only."""
    state = State(len(sums))
    state.records = [ArmRecord(row.answers, row.total, row.squares) for row in sums]
    state.all_queries = sum(row.answers for row in sums)
    return state


class Store:
    """One connection to a journal's file, shared by the threads of a process and made anew after a fork."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._connections = 0
        _STORES.add(self)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing, and alone: no other thread or process writes meanwhile. Raises `UnusableJournal`."""
        with self._lock, self._refusals():
            connection = self._connected()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection of its own that sees one moment of the journal, however long it reads; writers go on."""
        with self._refusals(), looking(self.path) as connection:
            yield connection

    def version(self, connection: sqlite3.Connection) -> tuple[int, int]:
        """What changes when another connection has changed the file: SQLite's number means nothing beyond its connection."""
        (number,) = connection.execute("PRAGMA data_version").fetchone()
        return self._connections, int(number)

    def create(self, connection: sqlite3.Connection, settings: Settings) -> None:
        """Writes the tables of a new journal; belongs into a transaction."""
        for statement in _SCHEMA.split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {FORMAT}")
        connection.execute("INSERT INTO setting VALUES ('settings', ?)", (json.dumps(asdict(settings)),))
        for arm, record in enumerate(settings.records_before(), start=1):
            connection.execute(
                "INSERT INTO arm VALUES (?, 0, 0, ?, ?, ?)",
                (arm, record.queries, format_rational(record.total), format_rational(record.squares)),
            )

    def settings(self, connection: sqlite3.Connection) -> Settings | None:
        """What the journal was created with; None for a file that is new. Raises `UnusableJournal` for another file."""
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if application == 0 and tables == 0:
            return None
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if application != APPLICATION:
            raise UnusableJournal(f"{self.path} is a database of another program, not a journal")
        if version != FORMAT:
            raise UnusableJournal(f"{self.path} is a journal of format {version}, and this version reads {FORMAT}")
        (text,) = connection.execute("SELECT value FROM setting WHERE name = 'settings'").fetchone()
        try:
            kept: dict[str, str | list[str]] = json.loads(text)
            values = {name: tuple(value) if isinstance(value, list) else value for name, value in kept.items()}
            return Settings(**values)  # type: ignore[arg-type]  # as `create` wrote them
        except (ValueError, TypeError, AttributeError):
            raise UnusableJournal(f"{self.path}: its settings are damaged: {shown(text)}") from None

    def sums(self, connection: sqlite3.Connection) -> list[ArmSums]:
        """Counts and sums of every arm, arm 1 first."""
        rows = connection.execute("SELECT plays, asked, answers, total, squares FROM arm ORDER BY arm")
        return [
            ArmSums(plays, asked, answers, own_number(total), own_number(squares))
            for plays, asked, answers, total, squares in rows
        ]

    def write_sums(self, connection: sqlite3.Connection, arm: int, sums: ArmSums) -> None:
        """Keeps the counts and sums of an arm."""
        connection.execute(
            "UPDATE arm SET plays = ?, asked = ?, answers = ?, total = ?, squares = ? WHERE arm = ?",
            (*sums[:3], format_rational(sums.total), format_rational(sums.squares), arm),
        )

    def rounds(self, connection: sqlite3.Connection) -> int:
        """How many steps were taken."""
        (last,) = connection.execute("SELECT max(round) FROM step").fetchone()
        return last or 0

    def steps(self, connection: sqlite3.Connection) -> Iterator[StepRow]:
        """All steps in their order, as a stream."""
        return map(_row, connection.execute(f"SELECT {_COLUMNS} FROM step ORDER BY round"))

    def decisions(self, connection: sqlite3.Connection, first: int, length: int) -> list[int]:
        """The decisions of consecutive rounds, coded as in `RoundColumns`. Raises `UnusableJournal` for a gap."""
        rows = connection.execute(
            f"SELECT (2 * arm + ask) * {CODES} + {_REASON_CODE} FROM step WHERE round >= ? AND round < ? ORDER BY round",
            (first, first + length),
        )
        found: list[int] = list(chain.from_iterable(rows))
        if len(found) != min(length, self.rounds(connection) - first + 1):
            raise UnusableJournal(f"{self.path}: some of the rounds from {first} on are missing")
        return found

    def answers(self, connection: sqlite3.Connection, first: int, length: int) -> list[tuple[int, int, str]]:
        """The answers to these rounds: which round asked, which was the first to know, the reward."""
        rows = connection.execute(
            "SELECT round, answered, reward FROM step WHERE round >= ? AND round < ? AND reward IS NOT NULL ORDER BY round",
            (first, first + length),
        )
        return rows.fetchall()

    def waiting(self, connection: sqlite3.Connection) -> Iterator[StepRow]:
        """The steps that asked and were not closed, oldest first."""
        return map(
            _row, connection.execute(f"SELECT {_COLUMNS} FROM step WHERE ask = 1 AND closed = 0 ORDER BY round")
        )

    def count_waiting(self, connection: sqlite3.Connection) -> int:
        """How many steps asked and were not closed."""
        (count,) = connection.execute("SELECT count(*) FROM step WHERE ask = 1 AND closed = 0").fetchone()
        return int(count)

    def step(self, connection: sqlite3.Connection, number: int) -> StepRow | None:
        """The step of this round; None if there is none."""
        found = connection.execute(f"SELECT {_COLUMNS} FROM step WHERE round = ?", (number,)).fetchone()
        return None if found is None else _row(found)

    def add_step(self, connection: sqlite3.Connection, number: int, arm: int, ask: bool, reason: str) -> None:
        """Keeps a new step; one that does not ask is closed at once."""
        connection.execute("INSERT INTO step VALUES (?, ?, ?, ?, ?, NULL, NULL)", (number, arm, ask, reason, not ask))

    def close_step(
        self, connection: sqlite3.Connection, number: int, answered: int | None, reward: str | None
    ) -> None:
        """Keeps the answer to a step and the first round that knew it, or that there is none."""
        connection.execute(
            "UPDATE step SET closed = 1, answered = ?, reward = ? WHERE round = ?", (answered, reward, number)
        )

    def close(self) -> None:
        """Ends the connection of this process; what was committed is in the file."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def after_fork(self) -> None:
        """Makes the copy in a child usable: the lock may be held by a thread that is not here, and the connection is the
        parent's. SQLite forbids even to close it, so that it is kept for ever.
        """
        self._lock = threading.RLock()
        if self._connection is not None:
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._connection))
            self._connection = None

    def _connected(self) -> sqlite3.Connection:
        """The connection of this process."""
        if self._connection is None:
            self._connection = connect(self.path)
            self._connections += 1
        return self._connection

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as problem:
            hint = " (is there such a folder, and may it be written?)" if cannot_open(problem) else ""
            raise UnusableJournal(f"{self.path}: {problem}{hint}") from None
        except sqlite3.DatabaseError as problem:
            raise UnusableJournal(f"{self.path} is not a journal: {problem}") from None


_STORES: WeakSet[Store] = WeakSet()


def _after_fork() -> None:
    for store in tuple(_STORES):
        store.after_fork()


if hasattr(os, "register_at_fork"):  # Windows does not fork
    os.register_at_fork(after_in_child=_after_fork)

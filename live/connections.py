"""Connections to the file of a journal: one that writes, and one that only looks, also where nothing may be written."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager

from bufalu.live.errors import UnusableJournal

PATIENCE = 600.0
"""Seconds to wait for another writer: against a program that hangs, not for one that works."""

ATTEMPTS = 20
"""How often a file that somebody is writing is copied anew."""

_NOT_WRITABLE = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
"""What SQLite says where it may not write its log, also to who only reads."""


def cannot_open(problem: sqlite3.OperationalError) -> bool:
    """Whether SQLite could not open a file, or may not write it."""
    return _kind(problem) in _NOT_WRITABLE


def _kind(problem: sqlite3.OperationalError) -> int:
    """The lowest byte of SQLite's code, which says what kind of problem it is; 0, its word for none, without a code."""
    code: int = getattr(problem, "sqlite_errorcode", 0)
    return code & 0xFF


def connect(path: str) -> sqlite3.Connection:
    """A connection that reads and writes."""
    connection = _connection(path)
    while not _logs_ahead(connection):
        connection.execute("BEGIN EXCLUSIVE")  # waits, with patience, until nobody else is at the file
        connection.execute("COMMIT")
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


def _logs_ahead(connection: sqlite3.Connection) -> bool:
    """Gives the file a write-ahead log if it has none; false if somebody else was at the file.

    SQLite refuses this at once where it waits for everything else, so that programs that open one new journal together
    would refuse each other.
    """
    try:
        connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as problem:
        if _kind(problem) == sqlite3.SQLITE_BUSY:
            return False
        raise
    return True


@contextmanager
def looking(path: str) -> Iterator[sqlite3.Connection]:
    """A connection that sees one moment of a file. Where SQLite may not write beside the file, that of a copy.

    A file with a write-ahead log wants a second one beside it, of who reads what. In a folder or on a disk that cannot be
    written there is none, and what was committed may still be in the log alone: file and log are read from a copy then.
    """
    with ExitStack() as open_ones:
        try:
            connection = open_ones.enter_context(_moment(path))
        except sqlite3.OperationalError as problem:
            if not cannot_open(problem) or not os.path.isfile(path):
                raise
            folder = open_ones.enter_context(tempfile.TemporaryDirectory(prefix="bufalu-journal-"))
            connection = open_ones.enter_context(_moment(_copied(path, os.path.join(folder, "copy.db"))))
        yield connection


@contextmanager
def _moment(path: str) -> Iterator[sqlite3.Connection]:
    """A connection that sees a file as it is when the connection is made."""
    with closing(_connection(path)) as connection:
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        yield connection


def _connection(path: str) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)


def _copied(path: str, copy: str) -> str:
    """Copies a file with its log, and gives the copy's name; raises `UnusableJournal` if somebody writes all the while."""
    for _ in range(ATTEMPTS):
        before = _stamps(path)
        for ending in ("", "-wal"):
            if os.path.exists(path + ending):
                shutil.copyfile(path + ending, copy + ending)
        if _stamps(path) == before:
            return copy
    raise UnusableJournal(f"{path} is being written, and its folder cannot be: check a copy (docs/live.md says how)")


def _stamps(path: str) -> list[tuple[int, int, int]]:
    """What changes when file or log are written."""
    found = [os.stat(path + ending) for ending in ("", "-wal") if os.path.exists(path + ending)]
    return [(stat.st_ino, stat.st_size, stat.st_mtime_ns) for stat in found]

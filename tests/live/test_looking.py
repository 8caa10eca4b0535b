"""A journal is read where nothing can be written: its folder, its disk, and the log that SQLite wants beside it."""

import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bufalu.live import connections
from bufalu.live.errors import UnusableJournal
from bufalu.live.journal import Journal
from tests.bufalu.runner import bufalu_as_a_user


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[Path]:
    """A folder, which can be written no more once a test has said so."""
    folder = tmp_path / "locked"
    folder.mkdir()
    yield folder
    folder.chmod(0o755)


def played(path: Path) -> Journal:
    journal = Journal.open(path, arms=["a", "b"], epsilon="zero", ties="first")
    for _ in range(30):
        journal.answer(journal.next().id, 1)
    return journal


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="modes bind the superuser on Linux alone")
@pytest.mark.parametrize("ended", [True, False])
def test_a_folder_that_cannot_be_written_is_enough_to_check_and_show(locked, ended):
    """With and without rounds that are in the log alone, since nobody closed the journal."""
    journal = played(locked / "source.db")
    if ended:
        journal.close()
    for file in locked.glob("source.db*"):
        if not file.name.endswith("-shm"):
            shutil.copy(file, locked / file.name.replace("source", "kept"))
    journal.close()
    assert (locked / "kept.db-wal").exists() is not ended
    locked.chmod(0o555)
    assert bufalu_as_a_user("check", locked / "kept.db").stdout.startswith(
        "conforms: bufalu with hoeffding intervals, 2 arms: 30 rounds"
    )
    assert bufalu_as_a_user("live", "check", locked / "kept.db").returncode == 0
    assert bufalu_as_a_user("live", "show", locked / "kept.db").stdout.startswith(
        "30 rounds, asked 30 times, 30 answers known"
    )
    refused = bufalu_as_a_user("live", "next", locked / "kept.db")
    assert (refused.returncode, refused.stdout) == (2, "") and len(refused.stderr.splitlines()) == 1
    assert not list(locked.glob("kept.db-shm"))


def test_a_database_of_another_program_is_left_as_it_was(tmp_path):
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE mine (value)")
    before = path.read_bytes()
    with pytest.raises(UnusableJournal, match="another program"):
        Journal.open(path)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


def test_a_copy_of_what_was_written_meanwhile_is_made_again(tmp_path, monkeypatch):
    """The first copy sees a writer between its two files, the second does not; one that never rests is not believed."""
    path, copying = tmp_path / "run.db", shutil.copyfile
    writer, copies = played(path), []

    def disturbed(source: str, target: str) -> None:
        copying(source, target)
        copies.append(source)
        if len(copies) == 1 or restless:
            writer.next()

    monkeypatch.setattr(connections.shutil, "copyfile", disturbed)
    restless = False
    copy = connections._copied(str(path), str(tmp_path / "copy.db"))
    assert copies == [str(path), f"{path}-wal"] * 2
    assert Journal.open(copy).rounds == writer.rounds == 31
    restless = True
    with pytest.raises(UnusableJournal, match="is being written"):
        connections._copied(str(path), str(tmp_path / "again.db"))


@pytest.mark.parametrize(
    ("code", "so"),
    [
        *((code, True) for code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)),
        *((code, True) for code in (sqlite3.SQLITE_CANTOPEN_ISDIR, sqlite3.SQLITE_READONLY_DBMOVED)),
        *((code, False) for code in range(32) if code not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)),
        (None, False),
    ],
)
def test_what_sqlite_says_of_a_file_that_it_cannot_open(code, so):
    """SQLite's codes differ above the lowest byte by the reason; a complaint may be without a code."""
    assert connections.cannot_open(complaint(code)) is so


def complaint(code):
    problem = sqlite3.OperationalError(f"complaint {code}")
    if code is not None:
        problem.sqlite_errorcode = code
    return problem


class Complaining:
    """A connection at which every statement fails."""

    def __init__(self, code):
        self.code = code

    def execute(self, statement):
        raise complaint(self.code)


def test_only_who_finds_another_at_the_file_tries_to_keep_a_log_again():
    for code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_BUSY_RECOVERY):
        assert not connections._logs_ahead(Complaining(code))
    for code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_LOCKED, None):
        with pytest.raises(sqlite3.OperationalError, match=f"complaint {code}"):
            connections._logs_ahead(Complaining(code))
    with sqlite3.connect(":memory:") as connection:
        assert connections._logs_ahead(connection)


@pytest.mark.parametrize("code", [sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_BUSY])
@pytest.mark.parametrize("there", [True, False])
def test_a_copy_is_read_where_a_file_is_there_and_cannot_be_opened(tmp_path, monkeypatch, code, there):
    path = str(tmp_path / "run.db")
    if there:
        played(tmp_path / "run.db").close()
    opened, moment = [], connections._moment

    @contextmanager
    def only_copies(name):
        opened.append(name)
        if name == path:
            raise complaint(code)
        with moment(name) as connection:
            yield connection

    monkeypatch.setattr(connections, "_moment", only_copies)
    if there and code == sqlite3.SQLITE_CANTOPEN:
        with connections.looking(path) as connection:
            assert connection.execute("SELECT count(*) FROM step").fetchone() == (30,)
        assert len(opened) == 2
    else:
        with pytest.raises(sqlite3.OperationalError, match="complaint"), connections.looking(path):
            pass
        assert opened == [path]

"""Of several processes that need a result at once, one works for it."""

import errno
import fcntl
import sys
from types import SimpleNamespace

import pytest

from bufalu.reference.whole_files import alone


def test_whoever_comes_second_waits(tmp_path):
    def entered():
        with (tmp_path / "kept" / "lock").open("wb") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
        return True

    with alone(tmp_path / "kept" / "lock"):
        assert not entered()
    assert entered()


def test_a_folder_that_cannot_be_used_stops_nobody(tmp_path):
    (tmp_path / "file").write_text("")
    entered = []
    with alone(tmp_path / "file" / "lock"):
        entered.append(True)
    assert entered


def refuse(handle, operation):
    raise OSError(errno.ENOLCK, "no locks available")


@pytest.mark.parametrize("locks", [SimpleNamespace(flock=refuse, LOCK_EX=2), None], ids=["file system", "system"])
def test_where_there_are_no_locks_nobody_is_stopped(tmp_path, monkeypatch, locks):
    monkeypatch.setitem(sys.modules, "fcntl", locks)
    entered = []
    with alone(tmp_path / "lock"):
        entered.append(True)
    assert entered


def test_what_fails_inside_is_not_hidden(tmp_path):
    with pytest.raises(OSError, match="disk full"), alone(tmp_path / "lock"):
        raise OSError("disk full")

"""Of several processes that need a kernel at once, one compiles it."""

import errno
from threading import Event, Thread
from types import SimpleNamespace

import pytest

from bufalu.experiments.engine import compiled
from bufalu.experiments.engine.compiled import alone


def test_whoever_comes_second_waits(tmp_path):
    entered = Event()

    def second():
        with alone(tmp_path / "kept"):
            entered.set()

    with alone(tmp_path / "kept"):
        other = Thread(target=second)
        other.start()
        assert not entered.wait(0.1)
    assert entered.wait(60)
    other.join()


def test_a_folder_that_cannot_be_used_stops_nobody(tmp_path):
    (tmp_path / "file").write_text("")
    entered = []
    with alone(tmp_path / "file"):
        entered.append(True)
    assert entered


def test_a_file_system_without_locks_stops_nobody(tmp_path, monkeypatch):
    def refuse(handle, operation):
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(compiled, "_optional", lambda name: SimpleNamespace(flock=refuse, LOCK_EX=2))
    entered = []
    with alone(tmp_path):
        entered.append(True)
    assert entered


def test_what_fails_inside_is_not_hidden(tmp_path):
    with pytest.raises(OSError, match="disk full"), alone(tmp_path):
        raise OSError("disk full")

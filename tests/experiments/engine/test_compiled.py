"""Of several processes that need a kernel at once, one compiles it."""

import errno
import fcntl
import gc
from types import SimpleNamespace

import pytest

from bufalu.experiments.engine import compiled
from bufalu.experiments.engine.compiled import alone, uncollected


def test_whoever_comes_second_waits(tmp_path):
    def entered():
        with (tmp_path / "kept" / "compiling").open("wb") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
        return True

    with alone(tmp_path / "kept"):
        assert not entered()
    assert entered()


@pytest.mark.parametrize("enabled", [True, False])
def test_garbage_is_looked_for_again_after_compiling(enabled):
    def fail():
        assert not gc.isenabled()
        raise ZeroDivisionError

    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        with pytest.raises(ZeroDivisionError), uncollected():
            fail()
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()


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

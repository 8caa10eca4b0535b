"""A program under test is ended with everything that it started, however `bufalu conform` itself ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bufalu.oracle import processes
from bufalu.oracle.processes import descendants_of, end_with_descendants
from bufalu.oracle.program import Program
from tests.bufalu.runner import ROOT

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="watches processes in Linux's /proc")

SLOW_STARTER = """
import os, subprocess, sys, time
folder = sys.argv[1]
child = subprocess.Popen(["sleep", "600"], start_new_session=True)
# A daemon: its parent is gone before anybody looks.
subprocess.run([sys.executable, "-c", (
    "import subprocess, sys; "
    "print(subprocess.Popen(['sleep', '601'], start_new_session=True).pid, file=open(sys.argv[1], 'w'))"
), folder + "/daemon"], check=True)
print(child.pid, file=open(folder + "/child", "w"))
open(folder + "/ready", "w").close()
for line in sys.stdin:
    time.sleep(600)
"""


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < deadline, path
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def started_by(folder: Path) -> list[int]:
    wait_for(folder / "ready")
    return [int((folder / name).read_text()) for name in ("child", "daemon")]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_leaves_no_process_behind(tmp_path, number):
    script = tmp_path / "program.py"
    script.write_text(SLOW_STARTER)
    command = [sys.executable, "-m", "bufalu", "conform", "--timeout", "500", "--", sys.executable, script, tmp_path]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as conform:
        pids = started_by(tmp_path)
        assert all(map(is_running, pids))
        conform.send_signal(number)
        try:
            _, errors = conform.communicate(timeout=60)
        finally:
            conform.kill()
    assert conform.returncode == 128 + number
    assert "Traceback" not in errors
    assert not any(map(is_running, pids))


def test_an_answer_may_take_its_time():
    with Program(["sh", "-c", """read line; sleep 0.2; echo '{"ok": true}'"""], timeout=60) as program:
        assert program.ask({"command": "start"}) == {"ok": True}


def test_leaving_the_context_ends_descendants_and_says_what_survives(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(SLOW_STARTER)
    with Program([sys.executable, str(script), str(tmp_path)], timeout=5) as program:
        child, _ = started_by(tmp_path)
        assert child in descendants_of(os.getpid())
    assert not is_running(child)
    assert program.survivors == ()


def test_a_program_of_another_user_is_a_survivor_and_nothing_to_wait_for(monkeypatch):
    """As with `sudo`: the system refuses to end it, which costs neither the verdict nor an endless wait."""

    def not_permitted(*_):
        raise PermissionError

    with subprocess.Popen(["sleep", "5"], start_new_session=True) as program:
        with monkeypatch.context() as patched:
            patched.setattr(os, "kill", not_permitted)
            patched.setattr(os, "killpg", not_permitted)
            patched.setattr(processes, "_PATIENCE", 0.02)
            assert end_with_descendants(program, adopting=False) == (program.pid,)
        assert end_with_descendants(program, adopting=False) == ()

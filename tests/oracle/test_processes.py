"""A program under test is ended with everything that it started, however `bufalu conform` itself ends."""

import inspect
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from bufalu.oracle import processes
from bufalu.oracle import program as programs
from bufalu.oracle.errors import UnusableCommand
from bufalu.oracle.processes import descendants_of, end_with_descendants
from bufalu.oracle.program import Program
from tests.bufalu.runner import ROOT
from tests.waiting import gone, until

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="watches processes in Linux's /proc")

SLOW_STARTER = """
import signal, subprocess, sys
folder = sys.argv[1]
child = subprocess.Popen(["tail", "-f", "/dev/null"], start_new_session=True)
# A daemon: its parent is gone before anybody looks.
subprocess.run([sys.executable, "-c", (
    "import subprocess, sys; "
    "print(subprocess.Popen(['tail', '-f', '/dev/null'], start_new_session=True).pid, file=open(sys.argv[1], 'w'))"
), folder + "/daemon"], check=True)
print(child.pid, file=open(folder + "/child", "w"))
open(folder + "/ready", "w").close()
signal.pause()
"""


def started_by(folder: Path) -> list[int]:
    until((folder / "ready").exists)
    return [int((folder / name).read_text()) for name in ("child", "daemon")]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_leaves_no_process_behind(tmp_path, number):
    script = tmp_path / "program.py"
    script.write_text(SLOW_STARTER)
    command = [sys.executable, "-m", "bufalu", "conform", "--timeout", "600", "--", sys.executable, script, tmp_path]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as conform:
        pids = started_by(tmp_path)
        assert not any(map(gone, pids))
        conform.send_signal(number)
        _, errors = conform.communicate()
    assert conform.returncode == 128 + number
    assert "Traceback" not in errors
    until(lambda: all(map(gone, pids)))


def test_an_answer_may_take_its_time(tmp_path, monkeypatch):
    gate, really = tmp_path / "gate", programs.answered_within
    os.mkfifo(gate)

    def answered(source, seconds):
        """Lets the program answer only now that somebody waits for it."""
        gate.write_text("go\\n")
        return really(source, seconds)

    monkeypatch.setattr(programs, "answered_within", answered)
    with Program(["sh", "-c", f"""read line; read go < {gate}; echo '{{"ok": true}}'"""], timeout=600) as program:
        assert program.ask({"command": "start"}) == {"ok": True}


def test_waiting_ends_with_the_event_or_with_its_time():
    answered, ended = inspect.unwrap(programs.answered_within), inspect.unwrap(programs.ended_within)
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as program:
        assert not answered(program.stdout.fileno(), 0.01)
        assert ended(program, 0.01) is None
        program.stdin.write(b"x")
        assert answered(program.stdout.fileno(), 600)
        program.stdin.close()
        assert ended(program, 600) == 0


def test_leaving_the_context_ends_descendants_and_says_what_survives(tmp_path, monkeypatch):
    monkeypatch.setattr(programs, "LAST_WORDS", 0.0)  # a daemon that lives on has some to say
    script = tmp_path / "program.py"
    script.write_text(SLOW_STARTER)
    with Program([sys.executable, str(script), str(tmp_path)], timeout=600) as program:
        child, daemon = started_by(tmp_path)
        assert child in descendants_of(os.getpid())
    assert gone(child)
    assert program.survivors == ()
    # A browser of other tests is a child of ours too: then orphans are not told apart, and the daemon lives on.
    with suppress(ProcessLookupError):
        os.kill(daemon, signal.SIGKILL)


def test_a_program_of_another_user_is_a_survivor_and_nothing_to_wait_for(monkeypatch):
    """As with `sudo`: the system refuses to end it, which costs neither the verdict nor an endless wait."""

    def not_permitted(*_):
        raise PermissionError

    with subprocess.Popen(["tail", "-f", "/dev/null"], start_new_session=True) as program:
        with monkeypatch.context() as patched:
            patched.setattr(os, "kill", not_permitted)
            patched.setattr(os, "killpg", not_permitted)
            patched.setattr(processes, "PATIENCE", 0.0)
            assert end_with_descendants(program, adopting=False) == (program.pid,)
        assert end_with_descendants(program, adopting=False) == ()


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="only Linux says where a process may run")
def test_a_program_shares_our_processor_as_long_as_it_is_asked():
    """Afterwards, and where there is no such program, we may run wherever we could before."""
    allowed = os.sched_getaffinity(0)
    where = "$(sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status)"
    with Program(["sh", "-c", f"""read line; echo '{{"where": "'{where}'"}}'; read line"""], timeout=600) as program:
        (ours,) = os.sched_getaffinity(0)
        assert program.ask({}) == {"where": str(ours)}
    assert os.sched_getaffinity(0) == allowed
    with pytest.raises(UnusableCommand):
        Program(["/no/such/program"], timeout=600)
    assert os.sched_getaffinity(0) == allowed

"""What a command writes is whole under its name, or absent: full disks, places that cannot be written, signals."""

import contextlib
import os
import random
import re
import resource
import shlex
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from bufalu.oracle.games import game_of_trace, rounded_numbers
from bufalu.oracle.known_bugs import known_bug_named
from bufalu.reference.errors import InvalidTrace, UnusableFile
from bufalu.reference.exact import Exact
from bufalu.reference.rounds import Round
from bufalu.reference.trace_files import read_trace, trace_writer, write_trace
from bufalu.reference.traces import Trace, TraceHeader
from bufalu.reference.whole_files import check_writable, whole_file, write_whole
from tests.bufalu.runner import ROOT, assert_one_clear_line, bufalu
from tests.oracle.misbehaving_program import misbehaving
from tests.oracle.runs import play, reference, rewards

SIMULATE = ["simulate", "--means", "1/4,1/2", "--epsilon", "power:1/4", "--horizon", "3000", "--out"]
HEADER = TraceHeader("bufalu", "hoeffding", 3, "power:1/4")
LIMIT = 8192


@pytest.fixture(scope="module")
def trace(tmp_path_factory):
    path = tmp_path_factory.mktemp("trace") / "good.jsonl"
    write_trace(str(path), play(reference(HEADER), HEADER, 400, rewards("bernoulli", 4)))
    return path


def writing_commands(trace):
    """Every command that writes a file, up to the name of the file."""
    return {
        "trace.jsonl": SIMULATE,
        "trace.csv": SIMULATE,
        "trace.npz": SIMULATE,
        "page.html": ["explain", str(trace), "--html"],
        "picture.svg": ["explain", str(trace), "--svg"],
        "bounds.svg": ["bounds", "--means", "0,1/2", "--epsilon", "zero", "--horizon", "50", "--plot"],
        "report.html": ["audit", "--only", "counts.queries_at_most_plays", "--html"],
    }


def with_small_files(*arguments, cwd):
    """The command where no file may grow beyond `LIMIT` bytes, as on a disk that fills up while it works."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, hard))
    try:
        return bufalu(*arguments, cwd=cwd)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("name", writing_commands(""))
def test_a_disk_that_fills_up_leaves_what_was_there(tmp_path, trace, name):
    out = tmp_path / name
    out.write_text("older")
    run = with_small_files(*writing_commands(trace)[name], out, cwd=tmp_path)
    assert run.returncode == 2, run.stderr
    assert "Traceback" not in run.stderr
    assert f"cannot write {out}: File too large" in run.stderr.splitlines()[-1]
    assert out.read_text() == "older"
    assert [path.name for path in tmp_path.iterdir() if "part" in path.name] == []


@pytest.mark.parametrize("name", writing_commands(""))
def test_a_place_that_cannot_be_written_is_refused_before_the_work(trace, name, tmp_path):
    for place in (tmp_path / "missing" / name, tmp_path):
        target = place if place.name == name else tmp_path / f"folder.{name.rsplit('.', 1)[1]}"
        if target.parent == tmp_path:
            target.mkdir()
        run = bufalu(*writing_commands(trace)[name], target)
        assert_one_clear_line(run)
        assert "cannot write" in run.stderr


def test_vectors_are_whole_or_absent(tmp_path):
    run = with_small_files("vectors", "--out", tmp_path / "vectors", cwd=tmp_path)
    assert run.returncode == 2
    for path in (tmp_path / "vectors").iterdir():
        assert path.read_bytes() == (ROOT / "vectors" / path.name).read_bytes()


@pytest.mark.parametrize("place", ["/dev/full", "gone/c.jsonl"])
def test_a_verdict_is_not_lost_with_its_counterexample(tmp_path, place):
    """A device that takes nothing, and a folder that the program under test removes while it is judged."""
    program = misbehaving("mutant", "narrower-queried")
    if place == "/dev/full" and not Path(place).exists():
        pytest.skip("a device that is always full is a Linux thing")
    if place.startswith("gone"):
        (tmp_path / "gone").mkdir()
        program = ["sh", "-c", f"rmdir gone; exec {shlex.join(program)}"]
    run = bufalu("conform", "--examples", "3", "--rounds", "10", "--out", place, "--", *program, cwd=tmp_path)
    assert run.returncode == 1, run.stderr
    assert run.stdout.startswith("nonconforming")
    assert "the counterexample was not saved: cannot write" in run.stderr
    saved = run.stdout.split("The counterexample is in ")[1].split(". To replay")[0]
    assert bufalu("check", saved).returncode == 1


def test_replay_plays_the_epsilons_of_a_schedule(tmp_path):
    """A wrong program that is right for large epsilons: a replay with epsilon = 1 would call it conforming."""
    header = TraceHeader("bufalu", "hoeffding", 3, "constant:1/50")
    wrong = known_bug_named("narrower-queried").live("bufalu", 3)
    path = tmp_path / "scheduled.jsonl"
    write_trace(str(path), play(wrong, header, 60, rewards("bernoulli", 4)))
    assert bufalu("check", path).returncode == 1
    for behaviour, code in ((["mutant", "narrower-queried"], 1), (["correct"], 0)):
        run = bufalu("conform", "--replay", path, "--", *misbehaving(*behaviour), cwd=tmp_path)
        assert run.returncode == code, run.stdout + run.stderr
        assert re.search(r"\b\d+ numbers of the trace rounded to doubles", run.stdout)


@pytest.mark.parametrize(
    ("epsilon", "reward", "rounded"), [("1/4", "1/2", 0), ("1/3", "1/2", 3), ("1/4", "1/10", 2), ("1/3", "1/10", 5)]
)
def test_a_replay_counts_what_it_rounds(epsilon, reward, rounded):
    """The protocol carries doubles: what is none is played rounded, and that is said."""
    level = Exact.of(Fraction(epsilon))
    rounds = [Round(number, 1, number < 3, Fraction(reward) if number < 3 else None, level) for number in (1, 2, 3)]
    assert rounded_numbers(Trace(TraceHeader("bufalu", "hoeffding", 1, None), tuple(rounds))) == rounded


def test_a_replay_with_an_epsilon_beyond_the_doubles_is_refused():
    rounds = (Round(1, 1, True, 1, None), Round(2, 1, False, None, Exact.of(10**400)))
    with pytest.raises(InvalidTrace, match="round 2: beyond the doubles"):
        game_of_trace(Trace(TraceHeader("bufalu", "hoeffding", 1, None), rounds))


def test_a_replay_of_nothing_is_refused(tmp_path):
    path = tmp_path / "header.jsonl"
    write_trace(str(path), play(reference(HEADER), HEADER, 0, rewards("bernoulli", 4)))
    assert_one_clear_line(bufalu("conform", "--replay", path, "--", "true"))


AT_A_CALL = """
import os, sys
from bufalu.cli import main
left, number = map(int, sys.argv[1:3])

def count(frame, event, argument):
    global left
    left -= event == "call"
    if not left:
        sys.setprofile(None)
        os.kill(os.getpid(), number)

sys.setprofile(count)
sys.exit(main(sys.argv[3:]))
"""
"""A command that gets a signal at one of its calls, by number, from reading its arguments to writing its rounds."""


@pytest.mark.parametrize("name", ["trace.jsonl", "trace.csv", "trace.npz"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_at_any_moment_leaves_no_half_file(tmp_path, name, number):
    moments = random.Random(f"{name} {number}")
    command = [*SIMULATE[:-3], "--horizon", "100000000", "--reference", "--out", str(tmp_path / name)]
    call = int(10 ** moments.uniform(1, 6))
    process = subprocess.run(
        [sys.executable, "-c", AT_A_CALL, str(call), str(int(number)), *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert not (tmp_path / name).exists()
    assert "Traceback" not in process.stderr or process.returncode == -number  # before our own handlers are there
    assert process.returncode in (-number, 128 + number)


def test_whole_file_keeps_links_and_permissions(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("older")
    target.chmod(0o640)
    link.symlink_to(target)
    write_whole(link, "newer\n")
    assert (link.is_symlink(), target.read_text(), target.stat().st_mode & 0o777) == (True, "newer\n", 0o640)
    fresh = tmp_path / "fresh"
    write_whole(fresh, "x")
    (tmp_path / "plain").write_text("x")
    assert fresh.stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_trace_behind_a_link_is_written_where_it_will_be(tmp_path):
    """Renaming works within one file system alone, and a link may lead out of it."""
    there, link = tmp_path / "there", tmp_path / "link.jsonl"
    there.mkdir()
    link.symlink_to(there / "t.jsonl")
    with trace_writer(str(link), HEADER) as writer:
        writer.write(play(reference(HEADER), HEADER, 1, rewards("bernoulli", 4)).rounds[0])
        assert sorted(path.name for path in tmp_path.rglob("*part*")) == ["t.jsonl.part"]
        assert (there / "t.jsonl.part").exists()
    assert link.is_symlink()
    assert len(read_trace(str(there / "t.jsonl")).rounds) == 1


def test_the_part_of_an_earlier_run_is_not_called_ours(tmp_path):
    (tmp_path / "t.jsonl").mkdir()
    (tmp_path / "t.jsonl.part").write_text("of an earlier run")
    assert_one_clear_line(bufalu(*SIMULATE, tmp_path / "t.jsonl"))


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError, OSError])
def test_whole_file_leaves_nothing_behind(tmp_path, error):
    expected = UnusableFile if error is OSError else error

    def interrupted():
        with whole_file(tmp_path / "x") as part:
            part.write_text("half")
            raise error

    with pytest.raises(expected):
        interrupted()
    assert list(tmp_path.iterdir()) == []


def test_check_writable_leaves_nothing_behind(tmp_path):
    check_writable(tmp_path / "x")
    check_writable(os.devnull)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(UnusableFile):
        check_writable(tmp_path)


def test_an_interrupted_trace_stays_as_a_part_and_a_broken_one_does_not(tmp_path):
    path = str(tmp_path / "t.jsonl")
    for error, left in ((KeyboardInterrupt, ["t.jsonl.part"]), (ValueError, [])):
        with contextlib.suppress(error), trace_writer(path, HEADER) as writer:
            writer.write(play(reference(HEADER), HEADER, 1, rewards("bernoulli", 4)).rounds[0])
            raise error
        assert [place.name for place in tmp_path.iterdir()] == left
        if left:
            assert len(read_trace(f"{path}.part").rounds) == 1

"""What surrounds a command may fail: closed streams, a full disk, a reader that leaves, options given twice.

Exit code 1 is a verdict, so none of these may give it to a trace that conforms.
"""

import ast
import errno
import os
import shlex
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

from bufalu import cli
from bufalu.commands import verdict_files
from bufalu.oracle import report
from bufalu.oracle.known_bugs import known_bug_named
from bufalu.reference.errors import UnusableFile
from bufalu.reference.trace_files import write_trace
from bufalu.reference.traces import TraceHeader
from tests.bufalu.runner import ROOT, assert_one_clear_line, bufalu, bufalu_as_a_user, bufalu_process, commands
from tests.oracle.misbehaving_program import misbehaving
from tests.oracle.runs import play, reference, rewards

needs_a_full_device = pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="a device that is always full is a Linux thing"
)


@pytest.fixture(scope="module")
def traces(tmp_path_factory):
    folder = tmp_path_factory.mktemp("traces")
    header = TraceHeader("bufalu", "hoeffding", 3, "power:1/4")
    wrong = known_bug_named("constant-two").live("bufalu", 3)
    write_trace(str(folder / "good.jsonl"), play(reference(header), header, 300, rewards("bernoulli", 4)))
    write_trace(str(folder / "wrong.jsonl"), play(wrong, header, 300, rewards("bernoulli", 4)))
    return folder


def in_a_shell(redirection, *arguments, cwd=ROOT, unbuffered=False):
    """The command line with redirected streams: buffered, as they are for most people, unless said otherwise."""
    program = [sys.executable, *(["-u"] if unbuffered else []), "-m", "bufalu", *arguments]
    command = f"{shlex.join(program)} {redirection}"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    environment["PYTHONPATH"] = str(ROOT)
    return subprocess.run(["sh", "-c", command], cwd=cwd, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("closed", ["2>&-", ">&-", "<&-", "<&- >&-", "<&- >&- 2>&-"])
def test_closed_streams_change_no_verdict(traces, closed):
    for name, code in (("good", 0), ("wrong", 1)):
        run = in_a_shell(closed, "check", str(traces / f"{name}.jsonl"))
        assert run.returncode == code
        assert "Traceback" not in run.stderr


@pytest.mark.parametrize("closed", ["2>&-", ">&-", "<&- >&- 2>&-"])
def test_a_file_that_is_written_is_not_mistaken_for_a_stream(tmp_path, closed):
    out = tmp_path / "trace.jsonl"
    options = ["--means", "1/4,1/2", "--epsilon", "zero", "--horizon", "50", "--out", str(out)]
    assert in_a_shell(closed, "simulate", *options).returncode == 0
    assert bufalu("check", out).returncode == 0


@needs_a_full_device
def test_a_full_device_never_looks_like_a_verdict(traces):
    assert in_a_shell("2>/dev/full", "check", "missing.jsonl").returncode == 2
    assert in_a_shell(">/dev/full", "check", str(traces / "good.jsonl")).returncode == 2
    assert in_a_shell(">/dev/full 2>/dev/full", "check", str(traces / "good.jsonl")).returncode == 2
    assert in_a_shell("2>/dev/full", "check", str(traces / "wrong.jsonl")).returncode == 1


@needs_a_full_device
@pytest.mark.parametrize("unbuffered", [False, True])
def test_a_help_that_cannot_be_written_is_no_success(unbuffered):
    for asked in (["--help"], ["--version"], ["bounds", "--help"]):
        run = in_a_shell(">/dev/full", *asked, unbuffered=unbuffered)
        assert_one_clear_line(run)
        assert "No space left on device" in run.stderr


@needs_a_full_device
@pytest.mark.parametrize("unbuffered", [False, True])
def test_a_refusal_that_nobody_hears_is_one_all_the_same(unbuffered):
    for arguments in (["check", "missing.jsonl"], ["check", "--nonsense"], ["no-such-command"], []):
        assert in_a_shell("2>/dev/full", *arguments, unbuffered=unbuffered).returncode == 2


@needs_a_full_device
@pytest.mark.parametrize(("behaviour", "code"), [("correct", 0), ("mutant narrower-queried", 1), ("garbage", 3)])
def test_what_conform_says_on_stderr_changes_no_verdict(tmp_path, behaviour, code):
    """Stages and the dialogue are remarks: the verdict is on stdout and in the exit code."""
    program = ["--", *misbehaving(*behaviour.split())]
    quick = ["--examples", "1", "--rounds", "3", "--arms", "6", "--timeout", "600", "-v"]
    run = in_a_shell("2>/dev/full", "conform", *quick, *program, cwd=tmp_path)
    assert (run.returncode, run.stderr) == (code, "")
    assert {0: "conforms", 1: "nonconforming", 3: "broken"}[code] in run.stdout


class Deaf(StringIO):
    """A stream on a full disk."""

    def write(self, text):
        raise OSError(errno.ENOSPC, "No space left on device")


def closed_stream():
    stream = StringIO()
    stream.close()
    return stream


@pytest.mark.parametrize("stream", [Deaf, closed_stream])
def test_a_verdict_file_that_fails_without_a_hearer_costs_no_verdict(traces, tmp_path, capsys, monkeypatch, stream):
    def full(path, _):
        raise UnusableFile(f"cannot write {path}: No space left on device")

    monkeypatch.setattr(verdict_files, "write_whole", full)
    for name, code in (("good", 0), ("wrong", 1)):
        monkeypatch.setattr(sys, "stderr", stream())
        assert cli.main(["check", str(traces / f"{name}.jsonl"), "--junit", str(tmp_path / "out.xml")]) == code
        assert capsys.readouterr().out


@pytest.mark.parametrize("stream", [Deaf, closed_stream])
def test_a_defect_without_a_hearer_is_not_a_verdict(traces, monkeypatch, stream):
    def broken(*_):
        raise AttributeError("a slip")

    monkeypatch.setattr(report, "check_file", broken)
    monkeypatch.setenv("BUFALU_TRACEBACK", "1")
    monkeypatch.setattr(sys, "stderr", stream())
    assert cli.main(["check", str(traces / "good.jsonl")]) == 2


def test_only_one_function_of_the_commands_writes_to_stderr():
    """The class: whatever a command says beside its result goes through `say`, which cannot fail."""
    users = set()
    for path in [ROOT / "bufalu" / "cli.py", *sorted((ROOT / "bufalu" / "commands").glob("*.py"))]:
        for part in ast.parse(path.read_text(encoding="utf-8")).body:
            if any(ast.unparse(node) == "sys.stderr" for node in ast.walk(part) if isinstance(node, ast.Attribute)):
                users.add((path.name, part.name))
    assert users == {
        ("terminal.py", "say"),
        ("terminal.py", "heard_on_terminal"),
        ("cli.py", "_forget_what_nobody_heard"),
        ("cli.py", "_forget_output"),
    }


def test_a_reader_that_leaves_gets_no_traceback(traces):
    run = in_a_shell("| head -c 1", "check", str(traces / "wrong.jsonl"))
    assert "Traceback" not in run.stderr


def test_a_defect_of_our_own_is_not_a_verdict(traces, capsys, monkeypatch):
    def broken(*_):
        raise AttributeError("a slip\nover two lines")

    monkeypatch.setattr(report, "check_file", broken)
    assert cli.main(["check", str(traces / "good.jsonl")]) == 2
    out, errors = capsys.readouterr()
    assert out == ""
    assert len(errors.splitlines()) == 1
    assert "a defect of bufalu, not a verdict: AttributeError: a slip\\nover" in errors


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "t.jsonl", "--policy", "bufalu", "--policy", "bufau"],
        ["audit", "--seed", "1", "--seed", "2"],
        ["bounds", "--means", "0,1", "--means", "0,1", "--epsilon", "zero", "--horizon", "5"],
        ["simulate", "--means", "0,1", "--epsilon", "zero", "--epsilon", "zero", "--horizon", "5"],
    ],
)
def test_an_option_with_one_value_is_not_given_twice(arguments):
    run = bufalu(*arguments)
    assert run.returncode == 2
    assert "given twice" in run.stderr


def test_every_option_of_every_command_either_repeats_or_refuses():
    """The class: no option of any command forgets a value that it was given."""
    for name, parser in commands(cli.build_parser()):
        for action in parser._actions:
            keeps_all = isinstance(action, cli.StoreOnce) or type(action).__name__ in (
                "_AppendAction",
                "_StoreTrueAction",
                "_HelpAction",
                "BooleanOptionalAction",
            )
            assert keeps_all, f"{name} {action.option_strings}"


def test_no_argument_of_any_command_is_empty(capsys):
    """The class: a variable of a script that was never set is no policy of the header's, and no folder to write into."""
    for command, parser in commands(cli.build_parser()):
        positional = [action for action in parser._actions if not action.option_strings]
        for action in parser._actions:
            if action.nargs not in (None, "?"):
                continue
            before = action.option_strings[-1:] or ["1"] * positional.index(action)
            with pytest.raises(SystemExit) as left:
                parser.parse_args([*before, ""])
            assert left.value.code == 2
            name = "/".join(action.option_strings) or action.metavar or action.dest
            assert f"{name}: empty" in capsys.readouterr().err, command


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="what root may do is taken away by Linux's prctl")
def test_what_may_not_be_read_or_written_is_refused(traces, tmp_path):
    good = (traces / "good.jsonl").read_bytes()
    unreadable, protected, closed = tmp_path / "unreadable.jsonl", tmp_path / "page.html", tmp_path / "closed"
    unreadable.write_bytes(good)
    protected.write_text("mine", encoding="utf-8")
    closed.mkdir()
    (closed / "trace.npz").write_text("mine", encoding="utf-8")
    unreadable.chmod(0)
    protected.chmod(0o444)
    closed.chmod(0o555)
    run = ["simulate", "--means", "0,1", "--epsilon", "zero", "--horizon", "9", "--out"]
    for arguments in (
        ["check", unreadable],
        ["explain", traces / "good.jsonl", "--html", protected],
        [*run, closed / "new.jsonl"],
        [*run, closed / "trace.npz"],
        ["conform", "--out", closed / "c.jsonl", "--", "touch", tmp_path / "started"],
    ):
        refused = bufalu_as_a_user(*arguments, cwd=closed)
        assert_one_clear_line(refused)
        assert "Permission denied" in refused.stderr
    assert protected.read_text(encoding="utf-8") == "mine"
    assert [(path.name, path.read_text(encoding="utf-8")) for path in closed.iterdir()] == [("trace.npz", "mine")]
    assert not (tmp_path / "started").exists()
    # A verdict is given also where its counterexample cannot stay.
    wrong = ["--", *misbehaving("mutant", "narrower-queried")]
    judged = bufalu_as_a_user(
        "conform", "--examples", "1", "--rounds", "10", "--policy", "bufalu", *wrong, cwd=closed
    )
    assert judged.returncode == 1, judged.stderr
    assert "the counterexample was not saved: cannot write counterexample.jsonl: Permission denied" in judged.stderr
    closed.chmod(0o755)


def test_nothing_is_written_where_a_command_runs(tmp_path):
    # A claim that nothing but a search speaks for, with the files of Hypothesis.
    run = bufalu_process("audit", "--only", "mean.ignores_unqueried", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert list(tmp_path.iterdir()) == []
    assert_one_clear_line(bufalu("check", "missing.jsonl", cwd=tmp_path))
    assert list(tmp_path.iterdir()) == []

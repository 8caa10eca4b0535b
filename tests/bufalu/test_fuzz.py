"""Whatever is in a file or comes from a program under test: an exit code of 0, 1, 2 or 3, at most one line of complaint.

Right files are damaged in their bytes and in their structure and go through the command line. The examples are fixed
here and new in the nightly profile.
"""

import contextlib
import gzip
import io
import json
import resource
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bufalu.studies
from bufalu import cli
from bufalu.properties.audit import running
from bufalu.reference.errors import BufaluError
from bufalu.reference.trace_files import write_trace
from bufalu.reference.traces import Trace, TraceHeader
from tests.bufalu.runner import assert_one_clear_line, bufalu_process
from tests.oracle.runs import play, reference, rewards

HEADER = TraceHeader("bufalu", "hoeffding", 3, "power:1/4")
OWN_EPSILONS = TraceHeader("cbm-ucb", "bernstein", 2, None)
FLAGS = ("--policy", "bufalu", "--confidence", "hoeffding", "--arms", "3", "--epsilon", "power:1/4")
_KEPT = tempfile.TemporaryDirectory(prefix="bufalu-fuzz-")
FOLDER = Path(_KEPT.name)

TOKENS = [
    *(
        b'"',
        b"[",
        b"]",
        b"{",
        b"}",
        b",",
        b":",
        b"\n",
        b"\r",
        b"\r\n",
        b"\0",
        b"\xff",
        b"\xc3",
        b"\xef\xbb\xbf",
        b" ",
    ),
    *(b"null", b"true", b"NaN", b"-Infinity", b"-0", b"0.1", b"1e999", b"1e-999", b"1/0", b"1/3", b"0x10", b"1_0"),
    *(b"9" * 400, b"[" * 5000, b'["]]]]",' + b"[" * 1500, b'{"a":' * 1200, b"1/" + b"7" * 1100, "\u0663".encode()),
    *(b"file:/dev/zero", b"budget:0", b"bernstein-budget:1", b"power:-1", b"power:1/1000000007", b"constant:1e-400"),
    *(b"kl-ucb", b"dial:1/0", b"dial:3", b"greedy", b"\\ud800", b"# ", b"'''", b"2024-01-01", b"inf"),
]
VALUES = [
    *(None, True, False, 0, -1, 1, 3, 10**30, 0.5, -0.0, 1e308, 5e-324, float("nan"), float("inf"), "", "1/3", "1/0"),
    *("x", "\ud800", "9" * 500, [], {}, [[]], [1, 2], {"a": 1}, "bufalu", "budget:1", "file:/dev/zero", 2**53 + 1),
]


@pytest.fixture(autouse=True)
def _no_long_work(monkeypatch):
    """A study is read and then not run, since a damaged one may ask for years; so is an audit."""

    def refused(*_, **__):
        raise BufaluError("read")

    monkeypatch.setattr(bufalu.studies, "compare", refused)
    monkeypatch.setattr(running, "run_checks", lambda *_, **__: iter(()))


def trace(header: TraceHeader) -> Trace:
    own = None if header.epsilon is not None else [Fraction(1, number) for number in range(1, 13)]
    return play(reference(header), header, 12, rewards("bernoulli", 4), own)


def text_of(header: TraceHeader, name: str) -> bytes:
    write_trace(str(FOLDER / name), trace(header))
    return (FOLDER / name).read_bytes()


def npz_of(header: TraceHeader) -> bytes:
    rounds = trace(header).rounds
    stream = io.BytesIO()
    np.savez(
        stream,
        arm=np.array([played.arm for played in rounds], np.uint8),
        query=np.array([played.query for played in rounds]),
        reward=np.array([np.nan if played.reward is None else float(played.reward) for played in rounds]),
    )
    return stream.getvalue()


INSTANCE = json.dumps(
    {"arms": [{"bernoulli": "1/4"}, {"deterministic": 0.5}, {"values": [0, "1/2"], "probabilities": ["1/3", "2/3"]}]}
).encode()
STUDY = b"""\
title = "Three"
policies = ["bufalu", "dial:1/2"]
epsilons = ["power:1/4", "zero"]
horizons = [20, "1e2"]
seeds = 3
[instances.few]
means = [0.13, "1/3", 1]
rewards = "deterministic"
[instances.support]
arms = [{bernoulli = 0.5}, {values = [0, "1/2"], probabilities = ["1/4", "3/4"]}]
"""
INTRODUCTION = {
    "version": 1,
    "implementation": {"name": "x", "language": "y", "version": "1"},
    "policies": ["bufalu"],
    "confidence": ["hoeffding"],
}
ANSWERS = "\n".join(
    json.dumps(answer)
    for answer in (INTRODUCTION, {"ok": True}, *([{"arm": 1, "query": True}, {"ok": True}] * 2), {"skipped": "no"})
).encode()

(FOLDER / "program.txt").write_bytes(ANSWERS)
BASELINE = json.dumps(
    [
        {"id": "cap.almost_sure", "verdict": "PROVED", "evidence": []},
        {"id": "cap.other", "verdict": "TESTED", "evidence": [{"check": "x"}]},
    ]
).encode()

FORMATS: dict[str, tuple[bytes, str, list[list[str]]]] = {
    "jsonl": (
        text_of(HEADER, "t.jsonl"),
        "t.jsonl",
        [["check", "FILE"], ["check", "FILE", "--means", "1/4,1/2,1/3"], ["explain", "FILE", "--strict"]],
    ),
    "jsonl with epsilons": (text_of(OWN_EPSILONS, "e.jsonl"), "e.jsonl", [["check", "FILE", "--json", "--strict"]]),
    "jsonl.gz": (gzip.compress(text_of(HEADER, "t.jsonl"), mtime=0), "t.jsonl.gz", [["check", "FILE"]]),
    "replay": (
        text_of(HEADER, "t.jsonl"),
        "r.jsonl",
        [["conform", "--replay", "FILE", "--", "cat", str(FOLDER / "program.txt")]],
    ),
    "baseline": (BASELINE, "b.json", [["audit", "--only", "cap.almost_sure", "--baseline", "FILE"]]),
    "csv": (text_of(HEADER, "t.csv"), "t.csv", [["check", "FILE", *FLAGS]]),
    "npz": (npz_of(HEADER), "t.npz", [["check", "FILE", *FLAGS]]),
    "instance": (
        INSTANCE,
        "i.json",
        [["simulate", "--instance", "FILE", "--epsilon", "inverse-log", "--horizon", "9"]],
    ),
    "epsilons": (
        b"1\n1/2\n0.25\n0\n" + b"1/9\n" * 8,
        "e.txt",
        [["simulate", "--means", "1/4,1/2", "--epsilon", "file:FILE", "--horizon", "12"]],
    ),
    "study": (STUDY, "s.toml", [["compare", "FILE"]]),
    "protocol": (
        ANSWERS,
        "answers.txt",
        [["conform", "--examples", "1", "--rounds", "4", "--", "cat", "FILE"]],
    ),
}


def assert_an_answer(content: bytes, name: str, command: list[str]) -> None:
    """The command with the file: an exit code that means something, and no more than a line on stderr with code 2."""
    path = FOLDER / name
    path.write_bytes(content)
    arguments = [argument.replace("FILE", str(path)) for argument in command]
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors), contextlib.chdir(FOLDER):
        code = cli.main(arguments)
    said = errors.getvalue()
    assert code in (0, 1, 2, 3), (code, said)
    assert "Traceback" not in said and "a defect of bufalu" not in said, said
    if code == 2:
        assert len(said.strip().splitlines()) == 1, said


@st.composite
def damaged(draw: st.DrawFn, content: bytes) -> bytes:
    """A few bytes changed, cut out, put in, doubled or cut off."""
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, max(0, len(content) - 1)))
        width = draw(st.integers(1, 12))
        match draw(st.integers(0, 4)):
            case 0:
                byte = draw(st.integers(0, 255))
                content = content[:place] + bytes([byte]) + content[place + 1 :]
            case 1:
                content = content[:place] + content[place + width :]
            case 2:
                content = (
                    content[:place]
                    + draw(st.sampled_from(TOKENS))
                    + content[place + draw(st.just(0) | st.just(width)) :]
                )
            case 3:
                content = content[:place] + 2 * content[place : place + width] + content[place + width :]
            case _:
                content = content[:place]
    return content


@pytest.mark.parametrize("kind", FORMATS)
@given(data=st.data())
def test_damaged_bytes_get_an_answer(kind: str, data: st.DataObject) -> None:
    content, name, commands = FORMATS[kind]
    assert_an_answer(data.draw(damaged(content)), name, data.draw(st.sampled_from(commands)))


def replaced(draw: st.DrawFn, value: object) -> object:
    """A JSON value with one part of it replaced, left out or added."""
    if isinstance(value, dict) and value and draw(st.integers(0, 3)):
        key = draw(st.sampled_from(sorted(value)))
        match draw(st.integers(0, 3)):
            case 0:
                return {other: part for other, part in value.items() if other != key}
            case 1:
                return value | {draw(st.sampled_from(["", "x", "epsilon", "reward", "means"])): replaced(draw, None)}
            case _:
                return value | {key: replaced(draw, value[key])}
    if isinstance(value, list) and value and draw(st.integers(0, 3)):
        place = draw(st.integers(0, len(value) - 1))
        return [*value[:place], replaced(draw, value[place]), *value[place + draw(st.integers(0, 1)) :]]
    return draw(st.sampled_from(VALUES))


@st.composite
def damaged_lines(draw: st.DrawFn, content: bytes) -> bytes:
    """JSON lines with some of them changed in their structure, left out, doubled or exchanged."""
    lines: list[object] = [json.loads(line) for line in content.decode().splitlines()]
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(lines) - 1))
        match draw(st.integers(0, 5)):
            case 0:
                lines = lines[:place] + lines[place + 1 :] or [None]
            case 1:
                lines.insert(place, lines[draw(st.integers(0, len(lines) - 1))])
            case _:
                lines[place] = replaced(draw, lines[place])
    return "\n".join(map(json.dumps, lines)).encode()


@pytest.mark.parametrize("kind", ["jsonl", "jsonl with epsilons", "instance", "protocol", "replay", "baseline"])
@given(data=st.data())
def test_damaged_structure_gets_an_answer(kind: str, data: st.DataObject) -> None:
    content, name, commands = FORMATS[kind]
    assert_an_answer(data.draw(damaged_lines(content)), name, data.draw(st.sampled_from(commands)))


ODD_ARRAYS = st.one_of(
    st.sampled_from(VALUES).filter(lambda value: value is not None).map(lambda value: np.array([value] * 12, object)),
    st.sampled_from(["<u1", "<i8", "<f8", "<f2", ">f8", "?", "<c16", "<M8[s]", "<U3", "V4"]).map(
        lambda kind: np.zeros(12, kind)
    ),
    st.sampled_from([(), (0,), (11,), (12, 1), (1, 12), (2, 6)]).map(np.ones),
    st.sampled_from([np.nan, np.inf, -1.0, 0.5, 2.0, 256.0, 2.0**63]).map(lambda value: np.full(12, value)),
)


@given(arrays=st.dictionaries(st.sampled_from(["arm", "query", "reward", "epsilon", "x"]), ODD_ARRAYS))
@example(arrays={"arm": np.ones(0), "query": np.ones(0, bool), "reward": np.ones(0)})
def test_odd_arrays_get_an_answer(arrays: dict[str, np.ndarray]) -> None:
    right = dict(np.load(io.BytesIO(FORMATS["npz"][0])))
    stream = io.BytesIO()
    np.savez(stream, **{name: array for name, array in (right | arrays).items() if name != "x" or array.size})
    assert_an_answer(stream.getvalue(), "t.npz", FORMATS["npz"][2][0])


PINNED = {
    "brackets in strings": ("jsonl", b'["]]]]]]",' + b"[" * 5000),
    "header alone": ("jsonl", FORMATS["jsonl"][0].splitlines()[0]),
    "nothing": ("jsonl", b""),
    "a schedule of another file": ("jsonl", FORMATS["jsonl"][0].replace(b"power:1/4", b"file:/dev/zero")),
    "no columns": ("csv", b"\n"),
    "half an archive": ("npz", FORMATS["npz"][0][:300]),
    "no arms": ("instance", b'{"arms": []}'),
    "no numbers": ("epsilons", b""),
    "a line that a terminal breaks": ("epsilons", b"1\x0b1/2\n0.25\n"),
    "no study": ("study", b""),
    "silence": ("protocol", b""),
    "a list for a verdict": ("baseline", BASELINE.replace(b'"PROVED"', b"[]")),
    "a number for evidence": ("baseline", BASELINE.replace(b'"evidence": []', b'"evidence": [1]')),
}


@pytest.mark.parametrize("case", PINNED)
def test_what_once_went_wrong_gets_an_answer(case: str) -> None:
    kind, content = PINNED[case]
    for command in FORMATS[kind][2]:
        assert_an_answer(content, FORMATS[kind][1], command)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a device without end is a Unix thing")
@pytest.mark.parametrize("kind", [kind for kind in FORMATS if kind not in ("protocol", "jsonl with epsilons")])
def test_a_file_without_end_is_refused(kind: str) -> None:
    """In little memory, and in a process of its own lest it take all. A link keeps the ending of the name."""
    link = FOLDER / f"endless-{FORMATS[kind][1]}"
    link.unlink(missing_ok=True)
    link.symlink_to("/dev/zero")
    command = [argument.replace("FILE", str(link)) for argument in FORMATS[kind][2][0]]
    little = (6 * 2**30,) * 2
    assert_one_clear_line(bufalu_process(*command, prepared=lambda: resource.setrlimit(resource.RLIMIT_AS, little)))


def test_the_right_files_are_right() -> None:
    """What is damaged above holds, so that the damage is what is answered."""
    for kind, (content, name, commands) in FORMATS.items():
        # `cat` answers something else than a program, and studies and audits are not run here.
        if kind not in ("study", "protocol", "replay", "baseline"):
            (FOLDER / name).write_bytes(content)
            with contextlib.redirect_stdout(io.StringIO()):
                assert cli.main([part.replace("FILE", str(FOLDER / name)) for part in commands[0]]) == 0, kind
    assert sys.getrecursionlimit() < 5000

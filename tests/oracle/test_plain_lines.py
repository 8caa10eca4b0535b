"""Lines read many at a time say what the strict parser says, and what is not spelled plainly is left to it."""

import gzip
import io
import json

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from bufalu.cli import main
from bufalu.oracle import plain_lines, sources
from bufalu.oracle.plain_lines import Lines, csv_spelling, json_spelling
from bufalu.oracle.sources import TraceOptions, open_trace
from bufalu.reference.errors import BufaluError
from bufalu.reference.trace_files import read_trace, write_trace
from bufalu.reference.traces import Trace, TraceHeader

HEADER = TraceHeader("bufalu", "hoeffding", 2, None)
REWARDS = (0, 1, 0.0, 1.0, 0.25, 0.1, 1e-7, 0.30000000000000004, "1/3", 5e-324)
EPSILONS = (*REWARDS, 100, 1e300, 12345678901234567890)
SCRAPS = (b"", b"0", b"7", b".", b",", b'"', b"-", b"+", b" ", b"e5", b"E", b"_", b"null", b"true", b"\n", b"\r", b"{", b"}",
          b"\xc3\xa9", b"\xff", b"/", b"nan", b'"arm": 1, ', b"\0", b"1/2", b"[")  # fmt: skip


LATE = (None, None, None, 0, 1, 2, 3, 9, 10**15, 10**15 + 1)
"""The first round that knew the answer: not told, never (0), too early, late, too late."""


def _never_is_null(row: dict[str, object]) -> dict[str, object]:
    return {**row, "answered": None} if row.get("answered") == 0 else row


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, bytes]:
    """The ending of a trace file, and its content: a whole trace in one spelling, or one with a scrap put in."""
    ending = draw(st.sampled_from(["jsonl", "csv"]))
    separators = draw(st.sampled_from([(", ", ": "), (",", ":"), (" , ", " : ")]))
    omit = draw(st.booleans())
    rows = []
    for number in range(1, draw(st.integers(2, 12)) + 1):
        query = number <= 2 or draw(st.booleans())
        row = {"round": number, "arm": draw(st.integers(1, 2)), "query": query}
        if query or not omit:
            row["reward"] = draw(st.sampled_from(REWARDS)) if query else None
        if number > 2:
            row["epsilon"] = draw(st.sampled_from(EPSILONS))
        if query and (late := draw(st.sampled_from(LATE))) is not None:
            row["answered"] = late
            row["reward"] = None if late == 0 else row["reward"]
        rows.append(row)
    if ending == "csv":
        columns = draw(st.permutations(["round", "arm", "query", "reward", "epsilon", "answered", "note"]))
        notes = st.sampled_from(["", "x", '"a,b"', '"', "é", "1"])
        lines = [",".join(columns)]
        for row in rows:
            cells = {**row, "note": draw(notes), "query": str(row["query"])}
            cells |= {"answered": "never"} if cells.get("answered") == 0 else {}
            lines.append(",".join("" if cells.get(name) is None else str(cells[name]) for name in columns))
    else:
        header = {"format": "bufalu-trace", "version": 1, "policy": "bufalu", "confidence": "hoeffding", "arms": 2}
        lines = [
            json.dumps({**header, "epsilon": None}),
            *(json.dumps(_never_is_null(row), separators=separators) for row in rows),
        ]
    content = draw(st.sampled_from(["\n", "\r\n", "\r"])).join([*lines, ""]).encode()
    if draw(st.booleans()):
        place = draw(st.integers(0, len(content)))
        content = content[:place] + draw(st.sampled_from(SCRAPS)) + content[place + draw(st.integers(0, 3)) :]
    return ending, content


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("plain")


@given(texts(), st.integers(1, 400))
@settings(deadline=None)
def test_both_ways_of_reading_agree(folder, text, size):
    ending, content = text
    path = folder / f"t.{ending}"
    path.write_bytes(content)

    def told(read):
        try:
            return read()
        except BufaluError as problem:
            return str(problem)

    strictly = told(lambda: read_trace(str(path), HEADER if ending == "csv" else None).rounds)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "_PIECE", size)
        flags = TraceOptions("bufalu", "hoeffding", 2) if ending == "csv" else TraceOptions()
        quickly = told(lambda: tuple(p for b in open_trace(str(path), flags).blocks() for p in b.rounds()))
    event("a trace" if isinstance(strictly, tuple) else "refused")
    if isinstance(strictly, str) and "UTF-8" in strictly:
        assert isinstance(quickly, str)  # which of several things wrong is seen first depends on the pieces
    else:
        assert quickly == strictly


def test_lines_with_late_answers_are_plain():
    rows = [{"round": n, "arm": 1, "query": True, "reward": 1 if n % 3 else None} for n in range(1, 99)]
    late = [{**row, "answered": row["round"] + 5 if row["reward"] else None} for row in rows]
    found = Lines("".join(json.dumps(row) + "\n" for row in late).encode()).plain_rounds(json_spelling)
    assert found.accept(1, 2, scheduled=True).all()
    assert list(found.answered_in(1)) == [row["answered"] or 0 for row in late]
    quiet = [*late[:9], {"round": 10, "arm": 1, "query": False, "reward": None}]
    found = Lines("".join(json.dumps(row) + "\n" for row in quiet).encode()).plain_rounds(json_spelling)
    assert found.answered_in(1)[-1] == 0, "who did not ask gets no answer"
    cells = (f"{n},1,true,1,{'' if n % 2 else n + 4}\n" for n in range(1, 99))
    spelling = csv_spelling(("round", "arm", "query", "reward", "answered"))
    found = Lines("".join(cells).encode()).plain_rounds(lambda _: spelling)
    assert found.accept(1, 2, scheduled=True).all()
    assert list(found.answered_in(1)) == [n + 1 if n % 2 else n + 4 for n in range(1, 99)]


def test_most_lines_are_plain():
    # Without this the agreement above would hold of a reader that leaves every line to the strict parser.
    rounds = [
        {"round": n, "arm": n % 2 + 1, "query": n % 3 > 0, "reward": n / 7 % 1 if n % 3 else None}
        for n in range(1, 99)
    ]
    for text, spelling in (
        ("".join(json.dumps(row) + "\n" for row in rounds), json_spelling),
        ("".join(",".join("" if v is None else str(v) for v in row.values()) + ",\n" for row in rounds),
         lambda _: csv_spelling(("round", "arm", "query", "reward", "epsilon"))),
    ):  # fmt: skip
        found = Lines(text.encode()).plain_rounds(spelling)
        assert found.plain.all()
        assert found.accept(1, 2, scheduled=True).all()
        assert list(found.number) == [row["round"] for row in rounds]
        rewards = [np.nan if row["reward"] is None else row["reward"] for row in rounds]
        assert np.array_equal(found.reward, rewards, equal_nan=True)
        assert not found.accept(2, 2, scheduled=True).any()
        assert found.accept(1, 2, scheduled=False)[:2].all()
        assert not found.accept(1, 2, scheduled=False)[2:].any()


def test_one_number_that_is_not_plain_leaves_the_others_plain():
    lines = [
        f'{{"round": {n}, "arm": 1, "query": true, "reward": {r}}}\n'
        for n, r in enumerate(["0.5", '"1/3"', "0.25"], 1)
    ]
    found = Lines("".join(lines).encode()).plain_rounds(json_spelling)
    assert list(found.plain) == [True, False, True]
    assert found.reward[2] == 0.25


@pytest.mark.parametrize(
    "number", ["01", "1.", ".5", "+1", "-0", "1e", "0x1", "1_0", "nan", "Infinity", "1e5.5", "00", "0.5 ", ""]
)
def test_a_number_in_another_notation_is_not_plain(number):
    text = (
        '{"round": 1, "arm": 1, "query": true, "reward": 0.5}\n{"round": 2, "arm": 1, "query": true, "reward": %s}\n'
    )
    found = Lines((text % number).encode()).plain_rounds(json_spelling)
    assert list(found.plain) == [True, False]


@pytest.mark.parametrize(
    "line",
    [
        b'{"round": 1, "arm": 1, "query": true, "arm": 1}',
        b'{"round": 1, "arm": 1, "reward": 1}',
        b'{"round": 1, "arm": 1, "query": true}}',
        b'{{"round": 1, "arm": 1, "query": true}',
        b'{"round": 1}, "arm": 1, "query": true}',
        b'{"round": 1, "arm": 1, "query": true, "other": 1}',
        b'{"round": 1, "arm": [1], "query": true}',
        b'{"round"' + b" " * 99 + b': 1, "arm": 1, "query": true}',
    ],
)
def test_a_line_that_is_no_plain_round_shows_no_spelling(line):
    assert json_spelling(line) is None


def test_the_longest_values_that_are_read_plainly():
    whole = 10 ** (plain_lines._LONGEST_WHOLE - 1)
    for number, plain in ((whole, True), (10 * whole, False)):
        text = f'{{"round": {number}, "arm": 1, "query": false}}\n'.encode()
        assert Lines(text).plain_rounds(json_spelling).plain[0] == plain


def trace(name: str, path) -> str:
    run = ["--means", "1/4,1/2", "--epsilon", "power:1/4", "--horizon", "300", "--out"]
    assert main(["simulate", *run, str(path / name)]) == 0
    return str(path / name)


class _Input:
    def __init__(self, content: bytes) -> None:
        self.buffer = io.BufferedReader(io.BytesIO(content))


FLAGS = ("--policy", "bufalu", "--confidence", "hoeffding", "--arms", "2", "--epsilon", "power:1/4")


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(("ending", "flags"), [("jsonl", ()), ("csv", FLAGS)])
def test_standard_input_and_gzip(tmp_path, monkeypatch, capsys, packed, ending, flags):
    content = (tmp_path / trace(f"t.{ending}", tmp_path)).read_bytes()
    (tmp_path / f"p.{ending}.gz").write_bytes(gzip.compress(content))
    capsys.readouterr()
    told = []
    for command in ("check", "explain"):
        assert main([command, str(tmp_path / f"p.{ending}.gz"), *flags]) == 0
        told.append(capsys.readouterr().out)
        monkeypatch.setattr("sys.stdin", _Input(gzip.compress(content) if packed else content))
        assert main([command, "-", *flags]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1] == "conforms: bufalu with hoeffding intervals, 2 arms: 300 rounds checked\n"
    assert told[2] == told[3]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"no gzip", "not compressed with gzip"),
        (gzip.compress(b"x" * 9999, mtime=0)[:-9], "damaged or cut short"),
        (gzip.compress(b"\xff\n", mtime=0), "UTF-8"),
    ],
    ids=["not compressed", "cut short", "not text"],
)
def test_what_is_wrong_with_a_compressed_file(tmp_path, capsys, content, said):
    (tmp_path / "t.jsonl.gz").write_bytes(content)
    assert main(["check", str(tmp_path / "t.jsonl.gz")]) == 2
    assert said in capsys.readouterr().err


def test_a_compressed_archive_is_refused(tmp_path, capsys):
    assert main(["check", str(tmp_path / "t.npz.gz"), *FLAGS]) == 2
    assert "compressed already" in capsys.readouterr().err


def test_columns_of_a_csv_file(tmp_path, capsys):
    lines = (tmp_path / trace("t.csv", tmp_path)).read_text().splitlines()
    path = tmp_path / "more.csv"
    path.write_text(
        "".join(f'"a, b",{line},é\n' for line in ["note", *lines][1:]).replace('"a, b",round', "note,round", 1)
    )
    capsys.readouterr()
    assert main(["check", str(path), *FLAGS]) == 0
    assert "300 rounds checked" in capsys.readouterr().out
    assert main(["check", str(path), *FLAGS, "--strict-columns"]) == 2
    assert "not a column of a trace" in capsys.readouterr().err
    assert main(["check", str(tmp_path / "t.csv"), *FLAGS, "--strict-columns"]) == 0
    assert main(["check", str(tmp_path / "t.csv"), *FLAGS[:-2]]) == 2
    assert "--epsilon" in capsys.readouterr().err
    path.write_text("round,arm,query\n1,1,true\n")
    assert main(["check", str(path), *FLAGS]) == 2
    assert "no column reward" in capsys.readouterr().err
    path.write_text("round,arm,query,reward,arm\n1,1,true,1,1\n")
    assert main(["check", str(path), *FLAGS]) == 2
    assert "appears twice" in capsys.readouterr().err


def test_a_line_that_never_ends(tmp_path, capsys, monkeypatch):
    path = tmp_path / "t.jsonl"
    write_trace(str(path), Trace(HEADER, ()))
    path.write_bytes(path.read_bytes() + b"x" * 4_100_000)
    assert main(["check", str(path)]) == 2
    assert "t.jsonl:2: a line of more than 1000000 characters" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", _Input(b"x" * 4_100_000))
    assert main(["check", "-"]) == 2
    assert "a line of more than 1000000 characters" in capsys.readouterr().err

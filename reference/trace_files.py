"""Traces in files: JSON Lines with a header object, or CSV with the same columns. Reading gives back what was
written.

A number is written bare if it is exactly a double, else as "p/q"; read back, a bare number is the double that it
denotes.
"""

from __future__ import annotations

import csv
import json
import math
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import Protocol, TextIO

from bufalu.reference import arguments
from bufalu.reference.arguments import PathLike
from bufalu.reference.confidence import confidence_named
from bufalu.reference.errors import (
    BufaluError,
    InvalidInstance,
    InvalidNumber,
    InvalidSchedule,
    InvalidTrace,
    UnusableFile,
)
from bufalu.reference.exact import Exact
from bufalu.reference.policies import policy_named
from bufalu.reference.radicals import rational_root
from bufalu.reference.rationals import (
    MAX_WRITTEN_LENGTH,
    Rational,
    format_rational,
    is_double,
    nearest_float,
    parse_rational,
    rational,
    shown,
)
from bufalu.reference.rounds import Round
from bufalu.reference.state import MOST_ARMS, ArmRecord
from bufalu.reference.strict_json import NotStrictJson, parse_json
from bufalu.reference.traces import Trace, TraceHeader, with_epsilon
from bufalu.reference.whole_files import check_writable, ending, is_stream, open_to_read, put, refusals

FORMAT = "bufalu-trace"
VERSION = 1
PLAIN_COLUMNS = ("round", "arm", "query", "reward", "epsilon")
"""What a round has whose answer, if it asked for one, was known in the next round."""
COLUMNS = (*PLAIN_COLUMNS, "answered")
NEVER = "never"
"""In CSV, where an empty cell says that there is nothing to tell: the answer did not come."""
MAX_LINE = 1_000_000
LATEST = 10**15
"""No run is as long, and doubles count as far."""
JSON_LINES = (".jsonl", ".ndjson", ".json", ".txt")
"""Endings under which JSON Lines are written, besides none at all; they are read under any name but .csv and .npz."""


class TraceWriter(Protocol):
    """Takes the rounds of a trace one after another."""

    def write(self, played: Round, /) -> None:
        """Writes one round."""


class _Nowhere:
    def write(self, played: Round) -> None:
        pass


@dataclass(frozen=True)
class _JsonLinesWriter:
    stream: TextIO
    header: TraceHeader

    def start(self) -> None:
        header = self.header
        fields: dict[str, object] = {
            "format": FORMAT,
            "version": VERSION,
            "policy": header.policy,
            "confidence": header.confidence,
            "arms": header.arms,
            "epsilon": header.epsilon,
        }
        if header.means is not None:
            fields["means"] = [json_number(mean) for mean in header.means]
        if header.known is not None:
            fields["known"] = [
                [record.queries, json_number(record.total), json_number(record.squares)] for record in header.known
            ]
        if header.finding is not None:
            fields["finding"] = list(header.finding)
        self.stream.write(json.dumps(fields) + "\n")

    def write(self, played: Round) -> None:
        fields: dict[str, object] = {
            "round": played.number,
            "arm": played.arm,
            "query": played.query,
            "reward": None if played.reward is None else json_number(played.reward),
        }
        if self.header.epsilon is None and played.epsilon is not None:
            fields["epsilon"] = json_number(rational_epsilon(played))
        if played.late:
            fields["answered"] = played.answered
        self.stream.write(json.dumps(fields) + "\n")


@dataclass(frozen=True)
class _CsvWriter:
    path: str
    stream: TextIO
    header: TraceHeader
    late: bool

    def start(self) -> None:
        if self.header.known is not None:
            raise InvalidTrace(
                self.path, None, "known", "a CSV file has no header for what was known before: write .jsonl"
            )
        self.stream.write(",".join(COLUMNS if self.late else PLAIN_COLUMNS) + "\n")

    def write(self, played: Round) -> None:
        reward = "" if played.reward is None else csv_number(played.reward)
        epsilon = ""
        if self.header.epsilon is None and played.epsilon is not None:
            epsilon = csv_number(rational_epsilon(played))
        query = "true" if played.query else "false"
        if played.late and not self.late:
            raise InvalidTrace(
                self.path, None, "answered", f"round {played.number} is answered late, and has no column"
            )
        answered = f",{played.answered or NEVER}" if played.late else "," if self.late else ""
        self.stream.write(f"{played.number},{played.arm},{query},{reward},{epsilon}{answered}\n")


@contextmanager
def trace_writer(path: str | None, header: TraceHeader, late: bool = False) -> Iterator[TraceWriter]:
    """A writer for a `.csv` or JSON Lines file (`JSON_LINES`, no ending), or for nothing if `path` is None.

    A CSV file has a column for late answers if `late` says that there may be some.
    The file is written as NAME.part and gets its name when it is whole. If the run is interrupted, the rounds so far
    stay in NAME.part; after an error nothing stays. Raises `UnusableFile` if the file cannot be written.
    """
    if path is None:
        yield _Nowhere()
        return
    place = path if is_stream(path) else unfinished_trace(path)
    with refusals(path):
        if place != path:
            check_writable(path, (*JSON_LINES, ".csv"))
        try:
            with Path(place).open("w", encoding="utf-8", newline="") as stream:
                csv_file = ending(path) == ".csv"
                writer = _CsvWriter(path, stream, header, late) if csv_file else _JsonLinesWriter(stream, header)
                writer.start()
                yield writer
            if place != path:
                put(Path(place), path)
        except Exception:
            if place != path:
                Path(place).unlink(missing_ok=True)
            raise


def unfinished_trace(path: str) -> str:
    """Where the rounds of a trace are until it is whole: beside the file itself, also if `path` is a link to it."""
    return f"{os.path.realpath(path)}.part" if os.path.islink(path) else f"{path}.part"


def write_trace(path: PathLike, trace: Trace) -> None:
    """Writes a whole trace; raises `UnusableFile`, and `InvalidSchedule` for an epsilon that no file can hold."""
    if not isinstance(trace, Trace):
        raise InvalidInstance(f"trace must be a Trace, not {shown(trace)}")
    with trace_writer(arguments.path(path), trace.header, trace.late) as writer:
        for played in trace.rounds:
            writer.write(played)


def read_trace(path: PathLike, header: TraceHeader | None = None) -> Trace:
    """A trace file, checked, every round after the initial ones with its epsilon; CSV files need the header.

    Raises `InvalidTrace` naming line and field, or `UnusableFile`.
    """
    path = arguments.path(path)
    if header is not None and not isinstance(header, TraceHeader):
        raise InvalidInstance(f"header must be a TraceHeader, not {shown(header)}")
    try:
        with TextIOWrapper(open_to_read(path), encoding="utf-8-sig", newline="") as stream:
            if ending(path) == ".csv":
                if header is None:
                    problem = "a CSV trace needs policy, confidence, arms and epsilon from flags"
                    raise InvalidTrace(path, None, None, problem)
                check_header(path, None, header)
                rounds = read_csv_rounds(path, stream, header)
            else:
                lines = numbered_lines(path, stream)
                header = read_header(path, lines)
                rounds = read_json_rounds(path, lines, header)
            return Trace(header, tuple(with_epsilon(rounds, header.schedule, header.arms)))
    except OSError as problem:
        raise UnusableFile(f"cannot read {path}: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidTrace(path, None, None, "not a text file in UTF-8") from None


def numbered_lines(path: str, stream: TextIO) -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers; raises `InvalidTrace` for one that is too long to be a round."""
    number = 0
    while line := stream.readline(MAX_LINE + 1):
        number += 1
        if len(line) > MAX_LINE:
            raise InvalidTrace(path, number, None, f"a line of more than {MAX_LINE} characters")
        yield number, line.rstrip("\r\n")


def read_header(path: str, lines: Iterator[tuple[int, str]]) -> TraceHeader:
    """The first line of a JSON Lines trace; raises `InvalidTrace`."""
    number, line = next(lines, (1, ""))
    fields = _object(path, number, line)
    if fields.get("format") != FORMAT:
        raise InvalidTrace(path, number, "format", f'expected "{FORMAT}" (the first line is the header)')
    version = fields.get("version")
    if version != VERSION or isinstance(version, bool):
        raise InvalidTrace(path, number, "version", f"expected {VERSION}")
    required = {"format", "version", "policy", "confidence", "arms", "epsilon"}
    for name in fields.keys() - required - {"means", "known", "finding"}:
        raise InvalidTrace(path, number, name, "not a field of the header")
    for name in sorted(required - fields.keys()):
        raise InvalidTrace(path, number, name, "missing")
    policy, confidence, epsilon = fields["policy"], fields["confidence"], fields["epsilon"]
    arms = fields["arms"]
    if not isinstance(arms, int) or isinstance(arms, bool) or not 1 <= arms <= MOST_ARMS:
        raise InvalidTrace(path, number, "arms", f"expected a whole number from 1 to {MOST_ARMS}")
    means: tuple[Rational, ...] | None = None
    if fields.get("means") is not None:
        entries = fields["means"]
        if not isinstance(entries, list) or len(entries) != arms:
            raise InvalidTrace(path, number, "means", f"expected a list of {arms} numbers")
        means = tuple(_unit_number(path, number, "means", entry) for entry in entries)
    header = TraceHeader(
        _text(path, number, "policy", policy),
        _text(path, number, "confidence", confidence),
        arms,
        None if epsilon is None else _text(path, number, "epsilon", epsilon),
        means,
        known=_known(path, number, fields.get("known"), arms),
        finding=_finding(path, number, fields.get("finding")),
    )
    check_header(path, number, header)
    return header


def _finding(path: str, line: int, entries: object) -> list[str] | None:
    """The names of bugs in a header; raises `InvalidTrace`."""
    if entries is None:
        return None
    if not isinstance(entries, list):
        raise InvalidTrace(path, line, "finding", "expected a list of names")
    return [_text(path, line, "finding", entry) for entry in entries]


def _known(path: str, line: int, entries: object, arms: int) -> tuple[ArmRecord, ...] | None:
    """What was known of each arm before round 1: number, sum and sum of squares of its rewards; raises `InvalidTrace`."""
    if entries is None:
        return None
    expected = f"expected a list of {arms} lists: number, sum and sum of squares of the rewards of each arm"
    if not isinstance(entries, list) or len(entries) != arms:
        raise InvalidTrace(path, line, "known", expected)
    records = []
    for entry in entries:
        if not isinstance(entry, list) or len(entry) != 3 or not isinstance(entry[0], int):
            raise InvalidTrace(path, line, "known", expected)
        try:
            record = ArmRecord(int(entry[0]), read_number(entry[1]), read_number(entry[2]))
        except InvalidNumber as problem:
            raise InvalidTrace(path, line, "known", str(problem)) from None
        if isinstance(entry[0], bool) or not record.is_possible:
            raise InvalidTrace(
                path, line, "known", f"no rewards in [0, 1] have this number, sum and sum of squares: {entry}"
            )
        records.append(record)
    return tuple(records)


def check_header(path: str, line: int | None, header: TraceHeader) -> None:
    """Raises `InvalidTrace` unless policy, interval and schedule of the header exist."""
    if header.epsilon is not None and header.epsilon.startswith("file:"):
        raise InvalidTrace(path, line, "epsilon", "a trace does not refer to another file: write the numbers")
    checks: dict[str, Callable[[], object]] = {
        "policy": lambda: policy_named(header.policy),
        "confidence": lambda: confidence_named(header.confidence),
        "epsilon": lambda: None if header.schedule is None else header.schedule.at(header.arms + 1, header.arms),
    }
    for name, look_up in checks.items():
        try:
            look_up()
        except BufaluError as problem:
            raise InvalidTrace(path, line, name, str(problem)) from None


def read_json_rounds(path: str, lines: Iterable[tuple[int, str]], header: TraceHeader) -> Iterator[Round]:
    """The rounds after the header as the file has them, as a stream; raises `InvalidTrace`."""
    for expected, (number, line) in enumerate(lines, start=1):
        yield json_round(path, number, expected, header, line)


def json_round(path: str, number: int, expected: int, header: TraceHeader, line: str) -> Round:
    """The round `expected` from line `number` of a JSON Lines trace; raises `InvalidTrace`."""
    fields = _object(path, number, line)
    for name in fields.keys() - set(COLUMNS):
        raise InvalidTrace(path, number, name, "not a field of a round")
    for name in ("round", "arm", "query"):
        if name not in fields:
            raise InvalidTrace(path, number, name, "missing")
    return checked_round(path, number, expected, header, fields)


def read_csv_rounds(path: str, stream: TextIO, header: TraceHeader) -> Iterator[Round]:
    """The rounds of a CSV trace, as a stream; raises `InvalidTrace`."""
    check_header(path, None, header)
    lines = numbered_lines(path, stream)
    _, first = next(lines, (1, ""))
    names = csv_columns(path, first)
    for expected, (number, line) in enumerate(lines, start=1):
        yield csv_round(path, number, expected, header, line, names=names)


def csv_columns(path: str, line: str, strict: bool = False) -> tuple[str, ...]:
    """The columns that the first line of a CSV trace names, in any order; with `strict` there may be no others.

    Raises `InvalidTrace` for one that is missing (`epsilon` may be) or appears twice.
    """
    names = tuple(name.strip() for name in _csv_cells(path, 1, line))
    missing = [name for name in PLAIN_COLUMNS[:-1] if name not in names]
    if missing:
        problem = f"there is no column {', '.join(missing)}: the first line names {', '.join(PLAIN_COLUMNS)}"
        raise InvalidTrace(path, 1, None, problem)
    for name in COLUMNS:
        if names.count(name) > 1:
            raise InvalidTrace(path, 1, name, "the column appears twice")
    others = [name for name in names if name not in COLUMNS]
    if others and strict:
        raise InvalidTrace(path, 1, None, f"not a column of a trace: {_shown(', '.join(others))}")
    return names


def csv_round(
    path: str, number: int, expected: int, header: TraceHeader, line: str, *, names: tuple[str, ...]
) -> Round:
    """The round `expected` from line `number` of a CSV trace with these columns; raises `InvalidTrace`."""
    cells = _csv_cells(path, number, line)
    if len(cells) != len(names):
        raise InvalidTrace(path, number, None, f"expected {len(names)} columns, found {len(cells)}")
    fields: dict[str, object] = {}
    for name, cell in zip(names, cells, strict=True):
        if name in COLUMNS and (name != "answered" or cell.strip()):
            fields[name] = _csv_cell(path, number, name, cell.strip())
    return checked_round(path, number, expected, header, fields)


def _csv_cells(path: str, number: int, line: str) -> list[str]:
    if '"' not in line:
        return line.split(",")
    try:
        return next(csv.reader([line], strict=True))
    except csv.Error as problem:
        raise InvalidTrace(path, number, None, f"not a line of CSV: {problem}") from None


def checked_round(path: str, line: int, expected: int, header: TraceHeader, fields: dict[str, object]) -> Round:
    """One round from its raw fields, with every precondition of the format; raises `InvalidTrace`."""
    number, arm, query = fields["round"], fields["arm"], fields["query"]
    if not isinstance(number, int) or isinstance(number, bool) or number != expected:
        hint = " (rounds are numbered from 1)" if expected == 1 and number == 0 else ""
        raise InvalidTrace(path, line, "round", f"expected {expected}, found {_shown(number)}{hint}")
    if not isinstance(arm, int) or isinstance(arm, bool) or not 1 <= arm <= header.arms:
        hint = " (arms are numbered from 1)" if arm == 0 else ""
        raise InvalidTrace(
            path, line, "arm", f"expected a whole number from 1 to {header.arms}, found {_shown(arm)}{hint}"
        )
    if not isinstance(query, bool):
        raise InvalidTrace(path, line, "query", f"expected true or false, found {_shown(query)}")
    answered = fields.get("answered", number + 1)
    if not query and "answered" in fields:
        raise InvalidTrace(path, line, "answered", "given, though the round was not queried")
    if answered is not None and (
        not isinstance(answered, int) or isinstance(answered, bool) or not number < answered <= LATEST
    ):
        raise InvalidTrace(path, line, "answered", f"expected a later round or null, found {_shown(answered)}")
    reward = _reward(path, line, query, answered is None, fields.get("reward"))
    epsilon = _epsilon(path, line, number, header, fields.get("epsilon"))
    return Round(number, arm, query, reward, epsilon, None if answered == number + 1 else answered)


def _reward(path: str, line: int, query: bool, never: bool, entry: object) -> Rational | None:
    """The reward of a round, which it has if it was queried and an answer came; raises `InvalidTrace`."""
    if query and not never:
        if entry is None:
            raise InvalidTrace(path, line, "reward", "missing, though the round was queried")
        return _unit_number(path, line, "reward", entry)
    if entry is not None:
        unseen = "the answer never came" if query else "the round was not queried: an unqueried reward is unseen"
        raise InvalidTrace(path, line, "reward", f"given, though {unseen}")
    return None


def rational_epsilon(played: Round) -> Rational:
    """The epsilon of a round as a rational; raises `InvalidSchedule` if it is irrational, which no file can hold."""
    assert played.epsilon is not None
    terms = played.epsilon.form().reduced().terms
    if not terms:
        return 0
    if len(terms) == 1:
        term = terms[0]
        root = rational_root(term.radicand)
        if root is not None and not term.exponent and not term.degree and not term.variant_degree:
            return rational(term.coefficient * root)
    raise InvalidSchedule(f"epsilon({played.number}) is irrational: a trace file needs a schedule text or rationals")


def json_number(value: Rational) -> int | float | str:
    """A JSON number if `value` is exactly a double, else "p/q"; raises `InvalidNumber` if that is too long to read."""
    if not is_double(value):
        # With the denominator even for whole numbers, so that CSV can tell it from the double of the same digits.
        text = format_rational(value)
        text = text if "/" in text else f"{text}/1"
        if len(text) > MAX_WRITTEN_LENGTH:
            raise InvalidNumber(f"a number of {len(text)} characters is too long for a trace ({MAX_WRITTEN_LENGTH})")
        return text
    return value.numerator if value.denominator == 1 and -(2**53) < value < 2**53 else nearest_float(value)


def csv_number(value: Rational) -> str:
    """The text of `json_number`."""
    number = json_number(value)
    return number if isinstance(number, str) else json.dumps(number)


def read_number(entry: object) -> Rational:
    """A number of a trace: a JSON number is the double that it denotes, "p/q" is exact; raises `InvalidNumber`."""
    if isinstance(entry, bool) or not isinstance(entry, int | float | str):
        raise InvalidNumber(f'expected a number or "p/q", found {_shown(entry)}')
    if isinstance(entry, str):
        return parse_rational(entry, MAX_WRITTEN_LENGTH)
    try:
        return rational(float(entry))
    except OverflowError:
        raise InvalidNumber("too large for a double") from None


def _epsilon(path: str, line: int, number: int, header: TraceHeader, entry: object) -> Exact | None:
    if header.epsilon is not None:
        if entry is not None:
            raise InvalidTrace(path, line, "epsilon", "given, though the header has a schedule")
        return None
    if entry is None:
        if number > header.arms:
            raise InvalidTrace(path, line, "epsilon", "missing, and there is no schedule (--epsilon gives one)")
        return None
    try:
        value = read_number(entry)
    except InvalidNumber as problem:
        raise InvalidTrace(path, line, "epsilon", str(problem)) from None
    if value < 0:
        raise InvalidTrace(path, line, "epsilon", f"expected a nonnegative number, found {_shown(entry)}")
    return Exact.of(value)


def _object(path: str, number: int, line: str) -> dict[str, object]:
    try:
        value = parse_json(line)
    except NotStrictJson as problem:
        raise InvalidTrace(path, number, None, str(problem)) from None
    if not isinstance(value, dict):
        raise InvalidTrace(path, number, None, "expected a JSON object on every line")
    return value


def _text(path: str, line: int, name: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidTrace(path, line, name, f"expected text, found {_shown(value)}")
    return value


def _unit_number(path: str, line: int, name: str, entry: object) -> Rational:
    try:
        value = read_number(entry)
    except InvalidNumber as problem:
        raise InvalidTrace(path, line, name, str(problem)) from None
    if not 0 <= value <= 1:
        raise InvalidTrace(path, line, name, f"expected a number in [0, 1], found {_shown(entry)}")
    return value


def _csv_cell(path: str, line: int, name: str, cell: str) -> object:
    if name == "answered" and cell == NEVER:
        return None
    if name in ("round", "arm", "answered"):
        if not (cell.isascii() and cell.isdigit() and len(cell) <= 18):
            raise InvalidTrace(path, line, name, f"expected a whole number, found {_shown(cell)}")
        return int(cell)
    if name == "query":
        words = {"true": True, "1": True, "false": False, "0": False}
        if cell.lower() not in words:
            raise InvalidTrace(path, line, name, f"expected true or false, found {_shown(cell)}")
        return words[cell.lower()]
    if cell == "":
        return None
    if "/" in cell:
        return cell
    try:
        # Python alone reads 0_1 and the digits of other scripts as numbers.
        value = float(cell if cell.isascii() and "_" not in cell else "")
    except ValueError:
        raise InvalidTrace(path, line, name, f"expected a number, found {_shown(cell)}") from None
    if not math.isfinite(value):
        raise InvalidTrace(path, line, name, f"expected a finite number, found {_shown(cell)}")
    return value


def _shown(value: object) -> str:
    text = json.dumps(value) if isinstance(value, bool | int | float | str) or value is None else type(value).__name__
    return text if len(text) <= 60 else text[:57] + "..."

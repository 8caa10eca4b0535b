"""Traces in files: JSON Lines with a header object, or CSV with the same columns. Reading gives back what was
written.

A number is written bare if it is exactly a double, else as "p/q". It is read with the standard library, since the
reference imports nothing else; `oracle/plain_lines.py` reads faster.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import Protocol, TextIO

from bufalu.reference import arguments
from bufalu.reference.arguments import PathLike
from bufalu.reference.errors import InvalidInstance, InvalidNumber, InvalidSchedule, InvalidTrace, UnusableFile
from bufalu.reference.radicals import rational_root
from bufalu.reference.rationals import (
    MAX_WRITTEN_LENGTH,
    Rational,
    format_rational,
    is_double,
    nearest_float,
    rational,
    shown,
)
from bufalu.reference.rounds import Round
from bufalu.reference.trace_fields import (
    COLUMNS,
    FORMAT,
    NEVER,
    PLAIN_COLUMNS,
    VERSION,
    check_header,
    csv_columns,
    csv_round,
    json_round,
    numbered_lines,
    read_header,
)
from bufalu.reference.traces import Trace, TraceHeader, with_epsilon
from bufalu.reference.whole_files import check_writable, ending, is_stream, open_to_read, put, refusals

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


def read_json_rounds(path: str, lines: Iterable[tuple[int, str]], header: TraceHeader) -> Iterator[Round]:
    """The rounds after the header as the file has them, as a stream; raises `InvalidTrace`."""
    for expected, (number, line) in enumerate(lines, start=1):
        yield json_round(path, number, expected, header, line)


def read_csv_rounds(path: str, stream: TextIO, header: TraceHeader) -> Iterator[Round]:
    """The rounds of a CSV trace, as a stream; raises `InvalidTrace`."""
    check_header(path, None, header)
    lines = numbered_lines(path, stream)
    _, first = next(lines, (1, ""))
    names = csv_columns(path, first)
    for expected, (number, line) in enumerate(lines, start=1):
        yield csv_round(path, number, expected, header, line, names=names)


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

"""Headers and rounds as trace files have them, every field looked at: reading what was written gives it back, and what
breaks the format is refused with its line and field.

A bare number is the double that it denotes, "p/q" is exact.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterator
from typing import TextIO

from bufalu.reference.confidence import confidence_named
from bufalu.reference.errors import BufaluError, InvalidNumber, InvalidTrace
from bufalu.reference.exact import Exact
from bufalu.reference.policies import policy_named
from bufalu.reference.rationals import MAX_WRITTEN_LENGTH, Rational, parse_rational, rational
from bufalu.reference.rounds import Round
from bufalu.reference.state import MOST_ARMS, ArmRecord
from bufalu.reference.traces import TraceHeader
from bufalu.reference.whole_files import NotStrictJson, parse_json

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
    for name in sorted(fields.keys() - required - {"means", "known", "finding"}):
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


def json_round(path: str, number: int, expected: int, header: TraceHeader, line: str) -> Round:
    """The round `expected` from line `number` of a JSON Lines trace; raises `InvalidTrace`."""
    fields = _object(path, number, line)
    for name in sorted(fields.keys() - set(COLUMNS)):
        raise InvalidTrace(path, number, name, "not a field of a round")
    for name in ("round", "arm", "query"):
        if name not in fields:
            raise InvalidTrace(path, number, name, "missing")
    return checked_round(path, number, expected, header, fields)


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

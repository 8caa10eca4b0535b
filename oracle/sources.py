"""Opens a trace file of any kind as a header and a stream of blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

from bufalu.oracle.blocks import Block, BlockBuilder, blocks_of_rounds
from bufalu.oracle.npz_files import npz_blocks
from bufalu.reference.errors import InvalidTrace, UnusableFile
from bufalu.reference.schedules import Schedule
from bufalu.reference.trace_files import (
    MAX_ARMS,
    check_header,
    json_round,
    numbered_lines,
    read_csv_rounds,
    read_header,
)
from bufalu.reference.traces import TraceHeader

_WHOLE = r"(0|[1-9][0-9]{0,14})"
_NUMBER = r"(null|-?(?:0|[1-9][0-9]{0,30})(?:\.[0-9]{1,60})?(?:[eE][+-]?[0-9]{1,3})?)"
_PLAIN_ROUND = re.compile(
    rf'\{{"round": ?{_WHOLE}, ?"arm": ?{_WHOLE}, ?"query": ?(true|false), ?"reward": ?{_NUMBER}'
    rf'(?:, ?"epsilon": ?{_NUMBER})?\}}'
)
"""A round as most programs write it; any other spelling takes the strict parser, which is ten times slower."""

_NAN = float("nan")


@dataclass(frozen=True)
class Flags:
    """What the command line says about a trace; None leaves it to the file."""

    policy: str | None = None
    confidence: str | None = None
    arms: int | None = None
    epsilon: str | None = None


@dataclass(frozen=True)
class TraceFile:
    """A trace file that can be read again and again. `schedule` is None when the rounds carry their epsilons."""

    path: str
    header: TraceHeader
    schedule: Schedule | None
    headed: bool

    def blocks(self) -> Iterator[Block]:
        """The rounds in blocks; raises `InvalidTrace` or `UnusableFile`."""
        if self.path.endswith(".npz"):
            yield from npz_blocks(self.path, self.header)
            return
        with _text(self.path) as stream:
            if self.path.endswith(".csv"):
                yield from blocks_of_rounds(read_csv_rounds(self.path, stream, self.header))
            else:
                yield from json_blocks(self.path, stream, self.header, self.headed)


def open_trace(path: str, flags: Flags | None = None) -> TraceFile:
    """Reads the header of a trace, completed and overruled by flags; raises `InvalidTrace` or `UnusableFile`.

    CSV and NPZ files have no header, so flags must say policy, interval and number of arms: an arm that was never
    played, or another policy, would otherwise be judged as something that nobody claimed.
    """
    flags = flags or Flags()
    found: TraceHeader | None = None
    if not path.endswith((".npz", ".csv")):
        found = _json_header(path)
    if found is None:
        header = _header_of_flags(path, flags)
    else:
        header = replace(
            found,
            policy=flags.policy or found.policy,
            confidence=flags.confidence or found.confidence,
            epsilon=flags.epsilon or found.epsilon,
        )
        if flags.arms not in (None, found.arms):
            raise InvalidTrace(path, 1, "arms", f"the header says {found.arms}, the flag says {flags.arms}")
    schedule = header.schedule
    check_header(path, None, header if flags.epsilon is None else replace(header, epsilon=None))
    return TraceFile(path, header, schedule, headed=found is not None)


def json_blocks(path: str, stream: TextIO, header: TraceHeader, headed: bool = True) -> Iterator[Block]:
    """The rounds of a JSON Lines trace in blocks; raises `InvalidTrace`."""
    lines = numbered_lines(path, stream)
    if headed:
        next(lines)
    builder = BlockBuilder()
    scheduled, arms = header.epsilon is not None, header.arms
    expected = 1
    for number, line in lines:
        match = _PLAIN_ROUND.fullmatch(line)
        if match is None or not _add_plain(builder, match, expected, arms, scheduled):
            builder.add(json_round(path, number, expected, header, line))
        expected += 1
        if builder.full:
            yield builder.take()
    if builder.arms:
        yield builder.take()


def _add_plain(builder: BlockBuilder, match: re.Match[str], expected: int, arms: int, scheduled: bool) -> bool:
    """Adds a round in the plain spelling; False if anything about it is wrong, for the strict parser to say what."""
    number, arm_text, query_text, reward_text, epsilon_text = match.groups()
    arm = int(arm_text)
    if int(number) != expected or not 1 <= arm <= arms:
        return False
    query = query_text == "true"
    reward = epsilon = _NAN
    if query:
        if reward_text == "null":
            return False
        reward = float(reward_text)
        if not 0.0 <= reward <= 1.0:
            return False
    elif reward_text != "null":
        return False
    absent = epsilon_text is None or epsilon_text == "null"
    # In the initial rounds epsilon plays no role, and may be told or not.
    if not absent if scheduled else absent and expected > arms:
        return False
    if not absent:
        epsilon = float(epsilon_text)
        if not 0.0 <= epsilon < float("inf"):
            return False
    builder.add_doubles(arm, query, reward, epsilon)
    return True


def _json_header(path: str) -> TraceHeader | None:
    """The header of a JSON Lines trace; None if the first line is a round already."""
    with _text(path) as stream:
        first = stream.readline(1000)
        if '"round"' in first and '"format"' not in first:
            return None
        stream.seek(0)
        return read_header(path, numbered_lines(path, stream))


def _header_of_flags(path: str, flags: Flags) -> TraceHeader:
    """The header of a file that has none; raises `InvalidTrace` naming the flags that are missing."""
    if flags.policy is None or flags.confidence is None or flags.arms is None:
        wanted = {"--policy": flags.policy, "--confidence": flags.confidence, "--arms": flags.arms}
        missing = ", ".join(flag for flag, value in wanted.items() if value is None)
        raise InvalidTrace(path, None, None, f"there is no header that says what this is a trace of: give {missing}")
    if flags.arms > MAX_ARMS:
        raise InvalidTrace(path, None, "arms", f"{flags.arms} arms are too many (at most {MAX_ARMS})")
    return TraceHeader(flags.policy, flags.confidence, flags.arms, flags.epsilon)


@contextmanager
def _text(path: str) -> Iterator[TextIO]:
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as stream:
            yield stream
    except OSError as problem:
        raise UnusableFile(f"cannot read {path}: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidTrace(path, None, None, "not a text file in UTF-8") from None

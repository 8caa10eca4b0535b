"""Opens a trace file of any kind, plain or compressed with gzip, as a header and a stream of blocks."""

from __future__ import annotations

import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum
from gzip import BadGzipFile, GzipFile
from io import BufferedReader
from itertools import chain
from pathlib import Path
from typing import IO, Protocol

import numpy as np

from bufalu.doubles.blocks import Block
from bufalu.oracle.npz_files import npz_blocks
from bufalu.oracle.plain_lines import Lines, Spelling, csv_spelling, json_spelling
from bufalu.reference.errors import InvalidTrace, UnusableFile
from bufalu.reference.rounds import Round
from bufalu.reference.schedules import Schedule
from bufalu.reference.state import MOST_ARMS
from bufalu.reference.trace_fields import (
    MAX_LINE,
    check_header,
    csv_columns,
    csv_round,
    json_round,
    read_header,
)
from bufalu.reference.traces import TraceHeader
from bufalu.reference.whole_files import ending, open_to_read

Bytes = GzipFile | IO[bytes]

STDIN = "-"
_PIECE = 2**20
"""Bytes that are read at once."""
_MARK = b"\xef\xbb\xbf"
"""What some programs write before a text in UTF-8."""
_GZIP_MAGIC = b"\x1f\x8b"
_LONGEST_CHARACTER = 4
"""Bytes of a character in UTF-8, at most."""


def uncompressed_name(path: str) -> str:
    """The name that says what a file is: without `.gz`."""
    return path.removesuffix(".gz")


@contextmanager
def opened(path: str, shown: str) -> Iterator[Bytes]:
    """A file to read bytes from, unpacked if its name or its first bytes say gzip; raises `UnusableFile`, `InvalidTrace`."""
    with _problems(shown), open_to_read(path) as plain:
        if path.endswith(".gz") or plain.peek(2)[:2] == _GZIP_MAGIC:
            with GzipFile(fileobj=plain) as stream:
                yield stream
        else:
            yield plain


def pieces(shown: str, stream: Bytes) -> Iterator[bytes]:
    """The text as pieces of whole lines, each line with "\\n" at its end, however it ended in the file.

    Raises `InvalidTrace` for a line that is too long to be a round, and for what is not UTF-8.
    """
    rest, lines, first = b"", 0, True
    while data := stream.read(_PIECE):
        rest += data
        if first:
            rest, first = rest.removeprefix(_MARK), False
        # A "\r" at the very end may be the first half of an end of line.
        cut = max(rest.rfind(b"\n"), rest.rfind(b"\r", 0, len(rest) - 1)) + 1
        if cut:
            piece, rest = _text(shown, rest[:cut]), rest[cut:]
            lines += piece.count(b"\n")
            yield piece
        if len(rest) > _LONGEST_CHARACTER * MAX_LINE:
            raise InvalidTrace(shown, lines + 1, None, f"a line of more than {MAX_LINE} characters")
    if rest:
        yield _text(shown, rest if rest.endswith((b"\n", b"\r")) else rest + b"\n")


def kept_input() -> tempfile._TemporaryFileWrapper[bytes]:
    """What comes from stdin, unpacked if it is compressed, in a file that vanishes when it is closed.

    Raises `InvalidTrace` if it is not text, `UnusableFile` if there is no room for it.
    """
    with _problems("stdin"):
        kept = tempfile.NamedTemporaryFile(prefix="bufalu-")  # noqa: SIM115 # whoever asked for it closes it
        given = sys.stdin.buffer
        packed = isinstance(given, BufferedReader) and given.peek(2)[:2] == _GZIP_MAGIC
        for piece in pieces("stdin", GzipFile(fileobj=given) if packed else given):
            kept.write(piece)
        kept.flush()
        return kept


def _text(shown: str, piece: bytes) -> bytes:
    if not piece.isascii():
        try:
            piece.decode("utf-8")
        except UnicodeDecodeError:
            raise InvalidTrace(shown, None, None, "not a text file in UTF-8") from None
    if b"\r" in piece:
        piece = piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return piece


@contextmanager
def _problems(shown: str) -> Iterator[None]:
    try:
        yield
    except BadGzipFile as problem:
        raise InvalidTrace(shown, None, None, f"not compressed with gzip: {problem}") from None
    except (EOFError, zlib.error):
        raise InvalidTrace(shown, None, None, "damaged or cut short") from None
    except OSError as problem:
        raise UnusableFile(f"cannot read {shown}: {problem.strerror or problem}") from None


@dataclass(frozen=True)
class TraceOptions:
    """What the command line says about a trace; None leaves it to the file."""

    policy: str | None = None
    confidence: str | None = None
    arms: int | None = None
    epsilon: str | None = None
    strict_columns: bool = False


class TraceSource(Protocol):
    """What can be checked: a header, and blocks of rounds as often as they are asked for."""

    @property
    def path(self) -> str:
        """What people call it."""

    @property
    def header(self) -> TraceHeader:
        """What it is a trace of."""

    @property
    def schedule(self) -> Schedule | None:
        """epsilon(t), or None when the rounds carry it."""

    def blocks(self) -> Iterator[Block]:
        """The rounds in blocks; raises `InvalidTrace` or `UnusableFile`."""

    def line_of(self, number: int) -> int | None:
        """The line of a round in a plain text file, None in any other."""

    @property
    def miscounts(self) -> Sequence[str]:
        """Once all blocks were read: what the file says beside its rounds that they do not bear out, a line each."""


@dataclass(frozen=True)
class TraceFile:
    """A trace file that can be read again and again. `schedule` is None when the rounds carry their epsilons.

    `path` is what people call it, `place` where its bytes are.
    """

    path: str
    header: TraceHeader
    schedule: Schedule | None
    headed: bool
    place: Path
    kind: Kind
    strict_columns: bool = False

    def blocks(self) -> Iterator[Block]:
        """The rounds in blocks; raises `InvalidTrace` or `UnusableFile`."""
        if self.kind is Kind.NPZ:
            yield from npz_blocks(self.path, self.header)
            return
        with opened(str(self.place), self.path) as stream:
            texts = pieces(self.path, stream)
            if self.kind is Kind.CSV:
                yield from csv_blocks(self.path, texts, self.header, self.strict_columns)
            else:
                yield from json_blocks(self.path, texts, self.header, self.headed)

    def line_of(self, number: int) -> int | None:
        """The line of a round in a plain text file, None in any other."""
        if self.kind is Kind.NPZ or self.path.endswith(".gz"):
            return None
        return number + 1 if self.headed or self.kind is Kind.CSV else number

    @property
    def miscounts(self) -> Sequence[str]:
        """None: a trace has its rounds and nothing beside them."""
        return ()


class Kind(Enum):
    """The format of a trace file."""

    JSON_LINES = "JSON Lines"
    CSV = "CSV"
    NPZ = "NPZ"


def kind_of_name(path: str) -> Kind:
    """What the name of a file says that it is; raises `UnusableFile` for a compressed archive."""
    name = uncompressed_name(path)
    if ending(name) == ".npz":
        if name != path:
            raise UnusableFile(f"{path}: an NPZ file is compressed already; unpack the .gz")
        return Kind.NPZ
    return Kind.CSV if ending(name) == ".csv" else Kind.JSON_LINES


@contextmanager
def trace_source(path: str, flags: TraceOptions | None = None) -> Iterator[TraceFile]:
    """`open_trace`, where `-` is the standard input, JSON Lines or CSV: it is kept in a file until the block is left."""
    if path != STDIN:
        yield open_trace(path, flags)
        return
    with kept_input() as kept:
        with Path(kept.name).open("rb") as stream:
            kind = Kind.JSON_LINES if stream.readline(1000).lstrip()[:1] in (b"{", b"") else Kind.CSV
        yield _opened("stdin", Path(kept.name), kind, flags or TraceOptions())


def open_trace(path: str, flags: TraceOptions | None = None) -> TraceFile:
    """Reads the header of a trace, completed and overruled by flags; raises `InvalidTrace` or `UnusableFile`.

    CSV and NPZ files have no header, so flags must say policy, interval and number of arms: an arm that was never
    played, or another policy, would otherwise be judged as something that nobody claimed.
    """
    return _opened(path, Path(path), kind_of_name(path), flags or TraceOptions())


def _opened(path: str, place: Path, kind: Kind, flags: TraceOptions) -> TraceFile:
    found = _json_header(path, place) if kind is Kind.JSON_LINES else None
    if found is None:
        header = _header_of_flags(path, flags)
    else:
        header = replace(
            found,
            policy=found.policy if flags.policy is None else flags.policy,
            confidence=found.confidence if flags.confidence is None else flags.confidence,
            epsilon=found.epsilon if flags.epsilon is None else flags.epsilon,
        )
        if flags.arms not in (None, found.arms):
            raise InvalidTrace(path, 1, "arms", f"the header says {found.arms}, the flag says {flags.arms}")
    schedule = header.schedule
    check_header(path, None, header if flags.epsilon is None else replace(header, epsilon=None))
    return TraceFile(path, header, schedule, found is not None, place, kind, flags.strict_columns)


def json_blocks(path: str, texts: Iterable[bytes], header: TraceHeader, headed: bool = True) -> Iterator[Block]:
    """The rounds of a JSON Lines trace in blocks, from pieces of whole lines; raises `InvalidTrace`."""

    def parse(number: int, expected: int, line: str) -> Round:
        return json_round(path, number, expected, header, line)

    yield from _blocks(path, texts, header, skipped=1 if headed else 0, spelling_of=json_spelling, parse=parse)


def csv_blocks(path: str, texts: Iterable[bytes], header: TraceHeader, strict_columns: bool) -> Iterator[Block]:
    """The rounds of a CSV trace in blocks, from pieces of whole lines; raises `InvalidTrace`."""
    texts = iter(texts)
    first = next(texts, b"")
    names = csv_columns(path, _line(path, 1, first.split(b"\n", 1)[0]), strict_columns)
    spelling = csv_spelling(names)

    def parse(number: int, expected: int, line: str) -> Round:
        return csv_round(path, number, expected, header, line, names=names)

    yield from _blocks(path, chain([first], texts), header, skipped=1, spelling_of=lambda _: spelling, parse=parse)


def _blocks(
    path: str,
    texts: Iterable[bytes],
    header: TraceHeader,
    *,
    skipped: int,
    spelling_of: Callable[[bytes], Spelling | None],
    parse: Callable[[int, int, str], Round],
) -> Iterator[Block]:
    """The rounds after the first `skipped` lines: the plain ones as arrays, the others by the strict parser."""
    expected = 1
    for piece, text in enumerate(texts):
        lines = Lines(text.partition(b"\n")[2] if skipped and piece == 0 else text)
        if not len(lines):
            continue
        found = lines.plain_rounds(spelling_of)
        good = found.accept(expected, header.arms, header.epsilon is not None)
        answered = found.answered_in(expected)
        block = Block(expected, found.arm, found.query, found.reward, found.epsilon, answered=answered)
        parsed: dict[int, Round] = {}
        for doubtful in np.flatnonzero(~good):
            place = int(doubtful)
            number = expected + place + skipped
            parsed[place] = parse(number, expected + place, _line(path, number, lines.line(place)))
            block.put(place, parsed[place])
        yield block.with_late(parsed)
        expected += len(lines)


def _line(path: str, number: int, line: bytes) -> str:
    text = line.decode("utf-8")
    if len(text) > MAX_LINE:
        raise InvalidTrace(path, number, None, f"a line of more than {MAX_LINE} characters")
    return text


def _json_header(path: str, place: Path) -> TraceHeader | None:
    """The header of a JSON Lines trace; None if the first line is a round already."""
    with opened(str(place), path) as stream:
        first = next(pieces(path, stream), b"\n").split(b"\n", 1)[0]
    if b'"round"' in first[:1000] and b'"format"' not in first[:1000]:
        return None
    return read_header(path, iter([(1, _line(path, 1, first))]))


def _header_of_flags(path: str, flags: TraceOptions) -> TraceHeader:
    """The header of a file that has none; raises `InvalidTrace` naming the flags that are missing."""
    if flags.policy is None or flags.confidence is None or flags.arms is None:
        wanted = {"--policy": flags.policy, "--confidence": flags.confidence, "--arms": flags.arms}
        missing = ", ".join(flag for flag, value in wanted.items() if value is None)
        raise InvalidTrace(path, None, None, f"there is no header that says what this is a trace of: give {missing}")
    if flags.arms > MOST_ARMS:
        raise InvalidTrace(path, None, "arms", f"{flags.arms} arms are too many (at most {MOST_ARMS})")
    return TraceHeader(flags.policy, flags.confidence, flags.arms, flags.epsilon)

"""The bytes of a trace file, plain or compressed with gzip, cut into pieces of whole lines."""

from __future__ import annotations

import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from gzip import BadGzipFile, GzipFile
from io import BufferedReader
from typing import IO

from bufalu.reference.errors import InvalidTrace, UnusableFile
from bufalu.reference.trace_fields import MAX_LINE
from bufalu.reference.whole_files import open_to_read

Bytes = GzipFile | IO[bytes]

STDIN = "-"
_PIECE = 2**20
_MARK = b"\xef\xbb\xbf"
_GZIP_MAGIC = b"\x1f\x8b"
_LONGEST_CHARACTER = 4


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

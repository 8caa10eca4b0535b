"""Files that appear under their names whole, or not at all: written beside their place, then renamed. With what else they
need: one process at a time where a result is kept, and JSON without surprises (no NaN or Infinity, no duplicate keys, no
numbers that a double cannot hold, no bottomless nesting).
"""

from __future__ import annotations

import importlib
import json
import math
import os
import re
import stat
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from io import BufferedReader, FileIO, RawIOBase
from pathlib import Path
from typing import NoReturn

from bufalu.reference.errors import BufaluError, UnusableFile


def is_stream(path: str | Path) -> bool:
    """Whether `path` is a device or a pipe (/dev/stdout), which is written to as it is."""
    place = Path(path)
    return place.exists() and not place.is_file() and not place.is_dir()


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """Where to write what shall be at `path`: a file beside it that takes its name when the block has ended well.

    If the block is left by an error or an interruption there is nothing new, and what was at `path` stays. Raises
    `UnusableFile` for what the system refuses, in the block too.
    """
    if is_stream(path):
        with refusals(path):
            yield Path(path)
        return
    with refusals(path):
        part = _new_file_beside(path)
        try:
            yield part
            put(part, path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


def write_whole(path: str | Path, text: str) -> None:
    """Writes a text file, whole or not at all; raises `UnusableFile`."""
    with whole_file(path) as part:
        part.write_text(text, encoding="utf-8", newline="\n")


MAX_FILE_BYTES = 16_000_000
"""What a file that is read as a whole may hold: instances, studies, audits, the paper."""


def read_at_most(path: str | Path, limit: int = MAX_FILE_BYTES) -> str:
    """The text of a file; raises `UnusableFile` if it is not UTF-8 or, as a device without end, larger than `limit` bytes."""
    with open_to_read(path) as stream:
        content = stream.read(limit + 1)
    if len(content) > limit:
        raise UnusableFile(f"{path}: larger than {limit:,} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnusableFile(f"{path}: not a text file in UTF-8") from None


WRITER_COMES = 5.0
"""Seconds in which somebody must have opened a pipe to write into it."""


def open_to_read(path: str | Path) -> BufferedReader:
    """A file, opened for bytes. A pipe that nobody writes to would be waited for without end: raises `UnusableFile`.

    Raises `OSError` as `open` does.
    """
    if not hasattr(os, "O_NONBLOCK") or not stat.S_ISFIFO(os.stat(path).st_mode):
        return Path(path).open("rb")
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    deadline = time.monotonic() + WRITER_COMES
    while (first := _first_bytes(handle)) == b"":
        if time.monotonic() >= deadline:
            os.close(handle)
            raise UnusableFile(f"{path} is a pipe that nobody writes to")
        time.sleep(0.02)
    os.set_blocking(handle, True)
    return BufferedReader(_StreamAfterItsStart(first or b"", os.fdopen(handle, "rb", buffering=0)))


def _first_bytes(handle: int) -> bytes | None:
    """What is in a pipe: empty if nobody has it open to write, None if somebody has and has written nothing yet."""
    try:
        return os.read(handle, 4096)
    except BlockingIOError:
        return None


class _StreamAfterItsStart(RawIOBase):
    """A stream of which the first bytes have been read already."""

    def __init__(self, first: bytes, rest: FileIO) -> None:
        self._first = first
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int | None:  # type: ignore[override]  # typeshed has any buffer here
        if not self._first:
            return self._rest.readinto(buffer)
        size = min(len(buffer), len(self._first))
        buffer[:size], self._first = self._first[:size], self._first[size:]
        return size

    def close(self) -> None:
        self._rest.close()
        super().close()


def ending(path: str | Path) -> str:
    """What the name of a file says of its format: `.csv`, say, in small letters; empty if it says nothing."""
    return Path(path).suffix.lower()


def check_ending(path: str | Path, endings: Sequence[str]) -> None:
    """Raises `UnusableFile` if the name says another format than `endings`, the one that will be written."""
    if ending(path) and ending(path) not in endings and not is_stream(path):
        raise UnusableFile(
            f"cannot write {path}: its name says {ending(path)}, and this is written as {', '.join(endings)}"
        )


def check_writable(path: str | Path, endings: Sequence[str] = ()) -> None:
    """Tries the name and the folder, with a small file, before work is done for a file; raises `UnusableFile`."""
    if is_stream(path):
        return
    if str(path) == "-":
        raise UnusableFile("- is not the name of a file here: write /dev/stdout, or ./- for a file of that name")
    if endings:
        check_ending(path, endings)
    with refusals(path):
        part = _new_file_beside(path)
        try:
            part.write_bytes(b"\0" * 4096)
        finally:
            part.unlink(missing_ok=True)


def put(part: Path, path: str | Path) -> None:
    """Gives a finished file its name and the permissions of a new file; a link stays a link; raises `OSError`."""
    target = os.path.realpath(path)
    mask = os.umask(0)
    os.umask(mask)
    os.chmod(part, os.stat(target).st_mode & 0o777 if os.path.exists(target) else 0o666 & ~mask)
    os.replace(part, target)


@contextmanager
def refusals(path: str | Path) -> Iterator[None]:
    """Turns what the system refuses into `UnusableFile`; a reader who left is no refusal."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise UnusableFile(f"cannot write {path}: {problem.strerror or problem}") from None


def _new_file_beside(path: str | Path) -> Path:
    """A new file in the folder of `path`; raises `OSError`, also if what is at `path` cannot be written."""
    target = Path(os.path.realpath(path))
    if target.exists():
        os.close(os.open(target, os.O_WRONLY))  # a folder, or a file that is protected, is refused
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".part", dir=target.parent)
    os.close(handle)
    return Path(name)


MAX_NESTING = 64


class NotStrictJson(BufaluError):
    """A text that is not JSON in the strict sense; the message says why."""


def parse_json(text: str) -> object:
    """The value of a JSON text; raises `NotStrictJson`. Whole numbers stay exact, others are doubles."""
    if nests_too_deeply(text):
        raise NotStrictJson(f"nested more than {MAX_NESTING} levels deep")
    try:
        value: object = json.loads(
            text,
            object_pairs_hook=unique_keys,
            parse_constant=_refuse_constant,
            parse_float=_finite_float,
            parse_int=_bounded_integer,
        )
    except json.JSONDecodeError as problem:
        raise NotStrictJson(f"not JSON: {problem.msg} at column {problem.colno}") from None
    return value


_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
"""A string with its escapes; one that never ends reaches to the end of the text."""


def nests_too_deeply(text: str) -> bool:
    """Whether brackets nest more than `MAX_NESTING` levels outside strings, told without parsing."""
    if text.count("[") + text.count("{") <= MAX_NESTING:
        return False
    depth = 0
    for character in _STRING.sub("", text):
        if character in "[{":
            depth += 1
            if depth > MAX_NESTING:
                return True
        elif character in "]}":
            depth -= 1
    return False


def unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """The object with these members, for `json.loads`; raises `NotStrictJson` for a key that appears twice."""
    result: dict[str, object] = {}
    for key, value in pairs:
        if key in result:
            raise NotStrictJson(f"the key '{key}' appears twice")
        result[key] = value
    return result


def _refuse_constant(name: str) -> NoReturn:
    raise NotStrictJson(f"{name} is not a JSON number")


def _finite_float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise NotStrictJson(f"{text} is too large for a double")
    return value


def _bounded_integer(text: str) -> int:
    if len(text) > 400:
        raise NotStrictJson(f"an integer of {len(text)} digits is too long")
    return int(text)


@contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Waits until no other process is inside with the same file, made for this alone, where system and folder allow it."""
    with ExitStack() as open_files:
        # Windows has no `fcntl`. A folder that cannot be written and a file system without locks cost time, nothing else.
        with suppress(ImportError, OSError):
            locks = importlib.import_module("fcntl")
            lock.parent.mkdir(parents=True, exist_ok=True)
            handle = open_files.enter_context(lock.open("wb"))
            locks.flock(handle, locks.LOCK_EX)  # released when the file is closed, by the death of the process too
        yield

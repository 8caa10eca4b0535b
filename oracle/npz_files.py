"""Traces in NPZ files: the arrays `arm`, `query`, `reward`, `epsilon` and `answered`, read in blocks and never unpickled.

Nothing is allocated by the file's say-so: each member is streamed, and a header that promises more than the member
holds is refused.
"""

from __future__ import annotations

import lzma
import tokenize
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import IO

import numpy as np
import numpy.typing as npt

from bufalu.doubles.blocks import BLOCK_ROUNDS, Block
from bufalu.reference.errors import InvalidTrace, UnusableFile
from bufalu.reference.trace_fields import LATEST
from bufalu.reference.traces import TraceHeader
from bufalu.reference.whole_files import is_stream

MAX_ROUNDS = 10**9
_KINDS = {"arm": "iu", "query": "biu", "reward": "f", "epsilon": "f", "answered": "iu"}
_WANTED = {
    "arm": "whole numbers",
    "query": "booleans",
    "reward": "floats, NaN where the round was not queried",
    "epsilon": "floats",
    "answered": "whole numbers: the first round that knew the reward, 0 where there is none",
}
_LARGEST_ENTRY = 8
"""Bytes: what is longer than a double, numpy's longdouble, would be rounded."""

_HINTS = {"epsilon": ", or a schedule (--epsilon)"}
_UNREADABLE = (
    ValueError,
    TypeError,
    SyntaxError,
    RuntimeError,
    MemoryError,
    OverflowError,
    EOFError,
    OSError,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
)
"""All that a hostile member can make the header's parser raise."""


@dataclass
class _Column:
    """One array of the file, read from its stream piece by piece."""

    path: str
    name: str
    stream: IO[bytes]
    dtype: np.dtype[np.generic]
    length: int

    def next(self, count: int) -> npt.NDArray[np.generic]:
        """The next `count` entries; raises `InvalidTrace` if the file ends before."""
        wanted = count * self.dtype.itemsize
        try:
            data = self.stream.read(wanted)
        except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError) as problem:
            raise InvalidTrace(self.path, None, self.name, f"damaged: {problem}") from None
        if len(data) != wanted:
            raise InvalidTrace(self.path, None, self.name, "cut short")
        return np.frombuffer(data, dtype=self.dtype)


def npz_blocks(path: str, header: TraceHeader) -> Iterator[Block]:
    """The rounds of an NPZ trace in blocks; raises `InvalidTrace` naming the array and the round."""
    with _opened(path) as archive, ExitStack() as open_members:
        names = Counter(name.removesuffix(".npy") for name in archive.namelist())
        for name in sorted(name for name, times in names.items() if times > 1):
            raise InvalidTrace(path, None, name, "the array appears twice")
        for name in sorted(names.keys() - set(_KINDS)):
            raise InvalidTrace(path, None, name, f"not an array of a trace (expected {', '.join(_KINDS)})")
        wanted = [name for name in _KINDS if name not in _optional(header) or name in names]
        columns = {name: _column(path, archive, name) for name in wanted}
        for column in columns.values():
            open_members.enter_context(column.stream)
        lengths = {name: column.length for name, column in columns.items()}
        if len(set(lengths.values())) != 1:
            raise InvalidTrace(path, None, None, f"the arrays differ in length: {lengths}")
        length = lengths["arm"]
        for start in range(0, length, BLOCK_ROUNDS):
            count = min(BLOCK_ROUNDS, length - start)
            yield _block(path, header, start, {name: column.next(count) for name, column in columns.items()})


def _optional(header: TraceHeader) -> tuple[str, ...]:
    """The arrays that may be missing."""
    return ("answered",) if header.epsilon is None else ("answered", "epsilon")


def _block(path: str, header: TraceHeader, start: int, columns: Mapping[str, npt.NDArray[np.generic]]) -> Block:
    """The rounds after the first `start`, checked."""
    length = len(columns["arm"])
    block = Block(
        start + 1,
        columns["arm"].astype(np.int64),
        _booleans(path, start, columns["query"]),
        columns["reward"].astype(np.float64),
        columns["epsilon"].astype(np.float64) if "epsilon" in columns else np.full(length, np.nan),
        answered=columns["answered"].astype(np.int64) if "answered" in columns else None,
    )
    check_block(path, header, block)
    return block


def check_block(path: str, header: TraceHeader, block: Block) -> None:
    """The preconditions of a trace on arrays; raises `InvalidTrace` with the first round that breaks one."""
    first, numbers = block.first, np.arange(block.first, block.first + len(block))
    reward, epsilon, query = block.reward, block.epsilon, block.query
    hint = " (arms are numbered from 1)" if (block.arm == 0).any() else ""
    _refuse(path, first, "arm", (block.arm < 1) | (block.arm > header.arms), f"expected 1..{header.arms}{hint}")
    unseen = "given, though the round was not queried: an unqueried reward is unseen (write NaN)"
    _refuse(path, first, "reward", ~query & ~np.isnan(reward), unseen)
    answered = query
    if block.answered is not None:
        answered = block.answered > 0
        early = (block.answered < 0) | (answered & ((block.answered <= numbers) | (block.answered > LATEST)))
        _refuse(path, first, "answered", early, "expected a later round, or 0 where there is no answer")
        _refuse(path, first, "answered", answered & ~query, "given, though the round was not queried")
        _refuse(path, first, "reward", ~answered & ~np.isnan(reward), "given, though the answer never came")
    _refuse(path, first, "reward", answered & np.isnan(reward), "missing, though the round was queried")
    with np.errstate(invalid="ignore"):
        _refuse(path, first, "reward", answered & ~((reward >= 0) & (reward <= 1)), "expected a number in [0, 1]")
        if header.epsilon is not None:
            _refuse(path, first, "epsilon", ~np.isnan(epsilon), "given, though there is a schedule")
            return
        later = numbers > header.arms
        _refuse(
            path,
            first,
            "epsilon",
            later & np.isnan(epsilon),
            "missing, and there is no schedule (--epsilon gives one)",
        )
        _refuse(path, first, "epsilon", epsilon < 0, "expected a nonnegative number")
        _refuse(path, first, "epsilon", np.isinf(epsilon), "expected a finite number")


def _refuse(path: str, first: int, name: str, wrong: npt.NDArray[np.bool_], problem: str) -> None:
    if wrong.any():
        number = first + int(np.argmax(wrong))
        raise InvalidTrace(path, None, name, f"round {number}: {problem}")


def _booleans(path: str, start: int, values: npt.NDArray[np.generic]) -> npt.NDArray[np.bool_]:
    whole = values.astype(np.int64)
    _refuse(path, start + 1, "query", (whole != 0) & (whole != 1), "expected true or false")
    return whole.astype(np.bool_)


def _opened(path: str) -> zipfile.ZipFile:
    if is_stream(path):
        # The directory of an archive is at its end, which a device may not have.
        raise UnusableFile(f"cannot read {path}: not a file")
    try:
        return zipfile.ZipFile(path)
    except OSError as problem:
        raise UnusableFile(f"cannot read {path}: {problem.strerror}") from None
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as problem:
        raise InvalidTrace(path, None, None, f"not an NPZ file: {problem}") from None


def _column(path: str, archive: zipfile.ZipFile, name: str) -> _Column:
    try:
        member = archive.getinfo(f"{name}.npy")
        stream = archive.open(member)
        version = np.lib.format.read_magic(stream)
        read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, _, dtype = read(stream)
    except KeyError:
        raise InvalidTrace(
            path, None, name, f"missing: expected an array of {_WANTED[name]}{_HINTS.get(name, '')}"
        ) from None
    except _UNREADABLE as problem:
        raise InvalidTrace(path, None, name, f"not a readable array ({type(problem).__name__})") from None
    if dtype.hasobject or dtype.kind not in _KINDS[name] or dtype.itemsize > _LARGEST_ENTRY:
        raise InvalidTrace(path, None, name, f"expected an array of {_WANTED[name]}, found the type {dtype}")
    if len(shape) != 1 or not 0 <= shape[0] <= MAX_ROUNDS:
        raise InvalidTrace(path, None, name, f"expected one dimension of at most {MAX_ROUNDS} rounds, found {shape}")
    if shape[0] * dtype.itemsize > member.file_size:
        raise InvalidTrace(path, None, name, f"promises {shape[0]} entries, more than the file holds")
    return _Column(path, name, stream, dtype, shape[0])

"""Traces written as NPZ files: the arrays that `npz_files` reads, spooled so that memory does not grow with the run."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from bufalu.reference.errors import InvalidTrace
from bufalu.reference.rationals import Rational, format_rational, is_double, nearest_float
from bufalu.reference.rounds import Round
from bufalu.reference.trace_files import rational_epsilon
from bufalu.reference.traces import TraceHeader
from bufalu.reference.whole_files import check_writable, refusals, whole_file

BUFFERED_ROUNDS = 4096


class NpzWriter:
    """Takes the rounds of a trace one after another, or many at once as arrays."""

    def __init__(self, path: str, header: TraceHeader, spools: Mapping[str, IO[bytes]]) -> None:
        if header.known is not None:
            raise InvalidTrace(
                path, None, "known", "an NPZ file has no header for what was known before: write .jsonl"
            )
        self.rounds = 0
        self._path = path
        self._scheduled = header.epsilon is not None
        self._arm_type = np.dtype("<u1" if header.arms < 256 else "<u4")
        self._spools = spools
        self._buffer: list[Round] = []

    def write(self, played: Round) -> None:
        """Writes one round; raises `InvalidTrace` for a number that is not a double, and for a late answer."""
        self._buffer.append(played)
        if len(self._buffer) == BUFFERED_ROUNDS:
            self.flush()

    def flush(self) -> None:
        """Writes the rounds that were kept."""
        kept, self._buffer = self._buffer, []
        if not kept:
            return
        if any(played.late for played in kept):
            raise InvalidTrace(self._path, None, "answered", "late answers are written as .jsonl or .csv")
        epsilon = None
        if not self._scheduled:
            epsilon = np.array([np.nan if r.epsilon is None else self.double(rational_epsilon(r)) for r in kept])
        self._append(
            np.array([played.arm for played in kept]),
            np.array([played.query for played in kept]),
            np.array([np.nan if played.reward is None else self.double(played.reward) for played in kept]),
            epsilon,
        )

    def write_arrays(
        self, arm: npt.NDArray[np.int64], query: npt.NDArray[np.bool_], reward: npt.NDArray[np.float64]
    ) -> None:
        """Writes many rounds under a schedule: arms from 1, NaN for the rewards that were not queried."""
        self.flush()
        self._append(arm, query, reward, None)

    def _append(
        self,
        arm: npt.NDArray[np.int64],
        query: npt.NDArray[np.bool_],
        reward: npt.NDArray[np.float64],
        epsilon: npt.NDArray[np.float64] | None,
    ) -> None:
        self.rounds += arm.size
        self._spools["arm"].write(arm.astype(self._arm_type).tobytes())
        self._spools["query"].write(query.astype("?").tobytes())
        self._spools["reward"].write(reward.astype("<f8").tobytes())
        if epsilon is not None:
            self._spools["epsilon"].write(epsilon.astype("<f8").tobytes())

    def types(self) -> dict[str, npt.DTypeLike]:
        """The type of each array."""
        types: dict[str, npt.DTypeLike] = {"arm": self._arm_type, "query": "?", "reward": "<f8"}
        return types if self._scheduled else types | {"epsilon": "<f8"}

    def double(self, value: Rational) -> float:
        """The double that a number is; raises `InvalidTrace` if it is none."""
        if not is_double(value):
            shown = format_rational(value)
            problem = f"an NPZ file holds doubles, and {shown[:60]} is none: write .jsonl or .csv"
            raise InvalidTrace(self._path, None, None, problem)
        return nearest_float(value)


@contextmanager
def npz_writer(path: str, header: TraceHeader) -> Iterator[NpzWriter]:
    """A writer for an NPZ file, which appears under its name when it is whole, and not at all if the run is broken off.

    Raises `UnusableFile` if the file cannot be written.
    """
    folder = Path(path).absolute().parent
    with refusals(path):
        check_writable(path)
        with ExitStack() as stack:
            names = ["arm", "query", "reward"] + ([] if header.epsilon is not None else ["epsilon"])
            spools = {name: stack.enter_context(tempfile.TemporaryFile(dir=folder)) for name in names}
            writer = NpzWriter(path, header, spools)
            yield writer
            writer.flush()
            with whole_file(path) as part, part.open("wb") as target:
                assemble(writer, spools, target)


def assemble(writer: NpzWriter, spools: Mapping[str, IO[bytes]], target: IO[bytes]) -> None:
    """The spooled columns as the members of an NPZ file."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, kind in writer.types().items():
            spool = spools[name]
            spool.seek(0)
            entry = zipfile.ZipInfo(f"{name}.npy")  # dated 1980: the same run gives the same bytes
            with archive.open(entry, "w", force_zip64=True) as member:
                described = {"descr": np.dtype(kind).str, "fortran_order": False, "shape": (writer.rounds,)}
                np.lib.format.write_array_header_1_0(member, described)
                shutil.copyfileobj(spool, member, 1 << 20)

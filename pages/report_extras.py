"""The parts of a report that are not claims: the matrix of claims and mutants, and figures of the experiments."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bufalu.reference.errors import UnusableFile


class MutantRow(Protocol):
    """What the statements say of one wrong version of a policy."""

    @property
    def mutant(self) -> str:
        """The mutant's name."""

    @property
    def description(self) -> str:
        """What the mutant does wrong."""

    @property
    def policy(self) -> str:
        """The policy that it is a version of."""

    @property
    def games(self) -> int:
        """How many games the mutant played."""

    @property
    def killed_by(self) -> tuple[str, ...]:
        """The statements that failed."""

    @property
    def survived(self) -> tuple[str, ...]:
        """The statements that held."""

    @property
    def violates_a_claim(self) -> bool:
        """Whether a claim of the paper failed, not only conformance."""


class MutantMatrix(Protocol):
    """Statements against wrong versions of the policies."""

    @property
    def statements(self) -> tuple[str, ...]:
        """The columns."""

    @property
    def bugs(self) -> tuple[MutantRow, ...]:
        """The rows."""


@dataclass(frozen=True)
class Figure:
    """A picture with its caption, as a data address that needs no other file."""

    caption: str
    address: str


def read_figures(folder: Path) -> list[Figure]:
    """The PNG figures in a folder of results, in the order of their names; raises `UnusableFile`."""
    try:
        if not folder.is_dir():
            raise UnusableFile(f"cannot read the figures in {folder}: there is no such folder")
        paths = sorted(folder.rglob("*.png"))
        return [
            Figure(path.stem.replace("_", " ").replace("-", " "), _data_address(path.read_bytes())) for path in paths
        ]
    except OSError as problem:
        raise UnusableFile(f"cannot read the figures in {folder}: {problem}") from None


def _data_address(content: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(content).decode("ascii")

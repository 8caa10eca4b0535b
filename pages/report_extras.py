"""The parts of a report that are not claims: the matrix of claims and mutants, and figures of the experiments."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Protocol

from bufalu.reference.errors import UnusableFile


class MutantRow(Protocol):
    """What the statements say of one wrong version of a policy."""

    @property
    def mutant(self) -> str:
        """Its name."""

    @property
    def description(self) -> str:
        """What it does wrong."""

    @property
    def policy(self) -> str:
        """The policy that it is a version of."""

    @property
    def games(self) -> int:
        """How many games it played."""

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
        paths = sorted(folder.rglob("*.png"))
        return [
            Figure(path.stem.replace("_", " ").replace("-", " "), _data_address(path.read_bytes())) for path in paths
        ]
    except OSError as problem:
        raise UnusableFile(f"cannot read the figures in {folder}: {problem}") from None


def _data_address(content: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(content).decode("ascii")


def figures_section(figures: Sequence[Figure]) -> str:
    """The figures, or nothing."""
    if not figures:
        return ""
    items = "".join(
        f'<figure><img alt="{escape(figure.caption)}" src="{figure.address}" loading="lazy">'
        f"<figcaption>{escape(figure.caption)}</figcaption></figure>"
        for figure in figures
    )
    return f'<section aria-labelledby="figures"><h2 id="figures">Figures</h2>{items}</section>'


def matrix_section(matrix: MutantMatrix | None) -> str:
    """The heat map of claims and mutants, or nothing."""
    if matrix is None:
        return ""
    head = "".join(f'<th scope="col"><span>{escape(statement)}</span></th>' for statement in matrix.statements)
    rows = "".join(_matrix_row(matrix.statements, row) for row in matrix.bugs)
    harmless = sum(not row.violates_a_claim for row in matrix.bugs)
    return f"""<section aria-labelledby="matrix"><h2 id="matrix">Claims and mutants</h2>
<p class="lead">Each row is a wrong version of a policy, each column a statement. A filled cell: the statement failed on
some run of the mutant. {harmless} of {len(matrix.bugs)} mutants violate no claim of the paper on these runs; conformance
to the paper's rule is what catches those.</p>
<div class="wide"><table class="matrix">
<thead><tr><th scope="col">mutant</th>{head}</tr></thead><tbody>{rows}</tbody></table></div></section>"""


def _matrix_row(statements: tuple[str, ...], row: MutantRow) -> str:
    killed, survived = set(row.killed_by), set(row.survived)
    cells = []
    for statement in statements:
        if statement in killed:
            cells.append(f'<td class="killed" title="{escape(statement)} fails">●</td>')
        elif statement in survived:
            cells.append(f'<td class="survived" title="{escape(statement)} holds on {row.games} games">·</td>')
        else:
            cells.append(
                f'<td class="absent" title="{escape(statement)} does not speak of {escape(row.policy)}"></td>'
            )
    label = f'<th scope="row" title="{escape(row.description)}">{escape(row.mutant)} <small>{escape(row.policy)}</small></th>'
    return f"<tr>{label}{''.join(cells)}</tr>"

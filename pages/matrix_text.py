"""The matrix of statements and mutants in a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from bufalu.pages.text import Line, Span, line
from bufalu.properties.mutants.matrix import CONFORMANCE, Matrix, Verdicts


def matrix_lines(matrix: Matrix) -> Iterator[Line]:
    """One line for each mutant, one column for each statement, and what the columns mean."""
    for number, name in enumerate(matrix.statements, start=1):
        yield line(f"{number:3d}  {name}")
    width = max(len(row.mutant) for row in matrix.bugs)
    header = " ".join(f"{number:2d}" for number in range(1, len(matrix.statements) + 1))
    yield line(f"\n{'mutant':{width}}  {'policy':8}  {'interval':9}  {header}")
    for row in matrix.bugs:
        cells = [word for name in matrix.statements for word in (" ", _cell(row, name))]
        yield line(f"{row.mutant:{width}}  {row.policy:8}  {row.confidence:9}  ", *cells[1:])
    only = [row for row in matrix.bugs if row.killed_by and not row.violates_a_claim]
    unseen = [row for row in matrix.bugs if not row.killed_by]
    yield line("\nX broken by the mutant   . not broken in these games   blank: says nothing about the policy")
    named = f" ({', '.join(row.mutant for row in unseen)})" if unseen else ""
    yield line(
        f"{len(matrix.bugs)} mutants: {len(matrix.bugs) - len(only) - len(unseen)} break a claim, {len(only)} only "
        f"conformance, {len(unseen)} nothing in these games{named}"
    )
    yield line(f"{len(matrix.wrong_claims)} wrong claims, each refuted by the check of the right one:")
    for description, check in matrix.wrong_claims:
        yield line(f"  {check:45} {description}")


def _cell(row: Verdicts, statement: str) -> Span:
    """Two characters for one statement and one mutant."""
    if statement in row.killed_by:
        return Span(" X", "yellow" if statement in CONFORMANCE else "red")
    return Span(" ." if statement in row.survived else "  ")

"""`bufalu mutants`: which statements notice which wrong version of a policy."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from bufalu.commands import options
from bufalu.commands.terminal import Progress, coloured

if TYPE_CHECKING:
    from bufalu.properties.mutants.matrix import Matrix, Verdicts

HELP = """\
Print the matrix claim x mutant: which statements notice which wrong version of a policy.

Each mutant plays the same games, and every pathwise claim is decided exactly on its runs. A mutant that breaks no
claim is noticed by conformance alone: the theorems do not pin the algorithm."""

EXAMPLE = """\
  bufalu mutants
  bufalu mutants --full --games 100 --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `mutants`."""
    parser.add_argument(
        "--games",
        metavar="N",
        type=options.positive_integer,
        default=12,
        help="random games per setting, beside the directed ones (default: 12)",
    )
    parser.add_argument("--full", action="store_true", help="every policy and interval that a mutant changes")
    options.add_seed(parser)
    options.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Builds the matrix and prints it."""
    from bufalu.properties.mutants.matrix import all_settings, build_matrix

    with Progress(len(all_settings(arguments.full)), "mutants") as progress:
        matrix = build_matrix(arguments.games, arguments.seed, arguments.full, progress.update)
    if arguments.json:
        print(json.dumps(matrix.as_json(), indent=2))
    else:
        print_matrix(matrix)
    return 0


def print_matrix(matrix: Matrix) -> None:
    """One line for each mutant, one column for each statement, and what the columns mean."""
    for number, name in enumerate(matrix.statements, start=1):
        print(f"{number:3d}  {name}")
    print()
    width = max(len(row.mutant) for row in matrix.bugs)
    header = " ".join(f"{number:2d}" for number in range(1, len(matrix.statements) + 1))
    print(f"{'mutant':{width}}  {'policy':8}  {'interval':9}  {header}")
    for row in matrix.bugs:
        cells = " ".join(cell(row, name) for name in matrix.statements)
        print(f"{row.mutant:{width}}  {row.policy:8}  {row.confidence:9}  {cells}")
    only = [row for row in matrix.bugs if row.killed_by and not row.violates_a_claim]
    unseen = [row for row in matrix.bugs if not row.killed_by]
    print()
    print("X broken by the mutant   . not broken in these games   blank: says nothing about the policy")
    print(f"{len(matrix.bugs)} mutants: {len(matrix.bugs) - len(only) - len(unseen)} break a claim,", end=" ")
    print(f"{len(only)} only conformance, {len(unseen)} nothing in these games", end="")
    print(f" ({', '.join(row.mutant for row in unseen)})" if unseen else "")
    print(f"{len(matrix.wrong_claims)} wrong claims, each refuted by the check of the right one:")
    for description, check in matrix.wrong_claims:
        print(f"  {check:45} {description}")
    sys.stdout.flush()


def cell(row: Verdicts, statement: str) -> str:
    """Two characters for one statement and one mutant."""
    from bufalu.properties.mutants.matrix import CONFORMANCE

    if statement in row.killed_by:
        return coloured(" X", "yellow" if statement in CONFORMANCE else "red")
    return " ." if statement in row.survived else "  "

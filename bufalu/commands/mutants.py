"""`bufalu mutants`: which statements notice which wrong version of a policy."""

from __future__ import annotations

import argparse
import json

from bufalu.commands import options
from bufalu.commands.terminal import Progress, show

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
    from bufalu.pages.matrix_text import matrix_lines
    from bufalu.properties.mutants.matrix import all_settings, build_matrix

    with Progress(len(all_settings(arguments.full)), "mutants") as progress:
        matrix = build_matrix(arguments.games, arguments.seed, arguments.full, progress.update)
    if arguments.json:
        print(json.dumps(matrix.as_json(), indent=2))
    else:
        show(matrix_lines(matrix))
    return 0

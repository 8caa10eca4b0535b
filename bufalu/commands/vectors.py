"""`bufalu vectors`: test vectors for other implementations, written or checked."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from bufalu.commands import options

HELP = """\
Write the test vectors, or check that a folder holds exactly what this version writes.

For each policy and interval: rounds with epsilon and rewards, and the whole admissible set of each round; every group
names the bugs that it kills and what each would do. Numbers are exact ("p/q"), or decimals of 30 correct digits after
a tilde. Exit code: 0 written or identical, 1 different."""

EXAMPLE = """\
  bufalu vectors --out vectors
  bufalu vectors --check vectors"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `vectors`."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--out", metavar="DIR", help="write the vectors into this folder")
    what.add_argument("--check", metavar="DIR", help="compare this folder byte for byte")
    options.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Writes or checks."""
    from bufalu.oracle.vectors import differing_files, write_vectors

    if arguments.out is not None:
        count = write_vectors(Path(arguments.out))
        print(json.dumps({"written": count}) if arguments.json else f"wrote {count} files to {arguments.out}")
        return 0
    differing = differing_files(Path(arguments.check))
    if arguments.json:
        print(json.dumps({"verdict": "different" if differing else "identical", "files": differing}))
    elif differing:
        print(f"different: {', '.join(differing)} (write them anew with --out)")
    else:
        print(f"identical: {arguments.check} is what this version writes")
    return 1 if differing else 0

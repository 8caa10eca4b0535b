"""`bufalu skeleton`: a program that speaks the protocol, in the language of your implementation."""

from __future__ import annotations

import argparse
import json

from bufalu.commands import options
from bufalu.reference.whole_files import write_whole

HELP = """\
Write a skeleton of an implementation under test: it speaks the protocol, and the decision is left to you.

The first lines of the program say how to build it and how to have it judged. As it is, it plays arm 1 for ever, and
`bufalu conform` says why that is wrong. Exit code: 0 written or printed, 2 bad usage."""

EXAMPLE = """\
  bufalu skeleton rust --out skeleton.rs
  bufalu skeleton javascript --out skeleton.js && bufalu conform -- node skeleton.js"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `skeleton`."""
    from bufalu.oracle.skeletons import LANGUAGES

    parser.add_argument("language", metavar="LANGUAGE", help=f"one of: {', '.join(LANGUAGES)}")
    parser.add_argument("--out", metavar="FILE", help="where the program goes (default: stdout)")
    options.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints or writes the program."""
    from bufalu.oracle.skeletons import LANGUAGES, skeleton

    program = skeleton(arguments.language)
    if arguments.out is not None:
        write_whole(arguments.out, program)
    if arguments.json:
        language = LANGUAGES[arguments.language]
        print(json.dumps({"language": language.title, "name": language.template, "program": program}, indent=2))
    elif arguments.out is None:
        print(program, end="")
    return 0

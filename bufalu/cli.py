"""The command line: one subcommand for each thing a person wants to do, each in its own module."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from typing import Protocol, cast

from bufalu._version import __version__
from bufalu.reference.errors import BufaluError

COMMANDS = (
    "audit",
    "bounds",
    "law",
    "reproduce",
    "simulate",
    "check",
    "conform",
    "vectors",
    "explain",
    "mutants",
    "doctor",
)
"""The subcommands in the order of the help; each is `bufalu/commands/<name>.py`."""

DESCRIPTION = """\
A formally checked reference of BuFALU, the bandit algorithm that asks for few rewards
(Query-Reward Tradeoffs in Multi-Armed Bandits). Line numbers, as in l.421, are lines of the paper's source."""


class MissingPackage(BufaluError):
    """A subcommand was asked for that needs a package which is not installed."""


class Command(Protocol):
    """What a module in `bufalu.commands` offers."""

    HELP: str
    EXAMPLE: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def build_parser(commands: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """The parser of these subcommands, by default of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="bufalu",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"bufalu {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in commands:
        try:
            command = load_command(name)
        except ImportError as problem:
            add_unavailable(subparsers, name, problem)
            continue
        subparser = subparsers.add_parser(
            name,
            help=command.HELP.splitlines()[0],
            description=command.HELP,
            epilog=f"example:\n{command.EXAMPLE.rstrip()}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run)
    return parser


def add_unavailable(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser], name: str, problem: ImportError
) -> None:
    """A subcommand that only says which package it lacks: the others, and above all `doctor`, go on working."""

    def refuse(_: argparse.Namespace) -> int:
        raise MissingPackage(f"{problem}; `bufalu doctor` says what is missing and how to get it")

    # No character starts an option here, so that any arguments get this answer and no complaint of their own.
    subparser = subparsers.add_parser(name, help=f"(not available: {problem})", prefix_chars="\0", add_help=False)
    subparser.add_argument("arguments", nargs="*")
    subparser.set_defaults(run=refuse)


def load_command(name: str) -> Command:
    """The module of a subcommand."""
    return cast(Command, importlib.import_module(f"bufalu.commands.{name}"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one subcommand and returns the exit code: 0 holds, 1 does not hold, 2 bad input or usage, 3 broken
    program.
    """
    _print_anything()
    given = sys.argv[1:] if arguments is None else list(arguments)
    # A subcommand that is named needs no other: the packages that the others load are most of the start-up time.
    parsed = build_parser(given[:1] if given[:1] and given[0] in COMMANDS else COMMANDS).parse_args(given)
    try:
        code: int = parsed.run(parsed)
        sys.stdout.flush()
        return code
    except BufaluError as problem:
        print(f"bufalu {parsed.command}: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\nbufalu {parsed.command}: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output went away (`bufalu ... | head`): nothing is left to say.
        sys.stderr.close()
        return 141
    except OSError as problem:
        # A full disk, or a file that went away: said in one line, like everything else that is not our doing.
        print(f"bufalu {parsed.command}: {problem}", file=sys.stderr)
        # What is left in the buffer goes nowhere: the interpreter would flush it once more on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2


def _print_anything() -> None:
    """Text that stdout cannot encode (half a surrogate pair, an accent in an ASCII locale) is escaped, not fatal."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    sys.exit(main())

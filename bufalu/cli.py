"""The command line: one subcommand for each thing a person wants to do, each in its own module."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import TextIOWrapper
from itertools import takewhile
from types import FrameType
from typing import TYPE_CHECKING, NoReturn, Protocol, TextIO, cast

from bufalu._version import __version__
from bufalu.commands.terminal import say
from bufalu.pages.text import harmless
from bufalu.reference.errors import BufaluError, shortened

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

COMMANDS = {
    "audit": "Go through the whole paper and say for every claim what a machine could establish.",
    "bounds": "Print every bound of the paper for an instance: quantities, upper bounds, sharper ones, lower bounds.",
    "plan": "Say which policy and epsilon have the least proved bound on regret plus price times queries.",
    "law": "Compute the exact law of a policy: expected regret, plays and queries over all paths, as rational numbers.",
    "live": "Run a policy for real: which arm next, whether to ask for its reward, and why; keep a journal.",
    "compare": "Compare policies on your own instances, over many seeds: regret, queries, spread, bounds.",
    "reproduce": "Run the paper's experiments again and compare every printed number.",
    "simulate": "Run a policy in exact arithmetic and write its trace.",
    "check": "Check a trace against its policy, round by round.",
    "conform": "Drive a program over stdin and stdout and judge every decision it makes.",
    "skeleton": "Write a skeleton of an implementation under test: it speaks the protocol, and the decision is left to you.",
    "vectors": "Write the test vectors, or check that a folder holds exactly what this version writes.",
    "explain": "Draw a trace: intervals, leader and challenger, queries, the epsilon test and the reason for each decision.",
    "mutants": "Print the matrix claim x mutant: which statements notice which wrong version of a policy.",
    "doctor": "Say which parts are installed, and what each missing one would add.",
}
"""The subcommands in the order of the help, each `bufalu/commands/<name>.py`, with the first line of its help: the list
of them is shown without loading any.
"""

DESCRIPTION = """\
A formally checked reference of BuFALU, the bandit algorithm that asks for few rewards
(Query-Reward Tradeoffs in Multi-Armed Bandits). Line numbers, as in l.421, are lines of the paper's source."""


class MissingPackage(BufaluError):
    """A subcommand was asked for that needs a package which is not installed."""


class Terminated(BaseException):
    """SIGTERM or SIGHUP arrived: contexts are left in order, so that files are whole and children ended."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class StoreOnce(argparse.Action):
    """An option with one value: given twice, it is refused, since one of the two would be silently forgotten.

    `given_options` of the parsed arguments are the names of those that stood on the command line.
    """

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """Stores the value; the parser's usage error for a second one."""
        given: set[str] = namespace.__dict__.setdefault("given_options", set())
        if option_string is not None and self.dest in given:
            raise argparse.ArgumentError(self, "given twice; it takes one value")
        given.add(self.dest)
        setattr(namespace, self.dest, values)


class Parser(argparse.ArgumentParser):
    """A parser whose options with one value are `StoreOnce`, whose values are not empty, and which knows no abbreviations."""

    def __init__(self, *arguments: object, **options: object) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        options.setdefault("allow_abbrev", False)
        super().__init__(*arguments, **options)  # type: ignore[arg-type]  # handed on as they came
        self.register("action", None, StoreOnce)
        self.register("action", "store", StoreOnce)

    def _get_value(self, action: argparse.Action, arg_string: str) -> object:
        """Refuses what is empty: a variable of a script that was never set. As a path it would be this folder."""
        if not arg_string and action.nargs in (None, argparse.OPTIONAL):
            raise argparse.ArgumentError(action, "empty")
        value: object = super()._get_value(action, arg_string)
        return value

    def parse_known_args(  # type: ignore[override]  # the overloads of the base say the same of less
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Refuses what this parser does not know, an option before it asks for what is missing: it may be a slip of that."""
        if (
            args is not None
            and self._subparsers is None
            and "-" in self.prefix_chars
            and not {"-h", "--help"} & {*args}
        ):
            options = [text for text in takewhile("--".__ne__, args) if text.startswith("--") and " " not in text]
            self._refuse([text for text in options if text.partition("=")[0] not in self._option_string_actions])
        parsed, unknown = super().parse_known_args(args, namespace)
        self._refuse(unknown)
        return parsed, unknown

    def _refuse(self, unknown: Sequence[str]) -> None:
        if unknown:
            self.error(shortened(f"unrecognized arguments: {' '.join(unknown)}", unknown))

    def error(self, message: str) -> NoReturn:
        """One line and exit code 2, like every other refusal; the usage is one `--help` away."""
        self.exit(2, f"{self.prog}: {harmless(shortened(message))} (see {self.prog} --help)\n")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Writes a help, a version or a usage error. A help that cannot be written is no success: `OSError`."""
        if file is sys.stdout:
            print(message, end="", flush=True)
        else:
            say(message, end="")


class Command(Protocol):
    """What a module in `bufalu.commands` offers."""

    HELP: str
    EXAMPLE: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def build_parser(commands: Iterable[str] = COMMANDS) -> argparse.ArgumentParser:
    """The parser of these subcommands, by default of the whole command line."""
    parser, subparsers = _empty_parser()
    for name in commands:
        try:
            command = load_command(name)
        except ImportError as problem:
            add_unavailable(subparsers, name, problem)
            continue
        subparser = subparsers.add_parser(
            name,
            help=COMMANDS[name],
            description=command.HELP,
            epilog=f"example:\n{command.EXAMPLE.rstrip()}",
        )
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run)
    return parser


def listing_parser() -> argparse.ArgumentParser:
    """A parser that knows which subcommands there are, and nothing about their arguments."""
    parser, subparsers = _empty_parser()
    for name, summary in COMMANDS.items():
        _take_anything(subparsers.add_parser(name, help=summary, prefix_chars="\0", add_help=False))
    return parser


def _empty_parser() -> tuple[Parser, argparse._SubParsersAction[Parser]]:
    parser = Parser(prog="bufalu", description=DESCRIPTION)
    parser.add_argument("--version", action="version", version=f"bufalu {__version__}")
    return parser, parser.add_subparsers(dest="command", metavar="COMMAND", required=True)


def add_unavailable(subparsers: argparse._SubParsersAction[Parser], name: str, problem: ImportError) -> None:
    """A subcommand that only says which package it lacks: the others, and above all `doctor`, go on working."""

    def refuse(_: argparse.Namespace) -> int:
        raise MissingPackage(missing(problem))

    # No character starts an option here, so that any arguments get this answer and no complaint of their own.
    subparser = subparsers.add_parser(name, help=f"(not available: {problem})", prefix_chars="\0", add_help=False)
    _take_anything(subparser)
    subparser.set_defaults(run=refuse)


def _take_anything(subparser: Parser) -> None:
    subparser.add_argument("arguments", nargs="*")


def missing(problem: ImportError) -> str:
    """What to say of a package that is not installed."""
    return f"{problem}; `bufalu doctor` says what is missing and how to get it"


def load_command(name: str) -> Command:
    """The module of a subcommand."""
    return cast(Command, importlib.import_module(f"bufalu.commands.{name}"))


def main(arguments: Sequence[str] | None = None) -> int:  # noqa: PLR0911 - one exit for each kind of failure
    """Runs one subcommand and returns the exit code: 0 holds, 1 does not hold, 2 bad input or usage, 3 broken
    program. Whatever goes wrong in an unforeseen way is 2 as well: 1 is a verdict, and nothing else.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    named = given[0] if given and given[0] in COMMANDS else None
    program = "bufalu" if named is None else f"bufalu {named}"
    try:
        _open_closed_streams()
        _print_anything()
        _keep_searches_in_the_cache()
        with _leaving_in_order_when_terminated():
            # A subcommand that is named needs no other: the packages that the others load are most of the start-up time.
            if named is None:
                named = listing_parser().parse_args(given).command
            parsed = build_parser([named]).parse_args(given)
            code: int = parsed.run(parsed)
            sys.stdout.flush()
            return code
    except BufaluError as problem:
        # What came from a file may be quoted in the message: nothing of it moves the cursor.
        return _refused(f"{program}: {harmless(shortened(str(problem), given))}")
    except KeyboardInterrupt:
        say(f"\n{program}: interrupted")
        return 128 + signal.SIGINT
    except Terminated as ended:
        say(f"{program}: ended by {signal.Signals(ended.number).name}")
        return 128 + ended.number
    except BrokenPipeError:
        # The reader of our output went away (`bufalu ... | head`): nothing is left to say.
        _forget_output()
        return 141
    except OSError as problem:
        # A full disk, or a file that went away: said in one line, like everything else that is not our doing.
        return _refused(f"{program}: {harmless(shortened(str(problem), given))}")
    except ModuleNotFoundError as problem:
        if (problem.name or "bufalu").split(".")[0] == "bufalu":
            return _defect(program, problem)
        return _refused(f"{program}: {missing(problem)}")
    except Exception as problem:
        return _defect(program, problem)
    finally:
        _forget_what_nobody_heard()


def _defect(program: str, problem: Exception) -> int:
    if os.environ.get("BUFALU_TRACEBACK"):
        say(traceback.format_exc(), end="")
    kind = type(problem).__name__
    return _refused(
        f"{program}: a defect of bufalu, not a verdict: {kind}: {harmless(str(problem))[:200]} "
        "(BUFALU_TRACEBACK=1 shows where; please report it)"
    )


def _refused(message: str) -> int:
    say(message)
    try:
        sys.stdout.flush()
    except OSError:
        _forget_output()
    return 2


def _forget_what_nobody_heard() -> None:
    """What stderr did not take stays in its buffer, and the interpreter would make it the exit code 120."""
    try:
        sys.stderr.flush()
    except OSError:
        _forget(sys.stderr)
    except ValueError:
        pass  # closed: nothing is kept


def _forget_output() -> None:
    """What is left in the buffers goes nowhere: the interpreter would flush it once more on its way out."""
    _forget(sys.stdout)
    _forget(sys.stderr)


def _forget(stream: TextIO) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with contextlib.suppress(OSError, ValueError):
        os.dup2(nowhere, stream.fileno())


def _open_closed_streams() -> None:
    """Fills the standard descriptors that the caller closed (`>&-`), lest a file that we open become our stdout."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is not None:
            continue
        try:
            os.fstat(number)
        except OSError:
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
        setattr(sys, name, open(number, "r" if number == 0 else "w", closefd=False))  # noqa: SIM115 # lives on


@contextlib.contextmanager
def _leaving_in_order_when_terminated() -> Iterator[None]:
    """Turns SIGTERM and SIGHUP into `Terminated`, unless the caller has made other arrangements (nohup).

    Only while a command runs: whoever calls `main` as a function has the signals as before when it returns.
    """

    def end(number: int, _: FrameType | None) -> None:
        raise Terminated(number)

    ours = [
        number
        for number in (signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else []))
        if threading.current_thread() is threading.main_thread() and signal.getsignal(number) is signal.SIG_DFL
    ]
    for number in ours:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def _keep_searches_in_the_cache() -> None:
    """Hypothesis keeps its files in the user's cache, not in the folder where a command happens to run."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", os.path.join(cache, "bufalu", "hypothesis"))


def _print_anything() -> None:
    """Text that stdout cannot encode (half a surrogate pair, an accent in an ASCII locale) is escaped, not fatal."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    sys.exit(main())

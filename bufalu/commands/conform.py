"""`bufalu conform`: does a program, in any language, implement what it declares?"""

from __future__ import annotations

import argparse
import shlex
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bufalu.commands import options
from bufalu.commands.terminal import Progress, heard_on_terminal, say
from bufalu.commands.verdict_files import VerdictFiles, add_verdict_files
from bufalu.oracle.limits import LONG, MANY_ARMS
from bufalu.pages.text import harmless
from bufalu.reference.confidence import confidence_named
from bufalu.reference.errors import BufaluError, InvalidTrace, UnusableFile
from bufalu.reference.policies import policy_named
from bufalu.reference.trace_files import JSON_LINES, read_trace, write_trace
from bufalu.reference.traces import Trace
from bufalu.reference.whole_files import check_writable

if TYPE_CHECKING:
    from bufalu.oracle.program import Program
    from bufalu.pages.outcome import Outcome

HELP = """\
Drive a program over stdin and stdout and judge every decision it makes.

The program answers one JSON object a line (docs/protocol.md): start, reset, decide, observe, stop. Each policy and
interval that it declares goes through stages: a smoke run, directed runs, one for each family of known bugs, epsilons
and rewards aimed at the comparisons, many arms, a search with shrinking, long runs. Exit code: 0 conforms, 1
nonconforming (the smallest counterexample is saved as a trace file), 2 bad usage, 3 the program is broken (crashed,
hung, answered garbage, skipped runs of what it declares). --junit, --sarif, --summary and --badge tell the verdict to
other tools besides (docs/ci.md)."""

EXAMPLE = """\
  bufalu conform -- node examples/bufalu.js
  bufalu conform --policy bufalu --confidence hoeffding --examples 500 -- ./my-bandit --stdio
  bufalu conform --replay counterexample.jsonl -- ./my-bandit --stdio"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `conform`."""
    parser.add_argument("program", metavar="COMMAND", nargs="+", help="the program and its arguments, after `--`")
    parser.add_argument("--policy", metavar="POLICY", type=options.policy_text, help="test only this policy")
    parser.add_argument(
        "--confidence", metavar="INTERVAL", type=options.interval_text, help="test only this interval"
    )
    parser.add_argument(
        "--examples", metavar="N", type=options.positive_integer, default=40, help="searched runs a setting (40)"
    )
    parser.add_argument(
        "--rounds", metavar="T", type=options.positive_integer, default=LONG, help=f"rounds of the long runs ({LONG})"
    )
    parser.add_argument(
        "--arms",
        metavar="K",
        type=options.positive_integer,
        default=max(MANY_ARMS),
        help=f"most arms; one run has so many ({max(MANY_ARMS)})",
    )
    options.add_seed(parser)
    parser.add_argument(
        "--timeout", metavar="SECONDS", type=_seconds, default=10.0, help="how long an answer may take (10)"
    )
    parser.add_argument("--strict", action="store_true", help="accept only the decisions of exact arithmetic")
    parser.add_argument("--replay", metavar="TRACE", help="play the run of a saved counterexample, nothing else")
    parser.add_argument("--out", metavar="FILE", help="where a counterexample goes (counterexample.jsonl)")
    options.add_json(parser)
    add_verdict_files(parser)
    parser.add_argument("-v", "--verbose", action="store_true", help="print the dialogue on stderr")


_OF_A_REPLAY = frozenset(
    ("program", "replay", "policy", "confidence", "timeout", "junit", "sarif", "summary", "badge")
)
"""The arguments with a value that a replay uses; of policy and interval, those that the trace names."""


class WithoutEffect(BufaluError):
    """An option that would be ignored beside another one."""


def run(arguments: argparse.Namespace) -> int:
    """Runs the program, prints the verdict, and writes the files that were asked for."""
    from bufalu.pages.program_outcome import place_of

    if arguments.replay is not None:
        _refuse_options_of_a_search(arguments)
    files = VerdictFiles.of("bufalu conform", arguments)
    with files.refusals(shlex.join(arguments.program), place_of(arguments.program)):
        outcome = _judge(arguments)
    files.deliver(outcome, as_json=arguments.json)
    return outcome.verdict.code


def _refuse_options_of_a_search(arguments: argparse.Namespace) -> None:
    ignored = sorted(f"--{name}" for name in arguments.given_options - _OF_A_REPLAY)
    if ignored:
        raise WithoutEffect(f"--replay plays the run of a trace and nothing else: leave out {', '.join(ignored)}")


def _replayed(arguments: argparse.Namespace) -> Trace:
    """The trace of --replay; raises `WithoutEffect` for a policy or an interval that is not the one of the trace."""
    trace = read_trace(arguments.replay)
    if not trace.rounds:
        raise InvalidTrace(arguments.replay, None, None, "no rounds: there is nothing to replay")
    policy, interval = trace.header.policy, trace.header.confidence
    # compared in their own text forms: dial:0.5 is dial:1/2
    if arguments.policy is not None and policy_named(arguments.policy).text != policy_named(policy).text:
        raise WithoutEffect(
            f"{arguments.replay} is a run of {policy}, which is what --replay plays: leave out --policy"
        )
    if (
        arguments.confidence is not None
        and confidence_named(arguments.confidence).text != confidence_named(interval).text
    ):
        raise WithoutEffect(
            f"{arguments.replay} is a run with {interval} intervals, which is what --replay plays: leave out --confidence"
        )
    return trace


def _judge(arguments: argparse.Namespace) -> Outcome:
    """Plays with the program; raises a `BufaluError` for what cannot be judged at all."""
    from bufalu.oracle.conformance import Effort
    from bufalu.oracle.judging import judge_program, judge_replay
    from bufalu.pages.outcome import FilePlace
    from bufalu.pages.program_outcome import program_outcome

    if arguments.policy is not None:
        policy_named(arguments.policy)
    if arguments.confidence is not None:
        confidence_named(arguments.confidence)
    recorded = None if arguments.replay is None else _replayed(arguments)
    if arguments.out is not None:
        # said before the work: a verdict is not to be lost for want of a place for its counterexample
        check_writable(arguments.out, JSON_LINES)
    effort = Effort(arguments.examples, arguments.rounds, arguments.arms, arguments.seed, arguments.strict)
    if recorded is not None:
        judged = judge_replay(lambda: _running(arguments), recorded, arguments.strict)
    else:
        with Progress(None, "stages") as progress:

            def heard(done: int, stages: int, text: str) -> None:
                progress.expect(stages)
                progress.update(done, text)
                if not heard_on_terminal():
                    say(text)

            judged = judge_program(lambda: _running(arguments), arguments.policy, arguments.confidence, effort, heard)
    if judged.failure is None:
        return program_outcome(judged, arguments.program, effort, None, ())
    trace = judged.failure.played.trace
    found = tuple(bug.known.id for bug in judged.failure.report.bugs)
    path = arguments.replay or _save(replace(trace, header=replace(trace.header, finding=found)), arguments.out)
    # In what was saved the last round is the divergent one, below the header and the rounds before it.
    line = len(trace.rounds) + 1 if arguments.replay is None else None
    witness = None if path is None else FilePlace(path, line)
    return program_outcome(judged, arguments.program, effort, witness, _replay_commands(path, arguments))


@contextmanager
def _running(arguments: argparse.Namespace) -> Iterator[Program]:
    """The program under test; whichever way the block is left, a line on stderr names what could not be ended."""
    from bufalu.oracle.program import Program

    listener = (lambda line: say(harmless(line))) if arguments.verbose else None
    program = Program(arguments.program, arguments.timeout, listener)
    try:
        with program:
            yield program
    finally:
        if program.survivors:
            pids = ", ".join(map(str, program.survivors))
            say(f"bufalu conform: not all that the program started could be ended; still running: {pids}")


def _save(trace: Trace, wanted: str | None) -> str | None:
    """Writes the counterexample; to the temporary folder if its place does not take it (any more). Gives where it is,
    None if no place takes it: the verdict stands without it.
    """
    for place in (wanted or "counterexample.jsonl", None):
        try:
            path = place or str(Path(tempfile.mkdtemp(prefix="bufalu-")) / "counterexample.jsonl")
            write_trace(path, trace)
        except (UnusableFile, OSError) as problem:
            say(f"bufalu conform: the counterexample was not saved: {problem}")
        else:
            return path
    return None


def _replay_commands(path: str | None, arguments: argparse.Namespace) -> list[str]:
    if path is None:
        return []
    further = " --strict" if arguments.strict else ""
    for option, value in (("--policy", arguments.policy), ("--confidence", arguments.confidence)):
        # what comes from a file of the user's own is known by its name only once that file is loaded
        if isinstance(value, options.OwnText):
            further += f" {option} {shlex.quote(value.given)}"
    return [
        f"bufalu conform --replay {shlex.quote(path)}{further} -- {shlex.join(arguments.program)}",
        f"bufalu check{further} {shlex.quote(path)}",
    ]


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 86_400:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds between 0 and 86400")
    return seconds

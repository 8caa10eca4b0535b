"""`bufalu check`: does a trace follow its policy?"""

from __future__ import annotations

import argparse
import json
import shlex
from typing import TYPE_CHECKING

from bufalu.commands import options
from bufalu.commands.terminal import Progress
from bufalu.commands.verdict_files import VerdictFiles, add_verdict_files
from bufalu.reference.errors import InvalidInstance, InvalidTrace
from bufalu.reference.instances import Instance
from bufalu.reference.rationals import Rational, parse_rational
from bufalu.reference.traces import TraceHeader

if TYPE_CHECKING:
    from bufalu.oracle.sources import TraceSource
    from bufalu.pages.outcome import Outcome
    from bufalu.properties.runs.claims_on_trace import OnTrace
    from bufalu.properties.runs.statements import Violation

HELP = """\
Check a trace against its policy, round by round.

Every decision must be one that some tie-break gives. The trace is JSON Lines, CSV or NPZ, the first two also compressed
(.gz) or from stdin (-), or a journal of `bufalu live`, also while it is in use; policy, interval and schedule come from
its header or from the options. By default, what a program in doubles cannot tell apart (two sides closer than 1e-9 (1 +
|x| + |y|), see docs/reach.md) is accepted either way and counted; --strict accepts only what exact arithmetic gives.
The first divergent round is told as an argument. --claim holds a claim of the paper about single runs against the
trace, which is how the witnesses of `bufalu audit` are replayed. Exit code: 0 conforms (and the claim holds), 1
nonconforming (or the claim fails), 2 not a trace (or the claim says nothing about the run). --junit, --sarif, --summary
and --badge tell the verdict to other tools besides (docs/ci.md)."""

EXAMPLE = """\
  bufalu simulate --means 1/4,1/2 --epsilon budget:100 --horizon 1000 --out trace.jsonl
  bufalu check trace.jsonl
  bufalu check prompts.db
  gzip --stdout trace.jsonl | bufalu check -
  bufalu check trace.jsonl --claim cap.almost_sure
  bufalu check trace.csv --policy cbm-ucb --confidence bernstein --arms 5 --epsilon power:1/4 --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `check`."""
    options.add_trace(parser)
    options.add_strict(parser)
    parser.add_argument(
        "--means", metavar="M1,M2,...", help="means of the arms: check the paper's claims about single runs on it too"
    )
    parser.add_argument(
        "--claim",
        metavar="CLAIM",
        help="a claim about single runs: show where it fails on this trace, or comes closest",
    )
    options.add_json(parser)
    add_verdict_files(parser)


def run(arguments: argparse.Namespace) -> int:
    """Checks the trace, prints the verdict, and writes the files that were asked for.

    Raises `SaysNothing` after that, if all is well but for a claim that does not speak of the run.
    """
    from bufalu.pages.outcome import Ending, FilePlace

    files = VerdictFiles.of("bufalu check", arguments)
    with files.refusals(arguments.trace, FilePlace(arguments.trace)):
        outcome = judge(arguments)
    files.deliver(outcome, as_json=arguments.json)
    if outcome.verdict is Ending.SKIPPED:
        from bufalu.properties.claims.errors import SaysNothing

        raise SaysNothing(f"{arguments.claim} says nothing about this run, so that it was not judged by it")
    return outcome.verdict.code


def judge(arguments: argparse.Namespace) -> Outcome:
    """Reads and checks the trace; raises `InvalidTrace`."""
    from bufalu.oracle.report import check_file, whole_trace
    from bufalu.pages.trace_outcome import RunClaims, invalid_document, trace_outcome

    claims: RunClaims | None = None
    asked: list[OnTrace] = []
    try:
        with options.chosen_trace(arguments) as source:
            means = None if arguments.means is None else chosen_means(source.header, arguments.means)
            names = () if means is None else asked_claims(source.header, means)
            with Progress(None, "rounds", "checking") as progress:
                report = check_file(source, arguments.strict, progress.update)
            if means is not None:
                with Progress(report.checked.rounds, "rounds", "claims") as progress:
                    claims = RunClaims(names, violated_claims(source, means, progress))
            if arguments.claim is not None:
                # What the claims load, Hypothesis above all, is a third of the start-up time.
                from bufalu.properties.runs.claims_on_trace import examine_on_trace

                asked = examine_on_trace(whole_trace(source), arguments.claim)
    except InvalidTrace as problem:
        if arguments.json:
            print(json.dumps(invalid_document(problem), indent=2))
        raise
    return trace_outcome(source, report, claims, asked, command_again(arguments))


def command_again(arguments: argparse.Namespace) -> str:
    """The command that checks the same once more."""
    flags = ("policy", "confidence", "arms", "epsilon", "means", "claim")
    given = [(flag, getattr(arguments, flag)) for flag in flags]
    words = [word for flag, value in given if value is not None for word in (f"--{flag}", str(value))]
    words += [f"--{flag}" for flag in ("strict", "strict-columns") if getattr(arguments, flag.replace("-", "_"))]
    return shlex.join(["bufalu", "check", *words, arguments.trace])


def chosen_means(header: TraceHeader, text: str) -> tuple[Rational, ...]:
    """The means of --means; raises `InvalidInstance` if they do not fit the trace."""
    instance = Instance.bernoulli([parse_rational(part) for part in text.split(",")])
    if instance.number_of_arms != header.arms:
        raise InvalidInstance(f"{instance.number_of_arms} means were given for {header.arms} arms")
    return instance.means


def asked_claims(header: TraceHeader, means: tuple[Rational, ...]) -> tuple[str, ...]:
    """The claims about single runs that speak of such a trace; raises `InvalidInstance` if none does."""
    from bufalu.properties.runs.claims_on_blocks import asked_on_blocks

    names = asked_on_blocks(header, means)
    if not names:
        raise InvalidInstance(
            f"--means asks for the claims about single runs, and none speaks of {header.policy}: leave it out, or name a "
            "claim with --claim"
        )
    return names


def violated_claims(source: TraceSource, means: tuple[Rational, ...], progress: Progress) -> list[Violation]:
    """Where the claims about single runs (cap, gap-query, counts) fail on the trace."""
    from bufalu.properties.runs.claims_on_blocks import claims_on_blocks

    return claims_on_blocks(source.header, source.blocks(), source.schedule, means, progress.update)

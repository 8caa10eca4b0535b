"""`bufalu check`: is a trace one of the four policies?"""

from __future__ import annotations

import argparse
import json

from bufalu.commands import options
from bufalu.commands.terminal import Progress, coloured
from bufalu.oracle.report import Report, check_file, whole_trace
from bufalu.oracle.sources import TraceFile, trace_source
from bufalu.properties.runs.claims_on_trace import OnTrace, check_claims_on_trace, examine_on_trace
from bufalu.properties.runs.statements import Violation
from bufalu.reference.errors import InvalidInstance, InvalidTrace
from bufalu.reference.instances import Instance
from bufalu.reference.rationals import parse_rational

HELP = """\
Check a trace against its policy, round by round.

Every decision must be one that some tie-break gives. The trace is JSON Lines, CSV or NPZ, the first two also compressed
(.gz) or from stdin (-); policy, interval and schedule come from its header or from the options. By default, what a
program in doubles cannot tell apart (two sides closer than 1e-9 (1 + |x| + |y|), see docs/reach.md) is accepted either
way and counted; --strict accepts only what exact arithmetic gives. The first divergent round is told as an argument.
--claim holds a claim of the paper about single runs against the trace, which is how the witnesses of `bufalu audit` are
replayed. Exit code: 0 conforms (and the claim holds), 1 nonconforming (or the claim fails), 2 not a trace."""

EXAMPLE = """\
  bufalu simulate --means 1/4,1/2 --epsilon budget:100 --horizon 1000 --out trace.jsonl
  bufalu check trace.jsonl
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


def run(arguments: argparse.Namespace) -> int:
    """Checks the trace and prints the verdict."""
    flags = options.trace_flags(arguments)
    claims: list[Violation] | None = None
    asked: list[OnTrace] = []
    try:
        with trace_source(arguments.trace, flags) as source:
            with Progress(None, "rounds", "checking") as progress:
                report = check_file(source, arguments.strict, progress.update)
            if arguments.means is not None:
                with Progress(None, "rounds", "claims") as progress:
                    claims = violated_claims(source, arguments.means, progress)
            if arguments.claim is not None:
                asked = examine_on_trace(whole_trace(source), arguments.claim)
    except InvalidTrace as problem:
        if arguments.json:
            print(json.dumps(invalid_json(problem), indent=2))
        raise
    if arguments.json:
        told = report.as_json()
        if claims is not None:
            told["violated_claims"] = [violation._asdict() for violation in claims]
        if asked:
            told["claim"] = [outcome.as_json() for outcome in asked]
        print(json.dumps(told, indent=2))
    else:
        for outcome in asked:
            verdict, *rest = outcome.lines()
            print("\n".join([coloured(verdict, "green" if outcome.holds else "red"), *rest]))
        show(report)
        if claims is not None:
            show_claims(claims)
    return 0 if report.conforms and not claims and all(outcome.holds for outcome in asked) else 1


def violated_claims(source: TraceFile, means: str, progress: Progress) -> list[Violation]:
    """The claims about single runs (cap, gap-query, counts) that fail on the trace."""
    numbers = tuple(parse_rational(part) for part in means.split(","))
    instance = Instance.bernoulli(numbers)
    if instance.number_of_arms != source.header.arms:
        raise InvalidInstance(f"{instance.number_of_arms} means were given for {source.header.arms} arms")

    def tell(done: int, total: int) -> None:
        progress.expect(total)
        progress.update(done)

    return check_claims_on_trace(whole_trace(source), instance.means, progress=tell)


def show_claims(claims: list[Violation]) -> None:
    """Prints the violated claims, the first ten of them."""
    if not claims:
        print(coloured("claims: the cap, the gap-query lemma and the counts hold on this trace", "green"))
        return
    print(coloured(f"claims: {len(claims)} violations", "red"))
    for violation in claims[:10]:
        print(f"  {violation.statement}, round {violation.round}: {violation.account}")


def show(report: Report) -> None:
    """Prints a report for a person."""
    first, *rest = report.lines()
    print(coloured(first, "green" if report.conforms else "red"))
    for line in rest:
        print(line)


def invalid_json(problem: InvalidTrace) -> dict[str, object]:
    """What is wrong with a file that is not a trace."""
    return {
        "verdict": "invalid",
        "file": problem.path,
        "line": problem.line,
        "field": problem.field,
        "problem": problem.problem,
    }

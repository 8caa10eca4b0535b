"""`bufalu check`: is a trace one of the four policies?"""

from __future__ import annotations

import argparse
import json

from bufalu.commands import options
from bufalu.commands.terminal import coloured
from bufalu.properties.oracle.report import Report, check_file
from bufalu.properties.oracle.sources import Flags, open_trace
from bufalu.reference.errors import InvalidTrace

HELP = """\
Check a trace against its policy, round by round.

Every decision must be one that some tie-break gives. The trace is JSON Lines, CSV or NPZ; policy, interval and
schedule come from its header or from the options. By default, what a program in doubles cannot tell apart (two sides
closer than 1e-9 (1 + |x| + |y|)) is accepted either way and counted; --strict accepts only what exact arithmetic
gives. The first divergent round is told as an argument. Exit code: 0 conforms, 1 nonconforming, 2 not a trace."""

EXAMPLE = """\
  bufalu simulate --means 1/4,1/2 --epsilon budget:100 --horizon 1000 --out trace.jsonl
  bufalu check trace.jsonl
  bufalu check trace.csv --policy cbm-ucb --confidence bernstein --arms 5 --epsilon power:1/4 --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `check`."""
    parser.add_argument("trace", metavar="TRACE", help="the trace: .npz, .csv, or JSON Lines under any other name")
    options.add_policy(parser, default=None)
    options.add_confidence(parser, default=None)
    parser.add_argument("--arms", metavar="K", type=options.positive_integer, help="number of arms, if no header says")
    options.add_epsilon(parser, required=False)
    parser.add_argument("--strict", action="store_true", help="accept only the decisions of exact arithmetic")
    options.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Checks the trace and prints the verdict."""
    flags = Flags(arguments.policy, arguments.confidence, arguments.arms, arguments.epsilon)
    try:
        report = check_file(open_trace(arguments.trace, flags), arguments.strict)
    except InvalidTrace as problem:
        if arguments.json:
            print(json.dumps(invalid_json(problem), indent=2))
        raise
    if arguments.json:
        print(json.dumps(report.as_json(), indent=2))
    else:
        show(report)
    return 0 if report.conforms else 1


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

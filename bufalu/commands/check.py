"""`bufalu check`: is a trace one of the four policies?"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bufalu.commands import options
from bufalu.commands.terminal import Progress, coloured
from bufalu.commands.verdict_files import VerdictFiles, add_verdict_files
from bufalu.reference.errors import InvalidInstance, InvalidTrace
from bufalu.reference.instances import Instance
from bufalu.reference.rationals import Rational, parse_rational
from bufalu.reference.traces import TraceHeader

if TYPE_CHECKING:
    from bufalu.oracle.report import Report
    from bufalu.oracle.sources import TraceFile
    from bufalu.pages.outcome import Case, Outcome, Verdict
    from bufalu.properties.runs.claims_on_trace import OnTrace
    from bufalu.properties.runs.statements import Violation

HELP = """\
Check a trace against its policy, round by round.

Every decision must be one that some tie-break gives. The trace is JSON Lines, CSV or NPZ, the first two also compressed
(.gz) or from stdin (-); policy, interval and schedule come from its header or from the options. By default, what a
program in doubles cannot tell apart (two sides closer than 1e-9 (1 + |x| + |y|), see docs/reach.md) is accepted either
way and counted; --strict accepts only what exact arithmetic gives. The first divergent round is told as an argument.
--claim holds a claim of the paper about single runs against the trace, which is how the witnesses of `bufalu audit` are
replayed. Exit code: 0 conforms (and the claim holds), 1 nonconforming (or the claim fails), 2 not a trace (or the
claim says nothing about the run). --junit, --sarif, --summary and --badge tell the verdict to other tools besides
(docs/ci.md)."""

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
    add_verdict_files(parser)


@dataclass(frozen=True)
class RunClaims:
    """The claims about single runs that were held against a trace, and where they fail on it."""

    names: tuple[str, ...]
    violations: list[Violation]

    def lines(self) -> list[str]:
        """For a person: what became of them, and the first ten violations."""
        if not self.violations:
            return [f"claims: {', '.join(self.names)} hold on this trace"]
        first = f"claims: {len(self.violations)} violations"
        return [first, *(f"  {bad.statement}, round {bad.round}: {bad.account}" for bad in self.violations[:10])]


@dataclass(frozen=True)
class Judged:
    """What was found out about a trace: `claims` is None unless means were given, `asked` is for --claim."""

    source: TraceFile
    report: Report
    claims: RunClaims | None
    asked: list[OnTrace]

    @property
    def code(self) -> int:
        """The exit code."""
        claims_hold = self.claims is None or not self.claims.violations
        return 1 if not (self.report.conforms and claims_hold) or any(one.fails for one in self.asked) else 0

    @property
    def unanswered(self) -> bool:
        """Whether nothing fails, and the claim that was asked does not speak of the run."""
        return self.code == 0 and bool(self.asked) and all(one.says_nothing for one in self.asked)


def run(arguments: argparse.Namespace) -> int:
    """Checks the trace, prints the verdict, and writes the files that were asked for.

    Raises `SaysNothing` after that, if all is well but for a claim that does not speak of the run.
    """
    from bufalu.pages.outcome import Place

    files = VerdictFiles.of("bufalu check", arguments)
    with files.refusals(arguments.trace, Place(arguments.trace)):
        judged = judge(arguments)
    try:
        tell(judged, arguments)
        sys.stdout.flush()
    finally:
        files.write(outcome(judged, arguments))
    if judged.unanswered:
        from bufalu.properties.claims.errors import SaysNothing

        raise SaysNothing(f"{arguments.claim} says nothing about this run, so that it was not judged by it")
    return judged.code


def judge(arguments: argparse.Namespace) -> Judged:
    """Reads and checks the trace; raises `InvalidTrace`."""
    from bufalu.oracle.report import check_file, whole_trace
    from bufalu.oracle.sources import trace_source

    flags = options.trace_flags(arguments)
    claims: RunClaims | None = None
    asked: list[OnTrace] = []
    try:
        with trace_source(arguments.trace, flags) as source:
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
            print(json.dumps(invalid_json(problem), indent=2))
        raise
    return Judged(source, report, claims, asked)


def tell(judged: Judged, arguments: argparse.Namespace) -> None:
    """Prints the verdict."""
    if arguments.json:
        told = judged.report.as_json()
        if judged.claims is not None:
            told["checked_claims"] = list(judged.claims.names)
            told["violated_claims"] = [violation._asdict() for violation in judged.claims.violations]
        if judged.asked:
            told["claim"] = [one.as_json() for one in judged.asked]
        print(json.dumps(told, indent=2))
        return
    for one in judged.asked:
        verdict, *rest = one.lines()
        colour = "yellow" if one.says_nothing else "red" if one.fails else "green"
        print("\n".join([coloured(verdict, colour), *rest]))
    show(judged.report)
    if judged.claims is not None:
        show_claims(judged.claims)


def outcome(judged: Judged, arguments: argparse.Namespace) -> Outcome:
    """The same for other tools: one case for the policy, and one for each claim that was held against the trace."""
    from bufalu.pages.outcome import Outcome, Place, Verdict

    source, report = judged.source, judged.report
    title = f"{source.header.policy} with {source.header.confidence}"
    verdict = Verdict.CONFORMS if report.conforms else Verdict.NONCONFORMING
    cases = [_case(title, verdict, report.lines())]
    cases += [
        _case(one.statement, Verdict.SKIPPED if one.says_nothing else _kept(not one.fails), one.lines())
        for one in judged.asked
    ]
    if judged.claims is not None:
        kept = _kept(not judged.claims.violations)
        cases.append(_case("claims about single runs", kept, judged.claims.lines()))
    silent = next((case for case in cases if case.verdict is Verdict.SKIPPED and judged.unanswered), cases[0])
    worst = next((case for case in cases if case.verdict.fails), silent)
    place = Place(source.path)
    if report.checked.divergence is not None:
        place = Place(source.path, line_of(source, report.checked.divergence.round))
    again = (command_again(arguments),)
    return Outcome("bufalu check", source.path, worst.verdict, worst.message, tuple(cases), place, again=again)


def _kept(holds: bool) -> Verdict:
    from bufalu.pages.outcome import Verdict

    return Verdict.CONFORMS if holds else Verdict.VIOLATES_CLAIMS


def _case(name: str, verdict: Verdict, lines: list[str]) -> Case:
    from bufalu.pages.outcome import Case

    return Case(name, verdict, lines[0], tuple(lines[1:]))


def line_of(source: TraceFile, number: int) -> int | None:
    """The line of a round in a plain text file, None in any other."""
    from bufalu.oracle.sources import Kind

    if source.kind is Kind.NPZ or source.path.endswith(".gz"):
        return None
    return number + 1 if source.headed or source.kind is Kind.CSV else number


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


def violated_claims(source: TraceFile, means: tuple[Rational, ...], progress: Progress) -> list[Violation]:
    """Where the claims about single runs (cap, gap-query, counts) fail on the trace."""
    from bufalu.properties.runs.claims_on_blocks import claims_on_blocks

    return claims_on_blocks(source.header, source.blocks(), source.schedule, means, progress.update)


def show_claims(claims: RunClaims) -> None:
    """Prints what became of the claims."""
    first, *rest = claims.lines()
    print(coloured(first, "red" if claims.violations else "green"))
    for line in rest:
        print(line)


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

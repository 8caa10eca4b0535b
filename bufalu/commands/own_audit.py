"""`bufalu audit --interval` and `--policy`: the paper's claims asked of the user's own, told in a terminal."""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import sys
import textwrap
import time
from dataclasses import replace
from pathlib import Path

from bufalu._version import __version__
from bufalu.commands import options
from bufalu.commands.own_files import OwnCodeFailed
from bufalu.commands.terminal import Progress, coloured, say
from bufalu.pages.own_page import own_page
from bufalu.properties.audit.files import write_witnesses
from bufalu.properties.audit.running import chosen_checks, run_checks
from bufalu.properties.claims import claims_matching
from bufalu.properties.claims.evidence import AuditProfile, Evidence
from bufalu.properties.own.questions import Asked, questions
from bufalu.properties.own.report import Outcome, OwnReport, OwnRow, own_collection, own_report
from bufalu.properties.own.subject import Brought
from bufalu.reference.confidence import confidence_named
from bufalu.reference.errors import UnknownName
from bufalu.reference.policies import policy_named
from bufalu.reference.whole_files import check_writable, write_whole

COLOURS = {Outcome.SURVIVES: "green", Outcome.FAILS: "red", Outcome.OPEN: "yellow", Outcome.NOT_APPLICABLE: "grey"}
DETAILED = 6
"""With at most this many claims their evidence is printed in full."""
WIDTH = 120


def run_own(arguments: argparse.Namespace) -> int:  # noqa: C901 - one step after the other, each optional
    """Asks the claims of what the user brought; 0 nothing fails, 1 something fails, 2 it cannot be asked."""
    for option in ("paper", "figures", "strict", "claims"):
        if getattr(arguments, option):
            raise UnknownName(f"--{option} goes with the audit of the paper, not with --interval or --policy")
    for path in filter(None, (arguments.out, arguments.html)):
        check_writable(path)
    brought = _brought(arguments)
    asked = _chosen(questions(brought), arguments.only)
    if arguments.list:
        for question in asked:
            print(f"{question.claim.id:<42}  {question.claim.statement}")
        return 0
    profile = AuditProfile(arguments.profile, arguments.seed)
    checks = chosen_checks(own_collection(asked), [question.claim for question in asked])
    finished: dict[str, Evidence] = {}
    interrupted = False
    start = time.monotonic()
    with Progress(len(checks), "checks") as progress:
        try:
            for name, evidence in run_checks(checks, profile, arguments.workers, own=True):
                if evidence.failed:
                    raise OwnCodeFailed(f"{name} could not be asked of {brought.name}: {evidence.detail}")
                finished[name] = evidence
                progress.update(len(finished), name)
        except KeyboardInterrupt:
            interrupted = True
    report = own_report(brought, asked, finished, profile, time.monotonic() - start)
    if arguments.witnesses is not None:
        write_witnesses(Path(arguments.witnesses), [row.result for row in report.rows if row.result is not None])
        report = replace(report, folder=arguments.witnesses)
    objects = json.dumps(report.objects(), indent=1, ensure_ascii=False)
    if arguments.out is not None:
        write_whole(arguments.out, objects + "\n")
    if arguments.html is not None:
        write_whole(arguments.html, own_page(report, f"bufalu {__version__}"))
    print(objects) if arguments.json else print_own(report)
    if interrupted:
        say(f"bufalu audit: interrupted: {len(finished)} of {len(checks)} checks finished")
        return 128 + signal.SIGINT
    return 0 if report.holds else 1


def _brought(arguments: argparse.Namespace) -> Brought:
    policy, interval = arguments.policy, arguments.interval
    return Brought(
        None if policy is None else policy_named(policy),
        None if interval is None else confidence_named(interval),
        options.as_given(policy or ""),
        options.as_given(interval or ""),
    )


def _chosen(asked: tuple[Asked, ...], only: list[str] | None) -> tuple[Asked, ...]:
    """The questions of --only; raises `UnknownName` if none of those claims speaks of intervals or the algorithm."""
    if only is None:
        return asked
    wanted = {claim.id for claim in claims_matching(*only)}
    found = tuple(question for question in asked if question.claim.id in wanted)
    if not found:
        raise UnknownName(f"{', '.join(only)}: speaks neither of intervals nor of the algorithm")
    return found


def print_own(report: OwnReport) -> None:
    """The outcomes one by one, those that fail first with their replays; then what to make of it."""
    print(coloured(f"The paper's claims about {report.brought.name}", "bold"))
    if len(report.rows) <= DETAILED:
        for row in report.rows:
            _print_row(report, row)
    else:
        for row in report.with_outcome(Outcome.FAILS):
            _print_row(report, row)
        print()
        for row in (*report.with_outcome(Outcome.SURVIVES), *report.with_outcome(Outcome.OPEN)):
            _print_line(row)
        _print_others(report)
    counts = [f"{outcome.value}: {len(rows)}" for outcome in Outcome if (rows := report.with_outcome(outcome))]
    print(
        f"\n{', '.join(counts)} ({report.profile.name} profile, seed {report.profile.seed}, {report.seconds:.0f} s)"
    )
    print(f"\n{textwrap.fill(report.closing(), _width())}")


def _print_line(row: OwnRow) -> None:
    """A claim in one line: `bufalu audit ... --only CLAIM` tells all."""
    word = coloured(f"{row.outcome.value:<8}", COLOURS[row.outcome])
    verdict = row.result.verdict.value if row.result is not None and row.outcome is Outcome.SURVIVES else ""
    head = f"{verdict:<9}  {row.claim.id:<38}  "
    print(f"{word}  {head}{textwrap.shorten(row.detail, max(30, _width() - len(head) - 10), placeholder=' ...')}")


def _print_row(report: OwnReport, row: OwnRow) -> None:
    """A claim in full: what it says here, every piece of evidence, and how to replay its witness or closest case."""
    verdict = "" if row.result is None else f"  {row.result.verdict.value}"
    word = coloured(row.outcome.value, COLOURS[row.outcome])
    print(f"\n{word}{verdict}  {coloured(row.claim.id, 'bold')}  ({row.claim.place})")
    _paragraph(row.asked.words)
    if row.result is None:
        _paragraph(row.detail)
        return
    for name, evidence in row.result.evidence:
        _paragraph(f"{evidence.verdict.value} by {name}: {evidence.detail}")
    witness = row.result.witness
    if witness is not None:
        _paragraph(f"{witness.label}: {witness.summary}")
        print(f"    replay: {report.replay(row, witness)}")


def _print_others(report: OwnReport) -> None:
    """The claims about something else, by reason."""
    reasons: dict[str, list[str]] = {}
    for row in report.with_outcome(Outcome.NOT_APPLICABLE):
        reasons.setdefault(row.detail, []).append(row.claim.id)
    for reason, names in reasons.items():
        print(f"\n{coloured(Outcome.NOT_APPLICABLE.value, 'grey')}  {reason}:")
        _paragraph(", ".join(names))


def _paragraph(text: str) -> None:
    print(textwrap.fill(text, _width(), initial_indent="    ", subsequent_indent="    "))


def _width() -> int:
    return shutil.get_terminal_size((WIDTH, 24)).columns if sys.stdout.isatty() else WIDTH

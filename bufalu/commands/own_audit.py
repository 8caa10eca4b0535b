"""`bufalu audit --interval` and `--policy`: the paper's claims asked of the user's own, told in a terminal."""

from __future__ import annotations

import argparse
import json
import signal
import time
from dataclasses import replace
from pathlib import Path

from bufalu._version import __version__
from bufalu.commands import options
from bufalu.commands.audit import check_places, list_claims
from bufalu.commands.own_files import OwnCodeFailed
from bufalu.commands.terminal import Progress, say, show, width
from bufalu.pages.own_outcome import own_outcome
from bufalu.pages.own_page import own_page
from bufalu.properties.audit.files import write_witnesses
from bufalu.properties.audit.running import run_checks, slow_first
from bufalu.properties.claims import claims_matching
from bufalu.properties.claims.evidence import AuditProfile, Evidence
from bufalu.properties.own.questions import OwnQuestion, questions
from bufalu.properties.own.report import own_collection, own_report
from bufalu.properties.own.subject import OwnSubject
from bufalu.reference.confidence import confidence_named
from bufalu.reference.errors import UnknownName
from bufalu.reference.policies import policy_named
from bufalu.reference.whole_files import write_whole

WIDTH = 120


def run_own(arguments: argparse.Namespace) -> int:  # noqa: C901 - one step after the other, each optional
    """Asks the claims of what the user brought; 0 nothing fails, 1 something fails, 2 it cannot be asked."""
    for option in ("paper", "figures", "strict", "claims"):
        if getattr(arguments, option):
            raise UnknownName(f"--{option} goes with the audit of the paper, not with --interval or --policy")
    brought = _brought(arguments)
    asked = _chosen(questions(brought), arguments.only)
    if arguments.list:
        return list_claims([question.claim for question in asked], as_json=arguments.json)
    check_places(arguments)
    profile = AuditProfile(arguments.profile, arguments.seed)
    checks = slow_first(own_collection(asked).checks)
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
        write_witnesses(Path(arguments.witnesses), report.results)
        report = replace(report, folder=arguments.witnesses)
    outcome = own_outcome(brought, report, width(WIDTH))
    objects = json.dumps(outcome.document, indent=1, ensure_ascii=False)
    if arguments.out is not None:
        write_whole(arguments.out, objects + "\n")
    if arguments.html is not None:
        write_whole(arguments.html, own_page(brought, report, f"bufalu {__version__}"))
    print(objects) if arguments.json else show(outcome.lines)
    if interrupted:
        say(f"bufalu audit: interrupted: {len(finished)} of {len(checks)} checks finished")
        return 128 + signal.SIGINT
    return outcome.verdict.code


def _brought(arguments: argparse.Namespace) -> OwnSubject:
    policy, interval = arguments.policy, arguments.interval
    return OwnSubject(
        None if policy is None else policy_named(policy),
        None if interval is None else confidence_named(interval),
        options.as_given(policy or ""),
        options.as_given(interval or ""),
    )


def _chosen(asked: tuple[OwnQuestion, ...], only: list[str] | None) -> tuple[OwnQuestion, ...]:
    """The questions of --only; raises `UnknownName` if none of those claims speaks of intervals or the algorithm."""
    if only is None:
        return asked
    wanted = {claim.id for claim in claims_matching(*only)}
    found = tuple(question for question in asked if question.claim.id in wanted)
    if not found:
        raise UnknownName(f"{', '.join(only)}: speaks neither of intervals nor of the algorithm")
    return found

"""`bufalu audit`: every claim of the paper, with a verdict and its evidence."""

from __future__ import annotations

import argparse
import json
import shlex
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from bufalu._version import __version__
from bufalu.commands import options
from bufalu.commands.terminal import Progress, say, show, width
from bufalu.reference.whole_files import check_writable, write_whole

if TYPE_CHECKING:
    from bufalu.properties.audit.baseline import Change
    from bufalu.properties.audit.running import AuditReport
    from bufalu.properties.claims import Claim
    from bufalu.properties.claims.evidence import AuditProfile, Check, Evidence

HELP = """\
Go through the whole paper and say for every claim what a machine could establish.

Verdicts, strongest first: PROVED, CERTIFIED, EXACT, TESTED, REPRODUCED, ARGUED. An ERRATUM is wrong as printed and
comes with a witness and a corrected statement; a GAP is a statement that its proof does not give. The audit fails (exit
code 1) where a verdict contradicts the recorded one, and where a check breaks or gives up; interrupted, it ends with 130. A
claim whose evidence needs a tool that is not here stands below its recorded verdict, which is counted and said;
--strict makes that a failure too. --baseline prints what changed since an earlier audit, and puts it into the page; with
--json it makes the output an object of `claims` and `changes`. It does not change the exit code.

With --interval or --policy the claims that speak of intervals or of the algorithm are asked of one of your own instead:
which are proved, which what was tried did not refute, which fail with a witness, which do not apply and which stay open
(docs/tutorial-own-interval.md, docs/tutorial-own-policy.md). Exit code 1 then means that a claim fails."""

EXAMPLE = """\
  bufalu audit
  bufalu audit --only 'gap_query.*'
  bufalu audit --only E10
  bufalu audit --interval mine.py:Mine
  bufalu audit --policy mine.py:MyRule --html report.html
  bufalu audit --claims mine.py --only 'mine.*'
  bufalu audit --html report.html
  bufalu audit --out new.json --baseline old.json
  bufalu audit --profile full --paper paper.tex --json > audit.json"""

DETAILED = 6
"""With at most this many claims everything known about them is printed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `audit`."""
    parser.add_argument(
        "--only",
        metavar="CLAIMS",
        action="append",
        help="claims by id or shell pattern, errata by number (E7), joined by commas; may be repeated",
    )
    parser.add_argument("--list", action="store_true", help="print the claims' ids, places and statements, and stop")
    parser.add_argument("--strict", action="store_true", help="fail unless every claim reaches its recorded verdict")
    parser.add_argument(
        "--profile", choices=("quick", "full"), default="quick", help="two minutes (default) or up to thirty"
    )
    parser.add_argument(
        "--interval",
        metavar="INTERVAL",
        type=options.interval_text,
        help="ask the claims of an interval instead: FILE.py:NAME, your own, or a text",
    )
    parser.add_argument(
        "--policy",
        metavar="POLICY",
        type=options.policy_text,
        help="ask the claims of a policy instead: FILE.py:NAME, your own, or a text",
    )
    parser.add_argument(
        "--claims",
        metavar="FILE",
        action="append",
        help="a Python file of your own that registers claims and checks; may be repeated",
    )
    parser.add_argument(
        "--paper", metavar="FILE", help="the paper's source: verify that its lines are the audited ones"
    )
    parser.add_argument("--witnesses", metavar="DIR", help="write the witnesses' files there")
    options.add_workers(parser, 2)
    parser.add_argument("--out", metavar="FILE", help="write the JSON report there")
    parser.add_argument("--html", metavar="FILE", help="write the report as a page that opens offline")
    parser.add_argument("--figures", metavar="DIR", help="put the PNG figures of `bufalu reproduce` into the page")
    parser.add_argument(
        "--baseline", metavar="OLD.json", help="say what changed since an earlier audit, given its JSON report"
    )
    options.add_seed(parser)
    options.add_json(parser)


def load_claims(path: str) -> None:
    """Runs a file that registers claims; raises `OwnCodeFailed` if it registers none."""
    from bufalu.commands.own_files import OwnCodeFailed, run_file
    from bufalu.properties.claims.registered import registered_checks, registered_claims

    before = len(registered_claims()) + len(registered_checks())
    run_file(path)
    if len(registered_claims()) + len(registered_checks()) == before:
        raise OwnCodeFailed(f"{path} registers no claim and no check (register_claim, register_check)")


def run(arguments: argparse.Namespace) -> int:
    """Runs the audit; Ctrl-C prints the verdicts of what has finished."""
    if arguments.policy is not None or arguments.interval is not None:
        from bufalu.commands.own_audit import run_own

        return run_own(arguments)
    from bufalu.properties.audit.baseline import changes, read_baseline
    from bufalu.properties.audit.collecting import collect
    from bufalu.properties.audit.files import report_objects, write_witnesses
    from bufalu.properties.audit.running import chosen_checks, report
    from bufalu.properties.claims import CLAIMS, claims_matching
    from bufalu.properties.claims.evidence import AuditProfile

    for path in arguments.claims or ():
        load_claims(path)
    claims = claims_matching(*(arguments.only or ["*"]))
    if arguments.list:
        return list_claims(claims, as_json=arguments.json)
    _check_files(arguments)
    baseline = None if arguments.baseline is None else read_baseline(Path(arguments.baseline))
    profile = AuditProfile(arguments.profile, arguments.seed)
    collection = collect(claims=[claim.id for claim in claims] if arguments.only else None)
    checks = chosen_checks(collection, claims)
    start = time.monotonic()
    finished, interrupted = _carried_out(checks, profile, arguments)
    outcome = report(claims, collection, finished, profile, time.monotonic() - start)
    if arguments.witnesses is not None:
        write_witnesses(Path(arguments.witnesses), outcome.results)
        outcome = replace(outcome, folder=arguments.witnesses)
    if arguments.claims:
        outcome = replace(outcome, options="".join(f" --claims {shlex.quote(path)}" for path in arguments.claims))
    # Few ask for JSON, and whoever does may ask three times.
    objects = cache(partial(report_objects, outcome))
    changed = None if baseline is None else changes(baseline, objects(), partial=len(claims) < len(CLAIMS))
    _write(arguments, outcome, objects, changed)
    if arguments.json:
        _print_json(objects(), changed)
    else:
        _print(arguments, outcome, changed)
    if interrupted:
        say(f"bufalu audit: interrupted: {len(finished)} of {len(checks)} checks finished")
        return 128 + signal.SIGINT
    return 0 if (outcome.complete if arguments.strict else outcome.holds) else 1


def _check_files(arguments: argparse.Namespace) -> None:
    """Raises where the paper is not the audited one, or a file could not be read or written in the end."""
    if arguments.paper is not None:
        from bufalu.properties.claims import CLAIMS
        from bufalu.properties.claims.source import verify_paper

        compared = verify_paper(Path(arguments.paper), CLAIMS)
        if not arguments.json:
            print(f"{arguments.paper}: the lines of all {compared} claims are the audited ones\n")
    check_places(arguments)
    if arguments.figures is not None:
        from bufalu.pages.report_extras import read_figures

        read_figures(Path(arguments.figures))


def check_places(arguments: argparse.Namespace) -> None:
    """Raises `UnusableFile` where a report or a witness could not be written in the end."""
    for path, endings in ((arguments.out, (".json",)), (arguments.html, (".html", ".htm"))):
        if path is not None:
            check_writable(path, endings)
    if arguments.witnesses is not None:
        from bufalu.properties.audit.files import write_witnesses

        write_witnesses(Path(arguments.witnesses), ())


def _carried_out(
    checks: Sequence[Check], profile: AuditProfile, arguments: argparse.Namespace
) -> tuple[dict[str, Evidence], bool]:
    """The evidence of the checks that finished, and whether somebody interrupted them."""
    from bufalu.properties.audit.running import run_checks

    finished: dict[str, Evidence] = {}
    with Progress(len(checks), "checks") as progress:
        try:
            for name, evidence in run_checks(checks, profile, arguments.workers, own=bool(arguments.claims)):
                finished[name] = evidence
                progress.update(len(finished), name)
        except KeyboardInterrupt:
            return finished, True
    return finished, False


def _write(
    arguments: argparse.Namespace,
    outcome: AuditReport,
    objects: Callable[[], list[dict[str, object]]],
    changed: list[Change] | None,
) -> None:
    """Writes the files that were asked for."""
    if arguments.out is not None:
        write_whole(arguments.out, json.dumps(objects(), indent=1, ensure_ascii=False) + "\n")
    if arguments.html is not None:
        from bufalu.pages.report import report_page
        from bufalu.pages.report_extras import read_figures
        from bufalu.properties.claims.source import read_source
        from bufalu.properties.mutants.shipped_matrix import shipped_matrix

        figures = [] if arguments.figures is None else read_figures(Path(arguments.figures))
        source = [] if arguments.paper is None else read_source(Path(arguments.paper))
        page = report_page(outcome, shipped_matrix(), figures, f"bufalu {__version__}", changed, source=source)
        write_whole(arguments.html, page)


def list_claims(claims: Sequence[Claim], *, as_json: bool) -> int:
    """Prints what the claims say, and where."""
    from bufalu.pages.audit_text import listed
    from bufalu.properties.audit.files import statement_object

    if as_json:
        print(json.dumps([statement_object(claim) for claim in claims], indent=1, ensure_ascii=False))
    else:
        show(listed(claims))
    return 0


def _print_json(objects: list[dict[str, object]], changed: list[Change] | None) -> None:
    """The claims, and with a baseline what has changed."""
    if changed is None:
        print(json.dumps(objects, indent=1, ensure_ascii=False))
        return
    told = [
        {"claim": each.claim, "change": each.kind.value, "before": each.before, "after": each.after}
        for each in changed
    ]
    print(json.dumps({"claims": objects, "changes": told}, indent=1, ensure_ascii=False))


def _print(arguments: argparse.Namespace, outcome: AuditReport, changed: list[Change] | None) -> None:
    """The verdicts for a person."""
    from bufalu.pages.audit_text import changed_lines, details, summary, table

    show(details(outcome, width(120)) if len(outcome.results) <= DETAILED else table(outcome, width(200)))
    show(summary(outcome))
    if changed is not None:
        show(changed_lines(changed, arguments.baseline))

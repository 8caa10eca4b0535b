"""Runs the checks and gives every claim its verdict."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import time
import traceback
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path

from bufalu.oracle.processes import end_with_parent
from bufalu.properties.audit.collecting import Collection, collect, is_missing_package
from bufalu.properties.claims import Claim, Standing, all_claims, combined, standing
from bufalu.properties.claims.evidence import AuditProfile, Check, Evidence, EvidenceKind, Verdict, Witness
from bufalu.properties.claims.registered import registered_checks
from bufalu.properties.claims.shared_work import processor_seconds, take_shared_work

SLOW_FIRST = (
    EvidenceKind.COQ,
    EvidenceKind.MONTE_CARLO,
    EvidenceKind.EXACT_LAW,
    EvidenceKind.CODE_PATHS,
    EvidenceKind.GENERATED,
    EvidenceKind.SMT,
)
"""Kinds of checks that are started before the others, so that two processes finish together."""

UNFINISHED = "unfinished"
"""What stands in the place of the checks of a claim that did not finish."""


@dataclass(frozen=True)
class ClaimResult:
    """A claim, its evidence by check name, and its verdict."""

    claim: Claim
    evidence: tuple[tuple[str, Evidence], ...]

    @property
    def verdict(self) -> Verdict:
        """Bad news first, then the strongest good news."""
        return combined([evidence.verdict for _, evidence in self.evidence])

    @property
    def standing(self) -> Standing:
        """How the verdict compares with the one recorded in the registry."""
        return standing([evidence for _, evidence in self.evidence], self.claim.expected)

    @property
    def cut_off(self) -> bool:
        """Whether it lacks nothing but checks that the end of the audit cut off."""
        failed = [name for name, evidence in self.evidence if evidence.failed]
        return failed == [UNFINISHED]

    @property
    def absent(self) -> tuple[str, ...]:
        """Why evidence for this claim could not be gathered, without repetition."""
        missing = [evidence.detail for _, evidence in self.evidence if evidence.verdict is Verdict.NOT_RUN]
        return tuple(dict.fromkeys(missing))

    @property
    def leading(self) -> Evidence | None:
        """The evidence that gives the verdict."""
        for _, evidence in self.evidence:
            if evidence.verdict is self.verdict:
                return evidence
        return None

    @property
    def witness(self) -> Witness | None:
        """The first witness among the evidence, that of the leading evidence if it has one."""
        if self.leading is not None and self.leading.witness is not None:
            return self.leading.witness
        return next((evidence.witness for _, evidence in self.evidence if evidence.witness is not None), None)


@dataclass(frozen=True)
class AuditReport:
    """The outcome of an audit: a result for every claim asked for, in the registry's order."""

    results: tuple[ClaimResult, ...]
    profile: AuditProfile
    missing: dict[str, str]
    seconds: float
    folder: str | None = None
    """Where the witnesses' files have been written, if anywhere."""
    options: str = ""
    """What else `bufalu audit` was given, for the commands that run it again."""

    def replay(self, result: ClaimResult, witness: Witness) -> str:
        """The command that replays a witness of this claim, as it can be typed."""
        rerun = f"bufalu audit{self.options} --only {result.claim.id}{self.profile.options}"
        if witness.filename is None and self.options and self.options not in witness.command:
            return witness.command.replace("bufalu audit", f"bufalu audit{self.options}", 1)
        return witness.replay(rerun, self.folder)

    @property
    def holds(self) -> bool:
        """Whether nothing contradicts the record and every check did its work; tools may be missing."""
        return bool(self.results) and not self.standing_at(Standing.MISSED) and not self.standing_at(Standing.FAILED)

    @property
    def complete(self) -> bool:
        """Whether every claim reached its recorded verdict."""
        return self.holds and not self.standing_at(Standing.BELOW)

    def standing_at(self, standing: Standing) -> tuple[ClaimResult, ...]:
        """The claims of this standing."""
        return tuple(result for result in self.results if result.standing is standing)

    def why_below(self) -> dict[str, int]:
        """The reasons why claims stand below their recorded verdict, with how many claims each holds down."""
        reasons: dict[str, int] = {}
        for result in self.standing_at(Standing.BELOW):
            for reason in result.absent:
                reasons[reason] = reasons.get(reason, 0) + 1
        return reasons

    def check_seconds(self) -> dict[str, float]:
        """Processor seconds by check, each once however many claims it speaks for, longest first."""
        found = {name: evidence.seconds for result in self.results for name, evidence in result.evidence}
        return dict(sorted(found.items(), key=lambda each: -each[1]))

    def shared_seconds(self) -> dict[str, float]:
        """Processor seconds of what was done once for several checks, by what it was."""
        checks = {name: evidence for result in self.results for name, evidence in result.evidence}
        found: dict[str, float] = {}
        for evidence in checks.values():
            for work in evidence.shared:
                found[work.name] = found.get(work.name, 0.0) + work.seconds
        return found

    def count(self, verdict: Verdict) -> int:
        """How many claims have this verdict."""
        return sum(result.verdict is verdict for result in self.results)


def kinds_of_evidence(results: Iterable[ClaimResult]) -> tuple[EvidenceKind, ...]:
    """The kinds of evidence that occur in these results, in the order of the Enum; what did not run is no evidence."""
    found = {
        evidence.kind
        for result in results
        for _, evidence in result.evidence
        if evidence.verdict is not Verdict.NOT_RUN
    }
    return tuple(kind for kind in EvidenceKind if kind in found and kind is not EvidenceKind.NOTHING)


def audit(
    claims: Sequence[Claim] | None = None,
    profile: AuditProfile | None = None,
    workers: int = 1,
    collection: Collection | None = None,
) -> AuditReport:
    """Runs every check that speaks for one of the claims, by default of all that are known, and reports.

    `run_checks` gives results as they come.
    """
    claims = all_claims() if claims is None else claims
    profile = profile or AuditProfile()
    collection = collection or collect()
    start = time.monotonic()
    own = bool(registered_checks())
    finished = dict(run_checks(chosen_checks(collection, claims), profile, workers, own=own))
    return report(claims, collection, finished, profile, time.monotonic() - start)


def chosen_checks(collection: Collection, claims: Iterable[Claim]) -> tuple[Check, ...]:
    """The checks that speak for at least one of these claims, those that take long first."""
    wanted = {claim.id for claim in claims}
    return slow_first(check for check in collection.checks if wanted.intersection(check.claims))


def slow_first(checks: Iterable[Check]) -> tuple[Check, ...]:
    """The checks in the order in which they are started: those that take long first."""
    return tuple(sorted(checks, key=lambda check: SLOW_FIRST.index(check.kind) if check.kind in SLOW_FIRST else 99))


def report(
    claims: Iterable[Claim],
    collection: Collection,
    finished: dict[str, Evidence],
    profile: AuditProfile,
    seconds: float,
) -> AuditReport:
    """Sorts finished evidence by claim. A claim whose checks have not finished is NOT RUN."""
    return AuditReport(
        tuple(_result(claim, collection, finished) for claim in claims), profile, collection.missing, seconds
    )


def _result(claim: Claim, collection: Collection, finished: dict[str, Evidence]) -> ClaimResult:
    """The evidence of a claim, with a note on what could not be gathered: unfinished checks, sources not loaded."""
    checks = collection.speaking_for(claim.id)
    evidence = [(check.name, finished[check.name]) for check in checks if check.name in finished]
    unfinished = [check.name for check in checks if check.name not in finished]
    if unfinished:
        detail = f"did not finish: {', '.join(unfinished)}"
        stopped = Evidence(EvidenceKind.NOTHING, Verdict.NOT_RUN, detail, failed=True)
        evidence.append((UNFINISHED, stopped))
    result = ClaimResult(claim, tuple(evidence))
    if collection.missing and (not evidence or result.standing is Standing.MISSED):
        # A source that could not be loaded may have held the stronger evidence, or all of it.
        reasons = "; ".join(f"{source}: {reason}" for source, reason in collection.missing.items())
        note = ("sources", Evidence(EvidenceKind.NOTHING, Verdict.NOT_RUN, f"not collected: {reasons}"))
        result = replace(result, evidence=(*result.evidence, note))
    return result


def run_checks(
    checks: Sequence[Check], profile: AuditProfile, workers: int = 1, *, own: bool = False
) -> Iterator[tuple[str, Evidence]]:
    """Evidence by check name, as it comes. Stopping the iteration stops the processes.

    `own` says that some checks are a user's own, which the audit cannot load again by name.
    """
    # Forked workers inherit the loaded checks; elsewhere they load the audit's own again by name, and what a user
    # brought along cannot be sent to them.
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    if workers <= 1 or len(checks) <= 1 or (own and method == "spawn"):
        for check in checks:
            yield check.name, examine(check, profile)
        return
    context = multiprocessing.get_context(method)
    others = set(multiprocessing.active_children())
    _KNOWN.update({check.name: check for check in checks})
    parent = (os.getpid(),)
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_serve, initargs=parent) as executor:
        try:
            bundles = {
                executor.submit(_examine_named, [check.name for check in bundle], profile): bundle
                for bundle in _bundles(checks)
            }
            pending = set(bundles)
            while pending:
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                for future in done:
                    yield from _outcome(future, bundles[future])
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                if process not in others:
                    process.terminate()
            raise


def _outcome(future: Future[list[tuple[str, Evidence]]], bundle: Iterable[Check]) -> list[tuple[str, Evidence]]:
    """What a bundle found; if its process died, that is a failure of each of its checks."""
    try:
        return future.result()
    except BrokenExecutor as problem:
        died = f"the process that ran the check died: {problem}"
        return [(check.name, Evidence(check.kind, Verdict.NOT_RUN, died, failed=True)) for check in bundle]


def examine(check: Check, profile: AuditProfile) -> Evidence:
    """Runs one check and takes its processor seconds, without those of work that it shares with others.

    A missing package is NOT RUN. A check that breaks, whatever the reason, fails the audit: a claim must not look fine
    because its check fell over.
    """
    start = processor_seconds()
    take_shared_work()
    try:
        evidence = check.run(profile)
    except Exception as problem:
        if isinstance(problem, ImportError) and is_missing_package(problem):
            evidence = Evidence(check.kind, Verdict.NOT_RUN, f"needs what is not installed: {problem}")
        else:
            broke = f"the check broke: {type(problem).__name__}: {problem} ({_where(problem)})"
            evidence = Evidence(check.kind, Verdict.NOT_RUN, broke, failed=True)
    shared = take_shared_work()
    own = processor_seconds() - start - sum(work.seconds for work in shared)
    return replace(evidence, seconds=max(own, 0.0), shared=shared)


def _where(problem: BaseException) -> str:
    """The line that raised it: the user's own, if one of theirs is among those that led there."""
    frames = traceback.extract_tb(problem.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith((_HERE, sys.prefix, sys.base_prefix, "<"))]
    frame = own[-1] if own else frames[-1]
    return f"{Path(frame.filename).name}, line {frame.lineno}"


_HERE = str(Path(__file__).resolve().parents[2])
"""Where the rooms are; what lies elsewhere, and is not installed, is the user's."""

_KNOWN: dict[str, Check] = {}
"""Checks by name. Forked workers inherit what the parent was asked to run; others load the audit's own again."""


def _named(name: str) -> Check:
    if name not in _KNOWN:
        _KNOWN.update({check.name: check for check in collect().checks})
    return _KNOWN[name]


def _bundles(checks: Iterable[Check]) -> list[list[Check]]:
    """Checks of one group together, all others alone, in the given order."""
    bundles: dict[str, list[Check]] = {}
    for check in checks:
        bundles.setdefault(check.group or f"check {check.name}", []).append(check)
    return list(bundles.values())


def _examine_named(names: Sequence[str], profile: AuditProfile) -> list[tuple[str, Evidence]]:
    return [(name, examine(_named(name), profile)) for name in names]


def _serve(parent: int) -> None:
    """Ctrl-C is for the parent, which ends its workers; being ended needs no last words here.

    A worker also ends with its parent: one that is interrupted while it starts its workers may not know them all. The
    search for garbage leaves out what is loaded by now, and is rarer: that saves a twelfth of the time.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end_with_parent(parent)

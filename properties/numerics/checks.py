"""Evidence from the numerical section: the tables, the deterministic illustration and the budget sweep as checks."""

from __future__ import annotations

from functools import cache, partial

from bufalu.experiments.engine.compiled import AVAILABLE
from bufalu.experiments.paper.deterministic import deterministic_runs
from bufalu.experiments.paper.verdicts import STATEMENT_CLAIMS, NumericEvidence, quick_evidence, row_claims
from bufalu.properties.claims import combined
from bufalu.properties.claims.evidence import AuditProfile, Check, Evidence, EvidenceKind, Verdict, Witness
from bufalu.properties.claims.shared_work import shared_work

QUICK_SEEDS = 20
FULL_SEEDS = 400
"""Seeds for each row of the tables; `bufalu reproduce` runs all thousand."""

MONTE_CARLO, DETERMINISTIC = EvidenceKind.MONTE_CARLO, EvidenceKind.ENGINE_RUN
MISSING = "needs numba: pip install 'bufalu[experiments]'"

UNIQUE_QUERIES = {"bufalu": (62, 62), "bufau": (17, 21845), "greedy": (17, 43673), "cbm-ucb": (17, 21845)}
"""Queries of the arms 0 and 1 by T = 100,000 with epsilon(t) = t^(-1/4), ties to the smaller arm number."""

MULTIPLE_QUERIES = {"bufalu": 43706, "bufau": 43706, "greedy": 65535, "cbm-ucb": 43707}
"""Queries of all arms on (0, 1, 1)."""


@cache
def _numbers(seeds: int) -> dict[str, list[NumericEvidence]]:
    """Every row and statement by claim, computed once in a process; a claim may have several statements."""
    records: dict[str, list[NumericEvidence]] = {}
    with shared_work("the runs of the numerical section, with compiling the engine"):
        found = quick_evidence(seeds)
    for record in found:
        records.setdefault(record.claim, []).append(record)
    return records


def claim_evidence(claim: str, profile: AuditProfile) -> Evidence:
    """What the runs say for one row or statement."""
    kind = DETERMINISTIC if claim.startswith("deterministic.") else MONTE_CARLO
    if not AVAILABLE:
        return Evidence(kind, Verdict.NOT_RUN, MISSING)
    records = _numbers(FULL_SEEDS if profile.full else QUICK_SEEDS)[claim]
    verdict = combined([Verdict(record.verdict) for record in records])
    detail = "; ".join(part for record in records for part in (record.figures, record.reason) if part)
    if kind is MONTE_CARLO:
        detail += f"; {records[0].seeds} seeds, where the paper has 1,000"
    witness = None
    if verdict in (Verdict.ERRATUM, Verdict.REFUTED):
        witness = Witness(detail, f"bufalu audit --only {claim}")
    scores = [abs(record.z) for record in records if record.z is not None]
    slack = f"|z| {max(scores):.2f}" if scores else None
    return Evidence(kind, verdict, detail, records[0].seeds or None, slack=slack, witness=witness)


def deterministic_evidence(optimum: str, profile: AuditProfile) -> Evidence:
    """The exact counts of the deterministic illustration against the recorded ones."""
    if not AVAILABLE:
        return Evidence(DETERMINISTIC, Verdict.NOT_RUN, MISSING)
    runs = {run.policy: run for run in deterministic_runs() if run.optimum == optimum}
    if optimum == "unique":
        holds = {policy: run.queries for policy, run in runs.items()} == UNIQUE_QUERIES
    else:
        holds = {policy: run.all_queries for policy, run in runs.items()} == MULTIPLE_QUERIES
    holds = holds and [runs[policy].regret for policy in ("bufau", "greedy", "cbm-ucb")] == [17, 17, 17]
    detail = "; ".join(f"{policy}: regret {run.regret}, {run.all_queries:,} queries" for policy, run in runs.items())
    return Evidence(DETERMINISTIC, Verdict.EXACT if holds else Verdict.REFUTED, detail, len(runs))


def checks() -> tuple[Check, ...]:
    """One check for each row and statement, and the corrected deterministic counts."""
    numeric = [
        Check(f"numerics.{claim}", (claim,), MONTE_CARLO, partial(claim_evidence, claim))
        for claim in (*row_claims(), *STATEMENT_CLAIMS)
    ]
    corrected = [
        Check(
            f"numerics.deterministic_counts_with_{optimum}_optimum",
            (claim,),
            DETERMINISTIC,
            partial(deterministic_evidence, optimum),
        )
        for optimum, claim in (
            ("unique", "deterministic.query_ratio.corrected"),
            ("multiple", "deterministic.same_when_multiple.corrected"),
        )
    ]
    return (*numeric, *corrected)

"""Evidence from the numerical section: the tables, the deterministic illustration and the budget sweep as checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial

from bufalu.experiments.engine.compiled import AVAILABLE
from bufalu.experiments.paper.deterministic import deterministic_runs
from bufalu.experiments.paper.verdicts import STATEMENT_CLAIMS, NumericEvidence, quick_evidence, row_claims
from bufalu.properties.claims import combined
from bufalu.properties.claims.check import check
from bufalu.properties.claims.evidence import AuditProfile, Evidence, EvidenceKind, Verdict, Witness
from bufalu.properties.claims.shared_work import shared_work

QUICK_SEEDS = 20
FULL_SEEDS = 400
"""Seeds for each row of the tables; `bufalu reproduce` runs all thousand."""

MONTE_CARLO, DETERMINISTIC = EvidenceKind.MONTE_CARLO, EvidenceKind.ENGINE_RUN
MISSING = "needs numba: pip install numba"

QUERIES: Mapping[str, Mapping[str, object]] = {
    "unique": {"bufalu": (62, 62), "bufau": (17, 21845), "greedy": (17, 43673), "cbm-ucb": (17, 21845)},
    "multiple": {"bufalu": 43706, "bufau": 43706, "greedy": 65535, "cbm-ucb": 43707},
}
"""Queries by T = 100,000 with epsilon(t) = t^(-1/4), ties to the smaller arm number: of each of the arms 0 and 1, and of
all arms together on (0, 1, 1).
"""


@cache
def _numbers(seeds: int) -> dict[str, list[NumericEvidence]]:
    """Every row and statement by claim, computed once in a process; a claim may have several statements."""
    records: dict[str, list[NumericEvidence]] = {}
    with shared_work("the runs of the numerical section, with compiling the engine"):
        found = quick_evidence(seeds)
    for record in found:
        records.setdefault(record.claim, []).append(record)
    return records


def claim_evidence(
    claim: str, profile: AuditProfile, numbers: Callable[[int], Mapping[str, Sequence[NumericEvidence]]] | None = None
) -> Evidence:
    """What the runs say for one row or statement; `numbers` gives what was computed of all of them."""
    kind = DETERMINISTIC if claim.startswith("deterministic.") else MONTE_CARLO
    if not AVAILABLE:
        return Evidence(kind, Verdict.NOT_RUN, MISSING)
    records = (numbers or _numbers)(FULL_SEEDS if profile.full else QUICK_SEEDS)[claim]
    verdict = combined([Verdict(record.verdict) for record in records])
    detail = "; ".join(part for record in records for part in (record.figures, record.reason) if part)
    if kind is MONTE_CARLO:
        detail += f"; {records[0].seeds} seeds, where the paper has 1,000"
    witness = None
    if verdict in (Verdict.ERRATUM, Verdict.REFUTED):
        witness = Witness(detail, f"bufalu audit --only {claim}")
    scores = [abs(record.z) for record in records if record.z is not None]
    slack = f"{max(scores):.2f} standard errors" if scores else None
    return Evidence(kind, verdict, detail, records[0].seeds or None, slack=slack, witness=witness)


def deterministic_evidence(
    optimum: str, profile: AuditProfile, recorded: Mapping[str, object] | None = None
) -> Evidence:
    """The exact counts of the deterministic illustration against the recorded ones."""
    if not AVAILABLE:
        return Evidence(DETERMINISTIC, Verdict.NOT_RUN, MISSING)
    runs = {run.policy: run for run in deterministic_runs() if run.optimum == optimum}
    counted = {policy: run.queries if optimum == "unique" else run.all_queries for policy, run in runs.items()}
    holds = counted == (recorded or QUERIES[optimum])
    holds = holds and [runs[policy].regret for policy in ("bufau", "greedy", "cbm-ucb")] == [17, 17, 17]
    detail = "; ".join(f"{policy}: regret {run.regret}, {run.all_queries:,} queries" for policy, run in runs.items())
    return Evidence(DETERMINISTIC, Verdict.EXACT if holds else Verdict.REFUTED, detail, len(runs))


def _register(claim: str) -> None:
    """The check of one row of the tables or statement of the text."""
    refuted = NumericEvidence(claim, 0, Verdict.REFUTED.value, "another number", "it does not agree", QUICK_SEEDS)
    mutants = {"a number that does not agree": {"numbers": lambda seeds: {claim: [refuted]}}}
    register = check(claim, kind=MONTE_CARLO, name=f"numerics.{claim}", mutants=mutants)
    register(partial(claim_evidence, claim))


for _claim in (*row_claims(), *STATEMENT_CLAIMS):
    _register(_claim)

check(
    "deterministic.query_ratio.corrected",
    kind=DETERMINISTIC,
    name="numerics.deterministic_counts_with_unique_optimum",
    mutants={"one query more": {"recorded": {**QUERIES["unique"], "bufalu": (62, 63)}}},
)(partial(deterministic_evidence, "unique"))
check(
    "deterministic.same_when_multiple.corrected",
    kind=DETERMINISTIC,
    name="numerics.deterministic_counts_with_multiple_optimum",
    mutants={"one query less": {"recorded": {**QUERIES["multiple"], "bufalu": 43705}}},
)(partial(deterministic_evidence, "multiple"))

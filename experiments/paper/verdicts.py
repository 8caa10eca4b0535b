"""What the numerical section says for the claims of the paper, in the words of the audit."""

from __future__ import annotations

from dataclasses import dataclass

from bufalu.experiments.engine.compiled import AVAILABLE
from bufalu.experiments.paper.budget_effect import budget_points, cells
from bufalu.experiments.paper.deterministic import deterministic_runs
from bufalu.experiments.paper.paper_studies import budget_study, tables_study
from bufalu.experiments.paper.printed import paper_rows
from bufalu.experiments.paper.results import Results, part_of
from bufalu.experiments.paper.statistics import FALSE_ALARM
from bufalu.experiments.paper.tables import TableRow, table_rows, table_threshold
from bufalu.experiments.paper.text_numbers import (
    PrintedNumber,
    budget_statements,
    deterministic_statements,
    table_statements,
)
from bufalu.experiments.studies.running import run_study

STATEMENT_CLAIMS = (
    "deterministic.query_ratio",
    "deterministic.regret_factor",
    "deterministic.break_even",
    "deterministic.query_cap",
    "deterministic.same_when_multiple",
    "tables.factor_three",
    "tables.factor_four",
    "tables.one_twentieth",
    "tables.limited_below_unlimited",
    "tables.always_asked",
    "tables.same_when_multiple",
    "tables.schedules_alike",
    "tables.greedy_is_ucb",
    "budget_effect.minimum",
    "budget_effect.factor",
    "budget_effect.fewer_queries",
    "budget_effect.small_budgets",
    "budget_effect.same_when_multiple",
    "kl_ucb.suggestion",
)
"""The numbers of the running text that get a verdict, by claim id; the rows of the tables are `row_claims()`."""


@dataclass(frozen=True)
class NumericEvidence:
    """A verdict for one claim: `figures` for a person, `z` the largest score behind it (None: nothing random)."""

    claim: str
    line: int
    verdict: str
    figures: str
    reason: str
    seeds: int
    z: float | None = None


def row_claims() -> tuple[str, ...]:
    """The claim ids of the 24 rows."""
    return tuple(row.claim for row in paper_rows())


def table_evidence(results: Results) -> list[NumericEvidence]:
    """One record for every row and statement of a reproduction; what was not computed is not in the list."""
    limit = table_threshold(results.tables)
    found = [row_evidence(row, limit) for row in results.tables]
    for statement in results.statements:
        found.append(
            NumericEvidence(
                statement.claim,
                statement.line,
                statement.verdict,
                f"printed: {statement.printed}; ours: {statement.ours}",
                statement.reason,
                results.budget[0].seeds if part_of(statement.claim) == "budget" else results.seeds,
                statement.z,
            )
        )
    return found


def row_evidence(row: TableRow, limit: float) -> NumericEvidence:
    """The eight figures of a row: REPRODUCED if none is further off than the declared false-alarm rate allows."""
    worst = row.worst
    figures = ", ".join(
        f"{name} {ours.mean:.2f} (printed {paper['mean'].value:g})"
        for name, ours, paper in (
            ("regret", row.regret, row.paper.regret),
            ("queries", row.queries, row.paper.queries),
        )
    )
    return NumericEvidence(
        row.paper.claim,
        row.paper.line,
        "REPRODUCED" if row.reproduced(limit) else "REFUTED",
        figures,
        f"largest |z| {abs(worst.z):.2f} ({worst.quantity} {worst.statistic}) of 8 figures, {limit:.2f} allowed "
        f"(false alarm {FALSE_ALARM:g} for the suite)",
        row.seeds,
        worst.z,
    )


def quick_evidence(seeds: int = 100) -> list[NumericEvidence]:
    """Every row and statement with fewer seeds, for the audit's quick profile; NOT RUN for all without numba."""
    if not AVAILABLE:
        return [not_run(claim, 0) for claim in (*row_claims(), *STATEMENT_CLAIMS)]
    return table_evidence(quick_results(seeds))


def quick_results(seeds: int) -> Results:
    """Tables, deterministic instances and the budget sweep, without curves and figures."""
    results = Results(seeds)
    results.tables = table_rows(run_study(tables_study(seeds)))
    results.deterministic = deterministic_runs()
    results.budget = budget_points(run_study(budget_study(max(seeds, 500))))
    results.statements = all_statements(results)
    return results


def all_statements(results: Results) -> list[PrintedNumber]:
    """The statements of the text that the finished parts can answer."""
    found = deterministic_statements() if results.deterministic else []
    if len(results.tables) == len(paper_rows()):
        found += table_statements(results.tables)
    if len(results.budget) == len(cells()):
        found += budget_statements(results.budget)
    return found


def not_run(claim: str, line: int) -> NumericEvidence:
    """A claim whose runs need something that is not installed."""
    return NumericEvidence(claim, line, "NOT RUN", "", "needs numba: pip install numba", 0)

"""The three tables of l.1464-1634: 4 policies, 2 instances, 3 schedules, eight figures each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bufalu.experiments.paper.paper_studies import counts_of_cell
from bufalu.experiments.paper.printed import SEEDS, PaperRow, paper_rows
from bufalu.experiments.paper.statistics import Comparison, TableStatistics, compare, summary, threshold
from bufalu.experiments.studies.counts import Counts
from bufalu.experiments.studies.running import StudyRuns


@dataclass(frozen=True)
class TableRow:
    """A printed row with our figures for it."""

    paper: PaperRow
    seeds: int
    regret: TableStatistics
    queries: TableStatistics
    comparisons: tuple[Comparison, ...]
    resolved: int

    def reproduced(self, limit: float) -> bool:
        """Whether no figure of the row is further off than `limit` standard errors."""
        return all(abs(comparison.z) <= limit for comparison in self.comparisons)

    @property
    def worst(self) -> Comparison:
        """The figure that is furthest off."""
        return max(self.comparisons, key=lambda comparison: abs(comparison.z))


def table_rows(runs: StudyRuns) -> list[TableRow]:
    """The printed rows against a finished `tables_study`."""
    return [measured(row, counts_of_cell(runs, row.optimum, row.schedule, row.policy)) for row in paper_rows()]


def measured(row: PaperRow, counts: Counts) -> TableRow:
    """A printed row against our runs at the horizon."""
    regrets, queries = counts.final_regret, counts.final_queries.astype(float)
    comparisons = compare("regret", regrets, row.regret, SEEDS) + compare("queries", queries, row.queries, SEEDS)
    return TableRow(row, regrets.size, summary(regrets), summary(queries), tuple(comparisons), counts.resolved)


def table_threshold(rows: Sequence[TableRow]) -> float:
    """The |z| allowed to each random figure, so that together they raise a false alarm at most once in 1,000 runs."""
    return threshold(sum(not c.deterministic for row in rows for c in row.comparisons))

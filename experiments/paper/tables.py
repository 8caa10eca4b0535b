"""The three tables of l.1464-1634: 4 policies, 2 instances, 3 schedules, eight figures each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from bufalu.experiments.engine.parallel import Interrupted, Job, run_jobs
from bufalu.experiments.engine.running import Configuration, SeedResults, regret
from bufalu.experiments.paper.printed import HORIZON, SEEDS, PaperRow, paper_rows
from bufalu.experiments.paper.statistics import Comparison, Summary, compare, summary, threshold
from bufalu.reference.schedules import parse_schedule


@dataclass(frozen=True)
class TableRow:
    """A printed row with our figures for it."""

    paper: PaperRow
    seeds: int
    regret: Summary
    queries: Summary
    comparisons: tuple[Comparison, ...]
    resolved: int

    def reproduced(self, limit: float) -> bool:
        """Whether no figure of the row is further off than `limit` standard errors."""
        return all(abs(comparison.z) <= limit for comparison in self.comparisons)

    @property
    def worst(self) -> Comparison:
        """The figure that is furthest off."""
        return max(self.comparisons, key=lambda comparison: abs(comparison.z))


def table_jobs(seeds: int, rows: Iterable[PaperRow] | None = None) -> list[Job]:
    """The work behind the rows; the same seeds for all, so that policies are compared on the same rewards."""
    return [
        Job(Configuration(row.policy, row.instance, parse_schedule(row.schedule), HORIZON), range(seeds))
        for row in (paper_rows() if rows is None else rows)
    ]


def table_rows(
    seeds: int, executor: Executor | None = None, report: Callable[[int], None] | None = None
) -> list[TableRow]:
    """All rows; raises `Interrupted` on Ctrl-C (see `finished_rows`)."""
    outcomes = run_jobs(table_jobs(seeds), executor, report)
    return [measured(row, outcome) for row, outcome in zip(paper_rows(), outcomes, strict=True)]


def finished_rows(interruption: Interrupted) -> list[TableRow]:
    """The rows that were complete when a run of the tables was interrupted."""
    return [
        measured(row, outcome)
        for row, outcome in zip(paper_rows(), interruption.outcomes, strict=True)
        if outcome is not None
    ]


def measured(row: PaperRow, outcome: SeedResults) -> TableRow:
    """A printed row against the counts of our runs at the horizon."""
    regrets = regret(row.instance, outcome.plays[-1])
    queries = outcome.queries[-1].sum(axis=1).astype(float)
    comparisons = compare("regret", regrets, row.regret, SEEDS) + compare("queries", queries, row.queries, SEEDS)
    return TableRow(row, regrets.size, summary(regrets), summary(queries), tuple(comparisons), outcome.resolved)


def table_threshold(rows: Sequence[TableRow]) -> float:
    """The |z| allowed to each random figure, so that together they raise a false alarm at most once in 1,000 runs."""
    return threshold(sum(not c.deterministic for row in rows for c in row.comparisons))

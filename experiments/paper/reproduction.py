"""One reproduction: the parts that were asked for, their work, and what is finished when it is interrupted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from pathlib import Path

from bufalu.experiments.engine.compiled import require
from bufalu.experiments.engine.errors import OutsideEngine
from bufalu.experiments.engine.parallel import Interrupted, Job, processes, run_jobs
from bufalu.experiments.engine.running import SeedResults
from bufalu.experiments.paper import budget_effect as budget
from bufalu.experiments.paper import curves, tables
from bufalu.experiments.paper.deterministic import deterministic_runs
from bufalu.experiments.paper.power import interval_jobs, interval_records, variant_power, variant_rounds
from bufalu.experiments.paper.printed import paper_rows
from bufalu.experiments.paper.results import Results
from bufalu.experiments.paper.statistics import FEWEST_SEEDS
from bufalu.experiments.paper.verdicts import all_statements

SIDE_SHARE = 10
"""Power and the other intervals are measured with this many times fewer seeds."""


class Reproduction:
    """`part` is one of deterministic, tables, budget, figures, all. Raises `ExperimentsUnavailable` without numba,
    and `OutsideEngine` for fewer than FEWEST_SEEDS seeds.
    """

    def __init__(self, part: str, seeds: int) -> None:
        require()
        if seeds < FEWEST_SEEDS:
            raise OutsideEngine(f"comparisons need at least {FEWEST_SEEDS} seeds, not {seeds}")
        self.part = part
        self.seeds = seeds
        self.results = Results(seeds)
        self.found_curves: list[curves.Curve] = []
        self.interrupted = False
        self.missing: list[str] = []
        self._jobs: dict[str, list[Job]] = {}
        if self._wants("tables"):
            self._jobs["tables"] = tables.table_jobs(seeds)
            self._jobs["intervals"] = interval_jobs(self.side_seeds)
        if self._wants("budget") or part == "figures":
            self._jobs["budget"] = budget.budget_jobs(seeds)
        if self._wants("figures"):
            self._jobs["curves"] = curves.curve_jobs(seeds)

    @property
    def side_seeds(self) -> int:
        """Seeds of what stands beside the tables: the other intervals, and the power against variants."""
        return max(FEWEST_SEEDS, self.seeds // SIDE_SHARE)

    def _wants(self, part: str) -> bool:
        return self.part in (part, "all")

    @property
    def rounds(self) -> int:
        """All rounds of all seeds."""
        jobs = sum(job.rounds for jobs in self._jobs.values() for job in jobs)
        return jobs + (variant_rounds(self.side_seeds) if self._wants("tables") else 0)

    def run(self, workers: int, report: Callable[[int], None]) -> None:
        """Does the work on that many processes; after Ctrl-C, `interrupted` is set and `results` has what is done."""
        done = 0
        with processes(workers) as executor:
            try:
                if self._wants("deterministic"):
                    self.results.deterministic = deterministic_runs()
                for name, jobs in self._jobs.items():
                    self._keep(name, self._outcomes(name, jobs, executor, shifted(report, done)))
                    done += sum(job.rounds for job in jobs)
                if self._wants("tables"):
                    self.results.power = variant_power(self.side_seeds, executor, shifted(report, done))
            except (Interrupted, KeyboardInterrupt):
                self.interrupted = True
        self.results.statements = all_statements(self.results)

    def _outcomes(
        self, name: str, jobs: Sequence[Job], executor: Executor | None, report: Callable[[int], None]
    ) -> Sequence[SeedResults | None]:
        try:
            return run_jobs(jobs, executor, report)
        except Interrupted as interruption:
            self.missing.append(name)
            self._keep(name, interruption.outcomes)
            raise

    def _keep(self, name: str, outcomes: Sequence[SeedResults | None]) -> None:
        if name == "tables":
            pairs = zip(paper_rows(), outcomes, strict=True)
            self.results.tables = [tables.measured(row, outcome) for row, outcome in pairs if outcome is not None]
        elif name == "intervals":
            self.results.intervals = interval_records(outcomes)
        elif name == "budget":
            self.results.budget = budget.measured_points(outcomes)
        else:
            self.found_curves = curves.measured_curves(outcomes)
            self.results.curves = curves.curve_records(self.found_curves)

    def draw(self, folder: Path) -> list[Path]:
        """Draws the figures whose curves are finished; gives the files."""
        if not self._wants("figures") or self.interrupted:
            return []
        from bufalu.experiments.paper.figures import draw_figures

        return draw_figures(self.found_curves, self.results.budget, folder)


def shifted(report: Callable[[int], None], start: int) -> Callable[[int], None]:
    """`report` for work that begins after `start` rounds."""
    return lambda rounds: report(start + rounds)

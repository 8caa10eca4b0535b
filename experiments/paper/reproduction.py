"""One reproduction: the studies behind the parts that were asked for, run and kept like any other."""

from __future__ import annotations

from collections.abc import Callable

from bufalu.experiments.engine.compiled import require
from bufalu.experiments.engine.errors import OutsideEngine
from bufalu.experiments.paper.budget_effect import BudgetPoint, budget_points
from bufalu.experiments.paper.deterministic import measured_runs
from bufalu.experiments.paper.paper_studies import budget_study, deterministic_study, intervals_study, tables_study
from bufalu.experiments.paper.power import interval_records, power_pieces, variant_power
from bufalu.experiments.paper.results import Results
from bufalu.experiments.paper.statistics import FEWEST_SEEDS
from bufalu.experiments.paper.tables import table_rows
from bufalu.experiments.paper.verdicts import all_statements
from bufalu.experiments.studies.running import StudyRuns, Work, carried_out, planned
from bufalu.experiments.studies.store import PieceStore
from bufalu.experiments.studies.study import Study
from bufalu.experiments.studies.summary import StudySummary, summarised
from bufalu.experiments.studies.workers import Crew

SIDE_SHARE = 10
"""Power and the other intervals are measured with this many times fewer seeds."""

PARTS = ("deterministic", "tables", "budget", "figures")
STUDIES: dict[str, tuple[str, ...]] = {
    "deterministic": ("deterministic",),
    "tables": ("tables", "intervals"),
    "budget": ("budget",),
    "figures": ("deterministic", "tables", "budget"),
}
"""The studies that each part is made of."""


class Reproduction:
    """Some of PARTS, with `seeds` seeds where anything is random. Raises `ExperimentsUnavailable` without numba, and
    `OutsideEngine` for fewer than FEWEST_SEEDS seeds.
    """

    def __init__(self, parts: tuple[str, ...], seeds: int, store: PieceStore) -> None:
        require()
        if seeds < FEWEST_SEEDS:
            raise OutsideEngine(f"comparisons need at least {FEWEST_SEEDS} seeds, not {seeds}")
        self.parts = parts
        self.seeds = seeds
        self._store = store
        self.side_seeds = max(FEWEST_SEEDS, seeds // SIDE_SHARE)
        make: dict[str, Callable[[], Study]] = {
            "deterministic": deterministic_study,
            "tables": lambda: tables_study(seeds),
            "intervals": lambda: intervals_study(self.side_seeds),
            "budget": lambda: budget_study(seeds),
        }
        wanted = {name for part in parts for name in STUDIES[part]}
        self._runs = {name: StudyRuns(study(), store) for name, study in make.items() if name in wanted}

    def work(self) -> Work:
        """What is still to be done."""
        pieces = [piece for runs in self._runs.values() for piece in runs.work().pieces]
        if "tables" in self.parts:
            pieces += power_pieces(self.side_seeds)
        return planned(pieces, self._store)

    def run(self, crew: Crew, report: Callable[[int], None]) -> Results:
        """Does the work and compares; what is finished is kept whatever happens."""
        carried_out(self.work(), self._store, crew, report)
        results = Results(self.seeds)
        if "deterministic" in self.parts:
            results.deterministic = measured_runs(self._runs["deterministic"])
        if "tables" in self.parts:
            results.tables = table_rows(self._runs["tables"])
            results.intervals = interval_records(self._runs["intervals"])
            results.power = variant_power(self._store, self.side_seeds)
        if "budget" in self.parts:
            results.budget = budget_points(self._runs["budget"])
        results.statements = all_statements(results)
        return results

    def drawn(self) -> tuple[list[StudySummary], list[BudgetPoint]] | None:
        """What the figures show, if they were asked for."""
        if "figures" not in self.parts:
            return None
        summaries = [summarised(self._runs[name]) for name in ("deterministic", "tables")]
        return summaries, budget_points(self._runs["budget"])

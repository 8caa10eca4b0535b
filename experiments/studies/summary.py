"""The summary of a study: for each cell its spread over seeds, its curve, its bounds, and the paired differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from bufalu.experiments.engine.arrays import Floats, Integers
from bufalu.experiments.studies.checkpoints import checkpoints
from bufalu.experiments.studies.counts import Counts
from bufalu.experiments.studies.pieces import engine_refusal
from bufalu.experiments.studies.running import StudyRuns
from bufalu.experiments.studies.statistics import LEVEL, PairedDifference, Spread, difference, spread
from bufalu.experiments.studies.study import Cell, Study
from bufalu.experiments.studies.theorems import POINTS, BoundLine, LowerRates, bound_line_or_reason, lower_rates

BINS = 36
"""Bins of the histograms over seeds."""


@dataclass(frozen=True)
class CellSummary:
    """One cell. `path_reason` says why the engine did not play it, None if it did. `regret` and `queries` are at the
    horizon; the curves have one entry for each of `rounds`.

    `bounds` is a line or the reason why there is none. The fields with `against` compare with the first policy of the study
    on the same rewards, at the horizon and, in the curves, after each of `rounds`; None for that policy itself.
    """

    cell: Cell
    path: str
    path_reason: str | None
    seeds: int
    resolved: int
    regret: Spread
    queries: Spread
    rounds: tuple[int, ...]
    regret_curve: tuple[Spread, ...]
    queries_curve: tuple[Spread, ...]
    bounds: BoundLine | str
    lower: LowerRates
    regret_against_first: PairedDifference | None
    queries_against_first: PairedDifference | None
    regret_against_curve: tuple[PairedDifference, ...] | None
    queries_against_curve: tuple[PairedDifference, ...] | None
    final_regret: Floats
    final_queries: Integers

    @property
    def regret_bound(self) -> float | None:
        """The theorem's bound on the expected regret at the horizon."""
        return None if isinstance(self.bounds, str) else self.bounds.regret[-1]

    @property
    def queries_bound(self) -> float | None:
        """The theorem's bound on the expected queries at the horizon."""
        return None if isinstance(self.bounds, str) else self.bounds.queries[-1]

    @property
    def vacuous(self) -> tuple[str, ...]:
        """Of which quantities the bound at the horizon is no better than the trivial one, Delta_max T or T."""
        most = {"regret": self.cell.instance.largest_gap * self.cell.horizon, "queries": self.cell.horizon}
        bounds = {"regret": self.regret_bound, "queries": self.queries_bound}
        return tuple(name for name, bound in bounds.items() if bound is not None and bound >= most[name])

    @property
    def above_bound(self) -> tuple[str, ...]:
        """Of which quantities the whole interval of the mean is above the bound: what the bound supposes is then doubtful."""
        found = (("regret", self.regret.low, self.regret_bound), ("queries", self.queries.low, self.queries_bound))
        return tuple(name for name, low, bound in found if low is not None and bound is not None and low > bound)


@dataclass(frozen=True)
class StudySummary:
    """All cells in the order of the study. The intervals of all differences together cover at LEVEL."""

    study: Study
    cells: tuple[CellSummary, ...]
    difference_level: float

    def settings(self) -> list[tuple[CellSummary, ...]]:
        """The cells that differ in nothing but the policy, together."""
        return [tuple(group) for _, group in groupby(self.cells, key=lambda found: found.cell.setting)]

    @property
    def resolved(self) -> int:
        """Rounds that exact arithmetic decided."""
        return sum(found.resolved for found in self.cells)


def summarised(runs: StudyRuns, bound_points: int = POINTS) -> StudySummary:
    """The summary of a study whose runs are finished; a cell's curves are in memory at a time, and those of the first
    policy that it is compared with.

    Bounds have about `bound_points` points; 1 gives those at the horizon alone.
    """
    study = runs.study
    comparisons = 2 * len(study.cells()) * (len(study.policies) - 1) // len(study.policies)
    level = 1 - (1 - LEVEL) / max(1, comparisons)
    found: list[CellSummary] = []
    lower = {name: lower_rates(instance) for name, instance in study.instances.items()}
    first: tuple[tuple[object, ...], Counts] | None = None
    for cell in runs.cells:
        if first is not None and first[0] != cell.setting:
            first = None  # before the next curves come
        counts = runs.counts(cell)
        assert counts is not None, "a study is summarised when it is finished"
        # Copies, so that the curves of a cell go when the next one comes.
        regret, queries = counts.final_regret.copy(), counts.final_queries.copy()
        paired = first is not None
        theirs = counts if first is None else first[1]
        first = (cell.setting, theirs)
        rounds = checkpoints(cell.horizon, study.points)
        found.append(
            CellSummary(
                cell=cell,
                path=runs.paths[cell].name,
                path_reason=engine_refusal(cell),
                seeds=regret.size,
                resolved=counts.resolved,
                regret=spread(regret),
                queries=spread(queries),
                rounds=rounds,
                regret_curve=tuple(spread(row) for row in counts.regret),
                queries_curve=tuple(spread(row) for row in counts.queries),
                bounds=bound_line_or_reason(cell, rounds, bound_points),
                lower=lower[cell.instance_name],
                regret_against_first=difference(regret, theirs.final_regret, level) if paired else None,
                queries_against_first=difference(queries, theirs.final_queries, level) if paired else None,
                regret_against_curve=_differences(counts.regret, theirs.regret, level) if paired else None,
                queries_against_curve=_differences(counts.queries, theirs.queries, level) if paired else None,
                final_regret=regret,
                final_queries=queries,
            )
        )
        del counts, theirs
    return StudySummary(study, tuple(found), level)


def _differences(ours: Floats | Integers, theirs: Floats | Integers, level: float) -> tuple[PairedDifference, ...]:
    """The paired differences after each of the rounds."""
    return tuple(difference(mine, other, level) for mine, other in zip(ours, theirs, strict=True))


def histogram(cells: Sequence[CellSummary], quantity: str) -> tuple[Floats, list[list[int]]]:
    """Common bin edges for the cells of a setting, and how many seeds of each cell fall into each bin."""
    samples = [np.asarray(getattr(found, f"final_{quantity}"), np.float64) for found in cells]
    low, high = min(s.min() for s in samples), max(s.max() for s in samples)
    # The least and the most value lie in the middle of their bins, so that a bar stands around what it counts.
    half = (high - low) / (2 * (BINS - 1)) if low < high else 0.5
    edges: Floats = np.linspace(low - half, high + half, BINS + 1)
    return edges, [[int(n) for n in np.histogram(sample, edges)[0]] for sample in samples]

"""Running a study from end to end: its pieces, its statistics, and the folder in which everything is left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bufalu.experiments.studies.cluster import cluster_crew
from bufalu.experiments.studies.columns import parquet_library
from bufalu.experiments.studies.errors import InvalidStudy
from bufalu.experiments.studies.folder import StudyFolder, held
from bufalu.experiments.studies.running import StudyRuns, Work, carried_out
from bufalu.experiments.studies.store import Memory, PieceStore
from bufalu.experiments.studies.study import Study
from bufalu.experiments.studies.summary import StudySummary, summarised
from bufalu.experiments.studies.theorems import POINTS
from bufalu.experiments.studies.workers import Crew, crew
from bufalu.reference import arguments
from bufalu.reference.arguments import PathLike
from bufalu.reference.rationals import CountLike, shown, whole_number
from bufalu.reference.schedules import callable_with

Report = Callable[[Work, int], None]
"""Hears the work and how many of its missing rounds are done, first when nothing is."""

Shown = Callable[[StudySummary, Path], list[Path]]
"""Leaves what people look at of a finished study in its folder, and gives the files."""


@dataclass(frozen=True)
class FinishedStudy:
    """The runs of a finished study and their statistics, the files that it left, and the stored pieces that were not
    whole and were computed again.
    """

    runs: StudyRuns
    summary: StudySummary
    written: tuple[Path, ...] = ()
    damaged: tuple[str, ...] = ()


def compared(
    study: Study,
    *,
    out: PathLike | None,
    workers: CountLike,
    cluster: str | None,
    report: Report | None,
    show: Shown,
) -> FinishedStudy:
    """Runs a study and gives its results; with `out` everything is left in that folder, and what `show` makes of it.

    Raises `InvalidStudy` for what is no study and for a cluster with workers, `StudiesUnavailable` for a library that is
    missing, `UnusableFolder` for a folder that cannot be used, and what the study's cells raise.
    """
    if not isinstance(study, Study):
        raise InvalidStudy(f"study must be a Study, not {shown(study)}")
    workers = whole_number(workers, "workers", 1)
    # Absolute, lest a library take a colon in the name for a kind of address.
    place = None if out is None else Path(arguments.path(out, "out")).absolute()
    if cluster is not None and not isinstance(cluster, str):
        raise InvalidStudy(f"cluster must be the address of a Dask scheduler or local:N, not {shown(cluster)}")
    if report is not None:
        callable_with(report, 2, "report", InvalidStudy)
    if cluster is not None and workers != 1:
        raise InvalidStudy("give workers or cluster, not both: a cluster has workers of its own")
    with cluster_crew(cluster) if cluster is not None else crew(workers) as hands:
        if place is None:
            store = Memory()
            # Without pictures the bounds are wanted at the horizon alone.
            return FinishedStudy(*_finished(study, store, hands, report, bound_points=1))
        parquet_library()
        with held(place):
            folder = StudyFolder(place, study)
            runs, summary = _finished(study, folder.store, hands, report, POINTS)
            written = [*folder.write_numbers(runs, summary), *show(summary, folder.path)]
            return FinishedStudy(runs, summary, tuple(written), tuple(sorted(folder.store.damaged)))


def _finished(
    study: Study, store: PieceStore, hands: Crew, report: Report | None, bound_points: int
) -> tuple[StudyRuns, StudySummary]:
    runs = StudyRuns(study, store)
    work = runs.work()
    if report is not None:
        report(work, 0)
    carried_out(work, store, hands, None if report is None else lambda rounds: report(work, rounds))
    return runs, summarised(runs, bound_points)

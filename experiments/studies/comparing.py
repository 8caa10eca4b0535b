"""Running a study from end to end: its pieces, its statistics, and the folder in which everything is left."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

from bufalu.experiments.studies.cluster import cluster_crew
from bufalu.experiments.studies.columns import (
    Columns,
    all_seed_columns,
    pandas_frame,
    parquet_library,
    polars_frame,
    summary_columns,
)
from bufalu.experiments.studies.errors import InvalidStudy
from bufalu.experiments.studies.folder import StudyFolder, held
from bufalu.experiments.studies.pictures import draw_study
from bufalu.experiments.studies.report import study_text
from bufalu.experiments.studies.running import StudyRuns, Work, carried_out
from bufalu.experiments.studies.store import Memory, PieceStore, write_whole
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

Page = Callable[[StudySummary, list[Path]], str]
"""The page of a finished study with its pictures, as text."""


class StudyResults:
    """A finished study. `summary` holds its statistics, `written` the files that it left, `damaged` the stored pieces
    that were not whole and were computed again.
    """

    def __init__(self, runs: StudyRuns, summary: StudySummary) -> None:
        self._runs = runs
        self.summary = summary
        self.written: list[Path] = []
        self.damaged: list[str] = []

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        """The tables, for notebooks."""
        return f"<pre>{escape(self.text())}</pre>"

    def text(self) -> str:
        """The tables that `bufalu compare` prints."""
        return study_text(self.summary)

    def rows(self) -> Columns:
        """One row for each seed and cell, as named columns."""
        return all_seed_columns(self._runs)

    def cells(self) -> Columns:
        """One row for each cell, as named columns."""
        return summary_columns(self.summary)

    def pandas(self) -> Any:
        """`rows()` as a pandas frame; raises `StudiesUnavailable` without pandas."""
        return pandas_frame(self.rows())

    def polars(self) -> Any:
        """`rows()` as a polars frame; raises `StudiesUnavailable` without polars."""
        return polars_frame(self.rows())


def compared(
    study: Study,
    *,
    out: PathLike | None,
    workers: CountLike,
    cluster: str | None,
    report: Report | None,
    page: Page,
) -> StudyResults:
    """Runs a study and gives its results; with `out` everything is left in that folder, the page too.

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
        raise InvalidStudy("a cluster has its own workers: give one of the two")
    with cluster_crew(cluster) if cluster is not None else crew(workers) as hands:
        if place is None:
            store = Memory()
            # Without pictures the bounds are wanted at the horizon alone.
            return StudyResults(*_finished(study, store, hands, report, bound_points=1))
        parquet_library()
        with held(place):
            folder = StudyFolder(place, study)
            runs, summary = _finished(study, folder.store, hands, report, POINTS)
            done = StudyResults(runs, summary)
            done.written = folder.write_numbers(runs, summary)
            pictures = draw_study(summary, folder.path / "pictures")
            place_of_page = folder.path / "study.html"
            write_whole(place_of_page, page(summary, [path for path in pictures if path.suffix == ".svg"]).encode())
            done.written += [*pictures, place_of_page]
            done.damaged = sorted(folder.store.damaged)
            return done


def _finished(
    study: Study, store: PieceStore, hands: Crew, report: Report | None, bound_points: int
) -> tuple[StudyRuns, StudySummary]:
    runs = StudyRuns(study, store)
    work = runs.work()
    if report is not None:
        report(work, 0)
    carried_out(work, store, hands, None if report is None else lambda rounds: report(work, rounds))
    return runs, summarised(runs, bound_points)

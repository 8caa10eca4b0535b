"""Studies for people: run one, and leave its numbers, pictures and page in a folder.

from bufalu import Instance, Study, compare

study = Study(
    instances=Instance.bernoulli([0.1, 0.2]), policies=["bufalu", "bufau"], epsilons="power:1/4", horizons=10_000, seeds=100
)
print(compare(study, workers=2).text())
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bufalu.experiments.studies.columns import (
    Columns,
    all_seed_columns,
    pandas_frame,
    polars_frame,
    summary_columns,
)
from bufalu.experiments.studies.comparing import FinishedStudy, Report, compared
from bufalu.experiments.studies.store import write_whole
from bufalu.experiments.studies.study import Study
from bufalu.experiments.studies.summary import StudySummary
from bufalu.pages.study_page import study_page, study_tables
from bufalu.pages.study_pictures import draw_curves, draw_study, picture_groups
from bufalu.pages.study_text import study_text
from bufalu.reference.arguments import PathLike
from bufalu.reference.rationals import CountLike


class StudyResults:
    """A finished study. `summary` holds its statistics, `written` the files that it left, `damaged` the stored pieces
    that were not whole and were computed again.
    """

    def __init__(self, finished: FinishedStudy) -> None:
        self._runs = finished.runs
        self.summary = finished.summary
        self.written = finished.written
        self.damaged = finished.damaged

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        """The tables, for notebooks."""
        return study_tables(self.summary)

    def plot(self, number: int = 0) -> Any:
        """Regret and queries against the round, as a figure of matplotlib, which a notebook shows. Of several pictures
        (one for each instance, horizon, interval and tie-break) the one with this number, from 0.

        Raises `PlotUnavailable` without matplotlib.
        """
        return draw_curves(picture_groups(self.summary)[number], self.summary.study.title).figure

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


def compare(
    study: Study,
    *,
    out: PathLike | None = None,
    workers: CountLike = 1,
    cluster: str | None = None,
    report: Report | None = None,
) -> StudyResults:
    """Runs a study and gives its results; with `out` everything is left in that folder and taken up from there.

    `cluster` is the address of a Dask scheduler, or `local:N`. Raises `StudiesUnavailable` for a library that is
    missing, `UnusableFolder` for a folder that cannot be used, and what the study's cells raise.
    """
    return StudyResults(compared(study, out=out, workers=workers, cluster=cluster, report=report, show=_left))


def _left(summary: StudySummary, folder: Path) -> list[Path]:
    """The pictures and the page of a study."""
    pictures = draw_study(summary, folder / "pictures")
    page = folder / "study.html"
    write_whole(page, study_page(summary, [path for path in pictures if path.suffix == ".svg"]).encode())
    return [*pictures, page]

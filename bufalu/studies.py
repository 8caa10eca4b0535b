"""Studies for people: run one, and leave its numbers, pictures and page in a folder.

from bufalu import Instance, Study, compare

study = Study(
    instances=Instance.bernoulli([0.1, 0.2]), policies=["bufalu", "bufau"], epsilons="power:1/4", horizons=10_000, seeds=100
)
print(compare(study, workers=2).text())
"""

from __future__ import annotations

from bufalu.experiments.studies.comparing import Report, StudyResults, compared
from bufalu.experiments.studies.study import Study
from bufalu.pages.study_page import study_page
from bufalu.reference.arguments import PathLike
from bufalu.reference.rationals import CountLike


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
    return compared(study, out=out, workers=workers, cluster=cluster, report=report, page=study_page)

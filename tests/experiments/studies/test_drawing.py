"""Pictures of data that fill no range: no warning of the library reaches the user, and the point has room around it."""

from __future__ import annotations

import warnings
from pathlib import Path

from bufalu.experiments.studies.drawing import Canvas
from bufalu.experiments.studies.statistics import Spread


def test_a_number_of_queries_that_never_varies_is_drawn_without_a_warning(tmp_path: Path) -> None:
    every_round = Spread(1000.0, 0.0, None, None, 1000.0, (1000.0,) * 5, 1000.0)
    regret = Spread(18.4, 5.6, None, None, 13.0, (13.5, 14.0, 18.8, 22.0, 23.2), 23.3)
    canvas = Canvas(1, 1, "UCB asks in every round")
    canvas.panel(0, 0, "", "queries", "regret", log=True)
    canvas.point(every_round, regret, "ucb", 0, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        written = canvas.save(tmp_path, "tradeoff")
    assert [path.name for path in written] == ["tradeoff.png", "tradeoff.svg"]
    left, right = canvas._axes[0][0].get_xlim()
    assert left < 600 and right > 1900

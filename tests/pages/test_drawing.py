"""Pictures of data that fill no range: no warning of the library reaches the user, and the point has room around it."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bufalu.experiments.studies.statistics import Spread
from bufalu.pages.drawing import COLOURS, DARK_COLOURS, Canvas, for_both_themes


@pytest.mark.parametrize("rounds", [1000.0, 100.0])
def test_a_number_of_queries_that_never_varies_is_drawn_without_a_warning(rounds: float, tmp_path: Path) -> None:
    every_round = Spread(rounds, 0.0, None, None, rounds, (rounds,) * 5, rounds)
    regret = Spread(18.4, 5.6, None, None, 13.0, (13.5, 14.0, 18.8, 22.0, 23.2), 23.3)
    canvas = Canvas(1, 1, "UCB asks in every round", size=(7.4, 5.4))
    canvas.panel(0, 0, "", "queries", "regret", log=True)
    canvas.point(every_round, regret, "ucb", 0, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        written = canvas.save(tmp_path, "tradeoff")
    assert [path.name for path in written] == ["tradeoff.png", "tradeoff.svg"]
    left, right = canvas._axes[0][0].get_xlim()
    assert left < 0.6 * rounds and right > 1.9 * rounds


def unreadable_on_dark(svg: str) -> set[str]:
    """The colours of a picture that its style for dark pages leaves as they are, but for two greys that both pages bear."""
    style = svg[svg.index("@media (prefers-color-scheme: dark)") : svg.index("</style>")]
    drawn = svg.replace(style, "")
    used = set(re.findall(r"(fill|stroke): (#[0-9a-f]{6})", drawn))
    return {
        f"{name} {colour}"
        for name, colour in used
        if f'[style*="{name}: {colour}"]' not in style and colour not in {"#b0b0b0", "#cccccc"}
    }


def test_a_plan_is_drawn_for_light_and_dark_pages(tmp_path: Path) -> None:
    canvas = Canvas(1, 1, "Two curves")
    canvas.panel(0, 0, "", "queries", "regret", log=True)
    canvas.path([1, 2], [3, 4], "one", 0)
    canvas.key("greedy", 1)
    canvas.corner(1.5, 3.5, "lower bounds")
    canvas.write(tmp_path / "plan.svg")
    text = (tmp_path / "plan.svg").read_text(encoding="utf-8")
    ElementTree.fromstring(text)
    assert unreadable_on_dark(text) == set()
    assert unreadable_on_dark(text.replace('[style*="stroke: #0072b2"]', "")) == {"stroke #0072b2"}
    canvas.write(tmp_path / "plan.png")
    assert (tmp_path / "plan.png").read_bytes().startswith(b"\x89PNG")
    assert len(DARK_COLOURS) == len(COLOURS)


def test_the_picture_of_the_dial_is_drawn_for_both() -> None:
    text = (Path(__file__).parents[2] / "docs/images/dial.svg").read_text(encoding="utf-8")
    assert unreadable_on_dark(text) == set()
    with pytest.raises(ValueError, match="not found"):
        unreadable_on_dark("<svg><style></style></svg>")
    assert for_both_themes("<svg><style></style></svg>") != "<svg><style></style></svg>"

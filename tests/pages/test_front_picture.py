"""The first picture is drawn from numbers that the engine gives again, and says what they say."""

from xml.etree import ElementTree

import pytest

from bufalu.experiments.engine.errors import ExperimentsUnavailable
from bufalu.pages import three_rounds
from bufalu.pages.front_picture import DATA, SCHEDULES, THEMES, draw, main, measure, read, saving, written
from bufalu.pages.gallery import EXHIBITS, exhibit_trace
from bufalu.pages.story import tell
from bufalu.pages.trace_svg import trace_svg
from bufalu.reference.policies import Reason
from tests.docs.snippets import ROOT

FOLDER = ROOT / "docs" / "images"
POINTS = read((FOLDER / DATA).read_text())


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_the_pictures_are_fresh(theme):
    expected = draw(POINTS, theme)
    ElementTree.fromstring(expected)
    path = FOLDER / f"front-{theme.name}.svg"
    assert path.read_text() == expected, "stale: run `python -m bufalu.pages.front_picture`"


def test_the_numbers_are_those_of_the_engine():
    try:
        (again,) = measure(["dial:1/2"], ["inverse-log"])
    except ExperimentsUnavailable as missing:
        pytest.skip(str(missing))
    assert again in POINTS


def test_the_title_says_what_the_numbers_say():
    assert f"{saving(POINTS)}% less regret" in draw(POINTS, THEMES[0])
    for epsilon in SCHEDULES:
        dial = {point.policy: point for point in POINTS if point.epsilon == epsilon}
        assert dial["dial:1/2"].queries <= dial["dial:1"].queries, "no more queries"
    assert f"{saving(POINTS)}% less regret" in (ROOT / "README.md").read_text()


def test_the_command_draws_from_the_file(tmp_path, capsys):
    assert main(["--folder", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("front_picture: ")
    (tmp_path / DATA).write_text(written(POINTS))
    assert main(["--folder", str(tmp_path)]) == 0
    assert {path.name for path in tmp_path.glob("*.svg")} == {"front-light.svg", "front-dark.svg"}


def test_the_picture_of_a_run_is_fresh():
    """`docs/images/run.svg` is the run of the quickstart's commands."""
    page = (ROOT / "docs" / "quickstart.md").read_text()
    assert "simulate --means 1/4,1/2,3/4 --epsilon power:1/4 --horizon 1500 --seed 7" in page
    exhibit = next(each for each in EXHIBITS if each.name == "bufalu")
    assert (exhibit.policy, exhibit.epsilon, exhibit.horizon) == ("bufalu", "power:1/4", 1500)
    assert (FOLDER / "run.svg").read_text() == trace_svg(tell(exhibit_trace(exhibit, seed=7))), "stale"


def test_the_picture_of_three_rounds_is_fresh():
    assert (FOLDER / three_rounds.PICTURE.name).read_text() == three_rounds.draw(), "stale: run its module"
    reasons = [scene.reason for scene in three_rounds.scenes()]
    assert reasons == [Reason.UNCERTAIN, Reason.WITHIN_EPSILON, Reason.SEPARATED]
    with pytest.raises(LookupError, match="up to 20"):
        three_rounds.first_scene(Reason.SEPARATED, "zero", horizon=20)

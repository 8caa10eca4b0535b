"""The first picture is drawn from numbers that the engine gives again, and says what they say."""

from xml.etree import ElementTree

import pytest

from bufalu.experiments.engine.errors import ExperimentsUnavailable
from bufalu.pages import three_rounds
from bufalu.pages.front_picture import DATA, DIAL, SCHEDULES, THEMES, draw, limit, main, measure, read, written
from bufalu.pages.gallery import EXHIBITS, exhibit_trace
from bufalu.pages.story import tell
from bufalu.pages.trace_svg import trace_svg
from bufalu.reference.policies import Reason
from tests.docs.snippets import ROOT

FOLDER = ROOT / "docs" / "images"
FOUND = read((FOLDER / DATA).read_text())


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_the_pictures_are_fresh(theme):
    expected = draw(FOUND, theme)
    ElementTree.fromstring(expected)
    path = FOLDER / f"front-{theme.name}.svg"
    assert path.read_text() == expected, "stale: run `python -m bufalu.pages.front_picture`"


def test_the_numbers_are_those_of_the_engine():
    try:
        again = measure(["dial:1/2", "pairs:2"], ["power:1/4"])
    except ExperimentsUnavailable as missing:
        pytest.skip(str(missing))
    assert all(point in FOUND.points for point in again)


def test_the_frontier_is_the_certified_one():
    assert FOUND.frontier == limit()


def test_the_picture_says_what_the_numbers_say():
    drawn, readme = draw(FOUND, THEMES[0]), (ROOT / "README.md").read_text()
    pair, always = FOUND.at("pairs:2", "zero"), FOUND.at("dial:0", "zero")
    assert pair.regret < always.regret
    assert f"with {pair.queries:,.0f} questions instead of {always.queries:,.0f}" in drawn
    assert f"{pair.queries:,.0f} questions instead of {always.queries:,.0f}" in readme
    for epsilon in SCHEDULES:
        best = FOUND.at("pairs:2", epsilon)
        for policy in (*DIAL, "cbm-ucb", "greedy"):
            other = FOUND.at(policy, epsilon)
            assert (best.regret, best.queries) < (other.regret, other.queries)
            assert best.queries < other.queries
        assert all(queries < best.queries or regret < best.regret for queries, regret in FOUND.frontier)


def test_the_command_draws_from_the_file(tmp_path, capsys):
    assert main(["--folder", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("front_picture: ")
    (tmp_path / DATA).write_text(written(FOUND))
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
    for path in (three_rounds.WIDE, three_rounds.NARROW):
        assert (ROOT / path).read_text() == three_rounds.draw(path), "stale: run its module"
    reasons = [scene.reason for scene in three_rounds.scenes()]
    assert reasons == [Reason.UNCERTAIN, Reason.WITHIN_EPSILON, Reason.SEPARATED]
    with pytest.raises(LookupError, match="up to 20"):
        three_rounds.first_scene(Reason.SEPARATED, "zero", horizon=20)

"""`bufalu bounds`: what it prints, what it draws, what it refuses."""

import json
from fractions import Fraction
from xml.etree import ElementTree

import pytest

from bufalu.bounds.enclosures import INFINITE, Enclosure
from bufalu.bounds.report import Question
from bufalu.bounds.upper import upper_bounds
from bufalu.cli import main
from bufalu.pages import drawing
from bufalu.pages.bounds_picture import draw_bounds, horizons, panels
from bufalu.pages.bounds_text import shown
from bufalu.pages.drawing import PlotUnavailable
from bufalu.reference.instances import Instance
from bufalu.reference.schedules import Power

PAPER = ["bounds", "--means", "1/4,1/4,1/4,1/4,1/2", "--horizon", "100000", "--epsilon", "power:1/4"]

SMALL = ["bounds", "--means", "1/4,1/2", "--horizon", "300", "--epsilon", "power:1/4"]


def test_the_table_of_the_paper_example(capsys):
    assert main([*PAPER, "--confidence", "hoeffding"]) == 0
    printed = capsys.readouterr().out
    rows = {line.split("  ")[0] or line.strip().split("  ")[0]: line.split() for line in printed.splitlines()}
    assert "unique optimal arm 5" in printed
    assert rows["1"] == ["1", "1/4", "1/4", "1/8", "256", "4,420.96", "4,420.96", "2,946.39", "1,169.24"]
    assert rows["5*"] == ["5*", "1/2", "0", "1/8", "-", "4,420.96", "4,420.96", "4,420.96", "0"]
    assert rows["expected regret (l.427-431)"][-4:] == ["4,680.71", "3,206.14", "3,198.15", "25,000"]
    assert rows["query cap (l.421)"][-4:] == ["21,845.24", "-", "21,845", "100,000"]
    assert "arm 1 queried 1,105.24; arm 1 not queried 64" in printed
    assert rows["queries of arms 1 and 5 together (l.310)"][-1] == "29.5507"
    assert "VACUOUS (no better than the trivial bound): regret for any gaps\n" in printed
    assert max(map(len, printed.splitlines())) <= 120


def test_json_is_the_report(capsys):
    assert main([*PAPER, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["l_epsilon"] == [256, 256, 256, 256, None]
    assert report["upper"]["query_cap_exact"] == 21845


def test_several_optimal_arms_bernstein_and_vacuous_bounds(capsys):
    arguments = ["bounds", "--means", "1/4,1/2,1/2", "--horizon", "3000", "--epsilon", "budget:500"]
    assert main([*arguments, "--confidence", "bernstein", "--family", "bounded"]) == 0
    printed = capsys.readouterr().out
    assert "optimal arms 2, 3" in printed
    assert "VACUOUS (no better than the trivial bound): expected regret, regret for any gaps" in printed
    assert "(from below) (l.657)       inf" in printed


def test_many_arms_are_not_listed(capsys):
    means = ",".join(["1/4"] * 30 + ["1/2"])
    assert main(["bounds", "--means", means, "--horizon", "1000", "--epsilon", "inverse-log"]) == 0
    printed = capsys.readouterr().out
    assert "31 arms: too many to list" in printed
    assert len(printed.splitlines()) < 24


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (["--means", "1/4,1/2", "--confidence", "hoeffding:2"], "no bound is proved for the interval 'hoeffding:2'"),
        (["--means", "1/4,1/2", "--family", "cauchy"], "there is no family 'cauchy'"),
        (["--means", "1/4,1/2", "--family", "gaussian:0"], "a variance must be positive"),
        (["--means", "1/4,1/2", "--rewards", "deterministic", "--family", "bernoulli"], "not in the family"),
        (["--means", "1/4,1/2", "--plot", "bounds.gif"], "ends in none of .svg, .png, .pdf"),
        (["--means", "1/4,1/2", "--plot", "/no/such/folder/bounds.svg"], "cannot write /no/such/folder/bounds.svg"),
        ([], "give the arms with --means"),
    ],
)
def test_refusals_are_one_clear_line(extra, message, capsys):
    assert main(["bounds", "--horizon", "20", "--epsilon", "zero", *extra]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err
    assert len(printed.err.splitlines()) == 1


def test_the_picture_is_well_formed_and_the_same_every_time(tmp_path, capsys):
    first, second = tmp_path / "first.svg", tmp_path / "second.svg"
    for path in (first, second):
        assert main([*SMALL, "--plot", str(path)]) == 0
    capsys.readouterr()
    assert first.read_bytes() == second.read_bytes()
    words = " ".join(ElementTree.parse(first).getroot().itertext())
    for label in ("bounds on the expected regret", "theorem", "sharper", "refined", "trivial: T", "horizon T"):
        assert label in words


def test_curves_hold_the_bounds(monkeypatch):
    instance, schedule = Instance.bernoulli([Fraction(1, 4), Fraction(1, 2)]), Power(Fraction(1, 4))
    points = (10, 1000)
    regret, queries = panels(tuple(upper_bounds(instance, schedule, point) for point in points))
    curves = {(panel.title, curve.label): curve.values for panel in (regret, queries) for curve in panel.curves}
    expected = [float(upper_bounds(instance, schedule, point).sharper_queries.evaluate()) for point in points]
    assert list(curves["bounds on the expected queries", "sharper"]) == expected
    assert curves["bounds on the expected queries", "trivial: T"] == (10, 1000)
    assert curves["bounds on the expected regret", "trivial: largest gap times T"] == (2.5, 250)

    def missing(name):
        raise PlotUnavailable("drawing needs matplotlib")

    monkeypatch.setattr(drawing, "_library", missing)
    with pytest.raises(PlotUnavailable):
        draw_bounds("x.svg", Question(instance, schedule, 10), print)


def test_horizons_are_distinct_and_end_at_the_last():
    assert horizons(5, 3) == (3,)
    assert horizons(1, 2) == (2,)
    many = horizons(2, 10**9)
    assert many[0] == 3
    assert many[-1] == 10**9
    assert list(many) == sorted(set(many))


def test_numbers_are_shown_for_reading():
    assert shown(1234567) == "1,234,567"
    assert shown(Fraction(1, 3)) == "0.333333"
    assert shown(Fraction(12345, 7)) == "1,763.57"
    assert shown(INFINITE) == "inf"
    assert shown(Enclosure.of(10**20).log()) == "46.0517"
    assert shown(10**18) == "1e+18"


def test_the_pair_rule_has_its_own_bounds(capsys):
    arguments = ["bounds", "--means", "1/4,1/4,1/4,1/4,1/2", "--horizon", "100000", "--epsilon", "zero"]
    assert main([*arguments, "--policy", "pairs:2"]) == 0
    printed = capsys.readouterr().out
    rows = {line.strip().split("  ")[0]: line.split() for line in printed.splitlines()}
    assert rows["expected regret (docs/pairs.md)"][-4:] == ["1,182.73", "1,182.71", "1,180.21", "25,000"]
    assert printed.startswith("The pair rule at 2, 5 arms (unique optimal arm 5), T = 100,000, epsilon zero\n")
    assert "C(T) is 11.1233 by the theorem" in printed
    assert "regret at most 12 ln T (138.16 at this T), queries at most 72 ln T (828.93 at this T)." in printed
    assert main([*arguments, "--json"]) == 0
    sharp = json.loads(capsys.readouterr().out)["sharp"]
    assert sharp["delta"] == "45/512"
    assert sharp["queries_per_log"] == {"lower": 480.0, "upper": 480.0}
    assert max(map(len, printed.splitlines())) <= 120


def test_the_frontier(tmp_path, capsys):
    picture = tmp_path / "frontier.svg"
    arguments = ["bounds", "--means", "1/4,1/4,1/4,1/4,1/2", "--horizon", "100000", "--frontier"]
    assert main([*arguments, "--family", "gaussian:1/4", "--plot", str(picture)]) == 0
    printed = capsys.readouterr().out
    assert "family gaussian:1/4" in printed
    assert printed.splitlines()[-1].split() == ["any", "number", "8", "any", "number", "92.1034"]
    ElementTree.parse(picture)
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["family"] == "bernoulli"
    assert found["fewest_queries_per_log"] == pytest.approx(67.4319, abs=1e-3)
    assert found["corners_per_log"][0]["queries"] == found["fewest_queries_per_log"]
    assert main(["bounds", "--means", "1/4,1/2", "--horizon", "100"]) == 2
    assert "need an --epsilon" in capsys.readouterr().err

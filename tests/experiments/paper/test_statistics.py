"""The statistical comparisons: how often they cry wolf, and which wrong laws they notice."""

import math
from fractions import Fraction

import numpy as np
import pytest

from bufalu.experiments.paper.printed import PrintedFigure, paper_rows, printed
from bufalu.experiments.paper.statistics import (
    FALSE_ALARM,
    below_cdf,
    compare,
    std_score,
    summary,
    threshold,
)


def printed_from(sample):
    ours = summary(sample)
    return {name: PrintedFigure(ours.get(name), 0.005) for name in ("mean", "std", "q90", "max")}


def largest_score(ours, theirs):
    return max(abs(c.z) for c in compare("regret", ours, printed_from(theirs), theirs.size))


def test_the_suite_declares_one_false_alarm_in_a_thousand():
    assert FALSE_ALARM == 1e-3
    one, many = threshold(1), threshold(192)
    assert math.erfc(one / math.sqrt(2)) == pytest.approx(1e-3)
    assert 192 * math.erfc(many / math.sqrt(2)) == pytest.approx(1e-3)


def test_two_samples_of_one_law_raise_no_alarm():
    rng = np.random.default_rng(7)
    scores = [
        largest_score(rng.gamma(20.0, 10.0, 300).round(2), rng.gamma(20.0, 10.0, 1000).round(2)) for _ in range(400)
    ]
    # 1,600 comparisons at a level of 2.5 standard errors: 20 expected, and far fewer than 60 beyond doubt.
    assert sum(score > 2.5 for score in scores) < 60
    assert max(scores) < threshold(1600)


@pytest.mark.parametrize(
    ("law", "statistic"),
    [
        (lambda rng: rng.normal(103.0, 10.0, 1000), "mean"),
        (lambda rng: rng.normal(100.0, 12.5, 1000), "std"),
        (lambda rng: np.where(rng.random(1000) < 0.2, 130.0, rng.normal(92.0, 8.0, 1000)), "q90"),
        (lambda rng: np.append(rng.normal(100.0, 10.0, 980), np.full(20, 150.0)), "max"),
    ],
)
def test_each_statistic_kills_the_law_made_for_it(law, statistic):
    rng = np.random.default_rng(3)
    theirs = rng.normal(100.0, 10.0, 1000)
    found = {c.statistic: c.z for c in compare("regret", law(rng), printed_from(theirs), 1000)}
    assert abs(found[statistic]) > threshold(192)


def test_the_order_statistics_law_is_exact():
    # Two of ours and three of theirs: all 10 interleavings are equally likely.
    cdf = below_cdf(2, 3, 2)
    counts = {0: 0, 1: 0, 2: 0}
    for first in range(5):
        for second in range(first + 1, 5):
            theirs = [p for p in range(5) if p not in (first, second)]
            counts[sum(p < theirs[1] for p in (first, second))] += 1
    for m in range(3):
        assert cdf[m + 1] - cdf[m] == pytest.approx(float(Fraction(counts[m], 10)))


def test_a_figure_without_spread_must_be_met():
    paper = {name: PrintedFigure(0.0 if name == "std" else 45785.0, 0.5) for name in ("mean", "std", "q90", "max")}
    assert all(c.z == 0 and c.deterministic for c in compare("queries", np.full(5, 45785.0), paper, 1000))
    assert any(math.isinf(c.z) for c in compare("queries", np.full(5, 45786.0), paper, 1000))


def test_printed_figures_carry_their_rounding():
    assert printed("22736.7") == PrintedFigure(22736.7, 0.05)
    assert printed("982.25") == PrintedFigure(982.25, 0.005)
    assert printed("100000.0") == PrintedFigure(100000.0, 0.5)
    assert len(paper_rows()) == 24


def test_a_sample_with_the_printed_deviation_scores_nothing():
    """1, 2, 3 has the deviation 1 over n - 1; over n it would be sqrt(2/3)."""
    assert std_score(np.array([1.0, 2.0, 3.0]), PrintedFigure(1.0, 0.0), 3) == pytest.approx(0.0, abs=1e-12)

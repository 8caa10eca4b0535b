"""Intervals and paired differences: against printed tables, and by how often they cover."""

import numpy as np
import pytest

from bufalu.experiments.studies.statistics import LEVEL, difference, spread, student

PRINTED = {
    1: 12.706,
    2: 4.303,
    5: 2.571,
    10: 2.228,
    30: 2.042,
    60: 2.000,
    120: 1.980,
    199: 1.972,
    201: 1.972,
    1000: 1.962,
}
"""Two-sided 95% quantiles of Student's law, as tables print them."""


@pytest.mark.parametrize(("freedom", "quantile"), PRINTED.items())
def test_quantiles_are_those_of_the_tables(freedom, quantile):
    assert abs(student(0.95, freedom) - quantile) < 6e-4


def test_other_levels():
    assert abs(student(0.99, 9) - 3.250) < 6e-4
    assert abs(student(0.999, 29) - 3.659) < 6e-4


def test_intervals_cover_as_often_as_they_say():
    # 4,000 intervals: a share outside 95% +- 1.4% has probability below 1e-4 if they cover at 95%.
    draws = np.random.default_rng(5).normal(3.0, 2.0, (4000, 12))
    covering = sum(found.low <= 3.0 <= found.high for found in map(spread, draws))
    assert abs(covering / 4000 - LEVEL) < 0.014


def test_a_spread_in_numbers():
    found = spread(np.array([1, 2, 3, 4]))
    assert (found.mean, found.least, found.most, found.quantiles[2]) == (2.5, 1, 4, 2.5)
    assert abs(found.std - np.std([1, 2, 3, 4], ddof=1)) < 1e-15
    assert abs((found.high - found.low) / 2 - 3.182446 * found.std / 2) < 1e-5


def test_one_seed_has_no_interval():
    found = spread(np.array([7]))
    assert (found.mean, found.low, found.high) == (7, None, None)
    assert difference(np.array([7]), np.array([9]), 0.95).told_apart is False


def test_pairing_takes_the_common_part_out():
    common = np.random.default_rng(1).normal(0, 100, 50)
    ours, theirs = common + 1 + np.linspace(-0.1, 0.1, 50), common
    paired = difference(ours, theirs, 0.95)
    assert paired.told_apart
    assert paired.seeds_needed is None
    assert paired.low < 1 < paired.high
    assert not difference(ours, theirs[::-1], 0.95).told_apart


@pytest.mark.parametrize("sample", [np.random.default_rng(2).normal(0.3, 1.0, 20), np.array([50.0, 60.0, 5.0])])
def test_more_seeds_are_asked_for_and_suffice(sample):
    """Also more than there are, where three of them have an interval that is wide for want of seeds."""
    found = difference(sample, np.zeros(sample.size), 0.95)
    assert not found.told_apart
    assert found.seeds_needed > sample.size

    def told_apart_by(seeds):
        return student(0.95, seeds - 1) * sample.std(ddof=1) / np.sqrt(seeds) < abs(sample.mean())

    assert told_apart_by(found.seeds_needed)
    assert not told_apart_by(found.seeds_needed - 1)


def test_equal_runs_are_said_to_be_equal():
    found = difference(np.arange(5), np.arange(5), 0.95)
    assert found.always_equal
    assert not found.told_apart
    assert found.seeds_needed is None

"""The frontier from below: the closed form of Gaussian arms by hand, Bernoulli arms by another way, and wrong lines."""

import math
from fractions import Fraction as F
from itertools import pairwise

import pytest

from bufalu.bounds import frontiers as room
from bufalu.bounds.errors import NotInFamily, OutsideDomain
from bufalu.bounds.families import Bernoulli, Bounded, Gaussian
from bufalu.bounds.frontiers import frontier, least_cost
from bufalu.reference.instances import Instance
from tests.properties.mutants.test_mutants_in_bounds import mutated

FIVE = Instance.bernoulli([F(1, 4)] * 4 + [F(1, 2)])
WIDE = Instance.bernoulli([F(1, 8)] * 4 + [F(7, 8)])
UNEVEN = Instance.bernoulli([F(1, 5), F(2, 5), F(7, 10)])


def test_gaussian_arms_by_hand():
    """Gaps 3/4, unit variance: 1/n_a + 1/n_* <= 9/32 for each of four arms, so a n_a + b n_* >= 32/9 (sqrt a + sqrt b)^2.

    At price 1/4 the four arms cost 1 each and the optimal one 1/4: 32/9 (2 + 1/2)^2 = 200/9.
    """
    cost = least_cost(WIDE, F(1, 4), Gaussian(1)).evaluate()
    assert F(200, 9) * (1 - F(1, 10**7)) < cost.lower <= F(200, 9)
    found = frontier(WIDE, "gaussian:1")
    assert F(32) * (1 - F(1, 10**7)) < found.fewest_queries <= 32
    assert least_cost(WIDE, 0, Gaussian(1)).evaluate().contains(F(32, 3))
    assert float(found.least_regret) == pytest.approx(32 / 3)


@pytest.mark.parametrize("variance", [F(1, 4), F(1), F(3)])
def test_gaussian_corners_lie_just_below_the_curve(variance):
    found = frontier(FIVE, Gaussian(variance))
    h = 2 * variance * 16
    assert len(found.corners) > 40
    for queries, regret in found.corners[:-1]:
        arm = regret  # four gaps of 1/4 times the queries of one arm
        own = queries - 4 * arm
        together = arm * own / (arm + own)
        assert F(99, 100) * h < together <= h


def kl(p, q):
    return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))


def least_by_balance(means, best, price):
    """The least cost another way: for shares of the two arms, the worst threshold is their weighted mean."""

    def beside(mean, own):
        """n_a for which n_a kl(mean, x) + own kl(best, x) = 1 at its weighted mean x, by bisection."""
        low, high = 1e-9, 1e9
        for _ in range(70):
            middle = math.sqrt(low * high)
            x = (middle * mean + own * best) / (middle + own)
            low, high = (middle, high) if middle * kl(mean, x) + own * kl(best, x) < 1 else (low, middle)
        return high

    alone = max(1 / kl(best, mean) for mean in means)
    grid = [alone * (1 + 1.01**k * 1e-3) for k in range(400, 1200, 2)]
    return min(price * own + sum((best - mean + price) * beside(mean, own) for mean in means) for own in grid)


@pytest.mark.parametrize("price", [F(1, 20), F(1), F(10)])
def test_bernoulli_arms_another_way(price):
    wanted = least_by_balance([0.2, 0.4], 0.7, float(price))
    assert float(least_cost(UNEVEN, price, Bernoulli()).evaluate().lower) == pytest.approx(wanted, rel=1e-4)
    assert float(least_cost(UNEVEN, price).evaluate().upper) <= wanted * (1 + 1e-9)


def test_the_frontier_of_the_papers_instance():
    """At T = 100,000: about 776 queries at least, with them a regret of 127, and never less than 88."""
    found, log = frontier(FIVE), math.log(100_000)
    assert found.family.name == "bernoulli"
    assert float(found.fewest_queries) * log == pytest.approx(776.34, abs=0.01)
    assert float(found.corners[0][1]) * log == pytest.approx(127.24, abs=0.5)
    assert float(found.least_regret) * log == pytest.approx(88.01, abs=0.01)
    slopes = [(after[1] - before[1]) / (after[0] - before[0]) for before, after in pairwise(found.corners)]
    assert all(slope < 0 for slope in slopes)
    assert slopes == sorted(slopes)
    for line in found.lines[1:]:
        assert all(regret + line.price * queries >= line.least for queries, regret in found.corners)
    with pytest.raises(OutsideDomain, match=r"queries must be at least 67\.4319 per ln T"):
        found.regret_at(found.fewest_queries - 1)


def test_all_laws_need_no_more_than_bernoulli_laws():
    two = Instance.bernoulli([F(1, 4), F(1, 2)])
    few, many = (least_cost(two, 1, family).evaluate() for family in (Bernoulli(), Bounded()))
    assert float(few) == pytest.approx(float(many), rel=1e-6)


def test_where_there_is_no_frontier():
    for instance in (Instance.bernoulli([F(1, 2)]), Instance.bernoulli([F(1, 2), F(1, 2), 0])):
        with pytest.raises(OutsideDomain, match="unique optimal"):
            frontier(instance)
    with pytest.raises(OutsideDomain, match="price must be at least 0, not -1"):
        least_cost(FIVE, -1)
    with pytest.raises(NotInFamily):
        frontier(Instance.deterministic([F(1, 3), F(2, 3)]), Bernoulli())


@pytest.mark.parametrize(
    ("own", "old", "new"),
    [
        (5.0, "total * minimum(number(1), ", "total * (number(1) + 0 * "),
        (14.0, 'cost * nonnegative(f"M_{at}")', 'cost * nonnegative(f"M_{at}") / 2'),
        (22.0, '+ nonnegative("p")', '+ 2 * nonnegative("p")'),
    ],
)
def test_a_line_that_claims_too_much_is_noticed(monkeypatch, own, old, new):
    monkeypatch.setattr(room._Search.line, "__code__", mutated(room._Search.line, old, new))
    cost = room._Search.of(WIDE, Gaussian(1)).line(F(1, 4), own).bound.evaluate()
    assert cost.lower > F(200, 9)


@pytest.mark.parametrize("own", [1.0, 3.0, 5.0, 10.0, 14.0, 17.5, 22.0, 40.0, 300.0])
def test_a_line_at_any_thresholds_claims_no_more_than_the_truth(own):
    """Whatever the thresholds: the exact costs of `test_gaussian_arms_by_hand`."""
    search = room._Search.of(WIDE, Gaussian(1))
    assert search.line(F(1, 4), own).least <= F(200, 9)
    assert search.line(None, own).least <= 32

"""What a study says of bounds is what the bounds say."""

import math
from fractions import Fraction

import pytest

from bufalu import Instance, upper_bounds
from bufalu.experiments.studies.study import Cell
from bufalu.experiments.studies.theorems import bound_line, bound_line_or_reason, lower_rates
from bufalu.reference.schedules import parse_schedule

ARMS = Instance.bernoulli([Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)])


def cell(policy="bufalu", confidence="hoeffding", epsilon="power:1/4"):
    return Cell("arms", ARMS, policy, epsilon, confidence, "first", 5000)


@pytest.mark.parametrize("confidence", ["hoeffding", "bernstein"])
@pytest.mark.parametrize("policy", ["bufalu", "dial:1/2"])
def test_the_line_ends_at_the_bounds(policy, confidence):
    line = bound_line(cell(policy, confidence), range(10, 5001, 10))
    assert line.rounds[-1] == 5000
    bounds = upper_bounds(ARMS, parse_schedule("power:1/4"), 5000, confidence, policy)
    for name in ("regret", "queries", "sharper_regret", "sharper_queries"):
        assert getattr(line, name)[-1] == getattr(bounds, name).evaluate().upper_float
        assert len(getattr(line, name)) == len(line.rounds)


def test_the_leading_terms_are_those_of_the_sharp_theorem():
    """6 ln t / gap and / gap^2 for BuFALU; (1 + 1/kappa)/2, and (1 + kappa)/2 for the optimal arm, for the pair rule."""
    rounds = range(10, 5001, 10)
    for policy, other, own in (("bufalu", 6, 6), ("pairs:2", 3 / 4, 3 / 2)):
        line = bound_line(cell(policy), rounds)
        assert line.leading_regret == pytest.approx([2 * other * 4 * math.log(t) for t in line.rounds], rel=1e-12)
        assert line.leading_queries == pytest.approx([(2 * other + own) * 16 * math.log(t) for t in line.rounds])
    assert bound_line(cell("dial:1/2"), rounds).leading_queries == ()
    assert bound_line(cell(epsilon="constant:1/4"), rounds).leading_regret == ()


def test_what_has_no_theorem_has_a_reason():
    assert "greedy" in bound_line_or_reason(cell("greedy"), [5000])
    assert "hoeffding:2" in bound_line_or_reason(cell(confidence="hoeffding:2"), [5000])


def kl(p, q):
    return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))


def test_the_rates_are_those_of_the_theorem():
    rates = lower_rates(ARMS)
    assert rates.regret == pytest.approx(2 * 0.25 / kl(0.25, 0.5), rel=1e-12)
    assert rates.queries == pytest.approx(2 / kl(0.25, 0.5) + 1 / kl(0.5, 0.25), rel=1e-12)


def test_an_infinite_rate_is_no_number():
    two = lower_rates(Instance.bernoulli([Fraction(1, 4), Fraction(1, 2), Fraction(1, 2)]))
    assert two.queries is None
    assert two.regret == pytest.approx(0.25 / kl(0.25, 0.5), rel=1e-12)

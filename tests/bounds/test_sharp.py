"""The sharp theorem: the formulas of `sharp.*` by hand, its rates, and where it says nothing."""

import math
from collections import Counter
from fractions import Fraction as F

import pytest

from bufalu.bounds import quantities
from bufalu.bounds.errors import OutsideDomain
from bufalu.bounds.expressions import Expression
from bufalu.bounds.pairs import rare_failures
from bufalu.bounds.sharp import sharp_bounds
from bufalu.reference.instances import Instance

UNEVEN = Instance.bernoulli([F(1, 4), F(1, 3), F(1, 2)])
FIVE = Instance.bernoulli([F(1, 4)] * 4 + [F(1, 2)])


@pytest.mark.parametrize("horizon", [10**6, 10**30])
@pytest.mark.parametrize("epsilon", ["zero", "constant:1/100"])
def test_the_numbers_are_those_of_the_claims(epsilon, horizon):
    """`sharp.regret`, `sharp.queries` and `sharp.closed_form` with delta = 1/50, epsilon below all levels."""
    found = sharp_bounds(quantities(UNEVEN, epsilon, horizon), "1/50")
    delta, log, gaps = 1 / 50, math.log(horizon), (1 / 4, 1 / 6)
    beside = 2 / delta**2 + 1 / (2 * delta**4)
    others = [6 * log / (gap - 2 * delta) ** 2 + beside for gap in gaps]
    own = 6 * log / (1 / 6 - 2 * delta) ** 2 + 1 / delta**2 + 2 * (1 / delta**2 + 1 / (2 * delta**4))
    regret = sum(gap * count for gap, count in zip(gaps, others, strict=True)) + 6 / 4
    assert float(found.regret.evaluate()) == pytest.approx(regret, rel=1e-12)
    assert float(found.queries.evaluate()) == pytest.approx(sum(others) + own + 6, rel=1e-12)
    assert found.regret_rate.evaluate().contains(6 * 4 + 6 * 6)
    assert found.queries_rate.evaluate().contains(6 * 16 + 6 * 36 + 6 * 36)


def test_the_rates_are_what_remains_as_the_horizon_grows():
    """A quarter of the paper's 24 ln T; the best delta falls as T grows."""
    found = sharp_bounds(quantities(FIVE, "zero", 10**300))
    paper = quantities(FIVE, "zero", 10**300).n_bar[0].count
    assert float(found.queries_rate.evaluate()) * math.log(10**300) == pytest.approx(5 * float(paper) / 4, rel=1e-12)
    assert found.delta < sharp_bounds(quantities(FIVE, "zero", 10**5)).delta
    chosen, worse = (sharp_bounds(quantities(FIVE, "zero", 10**300), delta) for delta in (None, F(1, 10)))
    assert chosen.queries.evaluate().upper < worse.queries.evaluate().lower


def test_equal_arms_are_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The best delta of forty arms takes as many evaluations as that of four, and their sum is read once."""
    evaluated, read = Expression.evaluate, Expression.symbols.fget
    asked = Counter[str]()
    monkeypatch.setattr(
        Expression, "evaluate", lambda self, values: asked.update(["evaluate"]) or evaluated(self, values)
    )
    monkeypatch.setattr(Expression, "symbols", property(lambda self: asked.update(["symbols"]) or read(self)))
    effort = []
    for alike in (3, 39):
        asked.clear()
        sharp_bounds(quantities(Instance.bernoulli([F(1, 4)] * alike + [F(1, 2)]), "zero", 10**5))
        effort.append(dict(asked))
    assert effort[0] == effort[1]


def test_a_delta_beyond_half_the_gap_leaves_the_cap():
    """N at a level that is not positive is t - 1, as in the theorem."""
    found = sharp_bounds(quantities(UNEVEN, "zero", 1_000), 1)
    assert float(found.queries.evaluate()) == pytest.approx(3 * 999 + 2 * 2.5 + 1 + 2 * 1.5 + 6, rel=1e-12)


def test_regret_has_no_rate_while_epsilon_stays_at_a_gap():
    assert sharp_bounds(quantities(UNEVEN, "constant:1/6", 1_000)).regret_rate is None
    assert sharp_bounds(quantities(UNEVEN, "power:1/4", 1_000)).regret_rate is not None


def test_where_no_sharp_theorem_is_proved():
    several = Instance.bernoulli([F(1, 4), F(1, 2), F(1, 2)])
    for asked in (
        quantities(several, "zero", 100),
        quantities(Instance.bernoulli([F(1, 2)]), "zero", 100),
        quantities(UNEVEN, "zero", 100, "bernstein"),
        quantities(UNEVEN, "zero", 100, policy="dial:1/2"),
    ):
        assert sharp_bounds(asked) is None
    with pytest.raises(OutsideDomain, match="positive delta"):
        sharp_bounds(quantities(UNEVEN, "zero", 100), 0)


@pytest.mark.parametrize("horizon", [10**6, 10**30])
def test_the_sharp_numbers_of_the_pair_rule_are_those_of_its_claims(horizon):
    """`pairs.sharp.*` with kappa = 2, s = 4 and delta = 1/50: M is the least that its two conditions allow."""
    found = sharp_bounds(quantities(UNEVEN, "zero", horizon, policy="pairs:2"), "1/50")
    delta, log, smallest = 1 / 50, math.log(horizon), 1 / 6
    reach = 3 / 2 * (1 + 1 / smallest) ** 2 * 5 * 5
    most = math.ceil(reach * log / (2 * delta**2))
    f = math.log(horizon * horizon.bit_length()) + math.log((4 * most + 4) / 4)
    assert f * (3 * most + 5 * 4) / (2 * most**2) < (smallest - 2 * delta) ** 2
    c = 1 / delta**2 + 2 * reach / delta**2 * (1 + 1 / (2 * delta**2))
    failures = 2 * float(rare_failures(1, horizon)) + 3 * (2 + 1 / delta**2)
    others = [min(0.75 * f / (gap - 2 * delta) ** 2 + 4, horizon - 1) + c for gap in (1 / 4, 1 / 6)]
    own = 1.5 * f / (smallest - 2 * delta) ** 2 + 20 / 3 + c
    assert float(found.queries.evaluate()) == pytest.approx(sum(others) + own + 3 + failures, rel=1e-12)
    regret = others[0] / 4 + others[1] / 6 + (3 + failures) / 4
    assert float(found.regret.evaluate()) == pytest.approx(regret, rel=1e-12)
    assert found.regret_rate.evaluate().contains(F(3, 4) * 4 + F(3, 4) * 6)
    assert found.queries_rate.evaluate().contains(F(3, 4) * 16 + F(3, 4) * 36 + F(3, 2) * 36)
    with pytest.raises(OutsideDomain, match="below half the smallest gap"):
        sharp_bounds(quantities(UNEVEN, "zero", horizon, policy="pairs:2"), F(1, 12))

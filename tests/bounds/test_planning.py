"""Plans: what is certified of each candidate, and that a plan without means covers every instance it speaks of."""

import math
from fractions import Fraction as F

import pytest

from bufalu.bounds import upper_bounds
from bufalu.bounds.errors import OutsideDomain
from bufalu.bounds.planning import offers, offers_for_any_means, positions
from bufalu.reference.instances import Instance
from bufalu.reference.schedules import parse_schedule

FIVE = Instance.bernoulli([F(1, 4)] * 4 + [F(1, 2)])
HORIZON = 2_000


def test_every_offer_is_a_proved_bound_and_the_cheapest_comes_first():
    found = offers(FIVE, HORIZON, F(1, 10))
    assert [offer.cost for offer in found] == sorted(offer.cost for offer in found)
    assert {offer.policy for offer in found} == {f"dial:{rho}" for rho in positions(FIVE, F(1, 10))}
    for offer in found:
        assert offer.cost == offer.regret + F(1, 10) * offer.queries
        bounds = upper_bounds(FIVE, parse_schedule(offer.epsilon), HORIZON, policy=offer.policy)
        proved = [bounds.sharper_regret.evaluate(), bounds.regret_problem_independent.evaluate()]
        assert offer.regret in {*(bound.upper for bound in proved), FIVE.largest_gap * HORIZON}
        assert offer.regret <= min(bound.upper for bound in proved)
        assert offer.queries <= HORIZON


@pytest.mark.parametrize("gaps", [[F(1, 4)] * 4, [F(1, 4), F(1, 2), F(1, 2), F(1)], [F(1)] * 4])
@pytest.mark.parametrize("horizon", [30, 5_000])
def test_a_plan_without_means_holds_for_every_instance_with_such_gaps(gaps, horizon):
    instance = Instance.deterministic([F(1), *(1 - gap for gap in gaps)])
    for offer in offers_for_any_means(5, F(1, 4), horizon, 1):
        bounds = upper_bounds(instance, parse_schedule(offer.epsilon), horizon, policy=offer.policy)
        assert offer.regret >= min(
            bounds.sharper_regret.evaluate().lower,
            bounds.regret_problem_independent.evaluate().lower,
            F(instance.largest_gap * horizon),
        )
        assert offer.queries >= min(bounds.sharper_queries.evaluate().lower, F(horizon))


def test_a_plan_for_a_smaller_gap_costs_more():
    wide, narrow = (offers_for_any_means(5, gap, 10**6, 1) for gap in (F(1, 4), F(1, 8)))
    assert narrow[0].cost > wide[0].cost


def test_what_cannot_be_planned_is_refused():
    with pytest.raises(OutsideDomain, match="price"):
        offers(FIVE, HORIZON, -1)
    with pytest.raises(OutsideDomain, match="every arm is optimal"):
        offers(Instance.bernoulli([F(1, 2)] * 2), HORIZON, 1)
    for arms, gap, horizon in ((1, F(1, 4), 10), (2, 0, 10), (2, 2, 10), (2, F(1, 4), 1)):
        with pytest.raises(OutsideDomain):
            offers_for_any_means(arms, gap, horizon, 1)


@pytest.mark.parametrize(
    ("arms", "gap", "horizon"), [(2, F(1), 2), (5, F(1, 4), 30), (5, F(1, 4), 5_000), (3, F(1, 10), 10**7)]
)
def test_a_plan_without_means_is_the_formula_in_its_docstring(arms, gap, horizon):
    found = {(offer.policy, offer.epsilon): offer for offer in offers_for_any_means(arms, gap, horizon, 0)}
    log, width = math.log(horizon), float(gap)
    assert {epsilon for _, epsilon in found} == {"zero", f"constant:{F(99, 100) * gap}"}
    for (policy, epsilon), offer in found.items():
        rho = float(F(policy.removeprefix("dial:")))
        level = 0.0 if epsilon == "zero" else 0.99 * width
        others = max(min(width, (width + level) / (1 + rho)), level)
        own = max(rho * width / (1 + rho), level)
        samples = 6 * log / others**2
        any_gaps = 2 * (1 + rho) * math.sqrt(6 * arms * horizon * log) + level * (horizon - arms) + 3 * arms
        regret = min((arms - 1) * width * samples + 3 * arms, any_gaps, horizon)
        queries = min(horizon, (arms - 1) * samples + 6 * log / own**2 + 3 * arms) if own else horizon
        assert (float(offer.regret), float(offer.queries)) == pytest.approx((regret, queries), rel=1e-12)
        assert offer.cost == offer.regret


def test_the_positions_that_are_tried():
    always = {F(1), F(3, 4), F(1, 2), F(1, 4), F(0)}
    nine = Instance.bernoulli([F(1, 2)] + [F(1, 4)] * 8)
    assert set(positions(nine, 0)) == always  # (9 - 1)^(-1/3) is 1/2
    two = Instance.bernoulli([F(1, 2), F(1, 4), F(1, 4)])
    queries_alone = F(2 ** (-1 / 3)).limit_denominator(100)
    assert set(positions(two, 0)) == {*always, queries_alone}
    # A = 2 (1/4 + 1) 16 = 40 and B = 16 for price 1
    assert set(positions(two, 1)) == {*always, queries_alone, F((16 / 40) ** (1 / 3)).limit_denominator(100)}
    tied = Instance.bernoulli([F(1, 2), F(1, 2), F(1, 4)])
    assert set(positions(tied, 1)) == {*always, queries_alone}
    assert list(positions(two, 1)) == sorted(positions(two, 1), reverse=True)


def test_for_tiny_gaps_the_bound_for_any_gaps_is_promised():
    """2 (1 + rho) sqrt(6 K T ln T) + 3 K, the least for rho = 0."""
    arms, horizon = 3, 10**6
    found = [offer for offer in offers_for_any_means(arms, F(1, 10**6), horizon, 0) if offer.epsilon == "zero"]
    wanted = 2 * math.sqrt(6 * arms * horizon * math.log(horizon)) + 3 * arms
    assert float(min(offer.regret for offer in found)) == pytest.approx(wanted, rel=1e-6)

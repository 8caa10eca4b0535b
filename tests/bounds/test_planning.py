"""Plans: what is certified of each candidate, and that a plan without means covers every instance it speaks of."""

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

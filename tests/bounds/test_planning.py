"""Plans: what is certified of each candidate, and that a plan without means covers every instance it speaks of."""

import math
from fractions import Fraction as F

import pytest

from bufalu.bounds import upper_bounds
from bufalu.bounds.errors import OutsideDomain
from bufalu.bounds.pairs import rare_failures
from bufalu.bounds.planning import candidates, offers, offers_for_any_gaps, offers_for_any_means, positions
from bufalu.reference.instances import Instance
from bufalu.reference.schedules import parse_schedule

FIVE = Instance.bernoulli([F(1, 4)] * 4 + [F(1, 2)])
HORIZON = 2_000


def test_every_offer_is_a_proved_bound_and_the_cheapest_comes_first():
    found = offers(FIVE, HORIZON, F(1, 10))
    assert [offer.cost for offer in found] == sorted(offer.cost for offer in found)
    dial = {f"dial:{rho}" for rho in positions(FIVE, F(1, 10))}
    assert {offer.policy for offer in found} == {*dial, "pairs:1", "pairs:2", "pairs:4"}
    assert {each.policy for each in candidates(FIVE, F(1, 10))} == {offer.policy for offer in found}
    for offer in found:
        assert offer.cost == offer.regret + F(1, 10) * offer.queries
        bounds = upper_bounds(FIVE, parse_schedule(offer.epsilon), HORIZON, policy=offer.policy)
        proved = [bounds.sharper_regret.evaluate(), bounds.regret_problem_independent.evaluate()]
        assert offer.regret in {*(bound.upper for bound in proved), FIVE.largest_gap * HORIZON}
        assert offer.regret <= min(bound.upper for bound in proved)
        assert offer.queries <= HORIZON


@pytest.mark.parametrize("gaps", [[F(1, 4)] * 4, [F(1, 4), F(1, 2), F(1, 2), F(1)], [F(1)] * 4])
@pytest.mark.parametrize(("horizon", "interval"), [(30, "hoeffding"), (5_000, "hoeffding"), (5_000, "kl-ucb")])
def test_a_plan_without_means_holds_for_every_instance_with_such_gaps(gaps, horizon, interval):
    instance = Instance.deterministic([F(1), *(1 - gap for gap in gaps)])
    for offer in offers_for_any_means(5, F(1, 4), horizon, 1, interval):
        bounds = upper_bounds(
            instance, parse_schedule(offer.epsilon), horizon, offer.candidate.interval, offer.policy
        )
        assert offer.regret >= min(
            bounds.sharper_regret.evaluate().lower,
            bounds.regret_problem_independent.evaluate().lower,
            F(instance.largest_gap * horizon),
        )
        assert offer.queries >= min(bounds.sharper_queries.evaluate().lower, bounds.quantities.all_queries)


def test_a_plan_for_a_smaller_gap_costs_more():
    wide, narrow = (offers_for_any_means(5, gap, 10**6, 1) for gap in (F(1, 4), F(1, 8)))
    assert narrow[0].cost > wide[0].cost


@pytest.mark.parametrize(
    "plan",
    [
        lambda interval: offers(FIVE, 10**5, F(1, 10), interval),
        lambda interval: offers_for_any_means(5, F(1, 4), 10**5, F(1, 10), interval),
        lambda interval: offers_for_any_gaps(5, 10**5, 0, interval),
    ],
)
def test_with_a_tighter_interval_the_dial_costs_less_and_the_pair_rule_the_same(plan):
    """At 100,000 rounds 2 (ln T + 3 ln ln T) is 0.55 times 6 ln T, and 8K for 2K is little beside it."""
    wide, tight = ({(o.policy, o.epsilon): o.cost for o in plan(interval)} for interval in ("hoeffding", "kl-ucb"))
    assert wide.keys() == tight.keys()
    for (policy, epsilon), cost in wide.items():
        assert (tight[policy, epsilon] == cost) if policy.startswith("pairs") else (tight[policy, epsilon] <= cost)
    assert tight["dial:1", "zero"] < F(4, 5) * wide["dial:1", "zero"]


def test_what_cannot_be_planned_is_refused():
    with pytest.raises(OutsideDomain, match="depends on their variances"):
        offers_for_any_means(5, F(1, 4), HORIZON, 1, "bernstein")
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
    width = float(gap)
    assert {epsilon for _, epsilon in found} == {"zero", f"constant:{F(99, 100) * gap}"}
    for (policy, epsilon), offer in found.items():
        family, _, place = policy.partition(":")
        level = 0.0 if epsilon == "zero" else 0.99 * width
        rule = {"dial": dialled, "pairs": paired}[family](float(F(place)), arms, width, level, horizon)
        arm, other, own, any_gaps, overhead = rule
        regret = min((arms - 1) * arm + overhead, any_gaps + level * (horizon - arms) + overhead, horizon)
        assert float(offer.regret) == pytest.approx(regret, rel=1e-9)
        queries = min((arms - 1) * min(other, horizon - 1) + min(own, horizon - 1) + overhead, horizon)
        assert float(offer.queries) <= queries * (1 + 1e-9)
        if epsilon == "zero":
            assert float(offer.queries) == pytest.approx(queries, rel=1e-9)
        assert offer.cost == offer.regret


def dialled(rho, arms, width, level, horizon):
    log = math.log(horizon)
    others = max(min(width, (width + level) / (1 + rho)), level)
    own = max(rho * width / (1 + rho), level)
    any_gaps = 2 * (1 + rho) * math.sqrt(6 * arms * horizon * log)
    other = 6 * log / others**2
    return width * other, other, 6 * log / own**2 if own else horizon, any_gaps, 3 * arms


def paired(kappa, arms, width, level, horizon):
    """The numbers of `pairs.theorem.*`; what an arm adds to the regret is largest at gap `width` or at gap 1."""
    f = math.log(horizon * horizon.bit_length()) + math.log((horizon - 1 + 4) / 4)
    shift = 4 * (1 + kappa**2) / (1 + kappa)

    def root(scale, added, gap):
        """The n with gap^2 n^2 = scale (n + added)."""
        return (scale + math.sqrt(scale**2 + 4 * added * gap**2 * scale)) / (2 * gap**2)

    def number(leader, challenger, gap):
        return max(root(leader * f, shift, gap), root(challenger * f, 4, gap))

    factors = (1 + kappa) / 2, 2 * (1 + 1 / kappa)
    arm = max(gap * number(*factors, gap) for gap in (width, 1))
    own = number(2 * (1 + kappa), (1 + 1 / kappa) / 2, width)
    any_gaps = 2 * math.sqrt(max(factors) * arms * horizon * f) + arms * max(shift, 4)
    failures = (arms - 1) * float(rare_failures(1, horizon))
    return arm, number(*factors, width), own, any_gaps, arms + failures


def test_a_plan_for_any_gaps_holds_for_every_instance():
    """Regret by the bound for any gaps, queries by the cap: larger than what is known of any instance with such arms."""
    found = offers_for_any_gaps(3, 5_000, F(1, 10))
    assert {offer.epsilon for offer in found} == {"zero", "power:1/4", "power:1/3", "inverse-log", "budget:4575"}
    for instance in (Instance.deterministic([1, F(1, 2), F(1, 2)]), Instance.bernoulli([F(1, 2), F(1, 2), F(1, 3)])):
        for offer in found:
            bounds = upper_bounds(instance, parse_schedule(offer.epsilon), 5_000, policy=offer.policy)
            regret = min(bounds.regret_problem_independent.evaluate().lower, F(instance.largest_gap * 5_000))
            assert offer.regret >= regret
            assert offer.queries == bounds.quantities.all_queries
    assert len({offer.epsilon for offer in offers_for_any_gaps(3, 5_000, 0)}) == 4
    for arms, horizon, price in ((1, 10, 1), (2, 1, 1), (2, 10, -1)):
        with pytest.raises(OutsideDomain):
            offers_for_any_gaps(arms, horizon, price)


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
    offered = offers_for_any_means(arms, F(1, 10**6), horizon, 0)
    found = [offer for offer in offered if offer.epsilon == "zero" and offer.candidate.family == "dial"]
    wanted = 2 * math.sqrt(6 * arms * horizon * math.log(horizon)) + 3 * arms
    assert float(min(offer.regret for offer in found)) == pytest.approx(wanted, rel=1e-6)

"""The bounds of the dial: BuFALU's at rho = 1, closed forms in between, refusals where there is no theorem."""

from fractions import Fraction
from itertools import pairwise

import pytest

from bufalu.bounds import Enclosure, Truth, upper_bounds
from bufalu.bounds.dial import best_position, excess, position_for_queries, price_bound, price_constants, rounded
from bufalu.bounds.errors import NoTheorem, OutsideDomain
from bufalu.reference.instances import Instance
from bufalu.reference.schedules import parse_schedule

UNIQUE = Instance.bernoulli([Fraction(1, 4), Fraction(1, 3), Fraction(1, 2)])
SEVERAL = Instance.bernoulli([Fraction(1, 4), Fraction(1, 2), Fraction(1, 2)])
SCHEDULES = ["zero", "power:1/4", "inverse-log", "constant:1/8"]


def values(bounds):
    return [(bound.evaluate().lower, bound.evaluate().upper) for bound in bounds.bounds]


@pytest.mark.parametrize("confidence", ["hoeffding", "bernstein"])
@pytest.mark.parametrize("epsilon", SCHEDULES)
def test_at_one_the_theorem_is_the_papers(epsilon, confidence):
    for instance in (UNIQUE, SEVERAL):
        schedule = parse_schedule(epsilon)
        paper = upper_bounds(instance, schedule, 5000, confidence)
        assert values(upper_bounds(instance, schedule, 5000, confidence, "dial:1")) == values(paper)


@pytest.mark.parametrize("epsilon", SCHEDULES)
def test_bufau_is_the_dial_at_zero(epsilon):
    for instance in (UNIQUE, SEVERAL):
        schedule = parse_schedule(epsilon)
        assert values(upper_bounds(instance, schedule, 5000, policy="bufau")) == values(
            upper_bounds(instance, schedule, 5000, policy="dial:0")
        )


@pytest.mark.parametrize("rho", [Fraction(1, 20), Fraction(1, 4), Fraction(1, 2), Fraction(9, 10), Fraction(1)])
def test_the_levels_are_those_of_the_theorem(rho):
    horizon, log = 10**7, Enclosure.of(10**7).log()
    bounds = upper_bounds(UNIQUE, parse_schedule("zero"), horizon, policy=f"dial:{rho}")
    gaps = [gap for gap in UNIQUE.gaps if gap]
    regret = sum((6 * (1 + rho) ** 2 * log / gap for gap in gaps), start=Enclosure.of(0)) + 9 * max(gaps)
    assert abs(float(bounds.regret.evaluate()) - float(regret)) < 1e-6 * float(regret)
    smallest = min(gaps)
    counts = sum((6 * (1 + rho) ** 2 * log / gap**2 for gap in gaps), start=Enclosure.of(0))
    counts = counts + 6 * (1 + 1 / rho) ** 2 * log / smallest**2 + 9
    assert abs(float(bounds.queries.evaluate()) - float(counts)) < 1e-6 * float(counts)
    free = 2 * (1 + rho) * (Enclosure.of(6 * 3 * horizon) * log).sqrt() + 9 * max(gaps)
    assert abs(float(bounds.regret_problem_independent.evaluate()) - float(free)) < 1e-6 * float(free)


@pytest.mark.parametrize("epsilon", SCHEDULES)
def test_the_sharper_bounds_are_never_larger_and_regret_falls_with_rho(epsilon):
    schedule = parse_schedule(epsilon)
    found = [upper_bounds(UNIQUE, schedule, 5000, policy=f"dial:{rho}") for rho in ("0", "1/4", "1/2", "1")]
    for bounds in found:
        assert bounds.sharper_regret.evaluate().lower <= bounds.regret.evaluate().upper
        assert bounds.sharper_queries.evaluate().lower <= bounds.queries.evaluate().upper
    for narrow, wide in pairwise(found):
        assert narrow.regret.evaluate().lower <= wide.regret.evaluate().upper


def test_several_optima_leave_the_dial_without_effect():
    schedule = parse_schedule("power:1/4")
    plain = upper_bounds(SEVERAL, schedule, 5000)
    dialled = upper_bounds(SEVERAL, schedule, 5000, policy="dial:1/3")
    for name in ("query_cap", "regret", "queries"):
        assert getattr(plain, name).evaluate().lower == getattr(dialled, name).evaluate().lower


@pytest.mark.parametrize("policy", ["greedy", "cbm-ucb"])
def test_no_theorem_of_another_policy_is_applied(policy):
    with pytest.raises(NoTheorem, match=policy):
        upper_bounds(UNIQUE, parse_schedule("zero"), 100, policy=policy)


@pytest.mark.parametrize("price", [Fraction(1, 1000), Fraction(1, 10), 1, 100])
def test_the_best_position_is_a_stationary_point_or_the_end(price):
    best = best_position(UNIQUE, price)
    at_best = price_bound(UNIQUE, price, 1).expression.substitute({"rho": best.expression})
    others, own = price_constants(UNIQUE, price)
    least = at_best.evaluate({"A": others, "B": own})
    for rho in (Fraction(n, 50) for n in range(1, 51)):
        bound = price_bound(UNIQUE, price, rho)
        assert least.lower <= bound.evaluate().upper
        assert [term.label for term in bound.terms] == ["suboptimal arms", "the optimal arm"]
        assert excess(UNIQUE, price, rho).upper >= 1
    slope = price_bound(UNIQUE, price, 1).expression.derivative("rho").substitute({"rho": best.expression})
    at_the_end = (best.evaluate() < 1) is not Truth.TRUE
    assert at_the_end or abs(float(slope.evaluate({"A": others, "B": own}))) < 1e-9 * float(least)
    assert float(excess(UNIQUE, price, rounded(best))) < 1.001


def test_a_wrong_exponent_would_be_noticed():
    price, wrong = Fraction(1, 10), Fraction(1, 2)
    others, own = price_constants(UNIQUE, price)
    square_root = Fraction(float(own / others) ** float(wrong)).limit_denominator(100)
    assert excess(UNIQUE, price, square_root).lower > 1.001


def test_for_queries_alone_and_equal_gaps_the_position_needs_no_gaps():
    equal = Instance.bernoulli([Fraction(1, 4)] * 4 + [Fraction(1, 2)])
    huge = best_position(equal, 10**12).evaluate()
    assert abs(float(huge) - float(position_for_queries(5).evaluate())) < 1e-9
    assert rounded(position_for_queries(5)) == Fraction(63, 100)


def test_where_there_is_no_best_position_none_is_given():
    for instance, price in ((SEVERAL, 1), (Instance.bernoulli([Fraction(1, 2)]), 1), (UNIQUE, 0), (UNIQUE, -1)):
        with pytest.raises(OutsideDomain):
            best_position(instance, price)
    for rho in (0, Fraction(3, 2)):
        with pytest.raises(OutsideDomain):
            price_bound(UNIQUE, 1, rho)
    with pytest.raises(OutsideDomain):
        position_for_queries(1)

"""The bounds of the dial: BuFALU's at rho = 1, closed forms in between, refusals where there is no theorem."""

from fractions import Fraction
from itertools import pairwise

import pytest

from bufalu.bounds import Enclosure, upper_bounds
from bufalu.bounds.errors import NoTheorem
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

"""Mass that is dropped is exactly what is said: states below the threshold, each from the round in which it arrives."""

from fractions import Fraction as F

import pytest

from bufalu.law import NoExactLaw, TooManyStates, exact_law
from bufalu.law import walk as walk_module
from bufalu.law.law import Value
from bufalu.reference.comparisons import first
from bufalu.reference.confidence import confidence_named
from bufalu.reference.exact import ZERO
from bufalu.reference.instances import Instance
from bufalu.reference.policies import policy_named
from bufalu.reference.state import State
from bufalu.reference.view import ExactView


def plays_and_missing(instance: Instance, horizon: int, negligible: F) -> tuple[list[F], list[F]]:
    """The definition, state by state, for CBM-UCB with epsilon = 0, which queries in every round."""
    policy, interval, arms = policy_named("cbm-ucb"), confidence_named("hoeffding"), instance.number_of_arms
    waiting = {((0, 0),) * arms: F(1)}
    plays, missing, lost = [F(0)] * arms, [], F(0)
    for number in range(1, horizon + 1):
        kept = {row: mass for row, mass in waiting.items() if mass >= negligible}
        lost += sum(waiting.values()) - sum(kept.values())
        missing.append(lost)
        waiting = {}
        for row, mass in kept.items():
            state = State(arms)
            for arm, (zeros, ones) in enumerate(row, start=1):
                for reward in [0] * zeros + [1] * ones:
                    state.record(arm, reward)
            decision = policy.decide(ExactView(state, interval, number, ZERO), first)
            assert decision.query
            plays[decision.arm - 1] += mass
            for value, chance in zip(*arm_law(instance, decision.arm), strict=True):
                zeros, ones = row[decision.arm - 1]
                moved = list(row)
                moved[decision.arm - 1] = (zeros + (value == 0), ones + (value == 1))
                waiting[tuple(moved)] = waiting.get(tuple(moved), F(0)) + mass * chance
    return plays, missing


def arm_law(instance: Instance, arm: int) -> tuple[tuple[F, ...], tuple[F, ...]]:
    return instance.arms[arm - 1].values, instance.arms[arm - 1].probabilities


@pytest.mark.parametrize("few", [0, 8])
@pytest.mark.parametrize("negligible", [F(0), F(1, 64), F(1, 16), F(1, 8), F(1, 3)])
@pytest.mark.parametrize("means", [(F(1, 2),), (F(1, 2), F(1, 4)), (F(1, 2), F(1, 2))])
def test_states_below_the_threshold_are_dropped_and_no_others(means, negligible, few, monkeypatch):
    """1/8 and 1/16 are probabilities of states: those are kept."""
    monkeypatch.setattr(walk_module, "FEW_STATES", few)
    instance, horizon = Instance.bernoulli(list(means)), 7
    plays, missing = plays_and_missing(instance, horizon, negligible)
    found = exact_law(instance, "zero", horizon, policy="cbm-ucb", negligible=negligible)
    assert [value.lower for value in found.expected_plays()] == plays
    assert [found.dropped_mass(t) for t in range(horizon + 1)] == [sum(missing[:t]) for t in range(horizon + 1)]
    assert [value.upper - value.lower for value in found.expected_plays()] == [sum(missing)] * len(means)
    regret = found.expected_regret()
    assert regret.upper - regret.lower == instance.largest_gap * sum(missing)
    assert sum(found.query_distribution().values()) == 1 - missing[-1]


def test_states_beyond_the_limit_are_refused(monkeypatch):
    """One fair arm has one state more after each round."""
    instance = Instance.bernoulli([F(1, 2)])
    monkeypatch.setattr(walk_module, "MOST_STATES", 10)
    assert exact_law(instance, "zero", 9, policy="cbm-ucb").states == sum(range(1, 10))
    with pytest.raises(TooManyStates, match="round 11 has 11 states"):
        exact_law(instance, "zero", 10, policy="cbm-ucb")


@pytest.mark.parametrize("negligible", [F(1), -F(1, 10**9)])
def test_a_threshold_is_a_probability_below_one(negligible):
    with pytest.raises(NoExactLaw, match="negligible"):
        exact_law(Instance.bernoulli([F(1, 2)]), "zero", 2, negligible=negligible)


def test_a_value_between_two_ends_is_shown_as_such():
    assert repr(Value(F(1), F(2))) == "<between 1 and 2>"
    assert repr(Value(F(1, 2), F(1, 2))) == "<0.5 = 1/2>"
    assert repr(Value(F(10**39), F(10**39))) == f"<1e+39 = {10**39}>"
    assert repr(Value(F(10**40), F(10**40))) == "<1e+40, exactly known>"
    assert float(Value(F(1), F(2))) == 1.5
    assert Value(F(1), F(1)).is_exact and not Value(F(1), F(2)).is_exact

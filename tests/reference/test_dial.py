"""The dial: its definition read by the letter, BuFALU at 1 and BuFAU at 0 tie for tie, refusals, whole runs."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bufalu import (
    Dial,
    Instance,
    LivePolicy,
    SeededRewards,
    Trace,
    TraceHeader,
    check_trace,
    parse_schedule,
    simulate,
)
from bufalu.reference.comparisons import first, last
from bufalu.reference.errors import InvalidNumber, UnknownName
from bufalu.reference.policies import BUFALU, BUFAU, Decision, DialPolicy, policy_named
from tests.reference.test_policies import INFINITY, GridView, largest, views

POSITIONS = [Fraction(0), Fraction(1, 20), Fraction(1, 4), Fraction(1, 2), Fraction(7, 10), Fraction(1)]


def by_the_letter(v, rho):
    """The two conditions for the candidate as they are stated, then the query rule as printed."""
    arms = range(1, v.arms + 1)
    outcomes = set()
    for leader in largest(arms, v.lcb):
        rest = [a for a in arms if a != leader]
        if not rest:
            outcomes.add(Decision(leader, False))
        for challenger in largest(rest, v.ucb):
            allowed = set()
            if v.ucb(leader) >= v.ucb(challenger) and (rho == 0 or v.width(leader) >= rho * v.width(challenger)):
                allowed.add(leader)
            if v.ucb(leader) <= v.ucb(challenger) or (rho > 0 and v.width(leader) <= rho * v.width(challenger)):
                allowed.add(challenger)
            for candidate in allowed:
                stop = v.ucb(challenger) <= v.lcb(leader) or v.ucb(candidate) - v.lcb(leader) <= v.epsilon
                outcomes.add(Decision(leader, False) if stop else Decision(candidate, True))
    return outcomes


@given(views(), st.sampled_from(POSITIONS))
def test_the_relation_is_the_definition(view, rho):
    assert set(DialPolicy(rho).admissible(view)) == by_the_letter(view, rho)


@example(GridView([-INFINITY, -INFINITY], [INFINITY, INFINITY], [0, 0], 0, 2, 1))
@given(views())
def test_the_ends_of_the_dial_are_bufalu_and_bufau_with_reasons_and_ties(view):
    for rho, policy in ((1, BUFALU), (0, BUFAU)):
        assert DialPolicy(rho).admissible(view) == policy.admissible(view)
        for ties in (first, last):
            assert DialPolicy(rho).decide(view, ties) == policy.decide(view, ties)


def test_the_middle_differs_from_both_ends():
    # The leader is narrower than the challenger, yet wider than half of it, and its UCB is the largest.
    view = GridView([Fraction(1, 2), 0], [Fraction(5, 4), 1], [0, 0], 0, 2, 9)
    assert set(BUFALU.admissible(view)) == {Decision(2, True)}
    assert set(DialPolicy(Fraction(1, 2)).admissible(view)) == {Decision(1, True)}
    # Narrower than half of it: the challenger, where BuFAU would still take the leader.
    thin = GridView([Fraction(3, 4), 0], [Fraction(1), Fraction(3, 4) + Fraction(1, 8)], [0, 0], 0, 2, 9)
    assert set(BUFAU.admissible(thin)) == {Decision(1, True)}
    assert set(DialPolicy(Fraction(1, 2)).admissible(thin)) == {Decision(2, True)}


INSTANCE = Instance.bernoulli([Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)])


def run_of(policy, epsilon, horizon, confidence="hoeffding"):
    live = LivePolicy(policy, 3, confidence)
    rounds = simulate(live, INSTANCE, parse_schedule(epsilon), horizon, SeededRewards(INSTANCE, 3))
    return Trace(TraceHeader(policy, confidence, 3, epsilon), tuple(rounds))


@pytest.mark.parametrize("confidence", ["hoeffding", "bernstein"])
@pytest.mark.parametrize(("text", "same"), [("dial:1", "bufalu"), ("dial:0", "bufau")])
def test_whole_runs_at_the_ends_are_the_same(text, same, confidence):
    ends = [run_of(name, "power:1/4", 400, confidence) for name in (text, same)]
    assert ends[0].rounds == ends[1].rounds
    assert all(check_trace(run, strict=True).conforms for run in ends)


def test_a_run_in_the_middle_conforms_to_itself_alone():
    run = run_of("dial:1/2", "zero", 3000)
    assert check_trace(run, strict=True).conforms
    for other in ("dial:1/4", "bufalu", "bufau"):
        assert not check_trace(replace(run, header=replace(run.header, policy=other)), strict=True).conforms


@pytest.mark.parametrize("text", ["dial", "dial:", "dial:2", "dial:-1/2", "dial:x", "dial:1/0"])
def test_what_is_no_position_of_the_dial_is_refused(text):
    with pytest.raises(UnknownName, match="dial"):
        policy_named(text)


def test_a_live_dial_takes_rho_as_people_have_it():
    for rho in (0.5, "0.5", "1/2", Fraction(1, 2)):
        assert Dial(rho, arms=2).rule == DialPolicy(Fraction(1, 2))
    with pytest.raises(InvalidNumber, match="between 0 and 1"):
        Dial(1.5, arms=2)

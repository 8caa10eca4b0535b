"""How a decision is explained agrees with the decision, at the very epsilon where it changes."""

import random
from fractions import Fraction

import pytest

from bufalu.reference.comparisons import first
from bufalu.reference.confidence import ConfidenceInterval, confidence_named
from bufalu.reference.exact import ZERO, Exact, rational_form
from bufalu.reference.policies import policy_named
from bufalu.reference.policies.decisions import ComparisonStep, Roles, RoleStep
from bufalu.reference.state import State
from bufalu.reference.view import ExactView, maximisers

POLICIES = ("bufalu", "bufau", "cbm-ucb", "greedy", "dial:1/2", "ucb")


class Inverse(ConfidenceInterval):
    """1/n: arms with the same UCB may be known unequally well, which the paper's intervals do not allow."""

    text = "inverse"

    def radius_form(self, queries, variance, round_number):
        return rational_form(Fraction(1, queries))


INTERVALS = [confidence_named("hoeffding"), confidence_named("bernstein"), Inverse()]
RELATIONS = {"<=": lambda x, y: x <= y, ">": lambda x, y: y < x}


def states(interval: str) -> list[tuple[State, int]]:
    """A few states of two to four arms, some with ties, each with a round; in either order of the arms.

    In the last one 1/2 + 1/2 and 3/4 + 1/4 are equal.
    """
    generator = random.Random(interval)
    found = []
    for arms in (2, 2, 3, 3, 4):
        state = State(arms)
        for arm in range(1, arms + 1):
            for _ in range(generator.choice([2, 2, 3, 9, 40])):
                state.record(arm, Fraction(generator.choice([0, 1, 1, 2, 4]), 4))
        found.append((state, state.all_queries + generator.choice([1, 20])))
    tied = State(2)
    for arm, reward in [(1, Fraction(1, 2))] * 2 + [(2, Fraction(3, 4))] * 4:
        tied.record(arm, reward)
    found.append((tied, 7))
    for state, number in tuple(found):
        mirrored = state.copy()
        mirrored.records.reverse()
        found.append((mirrored, number))
    return found


def comparisons(policy, view):
    steps = [step for step in policy.steps(view) if isinstance(step, ComparisonStep)]
    for step in steps:
        assert step.holds == RELATIONS[step.relation](step.left, step.right), step
    return steps


@pytest.mark.parametrize("confidence", INTERVALS, ids=lambda interval: interval.text)
@pytest.mark.parametrize("name", POLICIES)
def test_steps_and_decision_change_at_the_same_epsilon(name, confidence):
    policy = policy_named(name)
    for state, number in states(confidence.text):
        side = policy.epsilon_side(ExactView(state, confidence, number, ZERO))
        tiny = Exact.of(Fraction(1, 10**40))
        told = []
        for epsilon in (side - tiny, side, side + tiny):
            view = ExactView(state, confidence, number, epsilon)
            steps = comparisons(policy, view)
            decision = policy.decide(view, first)
            if name == "ucb":
                assert decision.query and not policy.uses_epsilon
            elif name == "greedy":
                assert decision.query == (not steps[-1].holds)
            else:
                assert decision.query == (not any(step.holds for step in steps))
                assert steps[-1].left == side
            told += [step.holds for step in steps[-1:]]
        if name == "greedy":
            assert told == [False, False, True]
        elif name != "ucb":
            assert told == [False, True, True]


@pytest.mark.parametrize("confidence", INTERVALS, ids=lambda interval: interval.text)
@pytest.mark.parametrize("name", POLICIES)
def test_the_arms_of_each_step_are_those_of_the_definition(name, confidence):
    policy = policy_named(name)
    for state, number in states(confidence.text):
        view = ExactView(state, confidence, number, ZERO)
        everyone = range(1, state.arms + 1)
        wanted = {
            "leader": maximisers(everyone, view.lcb),
            "largest UCB": maximisers(everyone, view.ucb),
            "largest mean": maximisers(everyone, view.mean),
        }
        leader = wanted["leader"][0]
        wanted["challenger"] = maximisers([arm for arm in everyone if arm != leader], view.ucb)
        pair = sorted((leader, wanted["challenger"][0]))
        wanted["candidate"] = maximisers(*((pair, view.width) if name == "bufalu" else (everyone, view.ucb)))
        for step in policy.steps(view):
            if isinstance(step, RoleStep) and not (step.role == "candidate" and name.startswith("dial")):
                assert list(step.arms) == wanted[step.role], step
                spoken_of = step.role in ("leader", "challenger")
                assert step.chosen == (step.arms[0] if spoken_of else None), step


def test_the_pair_rule_tells_its_roles_and_the_index_that_meets_epsilon():
    policy, confidence = policy_named("pairs:2"), confidence_named("hoeffding")
    tiny = Exact.of(Fraction(1, 10**40))
    for state, number in states("hoeffding"):
        view = ExactView(state, confidence, number, ZERO)
        leaders = maximisers(range(1, state.arms + 1), view.mean)
        others = [arm for arm in range(1, state.arms + 1) if arm != leaders[0]]
        index = {
            arm: view.mean(arm) - view.mean(leaders[0]) + view.pair_radius(arm, leaders[0], policy.spread)
            for arm in others
        }
        challengers = maximisers(others, index.__getitem__)
        assert policy.roles(view) == (leaders, challengers)
        side = policy.epsilon_side(view)
        assert side == index[challengers[0]]
        for epsilon, stops in ((side - tiny, False), (side, True), (side + tiny, True)):
            beside = ExactView(state, confidence, number, epsilon)
            assert policy.decide(beside, first).query is not stops
            within, _ = comparisons(policy, beside)
            assert (within.left, within.holds) == (side, stops)


@pytest.mark.parametrize("confidence", INTERVALS, ids=lambda interval: interval.text)
@pytest.mark.parametrize("name", ["cbm-ucb", "greedy", "ucb"])
def test_a_policy_without_candidates_of_its_own_has_the_arms_of_largest_ucb(name, confidence):
    for state, number in states(confidence.text):
        view = ExactView(state, confidence, number, ZERO)
        found = policy_named(name).first_candidates(view, Roles(view))
        assert found == maximisers(range(1, state.arms + 1), view.ucb)

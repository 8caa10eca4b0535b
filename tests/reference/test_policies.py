"""The rules against an independent reading of the paper's pseudo-code, on every selection from every argmax."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.reference.comparisons import RandomTies, first, last
from bufalu.reference.errors import NoDecision, OutOfTurn, UnknownName
from bufalu.reference.live import LivePolicy
from bufalu.reference.policies import POLICIES, Decision, Policy, Reason, policy_named

INFINITY = float("inf")


class GridView:
    """Intervals on a coarse grid, so that ties of every kind are common. Works for fractions and for doubles."""

    def __init__(self, lower, upper, means, epsilon, queries, log, number=Fraction, round_number=None):
        self.arms = len(lower)
        self.round = self.arms + 1 if round_number is None else round_number
        self.number = number
        self.epsilon = number(epsilon)
        self._lower, self._upper, self._means = lower, upper, means
        self._queries, self._log = queries, log

    def cast(self, value):
        return value if value in (INFINITY, -INFINITY) else self.number(value)

    def lcb(self, arm):
        return self.cast(self._lower[arm - 1])

    def ucb(self, arm):
        return self.cast(self._upper[arm - 1])

    def width(self, arm):
        return self.cast(self._upper[arm - 1] - self._lower[arm - 1])

    def mean(self, arm):
        return self.cast(self._means[arm - 1])

    def all_queries(self):
        return self.number(self._queries)

    def log(self):
        return self.number(self._log)


quarters = st.integers(-2, 6).map(lambda n: Fraction(n, 4))


@st.composite
def views(draw, number=Fraction, max_arms=4):
    arms = draw(st.integers(1, max_arms))
    lower, upper = [], []
    for _ in range(arms):
        if draw(st.integers(0, 5)) == 0:
            lower.append(-INFINITY)
            upper.append(INFINITY)
        else:
            ends = sorted((draw(quarters), draw(quarters)))
            lower.append(ends[0])
            upper.append(ends[1])
    means = [draw(quarters) for _ in range(arms)]
    epsilon = draw(st.integers(0, 6).map(lambda n: Fraction(n, 4)))
    return GridView(lower, upper, means, epsilon, draw(st.integers(0, 9)), draw(st.integers(1, 9)), number)


def largest(arms, value):
    top = max((value(a) for a in arms), default=-INFINITY)
    return [a for a in arms if value(a) == top]


def paper_bufalu(v):
    """l.371-389 and l.405, read by the letter: any l, u, c from the argmax sets."""
    arms = range(1, v.arms + 1)
    outcomes = set()
    for leader in largest(arms, v.lcb):
        rest = [a for a in arms if a != leader]
        if not rest:
            outcomes.add(Decision(leader, False))
        for challenger in largest(rest, v.ucb):
            for candidate in largest({leader, challenger}, v.width):
                stop = v.ucb(challenger) <= v.lcb(leader) or v.ucb(candidate) - v.lcb(leader) <= v.epsilon
                outcomes.add(Decision(leader, False) if stop else Decision(candidate, True))
    return outcomes


def paper_bufau(v):
    """l.1377-1394."""
    arms = range(1, v.arms + 1)
    outcomes = set()
    for leader, candidate in product(largest(arms, v.lcb), largest(arms, v.ucb)):
        rivals = max((v.ucb(a) for a in arms if a != leader), default=-INFINITY)
        stop = rivals <= v.lcb(leader) or v.ucb(candidate) - v.lcb(leader) <= v.epsilon
        outcomes.add(Decision(leader, False) if stop else Decision(candidate, True))
    return outcomes


def paper_cbm(v):
    """l.1397-1414."""
    arms = range(1, v.arms + 1)
    return {Decision(u, not v.width(u) <= v.epsilon) for u in largest(arms, v.ucb)}


def paper_greedy(v):
    """l.1417-1435 with B(t) = 6 K ln t / epsilon^2 + K, by division."""
    arms = range(1, v.arms + 1)
    slack = INFINITY if v.epsilon == 0 else 6 * v.arms * v.log() / v.epsilon**2
    if v.all_queries() - v.arms + 1 > slack:
        return {Decision(a, False) for a in largest(arms, v.mean)}
    return {Decision(a, True) for a in largest(arms, v.ucb)}


PAPER = {"bufalu": paper_bufalu, "bufau": paper_bufau, "cbm-ucb": paper_cbm, "greedy": paper_greedy}


@pytest.mark.parametrize("name", POLICIES)
@given(view=views())
def test_admissible_is_the_relation_of_the_paper(name, view):
    assert set(POLICIES[name].admissible(view)) == PAPER[name](view)


@pytest.mark.parametrize("name", [*POLICIES, "dial:1/20", "dial:1/2"])
@given(view=views(), data=st.data())
def test_every_tie_break_is_admissible(name, view, data):
    rule = policy_named(name)
    allowed = rule.admissible(view)
    for ties in (first, last, RandomTies(3), lambda tied: data.draw(st.sampled_from(list(tied)))):
        assert rule.decide(view, ties) in allowed


@pytest.mark.parametrize("name", POLICIES)
@given(view=views(max_arms=3))
def test_every_admissible_decision_comes_from_some_tie_break(name, view):
    rule = POLICIES[name]
    reached = set()
    for script in product(range(3), repeat=3):
        choices = iter(script)
        reached.add(rule.decide(view, lambda tied, choices=choices: tied[next(choices) % len(tied)]))
    assert reached == set(rule.admissible(view))


@pytest.mark.parametrize("name", POLICIES)
@given(view=views(number=float))
def test_the_same_code_runs_on_doubles(name, view):
    # Quarters are exact in doubles, so the outcome must be the same.
    exact = GridView(view._lower, view._upper, view._means, Fraction(view.epsilon), view._queries, view._log)
    assert POLICIES[name].admissible(view) == POLICIES[name].admissible(exact)


@pytest.mark.parametrize("name", POLICIES)
def test_initial_rounds_play_and_query_each_arm_once(name):
    for round_number in (1, 2, 3):
        view = GridView([0, 0, 0], [1, 1, 1], [0, 0, 0], 9, 0, 1, round_number=round_number)
        decision = Decision(round_number, True)
        assert POLICIES[name].decide(view, last) == decision
        assert POLICIES[name].admissible(view) == {decision: frozenset({Reason.INITIAL})}


def test_one_arm_is_never_queried_again_by_the_separating_policies():
    view = GridView([0], [1], [0], 0, 1, 1)
    for name in ("bufalu", "bufau"):
        assert POLICIES[name].admissible(view) == {Decision(1, False): frozenset({Reason.SEPARATED})}
    assert set(POLICIES["cbm-ucb"].admissible(view)) == {Decision(1, True)}
    assert set(POLICIES["greedy"].admissible(view)) == {Decision(1, True)}


def test_first_and_last_differ_where_ties_are_real():
    view = GridView([0, 0, 0], [1, 1, 1], [0, 0, 0], 0, 1, 9)
    for name, rule in POLICIES.items():
        low, high = rule.decide(view, first), rule.decide(view, last)
        assert low != high, name
        assert {low, high} <= set(rule.admissible(view))


def test_reasons_name_both_tests_when_both_stop():
    view = GridView([2, 0], [3, 1], [0, 0], 4, 1, 9)
    assert POLICIES["bufalu"].admissible(view) == {
        Decision(1, False): frozenset({Reason.SEPARATED_AND_WITHIN_EPSILON})
    }


def test_unknown_policies_are_refused_with_the_list():
    with pytest.raises(UnknownName, match="bufalu, bufau, cbm-ucb, greedy"):
        policy_named("ucb1")


class Silent(Policy):
    """Lists nothing."""

    text = "silent"

    def possible(self, view, comparisons):
        return iter(())


@pytest.mark.parametrize("ask", [lambda view: Silent().decide(view, first), lambda view: Silent().admissible(view)])
def test_a_policy_without_a_decision_is_refused(ask):
    view = GridView([0, 0], [1, 1], [0, 0], 1, [1, 1], 1)
    with pytest.raises(NoDecision, match="the policy silent gives no decision in round 3"):
        ask(view)


def test_random_ties_draw_nothing_where_nothing_ties():
    """The choices of a seed are those between ties, however many rounds without one lie between them."""
    sets = [(1, 2), (2, 3, 5), (1, 2, 3, 4)] * 20
    apart, together = RandomTies(7), RandomTies(7)
    assert [apart(one) for two in sets for one in ((4,), two, (9,))][1::3] == [together(one) for one in sets]


def test_claims_speak_of_the_policies_of_this_package_alone():
    for name in ("bufalu", "bufau", "cbm-ucb", "greedy", "dial:1/2", "pairs:2", "ucb"):
        policy = policy_named(name)
        assert policy.ours, name
        assert not type("Derived", (type(policy),), {}).ours, name


def test_an_answer_that_nobody_asked_for_is_refused_with_its_round():
    live = LivePolicy(policy_named("bufalu"), 1, "hoeffding", "first")
    live.decide(1, 0)
    live.observe(1)
    with pytest.raises(OutOfTurn, match=r"no reward was asked for in this round$"):
        live.observe(1)
    with pytest.raises(OutOfTurn, match=r"no reward was asked for in round 1, or it was given already$"):
        live.observe(1, 1)

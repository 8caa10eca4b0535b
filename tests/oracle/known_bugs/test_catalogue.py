"""The rules of the known bugs, unedited, are the reference; the known bugs are named, described and runnable."""

from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.oracle.known_bugs import KNOWN_BUGS, KilledBy, known_bug_named
from bufalu.oracle.known_bugs.edited_rules import UNEDITED_RULES
from bufalu.oracle.known_bugs.made import PairsRule
from bufalu.oracle.tolerance import NearTies
from bufalu.properties.runs.strategies import fractions
from bufalu.reference.comparisons import first, last
from bufalu.reference.confidence import confidence_named
from bufalu.reference.exact import Exact
from bufalu.reference.policies import POLICIES, PairsPolicy, Policy
from bufalu.reference.schedules import Budget
from bufalu.reference.state import State
from bufalu.reference.view import ExactView

ENOUGH_MUTANTS = 30


@st.composite
def views(draw: st.DrawFn) -> ExactView:
    arms = draw(st.integers(1, 5))
    state = State(arms)
    for arm in range(1, arms + 1):
        for reward in draw(st.lists(st.sampled_from([Fraction(i, 4) for i in range(5)]), max_size=6)):
            state.record(arm, reward)
    confidence = confidence_named(draw(st.sampled_from(["hoeffding", "bernstein"])))
    round_number = max(2, state.all_queries + draw(st.integers(0, 3)))
    # A Hoeffding width of n queries as epsilon makes the epsilon test tie.
    width = Budget(draw(st.integers(1, 6))).at(round_number, 1)
    epsilon = draw(st.one_of(fractions(0, 20, 8).map(Exact.of), st.just(width)))
    return ExactView(state, confidence, round_number, epsilon)


PAIRS = [PairsPolicy(1), PairsPolicy(Fraction(3, 2)), PairsPolicy(2, 1)]
UNCHANGED = [
    *((UNEDITED_RULES[name], policy) for name, policy in POLICIES.items()),
    *((PairsRule(policy.text, pairing=policy.pairing), policy) for policy in PAIRS),
]


@pytest.mark.parametrize(("rule", "policy"), UNCHANGED, ids=[policy.text for _, policy in UNCHANGED])
@given(view=views())
def test_the_correct_rules_are_the_reference(rule: Policy, policy: Policy, view: ExactView) -> None:
    assert rule.admissible(view) == policy.admissible(view)
    for ties in (first, last):
        assert rule.decide(view, ties) == policy.decide(view, ties)


@given(views(), st.sampled_from(sorted(POLICIES)))
def test_near_ties_only_add_decisions(view: ExactView, policy: str) -> None:
    judge = NearTies()
    accepted = {decision for decision, _ in UNEDITED_RULES[policy].possible(view, judge)}
    exact = set(POLICIES[policy].admissible(view))
    assert exact <= accepted
    if not judge.ambiguous:
        assert exact == accepted


def test_the_catalogue_is_complete_and_readable() -> None:
    identifiers = [mutant.id for mutant in KNOWN_BUGS]
    assert len(identifiers) == len(set(identifiers)) >= ENOUGH_MUTANTS
    for mutant in KNOWN_BUGS:
        assert mutant.settings(), mutant.id
        assert mutant.description
        assert mutant.effect
        assert mutant.description != mutant.effect
    assert {mutant.place for mutant in KNOWN_BUGS} == set(KilledBy)


@pytest.mark.parametrize(
    ("identifier", "policy", "confidence"),
    [(mutant.id, policy, confidence) for mutant in KNOWN_BUGS for policy, confidence in mutant.settings()],
)
def test_every_mutant_runs(identifier: str, policy: str, confidence: str) -> None:
    mutant = known_bug_named(identifier)
    for arms in (1, 2, 3):
        live = mutant.live(policy, arms, confidence)
        for number, epsilon in zip(range(1, 9), _epsilons(), strict=False):
            decision = live.decide(number, epsilon)
            assert 1 <= decision.arm <= arms
            if decision.query:
                live.observe(Fraction(number % 3, 2))


def _epsilons() -> Iterator[Fraction]:
    while True:
        yield from (Fraction(0), Fraction(3), Fraction(1, 2), Fraction(40))

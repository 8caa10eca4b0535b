"""The policies' code on symbolic reals: proved on every path; wrong rules are refuted by a round in numbers."""

import pytest

from bufalu.properties.smt.code_proofs import prove_admissible, prove_rule, relation
from bufalu.properties.smt.evidence import infinite_choices
from bufalu.properties.smt.solver import Satisfiability, Session
from bufalu.properties.smt.symbolic_views import ReplayView
from bufalu.reference.comparisons import first
from bufalu.reference.policies import POLICIES, Decision, policy_named
from tests.properties.smt.wrong_rules import (
    WRONG_RULES,
    admissible_for_the_first_leader_only,
    dial_at_a_half,
    faithful,
)

EVERY_POLICY = [*sorted(POLICIES), "dial:0", "dial:1", "dial:1/2"]
CHEAP = ("cbm-ucb", "greedy")

PATHS_OF_ANY_TIE_BREAK = {
    ("bufalu", 2): 52,
    ("bufalu", 3): 676,
    ("bufau", 2): 48,
    ("bufau", 3): 796,
    ("cbm-ucb", 2): 8,
    ("cbm-ucb", 3): 28,
    ("greedy", 2): 8,
    ("greedy", 3): 28,
    ("dial:0", 2): 48,
    ("dial:0", 3): 624,
    ("dial:1", 2): 62,
    ("dial:1", 3): 830,
    ("dial:1/2", 2): 70,
    ("dial:1/2", 3): 958,
}


@pytest.mark.parametrize(("policy", "arms"), PATHS_OF_ANY_TIE_BREAK)
def test_every_path_of_every_tie_break_is_in_the_relation(policy, arms):
    proof = prove_rule(policy, arms)
    assert proof.violation is None
    assert proof.paths == PATHS_OF_ANY_TIE_BREAK[policy, arms]
    assert proof.checks > proof.paths


@pytest.mark.parametrize("arms", [2, 3])
@pytest.mark.parametrize("policy", EVERY_POLICY)
def test_infinite_intervals(policy, arms):
    for infinite in infinite_choices(arms):
        if infinite:
            assert prove_rule(policy, arms, infinite=infinite).violation is None
            assert prove_admissible(policy, arms, infinite=infinite).violation is None


@pytest.mark.parametrize("arms", [2, 3])
@pytest.mark.parametrize("policy", EVERY_POLICY)
def test_admissible_is_exactly_the_relation(policy, arms):
    assert prove_admissible(policy, arms).violation is None


@pytest.mark.parametrize("ties", ["first", pytest.param("last", marks=pytest.mark.nightly)])
@pytest.mark.parametrize("policy", EVERY_POLICY)
def test_four_arms(policy, ties):
    assert prove_rule(policy, 4, ties=ties).violation is None


@pytest.mark.parametrize("policy", CHEAP)
def test_five_arms_where_there_are_few_paths(policy):
    assert prove_rule(policy, 5).violation is None


@pytest.mark.nightly
@pytest.mark.parametrize("ties", ["first", "last"])
@pytest.mark.parametrize("policy", ["bufalu", "bufau", "dial:1/2"])
def test_five_arms(policy, ties):
    proof = prove_rule(policy, 5, ties=ties)
    assert proof.violation is None
    assert proof.paths > 10_000


@pytest.mark.nightly
@pytest.mark.parametrize("policy", ["bufalu", "bufau"])
def test_five_arms_every_tie_break(policy):
    proof = prove_rule(policy, 5, limit=1_000_000)
    assert proof.violation is None
    assert proof.paths > prove_rule(policy, 4).paths


@pytest.mark.nightly
@pytest.mark.parametrize("policy", EVERY_POLICY)
def test_four_arms_every_tie_break_and_admissible(policy):
    assert prove_rule(policy, 4).violation is None
    assert prove_admissible(policy, 4).violation is None


@pytest.mark.parametrize("policy", EVERY_POLICY)
def test_initial_rounds_and_one_arm(policy):
    """The parts of the rules that compare nothing."""

    class Round:
        arms = 3

        def __init__(self, number):
            self.round = number

    for number in (1, 2, 3):
        assert policy_named(policy).decide(Round(number), first) == Decision(number, True)
        assert set(policy_named(policy).admissible(Round(number))) == {Decision(number, True)}
    assert prove_rule(policy, 1).violation is None
    assert prove_admissible(policy, 1).violation is None


@pytest.mark.parametrize("arms", [2, 3])
@pytest.mark.parametrize(("policy", "rule"), WRONG_RULES, ids=lambda value: getattr(value, "__name__", value))
def test_wrong_rules_are_refuted_with_a_round_in_numbers(policy, rule, arms):
    violation = prove_rule(policy, arms, ties="first", rule=rule).violation
    assert violation is not None
    view = ReplayView(violation.model, arms, violation.infinite)
    decision = rule(view, first)
    assert str(decision) == violation.outcome
    assert decision not in policy_named(policy).admissible(view), "the reference itself must reject the decision"
    assert violation.describe().startswith("Let\n")


@pytest.mark.parametrize("arms", [2, 3])
def test_a_rule_that_asks_in_another_order_is_still_proved(arms):
    """The proofs are about what is decided, not how: computing both tests before using them is no mistake."""
    assert prove_rule("bufalu", arms, rule=faithful).violation is None
    assert prove_rule("dial:1/2", arms, rule=dial_at_a_half).violation is None


def test_a_wrong_relation_is_refuted():
    violation = prove_admissible("bufalu", 2, relation_code=admissible_for_the_first_leader_only).violation
    assert violation is not None
    view = ReplayView(violation.model, 2, violation.infinite)
    assert set(admissible_for_the_first_leader_only(view)) != set(POLICIES["bufalu"].admissible(view))


def test_a_wrong_rule_can_be_refuted_by_a_lemma_alone():
    """With the relation out of the way, an unqueried arm far from the best is still caught."""
    from bufalu.properties.smt.code_proofs import assumptions, consequences

    decision = Decision(1, False)
    claim = ~consequences("bufalu", 2, decision)
    assert Session([*assumptions("bufalu", 2), claim]).check() is Satisfiability.SATISFIABLE
    related = relation("bufalu", 2, decision)
    assert Session([*assumptions("bufalu", 2), related, claim]).check() is Satisfiability.UNSATISFIABLE


@pytest.mark.parametrize("policy", EVERY_POLICY)
def test_every_decision_is_possible(policy):
    """A relation that nothing satisfies would be obeyed by no rule, one that everything satisfies by all."""
    from bufalu.properties.smt.code_proofs import assumptions

    for decision in (Decision(arm, query) for arm in (1, 2, 3) for query in (True, False)):
        formula = relation(policy, 3, decision)
        assert Session([*assumptions(policy, 3), formula]).check() is Satisfiability.SATISFIABLE
        assert Session([*assumptions(policy, 3), ~formula]).check() is Satisfiability.SATISFIABLE

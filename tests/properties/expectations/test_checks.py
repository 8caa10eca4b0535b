"""Every check holds on the quick profile; its wrong versions are tried in tests/properties/mutants."""

import json
import shlex
from dataclasses import replace
from fractions import Fraction as F

import pytest

from bufalu.bounds import Enclosure, upper_bounds
from bufalu.cli import main
from bufalu.law.law import Value, exact_law
from bufalu.properties.audit.collecting import collect
from bufalu.properties.claims.check import KINDS
from bufalu.properties.claims.evidence import AuditProfile, Verdict
from bufalu.properties.expectations import (
    constants,
    identity_checks,
    lower_checks,
    theorem_checks,
)
from bufalu.properties.expectations.all_rounds import at_most_in_all_rounds
from bufalu.properties.expectations.cases import QUICK, THREE_CERTAIN, TWO_CERTAIN, ExactCase, cases
from bufalu.properties.expectations.uniform import (
    advantage,
    better_than_uniform,
    commitment,
    explore_then_commit,
    on_triangle,
)
from bufalu.reference.errors import UndecidedComparison
from bufalu.reference.instances import Instance
from bufalu.reference.schedules import parse_schedule
from tests.law.bernstein import value_at

ONE = ExactCase(TWO_CERTAIN, parse_schedule("power:1/4"), 3_000)
SEVERAL = ExactCase(THREE_CERTAIN, parse_schedule("constant:1/2"), 2_000)
LONG = ExactCase(TWO_CERTAIN, parse_schedule("power:1/4"), 20_000)


@pytest.mark.parametrize("check", collect(("expectations",)).checks, ids=lambda check: check.name)
def test_every_check_holds_and_is_not_vacuous(check):
    evidence = check.run(AuditProfile())
    expected = {"expectations.constants_that_would_have_survived": Verdict.TESTED}
    assert evidence.verdict is expected.get(check.name, Verdict.EXACT)
    assert evidence.cases > 0
    if check.kind is KINDS[Verdict.EXACT]:
        assert evidence.nonvacuous is None, "a finite list, of which every case says something"
    else:
        assert 0 < evidence.nonvacuous <= 1


def test_the_full_profile_only_adds():
    assert set(QUICK) < set(cases(AuditProfile("full")))
    assert cases(AuditProfile()) == QUICK


# ---- the theorem


def test_a_bound_that_promises_too_much_is_refuted_with_a_law_to_replay():
    bold = theorem_checks.UNIQUE_REGRET.times(F(1, 5))
    refuted = theorem_checks.decide_promises([bold], [LONG])
    assert refuted.verdict is Verdict.REFUTED
    assert "bufalu law --means" in refuted.witness.command


DIALLED = replace(LONG, horizon=10_000, policy="dial:1/2", bounds_of="dial:1/2")


def test_the_dial_does_not_keep_the_promises_of_another_position():
    lavish = replace(DIALLED, schedule=parse_schedule("zero"), policy="dial:0", bounds_of="dial:1/2")
    assert theorem_checks.decide_promises([theorem_checks.UNIQUE_QUERIES], [lavish]).verdict is Verdict.REFUTED


def test_a_witness_without_a_schedule_text_replays_from_its_file(tmp_path, monkeypatch, capsys):
    jagged = next(case for case in QUICK if case.schedule.text is None)
    witness = jagged.witness("a law with epsilons from a list")
    (tmp_path / witness.filename).write_text(witness.content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    program, *words = shlex.split(witness.command)
    assert (program, main([*words, "--json"])) == ("bufalu", 0)
    replayed = json.loads(capsys.readouterr().out)
    assert F(replayed["expected_regret"]["exact"]) == jagged.law().expected_regret().exact


def test_a_policy_that_queries_too_much_is_refuted():
    wasteful = replace(ONE, policy="cbm-ucb")
    assert theorem_checks.decide_promises([theorem_checks.UNIQUE_QUERIES], [wasteful]).verdict is Verdict.REFUTED


def test_bounds_that_never_bite_are_called_vacuous():
    short = ExactCase(Instance.bernoulli([F(1, 2), F(1, 4)]), parse_schedule("zero"), 10)
    evidence = theorem_checks.decide_promises([theorem_checks.UNIQUE_REGRET], [short])
    assert evidence.verdict is Verdict.VACUOUS


def test_every_round_is_decided_by_blocks():
    def curve(t):
        return Value(F(t), F(t))

    assert at_most_in_all_rounds(curve, lambda t: Enclosure.of(t + F(1, 2)), 100).violated_at is None
    # one bad round in the middle: a bound that never falls and stands still for a while
    late = at_most_in_all_rounds(curve, lambda t: Enclosure.of(t if t != 58 else 57), 100)
    assert late.violated_at == 58
    with pytest.raises(UndecidedComparison):
        at_most_in_all_rounds(lambda t: Value(F(2), F(2)), lambda t: Enclosure.of(2).sqrt().squared(), 1)
    # dropped mass neither proves nor refutes: the bound is between the two ends
    with pytest.raises(UndecidedComparison, match="dropped mass"):
        at_most_in_all_rounds(lambda t: Value(F(1), F(3)), lambda t: Enclosure.of(2), 1)
    assert at_most_in_all_rounds(lambda t: Value(F(3), F(4)), lambda t: Enclosure.of(2), 1).violated_at == 1


# ---- identities and failures


def test_an_interval_that_is_too_narrow_fails_too_often():
    narrow = [
        ExactCase(Instance.bernoulli([F(1, 10)]), parse_schedule("zero"), 20, confidence="kl-ucb", policy="cbm-ucb")
    ]
    evidence = identity_checks.failures("kl-ucb", 2, narrow)
    assert evidence.verdict is Verdict.REFUTED
    assert "fails with probability" in evidence.detail


# ---- lower bounds


def test_exploration_is_certified_and_its_inverse_is_not():
    assert all(better_than_uniform(m) for m in range(5))
    inverse = lower_checks.combined([(-1, advantage(2))])
    assert on_triangle(inverse).nonnegative() is False


def test_the_commitment_is_a_distribution_and_agrees_with_the_advantage():
    means = (F(2, 3), F(1, 4))
    chances = commitment(means, 3)
    assert sum(chances) == 1
    assert chances[0] - chances[1] == advantage(3).at(means)
    assert sum(commitment((F(1, 2), F(1, 3), F(1, 5)), 2)) == 1
    uniform = explore_then_commit(means, 0, 10)
    assert uniform.plays == (5, 5)
    assert uniform.queries == (0, 0)


def test_the_triangle_is_the_same_polynomial():
    polynomial = advantage(2)
    form = on_triangle(polynomial)
    first, ratio = F(3, 5), F(1, 3)
    assert value_at(form, (first, ratio)) == polynomial.at((first, first * ratio))


# ---- constants and boxes


def test_constants_are_found_and_a_failing_bound_is_said():
    evidence = constants.surviving([SEVERAL], constants.Constants())
    assert "in place of its 6" in evidence.detail
    curves = constants.Curves(SEVERAL)
    assert curves.survives(constants.Constants(), regret=False)
    assert not curves.survives(constants.Constants(samples=4), regret=False)
    wasteful = constants.surviving([replace(ONE, policy="cbm-ucb")], constants.Constants())
    assert wasteful.verdict is Verdict.REFUTED


def test_the_doubles_of_the_constants_follow_the_certified_bounds():
    for case in (SEVERAL, QUICK[0], QUICK[2], QUICK[3]):
        curves = constants.Curves(case)
        upper = upper_bounds(case.instance, case.schedule, case.horizon)
        numbers = case.quantities(case.horizon)
        assert theorem_checks._regret_bound(numbers).overlaps(upper.regret.evaluate())
        assert theorem_checks._sharper_queries_bound(numbers).overlaps(upper.sharper_queries.evaluate())
        assert curves.regret_bound(constants.Constants())[-1] == pytest.approx(float(upper.regret.evaluate()))
        assert curves.queries_bound(constants.Constants())[-1] == pytest.approx(float(upper.queries.evaluate()))


CASE = ExactCase(Instance.bernoulli([F(1, 2), F(1, 4)]), parse_schedule("constant:1"), 8)


@pytest.mark.parametrize(
    "change",
    [
        {"instance": Instance.bernoulli([F(1, 2), F(1, 3)])},
        {"schedule": parse_schedule("constant:3/2")},
        {"horizon": 9},
        {"confidence": "bernstein"},
        {"ties": "last"},
        {"ties": "random"},
        {"policy": "greedy"},
        {"negligible": F(1, 20)},
    ],
    ids=str,
)
def test_a_law_is_that_of_the_whole_case(change):
    def told(found):
        return [(value.lower, value.upper) for value in found.expected_plays()]

    case = replace(CASE, **change)
    wanted = exact_law(
        case.instance,
        case.schedule,
        case.horizon,
        policy=case.policy,
        confidence=case.confidence,
        ties=case.ties,
        negligible=case.negligible,
    )
    assert told(case.law()) == told(wanted) != told(CASE.law())


def test_a_law_is_computed_once_whichever_bounds_are_held_against_it():
    assert replace(CASE, bounds_of="bufau").law() is CASE.law()

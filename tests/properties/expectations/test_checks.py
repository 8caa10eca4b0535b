"""Every check holds on the quick profile, and every check kills a wrong version."""

import json
import shlex
from dataclasses import replace
from fractions import Fraction as F

import pytest

from bufalu.bounds import Enclosure, query_costs, upper_bounds
from bufalu.cli import main
from bufalu.law.law import Law, Value
from bufalu.properties.claims.evidence import AuditProfile, Verdict
from bufalu.properties.expectations import (
    box_checks,
    checks,
    constants,
    identity_checks,
    lower_checks,
    theorem_checks,
)
from bufalu.properties.expectations.all_rounds import at_most_in_all_rounds
from bufalu.properties.expectations.cases import QUICK, THREE_CERTAIN, TWO_CERTAIN, ExactCase, _law, cases
from bufalu.properties.expectations.lower_checks import information
from bufalu.properties.expectations.uniform import (
    Expectations,
    advantage,
    better_than_uniform,
    commitment,
    explore_then_commit,
    on_triangle,
)
from bufalu.reference.errors import UndecidedComparison
from bufalu.reference.instances import Instance
from bufalu.reference.schedules import parse_schedule

ONE = ExactCase(TWO_CERTAIN, parse_schedule("power:1/4"), 3_000)
SEVERAL = ExactCase(THREE_CERTAIN, parse_schedule("constant:1/2"), 2_000)
LONG = ExactCase(TWO_CERTAIN, parse_schedule("power:1/4"), 20_000)


@pytest.fixture(autouse=True)
def no_law_survives_a_wrong_version(request):
    """Laws are computed once; a test that makes a part of them wrong must neither find nor leave any."""
    if "monkeypatch" not in request.fixturenames:
        yield
        return
    _law.cache_clear()
    yield
    _law.cache_clear()


@pytest.mark.parametrize("check", checks.CHECKS, ids=lambda check: check.name)
def test_every_check_holds_and_is_not_vacuous(check):
    evidence = check.run(AuditProfile())
    expected = {"expectations.constants_that_would_have_survived": Verdict.TESTED}
    assert evidence.verdict is expected.get(check.name, Verdict.EXACT)
    assert evidence.cases > 0
    assert 0 < evidence.nonvacuous <= 1
    assert evidence.seconds > 0


def test_the_full_profile_only_adds():
    assert set(QUICK) < set(cases(AuditProfile("full")))
    assert cases(AuditProfile()) == QUICK


# ---- the theorem


@pytest.mark.kills(
    "expectations.regret_with_several_optimal_arms",
    "expectations.queries_with_several_optimal_arms",
    "expectations.regret_with_one_optimal_arm",
    "expectations.queries_with_one_optimal_arm",
    "expectations.the_sharper_theorem",
    "expectations.regret_whatever_the_gaps",
)
@pytest.mark.parametrize(
    ("promise", "case", "share"),
    [
        (theorem_checks.UNIQUE_REGRET, LONG, F(1, 5)),
        (theorem_checks.UNIQUE_QUERIES, LONG, F(1, 5)),
        (theorem_checks.SHARPER_REGRET, LONG, F(1, 5)),
        (theorem_checks.SHARPER_QUERIES, LONG, F(1, 5)),
        (theorem_checks.MULTIPLE_REGRET, SEVERAL, F(1, 7)),
        (theorem_checks.MULTIPLE_QUERIES, SEVERAL, F(5, 6)),
        (theorem_checks.INDEPENDENT, LONG, F(1, 200)),
    ],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_a_bound_that_promises_too_much_is_refuted(promise, case, share):
    bold = replace(promise, bound=lambda numbers: share * promise.bound(numbers))
    assert theorem_checks.decide_promises([promise], [case]).verdict is Verdict.EXACT
    refuted = theorem_checks.decide_promises([bold], [case])
    assert refuted.verdict is Verdict.REFUTED
    assert "bufalu law --means" in refuted.witness.command


DIALLED = replace(LONG, horizon=10_000, policy="dial:1/2", bounds_of="dial:1/2")
BERNSTEIN_DIAL = replace(DIALLED, horizon=4_000, confidence="bernstein")


@pytest.mark.kills(
    "expectations.regret_of_the_dial",
    "expectations.queries_of_the_dial",
    "expectations.the_sharper_dial",
    "expectations.regret_of_the_dial_whatever_the_gaps",
    "expectations.the_dial_with_bernstein_intervals",
)
@pytest.mark.parametrize(
    ("promise", "case", "share"),
    [
        (theorem_checks.UNIQUE_REGRET, DIALLED, F(1, 8)),
        (theorem_checks.UNIQUE_QUERIES, DIALLED, F(1, 8)),
        (theorem_checks.SHARPER_REGRET, DIALLED, F(1, 8)),
        (theorem_checks.SHARPER_QUERIES, DIALLED, F(1, 8)),
        (theorem_checks.INDEPENDENT, DIALLED, F(1, 200)),
        (theorem_checks.UNIQUE_REGRET, BERNSTEIN_DIAL, F(1, 30)),
    ],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_a_bound_that_promises_too_much_of_the_dial_is_refuted(promise, case, share):
    bold = replace(promise, bound=lambda numbers: share * promise.bound(numbers))
    assert theorem_checks.decide_promises([promise], [case]).verdict is Verdict.EXACT
    assert theorem_checks.decide_promises([bold], [case]).verdict is Verdict.REFUTED


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


@pytest.mark.kills("expectations.short_horizons_and_a_single_arm")
def test_short_horizons_notice_a_round_without_a_query(monkeypatch):
    honest = Law.expected_queries
    monkeypatch.setattr(
        Law, "expected_queries", lambda self, t=None: Value(*[max(F(0), honest(self, t).exact - 1)] * 2)
    )
    assert theorem_checks.short_horizons(AuditProfile()).verdict is Verdict.REFUTED


@pytest.mark.kills("expectations.the_cap_on_every_path")
def test_a_cap_without_its_plus_one_is_refuted(monkeypatch):
    honest = theorem_checks._cap_at
    monkeypatch.setattr(theorem_checks, "_cap_at", lambda case, t: honest(case, t) - 1)
    assert theorem_checks.cap_on_every_path(AuditProfile()).verdict is Verdict.REFUTED


@pytest.mark.kills("expectations.query_costs_of_the_arms")
def test_costs_that_forget_the_initial_rounds_are_refuted(monkeypatch):
    def forgetful(case, costs, t):
        numbers = case.quantities(t)
        return query_costs(numbers, costs).evaluate() - sum(costs.values()) - numbers.failures * max(costs.values())

    monkeypatch.setattr(theorem_checks, "bound_on_costs", forgetful)
    assert theorem_checks.arm_dependent_costs(AuditProfile()).verdict is Verdict.REFUTED


def test_every_round_is_decided_by_blocks():
    def curve(t):
        return F(t)

    assert at_most_in_all_rounds(curve, lambda t: Enclosure.of(t + F(1, 2)), 100).violated_at is None
    # one bad round in the middle: a bound that never falls and stands still for a while
    late = at_most_in_all_rounds(curve, lambda t: Enclosure.of(t if t != 58 else 57), 100)
    assert late.violated_at == 58
    with pytest.raises(UndecidedComparison):
        at_most_in_all_rounds(lambda t: F(2), lambda t: Enclosure.of(2).sqrt().squared(), 1)


# ---- identities and failures


@pytest.mark.kills("expectations.regret_path_by_path")
def test_regret_of_queries_alone_is_not_the_regret(monkeypatch):
    monkeypatch.setattr(Law, "plays", Law.queries)
    assert identity_checks.regret_decomposes(AuditProfile()).verdict is Verdict.REFUTED


@pytest.mark.kills("expectations.query_aware_regret")
def test_more_queries_than_plays_are_noticed(monkeypatch):
    monkeypatch.setattr(Law, "expected_plays", lambda self, t=None: (Value(F(0), F(0)),) * len(self.instance.arms))
    assert identity_checks.query_aware_regret(AuditProfile()).verdict is Verdict.REFUTED


def test_an_interval_that_is_too_narrow_fails_too_often():
    narrow = [
        ExactCase(Instance.bernoulli([F(1, 10)]), parse_schedule("zero"), 20, confidence="kl-ucb", policy="cbm-ucb")
    ]
    evidence = identity_checks.failures("kl-ucb", 2, narrow)
    assert evidence.verdict is Verdict.REFUTED
    assert "fails with probability" in evidence.detail


@pytest.mark.kills("expectations.hoeffding_failures_in_every_round", "expectations.bernstein_failures_in_every_round")
@pytest.mark.parametrize(("interval", "constant", "too_small"), [("hoeffding", 2, F(1, 1000)), ("bernstein", 12, -1)])
def test_a_sum_of_failures_above_c_is_refuted(interval, constant, too_small):
    # Bernstein's intervals never fail on these short runs: only a negative sum is exceeded.
    chosen = identity_checks.failure_cases(interval, AuditProfile())[:3]
    assert identity_checks.failures(interval, constant, chosen).verdict is Verdict.EXACT
    assert identity_checks.failures(interval, too_small, chosen).verdict is Verdict.REFUTED


# ---- lower bounds


@pytest.mark.kills("expectations.the_kl_inequality_on_pairs_of_instances")
def test_information_from_one_arm_alone_does_not_suffice():
    def half_blind(queries, means, others):
        return information(queries[1:], means[1:], others[1:])

    assert lower_checks.kl_inequality(AuditProfile(), half_blind).verdict is Verdict.REFUTED


@pytest.mark.kills("expectations.scarce_queries_of_certified_strategies")
def test_a_stubborn_strategy_breaks_the_scarce_bound():
    # It plays arm 1 for ever and never asks: not better than uniform, so the hypothesis is needed.
    stubborn = {"stubborn": lambda means, t: Expectations((F(t), F(0)), (F(0), F(0)))}
    assert lower_checks.scarce_queries(AuditProfile(), stubborn).verdict is Verdict.REFUTED


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
    point = form.on_box([(first, first), (ratio, ratio)])
    assert point.smallest == point.largest == polynomial.at((first, first * ratio))


@pytest.mark.kills("expectations.bufalu_is_not_better_than_uniform")
def test_a_uniform_bufalu_would_refute_the_remark(monkeypatch):
    monkeypatch.setattr(Law, "expected_plays", lambda self, t: (Value(F(t, 2), F(t, 2)),) * 2)
    assert lower_checks.bufalu_is_not_better_than_uniform(AuditProfile()).verdict is Verdict.REFUTED


@pytest.mark.kills("expectations.relabelled_bufalu")
def test_a_worse_than_uniform_relabelling_is_refuted(monkeypatch):
    honest = lower_checks.relabelled_gain
    monkeypatch.setattr(
        lower_checks, "relabelled_gain", lambda text, t: lower_checks.combined([(-1, honest(text, t))])
    )
    assert lower_checks.relabelled_bufalu(AuditProfile()).verdict is Verdict.REFUTED


# ---- constants and boxes


@pytest.mark.kills("expectations.constants_that_would_have_survived")
def test_constants_are_found_and_a_failing_bound_is_said():
    evidence = constants.surviving([SEVERAL])
    assert "for 6" in evidence.detail
    curves = constants.Curves(SEVERAL)
    assert curves.survives(constants.Constants(), regret=False)
    assert not curves.survives(constants.Constants(samples=4), regret=False)
    wasteful = constants.surviving([replace(ONE, policy="cbm-ucb")])
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


@pytest.mark.kills("expectations.queries_for_all_means_at_once")
def test_a_bound_that_fails_for_some_means_is_not_certified():
    assert box_checks.decide_boxes((("budget:4", 12),)).verdict is Verdict.EXACT
    assert box_checks.decide_boxes((("budget:4", 12),), F(1, 4)).verdict is Verdict.REFUTED

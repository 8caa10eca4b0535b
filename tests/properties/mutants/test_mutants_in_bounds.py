"""A wrong constant anywhere in the formulas of `bounds/` is noticed by a named check of the audit.

A mutant is the source of a function with one piece of text exchanged. Its code replaces that of the function, so that
every room which uses the function sees the mutant.
"""

# ruff: noqa: E501 - one mutant a line

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from types import FunctionType

import pytest

from bufalu.bounds import (
    BERNSTEIN,
    HOEFFDING,
    divergences,
    epsilons,
    failures,
    growths,
    lower,
    maxima,
    query_cap,
    regularity,
    scarce,
    upper,
)
from bufalu.bounds.guarantees import SteeredGuarantee
from bufalu.bounds.regularity import LOG_LOG
from bufalu.properties.audit.collecting import collect
from bufalu.properties.audit.running import examine
from bufalu.properties.claims.evidence import AuditProfile, Verdict

BY_NAME = {check.name: check for check in collect(("algebra",)).checks}


def mutated(function: Callable[..., object], old: str, new: str) -> object:
    """The code of a function with one piece of its source exchanged."""
    assert isinstance(function, FunctionType)
    source = textwrap.dedent(inspect.getsource(function))
    assert source.count(old) == 1, f"{old!r} occurs {source.count(old)} times in {function.__qualname__}"
    tree = ast.parse(source.replace(old, new))
    scratch = dict(function.__globals__)
    exec(compile(tree, function.__code__.co_filename, "exec"), scratch)
    return scratch[function.__name__].__code__


MUTANTS = [
    # (where, what, becomes, noticed by)
    (regularity.PolynomialRule.expression, "self.quadratic / level", "2 * self.quadratic / level", "unique_terms_are_logarithmic"),
    (regularity.PolynomialRule.count, "self.quadratic / width", "self.quadratic / 2 / width", "cap_of_the_illustration"),
    (regularity.PolynomialRule.count, "Fraction(self.quadratic) / slope", "Fraction(self.quadratic) / 2 / slope", "budget_schedule_caps_at_the_budget"),
    (regularity.PolynomialRule.doubles, "float(self.quadratic)", "5.0", "more_queries_than_the_cap_make_the_width_small"),
    (regularity.PolynomialRule.exceeds, "remaining * level * level <", "remaining * level <", "more_queries_than_the_cap_make_the_width_small"),
    (regularity._rule, "numbers.by_variance * variance", "variance", "width_under_the_good_event"),
    (regularity.RootRule.expression, "14 * log", "13 * log", "second_cap_is_the_root"),
    (regularity.RootRule.count, "14 * logarithm", "13 * logarithm", "second_cap_is_the_root"),
    (regularity.RootRule.count, "1 + 1 / share", "1 / share", "bernstein_budget_level_gives_back_the_budget"),
    (regularity.bernstein_budget_terms, "22 * sqrt", "21 * sqrt", "bernstein_budget_constants"),
    (regularity.Regularity.failure_sum, "self.failures * arms", "self.failures", "failure_probabilities_sum_to_less_than_k"),
    (maxima.capped, "round_number - 1", "round_number", "caps_are_defined_for_every_level"),
    (upper.query_cap, "expression=samples + 1", "expression=samples + 2", "budget_schedule_caps_at_the_budget"),
    (upper.regret, "delta * count", "count", "hoeffding_constants_add_up_to_three_k"),
    (upper.regret, "delta * blocked", "2 * delta * blocked", "hoeffding_constants_add_up_to_three_k"),
    (upper.queries, 'failures", counting("K") + nonnegative("C")', 'failures", counting("K")', "hoeffding_constants_add_up_to_three_k"),
    (upper.query_costs, '{number}") + 1', '{number}")', "hoeffding_constants_add_up_to_three_k"),
    (upper.problem_independent, "2 * spread * sqrt", "3 * sqrt", "minimiser_of_the_independent_bound"),
    (SteeredGuarantee.any_gaps, "Fraction(good.quadratic)", "2 * Fraction(good.quadratic)", "minimiser_of_the_independent_bound"),
    (upper.problem_independent, "slope * growth", "2 * slope * growth", "bernstein_terms_satisfy_the_condition"),
    (scarce.linear_regret_expression, "2 * minimum", "minimum", "quadratic_bound_rearranges"),
    (scarce.scarce_threshold_expression, "(8 *", "(4 *", "gaussian_argument_is_one_over_four_k_gap_squared"),
    (scarce.PolynomialProfile.inverse, "(arms * bound) **", "bound **", "polynomial_profile_inverts"),
    (scarce.PolylogProfile.inverse, "arms * bound", "bound", "poly_logarithmic_profile_inverts"),
    (scarce.GapAwareProfile.inverse, "Fraction(gap) ** 2 * bound", "bound", "gap_aware_profile_inverts_to_one"),
    (scarce.query_aware_regret, "cost * queried", "queried", "query_aware_regret_dominates_queries"),
    (scarce.least_query_aware_regret, "(gap + cost)", "cost", "query_aware_regret_dominates_queries"),
    (divergences.quadratic_form, "(2 * q)", "q", "local_pinsker_inequality_holds"),
    (divergences.gaussian_form, "(2 * variance)", "variance", "gaussian_divergence_is_half_the_squared_distance"),
    (divergences.bernoulli_entropy_expression, "p * log(p / q)", "p * log(q / p)", "divergence_increases_beyond_its_mean"),
    (divergences._half, "(p / q).log()", "(q / p).log()", "bernoulli_divergence_grows_away_from_its_mean"),
    (divergences.log_lower_bound, "Enclosure.of(2)", "Enclosure.of(1)", "divergence_dominates_its_cross_terms"),
    (lower._single_arm, "1 / symbol", "2 / symbol", "gaussian_lower_bounds_have_constant_two"),
    (lower._unique, "expression=1 /", "expression=2 /", "gaussian_lower_bounds_have_constant_two"),
    (lower.pair_bound, "1 / maximum(left, right)", "1 / right", "weighted_sums_are_at_most_sum_times_largest_weight"),
    (lower._several, "1 / maximum(*symbols.values())", "2 / maximum(*symbols.values())", "weighted_sums_are_at_most_sum_times_largest_weight"),
    (lower.balance_level, "family.kinf_minus(best_arm, level)", "family.kinf_minus(best_arm, level) / 2", "bernoulli_divergences_cross_once_between_the_means"),
    (failures.repaired_failures, "2 * arms", "arms", "failure_probabilities_sum_to_less_than_k"),
    (failures._log_log_failure, "2 * ranges", "ranges", "failures_of_the_tighter_interval_sum_to_less_than_eight_k"),
    (failures._log_log_failure, "/ 4) + 1", "/ 4)", "failures_of_the_tighter_interval_sum_to_less_than_eight_k"),
    (failures._log_log_rest, "Fraction(96, 25)", "Fraction(2)", "failures_of_the_tighter_interval_sum_to_less_than_eight_k"),
    (failures.least_log_log_failures, "arms * result", "result", "failures_of_the_tighter_interval_sum_to_less_than_eight_k"),
    (growths.enclosed_growth, "3 * logarithm.log()", "2 * logarithm.log()", "failures_of_the_tighter_interval_sum_to_less_than_eight_k"),
    (growths.doubles_of_growth, "3 * numpy", "2 * numpy", "failures_of_the_tighter_interval_sum_to_less_than_eight_k"),
    (growths.growth_formula, "3 * log", "2 * log", "failures_of_the_tighter_interval_sum_to_less_than_eight_k"),
    (growths.exact_growth, "doubles(round_number)[1]", "doubles(round_number)[0]", "failures_of_the_tighter_interval_sum_to_less_than_eight_k"),
    (epsilons._walked_count, "schedule.listed[round_number - 1] >= level", "schedule.listed[round_number - 1] > level", "l_epsilon_counts_rounds"),
    (epsilons.inverse, "if value >= level", "if value > level", "l_epsilon_is_at_most_the_last_exceedance"),
    (query_cap.recurrence, "counts * (1 + slack)", "counts / 2", "greedy_queries_with_inverse_logarithm"),
]  # fmt: skip


@pytest.fixture(autouse=True)
def nothing_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was summed by the right formula is no answer of a wrong one, nor the other way round."""
    monkeypatch.setattr(failures, "_log_log_failures", inspect.unwrap(failures._log_log_failures))


@pytest.mark.parametrize(
    ("function", "old", "new", "check"), MUTANTS, ids=[f"{each[0].__qualname__}: {each[2]}" for each in MUTANTS]
)
def test_a_wrong_formula_is_noticed(
    monkeypatch: pytest.MonkeyPatch, function: Callable[..., object], old: str, new: str, check: str
) -> None:
    monkeypatch.setattr(function, "__code__", mutated(function, old, new))
    assert examine(BY_NAME[f"algebra.{check}"], AuditProfile()).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("rule", "constant", "wrong", "check"),
    [
        (HOEFFDING.sure, "quadratic", 5, "more_queries_than_the_cap_make_the_width_small"),
        (BERNSTEIN.looser, "linear", 27, "first_cap_dominates_the_second"),
        (BERNSTEIN.good_numbers, "linear", 51, "width_under_the_good_event"),
        (HOEFFDING, "failures", 1, "hoeffding_constants_add_up_to_three_k"),
        (BERNSTEIN, "failures", 9, "cited_inequalities_give_the_printed_radii"),
        (LOG_LOG, "failures", 4, "failures_of_the_tighter_interval_sum_to_less_than_eight_k"),
        (LOG_LOG.sure, "quadratic", 1, "failures_of_the_tighter_interval_sum_to_less_than_eight_k"),
    ],
)
def test_a_wrong_constant_is_noticed(
    monkeypatch: pytest.MonkeyPatch, rule: object, constant: str, wrong: int, check: str
) -> None:
    monkeypatch.setitem(vars(rule), constant, wrong)
    assert examine(BY_NAME[f"algebra.{check}"], AuditProfile()).verdict is Verdict.REFUTED

"""Versions of theorems that say more than is proved: in each, one text of the statement is exchanged for another."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class BrokenTheorem:
    """A theorem whose statement has `was` in it, and what a stronger, unproved statement has in its place."""

    name: str
    was: str
    becomes: str

    def tried_in(self, text: str) -> str:
        """The text of the theorem's file in which the broken statement is put to the same proof before the true one.

        Coq's prompt names the theorem once its statement is well-formed, and `Fail Check` says that it was not proved.
        """
        found = re.search(
            rf"^((?:Theorem|Lemma) ){self.name}(\b.*?)(^Proof\..*?Qed\.)", text, flags=re.DOTALL | re.MULTILINE
        )
        assert found, f"{self.name} is not stated"
        word, statement, proof = found.groups()
        assert self.was in statement, f"{self.name} does not say {self.was}"
        assert self.was != self.becomes
        broken = f"{word}{self.new_name}{statement.replace(self.was, self.becomes)}{proof}"
        after = f"Abort All.\nFail Check {self.new_name}."
        return f"{text[: found.start()]}{broken}\n{after}\n{text[found.start() :]}"

    @property
    def new_name(self) -> str:
        """The name of the broken theorem beside the true one."""
        return f"broken_{self.name}"


BROKEN: tuple[BrokenTheorem, ...] = (
    BrokenTheorem(
        "the_moments_of_the_empirical_variance_are_those_of_independent_pairs",
        "pair_moment c ^ m",
        "pair_moment c ^ n",
    ),
    BrokenTheorem("the_variance_of_a_reward_is_at_most_a_quarter", "1 / 4", "1 / 5"),
    BrokenTheorem("the_standard_deviation_is_rarely_underestimated", "2 * x", "x"),
    BrokenTheorem("the_standard_deviation_is_rarely_overestimated", "INR n - 1", "2 * INR n"),
    BrokenTheorem("empirical_bernstein_one_sided", "2 * exp", "exp"),
    BrokenTheorem("empirical_bernstein_two_sided", "4 * exp", "3 * exp"),
    BrokenTheorem("a_bernstein_deviation_is_rare", "4 /", "3 /"),
    BrokenTheorem("bernstein_failures_are_at_most_two_per_arm", "2 * INR K", "INR K"),
    BrokenTheorem("bernstein_intervals_are_regular", "2 * INR K", "INR K"),
    BrokenTheorem("the_bernstein_n_bar_is_at_most_its_value_at_the_horizon", "52", "51"),
    BrokenTheorem(
        "with_a_nonincreasing_epsilon_the_bernstein_maxima_are_at_the_horizon", "epsilon t <= epsilon s", "True"
    ),
    BrokenTheorem("the_bernstein_budget_schedule_spends_the_budget", "Rmin (B t)", "Rmin (B t - 1)"),
    BrokenTheorem("the_bernstein_budget_bound", "22", "21"),
    BrokenTheorem("the_bernstein_condition_of_the_problem_independent_bound", "6 * ln", "5 * ln"),
    BrokenTheorem("the_bernstein_upper_bound_with_adaptive_epsilon", "3 * INR K", "2 * INR K"),
    BrokenTheorem("bernstein_query_costs_with_adaptive_epsilon", "2 * INR K", "INR K"),
    BrokenTheorem("the_variance_dependent_problem_independent_bound", "8 * sqrt", "7 * sqrt"),
    BrokenTheorem("the_bernstein_upper_bound_end_to_end", "gap b a / 2", "gap b a"),
    BrokenTheorem("the_variance_dependent_bounds_end_to_end", "96", "95"),
    BrokenTheorem("the_bernstein_problem_independent_bound_end_to_end", "104", "103"),
    BrokenTheorem(
        "with_the_bernstein_budget_schedule_queries_stay_within_the_budget_plus_one",
        "Rmin (B (horizon x)) (INR (horizon x - 1)) + 1",
        "Rmin (B (horizon x)) (INR (horizon x - 1))",
    ),
    BrokenTheorem("such_bernstein_experiments_exist", "mean b a =", "mean b a <="),
    BrokenTheorem("such_experiments_exist", "mean b a =", "mean b a <="),
    BrokenTheorem("the_sample_variance_is_the_unbiased_one", "(INR n - 1)", "INR n"),
    BrokenTheorem("the_bernstein_width_is_twice_the_radius_and_never_negative", "(n <= 1)", "(n <= 2)"),
    BrokenTheorem("under_the_good_event_a_bernstein_interval_is_narrow", "26", "25"),
    BrokenTheorem("the_almost_sure_width_equals_mu_at_the_root", "(2 <= t)", "(1 <= t)"),
    BrokenTheorem("a_small_variance_and_a_large_budget_improve_on_hoeffding", "V < 1 / 4", "V <= 1 / 4"),
    BrokenTheorem("the_dial_is_steered", "-> steered rho", "-> steered 1"),
    BrokenTheorem("the_dial_at_one_is_bufalu", "lower (bounds c) = None -> upper (bounds c) = None", "True"),
    BrokenTheorem("the_dial_at_zero_is_bufau", "epsilon 0 a q", "epsilon 1 a q"),
    BrokenTheorem("a_steered_queried_arm_is_wider_than_epsilon", "wider_than epsilon", "wider_than (epsilon + 1)"),
    BrokenTheorem("a_steered_unqueried_arm_is_within_epsilon_of_the_best", "gap b a <= epsilon", "gap b a < epsilon"),
    BrokenTheorem(
        "a_steered_queried_suboptimal_arm_is_as_wide_as_its_share_of_the_gap", "(1 + rho)", "(1 + rho / 2)"
    ),
    BrokenTheorem(
        "a_steered_queried_suboptimal_arm_is_as_wide_as_the_sharper_level", "(sharper_level rho", "(sharper_level 0"
    ),
    BrokenTheorem(
        "with_several_optima_a_steered_queried_arm_is_as_wide_as_its_gap",
        "narrower_than (gap b a)",
        "narrower_than (2 * gap b a)",
    ),
    BrokenTheorem(
        "a_steered_queried_unique_optimal_arm_is_as_wide_as_its_share_of_the_smallest_gap", "rho * m", "(1 + rho) * m"
    ),
    BrokenTheorem("steered_queries_never_exceed_the_cap", "T + 1", "T"),
    BrokenTheorem("the_dial_with_regular_intervals", "gap b a / (1 + rho)", "gap b a"),
    BrokenTheorem("the_dial_end_to_end", "gap b a / (1 + rho)", "gap b a"),
    BrokenTheorem("the_sharper_dial_end_to_end", "2 * INR K", "INR K"),
    BrokenTheorem("the_dial_in_closed_form_end_to_end", "6 *", "5 *"),
    BrokenTheorem("the_problem_independent_dial_end_to_end", "2 * (1 + rho)", "(1 + rho)"),
    BrokenTheorem("the_query_costs_of_the_dial_end_to_end", " + highest_cost * INR K", ""),
    BrokenTheorem("experiments_with_the_dial_exist", "mean b a =", "mean b a <="),
    BrokenTheorem("the_dial_with_bernstein_intervals_end_to_end", "3 * INR K", "2 * INR K"),
    BrokenTheorem("the_sharper_dial_with_bernstein_intervals_end_to_end", "3 * INR K", "2 * INR K"),
    BrokenTheorem("the_best_dial_for_a_price", "Rmin 1", "Rmin (1 / 2)"),
    BrokenTheorem("the_best_dial_for_queries_needs_no_gap", "- / 3", "- / 2"),
    BrokenTheorem("query_costs_end_to_end", "gap b a / 2", "gap b a"),
    BrokenTheorem("large_epsilon_rounds_are_at_most_the_inverse", "epsilon t < d", "epsilon t <= d"),
    BrokenTheorem("n_bar_at_zero_is_the_cap", "epsilon 0 T", "epsilon 1 T"),
    BrokenTheorem("the_smaller_of_both_numbers_suffices", "(enough_always t mu))", "(enough_always t mu) / 2)"),
    BrokenTheorem("only_finite_support", "exists l, probability", "exists l, (length l <= 1)%nat /\\ probability"),
    BrokenTheorem("general_problem_independent_regret", "2 * INR K", "INR K"),
    BrokenTheorem("problem_independent_regret_from_every_level", "2 * INR K", "INR K"),
    BrokenTheorem("hoeffdings_function_dominates_every_level", "6 * ln", "5 * ln"),
    BrokenTheorem("all_queries_are_at_most_the_horizon", "= INR T", "= INR T + 1"),
    BrokenTheorem("a_budget_is_exceeded_by_less_than_K", "B T / INR K + 1", "B T / INR K"),
    BrokenTheorem("n_bar_has_its_closed_form", "hoeffding_enough 1 mu", "hoeffding_enough 2 mu"),
    BrokenTheorem("hoeffding_two_sided", "<= 2 * exp", "<= exp"),
    BrokenTheorem("a_deviation_is_rare", "2 / (INR t", "1 / (INR t"),
    BrokenTheorem("a_queried_arm_is_wider_than_epsilon", "wider_than epsilon", "wider_than (epsilon + 1)"),
    BrokenTheorem(
        "a_queried_suboptimal_arm_is_wider_than_half_of_gap_plus_epsilon",
        "(gap b a + epsilon) / 2",
        "gap b a + epsilon",
    ),
    BrokenTheorem("a_single_arm_is_queried_once", "= 1%nat", "= 2%nat"),
    BrokenTheorem("a_wide_epsilon_blocks_queries", "~ wider_than epsilon", "wider_than epsilon"),
    BrokenTheorem("an_unqueried_arm_is_within_epsilon_of_the_best", "gap b a <= epsilon", "gap b a < epsilon"),
    BrokenTheorem(
        "case_ii_a_suboptimal_leader_is_as_wide_as_its_gap", "narrower_than (gap b a)", "narrower_than (2 * gap b a)"
    ),
    BrokenTheorem(
        "case_iii_with_several_optima_a_challenger_is_as_wide_as_its_gap",
        "narrower_than (gap b a)",
        "narrower_than (2 * gap b a)",
    ),
    BrokenTheorem("case_iv_a_queried_suboptimal_arm_is_as_wide_as_half_its_gap", "gap b a / 2", "gap b a"),
    BrokenTheorem("case_v_a_queried_unique_optimal_arm_is_as_wide_as_half_the_smallest_gap", "m / 2", "m"),
    BrokenTheorem("every_initial_round_is_a_query", "(T <= K)", "(K <= T)"),
    BrokenTheorem("general_part_2_queries_with_several_optima", "INR K + failures", "failures"),
    BrokenTheorem("general_part_2_regret_with_several_optima", "INR K + failures", "failures"),
    BrokenTheorem("general_part_3_queries_with_a_unique_optimum", "m / 2", "m"),
    BrokenTheorem("general_part_3_regret", "gap b a / 2", "gap b a"),
    BrokenTheorem("general_query_costs_with_a_unique_optimum", "m / 2", "m"),
    BrokenTheorem("general_query_costs_with_several_optima", " + highest_cost * failures", ""),
    BrokenTheorem("good_queries_are_few", "w + 1", "w"),
    BrokenTheorem("good_unqueried_plays_are_few", "(gap b a) T", "(2 * gap b a) T"),
    BrokenTheorem("halving_the_gap_costs_at_most_a_factor_of_four", "4 * hoeffding_n_bar", "3 * hoeffding_n_bar"),
    BrokenTheorem("hoeffding_intervals_are_regular", "(INR K)", "(INR K / 2)"),
    BrokenTheorem("n_bar_of_a_budget", "<= B T / INR K", "<= B T / (2 * INR K)"),
    BrokenTheorem("queries_never_exceed_the_cap", "T + 1", "T"),
    BrokenTheorem("regret_decomposes_over_the_arms", "gap (instance x) a *", "2 * gap (instance x) a *"),
    BrokenTheorem("root_and_reciprocal", "2 * c2", "c2"),
    BrokenTheorem("the_closed_form_end_to_end", "24 *", "23 *"),
    BrokenTheorem("the_gap_is_at_most_the_largest_upper_bound_minus_the_lower", "<= u - l", "<= (u - l) / 2"),
    BrokenTheorem(
        "the_gap_of_an_arm_with_the_largest_upper_bound_is_at_most_its_width",
        "narrower_than (gap b a)",
        "narrower_than (2 * gap b a)",
    ),
    BrokenTheorem("the_hoeffding_width_is_below_mu_iff_queries_exceed", "6 * ln", "5 * ln"),
    BrokenTheorem("the_hoeffding_width_is_the_root_of_six_log_over_n", "6 * ln", "5 * ln"),
    BrokenTheorem("the_problem_independent_bound_end_to_end", "4 * sqrt", "3 * sqrt"),
    BrokenTheorem(
        "the_root_is_the_smaller_number",
        "bernstein_enough_2 t mu <= bernstein_enough_1 t mu",
        "bernstein_enough_1 t mu <= bernstein_enough_2 t mu",
    ),
    BrokenTheorem("the_sample_variance_is_at_most_n_over_four_times_n_minus_one", "(4 * (INR n - 1))", "(4 * INR n)"),
    BrokenTheorem("the_sharper_upper_bound_end_to_end", "2 * INR K", "INR K"),
    BrokenTheorem("the_upper_bound_end_to_end", "gap b a / 2", "gap b a"),
    BrokenTheorem("the_upper_bound_with_adaptive_epsilon", "2 * INR K", "INR K"),
    BrokenTheorem("with_bernstein_intervals_queries_never_exceed_the_cap", "T + 1", "T"),
)

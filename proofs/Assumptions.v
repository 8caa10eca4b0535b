(** What the theorems say; and what they rest on, all together: the axioms of Coq's own reals.
    Written by `python -m bufalu.properties.coq.theorems`, never by hand. *)

From Coq Require Import Reals QArith List.
From Bufalu Require Import AsymptoticLowerBounds BalancingThreshold BernoulliThreshold
  BernsteinBounds BernsteinClosedForms BernsteinEndToEnd BernsteinIntervals BernsteinRegularity
  BernsteinTables BernsteinTail BernsteinWidths BestDial BinaryDivergence Cases ChangeOfMeasure
  ClosedForms Consistency CounterexampleMultiple CounterexampleUnique Decision Dial DialBernstein
  DialEndToEnd EndToEnd Expectation Experiment FamilyExample FiniteLaws FiniteSpace FiniteSupport
  GapQuery GeneralTheorem HistoryDivergence Hoeffding HoeffdingIntervals Intervals Levels
  MainTheorem PairsAndJensen ProblemIndependent QueryCosts RewardTape Runs ScarceQueries Setting
  SeveralOptima Strategies Sums Tables VarianceTails Vectors Witness.

Open Scope R_scope.
Set Printing Width 118.
Check @a_queried_arm_is_wider_than_epsilon.
Check @an_unqueried_arm_is_within_epsilon_of_the_best.
Check @case_ii_a_suboptimal_leader_is_as_wide_as_its_gap.
Check @case_iii_with_several_optima_a_challenger_is_as_wide_as_its_gap.
Check @case_iv_a_queried_suboptimal_arm_is_as_wide_as_half_its_gap.
Check @case_v_a_queried_unique_optimal_arm_is_as_wide_as_half_the_smallest_gap.
Check @a_queried_suboptimal_arm_is_wider_than_half_of_gap_plus_epsilon.
Check @queries_never_exceed_the_cap.
Check @good_queries_are_few.
Check @good_unqueried_plays_are_few.
Check @general_part_2_regret_with_several_optima.
Check @general_part_2_queries_with_several_optima.
Check @general_part_3_regret.
Check @general_part_3_queries_with_a_unique_optimum.
Check @general_query_costs_with_a_unique_optimum.
Check @general_query_costs_with_several_optima.
Check @regret_decomposes_over_the_arms.
Check @all_queries_are_at_most_the_horizon.
Check @the_gap_is_at_most_the_largest_upper_bound_minus_the_lower.
Check @the_gap_of_an_arm_with_the_largest_upper_bound_is_at_most_its_width.
Check @a_single_arm_is_queried_once.
Check @every_initial_round_is_a_query.
Check @a_wide_epsilon_blocks_queries.
Check @large_epsilon_rounds_are_at_most_the_inverse.
Check @hoeffding_two_sided.
Check @a_deviation_is_rare.
Check @hoeffding_intervals_are_regular.
Check @the_hoeffding_width_is_the_root_of_six_log_over_n.
Check @the_hoeffding_width_is_below_mu_iff_queries_exceed.
Check @n_bar_has_its_closed_form.
Check @n_bar_of_a_budget.
Check @halving_the_gap_costs_at_most_a_factor_of_four.
Check @a_budget_is_exceeded_by_less_than_K.
Check @general_problem_independent_regret.
Check @problem_independent_regret_from_every_level.
Check @hoeffdings_function_dominates_every_level.
Check @the_upper_bound_end_to_end.
Check @the_sharper_upper_bound_end_to_end.
Check @the_closed_form_end_to_end.
Check @the_problem_independent_bound_end_to_end.
Check @the_upper_bound_with_adaptive_epsilon.
Check @such_experiments_exist.
Check @the_code_decides_as_the_relation.
Check @the_sample_variance_is_at_most_n_over_four_times_n_minus_one.
Check @root_and_reciprocal.
Check @the_root_is_the_smaller_number.
Check @with_bernstein_intervals_queries_never_exceed_the_cap.
Check @the_sample_variance_is_the_unbiased_one.
Check @the_bernstein_width_is_twice_the_radius_and_never_negative.
Check @under_the_good_event_a_bernstein_interval_is_narrow.
Check @the_almost_sure_width_equals_mu_at_the_root.
Check @a_small_variance_and_a_large_budget_improve_on_hoeffding.
Check @the_moments_of_the_empirical_variance_are_those_of_independent_pairs.
Check @the_variance_of_a_reward_is_at_most_a_quarter.
Check @the_standard_deviation_is_rarely_underestimated.
Check @the_standard_deviation_is_rarely_overestimated.
Check @empirical_bernstein_one_sided.
Check @empirical_bernstein_two_sided.
Check @a_bernstein_deviation_is_rare.
Check @bernstein_intervals_are_regular.
Check @the_bernstein_n_bar_is_at_most_its_value_at_the_horizon.
Check @with_a_nonincreasing_epsilon_the_bernstein_maxima_are_at_the_horizon.
Check @the_bernstein_budget_schedule_spends_the_budget.
Check @the_bernstein_budget_bound.
Check @the_bernstein_condition_of_the_problem_independent_bound.
Check @the_bernstein_upper_bound_with_adaptive_epsilon.
Check @bernstein_query_costs_with_adaptive_epsilon.
Check @the_bernstein_upper_bound_end_to_end.
Check @the_variance_dependent_bounds_end_to_end.
Check @the_bernstein_problem_independent_bound_end_to_end.
Check @with_the_bernstein_budget_schedule_queries_stay_within_the_budget_plus_one.
Check @such_bernstein_experiments_exist.
Check @the_dial_at_one_is_bufalu.
Check @the_dial_at_zero_is_bufau.
Check @the_dial_is_steered.
Check @a_steered_queried_arm_is_wider_than_epsilon.
Check @a_steered_unqueried_arm_is_within_epsilon_of_the_best.
Check @a_steered_queried_suboptimal_arm_is_as_wide_as_its_share_of_the_gap.
Check @a_steered_queried_suboptimal_arm_is_as_wide_as_the_sharper_level.
Check @with_several_optima_a_steered_queried_arm_is_as_wide_as_its_gap.
Check @a_steered_queried_unique_optimal_arm_is_as_wide_as_its_share_of_the_smallest_gap.
Check @steered_queries_never_exceed_the_cap.
Check @the_dial_with_regular_intervals.
Check @the_dial_end_to_end.
Check @the_sharper_dial_end_to_end.
Check @the_dial_in_closed_form_end_to_end.
Check @the_problem_independent_dial_end_to_end.
Check @the_query_costs_of_the_dial_end_to_end.
Check @experiments_with_the_dial_exist.
Check @the_dial_with_bernstein_intervals_end_to_end.
Check @the_sharper_dial_with_bernstein_intervals_end_to_end.
Check @the_best_dial_for_a_price.
Check @the_best_dial_for_queries_needs_no_gap.
Check @query_costs_end_to_end.
Check @n_bar_at_zero_is_the_cap.
Check @the_smaller_of_both_numbers_suffices.
Check @only_finite_support.
Check @kinf_above_grows_with_the_level.
Check @kinf_below_falls_with_the_level.
Check @binary_kl_at_least_p_log.
Check @binary_kl_at_least_one_minus_p_log.
Check @binary_kl_grows_away_from_p.
Check @local_pinsker.
Check @expected_queries_are_at_most_expected_plays.
Check @divergence_of_histories_counts_queries.
Check @information_bounds_the_binary_divergence.
Check @consistent_strategies_rarely_play_suboptimal_arms.
Check @optimal_arms_get_almost_all_plays.
Check @the_unique_optimal_arm_gets_almost_all_plays.
Check @suboptimal_arms_are_queried_logarithmically.
Check @the_unique_optimal_arm_is_queried_logarithmically.
Check @a_pair_with_the_unique_optimal_arm_is_queried_logarithmically.
Check @a_weighted_pair_with_the_unique_optimal_arm.
Check @the_sum_of_the_liminfs_can_be_zero.
Check @with_several_optima_queries_are_super_logarithmic_if_means_can_fall.
Check @with_several_optima_queries_are_super_logarithmic_if_means_can_rise.
Check @an_optimal_arm_that_can_move_both_ways_is_queried_super_logarithmically.
Check @some_optimal_arm_is_queried_super_logarithmically_infinitely_often.
Check @weighted_optimal_arms_are_queried_together.
Check @two_weighted_arms_that_could_be_better.
Check @no_optimal_arm_need_be_queried_super_logarithmically_if_means_can_fall.
Check @no_optimal_arm_need_be_queried_super_logarithmically_if_means_can_rise.
Check @a_balancing_threshold_exists.
Check @balancing_thresholds_lie_strictly_between.
Check @kinf_above_of_a_bernoulli_law.
Check @kinf_below_of_a_bernoulli_law.
Check @bernoulli_kinf_above_is_continuous.
Check @bernoulli_kinf_below_is_continuous.
Check @the_balancing_threshold_of_bernoulli_laws.
Check @logarithmic_queries_need_both_conditions_to_fail.
Check @kinf_below_of_ber_x_is_zero.
Check @kinf_above_of_ber_x_is_infinite.
Check @kinf_above_of_constant_x_is_zero.
Check @kinf_below_of_constant_x_is_infinite.
Check @example_all_optimal_arms_in_D1.
Check @example_one_optimal_arm_in_D2.
Check @example_two_optimal_arms_in_D2.
Check @expected_regret_decomposes.
Check @query_aware_regret_counts_queries.
Check @linear_queries_cost_linear_regret.
Check @sub_polynomial_regret_means_consistent.
Check @query_aware_regret_is_at_least_logarithmic.
Check @no_logarithmic_query_aware_regret_if_means_can_fall.
Check @no_logarithmic_query_aware_regret_if_means_can_rise.
Check @few_queries_mean_many_plays.
Check @very_few_queries_mean_linear_plays.
Check @scarce_queries_cost_regret.
Check @polynomial_profiles_cost_regret.
Check @poly_logarithmic_profiles_cost_regret.
Check @logarithmic_profiles_cost_regret.
Check @tape_and_fresh_draws_have_the_same_law.

Definition every_theorem :=
  (@a_queried_arm_is_wider_than_epsilon,
   @an_unqueried_arm_is_within_epsilon_of_the_best,
   @case_ii_a_suboptimal_leader_is_as_wide_as_its_gap,
   @case_iii_with_several_optima_a_challenger_is_as_wide_as_its_gap,
   @case_iv_a_queried_suboptimal_arm_is_as_wide_as_half_its_gap,
   @case_v_a_queried_unique_optimal_arm_is_as_wide_as_half_the_smallest_gap,
   @a_queried_suboptimal_arm_is_wider_than_half_of_gap_plus_epsilon,
   @queries_never_exceed_the_cap,
   @good_queries_are_few,
   @good_unqueried_plays_are_few,
   @general_part_2_regret_with_several_optima,
   @general_part_2_queries_with_several_optima,
   @general_part_3_regret,
   @general_part_3_queries_with_a_unique_optimum,
   @general_query_costs_with_a_unique_optimum,
   @general_query_costs_with_several_optima,
   @regret_decomposes_over_the_arms,
   @all_queries_are_at_most_the_horizon,
   @the_gap_is_at_most_the_largest_upper_bound_minus_the_lower,
   @the_gap_of_an_arm_with_the_largest_upper_bound_is_at_most_its_width,
   @a_single_arm_is_queried_once,
   @every_initial_round_is_a_query,
   @a_wide_epsilon_blocks_queries,
   @large_epsilon_rounds_are_at_most_the_inverse,
   @hoeffding_two_sided,
   @a_deviation_is_rare,
   @hoeffding_intervals_are_regular,
   @the_hoeffding_width_is_the_root_of_six_log_over_n,
   @the_hoeffding_width_is_below_mu_iff_queries_exceed,
   @n_bar_has_its_closed_form,
   @n_bar_of_a_budget,
   @halving_the_gap_costs_at_most_a_factor_of_four,
   @a_budget_is_exceeded_by_less_than_K,
   @general_problem_independent_regret,
   @problem_independent_regret_from_every_level,
   @hoeffdings_function_dominates_every_level,
   @the_upper_bound_end_to_end,
   @the_sharper_upper_bound_end_to_end,
   @the_closed_form_end_to_end,
   @the_problem_independent_bound_end_to_end,
   @the_upper_bound_with_adaptive_epsilon,
   @such_experiments_exist,
   @the_code_decides_as_the_relation,
   @the_sample_variance_is_at_most_n_over_four_times_n_minus_one,
   @root_and_reciprocal,
   @the_root_is_the_smaller_number,
   @with_bernstein_intervals_queries_never_exceed_the_cap,
   @the_sample_variance_is_the_unbiased_one,
   @the_bernstein_width_is_twice_the_radius_and_never_negative,
   @under_the_good_event_a_bernstein_interval_is_narrow,
   @the_almost_sure_width_equals_mu_at_the_root,
   @a_small_variance_and_a_large_budget_improve_on_hoeffding,
   @the_moments_of_the_empirical_variance_are_those_of_independent_pairs,
   @the_variance_of_a_reward_is_at_most_a_quarter,
   @the_standard_deviation_is_rarely_underestimated,
   @the_standard_deviation_is_rarely_overestimated,
   @empirical_bernstein_one_sided,
   @empirical_bernstein_two_sided,
   @a_bernstein_deviation_is_rare,
   @bernstein_intervals_are_regular,
   @the_bernstein_n_bar_is_at_most_its_value_at_the_horizon,
   @with_a_nonincreasing_epsilon_the_bernstein_maxima_are_at_the_horizon,
   @the_bernstein_budget_schedule_spends_the_budget,
   @the_bernstein_budget_bound,
   @the_bernstein_condition_of_the_problem_independent_bound,
   @the_bernstein_upper_bound_with_adaptive_epsilon,
   @bernstein_query_costs_with_adaptive_epsilon,
   @the_bernstein_upper_bound_end_to_end,
   @the_variance_dependent_bounds_end_to_end,
   @the_bernstein_problem_independent_bound_end_to_end,
   @with_the_bernstein_budget_schedule_queries_stay_within_the_budget_plus_one,
   @such_bernstein_experiments_exist,
   @the_dial_at_one_is_bufalu,
   @the_dial_at_zero_is_bufau,
   @the_dial_is_steered,
   @a_steered_queried_arm_is_wider_than_epsilon,
   @a_steered_unqueried_arm_is_within_epsilon_of_the_best,
   @a_steered_queried_suboptimal_arm_is_as_wide_as_its_share_of_the_gap,
   @a_steered_queried_suboptimal_arm_is_as_wide_as_the_sharper_level,
   @with_several_optima_a_steered_queried_arm_is_as_wide_as_its_gap,
   @a_steered_queried_unique_optimal_arm_is_as_wide_as_its_share_of_the_smallest_gap,
   @steered_queries_never_exceed_the_cap,
   @the_dial_with_regular_intervals,
   @the_dial_end_to_end,
   @the_sharper_dial_end_to_end,
   @the_dial_in_closed_form_end_to_end,
   @the_problem_independent_dial_end_to_end,
   @the_query_costs_of_the_dial_end_to_end,
   @experiments_with_the_dial_exist,
   @the_dial_with_bernstein_intervals_end_to_end,
   @the_sharper_dial_with_bernstein_intervals_end_to_end,
   @the_best_dial_for_a_price,
   @the_best_dial_for_queries_needs_no_gap,
   @query_costs_end_to_end,
   @n_bar_at_zero_is_the_cap,
   @the_smaller_of_both_numbers_suffices,
   @only_finite_support,
   @kinf_above_grows_with_the_level,
   @kinf_below_falls_with_the_level,
   @binary_kl_at_least_p_log,
   @binary_kl_at_least_one_minus_p_log,
   @binary_kl_grows_away_from_p,
   @local_pinsker,
   @expected_queries_are_at_most_expected_plays,
   @divergence_of_histories_counts_queries,
   @information_bounds_the_binary_divergence,
   @consistent_strategies_rarely_play_suboptimal_arms,
   @optimal_arms_get_almost_all_plays,
   @the_unique_optimal_arm_gets_almost_all_plays,
   @suboptimal_arms_are_queried_logarithmically,
   @the_unique_optimal_arm_is_queried_logarithmically,
   @a_pair_with_the_unique_optimal_arm_is_queried_logarithmically,
   @a_weighted_pair_with_the_unique_optimal_arm,
   @the_sum_of_the_liminfs_can_be_zero,
   @with_several_optima_queries_are_super_logarithmic_if_means_can_fall,
   @with_several_optima_queries_are_super_logarithmic_if_means_can_rise,
   @an_optimal_arm_that_can_move_both_ways_is_queried_super_logarithmically,
   @some_optimal_arm_is_queried_super_logarithmically_infinitely_often,
   @weighted_optimal_arms_are_queried_together,
   @two_weighted_arms_that_could_be_better,
   @no_optimal_arm_need_be_queried_super_logarithmically_if_means_can_fall,
   @no_optimal_arm_need_be_queried_super_logarithmically_if_means_can_rise,
   @a_balancing_threshold_exists,
   @balancing_thresholds_lie_strictly_between,
   @kinf_above_of_a_bernoulli_law,
   @kinf_below_of_a_bernoulli_law,
   @bernoulli_kinf_above_is_continuous,
   @bernoulli_kinf_below_is_continuous,
   @the_balancing_threshold_of_bernoulli_laws,
   @logarithmic_queries_need_both_conditions_to_fail,
   @kinf_below_of_ber_x_is_zero,
   @kinf_above_of_ber_x_is_infinite,
   @kinf_above_of_constant_x_is_zero,
   @kinf_below_of_constant_x_is_infinite,
   @example_all_optimal_arms_in_D1,
   @example_one_optimal_arm_in_D2,
   @example_two_optimal_arms_in_D2,
   @expected_regret_decomposes,
   @query_aware_regret_counts_queries,
   @linear_queries_cost_linear_regret,
   @sub_polynomial_regret_means_consistent,
   @query_aware_regret_is_at_least_logarithmic,
   @no_logarithmic_query_aware_regret_if_means_can_fall,
   @no_logarithmic_query_aware_regret_if_means_can_rise,
   @few_queries_mean_many_plays,
   @very_few_queries_mean_linear_plays,
   @scarce_queries_cost_regret,
   @polynomial_profiles_cost_regret,
   @poly_logarithmic_profiles_cost_regret,
   @logarithmic_profiles_cost_regret,
   @tape_and_fresh_draws_have_the_same_law).

Print Assumptions every_theorem.

(** What a claim says that no single theorem says: corollaries, and conjunctions of theorems.

    A claim has one theorem, whose print is what a reader must trust for it. A conjunction settles what its parts settle
    together, and neither part alone. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Cases Dial Runs Expectation Experiment Levels GeneralTheorem
  Setting HoeffdingIntervals ClosedForms ProblemIndependent BernsteinRegularity BernsteinBounds Laws Witness Tables
  EndToEnd LiveBounds LiveEndToEnd DialEndToEnd DialBernstein BestDial FiniteLaws BinaryDivergence Strategies
  Consistency AsymptoticLowerBounds SeveralOptima QueryCosts ScarceQueries FamilyExample CounterexampleMultiple
  BalancingThreshold BernoulliThreshold ChangeOfMeasure RewardTape NecessaryConditions RewardDegradation
  PrivateRandomness.
Open Scope R_scope.

Section RoundsOfTheDial.
Variables (b : bandit) (bounds : nat -> interval) (epsilon rho : R) (a : nat).
Let K := number_of_arms b.

(** says: an arm that the dial queries has an interval wider than epsilon, for every rho, K, tie-break and epsilon
    paper: beyond the paper; compare l.382
    settles: dial.queried_is_wide
    breaks: "wider_than epsilon" to "wider_than (epsilon + 1)" *)
Theorem the_dial_queries_what_is_wider_than_epsilon :
  dial_admissible K bounds epsilon rho a true -> wider_than epsilon (bounds a).
Proof. intros H. exact (a_steered_queried_arm_is_wider_than_epsilon _ _ _ _ _ (the_dial_is_steered _ _ _ _ _ _ H)). Qed.

Hypothesis means_are_covered : covered b bounds.
Hypothesis epsilon_is_nonneg : 0 <= epsilon.

(** says: an arm that the dial plays without a query has a gap of at most epsilon if the intervals hold the means, for
      every rho, K, tie-break and epsilon >= 0
    paper: beyond the paper; compare l.877
    settles: dial.unqueried_is_near_optimal
    breaks: "<= epsilon" to "< epsilon" *)
Theorem the_dial_leaves_unqueried_what_is_within_epsilon_of_the_best :
  dial_admissible K bounds epsilon rho a false -> gap b a <= epsilon.
Proof.
  intros H. apply the_dial_is_steered in H.
  now apply (a_steered_unqueried_arm_is_within_epsilon_of_the_best _ bounds epsilon rho).
Qed.

(** says: with several optimal arms an arm that the dial queries is as wide as its gap if the intervals hold the means,
      for every rho, K, tie-break and epsilon >= 0
    paper: beyond the paper; compare l.965-1020
    settles: dial.width.several_optima
    breaks: "(gap b a)" to "(gap b a + 1)" *)
Theorem with_several_optima_what_the_dial_queries_is_as_wide_as_its_gap :
  several_optimal_arms b -> dial_admissible K bounds epsilon rho a true -> ~ narrower_than (gap b a) (bounds a).
Proof.
  intros Hs H. apply the_dial_is_steered in H.
  now apply (with_several_optima_a_steered_queried_arm_is_as_wide_as_its_gap _ _ epsilon means_are_covered rho).
Qed.

Hypothesis rho_is_nonneg : 0 <= rho.

(** says: a suboptimal arm that the dial queries is as wide as gap / (1 + rho), and as the sharper level
      max{min{gap, (gap + epsilon)/(1 + rho)}, epsilon}, if the intervals hold the means, for every rho >= 0, K, tie-break
      and epsilon >= 0
    paper: beyond the paper; compare l.965-1020
    settles: dial.width.suboptimal
    breaks: "gap b a / (1 + rho)" to "2 * gap b a / (1 + rho)" *)
Theorem a_suboptimal_arm_that_the_dial_queries_is_as_wide_as_its_level :
  0 < gap b a -> dial_admissible K bounds epsilon rho a true ->
  ~ narrower_than (sharper_level rho (gap b a) epsilon) (bounds a) /\ ~ narrower_than (gap b a / (1 + rho)) (bounds a).
Proof.
  intros Hg H. apply the_dial_is_steered in H. split.
  - exact (a_steered_queried_suboptimal_arm_is_as_wide_as_the_sharper_level _ _ _ means_are_covered _ _ Hg H).
  - now apply (a_steered_queried_suboptimal_arm_is_as_wide_as_its_share_of_the_gap _ _ epsilon).
Qed.

(** says: a unique optimal arm that the dial queries is as wide as rho / (1 + rho) of the smallest gap if the intervals
      hold the means, for every rho >= 0, K, tie-break and epsilon >= 0
    paper: beyond the paper; compare l.965-1020
    settles: dial.width.optimal
    breaks: "rho * m / (1 + rho)" to "m" *)
Theorem a_unique_optimal_arm_that_the_dial_queries_is_as_wide_as_its_share_of_the_smallest_gap m :
  unique_optimal_arm b a -> (forall c, is_arm K c -> c <> a -> m <= gap b c) ->
  dial_admissible K bounds epsilon rho a true -> ~ narrower_than (rho * m / (1 + rho)) (bounds a).
Proof.
  intros Hu Hm H. apply the_dial_is_steered in H.
  now apply (a_steered_queried_unique_optimal_arm_is_as_wide_as_its_share_of_the_smallest_gap b _ epsilon).
Qed.
End RoundsOfTheDial.

(** says: n^q_T(a) <= max_t N(t, epsilon(t)) + 1 on every path of the dial, for every rho, K, T, tie-break and epsilon,
      adaptive included
    paper: beyond the paper; compare l.421, l.856
    breaks: "T + 1" to "T" *)
Theorem queries_of_the_dial_never_exceed_the_cap rho K T bounds epsilon p (enough : nat -> R -> R) :
  follows (dial rho) K T bounds epsilon p ->
  (forall t a mu, (1 <= t <= T)%nat -> is_arm K a -> enough t mu < INR (queries p a (t - 1)) ->
    narrower_than mu (bounds t a)) ->
  forall a, is_arm K a -> INR (queries p a T) <= maximum (fun t => enough t (epsilon t)) T + 1.
Proof.
  intros H. apply steered_queries_never_exceed_the_cap with (rho := rho). revert H. apply follows_mono.
  intros. now apply the_dial_is_steered.
Qed.

(** settles: dial.cap *)
Definition queries_of_the_dial_are_capped :=
  conj (@queries_of_the_dial_never_exceed_the_cap)
  (@the_dial_end_to_end).

(** says: expected queries at most the sum over the suboptimal arms of 24 ln T / gap^2, plus 24 ln T / m^2, plus 2K, for
      a unique optimal arm, all gaps of the others at least m > 0, every K >= 1, T >= 1, reward laws on [0,1],
      nonnegative epsilon fixed in advance and every tie-break of BuFALU with Hoeffding's intervals
    paper: l.441
    differs: the constants are written out
    settles: discussion.unique_logarithmic
    breaks: "24 * ln (INR T) / (m * m)" to "23 * ln (INR T) / (m * m)" *)
Theorem with_a_unique_optimum_queries_are_logarithmic law epsilon x a_star m :
  let b := instance x in let K := arms_of x in let T := horizon x in
  bufalu_on_tables law epsilon x -> (1 <= T)%nat -> unique_optimal_arm b a_star -> 0 < m ->
  (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
  table_law law K T (queries_on x) <=
    sum (others K a_star) (fun a => 24 * ln (INR T) / (gap b a * gap b a)) + 24 * ln (INR T) / (m * m) + 2 * INR K.
Proof.
  intros b K T H HT Hu Hm Hgaps. apply bufalu_on_tables_is_steered in H.
  destruct (steered_closed_forms_end_to_end 1 law epsilon x Rle_0_1 H HT) as [_ P].
  specialize (P a_star m Rlt_0_1 Hu Hm Hgaps). rewrite Rinv_1 in P.
  replace (6 * ((1 + 1) * (1 + 1))) with 24 in P by ring. exact P.
Qed.

(** says: if epsilon stays below the gap of every suboptimal arm after round s(a), the regret is at most the sum of
      24 ln T / gap + gap s(a), plus 2 K Delta_max: for every K >= 1, T >= 1, reward laws on [0,1], nonnegative epsilon
      fixed in advance and every tie-break of BuFALU with Hoeffding's intervals; s does not depend on T
    paper: l.446
    differs: the constants are written out
    breaks: "24 *" to "23 *" *)
Theorem regret_is_logarithmic_if_epsilon_falls_below_the_gaps law epsilon x (s : nat -> nat) :
  let b := instance x in let K := arms_of x in let T := horizon x in
  bufalu_on_tables law epsilon x -> (1 <= T)%nat ->
  (forall a t, is_arm K a -> 0 < gap b a -> (s a < t <= T)%nat -> epsilon t < gap b a) ->
  table_law law K T (regret_on x) <=
    sum (arms K) (fun a => if Rle_dec (gap b a) 0 then 0 else 24 * ln (INR T) / gap b a + gap b a * INR (s a))
    + 2 * INR K * largest_gap b.
Proof.
  intros b K T H HT Hs. unfold b, K, T in *. clear b K T.
  eapply Rle_trans; [exact (the_closed_form_end_to_end law epsilon x H HT)|].
  apply Rplus_le_compat_r, sum_le. intros a Ha. apply in_arms in Ha.
  destruct (Rle_dec (gap (instance x) a) 0) as [_|Hg]; [lra|]. apply Rnot_le_lt in Hg.
  apply Rplus_le_compat_l, Rmult_le_compat_l; [lra|].
  apply large_epsilon_rounds_are_at_most_the_inverse. intros t Ht. now apply Hs.
Qed.

(** says: on every path of BuFALU, rounds with means in their intervals that query an arm number at most N + 1, N being the
      largest, over t <= T, number of queries that the intervals allow at the width that a query of the arm needs in such a
      round t, for every K, T, tie-break, regular intervals and nonnegative epsilon, adaptive included
    paper: l.946-951
    differs: one statement for the levels of all five cases
    breaks: "T + 1" to "T" *)
Theorem good_queries_of_bufalu_are_few {Omega} (E : expectation Omega) (x : experiment Omega) good failures enough_if_good
    enough_always (level : nat -> R) a w :
  let K := arms_of x in let T := horizon x in let p := path_of x w in
  regular E x good failures enough_if_good enough_always -> runs_of bufalu x -> is_arm K a ->
  (forall t, (K < t <= T)%nat -> good t w = true -> played p t = a -> queried p t = true ->
     0 <= level t /\ ~ narrower_than (level t) (bounds_at x w t a)) ->
  sum (rounds T) (fun t => indicator (good t w && (Nat.eqb (played p t) a && queried p t)))
    <= maximum (fun t => enough_if_good a t (level t)) T + 1.
Proof.
  intros K T p R runs Ha Hlevel. apply runs_of_bufalu_are_steered in runs.
  apply (queries_in_good_rounds_are_few T p (fun t => good t w)); [apply maximum_nonneg|].
  intros t Ht Hgood Hplay Hq. destruct (Nat.leb_spec t K) as [HK|HK].
  - assert (Q := path_is_a_run runs w t Ht). unfold in_round in Q. fold (arms_of x) in Q. fold K in Q.
    rewrite (proj2 (Nat.leb_le t K) HK) in Q. assert (Ea : a = t) by (destruct Q; unfold p in *; congruence).
    unfold p. rewrite Ea, (before_its_first_round_an_arm_has_no_queries _ K T _ _ _ (path_is_a_run runs w)) by lia.
    apply maximum_nonneg.
  - destruct (Hlevel t ltac:(lia) Hgood Hplay Hq) as [Hpos Hwide].
    apply Rnot_lt_le. intros Hmore. apply Hwide. apply (enough_if_good_suffices _ _ _ _ _ _ R); trivial.
    eapply Rle_lt_trans; [|exact Hmore]. apply (le_maximum (fun t => enough_if_good a t (level t))). exact Ht.
Qed.

(** says: on every path of BuFALU, rounds after K with means in their intervals that play an arm without a query number at
      most L(T, gap), for every K, T, tie-break, regular intervals and nonnegative epsilon, adaptive included
    paper: l.938-945
    differs: L counts rounds after K only, which is at most the printed count
    breaks: "(horizon x)." to "(horizon x) - 1." *)
Theorem good_unqueried_plays_of_bufalu_are_few {Omega} (E : expectation Omega) (x : experiment Omega) good failures
    enough_if_good enough_always a w :
  regular E x good failures enough_if_good enough_always -> runs_of bufalu x ->
  sum (rounds (horizon x))
    (fun t => indicator (good t w && (Nat.eqb (played (path_of x w) t) a && negb (queried (path_of x w) t))))
    <= rounds_with_large_epsilon (arms_of x) (epsilon_at x w) (gap (instance x) a) (horizon x).
Proof.
  intros R runs. exact (good_unqueried_plays_are_few E x good failures _ _ R 1 (runs_of_bufalu_are_steered x runs) a w).
Qed.

(** settles: count.queried *)
Definition queries_in_good_rounds_number_at_most_what_a_width_allows :=
  conj (@good_queries_are_few) (@good_queries_of_bufalu_are_few).

(** settles: count.unqueried *)
Definition plays_without_a_query_number_at_most_the_rounds_of_large_epsilon :=
  conj (@good_unqueried_plays_are_few) (@good_unqueried_plays_of_bufalu_are_few).

(** settles: discussion.logarithmic_regret *)
Definition the_regret_is_logarithmic_if_epsilon_falls :=
  conj (@large_epsilon_rounds_are_at_most_the_inverse) (conj (@the_closed_form_end_to_end)
  (@regret_is_logarithmic_if_epsilon_falls_below_the_gaps)).

(** settles: theorem.sharper *)
Definition the_sharper_width_and_the_bounds_that_follow :=
  conj (@a_queried_suboptimal_arm_is_wider_than_half_of_gap_plus_epsilon)
  (@the_sharper_upper_bound_end_to_end).

(** settles: cap.almost_sure *)
Definition queries_are_capped_with_any_regular_intervals_with_bernsteins_and_with_hoeffdings :=
  conj (@queries_never_exceed_the_cap)
  (conj (@with_bernstein_intervals_queries_never_exceed_the_cap)
  (@the_upper_bound_end_to_end)).

(** settles: theorem.general *)
Definition the_general_upper_bound :=
  conj (@queries_never_exceed_the_cap)
  (conj (@general_part_2_regret_with_several_optima)
  (conj (@general_part_2_queries_with_several_optima)
  (conj (@general_part_3_regret)
  (@general_part_3_queries_with_a_unique_optimum)))).

(** settles: theorem.multiple.regret *)
Definition the_regret_with_several_optima :=
  conj (@general_part_2_regret_with_several_optima)
  (@the_upper_bound_end_to_end).

(** settles: theorem.adaptive_epsilon *)
Definition the_upper_bound_when_epsilon_adapts :=
  conj (@general_part_2_regret_with_several_optima)
  (conj (@general_part_2_queries_with_several_optima)
  (conj (@general_part_3_regret)
  (conj (@general_part_3_queries_with_a_unique_optimum)
  (@the_upper_bound_with_adaptive_epsilon)))).

(** settles: theorem.multiple.queries *)
Definition the_queries_with_several_optima :=
  conj (@general_part_2_queries_with_several_optima)
  (@the_upper_bound_end_to_end).

(** settles: theorem.unique.regret *)
Definition the_regret_whatever_the_optima :=
  conj (@general_part_3_regret)
  (conj (@the_upper_bound_end_to_end)
  (@the_closed_form_end_to_end)).

(** settles: theorem.unique.queries *)
Definition the_queries_with_a_unique_optimum :=
  conj (@general_part_3_queries_with_a_unique_optimum)
  (@the_upper_bound_end_to_end).

(** settles: costs.arm_dependent *)
Definition the_query_costs_of_all_intervals :=
  conj (@general_query_costs_with_several_optima)
  (conj (@general_query_costs_with_a_unique_optimum)
  (conj (@query_costs_end_to_end)
  (@bernstein_query_costs_with_adaptive_epsilon))).

(** settles: regret.decomposes *)
Definition regret_decomposes_on_paths_and_in_expectation :=
  conj (@regret_decomposes_over_the_arms)
  (@expected_regret_decomposes).

(** settles: theorem.short_horizon *)
Definition the_upper_bound_holds_from_the_initial_rounds_on :=
  conj (@every_initial_round_is_a_query)
  (@the_upper_bound_end_to_end).

(** settles: independent.general.corrected *)
Definition the_problem_independent_regret_in_general :=
  conj (@problem_independent_regret_from_every_level)
  (@hoeffdings_function_dominates_every_level).

(** settles: dial.theorem.regret; dial.theorem.queries *)
Definition the_dial_theorem_with_its_closed_forms_and_its_runs :=
  conj (@the_dial_end_to_end)
  (conj (@the_dial_in_closed_form_end_to_end)
  (@experiments_with_the_dial_exist)).

(** settles: dial.theorem.bernstein *)
Definition the_dial_theorem_with_bernstein_intervals :=
  conj (@the_dial_with_bernstein_intervals_end_to_end)
  (@the_sharper_dial_with_bernstein_intervals_end_to_end).

(** settles: dial.best_position *)
Definition the_best_dial :=
  conj (@the_best_dial_for_a_price)
  (@the_best_dial_for_queries_needs_no_gap).

(** settles: kinf.monotone.corrected *)
Definition kinf_is_monotone_in_the_level :=
  conj (@kinf_above_grows_with_the_level)
  (@kinf_below_falls_with_the_level).

(** settles: kl.log_lower_bound *)
Definition binary_kl_is_at_least_each_cross_term :=
  conj (@binary_kl_at_least_p_log)
  (@binary_kl_at_least_one_minus_p_log).

(** settles: lower.optimal_share_tends_to_one *)
Definition optimal_arms_get_almost_all_plays_also_if_unique :=
  conj (@optimal_arms_get_almost_all_plays)
  (conj (@the_unique_optimal_arm_gets_almost_all_plays) (@finite_private_randomness_loses_nothing)).

(** settles: lower.threshold_range.corrected *)
Definition the_pair_bound_at_every_threshold_and_where_thresholds_balance :=
  conj (@a_pair_with_the_unique_optimal_arm_is_queried_logarithmically)
  (conj (@balancing_thresholds_lie_strictly_between) (@finite_private_randomness_loses_nothing)).

(** settles: lower.multiple_optimal.corrected *)
Definition with_several_optima_queries_are_super_logarithmic :=
  conj (@with_several_optima_queries_are_super_logarithmic_if_means_can_fall)
  (conj (@with_several_optima_queries_are_super_logarithmic_if_means_can_rise)
  (conj (@an_optimal_arm_that_can_move_both_ways_is_queried_super_logarithmically) (@finite_private_randomness_loses_nothing))).

(** settles: lower.multiple_weighted.corrected *)
Definition weighted_arms_are_queried_together :=
  conj (@weighted_optimal_arms_are_queried_together)
  (conj (@two_weighted_arms_that_could_be_better) (@finite_private_randomness_loses_nothing)).

(** settles: costs.unique *)
Definition the_query_aware_regret_of_consistent_strategies :=
  conj (@sub_polynomial_regret_means_consistent)
  (conj (@query_aware_regret_is_at_least_logarithmic) (@finite_private_randomness_loses_nothing)).

(** settles: costs.no_logarithmic_regret *)
Definition no_logarithmic_query_aware_regret :=
  conj (@no_logarithmic_query_aware_regret_if_means_can_fall)
  (conj (@no_logarithmic_query_aware_regret_if_means_can_rise) (@finite_private_randomness_loses_nothing)).

(** settles: scarce.linear_regret *)
Definition scarce_queries_mean_linear_plays :=
  conj (@few_queries_mean_many_plays)
  (conj (@very_few_queries_mean_linear_plays) (@finite_private_randomness_loses_nothing)).

(** settles: lower.example_d1_d2 *)
Definition kinf_in_the_families_of_the_example :=
  conj (@kinf_below_of_ber_x_is_zero)
  (conj (@kinf_above_of_ber_x_is_infinite)
  (conj (@kinf_above_of_constant_x_is_zero)
  (@kinf_below_of_constant_x_is_infinite))).

(** settles: lower.example_cases *)
Definition the_cases_of_the_example :=
  conj (@example_all_optimal_arms_in_D1)
  (conj (@example_one_optimal_arm_in_D2)
  (conj (@example_two_optimal_arms_in_D2) (@finite_private_randomness_loses_nothing))).

(** refutes: lower.multiple_optimal; lower.multiple_weighted *)
Definition no_optimal_arm_need_be_queried_super_logarithmically :=
  conj (@no_optimal_arm_need_be_queried_super_logarithmically_if_means_can_fall)
  (@no_optimal_arm_need_be_queried_super_logarithmically_if_means_can_rise).

(** settles: lower.balancing_threshold *)
Definition a_balancing_threshold_exists_strictly_between :=
  conj (@a_balancing_threshold_exists)
  (@balancing_thresholds_lie_strictly_between).

(** settles: kinf.definition *)
Definition kinf_of_a_bernoulli_law :=
  conj (@kinf_above_of_a_bernoulli_law)
  (@kinf_below_of_a_bernoulli_law).

(** settles: live.range *)
Definition the_live_upper_bound_in_any_range :=
  conj (@decisions_do_not_depend_on_the_unit)
  (@the_live_upper_bound_end_to_end).

(** ** Lower bounds for any private randomness

    The theorems draw private seeds from laws of finite support; with the second part of each conjunction they speak of
    every strategy, whatever its private randomness. *)

(** settles: summary.several_optima; lower.conditions_necessary.corrected *)
Definition any_strategy_queries_an_optimal_arm_that_can_move_both_ways :=
  conj (@an_optimal_arm_that_can_move_both_ways_is_queried_super_logarithmically) (@finite_private_randomness_loses_nothing).

(** settles: consistency.definition.corrected *)
Definition any_consistent_strategy_rarely_plays_suboptimal_arms :=
  conj (@consistent_strategies_rarely_play_suboptimal_arms) (@finite_private_randomness_loses_nothing).

(** settles: lower.suboptimal_arms *)
Definition any_strategy_queries_suboptimal_arms_logarithmically :=
  conj (@suboptimal_arms_are_queried_logarithmically) (@finite_private_randomness_loses_nothing).

(** settles: lower.unique_optimal_arm *)
Definition any_strategy_queries_the_unique_optimal_arm_logarithmically :=
  conj (@the_unique_optimal_arm_is_queried_logarithmically) (@finite_private_randomness_loses_nothing).

(** settles: lower.unique_pair.corrected *)
Definition any_strategy_queries_a_pair_logarithmically :=
  conj (@a_pair_with_the_unique_optimal_arm_is_queried_logarithmically) (@finite_private_randomness_loses_nothing).

(** settles: lower.unique_pair_weighted.corrected *)
Definition any_strategy_queries_a_weighted_pair_logarithmically :=
  conj (@a_weighted_pair_with_the_unique_optimal_arm) (@finite_private_randomness_loses_nothing).

(** settles: lower.plays_too *)
Definition any_strategy_queries_at_most_what_it_plays :=
  conj (@expected_queries_are_at_most_expected_plays) (@finite_private_randomness_loses_nothing).

(** settles: lower.logarithmic_only_if *)
Definition any_strategy_with_logarithmic_queries_needs_both_conditions_to_fail :=
  conj (@logarithmic_queries_need_both_conditions_to_fail) (@finite_private_randomness_loses_nothing).

(** settles: costs.query_aware_regret *)
Definition the_query_aware_regret_of_any_strategy_counts_queries :=
  conj (@query_aware_regret_counts_queries) (@finite_private_randomness_loses_nothing).

(** settles: costs.any_price *)
Definition linear_queries_cost_any_strategy_linear_regret :=
  conj (@linear_queries_cost_linear_regret) (@finite_private_randomness_loses_nothing).

(** settles: costs.degradation *)
Definition few_queries_of_the_best_arm_cost_any_strategy_reward :=
  conj (@few_queries_of_the_best_arm_cost_reward) (@finite_private_randomness_loses_nothing).

(** settles: scarce.corollary.corrected; scarce.remark_budgets *)
Definition scarce_queries_cost_any_strategy_regret :=
  conj (@scarce_queries_cost_regret) (@finite_private_randomness_loses_nothing).

(** refutes: lower.conditions_necessary *)
Definition the_conditions_of_part_3_are_not_necessary_for_any_strategy :=
  conj (@the_conditions_of_part_3_are_not_necessary) (@finite_private_randomness_loses_nothing).

(** settles: tape.same_law *)
Definition tape_and_fresh_draws_have_the_same_law_for_any_strategy :=
  conj (@tape_and_fresh_draws_have_the_same_law) (@finite_private_randomness_loses_nothing).

(** settles: kl.counts_inequality *)
Definition information_bounds_the_binary_divergence_for_any_strategy :=
  conj (@information_bounds_the_binary_divergence) (@finite_private_randomness_loses_nothing).

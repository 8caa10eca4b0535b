(** Beyond the paper: the upper bounds for the dial with Bernstein's intervals, at every position rho >= 0, from nothing
    but reward laws on [0,1] and the rule. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Cases Runs Expectation Experiment GeneralTheorem
  HoeffdingIntervals MainTheorem BernsteinIntervals BernsteinRegularity BernsteinClosedForms Laws PairsAndJensen
  VarianceTails BernsteinTables BernsteinEndToEnd Witness Tables DialEndToEnd.
Open Scope R_scope.

Section Dial.
Variables (rho : R) (law : nat -> expectation reward) (epsilon : nat -> R) (x : experiment table).
Hypothesis rho_is_nonneg : 0 <= rho.
Hypothesis setting : on_tables (dial rho) bernstein_formula law epsilon x.
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.
Let E := table_law law K T.
Let V (a : nat) : R := variance_of_arm law a.
Let N (a : nat) (mu : R) : R := bernstein_n_bar (V a) epsilon mu T.
Let S (a : nat) (d : R) : R := sharper_dial_n_bar (bernstein_enough_if_good (V a)) epsilon rho d T.
Let L (d : R) : R := rounds_with_large_epsilon K epsilon d T.

Let steered_setting := the_dial_on_tables_is_steered rho bernstein_formula law epsilon x setting.
Let uses : uses_bernstein_intervals x entry := intervals_are_computed _ _ _ _ _ setting.
Let regularity := proj1 (bernstein_intervals_are_regular law x (means_are_true _ _ _ _ _ setting) uses).
Let given := epsilon_is_given _ _ _ _ _ setting.
Let runs := runs_are_of_the_rule _ _ _ _ _ steered_setting.

(** says: the theorem for the dial with Bernstein's intervals, all parts, with K + C(T) = 3K, for every rho >= 0, K >=
      1, T, reward laws on [0,1], nonnegative epsilon fixed in advance and every tie-break, in expectation over the
      product space of reward tables
    paper: beyond the paper; compare l.846-868 with l.1211-1236
    breaks: "3 * INR K" to "2 * INR K" *)
Theorem the_dial_with_bernstein_intervals_end_to_end :
  (forall w a, is_arm K a -> INR (queries (path_of x w) a T) <= bernstein_cap_2 epsilon T + 1) /\
  (several_optimal_arms b ->
     E (regret_on x) <= sum (arms K) (fun a => gap b a * (N a (gap b a) + L (gap b a)))
       + 3 * INR K * largest_gap b /\
     E (queries_on x) <= sum (arms K) (fun a => N a (gap b a)) + 3 * INR K) /\
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (N a (gap b a / (1 + rho)) + L (gap b a)))
    + 3 * INR K * largest_gap b /\
  (forall a_star m, unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (queries_on x) <= sum (others K a_star) (fun a => N a (gap b a / (1 + rho))) + N a_star (rho * m / (1 + rho))
       + 3 * INR K).
Proof.
  replace (3 * INR K) with (INR K + 2 * INR K) by ring. split; [|split; [|split]].
  - exact (fixed_cap E x _ _ _ _ regularity rho runs epsilon given).
  - intros Hmany. split.
    + exact (fixed_regret_with_several_optima E x _ _ _ _ regularity rho runs epsilon given Hmany).
    + exact (fixed_queries_with_several_optima E x _ _ _ _ regularity rho runs epsilon given Hmany).
  - exact (fixed_regret E x _ _ _ _ regularity rho rho_is_nonneg runs epsilon given).
  - exact (fixed_queries_with_a_unique_optimum E x _ _ _ _ regularity rho rho_is_nonneg runs epsilon given).
Qed.

(** says: the same with the smaller of gap and (gap + epsilon(t))/(1 + rho) for gap/(1 + rho), for every rho >= 0, K
      >= 1, T, reward laws on [0,1], nonnegative epsilon fixed in advance and every tie-break, in expectation over the
      product space of reward tables
    paper: beyond the paper; compare l.846-868 with l.1211-1236
    breaks: "3 * INR K" to "2 * INR K" *)
Theorem the_sharper_dial_with_bernstein_intervals_end_to_end :
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (S a (gap b a) + L (gap b a))) + 3 * INR K * largest_gap b /\
  (forall a_star m, unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (queries_on x) <= sum (others K a_star) (fun a => S a (gap b a)) + N a_star (rho * m / (1 + rho)) + 3 * INR K).
Proof.
  replace (3 * INR K) with (INR K + 2 * INR K) by ring. split.
  - exact (fixed_sharper_regret E x _ _ _ _ regularity rho runs epsilon given).
  - exact (fixed_sharper_queries_with_a_unique_optimum E x _ _ _ _ regularity rho rho_is_nonneg runs epsilon given).
Qed.
End Dial.

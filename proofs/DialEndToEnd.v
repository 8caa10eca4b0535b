(** Beyond the paper: the upper bounds for the dial at every position rho >= 0, so for every rho in [0,1], from nothing
    but reward laws on [0,1] and the rule. With Hoeffding's intervals; any regular intervals are in
    [the_dial_with_regular_intervals]. rho = 1 gives back BuFALU's bounds, with 2K for 3K. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Cases Dial Runs Expectation Experiment GeneralTheorem
  HoeffdingIntervals ClosedForms ProblemIndependent MainTheorem Laws Witness Tables.
Open Scope R_scope.

(** Regret sums run over all arms, of which the optimal ones add 0; [m] is any lower bound of the other gaps.
    says: the general theorem for the dial, all parts: any regular intervals, any rho >= 0, any nonnegative epsilon,
      adaptive included
    paper: beyond the paper; compare l.846-868
    settles: dial.theorem.regular
    breaks: "gap b a / (1 + rho)" to "gap b a" *)
Theorem the_dial_with_regular_intervals {Omega} (E : expectation Omega) (x : experiment Omega) good failures
    enough_if_good enough_always rho :
  regular E x good failures enough_if_good enough_always -> 0 <= rho -> runs_of (dial rho) x ->
  let b := instance x in let K := arms_of x in let T := horizon x in
  let N := fun a mu => E (fun w => n_bar (enough_if_good a) (epsilon_at x w) mu T) in
  let L := fun d => E (fun w => rounds_with_large_epsilon K (epsilon_at x w) d T) in
  (forall w a, is_arm K a ->
     INR (queries (path_of x w) a T) <= maximum (fun t => enough_always t (epsilon_at x w t)) T + 1) /\
  (several_optimal_arms b ->
     E (regret_on x) <= sum (arms K) (fun a => gap b a * (N a (gap b a) + L (gap b a)))
       + (INR K + failures) * largest_gap b /\
     E (queries_on x) <= sum (arms K) (fun a => N a (gap b a)) + (INR K + failures)) /\
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (N a (gap b a / (1 + rho)) + L (gap b a)))
    + (INR K + failures) * largest_gap b /\
  (forall a_star m, unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (queries_on x) <= sum (others K a_star) (fun a => N a (gap b a / (1 + rho)))
       + N a_star (rho * m / (1 + rho)) + (INR K + failures)).
Proof.
  intros Hreg Hrho runs. apply runs_of_the_dial_are_steered in runs. cbv zeta. split; [|split; [|split]].
  - exact (steered_part_1_queries_never_exceed_the_cap E x _ _ _ _ Hreg rho runs).
  - intros Hmany. split.
    + exact (steered_regret_with_several_optima E x _ _ _ _ Hreg rho runs Hmany).
    + exact (steered_queries_with_several_optima E x _ _ _ _ Hreg rho runs Hmany).
  - exact (steered_regret E x _ _ _ _ Hreg rho Hrho runs).
  - exact (steered_queries_with_a_unique_optimum E x _ _ _ _ Hreg rho Hrho runs).
Qed.

Lemma the_dial_on_tables_is_steered rho formula law epsilon x : on_tables (dial rho) formula law epsilon x ->
  on_tables (steered_by rho) formula law epsilon x.
Proof. intros [H1 H2 H3 H4]. constructor; trivial. now apply runs_of_the_dial_are_steered. Qed.

Section Dial.
Variables (rho : R) (law : nat -> expectation reward) (epsilon : nat -> R) (x : experiment table).
Hypothesis rho_is_nonneg : 0 <= rho.
Hypothesis setting : on_tables (dial rho) hoeffding_formula law epsilon x.
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.
Let E := table_law law K T.
Let N (mu : R) : R := hoeffding_n_bar epsilon mu T.
Let S (d : R) : R := sharper_dial_n_bar hoeffding_enough epsilon rho d T.
Let L (d : R) : R := rounds_with_large_epsilon K epsilon d T.
Let steered_setting := the_dial_on_tables_is_steered rho hoeffding_formula law epsilon x setting.

(** says: the theorem for the dial with Hoeffding's intervals: the cap on every path, several optimal arms, regret at
      gap/(1 + rho), queries at rho m/(1 + rho) for a unique optimal arm, for every rho >= 0, K >= 1, T, reward laws
      on [0,1], nonnegative epsilon fixed in advance and every tie-break, in expectation over the product space of
      reward tables
    paper: beyond the paper; compare l.417-433
    breaks: "gap b a / (1 + rho)" to "gap b a" *)
Theorem the_dial_end_to_end :
  (forall w a, is_arm K a -> INR (queries (path_of x w) a T) <= N 0 + 1) /\
  (several_optimal_arms b ->
     E (regret_on x) <= sum (arms K) (fun a => gap b a * (N (gap b a) + L (gap b a))) + 2 * INR K * largest_gap b /\
     E (queries_on x) <= sum (arms K) (fun a => N (gap b a)) + 2 * INR K) /\
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (N (gap b a / (1 + rho)) + L (gap b a)))
    + 2 * INR K * largest_gap b /\
  (forall a_star m, unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (queries_on x) <= sum (others K a_star) (fun a => N (gap b a / (1 + rho))) + N (rho * m / (1 + rho))
       + 2 * INR K).
Proof. exact (steered_bounds_end_to_end rho law epsilon x rho_is_nonneg steered_setting). Qed.

(** says: the same with the smaller of gap and (gap + epsilon(t))/(1 + rho) for gap/(1 + rho), for every rho >= 0, K
      >= 1, T, reward laws on [0,1], nonnegative epsilon fixed in advance and every tie-break, in expectation over the
      product space of reward tables
    paper: beyond the paper; compare l.417-433
    settles: dial.theorem.sharper
    breaks: "2 * INR K" to "INR K" *)
Theorem the_sharper_dial_end_to_end :
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (S (gap b a) + L (gap b a))) + 2 * INR K * largest_gap b /\
  (forall a_star m, unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (queries_on x) <= sum (others K a_star) (fun a => S (gap b a)) + N (rho * m / (1 + rho)) + 2 * INR K).
Proof. exact (steered_sharper_bounds_end_to_end rho law epsilon x rho_is_nonneg steered_setting). Qed.

(** says: regret at most the sum of 6 (1 + rho)^2 ln T / gap + gap L(gap), plus 2 K Delta_max; for rho > 0 and a
      unique optimal arm queries at most the sum of 6 (1 + rho)^2 ln T / gap^2, plus 6 (1 + 1/rho)^2 ln T / m^2, plus
      2K, for every rho >= 0, K >= 1, T, reward laws on [0,1], nonnegative epsilon fixed in advance and every
      tie-break, in expectation over the product space of reward tables
    paper: beyond the paper; compare l.427-432 with l.1141
    breaks: "6 *" to "5 *" *)
Theorem the_dial_in_closed_form_end_to_end : (1 <= T)%nat ->
  E (regret_on x) <= sum (arms K) (fun a => if Rle_dec (gap b a) 0 then 0
      else 6 * ((1 + rho) * (1 + rho)) * ln (INR T) / gap b a + gap b a * L (gap b a))
    + 2 * INR K * largest_gap b /\
  (forall a_star m, 0 < rho -> unique_optimal_arm b a_star -> 0 < m ->
     (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (queries_on x) <= sum (others K a_star)
         (fun a => 6 * ((1 + rho) * (1 + rho)) * ln (INR T) / (gap b a * gap b a))
       + 6 * ((1 + / rho) * (1 + / rho)) * ln (INR T) / (m * m) + 2 * INR K).
Proof. exact (steered_closed_forms_end_to_end rho law epsilon x rho_is_nonneg steered_setting). Qed.

(** says: regret at most 2 (1 + rho) sqrt(6 K T ln T) + the sum of epsilon after round K + 2 K Delta_max, for every
      rho >= 0, K >= 1, T, reward laws on [0,1], nonnegative epsilon fixed in advance and every tie-break, in
      expectation over the product space of reward tables
    paper: beyond the paper; compare l.435
    settles: dial.theorem.independent
    breaks: "2 * (1 + rho)" to "(1 + rho)" *)
Theorem the_problem_independent_dial_end_to_end : (1 <= T)%nat ->
  E (regret_on x) <= 2 * (1 + rho) * sqrt (6 * INR K * INR T * ln (INR T)) + total_epsilon K epsilon T
    + 2 * INR K * largest_gap b.
Proof. exact (steered_problem_independent_bound_end_to_end rho law epsilon x rho_is_nonneg steered_setting). Qed.

(** says: the bounds on queries when a query of arm a costs c_a >= 0, for every rho >= 0, K >= 1, T, reward laws on
      [0,1], nonnegative epsilon fixed in advance and every tie-break, in expectation over the product space of reward
      tables
    paper: beyond the paper; compare l.268
    settles: dial.theorem.costs
    breaks: " + highest_cost * INR K" to "" *)
Theorem the_query_costs_of_the_dial_end_to_end cost highest_cost :
  (forall a, is_arm K a -> 0 <= cost a <= highest_cost) ->
  (forall w, query_costs_on x cost w <= sum (arms K) (fun a => cost a * (N 0 + 1))) /\
  (several_optimal_arms b ->
     E (query_costs_on x cost) <= sum (arms K) (fun a => cost a * (N (gap b a) + 1)) + highest_cost * INR K) /\
  (forall a_star m, unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (query_costs_on x cost) <= sum (others K a_star) (fun a => cost a * (N (gap b a / (1 + rho)) + 1))
       + cost a_star * (N (rho * m / (1 + rho)) + 1) + highest_cost * INR K).
Proof. exact (steered_query_costs_end_to_end rho law epsilon x rho_is_nonneg steered_setting cost highest_cost). Qed.
End Dial.

(** says: for every rho, every formula for the intervals, every bandit of laws on [0,1], horizon and nonnegative
      epsilon there are such runs: nothing above is vacuous
    paper: beyond the paper
    breaks: "mean b a =" to "mean b a <=" *)
Theorem experiments_with_the_dial_exist rho formula (law : nat -> expectation reward) b T epsilon :
  (forall a, is_arm (number_of_arms b) a -> mean b a = law a value) ->
  (forall t, (number_of_arms b < t <= T)%nat -> 0 <= epsilon t) ->
  exists x : experiment table, instance x = b /\ horizon x = T /\ on_tables (dial rho) formula law epsilon x.
Proof.
  exact (experiments_exist_on_tables (fun bounds => is_dial_candidate bounds rho) _ formula law b T epsilon
    (the_dial_chooses rho)).
Qed.

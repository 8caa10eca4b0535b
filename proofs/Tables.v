(** Hoeffding's intervals on tables X_a(1..T) of independent rewards: the upper bounds for every rule that is steered by
    some rho >= 0, from nothing but reward laws on [0,1] and the rule. No inequality,
    independence or regularity is assumed any more. EndToEnd.v has BuFALU, DialEndToEnd.v the dial. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Runs Expectation Experiment GeneralTheorem
  HoeffdingIntervals ClosedForms ProblemIndependent MainTheorem Laws Witness.
Open Scope R_scope.

(** An experiment on tables: arm [a] pays by [law a], any law on [0,1]; rewards are read from the table in the
    order of the queries; intervals are computed by [formula] from the rewards queried so far; epsilon is fixed in
    advance; and the strategy is the rule [r] with any tie-break, even one that looks at the table. *)
Record on_tables (r : rule) (formula : interval_formula) (law : nat -> expectation reward) (epsilon : nat -> R)
    (x : experiment table) : Prop := OnTables {
  means_are_true : forall a, is_arm (arms_of x) a -> mean (instance x) a = law a value;
  intervals_are_computed : uses_intervals formula x entry;
  epsilon_is_given : forall w t, epsilon_at x w t = epsilon t;
  runs_are_of_the_rule : runs_of r x
}.

Definition hoeffding_formula : interval_formula := fun t n Y => hoeffding_interval t n (sample_mean Y n).

(** Such experiments exist for every rule that can make a choice: every bandit of laws on [0,1] (any K >= 1), every
    horizon and nonnegative epsilon. *)
Theorem experiments_exist_on_tables is_chosen prefers_leader formula (law : nat -> expectation reward) b T
    epsilon :
  chooses is_chosen prefers_leader ->
  (forall a, is_arm (number_of_arms b) a -> mean b a = law a value) ->
  (forall t, (number_of_arms b < t <= T)%nat -> 0 <= epsilon t) ->
  exists x : experiment table, instance x = b /\ horizon x = T /\
    on_tables (rule_of is_chosen) formula law epsilon x.
Proof.
  intros Hchoice Hmeans nonneg.
  destruct (runs_exist_on_every_tape is_chosen prefers_leader formula b T epsilon entry Hchoice nonneg)
    as [x [Hb [HT [He [Hu Hr]]]]].
  exists x. split; [exact Hb|]. split; [exact HT|]. constructor; trivial.
  intros a Ha. unfold arms_of in Ha. rewrite Hb in *. now apply Hmeans.
Qed.

(** ** Epsilon that depends on the whole table in any way, so on the history of the run in particular *)

Section Adaptive.
Variables (rho : R) (law : nat -> expectation reward) (x : experiment table).
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.
Let E := table_law law K T.
Hypothesis rho_is_nonneg : 0 <= rho.
Hypothesis means : forall a, is_arm K a -> mean b a = law a value.
Hypothesis hoeffding : uses_hoeffding_intervals x entry.
Hypothesis runs : runs_of (steered_by rho) x.
Let N (mu : R) : R := E (fun w => hoeffding_n_bar (epsilon_at x w) mu T).
Let L (d : R) : R := E (fun w => rounds_with_large_epsilon K (epsilon_at x w) d T).

Theorem steered_bounds_with_adaptive_epsilon :
  (forall w a, is_arm K a -> INR (queries (path_of x w) a T)
    <= maximum (fun t => hoeffding_enough t (epsilon_at x w t)) T + 1) /\
  (several_optimal_arms b ->
     E (regret_on x) <= sum (arms K) (fun a => gap b a * (N (gap b a) + L (gap b a))) + 2 * INR K * largest_gap b /\
     E (queries_on x) <= sum (arms K) (fun a => N (gap b a)) + 2 * INR K) /\
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (N (gap b a / (1 + rho)) + L (gap b a)))
    + 2 * INR K * largest_gap b /\
  (forall a_star m, unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (queries_on x) <= sum (others K a_star) (fun a => N (gap b a / (1 + rho))) + N (rho * m / (1 + rho))
       + 2 * INR K) /\
  ((1 <= T)%nat ->
     E (regret_on x) <= 2 * (1 + rho) * sqrt (6 * INR K * INR T * ln (INR T))
       + E (fun w => total_epsilon_up_to (largest_gap b) K (epsilon_at x w) T) + 2 * INR K * largest_gap b).
Proof.
  assert (tape : reward_tape E b T entry) by now apply the_table_is_a_reward_tape.
  assert (regularity := hoeffding_intervals_are_regular E x entry tape hoeffding).
  split; [|split; [|split; [|split]]].
  - intros w a Ha. exact (steered_part_1_queries_never_exceed_the_cap E x _ _ _ _ regularity rho runs w a Ha).
  - intros Hmany. split.
    + assert (P := steered_regret_with_several_optima E x _ _ _ _ regularity rho runs Hmany).
      unfold expected_n_bar, expected_large_epsilon in P. fold b K T in P. unfold N, L, hoeffding_n_bar. lra.
    + assert (P := steered_queries_with_several_optima E x _ _ _ _ regularity rho runs Hmany).
      unfold expected_n_bar in P. fold b K T in P. unfold N, hoeffding_n_bar. lra.
  - assert (P := steered_regret E x _ _ _ _ regularity rho rho_is_nonneg runs).
    unfold expected_n_bar, expected_large_epsilon in P. fold b K T in P. unfold N, L, hoeffding_n_bar. lra.
  - intros a_star m Hu Hm.
    assert (P := steered_queries_with_a_unique_optimum E x _ _ _ _ regularity rho rho_is_nonneg runs a_star m Hu Hm).
    unfold expected_n_bar in P. fold b K T in P. unfold N, hoeffding_n_bar. lra.
  - exact (hoeffding_problem_independent_regret E x entry tape hoeffding rho rho_is_nonneg runs).
Qed.
End Adaptive.

(** ** Epsilon fixed in advance *)

Section Fixed.
Variables (rho : R) (law : nat -> expectation reward) (epsilon : nat -> R) (x : experiment table).
Hypothesis rho_is_nonneg : 0 <= rho.
Hypothesis setting : on_tables (steered_by rho) hoeffding_formula law epsilon x.
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.
Let E := table_law law K T.
Let N (mu : R) : R := hoeffding_n_bar epsilon mu T.
Let S (d : R) : R := sharper_dial_n_bar hoeffding_enough epsilon rho d T.
Let L (d : R) : R := rounds_with_large_epsilon K epsilon d T.

Lemma table_tape : reward_tape E b T entry.
Proof. apply the_table_is_a_reward_tape. apply (means_are_true _ _ _ _ _ setting). Qed.

Let uses : uses_hoeffding_intervals x entry := intervals_are_computed _ _ _ _ _ setting.
Let given := epsilon_is_given _ _ _ _ _ setting.
Let runs := runs_are_of_the_rule _ _ _ _ _ setting.
Let regularity := hoeffding_intervals_are_regular E x entry table_tape uses.

(** Cap on every path; several optimal arms; regret; queries with a unique optimal arm. *)
Theorem steered_bounds_end_to_end :
  (forall w a, is_arm K a -> INR (queries (path_of x w) a T) <= N 0 + 1) /\
  (several_optimal_arms b ->
     E (regret_on x) <= sum (arms K) (fun a => gap b a * (N (gap b a) + L (gap b a))) + 2 * INR K * largest_gap b /\
     E (queries_on x) <= sum (arms K) (fun a => N (gap b a)) + 2 * INR K) /\
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (N (gap b a / (1 + rho)) + L (gap b a)))
    + 2 * INR K * largest_gap b /\
  (forall a_star m, unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (queries_on x) <= sum (others K a_star) (fun a => N (gap b a / (1 + rho))) + N (rho * m / (1 + rho))
       + 2 * INR K).
Proof.
  split; [|split; [|split]].
  - exact (hoeffding_cap E x entry table_tape uses rho runs epsilon given).
  - intros Hmany. split.
    + assert (P := fixed_regret_with_several_optima E x _ _ _ _ regularity rho runs epsilon given Hmany).
      fold b K T in P. unfold N, L, hoeffding_n_bar. lra.
    + assert (P := fixed_queries_with_several_optima E x _ _ _ _ regularity rho runs epsilon given Hmany).
      fold b K T in P. unfold N, hoeffding_n_bar. lra.
  - assert (P := fixed_regret E x _ _ _ _ regularity rho rho_is_nonneg runs epsilon given).
    fold b K T in P. unfold N, L, hoeffding_n_bar. lra.
  - intros a_star m Hu Hm.
    assert (P := fixed_queries_with_a_unique_optimum E x _ _ _ _ regularity rho rho_is_nonneg runs epsilon given a_star m
      Hu Hm). fold b K T in P. unfold N, hoeffding_n_bar. lra.
Qed.

(** The same with min{gap, (gap + epsilon(t))/(1 + rho)} in the place of gap/(1 + rho). *)
Theorem steered_sharper_bounds_end_to_end :
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (S (gap b a) + L (gap b a))) + 2 * INR K * largest_gap b /\
  (forall a_star m, unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (queries_on x) <= sum (others K a_star) (fun a => S (gap b a)) + N (rho * m / (1 + rho)) + 2 * INR K).
Proof.
  split.
  - assert (P := fixed_sharper_regret E x _ _ _ _ regularity rho runs epsilon given). fold b K T in P. unfold S, L. lra.
  - intros a_star m Hu Hm.
    assert (P := fixed_sharper_queries_with_a_unique_optimum E x _ _ _ _ regularity rho rho_is_nonneg runs epsilon given
      a_star m Hu Hm). fold b K T in P. unfold S, N, hoeffding_n_bar. lra.
Qed.

(** Queries that cost [cost a] <= [highest_cost] each (l.268): all bounds on queries extend. *)
Theorem steered_query_costs_end_to_end cost highest_cost :
  (forall a, is_arm K a -> 0 <= cost a <= highest_cost) ->
  (forall w, query_costs_on x cost w <= sum (arms K) (fun a => cost a * (N 0 + 1))) /\
  (several_optimal_arms b ->
     E (query_costs_on x cost) <= sum (arms K) (fun a => cost a * (N (gap b a) + 1)) + highest_cost * INR K) /\
  (forall a_star m, unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (query_costs_on x cost) <= sum (others K a_star) (fun a => cost a * (N (gap b a / (1 + rho)) + 1))
       + cost a_star * (N (rho * m / (1 + rho)) + 1) + highest_cost * INR K).
Proof.
  intros Hcost. split; [|split].
  - intros w. apply sum_le. intros a Ha. apply in_arms in Ha. apply Rmult_le_compat_l; [now apply Hcost|].
    now apply steered_bounds_end_to_end.
  - exact (fixed_query_costs_with_several_optima E x _ _ _ _ regularity rho runs epsilon given cost highest_cost Hcost).
  - intros a_star m. exact (fixed_query_costs_with_a_unique_optimum E x _ _ _ _ regularity rho rho_is_nonneg runs epsilon
      given cost highest_cost a_star m Hcost).
Qed.

(** Closed forms: 6 (1 + rho)^2 ln T / gap + gap L(gap) for the regret of a suboptimal arm; 6 (1 + rho)^2 ln T / gap^2 of
    its queries, and 6 (1 + 1/rho)^2 ln T / m^2 of those of the optimal arm. *)
Theorem steered_closed_forms_end_to_end : (1 <= T)%nat ->
  E (regret_on x) <= sum (arms K) (fun a => if Rle_dec (gap b a) 0 then 0
      else 6 * ((1 + rho) * (1 + rho)) * ln (INR T) / gap b a + gap b a * L (gap b a))
    + 2 * INR K * largest_gap b /\
  (forall a_star m, 0 < rho -> unique_optimal_arm b a_star -> 0 < m ->
     (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (queries_on x) <= sum (others K a_star)
         (fun a => 6 * ((1 + rho) * (1 + rho)) * ln (INR T) / (gap b a * gap b a))
       + 6 * ((1 + / rho) * (1 + / rho)) * ln (INR T) / (m * m) + 2 * INR K).
Proof.
  intros HT. split.
  - exact (hoeffding_regret_in_closed_form E x entry table_tape uses rho rho_is_nonneg runs epsilon given HT).
  - intros a_star m Hrho. exact (hoeffding_queries_in_closed_form E x entry table_tape uses rho rho_is_nonneg runs epsilon
      given a_star m Hrho HT).
Qed.

(** Proposition l.435 with 2 (1 + rho) for 4. Epsilon is summed over t = K+1..T, where it is used. *)
Theorem steered_problem_independent_bound_end_to_end : (1 <= T)%nat ->
  E (regret_on x) <= 2 * (1 + rho) * sqrt (6 * INR K * INR T * ln (INR T)) + total_epsilon K epsilon T
    + 2 * INR K * largest_gap b.
Proof.
  exact (hoeffding_problem_independent_regret_for_a_fixed_epsilon E x entry table_tape uses rho rho_is_nonneg runs epsilon
    given).
Qed.
End Fixed.

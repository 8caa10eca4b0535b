(** The main theorem (l.417-433, l.435) for BuFALU from nothing but reward laws on [0,1] and the algorithm.

    The sample space is that of tables X_a(1..T) of independent rewards; no inequality, independence or regularity is
    assumed any more. Everything is the case rho = 1 of Tables.v. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Cases Runs Expectation Experiment GeneralTheorem
  HoeffdingIntervals ClosedForms ProblemIndependent MainTheorem Laws Witness Tables.
Open Scope R_scope.

(** An experiment of BuFALU with Hoeffding's intervals. *)
Definition bufalu_on_tables : (nat -> expectation reward) -> (nat -> R) -> experiment table -> Prop :=
  on_tables bufalu hoeffding_formula.

Lemma bufalu_on_tables_is_steered law epsilon x : bufalu_on_tables law epsilon x ->
  on_tables (steered_by 1) hoeffding_formula law epsilon x.
Proof. intros [H1 H2 H3 H4]. constructor; trivial. now apply runs_of_bufalu_are_steered. Qed.

Section EndToEnd.
Variables (law : nat -> expectation reward) (epsilon : nat -> R) (x : experiment table).
Hypothesis setting : bufalu_on_tables law epsilon x.
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.
Let E := table_law law K T.
Let N (mu : R) : R := hoeffding_n_bar epsilon mu T.
Let L (d : R) : R := rounds_with_large_epsilon K epsilon d T.
Let steered_setting := bufalu_on_tables_is_steered law epsilon x setting.

(** Regret sums run over all arms, of which the optimal ones add 0. 2K in the place of 3K is proved in Tables.v.
    says: the theorem of the main text, all three parts, for every K >= 1, T, reward laws on [0,1], nonnegative
      epsilon fixed in advance and every tie-break, in expectation over the product space of reward tables; nothing
      assumed
    paper: l.417-433
    differs: capped N-bar, and L after round K, both at most what is printed; T <= K and K = 1 included
    breaks: "gap b a / 2" to "gap b a" *)
Theorem the_upper_bound_end_to_end :
  (forall w a, is_arm K a -> INR (queries (path_of x w) a T) <= N 0 + 1) /\
  (several_optimal_arms b ->
     E (regret_on x) <= sum (arms K) (fun a => gap b a * (N (gap b a) + L (gap b a))) + 3 * INR K * largest_gap b /\
     E (queries_on x) <= sum (arms K) (fun a => N (gap b a)) + 3 * INR K) /\
  (forall a_star m, unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (regret_on x) <= sum (others K a_star) (fun a => gap b a * (N (gap b a / 2) + L (gap b a)))
       + 3 * INR K * largest_gap b /\
     E (queries_on x) <= sum (others K a_star) (fun a => N (gap b a / 2)) + N (m / 2) + 3 * INR K).
Proof.
  assert (HK := pos_INR K). assert (HD := largest_gap_nonneg b).
  assert (HKD : 0 <= INR K * largest_gap b) by (apply Rmult_le_pos; assumption).
  destruct (steered_bounds_end_to_end 1 law epsilon x Rle_0_1 steered_setting) as [Hcap [Hmany [Hreg Hq]]].
  fold b K T E in Hcap, Hmany, Hreg, Hq. split; [exact Hcap|]. split.
  - intros H. destruct (Hmany H) as [H1 H2]. unfold N, L. split; lra.
  - intros a_star m Hu Hm. split.
    + rewrite (sum_split_off_arm K a_star) in Hreg by apply Hu.
      rewrite (gap_of_optimal b a_star) in Hreg by apply Hu. change (1 + 1) with 2 in Hreg. unfold N, L. lra.
    + specialize (Hq a_star m Hu Hm). rewrite Rmult_1_l in Hq. change (1 + 1) with 2 in Hq. unfold N. lra.
Qed.

(** says: the theorem with (gap + epsilon(t))/2 for gap/2 and 2K for 3K, for every K >= 1, T, reward laws on [0,1],
      nonnegative epsilon fixed in advance and every tie-break, in expectation over the product space of reward tables
    paper: beyond the paper; compare l.427-432
    breaks: "2 * INR K" to "INR K" *)
Theorem the_sharper_upper_bound_end_to_end :
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (sharper_hoeffding_n_bar epsilon (gap b a) T + L (gap b a)))
    + 2 * INR K * largest_gap b /\
  (forall a_star m, unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (queries_on x) <= sum (others K a_star) (fun a => sharper_hoeffding_n_bar epsilon (gap b a) T) + N (m / 2)
       + 2 * INR K).
Proof.
  assert (H : forall d, sharper_dial_n_bar hoeffding_enough epsilon 1 d T = sharper_hoeffding_n_bar epsilon d T).
  { intros d. apply maximum_ext. intros t. now rewrite sharper_level_at_one. }
  destruct (steered_sharper_bounds_end_to_end 1 law epsilon x Rle_0_1 steered_setting) as [Hreg Hq].
  fold b K T E in Hreg, Hq. split.
  - rewrite (sum_ext _ _ (fun a => gap b a * (sharper_hoeffding_n_bar epsilon (gap b a) T + L (gap b a)))) in Hreg
      by (intros; now rewrite H). exact Hreg.
  - intros a_star m Hu Hm. specialize (Hq a_star m Hu Hm). rewrite Rmult_1_l in Hq.
    rewrite (sum_ext _ _ (fun a => sharper_hoeffding_n_bar epsilon (gap b a) T)) in Hq by (intros; apply H). exact Hq.
Qed.

(** says: regret at most the sum of 24 ln T / gap + gap L(gap), plus 2 K Delta_max, for every K >= 1, T, reward laws
      on [0,1], nonnegative epsilon fixed in advance and every tie-break, in expectation over the product space of
      reward tables
    paper: l.427-432 with l.1141
    differs: 2K where the print has 3K
    breaks: "24 *" to "23 *" *)
Theorem the_closed_form_end_to_end : (1 <= T)%nat ->
  E (regret_on x) <= sum (arms K) (fun a =>
      if Rle_dec (gap b a) 0 then 0 else 24 * ln (INR T) / gap b a + gap b a * L (gap b a))
    + 2 * INR K * largest_gap b.
Proof.
  intros HT. destruct (steered_closed_forms_end_to_end 1 law epsilon x Rle_0_1 steered_setting HT) as [P _].
  fold b K T E in P. replace 24 with (6 * ((1 + 1) * (1 + 1))) by ring. exact P.
Qed.

(** says: regret at most 4 sqrt(6 K T ln T) + the sum of epsilon + 3 K Delta_max, for every K >= 1, T, reward laws on
      [0,1], nonnegative epsilon fixed in advance and every tie-break, in expectation over the product space of reward
      tables
    paper: l.435-438
    differs: rewards in [0,1] are assumed, and epsilon is summed from t = K+1
    settles: independent.hoeffding
    breaks: "4 * sqrt" to "3 * sqrt" *)
Theorem the_problem_independent_bound_end_to_end : (1 <= T)%nat ->
  E (regret_on x) <= 4 * sqrt (6 * INR K * INR T * ln (INR T)) + total_epsilon K epsilon T
    + 3 * INR K * largest_gap b.
Proof.
  intros HT. assert (P := steered_problem_independent_bound_end_to_end 1 law epsilon x Rle_0_1 steered_setting HT).
  fold b K T E in P.
  assert (0 <= INR K * largest_gap b) by (apply Rmult_le_pos; [apply pos_INR | apply largest_gap_nonneg]). lra.
Qed.

(** says: every bound on BuFALU's queries when a query of arm a costs c_a >= 0, for laws on [0,1]
    paper: l.268
    differs: the print announces the extension without stating it
    breaks: "gap b a / 2" to "gap b a" *)
Theorem query_costs_end_to_end cost highest_cost :
  (forall a, is_arm K a -> 0 <= cost a <= highest_cost) ->
  (forall w, query_costs_on x cost w <= sum (arms K) (fun a => cost a * (N 0 + 1))) /\
  (several_optimal_arms b ->
     E (query_costs_on x cost) <= sum (arms K) (fun a => cost a * (N (gap b a) + 1)) + highest_cost * INR K) /\
  (forall a_star m, unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (query_costs_on x cost) <= sum (others K a_star) (fun a => cost a * (N (gap b a / 2) + 1))
       + cost a_star * (N (m / 2) + 1) + highest_cost * INR K).
Proof.
  intros Hcost.
  destruct (steered_query_costs_end_to_end 1 law epsilon x Rle_0_1 steered_setting cost highest_cost Hcost)
    as [Hcap [Hmany Hq]].
  split; [exact Hcap|]. split; [exact Hmany|]. intros a_star m Hu Hm. specialize (Hq a_star m Hu Hm).
  rewrite Rmult_1_l in Hq. exact Hq.
Qed.
End EndToEnd.

(** The remark is at l.1042.
    says: all parts on the space of tables of rewards in [0,1] when epsilon depends on the table in any way, hence on
      any history
    paper: l.416, l.1042
    differs: N-bar and L in expectation, as the remark says; min{epsilon(t), Delta_max} summed for epsilon(t); 2K where
      the print has 3K
    breaks: "2 * INR K" to "INR K" *)
Theorem the_upper_bound_with_adaptive_epsilon (law : nat -> expectation reward) (x : experiment table) :
  let b := instance x in let K := arms_of x in let T := horizon x in
  let E := table_law law K T in
  let N := fun mu => E (fun w => hoeffding_n_bar (epsilon_at x w) mu T) in
  let L := fun d => E (fun w => rounds_with_large_epsilon K (epsilon_at x w) d T) in
  (forall a, is_arm K a -> mean b a = law a value) -> uses_hoeffding_intervals x entry ->
  runs_of bufalu x ->
  (forall w a, is_arm K a -> INR (queries (path_of x w) a T)
    <= maximum (fun t => hoeffding_enough t (epsilon_at x w t)) T + 1) /\
  (several_optimal_arms b ->
     E (regret_on x) <= sum (arms K) (fun a => gap b a * (N (gap b a) + L (gap b a))) + 2 * INR K * largest_gap b /\
     E (queries_on x) <= sum (arms K) (fun a => N (gap b a)) + 2 * INR K) /\
  (forall a_star m, unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (regret_on x) <= sum (arms K) (fun a => gap b a * (N (gap b a / 2) + L (gap b a)))
       + 2 * INR K * largest_gap b /\
     E (queries_on x) <= sum (others K a_star) (fun a => N (gap b a / 2)) + N (m / 2) + 2 * INR K) /\
  ((1 <= T)%nat ->
     E (regret_on x) <= 4 * sqrt (6 * INR K * INR T * ln (INR T))
       + E (fun w => total_epsilon_up_to (largest_gap b) K (epsilon_at x w) T) + 2 * INR K * largest_gap b).
Proof.
  intros b K T E N L means uses runs.
  destruct (steered_bounds_with_adaptive_epsilon 1 law x Rle_0_1 means uses (runs_of_bufalu_are_steered x runs))
    as [Hcap [Hmany [Hreg [Hq Hindep]]]].
  split; [exact Hcap|]. split; [exact Hmany|]. split.
  - intros a_star m Hu Hm. split; [exact Hreg|]. specialize (Hq a_star m Hu Hm). rewrite Rmult_1_l in Hq. exact Hq.
  - intros HT. replace 4 with (2 * (1 + 1)) by ring. exact (Hindep HT).
Qed.

(** says: for every bandit of laws on [0,1], horizon and nonnegative epsilon there are such runs: nothing above is
      vacuous
    paper: l.371-389
    differs: not a statement of the paper
    breaks: "mean b a =" to "mean b a <=" *)
Theorem such_experiments_exist (law : nat -> expectation reward) b T epsilon :
  (forall a, is_arm (number_of_arms b) a -> mean b a = law a value) ->
  (forall t, (number_of_arms b < t <= T)%nat -> 0 <= epsilon t) ->
  exists x : experiment table, instance x = b /\ horizon x = T /\ bufalu_on_tables law epsilon x.
Proof. exact (experiments_exist_on_tables _ _ hoeffding_formula law b T epsilon bufalu_chooses). Qed.

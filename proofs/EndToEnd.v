(** The main theorem (l.417-433, l.435) from nothing but finite reward laws on [0,1] and the algorithm.

    The sample space is the finite product space of tables X_a(1..T); no inequality, independence or regularity is
    assumed any more. *)

From Coq Require Import Reals Lra Lia Arith List.
From Bufalu Require Import Sums Intervals Decision GapQuery Runs Expectation Experiment GeneralTheorem
  HoeffdingIntervals ClosedForms ProblemIndependent MainTheorem FiniteSpace Witness.
Open Scope R_scope.

(** An experiment of BuFALU: arm [a] pays by [law a], epsilon is fixed in advance, rewards are read from the table
    in the order of the queries, and intervals are Hoeffding's. Any tie-break, even one that looks at the table. *)
Record bufalu_on_tables (law : nat -> space reward) (epsilon : nat -> R) (x : experiment table) : Prop := OnTables {
  means_are_true : forall a, is_arm (arms_of x) a -> mean (instance x) a = finite_expectation (law a) value;
  intervals_are_hoeffding : uses_hoeffding_intervals x entry;
  epsilon_is_given : forall w t, epsilon_at x w t = epsilon t
}.

Section EndToEnd.
Variables (law : nat -> space reward) (epsilon : nat -> R) (x : experiment table).
Hypothesis setting : bufalu_on_tables law epsilon x.
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.
Let E := finite_expectation (table_space law K T).
Let N (mu : R) : R := hoeffding_n_bar epsilon mu T.
Let L (d : R) : R := rounds_with_large_epsilon K epsilon d T.

Lemma table_tape : reward_tape E b T entry.
Proof. apply the_table_is_a_reward_tape. apply (means_are_true _ _ _ setting). Qed.

Let uses := intervals_are_hoeffding _ _ _ setting.
Let fixed := epsilon_is_given _ _ _ setting.

(** Theorem l.417, the five statements as printed, 3K included (2K is proved below). N-bar is the capped form of
    l.1139, L counts rounds after K; both are at most what is printed. Regret sums run over all arms, of which the
    optimal ones add 0. *)
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
  split; [|split].
  - intros w a Ha. now apply (part_1_queries_never_exceed_the_cap E x entry table_tape uses epsilon fixed).
  - intros Hmany. split.
    + generalize (part_2_regret_with_several_optima E x entry table_tape uses epsilon fixed Hmany). unfold N, L.
      fold b K T. lra.
    + generalize (part_2_queries_with_several_optima E x entry table_tape uses epsilon fixed Hmany). unfold N.
      fold b K T. lra.
  - intros a_star m Hu Hm. split.
    + assert (P := part_3_regret E x entry table_tape uses epsilon fixed). fold b K T in P.
      rewrite (sum_split_off_arm K a_star) in P by apply Hu.
      rewrite (gap_of_optimal b a_star) in P by apply Hu. unfold N, L. lra.
    + generalize (part_3_queries_with_a_unique_optimum E x entry table_tape uses epsilon fixed a_star m Hu Hm).
      unfold N. fold b K T. lra.
Qed.

(** The same with the sharper width (gap + epsilon(t))/2 and 2K, beyond the paper. *)
Theorem the_sharper_upper_bound_end_to_end :
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (sharper_hoeffding_n_bar epsilon (gap b a) T + L (gap b a)))
    + 2 * INR K * largest_gap b /\
  (forall a_star m, unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (queries_on x) <= sum (others K a_star) (fun a => sharper_hoeffding_n_bar epsilon (gap b a) T) + N (m / 2)
       + 2 * INR K).
Proof.
  split.
  - apply (sharper_regret_with_hoeffding_intervals E x entry table_tape uses epsilon fixed).
  - apply (sharper_queries_with_hoeffding_intervals E x entry table_tape uses epsilon fixed).
Qed.

(** Closed form: 24 ln T / gap + gap L(gap) for each suboptimal arm. *)
Theorem the_closed_form_end_to_end : (1 <= T)%nat ->
  E (regret_on x) <= sum (arms K) (fun a =>
      if Rle_dec (gap b a) 0 then 0 else 24 * ln (INR T) / gap b a + gap b a * L (gap b a))
    + 2 * INR K * largest_gap b.
Proof. apply (part_3_regret_in_closed_form E x entry table_tape uses epsilon fixed). Qed.

(** Proposition l.435. Epsilon is summed over t = K+1..T, where it is used. *)
Theorem the_problem_independent_bound_end_to_end : (1 <= T)%nat ->
  E (regret_on x) <= 4 * sqrt (6 * INR K * INR T * ln (INR T)) + total_epsilon K epsilon T
    + 3 * INR K * largest_gap b.
Proof.
  intros HT. generalize (problem_independent_regret E x entry table_tape uses epsilon fixed HT). fold b K T.
  assert (0 <= INR K * largest_gap b) by (apply Rmult_le_pos; [apply pos_INR | apply largest_gap_nonneg]). lra.
Qed.
End EndToEnd.

(** Adaptive epsilon (l.416 and the remark at l.1042), end to end: epsilon may depend on the whole table in any way,
    so on the history of the run in particular. The bounds of parts 2 and 3 hold with expectations of N-bar and L. *)
Section Adaptive.
Variables (law : nat -> space reward) (x : experiment table).
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.
Let E := finite_expectation (table_space law K T).
Hypothesis means : forall a, is_arm K a -> mean b a = finite_expectation (law a) value.
Hypothesis hoeffding : uses_hoeffding_intervals x entry.
Let N (mu : R) : R := E (fun w => hoeffding_n_bar (epsilon_at x w) mu T).
Let L (d : R) : R := E (fun w => rounds_with_large_epsilon K (epsilon_at x w) d T).

(** Parts 1, 2 and 3 and the problem-independent bound, with 2K where the print has 3K. *)
Theorem the_upper_bound_with_adaptive_epsilon :
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
       + E (fun w => total_epsilon K (epsilon_at x w) T) + 2 * INR K * largest_gap b).
Proof.
  assert (tape : reward_tape E b T entry) by now apply the_table_is_a_reward_tape.
  assert (regularity := hoeffding_intervals_are_regular E x entry tape hoeffding).
  split; [|split; [|split]].
  - intros w a Ha. exact (general_part_1_queries_never_exceed_the_cap E x _ _ _ _ regularity w a Ha).
  - intros Hmany. split.
    + assert (P := general_part_2_regret_with_several_optima E x _ _ _ _ regularity Hmany).
      unfold expected_n_bar, expected_large_epsilon in P. fold b K T in P. unfold N, L, hoeffding_n_bar. lra.
    + assert (P := general_part_2_queries_with_several_optima E x _ _ _ _ regularity Hmany).
      unfold expected_n_bar in P. fold b K T in P. unfold N, hoeffding_n_bar. lra.
  - intros a_star m Hu Hm. split.
    + assert (P := general_part_3_regret E x _ _ _ _ regularity).
      unfold expected_n_bar, expected_large_epsilon in P. fold b K T in P. unfold N, L, hoeffding_n_bar. lra.
    + assert (P := general_part_3_queries_with_a_unique_optimum E x _ _ _ _ regularity a_star m Hu Hm).
      unfold expected_n_bar in P. fold b K T in P. unfold N, hoeffding_n_bar. lra.
  - exact (hoeffding_problem_independent_regret E x entry tape hoeffding).
Qed.
End Adaptive.

(** Nothing above is vacuous: for every bandit of finite laws (any K >= 1), horizon and nonnegative epsilon there is
    such an experiment. *)
Theorem such_experiments_exist law b T epsilon :
  (forall a, is_arm (number_of_arms b) a -> mean b a = finite_expectation (law a) value) ->
  (forall t, (number_of_arms b < t <= T)%nat -> 0 <= epsilon t) ->
  exists x : experiment table, instance x = b /\ horizon x = T /\ bufalu_on_tables law epsilon x.
Proof.
  intros Hmeans nonneg. destruct (runs_exist_on_every_tape b T epsilon entry nonneg) as [x [Hb [HT [He Hu]]]].
  exists x. split; [exact Hb|]. split; [exact HT|]. constructor; trivial.
  intros a Ha. unfold arms_of in Ha. rewrite Hb in *. now apply Hmeans.
Qed.

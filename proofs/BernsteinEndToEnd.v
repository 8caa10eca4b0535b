(** BuFALU with Bernstein intervals (l.846-866, l.1059, l.1211-1236) from nothing but reward laws on [0,1]
    and the algorithm: no inequality, independence or regularity is assumed.

    The constant of the failures is 2K where the print has 12K, so 3K stands where the print's K + C(T) is 13K. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Runs Expectation Experiment HoeffdingIntervals
  ProblemIndependent MainTheorem BernsteinIntervals BernsteinRegularity BernsteinClosedForms Laws
  PairsAndJensen VarianceTails BernsteinTables BernsteinBounds Witness Tables.
Open Scope R_scope.

Definition bernstein_formula : interval_formula :=
  fun t n Y => bernstein_interval t n (sample_mean Y n) (sample_variance Y n).

(** An experiment of BuFALU with Bernstein's intervals, for laws on [0,1] and an epsilon fixed in advance; any
    tie-break, even one that looks at the table. *)
Definition bernstein_on_tables : (nat -> expectation reward) -> (nat -> R) -> experiment table -> Prop :=
  on_tables bufalu bernstein_formula.

Section EndToEnd.
Variables (law : nat -> expectation reward) (epsilon : nat -> R) (x : experiment table).
Hypothesis setting : bernstein_on_tables law epsilon x.
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.
Let E := table_law law K T.
Let V (a : nat) : R := variance_of_arm law a.
Let N (a : nat) (mu : R) : R := bernstein_n_bar (V a) epsilon mu T.
Let L (d : R) : R := rounds_with_large_epsilon K epsilon d T.

Let means := means_are_true _ _ _ _ _ setting.
Let bernstein : uses_bernstein_intervals x entry := intervals_are_computed _ _ _ _ _ setting.
Let fixed := epsilon_is_given _ _ _ _ _ setting.
Let runs := runs_are_of_the_rule _ _ _ _ _ setting.

Let regularity := proj1 (bernstein_intervals_are_regular law x means bernstein).
Let steered := runs_of_bufalu_are_steered x runs.

(** Part 3 for the regret, which needs no unique optimal arm. *)
Lemma bernstein_regret :
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (N a (gap b a / 2) + L (gap b a)))
    + 3 * INR K * largest_gap b.
Proof.
  assert (P := fixed_regret E x _ _ _ _ regularity 1 Rle_0_1 steered epsilon fixed). fold b K T E in P.
  change (1 + 1) with 2 in P. unfold N, L, bernstein_n_bar, V. lra.
Qed.

(** Regret sums run over all arms, of which the optimal ones add 0.
    says: the five statements of the general theorem for the Bernstein intervals, for every K >= 1, T, reward laws on
      [0,1], nonnegative epsilon fixed in advance and every tie-break, in expectation over the product space of reward
      tables; nothing assumed
    paper: l.846-866 with l.1211-1236
    differs: K + C(T) = 3K where the print's 12K gives 13K; L after round K; D_min may be any lower bound of the gaps
    settles: theorem.bernstein
    breaks: "gap b a / 2" to "gap b a" *)
Theorem the_bernstein_upper_bound_end_to_end :
  (forall w a, is_arm K a -> INR (queries (path_of x w) a T) <= bernstein_cap_2 epsilon T + 1) /\
  (several_optimal_arms b ->
     E (regret_on x) <= sum (arms K) (fun a => gap b a * (N a (gap b a) + L (gap b a)))
       + 3 * INR K * largest_gap b /\
     E (queries_on x) <= sum (arms K) (fun a => N a (gap b a)) + 3 * INR K) /\
  (forall a_star m, unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (regret_on x) <= sum (others K a_star) (fun a => gap b a * (N a (gap b a / 2) + L (gap b a)))
       + 3 * INR K * largest_gap b /\
     E (queries_on x) <= sum (others K a_star) (fun a => N a (gap b a / 2)) + N a_star (m / 2) + 3 * INR K).
Proof.
  split; [|split].
  - exact (fixed_cap E x _ _ _ _ regularity 1 steered epsilon fixed).
  - intros Hmany. assert (R := fixed_regret_with_several_optima E x _ _ _ _ regularity 1 steered epsilon fixed Hmany).
    assert (Q := fixed_queries_with_several_optima E x _ _ _ _ regularity 1 steered epsilon fixed Hmany).
    fold b K T E in R, Q. unfold N, L, bernstein_n_bar, V. split; lra.
  - intros a_star m Hu Hm. assert (R := bernstein_regret).
    assert (Q := fixed_queries_with_a_unique_optimum E x _ _ _ _ regularity 1 Rle_0_1 steered epsilon fixed a_star m
      Hu Hm). fold b K T E in Q. change (1 + 1) with 2 in Q. rewrite Rmult_1_l in Q. split.
    + rewrite (sum_split_off_arm K a_star), (gap_of_optimal b a_star) in R by apply Hu. lra.
    + unfold N, bernstein_n_bar, V. lra.
Qed.

Lemma variance_is_nonneg a : 0 <= V a.
Proof. apply variance_of_law_nonneg. Qed.

(** g N_a(T, g/c) <= c (24 V c ln T / g + 52 ln T + g/c). *)
Lemma bernstein_regret_of_a_gap a g c : (1 <= T)%nat -> 0 < g -> 0 < c ->
  g * N a (g / c) <= c * c * 24 * V a * ln (INR T) / g + c * 52 * ln (INR T) + g.
Proof.
  intros HT Hg Hc. assert (Hgc : 0 < g / c) by (apply Rdiv_lt_0_compat; lra).
  assert (P := level_times_bernstein_n_bar (V a) epsilon (g / c) T (variance_is_nonneg a) HT Hgc).
  apply (Rmult_le_compat_l c) in P; [|lra].
  replace (c * (g / c * bernstein_n_bar (V a) epsilon (g / c) T)) with (g * N a (g / c)) in P
    by (unfold N; field; lra).
  replace (c * (24 * V a * ln (INR T) / (g / c) + 52 * ln (INR T) + g / c))
    with (c * c * 24 * V a * ln (INR T) / g + c * 52 * ln (INR T) + g) in P by (field; lra). exact P.
Qed.

Lemma bernstein_queries_of_a_gap a g : (1 <= T)%nat -> 0 < g ->
  N a (g / 2) <= 96 * V a * ln (INR T) / (g * g) + 104 * ln (INR T) / g + 1.
Proof.
  intros HT Hg. destruct (the_bernstein_n_bar_is_at_most_its_value_at_the_horizon (V a) epsilon (g / 2) T
    (variance_is_nonneg a) HT) as [H1 H2]. specialize (H2 ltac:(lra)).
  replace (96 * V a * ln (INR T) / (g * g) + 104 * ln (INR T) / g + 1)
    with (24 * V a * ln (INR T) / (g / 2 * (g / 2)) + 52 * ln (INR T) / (g / 2) + 1) by (field; lra). unfold N. lra.
Qed.

(** says: the closed forms 96 V_a ln T/gap + 104 ln T + gap for the regret of an arm, 24, 52 and 1 with several
      optimal arms, and 96 V_a ln T/gap^2 + 104 ln T/gap + 1 for its queries, for every K >= 1, T, reward laws on
      [0,1], nonnegative epsilon fixed in advance and every tie-break, in expectation over the product space of reward
      tables; nothing assumed
    paper: l.846-866 with l.1220 and l.1228
    differs: 3K where the print's 12K gives 13K
    settles: theorem.bernstein.closed_form
    breaks: "96" to "95" *)
Theorem the_variance_dependent_bounds_end_to_end : (1 <= T)%nat ->
  E (regret_on x) <= sum (arms K) (fun a => if Rle_dec (gap b a) 0 then 0 else
      96 * V a * ln (INR T) / gap b a + 104 * ln (INR T) + gap b a + gap b a * L (gap b a))
    + 3 * INR K * largest_gap b /\
  (several_optimal_arms b ->
     E (regret_on x) <= sum (arms K) (fun a => if Rle_dec (gap b a) 0 then 0 else
         24 * V a * ln (INR T) / gap b a + 52 * ln (INR T) + gap b a + gap b a * L (gap b a))
       + 3 * INR K * largest_gap b) /\
  (forall a_star m, unique_optimal_arm b a_star -> 0 < m -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (queries_on x) <= sum (others K a_star) (fun a =>
         96 * V a * ln (INR T) / (gap b a * gap b a) + 104 * ln (INR T) / gap b a + 1)
       + (96 * V a_star * ln (INR T) / (m * m) + 104 * ln (INR T) / m + 1) + 3 * INR K).
Proof.
  intros HT. destruct the_bernstein_upper_bound_end_to_end as [_ [P2 P3]]. split; [|split].
  - eapply Rle_trans; [exact bernstein_regret|]. apply Rplus_le_compat_r. apply sum_le. intros a Ha.
    apply in_arms in Ha. assert (Hg := gap_nonneg b a Ha).
    destruct (Rle_dec (gap b a) 0); [replace (gap b a) with 0 by lra; lra|].
    assert (P := bernstein_regret_of_a_gap a (gap b a) 2 HT ltac:(lra) ltac:(lra)). unfold Rdiv in *. lra.
  - intros Hmany. eapply Rle_trans; [exact (proj1 (P2 Hmany))|]. apply Rplus_le_compat_r. apply sum_le. intros a Ha.
    apply in_arms in Ha. assert (Hg := gap_nonneg b a Ha).
    destruct (Rle_dec (gap b a) 0); [replace (gap b a) with 0 by lra; lra|].
    assert (P := bernstein_regret_of_a_gap a (gap b a) 1 HT ltac:(lra) ltac:(lra)).
    replace (gap b a / 1) with (gap b a) in P by field. unfold Rdiv in *. lra.
  - intros a_star m Hu Hm0 Hm. eapply Rle_trans; [exact (proj2 (P3 a_star m Hu Hm))|]. apply Rplus_le_compat_r.
    apply Rplus_le_compat; [|now apply bernstein_queries_of_a_gap].
    apply sum_le. intros a Ha. apply in_others in Ha. destruct Ha as [Ha Hne].
    apply bernstein_queries_of_a_gap; [exact HT|]. specialize (Hm a Ha ltac:(congruence)). lra.
Qed.

(** says: regret at most 8 sqrt(6 K v T ln T) + 104 K ln T + the sum of epsilon + 4 K Delta_max if v bounds the
      variances of the suboptimal arms, and with v = 1/4 always, for every K >= 1, T, reward laws on [0,1],
      nonnegative epsilon fixed in advance and every tie-break, in expectation over the product space of reward
      tables; nothing assumed
    paper: l.1052-1065
    differs: the print only names M; epsilon is summed from t = K+1; 4K where its M and 12K give 15K
    settles: independent.bernstein.regret
    breaks: "104" to "103" *)
Theorem the_bernstein_problem_independent_bound_end_to_end : (1 <= T)%nat ->
  (forall v, 0 <= v -> (forall a, is_arm K a -> 0 < gap b a -> V a <= v) ->
     E (regret_on x) <= 8 * sqrt (6 * INR K * v * INR T * ln (INR T)) + 104 * INR K * ln (INR T)
       + total_epsilon K epsilon T + 4 * INR K * largest_gap b) /\
  E (regret_on x) <= 4 * sqrt (6 * INR K * INR T * ln (INR T)) + 104 * INR K * ln (INR T)
    + total_epsilon K epsilon T + 4 * INR K * largest_gap b.
Proof.
  intros HT. assert (Ht := fixed_total_epsilon E x epsilon fixed (largest_gap b)). fold K T in Ht.
  assert (Hle := total_epsilon_up_to_is_at_most (largest_gap b) K epsilon T). split.
  - intros v Hv Hvar.
    assert (P := the_variance_dependent_problem_independent_bound law x means bernstein runs v HT Hv Hvar).
    fold b K T E in P. lra.
  - assert (P := the_bernstein_problem_independent_bound law x means bernstein runs HT). fold b K T E in P. lra.
Qed.
End EndToEnd.

(** says: with the Bernstein budget schedule of a nondecreasing B > 1, on every path of BuFALU an arm has at most
      min{B(T), T - 1} + 1 queries, and all arms together at most K (B(T) + 1)
    paper: l.1231 with l.856
    differs: none
    settles: bernstein.budget_on_every_path
    breaks: "Rmin (B (horizon x)) (INR (horizon x - 1)) + 1" to "Rmin (B (horizon x)) (INR (horizon x - 1))" *)
Theorem with_the_bernstein_budget_schedule_queries_stay_within_the_budget_plus_one law B x : (1 <= horizon x)%nat ->
  bernstein_on_tables law (bernstein_budget_epsilon B) x ->
  (forall s t, (1 <= s <= t)%nat -> (t <= horizon x)%nat -> 1 < B s <= B t) ->
  forall w,
    (forall a, is_arm (arms_of x) a ->
       INR (queries (path_of x w) a (horizon x)) <= Rmin (B (horizon x)) (INR (horizon x - 1)) + 1) /\
    queries_on x w <= INR (arms_of x) * (B (horizon x) + 1).
Proof.
  intros HT setting HB w.
  assert (P : forall a, is_arm (arms_of x) a ->
    INR (queries (path_of x w) a (horizon x)) <= Rmin (B (horizon x)) (INR (horizon x - 1)) + 1).
  { intros a Ha. eapply Rle_trans; [exact (proj1 (the_bernstein_upper_bound_end_to_end law _ x setting) w a Ha)|].
    rewrite (proj1 (the_bernstein_budget_bound 0 B 0 (horizon x) ltac:(lra) HT HB)). apply Rle_refl. }
  split; [exact P|]. unfold queries_on.
  replace (INR (arms_of x) * (B (horizon x) + 1)) with (sum (arms (arms_of x)) (fun _ => B (horizon x) + 1))
    by (rewrite sum_const; unfold arms; now rewrite seq_length).
  apply sum_le. intros a Ha. apply in_arms in Ha. eapply Rle_trans; [exact (P a Ha)|].
  apply Rplus_le_compat_r. apply Rmin_l.
Qed.

(** says: for every bandit of laws on [0,1], horizon and nonnegative epsilon there are runs of BuFALU with Bernstein
      intervals: nothing above is vacuous
    paper: l.371-389 with l.1207
    differs: not a statement of the paper
    breaks: "mean b a =" to "mean b a <=" *)
Theorem such_bernstein_experiments_exist (law : nat -> expectation reward) b T epsilon :
  (forall a, is_arm (number_of_arms b) a -> mean b a = law a value) ->
  (forall t, (number_of_arms b < t <= T)%nat -> 0 <= epsilon t) ->
  exists x : experiment table, instance x = b /\ horizon x = T /\ bernstein_on_tables law epsilon x.
Proof. exact (experiments_exist_on_tables _ _ bernstein_formula law b T epsilon bufalu_chooses). Qed.

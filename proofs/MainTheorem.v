(** The theorem of the main text (l.417-433) for the Hoeffding intervals, for a sequence epsilon fixed in advance,
    with the tape of rewards on any sample space. EndToEnd.v takes the finite tables as the space. *)

From Coq Require Import Reals Lra Lia Arith List.
From Bufalu Require Import Sums Intervals Decision GapQuery Runs Expectation Experiment GeneralTheorem Hoeffding
  HoeffdingIntervals ClosedForms ProblemIndependent.
Open Scope R_scope.

Section Main.
Context {Omega : Type} (E : expectation Omega) (x : experiment Omega) (X : nat -> nat -> Omega -> R).
Hypothesis tape : reward_tape E (instance x) (horizon x) X.
Hypothesis uses : uses_hoeffding_intervals x X.
Variable epsilon : nat -> R.
Hypothesis epsilon_is_fixed : forall w t, epsilon_at x w t = epsilon t.
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.
Let regularity := hoeffding_intervals_are_regular E x X tape uses.
Let N (mu : R) : R := hoeffding_n_bar epsilon mu T.
Let L (d : R) : R := rounds_with_large_epsilon K epsilon d T.

Lemma maximum_ext f g n : (forall t, f t = g t) -> maximum f n = maximum g n.
Proof. intros H. induction n as [|n IH]; simpl; [reflexivity | now rewrite IH, H]. Qed.

Lemma fixed_n_bar mu a : expected_n_bar E x (fun _ => hoeffding_enough) a mu = N mu.
Proof.
  unfold expected_n_bar. rewrite <- (expect_const E (N mu)). apply expect_ext. intros w.
  apply maximum_ext. intros t. now rewrite epsilon_is_fixed.
Qed.

Lemma fixed_sharper_n_bar d a :
  expected_sharper_n_bar E x (fun _ => hoeffding_enough) a d = sharper_hoeffding_n_bar epsilon d T.
Proof.
  unfold expected_sharper_n_bar. rewrite <- (expect_const E (sharper_hoeffding_n_bar epsilon d T)).
  apply expect_ext. intros w.
  apply maximum_ext. intros t. now rewrite epsilon_is_fixed.
Qed.

Lemma fixed_large_epsilon d : expected_large_epsilon E x d = L d.
Proof.
  unfold expected_large_epsilon. rewrite <- (expect_const E (L d)). apply expect_ext. intros w.
  apply sum_ext. intros t _. now rewrite epsilon_is_fixed.
Qed.

(** Part 1 (l.421): n^q_T(a) <= N-bar(T, 0) + 1 on every path. N-bar is the capped form of l.1139, so that it is
    finite. *)
Theorem part_1_queries_never_exceed_the_cap w a : is_arm K a -> INR (queries (path_of x w) a T) <= N 0 + 1.
Proof.
  intros Ha. eapply Rle_trans; [apply (general_part_1_queries_never_exceed_the_cap E x _ _ _ _ regularity w a Ha)|].
  apply Rplus_le_compat_r. apply maximum_mono. intros t Ht. rewrite epsilon_is_fixed.
  unfold Rmax. destruct (Rle_dec 0 (epsilon t)) as [H|H]; [lra|].
  unfold hoeffding_enough. destruct (Rle_dec (epsilon t) 0), (Rle_dec 0 0); lra.
Qed.

(** Part 2 (l.422-426). Sums over all arms: the suboptimal ones give the printed terms, an optimal arm adds gap 0 to
    the regret and N-bar(T, 0) to the queries. The constants are 2K where the print has 3K. *)
Theorem part_2_regret_with_several_optima : several_optimal_arms b ->
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (N (gap b a) + L (gap b a))) + 2 * INR K * largest_gap b.
Proof.
  intros H. assert (P := general_part_2_regret_with_several_optima E x _ _ _ _ regularity H). fold b K T in P.
  rewrite (sum_ext _ _ (fun a => gap b a * (N (gap b a) + L (gap b a)))) in P
    by (intros; now rewrite fixed_n_bar, fixed_large_epsilon). lra.
Qed.

Theorem part_2_queries_with_several_optima : several_optimal_arms b ->
  E (queries_on x) <= sum (arms K) (fun a => N (gap b a)) + 2 * INR K.
Proof.
  intros H. assert (P := general_part_2_queries_with_several_optima E x _ _ _ _ regularity H). fold b K T in P.
  rewrite (sum_ext _ _ (fun a => N (gap b a))) in P by (intros; apply fixed_n_bar). lra.
Qed.

(** Part 3 (l.427-432). Uniqueness is not needed for the regret; [m] is any lower bound of the other gaps (the
    smallest gap in print). The constants are 2K where the print has 3K. *)
Theorem part_3_regret :
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (N (gap b a / 2) + L (gap b a))) + 2 * INR K * largest_gap b.
Proof.
  assert (P := general_part_3_regret E x _ _ _ _ regularity). fold b K T in P.
  rewrite (sum_ext _ _ (fun a => gap b a * (N (gap b a / 2) + L (gap b a)))) in P
    by (intros; now rewrite fixed_n_bar, fixed_large_epsilon). lra.
Qed.

Theorem part_3_queries_with_a_unique_optimum a_star m :
  unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
  E (queries_on x) <= sum (others K a_star) (fun a => N (gap b a / 2)) + N (m / 2) + 2 * INR K.
Proof.
  intros Hu Hm. assert (P := general_part_3_queries_with_a_unique_optimum E x _ _ _ _ regularity a_star m Hu Hm).
  fold b K T in P.
  rewrite (sum_ext _ _ (fun a => N (gap b a / 2))), fixed_n_bar in P by (intros; apply fixed_n_bar). lra.
Qed.

(** The sharper theorem: (gap + epsilon(t))/2 in the place of gap/2, for a unique optimal arm or several. *)
Theorem sharper_regret_with_hoeffding_intervals :
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (sharper_hoeffding_n_bar epsilon (gap b a) T + L (gap b a)))
    + 2 * INR K * largest_gap b.
Proof.
  assert (P := sharper_regret E x _ _ _ _ regularity). fold b K T in P.
  rewrite (sum_ext _ _ (fun a => gap b a * (sharper_hoeffding_n_bar epsilon (gap b a) T + L (gap b a)))) in P
    by (intros; now rewrite fixed_sharper_n_bar, fixed_large_epsilon). lra.
Qed.

Theorem sharper_queries_with_hoeffding_intervals a_star m :
  unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
  E (queries_on x) <= sum (others K a_star) (fun a => sharper_hoeffding_n_bar epsilon (gap b a) T) + N (m / 2)
    + 2 * INR K.
Proof.
  intros Hu Hm. assert (P := sharper_queries_with_a_unique_optimum E x _ _ _ _ regularity a_star m Hu Hm).
  fold b K T in P.
  rewrite (sum_ext _ _ (fun a => sharper_hoeffding_n_bar epsilon (gap b a) T)), fixed_n_bar in P
    by (intros; apply fixed_sharper_n_bar). lra.
Qed.

(** The closed form (l.427 with l.1141): for every epsilon, a suboptimal arm costs 24 ln T / gap + gap L(gap). *)
Theorem part_3_regret_in_closed_form : (1 <= T)%nat ->
  E (regret_on x) <= sum (arms K) (fun a =>
      if Rle_dec (gap b a) 0 then 0 else 24 * ln (INR T) / gap b a + gap b a * L (gap b a))
    + 2 * INR K * largest_gap b.
Proof.
  intros HT. eapply Rle_trans; [apply part_3_regret|]. apply Rplus_le_compat_r. apply sum_le. intros a Ha.
  apply in_arms in Ha.
  assert (Hg := gap_nonneg b a Ha). set (g := gap b a) in *. destruct (Rle_dec g 0) as [Hle|Hgt].
  - replace g with 0 by lra. lra.
  - assert (C := n_bar_is_at_most_six_log_over_square epsilon (g / 2) T HT ltac:(lra)).
    apply (Rmult_le_compat_l g) in C; [|lra].
    replace (g * (6 * ln (INR T) / (g / 2 * (g / 2)))) with (24 * ln (INR T) / g) in C by (field; lra). unfold N.
    lra.
Qed.

Theorem part_3_queries_in_closed_form a_star m :
  (1 <= T)%nat -> unique_optimal_arm b a_star -> 0 < m -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
  E (queries_on x) <= sum (others K a_star) (fun a => 24 * ln (INR T) / (gap b a * gap b a))
    + 24 * ln (INR T) / (m * m) + 2 * INR K.
Proof.
  intros HT Hu Hm0 Hm. eapply Rle_trans; [apply (part_3_queries_with_a_unique_optimum a_star m Hu Hm)|].
  assert (C : forall g, 0 < g -> N (g / 2) <= 24 * ln (INR T) / (g * g)).
  { intros g Hg. eapply Rle_trans; [apply (n_bar_is_at_most_six_log_over_square epsilon (g / 2) T HT); lra|].
    apply Req_le. field. lra. }
  apply Rplus_le_compat_r. apply Rplus_le_compat; [|now apply C].
  apply sum_le. intros a Ha. apply in_others in Ha. destruct Ha as [Ha Hne]. apply C.
  specialize (Hm a Ha ltac:(congruence)). lra.
Qed.

(** Proposition l.435, for the fixed sequence. *)
Theorem problem_independent_regret : (1 <= T)%nat ->
  E (regret_on x) <= 4 * sqrt (6 * INR K * INR T * ln (INR T)) + total_epsilon K epsilon T
    + 2 * INR K * largest_gap b.
Proof.
  intros HT. assert (P := hoeffding_problem_independent_regret E x X tape uses HT). fold b K T in P.
  rewrite (expect_ext E (fun w => total_epsilon K (epsilon_at x w) T) (fun _ => total_epsilon K epsilon T)),
    expect_const in P; [exact P|].
  intros w. apply sum_ext. intros t _. now rewrite epsilon_is_fixed.
Qed.
End Main.

(** The budget guarantee (l.416, l.441), corrected: with epsilon(t) = sqrt(6 K ln t / B(t)) for a positive
    nondecreasing total budget B, every arm has fewer than B(T)/K + 1 queries, that is at most B(T)/K rounded up, on
    every path. *)
Section Budget.
Context {Omega : Type} (x : experiment Omega) (X : nat -> nat -> Omega -> R) (B : nat -> R) (w : Omega).
Let K := arms_of x.
Let T := horizon x.
Hypothesis uses : uses_hoeffding_intervals x X.
Hypothesis some_round : (1 <= T)%nat.
Hypothesis budget_grows : forall t, (1 <= t <= T)%nat -> 0 < B t <= B T.
Hypothesis epsilon_is_of_the_budget : forall t, epsilon_at x w t = budget_epsilon K B t.

Lemma there_is_an_arm : 1 <= INR K.
Proof.
  assert (Ho := some_optimal_arm_is_an_arm (instance x)). unfold is_arm in Ho. change 1 with (INR 1).
  apply le_INR. unfold K, arms_of. lia.
Qed.

(** An arm with B(t)/K queries or more is not wider than epsilon(t). *)
Lemma a_spent_share_is_narrow t n estimate : (1 <= t <= T)%nat -> B t / INR K <= INR n ->
  ~ wider_than (budget_epsilon K B t) (hoeffding_interval t n estimate).
Proof.
  intros Ht H. assert (Hk := there_is_an_arm). destruct (budget_grows t Ht) as [HB _].
  assert (Hln := ln_of_round_nonneg t ltac:(lia)). assert (Hpos : 0 < B t / INR K) by (apply Rdiv_lt_0_compat; lra).
  assert (Hn : (1 <= n)%nat) by (destruct n; [simpl in H; lra | lia]).
  unfold wider_than. rewrite the_hoeffding_width_is_the_root_of_six_log_over_n by (trivial; lia).
  apply Rle_not_lt. apply sqrt_le_1_alt.
  replace (6 * INR K * ln (INR t) / B t) with (6 * ln (INR t) * / (B t / INR K)) by (field; lra).
  unfold Rdiv at 1. apply Rmult_le_compat_l; [lra|]. now apply Rinv_le_contravar.
Qed.

Theorem every_arm_has_fewer_queries_than_its_share_plus_one a : is_arm K a ->
  INR (queries (path_of x w) a T) < B T / INR K + 1.
Proof.
  intros Ha. assert (Hk := there_is_an_arm). assert (HBT : 0 < B T) by (apply budget_grows; lia).
  assert (Hshare : 0 < B T / INR K) by (apply Rdiv_lt_0_compat; lra).
  apply queries_stay_below_one_more; [exact Hshare|]. intros t Ht Hplay Hq.
  assert (R := path_is_a_run _ x w t Ht). unfold decides_in_round in R. fold (arms_of x) in R. fold K in R.
  destruct (Nat.leb_spec t K) as [HK|HK].
  - assert (Ea : a = t) by (destruct R; congruence).
    rewrite Ea, (before_its_first_round_an_arm_has_no_queries K T (bounds_at x w) (epsilon_at x w));
      [exact Hshare | apply path_is_a_run | exact HK | lia | lia].
  - rewrite Hplay, Hq in R. apply a_queried_arm_is_wider_than_epsilon in R.
    rewrite epsilon_is_of_the_budget, uses in R by assumption. cbv zeta in R.
    apply Rlt_le_trans with (B t / INR K).
    + apply Rnot_le_lt. intros Hspent. exact (a_spent_share_is_narrow t _ _ Ht Hspent R).
    + unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | now apply budget_grows].
Qed.

(** Hence fewer than B(T) + K queries in all. The print says that the budget is never violated (l.416) and at most
    B(T) + K queries (l.441). *)
Theorem a_budget_is_exceeded_by_less_than_K : queries_on x w < B T + INR K.
Proof.
  assert (Hk := there_is_an_arm). unfold queries_on. fold K T.
  apply Rlt_le_trans with (sum (arms K) (fun _ => B T / INR K + 1)).
  - apply sum_lt.
    + intros E. assert (I := some_optimal_arm_is_an_arm (instance x)). apply in_arms in I.
      change (number_of_arms (instance x)) with K in I. rewrite E in I. destruct I.
    + intros a Ha. apply in_arms in Ha. now apply every_arm_has_fewer_queries_than_its_share_plus_one.
  - rewrite sum_const. unfold arms. rewrite seq_length. apply Req_le. field. lra.
Qed.
End Budget.

(** What the summary table, the definitions and the discussion say of L_epsilon, of N-bar and of the bounds, in passing. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Runs Expectation Experiment GeneralTheorem Setting
  HoeffdingIntervals ClosedForms.
Open Scope R_scope.

(** ** L_epsilon *)

Section Large.
Variables (K : nat) (epsilon : nat -> R).

(** says: L_epsilon(T, d), the number of rounds t in K+1..T with epsilon(t) >= d (K = 0 is the print's count), is at most T,
      does not fall and grows by at most 1 when T grows by 1, and does not grow with d, for every sequence
    paper: l.410-414
    differs: none for K = 0
    settles: l_epsilon.definition
    breaks: "+ 1" to "+ 0" *)
Theorem large_epsilon_rounds_are_monotone d d' T : d <= d' ->
  rounds_with_large_epsilon K epsilon d T <= INR T /\
  rounds_with_large_epsilon K epsilon d T <= rounds_with_large_epsilon K epsilon d (S T)
    <= rounds_with_large_epsilon K epsilon d T + 1 /\
  rounds_with_large_epsilon K epsilon d' T <= rounds_with_large_epsilon K epsilon d T.
Proof.
  intros Hd. unfold rounds_with_large_epsilon. split; [|split].
  - rewrite <- (length_rounds T) at 2. rewrite <- (Rmult_1_r (INR _)), <- sum_const. apply sum_le. intros. apply indicator_le_1.
  - rewrite sum_rounds_S. assert (H0 := indicator_nonneg ((K <? S T) && at_most d (epsilon (S T)))).
    assert (H1 := indicator_le_1 ((K <? S T) && at_most d (epsilon (S T)))). lra.
  - apply sum_le. intros t _. unfold at_most.
    destruct (K <? t), (Rle_dec d' (epsilon t)), (Rle_dec d (epsilon t)); simpl; lra.
Qed.
End Large.

(** says: L_epsilon(T, d) is at most s if no later round than s has epsilon(t) >= d, for every sequence, and equal to s if
      epsilon does not increase and epsilon(s) >= d
    paper: l.414
    differs: none
    settles: l_epsilon.inverse
    breaks: "= INR s" to "= INR s + 1" *)
Theorem large_epsilon_rounds_are_the_inverse epsilon d T s : (s <= T)%nat -> (forall t, (s < t <= T)%nat -> epsilon t < d) ->
  rounds_with_large_epsilon 0 epsilon d T <= INR s /\
  ((forall t u, (1 <= t <= u)%nat -> (u <= T)%nat -> epsilon u <= epsilon t) -> ((1 <= s)%nat -> d <= epsilon s) ->
   rounds_with_large_epsilon 0 epsilon d T = INR s).
Proof.
  intros Hs Hafter. assert (U := large_epsilon_rounds_are_at_most_the_inverse 0 epsilon d T s Hafter).
  split; [exact U|]. intros Hmono Hlast. apply Rle_antisym; [exact U|].
  apply Rle_trans with (rounds_with_large_epsilon 0 epsilon d s).
  - unfold rounds_with_large_epsilon. rewrite (sum_ext _ _ (fun _ => 1)).
    + rewrite sum_const, length_rounds. lra.
    + intros t Ht. apply in_rounds in Ht. rewrite at_most_true.
      * replace (0 <? t) with true by (symmetry; apply Nat.ltb_lt; lia). reflexivity.
      * specialize (Hmono t s ltac:(lia) Hs). specialize (Hlast ltac:(lia)). lra.
  - clear U Hafter Hmono Hlast. induction Hs as [|T Hs IH]; [lra|]. eapply Rle_trans; [exact IH|].
    now apply (large_epsilon_rounds_are_monotone 0 epsilon d d T (Rle_refl d)).
Qed.

(** says: for rounds t >= 2 and epsilon(t) > 0, epsilon(t) >= d > 0 is the same as b(t) <= 6 ln t / d^2, where b(t) = 6 ln t /
      epsilon(t)^2
    paper: l.445
    differs: none
    settles: discussion.inverse_profile
    breaks: "6 * ln (INR t) / (d * d)" to "5 * ln (INR t) / (d * d)" *)
Theorem a_large_epsilon_is_a_small_profile t e d : (2 <= t)%nat -> 0 < e -> 0 < d ->
  d <= e <-> 6 * ln (INR t) / (e * e) <= 6 * ln (INR t) / (d * d).
Proof.
  intros Ht He Hd. assert (Hln : 0 < ln (INR t)).
  { rewrite <- ln_1. apply ln_increasing; [lra|]. change 1 with (INR 1). apply lt_INR. lia. }
  assert (Hee : 0 < e * e) by now apply Rmult_lt_0_compat. assert (Hdd : 0 < d * d) by now apply Rmult_lt_0_compat.
  split; intros H.
  - apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [exact Hdd|]. apply Rmult_le_compat; lra.
  - apply Rnot_lt_le. intros Hlt. apply (Rmult_le_compat_r (e * e * (d * d))) in H; [|apply Rlt_le; now apply Rmult_lt_0_compat].
    replace (6 * ln (INR t) / (e * e) * (e * e * (d * d))) with (6 * ln (INR t) * (d * d)) in H by (field; lra).
    replace (6 * ln (INR t) / (d * d) * (e * e * (d * d))) with (6 * ln (INR t) * (e * e)) in H by (field; lra).
    apply Rmult_le_reg_l in H; [|lra]. assert (e * e < d * d) by (apply Rmult_le_0_lt_compat; lra). lra.
Qed.

(** says: if t <= T and epsilon(t) >= d > 0, the profile b(t) = 6 ln t / epsilon(t)^2 is at most 6 ln T / d^2, for every
      sequence: L_epsilon counts rounds of a profile below that
    paper: l.237-242
    differs: epsilon need not be nonincreasing
    settles: summary.scarce_upper
    breaks: "6 * ln (INR T) / (d * d)" to "5 * ln (INR T) / (d * d)" *)
Theorem rounds_of_large_epsilon_have_a_small_profile epsilon t T d : (1 <= t <= T)%nat -> 0 < d -> d <= epsilon t ->
  6 * ln (INR t) / (epsilon t * epsilon t) <= 6 * ln (INR T) / (d * d).
Proof.
  intros Ht Hd He. assert (H0 := ln_of_round_nonneg t ltac:(lia)). assert (H1 := ln_of_rounds_mono t T Ht).
  assert (Hdd : 0 < d * d) by now apply Rmult_lt_0_compat. unfold Rdiv. apply Rmult_le_compat; [lra| |lra|].
  - left. apply Rinv_0_lt_compat. apply Rmult_lt_0_compat; lra.
  - apply Rinv_le_contravar; [exact Hdd|]. apply Rmult_le_compat; lra.
Qed.

(** ** N-bar of Hoeffding's intervals *)

(** says: N-bar(T, gap/2) <= 24 ln T / gap^2 for every epsilon and every T >= 1, so that with a unique optimal arm a gap
      adds at most 24 ln T / gap^2 queries and 24 ln T / gap regret to the theorem's bounds
    paper: l.214-222
    differs: none
    settles: summary.unique_upper
    breaks: "24 * ln" to "23 * ln" *)
Theorem half_a_gap_costs_twenty_four_log epsilon d T : (1 <= T)%nat -> 0 < d ->
  hoeffding_n_bar epsilon (d / 2) T <= 24 * ln (INR T) / (d * d) /\
  d * hoeffding_n_bar epsilon (d / 2) T <= 24 * ln (INR T) / d.
Proof.
  intros HT Hd. assert (N := n_bar_is_at_most_six_log_over_square epsilon (d / 2) T HT ltac:(lra)).
  replace (6 * ln (INR T) / (d / 2 * (d / 2))) with (24 * ln (INR T) / (d * d)) in N by (field; lra).
  split; [exact N|]. apply (Rmult_le_compat_l d) in N; [|lra].
  replace (d * (24 * ln (INR T) / (d * d))) with (24 * ln (INR T) / d) in N by (field; lra). exact N.
Qed.

(** says: N-bar(T, gap) <= 6 ln T / gap^2 for every epsilon and every T >= 1, the count of UCB with alpha = 3
    paper: l.448
    differs: none
    settles: discussion.ucb_count
    breaks: "6 * ln" to "5 * ln" *)
Theorem a_gap_costs_six_log epsilon d T : (1 <= T)%nat -> 0 < d -> hoeffding_n_bar epsilon d T <= 6 * ln (INR T) / (d * d).
Proof. exact (n_bar_is_at_most_six_log_over_square epsilon d T). Qed.

(** says: for a nonincreasing epsilon with epsilon(T) > 0 an optimal arm has N-bar(T, 0) <= 6 ln T / epsilon(T)^2, and a
      suboptimal one N-bar(T, gap) <= 6 ln T / gap^2
    paper: l.224-232
    differs: the capped N-bar, so at most where the print has equality
    settles: summary.multiple_upper
    breaks: "6 * ln (INR T) / (epsilon T * epsilon T)" to "5 * ln (INR T) / (epsilon T * epsilon T)" *)
Theorem optimal_arms_cost_six_log_over_epsilon epsilon d T : (1 <= T)%nat -> 0 < epsilon T ->
  (forall s t, (1 <= s <= t)%nat -> (t <= T)%nat -> epsilon t <= epsilon s) ->
  hoeffding_n_bar epsilon 0 T <= 6 * ln (INR T) / (epsilon T * epsilon T) /\
  (0 < d -> hoeffding_n_bar epsilon d T <= 6 * ln (INR T) / (d * d)).
Proof.
  intros HT He Hmono. split; [|now apply n_bar_is_at_most_six_log_over_square].
  rewrite n_bar_of_a_nonincreasing_epsilon by assumption. rewrite Rmax_right by lra. now apply hoeffding_enough_le_closed_form.
Qed.

(** says: N-bar(T, mu) = min{6 ln T / max{mu, epsilon(T)}^2, T - 1} if max{mu, epsilon(T)} > 0, for a nonincreasing epsilon
      and for the schedule of a positive nondecreasing budget
    paper: l.416
    differs: capped by T - 1, as in the appendix; the total budget where the print has one for each arm
    settles: n_bar.closed_form
    breaks: "6 * ln" to "5 * ln" *)
Theorem the_maximum_is_at_the_horizon epsilon mu T : (1 <= T)%nat -> 0 < Rmax mu (epsilon T) ->
  (forall s t, (1 <= s <= t)%nat -> (t <= T)%nat -> epsilon t <= epsilon s) \/
  (exists K B, (1 <= K)%nat /\ epsilon = budget_epsilon K B /\ forall t, (1 <= t <= T)%nat -> 0 < B t <= B T) ->
  hoeffding_n_bar epsilon mu T = Rmin (6 * ln (INR T) / (Rmax mu (epsilon T) * Rmax mu (epsilon T))) (INR (T - 1)).
Proof.
  intros HT Hpos H. destruct (n_bar_has_its_closed_form mu T HT) as [_ [_ [Hmono Hbudget]]].
  assert (E : hoeffding_n_bar epsilon mu T = hoeffding_enough T (Rmax mu (epsilon T))).
  { destruct H as [H | [K [B [HK [-> HB]]]]]; [now apply Hmono | now apply Hbudget]. }
  rewrite E. unfold hoeffding_enough. destruct (Rle_dec _ _); [lra | reflexivity].
Qed.

(** says: with a constant epsilon in (0, smallest gap) no round counts for L_epsilon at a gap, and N-bar(T, mu) <= 6 ln T /
      epsilon^2 at every level: logarithmic queries and regret even with several optimal arms
    paper: l.443, l.363
    differs: none
    settles: discussion.epsilon_below_smallest_gap
    breaks: "e < d" to "e <= d" *)
Theorem a_constant_epsilon_below_the_gaps_asks_logarithmically K e d mu T : (1 <= T)%nat -> 0 < e -> e < d ->
  rounds_with_large_epsilon K (fun _ => e) d T = 0 /\ hoeffding_n_bar (fun _ => e) mu T <= 6 * ln (INR T) / (e * e).
Proof.
  intros HT He Hd. split.
  - unfold rounds_with_large_epsilon. apply sum_zero. intros t _. unfold at_most. destruct (Rle_dec d e); [lra|].
    now rewrite andb_false_r.
  - rewrite n_bar_of_a_nonincreasing_epsilon by (trivial; intros; lra).
    eapply Rle_trans; [apply (hoeffding_enough_mono T T (Rmax mu e) e); [lia | apply Rmax_r]|].
    now apply hoeffding_enough_le_closed_form.
Qed.

(** says: the sum of epsilon(t) = sqrt(6 K ln t / B(t)) over the rounds after K is at most sqrt(6) times the sum of
      sqrt(K ln T / B(t)), for every positive B
    paper: l.441
    differs: B(t) under the sum where the print has B(T)
    settles: discussion.regret_with_budget.corrected
    breaks: "sqrt 6 *" to "" *)
Theorem the_sum_of_a_budget_epsilon_is_at_most K B T : (forall t, (1 <= t <= T)%nat -> 0 < B t) ->
  sum (rounds T) (fun t => indicator (K <? t) * budget_epsilon K B t)
    <= sqrt 6 * sum (rounds T) (fun t => indicator (K <? t) * sqrt (INR K * ln (INR T) / B t)).
Proof.
  intros HB. rewrite <- sum_scal. apply sum_le. intros t Ht. apply in_rounds in Ht. specialize (HB t Ht).
  assert (H0 := ln_of_round_nonneg t ltac:(lia)). assert (H1 := ln_of_rounds_mono t T Ht). assert (HK := pos_INR K).
  assert (I : 0 < / B t) by now apply Rinv_0_lt_compat.
  assert (P : 0 <= INR K * ln (INR T) / B t).
  { unfold Rdiv. apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra]. }
  replace (sqrt 6 * (indicator (K <? t) * sqrt (INR K * ln (INR T) / B t)))
    with (indicator (K <? t) * (sqrt 6 * sqrt (INR K * ln (INR T) / B t))) by ring.
  apply Rmult_le_compat_l; [apply indicator_nonneg|]. rewrite <- sqrt_mult by lra. unfold budget_epsilon.
  apply sqrt_le_1_alt. unfold Rdiv. rewrite !Rmult_assoc. apply Rmult_le_compat_l; [lra|]. rewrite <- !Rmult_assoc.
  apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_l; lra.
Qed.

(** ** From the general theorem to the main text *)

(** says: for every intervals and runs of BuFALU that are regular with C = 2K, the general theorem has the constants 3K of
      the main text, for several optimal arms and for a unique one
    paper: l.871
    differs: none
    settles: discussion.general_reduces
    breaks: "3 * INR K * largest_gap b" to "2 * INR K * largest_gap b" *)
Theorem the_general_theorem_has_the_constants_of_the_main_text {Omega} (E : expectation Omega) (x : experiment Omega) good
    enough_if_good enough_always :
  let b := instance x in let K := arms_of x in
  let N := expected_n_bar E x enough_if_good in let L := expected_large_epsilon E x in
  regular E x good (2 * INR K) enough_if_good enough_always -> runs_of bufalu x ->
  (several_optimal_arms b ->
     E (regret_on x) <= sum (arms K) (fun a => gap b a * (N a (gap b a) + L (gap b a))) + 3 * INR K * largest_gap b /\
     E (queries_on x) <= sum (arms K) (fun a => N a (gap b a)) + 3 * INR K) /\
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (N a (gap b a / 2) + L (gap b a))) + 3 * INR K * largest_gap b /\
  (forall a_star m, unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (queries_on x) <= sum (others K a_star) (fun a => N a (gap b a / 2)) + N a_star (m / 2) + 3 * INR K).
Proof.
  intros b K N L Hreg runs. replace (3 * INR K) with (INR K + 2 * INR K) by ring. split; [|split].
  - intros H. split.
    + exact (general_part_2_regret_with_several_optima E x _ _ _ _ Hreg runs H).
    + exact (general_part_2_queries_with_several_optima E x _ _ _ _ Hreg runs H).
  - exact (general_part_3_regret E x _ _ _ _ Hreg runs).
  - exact (general_part_3_queries_with_a_unique_optimum E x _ _ _ _ Hreg runs).
Qed.

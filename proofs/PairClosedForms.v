(** Beyond the paper: the bounds of the pair rule in closed form, with a harmonic number for the failures. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Runs Expectation Experiment GeneralTheorem Laws
  BernsteinIntervals PairRule PairRuns PairEndToEnd.
Import ListNotations.
Open Scope R_scope.

(** ** The sum of 1/(t b(t)) *)

Definition harmonic (n : nat) : R := sum (rounds n) (fun j => / INR j).

Lemma failures_up_to_a_power T : (1 <= T)%nat -> let d := Nat.log2 T in
  rare_failures T <= harmonic d + (INR T - INR (2 ^ d) + 1) / (INR (2 ^ d) * INR (S d)).
Proof.
  intros HT. induction T as [|T IH]; [lia|]. destruct T as [|T].
  - cbv zeta. change (Nat.log2 1) with 0%nat. unfold rare_failures, harmonic, rounds, sum, digits. simpl. lra.
  - cbv zeta in IH |- *. specialize (IH ltac:(lia)). unfold rare_failures in *. rewrite sum_rounds_S.
    set (n := S T) in *. set (d := Nat.log2 n) in *. assert (L := Nat.log2_spec n ltac:(unfold n; lia)). fold d in L.
    assert (Hd : 0 < INR (2 ^ d)) by (apply lt_0_INR; generalize (Nat.pow_nonzero 2 d); lia).
    assert (Hs : 0 < INR (S d)) by (apply lt_0_INR; lia).
    destruct (Nat.log2_succ_or n) as [E|E]; unfold digits in *; rewrite E; fold d.
    + assert (P : S n = (2 ^ S d)%nat).
      { assert (M := Nat.log2_spec (S n) ltac:(lia)). rewrite E in M. fold d in M. simpl Nat.pow in *. lia. }
      assert (H2 : (2 ^ S d)%nat = (2 ^ d + 2 ^ d)%nat) by (simpl; lia).
      assert (Hn : INR n = 2 * INR (2 ^ d) - 1) by (apply (f_equal INR) in P; rewrite S_INR, H2, plus_INR in P; lra).
      rewrite Hn in IH. replace ((2 * INR (2 ^ d) - 1 - INR (2 ^ d) + 1) / (INR (2 ^ d) * INR (S d))) with (/ INR (S
        d)) in IH
        by (field; lra).
      unfold harmonic at 1. rewrite sum_rounds_S. fold (harmonic d).
      rewrite <- P. replace ((INR (S n) - INR (S n) + 1) / (INR (S n) * INR (S (S d)))) with (/ (INR (S n) * INR (S (S
        d)))).
      * lra.
      * assert (0 < INR (S n)) by (apply lt_0_INR; lia). assert (0 < INR (S (S d))) by (apply lt_0_INR; lia). field.
        lra.
    + assert (Hle : INR (2 ^ d) <= INR (S n)) by (apply le_INR; lia).
      assert (I : / (INR (S n) * INR (S d)) <= / (INR (2 ^ d) * INR (S d))).
      { apply Rinv_le_contravar; [now apply Rmult_lt_0_compat|]. apply Rmult_le_compat_r; lra. }
      replace ((INR (S n) - INR (2 ^ d) + 1) / (INR (2 ^ d) * INR (S d)))
        with ((INR n - INR (2 ^ d) + 1) / (INR (2 ^ d) * INR (S d)) + / (INR (2 ^ d) * INR (S d)))
        by (rewrite (S_INR n); field; lra).
      lra.
Qed.

(** says: the sum of 1/(t b(t)) over the rounds 1..T is at most the harmonic number of b(T), the number of binary
      digits of T: so the constant C of the pair rule's bounds is K - 1 times that
    paper: beyond the paper
    settles: pairs.failures
    breaks: "harmonic (digits T)" to "harmonic (Nat.log2 T)" *)
Theorem the_failures_of_pairs_sum_to_a_harmonic_number T : rare_failures T <= harmonic (digits T).
Proof.
  destruct T as [|T]; [unfold rare_failures, harmonic, rounds, sum; simpl; lra|].
  assert (P := failures_up_to_a_power (S T) ltac:(lia)). cbv zeta in P. unfold digits. set (d := Nat.log2 (S T)) in *.
  assert (L := Nat.log2_spec (S T) ltac:(lia)). fold d in L.
  assert (Hd : 0 < INR (2 ^ d)) by (apply lt_0_INR; generalize (Nat.pow_nonzero 2 d); lia).
  assert (Hs : 0 < INR (S d)) by (apply lt_0_INR; lia).
  assert (Hn : INR (S T) + 1 <= INR (2 ^ d) + INR (2 ^ d)).
  { rewrite <- plus_INR, <- S_INR. apply le_INR. simpl Nat.pow in L. lia. }
  unfold harmonic. rewrite sum_rounds_S. fold (harmonic d). eapply Rle_trans; [exact P|]. apply Rplus_le_compat_l.
  apply (Rmult_le_reg_r (INR (2 ^ d) * INR (S d))); [now apply Rmult_lt_0_compat|].
  replace ((INR (S T) - INR (2 ^ d) + 1) / (INR (2 ^ d) * INR (S d)) * (INR (2 ^ d) * INR (S d)))
    with (INR (S T) - INR (2 ^ d) + 1) by (field; lra).
  replace (/ INR (S d) * (INR (2 ^ d) * INR (S d))) with (INR (2 ^ d)) by (field; lra). lra.
Qed.

(** ** The numbers of queries at the horizon *)

Lemma log_of_rounds_grows t T : (1 <= t <= T)%nat -> ln (INR t * INR (digits t)) <= ln (INR T * INR (digits T)).
Proof.
  intros Ht. assert (H1 : 1 <= INR t) by (change 1 with (INR 1); apply le_INR; lia).
  assert (H2 : INR t <= INR T) by (apply le_INR; lia).
  assert (D1 : 1 <= INR (digits t)) by (change 1 with (INR 1); apply le_INR; unfold digits; lia).
  assert (D2 : INR (digits t) <= INR (digits T))
    by (apply le_INR; unfold digits; generalize (Nat.log2_le_mono t T); lia).
  apply ln_is_monotone; [apply Rmult_lt_0_compat | apply Rmult_le_compat]; lra.
Qed.

Lemma the_largest_log_grows s t T : 0 < s -> (1 <= t <= T)%nat -> largest_log s t <= largest_log s T.
Proof.
  intros Hs Ht. assert (P1 := pos_INR (t - 1)). assert (P2 : INR (t - 1) <= INR (T - 1)) by (apply le_INR; lia).
  unfold largest_log. apply Rplus_le_compat; [now apply log_of_rounds_grows|]. apply ln_is_monotone.
  - apply Rdiv_lt_0_compat; lra.
  - unfold Rdiv. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | lra].
Qed.

(** max{A F_T/mu^2 + s (1 + kappa^2)/(1 + kappa), B F_T/mu^2 + s}. *)
Definition pair_number (s kappa A B : R) (T : nat) (mu : R) : R :=
  Rmax (A * largest_log s T / (mu * mu) + (1 + kappa * kappa) * s / (1 + kappa)) (B * largest_log s T / (mu * mu) + s).

Lemma a_number_falls_with_the_level c F F' level mu : 0 <= c -> 0 <= F <= F' -> 0 < mu <= level ->
  0 <= c * F / (level * level) <= c * F' / (mu * mu).
Proof.
  intros Hc HF Hl. assert (M : 0 < mu * mu) by (apply Rmult_lt_0_compat; lra).
  assert (L : 0 < / (level * level)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
  assert (P : 0 <= c * F) by (apply Rmult_le_pos; lra). split; [apply Rmult_le_pos; lra|].
  apply Rmult_le_compat; [exact P | lra | apply Rmult_le_compat_l; lra|].
  apply Rinv_le_contravar; [exact M|]. apply Rmult_le_compat; lra.
Qed.

Lemma n_bar_of_pairs_is_at_most s kappa A B epsilon mu T : 0 < s -> 0 <= A -> 0 <= B -> 0 < mu -> (1 <= T)%nat ->
  n_bar (pair_enough s kappa A B) epsilon mu T <= pair_number s kappa A B T mu.
Proof.
  intros Hs HA HB Hmu HT.
  assert (G : forall c t level, 0 <= c -> (1 <= t <= T)%nat -> mu <= level ->
    0 <= c * largest_log s t / (level * level) <= c * largest_log s T / (mu * mu)).
  { intros c t level Hc Ht Hl. apply a_number_falls_with_the_level; [exact Hc | | lra].
    split; [apply largest_log_is_nonneg; [exact Hs | lia] | now apply the_largest_log_grows]. }
  apply maximum_le.
  - eapply Rle_trans; [|apply Rmax_r]. assert (0 <= B * largest_log s T / (mu * mu)) by (apply (G B T mu); [lra | lia | lra]).
    lra.
  - intros t Ht. assert (L := Rmax_l mu (epsilon t)). unfold pair_enough, capped.
    destruct (Rle_dec (Rmax mu (epsilon t)) 0); [lra|]. eapply Rle_trans; [apply Rmin_l|].
    apply Rmax_lub; [eapply Rle_trans; [|apply Rmax_l] | eapply Rle_trans; [|apply Rmax_r]]; apply Rplus_le_compat_r;
      now apply G.
Qed.

(** says: the pair rule in closed form, for every K >= 1, T >= 1, kappa >= 1, s > 0, rewards in [0,1], nonnegative
      epsilon fixed in advance and every tie-break that depends on the past: a suboptimal arm costs in regret gap
      times the larger of (1 + kappa) F_T/(2 gap^2) + s (1 + kappa^2)/(1 + kappa) and 2 (1 + 1/kappa) F_T/gap^2 + s,
      and gap L(gap); the same number bounds its queries, and 2 (1 + kappa) F_T/m^2 + s (1 + kappa^2)/(1 + kappa) or
      (1 + 1/kappa) F_T/(2 m^2) + s, the larger, those of a unique optimal arm; K + (K - 1) H(b(T)) is added, times
      the largest gap for the regret
    paper: beyond the paper
    settles: pairs.theorem.closed_form
    breaks: "2 * (1 + kappa)" to "1 + kappa" *)
Theorem the_pair_rule_in_closed_form {Row} s kappa (row_law : expectation Row) X missing decide epsilon
    (x : experiment (list Row)) : pair_rule_on_rows s kappa row_law X missing decide epsilon x ->
  let b := instance x in let K := arms_of x in let T := horizon x in
  let E := one_from_each (repeat row_law T) in
  let N := pair_number s kappa ((1 + kappa) / 2) (2 * (1 + / kappa)) T in
  let C := (INR K - 1) * harmonic (digits T) in
  (1 <= T)%nat ->
  E (regret_on x) <= sum (arms K) (fun a => if Rle_dec (gap b a) 0 then 0
      else gap b a * (N (gap b a) + rounds_with_large_epsilon K epsilon (gap b a) T)) + (INR K + C) * largest_gap b /\
  (forall a_star m, unique_optimal_arm b a_star -> 0 < m -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (queries_on x) <= sum (others K a_star) (fun a => N (gap b a))
       + pair_number s kappa (2 * (1 + kappa)) ((1 + / kappa) / 2) T m + (INR K + C)).
Proof.
  intros setting b K T E N C HT.
  destruct (the_pair_rule_end_to_end s kappa row_law X missing decide epsilon x setting) as [_ [Hreg Hq]].
  assert (Hs := pair_spread _ _ _ _ _ _ _ _ setting). assert (Hk := pair_ratio _ _ _ _ _ _ _ _ setting).
  assert (I : 0 < / kappa) by (apply Rinv_0_lt_compat; lra).
  assert (HK : 1 <= INR K).
  { change 1 with (INR 1). apply le_INR. assert (Ho := some_optimal_arm_is_an_arm b). unfold is_arm in Ho.
    exact (Nat.le_trans _ _ _ (proj1 Ho) (proj2 Ho)). }
  assert (HC : (INR K - 1) * rare_failures T <= C)
    by (apply Rmult_le_compat_l; [lra | apply the_failures_of_pairs_sum_to_a_harmonic_number]).
  fold b K T E in Hreg, Hq. split.
  - eapply Rle_trans; [exact Hreg|]. apply Rplus_le_compat.
    + apply sum_le. intros a Ha. apply in_arms in Ha. assert (Hg := gap_nonneg b a Ha).
      destruct (Rle_dec (gap b a) 0) as [Hle|Hgt]; [replace (gap b a) with 0 by lra; lra|].
      apply Rmult_le_compat_l; [lra|]. apply Rplus_le_compat_r. apply n_bar_of_pairs_is_at_most; trivial; lra.
    + apply Rmult_le_compat_r; [apply largest_gap_nonneg | lra].
  - intros a_star m Hu Hm0 Hm. eapply Rle_trans; [exact (Hq a_star m Hu (Rlt_le _ _ Hm0) Hm)|].
    apply Rplus_le_compat; [|lra]. apply Rplus_le_compat.
    + apply sum_le. intros a Ha. apply in_others in Ha. destruct Ha as [Ha Hne].
      specialize (Hm a Ha ltac:(congruence)). apply n_bar_of_pairs_is_at_most; trivial; lra.
    + apply n_bar_of_pairs_is_at_most; trivial; lra.
Qed.

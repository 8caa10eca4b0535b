(** Beyond the paper: the interval that it wishes for at l.1644, mean +- sqrt((ln t + 3 ln ln t) / (2 n)), is regular, and
    its failures sum to at most 8K whatever the horizon.

    Where ln t + 3 ln ln t is negative, at t = 2 alone, 0 stands for it. Of round 1, before which nothing is queried, the
    formula says nothing: Coq's ln 0 is 0. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Runs Expectation Experiment Hoeffding HoeffdingIntervals
  ClosedForms Laws VarianceTails FiniteLaws Witness MaximalInequality.
Import ListNotations.
Open Scope R_scope.

(** max{0, ln t + 3 ln ln t}. *)
Definition loglog_growth (t : nat) : R := Rmax 0 (ln (INR t) + 3 * ln (ln (INR t))).

Definition loglog_formula : interval_formula := fun t n Y => root_interval loglog_growth t n (sample_mean Y n).

(** N(t, mu) = min{2 max{0, ln t + 3 ln ln t} / mu^2, t - 1}, and t - 1 at mu = 0. *)
Definition loglog_enough : nat -> R -> R := root_enough loglog_growth.

(** What an arm adds to the probability that round t >= 2 is bad: both sides, and [ranges] ranges of counts for each. *)
Definition loglog_failure (t : nat) : R :=
  Rmin 1 (2 * (exp (/ 2) * INR (ranges (loglog_growth t) (t - 1)) * exp (- loglog_growth t))).
Definition loglog_failures (T : nat) : R := sum (rounds T) (fun t => if t <=? 1 then 0 else loglog_failure t).

Lemma loglog_growth_is_nonneg t : (1 <= t)%nat -> 0 <= loglog_growth t.
Proof. intros _. apply Rmax_l. Qed.

Lemma ln_of_later_round t : (2 <= t)%nat -> 0 < ln (INR t).
Proof. intros H. rewrite <- ln_1. apply ln_increasing; [lra|]. change 1 with (INR 1). apply lt_INR. lia. Qed.

Lemma loglog_growth_grows s t : (1 <= s <= t)%nat -> loglog_growth s <= loglog_growth t.
Proof.
  intros H. destruct (Nat.eq_dec s 1) as [->|Hs].
  - unfold loglog_growth at 1. simpl INR. rewrite ln_1. replace (ln 0) with 0.
    + rewrite Rmax_left by lra. apply Rmax_l.
    + unfold ln. destruct (Rlt_dec 0 0) as [H0|]; [destruct (Rlt_irrefl 0 H0) | reflexivity].
  - apply Rle_max_compat_l. assert (L := ln_of_rounds_mono s t H). assert (P := ln_of_later_round s ltac:(lia)).
    assert (ln (ln (INR s)) <= ln (ln (INR t))); [|lra].
    destruct L as [L|L]; [left; now apply ln_increasing | rewrite L; lra].
Qed.

(** ** One round *)

Section Round.
Variables (law : nat -> expectation reward) (b : bandit) (T t : nat).
Let K := number_of_arms b.
Hypothesis means : forall a, is_arm K a -> mean b a = law a value.
Hypothesis the_round : (1 <= t <= T)%nat.
Let d := loglog_growth t.

Lemma a_mean_outside_crosses_a_range a n w : 1 < 2 * d -> is_arm K a -> (n <= t - 1)%nat ->
  inside (loglog_formula t n (fun k => entry a k w)) (mean b a) = false ->
  exists sign j, In sign [1; -1] /\ (j < ranges d (t - 1))%nat /\
    range_is_crossed (law a) d (t - 1) sign j (nth (a - 1) w []) = true.
Proof.
  intros Hd Ha Hn Hout. destruct (outside_means_a_large_sum _ _ _ _ _ Hout) as [Hn1 Hfar].
  assert (HN : 1 <= INR n) by (apply le_INR in Hn1; exact Hn1).
  assert (S1 : sum (rounds n) (fun k => entry a k w - mean b a) = centred_sum (law a) (nth (a - 1) w []) n)
    by (rewrite (means a Ha); reflexivity).
  rewrite S1 in Hfar. set (S := centred_sum (law a) (nth (a - 1) w []) n) in *.
  assert (R1 : INR n * root_radius loglog_growth t n = sqrt (INR n) * sqrt (d / 2)).
  { unfold root_radius. fold d. rewrite <- (sqrt_sqrt (INR n)) at 1 by lra. rewrite Rmult_assoc.
    rewrite <- sqrt_mult_alt by lra. do 2 f_equal. field. lra. }
  rewrite R1 in Hfar.
  assert (Hcase : exists sign, In sign [1; -1] /\ sign * sign = 1 /\ Rabs S = sign * S).
  { destruct (Rle_lt_dec 0 S) as [H|H].
    - exists 1. rewrite Rabs_pos_eq by exact H. simpl. split; [auto | lra].
    - exists (-1). rewrite Rabs_left by exact H. simpl. split; [auto | lra]. }
  destruct Hcase as [sign [Hin [Hsq Habs]]]. rewrite Habs in Hfar.
  destruct (a_large_sum_crosses_a_range (law a) d (t - 1) sign n (nth (a - 1) w []) Hd ltac:(lia) Hsq (Rlt_le _ _ Hfar))
    as [j [Hj Hcross]]. exists sign, j. auto.
Qed.

(** The probability that some mean lies outside its interval, if an arm may have any number of queries below t. *)
Lemma a_bad_loglog_round_is_rare (bad : table -> bool) : (2 <= t)%nat -> (1 <= K)%nat ->
  (forall w, bad w = true -> exists a n, is_arm K a /\ (n <= t - 1)%nat /\
    inside (loglog_formula t n (fun k => entry a k w)) (mean b a) = false) ->
  probability (table_law law K T) bad <= INR K * loglog_failure t.
Proof.
  intros Ht HK Hbad. assert (Hk : 1 <= INR K) by (apply le_INR in HK; exact HK).
  assert (H1 : probability (table_law law K T) bad <= 1).
  { apply (expect_between _ 0). intros w. split; [apply indicator_nonneg | apply indicator_le_1]. }
  assert (HR := number_of_ranges d (t - 1) ltac:(lia)).
  assert (HL := ln_of_round_nonneg (t - 1) ltac:(lia)). assert (Hs := sqrt_pos (2 * d)).
  assert (HR0 : 0 < INR (ranges d (t - 1))) by (assert (Hp := Rmult_le_pos _ _ Hs HL); lra).
  unfold loglog_failure. fold d. set (p := exp (/ 2) * INR (ranges d (t - 1)) * exp (- d)).
  assert (HU : INR K * 1 <= INR K * (2 * p) \/ probability (table_law law K T) bad <= INR K * (2 * p)).
  { destruct (Rlt_le_dec 1 (2 * d)) as [Hd|Hd].
    - right. eapply Rle_trans.
      { apply (union_bound (table_law law K T) (list_prod (arms K) (list_prod [1; -1] (seq 0 (ranges d (t - 1)))))
          (fun part w => range_is_crossed (law (fst part)) d (t - 1) (fst (snd part)) (snd (snd part))
            (nth (fst part - 1) w []))).
        intros w Hw. destruct (Hbad w Hw) as [a [n [Ha [Hn Hout]]]].
        destruct (a_mean_outside_crosses_a_range a n w Hd Ha Hn Hout) as [sign [j [Hsign [Hj Hcross]]]].
        exists (a, (sign, j)). split; [|exact Hcross].
        apply in_prod; [now apply in_arms|]. apply in_prod; [exact Hsign | apply in_seq; lia]. }
      eapply Rle_trans.
      { apply (sum_le _ _ (fun _ => exp (/ 2) * exp (- d))). intros [a [sign j]] Hin. apply in_prod_iff in Hin.
        destruct Hin as [Ha _]. apply in_arms in Ha. simpl fst. simpl snd. unfold probability.
        eapply Rle_trans; [apply Req_le; exact (a_column_has_its_own_law law b T a
          (fun xs => indicator (range_is_crossed (law a) d (t - 1) sign j xs)) Ha)|].
        apply (crossing_a_range_is_rare (law a) d (t - 1) sign j T). lia. }
      rewrite sum_const, !prod_length, !mult_INR. unfold arms. rewrite !seq_length. unfold p. simpl (INR (length _)).
      apply Req_le. ring.
    - left. apply Rmult_le_compat_l; [lra|]. assert (H1R : 1 <= INR (ranges d (t - 1))).
      { destruct (ranges d (t - 1)); [simpl in HR0; lra | rewrite S_INR; generalize (pos_INR n); lra]. }
      assert (He : 1 <= exp (/ 2) * exp (- d)) by (rewrite <- exp_plus, <- exp_0; apply exp_is_monotone; lra).
      assert (M := Rmult_le_compat _ _ _ _ Rle_0_1 Rle_0_1 H1R He). unfold p. lra. }
  unfold Rmin. destruct (Rle_dec 1 (2 * p)); destruct HU as [HU|HU]; lra.
Qed.
End Round.

(** ** The failures are bounded *)

Lemma exp_1_is_at_least : 12 / 5 <= exp 1.
Proof. generalize (exp_is_above_its_parabola 1 ltac:(lra)). lra. Qed.

Lemma root_of_e_is_at_most : exp (/ 2) <= 9 / 5.
Proof.
  assert (P := exp_pos (/ 2)). assert (E : exp (/ 2) * exp (/ 2) = exp 1) by (rewrite <- exp_plus; f_equal; lra).
  assert (H := exp_le_3). apply Rnot_lt_le. intros L.
  assert (9 / 5 * (9 / 5) < exp (/ 2) * exp (/ 2)) by (apply Rmult_le_0_lt_compat; lra). lra.
Qed.

Lemma ln_of_three_rounds t : (3 <= t)%nat -> 1 <= ln (INR t).
Proof.
  intros H. apply le_INR in H. simpl in H. rewrite <- (ln_exp 1). assert (E := exp_le_3). assert (P := exp_pos 1).
  destruct (Rle_lt_or_eq_dec (exp 1) (INR t) ltac:(lra)) as [L|L]; [left; now apply ln_increasing | rewrite L; lra].
Qed.

(** ln x <= 5x/12, since 12/5 <= e. *)
Lemma ln_is_at_most_a_line x : 0 < x -> ln x <= 5 / 12 * x.
Proof.
  intros H. assert (T := ln_at_most_tangent (5 / 12 * x) ltac:(lra)). rewrite ln_mult in T by lra.
  assert (E := exp_1_is_at_least). assert (L : ln (12 / 5) <= 1).
  { rewrite <- (ln_exp 1). destruct E as [E|E]; [left; apply ln_increasing; lra | rewrite E; lra]. }
  replace (5 / 12) with (/ (12 / 5)) in T at 1 by field. rewrite ln_Rinv in T by lra. lra.
Qed.

(** 1/sqrt(ln t). *)
Definition inverse_root (t : nat) : R := / sqrt (ln (INR t)).

Lemma a_loglog_failure_is_at_most t : (3 <= t)%nat ->
  let v := inverse_root t in loglog_failure t <= (48 / 25 * v ^ 3 + 18 / 5 * v ^ 6) / INR t.
Proof.
  intros Ht v. assert (HL := ln_of_three_rounds t Ht). set (L := ln (INR t)) in *.
  assert (Hpos : 0 < INR t) by (apply lt_0_INR; lia).
  assert (Hg : loglog_growth t = L + 3 * ln L).
  { unfold loglog_growth. fold L. apply Rmax_right. assert (0 <= ln L); [|lra].
    rewrite <- ln_1. destruct HL as [H|H]; [left; apply ln_increasing; lra | rewrite <- H; lra]. }
  assert (He : exp (- loglog_growth t) = / (INR t * L ^ 3)).
  { rewrite Hg, exp_Ropp, exp_plus. unfold L at 1. rewrite exp_ln by exact Hpos. f_equal. f_equal.
    replace (3 * ln L) with (INR 3 * ln L) by (simpl; ring). rewrite exp_of_multiple, exp_ln by lra. reflexivity. }
  set (r := sqrt L). assert (Hr : 1 <= r) by (unfold r; rewrite <- sqrt_1; now apply sqrt_le_1_alt).
  assert (Hrr : r * r = L) by (apply sqrt_sqrt; lra).
  assert (Hroot : sqrt (2 * loglog_growth t) <= 32 / 15 * r).
  { rewrite Hg. assert (A := ln_is_at_most_a_line L ltac:(lra)).
    rewrite <- (sqrt_square (32 / 15 * r)) by lra. apply sqrt_le_1_alt.
    replace (32 / 15 * r * (32 / 15 * r)) with (32 / 15 * (32 / 15) * (r * r)) by ring. rewrite Hrr. lra. }
  assert (HD : INR (ranges (loglog_growth t) (t - 1)) <= 8 / 15 * r ^ 3 + 1).
  { eapply Rle_trans; [apply number_of_ranges; lia|]. apply Rplus_le_compat_r.
    assert (Hln : ln (INR (t - 1)) <= L) by (apply ln_of_rounds_mono; lia).
    assert (Hln0 := ln_of_round_nonneg (t - 1) ltac:(lia)).
    assert (M := Rmult_le_compat _ _ _ _ (sqrt_pos (2 * loglog_growth t)) Hln0 Hroot Hln). rewrite <- Hrr in M.
    replace (8 / 15 * r ^ 3) with (32 / 15 * r * (r * r) / 4) by (simpl; field). lra. }
  unfold loglog_failure. eapply Rle_trans; [apply Rmin_r|]. rewrite He.
  assert (HtL : 0 < INR t * L ^ 3) by (apply Rmult_lt_0_compat; [exact Hpos | apply pow_lt; lra]).
  apply Rle_trans with (2 * (9 / 5 * (8 / 15 * r ^ 3 + 1) * / (INR t * L ^ 3))).
  - apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
    apply Rmult_le_compat; [left; apply exp_pos | apply pos_INR | apply root_of_e_is_at_most | exact HD].
  - apply Req_le. unfold v, inverse_root. fold L. fold r. rewrite <- Hrr. field. lra.
Qed.

(** What falls, from a round t >= 3 to a later one, by no less than the failures between them. *)
Definition loglog_rest (t : nat) : R := 96 / 25 * inverse_root t + 9 / 5 * inverse_root t ^ 4.

Lemma a_loglog_failure_telescopes t : (3 <= t)%nat -> loglog_failure (S t) <= loglog_rest t - loglog_rest (S t).
Proof.
  intros Ht. eapply Rle_trans; [apply a_loglog_failure_is_at_most; lia|]. cbv zeta. unfold loglog_rest.
  assert (HA := ln_of_three_rounds t Ht). assert (HP : 0 < INR t) by (apply lt_0_INR; lia). assert (HP1 := S_INR t).
  assert (HB : / INR (S t) <= ln (INR (S t)) - ln (INR t)).
  { assert (T := ln_at_most_tangent (INR t / INR (S t)) ltac:(apply Rdiv_lt_0_compat; lra)).
    unfold Rdiv in T at 1. rewrite ln_mult, ln_Rinv in T by (try apply Rinv_0_lt_compat; lra).
    replace (INR t / INR (S t) - 1) with (- / INR (S t)) in T by (rewrite HP1; field; lra). lra. }
  set (q := / INR (S t)) in *. assert (Hq : 0 < q) by (apply Rinv_0_lt_compat; lra).
  unfold inverse_root. set (a := sqrt (ln (INR t))). set (b := sqrt (ln (INR (S t)))).
  assert (Ha : 1 <= a) by (unfold a; rewrite <- sqrt_1; now apply sqrt_le_1_alt).
  assert (Hab : a <= b) by (apply sqrt_le_1_alt; lra).
  assert (Haa : a * a = ln (INR t)) by (apply sqrt_sqrt; lra).
  assert (Hbb : b * b = ln (INR (S t))) by (apply sqrt_sqrt; lra). rewrite <- Haa, <- Hbb in HB.
  set (u := / a). set (v := / b). assert (Hv : 0 < v) by (apply Rinv_0_lt_compat; lra).
  assert (Huv : v <= u) by (apply Rinv_le_contravar; lra).
  assert (H1 : q * v ^ 3 <= 2 * (u - v)).
  { assert (D1 : q <= 2 * b * (b - a)).
    { assert (0 <= (b - a) * (b - a)) by apply Rle_0_sqr. lra. }
    assert (D2 : (b - a) * v ^ 2 <= u - v).
    { replace (u - v) with ((b - a) * (u * v)) by (unfold u, v; field; lra). simpl. rewrite Rmult_1_r.
      apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; lra. }
    apply (Rmult_le_compat_r (v ^ 3)) in D1; [|left; now apply pow_lt].
    replace (2 * b * (b - a) * v ^ 3) with (2 * ((b - a) * v ^ 2)) in D1 by (unfold v; field; lra). lra. }
  assert (H2 : 2 * (q * v ^ 6) <= u ^ 4 - v ^ 4).
  { assert (V3 : 0 < v ^ 3) by now apply pow_lt.
    apply Rle_trans with (4 * v ^ 3 * (u - v)).
    - apply (Rmult_le_compat_l (2 * v ^ 3)) in H1; [|lra]. simpl in H1 |- *. lra.
    - replace (u ^ 4 - v ^ 4) with ((u + v) * (u * u + v * v) * (u - v)) by (simpl; ring).
      apply Rmult_le_compat_r; [lra|]. replace (4 * v ^ 3) with (2 * v * (2 * (v * v))) by (simpl; ring).
      assert (v * v <= u * u) by (apply Rmult_le_compat; lra). assert (0 < v * v) by now apply Rmult_lt_0_compat.
      apply Rmult_le_compat; lra. }
  unfold Rdiv. fold q. lra.
Qed.

Lemma loglog_failures_telescope s n : (3 <= s)%nat ->
  loglog_failures (n + s) <= loglog_failures s + loglog_rest s - loglog_rest (n + s).
Proof.
  intros Hs. induction n as [|n IH]; [simpl plus; lra|].
  simpl plus. unfold loglog_failures at 1. rewrite sum_rounds_S.
  replace (S (n + s) <=? 1) with false by (symmetry; apply Nat.leb_gt; lia).
  fold (loglog_failures (n + s)). assert (S := a_loglog_failure_telescopes (n + s) ltac:(lia)). lra.
Qed.

Lemma loglog_rest_is_positive t : (3 <= t)%nat -> 0 < loglog_rest t.
Proof.
  intros H. assert (L := ln_of_three_rounds t H).
  assert (V : 0 < inverse_root t) by (apply Rinv_0_lt_compat, sqrt_lt_R0; lra).
  assert (V4 : 0 < inverse_root t ^ 4) by now apply pow_lt. unfold loglog_rest. lra.
Qed.

Lemma the_loglog_failures_are_bounded T : loglog_failures T <= 8.
Proof.
  assert (H3 : loglog_failures 3 + loglog_rest 3 <= 8).
  { unfold loglog_failures, rounds, sum. simpl seq. simpl fold_right. simpl Nat.leb. cbv iota.
    assert (H2 : loglog_failure 2 <= 1) by apply Rmin_l. assert (H3 : loglog_failure 3 <= 1) by apply Rmin_l.
    assert (HL := ln_of_three_rounds 3 ltac:(lia)).
    assert (Hr : 1 <= sqrt (ln (INR 3))) by (rewrite <- sqrt_1 at 1; now apply sqrt_le_1_alt).
    assert (V : 0 < inverse_root 3 <= 1).
    { unfold inverse_root. split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]. }
    assert (V4 : inverse_root 3 ^ 4 <= 1 ^ 4) by (apply pow_incr; lra). simpl (1 ^ 4) in V4. unfold loglog_rest. lra. }
  assert (H : loglog_failures (T + 3) <= 8).
  { assert (P := loglog_failures_telescope 3 T ltac:(lia)). assert (Q := loglog_rest_is_positive (T + 3) ltac:(lia)). lra. }
  assert (M : forall n m, loglog_failures n <= loglog_failures (m + n)).
  { intros n m. induction m as [|m IH]; [apply Rle_refl|]. eapply Rle_trans; [exact IH|].
    unfold loglog_failures. simpl plus. rewrite sum_rounds_S. rewrite <- Rplus_0_r at 1. apply Rplus_le_compat_l.
    destruct (_ <=? 1); [lra|]. apply Rmin_glb; [lra|]. apply Rmult_le_pos; [lra|].
    apply Rmult_le_pos; [apply Rmult_le_pos; [left; apply exp_pos | apply pos_INR] | left; apply exp_pos]. }
  eapply Rle_trans; [apply (M T 3%nat)|]. now rewrite Nat.add_comm.
Qed.

(** ** Regularity *)

Section Regularity.
Variables (law : nat -> expectation reward) (x : experiment table).
Let K := arms_of x.
Let T := horizon x.
Hypothesis means : forall a, is_arm K a -> mean (instance x) a = law a value.
Hypothesis uses : uses_intervals loglog_formula x entry.

(** says: the intervals mean +- sqrt(max{0, ln t + 3 ln ln t}/(2n)) satisfy the five conditions of regularity for every
      strategy, K >= 1, T and reward laws on [0,1], with N(t, mu) = min{2 max{0, ln t + 3 ln ln t}/mu^2, t - 1} and with
      failures K times the sum over 2 <= t <= T of min{1, 2 sqrt(e) D e^-d}, where d = max{0, ln t + 3 ln ln t} and D is
      the whole part of sqrt(2d) ln(t-1)/4, and one more; that sum is at most 8 for every T, and its part after a round
      s >= 3 at most r(s) - r(T) with r(t) = 96/25 (ln t)^(-1/2) + 9/5 (ln t)^-2
    paper: beyond the paper; compare l.1644 with l.833-844
    settles: kl_ucb.regular
    breaks: "<= 8" to "<= 2" *)
Theorem the_loglog_intervals_are_regular :
  regular (table_law law K T) x (hoeffding_good x) (INR K * loglog_failures T) (fun _ => loglog_enough) loglog_enough /\
  loglog_failures T <= 8 /\
  (forall s, (3 <= s <= T)%nat -> loglog_failures T <= loglog_failures s + loglog_rest s - loglog_rest T).
Proof.
  split; [|split; [apply the_loglog_failures_are_bounded|]].
  2: { intros s Hs. replace T with ((T - s) + s)%nat by lia. apply loglog_failures_telescope. lia. }
  assert (HK : (1 <= K)%nat).
  { assert (Ho := some_optimal_arm_is_an_arm (instance x)). unfold is_arm in Ho. unfold K, arms_of. lia. }
  assert (Hbad : forall t w, (1 <= t <= T)%nat -> negb (hoeffding_good x t w) = true -> exists a n, is_arm K a /\
    (n <= t - 1)%nat /\ inside (loglog_formula t n (fun k => entry a k w)) (mean (instance x) a) = false).
  { intros t w Ht Hw. apply bad_means_outside in Hw. destruct Hw as [a [Ha Hout]]. rewrite uses in Hout by assumption.
    exists a, (queries (path_of x w) a (t - 1)). split; [exact Ha|]. split; [apply queries_le_rounds | exact Hout]. }
  constructor; fold K; fold T.
  - intros w t a Ht Ha. rewrite uses by assumption. apply root_width_nonneg.
  - intros w t Ht Hgood a Ha. now apply good_means_inside.
  - unfold loglog_failures. rewrite <- sum_scal. apply sum_le. intros t Ht. apply in_rounds in Ht.
    destruct (Nat.leb_spec t 1) as [H1|H1].
    + unfold probability. rewrite (expect_ext _ _ (fun _ => 0)); [rewrite expect_const; lra|]. intros w.
      destruct (negb (hoeffding_good x t w)) eqn:Hw; [|reflexivity]. exfalso.
      destruct (Hbad t w Ht Hw) as [a [n [_ [Hn Hout]]]]. replace n with 0%nat in Hout by lia. discriminate.
    + apply (a_bad_loglog_round_is_rare law (instance x) T t means Ht); [lia | exact HK|]. intros w. now apply Hbad.
  - intros w t a mu Ht Ha _ _ H. rewrite uses by assumption.
    apply root_enough_suffices; [exact loglog_growth_is_nonneg | lia | apply queries_le_rounds | exact H].
  - intros a t mu _ _. apply root_enough_le_rounds.
  - intros w t a mu Ht Ha H. rewrite uses by assumption.
    apply root_enough_suffices; [exact loglog_growth_is_nonneg | lia | apply queries_le_rounds | exact H].
Qed.
End Regularity.

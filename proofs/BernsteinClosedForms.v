(** N-bar of the Bernstein intervals in closed form, and the budget schedule (l.1228-1234, l.1303-1337). *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Experiment HoeffdingIntervals BernsteinIntervals.
Open Scope R_scope.

(** N-bar_a^g(T, mu) of an arm of variance V, and N-bar_i^as(T) for i = 1, 2. *)
Definition bernstein_n_bar (V : R) (epsilon : nat -> R) (mu : R) (T : nat) : R :=
  n_bar (bernstein_enough_if_good V) epsilon mu T.
Definition bernstein_cap_1 (epsilon : nat -> R) (T : nat) : R :=
  maximum (fun t => bernstein_enough_1 t (epsilon t)) T.
Definition bernstein_cap_2 (epsilon : nat -> R) (T : nat) : R :=
  maximum (fun t => bernstein_enough_2 t (epsilon t)) T.

(** ** N(t, mu) grows with t and falls with mu *)

Lemma quotient_mono p q u v : 0 <= p <= q -> 0 < v <= u -> p / u <= q / v.
Proof.
  intros Hp Hv. unfold Rdiv. apply Rmult_le_compat; try lra; [left; apply Rinv_0_lt_compat; lra|].
  apply Rinv_le_contravar; lra.
Qed.

Lemma quotient_nonneg p u : 0 <= p -> 0 < u -> 0 <= p / u.
Proof. intros Hp Hu. unfold Rdiv. apply Rmult_le_pos; [exact Hp | left; now apply Rinv_0_lt_compat]. Qed.

Lemma capped_le_rounds t mu f : capped t mu f <= INR (t - 1).
Proof. unfold capped. destruct (Rle_dec mu 0); [lra | apply Rmin_r]. Qed.

Lemma capped_le t mu f : 0 < mu -> capped t mu f <= f.
Proof. intros H. unfold capped. destruct (Rle_dec mu 0); [lra | apply Rmin_l]. Qed.

Lemma capped_nonneg t mu f : (0 < mu -> 0 <= f) -> 0 <= capped t mu f.
Proof.
  intros H. unfold capped. destruct (Rle_dec mu 0); [apply pos_INR|]. apply Rmin_glb; [apply H; lra | apply pos_INR].
Qed.

Lemma capped_mono s t mu nu f g : (s <= t)%nat -> nu <= mu -> (0 < nu -> f <= g) -> capped s mu f <= capped t nu g.
Proof.
  intros Hst Hmu H. assert (Hc : INR (s - 1) <= INR (t - 1)) by (apply le_INR; lia).
  unfold capped. destruct (Rle_dec mu 0), (Rle_dec nu 0); try lra.
  - eapply Rle_trans; [apply Rmin_r | exact Hc].
  - apply Rle_trans with (Rmin g (INR (s - 1))); [apply Rle_min_compat_r, H; lra | now apply Rle_min_compat_l].
Qed.

(** A sum of c1 ln t / mu^2 and c2 ln t / mu. *)
Lemma fractions_mono c1 c2 s t mu nu : (1 <= s <= t)%nat -> 0 <= c1 -> 0 <= c2 -> 0 < nu <= mu ->
  c1 * ln (INR s) / (mu * mu) + c2 * ln (INR s) / mu <= c1 * ln (INR t) / (nu * nu) + c2 * ln (INR t) / nu.
Proof.
  intros Hst H1 H2 Hnu. assert (Hln := ln_of_rounds_mono s t Hst). assert (Hln0 := ln_of_round_nonneg s ltac:(lia)).
  apply Rplus_le_compat; apply quotient_mono.
  - split; [now apply Rmult_le_pos | now apply Rmult_le_compat_l].
  - split; [apply Rmult_lt_0_compat; lra | apply Rmult_le_compat; lra].
  - split; [now apply Rmult_le_pos | now apply Rmult_le_compat_l].
  - exact Hnu.
Qed.

Lemma fractions_nonneg c1 c2 t mu : (1 <= t)%nat -> 0 <= c1 -> 0 <= c2 -> 0 < mu ->
  0 <= c1 * ln (INR t) / (mu * mu) + c2 * ln (INR t) / mu.
Proof.
  intros Ht H1 H2 Hmu. assert (Hln := ln_of_round_nonneg t Ht).
  apply Rplus_le_le_0_compat; apply quotient_nonneg; try (now apply Rmult_le_pos); [apply Rmult_lt_0_compat|]; lra.
Qed.

Lemma bernstein_enough_if_good_mono V s t mu nu : 0 <= V -> (1 <= s <= t)%nat -> nu <= mu ->
  bernstein_enough_if_good V s mu <= bernstein_enough_if_good V t nu.
Proof.
  intros HV Hst Hnu. apply capped_mono; [lia | exact Hnu|]. intros H0. apply Rplus_le_compat_r.
  apply (fractions_mono (24 * V) 52); lra || lia.
Qed.

Lemma bernstein_enough_1_mono s t mu nu : (1 <= s <= t)%nat -> nu <= mu ->
  bernstein_enough_1 s mu <= bernstein_enough_1 t nu.
Proof.
  intros Hst Hnu. apply capped_mono; [lia | exact Hnu|]. intros H0. apply Rplus_le_compat_r.
  apply (fractions_mono 6 28); lra || lia.
Qed.

Lemma bernstein_enough_2_mono s t mu nu : (1 <= s <= t)%nat -> nu <= mu ->
  bernstein_enough_2 s mu <= bernstein_enough_2 t nu.
Proof.
  intros Hst Hnu. apply capped_mono; [lia | exact Hnu|]. intros H0. apply Rplus_le_compat_r.
  assert (Hln := ln_of_rounds_mono s t Hst). assert (Hln0 := ln_of_round_nonneg s ltac:(lia)).
  assert (A : 3 * ln (INR s) / (2 * (mu * mu)) <= 3 * ln (INR t) / (2 * (nu * nu))).
  { apply quotient_mono; [lra|]. split; [|apply Rmult_le_compat_l; [lra | apply Rmult_le_compat; lra]].
    apply Rmult_lt_0_compat; [lra | apply Rmult_lt_0_compat; lra]. }
  assert (B : 14 * ln (INR s) / mu <= 14 * ln (INR t) / nu) by (apply quotient_mono; lra).
  assert (S1 := sqrt_le_1_alt _ _ A). assert (S2 := sqrt_le_1_alt _ _ (Rplus_le_compat _ _ _ _ A B)).
  apply Rmult_le_compat; try (apply Rplus_le_le_0_compat; apply sqrt_pos); now apply Rplus_le_compat.
Qed.

Lemma bernstein_enough_if_good_nonneg V t mu : 0 <= V -> (1 <= t)%nat -> 0 <= bernstein_enough_if_good V t mu.
Proof.
  intros HV Ht. apply capped_nonneg. intros Hmu. assert (H := fractions_nonneg (24 * V) 52 t mu Ht). lra.
Qed.

(** ** N-bar *)

(** says: N-bar_a^g(T, mu) <= N_a^g(T, mu) <= 24 V ln T/mu^2 + 52 ln T/mu + 1 for every epsilon, the last for mu > 0
    paper: l.1228
    differs: none
    settles: bernstein.n_bar_at_horizon
    breaks: "52" to "51" *)
Theorem the_bernstein_n_bar_is_at_most_its_value_at_the_horizon V epsilon mu T : 0 <= V -> (1 <= T)%nat ->
  bernstein_n_bar V epsilon mu T <= bernstein_enough_if_good V T mu /\
  (0 < mu -> bernstein_enough_if_good V T mu <= 24 * V * ln (INR T) / (mu * mu) + 52 * ln (INR T) / mu + 1).
Proof.
  intros HV HT. split; [|intros Hmu; now apply capped_le].
  apply maximum_le; [now apply bernstein_enough_if_good_nonneg|]. intros t Ht.
  apply bernstein_enough_if_good_mono; [exact HV | exact Ht | apply Rmax_l].
Qed.

(** says: for an epsilon that does not increase on 1..T, N-bar_a^g(T, mu) = N_a^g(T, max{mu, epsilon(T)}) and
      N-bar_i^as(T) = N_i^as(T, epsilon(T)) for i = 1, 2
    paper: l.1230
    differs: none
    settles: bernstein.monotone_schedules
    breaks: "epsilon t <= epsilon s" to "True" *)
Theorem with_a_nonincreasing_epsilon_the_bernstein_maxima_are_at_the_horizon V epsilon mu T :
  0 <= V -> (1 <= T)%nat ->
  (forall s t, (1 <= s <= t)%nat -> (t <= T)%nat -> epsilon t <= epsilon s) ->
  bernstein_n_bar V epsilon mu T = bernstein_enough_if_good V T (Rmax mu (epsilon T)) /\
  bernstein_cap_1 epsilon T = bernstein_enough_1 T (epsilon T) /\
  bernstein_cap_2 epsilon T = bernstein_enough_2 T (epsilon T).
Proof.
  intros HV HT Hmono. assert (Hone : forall t, (1 <= t <= T)%nat -> epsilon T <= epsilon t)
    by (intros; apply Hmono; lia).
  assert (N1 : 0 <= bernstein_enough_1 T (epsilon T)).
  { apply capped_nonneg. intros H. assert (P := fractions_nonneg 6 28 T (epsilon T) HT). lra. }
  assert (N2 : 0 <= bernstein_enough_2 T (epsilon T)).
  { apply capped_nonneg. intros H. apply Rplus_le_le_0_compat; [apply Rle_0_sqr | lra]. }
  split; [|split]; apply Rle_antisym.
  - apply maximum_le; [now apply bernstein_enough_if_good_nonneg|]. intros t Ht.
    apply bernstein_enough_if_good_mono; [exact HV | exact Ht | now apply Rle_max_compat_l, Hone].
  - apply (le_maximum (fun t => bernstein_enough_if_good V t (Rmax mu (epsilon t)))). lia.
  - apply maximum_le; [exact N1|]. intros t Ht. apply bernstein_enough_1_mono; [exact Ht | now apply Hone].
  - apply (le_maximum (fun t => bernstein_enough_1 t (epsilon t))). lia.
  - apply maximum_le; [exact N2|]. intros t Ht. apply bernstein_enough_2_mono; [exact Ht | now apply Hone].
  - apply (le_maximum (fun t => bernstein_enough_2 t (epsilon t))). lia.
Qed.

(** ** The budget schedule *)

(** epsilon(t) = sqrt(6 ln t / (B(t) - 1)) + 14 ln t / (B(t) - 1) for a budget B(t) of each arm (l.1231). *)
Definition bernstein_budget_epsilon (B : nat -> R) (t : nat) : R :=
  sqrt (6 * ln (INR t) / (B t - 1)) + 14 * (ln (INR t) / (B t - 1)).

Section Budget.
Variables (B : nat -> R) (t : nat).
Hypothesis some_budget : 1 < B t.
Hypothesis late_round : (2 <= t)%nat.
Let L := ln (INR t).
Let D := B t - 1.
Let epsilon := bernstein_budget_epsilon B t.

Lemma late_logarithm_is_positive : 0 < L.
Proof.
  unfold L. rewrite <- ln_1. apply ln_increasing; [lra|]. change 1 with (INR 1). apply lt_INR. lia.
Qed.

Lemma budget_epsilon_parts : 0 < sqrt (6 * L / D) /\ sqrt (6 * L / D) * sqrt (6 * L / D) = 6 * L / D /\
  0 < L / D /\ epsilon = sqrt (6 * L / D) + 14 * (L / D).
Proof.
  assert (HL := late_logarithm_is_positive). assert (HD : 0 < D) by (unfold D; lra).
  assert (P : 0 < 6 * L / D) by (apply Rdiv_lt_0_compat; lra).
  split; [now apply sqrt_lt_R0|]. split; [apply sqrt_sqrt; lra|]. split; [apply Rdiv_lt_0_compat; lra | reflexivity].
Qed.

(** N_2^as(t, epsilon(t)) is the budget: with r = sqrt D and k = sqrt(6 L), epsilon r^2 = k r + 14 L, so that r is the
    root. *)
Lemma the_root_at_the_budget_epsilon :
  let a := 3 * L / (2 * (epsilon * epsilon)) in
  (sqrt a + sqrt (a + 14 * L / epsilon)) * (sqrt a + sqrt (a + 14 * L / epsilon)) + 1 = B t.
Proof.
  intros a. destruct budget_epsilon_parts as [Hk [Hkk [HLD He]]].
  assert (HL := late_logarithm_is_positive). assert (HD : 0 < D) by (unfold D; lra).
  assert (Hr : 0 < sqrt D) by now apply sqrt_lt_R0. assert (Hrr := sqrt_sqrt D ltac:(lra)).
  set (r := sqrt D) in *. set (k := sqrt (6 * L / D)) in *. assert (Hpos : 0 < epsilon) by lra.
  set (h := k * r / (2 * epsilon)). assert (Hh : 0 <= h).
  { apply quotient_nonneg; [apply Rmult_le_pos; lra | lra]. }
  assert (Ha : a = h * h).
  { unfold a, h. replace (k * r / (2 * epsilon) * (k * r / (2 * epsilon)))
      with (k * k * (r * r) / (4 * (epsilon * epsilon))) by (field; lra). rewrite Hkk, Hrr. field. lra. }
  assert (Hhr : h <= r).
  { apply (Rmult_le_reg_r (2 * epsilon)); [lra|]. unfold h.
    replace (k * r / (2 * epsilon) * (2 * epsilon)) with (r * k) by (field; lra).
    apply Rmult_le_compat_l; lra. }
  assert (S2 : a + 14 * L / epsilon = (r - h) * (r - h)).
  { rewrite Ha. apply (Rmult_eq_reg_r epsilon); [|lra].
    replace ((h * h + 14 * L / epsilon) * epsilon) with (h * h * epsilon + 14 * L) by (field; lra).
    replace ((r - h) * (r - h) * epsilon) with (r * r * epsilon - r * (2 * epsilon * h) + h * h * epsilon) by ring.
    replace (2 * epsilon * h) with (k * r) by (unfold h; field; lra).
    replace (r * (k * r)) with (r * r * k) by ring. rewrite Hrr, He. field. lra. }
  rewrite S2, Ha, !sqrt_square by lra. replace (h + (r - h)) with r by ring. rewrite Hrr. unfold D. ring.
Qed.

(** 24 V ln t / epsilon^2 + 52 ln t / epsilon <= 4 V (B - 1) + min{22 sqrt((B - 1) ln t), 4 (B - 1)}, l.1332. *)
Lemma fractions_at_the_budget_epsilon V : 0 <= V ->
  24 * V * L / (epsilon * epsilon) + 52 * L / epsilon <= 4 * V * D + Rmin (22 * sqrt (D * L)) (4 * D).
Proof.
  intros HV. destruct budget_epsilon_parts as [Hk [Hkk [HLD He]]].
  assert (HL := late_logarithm_is_positive). assert (HD : 0 < D) by (unfold D; lra).
  set (k := sqrt (6 * L / D)) in *. assert (Hpos : 0 < epsilon) by lra.
  assert (VL : 0 <= V * L) by (apply Rmult_le_pos; lra).
  apply Rplus_le_compat.
  - apply Rle_trans with (24 * V * L / (k * k)).
    + apply quotient_mono; [lra|]. split; [apply Rmult_lt_0_compat; lra | apply Rmult_le_compat; lra].
    + rewrite Hkk. apply Req_le. field. lra.
  - apply Rmin_glb.
    + apply Rle_trans with (52 * L / k); [apply quotient_mono; lra|].
      apply (Rmult_le_reg_r k); [exact Hk|]. replace (52 * L / k * k) with (52 * L) by (field; lra).
      (* sqrt(D L) sqrt(6 L / D) = sqrt 6 L, and 52 <= 22 sqrt 6 *)
      assert (P : sqrt (D * L) * k = sqrt (6 * (L * L))).
      { unfold k. rewrite <- sqrt_mult_alt by (apply Rmult_le_pos; lra). f_equal. field. lra. }
      assert (Q : 26 / 11 * L <= sqrt (6 * (L * L))).
      { rewrite <- (sqrt_square (26 / 11 * L)) by lra. apply sqrt_le_1_alt.
        assert (0 <= L * L) by (apply Rmult_le_pos; lra). lra. }
      rewrite Rmult_assoc, P. lra.
    + apply Rle_trans with (52 * L / (14 * (L / D))); [apply quotient_mono; lra|].
      replace (52 * L / (14 * (L / D))) with (52 / 14 * D) by (field; lra). lra.
Qed.
End Budget.

(** says: N_2^as(t, epsilon(t)) = min{B(t), t - 1} for the Bernstein budget schedule with B(t) > 1
    paper: l.1231
    differs: none
    settles: bernstein.budget_schedule
    breaks: "Rmin (B t)" to "Rmin (B t - 1)" *)
Theorem the_bernstein_budget_schedule_spends_the_budget B t : (1 <= t)%nat -> 1 < B t ->
  bernstein_enough_2 t (bernstein_budget_epsilon B t) = Rmin (B t) (INR (t - 1)).
Proof.
  intros Ht HB. destruct (Nat.eq_dec t 1) as [->|Hne].
  - unfold bernstein_enough_2, bernstein_budget_epsilon, capped. simpl INR. rewrite ln_1, Rmult_0_r. unfold Rdiv.
    rewrite !Rmult_0_l, sqrt_0, Rmult_0_r, Rplus_0_l. destruct (Rle_dec 0 0); [|lra].
    rewrite Rmin_right; lra.
  - unfold bernstein_enough_2. assert (H2 : (2 <= t)%nat) by lia.
    destruct (budget_epsilon_parts B t HB H2) as [Hk [_ [HLD He]]].
    unfold capped. rewrite (the_root_at_the_budget_epsilon B t HB H2).
    destruct (Rle_dec (bernstein_budget_epsilon B t) 0); [lra | reflexivity].
Qed.

(** says: for a nondecreasing B > 1, N-bar_2^as(T) = min{B(T), T - 1}, and N-bar_a^g(T, mu) is at most N_a^g(T, mu)
      and at most 4 V (B(T)-1) + min{22 sqrt((B(T)-1) ln T), 4 (B(T)-1)} + 1
    paper: l.1231-1234
    differs: none
    settles: bernstein.budget_bound
    breaks: "22" to "21" *)
Theorem the_bernstein_budget_bound V B mu T : 0 <= V -> (1 <= T)%nat ->
  (forall s t, (1 <= s <= t)%nat -> (t <= T)%nat -> 1 < B s <= B t) ->
  bernstein_cap_2 (bernstein_budget_epsilon B) T = Rmin (B T) (INR (T - 1)) /\
  bernstein_n_bar V (bernstein_budget_epsilon B) mu T <=
    Rmin (bernstein_enough_if_good V T mu)
      (4 * V * (B T - 1) + Rmin (22 * sqrt ((B T - 1) * ln (INR T))) (4 * (B T - 1)) + 1).
Proof.
  intros HV HT HB. assert (HBT := HB T T ltac:(lia) ltac:(lia)). split.
  - apply Rle_antisym.
    + apply maximum_le; [apply Rmin_glb; [lra | apply pos_INR]|]. intros t Ht.
      assert (HBt := HB t T ltac:(lia) ltac:(lia)).
      rewrite the_bernstein_budget_schedule_spends_the_budget by (lia || lra).
      apply Rle_trans with (Rmin (B T) (INR (t - 1))); [apply Rle_min_compat_r; lra|].
      apply Rle_min_compat_l. apply le_INR. lia.
    + rewrite <- the_bernstein_budget_schedule_spends_the_budget by (lia || lra).
      apply (le_maximum (fun t => bernstein_enough_2 t (bernstein_budget_epsilon B t))). lia.
  - apply Rmin_glb; [now apply the_bernstein_n_bar_is_at_most_its_value_at_the_horizon|].
    assert (HLT := ln_of_round_nonneg T HT).
    assert (Pos : 0 <= 4 * V * (B T - 1) + Rmin (22 * sqrt ((B T - 1) * ln (INR T))) (4 * (B T - 1)) + 1).
    { assert (0 <= V * (B T - 1)) by (apply Rmult_le_pos; lra).
      assert (0 <= Rmin (22 * sqrt ((B T - 1) * ln (INR T))) (4 * (B T - 1)))
        by (apply Rmin_glb; [generalize (sqrt_pos ((B T - 1) * ln (INR T)))|]; lra). lra. }
    apply maximum_le; [exact Pos|]. intros t Ht. destruct (Nat.eq_dec t 1) as [->|Hne].
    { eapply Rle_trans; [apply capped_le_rounds | exact Pos]. }
    assert (HBt := HB t T ltac:(lia) ltac:(lia)). assert (H2 : (2 <= t)%nat) by lia.
    destruct (budget_epsilon_parts B t ltac:(lra) H2) as [Hk [_ [HLD He]]].
    eapply Rle_trans; [apply (bernstein_enough_if_good_mono V t t _ (bernstein_budget_epsilon B t));
      [exact HV | lia | apply Rmax_r]|].
    eapply Rle_trans; [apply capped_le; lra|]. apply Rplus_le_compat_r.
    eapply Rle_trans; [apply (fractions_at_the_budget_epsilon B t ltac:(lra) H2 V HV)|].
    assert (HLt := ln_of_rounds_mono t T ltac:(lia)). assert (HL0 := ln_of_round_nonneg t ltac:(lia)).
    apply Rplus_le_compat; [apply Rmult_le_compat_l; lra|].
    apply Rle_trans with (Rmin (22 * sqrt ((B T - 1) * ln (INR T))) (4 * (B t - 1))).
    + apply Rle_min_compat_r. apply Rmult_le_compat_l; [lra|]. apply sqrt_le_1_alt. apply Rmult_le_compat; lra.
    + apply Rle_min_compat_l. lra.
Qed.

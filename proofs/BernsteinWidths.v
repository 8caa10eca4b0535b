(** The width of a Bernstein interval in the forms of l.1203, l.1241-1301, and when it beats Hoeffding's (l.871). *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals HoeffdingIntervals BernsteinIntervals BernsteinRegularity
  BernsteinClosedForms.
Open Scope R_scope.

(** says: for n >= 2 the empirical variance is the sum of (X(k) - mean)^2 over the n queried rewards, divided by n - 1
    paper: l.1203
    differs: the sum runs over queried rewards
    settles: bernstein.variance_indices.corrected
    breaks: "(INR n - 1)" to "INR n" *)
Theorem the_sample_variance_is_the_unbiased_one X n : (2 <= n)%nat ->
  sample_variance X n
  = sum (rounds n) (fun k => (X k - sample_mean X n) * (X k - sample_mean X n)) / (INR n - 1).
Proof.
  intros H2. assert (Hn : 2 <= INR n) by (change 2 with (INR 2); now apply le_INR).
  set (m := sample_mean X n). assert (S1 : sum (rounds n) X = INR n * m) by (unfold m, sample_mean; field; lra).
  rewrite (sum_ext _ _ (fun k => X k * X k + ((- (2 * m)) * X k + m * m))) by (intros; ring).
  rewrite 2 sum_plus, sum_scal, sum_const, length_rounds. change (sum (rounds n) (fun k => X k)) with (sum (rounds
    n) X).
  rewrite S1. unfold sample_variance. fold m. field. lra.
Qed.

(** says: for t >= 1 the width is 2 sqrt(6 V-hat ln t/n) + 14 ln t/(n-1) with n >= 2 queries, infinite with fewer, and
      never negative
    paper: l.1241-1244
    differs: ln t for the ln T of l.1244
    settles: regular.bernstein.nonnegative_index.corrected
    breaks: "(n <= 1)" to "(n <= 2)" *)
Theorem the_bernstein_width_is_twice_the_radius_and_never_negative t n estimate v : (1 <= t)%nat ->
  ((2 <= n)%nat -> width (bernstein_interval t n estimate v)
     = Some (2 * sqrt (6 * v * ln (INR t) / INR n) + 14 * ln (INR t) / (INR n - 1))) /\
  ((n <= 1)%nat -> width (bernstein_interval t n estimate v) = None) /\
  ~ narrower_than 0 (bernstein_interval t n estimate v).
Proof.
  intros Ht. split; [|split].
  - intros H2. assert (Hn : 2 <= INR n) by (change 2 with (INR 2); now apply le_INR).
    destruct n as [|[|n]]; try lia. unfold width, bernstein_interval. simpl upper. simpl lower. cbv iota. f_equal.
    unfold bernstein_radius. field. lra.
  - intros H1. destruct n as [|[|n]]; [reflexivity | reflexivity | lia].
  - now apply bernstein_width_nonneg.
Qed.

(** says: if the standard deviation is overestimated by at most sqrt(6 ln t/(n-1)), the width is at most sqrt(24 V ln
      t/(n-1)) + 26 ln t/(n-1), and smaller than mu beyond N_a^g(t, mu) queries
    paper: l.1279-1286
    differs: none
    settles: bernstein.width_under_good_event
    breaks: "26" to "25" *)
Theorem under_the_good_event_a_bernstein_interval_is_narrow t n estimate v V : (1 <= t)%nat -> 0 <= V ->
  ((2 <= n)%nat -> 0 <= v /\ sqrt v - sqrt V <= sqrt (6 * ln (INR t) / (INR n - 1))) ->
  ((2 <= n)%nat -> exists w, width (bernstein_interval t n estimate v) = Some w /\
     w <= sqrt (24 * V * ln (INR t) / (INR n - 1)) + 26 * ln (INR t) / (INR n - 1)) /\
  (forall mu, (n <= t - 1)%nat -> bernstein_enough_if_good V t mu < INR n ->
     narrower_than mu (bernstein_interval t n estimate v)).
Proof.
  intros Ht HV Hgood. split.
  - intros H2. assert (Hn : 2 <= INR n) by (change 2 with (INR 2); now apply le_INR).
    assert (HL := ln_of_round_nonneg t Ht). destruct (Hgood H2) as [Hv Hs].
    exists (2 * bernstein_radius t n v). split.
    + rewrite (proj1 (the_bernstein_width_is_twice_the_radius_and_never_negative t n estimate v Ht) H2). f_equal.
      unfold bernstein_radius. field. lra.
    + eapply Rle_trans; [exact (width_if_good t n v Ht H2 Hv V Hs)|]. rewrite (s_squared n H2).
      apply Rplus_le_compat_r.
      apply Req_le. replace (24 * V * ln (INR t) / (INR n - 1)) with (2 * 2 * (6 * ln (INR t)) * V / (INR n - 1))
        by (field; lra).
      rewrite (sqrt_div_alt (2 * 2 * (6 * ln (INR t)) * V)) by lra.
      rewrite (sqrt_mult_alt (2 * 2 * (6 * ln (INR t))) V), (sqrt_mult_alt (2 * 2) (6 * ln (INR t))), sqrt_square by
        lra.
      unfold Rdiv. ring.
  - intros mu Hn H. now apply bernstein_enough_if_good_suffices with (V := V).
Qed.

(** says: for t >= 2 and mu > 0 the almost sure bound sqrt(6 ln t/(n-1)) + 14 ln t/(n-1) equals mu at n = N_2 and
      decreases in n
    paper: l.1297-1301
    differs: t >= 2, since ln 1 = 0 makes the root 0
    settles: bernstein.n2_is_the_root
    breaks: "(2 <= t)" to "(1 <= t)" *)
Theorem the_almost_sure_width_equals_mu_at_the_root t mu : (2 <= t)%nat -> 0 < mu ->
  let a := 3 * ln (INR t) / (2 * (mu * mu)) in
  let root := sqrt a + sqrt (a + 14 * ln (INR t) / mu) in
  0 < root /\ sqrt (6 * ln (INR t) / (root * root)) + 14 * ln (INR t) / (root * root) = mu /\
  (forall p q, 0 < p < q -> sqrt (6 * ln (INR t) / q) + 14 * ln (INR t) / q
     < sqrt (6 * ln (INR t) / p) + 14 * ln (INR t) / p).
Proof.
  intros Ht Hmu. assert (HL := late_logarithm_is_positive t Ht). set (L := ln (INR t)) in *. intros a root.
  assert (Hmm : 0 < mu * mu) by (apply Rmult_lt_0_compat; lra).
  assert (Ha : 0 < a) by (apply Rdiv_lt_0_compat; lra).
  assert (Hb : 0 < 14 * L / mu) by (apply Rdiv_lt_0_compat; lra).
  assert (Sa := sqrt_lt_R0 a Ha). assert (Sb := sqrt_lt_R0 (a + 14 * L / mu) ltac:(lra)).
  assert (Qa := sqrt_sqrt a ltac:(lra)). assert (Qb := sqrt_sqrt (a + 14 * L / mu) ltac:(lra)).
  assert (Hroot : 0 < root) by (unfold root; lra). split; [exact Hroot|]. split.
  - assert (Hk : sqrt (6 * L / (root * root)) = 2 * mu * sqrt a / root).
    { replace (6 * L / (root * root)) with (2 * mu * sqrt a / root * (2 * mu * sqrt a / root)).
      - apply sqrt_square. apply quotient_nonneg; [repeat apply Rmult_le_pos; lra | exact Hroot].
      - replace (2 * mu * sqrt a / root * (2 * mu * sqrt a / root)) with (4 * (mu * mu) * (sqrt a * sqrt a) / (root
          * root))
          by (field; lra). rewrite Qa. unfold a. field. lra. }
    assert (Heq : 14 * L = mu * (root * root - 2 * sqrt a * root)).
    { unfold root. replace (mu * ((sqrt a + sqrt (a + 14 * L / mu)) * (sqrt a + sqrt (a + 14 * L / mu))
        - 2 * sqrt a * (sqrt a + sqrt (a + 14 * L / mu))))
        with (mu * (sqrt (a + 14 * L / mu) * sqrt (a + 14 * L / mu) - sqrt a * sqrt a)) by ring.
      rewrite Qa, Qb. field. lra. }
    rewrite Hk, Heq. field. lra.
  - intros p q Hpq. assert (I : / q < / p) by (apply Rinv_lt_contravar; [apply Rmult_lt_0_compat; lra | lra]).
    assert (J : 0 < / q) by (apply Rinv_0_lt_compat; lra). apply Rplus_lt_compat; unfold Rdiv.
    + apply sqrt_lt_1_alt. split; [apply Rmult_le_pos; lra | apply Rmult_lt_compat_l; lra].
    + apply Rmult_lt_compat_l; lra.
Qed.

(** says: with b = B/K - 1, V < 1/4 and b > (22/(1 - 4V))^2 ln T, the bound of the Bernstein budget lemma is below the
      Hoeffding budget b + 1
    paper: l.871
    differs: the print drops the second term and the conditions
    settles: discussion.bernstein_improves.corrected
    breaks: "V < 1 / 4" to "V <= 1 / 4" *)
Theorem a_small_variance_and_a_large_budget_improve_on_hoeffding V b T : (1 <= T)%nat -> V < 1 / 4 ->
  22 / (1 - 4 * V) * (22 / (1 - 4 * V)) * ln (INR T) < b ->
  4 * V * b + Rmin (22 * sqrt (b * ln (INR T))) (4 * b) + 1 < b + 1.
Proof.
  intros HT HV Hb. assert (HL := ln_of_round_nonneg T HT). set (c := 22 / (1 - 4 * V)) in *.
  assert (Hc : 0 < c) by (apply Rdiv_lt_0_compat; lra).
  assert (Hcc : 0 < c * c) by (apply Rmult_lt_0_compat; lra).
  assert (Hb0 : 0 < b) by (assert (0 <= c * c * ln (INR T)) by (apply Rmult_le_pos; lra); lra).
  assert (P : c * sqrt (b * ln (INR T)) < b).
  { assert (Hr := sqrt_pos (b * ln (INR T))). assert (Hrr := sqrt_sqrt (b * ln (INR T)) ltac:(apply Rmult_le_pos;
      lra)).
    apply Rsqr_incrst_0; [|apply Rmult_le_pos; lra | lra]. unfold Rsqr.
    replace (c * sqrt (b * ln (INR T)) * (c * sqrt (b * ln (INR T))))
      with (c * c * (sqrt (b * ln (INR T)) * sqrt (b * ln (INR T)))) by ring.
    rewrite Hrr. replace (c * c * (b * ln (INR T))) with (b * (c * c * ln (INR T))) by ring.
    apply Rmult_lt_compat_l; lra. }
  assert (Q : 22 * sqrt (b * ln (INR T)) < (1 - 4 * V) * b).
  { replace (22 * sqrt (b * ln (INR T))) with ((1 - 4 * V) * (c * sqrt (b * ln (INR T)))) by (unfold c; field; lra).
    apply Rmult_lt_compat_l; lra. }
  assert (M := Rmin_l (22 * sqrt (b * ln (INR T))) (4 * b)). lra.
Qed.

(** The Bernstein intervals (l.1201-1236): every condition of regularity except the failure probabilities.

    The failure probabilities rest on the inequality of Maurer and Pontil, which the paper cites. It is proved for laws
    on [0,1] in BernsteinTail.v; BernsteinTables.v has what follows for the failure probabilities. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Runs Expectation Experiment HoeffdingIntervals.
Open Scope R_scope.

(** The empirical variance of the first [n] rewards (l.1203). *)
Definition sample_variance (X : nat -> R) (n : nat) : R :=
  INR n / (INR n - 1) * (sum (rounds n) (fun k => X k * X k) / INR n - sample_mean X n * sample_mean X n).

(** sqrt(6 V ln t / n) + 7 ln t / (n - 1), l.1207. *)
Definition bernstein_radius (t n : nat) (v : R) : R :=
  sqrt (6 * v * ln (INR t) / INR n) + 7 * ln (INR t) / (INR n - 1).

Definition bernstein_interval (t n : nat) (estimate v : R) : interval :=
  match n with
  | O | 1%nat => whole_line
  | _ => Between (Some (estimate - bernstein_radius t n v)) (Some (estimate + bernstein_radius t n v))
  end.

(** min{f, t - 1}, and t - 1 at mu <= 0. *)
Definition capped (t : nat) (mu f : R) : R := if Rle_dec mu 0 then INR (t - 1) else Rmin f (INR (t - 1)).

(** N_a^g for variance V, l.1220. *)
Definition bernstein_enough_if_good (V : R) (t : nat) (mu : R) : R :=
  capped t mu (24 * V * ln (INR t) / (mu * mu) + 52 * ln (INR t) / mu + 1).

(** N_1^as and N_2^as, l.1224-1226. *)
Definition bernstein_enough_1 (t : nat) (mu : R) : R :=
  capped t mu (6 * ln (INR t) / (mu * mu) + 28 * ln (INR t) / mu + 1).
Definition bernstein_enough_2 (t : nat) (mu : R) : R :=
  let a := 3 * ln (INR t) / (2 * (mu * mu)) in
  capped t mu ((sqrt a + sqrt (a + 14 * ln (INR t) / mu)) * (sqrt a + sqrt (a + 14 * ln (INR t) / mu)) + 1).

(** ** The empirical variance *)

Section Variance.
Variables (X : nat -> R) (n : nat).
Hypothesis two_rewards : (2 <= n)%nat.
Hypothesis bounded : forall k, (1 <= k <= n)%nat -> 0 <= X k <= 1.

Lemma count_is_at_least_two : 2 <= INR n.
Proof. change 2 with (INR 2). now apply le_INR. Qed.

(** Mean square minus squared mean, as a mean of squares. *)
Lemma spread_is_nonneg : 0 <= sum (rounds n) (fun k => X k * X k) / INR n - sample_mean X n * sample_mean X n.
Proof.
  assert (Hn := count_is_at_least_two). set (m := sample_mean X n).
  assert (S1 : sum (rounds n) X = INR n * m) by (unfold m, sample_mean; field; lra).
  assert (S2 : 0 <= sum (rounds n) (fun k => X k * X k + (- (2 * m)) * X k + m * m)).
  { apply sum_nonneg. intros k _. replace (X k * X k + - (2 * m) * X k + m * m)
      with (Rsqr (X k - m)) by (unfold Rsqr; ring).
    apply Rle_0_sqr. }
  rewrite 2 sum_plus, sum_scal, sum_const, length_rounds in S2.
  change (sum (rounds n) (fun k => X k)) with (sum (rounds n) X) in S2.
  rewrite S1 in S2. apply (Rmult_le_reg_l (INR n)); [lra|].
  replace (INR n * (sum (rounds n) (fun k => X k * X k) / INR n - m * m))
    with (sum (rounds n) (fun k => X k * X k) - INR n * (m * m)) by (field; lra).
  lra.
Qed.

Lemma sample_variance_nonneg : 0 <= sample_variance X n.
Proof.
  assert (Hn := count_is_at_least_two). apply Rmult_le_pos; [|apply spread_is_nonneg].
  left. apply Rdiv_lt_0_compat; lra.
Qed.

(** says: the empirical variance of n >= 2 rewards in [0,1] is at most n/(4(n-1))
    paper: l.1290-1294
    differs: none
    settles: bernstein.variance_cap
    breaks: "(4 * (INR n - 1))" to "(4 * INR n)" *)
Theorem the_sample_variance_is_at_most_n_over_four_times_n_minus_one : sample_variance X n
  <= INR n / (4 * (INR n - 1)).
Proof.
  assert (Hn := count_is_at_least_two). unfold sample_variance. set (m := sample_mean X n).
  assert (S1 : sum (rounds n) (fun k => X k * X k) <= INR n * m).
  { replace (INR n * m) with (sum (rounds n) X) by (unfold m, sample_mean; field; lra).
    apply sum_le. intros k Hk. apply in_rounds in Hk. specialize (bounded k Hk).
    rewrite <- (Rmult_1_r (X k)) at 3. apply Rmult_le_compat_l; lra. }
  assert (S2 : sum (rounds n) (fun k => X k * X k) / INR n <= m).
  { apply (Rmult_le_reg_r (INR n)); [lra|].
    replace (sum (rounds n) (fun k => X k * X k) / INR n * INR n)
      with (sum (rounds n) (fun k => X k * X k)) by (field; lra). lra. }
  assert (S3 : m - m * m <= / 4) by (generalize (Rle_0_sqr (m - / 2)); unfold Rsqr; lra).
  replace (INR n / (4 * (INR n - 1))) with (INR n / (INR n - 1) * / 4) by (field; lra).
  apply Rmult_le_compat_l; [left; apply Rdiv_lt_0_compat; lra | lra].
Qed.
End Variance.

(** ** How many queries make the interval narrow *)

(** says: c1/s + c2/s^2 < mu once s^2 > c1^2/mu^2 + 2 c2/mu, with s the square root of n
    paper: l.1353
    differs: signs of c1 and c2 are not needed
    settles: auxiliary.root_and_reciprocal
    breaks: "2 * c2" to "c2" *)
Lemma root_and_reciprocal c1 c2 mu s :
  0 < mu -> 0 < s -> c1 * c1 / (mu * mu) + 2 * c2 / mu < s * s -> c1 / s + c2 / (s * s) < mu.
Proof.
  intros Hmu Hs H. assert (Hmm : 0 < mu * mu) by (apply Rmult_lt_0_compat; lra).
  assert (Hss : 0 < s * s) by (apply Rmult_lt_0_compat; lra).
  apply (Rmult_lt_compat_r (mu * mu)) in H; [|exact Hmm].
  replace ((c1 * c1 / (mu * mu) + 2 * c2 / mu) * (mu * mu)) with (c1 * c1 + 2 * c2 * mu) in H by (field; lra).
  apply (Rmult_lt_reg_r (s * s)); [exact Hss|].
  replace ((c1 / s + c2 / (s * s)) * (s * s)) with (c1 * s + c2) by (field; lra).
  apply (Rmult_lt_reg_r (2 * mu)); [lra|].
  generalize (Rle_0_sqr (c1 - mu * s)). unfold Rsqr. lra.
Qed.

(** The root of mu s^2 = c1 s + c2 is h + sqrt(h^2 + c2/mu) with h = c1 / (2 mu): beyond it, c1/s + c2/s^2 < mu. *)
Lemma beyond_the_root c1 c2 mu s :
  0 < mu -> 0 < s -> 0 <= c1 -> 0 <= c2 ->
  (c1 / (2 * mu) + sqrt (c1 / (2 * mu) * (c1 / (2 * mu)) + c2 / mu)) < s -> c1 / s + c2 / (s * s) < mu.
Proof.
  intros Hmu Hs H1 H2 H. set (h := c1 / (2 * mu)) in *.
  assert (I : 0 < / mu) by now apply Rinv_0_lt_compat.
  assert (Hq : 0 <= c2 / mu) by (unfold Rdiv; apply Rmult_le_pos; lra).
  assert (Hr : 0 <= h * h + c2 / mu) by (generalize (Rle_0_sqr h); unfold Rsqr; lra).
  assert (Hsq := sqrt_sqrt _ Hr). assert (Hp := sqrt_pos (h * h + c2 / mu)). set (r := sqrt (h * h + c2 / mu)) in *.
  assert (Hlt : r * r < (s - h) * (s - h)) by (apply Rmult_le_0_lt_compat; lra).
  assert (Hmul := Rmult_lt_compat_l mu _ _ Hmu Hlt). rewrite Hsq in Hmul.
  replace (mu * (h * h + c2 / mu)) with (mu * (h * h) + c2) in Hmul by (field; lra).
  assert (Hh : 2 * mu * h = c1) by (unfold h; field; lra).
  apply (Rmult_lt_reg_r (s * s)); [apply Rmult_lt_0_compat; lra|].
  replace ((c1 / s + c2 / (s * s)) * (s * s)) with (c1 * s + c2) by (field; lra). rewrite <- Hh. lra.
Qed.

Section Width.
Variables (t n : nat) (v : R).
Hypothesis the_round : (1 <= t)%nat.
Hypothesis two_queries : (2 <= n)%nat.
Hypothesis v_nonneg : 0 <= v.
Let L := ln (INR t).
Let s := sqrt (INR n - 1).

Lemma logarithm_nonneg : 0 <= L.
Proof. now apply ln_of_round_nonneg. Qed.

Lemma one_less_is_positive : 1 <= INR n - 1.
Proof. assert (H := le_INR _ _ two_queries). simpl in H. lra. Qed.

Lemma s_squared : s * s = INR n - 1.
Proof. apply sqrt_sqrt. generalize one_less_is_positive. lra. Qed.

Lemma s_pos : 0 < s.
Proof. apply sqrt_lt_R0. generalize one_less_is_positive. lra. Qed.

(** On every path: CI <= sqrt(6 ln t)/s + 14 ln t / s^2 with s^2 = n - 1 (l.1298-1299). *)
Lemma width_always : v <= INR n / (4 * (INR n - 1)) ->
  2 * bernstein_radius t n v <= sqrt (6 * L) / s + 14 * L / (s * s).
Proof.
  intros Hv. assert (HL := logarithm_nonneg). assert (Hn := one_less_is_positive). assert (Hs := s_pos).
  assert (Hss := s_squared).
  assert (B : sqrt (6 * v * L / INR n) <= sqrt (6 * L) / (2 * s)).
  { rewrite <- (sqrt_square (sqrt (6 * L) / (2 * s))).
    2: { unfold Rdiv. apply Rmult_le_pos; [apply sqrt_pos | left; apply Rinv_0_lt_compat; lra]. }
    apply sqrt_le_1_alt.
    replace (sqrt (6 * L) / (2 * s) * (sqrt (6 * L) / (2 * s)))
      with (sqrt (6 * L) * sqrt (6 * L) / (4 * (s * s))) by (field; lra).
    rewrite sqrt_sqrt, Hss by lra.
    replace (6 * L / (4 * (INR n - 1))) with (6 * (INR n / (4 * (INR n - 1))) * L / INR n) by (field; lra).
    unfold Rdiv at 1 2. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
    apply Rmult_le_compat_r; lra. }
  unfold bernstein_radius. fold L. rewrite Hss.
  replace (sqrt (6 * L) / s) with (2 * (sqrt (6 * L) / (2 * s))) by (field; lra).
  replace (14 * L / (INR n - 1)) with (2 * (7 * L / (INR n - 1))) by (field; lra). lra.
Qed.

(** Under the good event: CI <= sqrt(24 V ln t)/s + 26 ln t / s^2 (l.1281-1284). *)
Lemma width_if_good V : sqrt v - sqrt V <= sqrt (6 * L / (INR n - 1)) ->
  2 * bernstein_radius t n v <= 2 * (sqrt (6 * L) * sqrt V) / s + 26 * L / (s * s).
Proof.
  intros Hgood. assert (HL := logarithm_nonneg). assert (Hn := one_less_is_positive). assert (Hs := s_pos).
  assert (Hss := s_squared).
  assert (R6 : sqrt (6 * L / (INR n - 1)) = sqrt (6 * L) / s) by (unfold s; apply sqrt_div_alt; lra).
  assert (P6 := sqrt_pos (6 * L)). assert (S6 : sqrt (6 * L) * sqrt (6 * L) = 6 * L) by (apply sqrt_sqrt; lra).
  assert (Q : 0 <= sqrt (6 * L) / s) by (unfold Rdiv; apply Rmult_le_pos;
    [exact P6 | left; apply Rinv_0_lt_compat; exact Hs]).
  assert (B : sqrt (6 * v * L / INR n) <= sqrt (6 * L) / s * sqrt v).
  { rewrite <- R6, <- sqrt_mult_alt.
    2: { unfold Rdiv. apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]. }
    apply sqrt_le_1_alt. replace (6 * L / (INR n - 1) * v) with (6 * v * L * / (INR n - 1)) by (field; lra).
    unfold Rdiv. apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | apply Rinv_le_contravar; lra]. }
  assert (C : sqrt (6 * L) / s * sqrt v <= sqrt (6 * L) / s * (sqrt V + sqrt (6 * L) / s))
    by (apply Rmult_le_compat_l; [exact Q | lra]).
  replace (sqrt (6 * L) / s * (sqrt V + sqrt (6 * L) / s))
    with (sqrt (6 * L) * sqrt V / s + sqrt (6 * L) * sqrt (6 * L) / (s * s)) in C by (field; lra).
  rewrite S6 in C. unfold bernstein_radius. fold L. rewrite <- Hss.
  replace (26 * L / (s * s)) with (2 * (6 * L / (s * s)) + 2 * (7 * L / (s * s))) by (field; lra).
  replace (2 * (sqrt (6 * L) * sqrt V) / s) with (2 * (sqrt (6 * L) * sqrt V / s)) by (field; lra). lra.
Qed.
End Width.

(** More than min{f, t - 1} queries are more than f, and mu is positive. *)
Lemma above_the_cap t n mu f : (n <= t - 1)%nat -> capped t mu f < INR n -> 0 < mu /\ f < INR n.
Proof.
  intros Hn H. apply le_INR in Hn. unfold capped in H. destruct (Rle_dec mu 0); [lra|].
  split; [lra|]. unfold Rmin in H. destruct (Rle_dec f _); lra.
Qed.

Lemma narrow_if_radius_is_small t n mu estimate v : (2 <= n)%nat -> 2 * bernstein_radius t n v < mu ->
  narrower_than mu (bernstein_interval t n estimate v).
Proof.
  intros Hn H. destruct n as [|[|n]]; try lia. unfold narrower_than, width, bernstein_interval. simpl upper.
  simpl lower. cbv iota.
  lra.
Qed.

Lemma more_than_one_is_two n f : 0 <= f -> f + 1 < INR n -> (2 <= n)%nat.
Proof.
  intros Hf H. destruct n as [|[|n]]; simpl in H; [lra | lra | lia].
Qed.

(** Condition 5 with N_2^as (l.1226): no good event. *)
Theorem bernstein_enough_2_suffices t n mu estimate v :
  (1 <= t)%nat -> (n <= t - 1)%nat -> ((2 <= n)%nat -> 0 <= v <= INR n / (4 * (INR n - 1))) ->
  bernstein_enough_2 t mu < INR n -> narrower_than mu (bernstein_interval t n estimate v).
Proof.
  intros Ht Hn Hv H. unfold bernstein_enough_2 in H. apply above_the_cap in H; [|exact Hn]. destruct H as [Hmu H].
  assert (HL := ln_of_round_nonneg t Ht). set (L := ln (INR t)) in *.
  set (root := sqrt (3 * L / (2 * (mu * mu))) + sqrt (3 * L / (2 * (mu * mu)) + 14 * L / mu)) in *.
  assert (Hroot : 0 <= root) by (apply Rplus_le_le_0_compat; apply sqrt_pos).
  assert (H2 : (2 <= n)%nat) by (apply (more_than_one_is_two n (root * root));
    [generalize (Rle_0_sqr root); unfold Rsqr; lra | exact H]).
  specialize (Hv H2). apply narrow_if_radius_is_small; [exact H2|].
  eapply Rle_lt_trans; [apply width_always; [exact Ht | exact H2 | lra]|]. fold L.
  assert (Hs := s_pos n H2). assert (Hss := s_squared n H2). set (s := sqrt (INR n - 1)) in *.
  apply beyond_the_root; trivial; [apply sqrt_pos | lra |].
  assert (E : sqrt (6 * L) / (2 * mu) = sqrt (3 * L / (2 * (mu * mu)))).
  { replace (3 * L / (2 * (mu * mu))) with (6 * L / (2 * mu * (2 * mu))) by (field; lra).
    rewrite sqrt_div_alt by (apply Rmult_lt_0_compat; lra). rewrite sqrt_square by lra. reflexivity. }
  assert (P : 0 <= 3 * L / (2 * (mu * mu))).
  { unfold Rdiv. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat.
    apply Rmult_lt_0_compat; [lra | apply Rmult_lt_0_compat; lra]. }
  rewrite E, sqrt_sqrt by exact P. fold root.
  apply Rsqr_incrst_0; [unfold Rsqr; lra | exact Hroot | lra].
Qed.

(** says: N_2^as(t, mu) <= N_1^as(t, mu)
    paper: l.1301
    differs: none
    settles: bernstein.n1_at_least_n2
    breaks: "bernstein_enough_2 t mu <= bernstein_enough_1 t mu"
      to "bernstein_enough_1 t mu <= bernstein_enough_2 t mu" *)
Theorem the_root_is_the_smaller_number t mu : (1 <= t)%nat -> bernstein_enough_2 t mu <= bernstein_enough_1 t mu.
Proof.
  intros Ht. unfold bernstein_enough_1, bernstein_enough_2, capped. destruct (Rle_dec mu 0) as [|Hmu]; [lra|].
  assert (HL := ln_of_round_nonneg t Ht). set (L := ln (INR t)) in *. set (a := 3 * L / (2 * (mu * mu))).
  assert (Hmm : 0 < mu * mu) by (apply Rmult_lt_0_compat; lra).
  assert (Ha : 0 <= a) by (unfold a, Rdiv; apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
  assert (Hd : 0 <= 14 * L / mu) by (unfold Rdiv; apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
  apply Rle_min_compat_r. apply Rplus_le_compat_r.
  assert (Sa := sqrt_sqrt a Ha). assert (Sb := sqrt_sqrt (a + 14 * L / mu) ltac:(lra)).
  replace (6 * L / (mu * mu)) with (4 * a) by (unfold a; field; lra).
  replace (28 * L / mu) with (2 * (14 * L / mu)) by (field; lra).
  generalize (Rle_0_sqr (sqrt a - sqrt (a + 14 * L / mu))). unfold Rsqr. lra.
Qed.

(** Condition 4 with N_a^g (l.1220), under the good event. *)
Theorem bernstein_enough_if_good_suffices t n mu estimate v V :
  (1 <= t)%nat -> (n <= t - 1)%nat -> 0 <= V ->
  ((2 <= n)%nat -> 0 <= v /\ sqrt v - sqrt V <= sqrt (6 * ln (INR t) / (INR n - 1))) ->
  bernstein_enough_if_good V t mu < INR n -> narrower_than mu (bernstein_interval t n estimate v).
Proof.
  intros Ht Hn HV Hv H. unfold bernstein_enough_if_good in H. apply above_the_cap in H; [|exact Hn].
  destruct H as [Hmu H].
  assert (HL := ln_of_round_nonneg t Ht). set (L := ln (INR t)) in *.
  assert (Hmm : 0 < mu * mu) by (apply Rmult_lt_0_compat; lra).
  assert (P1 : 0 <= 24 * V * L / (mu * mu)).
  { unfold Rdiv. apply Rmult_le_pos; [apply Rmult_le_pos; lra | left; apply Rinv_0_lt_compat; lra]. }
  assert (P2 : 0 <= 52 * L / mu) by (unfold Rdiv; apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
  assert (H2 : (2 <= n)%nat) by (apply (more_than_one_is_two n (24 * V * L / (mu * mu) + 52 * L / mu)); lra).
  destruct (Hv H2) as [Hv0 Hgood]. apply narrow_if_radius_is_small; [exact H2|].
  eapply Rle_lt_trans; [apply (width_if_good t n v Ht H2 Hv0 V Hgood)|]. fold L.
  assert (Hs := s_pos n H2). assert (Hss := s_squared n H2). set (s := sqrt (INR n - 1)) in *.
  apply root_and_reciprocal; trivial.
  replace (2 * (sqrt (6 * L) * sqrt V) * (2 * (sqrt (6 * L) * sqrt V)))
    with (4 * (sqrt (6 * L) * sqrt (6 * L)) * (sqrt V * sqrt V)) by ring.
  rewrite (sqrt_sqrt (6 * L)), (sqrt_sqrt V) by lra.
  replace (4 * (6 * L) * V / (mu * mu)) with (24 * V * L / (mu * mu)) by (field; lra).
  replace (2 * (26 * L) / mu) with (52 * L / mu) by (field; lra). lra.
Qed.

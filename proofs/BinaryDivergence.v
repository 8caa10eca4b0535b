(** kl(p, q), the divergence between two Bernoulli laws (l.288): its lower bounds and its monotonicity. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums FiniteLaws.
Open Scope R_scope.

(** kl(p, q) where it is finite. Coq's ln 0 is 0, so that 0 ln 0 = 0; where q is 0 or 1 and p differs, kl is
    +infinity, and [kl_is_finite] fails. *)
Definition binary_kl (p q : R) : R := p * (ln p - ln q) + (1 - p) * (ln (1 - p) - ln (1 - q)).
Definition kl_is_finite (p q : R) : Prop := (q = 0 -> p = 0) /\ (q = 1 -> p = 1).

(** ** Logarithms *)

Lemma ln_div x y : 0 < x -> 0 < y -> ln (x / y) = ln x - ln y.
Proof.
  intros Hx Hy. unfold Rdiv. rewrite ln_mult by (try apply Rinv_0_lt_compat; assumption). rewrite ln_Rinv by
    assumption.
  lra.
Qed.

Lemma ln_is_concave x y z : 0 < x -> 0 < y -> 0 <= z <= 1 ->
  z * ln x + (1 - z) * ln y <= ln (z * x + (1 - z) * y).
Proof.
  intros Hx Hy Hz. set (m := z * x + (1 - z) * y).
  assert (Hm : 0 < m).
  { unfold m. assert (0 <= z * x) by (apply Rmult_le_pos; lra). assert (0 <= (1 - z) * y) by (apply Rmult_le_pos;
    lra).
    destruct (Rle_lt_dec z (1/2)).
    - assert (0 < (1 - z) * y) by (apply Rmult_lt_0_compat; lra). lra.
    - assert (0 < z * x) by (apply Rmult_lt_0_compat; lra). lra. }
  assert (T : forall w, 0 < w -> ln w <= ln m + (w / m - 1)).
  { intros w Hw. assert (E := ln_at_most_tangent (w / m) ltac:(now apply Rdiv_lt_0_compat)).
    rewrite ln_div in E by assumption. lra. }
  assert (A : z * ln x <= z * (ln m + (x / m - 1))) by (apply Rmult_le_compat_l; [lra | now apply T]).
  assert (B : (1 - z) * ln y <= (1 - z) * (ln m + (y / m - 1))) by (apply Rmult_le_compat_l; [lra | now apply T]).
  assert (C : z * (x / m - 1) + (1 - z) * (y / m - 1) = 0).
  { replace (z * (x / m - 1) + (1 - z) * (y / m - 1)) with (m / m - 1) by (unfold m at 1; field; lra).
    unfold Rdiv. rewrite Rinv_r; lra. }
  lra.
Qed.

Lemma ln_nonpositive x : 0 <= x <= 1 -> ln x <= 0.
Proof.
  intros [[H|<-] H1].
  - rewrite <- ln_1. now apply ln_is_monotone.
  - unfold ln. destruct (Rlt_dec 0 0) as [Hlt|Hlt]; [elim (Rlt_irrefl 0 Hlt) | lra].
Qed.

(** p ln p + (1-p) ln(1-p) >= - ln 2 (l.519). *)
Lemma binary_entropy_is_at_most_ln_2 p : 0 <= p <= 1 -> - ln 2 <= p * ln p + (1 - p) * ln (1 - p).
Proof.
  intros Hp. assert (P2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  destruct (Req_dec p 0) as [->|H0]; [rewrite Rminus_0_r, ln_1; lra|].
  destruct (Req_dec p 1) as [->|H1]; [rewrite ln_1; lra|].
  assert (C := ln_is_concave (/ p) (/ (1 - p)) p ltac:(apply Rinv_0_lt_compat; lra)
    ltac:(apply Rinv_0_lt_compat; lra) Hp).
  rewrite !ln_Rinv in C by lra. rewrite !Rinv_r in C by lra. replace (1 + 1) with 2 in C by lra. lra.
Qed.

(** says: kl(p, q) >= p ln(1/q) - ln 2 for all p, q in [0, 1] for which kl is finite
    paper: l.518-521
    differs: where kl is infinite nothing is to be shown
    breaks: "p * - ln q - ln 2" to "p * - ln q" *)
Theorem binary_kl_at_least_p_log p q : 0 <= p <= 1 -> 0 <= q <= 1 -> kl_is_finite p q ->
  p * - ln q - ln 2 <= binary_kl p q.
Proof.
  intros Hp Hq _. unfold binary_kl. assert (E := binary_entropy_is_at_most_ln_2 p Hp).
  assert (N : 0 <= (1 - p) * - ln (1 - q)) by
    (apply Rmult_le_pos; [lra | assert (ln (1 - q) <= 0) by (apply ln_nonpositive; lra); lra]).
  lra.
Qed.

(** says: kl(p, q) >= (1-p) ln(1/(1-q)) - ln 2 for all p, q in [0, 1] for which kl is finite
    paper: l.518-521
    differs: where kl is infinite nothing is to be shown
    breaks: "(1 - p) * - ln (1 - q) - ln 2" to "(1 - p) * - ln (1 - q)" *)
Theorem binary_kl_at_least_one_minus_p_log p q : 0 <= p <= 1 -> 0 <= q <= 1 -> kl_is_finite p q ->
  (1 - p) * - ln (1 - q) - ln 2 <= binary_kl p q.
Proof.
  intros Hp Hq _. unfold binary_kl. assert (E := binary_entropy_is_at_most_ln_2 p Hp).
  assert (N : 0 <= p * - ln q) by (apply Rmult_le_pos; [lra | assert (ln q <= 0) by (now apply ln_nonpositive); lra]).
  lra.
Qed.

(** The forms that are used: with any bound [b] of q, or of 1 - q, instead of these. *)
Lemma binary_kl_at_least_with_bound p q b : 0 <= p <= 1 -> 0 <= q <= 1 -> kl_is_finite p q -> 0 < b -> q <= b ->
  p * - ln b - ln 2 <= binary_kl p q.
Proof.
  intros Hp Hq Hf Hb Hle. eapply Rle_trans; [|now apply binary_kl_at_least_p_log].
  destruct (proj1 Hq) as [H|H].
  - assert (L := ln_is_monotone q b H Hle). assert (p * ln q <= p * ln b) by (apply Rmult_le_compat_l; lra). lra.
  - destruct Hf as [Hf _]. rewrite (Hf (eq_sym H)). lra.
Qed.

Lemma binary_kl_at_least_with_bound_of_the_rest p q b : 0 <= p <= 1 -> 0 <= q <= 1 -> kl_is_finite p q -> 0 < b ->
  1 - q <= b -> (1 - p) * - ln b - ln 2 <= binary_kl p q.
Proof.
  intros Hp Hq Hf Hb Hle. eapply Rle_trans; [|now apply binary_kl_at_least_one_minus_p_log].
  destruct (proj2 Hq) as [H|H].
  - assert (L := ln_is_monotone (1 - q) b ltac:(lra) Hle).
    assert ((1 - p) * ln (1 - q) <= (1 - p) * ln b) by (apply Rmult_le_compat_l; lra). lra.
  - destruct Hf as [_ Hf]. rewrite (Hf H). lra.
Qed.

(** ** Monotonicity and the local Pinsker inequality *)

(** says: kl(p, q) <= kl(p, r) for 0 <= p <= q <= r < 1
    paper: l.781
    differs: r = 1 is left out: there kl is infinite, or p = 1
    settles: scarce.kl_increasing
    breaks: "p <= q" to "0 <= q" *)
Theorem binary_kl_grows_away_from_p p q r : 0 <= p -> p <= q -> q <= r -> r < 1 -> binary_kl p q <= binary_kl p r.
Proof.
  intros Hp Hpq Hqr Hr. destruct (Req_dec r 0) as [->|Hr0]; [replace q with 0 by lra; lra|].
  destruct (Req_dec q 0) as [->|Hq0].
  - replace p with 0 by lra. unfold binary_kl. rewrite !Rminus_0_r, ln_1.
    assert (ln (1 - r) <= 0) by (apply ln_nonpositive; lra). lra.
  - unfold binary_kl.
    (* ln(r/q) <= r/q - 1 and ln((1-r)/(1-q)) <= (1-r)/(1-q) - 1 bound the fall of the difference. *)
    assert (A := ln_at_most_tangent (r / q) ltac:(apply Rdiv_lt_0_compat; lra)). rewrite ln_div in A by lra.
    assert (A' := ln_at_most_tangent (q / r) ltac:(apply Rdiv_lt_0_compat; lra)). rewrite ln_div in A' by lra.
    assert (B := ln_at_most_tangent ((1 - r) / (1 - q)) ltac:(apply Rdiv_lt_0_compat; lra)).
    rewrite ln_div in B by lra.
    (* p (ln r - ln q) <= (1-p) (ln(1-q) - ln(1-r)): the left is at most p (r-q)/q, the right at least
       (1-p)(r-q)/(1-q), and p/q <= 1 <= (1-p)/(1-q). *)
    assert (L : p * (ln r - ln q) <= r - q).
    { apply Rle_trans with (p * (r / q - 1)); [apply Rmult_le_compat_l; lra|].
      replace (p * (r / q - 1)) with ((p / q) * (r - q)) by (field; lra).
      assert (p / q <= 1) by (apply (Rmult_le_reg_r q); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
      assert ((p / q) * (r - q) <= 1 * (r - q)) by (apply Rmult_le_compat_r; lra). lra. }
    assert (M : r - q <= (1 - p) * (ln (1 - q) - ln (1 - r))).
    { apply Rle_trans with ((1 - p) * (1 - (1 - r) / (1 - q))); [|apply Rmult_le_compat_l; lra].
      replace ((1 - p) * (1 - (1 - r) / (1 - q))) with (((1 - p) / (1 - q)) * (r - q)) by (field; lra).
      assert (1 <= (1 - p) / (1 - q)) by (apply (Rmult_le_reg_r (1 - q)); [lra|]; unfold Rdiv;
        rewrite Rmult_assoc, Rinv_l; lra).
      assert (1 * (r - q) <= ((1 - p) / (1 - q)) * (r - q)) by (apply Rmult_le_compat_r; lra). lra. }
    lra.
Qed.

Lemma sinh_at_least_identity z : 0 <= z -> z <= sinh z.
Proof.
  intros [Hz|<-]; [|rewrite sinh_0; lra].
  destruct (MVT_cor2 sinh cosh 0 z Hz) as [c [E _]]; [intros; apply derivable_pt_lim_sinh|].
  rewrite sinh_0 in E. assert (1 <= cosh c).
  { unfold cosh. assert (A := exp_at_least_tangent c). assert (B := exp_at_least_tangent (- c)). lra. }
  assert (1 * z <= cosh c * z) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(** ln x >= (x - 1/x)/2 on (0, 1]. *)
Lemma ln_at_least_on_the_unit_interval x : 0 < x <= 1 -> (x - / x) / 2 <= ln x.
Proof.
  intros [Hx H1]. assert (N : ln x <= 0) by (apply ln_nonpositive; lra).
  assert (S := sinh_at_least_identity (- ln x) ltac:(lra)). unfold sinh in S.
  rewrite Ropp_involutive, exp_Ropp, exp_ln in S by assumption. lra.
Qed.

(** says: kl(p, q) >= (q-p)^2/(2q) for 0 <= p <= q and 0 < q < 1
    paper: l.781-784
    differs: q = 1 is left out: there kl is infinite
    settles: scarce.local_pinsker
    breaks: "(2 * q)" to "q" *)
Theorem local_pinsker p q : 0 <= p -> p <= q -> 0 < q < 1 -> (q - p) * (q - p) / (2 * q) <= binary_kl p q.
Proof.
  intros Hp Hpq Hq.
  assert (B : q - p <= (1 - p) * (ln (1 - p) - ln (1 - q))).
  { assert (L := ln_at_most_tangent ((1 - q) / (1 - p)) ltac:(apply Rdiv_lt_0_compat; lra)).
    rewrite ln_div in L by lra.
    assert (M : (1 - p) * (ln (1 - q) - ln (1 - p)) <= (1 - p) * ((1 - q) / (1 - p) - 1)).
    { apply Rmult_le_compat_l; lra. }
    replace ((1 - p) * ((1 - q) / (1 - p) - 1)) with (p - q) in M by (field; lra). lra. }
  assert (A : (q - p) * (q - p) / (2 * q) - (q - p) <= p * (ln p - ln q)).
  { destruct Hp as [Hp|<-].
    - rewrite <- ln_div by lra.
      assert (X : 0 < p / q <= 1).
      { split; [apply Rdiv_lt_0_compat; lra|]. apply (Rmult_le_reg_r q); [lra|]. unfold Rdiv.
        rewrite Rmult_assoc, Rinv_l; lra. }
      assert (L := ln_at_least_on_the_unit_interval (p / q) X).
      apply Rle_trans with (p * ((p / q - / (p / q)) / 2)); [right; field; lra | apply Rmult_le_compat_l; lra].
    - rewrite Rminus_0_r, Rmult_0_l. replace (q * q / (2 * q)) with (q / 2) by (field; lra). lra. }
  unfold binary_kl. lra.
Qed.

(** Beyond the paper: a bound on the probability that the sum of centred rewards is ever large, for all counts at once.

    For a reward X in [0,1] of mean mu, exp(l (X - mu) - l^2/8) is at most 1 in expectation. So the product over the first
    rewards of an arm reaches a number c with probability at most 1/c, whenever that happens. With the exponent l tuned
    to a range of counts this bounds S_n > sqrt(n d / 2) on the whole range at once, at a cost of 1/2 in the exponent d;
    and few ranges cover all counts. *)

From Coq Require Import Reals Lra Lia Arith List Bool ZArith.
From Bufalu Require Import Sums Expectation Experiment Hoeffding Laws BernsteinTail PairMartingale.
Import ListNotations.
Open Scope R_scope.

(** ** A product of rewards that ever reaches a number *)

Section Column.
Variables (law : expectation reward) (l c : R).
Let mu : R := law value.

(** What a reward multiplies the product by. *)
Definition stake (r : reward) : R := exp (l * (value r - mu) - l * l / 8).

(** Whether the product, starting at [w], is c or more after at most [n] rewards. *)
Fixpoint reaches (n : nat) (w : R) (rewards : list reward) : bool :=
  at_most c w ||
  match n with O => false | S k => reaches k (w * stake (hd no_reward rewards)) (tl rewards) end.

Lemma bounded_stake : bounded stake.
Proof. unfold stake. bounded. Qed.

Lemma a_stake_is_fair : law stake <= 1.
Proof.
  assert (B := bounded_value).
  assert (P := a_centred_reward_is_subgaussian law value mu l a_reward_is_in_the_unit_interval eq_refl).
  unfold stake. rewrite (expect_ext law _ (fun r => exp (- (l * l / 8)) * exp (l * (value r - mu)))).
  2: { intros r. rewrite <- exp_plus. f_equal. ring. }
  rewrite expect_scal by bounded. apply (Rmult_le_compat_l (exp (- (l * l / 8)))) in P; [|left; apply exp_pos].
  rewrite <- exp_plus in P. replace (- (l * l / 8) + l * l / 8) with 0 in P by ring. rewrite exp_0 in P. exact P.
Qed.

(** With w in hand, c is reached with probability at most w/c, within any number of rewards. *)
Lemma reaching_is_rare T n w : 0 < c -> 0 <= w -> (n <= T)%nat ->
  probability (one_from_each (repeat law T)) (reaches n w) <= w / c.
Proof.
  intros Hc. revert T w. induction n as [|n IH]; intros T w Hw HT.
  all: assert (I : 0 < / c) by now apply Rinv_0_lt_compat.
  all: destruct (Rle_dec c w) as [Hcw|Hcw].
  1,3: apply Rle_trans with 1; [apply expect_between with (a := 0); intros xs; split;
    [apply indicator_nonneg | apply indicator_le_1] | rewrite <- (Rinv_r c) by lra; apply Rmult_le_compat_r; lra].
  - unfold probability. rewrite (expect_ext _ _ (fun _ => 0)); [rewrite expect_const; apply Rmult_le_pos; lra|].
    intros xs. simpl. unfold at_most. destruct (Rle_dec c w); [contradiction | reflexivity].
  - destruct T as [|T]; [lia|]. unfold probability. simpl repeat. rewrite one_from_first.
    apply Rle_trans with (law (fun r => w / c * stake r)).
    + apply expect_le.
      * apply (bounded_between 0 1). intros r. apply expect_between. intros xs.
        split; [apply indicator_nonneg | apply indicator_le_1].
      * assert (B := bounded_stake). bounded.
      * intros r. eapply Rle_trans; [|replace (w / c * stake r) with (w * stake r / c) by (field; lra);
          apply (IH T (w * stake r)); [apply Rmult_le_pos; [exact Hw | left; apply exp_pos] | lia]].
        apply Req_le. apply expect_ext. intros xs. simpl. unfold at_most at 1.
        destruct (Rle_dec c w); [contradiction | reflexivity].
    + assert (B := bounded_stake). rewrite expect_scal by exact B. rewrite <- (Rmult_1_r (w / c)) at 2.
      apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | exact a_stake_is_fair].
Qed.

(** The sum of the first [k] centred rewards. *)
Definition centred_sum (rewards : list reward) (k : nat) : R :=
  sum (rounds k) (fun i => value (nth (i - 1) rewards no_reward) - mu).

Lemma centred_sum_from_first rewards k :
  centred_sum rewards (S k) = value (hd no_reward rewards) - mu + centred_sum (tl rewards) k.
Proof.
  unfold centred_sum. unfold rounds. simpl seq. rewrite <- seq_shift.
  change (value (nth 0 rewards no_reward) - mu + sum (map S (seq 1 k)) (fun i => value (nth (i - 1) rewards no_reward) - mu)
    = value (hd no_reward rewards) - mu + sum (seq 1 k) (fun i => value (nth (i - 1) (tl rewards) no_reward) - mu)).
  rewrite sum_map. f_equal; [now destruct rewards|]. apply sum_ext. intros i Hi. apply in_seq in Hi.
  replace (S i - 1)%nat with (S (i - 1)) by lia. destruct rewards as [|r rest]; simpl; [now destruct (i - 1)%nat | reflexivity].
Qed.

Lemma the_product_of_large_sums_reaches n k w rewards : (k <= n)%nat ->
  c <= w * exp (l * centred_sum rewards k - INR k * (l * l / 8)) -> reaches n w rewards = true.
Proof.
  revert n w rewards. induction k as [|k IH]; intros n w rewards Hk H.
  - unfold centred_sum, rounds, sum in H. simpl in H. rewrite Rmult_0_r, Rmult_0_l, Rminus_0_r, exp_0, Rmult_1_r in H.
    destruct n; simpl; now rewrite at_most_true.
  - destruct n as [|n]; [lia|]. simpl. apply orb_true_iff. right. apply IH; [lia|].
    eapply Rle_trans; [exact H|]. apply Req_le. unfold stake. rewrite Rmult_assoc, <- exp_plus. f_equal. f_equal.
    rewrite centred_sum_from_first, S_INR. ring.
Qed.
End Column.

(** ** Ranges of counts *)

(** Of the exponent d only 1/2 is lost. The j-th range holds the counts whose root lies between e^(2yj) and
    e^(2y(j+1)) with y = 1/sqrt(2d). *)
Definition half_width (d : R) : R := / sqrt (2 * d).
Definition middle (d : R) (j : nat) : R := exp (2 * half_width d * INR j) / (1 - half_width d).
Definition range_exponent (d : R) (j : nat) : R := 4 * sqrt (d / 2) / middle d j.

Section Range.
Variable d : R.
Hypothesis d_is_large : 1 < 2 * d.
Let y := half_width d.

Lemma half_width_is_a_proper_fraction : 0 < y < 1.
Proof.
  unfold y, half_width. assert (R1 : 1 < sqrt (2 * d)) by (rewrite <- sqrt_1; apply sqrt_lt_1_alt; lra).
  split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_lt_contravar; lra].
Qed.

Lemma half_width_squared : d * (y * y) = / 2.
Proof.
  unfold y, half_width. rewrite <- Rinv_mult, sqrt_sqrt by lra. field. lra.
Qed.

(** On the j-th range S >= sqrt(n d / 2) makes the exponent at least d - 1/2. *)
Lemma the_exponent_is_large_on_its_range j s S : exp (2 * y * INR j) <= s <= exp (2 * y * (INR j + 1)) ->
  s * sqrt (d / 2) <= S ->
  d - / 2 <= range_exponent d j * S - s * s * (range_exponent d j * range_exponent d j / 8).
Proof.
  intros Hs HS. assert (Hy := half_width_is_a_proper_fraction). assert (Hd := half_width_squared).
  set (a := exp (2 * y * INR j)) in *. assert (Ha : 0 < a) by apply exp_pos.
  assert (Hup : s * (1 - y) <= a * (1 + y)).
  { replace (2 * y * (INR j + 1)) with (2 * y * INR j + 2 * y) in Hs by ring. rewrite exp_plus in Hs. fold a in Hs.
    assert (F := exp_is_below_its_simplest_fraction (2 * y) ltac:(lra)).
    apply Rle_trans with (a * exp (2 * y) * (1 - y)); [apply Rmult_le_compat_r; lra|].
    rewrite Rmult_assoc. apply Rmult_le_compat_l; lra. }
  set (q := sqrt (d / 2)) in *. assert (Hq : 0 < q) by (apply sqrt_lt_R0; lra).
  assert (Hqq : q * q = d / 2) by (apply sqrt_sqrt; lra).
  assert (HM : middle d j = a / (1 - y)) by reflexivity.
  unfold range_exponent. fold q. rewrite HM. set (m := a / (1 - y)). assert (Hm : 0 < m) by (apply Rdiv_lt_0_compat; lra).
  set (u := s / m). assert (Hsu : s = u * m) by (unfold u; field; lra).
  assert (Hu : 1 - y <= u <= 1 + y).
  { unfold u, m. split; (apply (Rmult_le_reg_r a); [exact Ha|]);
      replace (s / (a / (1 - y)) * a) with (s * (1 - y)) by (field; lra); [|lra].
    rewrite (Rmult_comm (1 - y) a). apply Rmult_le_compat_r; lra. }
  assert (Hlow : 4 * q / m * (s * q) <= 4 * q / m * S).
  { apply Rmult_le_compat_l; [|exact HS]. left. apply Rdiv_lt_0_compat; lra. }
  apply Rle_trans with (4 * q / m * (s * q) - s * s * (4 * q / m * (4 * q / m) / 8)); [|lra].
  replace (4 * q / m * (s * q) - s * s * (4 * q / m * (4 * q / m) / 8)) with (q * q * (4 * u - 2 * (u * u)))
    by (rewrite Hsu; field; lra).
  rewrite Hqq. replace (d / 2 * (4 * u - 2 * (u * u))) with (d - d * ((1 - u) * (1 - u))) by field.
  assert (P : (1 - u) * (1 - u) <= y * y).
  { assert (0 <= (y - (1 - u)) * (y + (1 - u))) by (apply Rmult_le_pos; lra). lra. }
  apply (Rmult_le_compat_l d) in P; lra.
Qed.
End Range.

(** The number of ranges that hold the counts 1..m: the whole part of sqrt(2d) ln(m) / 4, and one more. *)
Definition ranges (d : R) (m : nat) : nat := Z.to_nat (up (sqrt (2 * d) * ln (INR m) / 4)).

Lemma number_of_ranges d m : (1 <= m)%nat ->
  sqrt (2 * d) * ln (INR m) / 4 < INR (ranges d m) <= sqrt (2 * d) * ln (INR m) / 4 + 1.
Proof.
  intros Hm. unfold ranges. set (q := sqrt (2 * d) * ln (INR m) / 4).
  assert (Hq : 0 <= q).
  { unfold q, Rdiv. apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [apply sqrt_pos|].
    rewrite <- ln_1. apply le_INR in Hm. simpl in Hm. destruct Hm as [Hm|Hm]; [left; apply ln_increasing; lra | rewrite <- Hm; lra]. }
  assert (A := archimed q). assert (H : (0 <= up q)%Z) by (apply le_IZR; lra).
  rewrite INR_IZR_INZ, Z2Nat.id by exact H. lra.
Qed.

Lemma a_number_lies_in_one_of_the_ranges D q : 0 <= q < INR D -> exists j, (j < D)%nat /\ INR j <= q <= INR j + 1.
Proof.
  induction D as [|D IH]; intros [H0 H]; [simpl in H; lra|]. rewrite S_INR in H.
  destruct (Rlt_le_dec q (INR D)) as [Hlt|Hge].
  - destruct (IH (conj H0 Hlt)) as [j [Hj Hq]]. exists j. split; [lia | exact Hq].
  - exists D. split; [lia | lra].
Qed.

Lemma a_count_lies_in_one_of_the_ranges d m n : 1 < 2 * d -> (1 <= n <= m)%nat ->
  exists j, (j < ranges d m)%nat /\ exp (2 * half_width d * INR j) <= sqrt (INR n) <= exp (2 * half_width d * (INR j + 1)).
Proof.
  intros Hd [Hn Hm]. assert (HN : 1 <= INR n) by (apply le_INR in Hn; exact Hn). apply le_INR in Hm.
  assert (Hy := half_width_is_a_proper_fraction d Hd). set (y := half_width d) in *.
  assert (Hr : sqrt (2 * d) = / y) by (unfold y, half_width; now rewrite Rinv_inv).
  assert (HlnN : 0 <= ln (INR n)).
  { rewrite <- ln_1. destruct HN as [H|H]; [left; apply ln_increasing; lra | rewrite <- H; lra]. }
  assert (Hln : ln (INR n) <= ln (INR m)) by (destruct Hm as [H|H]; [left; apply ln_increasing; lra | rewrite H; lra]).
  assert (I : 0 < / y) by now apply Rinv_0_lt_compat.
  set (q := / y * ln (INR n) / 4).
  assert (Hq : 0 <= q) by (unfold q, Rdiv; apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
  destruct (a_number_lies_in_one_of_the_ranges (ranges d m) q) as [j [Hj Hjq]].
  { split; [exact Hq|]. assert (P := number_of_ranges d m ltac:(apply INR_le; simpl; lra)). rewrite Hr in P.
    apply (Rmult_le_compat_l (/ y)) in Hln; [|lra]. unfold q. lra. }
  exists j. split; [exact Hj|].
  assert (Hroot : sqrt (INR n) = exp (2 * y * q)).
  { rewrite <- (sqrt_square (exp (2 * y * q))) by (left; apply exp_pos). f_equal. rewrite <- exp_plus.
    replace (2 * y * q + 2 * y * q) with (ln (INR n)) by (unfold q; field; lra). rewrite exp_ln; lra. }
  rewrite Hroot. split; apply exp_is_monotone; apply Rmult_le_compat_l; lra.
Qed.

(** ** All counts at once *)

(** One of the first [m] centred sums is sqrt(n d / 2) or more (sign 1), or minus that or less (sign -1), for [rewards]
    drawn from [law]: what one of the products then reaches. *)
Definition range_is_crossed (law : expectation reward) (d : R) (m : nat) (sign : R) (j : nat) (rewards : list reward) : bool :=
  reaches law (sign * range_exponent d j) (exp (d - / 2)) m 1 rewards.

Lemma crossing_a_range_is_rare law d m sign j T : (m <= T)%nat ->
  probability (one_from_each (repeat law T)) (range_is_crossed law d m sign j) <= exp (/ 2) * exp (- d).
Proof.
  intros Hm. eapply Rle_trans; [apply reaching_is_rare; [apply exp_pos | lra | exact Hm]|].
  unfold Rdiv. rewrite Rmult_1_l, <- exp_Ropp, <- exp_plus. apply Req_le. f_equal. ring.
Qed.

Lemma a_large_sum_crosses_a_range law d m sign n rewards : 1 < 2 * d -> (1 <= n <= m)%nat -> sign * sign = 1 ->
  sqrt (INR n) * sqrt (d / 2) <= sign * centred_sum law rewards n ->
  exists j, (j < ranges d m)%nat /\ range_is_crossed law d m sign j rewards = true.
Proof.
  intros Hd Hn Hsign H. destruct (a_count_lies_in_one_of_the_ranges d m n Hd Hn) as [j [Hj Hrange]].
  exists j. split; [exact Hj|]. apply (the_product_of_large_sums_reaches _ _ _ m n); [lia|].
  rewrite Rmult_1_l. apply exp_is_monotone. set (e := range_exponent d j).
  assert (P := the_exponent_is_large_on_its_range d Hd j (sqrt (INR n)) _ Hrange H). fold e in P.
  rewrite sqrt_sqrt in P by apply pos_INR.
  replace (sign * e * (sign * e) / 8) with (e * e / 8) by (replace (sign * e * (sign * e)) with (sign * sign * (e * e)) by ring;
    rewrite Hsign; lra).
  replace (sign * e * centred_sum law rewards n) with (e * (sign * centred_sum law rewards n)) by ring. exact P.
Qed.

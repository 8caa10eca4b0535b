(** Bernstein's inequality for the mean, and from it the empirical Bernstein inequality of Maurer and Pontil (their
    theorem 4, cited at l.1265), two-sided and with the constants of l.1207, for independent draws from one law on
    [0,1]. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Expectation Experiment Hoeffding Laws PairsAndJensen VarianceTails.
Import ListNotations.
Open Scope R_scope.

(** ** The exponential below a parabola *)

Lemma exp_minus_one_is_at_most y : exp y - 1 <= y * exp y.
Proof.
  assert (Q := Rmult_le_compat_r (exp y) _ _ (Rlt_le _ _ (exp_pos y)) (exp_ineq1_le (- y))).
  rewrite <- exp_plus in Q. replace (- y + y) with 0 in Q by ring. rewrite exp_0 in Q. lra.
Qed.

(** (2 - c) e^c <= 2 + c for c >= 0. *)
Lemma exp_is_below_its_simplest_fraction c : 0 <= c -> (2 - c) * exp c <= 2 + c.
Proof.
  intros [Hc| <-]; [|rewrite exp_0; lra].
  assert (G : forall e, derivable_pt_lim (fun y => 2 + y - (2 - y) * exp y) e
    (0 + 1 - ((0 - 1) * exp e + (2 - e) * exp e))).
  { intros e. apply (derivable_pt_lim_minus (fun y => 2 + y) (fun y => (2 - y) * exp y)).
    - apply (derivable_pt_lim_plus (fun _ => 2) id); [apply derivable_pt_lim_const | apply derivable_pt_lim_id].
    - apply (derivable_pt_lim_mult (fun y => 2 - y) exp); [|apply derivable_pt_lim_exp].
      apply (derivable_pt_lim_minus (fun _ => 2) id); [apply derivable_pt_lim_const | apply derivable_pt_lim_id]. }
  destruct (MVT_cor2 _ _ 0 c Hc (fun e _ => G e)) as [e [He Hin]]. rewrite exp_0 in He.
  assert (Q := exp_minus_one_is_at_most e).
  assert (0 <= (0 + 1 - ((0 - 1) * exp e + (2 - e) * exp e)) * (c - 0)) by (apply Rmult_le_pos; lra). lra.
Qed.

(** (6 - 2y) e^y <= 6 + 4y + y^2 for y >= 0. *)
Lemma exp_is_below_its_fraction y : 0 <= y -> (6 - 2 * y) * exp y <= 6 + 4 * y + y * y.
Proof.
  intros [Hy| <-]; [|rewrite exp_0; lra].
  assert (D : forall c, derivable_pt_lim (fun y => 6 + 4 * y + y * y - (6 - 2 * y) * exp y) c
    (4 + 2 * c - ((- 2) * exp c + (6 - 2 * c) * exp c))).
  { intros c. apply (derivable_pt_lim_minus (fun y => 6 + 4 * y + y * y) (fun y => (6 - 2 * y) * exp y)).
    - replace (4 + 2 * c) with (0 + 4 * 1 + (1 * c + c * 1)) by ring.
      apply (derivable_pt_lim_plus (fun y => 6 + 4 * y) (fun y => y * y)).
      + apply (derivable_pt_lim_plus (fun _ => 6) (fun y => 4 * y)); [apply derivable_pt_lim_const|].
        apply (derivable_pt_lim_scal id). apply derivable_pt_lim_id.
      + apply (derivable_pt_lim_mult id id); apply derivable_pt_lim_id.
    - apply (derivable_pt_lim_mult (fun y => 6 - 2 * y) exp); [|apply derivable_pt_lim_exp].
      replace (- 2) with (0 - 2 * 1) by ring. apply (derivable_pt_lim_minus (fun _ => 6) (fun y => 2 * y)).
      + apply derivable_pt_lim_const.
      + apply (derivable_pt_lim_scal id). apply derivable_pt_lim_id. }
  destruct (MVT_cor2 _ _ 0 y Hy (fun c _ => D c)) as [c [Hc Hin]]. rewrite exp_0 in Hc.
  (* the derivative is 4 + 2c - (4 - 2c) e^c *)
  assert (F := exp_is_below_its_simplest_fraction c ltac:(lra)).
  assert (0 <= (4 + 2 * c - (- 2 * exp c + (6 - 2 * c) * exp c)) * (y - 0)) by (apply Rmult_le_pos; lra). lra.
Qed.

(** e^y <= 1 + y + y^2 / (2 (1 - c/3)) for |y| <= c < 3. *)
Lemma exp_is_below_bernsteins_parabola c y : 0 <= c < 3 -> - c <= y <= c ->
  exp y <= 1 + y + / (2 * (1 - c / 3)) * (y * y).
Proof.
  intros Hc Hy. assert (Hsq : 0 <= y * y) by apply Rle_0_sqr.
  destruct (Rle_lt_dec y 0) as [Hneg|Hpos].
  - eapply Rle_trans; [now apply exp_is_below_its_parabola|].
    assert (/ 2 <= / (2 * (1 - c / 3))) by (apply Rinv_le_contravar; lra).
    assert (/ 2 * (y * y) <= / (2 * (1 - c / 3)) * (y * y)) by now apply Rmult_le_compat_r. lra.
  - assert (F := exp_is_below_its_fraction y ltac:(lra)).
    assert (I : 0 < / (6 - 2 * y)) by (apply Rinv_0_lt_compat; lra).
    apply (Rmult_le_compat_l (/ (6 - 2 * y))) in F; [|lra].
    replace (/ (6 - 2 * y) * ((6 - 2 * y) * exp y)) with (exp y) in F by (field; lra).
    replace (/ (6 - 2 * y) * (6 + 4 * y + y * y)) with (1 + y + / (2 * (1 - y / 3)) * (y * y)) in F by (field; lra).
    assert (/ (2 * (1 - y / 3)) <= / (2 * (1 - c / 3))) by (apply Rinv_le_contravar; lra).
    assert (/ (2 * (1 - y / 3)) * (y * y) <= / (2 * (1 - c / 3)) * (y * y)) by now apply Rmult_le_compat_r. lra.
Qed.

(** e^y <= 1 + y + e^c y^2 for |y| <= c. *)
Lemma exp_is_below_a_steep_parabola c y : - c <= y <= c -> exp y <= 1 + y + exp c * (y * y).
Proof.
  intros Hy. assert (Hsq : 0 <= y * y) by apply Rle_0_sqr.
  destruct (Rle_lt_dec y 0) as [Hneg|Hpos].
  - eapply Rle_trans; [now apply exp_is_below_its_parabola|].
    assert (1 <= exp c) by (generalize (exp_ineq1_le c); lra).
    assert (1 * (y * y) <= exp c * (y * y)) by now apply Rmult_le_compat_r. lra.
  - assert (S := exp_minus_one_is_at_most y).
    assert (y * (exp y - 1) <= y * (y * exp y)) by (apply Rmult_le_compat_l; lra).
    assert (exp y * (y * y) <= exp c * (y * y)) by (apply Rmult_le_compat_r; [exact Hsq | now apply exp_is_monotone]).
    lra.
Qed.

(** ** The mean *)

Definition list_mean (l : list reward) : R := sum l value / INR (length l).

Section Mean.
Variables (s : expectation reward) (n : nat) (x : R).
Let mu : R := mean_of_law s.
Let V : R := variance_of_law s.

Lemma bounded_moment_of_the_sum k c : bounded (fun l : tuple reward k => exp (c * sum l (fun r => value r - mu))).
Proof.
  assert (B : bounded (fun l : tuple reward k => sum l (fun r => value r - mu))); [|bounded].
  apply (bounded_between (INR k * (0 - mu)) (INR k * (1 - mu))). intros [l Hl]. simpl entries.
  rewrite <- Hl, <- !sum_const.
  split; apply sum_le; intros r _; generalize (a_reward_is_in_the_unit_interval r); lra.
Qed.

Lemma moment_of_the_sum c :
  sample s n (fun l => exp (c * sum l (fun r => value r - mu)))
  = s (fun r => exp (c * (value r - mu))) ^ n.
Proof.
  induction n as [|k IH].
  - change (exp (c * 0) = 1). rewrite Rmult_0_r. apply exp_0.
  - rewrite (sample_from_first s k (fun l => exp (c * sum l (fun r => value r - mu)))).
    rewrite <- tech_pow_Rmult, (Rmult_comm (s _)), <- expect_scal by bounded.
    apply expect_ext. intros r.
    rewrite <- IH, (Rmult_comm _ (exp _)), <- expect_scal by apply bounded_moment_of_the_sum.
    apply expect_ext. intros l.
    change (sum (r :: l) (fun r => value r - mu)) with (value r - mu + sum l (fun r => value r - mu)).
    rewrite <- exp_plus. f_equal. ring.
Qed.

Lemma moment_of_a_reward c C : (forall y, - Rabs c <= y <= Rabs c -> exp y <= 1 + y + C * (y * y)) ->
  s (fun r => exp (c * (value r - mu))) <= exp (C * (c * c) * V).
Proof.
  intros H. assert (Hm := mean_of_law_is_a_reward s). fold mu in Hm.
  eapply Rle_trans; [|apply exp_ineq1_le].
  apply Rle_trans with (s (fun r => 1 + (c * (value r + - mu) +
    C * (c * c) * ((value r - mu) * (value r - mu))))).
  - apply expect_le; [bounded | bounded|]. intros r. destruct (a_reward_is_in_the_unit_interval r) as [H0 H1].
    eapply Rle_trans; [apply (H (c * (value r - mu)))|apply Req_le; ring].
    assert (B : Rabs (c * (value r - mu)) <= Rabs c * 1).
    { rewrite Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos | apply Rabs_le; lra]. }
    rewrite Rmult_1_r in B. generalize (Rle_abs (c * (value r - mu))) (Rle_abs (- (c * (value r - mu)))).
    rewrite Rabs_Ropp. lra.
  - rewrite 2 expect_plus, expect_const, 2 expect_scal, expect_plus, expect_const by bounded.
    change (s value) with mu. unfold mu. rewrite variance_is_the_mean_square. fold mu V.
    apply Req_le. ring.
Qed.

Hypothesis some_draws : (1 <= n)%nat.
Hypothesis x_nonneg : 0 <= x.

(** sqrt(2 V x / n) + x/(3n). *)
Definition bernstein_deviation : R := sqrt (2 * V * x / INR n) + x / (3 * INR n).

(** There are an exponent and a parabola that give e^-x. *)
Lemma a_bernstein_exponent : exists c C, 0 <= c /\
  (forall y, - c <= y <= c -> exp y <= 1 + y + C * (y * y)) /\
  INR n * (C * (c * c) * V) - c * (INR n * bernstein_deviation) <= - x.
Proof.
  assert (HV := variance_of_law_nonneg s). fold V in HV.
  assert (HN : 1 <= INR n) by (apply le_INR in some_draws; exact some_draws). unfold bernstein_deviation.
  destruct (Req_dec V 0) as [HV0|HV0].
  { exists 3, (exp 3). split; [lra|]. split; [intros; now apply exp_is_below_a_steep_parabola|]. rewrite HV0.
    replace (2 * 0 * x / INR n) with 0 by (field; lra). rewrite sqrt_0. apply Req_le. field. lra. }
  assert (Hq : 0 <= 2 * x / (INR n * V)) by (unfold Rdiv; apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat;
    apply Rmult_lt_0_compat; lra]).
  set (w := sqrt (2 * x / (INR n * V))). assert (Hw := sqrt_pos (2 * x / (INR n * V))). fold w in Hw.
  assert (Hww : w * w = 2 * x / (INR n * V)) by now apply sqrt_sqrt.
  assert (Hx : x = INR n * V * (w * w) / 2) by (rewrite Hww; field; lra).
  assert (Hroot : sqrt (2 * V * x / INR n) = V * w).
  { replace (2 * V * x / INR n) with (V * w * (V * w)) by (rewrite Hx; field; lra).
    apply sqrt_square. apply Rmult_le_pos; lra. }
  exists (w / (1 + w / 3)), ((1 + w / 3) / 2).
  assert (Hc : 0 <= w / (1 + w / 3)) by (unfold Rdiv at 1; apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat;
    lra]).
  split; [exact Hc|]. split.
  - intros y Hy. assert (Hlt : w / (1 + w / 3) < 3).
    { apply (Rmult_lt_reg_r (1 + w / 3)); [lra|]. replace (w / (1 + w / 3) * (1 + w / 3)) with w by (field; lra).
      lra. }
    replace ((1 + w / 3) / 2) with (/ (2 * (1 - w / (1 + w / 3) / 3))) by (field; lra).
    apply exp_is_below_bernsteins_parabola; [split|]; assumption.
  - rewrite Hroot. apply Req_le. rewrite Hx. field. lra.
Qed.

(** Bernstein's inequality on either side: [side] is 1 or -1. *)
Theorem bernstein_one_sided side (event : tuple reward n -> bool) : side * side = 1 ->
  (forall l, event l = true -> INR n * bernstein_deviation <= side * sum l (fun r => value r - mu)) ->
  probability (sample s n) event <= exp (- x).
Proof.
  intros Hside Hevent. destruct a_bernstein_exponent as [c [C [Hc [Hpar Hexp]]]].
  assert (Habs : Rabs (c * side) = c).
  { rewrite Rabs_mult, (Rabs_pos_eq c Hc). replace (Rabs side) with 1; [ring|].
    rewrite <- (sqrt_Rsqr_abs side). unfold Rsqr. rewrite Hside. symmetry. apply sqrt_1. }
  eapply Rle_trans.
  { apply (markov (sample s n) (fun l => exp (c * side * sum l (fun r => value r - mu))) event
      (exp (c * (INR n * bernstein_deviation)))).
    - apply bounded_moment_of_the_sum.
    - apply exp_pos.
    - intros l. left. apply exp_pos.
    - intros l Hl. apply exp_is_monotone. rewrite Rmult_assoc.
      apply Rmult_le_compat_l; [exact Hc | now apply Hevent]. }
  rewrite moment_of_the_sum. unfold Rdiv. rewrite <- exp_Ropp.
  apply Rle_trans with (exp (INR n * (C * (c * side * (c * side)) * V)) * exp (- (c * (INR n *
    bernstein_deviation)))).
  - apply Rmult_le_compat_r; [left; apply exp_pos|]. rewrite exp_of_multiple. apply pow_incr. split.
    + apply expect_nonneg; [bounded|]. intros r. left. apply exp_pos.
    + apply moment_of_a_reward. now rewrite Habs.
  - rewrite <- exp_plus. apply exp_is_monotone.
    replace (c * side * (c * side)) with (c * c) by (rewrite <- (Rmult_1_r (c * c)), <- Hside; ring). lra.
Qed.
End Mean.

(** ** The empirical Bernstein inequality *)

Section Empirical.
Variables (s : expectation reward) (n : nat) (x : R).
Hypothesis two_draws : (2 <= n)%nat.
Hypothesis x_nonneg : 0 <= x.
Let mu : R := mean_of_law s.
Let V : R := variance_of_law s.

(** sqrt(2 V-hat x / n) + 7x/(3(n-1)). *)
Definition empirical_deviation (l : list reward) : R :=
  sqrt (2 * list_variance value l * x / INR n) + 7 * x / (3 * (INR n - 1)).

(** If the standard deviation is not underestimated, the deviation of Bernstein's inequality is at most the
    empirical one: this is where 7/3 = 2 + 1/3 comes from. *)
Lemma bernstein_deviation_is_at_most_the_empirical l :
  sqrt V <= sqrt (list_variance value l) + sqrt (2 * x / (INR n - 1)) ->
  bernstein_deviation s n x <= empirical_deviation l.
Proof.
  intros H. assert (Hn := n_is_at_least_two n two_draws). unfold bernstein_deviation, empirical_deviation. fold V.
  assert (I : 0 < / INR n) by (apply Rinv_0_lt_compat; lra).
  assert (J : 0 < / (INR n - 1)) by (apply Rinv_0_lt_compat; lra).
  assert (IJ : / INR n <= / (INR n - 1)) by (apply Rinv_le_contravar; lra).
  assert (Hr : 0 <= 2 * x / INR n) by (unfold Rdiv; apply Rmult_le_pos; lra).
  assert (Hq : 0 <= 2 * x / (INR n - 1)) by (unfold Rdiv; apply Rmult_le_pos; lra).
  replace (2 * V * x / INR n) with (2 * x / INR n * V) by (field; lra).
  replace (2 * list_variance value l * x / INR n) with (2 * x / INR n * list_variance value l) by (field; lra).
  rewrite (sqrt_mult_alt (2 * x / INR n) V Hr), (sqrt_mult_alt (2 * x / INR n) (list_variance value l) Hr).
  assert (M := Rmult_le_compat_l _ _ _ (sqrt_pos (2 * x / INR n)) H).
  assert (R : sqrt (2 * x / INR n) * sqrt (2 * x / (INR n - 1)) <= 2 * x / (INR n - 1)).
  { rewrite <- (sqrt_sqrt (2 * x / (INR n - 1)) Hq) at 2. apply Rmult_le_compat_r; [apply sqrt_pos|].
    apply sqrt_le_1_alt. unfold Rdiv. apply Rmult_le_compat_l; lra. }
  assert (Q : x / (3 * INR n) <= x / (3 * (INR n - 1))).
  { unfold Rdiv. apply Rmult_le_compat_l; [exact x_nonneg | apply Rinv_le_contravar; lra]. }
  replace (7 * x / (3 * (INR n - 1))) with (2 * x / (INR n - 1) + x / (3 * (INR n - 1))) by (field; lra). lra.
Qed.

Let below (a b : R) : bool := negb (at_most b a).
Let underestimated (l : list reward) : bool :=
  below (sqrt (list_variance value l) + sqrt (2 * x / (INR n - 1))) (sqrt V).
Let overestimated (l : list reward) : bool :=
  below (sqrt V + sqrt (x / (INR n - 1))) (sqrt (list_variance value l)).
Let far (side : R) (l : list reward) : bool :=
  at_most (INR n * bernstein_deviation s n x) (side * sum l (fun r => value r - mu)).

Lemma below_true a b : below a b = true <-> a < b.
Proof. unfold below, at_most. destruct (Rle_dec b a); simpl; split; intros; try discriminate; try lra; reflexivity.
Qed.

Lemma far_true side l :
  far side l = true <-> INR n * bernstein_deviation s n x <= side * sum l (fun r => value r - mu).
Proof. unfold far, at_most. destruct (Rle_dec _ _); split; intros; try discriminate; try contradiction; trivial. Qed.

Lemma underestimates_are_rare : probability (sample s n) underestimated <= exp (- x).
Proof.
  apply the_standard_deviation_is_rarely_underestimated; trivial. intros l Hl. now apply below_true.
Qed.

Lemma overestimates_are_rare : probability (sample s n) overestimated <= exp (- x).
Proof.
  apply the_standard_deviation_is_rarely_overestimated; trivial. intros l Hl. now apply below_true.
Qed.

Lemma far_means_are_rare side : side * side = 1 -> probability (sample s n) (far side) <= exp (- x).
Proof.
  intros H. apply (bernstein_one_sided s n x ltac:(lia) x_nonneg side); [exact H|]. intros l Hl. now apply far_true.
Qed.

(** A mean off by more than the empirical deviation on one side is far from it, or the deviation is underestimated. *)
Lemma outside_is_far_or_underestimated side l : length l = n ->
  empirical_deviation l < side * (list_mean l - mu) -> far side l = true \/ underestimated l = true.
Proof.
  intros Hl H. assert (Hn := n_is_at_least_two n two_draws). destruct (underestimated l) eqn:U; [now right | left].
  assert (Hsd : sqrt V <= sqrt (list_variance value l) + sqrt (2 * x / (INR n - 1))).
  { apply Rnot_lt_le. intros Hlt. apply (proj2 (below_true _ _)) in Hlt. unfold underestimated in U. congruence. }
  apply far_true. assert (B := bernstein_deviation_is_at_most_the_empirical l Hsd).
  assert (S1 : side * sum l (fun r => value r - mu) = INR n * (side * (list_mean l - mu))).
  { unfold list_mean, Rminus at 1. rewrite sum_plus, sum_const, Hl.
    change (sum l (fun r => value r)) with (sum l value).
    field. lra. }
  rewrite S1. apply Rmult_le_compat_l; lra.
Qed.

(** says: the mean is off by more than sqrt(2 V-hat x/n) + 7x/(3(n-1)), or the standard deviation by more than
      sqrt(2x/(n-1)), with probability at most 4 e^-x, for n >= 2, x >= 0 and n independent draws from one law on
      [0,1]
    paper: l.1265
    differs: 4 e^-x where the print adds 4 e^-x and 2 e^-x
    breaks: "4 * exp" to "3 * exp" *)
Theorem empirical_bernstein_two_sided (event : tuple reward n -> bool) :
  (forall l, event l = true ->
     empirical_deviation l < Rabs (list_mean l - mu) \/
     sqrt (2 * x / (INR n - 1)) < Rabs (sqrt (list_variance value l) - sqrt V)) ->
  probability (sample s n) event <= 4 * exp (- x).
Proof.
  intros Hevent. assert (Hn := n_is_at_least_two n two_draws).
  eapply Rle_trans; [apply (union_bound (sample s n) [far 1; far (-1); underestimated; overestimated]
    (fun part l => part l))|].
  - intros l Ev. destruct (Hevent l Ev) as [M|D].
    + assert (Hside : exists side, (side = 1 \/ side = -1) /\ Rabs (list_mean l - mu) = side * (list_mean l - mu)).
      { unfold Rabs. destruct (Rcase_abs _); [exists (-1) | exists 1]; split; auto; ring. }
      destruct Hside as [side [Hside Habs]]. rewrite Habs in M.
      destruct (outside_is_far_or_underestimated side l (length_of_tuple l) M) as [F|U].
      * exists (far side). destruct Hside as [-> | ->]; simpl; auto.
      * exists underestimated. simpl. auto.
    + destruct (Rle_lt_dec (sqrt V) (sqrt (list_variance value l))) as [Ho|Hu].
      * exists overestimated. split; [simpl; auto|]. apply below_true. rewrite Rabs_pos_eq in D by lra.
        assert (sqrt (x / (INR n - 1)) <= sqrt (2 * x / (INR n - 1))); [|lra].
        apply sqrt_le_1_alt. unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat|]; lra.
      * exists underestimated. split; [simpl; auto|]. apply below_true. rewrite Rabs_left in D by lra. lra.
  - assert (F1 := far_means_are_rare 1 ltac:(ring)). assert (F2 := far_means_are_rare (-1) ltac:(ring)).
    assert (U := underestimates_are_rare). assert (O := overestimates_are_rare). unfold sum, fold_right. lra.
Qed.
End Empirical.

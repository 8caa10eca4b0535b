(** The example of l.726-744: D = D1 u D2, where D1 holds the laws on {0, 1} with mean at most x and D2 the laws on
    {x, 1}. Kinf+ and Kinf- of its optimal laws, and what part 3 then says. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Expectation TotalExpectation FiniteLaws BinaryDivergence Strategies Consistency LogarithmicGrowth
  AsymptoticLowerBounds SeveralOptima.
Import ListNotations.
Open Scope R_scope.

Section Example.
Variable x : R.
Hypothesis x_is_inside : 0 < x < 1.

Definition D1 (p : law) : Prop := lives_on p 0 1 /\ law_mean p <= x.
Definition D2 (p : law) : Prop := lives_on p x 1.
Definition D1_or_D2 (p : law) : Prop := D1 p \/ D2 p.

Let zero_is_not_one : 0 <> 1. Proof. lra. Qed.
Let x_is_not_one : x <> 1. Proof. lra. Qed.

(** Every law of D1 has mean at most x, every law of D2 mean at least x (l.728). *)
Lemma D2_is_above p : D2 p -> x <= law_mean p.
Proof.
  intros Hp. destruct (two_masses p x 1 x_is_not_one Hp) as [S ->]. assert (A := mass_is_nonneg p 1).
  assert (0 <= mass p 1 * (1 - x)) by (apply Rmult_le_pos; lra). replace (mass p x) with (1 - mass p 1) by lra. lra.
Qed.

(** The optimal laws: Ber(x) in D1, and the constant x in D2 (l.728). *)
Lemma an_optimal_law_of_D1 p : D1 p -> law_mean p = x -> mass p 1 = x /\ mass p 0 = 1 - x.
Proof. intros [Hp _] Hm. destruct (two_masses p 0 1 zero_is_not_one Hp) as [S M]. split; lra. Qed.

Lemma an_optimal_law_of_D2 p : D2 p -> law_mean p = x -> mass p 1 = 0 /\ mass p x = 1.
Proof.
  intros Hp Hm. destruct (two_masses p x 1 x_is_not_one Hp) as [S M].
  assert (E : mass p 1 * (1 - x) = 0).
  { replace (mass p x) with (1 - mass p 1) in M by lra. lra. }
  apply Rmult_integral in E. destruct E; split; lra.
Qed.

(** Ber(x - e) is as close as one likes.
    says: Kinf-(Ber(x), x, D1 u D2) = 0 for every x in (0, 1)
    paper: l.728-734
    differs: none
    breaks: "(Some 0)" to "(Some 1)" *)
Theorem kinf_below_of_ber_x_is_zero p : D1 p -> law_mean p = x -> is_kinf_below D1_or_D2 p x (Some 0).
Proof.
  intros Hp Hm. split; [intros k Hk; now apply (divergences_below_are_nonneg D1_or_D2 p x)|]. intros k Hk.
  destruct (an_optimal_law_of_D1 p Hp Hm) as [M1 M0].
  set (t := Rmin (1/2) (k/4)). assert (T1 : t <= 1/2) by apply Rmin_l. assert (T2 : t <= k/4) by apply Rmin_r.
  assert (T0 : 0 < t) by (apply Rmin_pos; lra).
  assert (TX : 0 < x * t) by (apply Rmult_lt_0_compat; lra). assert (TX' : x * t <= x * (1/2)) by (apply
    Rmult_le_compat_l; lra).
  assert (P : 0 <= x - x * t <= 1) by lra. set (q := two_point 0 1 (x - x * t) zero_is_not_one P).
  assert (Hq : law_mean q = x - x * t) by (unfold q; rewrite two_point_mean; lra).
  exists (divergence p q). split.
  - exists q. repeat split.
    + left. split; [apply two_point_lives_on | lra].
    + lra.
    + intros z Hz. destruct (proj1 Hp z ltac:(lra)) as [->| ->]; unfold q; rewrite ?two_point_at_x, ?two_point_at_y;
      lra.
  - unfold divergence. rewrite (average_on_two_points p 0 1 _ zero_is_not_one (proj1 Hp)), M0, M1.
    unfold q. rewrite two_point_at_x, two_point_at_y.
    assert (A : (1 - x) * (ln (1 - x) - ln (1 - (x - x * t))) <= (1 - x) * 0).
    { apply Rmult_le_compat_l; [lra|]. assert (L := ln_is_monotone (1 - x) (1 - (x - x * t)) ltac:(lra) ltac:(lra)).
      lra. }
    assert (B : ln x - ln (x - x * t) <= 2 * t).
    { rewrite <- ln_div by lra. eapply Rle_trans; [apply ln_at_most_tangent; apply Rdiv_lt_0_compat; lra|].
      replace (x / (x - x * t) - 1) with (t / (1 - t)) by (field; split; lra).
      apply (Rmult_le_reg_r (1 - t)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
      assert (0 <= t * (1 - 2 * t)) by (apply Rmult_le_pos; lra). lra. }
    apply (Rmult_le_compat_l x) in B; [|lra].
    assert (x * (2 * t) <= 1 * (2 * t)) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(** Only D2 has larger means, and none of its laws gives 0.
    says: Kinf+(Ber(x), x, D1 u D2) = +infinity for every x in (0, 1)
    paper: l.728-736
    differs: none
    breaks: "None" to "(Some 0)" *)
Theorem kinf_above_of_ber_x_is_infinite p : D1 p -> law_mean p = x -> is_kinf_above D1_or_D2 p x None.
Proof.
  intros Hp Hm k [q [[[_ Hq]|Hq] [Hmean [Hd _]]]]; [lra|].
  destruct (an_optimal_law_of_D1 p Hp Hm) as [_ M0]. specialize (Hd 0 ltac:(lra)).
  destruct (Hq 0 ltac:(lra)); lra.
Qed.

(** says: Kinf+(delta_x, x, D1 u D2) = 0 for every x in (0, 1)
    paper: l.737-740
    differs: none
    breaks: "(Some 0)" to "(Some 1)" *)
Theorem kinf_above_of_constant_x_is_zero p : D2 p -> law_mean p = x -> is_kinf_above D1_or_D2 p x (Some 0).
Proof.
  intros Hp Hm. split; [intros k Hk; now apply (divergences_above_are_nonneg D1_or_D2 p x)|]. intros k Hk.
  destruct (an_optimal_law_of_D2 p Hp Hm) as [M1 Mx].
  set (t := Rmin (1/2) (k/4)). assert (T1 : t <= 1/2) by apply Rmin_l. assert (T2 : t <= k/4) by apply Rmin_r.
  assert (T0 : 0 < t) by (apply Rmin_pos; lra). assert (TX : 0 < t * (1 - x)) by (apply Rmult_lt_0_compat; lra).
  assert (P : 0 <= t <= 1) by lra. set (q := two_point x 1 t x_is_not_one P).
  exists (divergence p q). split.
  - exists q. repeat split.
    + right. apply two_point_lives_on.
    + unfold q. rewrite two_point_mean. lra.
    + intros z Hz. destruct (Hp z ltac:(lra)) as [->| ->]; unfold q; rewrite ?two_point_at_x, ?two_point_at_y; lra.
  - unfold divergence. rewrite (average_on_two_points p x 1 _ x_is_not_one Hp), M1, Mx.
    unfold q. rewrite two_point_at_x, two_point_at_y, ln_1.
    assert (B : ln 1 - ln (1 - t) <= 2 * t).
    { rewrite <- ln_div by lra. eapply Rle_trans; [apply ln_at_most_tangent; apply Rdiv_lt_0_compat; lra|].
      apply (Rmult_le_reg_r (1 - t)); [lra|]. unfold Rdiv. rewrite Rmult_minus_distr_r, Rmult_assoc, Rinv_l by lra.
      assert (0 <= t * (1 - 2 * t)) by (apply Rmult_le_pos; lra). lra. }
    rewrite ln_1 in B. lra.
Qed.

(** says: Kinf-(delta_x, x, D1 u D2) = +infinity for every x in (0, 1)
    paper: l.735-736
    differs: none
    breaks: "None" to "(Some 0)" *)
Theorem kinf_below_of_constant_x_is_infinite p : D2 p -> law_mean p = x -> is_kinf_below D1_or_D2 p x None.
Proof.
  intros Hp Hm k [q [[[Hq _]|Hq] [Hmean [Hd _]]]]; [|assert (A := D2_is_above q Hq); lra].
  destruct (an_optimal_law_of_D2 p Hp Hm) as [_ Mx]. specialize (Hd x ltac:(lra)).
  destruct (Hq x ltac:(lra)); lra.
Qed.

Context {K : nat}.
Variable s : strategy K.
Hypothesis s_is_consistent : consistent D1_or_D2 s.
Variable nu : nat -> law.
Hypothesis nu_is_in_the_family : instance_of K D1_or_D2 nu.
Hypothesis the_best_mean_is_x : best_mean K nu = x.

(** says: if at least two arms are optimal with mean x and all optimal arms are in D1, a consistent strategy queries
      them together more than every multiple of ln T for all large T
    paper: l.730-734
    differs: the optimal arms together, where the print has at least one of them
    breaks: "D1 (nu a)" to "D1_or_D2 (nu a)" *)
Theorem example_all_optimal_arms_in_D1 : (exists a b, optimal K nu a /\ optimal K nu b /\ a <> b) ->
  (forall a, optimal K nu a -> D1 (nu a)) ->
  super_logarithmic (fun T => sum (optimal_arms K nu) (fun a => expected_queries s nu a T)).
Proof.
  intros Htwo H. apply (with_several_optima_queries_are_super_logarithmic_if_means_can_fall D1_or_D2); trivial.
  intros a Ha. rewrite the_best_mean_is_x. apply kinf_below_of_ber_x_is_zero; [now apply H | rewrite <-
    the_best_mean_is_x; apply Ha].
Qed.

(** says: with one optimal arm in D2 and the other optimal arms in D1, neither condition of part 3 holds
    paper: l.735-736
    differs: that logarithmically many queries then suffice is proved in ExampleSuffices.v
    breaks: "D1 (nu b)" to "D1_or_D2 (nu b)" *)
Theorem example_one_optimal_arm_in_D2 a : optimal K nu a -> D2 (nu a) ->
  (forall b, optimal K nu b -> b <> a -> D1 (nu b)) ->
  ~ is_kinf_below D1_or_D2 (nu a) (best_mean K nu) (Some 0) /\
  (forall b, optimal K nu b -> b <> a -> ~ is_kinf_above D1_or_D2 (nu b) (best_mean K nu) (Some 0)).
Proof.
  intros Ha H2 H1. rewrite the_best_mean_is_x. split.
  - intros H. assert (E := infima_are_unique _ _ _ H (kinf_below_of_constant_x_is_infinite (nu a) H2
      ltac:(rewrite <- the_best_mean_is_x; apply Ha))). discriminate.
  - intros b Hb Hne H. assert (E := infima_are_unique _ _ _ H (kinf_above_of_ber_x_is_infinite (nu b) (H1 b Hb Hne)
      ltac:(rewrite <- the_best_mean_is_x; apply Hb))). discriminate.
Qed.

(** says: a consistent strategy queries any two optimal arms in D2 together more than every multiple of ln T for all
      large T
    paper: l.737-740
    differs: any two together, where the print has all but a single arm
    breaks: "a <> b" to "a = a" *)
Theorem example_two_optimal_arms_in_D2 a b : optimal K nu a -> optimal K nu b -> a <> b -> D2 (nu a) -> D2 (nu b) ->
  super_logarithmic (fun T => expected_queries s nu a T + expected_queries s nu b T).
Proof.
  intros Ha Hb Hne Ha2 Hb2.
  apply (with_several_optima_queries_are_super_logarithmic_if_means_can_rise D1_or_D2); trivial; try apply Ha; try
    apply Hb;
    rewrite the_best_mean_is_x; apply kinf_above_of_constant_x_is_zero; trivial; rewrite <- the_best_mean_is_x;
    [apply Ha | apply Hb].
Qed.
End Example.

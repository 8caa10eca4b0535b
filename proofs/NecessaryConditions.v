(** The paper believes that conditions (1) and (2) of part 3 are necessary as well (l.744). They are not: in the family of
    all Bernoulli laws and the constant 1/2, an optimal arm Ber(1/2) beside an optimal arm that always pays 1/2 is
    queried super-logarithmically by every consistent strategy, although neither condition holds. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums TotalExpectation FiniteLaws BinaryDivergence Strategies Consistency LogarithmicGrowth
  SeveralOptima BalancingThreshold BernoulliThreshold OneModel ConsistentRules.
Import ListNotations.
Open Scope R_scope.

Definition always_half (p : law) : Prop := lives_on p (1/2) (1/2).
Definition bernoulli_or_half (p : law) : Prop := bernoulli p \/ always_half p.

Lemma half_is_not_one : 1/2 <> 1. Proof. lra. Qed.
Lemma zero_is_not_one : 0 <> 1. Proof. lra. Qed.
Lemma zero_is_a_probability : 0 <= 0 <= 1. Proof. lra. Qed.
Lemma half_is_a_probability : 0 <= 1/2 <= 1. Proof. lra. Qed.

Definition half : law := two_point (1/2) 1 0 half_is_not_one zero_is_a_probability.
Definition ber_half : law := two_point 0 1 (1/2) zero_is_not_one half_is_a_probability.

(** Arm 1 always pays 1/2, arm 2 is Ber(1/2). *)
Definition half_and_ber_half (a : nat) : law := if Nat.eqb a 1 then half else ber_half.

Lemma half_is_always_half : always_half half.
Proof.
  intros z Hz. destruct (two_point_lives_on _ _ _ half_is_not_one zero_is_a_probability z Hz) as [->| ->]; [now left|].
  exfalso. apply Hz. apply two_point_at_y.
Qed.

Lemma what_is_always_half_has_this_mean p : always_half p -> mass p (1/2) = 1 /\ law_mean p = 1/2.
Proof.
  intros Hp. assert (L : lives_on p (1/2) 1) by (intros z Hz; destruct (Hp z Hz); now left).
  destruct (two_masses p (1/2) 1 half_is_not_one L) as [S M].
  assert (Z : mass p 1 = 0). { destruct (Req_dec (mass p 1) 0) as [E|E]; [exact E|]. destruct (Hp 1 E); lra. }
  rewrite M. split; lra.
Qed.

(** No law of the family moves 1/2 without losing its support: both divergences of the constant are infinite. *)
Lemma the_constant_does_not_move p q : always_half p -> bernoulli_or_half q -> dominated p q -> law_mean q = 1/2.
Proof.
  intros Hp [Hq|Hq] Hd; [|now apply what_is_always_half_has_this_mean].
  destruct (what_is_always_half_has_this_mean p Hp) as [Hm _]. specialize (Hd (1/2) ltac:(lra)).
  destruct (Hq (1/2) ltac:(lra)); lra.
Qed.

Lemma the_best_mean_is_half : best_mean 2 half_and_ber_half = 1/2.
Proof.
  assert (M1 : law_mean (half_and_ber_half 1) = 1/2)
    by exact (proj2 (what_is_always_half_has_this_mean half half_is_always_half)).
  assert (M2 : law_mean (half_and_ber_half 2) = 1/2)
    by (change (law_mean ber_half = 1/2); unfold ber_half; rewrite two_point_mean; lra).
  unfold best_mean, arms. simpl seq. unfold fold_right. rewrite M1, M2. now rewrite !Rmax_left by (try apply Rmax_lub; lra).
Qed.

(** says: in the family of all Bernoulli laws and the constant 1/2, with arm 1 constant 1/2 and arm 2 Ber(1/2), both arms
      are optimal, condition (1) fails, since Kinf- of arm 1 is not 0, condition (2) fails, since Kinf+ of arm 1 is not
      0; there are consistent strategies, BuFALU among them, and every one of them queries arm 2 more than every multiple of
      ln T for all large T
    paper: l.744
    differs: a counterexample; the strategy's private seeds are finite, which loses nothing
    breaks: "expected_queries s half_and_ber_half 2" to "expected_queries s half_and_ber_half 1" *)
Theorem the_conditions_of_part_3_are_not_necessary :
  let mu_star := best_mean 2 half_and_ber_half in
  instance_of 2 bernoulli_or_half half_and_ber_half /\
  (forall a, is_arm 2 a -> optimal 2 half_and_ber_half a) /\
  ~ is_kinf_below bernoulli_or_half (half_and_ber_half 1) mu_star (Some 0) /\
  ~ is_kinf_above bernoulli_or_half (half_and_ber_half 1) mu_star (Some 0) /\
  (exists s : strategy 2, consistent bernoulli_or_half s) /\
  forall s : strategy 2, consistent bernoulli_or_half s -> super_logarithmic (expected_queries s half_and_ber_half 2).
Proof.
  cbv zeta. assert (B : bernoulli ber_half) by apply two_point_lives_on.
  assert (M : law_mean ber_half = 1/2) by (unfold ber_half; rewrite two_point_mean; lra).
  assert (I : instance_of 2 bernoulli_or_half half_and_ber_half).
  { intros a _. unfold half_and_ber_half. destruct (Nat.eqb a 1); [right; exact half_is_always_half | left; exact B]. }
  assert (O : forall a, is_arm 2 a -> optimal 2 half_and_ber_half a).
  { intros a Ha. split; [exact Ha|]. rewrite the_best_mean_is_half. unfold half_and_ber_half.
    destruct (Nat.eqb a 1); [exact (proj2 (what_is_always_half_has_this_mean half half_is_always_half)) | exact M]. }
  assert (N : forall k q, bernoulli_or_half q -> dominated half q -> law_mean q <> 1/2 -> k = divergence half q -> False).
  { intros k q Hq Hd Hne _. exact (Hne (the_constant_does_not_move half q half_is_always_half Hq Hd)). }
  split; [exact I|]. split; [exact O|]. rewrite the_best_mean_is_half. split; [|split; [|split]].
  - intros [_ H]. destruct (H 1 ltac:(lra)) as [k [[q [Hq [Hm [Hd Hk]]]] _]]. apply (N k q Hq Hd); [lra | exact Hk].
  - intros [_ H]. destruct (H 1 ltac:(lra)) as [k [[q [Hq [Hm [Hd Hk]]]] _]]. apply (N k q Hq Hd); [lra | exact Hk].
  - destruct (some_strategy_is_consistent 2 ltac:(lia)) as [s Hs]. exists s. revert Hs. apply consistent_on_fewer.
    intros p [Hp|Hp]; [now apply bernoulli_laws_live_on_the_unit_interval|]. intros x Hx. destruct (Hp x Hx) as [->| ->]; lra.
  - intros s Hs. apply (an_optimal_arm_that_can_move_both_ways_is_queried_super_logarithmically bernoulli_or_half s Hs
      half_and_ber_half I 2%nat 1%nat); try (apply O; unfold is_arm; lia); [discriminate | |];
      rewrite the_best_mean_is_half; change (half_and_ber_half 2) with ber_half.
    + assert (K := bernoulli_means_can_rise ber_half B ltac:(lra)). rewrite M in K. destruct K as [_ K].
      split; [apply divergences_above_are_nonneg|]. intros k Hk. destruct (K k Hk) as [j [[q [Hq Hrest]] Hj]].
      exists j. split; [|exact Hj]. exists q. split; [left; exact Hq | exact Hrest].
    + assert (K := bernoulli_means_can_fall ber_half B ltac:(lra)). rewrite M in K. destruct K as [_ K].
      split; [apply divergences_below_are_nonneg|]. intros k Hk. destruct (K k Hk) as [j [[q [Hq Hrest]] Hj]].
      exists j. split; [|exact Hj]. exists q. split; [left; exact Hq | exact Hrest].
Qed.

(** says: in the family of all Bernoulli laws, for every value mu of the optimal mean, Kinf+(nu, mu) = 0 for all laws nu of
      mean mu, or Kinf-(nu, mu) = 0 for all of them: condition (1) or condition (2) holds
    paper: l.321
    differs: for the family of all Bernoulli laws, where the print has standard families
    settles: lower.standard_families
    breaks: "\/" to "/\" *)
Theorem bernoulli_laws_meet_a_condition mu :
  (forall p, bernoulli p -> law_mean p = mu -> is_kinf_above bernoulli p mu (Some 0)) \/
  (forall p, bernoulli p -> law_mean p = mu -> is_kinf_below bernoulli p mu (Some 0)).
Proof.
  destruct (Rlt_dec mu 1) as [H|H]; [left|right]; intros p Hp <-.
  - now apply bernoulli_means_can_rise.
  - apply bernoulli_means_can_fall; [exact Hp | lra].
Qed.

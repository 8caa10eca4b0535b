(** How wide a queried arm must be under the good event: cases (i)-(v) of the proof (l.965-1020), and a sharper one.

    The paper shows that an arm narrower than a level cannot be queried. Here this is said positively: a queried arm
    is at least as wide as the level. *)

From Coq Require Import Reals Lra Arith.
From Bufalu Require Import Sums Intervals Decision GapQuery.
Open Scope R_scope.

Section Cases.
Variable b : bandit.
Variable bounds : nat -> interval.
Variable epsilon : R.
Let K := number_of_arms b.
Hypothesis means_are_covered : covered b bounds.

Ltac take_intervals := repeat match goal with
  | |- context [bounds ?x] => let i := fresh "i" in generalize (bounds x); intros i
  end.

(** Case (i), l.965: an optimal arm and the level 0. Only the epsilon test is needed, given epsilon >= 0. *)
Theorem case_i_a_queried_arm_has_positive_width a :
  0 <= epsilon -> admissible K bounds epsilon a true -> ~ narrower_than 0 (bounds a).
Proof.
  intros He H. apply wider_is_not_narrower. apply a_queried_arm_is_wider_than_epsilon in H.
  unfold wider_than in *. destruct (width (bounds a)); [lra | trivial].
Qed.

(** Leader, challenger and candidate behind a query. *)
Lemma behind_a_query a :
  admissible K bounds epsilon a true ->
  exists l u, is_leader K bounds l /\ is_challenger K bounds l u /\ is_candidate bounds l u a /\
    ~ separated (upper (bounds u)) (lower (bounds l)) /\ ~ within (upper (bounds a)) (lower (bounds l)) epsilon.
Proof. intros H. inversion H; subst. exists l, u. tauto. Qed.

(** Case (ii), l.968: a suboptimal leader that is the candidate is at least as wide as its gap. *)
Theorem case_ii_a_suboptimal_leader_is_as_wide_as_its_gap a u :
  0 < gap b a -> is_leader K bounds a -> is_challenger K bounds a u ->
  upper_le (width (bounds u)) (width (bounds a)) -> ~ narrower_than (gap b a) (bounds a).
Proof.
  intros Hgap [Ha Hmax] [Hu [Hua Hbest]] Hw.
  assert (Ho := some_optimal_arm_is_an_arm b).
  assert (Hne : some_optimal_arm b <> a).
  { intros E. unfold gap, best in Hgap. rewrite E in Hgap. lra. }
  assert (Hcov := means_are_covered _ Ho). change (mean b (some_optimal_arm b)) with (best b) in Hcov.
  assert (Hcova := means_are_covered a Ha). specialize (Hmax u Hu). specialize (Hbest _ Ho Hne).
  unfold gap in *. revert Hw Hcov Hcova Hmax Hbest. clear - Hgap. take_intervals. intros. split_ends.
Qed.

(** An arm that is the challenger although some optimal arm is not the leader is at least as wide as its gap. *)
Lemma a_challenger_chosen_over_an_optimal_arm_is_as_wide_as_its_gap l a o :
  is_challenger K bounds l a -> optimal b o -> o <> l -> ~ narrower_than (gap b a) (bounds a).
Proof.
  intros [Ha [_ Hbest]] [Ho Hmean] Hne.
  assert (Hcov := means_are_covered o Ho). rewrite Hmean in Hcov. assert (Hcova := means_are_covered a Ha).
  specialize (Hbest o Ho Hne). unfold gap. revert Hcov Hcova Hbest. clear. take_intervals. intros. split_ends.
Qed.

(** Case (iii), l.979: with several optimal arms, a challenger is at least as wide as its gap. *)
Theorem case_iii_with_several_optima_a_challenger_is_as_wide_as_its_gap l a :
  several_optimal_arms b -> is_challenger K bounds l a -> ~ narrower_than (gap b a) (bounds a).
Proof.
  intros [x [y [Hx [Hy Hxy]]]] Ha.
  destruct (Nat.eq_dec x l) as [->|Hne].
  - apply (a_challenger_chosen_over_an_optimal_arm_is_as_wide_as_its_gap l a y); auto.
  - apply (a_challenger_chosen_over_an_optimal_arm_is_as_wide_as_its_gap l a x); auto.
Qed.

(** A queried challenger that faces an optimal leader has CI > (gap + epsilon) / 2: both intervals together must
    bridge the gap and epsilon besides. *)
Lemma a_queried_challenger_of_an_optimal_leader_is_wide l a :
  optimal b l -> is_challenger K bounds l a -> upper_le (width (bounds l)) (width (bounds a)) ->
  ~ within (upper (bounds a)) (lower (bounds l)) epsilon -> wider_than ((gap b a + epsilon) / 2) (bounds a).
Proof.
  intros [Hl Hmean] [Ha _] Hw Hwide.
  assert (Hcov := means_are_covered l Hl). rewrite Hmean in Hcov. assert (Hcova := means_are_covered a Ha).
  unfold gap. revert Hw Hwide Hcov Hcova. clear. take_intervals. intros. split_ends.
Qed.

(** Beyond the paper. A queried suboptimal arm is wider than (gap + epsilon) / 2, whether the optimal arm is unique
    or not. Since max{(gap + epsilon)/2, epsilon} >= max{gap/2, epsilon}, this improves cases (ii) and (iv) for a
    unique optimal arm. It may fail for the optimal arm itself. *)
Theorem a_queried_suboptimal_arm_is_wider_than_half_of_gap_plus_epsilon a :
  0 < gap b a -> admissible K bounds epsilon a true -> wider_than ((gap b a + epsilon) / 2) (bounds a).
Proof.
  intros Hgap H. assert (Heps := a_queried_arm_is_wider_than_epsilon K bounds epsilon a H).
  assert (Hboth : ~ narrower_than (gap b a) (bounds a) -> wider_than ((gap b a + epsilon) / 2) (bounds a)).
  { unfold wider_than, narrower_than in *. destruct (width (bounds a)); intros; [lra | trivial]. }
  destruct (behind_a_query a H) as [l [u [Hl [Hu [Hc [_ Hwide]]]]]].
  destruct Hc as [[-> Hw]|[-> Hw]].
  - apply Hboth. now apply case_ii_a_suboptimal_leader_is_as_wide_as_its_gap with (u := u).
  - destruct (Nat.eq_dec (some_optimal_arm b) l) as [E|Hne].
    + apply (a_queried_challenger_of_an_optimal_leader_is_wide l); trivial. rewrite <- E.
      apply some_optimal_arm_is_optimal.
    + apply Hboth. eapply a_challenger_chosen_over_an_optimal_arm_is_as_wide_as_its_gap;
        [eassumption | | eassumption].
      apply some_optimal_arm_is_optimal.
Qed.

(** Cases (ii) and (iii) together: with several optimal arms, every queried arm is at least as wide as its gap. For
    optimal arms the gap is 0 and this is case (i). *)
Theorem with_several_optima_a_queried_arm_is_as_wide_as_its_gap a :
  0 <= epsilon -> several_optimal_arms b -> admissible K bounds epsilon a true ->
    ~ narrower_than (gap b a) (bounds a).
Proof.
  intros He Hmany H. destruct (Rle_lt_dec (gap b a) 0) as [Hle|Hgap].
  - assert (Ha := admissible_is_arm _ _ _ _ _ H). assert (E : gap b a = 0) by (generalize (gap_nonneg b a Ha); lra).
    rewrite E. now apply case_i_a_queried_arm_has_positive_width.
  - destruct (behind_a_query a H) as [l [u [Hl [Hu [Hc _]]]]]. destruct Hc as [[-> Hw]|[-> _]].
    + now apply case_ii_a_suboptimal_leader_is_as_wide_as_its_gap with (u := u).
    + now apply case_iii_with_several_optima_a_challenger_is_as_wide_as_its_gap with (l := l).
Qed.

(** Cases (ii) and (iv), l.968 and l.990: a queried suboptimal arm is at least as wide as half its gap. Uniqueness
    of the optimal arm, assumed in print for (iv), is not needed. *)
Theorem case_iv_a_queried_suboptimal_arm_is_as_wide_as_half_its_gap a :
  0 <= epsilon -> 0 < gap b a -> admissible K bounds epsilon a true -> ~ narrower_than (gap b a / 2) (bounds a).
Proof.
  intros He Hgap H. apply wider_is_not_narrower.
  assert (W := a_queried_suboptimal_arm_is_wider_than_half_of_gap_plus_epsilon a Hgap H).
  unfold wider_than in *. destruct (width (bounds a)); [lra | trivial].
Qed.

(** Case (v), l.1010: a queried unique optimal arm is at least as wide as half of any number below all other gaps.
    In print the number is the smallest gap; here it may be any, which also covers K = 1. *)
Theorem case_v_a_queried_unique_optimal_arm_is_as_wide_as_half_the_smallest_gap a m :
  0 <= epsilon -> unique_optimal_arm b a -> (forall x, is_arm K x -> x <> a -> m <= gap b x) ->
  admissible K bounds epsilon a true -> ~ narrower_than (m / 2) (bounds a).
Proof.
  intros He [[Ha Hmean] Huniq] Hm H.
  assert (Heps := a_queried_arm_is_wider_than_epsilon K bounds epsilon a H).
  destruct (behind_a_query a H) as [l [u [[Hl Hmax] [[Hu [Hul Hbest]] [Hc [Hsep Hwide]]]]]].
  assert (Hcova := means_are_covered a Ha). rewrite Hmean in Hcova.
  destruct Hc as [[E Hw]|[E Hw]]; subst.
  - assert (Hcovu := means_are_covered u Hu). assert (Hmu := Hm u Hu Hul). unfold gap in Hmu.
    intros Hnarrow. revert Hw Hsep Hnarrow Hcova Hcovu Heps. clear - Hmu He. take_intervals. intros. split_ends.
  - assert (Hcovl := means_are_covered l Hl). specialize (Hmax u Hu).
    assert (Hlu : l <> u) by (intros E; now apply Hul).
    assert (Hml := Hm l Hl Hlu). unfold gap in Hml.
    intros Hnarrow. revert Hw Hmax Hnarrow Hcova Hcovl Heps. clear - Hml He. take_intervals. intros. split_ends.
Qed.
End Cases.

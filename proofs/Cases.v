(** How wide a queried arm must be under the good event: cases (i)-(v) of the proof (l.965-1020), and sharper ones.

    The paper shows that an arm narrower than a level cannot be queried. Here this is said positively: a queried arm
    is at least as wide as the level. Everything is shown for the rules that are steered by some rho >= 0, the dial
    among them; BuFALU is steered by 1. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery.
Open Scope R_scope.

Lemma quotient_is_below x y w : 0 < y -> x < y * w -> x / y < w.
Proof.
  intros Hy H. apply (Rmult_lt_reg_l y); [exact Hy|]. replace (y * (x / y)) with x by (field; lra). exact H.
Qed.

Lemma quotient_is_at_most x y w : 0 < y -> x <= y * w -> x / y <= w.
Proof.
  intros Hy H. apply (Rmult_le_reg_l y); [exact Hy|]. replace (y * (x / y)) with x by (field; lra). exact H.
Qed.

(** Below min{gap, (gap + epsilon)/(1 + rho)} no suboptimal arm is queried; see [sharper_level_at_one]. *)
Definition sharper_level (rho gap epsilon : R) : R := Rmin gap ((gap + epsilon) / (1 + rho)).

(** Together with epsilon, at rho = 1 that is (gap + epsilon)/2. *)
Lemma sharper_level_at_one gap epsilon : Rmax (sharper_level 1 gap epsilon) epsilon
  = Rmax ((gap + epsilon) / 2) epsilon.
Proof. unfold sharper_level, Rmax, Rmin. repeat destruct (Rle_dec _ _); lra. Qed.

Section Cases.
Variable b : bandit.
Variable bounds : nat -> interval.
Variable epsilon : R.
Let K := number_of_arms b.
Hypothesis means_are_covered : covered b bounds.

Ltac take_intervals := repeat match goal with
  | |- context [bounds ?x] => let i := fresh "i" in generalize (bounds x); intros i
  end.

(** ** Leader and challenger *)

(** A suboptimal leader that is chosen for its upper bound is at least as wide as its gap. *)
Lemma a_leader_of_largest_upper_bound_is_as_wide_as_its_gap a u :
  0 < gap b a -> is_leader K bounds a -> is_challenger K bounds a u ->
  upper_le (upper (bounds u)) (upper (bounds a)) \/ width (bounds a) = None -> ~ narrower_than (gap b a) (bounds a).
Proof.
  intros Hgap [Ha _] [Hu [Hua Hbest]] Hw.
  assert (Ho := some_optimal_arm_is_an_arm b).
  assert (Hne : some_optimal_arm b <> a).
  { intros E. unfold gap, best in Hgap. rewrite E in Hgap. lra. }
  assert (Hcov := means_are_covered _ Ho). change (mean b (some_optimal_arm b)) with (best b) in Hcov.
  assert (Hcova := means_are_covered a Ha). specialize (Hbest _ Ho Hne).
  unfold gap in *. destruct Hw as [Hw|Hw]; revert Hw Hcov Hcova Hbest; clear; take_intervals; intros; split_ends;
    discriminate.
Qed.

(** says: case (ii): a suboptimal leader that is the candidate is at least as wide as its gap, for every K, every
      tie-break and all intervals, infinite ones included
    paper: l.968
    differs: none
    settles: count.case_leader
    breaks: "narrower_than (gap b a)" to "narrower_than (2 * gap b a)" *)
Theorem case_ii_a_suboptimal_leader_is_as_wide_as_its_gap a u :
  0 < gap b a -> is_leader K bounds a -> is_challenger K bounds a u ->
  upper_le (width (bounds u)) (width (bounds a)) -> ~ narrower_than (gap b a) (bounds a).
Proof.
  intros Hgap Ha Hu Hw. apply (a_leader_of_largest_upper_bound_is_as_wide_as_its_gap a u Hgap Ha Hu).
  destruct Ha as [_ Hmax]. destruct Hu as [Hu _]. specialize (Hmax u Hu). revert Hw Hmax. clear. take_intervals.
  intros. split_ends.
Qed.

(** An arm that is the challenger although some optimal arm is not the leader is at least as wide as its gap. *)
Lemma a_challenger_chosen_over_an_optimal_arm_is_as_wide_as_its_gap l a o :
  is_challenger K bounds l a -> optimal b o -> o <> l -> ~ narrower_than (gap b a) (bounds a).
Proof.
  intros [Ha [_ Hbest]] [Ho Hmean] Hne.
  assert (Hcov := means_are_covered o Ho). rewrite Hmean in Hcov. assert (Hcova := means_are_covered a Ha).
  specialize (Hbest o Ho Hne). unfold gap. revert Hcov Hcova Hbest. clear. take_intervals. intros. split_ends.
Qed.

(** says: case (iii): with several optimal arms a challenger is at least as wide as its gap, for every K, every
      tie-break and all intervals, infinite ones included
    paper: l.979
    differs: none
    settles: count.case_challenger_multiple
    breaks: "narrower_than (gap b a)" to "narrower_than (2 * gap b a)" *)
Theorem case_iii_with_several_optima_a_challenger_is_as_wide_as_its_gap l a :
  several_optimal_arms b -> is_challenger K bounds l a -> ~ narrower_than (gap b a) (bounds a).
Proof.
  intros [x [y [Hx [Hy Hxy]]]] Ha.
  destruct (Nat.eq_dec x l) as [->|Hne].
  - apply (a_challenger_chosen_over_an_optimal_arm_is_as_wide_as_its_gap l a y); auto.
  - apply (a_challenger_chosen_over_an_optimal_arm_is_as_wide_as_its_gap l a x); auto.
Qed.

(** A challenger with the larger upper bound is at least as wide as its gap, if the leader is optimal. *)
Lemma a_challenger_above_an_optimal_leader_is_as_wide_as_its_gap l a :
  optimal b l -> is_challenger K bounds l a -> upper_le (upper (bounds l)) (upper (bounds a)) ->
  ~ narrower_than (gap b a) (bounds a).
Proof.
  intros [Hl Hmean] [Ha _] Hw.
  assert (Hcov := means_are_covered l Hl). rewrite Hmean in Hcov. assert (Hcova := means_are_covered a Ha).
  unfold gap. revert Hw Hcov Hcova. clear. take_intervals. intros. split_ends.
Qed.

(** A queried challenger whose optimal leader is at most rho times as wide has CI > (gap + epsilon)/(1 + rho): both
    intervals together must bridge the gap and epsilon besides. *)
Lemma a_queried_challenger_of_an_optimal_leader_is_wide rho l a : 0 < rho ->
  optimal b l -> is_challenger K bounds l a -> upper_le (width (bounds l)) (scaled rho (width (bounds a))) ->
  ~ within (upper (bounds a)) (lower (bounds l)) epsilon -> wider_than ((gap b a + epsilon) / (1 + rho)) (bounds a).
Proof.
  intros Hrho [Hl Hmean] [Ha _] Hw Hwide.
  assert (Hcov := means_are_covered l Hl). rewrite Hmean in Hcov. assert (Hcova := means_are_covered a Ha).
  unfold gap. revert Hw Hwide Hcov Hcova. clear - Hrho. take_intervals. intros. split_ends.
  apply quotient_is_below; lra.
Qed.

(** ** Queried arms *)

(** Leader, challenger and candidate behind a query. *)
Lemma behind_a_query rho a :
  steered K bounds epsilon rho a true ->
  exists l u, is_leader K bounds l /\ is_challenger K bounds l u /\ is_steered_candidate bounds rho l u a /\
    ~ separated (upper (bounds u)) (lower (bounds l)) /\ ~ within (upper (bounds a)) (lower (bounds l)) epsilon.
Proof. intros H. inversion H; subst. exists l, u. tauto. Qed.

(** Case (i), l.965: an optimal arm and the level 0. Only the epsilon test is needed, given epsilon >= 0. *)
Theorem case_i_a_queried_arm_has_positive_width rho a :
  0 <= epsilon -> steered K bounds epsilon rho a true -> ~ narrower_than 0 (bounds a).
Proof.
  intros He H. apply wider_is_not_narrower. apply a_steered_queried_arm_is_wider_than_epsilon in H.
  unfold wider_than in *. destruct (width (bounds a)); [lra | trivial].
Qed.

(** Why a queried suboptimal arm is wide: it is as wide as its gap, or wider than (gap + epsilon)/(1 + rho). *)
Lemma a_steered_queried_suboptimal_arm_is_wide rho a :
  0 < gap b a -> steered K bounds epsilon rho a true ->
  ~ narrower_than (gap b a) (bounds a) \/ wider_than ((gap b a + epsilon) / (1 + rho)) (bounds a).
Proof.
  intros Hgap H. destruct (behind_a_query rho a H) as [l [u [Hl [Hu [Hc [_ Hwide]]]]]].
  destruct Hc as [[-> [_ Hc]]|[-> Hc]].
  { left. now apply a_leader_of_largest_upper_bound_is_as_wide_as_its_gap with (u := u). }
  destruct (Nat.eq_dec (some_optimal_arm b) l) as [E|Hne].
  2: { left. apply (a_challenger_chosen_over_an_optimal_arm_is_as_wide_as_its_gap l u (some_optimal_arm b)); trivial.
       apply some_optimal_arm_is_optimal. }
  assert (Ho : optimal b l) by (rewrite <- E; apply some_optimal_arm_is_optimal).
  destruct Hc as [[H0 Hc]|Hc].
  - right. exact (a_queried_challenger_of_an_optimal_leader_is_wide rho l u H0 Ho Hu Hc Hwide).
  - left. now apply (a_challenger_above_an_optimal_leader_is_as_wide_as_its_gap l u).
Qed.

(** It may fail for the optimal arm itself.
    says: if every mean lies in its interval, a queried suboptimal arm is at least as wide as the smaller of gap and
      (gap + epsilon)/(1 + rho)
    paper: beyond the paper; compare l.968, l.990
    breaks: "(sharper_level rho" to "(sharper_level 0" *)
Theorem a_steered_queried_suboptimal_arm_is_as_wide_as_the_sharper_level rho a :
  0 < gap b a -> steered K bounds epsilon rho a true -> ~ narrower_than (sharper_level rho (gap b a) epsilon) (bounds a).
Proof.
  intros Hgap H Hs. destruct (a_steered_queried_suboptimal_arm_is_wide rho a Hgap H) as [W|W].
  - apply W. revert Hs. apply narrower_than_mono. apply Rmin_l.
  - apply (wider_is_not_narrower _ _ W). revert Hs. apply narrower_than_mono. apply Rmin_r.
Qed.

(** says: if every mean lies in its interval, a queried suboptimal arm is at least as wide as gap/(1 + rho), for rho
      >= 0
    paper: beyond the paper; compare l.968, l.990
    breaks: "(1 + rho)" to "(1 + rho / 2)" *)
Theorem a_steered_queried_suboptimal_arm_is_as_wide_as_its_share_of_the_gap rho a : 0 <= rho ->
  0 <= epsilon -> 0 < gap b a -> steered K bounds epsilon rho a true ->
  ~ narrower_than (gap b a / (1 + rho)) (bounds a).
Proof.
  intros Hrho He Hgap H Hn.
  apply (a_steered_queried_suboptimal_arm_is_as_wide_as_the_sharper_level rho a Hgap H).
  revert Hn. apply narrower_than_mono. assert (Hprod : 0 <= rho * gap b a) by (apply Rmult_le_pos; lra).
  apply Rmin_glb; [apply quotient_is_at_most; lra|].
  unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | lra].
Qed.

(** says: with several optimal arms and every mean in its interval, a queried arm is at least as wide as its gap, for
      every rho, every K, every tie-break and all intervals, infinite ones included
    paper: beyond the paper; compare l.979
    breaks: "narrower_than (gap b a)" to "narrower_than (2 * gap b a)" *)
Theorem with_several_optima_a_steered_queried_arm_is_as_wide_as_its_gap rho a :
  0 <= epsilon -> several_optimal_arms b -> steered K bounds epsilon rho a true ->
    ~ narrower_than (gap b a) (bounds a).
Proof.
  intros He Hmany H. destruct (Rle_lt_dec (gap b a) 0) as [Hle|Hgap].
  - assert (Ha := steered_is_arm _ _ _ _ _ _ H). assert (E : gap b a = 0) by (generalize (gap_nonneg b a Ha); lra).
    rewrite E. now apply (case_i_a_queried_arm_has_positive_width rho).
  - destruct (behind_a_query rho a H) as [l [u [Hl [Hu [Hc _]]]]]. destruct Hc as [[-> [_ Hc]]|[-> _]].
    + now apply a_leader_of_largest_upper_bound_is_as_wide_as_its_gap with (u := u).
    + now apply case_iii_with_several_optima_a_challenger_is_as_wide_as_its_gap with (l := l).
Qed.

(** says: if every mean lies in its interval, a queried unique optimal arm is at least as wide as rho m/(1 + rho),
      where no other gap is below m, for rho >= 0
    paper: beyond the paper; compare l.1010
    breaks: "rho * m" to "(1 + rho) * m" *)
Theorem a_steered_queried_unique_optimal_arm_is_as_wide_as_its_share_of_the_smallest_gap rho a m : 0 <= rho ->
  0 <= epsilon -> unique_optimal_arm b a -> (forall x, is_arm K x -> x <> a -> m <= gap b x) ->
  steered K bounds epsilon rho a true -> ~ narrower_than (rho * m / (1 + rho)) (bounds a).
Proof.
  intros Hrho He [[Ha Hmean] Huniq] Hm H.
  assert (Hpos := case_i_a_queried_arm_has_positive_width rho a He H).
  destruct (behind_a_query rho a H) as [l [u [[Hl Hmax] [[Hu [Hul Hbest]] [Hc [Hsep Hwide]]]]]].
  assert (Hcova := means_are_covered a Ha). rewrite Hmean in Hcova.
  destruct Hrho as [Hrho|<-].
  2: { replace (0 * m / (1 + 0)) with 0 by field. exact Hpos. }
  destruct Hc as [[E [Hw _]]|[E _]]; subst.
  - assert (Hcovu := means_are_covered u Hu). assert (Hmu := Rmult_le_compat_l rho _ _ (Rlt_le _ _ Hrho) (Hm u Hu Hul)).
    unfold gap in Hmu. specialize (Hw Hrho). rewrite not_narrower_than_iff.
    revert Hw Hsep Hcova Hcovu. clear - Hmu Hrho. generalize (bounds l) (bounds u).
    intros [[p|] [q|]] [[r|] [s|]] Hw Hsep Hcova Hcovu; split_ends.
    apply quotient_is_at_most; [lra|].
    assert (Hsum := Rmult_le_compat_l rho (best b - mean b u) ((q - p) + (s - r))). lra.
  - assert (Hcovl := means_are_covered l Hl). specialize (Hmax u Hu).
    assert (Hlu : l <> u) by (intros E; now apply Hul).
    assert (Hml := Hm l Hl Hlu). unfold gap in Hml. rewrite not_narrower_than_iff in Hpos |- *.
    revert Hpos Hmax Hcova Hcovl. clear - Hml Hrho. generalize (bounds l) (bounds u).
    intros [[p|] [q|]] [[r|] [s|]] Hpos Hmax Hcova Hcovl; split_ends; (apply quotient_is_at_most; [lra|]);
      assert (Hp := Rmult_le_compat_l rho m (s - r)); lra.
Qed.

(** ** BuFALU *)

(** Since max{(gap + epsilon)/2, epsilon} >= max{gap/2, epsilon}, this improves cases (ii) and (iv) for a unique
    optimal arm. It may fail for the optimal arm itself.
    says: a queried suboptimal arm is wider than (gap + epsilon)/2, for every K, every tie-break and all intervals,
      infinite ones included
    paper: beyond the paper; compare l.965-1020
    breaks: "(gap b a + epsilon) / 2" to "gap b a + epsilon" *)
Theorem a_queried_suboptimal_arm_is_wider_than_half_of_gap_plus_epsilon a :
  0 < gap b a -> admissible K bounds epsilon a true -> wider_than ((gap b a + epsilon) / 2) (bounds a).
Proof.
  intros Hgap H. assert (Heps := a_queried_arm_is_wider_than_epsilon K bounds epsilon a H).
  apply bufalu_is_steered in H. destruct (a_steered_queried_suboptimal_arm_is_wide 1 a Hgap H) as [W|W]; [|exact W].
  unfold wider_than, narrower_than in *. destruct (width (bounds a)); [lra | trivial].
Qed.

(** says: cases (ii) and (iv): a queried suboptimal arm is at least as wide as half its gap, for every K, every
      tie-break and all intervals, infinite ones included
    paper: l.990
    differs: uniqueness of the optimal arm is not needed
    settles: count.case_challenger_unique
    breaks: "gap b a / 2" to "gap b a" *)
Theorem case_iv_a_queried_suboptimal_arm_is_as_wide_as_half_its_gap a :
  0 <= epsilon -> 0 < gap b a -> admissible K bounds epsilon a true -> ~ narrower_than (gap b a / 2) (bounds a).
Proof.
  intros He Hgap H. apply bufalu_is_steered in H.
  apply (a_steered_queried_suboptimal_arm_is_as_wide_as_its_share_of_the_gap 1); trivial. lra.
Qed.

(** says: case (v): a queried unique optimal arm is at least as wide as half the smallest gap, for every K, every
      tie-break and all intervals, infinite ones included
    paper: l.1010
    differs: any lower bound of the other gaps will do, so K = 1 is included
    settles: count.case_optimal_unique
    breaks: "m / 2" to "m" *)
Theorem case_v_a_queried_unique_optimal_arm_is_as_wide_as_half_the_smallest_gap a m :
  0 <= epsilon -> unique_optimal_arm b a -> (forall x, is_arm K x -> x <> a -> m <= gap b x) ->
  admissible K bounds epsilon a true -> ~ narrower_than (m / 2) (bounds a).
Proof.
  intros He Hu Hm H. apply bufalu_is_steered in H. rewrite <- (Rmult_1_l m).
  apply (a_steered_queried_unique_optimal_arm_is_as_wide_as_its_share_of_the_smallest_gap 1); trivial. lra.
Qed.
End Cases.

(** The general upper bound (theorem at l.846), for any regular confidence intervals, adaptive epsilon included. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Cases Runs Expectation Experiment.
Open Scope R_scope.

Section General.
Context {Omega : Type} (E : expectation Omega) (x : experiment Omega).
Variables (good : nat -> Omega -> bool) (failures : R).
Variables (enough_if_good : nat -> nat -> R -> R) (enough_always : nat -> R -> R).
Hypothesis is_regular : regular E x good failures enough_if_good enough_always.
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.

(** Part 1 (l.856): on every path. *)
Theorem general_part_1_queries_never_exceed_the_cap w a :
  is_arm K a -> INR (queries (path_of x w) a T) <= maximum (fun t => enough_always t (epsilon_at x w t)) T + 1.
Proof.
  intros Ha. apply (queries_never_exceed_the_cap K T (bounds_at x w)); trivial.
  - apply path_is_a_run.
  - intros. now apply (enough_always_suffices _ _ _ _ _ _ is_regular).
Qed.

(** ** What a level does

    [level w a t] is a width that a queried arm [a] must have in a good round t. Every bound below is an instance. *)

Definition is_level (level : Omega -> nat -> nat -> R) (a : nat) : Prop :=
  forall w t, (K < t <= T)%nat -> good t w = true -> admissible K (bounds_at x w t) (epsilon_at x w t) a true ->
    0 <= level w a t /\ ~ narrower_than (level w a t) (bounds_at x w t a).

Definition n_bar_of_level (level : Omega -> nat -> nat -> R) (a : nat) (w : Omega) : R :=
  maximum (fun t => enough_if_good a t (level w a t)) T.

(** l.946-951, pathwise: good rounds that query [a]. *)
Lemma good_queries_are_few level a w : is_arm K a -> is_level level a ->
  sum (rounds T) (fun t => indicator (good t w && (Nat.eqb (played (path_of x w) t) a && queried (path_of x w) t)))
    <= n_bar_of_level level a w + 1.
Proof.
  intros Ha Hlevel.
  apply (queries_in_good_rounds_are_few T (path_of x w) (fun t => good t w)); [apply maximum_nonneg|].
  intros t Ht Hgood Hplay Hq. assert (Q := path_is_a_run _ x w t Ht). unfold decides_in_round in Q.
  fold (arms_of x) in Q. fold K in Q.
  destruct (Nat.leb_spec t K) as [HK|HK].
  - assert (Ea : a = t) by (destruct Q; congruence).
    rewrite Ea, (before_its_first_round_an_arm_has_no_queries K T (bounds_at x w) (epsilon_at x w)); try lia.
    + apply maximum_nonneg.
    + apply path_is_a_run.
  - rewrite Hplay, Hq in Q. destruct (Hlevel w t ltac:(lia) Hgood Q) as [Hpos Hwide].
    apply Rnot_lt_le. intros Hmore. apply Hwide. apply (enough_if_good_suffices _ _ _ _ _ _ is_regular); trivial.
    eapply Rle_lt_trans; [|exact Hmore]. apply (le_maximum (fun t => enough_if_good a t (level w a t))). exact Ht.
Qed.

(** l.938-945, pathwise: good rounds that play [a] without a query. *)
Lemma good_unqueried_plays_are_few a w :
  sum (rounds T) (fun t => indicator (good t w &&
    (Nat.eqb (played (path_of x w) t) a && negb (queried (path_of x w) t))))
    <= rounds_with_large_epsilon K (epsilon_at x w) (gap b a) T.
Proof.
  apply sum_le. intros t Ht. apply in_rounds in Ht.
  destruct (good t w && _) eqn:Eb; [|apply indicator_nonneg].
  apply andb_true_iff in Eb. destruct Eb as [Hgood Eb]. apply andb_true_iff in Eb. destruct Eb as [Hplay Hq].
  apply Nat.eqb_eq in Hplay. apply negb_true_iff in Hq.
  assert (Q := path_is_a_run _ x w t Ht). unfold decides_in_round in Q. fold (arms_of x) in Q. fold K in Q.
  destruct (Nat.leb_spec t K) as [HK|HK]; [destruct Q; congruence|].
  rewrite Hplay, Hq in Q.
  assert (G : gap b a <= epsilon_at x w t).
  { apply (an_unqueried_arm_is_within_epsilon_of_the_best b (bounds_at x w t)); trivial.
    - apply epsilon_is_nonneg. fold (arms_of x). fold K. lia.
    - apply (good_means_covered _ _ _ _ _ _ is_regular); trivial. }
  rewrite at_most_true by exact G. replace (K <? t) with true by (symmetry; apply Nat.ltb_lt; lia). simpl. lra.
Qed.

(** l.954: good rounds that play [a]. *)
Lemma good_plays_are_few level a w : is_arm K a -> is_level level a ->
  sum (rounds T) (fun t => indicator (good t w && Nat.eqb (played (path_of x w) t) a))
    <= n_bar_of_level level a w + 1 + rounds_with_large_epsilon K (epsilon_at x w) (gap b a) T.
Proof.
  intros Ha Hlevel. eapply Rle_trans;
    [|apply Rplus_le_compat; [exact (good_queries_are_few level a w Ha Hlevel) | exact
      (good_unqueried_plays_are_few a w)]].
  rewrite <- sum_plus. apply Req_le, sum_ext. intros t _.
  destruct (good t w), (Nat.eqb (played (path_of x w) t) a), (queried (path_of x w) t); simpl; lra.
Qed.

(** The number of bad rounds, in expectation. *)
Lemma expected_bad_rounds : E (fun w => sum (rounds T) (fun t => indicator (negb (good t w)))) <= failures.
Proof. rewrite expect_sum. exact (failures_are_rare _ _ _ _ _ _ is_regular). Qed.

(** l.1024-1030, for any level. *)
Theorem regret_from_levels level :
  (forall a, is_arm K a -> 0 < gap b a -> is_level level a) ->
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (E (n_bar_of_level level a) +
      E (fun w => rounds_with_large_epsilon K (epsilon_at x w) (gap b a) T))) + (INR K + failures) * largest_gap b.
Proof.
  intros Hlevel.
  set (L := fun a w => rounds_with_large_epsilon K (epsilon_at x w) (gap b a) T).
  assert (P : forall w, regret_on x w <= sum (arms K) (fun a => gap b a * (n_bar_of_level level a w + L a w + 1))
      + largest_gap b * sum (rounds T) (fun t => indicator (negb (good t w)))).
  { intros w.
    apply Rle_trans with (sum (rounds T) (fun t => sum (arms K)
      (fun a => gap b a * indicator (good t w && Nat.eqb (played (path_of x w) t) a))
      + largest_gap b * indicator (negb (good t w)))).
    - apply sum_le. intros t Ht. apply in_rounds in Ht.
      assert (Ha : is_arm K (played (path_of x w) t))
        by (apply (run_plays_arms K T (bounds_at x w) (epsilon_at x w)); [apply path_is_a_run | exact Ht]).
      destruct (good t w); simpl.
      + fold b. rewrite <- (sum_over_arms_picks K (played (path_of x w) t) (gap b) Ha) at 1. lra.
      + rewrite sum_zero by (intros; lra). generalize (gap_le_largest b _ Ha). fold b. lra.
    - rewrite sum_plus, sum_scal, sum_swap. apply Rplus_le_compat_r. apply sum_le. intros a Ha. apply in_arms in Ha.
      rewrite sum_scal. destruct (Rle_lt_dec (gap b a) 0) as [Hle|Hlt].
      + replace (gap b a) with 0 by (generalize (gap_nonneg b a Ha); lra). lra.
      + apply Rmult_le_compat_l; [lra|]. generalize (good_plays_are_few level a w Ha (Hlevel a Ha Hlt)).
        fold (L a w). lra. }
  eapply Rle_trans; [apply expect_le, P|].
  rewrite expect_plus, expect_scal, expect_sum.
  rewrite (sum_ext (arms K) _ (fun a => gap b a * (E (n_bar_of_level level a) + E (L a)) + gap b a)).
  2: { intros a _. rewrite expect_scal, 2 expect_plus, expect_const. lra. }
  rewrite sum_plus.
  assert (G : sum (arms K) (gap b) <= INR K * largest_gap b).
  { rewrite <- (seq_length K 1) at 2. rewrite <- sum_const. apply sum_le. intros a Ha. apply in_arms in Ha.
    now apply gap_le_largest. }
  assert (F := Rmult_le_compat_l _ _ _ (largest_gap_nonneg b) expected_bad_rounds). unfold L. cbv beta. lra.
Qed.

(** l.1032-1039 for any level, and for queries that cost [cost a] each (l.268 announces arm-dependent costs). *)
Theorem query_costs_from_levels level cost highest_cost :
  (forall a, is_arm K a -> 0 <= cost a <= highest_cost) -> (forall a, is_arm K a -> is_level level a) ->
  E (query_costs_on x cost) <= sum (arms K) (fun a => cost a * (E (n_bar_of_level level a) + 1))
    + highest_cost * failures.
Proof.
  intros Hcost Hlevel.
  assert (P : forall w, query_costs_on x cost w <= sum (arms K) (fun a => cost a * (n_bar_of_level level a w + 1))
      + highest_cost * sum (rounds T) (fun t => indicator (negb (good t w)))).
  { intros w. unfold query_costs_on. fold K T. set (p := path_of x w).
    apply Rle_trans with (sum (arms K) (fun a =>
        cost a * sum (rounds T) (fun t => indicator (good t w && (Nat.eqb (played p t) a && queried p t)))
        + sum (rounds T) (fun t => highest_cost * indicator (negb (good t w)) * indicator
            (Nat.eqb (played p t) a)))).
    - apply sum_le. intros a Ha. apply in_arms in Ha. destruct (Hcost a Ha) as [C0 C1].
      rewrite queries_as_sum, <- !sum_scal, <- sum_plus. apply sum_le. intros t _.
      destruct (good t w), (Nat.eqb (played p t) a), (queried p t); simpl; lra.
    - rewrite sum_plus. apply Rplus_le_compat.
      + apply sum_le. intros a Ha. apply in_arms in Ha. apply Rmult_le_compat_l; [now apply Hcost|].
        now apply good_queries_are_few; [|apply Hlevel].
      + rewrite sum_swap, <- sum_scal. apply sum_le. intros t Ht. apply in_rounds in Ht.
        rewrite (sum_over_arms_picks K _ (fun _ => highest_cost * indicator (negb (good t w)))); [lra|].
        apply (run_plays_arms K T (bounds_at x w) (epsilon_at x w)); [apply path_is_a_run | exact Ht]. }
  eapply Rle_trans; [apply expect_le, P|].
  rewrite expect_plus, expect_sum, expect_scal.
  rewrite (sum_ext (arms K) _ (fun a => cost a * (E (n_bar_of_level level a) + 1)))
    by (intros; now rewrite expect_scal, expect_plus, expect_const).
  assert (Hh : 0 <= highest_cost).
  { destruct (Hcost _ (some_optimal_arm_is_an_arm b)). lra. }
  generalize (Rmult_le_compat_l _ _ _ Hh expected_bad_rounds). lra.
Qed.

Theorem queries_from_levels level :
  (forall a, is_arm K a -> is_level level a) ->
  E (queries_on x) <= sum (arms K) (fun a => E (n_bar_of_level level a)) + (INR K + failures).
Proof.
  intros Hlevel. assert (P := query_costs_from_levels level (fun _ => 1) 1 ltac:(intros; lra) Hlevel).
  rewrite (expect_ext E _ (queries_on x)) in P by (intros w; apply sum_ext; intros; lra).
  rewrite sum_scal, sum_plus, sum_const in P. unfold arms at 2 in P. rewrite seq_length in P. lra.
Qed.

(** ** The levels of the paper *)

Lemma level_with_epsilon (mu : nat -> nat -> Omega -> R) a :
  (forall w t, (K < t <= T)%nat -> good t w = true -> admissible K (bounds_at x w t) (epsilon_at x w t) a true ->
     ~ narrower_than (mu a t w) (bounds_at x w t a)) ->
  is_level (fun w a t => Rmax (mu a t w) (epsilon_at x w t)) a.
Proof.
  intros H w t Ht Hgood Hadm. split.
  - eapply Rle_trans; [|apply Rmax_r]. apply epsilon_is_nonneg. exact Ht.
  - unfold Rmax. destruct (Rle_dec _ _); [|now apply H].
    apply wider_is_not_narrower. now apply a_queried_arm_is_wider_than_epsilon in Hadm.
Qed.

Lemma the_gap_is_a_level_with_several_optima a : several_optimal_arms b ->
  is_level (fun w a t => Rmax (gap b a) (epsilon_at x w t)) a.
Proof.
  intros Hmany. apply (level_with_epsilon (fun a _ _ => gap b a)). intros w t Ht Hgood Hadm.
  apply (with_several_optima_a_queried_arm_is_as_wide_as_its_gap b (bounds_at x w t))
    with (epsilon := epsilon_at x w t); trivial.
  - apply (good_means_covered _ _ _ _ _ _ is_regular); [fold T; lia | trivial].
  - apply epsilon_is_nonneg. exact Ht.
Qed.

Lemma half_the_gap_is_a_level a : 0 < gap b a ->
  is_level (fun w a t => Rmax (gap b a / 2) (epsilon_at x w t)) a.
Proof.
  intros Hgap. apply (level_with_epsilon (fun a _ _ => gap b a / 2)). intros w t Ht Hgood Hadm.
  apply (case_iv_a_queried_suboptimal_arm_is_as_wide_as_half_its_gap b (bounds_at x w t))
    with (epsilon := epsilon_at x w t); trivial.
  - apply (good_means_covered _ _ _ _ _ _ is_regular); [fold T; lia | trivial].
  - apply epsilon_is_nonneg. exact Ht.
Qed.

Lemma half_of_gap_plus_epsilon_is_a_level a : 0 < gap b a ->
  is_level (fun w a t => Rmax ((gap b a + epsilon_at x w t) / 2) (epsilon_at x w t)) a.
Proof.
  intros Hgap. apply (level_with_epsilon (fun a t w => (gap b a + epsilon_at x w t) / 2)). intros w t Ht Hgood Hadm.
  apply wider_is_not_narrower.
  apply (a_queried_suboptimal_arm_is_wider_than_half_of_gap_plus_epsilon b (bounds_at x w t)); trivial.
  apply (good_means_covered _ _ _ _ _ _ is_regular); [fold T; lia | trivial].
Qed.

Lemma half_the_smallest_gap_is_a_level_of_the_unique_optimum a m :
  unique_optimal_arm b a -> (forall c, is_arm K c -> c <> a -> m <= gap b c) ->
  is_level (fun w a t => Rmax (m / 2) (epsilon_at x w t)) a.
Proof.
  intros Huniq Hm. apply (level_with_epsilon (fun _ _ _ => m / 2)). intros w t Ht Hgood Hadm.
  apply (case_v_a_queried_unique_optimal_arm_is_as_wide_as_half_the_smallest_gap b (bounds_at x w t))
    with (epsilon := epsilon_at x w t); trivial.
  - apply (good_means_covered _ _ _ _ _ _ is_regular); [fold T; lia | trivial].
  - apply epsilon_is_nonneg. exact Ht.
Qed.

(** ** The theorem, l.846-868

    Regret sums run over all arms: an optimal arm has gap 0 and adds nothing, so they are the printed sums over the
    suboptimal ones. Epsilon may be adaptive, and then the bounds carry the expectations of the remark at l.1042;
    for a sequence fixed in advance [expect_const] removes them (see MainTheorem.v). T <= K and K = 1 are included. *)

Definition expected_n_bar (a : nat) (mu : R) : R := E (fun w => n_bar (enough_if_good a) (epsilon_at x w) mu T).
Definition expected_sharper_n_bar (a : nat) (d : R) : R :=
  E (fun w => sharper_n_bar (enough_if_good a) (epsilon_at x w) d T).
Definition expected_large_epsilon (d : R) : R := E (fun w => rounds_with_large_epsilon K (epsilon_at x w) d T).

(** Part 2, regret (l.857-860): several optimal arms. *)
Theorem general_part_2_regret_with_several_optima : several_optimal_arms b ->
  E (regret_on x) <= sum (arms K) (fun a => gap b a *
    (expected_n_bar a (gap b a) + expected_large_epsilon (gap b a)))
    + (INR K + failures) * largest_gap b.
Proof.
  intros H. apply (regret_from_levels (fun w a t => Rmax (gap b a) (epsilon_at x w t))).
  intros. now apply the_gap_is_a_level_with_several_optima.
Qed.

(** Part 2, queries (l.857-860): several optimal arms. *)
Theorem general_part_2_queries_with_several_optima : several_optimal_arms b ->
  E (queries_on x) <= sum (arms K) (fun a => expected_n_bar a (gap b a)) + (INR K + failures).
Proof.
  intros H. apply (queries_from_levels (fun w a t => Rmax (gap b a) (epsilon_at x w t))).
  intros. now apply the_gap_is_a_level_with_several_optima.
Qed.

(** Part 3, regret (l.862-865). Uniqueness of the optimal arm, assumed in print, is not needed. *)
Theorem general_part_3_regret :
  E (regret_on x) <= sum (arms K) (fun a => gap b a *
    (expected_n_bar a (gap b a / 2) + expected_large_epsilon (gap b a)))
    + (INR K + failures) * largest_gap b.
Proof.
  apply (regret_from_levels (fun w a t => Rmax (gap b a / 2) (epsilon_at x w t))).
  intros. now apply half_the_gap_is_a_level.
Qed.

(** Half the gap for a suboptimal arm, half of [m] for the optimal one, and never less than epsilon. *)
Definition unique_level (a_star : nat) (m : R) (w : Omega) (a t : nat) : R :=
  Rmax (if Nat.eqb a_star a then m / 2 else gap b a / 2) (epsilon_at x w t).

Lemma unique_level_is_a_level a_star m a :
  unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) -> is_arm K a ->
  is_level (unique_level a_star m) a.
Proof.
  intros Huniq Hm Ha w t. unfold unique_level. destruct (Nat.eqb_spec a_star a) as [<-|Hne].
  - now apply half_the_smallest_gap_is_a_level_of_the_unique_optimum.
  - apply half_the_gap_is_a_level. destruct Huniq as [_ Hlt]. unfold gap. specialize (Hlt a Ha ltac:(congruence)).
    lra.
Qed.

Lemma unique_level_elsewhere a_star m a : a_star <> a ->
  E (n_bar_of_level (unique_level a_star m) a) = expected_n_bar a (gap b a / 2).
Proof.
  intros Hne. unfold expected_n_bar, n_bar_of_level, unique_level. now rewrite (proj2 (Nat.eqb_neq a_star a) Hne).
Qed.

Lemma unique_level_at_optimum a_star m : E (n_bar_of_level (unique_level a_star m) a_star)
  = expected_n_bar a_star (m / 2).
Proof. unfold expected_n_bar, n_bar_of_level, unique_level. now rewrite Nat.eqb_refl. Qed.

(** Part 3, queries (l.862-866): a unique optimal arm. [m] is any lower bound of the gaps of the other arms: the
    smallest gap in print, anything when K = 1. *)
Theorem general_part_3_queries_with_a_unique_optimum a_star m :
  unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
  E (queries_on x) <= sum (others K a_star) (fun a => expected_n_bar a (gap b a / 2))
    + expected_n_bar a_star (m / 2)
    + (INR K + failures).
Proof.
  intros Huniq Hm.
  eapply Rle_trans; [apply (queries_from_levels (unique_level a_star m))|].
  - intros a Ha. now apply unique_level_is_a_level.
  - rewrite (sum_split_off_arm K a_star) by apply Huniq. apply Req_le. f_equal. f_equal.
    + apply sum_ext. intros a Ha. apply in_others in Ha. destruct Ha as [_ Hne]. now apply unique_level_elsewhere.
    + apply unique_level_at_optimum.
Qed.

(** Part 2 and part 3 for queries of cost [cost a] <= [highest_cost]: the extension announced at l.268. *)
Theorem general_query_costs_with_several_optima cost highest_cost :
  (forall a, is_arm K a -> 0 <= cost a <= highest_cost) -> several_optimal_arms b ->
  E (query_costs_on x cost) <= sum (arms K) (fun a => cost a * (expected_n_bar a (gap b a) + 1))
    + highest_cost * failures.
Proof.
  intros Hcost H. apply (query_costs_from_levels (fun w a t => Rmax (gap b a) (epsilon_at x w t))); [exact Hcost|].
  intros. now apply the_gap_is_a_level_with_several_optima.
Qed.

(** The same for a unique optimal arm; [m] as in part 3. *)
Theorem general_query_costs_with_a_unique_optimum cost highest_cost a_star m :
  (forall a, is_arm K a -> 0 <= cost a <= highest_cost) ->
  unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
  E (query_costs_on x cost) <= sum (others K a_star) (fun a => cost a * (expected_n_bar a (gap b a / 2) + 1))
    + cost a_star * (expected_n_bar a_star (m / 2) + 1) + highest_cost * failures.
Proof.
  intros Hcost Huniq Hm.
  eapply Rle_trans; [apply (query_costs_from_levels (unique_level a_star m) cost highest_cost Hcost)|].
  - intros a Ha. now apply unique_level_is_a_level.
  - rewrite (sum_split_off_arm K a_star) by apply Huniq. apply Req_le. f_equal. f_equal.
    + apply sum_ext. intros a Ha. apply in_others in Ha. destruct Ha as [_ Hne]. now rewrite unique_level_elsewhere.
    + now rewrite unique_level_at_optimum.
Qed.

(** ** Sharper than the paper: (gap + epsilon)/2 in the place of gap/2 *)

Theorem sharper_regret :
  E (regret_on x) <= sum (arms K) (fun a => gap b a *
    (expected_sharper_n_bar a (gap b a) + expected_large_epsilon (gap b a)))
    + (INR K + failures) * largest_gap b.
Proof.
  apply (regret_from_levels (fun w a t => Rmax ((gap b a + epsilon_at x w t) / 2) (epsilon_at x w t))).
  intros. now apply half_of_gap_plus_epsilon_is_a_level.
Qed.

Theorem sharper_queries_with_a_unique_optimum a_star m :
  unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
  E (queries_on x) <= sum (others K a_star) (fun a => expected_sharper_n_bar a (gap b a))
    + expected_n_bar a_star (m / 2)
    + (INR K + failures).
Proof.
  intros Huniq Hm.
  set (mu := fun a e => if Nat.eqb a_star a then m / 2 else (gap b a + e) / 2).
  eapply Rle_trans; [apply (queries_from_levels (fun w a t => Rmax (mu a (epsilon_at x w t)) (epsilon_at x w t)))|].
  - intros a Ha. unfold mu. destruct (Nat.eqb_spec a_star a) as [<-|Hne].
    + intros w t. rewrite Nat.eqb_refl. now apply half_the_smallest_gap_is_a_level_of_the_unique_optimum.
    + intros w t. rewrite (proj2 (Nat.eqb_neq a_star a) Hne). apply half_of_gap_plus_epsilon_is_a_level.
      destruct Huniq as [_ Hlt]. unfold gap. specialize (Hlt a Ha ltac:(congruence)). lra.
  - rewrite (sum_split_off_arm K a_star) by apply Huniq. apply Req_le. f_equal. f_equal.
    + apply sum_ext. intros a Ha. apply in_others in Ha. destruct Ha as [_ Hne].
      unfold expected_sharper_n_bar, n_bar_of_level, mu. now rewrite (proj2 (Nat.eqb_neq a_star a) Hne).
    + unfold expected_n_bar, n_bar_of_level, mu. now rewrite Nat.eqb_refl.
Qed.
End General.

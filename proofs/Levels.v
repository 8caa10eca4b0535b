(** What a width that every queried arm must have gives (l.938-956, l.1024-1039), for any rule that is steered by some
    rho >= 0, any regular intervals and an epsilon that may be adaptive; and the widths of the paper and of the dial. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Cases Runs Expectation Experiment.
Open Scope R_scope.

Section Levels.
Context {Omega : Type} (E : expectation Omega) (x : experiment Omega).
Variables (good : nat -> Omega -> bool) (failures : R).
Variables (enough_if_good : nat -> nat -> R -> R) (enough_always : nat -> R -> R).
Hypothesis is_regular : regular E x good failures enough_if_good enough_always.
Variable rho : R.
Hypothesis rho_is_nonneg : 0 <= rho.
Hypothesis runs : runs_of (steered_by rho) x.
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.

(** ** What a level does

    [level w a t] is a width that a queried arm [a] must have in a good round t. Every bound below is an instance. *)

Definition is_level (level : Omega -> nat -> nat -> R) (a : nat) : Prop :=
  forall w t, (K < t <= T)%nat -> good t w = true -> steered K (bounds_at x w t) (epsilon_at x w t) rho a true ->
    0 <= level w a t /\ ~ narrower_than (level w a t) (bounds_at x w t a).

Definition n_bar_of_level (level : Omega -> nat -> nat -> R) (a : nat) (w : Omega) : R :=
  maximum (fun t => enough_if_good a t (level w a t)) T.

Lemma bounded_n_bar_of_level level a : is_arm K a -> bounded (n_bar_of_level level a).
Proof.
  intros Ha. apply (bounded_maximum (fun w t => enough_if_good a t (level w a t)) (INR T)). intros w t Ht.
  eapply Rle_trans; [now apply (enough_if_good_is_below_the_round _ _ _ _ _ _ is_regular)|]. apply le_INR. lia.
Qed.

(** says: on every path, good rounds that query an arm number at most N-bar + 1, for every width that a queried arm
      must have
    paper: l.946-951
    differs: one statement for the levels of all five cases
    settles: count.queried
    breaks: "w + 1" to "w" *)
Lemma good_queries_are_few level a w : is_arm K a -> is_level level a ->
  sum (rounds T) (fun t => indicator (good t w && (Nat.eqb (played (path_of x w) t) a && queried (path_of x w) t)))
    <= n_bar_of_level level a w + 1.
Proof.
  intros Ha Hlevel.
  apply (queries_in_good_rounds_are_few T (path_of x w) (fun t => good t w)); [apply maximum_nonneg|].
  intros t Ht Hgood Hplay Hq. assert (Q := path_is_a_run runs w t Ht). unfold in_round in Q.
  fold (arms_of x) in Q. fold K in Q.
  destruct (Nat.leb_spec t K) as [HK|HK].
  - assert (Ea : a = t) by (destruct Q; congruence).
    rewrite Ea, (before_its_first_round_an_arm_has_no_queries _ K T _ _ _ (path_is_a_run runs w)) by lia.
    apply maximum_nonneg.
  - rewrite Hplay, Hq in Q. destruct (Hlevel w t ltac:(lia) Hgood Q) as [Hpos Hwide].
    apply Rnot_lt_le. intros Hmore. apply Hwide. apply (enough_if_good_suffices _ _ _ _ _ _ is_regular); trivial.
    eapply Rle_lt_trans; [|exact Hmore]. apply (le_maximum (fun t => enough_if_good a t (level w a t))). exact Ht.
Qed.

(** says: on every path, good rounds that play an arm without a query number at most L_epsilon(T, gap)
    paper: l.938-945
    differs: L counts rounds after K only, which is at most the printed count
    settles: count.unqueried
    breaks: "(gap b a) T" to "(2 * gap b a) T" *)
Lemma good_unqueried_plays_are_few a w :
  sum (rounds T) (fun t => indicator (good t w &&
    (Nat.eqb (played (path_of x w) t) a && negb (queried (path_of x w) t))))
    <= rounds_with_large_epsilon K (epsilon_at x w) (gap b a) T.
Proof.
  apply sum_le. intros t Ht. apply in_rounds in Ht.
  destruct (good t w && _) eqn:Eb; [|apply indicator_nonneg].
  apply andb_true_iff in Eb. destruct Eb as [Hgood Eb]. apply andb_true_iff in Eb. destruct Eb as [Hplay Hq].
  apply Nat.eqb_eq in Hplay. apply negb_true_iff in Hq.
  assert (Q := path_is_a_run runs w t Ht). unfold in_round in Q. fold (arms_of x) in Q. fold K in Q.
  destruct (Nat.leb_spec t K) as [HK|HK]; [destruct Q; congruence|].
  rewrite Hplay, Hq in Q.
  assert (G : gap b a <= epsilon_at x w t).
  { apply (a_steered_unqueried_arm_is_within_epsilon_of_the_best b (bounds_at x w t)) with (rho := rho); trivial.
    - apply (epsilon_is_nonneg runs). fold K. lia.
    - apply (good_means_covered _ _ _ _ _ _ is_regular); trivial. }
  rewrite at_most_true by exact G. replace (K <? t) with true by (symmetry; apply Nat.ltb_lt; lia). simpl. lra.
Qed.

(** The number of bad rounds, in expectation. *)
Lemma expected_bad_rounds : E (fun w => sum (rounds T) (fun t => indicator (negb (good t w)))) <= failures.
Proof. rewrite expect_sum by (intros; bounded). exact (failures_are_rare _ _ _ _ _ _ is_regular). Qed.

(** ** From counts of good queries to expectations: [count a w] is any bound on how often [a] is queried in good rounds. *)

Definition bounds_good_queries (count : nat -> Omega -> R) (a : nat) : Prop :=
  bounded (count a) /\ forall w, sum (rounds T)
    (fun t => indicator (good t w && (Nat.eqb (played (path_of x w) t) a && queried (path_of x w) t))) <= count a w.

(** l.1024-1030 for any count; only suboptimal arms need one. *)
Lemma regret_from_counts count :
  (forall a, is_arm K a -> bounded (count a)) -> (forall a, is_arm K a -> 0 < gap b a -> bounds_good_queries count a) ->
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (E (count a) +
      E (fun w => rounds_with_large_epsilon K (epsilon_at x w) (gap b a) T))) + failures * largest_gap b.
Proof.
  intros B Hcount.
  set (L := fun a w => rounds_with_large_epsilon K (epsilon_at x w) (gap b a) T).
  assert (P : forall w, regret_on x w <= sum (arms K) (fun a => gap b a * (count a w + L a w))
      + largest_gap b * sum (rounds T) (fun t => indicator (negb (good t w)))).
  { intros w.
    apply Rle_trans with (sum (rounds T) (fun t => sum (arms K)
      (fun a => gap b a * indicator (good t w && Nat.eqb (played (path_of x w) t) a))
      + largest_gap b * indicator (negb (good t w)))).
    - apply sum_le. intros t Ht. apply in_rounds in Ht.
      assert (Ha : is_arm K (played (path_of x w) t))
        by (apply path_plays_arms; exact Ht).
      destruct (good t w); simpl.
      + fold b. rewrite <- (sum_over_arms_picks K (played (path_of x w) t) (gap b) Ha) at 1. lra.
      + rewrite sum_zero by (intros; lra). generalize (gap_le_largest b _ Ha). fold b. lra.
    - rewrite sum_plus, sum_scal, sum_swap. apply Rplus_le_compat_r. apply sum_le. intros a Ha. apply in_arms in Ha.
      rewrite sum_scal. destruct (Rle_lt_dec (gap b a) 0) as [Hle|Hlt].
      + replace (gap b a) with 0 by (generalize (gap_nonneg b a Ha); lra). lra.
      + apply Rmult_le_compat_l; [lra|]. destruct (Hcount a Ha Hlt) as [_ Q].
        eapply Rle_trans; [|apply Rplus_le_compat; [exact (Q w) | exact (good_unqueried_plays_are_few a w)]].
        rewrite <- sum_plus. apply Req_le, sum_ext. intros t _.
        destruct (good t w), (Nat.eqb (played (path_of x w) t) a), (queried (path_of x w) t); simpl; lra. }
  assert (B' : forall a, In a (arms K) -> bounded (count a)) by (intros; now apply B, in_arms).
  assert (BL : forall a, bounded (L a)) by (intros; apply bounded_large_epsilon).
  eapply Rle_trans; [apply expect_le, P; bounded|].
  rewrite expect_plus, expect_scal, expect_sum by (intros; bounded).
  rewrite (sum_ext (arms K) _ (fun a => gap b a * (E (count a) + E (L a)))).
  2: { intros a Ha. specialize (B' a Ha). now rewrite expect_scal, expect_plus by bounded. }
  assert (F := Rmult_le_compat_l _ _ _ (largest_gap_nonneg b) expected_bad_rounds). unfold L. cbv beta. lra.
Qed.

(** l.1032-1039 for any count, and for queries that cost [cost a] each (l.268 announces arm-dependent costs). *)
Lemma query_costs_from_counts count cost highest_cost :
  (forall a, is_arm K a -> 0 <= cost a <= highest_cost) -> (forall a, is_arm K a -> bounds_good_queries count a) ->
  E (query_costs_on x cost) <= sum (arms K) (fun a => cost a * E (count a)) + highest_cost * failures.
Proof.
  intros Hcost Hcount.
  assert (P : forall w, query_costs_on x cost w <= sum (arms K) (fun a => cost a * count a w)
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
      + apply sum_le. intros a Ha. apply in_arms in Ha. apply Rmult_le_compat_l; [now apply Hcost|]. now apply Hcount.
      + rewrite sum_swap, <- sum_scal. apply sum_le. intros t Ht. apply in_rounds in Ht.
        rewrite (sum_over_arms_picks K _ (fun _ => highest_cost * indicator (negb (good t w)))); [lra|].
        apply path_plays_arms. exact Ht. }
  assert (B : forall a, In a (arms K) -> bounded (count a)) by (intros; now apply Hcount, in_arms).
  eapply Rle_trans; [apply expect_le, P; bounded|].
  rewrite expect_plus, expect_sum, expect_scal by (intros; bounded).
  rewrite (sum_ext (arms K) _ (fun a => cost a * E (count a)))
    by (intros a Ha; specialize (B a Ha); now rewrite expect_scal by bounded).
  assert (Hh : 0 <= highest_cost).
  { destruct (Hcost _ (some_optimal_arm_is_an_arm b)). lra. }
  generalize (Rmult_le_compat_l _ _ _ Hh expected_bad_rounds). lra.
Qed.

(** A level bounds good queries by N-bar + 1. *)
Lemma a_level_bounds_good_queries level a : is_arm K a -> is_level level a ->
  bounds_good_queries (fun a w => n_bar_of_level level a w + 1) a.
Proof.
  intros Ha Hlevel. assert (B := bounded_n_bar_of_level level a Ha).
  split; [bounded | intros w; now apply good_queries_are_few].
Qed.

Lemma expected_n_bar_and_one level a : is_arm K a ->
  E (fun w => n_bar_of_level level a w + 1) = E (n_bar_of_level level a) + 1.
Proof. intros Ha. assert (B := bounded_n_bar_of_level level a Ha). now rewrite expect_plus, expect_const by bounded. Qed.

(** l.1024-1030, for any level. *)
Theorem regret_from_levels level :
  (forall a, is_arm K a -> 0 < gap b a -> is_level level a) ->
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (E (n_bar_of_level level a) +
      E (fun w => rounds_with_large_epsilon K (epsilon_at x w) (gap b a) T))) + (INR K + failures) * largest_gap b.
Proof.
  intros Hlevel. eapply Rle_trans; [apply (regret_from_counts (fun a w => n_bar_of_level level a w + 1))|].
  - intros a Ha. assert (B := bounded_n_bar_of_level level a Ha). bounded.
  - intros a Ha Hgap. now apply a_level_bounds_good_queries; [|apply Hlevel].
  - rewrite (sum_ext (arms K) _ (fun a => gap b a * (E (n_bar_of_level level a) +
      E (fun w => rounds_with_large_epsilon K (epsilon_at x w) (gap b a) T)) + gap b a))
      by (intros a Ha; apply in_arms in Ha; rewrite expected_n_bar_and_one by exact Ha; ring).
    rewrite sum_plus. assert (G : sum (arms K) (gap b) <= INR K * largest_gap b); [|lra].
    rewrite <- (seq_length K 1) at 2. rewrite <- sum_const. apply sum_le. intros a Ha. apply in_arms in Ha.
    now apply gap_le_largest.
Qed.

(** l.1032-1039 for any level. *)
Theorem query_costs_from_levels level cost highest_cost :
  (forall a, is_arm K a -> 0 <= cost a <= highest_cost) -> (forall a, is_arm K a -> is_level level a) ->
  E (query_costs_on x cost) <= sum (arms K) (fun a => cost a * (E (n_bar_of_level level a) + 1))
    + highest_cost * failures.
Proof.
  intros Hcost Hlevel.
  eapply Rle_trans; [apply (query_costs_from_counts (fun a w => n_bar_of_level level a w + 1) cost highest_cost Hcost)|].
  - intros a Ha. now apply a_level_bounds_good_queries; [|apply Hlevel].
  - apply Req_le. f_equal. apply sum_ext. intros a Ha. apply in_arms in Ha. now rewrite expected_n_bar_and_one.
Qed.

Lemma query_costs_of_one : E (query_costs_on x (fun _ => 1)) = E (queries_on x).
Proof. apply expect_ext. intros w. apply sum_ext. intros; lra. Qed.

(** ** The levels of the paper

    [level a e] is a width that a queried arm [a] must have where epsilon is [e], not counting epsilon itself. *)

Definition expected_level_n_bar (level : nat -> R -> R) (a : nat) : R :=
  E (fun w => maximum (fun t => enough_if_good a t (Rmax (level a (epsilon_at x w t)) (epsilon_at x w t))) T).

Definition with_epsilon (level : nat -> R -> R) (w : Omega) (a t : nat) : R :=
  Rmax (level a (epsilon_at x w t)) (epsilon_at x w t).

Lemma level_with_epsilon (level : nat -> R -> R) a :
  (forall w t, (K < t <= T)%nat -> covered b (bounds_at x w t) -> 0 <= epsilon_at x w t ->
     steered K (bounds_at x w t) (epsilon_at x w t) rho a true ->
     ~ narrower_than (level a (epsilon_at x w t)) (bounds_at x w t a)) ->
  is_level (with_epsilon level) a.
Proof.
  intros H w t Ht Hgood Hadm. unfold with_epsilon.
  assert (He : 0 <= epsilon_at x w t) by (apply (epsilon_is_nonneg runs); exact Ht). split.
  - eapply Rle_trans; [exact He | apply Rmax_r].
  - unfold Rmax. destruct (Rle_dec _ _).
    + apply wider_is_not_narrower. now apply a_steered_queried_arm_is_wider_than_epsilon in Hadm.
    + apply H; trivial. apply (good_means_covered _ _ _ _ _ _ is_regular); [fold T; lia | exact Hgood].
Qed.

(** The gap, with several optimal arms. *)
Definition gap_level (a : nat) (_ : R) : R := gap b a.

Lemma the_gap_is_a_level_with_several_optima a : several_optimal_arms b -> is_level (with_epsilon gap_level) a.
Proof.
  intros Hmany. apply level_with_epsilon. intros w t Ht Hcov He Hadm.
  now apply (with_several_optima_a_steered_queried_arm_is_as_wide_as_its_gap b (bounds_at x w t) (epsilon_at x w t) Hcov
    rho).
Qed.

(** gap/(1 + rho), for a suboptimal arm. *)
Definition share_level (a : nat) (_ : R) : R := gap b a / (1 + rho).

Lemma a_share_of_the_gap_is_a_level a : 0 < gap b a -> is_level (with_epsilon share_level) a.
Proof.
  intros Hgap. apply level_with_epsilon. intros w t Ht Hcov He Hadm.
  now apply (a_steered_queried_suboptimal_arm_is_as_wide_as_its_share_of_the_gap b (bounds_at x w t) (epsilon_at x w t)
    Hcov rho).
Qed.

(** min{gap, (gap + epsilon)/(1 + rho)}, for a suboptimal arm: beyond the paper, (gap + epsilon)/2 at rho = 1. *)
Definition sharper_share_level (a : nat) (e : R) : R := sharper_level rho (gap b a) e.

Lemma the_sharper_share_is_a_level a : 0 < gap b a -> is_level (with_epsilon sharper_share_level) a.
Proof.
  intros Hgap. apply level_with_epsilon. intros w t Ht Hcov He Hadm.
  now apply (a_steered_queried_suboptimal_arm_is_as_wide_as_the_sharper_level b (bounds_at x w t) (epsilon_at x w t)
    Hcov rho).
Qed.

(** A unique optimal arm has level rho m/(1 + rho); [m] is any lower bound of the other gaps. *)
Lemma a_share_of_the_smallest_gap_is_a_level_of_the_unique_optimum a m :
  unique_optimal_arm b a -> (forall c, is_arm K c -> c <> a -> m <= gap b c) ->
  is_level (with_epsilon (fun _ _ => rho * m / (1 + rho))) a.
Proof.
  intros Huniq Hm. apply level_with_epsilon. intros w t Ht Hcov He Hadm.
  now apply (a_steered_queried_unique_optimal_arm_is_as_wide_as_its_share_of_the_smallest_gap b (bounds_at x w t)
    (epsilon_at x w t) Hcov rho).
Qed.

(** One level for the unique optimal arm and another for the others. *)
Definition level_by_optimality (level : nat -> R -> R) (a_star : nat) (m : R) (a : nat) (e : R) : R :=
  if Nat.eqb a_star a then rho * m / (1 + rho) else level a e.

Lemma a_level_by_optimality_is_a_level level a_star m a :
  unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
  (forall a, 0 < gap b a -> is_level (with_epsilon level) a) ->
  is_arm K a -> is_level (with_epsilon (level_by_optimality level a_star m)) a.
Proof.
  intros Huniq Hm Hlevel Ha w t. unfold with_epsilon, level_by_optimality. destruct (Nat.eqb_spec a_star a) as [<-|Hne].
  - now apply (a_share_of_the_smallest_gap_is_a_level_of_the_unique_optimum a_star m Huniq Hm).
  - apply (Hlevel a). destruct Huniq as [_ Hlt]. unfold gap. specialize (Hlt a Ha ltac:(congruence)). lra.
Qed.

Lemma query_costs_with_a_unique_optimum level cost highest_cost a_star m :
  (forall a, is_arm K a -> 0 <= cost a <= highest_cost) ->
  unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
  (forall a, 0 < gap b a -> is_level (with_epsilon level) a) ->
  E (query_costs_on x cost) <= sum (others K a_star) (fun a => cost a * (expected_level_n_bar level a + 1))
    + cost a_star * (expected_level_n_bar (fun _ _ => rho * m / (1 + rho)) a_star + 1) + highest_cost * failures.
Proof.
  intros Hcost Huniq Hm Hlevel.
  eapply Rle_trans;
    [apply (query_costs_from_levels (with_epsilon (level_by_optimality level a_star m)) cost highest_cost Hcost)|].
  - intros a Ha. now apply a_level_by_optimality_is_a_level.
  - rewrite (sum_split_off_arm K a_star) by apply Huniq. apply Req_le. f_equal. f_equal.
    + apply sum_ext. intros a Ha. apply in_others in Ha. destruct Ha as [_ Hne].
      unfold expected_level_n_bar, n_bar_of_level, with_epsilon, level_by_optimality.
      now rewrite (proj2 (Nat.eqb_neq a_star a) Hne).
    + unfold expected_level_n_bar, n_bar_of_level, with_epsilon, level_by_optimality. now rewrite Nat.eqb_refl.
Qed.
End Levels.

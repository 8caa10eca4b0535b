(** What a width that every queried arm must have gives (l.938-956, l.1024-1039), for any rule that is steered by some
    rho >= 0, any regular intervals and an epsilon that may be adaptive; and the widths of the paper and of the dial. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Cases Runs Expectation Experiment Counts.
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

Lemma initial_rounds_are_queried w t : (1 <= t <= T)%nat -> (t <= K)%nat -> queried (path_of x w) t = true.
Proof.
  intros Ht HK. assert (Q := path_is_a_run runs w t Ht). unfold in_round in Q. fold (arms_of x) in Q. fold K in Q.
  now rewrite (proj2 (Nat.leb_le t K) HK) in Q.
Qed.

Lemma unqueried_plays_are_within_epsilon w t : (K < t <= T)%nat -> good t w = true -> queried (path_of x w) t = false ->
  gap b (played (path_of x w) t) <= epsilon_at x w t.
Proof.
  intros Ht Hgood Hq. assert (Q := path_is_a_run runs w t ltac:(fold T; lia)). unfold in_round in Q. fold (arms_of x) in Q.
  fold K in Q. rewrite (proj2 (Nat.leb_gt t K) (proj1 Ht)), Hq in Q.
  apply (a_steered_unqueried_arm_is_within_epsilon_of_the_best b (bounds_at x w t)) with (rho := rho); trivial.
  - now apply (epsilon_is_nonneg runs).
  - apply (good_means_covered _ _ _ _ _ _ is_regular); [fold T; lia | exact Hgood].
Qed.

(** says: on every path, good rounds that play an arm without a query number at most L_epsilon(T, gap)
    paper: l.938-945
    differs: L counts rounds after K only, which is at most the printed count
    breaks: "(gap b a) T" to "(2 * gap b a) T" *)
Lemma good_unqueried_plays_are_few a w :
  sum (rounds T) (fun t => indicator (good t w &&
    (Nat.eqb (played (path_of x w) t) a && negb (queried (path_of x w) t))))
    <= rounds_with_large_epsilon K (epsilon_at x w) (gap b a) T.
Proof.
  exact (unqueried_plays_in_good_rounds_are_few x good (epsilon_at x) initial_rounds_are_queried unqueried_plays_are_within_epsilon a w).
Qed.

Let rare : sum (rounds T) (fun t => probability E (fun w => negb (good t w))) <= failures :=
  failures_are_rare _ _ _ _ _ _ is_regular.

Lemma a_level_leaves_few_good_queries level a : is_arm K a -> is_level level a ->
  few_good_queries x good (n_bar_of_level level) a.
Proof. intros Ha Hlevel. split; [now apply bounded_n_bar_of_level | intros w; now apply good_queries_are_few]. Qed.

(** l.1024-1030, for any level. *)
Theorem regret_from_levels level :
  (forall a, is_arm K a -> 0 < gap b a -> is_level level a) ->
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (E (n_bar_of_level level a) +
      E (fun w => rounds_with_large_epsilon K (epsilon_at x w) (gap b a) T))) + (INR K + failures) * largest_gap b.
Proof.
  intros Hlevel. apply (regret_from_counts E x good failures rare (epsilon_at x) initial_rounds_are_queried
    unqueried_plays_are_within_epsilon); [exact (bounded_n_bar_of_level level)|].
  intros a Ha Hgap. now apply a_level_leaves_few_good_queries; [|apply Hlevel].
Qed.

(** l.1032-1039 for any level. *)
Theorem query_costs_from_levels level cost highest_cost :
  (forall a, is_arm K a -> 0 <= cost a <= highest_cost) -> (forall a, is_arm K a -> is_level level a) ->
  E (query_costs_on x cost) <= sum (arms K) (fun a => cost a * (E (n_bar_of_level level a) + 1))
    + highest_cost * failures.
Proof.
  intros Hcost Hlevel. apply (query_costs_from_counts E x good failures rare); [exact Hcost|].
  intros a Ha. now apply a_level_leaves_few_good_queries; [|apply Hlevel].
Qed.

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

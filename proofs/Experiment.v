(** What the general theorem speaks of: runs over a sample space, regular intervals, N-bar, L, regret and queries. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Cases Runs Expectation.
Open Scope R_scope.

Definition at_most (x y : R) : bool := if Rle_dec x y then true else false.

Lemma at_most_true x y : x <= y -> at_most x y = true.
Proof. intros H. unfold at_most. destruct (Rle_dec x y); [reflexivity | contradiction]. Qed.

(** L_eps(T, d), l.411: rounds with epsilon(t) >= d. Only rounds after the K initial ones are counted, which is no
    more than in print and needs no value of epsilon where the algorithm does not use one. *)
Definition rounds_with_large_epsilon (K : nat) (epsilon : nat -> R) (d : R) (T : nat) : R :=
  sum (rounds T) (fun t => indicator ((K <? t) && at_most d (epsilon t))).

(** N-bar(T, mu), l.850: max over t <= T of N(t, max{mu, epsilon(t)}). *)
Definition n_bar (enough : nat -> R -> R) (epsilon : nat -> R) (mu : R) (T : nat) : R :=
  maximum (fun t => enough t (Rmax mu (epsilon t))) T.

(** Beyond the paper: the level max{min{d, (d + epsilon(t))/(1 + rho)}, epsilon(t)}, which is at least
    max{d/(1 + rho), epsilon(t)}. *)
Definition sharper_dial_n_bar (enough : nat -> R -> R) (epsilon : nat -> R) (rho d : R) (T : nat) : R :=
  maximum (fun t => enough t (Rmax (sharper_level rho d (epsilon t)) (epsilon t))) T.

(** The same for BuFALU: the level max{(d + epsilon(t))/2, epsilon(t)}. *)
Definition sharper_n_bar (enough : nat -> R -> R) (epsilon : nat -> R) (d : R) (T : nat) : R :=
  maximum (fun t => enough t (Rmax ((d + epsilon t) / 2) (epsilon t))) T.

(** Any strategy on a sample space: for every outcome a path that plays arms, the intervals it met and the epsilon it
    was given. All of these may depend on the outcome in any way. *)
Record experiment (Omega : Type) : Type := Experiment {
  instance : bandit;
  horizon : nat;
  bounds_at : Omega -> nat -> nat -> interval;      (* outcome, round, arm *)
  epsilon_at : Omega -> nat -> R;                   (* outcome, round *)
  path_of : Omega -> path;
  path_plays_arms : forall w, plays_arms (number_of_arms instance) horizon (path_of w)
}.

Arguments instance {Omega} _.
Arguments horizon {Omega} _.
Arguments bounds_at {Omega} _ _ _ _.
Arguments epsilon_at {Omega} _ _ _.
Arguments path_of {Omega} _ _.
Arguments path_plays_arms {Omega} _ _ _ _.

Definition arms_of {Omega} (x : experiment Omega) : nat := number_of_arms (instance x).

(** The strategy is the rule [r], with any tie-breaks and a nonnegative epsilon: what the upper bounds ask for beside
    regular intervals. *)
Record runs_of {Omega} (r : rule) (x : experiment Omega) : Prop := Runs {
  path_is_a_run : forall w, follows r (arms_of x) (horizon x) (bounds_at x w) (epsilon_at x w) (path_of x w);
  epsilon_is_nonneg : forall w t, (arms_of x < t <= horizon x)%nat -> 0 <= epsilon_at x w t
}.

Arguments path_is_a_run {Omega r x} _ _ _ _.
Arguments epsilon_is_nonneg {Omega r x} _ _ _ _.

Lemma runs_of_bufalu_are_steered {Omega} (x : experiment Omega) : runs_of bufalu x -> runs_of (steered_by 1) x.
Proof. intros [H He]. constructor; [|exact He]. intros w. apply a_run_of_bufalu_is_steered, H. Qed.

Lemma runs_of_the_dial_are_steered {Omega} rho (x : experiment Omega) : runs_of (dial rho) x ->
  runs_of (steered_by rho) x.
Proof. intros [H He]. constructor; [|exact He]. intros w. generalize (H w). apply follows_mono.
  intros. now apply the_dial_is_steered. Qed.

(** The good events and the numbers of queries that make intervals narrow: the five conditions of regularity,
    l.833-844. Differences from print: N_a^g and N^as are given for every mu >= 0 (in print N_a^g only up to the
    gap, although it is used at max{mu, epsilon(t)}); their convention at mu = 0 and the bound t - 1 on N^as are not
    needed; and predictability does not enter. The experiment is any strategy: see HoeffdingIntervals.v. *)
Record regular {Omega} (E : expectation Omega) (x : experiment Omega)
    (good : nat -> Omega -> bool) (failures : R) (enough_if_good : nat -> nat -> R -> R)
      (enough_always : nat -> R -> R) : Prop := Regular {
  widths_are_nonneg : forall w t a, (1 <= t <= horizon x)%nat -> is_arm (arms_of x) a ->
    ~ narrower_than 0 (bounds_at x w t a);
  good_means_covered : forall w t, (1 <= t <= horizon x)%nat -> good t w = true ->
    covered (instance x) (bounds_at x w t);
  failures_are_rare : sum (rounds (horizon x)) (fun t => probability E (fun w => negb (good t w))) <= failures;
  enough_if_good_suffices : forall w t a mu, (1 <= t <= horizon x)%nat -> is_arm (arms_of x) a -> 0 <= mu ->
    good t w = true ->
    enough_if_good a t mu < INR (queries (path_of x w) a (t - 1)) -> narrower_than mu (bounds_at x w t a);
  enough_if_good_is_below_the_round : forall a t mu, (1 <= t <= horizon x)%nat -> is_arm (arms_of x) a ->
    enough_if_good a t mu <= INR (t - 1);
  enough_always_suffices : forall w t a mu, (1 <= t <= horizon x)%nat -> is_arm (arms_of x) a ->
    enough_always t mu < INR (queries (path_of x w) a (t - 1)) -> narrower_than mu (bounds_at x w t a)
}.

(** says: regular intervals stay regular when N_a^g is replaced by the smaller of N_a^g and N^as
    paper: l.843
    differs: none
    settles: regular.smaller_number
    breaks: "(enough_always t mu))" to "(enough_always t mu) / 2)" *)
Theorem the_smaller_of_both_numbers_suffices {Omega} (E : expectation Omega) (x : experiment Omega) good failures
    enough_if_good enough_always :
  regular E x good failures enough_if_good enough_always ->
  regular E x good failures (fun a t mu => Rmin (enough_if_good a t mu) (enough_always t mu)) enough_always.
Proof.
  intros [H1 H2 H3 H4 H5 H6]. constructor; trivial.
  - intros w t a mu Ht Ha Hmu Hgood H. unfold Rmin in H. destruct (Rle_dec _ _); [now apply H4 | now apply H6].
  - intros a t mu Ht Ha. eapply Rle_trans; [apply Rmin_l | now apply H5].
Qed.

(** Regret and number of queries, as random quantities; their expectations are l.270-271. *)
Definition regret_on {Omega} (x : experiment Omega) (w : Omega) : R :=
  sum (rounds (horizon x)) (fun t => gap (instance x) (played (path_of x w) t)).
Definition queries_on {Omega} (x : experiment Omega) (w : Omega) : R :=
  sum (arms (arms_of x)) (fun a => INR (queries (path_of x w) a (horizon x))).

Definition query_costs_on {Omega} (x : experiment Omega) (cost : nat -> R) (w : Omega) : R :=
  sum (arms (arms_of x)) (fun a => cost a * INR (queries (path_of x w) a (horizon x))).

(** Regret, queries and their costs are bounded by what T rounds can bring. *)
Lemma bounded_regret {Omega} (x : experiment Omega) : bounded (regret_on x).
Proof.
  apply (bounded_between 0 (sum (rounds (horizon x)) (fun _ => largest_gap (instance x)))). intros w. split.
  - apply sum_nonneg. intros t Ht. apply in_rounds in Ht. now apply gap_nonneg, path_plays_arms.
  - apply sum_le. intros t Ht. apply in_rounds in Ht. now apply gap_le_largest, path_plays_arms.
Qed.

Lemma bounded_queries {Omega} (x : experiment Omega) a T : bounded (fun w => INR (queries (path_of x w) a T)).
Proof. apply (bounded_between 0 (INR T)). intros w. split; [apply pos_INR | apply le_INR, queries_le_rounds]. Qed.
#[export] Hint Resolve bounded_regret bounded_queries : bounded.

Lemma bounded_query_costs {Omega} (x : experiment Omega) cost : bounded (query_costs_on x cost).
Proof. unfold query_costs_on. bounded. Qed.

Lemma bounded_large_epsilon {Omega} (x : experiment Omega) K d T :
  bounded (fun w => rounds_with_large_epsilon K (epsilon_at x w) d T).
Proof. unfold rounds_with_large_epsilon. bounded. Qed.

Lemma bounded_maximum {Omega} (f : Omega -> nat -> R) c T :
  (forall w t, (1 <= t <= T)%nat -> f w t <= c) -> bounded (fun w => maximum (f w) T).
Proof.
  intros H. apply (bounded_between 0 (Rmax 0 c)). intros w. split; [apply maximum_nonneg|].
  apply maximum_le; [apply Rmax_l|]. intros t Ht. eapply Rle_trans; [now apply H | apply Rmax_r].
Qed.
#[export] Hint Resolve bounded_query_costs bounded_large_epsilon : bounded.

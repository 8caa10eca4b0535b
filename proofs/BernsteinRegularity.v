(** What the Bernstein intervals give on every space: the cap on every path, and regularity up to the failure
    probabilities (l.1211), which BernsteinTables.v bounds for laws on [0,1]. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Runs Expectation Experiment HoeffdingIntervals
  BernsteinIntervals.
Open Scope R_scope.

(** The experiment uses the Bernstein intervals of the rewards it has queried so far. *)
Definition uses_bernstein_intervals {Omega} (x : experiment Omega) (X : nat -> nat -> Omega -> R) : Prop :=
  forall w t a, (1 <= t <= horizon x)%nat -> is_arm (arms_of x) a ->
    bounds_at x w t a =
      let n := queries (path_of x w) a (t - 1) in
      bernstein_interval t n (sample_mean (fun k => X a k w) n) (sample_variance (fun k => X a k w) n).

Definition rewards_in_unit_interval {Omega} (x : experiment Omega) (X : nat -> nat -> Omega -> R) : Prop :=
  forall a k w, is_arm (arms_of x) a -> (1 <= k <= horizon x)%nat -> 0 <= X a k w <= 1.

Section Bernstein.
Context {Omega : Type} (x : experiment Omega) (X : nat -> nat -> Omega -> R).
Hypothesis uses : uses_bernstein_intervals x X.
Hypothesis unit : rewards_in_unit_interval x X.
Let K := arms_of x.
Let T := horizon x.

Lemma variance_of_queried_rewards w t a : (1 <= t <= T)%nat -> is_arm K a ->
  let n := queries (path_of x w) a (t - 1) in
  (2 <= n)%nat -> 0 <= sample_variance (fun k => X a k w) n <= INR n / (4 * (INR n - 1)).
Proof.
  intros Ht Ha n H2. assert (Hn := queries_le_rounds (path_of x w) a (t - 1)). fold n in Hn.
  assert (Hunit : forall k, (1 <= k <= n)%nat -> 0 <= X a k w <= 1)
    by (intros; apply unit; [exact Ha | fold T; lia]).
  split; [now apply sample_variance_nonneg | now apply
    the_sample_variance_is_at_most_n_over_four_times_n_minus_one].
Qed.

(** says: the cap on queries with Bernstein intervals and N_2^as, on every path of BuFALU, for every epsilon
    paper: l.856 with l.1226
    differs: none
    breaks: "T + 1" to "T" *)
Theorem with_bernstein_intervals_queries_never_exceed_the_cap w a : runs_of bufalu x -> is_arm K a ->
  INR (queries (path_of x w) a T) <= maximum (fun t => bernstein_enough_2 t (epsilon_at x w t)) T + 1.
Proof.
  intros runs Ha. apply (queries_never_exceed_the_cap K T (bounds_at x w)); [apply (path_is_a_run runs) | | exact Ha].
  intros t c mu Ht Hc H. rewrite uses by assumption.
  apply bernstein_enough_2_suffices; [lia | apply queries_le_rounds | | exact H].
  now apply variance_of_queried_rewards.
Qed.

(** The good event of l.1215: means in their intervals, and standard deviations close to their estimates. *)
Variable variance : nat -> R.
Hypothesis variance_is_nonneg : forall a, is_arm K a -> 0 <= variance a.

Definition deviation_is_estimated (t a : nat) (w : Omega) : bool :=
  let n := queries (path_of x w) a (t - 1) in
  (n <=? 1) ||
  at_most (Rabs (sqrt (sample_variance (fun k => X a k w) n) - sqrt (variance a)))
    (sqrt (6 * ln (INR t) / (INR n - 1))).

Definition bernstein_good (t : nat) (w : Omega) : bool :=
  forallb (fun a => inside (bounds_at x w t a) (mean (instance x) a) && deviation_is_estimated t a w) (arms K).

Lemma bernstein_width_nonneg t n estimate v : (1 <= t)%nat -> ~ narrower_than 0 (bernstein_interval t n estimate v).
Proof.
  intros Ht. destruct n as [|[|n]]; unfold narrower_than, width, bernstein_interval; simpl upper; simpl lower;
    cbv iota; [tauto|tauto|].
  assert (HL := ln_of_round_nonneg t Ht). assert (Hn : 1 <= INR (S (S n)) - 1)
    by (rewrite !S_INR; generalize (pos_INR n); lra).
  assert (P : 0 <= 7 * ln (INR t) / (INR (S (S n)) - 1))
    by (unfold Rdiv; apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
  assert (Q := sqrt_pos (6 * v * ln (INR t) / INR (S (S n)))). unfold bernstein_radius. lra.
Qed.

(** Lemma l.1211 but for its constant: if the failure probabilities of the good event sum to at most [failures], the
    Bernstein intervals are regular. *)
Lemma bernstein_intervals_are_regular_up_to_failures (E : expectation Omega) failures :
  sum (rounds T) (fun t => probability E (fun w => negb (bernstein_good t w))) <= failures ->
  regular E x bernstein_good failures (fun a => bernstein_enough_if_good (variance a)) bernstein_enough_2.
Proof.
  intros Hfail.
  assert (Hgood : forall w t a, bernstein_good t w = true -> is_arm K a ->
    inside (bounds_at x w t a) (mean (instance x) a) = true /\ deviation_is_estimated t a w = true).
  { intros w t a Hg Ha. unfold bernstein_good in Hg. rewrite forallb_forall in Hg. apply in_arms in Ha.
    specialize (Hg a Ha). now apply andb_true_iff in Hg. }
  constructor; fold K; fold T.
  - intros w t a Ht Ha. rewrite uses by assumption. apply bernstein_width_nonneg. lia.
  - intros w t Ht Hg a Ha. apply inside_contains. now apply Hgood.
  - exact Hfail.
  - intros w t a mu Ht Ha _ Hg H. rewrite uses by assumption.
    apply bernstein_enough_if_good_suffices with (V := variance a);
      [lia | apply queries_le_rounds | now apply variance_is_nonneg | | exact H].
    intros H2. split; [now apply variance_of_queried_rewards|].
    destruct (Hgood w t a Hg Ha) as [_ Hdev]. unfold deviation_is_estimated in Hdev. cbv zeta in Hdev.
    apply orb_true_iff in Hdev. destruct Hdev as [Hone|Hdev]; [apply Nat.leb_le in Hone; lia|].
    unfold at_most in Hdev. destruct (Rle_dec _ _) as [Hle|]; [|discriminate].
    eapply Rle_trans; [apply Rle_abs | exact Hle].
  - intros a t mu _ _. unfold bernstein_enough_if_good, capped. destruct (Rle_dec mu 0); [lra | apply Rmin_r].
  - intros w t a mu Ht Ha H. rewrite uses by assumption.
    apply bernstein_enough_2_suffices; [lia | apply queries_le_rounds | | exact H].
    now apply variance_of_queried_rewards.
Qed.

(** ** What a failure is *)

(** The first [n] >= 2 rewards of an arm put its mean outside the interval, or its standard deviation far from the
    estimate. *)
Definition bernstein_deviates (t : nat) (an : nat * nat) (w : Omega) : bool :=
  let (a, n) := an in
  let estimate := sample_mean (fun k => X a k w) n in
  let v := sample_variance (fun k => X a k w) n in
  (2 <=? n) && negb (inside (bernstein_interval t n estimate v) (mean (instance x) a) &&
    at_most (Rabs (sqrt v - sqrt (variance a))) (sqrt (6 * ln (INR t) / (INR n - 1)))).

(** A bad round is such a deviation, at the number of queries that the arm happens to have (l.1253-1263). *)
Lemma a_bad_bernstein_round_is_a_deviation t w : (1 <= t <= T)%nat -> bernstein_good t w = false ->
  exists an, In an (list_prod (arms K) (rounds (t - 1))) /\ bernstein_deviates t an w = true.
Proof.
  intros Ht Hbad.
  assert (Hex : exists a, In a (arms K) /\
    inside (bounds_at x w t a) (mean (instance x) a) && deviation_is_estimated t a w = false).
  { revert Hbad. unfold bernstein_good. generalize (arms K). induction l as [|a l IH]; simpl; [discriminate|].
    destruct (inside (bounds_at x w t a) (mean (instance x) a) && deviation_is_estimated t a w) eqn:E; intros Hbad.
    - destruct (IH Hbad) as [c [Hc Hout]]. exists c. auto.
    - exists a. auto. }
  destruct Hex as [a [Ha Hout]]. apply in_arms in Ha.
  assert (Hn := queries_le_rounds (path_of x w) a (t - 1)).
  rewrite uses in Hout by assumption. unfold deviation_is_estimated in Hout. cbv zeta in Hout.
  set (n := queries (path_of x w) a (t - 1)) in *. exists (a, n).
  assert (H2 : (2 <= n)%nat) by (destruct n as [|[|n]]; [discriminate | discriminate | lia]).
  split; [apply in_prod; [now apply in_arms | apply in_rounds; lia]|].
  unfold bernstein_deviates. replace (2 <=? n) with true by (symmetry; now apply Nat.leb_le).
  replace (n <=? 1) with false in Hout by (symmetry; apply Nat.leb_gt; lia). simpl in Hout |- *. now rewrite Hout.
Qed.
End Bernstein.

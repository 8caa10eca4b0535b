(** Counts and regret as the setting defines them (l.268-271), for every strategy; and facts about the quantities of
    the bounds. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Runs Expectation Experiment.
Open Scope R_scope.

(** n_t(a): plays of [a] in the rounds 1..t. *)
Definition plays (p : path) (a t : nat) : R := sum (rounds t) (fun s => indicator (Nat.eqb (played p s) a)).

(** n^q_t(a) <= n_t(a), l.268: to be queried an arm must be played. *)
Theorem queries_are_at_most_plays p a t : INR (queries p a t) <= plays p a t.
Proof.
  rewrite queries_as_sum. apply sum_le. intros s _. destruct (Nat.eqb _ _), (queried p s); simpl; lra.
Qed.

(** Every round plays one arm: the plays of any strategy sum to T. *)
Theorem plays_sum_to_the_horizon K T p : plays_arms K T p ->
  sum (arms K) (fun a => plays p a T) = INR T.
Proof.
  intros H. unfold plays. rewrite sum_swap.
  rewrite (sum_ext _ _ (fun _ => 1)); [rewrite sum_const, length_rounds; lra|].
  intros t Ht. apply in_rounds in Ht. rewrite (sum_ext _ _ (fun a => 1 * indicator (Nat.eqb (played p t) a)))
    by (intros; lra).
  apply (sum_over_arms_picks K (played p t) (fun _ => 1)). now apply H.
Qed.

(** says: for every strategy, queries of an arm are at most its plays, plays sum to T, all queries are at most T
    paper: l.268
    differs: none
    settles: counts.queries_at_most_plays
    breaks: "= INR T" to "= INR T + 1" *)
Theorem all_queries_are_at_most_the_horizon K T p : plays_arms K T p ->
  (forall a, INR (queries p a T) <= plays p a T) /\ sum (arms K) (fun a => plays p a T) = INR T /\
  sum (arms K) (fun a => INR (queries p a T)) <= INR T.
Proof.
  intros H. split; [intros; apply queries_are_at_most_plays|]. split; [now apply plays_sum_to_the_horizon|].
  rewrite <- (plays_sum_to_the_horizon K T p H). apply sum_le. intros. apply queries_are_at_most_plays.
Qed.

(** says: the regret is the sum over the arms of gap times expected plays, for every strategy and every expectation of
      all real functions
    paper: l.270
    differs: none
    breaks: "gap (instance x) a *" to "2 * gap (instance x) a *" *)
Theorem regret_decomposes_over_the_arms {Omega} (E : expectation Omega) (x : experiment Omega) :
  E (regret_on x) = sum (arms (arms_of x)) (fun a => gap (instance x) a * E
    (fun w => plays (path_of x w) a (horizon x))).
Proof.
  rewrite (expect_ext E _ (fun w => sum (arms (arms_of x))
    (fun a => gap (instance x) a * plays (path_of x w) a (horizon x)))).
  - assert (B : forall a, bounded (fun w => plays (path_of x w) a (horizon x))) by (intros; unfold plays; bounded).
    rewrite (expect_sum E (arms (arms_of x)) (fun a w => gap (instance x) a * plays (path_of x w) a (horizon x)))
      by (intros; bounded).
    apply sum_ext. intros a _. now apply expect_scal.
  - intros w. unfold regret_on, plays.
    rewrite (sum_ext (arms (arms_of x)) _ (fun a => sum (rounds (horizon x))
      (fun t => gap (instance x) a * indicator (Nat.eqb (played (path_of x w) t) a))))
      by (intros; now rewrite sum_scal).
    rewrite sum_swap. apply sum_ext. intros t Ht. apply in_rounds in Ht. symmetry. apply sum_over_arms_picks.
    apply path_plays_arms. exact Ht.
Qed.

(** says: if every mean lies in its interval, a gap is at most the largest UCB minus the arm's LCB
    paper: l.394-397
    differs: for finite ends
    settles: gap.ucb_minus_lcb
    breaks: "<= u - l" to "<= (u - l) / 2" *)
Theorem the_gap_is_at_most_the_largest_upper_bound_minus_the_lower b bounds a u l :
  covered b bounds -> is_arm (number_of_arms b) a -> lower (bounds a) = Some l ->
  (forall c, is_arm (number_of_arms b) c -> upper_le (upper (bounds c)) (Some u)) -> gap b a <= u - l.
Proof.
  intros Hcov Ha Hl Hu. assert (Ho := some_optimal_arm_is_an_arm b).
  destruct (Hcov a Ha) as [Hla _]. rewrite Hl in Hla. destruct (Hcov _ Ho) as [_ Hup]. specialize (Hu _ Ho).
  unfold gap, best. destruct (upper (bounds (some_optimal_arm b))); simpl in Hu; [lra | tauto].
Qed.

(** says: if every mean lies in its interval, the gap of an arm with the largest UCB is at most its width
    paper: l.398
    differs: none
    settles: gap.width_of_largest_ucb
    breaks: "narrower_than (gap b a)" to "narrower_than (2 * gap b a)" *)
Theorem the_gap_of_an_arm_with_the_largest_upper_bound_is_at_most_its_width b bounds a :
  covered b bounds -> is_arm (number_of_arms b) a ->
  (forall c, is_arm (number_of_arms b) c -> upper_le (upper (bounds c)) (upper (bounds a))) ->
  ~ narrower_than (gap b a) (bounds a).
Proof.
  intros Hcov Ha Hu. assert (Ho := some_optimal_arm_is_an_arm b).
  assert (Ca := Hcov a Ha). assert (Co := Hcov _ Ho). change (mean b (some_optimal_arm b)) with (best b) in Co.
  specialize (Hu _ Ho). unfold gap. revert Ca Co Hu.
  generalize (bounds a) (bounds (some_optimal_arm b)). intros i j Ca Co Hu. split_ends.
Qed.

(** says: an arm not wider than epsilon is not queried, for every K, every tie-break and all intervals, infinite ones
      included
    paper: l.443
    differs: none
    settles: epsilon.wide_blocks
    breaks: "~ wider_than epsilon" to "wider_than epsilon" *)
Theorem a_wide_epsilon_blocks_queries K bounds epsilon a :
  ~ wider_than epsilon (bounds a) -> ~ admissible K bounds epsilon a true.
Proof. intros Hn H. now apply a_queried_arm_is_wider_than_epsilon in H. Qed.

(** says: a single arm is queried in round 1 and never again
    paper: l.371-389
    differs: the convention that a maximum over no arms is -infinity
    settles: algorithm.one_arm.corrected
    breaks: "= 1%nat" to "= 2%nat" *)
Theorem a_single_arm_is_queried_once T bounds epsilon p :
  follows_bufalu 1 T bounds epsilon p -> (1 <= T)%nat -> queries p 1 T = 1%nat.
Proof.
  intros run HT. assert (G : forall n, (n < T)%nat -> queries p 1 (S n) = 1%nat).
  { induction n as [|n IH]; intros Hn.
    - assert (R := run 1%nat ltac:(lia)). destruct R as [R1 R2]. simpl. now rewrite R1, R2.
    - simpl queries in IH |- *. rewrite IH by lia. assert (R := run (S (S n)) ltac:(lia)).
      unfold in_round in R.
      simpl in R. destruct (queried p (S (S n))) eqn:Q; [|rewrite andb_false_r; reflexivity].
      exfalso. inversion R as [| | |l u c [Hl _] [Hu [Hul _]] _ _ _]; subst. unfold is_arm in *. lia. }
  replace T with (S (T - 1)) by lia. apply G. lia.
Qed.

(** says: for T <= K there are T queries
    paper: l.929
    differs: none
    breaks: "(T <= K)" to "(K <= T)" *)
Theorem every_initial_round_is_a_query K T bounds epsilon p :
  follows_bufalu K T bounds epsilon p -> (T <= K)%nat -> sum (arms K) (fun a => INR (queries p a T)) = INR T.
Proof.
  intros run HK.
  rewrite (sum_ext _ _ (fun a => sum (rounds T) (fun t => indicator (Nat.eqb (played p t) a && queried p t))))
    by (intros; apply queries_as_sum).
  rewrite sum_swap, (sum_ext (rounds T) _ (fun _ => 1)); [rewrite sum_const, length_rounds; lra|].
  intros t Ht. apply in_rounds in Ht. assert (R := run t Ht). unfold in_round in R.
  replace (t <=? K) with true in R by (symmetry; apply Nat.leb_le; lia). destruct R as [R1 R2].
  rewrite (sum_ext _ _ (fun a => 1 * indicator (Nat.eqb (played p t) a))) by (intros; rewrite R2, andb_true_r; lra).
  apply (sum_over_arms_picks K (played p t) (fun _ => 1)). rewrite R1. unfold is_arm. lia.
Qed.

(** says: L_epsilon(T, d) <= s whenever epsilon stays below d after round s, for every sequence
    paper: l.413
    differs: monotonicity is not needed; equality for nonincreasing sequences is not treated
    breaks: "epsilon t < d" to "epsilon t <= d" *)
Theorem large_epsilon_rounds_are_at_most_the_inverse K epsilon d T s :
  (forall t, (s < t <= T)%nat -> epsilon t < d) -> rounds_with_large_epsilon K epsilon d T <= INR s.
Proof.
  intros H. unfold rounds_with_large_epsilon.
  apply Rle_trans with (sum (rounds T) (fun t => indicator (t <=? s))).
  - apply sum_le. intros t Ht. apply in_rounds in Ht.
    destruct (Nat.leb_spec t s) as [Hle|Hlt]; [apply indicator_le_1|].
    unfold at_most. destruct (Rle_dec d (epsilon t)); [|rewrite andb_false_r; simpl; lra].
    specialize (H t ltac:(lia)). lra.
  - induction T as [|T IH]; [apply pos_INR|]. rewrite sum_rounds_S.
    destruct (Nat.leb_spec (S T) s) as [Hle|Hlt]; simpl indicator.
    + rewrite (sum_ext _ _ (fun _ => 1)).
      * rewrite sum_const, length_rounds. apply le_INR in Hle. rewrite S_INR in Hle. lra.
      * intros t Ht. apply in_rounds in Ht. replace (t <=? s) with true by (symmetry; apply Nat.leb_le; lia).
        reflexivity.
    + assert (sum (rounds T) (fun t => indicator (t <=? s)) <= INR s) by (apply IH; intros; apply H; lia). lra.
Qed.

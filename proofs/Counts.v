(** One run, round after round: the almost-sure cap (l.849), the count of queries (l.946) and of unqueried plays
    (l.938) in good rounds, and what they give for the regret and the queries of the run.

    Nothing here is random: the statements hold for every run, so also when epsilon(t) is chosen by an adaptive
    adversary (l.1042). *)
Require Import Reals Lra Lia Arith Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery.
Open Scope R_scope.

Definition optimal_arm (K : nat) (mean : nat -> R) (best : nat) : Prop :=
  is_arm K best /\ forall a, is_arm K a -> mean a <= mean best.

(** Delta_a and Delta_max (l.266), and the regret of one run, the sum of the gaps of the arms played (l.270). *)
Definition gap (mean : nat -> R) (best a : nat) : R := mean best - mean a.
Definition largest_gap (K : nat) (mean : nat -> R) (best : nat) : R := maximum K (gap mean best).
Definition regret_of (mean : nat -> R) (best T : nat) (r : run) : R :=
  sum T (fun t => gap mean best (arm_at r t)).

(** L_epsilon(T, d) (l.411): the number of rounds with epsilon(t) >= d. *)
Definition rounds_with_epsilon_at_least (T : nat) (epsilon : nat -> R) (d : R) : R :=
  INR (count (fun t => at_most d (epsilon t)) T).

(** Queries of an arm that happen only while its count is at most n number at most n + 1. *)
Lemma few_queries_if_each_comes_early : forall r a T (P : nat -> bool) n,
  0 <= n ->
  (forall t, (1 <= t <= T)%nat -> P t = true ->
     queries_arm r a t = true /\ INR (queries r (t - 1) a) <= n) ->
  INR (count P T) <= n + 1.
Proof.
  intros r a T P n Hn H.
  enough (INR (count P T) <= n + 1 /\ (count P T <= queries r T a)%nat) by tauto.
  revert H; induction T as [|T IH]; intros H; [simpl; split; [lra | lia]|].
  destruct IH as [IHn IHq]; [intros; apply H; auto; lia|].
  unfold queries in *; simpl count; destruct (P (S T)) eqn:EP.
  - destruct (H (S T) ltac:(lia) EP) as [Hq Hc]; rewrite Hq.
    replace (S T - 1)%nat with T in Hc by lia.
    rewrite S_INR; apply le_INR in IHq as IHr; split; [lra | lia].
  - split; [exact IHn | destruct (queries_arm r a (S T)); lia].
Qed.

(** The first query of an arm, in the initial rounds, finds its count at zero. *)
Lemma initial_queries_are_first : forall K T ci epsilon r t a,
  follows K T ci epsilon r -> (1 <= t <= T)%nat -> (t <= K)%nat -> arm_at r t = a ->
  queries r (t - 1) a = 0%nat.
Proof.
  intros K T ci epsilon r t a H Ht HtK Ha.
  destruct (H t Ht) as [initial _]; destruct (initial HtK) as [Hat _]; rewrite Hat in Ha; subst a.
  assert (Hz : forall n, (n < t)%nat -> queries r n t = 0%nat).
  { induction n as [|n IH]; intros Hn; [reflexivity|]; unfold queries in *; simpl.
    destruct (H (S n) ltac:(lia)) as [i _]; destruct (i ltac:(lia)) as [Hs _].
    unfold queries_arm at 1; rewrite Hs.
    destruct (Nat.eqb_spec (S n) t); [lia | simpl; apply IH; lia]. }
  apply Hz; lia.
Qed.

Section OneRun.

Variables (K T : nat) (ci : nat -> nat -> interval) (epsilon : nat -> R) (r : run).
Hypothesis follows_the_rule : follows K T ci epsilon r.

(** [enough t a m]: more than [enough t a m] queries make the interval of arm a narrower than m in round t; the paper
    writes N^as(t, m) and N_a^g(t, m). *)
Definition narrows (n : nat -> R -> R) (t a : nat) (m : R) : Prop :=
  n t m < INR (queries r (t - 1) a) -> falls_below (width (ci t a)) m.

(** Theorem l.849 part 1 (l.421 with Hoeffding intervals): n^q_T(a) <= max_t N^as(t, epsilon(t)) + 1 on every path.
    As printed, and more: only rounds after the initial ones need condition 5, N^as need not be capped by t - 1,
    and epsilon may be any sequence, of this path only (an adaptive adversary) and even negative. *)
Theorem every_arm_is_queried_at_most_the_cap_plus_one : forall (n_as : nat -> R -> R) a,
  (forall t, (K < t <= T)%nat -> narrows n_as t a (epsilon t)) ->
  INR (queries r T a) <= maximum T (fun t => n_as t (epsilon t)) + 1.
Proof.
  intros n_as a H; apply few_queries_if_each_comes_early with (r := r) (a := a); [apply maximum_nonneg|].
  intros t Ht Hq; split; [exact Hq|].
  unfold queries_arm in Hq; apply andb_prop in Hq; destruct Hq as [Ha Hq]; apply Nat.eqb_eq in Ha.
  destruct (Nat.le_gt_cases t K) as [h|h].
  - rewrite (initial_queries_are_first K T ci epsilon r t a); auto; simpl; apply maximum_nonneg.
  - apply Rle_trans with (n_as t (epsilon t)); [|apply (maximum_includes T (fun t => n_as t (epsilon t))); lia].
    apply Rnot_lt_le; intro Hmany; apply (H t ltac:(lia)) in Hmany.
    destruct (follows_the_rule t Ht) as [_ later]; specialize (later h); rewrite Ha, Hq in later.
    apply a_queried_arm_is_wider_than_epsilon in later.
    destruct (width (ci t a)); simpl in *; [lra | auto].
Qed.

Variables (mean : nat -> R) (best : nat).
Hypothesis best_is_optimal : optimal_arm K mean best.
Variable good : nat -> bool.
Hypothesis good_rounds_contain_the_means :
  forall t a, (1 <= t <= T)%nat -> good t = true -> is_arm K a -> contains (ci t a) (mean a).
Hypothesis epsilon_nonneg : forall t, (K < t <= T)%nat -> 0 <= epsilon t.

Notation delta := (gap mean best).

(** How often arm a was queried, and played without query, in good rounds. *)
Definition good_queries (a : nat) : R := INR (count (fun t => good t && queries_arm r a t) T).
Definition good_silent_plays (a : nat) : R :=
  INR (count (fun t => good t && (Nat.eqb (arm_at r t) a && negb (queried_at r t))) T).
Definition bad_rounds : R := sum T (fun t => indicator (negb (good t))).

(** l.938-945: arm a is played without query in good rounds at most L_epsilon(T, Delta_a) times. The paper cites
    part (i) of the lemma where part (ii) is meant (l.938). *)
Lemma silent_plays_need_a_large_epsilon : forall a,
  good_silent_plays a <= rounds_with_epsilon_at_least T epsilon (delta a).
Proof.
  intros a; apply le_INR, count_implies; intros t Ht H.
  apply andb_prop in H; destruct H as [Hg H]; apply andb_prop in H; destruct H as [Ha Hq].
  apply Nat.eqb_eq in Ha; apply negb_true_iff in Hq; apply at_most_true.
  destruct (follows_the_rule t Ht) as [initial later].
  destruct (Nat.le_gt_cases t K) as [h|h]; [destruct (initial h); congruence|].
  specialize (later h); rewrite Ha, Hq in later.
  eapply an_unqueried_arm_is_within_epsilon_of_the_best;
    [apply best_is_optimal | | apply epsilon_nonneg; lia | exact later].
  intros b Hb; apply good_rounds_contain_the_means; auto.
Qed.

(** l.946-951: if a query of arm a in a good round proves its width to be at least [level t], then arm a is queried
    in good rounds at most max_t N_a^g(t, level t) + 1 times. *)
Lemma queries_need_a_wide_interval : forall (n : nat -> R -> R) (level : nat -> R) a,
  (forall t, (K < t <= T)%nat -> good t = true -> narrows n t a (level t)) ->
  (forall t, (K < t <= T)%nat -> good t = true -> admissible K (ci t) (epsilon t) a true ->
     reaches (width (ci t a)) (level t)) ->
  good_queries a <= maximum T (fun t => n t (level t)) + 1.
Proof.
  intros n level a Hn Hwide; apply few_queries_if_each_comes_early with (r := r) (a := a); [apply maximum_nonneg|].
  intros t Ht H; apply andb_prop in H; destruct H as [Hg Hqa]; split; [exact Hqa|].
  unfold queries_arm in Hqa; apply andb_prop in Hqa; destruct Hqa as [Ha Hq]; apply Nat.eqb_eq in Ha.
  destruct (Nat.le_gt_cases t K) as [h|h].
  - rewrite (initial_queries_are_first K T ci epsilon r t a); auto; simpl; apply maximum_nonneg.
  - apply Rle_trans with (n t (level t)); [|apply (maximum_includes T (fun t => n t (level t))); lia].
    apply Rnot_lt_le; intro Hmany; apply (Hn t ltac:(lia) Hg) in Hmany.
    destruct (follows_the_rule t Ht) as [_ later]; specialize (later h); rewrite Ha, Hq in later.
    exact (reaches_or_falls_below _ _ (Hwide t ltac:(lia) Hg later) Hmany).
Qed.

(** N-bar_a^g(T, d) = max_t N_a^g(t, max {d, epsilon(t)}) (l.843). *)
Definition n_bar (n : nat -> R -> R) (d : R) : R := maximum T (fun t => n t (Rmax d (epsilon t))).

(** The same with the sharper level (d + epsilon(t)) / 2 in place of d / 2. *)
Definition n_bar_sharp (n : nat -> R -> R) (d : R) : R :=
  maximum T (fun t => n t (Rmax ((d + epsilon t) / 2) (epsilon t))).

Lemma a_level_and_epsilon : forall t a d,
  reaches (width (ci t a)) d -> admissible K (ci t) (epsilon t) a true ->
  reaches (width (ci t a)) (Rmax d (epsilon t)).
Proof.
  intros t a d Hd H; apply a_queried_arm_is_wider_than_epsilon in H.
  destruct (width (ci t a)); simpl in *; [apply Rmax_lub; lra | auto].
Qed.

Section OneArm.

Variables (n : nat -> R -> R) (a : nat).
Hypothesis enough_queries_narrow :
  forall t m, (K < t <= T)%nat -> good t = true -> 0 <= m -> narrows n t a m.

Lemma narrows_at : forall t x, (K < t <= T)%nat -> good t = true -> narrows n t a (Rmax x (epsilon t)).
Proof.
  intros t x Ht Hg; apply enough_queries_narrow; auto.
  eapply Rle_trans; [apply epsilon_nonneg; exact Ht | apply Rmax_r].
Qed.

(** Several optimal arms: any arm, with level Delta_a (cases (i)-(iii)). *)
Lemma good_queries_if_several_are_optimal : forall other,
  is_arm K other -> other <> best -> mean other = mean best ->
  good_queries a <= n_bar n (delta a) + 1.
Proof.
  intros other Ho Hne Hm; apply (queries_need_a_wide_interval n (fun t => Rmax (delta a) (epsilon t))).
  - intros; apply narrows_at; auto.
  - intros t Ht Hg H; apply a_level_and_epsilon; auto.
    eapply (a_queried_arm_is_as_wide_as_its_gap_if_several_are_optimal K (ci t) (epsilon t) mean best); eauto.
    + apply best_is_optimal.
    + intros; apply good_rounds_contain_the_means; auto; lia.
Qed.

(** Any arm but the best, with level Delta_a / 2 (cases (ii) and (iv)). *)
Lemma good_queries_of_another_arm :
  a <> best -> good_queries a <= n_bar n (delta a / 2) + 1.
Proof.
  intros Hne; apply (queries_need_a_wide_interval n (fun t => Rmax (delta a / 2) (epsilon t))).
  - intros; apply narrows_at; auto.
  - intros t Ht Hg H; apply a_level_and_epsilon; auto.
    apply (a_queried_arm_is_half_as_wide_as_its_gap K (ci t) (epsilon t) mean best); auto.
    + apply best_is_optimal.
    + intros; apply good_rounds_contain_the_means; auto; lia.
Qed.

(** Any arm but the best, with the sharper level (Delta_a + epsilon(t)) / 2. *)
Lemma good_queries_of_another_arm_sharper :
  a <> best -> good_queries a <= n_bar_sharp n (delta a) + 1.
Proof.
  intros Hne; apply (queries_need_a_wide_interval n (fun t => Rmax ((delta a + epsilon t) / 2) (epsilon t))).
  - intros; apply narrows_at; auto.
  - intros t Ht Hg H; apply a_level_and_epsilon; auto.
    assert (Hx : exceeds (width (ci t a)) ((gap mean best a + epsilon t) / 2)).
    { apply (a_queried_arm_is_wider_than_half_of_gap_plus_epsilon K (ci t) (epsilon t) mean best); auto.
      - apply best_is_optimal.
      - intros; apply good_rounds_contain_the_means; auto; lia. }
    destruct (width (ci t a)); simpl in *; [lra | auto].
Qed.

(** The unique optimal arm, with level d / 2 for any d that no other gap undercuts (case (v)). *)
Lemma good_queries_of_the_best_arm : forall d,
  0 < d -> (forall b, is_arm K b -> b <> best -> d <= delta b) -> a = best ->
  good_queries a <= n_bar n (d / 2) + 1.
Proof.
  intros d Hd Hgap Hab; apply (queries_need_a_wide_interval n (fun t => Rmax (d / 2) (epsilon t))).
  - intros; apply narrows_at; auto.
  - intros t Ht Hg H; apply a_level_and_epsilon; auto; rewrite Hab in H |- *.
    apply (the_queried_best_arm_is_half_as_wide_as_the_smallest_gap K (ci t) (epsilon t) mean best); auto.
    + apply best_is_optimal.
    + intros; apply good_rounds_contain_the_means; auto; lia.
Qed.

End OneArm.

Lemma gap_nonneg : forall a, is_arm K a -> 0 <= delta a.
Proof. intros a Ha; unfold gap; destruct best_is_optimal as [_ H]; specialize (H a Ha); lra. Qed.

Lemma gap_at_most_largest : forall a, is_arm K a -> delta a <= largest_gap K mean best.
Proof. intros a Ha; apply maximum_includes; exact Ha. Qed.

(** Good rounds, arm by arm: plays are silent plays and queries (l.933). *)
Lemma good_plays_split : forall a,
  sum T (fun t => indicator (good t && Nat.eqb (arm_at r t) a)) = good_silent_plays a + good_queries a.
Proof.
  intros a; unfold good_silent_plays, good_queries; rewrite !count_is_sum, <- sum_plus; apply sum_ext.
  intros t _; unfold queries_arm.
  destruct (good t), (Nat.eqb (arm_at r t) a), (queried_at r t); simpl; lra.
Qed.

(** The regret of a run is at most what good rounds cost, arm by arm, and Delta_max for each bad round (l.1021). *)
Lemma regret_splits :
  regret_of mean best T r <=
    sum K (fun a => delta a * (good_silent_plays a + good_queries a)) + largest_gap K mean best * bad_rounds.
Proof.
  apply Rle_trans with (sum T (fun t =>
    sum K (fun a => delta a * indicator (good t && Nat.eqb (arm_at r t) a))
    + largest_gap K mean best * indicator (negb (good t)))).
  - apply sum_le; intros t Ht.
    assert (Ha : is_arm K (arm_at r t)) by (eapply followed_arm; eauto).
    destruct (good t); simpl andb; simpl negb; unfold indicator at 2.
    + rewrite (sum_ext K _ (fun a => if Nat.eqb a (arm_at r t) then delta a else 0)).
      * rewrite sum_pick by exact Ha; lra.
      * intros a _; rewrite Nat.eqb_sym; destruct (Nat.eqb a (arm_at r t)); simpl; lra.
    + rewrite (sum_ext K _ (fun _ => 0)), sum_zero; [|intros; simpl; lra].
      pose proof (gap_at_most_largest _ Ha); lra.
  - rewrite sum_plus, sum_scale, sum_swap; apply Rplus_le_compat_r, Req_le, sum_ext.
    intros a _; rewrite sum_scale, good_plays_split; reflexivity.
Qed.

(** Queries are those of good rounds, arm by arm, and at most one for each bad round (l.1031). *)
Lemma queries_split : INR (all_queries r T) <= sum K good_queries + bad_rounds.
Proof.
  unfold all_queries, bad_rounds, good_queries; rewrite count_is_sum.
  rewrite (sum_ext K _ (fun a => sum T (fun t => indicator (good t && queries_arm r a t))))
    by (intros; apply count_is_sum).
  rewrite sum_swap, <- sum_plus; apply sum_le; intros t Ht.
  assert (Ha : is_arm K (arm_at r t)) by (eapply followed_arm; eauto).
  assert (Hz : 0 <= sum K (fun a => indicator (good t && queries_arm r a t)))
    by (apply sum_nonneg; intros; apply indicator_nonneg).
  destruct (good t) eqn:Eg; simpl negb; unfold indicator at 3.
  - rewrite (sum_ext K _ (fun a => if Nat.eqb a (arm_at r t) then indicator (queried_at r t) else 0)).
    + rewrite (sum_pick K (arm_at r t) (fun _ => indicator (queried_at r t)) Ha); lra.
    + intros a _; unfold queries_arm; rewrite Nat.eqb_sym.
      destruct (Nat.eqb a (arm_at r t)), (queried_at r t); reflexivity.
  - pose proof (indicator_at_most_one (queried_at r t)); lra.
Qed.

(** The last lines of the proof (l.1021-1040) for one run, with any bounds b on the good queries of each arm. *)
Lemma regret_of_a_run : forall b : nat -> R,
  (forall a, is_arm K a -> delta a * good_queries a <= delta a * (b a + 1)) ->
  regret_of mean best T r <=
    sum K (fun a => delta a * (b a + rounds_with_epsilon_at_least T epsilon (delta a)))
    + (INR K + bad_rounds) * largest_gap K mean best.
Proof.
  intros b H; eapply Rle_trans; [apply regret_splits|].
  apply Rle_trans with (sum K (fun a =>
    delta a * (b a + rounds_with_epsilon_at_least T epsilon (delta a)) + largest_gap K mean best)
    + largest_gap K mean best * bad_rounds).
  - apply Rplus_le_compat_r, sum_le; intros a Ha.
    specialize (H a Ha); pose proof (gap_at_most_largest a Ha).
    pose proof (Rmult_le_compat_l _ _ _ (gap_nonneg a Ha) (silent_plays_need_a_large_epsilon a)); lra.
  - rewrite sum_plus, sum_const; lra.
Qed.

Lemma queries_of_a_run : forall b : nat -> R,
  (forall a, is_arm K a -> good_queries a <= b a + 1) ->
  INR (all_queries r T) <= sum K b + (INR K + bad_rounds).
Proof.
  intros b H; eapply Rle_trans; [apply queries_split|].
  apply Rle_trans with (sum K (fun a => b a + 1) + bad_rounds).
  - apply Rplus_le_compat_r, sum_le; exact H.
  - rewrite sum_plus, sum_const; lra.
Qed.

End OneRun.

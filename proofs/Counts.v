(** From counts of queries in good rounds to expectations (l.938-956, l.1024-1039), for any strategy. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums GapQuery Runs Expectation Experiment.
Open Scope R_scope.

Section Counts.
Context {Omega : Type} (E : expectation Omega) (x : experiment Omega) (good : nat -> Omega -> bool) (failures : R).
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.
Hypothesis failures_are_few : sum (rounds T) (fun t => probability E (fun w => negb (good t w))) <= failures.

(** The number of bad rounds, in expectation. *)
Lemma expected_bad_rounds : E (fun w => sum (rounds T) (fun t => indicator (negb (good t w)))) <= failures.
Proof. rewrite expect_sum by (intros; bounded). exact failures_are_few. Qed.

(** On every path, at most N(a) + 1 good rounds query [a]. *)
Definition good_queries (a : nat) (w : Omega) : R :=
  sum (rounds T) (fun t => indicator (good t w && (Nat.eqb (played (path_of x w) t) a && queried (path_of x w) t))).
Definition few_good_queries (N : nat -> Omega -> R) (a : nat) : Prop :=
  bounded (N a) /\ forall w, good_queries a w <= N a w + 1.

(** l.1032-1039, for queries that cost [cost a] each (l.268 announces arm-dependent costs). *)
Lemma query_costs_from_counts N cost highest_cost :
  (forall a, is_arm K a -> 0 <= cost a <= highest_cost) -> (forall a, is_arm K a -> few_good_queries N a) ->
  E (query_costs_on x cost) <= sum (arms K) (fun a => cost a * (E (N a) + 1)) + highest_cost * failures.
Proof.
  intros Hcost Hfew.
  assert (P : forall w, query_costs_on x cost w <= sum (arms K) (fun a => cost a * (N a w + 1))
      + highest_cost * sum (rounds T) (fun t => indicator (negb (good t w)))).
  { intros w. unfold query_costs_on. fold K T. set (p := path_of x w).
    apply Rle_trans with (sum (arms K) (fun a => cost a * good_queries a w
        + sum (rounds T) (fun t => highest_cost * indicator (negb (good t w)) * indicator
            (Nat.eqb (played p t) a)))).
    - apply sum_le. intros a Ha. apply in_arms in Ha. destruct (Hcost a Ha) as [C0 C1]. unfold good_queries. fold p.
      rewrite queries_as_sum, <- !sum_scal, <- sum_plus. apply sum_le. intros t _.
      destruct (good t w), (Nat.eqb (played p t) a), (queried p t); simpl; lra.
    - rewrite sum_plus. apply Rplus_le_compat.
      + apply sum_le. intros a Ha. apply in_arms in Ha. apply Rmult_le_compat_l; [now apply Hcost | now apply Hfew].
      + rewrite sum_swap, <- sum_scal. apply sum_le. intros t Ht. apply in_rounds in Ht.
        rewrite (sum_over_arms_picks K _ (fun _ => highest_cost * indicator (negb (good t w)))); [lra|].
        apply path_plays_arms. exact Ht. }
  assert (B : forall a, In a (arms K) -> bounded (N a)) by (intros; now apply Hfew, in_arms).
  eapply Rle_trans; [apply expect_le, P; bounded|].
  rewrite expect_plus, expect_sum, expect_scal by (intros; bounded).
  rewrite (sum_ext (arms K) _ (fun a => cost a * (E (N a) + 1)))
    by (intros a Ha; specialize (B a Ha); now rewrite expect_scal, expect_plus, expect_const by bounded).
  assert (Hh : 0 <= highest_cost).
  { destruct (Hcost _ (some_optimal_arm_is_an_arm b)). lra. }
  generalize (Rmult_le_compat_l _ _ _ Hh expected_bad_rounds). lra.
Qed.

Lemma query_costs_of_one : E (query_costs_on x (fun _ => 1)) = E (queries_on x).
Proof. apply expect_ext. intros w. apply sum_ext. intros; lra. Qed.

Lemma queries_from_counts N : (forall a, is_arm K a -> few_good_queries N a) ->
  E (queries_on x) <= sum (arms K) (fun a => E (N a)) + (INR K + failures).
Proof.
  intros Hfew. assert (P := query_costs_from_counts N (fun _ => 1) 1 ltac:(intros; lra) Hfew).
  rewrite query_costs_of_one, sum_scal, sum_plus, sum_const in P. unfold arms at 2 in P. rewrite seq_length in P. lra.
Qed.

(** The queries of one arm. *)
Lemma queries_of_one_arm_from_counts N a : is_arm K a -> (forall a, is_arm K a -> few_good_queries N a) ->
  E (fun w => INR (queries (path_of x w) a T)) <= E (N a) + 1 + failures.
Proof.
  intros Ha Hfew. assert (P := query_costs_from_counts N (fun c => indicator (Nat.eqb a c)) 1
    ltac:(intros; split; [apply indicator_nonneg | apply indicator_le_1]) Hfew).
  rewrite (sum_ext _ _ (fun c => (E (N c) + 1) * indicator (Nat.eqb a c))) in P by (intros; apply Rmult_comm).
  rewrite (sum_over_arms_picks K a (fun c => E (N c) + 1) Ha) in P.
  rewrite (expect_ext E (query_costs_on x _) (fun w => INR (queries (path_of x w) a T))) in P; [lra|].
  intros w. rewrite <- (sum_over_arms_picks K a (fun c => INR (queries (path_of x w) c T)) Ha).
  apply sum_ext. intros. apply Rmult_comm.
Qed.

Variable epsilon : Omega -> nat -> R.
Hypothesis initial_rounds_query : forall w t, (1 <= t <= T)%nat -> (t <= K)%nat -> queried (path_of x w) t = true.
Hypothesis unqueried_plays_are_good : forall w t, (K < t <= T)%nat -> good t w = true ->
  queried (path_of x w) t = false -> gap b (played (path_of x w) t) <= epsilon w t.

Lemma unqueried_plays_in_good_rounds_are_few a w :
  sum (rounds T) (fun t => indicator (good t w &&
    (Nat.eqb (played (path_of x w) t) a && negb (queried (path_of x w) t))))
    <= rounds_with_large_epsilon K (epsilon w) (gap b a) T.
Proof.
  apply sum_le. intros t Ht. apply in_rounds in Ht.
  destruct (good t w && _) eqn:Eb; [|apply indicator_nonneg].
  apply andb_true_iff in Eb. destruct Eb as [Hgood Eb]. apply andb_true_iff in Eb. destruct Eb as [Hplay Hq].
  apply Nat.eqb_eq in Hplay. apply negb_true_iff in Hq. destruct (Nat.leb_spec t K) as [HK|HK].
  - rewrite (initial_rounds_query w t Ht HK) in Hq. discriminate.
  - assert (G := unqueried_plays_are_good w t ltac:(lia) Hgood Hq). rewrite Hplay in G. rewrite at_most_true by exact G.
    replace (K <? t) with true by (symmetry; apply Nat.ltb_lt; lia). simpl. lra.
Qed.

(** l.1024-1030; only suboptimal arms need a count. *)
Lemma regret_from_counts N :
  (forall a, is_arm K a -> bounded (N a)) -> (forall a, is_arm K a -> 0 < gap b a -> few_good_queries N a) ->
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (E (N a) +
      E (fun w => rounds_with_large_epsilon K (epsilon w) (gap b a) T))) + (INR K + failures) * largest_gap b.
Proof.
  intros B Hfew.
  set (L := fun a w => rounds_with_large_epsilon K (epsilon w) (gap b a) T).
  assert (P : forall w, regret_on x w <= sum (arms K) (fun a => gap b a * (N a w + L a w + 1))
      + largest_gap b * sum (rounds T) (fun t => indicator (negb (good t w)))).
  { intros w.
    apply Rle_trans with (sum (rounds T) (fun t => sum (arms K)
      (fun a => gap b a * indicator (good t w && Nat.eqb (played (path_of x w) t) a))
      + largest_gap b * indicator (negb (good t w)))).
    - apply sum_le. intros t Ht. apply in_rounds in Ht.
      assert (Ha : is_arm K (played (path_of x w) t)) by (apply path_plays_arms; exact Ht).
      destruct (good t w); simpl.
      + fold b. rewrite <- (sum_over_arms_picks K (played (path_of x w) t) (gap b) Ha) at 1. lra.
      + rewrite sum_zero by (intros; lra). generalize (gap_le_largest b _ Ha). fold b. lra.
    - rewrite sum_plus, sum_scal, sum_swap. apply Rplus_le_compat_r. apply sum_le. intros a Ha. apply in_arms in Ha.
      rewrite sum_scal. destruct (Rle_lt_dec (gap b a) 0) as [Hle|Hlt].
      + replace (gap b a) with 0 by (generalize (gap_nonneg b a Ha); lra). lra.
      + apply Rmult_le_compat_l; [lra|]. destruct (Hfew a Ha Hlt) as [_ Q].
        replace (N a w + L a w + 1) with (N a w + 1 + L a w) by ring.
        eapply Rle_trans; [|apply Rplus_le_compat; [exact (Q w) | exact (unqueried_plays_in_good_rounds_are_few a w)]].
        unfold good_queries. rewrite <- sum_plus. apply Req_le, sum_ext. intros t _.
        destruct (good t w), (Nat.eqb (played (path_of x w) t) a), (queried (path_of x w) t); simpl; lra. }
  assert (B' : forall a, In a (arms K) -> bounded (N a)) by (intros; now apply B, in_arms).
  assert (BL : forall a, bounded (L a)) by (intros; unfold L, rounds_with_large_epsilon; bounded).
  eapply Rle_trans; [apply expect_le, P; bounded|].
  rewrite expect_plus, expect_scal, expect_sum by (intros; bounded).
  rewrite (sum_ext (arms K) _ (fun a => gap b a * (E (N a) + E (L a)) + gap b a)).
  2: { intros a Ha. specialize (B' a Ha). rewrite expect_scal, 2 expect_plus, expect_const by bounded. ring. }
  rewrite sum_plus. assert (G : sum (arms K) (gap b) <= INR K * largest_gap b).
  { rewrite <- (seq_length K 1) at 2. rewrite <- sum_const. apply sum_le. intros a Ha. apply in_arms in Ha.
    now apply gap_le_largest. }
  assert (F := Rmult_le_compat_l _ _ _ (largest_gap_nonneg b) expected_bad_rounds). unfold L. cbv beta. lra.
Qed.
End Counts.

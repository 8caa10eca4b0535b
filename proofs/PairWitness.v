(** Beyond the paper: the pair rule with one tie-break, as a function of the past, so that no theorem about it holds for
    want of runs. *)

From Coq Require Import Reals Lra Lia Arith List Bool FunctionalExtensionality.
From Bufalu Require Import Sums Intervals Decision GapQuery Runs Expectation Experiment Laws Witness PairRule PairRuns
  PairEndToEnd.
Import ListNotations.
Open Scope R_scope.

(** ** One decision *)

Section Decide.
Variables (K : nat) (s kappa : R) (t : nat) (count : nat -> nat) (estimate : nat -> R) (epsilon : R).
Hypothesis there_is_an_arm : (1 <= K)%nat.
Let index := pair_index s t count estimate.

Definition pair_leader : nat :=
  top (fun a c => estimate a <= estimate c) (fun _ _ => real_order _ _) 1%nat (seq 2 (K - 1)).

Definition decide_by_pairs : nat * bool :=
  match others K pair_leader with
  | [] => (pair_leader, false)
  | first :: more =>
      let u := top (fun a c => index pair_leader a <= index pair_leader c) (fun _ _ => real_order _ _) first more in
      if Rle_dec (index pair_leader u) epsilon then (pair_leader, false)
      else if Rle_dec (INR (count pair_leader)) (kappa * INR (count u)) then (pair_leader, true) else (u, true)
  end.

Lemma pair_leader_leads : is_pair_leader K estimate pair_leader.
Proof.
  unfold pair_leader. split.
  - apply in_arms. rewrite <- (arms_are_listed K there_is_an_arm). apply top_is_listed.
  - intros a Ha. apply in_arms in Ha. rewrite <- (arms_are_listed K there_is_an_arm) in Ha.
    apply (top_is_largest (fun a c => estimate a <= estimate c)); [|exact Ha]. intros x y z. apply Rle_trans.
Qed.

Lemma the_pair_decision_is_admissible :
  pair_decision K s kappa t count estimate epsilon (fst decide_by_pairs) (snd decide_by_pairs).
Proof.
  unfold decide_by_pairs. assert (Hl := pair_leader_leads). destruct (others K pair_leader) as [|first more] eqn:Ho.
  - apply pair_plays_the_only_arm; [exact Hl|]. intros a Ha. destruct (Nat.eq_dec a pair_leader) as [E|Hne]; [exact E|].
    assert (I : In a (others K pair_leader)) by (apply in_others; split; [exact Ha | congruence]). rewrite Ho in I.
    destruct I.
  - cbv zeta. set (u := top _ _ first more).
    assert (Hu : is_pair_challenger K s t count estimate pair_leader u).
    { assert (I : In u (others K pair_leader)) by (rewrite Ho; apply top_is_listed). apply in_others in I.
      destruct I as [Ha Hne]. split; [exact Ha|]. split; [congruence|]. intros a Haa Hal.
      apply (top_is_largest (fun a c => index pair_leader a <= index pair_leader c)); [intros x y z; apply Rle_trans|].
      rewrite <- Ho. apply in_others. split; [exact Haa | congruence]. }
    destruct (Rle_dec _ _) as [Hin|Hout]; [now apply pair_plays_the_leader with (u := u)|].
    apply Rnot_le_lt in Hout. destruct (Rle_dec _ _) as [Hc|Hc].
    + now apply pair_queries_the_leader with (u := u).
    + apply Rnot_le_lt in Hc. apply pair_queries_the_challenger with (l := pair_leader); trivial. now apply Rlt_le.
Qed.
End Decide.

(** ** A run *)

Section Run.
Context {Row : Type} (missing : Row) (X : nat -> Row -> R).
Variables (K : nat) (s kappa : R) (epsilon : nat -> R).
Hypothesis there_is_an_arm : (1 <= K)%nat.

(** The rounds so far, and of each arm the queries and the sum of the queried rewards. *)
Record standing : Type := Standing { rounds_so_far : nat; counts_so_far : nat -> nat; sums_so_far : nat -> R }.

Definition next_decision (st : standing) : nat * bool :=
  let t := S (rounds_so_far st) in
  if t <=? K then (t, true)
  else decide_by_pairs K s kappa t (counts_so_far st) (fun a => sums_so_far st a / INR (counts_so_far st a)) (epsilon
    t).

Definition after_row (st : standing) (r : Row) : standing :=
  let asks := fun a => Nat.eqb (fst (next_decision st)) a && snd (next_decision st) in
  Standing (S (rounds_so_far st)) (fun a => counts_so_far st a + if asks a then 1 else 0)%nat
    (fun a => sums_so_far st a + indicator (asks a) * (X a r - 0)).

Definition standing_after (p : list Row) : standing :=
  fold_left after_row p (Standing 0 (fun _ => 0%nat) (fun _ => 0)).

Definition decide_by_standing (p : list Row) : nat * bool := next_decision (standing_after p).

Lemma the_standing_is_that_of_the_run p :
  rounds_so_far (standing_after p) = length p /\
  (forall a, counts_so_far (standing_after p) a = queries (run_along missing decide_by_standing p) a (length p)) /\
  (forall a, sums_so_far (standing_after p) a = centred_sum missing decide_by_standing X 0 p a (length p)).
Proof.
  induction p as [|r p [IH1 [IH2 IH3]]] using rev_ind; [repeat split|].
  assert (E : standing_after (p ++ [r]) = after_row (standing_after p) r)
    by (unfold standing_after; now rewrite fold_left_app).
  rewrite E, app_length. simpl length. rewrite Nat.add_1_r. simpl rounds_so_far. simpl counts_so_far. simpl sums_so_far.
  split; [now rewrite IH1|]. split; intros a.
  - rewrite queries_of_one_more, <- IH2. reflexivity.
  - rewrite centred_sum_of_one_more, <- IH3. reflexivity.
Qed.

Lemma the_standing_run_follows_the_rule w t : (1 <= t)%nat ->
  in_round K (pair_decision K s kappa t (fun a => queries (run_along missing decide_by_standing w) a (t - 1))
    (fun a => queried_mean missing decide_by_standing X w a (t - 1)) (epsilon t)) t
    (played (run_along missing decide_by_standing w) t) (queried (run_along missing decide_by_standing w) t).
Proof.
  intros Ht. simpl played. simpl queried. set (p := first_rows missing (t - 1) w).
  destruct (the_standing_is_that_of_the_run p) as [H1 [H2 H3]].
  assert (Hlen : length p = (t - 1)%nat) by apply length_first_rows. rewrite Hlen in H1, H2, H3.
  unfold decide_by_standing at 3 4, next_decision. rewrite H1. replace (S (t - 1)) with t by lia. unfold in_round.
  destruct (t <=? K); [split; reflexivity|].
  assert (C : counts_so_far (standing_after p) = fun a => queries (run_along missing decide_by_standing w) a (t - 1)).
  { apply functional_extensionality. intros a. rewrite H2. unfold p. apply queries_of_first_rows. lia. }
  assert (M : (fun a => sums_so_far (standing_after p) a / INR (counts_so_far (standing_after p) a))
    = fun a => queried_mean missing decide_by_standing X w a (t - 1)).
  { apply functional_extensionality. intros a. rewrite C, H3. unfold queried_mean. f_equal. unfold p.
    rewrite centred_sum_of_first_rows by lia. apply sum_ext. intros; ring. }
  rewrite M, C. now apply the_pair_decision_is_admissible.
Qed.

Lemma the_standing_run_plays_arms T w : plays_arms K T (run_along missing decide_by_standing w).
Proof.
  intros t Ht. assert (Q := the_standing_run_follows_the_rule w t ltac:(lia)). unfold in_round in Q.
  destruct (Nat.leb_spec t K) as [H|H]; [destruct Q as [-> _]; unfold is_arm; lia | exact (pair_decision_is_arm _ _ _
    _ _ _ _ _ _ Q)].
Qed.
End Run.

(** The row of one round: a reward of each arm, drawn from its law. *)
Definition row_of_laws (law : nat -> expectation reward) (K : nat) : expectation (list reward) :=
  one_from_each (map law (arms K)).
Definition pay (a : nat) (row : list reward) : R := value (nth (a - 1) row no_reward).

(** says: for every bandit of laws on [0,1], horizon, nonnegative epsilon, kappa >= 1 and s > 0 there are runs of the
      pair rule: nothing about it is vacuous
    paper: beyond the paper
    breaks: "mean b a =" to "mean b a <=" *)
Theorem runs_of_the_pair_rule_exist s kappa (law : nat -> expectation reward) b T epsilon : 0 < s -> 1 <= kappa ->
  (forall a, is_arm (number_of_arms b) a -> mean b a = law a value) ->
  (forall t, (number_of_arms b < t <= T)%nat -> 0 <= epsilon t) ->
  exists decide (x : experiment (list (list reward))), instance x = b /\ horizon x = T /\
    pair_rule_on_rows s kappa (row_of_laws law (number_of_arms b)) pay [] decide epsilon x.
Proof.
  intros Hs Hk Hmeans Heps. set (K := number_of_arms b).
  set (decide := decide_by_standing pay K s kappa epsilon). exists decide.
  exists (Experiment (list (list reward)) b T (fun _ _ _ => whole_line) (fun _ => epsilon) (run_along [] decide)
    (the_standing_run_plays_arms [] pay K s kappa epsilon (there_is_an_arm_in b) T)).
  split; [reflexivity|]. split; [reflexivity|]. constructor; trivial.
  - intros a r _. apply a_reward_is_in_the_unit_interval.
  - intros a Ha. change (is_arm K a) in Ha. change (row_of_laws law K (pay a) = mean b a). rewrite (Hmeans a Ha).
    apply (marginal_of_draws (map law (arms K)) (a - 1) (law a) no_reward value). rewrite nth_error_map. unfold arms.
    unfold is_arm in Ha. rewrite (nth_error_nth' _ 0%nat) by (rewrite seq_length; lia). rewrite seq_nth by lia. simpl.
    do 2 f_equal. lia.
  - intros w t Ht. exact (the_standing_run_follows_the_rule [] pay K s kappa epsilon (there_is_an_arm_in b) w t (proj1
    Ht)).
Qed.

(** What a deployment changes: answers come late, out of order or never, and samples from before the first round are known.
    Decisions use the answers known by then and nothing else. For every rule that is steered by some rho >= 0, BuFALU and
    the dial among them, and any intervals that enough answers make narrow. LiveBounds.v has Hoeffding's intervals. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Cases Runs Expectation Experiment Counts Levels Setting.
Open Scope R_scope.

(** What is known when. Before round t, [known w t a] answers of arm [a] are known, the [start a] samples from before round
    1 among them. Of the queries of an arm, [lost a w] never get an answer, and at most [waiting] others have none yet. *)
Record deployed {Omega} (x : experiment Omega) (known : Omega -> nat -> nat -> nat) (start : nat -> nat) (waiting : nat)
    (lost : nat -> Omega -> nat) : Prop := Deployed {
  every_answer_was_asked_for : forall w t a, (1 <= t <= horizon x)%nat -> is_arm (arms_of x) a ->
    (start a <= known w t a <= start a + queries (path_of x w) a (t - 1))%nat;
  few_answers_are_missing : forall w t a, (1 <= t <= horizon x)%nat -> is_arm (arms_of x) a ->
    (start a + queries (path_of x w) a (t - 1) <= known w t a + waiting + lost a w)%nat;
  what_is_lost_was_asked_for : forall w a, is_arm (arms_of x) a ->
    (lost a w <= queries (path_of x w) a (horizon x))%nat
}.

(** The conditions of regularity (l.833-844), with answers in the place of queries: widths are not negative, means are
    covered in good rounds, bad rounds are rare, and more than [enough a t mu] answers make the interval of [a] narrower
    than mu. *)
Record regular_by_answers {Omega} (E : expectation Omega) (x : experiment Omega) (known : Omega -> nat -> nat -> nat)
    (good : nat -> Omega -> bool) (failures : R) (enough : nat -> nat -> R -> R) : Prop := RegularByAnswers {
  answers_give_intervals : forall w t a, (1 <= t <= horizon x)%nat -> is_arm (arms_of x) a ->
    ~ narrower_than 0 (bounds_at x w t a);
  good_answers_cover : forall w t, (1 <= t <= horizon x)%nat -> good t w = true ->
    covered (instance x) (bounds_at x w t);
  bad_answers_are_rare : sum (rounds (horizon x)) (fun t => probability E (fun w => negb (good t w))) <= failures;
  enough_answers_suffice : forall w t a mu, (1 <= t <= horizon x)%nat -> is_arm (arms_of x) a ->
    enough a t mu < INR (known w t a) -> narrower_than mu (bounds_at x w t a)
}.

Section Deployed.
Context {Omega : Type} (E : expectation Omega) (x : experiment Omega).
Variables (known : Omega -> nat -> nat -> nat) (start : nat -> nat) (waiting : nat) (lost : nat -> Omega -> nat).
Variables (good : nat -> Omega -> bool) (failures : R) (enough : nat -> nat -> R -> R).
Hypothesis deployment : deployed x known start waiting lost.
Hypothesis is_regular : regular_by_answers E x known good failures enough.
Variables (rho : R) (epsilon : nat -> R).
Hypothesis rho_is_nonneg : 0 <= rho.
Hypothesis runs : runs_of (steered_by rho) x.
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.

(** Queries that an arm needs beyond its samples from before, at least 0. *)
Definition still_needed (a : nat) (n : R) : R := Rmax 0 (n - INR (start a)).

(** In terms of queries nothing is known of the widths, but all that rests on covered means holds. *)
Let covers : regular E x good failures (fun _ t _ => INR (t - 1)) (fun t _ => INR (t - 1)).
Proof.
  assert (Hn : forall w t a, ~ INR (t - 1) < INR (queries (path_of x w) a (t - 1))).
  { intros w t a H. apply INR_lt in H. assert (Hle := queries_le_rounds (path_of x w) a (t - 1)). lia. }
  constructor; try apply is_regular; intros; try lra; exfalso; eapply Hn; eassumption.
Qed.

Hypothesis given : forall w t, epsilon_at x w t = epsilon t.

(** The queries of [a] that a level allows, the last one apart. *)
Definition allowed (level : nat -> R -> R) (a : nat) : R :=
  still_needed a (maximum (fun t => enough a t (Rmax (level a (epsilon t)) (epsilon t))) T) + INR waiting.

Lemma allowed_nonneg level a : 0 <= allowed level a.
Proof. assert (H := pos_INR waiting). assert (G := Rmax_l). unfold allowed, still_needed. apply Rplus_le_le_0_compat; auto. Qed.

Lemma bounded_lost a : is_arm K a -> bounded (fun w => INR (lost a w)).
Proof.
  intros Ha. apply (bounded_between 0 (INR T)). intros w. split; [apply pos_INR|]. apply le_INR.
  eapply Nat.le_trans; [now apply (what_is_lost_was_asked_for _ _ _ _ _ deployment) | apply queries_le_rounds].
Qed.

Lemma good_queries_with_late_answers_are_few level a : is_arm K a -> is_level x good rho (with_epsilon x level) a ->
  few_good_queries x good (fun a w => allowed level a + INR (lost a w)) a.
Proof.
  intros Ha Hlevel. assert (B := bounded_lost a Ha). split; [bounded|]. intros w.
  apply (queries_in_good_rounds_are_few T (path_of x w) (fun t => good t w)).
  { assert (H1 := allowed_nonneg level a). assert (H2 := pos_INR (lost a w)). lra. }
  intros t Ht Hgood Hplay Hq. assert (Q := path_is_a_run runs w t Ht). unfold in_round in Q. fold (arms_of x) in Q. fold K in Q.
  destruct (Nat.leb_spec t K) as [HK|HK].
  - assert (Ea : a = t) by (destruct Q; congruence).
    rewrite Ea, (before_its_first_round_an_arm_has_no_queries _ K T _ _ _ (path_is_a_run runs w)) by lia.
    assert (H1 := allowed_nonneg level t). assert (H2 := pos_INR (lost t w)). simpl INR at 1. lra.
  - rewrite Hplay, Hq in Q. destruct (Hlevel w t ltac:(fold K; lia) Hgood Q) as [_ Hwide].
    assert (H : INR (known w t a) <= enough a t (with_epsilon x level w a t)).
    { apply Rnot_lt_le. intros H. apply Hwide. now apply (enough_answers_suffice _ _ _ _ _ _ is_regular). }
    unfold with_epsilon in H. rewrite given in H.
    assert (M := le_maximum (fun t => enough a t (Rmax (level a (epsilon t)) (epsilon t))) T t Ht). simpl in M.
    assert (F := few_answers_are_missing _ _ _ _ _ deployment w t a Ht Ha). apply le_INR in F. rewrite !plus_INR in F.
    unfold allowed, still_needed. eapply Rle_trans;
      [|apply Rplus_le_compat_r, Rplus_le_compat_r, Rmax_r]. lra.
Qed.

Let L (d : R) : R := rounds_with_large_epsilon K epsilon d T.
Let lost_on_average (a : nat) : R := E (fun w => INR (lost a w)).

Lemma expected_count level a : is_arm K a ->
  E (fun w => allowed level a + INR (lost a w)) = allowed level a + lost_on_average a.
Proof. intros Ha. assert (B := bounded_lost a Ha). now rewrite expect_plus, expect_const by bounded. Qed.

Lemma expected_large d : E (fun w => rounds_with_large_epsilon K (epsilon_at x w) d T) = L d.
Proof.
  rewrite <- (expect_const E (L d)). apply expect_ext. intros w. unfold L, rounds_with_large_epsilon. apply sum_ext.
  intros t _. now rewrite given.
Qed.

Lemma regret_with_late_answers level :
  (forall a, is_arm K a -> 0 < gap b a -> is_level x good rho (with_epsilon x level) a) ->
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (allowed level a + L (gap b a)))
    + sum (arms K) (fun a => gap b a * lost_on_average a) + (INR K + failures) * largest_gap b.
Proof.
  intros Hlevel. eapply Rle_trans; [apply (regret_from_counts E x good failures (failures_are_rare _ _ _ _ _ _ covers)
    (epsilon_at x) (initial_rounds_are_queried x rho runs) (unqueried_plays_are_within_epsilon E x _ _ _ _ covers rho runs)
    (fun a w => allowed level a + INR (lost a w)))|].
  - intros a Ha. assert (B := bounded_lost a Ha). bounded.
  - intros a Ha Hgap. now apply good_queries_with_late_answers_are_few; [|apply Hlevel].
  - fold b K T. rewrite <- sum_plus. apply Rplus_le_compat_r, Req_le, sum_ext. intros a Ha. apply in_arms in Ha.
    rewrite expected_count, expected_large by exact Ha. ring.
Qed.

Lemma queries_with_late_answers level : (forall a, is_arm K a -> is_level x good rho (with_epsilon x level) a) ->
  E (queries_on x) <= sum (arms K) (allowed level) + sum (arms K) lost_on_average + (INR K + failures).
Proof.
  intros Hlevel. eapply Rle_trans; [apply (queries_from_counts E x good failures (failures_are_rare _ _ _ _ _ _ covers)
    (fun a w => allowed level a + INR (lost a w)))|].
  - intros a Ha. now apply good_queries_with_late_answers_are_few; [|apply Hlevel].
  - fold K. rewrite <- sum_plus. apply Rplus_le_compat_r, Req_le, sum_ext. intros a Ha. apply in_arms in Ha.
    now rewrite expected_count.
Qed.

(** ** The theorem: N is what it was less the samples from before, and [waiting] more *)

Let N (a : nat) (mu : R) : R := still_needed a (n_bar (enough a) epsilon mu T) + INR waiting.

Lemma allowed_by_optimality level a_star m : is_arm K a_star ->
  sum (arms K) (allowed (level_by_optimality rho level a_star m))
    = sum (others K a_star) (allowed level) + allowed (fun _ _ => rho * m / (1 + rho)) a_star.
Proof.
  intros Ha. rewrite (sum_split_off_arm K a_star _ Ha). f_equal.
  - apply sum_ext. intros a Hin. apply in_others in Hin. destruct Hin as [_ Hne].
    unfold allowed, level_by_optimality. now rewrite (proj2 (Nat.eqb_neq a_star a) Hne).
  - unfold allowed, level_by_optimality. now rewrite Nat.eqb_refl.
Qed.

(** All bounds: [lost_regret] and [lost_queries] are what answers that never come add to them. *)
Let lost_regret : R := sum (arms K) (fun a => gap b a * lost_on_average a).
Let lost_queries : R := sum (arms K) lost_on_average.

Theorem bounds_with_late_answers :
  (several_optimal_arms b ->
     E (regret_on x) <= sum (arms K) (fun a => gap b a * (N a (gap b a) + L (gap b a))) + lost_regret
       + (INR K + failures) * largest_gap b /\
     E (queries_on x) <= sum (arms K) (fun a => N a (gap b a)) + lost_queries + (INR K + failures)) /\
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (N a (gap b a / (1 + rho)) + L (gap b a))) + lost_regret
    + (INR K + failures) * largest_gap b /\
  (forall a_star m, unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (queries_on x) <= sum (others K a_star) (fun a => N a (gap b a / (1 + rho))) + N a_star (rho * m / (1 + rho))
       + lost_queries + (INR K + failures)).
Proof.
  assert (Share := a_share_of_the_gap_is_a_level E x good failures _ _ covers rho rho_is_nonneg runs).
  split; [|split].
  - intros Hmany. assert (Lv := the_gap_is_a_level_with_several_optima E x good failures _ _ covers rho runs).
    split.
    + apply (regret_with_late_answers (gap_level x)). intros; now apply Lv.
    + apply (queries_with_late_answers (gap_level x)). intros; now apply Lv.
  - apply (regret_with_late_answers (share_level x rho)). intros; now apply Share.
  - intros a_star m Hu Hm.
    assert (P := queries_with_late_answers (level_by_optimality rho (share_level x rho) a_star m)).
    rewrite allowed_by_optimality in P by apply Hu. apply P. intros a Ha.
    now apply (a_level_by_optimality_is_a_level E x good failures _ _ covers rho rho_is_nonneg runs).
Qed.

(** ** Answers that get lost at a rate *)

Variable rate : R.
Hypothesis rate_is_a_rate : 0 <= rate < 1.
Hypothesis lost_at_the_rate : forall a, is_arm K a ->
  lost_on_average a <= rate * E (fun w => INR (queries (path_of x w) a T)).

Lemma lost_queries_are_a_share : lost_queries <= rate * E (queries_on x).
Proof.
  unfold queries_on. rewrite expect_sum by (intros; bounded). rewrite <- sum_scal. apply sum_le. intros a Ha.
  apply lost_at_the_rate. now apply in_arms.
Qed.

Lemma lost_regret_is_a_share : lost_regret <= rate * E (regret_on x).
Proof.
  rewrite regret_decomposes_over_the_arms. fold K T b. rewrite <- sum_scal. apply sum_le. intros a Ha. apply in_arms in Ha.
  assert (G := gap_nonneg b a Ha). rewrite <- Rmult_assoc, (Rmult_comm rate), Rmult_assoc. apply Rmult_le_compat_l; [exact G|].
  eapply Rle_trans; [now apply lost_at_the_rate|]. apply Rmult_le_compat_l; [lra|]. apply expect_le.
  - apply bounded_queries.
  - unfold plays. bounded.
  - intros w. apply queries_are_at_most_plays.
Qed.

Theorem bounds_with_answers_lost_at_a_rate :
  (several_optimal_arms b ->
     E (regret_on x) <= (sum (arms K) (fun a => gap b a * (N a (gap b a) + L (gap b a)))
       + (INR K + failures) * largest_gap b) / (1 - rate) /\
     E (queries_on x) <= (sum (arms K) (fun a => N a (gap b a)) + (INR K + failures)) / (1 - rate)) /\
  E (regret_on x) <= (sum (arms K) (fun a => gap b a * (N a (gap b a / (1 + rho)) + L (gap b a)))
    + (INR K + failures) * largest_gap b) / (1 - rate) /\
  (forall a_star m, unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (queries_on x) <= (sum (others K a_star) (fun a => N a (gap b a / (1 + rho))) + N a_star (rho * m / (1 + rho))
       + (INR K + failures)) / (1 - rate)).
Proof.
  destruct bounds_with_late_answers as [Hmany [Hreg Hq]].
  assert (Q := lost_queries_are_a_share). assert (R := lost_regret_is_a_share).
  assert (D : forall v s, (1 - rate) * v <= s -> v <= s / (1 - rate)).
  { intros v s H. apply (Rmult_le_reg_l (1 - rate)); [lra|]. unfold Rdiv. rewrite <- Rmult_assoc, Rinv_r_simpl_m by lra. exact H. }
  split; [|split].
  - intros H. destruct (Hmany H) as [H1 H2]. split; apply D; lra.
  - apply D. lra.
  - intros a_star m Hu Hm. specialize (Hq a_star m Hu Hm). apply D. lra.
Qed.
End Deployed.

(** says: on every path of BuFALU, n^q_T(a) is at most the cap of the theorem less the samples from before, plus the answers
      that may be waiting, plus those that are lost, plus 1, for every K, T, tie-break and nonnegative epsilon, adaptive
      included, and intervals that more than N(t, mu) answers make narrower than mu
    paper: beyond the paper; compare l.421, l.856
    settles: live.cap
    breaks: "+ INR waiting" to "" *)
Theorem queries_with_late_answers_stay_below_the_cap {Omega} (x : experiment Omega) known start waiting lost
    (enough : nat -> nat -> R -> R) :
  deployed x known start waiting lost ->
  (forall w t a mu, (1 <= t <= horizon x)%nat -> is_arm (arms_of x) a -> enough a t mu < INR (known w t a) ->
    narrower_than mu (bounds_at x w t a)) ->
  runs_of bufalu x -> forall w a, is_arm (arms_of x) a ->
  INR (queries (path_of x w) a (horizon x)) <=
    still_needed start a (maximum (fun t => enough a t (epsilon_at x w t)) (horizon x))
    + INR waiting + INR (lost a w) + 1.
Proof.
  intros deployment suffice runs w a Ha. apply runs_of_bufalu_are_steered in runs. eapply Rle_trans.
  - apply (steered_queries_with_answers_stay_below_the_cap 1 (arms_of x) (horizon x) (bounds_at x w) (epsilon_at x w)
      (path_of x w) enough (known w) (fun a => INR waiting + INR (lost a w) - INR (start a)) (path_is_a_run runs w));
      [| |exact Ha].
    + intros t c mu Ht Hc. now apply suffice.
    + intros t c Ht Hc. assert (H := few_answers_are_missing _ _ _ _ _ deployment w t c Ht Hc).
      apply le_INR in H. rewrite !plus_INR in H. lra.
  - unfold still_needed. assert (H1 := pos_INR waiting). assert (H2 := pos_INR (lost a w)).
    unfold Rmax. repeat destruct (Rle_dec _ _); lra.
Qed.

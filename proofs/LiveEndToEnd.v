(** BuFALU in a deployment, end to end: late, reordered and lost answers, rewards in [lo, hi], samples from before. Nothing
    is assumed but reward laws, an arrival of answers that does not look at their values, and the rule. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Cases Runs Expectation Experiment HoeffdingIntervals Laws
  Witness LateAnswers LiveBounds.
Open Scope R_scope.

(** A deployment of the rule [r]. Arm [a] pays lo + spread times a reward of [law a] on [0,1], so rewards lie in [lo, hi] with
    hi = lo + spread. What decides over the arrival of answers is [arrival], and given its outcome m, the k-th answer of
    arm [a] is that of its query number [delivered m a k]. Intervals are Hoeffding's for this range, from the answers
    known by then; epsilon, fixed in advance, is in the unit of the rewards. *)
Record live {M : Type} (r : rule) (law : nat -> expectation reward) (lo spread : R) (epsilon : nat -> R)
    (delivered : M -> nat -> nat -> nat) (answers rewards : nat) (known : M * table -> nat -> nat -> nat)
    (start : nat -> nat) (waiting : nat) (lost : nat -> M * table -> nat) (x : experiment (M * table)) : Prop := Live {
  the_range_is_not_empty : 0 < spread;
  live_means_are_true : forall a, is_arm (arms_of x) a -> mean (instance x) a = lo + spread * law a value;
  no_answer_comes_twice : delivers (arms_of x) answers rewards delivered;
  answers_are_plenty : forall a, is_arm (arms_of x) a -> (start a + horizon x <= answers)%nat;
  live_answers_are_deployed : deployed x known start waiting lost;
  live_intervals_are_computed : forall w t a, (1 <= t <= horizon x)%nat -> is_arm (arms_of x) a -> bounds_at x w t a =
    ranged_interval spread t (known w t a) (sample_mean (fun k => lo + spread * answer delivered a k w) (known w t a));
  live_epsilon_is_given : forall w t, epsilon_at x w t = epsilon t;
  live_runs_are_of_the_rule : runs_of r x
}.

(** N-bar of BuFALU in a deployment: the largest number of answers that an interval wider than max{mu, epsilon(t)} can have,
    less those from before, plus those that may be waiting. *)
Definition live_n_bar (spread : R) (epsilon : nat -> R) (start : nat -> nat) (waiting T a : nat) (mu : R) : R :=
  still_needed start a (n_bar (ranged_enough spread start a) epsilon mu T) + INR waiting.

(** It is at most 6 (spread/mu)^2 ln T + waiting. *)
Lemma live_n_bar_in_closed_form spread epsilon start waiting T a mu : (1 <= T)%nat -> 0 < spread -> 0 < mu ->
  live_n_bar spread epsilon start waiting T a mu <= 6 * (spread * spread) * ln (INR T) / (mu * mu) + INR waiting.
Proof.
  intros HT Hs Hmu. unfold live_n_bar. apply Rplus_le_compat_r. assert (Hln := ln_of_round_nonneg T HT).
  assert (Hss : 0 < spread * spread) by now apply Rmult_lt_0_compat.
  assert (Hmm : 0 < mu * mu) by now apply Rmult_lt_0_compat.
  assert (H0 : 0 <= 6 * (spread * spread) * ln (INR T) / (mu * mu)).
  { unfold Rdiv. apply Rmult_le_pos; [apply Rmult_le_pos; lra | left; now apply Rinv_0_lt_compat]. }
  assert (HN : n_bar (ranged_enough spread start a) epsilon mu T <= 6 * (spread * spread) * ln (INR T) / (mu * mu)).
  { apply maximum_le; [exact H0|]. intros t Ht. unfold ranged_enough. cbv zeta.
    assert (Hm := Rmax_l mu (epsilon t)). set (v := Rmax mu (epsilon t)) in *.
    assert (Hl := ln_of_rounds_mono t T Ht). assert (Hl0 := ln_of_round_nonneg t ltac:(lia)).
    destruct (Rle_dec v 0) as [|Hv]; [lra|]. eapply Rle_trans; [apply Rmin_l|]. unfold Rdiv. apply Rmult_le_compat.
    - apply Rmult_le_pos; lra.
    - left. apply Rinv_0_lt_compat. apply Rmult_lt_0_compat; lra.
    - nra.
    - apply Rinv_le_contravar; [exact Hmm | nra]. }
  assert (Hst := pos_INR (start a)). unfold still_needed. apply Rmax_lub; lra.
Qed.

Section Live.
Context {M : Type} (arrival : expectation M).
Variables (law : nat -> expectation reward) (lo spread : R) (epsilon : nat -> R) (delivered : M -> nat -> nat -> nat).
Variables (answers rewards : nat) (known : M * table -> nat -> nat -> nat) (start : nat -> nat) (waiting : nat).
Variables (lost : nat -> M * table -> nat) (x : experiment (M * table)).
Hypothesis setting : live bufalu law lo spread epsilon delivered answers rewards known start waiting lost x.
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.
Let E := arrival_and_table arrival law K rewards.
Let N := live_n_bar spread epsilon start waiting T.
Let L (d : R) : R := rounds_with_large_epsilon K epsilon d T.
Let lost_on_average (a : nat) : R := E (fun w => INR (lost a w)).
Let runs := runs_of_bufalu_are_steered x (live_runs_are_of_the_rule _ _ _ _ _ _ _ _ _ _ _ _ _ setting).
Let deployment := live_answers_are_deployed _ _ _ _ _ _ _ _ _ _ _ _ _ setting.
Let given := live_epsilon_is_given _ _ _ _ _ _ _ _ _ _ _ _ _ setting.

Lemma live_intervals_are_regular c : failures_for K start c ->
  regular_by_answers E x known (hoeffding_good x) (c * INR K) (ranged_enough spread start).
Proof.
  generalize setting. intros [pos means delivery plenty _ computed _ _].
  apply (ranged_intervals_are_regular E x (answer delivered) lo spread answers known start waiting lost pos); trivial.
  apply (answers_are_a_tape arrival law (unit_bandit lo spread b pos)); [|exact delivery].
  intros a Ha. simpl mean. unfold b. rewrite (means a Ha). field. lra.
Qed.

(** says: the theorem of the main text for BuFALU when answers come late, out of order or never, whatever decides over that
      being independent of the rewards; rewards in [lo, hi]; and samples from before the first round: N-bar counts the
      answers for this range, less the samples from before and not below 0, plus as many answers as can be waiting;
      an arm's lost answers count once more each; the overhead is 2K without samples from before and 4K with them; for
      every K >= 1, T, reward laws, nonnegative epsilon fixed in advance and every tie-break
    paper: beyond the paper; compare l.417-433
    settles: live.regret; live.queries; live.warm_start
    breaks: "(1 + c) * INR K * largest_gap b" to "INR K * largest_gap b" *)
Theorem the_live_upper_bound_end_to_end c : failures_for K start c ->
  (several_optimal_arms b ->
     E (regret_on x) <= sum (arms K) (fun a => gap b a * (N a (gap b a) + lost_on_average a + L (gap b a)))
       + (1 + c) * INR K * largest_gap b /\
     E (queries_on x) <= sum (arms K) (fun a => N a (gap b a) + lost_on_average a) + (1 + c) * INR K) /\
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (N a (gap b a / 2) + lost_on_average a + L (gap b a)))
    + (1 + c) * INR K * largest_gap b /\
  (forall a_star m, unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (queries_on x) <= sum (others K a_star) (fun a => N a (gap b a / 2) + lost_on_average a)
       + (N a_star (m / 2) + lost_on_average a_star) + (1 + c) * INR K).
Proof.
  intros Hc. destruct (bounds_with_late_answers E x known start waiting lost _ _ _ deployment
    (live_intervals_are_regular c Hc) 1 epsilon Rle_0_1 runs given) as [Hmany [Hreg Hq]].
  fold b K T in Hmany, Hreg, Hq. change (1 + 1) with 2 in Hreg, Hq. fold lost_on_average in Hreg.
  assert (R : forall f, sum (arms K) (fun a => gap b a * (f a + lost_on_average a + L (gap b a)))
    = sum (arms K) (fun a => gap b a * (f a + L (gap b a))) + sum (arms K) (fun a => gap b a * lost_on_average a)).
  { intros f. rewrite <- sum_plus. apply sum_ext. intros a _. ring. }
  split; [|split].
  - intros H. destruct (Hmany H) as [H1 H2]. split.
    + rewrite (R (fun a => N a (gap b a))). unfold N, live_n_bar, L, lost_on_average. lra.
    + rewrite (sum_plus (arms K) (fun a => N a (gap b a))). unfold N, live_n_bar, lost_on_average. lra.
  - rewrite (R (fun a => N a (gap b a / 2))). unfold N, live_n_bar, L, lost_on_average. lra.
  - intros a_star m Hu Hm. specialize (Hq a_star m Hu Hm). rewrite Rmult_1_l in Hq.
    rewrite (sum_split_off_arm K a_star) in Hq by apply Hu.
    rewrite (sum_plus (others K a_star) (fun a => N a (gap b a / 2))). unfold N, live_n_bar, lost_on_average. lra.
Qed.

(** says: if of the queries of each arm a share of at most rate < 1 is lost, in expectation, the bounds on regret and
      queries without losses hold when divided by 1 - rate, under the same hypotheses
    paper: beyond the paper
    settles: live.lost
    breaks: "/ (1 - rate)" to "" *)
Theorem the_live_upper_bound_with_answers_lost_at_a_rate c rate : failures_for K start c -> 0 <= rate < 1 ->
  (forall a, is_arm K a -> lost_on_average a <= rate * E (fun w => INR (queries (path_of x w) a T))) ->
  E (regret_on x) <= (sum (arms K) (fun a => gap b a * (N a (gap b a / 2) + L (gap b a)))
    + (1 + c) * INR K * largest_gap b) / (1 - rate) /\
  (several_optimal_arms b ->
     E (regret_on x) <= (sum (arms K) (fun a => gap b a * (N a (gap b a) + L (gap b a)))
       + (1 + c) * INR K * largest_gap b) / (1 - rate) /\
     E (queries_on x) <= (sum (arms K) (fun a => N a (gap b a)) + (1 + c) * INR K) / (1 - rate)) /\
  (forall a_star m, unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (queries_on x) <= (sum (others K a_star) (fun a => N a (gap b a / 2)) + N a_star (m / 2) + (1 + c) * INR K)
       / (1 - rate)).
Proof.
  intros Hc Hrate Hlost. destruct (bounds_with_answers_lost_at_a_rate E x known start waiting lost _ _ _ deployment
    (live_intervals_are_regular c Hc) 1 epsilon Rle_0_1 runs given rate Hrate Hlost) as [Hmany [Hreg Hq]].
  fold b K T in Hmany, Hreg, Hq. change (1 + 1) with 2 in Hreg, Hq.
  replace ((1 + c) * INR K) with (INR K + c * INR K) by ring. split; [exact Hreg|]. split.
  - exact Hmany.
  - intros a_star m Hu Hm. specialize (Hq a_star m Hu Hm). rewrite Rmult_1_l in Hq. exact Hq.
Qed.

(** says: in closed form, without samples from before and without losses: regret at most the sum over suboptimal arms of
      24 (hi - lo)^2 ln T / gap + gap (L(gap) + waiting), plus 2 K Delta_max; with a unique optimal arm, queries at most the
      sum over the others of 24 (hi - lo)^2 ln T / gap^2, plus 24 (hi - lo)^2 ln T / m^2 for any m > 0 below the other
      gaps, plus K waiting + 2 K
    paper: beyond the paper; compare l.427-432
    settles: live.closed_form
    breaks: "24 * (spread * spread) * ln (INR T) / gap b a" to "23 * (spread * spread) * ln (INR T) / gap b a" *)
Theorem the_live_closed_form_end_to_end : (1 <= T)%nat ->
  (forall a, is_arm K a -> start a = O) -> (forall a w, is_arm K a -> lost a w = O) ->
  E (regret_on x) <= sum (arms K) (fun a => if Rle_dec (gap b a) 0 then 0
      else 24 * (spread * spread) * ln (INR T) / gap b a + gap b a * (L (gap b a) + INR waiting))
    + 2 * INR K * largest_gap b /\
  (forall a_star m, unique_optimal_arm b a_star -> 0 < m -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (queries_on x) <= sum (others K a_star) (fun a => 24 * (spread * spread) * ln (INR T) / (gap b a * gap b a))
       + 24 * (spread * spread) * ln (INR T) / (m * m) + INR K * INR waiting + 2 * INR K).
Proof.
  intros HT Hcold Hnone. assert (pos := the_range_is_not_empty _ _ _ _ _ _ _ _ _ _ _ _ _ setting).
  assert (Z : forall a, is_arm K a -> lost_on_average a = 0).
  { intros a Ha. unfold lost_on_average. rewrite <- (expect_const E 0). apply expect_ext. intros w. now rewrite Hnone. }
  assert (C : forall a d, 0 < d -> N a (d / 2) <= 24 * (spread * spread) * ln (INR T) / (d * d) + INR waiting).
  { intros a d Hd. eapply Rle_trans; [apply live_n_bar_in_closed_form; [exact HT | exact pos | lra]|].
    apply Req_le. field. lra. }
  destruct (the_live_upper_bound_end_to_end 1 (or_introl (conj eq_refl Hcold))) as [_ [Hreg Hq]]. split.
  - eapply Rle_trans; [exact Hreg|]. apply Rplus_le_compat; [|lra]. apply sum_le. intros a Ha. apply in_arms in Ha.
    assert (G := gap_nonneg b a Ha). rewrite Z by exact Ha. destruct (Rle_dec (gap b a) 0) as [Hle|Hlt].
    + replace (gap b a) with 0 by lra. lra.
    + apply Rle_trans with (gap b a * (24 * (spread * spread) * ln (INR T) / (gap b a * gap b a) + INR waiting + 0 + L (gap b a))).
      * apply Rmult_le_compat_l; [exact G|]. generalize (C a (gap b a) ltac:(lra)). lra.
      * apply Req_le. field. lra.
  - intros a_star m Hu Hm0 Hm. eapply Rle_trans; [exact (Hq a_star m Hu Hm)|].
    assert (Ha : is_arm K a_star) by apply Hu.
    assert (S1 : sum (others K a_star) (fun a => N a (gap b a / 2) + lost_on_average a)
      <= sum (others K a_star) (fun a => 24 * (spread * spread) * ln (INR T) / (gap b a * gap b a))
        + (INR K - 1) * INR waiting).
    { eapply Rle_trans; [apply (sum_le _ _ (fun a => 24 * (spread * spread) * ln (INR T) / (gap b a * gap b a) + INR waiting))|].
      - intros a Hin. apply in_others in Hin. destruct Hin as [Hin Hne]. rewrite Z by exact Hin.
        specialize (Hm a Hin ltac:(congruence)). generalize (C a (gap b a) ltac:(lra)). lra.
      - rewrite sum_plus, sum_const. assert (S := sum_split_off_arm K a_star (fun _ => 1) Ha). rewrite !sum_const in S.
        unfold arms in S. rewrite seq_length in S. apply Req_le. f_equal. f_equal. lra. }
    assert (C1 := C a_star m Hm0). rewrite (Z a_star Ha). lra.
Qed.
End Live.

(** says: for every bandit of laws on [lo, hi], horizon, nonnegative epsilon, arrival of answers that gives none twice, and
      way to count them that depends on the past and keeps to its limits, there are such deployments: nothing above is
      vacuous
    paper: beyond the paper
    breaks: "lo + spread * law a value" to "spread * law a value" *)
Theorem such_deployments_exist {M : Type} (law : nat -> expectation reward) (lo spread : R) b T epsilon
    (delivered : M -> nat -> nat -> nat) answers rewards start waiting (counted : M -> counting)
    (lost : M -> path -> nat -> nat) :
  0 < spread -> (forall a, is_arm (number_of_arms b) a -> mean b a = lo + spread * law a value) ->
  (forall t, (number_of_arms b < t <= T)%nat -> 0 <= epsilon t) ->
  delivers (number_of_arms b) answers rewards delivered ->
  (forall a, is_arm (number_of_arms b) a -> (start a + T <= answers)%nat) ->
  (forall m, counts_the_past (counted m)) ->
  (forall m p t a, is_arm (number_of_arms b) a ->
    (start a <= counted m p t a <= start a + queries p a (t - 1))%nat /\
    (start a + queries p a (t - 1) <= counted m p t a + waiting + lost m p a)%nat /\
    (lost m p a <= queries p a T)%nat) ->
  exists x : experiment (M * table), instance x = b /\ horizon x = T /\
    live bufalu law lo spread epsilon delivered answers rewards (fun w t a => counted (fst w) (path_of x w) t a) start
      waiting (fun a w => lost (fst w) (path_of x w) a) x.
Proof.
  intros pos means nonneg delivery plenty past limits.
  destruct (runs_exist_on_every_tape_and_count is_candidate leader_is_as_wide
    (fun t n Y => ranged_interval spread t n (sample_mean Y n)) b T epsilon
    (fun a k (w : M * table) => lo + spread * answer delivered a k w) (fun w => counted (fst w)) bufalu_chooses nonneg
    (fun w => past (fst w))) as [x [Hb [HT [He [Hu Hr]]]]].
  exists x. split; [exact Hb|]. split; [exact HT|]. unfold arms_of in *. subst b. rewrite <- HT in *.
  constructor; trivial.
  - constructor; intros w; intros; apply limits; assumption.
  - intros w t a Ht _. now apply Hu.
Qed.

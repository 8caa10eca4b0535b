(** The second half of part 2 as printed (l.309-313) is false: for D = {Ber(1/4), Ber(3/4)} there is a consistent
    strategy of two arms, which takes turns, such that on the instance (Ber(1/4), Ber(3/4)) the liminf of E
    n^q_T(a)/ln T is 0 for both arms, while 1/max{Kinf+, Kinf-} is positive. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Expectation TotalExpectation FiniteLaws BinaryDivergence Strategies Consistency TakingTurns.
Import ListNotations.
Open Scope R_scope.

Lemma zero_is_not_one : 0 <> 1. Proof. lra. Qed.
Lemma a_quarter_is_a_probability : 0 <= 1/4 <= 1. Proof. lra. Qed.
Lemma three_quarters_is_a_probability : 0 <= 3/4 <= 1. Proof. lra. Qed.

(** Ber(1/4) and Ber(3/4), and the family that holds these two. *)
Definition low : law := two_point 0 1 (1/4) zero_is_not_one a_quarter_is_a_probability.
Definition high : law := two_point 0 1 (3/4) zero_is_not_one three_quarters_is_a_probability.
Definition low_or_high (p : law) : Prop := p = low \/ p = high.

Lemma masses : mass low 0 = 3/4 /\ mass low 1 = 1/4 /\ mass high 0 = 1/4 /\ mass high 1 = 3/4.
Proof. unfold low, high. rewrite !two_point_at_x, !two_point_at_y. lra. Qed.

Lemma means : law_mean low = 1/4 /\ law_mean high = 3/4.
Proof. unfold low, high. rewrite !two_point_mean. lra. Qed.

Lemma average_low f : average low f = 3/4 * f 0 + 1/4 * f 1.
Proof.
  destruct masses as [E0 [E1 _]]. rewrite <- E0, <- E1. apply average_on_two_points; [lra | apply two_point_lives_on].
Qed.

Lemma average_high f : average high f = 1/4 * f 0 + 3/4 * f 1.
Proof.
  destruct masses as [_ [_ [E0 E1]]]. rewrite <- E0, <- E1. apply average_on_two_points; [lra | apply
    two_point_lives_on].
Qed.

Lemma low_is_dominated : dominated low high.
Proof.
  destruct masses as [E0 [E1 [F0 F1]]]. intros z Hz.
  assert (L : lives_on low 0 1) by apply two_point_lives_on.
  destruct (L z ltac:(lra)) as [->| ->]; lra.
Qed.

Lemma high_is_dominated : dominated high low.
Proof.
  destruct masses as [E0 [E1 [F0 F1]]]. intros z Hz.
  assert (L : lives_on high 0 1) by apply two_point_lives_on.
  destruct (L z ltac:(lra)) as [->| ->]; lra.
Qed.

Lemma both_divergences : divergence low high = ln 3 / 2 /\ divergence high low = ln 3 / 2.
Proof.
  destruct masses as [E0 [E1 [F0 F1]]]. unfold divergence. rewrite average_low, average_high, E0, E1, F0, F1.
  assert (L : ln (3/4) - ln (1/4) = ln 3) by (rewrite <- ln_div by lra; f_equal; field). lra.
Qed.

(** ** The strategy *)

(** Ones minus zeros among the rewards of arm i that were seen. *)
Definition score_of (i : nat) (o : observation) : R :=
  if Nat.eqb (arm o) i then match seen o with Some x => if Req_EM_T x 1 then 1 else -1 | None => 0 end else 0.
Definition score (i : nat) (h : history) : R := sum h (score_of i).

(** Query the arm whose turn it is until it has level(t) queries; then play it if it looks like Ber(3/4), and the
    other arm if it looks like Ber(1/4). *)
Definition decision (h : history) : nat * bool :=
  let i := turn (S (length h)) in
  if (query_count i h <? level (S (length h)))%nat then (i, true)
  else if Rle_dec (score i h) 0 then ((3 - i)%nat, false) else (i, false).

Lemma decisions_are_arms h : is_arm 2 (fst (decision h)).
Proof.
  unfold decision, is_arm. assert (T := turns_are_arms (S (length h))).
  destruct (_ <? _)%nat; [|destruct (Rle_dec _ _)]; simpl; destruct T as [->| ->]; lia.
Qed.

Definition turns_by_score : strategy 2 := deterministic decision decisions_are_arms.

Lemma only_the_arm_of_the_turn_is_queried h : snd (decision h) = true ->
  fst (decision h) = turn (S (length h)) /\ (query_count (turn (S (length h))) h < level (S (length h)))%nat.
Proof.
  unfold decision. destruct (Nat.ltb_spec (query_count (turn (S (length h))) h) (level (S (length h)))) as [H|H].
  - auto.
  - destruct (Rle_dec _ _); discriminate.
Qed.

Section OnAnInstance.
Variable nu : nat -> law.

(** On every path the queries of an arm are at most level(T). *)
Lemma queries_are_at_most_the_level i T : expected_queries turns_by_score nu i T <= INR (level T).
Proof.
  unfold expected_queries. rewrite <- (total_const (history_law turns_by_score nu T) (INR (level T))).
  apply (history_law_le_along decision decisions_are_arms nu (fun h => (query_count i h <= level (length h))%nat)).
  - apply Nat.le_0_l.
  - intros h x H Hq _. rewrite query_count_of_a_query. destruct (only_the_arm_of_the_turn_is_queried h Hq) as [E L].
    assert (G := level_grows (length h) (S (length h)) ltac:(lia)). simpl length.
    destruct (Nat.eqb_spec (fst (decision h)) i) as [Ei|Ni]; [rewrite <- Ei, E; lia | lia].
  - intros h H _. rewrite query_count_of_a_play. assert (G := level_grows (length h) (S (length h)) ltac:(lia)).
    simpl length. lia.
  - intros h Hlen H. rewrite <- query_count_is_the_count. apply le_INR. now rewrite <- Hlen.
Qed.

(** While the other arm has its turn, an arm is not queried. *)
Lemma a_resting_arm_is_not_queried i T0 T : (T0 <= T)%nat -> (forall t, (T0 < t <= T)%nat -> turn t <> i) ->
  expected_queries turns_by_score nu i T = expected_queries turns_by_score nu i T0.
Proof.
  intros H. induction H as [|T H IH]; intros Hrest; [reflexivity|].
  rewrite expected_queries_S, IH by (intros; apply Hrest; lia).
  rewrite (history_law_ext turns_by_score nu T _ (fun _ => 0)); [rewrite total_const; lra|].
  intros h [Hlen _]. unfold turns_by_score. rewrite deterministic_round. destruct (snd (decision h)) eqn:E.
  - destruct (only_the_arm_of_the_turn_is_queried h E) as [-> _]. rewrite Hlen. specialize (Hrest (S T) ltac:(lia)).
    simpl arm. rewrite (proj2 (Nat.eqb_neq _ _) Hrest). exact (total_const (average (nu (turn (S T)))) 0).
  - unfold is_query. simpl. now rewrite andb_false_r.
Qed.

(** An arm that has level(t) queries and a score on the wrong side is rare. *)
Definition up (x : R) : R := if Req_EM_T x 1 then ln 2 else ln 2 - ln 3.
Definition down (x : R) : R := if Req_EM_T x 1 then ln 2 - ln 3 else ln 2.
Definition lambda : R := (2 * ln 2 - ln 3) / 2.

Lemma lambda_is_positive : 0 < lambda.
Proof.
  unfold lambda. assert (L : ln 3 < ln (2 * 2)) by (apply ln_increasing; lra). rewrite ln_mult in L by lra. lra.
Qed.

Lemma weights_and_scores i h :
  sum h (weight i up) = lambda * queries_in i h + ln 3 / 2 * score i h /\
  sum h (weight i down) = lambda * queries_in i h - ln 3 / 2 * score i h.
Proof.
  unfold queries_in, score. split.
  - rewrite <- !sum_scal, <- sum_plus. apply sum_ext. intros o _. unfold weight, score_of, up, lambda, is_query.
    destruct (Nat.eqb (arm o) i); [|simpl; lra]. destruct (seen o) as [x|]; simpl; [destruct (Req_EM_T x 1)|]; lra.
  - transitivity (sum h (fun o => lambda * indicator (Nat.eqb (arm o) i && is_query o)
      + - (ln 3 / 2) * score_of i o)).
    + apply sum_ext. intros o _. unfold weight, score_of, down, lambda, is_query.
      destruct (Nat.eqb (arm o) i); [|simpl; lra]. destruct (seen o) as [x|]; simpl; [destruct (Req_EM_T x 1)|]; lra.
    + rewrite sum_plus, !sum_scal. lra.
Qed.

Lemma exp_of_weights : exp (ln 2) = 2 /\ exp (ln 2 - ln 3) = 2/3.
Proof.
  split; [apply exp_ln; lra|]. rewrite <- ln_div by lra. apply exp_ln. lra.
Qed.

Lemma up_is_a_weight : average low (fun x => exp (up x)) <= 1.
Proof.
  rewrite average_low. unfold up. destruct exp_of_weights as [E2 E23].
  destruct (Req_EM_T 0 1); [lra|]. destruct (Req_EM_T 1 1); [|tauto]. rewrite E2, E23. lra.
Qed.

Lemma down_is_a_weight : average high (fun x => exp (down x)) <= 1.
Proof.
  rewrite average_high. unfold down. destruct exp_of_weights as [E2 E23].
  destruct (Req_EM_T 0 1); [lra|]. destruct (Req_EM_T 1 1); [|tauto]. rewrite E2, E23. lra.
Qed.

(** If arm [a] has law Ber(1/4) and the other one Ber(3/4), an idle round rarely plays [a]. *)
Lemma idle_plays_of_the_low_arm_are_rare a t : is_arm 2 a -> nu a = low -> nu (3 - a)%nat = high -> (1 <= t)%nat ->
  history_law turns_by_score nu (t - 1) (fun h => indicator (Nat.eqb (fst (decision h)) a && negb (snd (decision h))))
    <= exp (- (lambda * INR (level t))).
Proof.
  intros Ha Hlow Hhigh Ht. assert (L := lambda_is_positive).
  assert (L3 : 0 < ln 3) by (rewrite <- ln_1; apply ln_increasing; lra).
  destruct (Nat.eq_dec (turn t) a) as [E|E].
  - apply (heavy_histories_are_rare decision decisions_are_arms nu a up); [rewrite Hlow; apply up_is_a_weight|].
    intros h Hlen. unfold decision. rewrite Hlen. replace (S (t - 1)) with t by lia. rewrite E.
    destruct (Nat.ltb_spec (query_count a h) (level t)) as [Hq|Hq]; [simpl; rewrite andb_false_r; intros X;
      discriminate X|].
    destruct (Rle_dec (score a h) 0) as [Hs|Hs]; cbn [fst snd negb].
    + replace (Nat.eqb (3 - a) a) with false by (symmetry; apply Nat.eqb_neq; unfold is_arm in Ha; lia). intros X.
      discriminate X.
    + intros _. rewrite (proj1 (weights_and_scores a h)), <- query_count_is_the_count. apply le_INR in Hq.
      assert (lambda * INR (level t) <= lambda * INR (query_count a h)) by (apply Rmult_le_compat_l; lra).
      assert (0 <= ln 3 / 2 * score a h) by (apply Rmult_le_pos; lra). lra.
  - assert (B : turn t = (3 - a)%nat) by (destruct (turns_are_arms t) as [X|X]; unfold is_arm in Ha; lia).
    apply (heavy_histories_are_rare decision decisions_are_arms nu (3 - a) down);
      [rewrite Hhigh; apply down_is_a_weight|].
    intros h Hlen. unfold decision. rewrite Hlen. replace (S (t - 1)) with t by lia. rewrite B.
    destruct (Nat.ltb_spec (query_count (3 - a) h) (level t)) as [Hq|Hq]; [simpl; rewrite andb_false_r;
      discriminate|].
    destruct (Rle_dec (score (3 - a) h) 0) as [Hs|Hs]; cbn [fst snd negb].
    + intros _. rewrite (proj2 (weights_and_scores (3 - a) h)), <- query_count_is_the_count. apply le_INR in Hq.
      assert (lambda * INR (level t) <= lambda * INR (query_count (3 - a) h)) by (apply Rmult_le_compat_l; lra).
      assert (0 <= ln 3 / 2 * - score (3 - a) h) by (apply Rmult_le_pos; lra). lra.
    + replace (Nat.eqb (3 - a) a) with false by (symmetry; apply Nat.eqb_neq; unfold is_arm in Ha; lia). intros X.
      discriminate X.
Qed.
End OnAnInstance.

(** The strategy is consistent. *)
Theorem turns_by_score_are_consistent : consistent low_or_high turns_by_score.
Proof.
  intros nu HD a Hsub alpha eps Hal He. apply suboptimal_iff in Hsub. destruct Hsub as [Ha [b [Hb Hlt]]].
  destruct means as [M1 M3].
  assert (Hlow : nu a = low) by (destruct (HD a Ha), (HD b Hb); congruence || (rewrite H, H0 in Hlt; lra) || auto).
  assert (Hhigh : nu b = high) by (destruct (HD b Hb) as [X|X]; [rewrite X, Hlow in Hlt; lra | exact X]).
  assert (Eb : b = (3 - a)%nat).
  { destruct (Nat.eq_dec a b) as [->|Hne]; [lra|]. unfold is_arm in *. lia. }
  rewrite Eb in Hhigh.
  destruct (errors_sum_to_a_logarithm lambda (fun t => history_law turns_by_score nu (t - 1) (fun h =>
    indicator (Nat.eqb (fst (decision h)) a && negb (snd (decision h))))) lambda_is_positive) as [C [HC Hsum]].
  - intros t _. rewrite <- (total_one (history_law turns_by_score nu (t - 1))). apply total_le. intros; apply
    indicator_le_1.
  - intros t Ht. now apply idle_plays_of_the_low_arm_are_rare.
  - apply (few_plays_are_sub_polynomial _ C HC); [|lra | exact He]. intros T HT.
    unfold expected_plays. rewrite (total_ext _ _ (fun h => queries_in a h + idle_in a h))
      by (intros; apply plays_are_queries_and_idle_plays).
    rewrite total_plus. apply Rplus_le_compat; [apply queries_are_at_most_the_level|].
    unfold turns_by_score. rewrite expected_idle_plays. now apply Hsum.
Qed.

(** The instance: arm 1 is Ber(1/4), arm 2 is Ber(3/4). *)
Definition low_and_high (a : nat) : law := if Nat.eqb a 1 then low else high.

(** says: there are a family, a consistent strategy, an instance with a unique optimal arm and a threshold between the
      two means with Kinf+ = Kinf- = k positive and finite, while both limits inferior of E n^q_T(a)/ln T are 0: D =
      {Ber(1/4), Ber(3/4)}, and the strategy takes turns in querying
    paper: l.309-313
    differs: the print asserts that the two limits inferior sum to at least 1/k
    refutes: lower.unique_pair; lower.unique_pair_weighted
    breaks: "0 < eps" to "0 <= eps" *)
Theorem the_sum_of_the_liminfs_can_be_zero :
  exists (D : law -> Prop) (s : strategy 2) (nu : nat -> law) (mu k : R),
    consistent D s /\ instance_of 2 D nu /\ unique_optimal 2 nu 2 /\ law_mean (nu 1%nat) <= mu <= law_mean (nu 2%nat)
      /\
    is_kinf_above D (nu 1%nat) mu (Some k) /\ is_kinf_below D (nu 2%nat) mu (Some k) /\ 0 < k /\
    forall a, is_arm 2 a -> forall eps N, 0 < eps ->
      exists T, (N <= T)%nat /\ expected_queries s nu a T <= eps * ln (INR T).
Proof.
  destruct means as [M1 M3]. destruct both_divergences as [D1 D2].
  assert (Hm : forall a, is_arm 2 a -> a = 1%nat \/ a = 2%nat) by (intros a Ha; unfold is_arm in Ha; lia).
  assert (S1 : suboptimal 2 low_and_high 1).
  { apply suboptimal_iff. split; [unfold is_arm; lia|]. exists 2%nat. split; [unfold is_arm; lia|]. unfold
    low_and_high. simpl. lra. }
  exists low_or_high, turns_by_score, low_and_high, (1/2), (ln 3 / 2).
  split; [exact turns_by_score_are_consistent|]. split; [|split; [|split; [|split; [|split; [|split]]]]].
  - intros a _. unfold low_and_high, low_or_high. destruct (Nat.eqb a 1); auto.
  - split.
    + destruct (best_is_attained 2 low_and_high ltac:(lia)) as [b [Hb E]]. destruct (Hm b Hb) as [->| ->].
      * destruct S1 as [_ S1]. lra.
      * split; [exact Hb | exact E].
    + intros b Hb Hne. destruct (Hm b Hb) as [->| ->]; [exact S1 | congruence].
  - unfold low_and_high. simpl. lra.
  - unfold low_and_high. simpl. split.
    + intros k [q [[->| ->] [Hq [_ ->]]]]; lra.
    + intros k Hk. exists (ln 3 / 2). split; [|exact Hk]. exists high. split; [now right|]. split; [lra|].
      split; [apply low_is_dominated | now rewrite D1].
  - unfold low_and_high. simpl. split.
    + intros k [q [[->| ->] [Hq [_ ->]]]]; lra.
    + intros k Hk. exists (ln 3 / 2). split; [|exact Hk]. exists low. split; [now left|]. split; [lra|].
      split; [apply high_is_dominated | now rewrite D2].
  - assert (0 < ln 3) by (rewrite <- ln_1; apply ln_increasing; lra). lra.
  - intros a Ha eps N He. destruct (long_rests a eps N He (Hm a Ha)) as [T0 [T [HN [HT [Hrest Hlevel]]]]].
    exists T. split; [exact HN|]. rewrite (a_resting_arm_is_not_queried low_and_high a T0 T HT Hrest).
    eapply Rle_trans; [apply queries_are_at_most_the_level | exact Hlevel].
Qed.

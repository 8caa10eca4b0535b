(** Part 3 as printed (l.314) is false under each of its two conditions: for a family D of laws on two points there is
    a consistent strategy of two arms, which takes turns, such that on an instance with two optimal arms of Kinf- = 0
    (condition (1)), or of Kinf+ = 0 (condition (2)), the liminf of E n^q_T(a)/ln T is 0 for both arms. (Together they
    are queried super-logarithmically: SeveralOptima.v.) *)

From Coq Require Import Reals Lra Lia List Arith Bool.
From Bufalu Require Import Sums Expectation TotalExpectation FiniteLaws BinaryDivergence Strategies Consistency TakingTurns.
Import ListNotations.
Open Scope R_scope.

(** The construction for both conditions at once: means can only [rise] above 1/2, or else only fall below it. *)
Section Direction.
Variable rise : bool.

Definition side : R := if rise then 1 else -1.

(** The constant 1/2, and for d in (0,1) the law that gives (1 + d)/2, or (1 - d)/2, with probability d and 1/2
    otherwise. A reward other than 1/2 reveals d; the means 1/2 + d^2/2, or 1/2 - d^2/2, come arbitrarily near to 1/2. *)
Definition is_half (p : law) : Prop := p = constant (1/2).
Definition is_spiked (d : R) (p : law) : Prop :=
  0 < d < 1 /\ exists distinct probable, p = two_point (1/2) (1/2 + side * (d / 2)) d distinct probable.
Definition half_or_spiked (p : law) : Prop := is_half p \/ exists d, is_spiked d p.

Lemma mean_of_half p : is_half p -> law_mean p = 1/2.
Proof. intros ->. exact (average_of_a_constant (1/2) (fun x => x)). Qed.

Lemma mean_of_spiked d p : is_spiked d p -> law_mean p = 1/2 + side * (d * d / 2).
Proof. intros [_ [H [P ->]]]. rewrite two_point_mean. field. Qed.

Lemma mass_of_half p x : is_half p -> mass p x <> 0 -> x = 1/2.
Proof. intros ->. simpl. destruct (Req_EM_T x (1/2)); tauto. Qed.

Lemma mass_of_spiked d p x : is_spiked d p -> mass p x <> 0 -> x = 1/2 \/ x = 1/2 + side * (d / 2).
Proof. intros [_ [H [P ->]]]. apply two_point_lives_on. Qed.

(** Arbitrarily near to the constant 1/2 there are laws with another mean. *)
Lemma spiked_laws_are_near_to_half p k : is_half p -> 0 < k ->
  exists q t, is_spiked t q /\ dominated p q /\ divergence p q < k.
Proof.
  intros Hp Hk.
  set (t := Rmin (1/2) (k/4)). assert (T1 : t <= 1/2) by apply Rmin_l. assert (T2 : t <= k/4) by apply Rmin_r.
  assert (T0 : 0 < t) by (apply Rmin_pos; lra).
  assert (H : 1/2 <> 1/2 + side * (t / 2)) by (unfold side; destruct rise; lra). assert (P : 0 <= t <= 1) by lra.
  exists (two_point (1/2) (1/2 + side * (t / 2)) t H P), t. split; [split; [lra | now exists H, P]|]. split.
  - intros z Hz. rewrite (mass_of_half p z Hp ltac:(lra)), two_point_at_x. lra.
  - rewrite Hp. unfold divergence. rewrite average_of_a_constant, two_point_at_x. simpl.
    destruct (Req_EM_T (1/2) (1/2)); [|tauto]. rewrite <- ln_div by lra.
    eapply Rle_lt_trans; [apply ln_at_most_tangent; apply Rdiv_lt_0_compat; lra|].
    apply (Rmult_lt_reg_r (1 - t)); [lra|]. replace ((1 / (1 - t) - 1) * (1 - t)) with t by (field; lra).
    assert (k * (1/2) <= k * (1 - t)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(** ** The strategy *)

(** How far a reward is from 1/2, and the largest such distance seen on arm i. *)
Definition distance (x : R) : R := Rabs (x - 1/2).
Definition peak (i : nat) (h : history) : R := fold_right (fun o m =>
  if Nat.eqb (arm o) i then match seen o with Some x => Rmax (distance x) m | None => m end else m) 0 h.

Lemma distance_of_half : distance (1/2) = 0.
Proof. unfold distance. rewrite Rminus_eq_0. apply Rabs_R0. Qed.

Lemma distance_of_a_spike d : 0 < d -> distance (1/2 + side * (d / 2)) = d / 2.
Proof. intros H. unfold distance, side, Rabs. destruct rise, (Rcase_abs _); lra. Qed.

(** Of an arm with a smaller and one with a larger peak, the one with the larger mean. *)
Definition better_of (less more : nat) : nat := if rise then more else less.

(** Query the arm i of the turn until it has level(t) queries. While it has shown nothing but 1/2, take its peak for the
    smaller one and ask no more. Otherwise give the other arm level(t) queries too, and compare the peaks. *)
Definition decision (h : history) : nat * bool :=
  let t := S (length h) in
  let i := turn t in
  let j := (3 - i)%nat in
  if (query_count i h <? level t)%nat then (i, true)
  else if Rle_dec (peak i h) 0 then (better_of i j, false)
  else if (query_count j h <? level t)%nat then (j, true)
  else if Rle_dec (peak j h) (peak i h) then (better_of j i, false) else (better_of i j, false).

Lemma decisions_are_arms h : is_arm 2 (fst (decision h)).
Proof.
  unfold decision, is_arm, better_of. assert (T := turns_are_arms (S (length h))).
  destruct rise, (_ <? _)%nat; [|destruct (Rle_dec _ _); [|destruct (_ <? _)%nat; [|destruct (Rle_dec _ _)]]| |
    destruct (Rle_dec _ _); [|destruct (_ <? _)%nat; [|destruct (Rle_dec _ _)]]]; cbn [fst]; destruct T as [->| ->]; lia.
Qed.

Definition turns_by_peak : strategy 2 := deterministic decision decisions_are_arms.

Lemma a_query_is_below_the_level h : snd (decision h) = true ->
  (query_count (fst (decision h)) h < level (S (length h)))%nat.
Proof.
  unfold decision. cbv zeta.
  destruct (Nat.ltb_spec (query_count (turn (S (length h))) h) (level (S (length h)))) as [H|H]; [auto|].
  destruct (Rle_dec _ _); [discriminate|].
  destruct (Nat.ltb_spec (query_count (3 - turn (S (length h))) h) (level (S (length h)))) as [H'|H']; [auto|].
  destruct (Rle_dec _ _); discriminate.
Qed.

Lemma peak_of_a_query i u a x h : peak i (Observation u a (Some x) :: h)
  = if Nat.eqb a i then Rmax (distance x) (peak i h) else peak i h.
Proof. reflexivity. Qed.

Lemma peak_of_a_play i u a h : peak i (Observation u a None :: h) = peak i h.
Proof. unfold peak. simpl. now destruct (Nat.eqb a i). Qed.

Section OnAnInstance.
Variable nu : nat -> law.

Lemma queries_are_at_most_the_level i T : expected_queries turns_by_peak nu i T <= INR (level T).
Proof.
  unfold expected_queries. rewrite <- (total_const (history_law turns_by_peak nu T) (INR (level T))).
  apply (history_law_le_along decision decisions_are_arms nu (fun h => (query_count i h <= level (length h))%nat)).
  - apply Nat.le_0_l.
  - intros h x H Hq _. rewrite query_count_of_a_query. assert (L := a_query_is_below_the_level h Hq).
    assert (G := level_grows (length h) (S (length h)) ltac:(lia)). simpl length.
    destruct (Nat.eqb_spec (fst (decision h)) i) as [<-|Ni]; lia.
  - intros h H _. rewrite query_count_of_a_play. assert (G := level_grows (length h) (S (length h)) ltac:(lia)).
    simpl length. lia.
  - intros h Hlen H. rewrite <- query_count_is_the_count. apply le_INR. now rewrite <- Hlen.
Qed.

(** ** A spiked arm that is unrevealed after level(t) queries is rare *)

Section Spike.
Variables (b : nat) (d : R).
Hypothesis b_is_spiked : is_spiked d (nu b).

Let c : R := (1 - d / 2) / (1 - d).
Definition spike_weight (x : R) : R := if Rle_dec (distance x) 0 then ln c else - ln 2.

Lemma c_is_above_one : 1 < c.
Proof.
  destruct b_is_spiked as [H _]. unfold c. apply (Rmult_lt_reg_r (1 - d)); [lra|]. unfold Rdiv at 1.
  rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma spike_weight_is_a_weight : average (nu b) (fun x => exp (spike_weight x)) <= 1.
Proof.
  assert (C := c_is_above_one). destruct b_is_spiked as [Hd [Hne [P E]]]. rewrite E.
  rewrite (average_on_two_points _ (1/2) (1/2 + side * (d / 2)) _ Hne (two_point_lives_on _ _ _ Hne P)), two_point_at_x,
    two_point_at_y.
  unfold spike_weight. rewrite distance_of_half, (distance_of_a_spike d) by lra.
  destruct (Rle_dec 0 0); [|lra]. destruct (Rle_dec (d / 2) 0); [lra|].
  rewrite exp_Ropp, !exp_ln by lra. right. unfold c. field. lra.
Qed.

Lemma weights_of_an_unrevealed_arm h : peak b h <= 0 -> sum h (weight b spike_weight) = ln c * queries_in b h.
Proof.
  unfold queries_in. rewrite <- sum_scal. induction h as [|[u a r] h IH]; intros H; [reflexivity|].
  change (weight b spike_weight (Observation u a r) + sum h (weight b spike_weight)
    = ln c * indicator (Nat.eqb a b && is_query (Observation u a r))
      + sum h (fun o => ln c * indicator (Nat.eqb (arm o) b && is_query o))).
  destruct r as [x|].
  - rewrite peak_of_a_query in H. change (weight b spike_weight (Observation u a (Some x)))
      with (if Nat.eqb a b then spike_weight x else 0). destruct (Nat.eqb a b); cbn [andb is_query seen indicator].
    + assert (X := Rmax_l (distance x) (peak b h)). assert (Y := Rmax_r (distance x) (peak b h)). rewrite IH by lra.
      unfold spike_weight. destruct (Rle_dec (distance x) 0); lra.
    + rewrite IH by exact H. lra.
  - rewrite peak_of_a_play in H. rewrite IH by exact H. unfold weight. simpl arm. simpl seen.
    destruct (Nat.eqb a b); simpl; lra.
Qed.

Lemma an_unrevealed_arm_is_rare T n : history_law turns_by_peak nu T (fun h => indicator
  ((n <=? query_count b h)%nat && if Rle_dec (peak b h) 0 then true else false)) <= exp (- (ln c * INR n)).
Proof.
  assert (C := c_is_above_one). assert (L : 0 < ln c) by (rewrite <- ln_1; apply ln_increasing; lra).
  apply (heavy_histories_are_rare decision decisions_are_arms nu b spike_weight spike_weight_is_a_weight).
  intros h _. destruct (Nat.leb_spec n (query_count b h)) as [Hn|Hn]; [|intros X; discriminate X].
  destruct (Rle_dec (peak b h) 0) as [Hp|Hp]; [|intros X; discriminate X]. intros _.
  rewrite (weights_of_an_unrevealed_arm h Hp), <- query_count_is_the_count. apply Rmult_le_compat_l; [lra|].
  now apply le_INR.
Qed.

(** If the rewards of the other arm [a] are nearer to 1/2, an idle round takes the smaller peak for [b]'s, and so plays
    the worse arm, only where [b] is unrevealed after level(t) queries. *)
Variables (a : nat) (v : R).
Hypothesis a_is_an_arm : is_arm 2 a.
Hypothesis b_is_the_other : b = (3 - a)%nat.
Hypothesis rewards_of_a : 0 <= v < d / 2 /\ forall x, mass (nu a) x <> 0 -> distance x <= v.

Let worse : nat := better_of b a.
Let kept (h : history) : Prop := peak a h <= v /\ (peak b h <= 0 \/ d / 2 <= peak b h).

Lemma idle_plays_of_the_worse_arm_are_rare t : (1 <= t)%nat ->
  history_law turns_by_peak nu (t - 1) (fun h => indicator (Nat.eqb (fst (decision h)) worse && negb (snd (decision h))))
    <= exp (- (ln c * INR (level t))).
Proof.
  intros Ht. eapply Rle_trans; [|apply (an_unrevealed_arm_is_rare (t - 1) (level t))].
  assert (Hab : a <> b) by (unfold is_arm in *; lia). destruct rewards_of_a as [Hv Hmass].
  apply (history_law_le_along decision decisions_are_arms nu kept).
  - unfold kept, peak. simpl. lra.
  - intros h x [Ka Kb] _ Hx. unfold kept. rewrite !peak_of_a_query.
    destruct (Nat.eqb_spec (fst (decision h)) a) as [Ea|Na], (Nat.eqb_spec (fst (decision h)) b) as [Eb|Nb]; try
      tauto; try congruence.
    + split; [|exact Kb]. rewrite Ea in Hx. specialize (Hmass x Hx). now apply Rmax_lub.
    + split; [exact Ka|]. rewrite Eb in Hx. destruct (mass_of_spiked d (nu b) x b_is_spiked Hx) as [->| ->].
      * rewrite distance_of_half.
        destruct Kb as [Kb|Kb]; [left; apply Rmax_lub; lra | right; eapply Rle_trans; [exact Kb | apply Rmax_r]].
      * right. rewrite distance_of_a_spike by (destruct b_is_spiked; lra). apply Rmax_l.
  - intros h K _. unfold kept. now rewrite !peak_of_a_play.
  - intros h Hlen [Ka Kb]. unfold decision. cbv zeta. rewrite Hlen. replace (S (t - 1)) with t by lia.
    assert (Nn : forall x y : bool, 0 <= indicator (x && y)) by (intros; apply indicator_nonneg).
    assert (Asked : forall i, indicator (Nat.eqb i worse && negb true) = 0) by (intros; now rewrite andb_false_r).
    assert (Right : indicator (Nat.eqb (better_of a b) worse && negb false) = 0).
    { unfold worse, better_of. destruct rise; rewrite (proj2 (Nat.eqb_neq _ _)) by congruence; reflexivity. }
    assert (Wrong : (level t <= query_count b h)%nat -> peak b h <= 0 ->
      indicator (Nat.eqb (better_of b a) worse && negb false)
        <= indicator ((level t <=? query_count b h)%nat && if Rle_dec (peak b h) 0 then true else false)).
    { intros Hn Hp. rewrite (proj2 (Nat.leb_le _ _) Hn). destruct (Rle_dec (peak b h) 0); [|contradiction].
      apply indicator_le_1. }
    assert (Tt := turns_are_arms t). unfold is_arm in a_is_an_arm.
    destruct (Nat.ltb_spec (query_count (turn t) h) (level t)) as [H1|H1]; [cbn [fst snd]; rewrite Asked; apply Nn|].
    destruct (Nat.eq_dec (turn t) a) as [E|E].
    + (* a's turn: a's peak is taken for the larger one only where b has shown nothing *)
      replace (3 - turn t)%nat with b in * by lia. rewrite E in *.
      destruct (Rle_dec (peak a h) 0) as [H2|H2]; [cbn [fst snd]; rewrite Right; apply Nn|].
      destruct (Nat.ltb_spec (query_count b h) (level t)) as [H3|H3]; [cbn [fst snd]; rewrite Asked; apply Nn|].
      destruct (Rle_dec (peak b h) (peak a h)) as [H4|H4]; cbn [fst snd]; [|rewrite Right; apply Nn].
      apply Wrong; [exact H3|]. destruct Kb as [Kb|Kb]; lra.
    + (* b's turn: b's peak is taken for the smaller one only where b has shown nothing *)
      assert (Eb : turn t = b) by lia. rewrite Eb in *. replace (3 - b)%nat with a in * by lia.
      destruct (Rle_dec (peak b h) 0) as [H2|H2]; [cbn [fst snd]; now apply Wrong|].
      destruct (Nat.ltb_spec (query_count a h) (level t)) as [H3|H3]; [cbn [fst snd]; rewrite Asked; apply Nn|].
      destruct (Rle_dec (peak a h) (peak b h)) as [H4|H4]; cbn [fst snd]; [rewrite Right; apply Nn|].
      exfalso. destruct Kb as [Kb|Kb]; lra.
Qed.

Lemma the_worse_arm_is_played_rarely alpha eps : 0 < alpha -> 0 < eps ->
  eventually (fun T => expected_plays turns_by_peak nu worse T <= eps * Rpower (INR T) alpha).
Proof.
  intros Hal He. assert (C1 := c_is_above_one). assert (L : 0 < ln c) by (rewrite <- ln_1; apply ln_increasing; lra).
  destruct (errors_sum_to_a_logarithm (ln c) (fun t => history_law turns_by_peak nu (t - 1) (fun h =>
    indicator (Nat.eqb (fst (decision h)) worse && negb (snd (decision h))))) L) as [C [HC Hsum]].
  - intros t _. rewrite <- (total_one (history_law turns_by_peak nu (t - 1))). apply total_le. intros; apply
    indicator_le_1.
  - apply idle_plays_of_the_worse_arm_are_rare.
  - apply (few_plays_are_sub_polynomial _ C HC); [|exact Hal | exact He]. intros T HT.
    unfold expected_plays. rewrite (total_ext _ _ (fun h => queries_in worse h + idle_in worse h))
      by (intros; apply plays_are_queries_and_idle_plays).
    rewrite total_plus. apply Rplus_le_compat; [apply queries_are_at_most_the_level|].
    unfold turns_by_peak. rewrite expected_idle_plays. now apply Hsum.
Qed.
End Spike.
End OnAnInstance.

(** The strategy is consistent. *)
Theorem turns_by_peak_are_consistent : consistent half_or_spiked turns_by_peak.
Proof.
  intros nu HD w Hsub alpha eps Hal He. apply suboptimal_iff in Hsub. destruct Hsub as [Hw [o [Ho Hlt]]].
  assert (Eo : o = (3 - w)%nat).
  { destruct (Nat.eq_dec w o) as [->|Hne]; [lra|]. unfold is_arm in *. lia. }
  assert (Main : forall a b d, is_arm 2 a -> b = (3 - a)%nat -> better_of b a = w -> is_spiked d (nu b) ->
    (is_half (nu a) \/ exists e, is_spiked e (nu a) /\ e < d) ->
    eventually (fun T => expected_plays turns_by_peak nu w T <= eps * Rpower (INR T) alpha)).
  { intros a b d Ha Eb <- Hd Hother. assert (D0 := proj1 Hd). destruct Hother as [H|[e [H Hed]]].
    - apply (the_worse_arm_is_played_rarely nu b d Hd a 0 Ha Eb); [|lra | exact He].
      split; [lra|]. intros x Hx. rewrite (mass_of_half _ x H Hx), distance_of_half. lra.
    - assert (E0 := proj1 H). apply (the_worse_arm_is_played_rarely nu b d Hd a (e / 2) Ha Eb); [|lra | exact He].
      split; [lra|]. intros x Hx.
      destruct (mass_of_spiked e _ x H Hx) as [->| ->]; [rewrite distance_of_half | rewrite distance_of_a_spike]; lra. }
  assert (Squares : forall x y, 0 < x < 1 -> 0 < y < 1 -> x * x < y * y -> x < y).
  { intros x y Hx Hy H. apply Rnot_le_lt. intros Hle. assert (y * y <= x * x) by (apply Rmult_le_compat; lra). lra. }
  assert (Positive : forall x, 0 < x < 1 -> 0 < x * x) by (intros; apply Rmult_lt_0_compat; lra).
  (* the arm of the larger spike: the other one if means rise, the worse one if they fall *)
  assert (Bw : rise = true -> better_of o w = w) by (unfold better_of; intros ->; reflexivity).
  assert (Bo : rise = false -> better_of w o = w) by (unfold better_of; intros ->; reflexivity).
  assert (Ew : w = (3 - o)%nat) by (unfold is_arm in *; lia).
  destruct (HD o Ho) as [Oh|[d Od]], (HD w Hw) as [Wh|[e We]].
  - rewrite (mean_of_half _ Oh), (mean_of_half _ Wh) in Hlt. lra.
  - rewrite (mean_of_half _ Oh), (mean_of_spiked e _ We) in Hlt. assert (P := Positive e (proj1 We)).
    unfold side in Hlt. destruct rise eqn:R; [lra|]. apply (Main o w e); auto.
  - rewrite (mean_of_spiked d _ Od), (mean_of_half _ Wh) in Hlt. assert (P := Positive d (proj1 Od)).
    unfold side in Hlt. destruct rise eqn:R; [|lra]. apply (Main w o d); auto.
  - rewrite (mean_of_spiked d _ Od), (mean_of_spiked e _ We) in Hlt. assert (Pd := proj1 Od). assert (Pe := proj1 We).
    unfold side in Hlt. destruct rise eqn:R.
    + apply (Main w o d); auto. right. exists e. split; [exact We|]. apply Squares; lra.
    + apply (Main o w e); auto. right. exists d. split; [exact Od|]. apply Squares; lra.
Qed.

(** The instance: both arms are the constant 1/2. *)
Definition two_halves (_ : nat) : law := constant (1/2).

(** On it nothing is ever revealed, so that only the arm of the turn is queried. *)
Lemma a_resting_arm_is_not_queried i T0 T : (T0 <= T)%nat -> (forall t, (T0 < t <= T)%nat -> turn t <> i) ->
  expected_queries turns_by_peak two_halves i T <= expected_queries turns_by_peak two_halves i T0.
Proof.
  intros H. induction H as [|T H IH]; intros Hrest; [lra|]. specialize (IH ltac:(intros; apply Hrest; lia)).
  rewrite expected_queries_S. enough (history_law turns_by_peak two_halves T (fun h => round_law turns_by_peak
    two_halves
    h
    (fun o => indicator (Nat.eqb (arm o) i && is_query o))) <= 0) by lra.
  rewrite <- (total_const (history_law turns_by_peak two_halves T) 0).
  apply (history_law_le_along decision decisions_are_arms two_halves (fun h => forall k, peak k h <= 0)).
  - intros k. unfold peak. simpl. lra.
  - intros h x K _ Hx k. assert (E := mass_of_half _ x eq_refl Hx). rewrite peak_of_a_query.
    destruct (Nat.eqb _ _); [apply Rmax_lub; [rewrite E, distance_of_half; lra | apply K] | apply K].
  - intros h K _ k. rewrite peak_of_a_play. apply K.
  - intros h Hlen K. unfold turns_by_peak. rewrite deterministic_round. unfold decision. cbv zeta. rewrite Hlen.
    specialize (Hrest (S T) ltac:(lia)).
    destruct (query_count (turn (S T)) h <? level (S T))%nat; cbn [fst snd].
    + unfold two_halves. rewrite average_of_a_constant. simpl arm. rewrite (proj2 (Nat.eqb_neq _ _) Hrest). simpl.
      lra.
    + destruct (Rle_dec (peak (turn (S T)) h) 0) as [_|H2]; [|elim H2; apply K]. cbn [fst snd]. unfold is_query.
      simpl seen. rewrite andb_false_r. simpl. lra.
Qed.

Lemma mean_of_two_halves a : law_mean (two_halves a) = 1/2.
Proof. exact (average_of_a_constant (1/2) (fun x => x)). Qed.

Lemma best_of_two_halves : best_mean 2 two_halves = 1/2.
Proof. destruct (best_is_attained 2 two_halves ltac:(lia)) as [b [_ E]]. now rewrite <- E, mean_of_two_halves. Qed.

Lemma both_halves_are_optimal a : is_arm 2 a -> optimal 2 two_halves a.
Proof. intros Ha. split; [exact Ha | now rewrite mean_of_two_halves, best_of_two_halves]. Qed.

Lemma each_arm_rests_long a eps N : is_arm 2 a -> 0 < eps ->
  exists T, (N <= T)%nat /\ expected_queries turns_by_peak two_halves a T <= eps * ln (INR T).
Proof.
  intros Ha He.
  destruct (long_rests a eps N He ltac:(unfold is_arm in Ha; lia)) as [T0 [T [HN [HT [Hrest Hlevel]]]]].
  exists T. split; [exact HN|]. eapply Rle_trans; [apply (a_resting_arm_is_not_queried a T0 T HT Hrest)|].
  eapply Rle_trans; [apply queries_are_at_most_the_level | exact Hlevel].
Qed.
End Direction.

Lemma kinf_above_of_half p : is_half p -> is_kinf_above (half_or_spiked true) p (1/2) (Some 0).
Proof.
  intros Hp. split; [intros k Hk; now apply (divergences_above_are_nonneg (half_or_spiked true) p (1/2))|]. intros k Hk.
  destruct (spiked_laws_are_near_to_half true p k Hp Hk) as [q [t [Hq [Hd Hlt]]]].
  exists (divergence p q). split; [|exact Hlt]. exists q. repeat split; [right; now exists t | | exact Hd].
  rewrite (mean_of_spiked true t q Hq). unfold side. destruct Hq as [Ht _].
  assert (0 < t * t) by (apply Rmult_lt_0_compat; lra). lra.
Qed.

Lemma kinf_below_of_half p : is_half p -> is_kinf_below (half_or_spiked false) p (1/2) (Some 0).
Proof.
  intros Hp. split; [intros k Hk; now apply (divergences_below_are_nonneg (half_or_spiked false) p (1/2))|]. intros k Hk.
  destruct (spiked_laws_are_near_to_half false p k Hp Hk) as [q [t [Hq [Hd Hlt]]]].
  exists (divergence p q). split; [|exact Hlt]. exists q. repeat split; [right; now exists t | | exact Hd].
  rewrite (mean_of_spiked false t q Hq). unfold side. destruct Hq as [Ht _].
  assert (0 < t * t) by (apply Rmult_lt_0_compat; lra). lra.
Qed.

(** says: there are a family, a consistent strategy and an instance whose two arms are both optimal with Kinf- = 0,
      condition (1), while both limits inferior of E n^q_T(a)/ln T are 0: the strategy takes turns in querying
    paper: l.314, l.659-663
    differs: the print asserts an optimal arm with infinite limit inferior
    breaks: "is_kinf_below" to "is_kinf_above" *)
Theorem no_optimal_arm_need_be_queried_super_logarithmically_if_means_can_fall :
  exists (D : law -> Prop) (s : strategy 2) (nu : nat -> law),
    consistent D s /\ instance_of 2 D nu /\
    (forall a, is_arm 2 a -> optimal 2 nu a /\ is_kinf_below D (nu a) (best_mean 2 nu) (Some 0)) /\
    forall a, is_arm 2 a -> forall eps N, 0 < eps ->
      exists T, (N <= T)%nat /\ expected_queries s nu a T <= eps * ln (INR T).
Proof.
  exists (half_or_spiked false), (turns_by_peak false), two_halves.
  split; [apply turns_by_peak_are_consistent|]. split; [intros a _; now left|]. split.
  - intros a Ha. split; [now apply both_halves_are_optimal|]. rewrite best_of_two_halves. now apply kinf_below_of_half.
  - intros a Ha eps N He. now apply each_arm_rests_long.
Qed.

(** says: there are a family, a consistent strategy and an instance whose two arms are both optimal with Kinf+ = 0,
      condition (2), while both limits inferior of E n^q_T(a)/ln T are 0: the strategy takes turns in querying
    paper: l.314, l.712-716
    differs: the print asserts an optimal arm with infinite limit inferior
    breaks: "0 < eps" to "0 <= eps" *)
Theorem no_optimal_arm_need_be_queried_super_logarithmically_if_means_can_rise :
  exists (D : law -> Prop) (s : strategy 2) (nu : nat -> law),
    consistent D s /\ instance_of 2 D nu /\
    (forall a, is_arm 2 a -> optimal 2 nu a /\ is_kinf_above D (nu a) (best_mean 2 nu) (Some 0)) /\
    forall a, is_arm 2 a -> forall eps N, 0 < eps ->
      exists T, (N <= T)%nat /\ expected_queries s nu a T <= eps * ln (INR T).
Proof.
  exists (half_or_spiked true), (turns_by_peak true), two_halves.
  split; [apply turns_by_peak_are_consistent|]. split; [intros a _; now left|]. split.
  - intros a Ha. split; [now apply both_halves_are_optimal|]. rewrite best_of_two_halves. now apply kinf_above_of_half.
  - intros a Ha eps N He. now apply each_arm_rests_long.
Qed.

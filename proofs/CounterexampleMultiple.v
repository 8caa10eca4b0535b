(** Part 3 as printed (l.314) is false under its condition (2): for a family D of laws on two points there is a
    consistent strategy of two arms, which takes turns, such that on an instance with two optimal arms of Kinf+ = 0
    the liminf of E n^q_T(a)/ln T is 0 for both arms. (Together they are queried super-logarithmically:
    SeveralOptima.v.) *)

From Coq Require Import Reals Lra Lia List Arith Bool.
From Bufalu Require Import Sums Expectation FiniteLaws BinaryDivergence Strategies Consistency TakingTurns.
Import ListNotations.
Open Scope R_scope.

(** The constant 1/2, and for d in (0,1) the law that gives (1+d)/2 with probability d and 1/2 otherwise. A reward
    above 1/2 reveals d; the means 1/2 + d^2/2 come arbitrarily near to 1/2. *)
Definition is_half (p : law) : Prop := p = constant (1/2).
Definition is_spiked (d : R) (p : law) : Prop :=
  0 < d < 1 /\ exists distinct probable, p = two_point (1/2) ((1 + d) / 2) d distinct probable.
Definition half_or_spiked (p : law) : Prop := is_half p \/ exists d, is_spiked d p.

Lemma mean_of_half p : is_half p -> law_mean p = 1/2.
Proof. intros ->. exact (average_of_a_constant (1/2) (fun x => x)). Qed.

Lemma mean_of_spiked d p : is_spiked d p -> law_mean p = 1/2 + d * d / 2.
Proof. intros [_ [H [P ->]]]. rewrite two_point_mean. field. Qed.

Lemma mass_of_half p x : is_half p -> mass p x <> 0 -> x = 1/2.
Proof. intros ->. simpl. destruct (Req_EM_T x (1/2)); tauto. Qed.

Lemma mass_of_spiked d p x : is_spiked d p -> mass p x <> 0 -> x = 1/2 \/ x = (1 + d) / 2.
Proof. intros [_ [H [P ->]]]. apply two_point_lives_on. Qed.

(** Kinf+(1/2, 1/2, D) = 0. *)
Lemma kinf_above_of_half p : is_half p -> is_kinf_above half_or_spiked p (1/2) (Some 0).
Proof.
  intros Hp. split; [intros k Hk; now apply (divergences_above_are_nonneg half_or_spiked p (1/2))|]. intros k Hk.
  set (t := Rmin (1/2) (k/4)). assert (T1 : t <= 1/2) by apply Rmin_l. assert (T2 : t <= k/4) by apply Rmin_r.
  assert (T0 : 0 < t) by (apply Rmin_pos; lra).
  assert (H : 1/2 <> (1 + t) / 2) by lra. assert (P : 0 <= t <= 1) by lra. set (q := two_point (1/2) ((1 + t) / 2) t
    H P).
  assert (Hq : is_spiked t q) by (split; [lra | now exists H, P]).
  exists (divergence p q). split.
  - exists q. repeat split.
    + right. now exists t.
    + rewrite (mean_of_spiked t q Hq). assert (0 < t * t) by (now apply Rmult_lt_0_compat). lra.
    + intros z Hz. rewrite (mass_of_half p z Hp ltac:(lra)). unfold q. rewrite two_point_at_x. lra.
  - rewrite Hp. unfold divergence. rewrite average_of_a_constant. unfold q. rewrite two_point_at_x. simpl.
    destruct (Req_EM_T (1/2) (1/2)); [|tauto]. rewrite <- ln_div by lra.
    eapply Rle_lt_trans; [apply ln_at_most_tangent; apply Rdiv_lt_0_compat; lra|].
    apply (Rmult_lt_reg_r (1 - t)); [lra|]. replace ((1 / (1 - t) - 1) * (1 - t)) with t by (field; lra).
    assert (k * (1/2) <= k * (1 - t)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(** ** The strategy *)

(** The largest reward seen on arm i, and 1/2 at least. *)
Definition peak (i : nat) (h : history) : R := fold_right (fun o m =>
  if Nat.eqb (arm o) i then match seen o with Some x => Rmax x m | None => m end else m) (1/2) h.

(** Query the arm i of the turn until it has level(t) queries. While it has shown nothing above 1/2, play the other
    arm, whose mean is at least 1/2. Otherwise give the other arm level(t) queries too, and play the arm of the
    higher peak. *)
Definition decision (h : history) : nat * bool :=
  let t := S (length h) in
  let i := turn t in
  let j := (3 - i)%nat in
  if (query_count i h <? level t)%nat then (i, true)
  else if Rle_dec (peak i h) (1/2) then (j, false)
  else if (query_count j h <? level t)%nat then (j, true)
  else if Rle_dec (peak j h) (peak i h) then (i, false) else (j, false).

Lemma decisions_are_arms h : is_arm 2 (fst (decision h)).
Proof.
  unfold decision, is_arm. assert (T := turns_are_arms (S (length h))).
  destruct (_ <? _)%nat; [|destruct (Rle_dec _ _); [|destruct (_ <? _)%nat; [|destruct (Rle_dec _ _)]]];
    cbn [fst]; destruct T as [->| ->]; lia.
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

Lemma peak_of_a_query i u a x h : peak i (Observation u a (Some x) :: h) = if Nat.eqb a i then Rmax x (peak i h) else
  peak i h.
Proof. reflexivity. Qed.

Lemma peak_of_a_play i u a h : peak i (Observation u a None :: h) = peak i h.
Proof. unfold peak. simpl. now destruct (Nat.eqb a i). Qed.

Section OnAnInstance.
Variable nu : nat -> law.

Lemma queries_are_at_most_the_level i T : expected_queries turns_by_peak nu i T <= INR (level T).
Proof.
  unfold expected_queries. rewrite <- (expect_const (history_law turns_by_peak nu T) (INR (level T))).
  apply (history_law_le_along decision decisions_are_arms nu (fun h => (query_count i h <= level (length h))%nat)).
  - apply Nat.le_0_l.
  - intros h x H Hq _. rewrite query_count_of_a_query. assert (L := a_query_is_below_the_level h Hq).
    assert (G := level_grows (length h) (S (length h)) ltac:(lia)). simpl length.
    destruct (Nat.eqb_spec (fst (decision h)) i) as [<-|Ni]; lia.
  - intros h H _. rewrite query_count_of_a_play. assert (G := level_grows (length h) (S (length h)) ltac:(lia)).
    simpl length. lia.
  - intros h Hlen H. rewrite <- query_count_is_the_count. apply le_INR. now rewrite <- Hlen.
Qed.

(** ** An arm that is better but unrevealed after level(t) queries is rare *)

Section Spike.
Variables (b : nat) (d : R).
Hypothesis b_is_spiked : is_spiked d (nu b).

Let c : R := (1 - d / 2) / (1 - d).
Definition spike_weight (x : R) : R := if Rle_dec x (1/2) then ln c else - ln 2.

Lemma c_is_above_one : 1 < c.
Proof.
  destruct b_is_spiked as [H _]. unfold c. apply (Rmult_lt_reg_r (1 - d)); [lra|]. unfold Rdiv at 1.
  rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma spike_weight_is_a_weight : average (nu b) (fun x => exp (spike_weight x)) <= 1.
Proof.
  assert (C := c_is_above_one). destruct b_is_spiked as [Hd [Hne [P E]]]. rewrite E.
  rewrite (average_on_two_points _ (1/2) ((1 + d) / 2) _ Hne (two_point_lives_on _ _ _ Hne P)), two_point_at_x,
    two_point_at_y.
  unfold spike_weight. destruct (Rle_dec (1/2) (1/2)); [|lra]. destruct (Rle_dec ((1 + d) / 2) (1/2)); [lra|].
  rewrite exp_Ropp, !exp_ln by lra. right. unfold c. field. lra.
Qed.

Lemma weights_of_an_unrevealed_arm h : peak b h <= 1/2 -> sum h (weight b spike_weight) = ln c * queries_in b h.
Proof.
  unfold queries_in. rewrite <- sum_scal. induction h as [|[u a r] h IH]; intros H; [reflexivity|].
  change (weight b spike_weight (Observation u a r) + sum h (weight b spike_weight)
    = ln c * indicator (Nat.eqb a b && is_query (Observation u a r))
      + sum h (fun o => ln c * indicator (Nat.eqb (arm o) b && is_query o))).
  destruct r as [x|].
  - rewrite peak_of_a_query in H. change (weight b spike_weight (Observation u a (Some x)))
      with (if Nat.eqb a b then spike_weight x else 0). destruct (Nat.eqb a b); cbn [andb is_query seen indicator].
    + assert (X := Rmax_l x (peak b h)). assert (Y := Rmax_r x (peak b h)). rewrite IH by lra.
      unfold spike_weight. destruct (Rle_dec x (1/2)); lra.
    + rewrite IH by exact H. lra.
  - rewrite peak_of_a_play in H. rewrite IH by exact H. unfold weight. simpl arm. simpl seen.
    destruct (Nat.eqb a b); simpl; lra.
Qed.

Lemma an_unrevealed_arm_is_rare T n : history_law turns_by_peak nu T (fun h => indicator
  ((n <=? query_count b h)%nat && if Rle_dec (peak b h) (1/2) then true else false)) <= exp (- (ln c * INR n)).
Proof.
  assert (C := c_is_above_one). assert (L : 0 < ln c) by (rewrite <- ln_1; apply ln_increasing; lra).
  apply (heavy_histories_are_rare decision decisions_are_arms nu b spike_weight spike_weight_is_a_weight).
  intros h _. destruct (Nat.leb_spec n (query_count b h)) as [Hn|Hn]; [|intros X; discriminate X].
  destruct (Rle_dec (peak b h) (1/2)) as [Hp|Hp]; [|intros X; discriminate X]. intros _.
  rewrite (weights_of_an_unrevealed_arm h Hp), <- query_count_is_the_count. apply Rmult_le_compat_l; [lra|].
  now apply le_INR.
Qed.

(** If arm [b] beats the other arm [a], an idle round plays [a] only where [b] is unrevealed after level(t) queries.
    *)
Variables (a : nat) (v : R).
Hypothesis a_is_an_arm : is_arm 2 a.
Hypothesis b_is_the_other : b = (3 - a)%nat.
Hypothesis rewards_of_a : 1/2 <= v < (1 + d) / 2 /\ forall x, mass (nu a) x <> 0 -> x <= v.

Let kept (h : history) : Prop := peak a h <= v /\ (peak b h <= 1/2 \/ (1 + d) / 2 <= peak b h).

Lemma idle_plays_of_the_worse_arm_are_rare t : (1 <= t)%nat ->
  history_law turns_by_peak nu (t - 1) (fun h => indicator (Nat.eqb (fst (decision h)) a && negb (snd (decision h))))
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
      * destruct Kb as [Kb|Kb]; [left; apply Rmax_lub; lra | right; eapply Rle_trans; [exact Kb | apply Rmax_r]].
      * right. apply Rmax_l.
  - intros h K _. unfold kept. now rewrite !peak_of_a_play.
  - intros h Hlen [Ka Kb]. unfold decision. cbv zeta. rewrite Hlen. replace (S (t - 1)) with t by lia.
    assert (Nn : forall x y : bool, 0 <= indicator (x && y)) by (intros; apply indicator_nonneg).
    assert (Zero : forall i q, i <> a \/ q = true -> indicator (Nat.eqb i a && negb q) = 0).
    { intros i q [H| ->]; [now rewrite (proj2 (Nat.eqb_neq _ _) H) | now rewrite andb_false_r]. }
    assert (Tt := turns_are_arms t). unfold is_arm in a_is_an_arm.
    destruct (Nat.ltb_spec (query_count (turn t) h) (level t)) as [H1|H1];
      [cbn [fst snd]; rewrite Zero by auto; apply Nn|].
    destruct (Rle_dec (peak (turn t) h) (1/2)) as [H2|H2].
    + cbn [fst snd]. destruct (Nat.eq_dec (3 - turn t) a) as [E|E]; [|rewrite Zero by auto; apply Nn].
      assert (Eb : turn t = b) by lia. rewrite Eb in H1, H2.
      rewrite (proj2 (Nat.leb_le _ _) H1). destruct (Rle_dec (peak b h) (1/2)); [|contradiction].
      simpl. apply indicator_le_1.
    + destruct (Nat.ltb_spec (query_count (3 - turn t) h) (level t)) as [H3|H3];
        [cbn [fst snd]; rewrite Zero by auto; apply Nn|].
      destruct (Nat.eq_dec (turn t) a) as [E|E].
      * (* a's turn: a is played only if b's peak is no higher, so b is unrevealed *)
        replace (3 - turn t)%nat with b in * by lia. rewrite E in *.
        destruct (Rle_dec (peak b h) (peak a h)) as [H4|H4]; cbn [fst snd]; [|rewrite Zero by auto; apply Nn].
        rewrite (proj2 (Nat.leb_le _ _) H3). destruct (Rle_dec (peak b h) (1/2)) as [H5|H5].
        -- simpl. apply indicator_le_1.
        -- exfalso. destruct Kb as [Kb|Kb]; lra.
      * (* b's turn, b is revealed: b is played *)
        assert (Eb : turn t = b) by lia. rewrite Eb in *. replace (3 - b)%nat with a in * by lia.
        destruct (Rle_dec (peak a h) (peak b h)) as [H4|H4]; cbn [fst snd]; [rewrite Zero by auto; apply Nn|].
        exfalso. destruct Kb as [Kb|Kb]; lra.
Qed.

Lemma the_worse_arm_is_played_rarely alpha eps : 0 < alpha -> 0 < eps ->
  eventually (fun T => expected_plays turns_by_peak nu a T <= eps * Rpower (INR T) alpha).
Proof.
  intros Hal He. assert (C1 := c_is_above_one). assert (L : 0 < ln c) by (rewrite <- ln_1; apply ln_increasing; lra).
  destruct (errors_sum_to_a_logarithm (ln c) (fun t => history_law turns_by_peak nu (t - 1) (fun h =>
    indicator (Nat.eqb (fst (decision h)) a && negb (snd (decision h))))) L) as [C [HC Hsum]].
  - intros t _. rewrite <- (expect_one (history_law turns_by_peak nu (t - 1))). apply expect_le. intros; apply
    indicator_le_1.
  - apply idle_plays_of_the_worse_arm_are_rare.
  - apply (few_plays_are_sub_polynomial _ C HC); [|exact Hal | exact He]. intros T HT.
    unfold expected_plays. rewrite (expect_ext _ _ (fun h => queries_in a h + idle_in a h))
      by (intros; apply plays_are_queries_and_idle_plays).
    rewrite expect_plus. apply Rplus_le_compat; [apply queries_are_at_most_the_level|].
    unfold turns_by_peak. rewrite expected_idle_plays. now apply Hsum.
Qed.
End Spike.
End OnAnInstance.

(** The strategy is consistent. *)
Theorem turns_by_peak_are_consistent : consistent half_or_spiked turns_by_peak.
Proof.
  intros nu HD a Hsub alpha eps Hal He. apply suboptimal_iff in Hsub. destruct Hsub as [Ha [b [Hb Hlt]]].
  assert (Eb : b = (3 - a)%nat).
  { destruct (Nat.eq_dec a b) as [->|Hne]; [lra|]. unfold is_arm in *. lia. }
  destruct (HD b Hb) as [Hhalf|[d Hd]].
  - exfalso. rewrite (mean_of_half _ Hhalf) in Hlt. destruct (HD a Ha) as [H|[d H]].
    + rewrite (mean_of_half _ H) in Hlt. lra.
    + rewrite (mean_of_spiked d _ H) in Hlt. destruct H as [H _]. assert (0 < d * d) by (apply Rmult_lt_0_compat;
      lra). lra.
  - destruct (HD a Ha) as [H|[e H]].
    + apply (the_worse_arm_is_played_rarely nu b d Hd a (1/2) Ha Eb); [|lra | exact He]. destruct Hd as [Hd _].
      split; [lra|]. intros x Hx. rewrite (mass_of_half _ x H Hx). lra.
    + rewrite (mean_of_spiked e _ H), (mean_of_spiked d _ Hd) in Hlt.
      apply (the_worse_arm_is_played_rarely nu b d Hd a ((1 + e) / 2) Ha Eb); [|lra | exact He].
      assert (H0 := proj1 H). destruct Hd as [Hd _]. split.
      * assert (e < d); [|lra]. apply Rnot_le_lt. intros Hle. assert (d * d <= e * e) by (apply Rmult_le_compat;
        lra). lra.
      * intros x Hx. destruct (mass_of_spiked e _ x H Hx) as [->| ->]; lra.
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
  rewrite <- (expect_const (history_law turns_by_peak two_halves T) 0).
  apply (history_law_le_along decision decisions_are_arms two_halves (fun h => forall k, peak k h <= 1/2)).
  - intros k. unfold peak. simpl. lra.
  - intros h x K _ Hx k. assert (E := mass_of_half _ x eq_refl Hx). rewrite peak_of_a_query.
    destruct (Nat.eqb _ _); [apply Rmax_lub; [lra | apply K] | apply K].
  - intros h K _ k. rewrite peak_of_a_play. apply K.
  - intros h Hlen K. unfold turns_by_peak. rewrite deterministic_round. unfold decision. cbv zeta. rewrite Hlen.
    specialize (Hrest (S T) ltac:(lia)).
    destruct (query_count (turn (S T)) h <? level (S T))%nat; cbn [fst snd].
    + unfold two_halves. rewrite average_of_a_constant. simpl arm. rewrite (proj2 (Nat.eqb_neq _ _) Hrest). simpl.
      lra.
    + destruct (Rle_dec (peak (turn (S T)) h) (1/2)) as [_|H2]; [|elim H2; apply K]. cbn [fst snd]. unfold is_query.
      simpl seen. rewrite andb_false_r. simpl. lra.
Qed.

(** l.314 as printed is false under condition (2). There are a family, a consistent strategy and an instance whose
    two arms are both optimal with Kinf+ = 0, but for both arms, for every eps > 0, infinitely often E n^q_T(a) <=
    eps ln T: no optimal arm has liminf E n^q_T(a)/ln T = +infinity. *)
Theorem no_optimal_arm_need_be_queried_super_logarithmically :
  exists (D : law -> Prop) (s : strategy 2) (nu : nat -> law),
    consistent D s /\ instance_of 2 D nu /\
    (forall a, is_arm 2 a -> optimal 2 nu a /\ is_kinf_above D (nu a) (best_mean 2 nu) (Some 0)) /\
    forall a, is_arm 2 a -> forall eps N, 0 < eps ->
      exists T, (N <= T)%nat /\ expected_queries s nu a T <= eps * ln (INR T).
Proof.
  assert (M : forall a, law_mean (two_halves a) = 1/2) by (intros; exact (average_of_a_constant (1/2) (fun x => x))).
  assert (B : best_mean 2 two_halves = 1/2).
  { destruct (best_is_attained 2 two_halves ltac:(lia)) as [b [_ E]]. now rewrite <- E, M. }
  exists half_or_spiked, turns_by_peak, two_halves. split; [exact turns_by_peak_are_consistent|]. split; [|split].
  - intros a _. now left.
  - intros a Ha. split; [split; [exact Ha | now rewrite M, B]|]. rewrite B. now apply kinf_above_of_half.
  - intros a Ha eps N He.
    destruct (long_rests a eps N He ltac:(unfold is_arm in Ha; lia)) as [T0 [T [HN [HT [Hrest Hlevel]]]]].
    exists T. split; [exact HN|]. eapply Rle_trans; [apply (a_resting_arm_is_not_queried a T0 T HT Hrest)|].
    eapply Rle_trans; [apply queries_are_at_most_the_level | exact Hlevel].
Qed.

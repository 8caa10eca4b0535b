(** The Hoeffding intervals are regular (lemma at l.1134), with failures summing to K instead of the printed 2K, for rewards in
    [0,1]. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Runs Expectation Experiment Hoeffding.
Open Scope R_scope.

(** sqrt(3 ln t / (2 n)), l.374. *)
Definition radius (t n : nat) : R := sqrt (3 * ln (INR t) / (2 * INR n)).

Definition sample_mean (X : nat -> R) (n : nat) : R := sum (rounds n) X / INR n.

(** [LCB_t, UCB_t] of an arm with [n] queries (l.374, l.1133). *)
Definition hoeffding_interval (t n : nat) (estimate : R) : interval :=
  match n with
  | O => whole_line
  | _ => Between (Some (estimate - radius t n)) (Some (estimate + radius t n))
  end.

(** N(t, mu) = min{6 ln t / mu^2, t - 1}, and t - 1 at mu = 0 (l.1139). *)
Definition hoeffding_enough (t : nat) (mu : R) : R :=
  if Rle_dec mu 0 then INR (t - 1) else Rmin (6 * ln (INR t) / (mu * mu)) (INR (t - 1)).

Definition inside (i : interval) (x : R) : bool :=
  match lower i with Some y => at_most y x | None => true end &&
  match upper i with Some y => at_most x y | None => true end.

Lemma inside_contains i x : inside i x = true -> contains i x.
Proof.
  unfold inside, contains, at_most. intros H. apply andb_true_iff in H. destruct H as [H1 H2].
  destruct (lower i), (upper i); repeat destruct (Rle_dec _ _); try discriminate; split; trivial.
Qed.

Lemma ln_of_round_nonneg t : (1 <= t)%nat -> 0 <= ln (INR t).
Proof.
  intros H. rewrite <- ln_1. apply le_INR in H. simpl in H.
  destruct H as [H|H]; [left; apply ln_increasing; lra | rewrite <- H; lra].
Qed.

Lemma ln_of_rounds_mono s t : (1 <= s <= t)%nat -> ln (INR s) <= ln (INR t).
Proof.
  intros [Hs Ht]. apply le_INR in Hs, Ht. simpl in Hs.
  destruct Ht as [Ht|Ht]; [left; apply ln_increasing; lra | rewrite Ht; lra].
Qed.

(** ** Intervals of radius sqrt(g(t) / (2 n)), of which Hoeffding's is g(t) = 3 ln t *)

Section Growth.
Variable g : nat -> R.

Definition root_radius (t n : nat) : R := sqrt (g t / (2 * INR n)).

Definition root_interval (t n : nat) (estimate : R) : interval :=
  match n with
  | O => whole_line
  | _ => Between (Some (estimate - root_radius t n)) (Some (estimate + root_radius t n))
  end.

(** min{2 g(t) / mu^2, t - 1}, and t - 1 at mu = 0. *)
Definition root_enough (t : nat) (mu : R) : R :=
  if Rle_dec mu 0 then INR (t - 1) else Rmin (2 * g t / (mu * mu)) (INR (t - 1)).

Lemma root_width_nonneg t n estimate : ~ narrower_than 0 (root_interval t n estimate).
Proof.
  destruct n as [|n]; unfold narrower_than, width, root_interval; simpl upper; simpl lower; cbv iota; [tauto|].
  generalize (sqrt_pos (g t / (2 * INR (S n)))). fold (root_radius t (S n)). lra.
Qed.

Lemma root_enough_le_rounds t mu : root_enough t mu <= INR (t - 1).
Proof. unfold root_enough. destruct (Rle_dec mu 0); [lra | apply Rmin_r]. Qed.

(** A mean outside its interval is a sum of centred rewards that is off by more than n times the radius. *)
Lemma outside_means_a_large_sum t n Y m : inside (root_interval t n (sample_mean Y n)) m = false ->
  (1 <= n)%nat /\ INR n * root_radius t n < Rabs (sum (rounds n) (fun k => Y k - m)).
Proof.
  intros Hout. destruct n as [|n]; [discriminate|].
  split; [lia|]. apply Rnot_le_lt. intros Hnear.
  set (N := INR (S n)) in *. assert (HN : 0 < N) by (unfold N; apply lt_0_INR; lia).
  assert (S1 : sum (rounds (S n)) (fun k => Y k - m) = N * (sample_mean Y (S n) - m)).
  { unfold sample_mean. fold N. unfold Rminus at 1. rewrite sum_plus, sum_const, length_rounds. fold N. field.
    lra. }
  rewrite S1, Rabs_mult, (Rabs_pos_eq N) in Hnear by lra. apply Rmult_le_reg_l in Hnear; [|exact HN].
  assert (N1 := Rle_abs (sample_mean Y (S n) - m)).
  assert (N2 := Rle_abs (- (sample_mean Y (S n) - m))). rewrite Rabs_Ropp in N2.
  unfold inside, root_interval, at_most in Hout. simpl in Hout.
  repeat destruct (Rle_dec _ _); try discriminate; lra.
Qed.

Hypothesis g_is_nonneg : forall t, (1 <= t)%nat -> 0 <= g t.

Lemma root_enough_nonneg t mu : (1 <= t)%nat -> 0 <= root_enough t mu.
Proof.
  intros Ht. unfold root_enough. destruct (Rle_dec mu 0); [apply pos_INR|].
  apply Rmin_glb; [|apply pos_INR]. assert (Hsq : 0 < mu * mu) by (apply Rmult_lt_0_compat; lra).
  assert (Hg := g_is_nonneg t Ht). unfold Rdiv. apply Rmult_le_pos; [lra|]. left. now apply Rinv_0_lt_compat.
Qed.

Lemma the_width_is_a_root t n estimate : (1 <= t)%nat -> (1 <= n)%nat ->
  width (root_interval t n estimate) = Some (sqrt (2 * g t / INR n)).
Proof.
  intros Ht Hn. assert (Hg := g_is_nonneg t Ht). assert (HN : 1 <= INR n) by (apply le_INR in Hn; exact Hn).
  destruct n as [|n]; [lia|]. unfold width, root_interval. simpl upper. simpl lower. cbv iota. f_equal.
  set (N := INR (S n)) in *. unfold root_radius. fold N.
  replace (2 * g t / N) with (2 * 2 * (g t / (2 * N))) by (field; lra).
  rewrite sqrt_mult_alt, sqrt_square by lra. lra.
Qed.

(** Conditions 4 and 5 (l.840-841): more than N(t, mu) queries make the interval narrower than mu. No good event. *)
Lemma root_enough_suffices t n mu estimate :
  (1 <= t)%nat -> (n <= t - 1)%nat -> root_enough t mu < INR n -> narrower_than mu (root_interval t n estimate).
Proof.
  intros Ht Hn H. assert (Hpos := root_enough_nonneg t mu Ht). assert (Hg := g_is_nonneg t Ht).
  unfold root_enough in *. apply le_INR in Hn.
  destruct (Rle_dec mu 0) as [Hmu|Hmu]; [lra|].
  assert (Hsq : 0 < mu * mu) by (apply Rmult_lt_0_compat; lra).
  assert (Hn0 : 0 < INR n) by lra. assert (Hn1 : (1 <= n)%nat) by (destruct n; [simpl in Hn0; lra | lia]).
  unfold narrower_than. rewrite the_width_is_a_root by assumption.
  rewrite <- (sqrt_square mu) by lra. apply sqrt_lt_1_alt. split.
  - unfold Rdiv. apply Rmult_le_pos; [lra|]. left. now apply Rinv_0_lt_compat.
  - assert (H0 : 2 * g t / (mu * mu) < INR n) by (unfold Rmin in H; destruct (Rle_dec _ _); lra).
    apply (Rmult_lt_compat_r (mu * mu / INR n)) in H0; [|now apply Rdiv_lt_0_compat].
    replace (2 * g t / (mu * mu) * (mu * mu / INR n)) with (2 * g t / INR n) in H0 by (field; lra).
    replace (INR n * (mu * mu / INR n)) with (mu * mu) in H0 by (field; lra). exact H0.
Qed.
End Growth.

Definition three_logs (t : nat) : R := 3 * ln (INR t).

Lemma three_logs_are_nonneg t : (1 <= t)%nat -> 0 <= three_logs t.
Proof. intros H. generalize (ln_of_round_nonneg t H). unfold three_logs. lra. Qed.

Lemma hoeffding_enough_is_of_a_root t mu : hoeffding_enough t mu = root_enough three_logs t mu.
Proof.
  unfold hoeffding_enough, root_enough, three_logs. replace (2 * (3 * ln (INR t))) with (6 * ln (INR t)) by ring. reflexivity.
Qed.

Lemma hoeffding_enough_nonneg t mu : (1 <= t)%nat -> 0 <= hoeffding_enough t mu.
Proof. rewrite hoeffding_enough_is_of_a_root. apply root_enough_nonneg, three_logs_are_nonneg. Qed.

Lemma hoeffding_enough_suffices t n mu estimate :
  (1 <= t)%nat -> (n <= t - 1)%nat -> hoeffding_enough t mu < INR n ->
    narrower_than mu (hoeffding_interval t n estimate).
Proof.
  rewrite hoeffding_enough_is_of_a_root.
  exact (root_enough_suffices three_logs three_logs_are_nonneg t n mu estimate).
Qed.

Lemma hoeffding_width_nonneg t n estimate : ~ narrower_than 0 (hoeffding_interval t n estimate).
Proof. exact (root_width_nonneg three_logs t n estimate). Qed.

(** says: the width of a Hoeffding interval with n >= 1 queries is sqrt(6 ln t / n)
    paper: l.1144
    differs: none
    settles: interval.hoeffding_width
    breaks: "6 * ln" to "5 * ln" *)
Theorem the_hoeffding_width_is_the_root_of_six_log_over_n t n estimate : (1 <= t)%nat -> (1 <= n)%nat ->
  width (hoeffding_interval t n estimate) = Some (sqrt (6 * ln (INR t) / INR n)).
Proof.
  intros Ht Hn. replace (6 * ln (INR t)) with (2 * three_logs t) by (unfold three_logs; ring).
  exact (the_width_is_a_root three_logs three_logs_are_nonneg t n estimate Ht Hn).
Qed.

(** says: the Hoeffding width is below mu > 0 exactly when n > 6 ln t / mu^2
    paper: l.416
    differs: n >= 1, since the interval is infinite for n = 0
    settles: n_bar.samples_for_width
    breaks: "6 * ln" to "5 * ln" *)
Theorem the_hoeffding_width_is_below_mu_iff_queries_exceed t n mu estimate : (1 <= t)%nat -> (1 <= n)%nat ->
  0 < mu ->
  narrower_than mu (hoeffding_interval t n estimate) <-> 6 * ln (INR t) / (mu * mu) < INR n.
Proof.
  intros Ht Hn Hmu. assert (Hln := ln_of_round_nonneg t Ht).
  assert (HN : 1 <= INR n) by (apply le_INR in Hn; exact Hn).
  assert (Hsq : 0 < mu * mu) by (apply Rmult_lt_0_compat; lra).
  unfold narrower_than. rewrite the_hoeffding_width_is_the_root_of_six_log_over_n by assumption.
  assert (Hin : 0 <= 6 * ln (INR t) / INR n) by
    (unfold Rdiv; apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
  rewrite <- (sqrt_square mu) at 1 by lra. split; intros H.
  - apply sqrt_lt_0_alt in H. apply (Rmult_lt_compat_r (INR n / (mu * mu))) in H; [|apply Rdiv_lt_0_compat; lra].
    replace (6 * ln (INR t) / INR n * (INR n / (mu * mu))) with (6 * ln (INR t) / (mu * mu)) in H by (field; lra).
    replace (mu * mu * (INR n / (mu * mu))) with (INR n) in H by (field; lra). exact H.
  - apply sqrt_lt_1_alt. split; [exact Hin|].
    apply (Rmult_lt_compat_r (mu * mu / INR n)) in H; [|apply Rdiv_lt_0_compat; lra].
    replace (6 * ln (INR t) / (mu * mu) * (mu * mu / INR n)) with (6 * ln (INR t) / INR n) in H by (field; lra).
    replace (INR n * (mu * mu / INR n)) with (mu * mu) in H by (field; lra). exact H.
Qed.

(** e^{-2 n r^2} = t^{-3} at the radius of the interval. *)
Lemma tail_at_the_radius t n : (1 <= t)%nat -> (1 <= n)%nat ->
  exp (- 2 * INR n * (radius t n * radius t n)) = / (INR t * INR t * INR t).
Proof.
  intros Ht Hn. assert (Hln := ln_of_round_nonneg t Ht). apply le_INR in Ht, Hn. simpl in Ht, Hn.
  unfold radius. rewrite sqrt_sqrt.
  2: { unfold Rdiv. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra. }
  replace (- 2 * INR n * (3 * ln (INR t) / (2 * INR n)))
    with (- (ln (INR t) + ln (INR t) + ln (INR t))) by (field; lra).
  rewrite exp_Ropp, !exp_plus, exp_ln by lra. reflexivity.
Qed.

(** Sum over t of 2 (t - 1) / t^3 <= 1, by 2 (t-1)/t^3 <= 2/(t (t+1)) and telescoping. In print 1/t^2 is summed. *)
Lemma failures_telescope T :
  sum (rounds (S T)) (fun t => 2 * INR (t - 1) / (INR t * INR t * INR t)) <= 1 - 2 / (INR (S T) + 1).
Proof.
  induction T as [|T IH]; [unfold rounds, sum; simpl; lra|].
  rewrite sum_rounds_S. eapply Rle_trans; [apply Rplus_le_compat_r, IH|]. clear IH.
  replace (S (S T) - 1)%nat with (S T) by lia. rewrite (S_INR (S T)).
  assert (H : 1 <= INR (S T)) by (rewrite S_INR; generalize (pos_INR T); lra). set (s := INR (S T)) in *.
  assert (P : 0 < (s + 1) * (s + 1) * (s + 1)) by (repeat apply Rmult_lt_0_compat; lra).
  apply Rminus_le.
  replace (1 - 2 / (s + 1) + 2 * s / ((s + 1) * (s + 1) * (s + 1)) - (1 - 2 / (s + 1 + 1)))
    with (- (2 / ((s + 1) * (s + 1) * (s + 1) * (s + 2)))) by (field; lra).
  assert (0 < 2 / ((s + 1) * (s + 1) * (s + 1) * (s + 2))).
  { apply Rdiv_lt_0_compat; [lra|]. apply Rmult_lt_0_compat; lra. }
  lra.
Qed.

Lemma failures_sum_to_at_most_one T : sum (rounds T) (fun t => 2 * INR (t - 1) / (INR t * INR t * INR t)) <= 1.
Proof.
  destruct T as [|T]; [unfold rounds, sum; simpl; lra|].
  eapply Rle_trans; [apply failures_telescope|].
  assert (0 < 2 / (INR (S T) + 1)) by (apply Rdiv_lt_0_compat; [lra | generalize (pos_INR (S T)); lra]). lra.
Qed.

(** The reward of the k-th query of arm [a] is X_a(k) (the tape of l.1149): rewards in [0,1], of the right mean, and
    independent along each arm. Nothing is asked across arms, and nothing else of the distributions. *)
Record reward_tape {Omega} (E : expectation Omega) (b : bandit) (T : nat) (X : nat -> nat -> Omega -> R) : Prop :=
  RewardTape {
  rewards_are_bounded : forall a k w, is_arm (number_of_arms b) a -> (1 <= k <= T)%nat -> 0 <= X a k w <= 1;
  rewards_have_their_mean : forall a k, is_arm (number_of_arms b) a -> (1 <= k <= T)%nat -> E (X a k) = mean b a;
  rewards_are_independent : forall a n, is_arm (number_of_arms b) a -> (n <= T)%nat -> independent E (X a) n
}.

(** The experiment uses the Hoeffding intervals of the rewards it has queried so far. *)
Definition uses_hoeffding_intervals {Omega} (x : experiment Omega) (X : nat -> nat -> Omega -> R) : Prop :=
  forall w t a, (1 <= t <= horizon x)%nat -> is_arm (arms_of x) a ->
    bounds_at x w t a =
      let n := queries (path_of x w) a (t - 1) in hoeffding_interval t n (sample_mean (fun k => X a k w) n).

(** ** Deviations of a tape from its means *)

Section Deviations.
Context {Omega : Type} (E : expectation Omega) (b : bandit) (H : nat) (X : nat -> nat -> Omega -> R).
Hypothesis tape : reward_tape E b H X.
Let K := number_of_arms b.

(** The mean of the first [n] rewards of arm [a] is further from its mean than the radius. *)
Definition deviates (t : nat) (an : nat * nat) (w : Omega) : bool :=
  let (a, n) := an in
  negb (at_most (Rabs (sum (rounds n) (fun k => X a k w - mean b a))) (INR n * radius t n)).

(** says: the mean of the first n rewards of an arm is off by more than sqrt(3 ln t / (2 n)) with probability at most
      2/t^3, for rewards in [0,1]
    paper: l.1157-1158
    differs: 2/t^3 where the print has 1/t^3
    settles: regular.hoeffding.two_sided_tail
    breaks: "2 / (INR t" to "1 / (INR t" *)
Lemma a_deviation_is_rare t a n : (1 <= t)%nat -> is_arm K a -> (1 <= n <= H)%nat ->
  probability E (deviates t (a, n)) <= 2 / (INR t * INR t * INR t).
Proof.
  intros Ht Ha Hn. unfold Rdiv. rewrite <- (tail_at_the_radius t n) by lia.
  apply (hoeffding_two_sided E (X a) (mean b a) n (radius t n)).
  - intros k w Hk. apply (rewards_are_bounded _ _ _ _ tape); [exact Ha | lia].
  - intros k Hk. apply (rewards_have_their_mean _ _ _ _ tape); [exact Ha | lia].
  - apply (rewards_are_independent _ _ _ _ tape); [exact Ha | lia].
  - apply sqrt_pos.
  - intros w Hw. simpl in Hw. unfold at_most in Hw. destruct (Rle_dec _ _); [discriminate | lra].
Qed.

(** A mean outside its interval is a deviation at the number of rewards that the arm happens to have (l.1153-1156). *)
Lemma outside_means_a_deviation t a n w :
  inside (hoeffding_interval t n (sample_mean (fun k => X a k w) n)) (mean b a) = false ->
  (1 <= n)%nat /\ deviates t (a, n) w = true.
Proof.
  intros Hout. destruct (outside_means_a_large_sum three_logs t n (fun k => X a k w) (mean b a) Hout) as [Hn Hfar].
  split; [exact Hn|]. unfold deviates. apply negb_true_iff. unfold at_most.
  destruct (Rle_dec _ _) as [Hnear|]; [|reflexivity]. exfalso. exact (Rle_not_lt _ _ Hnear Hfar).
Qed.

(** The union over arms, and over the [m] numbers of rewards that each may have, the first being [first a]. *)
Lemma a_bad_round_is_rare t (bad : Omega -> bool) first m :
  (1 <= t)%nat -> (forall a, is_arm K a -> (1 <= first a /\ first a + m <= S H)%nat) ->
  (forall w, bad w = true -> exists a n, is_arm K a /\ (n < first a + m)%nat /\ (1 <= n -> first a <= n)%nat /\
    inside (hoeffding_interval t n (sample_mean (fun k => X a k w) n)) (mean b a) = false) ->
  probability E bad <= INR K * (2 * INR m / (INR t * INR t * INR t)).
Proof.
  intros Ht Hfirst Hbad. eapply Rle_trans.
  { apply (union_bound E (list_prod (arms K) (seq 0 m)) (fun ai => deviates t (fst ai, (first (fst ai) + snd ai)%nat))).
    intros w Hw. destruct (Hbad w Hw) as [a [n [Ha [Hn [Hn1 Hout]]]]].
    destruct (outside_means_a_deviation t a n w Hout) as [H1 Hdev]. specialize (Hn1 H1).
    exists (a, (n - first a)%nat). split.
    - apply in_prod; [now apply in_arms | apply in_seq; lia].
    - simpl fst. simpl snd. now replace (first a + (n - first a))%nat with n by lia. }
  eapply Rle_trans.
  { apply (sum_le _ _ (fun _ => 2 / (INR t * INR t * INR t))). intros [a i] Hai. apply in_prod_iff in Hai.
    destruct Hai as [Ha Hi]. apply in_arms in Ha. apply in_seq in Hi. simpl fst. simpl snd.
    specialize (Hfirst a Ha). apply a_deviation_is_rare; [exact Ht | exact Ha | lia]. }
  rewrite sum_const, prod_length, mult_INR. unfold arms. rewrite !seq_length.
  apply Req_le. unfold Rdiv. ring.
Qed.
End Deviations.

Section Regularity.
Context {Omega : Type} (E : expectation Omega) (x : experiment Omega) (X : nat -> nat -> Omega -> R).
Let K := arms_of x.
Let T := horizon x.

(** G_t = {every mean lies in its interval}, l.1136. *)
Definition hoeffding_good (t : nat) (w : Omega) : bool :=
  forallb (fun a => inside (bounds_at x w t a) (mean (instance x) a)) (arms K).

Lemma good_means_inside t w a : hoeffding_good t w = true -> is_arm K a ->
  contains (bounds_at x w t a) (mean (instance x) a).
Proof.
  intros Hgood Ha. apply inside_contains. unfold hoeffding_good in Hgood. rewrite forallb_forall in Hgood.
  now apply Hgood, in_arms.
Qed.

Lemma bad_means_outside t w : negb (hoeffding_good t w) = true ->
  exists a, is_arm K a /\ inside (bounds_at x w t a) (mean (instance x) a) = false.
Proof.
  intros Hw. apply negb_true_iff in Hw. unfold hoeffding_good in Hw.
  assert (Hex : exists a, In a (arms K) /\ inside (bounds_at x w t a) (mean (instance x) a) = false).
  { revert Hw. generalize (arms K). induction l as [|a l IH]; simpl; [discriminate|].
    destruct (inside (bounds_at x w t a) (mean (instance x) a)) eqn:Ein; intros Hw.
    - destruct (IH Hw) as [c [Hc Hout]]. exists c. auto.
    - exists a. auto. }
  destruct Hex as [a [Ha Hout]]. exists a. now apply in_arms in Ha.
Qed.

Hypothesis tape : reward_tape E (instance x) (horizon x) X.
Hypothesis uses : uses_hoeffding_intervals x X.

(** says: the Hoeffding intervals satisfy the five conditions with C = K, for every strategy on a tape of rewards in
      [0,1], of equal mean along each arm, for which the product rule holds
    paper: l.1134-1174
    differs: C = K is smaller than the printed 2K; the factor 2 missing at l.1158 is there
    settles: regular.hoeffding; regular.hoeffding.width_nonnegative; regular.hoeffding.mean_covered;
      regular.hoeffding.queries_shrink_width
    breaks: "(INR K)" to "(INR K / 2)" *)
Theorem hoeffding_intervals_are_regular :
  regular E x hoeffding_good (INR K) (fun _ => hoeffding_enough) hoeffding_enough.
Proof.
  constructor; fold K; fold T.
  - intros w t a Ht Ha. rewrite uses by assumption. apply hoeffding_width_nonneg.
  - intros w t Ht Hgood a Ha. now apply good_means_inside.
  - eapply Rle_trans; [apply sum_le; intros t Ht; apply in_rounds in Ht;
      apply (a_bad_round_is_rare E (instance x) T X tape t _ (fun _ => 1%nat) (t - 1)); [lia | intros; lia|]|].
    { intros w Hw. apply bad_means_outside in Hw. destruct Hw as [a [Ha Hout]]. rewrite uses in Hout by assumption.
      exists a, (queries (path_of x w) a (t - 1)). assert (Hle := queries_le_rounds (path_of x w) a (t - 1)).
      split; [exact Ha|]. split; [lia|]. split; [lia | exact Hout]. }
    rewrite sum_scal. apply Rle_trans with (INR K * 1); [|lra]. apply Rmult_le_compat_l; [apply pos_INR|].
    apply failures_sum_to_at_most_one.
  - intros w t a mu Ht Ha _ _ H. rewrite uses by assumption.
    apply hoeffding_enough_suffices; [lia | apply queries_le_rounds | exact H].
  - intros a t mu _ _. unfold hoeffding_enough. destruct (Rle_dec mu 0); [lra | apply Rmin_r].
  - intros w t a mu Ht Ha H. rewrite uses by assumption.
    apply hoeffding_enough_suffices; [lia | apply queries_le_rounds | exact H].
Qed.
End Regularity.

(** The Bernstein intervals are regular (lemma at l.1211), from nothing but reward laws on [0,1]:
    the failure probabilities sum to at most 2K, where the print has 12K. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Runs Expectation Experiment Hoeffding HoeffdingIntervals
  BernsteinIntervals BernsteinRegularity Laws PairsAndJensen VarianceTails BernsteinTail.
Import ListNotations.
Open Scope R_scope.

(** ** The first rewards of a column *)

Definition first_rewards (n : nat) (column : list reward) : list reward :=
  map (fun k => nth (k - 1) column no_reward) (rounds n).

Lemma length_first_rewards n column : length (first_rewards n column) = n.
Proof. unfold first_rewards. rewrite map_length. apply length_rounds. Qed.

Lemma first_rewards_from_first n r column : first_rewards (S n) (r :: column) = r :: first_rewards n column.
Proof.
  unfold first_rewards, rounds. simpl seq. rewrite <- (seq_shift n 1). simpl map. f_equal. rewrite map_map.
  apply map_ext_in.
  intros k Hk. apply in_seq in Hk. simpl. destruct k as [|k]; [lia|]. simpl. now rewrite Nat.sub_0_r.
Qed.

Lemma the_first_draws_are_a_sample s n T (F : list reward -> R) : (n <= T)%nat ->
  one_from_each (repeat s T) (fun column => F (first_rewards n column)) = sample s n (fun l => F l).
Proof.
  revert n F. induction T as [|T IH]; intros [|n] F Hn; try lia.
  - reflexivity.
  - exact (expect_const (one_from_each (repeat s (S T))) (F [])).
  - rewrite sample_from_first. simpl repeat. rewrite one_from_first. apply expect_ext. intros r.
    rewrite <- (IH n (fun l => F (r :: l))) by lia. apply expect_ext. intros l. now rewrite first_rewards_from_first.
Qed.

Definition first_rewards_of (a n : nat) (w : table) : list reward := first_rewards n (nth (a - 1) w []).

Lemma the_first_rewards_of_an_arm_are_a_sample law b T a n (F : list reward -> R) :
  is_arm (number_of_arms b) a -> (n <= T)%nat ->
  table_law law (number_of_arms b) T (fun w => F (first_rewards_of a n w))
  = sample (law a) n (fun l => F l).
Proof.
  intros Ha Hn. unfold first_rewards_of.
  rewrite (a_column_has_its_own_law law b T a (fun column => F (first_rewards n column)) Ha).
  exact (the_first_draws_are_a_sample (law a) n T F Hn).
Qed.

Lemma sum_of_first_rewards a n w (f : R -> R) :
  sum (rounds n) (fun k => f (entry a k w)) = sum (first_rewards_of a n w) (fun r => f (value r)).
Proof. unfold first_rewards_of, first_rewards. now rewrite sum_map. Qed.

Lemma sample_mean_of_first_rewards a n w : sample_mean (fun k => entry a k w) n = list_mean (first_rewards_of a n w).
Proof.
  unfold sample_mean, list_mean. rewrite (sum_of_first_rewards a n w (fun v => v)).
  unfold first_rewards_of at 3. now rewrite length_first_rewards.
Qed.

Lemma sample_variance_of_first_rewards a n w : (2 <= n)%nat ->
  sample_variance (fun k => entry a k w) n = list_variance value (first_rewards_of a n w).
Proof.
  intros H2. assert (Hn : 2 <= INR n) by (apply le_INR in H2; simpl in H2; lra).
  unfold sample_variance, sample_mean, list_variance.
  rewrite (sum_of_first_rewards a n w (fun v => v * v)), (sum_of_first_rewards a n w (fun v => v)).
  change (sum (first_rewards_of a n w) (fun r => value r)) with (sum (first_rewards_of a n w) value).
  replace (length (first_rewards_of a n w)) with n by (symmetry; apply length_first_rewards). field. lra.
Qed.

(** ** The failure probabilities *)

Section Tables.
Variables (law : nat -> expectation reward) (x : experiment table).
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.
Let E := table_law law K T.
Hypothesis means_are_those_of_the_laws : forall a, is_arm K a -> mean b a = law a value.
Hypothesis uses : uses_bernstein_intervals x entry.

(** V_a, the variance of the law of arm [a]. *)
Definition variance_of_arm (a : nat) : R := variance_of_law (law a).

(** e^{-3 ln t} = t^-3. *)
Lemma exp_of_three_logarithms t : (1 <= t)%nat -> exp (- (3 * ln (INR t))) = / (INR t * INR t * INR t).
Proof.
  intros Ht. apply le_INR in Ht. simpl in Ht.
  replace (3 * ln (INR t)) with (ln (INR t) + ln (INR t) + ln (INR t)) by ring.
  rewrite exp_Ropp, !exp_plus, exp_ln by lra. reflexivity.
Qed.

(** says: the first n >= 2 rewards of an arm put its mean outside the interval of round t, or its standard deviation
      further than sqrt(6 ln t/(n-1)) from the estimate, with probability at most 4/t^3, for reward laws on [0,1]
    paper: l.1264-1268
    differs: 4/t^3 where the print has 6/t^3
    settles: regular.bernstein.failure_probability
    breaks: "4 /" to "3 /" *)
Theorem a_bernstein_deviation_is_rare t a n : (1 <= t <= T)%nat -> is_arm K a -> (2 <= n <= t - 1)%nat ->
  probability E (bernstein_deviates x entry variance_of_arm t (a, n)) <= 4 / (INR t * INR t * INR t).
Proof.
  intros Ht Ha Hn. assert (HL := ln_of_round_nonneg t ltac:(lia)). set (y := 3 * ln (INR t)).
  assert (HN : 2 <= INR n) by (change 2 with (INR 2); apply le_INR; lia).
  set (event := fun l => negb (at_most (Rabs (list_mean l - mean_of_law (law a))) (empirical_deviation n y l) &&
    at_most (Rabs (sqrt (list_variance value l) - sqrt (variance_of_arm a))) (sqrt (2 * y / (INR n - 1))))).
  unfold Rdiv. rewrite <- exp_of_three_logarithms by lia. fold y.
  apply Rle_trans with (probability (sample (law a) n) event).
  - unfold probability. rewrite <- (the_first_rewards_of_an_arm_are_a_sample law b T a n
      (fun l => indicator (event l)) Ha ltac:(lia)). apply expect_le; [bounded | bounded|]. intros w.
    unfold bernstein_deviates. replace (2 <=? n) with true by (symmetry; apply Nat.leb_le; lia).
    rewrite sample_mean_of_first_rewards, sample_variance_of_first_rewards by lia.
    set (l := first_rewards_of a n w). rewrite andb_true_l.
    destruct (event l) eqn:Ev; [apply indicator_le_1|]. unfold event in Ev. apply negb_false_iff, andb_true_iff in Ev.
    destruct Ev as [Em Ed]. fold b. rewrite (means_are_those_of_the_laws a Ha). fold (mean_of_law (law a)).
    assert (Hr : bernstein_radius t n (list_variance value l) = empirical_deviation n y l).
    { unfold bernstein_radius, empirical_deviation, y. f_equal; [f_equal|]; field; lra. }
    assert (Hin : inside (bernstein_interval t n (list_mean l) (list_variance value l)) (mean_of_law (law a)) = true).
    { unfold at_most in Em. destruct (Rle_dec _ _) as [Hm|]; [|discriminate]. rewrite <- Hr in Hm.
      assert (N1 := Rle_abs (list_mean l - mean_of_law (law a))).
      assert (N2 := Rle_abs (- (list_mean l - mean_of_law (law a)))). rewrite Rabs_Ropp in N2.
      unfold bernstein_interval. destruct n as [|[|k]]; try lia. unfold inside. simpl lower. simpl upper. cbv iota.
      rewrite !at_most_true by lra. reflexivity. }
    rewrite Hin. replace (6 * ln (INR t) / (INR n - 1)) with (2 * y / (INR n - 1)) by (unfold y; field; lra).
    rewrite Ed. simpl. lra.
  - apply (empirical_bernstein_two_sided (law a) n y ltac:(lia) ltac:(unfold y; lra)). intros l Ev.
    unfold event in Ev. apply negb_true_iff, andb_false_iff in Ev. unfold at_most in Ev.
    destruct Ev as [Ev|Ev]; destruct (Rle_dec _ _); try discriminate; [left|right]; apply Rnot_le_lt; assumption.
Qed.

(** The failure probabilities sum to at most 2K: K times the sum of 4 (t-1)/t^3. The print has 12K.
    breaks: "2 * INR K" to "INR K" *)
Theorem bernstein_failures_are_at_most_two_per_arm :
  sum (rounds T) (fun t => probability E (fun w => negb (bernstein_good x entry variance_of_arm t w))) <= 2 * INR K.
Proof.
  apply Rle_trans with (sum (rounds T) (fun t => 2 * INR K * (2 * INR (t - 1) / (INR t * INR t * INR t)))).
  2: { rewrite sum_scal. rewrite <- (Rmult_1_r (2 * INR K)) at 2.
       apply Rmult_le_compat_l; [generalize (pos_INR K); lra | apply failures_sum_to_at_most_one]. }
  apply sum_le. intros t Ht. apply in_rounds in Ht. eapply Rle_trans.
  { apply (union_bound E (list_prod (arms K) (rounds (t - 1))) (bernstein_deviates x entry variance_of_arm t)).
    intros w Hw. apply negb_true_iff in Hw.
    now apply (a_bad_bernstein_round_is_a_deviation x entry uses variance_of_arm t w). }
  eapply Rle_trans.
  { apply (sum_le _ _ (fun _ => 4 / (INR t * INR t * INR t))). intros [a n] Han. apply in_prod_iff in Han.
    destruct Han as [Ha Hn]. apply in_arms in Ha. apply in_rounds in Hn.
    destruct (Nat.leb_spec 2 n) as [H2|H1]; [apply a_bernstein_deviation_is_rare; trivial; lia|].
    unfold probability. rewrite (expect_ext E _ (fun _ => 0)), expect_const.
    - assert (H : 1 <= INR t) by (destruct Ht as [Ht _]; apply le_INR in Ht; exact Ht).
      left. apply Rdiv_lt_0_compat; [lra|]. repeat apply Rmult_lt_0_compat; lra.
    - intros w. unfold bernstein_deviates. replace (2 <=? n) with false by (symmetry; apply Nat.leb_gt; lia).
      reflexivity. }
  rewrite sum_const, prod_length, mult_INR. unfold arms, rounds. rewrite !seq_length. apply Req_le. unfold Rdiv.
  ring.
Qed.

Lemma entries_are_in_the_unit_interval : rewards_in_unit_interval x entry.
Proof. intros a k w _ _. apply a_reward_is_in_the_unit_interval. Qed.

(** With N_2^as; by [the_root_is_the_smaller_number] the larger N_1^as serves too.
    says: the Bernstein intervals satisfy the five conditions with the printed N_a^g and with both N^as, and C = 2K,
      for every strategy on a table of rewards in [0,1]
    paper: l.1211-1236
    differs: C = 2K where the print has 12K
    settles: regular.bernstein
    breaks: "2 * INR K" to "INR K" *)
Theorem bernstein_intervals_are_regular :
  regular E x (bernstein_good x entry variance_of_arm) (2 * INR K)
    (fun a => bernstein_enough_if_good (variance_of_arm a)) bernstein_enough_2 /\
  regular E x (bernstein_good x entry variance_of_arm) (2 * INR K)
    (fun a => bernstein_enough_if_good (variance_of_arm a)) bernstein_enough_1.
Proof.
  assert (R := bernstein_intervals_are_regular_up_to_failures x entry uses entries_are_in_the_unit_interval
    variance_of_arm (fun a _ => variance_of_law_nonneg (law a)) E (2 * INR K)
    bernstein_failures_are_at_most_two_per_arm).
  split; [exact R|]. destruct R as [R1 R2 R3 R4 R5 R6]. constructor; trivial.
  intros w t a mu Ht Ha H. apply R6; trivial.
  eapply Rle_lt_trans; [apply the_root_is_the_smaller_number; lia | exact H].
Qed.
End Tables.

(** How many queries identify a unique optimal arm (l.281). *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals GapQuery Expectation Experiment Hoeffding HoeffdingIntervals Laws.
Open Scope R_scope.

(** Some other arm has at least the empirical mean of [star] after [n] rewards of each. *)
Definition star_is_not_ahead (K star n : nat) (w : table) : bool :=
  existsb (fun a => at_most (sample_mean (fun k => entry star k w) n) (sample_mean (fun k => entry a k w) n))
    (others K star).

(** says: n >= 4 ln(K t) / m^2 independent rewards of each arm, laws on [0,1], leave the unique optimal arm alone with the
      largest empirical mean, but with probability at most 1/t, for every t >= 1 and every m > 0 that is at most each
      other gap; so of order K ln t / Delta_min^2 queries identify it
    paper: l.281
    differs: the print cites others; the number of queries and the probability are spelt out
    settles: bai.logarithmic_queries_suffice
    breaks: "/ INR t" to "/ (2 * (INR t * INR t))" *)
Theorem logarithmically_many_queries_identify_the_best_arm (law : nat -> expectation reward) b star m n t :
  (forall a, is_arm (number_of_arms b) a -> mean b a = law a value) -> unique_optimal_arm b star ->
  0 < m -> (forall a, is_arm (number_of_arms b) a -> a <> star -> m <= gap b a) -> (1 <= t)%nat ->
  4 * ln (INR (number_of_arms b) * INR t) / (m * m) <= INR n ->
  probability (table_law law (number_of_arms b) n) (star_is_not_ahead (number_of_arms b) star n) <= / INR t.
Proof.
  intros means unique Hm Hgap Ht Hn. set (K := number_of_arms b) in *. set (E := table_law law K n).
  assert (tape : reward_tape E b n entry) by now apply the_table_is_a_reward_tape.
  assert (Hs : is_arm K star) by apply unique.
  assert (Ht1 : 1 <= INR t) by (apply le_INR in Ht; exact Ht).
  assert (HK1 : 1 <= INR K) by (change 1 with (INR 1); apply le_INR; unfold is_arm in Hs; lia).
  destruct (others K star) as [|c rest] eqn:Eo.
  { apply Rle_trans with 0; [|left; apply Rinv_0_lt_compat; lra].
    rewrite <- (expect_const E 0). apply Req_le, expect_ext. intros w. unfold star_is_not_ahead. now rewrite Eo. }
  assert (Hc : In c (others K star)) by (rewrite Eo; now left). apply in_others in Hc. destruct Hc as [Hc Hne].
  assert (HK : 2 <= INR K) by (change 2 with (INR 2); apply le_INR; unfold is_arm in *; lia). clear Eo rest.
  assert (Hkt : 1 < INR K * INR t) by nra. assert (Hln : 0 < ln (INR K * INR t)) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (Hmm : 0 < m * m) by now apply Rmult_lt_0_compat.
  assert (Hn0 : 0 < INR n). { eapply Rlt_le_trans; [|exact Hn]. apply Rdiv_lt_0_compat; lra. }
  set (far := fun a w => negb (if Rlt_dec (Rabs (sum (rounds n) (fun k => entry a k w - mean b a))) (INR n * (m / 2))
    then true else false)).
  assert (Mean : forall a w, sum (rounds n) (fun k => entry a k w - mean b a)
    = INR n * (sample_mean (fun k => entry a k w) n - mean b a)).
  { intros a w. unfold sample_mean, Rminus. rewrite sum_plus, sum_const, length_rounds. field. lra. }
  eapply Rle_trans; [apply (union_bound E (arms K) far)|].
  - intros w Hw. unfold star_is_not_ahead in Hw. apply existsb_exists in Hw. destruct Hw as [a [Ha Hle]].
    apply in_others in Ha. destruct Ha as [Ha Has]. unfold at_most in Hle. destruct (Rle_dec _ _) as [Hle'|]; [|discriminate].
    assert (G := Hgap a Ha ltac:(congruence)). unfold gap in G. rewrite <- (proj2 (proj1 unique)) in G.
    destruct (far star w) eqn:Fs; [exists star; split; [now apply in_arms | exact Fs]|].
    exists a. split; [now apply in_arms|]. unfold far in *. apply negb_false_iff in Fs. apply negb_true_iff.
    destruct (Rlt_dec (Rabs (sum (rounds n) (fun k => entry star k w - mean b star))) _) as [Ns|]; [|discriminate].
    destruct (Rlt_dec (Rabs _) _) as [Na|]; [exfalso|reflexivity]. rewrite Mean in Ns, Na.
    rewrite Rabs_mult, (Rabs_pos_eq (INR n)) in Ns, Na by lra. apply Rmult_lt_reg_l in Ns; [|exact Hn0].
    apply Rmult_lt_reg_l in Na; [|exact Hn0].
    apply Rabs_def2 in Ns. apply Rabs_def2 in Na. lra.
  - eapply Rle_trans.
    { apply (sum_le _ _ (fun _ => 2 * exp (- 2 * INR n * (m / 2 * (m / 2))))). intros a Ha. apply in_arms in Ha.
      apply (hoeffding_two_sided E (entry a) (mean b a) n (m / 2)).
      - intros k w Hk. now apply (rewards_are_bounded _ _ _ _ tape).
      - intros k Hk. now apply (rewards_have_their_mean _ _ _ _ tape).
      - now apply (rewards_are_independent _ _ _ _ tape).
      - lra.
      - intros w Hw. unfold far in Hw. apply negb_true_iff in Hw. destruct (Rlt_dec _ _); [discriminate | lra]. }
    rewrite sum_const. unfold arms. rewrite seq_length.
    assert (X : exp (- 2 * INR n * (m / 2 * (m / 2))) <= / (INR K * INR t * (INR K * INR t))).
    { rewrite <- (exp_ln (/ (INR K * INR t * (INR K * INR t)))) by (apply Rinv_0_lt_compat; nra).
      apply exp_is_monotone. rewrite ln_Rinv, ln_mult by nra.
      apply (Rmult_le_compat_r (m * m)) in Hn; [|lra].
      replace (4 * ln (INR K * INR t) / (m * m) * (m * m)) with (4 * ln (INR K * INR t)) in Hn by (field; lra). lra. }
    eapply Rle_trans; [apply Rmult_le_compat_l; [lra|]; apply Rmult_le_compat_l; [lra | exact X]|].
    replace (INR K * (2 * / (INR K * INR t * (INR K * INR t)))) with (/ INR t * (2 * / (INR K * INR t))) by (field; lra).
    rewrite <- (Rmult_1_r (/ INR t)) at 2. apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat; lra|].
    apply (Rmult_le_reg_r (INR K * INR t)); [lra|]. rewrite Rmult_assoc, Rinv_l by lra. nra.
Qed.

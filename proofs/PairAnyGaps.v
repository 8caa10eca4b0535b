(** Beyond the paper: the regret of the pair rule, whatever the gaps are. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Runs Expectation Experiment Counts GeneralTheorem Laws
  ProblemIndependent BernsteinIntervals PairRule PairRuns PairEndToEnd PairClosedForms.
Open Scope R_scope.

(** One factor and one constant for both roles. *)
Lemma pair_number_is_at_most s kappa A B T mu : 0 < s -> 0 <= A -> 0 <= B -> 0 < mu -> (1 <= T)%nat ->
  pair_number s kappa A B T mu <= Rmax A B * largest_log s T / (mu * mu) + Rmax ((1 + kappa * kappa) * s / (1 + kappa)) s.
Proof.
  intros Hs HA HB Hmu HT. assert (F := largest_log_is_nonneg s T Hs HT).
  assert (I : 0 <= largest_log s T / (mu * mu)).
  { apply Rmult_le_pos; [exact F|]. left. apply Rinv_0_lt_compat. now apply Rmult_lt_0_compat. }
  assert (G : forall c, c <= Rmax A B -> c * largest_log s T / (mu * mu) <= Rmax A B * largest_log s T / (mu * mu)).
  { intros c Hc. unfold Rdiv in *. rewrite !Rmult_assoc. now apply Rmult_le_compat_r. }
  apply Rmax_lub; apply Rplus_le_compat; try apply G; try apply Rmax_l; apply Rmax_r.
Qed.

(** says: whatever the gaps are, the regret of the pair rule is at most 2 sqrt(A K T F_T) + (K D + K + C) times the
      largest gap, plus the sum over t > K of epsilon(t) or the largest gap, the smaller, where A is the larger of (1 +
      kappa)/2 and 2 (1 + 1/kappa), D the larger of s (1 + kappa^2)/(1 + kappa) and s, and C is K - 1 times the sum of
      1/(t b(t)); for every K >= 1, T >= 1, kappa >= 1, s > 0, rewards in [0,1], nonnegative epsilon fixed in advance
      and every tie-break that depends on the past
    paper: beyond the paper; compare l.435
    settles: pairs.theorem.independent
    breaks: "2 * sqrt (A" to "sqrt (A" *)
Theorem the_pair_rule_whatever_the_gaps {Row} s kappa (row_law : expectation Row) X missing decide epsilon
    (x : experiment (list Row)) : pair_rule_on_rows s kappa row_law X missing decide epsilon x ->
  let b := instance x in let K := arms_of x in let T := horizon x in
  let E := one_from_each (repeat row_law T) in
  let A := Rmax ((1 + kappa) / 2) (2 * (1 + / kappa)) in
  let D := Rmax ((1 + kappa * kappa) * s / (1 + kappa)) s in
  let C := (INR K - 1) * rare_failures T in
  (1 <= T)%nat ->
  E (regret_on x) <= 2 * sqrt (A * INR K * INR T * largest_log s T) + total_epsilon_up_to (largest_gap b) K epsilon T
    + (INR K * D + INR K + C) * largest_gap b.
Proof.
  intros setting b K T E A D C HT.
  assert (Hs := pair_spread _ _ _ _ _ _ _ _ setting). assert (Hk := pair_ratio _ _ _ _ _ _ _ _ setting).
  assert (I : 0 < / kappa) by (apply Rinv_0_lt_compat; lra). assert (F := largest_log_is_nonneg s T Hs HT).
  assert (HA : 0 <= A) by (eapply Rle_trans; [|apply Rmax_l]; lra).
  assert (HD : 0 <= D) by (eapply Rle_trans; [|apply Rmax_r]; lra).
  assert (HT1 : 1 <= INR T) by (change 1 with (INR 1); now apply le_INR). assert (HK := pos_INR K).
  assert (Hopt := some_optimal_arm_is_optimal b). set (star := some_optimal_arm b) in *.
  replace (A * INR K * INR T * largest_log s T) with (A * INR K * largest_log s T * INR T) by ring.
  rewrite Rplus_assoc. apply at_the_best_level; [repeat apply Rmult_le_pos; lra | lra|]. intros d Hd.
  assert (Hl := largest_gap_nonneg b).
  assert (HM : 0 <= A * largest_log s T / d + D * largest_gap b).
  { apply Rplus_le_le_0_compat; [|now apply Rmult_le_pos]. unfold Rdiv.
    apply Rmult_le_pos; [now apply Rmult_le_pos | left; now apply Rinv_0_lt_compat]. }
  set (N := fun (a : nat) (_ : list Row) => n_bar (suboptimal_enough s kappa) epsilon (gap b a) T).
  assert (HN : forall a w, 0 <= N a w) by (intros; apply maximum_nonneg).
  eapply Rle_trans; [apply (regret_whatever_the_gaps_from_counts E x (pairs_are_worth_little s X missing decide x star) C
    (pairs_fail_rarely s kappa row_law X missing decide epsilon x setting star (proj1 Hopt)) (fun _ => epsilon)
    (fun _ => pair_epsilon _ _ _ _ _ _ _ _ setting)
    (initial_rounds_are_queries s kappa row_law X missing decide epsilon x setting)
    (fun w t => unqueried_plays_are_within_epsilon s kappa row_law X missing decide epsilon x setting star w t Hopt)
    N d (A * largest_log s T / d + D * largest_gap b) Hd HM)|].
  - intros. apply bounded_const.
  - intros a Ha Hgap. fold b in Hgap |- *. set (g := gap b a) in *. split.
    + apply (few_counts_are_few_queries x _ (fun a => n_bar (suboptimal_enough s kappa) epsilon (gap b a) T) a (HN a nil)).
      unfold counts_are_few. apply (few_counts s kappa row_law X missing decide epsilon x setting
        (pairs_are_worth_little s X missing decide x star) (suboptimal_enough s kappa) g a Ha).
      * intros. apply pair_enough_nonneg; trivial; lra.
      * intros w t Ht Hg H.
        apply (a_good_query_of_a_suboptimal_arm s kappa row_law X missing decide epsilon x setting star); trivial. fold b. fold g. lra.
    + unfold N. rewrite expect_const. fold g.
      apply Rle_trans with (g * (A * largest_log s T / (g * g) + D)).
      * apply Rmult_le_compat_l; [lra|]. eapply Rle_trans; [apply n_bar_of_pairs_is_at_most | apply pair_number_is_at_most];
          trivial; lra.
      * replace (g * (A * largest_log s T / (g * g) + D)) with (A * largest_log s T * / g + D * g) by (field; lra).
        assert (Hm := gap_le_largest b a Ha). fold g in Hm. apply Rplus_le_compat; [|apply Rmult_le_compat_l; lra].
        unfold Rdiv. apply Rmult_le_compat_l; [now apply Rmult_le_pos|]. apply Rinv_le_contravar; lra.
  - fold K b T. rewrite expect_const. apply Req_le. field. lra.
Qed.

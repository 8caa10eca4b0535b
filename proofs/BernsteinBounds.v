(** The general theorem (l.846-866) and the bound without gaps (l.1052, l.1059-1065) for the Bernstein intervals, on
    tables of rewards in [0,1]; epsilon may be adaptive. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Runs Expectation Experiment GeneralTheorem
  HoeffdingIntervals ProblemIndependent BernsteinIntervals BernsteinRegularity BernsteinClosedForms Laws
  PairsAndJensen VarianceTails BernsteinTables.
Open Scope R_scope.

(** A bound A/d + d T + C for every d > 0 is a bound 2 sqrt(A T) + C. *)
Lemma the_best_threshold regret A T C : 0 <= A -> 1 <= T -> (forall d, 0 < d -> regret <= A / d + d * T + C) ->
  regret <= 2 * sqrt (A * T) + C.
Proof.
  intros HA HT H. destruct HA as [HA| <-].
  - set (d := sqrt (A / T)). assert (Hq : 0 < A / T) by (apply Rdiv_lt_0_compat; lra).
    assert (Hd : 0 < d) by now apply sqrt_lt_R0. assert (Hdd : d * d = A / T) by (apply sqrt_sqrt; lra).
    assert (E1 : sqrt (A * T) = d * T).
    { replace (A * T) with (d * T * (d * T)).
      - apply sqrt_square. apply Rmult_le_pos; lra.
      - replace (d * T * (d * T)) with (d * d * (T * T)) by ring. rewrite Hdd. field. lra. }
    assert (E2 : A / d = d * T).
    { apply (Rmult_eq_reg_r d); [|lra]. replace (d * T * d) with (d * d * T) by ring. rewrite Hdd. field. lra. }
    rewrite E1. specialize (H d Hd). lra.
  - rewrite Rmult_0_l, sqrt_0. apply le_epsilon. intros e He.
    assert (Hd : 0 < e / T) by (apply Rdiv_lt_0_compat; lra). specialize (H (e / T) Hd).
    replace (0 / (e / T)) with 0 in H by (field; lra). replace (e / T * T) with e in H by (field; lra). lra.
Qed.

(** mu N-bar_a^g(T, mu) <= 24 V ln T / mu + 52 ln T + mu. *)
Lemma level_times_bernstein_n_bar V epsilon mu T : 0 <= V -> (1 <= T)%nat -> 0 < mu ->
  mu * bernstein_n_bar V epsilon mu T <= 24 * V * ln (INR T) / mu + 52 * ln (INR T) + mu.
Proof.
  intros HV HT Hmu.
  destruct (the_bernstein_n_bar_is_at_most_its_value_at_the_horizon V epsilon mu T HV HT) as [H1 H2].
  apply Rle_trans with (mu * (24 * V * ln (INR T) / (mu * mu) + 52 * ln (INR T) / mu + 1)).
  - apply Rmult_le_compat_l; [lra|]. specialize (H2 Hmu). lra.
  - apply Req_le. field. lra.
Qed.

(** says: mu N-bar_a^g(T, mu) <= 6 ln T/Delta_0 + 52 ln T + Delta_max for V <= 1/4, 0 < Delta_0 < mu <= Delta_max and
      every epsilon
    paper: l.1059-1062
    differs: asked at every level mu, where the proof of l.1052 needs it, instead of at the gaps
    settles: independent.bernstein
    breaks: "6 * ln" to "5 * ln" *)
Theorem the_bernstein_condition_of_the_problem_independent_bound V epsilon mu d largest T :
  0 <= V <= 1 / 4 -> (1 <= T)%nat -> 0 < d < mu -> mu <= largest ->
  mu * bernstein_n_bar V epsilon mu T <= 6 * ln (INR T) / d + 52 * ln (INR T) + largest.
Proof.
  intros HV HT Hd Hmu. assert (Hln := ln_of_round_nonneg T HT).
  assert (P := level_times_bernstein_n_bar V epsilon mu T ltac:(lra) HT ltac:(lra)).
  assert (Q : 24 * V * ln (INR T) / mu <= 6 * ln (INR T) / d).
  { apply quotient_mono; [|lra]. split; [apply Rmult_le_pos; lra | apply Rmult_le_compat_r; lra]. }
  lra.
Qed.

Section Bounds.
Variables (law : nat -> expectation reward) (x : experiment table).
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.
Let E := table_law law K T.
Hypothesis means : forall a, is_arm K a -> mean b a = law a value.
Hypothesis bernstein : uses_bernstein_intervals x entry.
Hypothesis runs : runs_of bufalu x.
Let V (a : nat) : R := variance_of_arm law a.
Let N (a : nat) (mu : R) : R := E (fun w => bernstein_n_bar (V a) (epsilon_at x w) mu T).
Let L (d : R) : R := E (fun w => rounds_with_large_epsilon K (epsilon_at x w) d T).

Let regularity := proj1 (bernstein_intervals_are_regular law x means bernstein).

(** says: the bounds on queries with Bernstein intervals for queries whose costs depend on the arm, for reward laws on
      [0,1]
    paper: l.268 with l.846-866
    differs: the highest cost times 2K for the failures
    breaks: "2 * INR K" to "INR K" *)
Theorem bernstein_query_costs_with_adaptive_epsilon cost highest_cost :
  (forall a, is_arm K a -> 0 <= cost a <= highest_cost) ->
  (several_optimal_arms b ->
     E (query_costs_on x cost) <= sum (arms K) (fun a => cost a * (N a (gap b a) + 1))
       + highest_cost * (2 * INR K)) /\
  (forall a_star m, unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (query_costs_on x cost) <= sum (others K a_star) (fun a => cost a * (N a (gap b a / 2) + 1))
       + cost a_star * (N a_star (m / 2) + 1) + highest_cost * (2 * INR K)).
Proof.
  intros Hcost. split.
  - exact (general_query_costs_with_several_optima E x _ _ _ _ regularity runs cost highest_cost Hcost).
  - intros a_star m.
    exact (general_query_costs_with_a_unique_optimum E x _ _ _ _ regularity runs cost highest_cost a_star m Hcost).
Qed.

Lemma expected_bernstein_n_bar_is_small a mu bound :
  (forall epsilon, mu * bernstein_n_bar (V a) epsilon mu T <= bound) -> mu * N a mu <= bound.
Proof.
  intros H. assert (B : bounded (fun w => bernstein_n_bar (V a) (epsilon_at x w) mu T)).
  { apply (bounded_maximum _ (INR T)). intros w t Ht. unfold bernstein_enough_if_good, capped.
    apply Rle_trans with (INR (t - 1)); [|apply le_INR; lia]. destruct (Rle_dec _ 0); [lra | apply Rmin_r]. }
  unfold N. rewrite <- expect_scal, <- (expect_const E bound) by exact B.
  apply expect_le; [bounded | bounded | intros w; apply H].
Qed.

(** The bound without gaps, for any bound [v] on the variances of the suboptimal arms (l.1065): Reg(T) is at most 8
    sqrt(6 K v T ln T) + 104 K ln T + sum of min{epsilon, Delta_max} + 4 K Delta_max.
    breaks: "8 * sqrt" to "7 * sqrt" *)
Theorem the_variance_dependent_problem_independent_bound v : (1 <= T)%nat -> 0 <= v ->
  (forall a, is_arm K a -> 0 < gap b a -> V a <= v) ->
  E (regret_on x) <= 8 * sqrt (6 * INR K * v * INR T * ln (INR T)) + 104 * INR K * ln (INR T)
    + E (fun w => total_epsilon_up_to (largest_gap b) K (epsilon_at x w) T) + 4 * INR K * largest_gap b.
Proof.
  intros HT Hv Hvar. assert (Hln := ln_of_round_nonneg T HT). assert (HK := pos_INR K).
  assert (HT1 : 1 <= INR T) by (apply le_INR in HT; exact HT). assert (HD := largest_gap_nonneg b).
  set (X := INR K * v * ln (INR T)). assert (HX : 0 <= X) by (unfold X; repeat apply Rmult_le_pos; lra).
  assert (Hroot : 8 * sqrt (6 * INR K * v * INR T * ln (INR T)) = 2 * sqrt (96 * X * INR T)).
  { replace (96 * X * INR T) with (4 * 4 * (6 * INR K * v * INR T * ln (INR T))) by (unfold X; ring).
    rewrite (sqrt_mult_alt (4 * 4)), sqrt_square by lra. ring. }
  rewrite Hroot, !Rplus_assoc. apply the_best_threshold; [lra | exact HT1|]. intros d Hd.
  assert (Hvd : 0 <= 48 * v * ln (INR T) / d).
  { apply quotient_nonneg; [repeat apply Rmult_le_pos; lra | exact Hd]. }
  eapply Rle_trans; [apply (general_problem_independent_regret E x _ _ _ _ regularity runs d
    (48 * v * ln (INR T) / d + 52 * ln (INR T) + largest_gap b / 2) Hd)|].
  - intros a Ha Hgap. fold b in Hgap |- *. set (g := gap b a) in *.
    apply (expected_bernstein_n_bar_is_small a (g / 2)). intros epsilon.
    assert (HVa := variance_of_law_nonneg (law a)). fold (variance_of_arm law a) in HVa. fold (V a) in HVa.
    assert (P := level_times_bernstein_n_bar (V a) epsilon (g / 2) T HVa HT ltac:(lra)).
    assert (Hgm := gap_le_largest b a Ha). fold g in Hgm. assert (HVv := Hvar a Ha ltac:(fold g; lra)).
    assert (Q : 24 * V a * ln (INR T) / (g / 2) <= 48 * v * ln (INR T) / d).
    { replace (24 * V a * ln (INR T) / (g / 2)) with (48 * V a * ln (INR T) / g) by (field; lra).
      apply quotient_mono; [|lra]. split; [repeat apply Rmult_le_pos; lra | apply Rmult_le_compat_r; lra]. }
    lra.
  - lra.
  - fold K T b. replace (96 * X / d) with (2 * INR K * (48 * v * ln (INR T) / d)) by (unfold X; field; lra). lra.
Qed.

(** Since V_a <= 1/4 (l.1059): 4 sqrt(6 K T ln T) + 104 K ln T + sum of min{epsilon, Delta_max} + 4 K Delta_max, for every
    law. *)
Theorem the_bernstein_problem_independent_bound : (1 <= T)%nat ->
  E (regret_on x) <= 4 * sqrt (6 * INR K * INR T * ln (INR T)) + 104 * INR K * ln (INR T)
    + E (fun w => total_epsilon_up_to (largest_gap b) K (epsilon_at x w) T) + 4 * INR K * largest_gap b.
Proof.
  intros HT. assert (P := the_variance_dependent_problem_independent_bound (/ 2 * / 2) HT ltac:(lra)).
  assert (HV : forall a, is_arm K a -> 0 < gap b a -> V a <= / 2 * / 2).
  { intros a _ _. assert (Q := the_variance_of_a_reward_is_at_most_a_quarter (law a)). unfold V, variance_of_arm.
    lra. }
  specialize (P HV). replace (6 * INR K * (/ 2 * / 2) * INR T * ln (INR T))
    with (/ 2 * / 2 * (6 * INR K * INR T * ln (INR T))) in P by ring.
  rewrite (sqrt_mult_alt (/ 2 * / 2)), sqrt_square in P by lra. lra.
Qed.
End Bounds.

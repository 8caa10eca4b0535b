(** The theorem of the main text (l.417-433) for a sequence epsilon fixed in advance, with the tape of rewards on any
    sample space: for any regular intervals, and in closed form for Hoeffding's. EndToEnd.v takes the tables of independent
    rewards as the space. Everything holds for every rule that is steered by some rho >= 0; BuFALU is steered by 1. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Cases Runs Expectation Experiment GeneralTheorem Hoeffding
  HoeffdingIntervals ClosedForms ProblemIndependent.
Open Scope R_scope.

Lemma maximum_ext f g n : (forall t, f t = g t) -> maximum f n = maximum g n.
Proof. intros H. induction n as [|n IH]; simpl; [reflexivity | now rewrite IH, H]. Qed.

(** ** Any regular intervals *)

Section Fixed.
Context {Omega : Type} (E : expectation Omega) (x : experiment Omega).
Variables (good : nat -> Omega -> bool) (failures : R).
Variables (enough_if_good : nat -> nat -> R -> R) (enough_always : nat -> R -> R).
Hypothesis is_regular : regular E x good failures enough_if_good enough_always.
Variable rho : R.
Hypothesis rho_is_nonneg : 0 <= rho.
Hypothesis runs : runs_of (steered_by rho) x.
Variable epsilon : nat -> R.
Hypothesis epsilon_is_fixed : forall w t, epsilon_at x w t = epsilon t.
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.
Let N (a : nat) (mu : R) : R := n_bar (enough_if_good a) epsilon mu T.
Let S (a : nat) (d : R) : R := sharper_dial_n_bar (enough_if_good a) epsilon rho d T.
Let L (d : R) : R := rounds_with_large_epsilon K epsilon d T.

Lemma fixed_n_bar a mu : expected_n_bar E x enough_if_good a mu = N a mu.
Proof.
  unfold expected_n_bar. rewrite <- (expect_const E (N a mu)). apply expect_ext. intros w.
  apply maximum_ext. intros t. now rewrite epsilon_is_fixed.
Qed.

Lemma fixed_sharper_n_bar a d : expected_sharper_dial_n_bar E x enough_if_good rho a d = S a d.
Proof.
  unfold expected_sharper_dial_n_bar. rewrite <- (expect_const E (S a d)). apply expect_ext. intros w.
  apply maximum_ext. intros t. now rewrite epsilon_is_fixed.
Qed.

Lemma fixed_large_epsilon d : expected_large_epsilon E x d = L d.
Proof.
  unfold expected_large_epsilon. rewrite <- (expect_const E (L d)). apply expect_ext. intros w.
  apply sum_ext. intros t _. now rewrite epsilon_is_fixed.
Qed.

Lemma fixed_total_epsilon largest :
  E (fun w => total_epsilon_up_to largest K (epsilon_at x w) T) = total_epsilon_up_to largest K epsilon T.
Proof.
  rewrite <- (expect_const E (total_epsilon_up_to largest K epsilon T)). apply expect_ext. intros w.
  apply sum_ext. intros t _. now rewrite epsilon_is_fixed.
Qed.

(** Part 1 (l.856): N^as-bar(T) on every path. *)
Theorem fixed_cap w a : is_arm K a -> INR (queries (path_of x w) a T)
  <= maximum (fun t => enough_always t (epsilon t)) T + 1.
Proof.
  intros Ha. rewrite (maximum_ext _ (fun t => enough_always t (epsilon_at x w t)))
    by (intros; now rewrite epsilon_is_fixed).
  exact (steered_part_1_queries_never_exceed_the_cap E x _ _ _ _ is_regular rho runs w a Ha).
Qed.

(** Part 2: several optimal arms. The constants are K + C(T). *)
Theorem fixed_regret_with_several_optima : several_optimal_arms b ->
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (N a (gap b a) + L (gap b a)))
    + (INR K + failures) * largest_gap b.
Proof.
  intros H. assert (P := steered_regret_with_several_optima E x _ _ _ _ is_regular rho runs H). fold b K T in P.
  rewrite (sum_ext _ _ (fun a => gap b a * (N a (gap b a) + L (gap b a)))) in P
    by (intros; now rewrite fixed_n_bar, fixed_large_epsilon). exact P.
Qed.

Theorem fixed_query_costs_with_several_optima cost highest_cost :
  (forall a, is_arm K a -> 0 <= cost a <= highest_cost) -> several_optimal_arms b ->
  E (query_costs_on x cost) <= sum (arms K) (fun a => cost a * (N a (gap b a) + 1)) + highest_cost * failures.
Proof.
  intros Hc H. assert (P := steered_query_costs_with_several_optima E x _ _ _ _ is_regular rho runs cost _ Hc H).
  fold b K T in P.
  rewrite (sum_ext _ _ (fun a => cost a * (N a (gap b a) + 1))) in P by (intros; now rewrite fixed_n_bar). exact P.
Qed.

Theorem fixed_queries_with_several_optima : several_optimal_arms b ->
  E (queries_on x) <= sum (arms K) (fun a => N a (gap b a)) + (INR K + failures).
Proof.
  intros H. assert (P := steered_queries_with_several_optima E x _ _ _ _ is_regular rho runs H). fold b K T in P.
  rewrite (sum_ext _ _ (fun a => N a (gap b a))) in P by (intros; apply fixed_n_bar). exact P.
Qed.

(** Part 3. Uniqueness is not needed for the regret; [m] is any lower bound of the other gaps (the smallest gap in
    print). *)
Theorem fixed_regret :
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (N a (gap b a / (1 + rho)) + L (gap b a)))
    + (INR K + failures) * largest_gap b.
Proof.
  assert (P := steered_regret E x _ _ _ _ is_regular rho rho_is_nonneg runs). fold b K T in P.
  rewrite (sum_ext _ _ (fun a => gap b a * (N a (gap b a / (1 + rho)) + L (gap b a)))) in P
    by (intros; now rewrite fixed_n_bar, fixed_large_epsilon). exact P.
Qed.

Theorem fixed_query_costs_with_a_unique_optimum cost highest_cost a_star m :
  (forall a, is_arm K a -> 0 <= cost a <= highest_cost) ->
  unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
  E (query_costs_on x cost) <= sum (others K a_star) (fun a => cost a * (N a (gap b a / (1 + rho)) + 1))
    + cost a_star * (N a_star (rho * m / (1 + rho)) + 1) + highest_cost * failures.
Proof.
  intros Hc Hu Hm.
  assert (P := steered_query_costs_with_a_unique_optimum E x _ _ _ _ is_regular rho rho_is_nonneg runs cost _ a_star m
    Hc Hu Hm). fold b K T in P.
  rewrite (sum_ext _ _ (fun a => cost a * (N a (gap b a / (1 + rho)) + 1))), fixed_n_bar in P
    by (intros; now rewrite fixed_n_bar). exact P.
Qed.

Theorem fixed_queries_with_a_unique_optimum a_star m :
  unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
  E (queries_on x) <= sum (others K a_star) (fun a => N a (gap b a / (1 + rho))) + N a_star (rho * m / (1 + rho))
    + (INR K + failures).
Proof.
  intros Hu Hm.
  assert (P := steered_queries_with_a_unique_optimum E x _ _ _ _ is_regular rho rho_is_nonneg runs a_star m Hu Hm).
  fold b K T in P.
  rewrite (sum_ext _ _ (fun a => N a (gap b a / (1 + rho)))), fixed_n_bar in P by (intros; apply fixed_n_bar). exact P.
Qed.

(** The sharper theorem: min{gap, (gap + epsilon(t))/(1 + rho)} in the place of gap/(1 + rho). *)
Theorem fixed_sharper_regret :
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (S a (gap b a) + L (gap b a)))
    + (INR K + failures) * largest_gap b.
Proof.
  assert (P := steered_sharper_regret E x _ _ _ _ is_regular rho runs). fold b K T in P.
  rewrite (sum_ext _ _ (fun a => gap b a * (S a (gap b a) + L (gap b a)))) in P
    by (intros; now rewrite fixed_sharper_n_bar, fixed_large_epsilon). exact P.
Qed.

Theorem fixed_sharper_queries_with_a_unique_optimum a_star m :
  unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
  E (queries_on x) <= sum (others K a_star) (fun a => S a (gap b a)) + N a_star (rho * m / (1 + rho))
    + (INR K + failures).
Proof.
  intros Hu Hm.
  assert (P := steered_sharper_queries_with_a_unique_optimum E x _ _ _ _ is_regular rho rho_is_nonneg runs a_star m Hu
    Hm). fold b K T in P.
  rewrite (sum_ext _ _ (fun a => S a (gap b a))), fixed_n_bar in P by (intros; apply fixed_sharper_n_bar). exact P.
Qed.

(** ** In closed form, with Q such that N-bar(T, mu) <= Q / mu^2 at every level mu > 0 *)

Variable Q : R.
Hypothesis n_bar_is_quadratic : forall a mu, 0 < mu -> N a mu <= Q / (mu * mu).

Lemma n_bar_at_a_share a d s : 0 < d -> 0 < s -> N a (d / s) <= Q * (s * s) / (d * d).
Proof.
  intros Hd Hs. assert (Hq : 0 < d / s) by now apply Rdiv_lt_0_compat.
  eapply Rle_trans; [now apply n_bar_is_quadratic|]. apply Req_le. field. lra.
Qed.

(** For every epsilon, a suboptimal arm costs Q (1 + rho)^2 / gap + gap L(gap). *)
Theorem fixed_regret_in_closed_form :
  E (regret_on x) <= sum (arms K) (fun a => if Rle_dec (gap b a) 0 then 0
      else Q * ((1 + rho) * (1 + rho)) / gap b a + gap b a * L (gap b a)) + (INR K + failures) * largest_gap b.
Proof.
  eapply Rle_trans; [exact fixed_regret|]. apply Rplus_le_compat_r. apply sum_le. intros a Ha. apply in_arms in Ha.
  assert (Hg := gap_nonneg b a Ha). set (g := gap b a) in *. destruct (Rle_dec g 0) as [Hle|Hgt].
  - replace g with 0 by lra. lra.
  - assert (C := n_bar_at_a_share a g (1 + rho) ltac:(lra) ltac:(lra)). apply (Rmult_le_compat_l g) in C; [|lra].
    replace (g * (Q * ((1 + rho) * (1 + rho)) / (g * g))) with (Q * ((1 + rho) * (1 + rho)) / g) in C by (field; lra). lra.
Qed.

(** Q (1 + rho)^2 / gap^2 queries for each suboptimal arm and Q (1 + 1/rho)^2 / m^2 for the optimal one. *)
Theorem fixed_queries_in_closed_form a_star m : 0 < rho ->
  unique_optimal_arm b a_star -> 0 < m -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
  E (queries_on x) <= sum (others K a_star) (fun a => Q * ((1 + rho) * (1 + rho)) / (gap b a * gap b a))
    + Q * ((1 + / rho) * (1 + / rho)) / (m * m) + (INR K + failures).
Proof.
  intros Hrho Hu Hm0 Hm. eapply Rle_trans; [exact (fixed_queries_with_a_unique_optimum a_star m Hu Hm)|].
  assert (I : 0 < / rho) by now apply Rinv_0_lt_compat. apply Rplus_le_compat_r. apply Rplus_le_compat.
  - apply sum_le. intros a Ha. apply in_others in Ha. destruct Ha as [Ha Hne].
    specialize (Hm a Ha ltac:(congruence)). apply n_bar_at_a_share; lra.
  - replace (rho * m / (1 + rho)) with (m / (1 + / rho)) by (field; split; lra). apply n_bar_at_a_share; lra.
Qed.
End Fixed.

(** ** Hoeffding's intervals, in closed form *)

Section Main.
Context {Omega : Type} (E : expectation Omega) (x : experiment Omega) (X : nat -> nat -> Omega -> R).
Hypothesis tape : reward_tape E (instance x) (horizon x) X.
Hypothesis uses : uses_hoeffding_intervals x X.
Variable rho : R.
Hypothesis rho_is_nonneg : 0 <= rho.
Hypothesis runs : runs_of (steered_by rho) x.
Variable epsilon : nat -> R.
Hypothesis epsilon_is_fixed : forall w t, epsilon_at x w t = epsilon t.
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.
Let regularity := hoeffding_intervals_are_regular E x X tape uses.
Let N (mu : R) : R := hoeffding_n_bar epsilon mu T.
Let L (d : R) : R := rounds_with_large_epsilon K epsilon d T.

(** Part 1 (l.421): n^q_T(a) <= N-bar(T, 0) + 1 on every path. N-bar is the capped form of l.1139, so that it is
    finite. *)
Theorem hoeffding_cap w a : is_arm K a -> INR (queries (path_of x w) a T) <= N 0 + 1.
Proof.
  intros Ha. eapply Rle_trans; [apply (fixed_cap E x _ _ _ _ regularity rho runs epsilon epsilon_is_fixed w a Ha)|].
  apply Rplus_le_compat_r. apply maximum_mono. intros t Ht.
  unfold Rmax. destruct (Rle_dec 0 (epsilon t)) as [H|H]; [lra|].
  unfold hoeffding_enough. destruct (Rle_dec (epsilon t) 0), (Rle_dec 0 0); lra.
Qed.

Let quadratic (HT : (1 <= T)%nat) (a : nat) (mu : R) := n_bar_is_at_most_six_log_over_square epsilon mu T HT.

(** Closed form: for every epsilon, a suboptimal arm costs 6 (1 + rho)^2 ln T / gap + gap L(gap); at rho = 1 that is
    24 ln T / gap (l.427 with l.1141). *)
Theorem hoeffding_regret_in_closed_form : (1 <= T)%nat ->
  E (regret_on x) <= sum (arms K) (fun a => if Rle_dec (gap b a) 0 then 0
      else 6 * ((1 + rho) * (1 + rho)) * ln (INR T) / gap b a + gap b a * L (gap b a))
    + 2 * INR K * largest_gap b.
Proof.
  intros HT. assert (P := fixed_regret_in_closed_form E x _ _ _ _ regularity rho rho_is_nonneg runs epsilon
    epsilon_is_fixed (6 * ln (INR T)) (quadratic HT)). fold b K T in P.
  rewrite (sum_ext _ _ (fun a => if Rle_dec (gap b a) 0 then 0 else 6 * ln (INR T) * ((1 + rho) * (1 + rho)) / gap b a
    + gap b a * L (gap b a))); [unfold L; lra|]. intros a _. destruct (Rle_dec _ 0); unfold Rdiv; ring.
Qed.

(** 6 (1 + rho)^2 ln T / gap^2 queries for each suboptimal arm and 6 (1 + 1/rho)^2 ln T / m^2 for the optimal one. *)
Theorem hoeffding_queries_in_closed_form a_star m : 0 < rho ->
  (1 <= T)%nat -> unique_optimal_arm b a_star -> 0 < m -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
  E (queries_on x) <= sum (others K a_star) (fun a => 6 * ((1 + rho) * (1 + rho)) * ln (INR T) / (gap b a * gap b a))
    + 6 * ((1 + / rho) * (1 + / rho)) * ln (INR T) / (m * m) + 2 * INR K.
Proof.
  intros Hrho HT Hu Hm0 Hm. assert (P := fixed_queries_in_closed_form E x _ _ _ _ regularity rho rho_is_nonneg runs
    epsilon epsilon_is_fixed (6 * ln (INR T)) (quadratic HT) a_star m Hrho Hu Hm0 Hm). fold b K T in P.
  rewrite (sum_ext _ _ (fun a => 6 * ln (INR T) * ((1 + rho) * (1 + rho)) / (gap b a * gap b a)))
    by (intros; unfold Rdiv; ring).
  replace (6 * ((1 + / rho) * (1 + / rho)) * ln (INR T)) with (6 * ln (INR T) * ((1 + / rho) * (1 + / rho))) by ring. lra.
Qed.

(** Proposition l.435, for the fixed sequence. *)
Theorem hoeffding_problem_independent_regret_for_a_fixed_epsilon : (1 <= T)%nat ->
  E (regret_on x) <= 2 * (1 + rho) * sqrt (6 * INR K * INR T * ln (INR T)) + total_epsilon K epsilon T
    + 2 * INR K * largest_gap b.
Proof.
  intros HT. assert (P := hoeffding_problem_independent_regret E x X tape uses rho rho_is_nonneg runs HT).
  rewrite (fixed_total_epsilon E x epsilon epsilon_is_fixed) in P. fold b K T in P.
  assert (Q := total_epsilon_up_to_is_at_most (largest_gap b) K epsilon T). lra.
Qed.
End Main.

(** The budget guarantee (l.416, l.441), corrected: with epsilon(t) = sqrt(6 K ln t / B(t)) for a positive
    nondecreasing total budget B, every arm has fewer than B(T)/K + 1 queries, that is at most B(T)/K rounded up, on
    every path. *)
Section Budget.
Context {Omega : Type} (x : experiment Omega) (X : nat -> nat -> Omega -> R) (B : nat -> R) (w : Omega).
Let K := arms_of x.
Let T := horizon x.
Hypothesis uses : uses_hoeffding_intervals x X.
Variable rho : R.
Hypothesis runs : runs_of (steered_by rho) x.
Hypothesis some_round : (1 <= T)%nat.
Hypothesis budget_grows : forall t, (1 <= t <= T)%nat -> 0 < B t <= B T.
Hypothesis epsilon_is_of_the_budget : forall t, epsilon_at x w t = budget_epsilon K B t.

Lemma there_is_an_arm : 1 <= INR K.
Proof.
  assert (Ho := some_optimal_arm_is_an_arm (instance x)). unfold is_arm in Ho. change 1 with (INR 1).
  apply le_INR. unfold K, arms_of. lia.
Qed.

(** An arm with B(t)/K queries or more is not wider than epsilon(t). *)
Lemma a_spent_share_is_narrow t n estimate : (1 <= t <= T)%nat -> B t / INR K <= INR n ->
  ~ wider_than (budget_epsilon K B t) (hoeffding_interval t n estimate).
Proof.
  intros Ht H. assert (Hk := there_is_an_arm). destruct (budget_grows t Ht) as [HB _].
  assert (Hln := ln_of_round_nonneg t ltac:(lia)). assert (Hpos : 0 < B t / INR K) by (apply Rdiv_lt_0_compat; lra).
  assert (Hn : (1 <= n)%nat) by (destruct n; [simpl in H; lra | lia]).
  unfold wider_than. rewrite the_hoeffding_width_is_the_root_of_six_log_over_n by (trivial; lia).
  apply Rle_not_lt. apply sqrt_le_1_alt.
  replace (6 * INR K * ln (INR t) / B t) with (6 * ln (INR t) * / (B t / INR K)) by (field; lra).
  unfold Rdiv at 1. apply Rmult_le_compat_l; [lra|]. now apply Rinv_le_contravar.
Qed.

Theorem every_arm_has_fewer_queries_than_its_share_plus_one a : is_arm K a ->
  INR (queries (path_of x w) a T) < B T / INR K + 1.
Proof.
  intros Ha. assert (Hk := there_is_an_arm). assert (HBT : 0 < B T) by (apply budget_grows; lia).
  assert (Hshare : 0 < B T / INR K) by (apply Rdiv_lt_0_compat; lra).
  apply queries_stay_below_one_more; [exact Hshare|]. intros t Ht Hplay Hq.
  assert (R := path_is_a_run runs w t Ht). unfold in_round in R. fold K in R.
  destruct (Nat.leb_spec t K) as [HK|HK].
  - assert (Ea : a = t) by (destruct R; congruence).
    rewrite Ea, (before_its_first_round_an_arm_has_no_queries _ K T _ _ _ (path_is_a_run runs w)) by lia. exact Hshare.
  - rewrite Hplay, Hq in R. apply a_steered_queried_arm_is_wider_than_epsilon in R.
    rewrite epsilon_is_of_the_budget, uses in R by assumption. cbv zeta in R.
    apply Rlt_le_trans with (B t / INR K).
    + apply Rnot_le_lt. intros Hspent. exact (a_spent_share_is_narrow t _ _ Ht Hspent R).
    + unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | now apply budget_grows].
Qed.

(** Hence fewer than B(T) + K queries in all, at every position of the dial. *)
Theorem a_steered_budget_is_exceeded_by_less_than_K : queries_on x w < B T + INR K.
Proof.
  assert (Hk := there_is_an_arm). unfold queries_on. fold K T.
  apply Rlt_le_trans with (sum (arms K) (fun _ => B T / INR K + 1)).
  - apply sum_lt.
    + intros E. assert (I := some_optimal_arm_is_an_arm (instance x)). apply in_arms in I.
      change (number_of_arms (instance x)) with K in I. rewrite E in I. destruct I.
    + intros a Ha. apply in_arms in Ha. now apply every_arm_has_fewer_queries_than_its_share_plus_one.
  - rewrite sum_const. unfold arms. rewrite seq_length. apply Req_le. field. lra.
Qed.
End Budget.

(** says: with the schedule of a nondecreasing total budget B every arm has fewer than B(T)/K + 1 queries, hence fewer
      than B(T) + K in all, on every path
    paper: l.416, l.441
    differs: l.416 says that the budget is never violated; the initial rounds and rounding cost K
    settles: budget.never_violated.corrected; discussion.total_budget
    breaks: "B T / INR K + 1" to "B T / INR K" *)
Theorem a_budget_is_exceeded_by_less_than_K {Omega} (x : experiment Omega) X B w :
  let K := arms_of x in let T := horizon x in
  uses_hoeffding_intervals x X -> runs_of bufalu x -> (1 <= T)%nat -> (forall t, (1 <= t <= T)%nat -> 0 < B t <= B T) ->
  (forall t, epsilon_at x w t = budget_epsilon K B t) ->
  (forall a, is_arm K a -> INR (queries (path_of x w) a T) < B T / INR K + 1) /\ queries_on x w < B T + INR K.
Proof.
  intros K T uses runs HT HB He. apply runs_of_bufalu_are_steered in runs. split.
  - exact (every_arm_has_fewer_queries_than_its_share_plus_one x X B w uses 1 runs HT HB He).
  - exact (a_steered_budget_is_exceeded_by_less_than_K x X B w uses 1 runs HT HB He).
Qed.

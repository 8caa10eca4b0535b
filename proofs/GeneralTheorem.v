(** The general upper bound (theorem at l.846), for any regular confidence intervals, adaptive epsilon included: for
    every rule that is steered by some rho >= 0, the dial among them, and then for BuFALU, which is steered by 1. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Cases Runs Expectation Experiment Counts Levels.
Open Scope R_scope.

Section General.
Context {Omega : Type} (E : expectation Omega) (x : experiment Omega).
Variables (good : nat -> Omega -> bool) (failures : R).
Variables (enough_if_good : nat -> nat -> R -> R) (enough_always : nat -> R -> R).
Hypothesis is_regular : regular E x good failures enough_if_good enough_always.
Variable rho : R.
Hypothesis rho_is_nonneg : 0 <= rho.
Hypothesis runs : runs_of (steered_by rho) x.
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.

(** Part 1 (l.856): on every path. *)
Theorem steered_part_1_queries_never_exceed_the_cap w a :
  is_arm K a -> INR (queries (path_of x w) a T) <= maximum (fun t => enough_always t (epsilon_at x w t)) T + 1.
Proof.
  intros Ha. apply (steered_queries_never_exceed_the_cap rho K T (bounds_at x w)); trivial.
  - apply (path_is_a_run runs).
  - intros. now apply (enough_always_suffices _ _ _ _ _ _ is_regular).
Qed.

(** ** The theorem, l.846-868, for every rho >= 0

    Regret sums run over all arms: an optimal arm has gap 0 and adds nothing, so they are the printed sums over the
    suboptimal ones. Epsilon may be adaptive, and then the bounds carry the expectations of the remark at l.1042;
    for a sequence fixed in advance [expect_const] removes them (see MainTheorem.v). T <= K and K = 1 are included.
    Queries may cost [cost a] <= [highest_cost] each: the extension announced at l.268. *)

Definition expected_n_bar (a : nat) (mu : R) : R := E (fun w => n_bar (enough_if_good a) (epsilon_at x w) mu T).
Definition expected_sharper_dial_n_bar (a : nat) (d : R) : R :=
  E (fun w => sharper_dial_n_bar (enough_if_good a) (epsilon_at x w) rho d T).
Definition expected_large_epsilon (d : R) : R := E (fun w => rounds_with_large_epsilon K (epsilon_at x w) d T).

(** Part 2, regret: several optimal arms. The levels are the gaps at every position of the dial. *)
Theorem steered_regret_with_several_optima : several_optimal_arms b ->
  E (regret_on x) <= sum (arms K) (fun a => gap b a *
    (expected_n_bar a (gap b a) + expected_large_epsilon (gap b a)))
    + (INR K + failures) * largest_gap b.
Proof.
  intros H. apply (regret_from_levels E x _ _ _ _ is_regular rho runs (with_epsilon x (gap_level x))).
  intros. now apply (the_gap_is_a_level_with_several_optima E x _ _ _ _ is_regular rho runs).
Qed.

(** Part 2, costs of queries: several optimal arms. *)
Theorem steered_query_costs_with_several_optima cost highest_cost :
  (forall a, is_arm K a -> 0 <= cost a <= highest_cost) -> several_optimal_arms b ->
  E (query_costs_on x cost) <= sum (arms K) (fun a => cost a * (expected_n_bar a (gap b a) + 1))
    + highest_cost * failures.
Proof.
  intros Hcost H. apply (query_costs_from_levels E x _ _ _ _ is_regular rho runs (with_epsilon x (gap_level x))); [exact Hcost|].
  intros. now apply (the_gap_is_a_level_with_several_optima E x _ _ _ _ is_regular rho runs).
Qed.

(** Part 3, regret, with gap/(1 + rho). Uniqueness of the optimal arm is not needed. *)
Theorem steered_regret :
  E (regret_on x) <= sum (arms K) (fun a => gap b a *
    (expected_n_bar a (gap b a / (1 + rho)) + expected_large_epsilon (gap b a)))
    + (INR K + failures) * largest_gap b.
Proof.
  apply (regret_from_levels E x _ _ _ _ is_regular rho runs (with_epsilon x (share_level x rho))).
  intros. now apply (a_share_of_the_gap_is_a_level E x _ _ _ _ is_regular rho rho_is_nonneg runs).
Qed.

(** Part 3, costs of queries: a unique optimal arm, with rho m/(1 + rho) for it. *)
Theorem steered_query_costs_with_a_unique_optimum cost highest_cost a_star m :
  (forall a, is_arm K a -> 0 <= cost a <= highest_cost) ->
  unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
  E (query_costs_on x cost) <= sum (others K a_star) (fun a => cost a * (expected_n_bar a (gap b a / (1 + rho)) + 1))
    + cost a_star * (expected_n_bar a_star (rho * m / (1 + rho)) + 1) + highest_cost * failures.
Proof.
  intros Hcost Hu Hm. apply (query_costs_with_a_unique_optimum E x _ _ _ _ is_regular rho rho_is_nonneg runs (share_level x rho) cost
    highest_cost a_star m Hcost Hu Hm).
  intros. now apply (a_share_of_the_gap_is_a_level E x _ _ _ _ is_regular rho rho_is_nonneg runs).
Qed.

(** Sharper than the paper, regret. *)
Theorem steered_sharper_regret :
  E (regret_on x) <= sum (arms K) (fun a => gap b a *
    (expected_sharper_dial_n_bar a (gap b a) + expected_large_epsilon (gap b a)))
    + (INR K + failures) * largest_gap b.
Proof.
  apply (regret_from_levels E x _ _ _ _ is_regular rho runs (with_epsilon x (sharper_share_level x rho))).
  intros. now apply (the_sharper_share_is_a_level E x _ _ _ _ is_regular rho runs).
Qed.

(** Sharper than the paper, costs of queries. *)
Theorem steered_sharper_query_costs_with_a_unique_optimum cost highest_cost a_star m :
  (forall a, is_arm K a -> 0 <= cost a <= highest_cost) ->
  unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
  E (query_costs_on x cost) <= sum (others K a_star) (fun a => cost a * (expected_sharper_dial_n_bar a (gap b a) + 1))
    + cost a_star * (expected_n_bar a_star (rho * m / (1 + rho)) + 1) + highest_cost * failures.
Proof.
  intros Hcost Hu Hm.
  apply (query_costs_with_a_unique_optimum E x _ _ _ _ is_regular rho rho_is_nonneg runs (sharper_share_level x rho)
    cost highest_cost a_star m Hcost Hu Hm).
  intros. now apply (the_sharper_share_is_a_level E x _ _ _ _ is_regular rho runs).
Qed.

(** Numbers of queries are costs of 1 each. *)
Lemma sum_of_one_more {A : Type} (l : list A) (f : A -> R) : sum l (fun a => 1 * (f a + 1)) = sum l f + INR (length l).
Proof. rewrite sum_scal, sum_plus, sum_const. lra. Qed.

Lemma count_others a : is_arm K a -> INR (length (others K a)) + 1 = INR K.
Proof.
  intros Ha. assert (S := sum_split_off_arm K a (fun _ => 1) Ha). rewrite !sum_const in S. unfold arms in S.
  rewrite seq_length in S. lra.
Qed.

Theorem steered_queries_with_several_optima : several_optimal_arms b ->
  E (queries_on x) <= sum (arms K) (fun a => expected_n_bar a (gap b a)) + (INR K + failures).
Proof.
  intros H. assert (P := steered_query_costs_with_several_optima (fun _ => 1) 1 ltac:(intros; lra) H).
  rewrite query_costs_of_one, sum_of_one_more in P. unfold arms at 2 in P. rewrite seq_length in P. lra.
Qed.

Theorem steered_queries_with_a_unique_optimum a_star m :
  unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
  E (queries_on x) <= sum (others K a_star) (fun a => expected_n_bar a (gap b a / (1 + rho)))
    + expected_n_bar a_star (rho * m / (1 + rho)) + (INR K + failures).
Proof.
  intros Hu Hm.
  assert (P := steered_query_costs_with_a_unique_optimum (fun _ => 1) 1 a_star m ltac:(intros; lra) Hu Hm).
  rewrite query_costs_of_one, sum_of_one_more in P.
  assert (C := count_others a_star (optimal_is_arm b a_star (proj1 Hu))). lra.
Qed.

Theorem steered_sharper_queries_with_a_unique_optimum a_star m :
  unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
  E (queries_on x) <= sum (others K a_star) (fun a => expected_sharper_dial_n_bar a (gap b a))
    + expected_n_bar a_star (rho * m / (1 + rho)) + (INR K + failures).
Proof.
  intros Hu Hm.
  assert (P := steered_sharper_query_costs_with_a_unique_optimum (fun _ => 1) 1 a_star m ltac:(intros; lra) Hu Hm).
  rewrite query_costs_of_one, sum_of_one_more in P.
  assert (C := count_others a_star (optimal_is_arm b a_star (proj1 Hu))). lra.
Qed.
End General.

(** ** BuFALU: rho = 1 *)

Section Bufalu.
Context {Omega : Type} (E : expectation Omega) (x : experiment Omega).
Variables (good : nat -> Omega -> bool) (failures : R).
Variables (enough_if_good : nat -> nat -> R -> R) (enough_always : nat -> R -> R).
Hypothesis is_regular : regular E x good failures enough_if_good enough_always.
Hypothesis runs : runs_of bufalu x.
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.
Let N := expected_n_bar E x enough_if_good.
Let L := expected_large_epsilon E x.
Let steered_runs := runs_of_bufalu_are_steered x runs.

(** says: the general regret bound with several optimal arms, for any regular intervals and any expectation (a
      positive linear normalised functional on the bounded functions), adaptive epsilon included
    paper: l.857-861
    differs: N_a^g is given for all mu >= 0; predictability is not needed; adaptive epsilon adds expectations
    breaks: "INR K + failures" to "failures" *)
Theorem general_part_2_regret_with_several_optima : several_optimal_arms b ->
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (N a (gap b a) + L (gap b a)))
    + (INR K + failures) * largest_gap b.
Proof. exact (steered_regret_with_several_optima E x _ _ _ _ is_regular 1 steered_runs). Qed.

(** says: the general query bound with several optimal arms, under the same hypotheses
    paper: l.857-861
    differs: as for the regret
    breaks: "INR K + failures" to "failures" *)
Theorem general_part_2_queries_with_several_optima : several_optimal_arms b ->
  E (queries_on x) <= sum (arms K) (fun a => N a (gap b a)) + (INR K + failures).
Proof. exact (steered_queries_with_several_optima E x _ _ _ _ is_regular 1 steered_runs). Qed.

(** says: the general regret bound at half the gap, under the same hypotheses
    paper: l.862-866
    differs: uniqueness of the optimal arm is not needed
    breaks: "gap b a / 2" to "gap b a" *)
Theorem general_part_3_regret :
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (N a (gap b a / 2) + L (gap b a)))
    + (INR K + failures) * largest_gap b.
Proof. exact (steered_regret E x _ _ _ _ is_regular 1 Rle_0_1 steered_runs). Qed.

(** says: the general query bound with a unique optimal arm, under the same hypotheses
    paper: l.862-866
    differs: any lower bound of the other gaps may stand for the smallest gap
    breaks: "m / 2" to "m" *)
Theorem general_part_3_queries_with_a_unique_optimum a_star m :
  unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
  E (queries_on x) <= sum (others K a_star) (fun a => N a (gap b a / 2)) + N a_star (m / 2) + (INR K + failures).
Proof.
  intros Hu Hm. rewrite <- (Rmult_1_l m).
  exact (steered_queries_with_a_unique_optimum E x _ _ _ _ is_regular 1 Rle_0_1 steered_runs a_star m Hu Hm).
Qed.

(** says: the general query bound when a query of arm a costs c_a >= 0 and there are several optimal arms, under the
      same hypotheses
    paper: l.268
    differs: the print announces the extension without stating it
    breaks: " + highest_cost * failures" to "" *)
Theorem general_query_costs_with_several_optima cost highest_cost :
  (forall a, is_arm K a -> 0 <= cost a <= highest_cost) -> several_optimal_arms b ->
  E (query_costs_on x cost) <= sum (arms K) (fun a => cost a * (N a (gap b a) + 1)) + highest_cost * failures.
Proof. exact (steered_query_costs_with_several_optima E x _ _ _ _ is_regular 1 steered_runs cost highest_cost). Qed.

(** says: the general query bound when a query of arm a costs c_a >= 0 and the optimal arm is unique, under the same
      hypotheses
    paper: l.268
    differs: the print announces the extension without stating it
    breaks: "m / 2" to "m" *)
Theorem general_query_costs_with_a_unique_optimum cost highest_cost a_star m :
  (forall a, is_arm K a -> 0 <= cost a <= highest_cost) ->
  unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
  E (query_costs_on x cost) <= sum (others K a_star) (fun a => cost a * (N a (gap b a / 2) + 1))
    + cost a_star * (N a_star (m / 2) + 1) + highest_cost * failures.
Proof.
  intros Hcost Hu Hm. rewrite <- (Rmult_1_l m).
  exact (steered_query_costs_with_a_unique_optimum E x _ _ _ _ is_regular 1 Rle_0_1 steered_runs cost highest_cost
    a_star m Hcost Hu Hm).
Qed.
End Bufalu.

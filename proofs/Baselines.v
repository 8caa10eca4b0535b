(** The two baselines of the experiments that know no leader: CBM-UCB (l.1397-1414) and the greedy algorithm (l.1417-1435),
    as relations, so for every tie-break. Their intervals are those of BuFALU; no theorem of the paper is about them. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals.
Open Scope R_scope.

Section Baselines.
Variable K : nat.                        (* the number of arms, numbered 1..K *)
Variable bounds : nat -> interval.       (* the confidence interval of each arm in this round *)
Variable epsilon : R.

(** u_t: an arm with the largest upper bound. *)
Definition has_the_largest_ucb (u : nat) : Prop :=
  is_arm K u /\ forall a, is_arm K a -> upper_le (upper (bounds a)) (upper (bounds u)).

(** CBM-UCB plays u_t, and queries it unless CI_t(u_t) <= epsilon(t). *)
Definition cbm_admissible (a : nat) (q : bool) : Prop :=
  has_the_largest_ucb a /\ (q = true <-> wider_than epsilon (bounds a)).

Variable means : nat -> R.               (* the empirical mean of each arm *)
Variables log queries : R.               (* ln t, and B^q(t-1): the queries so far *)

(** B^q(t-1) > B(t) - 1 with the effective budget B(t) = 6 K ln t / epsilon^2 + K; at epsilon = 0 it is unlimited. *)
Definition budget_is_spent : Prop :=
  0 < epsilon /\ 6 * INR K * log / (epsilon * epsilon) + INR K - 1 < queries.

Definition has_the_largest_mean (m : nat) : Prop := is_arm K m /\ forall a, is_arm K a -> means a <= means m.

(** Greedy queries u_t while the budget lasts, and plays an arm of the largest mean without a query afterwards. *)
Definition greedy_admissible (a : nat) (q : bool) : Prop :=
  (q = true /\ ~ budget_is_spent /\ has_the_largest_ucb a) \/ (q = false /\ budget_is_spent /\ has_the_largest_mean a).
End Baselines.

(** The two halves of the gap-query lemma (l.877). *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision.
Open Scope R_scope.

(** says: a queried arm is wider than epsilon, for every rho, every K, every tie-break and all intervals, infinite
      ones included
    paper: beyond the paper; compare l.877 (i)
    breaks: "wider_than epsilon" to "wider_than (epsilon + 1)" *)
Theorem a_steered_queried_arm_is_wider_than_epsilon K bounds epsilon rho a :
  steered K bounds epsilon rho a true -> wider_than epsilon (bounds a).
Proof.
  intros H. inversion H as [| | |l u c [_ Hl] [Hu _] Hc _ Hwide]; subst.
  destruct Hc as [[-> _]|[-> _]].
  - generalize (bounds l) Hwide. intros i Hi. clear - Hi. split_ends.
  - specialize (Hl u Hu). generalize (bounds l) (bounds u) Hwide Hl. intros i j Hi Hj. clear - Hi Hj. split_ends.
Qed.

(** says: a queried arm is wider than epsilon, for every K, every tie-break and all intervals, infinite ones included
    paper: l.877 (i)
    differs: regularity and epsilon >= 0 are not needed
    settles: gap_query.queried_is_wide
    breaks: "wider_than epsilon" to "wider_than (epsilon + 1)" *)
Theorem a_queried_arm_is_wider_than_epsilon K bounds epsilon a :
  admissible K bounds epsilon a true -> wider_than epsilon (bounds a).
Proof. intros H. now apply bufalu_is_steered, a_steered_queried_arm_is_wider_than_epsilon in H. Qed.

(** A bandit instance seen through its means. Some arm attains the largest mean. *)
Record bandit : Type := Bandit {
  number_of_arms : nat;
  mean : nat -> R;
  some_optimal_arm : nat;
  some_optimal_arm_is_an_arm : is_arm number_of_arms some_optimal_arm;
  no_mean_is_larger : forall a, is_arm number_of_arms a -> mean a <= mean some_optimal_arm
}.

Definition best (b : bandit) : R := mean b (some_optimal_arm b).
Definition gap (b : bandit) (a : nat) : R := best b - mean b a.
Definition optimal (b : bandit) (a : nat) : Prop := is_arm (number_of_arms b) a /\ mean b a = best b.

(** A_* has at least two arms; A_* is the single arm [a]. *)
Definition several_optimal_arms (b : bandit) : Prop := exists x y, optimal b x /\ optimal b y /\ x <> y.
Definition unique_optimal_arm (b : bandit) (a : nat) : Prop :=
  optimal b a /\ forall x, is_arm (number_of_arms b) x -> x <> a -> mean b x < best b.

(** The largest gap. *)
Definition largest_gap (b : bandit) : R := maximum (gap b) (number_of_arms b).

(** Every mean lies in its interval: what the good event gives (condition 2, l.838). *)
Definition covered (b : bandit) (bounds : nat -> interval) : Prop :=
  forall a, is_arm (number_of_arms b) a -> contains (bounds a) (mean b a).

Lemma gap_nonneg b a : is_arm (number_of_arms b) a -> 0 <= gap b a.
Proof. intros H. unfold gap, best. generalize (no_mean_is_larger b a H). lra. Qed.

Lemma gap_le_largest b a : is_arm (number_of_arms b) a -> gap b a <= largest_gap b.
Proof. intros H. unfold largest_gap. apply le_maximum. exact H. Qed.

Lemma gap_of_optimal b a : optimal b a -> gap b a = 0.
Proof. intros [_ H]. unfold gap. rewrite H. lra. Qed.

Lemma some_optimal_arm_is_optimal b : optimal b (some_optimal_arm b).
Proof. split; [apply some_optimal_arm_is_an_arm | reflexivity]. Qed.

Lemma optimal_is_arm b a : optimal b a -> is_arm (number_of_arms b) a.
Proof. now intros [H _]. Qed.

Lemma largest_gap_nonneg b : 0 <= largest_gap b.
Proof. apply maximum_nonneg. Qed.

Section GapQuery.
Variable b : bandit.
Variable bounds : nat -> interval.
Variable epsilon : R.
Let K := number_of_arms b.

(** says: if every mean lies in its interval, an arm played without a query has gap at most epsilon, for every rho,
      every K, every tie-break and all intervals, infinite ones included
    paper: beyond the paper; compare l.877 (ii)
    breaks: "gap b a <= epsilon" to "gap b a < epsilon" *)
Theorem a_steered_unqueried_arm_is_within_epsilon_of_the_best rho a :
  0 <= epsilon -> covered b bounds -> steered K bounds epsilon rho a false -> gap b a <= epsilon.
Proof.
  intros He Hcov H.
  assert (Hopt := some_optimal_arm_is_an_arm b).
  destruct (Nat.eq_dec (some_optimal_arm b) a) as [Heq|Hne].
  { unfold gap, best. rewrite Heq. lra. }
  assert (Habove := Hcov _ Hopt). change (mean b (some_optimal_arm b)) with (best b) in Habove.
  inversion H as [l [Hl _] Honly | l u [Hl Hmax] [Hu [Hul Hbest]] Hsep | l u c [Hl Hmax] [Hu [Hul Hbest]] Hc Hnear
    |]; subst.
  - exfalso. apply Hne. apply Honly, Hopt.
  - specialize (Hbest _ Hopt Hne). assert (Hal := Hcov a Hl). unfold gap.
    generalize (bounds a) (bounds u) (bounds (some_optimal_arm b)) Hsep Hbest Hal Habove.
    intros i j k H1 H2 H3 H4. clear - H1 H2 H3 H4 He. split_ends.
  - specialize (Hbest _ Hopt Hne). assert (Hal := Hcov a Hl). unfold gap.
    destruct Hc as [[-> [_ Hw]]|[-> _]].
    + generalize (bounds a) (bounds u) (bounds (some_optimal_arm b)) Hnear Hbest Hal Habove Hw.
      intros i j k H1 H2 H3 H4 [H5|H5]; clear - H1 H2 H3 H4 H5 He; split_ends; discriminate.
    + generalize (bounds a) (bounds u) (bounds (some_optimal_arm b)) Hnear Hbest Hal Habove.
      intros i j k H1 H2 H3 H4; clear - H1 H2 H3 H4 He; split_ends.
Qed.

(** says: if every mean lies in its interval, an arm played without a query has gap at most epsilon, for every K,
      every tie-break and all intervals, infinite ones included
    paper: l.877 (ii)
    differs: the good event is replaced by what it implies
    settles: gap_query.unqueried_is_near_optimal
    breaks: "gap b a <= epsilon" to "gap b a < epsilon" *)
Theorem an_unqueried_arm_is_within_epsilon_of_the_best a :
  0 <= epsilon -> covered b bounds -> admissible K bounds epsilon a false -> gap b a <= epsilon.
Proof.
  intros He Hcov H. apply bufalu_is_steered in H. now apply (a_steered_unqueried_arm_is_within_epsilon_of_the_best 1).
Qed.
End GapQuery.

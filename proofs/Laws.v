(** Laws on [0,1], independent draws from them, and the table of rewards X_a(1..T).

    A law is an expectation of functions of one reward: any probability law on [0,1], whatever its support. A table draws
    its entries one after the other, column by column; of independence only the product rule is used. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums GapQuery Expectation Hoeffding HoeffdingIntervals.
Import ListNotations.
Open Scope R_scope.

(** ** Independent draws *)

(** One independent outcome from each of the given laws, in order. *)
Fixpoint one_from_each {A : Type} (laws : list (expectation A)) : expectation (list A) :=
  match laws with
  | [] => point []
  | E :: rest => and_then E (fun x => and_then (one_from_each rest) (fun xs => point (x :: xs)))
  end.

Lemma one_from_first {A : Type} (E : expectation A) rest F :
  one_from_each (E :: rest) F = E (fun x => one_from_each rest (fun xs => F (x :: xs))).
Proof. reflexivity. Qed.

(** The i-th coordinate has the i-th law. *)
Lemma marginal_of_draws {A : Type} (laws : list (expectation A)) i (E : expectation A) d (f : A -> R) :
  nth_error laws i = Some E -> one_from_each laws (fun xs => f (nth i xs d)) = E f.
Proof.
  revert i. induction laws as [|E0 rest IH]; intros [|i] H; try discriminate; rewrite one_from_first.
  - injection H as <-. apply expect_ext. intros x. exact (expect_const (one_from_each rest) (f x)).
  - rewrite <- (expect_const E0 (E f)). apply expect_ext. intros x. exact (IH i H).
Qed.

Lemma product_rounds_from_first n f : product (rounds (S n)) f = f 1%nat * product (rounds n) (fun k => f (S k)).
Proof.
  unfold rounds. simpl seq. change (f 1%nat * product (seq 2 n) f
    = f 1%nat * product (seq 1 n) (fun k => f (S k))). f_equal.
  generalize 1%nat. induction n as [|n IH]; intros s; [reflexivity|].
  simpl seq. change (f (S s) * product (seq (S (S s)) n) f = f (S s) * product (seq (S s) n) (fun k => f (S k))).
  now rewrite IH.
Qed.

(** The product rule for the first [n] of [T] draws from one law. *)
Lemma draws_multiply {A : Type} (E : expectation A) T n d (g : A -> R) : bounded g -> (n <= T)%nat ->
  one_from_each (repeat E T) (fun xs => product (rounds n) (fun k => g (nth (k - 1) xs d)))
  = product (rounds n) (fun _ => E g).
Proof.
  intros Hg. revert n. induction T as [|T IH]; intros n Hn.
  - assert (n = 0)%nat by lia. now subst.
  - destruct n as [|n]; [exact (expect_const (one_from_each (repeat E (S T))) 1)|].
    simpl repeat. rewrite one_from_first, product_rounds_from_first, <- (IH n) by lia. rewrite Rmult_comm, <- expect_scal by exact Hg.
    apply expect_ext. intros x. rewrite Rmult_comm, <- expect_scal.
    + apply expect_ext. intros xs. rewrite product_rounds_from_first. simpl nth. f_equal. apply product_ext. intros k Hk. apply in_rounds in Hk.
      destruct k as [|k]; [lia|]. simpl. now rewrite Nat.sub_0_r.
    + apply (bounded_product (rounds n) (fun k xs => g (nth (k - 1) xs d))). intros k _.
      destruct Hg as [c Hc]. exists c. intros xs. apply Hc.
Qed.

(** ** Tables of rewards *)

(** A reward: a number of [0,1]. *)
Definition reward : Type := { v : R | 0 <= v <= 1 }.
Definition value (r : reward) : R := proj1_sig r.
Definition no_reward : reward := exist _ 0 (conj (Rle_refl 0) Rle_0_1).

Lemma a_reward_is_in_the_unit_interval r : 0 <= value r <= 1.
Proof. exact (proj2_sig r). Qed.

Lemma bounded_value : bounded value.
Proof. exact (bounded_between 0 1 value a_reward_is_in_the_unit_interval). Qed.
#[export] Hint Resolve bounded_value : bounded.

(** A table holds, for every arm, T rewards. All of them are drawn independently, those of arm [a] from [law a]. *)
Definition table : Type := list (list reward).
Definition column_law (law : nat -> expectation reward) (T a : nat) : expectation (list reward) :=
  one_from_each (repeat (law a) T).
Definition table_law (law : nat -> expectation reward) (K T : nat) : expectation table :=
  one_from_each (map (column_law law T) (arms K)).

(** X_a(k). *)
Definition entry (a k : nat) (w : table) : R := value (nth (k - 1) (nth (a - 1) w []) no_reward).

Section Table.
Variables (law : nat -> expectation reward) (b : bandit) (T : nat).
Let K := number_of_arms b.
Hypothesis means_are_those_of_the_laws : forall a, is_arm K a -> mean b a = law a value.

Lemma a_column_has_its_own_law a F : is_arm K a ->
  table_law law K T (fun w => F (nth (a - 1) w [])) = column_law law T a F.
Proof.
  intros Ha. apply marginal_of_draws. rewrite nth_error_map. unfold arms. unfold is_arm in Ha.
  rewrite (nth_error_nth' _ 0%nat) by (rewrite seq_length; lia). rewrite seq_nth by lia. simpl. do 2 f_equal. lia.
Qed.

Lemma an_entry_has_the_law_of_its_arm a k g : is_arm K a -> (1 <= k <= T)%nat ->
  table_law law K T (fun w => g (nth (k - 1) (nth (a - 1) w []) no_reward)) = law a g.
Proof.
  intros Ha Hk. rewrite (a_column_has_its_own_law a (fun xs => g (nth (k - 1) xs no_reward)) Ha).
  apply marginal_of_draws. rewrite (nth_error_nth' _ (law a)) by (rewrite repeat_length; lia). f_equal.
  apply nth_repeat.
Qed.

(** The entries of the table are a tape of rewards in the sense of HoeffdingIntervals.v. *)
Theorem the_table_is_a_reward_tape : reward_tape (table_law law K T) b T entry.
Proof.
  constructor; fold K.
  - intros a k w _ _. apply a_reward_is_in_the_unit_interval.
  - intros a k Ha Hk. rewrite (means_are_those_of_the_laws a Ha).
    exact (an_entry_has_the_law_of_its_arm a k value Ha Hk).
  - intros a n Ha Hn g [c Hg]. unfold entry.
    rewrite (a_column_has_its_own_law a (fun xs => product (rounds n)
      (fun k => g (value (nth (k - 1) xs no_reward)))) Ha). unfold column_law.
    rewrite (draws_multiply (law a) T n no_reward (fun r => g (value r))); [|exists c|exact Hn].
    + apply product_ext. intros k Hk. apply in_rounds in Hk.
      symmetry. apply (an_entry_has_the_law_of_its_arm a k (fun r => g (value r)) Ha). lia.
    + intros r. apply Hg, a_reward_is_in_the_unit_interval.
Qed.
End Table.

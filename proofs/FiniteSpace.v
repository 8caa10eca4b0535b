(** Finite weighted spaces, their products, and the table of rewards X_a(1..T): expectations that certainly exist. *)

From Coq Require Import Reals Lra Lia List Arith.
From Bufalu Require Import Sums GapQuery Expectation Hoeffding HoeffdingIntervals.
Import ListNotations.
Open Scope R_scope.

(** ** Weighted lists of outcomes *)

Definition weighted_sum {A : Type} (l : list (A * R)) (f : A -> R) : R := sum l (fun x => snd x * f (fst x)).

Record space (A : Type) : Type := Space {
  outcomes : list (A * R);
  weights_are_nonneg : forall x, In x outcomes -> 0 <= snd x;
  weights_sum_to_one : weighted_sum outcomes (fun _ => 1) = 1
}.

Arguments outcomes {A} _.

Lemma sum_map {A B : Type} (l : list A) (h : A -> B) f : sum (map h l) f = sum l (fun x => f (h x)).
Proof. induction l as [|x l IH]; [reflexivity|]. unfold sum in *. simpl. now rewrite IH. Qed.

Lemma sum_flat_map {A B : Type} (l : list A) (h : A -> list B) f : sum (flat_map h l) f
  = sum l (fun x => sum (h x) f).
Proof. induction l as [|x l IH]; [reflexivity|]. simpl. rewrite sum_app, IH. reflexivity. Qed.

Lemma weighted_sum_ext {A : Type} (l : list (A * R)) f g : (forall x, f x = g x) ->
  weighted_sum l f = weighted_sum l g.
Proof. intros H. apply sum_ext. intros x _. now rewrite H. Qed.

Lemma weighted_sum_scal {A : Type} (l : list (A * R)) c f : weighted_sum l (fun x => c * f x)
  = c * weighted_sum l f.
Proof. unfold weighted_sum. rewrite <- sum_scal. apply sum_ext. intros; lra. Qed.

(** The expectation of a finite space. *)
Definition finite_expectation {A : Type} (s : space A) : expectation A.
Proof.
  refine (Expectation A (weighted_sum (outcomes s)) _ _ _ _).
  - intros f g. unfold weighted_sum. rewrite <- sum_plus. apply sum_ext. intros; lra.
  - intros. apply weighted_sum_scal.
  - intros f Hf. apply sum_nonneg. intros x Hx. apply Rmult_le_pos; [now apply (weights_are_nonneg _ s) | apply Hf].
  - apply weights_sum_to_one.
Defined.

(** ** Independent draws: the product of a list of spaces *)

Definition draw_then {A : Type} (first : list (A * R)) (rest : list (list A * R)) : list (list A * R) :=
  flat_map (fun x => map (fun y => (fst x :: fst y, snd x * snd y)) rest) first.

Lemma weighted_sum_draw_then {A : Type} (first : list (A * R)) rest f :
  weighted_sum (draw_then first rest) f = weighted_sum first (fun x => weighted_sum rest (fun xs => f (x :: xs))).
Proof.
  unfold weighted_sum, draw_then. rewrite sum_flat_map. apply sum_ext. intros x _.
  rewrite sum_map, <- sum_scal. apply sum_ext. intros y _. simpl. lra.
Qed.

Fixpoint draws {A : Type} (spaces : list (space A)) : list (list A * R) :=
  match spaces with
  | [] => [([], 1)]
  | s :: rest => draw_then (outcomes s) (draws rest)
  end.

Lemma draws_sum_to_one {A : Type} (spaces : list (space A)) : weighted_sum (draws spaces) (fun _ => 1) = 1.
Proof.
  induction spaces as [|s rest IH]; [unfold weighted_sum, sum; simpl; lra|].
  simpl. rewrite weighted_sum_draw_then, IH. apply weights_sum_to_one.
Qed.

Lemma draws_are_nonneg {A : Type} (spaces : list (space A)) x : In x (draws spaces) -> 0 <= snd x.
Proof.
  revert x. induction spaces as [|s rest IH]; intros x.
  - intros [<-|[]]. simpl. lra.
  - simpl. unfold draw_then. rewrite in_flat_map. intros [y [Hy Hx]]. apply in_map_iff in Hx.
    destruct Hx as [z [<- Hz]].
    apply Rmult_le_pos; [now apply (weights_are_nonneg _ s) | now apply IH].
Qed.

(** The space of one independent outcome from each of the given spaces, in order. *)
Definition independent_draws {A : Type} (spaces : list (space A)) : space (list A) :=
  Space (list A) (draws spaces) (draws_are_nonneg spaces) (draws_sum_to_one spaces).

(** The i-th coordinate has the i-th law. *)
Lemma marginal_of_draws {A : Type} (spaces : list (space A)) i s d f :
  nth_error spaces i = Some s -> weighted_sum (draws spaces) (fun xs => f (nth i xs d))
    = weighted_sum (outcomes s) f.
Proof.
  revert i. induction spaces as [|s0 rest IH]; intros [|i] H; try discriminate; simpl draws;
    rewrite weighted_sum_draw_then.
  - injection H as <-. apply weighted_sum_ext. intros x. simpl nth.
    transitivity (f x * weighted_sum (draws rest) (fun _ => 1)); [|rewrite draws_sum_to_one; lra].
    rewrite <- weighted_sum_scal. apply weighted_sum_ext. intros; lra.
  - simpl nth.
    transitivity (weighted_sum (outcomes s) f * weighted_sum (outcomes s0) (fun _ => 1));
      [|rewrite weights_sum_to_one; lra].
    rewrite <- weighted_sum_scal. apply weighted_sum_ext. intros x. rewrite (IH i H). lra.
Qed.

Lemma product_rounds_from_first n f : product (rounds (S n)) f = f 1%nat * product (rounds n) (fun k => f (S k)).
Proof.
  unfold rounds. simpl seq. change (f 1%nat * product (seq 2 n) f
    = f 1%nat * product (seq 1 n) (fun k => f (S k))). f_equal.
  generalize 1%nat. induction n as [|n IH]; intros s; [reflexivity|].
  simpl seq. change (f (S s) * product (seq (S (S s)) n) f = f (S s) * product (seq (S s) n) (fun k => f (S k))).
  now rewrite IH.
Qed.

(** The product rule for the first [n] of [T] draws from one space. *)
Lemma draws_multiply {A : Type} (s : space A) T n d (g : A -> R) : (n <= T)%nat ->
  weighted_sum (draws (repeat s T)) (fun xs => product (rounds n) (fun k => g (nth (k - 1) xs d)))
  = product (rounds n) (fun _ => weighted_sum (outcomes s) g).
Proof.
  revert n. induction T as [|T IH]; intros n Hn.
  - assert (n = 0)%nat by lia. subst. unfold weighted_sum, sum. simpl. lra.
  - destruct n as [|n]; [exact (draws_sum_to_one (repeat s (S T)))|].
    simpl draws. rewrite weighted_sum_draw_then, product_rounds_from_first, <- (IH n) by lia.
    rewrite Rmult_comm, <- weighted_sum_scal. apply weighted_sum_ext. intros x.
    rewrite Rmult_comm, <- weighted_sum_scal. apply weighted_sum_ext. intros xs.
    rewrite product_rounds_from_first. simpl nth. f_equal. apply product_ext. intros k Hk. apply in_rounds in Hk.
    destruct k as [|k]; [lia|]. simpl. now rewrite Nat.sub_0_r.
Qed.

(** ** Tables of rewards *)

(** A reward: a number of [0,1]. *)
Definition reward : Type := { v : R | 0 <= v <= 1 }.
Definition value (r : reward) : R := proj1_sig r.
Definition no_reward : reward := exist _ 0 (conj (Rle_refl 0) Rle_0_1).

(** A table holds, for every arm, T rewards. Its space draws all of them independently, arm [a] from [law a]. *)
Definition table : Type := list (list reward).
Definition column_space (law : nat -> space reward) (T a : nat) : space (list reward) :=
  independent_draws (repeat (law a) T).
Definition table_space (law : nat -> space reward) (K T : nat) : space table :=
  independent_draws (map (column_space law T) (arms K)).

(** X_a(k). *)
Definition entry (a k : nat) (w : table) : R := value (nth (k - 1) (nth (a - 1) w []) no_reward).

Section Table.
Variables (law : nat -> space reward) (b : bandit) (T : nat).
Let K := number_of_arms b.
Hypothesis means_are_those_of_the_laws : forall a, is_arm K a -> mean b a = finite_expectation (law a) value.

Lemma a_column_has_its_own_law a F : is_arm K a ->
  finite_expectation (table_space law K T) (fun w => F (nth (a - 1) w []))
    = weighted_sum (draws (repeat (law a) T)) F.
Proof.
  intros Ha. change (weighted_sum (draws (map (column_space law T) (arms K))) (fun w => F (nth (a - 1) w []))
    = weighted_sum (outcomes (column_space law T a)) F).
  apply marginal_of_draws. rewrite nth_error_map. unfold arms. unfold is_arm in Ha.
  rewrite (nth_error_nth' _ 0%nat) by (rewrite seq_length; lia). rewrite seq_nth by lia. simpl. do 2 f_equal. lia.
Qed.

Lemma an_entry_has_the_law_of_its_arm a k g : is_arm K a -> (1 <= k <= T)%nat ->
  finite_expectation (table_space law K T) (fun w => g (nth (k - 1) (nth (a - 1) w []) no_reward))
    = weighted_sum (outcomes (law a)) g.
Proof.
  intros Ha Hk. rewrite (a_column_has_its_own_law a (fun xs => g (nth (k - 1) xs no_reward)) Ha).
  apply marginal_of_draws. rewrite (nth_error_nth' _ (law a)) by (rewrite repeat_length; lia). f_equal.
  apply nth_repeat.
Qed.

(** The entries of the table are a tape of rewards in the sense of HoeffdingIntervals.v. *)
Theorem the_table_is_a_reward_tape : reward_tape (finite_expectation (table_space law K T)) b T entry.
Proof.
  constructor; fold K.
  - intros a k w _ _. exact (proj2_sig (nth (k - 1) (nth (a - 1) w []) no_reward)).
  - intros a k Ha Hk. rewrite (means_are_those_of_the_laws a Ha).
    exact (an_entry_has_the_law_of_its_arm a k value Ha Hk).
  - intros a n Ha Hn g. unfold entry.
    rewrite (a_column_has_its_own_law a (fun xs => product (rounds n)
      (fun k => g (value (nth (k - 1) xs no_reward)))) Ha).
    rewrite (draws_multiply (law a) T n no_reward (fun r => g (value r)) Hn).
    apply product_ext. intros k Hk. apply in_rounds in Hk.
    symmetry. apply (an_entry_has_the_law_of_its_arm a k (fun r => g (value r)) Ha). lia.
Qed.
End Table.

(** Finite weighted spaces and their products: what the lower bounds draw tables from. *)

From Coq Require Import Reals Lra Lia List Arith.
From Bufalu Require Import Sums TotalExpectation.
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

Lemma weighted_sum_ext {A : Type} (l : list (A * R)) f g : (forall x, f x = g x) ->
  weighted_sum l f = weighted_sum l g.
Proof. intros H. apply sum_ext. intros x _. now rewrite H. Qed.

Lemma weighted_sum_scal {A : Type} (l : list (A * R)) c f : weighted_sum l (fun x => c * f x)
  = c * weighted_sum l f.
Proof. unfold weighted_sum. rewrite <- sum_scal. apply sum_ext. intros; lra. Qed.

(** The expectation of a finite space. *)
Definition finite_expectation {A : Type} (s : space A) : total_expectation A.
Proof.
  refine (TotalExpectation A (weighted_sum (outcomes s)) _ _ _ _).
  - abstract (intros f g; unfold weighted_sum; rewrite <- sum_plus; apply sum_ext; intros; lra).
  - abstract (intros; apply weighted_sum_scal).
  - abstract (intros f Hf; apply sum_nonneg; intros x Hx; apply Rmult_le_pos;
      [now apply (weights_are_nonneg _ s) | apply Hf]).
  - abstract (apply weights_sum_to_one).
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

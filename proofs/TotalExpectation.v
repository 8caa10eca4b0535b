(** Expectations of *all* real functions, bounded or not: what the lower bounds compute with, where logarithms of
    likelihoods are averaged. They are expectations in the sense of Expectation.v, and more is asked of them, which
    the laws of finite support meet. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Expectation.
Open Scope R_scope.

Record total_expectation (Omega : Type) : Type := TotalExpectation {
  total :> (Omega -> R) -> R;
  total_plus : forall f g, total (fun w => f w + g w) = total f + total g;
  total_scal : forall c f, total (fun w => c * f w) = c * total f;
  total_nonneg : forall f, (forall w, 0 <= f w) -> 0 <= total f;
  total_one : total (fun _ => 1) = 1
}.

Arguments total {Omega} _ _.
Arguments total_plus {Omega} _ _ _.
Arguments total_scal {Omega} _ _ _.
Arguments total_nonneg {Omega} _ _ _.
Arguments total_one {Omega} _.

Section Consequences.
Context {Omega : Type} (E : total_expectation Omega).

Lemma total_le f g : (forall w, f w <= g w) -> E f <= E g.
Proof.
  intros H. assert (P : 0 <= E (fun w => g w + (-1) * f w))
    by (apply total_nonneg; intros w; specialize (H w); lra).
  rewrite total_plus, total_scal in P. lra.
Qed.

Lemma total_ext f g : (forall w, f w = g w) -> E f = E g.
Proof. intros H. apply Rle_antisym; apply total_le; intros w; rewrite (H w); lra. Qed.

Lemma total_const c : E (fun _ => c) = c.
Proof. rewrite (total_ext _ (fun _ => c * 1)) by (intros; lra). rewrite total_scal, total_one. lra. Qed.

Lemma total_sum {A : Type} (l : list A) (f : A -> Omega -> R) :
  E (fun w => sum l (fun x => f x w)) = sum l (fun x => E (f x)).
Proof.
  induction l as [|x l IH]; [exact (total_const 0)|].
  change (E (fun w => f x w + sum l (fun x => f x w)) = E (f x) + sum l (fun x => E (f x))).
  now rewrite total_plus, IH.
Qed.

(** Markov's inequality for an event where f >= c > 0. *)
Lemma total_markov f event c :
  0 < c -> (forall w, 0 <= f w) -> (forall w, event w = true -> c <= f w) -> probability E event <= E f / c.
Proof.
  intros Hc Hpos H. unfold Rdiv. rewrite Rmult_comm, <- total_scal. apply total_le. intros w.
  assert (I : 0 < / c) by now apply Rinv_0_lt_compat. specialize (H w). specialize (Hpos w).
  destruct (event w); simpl.
  - rewrite <- (Rinv_l c) by lra. apply Rmult_le_compat_l; [lra | now apply H].
  - apply Rmult_le_pos; lra.
Qed.

End Consequences.

(** A total expectation is an expectation: finite-support laws are among those that the upper bounds speak of. *)
Definition on_bounded {Omega : Type} (E : total_expectation Omega) : expectation Omega :=
  Expectation Omega E (fun f g _ _ => total_plus E f g) (fun c f _ => total_scal E c f)
    (fun f _ => total_nonneg E f) (total_one E).
Coercion on_bounded : total_expectation >-> expectation.

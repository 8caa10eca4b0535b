(** Expectation as a positive, linear, normalised functional on the real functions of a sample space.

    Nothing else about probability is used by the upper bounds. Finite weighted spaces are instances
    (FiniteSpace.v). Since *all* real functions have an expectation here, every reward in [0,1] has finite support,
    whatever the sample space ([only_finite_support] in FiniteSupport.v): that is what the theorems are about. *)

From Coq Require Import Reals Lra List.
From Bufalu Require Import Sums.
Open Scope R_scope.

Record expectation (Omega : Type) : Type := Expectation {
  expect :> (Omega -> R) -> R;
  expect_plus : forall f g, expect (fun w => f w + g w) = expect f + expect g;
  expect_scal : forall c f, expect (fun w => c * f w) = c * expect f;
  expect_nonneg : forall f, (forall w, 0 <= f w) -> 0 <= expect f;
  expect_one : expect (fun _ => 1) = 1
}.

Arguments expect {Omega} _ _.
Arguments expect_plus {Omega} _ _ _.
Arguments expect_scal {Omega} _ _ _.
Arguments expect_nonneg {Omega} _ _ _.
Arguments expect_one {Omega} _.

(** The probability of a decided event. *)
Definition probability {Omega} (E : expectation Omega) (event : Omega -> bool) : R :=
  E (fun w => indicator (event w)).

Section Consequences.
Context {Omega : Type} (E : expectation Omega).

Lemma expect_le f g : (forall w, f w <= g w) -> E f <= E g.
Proof.
  intros H. assert (P : 0 <= E (fun w => g w + (-1) * f w))
    by (apply expect_nonneg; intros w; specialize (H w); lra).
  rewrite expect_plus, expect_scal in P. lra.
Qed.

Lemma expect_ext f g : (forall w, f w = g w) -> E f = E g.
Proof. intros H. apply Rle_antisym; apply expect_le; intros w; rewrite (H w); lra. Qed.

Lemma expect_const c : E (fun _ => c) = c.
Proof. rewrite (expect_ext _ (fun _ => c * 1)) by (intros; lra). rewrite expect_scal, expect_one. lra. Qed.

Lemma expect_sum {A : Type} (l : list A) (f : A -> Omega -> R) :
  E (fun w => sum l (fun x => f x w)) = sum l (fun x => E (f x)).
Proof.
  induction l as [|x l IH]; [exact (expect_const 0)|].
  change (E (fun w => f x w + sum l (fun x => f x w)) = E (f x) + sum l (fun x => E (f x))).
  now rewrite expect_plus, IH.
Qed.

(** Markov's inequality for an event where f >= c > 0. *)
Lemma markov f event c :
  0 < c -> (forall w, 0 <= f w) -> (forall w, event w = true -> c <= f w) -> probability E event <= E f / c.
Proof.
  intros Hc Hpos H. unfold Rdiv. rewrite Rmult_comm, <- expect_scal. apply expect_le. intros w.
  assert (I : 0 < / c) by now apply Rinv_0_lt_compat. specialize (H w). specialize (Hpos w).
  destruct (event w); simpl.
  - rewrite <- (Rinv_l c) by lra. apply Rmult_le_compat_l; [lra | now apply H].
  - apply Rmult_le_pos; lra.
Qed.

(** The union bound. *)
Lemma union_bound {A : Type} (l : list A) (part : A -> Omega -> bool) event :
  (forall w, event w = true -> exists x, In x l /\ part x w = true) ->
  probability E event <= sum l (fun x => probability E (part x)).
Proof.
  intros H. unfold probability. rewrite <- (expect_sum l (fun x w => indicator (part x w))). apply expect_le.
  intros w.
  destruct (event w) eqn:Ew.
  - destruct (H w Ew) as [x [Hx Hpart]].
    replace (indicator true) with (indicator (part x w)) by now rewrite Hpart.
    apply (term_le_sum l (fun x => indicator (part x w)) x Hx). intros; apply indicator_nonneg.
  - apply sum_nonneg. intros; apply indicator_nonneg.
Qed.
End Consequences.

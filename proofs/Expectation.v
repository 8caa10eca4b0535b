(** Expectation as a positive, linear, normalised functional on the *bounded* real functions of a sample space.

    Nothing else about probability is used by the upper bounds. Every probability law gives such a functional: integrate
    the bounded measurable functions, and extend to all bounded functions (Hahn and Banach). So a law on [0,1] is an
    expectation of functions of one reward (Laws.v), with no condition on its support. *)

From Coq Require Import Reals Lra Lia Arith List Bool FunctionalExtensionality.
From Bufalu Require Import Sums.
Open Scope R_scope.

Definition bounded {Omega : Type} (f : Omega -> R) : Prop := exists c, forall w, Rabs (f w) <= c.

Record expectation (Omega : Type) : Type := Expectation {
  expect :> (Omega -> R) -> R;
  expect_plus : forall f g, bounded f -> bounded g -> expect (fun w => f w + g w) = expect f + expect g;
  expect_scal : forall c f, bounded f -> expect (fun w => c * f w) = c * expect f;
  expect_nonneg : forall f, bounded f -> (forall w, 0 <= f w) -> 0 <= expect f;
  expect_one : expect (fun _ => 1) = 1
}.

Arguments expect {Omega} _ _.
Arguments expect_plus {Omega} _ _ _ _ _.
Arguments expect_scal {Omega} _ _ _ _.
Arguments expect_nonneg {Omega} _ _ _ _.
Arguments expect_one {Omega} _.

(** The probability of a decided event. *)
Definition probability {Omega} (E : (Omega -> R) -> R) (event : Omega -> bool) : R :=
  E (fun w => indicator (event w)).

(** ** Bounded functions *)

Section Bounded.
Context {Omega : Type}.
Implicit Types f g : Omega -> R.

Lemma bounded_between a b f : (forall w, a <= f w <= b) -> bounded f.
Proof.
  intros H. exists (Rabs a + Rabs b). intros w. specialize (H w). apply Rabs_le.
  generalize (Rle_abs a) (Rle_abs (- a)) (Rle_abs b) (Rle_abs (- b)). rewrite !Rabs_Ropp.
  generalize (Rabs_pos a) (Rabs_pos b). lra.
Qed.

Lemma bounded_const c : bounded (fun _ : Omega => c).
Proof. exists (Rabs c). intros; lra. Qed.

Lemma bounded_plus f g : bounded f -> bounded g -> bounded (fun w => f w + g w).
Proof.
  intros [c Hc] [d Hd]. exists (c + d). intros w. eapply Rle_trans; [apply Rabs_triang|]. specialize (Hc w).
  specialize (Hd w). lra.
Qed.

Lemma bounded_mult f g : bounded f -> bounded g -> bounded (fun w => f w * g w).
Proof.
  intros [c Hc] [d Hd]. exists (c * d). intros w. rewrite Rabs_mult.
  apply Rmult_le_compat; trivial; apply Rabs_pos.
Qed.

Lemma bounded_opp f : bounded f -> bounded (fun w => - f w).
Proof. intros [c Hc]. exists c. intros w. now rewrite Rabs_Ropp. Qed.

Lemma bounded_exp f : bounded f -> bounded (fun w => exp (f w)).
Proof.
  intros [c Hc]. apply (bounded_between 0 (exp c)). intros w. split; [left; apply exp_pos|].
  destruct (Rle_lt_or_eq_dec (f w) c) as [H| ->]; [|left; now apply exp_increasing | apply Rle_refl].
  eapply Rle_trans; [apply Rle_abs | apply Hc].
Qed.

Lemma bounded_indicator (event : Omega -> bool) : bounded (fun w => indicator (event w)).
Proof. apply (bounded_between 0 1). intros w. split; [apply indicator_nonneg | apply indicator_le_1]. Qed.

Lemma bounded_sum {A : Type} (l : list A) (f : A -> Omega -> R) :
  (forall x, In x l -> bounded (f x)) -> bounded (fun w => sum l (fun x => f x w)).
Proof.
  induction l as [|x l IH]; intros H; [exact (bounded_const 0)|].
  apply (bounded_plus (f x) (fun w => sum l (fun x => f x w))); [apply H; now left|].
  apply IH. intros y Hy. apply H. now right.
Qed.
End Bounded.

(** Sums, products and exponentials of bounded functions are bounded. *)
Ltac bounded :=
  try assumption;
  lazymatch goal with
  | |- bounded (fun _ => ?c) => apply bounded_const
  | |- bounded (fun w => @?f w + @?g w) => apply (bounded_plus f g); bounded
  | |- bounded (fun w => @?f w - @?g w) => apply (bounded_plus f (fun w => - g w)); bounded
  | |- bounded (fun w => @?f w * @?g w) => apply (bounded_mult f g); bounded
  | |- bounded (fun w => @?f w / @?g w) => apply (bounded_mult f (fun w => / g w)); bounded
  | |- bounded (fun w => - @?f w) => apply (bounded_opp f); bounded
  | |- bounded (fun w => exp (@?f w)) => apply (bounded_exp f); bounded
  | |- bounded (fun w => indicator (@?e w)) => apply (bounded_indicator e)
  | |- bounded (fun w => sum ?l (fun x => @?f x w)) =>
      apply (bounded_sum l (fun x w => f x w)); let x := fresh "x" in intros x ?; cbv beta; bounded
  | |- _ => auto with bounded
  end.

Create HintDb bounded.

Section Consequences.
Context {Omega : Type} (E : expectation Omega).

Lemma expect_le f g : bounded f -> bounded g -> (forall w, f w <= g w) -> E f <= E g.
Proof.
  intros Hf Hg H. assert (P : 0 <= E (fun w => g w + (-1) * f w))
    by (apply expect_nonneg; [bounded | intros w; specialize (H w); lra]).
  rewrite expect_plus, expect_scal in P; [lra | trivial | trivial | bounded].
Qed.

Lemma expect_ext f g : (forall w, f w = g w) -> E f = E g.
Proof. intros H. f_equal. now apply functional_extensionality. Qed.

Lemma expect_const c : E (fun _ => c) = c.
Proof.
  rewrite (expect_ext _ (fun _ => c * 1)) by (intros; lra). rewrite expect_scal, expect_one by bounded. lra.
Qed.

Lemma expect_between a b f : (forall w, a <= f w <= b) -> a <= E f <= b.
Proof.
  intros H. assert (B := bounded_between a b f H). split.
  - rewrite <- (expect_const a). apply expect_le; [bounded | exact B | apply H].
  - rewrite <- (expect_const b). apply expect_le; [exact B | bounded | apply H].
Qed.

Lemma expect_sum {A : Type} (l : list A) (f : A -> Omega -> R) : (forall x, In x l -> bounded (f x)) ->
  E (fun w => sum l (fun x => f x w)) = sum l (fun x => E (f x)).
Proof.
  induction l as [|x l IH]; intros H; [exact (expect_const 0)|].
  change (E (fun w => f x w + sum l (fun x => f x w)) = E (f x) + sum l (fun x => E (f x))).
  assert (H' : forall y, In y l -> bounded (f y)) by (intros; apply H; now right).
  rewrite expect_plus, IH; trivial; [apply H; now left | now apply bounded_sum].
Qed.

(** Markov's inequality for an event where f >= c > 0. *)
Lemma markov f event c : bounded f ->
  0 < c -> (forall w, 0 <= f w) -> (forall w, event w = true -> c <= f w) -> probability E event <= E f / c.
Proof.
  intros Hf Hc Hpos H. unfold Rdiv. rewrite Rmult_comm, <- expect_scal by exact Hf.
  apply expect_le; [bounded | bounded|]. intros w.
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
  intros H. unfold probability. rewrite <- (expect_sum l (fun x w => indicator (part x w))) by (intros; bounded).
  apply expect_le; [bounded | bounded|]. intros w.
  destruct (event w) eqn:Ew.
  - destruct (H w Ew) as [x [Hx Hpart]].
    replace (indicator true) with (indicator (part x w)) by now rewrite Hpart.
    apply (term_le_sum l (fun x => indicator (part x w)) x Hx). intros; apply indicator_nonneg.
  - apply sum_nonneg. intros; apply indicator_nonneg.
Qed.
End Consequences.

(** The expectations of bounded functions are bounded by one number. *)
Lemma bounded_expect {A B : Type} (E : A -> expectation B) (f : A -> B -> R) :
  bounded (fun p => f (fst p) (snd p)) -> bounded (fun x => E x (f x)).
Proof.
  intros [c Hc]. apply (bounded_between (- c) c). intros x. apply expect_between. intros y.
  specialize (Hc (x, y)). simpl in Hc. revert Hc. unfold Rabs. destruct (Rcase_abs (f x y)); lra.
Qed.

(** ** Expectations one after the other *)

(** One outcome, for certain. *)
Definition point {A : Type} (x : A) : expectation A.
Proof. refine (Expectation A (fun f => f x) _ _ _ _); auto. Defined.

(** What a random choice gives on average is bounded if what is chosen is. *)
Lemma bounded_after {A B : Type} (F : A -> expectation B) (f : B -> R) : bounded f -> bounded (fun x => F x f).
Proof. intros [c Hc]. apply (bounded_expect F (fun _ => f)). exists c. intros p. apply Hc. Qed.

(** First an outcome x, then one whose law may depend on x. *)
Definition and_then {A B : Type} (E : expectation A) (F : A -> expectation B) : expectation B.
Proof.
  refine (Expectation B (fun f => E (fun x => F x f)) _ _ _ _).
  - abstract (intros f g Hf Hg; rewrite <- expect_plus by auto using bounded_after;
      apply expect_ext; intros x; now apply expect_plus).
  - abstract (intros c f Hf; rewrite <- expect_scal by auto using bounded_after;
      apply expect_ext; intros x; now apply expect_scal).
  - abstract (intros f Hf Hpos; apply expect_nonneg; [now apply bounded_after|]; intros x; now apply expect_nonneg).
  - abstract (rewrite (expect_ext E _ (fun _ => 1)); [apply expect_one | intros; apply expect_one]).
Defined.

(** Hoeffding's inequality, from the chord of the exponential and Markov's inequality.

    For rewards in [0,1] on any space with an expectation in the sense of Expectation.v. Independence is used only as
    the product rule for functions of single rewards, and of the distributions only that their means agree. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Expectation.
Import ListNotations.
Open Scope R_scope.

Definition product {A : Type} (l : list A) (f : A -> R) : R := fold_right (fun x rest => f x * rest) 1 l.

Lemma product_pos_le {A : Type} (l : list A) f c :
  (forall x, In x l -> 0 <= f x <= c) -> 0 <= product l f <= c ^ length l.
Proof.
  induction l as [|x l IH]; intros H; [simpl; lra|].
  assert (Hx := H x ltac:(now left)). assert (Hl := IH ltac:(intros; apply H; now right)).
  change (0 <= f x * product l f <= c * c ^ length l). split.
  - apply Rmult_le_pos; lra.
  - apply Rmult_le_compat; lra.
Qed.

Lemma exp_of_sum {A : Type} (l : list A) f : exp (sum l f) = product l (fun x => exp (f x)).
Proof.
  induction l as [|x l IH]; [apply exp_0|].
  change (exp (f x + sum l f) = exp (f x) * product l (fun x => exp (f x))). now rewrite exp_plus, IH.
Qed.

Lemma product_ext {A : Type} (l : list A) f g : (forall x, In x l -> f x = g x) -> product l f = product l g.
Proof.
  induction l as [|x l IH]; intros H; [reflexivity|].
  change (f x * product l f = g x * product l g). rewrite (H x) by now left. f_equal. apply IH.
  intros; apply H; now right.
Qed.

Lemma bounded_product {Omega A : Type} (l : list A) (f : A -> Omega -> R) :
  (forall x, In x l -> bounded (f x)) -> bounded (fun w => product l (fun x => f x w)).
Proof.
  induction l as [|x l IH]; intros H; [exact (bounded_const 1)|].
  apply (bounded_mult (f x) (fun w => product l (fun x => f x w))); [apply H; now left|].
  apply IH. intros y Hy. apply H. now right.
Qed.

Lemma exp_of_multiple x n : exp (INR n * x) = exp x ^ n.
Proof.
  induction n as [|n IH]; [rewrite Rmult_0_l; apply exp_0|].
  rewrite S_INR. replace ((INR n + 1) * x) with (x + INR n * x) by ring. rewrite exp_plus, IH. reflexivity.
Qed.

(** The exponential lies below its chord over [0,1]. *)
Lemma exp_is_below_its_chord s x : 0 <= x <= 1 -> exp (s * x) <= 1 - x + x * exp s.
Proof.
  intros H. set (m := s * x).
  assert (P : 0 < exp m) by apply exp_pos.
  assert (A : exp m * (1 + (0 - m)) <= 1).
  { apply Rle_trans with (exp m * exp (0 - m)).
    - apply Rmult_le_compat_l; [lra|]. apply exp_ineq1_le.
    - rewrite <- exp_plus. replace (m + (0 - m)) with 0 by ring. rewrite exp_0. lra. }
  assert (B : exp m * (1 + (s - m)) <= exp s).
  { replace (exp s) with (exp m * exp (s - m)) by (rewrite <- exp_plus; f_equal; lra).
    apply Rmult_le_compat_l; [lra|]. apply exp_ineq1_le. }
  assert (A' := Rmult_le_compat_l (1 - x) _ _ ltac:(lra) A). assert (B' := Rmult_le_compat_l x _ _ ltac:(lra) B).
  replace (exp m) with ((1 - x) * (exp m * (1 + (0 - m))) + x * (exp m * (1 + (s - m)))); [lra|].
  unfold m. ring.
Qed.

(** The derivative argument: with u(s) = p e^s / (1 - p + p e^s), the function p s + s^2/8 - ln(1 - p + p e^s)
    vanishes with its derivative p + s/4 - u(s) at 0, and its second derivative is 1/4 - u(1 - u) >= 0. *)
Section Bernoulli.
Variable p : R.
Hypothesis p_is_probability : 0 <= p <= 1.

Let moment (s : R) : R := 1 - p + p * exp s.
Let tilt (s : R) : R := p * exp s / moment s.

Lemma moment_pos s : 0 < moment s.
Proof.
  unfold moment. assert (P := exp_pos s). destruct (Req_dec p 0) as [->|Hne]; [lra|].
  assert (0 < p * exp s) by (apply Rmult_lt_0_compat; lra). lra.
Qed.

Lemma moment_derivative s : derivable_pt_lim moment s (p * exp s).
Proof.
  unfold moment. replace (p * exp s) with (0 + p * exp s) by ring.
  apply (derivable_pt_lim_plus (fun _ => 1 - p) (fun s => p * exp s)).
  - apply derivable_pt_lim_const.
  - apply (derivable_pt_lim_scal exp). apply derivable_pt_lim_exp.
Qed.

Lemma log_moment_derivative s : derivable_pt_lim (fun s => ln (moment s)) s (tilt s).
Proof.
  unfold tilt, Rdiv. rewrite Rmult_comm. apply (derivable_pt_lim_comp moment ln).
  - apply moment_derivative.
  - apply derivable_pt_lim_ln. apply moment_pos.
Qed.

Lemma tilt_derivative s : derivable_pt_lim tilt s (tilt s * (1 - tilt s)).
Proof.
  unfold tilt. assert (P := moment_pos s).
  replace (p * exp s / moment s * (1 - p * exp s / moment s))
    with ((p * exp s * moment s - p * exp s * (p * exp s)) / Rsqr (moment s)) by (unfold Rsqr; field; lra).
  apply (derivable_pt_lim_div (fun s => p * exp s) moment).
  - apply (derivable_pt_lim_scal exp). apply derivable_pt_lim_exp.
  - apply moment_derivative.
  - lra.
Qed.

Lemma tilt_is_below_its_tangent s : 0 < s -> tilt s <= p + s / 4.
Proof.
  intros Hs. destruct (MVT_cor2 tilt (fun s => tilt s * (1 - tilt s)) 0 s Hs) as [c [Hc _]].
  { intros c _. apply tilt_derivative. }
  assert (T0 : tilt 0 = p) by (unfold tilt, moment; rewrite exp_0; replace (1 - p + p * 1) with 1 by ring; field).
  assert (Q : tilt c * (1 - tilt c) <= 1 / 4).
  { generalize (Rle_0_sqr (tilt c - 1 / 2)). unfold Rsqr. lra. }
  assert (Q' := Rmult_le_compat_r (s - 0) _ _ ltac:(lra) Q). rewrite T0 in Hc. lra.
Qed.

(** Hoeffding's lemma for a Bernoulli variable. *)
Lemma bernoulli_moment_is_subgaussian s : 0 <= s -> moment s <= exp (p * s + s * s / 8).
Proof.
  intros [Hs| <-].
  2: { unfold moment. rewrite exp_0. replace (p * 0 + 0 * 0 / 8) with 0 by lra. rewrite exp_0. lra. }
  rewrite <- (exp_ln (moment s)) by apply moment_pos. apply exp_is_monotone.
  assert (D : forall c, derivable_pt_lim (fun s => ln (moment s) - s * s / 8) c (tilt c - c / 4)).
  { intros c. apply (derivable_pt_lim_minus (fun s => ln (moment s)) (fun s => s * s / 8));
      [apply log_moment_derivative|].
    replace (c / 4) with ((1 * c + c * 1) * / 8 + (c * c) * 0) by field.
    apply (derivable_pt_lim_mult (fun s => s * s) (fun _ => / 8)); [|apply derivable_pt_lim_const].
    apply (derivable_pt_lim_mult id id); apply derivable_pt_lim_id. }
  destruct (MVT_cor2 _ (fun c => tilt c - c / 4) 0 s Hs (fun c _ => D c)) as [c [Hc Hin]].
  assert (L0 : ln (moment 0) = 0).
  { unfold moment. rewrite exp_0. replace (1 - p + p * 1) with 1 by ring. apply ln_1. }
  assert (Q := Rmult_le_compat_r (s - 0) _ _ ltac:(lra) (tilt_is_below_its_tangent c ltac:(lra))).
  rewrite L0 in Hc. lra.
Qed.
End Bernoulli.

(** A function that is bounded on [0,1]. *)
Definition bounded_on_rewards (g : R -> R) : Prop := exists c, forall v, 0 <= v <= 1 -> Rabs (g v) <= c.

(** The product rule for functions of the first [n] rewards: implied by independence. *)
Definition independent {Omega} (E : expectation Omega) (X : nat -> Omega -> R) (n : nat) : Prop :=
  forall g : R -> R, bounded_on_rewards g -> E (fun w => product (rounds n) (fun k => g (X k w)))
    = product (rounds n) (fun k => E (fun w => g (X k w))).

Section Tail.
Context {Omega : Type} (E : expectation Omega).

(** One reward: E e^{s(X - m)} <= e^{s^2/8}. *)
Lemma a_reward_is_subgaussian X m s :
  (forall w, 0 <= X w <= 1) -> E X = m -> 0 <= s -> E (fun w => exp (s * (X w - m))) <= exp (s * s / 8).
Proof.
  intros HX Hm Hs. assert (BX := bounded_between 0 1 X HX).
  assert (M : 0 <= m <= 1) by (rewrite <- Hm; now apply expect_between).
  assert (I : E (fun w => exp (s * X w)) <= 1 - m + m * exp s).
  { apply Rle_trans with (E (fun w => 1 + (exp s - 1) * X w)).
    - apply expect_le; [bounded | bounded|]. intros w. generalize (exp_is_below_its_chord s (X w) (HX w)). lra.
    - rewrite expect_plus, expect_const, expect_scal by bounded. change (E (fun w => X w)) with (E X). rewrite Hm. lra. }
  rewrite (expect_ext E _ (fun w => exp (- (s * m)) * exp (s * X w))).
  2: { intros w. rewrite <- exp_plus. f_equal. ring. }
  rewrite expect_scal by bounded.
  replace (s * s / 8) with (- (s * m) + (m * s + s * s / 8)) by ring. rewrite exp_plus.
  apply Rmult_le_compat_l; [left; apply exp_pos|].
  eapply Rle_trans; [exact I | now apply bernoulli_moment_is_subgaussian].
Qed.

(** Hoeffding's inequality, upper tail: P(X_1 + ... + X_n - n m >= n r) <= e^{-2 n r^2}. *)
Theorem hoeffding_upper_tail X m n r (event : Omega -> bool) :
  (forall k w, (1 <= k <= n)%nat -> 0 <= X k w <= 1) -> (forall k, (1 <= k <= n)%nat -> E (X k) = m) ->
  independent E X n -> 0 <= r ->
  (forall w, event w = true -> INR n * r <= sum (rounds n) (fun k => X k w - m)) ->
  probability E event <= exp (- 2 * INR n * (r * r)).
Proof.
  intros HX Hm Hind Hr Hevent. set (s := 4 * r).
  assert (BX : forall k, In k (rounds n) -> bounded (X k)).
  { intros k Hk. apply in_rounds in Hk. apply (bounded_between 0 1). intros w. now apply HX. }
  eapply Rle_trans.
  { apply (markov E (fun w => exp (s * sum (rounds n) (fun k => X k w - m))) event (exp (s * (INR n * r)))).
    - bounded.
    - apply exp_pos.
    - intros w. left. apply exp_pos.
    - intros w Hw. apply exp_is_monotone. apply Rmult_le_compat_l; [unfold s; lra | now apply Hevent]. }
  rewrite (expect_ext E _ (fun w => product (rounds n) (fun k => exp (s * (X k w - m))))).
  2: { intros w. rewrite <- sum_scal, exp_of_sum. reflexivity. }
  rewrite (Hind (fun v => exp (s * (v - m)))).
  2: { exists (exp (Rabs s * (1 + Rabs m))). intros v Hv. rewrite Rabs_pos_eq by (left; apply exp_pos).
       apply exp_is_monotone. eapply Rle_trans; [apply Rle_abs|]. rewrite Rabs_mult.
       apply Rmult_le_compat_l; [apply Rabs_pos|]. apply Rabs_le.
       generalize (Rle_abs m) (Rle_abs (- m)). rewrite Rabs_Ropp. lra. }
  assert (P : product (rounds n) (fun k => E (fun w => exp (s * (X k w - m)))) <= exp (s * s / 8) ^ n).
  { rewrite <- (length_rounds n) at 2. apply product_pos_le. intros k Hk. assert (B := BX k Hk). apply in_rounds in Hk. split.
    - apply expect_nonneg; [bounded|]. intros w. left. apply exp_pos.
    - apply a_reward_is_subgaussian; [intros; now apply HX | now apply Hm | unfold s; lra]. }
  unfold Rdiv at 1. rewrite <- exp_Ropp.
  eapply Rle_trans; [apply Rmult_le_compat_r; [left; apply exp_pos | exact P]|].
  rewrite <- exp_of_multiple, <- exp_plus. apply Req_le. f_equal. unfold s. field.
Qed.

(** says: Hoeffding's inequality with its factor 2, for independent rewards in [0,1] of equal mean
    paper: l.1158, cited there
    differs: independence is used as the product rule for functions of single rewards
    breaks: "<= 2 * exp" to "<= exp" *)
Theorem hoeffding_two_sided X m n r (event : Omega -> bool) :
  (forall k w, (1 <= k <= n)%nat -> 0 <= X k w <= 1) -> (forall k, (1 <= k <= n)%nat -> E (X k) = m) ->
  independent E X n -> 0 <= r ->
  (forall w, event w = true -> INR n * r <= Rabs (sum (rounds n) (fun k => X k w - m))) ->
  probability E event <= 2 * exp (- 2 * INR n * (r * r)).
Proof.
  intros HX Hm Hind Hr Hevent.
  set (above := fun w => event w && if Rle_dec 0 (sum (rounds n) (fun k => X k w - m)) then true else false).
  set (below := fun w => event w && if Rle_dec 0 (sum (rounds n) (fun k => X k w - m)) then false else true).
  assert (A : probability E above <= exp (- 2 * INR n * (r * r))).
  { apply (hoeffding_upper_tail X m n r); trivial. intros w Hw. unfold above in Hw. apply andb_true_iff in Hw.
    destruct Hw as [Hw Hd]. specialize (Hevent w Hw). destruct (Rle_dec _ _) as [H|H]; [|discriminate].
    rewrite Rabs_pos_eq in Hevent by exact H. exact Hevent. }
  assert (B : probability E below <= exp (- 2 * INR n * (r * r))).
  { apply (hoeffding_upper_tail (fun k w => 1 - X k w) (1 - m) n r); trivial.
    - intros k w Hk. specialize (HX k w Hk). lra.
    - intros k Hk. rewrite (expect_ext E _ (fun w => 1 + (-1) * X k w)) by (intros; lra).
      assert (B : bounded (X k)) by (apply (bounded_between 0 1); intros w; now apply HX).
      rewrite expect_plus, expect_one, expect_scal by bounded. change (E (fun w => X k w)) with (E (X k)).
      rewrite Hm by exact Hk. lra.
    - intros g [c Hg]. apply (Hind (fun v => g (1 - v))). exists c. intros v Hv. apply Hg. lra.
    - intros w Hw. unfold below in Hw. apply andb_true_iff in Hw. destruct Hw as [Hw Hd]. specialize (Hevent w Hw).
      destruct (Rle_dec _ _) as [H|H]; [discriminate|]. rewrite Rabs_left in Hevent by lra.
      rewrite (sum_ext _ _ (fun k => (-1) * (X k w - m))) by (intros; lra). rewrite sum_scal. lra. }
  apply Rle_trans with (probability E above + probability E below); [|lra].
  unfold probability. rewrite <- expect_plus by bounded. apply expect_le; [bounded | bounded|]. intros w.
  unfold above, below.
  destruct (event w), (Rle_dec 0 _); simpl; lra.
Qed.
End Tail.

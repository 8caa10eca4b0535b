(** The empirical variance as an average over pairs, and Jensen's inequality for its moment generating function.

    V is the mean of h = (X - X')^2/2 over all pairs of the sample. Pairing the first draw with each of the others and
    averaging, Jensen's inequality bounds E e^{c m V} by (E e^{c h})^m with m = floor(n/2): as if V were the mean of m
    independent h. For independent draws from one law; no entropy method, and no exchange of expectations: a pair is
    always drawn in the order of the sample, so the product rule is enough. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Expectation Hoeffding Laws.
Import ListNotations.
Open Scope R_scope.

(** A list of [n] outcomes. *)
Record tuple (A : Type) (n : nat) : Type := Tuple { entries :> list A; length_of_tuple : length entries = n }.

Arguments entries {A n} _.
Arguments length_of_tuple {A n} _.

Definition add_first {A : Type} {n : nat} (x : A) (l : tuple A n) : tuple A (S n) :=
  Tuple A (S n) (x :: l) (f_equal S (length_of_tuple l)).

(** [n] independent draws from the law [s]. *)
Fixpoint sample {A : Type} (s : expectation A) (n : nat) : expectation (tuple A n) :=
  match n with
  | O => point (Tuple A 0 [] eq_refl)
  | S k => and_then s (fun x => and_then (sample s k) (fun l => point (add_first x l)))
  end.

(** A function of lists that is bounded on the lists of length [n]. *)
Definition bounded_at {A : Type} (n : nat) (F : list A -> R) : Prop := exists c, forall l, length l = n -> Rabs (F l)
  <= c.

Lemma bounded_on_tuples {A : Type} n (F : list A -> R) : bounded_at n F -> bounded (fun l : tuple A n => F l).
Proof. intros [c Hc]. exists c. intros l. apply Hc, length_of_tuple. Qed.

Lemma bounded_at_next {A : Type} n (F : list A -> R) x : bounded_at (S n) F -> bounded_at n (fun l => F (x :: l)).
Proof. intros [c Hc]. exists c. intros l Hl. apply Hc. simpl. now rewrite Hl. Qed.

Lemma sample_from_first {A : Type} (s : expectation A) n (F : list A -> R) :
  sample s (S n) (fun l => F l) = s (fun x => sample s n (fun l => F (x :: l))).
Proof. reflexivity. Qed.

Lemma bounded_sample_from_first {A : Type} (s : expectation A) n (F : list A -> R) : bounded_at (S n) F ->
  bounded (fun x => sample s n (fun l => F (x :: l))).
Proof.
  intros [c Hc]. apply (bounded_expect (fun _ => sample s n) (fun x l => F (x :: l))). exists c. intros [x l]. apply Hc.
  simpl. now rewrite length_of_tuple.
Qed.

(** ** Taking one element out of a list, in every way *)

Fixpoint picks {A : Type} (l : list A) : list (A * list A) :=
  match l with
  | [] => []
  | x :: rest => (x, rest) :: map (fun p => (fst p, x :: snd p)) (picks rest)
  end.

Lemma length_picks {A : Type} (l : list A) : length (picks l) = length l.
Proof. induction l as [|x l IH]; [reflexivity|]. simpl. now rewrite map_length, IH. Qed.

Lemma length_of_the_rest {A : Type} (l : list A) p : In p (picks l) -> S (length (snd p)) = length l.
Proof.
  revert p. induction l as [|x l IH]; intros p; [intros []|]. simpl. intros [<-|H]; [reflexivity|].
  apply in_map_iff in H. destruct H as [q [<- Hq]]. simpl. f_equal. now apply IH.
Qed.

Lemma sum_of_the_rest {A : Type} (l : list A) p f : In p (picks l) -> sum (snd p) f = sum l f - f (fst p).
Proof.
  revert p. induction l as [|x l IH]; intros p; [intros []|]. simpl picks.
  change (sum (x :: l) f) with (f x + sum l f). intros [<-|H]; [simpl; ring|].
  apply in_map_iff in H. destruct H as [q [<- Hq]]. simpl fst. simpl snd.
  change (sum (x :: snd q) f) with (f x + sum (snd q) f). rewrite (IH q Hq). ring.
Qed.

Lemma sum_over_picks {A : Type} (l : list A) f : sum (picks l) (fun p => f (fst p)) = sum l f.
Proof.
  induction l as [|x l IH]; [reflexivity|]. simpl picks.
  change (f x + sum (map (fun p => (fst p, x :: snd p)) (picks l)) (fun p => f (fst p)) = f x + sum l f).
  rewrite sum_map. simpl. now rewrite IH.
Qed.

Lemma bounded_sum_over_picks {A : Type} n (f : A -> R) (F : list A -> R) : bounded f -> bounded_at n F ->
  bounded_at (S n) (fun l => sum (picks l) (fun p => f (fst p) * F (snd p))).
Proof.
  intros [c Hc] [d Hd]. exists (INR (S n) * (c * d)). intros l Hl. rewrite <- Hl, <- (length_picks l), <- sum_const.
  assert (H : forall p, In p (picks l) -> Rabs (f (fst p) * F (snd p)) <= c * d).
  { intros p Hp. rewrite Rabs_mult. apply Rmult_le_compat; try apply Rabs_pos; [apply Hc|]. apply Hd.
    apply length_of_the_rest in Hp. lia. }
  revert H. generalize (picks l). intros ps H. induction ps as [|p ps IH]; [unfold sum; simpl; rewrite Rabs_R0; lra|].
  unfold sum in *. simpl. eapply Rle_trans; [apply Rabs_triang|].
  apply Rplus_le_compat; [apply H; now left | apply IH; intros; apply H; now right].
Qed.

(** A draw taken out of n + 1 independent ones, at every place, leaves n independent ones: the product rule. *)
Lemma a_pick_leaves_a_sample {A : Type} (s : expectation A) n (f : A -> R) (F : list A -> R) :
  bounded f -> bounded_at n F ->
  sample s (S n) (fun l => sum (picks l) (fun p => f (fst p) * F (snd p))) = INR (S n) * (s f * sample s n (fun l => F
    l)).
Proof.
  intros Hf. revert F. induction n as [|n IH]; intros F HF;
    rewrite (sample_from_first s _ (fun l => sum (picks l) (fun p => f (fst p) * F (snd p)))).
  - simpl INR. rewrite Rmult_1_l, Rmult_comm, <- expect_scal by exact Hf. apply expect_ext. intros x.
    change (f x * F [] + 0 = F [] * f x). ring.
  - rewrite (expect_ext _ _ (fun x => sample s (S n) (fun l => F l) * f x
      + INR (S n) * s f * sample s n (fun l => F (x :: l)))).
    2: { intros x. assert (HFx := bounded_at_next n F x HF).
         rewrite Rmult_assoc, <- (IH (fun l => F (x :: l)) HFx), Rmult_comm, <- expect_scal
           by now apply bounded_on_tuples.
         rewrite <- (expect_plus (sample s (S n)) (fun l => f x * F l)
           (fun l => sum (picks l) (fun p => f (fst p) * F (x :: snd p)))).
         - apply expect_ext. intros l. change (f x * F l + sum (map (fun p => (fst p, x :: snd p)) (picks l))
             (fun p => f (fst p) * F (snd p)) = f x * F l + sum (picks l) (fun p => f (fst p) * F (x :: snd p))).
           now rewrite sum_map.
         - assert (B := bounded_on_tuples _ _ HF). bounded.
         - apply (bounded_on_tuples (S n) (fun l => sum (picks l) (fun p => f (fst p) * F (x :: snd p)))).
           now apply (bounded_sum_over_picks n f (fun l => F (x :: l))). }
    assert (B := bounded_sample_from_first s n F HF).
    rewrite expect_plus, !expect_scal, (S_INR (S n)) by bounded.
    change (s (fun x => sample s n (fun l => F (x :: l)))) with (sample s (S n) (fun l => F l)).
    change (s (fun w => f w)) with (s f). ring.
Qed.

(** ** The empirical variance of a list *)

Section Values.
Context {A : Type} (v : A -> R).

Definition half_square (x y : A) : R := (v x - v y) * (v x - v y) / 2.

(** The unbiased empirical variance (l.1203), for a list of at least two. *)
Definition list_variance (l : list A) : R :=
  (INR (length l) * sum l (fun x => v x * v x) - sum l v * sum l v) / (INR (length l) * (INR (length l) - 1)).

(** It is the mean of the variances that one element fewer gives. *)
Lemma variance_without_one l : (3 <= length l)%nat ->
  sum (picks l) (fun p => list_variance (snd p)) = INR (length l) * list_variance l.
Proof.
  intros H. assert (Hn : 3 <= INR (length l)) by (apply le_INR in H; simpl in H; lra).
  set (n := INR (length l)) in *. set (s1 := sum l v). set (s2 := sum l (fun x => v x * v x)).
  rewrite (sum_ext _ _ (fun p => (fun y => / ((n - 1) * (n - 2)) *
    ((n - 1) * s2 - s1 * s1 + (2 * s1 * v y + (- n) * (v y * v y)))) (fst p))).
  - rewrite (sum_over_picks l (fun y => / ((n - 1) * (n - 2)) *
      ((n - 1) * s2 - s1 * s1 + (2 * s1 * v y + (- n) * (v y * v y))))), sum_scal, sum_plus, sum_plus, sum_const.
    rewrite !sum_scal. fold s1 s2. fold n. unfold list_variance. fold s1 s2. fold n. field. lra.
  - intros p Hp. unfold list_variance.
    rewrite (sum_of_the_rest l p v Hp), (sum_of_the_rest l p (fun x => v x * v x) Hp). fold s1 s2.
    assert (L := length_of_the_rest l p Hp). replace (INR (length (snd p))) with (n - 1).
    + field. lra.
    + unfold n. rewrite <- L, S_INR. ring.
Qed.

(** Half the squared distances of the first element from the others. *)
Lemma variance_from_the_first x l : (1 <= length l)%nat ->
  INR (length l) * (INR (length l) + 1) * list_variance (x :: l)
  = INR (length l) * (INR (length l) - 1) * list_variance l + 2 * sum l (fun y => half_square x y).
Proof.
  intros H. assert (Hn : 1 <= INR (length l)) by (apply le_INR in H; exact H).
  unfold list_variance. simpl length. rewrite S_INR.
  change (sum (x :: l) (fun x => v x * v x)) with (v x * v x + sum l (fun x => v x * v x)).
  change (sum (x :: l) v) with (v x + sum l v).
  rewrite (sum_ext l (fun y => half_square x y) (fun y => v x * v x / 2 + ((- v x) * v y + / 2 * (v y * v y))))
    by (intros; unfold half_square; field).
  rewrite sum_plus, sum_plus, sum_const, !sum_scal. change (sum l (fun y => v y)) with (sum l v).
  destruct (Req_dec (INR (length l)) 1) as [E|E].
  - assert (Hl : length l = 1%nat) by (apply INR_eq; exact E). destruct l as [|y [|z l]]; try discriminate.
    unfold sum. simpl. replace (1 - 1) with 0 by ring. rewrite Rmult_0_r, Rmult_0_l. field.
  - field. lra.
Qed.

(** ** Jensen's inequality *)

Lemma jensen {B : Type} (l : list B) u c : sum l u = INR (length l) * c ->
  INR (length l) * exp c <= sum l (fun x => exp (u x)).
Proof.
  intros H. apply Rle_trans with (sum l (fun x => exp c * (1 - c) + exp c * u x)).
  - rewrite sum_plus, sum_const, sum_scal. change (sum l (fun x => u x)) with (sum l u). rewrite H.
    apply Req_le. ring.
  - apply sum_le. intros x _. replace (u x) with (c + (u x - c)) at 2 by ring. rewrite exp_plus.
    replace (exp c * (1 - c) + exp c * u x) with (exp c * (1 + (u x - c))) by ring.
    apply Rmult_le_compat_l; [left; apply exp_pos | apply exp_ineq1_le].
Qed.

(** Splitting off the pairs of the first element: for a list of m + 1 pairs. *)
Lemma jensen_over_partners x l m c : length l = S (2 * m) ->
  INR (length l) * exp (c * (INR (S m) * list_variance (x :: l)))
  <= sum (picks l) (fun p => exp (c * half_square x (fst p)) * exp (c * (INR m * list_variance (snd p)))).
Proof.
  intros Hlen. rewrite <- (length_picks l).
  eapply Rle_trans; [|apply Req_le, sum_ext; intros p _; apply exp_plus].
  apply jensen. rewrite sum_plus, !sum_scal, (sum_over_picks l (fun y => half_square x y)), length_picks.
  assert (N : INR (length l) = 2 * INR m + 1) by (rewrite Hlen, S_INR, mult_INR; simpl; ring).
  assert (V := variance_from_the_first x l ltac:(lia)). assert (P := pos_INR m).
  assert (R : INR m * sum (picks l) (fun p => list_variance (snd p)) = INR m * (INR (length l) * list_variance l)).
  { destruct m as [|m]; [simpl; ring|]. rewrite variance_without_one by lia. reflexivity. }
  rewrite R, S_INR. rewrite N in *.
  replace ((2 * INR m + 1) * (c * ((INR m + 1) * list_variance (x :: l))))
    with (c * ((2 * INR m + 1) * (2 * INR m + 1 + 1) * list_variance (x :: l)) / 2) by field.
  rewrite V. field.
Qed.

(** The values of [v] lie within [0, 1], as those of rewards do. *)
Hypothesis values : forall x, 0 <= v x <= 1.
Variable s : expectation A.

Lemma half_square_is_at_most_a_half x y : 0 <= half_square x y <= 1 / 2.
Proof.
  unfold half_square. generalize (Rle_0_sqr (v x - v y)). unfold Rsqr. intros P. split; [lra|].
  assert (B : Rsqr (v x - v y) <= Rsqr 1).
  { generalize (values x) (values y). intros. apply neg_pos_Rsqr_le; lra. }
  unfold Rsqr in B. lra.
Qed.

Lemma bounded_half_square_moment c : bounded (fun p : A * A => exp (c * half_square (fst p) (snd p))).
Proof.
  assert (B : bounded (fun p : A * A => half_square (fst p) (snd p)))
    by (apply (bounded_between 0 (1 / 2)); intros; apply half_square_is_at_most_a_half).
  bounded.
Qed.

Lemma bounded_partner_moment c x : bounded (fun y => exp (c * half_square x y)).
Proof. destruct (bounded_half_square_moment c) as [d Hd]. exists d. intros y. exact (Hd (x, y)). Qed.

(** E e^{c h} for two independent draws. *)
Definition pair_moment (c : R) : R := s (fun x => s (fun y => exp (c * half_square x y))).

Lemma bounded_pair_moment c : bounded (fun x => s (fun y => exp (c * half_square x y))).
Proof. exact (bounded_expect (fun _ => s) _ (bounded_half_square_moment c)). Qed.

Lemma pair_moment_nonneg c : 0 <= pair_moment c.
Proof.
  apply expect_nonneg; [apply bounded_pair_moment|]. intros x. apply expect_nonneg; [apply bounded_partner_moment|].
  intros y. left. apply exp_pos.
Qed.

Lemma bounded_variance_moment n c : bounded_at n (fun l => exp (c * list_variance l)).
Proof.
  assert (B : bounded_at n list_variance).
  { set (d := / (INR n * (INR n - 1))). exists ((INR n * INR n + INR n * INR n) * Rabs d). intros l <-.
    unfold list_variance, Rdiv. rewrite Rabs_mult. fold d. apply Rmult_le_compat_r; [apply Rabs_pos|].
    assert (S1 : 0 <= sum l v <= INR (length l)).
    { split; [apply sum_nonneg; intros; apply values|]. rewrite <- (Rmult_1_r (INR _)), <- sum_const. apply sum_le.
      intros; apply values. }
    assert (S2 : 0 <= sum l (fun x => v x * v x) <= INR (length l)).
    { split; [apply sum_nonneg; intros; apply Rle_0_sqr|]. rewrite <- (Rmult_1_r (INR _)), <- sum_const. apply sum_le.
      intros x _. rewrite <- (Rmult_1_r 1). apply Rmult_le_compat; apply values. }
    assert (P1 : 0 <= INR (length l) * sum l (fun x => v x * v x) <= INR (length l) * INR (length l))
      by (split; [apply Rmult_le_pos | apply Rmult_le_compat_l]; lra).
    assert (P2 : 0 <= sum l v * sum l v <= INR (length l) * INR (length l))
      by (split; [apply Rmult_le_pos | apply Rmult_le_compat]; lra).
    apply Rabs_le. lra. }
  destruct B as [d Hd]. exists (exp (Rabs c * d)). intros l Hl. rewrite Rabs_pos_eq by (left; apply exp_pos).
  apply exp_is_monotone. eapply Rle_trans; [apply Rle_abs|]. rewrite Rabs_mult.
  apply Rmult_le_compat_l; [apply Rabs_pos | now apply Hd].
Qed.

Lemma bounded_moment n m c : bounded_at n (fun l => exp (c * (INR m * list_variance l))).
Proof.
  destruct (bounded_variance_moment n (c * INR m)) as [d Hd]. exists d. intros l Hl.
  rewrite <- Rmult_assoc. now apply Hd.
Qed.

Lemma moment_of_an_even_sample m c :
  sample s (2 * m) (fun l => exp (c * (INR m * list_variance l))) <= pair_moment c ^ m.
Proof.
  induction m as [|m IH].
  - change (exp (c * (0 * list_variance [])) <= 1). rewrite Rmult_0_l, Rmult_0_r, exp_0. lra.
  - replace (2 * S m)%nat with (S (S (2 * m))) by lia.
    rewrite (sample_from_first s (S (2 * m)) (fun l => exp (c * (INR (S m) * list_variance l)))).
    assert (HN : 0 < INR (S (2 * m))) by (apply lt_0_INR; lia). set (N := INR (S (2 * m))) in *.
    apply Rle_trans with (s (fun x => sample s (2 * m) (fun l => exp (c * (INR m * list_variance l)))
      * s (fun y => exp (c * half_square x y)))).
    + apply expect_le.
      * apply (bounded_sample_from_first s (S (2 * m)) (fun l => exp (c * (INR (S m) * list_variance l)))).
        apply bounded_moment.
      * assert (B := bounded_pair_moment c). bounded.
      * intros x. assert (Bx := bounded_partner_moment c x). apply (Rmult_le_reg_l N _ _ HN).
        replace (N * (sample s (2 * m) (fun l => exp (c * (INR m * list_variance l)))
            * s (fun y => exp (c * half_square x y))))
          with (N * (s (fun y => exp (c * half_square x y))
            * sample s (2 * m) (fun l => exp (c * (INR m * list_variance l))))) by ring.
        unfold N. rewrite <- (a_pick_leaves_a_sample s (2 * m) (fun y => exp (c * half_square x y))
          (fun l => exp (c * (INR m * list_variance l))) Bx (bounded_moment _ _ _)).
        assert (B1 : bounded (fun l : tuple A (S (2 * m)) => exp (c * (INR (S m) * list_variance (x :: l))))).
        { apply (bounded_on_tuples _ (fun l => exp (c * (INR (S m) * list_variance (x :: l))))).
          apply (bounded_at_next _ (fun l => exp (c * (INR (S m) * list_variance l)))), bounded_moment. }
        rewrite <- expect_scal by exact B1. apply expect_le.
        -- bounded.
        -- apply (bounded_on_tuples _ (fun l => sum (picks l) (fun p => exp (c * half_square x (fst p))
             * exp (c * (INR m * list_variance (snd p)))))).
           apply (bounded_sum_over_picks _ (fun y => exp (c * half_square x y)) (fun l => exp (c * (INR m *
             list_variance l)))); [exact Bx|].
           apply bounded_moment.
        -- intros [l Hl]. assert (J := jensen_over_partners x l m c Hl). rewrite Hl in J. exact J.
    + rewrite expect_scal by apply bounded_pair_moment. fold (pair_moment c).
      simpl pow. rewrite Rmult_comm. apply Rmult_le_compat_l; [apply pair_moment_nonneg | exact IH].
Qed.

(** says: E exp(c m V-hat) <= (E exp(c h))^m for m = floor(n/2), h half a squared difference, every real c and n
      independent draws from one law on [0,1]
    paper: cited at l.1265; pairs and Jensen in the place of the entropy method
    differs: not a statement of the paper
    breaks: "pair_moment c ^ m" to "pair_moment c ^ n" *)
Theorem the_moments_of_the_empirical_variance_are_those_of_independent_pairs n m c :
  (1 <= m)%nat -> n = (2 * m)%nat \/ n = S (2 * m) ->
  sample s n (fun l => exp (c * (INR m * list_variance l))) <= pair_moment c ^ m.
Proof.
  intros Hm [-> | ->]; [apply moment_of_an_even_sample|].
  assert (Hn : 0 < INR (S (2 * m))) by (apply lt_0_INR; lia).
  assert (B := bounded_on_tuples _ _ (bounded_moment (S (2 * m)) m c)).
  apply (Rmult_le_reg_l _ _ _ Hn). rewrite <- expect_scal by exact B. eapply Rle_trans.
  { apply (expect_le (sample s (S (2 * m))) _ (fun l => sum (picks l) (fun p =>
      1 * exp (c * (INR m * list_variance (snd p)))))).
    - bounded.
    - apply (bounded_on_tuples _ (fun l => sum (picks l) (fun p => 1 * exp (c * (INR m * list_variance (snd p)))))).
      apply (bounded_sum_over_picks _ (fun _ => 1) (fun l => exp (c * (INR m * list_variance l)))); [bounded|].
      apply bounded_moment.
    - intros [l Hl]. simpl entries. rewrite <- Hl, <- (length_picks l), sum_scal, Rmult_1_l.
      apply jensen. rewrite !sum_scal, variance_without_one, length_picks by lia. ring. }
  rewrite (a_pick_leaves_a_sample s (2 * m) (fun _ => 1) (fun l => exp (c * (INR m * list_variance l))))
    by (try apply bounded_moment; bounded).
  rewrite expect_one, Rmult_1_l. apply Rmult_le_compat_l; [lra | apply moment_of_an_even_sample].
Qed.
End Values.

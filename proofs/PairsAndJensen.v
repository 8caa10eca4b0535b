(** The empirical variance as an average over pairs, and Jensen's inequality for its moment generating function.

    V is the mean of h = (X - X')^2/2 over all pairs of the sample. Splitting off a pair in every possible way and
    averaging, Jensen's inequality bounds E e^{c m V} by (E e^{c h})^m with m = floor(n/2): as if V were the mean of m
    independent h. For independent draws from one law of finite support; no entropy method. *)

From Coq Require Import Reals Lra Lia List Arith.
From Bufalu Require Import Sums Expectation Hoeffding FiniteSpace.
Import ListNotations.
Open Scope R_scope.

(** [n] independent draws from the law [s]. *)
Definition sample {A : Type} (s : space A) (n : nat) : expectation (list A) :=
  finite_expectation (independent_draws (repeat s n)).

Lemma sample_of_none {A : Type} (s : space A) F : sample s 0 F = F [].
Proof. change (1 * F [] + 0 = F []). ring. Qed.

Lemma sample_from_first {A : Type} (s : space A) n F :
  sample s (S n) F = finite_expectation s (fun x => sample s n (fun l => F (x :: l))).
Proof. exact (weighted_sum_draw_then (outcomes s) (draws (repeat s n)) F). Qed.

(** Two finite sums may be exchanged: here finite support is used. *)
Lemma expectations_commute {A B : Type} (s : space A) (r : space B) (F : A -> B -> R) :
  finite_expectation s (fun x => finite_expectation r (F x))
  = finite_expectation r (fun y => finite_expectation s (fun x => F x y)).
Proof.
  change (sum (outcomes s) (fun x => snd x * sum (outcomes r) (fun y => snd y * F (fst x) (fst y)))
    = sum (outcomes r) (fun y => snd y * sum (outcomes s) (fun x => snd x * F (fst x) (fst y)))).
  rewrite (sum_ext (outcomes s) _ (fun x => sum (outcomes r) (fun y => snd x * (snd y * F (fst x) (fst y)))))
    by (intros; now rewrite sum_scal).
  rewrite sum_swap. apply sum_ext. intros y _. rewrite <- sum_scal. apply sum_ext. intros; ring.
Qed.

Lemma drawn_lists_have_their_length {A : Type} (spaces : list (space A)) x :
  In x (draws spaces) -> length (fst x) = length spaces.
Proof.
  revert x. induction spaces as [|s rest IH]; intros x.
  - intros [<-|[]]. reflexivity.
  - simpl. unfold draw_then. rewrite in_flat_map. intros [y [_ Hx]]. apply in_map_iff in Hx.
    destruct Hx as [z [<- Hz]]. simpl. f_equal. now apply IH.
Qed.

Lemma sample_le {A : Type} (s : space A) n F G :
  (forall l, length l = n -> F l <= G l) -> sample s n F <= sample s n G.
Proof.
  intros H. change (weighted_sum (draws (repeat s n)) F <= weighted_sum (draws (repeat s n)) G).
  apply sum_le. intros x Hx. apply Rmult_le_compat_l; [now apply (draws_are_nonneg (repeat s n))|].
  apply H. rewrite (drawn_lists_have_their_length (repeat s n) x Hx). apply repeat_length.
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

(** A draw taken out of n + 1 independent ones leaves n independent ones. *)
Lemma a_pick_leaves_a_sample {A : Type} (s : space A) n (F : A -> list A -> R) :
  sample s (S n) (fun l => sum (picks l) (fun p => F (fst p) (snd p)))
  = INR (S n) * finite_expectation s (fun x => sample s n (F x)).
Proof.
  revert F. induction n as [|n IH]; intros F; rewrite sample_from_first.
  - simpl INR. rewrite Rmult_1_l. apply expect_ext. intros x. rewrite !sample_of_none. unfold sum. simpl. ring.
  - rewrite (expect_ext _ _ (fun x => sample s (S n) (F x) +
      INR (S n) * finite_expectation s (fun y => sample s n (fun l => F y (x :: l))))).
    2: { intros x. rewrite <- (IH (fun y l => F y (x :: l))), <- expect_plus. apply expect_ext. intros l.
         simpl picks. change (F x l + sum (map (fun p => (fst p, x :: snd p)) (picks l)) (fun p => F (fst p) (snd p))
           = F x l + sum (picks l) (fun p => F (fst p) (x :: snd p))).
         now rewrite sum_map. }
    rewrite expect_plus, expect_scal, expectations_commute, (S_INR (S n)).
    rewrite (expect_ext _ (fun y => finite_expectation s (fun x => sample s n (fun l => F y (x :: l))))
      (fun y => sample s (S n) (F y))) by (intros y; now rewrite sample_from_first).
    ring.
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

(** A pair taken out of a list, in every way, with what is left. *)
Definition pairs (l : list A) : list (A * A * list A) :=
  flat_map (fun p => map (fun q => (fst p, fst q, snd q)) (picks (snd p))) (picks l).

Lemma sum_over_pairs l (f : A * A * list A -> R) :
  sum (pairs l) f = sum (picks l) (fun p => sum (picks (snd p)) (fun q => f (fst p, fst q, snd q))).
Proof. unfold pairs. rewrite sum_flat_map. apply sum_ext. intros p _. now rewrite sum_map. Qed.

Lemma number_of_pairs l : (1 <= length l)%nat -> INR (length (pairs l)) = INR (length l) * (INR (length l) - 1).
Proof.
  intros H. rewrite <- (Rmult_1_r (INR (length (pairs l)))), <- (sum_const (pairs l) 1), sum_over_pairs.
  rewrite (sum_ext _ _ (fun p => (fun _ => INR (length l) - 1) (fst p))).
  - rewrite (sum_over_picks l (fun _ => INR (length l) - 1)), sum_const. ring.
  - intros p Hp. rewrite sum_const, length_picks, <- (length_of_the_rest l p Hp), S_INR. ring.
Qed.

(** Half the squared differences over all pairs sum to n (n - 1) V. *)
Lemma variance_from_pairs l : (2 <= length l)%nat ->
  sum (pairs l) (fun t => half_square (fst (fst t)) (snd (fst t)))
  = INR (length l) * (INR (length l) - 1) * list_variance l.
Proof.
  intros H. assert (Hn : 2 <= INR (length l)) by (apply le_INR in H; simpl in H; lra).
  set (n := INR (length l)) in *. set (s1 := sum l v). set (s2 := sum l (fun x => v x * v x)).
  rewrite sum_over_pairs. simpl fst. simpl snd.
  rewrite (sum_ext _ _ (fun p => (fun x => s2 / 2 + ((- s1) * v x + n / 2 * (v x * v x))) (fst p))).
  - rewrite (sum_over_picks l (fun x => s2 / 2 + ((- s1) * v x + n / 2 * (v x * v x)))), sum_plus, sum_plus,
      sum_const, !sum_scal. change (sum l (fun x => v x)) with s1. fold s1 s2. fold n. unfold list_variance.
    fold s1 s2. fold n. field. lra.
  - intros p Hp. rewrite (sum_over_picks (snd p) (fun y => half_square (fst p) y)). unfold half_square.
    rewrite (sum_ext _ _ (fun y => v (fst p) * v (fst p) / 2 + ((- v (fst p)) * v y + / 2 * (v y * v y))))
      by (intros; field).
    rewrite sum_plus, sum_plus, sum_const, !sum_scal. change (sum (snd p) (fun y => v y)) with (sum (snd p) v).
    rewrite (sum_of_the_rest l p v Hp), (sum_of_the_rest l p (fun x => v x * v x) Hp). fold s1 s2.
    assert (L := length_of_the_rest l p Hp). replace (INR (length (snd p))) with (n - 1).
    + field.
    + unfold n. rewrite <- L, S_INR. ring.
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

(** Splitting off one pair: for a list of m + 1 pairs. *)
Lemma jensen_over_pairs l m c : length l = (2 * S m)%nat ->
  INR (length l) * (INR (length l) - 1) * exp (c * (INR (S m) * list_variance l))
  <= sum (pairs l) (fun t => exp (c * half_square (fst (fst t)) (snd (fst t))) *
       exp (c * (INR m * list_variance (snd t)))).
Proof.
  intros Hlen. assert (H2 : (2 <= length l)%nat) by lia. rewrite <- number_of_pairs by lia.
  eapply Rle_trans; [|apply Req_le, sum_ext; intros t _; apply exp_plus].
  apply jensen. rewrite number_of_pairs by lia. rewrite sum_plus, !sum_scal, (variance_from_pairs l H2).
  assert (R : INR m * sum (pairs l) (fun t => list_variance (snd t))
    = INR m * (INR (length l) * (INR (length l) - 1) * list_variance l)).
  { destruct m as [|m]; [simpl; ring|]. f_equal. rewrite sum_over_pairs. simpl snd.
    rewrite (sum_ext _ _ (fun p => (INR (length l) - 1) * list_variance (snd p))).
    - rewrite sum_scal, variance_without_one by lia. ring.
    - intros p Hp. assert (L := length_of_the_rest l p Hp). rewrite variance_without_one by lia.
      rewrite <- L, S_INR. f_equal. ring. }
  rewrite R, S_INR. ring.
Qed.

Variable s : space A.

(** E e^{c h} for two independent draws. *)
Definition pair_moment (c : R) : R :=
  finite_expectation s (fun x => finite_expectation s (fun y => exp (c * half_square x y))).

Lemma pair_moment_nonneg c : 0 <= pair_moment c.
Proof. apply expect_nonneg. intros x. apply expect_nonneg. intros y. left. apply exp_pos. Qed.

Lemma moment_of_an_even_sample m c :
  sample s (2 * m) (fun l => exp (c * (INR m * list_variance l))) <= pair_moment c ^ m.
Proof.
  induction m as [|m IH].
  - simpl Nat.mul. rewrite sample_of_none. simpl INR. rewrite Rmult_0_l, Rmult_0_r, exp_0. simpl. lra.
  - set (n := (2 * S m)%nat). assert (Hn : 2 <= INR n) by (change 2 with (INR 2); apply le_INR; unfold n; lia).
    assert (Hp : 0 < INR n * (INR n - 1)) by (apply Rmult_lt_0_compat; lra).
    apply (Rmult_le_reg_l (INR n * (INR n - 1)) _ _ Hp). rewrite <- expect_scal.
    eapply Rle_trans.
    { apply sample_le. intros l Hl. rewrite <- Hl. apply (jensen_over_pairs l m c). exact Hl. }
    rewrite (expect_ext _ _ (fun l => sum (picks l) (fun p => (fun x r => sum (picks r) (fun q =>
      exp (c * half_square x (fst q)) * exp (c * (INR m * list_variance (snd q))))) (fst p) (snd p))))
      by (intros l; now rewrite sum_over_pairs).
    replace n with (S (S (2 * m))) by (unfold n; lia).
    rewrite (a_pick_leaves_a_sample s (S (2 * m)) (fun x r => sum (picks r) (fun q =>
      exp (c * half_square x (fst q)) * exp (c * (INR m * list_variance (snd q)))))).
    rewrite (expect_ext _ _ (fun x => INR (S (2 * m)) * (sample s (2 * m)
      (fun l => exp (c * (INR m * list_variance l))) * finite_expectation s (fun y => exp (c * half_square x y))))).
    2: { intros x. rewrite (a_pick_leaves_a_sample s (2 * m) (fun y r =>
           exp (c * half_square x y) * exp (c * (INR m * list_variance r)))).
         f_equal. rewrite <- expect_scal. apply expect_ext. intros y. rewrite expect_scal. ring. }
    rewrite !expect_scal. fold (pair_moment c). rewrite (S_INR (S (2 * m))).
    replace (INR (S (2 * m)) + 1 - 1) with (INR (S (2 * m))) by ring. rewrite <- Rmult_assoc.
    assert (P := pair_moment_nonneg c). apply Rmult_le_compat_l; [apply Rmult_le_pos; generalize
      (pos_INR (S (2 * m))); lra|].
    simpl pow. rewrite Rmult_comm. now apply Rmult_le_compat_l.
Qed.

(** says: E exp(c m V-hat) <= (E exp(c h))^m for m = floor(n/2), h half a squared difference, every real c and n
      independent draws from one law of finite support on [0,1]
    paper: cited at l.1265; pairs and Jensen in the place of the entropy method
    differs: not a statement of the paper
    breaks: "pair_moment c ^ m" to "pair_moment c ^ n" *)
Theorem the_moments_of_the_empirical_variance_are_those_of_independent_pairs n m c :
  (1 <= m)%nat -> n = (2 * m)%nat \/ n = S (2 * m) ->
  sample s n (fun l => exp (c * (INR m * list_variance l))) <= pair_moment c ^ m.
Proof.
  intros Hm [-> | ->]; [apply moment_of_an_even_sample|].
  assert (Hn : 0 < INR (S (2 * m))) by (apply lt_0_INR; lia).
  apply (Rmult_le_reg_l _ _ _ Hn). rewrite <- expect_scal. eapply Rle_trans.
  { apply (sample_le s (S (2 * m)) _ (fun l => sum (picks l) (fun p =>
      (fun _ r => exp (c * (INR m * list_variance r))) (fst p) (snd p)))). intros l Hl.
    rewrite <- Hl, <- (length_picks l). apply jensen.
    rewrite !sum_scal, variance_without_one, length_picks by lia. ring. }
  rewrite (a_pick_leaves_a_sample s (2 * m) (fun _ r => exp (c * (INR m * list_variance r)))).
  rewrite expect_const. apply Rmult_le_compat_l; [lra | apply moment_of_an_even_sample].
Qed.
End Values.

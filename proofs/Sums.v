(** Finite sums over lists, counts, and maxima over rounds: the arithmetic that every later file uses. *)

From Coq Require Import Reals Lra Lia Arith List Bool ZArith.
Import ListNotations.
Open Scope R_scope.

(** [sum l f] is f(x_1) + ... + f(x_n) over the entries of [l]. *)
Definition sum {A : Type} (l : list A) (f : A -> R) : R := fold_right (fun x rest => f x + rest) 0 l.

Lemma exp_is_monotone x y : x <= y -> exp x <= exp y.
Proof. intros [H| ->]; [left; now apply exp_increasing | apply Rle_refl]. Qed.

Lemma ln_is_monotone x y : 0 < x -> x <= y -> ln x <= ln y.
Proof. intros Hx [H|<-]; [left; now apply ln_increasing | right; reflexivity]. Qed.

(** The indicator of a decided fact. *)
Definition indicator (b : bool) : R := if b then 1 else 0.

(** The rounds 1..T, and the arms 1..K. *)
Definition rounds (T : nat) : list nat := seq 1 T.
Definition arms (K : nat) : list nat := seq 1 K.
Definition is_arm (K a : nat) : Prop := (1 <= a <= K)%nat.

(** max over t in 1..T of f(t) and 0. Every quantity we take the maximum of is nonnegative. *)
Fixpoint maximum (f : nat -> R) (T : nat) : R :=
  match T with
  | O => 0
  | S n => Rmax (maximum f n) (f (S n))
  end.

Lemma in_arms K a : In a (arms K) <-> is_arm K a.
Proof. unfold arms, is_arm. rewrite in_seq. lia. Qed.

Lemma in_rounds T t : In t (rounds T) <-> (1 <= t <= T)%nat.
Proof. unfold rounds. rewrite in_seq. lia. Qed.

Lemma rounds_S T : rounds (S T) = rounds T ++ [S T].
Proof. unfold rounds. rewrite seq_S. reflexivity. Qed.

Lemma length_rounds T : length (rounds T) = T.
Proof. apply seq_length. Qed.

Section Sums.
Context {A : Type}.
Implicit Types (l : list A) (f g : A -> R).

Lemma sum_app l l' f : sum (l ++ l') f = sum l f + sum l' f.
Proof. induction l as [|x l IH]; simpl; [lra|]. unfold sum in *. simpl. rewrite IH. lra. Qed.

Lemma sum_ext l f g : (forall x, In x l -> f x = g x) -> sum l f = sum l g.
Proof.
  induction l as [|x l IH]; intros H; [reflexivity|].
  change (f x + sum l f = g x + sum l g). rewrite (H x) by now left. f_equal. apply IH. intros; apply H; now right.
Qed.

Lemma sum_le l f g : (forall x, In x l -> f x <= g x) -> sum l f <= sum l g.
Proof.
  induction l as [|x l IH]; intros H; [simpl; lra|].
  change (f x + sum l f <= g x + sum l g).
  apply Rplus_le_compat; [apply H; now left | apply IH; intros; apply H; now right].
Qed.

Lemma sum_lt l f g : l <> [] -> (forall x, In x l -> f x < g x) -> sum l f < sum l g.
Proof.
  destruct l as [|x l]; [congruence|]. intros _ H. change (f x + sum l f < g x + sum l g).
  apply Rplus_lt_le_compat; [apply H; now left|]. apply sum_le. intros y Hy. left. apply H. now right.
Qed.

Lemma sum_plus l f g : sum l (fun x => f x + g x) = sum l f + sum l g.
Proof. induction l as [|x l IH]; simpl; [lra|]. unfold sum in *. simpl. rewrite IH. lra. Qed.

Lemma sum_scal l c f : sum l (fun x => c * f x) = c * sum l f.
Proof. induction l as [|x l IH]; simpl; [lra|]. unfold sum in *. simpl. rewrite IH. lra. Qed.

Lemma sum_const l c : sum l (fun _ => c) = INR (length l) * c.
Proof.
  induction l as [|x l IH]; [simpl; lra|].
  change (c + sum l (fun _ => c) = INR (S (length l)) * c). rewrite IH, S_INR. lra.
Qed.

Lemma sum_zero l f : (forall x, In x l -> f x = 0) -> sum l f = 0.
Proof. intros H. rewrite (sum_ext l f (fun _ => 0) H), sum_const. lra. Qed.

Lemma sum_nonneg l f : (forall x, In x l -> 0 <= f x) -> 0 <= sum l f.
Proof. intros H. rewrite <- (sum_zero l (fun _ => 0)) by reflexivity. apply sum_le, H. Qed.

(** A term of a sum of nonnegative terms is at most the sum. *)
Lemma term_le_sum l f x : In x l -> (forall y, In y l -> 0 <= f y) -> f x <= sum l f.
Proof.
  induction l as [|y l IH]; [intros []|]. intros [->|H] P.
  - change (f x <= f x + sum l f). assert (0 <= sum l f) by (apply sum_nonneg; intros; apply P; now right). lra.
  - change (f x <= f y + sum l f). assert (0 <= f y) by (apply P; now left).
    assert (f x <= sum l f) by (apply IH; [assumption | intros; apply P; now right]). lra.
Qed.
End Sums.

Lemma sum_swap {A B : Type} (l : list A) (m : list B) (f : A -> B -> R) :
  sum l (fun x => sum m (fun y => f x y)) = sum m (fun y => sum l (fun x => f x y)).
Proof.
  induction l as [|x l IH].
  - simpl. symmetry. apply sum_zero. reflexivity.
  - change (sum m (fun y => f x y) + sum l (fun x => sum m (fun y => f x y))
      = sum m (fun y => f x y + sum l (fun x => f x y))).
    rewrite IH, sum_plus. reflexivity.
Qed.

Lemma sum_map {A B : Type} (l : list A) (h : A -> B) f : sum (map h l) f = sum l (fun x => f (h x)).
Proof. induction l as [|x l IH]; [reflexivity|]. unfold sum in *. simpl. now rewrite IH. Qed.

Lemma sum_rounds_S f T : sum (rounds (S T)) f = sum (rounds T) f + f (S T).
Proof. rewrite rounds_S, sum_app. unfold sum at 2. simpl. lra. Qed.

(** A sum of indicators over the arms picks out the one arm. *)
Lemma sum_over_arms_picks K a (c : nat -> R) :
  is_arm K a -> sum (arms K) (fun b => c b * indicator (Nat.eqb a b)) = c a.
Proof.
  unfold arms, is_arm. intros H.
  assert (G : forall n s, (s <= a < s + n)%nat -> sum (seq s n) (fun b => c b * indicator (Nat.eqb a b)) = c a).
  { induction n as [|n IH]; intros s Hs; [lia|].
    change (c s * indicator (Nat.eqb a s) + sum (seq (S s) n) (fun b => c b * indicator (Nat.eqb a b)) = c a).
    destruct (Nat.eqb_spec a s) as [->|Hne].
    - rewrite sum_zero; [unfold indicator; lra|]. intros b Hb. apply in_seq in Hb.
      replace (Nat.eqb s b) with false by (symmetry; apply Nat.eqb_neq; lia). unfold indicator; lra.
    - rewrite IH by lia. unfold indicator; lra. }
  apply G. lia.
Qed.

(** The arms other than [a]. *)
Definition others (K a : nat) : list nat := filter (fun b => negb (Nat.eqb a b)) (arms K).

Lemma in_others K a b : In b (others K a) <-> is_arm K b /\ a <> b.
Proof.
  unfold others. rewrite filter_In, in_arms, Bool.negb_true_iff, Nat.eqb_neq. tauto.
Qed.

Lemma sum_filter {A : Type} (l : list A) (keep : A -> bool) f :
  sum (filter keep l) f = sum l (fun x => indicator (keep x) * f x).
Proof.
  induction l as [|x l IH]; [reflexivity|]. simpl filter.
  change (sum (x :: l) (fun x => indicator (keep x) * f x))
    with (indicator (keep x) * f x + sum l (fun x => indicator (keep x) * f x)).
  destruct (keep x); simpl indicator; rewrite <- IH; [|lra].
  change (f x + sum (filter keep l) f = 1 * f x + sum (filter keep l) f). lra.
Qed.

Lemma sum_split_off_arm K a f : is_arm K a -> sum (arms K) f = sum (others K a) f + f a.
Proof.
  intros H. unfold others. rewrite sum_filter, <- (sum_over_arms_picks K a f H), <- sum_plus.
  apply sum_ext. intros b _. destruct (Nat.eqb a b); simpl; lra.
Qed.

Lemma indicator_nonneg b : 0 <= indicator b.
Proof. destruct b; simpl; lra. Qed.

Lemma indicator_le_1 b : indicator b <= 1.
Proof. destruct b; simpl; lra. Qed.

Lemma maximum_nonneg f T : 0 <= maximum f T.
Proof. induction T; simpl; [lra|]. eapply Rle_trans; [exact IHT | apply Rmax_l]. Qed.

Lemma le_maximum f T t : (1 <= t <= T)%nat -> f t <= maximum f T.
Proof.
  induction T as [|T IH]; intros H; [lia|]. simpl. destruct (Nat.eq_dec t (S T)) as [->|Hne].
  - apply Rmax_r.
  - eapply Rle_trans; [apply IH; lia | apply Rmax_l].
Qed.

Lemma maximum_le f T b : 0 <= b -> (forall t, (1 <= t <= T)%nat -> f t <= b) -> maximum f T <= b.
Proof.
  intros Hb. induction T as [|T IH]; intros H; simpl; [assumption|].
  apply Rmax_lub; [apply IH; intros; apply H; lia | apply H; lia].
Qed.

Lemma maximum_mono f g T : (forall t, (1 <= t <= T)%nat -> f t <= g t) -> maximum f T <= maximum g T.
Proof.
  intros H. apply maximum_le; [apply maximum_nonneg|]. intros t Ht.
  eapply Rle_trans; [apply H, Ht | apply le_maximum, Ht].
Qed.

Lemma some_number_is_larger x : exists n, x < INR n.
Proof.
  destruct (archimed x) as [H _]. exists (Z.to_nat (up x)). rewrite INR_IZR_INZ.
  destruct (Z_le_gt_dec 0 (up x)) as [Hz|Hz]; [now rewrite Z2Nat.id|].
  eapply Rlt_le_trans; [exact H|]. apply IZR_le. lia.
Qed.

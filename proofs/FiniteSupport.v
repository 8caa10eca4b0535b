(** Which laws the lower bounds speak of: only those of finite support. A total expectation is linear and positive on
    *all* real functions of the sample space, and that leaves no room for others. *)

From Coq Require Import Reals Lra Lia Arith List Bool ZArith Classical_Prop.
From Bufalu Require Import Sums Expectation TotalExpectation.
Open Scope R_scope.

Section FiniteSupport.
Context {Omega : Type} (E : total_expectation Omega) (f : Omega -> nat).

(** The probability of f >= n. *)
Definition tail (n : nat) : R := probability E (fun w => n <=? f w).

Lemma tail_nonneg n : 0 <= tail n.
Proof. apply total_nonneg. intros. apply indicator_nonneg. Qed.

(** If no tail vanished, the sum of 1/P(f >= k) over 1 <= k <= f would have an expectation above every number. *)
Lemma some_tail_vanishes : exists n, tail n = 0.
Proof.
  apply NNPP. intros Hnone.
  assert (Hpos : forall k, 0 < tail k).
  { intros k. destruct (tail_nonneg k) as [H|H]; [exact H|]. exfalso. apply Hnone. now exists k. }
  set (g := fun w => sum (rounds (f w)) (fun k => / tail k)).
  assert (Hg : forall n, INR n <= E g).
  { intros n. rewrite <- (length_rounds n), <- (Rmult_1_r (INR _)), <- sum_const.
    apply Rle_trans with (E (fun w => sum (rounds n) (fun k => / tail k * indicator (k <=? f w)))).
    - rewrite (total_sum E (rounds n) (fun k w => / tail k * indicator (k <=? f w))). apply sum_le. intros k _.
      rewrite total_scal. change (1 <= / tail k * tail k). rewrite Rinv_l by (generalize (Hpos k); lra). lra.
    - apply total_le. intros w. unfold g. generalize (f w). intros m. clear - Hpos.
      assert (Hinv : forall k, 0 <= / tail k) by (intros k; left; apply Rinv_0_lt_compat, Hpos).
      induction n as [|n IH]; [apply sum_nonneg; intros; apply Hinv|]. rewrite sum_rounds_S.
      destruct (Nat.leb_spec (S n) m) as [Hle|Hlt]; simpl indicator; [|lra].
      clear IH. rewrite (sum_ext _ _ (fun k => / tail k)).
      2: { intros k Hk. apply in_rounds in Hk. replace (k <=? m) with true by (symmetry; apply Nat.leb_le; lia).
           simpl. lra. }
      rewrite Rmult_1_r, <- sum_rounds_S. clear - Hle Hinv. induction Hle as [|m Hle IH]; [lra|].
      rewrite (sum_rounds_S _ m). specialize (Hinv (S m)). lra. }
  destruct (some_number_is_larger (E g)) as [n Hn]. specialize (Hg n). lra.
Qed.
End FiniteSupport.

(** An event that implies one of two null events is null. *)
Lemma null_if_covered {Omega} (E : total_expectation Omega) (event one other : Omega -> bool) :
  (forall w, event w = true -> one w = true \/ other w = true) ->
  probability E one = 0 -> probability E other = 0 -> probability E event = 0.
Proof.
  intros H H1 H2. apply Rle_antisym; [|apply total_nonneg; intros; apply indicator_nonneg].
  apply Rle_trans with (probability E one + probability E other); [|lra].
  unfold probability. rewrite <- total_plus. apply total_le. intros w. specialize (H w).
  assert (I1 := indicator_nonneg (one w)). assert (I2 := indicator_nonneg (other w)).
  destruct (event w); [|simpl; lra]. destruct H as [H|H]; trivial; rewrite H in *; simpl in *; lra.
Qed.

Definition is_real (x y : R) : bool := if Req_EM_T x y then true else false.
Definition is_listed (l : list R) (x : R) : bool := existsb (is_real x) l.

Section Rewards.
Context {Omega : Type} (E : total_expectation Omega) (X : Omega -> R).

(** Around every point there is an interval in which X almost surely takes no other value. *)
Lemma every_point_is_isolated x : exists d, 0 < d /\
  probability E (fun w => negb (is_real (X w) x) && if Rlt_dec (Rabs (X w - x)) d then true else false) = 0.
Proof.
  set (index := fun w => Z.to_nat (up (/ Rabs (X w - x)))).
  destruct (some_tail_vanishes E index) as [n Hn]. exists (/ INR (S n)).
  assert (HN : 0 < INR (S n)) by (apply lt_0_INR; lia).
  split; [now apply Rinv_0_lt_compat|].
  apply (null_if_covered E _ (fun w => n <=? index w) (fun w => n <=? index w)); trivial.
  intros w Hw. left. apply andb_true_iff in Hw. destruct Hw as [Hne Hd]. unfold is_real in Hne.
  destruct (Req_EM_T (X w) x) as [|Hx]; [discriminate|].
  destruct (Rlt_dec _ _) as [Hlt|]; [|discriminate]. assert (Hpos : 0 < Rabs (X w - x)) by (apply Rabs_pos_lt; lra).
  apply Nat.leb_le. unfold index. assert (Hup : INR (S n) < / Rabs (X w - x)).
  { rewrite <- (Rinv_inv (INR (S n))). apply Rinv_lt_contravar; [|exact Hlt].
    apply Rmult_lt_0_compat; [exact Hpos | now apply Rinv_0_lt_compat]. }
  destruct (archimed (/ Rabs (X w - x))) as [Ha _]. rewrite INR_IZR_INZ in Hup.
  assert (Hz : (Z.of_nat (S n) < up (/ Rabs (X w - x)))%Z) by (apply lt_IZR; lra). lia.
Qed.

(** X almost surely takes one of finitely many values in (-inf, y]. *)
Definition finite_up_to (y : R) : Prop :=
  exists l, probability E (fun w => negb (is_listed l (X w)) && if Rle_dec (X w) y then true else false) = 0.

Lemma finite_up_to_extends x y d : finite_up_to y -> x - d < y ->
  probability E (fun w => negb (is_real (X w) x) && if Rlt_dec (Rabs (X w - x)) d then true else false) = 0 ->
  finite_up_to (x + d / 2).
Proof.
  intros [l Hl] Hy Hd. exists (x :: l). revert Hl Hd. apply null_if_covered. intros w Hw.
  apply andb_true_iff in Hw. destruct Hw as [Hne Hle]. unfold is_listed in *. simpl in Hne.
  rewrite negb_orb in Hne. apply andb_true_iff in Hne. destruct Hne as [Hx Hrest]. rewrite Hx, Hrest. simpl.
  destruct (Rle_dec (X w) (x + d / 2)); [|discriminate].
  destruct (Rle_dec (X w) y) as [|Hgt]; [now left|]. right.
  destruct (Rlt_dec (Rabs (X w - x)) d) as [|Hfar]; [reflexivity|]. exfalso. apply Hfar. apply Rabs_def1; lra.
Qed.
End Rewards.

(** says: under an expectation that is linear and positive on all real functions, every reward in [0,1] takes almost
      surely one of finitely many values: this is all that theorems about such expectations cover
    paper: not a statement of the paper
    breaks: "exists l, probability" to "exists l, (length l <= 1)%nat /\ probability" *)
Theorem only_finite_support {Omega} (E : total_expectation Omega) (X : Omega -> R) :
  (forall w, 0 <= X w <= 1) -> exists l, probability E (fun w => negb (is_listed l (X w))) = 0.
Proof.
  intros HX.
  assert (H0 : finite_up_to E X 0).
  { exists (0 :: nil). unfold probability. rewrite (total_ext E _ (fun _ => 0)); [apply total_const|].
    intros w. specialize (HX w). unfold is_listed, is_real. simpl.
    destruct (Req_EM_T (X w) 0), (Rle_dec (X w) 0); simpl; trivial; lra. }
  assert (H1 : finite_up_to E X 1 -> exists l, probability E (fun w => negb (is_listed l (X w))) = 0).
  { intros [l Hl]. exists l. rewrite <- Hl. apply total_ext. intros w. destruct (Rle_dec (X w) 1) as [|H];
      [now rewrite andb_true_r | specialize (HX w); lra]. }
  apply H1. clear H1. set (reached := fun y => y <= 1 /\ finite_up_to E X y).
  destruct (completeness reached) as [s [Hub Hleast]].
  - exists 1. intros y [Hy _]. exact Hy.
  - exists 0. split; [lra | exact H0].
  - destruct (every_point_is_isolated E X s) as [d [Hd Hnull]].
    assert (Hy : exists y, reached y /\ s - d < y).
    { apply NNPP. intros Hno. assert (Hb : is_upper_bound reached (s - d)); [|specialize (Hleast _ Hb); lra].
      intros y Hy. apply Rnot_lt_le. intros Hlt. apply Hno. now exists y. }
    destruct Hy as [y [[_ Hy] Hlt]].
    assert (Hext := finite_up_to_extends E X s y d Hy Hlt Hnull).
    destruct (Rle_dec (s + d / 2) 1) as [Hle|Hgt].
    + exfalso. assert (H : reached (s + d / 2)) by (split; assumption). specialize (Hub _ H). lra.
    + destruct Hext as [l Hl]. exists l. rewrite <- Hl. apply total_ext. intros w. specialize (HX w).
      destruct (Rle_dec (X w) (s + d / 2)), (Rle_dec (X w) 1); trivial; lra.
Qed.

(** Which laws the lower bounds speak of: only those of finite support. A total expectation is linear and positive on
    *all* real functions of the sample space, and that leaves no room for others. Expectations of bounded functions,
    which the upper bounds use, do leave room: one law without finite support is built. *)

From Coq Require Import Reals Lra Lia Arith List Bool ZArith Classical_Prop.
From Bufalu Require Import Sums Expectation TotalExpectation Laws.
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

(** ** Not so for expectations of bounded functions: the reward 2^-k with probability 2^-k, for every k >= 1 *)

Lemma powers_of_a_half_are_rewards k : 0 <= (/ 2) ^ k <= 1.
Proof. split; [apply pow_le; lra|]. rewrite <- (pow1 k). apply pow_incr. lra. Qed.

Definition half_to_the (k : nat) : reward := exist _ ((/ 2) ^ k) (powers_of_a_half_are_rewards k).

Definition partial_mean (f : reward -> R) (n : nat) : R := sum (rounds n) (fun k => (/ 2) ^ k * f (half_to_the k)).

Lemma weights_of_halves n : sum (rounds n) (fun k => (/ 2) ^ k) = 1 - (/ 2) ^ n.
Proof. induction n as [|n IH]; [unfold sum; simpl; lra|]. rewrite sum_rounds_S, IH. simpl. lra. Qed.

Lemma later_partial_means_are_close f c n m : (forall r, Rabs (f r) <= c) -> (n <= m)%nat ->
  Rabs (partial_mean f m - partial_mean f n) <= c * ((/ 2) ^ n - (/ 2) ^ m).
Proof.
  intros Hc H. unfold partial_mean. induction H as [|m H IH]; [rewrite Rminus_diag_eq, Rabs_R0 by reflexivity; lra|].
  rewrite sum_rounds_S. assert (Hm := powers_of_a_half_are_rewards (S m)). specialize (Hc (half_to_the (S m))).
  assert (T : Rabs ((/ 2) ^ S m * f (half_to_the (S m))) <= (/ 2) ^ S m * c).
  { rewrite Rabs_mult, Rabs_pos_eq by lra. apply Rmult_le_compat_l; lra. }
  set (later := sum (rounds m) _) in *. set (now := sum (rounds n) _) in *.
  replace (later + (/ 2) ^ S m * f (half_to_the (S m)) - now)
    with (later - now + (/ 2) ^ S m * f (half_to_the (S m))) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. simpl pow in T |- *. lra.
Qed.

Lemma partial_means_converge f : bounded f -> Cauchy_crit (partial_mean f).
Proof.
  intros [c Hc] e He. assert (Hc1 : 0 < c + 1) by (generalize (Hc no_reward) (Rabs_pos (f no_reward)); lra).
  destruct (pow_lt_1_zero (/ 2) ltac:(rewrite Rabs_pos_eq; lra) (e / (c + 1)) ltac:(now apply Rdiv_lt_0_compat)) as [N
    HN].
  exists N.
  assert (G : forall n m, (n >= N)%nat -> (n <= m)%nat -> R_dist (partial_mean f m) (partial_mean f n) < e).
  { intros n m Hn Hm. unfold R_dist. eapply Rle_lt_trans; [now apply (later_partial_means_are_close f c)|].
    assert (P := powers_of_a_half_are_rewards m). assert (Q := powers_of_a_half_are_rewards n). specialize (HN n Hn).
    rewrite Rabs_pos_eq in HN by lra. apply (Rmult_lt_compat_r (c + 1)) in HN; [|exact Hc1].
    replace (e / (c + 1) * (c + 1)) with e in HN by (field; lra).
    assert (0 <= c * (/ 2) ^ m) by (apply Rmult_le_pos; [generalize (Hc no_reward) (Rabs_pos (f no_reward))|]; lra).
    assert (c * (/ 2) ^ n <= (/ 2) ^ n * (c + 1)) by lra. lra. }
  intros n m Hn Hm. destruct (Nat.le_ge_cases n m) as [H|H]; [rewrite R_dist_sym|]; now apply G.
Qed.

(** The limit, and 0 for functions that have none: these are not bounded. *)
Definition mean_of_halves (f : reward -> R) : R :=
  match ClassicalDedekindReals.sig_not_dec (Cauchy_crit (partial_mean f)) with
  | left H => proj1_sig (R_complete _ (NNPP _ H))
  | right _ => 0
  end.

Lemma mean_of_halves_is_the_limit f : bounded f -> Un_cv (partial_mean f) (mean_of_halves f).
Proof.
  intros H. unfold mean_of_halves. destruct (ClassicalDedekindReals.sig_not_dec _) as [D|D].
  - apply (proj2_sig (R_complete _ (NNPP _ D))).
  - elim D. now apply partial_means_converge.
Qed.

Lemma limits_of_equal_sequences u v l : (forall n, u n = v n) -> Un_cv u l -> Un_cv v l.
Proof. intros H Hu e He. destruct (Hu e He) as [N HN]. exists N. intros n Hn. rewrite <- H. now apply HN. Qed.

Definition law_of_halves : expectation reward.
Proof.
  refine (Expectation reward mean_of_halves _ _ _ _).
  - intros f g Hf Hg. apply (UL_sequence (partial_mean (fun r => f r + g r))).
    + apply mean_of_halves_is_the_limit. bounded.
    + apply (limits_of_equal_sequences (fun n => partial_mean f n + partial_mean g n)).
      * intros n. unfold partial_mean. rewrite <- sum_plus. apply sum_ext. intros; ring.
      * apply CV_plus; now apply mean_of_halves_is_the_limit.
  - intros c f Hf. apply (UL_sequence (partial_mean (fun r => c * f r))).
    + apply mean_of_halves_is_the_limit. bounded.
    + apply (limits_of_equal_sequences (fun n => c * partial_mean f n)).
      * intros n. unfold partial_mean. rewrite <- sum_scal. apply sum_ext. intros; ring.
      * apply (CV_mult (fun _ => c)); [|now apply mean_of_halves_is_the_limit].
        intros e He. exists 0%nat. intros. unfold R_dist. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. exact He.
  - intros f Hf Hpos. apply Rle_cv_lim with (Un := fun _ => 0) (Vn := partial_mean f).
    + intros n. apply sum_nonneg. intros k _. apply Rmult_le_pos; [apply powers_of_a_half_are_rewards | apply Hpos].
    + intros e He. exists 0%nat. intros. unfold R_dist. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. exact He.
    + now apply mean_of_halves_is_the_limit.
  - apply (UL_sequence (partial_mean (fun _ => 1))); [apply mean_of_halves_is_the_limit; bounded|].
    intros e He. destruct (pow_lt_1_zero (/ 2) ltac:(rewrite Rabs_pos_eq; lra) e He) as [N HN]. exists N. intros n Hn.
    unfold R_dist, partial_mean. rewrite (sum_ext _ _ (fun k => (/ 2) ^ k)), weights_of_halves by (intros; ring).
    replace (1 - (/ 2) ^ n - 1) with (- (/ 2) ^ n) by ring. rewrite Rabs_Ropp. now apply HN.
Defined.

Lemma halves_leave_every_list l : exists N, forall k, (N <= k)%nat -> is_listed l ((/ 2) ^ k) = false.
Proof.
  induction l as [|y l [N IH]]; [now exists 0%nat|].
  assert (Hy : exists M, forall k, (M <= k)%nat -> (/ 2) ^ k <> y).
  { destruct (Rle_lt_dec y 0) as [H|H].
    - exists 0%nat. intros k _ E. generalize (pow_lt (/ 2) k). lra.
    - destruct (pow_lt_1_zero (/ 2) ltac:(rewrite Rabs_pos_eq; lra) y H) as [M HM]. exists M. intros k Hk E.
      specialize (HM k Hk). rewrite Rabs_pos_eq in HM; [lra | apply powers_of_a_half_are_rewards]. }
  destruct Hy as [M HM]. exists (Nat.max N M). intros k Hk. unfold is_listed. simpl. unfold is_real at 1.
  destruct (Req_EM_T _ _) as [E|_]; [elim (HM k ltac:(lia) E)|]. apply IH. lia.
Qed.

(** says: some law on [0,1] gives every complement of a finite list a positive probability: the upper bounds speak of
      laws that the lower bounds, by [only_finite_support], do not
    paper: not a statement of the paper
    breaks: "forall l, 0" to "forall l, 1" *)
Theorem some_law_has_no_finite_support :
  exists E : expectation reward, forall l, 0 < probability E (fun r => negb (is_listed l (value r))).
Proof.
  exists law_of_halves. intros l. destruct (halves_leave_every_list l) as [N HN]. set (k := S N).
  set (f := fun r => indicator (negb (is_listed l (value r)))).
  assert (Hf : forall r, 0 <= f r) by (intros; apply indicator_nonneg).
  apply Rlt_le_trans with (partial_mean f k).
  - apply Rlt_le_trans with ((/ 2) ^ k); [apply pow_lt; lra|]. unfold partial_mean.
    apply Rle_trans with ((/ 2) ^ k * f (half_to_the k)).
    + unfold f. change (value (half_to_the k)) with ((/ 2) ^ k). rewrite (HN k) by (unfold k; lia). simpl indicator.
      lra.
    + apply (term_le_sum (rounds k) (fun k => (/ 2) ^ k * f (half_to_the k))); [apply in_rounds; unfold k; lia|].
      intros j _. apply Rmult_le_pos; [apply powers_of_a_half_are_rewards | apply Hf].
  - apply (growing_ineq (partial_mean f)).
    + intros n. unfold partial_mean. rewrite sum_rounds_S.
      assert (0 <= (/ 2) ^ S n * f (half_to_the (S n))); [|lra].
      apply Rmult_le_pos; [apply powers_of_a_half_are_rewards | apply Hf].
    + apply mean_of_halves_is_the_limit. unfold f. bounded.
Qed.

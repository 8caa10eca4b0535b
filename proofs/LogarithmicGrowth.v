(** From an amount of information of (1 - o(1)) ln T to queries: limits at the scale ln T as "for every c below the
    limit, eventually", and the passage to the infima Kinf. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums FiniteLaws BinaryDivergence Strategies ChangeOfMeasure Consistency.
Import ListNotations.
Open Scope R_scope.

(** liminf f(T)/ln T >= c would be "for every d < c, eventually"; this is one such d. *)
Definition eventually_at_least_log (f : nat -> R) (d : R) : Prop := eventually (fun T => d * ln (INR T) <= f T).

(** c lies strictly below 1/kinf, where 1/0 = +infinity and 1/+infinity = 0 (l.294). *)
Definition below_inverse (kinf : option R) (c : R) : Prop :=
  match kinf with
  | Some m => c * m < 1
  | None => c < 0
  end.

(** liminf f(T)/ln T >= 1/kinf: for every c below 1/kinf, f(T) >= c ln T for all large T. *)
Definition liminf_per_log_at_least_inverse (f : nat -> R) (kinf : option R) : Prop :=
  forall c, below_inverse kinf c -> eventually_at_least_log f c.

(** liminf f(T)/ln T = +infinity. *)
Definition super_logarithmic (f : nat -> R) : Prop := forall c, eventually_at_least_log f c.

Lemma eventually_log_is_positive : eventually (fun T => 0 < ln (INR T)).
Proof. apply (eventually_mono _ _) with (2 := eventually_log_exceeds 1). intros; lra. Qed.

(** What is at least (1 - eps)(1 - alpha) ln T - B for all alpha, eps > 0 is at least d ln T for every d < 1. *)
Lemma almost_one_log_is_enough (w : nat -> R) B :
  (forall e, 0 < e <= 1 -> eventually (fun T => (1 - e) * ((1 - e) * ln (INR T)) - B <= w T)) ->
  forall d, d < 1 -> eventually_at_least_log w d.
Proof.
  intros H d Hd. set (e := Rmin (1/2) ((1 - d) / 4)).
  assert (E1 : e <= 1/2) by apply Rmin_l. assert (E2 : e <= (1 - d) / 4) by apply Rmin_r.
  assert (E0 : 0 < e) by (apply Rmin_pos; lra).
  apply (eventually_mono _ _) with (2 := eventually_and _ _ (H e ltac:(lra)) (eventually_and _ _
    (eventually_log_exceeds (2 * B / (1 - d))) eventually_log_is_positive)).
  intros T [HT [HB Hpos]]. eapply Rle_trans; [|exact HT]. set (L := ln (INR T)) in *.
  assert (A : B <= (1 - d) / 2 * L).
  { apply (Rmult_le_compat_l ((1 - d) / 2)) in HB; [|lra].
    replace ((1 - d) / 2 * (2 * B / (1 - d))) with B in HB by (field; lra). exact HB. }
  assert (C : (1 - (1 - d) / 2) * L <= (1 - e) * ((1 - e) * L)).
  { rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [lra|]. assert (0 <= e * e) by (apply Rmult_le_pos; lra). lra. }
  lra.
Qed.

Lemma a_filtered_list_is_no_longer {A : Type} (keep : A -> bool) (l : list A) : (length (filter keep l) <= length
  l)%nat.
Proof. induction l as [|x l IH]; [reflexivity|]. simpl. destruct (keep x); simpl; lia. Qed.

(** ** One changed instance *)

Section OneChange.
Context {K : nat}.
Variables (D : law -> Prop) (s : strategy K).
Hypothesis s_is_consistent : consistent D s.
Variables nu nu' : nat -> law.
Hypothesis nu'_is_in_the_family : instance_of K D nu'.
Hypothesis nu_is_dominated : forall a, is_arm K a -> dominated (nu a) (nu' a).

Lemma minus_log_of_power T x : - ln (Rpower (INR T) (x - 1)) = (1 - x) * ln (INR T).
Proof. unfold Rpower. rewrite ln_exp. lra. Qed.

(** Arm [a] is suboptimal under nu': its share under nu must be paid for. *)
Lemma a_share_that_must_be_given_up a e : suboptimal K nu' a -> 0 < e <= 1 ->
  eventually (fun T => share s nu a T * ((1 - e) * ln (INR T)) - ln 2 <= information s nu nu' T).
Proof.
  intros Ha He.
  apply (eventually_mono _ _) with (2 := eventually_and _ _ (eventually_at_least 1)
    (suboptimal_shares_fall D s s_is_consistent nu' a e 1 nu'_is_in_the_family Ha He ltac:(lra))).
  intros T [HT HS]. rewrite <- minus_log_of_power. apply (a_large_share_costs_queries s nu nu' a); auto.
  - unfold Rpower. apply exp_pos.
  - lra.
Qed.

(** Arm [a] is the unique optimal arm under nu': the share that it lacks under nu must be paid for. *)
Lemma a_share_that_must_be_taken a e : unique_optimal K nu' a -> 0 < e <= 1 ->
  eventually (fun T => (1 - share s nu a T) * ((1 - e) * ln (INR T)) - ln 2 <= information s nu nu' T).
Proof.
  intros [Ha Hu] He. assert (HK : 1 <= INR K).
  { destruct Ha as [Ha _]. unfold is_arm in Ha. apply (le_INR 1). lia. }
  assert (H : eventually (fun T => forall b, In b (others K a) ->
    share s nu' b T <= / INR K * Rpower (INR T) (e - 1))).
  { apply eventually_for_all_in. intros b Hb. apply in_others in Hb. destruct Hb as [Hb Hne].
    apply (suboptimal_shares_fall D s s_is_consistent nu' b e (/ INR K) nu'_is_in_the_family); auto.
    apply Rinv_0_lt_compat. lra. }
  apply (eventually_mono _ _) with (2 := eventually_and _ _ (eventually_at_least 1) H).
  intros T [HT HS]. rewrite <- minus_log_of_power. apply (a_small_share_costs_queries s nu nu' a); auto.
  - unfold Rpower. apply exp_pos.
  - assert (P : 0 < Rpower (INR T) (e - 1)) by (unfold Rpower; apply exp_pos).
    assert (One := shares_sum_to_one s nu' T HT). rewrite (sum_split_off_arm K a _ (proj1 Ha)) in One.
    assert (M : sum (others K a) (fun b => share s nu' b T)
      <= sum (others K a) (fun _ => / INR K * Rpower (INR T) (e - 1))) by now apply sum_le.
    rewrite sum_const in M.
    assert (N : INR (length (others K a)) * (/ INR K * Rpower (INR T) (e - 1)) <= Rpower (INR T) (e - 1)).
    { rewrite <- Rmult_assoc. rewrite <- (Rmult_1_l (Rpower _ _)) at 2. apply Rmult_le_compat_r; [lra|].
      rewrite <- (Rinv_r (INR K)) by lra. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
      apply le_INR. unfold others. rewrite <- (seq_length K 1) at 2. apply a_filtered_list_is_no_longer. }
    lra.
Qed.
End OneChange.

(** Only the changed arms carry information. *)
Lemma information_of_one_changed_arm {K} (s : strategy K) nu a p T : is_arm K a ->
  information s nu (with_arm nu a p) T = expected_queries s nu a T * divergence (nu a) p.
Proof.
  intros Ha. unfold information. rewrite (sum_split_off_arm K a _ Ha), with_arm_same, sum_zero; [lra|].
  intros b Hb. apply in_others in Hb. rewrite with_arm_other by (intros ->; tauto). rewrite divergence_from_itself.
    lra.
Qed.

Lemma information_of_two_changed_arms {K} (s : strategy K) nu a p b q T : is_arm K a -> is_arm K b -> a <> b ->
  information s nu (with_arm (with_arm nu a p) b q) T
    = expected_queries s nu a T * divergence (nu a) p + expected_queries s nu b T * divergence (nu b) q.
Proof.
  intros Ha Hb Hne. unfold information. rewrite (sum_split_off_arm K b _ Hb), with_arm_same. f_equal.
  unfold others. rewrite sum_filter, (sum_split_off_arm K a _ Ha), sum_zero.
  - rewrite with_arm_other by exact Hne. rewrite with_arm_same.
    rewrite (proj2 (Nat.eqb_neq b a)) by congruence. simpl. lra.
  - intros c Hc. apply in_others in Hc. destruct Hc as [_ Hc]. destruct (Nat.eqb_spec b c) as [E|E]; simpl; [lra|].
    rewrite with_arm_other, with_arm_other by congruence. rewrite divergence_from_itself. lra.
Qed.

Lemma changed_arm_dominates {K : nat} nu a p : dominated (nu a) p ->
  forall b, is_arm K b -> dominated (nu b) (with_arm nu a p b).
Proof.
  intros H b _. unfold with_arm. destruct (Nat.eqb_spec b a) as [->|_]; [exact H | apply dominated_by_itself].
Qed.

(** ** The passage to infima *)

Lemma finite_choice (l : list nat) (P : nat -> R -> Prop) : (forall a, In a l -> exists k, P a k) ->
  exists k : nat -> R, forall a, In a l -> P a (k a).
Proof.
  induction l as [|b l IH]; intros H; [exists (fun _ => 0); intros a []|].
  destruct IH as [k Hk]; [intros; apply H; now right|]. destruct (H b (or_introl eq_refl)) as [x Hx].
  exists (fun a => if Nat.eqb a b then x else k a). intros a Ha. destruct (Nat.eqb_spec a b) as [->|Hne]; [exact Hx|].
  apply Hk. destruct Ha as [->|Ha]; [congruence | exact Ha].
Qed.

Section Infima.
(** For the arms of [l], [f a T] counts queries and [S a] holds the divergences to the alternatives. *)
Variables (l : list nat) (f : nat -> nat -> R) (S : nat -> R -> Prop).
Hypothesis counts_are_nonneg : forall a T, 0 <= f a T.
Hypothesis information_is_logarithmic : forall k : nat -> R, (forall a, In a l -> S a (k a)) ->
  forall d, d < 1 -> eventually_at_least_log (fun T => sum l (fun a => f a T * k a)) d.

Variable m : nat -> R.
Hypothesis m_are_infima : forall a, In a l -> is_infimum (S a) (Some (m a)).

Lemma divergences_close_to_the_infima eta : 0 < eta ->
  exists k : nat -> R, forall a, In a l -> S a (k a) /\ k a < m a + eta.
Proof.
  intros He. apply (finite_choice l (fun a k => S a k /\ k < m a + eta)). intros a Ha. destruct (m_are_infima a Ha)
    as [_ H].
  destruct (H (m a + eta) ltac:(lra)) as [k Hk]. now exists k.
Qed.

(** The bound by the largest Kinf (after Hoelder's inequality): for every c below 1/max, eventually the sum of the
    counts is at least c ln T. *)
Lemma the_sum_of_counts_is_logarithmic most c : (forall a, In a l -> m a <= most) -> 0 <= most -> c * most < 1 ->
  eventually_at_least_log (fun T => sum l (fun a => f a T)) c.
Proof.
  intros Hmost Hpos Hc. destruct (Rle_lt_dec c 0) as [Hc0|Hc0].
  - apply (eventually_mono _ _) with (2 := eventually_log_is_positive). intros T HT.
    assert (0 <= sum l (fun a => f a T)) by (apply sum_nonneg; intros; apply counts_are_nonneg).
    assert (0 <= (- c) * ln (INR T)) by (apply Rmult_le_pos; lra). lra.
  - set (eta := (1 - c * most) / (4 * c)). assert (He : 0 < eta) by (apply Rdiv_lt_0_compat; lra).
    assert (Ece : c * eta = (1 - c * most) / 4) by (unfold eta; field; lra).
    destruct (divergences_close_to_the_infima eta He) as [k Hk].
    assert (H := information_is_logarithmic k ltac:(intros; now apply Hk) ((1 + c * most) / 2) ltac:(lra)).
    apply (eventually_mono _ _) with (2 := eventually_and _ _ H eventually_log_is_positive). intros T [HT HL].
    apply Rnot_lt_le. intros Hlt.
    assert (A : sum l (fun a => f a T * k a) <= sum l (fun a => (most + eta) * f a T)).
    { apply sum_le. intros a Ha. rewrite Rmult_comm. apply Rmult_le_compat_r; [apply counts_are_nonneg|].
      destruct (Hk a Ha) as [_ Hka]. specialize (Hmost a Ha). lra. }
    rewrite sum_scal in A.
    assert (B : (most + eta) * sum l (fun a => f a T) <= (most + eta) * (c * ln (INR T)))
      by (apply Rmult_le_compat_l; lra).
    assert (C : (most + eta) * (c * ln (INR T)) < (1 + c * most) / 2 * ln (INR T)).
    { rewrite <- Rmult_assoc. apply Rmult_lt_compat_r; [exact HL|]. lra. }
    lra.
Qed.

(** The weighted form without Hoelder's inequality, with the convention 0 * (+infinity) >= 1 (l.605) spelt out: for
    every M and d < 1, for all large T, either some count exceeds M ln T or sum_a Kinf_a f_a(T) >= d ln T. *)
Lemma the_weighted_sum_of_counts_is_logarithmic M d : d < 1 ->
  eventually (fun T => (exists a, In a l /\ M * ln (INR T) < f a T) \/
    d * ln (INR T) <= sum l (fun a => m a * f a T)).
Proof.
  intros Hd. set (M1 := Rmax M 0). assert (HM : 0 <= M1) by apply Rmax_r. assert (HMM : M <= M1) by apply Rmax_l.
  set (n := INR (length l)). assert (Hn : 0 <= n) by apply pos_INR.
  assert (HnM : 0 <= n * M1) by now apply Rmult_le_pos.
  set (eta := (1 - d) / 2 / (n * M1 + 1)). assert (He : 0 < eta) by (repeat apply Rdiv_lt_0_compat; lra).
  assert (En : n * M1 * eta <= (1 - d) / 2).
  { unfold eta. apply (Rmult_le_reg_r (n * M1 + 1)); [lra|].
    replace (n * M1 * ((1 - d) / 2 / (n * M1 + 1)) * (n * M1 + 1)) with ((1 - d) / 2 * (n * M1)) by (field; lra).
    apply Rmult_le_compat_l; lra. }
  destruct (divergences_close_to_the_infima eta He) as [k Hk].
  assert (H := information_is_logarithmic k ltac:(intros; now apply Hk) ((1 + d) / 2) ltac:(lra)).
  apply (eventually_mono _ _) with (2 := eventually_and _ _ H eventually_log_is_positive). intros T [HT HL].
  destruct (Exists_dec (fun a => M * ln (INR T) < f a T) l (fun a => Rlt_dec _ _)) as [E|E].
  - left. apply Exists_exists in E. exact E.
  - right. assert (Hle : forall a, In a l -> f a T <= M1 * ln (INR T)).
    { intros a Ha. apply Rnot_lt_le. intros Hlt. apply E. apply Exists_exists. exists a. split; [exact Ha|].
      eapply Rle_lt_trans; [|exact Hlt]. apply Rmult_le_compat_r; lra. }
    assert (A : sum l (fun a => f a T * k a) <= sum l (fun a => m a * f a T + eta * (M1 * ln (INR T)))).
    { apply sum_le. intros a Ha. destruct (Hk a Ha) as [_ Hka].
      assert (f a T * k a <= f a T * (m a + eta)) by (apply Rmult_le_compat_l; [apply counts_are_nonneg | lra]).
      assert (eta * f a T <= eta * (M1 * ln (INR T))) by (apply Rmult_le_compat_l; [lra | now apply Hle]). lra. }
    rewrite sum_plus, sum_const in A. fold n in A.
    assert (B : n * (eta * (M1 * ln (INR T))) <= (1 - d) / 2 * ln (INR T)).
    { replace (n * (eta * (M1 * ln (INR T)))) with (n * M1 * eta * ln (INR T)) by ring.
      apply Rmult_le_compat_r; lra. }
    lra.
Qed.
End Infima.

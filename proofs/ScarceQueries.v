(** Scarce querying (l.327-366, proofs l.770-826): better-than-uniform strategies, the linear-regret proposition and
    its corollary, for families of finite-support laws. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Expectation TotalExpectation FiniteLaws BinaryDivergence Strategies ChangeOfMeasure
  Consistency LogarithmicGrowth AsymptoticLowerBounds QueryCosts.
Import ListNotations.
Open Scope R_scope.

(** l.329-331: on every instance of D and at every T >= 1, the optimal arms together get at least their number's
    share of the plays. *)
Definition better_than_uniform {K : nat} (D : law -> Prop) (s : strategy K) : Prop :=
  forall nu, instance_of K D nu -> forall T, (1 <= T)%nat ->
    INR (length (optimal_arms K nu)) / INR K * INR T <= sum (optimal_arms K nu) (fun a => expected_plays s nu a T).

Section Scarce.
Context {K : nat}.
Variables (D : law -> Prop) (s : strategy K).
Hypothesis s_is_better_than_uniform : better_than_uniform D s.
Variable nu : nat -> law.
Hypothesis nu_is_in_the_family : instance_of K D nu.

(** l.774-792 for one alternative law: either a has its uniform share, or (K/2)(1/K - E n_T(a)/T)^2 is at most E
    n^q_T(a) KL(nu_a, q). *)
Lemma plays_or_queries a q T : is_arm K a -> D q -> best_mean K nu < law_mean q -> dominated (nu a) q -> (1 <= T)%nat
  ->
  share s nu a T <= / INR K ->
  INR K / 2 * ((/ INR K - share s nu a T) * (/ INR K - share s nu a T))
    <= expected_queries s nu a T * divergence (nu a) q.
Proof.
  intros Ha Hq Hm Hd HT Hle. rewrite <- (information_of_one_changed_arm s nu a q T Ha).
  assert (HK : 1 <= INR K) by (unfold is_arm in Ha; apply (le_INR 1); lia).
  assert (HT' := le_INR _ _ HT). simpl INR in HT'.
  destruct (information_bounds_the_shares s nu (with_arm nu a q) a T (changed_arm_dominates nu a q Hd) HT) as [F I].
  set (p := share s nu a T) in *. set (r := share s (with_arm nu a q) a T) in *.
  assert (Hp : 0 <= p <= 1) by now apply share_in_the_unit_interval.
  assert (Hr : 0 <= r <= 1) by now apply share_in_the_unit_interval.
  assert (Hr' : / INR K <= r).
  { assert (U := raised_above_the_best K nu a q Ha Hm).
    assert (B := s_is_better_than_uniform (with_arm nu a q) (with_arm_in_family K D nu a q nu_is_in_the_family Hq) T
      HT).
    rewrite (optimal_arms_of_a_unique_optimum _ _ _ U) in B. unfold sum in B. simpl in B. unfold r, share.
    apply (Rmult_le_reg_r (INR T)); [lra|].
    replace (expected_plays s (with_arm nu a q) a T / INR T * INR T) with (expected_plays s (with_arm nu a q) a T)
      by (field; lra). lra. }
  assert (HK' : 0 < / INR K) by (apply Rinv_0_lt_compat; lra).
  destruct (Req_dec r 1) as [E|E].
  - (* then p = 1, hence K = 1 and the left side is 0 *)
    assert (P : p = 1) by now apply (proj2 F).
    assert (L : / INR K = 1) by (apply Rle_antisym; [rewrite <- Rinv_1; apply Rinv_le_contravar; lra | lra]).
    rewrite P, L, Rminus_eq_0, !Rmult_0_r. eapply Rle_trans; [|exact I]. rewrite P, E. unfold binary_kl.
    rewrite ln_1, Rminus_eq_0. lra.
  - eapply Rle_trans; [|exact I]. eapply Rle_trans; [|apply (binary_kl_grows_away_from_p p (/ INR K) r); lra].
    eapply Rle_trans; [|apply local_pinsker; lra]. right. field. lra.
Qed.

(** The proposition (l.333-338) before the square root, with Kinf+ as an infimum. *)
Lemma plays_or_queries_with_kinf a kinf T : is_arm K a -> is_kinf_above D (nu a) (best_mean K nu) (Some kinf) ->
  (1 <= T)%nat -> share s nu a T <= / INR K ->
  INR K / 2 * ((/ INR K - share s nu a T) * (/ INR K - share s nu a T)) <= expected_queries s nu a T * kinf.
Proof.
  intros Ha Hk HT Hle. apply (linear_bounds_pass_to_the_infimum _ _ _ _ (expected_queries_nonneg s nu a T) Hk).
  intros k [q [Hq [Hm [Hd ->]]]]. now apply plays_or_queries.
Qed.

(** says: E n_T(a) >= (T/K)(1 - sqrt(2 min{K E n^q_T(a), T} Kinf+(nu_a, mu*, D))) for every T >= 1 and every arm of
      finite Kinf+, for every K, every family D of finite-support laws, every strategy that is better than uniform on
      D and every instance in D
    paper: l.333-338
    differs: all laws have finite support and private seeds are finite, which loses nothing; for Kinf+ = +infinity the right side is 0
      by definition
    breaks: "sqrt (2 *" to "sqrt (1 *" *)
Theorem few_queries_mean_many_plays a kinf T : is_arm K a -> is_kinf_above D (nu a) (best_mean K nu) (Some kinf) ->
  (1 <= T)%nat ->
  INR T / INR K * (1 - sqrt (2 * Rmin (INR K * expected_queries s nu a T) (INR T) * kinf)) <= expected_plays s nu a T.
Proof.
  intros Ha Hk HT. assert (HK : 1 <= INR K) by (unfold is_arm in Ha; apply (le_INR 1); lia).
  assert (HT' := le_INR _ _ HT). simpl INR in HT'.
  assert (K0 : 0 <= kinf) by exact (an_infimum_is_nonneg _ _ (divergences_above_are_nonneg D (nu a) _) Hk).
  assert (E : expected_plays s nu a T = share s nu a T * INR T) by (unfold share; field; lra).
  assert (Q := expected_queries_are_at_most_expected_plays s nu a T).
  assert (Q0 := expected_queries_nonneg s nu a T).
  set (x := 2 * Rmin (INR K * expected_queries s nu a T) (INR T) * kinf).
  assert (HK' : 0 < / INR K) by (apply Rinv_0_lt_compat; lra).
  assert (S0 := sqrt_pos x).
  destruct (Rle_lt_dec (share s nu a T) (/ INR K)) as [Hle|Hlt].
  - assert (H := plays_or_queries_with_kinf a kinf T Ha Hk HT Hle). set (p := share s nu a T) in *.
    (* K E n^q <= K E n <= T, so the minimum is K E n^q *)
    assert (M : Rmin (INR K * expected_queries s nu a T) (INR T) = INR K * expected_queries s nu a T).
    { apply Rmin_left. apply Rle_trans with (INR K * (/ INR K * INR T)).
      - apply Rmult_le_compat_l; [lra|]. eapply Rle_trans; [exact Q|]. rewrite E. apply Rmult_le_compat_r; lra.
      - right. field. lra. }
    assert (X : (1 - INR K * p) * (1 - INR K * p) <= x).
    { unfold x. rewrite M. apply (Rmult_le_compat_l (2 * INR K)) in H; [|lra].
      replace (2 * INR K * (INR K / 2 * ((/ INR K - p) * (/ INR K - p)))) with ((1 - INR K * p) * (1 - INR K * p)) in
        H
        by (field; lra). lra. }
    assert (Y : 1 - INR K * p <= sqrt x).
    { rewrite <- (sqrt_square (1 - INR K * p)).
      - apply sqrt_le_1_alt. exact X.
      - apply (Rmult_le_compat_l (INR K)) in Hle; [|lra]. rewrite Rinv_r in Hle; lra. }
    rewrite E. apply Rle_trans with (INR T / INR K * (INR K * p)).
    + apply Rmult_le_compat_l; [|lra]. apply Rmult_le_pos; lra.
    + right. field. lra.
  - rewrite E. apply Rle_trans with (INR T / INR K * 1).
    + apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | lra].
    + unfold Rdiv. rewrite Rmult_1_r, Rmult_comm. apply Rmult_le_compat_r; lra.
Qed.

(** says: if 8 K Kinf+ E n^q_T(a) <= 1 then E n_T(a) >= T/(2K), for every T >= 1 and arm of finite Kinf+, for every K,
      every family D of finite-support laws, every strategy that is better than uniform on D and every instance in D
    paper: l.339
    differs: all laws have finite support and private seeds are finite, which loses nothing; Kinf+ = 0 is included
    breaks: "8 * INR K" to "4 * INR K" *)
Theorem very_few_queries_mean_linear_plays a kinf T : is_arm K a ->
  is_kinf_above D (nu a) (best_mean K nu) (Some kinf) -> (1 <= T)%nat ->
  8 * INR K * kinf * expected_queries s nu a T <= 1 -> INR T / (2 * INR K) <= expected_plays s nu a T.
Proof.
  intros Ha Hk HT H. assert (P := few_queries_mean_many_plays a kinf T Ha Hk HT).
  assert (HK : 1 <= INR K) by (unfold is_arm in Ha; apply (le_INR 1); lia).
  assert (HT' := le_INR _ _ HT). simpl INR in HT'.
  assert (K0 : 0 <= kinf) by exact (an_infimum_is_nonneg _ _ (divergences_above_are_nonneg D (nu a) _) Hk).
  eapply Rle_trans; [|exact P]. replace (INR T / (2 * INR K)) with (INR T / INR K * (1 / 2)) by (field; lra).
  apply Rmult_le_compat_l; [apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]|].
  assert (S : sqrt (2 * Rmin (INR K * expected_queries s nu a T) (INR T) * kinf) <= sqrt (1 / 2 * (1 / 2))).
  { apply sqrt_le_1_alt.
    apply Rle_trans with (2 * (INR K * expected_queries s nu a T) * kinf); [|lra].
    apply Rmult_le_compat_r; [exact K0|]. apply Rmult_le_compat_l; [lra | apply Rmin_l]. }
  rewrite sqrt_square in S by lra. lra.
Qed.

(** ** The corollary *)

(** t lies within the profile: B_a(t) <= 1/(8 K Kinf+), with 1/0 = +infinity. For Kinf+ = +infinity no t does: so it
    is in print where B_a > 0, and so it must be read where B_a(t) = 0. *)
Definition within_profile (kinf : option R) (B : nat -> R) (t : nat) : Prop :=
  match kinf with
  | Some k => 8 * INR K * k * B t <= 1
  | None => False
  end.

(** n = B_a^-1(1/(8 K Kinf+)), l.345: the largest t >= 1 within the profile, 0 if there is none. If there are
    infinitely many it is +infinity, and the corollary is empty in print. *)
Definition is_inverse_of_profile (kinf : option R) (B : nat -> R) (n : nat) : Prop :=
  (n = O \/ within_profile kinf B n) /\ forall t, (n < t)%nat -> ~ within_profile kinf B t.

(** says: Reg(T) >= sum_a Delta_a/(2K) B_a^-1(1/(8 K Kinf+_a)) for every T that is at least all these inverses, for
      any B_a with E n^q_t(a) <= B_a(t), for every K, every family D of finite-support laws, every strategy that is
      better than uniform on D and every instance in D
    paper: l.343-350
    differs: all laws have finite support and private seeds are finite, which loses nothing; arms of infinite Kinf+ contribute 0, also
      where B_a(t) = 0; B_a need not be monotone or positive
    breaks: "(2 * INR K)" to "INR K" *)
Theorem scarce_queries_cost_regret (kinf : nat -> option R) (B : nat -> nat -> R) (n : nat -> nat) T :
  (forall a, suboptimal K nu a -> is_kinf_above D (nu a) (best_mean K nu) (kinf a)) ->
  (forall a t, suboptimal K nu a -> (1 <= t)%nat -> expected_queries s nu a t <= B a t) ->
  (forall a, suboptimal K nu a -> is_inverse_of_profile (kinf a) (B a) (n a)) ->
  (forall a, suboptimal K nu a -> (n a <= T)%nat) ->
  sum (arms K) (fun a => gap_of K nu a / (2 * INR K) * INR (n a)) <= expected_regret s nu T.
Proof.
  intros Hk HB Hn HT. rewrite expected_regret_decomposes. apply sum_le. intros a Ha. apply in_arms in Ha.
  assert (HK : 1 <= INR K) by (unfold is_arm in Ha; apply (le_INR 1); lia).
  assert (G := gap_of_nonneg nu a Ha).
  replace (gap_of K nu a / (2 * INR K) * INR (n a)) with (gap_of K nu a * (INR (n a) / (2 * INR K))) by (field; lra).
  destruct (Req_dec (gap_of K nu a) 0) as [->|Hgap]; [lra|]. apply Rmult_le_compat_l; [exact G|].
  assert (Hsub : suboptimal K nu a) by (split; [exact Ha | unfold gap_of in *; lra]).
  eapply Rle_trans; [|apply (expected_plays_grow s nu a (n a) T), HT, Hsub].
  destruct (Nat.eq_dec (n a) 0) as [->|Hpos].
  - simpl INR. unfold Rdiv. rewrite Rmult_0_l. apply expected_plays_nonneg.
  - destruct (proj1 (Hn a Hsub)) as [E|W]; [contradiction|]. specialize (Hk a Hsub). destruct (kinf a) as [k|]; [|destruct W].
    apply (very_few_queries_mean_linear_plays a k); auto; [lia|]. simpl in W. eapply Rle_trans; [|exact W].
    assert (K0 : 0 <= k) by exact (an_infimum_is_nonneg _ _ (divergences_above_are_nonneg D (nu a) _) Hk).
    apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | apply HB; [exact Hsub | lia]].
Qed.
End Scarce.

(** Instances of a family of finite-support laws, consistent strategies (l.300-302, in expectation), and what one
    change of the instance costs in queries. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Expectation TotalExpectation FiniteLaws BinaryDivergence Strategies ChangeOfMeasure.
Import ListNotations.
Open Scope R_scope.

(** ** For all large T *)

Definition eventually (P : nat -> Prop) : Prop := exists N, forall T, (N <= T)%nat -> P T.

Lemma eventually_and P Q : eventually P -> eventually Q -> eventually (fun T => P T /\ Q T).
Proof.
  intros [N HN] [M HM]. exists (max N M). intros T HT. split; [apply HN | apply HM]; lia.
Qed.

Lemma eventually_mono (P Q : nat -> Prop) : (forall T, P T -> Q T) -> eventually P -> eventually Q.
Proof. intros H [N HN]. exists N. auto. Qed.

Lemma eventually_for_all_in {A : Type} (l : list A) (P : A -> nat -> Prop) :
  (forall x, In x l -> eventually (P x)) -> eventually (fun T => forall x, In x l -> P x T).
Proof.
  induction l as [|y l IH]; intros H; [exists O; intros T _ x []|].
  assert (A1 := H y (or_introl eq_refl)). assert (A2 := IH (fun x Hx => H x (or_intror Hx))).
  apply (eventually_mono _ _) with (2 := eventually_and _ _ A1 A2).
  intros T [H1 H2] x [->|Hx]; auto.
Qed.

Lemma eventually_at_least n : eventually (fun T => (n <= T)%nat).
Proof. exists n. auto. Qed.

(** ln T passes every bound. *)
Lemma eventually_log_exceeds b : eventually (fun T => b <= ln (INR T)).
Proof.
  destruct (archimed_cor1 (/ exp b) (Rinv_0_lt_compat _ (exp_pos b))) as [N [HN HN0]].
  apply lt_INR in HN0. simpl INR in HN0. apply Rinv_lt_contravar in HN;
    [|apply Rmult_lt_0_compat; apply Rinv_0_lt_compat; [exact HN0 | apply exp_pos]].
  rewrite !Rinv_inv in HN.
  exists N. intros T HT. apply le_INR in HT.
  rewrite <- (ln_exp b). apply ln_is_monotone; [apply exp_pos | lra].
Qed.

(** ** Instances *)

Section Instances.
Variable K : nat.

(** mu*: the largest mean. *)
Definition best_mean (nu : nat -> law) : R :=
  fold_right (fun a m => Rmax (law_mean (nu a)) m) (law_mean (nu 1%nat)) (arms K).

Definition optimal (nu : nat -> law) (a : nat) : Prop := is_arm K a /\ law_mean (nu a) = best_mean nu.
Definition suboptimal (nu : nat -> law) (a : nat) : Prop := is_arm K a /\ law_mean (nu a) < best_mean nu.
Definition unique_optimal (nu : nat -> law) (a : nat) : Prop :=
  optimal nu a /\ forall b, is_arm K b -> b <> a -> suboptimal nu b.

(** All arms of the instance have laws in the family D. *)
Definition instance_of (D : law -> Prop) (nu : nat -> law) : Prop := forall a, is_arm K a -> D (nu a).

(** The instance with another law for arm [a]. *)
Definition with_arm (nu : nat -> law) (a : nat) (p : law) : nat -> law := fun b => if Nat.eqb b a then p else nu b.

Lemma mean_at_most_best nu a : is_arm K a -> law_mean (nu a) <= best_mean nu.
Proof.
  intros Ha. apply in_arms in Ha. unfold best_mean. induction (arms K) as [|b l IH]; [destruct Ha|]. simpl.
  destruct Ha as [->|Ha]; [apply Rmax_l|]. eapply Rle_trans; [now apply IH | apply Rmax_r].
Qed.

Lemma best_is_attained nu : (1 <= K)%nat -> exists a, optimal nu a.
Proof.
  intros HK. assert (G : forall l, exists a, (a = 1%nat \/ In a l) /\
    law_mean (nu a) = fold_right (fun a m => Rmax (law_mean (nu a)) m) (law_mean (nu 1%nat)) l).
  { induction l as [|b l [a [Ha E]]]; [exists 1%nat; auto|]. simpl. rewrite <- E.
    destruct (Rle_lt_dec (law_mean (nu b)) (law_mean (nu a))) as [H|H].
    - exists a. rewrite Rmax_right by lra. tauto.
    - exists b. rewrite Rmax_left by lra. tauto. }
  destruct (G (arms K)) as [a [Ha E]]. exists a. split; [|exact E].
  destruct Ha as [->|Ha]; [unfold is_arm; lia | now apply in_arms].
Qed.

Lemma suboptimal_iff nu a : suboptimal nu a <-> is_arm K a /\ exists b, is_arm K b /\ law_mean (nu a) < law_mean (nu
  b).
Proof.
  split.
  - intros [Ha H]. split; [exact Ha|]. destruct (best_is_attained nu) as [b [Hb E]]; [unfold is_arm in Ha; lia|].
    exists b. rewrite E. auto.
  - intros [Ha [b [Hb H]]]. split; [exact Ha|]. assert (M := mean_at_most_best nu b Hb). lra.
Qed.

(** The optimal arms, in order. *)
Definition optimal_arms (nu : nat -> law) : list nat :=
  filter (fun a => if Rlt_dec (law_mean (nu a)) (best_mean nu) then false else true) (arms K).

Lemma in_optimal_arms nu a : In a (optimal_arms nu) <-> optimal nu a.
Proof.
  unfold optimal_arms, optimal. rewrite filter_In, in_arms. destruct (Rlt_dec _ _) as [H|H].
  - split; [intros [_ E]; discriminate | intros [_ E]; lra].
  - split; [|intros [Ha _]; auto]. intros [Ha _]. split; [exact Ha|].
    assert (M := mean_at_most_best nu a Ha). lra.
Qed.

Lemma with_arm_same nu a p : with_arm nu a p a = p.
Proof. unfold with_arm. now rewrite Nat.eqb_refl. Qed.

Lemma with_arm_other nu a p b : b <> a -> with_arm nu a p b = nu b.
Proof. intros H. unfold with_arm. now rewrite (proj2 (Nat.eqb_neq b a) H). Qed.

Lemma with_arm_in_family D nu a p : instance_of D nu -> D p -> instance_of D (with_arm nu a p).
Proof. intros H Hp b Hb. unfold with_arm. destruct (Nat.eqb b a); auto. Qed.

(** An arm raised above every mean is the unique optimal arm. *)
Lemma raised_above_the_best nu a p : is_arm K a -> best_mean nu < law_mean p -> unique_optimal (with_arm nu a p) a.
Proof.
  intros Ha Hp. assert (S : forall b, is_arm K b -> b <> a -> suboptimal (with_arm nu a p) b).
  { intros b Hb Hne. apply suboptimal_iff. split; [exact Hb|]. exists a. split; [exact Ha|].
    rewrite with_arm_same, with_arm_other by assumption. assert (M := mean_at_most_best nu b Hb). lra. }
  split; [split; [exact Ha|] | exact S].
  destruct (best_is_attained (with_arm nu a p)) as [b [Hb E]]; [unfold is_arm in Ha; lia|].
  destruct (Nat.eq_dec b a) as [->|Hne]; [exact E|]. destruct (S b Hb Hne) as [_ H]. lra.
Qed.

(** The list of optimal arms, if there is one alone. *)
Lemma optimal_arms_of_a_unique_optimum nu a : unique_optimal nu a -> optimal_arms nu = [a].
Proof.
  intros [Ha Hu]. assert (N : NoDup (optimal_arms nu)) by apply NoDup_filter, seq_NoDup.
  assert (I := proj2 (in_optimal_arms nu a) Ha).
  assert (U : forall b, In b (optimal_arms nu) -> b = a).
  { intros b Hb. apply in_optimal_arms in Hb. destruct (Nat.eq_dec b a) as [E|E]; [exact E|].
    destruct (Hu b (proj1 Hb) E) as [_ L]. destruct Hb as [_ Eb]. lra. }
  destruct (optimal_arms nu) as [|b [|c l]]; [destruct I | f_equal; apply U; now left|].
  assert (b = c) by (transitivity a; [|symmetry]; apply U; simpl; auto). subst. inversion N; simpl in *; tauto.
Qed.
End Instances.

(** ** Consistency *)

(** l.300-302 with the expectation that the print leaves out: E_nu[n_T(a)] = o(T^alpha) for every suboptimal arm. *)
Definition consistent {K : nat} (D : law -> Prop) (s : strategy K) : Prop :=
  forall nu, instance_of K D nu -> forall a, suboptimal K nu a -> forall alpha eps, 0 < alpha <= 1 -> 0 < eps ->
    eventually (fun T => expected_plays s nu a T <= eps * Rpower (INR T) alpha).

(** says: P(n_T(a) > eps T^alpha) tends to 0 for every suboptimal arm, eps > 0 and alpha in (0, 1], for every K, every
      family D of finite-support laws, every strategy that is consistent on D in expectation and every instance in D
    paper: l.300-302
    differs: the print defines consistency without the expectation
    breaks: "0 < delta" to "0 <= delta" *)
Theorem consistent_strategies_rarely_play_suboptimal_arms {K : nat} (D : law -> Prop) (s : strategy K) nu a alpha eps
  delta :
  consistent D s -> instance_of K D nu -> suboptimal K nu a -> 0 < alpha <= 1 -> 0 < eps -> 0 < delta ->
  eventually (fun T => probability (history_law s nu T) (fun h =>
    if Rlt_dec (eps * Rpower (INR T) alpha) (plays_in a h) then true else false) <= delta).
Proof.
  intros Hs HD Ha Hal He Hd.
  apply (eventually_mono _ _) with (2 := Hs nu HD a Ha alpha (eps * delta) Hal ltac:(now apply Rmult_lt_0_compat)).
  intros T HT. assert (P : 0 < Rpower (INR T) alpha) by (unfold Rpower; apply exp_pos).
  assert (Q : 0 < eps * Rpower (INR T) alpha) by now apply Rmult_lt_0_compat.
  eapply Rle_trans; [apply (total_markov (history_law s nu T) (plays_in a) _ (eps * Rpower (INR T) alpha) Q
    (plays_in_nonneg a))|].
  - intros h. destruct (Rlt_dec _ _); [lra | discriminate].
  - apply (Rmult_le_reg_r (eps * Rpower (INR T) alpha)); [exact Q|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
    unfold expected_plays in HT. lra.
Qed.

Section Shares.
Context {K : nat}.
Variables (D : law -> Prop) (s : strategy K).

(** E_nu[n_T(a)] / T. *)
Definition share (nu : nat -> law) (a T : nat) : R := expected_plays s nu a T / INR T.

Lemma share_in_the_unit_interval nu a T : (1 <= T)%nat -> 0 <= share nu a T <= 1.
Proof.
  intros HT. apply le_INR in HT. simpl INR in HT. assert (0 < / INR T) by (apply Rinv_0_lt_compat; lra).
  assert (P := expected_plays_nonneg s nu a T). assert (Q := expected_plays_at_most_horizon s nu a T). unfold share,
    Rdiv.
  split; [apply Rmult_le_pos; lra|]. rewrite <- (Rinv_r (INR T)) by lra. apply Rmult_le_compat_r; lra.
Qed.

Lemma shares_sum_to_one nu T : (1 <= T)%nat -> sum (arms K) (fun a => share nu a T) = 1.
Proof.
  intros HT. apply le_INR in HT. simpl INR in HT. unfold share, Rdiv.
  rewrite (sum_ext _ _ (fun a => / INR T * expected_plays s nu a T)) by (intros; lra).
  rewrite sum_scal, expected_plays_sum_to_the_horizon. apply Rinv_l. lra.
Qed.

(** The inequality l.505 with Z = n_T(a)/T. *)
Lemma information_bounds_the_shares nu nu' a T : (forall c, is_arm K c -> dominated (nu c) (nu' c)) -> (1 <= T)%nat ->
  kl_is_finite (share nu a T) (share nu' a T) /\ binary_kl (share nu a T) (share nu' a T) <= information s nu nu' T.
Proof.
  intros Hd HT. assert (S := le_INR _ _ HT). simpl INR in S.
  assert (Z : forall m, history_law s m T (fun h => Rmin 1 (plays_in a h / INR T)) = share m a T).
  { intros m. unfold share, expected_plays, Rdiv. rewrite Rmult_comm, <- total_scal. apply history_law_ext.
    intros h [Hlen _]. assert (L := plays_in_at_most_length a h). rewrite Hlen in L.
    rewrite Rmin_right; [lra|]. apply (Rmult_le_reg_r (INR T)); [lra|]. rewrite Rmult_assoc, Rinv_l; lra. }
  rewrite <- !Z. apply information_bounds_the_binary_divergence; [exact Hd|].
  intros h. split; [|apply Rmin_l]. apply Rmin_glb; [lra|].
  apply Rmult_le_pos; [apply plays_in_nonneg | left; apply Rinv_0_lt_compat; lra].
Qed.

(** If arm [a] has a small share under nu', then a large share under nu costs queries. *)
Lemma a_large_share_costs_queries nu nu' a T b : (forall c, is_arm K c -> dominated (nu c) (nu' c)) -> (1 <= T)%nat ->
  0 < b -> share nu' a T <= b -> share nu a T * - ln b - ln 2 <= information s nu nu' T.
Proof.
  intros Hd HT Hb Hle. destruct (information_bounds_the_shares nu nu' a T Hd HT) as [F I].
  eapply Rle_trans; [|exact I]. apply binary_kl_at_least_with_bound; auto; now apply share_in_the_unit_interval.
Qed.

(** If arm [a] has almost all plays under nu', then a small share under nu costs queries. *)
Lemma a_small_share_costs_queries nu nu' a T b : (forall c, is_arm K c -> dominated (nu c) (nu' c)) -> (1 <= T)%nat ->
  0 < b -> 1 - share nu' a T <= b -> (1 - share nu a T) * - ln b - ln 2 <= information s nu nu' T.
Proof.
  intros Hd HT Hb Hle. destruct (information_bounds_the_shares nu nu' a T Hd HT) as [F I].
  eapply Rle_trans; [|exact I].
  apply binary_kl_at_least_with_bound_of_the_rest; auto; now apply share_in_the_unit_interval.
Qed.

Hypothesis s_is_consistent : consistent D s.

Lemma power_over_T T alpha eps x : (1 <= T)%nat -> x <= eps * Rpower (INR T) alpha ->
  x / INR T <= eps * Rpower (INR T) (alpha - 1).
Proof.
  intros HT H. apply le_INR in HT. simpl INR in HT. apply (Rmult_le_reg_r (INR T)); [lra|].
  replace (x / INR T * INR T) with x by (field; lra). eapply Rle_trans; [exact H|]. right.
  rewrite Rmult_assoc. f_equal. rewrite <- (Rpower_1 (INR T)) at 3 by lra. rewrite <- Rpower_plus. f_equal. lra.
Qed.

(** A suboptimal arm's share is at most eps T^(alpha-1) for large T. *)
Lemma suboptimal_shares_fall nu a alpha eps : instance_of K D nu -> suboptimal K nu a -> 0 < alpha <= 1 -> 0 < eps ->
  eventually (fun T => share nu a T <= eps * Rpower (INR T) (alpha - 1)).
Proof.
  intros HD Ha Hal He. assert (H := s_is_consistent nu HD a Ha alpha eps Hal He).
  apply (eventually_mono _ _) with (2 := eventually_and _ _ H (eventually_at_least 1)). intros T [H1 HT].
  now apply power_over_T.
Qed.

(** says: the expected plays of the optimal arms over T tend to 1, for every K, every family D of finite-support laws,
      every strategy that is consistent on D in expectation and every instance in D
    paper: l.642-647
    differs: all laws have finite support and private seeds are finite, which loses nothing
    breaks: "0 < eps" to "0 <= eps" *)
Theorem optimal_arms_get_almost_all_plays nu eps : instance_of K D nu -> 0 < eps ->
  eventually (fun T => 1 - eps <= sum (optimal_arms K nu) (fun a => share nu a T) <= 1).
Proof.
  intros HD He.
  assert (H : eventually (fun T => forall a, In a (arms K) -> suboptimal K nu a -> share nu a T <= eps / (INR K +
    1))).
  { assert (0 < eps / (INR K + 1)).
    { apply Rdiv_lt_0_compat; [exact He|]. assert (0 <= INR K) by apply pos_INR. lra. }
    apply eventually_for_all_in. intros a _. destruct (Rlt_dec (law_mean (nu a)) (best_mean K nu)) as [L|L].
    - destruct (le_dec 1 a) as [A1|A1]; [destruct (le_dec a K) as [A2|A2]|].
      + assert (S : suboptimal K nu a) by (split; [unfold is_arm; lia | exact L]).
        apply (eventually_mono _ _) with (2 := eventually_and _ _ (suboptimal_shares_fall nu a 1 (eps / (INR K + 1))
          HD S
          ltac:(lra) ltac:(assumption)) (eventually_at_least 1)). intros T [HT H1] _. apply le_INR in H1. simpl INR
            in H1.
        rewrite Rminus_eq_0, Rpower_O in HT by lra. lra.
      + exists O. intros T _ [Hs _]. unfold is_arm in Hs. lia.
      + exists O. intros T _ [Hs _]. unfold is_arm in Hs. lia.
    - exists O. intros T _ [_ Hs]. contradiction. }
  apply (eventually_mono _ _) with (2 := eventually_and _ _ H (eventually_at_least 1)). intros T [HS HT].
  assert (One := shares_sum_to_one nu T HT). unfold optimal_arms. rewrite sum_filter. split.
  - rewrite <- One.
    apply Rle_trans with (sum (arms K) (fun a => (indicator (if Rlt_dec (law_mean (nu a)) (best_mean K nu) then false
      else true) * share nu a T + eps / (INR K + 1))) - eps).
    + assert (M : sum (arms K) (fun a => share nu a T) <= sum (arms K) (fun a => (indicator (if Rlt_dec (law_mean (nu
      a))
        (best_mean K nu) then false else true) * share nu a T + eps / (INR K + 1)))); [|lra].
      apply sum_le. intros a Ha. assert (0 < eps / (INR K + 1)).
      { apply Rdiv_lt_0_compat; [exact He|]. assert (0 <= INR K) by apply pos_INR. lra. }
      destruct (Rlt_dec _ _) as [L|L]; simpl; [|lra]. apply in_arms in Ha. rewrite Rmult_0_l, Rplus_0_l.
      apply HS; [now apply in_arms | now split].
    + rewrite sum_plus, sum_const. unfold arms at 2. rewrite seq_length.
      assert (0 <= INR K) by apply pos_INR.
      assert (INR K * (eps / (INR K + 1)) <= eps); [|lra].
      apply (Rmult_le_reg_r (INR K + 1)); [lra|].
      replace (INR K * (eps / (INR K + 1)) * (INR K + 1)) with (INR K * eps) by (field; lra).
      assert (0 <= INR K * eps) by (apply Rmult_le_pos; lra). lra.
  - rewrite <- One. apply sum_le. intros a _. assert (P := share_in_the_unit_interval nu a T HT).
    destruct (Rlt_dec _ _); simpl; lra.
Qed.

(** says: E n_T(a_star)/T tends to 1 for a unique optimal arm, for every K, every family D of finite-support laws,
      every strategy that is consistent on D in expectation and every instance in D
    paper: l.562-567
    differs: all laws have finite support and private seeds are finite, which loses nothing
    breaks: "0 < eps" to "0 <= eps" *)
Theorem the_unique_optimal_arm_gets_almost_all_plays nu a eps : instance_of K D nu -> unique_optimal K nu a ->
  0 < eps -> eventually (fun T => 1 - eps <= share nu a T <= 1).
Proof.
  intros HD [Ha Hu] He.
  apply (eventually_mono _ _) with (2 := eventually_and _ _ (optimal_arms_get_almost_all_plays nu eps HD He)
    (eventually_at_least 1)).
  intros T [[H _] HT]. split; [|now apply share_in_the_unit_interval]. eapply Rle_trans; [exact H|].
  rewrite (optimal_arms_of_a_unique_optimum K nu a (conj Ha Hu)). unfold sum. simpl. lra.
Qed.
End Shares.

(** Part 3 of the asymptotic lower bounds (l.314, proofs l.613-718), several optimal arms, for families of
    finite-support laws: proved for the liminf of the sum of counts. For the liminf of one count, as printed, it is
    false (CounterexampleMultiple.v); that is proved below for an arm whose mean can be moved both ways, and for the
    limsup of some arm. *)

From Coq Require Import Reals Lra Lia Arith List Bool Classical.
From Bufalu Require Import Sums Expectation TotalExpectation FiniteLaws BinaryDivergence Strategies ChangeOfMeasure
  Consistency LogarithmicGrowth AsymptoticLowerBounds.
Import ListNotations.
Open Scope R_scope.

Section LowerBounds.
Context {K : nat}.
Variables (D : law -> Prop) (s : strategy K).
Hypothesis s_is_consistent : consistent D s.
Variable nu : nat -> law.
Hypothesis nu_is_in_the_family : instance_of K D nu.

Let queries_of (a T : nat) : R := expected_queries s nu a T.

Lemma lowering_an_optimal_arm a b q e : optimal K nu a -> optimal K nu b -> b <> a ->
  D q -> law_mean q < best_mean K nu -> dominated (nu a) q -> 0 < e <= 1 ->
  eventually (fun T => share s nu a T * ((1 - e) * ln (INR T)) - ln 2 <= queries_of a T * divergence (nu a) q).
Proof.
  intros [Ha _] [Hb Eb] Hne Hq Hm Hd He.
  apply (eventually_mono _ _) with (2 := a_share_that_must_be_given_up D s s_is_consistent nu (with_arm nu a q)
    (with_arm_in_family K D nu a q nu_is_in_the_family Hq) (changed_arm_dominates nu a q Hd) a e
    ltac:(apply suboptimal_iff; split; [exact Ha|]; exists b; split; [exact Hb|];
      rewrite with_arm_same, with_arm_other by exact Hne; lra) He).
  intros T HT. now rewrite information_of_one_changed_arm in HT.
Qed.

Lemma raising_an_arm a q e : is_arm K a -> D q -> best_mean K nu < law_mean q -> dominated (nu a) q -> 0 < e <= 1 ->
  eventually (fun T => (1 - share s nu a T) * ((1 - e) * ln (INR T)) - ln 2 <= queries_of a T * divergence (nu a) q).
Proof.
  intros Ha Hq Hm Hd He.
  apply (eventually_mono _ _) with (2 := a_share_that_must_be_taken D s s_is_consistent nu (with_arm nu a q)
    (with_arm_in_family K D nu a q nu_is_in_the_family Hq) (changed_arm_dominates nu a q Hd) a e
    (raised_above_the_best K nu a q Ha Hm) He).
  intros T HT. now rewrite information_of_one_changed_arm in HT.
Qed.

Section SeveralOptima.
Hypothesis there_are_two_optimal_arms : exists a b, optimal K nu a /\ optimal K nu b /\ a <> b.

Lemma lowering_every_optimal_arm (k : nat -> R) :
  (forall a, In a (optimal_arms K nu) -> divergences_below D (nu a) (best_mean K nu) (k a)) ->
  forall d, d < 1 ->
  eventually_at_least_log (fun T => sum (optimal_arms K nu) (fun a => queries_of a T * k a)) d.
Proof.
  intros Hk. apply (almost_one_log_is_enough _ (INR (length (optimal_arms K nu)) * ln 2)). intros e He.
  assert (H : eventually (fun T => forall a, In a (optimal_arms K nu) ->
    share s nu a T * ((1 - e) * ln (INR T)) - ln 2 <= queries_of a T * k a)).
  { apply eventually_for_all_in. intros a Ha. destruct (Hk a Ha) as [q [Hq [Hm [Hd ->]]]].
    apply in_optimal_arms in Ha. destruct there_are_two_optimal_arms as [b [c [Hb [Hc Hne]]]].
    destruct (Nat.eq_dec b a) as [->|E]; [apply (lowering_an_optimal_arm a c) | apply (lowering_an_optimal_arm a b)];
      trivial; congruence. }
  apply (eventually_mono _ _) with (2 := eventually_and _ _ eventually_log_is_positive (eventually_and _ _ H
    (optimal_arms_get_almost_all_plays D s s_is_consistent nu e nu_is_in_the_family ltac:(lra)))).
  intros T [HL [HT [HS _]]]. apply sum_le in HT.
  rewrite (sum_ext _ _ (fun a => (1 - e) * ln (INR T) * share s nu a T + - ln 2)) in HT by (intros; ring).
  rewrite sum_plus, sum_scal, sum_const in HT.
  assert (0 <= (1 - e) * ln (INR T)) by (apply Rmult_le_pos; lra).
  assert ((1 - e) * ln (INR T) * (1 - e) <= (1 - e) * ln (INR T) * sum (optimal_arms K nu) (fun a => share s nu a T))
    by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

(** Part 3 (1), l.314, corrected, in the general form of l.655: if Kinf-(nu_a, mu*, D) <= most for all optimal arms,
    then liminf (sum over the optimal arms of E n^q_T(a))/ln T >= 1/most.
    breaks: "m a <= most" to "most <= m a" *)
Theorem optimal_arms_are_queried_together (m : nat -> R) most :
  (forall a, optimal K nu a -> is_kinf_below D (nu a) (best_mean K nu) (Some (m a)) /\ m a <= most) ->
  liminf_per_log_at_least_inverse (fun T => sum (optimal_arms K nu) (fun a => expected_queries s nu a T)) (Some most).
Proof.
  intros Hm c Hc. apply (the_sum_of_counts_is_logarithmic (optimal_arms K nu) (fun a T => expected_queries s nu a T)
    (fun a => divergences_below D (nu a) (best_mean K nu)) (fun a T => expected_queries_nonneg s nu a T)
    lowering_every_optimal_arm m) with (most := most); [| | |exact Hc].
  - intros a Ha. apply Hm. now apply in_optimal_arms.
  - intros a Ha. apply Hm. now apply in_optimal_arms.
  - destruct there_are_two_optimal_arms as [a [_ [Ha _]]]. destruct (Hm a Ha) as [Hi Hle].
    eapply Rle_trans; [|exact Hle]. apply (an_infimum_is_nonneg _ _ (divergences_below_are_nonneg D (nu a) _) Hi).
Qed.

(** says: with at least two optimal arms and Kinf-(nu_a, mu*, D) = 0 for all of them, their expected queries together
      exceed every multiple of ln T for all large T, for every K, every family D of finite-support laws, every
      strategy that is consistent on D in expectation and every instance in D
    paper: l.314, l.655-658
    differs: the sum over the optimal arms, where the print has one arm; all laws have finite support and private
      seeds are finite, which loses nothing
    breaks: "(Some 0)" to "(Some 1)" *)
Theorem with_several_optima_queries_are_super_logarithmic_if_means_can_fall :
  (forall a, optimal K nu a -> is_kinf_below D (nu a) (best_mean K nu) (Some 0)) ->
  super_logarithmic (fun T => sum (optimal_arms K nu) (fun a => expected_queries s nu a T)).
Proof.
  intros H c. apply (optimal_arms_are_queried_together (fun _ => 0) 0).
  - intros a Ha. split; [now apply H | lra].
  - simpl. lra.
Qed.

(** says: with at least two optimal arms of finite Kinf-, for every M and d < 1 and all large T some optimal arm has
      more than M ln T expected queries, or sum_a Kinf-_a E n^q_T(a) >= d ln T over the optimal arms, for every K,
      every family D of finite-support laws, every strategy that is consistent on D in expectation and every instance
      in D
    paper: l.659-663
    differs: the limit inferior of the sum, where the print has the sum of limits inferior; the convention 0 times
      infinity >= 1 is spelt out by M; all laws have finite support and private seeds are finite, which loses nothing
    breaks: "d < 1" to "d <= 1" *)
Theorem weighted_optimal_arms_are_queried_together (m : nat -> R) M d :
  (forall a, optimal K nu a -> is_kinf_below D (nu a) (best_mean K nu) (Some (m a))) -> d < 1 ->
  eventually (fun T => (exists a, In a (optimal_arms K nu) /\ M * ln (INR T) < expected_queries s nu a T) \/
    d * ln (INR T) <= sum (optimal_arms K nu) (fun a => m a * expected_queries s nu a T)).
Proof.
  intros Hm Hd. apply (the_weighted_sum_of_counts_is_logarithmic (optimal_arms K nu) (fun a T => expected_queries s
    nu a T)
    (fun a => divergences_below D (nu a) (best_mean K nu)) (fun a T => expected_queries_nonneg s nu a T)
    lowering_every_optimal_arm m); [|exact Hd].
  intros a Ha. apply Hm. now apply in_optimal_arms.
Qed.
End SeveralOptima.

Lemma raising_two_arms a b q q' : is_arm K a -> is_arm K b -> a <> b ->
  D q -> best_mean K nu < law_mean q -> dominated (nu a) q ->
  D q' -> best_mean K nu < law_mean q' -> dominated (nu b) q' -> forall d, d < 1 ->
  eventually_at_least_log (fun T => queries_of a T * divergence (nu a) q + queries_of b T * divergence (nu b) q') d.
Proof.
  intros Ha Hb Hne Hq Hm Hd Hq' Hm' Hd'. apply (almost_one_log_is_enough _ (2 * ln 2)). intros e He.
  apply (eventually_mono _ _) with (2 := eventually_and _ _ eventually_log_is_positive (eventually_and _ _
    (eventually_at_least 1) (eventually_and _ _ (raising_an_arm a q e Ha Hq Hm Hd He) (raising_an_arm b q' e Hb Hq'
      Hm' Hd' He)))).
  intros T [HL [HT [H1 H2]]].
  assert (S : share s nu a T + share s nu b T <= 1).
  { rewrite <- (shares_sum_to_one s nu T HT), (sum_split_off_arm K a _ Ha), Rplus_comm. apply Rplus_le_compat_r.
    apply (term_le_sum (others K a) (fun c => share s nu c T)); [apply in_others; split; [exact Hb | congruence]|].
    intros c _. now apply share_in_the_unit_interval. }
  assert (0 <= (1 - e) * ln (INR T)) by (apply Rmult_le_pos; lra).
  assert ((1 - e) * ((1 - e) * ln (INR T)) <= (1 - share s nu a T + (1 - share s nu b T)) * ((1 - e) * ln (INR T)))
    by (apply Rmult_le_compat_r; lra).
  lra.
Qed.

(** Part 3 (2), l.314, corrected, in the general form of l.705: for two optimal arms, liminf (E n^q_T(a) + E
    n^q_T(b))/ln T >= 1/max{Kinf+(nu_a, mu*, D), Kinf+(nu_b, mu*, D)}. (Any two arms will do.) *)
Theorem two_arms_that_could_be_better_are_queried_together a b i j : is_arm K a -> is_arm K b -> a <> b ->
  is_kinf_above D (nu a) (best_mean K nu) i -> is_kinf_above D (nu b) (best_mean K nu) j ->
  liminf_per_log_at_least_inverse (fun T => expected_queries s nu a T + expected_queries s nu b T) (larger_infimum i
    j).
Proof.
  intros Ha Hb Hne Hi Hj. apply (from_two_arms _ _ (divergences_above D (nu a) (best_mean K nu))
    (divergences_above D (nu b) (best_mean K nu)) (expected_queries_nonneg s nu a) (expected_queries_nonneg s nu b)
    (divergences_above_are_nonneg D (nu a) _)); [|exact Hi | exact Hj].
  intros k k' [q [Hq [Hm [Hd ->]]]] [q' [Hq' [Hm' [Hd' ->]]]]. now apply raising_two_arms.
Qed.

(** says: for two arms with Kinf+(nu_a, mu*, D) = Kinf+(nu_b, mu*, D) = 0, optimal or not, the expected queries of the
      two together exceed every multiple of ln T for all large T, for every K, every family D of finite-support laws,
      every strategy that is consistent on D in expectation and every instance in D
    paper: l.314, l.706-712
    differs: the sum of the two arms, where the print has one arm; all laws have finite support and private seeds
      are finite, which loses nothing
    breaks: "a <> b" to "a = a" *)
Theorem with_several_optima_queries_are_super_logarithmic_if_means_can_rise a b : is_arm K a -> is_arm K b -> a <> b
  ->
  is_kinf_above D (nu a) (best_mean K nu) (Some 0) -> is_kinf_above D (nu b) (best_mean K nu) (Some 0) ->
  super_logarithmic (fun T => expected_queries s nu a T + expected_queries s nu b T).
Proof.
  intros Ha Hb Hne Hi Hj c.
  apply (two_arms_that_could_be_better_are_queried_together a b (Some 0) (Some 0) Ha Hb Hne Hi Hj).
  simpl. rewrite Rmax_left; lra.
Qed.

(** says: for two arms of finite Kinf+ at mu*, for every M and d < 1 and all large T one of the two has more than M ln
      T expected queries, or Kinf+_a E n^q_T(a) + Kinf+_b E n^q_T(b) >= d ln T, for every K, every family D of
      finite-support laws, every strategy that is consistent on D in expectation and every instance in D
    paper: l.712-716
    differs: the limit inferior of the sum, where the print has the sum of limits inferior; the convention 0 times
      infinity >= 1 is spelt out by M; all laws have finite support and private seeds are finite, which loses nothing
    breaks: "d < 1" to "d <= 1" *)
Theorem two_weighted_arms_that_could_be_better a b m n M d : is_arm K a -> is_arm K b -> a <> b ->
  is_kinf_above D (nu a) (best_mean K nu) (Some m) -> is_kinf_above D (nu b) (best_mean K nu) (Some n) -> d < 1 ->
  eventually (fun T => M * ln (INR T) < expected_queries s nu a T \/ M * ln (INR T) < expected_queries s nu b T \/
    d * ln (INR T) <= m * expected_queries s nu a T + n * expected_queries s nu b T).
Proof.
  intros Ha Hb Hne Hi Hj. apply (weighted_from_two_arms _ _ (divergences_above D (nu a) (best_mean K nu))
    (divergences_above D (nu b) (best_mean K nu)) (expected_queries_nonneg s nu a) (expected_queries_nonneg s nu b));
      trivial.
  intros k k' [q [Hq [Hm [Hd ->]]]] [q' [Hq' [Hm' [Hd' ->]]]]. now apply raising_two_arms.
Qed.

(** ** What holds for one arm *)

(** says: beside another optimal arm, an optimal arm with Kinf+(nu_a, mu*, D) = Kinf-(nu_a, mu*, D) = 0 is itself
      queried more than every multiple of ln T for all large T, for every K, every family D of finite-support laws,
      every strategy that is consistent on D in expectation and every instance in D
    paper: l.226, l.314
    differs: both Kinf are 0; all laws have finite support and private seeds are finite, which loses nothing, while the table speaks of
      Gaussian arms
    breaks: "b <> a" to "b = b" *)
Theorem an_optimal_arm_that_can_move_both_ways_is_queried_super_logarithmically a b :
  optimal K nu a -> optimal K nu b -> b <> a ->
  is_kinf_above D (nu a) (best_mean K nu) (Some 0) -> is_kinf_below D (nu a) (best_mean K nu) (Some 0) ->
  super_logarithmic (expected_queries s nu a).
Proof.
  intros Ha Hb Hne Hi Hj c.
  assert (W : forall k k', divergences_above D (nu a) (best_mean K nu) k -> divergences_below D (nu a) (best_mean K
    nu) k' ->
    forall d, d < 1 -> eventually_at_least_log (fun T => queries_of a T * k + queries_of a T * k') d).
  { intros k k' [q [Hq [Hm [Hd ->]]]] [q' [Hq' [Hm' [Hd' ->]]]].
    apply (almost_one_log_is_enough _ (2 * ln 2)). intros e He.
    apply (eventually_mono _ _) with (2 := eventually_and _ _ eventually_log_is_positive (eventually_and _ _
      (raising_an_arm a q e (proj1 Ha) Hq Hm Hd He) (lowering_an_optimal_arm a b q' e Ha Hb Hne Hq' Hm' Hd' He))).
    intros T [HL [H1 H2]].
    assert (0 <= (1 - e) * ln (INR T)) by (apply Rmult_le_pos; lra).
    assert ((1 - e) * ((1 - e) * ln (INR T)) <= 1 * ((1 - e) * ln (INR T))) by (apply Rmult_le_compat_r; lra).
    lra. }
  assert (H : eventually_at_least_log (fun T => queries_of a T + queries_of a T) (2 * c)).
  { apply (from_two_arms (queries_of a) (queries_of a) _ _ (expected_queries_nonneg s nu a)
      (expected_queries_nonneg s nu a) (divergences_above_are_nonneg D (nu a) _) W (Some 0) (Some 0) Hi Hj).
    simpl. rewrite Rmax_left; lra. }
  apply (eventually_mono _ _) with (2 := H). intros T HT. unfold queries_of in HT. lra.
Qed.
End LowerBounds.

(** ** Some arm, infinitely often *)

(** If a sum of counts is super-logarithmic then, for some arm of it, limsup f_a(T)/ln T = +infinity. *)
Lemma some_count_is_super_logarithmic_infinitely_often (l : list nat) (f : nat -> nat -> R) :
  super_logarithmic (fun T => sum l (fun a => f a T)) ->
  exists a, In a l /\ forall c N, exists T, (N <= T)%nat /\ c * ln (INR T) <= f a T.
Proof.
  intros H. apply NNPP. intros Hno.
  assert (B : forall a, In a l -> exists c, eventually (fun T => f a T < c * ln (INR T))).
  { intros a Ha. apply NNPP. intros Ha'. apply Hno. exists a. split; [exact Ha|]. intros c N. apply NNPP. intros HT.
    apply Ha'. exists c. exists N. intros T HN. apply Rnot_le_lt. intros Hle. apply HT. now exists T. }
  apply finite_choice in B. destruct B as [c Hc]. apply eventually_for_all_in in Hc.
  destruct (eventually_and _ _ Hc (eventually_and _ _ eventually_log_is_positive (H (sum l c + 1)))) as [N HN].
  destruct (HN N (le_n N)) as [H1 [H2 H3]].
  assert (M : sum l (fun a => f a N) <= sum l (fun a => ln (INR N) * c a)).
  { apply sum_le. intros a Ha. specialize (H1 a Ha). lra. }
  rewrite sum_scal in M. lra.
Qed.

(** says: under condition (1) some optimal arm has limsup E n^q_T(a)/ln T = +infinity, for every K, every family D of
      finite-support laws, every strategy that is consistent on D in expectation and every instance in D
    paper: l.314
    differs: limit superior, where the print has limit inferior
    breaks: "forall c N, exists T, (N <= T)%nat /\" to "forall c, exists N, forall T, (N <= T)%nat ->" *)
Theorem some_optimal_arm_is_queried_super_logarithmically_infinitely_often {K} (D : law -> Prop) (s : strategy K) nu :
  consistent D s -> instance_of K D nu -> (exists a b, optimal K nu a /\ optimal K nu b /\ a <> b) ->
  (forall a, optimal K nu a -> is_kinf_below D (nu a) (best_mean K nu) (Some 0)) ->
  exists a, optimal K nu a /\ forall c N, exists T, (N <= T)%nat /\ c * ln (INR T) <= expected_queries s nu a T.
Proof.
  intros Hs Hnu Htwo H. destruct (some_count_is_super_logarithmic_infinitely_often (optimal_arms K nu)
    (fun a T => expected_queries s nu a T)) as [a [Ha Hinf]].
  - now apply (with_several_optima_queries_are_super_logarithmic_if_means_can_fall D).
  - exists a. split; [now apply in_optimal_arms | exact Hinf].
Qed.

(** says: if the optimal arms, at least two, have at most C ln T expected queries together for infinitely many T, then
      Kinf- is not 0 for some optimal arm and Kinf+ is 0 for at most one, for every K, every family D of
      finite-support laws, every strategy that is consistent on D in expectation and every instance in D
    paper: l.321
    differs: all laws have finite support and private seeds are finite, which loses nothing
    breaks: "-> a = b)" to "-> False)" *)
Theorem logarithmic_queries_need_both_conditions_to_fail {K} (D : law -> Prop) (s : strategy K) nu C :
  consistent D s -> instance_of K D nu -> (exists a b, optimal K nu a /\ optimal K nu b /\ a <> b) ->
  (forall N, exists T, (N <= T)%nat /\ sum (optimal_arms K nu) (fun a => expected_queries s nu a T) <= C * ln (INR
    T)) ->
  (exists a, optimal K nu a /\ ~ is_kinf_below D (nu a) (best_mean K nu) (Some 0)) /\
  (forall a b, optimal K nu a -> optimal K nu b -> is_kinf_above D (nu a) (best_mean K nu) (Some 0) ->
    is_kinf_above D (nu b) (best_mean K nu) (Some 0) -> a = b).
Proof.
  intros Hs Hnu Htwo Hlog.
  assert (No : ~ super_logarithmic (fun T => sum (optimal_arms K nu) (fun a => expected_queries s nu a T))).
  { intros H. destruct (eventually_and _ _ (H (C + 1)) eventually_log_is_positive) as [N HN].
    destruct (Hlog N) as [T [HT Hle]]. destruct (HN T HT) as [H1 H2]. lra. }
  split.
  - apply NNPP. intros Hnone. apply No.
    apply (with_several_optima_queries_are_super_logarithmic_if_means_can_fall D); trivial.
    intros a Ha. apply NNPP. intros Hn. apply Hnone. now exists a.
  - intros a b Ha Hb Hi Hj. apply NNPP. intros Hne. apply No. intros c.
    assert (H := with_several_optima_queries_are_super_logarithmic_if_means_can_rise D s Hs nu Hnu a b
      (proj1 Ha) (proj1 Hb) Hne Hi Hj c).
    apply (eventually_mono _ _) with (2 := H). intros T HT. eapply Rle_trans; [exact HT|].
    apply in_optimal_arms in Ha. apply in_optimal_arms in Hb.
    destruct (in_split a _ Ha) as [l1 [l2 E]]. rewrite E, sum_app in *.
    change (sum (a :: l2) (fun a => expected_queries s nu a T))
      with (expected_queries s nu a T + sum l2 (fun a => expected_queries s nu a T)).
    assert (P : forall l, 0 <= sum l (fun a => expected_queries s nu a T))
      by (intros l; apply sum_nonneg; intros; apply expected_queries_nonneg).
    assert (P1 := P l1). assert (P2 := P l2). apply in_app_or in Hb. destruct Hb as [Hb|[Hb|Hb]]; [|congruence|].
    + assert (Q := term_le_sum l1 (fun a => expected_queries s nu a T) b Hb (fun c _ => expected_queries_nonneg s nu
      c T)).
      lra.
    + assert (Q := term_le_sum l2 (fun a => expected_queries s nu a T) b Hb (fun c _ => expected_queries_nonneg s nu
      c T)).
      lra.
Qed.

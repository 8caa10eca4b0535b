(** Parts 1 and 2 of the asymptotic lower bounds on queries (l.308-313, proofs l.521-611), for families of
    finite-support laws. The second half of part 2 is proved for the liminf of the sum of two counts; for the sum of
    the two liminfs, as printed, it is false (CounterexampleUnique.v). *)

From Coq Require Import Reals Lra Lia Arith List Bool Classical.
From Bufalu Require Import Sums Expectation TotalExpectation FiniteLaws BinaryDivergence Strategies ChangeOfMeasure
  Consistency LogarithmicGrowth.
Import ListNotations.
Open Scope R_scope.

(** The larger of two Kinf. *)
Definition larger_infimum (i j : option R) : option R :=
  match i, j with
  | Some m, Some n => Some (Rmax m n)
  | _, _ => None
  end.

Lemma nonneg_counts_exceed_negative_logs f c : (forall T, 0 <= f T) -> c < 0 -> eventually_at_least_log f c.
Proof.
  intros Hf Hc. apply (eventually_mono _ _) with (2 := eventually_log_is_positive). intros T HT. specialize (Hf T).
  assert (0 <= (- c) * ln (INR T)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma from_one_arm (f : nat -> R) (S : R -> Prop) kinf : (forall T, 0 <= f T) -> (forall k, S k -> 0 <= k) ->
  is_infimum S kinf -> (forall k, S k -> forall d, d < 1 -> eventually_at_least_log (fun T => f T * k) d) ->
  liminf_per_log_at_least_inverse f kinf.
Proof.
  intros Hf Hpos Hinf H c Hc. destruct kinf as [m|]; [|now apply nonneg_counts_exceed_negative_logs].
  assert (G := the_sum_of_counts_is_logarithmic [O] (fun _ => f) (fun _ => S) ltac:(auto)).
  specialize (G ltac:(intros k Hk d Hd; apply (eventually_mono _ _) with (2 := H (k O) (Hk O ltac:(now left)) d Hd);
    intros T HT; unfold sum; simpl; lra) (fun _ => m) ltac:(auto) m c ltac:(intros; lra)
    (an_infimum_is_nonneg S m Hpos Hinf) Hc).
  apply (eventually_mono _ _) with (2 := G). intros T HT. unfold sum in HT. simpl in HT. lra.
Qed.

Section TwoArms.
Variables (f g : nat -> R) (S S' : R -> Prop).
Hypothesis f_nonneg : forall T, 0 <= f T.
Hypothesis g_nonneg : forall T, 0 <= g T.
Hypothesis S_nonneg : forall k, S k -> 0 <= k.
Hypothesis information_is_logarithmic : forall k k', S k -> S' k' ->
  forall d, d < 1 -> eventually_at_least_log (fun T => f T * k + g T * k') d.

Let count (i : nat) : nat -> R := match i with O => f | _ => g end.
Let divergences (i : nat) : R -> Prop := match i with O => S | _ => S' end.

Let as_a_list : forall k : nat -> R, (forall a, In a [0; 1]%nat -> divergences a (k a)) -> forall d, d < 1 ->
  eventually_at_least_log (fun T => sum [0; 1]%nat (fun a => count a T * k a)) d.
Proof.
  intros k Hk d Hd. apply (eventually_mono _ _)
    with (2 := information_is_logarithmic (k O) (k 1%nat) (Hk O ltac:(simpl; auto)) (Hk 1%nat ltac:(simpl; auto)) d
      Hd).
  intros T HT. unfold sum. simpl. lra.
Qed.

Lemma from_two_arms i j : is_infimum S i -> is_infimum S' j ->
  liminf_per_log_at_least_inverse (fun T => f T + g T) (larger_infimum i j).
Proof.
  intros Hi Hj c Hc. assert (P : forall T, 0 <= f T + g T) by (intros T; specialize (f_nonneg T); specialize
    (g_nonneg T); lra).
  destruct i as [m|]; [destruct j as [n|]|]; simpl in Hc; try now apply nonneg_counts_exceed_negative_logs.
  assert (G := the_sum_of_counts_is_logarithmic [0; 1]%nat count divergences ltac:(intros [|a]; auto) as_a_list
    (fun a => match a with O => m | _ => n end) ltac:(intros [|a] _; assumption) (Rmax m n) c
    ltac:(intros [|a] _; [apply Rmax_l | apply Rmax_r])
    ltac:(eapply Rle_trans; [apply (an_infimum_is_nonneg S m S_nonneg Hi) | apply Rmax_l]) Hc).
  apply (eventually_mono _ _) with (2 := G). intros T HT. unfold sum in HT. simpl in HT. lra.
Qed.

Lemma weighted_from_two_arms m n M d : is_infimum S (Some m) -> is_infimum S' (Some n) -> d < 1 ->
  eventually (fun T => M * ln (INR T) < f T \/ M * ln (INR T) < g T \/ d * ln (INR T) <= m * f T + n * g T).
Proof.
  intros Hi Hj Hd.
  assert (G := the_weighted_sum_of_counts_is_logarithmic [0; 1]%nat count divergences ltac:(intros [|a]; auto)
    as_a_list
    (fun a => match a with O => m | _ => n end) ltac:(intros [|a] _; assumption) M d Hd).
  apply (eventually_mono _ _) with (2 := G). intros T [[a [[<-|[<-|[]]] H]]|H]; auto.
  right. right. unfold sum in H. simpl in H. lra.
Qed.
End TwoArms.

Section LowerBounds.
Context {K : nat}.
Variables (D : law -> Prop) (s : strategy K).
Hypothesis s_is_consistent : consistent D s.
Variable nu : nat -> law.
Hypothesis nu_is_in_the_family : instance_of K D nu.

Let queries_of (a T : nat) : R := expected_queries s nu a T.

(** ** Part 1 *)

(** A law above mu* for a suboptimal arm: E n^q_T(a) KL(nu_a, q) >= d ln T for every d < 1 and all large T. *)
Lemma raising_a_suboptimal_arm a q : suboptimal K nu a -> D q -> best_mean K nu < law_mean q -> dominated (nu a) q ->
  forall d, d < 1 -> eventually_at_least_log (fun T => queries_of a T * divergence (nu a) q) d.
Proof.
  intros Ha Hq Hmean Hdom. apply (almost_one_log_is_enough _ (ln 2)). intros e He.
  apply (eventually_mono _ _) with (2 := eventually_and _ _ eventually_log_is_positive (eventually_and _ _
    (a_share_that_must_be_taken D s s_is_consistent nu (with_arm nu a q) (with_arm_in_family K D nu a q
      nu_is_in_the_family Hq) (changed_arm_dominates nu a q Hdom) a e (raised_above_the_best K nu a q (proj1 Ha)
        Hmean) He)
    (eventually_and _ _ (eventually_at_least 1)
      (suboptimal_shares_fall D s s_is_consistent nu a 1 e nu_is_in_the_family Ha ltac:(lra) ltac:(lra))))).
  intros T [HL [HI [HT HS]]]. rewrite information_of_one_changed_arm in HI by apply Ha.
  rewrite Rminus_eq_0, Rpower_O in HS by (apply lt_0_INR; lia).
  assert (0 <= (1 - e) * ln (INR T)) by (apply Rmult_le_pos; lra).
  assert ((1 - e) * ((1 - e) * ln (INR T)) <= (1 - share s nu a T) * ((1 - e) * ln (INR T)))
    by (apply Rmult_le_compat_r; lra).
  unfold queries_of. lra.
Qed.

(** says: liminf E n^q_T(a)/ln T >= 1/Kinf+(nu_a, mu*, D) for every suboptimal arm, for every K, every family D of
      finite-support laws, every strategy that is consistent on D in expectation and every instance in D
    paper: l.308
    differs: all laws have finite support and private seeds are finite, which loses nothing; a limit inferior of at least x is stated
      as: for every c below x, eventually at least c ln T
    breaks: "(best_mean K nu)" to "(law_mean (nu a))" *)
Theorem suboptimal_arms_are_queried_logarithmically a kinf : suboptimal K nu a ->
  is_kinf_above D (nu a) (best_mean K nu) kinf ->
  liminf_per_log_at_least_inverse (expected_queries s nu a) kinf.
Proof.
  intros Ha Hk. apply (from_one_arm _ _ kinf (expected_queries_nonneg s nu a)
    (divergences_above_are_nonneg D (nu a) (best_mean K nu)) Hk).
  intros k [q [Hq [Hmean [Hdom ->]]]]. now apply raising_a_suboptimal_arm.
Qed.

(** ** Part 2 *)

(** An alternative instance in which the unique optimal arm is suboptimal carries d ln T of information. *)
Lemma dethroning_the_unique_optimal_arm a nu' : unique_optimal K nu a -> instance_of K D nu' ->
  (forall b, is_arm K b -> dominated (nu b) (nu' b)) -> suboptimal K nu' a ->
  forall d, d < 1 -> eventually_at_least_log (information s nu nu') d.
Proof.
  intros Ha Hnu' Hdom Hsub. apply (almost_one_log_is_enough _ (ln 2)). intros e He.
  apply (eventually_mono _ _) with (2 := eventually_and _ _ eventually_log_is_positive (eventually_and _ _
    (a_share_that_must_be_given_up D s s_is_consistent nu nu' Hnu' Hdom a e Hsub He)
    (the_unique_optimal_arm_gets_almost_all_plays D s s_is_consistent nu a e nu_is_in_the_family Ha ltac:(lra)))).
  intros T [HL [HI [HS _]]].
  assert (0 <= (1 - e) * ln (INR T)) by (apply Rmult_le_pos; lra).
  assert ((1 - e) * ((1 - e) * ln (INR T)) <= share s nu a T * ((1 - e) * ln (INR T)))
    by (apply Rmult_le_compat_r; lra).
  lra.
Qed.

(** says: liminf E n^q_T(a_star)/ln T >= 1/Kinf-(nu_a_star, mu_b, D) for a unique optimal arm and every other arm b,
      for every K, every family D of finite-support laws, every strategy that is consistent on D in expectation and
      every instance in D
    paper: l.309
    differs: all laws have finite support and private seeds are finite, which loses nothing; mu^s is the largest mu_b; a limit inferior
      of at least x is stated as: for every c below x, eventually at least c ln T
    breaks: "(law_mean (nu b))" to "(law_mean (nu a))" *)
Theorem the_unique_optimal_arm_is_queried_logarithmically a b kinf : unique_optimal K nu a -> is_arm K b -> b <> a ->
  is_kinf_below D (nu a) (law_mean (nu b)) kinf ->
  liminf_per_log_at_least_inverse (expected_queries s nu a) kinf.
Proof.
  intros Ha Hb Hne Hk. apply (from_one_arm _ _ kinf (expected_queries_nonneg s nu a)
    (divergences_below_are_nonneg D (nu a) (law_mean (nu b))) Hk).
  intros k [q [Hq [Hmean [Hdom ->]]]] d Hd. assert (Aa := proj1 (proj1 Ha)).
  apply (eventually_mono _ _) with (2 := dethroning_the_unique_optimal_arm a (with_arm nu a q) Ha
    (with_arm_in_family K D nu a q nu_is_in_the_family Hq) (changed_arm_dominates nu a q Hdom)
    ltac:(apply suboptimal_iff; split; [exact Aa|]; exists b; split; [exact Hb|];
      rewrite with_arm_same, with_arm_other by exact Hne; exact Hmean) d Hd).
  intros T HT. now rewrite information_of_one_changed_arm in HT.
Qed.

Lemma exchanging_two_arms a b mu q q' : unique_optimal K nu a -> is_arm K b -> b <> a ->
  D q -> mu < law_mean q -> dominated (nu b) q -> D q' -> law_mean q' < mu -> dominated (nu a) q' ->
  forall d, d < 1 ->
  eventually_at_least_log (fun T => queries_of b T * divergence (nu b) q + queries_of a T * divergence (nu a) q') d.
Proof.
  intros Ha Hb Hne Hq Hm Hd Hq' Hm' Hd' d Hlt. assert (Aa := proj1 (proj1 Ha)).
  apply (eventually_mono _ _) with (2 := dethroning_the_unique_optimal_arm a (with_arm (with_arm nu b q) a q') Ha
    (with_arm_in_family K D _ a q' (with_arm_in_family K D nu b q nu_is_in_the_family Hq) Hq')
    ltac:(intros c Hc; unfold with_arm; destruct (Nat.eqb_spec c a) as [->|_]; [exact Hd'|];
      destruct (Nat.eqb_spec c b) as [->|_]; [exact Hd | apply dominated_by_itself])
    ltac:(apply suboptimal_iff; split; [exact Aa|]; exists b; split; [exact Hb|];
      rewrite with_arm_same, with_arm_other, with_arm_same by exact Hne; lra) d Hlt).
  intros T HT. now rewrite information_of_two_changed_arms in HT.
Qed.

(** says: liminf (E n^q_T(b) + E n^q_T(a_star))/ln T >= 1/max{Kinf+(nu_b, mu, D), Kinf-(nu_a_star, mu, D)} for a
      unique optimal arm, every other arm b and every real mu, for every K, every family D of finite-support laws,
      every strategy that is consistent on D in expectation and every instance in D
    paper: l.309-313, l.591-601
    differs: the limit inferior of the sum, where the print has the sum of limits inferior; all laws have finite
      support and private seeds are finite, which loses nothing; mu is any number; a limit inferior of at least x is stated as: for
      every c below x, eventually at least c ln T
    breaks: "expected_queries s nu b T + expected_queries s nu a T" to "expected_queries s nu a T" *)
Theorem a_pair_with_the_unique_optimal_arm_is_queried_logarithmically a b mu above below :
  unique_optimal K nu a -> is_arm K b -> b <> a ->
  is_kinf_above D (nu b) mu above -> is_kinf_below D (nu a) mu below ->
  liminf_per_log_at_least_inverse (fun T => expected_queries s nu b T + expected_queries s nu a T)
    (larger_infimum above below).
Proof.
  intros Ha Hb Hne Hi Hj. apply (from_two_arms _ _ (divergences_above D (nu b) mu)
    (divergences_below D (nu a) mu) (expected_queries_nonneg s nu b) (expected_queries_nonneg s nu a)
    (divergences_above_are_nonneg D (nu b) mu)); [|exact Hi | exact Hj].
  intros k k' [q [Hq [Hm [Hd ->]]]] [q' [Hq' [Hm' [Hd' ->]]]]. now apply (exchanging_two_arms a b mu).
Qed.

(** says: if Kinf+(nu_b, mu, D) and Kinf-(nu_a_star, mu, D) are finite, then for every M and d < 1 and all large T one
      of the two counts exceeds M ln T, or Kinf+ E n^q_T(b) + Kinf- E n^q_T(a_star) >= d ln T, for a unique optimal
      arm and every other arm b, for every K, every family D of finite-support laws, every strategy that is consistent
      on D in expectation and every instance in D
    paper: l.603-611
    differs: the limit inferior of the sum, where the print has the sum of limits inferior; the convention 0 times
      infinity >= 1 is spelt out by M; all laws have finite support and private seeds are finite, which loses nothing
    breaks: "d < 1" to "d <= 1" *)
Theorem a_weighted_pair_with_the_unique_optimal_arm a b mu m n M d :
  unique_optimal K nu a -> is_arm K b -> b <> a ->
  is_kinf_above D (nu b) mu (Some m) -> is_kinf_below D (nu a) mu (Some n) -> d < 1 ->
  eventually (fun T => M * ln (INR T) < expected_queries s nu b T \/ M * ln (INR T) < expected_queries s nu a T \/
    d * ln (INR T) <= m * expected_queries s nu b T + n * expected_queries s nu a T).
Proof.
  intros Ha Hb Hne Hi Hj. apply (weighted_from_two_arms _ _ (divergences_above D (nu b) mu)
    (divergences_below D (nu a) mu) (expected_queries_nonneg s nu b) (expected_queries_nonneg s nu a)); trivial.
  intros k k' [q [Hq [Hm [Hd ->]]]] [q' [Hq' [Hm' [Hd' ->]]]]. now apply (exchanging_two_arms a b mu).
Qed.
End LowerBounds.

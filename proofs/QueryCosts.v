(** Regret of a strategy, query-aware regret with a price for every query (l.321-325, l.752-764), for families of
    finite-support laws. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Expectation TotalExpectation FiniteLaws Strategies Consistency LogarithmicGrowth AsymptoticLowerBounds
  SeveralOptima.
Import ListNotations.
Open Scope R_scope.

Section Regret.
Context {K : nat}.
Variables (s : strategy K) (nu : nat -> law).

(** Delta_a. *)
Definition gap_of (a : nat) : R := best_mean K nu - law_mean (nu a).

(** Reg(T), l.270, and Reg^q(T), l.754, with a price [c] for every query. *)
Definition expected_regret (T : nat) : R := history_law s nu T (fun h => sum h (fun o => gap_of (arm o))).
Definition query_aware_regret (c : R) (T : nat) : R :=
  history_law s nu T (fun h => sum h (fun o => gap_of (arm o) + c * indicator (is_query o))).

Lemma gap_of_nonneg a : is_arm K a -> 0 <= gap_of a.
Proof. intros Ha. assert (M := mean_at_most_best K nu a Ha). unfold gap_of. lra. Qed.

(** l.754-756: Reg^q(T) = sum_a (Delta_a E n_T(a) + c E n^q_T(a)). *)
Theorem query_aware_regret_decomposes c T : query_aware_regret c T
  = sum (arms K) (fun a => gap_of a * expected_plays s nu a T + c * expected_queries s nu a T).
Proof.
  unfold query_aware_regret.
  rewrite (history_law_ext s nu T _ (fun h => sum (arms K) (fun a => gap_of a * plays_in a h + c * queries_in a h))).
  - rewrite (total_sum (history_law s nu T) (arms K) (fun a h => gap_of a * plays_in a h + c * queries_in a h)).
    apply sum_ext. intros a _. rewrite total_plus, !total_scal. reflexivity.
  - intros h [_ Harms]. unfold plays_in, queries_in.
    rewrite (sum_ext (arms K) _ (fun a => sum h (fun o => gap_of a * indicator (Nat.eqb (arm o) a)
      + (c * indicator (is_query o)) * indicator (Nat.eqb (arm o) a)))).
    + rewrite sum_swap. apply sum_ext. intros o Ho. rewrite Forall_forall in Harms. specialize (Harms o Ho).
      rewrite sum_plus, (sum_over_arms_picks K (arm o) gap_of Harms),
        (sum_over_arms_picks K (arm o) (fun _ => c * indicator (is_query o)) Harms). reflexivity.
    + intros a _. rewrite sum_plus, <- !sum_scal. f_equal. apply sum_ext. intros o _.
      destruct (Nat.eqb _ _), (is_query o); simpl; lra.
Qed.

(** says: Reg(T) = sum_a Delta_a E n_T(a) for every strategy, instance and T
    paper: l.270
    differs: all laws have finite support and private seeds are finite, which loses nothing
    breaks: "expected_plays" to "expected_queries" *)
Theorem expected_regret_decomposes T :
  expected_regret T = sum (arms K) (fun a => gap_of a * expected_plays s nu a T).
Proof.
  transitivity (query_aware_regret 0 T).
  - unfold expected_regret, query_aware_regret. apply total_ext. intros h. apply sum_ext. intros; lra.
  - rewrite query_aware_regret_decomposes. apply sum_ext. intros; lra.
Qed.

(** says: Reg^q(T) >= sum_a (Delta_a + c) E n^q_T(a) for every strategy, instance, T and price c
    paper: l.752-759
    differs: all laws have finite support and private seeds are finite, which loses nothing
    breaks: "expected_queries" to "expected_plays" *)
Theorem query_aware_regret_counts_queries c T :
  sum (arms K) (fun a => (gap_of a + c) * expected_queries s nu a T) <= query_aware_regret c T.
Proof.
  rewrite query_aware_regret_decomposes. apply sum_le. intros a Ha. apply in_arms in Ha.
  assert (G := gap_of_nonneg a Ha). assert (Q := expected_queries_are_at_most_expected_plays s nu a T).
  assert (gap_of a * expected_queries s nu a T <= gap_of a * expected_plays s nu a T) by (apply Rmult_le_compat_l;
    lra).
  lra.
Qed.

(** says: if the expected queries are at least r T, then Reg^q(T) >= c r T, for every strategy, instance, T and c >= 0
    paper: l.325
    differs: all laws have finite support and private seeds are finite, which loses nothing
    breaks: "0 <= c" to "c = c" *)
Theorem linear_queries_cost_linear_regret c r T : 0 <= c ->
  r * INR T <= sum (arms K) (fun a => expected_queries s nu a T) -> c * r * INR T <= query_aware_regret c T.
Proof.
  intros Hc H. eapply Rle_trans; [|apply query_aware_regret_counts_queries].
  apply Rle_trans with (sum (arms K) (fun a => c * expected_queries s nu a T)).
  - rewrite sum_scal, Rmult_assoc. now apply Rmult_le_compat_l.
  - apply sum_le. intros a Ha. apply in_arms in Ha. apply Rmult_le_compat_r; [apply expected_queries_nonneg|].
    assert (G := gap_of_nonneg a Ha). lra.
Qed.

Lemma query_aware_regret_pays_for_a_list c l T : 0 <= c -> NoDup l -> (forall a, In a l -> is_arm K a) ->
  c * sum l (fun a => expected_queries s nu a T) <= query_aware_regret c T.
Proof.
  intros Hc Hl Harms. eapply Rle_trans; [|apply query_aware_regret_counts_queries]. rewrite <- sum_scal.
  apply Rle_trans with (sum l (fun a => (gap_of a + c) * expected_queries s nu a T)).
  - apply sum_le. intros a Ha. apply Rmult_le_compat_r; [apply expected_queries_nonneg|].
    assert (G := gap_of_nonneg a (Harms a Ha)). lra.
  - assert (P : forall a, is_arm K a -> 0 <= (gap_of a + c) * expected_queries s nu a T).
    { intros a Ha. apply Rmult_le_pos; [assert (G := gap_of_nonneg a Ha); lra | apply expected_queries_nonneg]. }
    assert (I : forall a, In a l -> In a (arms K)) by (intros; now apply in_arms, Harms).
    assert (Q : forall a, In a (arms K) -> 0 <= (gap_of a + c) * expected_queries s nu a T)
      by (intros a Ha; apply P; now apply in_arms).
    revert I Q. generalize (arms K). clear Harms P. induction Hl as [|a l Ha Hl IH]; intros m I Q.
    + apply sum_nonneg. exact Q.
    + destruct (in_split a m (I a (or_introl eq_refl))) as [m1 [m2 ->]]. rewrite sum_app.
      change (sum (a :: l) (fun a => (gap_of a + c) * expected_queries s nu a T)) with
        ((gap_of a + c) * expected_queries s nu a T + sum l (fun a => (gap_of a + c) * expected_queries s nu a T)).
      change (sum (a :: m2) (fun a => (gap_of a + c) * expected_queries s nu a T)) with
        ((gap_of a + c) * expected_queries s nu a T + sum m2 (fun a => (gap_of a + c) * expected_queries s nu a T)).
      assert (J : sum l (fun a => (gap_of a + c) * expected_queries s nu a T)
        <= sum (m1 ++ m2) (fun a => (gap_of a + c) * expected_queries s nu a T)).
      { apply IH.
        - intros b Hb. assert (X := I b (or_intror Hb)). apply in_app_or in X. apply in_or_app.
          destruct X as [X|[X|X]]; [now left | subst; contradiction | now right].
        - intros b Hb. apply Q. apply in_app_or in Hb. apply in_or_app. destruct Hb; [now left | right; now right]. }
      rewrite sum_app in J. lra.
Qed.
End Regret.

Arguments gap_of K nu a : clear implicits.

(** says: a strategy whose regret is o(T^alpha) for every alpha in (0, 1] on every instance of D is consistent on D
    paper: l.760
    differs: all laws have finite support and private seeds are finite, which loses nothing
    breaks: "0 < alpha <= 1" to "alpha = 1" *)
Theorem sub_polynomial_regret_means_consistent {K} (D : law -> Prop) (s : strategy K) :
  (forall nu, instance_of K D nu -> forall alpha eps, 0 < alpha <= 1 -> 0 < eps ->
    eventually (fun T => expected_regret s nu T <= eps * Rpower (INR T) alpha)) -> consistent D s.
Proof.
  intros H nu Hnu a [Ha Hsub] alpha eps Hal He. assert (G : 0 < gap_of K nu a) by (unfold gap_of; lra).
  apply (eventually_mono _ _) with (2 := H nu Hnu alpha (gap_of K nu a * eps) Hal
    ltac:(now apply Rmult_lt_0_compat)).
  intros T HT. rewrite expected_regret_decomposes in HT. apply (Rmult_le_reg_l (gap_of K nu a)); [exact G|].
  rewrite <- Rmult_assoc. eapply Rle_trans; [|exact HT].
  apply (term_le_sum (arms K) (fun a => gap_of K nu a * expected_plays s nu a T)); [now apply in_arms|].
  intros b Hb. apply in_arms in Hb. apply Rmult_le_pos; [now apply gap_of_nonneg | apply expected_plays_nonneg].
Qed.

Section Price.
Context {K : nat}.
Variables (D : law -> Prop) (s : strategy K).
Hypothesis s_is_consistent : consistent D s.
Variable nu : nat -> law.
Hypothesis nu_is_in_the_family : instance_of K D nu.
Variable c : R.
Hypothesis queries_cost : 0 < c.

Lemma super_logarithmic_queries_cost_more l : NoDup l -> (forall a, In a l -> is_arm K a) ->
  super_logarithmic (fun T => sum l (fun a => expected_queries s nu a T)) -> super_logarithmic (query_aware_regret s
    nu c).
Proof.
  intros Hl Harms H d. apply (eventually_mono _ _) with (2 := H (d / c)). intros T HT.
  eapply Rle_trans; [|apply (query_aware_regret_pays_for_a_list s nu c l T ltac:(lra) Hl Harms)].
  apply (Rmult_le_compat_l c) in HT; [|lra]. replace (c * (d / c * ln (INR T))) with (d * ln (INR T)) in HT by
    (field; lra).
  exact HT.
Qed.

(** says: under condition (1) of part 3 and a price c > 0, Reg^q(T) exceeds every multiple of ln T for all large T,
      for every K, every family D of finite-support laws, every strategy that is consistent on D in expectation and
      every instance in D
    paper: l.764
    differs: all laws have finite support and private seeds are finite, which loses nothing
    breaks: "(Some 0)" to "(Some 1)" *)
Theorem no_logarithmic_query_aware_regret_if_means_can_fall :
  (exists a b, optimal K nu a /\ optimal K nu b /\ a <> b) ->
  (forall a, optimal K nu a -> is_kinf_below D (nu a) (best_mean K nu) (Some 0)) ->
  super_logarithmic (query_aware_regret s nu c).
Proof.
  intros Htwo H. apply (super_logarithmic_queries_cost_more (optimal_arms K nu)).
  - apply NoDup_filter, seq_NoDup.
  - intros a Ha. apply in_optimal_arms in Ha. apply Ha.
  - now apply (with_several_optima_queries_are_super_logarithmic_if_means_can_fall D).
Qed.

(** says: under condition (2) of part 3 and a price c > 0, Reg^q(T) exceeds every multiple of ln T for all large T,
      for every K, every family D of finite-support laws, every strategy that is consistent on D in expectation and
      every instance in D
    paper: l.764
    differs: all laws have finite support and private seeds are finite, which loses nothing
    breaks: "(Some 0)" to "(Some 1)" *)
Theorem no_logarithmic_query_aware_regret_if_means_can_rise a b : optimal K nu a -> optimal K nu b -> a <> b ->
  is_kinf_above D (nu a) (best_mean K nu) (Some 0) -> is_kinf_above D (nu b) (best_mean K nu) (Some 0) ->
  super_logarithmic (query_aware_regret s nu c).
Proof.
  intros Ha Hb Hne Hi Hj. apply (super_logarithmic_queries_cost_more [a; b]).
  - constructor; [simpl; intuition congruence | constructor; [easy | constructor]].
  - intros d [<-|[<-|[]]]; [apply Ha | apply Hb].
  - intros d. apply (eventually_mono _ _) with (2 :=
    with_several_optima_queries_are_super_logarithmic_if_means_can_rise
      D s s_is_consistent nu nu_is_in_the_family a b (proj1 Ha) (proj1 Hb) Hne Hi Hj d).
    intros T HT. unfold sum. simpl. lra.
Qed.

(** says: Reg^q(T) >= (Delta_b + c) d ln T for all large T, every suboptimal arm b, every price c > 0 and every d
      below 1/Kinf+(nu_b, mu*, D), for every K, every family D of finite-support laws, every strategy that is
      consistent on D in expectation and every instance in D
    paper: l.762
    differs: all laws have finite support and private seeds are finite, which loses nothing
    breaks: "below_inverse kinf d" to "d = d" *)
Theorem query_aware_regret_is_at_least_logarithmic b kinf d : suboptimal K nu b ->
  is_kinf_above D (nu b) (best_mean K nu) kinf -> below_inverse kinf d ->
  eventually_at_least_log (query_aware_regret s nu c) ((gap_of K nu b + c) * d).
Proof.
  intros Hb Hk Hd.
  apply (eventually_mono _ _) with (2 := suboptimal_arms_are_queried_logarithmically D s s_is_consistent nu
    nu_is_in_the_family b kinf Hb Hk d Hd).
  intros T HT. eapply Rle_trans; [|apply query_aware_regret_counts_queries].
  assert (P : forall a, is_arm K a -> 0 < gap_of K nu a + c) by
    (intros a Ha; assert (G := gap_of_nonneg nu a Ha); lra).
  apply Rle_trans with ((gap_of K nu b + c) * expected_queries s nu b T).
  - rewrite Rmult_assoc. apply Rmult_le_compat_l; [left; apply P, Hb | exact HT].
  - apply (term_le_sum (arms K) (fun a => (gap_of K nu a + c) * expected_queries s nu a T)); [apply in_arms, Hb|].
    intros a Ha. apply in_arms in Ha. apply Rmult_le_pos; [left; now apply P | apply expected_queries_nonneg].
Qed.
End Price.

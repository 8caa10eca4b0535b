(** Strategies of two arms that compare empirical means after level(t) queries of each: the worse arm is rarely taken for
    the better one, whatever the laws on [0,1]. Used by the counterexample to part 3 and by the example of l.736. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Expectation TotalExpectation Hoeffding FiniteLaws BinaryDivergence Strategies Consistency
  BalancingThreshold TakingTurns.
Import ListNotations.
Open Scope R_scope.

(** The sum of the rewards seen on arm i. *)
Definition total (i : nat) (h : history) : R := sum h (weight i (fun x => x)).

Lemma weights_of_a_line a c i h : sum h (weight i (fun x => a * x + c)) = a * total i h + c * queries_in i h.
Proof.
  unfold total, queries_in. rewrite <- !sum_scal, <- sum_plus. apply sum_ext. intros o _. unfold weight, is_query.
  destruct (Nat.eqb _ _), (seen o); simpl; lra.
Qed.

(** Hoeffding's lemma for a law of finite support on [0,1], and exponents of either sign. *)
Lemma a_law_on_the_unit_interval_is_subgaussian p s : lives_on_the_unit_interval p ->
  average p (fun x => exp (s * x + (- (s * law_mean p) - s * s / 8))) <= 1.
Proof.
  intros Hp. set (m := law_mean p).
  assert (Hm : 0 <= m <= 1).
  { split.
    - rewrite <- (total_const (average p) 0). apply average_le_where_there_is_mass. intros x Hx. now apply Hp.
    - rewrite <- (total_const (average p) 1). apply average_le_where_there_is_mass. intros x Hx. now apply Hp. }
  assert (C : average p (fun x => exp (s * x)) <= 1 - m + m * exp s).
  { apply Rle_trans with (average p (fun x => 1 + (exp s - 1) * x)).
    - apply average_le_where_there_is_mass. intros x Hx. assert (Q := exp_is_below_its_chord s x (Hp x Hx)). lra.
    - rewrite total_plus, total_const, total_scal. change (average p (fun x => x)) with m. lra. }
  assert (E : forall y, exp (- y) * exp y = 1) by (intros y; rewrite <- exp_plus, <- exp_0; f_equal; ring).
  assert (B : (1 - m + m * exp s) * exp (- (s * m)) <= exp (s * s / 8)).
  { destruct (Rle_lt_dec 0 s) as [Hs|Hs].
    - assert (Q := bernoulli_moment_is_subgaussian m Hm s Hs). cbv zeta in Q. rewrite exp_plus in Q.
      apply (Rmult_le_compat_r (exp (- (s * m)))) in Q; [|left; apply exp_pos].
      replace (exp (m * s) * exp (s * s / 8) * exp (- (s * m))) with (exp (s * s / 8) * (exp (- (s * m)) * exp (s * m))) in Q
        by (rewrite (Rmult_comm m s); ring).
      rewrite E in Q. lra.
    - assert (Q := bernoulli_moment_is_subgaussian (1 - m) ltac:(lra) (- s) ltac:(lra)). cbv zeta in Q.
      apply (Rmult_le_compat_r (exp (s - s * m))) in Q; [|left; apply exp_pos]. rewrite <- exp_plus in Q.
      replace ((1 - m) * - s + - s * - s / 8 + (s - s * m)) with (s * s / 8) in Q by field.
      replace ((1 - (1 - m) + (1 - m) * exp (- s)) * exp (s - s * m)) with ((1 - m + m * exp s) * exp (- (s * m))) in Q;
        [exact Q|].
      unfold Rminus at 5. rewrite exp_plus. assert (Es := E s).
      replace ((1 - (1 - m) + (1 - m) * exp (- s)) * (exp s * exp (- (s * m))))
        with ((m * exp s + (1 - m) * (exp (- s) * exp s)) * exp (- (s * m))) by ring. rewrite Es. ring. }
  rewrite (total_ext (average p) _ (fun x => exp (- (s * m)) * exp (- (s * s / 8)) * exp (s * x))).
  2: { intros x. rewrite <- !exp_plus. f_equal. ring. }
  rewrite total_scal.
  apply Rle_trans with (exp (- (s * m)) * exp (- (s * s / 8)) * (1 - m + m * exp s)).
  - apply Rmult_le_compat_l; [apply Rmult_le_pos; left; apply exp_pos | exact C].
  - apply (Rmult_le_compat_r (exp (- (s * s / 8)))) in B; [|left; apply exp_pos]. specialize (E (s * s / 8)). lra.
Qed.

Section Compared.
Variable decision : history -> nat * bool.
Hypothesis decisions_are_arms : forall h, is_arm 2 (fst (decision h)).
Variable nu : nat -> law.
Let strategy_of := deterministic decision decisions_are_arms.

(** After n queries or more, the mean of arm i is off by d, above if [sign] is 1 and below if it is -1. *)
Definition misleads (i : nat) (d sign : R) (n : nat) (h : history) : bool :=
  (n <=? query_count i h)%nat &&
  if Rle_dec (d * queries_in i h) (sign * (total i h - law_mean (nu i) * queries_in i h)) then true else false.

Lemma a_misleading_arm_is_rare i d sign T n : lives_on_the_unit_interval (nu i) -> 0 <= d -> sign * sign = 1 ->
  history_law strategy_of nu T (fun h => indicator (misleads i d sign n h)) <= exp (- (2 * (d * d) * INR n)).
Proof.
  intros Hunit d_is_nonneg sign_is_one. set (p := law_mean (nu i)).
  set (s := 4 * d * sign). assert (Hss : s * s = 16 * (d * d)).
  { unfold s. replace (4 * d * sign * (4 * d * sign)) with (16 * (d * d) * (sign * sign)) by ring. rewrite sign_is_one. ring. }
  apply (heavy_histories_are_rare decision decisions_are_arms nu i (fun x => s * x + (- (s * p) - s * s / 8))
    (a_law_on_the_unit_interval_is_subgaussian (nu i) s Hunit)).
  intros h _ H. unfold misleads in H. apply andb_true_iff in H. destruct H as [Hn Hd]. apply Nat.leb_le in Hn.
  destruct (Rle_dec _ _) as [Hle|]; [|discriminate]. rewrite weights_of_a_line, Hss. fold p in Hle.
  apply le_INR in Hn. rewrite query_count_is_the_count in Hn. set (q := queries_in i h) in *.
  assert (D2 : 0 <= d * d) by now apply Rmult_le_pos.
  apply (Rmult_le_compat_l (2 * (d * d))) in Hn; [|lra]. apply (Rmult_le_compat_l (4 * d)) in Hle; [|lra].
  unfold s. replace (4 * d * (sign * (total i h - p * q))) with (4 * d * sign * total i h - 4 * d * sign * p * q) in Hle by ring.
  lra.
Qed.

(** ** The worse arm is played rarely *)

Variables w o : nat.
Hypothesis both_are_on_the_unit_interval : lives_on_the_unit_interval (nu w) /\ lives_on_the_unit_interval (nu o).
Hypothesis w_is_worse : law_mean (nu w) < law_mean (nu o).

Definition half_gap : R := (law_mean (nu o) - law_mean (nu w)) / 2.

Definition someone_misleads (n : nat) (h : history) : R :=
  indicator (misleads w half_gap 1 n h) + indicator (misleads o half_gap (-1) n h).

Lemma w_looks_too_good n h : (n <= query_count w h)%nat ->
  half_gap * queries_in w h <= total w h - law_mean (nu w) * queries_in w h -> 1 <= someone_misleads n h.
Proof.
  intros Hn H. unfold someone_misleads, misleads at 1. rewrite (proj2 (Nat.leb_le _ _) Hn), Rmult_1_l.
  destruct (Rle_dec _ _); [|contradiction]. assert (N := indicator_nonneg (misleads o half_gap (-1) n h)). simpl. lra.
Qed.

Lemma o_looks_too_bad n h : (n <= query_count o h)%nat ->
  half_gap * queries_in o h <= law_mean (nu o) * queries_in o h - total o h -> 1 <= someone_misleads n h.
Proof.
  intros Hn H. unfold someone_misleads, misleads at 2. rewrite (proj2 (Nat.leb_le _ _) Hn).
  destruct (Rle_dec _ _) as [|N]; [|elim N; lra]. assert (P := indicator_nonneg (misleads w half_gap 1 n h)). simpl. lra.
Qed.

(** If both have n >= 1 queries and the mean of [w] is not below that of [o], one of them misleads. *)
Lemma a_wrong_order_misleads n h : (1 <= n)%nat -> (n <= query_count w h)%nat -> (n <= query_count o h)%nat ->
  total o h * queries_in w h <= total w h * queries_in o h -> 1 <= someone_misleads n h.
Proof.
  intros H1 Hw Ho Hle. apply Rnot_lt_le. intros Hlt.
  assert (Cw : 1 <= queries_in w h) by (rewrite <- query_count_is_the_count; change 1 with (INR 1); apply le_INR; lia).
  assert (Co : 1 <= queries_in o h) by (rewrite <- query_count_is_the_count; change 1 with (INR 1); apply le_INR; lia).
  set (m := (law_mean (nu o) + law_mean (nu w)) / 2).
  assert (P1 : total w h < m * queries_in w h).
  { apply Rnot_le_lt. intros H. assert (A := w_looks_too_good n h Hw). unfold half_gap, m in *. lra. }
  assert (P2 : m * queries_in o h < total o h).
  { apply Rnot_le_lt. intros H. assert (B := o_looks_too_bad n h Ho). unfold half_gap, m in *. lra. }
  apply (Rmult_lt_compat_r (queries_in o h)) in P1; [|lra]. apply (Rmult_lt_compat_r (queries_in w h)) in P2; [|lra]. lra.
Qed.

Hypothesis queries_are_at_most_the_level : forall i T, expected_queries strategy_of nu i T <= INR (level T).

Definition plays_idly (h : history) : R := indicator (Nat.eqb (fst (decision h)) w && negb (snd (decision h))).
Hypothesis idle_plays_are_misled : forall t, (1 <= t)%nat -> (1 <= level t)%nat ->
  history_law strategy_of nu (t - 1) plays_idly <= history_law strategy_of nu (t - 1) (someone_misleads (level t)).

Lemma the_worse_arm_is_played_rarely alpha eps : 0 < alpha -> 0 < eps ->
  eventually (fun T => expected_plays strategy_of nu w T <= eps * Rpower (INR T) alpha).
Proof.
  intros Hal He. assert (Hg : 0 < half_gap) by (unfold half_gap; lra).
  assert (L : 0 < 2 * (half_gap * half_gap)) by (assert (P := Rmult_lt_0_compat _ _ Hg Hg); lra).
  set (idle := fun t => history_law strategy_of nu (t - 1) plays_idly).
  assert (H1 : forall t, idle t <= 1).
  { intros t. unfold idle. rewrite <- (total_one (history_law strategy_of nu (t - 1))). apply total_le.
    intros; apply indicator_le_1. }
  destruct (errors_sum_to_a_logarithm (2 * (half_gap * half_gap)) (fun t => idle t / 2) L) as [C [HC Hsum]].
  - intros t _. specialize (H1 t). lra.
  - intros t Ht. destruct (Nat.eq_dec (level t) 0) as [Z|Z].
    + rewrite Z. simpl INR. rewrite Rmult_0_r, Ropp_0, exp_0. specialize (H1 t). lra.
    + assert (M := idle_plays_are_misled t Ht ltac:(lia)). unfold someone_misleads in M. rewrite total_plus in M.
      assert (A := a_misleading_arm_is_rare w half_gap 1 (t - 1) (level t) (proj1 both_are_on_the_unit_interval)
        ltac:(lra) ltac:(lra)).
      assert (B := a_misleading_arm_is_rare o half_gap (-1) (t - 1) (level t) (proj2 both_are_on_the_unit_interval)
        ltac:(lra) ltac:(lra)). unfold idle. lra.
  - assert (Half : forall T, (1 <= T)%nat ->
      expected_plays strategy_of nu w T / 2 <= INR (level T) + (C + 2 * ln (INR T))).
    { intros T HT. specialize (Hsum T HT). unfold Rdiv in Hsum.
      rewrite (sum_ext _ _ (fun t => / 2 * idle t)) in Hsum by (intros; ring). rewrite sum_scal in Hsum.
      unfold expected_plays. rewrite (total_ext _ _ (fun h => queries_in w h + idle_in w h))
        by (intros; apply plays_are_queries_and_idle_plays).
      rewrite total_plus. unfold strategy_of at 2. rewrite expected_idle_plays. fold strategy_of.
      assert (Q := queries_are_at_most_the_level w T). unfold expected_queries in Q. assert (G := pos_INR (level T)).
      unfold idle, plays_idly in Hsum. lra. }
    apply (eventually_mono _ _) with (2 := few_plays_are_sub_polynomial
      (fun T => expected_plays strategy_of nu w T / 2) C HC Half alpha (eps / 2) Hal ltac:(lra)).
    intros T HT. lra.
Qed.
End Compared.

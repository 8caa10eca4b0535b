(** Beyond the paper: the sharp form of the pair rule's bounds. For any delta > 0 the means are off by more than delta in
    a bounded number of queries only, in expectation. In all others the leader is the optimal arm, and a query needs a
    radius of gap - 2 delta: half of what the good event alone gives. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Runs Expectation Experiment Counts GeneralTheorem Laws
  BernsteinIntervals Hoeffding Sharp PairMartingale PairRule PairRuns PairEndToEnd PairClosedForms PairNearMeans.
Import ListNotations.
Open Scope R_scope.

(** The smallest whole number that is not below x >= 0. *)
Definition ceiling (x : R) : nat := Z.to_nat (1 - up (- x)).

Lemma ceiling_is_close x : 0 <= x -> x <= INR (ceiling x) <= x + 1.
Proof.
  intros H. destruct (archimed (- x)) as [A B]. unfold ceiling. rewrite INR_IZR_INZ, Z2Nat.id, minus_IZR; [lra|].
  apply le_IZR. rewrite minus_IZR. lra.
Qed.

Lemma ceiling_is_least x j : x <= INR j -> (ceiling x <= j)%nat.
Proof.
  intros H. destruct (archimed (- x)) as [A B]. unfold ceiling. rewrite INR_IZR_INZ in H.
  assert (L : IZR (1 - up (- x)) < IZR (Z.of_nat j + 1)) by (rewrite minus_IZR, plus_IZR; lra). apply lt_IZR in L. lia.
Qed.

(** ** Numbers of queries *)

(** A f_t/mu^2 + c, capped at t - 1, where f_t is that of two arms with 4 M queries each. *)
Definition sharp_enough (s : R) (M : nat) (A c : R) (t : nat) (mu : R) : R :=
  capped t mu (A * pair_log s t (4 * M) (4 * M) / (mu * mu) + c).

(** K (2 + 1/delta^2): T times the probability that the optimal arm has more than M queries. *)
Definition cost_of_the_cap (K : nat) (delta : R) : R := INR K * (2 + / (delta * delta)).

Section EndToEnd.
Context {Row : Type}.
Variables (s kappa : R) (row_law : expectation Row) (X : nat -> Row -> R) (missing : Row).
Variables (decide : list Row -> nat * bool) (epsilon : nat -> R) (x : experiment (list Row)).
Hypothesis setting : pair_rule_on_rows s kappa row_law X missing decide epsilon x.
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.
Let E := one_from_each (repeat row_law T).
Let spread := pair_spread _ _ _ _ _ _ _ _ setting.
Let ratio := pair_ratio _ _ _ _ _ _ _ _ setting.
Let past := decided_by_the_past _ _ _ _ _ _ _ _ setting.
Let ruled := decided_by_the_rule _ _ _ _ _ _ _ _ setting.
Let count (w : list Row) (t a : nat) : nat := queries (path_of x w) a (t - 1).
Let estimate (w : list Row) (t a : nat) : R := queried_mean missing decide X w a (t - 1).
Variables (star : nat) (m delta : R) (M : nat).
Let span := reach s kappa m.
Let first (n : nat) : nat := ceiling (INR n / span).
Let far := mean_is_far missing decide X (mean b) T delta.
Let misled_at := misled x far (others K) first.
Hypothesis unique : unique_optimal_arm b star.
Hypothesis m_is_below_the_gaps : forall c, is_arm K c -> c <> star -> m <= gap b c.
Hypothesis delta_is_small : 0 < 2 * delta < m.
Hypothesis some_horizon : (1 <= T)%nat.

(** What the cap M on the queries of the optimal arm has to be; of the order of ln T. *)
Hypothesis M_is_large : pair_log s T (4 * M) (4 * M) / 2 * leader_thinness s kappa M < (m - 2 * delta) * (m - 2 * delta).
Hypothesis M_is_larger : span * ln (INR T) <= 2 * (delta * delta) * INR M.
Hypothesis M_is_positive : (1 <= M)%nat.

Lemma span_is_at_least_one : 1 <= span.
Proof. assert (H := reach_is_large s kappa m delta spread ratio delta_is_small). assert (R := ratio). unfold span. lra. Qed.

Lemma first_is_in_reach n : INR n <= span * INR (first n).
Proof.
  assert (H := span_is_at_least_one). assert (P := pos_INR n).
  assert (C := proj1 (ceiling_is_close (INR n / span) ltac:(unfold Rdiv; apply Rmult_le_pos; [lra | left; apply
    Rinv_0_lt_compat; lra]))).
  apply (Rmult_le_compat_l span) in C; [|lra]. replace (span * (INR n / span)) with (INR n) in C by (field; lra). exact C.
Qed.

Lemma first_is_least n j : INR n <= span * INR j -> (first n <= j)%nat.
Proof.
  intros H. assert (S := span_is_at_least_one). apply ceiling_is_least. apply (Rmult_le_reg_l span); [lra|].
  replace (span * (INR n / span)) with (INR n) by (field; lra). exact H.
Qed.

Lemma estimates_are_between w t a : is_arm K a -> 0 <= estimate w t a <= 1.
Proof.
  intros Ha. unfold estimate, queried_mean. set (n := queries (run_along missing decide w) a (t - 1)).
  assert (H : 0 <= sum (rounds (t - 1)) (fun j => indicator (asks missing decide w a j) * X a (nth (j - 1) w missing))
    <= INR n).
  { unfold n. rewrite queries_as_sum. split; [apply sum_nonneg; intros | apply sum_le; intros];
      assert (R := row_rewards _ _ _ _ _ _ _ _ setting a (nth (x0 - 1) w missing) Ha);
      change (Nat.eqb (played (run_along missing decide w) x0) a && queried (run_along missing decide w) x0)
        with (asks missing decide w a x0); destruct (asks missing decide w a x0); simpl; lra. }
  destruct (Req_dec (INR n) 0) as [Z|Z].
  - rewrite Z in *. unfold Rdiv. replace (sum _ _) with 0 by lra. lra.
  - assert (P : 0 < INR n) by (generalize (pos_INR n); lra). split.
    + unfold Rdiv. apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat].
    + apply (Rmult_le_reg_r (INR n)); [exact P|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma what_is_not_far_is_near w t a : is_arm K a -> (K < t <= T)%nat -> far a (count w t a) w = false ->
  is_near (estimate w t) b delta a.
Proof.
  intros Ha Ht F. assert (C := every_arm_has_counts s kappa row_law X missing decide epsilon x setting w t Ht a Ha).
  unfold count in *. rewrite past in *. unfold is_near, estimate. set (n := queries _ _ _) in *.
  assert (P : 0 < INR n) by (apply lt_0_INR; lia).
  assert (S := centred_sum_from_the_mean missing decide X (mean b) w a (t - 1) (proj1 C)). fold n in S.
  apply Rnot_lt_le. intros Hlt. assert (Z : far a n w = true); [|congruence]. unfold far, mean_is_far.
  apply existsb_exists. exists (t - 1)%nat. split; [apply in_seq; lia|].
  fold n. rewrite Nat.eqb_refl, S. unfold at_most. destruct (Rle_dec _ _) as [L|]; [|reflexivity].
  rewrite Rabs_mult, Rabs_pos_eq in L by lra. apply Rmult_le_reg_l in L; [lra | exact P].
Qed.

Lemma far_is_rare a n : is_arm K a -> (1 <= n <= T)%nat -> probability E (far a n) <= far_off delta n.
Proof.
  intros Ha Hn. apply (a_mean_is_rarely_far missing decide X (mean b) K row_law (row_rewards _ _ _ _ _ _ _ _ setting)
    (row_means _ _ _ _ _ _ _ _ setting)); [exact Ha | lra].
Qed.

(** What is known of a query that is not misled. *)
Lemma what_is_near_at_a_query w t a : is_arm K a -> (K < t <= T)%nat -> misled_at a (count w t a) w = false ->
  is_near (estimate w t) b delta a /\ forall c, is_arm K c -> c <> a ->
    INR (count w t a) <= span * INR (count w t c) -> is_near (estimate w t) b delta c.
Proof.
  intros Ha Ht H. assert (C := every_arm_has_counts s kappa row_law X missing decide epsilon x setting w t Ht).
  apply not_misled in H; [|apply (C a Ha)]. destruct H as [F G].
  split; [now apply what_is_not_far_is_near|]. intros c Hc Hne Hle. apply what_is_not_far_is_near; trivial. apply G.
  - apply in_others. split; [exact Hc | congruence].
  - split; [now apply first_is_least | specialize (C c Hc); unfold count; lia].
Qed.

(** ** The optimal arm stays below M *)

Definition exceeds_the_cap (w : list Row) : bool :=
  existsb (fun c => existsb (fun j => far c j w) (seq (first M) (T - first M))) (arms K).

Lemma the_square_of_a_leaders_radius t n c mu : (2 <= t)%nat -> (1 <= n)%nat -> (c <= t - 1)%nat ->
  INR n <= kappa * INR c -> 0 <= mu -> mu < pair_radius s t c n ->
  mu * mu < pair_log s t (4 * n) (4 * n) / 2 * leader_thinness s kappa n.
Proof.
  intros Ht Hn Hc Hle Hmu H. rewrite pair_radius_is_symmetric in H. unfold pair_radius in H.
  assert (L := the_radius_of_a_leader s kappa t spread ratio ltac:(lia) n c Hn Hc Hle).
  assert (Pos : 0 <= pair_log s t n c / 2 * (thinness s n + thinness s c)).
  { apply Rnot_lt_le. intros N. rewrite sqrt_neg_0 in H by lra. lra. }
  assert (Sq : mu * mu < pair_log s t n c / 2 * (thinness s n + thinness s c)); [|lra].
  rewrite <- (sqrt_sqrt _ Pos). apply Rmult_le_0_lt_compat; trivial.
Qed.

Lemma a_pair_log_grows_with_the_round t n c : (1 <= t <= T)%nat -> pair_log s t n c <= pair_log s T n c.
Proof. intros Ht. apply Rplus_le_compat_r. now apply log_of_rounds_grows. Qed.

Lemma the_optimal_arm_stays_below_the_cap w : exceeds_the_cap w = false -> forall t, (t <= T)%nat ->
  (queries (path_of x w) star t <= M)%nat.
Proof.
  intros Hcap. assert (Hs : is_arm K star) by apply unique. assert (R := ratio).
  assert (HK1 : (1 <= K)%nat) by (unfold is_arm in Hs; lia).
  induction t as [|t IH]; intros Ht; [simpl; lia|]. specialize (IH ltac:(lia)). simpl queries.
  destruct (Nat.eqb_spec (played (path_of x w) (S t)) star) as [Hp|Hp]; [|simpl; lia].
  destruct (queried (path_of x w) (S t)) eqn:Hq; simpl; [|lia].
  destruct (Nat.eq_dec (queries (path_of x w) star t) M) as [EM|]; [exfalso | lia].
  assert (Q := ruled w (S t) ltac:(lia)). unfold in_round in Q. fold K in Q. destruct (Nat.leb_spec (S t) K) as [HK|HK].
  - assert (Es : star = S t) by (destruct Q; congruence).
    assert (Z := before_its_first_round_an_arm_has_no_queries (fun _ _ _ _ _ => True) K T (fun _ _ => whole_line) epsilon
      (path_of x w) (fun r Hr => in_round_mono _ _ _ _ _ _ (fun _ _ _ => I) (ruled w r Hr)) (S t) HK Ht t (Nat.lt_succ_diag_r t)).
    rewrite <- Es in Z. lia.
  - rewrite Hp, Hq in Q. assert (HT : (K < S t <= T)%nat) by lia.
    assert (C := every_arm_has_counts s kappa row_law X missing decide epsilon x setting w (S t) HT).
    assert (CM : count w (S t) star = M) by (unfold count; simpl; now rewrite Nat.sub_0_r).
    assert (Lt : (M < T)%nat) by (rewrite <- EM; generalize (queries_le_rounds (path_of x w) star t); lia).
    assert (Out : forall c j, is_arm K c -> (first M <= j < T)%nat -> far c j w = false).
    { intros c j Hc Hj. destruct (far c j w) eqn:F; [exfalso|reflexivity].
      assert (exceeds_the_cap w = true); [|congruence]. apply existsb_exists. exists c. split; [now apply in_arms|].
      apply existsb_exists. exists j. split; [apply in_seq; lia | exact F]. }
    assert (N : misled_at star (count w (S t) star) w = false).
    { unfold misled_at, misled. rewrite CM. rewrite (Out star M Hs).
      - destruct (existsb _ (others K star)) eqn:Ex; [exfalso | apply andb_false_r]. apply existsb_exists in Ex.
        destruct Ex as [c [Hc Ex]]. apply existsb_exists in Ex. destruct Ex as [j [Hj Fj]]. apply in_seq in Hj.
        apply in_others in Hc. fold T in Hj. rewrite (Out c j) in Fj; [discriminate | apply Hc | lia].
      - split; [|exact Lt]. apply first_is_least. assert (S1 := span_is_at_least_one).
        rewrite <- (Rmult_1_l (INR M)) at 1. apply Rmult_le_compat_r; [apply pos_INR | exact S1]. }
    destruct (what_is_near_at_a_query w (S t) star Hs HT N) as [Ns Nc].
    destruct (an_unmisled_query_of_the_optimal_arm K s kappa (S t) (count w (S t)) (estimate w (S t)) (epsilon (S t)) b
      star m delta eq_refl spread ratio unique m_is_below_the_gaps delta_is_small
      (pair_epsilon _ _ _ _ _ _ _ _ setting (S t) HT) star Q Ns Nc eq_refl) as [u [Hu [Hc Hr]]].
    rewrite CM in *. apply (Rle_lt_trans _ _ _ (Rmax_l _ _)) in Hr.
    assert (Sq := the_square_of_a_leaders_radius (S t) M (count w (S t) u) (m - 2 * delta) ltac:(lia) M_is_positive
      (proj2 (C u Hu)) Hc ltac:(lra) Hr).
    assert (G := a_pair_log_grows_with_the_round (S t) (4 * M) (4 * M) ltac:(lia)).
    assert (P : 0 < leader_thinness s kappa M).
    { unfold leader_thinness. assert (HM := le_INR _ _ M_is_positive). simpl in HM. assert (Sp := spread).
      apply Rdiv_lt_0_compat; [|apply Rmult_lt_0_compat; lra]. apply Rplus_lt_0_compat; apply Rmult_lt_0_compat; try lra.
      generalize (Rle_0_sqr kappa). unfold Rsqr. lra. }
    assert (pair_log s (S t) (4 * M) (4 * M) / 2 * leader_thinness s kappa M
      <= pair_log s T (4 * M) (4 * M) / 2 * leader_thinness s kappa M) by (apply Rmult_le_compat_r; lra).
    lra.
Qed.

Lemma the_cap_is_rarely_exceeded : INR T * probability E exceeds_the_cap <= cost_of_the_cap K delta.
Proof.
  assert (D : 0 < delta) by lra. assert (DD := dd_is_pos delta D). assert (S1 := span_is_at_least_one).
  assert (HT : 1 <= INR T) by (apply le_INR in some_horizon; exact some_horizon).
  assert (F1 : (1 <= first M)%nat).
  { assert (F := first_is_in_reach M). destruct (first M); [|lia]. simpl in F. rewrite Rmult_0_r in F.
    assert (HM := le_INR _ _ M_is_positive). simpl in HM. lra. }
  assert (P : probability E exceeds_the_cap <= INR K * sum (seq (first M) (T - first M)) (far_off delta)).
  { eapply Rle_trans; [apply (union_bound E (arms K) (fun c w => existsb (fun j => far c j w)
      (seq (first M) (T - first M))))|].
    - intros w Hw. apply existsb_exists in Hw. exact Hw.
    - rewrite <- (seq_length K 1) at 2. rewrite <- sum_const. apply sum_le. intros c Hc. apply in_arms in Hc.
      eapply Rle_trans; [apply (union_bound E (seq (first M) (T - first M)) (fun j => far c j))|].
      + intros w Hw. apply existsb_exists in Hw. exact Hw.
      + apply sum_le. intros j Hj. apply in_seq in Hj. apply far_is_rare; [exact Hc | lia]. }
  set (q := exp (- 2 * (delta * delta))) in *.
  assert (B : sum (seq (first M) (T - first M)) (far_off delta) <= / INR T * (2 + / (delta * delta))).
  { eapply Rle_trans; [apply (tails_from delta D)|]. fold q. destruct (q_is_small delta D) as [[Q0 Q1] _]. fold q in Q0, Q1.
    assert (I := inverse_of_the_rest delta D). fold q in I.
    assert (Z : q ^ first M <= / INR T).
    { unfold q. rewrite <- exp_of_multiple. rewrite <- (exp_ln (INR T)), <- exp_Ropp by lra. apply exp_is_monotone.
      assert (F := first_is_in_reach M). apply (Rmult_le_reg_l span); [lra|].
      assert (2 * (delta * delta) * INR M <= 2 * (delta * delta) * (span * INR (first M)))
        by (apply Rmult_le_compat_l; lra). lra. }
    unfold Rdiv. replace (/ INR T * (2 + / (delta * delta))) with (2 * / INR T * (1 + / (2 * (delta * delta))))
      by (field; lra).
    apply Rmult_le_compat; [|left; apply Rinv_0_lt_compat; lra | lra | exact I].
    assert (0 < q ^ first M) by (apply pow_lt; lra). lra. }
  apply Rle_trans with (INR T * (INR K * (/ INR T * (2 + / (delta * delta))))).
  - apply Rmult_le_compat_l; [lra|]. eapply Rle_trans; [exact P|]. apply Rmult_le_compat_l; [apply pos_INR | exact B].
  - unfold cost_of_the_cap. apply Req_le. field. lra.
Qed.

(** ** Good rounds *)

Definition is_good (t : nat) (w : list Row) : bool :=
  pairs_are_worth_little s X missing decide x star t w && negb (exceeds_the_cap w).

Definition sharp_failures : R := (INR K - 1) * rare_failures T + cost_of_the_cap K delta.

Lemma sharp_failures_are_rare : sum (rounds T) (fun t => probability E (fun w => negb (is_good t w))) <= sharp_failures.
Proof.
  assert (F := pairs_fail_rarely s kappa row_law X missing decide epsilon x setting star (proj1 (proj1 unique))).
  assert (C := the_cap_is_rarely_exceeded). unfold sharp_failures.
  apply Rle_trans with (sum (rounds T) (fun t =>
    probability E (fun w => negb (pairs_are_worth_little s X missing decide x star t w)) + probability E exceeds_the_cap)).
  - apply sum_le. intros t _. unfold probability. rewrite <- expect_plus by bounded.
    apply expect_le; [bounded | bounded|]. intros w. unfold is_good.
    destruct (pairs_are_worth_little _ _ _ _ _ _ _ _), (exceeds_the_cap w); simpl; lra.
  - rewrite sum_plus, sum_const, length_rounds. fold K T E in F. lra.
Qed.

(** N-bar of a suboptimal arm, as challenger, and of the optimal one, as leader. *)
Definition sharp_number (d : R) : R := n_bar (sharp_enough s M ((1 + / kappa) / 2) s) epsilon (d - 2 * delta) T.
Definition sharp_optimal_number : R :=
  n_bar (sharp_enough s M ((1 + kappa) / 2) ((1 + kappa * kappa) * s / (1 + kappa))) epsilon (m - 2 * delta) T.
Let N (a : nat) : R := if Nat.eqb star a then sharp_optimal_number else sharp_number (gap b a).

Lemma a_count_below_sharp_enough A c t n mu : 0 < A -> 0 <= c -> 0 < mu -> (1 <= n <= t - 1)%nat -> (1 <= t)%nat ->
  mu * mu <= A * pair_log s t (4 * M) (4 * M) * ((INR n + c) / (INR n * INR n)) -> INR n <= sharp_enough s M A c t mu.
Proof.
  intros HA Hc Hmu Hn Ht H. unfold sharp_enough, capped. destruct (Rle_dec mu 0); [lra|].
  apply Rmin_glb; [|apply le_INR; lia]. apply (counts_from_a_thinness t n Hn); trivial; [lra|].
  apply a_pair_log_is_nonneg; [exact spread | exact Ht].
Qed.

Lemma an_unmisled_good_query_is_early w t a : is_arm K a -> (1 <= t <= T)%nat -> is_good t w = true ->
  played (path_of x w) t = a -> queried (path_of x w) t = true -> misled_at a (count w t a) w = false ->
  INR (count w t a) <= N a.
Proof.
  intros Ha Ht Hg Hp Hq Hm. assert (Q := ruled w t Ht). unfold in_round in Q. fold K in Q. assert (Sp := spread).
  assert (Ra := ratio). assert (I : 0 < / kappa) by (apply Rinv_0_lt_compat; lra).
  apply andb_true_iff in Hg. destruct Hg as [Hg Hcap]. apply negb_true_iff in Hcap.
  destruct (Nat.leb_spec t K) as [HK|HK].
  - assert (Ea : a = t) by (destruct Q; congruence). unfold count.
    rewrite Ea, (before_its_first_round_an_arm_has_no_queries (fun _ _ _ _ _ => True) K T (fun _ _ => whole_line)
      epsilon)
      by (try lia; intros r Hr; generalize (ruled w r Hr); apply in_round_mono; trivial).
    unfold N. destruct (Nat.eqb star t); apply maximum_nonneg.
  - rewrite Hp, Hq in Q. assert (HT : (K < t <= T)%nat) by lia.
    assert (C := every_arm_has_counts s kappa row_law X missing decide epsilon x setting w t HT).
    assert (HK1 : (1 <= K)%nat) by (unfold is_arm in Ha; lia).
    assert (Cap : (count w t star <= M)%nat) by (apply (the_optimal_arm_stays_below_the_cap w Hcap); lia).
    assert (He := pair_epsilon _ _ _ _ _ _ _ _ setting t HT).
    destruct (what_is_near_at_a_query w t a Ha HT Hm) as [Na Nc].
    unfold N. destruct (Nat.eqb_spec star a) as [Es|Hne].
    + destruct (an_unmisled_query_of_the_optimal_arm K s kappa t (count w t) (estimate w t) (epsilon t) b
        star m delta eq_refl spread ratio unique m_is_below_the_gaps delta_is_small He a Q Na Nc (eq_sym Es))
        as [u [Hu [Hc Hr]]].
      eapply Rle_trans; [|apply (le_maximum (fun t => sharp_enough s M _ _ t (Rmax (m - 2 * delta) (epsilon t))) T t Ht)].
      assert (Hmu : 0 < Rmax (m - 2 * delta) (epsilon t)) by (eapply Rlt_le_trans; [|apply Rmax_l]; lra).
      assert (Sq := the_square_of_a_leaders_radius t (count w t a) (count w t u) _ ltac:(lia) (proj1 (C a Ha))
        (proj2 (C u Hu)) Hc (Rlt_le _ _ Hmu) Hr).
      apply a_count_below_sharp_enough; [lra | | exact Hmu | apply (C a Ha) | lia|].
      * unfold Rdiv. apply Rmult_le_pos; [apply Rmult_le_pos; [generalize (Rle_0_sqr kappa); unfold Rsqr|]; lra|].
        left. apply Rinv_0_lt_compat. lra.
      * left. eapply Rlt_le_trans; [exact Sq|]. set (n := count w t a) in *.
        assert (Hn : 0 < INR n) by (apply lt_0_INR; specialize (C a Ha); unfold n, count; lia).
        assert (G := a_pair_log_grows s t Sp (4 * n) (4 * n) (4 * M) (4 * M) ltac:(rewrite Es in Cap; lia)
          ltac:(rewrite Es in Cap; lia)).
        replace ((1 + kappa) / 2 * pair_log s t (4 * M) (4 * M)
          * ((INR n + (1 + kappa * kappa) * s / (1 + kappa)) / (INR n * INR n)))
          with (pair_log s t (4 * M) (4 * M) / 2 * leader_thinness s kappa n) by (unfold leader_thinness; field; lra).
        apply Rmult_le_compat_r; [|lra]. unfold leader_thinness, Rdiv. apply Rmult_le_pos.
        -- apply Rplus_le_le_0_compat; apply Rmult_le_pos; try lra. generalize (Rle_0_sqr kappa). unfold Rsqr. lra.
        -- left. apply Rinv_0_lt_compat. now apply Rmult_lt_0_compat.
    + destruct (an_unmisled_query_of_a_suboptimal_arm K s kappa t (count w t) (estimate w t) (epsilon t) b
        star m delta eq_refl spread ratio ltac:(lia) C (fun c Hc => estimates_are_between w t c Hc) unique
        m_is_below_the_gaps delta_is_small He a Q Na Nc ltac:(congruence)
        (little_worth_makes_good_pairs s kappa row_law X missing decide epsilon x setting star t w (proj1 unique) HT Hg))
        as [Hc Hr].
      eapply Rle_trans; [|apply (le_maximum (fun t => sharp_enough s M _ _ t (Rmax (gap b a - 2 * delta) (epsilon t)))
        T t Ht)].
      assert (Hmu : 0 < Rmax (gap b a - 2 * delta) (epsilon t)).
      { eapply Rlt_le_trans; [|apply Rmax_l]. specialize (m_is_below_the_gaps a Ha ltac:(congruence)). lra. }
      assert (Hs : is_arm K star) by apply unique. set (n := count w t a) in *. set (c := count w t star) in *.
      destruct (C a Ha) as [C1 C2]. destruct (C star Hs) as [C3 C4]. fold (count w t a) in C1, C2. fold n in C1, C2.
      fold (count w t star) in C3, C4. fold c in C3, C4.
      assert (Hnc : (n <= c)%nat).
      { apply INR_le. eapply Rle_trans; [|exact Hc]. rewrite <- (Rmult_1_l (INR n)) at 1.
        apply Rmult_le_compat_r; [apply pos_INR | exact Ra]. }
      apply a_count_below_sharp_enough; [lra | lra | exact Hmu | lia | lia|]. left.
      assert (Th := thinness_of_a_multiple s Sp kappa n c Ra C1 Hc). assert (Gn := thinness_is_positive s Sp n C1).
      assert (Gc := thinness_is_positive s Sp c C3). assert (L0 := a_pair_log_is_nonneg s t Sp ltac:(lia) n c).
      assert (G := a_pair_log_grows s t Sp n c (4 * M) (4 * M) ltac:(lia) ltac:(lia)).
      assert (Pos : 0 <= pair_log s t n c / 2 * (thinness s n + thinness s c)) by (apply Rmult_le_pos; lra).
      apply Rlt_le_trans with (pair_log s t n c / 2 * (thinness s n + thinness s c)).
      * rewrite <- (sqrt_sqrt _ Pos). apply Rmult_le_0_lt_compat; trivial; lra.
      * change ((INR n + s) / (INR n * INR n)) with (thinness s n).
        replace ((1 + / kappa) / 2 * pair_log s t (4 * M) (4 * M) * thinness s n)
          with (pair_log s t (4 * M) (4 * M) / 2 * ((1 + / kappa) * thinness s n)) by (field; lra).
        apply Rmult_le_compat; lra.
Qed.

(** ** The theorem *)

Let cost : R := cost_of_delta delta (INR (K - 1) * span).

Lemma few_queries_or_misled a : is_arm K a ->
  few_good_queries x is_good (fun a w => N a + misled_queries x far (others K) first a w) a.
Proof.
  intros Ha. apply good_queries_are_few_or_misled.
  - unfold N. destruct (Nat.eqb star a); apply maximum_nonneg.
  - intros w t Ht Hg Hp Hq Hm. now apply an_unmisled_good_query_is_early.
Qed.

Lemma expected_number a : is_arm K a ->
  E (fun w => N a + misled_queries x far (others K) first a w) <= N a + cost.
Proof.
  intros Ha. unfold cost. rewrite <- (length_others K a Ha).
  apply (expected_count_is_at_most E x delta span far (others K) first ltac:(lra) span_is_at_least_one first_is_in_reach
    far_is_rare); [|exact Ha]. intros c d _ Hd. now apply in_others in Hd.
Qed.

Lemma number_of_another a : In a (others K star) -> N a = sharp_number (gap b a).
Proof. intros Ha. apply in_others in Ha. unfold N. now rewrite (proj2 (Nat.eqb_neq star a) (proj2 Ha)). Qed.

(** says: the sharp form of the pair rule's bounds, for every K, T >= 1, kappa >= 1, s > 0, rewards in [0,1], nonnegative
      epsilon fixed in advance and every tie-break that depends on the past, with a unique optimal arm, m at most every
      other gap, 0 < 2 delta < m, R = 3/2 (1 + 1/m)^2 (1 + kappa^2)(1 + s), and any whole number M with R ln T <= 2
      delta^2 M and f_T/2 ((1 + kappa) M + (1 + kappa^2) s)/M^2 < (m - 2 delta)^2, where f_t = ln(t b(t)) + ln((4 M +
      s)/s): a suboptimal arm has N-bar = (1 + 1/kappa)/2 f_t/l^2 + s with l the larger of gap - 2 delta and epsilon,
      the optimal one (1 + kappa)/2 f_t/l^2 + s (1 + kappa^2)/(1 + kappa) with l the larger of m - 2 delta and epsilon;
      each arm costs 1/delta^2 + (K - 1) R/delta^2 (1 + 1/(2 delta^2)) more, and all together K, K - 1 times the sum of
      1/(t b(t)), and K (2 + 1/delta^2); one arm alone, 1 in the place of the first K
    paper: beyond the paper; compare l.427-432
    settles: pairs.sharp.regret; pairs.sharp.queries
    breaks: "(sharp_optimal_number + cost)" to "sharp_optimal_number" *)
Theorem the_sharp_form_of_the_pair_rule :
  E (regret_on x) <= sum (others K star) (fun a => gap b a *
      (sharp_number (gap b a) + rounds_with_large_epsilon K epsilon (gap b a) T + cost))
    + (INR K + sharp_failures) * largest_gap b /\
  E (queries_on x) <= sum (others K star) (fun a => sharp_number (gap b a) + cost) + (sharp_optimal_number + cost)
    + (INR K + sharp_failures) /\
  (forall a, is_arm K a -> a <> star ->
    E (fun w => INR (queries (path_of x w) a T)) <= sharp_number (gap b a) + cost + (1 + sharp_failures)) /\
  E (fun w => INR (queries (path_of x w) star T)) <= sharp_optimal_number + cost + (1 + sharp_failures).
Proof.
  assert (Hs : is_arm K star) by apply unique. assert (F := sharp_failures_are_rare).
  assert (Ns : N star = sharp_optimal_number) by (unfold N; now rewrite Nat.eqb_refl).
  assert (One : forall a, is_arm K a -> E (fun w => INR (queries (path_of x w) a T)) <= N a + cost + (1 + sharp_failures)).
  { intros a Ha. assert (Q := queries_of_one_arm_from_counts E x is_good sharp_failures F
      (fun a w => N a + misled_queries x far (others K) first a w) a Ha few_queries_or_misled).
    assert (X0 := expected_number a Ha). fold T in Q. lra. }
  split; [|split; [|split]].
  - eapply Rle_trans; [apply (regret_from_counts E x is_good sharp_failures F (fun _ => epsilon)
      (initial_rounds_are_queries s kappa row_law X missing decide epsilon x setting)) with
      (N := fun a w => N a + misled_queries x far (others K) first a w)|].
    + intros w t Ht Hg. apply andb_true_iff in Hg. destruct Hg as [Hg _].
      apply (unqueried_plays_are_within_epsilon s kappa row_law X missing decide epsilon x setting star w t (proj1 unique)
        Ht Hg).
    + intros a Ha. apply few_queries_or_misled, Ha.
    + intros a Ha _. now apply few_queries_or_misled.
    + apply Rplus_le_compat_r. fold K b T. rewrite (sum_split_off_arm K star) by exact Hs.
      rewrite (gap_of_optimal b star (proj1 unique)), Rmult_0_l, Rplus_0_r. apply sum_le. intros a Ha.
      assert (Hn := number_of_another a Ha). apply in_others in Ha. apply Rmult_le_compat_l; [now apply gap_nonneg|].
      assert (X0 := expected_number a (proj1 Ha)). rewrite expect_const, <- Hn. lra.
  - eapply Rle_trans; [apply (queries_from_counts E x is_good sharp_failures F) with
      (N := fun a w => N a + misled_queries x far (others K) first a w); exact few_queries_or_misled|].
    apply Rplus_le_compat_r. fold K. rewrite (sum_split_off_arm K star) by exact Hs. apply Rplus_le_compat.
    + apply sum_le. intros a Ha. assert (Hn := number_of_another a Ha). apply in_others in Ha. rewrite <- Hn.
      apply expected_number, Ha.
    + rewrite <- Ns. now apply expected_number.
  - intros a Ha Hne. rewrite <- (number_of_another a); [now apply One|]. apply in_others. split; [exact Ha | congruence].
  - rewrite <- Ns. now apply One.
Qed.
End EndToEnd.

Lemma the_sharp_number_is_at_most s M A c epsilon mu T : 0 < s -> 0 <= A -> 0 <= c -> 0 < mu -> (1 <= T)%nat ->
  n_bar (sharp_enough s M A c) epsilon mu T <= A * pair_log s T (4 * M) (4 * M) / (mu * mu) + c.
Proof.
  intros Hs HA Hc Hmu HT.
  assert (G : forall t level, (1 <= t <= T)%nat -> mu <= level ->
    0 <= A * pair_log s t (4 * M) (4 * M) / (level * level) <= A * pair_log s T (4 * M) (4 * M) / (mu * mu)).
  { intros t level Ht Hl. apply a_number_falls_with_the_level; [exact HA | | lra].
    split; [apply a_pair_log_is_nonneg; [exact Hs | lia] | now apply Rplus_le_compat_r, log_of_rounds_grows]. }
  apply maximum_le; [assert (P := G T mu ltac:(lia) ltac:(lra)); lra|].
  intros t Ht. assert (L := Rmax_l mu (epsilon t)). unfold sharp_enough, capped.
  destruct (Rle_dec (Rmax mu (epsilon t)) 0); [lra|]. eapply Rle_trans; [apply Rmin_l|].
  apply Rplus_le_compat_r. now apply G.
Qed.

(** says: the sharp form in closed form, under the same hypotheses, with f = ln(T b(T)) + ln((4 M + s)/s): a suboptimal
      arm costs at most (1 + 1/kappa) f/(2 (gap - 2 delta)^2) + s + c queries, and the unique optimal arm (1 + kappa) f/(2
      (m - 2 delta)^2) + s (1 + kappa^2)/(1 + kappa) + c, with c = 1/delta^2 + (K - 1) R/delta^2 (1 + 1/(2 delta^2)); all
      together K + (K - 1) H(b(T)) + K (2 + 1/delta^2) more, one arm alone 1 in the place of the first K; in the regret
      an arm counts with its gap, and with the rounds with epsilon(t) at or above it
    paper: beyond the paper; compare l.427-432, l.1141
    settles: pairs.sharp.closed_form
    breaks: "(1 + / kappa) / 2" to "(1 + / kappa) / 3" *)
Theorem the_sharp_closed_form_of_the_pair_rule {Row} s kappa (row_law : expectation Row) X missing decide epsilon
    (x : experiment (list Row)) star m delta M : pair_rule_on_rows s kappa row_law X missing decide epsilon x ->
  let b := instance x in let K := arms_of x in let T := horizon x in
  let E := one_from_each (repeat row_law T) in
  let f := pair_log s T (4 * M) (4 * M) in
  let c := cost_of_delta delta (INR (K - 1) * reach s kappa m) in
  let N := fun a => (1 + / kappa) / 2 * f / ((gap b a - 2 * delta) * (gap b a - 2 * delta)) + s + c in
  let N_star := (1 + kappa) / 2 * f / ((m - 2 * delta) * (m - 2 * delta)) + (1 + kappa * kappa) * s / (1 + kappa) + c in
  let failures := (INR K - 1) * harmonic (digits T) + cost_of_the_cap K delta in
  unique_optimal_arm b star -> (forall a, is_arm K a -> a <> star -> m <= gap b a) -> 0 < 2 * delta < m -> (1 <= T)%nat ->
  f / 2 * leader_thinness s kappa M < (m - 2 * delta) * (m - 2 * delta) ->
  reach s kappa m * ln (INR T) <= 2 * (delta * delta) * INR M -> (1 <= M)%nat ->
  E (regret_on x) <= sum (others K star) (fun a => gap b a * (N a + rounds_with_large_epsilon K epsilon (gap b a) T))
    + (INR K + failures) * largest_gap b /\
  E (queries_on x) <= sum (others K star) N + N_star + (INR K + failures) /\
  (forall a, is_arm K a -> a <> star -> E (fun w => INR (queries (path_of x w) a T)) <= N a + (1 + failures)) /\
  E (fun w => INR (queries (path_of x w) star T)) <= N_star + (1 + failures).
Proof.
  intros setting b K T E f c N N_star failures Hu Hm Hd HT M1 M2 M3.
  destruct (the_sharp_form_of_the_pair_rule s kappa row_law X missing decide epsilon x setting star m delta M Hu Hm Hd HT
    M1 M2 M3) as [Reg [Q [One Best]]].
  assert (Hs := pair_spread _ _ _ _ _ _ _ _ setting). assert (Hk := pair_ratio _ _ _ _ _ _ _ _ setting).
  assert (I : 0 < / kappa) by (apply Rinv_0_lt_compat; lra).
  fold b K T E in Reg, Q, One, Best. fold c in Reg, Q, One, Best.
  assert (F : sharp_failures x delta <= failures).
  { apply Rplus_le_compat_r, Rmult_le_compat_l; [|apply the_failures_of_pairs_sum_to_a_harmonic_number].
    assert (A := proj1 (proj1 Hu)). assert (H := le_INR 1 K (Nat.le_trans _ _ _ (proj1 A) (proj2 A))). change (INR 1) with 1 in H.
    fold K. lra. }
  assert (HN : forall a, is_arm K a -> a <> star -> sharp_number s kappa epsilon x delta M (gap b a) + c <= N a).
  { intros a Ha Hne. apply Rplus_le_compat_r. specialize (Hm a Ha Hne).
    apply the_sharp_number_is_at_most; trivial; lra. }
  assert (HS : sharp_optimal_number s kappa epsilon x m delta M + c <= N_star).
  { apply Rplus_le_compat_r. apply the_sharp_number_is_at_most; trivial; try lra. unfold Rdiv.
    apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; lra]. apply Rmult_le_pos; [|lra].
    generalize (Rle_0_sqr kappa). unfold Rsqr. lra. }
  split; [|split; [|split]].
  - eapply Rle_trans; [exact Reg|]. apply Rplus_le_compat.
    + apply sum_le. intros a Ha. apply in_others in Ha. destruct Ha as [Ha Hne].
      apply Rmult_le_compat_l; [now apply gap_nonneg|]. specialize (HN a Ha ltac:(congruence)). lra.
    + apply Rmult_le_compat_r; [apply largest_gap_nonneg | lra].
  - eapply Rle_trans; [exact Q|]. apply Rplus_le_compat; [|lra]. apply Rplus_le_compat; [|exact HS].
    apply sum_le. intros a Ha. apply in_others in Ha. destruct Ha as [Ha Hne]. apply HN; [exact Ha | congruence].
  - intros a Ha Hne. specialize (One a Ha Hne). specialize (HN a Ha Hne). lra.
  - lra.
Qed.

(** Regret bounds that do not depend on the gaps (propositions at l.1052 and l.435). *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Cases Runs Expectation Experiment Counts Levels GeneralTheorem
  Hoeffding
  HoeffdingIntervals ClosedForms.
Open Scope R_scope.

(** Sum of epsilon over the rounds that use it, t = K+1..T. The print starts at t = 1. *)
Definition total_epsilon (K : nat) (epsilon : nat -> R) (T : nat) : R :=
  sum (rounds T) (fun t => indicator (K <? t) * epsilon t).

(** The sum of min{epsilon(t), largest}: no round loses more than the largest gap. It is at most the sum of epsilon, and
    bounded for every adaptive epsilon. *)
Definition total_epsilon_up_to (largest : R) (K : nat) (epsilon : nat -> R) (T : nat) : R :=
  total_epsilon K (fun t => Rmin (epsilon t) largest) T.

Lemma total_epsilon_up_to_is_at_most largest K epsilon T :
  total_epsilon_up_to largest K epsilon T <= total_epsilon K epsilon T.
Proof. apply sum_le. intros t _. apply Rmult_le_compat_l; [apply indicator_nonneg | apply Rmin_l]. Qed.

(** ** From counts of queries in good rounds, for any strategy *)

Section FromCounts.
Context {Omega : Type} (E : expectation Omega) (x : experiment Omega) (good : nat -> Omega -> bool) (failures : R).
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.
Hypothesis failures_are_few : sum (rounds T) (fun t => probability E (fun w => negb (good t w))) <= failures.
Variable epsilon : Omega -> nat -> R.
Hypothesis epsilon_is_nonneg : forall w t, (K < t <= T)%nat -> 0 <= epsilon w t.
Hypothesis initial_rounds_query : forall w t, (1 <= t <= T)%nat -> (t <= K)%nat -> queried (path_of x w) t = true.
Hypothesis unqueried_plays_are_good : forall w t, (K < t <= T)%nat -> good t w = true ->
  queried (path_of x w) t = false -> gap b (played (path_of x w) t) <= epsilon w t.

Lemma small_epsilons_are_between w t : (1 <= t <= T)%nat ->
  0 <= indicator (K <? t) * Rmin (epsilon w t) (largest_gap b) <= largest_gap b.
Proof.
  intros Ht. assert (Hl := largest_gap_nonneg b). destruct (Nat.ltb_spec K t) as [HK|HK]; simpl indicator; [|lra].
  rewrite Rmult_1_l. split; [|apply Rmin_r]. apply Rmin_glb; [|exact Hl]. apply epsilon_is_nonneg. lia.
Qed.

(** For each Delta_0 = [d] > 0 only arms with a larger gap need a count: gap times it is at most M in expectation. *)
Lemma regret_whatever_the_gaps_from_counts N d M : 0 < d -> 0 <= M -> (forall a, is_arm K a -> bounded (N a)) ->
  (forall a, is_arm K a -> d < gap b a -> few_good_queries x good N a /\ gap b a * E (N a) <= M) ->
  E (regret_on x) <= INR K * M + d * INR T + E (fun w => total_epsilon_up_to (largest_gap b) K (epsilon w) T)
    + (INR K + failures) * largest_gap b.
Proof.
  intros Hd HM0 B Hfew. set (wide := fun a => negb (at_most (gap b a) d)).
  assert (P : forall w, regret_on x w <= sum (arms K) (fun a => indicator (wide a) * gap b a * (N a w + 1))
      + d * INR T + total_epsilon_up_to (largest_gap b) K (epsilon w) T
          + largest_gap b * sum (rounds T) (fun t => indicator (negb (good t w)))).
  { intros w. set (p := path_of x w).
    apply Rle_trans with (sum (rounds T) (fun t => sum (arms K) (fun a => indicator (wide a) * gap b a *
        indicator (good t w && (Nat.eqb (played p t) a && queried p t)))
        + (d + (indicator (K <? t) * Rmin (epsilon w t) (largest_gap b) + largest_gap b * indicator (negb (good t w)))))).
    - apply sum_le. intros t Ht. apply in_rounds in Ht. fold b p.
      assert (Ha : is_arm K (played p t)) by (apply path_plays_arms; exact Ht).
      assert (Hmax := gap_le_largest b _ Ha). assert (Hmax0 := largest_gap_nonneg b).
      assert (Heps := small_epsilons_are_between w t Ht). assert (Hgap := gap_nonneg b _ Ha).
      destruct (good t w) eqn:Hgood; simpl.
      2: { rewrite sum_zero by (intros; lra). lra. }
      destruct (queried p t) eqn:Hq.
      + rewrite (sum_ext _ _ (fun a => (indicator (wide a) * gap b a) * indicator (Nat.eqb (played p t) a)))
          by (intros; now rewrite andb_true_r).
        rewrite (sum_over_arms_picks K (played p t) (fun a => indicator (wide a) * gap b a) Ha).
        unfold wide, at_most. destruct (Rle_dec _ _); simpl; lra.
      + rewrite sum_zero by (intros; rewrite andb_false_r; simpl; lra).
        destruct (Nat.leb_spec t K) as [HK|HK]; [unfold p in Hq; rewrite (initial_rounds_query w t Ht HK) in Hq; discriminate|].
        replace (K <? t) with true by (symmetry; apply Nat.ltb_lt; lia). simpl.
        assert (G : gap b (played p t) <= epsilon w t) by (apply unqueried_plays_are_good; trivial; lia).
        assert (H := Rmin_glb _ _ _ G Hmax). lra.
    - rewrite sum_plus, sum_swap.
      rewrite (sum_plus (rounds T) (fun _ => d)), sum_const, length_rounds.
      rewrite (sum_plus (rounds T) (fun t => indicator (K <? t) * Rmin (epsilon w t) (largest_gap b))), sum_scal.
      change (sum (rounds T) (fun t => indicator (K <? t) * Rmin (epsilon w t) (largest_gap b)))
        with (total_epsilon_up_to (largest_gap b) K (epsilon w) T).
      assert (S1 : sum (arms K) (fun a => sum (rounds T)
        (fun t => indicator (wide a) * gap b a * indicator (good t w && (Nat.eqb (played p t) a && queried p t))))
         <= sum (arms K) (fun a => indicator (wide a) * gap b a * (N a w + 1))); [|lra].
      apply sum_le. intros a Ha. apply in_arms in Ha. rewrite sum_scal.
      unfold wide, at_most. destruct (Rle_dec _ _); simpl; [lra|].
      apply Rmult_le_compat_l; [lra|]. apply (proj1 (Hfew a Ha ltac:(lra))). }
  assert (B' : forall a, In a (arms K) -> bounded (N a)) by (intros; now apply B, in_arms).
  assert (BT : bounded (fun w => total_epsilon_up_to (largest_gap b) K (epsilon w) T)).
  { apply bounded_sum. intros t Ht. apply in_rounds in Ht. apply (bounded_between 0 (largest_gap b)). intros w.
    now apply small_epsilons_are_between. }
  eapply Rle_trans; [apply expect_le, P; bounded|].
  rewrite 3 expect_plus, expect_const, expect_scal, expect_sum by (intros; bounded).
  assert (S2 : sum (arms K) (fun a => E (fun w => indicator (wide a) * gap b a * (N a w + 1)))
    <= INR K * (M + largest_gap b)).
  { rewrite <- (seq_length K 1) at 2. rewrite <- sum_const. apply sum_le. intros a Ha.
    specialize (B' a Ha). apply in_arms in Ha. rewrite expect_scal, expect_plus, expect_const by bounded.
    assert (Hmax := gap_le_largest b a Ha). assert (Hmax0 := largest_gap_nonneg b).
    unfold wide, at_most. destruct (Rle_dec _ _) as [|Hlt]; simpl; [lra|].
    destruct (Hfew a Ha ltac:(lra)) as [_ HMa]. change (E (fun w => N a w)) with (E (N a)). lra. }
  assert (F := Rmult_le_compat_l _ _ _ (largest_gap_nonneg b) (expected_bad_rounds E x good failures failures_are_few)).
  fold T in F. lra.
Qed.
End FromCounts.

(** The infimum of q/d + d T over d > 0. *)
Lemma at_the_best_level q T rest v : 0 <= q -> 0 < T -> (forall d, 0 < d -> v <= q / d + d * T + rest) ->
  v <= 2 * sqrt (q * T) + rest.
Proof.
  intros Hq HT H. destruct Hq as [Hq|Hq].
  - set (s := sqrt (q * T)). assert (Hs : 0 < q * T) by now apply Rmult_lt_0_compat.
    assert (Hsp : 0 < s) by now apply sqrt_lt_R0. assert (Hss : s * s = q * T) by (apply sqrt_sqrt; lra).
    eapply Rle_trans; [apply (H (s / T)); now apply Rdiv_lt_0_compat|].
    replace (q / (s / T)) with (q * T / s) by (field; lra). rewrite <- Hss.
    replace (s * s / s) with s by (field; lra). replace (s / T * T) with s by (field; lra). lra.
  - apply le_epsilon. intros e He. assert (Hd : 0 < e / T) by now apply Rdiv_lt_0_compat.
    eapply Rle_trans; [apply (H (e / T) Hd)|]. rewrite <- Hq, Rmult_0_l, sqrt_0.
    replace (0 / (e / T)) with 0 by (field; lra). replace (e / T * T) with e by (field; lra). lra.
Qed.

Section General.
Context {Omega : Type} (E : expectation Omega) (x : experiment Omega).
Variables (good : nat -> Omega -> bool) (failures : R).
Variables (enough_if_good : nat -> nat -> R -> R) (enough_always : nat -> R -> R).
Hypothesis is_regular : regular E x good failures enough_if_good enough_always.
Variable rho : R.
Hypothesis rho_is_nonneg : 0 <= rho.
Hypothesis runs : runs_of (steered_by rho) x.
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.

(** Proposition l.1052 for every rule that is steered by [rho], for each Delta_0 = [d] > 0 (the print takes the
    infimum). M bounds mu N-bar(T, mu) at mu = gap/(1 + rho), where the proof needs it; epsilon may be adaptive. *)
Theorem steered_problem_independent_regret d M :
  0 < d ->
  (forall a, is_arm K a -> d < gap b a ->
    gap b a / (1 + rho) * expected_n_bar E x enough_if_good a (gap b a / (1 + rho)) <= M) -> 0 <= M ->
  E (regret_on x) <= (1 + rho) * INR K * M + d * INR T
    + E (fun w => total_epsilon_up_to (largest_gap b) K (epsilon_at x w) T)
    + (INR K + failures) * largest_gap b.
Proof.
  intros Hd HM HM0. replace ((1 + rho) * INR K * M) with (INR K * ((1 + rho) * M)) by ring.
  set (N := n_bar_of_level x enough_if_good (with_epsilon x (share_level x rho))).
  assert (B : forall a, is_arm K a -> bounded (N a))
    by (intros a Ha; now apply (bounded_n_bar_of_level E x good failures enough_if_good enough_always is_regular)).
  apply (regret_whatever_the_gaps_from_counts E x good failures (failures_are_rare _ _ _ _ _ _ is_regular) (epsilon_at x)
    ltac:(intros w t Ht; apply (epsilon_is_nonneg runs); unfold arms_of, horizon in *; lia) (initial_rounds_are_queried x rho runs)
    (unqueried_plays_are_within_epsilon E x _ _ _ _ is_regular rho runs) N); trivial.
  - apply Rmult_le_pos; lra.
  - intros a Ha Hgap. fold b in Hgap |- *. split.
    + split; [now apply B|]. intros w.
      apply (good_queries_are_few E x good failures enough_if_good enough_always is_regular rho runs _ a w Ha).
      apply (a_share_of_the_gap_is_a_level E x good failures enough_if_good enough_always is_regular rho rho_is_nonneg
        runs). fold b. lra.
    + assert (HMa := HM a Ha Hgap). change (expected_n_bar E x enough_if_good a (gap b a / (1 + rho))) with (E (N a)) in HMa.
      apply (Rmult_le_compat_l (1 + rho)) in HMa; [|lra].
      replace ((1 + rho) * (gap b a / (1 + rho) * E (N a))) with (gap b a * E (N a)) in HMa by (field; lra). exact HMa.
Qed.

(** For each number Q >= 0 such that N-bar(T, mu) <= Q / mu^2 at every level mu > 0. *)
Let r := 1 + rho.
Variable Q : R.
Hypothesis Q_is_nonneg : 0 <= Q.
Hypothesis n_bar_is_quadratic : forall a epsilon mu, 0 < mu -> n_bar (enough_if_good a) epsilon mu T <= Q / (mu * mu).

(** For each Delta_0 > 0: (1 + rho)^2 K Q / Delta_0 + Delta_0 T. *)
Lemma quadratic_problem_independent_regret_at d : 0 < d ->
  E (regret_on x) <= Q * (r * r) * INR K / d + d * INR T
    + E (fun w => total_epsilon_up_to (largest_gap b) K (epsilon_at x w) T)
    + (INR K + failures) * largest_gap b.
Proof.
  intros Hd. assert (Hr : 1 <= r) by (unfold r; lra). assert (I : 0 < / d) by now apply Rinv_0_lt_compat.
  assert (HQ : 0 <= Q * r) by (apply Rmult_le_pos; lra).
  assert (HM : 0 <= Q * r / d) by (unfold Rdiv; apply Rmult_le_pos; lra).
  eapply Rle_trans; [apply (steered_problem_independent_regret d (Q * r / d) Hd)|].
  - intros a Ha Hgap. fold b in Hgap |- *. fold r. set (g := gap b a) in *.
    assert (Hg : 0 < g / r) by (apply Rdiv_lt_0_compat; lra).
    apply Rle_trans with (g / r * (Q / (g / r * (g / r)))).
    + apply Rmult_le_compat_l; [lra|]. apply expect_between with (a := 0). intros w.
      split; [apply maximum_nonneg | now apply n_bar_is_quadratic].
    + replace (g / r * (Q / (g / r * (g / r)))) with (Q * r * / g) by (field; lra).
      unfold Rdiv. apply Rmult_le_compat_l; [exact HQ|]. apply Rinv_le_contravar; lra.
  - exact HM.
  - fold K T b r. apply Req_le. unfold Rdiv. ring.
Qed.

(** The Delta_0 that balances the two: 2 (1 + rho) sqrt(K T Q). *)
Theorem quadratic_problem_independent_regret : (1 <= T)%nat ->
  E (regret_on x) <= 2 * (1 + rho) * sqrt (Q * INR K * INR T)
    + E (fun w => total_epsilon_up_to (largest_gap b) K (epsilon_at x w) T) + (INR K + failures) * largest_gap b.
Proof.
  intros HT. assert (HT1 : 1 <= INR T) by (apply le_INR in HT; exact HT). assert (HK := pos_INR K).
  assert (Hr : 1 <= r) by (unfold r; lra). fold r. rewrite (Rmult_assoc 2 r), Rplus_assoc.
  assert (H0 : 0 <= Q * INR K * INR T) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
  replace (r * sqrt (Q * INR K * INR T)) with (sqrt (Q * (r * r) * INR K * INR T)).
  - apply at_the_best_level; [repeat apply Rmult_le_pos; lra | lra|]. intros d Hd.
    assert (H := quadratic_problem_independent_regret_at d Hd). lra.
  - replace (Q * (r * r) * INR K * INR T) with (r * r * (Q * INR K * INR T)) by ring.
    rewrite sqrt_mult_alt, sqrt_square by (try apply Rmult_le_pos; lra). reflexivity.
Qed.
End General.

(** says: the general bound that does not depend on the gaps, for every Delta_0 > 0 and any regular intervals
    paper: l.1052-1058
    differs: M >= 0, and M bounds mu N-bar(T, mu) at gap/2, where the proof needs it, not at the gap; min{epsilon(t),
      Delta_max} is summed, from t = K+1
    breaks: "2 * INR K" to "INR K" *)
Theorem general_problem_independent_regret {Omega} (E : expectation Omega) (x : experiment Omega) good failures
    enough_if_good enough_always :
  regular E x good failures enough_if_good enough_always -> runs_of bufalu x ->
  let b := instance x in let K := arms_of x in let T := horizon x in
  forall d M, 0 < d ->
  (forall a, is_arm K a -> d < gap b a -> gap b a / 2 * expected_n_bar E x enough_if_good a (gap b a / 2) <= M) ->
    0 <= M ->
  E (regret_on x) <= 2 * INR K * M + d * INR T + E (fun w => total_epsilon_up_to (largest_gap b) K (epsilon_at x w) T)
    + (INR K + failures) * largest_gap b.
Proof.
  intros Hreg runs. exact (steered_problem_independent_regret E x good failures enough_if_good enough_always Hreg 1
    Rle_0_1 (runs_of_bufalu_are_steered x runs)).
Qed.

(** says: the general bound that does not depend on the gaps, if M(Delta_0) dominates mu N-bar(T, mu) at every level
      mu in (Delta_0, gap], for every Delta_0 > 0 and any regular intervals
    paper: l.1052-1058
    differs: M >= 0; M dominates at every level instead of at the gap; min{epsilon(t), Delta_max} is summed, from t =
      K+1
    breaks: "2 * INR K" to "INR K" *)
Theorem problem_independent_regret_from_every_level {Omega} (E : expectation Omega) (x : experiment Omega) good failures
    enough_if_good enough_always (M : R -> R) :
  regular E x good failures enough_if_good enough_always -> runs_of bufalu x ->
  let b := instance x in let K := arms_of x in let T := horizon x in
  (forall d, 0 <= M d) ->
  (forall d mu a, is_arm K a -> 0 < d -> d < mu <= gap b a -> mu * expected_n_bar E x enough_if_good a mu <= M d) ->
  forall d, 0 < d ->
  E (regret_on x) <= 2 * INR K * M (d / 2) + d * INR T
    + E (fun w => total_epsilon_up_to (largest_gap b) K (epsilon_at x w) T)
    + (INR K + failures) * largest_gap b.
Proof.
  intros Hreg runs b K T HM HN d Hd.
  apply (general_problem_independent_regret E x _ _ _ _ Hreg runs d (M (d / 2)) Hd); [|apply HM].
  intros a Ha Hgap. apply HN; [exact Ha | lra | fold b in Hgap |- *; lra].
Qed.

(** says: 6 ln T / Delta_0 dominates mu N-bar(T, mu) of Hoeffding's intervals at every level mu > Delta_0
    paper: l.1059
    differs: none
    breaks: "6 * ln" to "5 * ln" *)
Theorem hoeffdings_function_dominates_every_level epsilon T d mu : (1 <= T)%nat -> 0 < d -> d < mu ->
  mu * hoeffding_n_bar epsilon mu T <= 6 * ln (INR T) / d.
Proof.
  intros HT Hd Hmu. assert (Hln := ln_of_round_nonneg T HT).
  apply Rle_trans with (mu * (6 * ln (INR T) / (mu * mu))).
  - apply Rmult_le_compat_l; [lra|]. now apply n_bar_is_at_most_six_log_over_square; [|lra].
  - replace (mu * (6 * ln (INR T) / (mu * mu))) with (6 * ln (INR T) * / mu) by (field; lra).
    unfold Rdiv. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra.
Qed.

Section Hoeffding.
Context {Omega : Type} (E : expectation Omega) (x : experiment Omega) (X : nat -> nat -> Omega -> R).
Hypothesis tape : reward_tape E (instance x) (horizon x) X.
Hypothesis uses : uses_hoeffding_intervals x X.
Variable rho : R.
Hypothesis rho_is_nonneg : 0 <= rho.
Hypothesis runs : runs_of (steered_by rho) x.
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.

(** Proposition l.435 with the dial: Reg(T) <= 2 (1 + rho) sqrt(6 K T ln T) + sum of epsilon + 2 K Delta_max; at rho = 1
    the factor is 4. The print has 3K, which is weaker, and sums epsilon from t = 1. Epsilon may be adaptive; then its
    sum is in expectation. *)
Theorem hoeffding_problem_independent_regret : (1 <= T)%nat ->
  E (regret_on x) <= 2 * (1 + rho) * sqrt (6 * INR K * INR T * ln (INR T))
    + E (fun w => total_epsilon_up_to (largest_gap b) K (epsilon_at x w) T) + 2 * INR K * largest_gap b.
Proof.
  intros HT. assert (Hln := ln_of_round_nonneg T HT).
  assert (P := quadratic_problem_independent_regret E x _ _ _ _ (hoeffding_intervals_are_regular E x X tape uses) rho
    rho_is_nonneg runs (6 * ln (INR T)) ltac:(lra) (fun _ epsilon mu => n_bar_is_at_most_six_log_over_square epsilon mu T HT)
    HT). fold b K T in P.
  replace (6 * INR K * INR T * ln (INR T)) with (6 * ln (INR T) * INR K * INR T) by ring. lra.
Qed.
End Hoeffding.

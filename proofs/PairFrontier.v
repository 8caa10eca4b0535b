(** Beyond the paper: what the pair rule's queries are per ln T in the long run, and that they lie on the frontier which
    no consistent strategy crosses, for Bernoulli arms whose variances are nearly 1/4. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Decision GapQuery Runs Expectation Experiment Laws Hoeffding Sharp PairRule PairRuns
  PairEndToEnd PairClosedForms PairNearMeans PairSharp FiniteLaws BinaryDivergence Strategies Consistency LogarithmicGrowth
  BernoulliThreshold OneModel Frontier.
Import ListNotations.
Open Scope R_scope.

(** ** What is less than every multiple of ln T *)

Definition little (f : nat -> R) : Prop := forall e, 0 < e -> eventually (fun T => f T <= e * ln (INR T)).

Lemma little_const c : little (fun _ => c).
Proof.
  intros e He. apply (eventually_mono _ _) with (2 := eventually_log_exceeds (c / e)). intros T HT.
  apply (Rmult_le_compat_l e) in HT; [|lra]. replace (e * (c / e)) with c in HT by (field; lra). exact HT.
Qed.

Lemma little_plus f g : little f -> little g -> little (fun T => f T + g T).
Proof.
  intros Hf Hg e He. apply (eventually_mono _ _) with (2 := eventually_and _ _ (Hf (e / 2) ltac:(lra)) (Hg (e / 2)
    ltac:(lra))). intros T [H1 H2]. lra.
Qed.

Lemma little_scal c f : 0 <= c -> little f -> little (fun T => c * f T).
Proof.
  intros Hc Hf e He. assert (P : 0 < / (c + 1)) by (apply Rinv_0_lt_compat; lra).
  apply (eventually_mono _ _) with (2 := eventually_and _ _ eventually_log_is_positive
    (Hf (e * / (c + 1)) ltac:(now apply Rmult_lt_0_compat))). intros T [HL HT].
  apply (Rmult_le_compat_l c) in HT; [|exact Hc].
  assert (D : (c + 1) * (e * / (c + 1) * ln (INR T)) = e * ln (INR T)) by (field; lra).
  assert (0 < e * / (c + 1) * ln (INR T)) by (repeat apply Rmult_lt_0_compat; lra). lra.
Qed.

Lemma little_log u v : 0 < u -> 0 <= v -> little (fun T => ln (u + v * ln (INR T))).
Proof.
  intros Hu Hv e He. set (z := 2 * (v + 1) / e). assert (Hz : 0 < z) by (apply Rdiv_lt_0_compat; lra).
  apply (eventually_mono _ _) with (2 := eventually_and _ _ eventually_log_is_positive
    (little_const (u / z - 1 + ln z) (e / 2) ltac:(lra))). intros T [HL HT]. set (l := ln (INR T)) in *.
  assert (P : 0 <= v * l) by (apply Rmult_le_pos; lra).
  assert (L := ln_at_most_tangent ((u + v * l) / z) ltac:(apply Rdiv_lt_0_compat; lra)). rewrite ln_div in L by lra.
  assert (V : v * l / z <= e / 2 * l).
  { unfold Rdiv at 1. replace (v * l * / z) with (l * (v * / z)) by ring. rewrite (Rmult_comm (e / 2)).
    apply Rmult_le_compat_l; [lra|]. apply (Rmult_le_reg_r z); [exact Hz|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    unfold z. replace (e / 2 * (2 * (v + 1) / e)) with (v + 1) by (field; lra). lra. }
  replace ((u + v * l) / z) with (u / z + v * l / z) in L by (field; lra). lra.
Qed.

Lemma little_mono f g : eventually (fun T => f T <= g T) -> little g -> little f.
Proof.
  intros H Hg e He. apply (eventually_mono _ _) with (2 := eventually_and _ _ H (Hg e He)). intros T [H1 H2]. lra.
Qed.

Lemma digits_are_at_most T : (1 <= T)%nat -> INR (digits T) <= 1 + 2 * ln (INR T).
Proof.
  intros HT. unfold digits. rewrite S_INR. assert (L := Nat.log2_spec T ltac:(lia)). destruct L as [L _].
  apply le_INR in L. rewrite pow_INR in L. change (INR 2) with 2 in L.
  assert (P := pow_lt 2 (Nat.log2 T) ltac:(lra)). apply ln_is_monotone in L; [|exact P].
  rewrite ln_pow in L by lra. assert (H := ln_at_most_tangent (/ 2) ltac:(lra)). rewrite ln_Rinv in H by lra.
  assert (N := pos_INR (Nat.log2 T)).
  assert (INR (Nat.log2 T) * (/ 2) <= INR (Nat.log2 T) * ln 2) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Lemma harmonic_numbers_are_logarithmic n : (1 <= n)%nat -> harmonic n <= 1 + ln (INR n).
Proof.
  intros H. induction n as [|n IH]; [lia|]. unfold harmonic in *. rewrite sum_rounds_S. destruct n as [|n].
  - unfold rounds, sum. simpl. rewrite ln_1. lra.
  - specialize (IH ltac:(lia)). assert (P : 0 < INR (S n)) by (apply lt_0_INR; lia). rewrite (S_INR (S n)).
    set (z := INR (S n)) in *. assert (L := ln_at_most_tangent (z / (z + 1)) ltac:(apply Rdiv_lt_0_compat; lra)).
    rewrite ln_div in L by lra. replace (z / (z + 1) - 1) with (- / (z + 1)) in L by (field; lra). lra.
Qed.

Lemma little_failures : little (fun T => harmonic (digits T)).
Proof.
  apply (little_mono _ (fun T => 1 + ln (1 + 2 * ln (INR T)))).
  - apply (eventually_mono _ _) with (2 := eventually_at_least 1). intros T HT.
    eapply Rle_trans; [apply harmonic_numbers_are_logarithmic; unfold digits; lia|]. apply Rplus_le_compat_l, ln_is_monotone;
      [apply lt_0_INR; unfold digits; lia | now apply digits_are_at_most].
  - apply little_plus; [apply little_const | apply little_log; lra].
Qed.

(** The logarithm of two arms with 4 M queries each, where M is of the order of ln T, is ln T up to lower order. *)
Lemma little_rest_of_the_log s B : 0 < s -> 0 <= B -> let M := fun T => S (ceiling (B * ln (INR T))) in
  little (fun T => pair_log s T (4 * M T) (4 * M T) - ln (INR T)).
Proof.
  intros Hs HB M.
  apply (little_mono _ (fun T => ln (1 + 2 * ln (INR T)) + ln ((8 + s) / s + 4 * B / s * ln (INR T)))).
  - apply (eventually_mono _ _) with (2 := eventually_and _ _ (eventually_at_least 1) eventually_log_is_positive).
    intros T [HT HL]. assert (PT : 0 < INR T) by (apply lt_0_INR; lia).
    assert (PD : 0 < INR (digits T)) by (apply lt_0_INR; unfold digits; lia).
    assert (D := digits_are_at_most T HT). set (l := ln (INR T)) in *.
    assert (BL : 0 <= B * l) by (apply Rmult_le_pos; lra).
    assert (C : INR (M T) <= B * l + 2) by (unfold M; rewrite S_INR; assert (Q := ceiling_is_close (B * l) BL); fold l; lra).
    unfold pair_log. rewrite ln_mult by assumption. fold l. rewrite mult_INR. change (INR 4) with (1 + 1 + 1 + 1).
    assert (P0 := pos_INR (M T)). set (z := (1 + 1 + 1 + 1) * INR (M T) + s). assert (Hz : 0 < z) by (unfold z; lra).
    replace (z * z / (s * s)) with (z / s * (z / s)) by (field; lra).
    assert (Q : 0 < z / s) by now apply Rdiv_lt_0_compat. rewrite ln_mult by assumption.
    assert (L1 := ln_is_monotone (INR (digits T)) (1 + 2 * l) PD D).
    assert (L2 : ln (z / s) <= ln ((8 + s) / s + 4 * B / s * l)).
    { apply ln_is_monotone; [exact Q|]. replace ((8 + s) / s + 4 * B / s * l) with ((4 * (B * l + 2) + s) / s) by (field; lra).
      unfold Rdiv. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|]. unfold z. lra. }
    lra.
  - apply little_plus; apply little_log; try lra.
    + apply Rdiv_lt_0_compat; lra.
    + unfold Rdiv. apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat].
Qed.

(** ** The pair rule in the long run *)

Lemma the_leading_term A d D m theta eta f l rest : / 2 <= A -> 0 < m <= d -> d <= D -> 0 <= l -> 0 < eta ->
  0 < theta <= / 4 -> theta <= eta / 16 -> f <= (1 + theta) * l -> rest <= eta / (4 * (D * D)) * l ->
  A * f / ((d - theta * m) * (d - theta * m)) + rest <= (1 + eta) * (A * l / (d * d)).
Proof.
  intros HA Hd HD Hl He Ht1 Ht2 Hf Hr. assert (Dd : 0 < d * d) by (apply Rmult_lt_0_compat; lra).
  assert (I : 0 < / (d * d)) by now apply Rinv_0_lt_compat.
  assert (T0 : 0 <= theta * (d - m)) by (apply Rmult_le_pos; lra).
  assert (Ht : theta * d <= / 4 * d) by (apply Rmult_le_compat_r; lra).
  set (e := d - theta * m). assert (E : 0 < (1 - theta) * d <= e) by (unfold e; lra).
  assert (EE : (1 - theta) * d * ((1 - theta) * d) <= e * e) by (apply Rmult_le_compat; lra).
  assert (Lead : A * f / (e * e) <= (1 + eta / 2) * (A * l / (d * d))).
  { assert (P : 0 < e * e) by (apply Rmult_lt_0_compat; lra).
    apply (Rmult_le_reg_r (e * e)); [exact P|]. replace (A * f / (e * e) * (e * e)) with (A * f) by (field; lra).
    apply Rle_trans with (A * ((1 + theta) * l)); [apply Rmult_le_compat_l; lra|].
    apply Rle_trans with ((1 + eta / 2) * (A * l / (d * d)) * ((1 - theta) * d * ((1 - theta) * d))).
    - replace ((1 + eta / 2) * (A * l / (d * d)) * ((1 - theta) * d * ((1 - theta) * d)))
        with (A * l * ((1 + eta / 2) * ((1 - theta) * (1 - theta)))) by (field; lra).
      replace (A * ((1 + theta) * l)) with (A * l * (1 + theta)) by ring.
      apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|].
      assert (0 <= theta * theta) by apply Rle_0_sqr.
      assert (0 <= eta * (theta * theta)) by (apply Rmult_le_pos; lra).
      assert (eta * theta <= eta * / 4) by (apply Rmult_le_compat_l; lra). lra.
    - apply Rmult_le_compat_l; [|exact EE]. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra]. }
  assert (Rest : rest <= eta / 2 * (A * l / (d * d))); [|lra].
  eapply Rle_trans; [exact Hr|].
  replace (eta / 2 * (A * l / (d * d))) with (eta * l * (A / 2 * / (d * d))) by (field; lra).
  replace (eta / (4 * (D * D)) * l) with (eta * l * (/ 4 * / (D * D))) by (field; lra).
  apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|].
  apply Rmult_le_compat; [lra | left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra | lra|].
  apply Rinv_le_contravar; [exact Dd|]. apply Rmult_le_compat; lra.
Qed.

(** says: for every bandit with a unique optimal arm, m > 0 at most every other gap, kappa >= 1, s > 0 and eta > 0 there is
      a horizon from which on the pair rule, with any rewards in [0,1] of these means, any nonnegative epsilon fixed in
      advance and any tie-break that depends on the past, queries a suboptimal arm in expectation at most (1 + eta) (1 +
      1/kappa) ln T/(2 gap^2) times and the optimal arm at most (1 + eta) (1 + kappa) ln T/(2 m^2) times, and has a regret of
      at most eta ln T more than the sum of gap times the first number plus the rounds with epsilon(t) at or above the gap
    paper: beyond the paper
    settles: pairs.sharp.long_run
    breaks: "(1 + kappa) / 2" to "(1 + kappa) / 3" *)
Theorem the_pair_rule_in_the_long_run b star m s kappa eta : unique_optimal_arm b star -> 0 < m ->
  (forall a, is_arm (number_of_arms b) a -> a <> star -> m <= gap b a) -> 0 < s -> 1 <= kappa -> 0 < eta ->
  exists T0, forall (Row : Type) (row_law : expectation Row) X missing decide epsilon (x : experiment (list Row)),
  pair_rule_on_rows s kappa row_law X missing decide epsilon x -> instance x = b -> (T0 <= horizon x)%nat ->
  let T := horizon x in let E := one_from_each (repeat row_law T) in
  (forall a, is_arm (number_of_arms b) a -> a <> star -> E (fun w => INR (queries (path_of x w) a T))
    <= (1 + eta) * ((1 + / kappa) / 2 * ln (INR T) / (gap b a * gap b a))) /\
  E (fun w => INR (queries (path_of x w) star T)) <= (1 + eta) * ((1 + kappa) / 2 * ln (INR T) / (m * m)) /\
  E (regret_on x) <= sum (others (number_of_arms b) star) (fun a => gap b a *
      ((1 + eta) * ((1 + / kappa) / 2 * ln (INR T) / (gap b a * gap b a))
        + rounds_with_large_epsilon (number_of_arms b) epsilon (gap b a) T)) + eta * ln (INR T).
Proof.
  intros Hu Hm Hgaps Hs Hk He. set (theta := Rmin (/ 4) (eta / 16)).
  assert (Th : 0 < theta <= / 4) by (split; [apply Rmin_pos; lra | apply Rmin_l]).
  assert (Th2 : theta <= eta / 16) by apply Rmin_r.
  set (delta := theta * m / 2). assert (E2 : 2 * delta = theta * m) by (unfold delta; field).
  assert (Tm : 0 < theta * m <= / 4 * m) by (split; [apply Rmult_lt_0_compat | apply Rmult_le_compat_r]; lra).
  assert (Hd : 0 < delta) by lra. assert (DD := dd_is_pos delta Hd).
  set (span := reach s kappa m). assert (Sp : kappa <= span) by (apply (reach_is_large s kappa m delta); lra).
  set (X0 := (1 + kappa * kappa) * (1 + s)).
  assert (KK : kappa * 1 <= kappa * kappa) by (apply Rmult_le_compat_l; lra).
  assert (HX : 0 < X0) by (apply Rmult_lt_0_compat; lra).
  set (g := (m - 2 * delta) * (m - 2 * delta)). assert (Hg : 0 < g) by (apply Rmult_lt_0_compat; lra).
  set (B := span / (2 * (delta * delta)) + X0 / g + 1).
  assert (B1 : 0 < span / (2 * (delta * delta))) by (apply Rdiv_lt_0_compat; lra).
  assert (B2 : 0 < X0 / g) by now apply Rdiv_lt_0_compat.
  set (M := fun T => S (ceiling (B * ln (INR T)))). set (K := number_of_arms b).
  set (D := Rmax m (largest_gap b)). assert (D1 : m <= D) by apply Rmax_l. assert (D2 : largest_gap b <= D) by apply Rmax_r.
  set (c := cost_of_delta delta (INR (K - 1) * span)).
  set (c0 := s + (1 + kappa * kappa) * s / (1 + kappa)).
  set (rest := fun T => (INR K - 1) * harmonic (digits T) + (c0 + c + 1 + cost_of_the_cap K delta)).
  assert (HK : 1 <= INR K).
  { change 1 with (INR 1). apply le_INR. assert (Ho := proj1 (proj1 Hu)). unfold is_arm in Ho.
    exact (Nat.le_trans _ _ _ (proj1 Ho) (proj2 Ho)). }
  assert (Lrest : little rest) by (apply little_plus; [apply little_scal; [lra | apply little_failures] | apply little_const]).
  assert (Lover : little (fun T => largest_gap b * ((INR K - 1) * harmonic (digits T) + (INR K + cost_of_the_cap K delta)))).
  { apply little_scal; [apply largest_gap_nonneg|].
    apply little_plus; [apply little_scal; [lra | apply little_failures] | apply little_const]. }
  assert (Ev := eventually_and _ _ (eventually_and _ _ (eventually_and _ _ (eventually_at_least 1)
    eventually_log_is_positive) (Lover eta He)) (eventually_and _ _ (little_rest_of_the_log s B Hs ltac:(unfold B; lra) theta (proj1 Th))
      (Lrest (eta / (4 * (D * D))) ltac:(apply Rdiv_lt_0_compat; [exact He|]; apply Rmult_lt_0_compat; [lra|];
        apply Rmult_lt_0_compat; lra)))). fold M in Ev. destruct Ev as [T0 Ev].
  exists T0. intros Row row_law X missing decide epsilon x setting Ex HT T E.
  destruct (Ev T HT) as [[[HT1 HL] Hover] [Hf Hrest]]. set (l := ln (INR T)) in *. set (f := pair_log s T (4 * M T) (4 * M T)) in *.
  assert (BL : 0 < B * l) by (apply Rmult_lt_0_compat; [unfold B; lra | exact HL]).
  assert (CM : B * l <= INR (M T)) by (unfold M; rewrite S_INR; assert (Q := ceiling_is_close (B * l) (Rlt_le _ _ BL)); fold l; lra).
  assert (M1 : f / 2 * leader_thinness s kappa (M T) < g).
  { assert (Th3 := a_thinness_is_at_most s Hs (1 + kappa) (1 + kappa * kappa) (1 + kappa * kappa) (M T)
      ltac:(unfold M; lia) ltac:(lra) ltac:(generalize (Rle_0_sqr kappa); unfold Rsqr; lra)). fold X0 in Th3.
    assert (F0 : 0 <= f) by (apply a_pair_log_is_nonneg; [exact Hs | exact HT1]).
    assert (Tl : theta * l <= 1 * l) by (apply Rmult_le_compat_r; lra).
    apply Rle_lt_trans with (l * (X0 / INR (M T))).
    - apply Rmult_le_compat; [lra | | lra | exact Th3]. unfold leader_thinness. apply Rmult_le_pos.
      + apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra.
      + left. apply Rinv_0_lt_compat. apply Rmult_lt_0_compat; lra.
    - apply (Rmult_lt_reg_r (INR (M T))); [lra|]. replace (l * (X0 / INR (M T)) * INR (M T)) with (l * X0) by (field; lra).
      apply Rlt_le_trans with (g * (B * l)); [|apply Rmult_le_compat_l; lra].
      replace (g * (B * l)) with (l * X0 + l * (g * (span / (2 * (delta * delta)) + 1))) by (unfold B; field; lra).
      assert (0 < l * (g * (span / (2 * (delta * delta)) + 1))) by (repeat apply Rmult_lt_0_compat; lra). lra. }
  assert (M2 : span * l <= 2 * (delta * delta) * INR (M T)).
  { apply Rle_trans with (2 * (delta * delta) * (B * l)); [|apply Rmult_le_compat_l; lra].
    replace (2 * (delta * delta) * (B * l)) with (span * l + 2 * (delta * delta) * ((X0 / g + 1) * l))
      by (unfold B; field; lra).
    assert (0 < 2 * (delta * delta) * ((X0 / g + 1) * l)) by (repeat apply Rmult_lt_0_compat; lra). lra. }
  assert (P := the_sharp_closed_form_of_the_pair_rule s kappa row_law X missing decide epsilon x star m delta (M T) setting).
  unfold arms_of in P. rewrite Ex in P. cbv zeta in P. fold T K in P. fold E f span in P. fold c in P.
  destruct (P Hu Hgaps ltac:(lra) HT1 M1 M2 ltac:(unfold M; lia)) as [Reg [_ [One Best]]]. rewrite E2 in One, Best, Reg.
  assert (I : 0 < / kappa) by (apply Rinv_0_lt_compat; lra).
  assert (C1 : 0 <= (1 + kappa * kappa) * s / (1 + kappa)).
  { unfold Rdiv. apply Rmult_le_pos; [apply Rmult_le_pos; lra | left; apply Rinv_0_lt_compat; lra]. }
  assert (Cap : 0 <= cost_of_the_cap K delta).
  { unfold cost_of_the_cap. apply Rmult_le_pos; [lra|]. assert (0 < / (delta * delta)) by now apply Rinv_0_lt_compat. lra. }
  assert (Har : 0 <= (INR K - 1) * harmonic (digits T)).
  { apply Rmult_le_pos; [lra|]. apply sum_nonneg. intros j Hj. apply in_rounds in Hj. left. apply Rinv_0_lt_compat, lt_0_INR. lia. }
  unfold rest, c0 in Hrest.
  assert (Lead : forall a, is_arm K a -> a <> star -> (1 + / kappa) / 2 * f
    / ((gap b a - theta * m) * (gap b a - theta * m)) + (rest T) <= (1 + eta) * ((1 + / kappa) / 2 * l / (gap b a * gap b a))).
  { intros a Ha Hne. assert (G := Hgaps a Ha Hne). assert (G2 := gap_le_largest b a Ha).
    apply (the_leading_term _ (gap b a) D m theta eta f l); trivial; lra. }
  unfold rest, c0 in Lead. split; [|split].
  - intros a Ha Hne. specialize (One a Ha Hne). specialize (Lead a Ha Hne). fold E in One. lra.
  - assert (L := the_leading_term ((1 + kappa) / 2) m D m theta eta f l _ ltac:(lra) ltac:(lra) D1
      ltac:(lra) He Th Th2 ltac:(lra) Hrest). fold E in Best. lra.
  - eapply Rle_trans; [exact Reg|]. apply Rplus_le_compat; [|lra]. apply sum_le. intros a Ha. apply in_others in Ha.
    destruct Ha as [Ha Hne]. specialize (Lead a Ha ltac:(congruence)). apply Rmult_le_compat_l; [now apply gap_nonneg|]. lra.
Qed.

(** ** Both sides *)

(** says: on Bernoulli arms with a unique optimal one of mean below 1 and another arm of mean above 0 and smallest gap D, with
      v > 0 at most both variances, for every eta > 0, kappa >= 1 and s > 0: every strategy that is consistent on the
      Bernoulli laws has, for all large T, 2 v (1 - eta) ln T (n + n') <= D^2 n n', where n and n' are its expected
      queries of the two arms, and (1 - eta) ln T <= kl(mu_a, mu) n + kl(mu_star, mu) n' at all thresholds mu between
      the means; and from some horizon on the pair rule has 2 D^2 n n' <= (1 + eta) ln T (n + n'), whatever the tie-break
      and epsilon. So 1/n + 1/n' is at most D^2/(2 v ln T) for all and at least 2 D^2/ln T for the pair rule, up to
      1 + eta: equal where v is 1/4
    paper: beyond the paper; compare l.309-313, l.603-611
    settles: pairs.frontier.reached
    breaks: "<= (1 + eta) * ln" to "<= (1 - eta) * ln" *)
Theorem the_pair_rule_lies_on_the_frontier K nu b star a v s kappa eta : is_bandit_of K nu b -> instance_of K bernoulli nu ->
  unique_optimal K nu star -> is_arm K a -> a <> star -> (forall c, is_arm K c -> c <> star -> gap b a <= gap b c) ->
  let x := law_mean (nu a) in let y := law_mean (nu star) in
  0 < x /\ y < 1 -> 0 < v -> v <= x * (1 - x) -> v <= y * (1 - y) -> 0 < s -> 1 <= kappa -> 0 < eta ->
  (forall strat : strategy K, consistent bernoulli strat -> eventually (fun T =>
    let n := expected_queries strat nu a T in let n' := expected_queries strat nu star T in
    (forall mu, x <= mu <= y -> (1 - eta) * ln (INR T) <= binary_kl x mu * n + binary_kl y mu * n') /\
    2 * v * ((1 - eta) * ln (INR T)) * (n + n') <= (y - x) * (y - x) * (n * n'))) /\
  exists T0, forall (Row : Type) (row_law : expectation Row) X missing decide epsilon (e : experiment (list Row)),
  pair_rule_on_rows s kappa row_law X missing decide epsilon e -> instance e = b -> (T0 <= horizon e)%nat ->
  let T := horizon e in let E := one_from_each (repeat row_law T) in
  let n := E (fun w => INR (queries (path_of e w) a T)) in let n' := E (fun w => INR (queries (path_of e w) star T)) in
  2 * ((y - x) * (y - x)) * (n * n') <= (1 + eta) * ln (INR T) * (n + n').
Proof.
  intros Hb Hnu Hstar Ha Hne Hleast x y Hxy Hv Vx Vy Hs Hk He. split.
  - intros strat Hc.
    exact (no_consistent_strategy_crosses_the_frontier strat nu star a Hc Hnu Hstar Ha Hne Hxy (1 - eta) v ltac:(lra) Hv Vx Vy).
  - assert (Hu := unique_optimal_is_unique K nu b Hb star Hstar).
    assert (Hgap : gap b a = y - x).
    { unfold gap. rewrite <- (proj2 (proj1 Hu)). unfold x, y. destruct Hb as [_ Hb].
      rewrite (Hb a Ha), (Hb star (proj1 (proj1 Hstar))). reflexivity. }
    assert (Hpos : 0 < gap b a).
    { rewrite Hgap. destruct Hstar as [[_ O] W]. destruct (W a Ha Hne) as [_ L]. rewrite <- O in L. unfold x, y. lra. }
    destruct (the_pair_rule_in_the_long_run b star (gap b a) s kappa eta Hu Hpos
      ltac:(rewrite (proj1 Hb); exact Hleast) Hs Hk He) as [T0 H].
    exists (max 1 T0). intros Row row_law X missing decide epsilon e setting Ee HT T E n n'.
    destruct (H Row row_law X missing decide epsilon e setting Ee ltac:(fold T; lia)) as [Up [Best _]].
    specialize (Up a ltac:(rewrite (proj1 Hb); exact Ha) Hne). fold T E n in Up. fold T E n' in Best. rewrite Hgap in Up, Best, Hpos.
    set (d := y - x) in *. assert (L : 0 <= ln (INR T)).
    { rewrite <- ln_1. apply ln_is_monotone; [lra|]. change 1 with (INR 1). apply le_INR. lia. }
    assert (P : 0 <= n) by (apply expect_nonneg; [apply bounded_queries | intros; apply pos_INR]).
    assert (Q : 0 <= n') by (apply expect_nonneg; [apply bounded_queries | intros; apply pos_INR]).
    assert (DD : 0 < d * d) by now apply Rmult_lt_0_compat. assert (I : 0 < / kappa) by (apply Rinv_0_lt_compat; lra).
    assert (W1 : 2 * (d * d) * n <= (1 + eta) * ln (INR T) * (1 + / kappa)).
    { apply (Rmult_le_compat_l (2 * (d * d))) in Up; [|lra].
      replace (2 * (d * d) * ((1 + eta) * ((1 + / kappa) / 2 * ln (INR T) / (d * d))))
        with ((1 + eta) * ln (INR T) * (1 + / kappa)) in Up by (field; lra). exact Up. }
    assert (W2 : 2 * (d * d) * n' <= (1 + eta) * ln (INR T) * (1 + kappa)).
    { apply (Rmult_le_compat_l (2 * (d * d))) in Best; [|lra].
      replace (2 * (d * d) * ((1 + eta) * ((1 + kappa) / 2 * ln (INR T) / (d * d))))
        with ((1 + eta) * ln (INR T) * (1 + kappa)) in Best by (field; lra). exact Best. }
    apply (Rmult_le_compat_r (n' * (kappa / (1 + kappa)))) in W1.
    2: { apply Rmult_le_pos; [exact Q|]. left. apply Rdiv_lt_0_compat; lra. }
    apply (Rmult_le_compat_r (n * / (1 + kappa))) in W2.
    2: { apply Rmult_le_pos; [exact P|]. left. apply Rinv_0_lt_compat. lra. }
    replace ((1 + eta) * ln (INR T) * (1 + / kappa) * (n' * (kappa / (1 + kappa))))
      with ((1 + eta) * ln (INR T) * n') in W1 by (field; lra).
    replace ((1 + eta) * ln (INR T) * (1 + kappa) * (n * / (1 + kappa))) with ((1 + eta) * ln (INR T) * n) in W2
      by (field; lra).
    replace (2 * (d * d) * (n * n')) with (2 * (d * d) * n * (n' * (kappa / (1 + kappa)))
      + 2 * (d * d) * n' * (n * / (1 + kappa))) by (field; lra). lra.
Qed.

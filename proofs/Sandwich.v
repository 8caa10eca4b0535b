(** Both halves of the paper about one algorithm on Bernoulli arms, BuFALU with Hoeffding's intervals or the pair rule: its
    expected queries lie between the lower bounds, which hold for every consistent strategy, and the upper bounds. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Decision GapQuery Runs Expectation Experiment HoeffdingIntervals ClosedForms Laws Witness
  Tables EndToEnd Sharp TotalExpectation FiniteLaws BinaryDivergence Strategies Consistency LogarithmicGrowth
  AsymptoticLowerBounds SeveralOptima QueryCosts BalancingThreshold BernoulliThreshold OneModel ConsistentRules
  PairRule PairRuns PairEndToEnd PairFrontier PairModel.
Import ListNotations.
Open Scope R_scope.

(** Parts 1 and 2 of the lower bounds, with the divergences of Bernoulli arms. *)
Lemma lower_bounds_of_bernoulli_arms {K} (s : strategy K) nu star a : consistent bernoulli s ->
  instance_of K bernoulli nu -> unique_optimal K nu star -> suboptimal K nu a ->
  liminf_per_log_at_least_inverse (expected_queries s nu a) (bernoulli_kinf_above (law_mean (nu a)) (best_mean K nu)) /\
  liminf_per_log_at_least_inverse (expected_queries s nu star) (bernoulli_kinf_below (best_mean K nu) (law_mean (nu a))).
Proof.
  intros Hs Hnu Hstar Ha. split.
  - apply (suboptimal_arms_are_queried_logarithmically bernoulli s Hs nu Hnu a _ Ha).
    apply kinf_above_of_a_bernoulli_law. apply Hnu, Ha.
  - destruct Hstar as [Hopt Hothers]. rewrite <- (proj2 Hopt).
    apply (the_unique_optimal_arm_is_queried_logarithmically bernoulli s Hs nu Hnu star a);
      [split; assumption | apply Ha | intros ->; destruct Ha as [_ L], Hopt as [_ E]; lra |].
    apply kinf_below_of_a_bernoulli_law. apply Hnu, Hopt.
Qed.

Section Sandwich.
Context {K : nat}.
Variables (epsilon : nat -> R) (s : strategy K) (nu : nat -> law).
Hypothesis epsilon_is_nonneg : forall t, 0 <= epsilon t.
Hypothesis epsilon_vanishes : vanishes epsilon.
Hypothesis s_plays_bufalu : plays_by bufalu hoeffding_formula epsilon s.
Hypothesis nu_is_bernoulli : instance_of K bernoulli nu.

Let s_is_consistent : consistent bernoulli s.
Proof.
  apply (consistent_on_fewer _ _ _ bernoulli_laws_live_on_the_unit_interval).
  now apply (bufalu_is_consistent epsilon).
Qed.

Let unit_laws : instance_of K lives_on_the_unit_interval nu.
Proof. intros a Ha. apply bernoulli_laws_live_on_the_unit_interval. now apply nu_is_bernoulli. Qed.

(** says: on Bernoulli arms with a unique optimal one, for every K: a suboptimal arm's expected queries under BuFALU with
      Hoeffding's intervals are at least c ln T for all large T and every c below 1/kl(mu_a, mu_star), and at most 6 ln T /
      (gap - 2 delta)^2 + C for every T >= 1; those of the optimal arm are at least c ln T for every c below 1/kl(mu_star,
      mu_b), b any other arm, and at most 6 ln T / (m - 2 delta)^2 + C', m being a lower bound of the other gaps; for
      every delta > 0 below m/2, every epsilon >= 0 that tends to 0 and every tie-break, randomised ones included
    paper: beyond the paper; compare l.308, l.309, l.427-432
    settles: model.sandwich
    breaks: "6 * ln (INR T) / ((gap_of K nu a" to "5 * ln (INR T) / ((gap_of K nu a" *)
Theorem bufalu_lies_between_both_halves star m delta : unique_optimal K nu star -> 0 < delta -> 2 * delta < m ->
  (forall c, is_arm K c -> c <> star -> m <= gap_of K nu c) ->
  (forall a, suboptimal K nu a ->
     liminf_per_log_at_least_inverse (expected_queries s nu a)
       (bernoulli_kinf_above (law_mean (nu a)) (best_mean K nu)) /\
     forall T, (1 <= T)%nat -> expected_queries s nu a T
       <= 6 * ln (INR T) / ((gap_of K nu a - 2 * delta) * (gap_of K nu a - 2 * delta)) + (cost_of_delta delta 1 + 1 + INR K)) /\
  (forall a, suboptimal K nu a ->
     liminf_per_log_at_least_inverse (expected_queries s nu star)
       (bernoulli_kinf_below (best_mean K nu) (law_mean (nu a)))) /\
  (forall T, (1 <= T)%nat -> expected_queries s nu star T
     <= 6 * ln (INR T) / ((m - 2 * delta) * (m - 2 * delta)) + (cost_of_delta delta (INR (K - 1)) + 1 + INR K)).
Proof.
  intros Hstar Hd Hm Hgaps. assert (Is : is_arm K star) by apply (proj1 (proj1 Hstar)).
  destruct (every_instance_is_a_bandit K nu (a_strategy_has_an_arm s)) as [b Hb]. assert (Hgap := gap_is_gap_of K nu b Hb).
  assert (Up : forall a T, is_arm K a -> (1 <= T)%nat -> let d := (if Nat.eqb a star then m else gap_of K nu a) - 2 * delta in
    expected_queries s nu a T <= 6 * ln (INR T) / (d * d)
      + (cost_of_delta delta (if Nat.eqb a star then INR (K - 1) else 1) + 1 + INR K)).
  { intros a T Ha HT d. apply (query_bounds_of_an_arm_pass_to_the_strategy s bufalu hoeffding_formula epsilon nu b T
      hoeffding_uses_queried_rewards s_plays_bufalu (fun t _ => epsilon_is_nonneg t) unit_laws Hb).
    intros x [Ex [ET Hx]].
    assert (P := the_sharp_closed_form_of_one_arm _ epsilon x star m delta Hx).
    unfold arms_of in P. rewrite Ex, ET, (proj1 Hb) in P.
    specialize (P (unique_optimal_is_unique K nu b Hb star Hstar)
      ltac:(intros c Hc Hne; rewrite (Hgap c Hc); now apply Hgaps) Hd a HT Hm Ha).
    cbv zeta in P. rewrite (Hgap a Ha) in P. fold d in P. lra. }
  split; [|split].
  - intros a Ha. split.
    + now apply (lower_bounds_of_bernoulli_arms s nu star a).
    + intros T HT. specialize (Up a T (proj1 Ha) HT). cbv zeta in Up. destruct (Nat.eqb_spec a star) as [->|_]; [|exact Up].
      exfalso. destruct Ha as [_ Ha]. destruct Hstar as [[_ E] _]. lra.
  - intros a Ha. now apply (lower_bounds_of_bernoulli_arms s nu star a).
  - intros T HT. specialize (Up star T Is HT). cbv zeta in Up. now rewrite Nat.eqb_refl in Up.
Qed.

(** says: on Bernoulli arms, at least two of them optimal with mean mu_star in (0, 1), for every K: every optimal arm's expected
      queries under BuFALU with Hoeffding's intervals exceed every multiple of ln T for all large T, and are at most N-bar(T,
      0) + 1, the largest of N(t, epsilon(t)) over t <= T, for every T, every epsilon >= 0 that tends to 0 and every
      tie-break, randomised ones included
    paper: beyond the paper; compare l.314, l.421
    settles: model.sandwich_several_optima
    breaks: "epsilon 0 T + 1" to "epsilon 0 T - 1" *)
Theorem with_several_optima_bufalu_lies_between_both_halves a c : optimal K nu a -> optimal K nu c -> c <> a ->
  0 < best_mean K nu < 1 ->
  super_logarithmic (expected_queries s nu a) /\
  forall T, expected_queries s nu a T <= hoeffding_n_bar epsilon 0 T + 1.
Proof.
  intros Ha Hc Hne Hmu. split.
  - apply (an_optimal_arm_that_can_move_both_ways_is_queried_super_logarithmically bernoulli s s_is_consistent nu
      nu_is_bernoulli a c Ha Hc Hne); rewrite <- (proj2 Ha).
    + apply bernoulli_means_can_rise; [apply nu_is_bernoulli, Ha | rewrite (proj2 Ha); lra].
    + apply bernoulli_means_can_fall; [apply nu_is_bernoulli, Ha | rewrite (proj2 Ha); lra].
  - intros T. destruct (every_instance_is_a_bandit K nu (a_strategy_has_an_arm s)) as [b Hb].
    apply (query_bounds_of_an_arm_pass_to_the_strategy s bufalu hoeffding_formula epsilon nu b T
      hoeffding_uses_queried_rewards s_plays_bufalu (fun t _ => epsilon_is_nonneg t) unit_laws Hb).
    intros x [Ex [ET Hx]]. destruct (the_upper_bound_end_to_end _ _ _ Hx) as [P _]. unfold arms_of in P.
    rewrite Ex, ET, (proj1 Hb) in P. rewrite <- (expect_const (table_law (fun a => reward_law (nu a)) K T) (_ + 1)).
    apply expect_le; [apply bounded_queries | apply bounded_const|]. intros w. now apply P, Ha.
Qed.
End Sandwich.

(** says: on Bernoulli arms with a unique optimal one, for every K, kappa >= 1, s > 0 and eta > 0: a suboptimal arm's
      expected queries under the pair rule are at least c ln T for all large T and every c below 1/kl(mu_a, mu_star), and at
      most (1 + eta) (1 + 1/kappa) ln T / (2 gap^2) for all large T; those of the optimal arm are at least c ln T for every c
      below 1/kl(mu_star, mu_b), b any other arm, and at most (1 + eta) (1 + kappa) ln T / (2 m^2), m > 0 being a lower
      bound of the other gaps; for every epsilon >= 0 that tends to 0 and every tie-break, randomised ones included
    paper: beyond the paper; compare l.308, l.309
    settles: model.pairs_sandwich
    breaks: "(1 + kappa) / 2" to "(1 + kappa) / 3" *)
Theorem the_pair_rule_lies_between_both_halves {K} spread kappa epsilon (s : strategy K) nu star m eta :
  0 < spread -> 1 <= kappa -> (forall t, 0 <= epsilon t) -> vanishes epsilon -> plays_by_pairs spread kappa epsilon s ->
  instance_of K bernoulli nu -> unique_optimal K nu star -> 0 < m ->
  (forall c, is_arm K c -> c <> star -> m <= gap_of K nu c) -> 0 < eta ->
  (forall a, suboptimal K nu a ->
     liminf_per_log_at_least_inverse (expected_queries s nu a)
       (bernoulli_kinf_above (law_mean (nu a)) (best_mean K nu)) /\
     eventually (fun T => expected_queries s nu a T
       <= (1 + eta) * ((1 + / kappa) / 2 * ln (INR T) / (gap_of K nu a * gap_of K nu a)))) /\
  (forall a, suboptimal K nu a ->
     liminf_per_log_at_least_inverse (expected_queries s nu star)
       (bernoulli_kinf_below (best_mean K nu) (law_mean (nu a)))) /\
  eventually (fun T => expected_queries s nu star T <= (1 + eta) * ((1 + kappa) / 2 * ln (INR T) / (m * m))).
Proof.
  intros Hs Hk He Hv P Hnu Hstar Hm Hgaps Heta.
  assert (Hunit : instance_of K lives_on_the_unit_interval nu)
    by (intros a Ha; now apply bernoulli_laws_live_on_the_unit_interval, Hnu).
  assert (C : consistent bernoulli s).
  { apply (consistent_on_fewer _ _ _ bernoulli_laws_live_on_the_unit_interval).
    now apply (the_pair_rule_is_consistent spread kappa epsilon). }
  destruct (every_instance_is_a_bandit K nu (a_strategy_has_an_arm s)) as [b Hb]. assert (Hgap := gap_is_gap_of K nu b Hb).
  destruct (the_pair_rule_in_the_long_run b star m spread kappa eta (unique_optimal_is_unique K nu b Hb star Hstar) Hm
    ltac:(intros c Hc Hne; rewrite (proj1 Hb) in Hc; rewrite (Hgap c Hc); now apply Hgaps) Hs Hk Heta) as [T0 U].
  assert (Pass := query_bounds_of_an_arm_pass_to_the_pair_strategy spread kappa epsilon s Hs Hk He P nu b Hunit Hb).
  split; [|split].
  - intros a Ha. split; [now apply (lower_bounds_of_bernoulli_arms s nu star a)|]. exists T0. intros T HT. apply Pass.
    intros decide x Ex ET Hx. assert (V := U _ _ _ _ _ _ x Hx Ex ltac:(now rewrite ET)). cbv zeta in V.
    rewrite ET, (proj1 Hb) in V. rewrite <- (Hgap a (proj1 Ha)). apply V; [apply Ha|].
    intros ->. destruct Ha as [_ L], Hstar as [[_ E] _]. lra.
  - intros a Ha. now apply (lower_bounds_of_bernoulli_arms s nu star a).
  - exists T0. intros T HT. apply Pass. intros decide x Ex ET Hx.
    assert (V := U _ _ _ _ _ _ x Hx Ex ltac:(now rewrite ET)). cbv zeta in V. rewrite ET in V. apply V.
Qed.

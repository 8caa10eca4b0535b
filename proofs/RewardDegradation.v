(** What l.762 says in bold: reward degradation is unavoidable. For Bernoulli arms with a unique optimum: whoever queries the
    optimal arm at most M ln T times queries, and so plays, every other arm more often than bandits with free queries
    must, by a fixed factor. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums TotalExpectation FiniteLaws BinaryDivergence Strategies Consistency LogarithmicGrowth
  AsymptoticLowerBounds BernoulliThreshold.
Open Scope R_scope.

Lemma ln_difference_is_at_most x y : 0 < x -> 0 < y -> ln x - ln y <= x / y - 1.
Proof. intros Hx Hy. rewrite <- ln_div by assumption. apply ln_at_most_tangent. now apply Rdiv_lt_0_compat. Qed.

(** The slope of kl(a, .) beyond a, and how flat kl(b, .) is at b. *)
Lemma binary_kl_rises a b mu : 0 <= a <= 1 -> 0 < mu < 1 -> 0 < b < 1 ->
  (b - mu) * (mu - a) / (mu * (1 - mu)) <= binary_kl a b - binary_kl a mu.
Proof.
  intros Ha Hm Hb. unfold binary_kl.
  assert (A := Rmult_le_compat_l a _ _ (proj1 Ha) (ln_difference_is_at_most b mu (proj1 Hb) (proj1 Hm))).
  assert (B := Rmult_le_compat_l (1 - a) _ _ ltac:(lra) (ln_difference_is_at_most (1 - b) (1 - mu) ltac:(lra) ltac:(lra))).
  replace ((b - mu) * (mu - a) / (mu * (1 - mu))) with (- (a * (b / mu - 1)) - (1 - a) * ((1 - b) / (1 - mu) - 1))
    by (field; lra). lra.
Qed.

Lemma binary_kl_is_flat b mu : 0 < b < 1 -> 0 < mu < 1 -> binary_kl b mu <= (b - mu) * (b - mu) / (mu * (1 - mu)).
Proof.
  intros Hb Hm. unfold binary_kl.
  assert (A := Rmult_le_compat_l b _ _ (Rlt_le _ _ (proj1 Hb)) (ln_difference_is_at_most b mu (proj1 Hb) (proj1 Hm))).
  assert (B := Rmult_le_compat_l (1 - b) _ _ ltac:(lra) (ln_difference_is_at_most (1 - b) (1 - mu) ltac:(lra) ltac:(lra))).
  replace ((b - mu) * (b - mu) / (mu * (1 - mu))) with (b * (b / mu - 1) + (1 - b) * ((1 - b) / (1 - mu) - 1))
    by (field; lra). lra.
Qed.

Section Degradation.
Context {K : nat}.
Variables (s : strategy K) (nu : nat -> law) (star a : nat) (M : R).
Hypothesis s_is_consistent : consistent bernoulli s.
Hypothesis nu_is_bernoulli : instance_of K bernoulli nu.
Hypothesis star_is_best : unique_optimal K nu star.
Hypothesis a_is_an_arm : is_arm K a.
Hypothesis a_is_another : a <> star.
Hypothesis best_mean_is_inside : best_mean K nu < 1.
Hypothesis M_is_nonneg : 0 <= M.

(** says: for all Bernoulli laws as the family, a unique optimal arm of mean mu_star < 1 and every M >= 0 there is a factor rho > 1 such
      that for all large T, if a consistent strategy has at most M ln T expected queries of the optimal arm, then it has at
      least rho ln T / kl(mu_a, mu_star) expected queries of every other arm a, where rho = 1 is what every consistent strategy
      needs
    paper: l.762
    differs: for Bernoulli arms; the print gives no statement; the strategy's private seeds are finite, which loses nothing
    breaks: "1 < rho" to "2 < rho" *)
Theorem few_queries_of_the_best_arm_cost_reward : exists rho, 1 < rho /\ eventually (fun T =>
  expected_queries s nu star T <= M * ln (INR T) ->
  rho * ln (INR T) / binary_kl (law_mean (nu a)) (best_mean K nu) <= expected_queries s nu a T).
Proof.
  assert (Ba := nu_is_bernoulli a a_is_an_arm). assert (Hs : is_arm K star) by exact (proj1 (proj1 star_is_best)).
  assert (Bs := nu_is_bernoulli star Hs). assert (Es : law_mean (nu star) = best_mean K nu) by exact (proj2 (proj1 star_is_best)).
  destruct (bernoulli_masses _ Ba) as [_ [_ Ra]].
  assert (Hlt : law_mean (nu a) < best_mean K nu) by exact (proj2 (proj2 star_is_best a a_is_an_arm a_is_another)).
  set (p := law_mean (nu a)) in *. set (b := best_mean K nu) in *.
  set (kl := binary_kl p b).
  assert (P : forall c, p < c < 1 -> 0 < binary_kl p c).
  { intros c Hc. eapply Rlt_le_trans; [|apply local_pinsker; lra].
    apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra. }
  assert (Hkl : 0 < kl) by (apply P; lra).
  assert (HM : 0 < 1 + M * kl) by (assert (0 <= M * kl) by (apply Rmult_le_pos; lra); lra).
  set (h := (b - p) / (2 * (1 + M * kl))). assert (Hh : 0 < h) by (apply Rdiv_lt_0_compat; lra).
  assert (Hh2 : (1 + M * kl) * h = (b - p) / 2) by (unfold h; field; lra).
  assert (Hh1 : h <= (b - p) / 2).
  { rewrite <- Hh2. assert (0 <= M * kl * h) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra). lra. }
  set (mu := b - h). assert (Hmu : p < mu < b) by (unfold mu; lra). assert (Hmu1 : 0 < mu < 1) by lra.
  set (km := binary_kl p mu). set (n := binary_kl b mu). assert (Hkm : 0 < km) by (apply P; lra).
  assert (Hn : n <= h * h / (mu * (1 - mu))).
  { assert (F := binary_kl_is_flat b mu ltac:(lra) Hmu1). replace (b - mu) with h in F by (unfold mu; lra). exact F. }
  assert (Hn0 : 0 <= n).
  { unfold n. rewrite <- binary_kl_mirrored. eapply Rle_trans; [|apply local_pinsker; lra].
    apply Rmult_le_pos; [apply Rle_0_sqr | left; apply Rinv_0_lt_compat; lra]. }
  assert (Gain : M * n * kl < kl - km).
  { apply Rlt_le_trans with (h * (mu - p) / (mu * (1 - mu))).
    - apply Rle_lt_trans with (M * kl * (h * h / (mu * (1 - mu)))).
      + replace (M * n * kl) with (M * kl * n) by ring. apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | exact Hn].
      + replace (M * kl * (h * h / (mu * (1 - mu)))) with (h * (M * kl * h) * / (mu * (1 - mu))) by (unfold Rdiv; ring).
        unfold Rdiv. apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat; apply Rmult_lt_0_compat; lra|].
        apply Rmult_lt_compat_l; [exact Hh|]. unfold mu. lra.
    - assert (R := binary_kl_rises p b mu ltac:(lra) Hmu1 ltac:(lra)).
      replace (b - mu) with h in R by (unfold mu; lra). exact R. }
  set (x := M * n + km / kl). assert (Hx : x < 1).
  { unfold x. apply (Rmult_lt_reg_r kl); [exact Hkl|]. rewrite Rmult_plus_distr_r.
    replace (km / kl * kl) with km by (field; lra). lra. }
  set (d := (1 + x) / 2). set (rho := 1 + kl * (1 - x) / (2 * km)).
  assert (Hrho : 1 < rho).
  { unfold rho. assert (0 < kl * (1 - x) / (2 * km)); [|lra]. apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra. }
  assert (Hd : d - M * n = km * (rho / kl)) by (unfold d, rho, x; field; lra).
  exists rho. split; [exact Hrho|].
  assert (Above := kinf_above_of_a_bernoulli_law (nu a) mu Ba). unfold bernoulli_kinf_above in Above. fold p in Above.
  destruct (Rlt_dec mu 1); [|lra]. rewrite Rmax_right in Above by lra.
  assert (Below := kinf_below_of_a_bernoulli_law (nu star) mu Bs). unfold bernoulli_kinf_below in Below. rewrite Es in Below.
  destruct (Rlt_dec 0 mu); [|lra]. rewrite Rmin_right in Below by lra. fold km in Above. fold n in Below.
  set (M' := Rmax M (rho / kl)). assert (M1 := Rmax_l M (rho / kl)). assert (M2 := Rmax_r M (rho / kl)). fold M' in M1, M2.
  apply (eventually_mono _ _) with (2 := eventually_and _ _ eventually_log_is_positive
    (a_weighted_pair_with_the_unique_optimal_arm bernoulli s s_is_consistent nu nu_is_bernoulli star a mu km n M' d
      star_is_best a_is_an_arm a_is_another Above Below ltac:(unfold d; lra))).
  intros T [HL W] Hfew. replace (rho * ln (INR T) / kl) with (rho / kl * ln (INR T)) by (unfold Rdiv; ring).
  set (l := ln (INR T)) in *. destruct W as [W|[W|W]].
  - assert (rho / kl * l <= M' * l) by (apply Rmult_le_compat_r; lra). lra.
  - assert (M * l <= M' * l) by (apply Rmult_le_compat_r; lra). lra.
  - assert (N1 := Rmult_le_compat_l n _ _ Hn0 Hfew). apply (Rmult_le_reg_l km); [exact Hkm|].
    rewrite <- Rmult_assoc, <- Hd. lra.
Qed.
End Degradation.

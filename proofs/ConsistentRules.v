(** BuFALU and the dial with Hoeffding's intervals are consistent on all laws of finite support on [0,1]: the hypotheses of
    the lower bounds are met by the paper's own algorithm. Their regret is logarithmic if epsilon tends to 0. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Decision GapQuery Runs Expectation Experiment Setting HoeffdingIntervals ClosedForms Laws
  Witness Tables EndToEnd TotalExpectation FiniteLaws Strategies Consistency QueryCosts BalancingThreshold TakingTurns
  OneModel.
Import ListNotations.
Open Scope R_scope.

(** Epsilon falls below every positive number, and stays there. *)
Definition vanishes (epsilon : nat -> R) : Prop := forall d, 0 < d -> exists s, forall t, (s < t)%nat -> epsilon t < d.

Definition at_most_logarithmic (f : nat -> R) : Prop :=
  exists c, 0 <= c /\ forall T, (1 <= T)%nat -> f T <= c * (1 + ln (INR T)).

Lemma constants_are_logarithmic c : 0 <= c -> at_most_logarithmic (fun _ => c).
Proof.
  intros Hc. exists c. split; [exact Hc|]. intros T HT. assert (L := ln_of_round_nonneg T HT).
  assert (0 <= c * ln (INR T)) by now apply Rmult_le_pos. lra.
Qed.

Lemma logarithmic_plus f g : at_most_logarithmic f -> at_most_logarithmic g -> at_most_logarithmic (fun T => f T + g T).
Proof.
  intros [c [Hc Hf]] [d [Hd Hg]]. exists (c + d). split; [lra|]. intros T HT. specialize (Hf T HT). specialize (Hg T HT). lra.
Qed.

Lemma logarithmic_scal c f : 0 <= c -> at_most_logarithmic f -> at_most_logarithmic (fun T => c * f T).
Proof.
  intros Hc [d [Hd Hf]]. exists (c * d). split; [now apply Rmult_le_pos|]. intros T HT. rewrite Rmult_assoc.
  apply Rmult_le_compat_l; auto.
Qed.

Lemma logarithmic_mono f g : (forall T, (1 <= T)%nat -> f T <= g T) -> at_most_logarithmic g -> at_most_logarithmic f.
Proof.
  intros H [c [Hc Hg]]. exists c. split; [exact Hc|]. intros T HT. eapply Rle_trans; [now apply H | now apply Hg].
Qed.

Lemma sums_stay_logarithmic {A : Type} (l : list A) (f : A -> nat -> R) :
  (forall a, In a l -> at_most_logarithmic (f a)) -> at_most_logarithmic (fun T => sum l (fun a => f a T)).
Proof.
  induction l as [|a l IH]; intros H; [exact (constants_are_logarithmic 0 (Rle_refl 0))|].
  apply (logarithmic_plus (f a) (fun T => sum l (fun a => f a T))); [apply H; now left|].
  apply IH. intros c Hc. apply H. now right.
Qed.

Lemma the_log_is_logarithmic : at_most_logarithmic (fun T => ln (INR T)).
Proof. exists 1. split; [lra|]. intros T _. lra. Qed.

Lemma few_rounds_have_a_large_epsilon K epsilon g : vanishes epsilon -> 0 < g ->
  at_most_logarithmic (rounds_with_large_epsilon K epsilon g).
Proof.
  intros Hv Hg. destruct (Hv g Hg) as [t0 Ht0].
  apply (logarithmic_mono _ (fun _ => INR t0)); [|apply constants_are_logarithmic, pos_INR].
  intros T _. apply large_epsilon_rounds_are_at_most_the_inverse. intros t Ht. apply Ht0. lia.
Qed.

Lemma what_is_at_most_logarithmic_is_sub_polynomial f alpha eps : at_most_logarithmic f -> 0 < alpha -> 0 < eps ->
  eventually (fun T => f T <= eps * Rpower (INR T) alpha).
Proof.
  intros [c [Hc H]] Ha He. apply (eventually_mono _ _) with (2 := eventually_and _ _ (eventually_at_least 1)
    (eventually_and _ _ (eventually_log_exceeds 1) (squares_of_logs_are_small (2 * c) alpha eps Ha He))).
  intros T [HT [HL HS]]. eapply Rle_trans; [now apply H|]. eapply Rle_trans; [|exact HS].
  set (L := ln (INR T)) in *. assert (1 * L <= L * L) by (apply Rmult_le_compat_r; lra).
  replace (2 * c * (L * L)) with (c * (2 * (L * L))) by ring. apply Rmult_le_compat_l; lra.
Qed.

Section Consistent.
Context {K : nat}.
Variables (rho : R) (epsilon : nat -> R) (s : strategy K).
Hypothesis rho_is_nonneg : 0 <= rho.
Hypothesis epsilon_is_nonneg : forall t, 0 <= epsilon t.
Hypothesis s_plays_by_the_rule : plays_by (steered_by rho) hoeffding_formula epsilon s.

Section Instance.
Variable nu : nat -> law.
Hypothesis nu_is_on_the_unit_interval : instance_of K lives_on_the_unit_interval nu.

Lemma a_strategy_has_an_arm : (1 <= K)%nat.
Proof. assert (A := moves_are_arms s [] 0). unfold is_arm in A. lia. Qed.

(** The closed form of the upper bound, for the strategy. *)
Lemma regret_of_the_strategy_in_closed_form T : (1 <= T)%nat ->
  expected_regret s nu T <= sum (arms K) (fun a => if Rle_dec (gap_of K nu a) 0 then 0
      else 6 * ((1 + rho) * (1 + rho)) * ln (INR T) / gap_of K nu a
        + gap_of K nu a * rounds_with_large_epsilon K epsilon (gap_of K nu a) T)
    + 2 * INR K * maximum (gap_of K nu) K.
Proof.
  intros HT. destruct (every_instance_is_a_bandit K nu a_strategy_has_an_arm) as [b Hb].
  assert (Hgap := gap_is_gap_of K nu b Hb).
  apply (regret_bounds_pass_to_the_strategy s (steered_by rho) hoeffding_formula epsilon nu b T
    hoeffding_uses_queried_rewards s_plays_by_the_rule (fun t _ => epsilon_is_nonneg t) nu_is_on_the_unit_interval Hb).
  intros x [Ex [ET Hx]].
  assert (P := proj1 (steered_closed_forms_end_to_end rho _ _ _ rho_is_nonneg Hx ltac:(now rewrite ET))).
  unfold arms_of in P. rewrite Ex, ET, (proj1 Hb) in P. eapply Rle_trans; [exact P|]. apply Rplus_le_compat.
  - right. apply sum_ext. intros a Ha. apply in_arms in Ha. now rewrite (Hgap a Ha).
  - apply Rmult_le_compat_l; [assert (0 <= INR K) by apply pos_INR; lra|]. unfold largest_gap. rewrite (proj1 Hb).
    apply maximum_le; [apply maximum_nonneg|]. intros a Ha. rewrite (Hgap a Ha). now apply le_maximum.
Qed.

Lemma regret_of_the_strategy_is_logarithmic : vanishes epsilon -> at_most_logarithmic (expected_regret s nu).
Proof.
  intros Hv. apply (logarithmic_mono _ _ regret_of_the_strategy_in_closed_form). apply logarithmic_plus.
  - apply sums_stay_logarithmic. intros a _. set (g := gap_of K nu a).
    destruct (Rle_dec g 0) as [Hg|Hg]; [apply constants_are_logarithmic; lra|]. apply Rnot_le_lt in Hg.
    assert (I : 0 < / g) by now apply Rinv_0_lt_compat. apply logarithmic_plus.
    + apply (logarithmic_mono _ (fun T => 6 * ((1 + rho) * (1 + rho)) * / g * ln (INR T))); [intros; unfold Rdiv; lra|].
      apply logarithmic_scal; [|exact the_log_is_logarithmic]. repeat apply Rmult_le_pos; lra.
    + apply logarithmic_scal; [lra | now apply few_rounds_have_a_large_epsilon].
  - apply constants_are_logarithmic. apply Rmult_le_pos; [assert (0 <= INR K) by apply pos_INR; lra | apply maximum_nonneg].
Qed.
End Instance.

Theorem strategies_that_are_steered_are_consistent : vanishes epsilon -> consistent lives_on_the_unit_interval s.
Proof.
  intros Hv. apply sub_polynomial_regret_means_consistent. intros nu Hnu alpha eps Ha.
  apply what_is_at_most_logarithmic_is_sub_polynomial; [|lra]. now apply regret_of_the_strategy_is_logarithmic.
Qed.
End Consistent.

Lemma consistent_on_fewer {K : nat} (D D' : law -> Prop) (s : strategy K) : (forall p, D p -> D' p) -> consistent D' s ->
  consistent D s.
Proof. intros H Hs nu Hnu. apply Hs. intros a Ha. now apply H, Hnu. Qed.

(** says: every strategy that plays by BuFALU's rule with Hoeffding's intervals is consistent, in expectation, on the laws of
      finite support on [0,1], for every K, every epsilon >= 0 that tends to 0 and every tie-break, randomised ones included
    paper: beyond the paper; compare l.300-302
    settles: model.bufalu_is_consistent
    breaks: "vanishes epsilon" to "0 <= 0" *)
Theorem bufalu_is_consistent {K : nat} epsilon (s : strategy K) : (forall t, 0 <= epsilon t) -> vanishes epsilon ->
  plays_by bufalu hoeffding_formula epsilon s -> consistent lives_on_the_unit_interval s.
Proof.
  intros He Hv Hs. apply (strategies_that_are_steered_are_consistent 1 epsilon s Rle_0_1 He); [|exact Hv].
  intros h u. generalize (Hs h u). apply in_round_mono. intros a q. apply bufalu_is_steered.
Qed.

(** says: every strategy that plays by the dial at rho >= 0 with Hoeffding's intervals is consistent, in expectation, on the
      laws of finite support on [0,1], for every K, every epsilon >= 0 that tends to 0 and every tie-break, randomised ones
      included
    paper: beyond the paper; compare l.300-302
    settles: model.dial_is_consistent
    breaks: "vanishes epsilon" to "0 <= 0" *)
Theorem the_dial_is_consistent {K : nat} rho epsilon (s : strategy K) : 0 <= rho -> (forall t, 0 <= epsilon t) ->
  vanishes epsilon -> plays_by (dial rho) hoeffding_formula epsilon s -> consistent lives_on_the_unit_interval s.
Proof.
  intros Hr He Hv Hs. apply (strategies_that_are_steered_are_consistent rho epsilon s Hr He); [|exact Hv].
  intros h u. generalize (Hs h u). apply in_round_mono. intros a q. apply the_dial_is_steered.
Qed.

(** says: for every K >= 1 some strategy is consistent, in expectation, on all laws of finite support on [0,1]: BuFALU with
      epsilon = 0 and Hoeffding's intervals
    paper: not a statement of the paper
    breaks: "(1 <= K)%nat" to "(0 <= K)%nat" *)
Theorem some_strategy_is_consistent K : (1 <= K)%nat -> exists s : strategy K, consistent lives_on_the_unit_interval s.
Proof.
  intros HK. exists (strategy_of_the_rule leader_is_as_wide hoeffding_formula K (fun _ => 0) HK).
  apply (bufalu_is_consistent (fun _ => 0)); [intros; lra | intros d Hd; now exists O|].
  exact (the_strategy_plays_by_the_rule _ _ bufalu_chooses hoeffding_formula K (fun _ => 0) HK).
Qed.

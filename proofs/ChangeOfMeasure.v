(** The chain rule for the divergence between the laws of two histories, and the change-of-measure inequality l.505,
    for instances of finite-support laws. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Expectation TotalExpectation FiniteLaws Strategies BinaryDivergence.
Import ListNotations.
Open Scope R_scope.

Section TwoInstances.
Context {K : nat}.
Variable s : strategy K.
Variables nu nu' : nat -> law.
Hypothesis nu_is_dominated : forall a, is_arm K a -> dominated (nu a) (nu' a).

(** ln of the likelihood ratio of one observation and of a history; seeds and decisions cancel. *)
Definition log_ratio_of (o : observation) : R :=
  match seen o with
  | Some x => ln (mass (nu (arm o)) x) - ln (mass (nu' (arm o)) x)
  | None => 0
  end.
Definition log_ratio (h : history) : R := sum h log_ratio_of.

(** sum over the arms of E_nu[n^q_T(a)] KL(nu_a, nu'_a). *)
Definition information (T : nat) : R :=
  sum (arms K) (fun a => expected_queries s nu a T * divergence (nu a) (nu' a)).

Lemma information_of_a_round h : round_law s nu h log_ratio_of = sum (arms K) (fun a =>
  round_law s nu h (fun o => indicator (Nat.eqb (arm o) a && is_query o)) * divergence (nu a) (nu' a)).
Proof.
  transitivity (round_law s nu h (fun o => sum (arms K) (fun a =>
    divergence (nu a) (nu' a) * indicator (Nat.eqb (arm o) a && is_query o)))).
  - rewrite !round_law_as_averages. apply total_ext. intros u. assert (A := moves_are_arms s h u).
    destruct (snd (move s h u)).
    + change (divergence (nu (fst (move s h u))) (nu' (fst (move s h u)))
        = average (nu (fst (move s h u))) (fun _ => sum (arms K) (fun a => divergence (nu a) (nu' a)
            * indicator (Nat.eqb (fst (move s h u)) a && true)))).
      rewrite total_const, <- (sum_over_arms_picks K _ (fun a => divergence (nu a) (nu' a)) A).
      apply sum_ext. intros a _. now rewrite andb_true_r.
    + change (0 = sum (arms K) (fun a => divergence (nu a) (nu' a)
        * indicator (Nat.eqb (fst (move s h u)) a && false))).
      rewrite sum_zero; [reflexivity|]. intros a _. rewrite andb_false_r. simpl. lra.
  - rewrite (total_sum (round_law s nu h) (arms K) (fun a o =>
      divergence (nu a) (nu' a) * indicator (Nat.eqb (arm o) a && is_query o))).
    apply sum_ext. intros a _. rewrite total_scal. lra.
Qed.

(** The chain rule: the expected log-likelihood ratio of T rounds is sum_a E_nu[n^q_T(a)] KL(nu_a, nu'_a). *)
Theorem expected_log_ratio_is_the_information T : history_law s nu T log_ratio = information T.
Proof.
  induction T as [|T IH].
  - unfold information. rewrite sum_zero; [reflexivity|]. intros a _. unfold expected_queries, queries_in. simpl. lra.
  - rewrite one_more_round. rewrite (total_ext _ _ (fun h => log_ratio h + round_law s nu h log_ratio_of)).
    + rewrite total_plus, IH. unfold information.
      rewrite (total_ext _ _ (fun h => sum (arms K) (fun a =>
        round_law s nu h (fun o => indicator (Nat.eqb (arm o) a && is_query o)) * divergence (nu a) (nu' a))))
        by (intros; apply information_of_a_round).
      rewrite (total_sum (history_law s nu T) (arms K) (fun a h =>
        round_law s nu h (fun o => indicator (Nat.eqb (arm o) a && is_query o)) * divergence (nu a) (nu' a))).
      rewrite <- sum_plus. apply sum_ext. intros a _. rewrite expected_queries_S.
      rewrite (total_ext (history_law s nu T) _ (fun h => divergence (nu a) (nu' a)
        * round_law s nu h (fun o => indicator (Nat.eqb (arm o) a && is_query o)))) by (intros; lra).
      rewrite total_scal. lra.
    + intros h. rewrite (total_ext (round_law s nu h) _ (fun o => log_ratio_of o + log_ratio h)) by reflexivity.
      rewrite total_plus, total_const. lra.
Qed.

Lemma reweighted_round_is_at_most h f : (forall o, 0 <= f o) ->
  round_law s nu h (fun o => exp (- log_ratio_of o) * f o) <= round_law s nu' h f.
Proof.
  intros Hf. rewrite !round_law_as_averages. apply total_le. intros u. assert (A := moves_are_arms s h u).
  destruct (snd (move s h u)).
  - apply (reweighted_average_is_at_most (nu (fst (move s h u))) (nu' (fst (move s h u))) (fun x => f (Observation u
    (fst (move s h u)) (Some x))));
      [now apply nu_is_dominated | intros; apply Hf].
  - unfold log_ratio_of. simpl. rewrite Ropp_0, exp_0. lra.
Qed.

(** Change of measure: reweighted by the likelihood ratio, an expectation under nu is at most that under nu'. *)
Lemma reweighted_history_is_at_most T f : (forall h, 0 <= f h) ->
  history_law s nu T (fun h => exp (- log_ratio h) * f h) <= history_law s nu' T f.
Proof.
  revert f. induction T as [|T IH]; intros f Hf.
  - simpl. unfold log_ratio, sum. simpl. rewrite Ropp_0, exp_0. lra.
  - rewrite !one_more_round.
    apply Rle_trans with (history_law s nu T (fun h => exp (- log_ratio h)
      * round_law s nu' h (fun o => f (o :: h)))).
    + apply total_le. intros h.
      rewrite (total_ext (round_law s nu h) _ (fun o => exp (- log_ratio h) * (exp (- log_ratio_of o) * f (o ::
        h)))).
      * rewrite total_scal. apply Rmult_le_compat_l; [left; apply exp_pos|].
        apply (reweighted_round_is_at_most h (fun o => f (o :: h))). intros; apply Hf.
      * intros o. change (log_ratio (o :: h)) with (log_ratio_of o + log_ratio h).
        rewrite Ropp_plus_distr, exp_plus. ring.
    + apply (IH (fun h => round_law s nu' h (fun o => f (o :: h)))). intros h. apply total_nonneg. intros; apply Hf.
Qed.

(** The variational bound (a form of the log-sum inequality): E_nu[ln g] <= information if E_nu'[g] <= 1, g > 0. *)
Theorem expected_log_is_at_most_the_information T g : (forall h, 0 < g h) -> history_law s nu' T g <= 1 ->
  history_law s nu T (fun h => ln (g h)) <= information T.
Proof.
  intros Hg H1. rewrite <- expected_log_ratio_is_the_information.
  assert (H := reweighted_history_is_at_most T g ltac:(intros; left; apply Hg)).
  assert (L : history_law s nu T (fun h => ln (g h) + (1 + -1 * log_ratio h))
    <= history_law s nu T (fun h => exp (- log_ratio h) * g h)).
  { apply total_le. intros h. assert (P := exp_pos (- log_ratio h)).
    assert (Q := ln_at_most_tangent (exp (- log_ratio h) * g h) ltac:(apply Rmult_lt_0_compat; [exact P | apply Hg])).
    rewrite ln_mult, ln_exp in Q; [lra | exact P | apply Hg]. }
  rewrite total_plus, (total_plus _ (fun _ => 1)), total_scal, total_const in L. lra.
Qed.

Lemma information_is_nonneg T : 0 <= information T.
Proof.
  apply sum_nonneg. intros a Ha. apply in_arms in Ha. apply Rmult_le_pos; [apply expected_queries_nonneg|].
  now apply divergence_is_nonneg, nu_is_dominated.
Qed.

(** ** The inequality for a variable Z in [0,1] *)

Section Variable_in_the_unit_interval.
Variables (T : nat) (Z : history -> R).
Hypothesis Z_is_in_the_unit_interval : forall h, 0 <= Z h <= 1.
Let p := history_law s nu T Z.
Let q := history_law s nu' T Z.

Lemma expectation_in_the_unit_interval (E : total_expectation history) : 0 <= E Z <= 1.
Proof.
  split; [apply total_nonneg; intros; apply Z_is_in_the_unit_interval|].
  rewrite <- (total_one E). apply total_le. intros; apply Z_is_in_the_unit_interval.
Qed.

(** For every r in (0,1): p ln(r/q) + (1-p) ln((1-r)/(1-q)) <= information; r = p is what we want. *)
Lemma tilted_bound r : 0 < q < 1 -> 0 < r < 1 ->
  p * (ln r - ln q) + (1 - p) * (ln (1 - r) - ln (1 - q)) <= information T.
Proof.
  intros Hq Hr. set (g := fun h => Z h * (r / q) + (1 - Z h) * ((1 - r) / (1 - q))).
  assert (A : 0 < r / q) by (apply Rdiv_lt_0_compat; lra).
  assert (B : 0 < (1 - r) / (1 - q)) by (apply Rdiv_lt_0_compat; lra).
  assert (Hg : forall h, 0 < g h).
  { intros h. unfold g. specialize (Z_is_in_the_unit_interval h).
    assert (0 <= Z h * (r / q)) by (apply Rmult_le_pos; lra).
    assert (0 <= (1 - Z h) * ((1 - r) / (1 - q))) by (apply Rmult_le_pos; lra).
    destruct (Rle_lt_dec (Z h) (1/2)).
    - assert (0 < (1 - Z h) * ((1 - r) / (1 - q))) by (apply Rmult_lt_0_compat; lra). lra.
    - assert (0 < Z h * (r / q)) by (apply Rmult_lt_0_compat; lra). lra. }
  eapply Rle_trans; [|apply (expected_log_is_at_most_the_information T g Hg)].
  - rewrite <- !ln_div by lra.
    rewrite <- (total_const (history_law s nu T) (ln ((1 - r) / (1 - q)))).
    apply Rle_trans with (history_law s nu T (fun h => (ln (r / q) - ln ((1 - r) / (1 - q))) * Z h
      + ln ((1 - r) / (1 - q)))).
    + rewrite total_plus, total_scal, !total_const. fold p. lra.
    + apply total_le. intros h. unfold g.
      assert (C := ln_is_concave (r / q) ((1 - r) / (1 - q)) (Z h) A B (Z_is_in_the_unit_interval h)). lra.
  - unfold g. rewrite (total_ext _ _ (fun h => (r / q - (1 - r) / (1 - q)) * Z h + (1 - r) / (1 - q)))
      by (intros; ring).
    rewrite total_plus, total_scal, total_const. fold q. right. field. lra.
Qed.

(** If Z vanishes under nu', it vanishes under nu. *)
Lemma zero_under_nu'_is_zero_under_nu (Y : history -> R) : (forall h, 0 <= Y h <= 1) ->
  history_law s nu' T Y = 0 -> history_law s nu T Y = 0.
Proof.
  intros HY H0. apply Rle_antisym; [|apply total_nonneg; intros; apply HY].
  apply le_epsilon. intros eps Heps. set (d := information T / eps + 1).
  (* g = 1 - Y + e^d Y has expectation 1 under nu', and its logarithm is at least d Y. *)
  assert (Hinfo := information_is_nonneg T).
  assert (Hd : 0 < d).
  { unfold d. assert (0 <= information T / eps) by (apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat]).
    lra. }
  assert (He : 1 <= exp d) by (assert (E := exp_at_least_tangent d); lra).
  assert (L := expected_log_is_at_most_the_information T (fun h => 1 + (exp d - 1) * Y h)).
  assert (P : forall h, 0 < 1 + (exp d - 1) * Y h).
  { intros h. assert (0 <= (exp d - 1) * Y h) by (apply Rmult_le_pos; [lra | apply HY]). lra. }
  specialize (L P). rewrite total_plus, total_scal, total_const, H0 in L. specialize (L ltac:(lra)).
  assert (M : d * history_law s nu T Y <= information T).
  { rewrite <- total_scal. eapply Rle_trans; [|exact L]. apply total_le. intros h.
    assert (C := ln_is_concave (exp d) 1 (Y h) (exp_pos d) Rlt_0_1 (HY h)). rewrite ln_exp, ln_1 in C.
    replace (1 + (exp d - 1) * Y h) with (Y h * exp d + (1 - Y h) * 1) by ring. lra. }
  apply (Rmult_le_reg_l d); [exact Hd|]. eapply Rle_trans; [exact M|]. unfold d.
  replace ((information T / eps + 1) * (0 + eps)) with (information T + eps) by (field; lra). lra.
Qed.

(** says: kl(E_nu Z, E_nu' Z) is finite and at most sum_a E_nu[n^q_T(a)] KL(nu_a, nu'_a), for every strategy, every T
      and every function Z of the history with values in [0, 1]
    paper: l.505-512
    differs: all laws have finite support and private randomness is finite; nu_a << nu'_a for every arm (else KL is
      infinite); the seed drawn after the last round is not part of the history
    breaks: "binary_kl p q <=" to "2 * binary_kl p q <=" *)
Theorem information_bounds_the_binary_divergence :
  kl_is_finite p q /\ binary_kl p q <= information T.
Proof.
  assert (Hp := expectation_in_the_unit_interval (history_law s nu T)). fold p in Hp.
  assert (Hq := expectation_in_the_unit_interval (history_law s nu' T)). fold q in Hq.
  assert (C : forall E : total_expectation history, E (fun h => 1 - Z h) = 1 - E Z).
  { intros E. rewrite (total_ext E _ (fun h => 1 + -1 * Z h)) by (intros; lra).
    rewrite total_plus, total_scal, total_const. lra. }
  assert (F0 : q = 0 -> p = 0) by now apply zero_under_nu'_is_zero_under_nu.
  assert (F1 : q = 1 -> p = 1).
  { intros E. assert (G := zero_under_nu'_is_zero_under_nu (fun h => 1 - Z h)). rewrite !C in G. fold p q in G.
    specialize (G ltac:(intros h; specialize (Z_is_in_the_unit_interval h); lra) ltac:(lra)). lra. }
  split; [split; assumption|].
  assert (I := information_is_nonneg T). unfold binary_kl.
  destruct (Req_dec q 0) as [E|N0]; [rewrite E, (F0 E), Rminus_0_r, ln_1; lra|].
  destruct (Req_dec q 1) as [E|N1]; [rewrite E, (F1 E), ln_1; lra|].
  assert (Q : 0 < q < 1) by lra.
  destruct (Req_dec p 0) as [E|M0]; [|destruct (Req_dec p 1) as [E|M1]].
  - rewrite E, Rminus_0_r, ln_1. apply le_epsilon. intros eps Heps.
    assert (X : 0 < exp (- eps) < 1) by (split; [apply exp_pos | rewrite <- exp_0; apply exp_increasing; lra]).
    assert (B := tilted_bound (1 - exp (- eps)) Q ltac:(lra)). rewrite E in B.
    replace (1 - (1 - exp (- eps))) with (exp (- eps)) in B by lra. rewrite ln_exp in B. lra.
  - rewrite E, Rminus_eq_0, ln_1. apply le_epsilon. intros eps Heps.
    assert (X : 0 < exp (- eps) < 1) by (split; [apply exp_pos | rewrite <- exp_0; apply exp_increasing; lra]).
    assert (B := tilted_bound (exp (- eps)) Q X). rewrite E, ln_exp in B. lra.
  - apply tilted_bound; [exact Q | lra].
Qed.
End Variable_in_the_unit_interval.
End TwoInstances.

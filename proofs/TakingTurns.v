(** Tools for strategies of two arms that take turns: in the odd eras one arm is queried, in the even ones the
    other, and eras grow so fast that the resting arm's count becomes negligible against ln T. Used by the
    counterexamples to parts 2 and 3 as printed (CounterexampleUnique.v, CounterexampleMultiple.v). Finite-support
    laws. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Expectation TotalExpectation FiniteLaws BinaryDivergence Strategies Consistency.
Import ListNotations.
Open Scope R_scope.

(** ** Deterministic strategies *)

(** The law that always gives x. *)
Definition constant (x : R) : law.
Proof.
  refine (Law [x] (fun z => if Req_EM_T z x then 1 else 0) _ _ _ _).
  - repeat constructor; easy.
  - intros z. destruct (Req_EM_T z x); lra.
  - intros z. simpl. destruct (Req_EM_T z x); [auto | tauto].
  - unfold sum. simpl. destruct (Req_EM_T x x); [lra | tauto].
Defined.

Lemma average_of_a_constant x f : average (constant x) f = f x.
Proof. simpl. unfold sum. simpl. destruct (Req_EM_T x x); [lra | tauto]. Qed.

Lemma average_le_where_there_is_mass p (f g : R -> R) : (forall x, mass p x <> 0 -> f x <= g x) ->
  average p f <= average p g.
Proof.
  intros H. change (sum (support p) (fun x => mass p x * f x) <= sum (support p) (fun x => mass p x * g x)).
  apply sum_le. intros x _. destruct (Req_dec (mass p x) 0) as [->|E]; [lra|].
  apply Rmult_le_compat_l; [apply mass_is_nonneg | now apply H].
Qed.

Section Deterministic.
Context {K : nat}.
Variable decision : history -> nat * bool.
Hypothesis decisions_are_arms : forall h, is_arm K (fst (decision h)).

Definition deterministic : strategy K :=
  Strategy K (fun _ => constant 0) (fun h _ => decision h) (fun h _ => decisions_are_arms h).

Variable nu : nat -> law.

Lemma deterministic_round h f : round_law deterministic nu h f =
  if snd (decision h)
  then average (nu (fst (decision h))) (fun x => f (Observation 0 (fst (decision h)) (Some x)))
  else f (Observation 0 (fst (decision h)) None).
Proof. rewrite round_law_as_averages. simpl seed_law. now rewrite average_of_a_constant. Qed.

(** What holds at the start and is kept by every round that can occur may be used to compare expectations. *)
Lemma history_law_le_along (I : history -> Prop) : I [] ->
  (forall h x, I h -> snd (decision h) = true -> mass (nu (fst (decision h))) x <> 0 ->
    I (Observation 0 (fst (decision h)) (Some x) :: h)) ->
  (forall h, I h -> snd (decision h) = false -> I (Observation 0 (fst (decision h)) None :: h)) ->
  forall T f g, (forall h, length h = T -> I h -> f h <= g h) ->
    history_law deterministic nu T f <= history_law deterministic nu T g.
Proof.
  intros H0 Hq Hp. induction T as [|T IH]; intros f g H; [now apply H|]. rewrite !one_more_round. apply IH.
  intros h Hlen Hh. rewrite !deterministic_round. destruct (snd (decision h)) eqn:E.
  - apply average_le_where_there_is_mass. intros x Hx. apply H; [simpl; now rewrite Hlen | now apply Hq].
  - apply H; [simpl; now rewrite Hlen | now apply Hp].
Qed.

(** ** Rare events, by exponential weights *)

Variables (i : nat) (v : R -> R).
Hypothesis v_is_a_weight : average (nu i) (fun x => exp (v x)) <= 1.

Definition weight (o : observation) : R :=
  if Nat.eqb (arm o) i then match seen o with Some x => v x | None => 0 end else 0.

Lemma expected_weights_are_at_most_one T : history_law deterministic nu T (fun h => exp (sum h weight)) <= 1.
Proof.
  induction T as [|T IH]; [simpl; unfold sum; simpl; rewrite exp_0; lra|]. rewrite one_more_round.
  eapply Rle_trans; [|exact IH]. apply total_le. intros h.
  rewrite (total_ext (round_law deterministic nu h) _ (fun o => exp (sum h weight) * exp (weight o))).
  - rewrite total_scal. rewrite <- (Rmult_1_r (exp (sum h weight))) at 2.
    apply Rmult_le_compat_l; [left; apply exp_pos|]. rewrite deterministic_round. unfold weight. simpl.
    destruct (Nat.eqb_spec (fst (decision h)) i) as [->|_]; destruct (snd (decision h)); rewrite ?exp_0; try lra.
    + exact v_is_a_weight.
    + right. apply (total_const (average (nu (fst (decision h))))).
  - intros o. change (sum (o :: h) weight) with (weight o + sum h weight). rewrite exp_plus. ring.
Qed.

(** An event on which the weights sum to at least L has probability at most e^-L. *)
Lemma heavy_histories_are_rare T L (event : history -> bool) :
  (forall h, length h = T -> event h = true -> L <= sum h weight) ->
  history_law deterministic nu T (fun h => indicator (event h)) <= exp (- L).
Proof.
  intros H. apply Rle_trans with (exp (- L) * history_law deterministic nu T (fun h => exp (sum h weight))).
  - rewrite <- total_scal. apply history_law_le. intros h [Hlen _]. rewrite <- exp_plus.
    destruct (event h) eqn:E; simpl; [|left; apply exp_pos].
    specialize (H h Hlen E). assert (T1 := exp_at_least_tangent (- L + sum h weight)). lra.
  - rewrite <- (Rmult_1_r (exp (- L))) at 2. apply Rmult_le_compat_l; [left; apply exp_pos|].
    apply expected_weights_are_at_most_one.
Qed.
End Deterministic.

(** ** Plays without a query *)

Definition idle_in (a : nat) (h : history) : R := sum h (fun o => indicator (Nat.eqb (arm o) a && negb (is_query o))).

Lemma plays_are_queries_and_idle_plays a h : plays_in a h = queries_in a h + idle_in a h.
Proof.
  unfold plays_in, queries_in, idle_in. rewrite <- sum_plus. apply sum_ext. intros o _.
  destruct (Nat.eqb _ _), (is_query o); simpl; lra.
Qed.

Lemma expected_idle_plays {K : nat} decision (H : forall h, is_arm K (fst (decision h))) nu a T :
  history_law (deterministic decision H) nu T (idle_in a) = sum (rounds T) (fun t =>
    history_law (deterministic decision H) nu (t - 1) (fun h =>
      indicator (Nat.eqb (fst (decision h)) a && negb (snd (decision h))))).
Proof.
  induction T as [|T IH]; [reflexivity|]. rewrite sum_rounds_S, <- IH, one_more_round.
  replace (S T - 1)%nat with T by lia. rewrite <- total_plus. apply total_ext. intros h.
  rewrite (total_ext _ _ (fun o => indicator (Nat.eqb (arm o) a && negb (is_query o)) + idle_in a h)) by reflexivity.
  rewrite total_plus, total_const, deterministic_round. rewrite Rplus_comm. f_equal.
  destruct (snd (decision h)); simpl; [|reflexivity]. unfold is_query. simpl. rewrite andb_false_r.
  apply (total_const (average (nu (fst (decision h))))).
Qed.

(** ** Eras, and the number of queries that is enough *)

Definition turn (t : nat) : nat := if Nat.even (Nat.log2 (Nat.log2 (Nat.log2 t))) then 1%nat else 2%nat.
Definition level (t : nat) : nat := Nat.log2 t * Nat.log2 (Nat.log2 t).

Lemma turns_are_arms t : turn t = 1%nat \/ turn t = 2%nat.
Proof. unfold turn. destruct (Nat.even _); auto. Qed.

Lemma level_grows t t' : (t <= t')%nat -> (level t <= level t')%nat.
Proof. intros H. unfold level. apply Nat.mul_le_mono; repeat apply Nat.log2_le_mono; exact H. Qed.

Lemma twice_below_power j : (3 <= j)%nat -> (2 * j + 1 <= 2 ^ j)%nat.
Proof. intros H. induction H as [|j H IH]; [simpl; lia|]. rewrite Nat.pow_succ_r'. lia. Qed.

Lemma ln_of_power_of_two n : ln (INR (2 ^ n)) = INR n * ln 2.
Proof.
  induction n as [|n IH]; [simpl; rewrite ln_1; lra|]. rewrite Nat.pow_succ_r', mult_INR, ln_mult, IH, (S_INR n).
  - replace (INR 2) with 2 by (simpl; lra). ring.
  - simpl. lra.
  - apply lt_0_INR. apply Nat.neq_0_lt_0, Nat.pow_nonzero. lia.
Qed.

(** Infinitely often an arm has rested since a time T0 whose level is negligible against ln T. *)
Lemma long_rests (i : nat) eps N : 0 < eps -> i = 1%nat \/ i = 2%nat ->
  exists T0 T, (N <= T)%nat /\ (T0 <= T)%nat /\ (forall t, (T0 < t <= T)%nat -> turn t <> i) /\
    INR (level T0) <= eps * ln (INR T).
Proof.
  intros He Hi. assert (L2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  destruct (archimed_cor1 (eps * ln 2) ltac:(now apply Rmult_lt_0_compat)) as [m [Hm Hm0]].
  assert (J : exists j, (m <= j /\ N <= j /\ 3 <= j)%nat /\ Nat.even j = Nat.even i).
  { exists (i + 2 * (m + N + 3))%nat. split; [lia|]. rewrite Nat.even_add_mul_2. reflexivity. }
  destruct J as [j [[Hj1 [Hj2 Hj3]] Hpar]].
  assert (B := twice_below_power j Hj3).
  exists (2 ^ (2 ^ (2 ^ j)))%nat, (2 ^ (2 ^ (2 ^ (S j) - 1)))%nat.
  assert (E : (2 ^ S j - 1 = 2 ^ j + (2 ^ j - 1))%nat) by (rewrite Nat.pow_succ_r'; lia).
  split; [|split; [|split]].
  - apply Nat.le_trans with j; [exact Hj2|]. apply Nat.le_trans with (2 ^ S j - 1)%nat; [lia|].
    apply Nat.le_trans with (2 ^ (2 ^ S j - 1))%nat; apply Nat.lt_le_incl, Nat.pow_gt_lin_r; lia.
  - apply Nat.pow_le_mono_r; [lia|]. apply Nat.pow_le_mono_r; lia.
  - intros t [H1 H2]. unfold turn.
    assert (A1 : (2 ^ (2 ^ j) <= Nat.log2 t)%nat)
      by (rewrite <- (Nat.log2_pow2 (2 ^ (2 ^ j))) by lia; apply Nat.log2_le_mono; lia).
    assert (A2 : (Nat.log2 t <= 2 ^ (2 ^ S j - 1))%nat)
      by (rewrite <- (Nat.log2_pow2 (2 ^ (2 ^ S j - 1))) by lia; apply Nat.log2_le_mono; lia).
    assert (B1 : (2 ^ j <= Nat.log2 (Nat.log2 t))%nat)
      by (rewrite <- (Nat.log2_pow2 (2 ^ j)) by lia; apply Nat.log2_le_mono; lia).
    assert (B2 : (Nat.log2 (Nat.log2 t) <= 2 ^ S j - 1)%nat)
      by (rewrite <- (Nat.log2_pow2 (2 ^ S j - 1)) by lia; apply Nat.log2_le_mono; lia).
    rewrite (Nat.log2_unique (Nat.log2 (Nat.log2 t)) j) by lia. rewrite Hpar.
    destruct Hi as [->| ->]; simpl; lia.
  - unfold level. rewrite !Nat.log2_pow2 by lia. rewrite ln_of_power_of_two.
    assert (C : (2 ^ 2 ^ j * 2 ^ j * j <= 2 ^ (2 ^ S j - 1))%nat).
    { rewrite E, Nat.pow_add_r, <- Nat.mul_assoc. apply Nat.mul_le_mono_l.
      apply Nat.le_trans with (2 ^ j * 2 ^ j)%nat.
      - apply Nat.mul_le_mono_l. apply Nat.lt_le_incl, Nat.pow_gt_lin_r. lia.
      - rewrite <- Nat.pow_add_r. apply Nat.pow_le_mono_r; lia. }
    apply le_INR in C. rewrite mult_INR in C. set (a := INR (2 ^ 2 ^ j * 2 ^ j)) in *.
    set (b := INR (2 ^ (2 ^ S j - 1))) in *.
    assert (Mj : INR m <= INR j) by now apply le_INR. apply lt_INR in Hm0. simpl INR in Hm0.
    assert (X : 1 <= INR j * (eps * ln 2)).
    { apply Rle_trans with (INR m * (eps * ln 2)).
      - apply (Rmult_lt_compat_l (INR m)) in Hm; [|exact Hm0]. rewrite Rinv_r in Hm; lra.
      - apply Rmult_le_compat_r; [left; now apply Rmult_lt_0_compat | exact Mj]. }
    assert (A0 : 0 <= a) by apply pos_INR.
    apply Rle_trans with (a * (INR j * (eps * ln 2))).
    + rewrite <- (Rmult_1_r a) at 1. apply Rmult_le_compat_l; lra.
    + replace (a * (INR j * (eps * ln 2))) with (a * INR j * (eps * ln 2)) by ring.
      replace (eps * (b * ln 2)) with (b * (eps * ln 2)) by ring.
      apply Rmult_le_compat_r; [left; now apply Rmult_lt_0_compat | exact C].
Qed.

(** ** Sums of errors, and what they are small against *)

Lemma log2_is_below_the_logarithm t : (1 <= t)%nat -> INR (Nat.log2 t) * ln 2 <= ln (INR t).
Proof.
  intros Ht. rewrite <- ln_of_power_of_two. apply ln_is_monotone.
  - apply lt_0_INR. apply Nat.neq_0_lt_0, Nat.pow_nonzero. lia.
  - apply le_INR. apply Nat.log2_spec. lia.
Qed.

Lemma inverse_power_of_log2 t : (1 <= t)%nat -> exp (- (INR (Nat.log2 t) * ln 2)) <= 2 / INR t.
Proof.
  intros Ht. rewrite <- ln_of_power_of_two, exp_Ropp, exp_ln.
  - destruct (Nat.log2_spec t ltac:(lia)) as [_ H]. rewrite Nat.pow_succ_r' in H. apply lt_INR in H.
    rewrite mult_INR in H. simpl (INR 2) in H. assert (T1 := le_INR _ _ Ht). simpl INR in T1.
    assert (P : 0 < INR (2 ^ Nat.log2 t)) by lra.
    apply (Rmult_le_reg_r (INR (2 ^ Nat.log2 t) * INR t)); [apply Rmult_lt_0_compat; lra|].
    replace (/ INR (2 ^ Nat.log2 t) * (INR (2 ^ Nat.log2 t) * INR t)) with (INR t) by (field; lra).
    replace (2 / INR t * (INR (2 ^ Nat.log2 t) * INR t)) with (2 * INR (2 ^ Nat.log2 t)) by (field; lra). lra.
  - apply lt_0_INR. apply Nat.neq_0_lt_0, Nat.pow_nonzero. lia.
Qed.

Lemma harmonic_sums T : (1 <= T)%nat -> sum (rounds T) (fun t => / INR t) <= 1 + ln (INR T).
Proof.
  intros HT. induction HT as [|T HT IH]; [unfold sum; simpl; rewrite ln_1; lra|]. rewrite sum_rounds_S.
  assert (T1 := le_INR _ _ HT). simpl (INR 1) in T1. rewrite S_INR in *.
  assert (L := ln_at_most_tangent (INR T / (INR T + 1)) ltac:(apply Rdiv_lt_0_compat; lra)).
  rewrite ln_div in L by lra. replace (INR T / (INR T + 1) - 1) with (- / (INR T + 1)) in L by (field; lra). lra.
Qed.

(** Errors of probability e^(-lambda level(t)), or 1, sum to at most a constant and 2 ln T. *)
Lemma errors_sum_to_a_logarithm lambda (e : nat -> R) : 0 < lambda -> (forall t, (1 <= t)%nat -> e t <= 1) ->
  (forall t, (1 <= t)%nat -> e t <= exp (- (lambda * INR (level t)))) ->
  exists C, 0 <= C /\ forall T, (1 <= T)%nat -> sum (rounds T) e <= C + 2 * ln (INR T).
Proof.
  intros Hl H1 He. assert (L2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  destruct (archimed_cor1 (lambda / ln 2) ltac:(now apply Rdiv_lt_0_compat)) as [m [Hm Hm0]].
  set (t0 := (2 ^ (2 ^ m))%nat). exists (INR t0 + 2). split; [assert (0 <= INR t0) by apply pos_INR; lra|]. intros T
    HT.
  apply Rle_trans with (sum (rounds T) (fun t => indicator (t <=? t0)%nat + 2 * / INR t)).
  - apply sum_le. intros t Ht. apply in_rounds in Ht. assert (T1 : 0 < / INR t) by (apply Rinv_0_lt_compat, lt_0_INR;
    lia).
    destruct (Nat.leb_spec t t0) as [Hle|Hlt]; simpl indicator; [specialize (H1 t ltac:(lia)); lra|].
    rewrite Rplus_0_l. eapply Rle_trans; [apply He; lia|].
    eapply Rle_trans; [|apply (inverse_power_of_log2 t); lia].
    apply exp_is_monotone. apply Ropp_le_contravar. unfold level. rewrite mult_INR.
    assert (M : (m <= Nat.log2 (Nat.log2 t))%nat).
    { rewrite <- (Nat.log2_pow2 m) by lia. apply Nat.log2_le_mono.
      rewrite <- (Nat.log2_pow2 (2 ^ m)) by lia. apply Nat.log2_le_mono. unfold t0 in Hlt. lia. }
    apply le_INR in M. apply lt_INR in Hm0. simpl (INR 0) in Hm0.
    assert (X : ln 2 <= lambda * INR (Nat.log2 (Nat.log2 t))).
    { apply Rle_trans with (lambda * INR m); [|apply Rmult_le_compat_l; lra].
      apply (Rmult_lt_compat_l (INR m * ln 2)) in Hm; [|now apply Rmult_lt_0_compat].
      replace (INR m * ln 2 * / INR m) with (ln 2) in Hm by (field; lra).
      replace (INR m * ln 2 * (lambda / ln 2)) with (lambda * INR m) in Hm by (field; lra). lra. }
    apply (Rmult_le_compat_l (INR (Nat.log2 t))) in X; [|apply pos_INR]. lra.
  - rewrite sum_plus, sum_scal. assert (Hh := harmonic_sums T HT).
    assert (C : sum (rounds T) (fun t => indicator (t <=? t0)%nat) <= INR t0); [|lra].
    clear. induction T as [|T IH]; [apply pos_INR|]. rewrite sum_rounds_S.
    destruct (Nat.leb_spec (S T) t0) as [Hle|Hlt]; simpl indicator; [|lra].
    rewrite (sum_ext _ _ (fun _ => 1)).
    + rewrite sum_const, length_rounds. apply le_INR in Hle. rewrite S_INR in Hle. lra.
    + intros t Ht. apply in_rounds in Ht. now rewrite (proj2 (Nat.leb_le t t0)) by lia.
Qed.

(** A square of ln T is small against every power of T. *)
Lemma squares_of_logs_are_small A alpha eps : 0 < alpha -> 0 < eps ->
  eventually (fun T => A * (ln (INR T) * ln (INR T)) <= eps * Rpower (INR T) alpha).
Proof.
  intros Ha He. set (B := Rmax A 0). assert (B0 : 0 <= B) by apply Rmax_r. assert (BA : A <= B) by apply Rmax_l.
  set (c := eps * (alpha * alpha * alpha / 27)).
  assert (A3 : 0 < alpha * alpha * alpha) by (repeat apply Rmult_lt_0_compat; lra).
  assert (C0 : 0 < c) by (apply Rmult_lt_0_compat; lra).
  apply (eventually_mono _ _) with (2 := eventually_and _ _ (eventually_log_exceeds 1) (eventually_log_exceeds (B /
    c))).
  intros T [H1 H2]. set (L := ln (INR T)) in *. unfold Rpower. fold L.
  assert (P : alpha * L / 3 <= exp (alpha * L / 3)) by (assert (E := exp_at_least_tangent (alpha * L / 3)); lra).
  assert (AL : 0 <= alpha * L / 3) by (assert (0 <= alpha * L) by (apply Rmult_le_pos; lra); lra).
  assert (Q : alpha * L / 3 * (alpha * L / 3) * (alpha * L / 3) <= exp (alpha * L)).
  { replace (alpha * L) with (alpha * L / 3 + alpha * L / 3 + alpha * L / 3) at 4 by field. rewrite !exp_plus.
    apply Rmult_le_compat; [apply Rmult_le_pos; lra | lra | apply Rmult_le_compat; lra | lra]. }
  assert (LL : 0 <= L * L) by (apply Rmult_le_pos; lra).
  apply Rle_trans with (B * (L * L)); [apply Rmult_le_compat_r; lra|].
  apply Rle_trans with (c * L * (L * L)).
  - apply Rmult_le_compat_r; [exact LL|]. apply (Rmult_le_compat_l c) in H2; [|lra].
    replace (c * (B / c)) with B in H2 by (field; lra). exact H2.
  - apply Rle_trans with (eps * (alpha * L / 3 * (alpha * L / 3) * (alpha * L / 3)));
      [right; unfold c; field | apply Rmult_le_compat_l; lra].
Qed.

Lemma level_is_below_a_square T : (1 <= T)%nat -> INR (level T) * (ln 2 * ln 2) <= ln (INR T) * ln (INR T).
Proof.
  intros HT. assert (L2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (L := log2_is_below_the_logarithm T HT). assert (P := pos_INR (Nat.log2 T)).
  assert (Q : 0 <= INR (Nat.log2 T) * ln 2) by (apply Rmult_le_pos; lra).
  apply Rle_trans with (INR (Nat.log2 T) * ln 2 * (INR (Nat.log2 T) * ln 2)); [|apply Rmult_le_compat; lra].
  unfold level. rewrite mult_INR.
  assert (M : INR (Nat.log2 (Nat.log2 T)) <= INR (Nat.log2 T)).
  { apply le_INR, Nat.log2_le_lin. lia. }
  replace (INR (Nat.log2 T) * INR (Nat.log2 (Nat.log2 T)) * (ln 2 * ln 2)) with
    (INR (Nat.log2 T) * ln 2 * (INR (Nat.log2 (Nat.log2 T)) * ln 2)) by ring.
  apply Rmult_le_compat_l; [exact Q|]. apply Rmult_le_compat_r; lra.
Qed.

(** Expected plays of at most level(T) + C + 2 ln T are o(T^alpha). *)
Lemma few_plays_are_sub_polynomial (f : nat -> R) C : 0 <= C ->
  (forall T, (1 <= T)%nat -> f T <= INR (level T) + (C + 2 * ln (INR T))) ->
  forall alpha eps, 0 < alpha -> 0 < eps -> eventually (fun T => f T <= eps * Rpower (INR T) alpha).
Proof.
  intros HC H alpha eps Ha He. assert (L2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (LL : 0 < ln 2 * ln 2) by (now apply Rmult_lt_0_compat).
  apply (eventually_mono _ _) with (2 := eventually_and _ _ (eventually_at_least 1) (eventually_and _ _
    (eventually_log_exceeds 1) (squares_of_logs_are_small (/ (ln 2 * ln 2) + C + 2) alpha eps Ha He))).
  intros T [HT [H1 H2]]. eapply Rle_trans; [apply H, HT|]. eapply Rle_trans; [|exact H2].
  set (L := ln (INR T)) in *. assert (S : L <= L * L) by (rewrite <- (Rmult_1_r L) at 1; apply Rmult_le_compat_l;
    lra).
  assert (B := level_is_below_a_square T HT). fold L in B.
  assert (X : INR (level T) <= / (ln 2 * ln 2) * (L * L)).
  { apply (Rmult_le_reg_r (ln 2 * ln 2)); [exact LL|].
    replace (/ (ln 2 * ln 2) * (L * L) * (ln 2 * ln 2)) with (L * L) by (field; lra). exact B. }
  assert (C * 1 <= C * (L * L)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(** Beyond the paper: the pair rule, which compares the leader with each other arm, as a relation, so for every
    tie-break; and what a round of it gives when the differences of the empirical means are close to those of the
    means. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery.
Open Scope R_scope.

(** The number of binary digits of a round. *)
Definition digits (t : nat) : nat := S (Nat.log2 t).

(** f_t = ln(t b(t)) + 1/2 ln((n + s)(m + s)/s^2), with b(t) binary digits and the counts n and m of two arms. *)
Definition pair_log (s : R) (t n m : nat) : R :=
  ln (INR t * INR (digits t)) + / 2 * ln ((INR n + s) * (INR m + s) / (s * s)).

(** (n + s)/n^2. *)
Definition thinness (s : R) (n : nat) : R := (INR n + s) / (INR n * INR n).

(** r_t = sqrt(f_t/2 ((n + s)/n^2 + (m + s)/m^2)). *)
Definition pair_radius (s : R) (t n m : nat) : R := sqrt (pair_log s t n m / 2 * (thinness s n + thinness s m)).

Section Rule.
Variables (K : nat) (s kappa : R) (t : nat).
Variables (count : nat -> nat) (estimate : nat -> R).    (* queries and empirical mean of each arm before the round *)
Variable epsilon : R.

(** U_t(a) against the leader l. *)
Definition pair_index (l a : nat) : R := estimate a - estimate l + pair_radius s t (count a) (count l).

Definition is_pair_leader (l : nat) : Prop := is_arm K l /\ forall a, is_arm K a -> estimate a <= estimate l.

Definition is_pair_challenger (l u : nat) : Prop :=
  is_arm K u /\ u <> l /\ forall a, is_arm K a -> a <> l -> pair_index l a <= pair_index l u.

(** [pair_decision a q]: some tie-break plays arm [a], and queries it iff [q]. *)
Inductive pair_decision : nat -> bool -> Prop :=
| pair_plays_the_only_arm l : is_pair_leader l -> (forall a, is_arm K a -> a = l) -> pair_decision l false
| pair_plays_the_leader l u :
    is_pair_leader l -> is_pair_challenger l u -> pair_index l u <= epsilon -> pair_decision l false
| pair_queries_the_leader l u :
    is_pair_leader l -> is_pair_challenger l u -> epsilon < pair_index l u ->
    INR (count l) <= kappa * INR (count u) -> pair_decision l true
| pair_queries_the_challenger l u :
    is_pair_leader l -> is_pair_challenger l u -> epsilon < pair_index l u ->
    kappa * INR (count u) <= INR (count l) -> pair_decision u true.

Lemma pair_decision_is_arm a q : pair_decision a q -> is_arm K a.
Proof. intros H. destruct H as [l [H _] | l u [H _] | l u [H _] | l u _ [H _]]; exact H. Qed.

Lemma pair_radius_is_symmetric n m : pair_radius s t n m = pair_radius s t m n.
Proof.
  unfold pair_radius, pair_log. rewrite (Rmult_comm (INR n + s)), (Rplus_comm (thinness s n)). reflexivity.
Qed.

(** ** Round lemmas *)

Variable b : bandit.
Hypothesis arms_of_the_bandit : number_of_arms b = K.

(** The difference of the empirical means of [star] and of any other arm is not below that of the means by more than
    their radius: one side, K - 1 pairs. *)
Definition pairs_are_good (star : nat) : Prop := forall a, is_arm K a -> a <> star ->
  gap b a - pair_radius s t (count a) (count star) <= estimate star - estimate a.

Lemma the_index_of_a_good_arm_is_at_least_the_gap star l : optimal b star -> pairs_are_good star -> is_pair_leader l ->
  l <> star -> gap b l <= pair_index l star.
Proof.
  intros _ Hgood [Hl _] Hne. assert (G := Hgood l Hl Hne). unfold pair_index. rewrite pair_radius_is_symmetric. lra.
Qed.

Lemma the_challenger_is_above_the_gap star l u : optimal b star -> pairs_are_good star -> is_pair_leader l ->
  is_pair_challenger l u -> l <> star -> gap b l <= pair_index l u.
Proof.
  intros Hopt Hgood Hl [_ [_ Hu]] Hne. apply Rle_trans with (pair_index l star).
  - now apply the_index_of_a_good_arm_is_at_least_the_gap.
  - apply Hu; [|congruence]. rewrite <- arms_of_the_bandit. apply Hopt.
Qed.

(** says: with good pairs an arm that is played without a query has a gap of at most epsilon
    paper: beyond the paper
    settles: pairs.unqueried_is_near_optimal
    breaks: "gap b a <= epsilon" to "gap b a < epsilon" *)
Theorem an_unqueried_arm_of_the_pair_rule_is_within_epsilon star a : 0 <= epsilon -> optimal b star ->
  pairs_are_good star -> pair_decision a false -> gap b a <= epsilon.
Proof.
  intros He Hopt Hgood H. assert (Ha := pair_decision_is_arm a false H).
  destruct (Nat.eq_dec a star) as [->|Hne]; [rewrite (gap_of_optimal b star Hopt); exact He|].
  inversion H as [l Hl Honly | l u Hl Hu Hi | |]; subst.
  - exfalso. apply Hne. symmetry. apply Honly. rewrite <- arms_of_the_bandit. apply Hopt.
  - eapply Rle_trans; [now apply (the_challenger_is_above_the_gap star a u)|exact Hi].
Qed.

Lemma the_index_is_at_most_the_radius l u : is_pair_leader l -> is_pair_challenger l u ->
  pair_index l u <= pair_radius s t (count u) (count l).
Proof. intros [_ Hl] [Hu _]. unfold pair_index. specialize (Hl u Hu). lra. Qed.

(** A suboptimal challenger of the optimal arm. *)
Lemma against_the_optimal_arm_twice_the_radius_exceeds_gap_plus_epsilon star u : pairs_are_good star ->
  is_pair_challenger star u -> epsilon < pair_index star u ->
  gap b u + epsilon < 2 * pair_radius s t (count u) (count star).
Proof.
  intros Hgood [Hu [Hne _]] Hi. specialize (Hgood u Hu Hne). unfold pair_index in Hi. lra.
Qed.

(** A suboptimal challenger of another arm. *)
Lemma against_another_arm_three_radii_exceed_the_gap star l u : optimal b star -> pairs_are_good star ->
  is_pair_leader l -> is_pair_challenger l u -> l <> star -> u <> star ->
  gap b u <= pair_radius s t (count u) (count l) + pair_radius s t (count u) (count star)
    - pair_radius s t (count star) (count l).
Proof.
  intros Hopt Hgood Hl [Hu [Hul Hmax]] Hls Hus. assert (G := Hgood u Hu Hus).
  assert (Hs : is_arm K star) by (rewrite <- arms_of_the_bandit; apply Hopt).
  specialize (Hmax star Hs ltac:(congruence)). unfold pair_index in Hmax. lra.
Qed.

(** ** Radii and counts *)

Hypothesis spread : 0 < s.
Hypothesis ratio : 1 <= kappa.

(** F_t = ln(t b(t)) + ln((t - 1 + s)/s), which is at least f_t. *)
Definition largest_log : R := ln (INR t * INR (digits t)) + ln ((INR (t - 1) + s) / s).

(** How thin an arm of n queries and its partner are together, when the arm is the leader, and when it is the
    challenger. *)
Definition leader_thinness (n : nat) : R := ((1 + kappa) * INR n + (1 + kappa * kappa) * s) / (INR n * INR n).
Definition challenger_thinness (n : nat) : R := (1 + / kappa) * thinness s n.

Hypothesis in_a_round : (1 <= t)%nat.
Hypothesis counts : forall a, is_arm K a -> (1 <= count a <= t - 1)%nat.

Lemma log_of_a_round_is_nonneg : 0 <= ln (INR t * INR (digits t)).
Proof.
  clear arms_of_the_bandit.
  rewrite <- ln_1. assert (H1 : 1 <= INR t) by (apply le_INR in in_a_round; exact in_a_round).
  assert (H2 : 1 <= INR (digits t)) by (unfold digits; rewrite S_INR; generalize (pos_INR (Nat.log2 t)); lra).
  assert (H : 1 <= INR t * INR (digits t)) by (rewrite <- (Rmult_1_r 1); apply Rmult_le_compat; lra).
  destruct H as [H|H]; [left; apply ln_increasing; lra | rewrite <- H; lra].
Qed.

Lemma a_pair_log_grows n m n' m' : (n <= n')%nat -> (m <= m')%nat -> pair_log s t n m <= pair_log s t n' m'.
Proof.
  clear arms_of_the_bandit.
  intros Hn Hm. apply le_INR in Hn, Hm. unfold pair_log. apply Rplus_le_compat_l, Rmult_le_compat_l; [lra|].
  assert (H0 := pos_INR n). assert (H1 := pos_INR m).
  assert (Hss : 0 < s * s) by now apply Rmult_lt_0_compat.
  apply ln_is_monotone; [apply Rdiv_lt_0_compat; trivial; apply Rmult_lt_0_compat; lra|].
  unfold Rdiv. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|]. apply Rmult_le_compat; lra.
Qed.

(** One count more costs half a logarithm at most. *)
Lemma a_pair_log_grows_slowly k n c : (1 <= k)%nat -> (n <= t)%nat ->
  pair_log s t n c <= pair_log s t k c + / 2 * ln (INR t * INR (digits t)).
Proof.
  clear arms_of_the_bandit.
  intros Hk Hn. apply le_INR in Hk, Hn. change (INR 1) with 1 in Hk. assert (Hc := pos_INR c). assert (Hn0 := pos_INR n).
  assert (H1 : 1 <= INR t) by (apply le_INR in in_a_round; exact in_a_round).
  assert (H2 : 1 <= INR (digits t)) by (unfold digits; rewrite S_INR; generalize (pos_INR (Nat.log2 t)); lra).
  assert (H : INR t * 1 <= INR t * INR (digits t)) by (apply Rmult_le_compat_l; lra).
  set (x := INR t * INR (digits t)) in *. unfold pair_log. fold x. rewrite Rplus_assoc, <- Rmult_plus_distr_l.
  apply Rplus_le_compat_l, Rmult_le_compat_l; [lra|].
  assert (Hss : 0 < / (s * s)) by (apply Rinv_0_lt_compat; now apply Rmult_lt_0_compat).
  assert (P : 0 < (INR k + s) * (INR c + s) / (s * s)) by (repeat apply Rmult_lt_0_compat; lra).
  rewrite <- ln_mult by lra. apply ln_is_monotone; [repeat apply Rmult_lt_0_compat; lra|]. unfold Rdiv.
  replace ((INR k + s) * (INR c + s) * / (s * s) * x) with (x * (INR k + s) * (INR c + s) * / (s * s)) by ring.
  apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_r; [lra|].
  assert (1 * s <= x * s) by (apply Rmult_le_compat_r; lra). assert (x * 1 <= x * INR k) by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

Lemma the_log_of_the_round_is_at_most_a_pair_log n m : ln (INR t * INR (digits t)) <= pair_log s t n m.
Proof.
  clear arms_of_the_bandit.
  apply Rle_trans with (pair_log s t 0 0); [|apply a_pair_log_grows; lia]. unfold pair_log. change (INR 0) with 0.
  replace ((0 + s) * (0 + s) / (s * s)) with 1 by (field; lra). rewrite ln_1. lra.
Qed.

Lemma a_pair_log_is_nonneg n m : 0 <= pair_log s t n m.
Proof.
  clear arms_of_the_bandit.
  eapply Rle_trans; [apply log_of_a_round_is_nonneg | apply the_log_of_the_round_is_at_most_a_pair_log].
Qed.

Lemma a_pair_log_is_at_most_the_largest n m : (n <= t - 1)%nat -> (m <= t - 1)%nat -> pair_log s t n m <= largest_log.
Proof.
  clear arms_of_the_bandit.
  intros Hn Hm. eapply Rle_trans; [now apply (a_pair_log_grows n m (t - 1) (t - 1))|]. apply Req_le.
  unfold pair_log, largest_log. assert (H := pos_INR (t - 1)).
  replace ((INR (t - 1) + s) * (INR (t - 1) + s) / (s * s)) with ((INR (t - 1) + s) / s * ((INR (t - 1) + s) / s))
    by (field; lra).
  rewrite (ln_mult ((INR (t - 1) + s) / s)) by (apply Rdiv_lt_0_compat; lra). lra.
Qed.

Lemma thinness_is_positive n : (1 <= n)%nat -> 0 < thinness s n.
Proof.
  clear arms_of_the_bandit.
  intros H. apply le_INR in H. simpl in H. unfold thinness. apply Rdiv_lt_0_compat; [lra | apply Rmult_lt_0_compat;
    lra].
Qed.

(** A partner with c times as many queries is thinner by c at least. *)
Lemma thinness_of_a_multiple c n m : 1 <= c -> (1 <= n)%nat -> c * INR n <= INR m -> thinness s m <= / c * thinness s n.
Proof.
  clear arms_of_the_bandit.
  intros Hc Hn Hm. apply le_INR in Hn. simpl in Hn. unfold thinness. set (x := INR n) in *. set (y := INR m) in *.
  assert (Hx : 0 < x) by lra. assert (Hcx : c * 1 <= c * x) by (apply Rmult_le_compat_l; lra).
  assert (Hcx' : 1 * x <= c * x) by (apply Rmult_le_compat_r; lra).
  replace ((y + s) / (y * y)) with (/ y + s * (/ y * / y)) by (field; lra).
  replace (/ c * ((x + s) / (x * x))) with (/ (c * x) + s * (/ (c * x) * / x)) by (field; lra).
  assert (I : / y <= / (c * x)) by (apply Rinv_le_contravar; lra).
  assert (J : / y <= / x) by (apply Rinv_le_contravar; lra).
  assert (P : 0 < / y) by (apply Rinv_0_lt_compat; lra).
  apply Rplus_le_compat; [exact I|]. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat; lra.
Qed.

(** With at most c times as many queries as its partner, an arm and its partner are leader_thinness together. *)
Lemma thinness_of_a_fraction n m : (1 <= n)%nat -> INR n <= kappa * INR m ->
  thinness s n + thinness s m <= leader_thinness n.
Proof.
  clear arms_of_the_bandit.
  intros Hn Hm. apply le_INR in Hn. simpl in Hn. unfold thinness, leader_thinness.
  set (x := INR n) in *. set (y := INR m) in *.
  assert (Hy : 0 < y) by (apply (Rmult_lt_reg_l kappa); [lra|]; rewrite Rmult_0_r; lra).
  assert (I : / y <= kappa * / x).
  { apply (Rmult_le_reg_r (y * x)); [apply Rmult_lt_0_compat; lra|].
    replace (/ y * (y * x)) with x by (field; lra). replace (kappa * / x * (y * x)) with (kappa * y) by (field; lra).
    exact Hm. }
  assert (P : 0 < / y) by now apply Rinv_0_lt_compat. assert (Q : 0 < / x) by (apply Rinv_0_lt_compat; lra).
  replace (((1 + kappa) * x + (1 + kappa * kappa) * s) / (x * x))
    with ((x + s) / (x * x) + (kappa * / x + s * (kappa * / x * (kappa * / x)))) by (field; lra).
  apply Rplus_le_compat_l. replace ((y + s) / (y * y)) with (/ y + s * (/ y * / y)) by (field; lra).
  apply Rplus_le_compat; [exact I|]. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat; lra.
Qed.

(** A level below a multiple of a radius: the square of it below that of the radius. *)
Lemma below_a_radius level c n m g : 0 <= level -> 0 <= c -> (n <= t - 1)%nat -> (m <= t - 1)%nat ->
  thinness s n + thinness s m <= g -> 0 <= thinness s n + thinness s m ->
  level <= c * pair_radius s t n m -> level * level <= c * c / 2 * largest_log * g.
Proof.
  clear arms_of_the_bandit.
  intros Hl Hc Hn Hm Hg Hpos H. assert (L := a_pair_log_is_at_most_the_largest n m Hn Hm).
  assert (L0 := a_pair_log_is_nonneg n m).
  assert (Hr : 0 <= pair_log s t n m / 2 * (thinness s n + thinness s m)) by (apply Rmult_le_pos; lra).
  eapply Rle_trans; [apply (Rmult_le_compat level _ level _ Hl Hl H H)|].
  replace (c * pair_radius s t n m * (c * pair_radius s t n m))
    with (c * c * (pair_radius s t n m * pair_radius s t n m)) by ring.
  unfold pair_radius. rewrite sqrt_sqrt by exact Hr.
  replace (c * c / 2 * largest_log * g) with (c * c * (largest_log / 2 * g)) by field.
  apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|]. apply Rmult_le_compat; lra.
Qed.

(** What a query says of the queried arm: [level]^2 <= factor F_t times the thinness of leader or challenger. *)
Definition leader_reaches (factor level : R) (n : nat) : Prop :=
  level * level <= factor * largest_log * leader_thinness n.
Definition challenger_reaches (factor level : R) (n : nat) : Prop :=
  level * level <= factor * largest_log * challenger_thinness n.

Lemma a_leader_below_its_radius c level l u : 0 <= level -> 0 <= c -> is_pair_leader l -> is_pair_challenger l u ->
  INR (count l) <= kappa * INR (count u) -> level <= c * pair_radius s t (count u) (count l) ->
  leader_reaches (c * c / 2) level (count l).
Proof.
  clear arms_of_the_bandit.
  intros Hl Hc [Ll _] [Lu _] Hcount H. destruct (counts l Ll), (counts u Lu).
  rewrite pair_radius_is_symmetric in H.
  apply (below_a_radius level c (count l) (count u)); trivial; [now apply thinness_of_a_fraction|].
  generalize (thinness_is_positive (count l) ltac:(lia)) (thinness_is_positive (count u) ltac:(lia)). lra.
Qed.

Lemma a_challenger_below_its_radius c level l u : 0 <= level -> 0 <= c -> is_pair_leader l -> is_pair_challenger l u ->
  kappa * INR (count u) <= INR (count l) -> level <= c * pair_radius s t (count u) (count l) ->
  challenger_reaches (c * c / 2) level (count u).
Proof.
  clear arms_of_the_bandit.
  intros Hl Hc [Ll _] [Lu _] Hcount H. destruct (counts l Ll), (counts u Lu).
  apply (below_a_radius level c (count u) (count l)); trivial.
  - unfold challenger_thinness.
    assert (T := thinness_of_a_multiple kappa (count u) (count l) ratio ltac:(lia) Hcount). lra.
  - generalize (thinness_is_positive (count l) ltac:(lia)) (thinness_is_positive (count u) ltac:(lia)). lra.
Qed.

(** sqrt(x + c) - sqrt(y + c) <= sqrt x - sqrt y for y <= x. *)
Lemma roots_come_closer x y c : 0 <= y <= x -> 0 <= c -> sqrt (x + c) - sqrt (y + c) <= sqrt x - sqrt y.
Proof.
  intros Hxy Hc. assert (A := sqrt_le_1_alt y x ltac:(lra)).
  assert (Y := sqrt_pos y). assert (Yc := sqrt_le_1_alt y (y + c) ltac:(lra)).
  assert (Hs : 0 <= sqrt (y + c) + (sqrt x - sqrt y)) by lra.
  apply Rplus_le_reg_r with (sqrt (y + c)).
  replace (sqrt (x + c) - sqrt (y + c) + sqrt (y + c)) with (sqrt (x + c)) by ring.
  rewrite <- (sqrt_square (sqrt x - sqrt y + sqrt (y + c))) by lra. apply sqrt_le_1_alt.
  assert (E1 := sqrt_sqrt x ltac:(lra)). assert (E2 := sqrt_sqrt y ltac:(lra)). assert (E3 := sqrt_sqrt (y + c)
    ltac:(lra)).
  assert (P : 0 <= (sqrt x - sqrt y) * (sqrt (y + c) - sqrt y)) by (apply Rmult_le_pos; lra).
  replace ((sqrt x - sqrt y + sqrt (y + c)) * (sqrt x - sqrt y + sqrt (y + c)))
    with (sqrt x * sqrt x - sqrt y * sqrt y + sqrt (y + c) * sqrt (y + c)
      + 2 * ((sqrt x - sqrt y) * (sqrt (y + c) - sqrt y))) by ring. lra.
Qed.

(** Three radii: r(u,l) + r(u,star) - r(star,l) <= 2 sqrt(F g_u/2), as u has no more queries than l. *)
Lemma three_radii_are_below_twice_one l u star : is_arm K l -> is_arm K u -> is_arm K star ->
  kappa * INR (count u) <= INR (count l) ->
  pair_radius s t (count u) (count l) + pair_radius s t (count u) (count star) - pair_radius s t (count star) (count l)
    <= 2 * sqrt (largest_log / 2 * thinness s (count u)).
Proof.
  clear arms_of_the_bandit.
  intros Ll Lu Ls Hcount. destruct (counts l Ll), (counts u Lu), (counts star Ls).
  assert (Hul : (count u <= count l)%nat).
  { apply INR_le. apply Rle_trans with (kappa * INR (count u)); [|exact Hcount].
    rewrite <- (Rmult_1_l (INR (count u))) at 1. apply Rmult_le_compat_r; [apply pos_INR | exact ratio]. }
  set (F := largest_log / 2).
  assert (HF : forall n m, (n <= t - 1)%nat -> (m <= t - 1)%nat -> 0 <= pair_log s t n m / 2 <= F).
  { intros n m Hn Hm. assert (A := a_pair_log_is_nonneg n m). assert (B := a_pair_log_is_at_most_the_largest n m Hn Hm).
    unfold F. lra. }
  assert (G : forall a, is_arm K a -> 0 < thinness s (count a)) by (intros a Ha; apply thinness_is_positive, (counts a
    Ha)).
  assert (Gu := G u Lu). assert (Gl := G l Ll). assert (Gs := G star Ls).
  assert (Tl := thinness_of_a_multiple 1 (count u) (count l) ltac:(lra) ltac:(lia) ltac:(apply le_INR in Hul; lra)).
  rewrite Rinv_1, Rmult_1_l in Tl.
  set (gu := thinness s (count u)) in *. set (gl := thinness s (count l)) in *. set (gs := thinness s (count star)) in
    *.
  unfold pair_radius. fold gu gl gs.
  destruct (HF (count u) (count l)) as [F1 F1']; try lia. destruct (HF (count u) (count star)) as [F2 F2']; try lia.
  destruct (HF (count star) (count l)) as [F3 F3']; try lia.
  assert (F23 : pair_log s t (count u) (count star) / 2 <= pair_log s t (count star) (count l) / 2).
  { assert (A := a_pair_log_grows (count u) (count star) (count l) (count star) Hul (le_n _)).
    assert (B : pair_log s t (count l) (count star) = pair_log s t (count star) (count l))
      by (unfold pair_log; now rewrite (Rmult_comm (INR (count l) + s))). lra. }
  assert (R1 : sqrt (pair_log s t (count u) (count l) / 2 * (gu + gl)) <= sqrt F * (sqrt gu + sqrt gl)).
  { rewrite sqrt_mult by lra. apply Rmult_le_compat; try apply sqrt_pos; [now apply sqrt_le_1_alt|].
    assert (A := roots_come_closer gu 0 gl ltac:(lra) ltac:(lra)). rewrite sqrt_0, Rplus_0_l in A. lra. }
  set (f3 := pair_log s t (count star) (count l) / 2) in *.
  assert (R2 : sqrt (pair_log s t (count u) (count star) / 2 * (gu + gs)) - sqrt (f3 * (gs + gl))
    <= sqrt F * (sqrt gu - sqrt gl)).
  { apply Rle_trans with (sqrt f3 * (sqrt (gu + gs) - sqrt (gl + gs))).
    - rewrite (Rplus_comm gs gl), !sqrt_mult by lra.
      assert (A := sqrt_le_1_alt _ _ F23).
      assert (B := Rmult_le_compat_r _ _ _ (sqrt_pos (gu + gs)) A). lra.
    - apply Rle_trans with (sqrt f3 * (sqrt gu - sqrt gl)).
      + apply Rmult_le_compat_l; [apply sqrt_pos | apply roots_come_closer; lra].
      + apply Rmult_le_compat_r; [assert (A := sqrt_le_1_alt gl gu Tl); lra | apply sqrt_le_1_alt; lra]. }
  rewrite (sqrt_mult F gu) by lra. lra.
Qed.

Lemma largest_log_is_nonneg : 0 <= largest_log.
Proof.
  clear arms_of_the_bandit.
  apply Rle_trans with (pair_log s t 0 0); [apply a_pair_log_is_nonneg | apply a_pair_log_is_at_most_the_largest; lia].
Qed.

Lemma a_challenger_of_another_arm_is_thin star l u : optimal b star -> pairs_are_good star -> 0 <= gap b u ->
  is_pair_leader l -> is_pair_challenger l u -> l <> star -> u <> star -> kappa * INR (count u) <= INR (count l) ->
  gap b u * gap b u <= 2 * largest_log * thinness s (count u).
Proof.
  intros Hopt Hgood Hgap Hl Hu Hls Hus Hc.
  assert (A := against_another_arm_three_radii_exceed_the_gap star l u Hopt Hgood Hl Hu Hls Hus).
  assert (Hs : is_arm K star) by (rewrite <- arms_of_the_bandit; apply Hopt).
  assert (B := three_radii_are_below_twice_one l u star (proj1 Hl) (proj1 Hu) Hs Hc). destruct (counts u (proj1 Hu)).
  assert (P := thinness_is_positive (count u) ltac:(lia)). assert (LL := largest_log_is_nonneg).
  assert (Q : 0 <= largest_log / 2 * thinness s (count u)) by (apply Rmult_le_pos; lra).
  set (r := sqrt (largest_log / 2 * thinness s (count u))) in *.
  assert (R : r * r = largest_log / 2 * thinness s (count u)) by now apply sqrt_sqrt.
  assert (C := Rmult_le_compat (gap b u) (2 * r) (gap b u) (2 * r) Hgap Hgap ltac:(lra) ltac:(lra)). lra.
Qed.

(** ** What a query says, in good rounds and always *)

(** says: on every path, a query of the pair rule has epsilon^2 <= F_t/2 times the thinness of the queried arm as
      leader, or as challenger, for every kappa >= 1 and every spread s > 0: this caps every arm's queries
    paper: beyond the paper
    settles: pairs.queried_is_thin
    breaks: "1 / 2" to "1 / 4" *)
Theorem a_query_of_the_pair_rule_needs_a_thin_arm a : 0 <= epsilon -> pair_decision a true ->
  leader_reaches (1 / 2) epsilon (count a) \/ challenger_reaches (1 / 2) epsilon (count a).
Proof.
  clear arms_of_the_bandit.
  intros He H. replace (1 / 2) with (1 * 1 / 2) by field.
  inversion H as [| | l u Hl Hu Hi Hc | l u Hl Hu Hi Hc]; subst; [left|right];
    assert (R := the_index_is_at_most_the_radius _ _ Hl Hu).
  - apply (a_leader_below_its_radius 1 epsilon a u); trivial; lra.
  - apply (a_challenger_below_its_radius 1 epsilon l a); trivial; lra.
Qed.

(** says: with good pairs a queried suboptimal arm has gap^2 <= F_t/2 times its thinness as leader, or 2 F_t times its
      thinness as challenger
    paper: beyond the paper
    settles: pairs.thin.suboptimal
    breaks: "challenger_reaches 2" to "challenger_reaches 1" *)
Theorem a_queried_suboptimal_arm_of_the_pair_rule star a : 0 <= epsilon -> optimal b star -> pairs_are_good star ->
  0 < gap b a -> pair_decision a true ->
  leader_reaches (1 / 2) (gap b a) (count a) \/ challenger_reaches 2 (gap b a) (count a).
Proof.
  intros He Hopt Hgood Hgap H.
  assert (Hne : a <> star) by (intros ->; rewrite (gap_of_optimal b star Hopt) in Hgap; lra).
  inversion H as [| | l u Hl Hu Hi Hc | l u Hl Hu Hi Hc]; subst.
  - left. replace (1 / 2) with (1 * 1 / 2) by field.
    apply (a_leader_below_its_radius 1 (gap b a) a u); trivial; try lra.
    assert (R := the_index_is_at_most_the_radius _ _ Hl Hu).
    assert (G := the_challenger_is_above_the_gap star a u Hopt Hgood Hl Hu Hne). lra.
  - right. replace 2 with (2 * 2 / 2) by field. destruct (Nat.eq_dec l star) as [->|Hls].
    + apply (a_challenger_below_its_radius 2 (gap b a) star a); trivial; try lra.
      assert (A := against_the_optimal_arm_twice_the_radius_exceeds_gap_plus_epsilon star a Hgood Hu Hi). lra.
    + assert (A := a_challenger_of_another_arm_is_thin star l a Hopt Hgood (Rlt_le _ _ Hgap) Hl Hu Hls Hne Hc).
      assert (Ha := proj1 Hu). destruct (counts a Ha). assert (P := thinness_is_positive (count a) ltac:(lia)).
      unfold challenger_reaches, challenger_thinness.
      replace (2 * 2 / 2 * largest_log * ((1 + / kappa) * thinness s (count a)))
        with (2 * largest_log * thinness s (count a) + 2 * / kappa * (largest_log * thinness s (count a))) by (field;
          lra).
      assert (0 <= largest_log * thinness s (count a)) by (apply Rmult_le_pos; [apply largest_log_is_nonneg | lra]).
      assert (0 <= 2 * / kappa * (largest_log * thinness s (count a)))
        by (apply Rmult_le_pos; [assert (0 < / kappa) by (apply Rinv_0_lt_compat; lra)|]; lra). lra.
Qed.

(** says: with good pairs a queried unique optimal arm has m^2 <= 2 F_t times its thinness as leader, or F_t/2 times
      its thinness as challenger, for every lower bound m of the other gaps
    paper: beyond the paper
    settles: pairs.thin.optimal
    breaks: "leader_reaches 2" to "leader_reaches 1" *)
Theorem a_queried_unique_optimal_arm_of_the_pair_rule star m : 0 <= epsilon -> unique_optimal_arm b star ->
  pairs_are_good star -> 0 <= m -> (forall c, is_arm K c -> c <> star -> m <= gap b c) -> pair_decision star true ->
  leader_reaches 2 m (count star) \/ challenger_reaches (1 / 2) m (count star).
Proof.
  intros He [Hopt _] Hgood Hm0 Hm H. inversion H as [| | l u Hl Hu Hi Hc | l u Hl Hu Hi Hc]; subst.
  - left. replace 2 with (2 * 2 / 2) by field. apply (a_leader_below_its_radius 2 m star u); trivial; try lra.
    assert (A := against_the_optimal_arm_twice_the_radius_exceeds_gap_plus_epsilon star u Hgood Hu Hi).
    destruct Hu as [Hu [Hne _]]. specialize (Hm u Hu Hne). lra.
  - right. replace (1 / 2) with (1 * 1 / 2) by field.
    apply (a_challenger_below_its_radius 1 m l star); trivial; try lra.
    assert (Hne : l <> star) by (destruct Hu as [_ [Hne _]]; congruence).
    assert (R := the_index_is_at_most_the_radius _ _ Hl Hu).
    assert (G := the_challenger_is_above_the_gap star l star Hopt Hgood Hl Hu Hne).
    specialize (Hm l (proj1 Hl) Hne). lra.
Qed.

(** says: with good pairs of each of two optimal arms a queried suboptimal arm has gap^2 <= F_t/2 times its thinness
      as leader, or 2 F_t (n + s)/n^2 as challenger
    paper: beyond the paper
    settles: pairs.thin.several_optima
    breaks: "2 * largest_log" to "largest_log" *)
Theorem with_several_optima_a_queried_suboptimal_arm_of_the_pair_rule x y a : optimal b x -> optimal b y -> x <> y ->
  pairs_are_good x -> pairs_are_good y -> 0 <= epsilon -> 0 < gap b a -> pair_decision a true ->
  leader_reaches (1 / 2) (gap b a) (count a) \/ gap b a * gap b a <= 2 * largest_log * thinness s (count a).
Proof.
  intros Hx Hy Hxy Gx Gy He Hgap H.
  assert (Hnx : a <> x) by (intros ->; rewrite (gap_of_optimal b x Hx) in Hgap; lra).
  assert (Hny : a <> y) by (intros ->; rewrite (gap_of_optimal b y Hy) in Hgap; lra).
  inversion H as [| | l u Hl Hu Hi Hc | l u Hl Hu Hi Hc]; subst.
  - left. replace (1 / 2) with (1 * 1 / 2) by field.
    apply (a_leader_below_its_radius 1 (gap b a) a u); trivial; try lra.
    assert (R := the_index_is_at_most_the_radius _ _ Hl Hu).
    assert (G := the_challenger_is_above_the_gap x a u Hx Gx Hl Hu Hnx). lra.
  - right. assert (Hstar : exists star, optimal b star /\ pairs_are_good star /\ l <> star /\ a <> star).
    { destruct (Nat.eq_dec l x) as [->|Hlx]; [exists y | exists x]; auto. }
    destruct Hstar as [star [Hopt [Hgood [Hls Hne]]]].
    exact (a_challenger_of_another_arm_is_thin star l a Hopt Hgood (Rlt_le _ _ Hgap) Hl Hu Hls Hne Hc).
Qed.
End Rule.

(** Beyond the paper: a round of the pair rule in which the means that matter are within delta of the true ones. Then the
    optimal arm leads, and a query needs a radius of gap - 2 delta. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery PairRule.
Open Scope R_scope.

Section Round.
Variables (K : nat) (s kappa : R) (t : nat) (count : nat -> nat) (estimate : nat -> R) (epsilon : R).
Variables (b : bandit) (star : nat) (m delta : R).
Hypothesis arms_of_the_bandit : number_of_arms b = K.
Hypothesis spread : 0 < s.
Hypothesis ratio : 1 <= kappa.
Hypothesis late : (2 <= t)%nat.
Hypothesis counts : forall a, is_arm K a -> (1 <= count a <= t - 1)%nat.
Hypothesis estimates : forall a, is_arm K a -> 0 <= estimate a <= 1.
Hypothesis unique : unique_optimal_arm b star.
Hypothesis m_is_below_the_gaps : forall c, is_arm K c -> c <> star -> m <= gap b c.
Hypothesis delta_is_small : 0 < 2 * delta < m.
Hypothesis epsilon_is_nonneg : 0 <= epsilon.

(** While a suboptimal arm leads, no other has more than [reach] times the queries of the optimal arm. *)
Definition reach : R := 3 / 2 * ((1 + / m) * (1 + / m)) * ((1 + kappa * kappa) * (1 + s)).

Definition is_near (a : nat) : Prop := Rabs (estimate a - mean b a) <= delta.

Lemma star_is_an_arm : is_arm K star.
Proof. rewrite <- arms_of_the_bandit. apply unique. Qed.

Lemma gap_from_star a : gap b a = mean b star - mean b a.
Proof. unfold gap. now rewrite (proj2 (proj1 unique)). Qed.

Lemma reach_is_large : kappa <= reach.
Proof.
  assert (M : 0 < / m) by (apply Rinv_0_lt_compat; lra).
  assert (A : 1 <= (1 + / m) * (1 + / m)) by (rewrite <- (Rmult_1_r 1) at 1; apply Rmult_le_compat; lra).
  assert (B : kappa * 1 <= kappa * kappa) by (apply Rmult_le_compat_l; lra).
  assert (C : (1 + kappa * kappa) * 1 <= (1 + kappa * kappa) * (1 + s)) by (apply Rmult_le_compat_l; lra).
  assert (D : 1 * ((1 + kappa * kappa) * (1 + s)) <= (1 + / m) * (1 + / m) * ((1 + kappa * kappa) * (1 + s)))
    by (apply Rmult_le_compat_r; lra).
  unfold reach. lra.
Qed.

(** A suboptimal arm leads only while its mean or that of the optimal arm is off. *)
Lemma a_suboptimal_leader_is_off l : is_pair_leader K estimate l -> l <> star -> is_near l -> is_near star -> False.
Proof.
  intros [Hl Hmax] Hne Nl Ns. assert (G := m_is_below_the_gaps l Hl Hne). rewrite gap_from_star in G.
  specialize (Hmax star star_is_an_arm). unfold is_near in *.
  assert (A := Rle_abs (estimate l - mean b l)). assert (B := Rle_abs (- (estimate star - mean b star))).
  rewrite Rabs_Ropp in B. lra.
Qed.

Lemma against_the_optimal_arm_the_radius_exceeds_the_gap_less_two_delta u : is_near u -> is_near star ->
  is_pair_leader K estimate star -> is_pair_challenger K s t count estimate star u ->
  epsilon < pair_index s t count estimate star u ->
  Rmax (gap b u - 2 * delta) epsilon < pair_radius s t (count u) (count star).
Proof.
  intros Nu Ns Hl Hu Hi. assert (R := the_index_is_at_most_the_radius K s t count estimate star u Hl Hu).
  unfold pair_index in Hi, R. rewrite gap_from_star. unfold is_near in *. apply Rmax_lub_lt; [|lra].
  assert (A := Rle_abs (estimate u - mean b u)). assert (B := Rle_abs (- (estimate star - mean b star))).
  rewrite Rabs_Ropp in B. lra.
Qed.

(** The radius of the leader with the optimal arm is no multiple of that with the challenger. *)
Lemma radii_of_a_suboptimal_leader l u : pairs_are_good K s t count estimate b star -> is_pair_leader K estimate l ->
  is_pair_challenger K s t count estimate l u -> l <> star ->
  pair_radius s t (count star) (count l) <= (1 + / m) * pair_radius s t (count u) (count l).
Proof.
  intros Hgood Hl Hu Hne. assert (M : 0 < / m) by (apply Rinv_0_lt_compat; lra).
  assert (G := the_challenger_is_above_the_gap K s t count estimate b arms_of_the_bandit star l u (proj1 unique) Hgood
    Hl Hu Hne).
  assert (R := the_index_is_at_most_the_radius K s t count estimate l u Hl Hu).
  assert (S := proj2 (proj2 Hu) star star_is_an_arm ltac:(congruence)). unfold pair_index at 1 in S.
  assert (El := estimates l (proj1 Hl)). assert (Es := estimates star star_is_an_arm).
  assert (D := m_is_below_the_gaps l (proj1 Hl) Hne). set (r := pair_radius s t (count u) (count l)) in *.
  assert (O : / m * m <= / m * r) by (apply Rmult_le_compat_l; lra). rewrite Rinv_l in O by lra. lra.
Qed.

Lemma the_optimal_arm_is_not_left_behind l u n : pairs_are_good K s t count estimate b star ->
  is_pair_leader K estimate l -> is_pair_challenger K s t count estimate l u -> l <> star -> (1 <= n)%nat ->
  thinness s (count u) + thinness s (count l) <= (1 + kappa * kappa) * (1 + s) / INR n ->
  INR n <= reach * INR (count star).
Proof.
  intros Hgood Hl Hu Hne Hn Hthin. assert (R := radii_of_a_suboptimal_leader l u Hgood Hl Hu Hne).
  destruct (counts l (proj1 Hl)), (counts u (proj1 Hu)), (counts star star_is_an_arm).
  assert (M : 0 < / m) by (apply Rinv_0_lt_compat; lra).
  assert (Pos : 0 < pair_log s t (count star) (count l)).
  { eapply Rlt_le_trans; [|apply the_log_of_the_round_is_at_most_a_pair_log; [exact spread | lia]].
    rewrite <- ln_1. apply ln_increasing; [lra|]. apply le_INR in late. simpl in late.
    assert (1 <= INR (digits t)) by (change 1 with (INR 1); apply le_INR; unfold digits; lia).
    assert (INR t * 1 <= INR t * INR (digits t)) by (apply Rmult_le_compat_l; lra). lra. }
  assert (Slow := a_pair_log_grows_slowly s t spread ltac:(lia) (count star) (count u) (count l) ltac:(lia) ltac:(lia)).
  assert (Up := the_log_of_the_round_is_at_most_a_pair_log s t spread ltac:(lia) (count star) (count l)).
  set (f := pair_log s t (count star) (count l)) in *.
  assert (Gs := thinness_is_positive s spread (count star) ltac:(lia)).
  assert (Gl := thinness_is_positive s spread (count l) ltac:(lia)).
  assert (Gu := thinness_is_positive s spread (count u) ltac:(lia)).
  assert (F0 := a_pair_log_is_nonneg s t spread ltac:(lia) (count u) (count l)).
  set (g := thinness s (count u) + thinness s (count l)) in *.
  assert (SqL : pair_radius s t (count star) (count l) * pair_radius s t (count star) (count l)
    = f / 2 * (thinness s (count star) + thinness s (count l)))
    by (unfold pair_radius; apply sqrt_sqrt, Rmult_le_pos; unfold f in Pos; lra).
  assert (SqR : pair_radius s t (count u) (count l) * pair_radius s t (count u) (count l)
    = pair_log s t (count u) (count l) / 2 * g)
    by (unfold pair_radius; apply sqrt_sqrt, Rmult_le_pos; unfold g in *; lra).
  assert (P1 := sqrt_pos (pair_log s t (count star) (count l) / 2 * (thinness s (count star) + thinness s (count l)))).
  fold (pair_radius s t (count star) (count l)) in P1.
  assert (Sq := Rmult_le_compat _ _ _ _ P1 P1 R R). rewrite SqL in Sq.
  replace ((1 + / m) * pair_radius s t (count u) (count l) * ((1 + / m) * pair_radius s t (count u) (count l)))
    with ((1 + / m) * (1 + / m) * (pair_radius s t (count u) (count l) * pair_radius s t (count u) (count l))) in Sq by ring.
  rewrite SqR in Sq. set (q := (1 + / m) * (1 + / m)) in *. assert (Hq : 0 < q) by (apply Rmult_lt_0_compat; lra).
  assert (Hg : 0 < g) by (unfold g; lra).
  assert (C : f * thinness s (count star) <= f * (3 / 2 * q * g)).
  { assert (q * (pair_log s t (count u) (count l) / 2 * g) <= q * (3 / 2 * f / 2 * g)).
    { apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; lra. }
    assert (0 < f * thinness s (count l)) by now apply Rmult_lt_0_compat. lra. }
  apply Rmult_le_reg_l in C; [|exact Pos].
  assert (HN : 0 < INR n) by (apply lt_0_INR; lia). assert (HS : 0 < INR (count star)) by (apply lt_0_INR; lia).
  assert (Low : / INR (count star) <= thinness s (count star)).
  { unfold thinness. replace (/ INR (count star)) with (INR (count star) / (INR (count star) * INR (count star)))
      by (field; lra).
    unfold Rdiv. apply Rmult_le_compat_r; [|lra]. left. apply Rinv_0_lt_compat. now apply Rmult_lt_0_compat. }
  assert (Z : / INR (count star) <= 3 / 2 * q * ((1 + kappa * kappa) * (1 + s) / INR n)).
  { eapply Rle_trans; [exact Low|]. eapply Rle_trans; [exact C|]. apply Rmult_le_compat_l; lra. }
  apply (Rmult_le_compat_r (INR (count star) * INR n)) in Z; [|left; now apply Rmult_lt_0_compat].
  replace (/ INR (count star) * (INR (count star) * INR n)) with (INR n) in Z by (field; lra).
  unfold reach. fold q. replace (3 / 2 * q * ((1 + kappa * kappa) * (1 + s) / INR n) * (INR (count star) * INR n))
    with (3 / 2 * q * ((1 + kappa * kappa) * (1 + s)) * INR (count star)) in Z by (field; lra). exact Z.
Qed.

(** (x n + y s)/n^2 <= z (1 + s)/n if x and y are at most z. *)
Lemma a_thinness_is_at_most x y z n : (1 <= n)%nat -> x <= z -> 0 <= y <= z ->
  (x * INR n + y * s) / (INR n * INR n) <= z * (1 + s) / INR n.
Proof.
  intros Hn Hx Hy. apply le_INR in Hn. simpl in Hn.
  replace (z * (1 + s) / INR n) with ((z * INR n + z * s * INR n) / (INR n * INR n)) by (field; lra).
  unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra|].
  apply Rplus_le_compat; [apply Rmult_le_compat_r; lra|].
  assert (y * s <= z * s) by (apply Rmult_le_compat_r; lra). assert (0 <= z * s) by (apply Rmult_le_pos; lra).
  assert (z * s * 1 <= z * s * INR n) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Section Unmisled.
Variable a : nat.
Hypothesis queried : pair_decision K s kappa t count estimate epsilon a true.
Hypothesis its_mean_is_near : is_near a.
Hypothesis rivals_are_near : forall c, is_arm K c -> c <> a -> INR (count a) <= reach * INR (count c) -> is_near c.

Lemma a_rival_with_as_many_queries_is_near c : is_arm K c -> c <> a -> kappa * INR (count a) <= INR (count c) -> is_near c.
Proof.
  intros Hc Hne H. apply rivals_are_near; trivial. assert (R := reach_is_large).
  assert (P := pos_INR (count a)). assert (Q := pos_INR (count c)).
  assert (1 * INR (count a) <= kappa * INR (count a)) by (apply Rmult_le_compat_r; lra).
  assert (1 * INR (count c) <= reach * INR (count c)) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(** A suboptimal arm in a good round: the optimal arm leads, and has kappa times as many queries. *)
Lemma an_unmisled_query_of_a_suboptimal_arm : a <> star -> pairs_are_good K s t count estimate b star ->
  kappa * INR (count a) <= INR (count star) /\
  Rmax (gap b a - 2 * delta) epsilon < pair_radius s t (count a) (count star).
Proof.
  intros Hne Hgood. assert (K2 : 1 + kappa <= 1 + kappa * kappa).
  { assert (kappa * 1 <= kappa * kappa) by (apply Rmult_le_compat_l; lra). lra. }
  assert (Behind : forall l u, is_pair_leader K estimate l -> is_pair_challenger K s t count estimate l u -> l <> star ->
    thinness s (count u) + thinness s (count l) <= (1 + kappa * kappa) * (1 + s) / INR (count a) -> is_near star).
  { intros l u Hl Hu Hls Hthin. apply rivals_are_near; [apply star_is_an_arm | congruence|].
    apply (the_optimal_arm_is_not_left_behind l u); trivial.
    apply counts. exact (pair_decision_is_arm K s kappa t count estimate epsilon a true queried). }
  inversion queried as [| | l u Hl Hu Hi Hc El | l u Hl Hu Hi Hc Eu]; [subst l | subst u].
  - exfalso. apply (a_suboptimal_leader_is_off a Hl Hne its_mean_is_near). apply (Behind a u Hl Hu Hne).
    rewrite Rplus_comm. destruct (counts a (proj1 Hl)).
    eapply Rle_trans; [apply (thinness_of_a_fraction s kappa spread ratio (count a) (count u)); [lia | exact Hc]|].
    apply a_thinness_is_at_most; [lia | lra|]. generalize (Rle_0_sqr kappa). unfold Rsqr. lra.
  - assert (Ha := proj1 Hu). destruct (counts a Ha). destruct (Nat.eq_dec l star) as [->|Hls].
    + split; [exact Hc|]. apply against_the_optimal_arm_the_radius_exceeds_the_gap_less_two_delta; trivial.
      apply a_rival_with_as_many_queries_is_near; [apply star_is_an_arm | congruence | exact Hc].
    + exfalso. assert (Hla : l <> a) by (destruct Hu as [_ [X _]]; congruence).
      apply (a_suboptimal_leader_is_off l Hl Hls);
        [exact (a_rival_with_as_many_queries_is_near l (proj1 Hl) Hla Hc)|].
      apply (Behind l a Hl Hu Hls).
      assert (T := thinness_of_a_multiple s spread kappa (count a) (count l) ratio ltac:(lia) Hc).
      assert (P := thinness_is_positive s spread (count a) ltac:(lia)).
      assert (I : / kappa <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
      assert (/ kappa * thinness s (count a) <= 1 * thinness s (count a)) by (apply Rmult_le_compat_r; lra).
      apply Rle_trans with ((2 * INR (count a) + 2 * s) / (INR (count a) * INR (count a))).
      * apply le_INR in H. simpl in H.
        replace ((2 * INR (count a) + 2 * s) / (INR (count a) * INR (count a))) with (2 * thinness s (count a))
          by (unfold thinness; field; lra). lra.
      * apply a_thinness_is_at_most; [lia | lra | lra].
Qed.

(** The unique optimal arm, in any round: it leads, and the challenger has 1/kappa of its queries at least. *)
Lemma an_unmisled_query_of_the_optimal_arm : a = star -> exists u, is_arm K u /\ INR (count a) <= kappa * INR (count u) /\
  Rmax (m - 2 * delta) epsilon < pair_radius s t (count u) (count a).
Proof.
  intros Ha. assert (Off := a_suboptimal_leader_is_off).
  assert (Against := against_the_optimal_arm_the_radius_exceeds_the_gap_less_two_delta).
  assert (Gaps := m_is_below_the_gaps). rewrite <- Ha in Off, Against, Gaps.
  inversion queried as [| | l u Hl Hu Hi Hc El | l u Hl Hu Hi Hc Eu]; [subst l | subst u].
  - exists u. split; [apply Hu | split; [exact Hc|]]. assert (Hua := proj1 (proj2 Hu)).
    assert (Nu : is_near u).
    { apply rivals_are_near; [apply Hu | exact Hua|]. eapply Rle_trans; [exact Hc|].
      apply Rmult_le_compat_r; [apply pos_INR | apply reach_is_large]. }
    eapply Rle_lt_trans; [|exact (Against u Nu its_mean_is_near Hl Hu Hi)].
    apply Rle_max_compat_r. assert (G := Gaps u (proj1 Hu) Hua). lra.
  - exfalso. assert (Hla : l <> a) by (destruct Hu as [_ [X _]]; congruence).
    apply (Off l Hl Hla); [|exact its_mean_is_near]. exact (a_rival_with_as_many_queries_is_near l (proj1 Hl) Hla Hc).
Qed.
End Unmisled.

(** Of a leader's pairs none has a larger square of the radius than two arms of four times its queries would have. *)
Lemma the_radius_of_a_leader n c : (1 <= n)%nat -> (c <= t - 1)%nat -> INR n <= kappa * INR c ->
  pair_log s t n c * (thinness s n + thinness s c) <= pair_log s t (4 * n) (4 * n) * leader_thinness s kappa n.
Proof.
  clear arms_of_the_bandit.
  intros Hn Hc Hle. assert (F := thinness_of_a_fraction s kappa spread ratio n c Hn Hle).
  assert (Hc1 : (1 <= c)%nat) by (destruct c; [simpl in Hle; apply le_INR in Hn; simpl in Hn; lra | lia]).
  assert (Gn := thinness_is_positive s spread n Hn). assert (Gc := thinness_is_positive s spread c Hc1).
  assert (L0 := a_pair_log_is_nonneg s t spread ltac:(lia) n c).
  destruct (le_lt_dec c (4 * n)) as [H|H].
  - apply Rmult_le_compat; trivial; [lra|]. apply a_pair_log_grows; [exact spread | lia | lia].
  - assert (S := a_pair_log_grows_slowly s t spread ltac:(lia) n c n Hn ltac:(lia)).
    assert (U := the_log_of_the_round_is_at_most_a_pair_log s t spread ltac:(lia) n n).
    assert (G := a_pair_log_grows s t spread n n (4 * n) (4 * n) ltac:(lia) ltac:(lia)).
    assert (Sym : pair_log s t n c = pair_log s t c n) by (unfold pair_log; now rewrite (Rmult_comm (INR n + s))).
    assert (T := thinness_of_a_multiple s spread 4 n c ltac:(lra) Hn
      ltac:(apply lt_INR in H; rewrite mult_INR in H; simpl in H; lra)).
    set (L := pair_log s t (4 * n) (4 * n)) in *.
    assert (Two : 2 * thinness s n <= leader_thinness s kappa n).
    { unfold thinness, leader_thinness. apply le_INR in Hn. simpl in Hn.
      replace (2 * ((INR n + s) / (INR n * INR n))) with ((2 * INR n + 2 * s) / (INR n * INR n)) by (field; lra).
      unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra|].
      assert (kappa * 1 <= kappa * kappa) by (apply Rmult_le_compat_l; lra).
      apply Rplus_le_compat; apply Rmult_le_compat_r; lra. }
    apply Rle_trans with (3 / 2 * L * (5 / 4 * thinness s n)); [apply Rmult_le_compat; lra|].
    assert (0 <= L * thinness s n) by (apply Rmult_le_pos; lra).
    assert (L * (2 * thinness s n) <= L * leader_thinness s kappa n) by (apply Rmult_le_compat_l; lra). lra.
Qed.
End Round.

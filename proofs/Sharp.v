(** BuFALU's leading constant is 6, not 24. The paper lets the empirical means err by a whole radius, and so needs widths of
    half a gap. But for any delta > 0 means are off by more than delta in a bounded number of queries only, in expectation;
    in all others a query needs a width of gap - 2 delta. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Cases Runs Expectation Experiment Counts Levels Hoeffding
  HoeffdingIntervals ClosedForms Laws Witness Tables EndToEnd.
Import ListNotations.
Open Scope R_scope.

(** ** One round *)

Section Round.
Variables (b : bandit) (bounds : nat -> interval) (epsilon : R) (t : nat) (n : nat -> nat) (estimate : nat -> R).
Variables (star : nat) (delta : R).
Let K := number_of_arms b.
Let r (a : nat) : R := radius t (n a).
Hypothesis late : (2 <= t)%nat.
Hypothesis counts : forall a, is_arm K a -> (1 <= n a)%nat.
Hypothesis computed : forall a, is_arm K a -> bounds a = hoeffding_interval t (n a) (estimate a).
Hypothesis means_are_covered : covered b bounds.
Hypothesis unique : unique_optimal_arm b star.

Definition near (a : nat) : Prop := Rabs (estimate a - mean b a) <= delta.

Lemma ends a : is_arm K a -> bounds a = Between (Some (estimate a - r a)) (Some (estimate a + r a)).
Proof. intros Ha. rewrite computed by exact Ha. unfold r. specialize (counts a Ha). destruct (n a); [lia | reflexivity]. Qed.

Lemma a_wider_arm_has_fewer_queries a c : is_arm K a -> is_arm K c -> upper_le (width (bounds c)) (width (bounds a)) ->
  r c <= r a /\ (n a <= n c)%nat.
Proof.
  intros Ha Hc H. rewrite (ends a Ha), (ends c Hc) in H. unfold width in H. simpl in H.
  assert (R : r c <= r a) by lra. split; [exact R|]. apply Nat.nlt_ge. intros Hlt.
  assert (L : 0 < ln (INR t)). { rewrite <- ln_1. apply ln_increasing; [lra|]. change 1 with (INR 1). apply lt_INR. lia. }
  assert (C : 0 < INR (n c)) by (apply lt_0_INR; specialize (counts c Hc); lia). apply lt_INR in Hlt.
  assert (r a < r c); [|lra]. unfold r, radius. apply sqrt_lt_1_alt. split.
  - apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra.
  - unfold Rdiv. apply Rmult_lt_compat_l; [lra|]. apply Rinv_lt_contravar; [|lra]. apply Rmult_lt_0_compat; lra.
Qed.

(** Two arms that are not separated, both near their means: their radii exceed the difference of the means, less 2 delta. *)
Lemma unseparated_arms_have_large_radii l u : is_arm K l -> is_arm K u -> near l -> near u ->
  ~ separated (upper (bounds u)) (lower (bounds l)) -> mean b l - mean b u - 2 * delta < r l + r u.
Proof.
  intros Hl Hu Nl Nu H. rewrite (ends l Hl), (ends u Hu) in H. cbn in H. apply Rnot_le_lt in H. unfold near in *.
  assert (A := Rle_abs (estimate u - mean b u)). assert (B := Rle_abs (- (estimate l - mean b l))).
  rewrite Rabs_Ropp in B. lra.
Qed.

Lemma a_queried_suboptimal_arm_is_nearly_as_wide_as_its_gap a : 0 <= delta -> 0 < gap b a ->
  admissible K bounds epsilon a true -> near a -> ((n a <= n star)%nat -> near star) ->
  ~ narrower_than (gap b a - 2 * delta) (bounds a).
Proof.
  intros Hd Hgap D Na Ns Hn. assert (Hn' := narrower_than_mono (gap b a - 2 * delta) (gap b a) (bounds a) ltac:(lra) Hn).
  inversion D as [| | |l u c Hl Hu Hc Hsep _]; subst. destruct Hc as [[-> Hw]|[-> Hw]].
  - revert Hn'. now apply (case_ii_a_suboptimal_leader_is_as_wide_as_its_gap b bounds means_are_covered l u).
  - destruct (Nat.eq_dec star l) as [->|Hne].
    + destruct (a_wider_arm_has_fewer_queries u l (proj1 Hu) (proj1 Hl) Hw) as [R N].
      assert (U := unseparated_arms_have_large_radii l u (proj1 Hl) (proj1 Hu) (Ns N) Na Hsep).
      rewrite (ends u (proj1 Hu)) in Hn. unfold narrower_than, width in Hn. simpl in Hn.
      unfold gap in Hn. rewrite <- (proj2 (proj1 unique)) in Hn. lra.
    + revert Hn'. now apply (a_challenger_chosen_over_an_optimal_arm_is_as_wide_as_its_gap b bounds means_are_covered l u star
        Hu (proj1 unique)).
Qed.

Lemma the_queried_optimal_arm_is_nearly_as_wide_as_the_smallest_gap m : 0 <= delta ->
  (forall c, is_arm K c -> c <> star -> m <= gap b c) -> admissible K bounds epsilon star true -> near star ->
  (forall c, is_arm K c -> c <> star -> (n star <= n c)%nat -> near c) ->
  ~ narrower_than (m - 2 * delta) (bounds star).
Proof.
  intros Hd Hm D Ns Nc Hn. inversion D as [| | |l u c Hl Hu Hc Hsep _]; subst. destruct Hc as [[-> Hw]|[-> Hw]].
  - assert (Hne : u <> l) by apply Hu.
    destruct (a_wider_arm_has_fewer_queries l u (proj1 Hl) (proj1 Hu) Hw) as [R N].
    assert (U := unseparated_arms_have_large_radii l u (proj1 Hl) (proj1 Hu) Ns (Nc u (proj1 Hu) Hne N) Hsep).
    specialize (Hm u (proj1 Hu) Hne). rewrite (ends l (proj1 Hl)) in Hn. unfold narrower_than, width in Hn. simpl in Hn.
    unfold gap in Hm. rewrite <- (proj2 (proj1 unique)) in Hm. lra.
  - assert (Hne : l <> u) by (destruct Hu as [_ [Hne _]]; congruence). specialize (Hm l (proj1 Hl) Hne).
    assert (Cl := means_are_covered l (proj1 Hl)). assert (Cu := means_are_covered u (proj1 Hu)).
    assert (Le := proj2 Hl u (proj1 Hu)). rewrite (ends l (proj1 Hl)) in Cl, Le. rewrite (ends u (proj1 Hu)) in Cu, Le, Hn.
    unfold contains, narrower_than, width in *. simpl in *. unfold gap in Hm. rewrite <- (proj2 (proj1 unique)) in Hm. lra.
Qed.
End Round.

(** ** How often the means are far off *)

(** 2 e^(-2 n delta^2), summed over n, and over n and all j >= n. *)
Definition far_off (delta : R) (n : nat) : R := 2 * exp (- 2 * INR n * (delta * delta)).
Definition sum_of_tails (delta : R) : R := / (delta * delta).
Definition sum_of_sums_of_tails (delta : R) : R := / (delta * delta) * (1 + / (2 * (delta * delta))).

(** What queries cost at which a mean is off by more than delta, that of the arm or, k times, that of another arm. *)
Definition cost_of_delta (delta k : R) : R := sum_of_tails delta + k * sum_of_sums_of_tails delta.

Section Geometric.
Variable delta : R.
Hypothesis delta_is_pos : 0 < delta.
Let q := exp (- 2 * (delta * delta)).

Lemma dd_is_pos : 0 < delta * delta. Proof. now apply Rmult_lt_0_compat. Qed.

Lemma far_off_as_power n : far_off delta n = 2 * q ^ n.
Proof. unfold far_off, q. rewrite <- exp_of_multiple. do 2 f_equal. ring. Qed.

Lemma q_is_small : 0 < q < 1 /\ q / (1 - q) <= / (2 * (delta * delta)).
Proof.
  assert (D := dd_is_pos). assert (Q0 : 0 < q) by apply exp_pos.
  assert (E : 1 + 2 * (delta * delta) <= / q).
  { unfold q. rewrite <- exp_Ropp. replace (- (- 2 * (delta * delta))) with (2 * (delta * delta)) by ring.
    left. apply exp_ineq1. lra. }
  apply (Rmult_le_compat_r q) in E; [|lra]. rewrite Rinv_l in E by lra. assert (Q1 : q < 1) by nra.
  split; [lra|]. apply (Rmult_le_reg_r ((1 - q) * (2 * (delta * delta)))); [apply Rmult_lt_0_compat; lra|].
  replace (q / (1 - q) * ((1 - q) * (2 * (delta * delta)))) with (q * (2 * (delta * delta))) by (field; lra).
  replace (/ (2 * (delta * delta)) * ((1 - q) * (2 * (delta * delta)))) with (1 - q) by (field; lra). lra.
Qed.

Lemma sum_of_powers s m : sum (seq s m) (fun n => q ^ n) * (1 - q) = q ^ s - q ^ (s + m).
Proof.
  revert s. induction m as [|m IH]; intros s; [rewrite Nat.add_0_r; unfold sum; simpl; ring|].
  simpl seq. change (sum (s :: seq (S s) m) (fun n => q ^ n)) with (q ^ s + sum (seq (S s) m) (fun n => q ^ n)).
  rewrite Rmult_plus_distr_r, IH. replace (s + S m)%nat with (S s + m)%nat by lia. simpl pow. ring.
Qed.

Lemma tails_from s m : sum (seq s m) (far_off delta) <= 2 * q ^ s / (1 - q).
Proof.
  destruct q_is_small as [[Q0 Q1] _]. rewrite (sum_ext _ _ (fun n => 2 * q ^ n)) by (intros; apply far_off_as_power).
  rewrite sum_scal. unfold Rdiv. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
  apply (Rmult_le_reg_r (1 - q)); [lra|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, sum_of_powers by lra.
  assert (0 < q ^ (s + m)) by (apply pow_lt; lra). lra.
Qed.

Lemma tails_are_summable m : sum (seq 1 m) (far_off delta) <= sum_of_tails delta.
Proof.
  destruct q_is_small as [_ Q]. assert (D := dd_is_pos). eapply Rle_trans; [apply tails_from|]. rewrite pow_1. unfold sum_of_tails.
  replace (2 * q / (1 - q)) with (2 * (q / (1 - q))) by (unfold Rdiv; ring).
  replace (/ (delta * delta)) with (2 * / (2 * (delta * delta))) by (field; lra). lra.
Qed.

Lemma inverse_of_the_rest : / (1 - q) <= 1 + / (2 * (delta * delta)).
Proof. destruct q_is_small as [[Q0 Q1] Q]. replace (/ (1 - q)) with (1 + q / (1 - q)) by (field; lra). lra. Qed.
End Geometric.

(** Tails from [first n] on, where n is at most [reach] times that. *)
Lemma sums_of_tails_are_summable delta reach first k m : 0 < delta -> 1 <= reach ->
  (forall n, INR n <= reach * INR (first n)) ->
  sum (seq 1 m) (fun n => sum (seq (first n) (k n)) (far_off delta)) <= reach * sum_of_sums_of_tails delta.
Proof.
  intros Hd Hr Hf. assert (D := dd_is_pos delta Hd). destruct (q_is_small delta Hd) as [[Q0 Q1] Q].
  assert (I := inverse_of_the_rest delta Hd). set (q := exp (- 2 * (delta * delta))) in *.
  assert (R : 0 < sqrt reach) by (apply sqrt_lt_R0; lra). assert (RR := sqrt_sqrt reach ltac:(lra)).
  assert (Hd' : 0 < delta / sqrt reach) by now apply Rdiv_lt_0_compat.
  assert (DD : delta / sqrt reach * (delta / sqrt reach) = delta * delta / reach)
    by (rewrite <- RR at 3; field; lra).
  apply Rle_trans with (sum (seq 1 m) (fun n => / (1 - q) * far_off (delta / sqrt reach) n)).
  - apply sum_le. intros n _. eapply Rle_trans; [apply (tails_from delta Hd)|]. fold q. unfold Rdiv at 1.
    rewrite Rmult_comm. apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat; lra|].
    unfold q. rewrite <- (far_off_as_power delta). unfold far_off. apply Rmult_le_compat_l; [lra|]. apply exp_is_monotone.
    rewrite DD. apply Ropp_le_cancel. replace (- (- 2 * INR n * (delta * delta / reach)))
      with (2 * (delta * delta) * (INR n * / reach)) by (field; lra).
    replace (- (- 2 * INR (first n) * (delta * delta))) with (2 * (delta * delta) * INR (first n)) by ring.
    apply Rmult_le_compat_l; [lra|]. apply (Rmult_le_reg_r reach); [lra|].
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. rewrite Rmult_comm. apply Hf.
  - rewrite sum_scal. unfold sum_of_sums_of_tails.
    replace (reach * (/ (delta * delta) * (1 + / (2 * (delta * delta)))))
      with ((1 + / (2 * (delta * delta))) * (reach / (delta * delta))) by (field; lra).
    apply Rmult_le_compat; [left; apply Rinv_0_lt_compat; lra | | exact I |].
    + apply sum_nonneg. intros n _. unfold far_off. left. apply Rmult_lt_0_compat; [lra | apply exp_pos].
    + eapply Rle_trans; [now apply tails_are_summable|]. unfold sum_of_tails. rewrite DD. apply Req_le. field. lra.
Qed.

(** Queries of [a] at a count with a property number at most the counts with it. *)
Lemma queries_at_counts p a T (P : nat -> bool) :
  sum (rounds T) (fun t => indicator ((Nat.eqb (played p t) a && queried p t) && P (queries p a (t - 1))))
    <= sum (rounds T) (fun k => indicator (P (k - 1)%nat)).
Proof.
  assert (G : forall s, sum (rounds s) (fun t => indicator ((Nat.eqb (played p t) a && queried p t) && P (queries p a (t - 1))))
    = sum (rounds (queries p a s)) (fun k => indicator (P (k - 1)%nat))).
  { induction s as [|s IH]; [reflexivity|]. rewrite sum_rounds_S, IH. replace (S s - 1)%nat with s by lia. simpl queries.
    destruct (Nat.eqb (played p (S s)) a && queried p (S s)); simpl indicator; simpl andb.
    - rewrite Nat.add_1_r, sum_rounds_S. now rewrite Nat.sub_1_r.
    - rewrite Nat.add_0_r. lra. }
  rewrite G. assert (H := queries_le_rounds p a T). revert H. generalize (queries p a T). intros n Hn.
  induction Hn as [|T Hn IH]; [lra|]. rewrite sum_rounds_S. assert (I := indicator_nonneg (P (S T - 1)%nat)). lra.
Qed.

Lemma sum_of_earlier f T : sum (rounds T) (fun k => f (k - 1)%nat) = sum (seq 0 T) f.
Proof.
  unfold rounds. rewrite <- seq_shift, sum_map. apply sum_ext. intros k _. simpl. now rewrite Nat.sub_0_r.
Qed.

Lemma sum_without_zero f T : f 0%nat = 0 -> sum (seq 0 T) f = sum (seq 1 (T - 1)) f.
Proof.
  intros H. destruct T as [|T]; [reflexivity|]. simpl. rewrite Nat.sub_0_r. unfold sum at 1. simpl. rewrite H.
  fold (sum (seq 1 T) f). lra.
Qed.

(** ** Queries at which a mean is off *)

Section Misled.
Context {Omega : Type} (E : expectation Omega) (x : experiment Omega).
Variables (delta reach : R) (far : nat -> nat -> Omega -> bool) (rivals : nat -> list nat) (first : nat -> nat).
Let K := arms_of x.
Let T := horizon x.

(** With [n] rewards of [a], its mean or that of another arm with [first n] rewards or more is far off. *)
Definition misled (a n : nat) (w : Omega) : bool :=
  (1 <=? n) && (far a n w || existsb (fun c => existsb (fun j => far c j w) (seq (first n) (T - first n))) (rivals a)).

Definition misled_queries (a : nat) (w : Omega) : R := sum (rounds T) (fun k => indicator (misled a (k - 1)%nat w)).

Lemma bounded_misled_queries a : bounded (misled_queries a).
Proof. unfold misled_queries. bounded. Qed.
#[local] Hint Resolve bounded_misled_queries : bounded.

Lemma not_misled a n w : (1 <= n)%nat -> misled a n w = false ->
  far a n w = false /\ forall c j, In c (rivals a) -> (first n <= j < T)%nat -> far c j w = false.
Proof.
  intros Hn H. unfold misled in H. replace (1 <=? n) with true in H by (symmetry; now apply Nat.leb_le).
  apply orb_false_iff in H. destruct H as [Ha H]. split; [exact Ha|]. intros c j Hc Hj.
  destruct (far c j w) eqn:F; [exfalso|reflexivity].
  assert (existsb (fun c => existsb (fun j => far c j w) (seq (first n) (T - first n))) (rivals a) = true); [|congruence].
  apply existsb_exists. exists c. split; [exact Hc|]. apply existsb_exists. exists j. split; [apply in_seq; lia | exact F].
Qed.

(** If all good queries of [a] that are not misled find at most N(a) of them. *)
Lemma good_queries_are_few_or_misled good (N : nat -> R) a : 0 <= N a ->
  (forall w t, (1 <= t <= T)%nat -> good t w = true -> played (path_of x w) t = a -> queried (path_of x w) t = true ->
    misled a (queries (path_of x w) a (t - 1)) w = false -> INR (queries (path_of x w) a (t - 1)) <= N a) ->
  few_good_queries x good (fun a w => N a + misled_queries a w) a.
Proof.
  intros HN H. split; [bounded|]. intros w.
  unfold good_queries. fold T. set (p := path_of x w) in *. set (P := fun n => misled a n w).
  apply Rle_trans with (sum (rounds T) (fun t => indicator ((good t w && negb (P (queries p a (t - 1)))) &&
      (Nat.eqb (played p t) a && queried p t))
    + indicator ((Nat.eqb (played p t) a && queried p t) && P (queries p a (t - 1))))).
  { apply sum_le. intros t _. destruct (good t w), (P (queries p a (t - 1))), (Nat.eqb (played p t) a), (queried p t); simpl; lra. }
  rewrite sum_plus. assert (M := queries_at_counts p a T P). change (sum (rounds T) (fun k => indicator (P (k - 1)%nat))) with (misled_queries a w) in M.
  assert (Q : sum (rounds T) (fun t => indicator ((good t w && negb (P (queries p a (t - 1)))) &&
      (Nat.eqb (played p t) a && queried p t))) <= N a + 1); [|lra].
  apply (queries_in_good_rounds_are_few T p (fun t => good t w && negb (P (queries p a (t - 1))))); [exact HN|].
  intros t Ht Hg Hplay Hq. apply andb_true_iff in Hg. destruct Hg as [Hg Hm]. apply negb_true_iff in Hm.
  now apply (H w t).
Qed.

Hypothesis delta_is_pos : 0 < delta.
Hypothesis reach_is_at_least_one : 1 <= reach.
Hypothesis first_is_in_reach : forall n, INR n <= reach * INR (first n).
Hypothesis far_is_rare : forall a n, is_arm K a -> (1 <= n <= T)%nat -> probability E (far a n) <= far_off delta n.
Hypothesis rivals_are_arms : forall a c, is_arm K a -> In c (rivals a) -> is_arm K c.

Lemma first_is_positive n : (1 <= n)%nat -> (1 <= first n)%nat.
Proof.
  intros H. assert (F := first_is_in_reach n). destruct (first n); [|lia]. simpl in F. rewrite Rmult_0_r in F.
  apply le_INR in H. simpl in H. lra.
Qed.

(** What the misled queries of an arm cost, whatever T is. *)
Lemma misled_queries_are_few a : is_arm K a ->
  E (misled_queries a) <= cost_of_delta delta (INR (length (rivals a)) * reach).
Proof.
  intros Ha. unfold misled_queries. rewrite expect_sum by (intros; bounded).
  rewrite (sum_of_earlier (fun n => E (fun w => indicator (misled a n w))) T).
  assert (HT : sum (seq 0 T) (fun n => E (fun w => indicator (misled a n w)))
    <= sum (seq 1 (T - 1)) (fun n => far_off delta n
      + INR (length (rivals a)) * sum (seq (first n) (T - first n)) (far_off delta))).
  { rewrite sum_without_zero.
    2: { rewrite (expect_ext E _ (fun _ => 0)) by reflexivity. apply expect_const. }
    apply sum_le. intros n Hn. apply in_seq in Hn. assert (F1 := first_is_positive n ltac:(lia)).
    apply Rle_trans with (E (fun w => indicator (far a n w)
      + sum (rivals a) (fun c => sum (seq (first n) (T - first n)) (fun j => indicator (far c j w))))).
    - apply expect_le; [bounded | bounded|]. intros w. unfold misled. replace (1 <=? n) with true by (symmetry; apply Nat.leb_le; lia).
      simpl andb. assert (S0 : 0 <= sum (rivals a) (fun c => sum (seq (first n) (T - first n)) (fun j => indicator (far c j w)))).
      { apply sum_nonneg. intros; apply sum_nonneg. intros; apply indicator_nonneg. }
      destruct (far a n w); simpl orb; [simpl indicator; lra|].
      destruct (existsb _ (rivals a)) eqn:Ex; simpl indicator; [|lra].
      apply existsb_exists in Ex. destruct Ex as [c [Hc Ex]]. apply existsb_exists in Ex. destruct Ex as [j [Hj Fj]].
      eapply Rle_trans; [|rewrite Rplus_0_l; apply (term_le_sum (rivals a)
        (fun c => sum (seq (first n) (T - first n)) (fun j => indicator (far c j w))) c Hc)].
      + eapply Rle_trans; [|apply (term_le_sum (seq (first n) (T - first n)) (fun j => indicator (far c j w)) j Hj)].
        * rewrite Fj. simpl. lra.
        * intros; apply indicator_nonneg.
      + intros; apply sum_nonneg; intros; apply indicator_nonneg.
    - rewrite expect_plus, expect_sum by (intros; bounded). apply Rplus_le_compat; [apply far_is_rare; [exact Ha | lia]|].
      rewrite <- sum_const. apply sum_le. intros c Hc. rewrite expect_sum by (intros; bounded).
      apply sum_le. intros j Hj. apply in_seq in Hj. apply far_is_rare; [now apply (rivals_are_arms a) | lia]. }
  eapply Rle_trans; [exact HT|]. rewrite sum_plus, sum_scal. unfold cost_of_delta. apply Rplus_le_compat.
  - now apply tails_are_summable.
  - rewrite Rmult_assoc. apply Rmult_le_compat_l; [apply pos_INR|]. now apply sums_of_tails_are_summable.
Qed.

Lemma expected_count_is_at_most (N : nat -> R) a : is_arm K a ->
  E (fun w => N a + misled_queries a w) <= N a + cost_of_delta delta (INR (length (rivals a)) * reach).
Proof.
  intros Ha. rewrite expect_plus, expect_const by bounded. apply Rplus_le_compat_l. now apply misled_queries_are_few.
Qed.
End Misled.

Lemma length_others K a : is_arm K a -> length (others K a) = (K - 1)%nat.
Proof.
  intros H. assert (S := sum_split_off_arm K a (fun _ => 1) H). rewrite !sum_const in S. unfold arms in S.
  rewrite seq_length in S. apply INR_eq. rewrite minus_INR by (unfold is_arm in H; lia). simpl. lra.
Qed.

(** ** The theorem on any tape *)

Section Sharp.
Context {Omega : Type} (E : expectation Omega) (x : experiment Omega) (X : nat -> nat -> Omega -> R).
Variables (epsilon : nat -> R) (star : nat) (m delta : R).
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.
Let good := hoeffding_good x.
Hypothesis tape : reward_tape E b T X.
Hypothesis uses : uses_hoeffding_intervals x X.
Hypothesis runs : runs_of bufalu x.
Hypothesis given : forall w t, epsilon_at x w t = epsilon t.
Hypothesis unique : unique_optimal_arm b star.
Hypothesis m_is_below_the_gaps : forall c, is_arm K c -> c <> star -> m <= gap b c.
Hypothesis delta_is_pos : 0 < delta.
Let is_regular := hoeffding_intervals_are_regular E x X tape uses.
Let steered_runs := runs_of_bufalu_are_steered x runs.

(** The mean of the first [n] rewards of [a] is off by more than delta. *)
Definition far (a n : nat) (w : Omega) : bool :=
  negb (at_most (Rabs (sum (rounds n) (fun k => X a k w - mean b a))) (INR n * delta)).

Lemma far_is_rare a n : is_arm K a -> (1 <= n <= T)%nat -> probability E (far a n) <= far_off delta n.
Proof.
  intros Ha Hn. apply (hoeffding_two_sided E (X a) (mean b a) n delta).
  - intros k w Hk. apply (rewards_are_bounded _ _ _ _ tape); [exact Ha | lia].
  - intros k Hk. apply (rewards_have_their_mean _ _ _ _ tape); [exact Ha | lia].
  - apply (rewards_are_independent _ _ _ _ tape); [exact Ha | lia].
  - lra.
  - intros w Hw. unfold far, at_most in Hw. destruct (Rle_dec _ _); [discriminate | lra].
Qed.

Lemma not_far_is_near a n w : (1 <= n)%nat -> far a n w = false ->
  Rabs (sample_mean (fun k => X a k w) n - mean b a) <= delta.
Proof.
  intros Hn H. assert (HN : 0 < INR n) by (apply lt_0_INR; lia). unfold far, at_most in H. apply negb_false_iff in H.
  destruct (Rle_dec _ _) as [L|]; [|discriminate].
  replace (sum (rounds n) (fun k => X a k w - mean b a)) with (INR n * (sample_mean (fun k => X a k w) n - mean b a)) in L.
  - rewrite Rabs_mult, (Rabs_pos_eq (INR n)) in L by lra. now apply Rmult_le_reg_l in L.
  - unfold sample_mean, Rminus. rewrite sum_plus, sum_const, length_rounds. field. lra.
Qed.

(** The arms against which [a] is compared when that matters: the optimal one, and for this all others. *)
Definition rivals (a : nat) : list nat := if Nat.eqb a star then others K star else [star].

Lemma rivals_are_arms a c : is_arm K a -> In c (rivals a) -> is_arm K c.
Proof.
  intros Ha Hc. unfold rivals in Hc. destruct (Nat.eqb a star); [now apply in_others in Hc|].
  destruct Hc as [<-|[]]. apply unique.
Qed.

(** The width that a query needs otherwise, epsilon apart. *)
Definition sharp_level (a : nat) : R := (if Nat.eqb a star then m else gap b a) - 2 * delta.

Lemma an_unmisled_query_is_wide a w t : is_arm K a -> (K < t <= T)%nat -> good t w = true ->
  admissible K (bounds_at x w t) (epsilon_at x w t) a true -> misled x far rivals (fun n => n) a (queries (path_of x w) a (t - 1)) w = false ->
  ~ narrower_than (Rmax (sharp_level a) (epsilon t)) (bounds_at x w t a).
Proof.
  intros Ha Ht Hgood D Hm. unfold Rmax. destruct (Rle_dec _ _) as [_|_].
  { rewrite <- (given w t). apply wider_is_not_narrower. exact (a_queried_arm_is_wider_than_epsilon _ _ _ _ D). }
  set (n := fun c => queries (path_of x w) c (t - 1)).
  assert (HK : (1 <= K)%nat) by (unfold is_arm in Ha; lia).
  assert (C : forall c, is_arm K c -> (1 <= n c < T)%nat).
  { intros c Hc. assert (L := queries_le_rounds (path_of x w) c (t - 1)). unfold n. split; [|lia].
    apply (after_the_initial_rounds_every_arm_is_queried bufalu K T (bounds_at x w) (epsilon_at x w) (path_of x w)
      (path_is_a_run runs w) c (t - 1) Hc). unfold is_arm in Hc. lia. }
  assert (U : forall c, is_arm K c -> bounds_at x w t c = hoeffding_interval t (n c) (sample_mean (fun k => X c k w) (n c))).
  { intros c Hc. apply (uses w t c); [fold T; lia | exact Hc]. }
  assert (Cov : covered b (bounds_at x w t)) by (intros c Hc; now apply good_means_inside).
  apply not_misled in Hm; [|now apply C]. destruct Hm as [Fa Hm]. fold (n a) in Fa, Hm.
  assert (Near : forall c, In c (rivals a) -> (n a <= n c < T)%nat ->
    Rabs (sample_mean (fun k => X c k w) (n c) - mean b c) <= delta).
  { intros c Hc Hle. apply not_far_is_near; [apply C, (rivals_are_arms a c Ha Hc) | now apply Hm]. }
  assert (Na : Rabs (sample_mean (fun k => X a k w) (n a) - mean b a) <= delta).
  { apply not_far_is_near; [now apply C | exact Fa]. }
  unfold sharp_level. destruct (Nat.eqb_spec a star) as [->|Hne].
  - apply (the_queried_optimal_arm_is_nearly_as_wide_as_the_smallest_gap b (bounds_at x w t) (epsilon_at x w t) t n
      (fun c => sample_mean (fun k => X c k w) (n c)) star delta ltac:(lia) (fun c Hc => proj1 (C c Hc)) U Cov unique m);
      trivial; [lra|].
    intros c Hc Hcs Hle. apply Near; [|split; [exact Hle | now apply C]].
    unfold rivals. rewrite Nat.eqb_refl. apply in_others. split; [exact Hc | congruence].
  - apply (a_queried_suboptimal_arm_is_nearly_as_wide_as_its_gap b (bounds_at x w t) (epsilon_at x w t) t n
      (fun c => sample_mean (fun k => X c k w) (n c)) star delta ltac:(lia) (fun c Hc => proj1 (C c Hc)) U Cov unique a);
      trivial; [lra | |].
    + destruct unique as [_ Hlt]. unfold gap. specialize (Hlt a Ha Hne). lra.
    + intros Hle. apply Near; [|split; [exact Hle | apply C; apply unique]].
      unfold rivals. rewrite (proj2 (Nat.eqb_neq a star) Hne). now left.
Qed.

Let count := fun a w => hoeffding_n_bar epsilon (sharp_level a) T + misled_queries x far rivals (fun n => n) a w.

Lemma good_queries_are_few_and_misled a : is_arm K a -> few_good_queries x good count a.
Proof.
  intros Ha. apply (good_queries_are_few_or_misled x far rivals (fun n => n) good
    (fun a => hoeffding_n_bar epsilon (sharp_level a) T)); [apply maximum_nonneg|].
  intros w t Ht Hg Hplay Hq Hm. set (p := path_of x w) in *.
  assert (R := path_is_a_run runs w t Ht). unfold in_round in R. fold (arms_of x) in R. fold K p in R.
  destruct (Nat.leb_spec t K) as [HK|HK].
  - assert (Ea : a = t) by (destruct R; congruence).
    rewrite Ea, (before_its_first_round_an_arm_has_no_queries bufalu K T (bounds_at x w) (epsilon_at x w) p
      (path_is_a_run runs w)) by lia. apply maximum_nonneg.
  - rewrite Hplay, Hq in R. apply Rnot_lt_le. intros Hmore.
    apply (an_unmisled_query_is_wide a w t Ha ltac:(lia) Hg R Hm). rewrite (uses w t a Ht Ha). cbv zeta. fold p.
    apply hoeffding_enough_suffices; [lia | apply queries_le_rounds|]. eapply Rle_lt_trans; [|exact Hmore].
    apply (le_maximum (fun t => hoeffding_enough t (Rmax (sharp_level a) (epsilon t)))). exact Ht.
Qed.

Let N (mu : R) : R := hoeffding_n_bar epsilon mu T.
Let L (d : R) : R := rounds_with_large_epsilon K epsilon d T.

Lemma count_is_at_most a : is_arm K a -> E (count a) <= N (sharp_level a) + cost_of_delta delta (INR (length (rivals a))).
Proof.
  intros Ha. rewrite <- (Rmult_1_r (INR _)).
  apply (expected_count_is_at_most E x delta 1 far rivals (fun n => n) delta_is_pos ltac:(lra) ltac:(intros; lra)
    far_is_rare rivals_are_arms (fun a => hoeffding_n_bar epsilon (sharp_level a) T) a Ha).
Qed.

(** The queries of one arm. *)
Lemma sharp_queries_of_an_arm a : is_arm K a -> E (fun w => INR (queries (path_of x w) a T))
  <= N (sharp_level a) + cost_of_delta delta (INR (length (rivals a))) + 1 + INR K.
Proof.
  intros Ha. assert (P := queries_of_one_arm_from_counts E x good (INR K) (failures_are_rare _ _ _ _ _ _ is_regular) count a
    Ha good_queries_are_few_and_misled). assert (C := count_is_at_most a Ha). fold T in P. lra.
Qed.

Theorem sharp_bounds :
  E (regret_on x) <= sum (others K star) (fun a => gap b a * (N (gap b a - 2 * delta) + L (gap b a) + cost_of_delta delta 1))
    + 2 * INR K * largest_gap b /\
  E (queries_on x) <= sum (others K star) (fun a => N (gap b a - 2 * delta) + cost_of_delta delta 1)
    + (N (m - 2 * delta) + cost_of_delta delta (INR (K - 1))) + 2 * INR K.
Proof.
  assert (Hs : is_arm K star) by apply unique.
  assert (Sub : forall a, In a (others K star) -> is_arm K a /\ sharp_level a = gap b a - 2 * delta /\ length (rivals a) = 1%nat).
  { intros a Ha. apply in_others in Ha. destruct Ha as [Ha Hne]. split; [exact Ha|].
    unfold sharp_level, rivals. rewrite (proj2 (Nat.eqb_neq a star) ltac:(congruence)). now split. }
  assert (Opt : sharp_level star = m - 2 * delta /\ length (rivals star) = (K - 1)%nat).
  { unfold sharp_level, rivals. rewrite Nat.eqb_refl. split; [reflexivity | now apply length_others]. }
  split.
  - eapply Rle_trans; [apply (regret_from_counts E x good (INR K) (failures_are_rare _ _ _ _ _ _ is_regular) (epsilon_at x)
      (initial_rounds_are_queried x 1 steered_runs) (unqueried_plays_are_within_epsilon E x _ _ _ _ is_regular 1 steered_runs)
      count)|].
    + intros a Ha. now apply good_queries_are_few_and_misled.
    + intros a Ha _. now apply good_queries_are_few_and_misled.
    + apply Rplus_le_compat; [|fold K b; lra]. fold K b T. rewrite (sum_split_off_arm K star) by exact Hs.
      rewrite (gap_of_optimal b star (proj1 unique)), Rmult_0_l, Rplus_0_r. apply sum_le. intros a Ha.
      destruct (Sub a Ha) as [Haa [Hl Hr]]. apply Rmult_le_compat_l; [now apply gap_nonneg|].
      assert (C := count_is_at_most a Haa). rewrite Hl, Hr in C. simpl in C.
      assert (EL : E (fun w => rounds_with_large_epsilon K (epsilon_at x w) (gap b a) T) = L (gap b a)).
      { rewrite <- (expect_const E (L (gap b a))). apply expect_ext. intros w. unfold L, rounds_with_large_epsilon.
        apply sum_ext. intros t _. now rewrite given. }
      rewrite EL. lra.
  - eapply Rle_trans; [apply (queries_from_counts E x good (INR K) (failures_are_rare _ _ _ _ _ _ is_regular)
      count); exact good_queries_are_few_and_misled|].
    fold K. rewrite (sum_split_off_arm K star) by exact Hs. apply Rplus_le_compat; [|lra]. apply Rplus_le_compat.
    + apply sum_le. intros a Ha. destruct (Sub a Ha) as [Haa [Hl Hr]]. assert (C := count_is_at_most a Haa).
      rewrite Hl, Hr in C. exact C.
    + assert (C := count_is_at_most star Hs). destruct Opt as [Hl Hr]. rewrite Hl, Hr in C. exact C.
Qed.
End Sharp.

(** ** From nothing but reward laws on [0,1] and BuFALU *)

Section EndToEnd.
Variables (law : nat -> expectation reward) (epsilon : nat -> R) (x : experiment table) (star : nat) (m delta : R).
Hypothesis setting : bufalu_on_tables law epsilon x.
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.
Let E := table_law law K T.
Let N (mu : R) : R := hoeffding_n_bar epsilon mu T.
Let L (d : R) : R := rounds_with_large_epsilon K epsilon d T.
Hypothesis unique : unique_optimal_arm b star.
Hypothesis m_is_below_the_gaps : forall c, is_arm K c -> c <> star -> m <= gap b c.
Hypothesis delta_is_pos : 0 < delta.

(** says: with a unique optimal arm, N-bar(T, gap - 2 delta) + c takes the place of N-bar(T, gap/2) in the bounds on regret
      and queries, and N-bar(T, m - 2 delta) + c' that of N-bar(T, m/2) for the optimal arm, for every delta > 0, where c
      = 2/delta^2 + 1/(2 delta^4) and c' = 1/delta^2 + (K - 1) (1/delta^2 + 1/(2 delta^4)) do not depend on T; for every
      K, T, reward laws on [0,1], nonnegative epsilon fixed in advance and every tie-break
    paper: beyond the paper; compare l.427-432
    settles: sharp.regret; sharp.queries
    breaks: "gap b a - 2 * delta) + L" to "gap b a) + L" *)
Theorem the_sharp_upper_bound_end_to_end :
  E (regret_on x) <= sum (others K star) (fun a => gap b a * (N (gap b a - 2 * delta) + L (gap b a) + cost_of_delta delta 1))
    + 2 * INR K * largest_gap b /\
  E (queries_on x) <= sum (others K star) (fun a => N (gap b a - 2 * delta) + cost_of_delta delta 1)
    + (N (m - 2 * delta) + cost_of_delta delta (INR (K - 1))) + 2 * INR K.
Proof.
  destruct setting as [means uses given runs].
  apply (sharp_bounds E x entry epsilon star m delta (the_table_is_a_reward_tape law b T means) uses runs given unique
    m_is_below_the_gaps delta_is_pos).
Qed.

(** The queries of every single arm, in closed form. *)
Theorem the_sharp_closed_form_of_one_arm a : (1 <= T)%nat -> 2 * delta < m -> is_arm K a ->
  let d := (if Nat.eqb a star then m else gap b a) - 2 * delta in
  E (fun w => INR (queries (path_of x w) a T))
    <= 6 * ln (INR T) / (d * d) + cost_of_delta delta (if Nat.eqb a star then INR (K - 1) else 1) + 1 + INR K.
Proof.
  intros HT Hm Ha d. destruct setting as [means uses given runs].
  assert (P := sharp_queries_of_an_arm E x entry epsilon star m delta (the_table_is_a_reward_tape law b T means) uses runs given
    unique m_is_below_the_gaps delta_is_pos a Ha).
  fold K T in P. change (sharp_level x star m delta a) with d in P.
  assert (Hd : 0 < d).
  { unfold d. destruct (Nat.eqb_spec a star) as [_|Hne]; [lra|]. specialize (m_is_below_the_gaps a Ha Hne). lra. }
  assert (C : N d <= 6 * ln (INR T) / (d * d)) by now apply n_bar_is_at_most_six_log_over_square.
  assert (R : INR (length (rivals x star a)) = if Nat.eqb a star then INR (K - 1) else 1).
  { unfold rivals. destruct (Nat.eqb_spec a star) as [->|_]; [|reflexivity]. f_equal. now apply length_others. }
  rewrite R in P. unfold N in C. lra.
Qed.

(** says: in closed form, for T >= 1 and 2 delta < m, a lower bound of the other gaps: a suboptimal arm costs at most 6 ln T /
      (gap - 2 delta)^2 + c queries, where the paper has 24 ln T / gap^2, and the unique optimal arm 6 ln T / (m - 2
      delta)^2 + c'; with c and c' free of T, under the same hypotheses
    paper: beyond the paper; compare l.427-432, l.1141
    settles: sharp.closed_form
    breaks: "6 * ln (INR T) / ((m - 2" to "5 * ln (INR T) / ((m - 2" *)
Theorem the_sharp_closed_form_end_to_end : (1 <= T)%nat -> 2 * delta < m ->
  let cost := fun d => 6 * ln (INR T) / ((d - 2 * delta) * (d - 2 * delta)) in
  E (regret_on x) <= sum (others K star) (fun a => gap b a * (cost (gap b a) + L (gap b a) + cost_of_delta delta 1))
    + 2 * INR K * largest_gap b /\
  E (queries_on x) <= sum (others K star) (fun a => cost (gap b a) + cost_of_delta delta 1)
    + (6 * ln (INR T) / ((m - 2 * delta) * (m - 2 * delta)) + cost_of_delta delta (INR (K - 1))) + 2 * INR K.
Proof.
  intros HT Hm cost. destruct the_sharp_upper_bound_end_to_end as [Hreg Hq].
  assert (C : forall d, 2 * delta < d -> N (d - 2 * delta) <= cost d)
    by (intros d Hd; apply n_bar_is_at_most_six_log_over_square; [exact HT | lra]).
  assert (G : forall a, In a (others K star) -> is_arm K a /\ 2 * delta < gap b a).
  { intros a Ha. apply in_others in Ha. destruct Ha as [Ha Hne]. specialize (m_is_below_the_gaps a Ha ltac:(congruence)).
    split; [exact Ha | lra]. }
  split.
  - eapply Rle_trans; [exact Hreg|]. apply Rplus_le_compat_r, sum_le. intros a Ha. destruct (G a Ha) as [Haa Hd].
    apply Rmult_le_compat_l; [now apply gap_nonneg|]. specialize (C _ Hd). lra.
  - eapply Rle_trans; [exact Hq|]. apply Rplus_le_compat_r. apply Rplus_le_compat.
    + apply sum_le. intros a Ha. destruct (G a Ha) as [_ Hd]. specialize (C _ Hd). lra.
    + specialize (C m Hm). unfold cost in C. lra.
Qed.
End EndToEnd.

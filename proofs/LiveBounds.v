(** The bounds of a deployment with Hoeffding's intervals, for rewards in any range [lo, hi]: from nothing but reward laws
    and an arrival of answers that does not look at their values. LateAnswers.v has what any intervals give. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Runs Expectation Experiment Levels Hoeffding HoeffdingIntervals
  Laws LateAnswers.
Open Scope R_scope.

(** ** Ranges: everything on [lo, lo + spread] is everything on [0, 1], stretched *)

(** The mean of n rewards plus and minus spread times the radius. *)
Definition ranged_interval (spread : R) (t n : nat) (estimate : R) : interval :=
  match n with
  | O => whole_line
  | _ => Between (Some (estimate - spread * radius t n)) (Some (estimate + spread * radius t n))
  end.

Definition stretched (lo spread : R) (i : interval) : interval :=
  Between (option_map (fun y => lo + spread * y) (lower i)) (option_map (fun y => lo + spread * y) (upper i)).

Section Stretched.
Variables (lo spread : R).
Hypothesis spread_is_pos : 0 < spread.

Lemma lower_le_stretched i j : lower_le (lower (stretched lo spread i)) (lower (stretched lo spread j)) <->
  lower_le (lower i) (lower j).
Proof.
  destruct i as [[l|] u], j as [[l'|] u']; simpl; try tauto. split; intros H; [|nra].
  apply (Rmult_le_reg_l spread); lra.
Qed.

Lemma upper_le_stretched i j : upper_le (upper (stretched lo spread i)) (upper (stretched lo spread j)) <->
  upper_le (upper i) (upper j).
Proof.
  destruct i as [l [u|]], j as [l' [u'|]]; simpl; try tauto. split; intros H; [|nra].
  apply (Rmult_le_reg_l spread); lra.
Qed.

Lemma width_stretched i : width (stretched lo spread i) = option_map (Rmult spread) (width i).
Proof. destruct i as [[l|] [u|]]; simpl; trivial. unfold width. simpl. f_equal. ring. Qed.

Lemma width_le_stretched i j : upper_le (width (stretched lo spread i)) (width (stretched lo spread j)) <->
  upper_le (width i) (width j).
Proof.
  rewrite !width_stretched. destruct (width i), (width j); simpl; try tauto. split; intros H; [|nra].
  apply (Rmult_le_reg_l spread); lra.
Qed.

Lemma within_stretched i j e : within (upper (stretched lo spread i)) (lower (stretched lo spread j)) (spread * e) <->
  within (upper i) (lower j) e.
Proof.
  destruct i as [l [u|]], j as [[l'|] u']; simpl; try tauto. split; intros H; [|nra].
  apply (Rmult_le_reg_l spread); lra.
Qed.

Lemma separated_stretched i j : separated (upper (stretched lo spread i)) (lower (stretched lo spread j)) <->
  separated (upper i) (lower j).
Proof.
  destruct i as [l [u|]], j as [[l'|] u']; simpl; try tauto. split; intros H; [|nra].
  apply (Rmult_le_reg_l spread); lra.
Qed.

(** says: BuFALU admits the same decisions when intervals are moved by lo and stretched, with epsilon, by a factor > 0:
      so rewards in [lo, hi] may be scaled to [0,1] and epsilon divided by hi - lo
    paper: beyond the paper
    breaks: "(spread * epsilon)" to "epsilon" *)
Theorem decisions_do_not_depend_on_the_unit K bounds epsilon a q :
  admissible K (fun c => stretched lo spread (bounds c)) (spread * epsilon) a q <-> admissible K bounds epsilon a q.
Proof.
  assert (HL : forall l, is_leader K (fun c => stretched lo spread (bounds c)) l <-> is_leader K bounds l).
  { intros l. unfold is_leader. split; intros [H1 H2]; (split; [exact H1|]); intros c Hc; specialize (H2 c Hc).
    - now apply (proj1 (lower_le_stretched _ _)) in H2.
    - now apply (proj2 (lower_le_stretched _ _)). }
  assert (HU : forall l u, is_challenger K (fun c => stretched lo spread (bounds c)) l u <-> is_challenger K bounds l u).
  { intros l u. unfold is_challenger. split; intros [H1 [H2 H3]]; (split; [exact H1|]; split; [exact H2|]);
      intros c Hc Hne; specialize (H3 c Hc Hne).
    - now apply (proj1 (upper_le_stretched _ _)) in H3.
    - now apply (proj2 (upper_le_stretched _ _)). }
  assert (HC : forall l u c, is_candidate (fun c => stretched lo spread (bounds c)) l u c <-> is_candidate bounds l u c).
  { intros l u c. unfold is_candidate. now rewrite !width_le_stretched. }
  split; intros D; inversion D as [l Hl Ho | l u Hl Hu Hs | l u c Hl Hu Hc Hw | l u c Hl Hu Hc Hs Hw]; subst.
  - apply plays_the_only_arm; [now apply HL | exact Ho].
  - apply plays_a_separated_leader with (u := u); [now apply HL | now apply HU | now apply (proj1 (separated_stretched _ _)) in Hs].
  - apply plays_the_leader_within_epsilon with (u := u) (c := c);
      [now apply HL | now apply HU | now apply HC | now apply (proj1 (within_stretched _ _ _)) in Hw].
  - apply queries_the_candidate with (l := l) (u := u); [now apply HL | now apply HU | now apply HC | |].
    + intros H. apply Hs. now apply (proj2 (separated_stretched _ _)).
    + intros H. apply Hw. now apply (proj2 (within_stretched _ _ _)).
  - apply plays_the_only_arm; [now apply HL | exact Ho].
  - apply plays_a_separated_leader with (u := u); [now apply HL | now apply HU | now apply (proj2 (separated_stretched _ _))].
  - apply plays_the_leader_within_epsilon with (u := u) (c := c);
      [now apply HL | now apply HU | now apply HC | now apply (proj2 (within_stretched _ _ _))].
  - apply queries_the_candidate with (l := l) (u := u); [now apply HL | now apply HU | now apply HC | |].
    + intros H. apply Hs. now apply (proj1 (separated_stretched _ _)) in H.
    + intros H. apply Hw. now apply (proj1 (within_stretched _ _ _)) in H.
Qed.

Lemma a_ranged_interval_is_stretched t n (X : nat -> R) :
  ranged_interval spread t n (sample_mean (fun k => lo + spread * X k) n)
  = stretched lo spread (hoeffding_interval t n (sample_mean X n)).
Proof.
  destruct n as [|n]; [reflexivity|]. unfold ranged_interval, stretched, hoeffding_interval. simpl option_map.
  assert (M : sample_mean (fun k => lo + spread * X k) (S n) = lo + spread * sample_mean X (S n)).
  { unfold sample_mean. rewrite sum_plus, sum_scal, sum_const, length_rounds. field. apply not_0_INR. lia. }
  rewrite M. f_equal; f_equal; ring.
Qed.

Lemma inside_stretched i m : inside (stretched lo spread i) (lo + spread * m) = inside i m.
Proof.
  assert (H : forall y z, at_most (lo + spread * y) (lo + spread * z) = at_most y z).
  { intros y z. unfold at_most. destruct (Rle_dec y z) as [L|L]; destruct (Rle_dec _ _) as [L'|L']; trivial; exfalso; nra. }
  unfold inside. destruct i as [[l|] [u|]]; simpl; now rewrite ?H.
Qed.

Lemma narrower_than_stretched mu i : narrower_than mu (stretched lo spread i) <-> narrower_than (mu / spread) i.
Proof.
  unfold narrower_than. rewrite width_stretched. destruct (width i) as [v|]; simpl; [|tauto].
  assert (Hm : mu / spread * spread = mu) by (field; lra). split; intros H; nra.
Qed.
End Stretched.

(** The mean reward of each arm, on the scale from 0 to 1. *)
Definition unit_bandit (lo spread : R) (b : bandit) (pos : 0 < spread) : bandit.
Proof.
  refine (Bandit (number_of_arms b) (fun a => (mean b a - lo) / spread) (some_optimal_arm b)
    (some_optimal_arm_is_an_arm b) _).
  abstract (intros a Ha; apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|];
    generalize (no_mean_is_larger b a Ha); lra).
Defined.

(** N(t, mu) for this range and these samples from before: 6 (spread/mu)^2 ln t answers, and no more than there can be. *)
Definition ranged_enough (spread : R) (start : nat -> nat) (a t : nat) (mu : R) : R :=
  let most := INR (start a + (t - 1)) in
  if Rle_dec mu 0 then most else Rmin (6 * ln (INR t) * (spread * spread) / (mu * mu)) most.

(** How many failures there can be, for each arm: 1 without samples from before, since fewer than t numbers of answers are
    possible in round t, and 3 with them. *)
Definition failures_for (K : nat) (start : nat -> nat) (c : R) : Prop :=
  (c = 1 /\ forall a, is_arm K a -> start a = O) \/ c = 3.

Lemma failures_with_samples_from_before T :
  sum (rounds T) (fun t => if Nat.eqb t 1 then 1 else 2 * INR t / (INR t * INR t * INR t)) <= 3.
Proof.
  destruct T as [|T]; [unfold rounds, sum; simpl; lra|].
  apply Rle_trans with (3 - 2 / INR (S T)).
  2: { assert (0 < 2 / INR (S T)) by (apply Rdiv_lt_0_compat; [lra | apply lt_0_INR; lia]). lra. }
  induction T as [|T IH]; [unfold rounds, sum; simpl; lra|].
  rewrite sum_rounds_S. eapply Rle_trans; [apply Rplus_le_compat_r, IH|]. clear IH.
  change (Nat.eqb (S (S T)) 1) with false. cbv iota. rewrite (S_INR (S T)).
  assert (H : 1 <= INR (S T)) by (rewrite S_INR; generalize (pos_INR T); lra). set (s := INR (S T)) in *.
  apply Rminus_le.
  replace (3 - 2 / s + 2 * (s + 1) / ((s + 1) * (s + 1) * (s + 1)) - (3 - 2 / (s + 1)))
    with (- (2 / (s * ((s + 1) * (s + 1))))) by (field; lra).
  assert (0 < 2 / (s * ((s + 1) * (s + 1)))) by (apply Rdiv_lt_0_compat; [lra | repeat apply Rmult_lt_0_compat; lra]). lra.
Qed.

Section Ranged.
Context {Omega : Type} (E : expectation Omega) (x : experiment Omega) (X : nat -> nat -> Omega -> R).
Variables (lo spread : R) (H : nat) (known : Omega -> nat -> nat -> nat) (start : nat -> nat) (waiting : nat).
Variable lost : nat -> Omega -> nat.
Hypothesis spread_is_pos : 0 < spread.
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.
(** [X a k] is the k-th answer of arm a, on the scale from 0 to 1, its samples from before first. *)
Hypothesis tape : reward_tape E (unit_bandit lo spread b spread_is_pos) H X.
Hypothesis tape_is_long : forall a, is_arm K a -> (start a + T <= H)%nat.
Hypothesis deployment : deployed x known start waiting lost.
Hypothesis computed : forall w t a, (1 <= t <= T)%nat -> is_arm K a -> bounds_at x w t a =
  ranged_interval spread t (known w t a) (sample_mean (fun k => lo + spread * X a k w) (known w t a)).

Lemma known_is_at_most w t a : (1 <= t <= T)%nat -> is_arm K a -> (known w t a <= start a + (t - 1))%nat.
Proof.
  intros Ht Ha. assert (A := every_answer_was_asked_for _ _ _ _ _ deployment w t a Ht Ha).
  assert (Q := queries_le_rounds (path_of x w) a (t - 1)). lia.
Qed.

Lemma outside_of_its_range w t a : (1 <= t <= T)%nat -> is_arm K a ->
  inside (bounds_at x w t a) (mean b a) = false ->
  inside (hoeffding_interval t (known w t a) (sample_mean (fun k => X a k w) (known w t a)))
    (mean (unit_bandit lo spread b spread_is_pos) a) = false.
Proof.
  intros Ht Ha Hout. rewrite computed, a_ranged_interval_is_stretched in Hout by assumption. simpl mean.
  replace (mean b a) with (lo + spread * ((mean b a - lo) / spread)) in Hout by (field; lra).
  now rewrite inside_stretched in Hout.
Qed.

Lemma failures_are_at_most c : failures_for K start c ->
  sum (rounds T) (fun t => probability E (fun w => negb (hoeffding_good x t w))) <= c * INR K.
Proof.
  intros [[-> Hcold]| ->]; rewrite Rmult_comm.
  - eapply Rle_trans; [|apply Rmult_le_compat_l; [apply pos_INR | apply (failures_sum_to_at_most_one T)]].
    rewrite <- sum_scal. apply sum_le. intros t Ht. apply in_rounds in Ht.
    apply (a_bad_round_is_rare E _ H X tape t _ (fun _ => 1%nat) (t - 1)); [lia | |].
    + intros a Ha. specialize (tape_is_long a Ha). lia.
    + intros w Hw. apply bad_means_outside in Hw. destruct Hw as [a [Ha Hout]]. exists a, (known w t a).
      assert (Hk := known_is_at_most w t a Ht Ha). rewrite (Hcold a Ha) in Hk.
      split; [exact Ha|]. split; [lia|]. split; [lia | now apply outside_of_its_range].
  - eapply Rle_trans; [|apply Rmult_le_compat_l; [apply pos_INR | apply (failures_with_samples_from_before T)]].
    rewrite <- sum_scal. apply sum_le. intros t Ht. apply in_rounds in Ht. destruct (Nat.eqb_spec t 1) as [->|Hne].
    + apply Rle_trans with 1; [apply expect_between with (a := 0); intros; split; [apply indicator_nonneg | apply indicator_le_1]|].
      rewrite Rmult_1_r. change 1 with (INR 1). apply le_INR. assert (A := some_optimal_arm_is_an_arm b). fold b in A.
      unfold is_arm in A. unfold K, arms_of. fold b. lia.
    + apply (a_bad_round_is_rare E _ H X tape t _ (fun a => Nat.max 1 (start a)) t); [lia | |].
      * intros a Ha. specialize (tape_is_long a Ha). lia.
      * intros w Hw. apply bad_means_outside in Hw. destruct Hw as [a [Ha Hout]]. exists a, (known w t a).
        assert (Hk := known_is_at_most w t a Ht Ha).
        assert (Hs := every_answer_was_asked_for _ _ _ _ _ deployment w t a Ht Ha).
        split; [exact Ha|]. split; [lia|]. split; [lia | now apply outside_of_its_range].
Qed.

Lemma ranged_enough_suffices w t a mu : (1 <= t <= T)%nat -> is_arm K a ->
  ranged_enough spread start a t mu < INR (known w t a) -> narrower_than mu (bounds_at x w t a).
Proof.
  intros Ht Ha Hmore. assert (Hk := known_is_at_most w t a Ht Ha). apply le_INR in Hk.
  rewrite computed, a_ranged_interval_is_stretched by assumption.
  apply narrower_than_stretched; [exact spread_is_pos|]. unfold ranged_enough in Hmore. cbv zeta in Hmore.
  destruct (Rle_dec mu 0) as [Hmu|Hmu]; [lra|].
  assert (Hln := ln_of_round_nonneg t ltac:(lia)).
  assert (Hsq : 0 < mu * mu) by (apply Rmult_lt_0_compat; lra).
  assert (Hm : 0 < mu / spread) by (apply Rdiv_lt_0_compat; lra).
  assert (H0 : 6 * ln (INR t) * (spread * spread) / (mu * mu) < INR (known w t a))
    by (unfold Rmin in Hmore; destruct (Rle_dec _ _); lra).
  assert (Hpos : 0 <= 6 * ln (INR t) * (spread * spread) / (mu * mu)).
  { unfold Rdiv. apply Rmult_le_pos; [apply Rmult_le_pos; [lra | nra] | left; now apply Rinv_0_lt_compat]. }
  apply the_hoeffding_width_is_below_mu_iff_queries_exceed; [lia | | exact Hm|].
  - apply INR_le. simpl. assert (0 < INR (known w t a)) by lra. change 0 with (INR 0) in H1. apply INR_lt in H1.
    change 1 with (INR 1). apply le_INR. lia.
  - replace (6 * ln (INR t) / (mu / spread * (mu / spread))) with (6 * ln (INR t) * (spread * spread) / (mu * mu))
      by (field; lra). exact H0.
Qed.

Theorem ranged_intervals_are_regular c : failures_for K start c ->
  regular_by_answers E x known (hoeffding_good x) (c * INR K) (ranged_enough spread start).
Proof.
  intros Hc. constructor.
  - intros w t a Ht Ha. fold T in Ht. rewrite computed, a_ranged_interval_is_stretched by assumption.
    intros Hn. apply narrower_than_stretched in Hn; [|exact spread_is_pos]. unfold Rdiv in Hn. rewrite Rmult_0_l in Hn.
    revert Hn. apply hoeffding_width_nonneg.
  - intros w t Ht Hgood a Ha. now apply good_means_inside.
  - now apply failures_are_at_most.
  - exact ranged_enough_suffices.
Qed.
End Ranged.

(** ** Answers that do not look at their values *)

(** First what decides over the arrival of answers, then, independently, the table of rewards. *)
Definition arrival_and_table {M : Type} (arrival : expectation M) (law : nat -> expectation reward) (K H : nat)
    : expectation (M * table) :=
  and_then arrival (fun m => and_then (table_law law K H) (fun w => point (m, w))).

(** [delivered m a k] is the number of the query, samples from before counted, that the k-th answer of arm [a] belongs to:
    late answers overtake one another and lost ones are left out, but none comes twice. *)
Definition delivers {M : Type} (K n H : nat) (delivered : M -> nat -> nat -> nat) : Prop :=
  forall m a k, is_arm K a -> (1 <= k <= n)%nat -> (1 <= delivered m a k <= H)%nat /\
    forall l, (1 <= l <= n)%nat -> delivered m a k = delivered m a l -> k = l.

Definition answer {M : Type} (delivered : M -> nat -> nat -> nat) (a k : nat) (mw : M * table) : R :=
  entry a (delivered (fst mw) a k) (snd mw).

(** The product rule for functions of [H] draws from one law, one function for each draw. *)
Lemma functions_of_draws_multiply {A : Type} (E : expectation A) H d (G : nat -> A -> R) : (forall j, bounded (G j)) ->
  one_from_each (repeat E H) (fun xs => product (rounds H) (fun j => G j (nth (j - 1) xs d)))
  = product (rounds H) (fun j => E (G j)).
Proof.
  revert G. induction H as [|H IH]; intros G HG.
  - exact (expect_const (one_from_each (repeat E 0)) 1).
  - simpl repeat. rewrite one_from_first, product_rounds_from_first, <- (IH (fun j => G (S j))) by (intros; apply HG).
    set (rest := one_from_each (repeat E H)).
    set (F := fun xs : list A => product (rounds H) (fun j => G (S j) (nth (j - 1) xs d))).
    assert (B : bounded F).
    { apply (bounded_product (rounds H) (fun j xs => G (S j) (nth (j - 1) xs d))). intros j _.
      destruct (HG (S j)) as [c Hc]. exists c. intros xs. apply Hc. }
    rewrite (expect_ext E _ (fun x => rest F * G 1%nat x)).
    + rewrite expect_scal by apply HG. ring.
    + intros x. rewrite Rmult_comm, <- expect_scal by exact B. apply expect_ext. intros xs.
      rewrite product_rounds_from_first. simpl nth. f_equal. unfold F. apply product_ext. intros j Hj.
      apply in_rounds in Hj. destruct j as [|j]; [lia|]. simpl. now rewrite Nat.sub_0_r.
Qed.

Lemma product_mult {A : Type} (l : list A) f g : product l (fun x => f x * g x) = product l f * product l g.
Proof. induction l as [|x l IH]; [simpl; ring|]. unfold product in *. simpl. rewrite IH. ring. Qed.

Lemma product_of_ones {A : Type} (l : list A) : product l (fun _ => 1) = 1.
Proof. induction l as [|x l IH]; [reflexivity|]. unfold product in *. simpl. rewrite IH. ring. Qed.

Lemma product_of_one_factor H i c : (1 <= i <= H)%nat -> product (rounds H) (fun j => if Nat.eqb i j then c else 1) = c.
Proof.
  revert i. induction H as [|H IH]; intros i Hi; [lia|]. rewrite product_rounds_from_first. destruct i as [|[|i]]; [lia| |].
  - rewrite (product_ext _ _ (fun _ => 1)), product_of_ones; [simpl; ring|]. intros j Hj. apply in_rounds in Hj.
    now destruct j; [lia|].
  - change (1 * product (rounds H) (fun j => if Nat.eqb (S i) j then c else 1) = c). rewrite IH by lia. ring.
Qed.

Lemma product_of_products {A B : Type} (l : list A) (m : list B) f :
  product l (fun x => product m (f x)) = product m (fun y => product l (fun x => f x y)).
Proof.
  induction l as [|x l IH]; [symmetry; apply product_of_ones|].
  transitivity (product m (f x) * product l (fun x => product m (f x))); [reflexivity|]. now rewrite IH, <- product_mult.
Qed.

(** Factors at places of 1..H are factors at all places, of which the others are 1. *)
Lemma product_at_places n H (place : nat -> nat) (f : nat -> nat -> R) :
  (forall k, (1 <= k <= n)%nat -> (1 <= place k <= H)%nat) ->
  product (rounds n) (fun k => f k (place k))
  = product (rounds H) (fun j => product (rounds n) (fun k => if Nat.eqb (place k) j then f k j else 1)).
Proof.
  intros Hp. rewrite <- product_of_products. apply product_ext. intros k Hk. apply in_rounds in Hk.
  rewrite <- (product_of_one_factor H (place k) (f k (place k)) (Hp k Hk)) at 1. apply product_ext. intros j _.
  now destruct (Nat.eqb_spec (place k) j) as [->|].
Qed.

Lemma expectation_of_one_factor {A : Type} (E : expectation A) l (chosen : nat -> bool) (g : nat -> A -> R) :
  NoDup l -> (forall k i, In k l -> In i l -> chosen k = true -> chosen i = true -> k = i) ->
  E (fun x => product l (fun k => if chosen k then g k x else 1)) = product l (fun k => if chosen k then E (g k) else 1).
Proof.
  intros D H. induction D as [|k l Hk D IH]; [exact (expect_const E 1)|].
  assert (P : forall f, product (k :: l) f = f k * product l f) by reflexivity. rewrite P.
  rewrite (expect_ext E _ _ (fun x => P (fun k => if chosen k then g k x else 1))). destruct (chosen k) eqn:Ck.
  - assert (One : forall f, product l (fun i => if chosen i then f i else 1) = 1).
    { intros f. rewrite (product_ext l _ (fun _ => 1)); [apply product_of_ones|]. intros i Hi. destruct (chosen i) eqn:Ci; trivial.
      exfalso. apply Hk. rewrite (H k i (or_introl eq_refl) (or_intror Hi) Ck Ci). exact Hi. }
    rewrite One, Rmult_1_r. apply expect_ext. intros x. now rewrite One, Rmult_1_r.
  - rewrite Rmult_1_l, <- IH by (intros i j Hi Hj; apply H; now right). apply expect_ext. intros x. apply Rmult_1_l.
Qed.

Section Arrival.
Context {M : Type} (arrival : expectation M).
Variables (law : nat -> expectation reward) (b : bandit) (n H : nat) (delivered : M -> nat -> nat -> nat).
Let K := number_of_arms b.
Hypothesis means : forall a, is_arm K a -> mean b a = law a value.
Hypothesis delivery : delivers K n H delivered.

Lemma on_each_arrival F c : (forall m, table_law law K H (fun w => F (m, w)) = c) ->
  arrival_and_table arrival law K H F = c.
Proof. intros HF. rewrite <- (expect_const arrival c). apply (expect_ext arrival). intros m. exact (HF m). Qed.

(** says: if what decides which answers come, when and in which order, is drawn independently of the rewards, then the k-th
      answers of an arm, k = 1, 2, ..., are independent rewards of its law, as if no answer had been late or lost: the
      expectation of a product of bounded functions, one of each answer, is the product of their expectations by the law
    paper: beyond the paper
    settles: live.answers
    breaks: "(j <= n)%nat" to "(j <= S n)%nat" *)
Theorem answers_are_independent_rewards a j (g : nat -> R -> R) :
  is_arm K a -> (j <= n)%nat -> (forall k, bounded_on_rewards (g k)) ->
  arrival_and_table arrival law K H (fun mw => product (rounds j) (fun k => g k (answer delivered a k mw)))
  = product (rounds j) (fun k => law a (fun r => g k (value r))).
Proof.
  intros Ha Hj Hg. assert (B : forall k, bounded (fun r => g k (value r))).
  { intros k. destruct (Hg k) as [c Hc]. exists c. intros r. apply Hc, a_reward_is_in_the_unit_interval. }
  apply on_each_arrival. intros m. assert (D := fun k Hk => delivery m a k Ha Hk).
  assert (In_H : forall k, (1 <= k <= j)%nat -> (1 <= delivered m a k <= H)%nat) by (intros k Hk; apply D; lia).
  transitivity (column_law law H a (fun xs => product (rounds j) (fun k => g k (value (nth (delivered m a k - 1) xs no_reward))))).
  { exact (a_column_has_its_own_law law b H a _ Ha). }
  set (G := fun i r => product (rounds j) (fun k => if Nat.eqb (delivered m a k) i then g k (value r) else 1)).
  rewrite (expect_ext _ _ (fun xs => product (rounds H) (fun i => G i (nth (i - 1) xs no_reward)))) by (intros xs;
    exact (product_at_places j H (delivered m a) (fun k i => g k (value (nth (i - 1) xs no_reward))) In_H)).
  unfold column_law. rewrite functions_of_draws_multiply.
  - rewrite (product_at_places j H (delivered m a) (fun k _ => law a (fun r => g k (value r))) In_H).
    apply product_ext. intros i _. apply (expectation_of_one_factor (law a) (rounds j)
      (fun k => Nat.eqb (delivered m a k) i) (fun k r => g k (value r))); [apply seq_NoDup|].
    intros k l Hk Hl Ek El. apply in_rounds in Hk. apply in_rounds in Hl. apply Nat.eqb_eq in Ek. apply Nat.eqb_eq in El.
    apply (D k ltac:(lia)); [lia | congruence].
  - intros i. apply (bounded_product (rounds j) (fun k r => if Nat.eqb (delivered m a k) i then g k (value r) else 1)).
    intros k _. destruct (Nat.eqb _ _); [apply B | bounded].
Qed.

(** So they are a tape of rewards in the sense of HoeffdingIntervals.v. *)
Lemma answers_are_a_tape : reward_tape (arrival_and_table arrival law K H) b n (answer delivered).
Proof.
  assert (One : forall a k g, is_arm K a -> (1 <= k <= n)%nat ->
    arrival_and_table arrival law K H (fun mw => g (answer delivered a k mw)) = law a (fun r => g (value r))).
  { intros a k g Ha Hk. apply on_each_arrival. intros m. destruct (delivery m a k Ha Hk) as [Hin _].
    exact (an_entry_has_the_law_of_its_arm law b H a _ (fun r => g (value r)) Ha Hin). }
  constructor; fold K.
  - intros a k w _ _. apply a_reward_is_in_the_unit_interval.
  - intros a k Ha Hk. rewrite means by exact Ha. exact (One a k (fun v => v) Ha Hk).
  - intros a j Ha Hj g Hg. rewrite (answers_are_independent_rewards a j (fun _ => g) Ha Hj (fun _ => Hg)).
    apply product_ext. intros k Hk. apply in_rounds in Hk. symmetry. apply (One a k g Ha). lia.
Qed.
End Arrival.

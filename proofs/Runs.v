(** One path of play: its counts, and what holds of them on every path of the algorithm (l.929-951). *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery.
Open Scope R_scope.

(** The arm played and the query made in every round. *)
Record path : Type := Path { played : nat -> nat; queried : nat -> bool }.

(** n^q_t(a): queries of [a] in the rounds 1..t (l.268). *)
Fixpoint queries (p : path) (a t : nat) : nat :=
  match t with
  | O => O
  | S s => (queries p a s + if Nat.eqb (played p (S s)) a && queried p (S s) then 1 else 0)%nat
  end.

(** What any strategy does: each of the first T rounds plays an arm. *)
Definition plays_arms (K T : nat) (p : path) : Prop := forall t, (1 <= t <= T)%nat -> is_arm K (played p t).

(** A rule says what may be decided after the initial rounds, given the number of arms, the intervals and epsilon. *)
Definition rule : Type := nat -> (nat -> interval) -> R -> nat -> bool -> Prop.
Definition bufalu : rule := admissible.
Definition dial (rho : R) : rule := fun K bounds epsilon => dial_admissible K bounds epsilon rho.
Definition steered_by (rho : R) : rule := fun K bounds epsilon => steered K bounds epsilon rho.

(** The first T rounds of [p] are a run of the rule: round t <= K plays and queries arm t; a later one makes any
    decision that the rule admits, given the intervals [bounds t] and the level [epsilon t] of that round. *)
Definition follows (r : rule) (K T : nat) (bounds : nat -> nat -> interval) (epsilon : nat -> R) (p : path) : Prop :=
  forall t, (1 <= t <= T)%nat -> in_round K (r K (bounds t) (epsilon t)) t (played p t) (queried p t).
Definition follows_bufalu : nat -> nat -> (nat -> nat -> interval) -> (nat -> R) -> path -> Prop := follows bufalu.

Lemma follows_mono (fewer more : rule) K T bounds epsilon p :
  (forall bounds epsilon a q, fewer K bounds epsilon a q -> more K bounds epsilon a q) ->
  follows fewer K T bounds epsilon p -> follows more K T bounds epsilon p.
Proof. intros H run t Ht. generalize (run t Ht). apply in_round_mono. intros a q. apply H. Qed.

Lemma queries_le_rounds p a t : (queries p a t <= t)%nat.
Proof. induction t; simpl; [lia|]. destruct (_ && _); lia. Qed.

Lemma queries_mono p a s t : (s <= t)%nat -> (queries p a s <= queries p a t)%nat.
Proof. intros H. induction H; simpl; [lia|]. destruct (_ && _); lia. Qed.

Lemma queries_as_sum p a T :
  INR (queries p a T) = sum (rounds T) (fun t => indicator (Nat.eqb (played p t) a && queried p t)).
Proof.
  induction T as [|T IH]; [reflexivity|]. rewrite sum_rounds_S, <- IH. simpl queries. rewrite plus_INR.
  destruct (_ && _); simpl; lra.
Qed.

(** If every query of [a] finds fewer than [bound] queries before it, the arm has fewer than [bound + 1] in the end. *)
Lemma queries_stay_below_one_more p a T bound :
  0 < bound ->
  (forall t, (1 <= t <= T)%nat -> played p t = a -> queried p t = true -> INR (queries p a (t - 1)) < bound) ->
  INR (queries p a T) < bound + 1.
Proof.
  intros Hb. induction T as [|T IH]; intros H; [simpl; lra|].
  assert (IH' : INR (queries p a T) < bound + 1) by (apply IH; intros; apply H; trivial; lia).
  simpl queries. rewrite plus_INR. destruct (Nat.eqb (played p (S T)) a && queried p (S T)) eqn:E; simpl INR;
    [|lra].
  apply andb_true_iff in E. destruct E as [E1 E2]. apply Nat.eqb_eq in E1.
  specialize (H (S T) ltac:(lia) E1 E2). replace (S T - 1)%nat with T in H by lia. lra.
Qed.

Section OnePath.
Variables (r : rule) (K T : nat) (bounds : nat -> nat -> interval) (epsilon : nat -> R) (p : path).
Hypothesis run : follows r K T bounds epsilon p.

(** In the first K rounds every arm is met for the first time. *)
Lemma before_its_first_round_an_arm_has_no_queries t : (t <= K)%nat -> (t <= T)%nat ->
  forall s, (s < t)%nat -> queries p t s = O.
Proof.
  intros HK HT. induction s as [|s IH]; intros H; [reflexivity|]. simpl. rewrite IH by lia.
  assert (R := run (S s) ltac:(lia)). unfold in_round in R.
  replace (S s <=? K) with true in R by (symmetry; apply Nat.leb_le; lia).
  destruct R as [-> _]. replace (Nat.eqb (S s) t) with false by (symmetry; apply Nat.eqb_neq; lia). reflexivity.
Qed.

(** Every arm has been queried once the initial rounds are over. *)
Lemma after_the_initial_rounds_every_arm_is_queried a t : is_arm K a -> (a <= t <= T)%nat ->
  (1 <= queries p a t)%nat.
Proof.
  intros Ha Ht. apply Nat.le_trans with (queries p a a); [|apply queries_mono; lia].
  destruct a as [|a]; [unfold is_arm in Ha; lia|]. simpl.
  assert (R := run (S a) ltac:(unfold is_arm in Ha; lia)). unfold in_round in R.
  replace (S a <=? K) with true in R by (symmetry; apply Nat.leb_le; unfold is_arm in Ha; lia).
  destruct R as [-> ->]. rewrite Nat.eqb_refl. simpl. lia.
Qed.

(** l.946-951. Count only the queries of [a] in rounds that satisfy [good]. If in each of these the arm had at most
    [bound] queries before, there are at most [bound + 1] of them. *)
Lemma queries_in_good_rounds_are_few (good : nat -> bool) a bound :
  0 <= bound ->
  (forall t, (1 <= t <= T)%nat -> good t = true -> played p t = a -> queried p t = true ->
     INR (queries p a (t - 1)) <= bound) ->
  sum (rounds T) (fun t => indicator (good t && (Nat.eqb (played p t) a && queried p t))) <= bound + 1.
Proof.
  intros Hb H.
  assert (G : forall n, (n <= T)%nat ->
    sum (rounds n) (fun t => indicator (good t && (Nat.eqb (played p t) a && queried p t)))
      <= Rmin (INR (queries p a n)) (bound + 1)).
  { induction n as [|n IH]; intros Hn.
    - simpl. apply Rmin_glb; lra.
    - rewrite sum_rounds_S. specialize (IH ltac:(lia)). simpl queries. rewrite plus_INR.
      assert (I1 := Rmin_l (INR (queries p a n)) (bound + 1)).
      assert (I2 := Rmin_r (INR (queries p a n)) (bound + 1)).
      destruct (Nat.eqb (played p (S n)) a && queried p (S n)) eqn:E.
      + apply andb_true_iff in E. destruct E as [E1 E2]. apply Nat.eqb_eq in E1. rewrite andb_true_r.
        destruct (good (S n)) eqn:E3; simpl indicator.
        * specialize (H (S n) ltac:(lia) E3 E1 E2). replace (S n - 1)%nat with n in H by lia.
          apply Rmin_glb; simpl; lra.
        * apply Rmin_glb; simpl; lra.
      + rewrite andb_false_r. apply Rmin_glb; simpl; lra. }
  eapply Rle_trans; [apply G; lia | apply Rmin_r].
Qed.

End OnePath.

(** What the cap rests on, when decisions use the answers known by then: [known t a] of them, samples from before the
    first round included, while [ahead a] bounds by how much the queries of [a] can exceed them. *)
Lemma steered_queries_with_answers_stay_below_the_cap rho K T bounds epsilon p (enough : nat -> nat -> R -> R)
    (known : nat -> nat -> nat) (ahead : nat -> R) :
  follows (steered_by rho) K T bounds epsilon p ->
  (forall t a mu, (1 <= t <= T)%nat -> is_arm K a -> enough a t mu < INR (known t a) -> narrower_than mu (bounds t a)) ->
  (forall t a, (1 <= t <= T)%nat -> is_arm K a -> INR (queries p a (t - 1)) <= INR (known t a) + ahead a) ->
  forall a, is_arm K a ->
  INR (queries p a T) <= Rmax 0 (maximum (fun t => enough a t (epsilon t)) T + ahead a) + 1.
Proof.
  intros run Henough Hahead a Ha. rewrite queries_as_sum.
  apply (queries_in_good_rounds_are_few T p (fun _ => true)); [apply Rmax_l|].
  intros t Ht _ Hplay Hq. assert (R := run t Ht). unfold in_round in R.
  destruct (Nat.leb_spec t K) as [HK|HK].
  - assert (E : a = t) by (destruct R; congruence).
    rewrite E, (before_its_first_round_an_arm_has_no_queries (steered_by rho) K T bounds epsilon p run) by lia.
    apply Rmax_l.
  - rewrite Hplay, Hq in R. eapply Rle_trans; [|apply Rmax_r]. specialize (Hahead t a Ht Ha).
    apply a_steered_queried_arm_is_wider_than_epsilon in R. apply wider_is_not_narrower in R.
    assert (H : INR (known t a) <= enough a t (epsilon t)) by (apply Rnot_lt_le; intros H; now apply R, Henough).
    assert (M := le_maximum (fun t => enough a t (epsilon t)) T t Ht). simpl in M. lra.
Qed.

(** N(t, mu) queries make every interval narrower than mu (condition 5, l.841); its convention N(t, 0) = t - 1 and
    epsilon >= 0 are not needed.
    says: n^q_T(a) <= max_t N(t, epsilon(t)) + 1 on every path, for every rho, K, T, tie-break and epsilon, adaptive
      included
    paper: beyond the paper; compare l.421, l.856
    breaks: "T + 1" to "T" *)
Theorem steered_queries_never_exceed_the_cap rho K T bounds epsilon p (enough : nat -> R -> R) :
  follows (steered_by rho) K T bounds epsilon p ->
  (forall t a mu, (1 <= t <= T)%nat -> is_arm K a -> enough t mu < INR (queries p a (t - 1)) ->
    narrower_than mu (bounds t a)) ->
  forall a, is_arm K a -> INR (queries p a T) <= maximum (fun t => enough t (epsilon t)) T + 1.
Proof.
  intros run Henough a Ha. rewrite <- (Rmax_right 0 (maximum (fun t => enough t (epsilon t)) T))
    by apply maximum_nonneg. rewrite <- (Rplus_0_r (maximum _ _)).
  apply (steered_queries_with_answers_stay_below_the_cap rho K T bounds epsilon p (fun _ => enough)
    (fun t a => queries p a (t - 1)) (fun _ => 0)); trivial.
  intros; lra.
Qed.

Lemma a_run_of_bufalu_is_steered K T bounds epsilon p : follows_bufalu K T bounds epsilon p ->
  follows (steered_by 1) K T bounds epsilon p.
Proof. apply follows_mono. intros. now apply bufalu_is_steered. Qed.

(** says: n^q_T(a) <= max_t N(t, epsilon(t)) + 1 on every path, for every K, T, tie-break and epsilon, adaptive
      included
    paper: l.421, l.856
    differs: for any N(t, mu) whose excess makes intervals narrower than mu; its conventions at mu = 0 are not needed
    breaks: "T + 1" to "T" *)
Theorem queries_never_exceed_the_cap K T bounds epsilon p :
  follows_bufalu K T bounds epsilon p -> forall enough : nat -> R -> R,
  (forall t a mu, (1 <= t <= T)%nat -> is_arm K a -> enough t mu < INR (queries p a (t - 1)) ->
    narrower_than mu (bounds t a)) ->
  forall a, is_arm K a -> INR (queries p a T) <= maximum (fun t => enough t (epsilon t)) T + 1.
Proof.
  intros run enough. apply (steered_queries_never_exceed_the_cap 1). now apply a_run_of_bufalu_is_steered.
Qed.

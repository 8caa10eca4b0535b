(** The algorithm with one tie-break, as a function: admissible decisions, and hence runs, always exist. So no
    theorem of this development holds for want of runs. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Runs Expectation Experiment HoeffdingIntervals.
Import ListNotations.
Open Scope R_scope.

(** ** Something that attains a maximum *)

Section Top.
Variable le : nat -> nat -> Prop.
Hypothesis le_trans : forall x y z, le x y -> le y z -> le x z.
Variable le_total : forall x y, {le x y} + {le y x}.

Fixpoint top (first : nat) (rest : list nat) : nat :=
  match rest with
  | [] => first
  | y :: more => top (if le_total first y then y else first) more
  end.

Lemma le_refl x : le x x.
Proof. destruct (le_total x x); assumption. Qed.

Lemma top_is_listed first rest : In (top first rest) (first :: rest).
Proof.
  revert first. induction rest as [|y more IH]; intros first; [now left|]. simpl top.
  destruct (le_total first y).
  - right. apply IH.
  - destruct (IH first) as [H|H]; [left; exact H | right; right; exact H].
Qed.

Lemma top_is_largest first rest z : In z (first :: rest) -> le z (top first rest).
Proof.
  revert first z. induction rest as [|y more IH]; intros first z H.
  - destruct H as [->|[]]. apply le_refl.
  - simpl top. destruct (le_total first y) as [L|L].
    + destruct H as [->|H]; [|now apply IH]. apply le_trans with y; [exact L|]. apply IH. now left.
    + destruct H as [->|[->|H]].
      * apply IH. now left.
      * apply le_trans with first; [exact L|]. apply IH. now left.
      * apply IH. now right.
Qed.
End Top.

(** ** One decision *)

Section Decide.
Variables (K : nat) (bounds : nat -> interval) (epsilon : R).
Hypothesis there_is_an_arm : (1 <= K)%nat.

Definition leader : nat :=
  top (fun a c => lower_le (lower (bounds a)) (lower (bounds c))) (fun _ _ => lower_le_total _ _) 1 (seq 2 (K - 1)).
Definition challenger (u : nat) (more : list nat) : nat :=
  top (fun a c => upper_le (upper (bounds a)) (upper (bounds c))) (fun _ _ => upper_le_total _ _) u more.
Definition candidate (l u : nat) : nat := if upper_le_total (width (bounds u)) (width (bounds l)) then l else u.

Definition decide : nat * bool :=
  match others K leader with
  | [] => (leader, false)
  | first :: more =>
      let u := challenger first more in
      let c := candidate leader u in
      if separated_dec (upper (bounds u)) (lower (bounds leader)) then (leader, false)
      else if within_dec (upper (bounds c)) (lower (bounds leader)) epsilon then (leader, false)
      else (c, true)
  end.

Lemma arms_are_listed : 1%nat :: seq 2 (K - 1) = arms K.
Proof. unfold arms. destruct K as [|k]; [lia|]. simpl. now rewrite Nat.sub_0_r. Qed.

Lemma leader_leads : is_leader K bounds leader.
Proof.
  unfold leader. split.
  - apply in_arms. rewrite <- arms_are_listed. apply top_is_listed.
  - intros a Ha. apply in_arms in Ha. rewrite <- arms_are_listed in Ha.
    apply (top_is_largest (fun a c => lower_le (lower (bounds a)) (lower (bounds c)))); [|exact Ha].
    intros x y z. apply lower_le_trans.
Qed.

Lemma challenger_challenges first more : others K leader = first :: more ->
  is_challenger K bounds leader (challenger first more).
Proof.
  intros H. assert (I : In (challenger first more) (others K leader)) by (rewrite H; apply top_is_listed).
  apply in_others in I. destruct I as [Hu Hne]. split; [exact Hu|]. split; [congruence|].
  intros a Ha Hal. apply (top_is_largest (fun a c => upper_le (upper (bounds a)) (upper (bounds c)))).
  - intros x y z. apply upper_le_trans.
  - rewrite <- H. apply in_others. split; [exact Ha | congruence].
Qed.

Lemma candidate_is_wider l u : is_candidate bounds l u (candidate l u).
Proof. unfold candidate, is_candidate. destruct (upper_le_total _ _); [left|right]; auto. Qed.

(** Some decision is always admissible, for every K >= 1, every intervals and every epsilon. *)
Theorem the_decision_is_admissible : admissible K bounds epsilon (fst decide) (snd decide).
Proof.
  unfold decide. assert (Hl := leader_leads). destruct (others K leader) as [|first more] eqn:Hothers.
  - apply plays_the_only_arm; [exact Hl|]. intros a Ha. destruct (Nat.eq_dec a leader) as [E|Hne]; [exact E|].
    assert (I : In a (others K leader)) by (apply in_others; split; [exact Ha | congruence]). rewrite Hothers in I.
    destruct I.
  - assert (Hu := challenger_challenges first more Hothers).
    assert (Hc := candidate_is_wider leader (challenger first more)).
    cbv zeta. destruct (separated_dec _ _) as [Hsep|Hsep]; [|destruct (within_dec _ _ _) as [Hin|Hin]]; simpl.
    + now apply plays_a_separated_leader with (u := challenger first more).
    + now apply plays_the_leader_within_epsilon
        with (u := challenger first more) (c := candidate leader (challenger first more)).
    + now apply queries_the_candidate with (l := leader) (u := challenger first more).
Qed.
End Decide.

(** ** A run on a tape of rewards, with Hoeffding intervals *)

Definition path_from (history : list (nat * bool)) : path :=
  Path (fun t => fst (nth (t - 1) history (O, false))) (fun t => snd (nth (t - 1) history (O, false))).

Lemma queries_depend_on_the_past h h' a n :
  (forall t, (1 <= t <= n)%nat -> nth (t - 1) h (O, false) = nth (t - 1) h' (O, false)) ->
  queries (path_from h) a n = queries (path_from h') a n.
Proof.
  induction n as [|n IH]; intros H; [reflexivity|]. simpl queries.
  rewrite IH by (intros; apply H; lia). unfold path_from. simpl. rewrite Nat.sub_0_r.
  specialize (H (S n) ltac:(lia)). replace (S n - 1)%nat with n in H by lia. now rewrite H.
Qed.

Section Run.
Variables (K : nat) (epsilon : nat -> R) (X : nat -> nat -> R).
Hypothesis there_is_an_arm : (1 <= K)%nat.

Definition intervals_after (h : list (nat * bool)) (t a : nat) : interval :=
  let n := queries (path_from h) a (t - 1) in hoeffding_interval t n (sample_mean (X a) n).

Fixpoint history (t : nat) : list (nat * bool) :=
  match t with
  | O => []
  | S s => history s ++ [if S s <=? K then (S s, true) else decide K (intervals_after (history s) (S s))
    (epsilon (S s))]
  end.

Lemma length_history t : length (history t) = t.
Proof. induction t; simpl; [reflexivity|]. rewrite app_length, IHt. simpl. lia. Qed.

Lemma history_is_kept s t T : (1 <= s <= t)%nat -> (t <= T)%nat ->
  nth (s - 1) (history T) (O, false) = nth (s - 1) (history t) (O, false).
Proof.
  intros Hs HT. induction HT as [|T HT IH]; [reflexivity|]. simpl history.
  rewrite app_nth1 by (rewrite length_history; lia). exact IH.
Qed.

Lemma round_of_history t : (1 <= t)%nat -> nth (t - 1) (history t) (O, false) =
  if t <=? K then (t, true) else decide K (intervals_after (history (t - 1)) t) (epsilon t).
Proof.
  intros Ht. destruct t as [|s]; [lia|]. replace (S s - 1)%nat with s by lia. simpl history.
  rewrite app_nth2 by (rewrite length_history; lia). rewrite length_history, Nat.sub_diag. reflexivity.
Qed.

Theorem the_history_is_a_run T :
  follows_bufalu K T (fun t => intervals_after (history (t - 1)) t) epsilon (path_from (history T)).
Proof.
  intros t Ht. unfold decides_in_round, path_from. simpl played. simpl queried.
  rewrite (history_is_kept t t T) by lia. rewrite round_of_history by lia.
  destruct (t <=? K); [split; reflexivity | now apply the_decision_is_admissible].
Qed.

Lemma the_history_uses_its_own_rewards T t a : (1 <= t <= T)%nat ->
  intervals_after (history (t - 1)) t a =
  let n := queries (path_from (history T)) a (t - 1) in hoeffding_interval t n (sample_mean (X a) n).
Proof.
  intros Ht. unfold intervals_after.
  rewrite (queries_depend_on_the_past (history (t - 1)) (history T) a (t - 1)); [reflexivity|].
  intros s Hs. symmetry. apply history_is_kept; lia.
Qed.
End Run.

Lemma there_is_an_arm_in b : (1 <= number_of_arms b)%nat.
Proof. assert (H := some_optimal_arm_is_an_arm b). unfold is_arm in H. lia. Qed.

(** For every bandit, horizon, nonnegative epsilon and tape on any sample space, there is an experiment. *)
Definition bufalu_experiment {Omega} (b : bandit) (T : nat) (epsilon : nat -> R) (X : nat -> nat -> Omega -> R)
    (nonneg : forall t, (number_of_arms b < t <= T)%nat -> 0 <= epsilon t) : experiment Omega :=
  Experiment Omega b T
    (fun w t => intervals_after (fun a k => X a k w)
      (history (number_of_arms b) epsilon (fun a k => X a k w) (t - 1)) t)
    (fun _ => epsilon)
    (fun w => path_from (history (number_of_arms b) epsilon (fun a k => X a k w) T))
    (fun w => the_history_is_a_run (number_of_arms b) epsilon (fun a k => X a k w) (there_is_an_arm_in b) T)
    (fun _ => nonneg).

Theorem runs_exist_on_every_tape {Omega} b T epsilon (X : nat -> nat -> Omega -> R) :
  (forall t, (number_of_arms b < t <= T)%nat -> 0 <= epsilon t) ->
  exists x : experiment Omega, instance x = b /\ horizon x = T /\ (forall w t, epsilon_at x w t = epsilon t) /\
    uses_hoeffding_intervals x X.
Proof.
  intros nonneg. exists (bufalu_experiment b T epsilon X nonneg). repeat split.
  intros w t a Ht Ha. apply the_history_uses_its_own_rewards; [apply there_is_an_arm_in | exact Ht].
Qed.

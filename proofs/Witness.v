(** The algorithm with one tie-break, as a function: admissible decisions, and hence runs, always exist, for BuFALU and
    at every position of the dial. So no theorem of this development holds for want of runs. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Runs Expectation Experiment HoeffdingIntervals.
Import ListNotations.
Open Scope R_scope.

(** ** Something that attains a maximum *)

Section Top.
Context {A : Type}.
Variable le : A -> A -> Prop.
Hypothesis le_trans : forall x y z, le x y -> le y z -> le x z.
Variable le_total : forall x y, {le x y} + {le y x}.

Fixpoint top (first : A) (rest : list A) : A :=
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

Lemma real_order x y : {x <= y} + {y <= x}.
Proof. destruct (Rle_lt_dec x y); [now left | right; now apply Rlt_le]. Qed.

(** ** One decision *)

Section Decide.
Variables (K : nat) (bounds : nat -> interval) (epsilon : R).
Hypothesis there_is_an_arm : (1 <= K)%nat.
Variables (is_chosen : nat -> nat -> nat -> Prop) (prefers_leader : nat -> nat -> bool).

Definition leader : nat :=
  top (fun a c => lower_le (lower (bounds a)) (lower (bounds c))) (fun _ _ => lower_le_total _ _) 1%nat (seq 2 (K - 1)).
Definition challenger (u : nat) (more : list nat) : nat :=
  top (fun a c => upper_le (upper (bounds a)) (upper (bounds c))) (fun _ _ => upper_le_total _ _) u more.
Definition candidate (l u : nat) : nat := if prefers_leader l u then l else u.
Hypothesis the_candidate_is_chosen : forall l u, is_chosen l u (candidate l u).

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

(** Some decision is always admissible, for every K >= 1, every intervals and every epsilon. *)
Theorem the_decision_is_admissible : decision K bounds epsilon is_chosen (fst decide) (snd decide).
Proof.
  unfold decide. assert (Hl := leader_leads). destruct (others K leader) as [|first more] eqn:Hothers.
  - apply plays_the_only_arm; [exact Hl|]. intros a Ha. destruct (Nat.eq_dec a leader) as [E|Hne]; [exact E|].
    assert (I : In a (others K leader)) by (apply in_others; split; [exact Ha | congruence]). rewrite Hothers in I.
    destruct I.
  - assert (Hu := challenger_challenges first more Hothers).
    assert (Hc := the_candidate_is_chosen leader (challenger first more)).
    cbv zeta. destruct (separated_dec _ _) as [Hsep|Hsep]; [|destruct (within_dec _ _ _) as [Hin|Hin]]; simpl.
    + now apply plays_a_separated_leader with (u := challenger first more).
    + now apply plays_the_leader_within_epsilon
        with (u := challenger first more) (c := candidate leader (challenger first more)).
    + now apply queries_the_candidate with (l := leader) (u := challenger first more).
Qed.

Lemma the_decision_plays_an_arm : is_arm K (fst decide).
Proof.
  unfold decide. assert (Hl := proj1 leader_leads). destruct (others K leader) as [|first more] eqn:Hothers; [exact Hl|].
  assert (Hu := proj1 (challenger_challenges first more Hothers)). cbv zeta.
  destruct (separated_dec _ _); [exact Hl|]. destruct (within_dec _ _ _); [exact Hl|]. simpl. unfold candidate.
  destruct (prefers_leader _ _); assumption.
Qed.
End Decide.

(** BuFALU's choice. *)
Definition leader_is_as_wide (bounds : nat -> interval) (l u : nat) : bool :=
  if upper_le_dec (width (bounds u)) (width (bounds l)) then true else false.

Lemma bufalu_chooses bounds l u : is_candidate bounds l u (candidate (leader_is_as_wide bounds) l u).
Proof.
  unfold candidate, leader_is_as_wide, is_candidate. destruct (upper_le_dec _ _) as [H|H]; [now left|].
  right. split; [reflexivity | now apply not_upper_le].
Qed.

(** The choice at the position [rho] of the dial. *)
Definition dial_prefers_leader (rho : R) (bounds : nat -> interval) (l u : nat) : bool :=
  (if Rlt_dec 0 rho then if upper_le_dec (scaled rho (width (bounds u))) (width (bounds l)) then true else false
   else true) && if upper_le_dec (upper (bounds u)) (upper (bounds l)) then true else false.

Lemma the_dial_chooses rho bounds l u :
  is_dial_candidate bounds rho l u (candidate (dial_prefers_leader rho bounds) l u).
Proof.
  unfold candidate, dial_prefers_leader, is_dial_candidate.
  destruct (upper_le_dec (scaled rho (width (bounds u))) (width (bounds l))) as [Hw|Hw],
    (upper_le_dec (upper (bounds u)) (upper (bounds l))) as [Hu|Hu], (Rlt_dec 0 rho) as [H0|H0];
    simpl; try apply not_upper_le in Hw; try apply not_upper_le in Hu; tauto.
Qed.

(** ** A run on a tape of rewards, with any intervals that are computed from the rewards queried so far *)

Definition path_from (history : list (nat * bool)) : path :=
  Path (fun t => fst (nth (t - 1) history (O, false))) (fun t => snd (nth (t - 1) history (O, false))).

(** The interval of round t after n queries with rewards Y(1), ..., Y(n). *)
Definition interval_formula : Type := nat -> nat -> (nat -> R) -> interval.

Definition uses_intervals {Omega} (formula : interval_formula) (x : experiment Omega) (X : nat -> nat -> Omega -> R)
    : Prop :=
  forall w t a, (1 <= t <= horizon x)%nat -> is_arm (arms_of x) a ->
    bounds_at x w t a = let n := queries (path_of x w) a (t - 1) in formula t n (fun k => X a k w).

(** A choice between leader and challenger, for all intervals, and the relation that it obeys. *)
Definition candidate_rule : Type := (nat -> interval) -> nat -> nat -> nat -> Prop.
Definition chooses (is_chosen : candidate_rule) (prefers_leader : (nat -> interval) -> nat -> nat -> bool) : Prop :=
  forall bounds l u, is_chosen bounds l u (candidate (prefers_leader bounds) l u).
Definition rule_of (is_chosen : candidate_rule) : rule :=
  fun K bounds epsilon => decision K bounds epsilon (is_chosen bounds).

(** How many rewards of an arm are known before a round; for an algorithm, this depends on the rounds before it. *)
Definition counting : Type := path -> nat -> nat -> nat.
Definition counts_the_past (counted : counting) : Prop := forall p p' t a,
  (forall s, (1 <= s < t)%nat -> played p s = played p' s /\ queried p s = queried p' s) -> counted p t a = counted p' t a.

Lemma queries_count_the_past : counts_the_past (fun p t a => queries p a (t - 1)).
Proof.
  intros p p' t a H. assert (G : forall n, (n < t)%nat -> queries p a n = queries p' a n).
  { induction n as [|n IH]; intros Hn; [reflexivity|]. simpl. rewrite IH by lia.
    destruct (H (S n) ltac:(lia)) as [-> ->]. reflexivity. }
  destruct t; [reflexivity|]. apply G. lia.
Qed.

Section Run.
Variables (is_chosen : candidate_rule) (prefers_leader : (nat -> interval) -> nat -> nat -> bool).
Hypothesis the_choice : chooses is_chosen prefers_leader.
Variables (formula : interval_formula) (K : nat) (epsilon : nat -> R) (X : nat -> nat -> R).
Hypothesis there_is_an_arm : (1 <= K)%nat.
Variable counted : counting.

Definition intervals_after (h : list (nat * bool)) (t a : nat) : interval :=
  formula t (counted (path_from h) t a) (X a).

Definition decision_after (h : list (nat * bool)) (t : nat) : nat * bool :=
  decide K (intervals_after h t) (epsilon t) (prefers_leader (intervals_after h t)).

Fixpoint history (t : nat) : list (nat * bool) :=
  match t with
  | O => []
  | S s => history s ++ [if S s <=? K then (S s, true) else decision_after (history s) (S s)]
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
  if t <=? K then (t, true) else decision_after (history (t - 1)) t.
Proof.
  intros Ht. destruct t as [|s]; [lia|]. replace (S s - 1)%nat with s by lia. simpl history.
  rewrite app_nth2 by (rewrite length_history; lia). rewrite length_history, Nat.sub_diag. reflexivity.
Qed.

Theorem the_history_is_a_run T :
  follows (rule_of is_chosen) K T (fun t => intervals_after (history (t - 1)) t) epsilon (path_from (history T)).
Proof.
  intros t Ht. unfold in_round, path_from. simpl played. simpl queried.
  rewrite (history_is_kept t t T) by lia. rewrite round_of_history by lia.
  destruct (t <=? K); [split; reflexivity | now apply the_decision_is_admissible; [|apply the_choice]].
Qed.

Lemma the_history_plays_arms T : plays_arms K T (path_from (history T)).
Proof.
  intros t Ht. unfold path_from. simpl played. rewrite (history_is_kept t t T), round_of_history by lia.
  destruct (Nat.leb_spec t K); [simpl; unfold is_arm; lia | now apply the_decision_plays_an_arm].
Qed.

Lemma the_history_uses_its_own_rewards T t a : counts_the_past counted -> (1 <= t <= T)%nat ->
  intervals_after (history (t - 1)) t a = formula t (counted (path_from (history T)) t a) (X a).
Proof.
  intros Hpast Ht. unfold intervals_after. rewrite (Hpast (path_from (history (t - 1))) (path_from (history T)) t a);
    [reflexivity|].
  intros s Hs. unfold path_from. simpl. rewrite (history_is_kept s (t - 1) T) by lia. now split.
Qed.
End Run.

Lemma there_is_an_arm_in b : (1 <= number_of_arms b)%nat.
Proof. assert (H := some_optimal_arm_is_an_arm b). unfold is_arm in H. lia. Qed.

(** For every bandit, horizon, nonnegative epsilon, formula for the intervals, tape on any sample space and way to count
    its rewards, and for each rule that can make a choice, there is an experiment. *)
Theorem runs_exist_on_every_tape_and_count {Omega} is_chosen prefers_leader formula b T epsilon
    (X : nat -> nat -> Omega -> R) (counted : Omega -> counting) :
  chooses is_chosen prefers_leader -> (forall t, (number_of_arms b < t <= T)%nat -> 0 <= epsilon t) ->
  (forall w, counts_the_past (counted w)) ->
  exists x : experiment Omega, instance x = b /\ horizon x = T /\ (forall w t, epsilon_at x w t = epsilon t) /\
    (forall w t a, (1 <= t <= horizon x)%nat ->
       bounds_at x w t a = formula t (counted w (path_of x w) t a) (fun k => X a k w)) /\
    runs_of (rule_of is_chosen) x.
Proof.
  intros Hchoice nonneg Hpast. set (K := number_of_arms b).
  set (h := fun w => history prefers_leader formula K epsilon (fun a k => X a k w) (counted w)).
  exists (Experiment Omega b T
    (fun w t => intervals_after formula (fun a k => X a k w) (counted w) (h w (t - 1)%nat) t)
    (fun _ => epsilon) (fun w => path_from (h w T))
    (fun w => the_history_plays_arms prefers_leader formula K epsilon _ (there_is_an_arm_in b) (counted w) T)).
  repeat split.
  - intros w t a Ht. now apply the_history_uses_its_own_rewards; [apply there_is_an_arm_in| |].
  - intros w. apply the_history_is_a_run; [exact Hchoice | apply there_is_an_arm_in].
  - intros w t Ht. now apply nonneg.
Qed.

Theorem runs_exist_on_every_tape {Omega} is_chosen prefers_leader formula b T epsilon (X : nat -> nat -> Omega -> R) :
  chooses is_chosen prefers_leader -> (forall t, (number_of_arms b < t <= T)%nat -> 0 <= epsilon t) ->
  exists x : experiment Omega, instance x = b /\ horizon x = T /\ (forall w t, epsilon_at x w t = epsilon t) /\
    uses_intervals formula x X /\ runs_of (rule_of is_chosen) x.
Proof.
  intros Hchoice nonneg.
  destruct (runs_exist_on_every_tape_and_count is_chosen prefers_leader formula b T epsilon X
    (fun _ p t a => queries p a (t - 1)) Hchoice nonneg (fun _ => queries_count_the_past)) as [x [Hb [HT [He [Hu Hr]]]]].
  exists x. repeat (split; [assumption|]). split; [|exact Hr]. intros w t a Ht _. now apply Hu.
Qed.

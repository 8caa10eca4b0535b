(** Finite private seeds lose nothing. The paper's agents may look at any private random variables (l.296): at uniform
    ones, or at anything else that does not depend on the rewards. A strategy that instead draws one of the 2K actions,
    from their conditional law given the arms and the rewards seen so far, shows histories of the same law on every
    instance. So the lower bounds, which speak of seeds of finite support, speak of all strategies. *)

From Coq Require Import Reals Lra Lia Arith List Bool FinFun.
From Bufalu Require Import Sums Expectation TotalExpectation FiniteLaws Strategies RewardTape TakingTurns.
Import ListNotations.
Open Scope R_scope.

(** ** Conditional expectations *)

Definition given {A : Type} (E : expectation A) (event : A -> bool) : expectation A.
Proof.
  refine (Expectation A (fun f => if Rlt_dec 0 (probability E event)
    then E (fun x => indicator (event x) * f x) / probability E event else E f) _ _ _ _).
  - abstract (intros f g Hf Hg; destruct (Rlt_dec _ _) as [P|P]; [|now apply expect_plus];
      rewrite (expect_ext E _ (fun x => indicator (event x) * f x + indicator (event x) * g x)) by (intros; lra);
      rewrite expect_plus by bounded; field; lra).
  - abstract (intros c f Hf; destruct (Rlt_dec _ _) as [P|P]; [|now apply expect_scal];
      rewrite (expect_ext E _ (fun x => c * (indicator (event x) * f x))) by (intros; lra);
      rewrite expect_scal by bounded; field; lra).
  - abstract (intros f Hf Hpos; destruct (Rlt_dec _ _) as [P|P]; [|now apply expect_nonneg];
      apply Rmult_le_pos; [apply expect_nonneg; [bounded|]; intros x;
        apply Rmult_le_pos; [apply indicator_nonneg | apply Hpos] | left; now apply Rinv_0_lt_compat]).
  - abstract (destruct (Rlt_dec _ _) as [P|P]; [|apply expect_one];
      rewrite (expect_ext E _ (fun x => indicator (event x))) by (intros; lra); unfold probability in *; field; lra).
Defined.

Lemma probability_times_given {A : Type} (E : expectation A) event f : bounded f ->
  probability E event * given E event f = E (fun x => indicator (event x) * f x).
Proof.
  intros Hf. simpl. destruct (Rlt_dec _ _) as [P|P]; [field; lra|].
  assert (Z : probability E event = 0).
  { assert (0 <= probability E event); [|lra]. apply expect_nonneg; [bounded|]. intros; apply indicator_nonneg. }
  rewrite Z, Rmult_0_l. destruct Hf as [c Hc]. symmetry.
  assert (B : bounded f) by now exists c.
  assert (H : forall x, - c * indicator (event x) <= indicator (event x) * f x <= c * indicator (event x)).
  { intros x. specialize (Hc x). assert (L := Rle_abs (f x)). assert (M := Rle_abs (- f x)). rewrite Rabs_Ropp in M.
    destruct (event x); simpl indicator; split; lra. }
  unfold probability in Z. apply Rle_antisym.
  - apply Rle_trans with (E (fun x => c * indicator (event x))); [apply expect_le; [bounded | bounded | apply H]|].
    rewrite expect_scal, Z by bounded. lra.
  - apply Rle_trans with (E (fun x => - c * indicator (event x))); [rewrite expect_scal, Z by bounded; lra|].
    apply expect_le; [bounded | bounded | apply H].
Qed.

(** ** Actions as seeds *)

(** The actions of K arms by number: 0, ..., 2K - 1. *)
Definition action (i : nat) : nat * bool := (S (i / 2), Nat.odd i).
Definition number_of (x : nat * bool) : nat := 2 * (fst x - 1) + if snd x then 1 else 0.

Lemma action_of_its_number a q : (1 <= a)%nat -> action (number_of (a, q)) = (a, q).
Proof.
  intros Ha. assert (D := Nat.div2_odd (number_of (a, q))). unfold action. rewrite <- Nat.div2_div.
  unfold number_of in *. simpl fst in *. simpl snd in *. set (i := (_ + _)%nat) in *.
  destruct q, (Nat.odd i) eqn:O; simpl Nat.b2n in D; subst i; try (exfalso; lia); f_equal; lia.
Qed.

Lemma number_of_its_action i : number_of (action i) = i.
Proof.
  assert (D := Nat.div2_odd i). unfold action, number_of. rewrite <- Nat.div2_div. simpl fst. simpl snd.
  destruct (Nat.odd i); simpl Nat.b2n in D; lia.
Qed.

Definition same_action (x y : nat * bool) : bool := Nat.eqb (number_of x) (number_of y).

(** A law on the numbers 0, ..., n - 1. *)
Section NumberedLaw.
Variables (n : nat) (p : nat -> R).
Hypothesis p_is_nonneg : forall i, 0 <= p i.
Hypothesis p_sums_to_one : sum (seq 0 n) p = 1.

Definition numbers : list R := map INR (seq 0 n).
Definition decoded (x : R) : nat := hd 0%nat (filter (fun i => if Req_EM_T (INR i) x then true else false) (seq 0 n)).

Lemma decoded_number i : (i < n)%nat -> decoded (INR i) = i.
Proof.
  intros Hi. unfold decoded. assert (F : forall l, In i l ->
    hd 0%nat (filter (fun j => if Req_EM_T (INR j) (INR i) then true else false) l) = i).
  { induction l as [|j l IH]; intros H; [destruct H|]. simpl. destruct (Req_EM_T (INR j) (INR i)) as [E|E].
    - now apply INR_eq in E.
    - apply IH. destruct H as [->|H]; [now elim E | exact H]. }
  apply F, in_seq. lia.
Qed.

Definition numbered : law.
Proof.
  refine (Law numbers (fun x => if in_dec Req_EM_T x numbers then p (decoded x) else 0) _ _ _ _).
  - abstract (unfold numbers; apply Injective_map_NoDup; [intros i j; apply INR_eq | apply seq_NoDup]).
  - abstract (intros x; destruct (in_dec _ _ _); [apply p_is_nonneg | lra]).
  - abstract (intros x; destruct (in_dec _ _ _); [trivial | tauto]).
  - abstract (rewrite <- p_sums_to_one; unfold numbers; rewrite sum_map; apply sum_ext; intros i Hi;
      destruct (in_dec _ _ _) as [_|H]; [now rewrite decoded_number by (apply in_seq in Hi; lia) | elim H; now apply in_map]).
Defined.

Lemma average_of_numbered f : average numbered f = sum (seq 0 n) (fun i => p i * f (INR i)).
Proof.
  change (sum numbers (fun x => (if in_dec Req_EM_T x numbers then p (decoded x) else 0) * f x)
    = sum (seq 0 n) (fun i => p i * f (INR i))).
  unfold numbers. rewrite sum_map. apply sum_ext. intros i Hi. fold numbers. destruct (in_dec _ _ _) as [_|H].
  - now rewrite decoded_number by (apply in_seq in Hi; lia).
  - elim H. now apply in_map.
Qed.
End NumberedLaw.

(** ** The strategy *)

(** What others see of a history: arms, and rewards that were queried. *)
Definition shown (h : history) : list (nat * option R) := map (fun o => (arm o, seen o)) h.

Section Randomness.
Context {Omega : Type} {K : nat}.
Variables (luck : expectation Omega) (decides : Omega -> list (nat * option R) -> nat * bool).
Hypothesis decisions_are_arms : forall w l, is_arm K (fst (decides w l)).

(** The strategy for one outcome of the private randomness. *)
Definition decided_by (w : Omega) : strategy K :=
  deterministic (fun h => decides w (shown h)) (fun h => decisions_are_arms w (shown h)).

(** The law of the private randomness given what was done after what was seen. *)
Definition is_query_of (o : option R) : bool := match o with Some _ => true | None => false end.
Fixpoint belief (l : list (nat * option R)) : expectation Omega :=
  match l with
  | [] => luck
  | o :: past => given (belief past) (fun w => same_action (decides w past) (fst o, is_query_of (snd o)))
  end.

Definition chance_of (l : list (nat * option R)) (i : nat) : R :=
  probability (belief l) (fun w => same_action (decides w l) (action i)).

Lemma chances_are_nonneg l i : 0 <= chance_of l i.
Proof. apply expect_nonneg; [bounded|]. intros; apply indicator_nonneg. Qed.

(** Every decision is one of the 2K actions. *)
Lemma one_action_is_taken w l (f : nat -> R) :
  sum (seq 0 (2 * K)) (fun i => indicator (same_action (decides w l) (action i)) * f i) = f (number_of (decides w l)).
Proof.
  assert (A := decisions_are_arms w l). unfold same_action. set (k := number_of (decides w l)).
  assert (Hk : (k < 2 * K)%nat).
  { unfold k, number_of. unfold is_arm in A. destruct (snd (decides w l)); lia. }
  rewrite (sum_ext _ _ (fun i => indicator (Nat.eqb k i) * f i)) by (intros; now rewrite number_of_its_action).
  assert (G : forall n s, (s <= k < s + n)%nat -> sum (seq s n) (fun i => indicator (Nat.eqb k i) * f i) = f k).
  { induction n as [|n IH]; intros s Hs; [lia|]. simpl seq.
    change (indicator (Nat.eqb k s) * f s + sum (seq (S s) n) (fun i => indicator (Nat.eqb k i) * f i) = f k).
    destruct (Nat.eqb_spec k s) as [<-|Hne]; [|rewrite IH by lia; simpl; lra].
    rewrite sum_zero; [simpl; lra|]. intros i Hi. apply in_seq in Hi. rewrite (proj2 (Nat.eqb_neq k i)) by lia. simpl. lra. }
  apply G. lia.
Qed.

Lemma chances_sum_to_one l : sum (seq 0 (2 * K)) (chance_of l) = 1.
Proof.
  unfold chance_of, probability.
  rewrite <- (expect_sum (belief l) (seq 0 (2 * K)) (fun i w => indicator (same_action (decides w l) (action i))))
    by (intros; bounded).
  rewrite <- (expect_one (belief l)). apply expect_ext. intros w. rewrite <- (one_action_is_taken w l (fun _ => 1)).
  apply sum_ext. intros; lra.
Qed.

Lemma there_are_arms : (1 <= K)%nat.
Proof.
  destruct K as [|k] eqn:E; [exfalso|lia]. assert (H : luck (fun _ => 1) = luck (fun _ => 0)).
  { apply expect_ext. intros w. exfalso. assert (A := decisions_are_arms w []). unfold is_arm in A. lia. }
  rewrite expect_one, expect_const in H. lra.
Qed.

Lemma decoded_actions_are_arms (h : history) u : is_arm K (fst (action (decoded (2 * K) u))).
Proof.
  assert (H : (decoded (2 * K) u < 2 * K)%nat).
  { assert (A := there_are_arms). unfold decoded. destruct (filter _ _) as [|i l] eqn:E; [simpl; lia|]. simpl.
    assert (I : In i (i :: l)) by now left. rewrite <- E in I. apply filter_In in I. destruct I as [I _].
    apply in_seq in I. lia. }
  unfold action, is_arm. cbn [fst]. split; [lia|]. apply Nat.div_lt_upper_bound; lia.
Qed.

(** One of the 2K actions, drawn from its conditional law. *)
Definition drawn_action : strategy K :=
  Strategy K (fun h => numbered (2 * K) (chance_of (shown h)) (chances_are_nonneg (shown h)) (chances_sum_to_one (shown h)))
    (fun _ u => action (decoded (2 * K) u)) decoded_actions_are_arms.

Variable nu : nat -> law.

(** What [n] more rounds give after [l] has been shown, for one outcome of the private randomness. *)
Definition step (x : nat * bool) (g : nat * option R -> R) : R :=
  if snd x then average (nu (fst x)) (fun r => g (fst x, Some r)) else g (fst x, None).
Fixpoint afterwards (w : Omega) (n : nat) (l : list (nat * option R)) (f : list (nat * option R) -> R) : R :=
  match n with
  | O => f l
  | S m => step (decides w l) (fun o => afterwards w m (o :: l) f)
  end.

Lemma the_strategy_of_an_outcome w n f : forall h,
  onwards (round_law (decided_by w) nu) n h (fun h => f (shown h)) = afterwards w n (shown h) f.
Proof.
  induction n as [|n IH]; intros h; [reflexivity|].
  change (round_law (decided_by w) nu h (fun o => onwards (round_law (decided_by w) nu) n (o :: h) (fun h => f (shown h)))
    = afterwards w (S n) (shown h) f).
  unfold decided_by at 1. rewrite deterministic_round. simpl afterwards. unfold step. fold (decided_by w).
  destruct (snd (decides w (shown h))); [apply total_ext; intros x|]; now rewrite IH.
Qed.

Lemma step_between x g c : (forall o, - c <= g o <= c) -> - c <= step x g <= c.
Proof.
  intros H. unfold step. destruct (snd x); [|apply H]. set (E := average (nu (fst x))).
  split; [rewrite <- (total_const E (- c)) | rewrite <- (total_const E c)]; apply total_le; intros r; apply H.
Qed.

Section Bounded.
Variables (T : nat) (f : list (nat * option R) -> R) (c : R).
Hypothesis f_is_bounded : forall l, length l = T -> Rabs (f l) <= c.

Lemma afterwards_is_bounded w n : forall l, (length l + n = T)%nat -> - c <= afterwards w n l f <= c.
Proof.
  induction n as [|n IH]; intros l Hl.
  - assert (B := f_is_bounded l ltac:(lia)). assert (P := Rle_abs (f l)). assert (Q := Rle_abs (- f l)).
    rewrite Rabs_Ropp in Q. simpl. lra.
  - simpl afterwards. apply step_between. intros o. apply IH. simpl. lia.
Qed.

Lemma bounded_afterwards n l : (length l + n = T)%nat -> bounded (fun w => afterwards w n l f).
Proof. intros Hl. apply (bounded_between (- c) c). intros w. now apply afterwards_is_bounded. Qed.

(** Drawing an action and then an outcome that fits, or an outcome and then its action. *)
Lemma drawing_the_action n : forall h, (length h + n = T)%nat ->
  onwards (round_law drawn_action nu) n h (fun h => f (shown h)) = belief (shown h) (fun w => afterwards w n (shown h) f).
Proof.
  induction n as [|n IH]; intros h Hlen; [symmetry; exact (expect_const (belief (shown h)) (f (shown h)))|].
  set (l := shown h) in *. assert (Hl : (length l + S n = T)%nat) by (unfold l, shown; now rewrite map_length).
  change (round_law drawn_action nu h (fun o => onwards (round_law drawn_action nu) n (o :: h) (fun h => f (shown h)))
    = belief l (fun w => afterwards w (S n) l f)).
  rewrite round_law_as_averages. simpl seed_law. fold l. rewrite average_of_numbered.
  assert (B : forall o, bounded (fun w => afterwards w n (o :: l) f)) by (intros; apply bounded_afterwards; simpl; lia).
  rewrite (expect_ext (belief l) _ (fun w => sum (seq 0 (2 * K)) (fun i => indicator (same_action (decides w l) (action i))
    * step (action i) (fun o => afterwards w n (o :: l) f)))).
  2: { intros w. rewrite (one_action_is_taken w l (fun i => step (action i) (fun o => afterwards w n (o :: l) f))).
       destruct (decides w l) as [a q] eqn:E. assert (A := decisions_are_arms w l). rewrite E in A. unfold is_arm in A.
       simpl in A. rewrite action_of_its_number by lia. simpl afterwards. now rewrite E. }
  assert (S : forall i, bounded (fun w => step (action i) (fun o => afterwards w n (o :: l) f))).
  { intros i. apply (bounded_between (- c) c). intros w. apply step_between. intros o. apply afterwards_is_bounded. simpl. lia. }
  rewrite (expect_sum (belief l) (seq 0 (2 * K)) (fun i w => indicator (same_action (decides w l) (action i))
    * step (action i) (fun o => afterwards w n (o :: l) f))) by (intros; bounded).
  apply sum_ext. intros i Hi. simpl move. rewrite decoded_number by (apply in_seq in Hi; lia).
  unfold step. destruct (action i) as [a q] eqn:E. simpl fst. simpl snd. unfold chance_of. rewrite E.
  set (event := fun w => same_action (decides w l) (a, q)). destruct q.
  - transitivity (average (nu a) (fun r => probability (belief l) event * belief ((a, Some r) :: l)
      (fun w => afterwards w n ((a, Some r) :: l) f))).
    + rewrite total_scal. f_equal. apply total_ext. intros r. rewrite IH by (simpl; lia). reflexivity.
    + rewrite (total_ext _ _ (fun r => belief l (fun w => indicator (event w) * afterwards w n ((a, Some r) :: l) f)))
        by (intros r; now apply probability_times_given).
      change (sum (support (nu a)) (fun r => mass (nu a) r * belief l (fun w => indicator (event w) * afterwards w n ((a, Some r) :: l) f))
        = belief l (fun w => indicator (event w) * sum (support (nu a)) (fun r => mass (nu a) r * afterwards w n ((a, Some r) :: l) f))).
      rewrite (expect_ext (belief l) _ (fun w => sum (support (nu a)) (fun r => mass (nu a) r
        * (indicator (event w) * afterwards w n ((a, Some r) :: l) f)))) by (intros w; rewrite <- sum_scal; apply sum_ext; intros; lra).
      rewrite (expect_sum (belief l) (support (nu a)) (fun r w => mass (nu a) r * (indicator (event w) * afterwards w n ((a, Some r) :: l) f)))
        by (intros; bounded).
      apply sum_ext. intros r _. symmetry. apply expect_scal. bounded.
  - rewrite IH by (simpl; lia). exact (probability_times_given (belief l) event _ (B (a, None))).
Qed.
End Bounded.
End Randomness.

(** Whatever private randomness [w] decisions depend on, some strategy whose seeds come from laws on [n] points for each arm
    has the same expectations of every bounded function of what T rounds show, on every instance. *)
Definition seeds_suffice (n : nat) : Prop :=
  forall (Omega : Type) (K : nat) (luck : expectation Omega) (decides : Omega -> list (nat * option R) -> nat * bool)
    (arms_only : forall w l, is_arm K (fst (decides w l))),
  exists s : strategy K, (forall h, length (support (seed_law s h)) = (n * K)%nat) /\ forall nu T,
    (forall f c, (forall l, length l = T -> Rabs (f l) <= c) -> history_law s nu T (fun h => f (shown h))
       = luck (fun w => history_law (decided_by decides arms_only w) nu T (fun h => f (shown h)))) /\
    forall a, expected_plays s nu a T = luck (fun w => expected_plays (decided_by decides arms_only w) nu a T) /\
      expected_queries s nu a T = luck (fun w => expected_queries (decided_by decides arms_only w) nu a T).

(** says: whatever private randomness the decisions depend on, for every K: a strategy that draws one of the 2K actions from a
      law of finite support has, on every instance of finite-support laws, for every T and every function f of the arms and
      the seen rewards of T rounds that is bounded, the same expectation of f, and the same expected plays and queries of
      every arm
    paper: l.296
    differs: the private randomness is one draw from any law, which stands for the sequence of uniform variables
    settles: model.private_randomness
    breaks: "seeds_suffice 2" to "seeds_suffice 1" *)
Theorem finite_private_randomness_loses_nothing : seeds_suffice 2.
Proof.
  intros Omega K luck decides arms_only. exists (drawn_action luck decides arms_only). split.
  { intros h. simpl. unfold numbers. now rewrite map_length, seq_length. }
  intros nu T. assert (G : forall f c, (forall l, length l = T -> Rabs (f l) <= c) ->
    history_law (drawn_action luck decides arms_only) nu T (fun h => f (shown h))
    = luck (fun w => history_law (decided_by decides arms_only w) nu T (fun h => f (shown h)))).
  { intros f c Hf. rewrite history_law_is_a_run, run_is_onwards.
    rewrite (drawing_the_action luck decides arms_only nu T f c Hf) by reflexivity. apply expect_ext. intros w.
    now rewrite history_law_is_a_run, run_is_onwards, the_strategy_of_an_outcome. }
  split; [exact G|].
  assert (C : forall (P : nat * option R -> bool), forall l, length l = T -> Rabs (sum l (fun o => indicator (P o))) <= INR T).
  { intros P l <-. rewrite Rabs_pos_eq by (apply sum_nonneg; intros; apply indicator_nonneg).
    rewrite <- (Rmult_1_r (INR (length l))), <- sum_const. apply sum_le. intros; apply indicator_le_1. }
  assert (M : forall (P : nat * option R -> bool) h, sum h (fun o => indicator (P (arm o, seen o)))
    = sum (shown h) (fun o => indicator (P o))) by (intros; unfold shown; now rewrite sum_map).
  intros a. split.
  - set (P := fun o : nat * option R => Nat.eqb (fst o) a). unfold expected_plays, plays_in.
    rewrite (total_ext _ _ (fun h => sum (shown h) (fun o => indicator (P o)))) by (intros h; apply (M P)).
    rewrite (G _ (INR T) (C P)). apply expect_ext. intros w. apply total_ext. intros h. symmetry. apply (M P).
  - set (P := fun o : nat * option R => Nat.eqb (fst o) a && is_query_of (snd o)). unfold expected_queries, queries_in.
    rewrite (total_ext _ _ (fun h => sum (shown h) (fun o => indicator (P o)))) by (intros h; apply (M P)).
    rewrite (G _ (INR T) (C P)). apply expect_ext. intros w. apply total_ext. intros h. symmetry. apply (M P).
Qed.

(** Rewards read from a table and rewards drawn afresh give every history the same law: the k-th query of arm a
    reads X_a(k), or draws from nu_a. The paper passes from one to the other (l.268, l.1149). Finite-support laws.
    *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Expectation TotalExpectation FiniteLaws Strategies.
Import ListNotations.
Open Scope R_scope.

(** ** A table as independent columns *)

(** One independent outcome from each of the given laws, in order. *)
Fixpoint drawn {A : Type} (laws : list (total_expectation A)) : total_expectation (list A) :=
  match laws with
  | [] => certainly []
  | E :: rest => first_then E (fun x => first_then (drawn rest) (fun xs => certainly (x :: xs)))
  end.

Lemma drawn_first {A : Type} (E : total_expectation A) rest f :
  drawn (E :: rest) f = E (fun x => drawn rest (fun xs => f (x :: xs))).
Proof. reflexivity. Qed.

(** An expectation that does not see what happens where P fails. *)
Definition certain {A : Type} (E : total_expectation A) (P : A -> Prop) : Prop :=
  forall f g, (forall x, P x -> f x = g x) -> E f = E g.

Lemma certain_of_each {A : Type} (P : A -> Prop) laws : (forall E, In E laws -> certain E P) ->
  certain (drawn laws) (fun xs => length xs = length laws /\ Forall P xs).
Proof.
  induction laws as [|E rest IH]; intros H f g Hfg; [apply Hfg; split; [reflexivity | constructor]|].
  rewrite !drawn_first. apply (H E (or_introl eq_refl)). intros x Hx.
  apply (IH (fun F HF => H F (or_intror HF))). intros xs [Hlen Hxs].
  apply Hfg. split; [simpl; now rewrite Hlen | now constructor].
Qed.

(** n independent draws from a law; the columns of a table, one for each entry of the list. *)
Definition column (c : law * nat) : total_expectation (list R) := drawn (repeat (average (fst c)) (snd c)).
Definition table_of (columns : list (law * nat)) : total_expectation (list (list R)) := drawn (map column columns).

(** X_a(k) for k >= 1. *)
Definition reward_in (w : list (list R)) (a k : nat) : R := nth (k - 1) (nth (a - 1) w []) 0.

(** ** Running on a table *)

Section Tape.
Context {K : nat}.
Variable s : strategy K.

(** One round on the rewards [X]: a query of arm [a] after n earlier ones reads X_a(n + 1). *)
Definition tape_round (X : nat -> nat -> R) (h : history) : total_expectation observation :=
  first_then (average (seed_law s h)) (fun u =>
    let a := fst (move s h u) in
    certainly (Observation u a (if snd (move s h u) then Some (X a (S (query_count a h))) else None))).

(** ** From the first round on *)

Section FromTheFirstRound.
Variable round : history -> total_expectation observation.

Fixpoint run (T : nat) : total_expectation history :=
  match T with
  | O => certainly []
  | S n => first_then (run n) (fun h => first_then (round h) (fun o => certainly (o :: h)))
  end.

(** [n] more rounds after [h]. *)
Fixpoint onwards (n : nat) (h : history) (f : history -> R) : R :=
  match n with
  | O => f h
  | S m => round h (fun o => onwards m (o :: h) f)
  end.

Lemma onwards_ends_with_a_round n h f : onwards (S n) h f = onwards n h (fun h' => round h' (fun o => f (o :: h'))).
Proof.
  revert h. induction n as [|n IH]; intros h; [reflexivity|].
  change (round h (fun o => onwards (S n) (o :: h) f)
    = round h (fun o => onwards n (o :: h) (fun h' => round h' (fun o => f (o :: h'))))).
  apply total_ext. intros o. apply IH.
Qed.

Lemma run_is_onwards T f : run T f = onwards T [] f.
Proof.
  revert f. induction T as [|T IH]; intros f; [reflexivity|]. rewrite onwards_ends_with_a_round, <- IH. reflexivity.
Qed.
End FromTheFirstRound.

Lemma history_law_is_a_run nu T f : history_law s nu T f = run (round_law s nu) T f.
Proof. revert f. induction T as [|T IH]; intros f; [reflexivity|]. apply (IH (fun h => _)). Qed.

(** T rounds on the rewards [X]; only the seeds are random. *)
Definition tape_law (X : nat -> nat -> R) : nat -> total_expectation history := run (tape_round X).

(** ** Removing rewards from the table as they are read *)

Fixpoint replace {A : Type} (i : nat) (x : A) (l : list A) : list A :=
  match l, i with
  | [], _ => []
  | _ :: rest, O => x :: rest
  | y :: rest, S j => y :: replace j x rest
  end.

Lemma nth_error_replace_same {A : Type} i (x : A) l y : nth_error l i = Some y -> nth_error (replace i x l) i = Some
  x.
Proof. revert i. induction l as [|z l IH]; intros [|i] H; try discriminate; [reflexivity | now apply IH]. Qed.

Lemma nth_error_replace_other {A : Type} i j (x : A) l : i <> j -> nth_error (replace i x l) j = nth_error l j.
Proof.
  revert i j. induction l as [|z l IH]; intros [|i] [|j] H; try reflexivity; [congruence|]. apply IH. congruence.
Qed.

Lemma nth_replace_same (i : nat) (x : list R) l : (i < length l)%nat -> nth i (replace i x l) [] = x.
Proof. revert i. induction l as [|z l IH]; intros [|i] H; simpl in *; try lia; [reflexivity|]. apply IH. lia. Qed.

Lemma nth_replace_other (i j : nat) (x : list R) l : i <> j -> nth j (replace i x l) [] = nth j l [].
Proof.
  revert i j. induction l as [|z l IH]; intros [|i] [|j] H; try reflexivity; [congruence|]. apply IH. congruence.
Qed.

Lemma length_replace {A : Type} i (x : A) l : length (replace i x l) = length l.
Proof. revert i. induction l as [|z l IH]; intros [|i]; simpl; auto. Qed.

(** Like [onwards] on a table, but each reward is taken off its column. *)
Fixpoint consuming (n : nat) (h : history) (w : list (list R)) (f : history -> R) : R :=
  match n with
  | O => f h
  | S m => average (seed_law s h) (fun u =>
      let a := fst (move s h u) in
      if snd (move s h u)
      then consuming m (Observation u a (Some (hd 0 (nth (a - 1) w []))) :: h)
             (replace (a - 1) (tl (nth (a - 1) w [])) w) f
      else consuming m (Observation u a None :: h) w f)
  end.

Lemma hd_skipn k (l : list R) : hd 0 (skipn k l) = nth k l 0.
Proof. revert l. induction k as [|k IH]; intros [|x l]; simpl; auto. Qed.

Lemma tl_skipn k (l : list R) : tl (skipn k l) = skipn (S k) l.
Proof.
  revert l. induction k as [|k IH]; intros [|x l]; simpl; auto. specialize (IH l). simpl in IH. rewrite IH.
  destruct l; reflexivity.
Qed.

Lemma reading_is_consuming w n f : length w = K -> forall h w', length w' = K ->
  (forall a, is_arm K a -> nth (a - 1) w' [] = skipn (query_count a h) (nth (a - 1) w [])) ->
  onwards (tape_round (reward_in w)) n h f = consuming n h w' f.
Proof.
  intros Hw. induction n as [|n IH]; intros h w' Hlen H; [reflexivity|].
  change (average (seed_law s h) (fun u => onwards (tape_round (reward_in w)) n (Observation u (fst (move s h u))
    (if snd (move s h u) then Some (reward_in w (fst (move s h u)) (S (query_count (fst (move s h u)) h))) else None)
      :: h) f) = consuming (S n) h w' f).
  simpl consuming. apply (total_ext (average (seed_law s h))). intros u. assert (A := moves_are_arms s h u).
  set (a := fst (move s h u)) in *. destruct (snd (move s h u)).
  - unfold reward_in. replace (S (query_count a h) - 1)%nat with (query_count a h) by lia.
    rewrite <- hd_skipn, <- (H a A). apply IH.
    + now rewrite length_replace.
    + intros b Hb. rewrite query_count_of_a_query. destruct (Nat.eqb_spec a b) as [<-|Hne].
      * rewrite nth_replace_same by (unfold is_arm in A; lia). rewrite (H a A). apply tl_skipn.
      * rewrite nth_replace_other by (unfold is_arm in *; lia). now apply H.
  - apply IH; [exact Hlen|]. intros b Hb. rewrite query_count_of_a_play. now apply H.
Qed.

(** Expectations may be taken in either order if one of them is that of a law of finite support. *)
Lemma averages_exchange {A : Type} (E : total_expectation A) p (G : R -> A -> R) :
  E (fun y => average p (fun x => G x y)) = average p (fun x => E (G x)).
Proof.
  change (E (fun y => sum (support p) (fun x => mass p x * G x y)) = sum (support p) (fun x => mass p x * E (G x))).
  rewrite (total_sum E (support p) (fun x y => mass p x * G x y)). apply sum_ext. intros x _. apply total_scal.
Qed.

(** Taking the first reward off column [i] of a random table: a draw from its law, independent of what is left. *)
Lemma taking_a_reward_off_the_table columns i p m (G : R -> list (list R) -> R) :
  nth_error columns i = Some (p, S m) ->
  table_of columns (fun w => G (hd 0 (nth i w [])) (replace i (tl (nth i w [])) w))
  = average p (fun x => table_of (replace i (p, m) columns) (G x)).
Proof.
  unfold table_of. revert i G. induction columns as [|c columns IH]; intros [|i] G H; try discriminate; simpl map.
  - injection H as ->. reflexivity.
  - rewrite drawn_first. etransitivity; [apply total_ext; intros c0; exact (IH i (fun x w => G x (c0 :: w)) H)|].
    exact (averages_exchange (column c) p (fun x c0 => drawn (map column (replace i (p, m) columns))
      (fun w => G x (c0 :: w)))).
Qed.

Variable nu : nat -> law.

(** On a random table with at least [n] rewards left in each column, consuming is drawing afresh. *)
Lemma consuming_is_drawing_afresh n f : forall h columns,
  (forall a, is_arm K a -> exists m, nth_error columns (a - 1) = Some (nu a, m) /\ (n <= m)%nat) ->
  table_of columns (fun w => consuming n h w f) = onwards (round_law s nu) n h f.
Proof.
  induction n as [|n IH]; intros h columns H; [exact (total_const (table_of columns) (f h))|].
  change (onwards (round_law s nu) (S n) h f) with
    (round_law s nu h (fun o => onwards (round_law s nu) n (o :: h) f)).
  rewrite round_law_as_averages.
  set (step := fun (w : list (list R)) (u : R) => let a := fst (move s h u) in if snd (move s h u)
    then consuming n (Observation u a (Some (hd 0 (nth (a - 1) w []))) :: h) (replace (a - 1) (tl (nth (a - 1) w [])) w) f
    else consuming n (Observation u a None :: h) w f).
  etransitivity; [exact (averages_exchange (table_of columns) (seed_law s h) (fun u w => step w u))|]. unfold step.
  apply total_ext. intros u. assert (A := moves_are_arms s h u). set (a := fst (move s h u)) in *.
  destruct (snd (move s h u)).
  - destruct (H a A) as [[|m] [E Hm]]; [lia|].
    rewrite (taking_a_reward_off_the_table columns (a - 1) (nu a) m
      (fun x w => consuming n (Observation u a (Some x) :: h) w f) E).
    apply total_ext. intros x. apply IH. intros b Hb. destruct (Nat.eq_dec a b) as [<-|Hne].
    + exists m. split; [now apply (nth_error_replace_same _ _ _ _ E) | lia].
    + rewrite nth_error_replace_other by (unfold is_arm in *; lia). destruct (H b Hb) as [k [Ek Hk]].
      exists k. split; [exact Ek | lia].
  - apply IH. intros b Hb. destruct (H b Hb) as [k [Ek Hk]]. exists k. split; [exact Ek | lia].
Qed.

(** says: for every strategy, instance, T and function f of the history, the expectation of f where the k-th query of
      arm a reads X_a(k) from a table of independent columns equals that where every query draws afresh from nu_a
    paper: l.268, l.1149
    differs: all laws have finite support and private seeds are finite, which loses nothing
    breaks: "(nu a, T)" to "(nu a, 1%nat)" *)
Theorem tape_and_fresh_draws_have_the_same_law T f :
  table_of (map (fun a => (nu a, T)) (arms K)) (fun w => tape_law (reward_in w) T f) = history_law s nu T f.
Proof.
  rewrite history_law_is_a_run, run_is_onwards.
  rewrite <- (consuming_is_drawing_afresh T f [] (map (fun a => (nu a, T)) (arms K))).
  - apply (certain_of_each (fun _ => True)); [intros E _ g k Hgk; apply total_ext; auto|].
    intros w [Hw _]. unfold arms in Hw. rewrite !map_length, seq_length in Hw.
    unfold tape_law. rewrite run_is_onwards. now apply reading_is_consuming.
  - intros a Ha. exists T. split; [|lia]. rewrite nth_error_map. unfold arms. unfold is_arm in Ha.
    rewrite (nth_error_nth' _ 0%nat) by (rewrite seq_length; lia). rewrite seq_nth by lia. simpl. do 3 f_equal. lia.
Qed.
End Tape.

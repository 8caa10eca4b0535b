(** Rewards read from a table and rewards drawn afresh give every history the same law: the k-th query of arm a
    reads X_a(k), or draws from nu_a. The paper passes from one to the other (l.268, l.1149). Finite-support laws.
    *)

From Coq Require Import Reals Lra Lia List Arith Bool.
From Bufalu Require Import Sums Expectation TotalExpectation FiniteSpace FiniteLaws Strategies.
Import ListNotations.
Open Scope R_scope.

(** ** A law as a finite space, a table as independent columns *)

Definition space_of (p : law) : space R.
Proof.
  refine (Space R (map (fun x => (x, mass p x)) (support p)) _ _).
  - abstract (intros x Hx; apply in_map_iff in Hx; destruct Hx as [y [<- _]]; apply mass_is_nonneg).
  - abstract (unfold weighted_sum; rewrite sum_map; simpl; apply (total_one (average p))).
Defined.

Lemma weighted_sum_of_a_law p f : weighted_sum (outcomes (space_of p)) f = average p f.
Proof. unfold weighted_sum. simpl. rewrite sum_map. reflexivity. Qed.

(** n independent draws from a law; the columns of a table, one for each entry of the list. *)
Definition column (c : law * nat) : space (list R) := independent_draws (repeat (space_of (fst c)) (snd c)).
Definition table_of (columns : list (law * nat)) : space (list (list R)) := independent_draws (map column columns).

(** X_a(k) for k >= 1. *)
Definition reward_in (w : list (list R)) (a k : nat) : R := nth (k - 1) (nth (a - 1) w []) 0.

(** ** Running on a table *)

Section Tape.
Context {K : nat}.
Variable s : strategy K.

(** One round on the table [w]: a query of arm [a] after n earlier ones reads X_a(n + 1). *)
Definition tape_round (w : list (list R)) (h : history) : total_expectation observation :=
  first_then (average (seed_law s h)) (fun u =>
    let a := fst (move s h u) in
    certainly (Observation u a (if snd (move s h u) then Some (reward_in w a (S (query_count a h))) else None))).

(** T rounds on the table [w]; only the seeds are random. *)
Fixpoint tape_law (w : list (list R)) (T : nat) : total_expectation history :=
  match T with
  | O => certainly []
  | S n => first_then (tape_law w n) (fun h => first_then (tape_round w h) (fun o => certainly (o :: h)))
  end.

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

Lemma tape_law_is_a_run w T f : tape_law w T f = run (tape_round w) T f.
Proof. revert f. induction T as [|T IH]; intros f; [reflexivity|]. apply (IH (fun h => _)). Qed.

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
  onwards (tape_round w) n h f = consuming n h w' f.
Proof.
  intros Hw. induction n as [|n IH]; intros h w' Hlen H; [reflexivity|].
  change (average (seed_law s h) (fun u => onwards (tape_round w) n (Observation u (fst (move s h u))
    (if snd (move s h u) then Some (reward_in w (fst (move s h u)) (S (query_count (fst (move s h u)) h))) else None)
      :: h) f) = consuming (S n) h w' f).
  simpl consuming. apply (total_ext (average (seed_law s h))). intros u. assert (A := moves_are_arms s h u).
  set (a := fst (move s h u)) in *. destruct (snd (move s h u)).
  - unfold reward_in. simpl Nat.sub at 1. rewrite Nat.sub_0_r, <- hd_skipn, <- (H a A). apply IH.
    + now rewrite length_replace.
    + intros b Hb. rewrite query_count_of_a_query. destruct (Nat.eqb_spec a b) as [<-|Hne].
      * rewrite nth_replace_same by (unfold is_arm in A; lia). rewrite (H a A). apply tl_skipn.
      * rewrite nth_replace_other by (unfold is_arm in *; lia). now apply H.
  - apply IH; [exact Hlen|]. intros b Hb. rewrite query_count_of_a_play. now apply H.
Qed.

(** Taking the first reward off column [i] of a random table: a draw from its law, independent of what is left. *)
Lemma taking_a_reward_off_the_table columns i p m (G : R -> list (list R) -> R) :
  nth_error columns i = Some (p, S m) ->
  weighted_sum (draws (map column columns)) (fun w => G (hd 0 (nth i w [])) (replace i (tl (nth i w [])) w))
  = average p (fun x => weighted_sum (draws (map column (replace i (p, m) columns))) (fun w => G x w)).
Proof.
  revert i G. induction columns as [|c columns IH]; intros [|i] G H; try discriminate.
  - injection H as ->. simpl map. simpl draws. rewrite weighted_sum_draw_then.
    change (outcomes (column (p, S m))) with (draw_then (outcomes (space_of p)) (draws (repeat (space_of p) m))).
    rewrite weighted_sum_draw_then. etransitivity; [apply weighted_sum_of_a_law|]. apply total_ext. intros x.
    rewrite weighted_sum_draw_then. reflexivity.
  - simpl map. simpl draws. rewrite weighted_sum_draw_then.
    rewrite (weighted_sum_ext _ _ (fun c0 => average p (fun x => weighted_sum (draws (map column
      (replace i (p, m) columns))) (fun w => G x (c0 :: w))))) by (intros c0; apply (IH i (fun x w => G x (c0 :: w))
        H)).
    transitivity (average p (fun x => weighted_sum (outcomes (column c)) (fun c0 => weighted_sum (draws (map column
      (replace i (p, m) columns))) (fun w => G x (c0 :: w))))).
    + change (finite_expectation (column c) (fun c0 => sum (support p) (fun x => mass p x * weighted_sum (draws
        (map column (replace i (p, m) columns))) (fun w => G x (c0 :: w))))
        = sum (support p) (fun x => mass p x * finite_expectation (column c) (fun c0 => weighted_sum (draws
          (map column (replace i (p, m) columns))) (fun w => G x (c0 :: w))))).
      rewrite (total_sum (finite_expectation (column c)) (support p) (fun x c0 => mass p x * weighted_sum (draws
        (map column (replace i (p, m) columns))) (fun w => G x (c0 :: w)))).
      apply sum_ext. intros x _. apply total_scal.
    + apply total_ext. intros x. simpl map. simpl draws. now rewrite weighted_sum_draw_then.
Qed.

Variable nu : nat -> law.

(** On a random table with at least [n] rewards left in each column, consuming is drawing afresh. *)
Lemma consuming_is_drawing_afresh n f : forall h columns,
  (forall a, is_arm K a -> exists m, nth_error columns (a - 1) = Some (nu a, m) /\ (n <= m)%nat) ->
  finite_expectation (table_of columns) (fun w => consuming n h w f) = onwards (round_law s nu) n h f.
Proof.
  induction n as [|n IH]; intros h columns H; [exact (total_const (finite_expectation (table_of columns)) (f h))|].
  change (onwards (round_law s nu) (S n) h f) with
    (round_law s nu h (fun o => onwards (round_law s nu) n (o :: h) f)).
  rewrite round_law_as_averages.
  transitivity (average (seed_law s h) (fun u => finite_expectation (table_of columns) (fun w =>
    if snd (move s h u)
    then consuming n (Observation u (fst (move s h u)) (Some (hd 0 (nth (fst (move s h u) - 1) w []))) :: h)
           (replace (fst (move s h u) - 1) (tl (nth (fst (move s h u) - 1) w [])) w) f
    else consuming n (Observation u (fst (move s h u)) None :: h) w f))).
  - change (finite_expectation (table_of columns) (fun w => sum (support (seed_law s h)) (fun u =>
      mass (seed_law s h) u * (if snd (move s h u)
        then consuming n (Observation u (fst (move s h u)) (Some (hd 0 (nth (fst (move s h u) - 1) w []))) :: h)
               (replace (fst (move s h u) - 1) (tl (nth (fst (move s h u) - 1) w [])) w) f
        else consuming n (Observation u (fst (move s h u)) None :: h) w f)))
      = sum (support (seed_law s h)) (fun u => mass (seed_law s h) u * finite_expectation (table_of columns) (fun w =>
          if snd (move s h u)
          then consuming n (Observation u (fst (move s h u)) (Some (hd 0 (nth (fst (move s h u) - 1) w []))) :: h)
                 (replace (fst (move s h u) - 1) (tl (nth (fst (move s h u) - 1) w [])) w) f
          else consuming n (Observation u (fst (move s h u)) None :: h) w f))).
    rewrite (total_sum (finite_expectation (table_of columns)) (support (seed_law s h)) (fun u w =>
      mass (seed_law s h) u * (if snd (move s h u)
        then consuming n (Observation u (fst (move s h u)) (Some (hd 0 (nth (fst (move s h u) - 1) w []))) :: h)
               (replace (fst (move s h u) - 1) (tl (nth (fst (move s h u) - 1) w [])) w) f
        else consuming n (Observation u (fst (move s h u)) None :: h) w f))).
    apply sum_ext. intros u _. apply total_scal.
  - apply total_ext. intros u. assert (A := moves_are_arms s h u). set (a := fst (move s h u)) in *.
    destruct (snd (move s h u)).
    + destruct (H a A) as [[|m] [E Hm]]; [lia|].
      change (weighted_sum (draws (map column columns)) (fun w => (fun x w' =>
        consuming n (Observation u a (Some x) :: h) w' f) (hd 0 (nth (a - 1) w [])) (replace (a - 1)
          (tl (nth (a - 1) w [])) w)) = average (nu a) (fun x => onwards (round_law s nu) n
            (Observation u a (Some x) :: h) f)).
      rewrite (taking_a_reward_off_the_table columns (a - 1) (nu a) m _ E). apply total_ext. intros x.
      apply (IH (Observation u a (Some x) :: h) (replace (a - 1) (nu a, m) columns)).
      intros b Hb. destruct (Nat.eq_dec a b) as [<-|Hne].
      * exists m. split; [now apply (nth_error_replace_same _ _ _ _ E) | lia].
      * rewrite nth_error_replace_other by (unfold is_arm in *; lia). destruct (H b Hb) as [k [Ek Hk]].
        exists k. split; [exact Ek | lia].
    + apply IH. intros b Hb. destruct (H b Hb) as [k [Ek Hk]]. exists k. split; [exact Ek | lia].
Qed.

Lemma a_table_has_its_columns columns w c : In (w, c) (draws (map column columns)) -> length w = length columns.
Proof.
  revert w c. induction columns as [|d columns IH]; intros w c.
  - intros [E|[]]. now injection E as <- _.
  - simpl. unfold draw_then. rewrite in_flat_map. intros [[x y] [_ Hin]]. apply in_map_iff in Hin.
    destruct Hin as [[v z] [E Hv]]. injection E as <- _. simpl. f_equal. now apply (IH v z).
Qed.

(** says: for every strategy, instance, T and function f of the history, the expectation of f where the k-th query of
      arm a reads X_a(k) from a table of independent columns equals that where every query draws afresh from nu_a
    paper: l.268, l.1149
    differs: all laws have finite support and private randomness is finite
    settles: tape.same_law
    breaks: "(nu a, T)" to "(nu a, 1%nat)" *)
Theorem tape_and_fresh_draws_have_the_same_law T f :
  finite_expectation (table_of (map (fun a => (nu a, T)) (arms K))) (fun w => tape_law w T f) = history_law s nu T f.
Proof.
  rewrite history_law_is_a_run, run_is_onwards.
  rewrite <- (consuming_is_drawing_afresh T f [] (map (fun a => (nu a, T)) (arms K))).
  - change (weighted_sum (draws (map column (map (fun a => (nu a, T)) (arms K)))) (fun w => tape_law w T f)
      = weighted_sum (draws (map column (map (fun a => (nu a, T)) (arms K)))) (fun w => consuming T [] w f)).
    apply sum_ext. intros [w c] Hw. f_equal. simpl fst. rewrite tape_law_is_a_run, run_is_onwards.
    apply a_table_has_its_columns in Hw. rewrite map_length in Hw. unfold arms in Hw. rewrite seq_length in Hw.
    apply reading_is_consuming; trivial.
  - intros a Ha. exists T. split; [|lia]. rewrite nth_error_map. unfold arms. unfold is_arm in Ha.
    rewrite (nth_error_nth' _ 0%nat) by (rewrite seq_length; lia). rewrite seq_nth by lia. simpl. do 3 f_equal. lia.
Qed.
End Tape.

(** Strategies that see rewards only when they query, with finite private randomness, and the law of a history of T
    rounds (l.265-271, l.296). *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Expectation TotalExpectation FiniteLaws.
Import ListNotations.
Open Scope R_scope.

(** What one round leaves behind: the private seed, the arm played, and the reward if it was queried. *)
Record observation : Type := Observation { seed : R; arm : nat; seen : option R }.

Definition is_query (o : observation) : bool := match seen o with Some _ => true | None => false end.

(** A history, newest round first. *)
Definition history : Type := list observation.

(** A strategy for K arms draws a seed from a law of finite support, which may depend on the history, and decides
    from history and seed which arm to play and whether to query. *)
Record strategy (K : nat) : Type := Strategy {
  seed_law : history -> law;
  move : history -> R -> nat * bool;
  moves_are_arms : forall h u, is_arm K (fst (move h u))
}.

Arguments seed_law {K} _ _.
Arguments move {K} _ _ _.
Arguments moves_are_arms {K} _ _ _.

(** ** Expectations one after the other *)

Definition certainly {A : Type} (x : A) : total_expectation A.
Proof. refine (TotalExpectation A (fun f => f x) _ _ _ _); auto. Defined.

Definition first_then {A B : Type} (E : total_expectation A) (F : A -> total_expectation B) : total_expectation B.
Proof.
  refine (TotalExpectation B (fun f => E (fun x => F x f)) _ _ _ _).
  - abstract (intros f g; rewrite <- total_plus; apply total_ext; intros x; apply total_plus).
  - abstract (intros c f; rewrite <- total_scal; apply total_ext; intros x; apply total_scal).
  - abstract (intros f Hf; apply total_nonneg; intros x; now apply total_nonneg).
  - abstract (rewrite (total_ext E _ (fun _ => 1)); [apply total_one | intros; apply total_one]).
Defined.

(** ** The law of a history *)

Section Law.
Context {K : nat}.
Variable s : strategy K.

(** One round after the history [h] on the instance [nu]: a seed, a decision, and a fresh reward if queried. *)
Definition round_law (nu : nat -> law) (h : history) : total_expectation observation :=
  first_then (average (seed_law s h)) (fun u =>
    let a := fst (move s h u) in
    if snd (move s h u) then first_then (average (nu a)) (fun x => certainly (Observation u a (Some x)))
    else certainly (Observation u a None)).

(** T rounds on the instance [nu]. *)
Fixpoint history_law (nu : nat -> law) (T : nat) : total_expectation history :=
  match T with
  | O => certainly []
  | S n => first_then (history_law nu n) (fun h => first_then (round_law nu h) (fun o => certainly (o :: h)))
  end.

Lemma one_more_round nu T f :
  history_law nu (S T) f = history_law nu T (fun h => round_law nu h (fun o => f (o :: h))).
Proof. reflexivity. Qed.

Lemma round_law_as_averages nu h f : round_law nu h f = average (seed_law s h) (fun u =>
  if snd (move s h u) then average (nu (fst (move s h u))) (fun x => f (Observation u (fst (move s h u)) (Some x)))
  else f (Observation u (fst (move s h u)) None)).
Proof.
  unfold round_law, first_then at 1. cbn [total]. apply total_ext. intros u.
  destruct (snd (move s h u)); reflexivity.
Qed.

Lemma round_law_le nu h f g : (forall o, is_arm K (arm o) -> f o <= g o) -> round_law nu h f <= round_law nu h g.
Proof.
  intros H. rewrite !round_law_as_averages. apply total_le. intros u.
  assert (A := moves_are_arms s h u). destruct (snd (move s h u)).
  - apply total_le. intros x. now apply H.
  - now apply H.
Qed.

(** A history that can occur has one entry for each round, and plays arms. *)
Definition possible (T : nat) (h : history) : Prop := length h = T /\ Forall (fun o => is_arm K (arm o)) h.

Lemma history_law_le nu T f g : (forall h, possible T h -> f h <= g h) -> history_law nu T f <= history_law nu T g.
Proof.
  revert f g. induction T as [|T IH]; intros f g H.
  - simpl. apply H. split; [reflexivity | constructor].
  - rewrite !one_more_round. apply IH. intros h [Hlen Harms]. apply round_law_le. intros o Ho. apply H.
    split; [simpl; now rewrite Hlen | now constructor].
Qed.

Lemma history_law_ext nu T f g : (forall h, possible T h -> f h = g h) -> history_law nu T f = history_law nu T g.
Proof. intros H. apply Rle_antisym; apply history_law_le; intros h Hh; rewrite (H h Hh); lra. Qed.

(** ** Counts *)

(** n_T(a) and n^q_T(a) of a history of T rounds. *)
Definition plays_in (a : nat) (h : history) : R := sum h (fun o => indicator (Nat.eqb (arm o) a)).
Definition queries_in (a : nat) (h : history) : R := sum h (fun o => indicator (Nat.eqb (arm o) a && is_query o)).

(** E_nu[n_T(a)] and E_nu[n^q_T(a)]. *)
Definition expected_plays (nu : nat -> law) (a T : nat) : R := history_law nu T (plays_in a).
Definition expected_queries (nu : nat -> law) (a T : nat) : R := history_law nu T (queries_in a).

Lemma plays_in_nonneg a h : 0 <= plays_in a h.
Proof. apply sum_nonneg. intros; apply indicator_nonneg. Qed.

Lemma queries_in_nonneg a h : 0 <= queries_in a h.
Proof. apply sum_nonneg. intros; apply indicator_nonneg. Qed.

Lemma plays_in_at_most_length a h : plays_in a h <= INR (length h).
Proof.
  unfold plays_in. apply Rle_trans with (sum h (fun _ => 1)).
  - apply sum_le. intros; apply indicator_le_1.
  - rewrite sum_const. lra.
Qed.

Lemma expected_plays_nonneg nu a T : 0 <= expected_plays nu a T.
Proof. apply total_nonneg. apply plays_in_nonneg. Qed.

Lemma expected_queries_nonneg nu a T : 0 <= expected_queries nu a T.
Proof. apply total_nonneg. apply queries_in_nonneg. Qed.

(** says: E n^q_T(a) <= E n_T(a) for every strategy, instance, arm and T, so that lower bounds on queries bound plays
    paper: l.268, l.317
    differs: all laws have finite support and private seeds are finite, which loses nothing
    breaks: "a T <= expected_plays" to "a T < expected_plays" *)
Theorem expected_queries_are_at_most_expected_plays nu a T : expected_queries nu a T <= expected_plays nu a T.
Proof.
  apply total_le. intros h. apply sum_le. intros o _. destruct (Nat.eqb _ _), (is_query o); simpl; lra.
Qed.

(** The expected plays of all arms sum to T. *)
Theorem expected_plays_sum_to_the_horizon nu T : sum (arms K) (fun a => expected_plays nu a T) = INR T.
Proof.
  transitivity (history_law nu T (fun h => sum (arms K) (fun a => plays_in a h)));
    [symmetry; apply total_sum|].
  rewrite (history_law_ext nu T _ (fun _ => INR T)); [apply total_const|]. intros h [Hlen Harms]. rewrite <- Hlen.
  unfold plays_in. rewrite sum_swap, (sum_ext h _ (fun _ => 1)); [rewrite sum_const; lra|].
  intros o Ho. rewrite (sum_ext _ _ (fun a => 1 * indicator (Nat.eqb (arm o) a))) by (intros; lra).
  apply (sum_over_arms_picks K (arm o) (fun _ => 1)). rewrite Forall_forall in Harms. now apply Harms.
Qed.

Lemma expected_plays_at_most_horizon nu a T : expected_plays nu a T <= INR T.
Proof.
  unfold expected_plays. rewrite <- (total_const (history_law nu T) (INR T)).
  apply history_law_le. intros h [<- _]. apply plays_in_at_most_length.
Qed.

Lemma expected_plays_S nu a T : expected_plays nu a (S T)
  = expected_plays nu a T + history_law nu T (fun h => round_law nu h (fun o => indicator (Nat.eqb (arm o) a))).
Proof.
  unfold expected_plays. rewrite one_more_round, <- total_plus. apply total_ext. intros h.
  unfold plays_in. rewrite (total_ext (round_law nu h) _
    (fun o => indicator (Nat.eqb (arm o) a) + sum h (fun o => indicator (Nat.eqb (arm o) a)))) by reflexivity.
  rewrite total_plus, total_const. lra.
Qed.

Lemma expected_queries_S nu a T : expected_queries nu a (S T) = expected_queries nu a T
  + history_law nu T (fun h => round_law nu h (fun o => indicator (Nat.eqb (arm o) a && is_query o))).
Proof.
  unfold expected_queries. rewrite one_more_round, <- total_plus. apply total_ext. intros h.
  unfold queries_in. rewrite (total_ext (round_law nu h) _ (fun o => indicator (Nat.eqb (arm o) a && is_query o)
    + sum h (fun o => indicator (Nat.eqb (arm o) a && is_query o)))) by reflexivity.
  rewrite total_plus, total_const. lra.
Qed.

(** Expected plays grow with the horizon. *)
Lemma expected_plays_grow nu a T T' : (T <= T')%nat -> expected_plays nu a T <= expected_plays nu a T'.
Proof.
  intros H. induction H as [|n _ IH]; [lra|]. rewrite expected_plays_S.
  assert (0 <= history_law nu n (fun h => round_law nu h (fun o => indicator (Nat.eqb (arm o) a)))); [|lra].
  apply total_nonneg. intros h. apply total_nonneg. intros; apply indicator_nonneg.
Qed.
End Law.

(** n^q_T(a) as a natural number. *)
Definition query_count (a : nat) (h : history) : nat := length (filter (fun o => Nat.eqb (arm o) a && is_query o) h).

Lemma query_count_is_the_count a h : INR (query_count a h) = queries_in a h.
Proof.
  induction h as [|o h IH]; [reflexivity|]. unfold query_count, queries_in in *. simpl filter.
  change (sum (o :: h) (fun o => indicator (Nat.eqb (arm o) a && is_query o))) with
    (indicator (Nat.eqb (arm o) a && is_query o) + sum h (fun o => indicator (Nat.eqb (arm o) a && is_query o))).
  destruct (Nat.eqb (arm o) a && is_query o); simpl indicator; rewrite <- IH; [simpl length; rewrite S_INR|]; lra.
Qed.

Lemma query_count_of_a_query u a x h b :
  query_count b (Observation u a (Some x) :: h) = if Nat.eqb a b then S (query_count b h) else query_count b h.
Proof. unfold query_count. simpl. rewrite andb_true_r. destruct (Nat.eqb a b); reflexivity. Qed.

Lemma query_count_of_a_play u a h b : query_count b (Observation u a None :: h) = query_count b h.
Proof. unfold query_count. simpl. rewrite andb_false_r. reflexivity. Qed.

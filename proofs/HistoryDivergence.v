(** The probability of every single history, and the Kullback-Leibler divergence between the laws of the histories
    of two instances: the chain rule as an identity of divergences (l.505). Finite-support laws. *)

From Coq Require Import Reals Lra Lia Arith List Bool FinFun.
From Bufalu Require Import Sums Expectation TotalExpectation FiniteLaws Strategies ChangeOfMeasure.
Import ListNotations.
Open Scope R_scope.

Lemma no_repetition_in_flat_map {A B : Type} (f : A -> list B) (l : list A) : NoDup l ->
  (forall x, In x l -> NoDup (f x)) -> (forall x y z, In z (f x) -> In z (f y) -> x = y) -> NoDup (flat_map f l).
Proof.
  intros Hl Hf Hinj. induction Hl as [|x l Hx Hl IH]; [constructor|]. simpl.
  assert (H1 : NoDup (f x)) by (apply Hf; now left).
  assert (H2 : NoDup (flat_map f l)) by (apply IH; intros; apply Hf; now right).
  assert (H3 : forall z, In z (f x) -> ~ In z (flat_map f l)).
  { intros z Hz Hin. apply in_flat_map in Hin. destruct Hin as [y [Hy Hzy]]. rewrite (Hinj x y z Hz Hzy) in Hx.
    tauto. }
  revert H1 H3. generalize (f x) as m. induction m as [|z m IHm]; intros H1 H3; [exact H2|]. simpl.
  inversion H1 as [|? ? Hz Hm]; subst. constructor.
  - rewrite in_app_iff. intros [H|H]; [tauto|]. apply (H3 z); [now left | exact H].
  - apply IHm; [exact Hm|]. intros y Hy. apply H3. now right.
Qed.

Section Chances.
Context {K : nat}.
Variable s : strategy K.

(** What the strategy would have done with this seed is what the observation says. *)
Definition agrees (h : history) (o : observation) : bool :=
  Nat.eqb (arm o) (fst (move s h (seed o))) && Bool.eqb (is_query o) (snd (move s h (seed o))).

(** The probability of an observation after [h], and of a history. *)
Definition chance_of_round (nu : nat -> law) (h : history) (o : observation) : R :=
  if agrees h o
  then mass (seed_law s h) (seed o) * match seen o with Some x => mass (nu (arm o)) x | None => 1 end
  else 0.

Fixpoint chance (nu : nat -> law) (h : history) : R :=
  match h with
  | [] => 1
  | o :: past => chance nu past * chance_of_round nu past o
  end.

(** The observations that may follow [h], and the histories of T rounds that may occur; chances among them may be 0.
    *)
Definition next_observations (nu : nat -> law) (h : history) : list observation :=
  flat_map (fun u => if snd (move s h u)
    then map (fun x => Observation u (fst (move s h u)) (Some x)) (support (nu (fst (move s h u))))
    else [Observation u (fst (move s h u)) None]) (support (seed_law s h)).

Fixpoint histories (nu : nat -> law) (T : nat) : list history :=
  match T with
  | O => [[]]
  | S n => flat_map (fun h => map (fun o => o :: h) (next_observations nu h)) (histories nu n)
  end.

Lemma chance_of_round_is_nonneg nu h o : 0 <= chance_of_round nu h o.
Proof.
  unfold chance_of_round. destruct (agrees h o); [|lra]. apply Rmult_le_pos; [apply mass_is_nonneg|].
  destruct (seen o); [apply mass_is_nonneg | lra].
Qed.

Lemma chance_is_nonneg nu h : 0 <= chance nu h.
Proof. induction h; simpl; [lra|]. apply Rmult_le_pos; [assumption | apply chance_of_round_is_nonneg]. Qed.

Lemma round_law_as_sum nu h f :
  round_law s nu h f = sum (next_observations nu h) (fun o => chance_of_round nu h o * f o).
Proof.
  rewrite round_law_as_averages. unfold next_observations. rewrite sum_flat_map.
  change (sum (support (seed_law s h)) (fun u => mass (seed_law s h) u *
    (if snd (move s h u) then average (nu (fst (move s h u))) (fun x => f (Observation u (fst (move s h u)) (Some x)))
     else f (Observation u (fst (move s h u)) None))) = sum (support (seed_law s h)) (fun u =>
       sum (if snd (move s h u)
         then map (fun x => Observation u (fst (move s h u)) (Some x)) (support (nu (fst (move s h u))))
         else [Observation u (fst (move s h u)) None]) (fun o => chance_of_round nu h o * f o))).
  apply sum_ext. intros u _. destruct (snd (move s h u)) eqn:E.
  - rewrite sum_map. change (mass (seed_law s h) u * sum (support (nu (fst (move s h u))))
      (fun x => mass (nu (fst (move s h u))) x * f (Observation u (fst (move s h u)) (Some x)))
      = sum (support (nu (fst (move s h u)))) (fun x => chance_of_round nu h (Observation u (fst (move s h u)) (Some
        x))
          * f (Observation u (fst (move s h u)) (Some x)))).
    rewrite <- sum_scal. apply sum_ext. intros x _. unfold chance_of_round, agrees. simpl. rewrite Nat.eqb_refl, E.
    simpl. ring.
  - unfold sum, chance_of_round, agrees. simpl. rewrite Nat.eqb_refl, E. simpl. ring.
Qed.

(** The law of T rounds has the chances as its probabilities. *)
Theorem history_law_as_sum nu T f : history_law s nu T f = sum (histories nu T) (fun h => chance nu h * f h).
Proof.
  revert f. induction T as [|T IH]; intros f.
  - unfold sum. simpl. lra.
  - rewrite one_more_round, IH. simpl histories. rewrite sum_flat_map. apply sum_ext. intros h _.
    rewrite round_law_as_sum, sum_map, <- sum_scal. apply sum_ext. intros o _. simpl. ring.
Qed.

(** No history is listed twice ... *)
Theorem histories_are_listed_once nu T : NoDup (histories nu T).
Proof.
  induction T as [|T IH]; [repeat constructor; easy|]. simpl. apply no_repetition_in_flat_map; [exact IH| |].
  - intros h _. apply Injective_map_NoDup; [intros y z; congruence|]. unfold next_observations.
    apply no_repetition_in_flat_map; [apply support_has_no_repetition| |].
    + intros u _. destruct (snd (move s h u)); [|repeat constructor; easy].
      apply Injective_map_NoDup; [intros y z; congruence | apply support_has_no_repetition].
    + assert (S : forall u z, In z (if snd (move s h u)
        then map (fun x => Observation u (fst (move s h u)) (Some x)) (support (nu (fst (move s h u))))
        else [Observation u (fst (move s h u)) None]) -> seed z = u).
      { intros u z. destruct (snd (move s h u)).
        - intros H. apply in_map_iff in H. now destruct H as [x [<- _]].
        - now intros [<-|[]]. }
      intros u v z Hu Hv. now rewrite <- (S u z Hu), (S v z Hv).
  - intros h h' z Hz Hz'. apply in_map_iff in Hz. apply in_map_iff in Hz'.
    destruct Hz as [o [<- _]], Hz' as [o' [E _]]. now injection E.
Qed.

(** ... and every history of T rounds that has a positive chance is listed. *)
Theorem possible_histories_are_listed nu h : chance nu h <> 0 -> In h (histories nu (length h)).
Proof.
  induction h as [|o h IH]; intros H; [now left|]. simpl in *.
  assert (H1 : chance nu h <> 0) by (intros E; apply H; rewrite E; ring).
  assert (H2 : chance_of_round nu h o <> 0) by (intros E; apply H; rewrite E; ring).
  apply in_flat_map. exists h. split; [now apply IH|]. apply (in_map (fun o => o :: h)). unfold next_observations.
    apply in_flat_map.
  destruct o as [u a r]. exists u. unfold chance_of_round, agrees in H2. simpl in H2.
  destruct (Nat.eqb_spec a (fst (move s h u))) as [->|]; [|simpl in H2; tauto].
  split; [apply mass_is_on_the_support; intros E; apply H2; rewrite E; destruct (_ && _); ring|].
  destruct r as [x|], (snd (move s h u)); simpl in H2; try tauto; [|now left].
  apply in_map_iff. exists x. split; [reflexivity|]. apply mass_is_on_the_support. intros E. apply H2. rewrite E.
    ring.
Qed.

Variables nu nu' : nat -> law.
Hypothesis nu_is_dominated : forall a, is_arm K a -> dominated (nu a) (nu' a).

(** On histories that can occur, the logarithm of the ratio of the chances is the sum of the logarithms. *)
Lemma log_ratio_of_chances h : 0 < chance nu h ->
  0 < chance nu' h /\ ln (chance nu h) - ln (chance nu' h) = log_ratio nu nu' h.
Proof.
  induction h as [|o h IH]; intros H; [split; [simpl; lra | unfold log_ratio, sum; simpl; lra]|]. simpl in *.
  assert (P := chance_is_nonneg nu h). assert (Q := chance_of_round_is_nonneg nu h o).
  destruct P as [P|P]; [|rewrite <- P in H; lra]. destruct Q as [Q|Q]; [|rewrite <- Q in H; lra].
  destruct (IH P) as [IH1 IH2].
  assert (R : 0 < chance_of_round nu' h o /\
    ln (chance_of_round nu h o) - ln (chance_of_round nu' h o) = log_ratio_of nu nu' o).
  { unfold chance_of_round in *. destruct (agrees h o) eqn:A; [|lra]. unfold agrees in A.
    apply andb_true_iff in A. destruct A as [A _]. apply Nat.eqb_eq in A.
    assert (M := mass_is_nonneg (seed_law s h) (seed o)). destruct M as [M|M]; [|rewrite <- M in Q; lra].
    unfold log_ratio_of. destruct (seen o) as [x|]; [|split; lra].
    assert (N := mass_is_nonneg (nu (arm o)) x). destruct N as [N|N]; [|rewrite <- N in Q; lra].
    assert (N' : 0 < mass (nu' (arm o)) x)
      by (apply nu_is_dominated; [rewrite A; apply moves_are_arms | exact N]).
    split; [now apply Rmult_lt_0_compat|]. rewrite !ln_mult by assumption. lra. }
  destruct R as [R1 R2]. split; [now apply Rmult_lt_0_compat|].
  change (log_ratio nu nu' (o :: h)) with (log_ratio_of nu nu' o + log_ratio nu nu' h).
  rewrite !ln_mult by assumption. lra.
Qed.

(** KL between the laws of the histories of T rounds under nu and nu'. *)
Definition divergence_of_histories (T : nat) : R :=
  sum (histories nu T) (fun h => chance nu h * (ln (chance nu h) - ln (chance nu' h))).

(** says: the divergence between the laws of the histories of T rounds under two instances is sum_a E_nu[n^q_T(a)]
      KL(nu_a, nu'_a), for every strategy and T
    paper: l.505-512
    differs: the chain rule behind the inequality, which the paper cites; nu_a << nu'_a for every arm
    breaks: "expected_queries s nu a T" to "expected_plays s nu a T" *)
Theorem divergence_of_histories_counts_queries T :
  (forall h, 0 < chance nu h -> 0 < chance nu' h) /\
  divergence_of_histories T = sum (arms K) (fun a => expected_queries s nu a T * divergence (nu a) (nu' a)).
Proof.
  split; [intros h Hh; now apply log_ratio_of_chances|].
  change (divergence_of_histories T = information s nu nu' T).
  rewrite <- expected_log_ratio_is_the_information, history_law_as_sum. apply sum_ext. intros h _.
  destruct (chance_is_nonneg nu h) as [P|P]; [now rewrite (proj2 (log_ratio_of_chances h P))|].
  rewrite <- P. lra.
Qed.
End Chances.

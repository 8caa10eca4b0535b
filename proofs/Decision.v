(** The decision of BuFALU as a relation (l.371-389 and the choice of arms at l.403): what *some* tie-break plays.

    Leader, challenger and candidate are any arms that attain the respective maximum, so every theorem about
    [admissible] holds for every tie-break, a randomised or adversarial one included. *)

From Coq Require Import Reals Arith.
From Bufalu Require Import Sums Intervals.
Open Scope R_scope.

Section Decision.
Variable K : nat.                        (* the number of arms, numbered 1..K *)
Variable bounds : nat -> interval.       (* the confidence interval of each arm in this round *)
Variable epsilon : R.

(** l_t: an arm with the largest lower bound. *)
Definition is_leader (l : nat) : Prop :=
  is_arm K l /\ forall a, is_arm K a -> lower_le (lower (bounds a)) (lower (bounds l)).

(** u_t: an arm other than the leader with the largest upper bound among these. *)
Definition is_challenger (l u : nat) : Prop :=
  is_arm K u /\ u <> l /\ forall a, is_arm K a -> a <> l -> upper_le (upper (bounds a)) (upper (bounds u)).

(** c_t: the wider of leader and challenger. *)
Definition is_candidate (l u c : nat) : Prop :=
  (c = l /\ upper_le (width (bounds u)) (width (bounds l))) \/
  (c = u /\ upper_le (width (bounds l)) (width (bounds u))).

(** [admissible a q]: some tie-break plays arm [a], and queries it iff [q]. The maximum over no arms is -inf, so
    that a single arm is separated from the (absent) others. *)
Inductive admissible : nat -> bool -> Prop :=
| plays_the_only_arm l :
    is_leader l -> (forall a, is_arm K a -> a = l) -> admissible l false
| plays_a_separated_leader l u :
    is_leader l -> is_challenger l u -> separated (upper (bounds u)) (lower (bounds l)) -> admissible l false
| plays_the_leader_within_epsilon l u c :
    is_leader l -> is_challenger l u -> is_candidate l u c ->
    within (upper (bounds c)) (lower (bounds l)) epsilon -> admissible l false
| queries_the_candidate l u c :
    is_leader l -> is_challenger l u -> is_candidate l u c ->
    ~ separated (upper (bounds u)) (lower (bounds l)) ->
    ~ within (upper (bounds c)) (lower (bounds l)) epsilon -> admissible c true.

(** What round [t] may decide: the initial rounds play and query the arms in turn (l.375). *)
Definition decides_in_round (t a : nat) (q : bool) : Prop :=
  if t <=? K then a = t /\ q = true else admissible a q.

Lemma admissible_is_arm a q : admissible a q -> is_arm K a.
Proof.
  intros H. destruct H as [l [H _] | l u [H _] | l u c [H _] | l u c [Hl _] [Hu _] [[-> _]|[-> _]]]; assumption.
Qed.
End Decision.

(** The decision of BuFALU as a relation (l.371-389 and the choice of arms at l.403): what *some* tie-break plays. And
    its relatives: BuFAU (l.1377-1394), and, beyond the paper, a dial rho in [0,1] between the two.

    Leader, challenger and candidate are any arms that attain the respective maximum, so every theorem about these
    relations holds for every tie-break, a randomised or adversarial one included. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
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

(** BuFAU's candidate (l.1385): an arm with the largest upper bound, whoever leads. *)
Definition is_bufau_candidate (_ _ c : nat) : Prop :=
  is_arm K c /\ forall a, is_arm K a -> upper_le (upper (bounds a)) (upper (bounds c)).

(** The candidate at the dial's position [rho]: the leader if CI(l) >= rho CI(u) and UCB(l) >= UCB(u); the challenger
    if CI(l) <= rho CI(u) or UCB(l) <= UCB(u). At rho = 0 there is no width test, so that 0 times infinity is never
    asked for. *)
Definition is_dial_candidate (rho : R) (l u c : nat) : Prop :=
  (c = l /\ (0 < rho -> upper_le (scaled rho (width (bounds u))) (width (bounds l))) /\
     upper_le (upper (bounds u)) (upper (bounds l))) \/
  (c = u /\ ((0 < rho /\ upper_le (width (bounds l)) (scaled rho (width (bounds u)))) \/
     upper_le (upper (bounds l)) (upper (bounds u)))).

(** What the theorems use of a candidate: BuFALU's with rho = 1 and the dial's are steered by [rho]. It differs from
    the dial in that the leader may also be chosen when it is infinitely wide. *)
Definition is_steered_candidate (rho : R) (l u c : nat) : Prop :=
  (c = l /\ (0 < rho -> upper_le (scaled rho (width (bounds u))) (width (bounds l))) /\
     (upper_le (upper (bounds u)) (upper (bounds l)) \/ width (bounds l) = None)) \/
  (c = u /\ ((0 < rho /\ upper_le (width (bounds l)) (scaled rho (width (bounds u)))) \/
     upper_le (upper (bounds l)) (upper (bounds u)))).

(** [decision candidate a q]: some tie-break plays arm [a], and queries it iff [q], when c_t is chosen by [candidate].
    The maximum over no arms is -inf, so that a single arm is separated from the (absent) others. *)
Inductive decision (candidate : nat -> nat -> nat -> Prop) : nat -> bool -> Prop :=
| plays_the_only_arm l :
    is_leader l -> (forall a, is_arm K a -> a = l) -> decision candidate l false
| plays_a_separated_leader l u :
    is_leader l -> is_challenger l u -> separated (upper (bounds u)) (lower (bounds l)) -> decision candidate l false
| plays_the_leader_within_epsilon l u c :
    is_leader l -> is_challenger l u -> candidate l u c ->
    within (upper (bounds c)) (lower (bounds l)) epsilon -> decision candidate l false
| queries_the_candidate l u c :
    is_leader l -> is_challenger l u -> candidate l u c ->
    ~ separated (upper (bounds u)) (lower (bounds l)) ->
    ~ within (upper (bounds c)) (lower (bounds l)) epsilon -> decision candidate c true.

(** BuFALU, BuFAU, the dial, and the relation that the theorems are proved for. *)
Definition admissible : nat -> bool -> Prop := decision is_candidate.
Definition bufau_admissible : nat -> bool -> Prop := decision is_bufau_candidate.
Definition dial_admissible (rho : R) : nat -> bool -> Prop := decision (is_dial_candidate rho).
Definition steered (rho : R) : nat -> bool -> Prop := decision (is_steered_candidate rho).

(** What round [t] may decide: the initial rounds play and query the arms in turn (l.375). *)
Definition in_round (rule : nat -> bool -> Prop) (t a : nat) (q : bool) : Prop :=
  if t <=? K then a = t /\ q = true else rule a q.

(** A rule whose candidates are all allowed by another is itself allowed by it. *)
Lemma decision_mono (fewer more : nat -> nat -> nat -> Prop) a q :
  (forall l u c, is_leader l -> is_challenger l u -> fewer l u c -> more l u c) ->
  decision fewer a q -> decision more a q.
Proof.
  intros H D. destruct D as [l Hl Ho | l u Hl Hu Hs | l u c Hl Hu Hc Hw | l u c Hl Hu Hc Hs Hw].
  - now apply plays_the_only_arm.
  - now apply plays_a_separated_leader with (u := u).
  - apply plays_the_leader_within_epsilon with (u := u) (c := c); auto.
  - apply queries_the_candidate with (l := l) (u := u); auto.
Qed.

Lemma in_round_mono (fewer more : nat -> bool -> Prop) t a q :
  (forall a q, fewer a q -> more a q) -> in_round fewer t a q -> in_round more t a q.
Proof. unfold in_round. destruct (t <=? K); auto. Qed.

Lemma steered_is_arm rho a q : steered rho a q -> is_arm K a.
Proof.
  intros H. destruct H as [l [H _] | l u [H _] | l u c [H _] | l u c [Hl _] [Hu _] [[-> _]|[-> _]]]; assumption.
Qed.

(** BuFALU is steered by 1. *)
Lemma bufalu_is_steered a q : admissible a q -> steered 1 a q.
Proof.
  apply decision_mono. intros l u c [_ Hl] [Hu _] Hc. specialize (Hl u Hu). unfold is_candidate in Hc.
  unfold is_steered_candidate. revert Hl Hc. generalize (bounds l) (bounds u). intros i j Hl Hc.
  destruct Hc as [[-> Hc]|[-> Hc]]; [left|right]; (split; [reflexivity|]).
  - split; [intros _|]; split_ends.
  - left. split; [lra|]. split_ends.
Qed.

(** says: every decision of the dial is one of the relation that the next five theorems are about
    paper: beyond the paper
    breaks: "-> steered rho" to "-> steered 1" *)
Lemma the_dial_is_steered rho a q : dial_admissible rho a q -> steered rho a q.
Proof. apply decision_mono. unfold is_dial_candidate, is_steered_candidate. intuition. Qed.
End Decision.

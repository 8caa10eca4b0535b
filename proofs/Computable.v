(** The decision relation, computed over rational numbers, and proved equal to the relation of Decision.v.

    Vectors.v evaluates it on cases that the Python reference has answered, so that model and code cannot part
    company. *)

From Coq Require Import Reals Lra Lia QArith Qreals List Arith Bool.
From Bufalu Require Import Sums Intervals Decision.
Import ListNotations.

Record rational_interval : Set := QBetween { qlower : option Q; qupper : option Q }.

Definition lower_leb (x y : option Q) : bool :=
  match x, y with
  | None, _ => true
  | Some _, None => false
  | Some a, Some b => Qle_bool a b
  end.

Definition upper_leb (x y : option Q) : bool :=
  match x, y with
  | _, None => true
  | None, Some _ => false
  | Some a, Some b => Qle_bool a b
  end.

Definition withinb (u l : option Q) (e : Q) : bool :=
  match u, l with
  | Some x, Some y => Qle_bool (x - y)%Q e
  | _, _ => false
  end.

Definition separatedb (u l : option Q) : bool :=
  match u, l with
  | Some x, Some y => Qle_bool x y
  | _, _ => false
  end.

Definition qwidth (i : rational_interval) : option Q :=
  match qupper i, qlower i with
  | Some x, Some y => Some (x - y)%Q
  | _, _ => None
  end.

Section Compute.
Variables (K : nat) (bounds : nat -> rational_interval) (epsilon : Q).

Definition leaders : list nat :=
  filter (fun l => forallb (fun a => lower_leb (qlower (bounds a)) (qlower (bounds l))) (arms K)) (arms K).

Definition challengers (l : nat) : list nat :=
  filter (fun u => forallb (fun a => upper_leb (qupper (bounds a)) (qupper (bounds u))) (others K l)) (others K l).

Definition candidates (l u : nat) : list nat :=
  (if upper_leb (qwidth (bounds u)) (qwidth (bounds l)) then [l] else []) ++
  (if upper_leb (qwidth (bounds l)) (qwidth (bounds u)) then [u] else []).

Definition outcome (l u c : nat) : nat * bool :=
  if separatedb (qupper (bounds u)) (qlower (bounds l)) || withinb (qupper (bounds c)) (qlower (bounds l)) epsilon
  then (l, false) else (c, true).

Definition decisions_of_leader (l : nat) : list (nat * bool) :=
  match others K l with
  | [] => [(l, false)]
  | _ => flat_map (fun u => map (outcome l u) (candidates l u)) (challengers l)
  end.

(** Every decision that some tie-break makes after the initial rounds. *)
Definition decisions : list (nat * bool) := flat_map decisions_of_leader leaders.
End Compute.

(** ** The same numbers as reals *)

Definition real_end (x : option Q) : option R := option_map Q2R x.
Definition real_interval (i : rational_interval) : interval := Between (real_end (qlower i)) (real_end (qupper i)).

Lemma Qle_bool_real x y : Qle_bool x y = true <-> (Q2R x <= Q2R y)%R.
Proof. rewrite Qle_bool_iff. split; [apply Qle_Rle | apply Rle_Qle]. Qed.

Lemma lower_leb_real x y : lower_leb x y = true <-> lower_le (real_end x) (real_end y).
Proof. destruct x, y; simpl; try apply Qle_bool_real; split; intros; trivial; try discriminate; tauto. Qed.

Lemma upper_leb_real x y : upper_leb x y = true <-> upper_le (real_end x) (real_end y).
Proof. destruct x, y; simpl; try apply Qle_bool_real; split; intros; trivial; try discriminate; tauto. Qed.

Lemma separatedb_real u l : separatedb u l = true <-> separated (real_end u) (real_end l).
Proof. destruct u, l; simpl; try apply Qle_bool_real; split; intros; try discriminate; tauto. Qed.

Lemma withinb_real u l e : withinb u l e = true <-> within (real_end u) (real_end l) (Q2R e).
Proof.
  destruct u, l; simpl; try (split; intros; try discriminate; tauto). rewrite Qle_bool_real, Q2R_minus. reflexivity.
Qed.

Lemma qwidth_real i : real_end (qwidth i) = width (real_interval i).
Proof. destruct i as [[l|] [u|]]; simpl; try reflexivity. unfold width, real_end. simpl. now rewrite Q2R_minus. Qed.

Section Equivalence.
Variables (K : nat) (bounds : nat -> rational_interval) (epsilon : Q).
Let real_bounds (a : nat) : interval := real_interval (bounds a).

Lemma in_leaders l : In l (leaders K bounds) <-> is_leader K real_bounds l.
Proof.
  unfold leaders, is_leader. rewrite filter_In, in_arms, forallb_forall.
  split; intros [Ha H]; split; trivial; intros a.
  - rewrite <- in_arms. intros Hin. apply lower_leb_real, H, Hin.
  - rewrite in_arms. intros Hin. apply lower_leb_real, H, Hin.
Qed.

Lemma in_challengers l u : In u (challengers K bounds l) <-> is_challenger K real_bounds l u.
Proof.
  unfold challengers, is_challenger. rewrite filter_In, in_others, forallb_forall. split.
  - intros [[Hu Hne] H]. split; [exact Hu|]. split; [congruence|]. intros a Ha Hal.
    apply upper_leb_real, H, in_others. split; [exact Ha | congruence].
  - intros [Hu [Hne H]]. split; [split; [exact Hu | congruence]|]. intros a Ha. apply in_others in Ha.
    destruct Ha as [Ha Hal].
    apply upper_leb_real, H; [exact Ha | congruence].
Qed.

Lemma in_candidates l u c : In c (candidates bounds l u) <-> is_candidate real_bounds l u c.
Proof.
  unfold candidates, is_candidate, real_bounds. rewrite in_app_iff, <- !qwidth_real, <- !upper_leb_real.
  destruct (upper_leb (qwidth (bounds u)) _), (upper_leb (qwidth (bounds l)) _); simpl; intuition congruence.
Qed.

Lemma outcome_queries l u c : outcome bounds epsilon l u c = (c, true) <->
  ~ separated (upper (real_bounds u)) (lower (real_bounds l)) /\
    ~ within (upper (real_bounds c)) (lower (real_bounds l)) (Q2R epsilon).
Proof.
  unfold outcome. simpl. rewrite <- separatedb_real, <- withinb_real.
  destruct (separatedb _ _), (withinb _ _ _); simpl; split; try discriminate; intuition discriminate.
Qed.

Lemma outcome_plays_leader l u c : outcome bounds epsilon l u c = (l, false) <->
  separated (upper (real_bounds u)) (lower (real_bounds l)) \/
    within (upper (real_bounds c)) (lower (real_bounds l)) (Q2R epsilon).
Proof.
  unfold outcome. simpl. rewrite <- separatedb_real, <- withinb_real.
  destruct (separatedb _ _), (withinb _ _ _); simpl; split; try discriminate; intuition discriminate.
Qed.

Lemma outcome_is_one_of_two l u c :
  outcome bounds epsilon l u c = (l, false) \/ outcome bounds epsilon l u c = (c, true).
Proof. unfold outcome. destruct (_ || _); auto. Qed.

Lemma some_candidate_exists l u : exists c, is_candidate real_bounds l u c.
Proof.
  destruct (upper_le_total (width (real_bounds u)) (width (real_bounds l)));
    [exists l; left | exists u; right]; auto.
Qed.

(** The computed decisions are exactly the admissible ones. *)
Theorem the_computed_decisions_are_the_admissible_ones a q :
  In (a, q) (decisions K bounds epsilon) <-> admissible K real_bounds (Q2R epsilon) a q.
Proof.
  unfold decisions. rewrite in_flat_map. split.
  - intros [l [Hl H]]. apply in_leaders in Hl. unfold decisions_of_leader in H.
    destruct (others K l) as [|o more] eqn:Hothers.
    + destruct H as [E|[]]. injection E as <- <-. apply plays_the_only_arm; [exact Hl|]. intros c Hc.
      destruct (Nat.eq_dec c l) as [E|Hne]; [exact E|]. exfalso.
      assert (I : In c (others K l)) by (apply in_others; split; [exact Hc | congruence]). rewrite Hothers in I.
      destruct I.
    + apply in_flat_map in H. destruct H as [u [Hu H]]. apply in_challengers in Hu.
      apply in_map_iff in H. destruct H as [c [E Hc]]. apply in_candidates in Hc.
      destruct (outcome_is_one_of_two l u c) as [O|O]; rewrite O in E; injection E as <- <-.
      * apply outcome_plays_leader in O. destruct O as [O|O].
        -- now apply plays_a_separated_leader with (u := u).
        -- now apply plays_the_leader_within_epsilon with (u := u) (c := c).
      * apply outcome_queries in O. now apply queries_the_candidate with (l := l) (u := u).
  - assert (Step : forall l u c, is_leader K real_bounds l -> is_challenger K real_bounds l u ->
      is_candidate real_bounds l u c ->
      outcome bounds epsilon l u c = (a, q) ->
        exists l, In l (leaders K bounds) /\ In (a, q) (decisions_of_leader K bounds epsilon l)).
    { intros l u c Hl Hu Hc O. exists l. split; [now apply in_leaders|]. unfold decisions_of_leader.
      assert (I : In u (others K l)) by (destruct Hu as [Ha [Hne _]]; apply in_others; split;
        [exact Ha | congruence]).
      destruct (others K l); [destruct I|]. apply in_flat_map. exists u. split; [now apply in_challengers|].
      apply in_map_iff. exists c. split; [exact O | now apply in_candidates]. }
    intros H. destruct H as [l Hl Honly | l u Hl Hu Hs | l u c Hl Hu Hc Hw | l u c Hl Hu Hc Hs Hw].
    + exists l. split; [now apply in_leaders|]. unfold decisions_of_leader.
      destruct (others K l) as [|o more] eqn:Hothers; [now left|].
      exfalso. assert (I : In o (others K l)) by (rewrite Hothers; now left). apply in_others in I.
      destruct I as [Ho Hne].
      apply Hne. symmetry. now apply Honly.
    + destruct (some_candidate_exists l u) as [c Hc]. apply (Step l u c); trivial. apply outcome_plays_leader.
      now left.
    + apply (Step l u c); trivial. apply outcome_plays_leader. now right.
    + apply (Step l u c); trivial. now apply outcome_queries.
Qed.
End Equivalence.

(** The decisions of round [t], initial rounds included. *)
Definition decisions_in_round (K : nat) (bounds : nat -> rational_interval) (epsilon : Q) (t : nat)
    : list (nat * bool) :=
  if t <=? K then [(t, true)] else decisions K bounds epsilon.

Theorem the_computed_decisions_are_those_of_the_round K bounds epsilon t a q :
  In (a, q) (decisions_in_round K bounds epsilon t) <->
  decides_in_round K (fun c => real_interval (bounds c)) (Q2R epsilon) t a q.
Proof.
  unfold decisions_in_round, decides_in_round, in_round.
  destruct (t <=? K); [|apply the_computed_decisions_are_the_admissible_ones].
  simpl. split; [intros [E|[]]; injection E; auto | intros [-> ->]; now left].
Qed.

(** ** Test vectors *)

(** A round, the intervals of the arms, epsilon, and the decisions that the Python reference calls admissible. *)
Record vector : Set := Vector {
  vector_round : nat;
  vector_intervals : list rational_interval;
  vector_epsilon : Q;
  vector_decisions : list (nat * bool)
}.

Definition vector_arms (v : vector) : nat := length (vector_intervals v).
Definition vector_bounds (v : vector) (a : nat) : rational_interval :=
  nth (a - 1) (vector_intervals v) (QBetween None None).

Definition same_decision (x y : nat * bool) : bool := Nat.eqb (fst x) (fst y) && Bool.eqb (snd x) (snd y).
Definition listed (l : list (nat * bool)) (x : nat * bool) : bool := existsb (same_decision x) l.

Definition agrees (v : vector) : bool :=
  let computed := decisions_in_round (vector_arms v) (vector_bounds v) (vector_epsilon v) (vector_round v) in
  forallb (listed (vector_decisions v)) computed && forallb (listed computed) (vector_decisions v).

Lemma listed_in l x : listed l x = true <-> In x l.
Proof.
  unfold listed, same_decision. rewrite existsb_exists. split.
  - intros [[a q] [Hin H]]. destruct x as [a' q']. simpl in H. apply andb_true_iff in H. destruct H as [H1 H2].
    apply Nat.eqb_eq in H1. apply eqb_prop in H2. now subst.
  - intros H. exists x. split; [exact H|]. now rewrite Nat.eqb_refl, eqb_reflx.
Qed.

(** What agreement on a vector means: the answer of the code is the relation of the theorems. *)
Theorem agreement_means_the_relation v : agrees v = true -> forall a q,
  In (a, q) (vector_decisions v) <->
  decides_in_round (vector_arms v) (fun c => real_interval (vector_bounds v c)) (Q2R (vector_epsilon v))
    (vector_round v) a q.
Proof.
  intros H a q. rewrite <- the_computed_decisions_are_those_of_the_round. unfold agrees in H. cbv zeta in H.
  apply andb_true_iff in H. destruct H as [H1 H2]. rewrite forallb_forall in H1, H2.
  split; intros I; [apply H2 in I | apply H1 in I]; now apply listed_in in I.
Qed.

(** The decision relations of the four policies, computed over rational numbers, and proved equal to the relations of
    Decision.v and Baselines.v.

    Vectors.v evaluates them on cases that the Python reference has answered, so that model and code cannot part
    company. *)

From Coq Require Import Reals Lra Lia Arith List Bool QArith Qreals.
From Bufalu Require Import Sums Intervals Decision Baselines.
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

Definition widerb (e : Q) (i : rational_interval) : bool :=
  match qwidth i with
  | Some w => negb (Qle_bool w e)
  | None => true
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

Definition arms_of_largest_ucb : list nat :=
  filter (fun u => forallb (fun a => upper_leb (qupper (bounds a)) (qupper (bounds u))) (arms K)) (arms K).

Section Leader.
Variable candidates_of : nat -> nat -> list nat.

Definition decisions_of_leader (l : nat) : list (nat * bool) :=
  match others K l with
  | [] => [(l, false)]
  | _ => flat_map (fun u => map (outcome l u) (candidates_of l u)) (challengers l)
  end.

(** Every decision that some tie-break makes after the initial rounds, with leader, challenger and candidate. *)
Definition decisions : list (nat * bool) := flat_map decisions_of_leader leaders.
End Leader.

Definition bufalu_decisions : list (nat * bool) := decisions candidates.
Definition bufau_decisions : list (nat * bool) := decisions (fun _ _ => arms_of_largest_ucb).
Definition cbm_decisions : list (nat * bool) := map (fun u => (u, widerb epsilon (bounds u))) arms_of_largest_ucb.

Variables (means : nat -> Q) (log : Q) (queries : nat).

Definition number (n : nat) : Q := inject_Z (Z.of_nat n).

(** The test of the budget without the division. *)
Definition spentb : bool :=
  negb (Qle_bool epsilon 0) &&
  negb (Qle_bool ((number queries - number K + 1) * (epsilon * epsilon)) (6 * number K * log)).

Definition arms_of_largest_mean : list nat :=
  filter (fun m => forallb (fun a => Qle_bool (means a) (means m)) (arms K)) (arms K).

Definition greedy_decisions : list (nat * bool) :=
  if spentb then map (fun a => (a, false)) arms_of_largest_mean else map (fun a => (a, true)) arms_of_largest_ucb.
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

Lemma widerb_real e i : widerb e i = true <-> wider_than (Q2R e) (real_interval i).
Proof.
  unfold widerb, wider_than. rewrite <- qwidth_real. destruct (qwidth i) as [w|]; simpl; [|tauto].
  rewrite negb_true_iff, <- not_true_iff_false, Qle_bool_real. split; intros H; lra.
Qed.

Lemma number_real n : Q2R (number n) = INR n.
Proof. unfold number, Q2R. simpl. rewrite Rinv_1, Rmult_1_r. symmetry. apply INR_IZR_INZ. Qed.

Lemma in_best_arms K (leb : nat -> nat -> bool) (le : nat -> nat -> Prop) : (forall a c, leb a c = true <-> le a c) ->
  forall c, In c (filter (fun c => forallb (fun a => leb a c) (arms K)) (arms K)) <->
    is_arm K c /\ forall a, is_arm K a -> le a c.
Proof.
  intros Hle c. rewrite filter_In, in_arms, forallb_forall.
  split; intros [Hc H]; (split; [exact Hc|]); intros a Ha; apply Hle, H, in_arms, Ha.
Qed.

Section Equivalence.
Variables (K : nat) (bounds : nat -> rational_interval) (epsilon : Q).
Let real_bounds (a : nat) : interval := real_interval (bounds a).

Lemma in_leaders l : In l (leaders K bounds) <-> is_leader K real_bounds l.
Proof. exact (in_best_arms _ _ _ (fun a c => lower_leb_real _ _) _). Qed.

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

Lemma in_arms_of_largest_ucb u : In u (arms_of_largest_ucb K bounds) <-> has_the_largest_ucb K real_bounds u.
Proof. exact (in_best_arms _ _ _ (fun a c => upper_leb_real _ _) _). Qed.

Section Leader.
Variables (candidates_of : nat -> nat -> list nat) (candidate : nat -> nat -> nat -> Prop).
Hypothesis candidates_are_right : forall l u c, In c (candidates_of l u) <-> candidate l u c.
Hypothesis some_candidate_exists : forall l u, is_arm K l -> exists c, candidate l u c.

(** The computed decisions are exactly those of the relation. *)
Theorem the_computed_decisions_are_those_of_the_relation a q :
  In (a, q) (decisions K bounds epsilon candidates_of) <-> decision K real_bounds (Q2R epsilon) candidate a q.
Proof.
  unfold decisions. rewrite in_flat_map. split.
  - intros [l [Hl H]]. apply in_leaders in Hl. unfold decisions_of_leader in H.
    destruct (others K l) as [|o more] eqn:Hothers.
    + destruct H as [E|[]]. injection E as <- <-. apply plays_the_only_arm; [exact Hl|]. intros c Hc.
      destruct (Nat.eq_dec c l) as [E|Hne]; [exact E|]. exfalso.
      assert (I : In c (others K l)) by (apply in_others; split; [exact Hc | congruence]). rewrite Hothers in I.
      destruct I.
    + apply in_flat_map in H. destruct H as [u [Hu H]]. apply in_challengers in Hu.
      apply in_map_iff in H. destruct H as [c [E Hc]]. apply candidates_are_right in Hc.
      destruct (outcome_is_one_of_two l u c) as [O|O]; rewrite O in E; injection E as <- <-.
      * apply outcome_plays_leader in O. destruct O as [O|O].
        -- now apply plays_a_separated_leader with (u := u).
        -- now apply plays_the_leader_within_epsilon with (u := u) (c := c).
      * apply outcome_queries in O. now apply queries_the_candidate with (l := l) (u := u).
  - assert (Step : forall l u c, is_leader K real_bounds l -> is_challenger K real_bounds l u ->
      candidate l u c ->
      outcome bounds epsilon l u c = (a, q) ->
        exists l, In l (leaders K bounds) /\ In (a, q) (decisions_of_leader K bounds epsilon candidates_of l)).
    { intros l u c Hl Hu Hc O. exists l. split; [now apply in_leaders|]. unfold decisions_of_leader.
      assert (I : In u (others K l)) by (destruct Hu as [Ha [Hne _]]; apply in_others; split;
        [exact Ha | congruence]).
      destruct (others K l); [destruct I|]. apply in_flat_map. exists u. split; [now apply in_challengers|].
      apply in_map_iff. exists c. split; [exact O | now apply candidates_are_right]. }
    intros H. destruct H as [l Hl Honly | l u Hl Hu Hs | l u c Hl Hu Hc Hw | l u c Hl Hu Hc Hs Hw].
    + exists l. split; [now apply in_leaders|]. unfold decisions_of_leader.
      destruct (others K l) as [|o more] eqn:Hothers; [now left|].
      exfalso. assert (I : In o (others K l)) by (rewrite Hothers; now left). apply in_others in I.
      destruct I as [Ho Hne].
      apply Hne. symmetry. now apply Honly.
    + destruct (some_candidate_exists l u (proj1 Hl)) as [c Hc]. apply (Step l u c); trivial. apply outcome_plays_leader.
      now left.
    + apply (Step l u c); trivial. apply outcome_plays_leader. now right.
    + apply (Step l u c); trivial. now apply outcome_queries.
Qed.
End Leader.

Lemma some_bufalu_candidate_exists l u : exists c, is_candidate real_bounds l u c.
Proof.
  destruct (upper_le_total (width (real_bounds u)) (width (real_bounds l)));
    [exists l; left | exists u; right]; auto.
Qed.

Lemma some_arm_has_the_largest_ucb : (1 <= K)%nat -> exists c, has_the_largest_ucb K real_bounds c.
Proof.
  assert (Same : forall x, upper_le x x) by (intros x; destruct (upper_le_total x x); assumption).
  unfold has_the_largest_ucb, is_arm. induction K as [|n IH]; intros H; [lia|].
  destruct n as [|n]; [exists 1%nat; split; [lia|]; intros a Ha; replace a with 1%nat by lia; apply Same|].
  destruct (IH ltac:(lia)) as [c [Hc Hmax]].
  destruct (upper_le_total (upper (real_bounds c)) (upper (real_bounds (S (S n))))) as [L|L].
  - exists (S (S n)). split; [lia|]. intros a Ha. destruct (Nat.eq_dec a (S (S n))) as [->|Hne].
    + apply Same.
    + apply upper_le_trans with (upper (real_bounds c)); [apply Hmax; lia | exact L].
  - exists c. split; [lia|]. intros a Ha. destruct (Nat.eq_dec a (S (S n))) as [->|Hne]; [exact L | apply Hmax; lia].
Qed.

Theorem bufalu_is_computed a q :
  In (a, q) (bufalu_decisions K bounds epsilon) <-> admissible K real_bounds (Q2R epsilon) a q.
Proof.
  apply the_computed_decisions_are_those_of_the_relation; [exact in_candidates|].
  intros l u _. apply some_bufalu_candidate_exists.
Qed.

Theorem bufau_is_computed a q :
  In (a, q) (bufau_decisions K bounds epsilon) <-> bufau_admissible K real_bounds (Q2R epsilon) a q.
Proof.
  apply the_computed_decisions_are_those_of_the_relation; [intros l u c; apply in_arms_of_largest_ucb|].
  intros l u Hl. apply some_arm_has_the_largest_ucb. unfold is_arm in Hl. lia.
Qed.

Theorem cbm_is_computed a q :
  In (a, q) (cbm_decisions K bounds epsilon) <-> cbm_admissible K real_bounds (Q2R epsilon) a q.
Proof.
  unfold cbm_decisions, cbm_admissible. rewrite in_map_iff. unfold real_bounds at 2. rewrite <- widerb_real. split.
  - intros [u [E Hu]]. injection E as <- <-. split; [now apply in_arms_of_largest_ucb | tauto].
  - intros [Hu E]. exists a. split; [|now apply in_arms_of_largest_ucb]. f_equal.
    destruct (widerb epsilon (bounds a)), q; trivial; [symmetry; now apply E | now apply E].
Qed.

Section Greedy.
Variables (means : nat -> Q) (log : Q) (queries : nat).
Let real_means (a : nat) : R := Q2R (means a).

Lemma spentb_real : spentb K epsilon log queries = true <-> budget_is_spent K (Q2R epsilon) (Q2R log) (INR queries).
Proof.
  unfold spentb, budget_is_spent. rewrite andb_true_iff, !negb_true_iff, <- !not_true_iff_false, !Qle_bool_real.
  rewrite !Q2R_mult, Q2R_plus, Q2R_minus, !number_real, RMicromega.Q2R_0, RMicromega.Q2R_1.
  replace (Q2R 6) with 6%R by (unfold Q2R; simpl; field).
  generalize (6 * INR K * Q2R log)%R. intros L. generalize (Q2R epsilon), (INR queries), (INR K). intros e n k.
  split; intros [He H].
  - assert (Hpos : (0 < e)%R) by lra. split; [exact Hpos|].
    assert (E2 : (0 < e * e)%R) by now apply Rmult_lt_0_compat.
    assert (X : (L / (e * e) < n - k + 1)%R); [|lra].
    apply (Rmult_lt_reg_r (e * e)); [exact E2|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
  - split; [lra|]. assert (E2 : (0 < e * e)%R) by now apply Rmult_lt_0_compat.
    assert (X : (L / (e * e) < n - k + 1)%R) by lra.
    apply (Rmult_lt_compat_r (e * e)) in X; [|exact E2]. unfold Rdiv in X. rewrite Rmult_assoc, Rinv_l in X by lra. lra.
Qed.

Lemma in_arms_of_largest_mean m : In m (arms_of_largest_mean K means) <-> has_the_largest_mean K real_means m.
Proof. exact (in_best_arms _ _ _ (fun a c => Qle_bool_real _ _) _). Qed.

Theorem greedy_is_computed a q : In (a, q) (greedy_decisions K bounds epsilon means log queries) <->
  greedy_admissible K real_bounds (Q2R epsilon) real_means (Q2R log) (INR queries) a q.
Proof.
  unfold greedy_decisions, greedy_admissible. rewrite <- spentb_real, <- in_arms_of_largest_ucb,
    <- in_arms_of_largest_mean.
  destruct (spentb K epsilon log queries); rewrite in_map_iff; split.
  - intros [x [E Hx]]. injection E as <- <-. right. auto.
  - intros [[_ [H _]]|[-> [_ Hx]]]; [now elim H | now exists a].
  - intros [x [E Hx]]. injection E as <- <-. left. repeat split; [discriminate | exact Hx].
  - intros [[-> [_ Hx]]|[_ [H _]]]; [now exists a | discriminate].
Qed.
End Greedy.
End Equivalence.

(** ** The four policies *)

Inductive policy : Set := Bufalu | Bufau | Cbm | Greedy.

(** What the rules look at in a round: intervals, epsilon, and for greedy a number in the place of ln t and the queries so
    far. The empirical mean is the middle of a bounded interval; of an unbounded one it is taken to be 0. *)
Record rational_view : Set := View {
  view_round : nat;
  view_intervals : list rational_interval;
  view_epsilon : Q;
  view_log : Q;
  view_queries : nat
}.

Definition view_arms (v : rational_view) : nat := length (view_intervals v).
Definition view_bounds (v : rational_view) (a : nat) : rational_interval :=
  nth (a - 1) (view_intervals v) (QBetween None None).
Definition view_means (v : rational_view) (a : nat) : Q :=
  match view_bounds v a with
  | QBetween (Some x) (Some y) => (x + y) / 2
  | _ => 0
  end.

(** The relation of each policy after the initial rounds, over the reals. *)
Definition allows (p : policy) (v : rational_view) : nat -> bool -> Prop :=
  let bounds c := real_interval (view_bounds v c) in
  let epsilon := Q2R (view_epsilon v) in
  match p with
  | Bufalu => admissible (view_arms v) bounds epsilon
  | Bufau => bufau_admissible (view_arms v) bounds epsilon
  | Cbm => cbm_admissible (view_arms v) bounds epsilon
  | Greedy => greedy_admissible (view_arms v) bounds epsilon (fun c => Q2R (view_means v c)) (Q2R (view_log v))
      (INR (view_queries v))
  end.

(** The decisions of the round, initial rounds included. *)
Definition computed (p : policy) (v : rational_view) : list (nat * bool) :=
  if view_round v <=? view_arms v then [(view_round v, true)]
  else match p with
  | Bufalu => bufalu_decisions (view_arms v) (view_bounds v) (view_epsilon v)
  | Bufau => bufau_decisions (view_arms v) (view_bounds v) (view_epsilon v)
  | Cbm => cbm_decisions (view_arms v) (view_bounds v) (view_epsilon v)
  | Greedy => greedy_decisions (view_arms v) (view_bounds v) (view_epsilon v) (view_means v) (view_log v) (view_queries v)
  end.

Theorem the_computed_decisions_are_those_of_the_round p v a q :
  In (a, q) (computed p v) <-> in_round (view_arms v) (allows p v) (view_round v) a q.
Proof.
  unfold computed, in_round. destruct (view_round v <=? view_arms v).
  - simpl. split; [intros [E|[]]; injection E; auto | intros [-> ->]; now left].
  - destruct p; [apply bufalu_is_computed | apply bufau_is_computed | apply cbm_is_computed | apply greedy_is_computed].
Qed.

(** ** Test vectors *)

(** A view, and the decisions that the Python reference calls admissible for each policy. *)
Record vector : Set := Vector {
  vector_view : rational_view;
  of_bufalu : list (nat * bool);
  of_bufau : list (nat * bool);
  of_cbm : list (nat * bool);
  of_greedy : list (nat * bool)
}.

Definition answer (p : policy) (v : vector) : list (nat * bool) :=
  match p with
  | Bufalu => of_bufalu v
  | Bufau => of_bufau v
  | Cbm => of_cbm v
  | Greedy => of_greedy v
  end.

Definition same_decision (x y : nat * bool) : bool := Nat.eqb (fst x) (fst y) && Bool.eqb (snd x) (snd y).
Definition listed (l : list (nat * bool)) (x : nat * bool) : bool := existsb (same_decision x) l.

Definition agrees_on (p : policy) (v : vector) : bool :=
  forallb (listed (answer p v)) (computed p (vector_view v)) && forallb (listed (computed p (vector_view v))) (answer p v).
Definition agrees (v : vector) : bool := forallb (fun p => agrees_on p v) [Bufalu; Bufau; Cbm; Greedy].

Lemma listed_in l x : listed l x = true <-> In x l.
Proof.
  unfold listed, same_decision. rewrite existsb_exists. split.
  - intros [[a q] [Hin H]]. destruct x as [a' q']. simpl in H. apply andb_true_iff in H. destruct H as [H1 H2].
    apply Nat.eqb_eq in H1. apply eqb_prop in H2. now subst.
  - intros H. exists x. split; [exact H|]. now rewrite Nat.eqb_refl, eqb_reflx.
Qed.

(** What agreement on a vector means: the answers of the code are the relations. *)
Theorem agreement_means_the_relation v : agrees v = true -> forall p a q,
  In (a, q) (answer p v) <-> in_round (view_arms (vector_view v)) (allows p (vector_view v)) (view_round (vector_view v)) a q.
Proof.
  intros H p a q. rewrite <- the_computed_decisions_are_those_of_the_round. unfold agrees in H.
  rewrite forallb_forall in H. assert (P : agrees_on p v = true) by (apply H; destruct p; simpl; auto).
  unfold agrees_on in P. apply andb_true_iff in P. destruct P as [H1 H2]. rewrite forallb_forall in H1, H2.
  split; intros I; [apply H2 in I | apply H1 in I]; now apply listed_in in I.
Qed.

(** Part 3 as printed (l.314) is false under each of its two conditions, for the family of all Bernoulli laws: there is a
    consistent strategy of two arms, which takes turns, such that on the instance with two arms of mean 1, whose Kinf- is 0
    (condition (1)), or of mean 0, whose Kinf+ is 0 (condition (2)), the liminf of E n^q_T(a)/ln T is 0 for both arms.
    (Together they are queried super-logarithmically: SeveralOptima.v.) *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Expectation TotalExpectation FiniteLaws BinaryDivergence Strategies Consistency
  BalancingThreshold TakingTurns BernoulliThreshold ComparedMeans.
Import ListNotations.
Open Scope R_scope.

(** The construction for both conditions at once: both means are 0 and can only [rise], or both are 1 and can only fall. *)
Section Direction.
Variable rise : bool.

Definition extreme : R := if rise then 0 else 1.

(** ** The strategy *)

(** The sum of the distances from the extreme of the rewards seen on arm i. *)
Definition revealed (i : nat) (h : history) : R := sum h (weight i (fun x => Rabs (x - extreme))).

(** Query the arm i of the turn until it has level(t) queries. While it has shown nothing but the extreme, ask no more: if
    that is 1, i cannot be worse than the other arm j, and if it is 0, j cannot be worse than i. Otherwise give j level(t)
    queries too, and compare the means. *)
Definition decision (h : history) : nat * bool :=
  let t := S (length h) in
  let i := turn t in
  let j := (3 - i)%nat in
  if (query_count i h <? level t)%nat then (i, true)
  else if Rle_dec (revealed i h) 0 then (if rise then j else i, false)
  else if (query_count j h <? level t)%nat then (j, true)
  else (if Rle_dec (total j h * queries_in i h) (total i h * queries_in j h) then i else j, false).

Lemma decisions_are_arms h : is_arm 2 (fst (decision h)).
Proof.
  unfold decision, is_arm. cbv zeta. destruct (turns_are_arms (S (length h))) as [->| ->];
    repeat destruct (_ <? _)%nat; repeat destruct (Rle_dec _ _); destruct rise; cbn [fst]; lia.
Qed.

Definition turns_by_mean : strategy 2 := deterministic decision decisions_are_arms.

Lemma a_query_is_below_the_level h : snd (decision h) = true ->
  (query_count (fst (decision h)) h < level (S (length h)))%nat.
Proof.
  unfold decision. cbv zeta.
  destruct (Nat.ltb_spec (query_count (turn (S (length h))) h) (level (S (length h)))) as [H|H]; [auto|].
  destruct (Rle_dec _ _); [discriminate|].
  destruct (Nat.ltb_spec (query_count (3 - turn (S (length h))) h) (level (S (length h)))) as [H'|H']; [auto | discriminate].
Qed.

Lemma weights_le v u i h : (forall x, v x <= u x) -> sum h (weight i v) <= sum h (weight i u).
Proof.
  intros H. apply sum_le. intros o _. unfold weight. destruct (Nat.eqb _ _), (seen o); try lra. apply H.
Qed.

Lemma nothing_revealed i h : revealed i h <= 0 -> if rise then total i h <= 0 else queries_in i h <= total i h.
Proof.
  unfold revealed, extreme. intros H. destruct rise.
  - eapply Rle_trans; [|exact H]. apply weights_le. intros x. rewrite Rminus_0_r. apply Rle_abs.
  - assert (P := weights_le (fun x => -1 * x + 1) (fun x => Rabs (x - 1)) i h). rewrite weights_of_a_line in P.
    specialize (P ltac:(intros x; generalize (Rle_abs (- (x - 1))); rewrite Rabs_Ropp; lra)). lra.
Qed.

Section OnAnInstance.
Variable nu : nat -> law.

Lemma queries_are_at_most_the_level i T : expected_queries turns_by_mean nu i T <= INR (level T).
Proof.
  unfold expected_queries. rewrite <- (total_const (history_law turns_by_mean nu T) (INR (level T))).
  apply (history_law_le_along decision decisions_are_arms nu (fun h => (query_count i h <= level (length h))%nat)).
  - apply Nat.le_0_l.
  - intros h x H Hq _. rewrite query_count_of_a_query. assert (L := a_query_is_below_the_level h Hq).
    assert (G := level_grows (length h) (S (length h)) ltac:(lia)). simpl length.
    destruct (Nat.eqb_spec (fst (decision h)) i) as [<-|Ni]; lia.
  - intros h H _. rewrite query_count_of_a_play. assert (G := level_grows (length h) (S (length h)) ltac:(lia)).
    simpl length. lia.
  - intros h Hlen H. rewrite <- query_count_is_the_count. apply le_INR. now rewrite <- Hlen.
Qed.

(** ** The worse arm is played rarely *)

Variables w o : nat.
Hypothesis w_is_an_arm : is_arm 2 w.
Hypothesis o_is_the_other : o = (3 - w)%nat.
Hypothesis both_are_bernoulli : bernoulli (nu w) /\ bernoulli (nu o).
Hypothesis w_is_worse : law_mean (nu w) < law_mean (nu o).

(** An idle round plays [w] only where [w] looks too good or [o] too bad. *)
Lemma an_idle_play_of_the_worse_arm_is_misled h : let n := level (S (length h)) in (1 <= n)%nat ->
  plays_idly decision w h <= someone_misleads nu w o n h.
Proof.
  intros n Hn.
  assert (Pw := proj2 (proj2 (bernoulli_masses _ (proj1 both_are_bernoulli)))).
  assert (Po := proj2 (proj2 (bernoulli_masses _ (proj2 both_are_bernoulli)))).
  assert (Nn : 0 <= someone_misleads nu w o n h).
  { unfold someone_misleads. generalize (indicator_nonneg (misleads nu w (half_gap nu w o) 1 n h))
      (indicator_nonneg (misleads nu o (half_gap nu w o) (-1) n h)). lra. }
  assert (Le : forall e, 1 <= someone_misleads nu w o n h -> indicator e <= someone_misleads nu w o n h).
  { intros e H. generalize (indicator_le_1 e). lra. }
  assert (Zero : forall k, indicator (Nat.eqb k w && negb true) <= someone_misleads nu w o n h)
    by (intros; rewrite andb_false_r; exact Nn).
  assert (Other : indicator (Nat.eqb o w && negb false) <= someone_misleads nu w o n h).
  { rewrite (proj2 (Nat.eqb_neq _ _)); [exact Nn | unfold is_arm in *; lia]. }
  assert (Hi := turns_are_arms (S (length h))).
  unfold plays_idly, decision. cbv zeta. fold n. set (i := turn (S (length h))) in *.
  destruct (Nat.ltb_spec (query_count i h) n) as [H1|H1]; [apply Zero|].
  assert (Cases : (i = w /\ (3 - i)%nat = o) \/ (i = o /\ (3 - i)%nat = w)) by (unfold is_arm in *; lia).
  assert (Qw := queries_in_nonneg w h). assert (Qo := queries_in_nonneg o h).
  destruct Cases as [[Ei Ej]|[Ei Ej]]; rewrite Ei, Ej in *.
  - (* the turn of w *)
    destruct (Rle_dec (revealed w h) 0) as [H2|H2].
    + assert (N2 := nothing_revealed w h H2). cbn [fst snd]. destruct rise; [exact Other|]. apply Le.
      apply w_looks_too_good; [exact H1|].
      assert ((half_gap nu w o + law_mean (nu w)) * queries_in w h <= 1 * queries_in w h)
        by (apply Rmult_le_compat_r; [exact Qw | unfold half_gap; lra]). lra.
    + destruct (Nat.ltb_spec (query_count o h) n) as [H3|H3]; [apply Zero|].
      destruct (Rle_dec _ _) as [H4|H4]; cbn [fst snd]; [|exact Other]. apply Le. now apply a_wrong_order_misleads.
  - (* the turn of o *)
    destruct (Rle_dec (revealed o h) 0) as [H2|H2].
    + assert (N2 := nothing_revealed o h H2). cbn [fst snd]. destruct rise; [|exact Other]. apply Le.
      apply o_looks_too_bad; [exact H1|].
      assert (half_gap nu w o * queries_in o h <= law_mean (nu o) * queries_in o h)
        by (apply Rmult_le_compat_r; [exact Qo | unfold half_gap; lra]). lra.
    + destruct (Nat.ltb_spec (query_count w h) n) as [H3|H3]; [apply Zero|].
      destruct (Rle_dec _ _) as [H4|H4]; cbn [fst snd]; [exact Other|]. apply Le. apply a_wrong_order_misleads; trivial. lra.
Qed.
End OnAnInstance.

(** The strategy is consistent on all Bernoulli laws. *)
Theorem turns_by_mean_are_consistent : consistent bernoulli turns_by_mean.
Proof.
  intros nu HD w Hsub alpha eps Hal He. apply suboptimal_iff in Hsub. destruct Hsub as [Hw [o [Ho Hlt]]].
  assert (Eo : o = (3 - w)%nat).
  { destruct (Nat.eq_dec w o) as [->|Hne]; [lra|]. unfold is_arm in *. lia. }
  apply (the_worse_arm_is_played_rarely decision decisions_are_arms nu w o); trivial.
  - split; apply bernoulli_laws_live_on_the_unit_interval; now apply HD.
  - intros i T. apply queries_are_at_most_the_level.
  - intros t Ht Hl. apply history_law_le. intros h [Hlen _]. assert (E : S (length h) = t) by lia.
    assert (P := an_idle_play_of_the_worse_arm_is_misled nu w o Hw Eo (conj (HD w Hw) (HD o Ho)) Hlt h).
    cbv zeta in P. rewrite E in P. now apply P.
  - lra.
Qed.

(** ** The instance: both arms always pay the extreme *)

Definition two_extremes (_ : nat) : law := constant extreme.

Lemma the_extreme_is_bernoulli : bernoulli (constant extreme).
Proof. intros z Hz. simpl in Hz. unfold extreme in *. destruct (Req_EM_T z _), rise; tauto. Qed.

(** On it nothing is ever revealed, so that only the arm of the turn is queried. *)
Lemma a_resting_arm_is_not_queried i T0 T : (T0 <= T)%nat -> (forall t, (T0 < t <= T)%nat -> turn t <> i) ->
  expected_queries turns_by_mean two_extremes i T <= expected_queries turns_by_mean two_extremes i T0.
Proof.
  intros H. induction H as [|T H IH]; intros Hrest; [lra|]. specialize (IH ltac:(intros; apply Hrest; lia)).
  rewrite expected_queries_S. enough (history_law turns_by_mean two_extremes T (fun h => round_law turns_by_mean
    two_extremes h (fun o => indicator (Nat.eqb (arm o) i && is_query o))) <= 0) by lra.
  rewrite <- (total_const (history_law turns_by_mean two_extremes T) 0).
  apply (history_law_le_along decision decisions_are_arms two_extremes (fun h => forall k, revealed k h <= 0)).
  - intros k. unfold revealed, sum. simpl. lra.
  - intros h x K _ Hx k. assert (E : x = extreme) by (simpl in Hx; destruct (Req_EM_T x extreme); tauto).
    change (weight k (fun z => Rabs (z - extreme)) (Observation 0 (fst (decision h)) (Some x)) + revealed k h <= 0).
    specialize (K k). unfold weight. simpl. rewrite E, Rminus_eq_0, Rabs_R0. destruct (Nat.eqb _ _); lra.
  - intros h K _ k. specialize (K k).
    change (weight k (fun z => Rabs (z - extreme)) (Observation 0 (fst (decision h)) None) + revealed k h <= 0).
    unfold weight. simpl. destruct (Nat.eqb _ _); lra.
  - intros h Hlen K. unfold turns_by_mean. rewrite deterministic_round. unfold decision. cbv zeta. rewrite Hlen.
    specialize (Hrest (S T) ltac:(lia)).
    destruct (query_count (turn (S T)) h <? level (S T))%nat; cbn [fst snd].
    + unfold two_extremes. rewrite average_of_a_constant. simpl arm. rewrite (proj2 (Nat.eqb_neq _ _) Hrest). simpl.
      lra.
    + destruct (Rle_dec (revealed (turn (S T)) h) 0) as [_|H2]; [|elim H2; apply K]. cbn [fst snd]. unfold is_query.
      simpl seen. rewrite andb_false_r. simpl. lra.
Qed.

Lemma mean_of_two_extremes a : law_mean (two_extremes a) = extreme.
Proof. exact (average_of_a_constant extreme (fun x => x)). Qed.

Lemma best_of_two_extremes : best_mean 2 two_extremes = extreme.
Proof. destruct (best_is_attained 2 two_extremes ltac:(lia)) as [b [_ E]]. now rewrite <- E, mean_of_two_extremes. Qed.

Lemma both_extremes_are_optimal a : is_arm 2 a -> optimal 2 two_extremes a.
Proof. intros Ha. split; [exact Ha | now rewrite mean_of_two_extremes, best_of_two_extremes]. Qed.

Lemma each_arm_rests_long a eps N : is_arm 2 a -> 0 < eps ->
  exists T, (N <= T)%nat /\ expected_queries turns_by_mean two_extremes a T <= eps * ln (INR T).
Proof.
  intros Ha He.
  destruct (long_rests a eps N He ltac:(unfold is_arm in Ha; lia)) as [T0 [T [HN [HT [Hrest Hlevel]]]]].
  exists T. split; [exact HN|]. eapply Rle_trans; [apply (a_resting_arm_is_not_queried a T0 T HT Hrest)|].
  eapply Rle_trans; [apply queries_are_at_most_the_level | exact Hlevel].
Qed.
End Direction.

(** says: for the family of all Bernoulli laws there are a consistent strategy and an instance whose two arms are both optimal
      with Kinf- = 0, condition (1), while both limits inferior of E n^q_T(a)/ln T are 0: both means are 1, and the strategy
      takes turns in querying
    paper: l.314, l.659-663
    differs: the print asserts an optimal arm with infinite limit inferior
    breaks: "is_kinf_below" to "is_kinf_above" *)
Theorem no_optimal_arm_need_be_queried_super_logarithmically_if_means_can_fall :
  exists (s : strategy 2) (nu : nat -> law),
    consistent bernoulli s /\ instance_of 2 bernoulli nu /\
    (forall a, is_arm 2 a -> optimal 2 nu a /\ is_kinf_below bernoulli (nu a) (best_mean 2 nu) (Some 0)) /\
    forall a, is_arm 2 a -> forall eps N, 0 < eps ->
      exists T, (N <= T)%nat /\ expected_queries s nu a T <= eps * ln (INR T).
Proof.
  exists (turns_by_mean false), (two_extremes false). split; [apply turns_by_mean_are_consistent|].
  split; [intros a _; apply the_extreme_is_bernoulli|]. split.
  - intros a Ha. split; [now apply both_extremes_are_optimal|].
    rewrite best_of_two_extremes, <- (mean_of_two_extremes false a) at 1.
    apply bernoulli_means_can_fall; [apply the_extreme_is_bernoulli | rewrite mean_of_two_extremes; simpl; lra].
  - intros a Ha eps N He. now apply each_arm_rests_long.
Qed.

(** says: for the family of all Bernoulli laws there are a consistent strategy and an instance whose two arms are both optimal
      with Kinf+ = 0, condition (2), while both limits inferior of E n^q_T(a)/ln T are 0: both means are 0, and the strategy
      takes turns in querying
    paper: l.314, l.712-716
    differs: the print asserts an optimal arm with infinite limit inferior
    breaks: "0 < eps" to "0 <= eps" *)
Theorem no_optimal_arm_need_be_queried_super_logarithmically_if_means_can_rise :
  exists (s : strategy 2) (nu : nat -> law),
    consistent bernoulli s /\ instance_of 2 bernoulli nu /\
    (forall a, is_arm 2 a -> optimal 2 nu a /\ is_kinf_above bernoulli (nu a) (best_mean 2 nu) (Some 0)) /\
    forall a, is_arm 2 a -> forall eps N, 0 < eps ->
      exists T, (N <= T)%nat /\ expected_queries s nu a T <= eps * ln (INR T).
Proof.
  exists (turns_by_mean true), (two_extremes true). split; [apply turns_by_mean_are_consistent|].
  split; [intros a _; apply the_extreme_is_bernoulli|]. split.
  - intros a Ha. split; [now apply both_extremes_are_optimal|].
    rewrite best_of_two_extremes, <- (mean_of_two_extremes true a) at 1.
    apply bernoulli_means_can_rise; [apply the_extreme_is_bernoulli | rewrite mean_of_two_extremes; simpl; lra].
  - intros a Ha eps N He. now apply each_arm_rests_long.
Qed.

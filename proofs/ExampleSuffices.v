(** The second case of the example (l.736): where one optimal arm is in D2 and the other in D1, logarithmically many queries
    suffice. Indeed boundedly many do: a reward x shows that an arm is in D2, a reward 0 that it is in D1, and then the arm in
    D2 can be played without another query, whatever the instance. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Expectation TotalExpectation FiniteLaws BinaryDivergence Strategies Consistency
  BalancingThreshold TakingTurns FamilyExample ComparedMeans.
Import ListNotations.
Open Scope R_scope.

Section Example.
Variable x : R.
Hypothesis x_is_inside : 0 < x < 1.

(** How often arm i has shown the reward y. *)
Definition shown (y : R) (i : nat) (h : history) : R := sum h (weight i (fun z => if Req_EM_T z y then 1 else 0)).

(** Arm [a] has shown x, and arm [b] 0. *)
Definition told_apart (a b : nat) (h : history) : bool :=
  if Rlt_dec 0 (shown x a h) then if Rlt_dec 0 (shown 0 b h) then true else false else false.

Definition fewest (h : history) : nat := if (query_count 1 h <=? query_count 2 h)%nat then 1%nat else 2%nat.

(** Play the arm in D2 as soon as the arms are told apart. Until then query the arm with fewer queries up to level(t), and
    beside that play the larger mean. *)
Definition telling (h : history) : nat * bool :=
  if told_apart 1 2 h then (1%nat, false)
  else if told_apart 2 1 h then (2%nat, false)
  else if (query_count (fewest h) h <? level (S (length h)))%nat then (fewest h, true)
  else (if Rle_dec (total 2 h * queries_in 1 h) (total 1 h * queries_in 2 h) then 1%nat else 2%nat, false).

Lemma tellings_are_arms h : is_arm 2 (fst (telling h)).
Proof.
  unfold telling, fewest, is_arm. repeat destruct (told_apart _ _ h); repeat destruct (_ <? _)%nat; repeat destruct (_ <=? _)%nat;
    repeat destruct (Rle_dec _ _); cbn [fst]; lia.
Qed.

Definition telling_apart : strategy 2 := deterministic telling tellings_are_arms.

Lemma a_query_is_of_the_fewest h : snd (telling h) = true -> fst (telling h) = fewest h /\
  (query_count (fewest h) h < level (S (length h)))%nat /\ told_apart 1 2 h = false /\ told_apart 2 1 h = false.
Proof.
  unfold telling. destruct (told_apart 1 2 h), (told_apart 2 1 h); try discriminate.
  destruct (Nat.ltb_spec (query_count (fewest h) h) (level (S (length h)))) as [H|H]; [auto | discriminate].
Qed.

Lemma shown_of_a_query y i u a z h : shown y i (Observation u a (Some z) :: h)
  = (if Nat.eqb a i then if Req_EM_T z y then 1 else 0 else 0) + shown y i h.
Proof. reflexivity. Qed.

Lemma shown_of_a_play y i u a h : shown y i (Observation u a None :: h) = shown y i h.
Proof. unfold shown, sum, weight. simpl. destruct (Nat.eqb a i); lra. Qed.

Section OnAnInstance.
Variable nu : nat -> law.
Hypothesis nu_is_in_the_family : instance_of 2 (D1_or_D2 x) nu.

Lemma queries_are_at_most_the_level i T : expected_queries telling_apart nu i T <= INR (level T).
Proof.
  unfold expected_queries. rewrite <- (total_const (history_law telling_apart nu T) (INR (level T))).
  apply (history_law_le_along telling tellings_are_arms nu (fun h => (query_count i h <= level (length h))%nat)).
  - apply Nat.le_0_l.
  - intros h z H Hq _. rewrite query_count_of_a_query. destruct (a_query_is_of_the_fewest h Hq) as [E [L _]].
    assert (G := level_grows (length h) (S (length h)) ltac:(lia)). simpl length. rewrite E.
    destruct (Nat.eqb_spec (fewest h) i) as [<-|Ni]; lia.
  - intros h H _. rewrite query_count_of_a_play. assert (G := level_grows (length h) (S (length h)) ltac:(lia)).
    simpl length. lia.
  - intros h Hlen H. rewrite <- query_count_is_the_count. apply le_INR. now rewrite <- Hlen.
Qed.

(** Only laws of D2 show x, and only laws of D1 show 0. *)
Definition honest (h : history) : Prop := forall i, is_arm 2 i ->
  (0 < shown x i h -> D2 x (nu i)) /\ (0 < shown 0 i h -> D1 x (nu i)).

Lemma an_honest_query h z : honest h -> mass (nu (fst (telling h))) z <> 0 ->
  honest (Observation 0 (fst (telling h)) (Some z) :: h).
Proof.
  intros H Hz i Hi. destruct (H i Hi) as [Hx H0]. rewrite !shown_of_a_query.
  destruct (Nat.eqb_spec (fst (telling h)) i) as [E|E]; [|rewrite !Rplus_0_l; auto]. rewrite E in Hz.
  destruct (nu_is_in_the_family i Hi) as [In1|In2].
  - destruct (proj1 In1 z Hz) as [->| ->]; (split; [|auto]); destruct (Req_EM_T _ x); try lra; rewrite Rplus_0_l; auto.
  - destruct (In2 z Hz) as [->| ->]; (split; [auto|]); destruct (Req_EM_T _ 0); try lra; rewrite Rplus_0_l; auto.
Qed.

Lemma an_honest_play h : honest h -> honest (Observation 0 (fst (telling h)) None :: h).
Proof. intros H i Hi. rewrite !shown_of_a_play. now apply H. Qed.

Lemma an_honest_beginning : honest [].
Proof. intros i _. unfold shown, sum. simpl. lra. Qed.

Lemma what_is_told_apart_is_in_order a b h : honest h -> is_arm 2 a -> is_arm 2 b -> told_apart a b h = true ->
  law_mean (nu b) <= law_mean (nu a).
Proof.
  intros H Ha Hb Ht. unfold told_apart in Ht. destruct (Rlt_dec 0 (shown x a h)) as [Hx|]; [|discriminate].
  destruct (Rlt_dec 0 (shown 0 b h)) as [H0|]; [|discriminate].
  assert (A := D2_is_above x x_is_inside _ (proj1 (H a Ha) Hx)). assert (B := proj2 (proj2 (H b Hb) H0)). lra.
Qed.

Variables w o : nat.
Hypothesis w_is_an_arm : is_arm 2 w.
Hypothesis o_is_the_other : o = (3 - w)%nat.
Hypothesis w_is_worse : law_mean (nu w) < law_mean (nu o).

Lemma an_idle_play_of_the_worse_arm_is_misled h : let n := level (S (length h)) in (1 <= n)%nat -> honest h ->
  plays_idly telling w h <= someone_misleads nu w o n h.
Proof.
  intros n Hn Hh.
  assert (Nn : 0 <= someone_misleads nu w o n h).
  { unfold someone_misleads. generalize (indicator_nonneg (misleads nu w (half_gap nu w o) 1 n h))
      (indicator_nonneg (misleads nu o (half_gap nu w o) (-1) n h)). lra. }
  assert (Cases : (w = 1 /\ o = 2)%nat \/ (w = 2 /\ o = 1)%nat) by (unfold is_arm in *; lia).
  assert (Le : forall e, 1 <= someone_misleads nu w o n h -> indicator e <= someone_misleads nu w o n h).
  { intros e H. generalize (indicator_le_1 e). lra. }
  assert (O12 := what_is_told_apart_is_in_order 1 2 h Hh). assert (O21 := what_is_told_apart_is_in_order 2 1 h Hh).
  specialize (O12 ltac:(unfold is_arm; lia) ltac:(unfold is_arm; lia)).
  specialize (O21 ltac:(unfold is_arm; lia) ltac:(unfold is_arm; lia)).
  unfold plays_idly, telling. fold n.
  destruct (told_apart 1 2 h); [|destruct (told_apart 2 1 h)].
  - specialize (O12 eq_refl). destruct Cases as [[-> ->]|[-> ->]]; [lra | simpl; exact Nn].
  - specialize (O21 eq_refl). destruct Cases as [[-> ->]|[-> ->]]; [simpl; exact Nn | lra].
  - destruct (Nat.ltb_spec (query_count (fewest h) h) n) as [H1|H1]; [cbn [fst snd]; rewrite andb_false_r; exact Nn|].
    assert (Both : (n <= query_count 1 h)%nat /\ (n <= query_count 2 h)%nat).
    { unfold fewest in H1. destruct (Nat.leb_spec (query_count 1 h) (query_count 2 h)); lia. }
    cbn [fst snd]. destruct Cases as [[-> ->]|[-> ->]]; destruct (Rle_dec _ _) as [H2|H2]; try (simpl; exact Nn); apply Le;
      apply a_wrong_order_misleads; try tauto; lra.
Qed.
End OnAnInstance.

Lemma laws_of_the_example_live_on_the_unit_interval p : D1_or_D2 x p -> lives_on_the_unit_interval p.
Proof. intros [[H _]|H] z Hz; destruct (H z Hz) as [->| ->]; lra. Qed.

Lemma telling_apart_is_consistent : consistent (D1_or_D2 x) telling_apart.
Proof.
  intros nu HD w Hsub alpha eps Hal He. apply suboptimal_iff in Hsub. destruct Hsub as [Hw [o [Ho Hlt]]].
  assert (Eo : o = (3 - w)%nat).
  { destruct (Nat.eq_dec w o) as [->|Hne]; [lra|]. unfold is_arm in *. lia. }
  apply (the_worse_arm_is_played_rarely telling tellings_are_arms nu w o); trivial.
  - split; apply laws_of_the_example_live_on_the_unit_interval; now apply HD.
  - intros i T. apply queries_are_at_most_the_level.
  - intros t Ht Hl. apply (history_law_le_along telling tellings_are_arms nu (honest nu) (an_honest_beginning nu)).
    + intros h z Hh _. now apply an_honest_query.
    + intros h Hh _. now apply an_honest_play.
    + intros h Hlen Hh. assert (E : S (length h) = t) by lia.
      assert (P := an_idle_play_of_the_worse_arm_is_misled nu w o Hw Eo Hlt h). cbv zeta in P. rewrite E in P. now apply P.
  - lra.
Qed.

(** ** On the second case *)

Section SecondCase.
Variables (nu : nat -> law) (a b : nat).
Hypothesis two_arms : (a = 1 /\ b = 2)%nat \/ (a = 2 /\ b = 1)%nat.
Hypothesis a_is_the_constant_x : D2 x (nu a) /\ law_mean (nu a) = x.
Hypothesis b_is_ber_x : D1 x (nu b) /\ law_mean (nu b) = x.

(** Arm [a] has shown x as soon as it was queried; neither arm is queried more than once more than the other. *)
Definition even_handed (h : history) : Prop :=
  ((1 <= query_count a h)%nat -> 0 < shown x a h) /\ 0 <= shown x a h /\ 0 <= shown 0 b h /\
  (query_count b h = 0%nat -> shown 0 b h = 0) /\
  (query_count a h <= query_count b h + 1)%nat /\ (query_count b h <= query_count a h + 1)%nat.

Lemma an_even_handed_query h z : even_handed h -> snd (telling h) = true -> mass (nu (fst (telling h))) z <> 0 ->
  even_handed (Observation 0 (fst (telling h)) (Some z) :: h).
Proof.
  intros [I1 [I2 [I3 [I4 [I5 I6]]]]] Hq Hz. destruct (a_query_is_of_the_fewest h Hq) as [E _].
  unfold even_handed. rewrite !query_count_of_a_query, !shown_of_a_query. rewrite E in *.
  assert (F : (fewest h = a /\ query_count a h <= query_count b h)%nat \/ (fewest h = b /\ query_count b h <= query_count a h)%nat).
  { unfold fewest. destruct (Nat.leb_spec (query_count 1 h) (query_count 2 h)) as [Hle|Hle]; destruct two_arms as [[-> ->]|[-> ->]]; lia. }
  assert (Hab : a <> b) by lia.
  destruct F as [[Ef F]|[Ef F]]; rewrite Ef in *.
  - rewrite Nat.eqb_refl, (proj2 (Nat.eqb_neq a b) Hab).
    assert (Z : z = x).
    { destruct (an_optimal_law_of_D2 x x_is_inside _ (proj1 a_is_the_constant_x) (proj2 a_is_the_constant_x)) as [M _].
      destruct (proj1 a_is_the_constant_x z Hz) as [->| ->]; [reflexivity | contradiction]. }
    destruct (Req_EM_T z x); [|contradiction]. rewrite Rplus_0_l. repeat split; trivial; try lra; lia.
  - rewrite Nat.eqb_refl, (proj2 (Nat.eqb_neq b a) (fun e => Hab (eq_sym e))), !Rplus_0_l.
    repeat split; trivial; try lia. destruct (Req_EM_T z 0); lra.
Qed.

Lemma an_even_handed_play h : even_handed h -> even_handed (Observation 0 (fst (telling h)) None :: h).
Proof. unfold even_handed. now rewrite !query_count_of_a_play, !shown_of_a_play. Qed.

Lemma an_even_handed_beginning : even_handed [].
Proof. unfold even_handed, shown, sum, query_count. simpl. repeat split; try lra; lia. Qed.

(** The queries of [b], and what is still to come while it has not shown 0: a fair game. *)
Definition outlook (h : history) : R := queries_in b h + if Rlt_dec 0 (shown 0 b h) then 0 else / (1 - x).

Lemma the_outlook_is_fair T : history_law telling_apart nu T outlook <= / (1 - x).
Proof.
  assert (Ix : 0 < / (1 - x)) by (apply Rinv_0_lt_compat; lra).
  induction T as [|T IH].
  - simpl. unfold outlook, queries_in, shown, sum. simpl. destruct (Rlt_dec 0 0); lra.
  - eapply Rle_trans; [|exact IH]. rewrite one_more_round.
    apply (history_law_le_along telling tellings_are_arms nu even_handed an_even_handed_beginning).
    + intros h z Hh Hq Hz. now apply an_even_handed_query.
    + intros h Hh _. now apply an_even_handed_play.
    + intros h _ [I1 [I2 [I3 [I4 [I5 I6]]]]]. unfold telling_apart. rewrite deterministic_round.
      destruct (snd (telling h)) eqn:Hq.
      2: { unfold outlook. rewrite <- !query_count_is_the_count, query_count_of_a_play, shown_of_a_play. lra. }
      destruct (a_query_is_of_the_fewest h Hq) as [E [_ [N12 N21]]]. rewrite E.
      assert (F : (fewest h = a)%nat \/ (fewest h = b /\ query_count b h <= query_count a h)%nat).
      { unfold fewest. destruct (Nat.leb_spec (query_count 1 h) (query_count 2 h)) as [Hle|Hle];
          destruct two_arms as [[-> ->]|[-> ->]]; lia. }
      assert (Hab : a <> b) by lia.
      destruct F as [->|[-> F]].
      * rewrite (total_ext _ _ (fun _ => outlook h)); [rewrite total_const; lra|]. intros z. unfold outlook.
        rewrite <- !query_count_is_the_count, query_count_of_a_query, shown_of_a_query, (proj2 (Nat.eqb_neq a b) Hab), Rplus_0_l.
        reflexivity.
      * assert (Hidden : shown 0 b h <= 0).
        { destruct (Nat.eq_dec (query_count b h) 0) as [Z|Z]; [rewrite I4 by exact Z; lra|].
          assert (Hx := I1 ltac:(lia)). apply Rnot_lt_le. intros H0.
          assert (Ht : told_apart a b h = true).
          { unfold told_apart. destruct (Rlt_dec 0 (shown x a h)); [|contradiction].
            destruct (Rlt_dec 0 (shown 0 b h)); [reflexivity | contradiction]. }
          destruct two_arms as [[Ea Eb]|[Ea Eb]]; rewrite Ea, Eb in Ht; congruence. }
        assert (H0 : shown 0 b h = 0) by lra.
        destruct (an_optimal_law_of_D1 x x_is_inside _ (proj1 b_is_ber_x) (proj2 b_is_ber_x)) as [M1 M0].
        rewrite (average_on_two_points _ 0 1 _ ltac:(lra) (proj1 (proj1 b_is_ber_x))), M0, M1. unfold outlook.
        rewrite <- !query_count_is_the_count, !query_count_of_a_query, !shown_of_a_query, Nat.eqb_refl, H0.
        destruct (Req_EM_T 0 0); [|lra]. destruct (Req_EM_T 1 0); [lra|]. rewrite !Rplus_0_r.
        destruct (Rlt_dec 0 1); [|lra]. destruct (Rlt_dec 0 0); [lra|].
        rewrite S_INR. apply Req_le. field. lra.
Qed.

Lemma queries_in_the_second_case T :
  expected_queries telling_apart nu b T <= / (1 - x) /\ expected_queries telling_apart nu a T <= / (1 - x) + 1.
Proof.
  assert (Ix : 0 < / (1 - x)) by (apply Rinv_0_lt_compat; lra).
  assert (B : expected_queries telling_apart nu b T <= / (1 - x)).
  { eapply Rle_trans; [|apply (the_outlook_is_fair T)]. apply total_le. intros h. unfold outlook.
    destruct (Rlt_dec 0 (shown 0 b h)); lra. }
  split; [exact B|]. eapply Rle_trans; [|apply Rplus_le_compat_r; exact B].
  unfold expected_queries. rewrite <- (total_const (history_law telling_apart nu T) 1), <- total_plus.
  apply (history_law_le_along telling tellings_are_arms nu even_handed an_even_handed_beginning).
  - intros h z Hh Hq Hz. now apply an_even_handed_query.
  - intros h Hh _. now apply an_even_handed_play.
  - intros h _ [_ [_ [_ [_ [I5 _]]]]]. rewrite <- !query_count_is_the_count. change 1 with (INR 1). rewrite <- plus_INR. now apply le_INR.
Qed.
End SecondCase.

(** says: for every x in (0, 1) there is a consistent strategy of two arms on D1 u D2 with at most 1/(1-x) + 1 expected
      queries of each arm, whatever the horizon, on every instance whose two arms are optimal with mean x, one in D2 and one
      in D1
    paper: l.735-736
    differs: two arms; queries stay bounded, where the print has logarithmically many
    settles: lower.example_logarithmic_suffices
    breaks: "/ (1 - x) + 1" to "/ (1 - x) / 2" *)
Theorem in_the_second_case_bounded_queries_suffice : exists s : strategy 2, consistent (D1_or_D2 x) s /\
  forall nu a b, is_arm 2 a -> is_arm 2 b -> a <> b ->
    D2 x (nu a) -> D1 x (nu b) -> law_mean (nu a) = x -> law_mean (nu b) = x ->
    forall T, expected_queries s nu a T <= / (1 - x) + 1 /\ expected_queries s nu b T <= / (1 - x) + 1.
Proof.
  exists telling_apart. split; [exact telling_apart_is_consistent|]. intros nu a b Ha Hb Hab H2 H1 Ma Mb T.
  destruct (queries_in_the_second_case nu a b ltac:(unfold is_arm in *; lia) (conj H2 Ma) (conj H1 Mb) T). lra.
Qed.
End Example.

(** Beyond the paper: the bounds of the pair rule from nothing but laws on [0,1] and the rule, for every number of
    arms, every kappa >= 1, every spread s > 0 and every tie-break that depends on the past, a randomised one
    included. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Runs Expectation Experiment Counts Laws
  BernsteinIntervals
  PairMartingale PairRule PairRuns.
Import ListNotations.
Open Scope R_scope.

(** A good round that queries [a] finds at most [n] queries of it. *)
Definition counts_are_few {Omega} (x : experiment Omega) (good : nat -> Omega -> bool) (n : R) (a : nat) : Prop :=
  forall w t, (1 <= t <= horizon x)%nat -> good t w = true -> played (path_of x w) t = a ->
    queried (path_of x w) t = true -> INR (queries (path_of x w) a (t - 1)) <= n.

Lemma few_counts_are_few_queries {Omega} (x : experiment Omega) good (N : nat -> R) a : 0 <= N a ->
  counts_are_few x good (N a) a -> few_good_queries x good (fun a _ => N a) a.
Proof.
  intros HN H. split; [bounded|]. intros w.
  apply (queries_in_good_rounds_are_few (horizon x) (path_of x w) (fun t => good t w)); [exact HN|]. intros. now apply H.
Qed.

(** ** The numbers of queries *)

(** n^2 L <= A (n + c) makes n <= A/L + c. *)
Lemma a_count_from_its_square n L A c : 0 < L -> 0 <= A -> 0 <= c -> 0 < n -> L * (n * n) <= A * (n + c) -> n <= A / L
  + c.
Proof.
  intros HL HA Hc Hn H. apply Rnot_lt_le. intros Hlt.
  assert (H1 : A < L * (n - c)).
  { apply (Rmult_lt_reg_r (/ L)); [now apply Rinv_0_lt_compat|]. replace (L * (n - c) * / L) with (n - c) by (field;
    lra).
    unfold Rdiv in Hlt. lra. }
  assert (H2 : A * (n + c) < L * (n - c) * (n + c)) by (apply Rmult_lt_compat_r; lra).
  assert (H3 : 0 <= L * (c * c)) by (apply Rmult_le_pos; [lra | apply Rle_0_sqr]).
  replace (L * (n - c) * (n + c)) with (L * (n * n) - L * (c * c)) in H2 by ring. lra.
Qed.

(** max{A_l F_t/mu^2 + s (1 + kappa^2)/(1 + kappa), A_c F_t/mu^2 + s}, capped at t - 1: queries as leader, and as
    challenger. *)
Definition pair_enough (s kappa as_leader as_challenger : R) (t : nat) (mu : R) : R :=
  capped t mu (Rmax (as_leader * largest_log s t / (mu * mu) + (1 + kappa * kappa) * s / (1 + kappa))
    (as_challenger * largest_log s t / (mu * mu) + s)).

Lemma pair_enough_nonneg s kappa A B t mu : 0 < s -> 1 <= kappa -> 0 <= A -> 0 <= B -> (1 <= t)%nat ->
  0 <= pair_enough s kappa A B t mu.
Proof.
  intros Hs Hk HA HB Ht. unfold pair_enough, capped. destruct (Rle_dec mu 0); [apply pos_INR|].
  apply Rmin_glb; [|apply pos_INR]. eapply Rle_trans; [|apply Rmax_r].
  assert (HF := largest_log_is_nonneg s t Hs Ht). assert (Hmm : 0 < mu * mu) by (apply Rmult_lt_0_compat; lra).
  assert (0 <= B * largest_log s t / (mu * mu)); [|lra].
  unfold Rdiv. apply Rmult_le_pos; [apply Rmult_le_pos; lra | left; now apply Rinv_0_lt_compat].
Qed.

Section Reaches.
Variables (s kappa : R) (t n : nat).
Hypothesis spread : 0 < s.
Hypothesis ratio : 1 <= kappa.
Hypothesis some_queries : (1 <= n <= t - 1)%nat.

Lemma counts_from_a_thinness A c level (F : R) : 0 <= A -> 0 <= F -> 0 <= c -> 0 < level ->
  level * level <= A * F * ((INR n + c) / (INR n * INR n)) -> INR n <= A * F / (level * level) + c.
Proof.
  intros HA HF Hc Hl H. assert (Hn : 0 < INR n) by (apply lt_0_INR; lia).
  assert (Hnn : 0 < INR n * INR n) by now apply Rmult_lt_0_compat.
  apply a_count_from_its_square; trivial; [now apply Rmult_lt_0_compat | now apply Rmult_le_pos|].
  apply (Rmult_le_compat_r (INR n * INR n)) in H; [|lra].
  replace (A * F * ((INR n + c) / (INR n * INR n)) * (INR n * INR n)) with (A * F * (INR n + c)) in H by (field; lra).
  exact H.
Qed.

Lemma counts_below_pair_enough A B level : 0 <= A -> 0 <= B ->
  (0 < level -> INR n <= A * largest_log s t / (level * level) + (1 + kappa * kappa) * s / (1 + kappa) \/
    INR n <= B * largest_log s t / (level * level) + s) ->
  INR n <= pair_enough s kappa A B t level.
Proof.
  intros HA HB H. assert (Hn : INR n <= INR (t - 1)) by (apply le_INR; lia). unfold pair_enough, capped.
  destruct (Rle_dec level 0); [exact Hn|]. apply Rmin_glb; [|exact Hn].
  destruct (H ltac:(lra)) as [G|G]; (eapply Rle_trans; [exact G|]); [apply Rmax_l | apply Rmax_r].
Qed.

Lemma a_leader_that_reaches factor A level : 0 <= factor -> factor * (1 + kappa) <= A -> 0 < level ->
  leader_reaches s kappa t factor level n ->
  INR n <= A * largest_log s t / (level * level) + (1 + kappa * kappa) * s / (1 + kappa).
Proof.
  intros Hf HA Hl H. assert (HF := largest_log_is_nonneg s t spread ltac:(lia)).
  assert (Hn : 0 < INR n) by (apply lt_0_INR; lia).
  assert (Hkk : 0 <= (1 + kappa * kappa) * s / (1 + kappa)).
  { unfold Rdiv. apply Rmult_le_pos; [apply Rmult_le_pos; [generalize (Rle_0_sqr kappa); unfold Rsqr|]; lra|].
    left. apply Rinv_0_lt_compat. lra. }
  assert (Hfk : 0 <= factor * (1 + kappa)) by (apply Rmult_le_pos; lra).
  apply counts_from_a_thinness; trivial; [lra|]. unfold leader_reaches in H. eapply Rle_trans; [exact H|].
  unfold leader_thinness.
  replace (factor * largest_log s t * (((1 + kappa) * INR n + (1 + kappa * kappa) * s) / (INR n * INR n)))
    with (factor * (1 + kappa) * (largest_log s t * ((INR n + (1 + kappa * kappa) * s / (1 + kappa)) / (INR n * INR
      n))))
    by (field; lra).
  rewrite (Rmult_assoc A). apply Rmult_le_compat_r; [|exact HA]. apply Rmult_le_pos; [exact HF|].
  unfold Rdiv at 1. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. now apply Rmult_lt_0_compat.
Qed.

Lemma a_challenger_that_reaches B level : 0 <= B -> 0 < level -> level * level <= B * largest_log s t * thinness s n ->
  INR n <= B * largest_log s t / (level * level) + s.
Proof.
  intros HB Hl H. assert (HF := largest_log_is_nonneg s t spread ltac:(lia)). apply counts_from_a_thinness; trivial.
    lra.
Qed.

Lemma challenger_reaches_as_thinness factor B level : 0 <= factor -> factor * (1 + / kappa) <= B ->
  challenger_reaches s kappa t factor level n -> level * level <= B * largest_log s t * thinness s n.
Proof.
  intros Hf HB H. assert (HF := largest_log_is_nonneg s t spread ltac:(lia)).
  assert (G := thinness_is_positive s spread n ltac:(lia)). eapply Rle_trans; [exact H|]. unfold challenger_thinness.
  replace (factor * largest_log s t * ((1 + / kappa) * thinness s n))
    with (factor * (1 + / kappa) * (largest_log s t * thinness s n)) by ring.
  rewrite (Rmult_assoc B). apply Rmult_le_compat_r; [apply Rmult_le_pos; lra | exact HB].
Qed.
End Reaches.

(** ** Experiments of the pair rule *)

(** Each round draws a row from [row_law], in which arm [a] would pay X(a); the decisions of a round depend on the
    rows before it, so on the rewards that were queried, on private randomness that rows may carry, and on nothing of
    the future. *)
Record pair_rule_on_rows {Row : Type} (s kappa : R) (row_law : expectation Row) (X : nat -> Row -> R) (missing : Row)
    (decide : list Row -> nat * bool) (epsilon : nat -> R) (x : experiment (list Row)) : Prop := PairRuleOnRows {
  pair_spread : 0 < s;
  pair_ratio : 1 <= kappa;
  row_rewards : forall a r, is_arm (arms_of x) a -> 0 <= X a r <= 1;
  row_means : forall a, is_arm (arms_of x) a -> row_law (X a) = mean (instance x) a;
  pair_epsilon : forall t, (arms_of x < t <= horizon x)%nat -> 0 <= epsilon t;
  decided_by_the_past : forall w, path_of x w = run_along missing decide w;
  decided_by_the_rule : forall w t, (1 <= t <= horizon x)%nat ->
    in_round (arms_of x) (pair_decision (arms_of x) s kappa t (fun a => queries (path_of x w) a (t - 1))
      (fun a => queried_mean missing decide X w a (t - 1)) (epsilon t)) t (played (path_of x w) t) (queried (path_of x
        w) t)
}.

(** The sum of 1/(t b(t)), where b(t) is the number of binary digits of t. *)
Definition rare_failures (T : nat) : R := sum (rounds T) (fun t => / (INR t * INR (digits t))).

Section EndToEnd.
Context {Row : Type}.
Variables (s kappa : R) (row_law : expectation Row) (X : nat -> Row -> R) (missing : Row).
Variables (decide : list Row -> nat * bool) (epsilon : nat -> R) (x : experiment (list Row)).
Hypothesis setting : pair_rule_on_rows s kappa row_law X missing decide epsilon x.
Let b := instance x.
Let K := arms_of x.
Let T := horizon x.
Let E := one_from_each (repeat row_law T).
Let spread := pair_spread _ _ _ _ _ _ _ _ setting.
Let ratio := pair_ratio _ _ _ _ _ _ _ _ setting.
Let past := decided_by_the_past _ _ _ _ _ _ _ _ setting.
Let ruled := decided_by_the_rule _ _ _ _ _ _ _ _ setting.
Let means := row_means _ _ _ _ _ _ _ _ setting.
Let nonneg := pair_epsilon _ _ _ _ _ _ _ _ setting.
Let count (w : list Row) (t a : nat) : nat := queries (path_of x w) a (t - 1).
Let estimate (w : list Row) (t a : nat) : R := queried_mean missing decide X w a (t - 1).

(** No pair of [star] and another arm is worth t b(t) before round t. *)
Definition pairs_are_worth_little (star t : nat) (w : list Row) : bool :=
  forallb (fun a => negb (at_most (INR t * INR (digits t))
    (worth_of missing decide X s (mean b) w a (t - 1) * worth_of missing decide X s (mean b) w star (t - 1)))) (others
      K star).

Lemma every_arm_has_counts w t : (K < t <= T)%nat -> forall a, is_arm K a -> (1 <= count w t a <= t - 1)%nat.
Proof.
  intros Ht a Ha. split; [|apply queries_le_rounds].
  apply (after_the_initial_rounds_every_arm_is_queried (fun _ _ _ _ _ => True) K T (fun _ _ => whole_line) epsilon).
  - intros r Hr. generalize (ruled w r Hr). apply in_round_mono. trivial.
  - exact Ha.
  - unfold is_arm in Ha. lia.
Qed.

Lemma little_worth_makes_good_pairs star t w : optimal b star -> (K < t <= T)%nat ->
  pairs_are_worth_little star t w = true -> pairs_are_good K s t (count w t) (estimate w t) b star.
Proof.
  intros Hopt Ht H a Ha Hne. unfold pairs_are_worth_little in H. rewrite forallb_forall in H.
  specialize (H a ltac:(apply in_others; split; [exact Ha | congruence])). apply negb_true_iff in H.
  assert (Hs : is_arm K star) by apply Hopt.
  assert (Ca := every_arm_has_counts w t Ht a Ha). assert (Cs := every_arm_has_counts w t Ht star Hs).
  unfold count in Ca, Cs |- *. rewrite past in *.
  assert (D := a_small_worth_is_a_small_difference missing decide X s (mean b) spread w a star (t - 1) t ltac:(lia)
    (proj1 Ca) (proj1 Cs)).
  replace (gap b a) with (mean b star - mean b a) by (unfold gap; rewrite (proj2 Hopt); ring).
  apply D. unfold at_most in H. destruct (Rle_dec _ _); [discriminate | lra].
Qed.

(** Before round t, some pair with [star] is worth t b(t) with probability at most (K - 1)/(t b(t)). *)
Lemma pairs_are_rarely_worth_much star t : is_arm K star -> (1 <= t <= T)%nat ->
  probability E (fun w => negb (pairs_are_worth_little star t w)) <= (INR K - 1) * / (INR t * INR (digits t)).
Proof.
  intros Hs Ht. set (v := INR t * INR (digits t)).
  assert (Hv : 0 < v) by (apply Rmult_lt_0_compat; apply lt_0_INR; [lia | unfold digits; lia]).
  eapply Rle_trans.
  { apply (union_bound E (others K star) (fun a w => at_most v (worth_of missing decide X s (mean b) w a (t - 1)
      * worth_of missing decide X s (mean b) w star (t - 1)))).
    intros w Hw. apply negb_true_iff in Hw. revert Hw. unfold pairs_are_worth_little. fold v. generalize (others K
      star).
    induction l as [|a l IH]; simpl; [discriminate|]. destruct (at_most _ _) eqn:Ea; simpl.
    - intros _. exists a. auto.
    - intros Hw. destruct (IH Hw) as [c [Hc Hv']]. exists c. auto. }
  eapply Rle_trans.
  { apply (sum_le _ _ (fun _ => 1 / v)). intros a Ha. apply in_others in Ha. destruct Ha as [Ha Hne].
    apply (the_worth_of_two_arms_reaches_a_level_rarely missing decide X s (mean b) K spread row_law
      (row_rewards _ _ _ _ _ _ _ _ setting) means a star v T (t - 1)); trivial; [congruence | lia]. }
  rewrite sum_const. assert (C := sum_split_off_arm K star (fun _ => 1) Hs). rewrite !sum_const in C. unfold arms in C.
  rewrite seq_length in C. apply Req_le. unfold Rdiv. replace (INR (length (others K star))) with (INR K - 1) by lra.
    ring.
Qed.

(** says: for every optimal arm and every round t > K there is an event that fails with probability at most (K - 1)/(t
      b(t)) and on which the empirical difference between the optimal arm and each other arm falls short of their gap
      by at most their radius, for every K >= 1, kappa >= 1, s > 0, rewards in [0,1] and every tie-break that depends on
      the past
    paper: beyond the paper
    settles: pairs.good_event
    breaks: "(INR K - 1) *" to "(INR K - 2) *" *)
Theorem pairs_are_rarely_misleading star t : optimal b star -> (K < t <= T)%nat -> exists good : list Row -> bool,
  probability E (fun w => negb (good w)) <= (INR K - 1) * / (INR t * INR (digits t)) /\
  forall w, good w = true -> pairs_are_good K s t (count w t) (estimate w t) b star.
Proof.
  intros Hopt Ht. exists (pairs_are_worth_little star t). split.
  - apply pairs_are_rarely_worth_much; [apply Hopt | lia].
  - intros w. now apply little_worth_makes_good_pairs.
Qed.

Lemma pairs_fail_rarely star : is_arm K star ->
  sum (rounds T) (fun t => probability E (fun w => negb (pairs_are_worth_little star t w)))
    <= (INR K - 1) * rare_failures T.
Proof.
  intros Hs. unfold rare_failures. rewrite <- sum_scal. apply sum_le. intros t Ht. apply in_rounds in Ht.
  now apply pairs_are_rarely_worth_much.
Qed.

(** ** Numbers of queries *)

Definition cap_enough : nat -> R -> R := pair_enough s kappa ((1 + kappa) / 2) ((1 + / kappa) / 2).
Definition suboptimal_enough : nat -> R -> R := pair_enough s kappa ((1 + kappa) / 2) (2 * (1 + / kappa)).
Definition optimal_enough : nat -> R -> R := pair_enough s kappa (2 * (1 + kappa)) ((1 + / kappa) / 2).
Definition several_enough : nat -> R -> R := pair_enough s kappa ((1 + kappa) / 2) 2.

Let inverse : 0 < / kappa.
Proof. apply Rinv_0_lt_compat. assert (H := ratio). lra. Qed.

(** What a round says of a queried arm, as a number of queries before it. *)
Lemma a_query_at_a_level A B level w t a : (K < t <= T)%nat -> is_arm K a -> (1 + kappa) / 2 <= A -> (1 + / kappa) / 2
  <= B ->
  pair_decision K s kappa t (count w t) (estimate w t) (epsilon t) a true ->
  (0 < level -> INR (count w t a) <= A * largest_log s t / (level * level) + (1 + kappa * kappa) * s / (1 + kappa) \/
    INR (count w t a) <= B * largest_log s t / (level * level) + s) ->
  INR (count w t a) <= pair_enough s kappa A B t (Rmax level (epsilon t)).
Proof.
  intros Ht Ha HA HB H Hlevel. assert (R := ratio). assert (I := inverse). assert (P := spread).
  assert (C := every_arm_has_counts w t Ht). assert (He := nonneg t Ht).
  apply counts_below_pair_enough; [now apply C | lra | lra|]. intros Hpos.
  unfold Rmax in *. destruct (Rle_dec level (epsilon t)) as [Hle|Hgt]; [|now apply Hlevel].
  destruct (a_query_of_the_pair_rule_needs_a_thin_arm K s kappa t (count w t) (estimate w t) (epsilon t) P R
    ltac:(lia) C a He H)
    as [L|L]; [left|right].
  - apply (a_leader_that_reaches s kappa t (count w t a) P R (C a Ha) (1 / 2)); trivial; lra.
  - apply (a_challenger_that_reaches s t (count w t a) P (C a Ha)); [lra | exact Hpos|].
    apply (challenger_reaches_as_thinness s kappa t (count w t a) P (C a Ha) (1 / 2)); trivial; lra.
Qed.

(** The number of queries before a good query, from what holds after the initial rounds. *)
Lemma few_counts good (enough : nat -> R -> R) level a : is_arm K a -> (forall t, (1 <= t)%nat -> 0 <= enough t (Rmax
  level (epsilon t))) ->
  (forall w t, (K < t <= T)%nat -> good t w = true ->
     pair_decision K s kappa t (count w t) (estimate w t) (epsilon t) a true ->
     INR (count w t a) <= enough t (Rmax level (epsilon t))) ->
  forall w t, (1 <= t <= T)%nat -> good t w = true -> played (path_of x w) t = a -> queried (path_of x w) t = true ->
    INR (queries (path_of x w) a (t - 1)) <= n_bar enough epsilon level T.
Proof.
  intros Ha Hpos H w t Ht Hg Hp Hq. assert (Q := ruled w t Ht). unfold in_round in Q. fold K in Q.
  destruct (Nat.leb_spec t K) as [HK|HK].
  - assert (Ea : a = t) by (destruct Q; congruence).
    rewrite Ea, (before_its_first_round_an_arm_has_no_queries (fun _ _ _ _ _ => True) K T (fun _ _ => whole_line)
      epsilon)
      by (try lia; intros r Hr; generalize (ruled w r Hr); apply in_round_mono; trivial).
    apply maximum_nonneg.
  - rewrite Hp, Hq in Q. eapply Rle_trans; [apply (H w t ltac:(lia) Hg Q)|].
    apply (le_maximum (fun t => enough t (Rmax level (epsilon t)))). exact Ht.
Qed.

Lemma enough_nonneg A B level : 0 <= A -> 0 <= B ->
  forall t, (1 <= t)%nat -> 0 <= pair_enough s kappa A B t (Rmax level (epsilon t)).
Proof. intros. now apply pair_enough_nonneg. Qed.

Lemma initial_rounds_are_queries w t : (1 <= t <= T)%nat -> (t <= K)%nat -> queried (path_of x w) t = true.
Proof.
  intros Ht HK. assert (Q := ruled w t Ht). unfold in_round in Q. fold K in Q.
  replace (t <=? K) with true in Q by (symmetry; now apply Nat.leb_le). now destruct Q.
Qed.

Lemma unqueried_plays_are_within_epsilon star w t : optimal b star -> (K < t <= T)%nat ->
  pairs_are_worth_little star t w = true -> queried (path_of x w) t = false ->
  gap b (played (path_of x w) t) <= epsilon t.
Proof.
  intros Hopt Ht Hg Hq. assert (Q := ruled w t ltac:(lia)). unfold in_round in Q. fold K in Q.
  replace (t <=? K) with false in Q by (symmetry; apply Nat.leb_gt; lia). rewrite Hq in Q.
  apply (an_unqueried_arm_of_the_pair_rule_is_within_epsilon K s kappa t (count w t) (estimate w t) (epsilon t) b
    eq_refl star);
    [now apply nonneg | exact Hopt | now apply little_worth_makes_good_pairs | exact Q].
Qed.

(** A suboptimal arm in a good round, and the unique optimal one. *)
Lemma a_good_query_of_a_suboptimal_arm star a w t : optimal b star -> is_arm K a -> 0 < gap b a -> (K < t <= T)%nat ->
  pairs_are_worth_little star t w = true ->
  pair_decision K s kappa t (count w t) (estimate w t) (epsilon t) a true ->
  INR (count w t a) <= suboptimal_enough t (Rmax (gap b a) (epsilon t)).
Proof.
  intros Hopt Ha Hgap Ht Hg H. assert (R := ratio). assert (I := inverse). assert (P := spread).
  assert (C := every_arm_has_counts w t Ht). assert (He := nonneg t Ht).
  apply a_query_at_a_level; trivial; try lra. intros _.
  destruct (a_queried_suboptimal_arm_of_the_pair_rule K s kappa t (count w t) (estimate w t) (epsilon t) b eq_refl P R
    ltac:(lia) C star a He Hopt (little_worth_makes_good_pairs star t w Hopt Ht Hg) Hgap H) as [L|L]; [left|right].
  - apply (a_leader_that_reaches s kappa t (count w t a) P R (C a Ha) (1 / 2)); trivial; lra.
  - apply (a_challenger_that_reaches s t (count w t a) P (C a Ha)); [lra | exact Hgap|].
    apply (challenger_reaches_as_thinness s kappa t (count w t a) P (C a Ha) 2); trivial; lra.
Qed.

Lemma a_good_query_of_the_unique_optimum star m w t : unique_optimal_arm b star -> 0 <= m ->
  (forall c, is_arm K c -> c <> star -> m <= gap b c) -> (K < t <= T)%nat -> pairs_are_worth_little star t w = true ->
  pair_decision K s kappa t (count w t) (estimate w t) (epsilon t) star true ->
  INR (count w t star) <= optimal_enough t (Rmax m (epsilon t)).
Proof.
  intros Hu Hm0 Hm Ht Hg H. assert (R := ratio). assert (I := inverse). assert (P := spread).
  assert (C := every_arm_has_counts w t Ht). assert (He := nonneg t Ht). assert (Ha : is_arm K star) by apply Hu.
  apply a_query_at_a_level; trivial; try lra. intros Hpos.
  destruct (a_queried_unique_optimal_arm_of_the_pair_rule K s kappa t (count w t) (estimate w t) (epsilon t) b eq_refl
    P R
    ltac:(lia) C star m He Hu (little_worth_makes_good_pairs star t w (proj1 Hu) Ht Hg) Hm0 Hm H) as [L|L];
      [left|right].
  - apply (a_leader_that_reaches s kappa t (count w t star) P R (C star Ha) 2); trivial; lra.
  - apply (a_challenger_that_reaches s t (count w t star) P (C star Ha)); [lra | exact Hpos|].
    apply (challenger_reaches_as_thinness s kappa t (count w t star) P (C star Ha) (1 / 2)); trivial; lra.
Qed.

Lemma a_good_query_with_several_optima y z a w t : optimal b y -> optimal b z -> y <> z -> is_arm K a -> (K < t <=
  T)%nat ->
  pairs_are_worth_little y t w && pairs_are_worth_little z t w = true ->
  pair_decision K s kappa t (count w t) (estimate w t) (epsilon t) a true ->
  INR (count w t a) <= several_enough t (Rmax (gap b a) (epsilon t)).
Proof.
  intros Hy Hz Hyz Ha Ht Hg H. assert (R := ratio). assert (I := inverse). assert (P := spread).
  assert (I1 : / kappa <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
  assert (C := every_arm_has_counts w t Ht). assert (He := nonneg t Ht). apply andb_true_iff in Hg. destruct Hg as [Gy
    Gz].
  apply a_query_at_a_level; trivial; try lra. intros Hgap.
  destruct (with_several_optima_a_queried_suboptimal_arm_of_the_pair_rule K s kappa t (count w t) (estimate w t)
    (epsilon t) b
    eq_refl P R ltac:(lia) C y z a Hy Hz Hyz (little_worth_makes_good_pairs y t w Hy Ht Gy)
    (little_worth_makes_good_pairs z t w Hz Ht Gz) He Hgap H) as [L|L]; [left|right].
  - apply (a_leader_that_reaches s kappa t (count w t a) P R (C a Ha) (1 / 2)); trivial; lra.
  - apply (a_challenger_that_reaches s t (count w t a) P (C a Ha)); [lra | exact Hgap | exact L].
Qed.

(** From counts to expectations, with an epsilon and counts that are fixed in advance. *)
Lemma pair_queries_from_counts good failures N : sum (rounds T) (fun t => probability E (fun w => negb (good t w))) <= failures ->
  (forall a, is_arm K a -> 0 <= N a) -> (forall a, is_arm K a -> counts_are_few x good (N a) a) ->
  E (queries_on x) <= sum (arms K) N + (INR K + failures).
Proof.
  intros F HN Hfew. eapply Rle_trans; [apply (queries_from_counts E x good failures F (fun a _ => N a))|].
  - intros a Ha. apply few_counts_are_few_queries; auto.
  - apply Rplus_le_compat_r, Req_le, sum_ext. intros. apply expect_const.
Qed.

Lemma pair_regret_from_counts good failures N star : sum (rounds T) (fun t => probability E (fun w => negb (good t w))) <= failures ->
  optimal b star -> (forall w t, good t w = true -> pairs_are_worth_little star t w = true) ->
  (forall a, is_arm K a -> 0 <= N a) -> (forall a, is_arm K a -> 0 < gap b a -> counts_are_few x good (N a) a) ->
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (N a + rounds_with_large_epsilon K epsilon (gap b a) T))
    + (INR K + failures) * largest_gap b.
Proof.
  intros F Hopt Hgood HN Hfew. eapply Rle_trans; [apply (regret_from_counts E x good failures F (fun _ => epsilon)
    initial_rounds_are_queries) with (N := fun a _ => N a)|].
  - intros w t Ht Hg Hq. apply (unqueried_plays_are_within_epsilon star); auto.
  - intros. bounded.
  - intros a Ha Hgap. apply few_counts_are_few_queries; auto.
  - apply Rplus_le_compat_r, Req_le, sum_ext. intros. now rewrite 2 expect_const.
Qed.

Let C := (INR K - 1) * rare_failures T.

(** says: the pair rule, for every K >= 1, T, kappa >= 1, s > 0, rewards in [0,1], nonnegative epsilon fixed in
      advance and every tie-break that depends on the past: on every path an arm has at most N-bar(T, 0) + 1 queries,
      with N = (1 + kappa) F_t/2 over epsilon^2 and a constant; regret at most the sum of gap times N-bar + L at the
      gap, plus K + C times the largest gap, where N is the larger of (1 + kappa) F_t/2 and 2 (1 + 1/kappa) F_t over
      gap^2 and a constant; queries with a unique optimal arm at most the same N-bar for the others, 2 (1 + kappa) F_t
      over the square of the smallest gap for it, plus K + C; C is K - 1 times the sum of 1/(t b(t)), and F_t is ln(t
      b(t)) + ln((t - 1 + s)/s)
    paper: beyond the paper
    settles: pairs.cap; pairs.theorem.regret; pairs.theorem.queries
    breaks: "n_bar suboptimal_enough epsilon (gap b a) T + rounds" to "rounds" *)
Theorem the_pair_rule_end_to_end :
  (forall w a, is_arm K a -> INR (queries (path_of x w) a T) <= n_bar cap_enough epsilon 0 T + 1) /\
  E (regret_on x) <= sum (arms K) (fun a => gap b a *
      (n_bar suboptimal_enough epsilon (gap b a) T + rounds_with_large_epsilon K epsilon (gap b a) T))
    + (INR K + C) * largest_gap b /\
  (forall a_star m, unique_optimal_arm b a_star -> 0 <= m -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (queries_on x) <= sum (others K a_star) (fun a => n_bar suboptimal_enough epsilon (gap b a) T)
       + n_bar optimal_enough epsilon m T + (INR K + C)).
Proof.
  assert (R := ratio). assert (I := inverse). split; [|split].
  - intros w a Ha. rewrite queries_as_sum.
    apply (queries_in_good_rounds_are_few T (path_of x w) (fun _ => true)); [apply maximum_nonneg|].
    intros t Ht _ Hp Hq. apply (few_counts (fun _ _ => true) cap_enough 0 a Ha); trivial.
    + apply enough_nonneg; lra.
    + intros v r Hr _ H. apply a_query_at_a_level; trivial; lra.
  - assert (Hopt := some_optimal_arm_is_optimal b). set (star := some_optimal_arm b) in *.
    apply (pair_regret_from_counts (pairs_are_worth_little star) C (fun a => n_bar suboptimal_enough epsilon (gap b a) T)
      star (pairs_fail_rarely star (proj1 Hopt)) Hopt); [trivial | intros; apply maximum_nonneg|].
    intros a Ha Hgap. unfold counts_are_few.
    apply (few_counts (pairs_are_worth_little star) suboptimal_enough (gap b a) a Ha); [apply enough_nonneg; lra|].
      intros w t Ht Hg H. now apply (a_good_query_of_a_suboptimal_arm star).
  - intros a_star m Hu Hm0 Hm. assert (Ha := optimal_is_arm b a_star (proj1 Hu)).
    set (N := fun a => if Nat.eqb a_star a then n_bar optimal_enough epsilon m T
      else n_bar suboptimal_enough epsilon (gap b a) T).
    assert (Q : E (queries_on x) <= sum (arms K) N + (INR K + C)).
    { apply (pair_queries_from_counts (pairs_are_worth_little a_star) C N (pairs_fail_rarely a_star Ha)).
      - intros a _. unfold N. destruct (Nat.eqb a_star a); apply maximum_nonneg.
      - intros a Haa. unfold counts_are_few, N. destruct (Nat.eqb_spec a_star a) as [<-|Hne].
        + apply (few_counts (pairs_are_worth_little a_star) optimal_enough m a_star Haa); [apply enough_nonneg; lra|].
          intros w t Ht Hg H. now apply a_good_query_of_the_unique_optimum.
        + apply (few_counts (pairs_are_worth_little a_star) suboptimal_enough (gap b a) a Haa); [apply enough_nonneg;
          lra|].
          intros w t Ht Hg H. apply (a_good_query_of_a_suboptimal_arm a_star); trivial; [apply Hu|].
          destruct Hu as [_ Hlt]. unfold gap. specialize (Hlt a Haa ltac:(congruence)). lra. }
    rewrite (sum_split_off_arm K a_star N Ha) in Q.
    rewrite (sum_ext _ N (fun a => n_bar suboptimal_enough epsilon (gap b a) T)) in Q.
    + unfold N in Q. rewrite Nat.eqb_refl in Q. lra.
    + intros a Hin. apply in_others in Hin. unfold N. now rewrite (proj2 (Nat.eqb_neq a_star a) (proj2 Hin)).
Qed.

(** says: the pair rule with several optimal arms, as above: regret and queries with the larger of (1 + kappa) F_t/2
      and 2 F_t over gap^2 and a constant, and K + 2 C
    paper: beyond the paper
    settles: pairs.theorem.several_optima
    breaks: "2 * C" to "C / 2" *)
Theorem the_pair_rule_with_several_optima_end_to_end : several_optimal_arms b ->
  E (regret_on x) <= sum (arms K) (fun a => gap b a *
      (n_bar several_enough epsilon (gap b a) T + rounds_with_large_epsilon K epsilon (gap b a) T))
    + (INR K + 2 * C) * largest_gap b /\
  E (queries_on x) <= sum (arms K) (fun a => n_bar several_enough epsilon (gap b a) T) + (INR K + 2 * C).
Proof.
  intros [y [z [Hy [Hz Hyz]]]]. assert (R := ratio). assert (I := inverse).
  set (good := fun t w => pairs_are_worth_little y t w && pairs_are_worth_little z t w).
  assert (F : sum (rounds T) (fun t => probability E (fun w => negb (good t w))) <= 2 * C).
  { assert (Fy := pairs_fail_rarely y (proj1 Hy)). assert (Fz := pairs_fail_rarely z (proj1 Hz)). fold C in Fy, Fz.
    apply Rle_trans with (sum (rounds T) (fun t => probability E (fun w => negb (pairs_are_worth_little y t w))
      + probability E (fun w => negb (pairs_are_worth_little z t w)))); [|rewrite sum_plus; lra].
    apply sum_le. intros t _. unfold probability. rewrite <- expect_plus by bounded.
    apply expect_le; [bounded | bounded|]. intros w. unfold good.
    destruct (pairs_are_worth_little y t w), (pairs_are_worth_little z t w); simpl; lra. }
  assert (Few : forall a, is_arm K a -> counts_are_few x good (n_bar several_enough epsilon (gap b a) T) a).
  { intros a Ha. unfold counts_are_few. apply (few_counts good several_enough (gap b a) a Ha); [apply enough_nonneg; lra|].
    intros w t Ht Hg H. now apply (a_good_query_with_several_optima y z). }
  split.
  - apply (pair_regret_from_counts good (2 * C) (fun a => n_bar several_enough epsilon (gap b a) T) y F Hy).
    + intros w t Hg. unfold good in Hg. now apply andb_true_iff in Hg.
    + intros. apply maximum_nonneg.
    + intros a Ha _. now apply Few.
  - apply (pair_queries_from_counts good (2 * C) (fun a => n_bar several_enough epsilon (gap b a) T) F); [|exact Few].
    intros. apply maximum_nonneg.
Qed.
End EndToEnd.

(** The pair rule in the model of the lower bounds. Its upper bounds draw a row of rewards in each round, and its decisions
    depend on the rows before; so a strategy that plays by it is run on rows, with the law of its history. It is consistent
    on all laws of finite support on [0,1] if epsilon tends to 0. *)

From Coq Require Import Reals Lra Lia Arith List Bool FunctionalExtensionality.
From Bufalu Require Import Sums Intervals Decision GapQuery Runs Expectation Experiment Setting HoeffdingIntervals Laws
  Witness TotalExpectation FiniteLaws Strategies RewardTape Consistency QueryCosts BalancingThreshold TakingTurns
  PairRule PairRuns PairEndToEnd PairWitness PairClosedForms PairFrontier OneModel ConsistentRules.
Import ListNotations.
Open Scope R_scope.

(** ** Strategies that play by the pair rule *)

(** The mean of the rewards of arm [a] that a history shows. *)
Definition mean_seen (h : history) (a : nat) : R := sum h (weight a (fun x => x)) / INR (query_count a h).

(** After every history, and with every seed, the strategy makes a decision that the pair rule admits. *)
Definition plays_by_pairs {K : nat} (spread kappa : R) (epsilon : nat -> R) (s : strategy K) : Prop :=
  forall h u, let t := S (length h) in
    in_round K (pair_decision K spread kappa t (fun a => query_count a h) (mean_seen h) (epsilon t)) t
      (fst (move s h u)) (snd (move s h u)).

(** One row: a reward of each arm. *)
Definition row_law (nu : nat -> law) (K : nat) : expectation (list reward) := row_of_laws (fun a => reward_law (nu a)) K.

Lemma a_row_pays_by_the_law nu K a g : instance_of K lives_on_the_unit_interval nu -> is_arm K a ->
  row_law nu K (fun r => g (pay a r)) = average (nu a) g.
Proof.
  intros Hnu Ha. unfold row_law, row_of_laws, pay.
  rewrite (marginal_of_draws (map (fun a => reward_law (nu a)) (arms K)) (a - 1) (reward_law (nu a)) no_reward
    (fun y => g (value y))).
  - apply (what_has_mass_is_certain (nu a)). intros x Hx. simpl. now rewrite (value_as_reward x (Hnu a Ha x Hx)).
  - rewrite nth_error_map. unfold arms. unfold is_arm in Ha.
    rewrite (nth_error_nth' _ 0%nat) by (rewrite seq_length; lia). rewrite seq_nth by lia. simpl. do 3 f_equal. lia.
Qed.

(** ** Runs on rows *)

Section Rows.
Context {K : nat}.
Variables (s : strategy K) (choose : history -> R).

(** The strategy whose seed after a history is the one that [choose] names. *)
Definition with_seeds : strategy K := Strategy K (fun h => constant (choose h)) (move s) (moves_are_arms s).

Definition decision_after (h : history) : nat * bool := move s h (choose h).
Definition after_the_row (h : history) (r : list reward) : history :=
  Observation (choose h) (fst (decision_after h))
    (if snd (decision_after h) then Some (pay (fst (decision_after h)) r) else None) :: h.
Definition history_of_rows (h : history) (p : list (list reward)) : history := fold_left after_the_row p h.
Definition decide_on_rows (p : list (list reward)) : nat * bool := decision_after (history_of_rows [] p).
Let path_on_rows (w : list (list reward)) : path := run_along [] decide_on_rows w.

Lemma one_more_row h p r : history_of_rows h (p ++ [r]) = after_the_row (history_of_rows h p) r.
Proof. unfold history_of_rows. now rewrite fold_left_app. Qed.

Lemma first_rows_and_one_more n (w : list (list reward)) : first_rows [] (S n) w = first_rows [] n w ++ [nth n w []].
Proof.
  unfold first_rows, rounds. rewrite seq_S, map_app. cbn [map]. do 3 f_equal. lia.
Qed.

Lemma length_of_the_history_of_rows p : length (history_of_rows [] p) = length p.
Proof.
  induction p as [|r p IH] using rev_ind; [reflexivity|]. rewrite one_more_row, app_length. simpl length. rewrite IH. lia.
Qed.

Lemma rows_have_the_law_of_the_history nu T f : instance_of K lives_on_the_unit_interval nu ->
  one_from_each (repeat (row_law nu K) T) (fun w => f (history_of_rows [] (first_rows [] T w)))
    = history_law with_seeds nu T f.
Proof.
  intros Hnu. rewrite history_law_is_a_run, run_is_onwards. generalize (@nil observation).
  induction T as [|T IH]; intros h; [reflexivity|]. simpl repeat. rewrite one_from_first. cbn [onwards].
  rewrite round_law_as_averages. simpl seed_law. rewrite average_of_a_constant. simpl move. fold (decision_after h).
  transitivity (row_law nu K (fun r => onwards (round_law with_seeds nu) T (after_the_row h r) f)).
  - apply expect_ext. intros r. rewrite <- IH. apply expect_ext. intros w. now rewrite first_rows_from_first.
  - unfold after_the_row. destruct (snd (decision_after h)).
    + apply (a_row_pays_by_the_law nu K _ (fun x => onwards (round_law with_seeds nu) T
        (Observation (choose h) (fst (decision_after h)) (Some x) :: h) f) Hnu). apply moves_are_arms.
    + apply expect_const.
Qed.

Lemma the_history_counts_the_run p :
  (forall a, query_count a (history_of_rows [] p) = queries (path_on_rows p) a (length p)) /\
  (forall a, sum (history_of_rows [] p) (weight a (fun x => x)) = centred_sum [] decide_on_rows pay 0 p a (length p)).
Proof.
  induction p as [|r p [IH1 IH2]] using rev_ind; [split; reflexivity|].
  rewrite one_more_row, app_length. simpl length. rewrite Nat.add_1_r. unfold path_on_rows in *. split; intros a.
  - rewrite queries_of_one_more, <- IH1. fold (decision_after (history_of_rows [] p)). unfold after_the_row, decide_on_rows.
    destruct (snd _); [rewrite query_count_of_a_query | rewrite query_count_of_a_play];
      destruct (Nat.eqb _ a); simpl; lia.
  - rewrite centred_sum_of_one_more, <- IH2. unfold after_the_row, decide_on_rows. set (h := history_of_rows [] p).
    change (weight a (fun x => x) (Observation (choose h) (fst (decision_after h))
      (if snd (decision_after h) then Some (pay (fst (decision_after h)) r) else None)) + sum h (weight a (fun x => x))
      = sum h (weight a (fun x => x))
        + indicator (Nat.eqb (fst (decision_after h)) a && snd (decision_after h)) * (pay a r - 0)).
    unfold weight at 1. cbn [arm seen].
    destruct (Nat.eqb_spec (fst (decision_after h)) a) as [->|_], (snd (decision_after h)); simpl; lra.
Qed.

Variables (spread kappa : R) (epsilon : nat -> R).
Hypothesis s_plays_by_pairs : plays_by_pairs spread kappa epsilon s.

Lemma the_run_on_rows_follows_the_rule w t : (1 <= t)%nat ->
  in_round K (pair_decision K spread kappa t (fun a => queries (path_on_rows w) a (t - 1))
    (fun a => queried_mean [] decide_on_rows pay w a (t - 1)) (epsilon t)) t
    (played (path_on_rows w) t) (queried (path_on_rows w) t).
Proof.
  intros Ht. set (p := first_rows [] (t - 1) w). destruct (the_history_counts_the_run p) as [H1 H2].
  assert (Hlen : length p = (t - 1)%nat) by apply length_first_rows. rewrite Hlen in H1, H2.
  assert (Q := s_plays_by_pairs (history_of_rows [] p) (choose (history_of_rows [] p))). cbv zeta in Q.
  rewrite length_of_the_history_of_rows, Hlen in Q. replace (S (t - 1)) with t in Q by lia.
  assert (C : (fun a => query_count a (history_of_rows [] p)) = fun a => queries (path_on_rows w) a (t - 1)).
  { extensionality a. rewrite H1. unfold p, path_on_rows. apply queries_of_first_rows. lia. }
  assert (M : mean_seen (history_of_rows [] p) = fun a => queried_mean [] decide_on_rows pay w a (t - 1)).
  { extensionality a. unfold mean_seen. rewrite H2, (f_equal (fun c => c a) C). unfold queried_mean, path_on_rows. f_equal.
    unfold p. rewrite centred_sum_of_first_rows by lia. apply sum_ext. intros; ring. }
  rewrite C, M in Q. exact Q.
Qed.

Hypothesis spread_is_positive : 0 < spread.
Hypothesis kappa_is_a_ratio : 1 <= kappa.
Hypothesis epsilon_is_nonneg : forall t, 0 <= epsilon t.

Lemma the_run_on_rows_is_an_experiment nu b T : instance_of K lives_on_the_unit_interval nu -> is_bandit_of K nu b ->
  exists x : experiment (list (list reward)), instance x = b /\ horizon x = T /\
    pair_rule_on_rows spread kappa (row_law nu K) pay [] decide_on_rows epsilon x.
Proof.
  intros Hnu [HK Hm].
  assert (A : forall w, plays_arms (number_of_arms b) T (path_on_rows w))
    by (intros w t _; rewrite HK; apply moves_are_arms).
  exists (Experiment (list (list reward)) b T (fun _ _ _ => whole_line) (fun _ => epsilon) path_on_rows A).
  split; [reflexivity|]. split; [reflexivity|]. constructor; trivial; unfold arms_of; simpl instance; rewrite HK.
  - intros a r _. apply a_reward_is_in_the_unit_interval.
  - intros a Ha. rewrite (Hm a Ha). exact (a_row_pays_by_the_law nu K a (fun x => x) Hnu Ha).
  - intros w t Ht. now apply the_run_on_rows_follows_the_rule.
Qed.

Lemma queries_of_the_history_of_rows a T w :
  queries_in a (history_of_rows [] (first_rows [] T w)) = INR (queries (path_on_rows w) a T).
Proof.
  destruct (the_history_counts_the_run (first_rows [] T w)) as [H _].
  rewrite <- query_count_is_the_count, H, length_first_rows. f_equal. apply queries_of_first_rows. lia.
Qed.

Lemma gaps_of_the_history_of_rows (g : nat -> R) T w :
  sum (history_of_rows [] (first_rows [] T w)) (fun o => g (arm o)) = sum (rounds T) (fun t => g (played (path_on_rows w) t)).
Proof.
  induction T as [|T IH]; [reflexivity|]. rewrite sum_rounds_S, <- IH, first_rows_and_one_more, one_more_row.
  unfold path_on_rows, run_along, decide_on_rows. cbn [played]. replace (S T - 1)%nat with T by lia. apply Rplus_comm.
Qed.
End Rows.

(** Some seeds give at least what all seeds give on average. *)
Lemma some_seeds_after_histories_are_at_least_the_average {K : nat} (s : strategy K) nu T f :
  exists choose, history_law s nu T f <= history_law (with_seeds s choose) nu T f.
Proof.
  set (value_of := fun h u => if snd (move s h u)
    then average (nu (fst (move s h u))) (fun x => onwards (round_law s nu) (T - S (length h))
      (Observation u (fst (move s h u)) (Some x) :: h) f)
    else onwards (round_law s nu) (T - S (length h)) (Observation u (fst (move s h u)) None :: h) f).
  exists (fun h => best_seed (seed_law s h) (value_of h)). set (choose := fun h => best_seed _ _).
  rewrite !history_law_is_a_run, !run_is_onwards.
  assert (G : forall n h, (n + length h = T)%nat ->
    onwards (round_law s nu) n h f <= onwards (round_law (with_seeds s choose) nu) n h f).
  { induction n as [|n IH]; intros h Hn; [apply Rle_refl|]. cbn [onwards]. rewrite !round_law_as_averages.
    simpl seed_law. rewrite average_of_a_constant. simpl move.
    assert (B := the_average_is_at_most_the_best (seed_law s h) (value_of h)). fold (choose h) in B.
    unfold value_of in B. replace (T - S (length h))%nat with n in B by lia. eapply Rle_trans; [exact B|].
    destruct (snd (move s h (choose h))); [apply total_le; intros x|]; apply IH; simpl; lia. }
  apply G. simpl. lia.
Qed.

(** ** The pair rule as a strategy *)

(** What a path shows on the rows [w], if it draws no seeds. *)
Fixpoint observed_on_rows (p : path) (w : list (list reward)) (T : nat) : history :=
  match T with
  | O => []
  | S n => let a := played p (S n) in
      Observation 0 a (if queried p (S n) then Some (pay a (nth n w [])) else None) :: observed_on_rows p w n
  end.

Lemma a_history_of_rows_is_observed {K : nat} (s : strategy K) w T :
  history_of_rows s (fun _ => 0) [] (first_rows [] T w)
    = observed_on_rows (run_along [] (decide_on_rows s (fun _ => 0)) w) w T.
Proof.
  induction T as [|T IH]; [reflexivity|]. cbn [observed_on_rows]. rewrite <- IH, first_rows_and_one_more, one_more_row.
  unfold run_along, decide_on_rows. cbn [played queried]. replace (S T - 1)%nat with T by lia. reflexivity.
Qed.

(** The initial rounds play and query the arms in turn, the later ones decide by the pair rule, with one tie-break. *)
Definition decision_by_pairs (K : nat) (spread kappa : R) (epsilon : nat -> R) (h : history) : nat * bool :=
  let t := S (length h) in
  if t <=? K then (t, true) else decide_by_pairs K spread kappa t (fun a => query_count a h) (mean_seen h) (epsilon t).

Lemma decisions_by_pairs_are_admissible K spread kappa epsilon h : (1 <= K)%nat -> let t := S (length h) in
  in_round K (pair_decision K spread kappa t (fun a => query_count a h) (mean_seen h) (epsilon t)) t
    (fst (decision_by_pairs K spread kappa epsilon h)) (snd (decision_by_pairs K spread kappa epsilon h)).
Proof.
  intros HK. cbv zeta. unfold in_round, decision_by_pairs. destruct (S (length h) <=? K); [now split|].
  now apply the_pair_decision_is_admissible.
Qed.

Lemma decisions_by_pairs_play_arms K spread kappa epsilon h : (1 <= K)%nat ->
  is_arm K (fst (decision_by_pairs K spread kappa epsilon h)).
Proof.
  intros HK. assert (Q := decisions_by_pairs_are_admissible K spread kappa epsilon h HK). cbv zeta in Q. unfold in_round in Q.
  destruct (Nat.leb_spec (S (length h)) K); [destruct Q as [-> _]; unfold is_arm; lia|].
  exact (pair_decision_is_arm _ _ _ _ _ _ _ _ _ Q).
Qed.

(** says: the pair rule is a strategy in the sense of the lower bounds: for every K >= 1, kappa >= 1, s > 0 and nonnegative
      epsilon there is a strategy that decides by the pair rule after every history, and for all reward laws of finite
      support on [0,1] and every T there is an experiment of the pair rule on rows of rewards, one row a round, such that
      the expectation of every function of what its path shows is that of the strategy's history
    paper: beyond the paper; compare l.296
    settles: model.pairs_is_a_strategy
    breaks: "(1 <= K)%nat" to "(0 <= K)%nat" *)
Theorem the_pair_rule_is_a_strategy K spread kappa epsilon : (1 <= K)%nat -> 0 < spread -> 1 <= kappa ->
  (forall t, 0 <= epsilon t) ->
  exists s : strategy K, plays_by_pairs spread kappa epsilon s /\
    forall nu b T, instance_of K lives_on_the_unit_interval nu -> is_bandit_of K nu b ->
    exists decide (x : experiment (list (list reward))), instance x = b /\ horizon x = T /\
      pair_rule_on_rows spread kappa (row_law nu K) pay [] decide epsilon x /\
      forall f, one_from_each (repeat (row_law nu K) T) (fun w => f (observed_on_rows (path_of x w) w T))
        = history_law s nu T f.
Proof.
  intros HK Hs Hk He.
  set (s := deterministic (decision_by_pairs K spread kappa epsilon)
    (fun h => decisions_by_pairs_play_arms K spread kappa epsilon h HK)). exists s.
  assert (P : plays_by_pairs spread kappa epsilon s)
    by (intros h u; exact (decisions_by_pairs_are_admissible K spread kappa epsilon h HK)).
  split; [exact P|]. intros nu b T Hnu Hb. exists (decide_on_rows s (fun _ => 0)).
  destruct (the_run_on_rows_is_an_experiment s (fun _ => 0) spread kappa epsilon P Hs Hk He nu b T Hnu Hb)
    as [x [Hx [HT R]]].
  exists x. split; [exact Hx|]. split; [exact HT|]. split; [exact R|]. intros f.
  transitivity (history_law (with_seeds s (fun _ => 0)) nu T f); [|reflexivity].
  rewrite <- rows_have_the_law_of_the_history by exact Hnu. apply expect_ext. intros w.
  now rewrite a_history_of_rows_is_observed, (decided_by_the_past _ _ _ _ _ _ _ _ R).
Qed.

(** ** It is consistent *)

Lemma the_largest_log_is_logarithmic s : 0 < s -> at_most_logarithmic (largest_log s).
Proof.
  intros Hs. assert (I : 0 < / s) by now apply Rinv_0_lt_compat. exists (3 + / s). split; [lra|]. intros T HT.
  assert (H1 : 1 <= INR T) by (change 1 with (INR 1); now apply le_INR). assert (L := ln_of_round_nonneg T HT).
  assert (D0 : 0 < INR (digits T)) by (apply lt_0_INR; unfold digits; lia).
  assert (D : INR (digits T) <= INR T) by (apply le_INR; assert (Q := Nat.log2_lt_lin T HT); unfold digits; lia).
  assert (LD := ln_is_monotone _ _ D0 D). assert (M := le_INR (T - 1) T ltac:(lia)). assert (P := pos_INR (T - 1)).
  assert (LS : ln ((INR (T - 1) + s) / s) <= ln (INR T * (1 + / s))).
  { apply ln_is_monotone; [apply Rdiv_lt_0_compat; lra|].
    replace ((INR (T - 1) + s) / s) with (INR (T - 1) * / s + 1) by (field; lra).
    assert (INR (T - 1) * / s <= INR T * / s) by (apply Rmult_le_compat_r; lra). lra. }
  rewrite ln_mult in LS by lra. assert (T1 := ln_at_most_tangent (1 + / s) ltac:(lra)).
  unfold largest_log. rewrite ln_mult by lra. assert (0 <= / s * ln (INR T)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma the_failures_are_logarithmic : at_most_logarithmic (fun T => harmonic (digits T)).
Proof.
  apply (logarithmic_mono _ (fun T => 1 + largest_log 1 T)).
  - intros T HT. eapply Rle_trans; [apply harmonic_numbers_are_logarithmic; unfold digits; lia|]. apply Rplus_le_compat_l.
    assert (H1 : 1 <= INR T) by (change 1 with (INR 1); now apply le_INR). assert (P := pos_INR (T - 1)).
    assert (D0 : 0 < INR (digits T)) by (apply lt_0_INR; unfold digits; lia). assert (L := ln_of_round_nonneg T HT).
    unfold largest_log. rewrite ln_mult by lra.
    assert (LS := ln_is_monotone 1 ((INR (T - 1) + 1) / 1) ltac:(lra) ltac:(lra)). rewrite ln_1 in LS. lra.
  - apply logarithmic_plus; [apply constants_are_logarithmic; lra | apply the_largest_log_is_logarithmic; lra].
Qed.

Lemma a_pair_number_is_logarithmic s kappa A B mu : 0 < s -> 1 <= kappa -> 0 <= A -> 0 <= B -> 0 < mu ->
  at_most_logarithmic (fun T => pair_number s kappa A B T mu).
Proof.
  intros Hs Hk HA HB Hmu. assert (M : 0 < / (mu * mu)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
  set (k := (1 + kappa * kappa) * s / (1 + kappa)).
  assert (Hc : 0 <= k).
  { unfold k, Rdiv. apply Rmult_le_pos; [apply Rmult_le_pos; [generalize (Rle_0_sqr kappa); unfold Rsqr|]; lra|].
    left. apply Rinv_0_lt_compat. lra. }
  assert (HAB : 0 <= A / (mu * mu) /\ 0 <= B / (mu * mu)) by (split; apply Rmult_le_pos; lra).
  apply (logarithmic_mono _ (fun T => (A / (mu * mu) + B / (mu * mu)) * largest_log s T + (k + s))).
  - intros T HT. assert (F := largest_log_is_nonneg s T Hs HT).
    assert (0 <= A / (mu * mu) * largest_log s T) by (apply Rmult_le_pos; lra).
    assert (0 <= B / (mu * mu) * largest_log s T) by (apply Rmult_le_pos; lra).
    apply Rmax_lub; fold k; unfold Rdiv in *; lra.
  - apply logarithmic_plus; [|apply constants_are_logarithmic; lra].
    apply logarithmic_scal; [lra | now apply the_largest_log_is_logarithmic].
Qed.

Section Consistent.
Context {K : nat}.
Variables (spread kappa : R) (epsilon : nat -> R) (s : strategy K).
Hypothesis spread_is_positive : 0 < spread.
Hypothesis kappa_is_a_ratio : 1 <= kappa.
Hypothesis epsilon_is_nonneg : forall t, 0 <= epsilon t.
Hypothesis s_plays_by_pairs : plays_by_pairs spread kappa epsilon s.
Let N := pair_number spread kappa ((1 + kappa) / 2) (2 * (1 + / kappa)).
Variables (nu : nat -> law) (b : bandit).
Hypothesis nu_is_on_the_unit_interval : instance_of K lives_on_the_unit_interval nu.
Hypothesis b_is_the_instance : is_bandit_of K nu b.

(** What bounds the expected queries of an arm in all runs on rows bounds those of the strategy. *)
Lemma query_bounds_of_an_arm_pass_to_the_pair_strategy T a c :
  (forall decide (x : experiment (list (list reward))), instance x = b -> horizon x = T ->
     pair_rule_on_rows spread kappa (row_law nu K) pay [] decide epsilon x ->
     one_from_each (repeat (row_law nu K) T) (fun w => INR (queries (path_of x w) a T)) <= c) ->
  expected_queries s nu a T <= c.
Proof.
  intros H. destruct (some_seeds_after_histories_are_at_least_the_average s nu T (queries_in a)) as [choose Hc].
  eapply Rle_trans; [exact Hc|]. rewrite <- rows_have_the_law_of_the_history by exact nu_is_on_the_unit_interval.
  destruct (the_run_on_rows_is_an_experiment s choose spread kappa epsilon s_plays_by_pairs spread_is_positive
    kappa_is_a_ratio epsilon_is_nonneg nu b T nu_is_on_the_unit_interval b_is_the_instance) as [x [Ex [ET Hx]]].
  eapply Rle_trans; [|exact (H _ x Ex ET Hx)]. right. apply expect_ext. intros w.
  now rewrite queries_of_the_history_of_rows, (decided_by_the_past _ _ _ _ _ _ _ _ Hx).
Qed.

(** The closed form of the upper bound, for the strategy. *)
Lemma regret_of_the_pair_strategy_in_closed_form T : (1 <= T)%nat ->
  expected_regret s nu T <= sum (arms K) (fun a => if Rle_dec (gap b a) 0 then 0
      else gap b a * (N T (gap b a) + rounds_with_large_epsilon K epsilon (gap b a) T))
    + (INR K + (INR K - 1) * harmonic (digits T)) * largest_gap b.
Proof.
  intros HT. set (f := fun h : history => sum h (fun o => gap_of K nu (arm o))).
  destruct (some_seeds_after_histories_are_at_least_the_average s nu T f) as [choose Hc].
  eapply Rle_trans; [exact Hc|]. rewrite <- rows_have_the_law_of_the_history by exact nu_is_on_the_unit_interval.
  destruct (the_run_on_rows_is_an_experiment s choose spread kappa epsilon s_plays_by_pairs spread_is_positive
    kappa_is_a_ratio epsilon_is_nonneg nu b T nu_is_on_the_unit_interval b_is_the_instance) as [x [Ex [ET Hx]]].
  assert (P := proj1 (the_pair_rule_in_closed_form spread kappa _ _ _ _ _ x Hx ltac:(now rewrite ET))).
  cbv zeta in P. unfold arms_of in P. rewrite Ex, ET, (proj1 b_is_the_instance) in P. eapply Rle_trans; [|exact P].
  right. apply expect_ext. intros w. unfold f, regret_on. rewrite gaps_of_the_history_of_rows, Ex, ET,
    (decided_by_the_past _ _ _ _ _ _ _ _ Hx).
  apply sum_ext. intros t _. symmetry. apply gap_is_gap_of; [exact b_is_the_instance|]. apply moves_are_arms.
Qed.

Lemma regret_of_the_pair_strategy_is_logarithmic : vanishes epsilon -> at_most_logarithmic (expected_regret s nu).
Proof.
  intros Hv. apply (logarithmic_mono _ _ regret_of_the_pair_strategy_in_closed_form).
  assert (I : 0 < / kappa) by (apply Rinv_0_lt_compat; lra). assert (G := largest_gap_nonneg b).
  assert (HK : 1 <= INR K) by (change 1 with (INR 1); apply le_INR; exact (a_strategy_has_an_arm s)).
  apply logarithmic_plus.
  - apply sums_stay_logarithmic. intros a _. destruct (Rle_dec (gap b a) 0) as [Hg|Hg]; [apply constants_are_logarithmic; lra|].
    apply Rnot_le_lt in Hg. apply logarithmic_scal; [lra|]. apply logarithmic_plus.
    + apply a_pair_number_is_logarithmic; lra.
    + now apply few_rounds_have_a_large_epsilon.
  - apply (logarithmic_mono _ (fun T => largest_gap b * (INR K + (INR K - 1) * harmonic (digits T)))); [intros; lra|].
    apply logarithmic_scal; [exact G|]. apply logarithmic_plus; [apply constants_are_logarithmic; lra|].
    apply logarithmic_scal; [lra | exact the_failures_are_logarithmic].
Qed.
End Consistent.

(** says: every strategy that plays by the pair rule is consistent, in expectation, on the laws of finite support on [0,1],
      for every K, kappa >= 1, s > 0, every epsilon >= 0 that tends to 0 and every tie-break, randomised ones included
    paper: beyond the paper; compare l.300-302
    settles: model.pairs_is_consistent
    breaks: "vanishes epsilon" to "0 <= 0" *)
Theorem the_pair_rule_is_consistent {K : nat} spread kappa epsilon (s : strategy K) : 0 < spread -> 1 <= kappa ->
  (forall t, 0 <= epsilon t) -> vanishes epsilon -> plays_by_pairs spread kappa epsilon s ->
  consistent lives_on_the_unit_interval s.
Proof.
  intros Hs Hk He Hv P. apply sub_polynomial_regret_means_consistent. intros nu Hnu alpha eps Ha.
  destruct (every_instance_is_a_bandit K nu (a_strategy_has_an_arm s)) as [b Hb].
  apply what_is_at_most_logarithmic_is_sub_polynomial; [|lra].
  now apply (regret_of_the_pair_strategy_is_logarithmic spread kappa epsilon s Hs Hk He P nu b).
Qed.

(** One model for both halves of the paper. The upper bounds run a rule on a table of rewards; the lower bounds speak of
    strategies and of the law of their histories. A strategy that plays by a rule is run on the same tables, its run is
    an experiment of that rule, and the law of its history is the law of the run. So whatever bounds every experiment of
    the rule bounds the strategy, and the lower bounds speak about it. Finite-support laws on [0,1]. *)

From Coq Require Import Reals Lra Lia Arith List Bool FunctionalExtensionality.
From Bufalu Require Import Sums Intervals Decision GapQuery Runs Expectation Experiment HoeffdingIntervals Laws Witness
  Tables TotalExpectation FiniteLaws Strategies RewardTape Consistency QueryCosts BalancingThreshold TakingTurns.
Import ListNotations.
Open Scope R_scope.

(** ** The table of the upper bounds, for laws of finite support *)

(** A number of [0,1] as a reward; any other number counts as 0. *)
Definition as_reward (x : R) : reward :=
  match Rle_dec 0 x, Rle_dec x 1 with
  | left low, left high => exist _ x (conj low high)
  | _, _ => no_reward
  end.

(** A law of finite support on [0,1] as one of the laws of the upper bounds. *)
Definition reward_law (p : law) : expectation reward := first_then (average p) (fun x => certainly (as_reward x)).

Lemma value_as_reward x : 0 <= x <= 1 -> value (as_reward x) = x.
Proof. intros [H0 H1]. unfold as_reward. destruct (Rle_dec 0 x), (Rle_dec x 1); tauto. Qed.

Lemma what_has_mass_is_certain p : certain (average p) (fun x => mass p x <> 0).
Proof. intros f g H. apply Rle_antisym; apply average_le_where_there_is_mass; intros x Hx; rewrite (H x Hx); lra. Qed.

Lemma reward_law_has_the_mean p : lives_on_the_unit_interval p -> reward_law p value = law_mean p.
Proof. intros H. apply (what_has_mass_is_certain p). intros x Hx. apply value_as_reward. now apply H. Qed.

Lemma draws_through_a_map {I A B : Type} (g : A -> B) (E : I -> expectation B) (D : I -> total_expectation A) l :
  (forall i F, E i F = D i (fun x => F (g x))) ->
  forall F, one_from_each (map E l) F = drawn (map D l) (fun xs => F (map g xs)).
Proof.
  intros H. induction l as [|i l IH]; intros F; [reflexivity|]. simpl map. rewrite one_from_first, drawn_first, H.
  apply total_ext. intros x. apply IH.
Qed.

Lemma map_of_repeat {A B : Type} (g : A -> B) x n : map g (repeat x n) = repeat (g x) n.
Proof. induction n as [|n IH]; [reflexivity|]. simpl. now rewrite IH. Qed.

Lemma the_table_is_drawn nu K T F : table_law (fun a => reward_law (nu a)) K T F
  = table_of (map (fun a => (nu a, T)) (arms K)) (fun w => F (map (map as_reward) w)).
Proof.
  unfold table_law, table_of. rewrite map_map. apply draws_through_a_map. intros a G. unfold column_law, column. simpl fst.
  simpl snd. rewrite <- (map_of_repeat reward_law), <- (map_of_repeat average).
  now apply draws_through_a_map.
Qed.

Lemma an_entry_is_its_number (w : list (list R)) a k : Forall (Forall (fun x => 0 <= x <= 1)) w ->
  entry a k (map (map as_reward) w) = reward_in w a k.
Proof.
  assert (G : forall (l : list R) i, Forall (fun x => 0 <= x <= 1) l ->
    value (nth i (map as_reward l) no_reward) = nth i l 0).
  { induction l as [|x l IH]; intros [|i] H; try reflexivity; inversion H; subst; [now apply value_as_reward | now apply IH]. }
  intros H. unfold entry, reward_in. change (@nil reward) with (map as_reward (@nil R)). rewrite map_nth. apply G.
  destruct (nth_in_or_default (a - 1) w []) as [Hin | ->]; [|constructor]. rewrite Forall_forall in H. now apply H.
Qed.

(** says: for every K, T, strategy, function f of its history and reward laws of finite support on [0,1], the expectation
      of f is the same in both models: where the k-th query of arm a reads X_a(k) of the upper bounds' table of rewards,
      and where every query draws afresh, as in the lower bounds
    paper: beyond the paper; compare l.268, l.1149
    settles: model.same_law
    breaks: "K T (fun w" to "K (T - 1) (fun w" *)
Theorem runs_on_the_table_have_the_law_of_the_history {K : nat} (s : strategy K) nu T f :
  instance_of K lives_on_the_unit_interval nu ->
  table_law (fun a => reward_law (nu a)) K T (fun w => tape_law s (fun a k => entry a k w) T f) = history_law s nu T f.
Proof.
  intros H. rewrite the_table_is_drawn, <- tape_and_fresh_draws_have_the_same_law.
  apply (certain_of_each (Forall (fun x => 0 <= x <= 1))).
  - intros E HE. apply in_map_iff in HE. destruct HE as [c [<- Hc]]. apply in_map_iff in Hc. destruct Hc as [a [<- Ha]].
    apply in_arms in Ha. intros g k Hgk. apply (certain_of_each (fun x => 0 <= x <= 1)); [|intros xs [_ Hxs]; now apply Hgk].
    intros E HE. apply repeat_spec in HE. subst E. intros g' k' Hgk'. apply what_has_mass_is_certain.
    intros x Hx. apply Hgk', (H a Ha x Hx).
  - intros w [_ Hw]. do 2 f_equal. extensionality a. extensionality k. now apply an_entry_is_its_number.
Qed.

(** ** Strategies that play by a rule *)

(** The rewards of arm [a] that a history shows, oldest first; the k-th of them. *)
Definition rewards_of (a : nat) (h : history) : list R :=
  rev (flat_map (fun o => if Nat.eqb (arm o) a then match seen o with Some x => [x] | None => [] end else []) h).
Definition kth_reward (a : nat) (h : history) (k : nat) : R := nth (k - 1) (rewards_of a h) 0.

(** A formula for intervals uses the n rewards that were queried, and no others. *)
Definition uses_queried_rewards (formula : interval_formula) : Prop :=
  forall t n Y Y', (forall k, (1 <= k <= n)%nat -> Y k = Y' k) -> formula t n Y = formula t n Y'.

Lemma hoeffding_uses_queried_rewards : uses_queried_rewards hoeffding_formula.
Proof.
  intros t n Y Y' H. unfold hoeffding_formula, sample_mean. do 2 f_equal. apply sum_ext. intros k Hk. apply H.
  now apply in_rounds.
Qed.

(** The intervals that the next round meets after the history [h]. *)
Definition intervals_of (formula : interval_formula) (h : history) (a : nat) : interval :=
  formula (S (length h)) (query_count a h) (kth_reward a h).

(** After every history, and with every seed, the strategy makes a decision that the rule admits. *)
Definition plays_by {K : nat} (r : rule) (formula : interval_formula) (epsilon : nat -> R) (s : strategy K) : Prop :=
  forall h u, let t := S (length h) in
    in_round K (r K (intervals_of formula h) (epsilon t)) t (fst (move s h u)) (snd (move s h u)).

(** The instance, as the upper bounds see it. *)
Definition is_bandit_of (K : nat) (nu : nat -> law) (b : bandit) : Prop :=
  number_of_arms b = K /\ forall a, is_arm K a -> mean b a = law_mean (nu a).

Lemma every_instance_is_a_bandit K nu : (1 <= K)%nat -> exists b, is_bandit_of K nu b.
Proof.
  intros HK. destruct (best_is_attained K nu HK) as [a [Ha E]].
  exists (Bandit K (fun c => law_mean (nu c)) a Ha (fun c Hc => eq_ind_r (Rle _) (mean_at_most_best K nu c Hc) E)).
  split; reflexivity.
Qed.

Section Bandit.
Variables (K : nat) (nu : nat -> law) (b : bandit).
Hypothesis b_is_the_instance : is_bandit_of K nu b.

Lemma best_is_best_mean : best b = best_mean K nu.
Proof.
  destruct b_is_the_instance as [HK Hm]. assert (S := some_optimal_arm_is_an_arm b). rewrite HK in S.
  assert (L := mean_at_most_best K nu _ S). unfold best. rewrite (Hm _ S). apply Rle_antisym; [exact L|].
  destruct (best_is_attained K nu) as [a [Ha <-]]; [unfold is_arm in S; lia|]. rewrite <- (Hm _ S), <- (Hm _ Ha).
  apply no_mean_is_larger. now rewrite HK.
Qed.

Lemma gap_is_gap_of a : is_arm K a -> gap b a = gap_of K nu a.
Proof. intros Ha. unfold gap, gap_of. now rewrite best_is_best_mean, (proj2 b_is_the_instance a Ha). Qed.

Lemma unique_optimal_is_unique a : unique_optimal K nu a -> unique_optimal_arm b a.
Proof.
  destruct b_is_the_instance as [HK Hm]. intros [[Ha E] H]. split.
  - split; [now rewrite HK|]. now rewrite Hm, best_is_best_mean.
  - rewrite HK. intros c Hc Hne. rewrite Hm, best_is_best_mean by exact Hc. now apply H.
Qed.
End Bandit.

(** ** A run on one tape of rewards *)

Section Run.
Context {K : nat}.
Variables (s : strategy K) (X : nat -> nat -> R) (choose : history -> R).

(** T rounds on the rewards [X], where the seed after a history is the one that [choose] names. *)
Definition next_on (h : history) : observation :=
  let (a, q) := move s h (choose h) in Observation (choose h) a (if q then Some (X a (S (query_count a h))) else None).
Fixpoint history_on (T : nat) : history :=
  match T with
  | O => []
  | S n => next_on (history_on n) :: history_on n
  end.

Definition decision_on (t : nat) : nat * bool := let h := history_on (t - 1) in move s h (choose h).
Definition path_on : path := Path (fun t => fst (decision_on t)) (fun t => snd (decision_on t)).

Lemma length_of_the_history_on T : length (history_on T) = T.
Proof. induction T as [|T IH]; [reflexivity|]. simpl. now rewrite IH. Qed.

Lemma next_on_is_the_round n : next_on (history_on n) = Observation (choose (history_on n)) (played path_on (S n))
  (if queried path_on (S n) then Some (X (played path_on (S n)) (S (query_count (played path_on (S n)) (history_on n)))) else None).
Proof.
  unfold next_on, path_on, decision_on. simpl. rewrite Nat.sub_0_r. now destruct (move s _ _).
Qed.

Lemma queries_on_the_path a T : query_count a (history_on T) = queries path_on a T.
Proof.
  induction T as [|T IH]; [reflexivity|]. cbn [history_on queries]. rewrite next_on_is_the_round, <- IH.
  destruct (queried path_on (S T)); [rewrite query_count_of_a_query | rewrite query_count_of_a_play];
    destruct (Nat.eqb (played path_on (S T)) a); simpl; lia.
Qed.

Lemma rewards_on_the_path a T : length (rewards_of a (history_on T)) = query_count a (history_on T) /\
  forall k, (1 <= k <= query_count a (history_on T))%nat -> kth_reward a (history_on T) k = X a k.
Proof.
  induction T as [|T [Hlen IH]]; [split; [reflexivity | intros k Hk; unfold query_count in Hk; simpl in Hk; lia]|].
  cbn [history_on]. rewrite next_on_is_the_round. unfold kth_reward, rewards_of in *. cbn [flat_map].
  generalize (played path_on (S T)) (queried path_on (S T)). intros c [|]; cbn [arm seen];
    [rewrite query_count_of_a_query | rewrite query_count_of_a_play].
  - destruct (Nat.eqb_spec c a) as [->|E]; [|now split]. cbn [app rev]. rewrite app_length, Hlen. split; [simpl; lia|]. intros k Hk.
    destruct (Nat.eq_dec k (S (query_count a (history_on T)))) as [->|Hne].
    + rewrite app_nth2 by lia. rewrite Hlen. replace (_ - _ - _)%nat with 0%nat by lia. reflexivity.
    + rewrite app_nth1 by lia. apply IH. lia.
  - destruct (Nat.eqb c a); now split.
Qed.

Lemma intervals_on_the_path formula t a : uses_queried_rewards formula -> (1 <= t)%nat ->
  intervals_of formula (history_on (t - 1)) a = formula t (queries path_on a (t - 1)) (X a).
Proof.
  intros H Ht. unfold intervals_of. rewrite length_of_the_history_on, <- queries_on_the_path.
  replace (S (t - 1)) with t by lia. apply H, rewards_on_the_path.
Qed.

Lemma the_path_follows r formula epsilon T : plays_by r formula epsilon s ->
  follows r K T (fun t => intervals_of formula (history_on (t - 1))) epsilon path_on.
Proof.
  intros H t Ht. specialize (H (history_on (t - 1)) (choose (history_on (t - 1)))). cbv zeta in H.
  rewrite length_of_the_history_on in H. replace (S (t - 1)) with t in H by lia. exact H.
Qed.

Lemma the_path_plays_arms T : plays_arms K T path_on.
Proof. intros t _. apply moves_are_arms. Qed.

Lemma queries_of_the_history_on a T : queries_in a (history_on T) = INR (queries path_on a T).
Proof. now rewrite <- query_count_is_the_count, queries_on_the_path. Qed.

Lemma gaps_of_the_history_on (g : nat -> R) T :
  sum (history_on T) (fun o => g (arm o)) = sum (rounds T) (fun t => g (played path_on t)).
Proof.
  induction T as [|T IH]; [reflexivity|]. rewrite sum_rounds_S, <- IH. cbn [history_on]. rewrite next_on_is_the_round.
  change (g (played path_on (S T)) + sum (history_on T) (fun o => g (arm o))
    = sum (history_on T) (fun o => g (arm o)) + g (played path_on (S T))). lra.
Qed.
End Run.

(** What a path shows on the rewards [X], if it draws no seeds. *)
Fixpoint observed (p : path) (X : nat -> nat -> R) (T : nat) : history :=
  match T with
  | O => []
  | S n => let a := played p (S n) in
      Observation 0 a (if queried p (S n) then Some (X a (queries p a (S n))) else None) :: observed p X n
  end.

Lemma a_history_without_seeds_is_observed {K : nat} (s : strategy K) X T :
  history_on s X (fun _ => 0) T = observed (path_on s X (fun _ => 0)) X T.
Proof.
  induction T as [|T IH]; [reflexivity|]. cbn [history_on observed]. rewrite next_on_is_the_round, IH. cbv zeta. do 2 f_equal.
  cbn [queries]. rewrite Nat.eqb_refl, <- IH, queries_on_the_path. destruct (queried _ (S T)); [|reflexivity].
  simpl andb. now rewrite Nat.add_1_r.
Qed.

(** ** The experiment of a strategy, and what bounds it *)

(** A seed with which [g] is largest. *)
Definition best_seed (p : law) (g : R -> R) : R :=
  match support p with
  | [] => 0
  | first :: rest => top (fun x y => g x <= g y) (fun x y => real_order (g x) (g y)) first rest
  end.

Lemma the_average_is_at_most_the_best p g : average p g <= g (best_seed p g).
Proof.
  rewrite <- (total_const (average p) (g (best_seed p g))). apply average_le_where_there_is_mass. intros x Hx.
  apply mass_is_on_the_support in Hx. unfold best_seed. destruct (support p) as [|first rest]; [destruct Hx|].
  apply (top_is_largest (fun x y => g x <= g y)); [|exact Hx]. intros a b c. apply Rle_trans.
Qed.

Section Experiment.
Context {K : nat}.
Variable s : strategy K.

(** On every tape some seeds give at least what all seeds give on average. *)
Lemma some_seeds_are_at_least_the_average T f : exists choose : (nat -> nat -> R) -> history -> R,
  forall X, tape_law s X T f <= f (history_on s X (choose X) T).
Proof.
  set (after := fun X h u => Observation u (fst (move s h u))
    (if snd (move s h u) then Some (X (fst (move s h u)) (S (query_count (fst (move s h u)) h))) else None) :: h).
  set (value_of := fun X h u => onwards (tape_round s X) (T - S (length h)) (after X h u) f).
  exists (fun X h => best_seed (seed_law s h) (value_of X h)). intros X. set (choose := fun h => best_seed _ _).
  assert (G : forall n, (n <= T)%nat ->
    tape_law s X T f <= onwards (tape_round s X) (T - n) (history_on s X choose n) f).
  { induction n as [|n IH]; intros Hn; [rewrite Nat.sub_0_r; unfold tape_law; rewrite run_is_onwards; apply Rle_refl|].
    eapply Rle_trans; [apply IH; lia|]. replace (T - n)%nat with (S (T - S n)) by lia. set (h := history_on s X choose n).
    replace (T - S n)%nat with (T - S (length h))%nat by (unfold h; now rewrite length_of_the_history_on).
    change (average (seed_law s h) (value_of X h) <= onwards (tape_round s X) (T - S (length h)) (history_on s X choose (S n)) f).
    replace (history_on s X choose (S n)) with (after X h (choose h))
      by (unfold after; cbn [history_on]; fold h; unfold next_on; now destruct (move s h (choose h))).
    apply the_average_is_at_most_the_best. }
  specialize (G T (Nat.le_refl T)). now rewrite Nat.sub_diag in G.
Qed.

Variables (r : rule) (formula : interval_formula) (epsilon : nat -> R) (nu : nat -> law) (b : bandit) (T : nat).
Hypothesis the_formula_is_fair : uses_queried_rewards formula.
Hypothesis s_plays_by_the_rule : plays_by r formula epsilon s.
Hypothesis epsilon_is_nonneg : forall t, (K < t <= T)%nat -> 0 <= epsilon t.
Hypothesis nu_is_on_the_unit_interval : instance_of K lives_on_the_unit_interval nu.
Hypothesis b_is_the_instance : is_bandit_of K nu b.
Let laws (a : nat) : expectation reward := reward_law (nu a).
Let X (w : table) (a k : nat) : R := entry a k w.

(** An experiment of the upper bounds: the rule on tables from the laws of the instance. *)
Definition is_experiment_of (x : experiment table) : Prop :=
  instance x = b /\ horizon x = T /\ on_tables r formula laws epsilon x.

(** Whatever the seeds, even if they are chosen by looking at the table. *)
Lemma the_run_is_an_experiment (choose : (nat -> nat -> R) -> history -> R) : exists x : experiment table,
  is_experiment_of x /\ forall w, path_of x w = path_on s (X w) (choose (X w)).
Proof.
  destruct b_is_the_instance as [HK Hm].
  exists (Experiment table b T (fun w t => intervals_of formula (history_on s (X w) (choose (X w)) (t - 1)))
    (fun _ => epsilon) (fun w => path_on s (X w) (choose (X w)))
    (fun w => eq_ind_r (fun n => plays_arms n T _) (the_path_plays_arms s (X w) (choose (X w)) T) HK)).
  split; [|reflexivity]. split; [reflexivity|]. split; [reflexivity|]. constructor.
  - intros a Ha. unfold arms_of in Ha. simpl in *. rewrite HK in Ha. rewrite (Hm a Ha). symmetry.
    apply reward_law_has_the_mean. now apply nu_is_on_the_unit_interval.
  - intros w t a Ht Ha. simpl. now apply intervals_on_the_path.
  - reflexivity.
  - constructor; unfold arms_of; simpl; rewrite HK; [|auto]. intros w. now apply the_path_follows.
Qed.

(** What bounds every experiment of the rule bounds the strategy. *)
Lemma bounds_on_experiments_pass_to_the_strategy f c :
  (forall choose x, is_experiment_of x -> (forall w, path_of x w = path_on s (X w) (choose (X w))) ->
     table_law laws K T (fun w => f (history_on s (X w) (choose (X w)) T)) <= c) ->
  history_law s nu T f <= c.
Proof.
  intros H. destruct (some_seeds_are_at_least_the_average T f) as [choose Hc].
  destruct (the_run_is_an_experiment choose) as [x [Hx Hp]]. eapply Rle_trans; [|exact (H choose x Hx Hp)].
  rewrite <- runs_on_the_table_have_the_law_of_the_history by exact nu_is_on_the_unit_interval.
  unfold laws. rewrite !the_table_is_drawn. apply total_le. intros w. apply Hc.
Qed.

(** says: whatever number bounds the expected regret of all experiments of a rule on tables bounds the regret of every
      strategy that plays by the rule, for every K, T, reward laws of finite support on [0,1], intervals that are
      computed from the queried rewards, nonnegative epsilon, tie-breaks and private seeds
    paper: beyond the paper
    breaks: "expected_regret s nu T <= c" to "expected_regret s nu T < c" *)
Theorem regret_bounds_pass_to_the_strategy c :
  (forall x, is_experiment_of x -> table_law laws K T (regret_on x) <= c) -> expected_regret s nu T <= c.
Proof.
  intros H. apply bounds_on_experiments_pass_to_the_strategy. intros choose x Hx Hp. eapply Rle_trans; [|exact (H x Hx)].
  right. apply expect_ext. intros w. destruct Hx as [Hb [HT _]]. unfold regret_on. rewrite Hb, HT, Hp, gaps_of_the_history_on.
  apply sum_ext. intros t Ht. symmetry. apply gap_is_gap_of; [exact b_is_the_instance|]. apply in_rounds in Ht.
  now apply (the_path_plays_arms s (X w) (choose (X w)) T).
Qed.

(** The same for one arm. *)
Theorem query_bounds_of_an_arm_pass_to_the_strategy a c :
  (forall x, is_experiment_of x -> table_law laws K T (fun w => INR (queries (path_of x w) a T)) <= c) ->
  expected_queries s nu a T <= c.
Proof.
  intros H. apply bounds_on_experiments_pass_to_the_strategy. intros choose x Hx Hp. eapply Rle_trans; [|exact (H x Hx)].
  right. apply expect_ext. intros w. now rewrite Hp, queries_of_the_history_on.
Qed.
End Experiment.

(** ** The rules as strategies *)

Section RuleAsStrategy.
Variables (is_chosen : candidate_rule) (prefers_leader : (nat -> interval) -> nat -> nat -> bool).
Hypothesis the_choice : chooses is_chosen prefers_leader.
Variables (formula : interval_formula) (K : nat) (epsilon : nat -> R).
Hypothesis there_is_an_arm : (1 <= K)%nat.

(** The initial rounds play and query the arms in turn, the later ones decide by the rule, with one tie-break. *)
Definition decision_of_the_rule (h : history) : nat * bool :=
  let t := S (length h) in
  if t <=? K then (t, true) else decide K (intervals_of formula h) (epsilon t) (prefers_leader (intervals_of formula h)).

Lemma the_rule_plays_arms h : is_arm K (fst (decision_of_the_rule h)).
Proof.
  unfold decision_of_the_rule. destruct (Nat.leb_spec (S (length h)) K); [simpl; unfold is_arm; lia|].
  now apply the_decision_plays_an_arm.
Qed.

Definition strategy_of_the_rule : strategy K := deterministic decision_of_the_rule the_rule_plays_arms.

Lemma the_strategy_plays_by_the_rule : plays_by (rule_of is_chosen) formula epsilon strategy_of_the_rule.
Proof.
  intros h u. cbv zeta. unfold in_round. simpl move. unfold decision_of_the_rule.
  destruct (S (length h) <=? K); [now split|]. apply the_decision_is_admissible; [exact there_is_an_arm | apply the_choice].
Qed.
End RuleAsStrategy.

(** A strategy without seeds leaves nothing to chance but the table. *)
Lemma without_seeds_the_table_decides {K : nat} decision (H : forall h, is_arm K (fst (decision h))) X T f :
  tape_law (deterministic decision H) X T f = f (history_on (deterministic decision H) X (fun _ => 0) T).
Proof.
  revert f. induction T as [|T IH]; intros f; [reflexivity|].
  change (tape_law (deterministic decision H) X T (fun h => tape_round (deterministic decision H) X h (fun o => f (o :: h)))
    = f (history_on (deterministic decision H) X (fun _ => 0) (S T))).
  rewrite IH. cbn [history_on]. set (h := history_on _ _ _ T). unfold next_on. simpl move.
  etransitivity; [exact (average_of_a_constant 0 _)|]. simpl. now destruct (decision h).
Qed.

(** says: every rule of the upper bounds that can make a choice, BuFALU's and the dial's among them, is a strategy in the
      sense of the lower bounds: for every K >= 1, T, reward laws of finite support on [0,1], intervals that are computed
      from the queried rewards and nonnegative epsilon there is one experiment of the rule on tables of rewards such that
      the expectation of every function of what its path shows is that of the strategy's history
    paper: beyond the paper; compare l.296, l.371-389
    breaks: "observed (path_of x w)" to "observed (Path (played (path_of x w)) (fun _ => true))" *)
Theorem a_rule_is_a_strategy is_chosen prefers_leader formula K epsilon : chooses is_chosen prefers_leader ->
  uses_queried_rewards formula -> (1 <= K)%nat -> (forall t, 0 <= epsilon t) ->
  exists s : strategy K, plays_by (rule_of is_chosen) formula epsilon s /\
    forall nu b T, instance_of K lives_on_the_unit_interval nu -> is_bandit_of K nu b ->
    exists x : experiment table, is_experiment_of (rule_of is_chosen) formula epsilon nu b T x /\
      forall f, table_law (fun a => reward_law (nu a)) K T (fun w => f (observed (path_of x w) (fun a k => entry a k w) T))
        = history_law s nu T f.
Proof.
  intros Hc Hf HK He. exists (strategy_of_the_rule prefers_leader formula K epsilon HK).
  assert (P := the_strategy_plays_by_the_rule is_chosen prefers_leader Hc formula K epsilon HK). split; [exact P|].
  intros nu b T Hnu Hb.
  destruct (the_run_is_an_experiment _ _ formula epsilon nu b T Hf P (fun t _ => He t) Hnu Hb (fun _ _ => 0)) as [x [Hx Hp]].
  exists x. split; [exact Hx|]. intros f. rewrite <- runs_on_the_table_have_the_law_of_the_history by exact Hnu.
  apply expect_ext. intros w. unfold strategy_of_the_rule.
  rewrite without_seeds_the_table_decides, a_history_without_seeds_is_observed. now rewrite Hp.
Qed.

(** says: BuFALU with Hoeffding's intervals is a strategy in the sense of the lower bounds: for every K >= 1 and nonnegative
      epsilon there is a strategy that decides by BuFALU's rule after every history, and for all reward laws of finite
      support on [0,1] and every T there is an experiment of BuFALU on tables of rewards such that the expectation of every
      function of what its path shows is that of the strategy's history
    paper: beyond the paper; compare l.296, l.371-389
    settles: model.bufalu_is_a_strategy
    breaks: "(1 <= K)%nat" to "(0 <= K)%nat" *)
Theorem bufalu_is_a_strategy K epsilon : (1 <= K)%nat -> (forall t, 0 <= epsilon t) ->
  exists s : strategy K, plays_by bufalu hoeffding_formula epsilon s /\
    forall nu b T, instance_of K lives_on_the_unit_interval nu -> is_bandit_of K nu b ->
    exists x : experiment table, is_experiment_of bufalu hoeffding_formula epsilon nu b T x /\
      forall f, table_law (fun a => reward_law (nu a)) K T (fun w => f (observed (path_of x w) (fun a k => entry a k w) T))
        = history_law s nu T f.
Proof. exact (a_rule_is_a_strategy _ _ _ K epsilon bufalu_chooses hoeffding_uses_queried_rewards). Qed.

(** says: the same for the dial at every rho, with Hoeffding's intervals
    paper: beyond the paper; compare l.296
    settles: model.dial_is_a_strategy
    breaks: "(1 <= K)%nat" to "(0 <= K)%nat" *)
Theorem the_dial_is_a_strategy rho K epsilon : (1 <= K)%nat -> (forall t, 0 <= epsilon t) ->
  exists s : strategy K, plays_by (dial rho) hoeffding_formula epsilon s /\
    forall nu b T, instance_of K lives_on_the_unit_interval nu -> is_bandit_of K nu b ->
    exists x : experiment table, is_experiment_of (dial rho) hoeffding_formula epsilon nu b T x /\
      forall f, table_law (fun a => reward_law (nu a)) K T (fun w => f (observed (path_of x w) (fun a k => entry a k w) T))
        = history_law s nu T f.
Proof.
  exact (a_rule_is_a_strategy _ _ _ K epsilon (the_dial_chooses rho) hoeffding_uses_queried_rewards).
Qed.

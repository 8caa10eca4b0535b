(** Beyond the paper: rounds drawn one after the other, runs that decide by the past, and how rarely the pairs of arms
    are not good. A row holds what one round could pay: only the law of each arm's reward in it is used. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Runs Expectation Experiment Hoeffding Laws PairMartingale
  PairRule.
Import ListNotations.
Open Scope R_scope.

Section Rows.
Context {Row : Type} (missing : Row).

(** The first [k] rows. *)
Definition first_rows (k : nat) (w : list Row) : list Row := map (fun j => nth (j - 1) w missing) (rounds k).

Lemma first_rows_from_first k r w : first_rows (S k) (r :: w) = r :: first_rows k w.
Proof.
  unfold first_rows, rounds. simpl seq. rewrite <- (seq_shift k 1). simpl map. f_equal. rewrite map_map.
  apply map_ext_in. intros j Hj. apply in_seq in Hj. simpl. destruct j as [|j]; [lia|]. simpl. now rewrite Nat.sub_0_r.
Qed.

Lemma length_first_rows k w : length (first_rows k w) = k.
Proof. unfold first_rows. rewrite map_length. apply length_rounds. Qed.

Lemma nth_of_first_rows k w j : (1 <= j <= k)%nat -> nth (j - 1) (first_rows k w) missing = nth (j - 1) w missing.
Proof.
  intros H. unfold first_rows.
  rewrite (nth_indep _ missing (nth (0 - 1) w missing)) by (rewrite map_length, length_rounds; lia).
  rewrite (map_nth (fun j => nth (j - 1) w missing)). unfold rounds. rewrite seq_nth by lia. do 2 f_equal. lia.
Qed.

Lemma first_rows_of_first_rows k m w : (k <= m)%nat -> first_rows k (first_rows m w) = first_rows k w.
Proof.
  intros H. apply map_ext_in. intros j Hj. apply in_rounds in Hj. apply nth_of_first_rows. lia.
Qed.

Lemma first_rows_of_more k p q : (k <= length p)%nat -> first_rows k (p ++ q) = first_rows k p.
Proof. intros H. apply map_ext_in. intros j Hj. apply in_rounds in Hj. apply app_nth1. lia. Qed.

Lemma all_first_rows p : first_rows (length p) p = p.
Proof. induction p as [|r p IH]; [reflexivity|]. simpl length. now rewrite first_rows_from_first, IH. Qed.

(** ** Runs that decide by the past *)

Variable decide : list Row -> nat * bool.
Variable X : nat -> Row -> R.        (* what each arm would pay in a row *)

Definition run_along (w : list Row) : path :=
  Path (fun t => fst (decide (first_rows (t - 1) w))) (fun t => snd (decide (first_rows (t - 1) w))).

(** Whether round [t] queries arm [a]. *)
Definition asks (w : list Row) (a t : nat) : bool := Nat.eqb (played (run_along w) t) a && queried (run_along w) t.

(** The sum of the rewards that queries of arm [a] have paid up to round [t], each minus [mu]. *)
Definition centred_sum (mu : R) (w : list Row) (a t : nat) : R :=
  sum (rounds t) (fun j => indicator (asks w a j) * (X a (nth (j - 1) w missing) - mu)).

Lemma queries_of_first_rows w a t k : (t <= k)%nat ->
  queries (run_along (first_rows k w)) a t = queries (run_along w) a t.
Proof.
  intros H. induction t as [|t IH]; [reflexivity|]. simpl queries. rewrite IH by lia. unfold run_along. simpl.
  rewrite Nat.sub_0_r, first_rows_of_first_rows by lia. reflexivity.
Qed.

Lemma centred_sum_of_first_rows mu w a t k : (t <= k)%nat ->
  centred_sum mu (first_rows k w) a t = centred_sum mu w a t.
Proof.
  intros H. apply sum_ext. intros j Hj. apply in_rounds in Hj. rewrite nth_of_first_rows by lia.
  unfold asks, run_along. simpl. rewrite first_rows_of_first_rows by lia. reflexivity.
Qed.

(** One row more. *)
Lemma queries_of_one_more p r a :
  queries (run_along (p ++ [r])) a (S (length p))
  = (queries (run_along p) a (length p) + if Nat.eqb (fst (decide p)) a && snd (decide p) then 1 else 0)%nat.
Proof.
  simpl queries. simpl. rewrite Nat.sub_0_r, first_rows_of_more, all_first_rows by lia. f_equal.
  rewrite <- (queries_of_first_rows (p ++ [r]) a (length p) (length p)) by lia.
  now rewrite first_rows_of_more, all_first_rows by lia.
Qed.

Lemma centred_sum_of_one_more mu p r a :
  centred_sum mu (p ++ [r]) a (S (length p))
  = centred_sum mu p a (length p) + indicator (Nat.eqb (fst (decide p)) a && snd (decide p)) * (X a r - mu).
Proof.
  unfold centred_sum at 1. rewrite sum_rounds_S. f_equal.
  - change (centred_sum mu (p ++ [r]) a (length p) = centred_sum mu p a (length p)).
    rewrite <- (centred_sum_of_first_rows mu (p ++ [r]) a (length p) (length p)) by lia.
    now rewrite first_rows_of_more, all_first_rows by lia.
  - unfold asks, run_along. simpl. rewrite Nat.sub_0_r, first_rows_of_more, all_first_rows by lia.
    rewrite app_nth2 by lia. rewrite Nat.sub_diag. reflexivity.
Qed.

(** ** The worth of two arms *)

Variables (s : R) (mu : nat -> R) (K : nat).
Hypothesis spread : 0 < s.
Variable row_law : expectation Row.
Hypothesis rewards : forall a r, is_arm K a -> 0 <= X a r <= 1.
Hypothesis means : forall a, is_arm K a -> row_law (X a) = mu a.

(** The worth of the queries of arm [a] in the first [t] rounds. *)
Definition worth_of (w : list Row) (a t : nat) : R :=
  worth s (queries (run_along w) a t) (centred_sum (mu a) w a t).

Lemma worth_of_first_rows w a t k : (t <= k)%nat -> worth_of (first_rows k w) a t = worth_of w a t.
Proof. intros H. unfold worth_of. now rewrite queries_of_first_rows, centred_sum_of_first_rows. Qed.

Lemma worth_of_one_more p r a :
  worth_of (p ++ [r]) a (S (length p)) = if Nat.eqb (fst (decide p)) a && snd (decide p)
    then worth s (S (queries (run_along p) a (length p))) (centred_sum (mu a) p a (length p) + (X a r - mu a))
    else worth_of p a (length p).
Proof.
  unfold worth_of. rewrite queries_of_one_more, centred_sum_of_one_more.
  destruct (_ && _); simpl indicator; [rewrite Nat.add_1_r, Rmult_1_l | rewrite Nat.add_0_r, Rmult_0_l, Rplus_0_r];
    reflexivity.
Qed.

Lemma bounded_worth n S a : is_arm K a -> bounded (fun r => worth s n (S + (X a r - mu a))).
Proof.
  intros Ha. assert (B : bounded (X a)) by (apply (bounded_between 0 1); intros r; now apply rewards).
  unfold worth. bounded.
Qed.

(** A row more does not raise the worth of two arms in expectation: it changes one of the two factors at most. *)
Lemma the_worth_of_two_arms_does_not_grow a c p : is_arm K a -> is_arm K c -> a <> c ->
  bounded (fun r => worth_of (p ++ [r]) a (S (length p)) * worth_of (p ++ [r]) c (S (length p))) /\
  row_law (fun r => worth_of (p ++ [r]) a (S (length p)) * worth_of (p ++ [r]) c (S (length p)))
    <= worth_of p a (length p) * worth_of p c (length p).
Proof.
  intros Ha Hc Hne.
  assert (P : forall x, 0 < worth_of p x (length p)) by (intros x; now apply worth_is_positive).
  set (asked := fun x => Nat.eqb (fst (decide p)) x && snd (decide p)).
  set (n := fun x => queries (run_along p) x (length p)). set (S0 := fun x => centred_sum (mu x) p x (length p)).
  set (new := fun x r => worth s (S (n x)) (S0 x + (X x r - mu x))).
  assert (E : (fun r => worth_of (p ++ [r]) a (S (length p)) * worth_of (p ++ [r]) c (S (length p)))
    = fun r => (if asked a then new a r else worth_of p a (length p))
      * (if asked c then new c r else worth_of p c (length p))).
  { apply FunctionalExtensionality.functional_extensionality. intros r. now rewrite !worth_of_one_more. }
  rewrite E. assert (Ba := bounded_worth (S (n a)) (S0 a) a Ha). assert (Bc := bounded_worth (S (n c)) (S0 c) c Hc).
  assert (Hnot : asked a = true -> asked c = false).
  { unfold asked. intros H. apply andb_true_iff in H. destruct H as [H _]. apply Nat.eqb_eq in H. rewrite H.
    now rewrite (proj2 (Nat.eqb_neq a c) Hne). }
  assert (Ma := the_worth_of_rewards_is_a_supermartingale row_law (X a) (mu a) s (n a) (S0 a) spread
    (fun r => rewards a r Ha) (means a Ha)).
  assert (Mc := the_worth_of_rewards_is_a_supermartingale row_law (X c) (mu c) s (n c) (S0 c) spread
    (fun r => rewards c r Hc) (means c Hc)).
  fold (worth_of p a (length p)) in Ma. fold (worth_of p c (length p)) in Mc.
  assert (Pa := P a). assert (Pc := P c). unfold new.
  destruct (asked a) eqn:Ea; [rewrite (Hnot eq_refl) | destruct (asked c)].
  - split; [bounded|].
    rewrite (expect_ext row_law _ (fun r => worth_of p c (length p) * worth s (S (n a)) (S0 a + (X a r - mu a))))
      by (intros; ring).
    rewrite expect_scal, (Rmult_comm (worth_of p a (length p))) by bounded. apply Rmult_le_compat_l; [lra | exact Ma].
  - split; [bounded|]. rewrite expect_scal by bounded. apply Rmult_le_compat_l; [lra | exact Mc].
  - split; [bounded|]. rewrite expect_const. lra.
Qed.

(** Ville's inequality: what is nonnegative and does not grow in expectation with one row more ever reaches x > 0 with
    probability at most its present value over x. *)
Lemma a_supermartingale_rarely_reaches_a_level (W : list Row -> R) x : 0 < x -> (forall p, 0 <= W p) ->
  (forall p, bounded (fun r => W (p ++ [r])) /\ row_law (fun r => W (p ++ [r])) <= W p) ->
  forall T p, probability (one_from_each (repeat row_law T))
    (fun w => existsb (fun k => at_most x (W (p ++ first_rows k w))) (seq 0 (S T))) <= W p / x.
Proof.
  intros Hx Hpos Hfalls. assert (I : 0 < / x) by now apply Rinv_0_lt_compat.
  assert (Q : forall p, 0 <= W p / x) by (intros p; apply Rmult_le_pos; [apply Hpos | lra]).
  assert (One : forall T event, 0 <= probability (one_from_each (repeat row_law T)) event <= 1)
    by (intros; apply expect_between; intros; split; [apply indicator_nonneg | apply indicator_le_1]).
  induction T as [|T IH]; intros p;
    (destruct (Rle_dec x (W p)) as [H|H]; [eapply Rle_trans; [apply One|];
      apply (Rmult_le_reg_r x); [exact Hx|]; replace (W p / x * x) with (W p) by (field; lra); lra|]);
    unfold probability.
  - rewrite (expect_ext _ _ (fun _ => 0)); [now rewrite expect_const|]. intros w. simpl existsb.
    unfold first_rows, at_most. simpl. rewrite app_nil_r. now destruct (Rle_dec x (W p)).
  - simpl repeat. rewrite one_from_first. destruct (Hfalls p) as [B F].
    apply Rle_trans with (row_law (fun r => / x * W (p ++ [r]))).
    + apply expect_le; [|bounded|].
      { apply (bounded_between 0 1). intros r. apply (One T). }
      intros r. rewrite Rmult_comm. eapply Rle_trans; [|exact (IH (p ++ [r]))]. apply Req_le, expect_ext. intros w.
      f_equal. change (seq 0 (S (S T))) with (0%nat :: seq 1 (S T)). rewrite <- (seq_shift (S T) 0).
      generalize (seq 0 (S T)). intros l. simpl existsb. change (first_rows 0 (r :: w)) with (@nil Row).
      rewrite app_nil_r. unfold at_most at 1. destruct (Rle_dec x (W p)); [contradiction|]. simpl orb.
      induction l as [|k l IHl]; [reflexivity|]. simpl. now rewrite IHl, first_rows_from_first, <- app_assoc.
    + rewrite expect_scal by exact B. rewrite Rmult_comm. apply Rmult_le_compat_r; [lra | exact F].
Qed.

(** says: along every run whose decisions depend on the rows before them, the worth of two arms after k of T rounds
      reaches x with probability at most 1/x, for rows that are drawn independently from one law in which each arm's
      reward lies in [0,1]
    paper: beyond the paper
    settles: pairs.worth_of_two_arms
    breaks: "1 / x" to "1 / (2 * x)" *)
Theorem the_worth_of_two_arms_reaches_a_level_rarely a c x T k : is_arm K a -> is_arm K c -> a <> c -> 0 < x ->
  (k <= T)%nat ->
  probability (one_from_each (repeat row_law T)) (fun w => at_most x (worth_of w a k * worth_of w c k)) <= 1 / x.
Proof.
  intros Ha Hc Hne Hx Hk.
  eapply Rle_trans; [|eapply Rle_trans; [apply (a_supermartingale_rarely_reaches_a_level
    (fun p => worth_of p a (length p) * worth_of p c (length p)) x Hx) with (T := T) (p := [])|]].
  - apply expect_le; [bounded | bounded|]. intros w. destruct (at_most x _) eqn:R; [|apply indicator_nonneg].
    rewrite (proj2 (existsb_exists _ _)); [simpl; lra|]. exists k. split; [apply in_seq; lia|].
    simpl app. now rewrite length_first_rows, !worth_of_first_rows.
  - intros p. left. apply Rmult_lt_0_compat; now apply worth_is_positive.
  - intros p. destruct (the_worth_of_two_arms_does_not_grow a c p Ha Hc Hne) as [B M].
    split.
    + destruct B as [C HC]. exists C. intros r. rewrite app_length. simpl length. rewrite Nat.add_1_r. apply HC.
    + eapply Rle_trans; [|exact M]. apply Req_le, expect_ext. intros r. now rewrite app_length, Nat.add_1_r.
  - change (worth_of [] a (length [])) with (worth s 0 0). change (worth_of [] c (length [])) with (worth s 0 0).
    rewrite (worth_of_nothing s spread), Rmult_1_l. lra.
Qed.

(** ** Means that are off *)

(** At some time up to T the queries of [a] number n, and their mean is off by more than delta. *)
Definition mean_is_far (T : nat) (delta : R) (a n : nat) (w : list Row) : bool :=
  existsb (fun k => Nat.eqb (queries (run_along w) a k) n &&
    negb (at_most (Rabs (centred_sum (mu a) w a k)) (INR n * delta))) (seq 0 (S T)).

(** e^(l S - n l^2/8) for the centred sum S of the n queries of an arm. *)
Definition tilted (l : R) (a : nat) (p : list Row) : R :=
  exp (l * centred_sum (mu a) p a (length p) - INR (queries (run_along p) a (length p)) * (l * l / 8)).

Lemma a_tilted_sum_does_not_grow l a p : is_arm K a ->
  bounded (fun r => tilted l a (p ++ [r])) /\ row_law (fun r => tilted l a (p ++ [r])) <= tilted l a p.
Proof.
  intros Ha. assert (B : bounded (X a)) by (apply (bounded_between 0 1); intros r; now apply rewards).
  assert (E : forall r, tilted l a (p ++ [r]) = if Nat.eqb (fst (decide p)) a && snd (decide p)
    then tilted l a p * exp (- (l * l / 8)) * exp (l * (X a r - mu a)) else tilted l a p).
  { intros r. unfold tilted. rewrite app_length. simpl length. rewrite Nat.add_1_r, queries_of_one_more,
      centred_sum_of_one_more. destruct (_ && _); simpl indicator; rewrite plus_INR; simpl INR;
      rewrite <- ?exp_plus; f_equal; ring. }
  rewrite (expect_ext row_law _ _ E). split.
  - destruct (Nat.eqb (fst (decide p)) a && snd (decide p)).
    + assert (C : bounded (fun r => tilted l a p * exp (- (l * l / 8)) * exp (l * (X a r - mu a)))) by bounded.
      destruct C as [c C]. exists c. intros r. rewrite E. apply C.
    + exists (Rabs (tilted l a p)). intros r. rewrite E. lra.
  - destruct (_ && _); [|rewrite expect_const; lra]. assert (P : 0 < tilted l a p) by apply exp_pos.
    assert (G := a_centred_reward_is_subgaussian row_law (X a) (mu a) l (fun r => rewards a r Ha) (means a Ha)).
    rewrite expect_scal by bounded. assert (Q := exp_pos (- (l * l / 8))).
    apply Rle_trans with (tilted l a p * exp (- (l * l / 8)) * exp (l * l / 8)).
    + apply Rmult_le_compat_l; [left; now apply Rmult_lt_0_compat | exact G].
    + rewrite Rmult_assoc, <- exp_plus. replace (- (l * l / 8) + l * l / 8) with 0 by ring. rewrite exp_0. lra.
Qed.

(** Hoeffding's inequality for the n-th query of an arm, whenever it comes. *)
Lemma a_mean_is_rarely_far T delta a n : is_arm K a -> 0 <= delta ->
  probability (one_from_each (repeat row_law T)) (mean_is_far T delta a n) <= 2 * exp (- 2 * INR n * (delta * delta)).
Proof.
  intros Ha Hd. set (x := exp (2 * INR n * (delta * delta))).
  set (ever := fun l w => existsb (fun k => at_most x (tilted l a (first_rows k w))) (seq 0 (S T))).
  assert (V : forall l, probability (one_from_each (repeat row_law T)) (ever l) <= exp (- 2 * INR n * (delta * delta))).
  { intros l. assert (S := a_supermartingale_rarely_reaches_a_level (tilted l a) x (exp_pos _)
      (fun p => Rlt_le _ _ (exp_pos _)) (fun p => a_tilted_sum_does_not_grow l a p Ha) T []).
    replace (tilted l a [] / x) with (exp (- 2 * INR n * (delta * delta))) in S; [exact S|].
    unfold tilted, centred_sum, x, Rdiv, sum. simpl. rewrite <- exp_Ropp, <- exp_plus. f_equal. ring. }
  apply Rle_trans with (probability (one_from_each (repeat row_law T)) (ever (4 * delta))
    + probability (one_from_each (repeat row_law T)) (ever (- (4 * delta))));
    [|generalize (V (4 * delta)) (V (- (4 * delta))); lra].
  unfold probability. rewrite <- expect_plus by bounded. apply expect_le; [bounded | bounded|]. intros w.
  assert (P := indicator_nonneg (ever (4 * delta) w)). assert (Q := indicator_nonneg (ever (- (4 * delta)) w)).
  unfold mean_is_far. destruct (existsb _ _) eqn:F; [|simpl; lra]. apply existsb_exists in F.
  destruct F as [k [Hk F]]. apply andb_true_iff in F. destruct F as [Hn F]. apply Nat.eqb_eq in Hn.
  assert (Hit : forall l, l * centred_sum (mu a) w a k - INR n * (l * l / 8) >= 2 * INR n * (delta * delta) ->
    indicator (ever l w) = 1).
  { intros l Hl. unfold ever. rewrite (proj2 (existsb_exists _ _)); [reflexivity|]. exists k. split; [exact Hk|].
    apply at_most_true, exp_is_monotone. rewrite length_first_rows, centred_sum_of_first_rows, queries_of_first_rows, Hn
      by lia. lra. }
  unfold at_most in F. destruct (Rle_dec _ _) as [|Hfar]; [discriminate|]. apply Rnot_le_lt in Hfar.
  assert (D := Rmult_le_compat_l delta _ _ Hd (Rlt_le _ _ Hfar)). simpl indicator.
  unfold Rabs in D. destruct (Rcase_abs _); [rewrite (Hit (- (4 * delta))) | rewrite (Hit (4 * delta))]; lra.
Qed.

(** ** Good pairs *)

(** The empirical mean of the queried rewards, 0 without queries. *)
Definition queried_mean (w : list Row) (a t : nat) : R :=
  sum (rounds t) (fun j => indicator (asks w a j) * X a (nth (j - 1) w missing)) / INR (queries (run_along w) a t).

Lemma centred_sum_from_the_mean w a t : (1 <= queries (run_along w) a t)%nat ->
  centred_sum (mu a) w a t = INR (queries (run_along w) a t) * (queried_mean w a t - mu a).
Proof.
  intros H. apply le_INR in H. simpl in H. unfold centred_sum, queried_mean.
  rewrite (sum_ext _ _ (fun j => indicator (asks w a j) * X a (nth (j - 1) w missing)
    + (- mu a) * indicator (asks w a j))) by (intros; ring).
  rewrite sum_plus, sum_scal. change (sum (rounds t) (fun j => indicator (asks w a j)))
    with (sum (rounds t) (fun j => indicator (Nat.eqb (played (run_along w) j) a && queried (run_along w) j))).
  rewrite <- queries_as_sum. field. lra.
Qed.

(** Cauchy and Schwarz: (x/n - y/m)^2 <= (x^2/p + y^2/q)(p/n^2 + q/m^2). *)
Lemma cauchy_schwarz x y n m p q : 0 < n -> 0 < m -> 0 < p -> 0 < q ->
  (x / n - y / m) * (x / n - y / m) <= (x * x / p + y * y / q) * (p / (n * n) + q / (m * m)).
Proof.
  intros Hn Hm Hp Hq. apply Rminus_le.
  replace ((x / n - y / m) * (x / n - y / m) - (x * x / p + y * y / q) * (p / (n * n) + q / (m * m)))
    with (- ((x * q * n + y * p * m) * (x * q * n + y * p * m) / (p * q * (n * n) * (m * m)))) by (field; lra).
  assert (0 <= (x * q * n + y * p * m) * (x * q * n + y * p * m) / (p * q * (n * n) * (m * m))); [|lra].
  unfold Rdiv. apply Rmult_le_pos; [apply Rle_0_sqr|]. left. apply Rinv_0_lt_compat.
  repeat apply Rmult_lt_0_compat; assumption.
Qed.

Lemma a_small_worth_is_a_small_difference w a c k t : (1 <= t)%nat ->
  (1 <= queries (run_along w) a k)%nat -> (1 <= queries (run_along w) c k)%nat ->
  worth_of w a k * worth_of w c k < INR t * INR (digits t) ->
  mu c - mu a - pair_radius s t (queries (run_along w) a k) (queries (run_along w) c k)
    <= queried_mean w c k - queried_mean w a k.
Proof.
  intros Ht Ha Hc H. assert (Sa := centred_sum_from_the_mean w a k Ha). assert (Sc := centred_sum_from_the_mean w c k
    Hc).
  unfold worth_of in H. set (n := queries (run_along w) a k) in *. set (m := queries (run_along w) c k) in *.
  set (x := centred_sum (mu a) w a k) in *. set (y := centred_sum (mu c) w c k) in *.
  apply le_INR in Ha, Hc. change (INR 1) with 1 in Ha, Hc. unfold worth in H.
  set (p := INR n + s) in *. set (q := INR m + s) in *.
  assert (Hp : 0 < p) by (unfold p; lra). assert (Hq : 0 < q) by (unfold q; lra).
  assert (Ht1 : 0 < INR t) by (apply lt_0_INR; lia).
  assert (Hd : 0 < INR (digits t)) by (apply lt_0_INR; unfold digits; lia).
  set (u := 2 * (x * x) / p + 2 * (y * y) / q).
  assert (Hu : u <= pair_log s t n m).
  { assert (Hroot : sqrt (s / p) * sqrt (s / q) = exp (- (/ 2 * ln (p * q / (s * s))))).
    { assert (Hpq : 0 < p * q / (s * s)) by (apply Rdiv_lt_0_compat; apply Rmult_lt_0_compat; lra).
      rewrite <- sqrt_mult_alt by (left; apply Rdiv_lt_0_compat; lra).
      rewrite <- (sqrt_square (exp (- (/ 2 * ln (p * q / (s * s)))))) by (left; apply exp_pos). f_equal.
      rewrite <- exp_plus. replace (- (/ 2 * ln (p * q / (s * s))) + - (/ 2 * ln (p * q / (s * s))))
        with (- ln (p * q / (s * s))) by field.
      rewrite exp_Ropp, exp_ln by exact Hpq. field. lra. }
    replace (sqrt (s / p) * exp (2 * (x * x) / p) * (sqrt (s / q) * exp (2 * (y * y) / q)))
      with (sqrt (s / p) * sqrt (s / q) * (exp (2 * (x * x) / p) * exp (2 * (y * y) / q))) in H by ring.
    rewrite Hroot, <- !exp_plus in H. fold u in H.
    rewrite <- (exp_ln (INR t * INR (digits t))) in H by now apply Rmult_lt_0_compat.
    apply exp_lt_inv in H. unfold pair_log. fold p q. lra. }
  assert (C := cauchy_schwarz x y (INR n) (INR m) p q ltac:(lra) ltac:(lra) Hp Hq).
  assert (Hg : 0 < thinness s n + thinness s m).
  { unfold thinness. fold p q. apply Rplus_lt_0_compat; apply Rdiv_lt_0_compat; trivial; apply Rmult_lt_0_compat; lra. }
  change (p / (INR n * INR n) + q / (INR m * INR m)) with (thinness s n + thinness s m) in C.
  replace (x * x / p + y * y / q) with (u / 2) in C by (unfold u; field; lra).
  assert (R2 : (x / INR n - y / INR m) * (x / INR n - y / INR m) <= pair_log s t n m / 2 * (thinness s n + thinness s
    m)).
  { eapply Rle_trans; [exact C|]. apply Rmult_le_compat_r; lra. }
  assert (R3 : x / INR n - y / INR m <= pair_radius s t n m).
  { unfold pair_radius. eapply Rle_trans; [apply Rle_abs|]. rewrite <- sqrt_Rsqr_abs. apply sqrt_le_1_alt. exact R2. }
  rewrite Sa, Sc in R3.
  replace (INR n * (queried_mean w a k - mu a) / INR n) with (queried_mean w a k - mu a) in R3 by (field; lra).
  replace (INR m * (queried_mean w c k - mu c) / INR m) with (queried_mean w c k - mu c) in R3 by (field; lra). lra.
Qed.
End Rows.

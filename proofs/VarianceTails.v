(** Both tails of the empirical standard deviation (theorem 10 of Maurer and Pontil, cited at l.1265), for
    independent draws from one law on [0,1]. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Expectation Hoeffding Laws PairsAndJensen.
Import ListNotations.
Open Scope R_scope.

(** ** The exponential and its parabola *)

Lemma exp_minus_parabola_derivative y : derivable_pt_lim (fun y => exp y - (1 + y + y * y / 2)) y (exp y - (1 + y)).
Proof.
  apply (derivable_pt_lim_minus exp (fun y => 1 + y + y * y / 2)); [apply derivable_pt_lim_exp|].
  replace (1 + y) with (0 + 1 + ((1 * y + y * 1) * / 2 + y * y * 0)) by field.
  apply (derivable_pt_lim_plus (fun y => 1 + y) (fun y => y * y / 2)).
  - apply (derivable_pt_lim_plus (fun _ => 1) id); [apply derivable_pt_lim_const | apply derivable_pt_lim_id].
  - apply (derivable_pt_lim_mult (fun y => y * y) (fun _ => / 2)); [|apply derivable_pt_lim_const].
    apply (derivable_pt_lim_mult id id); apply derivable_pt_lim_id.
Qed.

Lemma exp_minus_parabola_grows x y : x < y -> exp x - (1 + x + x * x / 2) <= exp y - (1 + y + y * y / 2).
Proof.
  intros H. destruct (MVT_cor2 _ _ x y H (fun c _ => exp_minus_parabola_derivative c)) as [c [Hc _]].
  assert (P : 0 <= (exp c - (1 + c)) * (y - x)) by (apply Rmult_le_pos; [generalize (exp_ineq1_le c)|]; lra). lra.
Qed.

Lemma exp_is_above_its_parabola y : 0 <= y -> 1 + y + y * y / 2 <= exp y.
Proof.
  intros [H| <-]; [|rewrite exp_0; lra]. generalize (exp_minus_parabola_grows 0 y H). rewrite exp_0. lra.
Qed.

Lemma exp_is_below_its_parabola y : y <= 0 -> exp y <= 1 + y + y * y / 2.
Proof.
  intros [H| ->]; [|rewrite exp_0; lra]. generalize (exp_minus_parabola_grows y 0 H). rewrite exp_0. lra.
Qed.

(** ** The law *)

Definition mean_of_law (s : expectation reward) : R := s value.
Definition variance_of_law (s : expectation reward) : R :=
  s (fun x => value x * value x) - mean_of_law s * mean_of_law s.

Section Law.
Variable s : expectation reward.
Let mu : R := mean_of_law s.
Let V : R := variance_of_law s.

(** V = E (X - mu)^2. *)
Lemma variance_is_the_mean_square : s (fun x => (value x - mu) * (value x - mu)) = V.
Proof.
  rewrite (expect_ext _ _ (fun x => value x * value x + ((- (2 * mu)) * value x + mu * mu))) by (intros; ring).
  rewrite 2 expect_plus, expect_scal, expect_const by bounded. unfold V, variance_of_law. fold mu.
  change (s value) with mu. ring.
Qed.

Lemma variance_of_law_nonneg : 0 <= V.
Proof.
  rewrite <- variance_is_the_mean_square. apply expect_nonneg; [bounded|]. intros x. apply Rle_0_sqr.
Qed.

Lemma mean_of_law_is_a_reward : 0 <= mu <= 1.
Proof. apply expect_between. apply a_reward_is_in_the_unit_interval. Qed.

(** says: a law on [0,1] has variance at most 1/4
    paper: l.1059
    differs: none
    breaks: "1 / 4" to "1 / 5" *)
Theorem the_variance_of_a_reward_is_at_most_a_quarter : V <= 1 / 4.
Proof.
  assert (H : s (fun x => value x * value x) <= mu).
  { apply expect_le; [bounded | bounded|]. intros x. destruct (a_reward_is_in_the_unit_interval x) as [H0 H1].
    rewrite <- (Rmult_1_r (value x)) at 3. apply Rmult_le_compat_l; lra. }
  unfold V, variance_of_law. fold mu. generalize (Rle_0_sqr (mu - 1 / 2)). unfold Rsqr. lra.
Qed.

(** E h = V. *)
Lemma a_pair_has_the_variance_as_mean :
  s (fun x => s (fun y => half_square value x y)) = V.
Proof.
  set (q := s (fun x => value x * value x)).
  rewrite (expect_ext s _ (fun x => q / 2 + ((- mu) * value x + / 2 * (value x * value x)))).
  - rewrite 2 expect_plus, expect_const, 2 expect_scal by bounded. change (s value) with mu. fold q.
    unfold V, variance_of_law. fold mu q. field.
  - intros x. unfold half_square. rewrite (expect_ext s _ (fun y => value x * value x / 2 + ((- value x) * value y
      + / 2 * (value y * value y)))) by (intros; field).
    rewrite 2 expect_plus, expect_const, 2 expect_scal by bounded. change (s value) with mu. fold q. field.
Qed.

Lemma pair_moment_below a b c : (forall h, 0 <= h <= 1 / 2 -> exp (c * h) <= a + b * h) ->
  pair_moment value s c <= a + b * V.
Proof.
  intros H. unfold pair_moment.
  assert (U := half_square_is_at_most_a_half value a_reward_is_in_the_unit_interval).
  assert (B : forall x, bounded (fun y => half_square value x y)) by (intros x; exact (bounded_between 0 (1 / 2) _ (U x))).
  assert (BE : bounded (fun x => s (fun y => half_square value x y)))
    by (apply (bounded_between 0 (1 / 2)); intros x; apply expect_between, U).
  apply Rle_trans with (s (fun x => a + b * s (fun y => half_square value x y))).
  - apply expect_le; [apply bounded_pair_moment, a_reward_is_in_the_unit_interval | bounded|]. intros x.
    assert (Bx := B x). replace (a + b * s (fun y => half_square value x y))
      with (s (fun y => a + b * half_square value x y)) by now rewrite expect_plus, expect_const, expect_scal by bounded.
    apply expect_le; [bounded | bounded|]. intros y. apply H, U.
  - rewrite expect_plus, expect_const, expect_scal, a_pair_has_the_variance_as_mean by bounded. lra.
Qed.

(** E e^{-c h} <= e^{-(c - c^2/4) V}, from e^{-y} <= 1 - y + y^2/2 and h^2 <= h/2. *)
Lemma pair_moment_on_the_left c : 0 <= c -> pair_moment value s (- c) <= exp (- (c - c * c / 4) * V).
Proof.
  intros Hc. eapply Rle_trans; [|apply exp_ineq1_le]. apply pair_moment_below. intros h Hh.
  assert (P : 0 <= c * h) by (apply Rmult_le_pos; lra).
  eapply Rle_trans; [apply exp_is_below_its_parabola; lra|].
  assert (Q : c * c * (h * h) <= c * c * (1 / 2 * h)).
  { apply Rmult_le_compat_l; [apply Rle_0_sqr | apply Rmult_le_compat_r; lra]. }
  lra.
Qed.

(** E e^{2 u h} <= e^{2 V (e^u - 1)}, from the chord of the exponential. *)
Lemma pair_moment_on_the_right u : pair_moment value s (2 * u) <= exp (2 * (exp u - 1) * V).
Proof.
  eapply Rle_trans; [|apply exp_ineq1_le]. apply pair_moment_below. intros h Hh.
  generalize (exp_is_below_its_chord u (2 * h) ltac:(lra)). replace (u * (2 * h)) with (2 * u * h) by ring. lra.
Qed.

(** ** The tails *)

Variables (n : nat) (x : R).
Hypothesis two_draws : (2 <= n)%nat.
Hypothesis x_nonneg : 0 <= x.
Let E : expectation (tuple reward n) := sample s n.

Lemma n_is_at_least_two : 2 <= INR n.
Proof. change 2 with (INR 2). now apply le_INR. Qed.

Lemma half_of_n : exists m, (1 <= m)%nat /\ (n = (2 * m)%nat \/ n = S (2 * m)) /\ INR n - 1 <= 2 * INR m.
Proof.
  destruct (Nat.Even_or_Odd n) as [[m Hm]|[m Hm]]; exists m; (split; [lia|]); (split; [lia|]);
    rewrite Hm, ?plus_INR, mult_INR; simpl; lra.
Qed.

Lemma an_impossible_event {Omega} (F : expectation Omega) (event : Omega -> bool) :
  (forall w, event w = true -> False) -> probability F event <= exp (- x).
Proof.
  intros H. unfold probability. rewrite (expect_ext F _ (fun _ => 0)), expect_const; [left; apply exp_pos|].
  intros w. destruct (event w) eqn:Ew; [destruct (H w Ew) | reflexivity].
Qed.

Lemma bound_from_moment m c z b (event : tuple reward n -> bool) :
  (1 <= m)%nat -> n = (2 * m)%nat \/ n = S (2 * m) -> pair_moment value s c <= exp b ->
  (forall l, event l = true -> c * z <= c * list_variance value l) -> INR m * (b - c * z) <= - x ->
  probability E event <= exp (- x).
Proof.
  intros Hm Hn Hb Hevent Hx. eapply Rle_trans.
  { apply (markov E (fun l => exp (c * (INR m * list_variance value l))) event (exp (INR m * (c * z)))).
    - exact (bounded_on_tuples _ _ (bounded_moment value a_reward_is_in_the_unit_interval n m c)).
    - apply exp_pos.
    - intros l. left. apply exp_pos.
    - intros l Hl. apply exp_is_monotone. specialize (Hevent l Hl).
      replace (c * (INR m * list_variance value l)) with (INR m * (c * list_variance value l)) by ring.
      apply Rmult_le_compat_l; [apply pos_INR | exact Hevent]. }
  unfold Rdiv. rewrite <- exp_Ropp. apply Rle_trans with (exp (INR m * b) * exp (- (INR m * (c * z)))).
  - apply Rmult_le_compat_r; [left; apply exp_pos|]. rewrite exp_of_multiple.
    eapply Rle_trans; [now apply (the_moments_of_the_empirical_variance_are_those_of_independent_pairs value
      a_reward_is_in_the_unit_interval s n m)|].
    apply pow_incr. split; [apply pair_moment_nonneg, a_reward_is_in_the_unit_interval | exact Hb].
  - rewrite <- exp_plus. apply exp_is_monotone. lra.
Qed.

(** says: P(sqrt V > sqrt V-hat + sqrt(2x/(n-1))) <= e^-x for n >= 2, x >= 0 and n independent draws from one law on
      [0,1]
    paper: l.1265, theorem 10 of Maurer and Pontil
    differs: none
    breaks: "2 * x" to "x" *)
Theorem the_standard_deviation_is_rarely_underestimated (event : tuple reward n -> bool) :
  (forall l, event l = true -> sqrt (list_variance value l) + sqrt (2 * x / (INR n - 1)) < sqrt V) ->
  probability E event <= exp (- x).
Proof.
  intros Hevent. assert (Hn := n_is_at_least_two). assert (HV := variance_of_law_nonneg).
  assert (Hxn : 0 <= 2 * x / (INR n - 1)) by (unfold Rdiv; apply Rmult_le_pos;
    [lra | left; apply Rinv_0_lt_compat; lra]).
  assert (Hq := sqrt_pos (2 * x / (INR n - 1))). assert (Hqq := sqrt_sqrt _ Hxn).
  assert (Hd := sqrt_pos V). assert (Hdd := sqrt_sqrt V HV).
  set (q := sqrt (2 * x / (INR n - 1))) in *. set (d := sqrt V) in *.
  destruct (Req_dec d 0) as [Hzero|Hne].
  { apply an_impossible_event. intros l Hl. specialize (Hevent l Hl).
    generalize (sqrt_pos (list_variance value l)). lra. }
  destruct half_of_n as [m [Hm [Hpar Hmn]]].
  set (c := 2 * q / d). assert (Hc : 0 <= c) by (unfold c, Rdiv; apply Rmult_le_pos;
    [lra | left; apply Rinv_0_lt_compat; lra]).
  apply (bound_from_moment m (- c) (d * d - d * q) (- (c - c * c / 4) * V)); trivial.
  - now apply pair_moment_on_the_left.
  - intros l Hl. specialize (Hevent l Hl). assert (Hw := sqrt_pos (list_variance value l)).
    assert (B : list_variance value l <= d * d - d * q).
    { destruct (Rle_lt_dec (list_variance value l) 0) as [Hneg|Hpos].
      - assert (0 <= d * (d - q)) by (apply Rmult_le_pos; lra). lra.
      - rewrite <- (sqrt_sqrt (list_variance value l)) by lra. set (w := sqrt (list_variance value l)) in *.
        assert (w * w <= w * d) by (apply Rmult_le_compat_l; lra).
        assert (w * d <= (d - q) * d) by (apply Rmult_le_compat_r; lra). lra. }
    assert (C := Rmult_le_compat_l c _ _ Hc B). lra.
  - rewrite <- Hdd. replace (INR m * (- (c - c * c / 4) * (d * d) - - c * (d * d - d * q)))
      with (- (INR m * (q * q))) by (unfold c; field; exact Hne).
    rewrite Hqq. apply Ropp_le_contravar.
    apply (Rmult_le_reg_r (INR n - 1)); [lra|].
    replace (INR m * (2 * x / (INR n - 1)) * (INR n - 1)) with (2 * INR m * x) by (field; lra).
    rewrite Rmult_comm. now apply Rmult_le_compat_r.
Qed.

(** The exponent of the upper tail: e^u = 1 + q/d, and u = 1 where d = 0. *)
Lemma a_good_exponent d q : 0 <= d -> 0 <= q ->
  exists u, 0 <= u /\ d * d * (exp u - 1) - u * ((d + q) * (d + q)) <= - (q * q).
Proof.
  intros Hd Hq. destruct (Req_dec d 0) as [-> |Hne].
  - exists 1. split; [lra|]. rewrite Rmult_0_l, Rmult_0_l. lra.
  - assert (Hr : 0 <= q / d) by (unfold Rdiv; apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
    exists (ln (1 + q / d)). assert (He := exp_ln (1 + q / d) ltac:(lra)).
    assert (L := exp_ineq1_le (- ln (1 + q / d))). rewrite exp_Ropp, He in L.
    split.
    + rewrite <- ln_1. destruct Hr as [Hr|Hr]; [left; apply ln_increasing; lra | rewrite <- Hr, Rplus_0_r; lra].
    + rewrite He. replace (d * d * (1 + q / d - 1)) with (d * q) by (field; exact Hne).
      assert (M := Rmult_le_compat_r ((d + q) * (d + q)) _ _ (Rle_0_sqr (d + q)) L).
      replace (/ (1 + q / d) * ((d + q) * (d + q))) with (d * (d + q)) in M by (field; lra). lra.
Qed.

(** says: P(sqrt V-hat > sqrt V + sqrt(x/(n-1))) <= e^-x for n >= 2, x >= 0 and n independent draws from one law on
      [0,1]
    paper: l.1265, theorem 10 of Maurer and Pontil
    differs: sqrt(x/(n-1)) where sqrt(2x/(n-1)) is cited
    breaks: "INR n - 1" to "2 * INR n" *)
Theorem the_standard_deviation_is_rarely_overestimated (event : tuple reward n -> bool) :
  (forall l, event l = true -> sqrt V + sqrt (x / (INR n - 1)) < sqrt (list_variance value l)) ->
  probability E event <= exp (- x).
Proof.
  intros Hevent. assert (Hn := n_is_at_least_two). assert (HV := variance_of_law_nonneg).
  assert (Hxn : 0 <= x / (INR n - 1)) by (unfold Rdiv; apply Rmult_le_pos;
    [lra | left; apply Rinv_0_lt_compat; lra]).
  assert (Hq := sqrt_pos (x / (INR n - 1))). assert (Hqq := sqrt_sqrt _ Hxn).
  assert (Hd := sqrt_pos V). assert (Hdd := sqrt_sqrt V HV).
  set (q := sqrt (x / (INR n - 1))) in *. set (d := sqrt V) in *.
  destruct (a_good_exponent d q Hd Hq) as [u [Hu Hexp]].
  destruct half_of_n as [m [Hm [Hpar Hmn]]].
  apply (bound_from_moment m (2 * u) ((d + q) * (d + q)) (2 * (exp u - 1) * V)); trivial.
  - apply pair_moment_on_the_right.
  - intros l Hl. specialize (Hevent l Hl). apply Rmult_le_compat_l; [lra|].
    assert (Hpos : 0 <= list_variance value l).
    { destruct (Rle_lt_dec 0 (list_variance value l)) as [|Hneg]; [assumption|].
      rewrite (sqrt_neg_0 (list_variance value l)) in Hevent by lra. lra. }
    rewrite <- (sqrt_sqrt _ Hpos). apply Rmult_le_compat; lra.
  - rewrite <- Hdd. assert (M := Rmult_le_compat_l (2 * INR m) _ _ ltac:(generalize (pos_INR m); lra) Hexp).
    apply Rle_trans with (2 * INR m * - (q * q)); [lra|]. rewrite Hqq.
    replace (2 * INR m * - (x / (INR n - 1))) with (- (2 * INR m * (x / (INR n - 1)))) by ring.
    apply Ropp_le_contravar. apply (Rmult_le_reg_r (INR n - 1)); [lra|].
    replace (2 * INR m * (x / (INR n - 1)) * (INR n - 1)) with (2 * INR m * x) by (field; lra).
    rewrite Rmult_comm. now apply Rmult_le_compat_r.
Qed.
End Law.

(** l.319: the threshold mu_0 at which Kinf+ of a suboptimal arm equals Kinf- of the optimal arm. It exists where both
    are continuous in the threshold and 0 at the means of their laws, and it maximises the right side of the bound on
    the two arms together (AsymptoticLowerBounds.v). Finite-support laws; Bernoulli laws meet all hypotheses
    (BernoulliThreshold.v). *)

From Coq Require Import Reals Lra Lia Arith List Bool Ranalysis5.
From Bufalu Require Import Sums Expectation TotalExpectation FiniteLaws BinaryDivergence Strategies ChangeOfMeasure
  Consistency LogarithmicGrowth AsymptoticLowerBounds TakingTurns.
Open Scope R_scope.

(** ** Continuity of functions with values in [0, +infinity] *)

(** x/(1 + x), and 1 at +infinity: this maps [0, +infinity] onto [0, 1], increasing and continuous both ways. *)
Definition compressed (k : option R) : R :=
  match k with
  | Some x => x / (1 + x)
  | None => 1
  end.

(** So a function with values in [0, +infinity] is continuous where its compression is. *)
Definition continuous_at (k : R -> option R) (mu : R) : Prop := continuity_pt (fun x => compressed (k x)) mu.

Definition is_nonneg (k : option R) : Prop :=
  match k with
  | Some x => 0 <= x
  | None => True
  end.

Lemma compressed_of_a_number x : 0 <= x -> 0 <= x / (1 + x) < 1.
Proof.
  intros H. split; [apply Rmult_le_pos; [exact H | left; apply Rinv_0_lt_compat; lra]|].
  apply (Rmult_lt_reg_r (1 + x)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma compressed_is_nonneg k : is_nonneg k -> 0 <= compressed k.
Proof. destruct k as [x|]; simpl; intros H; [now apply compressed_of_a_number | lra]. Qed.

Lemma compression_is_injective i j : is_nonneg i -> is_nonneg j -> compressed i = compressed j -> i = j.
Proof.
  destruct i as [x|], j as [y|]; simpl; intros Hx Hy E.
  - f_equal. apply (Rmult_eq_compat_r ((1 + x) * (1 + y))) in E.
    replace (x / (1 + x) * ((1 + x) * (1 + y))) with (x + x * y) in E by (field; lra).
    replace (y / (1 + y) * ((1 + x) * (1 + y))) with (y + x * y) in E by (field; lra). lra.
  - assert (C := compressed_of_a_number x Hx). lra.
  - assert (C := compressed_of_a_number y Hy). lra.
  - reflexivity.
Qed.

(** ** Divergence and gap on [0, 1] *)

Definition lives_on_the_unit_interval (p : law) : Prop := forall x, mass p x <> 0 -> 0 <= x <= 1.

(** The variational bound for one draw: E_p[ln g] <= KL(p, q) if g > 0 and E_q[g] <= 1. *)
Lemma expected_log_is_at_most_the_divergence p q g : dominated p q -> (forall x, 0 < g x) -> average q g <= 1 ->
  average p (fun x => ln (g x)) <= divergence p q.
Proof.
  intros Hd Hg H1. set (r := fun x => ln (mass p x) - ln (mass q x)).
  assert (H := reweighted_average_is_at_most p q g Hd (fun x => Rlt_le _ _ (Hg x))).
  assert (L : average p (fun x => ln (g x) + (1 + -1 * r x)) <= average p (fun x => exp (- r x) * g x)).
  { apply total_le. intros x. generalize (r x). intros y. assert (P := exp_pos (- y)).
    assert (Q := ln_at_most_tangent (exp (- y) * g x) ltac:(apply Rmult_lt_0_compat; [exact P | apply Hg])).
    rewrite ln_mult, ln_exp in Q; [lra | exact P | apply Hg]. }
  rewrite total_plus, (total_plus _ (fun _ => 1)), total_scal, (total_const (average p)) in L.
  change (average p (fun x => exp (- r x) * g x) <= average q g) in H.
  change (divergence p q) with (average p r). lra.
Qed.

Lemma ln_at_least_a_parabola y : - (1/2) <= y -> y - 2 * (y * y) <= ln (1 + y).
Proof.
  intros H. assert (T := ln_at_most_tangent (/ (1 + y)) ltac:(apply Rinv_0_lt_compat; lra)).
  rewrite ln_Rinv in T by lra. apply Rle_trans with (1 - / (1 + y)); [|lra].
  apply (Rmult_le_reg_r (1 + y)); [lra|]. replace ((1 - / (1 + y)) * (1 + y)) with y by (field; lra).
  assert (0 <= y * y * (1 + 2 * y)) by (apply Rmult_le_pos; [apply Rle_0_sqr | lra]). lra.
Qed.

(** A weak form of Pinsker's inequality: KL(p, q) >= (E p - E q)^2 / 8. *)
Lemma divergence_is_at_least_the_squared_gap p q : lives_on_the_unit_interval p -> lives_on_the_unit_interval q ->
  dominated p q -> (law_mean p - law_mean q) * (law_mean p - law_mean q) / 8 <= divergence p q.
Proof.
  intros Hp Hq Hd. set (m := law_mean q). set (gap := law_mean p - m). set (clip := fun x => Rmax 0 (Rmin 1 x)).
  assert (C : forall x, 0 <= clip x <= 1).
  { intros x. unfold clip. split; [apply Rmax_l | apply Rmax_lub; [lra | apply Rmin_l]]. }
  assert (C' : forall x, 0 <= x <= 1 -> clip x = x).
  { intros x Hx. unfold clip. rewrite Rmin_right, Rmax_right; lra. }
  assert (M : forall r, lives_on_the_unit_interval r -> average r clip = law_mean r).
  { intros r Hr. apply Rle_antisym; apply average_le_where_there_is_mass; intros x Hx; rewrite (C' x (Hr x Hx)); lra. }
  assert (U : forall r, lives_on_the_unit_interval r -> 0 <= law_mean r <= 1).
  { intros r Hr. rewrite <- (M r Hr). split; [apply total_nonneg; apply C|].
    rewrite <- (total_one (average r)). apply total_le. apply C. }
  assert (Um := U q Hq). fold m in Um. assert (Up := U p Hp).
  assert (G : -1 <= gap <= 1) by (unfold gap; lra).
  set (g := fun x => 1 + gap / 4 * (clip x - m)).
  assert (B : forall x, Rabs (gap / 4 * (clip x - m)) <= 1/2 /\
    gap / 4 * (clip x - m) * (gap / 4 * (clip x - m)) <= gap * gap / 16).
  { intros x. specialize (C x). set (y := clip x - m). assert (Y : -1 <= y <= 1) by (unfold y; lra).
    assert (Y2 : y * y <= 1) by (assert (0 <= (1 - y) * (1 + y)) by (apply Rmult_le_pos; lra); lra).
    assert (Sq : gap / 4 * y * (gap / 4 * y) <= gap * gap / 16).
    { replace (gap / 4 * y * (gap / 4 * y)) with (gap * gap / 16 * (y * y)) by field.
      rewrite <- (Rmult_1_r (gap * gap / 16)) at 2. apply Rmult_le_compat_l; [|exact Y2].
      assert (0 <= gap * gap) by apply Rle_0_sqr. lra. }
    split; [|exact Sq].
    assert (gap * gap <= 1) by (assert (0 <= (1 - gap) * (1 + gap)) by (apply Rmult_le_pos; lra); lra).
    apply Rabs_le. split; apply Rnot_lt_le; intros Hlt.
    - assert (0 < (- (gap / 4 * y) - 1/2) * (- (gap / 4 * y) + 1/2)) by (apply Rmult_lt_0_compat; lra). lra.
    - assert (0 < (gap / 4 * y - 1/2) * (gap / 4 * y + 1/2)) by (apply Rmult_lt_0_compat; lra). lra. }
  assert (Pos : forall x, - (1/2) <= gap / 4 * (clip x - m)).
  { intros x. destruct (B x) as [A _]. assert (A2 := Rle_abs (- (gap / 4 * (clip x - m)))). rewrite Rabs_Ropp in A2. lra. }
  eapply Rle_trans; [|apply (expected_log_is_at_most_the_divergence p q g Hd)].
  - apply Rle_trans with (average p (fun x => gap / 4 * clip x + (- (gap / 4 * m) - gap * gap / 8))).
    + rewrite total_plus, total_scal, (total_const (average p)), (M p Hp). right. unfold gap. fold m. field.
    + apply total_le. intros x. unfold g. assert (L := ln_at_least_a_parabola _ (Pos x)). destruct (B x) as [_ S]. lra.
  - intros x. unfold g. specialize (Pos x). lra.
  - unfold g. rewrite (total_ext _ _ (fun x => gap / 4 * clip x + (1 - gap / 4 * m))) by (intros; ring).
    rewrite total_plus, total_scal, (total_const (average q)), (M q Hq). fold m. lra.
Qed.

(** ** The balancing threshold *)

Section Threshold.
(** p is the law of the suboptimal arm and p' that of the optimal arm. *)
Variables (D : law -> Prop) (p p' : law).
Hypothesis p_is_worse : law_mean p < law_mean p'.

Variables above below : R -> option R.
Hypothesis above_is_kinf : forall mu, is_kinf_above D p mu (above mu).
Hypothesis below_is_kinf : forall mu, is_kinf_below D p' mu (below mu).

(** Where the two agree, their larger one is smallest: Kinf+ grows with the threshold and Kinf- falls. *)
Lemma a_crossing_minimises_the_larger_kinf mu0 mu : above mu0 = below mu0 ->
  infimum_le (larger_infimum (above mu0) (below mu0)) (larger_infimum (above mu) (below mu)).
Proof.
  intros E. destruct (Rle_lt_dec mu0 mu) as [H|H].
  - assert (G := kinf_above_grows_with_the_level D p mu0 mu _ _ H (above_is_kinf mu0) (above_is_kinf mu)).
    rewrite <- E. destruct (above mu0) as [x|], (above mu) as [y|], (below mu) as [z|]; simpl in *; trivial.
    rewrite (Rmax_left x x) by lra. eapply Rle_trans; [exact G | apply Rmax_l].
  - assert (G := kinf_below_falls_with_the_level D p' mu mu0 _ _ ltac:(lra) (below_is_kinf mu) (below_is_kinf mu0)).
    rewrite E. destruct (below mu0) as [x|], (above mu) as [y|], (below mu) as [z|]; simpl in *; trivial.
    rewrite (Rmax_left x x) by lra. eapply Rle_trans; [exact G | apply Rmax_r].
Qed.

Lemma above_is_nonneg mu : is_nonneg (above mu).
Proof.
  assert (H := above_is_kinf mu). destruct (above mu) as [x|]; simpl; trivial.
  exact (an_infimum_is_nonneg _ x (divergences_above_are_nonneg D p mu) H).
Qed.

Lemma below_is_nonneg mu : is_nonneg (below mu).
Proof.
  assert (H := below_is_kinf mu). destruct (below mu) as [x|]; simpl; trivial.
  exact (an_infimum_is_nonneg _ x (divergences_below_are_nonneg D p' mu) H).
Qed.

(** says: for every family D and laws p, p' with E p < E p': if Kinf+(p, mu, D) and Kinf-(p', mu, D), with values in
      [0, +infinity], are continuous at every mu in [E p, E p'], and 0 at E p and at E p' respectively, they are equal
      at some mu_0 in [E p, E p'], and 1/max{Kinf+, Kinf-} is largest there among all thresholds
    paper: l.319
    differs: the closed interval, where the print has the open one; all laws have finite support and private
      seeds are finite, which loses nothing
    breaks: "below (law_mean p') = Some 0" to "below (law_mean p') = None" *)
Theorem a_balancing_threshold_exists :
  (forall mu, law_mean p <= mu <= law_mean p' -> continuous_at above mu /\ continuous_at below mu) ->
  above (law_mean p) = Some 0 -> below (law_mean p') = Some 0 ->
  exists mu0, law_mean p <= mu0 <= law_mean p' /\ above mu0 = below mu0 /\
    forall mu, infimum_le (larger_infimum (above mu0) (below mu0)) (larger_infimum (above mu) (below mu)).
Proof.
  intros Hc Ha Hb. set (g := fun mu => compressed (above mu) - compressed (below mu)).
  assert (Zero : exists mu0, law_mean p <= mu0 <= law_mean p' /\ g mu0 = 0).
  { assert (A := compressed_is_nonneg _ (below_is_nonneg (law_mean p))).
    assert (B := compressed_is_nonneg _ (above_is_nonneg (law_mean p'))).
    assert (Ga : g (law_mean p) <= 0) by (unfold g; rewrite Ha; simpl; lra).
    assert (Gb : 0 <= g (law_mean p')) by (unfold g; rewrite Hb; simpl; lra).
    destruct Ga as [Ga|Ga]; [|exists (law_mean p); split; [lra | exact Ga]].
    destruct Gb as [Gb|Gb]; [|exists (law_mean p'); split; [lra | now symmetry]].
    destruct (IVT_interv g (law_mean p) (law_mean p')) as [z [Hz Ez]]; trivial; [|now exists z].
    intros mu Hmu. destruct (Hc mu Hmu) as [H1 H2].
    exact (continuity_pt_minus (fun x => compressed (above x)) (fun x => compressed (below x)) mu H1 H2). }
  destruct Zero as [mu0 [Hmu0 E]]. exists mu0. split; [exact Hmu0|].
  assert (Eq : above mu0 = below mu0).
  { apply compression_is_injective; [apply above_is_nonneg | apply below_is_nonneg | unfold g in E; lra]. }
  split; [exact Eq|]. intros mu. now apply a_crossing_minimises_the_larger_kinf.
Qed.

(** says: if all laws of D live on [0, 1] and Kinf+(p, E p, D) = Kinf-(p', E p', D) = 0 for p, p' in D with E p < E
      p', every mu_0 at which Kinf+(p, mu_0, D) = Kinf-(p', mu_0, D) lies strictly between E p and E p'
    paper: l.319
    differs: rewards in [0, 1], which the print does not ask for here; all laws have finite support and private
      seeds are finite, which loses nothing
    breaks: "lives_on_the_unit_interval q" to "True" *)
Theorem balancing_thresholds_lie_strictly_between mu0 :
  D p -> D p' -> (forall q, D q -> lives_on_the_unit_interval q) ->
  above (law_mean p) = Some 0 -> below (law_mean p') = Some 0 -> above mu0 = below mu0 ->
  law_mean p < mu0 < law_mean p'.
Proof.
  intros Hp Hp' HD Ha Hb E.
  assert (Gap : forall r q, D r -> D q -> dominated r q -> forall e, 0 < e ->
    e <= law_mean r - law_mean q \/ e <= law_mean q - law_mean r -> e * e / 8 <= divergence r q).
  { intros r q Hr Hq Hd e He H. eapply Rle_trans;
      [|apply (divergence_is_at_least_the_squared_gap r q (HD r Hr) (HD q Hq) Hd)].
    destruct H as [H|H]; [assert (e * e <= (law_mean r - law_mean q) * (law_mean r - law_mean q)) by
      (apply Rmult_le_compat; lra) | assert (e * e <= (law_mean q - law_mean r) * (law_mean q - law_mean r)) by
      (apply Rmult_le_compat; lra)]; lra. }
  set (e := law_mean p' - law_mean p). assert (He : 0 < e) by (unfold e; lra).
  assert (Sq : 0 < e * e) by now apply Rmult_lt_0_compat.
  split; apply Rnot_le_lt; intros Hle.
  - assert (Z : above mu0 = Some 0).
    { assert (G := kinf_above_grows_with_the_level D p mu0 _ _ _ Hle (above_is_kinf mu0) (above_is_kinf _)).
      assert (N := above_is_nonneg mu0). rewrite Ha in G. destruct (above mu0) as [x|]; [|destruct G].
      simpl in *. f_equal. lra. }
    assert (K := below_is_kinf mu0). rewrite <- E, Z in K. destruct K as [_ K].
    destruct (K (e * e / 8) ltac:(lra)) as [k [[q [Hq [Hm [Hd ->]]]] Hlt]].
    assert (X := Gap p' q Hp' Hq Hd e He ltac:(left; unfold e; lra)). lra.
  - assert (Z : below mu0 = Some 0).
    { assert (G := kinf_below_falls_with_the_level D p' _ mu0 _ _ Hle (below_is_kinf _) (below_is_kinf mu0)).
      assert (N := below_is_nonneg mu0). rewrite Hb in G. destruct (below mu0) as [x|]; [|destruct G].
      simpl in *. f_equal. lra. }
    assert (K := above_is_kinf mu0). rewrite E, Z in K. destruct K as [_ K].
    destruct (K (e * e / 8) ltac:(lra)) as [k [[q [Hq [Hm [Hd ->]]]] Hlt]].
    assert (X := Gap p q Hp Hq Hd e He ltac:(right; unfold e; lra)). lra.
Qed.
End Threshold.

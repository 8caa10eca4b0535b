(** l.319 for Bernoulli arms: Kinf+ and Kinf- in the family of all laws on {0, 1} in closed form, their continuity,
    and the threshold mu_0 of BalancingThreshold.v, whose hypotheses this family meets. *)

From Coq Require Import Reals Lra Lia Arith List Bool Ranalysis4.
From Bufalu Require Import FiniteLaws BinaryDivergence AsymptoticLowerBounds BalancingThreshold.
Open Scope R_scope.

Definition bernoulli (p : law) : Prop := lives_on p 0 1.

(** ** kl(a, m) as a function of m *)

Lemma binary_kl_of_itself a : binary_kl a a = 0.
Proof. unfold binary_kl. lra. Qed.

Lemma binary_kl_mirrored a m : binary_kl (1 - a) (1 - m) = binary_kl a m.
Proof. unfold binary_kl. replace (1 - (1 - a)) with a by ring. replace (1 - (1 - m)) with m by ring. ring. Qed.

Lemma ln_is_continuous y : 0 < y -> continuity_pt ln y.
Proof. intros H. apply derivable_continuous_pt. exists (/ y). now apply derivable_pt_lim_ln. Qed.

Lemma binary_kl_is_continuous a m : a = 0 \/ 0 < m -> m < 1 -> continuity_pt (binary_kl a) m.
Proof.
  intros H0 H1. unfold binary_kl. apply continuity_pt_plus.
  - destruct H0 as [->|H0].
    + apply (continuity_pt_locally_ext (fun _ => 0) _ 1); [lra | intros; ring | now apply continuity_pt_const].
    + apply (continuity_pt_scal (fun m => ln a - ln m)). apply (continuity_pt_minus (fun _ => ln a)).
      * now apply continuity_pt_const.
      * now apply ln_is_continuous.
  - apply (continuity_pt_scal (fun m => ln (1 - a) - ln (1 - m))). apply (continuity_pt_minus (fun _ => ln (1 - a))).
    + now apply continuity_pt_const.
    + apply (continuity_pt_comp (fun m => 1 - m) ln); [|apply ln_is_continuous; lra].
      reg.
Qed.

Lemma larger_of_two_is_continuous a mu : continuity_pt (Rmax a) mu.
Proof.
  apply (continuity_pt_locally_ext (fun x => / 2 * (x + a + Rabs (x - a))) _ 1); [lra| |].
  - intros x _. unfold Rmax, Rabs. destruct (Rle_dec a x), (Rcase_abs (x - a)); lra.
  - reg.
Qed.

(** ** Kinf in closed form *)

(** 0 up to the mean a of the law, kl(a, mu) from there on, +infinity from 1 on, above which no mean lies. *)
Definition bernoulli_kinf_above (a mu : R) : option R :=
  if Rlt_dec mu 1 then Some (binary_kl a (Rmax a mu)) else None.
(** 0 from the mean b of the law on, kl(b, mu) below it, +infinity up to 0, below which no mean lies. *)
Definition bernoulli_kinf_below (b mu : R) : option R :=
  if Rlt_dec 0 mu then Some (binary_kl b (Rmin b mu)) else None.

Lemma below_mirrors_above b mu : bernoulli_kinf_below b mu = bernoulli_kinf_above (1 - b) (1 - mu).
Proof.
  unfold bernoulli_kinf_above, bernoulli_kinf_below. destruct (Rlt_dec 0 mu), (Rlt_dec (1 - mu) 1); try lra.
  - f_equal. replace (Rmax (1 - b) (1 - mu)) with (1 - Rmin b mu); [now rewrite binary_kl_mirrored|].
    unfold Rmax, Rmin. destruct (Rle_dec b mu), (Rle_dec (1 - b) (1 - mu)); lra.
  - reflexivity.
Qed.

Lemma bernoulli_masses p : bernoulli p -> mass p 1 = law_mean p /\ mass p 0 = 1 - law_mean p /\ 0 <= law_mean p <= 1.
Proof.
  intros Hp. destruct (two_masses p 0 1 ltac:(lra) Hp) as [S M].
  assert (A := mass_is_nonneg p 0). assert (B := mass_is_nonneg p 1). lra.
Qed.

Lemma bernoulli_divergence p q : bernoulli p -> bernoulli q -> divergence p q = binary_kl (law_mean p) (law_mean q).
Proof.
  intros Hp Hq. destruct (bernoulli_masses p Hp) as [P1 [P0 _]]. destruct (bernoulli_masses q Hq) as [Q1 [Q0 _]].
  unfold divergence, binary_kl. rewrite (average_on_two_points p 0 1 _ ltac:(lra) Hp), P0, P1, Q0, Q1. ring.
Qed.

Lemma bernoulli_domination p q : bernoulli p -> bernoulli q ->
  (dominated p q <-> kl_is_finite (law_mean p) (law_mean q)).
Proof.
  intros Hp Hq. destruct (bernoulli_masses p Hp) as [P1 [P0 P]]. destruct (bernoulli_masses q Hq) as [Q1 [Q0 Q]].
  split.
  - intros Hd. assert (D0 := Hd 0). assert (D1 := Hd 1). rewrite P0, Q0 in D0. rewrite P1, Q1 in D1.
    split; intros E; [destruct (Req_dec (law_mean p) 0) | destruct (Req_dec (law_mean p) 1)]; trivial.
    + specialize (D1 ltac:(lra)). lra.
    + specialize (D0 ltac:(lra)). lra.
  - intros [F0 F1] x Hx. destruct (Hp x ltac:(lra)) as [->| ->]; rewrite ?P0, ?Q0, ?P1, ?Q1 in *.
    + destruct (Req_dec (law_mean q) 1) as [E|E]; [specialize (F1 E)|]; lra.
    + destruct (Req_dec (law_mean q) 0) as [E|E]; [specialize (F0 E)|]; lra.
Qed.

Lemma a_bernoulli_law_of_every_mean m : 0 <= m <= 1 -> exists q, bernoulli q /\ law_mean q = m.
Proof.
  intros H. exists (two_point 0 1 m ltac:(lra) H). split; [apply two_point_lives_on | rewrite two_point_mean; lra].
Qed.

(** The infimum of kl(a, m) over the means m above mu. *)
Lemma infimum_of_binary_kl_above (S : R -> Prop) a mu : 0 <= a <= 1 ->
  (forall k, S k <-> exists m, 0 <= m <= 1 /\ mu < m /\ kl_is_finite a m /\ k = binary_kl a m) ->
  (forall k, S k -> 0 <= k) -> is_infimum S (bernoulli_kinf_above a mu).
Proof.
  intros Ha HS Hpos. unfold bernoulli_kinf_above. destruct (Rlt_dec mu 1) as [Hmu|Hmu].
  - assert (L := Rmax_l a mu). split.
    + intros k Hk. assert (N := Hpos k Hk). apply HS in Hk. destruct Hk as [m [Hm [Hlt [[_ F1] ->]]]].
      destruct (Rle_lt_dec m a) as [H|H].
      * rewrite Rmax_left, binary_kl_of_itself by lra. exact N.
      * apply binary_kl_grows_away_from_p; [lra | exact L | apply Rmax_lub; lra|].
        destruct (proj2 Hm) as [E|E]; [exact E | specialize (F1 E); lra].
    + intros k Hk. destruct (Rlt_le_dec mu a) as [H|H].
      * exists (binary_kl a a). rewrite Rmax_left in Hk by lra. split; [|exact Hk].
        apply HS. exists a. split; [lra | split; [exact H | split; [now split|reflexivity]]].
      * rewrite Rmax_right in Hk by lra.
        destruct (binary_kl_is_continuous a mu ltac:(lra) Hmu (k - binary_kl a mu) ltac:(lra)) as [d [Hd C]].
        set (m := mu + Rmin (d / 2) ((1 - mu) / 2)).
        assert (A := Rmin_l (d / 2) ((1 - mu) / 2)). assert (B := Rmin_r (d / 2) ((1 - mu) / 2)).
        assert (P : 0 < Rmin (d / 2) ((1 - mu) / 2)) by (apply Rmin_pos; lra).
        exists (binary_kl a m). split.
        -- apply HS. exists m. unfold m. split; [lra | split; [lra | split; [split; lra | reflexivity]]].
        -- assert (X := Rle_abs (binary_kl a m - binary_kl a mu)).
           assert (Y : Rabs (binary_kl a m - binary_kl a mu) < k - binary_kl a mu); [|lra].
           apply C. split; [split; [exact I | unfold m; lra]|]. simpl. unfold R_dist, m. rewrite Rabs_right; lra.
  - intros k Hk. apply HS in Hk. destruct Hk as [m [Hm [Hlt _]]]. lra.
Qed.

(** says: in the family D of all laws on {0, 1}, Kinf+(Ber(a), mu, D) = kl(a, max{a, mu}) for mu < 1, which is 0 for
      mu <= a, and +infinity for mu >= 1, for every a in [0, 1] and every mu
    paper: l.287-294
    differs: none
    breaks: "bernoulli p ->" to "law_mean p = law_mean p ->" *)
Theorem kinf_above_of_a_bernoulli_law p mu : bernoulli p ->
  is_kinf_above bernoulli p mu (bernoulli_kinf_above (law_mean p) mu).
Proof.
  intros Hp. apply infimum_of_binary_kl_above.
  - apply (bernoulli_masses p Hp).
  - intros k. split.
    + intros [q [Hq [Hm [Hd ->]]]]. exists (law_mean q). split; [apply (bernoulli_masses q Hq)|]. split; [exact Hm|].
      split; [now apply bernoulli_domination | now apply bernoulli_divergence].
    + intros [m [Hm [Hlt [F ->]]]]. destruct (a_bernoulli_law_of_every_mean m Hm) as [q [Hq E]]. exists q.
      rewrite E, bernoulli_domination, bernoulli_divergence, E by assumption. auto.
  - apply divergences_above_are_nonneg.
Qed.

(** says: in the family D of all laws on {0, 1}, Kinf-(Ber(b), mu, D) = kl(b, min{b, mu}) for mu > 0, which is 0 for
      mu >= b, and +infinity for mu <= 0, for every b in [0, 1] and every mu
    paper: l.287-294
    differs: none
    breaks: "bernoulli p ->" to "law_mean p = law_mean p ->" *)
Theorem kinf_below_of_a_bernoulli_law p mu : bernoulli p ->
  is_kinf_below bernoulli p mu (bernoulli_kinf_below (law_mean p) mu).
Proof.
  intros Hp. destruct (bernoulli_masses p Hp) as [_ [_ P]]. rewrite below_mirrors_above.
  apply infimum_of_binary_kl_above; [lra| |apply divergences_below_are_nonneg]. intros k. split.
  - intros [q [Hq [Hm [Hd ->]]]]. assert (Q := proj2 (proj2 (bernoulli_masses q Hq))).
    apply bernoulli_domination in Hd; trivial. destruct Hd as [F0 F1].
    exists (1 - law_mean q). rewrite binary_kl_mirrored, bernoulli_divergence by assumption.
    split; [lra | split; [lra | split; [split; intros E | reflexivity]]];
      [specialize (F1 ltac:(lra)) | specialize (F0 ltac:(lra))]; lra.
  - intros [m [Hm [Hlt [[F0 F1] ->]]]]. destruct (a_bernoulli_law_of_every_mean (1 - m) ltac:(lra)) as [q [Hq E]].
    exists q. rewrite bernoulli_domination, bernoulli_divergence, E by assumption.
    split; [exact Hq | split; [lra | split; [split; intros H|]]];
      [specialize (F1 ltac:(lra)); lra | specialize (F0 ltac:(lra)); lra |].
    rewrite <- (binary_kl_mirrored _ (1 - m)). f_equal. ring.
Qed.

Lemma bernoulli_means_can_rise p : bernoulli p -> law_mean p < 1 -> is_kinf_above bernoulli p (law_mean p) (Some 0).
Proof.
  intros Hp H. assert (K := kinf_above_of_a_bernoulli_law p (law_mean p) Hp). unfold bernoulli_kinf_above in K.
  destruct (Rlt_dec (law_mean p) 1); [|contradiction]. now rewrite Rmax_left, binary_kl_of_itself in K by lra.
Qed.

Lemma bernoulli_means_can_fall p : bernoulli p -> 0 < law_mean p -> is_kinf_below bernoulli p (law_mean p) (Some 0).
Proof.
  intros Hp H. assert (K := kinf_below_of_a_bernoulli_law p (law_mean p) Hp). unfold bernoulli_kinf_below in K.
  destruct (Rlt_dec 0 (law_mean p)); [|contradiction]. now rewrite Rmin_left, binary_kl_of_itself in K by lra.
Qed.

Lemma bernoulli_laws_live_on_the_unit_interval p : bernoulli p -> lives_on_the_unit_interval p.
Proof. intros Hp x Hx. destruct (Hp x Hx) as [->| ->]; lra. Qed.

(** ** Continuity *)

Lemma bernoulli_kinf_above_is_nonneg a mu : 0 <= a -> is_nonneg (bernoulli_kinf_above a mu).
Proof.
  intros Ha. unfold bernoulli_kinf_above. destruct (Rlt_dec mu 1) as [H|H]; simpl; trivial.
  rewrite <- (binary_kl_of_itself a). destruct (Rle_lt_dec mu a) as [L|L].
  - rewrite Rmax_left by lra. lra.
  - rewrite Rmax_right by lra. apply binary_kl_grows_away_from_p; lra.
Qed.

(** Near 1 the divergence exceeds every bound. *)
Lemma binary_kl_explodes a bound : 0 <= a < 1 -> 0 < bound ->
  exists d, 0 < d /\ forall mu, a <= mu < 1 -> 1 - mu < d -> bound < binary_kl a mu.
Proof.
  intros Ha Hb. exists (exp (- ((bound + ln 2) / (1 - a)))). split; [apply exp_pos|]. intros mu Hmu Hd.
  apply ln_increasing in Hd; [|lra]. rewrite ln_exp in Hd.
  apply Rlt_le_trans with ((1 - a) * - ln (1 - mu) - ln 2).
  - assert (X : (1 - a) * ((bound + ln 2) / (1 - a)) < (1 - a) * - ln (1 - mu)) by (apply Rmult_lt_compat_l; lra).
    replace ((1 - a) * ((bound + ln 2) / (1 - a))) with (bound + ln 2) in X by (field; lra). lra.
  - apply binary_kl_at_least_one_minus_p_log; [lra | lra | split; lra].
Qed.

(** At a = 1 it jumps from 0 to +infinity.
    says: the Kinf+ of Ber(a) in closed form, with values in [0, +infinity], is continuous at every mu, for every a in
      [0, 1)
    paper: l.319
    differs: none
    breaks: "0 <= a < 1" to "0 <= a <= 1" *)
Theorem bernoulli_kinf_above_is_continuous a mu : 0 <= a < 1 -> continuous_at (bernoulli_kinf_above a) mu.
Proof.
  intros Ha. unfold continuous_at. destruct (Rlt_le_dec mu 1) as [H|H].
  - apply (continuity_pt_locally_ext (fun x => binary_kl a (Rmax a x) / (1 + binary_kl a (Rmax a x))) _ (1 - mu)).
    + lra.
    + intros x Hx. unfold R_dist in Hx. assert (X := Rle_abs (x - mu)). unfold bernoulli_kinf_above.
      destruct (Rlt_dec x 1); [reflexivity | lra].
    + assert (C : continuity_pt (fun x => binary_kl a (Rmax a x)) mu).
      { apply (continuity_pt_comp (Rmax a) (binary_kl a)); [apply larger_of_two_is_continuous|].
        assert (L := Rmax_l a mu). apply binary_kl_is_continuous; [lra | apply Rmax_lub_lt; lra]. }
      apply (continuity_pt_div (fun x => binary_kl a (Rmax a x)) (fun x => 1 + binary_kl a (Rmax a x))); [exact C| |].
      * apply (continuity_pt_plus (fun _ => 1)); [now apply continuity_pt_const | exact C].
      * assert (N := bernoulli_kinf_above_is_nonneg a mu ltac:(lra)). unfold bernoulli_kinf_above in N.
        destruct (Rlt_dec mu 1); simpl in N; lra.
  - intros eps Heps. destruct (binary_kl_explodes a (/ eps) Ha) as [d [Hd E]]; [now apply Rinv_0_lt_compat|].
    exists (Rmin d (1 - a)). split; [apply Rmin_pos; lra|]. intros x [_ Hx]. simpl in *. unfold R_dist in *.
    assert (A := Rmin_l d (1 - a)). assert (B := Rmin_r d (1 - a)). assert (X := Rle_abs (- (x - mu))).
    rewrite Rabs_Ropp in X. unfold bernoulli_kinf_above. destruct (Rlt_dec mu 1) as [K|_]; [lra|].
    destruct (Rlt_dec x 1) as [K|_]; simpl; [|rewrite Rminus_eq_0, Rabs_R0; lra].
    rewrite Rmax_right by lra. specialize (E x ltac:(lra) ltac:(lra)). assert (I := Rinv_0_lt_compat eps Heps).
    set (k := binary_kl a x) in *. replace (k / (1 + k) - 1) with (- / (1 + k)) by (field; lra).
    rewrite Rabs_Ropp, Rabs_right by (left; apply Rinv_0_lt_compat; lra).
    rewrite <- (Rinv_inv eps). apply Rinv_lt_contravar; [apply Rmult_lt_0_compat|]; lra.
Qed.

(** says: the Kinf- of Ber(b) in closed form, with values in [0, +infinity], is continuous at every mu, for every b in
      (0, 1]
    paper: l.319
    differs: none
    breaks: "0 < b <= 1" to "0 <= b <= 1" *)
Theorem bernoulli_kinf_below_is_continuous b mu : 0 < b <= 1 -> continuous_at (bernoulli_kinf_below b) mu.
Proof.
  intros Hb. unfold continuous_at.
  apply (continuity_pt_locally_ext (fun x => compressed (bernoulli_kinf_above (1 - b) (1 - x))) _ 1); [lra| |].
  - intros x _. now rewrite below_mirrors_above.
  - apply (continuity_pt_comp (fun x => 1 - x) (fun x => compressed (bernoulli_kinf_above (1 - b) x))).
    + reg.
    + apply bernoulli_kinf_above_is_continuous. lra.
Qed.

(** ** The balancing threshold *)

Definition negative_entropy (x : R) : R := x * ln x + (1 - x) * ln (1 - x).

(** Where kl(a, .) and kl(b, .) cross. *)
Definition bernoulli_threshold (a b : R) : R := / (1 + exp ((negative_entropy a - negative_entropy b) / (b - a))).

Lemma binary_kls_cross_at_the_threshold a b mu : a < b -> 0 < mu < 1 -> binary_kl a mu = binary_kl b mu ->
  mu = bernoulli_threshold a b.
Proof.
  intros Hab Hmu E. unfold bernoulli_threshold.
  replace ((negative_entropy a - negative_entropy b) / (b - a)) with (ln ((1 - mu) / mu)).
  - rewrite exp_ln by (apply Rdiv_lt_0_compat; lra). field. lra.
  - rewrite ln_div by lra. apply (Rmult_eq_reg_r (b - a)); [|lra].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    unfold binary_kl in E. unfold negative_entropy. lra.
Qed.

(** says: in the family D of all laws on {0, 1}, for 0 <= a < b <= 1: Kinf+(Ber(a), mu, D) = Kinf-(Ber(b), mu, D) at
      mu_0 = 1/(1 + e^c) alone, where c = (h(a) - h(b))/(b - a) and h(x) = x ln x + (1 - x) ln(1 - x); there both are
      kl(a, mu_0) = kl(b, mu_0), a < mu_0 < b, and no threshold has a smaller max{Kinf+, Kinf-}
    paper: l.319
    differs: the print has no closed form for Bernoulli arms
    settles: lower.balancing_threshold.bernoulli
    breaks: "law_mean p < law_mean p'" to "law_mean p <= law_mean p'" *)
Theorem the_balancing_threshold_of_bernoulli_laws p p' : bernoulli p -> bernoulli p' -> law_mean p < law_mean p' ->
  let mu0 := bernoulli_threshold (law_mean p) (law_mean p') in
  law_mean p < mu0 < law_mean p' /\ binary_kl (law_mean p) mu0 = binary_kl (law_mean p') mu0 /\
  is_kinf_above bernoulli p mu0 (Some (binary_kl (law_mean p) mu0)) /\
  is_kinf_below bernoulli p' mu0 (Some (binary_kl (law_mean p') mu0)) /\
  forall mu i j, is_kinf_above bernoulli p mu i -> is_kinf_below bernoulli p' mu j ->
    (i = j -> mu = mu0) /\ infimum_le (Some (binary_kl (law_mean p) mu0)) (larger_infimum i j).
Proof.
  intros Hp Hp' Hlt mu0. set (a := law_mean p) in *. set (b := law_mean p') in *.
  assert (A : 0 <= a <= 1) by apply (bernoulli_masses p Hp).
  assert (B : 0 <= b <= 1) by apply (bernoulli_masses p' Hp').
  assert (Up := fun mu => kinf_above_of_a_bernoulli_law p mu Hp).
  assert (Down := fun mu => kinf_below_of_a_bernoulli_law p' mu Hp'). fold a in Up. fold b in Down.
  assert (Za : bernoulli_kinf_above a a = Some 0).
  { unfold bernoulli_kinf_above. destruct (Rlt_dec a 1); [|lra]. now rewrite Rmax_left, binary_kl_of_itself by lra. }
  assert (Zb : bernoulli_kinf_below b b = Some 0).
  { unfold bernoulli_kinf_below. destruct (Rlt_dec 0 b); [|lra]. now rewrite Rmin_left, binary_kl_of_itself by lra. }
  assert (One : forall mu, bernoulli_kinf_above a mu = bernoulli_kinf_below b mu ->
    a < mu < b /\ bernoulli_kinf_above a mu = Some (binary_kl a mu) /\
    bernoulli_kinf_below b mu = Some (binary_kl b mu) /\ mu = mu0).
  { intros mu E.
    assert (I : a < mu < b).
    { apply (balancing_thresholds_lie_strictly_between bernoulli p p' Hlt _ _ Up Down mu Hp Hp'); trivial.
      intros q Hq x Hx. destruct (Hq x Hx); lra. }
    assert (Ea : bernoulli_kinf_above a mu = Some (binary_kl a mu)).
    { unfold bernoulli_kinf_above. destruct (Rlt_dec mu 1); [|lra]. now rewrite Rmax_right by lra. }
    assert (Eb : bernoulli_kinf_below b mu = Some (binary_kl b mu)).
    { unfold bernoulli_kinf_below. destruct (Rlt_dec 0 mu); [|lra]. now rewrite Rmin_right by lra. }
    rewrite Ea, Eb in E. injection E as E. repeat split; trivial; try apply I.
    apply binary_kls_cross_at_the_threshold; [exact Hlt | lra | exact E]. }
  destruct (a_balancing_threshold_exists bernoulli p p' Hlt _ _ Up Down) as [mu [_ [E Least]]]; trivial.
  { intros mu _. split; [apply bernoulli_kinf_above_is_continuous | apply bernoulli_kinf_below_is_continuous]; lra. }
  destruct (One mu E) as [I [Ea [Eb M]]]. subst mu. rewrite Ea, Eb in E. injection E as E.
  split; [exact I | split; [exact E|]].
  split; [rewrite <- Ea; apply Up | split; [rewrite <- Eb; apply Down|]].
  intros mu i j Hi Hj. rewrite (infima_are_unique _ _ _ Hi (Up mu)), (infima_are_unique _ _ _ Hj (Down mu)).
  split; [intros F; apply (One mu F)|]. specialize (Least mu).
  rewrite Ea, Eb, <- E in Least. simpl (larger_infimum (Some _) _) in Least. now rewrite Rmax_left in Least by lra.
Qed.

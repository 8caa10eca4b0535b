(** Laws of finite support on the reals, their Kullback-Leibler divergence, and Kinf as an infimum (l.288-294).

    Everything about lower bounds in this development speaks of laws of finite support. *)

From Coq Require Import Reals Lra Lia Arith List Bool Classical.
From Bufalu Require Import Sums Expectation TotalExpectation.
Import ListNotations.
Open Scope R_scope.

(** A law gives every real number a mass; all mass lies on a finite list without repetition. *)
Record law : Type := Law {
  support : list R;
  mass : R -> R;
  support_has_no_repetition : NoDup support;
  mass_is_nonneg : forall x, 0 <= mass x;
  mass_is_on_the_support : forall x, mass x <> 0 -> In x support;
  masses_sum_to_one : sum support mass = 1
}.

(** The expectation of a function of one draw. *)
Definition average (p : law) : total_expectation R.
Proof.
  refine (TotalExpectation R (fun f => sum (support p) (fun x => mass p x * f x)) _ _ _ _).
  - abstract (intros f g; rewrite <- sum_plus; apply sum_ext; intros; lra).
  - abstract (intros c f; rewrite <- sum_scal; apply sum_ext; intros; lra).
  - abstract (intros f Hf; apply sum_nonneg; intros x _; apply Rmult_le_pos; [apply mass_is_nonneg | apply Hf]).
  - abstract (rewrite (sum_ext _ _ (mass p)) by (intros; lra); apply masses_sum_to_one).
Defined.

Definition law_mean (p : law) : R := average p (fun x => x).

(** [p] is absolutely continuous with respect to [q]. *)
Definition dominated (p q : law) : Prop := forall x, 0 < mass p x -> 0 < mass q x.

(** KL(p, q) where it is finite, that is, where [p] is dominated by [q]; elsewhere it is +infinity, and the
    statements below ask for [dominated]. *)
Definition divergence (p q : law) : R := average p (fun x => ln (mass p x) - ln (mass q x)).

Lemma dominated_by_itself p : dominated p p.
Proof. now intros x. Qed.

Lemma divergence_from_itself p : divergence p p = 0.
Proof.
  unfold divergence. rewrite (total_ext _ _ (fun _ => 0)) by (intros; lra). apply (total_const (average p)).
Qed.

(** A sum of nonnegative terms over a list without repetition is at most a sum over any list that has its terms. *)
Lemma sum_le_over_more (l m : list R) f : NoDup l -> (forall x, 0 <= f x) ->
  (forall x, In x l -> f x <> 0 -> In x m) -> sum l f <= sum m f.
Proof.
  intros Hl Hf. revert m. induction Hl as [|x l Hx Hl IH]; intros m H.
  - apply sum_nonneg. intros; apply Hf.
  - change (f x + sum l f <= sum m f). destruct (Req_dec (f x) 0) as [E|E].
    + rewrite E. specialize (IH m ltac:(intros; apply H; [now right | assumption])). lra.
    + destruct (in_split x m (H x (or_introl eq_refl) E)) as [m1 [m2 ->]].
      assert (I : sum l f <= sum (m1 ++ m2) f).
      { apply IH. intros y Hy Hfy. assert (J := H y (or_intror Hy) Hfy). apply in_app_or in J. apply in_or_app.
        destruct J as [J|[J|J]]; [now left | subst; contradiction | now right]. }
      rewrite sum_app in *. change (sum (x :: m2) f) with (f x + sum m2 f). lra.
Qed.

(** Reweighting a draw from [p] by the likelihood ratio gives at most the expectation under [q]. *)
Lemma reweighted_average_is_at_most p q (f : R -> R) : dominated p q -> (forall x, 0 <= f x) ->
  average p (fun x => exp (- (ln (mass p x) - ln (mass q x))) * f x) <= average q f.
Proof.
  intros Hd Hf. change (sum (support p) (fun x => mass p x * (exp (- (ln (mass p x) - ln (mass q x))) * f x))
    <= sum (support q) (fun x => mass q x * f x)).
  assert (P : forall x, 0 <= mass q x * f x) by (intros; apply Rmult_le_pos; [apply mass_is_nonneg | apply Hf]).
  eapply Rle_trans; [|apply (sum_le_over_more (support p) (support q) (fun x => mass q x * f x)
    (support_has_no_repetition p) P)].
  - apply sum_le. intros x _. destruct (mass_is_nonneg p x) as [Hp|Hp].
    + assert (Hq := Hd x Hp).
      replace (- (ln (mass p x) - ln (mass q x))) with (ln (mass q x) + - ln (mass p x)) by lra.
      rewrite exp_plus, exp_Ropp, !exp_ln by assumption. right. field. lra.
    + rewrite <- Hp, Rmult_0_l. apply P.
  - intros x _ H. apply mass_is_on_the_support. intros E. apply H. rewrite E. lra.
Qed.

Lemma exp_at_least_tangent x : 1 + x <= exp x.
Proof.
  destruct (Req_dec x 0) as [->|H]; [rewrite exp_0; lra | left; now apply exp_ineq1].
Qed.

Lemma ln_at_most_tangent y : 0 < y -> ln y <= y - 1.
Proof. intros H. assert (E := exp_at_least_tangent (ln y)). rewrite exp_ln in E by assumption. lra. Qed.

(** KL is nonnegative. *)
Theorem divergence_is_nonneg p q : dominated p q -> 0 <= divergence p q.
Proof.
  intros Hd. assert (H := reweighted_average_is_at_most p q (fun _ => 1) Hd ltac:(intros; lra)).
  rewrite (total_const (average q)) in H. unfold divergence.
  assert (G : average p (fun x => 1 + -1 * (ln (mass p x) - ln (mass q x)))
    <= average p (fun x => exp (- (ln (mass p x) - ln (mass q x))) * 1)).
  { apply total_le. intros x. assert (E := exp_at_least_tangent (- (ln (mass p x) - ln (mass q x)))). lra. }
  rewrite total_plus, total_scal, (total_const (average p)) in G. lra.
Qed.

(** ** Kinf as an infimum *)

(** The infimum of a set of real numbers; [None] is +infinity, the infimum of the empty set. *)
Definition is_infimum (S : R -> Prop) (infimum : option R) : Prop :=
  match infimum with
  | None => forall k, ~ S k
  | Some m => (forall k, S k -> m <= k) /\ (forall k, m < k -> exists s, S s /\ s < k)
  end.

(** The finite values of KL(p, q) for q in the family D with mean above, or below, [mu]. *)
Definition divergences_above (D : law -> Prop) (p : law) (mu k : R) : Prop :=
  exists q, D q /\ mu < law_mean q /\ dominated p q /\ k = divergence p q.
Definition divergences_below (D : law -> Prop) (p : law) (mu k : R) : Prop :=
  exists q, D q /\ law_mean q < mu /\ dominated p q /\ k = divergence p q.

(** Kinf+(p, mu, D) and Kinf-(p, mu, D), l.290-293. *)
Definition is_kinf_above D p mu := is_infimum (divergences_above D p mu).
Definition is_kinf_below D p mu := is_infimum (divergences_below D p mu).

(** says: a law of mean at least mu beside one of mean below mu has the strictly larger mean, and Kinf+ at mu is an infimum
      over laws of mean strictly above mu alone
    paper: l.289-293, l.555, l.585, l.601
    differs: none
    settles: lower.strictness_of_mean
    breaks: "law_mean q < mu" to "law_mean q <= mu" *)
Theorem a_mean_at_the_threshold_beats_one_below D p q mu : mu <= law_mean p -> law_mean q < mu ->
  law_mean q < law_mean p /\ forall k, divergences_above D q mu k -> exists p', D p' /\ mu < law_mean p' /\ k = divergence q p'.
Proof. intros Hp Hq. split; [lra|]. intros k [p' [HD [Hm [_ Hk]]]]. now exists p'. Qed.

Theorem infima_are_unique (S : R -> Prop) i j : is_infimum S i -> is_infimum S j -> i = j.
Proof.
  assert (W : forall m n, is_infimum S (Some m) -> is_infimum S (Some n) -> m <= n).
  { intros m n [Hm _] [_ Hn]. apply Rnot_lt_le. intros H. destruct (Hn m H) as [s [Hs Hlt]].
    specialize (Hm s Hs). lra. }
  assert (V : forall m, is_infimum S (Some m) -> ~ is_infimum S None).
  { intros m [_ Hm] H. destruct (Hm (m + 1) ltac:(lra)) as [s [Hs _]]. exact (H s Hs). }
  destruct i as [m|], j as [n|]; intros Hi Hj.
  - f_equal. apply Rle_antisym; now apply W.
  - now elim (V m Hi).
  - now elim (V n Hj).
  - reflexivity.
Qed.

Lemma divergences_above_are_nonneg D p mu k : divergences_above D p mu k -> 0 <= k.
Proof. intros [q [_ [_ [Hd ->]]]]. now apply divergence_is_nonneg. Qed.

Lemma divergences_below_are_nonneg D p mu k : divergences_below D p mu k -> 0 <= k.
Proof. intros [q [_ [_ [Hd ->]]]]. now apply divergence_is_nonneg. Qed.

Lemma an_infimum_is_nonneg (S : R -> Prop) m : (forall k, S k -> 0 <= k) -> is_infimum S (Some m) -> 0 <= m.
Proof.
  intros Hpos [_ H]. apply Rnot_lt_le. intros Hm. destruct (H 0 Hm) as [s [Hs Hlt]]. specialize (Hpos s Hs). lra.
Qed.

(** What holds at every value holds at the infimum, if it is a bound that is linear in the value. *)
Lemma linear_bounds_pass_to_the_infimum (S : R -> Prop) m x y : 0 <= y -> is_infimum S (Some m) ->
  (forall k, S k -> x <= y * k) -> x <= y * m.
Proof.
  intros Hy [_ Hm] H. apply Rnot_lt_le. intros Hlt.
  destruct (Rle_lt_or_eq_dec 0 y Hy) as [Hpos| <-].
  - assert (I : m < x / y) by (apply (Rmult_lt_reg_l y); [assumption|]; unfold Rdiv;
      rewrite <- Rmult_assoc, (Rmult_comm y x), Rmult_assoc, Rinv_r, Rmult_1_r by lra; lra).
    destruct (Hm _ I) as [s [Hs Hslt]]. specialize (H s Hs).
    apply (Rmult_lt_compat_l y) in Hslt; [|assumption].
    replace (y * (x / y)) with x in Hslt by (field; lra). lra.
  - destruct (Hm (m + 1) ltac:(lra)) as [s [Hs _]]. specialize (H s Hs). lra.
Qed.

(** Kinf+ grows with mu and Kinf- falls: for a larger mu there are fewer laws above it (l.319, which prints the
    reverse). +infinity is the largest value. *)
Definition infimum_le (i j : option R) : Prop :=
  match i, j with
  | Some m, Some n => m <= n
  | _, None => True
  | None, Some _ => False
  end.

Lemma smaller_sets_have_larger_infima (S S' : R -> Prop) i j : is_infimum S i -> is_infimum S' j ->
  (forall k, S' k -> S k) -> infimum_le i j.
Proof.
  intros Hi Hj H. destruct j as [n|]; [|destruct i; exact I]. destruct Hj as [_ Hn]. destruct i as [m|]; simpl.
  - apply Rnot_lt_le. intros Hlt. destruct (Hn m Hlt) as [s [Hs Hs']]. destruct Hi as [Hi _].
    specialize (Hi s (H s Hs)). lra.
  - destruct (Hn (n + 1) ltac:(lra)) as [s [Hs _]]. exact (Hi s (H s Hs)).
Qed.

(** says: Kinf+(p, mu, D), an infimum with value +infinity over the empty set, is nondecreasing in mu
    paper: l.319
    differs: the print says decreasing; all laws have finite support and private seeds are finite, which loses nothing
    breaks: "infimum_le i j" to "infimum_le j i" *)
Theorem kinf_above_grows_with_the_level D p mu mu' i j : mu <= mu' ->
  is_kinf_above D p mu i -> is_kinf_above D p mu' j -> infimum_le i j.
Proof.
  intros H Hi Hj. apply (smaller_sets_have_larger_infima _ _ i j Hi Hj).
  intros k [q [HD [Hm Hq]]]. exists q. repeat split; try apply Hq; trivial. lra.
Qed.

(** says: Kinf-(p, mu, D), an infimum with value +infinity over the empty set, is nonincreasing in mu
    paper: l.319
    differs: the print says increasing; all laws have finite support and private seeds are finite, which loses nothing
    breaks: "infimum_le j i" to "infimum_le i j" *)
Theorem kinf_below_falls_with_the_level D p mu mu' i j : mu <= mu' ->
  is_kinf_below D p mu i -> is_kinf_below D p mu' j -> infimum_le j i.
Proof.
  intros H Hi Hj. apply (smaller_sets_have_larger_infima _ _ j i Hj Hi).
  intros k [q [HD [Hm Hq]]]. exists q. repeat split; try apply Hq; trivial. lra.
Qed.

(** ** Laws on two points *)

(** Two sums over lists without repetition agree if their nonzero terms do. *)
Lemma sum_over_the_same_terms (l m : list R) f : NoDup l -> NoDup m ->
  (forall x, f x <> 0 -> In x l) -> (forall x, f x <> 0 -> In x m) -> sum l f = sum m f.
Proof.
  assert (G : forall g : R -> R, (forall x, 0 <= g x) -> forall l m : list R, NoDup l -> NoDup m -> (forall x, g x <>
    0 -> In x l) ->
    (forall x, g x <> 0 -> In x m) -> sum l g = sum m g).
  { intros g Hg l' m' Hl Hm H1 H2. apply Rle_antisym; apply sum_le_over_more; auto. }
  intros Hl Hm H1 H2.
  assert (S : forall l', sum l' f = sum l' (fun x => Rmax (f x) 0) + -1 * sum l' (fun x => Rmax (- f x) 0)).
  { intros l'. rewrite <- sum_scal, <- sum_plus. apply sum_ext. intros x _.
    unfold Rmax. destruct (Rle_dec (f x) 0), (Rle_dec (- f x) 0); lra. }
  assert (Z : forall x, f x = 0 -> Rmax (f x) 0 = 0 /\ Rmax (- f x) 0 = 0).
  { intros x ->. rewrite Ropp_0. unfold Rmax. destruct (Rle_dec 0 0); split; lra. }
  rewrite (S l), (S m). f_equal; [|f_equal]; apply G; trivial; try (intros; apply Rmax_r).
  - intros x Hx. apply H1. intros E. apply Hx, (Z x E).
  - intros x Hx. apply H2. intros E. apply Hx, (Z x E).
  - intros x Hx. apply H1. intros E. apply Hx, (Z x E).
  - intros x Hx. apply H2. intros E. apply Hx, (Z x E).
Qed.

(** All mass lies on x and y. *)
Definition lives_on (p : law) (x y : R) : Prop := forall z, mass p z <> 0 -> z = x \/ z = y.

Lemma average_on_two_points p x y f : x <> y -> lives_on p x y -> average p f = mass p x * f x + mass p y * f y.
Proof.
  intros Hne Hp. change (sum (support p) (fun z => mass p z * f z) = mass p x * f x + mass p y * f y).
  rewrite (sum_over_the_same_terms _ [x; y] (fun z => mass p z * f z)).
  - unfold sum. simpl. lra.
  - apply support_has_no_repetition.
  - constructor; [simpl; intuition congruence | constructor; [easy | constructor]].
  - intros z Hz. apply mass_is_on_the_support. intros E. apply Hz. rewrite E. lra.
  - intros z Hz. simpl. destruct (Hp z) as [->| ->]; auto. intros E. apply Hz. rewrite E. lra.
Qed.

Lemma two_masses p y z : y <> z -> lives_on p y z ->
  mass p y + mass p z = 1 /\ law_mean p = mass p y * y + mass p z * z.
Proof.
  intros Hne Hp. split; [|exact (average_on_two_points p y z (fun w => w) Hne Hp)].
  rewrite <- (total_one (average p)), (average_on_two_points p y z _ Hne Hp). lra.
Qed.

(** The law that gives y with probability t and x otherwise. *)
Definition two_point (x y t : R) (distinct : x <> y) (probable : 0 <= t <= 1) : law.
Proof.
  refine (Law [x; y] (fun z => if Req_EM_T z x then 1 - t else if Req_EM_T z y then t else 0) _ _ _ _).
  - constructor; [simpl; intuition congruence | constructor; [easy | constructor]].
  - intros z. destruct (Req_EM_T z x); [lra|]. destruct (Req_EM_T z y); lra.
  - intros z. simpl. destruct (Req_EM_T z x); [auto|]. destruct (Req_EM_T z y); [auto | tauto].
  - unfold sum. simpl. destruct (Req_EM_T x x); [|tauto]. destruct (Req_EM_T y x); [congruence|].
    destruct (Req_EM_T y y); [lra | tauto].
Defined.

Lemma two_point_at_x x y t H P : mass (two_point x y t H P) x = 1 - t.
Proof. simpl. destruct (Req_EM_T x x); [reflexivity | tauto]. Qed.

Lemma two_point_at_y x y t H P : mass (two_point x y t H P) y = t.
Proof. simpl. destruct (Req_EM_T y x); [congruence|]. destruct (Req_EM_T y y); [reflexivity | tauto]. Qed.

Lemma two_point_lives_on x y t H P : lives_on (two_point x y t H P) x y.
Proof. intros z. simpl. destruct (Req_EM_T z x); [auto|]. destruct (Req_EM_T z y); [auto | tauto]. Qed.

Lemma two_point_mean x y t H P : law_mean (two_point x y t H P) = (1 - t) * x + t * y.
Proof.
  unfold law_mean. rewrite (average_on_two_points _ x y _ H (two_point_lives_on x y t H P)), two_point_at_x,
    two_point_at_y.
  reflexivity.
Qed.

(** Beyond the paper: the supermartingale behind the rule that compares pairs of arms.

    For a reward X in [0,1] of mean mu, the number sqrt(s/(n+s)) exp(2 S^2/(n+s)), where S is the sum of n centred
    rewards, does not grow in expectation. With a Gaussian variable of variance 1/4 in the place of X - mu it would
    stay the same; the square in the exponent is reached by powers of the hyperbolic cosine instead of a Gaussian
    integral. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Expectation Hoeffding Laws VarianceTails.
Open Scope R_scope.

(** ** The hyperbolic cosine *)

Lemma sinh_is_at_least_its_argument y : 0 <= y -> 2 * y <= exp y - exp (- y).
Proof.
  intros H. assert (A := exp_is_above_its_parabola y H). assert (B := exp_is_below_its_parabola (- y) ltac:(lra)). lra.
Qed.

Lemma cosh_is_even x : cosh (- x) = cosh x.
Proof. unfold cosh. rewrite Ropp_involutive. lra. Qed.

Lemma cosh_is_above_its_parabola x : 1 + x * x / 2 <= cosh x.
Proof.
  assert (G : forall y, 0 <= y -> 1 + y * y / 2 <= cosh y).
  { intros y Hy. assert (S := sinh_is_at_least_its_argument (y / 2) ltac:(lra)).
    assert (Q := Rmult_le_compat (2 * (y / 2)) _ (2 * (y / 2)) _ ltac:(lra) ltac:(lra) S S).
    assert (E1 : exp (y / 2) * exp (y / 2) = exp y) by (rewrite <- exp_plus; f_equal; lra).
    assert (E2 : exp (- (y / 2)) * exp (- (y / 2)) = exp (- y)) by (rewrite <- exp_plus; f_equal; lra).
    assert (E3 : exp (y / 2) * exp (- (y / 2)) = 1)
      by (rewrite <- exp_plus; replace (y / 2 + - (y / 2)) with 0 by ring; apply exp_0).
    replace ((exp (y / 2) - exp (- (y / 2))) * (exp (y / 2) - exp (- (y / 2))))
      with (exp (y / 2) * exp (y / 2) - 2 * (exp (y / 2) * exp (- (y / 2))) + exp (- (y / 2)) * exp (- (y / 2))) in Q
      by ring.
    rewrite E1, E2, E3 in Q. unfold cosh. lra. }
  destruct (Rle_lt_dec 0 x) as [H|H]; [now apply G|].
  rewrite <- cosh_is_even. replace (x * x) with (- x * - x) by ring. apply G. lra.
Qed.

Lemma cosh_is_subgaussian x : cosh x <= exp (x * x / 2).
Proof.
  assert (G : forall y, 0 <= y -> cosh y <= exp (y * y / 2)).
  { intros y Hy. assert (B := bernoulli_moment_is_subgaussian (/ 2) ltac:(lra) (2 * y) ltac:(lra)). cbv zeta in B.
    assert (P := exp_pos (- y)). apply (Rmult_le_compat_l (exp (- y))) in B; [|lra].
    replace (exp (- y) * (1 - / 2 + / 2 * exp (2 * y))) with (cosh y) in B.
    - rewrite <- exp_plus in B. replace (- y + (/ 2 * (2 * y) + 2 * y * (2 * y) / 8)) with (y * y / 2) in B by field.
      exact B.
    - unfold cosh. replace (exp y) with (exp (- y) * exp (2 * y)) by (rewrite <- exp_plus; f_equal; lra). field. }
  destruct (Rle_lt_dec 0 x) as [H|H]; [now apply G|].
  rewrite <- cosh_is_even. replace (x * x) with (- x * - x) by ring. apply G. lra.
Qed.

Lemma exp_of_a_fraction_is_below z : 0 <= z -> exp (z / (1 + z)) <= 1 + z.
Proof.
  intros H. assert (T := exp_ineq1_le (- (z / (1 + z)))). rewrite exp_Ropp in T.
  assert (P := exp_pos (z / (1 + z))).
  replace (1 + - (z / (1 + z))) with (/ (1 + z)) in T by (field; lra).
  apply Rinv_le_contravar in T; [|apply Rinv_0_lt_compat; lra]. rewrite !Rinv_inv in T. exact T.
Qed.

(** The square from powers of the cosine: e^{c d^2} <= e^{c^2/n} cosh(d sqrt(2c/n))^n for |d| <= 1. *)
Lemma a_square_from_cosines c d n : 0 <= c -> d * d <= 1 -> (1 <= n)%nat ->
  exp (c * (d * d)) <= exp (c * c / INR n) * cosh (sqrt (2 * c / INR n) * d) ^ n.
Proof.
  intros Hc Hd Hn. assert (HN : 1 <= INR n) by (apply le_INR in Hn; exact Hn).
  assert (Hq : 0 <= 2 * c / INR n) by (unfold Rdiv; apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
  set (a := sqrt (2 * c / INR n)). assert (Ha : a * a = 2 * c / INR n) by now apply sqrt_sqrt.
  assert (Hdd : 0 <= d * d) by apply Rle_0_sqr.
  set (z := c * (d * d) / INR n).
  assert (Hz : 0 <= z) by (unfold z, Rdiv; apply Rmult_le_pos; [apply Rmult_le_pos; lra | left; apply
    Rinv_0_lt_compat; lra]).
  assert (P : exp (z / (1 + z)) ^ n <= cosh (a * d) ^ n).
  { apply pow_incr. split; [left; apply exp_pos|]. eapply Rle_trans; [now apply exp_of_a_fraction_is_below|].
    eapply Rle_trans; [|apply cosh_is_above_its_parabola]. apply Req_le.
    replace (a * d * (a * d)) with (a * a * (d * d)) by ring. rewrite Ha. unfold z. field. lra. }
  apply Rle_trans with (exp (c * c / INR n) * exp (z / (1 + z)) ^ n).
  2: { apply Rmult_le_compat_l; [left; apply exp_pos | exact P]. }
  rewrite <- exp_of_multiple, <- exp_plus. apply exp_is_monotone.
  assert (Hn0 : 0 < / INR n) by (apply Rinv_0_lt_compat; lra).
  assert (Hnz : INR n * (z / (1 + z)) = c * (d * d) * / (1 + z)).
  { replace (c * (d * d)) with (INR n * z) by (unfold z; field; lra). field. lra. }
  rewrite Hnz. assert (I : 1 - z <= / (1 + z)).
  { apply (Rmult_le_reg_r (1 + z)); [lra|]. rewrite Rinv_l by lra. assert (0 <= z * z) by apply Rle_0_sqr. lra. }
  assert (Hcd : 0 <= c * (d * d) <= c) by (split; [apply Rmult_le_pos; lra|]; rewrite <- (Rmult_1_r c) at 2;
    apply Rmult_le_compat_l; lra).
  assert (J := Rmult_le_compat_l _ _ _ (proj1 Hcd) I).
  assert (Q : c * (d * d) * z <= c * c / INR n).
  { unfold z, Rdiv. replace (c * (d * d) * (c * (d * d) * / INR n)) with ((c * (d * d)) * (c * (d * d)) * / INR n) by
    ring.
    apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat; lra. }
  lra.
Qed.

(** One step of the Gaussian mean, with a sign in the place of the Gaussian variable. *)
Lemma a_step_of_the_gaussian_mean l a q : 0 < q -> a * a / 4 < q ->
  (exp ((l + a) * (l + a) / (8 * q)) + exp ((l - a) * (l - a) / (8 * q))) / 2
  <= sqrt (q / (q - a * a / 4)) * exp (l * l / (8 * (q - a * a / 4))).
Proof.
  intros Hq Ha. set (u := a * a / (4 * q)). set (y := l * a / (4 * q)).
  assert (Hu : 0 <= u < 1).
  { unfold u. split; [unfold Rdiv; apply Rmult_le_pos; [apply Rle_0_sqr | left; apply Rinv_0_lt_compat; lra]|].
    apply (Rmult_lt_reg_r (4 * q)); [lra|]. replace (a * a / (4 * q) * (4 * q)) with (a * a) by (field; lra). lra. }
  assert (Hq' : q - a * a / 4 = q * (1 - u)) by (unfold u; field; lra).
  apply Rle_trans with (exp (l * l / (8 * q)) * (exp (u / 2) * cosh y)).
  { apply Req_le. unfold cosh.
    replace ((l + a) * (l + a) / (8 * q)) with (l * l / (8 * q) + (u / 2 + y)) by (unfold u, y; field; lra).
    replace ((l - a) * (l - a) / (8 * q)) with (l * l / (8 * q) + (u / 2 + - y)) by (unfold u, y; field; lra).
    rewrite !exp_plus. field. }
  rewrite Hq'. replace (q / (q * (1 - u))) with (/ (1 - u)) by (field; lra).
  assert (E1 : exp (u / 2) <= sqrt (/ (1 - u))).
  { rewrite <- (sqrt_square (exp (u / 2))) by (left; apply exp_pos). apply sqrt_le_1_alt. rewrite <- exp_plus.
    replace (u / 2 + u / 2) with u by lra.
    assert (T := exp_ineq1_le (- u)). rewrite exp_Ropp in T. apply Rinv_le_contravar in T; [|lra].
    rewrite Rinv_inv in T. replace (1 + - u) with (1 - u) in T by ring. exact T. }
  assert (E2 : exp (l * l / (8 * q)) * cosh y <= exp (l * l / (8 * (q * (1 - u))))).
  { eapply Rle_trans; [apply Rmult_le_compat_l; [left; apply exp_pos | apply cosh_is_subgaussian]|].
    rewrite <- exp_plus. apply exp_is_monotone.
    replace (l * l / (8 * (q * (1 - u)))) with (l * l / (8 * q) + l * l * u / (8 * q * (1 - u))) by (field; lra).
    apply Rplus_le_compat_l. replace (y * y / 2) with (l * l * u / (8 * q)) by (unfold y, u; field; lra).
    unfold Rdiv. apply Rmult_le_compat_l; [apply Rmult_le_pos; [apply Rle_0_sqr | lra]|].
    apply Rinv_le_contravar; [apply Rmult_lt_0_compat; lra|].
    rewrite <- (Rmult_1_r (8 * q)) at 2. apply Rmult_le_compat_l; lra. }
  replace (exp (l * l / (8 * q)) * (exp (u / 2) * cosh y)) with (exp (u / 2) * (exp (l * l / (8 * q)) * cosh y)) by
    ring.
  apply Rmult_le_compat; trivial; [left; apply exp_pos|].
  apply Rmult_le_pos; [left; apply exp_pos|]. unfold cosh. generalize (exp_pos y) (exp_pos (- y)). lra.
Qed.

Section Centred.
Context {Omega : Type} (E : expectation Omega) (D : Omega -> R).
Hypothesis at_most_one : forall w, -1 <= D w <= 1.
Hypothesis subgaussian : forall l, E (fun w => exp (l * D w)) <= exp (l * l / 8).

Lemma bounded_centred : bounded D.
Proof. exact (bounded_between (-1) 1 D at_most_one). Qed.

Lemma bounded_cosine_power a n : bounded (fun w => cosh (a * D w) ^ n).
Proof.
  assert (BD := bounded_centred).
  assert (B : bounded (fun w => cosh (a * D w))) by (unfold cosh; bounded).
  induction n as [|n IH]; [exact (bounded_const 1)|]. exact (bounded_mult _ _ B IH).
Qed.

(** The Gaussian mean in n steps: E e^{l D} cosh(a D)^n is at most what n signs of size a give. *)
Lemma moments_with_cosines a n l : INR n * (a * a / 4) < 1 ->
  E (fun w => exp (l * D w) * cosh (a * D w) ^ n)
  <= sqrt (/ (1 - INR n * (a * a / 4))) * exp (l * l / (8 * (1 - INR n * (a * a / 4)))).
Proof.
  assert (Haa : 0 <= a * a / 4) by (generalize (Rle_0_sqr a); unfold Rsqr; lra).
  assert (BD := bounded_centred).
  revert l. induction n as [|n IH]; intros l Hn.
  - simpl INR. rewrite Rmult_0_l, Rminus_0_r, Rinv_1, sqrt_1, Rmult_1_l, Rmult_1_r.
    rewrite (expect_ext E _ (fun w => exp (l * D w))) by (intros; simpl; ring). apply subgaussian.
  - assert (Hn' : INR n * (a * a / 4) < 1) by (rewrite S_INR in Hn; lra). assert (B := bounded_cosine_power a n).
    rewrite (expect_ext E _ (fun w => / 2 * (exp ((l + a) * D w) * cosh (a * D w) ^ n)
      + / 2 * (exp ((l - a) * D w) * cosh (a * D w) ^ n))).
    2: { intros w. simpl pow. unfold cosh at 1. replace ((l + a) * D w) with (l * D w + a * D w) by ring.
         replace ((l - a) * D w) with (l * D w + - (a * D w)) by ring. rewrite !exp_plus. field. }
    rewrite expect_plus, !expect_scal by bounded. set (q := 1 - INR n * (a * a / 4)).
    assert (Hq : 0 < q) by (unfold q; lra).
    assert (Hq' : 1 - INR (S n) * (a * a / 4) = q - a * a / 4) by (unfold q; rewrite S_INR; ring).
    assert (Hlt : a * a / 4 < q) by (rewrite S_INR in Hn; unfold q; lra). rewrite Hq'.
    assert (I1 := IH (l + a) Hn'). assert (I2 := IH (l - a) Hn'). fold q in I1, I2.
    assert (S := a_step_of_the_gaussian_mean l a q Hq Hlt).
    apply (Rmult_le_compat_l (sqrt (/ q))) in S; [|apply sqrt_pos].
    rewrite <- Rmult_assoc, <- sqrt_mult_alt in S by (left; now apply Rinv_0_lt_compat).
    replace (/ q * (q / (q - a * a / 4))) with (/ (q - a * a / 4)) in S by (field; lra). lra.
Qed.

(** E e^{l D + c D^2} <= (1 - c/2)^{-1/2} e^{l^2/(8 (1 - c/2))}: equality for a Gaussian variable of variance 1/4. *)
Lemma a_square_in_the_exponent c l : 0 <= c < 2 ->
  E (fun w => exp (l * D w + c * (D w * D w))) <= sqrt (/ (1 - c / 2)) * exp (l * l / (8 * (1 - c / 2))).
Proof.
  intros Hc. assert (BD := bounded_centred).
  set (y := sqrt (/ (1 - c / 2)) * exp (l * l / (8 * (1 - c / 2)))).
  assert (Hy : 0 < y).
  { apply Rmult_lt_0_compat; [apply sqrt_lt_R0, Rinv_0_lt_compat; lra | apply exp_pos]. }
  assert (G : forall n, (1 <= n)%nat -> E (fun w => exp (l * D w + c * (D w * D w))) <= exp (c * c / INR n) * y).
  { intros n Hn. assert (HN : 1 <= INR n) by (apply le_INR in Hn; exact Hn).
    set (a := sqrt (2 * c / INR n)).
    assert (Ha : a * a = 2 * c / INR n).
    { apply sqrt_sqrt. unfold Rdiv. apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]. }
    assert (Hna : INR n * (a * a / 4) = c / 2) by (rewrite Ha; field; lra).
    assert (M := moments_with_cosines a n l ltac:(rewrite Hna; lra)). rewrite Hna in M. fold y in M.
    assert (B := bounded_cosine_power a n).
    eapply Rle_trans; [|apply Rmult_le_compat_l; [left; apply exp_pos | exact M]].
    rewrite <- expect_scal by bounded. apply expect_le; [bounded | bounded|]. intros w.
    rewrite exp_plus. replace (exp (c * c / INR n) * (exp (l * D w) * cosh (a * D w) ^ n))
      with (exp (l * D w) * (exp (c * c / INR n) * cosh (a * D w) ^ n)) by ring.
    apply Rmult_le_compat_l; [left; apply exp_pos|]. apply a_square_from_cosines; [lra | | exact Hn].
    assert (H := at_most_one w). assert (0 <= (1 - D w) * (1 + D w)) by (apply Rmult_le_pos; lra). lra. }
  apply Rnot_lt_le. intros Hlt. set (x := E (fun w => exp (l * D w + c * (D w * D w)))) in *.
  assert (Hxy : 0 < ln (x / y)).
  { rewrite <- ln_1. apply ln_increasing; [lra|]. apply (Rmult_lt_reg_r y); [exact Hy|].
    replace (x / y * y) with x by (field; lra). lra. }
  destruct (some_number_is_larger (c * c / ln (x / y))) as [k Hk]. set (n := S k).
  assert (HN : c * c / ln (x / y) < INR n) by (unfold n; rewrite S_INR; lra).
  assert (Hn1 : 0 < INR n) by (unfold n; apply lt_0_INR; lia).
  specialize (G n ltac:(unfold n; lia)).
  assert (L : exp (c * c / INR n) < x / y).
  { rewrite <- (exp_ln (x / y)) by (apply Rdiv_lt_0_compat; lra). apply exp_increasing.
    apply (Rmult_lt_reg_r (INR n / ln (x / y))); [now apply Rdiv_lt_0_compat|].
    replace (c * c / INR n * (INR n / ln (x / y))) with (c * c / ln (x / y)) by (field; lra).
    replace (ln (x / y) * (INR n / ln (x / y))) with (INR n) by (field; lra). exact HN. }
  apply (Rmult_lt_compat_r y) in L; [|exact Hy]. replace (x / y * y) with x in L by (field; lra). lra.
Qed.
End Centred.

(** A reward minus its mean is subgaussian for exponents of either sign. *)
Lemma a_centred_reward_is_subgaussian {Omega} (E : expectation Omega) (X : Omega -> R) mu l :
  (forall w, 0 <= X w <= 1) -> E X = mu -> E (fun w => exp (l * (X w - mu))) <= exp (l * l / 8).
Proof.
  intros HX Hmu. destruct (Rle_lt_dec 0 l) as [H|H]; [now apply a_reward_is_subgaussian|].
  assert (B := bounded_between 0 1 X HX).
  assert (P := a_reward_is_subgaussian E (fun w => 1 - X w) (1 - mu) (- l) ltac:(intros w; specialize (HX w); lra)).
  rewrite (expect_ext E _ (fun w => exp (- l * (1 - X w - (1 - mu))))) by (intros; f_equal; ring).
  replace (l * l) with (- l * - l) by ring. apply P; [|lra].
  rewrite (expect_ext E _ (fun w => 1 + (-1) * X w)) by (intros; ring).
  rewrite expect_plus, expect_one, expect_scal by bounded. change (E (fun w => X w)) with (E X). rewrite Hmu. ring.
Qed.

(** sqrt(s/(n+s)) exp(2 S^2/(n+s)): what n rewards whose centred sum is S are worth. *)
Definition worth (s : R) (n : nat) (S : R) : R := sqrt (s / (INR n + s)) * exp (2 * (S * S) / (INR n + s)).

Lemma worth_of_nothing s : 0 < s -> worth s 0 0 = 1.
Proof.
  intros H. unfold worth. simpl INR. replace (s / (0 + s)) with 1 by (field; lra).
  replace (2 * (0 * 0) / (0 + s)) with 0 by (field; lra). rewrite sqrt_1, exp_0. ring.
Qed.

Lemma worth_is_positive s n S : 0 < s -> 0 < worth s n S.
Proof.
  intros H. apply Rmult_lt_0_compat; [|apply exp_pos]. apply sqrt_lt_R0.
  apply Rdiv_lt_0_compat; [|generalize (pos_INR n)]; lra.
Qed.

(** says: for every spread s > 0, every expectation and every reward X in [0,1] of mean mu, the expectation of
      sqrt(s/(n+1+s)) exp(2 (S + X - mu)^2/(n+1+s)) is at most sqrt(s/(n+s)) exp(2 S^2/(n+s)), for every number n and
      every real S
    paper: beyond the paper
    settles: pairs.supermartingale
    breaks: "S n" to "n" *)
Theorem the_worth_of_rewards_is_a_supermartingale {Omega} (E : expectation Omega) (X : Omega -> R) mu s n sum : 0 < s ->
  (forall w, 0 <= X w <= 1) -> E X = mu -> E (fun w => worth s (S n) (sum + (X w - mu))) <= worth s n sum.
Proof.
  intros Hs HX Hmu. assert (B := bounded_between 0 1 X HX). assert (Hn := pos_INR n).
  assert (HM : 0 <= mu <= 1) by (rewrite <- Hmu; now apply expect_between).
  set (N := INR n + s). assert (HN : 0 < N) by (unfold N; lra). set (c := 2 / (N + 1)).
  assert (Hc : 0 <= c < 2).
  { unfold c. split; [left; apply Rdiv_lt_0_compat; lra|]. apply (Rmult_lt_reg_r (N + 1)); [lra|].
    replace (2 / (N + 1) * (N + 1)) with 2 by (field; lra). lra. }
  assert (A := a_square_in_the_exponent E (fun w => X w - mu) ltac:(intros w; specialize (HX w); lra)
    (fun l => a_centred_reward_is_subgaussian E X mu l HX Hmu) c (2 * c * sum) Hc).
  unfold worth. rewrite S_INR. replace (INR n + 1 + s) with (N + 1) by (unfold N; ring). fold N.
  set (root := sqrt (s / (N + 1))).
  rewrite (expect_ext E _ (fun w => root * exp (c * (sum * sum))
    * exp (2 * c * sum * (X w - mu) + c * ((X w - mu) * (X w - mu))))).
  2: { intros w. rewrite Rmult_assoc, <- exp_plus. do 2 f_equal. unfold c. field. lra. }
  rewrite expect_scal by bounded.
  assert (P : 0 <= root * exp (c * (sum * sum))) by (apply Rmult_le_pos; [apply sqrt_pos | left; apply exp_pos]).
  eapply Rle_trans; [apply Rmult_le_compat_l; [exact P | exact A]|]. apply Req_le.
  assert (Hc2 : 1 - c / 2 = N / (N + 1)) by (unfold c; field; lra). rewrite Hc2.
  replace (root * exp (c * (sum * sum)) * (sqrt (/ (N / (N + 1)))
      * exp (2 * c * sum * (2 * c * sum) / (8 * (N / (N + 1))))))
    with (root * sqrt (/ (N / (N + 1))) * (exp (c * (sum * sum))
      * exp (2 * c * sum * (2 * c * sum) / (8 * (N / (N + 1)))))) by ring.
  unfold root. rewrite <- sqrt_mult_alt, <- exp_plus by (left; apply Rdiv_lt_0_compat; lra).
  f_equal; f_equal; unfold c; field; lra.
Qed.

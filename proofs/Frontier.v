(** Beyond the paper: the frontier that the queries of a suboptimal arm and of the unique optimal one cannot cross
    together, for Bernoulli arms and every consistent strategy: the weighted bound of AsymptoticLowerBounds.v at all
    thresholds at once. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums FiniteLaws BinaryDivergence Strategies Consistency LogarithmicGrowth
  AsymptoticLowerBounds BalancingThreshold BernoulliThreshold.
Import ListNotations.
Open Scope R_scope.

(** ** kl(a, m) as a function of m *)

Lemma binary_kl_falls_towards_p p q r : 0 < r -> r <= q -> q <= p -> p <= 1 -> binary_kl p q <= binary_kl p r.
Proof.
  intros Hr Hrq Hqp Hp. rewrite <- (binary_kl_mirrored p q), <- (binary_kl_mirrored p r).
  apply binary_kl_grows_away_from_p; lra.
Qed.

Lemma binary_kl_rises_slowly a q r : 0 <= a <= 1 -> 0 < q <= r -> r < 1 -> binary_kl a r - binary_kl a q <= (r - q) / (1 - r).
Proof.
  intros Ha Hq Hr. unfold binary_kl. assert (L := ln_is_monotone q r ltac:(lra) ltac:(lra)).
  assert (T := ln_at_most_tangent ((1 - q) / (1 - r)) ltac:(apply Rdiv_lt_0_compat; lra)). rewrite ln_div in T by lra.
  replace ((1 - q) / (1 - r) - 1) with ((r - q) / (1 - r)) in T by (field; lra).
  assert (P := ln_is_monotone (1 - r) (1 - q) ltac:(lra) ltac:(lra)).
  assert (A : 0 <= a * (ln r - ln q)) by (apply Rmult_le_pos; lra).
  assert (B : (1 - a) * (ln (1 - q) - ln (1 - r)) <= 1 * (ln (1 - q) - ln (1 - r))) by (apply Rmult_le_compat_r; lra).
  lra.
Qed.

Lemma binary_kl_is_positive p q : 0 <= p -> p < q -> q < 1 -> 0 < binary_kl p q.
Proof.
  intros Hp Hpq Hq. eapply Rlt_le_trans; [|apply (local_pinsker p q); lra].
  apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra.
Qed.

(** kl(a, m) <= (m - a)^2/(2 v), if v is a lower bound of the variances between. *)
Lemma binary_kl_is_at_most_a_parabola a m v : 0 < a <= m -> m < 1 -> 0 < v -> v <= a * (1 - a) -> v <= m * (1 - m) ->
  binary_kl a m <= (m - a) * (m - a) / (2 * v).
Proof.
  intros [Ha [Hm|<-]] H1 Hv Va Vm; [|rewrite binary_kl_of_itself; unfold Rdiv; rewrite Rminus_eq_0; lra].
  set (g := fun u => / (2 * v) * ((u - a) * (u - a)) + (a * ln u + (1 - a) * ln (1 - u))).
  destruct (MVT_cor2 g (fun u => / (2 * v) * (1 * (u - a) + (u - a) * 1) + (a * / u + (1 - a) * (/ (1 - u) * -1))) a m Hm)
    as [c [E Hc]].
  - intros c Hc. apply (derivable_pt_lim_plus (fun u => / (2 * v) * ((u - a) * (u - a)))
      (fun u => a * ln u + (1 - a) * ln (1 - u))).
    + assert (D : derivable_pt_lim (fun u => u - a) c 1).
      { replace 1 with (1 - 0) by ring. apply (derivable_pt_lim_minus id (fun _ => a));
          [apply derivable_pt_lim_id | apply derivable_pt_lim_const]. }
      apply (derivable_pt_lim_scal (fun u => (u - a) * (u - a))).
      apply (derivable_pt_lim_mult (fun u => u - a) (fun u => u - a)); exact D.
    + apply (derivable_pt_lim_plus (fun u => a * ln u) (fun u => (1 - a) * ln (1 - u))).
      * apply (derivable_pt_lim_scal ln). apply derivable_pt_lim_ln. lra.
      * apply (derivable_pt_lim_scal (fun u => ln (1 - u))). apply (derivable_pt_lim_comp (fun u => 1 - u) ln).
        -- replace (-1) with (0 - 1) by ring. apply (derivable_pt_lim_minus (fun _ => 1) id);
             [apply derivable_pt_lim_const | apply derivable_pt_lim_id].
        -- apply derivable_pt_lim_ln. lra.
  - assert (Vc : v <= c * (1 - c)).
    { assert (0 <= (c - a) * (m - c)) by (apply Rmult_le_pos; lra).
      destruct (Rle_lt_dec (a + m) 1) as [S|S].
      - assert (0 <= (c - a) * (1 - (a + m))) by (apply Rmult_le_pos; lra). lra.
      - assert (0 <= (m - c) * (a + m - 1)) by (apply Rmult_le_pos; lra). lra. }
    assert (P : 0 < c * (1 - c)) by lra.
    assert (N : 0 <= / (2 * v) * (1 * (c - a) + (c - a) * 1) + (a * / c + (1 - a) * (/ (1 - c) * -1))).
    { replace (/ (2 * v) * (1 * (c - a) + (c - a) * 1) + (a * / c + (1 - a) * (/ (1 - c) * -1)))
        with ((c - a) * (/ v - / (c * (1 - c)))) by (field; lra).
      apply Rmult_le_pos; [lra|]. assert (I := Rinv_le_contravar v (c * (1 - c)) Hv Vc). lra. }
    assert (G : 0 <= g m - g a) by (rewrite E; apply Rmult_le_pos; lra). unfold g in G. rewrite Rminus_eq_0 in G.
    unfold binary_kl, Rdiv. lra.
Qed.

Lemma a_grid_has_neighbours h x mu n : 0 < h -> (1 <= n)%nat -> x <= mu <= x + INR n * h ->
  exists i, (i < n)%nat /\ x + INR i * h <= mu <= x + INR (S i) * h.
Proof.
  intros Hh Hn. induction n as [|n IH]; [lia|]. intros H. destruct (Rle_lt_dec mu (x + INR n * h)) as [L|L].
  - destruct n as [|n]; [exists O; simpl in *; split; [lia | lra]|].
    destruct (IH ltac:(lia) ltac:(lra)) as [i [Hi Hb]]. exists i. split; [lia | exact Hb].
  - exists n. split; [lia | lra].
Qed.

(** ** Every consistent strategy *)

Section Frontier.
Context {K : nat}.
Variables (s : strategy K) (nu : nat -> law) (star a : nat).
Hypothesis s_is_consistent : consistent bernoulli s.
Hypothesis nu_is_bernoulli : instance_of K bernoulli nu.
Hypothesis star_is_optimal : unique_optimal K nu star.
Hypothesis a_is_an_arm : is_arm K a.
Hypothesis a_is_another : a <> star.
Let x := law_mean (nu a).
Let y := law_mean (nu star).
Hypothesis means_are_inside : 0 < x /\ y < 1.
Let n (T : nat) : R := expected_queries s nu a T.
Let n_star (T : nat) : R := expected_queries s nu star T.

Lemma a_is_worse : suboptimal K nu a /\ x < y.
Proof.
  destruct star_is_optimal as [[_ E] H]. assert (S := H a a_is_an_arm a_is_another).
  split; [exact S|]. unfold x, y. rewrite E. apply S.
Qed.

Lemma information_at_one_threshold mu d : x <= mu <= y -> d < 1 ->
  eventually_at_least_log (fun T => binary_kl x mu * n T + binary_kl y mu * n_star T) d.
Proof.
  intros Hmu Hd. destruct a_is_worse as [Ha Hxy]. destruct means_are_inside as [Hx Hy].
  assert (Up := kinf_above_of_a_bernoulli_law (nu a) mu (nu_is_bernoulli a a_is_an_arm)).
  assert (Down := kinf_below_of_a_bernoulli_law (nu star) mu (nu_is_bernoulli star (proj1 (proj1 star_is_optimal)))).
  fold x in Up. fold y in Down. unfold bernoulli_kinf_above in Up. unfold bernoulli_kinf_below in Down.
  destruct (Rlt_dec mu 1) as [_|]; [|lra]. destruct (Rlt_dec 0 mu) as [_|]; [|lra].
  rewrite Rmax_right in Up by lra. rewrite Rmin_right in Down by lra.
  assert (Pos : forall T, 0 <= n T /\ 0 <= n_star T) by (intros; split; apply expected_queries_nonneg).
  assert (Single : forall f k, 0 < k -> liminf_per_log_at_least_inverse f (Some k) ->
    eventually_at_least_log (fun T => k * f T) d).
  { intros f k Hk H. assert (L := H (d / k) ltac:(simpl; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra)).
    apply (eventually_mono _ _) with (2 := L). intros T HT. apply (Rmult_le_compat_l k) in HT; [|lra].
    replace (k * (d / k * ln (INR T))) with (d * ln (INR T)) in HT by (field; lra). exact HT. }
  destruct (Req_dec mu x) as [->|Nx].
  { rewrite binary_kl_of_itself. apply (eventually_mono _ _) with (2 := Single n_star (binary_kl y x)
      ltac:(rewrite <- binary_kl_mirrored; apply binary_kl_is_positive; lra)
      (the_unique_optimal_arm_is_queried_logarithmically bernoulli s s_is_consistent nu nu_is_bernoulli star a _
        star_is_optimal a_is_an_arm a_is_another Down)). intros T HT. lra. }
  destruct (Req_dec mu y) as [->|Ny].
  { rewrite binary_kl_of_itself. unfold y in Up at 1. rewrite (proj2 (proj1 star_is_optimal)) in Up.
    apply (eventually_mono _ _) with (2 := Single n (binary_kl x y) ltac:(apply binary_kl_is_positive; lra)
      (suboptimal_arms_are_queried_logarithmically bernoulli s s_is_consistent nu nu_is_bernoulli a _ Ha Up)).
    intros T HT. lra. }
  assert (A : 0 < binary_kl x mu) by (apply binary_kl_is_positive; lra).
  assert (B : 0 < binary_kl y mu) by (rewrite <- binary_kl_mirrored; apply binary_kl_is_positive; lra).
  apply (eventually_mono _ _) with (2 := eventually_and _ _ eventually_log_is_positive
    (a_weighted_pair_with_the_unique_optimal_arm bernoulli s s_is_consistent nu nu_is_bernoulli star a mu _ _
      (/ binary_kl x mu + / binary_kl y mu) d star_is_optimal a_is_an_arm a_is_another Up Down Hd)).
  intros T [HL H]. destruct (Pos T) as [P Q]. assert (0 < (1 - d) * ln (INR T)) by (apply Rmult_lt_0_compat; lra).
  assert (Large : forall k k' c, 0 < k -> 0 < k' -> (/ k + / k') * ln (INR T) < c -> ln (INR T) <= k * c).
  { intros k k' c Hk Hk' Hc. assert (0 < / k') by now apply Rinv_0_lt_compat.
    assert (0 < / k' * ln (INR T)) by now apply Rmult_lt_0_compat.
    assert (M : k * (/ k * ln (INR T)) <= k * c) by (apply Rmult_le_compat_l; lra).
    rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l in M by lra. exact M. }
  assert (0 <= binary_kl x mu * n T) by (apply Rmult_le_pos; lra).
  assert (0 <= binary_kl y mu * n_star T) by (apply Rmult_le_pos; lra).
  destruct H as [H|[H|H]]; [|rewrite Rplus_comm in H|exact H].
  - apply (Large _ _ _ A B) in H. fold (n T) in H. lra.
  - apply (Large _ _ _ B A) in H. fold (n_star T) in H. lra.
Qed.

Lemma information_at_all_thresholds d : d < 1 -> eventually (fun T => forall mu, x <= mu <= y ->
  d * ln (INR T) <= binary_kl x mu * n T + binary_kl y mu * n_star T).
Proof.
  destruct a_is_worse as [_ Hxy]. destruct means_are_inside as [Hx Hy].
  assert (Pos : forall T, 0 <= n T /\ 0 <= n_star T) by (intros; split; apply expected_queries_nonneg).
  revert d. assert (Enough : forall d, 0 <= d < 1 -> eventually (fun T => forall mu, x <= mu <= y ->
    d * ln (INR T) <= binary_kl x mu * n T + binary_kl y mu * n_star T)).
  2: { intros d Hd. destruct (Rle_lt_dec 0 d) as [H|H]; [now apply Enough|].
       apply (eventually_mono _ _) with (2 := eventually_and _ _ eventually_log_is_positive (Enough 0 ltac:(lra))).
       intros T [HL HT] mu Hmu. specialize (HT mu Hmu). assert (0 < - d * ln (INR T)) by (apply Rmult_lt_0_compat; lra). lra. }
  intros d Hd. set (mid := (x + y) / 2). assert (Hmid : x < mid < y) by (unfold mid; lra).
  set (up := binary_kl x mid). set (down := binary_kl y mid).
  assert (Hup : 0 < up) by (apply binary_kl_is_positive; lra).
  assert (Hdown : 0 < down) by (unfold down; rewrite <- binary_kl_mirrored; apply binary_kl_is_positive; lra).
  destruct (Req_dec d 1) as [|_]; [lra|]. set (eta := (1 - d) / 2). assert (He : 0 < eta) by (unfold eta; lra).
  set (least := Rmin (eta * x * down) (eta * (1 - y) * up)).
  assert (Hleast : 0 < least) by (apply Rmin_pos; repeat apply Rmult_lt_0_compat; lra).
  destruct (some_number_is_larger ((y - x) / least)) as [k Hk].
  assert (Hk0 : 0 < INR k) by (eapply Rlt_trans; [|exact Hk]; apply Rdiv_lt_0_compat; lra).
  assert (Hk1 : (1 <= k)%nat) by (destruct k; [simpl in Hk0; lra | lia]).
  set (h := (y - x) / INR k). assert (Hh : 0 < h) by (apply Rdiv_lt_0_compat; lra).
  assert (Hkh : INR k * h = y - x) by (unfold h; field; lra).
  assert (Small : h <= least).
  { apply (Rmult_le_reg_l (INR k)); [exact Hk0|]. rewrite Hkh. apply (Rmult_lt_compat_r least) in Hk; [|exact Hleast].
    replace ((y - x) / least * least) with (y - x) in Hk by (field; lra). lra. }
  assert (S1 : h <= eta * x * down) by (eapply Rle_trans; [exact Small | apply Rmin_l]).
  assert (S2 : h <= eta * (1 - y) * up) by (eapply Rle_trans; [exact Small | apply Rmin_r]).
  assert (Inside : forall i, (i <= k)%nat -> x <= x + INR i * h <= y).
  { intros i Hi. assert (P := pos_INR i). apply le_INR in Hi. assert (0 <= INR i * h) by (apply Rmult_le_pos; lra).
    assert (INR i * h <= INR k * h) by (apply Rmult_le_compat_r; lra). lra. }
  assert (Grid : eventually (fun T => forall i, In i (seq 0 (S k)) -> (1 + d) / 2 * ln (INR T)
    <= binary_kl x (x + INR i * h) * n T + binary_kl y (x + INR i * h) * n_star T)).
  { apply eventually_for_all_in. intros i Hi. apply in_seq in Hi.
    apply information_at_one_threshold; [apply Inside; lia | lra]. }
  apply (eventually_mono _ _) with (2 := eventually_and _ _ eventually_log_is_positive Grid). intros T [HL HT] mu Hmu.
  destruct (Pos T) as [P Q].
  assert (Final : forall g, (1 + d) / 2 * ln (INR T) <= (1 + eta) * g -> d * ln (INR T) <= g).
  { intros g Hg. apply (Rmult_le_reg_l (1 + eta)); [lra|]. eapply Rle_trans; [|exact Hg].
    rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [lra|]. unfold eta. assert (0 <= (1 - d) * (1 - d)) by apply Rle_0_sqr. lra. }
  destruct (a_grid_has_neighbours h x mu k Hh Hk1 ltac:(lra)) as [i [Hi [L R]]]. rewrite S_INR in R. apply Final.
  assert (Kx : forall u, x <= u <= y -> 0 <= binary_kl x u)
    by (intros u Hu; rewrite <- (binary_kl_of_itself x); apply binary_kl_grows_away_from_p; lra).
  assert (Ky : forall u, x <= u <= y -> 0 <= binary_kl y u)
    by (intros u Hu; rewrite <- (binary_kl_of_itself y); apply binary_kl_falls_towards_p; lra).
  assert (Sum : forall u, x <= u <= y -> binary_kl x u <= (1 + eta) * binary_kl x mu ->
    binary_kl y u <= (1 + eta) * binary_kl y mu ->
    binary_kl x u * n T + binary_kl y u * n_star T <= (1 + eta) * (binary_kl x mu * n T + binary_kl y mu * n_star T)).
  { intros u Hu H1 H2. apply (Rmult_le_compat_r (n T)) in H1; [|exact P].
    apply (Rmult_le_compat_r (n_star T)) in H2; [|exact Q]. lra. }
  assert (More : forall k0, 0 <= k0 -> k0 <= (1 + eta) * k0)
    by (intros k0 Hk'; assert (0 <= eta * k0) by (apply Rmult_le_pos; lra); lra).
  destruct (Rle_lt_dec mu mid) as [M|M].
  - set (u := x + INR i * h) in *. assert (Hu := Inside i ltac:(lia)). fold u in Hu.
    assert (Near : mu - u <= h) by (unfold u; lra).
    eapply Rle_trans; [apply (HT i); apply in_seq; lia|]. fold u. apply Sum; [exact Hu| |].
    + eapply Rle_trans; [|apply More; now apply Kx]. apply binary_kl_grows_away_from_p; lra.
    + assert (D := binary_kl_falls_towards_p y mid mu ltac:(lra) M ltac:(lra) ltac:(lra)). fold down in D.
      assert (Sl := binary_kl_rises_slowly (1 - y) (1 - mu) (1 - u) ltac:(lra) ltac:(lra) ltac:(lra)).
      rewrite !binary_kl_mirrored in Sl. replace ((1 - u - (1 - mu)) / (1 - (1 - u))) with ((mu - u) / u) in Sl by (field; lra).
      assert (Z : (mu - u) / u <= eta * down).
      { apply (Rmult_le_reg_r u); [lra|]. replace ((mu - u) / u * u) with (mu - u) by (field; lra).
        assert (eta * down * x <= eta * down * u) by (apply Rmult_le_compat_l; [left; apply Rmult_lt_0_compat; lra | lra]). lra. }
      assert (eta * down <= eta * binary_kl y mu) by (apply Rmult_le_compat_l; lra). lra.
  - set (u := x + INR (S i) * h). assert (Hu := Inside (S i) ltac:(lia)). fold u in Hu.
    assert (Near : u - mu <= h) by (unfold u; rewrite S_INR; lra).
    assert (Above : mu <= u) by (unfold u; rewrite S_INR; lra).
    eapply Rle_trans; [apply (HT (S i)); apply in_seq; lia|]. fold u. apply Sum; [exact Hu| |].
    + assert (D := binary_kl_grows_away_from_p x mid mu ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)). fold up in D.
      assert (Sl := binary_kl_rises_slowly x mu u ltac:(lra) ltac:(lra) ltac:(lra)).
      assert (Z : (u - mu) / (1 - u) <= eta * up).
      { apply (Rmult_le_reg_r (1 - u)); [lra|]. replace ((u - mu) / (1 - u) * (1 - u)) with (u - mu) by (field; lra).
        assert (eta * up * (1 - y) <= eta * up * (1 - u)) by (apply Rmult_le_compat_l; [left; apply Rmult_lt_0_compat; lra | lra]). lra. }
      assert (eta * up <= eta * binary_kl x mu) by (apply Rmult_le_compat_l; lra). lra.
    + eapply Rle_trans; [|apply More; now apply Ky]. apply binary_kl_falls_towards_p; lra.
Qed.

(** says: for every strategy that is consistent on the Bernoulli laws, every K, a unique optimal arm of mean mu_star < 1
      and another of mean mu_a > 0, every d < 1 and all large T: d ln T <= kl(mu_a, mu) E n^q_T(a) + kl(mu_star, mu) E
      n^q_T(star) for all thresholds mu from mu_a to mu_star at once; and so 2 v d ln T (E n^q_T(a) + E n^q_T(star)) <= (mu_star
      - mu_a)^2 E n^q_T(a) E n^q_T(star) for every v > 0 that neither arm's variance is below
    paper: beyond the paper; compare l.603-611
    settles: pairs.frontier.below
    breaks: "2 * v * (d" to "3 * v * (d" *)
Theorem no_consistent_strategy_crosses_the_frontier d v : d < 1 -> 0 < v -> v <= x * (1 - x) -> v <= y * (1 - y) ->
  eventually (fun T =>
    (forall mu, x <= mu <= y -> d * ln (INR T) <=
      binary_kl x mu * expected_queries s nu a T + binary_kl y mu * expected_queries s nu star T) /\
    2 * v * (d * ln (INR T)) * (expected_queries s nu a T + expected_queries s nu star T)
      <= (y - x) * (y - x) * (expected_queries s nu a T * expected_queries s nu star T)).
Proof.
  intros Hd Hv Vx Vy. destruct a_is_worse as [_ Hxy]. destruct means_are_inside as [Hx Hy].
  apply (eventually_mono _ _) with (2 := information_at_all_thresholds d Hd). intros T H. split; [exact H|].
  fold (n T) (n_star T). assert (P : 0 <= n T) by apply expected_queries_nonneg.
  assert (Q : 0 <= n_star T) by apply expected_queries_nonneg. generalize dependent (n_star T). generalize dependent (n T).
  intros p P q H Q. destruct (Req_dec (p + q) 0) as [Z|Z]; [replace p with 0 by lra; replace q with 0 by lra; lra|].
  assert (S : 0 < p + q) by lra. set (mu := (p * x + q * y) / (p + q)).
  assert (E1 : mu - x = q / (p + q) * (y - x)) by (unfold mu; field; lra).
  assert (E2 : y - mu = p / (p + q) * (y - x)) by (unfold mu; field; lra).
  assert (I : 0 < / (p + q)) by now apply Rinv_0_lt_compat.
  assert (F1 : 0 <= q / (p + q) * (y - x)) by (repeat apply Rmult_le_pos; lra).
  assert (F2 : 0 <= p / (p + q) * (y - x)) by (repeat apply Rmult_le_pos; lra).
  assert (Hmu : x <= mu <= y) by lra. specialize (H mu Hmu).
  assert (Vm : v <= mu * (1 - mu)).
  { assert (0 <= (mu - x) * (y - mu)) by (apply Rmult_le_pos; lra). destruct (Rle_lt_dec (x + y) 1) as [L|L].
    - assert (0 <= (mu - x) * (1 - (x + y))) by (apply Rmult_le_pos; lra). lra.
    - assert (0 <= (y - mu) * (x + y - 1)) by (apply Rmult_le_pos; lra). lra. }
  assert (A := binary_kl_is_at_most_a_parabola x mu v ltac:(lra) ltac:(lra) Hv Vx Vm).
  assert (B := binary_kl_is_at_most_a_parabola (1 - y) (1 - mu) v ltac:(lra) ltac:(lra) Hv ltac:(lra) ltac:(lra)).
  rewrite binary_kl_mirrored in B. replace (1 - mu - (1 - y)) with (y - mu) in B by ring. rewrite E1 in A. rewrite E2 in B.
  apply (Rmult_le_compat_r p) in A; [|exact P]. apply (Rmult_le_compat_r q) in B; [|exact Q].
  assert (C : d * ln (INR T) <= (y - x) * (y - x) * (p * q) / (2 * v * (p + q))).
  { eapply Rle_trans; [exact H|]. eapply Rle_trans; [apply Rplus_le_compat; [exact A | exact B]|]. apply Req_le. field. lra. }
  apply (Rmult_le_compat_r (2 * v * (p + q))) in C; [|apply Rmult_le_pos; lra].
  replace ((y - x) * (y - x) * (p * q) / (2 * v * (p + q)) * (2 * v * (p + q))) with ((y - x) * (y - x) * (p * q)) in C
    by (field; lra). lra.
Qed.
End Frontier.

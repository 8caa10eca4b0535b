(** The best position of the dial for a price of a query. With a price c the bound in closed form is
    A (1 + rho)^2 + B (1 + 1/rho)^2 times 6 ln T, with A = sum over a of (gap + c)/gap^2 and B = c/m^2. Beyond the paper. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
Open Scope R_scope.

Definition price_bound (A B rho : R) : R := A * ((1 + rho) * (1 + rho)) + B * ((1 + / rho) * (1 + / rho)).

(** The cube root of B/A. *)
Definition best_dial (A B : R) : R := Rpower (B / A) (/ 3).

Lemma best_dial_cubed A B : 0 < A -> 0 < B ->
  0 < best_dial A B /\ A * (best_dial A B * best_dial A B * best_dial A B) = B.
Proof.
  intros HA HB. assert (HQ : 0 < B / A) by now apply Rdiv_lt_0_compat.
  split; [apply exp_pos|]. unfold best_dial. rewrite <- !Rpower_plus.
  replace (/ 3 + / 3 + / 3) with 1 by field. rewrite Rpower_1 by exact HQ. field. lra.
Qed.

(** With B = A s^3 the bound at rho exceeds that at s by A (rho - s)^2 (rho^2 + 2 rho (1 + s) + s)/rho^2. *)
Lemma price_bound_is_least_at_the_root A s rho : 0 < A -> 0 < s -> 0 < rho ->
  price_bound A (A * (s * s * s)) s <= price_bound A (A * (s * s * s)) rho.
Proof.
  intros HA Hs Hr. apply Rminus_le.
  replace (price_bound A (A * (s * s * s)) s - price_bound A (A * (s * s * s)) rho)
    with (- (A * ((rho - s) * (rho - s)) * (rho * rho + 2 * (rho * (1 + s)) + s) / (rho * rho)))
    by (unfold price_bound; field; lra).
  assert (P1 : 0 <= (rho - s) * (rho - s)) by (generalize (Rle_0_sqr (rho - s)); unfold Rsqr; lra).
  assert (P2 : 0 < rho * rho) by now apply Rmult_lt_0_compat.
  assert (P3 : 0 < rho * (1 + s)) by (apply Rmult_lt_0_compat; lra).
  assert (0 <= A * ((rho - s) * (rho - s)) * (rho * rho + 2 * (rho * (1 + s)) + s) / (rho * rho)); [|lra].
  unfold Rdiv. apply Rmult_le_pos; [|left; now apply Rinv_0_lt_compat].
  apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra].
Qed.

(** Below s the bound falls. *)
Lemma price_bound_falls_up_to_the_root A s rho q : 0 < A -> 0 < rho -> rho <= q -> q <= s ->
  price_bound A (A * (s * s * s)) q <= price_bound A (A * (s * s * s)) rho.
Proof.
  intros HA Hr Hq Hs. set (p := rho * q). apply Rminus_le.
  assert (Hp : 0 < p) by (apply Rmult_lt_0_compat; lra).
  replace (price_bound A (A * (s * s * s)) q - price_bound A (A * (s * s * s)) rho)
    with (- (A * (q - rho) * (2 * (p * (s * s * s)) + (rho + q) * (s * s * s) - p * p * (2 + rho + q)) / (p * p)))
    by (unfold price_bound, p; field; lra).
  assert (Hss : 0 < s * s) by (apply Rmult_lt_0_compat; lra).
  assert (H1 : p <= s * s) by (apply Rmult_le_compat; lra).
  assert (H2 : p * (rho + q) <= s * s * (2 * s)) by (apply Rmult_le_compat; lra).
  assert (H3 : p * (p * (rho + q)) <= p * (s * s * (2 * s))) by (apply Rmult_le_compat_l; lra).
  assert (H4 : p * q <= s * s * s) by (apply Rmult_le_compat; lra).
  assert (H5 : p * rho <= s * s * s) by (apply Rmult_le_compat; lra).
  assert (H6 : rho * (p * q) <= rho * (s * s * s)) by (apply Rmult_le_compat_l; lra).
  assert (H7 : q * (p * rho) <= q * (s * s * s)) by (apply Rmult_le_compat_l; lra).
  replace (rho * (p * q)) with (p * p) in H6 by (unfold p; ring).
  replace (q * (p * rho)) with (p * p) in H7 by (unfold p; ring).
  assert (Hpp : 0 < p * p) by now apply Rmult_lt_0_compat.
  assert (0 <= A * (q - rho) * (2 * (p * (s * s * s)) + (rho + q) * (s * s * s) - p * p * (2 + rho + q)) / (p * p));
    [|lra].
  unfold Rdiv. apply Rmult_le_pos; [|left; now apply Rinv_0_lt_compat].
  apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra].
Qed.

(** says: for A, B > 0, A (1 + rho)^2 + B (1 + 1/rho)^2 is least over rho > 0 at (B/A)^(1/3), and over (0,1] at the
      smaller of that and 1
    paper: beyond the paper
    breaks: "Rmin 1" to "Rmin (1 / 2)" *)
Theorem the_best_dial_for_a_price A B rho : 0 < A -> 0 < B -> 0 < rho ->
  price_bound A B (best_dial A B) <= price_bound A B rho /\
  (rho <= 1 -> price_bound A B (Rmin 1 (best_dial A B)) <= price_bound A B rho).
Proof.
  intros HA HB Hr. destruct (best_dial_cubed A B HA HB) as [Hs Hcube]. set (s := best_dial A B) in *.
  rewrite <- Hcube. split; [now apply price_bound_is_least_at_the_root|]. intros H1.
  unfold Rmin. destruct (Rle_dec 1 s).
  - now apply price_bound_falls_up_to_the_root.
  - now apply price_bound_is_least_at_the_root.
Qed.

(** says: with A = n/d^2 and B = 1/d^2 the best rho is n^(-1/3), whatever d
    paper: beyond the paper
    breaks: "- / 3" to "- / 2" *)
Theorem the_best_dial_for_queries_needs_no_gap n d : 0 < n -> 0 < d ->
  best_dial (n * / (d * d)) (/ (d * d)) = Rpower n (- / 3).
Proof.
  intros Hn Hd. assert (Hdd : 0 < d * d) by now apply Rmult_lt_0_compat. unfold best_dial.
  replace (/ (d * d) / (n * / (d * d))) with (/ n) by (field; lra).
  unfold Rpower. rewrite ln_Rinv by exact Hn. f_equal. ring.
Qed.

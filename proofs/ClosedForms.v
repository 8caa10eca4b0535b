(** N-bar of the Hoeffding intervals in closed form (l.416, l.1139-1141, l.1176-1196). *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Experiment HoeffdingIntervals.
Open Scope R_scope.

Definition hoeffding_n_bar (epsilon : nat -> R) (mu : R) (T : nat) : R := n_bar hoeffding_enough epsilon mu T.
Definition sharper_hoeffding_n_bar (epsilon : nat -> R) (d : R) (T : nat) : R :=
  sharper_n_bar hoeffding_enough epsilon d T.

(** ** For any radius sqrt(g(t) / (2 n)) whose g grows with the round *)

Section Growth.
Variable g : nat -> R.
Hypothesis g_is_nonneg : forall t, (1 <= t)%nat -> 0 <= g t.
Hypothesis g_grows : forall s t, (1 <= s <= t)%nat -> g s <= g t.

(** N(t, mu) grows with t and falls with mu. *)
Lemma root_enough_mono s t mu nu : (1 <= s <= t)%nat -> nu <= mu -> root_enough g s mu <= root_enough g t nu.
Proof.
  intros Hst Hmu. assert (Hg := g_grows s t Hst). assert (Hg0 := g_is_nonneg s ltac:(lia)).
  assert (Hc : INR (s - 1) <= INR (t - 1)) by (apply le_INR; lia).
  unfold root_enough. destruct (Rle_dec mu 0), (Rle_dec nu 0); try lra.
  - eapply Rle_trans; [apply Rmin_r | exact Hc].
  - apply Rmin_glb; [|eapply Rle_trans; [apply Rmin_r | exact Hc]].
    eapply Rle_trans; [apply Rmin_l|]. unfold Rdiv. apply Rmult_le_compat.
    + lra.
    + left. apply Rinv_0_lt_compat. apply Rmult_lt_0_compat; lra.
    + lra.
    + apply Rinv_le_contravar; [apply Rmult_lt_0_compat; lra | apply Rmult_le_compat; lra].
Qed.

(** N-bar(T, mu) <= 2 g(T) / mu^2 for every epsilon. *)
Lemma n_bar_of_a_root epsilon mu T : (1 <= T)%nat -> 0 < mu ->
  n_bar (root_enough g) epsilon mu T <= 2 * g T / (mu * mu).
Proof.
  intros HT Hmu. apply Rle_trans with (root_enough g T mu).
  - apply maximum_le; [now apply root_enough_nonneg|].
    intros t Ht. apply root_enough_mono; [exact Ht | apply Rmax_l].
  - unfold root_enough. destruct (Rle_dec mu 0); [lra | apply Rmin_l].
Qed.
End Growth.

(** ** Hoeffding's intervals *)

Lemma three_logs_grow s t : (1 <= s <= t)%nat -> three_logs s <= three_logs t.
Proof. intros H. generalize (ln_of_rounds_mono s t H). unfold three_logs. lra. Qed.

Lemma hoeffding_enough_mono s t mu nu : (1 <= s <= t)%nat -> nu <= mu ->
  hoeffding_enough s mu <= hoeffding_enough t nu.
Proof.
  rewrite !hoeffding_enough_is_of_a_root. exact (root_enough_mono _ three_logs_are_nonneg three_logs_grow s t mu nu).
Qed.

Lemma hoeffding_enough_le_closed_form t mu : 0 < mu -> hoeffding_enough t mu <= 6 * ln (INR t) / (mu * mu).
Proof. intros H. unfold hoeffding_enough. destruct (Rle_dec mu 0); [lra | apply Rmin_l]. Qed.

Lemma hoeffding_enough_le_rounds t mu : hoeffding_enough t mu <= INR (t - 1).
Proof. unfold hoeffding_enough. destruct (Rle_dec mu 0); [lra | apply Rmin_r]. Qed.

(** N-bar(T, mu) <= 6 ln T / mu^2 for every epsilon (l.1141). *)
Theorem n_bar_is_at_most_six_log_over_square epsilon mu T :
  (1 <= T)%nat -> 0 < mu -> hoeffding_n_bar epsilon mu T <= 6 * ln (INR T) / (mu * mu).
Proof.
  intros HT Hmu. apply Rle_trans with (hoeffding_enough T mu); [|now apply hoeffding_enough_le_closed_form].
  apply maximum_le; [now apply hoeffding_enough_nonneg|].
  intros t Ht. apply hoeffding_enough_mono; [exact Ht | apply Rmax_l].
Qed.

(** says: N-bar(T, 0) of Hoeffding's intervals is max_t N(t, epsilon(t)) for every nonnegative epsilon
    paper: l.1141
    differs: none
    settles: regular.hoeffding.n_bar_at_zero
    breaks: "epsilon 0 T" to "epsilon 1 T" *)
Theorem n_bar_at_zero_is_the_cap epsilon T : (forall t, (1 <= t <= T)%nat -> 0 <= epsilon t) ->
  hoeffding_n_bar epsilon 0 T = maximum (fun t => hoeffding_enough t (epsilon t)) T.
Proof.
  intros H. apply Rle_antisym; apply maximum_mono; intros t Ht;
    rewrite (Rmax_right 0 (epsilon t)) by (now apply H); lra.
Qed.

(** For a nonincreasing epsilon the maximum is at T (l.1141, where epsilon(t) is printed for epsilon(T)). *)
Theorem n_bar_of_a_nonincreasing_epsilon epsilon mu T :
  (1 <= T)%nat -> (forall s t, (1 <= s <= t)%nat -> (t <= T)%nat -> epsilon t <= epsilon s) ->
  hoeffding_n_bar epsilon mu T = hoeffding_enough T (Rmax mu (epsilon T)).
Proof.
  intros HT Hmono. apply Rle_antisym.
  - apply maximum_le; [now apply hoeffding_enough_nonneg|]. intros t Ht. apply hoeffding_enough_mono; [exact Ht|].
    apply Rle_max_compat_l. apply Hmono; lia.
  - apply (le_maximum (fun t => hoeffding_enough t (Rmax mu (epsilon t)))). lia.
Qed.

(** The schedule of a total budget B(t): epsilon(t) = sqrt(6 K ln t / B(t)), l.441. *)
Definition budget_epsilon (K : nat) (B : nat -> R) (t : nat) : R := sqrt (6 * INR K * ln (INR t) / B t).

Lemma hoeffding_enough_of_budget K B t mu : (1 <= K)%nat -> (1 <= t)%nat -> 0 < B t ->
  hoeffding_enough t (Rmax mu (budget_epsilon K B t)) <= B t / INR K.
Proof.
  intros HK Ht HB. assert (Hk : 1 <= INR K) by (apply le_INR in HK; exact HK).
  assert (Hpos : 0 <= B t / INR K) by (left; apply Rdiv_lt_0_compat; lra).
  destruct (Nat.eq_dec t 1) as [->|Hne].
  { eapply Rle_trans; [apply hoeffding_enough_le_rounds | exact Hpos]. }
  assert (Hln : 0 < ln (INR t)).
  { rewrite <- ln_1. apply ln_increasing; [lra|]. change 1 with (INR 1). apply lt_INR. lia. }
  assert (Hin : 0 < 6 * INR K * ln (INR t) / B t).
  { apply Rdiv_lt_0_compat; [|exact HB]. apply Rmult_lt_0_compat; lra. }
  assert (He : 0 < budget_epsilon K B t) by now apply sqrt_lt_R0.
  eapply Rle_trans; [apply (hoeffding_enough_mono t t _ (budget_epsilon K B t)); [lia | apply Rmax_r]|].
  eapply Rle_trans; [now apply hoeffding_enough_le_closed_form|].
  unfold budget_epsilon. rewrite sqrt_sqrt by lra. apply Req_le. field. repeat split; lra.
Qed.

(** N(t, epsilon(t)) = min{B(t)/K, t - 1} for the budget schedule. *)
Lemma hoeffding_enough_at_the_budget_epsilon K B t : (1 <= K)%nat -> (1 <= t)%nat -> 0 < B t ->
  hoeffding_enough t (budget_epsilon K B t) = Rmin (B t / INR K) (INR (t - 1)).
Proof.
  intros HK Ht HB. assert (Hk : 1 <= INR K) by (apply le_INR in HK; exact HK).
  assert (Hpos : 0 < B t / INR K) by (apply Rdiv_lt_0_compat; lra).
  destruct (Nat.eq_dec t 1) as [->|Hne].
  { simpl. rewrite Rmin_right by lra. apply Rle_antisym;
      [apply hoeffding_enough_le_rounds | now apply hoeffding_enough_nonneg]. }
  assert (Hln : 0 < ln (INR t)).
  { rewrite <- ln_1. apply ln_increasing; [lra|]. change 1 with (INR 1). apply lt_INR. lia. }
  assert (Hin : 0 < 6 * INR K * ln (INR t) / B t).
  { apply Rdiv_lt_0_compat; [|exact HB]. apply Rmult_lt_0_compat; lra. }
  assert (He : 0 < budget_epsilon K B t) by now apply sqrt_lt_R0.
  unfold hoeffding_enough. destruct (Rle_dec _ 0); [lra|]. f_equal.
  unfold budget_epsilon. rewrite sqrt_sqrt by lra. field. repeat split; lra.
Qed.

(** If N(t, epsilon(t)) grows with t, so does N(t, max{mu, epsilon(t)}), and the maximum is at T. *)
Lemma n_bar_is_attained_at_the_horizon epsilon mu T : (1 <= T)%nat ->
  (forall t, (1 <= t <= T)%nat -> hoeffding_enough t (epsilon t) <= hoeffding_enough T (epsilon T)) ->
  hoeffding_n_bar epsilon mu T = hoeffding_enough T (Rmax mu (epsilon T)).
Proof.
  intros HT Hgrow. apply Rle_antisym.
  - apply maximum_le; [now apply hoeffding_enough_nonneg|]. intros t Ht. unfold Rmax at 2.
    destruct (Rle_dec mu (epsilon T)).
    + eapply Rle_trans; [apply (hoeffding_enough_mono t t _ (epsilon t)); [lia | apply Rmax_r] | now apply Hgrow].
    + apply hoeffding_enough_mono; [exact Ht | apply Rmax_l].
  - apply (le_maximum (fun t => hoeffding_enough t (Rmax mu (epsilon t)))). lia.
Qed.

(** says: N-bar(T, mu) <= 6 ln T / mu^2 for every epsilon, and N-bar(T, mu) = N(T, max{mu, epsilon(T)}) for a
      nonincreasing epsilon and for the schedule of a nondecreasing budget; N(1, mu) = 0
    paper: l.1141
    differs: epsilon(T) where the print has epsilon(t); the total budget where the print has one for each arm
    settles: regular.hoeffding.closed_form; regular.hoeffding.closed_form_index.corrected
    breaks: "hoeffding_enough 1 mu" to "hoeffding_enough 2 mu" *)
Theorem n_bar_has_its_closed_form mu T : (1 <= T)%nat -> hoeffding_enough 1 mu = 0 /\
  (forall epsilon, 0 < mu -> hoeffding_n_bar epsilon mu T <= 6 * ln (INR T) / (mu * mu)) /\
  (forall epsilon, (forall s t, (1 <= s <= t)%nat -> (t <= T)%nat -> epsilon t <= epsilon s) ->
     hoeffding_n_bar epsilon mu T = hoeffding_enough T (Rmax mu (epsilon T))) /\
  (forall K B, (1 <= K)%nat -> (forall t, (1 <= t <= T)%nat -> 0 < B t <= B T) ->
     hoeffding_n_bar (budget_epsilon K B) mu T = hoeffding_enough T (Rmax mu (budget_epsilon K B T))).
Proof.
  intros HT. split; [|split; [|split]].
  - apply Rle_antisym; [exact (hoeffding_enough_le_rounds 1 mu) | now apply hoeffding_enough_nonneg].
  - intros epsilon Hmu. now apply n_bar_is_at_most_six_log_over_square.
  - intros epsilon Hmono. now apply n_bar_of_a_nonincreasing_epsilon.
  - intros K B HK HB. apply n_bar_is_attained_at_the_horizon; [exact HT|]. intros t Ht.
    assert (Hk : 1 <= INR K) by (apply le_INR in HK; exact HK).
    rewrite !hoeffding_enough_at_the_budget_epsilon by (try lia; apply HB; lia).
    apply Rle_trans with (Rmin (B T / INR K) (INR (t - 1))).
    + apply Rle_min_compat_r. unfold Rdiv. apply Rmult_le_compat_r;
        [left; apply Rinv_0_lt_compat; lra | now apply HB].
    + apply Rle_min_compat_l. apply le_INR. lia.
Qed.

(** says: N-bar(T, mu) <= B(T)/K for epsilon(t) = sqrt(6 K ln t / B(t)) and a positive nondecreasing B
    paper: l.416
    differs: B is the total budget
    settles: n_bar.budget
    breaks: "<= B T / INR K" to "<= B T / (2 * INR K)" *)
Theorem n_bar_of_a_budget K B mu T :
  (1 <= K)%nat -> (1 <= T)%nat -> (forall t, (1 <= t <= T)%nat -> 0 < B t <= B T) ->
  hoeffding_n_bar (budget_epsilon K B) mu T <= B T / INR K.
Proof.
  intros HK HT HB. assert (Hk : 1 <= INR K) by (apply le_INR in HK; exact HK).
  assert (HBT : 0 < B T) by (apply HB; lia).
  apply maximum_le; [left; apply Rdiv_lt_0_compat; lra|]. intros t Ht.
  eapply Rle_trans; [apply hoeffding_enough_of_budget; [lia | lia | now apply HB]|].
  unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | now apply HB].
Qed.

(** says: N-bar(T, d/2) <= 4 N-bar(T, d) for every nonnegative epsilon
    paper: l.448
    differs: for the capped form
    settles: theorem.factor_four
    breaks: "4 * hoeffding_n_bar" to "3 * hoeffding_n_bar" *)
Theorem halving_the_gap_costs_at_most_a_factor_of_four epsilon d T : 0 < d ->
  (forall t, (1 <= t <= T)%nat -> 0 <= epsilon t) ->
    hoeffding_n_bar epsilon (d / 2) T <= 4 * hoeffding_n_bar epsilon d T.
Proof.
  intros Hd He. apply maximum_le; [generalize (maximum_nonneg (fun t => hoeffding_enough t (Rmax d (epsilon t))) T);
    unfold hoeffding_n_bar, n_bar; lra|].
  intros t Ht. specialize (He t Ht).
  apply Rle_trans with (4 * hoeffding_enough t (Rmax d (epsilon t))).
  2: { apply Rmult_le_compat_l; [lra|]. apply (le_maximum (fun t => hoeffding_enough t (Rmax d (epsilon t)))).
  exact Ht. }
  set (m := Rmax d (epsilon t)). assert (Hm : 0 < m) by (eapply Rlt_le_trans; [exact Hd | apply Rmax_l]).
  assert (Hhalf : m / 2 <= Rmax (d / 2) (epsilon t)).
  { unfold m, Rmax. destruct (Rle_dec d (epsilon t)), (Rle_dec (d / 2) (epsilon t)); lra. }
  eapply Rle_trans; [apply (hoeffding_enough_mono t t _ (m / 2)); [lia | exact Hhalf]|].
  unfold hoeffding_enough. destruct (Rle_dec (m / 2) 0), (Rle_dec m 0); try lra.
  assert (Hc := pos_INR (t - 1)).
  unfold Rmin at 2. destruct (Rle_dec _ _).
  - eapply Rle_trans; [apply Rmin_l|]. apply Req_le. field. lra.
  - eapply Rle_trans; [apply Rmin_r|]. lra.
Qed.

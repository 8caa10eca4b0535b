(** Beyond the paper: the upper bounds with the interval of l.1644, mean +- sqrt((ln t + 3 ln ln t) / (2 n)), for BuFALU and
    for the dial, from nothing but reward laws on [0,1] and the rule. In leading order 2 ln T / level^2 stands where
    Hoeffding's interval has 6 ln T / level^2. *)

From Coq Require Import Reals Lra Lia Arith List Bool.
From Bufalu Require Import Sums Intervals Decision GapQuery Cases Dial Runs Expectation Experiment GeneralTheorem
  HoeffdingIntervals ClosedForms ProblemIndependent MainTheorem Laws Witness Tables EndToEnd DialEndToEnd
  LogLogIntervals.
Open Scope R_scope.

(** The cap on every path; several optimal arms; regret; queries with a unique optimal arm; both with the smaller of gap and
    (gap + epsilon(t))/(1 + rho) for gap/(1 + rho); closed forms with g = max{0, ln T + 3 ln ln T}; and what does not depend
    on the gaps. Regret sums run over all arms, of which the optimal ones add 0; [m] is any lower bound of the other gaps. *)
Definition loglog_bounds (rho : R) (law : nat -> expectation reward) (epsilon : nat -> R) (x : experiment table) : Prop :=
  let b := instance x in let K := arms_of x in let T := horizon x in let E := table_law law K T in
  let N := fun mu => n_bar loglog_enough epsilon mu T in
  let S := fun d => sharper_dial_n_bar loglog_enough epsilon rho d T in
  let L := fun d => rounds_with_large_epsilon K epsilon d T in
  let g := loglog_growth T in
  let constant := INR K * (1 + loglog_failures T) in
  (forall w a, is_arm K a -> INR (queries (path_of x w) a T) <= maximum (fun t => loglog_enough t (epsilon t)) T + 1) /\
  (several_optimal_arms b ->
     E (regret_on x) <= sum (arms K) (fun a => gap b a * (N (gap b a) + L (gap b a))) + constant * largest_gap b /\
     E (queries_on x) <= sum (arms K) (fun a => N (gap b a)) + constant) /\
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (N (gap b a / (1 + rho)) + L (gap b a)))
    + constant * largest_gap b /\
  (forall a_star m, unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (queries_on x) <= sum (others K a_star) (fun a => N (gap b a / (1 + rho))) + N (rho * m / (1 + rho))
       + constant) /\
  E (regret_on x) <= sum (arms K) (fun a => gap b a * (S (gap b a) + L (gap b a))) + constant * largest_gap b /\
  (forall a_star m, unique_optimal_arm b a_star -> (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
     E (queries_on x) <= sum (others K a_star) (fun a => S (gap b a)) + N (rho * m / (1 + rho)) + constant) /\
  ((1 <= T)%nat ->
     E (regret_on x) <= sum (arms K) (fun a => if Rle_dec (gap b a) 0 then 0
         else 2 * g * ((1 + rho) * (1 + rho)) / gap b a + gap b a * L (gap b a)) + constant * largest_gap b /\
     E (regret_on x) <= 2 * (1 + rho) * sqrt (2 * g * INR K * INR T) + total_epsilon K epsilon T
       + constant * largest_gap b /\
     (forall a_star m, 0 < rho -> unique_optimal_arm b a_star -> 0 < m ->
        (forall c, is_arm K c -> c <> a_star -> m <= gap b c) ->
        E (queries_on x) <= sum (others K a_star) (fun a => 2 * g * ((1 + rho) * (1 + rho)) / (gap b a * gap b a))
          + 2 * g * ((1 + / rho) * (1 + / rho)) / (m * m) + constant)).

Lemma steered_loglog_bounds rho law epsilon x : 0 <= rho -> on_tables (steered_by rho) loglog_formula law epsilon x ->
  loglog_bounds rho law epsilon x.
Proof.
  intros Hrho [means uses given runs]. destruct (the_loglog_intervals_are_regular law x means uses) as [regularity _].
  assert (quadratic : (1 <= horizon x)%nat -> forall (a : nat) e mu, 0 < mu ->
    n_bar loglog_enough e mu (horizon x) <= 2 * loglog_growth (horizon x) / (mu * mu)).
  { intros HT _ e mu. now apply (n_bar_of_a_root _ loglog_growth_is_nonneg loglog_growth_grows). }
  unfold loglog_bounds. cbv zeta. set (K := arms_of x) in *. set (T := horizon x) in *.
  replace (INR K * (1 + loglog_failures T)) with (INR K + INR K * loglog_failures T) by ring.
  split; [|split; [|split; [|split; [|split; [|split]]]]].
  - exact (fixed_cap _ x _ _ _ _ regularity rho runs epsilon given).
  - intros Hmany. split.
    + exact (fixed_regret_with_several_optima _ x _ _ _ _ regularity rho runs epsilon given Hmany).
    + exact (fixed_queries_with_several_optima _ x _ _ _ _ regularity rho runs epsilon given Hmany).
  - exact (fixed_regret _ x _ _ _ _ regularity rho Hrho runs epsilon given).
  - exact (fixed_queries_with_a_unique_optimum _ x _ _ _ _ regularity rho Hrho runs epsilon given).
  - exact (fixed_sharper_regret _ x _ _ _ _ regularity rho runs epsilon given).
  - exact (fixed_sharper_queries_with_a_unique_optimum _ x _ _ _ _ regularity rho Hrho runs epsilon given).
  - intros HT. split; [|split].
    + exact (fixed_regret_in_closed_form _ x _ _ _ _ regularity rho Hrho runs epsilon given _
        (fun a => quadratic HT a epsilon)).
    + assert (Hg := loglog_growth_is_nonneg T HT).
      assert (P := quadratic_problem_independent_regret _ x _ _ _ _ regularity rho Hrho runs (2 * loglog_growth T)
        ltac:(lra) (quadratic HT) HT).
      rewrite (fixed_total_epsilon _ x epsilon given) in P. fold K T in P.
      assert (Q := total_epsilon_up_to_is_at_most (largest_gap (instance x)) K epsilon T). lra.
    + exact (fixed_queries_in_closed_form _ x _ _ _ _ regularity rho Hrho runs epsilon given _
        (fun a => quadratic HT a epsilon)).
Qed.

(** says: the bounds of the theorem of the main text, the sharper ones, closed forms and the bound that does not depend on the gaps for
      BuFALU with the intervals mean +- sqrt(max{0, ln t + 3 ln ln t}/(2n)), with
      N(t, mu) = min{2 max{0, ln t + 3 ln ln t}/mu^2, t - 1} for 6 ln t/mu^2 and K (1 + C) for 3K, where C <= 8 is the sum
      over 2 <= t <= T of min{1, 2 sqrt(e) D e^-d}; for every K >= 1, T, reward laws on [0,1], nonnegative epsilon fixed in
      advance and every tie-break, in expectation over the product space of reward tables; nothing assumed
    paper: beyond the paper; compare l.417-435 with l.1644
    settles: kl_ucb.theorem
    breaks: "loglog_bounds 1" to "loglog_bounds 0" *)
Theorem bufalu_with_the_loglog_interval_end_to_end law epsilon x : on_tables bufalu loglog_formula law epsilon x ->
  loglog_bounds 1 law epsilon x.
Proof.
  intros [H1 H2 H3 H4]. apply steered_loglog_bounds; [lra|]. constructor; trivial. now apply runs_of_bufalu_are_steered.
Qed.

(** says: the same bounds for the dial at every position rho >= 0, at gap/(1 + rho) and rho m/(1 + rho), under the same
      hypotheses
    paper: beyond the paper; compare l.417-435 with l.1644
    settles: kl_ucb.theorem.dial
    breaks: "loglog_bounds rho" to "loglog_bounds 0" *)
Theorem the_dial_with_the_loglog_interval_end_to_end rho law epsilon x : 0 <= rho ->
  on_tables (dial rho) loglog_formula law epsilon x -> loglog_bounds rho law epsilon x.
Proof. intros Hrho H. apply steered_loglog_bounds; [exact Hrho | now apply the_dial_on_tables_is_steered]. Qed.

(** says: for every bandit of laws on [0,1], horizon and nonnegative epsilon there are runs of BuFALU with the intervals
      mean +- sqrt(max{0, ln t + 3 ln ln t}/(2n)): nothing above is vacuous
    paper: beyond the paper
    breaks: "mean b a =" to "mean b a <=" *)
Theorem such_loglog_experiments_exist (law : nat -> expectation reward) b T epsilon :
  (forall a, is_arm (number_of_arms b) a -> mean b a = law a value) ->
  (forall t, (number_of_arms b < t <= T)%nat -> 0 <= epsilon t) ->
  exists x : experiment table, instance x = b /\ horizon x = T /\ on_tables bufalu loglog_formula law epsilon x.
Proof. exact (experiments_exist_on_tables _ _ loglog_formula law b T epsilon bufalu_chooses). Qed.

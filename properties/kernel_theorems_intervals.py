"""The Coq theorems about the Hoeffding and Bernstein intervals, and the bounds that follow end to end."""

from __future__ import annotations

from bufalu.properties.kernel_theorem import Theorem

_END_TO_END = (
    "for every K >= 1, T, finite reward laws on [0,1], nonnegative epsilon fixed in advance and every tie-break, in "
    "expectation over the product space of reward tables"
)

THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "hoeffding_two_sided",
        "Hoeffding.v",
        "l.1158, cited there",
        "Hoeffding's inequality with its factor 2, for independent rewards in [0,1] of equal mean, on any space",
        "independence is used as the product rule for functions of single rewards",
        ("regular.hoeffding.two_sided_tail",),
        main=True,
    ),
    Theorem(
        "hoeffding_intervals_are_regular",
        "HoeffdingIntervals.v",
        "l.1134-1174",
        "the Hoeffding intervals satisfy the five conditions with C = K, for every run on a tape of rewards "
        "in [0,1] of equal mean along each arm, on any space where the product rule holds",
        "C = K is smaller than the printed 2K; the factor 2 missing at l.1158 is there",
        (
            "regular.hoeffding",
            "regular.hoeffding.width_nonnegative",
            "regular.hoeffding.mean_covered",
            "regular.hoeffding.queries_shrink_width",
        ),
        main=True,
    ),
    Theorem(
        "the_hoeffding_width_is_the_root_of_six_log_over_n",
        "HoeffdingIntervals.v",
        "l.1144",
        "the width of a Hoeffding interval with n >= 1 queries is sqrt(6 ln t / n)",
        "none",
        ("interval.hoeffding_width",),
    ),
    Theorem(
        "the_hoeffding_width_is_below_mu_iff_queries_exceed",
        "HoeffdingIntervals.v",
        "l.416",
        "the Hoeffding width is below mu > 0 exactly when n > 6 ln t / mu^2",
        "n >= 1, since the interval is infinite for n = 0",
        ("n_bar.samples_for_width",),
    ),
    Theorem(
        "n_bar_has_its_closed_form",
        "ClosedForms.v",
        "l.1141",
        "N-bar(T, mu) <= 6 ln T / mu^2 for every epsilon, and N-bar(T, mu) = N(T, max{mu, epsilon(T)}) for a "
        "nonincreasing epsilon and for the schedule of a nondecreasing budget",
        "epsilon(T) where the print has epsilon(t); the total budget where the print has one for each arm",
        ("regular.hoeffding.closed_form", "regular.hoeffding.closed_form_index.corrected"),
    ),
    Theorem(
        "n_bar_of_a_budget",
        "ClosedForms.v",
        "l.416",
        "N-bar(T, mu) <= B(T)/K for epsilon(t) = sqrt(6 K ln t / B(t)) and a positive nondecreasing B",
        "B is the total budget",
        ("n_bar.budget",),
    ),
    Theorem(
        "halving_the_gap_costs_at_most_a_factor_of_four",
        "ClosedForms.v",
        "l.448",
        "N-bar(T, d/2) <= 4 N-bar(T, d) for every nonnegative epsilon",
        "for the capped form",
        ("theorem.factor_four",),
    ),
    Theorem(
        "a_budget_is_exceeded_by_less_than_K",
        "MainTheorem.v",
        "l.416, l.441",
        "with the schedule of a nondecreasing total budget B every arm has fewer than B(T)/K + 1 queries, "
        "hence fewer than B(T) + K in all, on every path",
        "l.416 says that the budget is never violated; the initial rounds and rounding cost K",
        ("budget.never_violated.corrected", "discussion.total_budget"),
    ),
    Theorem(
        "general_problem_independent_regret",
        "ProblemIndependent.v",
        "l.1052-1058",
        "the general bound that does not depend on the gaps, for every Delta_0 > 0 and any regular intervals",
        "M bounds mu N-bar(T, mu) at mu = gap/2, where the proof needs it, instead of at the gap",
        ("independent.general.corrected",),
    ),
    Theorem(
        "the_sample_variance_is_at_most_n_over_four_times_n_minus_one",
        "BernsteinIntervals.v",
        "l.1290-1294",
        "the empirical variance of n >= 2 rewards in [0,1] is at most n/(4(n-1))",
        "none",
        ("bernstein.variance_cap",),
    ),
    Theorem(
        "root_and_reciprocal",
        "BernsteinIntervals.v",
        "l.1353",
        "c1/s + c2/s^2 < mu once s^2 > c1^2/mu^2 + 2 c2/mu, with s the square root of n",
        "signs of c1 and c2 are not needed",
        ("auxiliary.root_and_reciprocal",),
    ),
    Theorem(
        "bernstein_enough_if_good_suffices",
        "BernsteinIntervals.v",
        "l.1279-1286",
        "under the good event more than N_a^g(t, mu) queries make a Bernstein interval narrower than mu",
        "none",
        ("bernstein.width_under_good_event",),
    ),
    Theorem(
        "the_root_is_the_smaller_number",
        "BernsteinIntervals.v",
        "l.1301",
        "N_2^as(t, mu) <= N_1^as(t, mu)",
        "none",
        ("bernstein.n1_at_least_n2",),
    ),
    Theorem(
        "with_bernstein_intervals_queries_never_exceed_the_cap",
        "BernsteinRegularity.v",
        "l.856 with l.1226",
        "the cap on queries with Bernstein intervals and N_2^as, on every path, for every epsilon",
        "none",
        ("cap.almost_sure",),
    ),
    Theorem(
        "bernstein_intervals_are_regular_up_to_failures",
        "BernsteinRegularity.v",
        "l.1211-1236",
        "the Bernstein intervals are regular with any bound on the sum of the failure probabilities",
        "conditional: the failure probabilities are a hypothesis",
        (),
    ),
    Theorem(
        "bernstein_failures_are_at_most_three_per_arm",
        "BernsteinRegularity.v",
        "l.1247-1277",
        "given the inequality of Maurer and Pontil as the paper uses it, the failure probabilities sum to at "
        "most 3K",
        "conditional on the cited inequality; the print has 12K",
        (),
    ),
    Theorem(
        "the_upper_bound_end_to_end",
        "EndToEnd.v",
        "l.417-433",
        f"the theorem of the main text, all three parts, {_END_TO_END}; nothing assumed",
        "capped N-bar, and L after round K, both at most what is printed; T <= K and K = 1 included",
        (
            "theorem.multiple.regret",
            "theorem.multiple.queries",
            "theorem.unique.regret",
            "theorem.unique.queries",
            "theorem.short_horizon",
            "cap.almost_sure",
        ),
        main=True,
    ),
    Theorem(
        "the_sharper_upper_bound_end_to_end",
        "EndToEnd.v",
        "beyond the paper; compare l.427-432",
        f"the theorem with (gap + epsilon(t))/2 for gap/2 and 2K for 3K, {_END_TO_END}",
        "not in the paper",
        ("theorem.sharper",),
        main=True,
    ),
    Theorem(
        "the_closed_form_end_to_end",
        "EndToEnd.v",
        "l.427-432 with l.1141",
        f"regret at most the sum of 24 ln T / gap + gap L(gap), plus 2 K Delta_max, {_END_TO_END}",
        "2K where the print has 3K",
        ("theorem.unique.regret",),
        main=True,
    ),
    Theorem(
        "the_problem_independent_bound_end_to_end",
        "EndToEnd.v",
        "l.435-438",
        f"regret at most 4 sqrt(6 K T ln T) + the sum of epsilon + 3 K Delta_max, {_END_TO_END}",
        "rewards in [0,1] are assumed, and epsilon is summed from t = K+1",
        ("independent.hoeffding",),
        main=True,
    ),
    Theorem(
        "the_upper_bound_with_adaptive_epsilon",
        "EndToEnd.v",
        "l.416, l.1042",
        "all parts on the space of reward tables when epsilon depends on the table in any way, hence on any history",
        "N-bar and L in expectation, as the remark says; 2K where the print has 3K",
        ("theorem.adaptive_epsilon",),
        main=True,
    ),
    Theorem(
        "such_experiments_exist",
        "EndToEnd.v",
        "l.371-389",
        "for every bandit of finite laws, horizon and nonnegative epsilon there are such runs: nothing above is "
        "vacuous",
        "not a statement of the paper",
        (),
        main=True,
    ),
    Theorem(
        "the_code_decides_as_the_relation",
        "Vectors.v",
        "l.371-389, l.403",
        "on every vector, the decisions of the Python reference are exactly those of the relation that "
        "the theorems are about",
        "rational intervals; listed cases only",
        (),
        main=True,
    ),
)

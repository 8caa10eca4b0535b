"""The Coq theorems about the Hoeffding intervals, and the bounds that follow end to end."""

from __future__ import annotations

from bufalu.properties.coq.theorem import Theorem

_END_TO_END = (
    "for every K >= 1, T, reward laws of finite support on [0,1], nonnegative epsilon fixed in advance and every tie-break, "
    "in expectation over the product space of reward tables"
)

THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        name="hoeffding_two_sided",
        file="Hoeffding.v",
        lines="l.1158, cited there",
        says="Hoeffding's inequality with its factor 2, for independent rewards of finite support on [0,1] of equal mean",
        differs="independence is used as the product rule for functions of single rewards",
        claims=(),
    ),
    Theorem(
        name="a_deviation_is_rare",
        file="HoeffdingIntervals.v",
        lines="l.1157-1158",
        says=(
            "the mean of the first n rewards of an arm is off by more than sqrt(3 ln t / (2 n)) with probability at "
            "most 2/t^3, for rewards of finite support on [0,1]"
        ),
        differs="finite support; 2/t^3 where the print has 1/t^3",
        claims=("regular.hoeffding.two_sided_tail",),
    ),
    Theorem(
        name="hoeffding_intervals_are_regular",
        file="HoeffdingIntervals.v",
        lines="l.1134-1174",
        says=(
            "the Hoeffding intervals satisfy the five conditions with C = K, for every strategy on a tape of rewards of "
            "finite support on [0,1], of equal mean along each arm, for which the product rule holds"
        ),
        differs="finite support; C = K is smaller than the printed 2K; the factor 2 missing at l.1158 is there",
        claims=(
            "regular.hoeffding",
            "regular.hoeffding.width_nonnegative",
            "regular.hoeffding.mean_covered",
            "regular.hoeffding.queries_shrink_width",
        ),
    ),
    Theorem(
        name="the_hoeffding_width_is_the_root_of_six_log_over_n",
        file="HoeffdingIntervals.v",
        lines="l.1144",
        says="the width of a Hoeffding interval with n >= 1 queries is sqrt(6 ln t / n)",
        differs="none",
        claims=("interval.hoeffding_width",),
    ),
    Theorem(
        name="the_hoeffding_width_is_below_mu_iff_queries_exceed",
        file="HoeffdingIntervals.v",
        lines="l.416",
        says="the Hoeffding width is below mu > 0 exactly when n > 6 ln t / mu^2",
        differs="n >= 1, since the interval is infinite for n = 0",
        claims=("n_bar.samples_for_width",),
    ),
    Theorem(
        name="n_bar_has_its_closed_form",
        file="ClosedForms.v",
        lines="l.1141",
        says="N-bar(T, mu) <= 6 ln T / mu^2 for every epsilon, and N-bar(T, mu) = N(T, max{mu, epsilon(T)}) for a "
        "nonincreasing epsilon and for the schedule of a nondecreasing budget; N(1, mu) = 0",
        differs="epsilon(T) where the print has epsilon(t); the total budget where the print has one for each arm",
        claims=("regular.hoeffding.closed_form", "regular.hoeffding.closed_form_index.corrected"),
    ),
    Theorem(
        name="n_bar_of_a_budget",
        file="ClosedForms.v",
        lines="l.416",
        says="N-bar(T, mu) <= B(T)/K for epsilon(t) = sqrt(6 K ln t / B(t)) and a positive nondecreasing B",
        differs="B is the total budget",
        claims=("n_bar.budget",),
    ),
    Theorem(
        name="halving_the_gap_costs_at_most_a_factor_of_four",
        file="ClosedForms.v",
        lines="l.448",
        says="N-bar(T, d/2) <= 4 N-bar(T, d) for every nonnegative epsilon",
        differs="for the capped form",
        claims=("theorem.factor_four",),
    ),
    Theorem(
        name="a_budget_is_exceeded_by_less_than_K",
        file="MainTheorem.v",
        lines="l.416, l.441",
        says=(
            "with the schedule of a nondecreasing total budget B every arm has fewer than B(T)/K + 1 queries, hence "
            "fewer than B(T) + K in all, on every path"
        ),
        differs="l.416 says that the budget is never violated; the initial rounds and rounding cost K",
        claims=("budget.never_violated.corrected", "discussion.total_budget"),
    ),
    Theorem(
        name="general_problem_independent_regret",
        file="ProblemIndependent.v",
        lines="l.1052-1058",
        says="the general bound that does not depend on the gaps, for every Delta_0 > 0 and any regular intervals",
        differs="finite support; M >= 0, and M bounds mu N-bar(T, mu) at gap/2, where the proof needs it, not at the gap",
        claims=(),
    ),
    Theorem(
        name="problem_independent_regret_from_every_level",
        file="ProblemIndependent.v",
        lines="l.1052-1058",
        says=(
            "the general bound that does not depend on the gaps, if M(Delta_0) dominates mu N-bar(T, mu) at every level "
            "mu in (Delta_0, gap], for every Delta_0 > 0 and any regular intervals"
        ),
        differs="finite support; M >= 0; M dominates at every level instead of at the gap; epsilon is summed from t = K+1",
        claims=("independent.general.corrected",),
    ),
    Theorem(
        name="hoeffdings_function_dominates_every_level",
        file="ProblemIndependent.v",
        lines="l.1059",
        says="6 ln T / Delta_0 dominates mu N-bar(T, mu) of Hoeffding's intervals at every level mu > Delta_0",
        differs="none",
        claims=("independent.general.corrected",),
    ),
    Theorem(
        name="the_upper_bound_end_to_end",
        file="EndToEnd.v",
        lines="l.417-433",
        says=f"the theorem of the main text, all three parts, {_END_TO_END}; nothing assumed",
        differs="capped N-bar, and L after round K, both at most what is printed; T <= K and K = 1 included",
        claims=(
            "theorem.multiple.regret",
            "theorem.multiple.queries",
            "theorem.unique.regret",
            "theorem.unique.queries",
            "theorem.short_horizon",
            "cap.almost_sure",
        ),
    ),
    Theorem(
        name="the_sharper_upper_bound_end_to_end",
        file="EndToEnd.v",
        lines="beyond the paper; compare l.427-432",
        says=f"the theorem with (gap + epsilon(t))/2 for gap/2 and 2K for 3K, {_END_TO_END}",
        differs="not in the paper",
        claims=("theorem.sharper",),
    ),
    Theorem(
        name="the_closed_form_end_to_end",
        file="EndToEnd.v",
        lines="l.427-432 with l.1141",
        says=f"regret at most the sum of 24 ln T / gap + gap L(gap), plus 2 K Delta_max, {_END_TO_END}",
        differs="2K where the print has 3K",
        claims=("theorem.unique.regret", "discussion.logarithmic_regret"),
    ),
    Theorem(
        name="the_problem_independent_bound_end_to_end",
        file="EndToEnd.v",
        lines="l.435-438",
        says=f"regret at most 4 sqrt(6 K T ln T) + the sum of epsilon + 3 K Delta_max, {_END_TO_END}",
        differs="rewards in [0,1] are assumed, and epsilon is summed from t = K+1",
        claims=("independent.hoeffding",),
    ),
    Theorem(
        name="the_upper_bound_with_adaptive_epsilon",
        file="EndToEnd.v",
        lines="l.416, l.1042",
        says="all parts on the space of tables of rewards of finite support when epsilon depends on the table in any way, "
        "hence on any history",
        differs="finite support; N-bar and L in expectation, as the remark says; 2K where the print has 3K",
        claims=("theorem.adaptive_epsilon",),
    ),
    Theorem(
        name="such_experiments_exist",
        file="EndToEnd.v",
        lines="l.371-389",
        says="for every bandit of laws of finite support, horizon and nonnegative epsilon there are such runs: nothing above "
        "is vacuous",
        differs="not a statement of the paper",
        claims=(),
    ),
    Theorem(
        name="the_code_decides_as_the_relation",
        file="Vectors.v",
        lines="l.371-389, l.403, l.1377-1435",
        says=(
            "on every vector, the decisions of the Python reference for BuFALU, BuFAU, CBM-UCB and greedy are exactly those "
            "of the relations: for BuFALU the one that the theorems are about"
        ),
        differs="rational intervals, a rational number in the place of ln t, listed cases only",
        claims=(),
    ),
)

"""The Coq theorems about the Bernstein intervals, from the empirical Bernstein inequality to the bounds end to end."""

from __future__ import annotations

from bufalu.properties.coq.theorem import Theorem

_SAMPLE = "n independent draws from one law of finite support on [0,1]"
_END_TO_END = (
    "for every K >= 1, T, reward laws of finite support on [0,1], nonnegative epsilon fixed in advance and every "
    "tie-break, in expectation over the product space of reward tables; nothing assumed"
)

THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        name="the_sample_variance_is_at_most_n_over_four_times_n_minus_one",
        file="BernsteinIntervals.v",
        lines="l.1290-1294",
        says="the empirical variance of n >= 2 rewards in [0,1] is at most n/(4(n-1))",
        differs="none",
        claims=("bernstein.variance_cap",),
    ),
    Theorem(
        name="root_and_reciprocal",
        file="BernsteinIntervals.v",
        lines="l.1353",
        says="c1/s + c2/s^2 < mu once s^2 > c1^2/mu^2 + 2 c2/mu, with s the square root of n",
        differs="signs of c1 and c2 are not needed",
        claims=("auxiliary.root_and_reciprocal",),
    ),
    Theorem(
        name="the_root_is_the_smaller_number",
        file="BernsteinIntervals.v",
        lines="l.1301",
        says="N_2^as(t, mu) <= N_1^as(t, mu)",
        differs="none",
        claims=("bernstein.n1_at_least_n2",),
    ),
    Theorem(
        name="with_bernstein_intervals_queries_never_exceed_the_cap",
        file="BernsteinRegularity.v",
        lines="l.856 with l.1226",
        says="the cap on queries with Bernstein intervals and N_2^as, on every path of BuFALU, for every epsilon",
        differs="none",
        claims=("cap.almost_sure",),
    ),
    Theorem(
        name="the_sample_variance_is_the_unbiased_one",
        file="BernsteinWidths.v",
        lines="l.1203",
        says="for n >= 2 the empirical variance is the sum of (X(k) - mean)^2 over the n queried rewards, divided by n - 1",
        differs="the sum runs over queried rewards",
        claims=("bernstein.variance_indices.corrected",),
    ),
    Theorem(
        name="the_bernstein_width_is_twice_the_radius_and_never_negative",
        file="BernsteinWidths.v",
        lines="l.1241-1244",
        says=(
            "for t >= 1 the width is 2 sqrt(6 V-hat ln t/n) + 14 ln t/(n-1) with n >= 2 queries, infinite with fewer, and "
            "never negative"
        ),
        differs="ln t for the ln T of l.1244",
        claims=("regular.bernstein.nonnegative_index.corrected",),
    ),
    Theorem(
        name="under_the_good_event_a_bernstein_interval_is_narrow",
        file="BernsteinWidths.v",
        lines="l.1279-1286",
        says=(
            "if the standard deviation is overestimated by at most sqrt(6 ln t/(n-1)), the width is at most "
            "sqrt(24 V ln t/(n-1)) + 26 ln t/(n-1), and smaller than mu beyond N_a^g(t, mu) queries"
        ),
        differs="none",
        claims=("bernstein.width_under_good_event",),
    ),
    Theorem(
        name="the_almost_sure_width_equals_mu_at_the_root",
        file="BernsteinWidths.v",
        lines="l.1297-1301",
        says=(
            "for t >= 2 and mu > 0 the almost sure bound sqrt(6 ln t/(n-1)) + 14 ln t/(n-1) equals mu at n = N_2 and "
            "decreases in n"
        ),
        differs="t >= 2, since ln 1 = 0 makes the root 0",
        claims=("bernstein.n2_is_the_root",),
    ),
    Theorem(
        name="a_small_variance_and_a_large_budget_improve_on_hoeffding",
        file="BernsteinWidths.v",
        lines="l.871",
        says=(
            "with b = B/K - 1, V < 1/4 and b > (22/(1 - 4V))^2 ln T, the bound of the Bernstein budget lemma is below "
            "the Hoeffding budget b + 1"
        ),
        differs="the print drops the second term and the conditions",
        claims=("discussion.bernstein_improves.corrected",),
    ),
    Theorem(
        name="the_moments_of_the_empirical_variance_are_those_of_independent_pairs",
        file="PairsAndJensen.v",
        lines="cited at l.1265; pairs and Jensen in the place of the entropy method",
        says=(
            "E exp(c m V-hat) <= (E exp(c h))^m for m = floor(n/2), h half a squared difference, every real c and "
            + _SAMPLE
        ),
        differs="not a statement of the paper",
        claims=(),
    ),
    Theorem(
        name="the_variance_of_a_reward_is_at_most_a_quarter",
        file="VarianceTails.v",
        lines="l.1059",
        says="a law of finite support on [0,1] has variance at most 1/4",
        differs="finite support",
        claims=(),
    ),
    Theorem(
        name="the_standard_deviation_is_rarely_underestimated",
        file="VarianceTails.v",
        lines="l.1265, theorem 10 of Maurer and Pontil",
        says="P(sqrt V > sqrt V-hat + sqrt(2x/(n-1))) <= e^-x for n >= 2, x >= 0 and " + _SAMPLE,
        differs="finite support",
        claims=(),
    ),
    Theorem(
        name="the_standard_deviation_is_rarely_overestimated",
        file="VarianceTails.v",
        lines="l.1265, theorem 10 of Maurer and Pontil",
        says="P(sqrt V-hat > sqrt V + sqrt(x/(n-1))) <= e^-x for n >= 2, x >= 0 and " + _SAMPLE,
        differs="finite support; sqrt(x/(n-1)) where sqrt(2x/(n-1)) is cited",
        claims=(),
    ),
    Theorem(
        name="empirical_bernstein_one_sided",
        file="BernsteinTail.v",
        lines="l.1265, theorem 4 of Maurer and Pontil",
        says=(
            "on either side, the mean is off by more than sqrt(2 V-hat x/n) + 7x/(3(n-1)) with probability at most "
            f"2 e^-x, for n >= 2, x >= 0 and {_SAMPLE}"
        ),
        differs="finite support",
        claims=(),
    ),
    Theorem(
        name="empirical_bernstein_two_sided",
        file="BernsteinTail.v",
        lines="l.1265",
        says=(
            "the mean is off by more than sqrt(2 V-hat x/n) + 7x/(3(n-1)), or the standard deviation by more than "
            f"sqrt(2x/(n-1)), with probability at most 4 e^-x, for n >= 2, x >= 0 and {_SAMPLE}"
        ),
        differs="finite support; 4 e^-x where the print adds 4 e^-x and 2 e^-x",
        claims=(),
    ),
    Theorem(
        name="a_bernstein_deviation_is_rare",
        file="BernsteinTables.v",
        lines="l.1264-1268",
        says=(
            "the first n >= 2 rewards of an arm put its mean outside the interval of round t, or its standard deviation "
            "further than sqrt(6 ln t/(n-1)) from the estimate, with probability at most 4/t^3, for reward laws of finite "
            "support"
        ),
        differs="finite support; 4/t^3 where the print has 6/t^3",
        claims=("regular.bernstein.failure_probability",),
    ),
    Theorem(
        name="bernstein_intervals_are_regular",
        file="BernsteinTables.v",
        lines="l.1211-1236",
        says=(
            "the Bernstein intervals satisfy the five conditions with the printed N_a^g and with both N^as, and C = 2K, for "
            "every strategy on a table of rewards of finite support"
        ),
        differs="finite support; C = 2K where the print has 12K",
        claims=("regular.bernstein",),
    ),
    Theorem(
        name="the_bernstein_n_bar_is_at_most_its_value_at_the_horizon",
        file="BernsteinClosedForms.v",
        lines="l.1228",
        says="N-bar_a^g(T, mu) <= N_a^g(T, mu) <= 24 V ln T/mu^2 + 52 ln T/mu + 1 for every epsilon, the last for mu > 0",
        differs="none",
        claims=("bernstein.n_bar_at_horizon",),
    ),
    Theorem(
        name="with_a_nonincreasing_epsilon_the_bernstein_maxima_are_at_the_horizon",
        file="BernsteinClosedForms.v",
        lines="l.1230",
        says=(
            "for an epsilon that does not increase on 1..T, N-bar_a^g(T, mu) = N_a^g(T, max{mu, epsilon(T)}) and "
            "N-bar_i^as(T) = N_i^as(T, epsilon(T)) for i = 1, 2"
        ),
        differs="none",
        claims=("bernstein.monotone_schedules",),
    ),
    Theorem(
        name="the_bernstein_budget_schedule_spends_the_budget",
        file="BernsteinClosedForms.v",
        lines="l.1231",
        says="N_2^as(t, epsilon(t)) = min{B(t), t - 1} for the Bernstein budget schedule with B(t) > 1",
        differs="none",
        claims=("bernstein.budget_schedule",),
    ),
    Theorem(
        name="the_bernstein_budget_bound",
        file="BernsteinClosedForms.v",
        lines="l.1231-1234",
        says=(
            "for a nondecreasing B > 1, N-bar_2^as(T) = min{B(T), T - 1}, and N-bar_a^g(T, mu) is at most N_a^g(T, mu) and "
            "at most 4 V (B(T)-1) + min{22 sqrt((B(T)-1) ln T), 4 (B(T)-1)} + 1"
        ),
        differs="none",
        claims=("bernstein.budget_bound",),
    ),
    Theorem(
        name="the_bernstein_condition_of_the_problem_independent_bound",
        file="BernsteinBounds.v",
        lines="l.1059-1062",
        says=(
            "mu N-bar_a^g(T, mu) <= 6 ln T/Delta_0 + 52 ln T + Delta_max for V <= 1/4, 0 < Delta_0 < mu <= Delta_max and "
            "every epsilon"
        ),
        differs="asked at every level mu, where the proof of l.1052 needs it, instead of at the gaps",
        claims=("independent.bernstein",),
    ),
    Theorem(
        name="the_bernstein_upper_bound_with_adaptive_epsilon",
        file="BernsteinBounds.v",
        lines="l.846-866 with l.1211, l.1042",
        says=(
            "the general theorem for the Bernstein intervals when epsilon depends on the table in any way, hence on any "
            "history, for reward laws of finite support"
        ),
        differs="finite support; N-bar and L in expectation; 3K where the print has 13K",
        claims=(),
    ),
    Theorem(
        name="bernstein_query_costs_with_adaptive_epsilon",
        file="BernsteinBounds.v",
        lines="l.268 with l.846-866",
        says=(
            "the bounds on queries with Bernstein intervals for queries whose costs depend on the arm, for reward laws of "
            "finite support"
        ),
        differs="finite support; the highest cost times 2K for the failures",
        claims=("costs.arm_dependent",),
    ),
    Theorem(
        name="the_bernstein_upper_bound_end_to_end",
        file="BernsteinEndToEnd.v",
        lines="l.846-866 with l.1211-1236",
        says=f"the five statements of the general theorem for the Bernstein intervals, {_END_TO_END}",
        differs="K + C(T) = 3K where the print's 12K gives 13K; L after round K; D_min may be any lower bound of the gaps",
        claims=("theorem.bernstein",),
    ),
    Theorem(
        name="the_variance_dependent_bounds_end_to_end",
        file="BernsteinEndToEnd.v",
        lines="l.846-866 with l.1220 and l.1228",
        says=(
            "the closed forms 96 V_a ln T/gap + 104 ln T + gap for the regret of an arm, 24, 52 and 1 with several optimal "
            f"arms, and 96 V_a ln T/gap^2 + 104 ln T/gap + 1 for its queries, {_END_TO_END}"
        ),
        differs="3K where the print's 12K gives 13K",
        claims=("theorem.bernstein.closed_form",),
    ),
    Theorem(
        name="the_bernstein_problem_independent_bound_end_to_end",
        file="BernsteinEndToEnd.v",
        lines="l.1052-1065",
        says=(
            "regret at most 8 sqrt(6 K v T ln T) + 104 K ln T + the sum of epsilon + 4 K Delta_max if v bounds the variances "
            f"of the suboptimal arms, and with v = 1/4 always, {_END_TO_END}"
        ),
        differs="the print only names M; epsilon is summed from t = K+1; 4K where its M and 12K give 15K",
        claims=("independent.bernstein.regret",),
    ),
    Theorem(
        name="with_the_bernstein_budget_schedule_queries_stay_within_the_budget_plus_one",
        file="BernsteinEndToEnd.v",
        lines="l.1231 with l.856",
        says=(
            "with the Bernstein budget schedule of a nondecreasing B > 1, on every path of BuFALU an arm has at most "
            "min{B(T), T - 1} + 1 queries, and all arms together at most K (B(T) + 1)"
        ),
        differs="none",
        claims=("bernstein.budget_on_every_path",),
    ),
    Theorem(
        name="such_bernstein_experiments_exist",
        file="BernsteinEndToEnd.v",
        lines="l.371-389 with l.1207",
        says=(
            "for every bandit of laws of finite support, horizon and nonnegative epsilon there are runs of BuFALU with "
            "Bernstein intervals: nothing above is vacuous"
        ),
        differs="not a statement of the paper",
        claims=(),
    ),
)

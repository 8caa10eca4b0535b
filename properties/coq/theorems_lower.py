"""The Coq theorems about lower bounds: queries of consistent strategies, scarce querying, query costs (l.284-366)."""

from __future__ import annotations

from bufalu.properties.coq.theorem import Theorem

_FINITE = "all laws have finite support and private randomness is finite"
_CONSISTENT = (
    "for every K, every family D of finite-support laws, every strategy that is consistent on D in expectation and every "
    "instance in D"
)
_UNIFORM = (
    "for every K, every family D of finite-support laws, every strategy that is better than uniform on D and every "
    "instance in D"
)
_EVENTUALLY = "a limit inferior of at least x is stated as: for every c below x, eventually at least c ln T"
_SUM = "the limit inferior of the sum, where the print has the sum of limits inferior"

THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        name="kinf_above_grows_with_the_level",
        file="FiniteLaws.v",
        lines="l.319",
        says="Kinf+(p, mu, D), an infimum with value +infinity over the empty set, is nondecreasing in mu",
        differs=f"the print says decreasing; {_FINITE}",
        claims=("kinf.monotone.corrected",),
    ),
    Theorem(
        name="kinf_below_falls_with_the_level",
        file="FiniteLaws.v",
        lines="l.319",
        says="Kinf-(p, mu, D), an infimum with value +infinity over the empty set, is nonincreasing in mu",
        differs=f"the print says increasing; {_FINITE}",
        claims=("kinf.monotone.corrected",),
    ),
    Theorem(
        name="binary_kl_at_least_p_log",
        file="BinaryDivergence.v",
        lines="l.518-521",
        says="kl(p, q) >= p ln(1/q) - ln 2 for all p, q in [0, 1] for which kl is finite",
        differs="where kl is infinite nothing is to be shown",
        claims=("kl.log_lower_bound",),
    ),
    Theorem(
        name="binary_kl_at_least_one_minus_p_log",
        file="BinaryDivergence.v",
        lines="l.518-521",
        says="kl(p, q) >= (1-p) ln(1/(1-q)) - ln 2 for all p, q in [0, 1] for which kl is finite",
        differs="where kl is infinite nothing is to be shown",
        claims=("kl.log_lower_bound",),
    ),
    Theorem(
        name="binary_kl_grows_away_from_p",
        file="BinaryDivergence.v",
        lines="l.781",
        says="kl(p, q) <= kl(p, r) for 0 <= p <= q <= r < 1",
        differs="r = 1 is left out: there kl is infinite, or p = 1",
        claims=("scarce.kl_increasing",),
    ),
    Theorem(
        name="local_pinsker",
        file="BinaryDivergence.v",
        lines="l.781-784",
        says="kl(p, q) >= (q-p)^2/(2q) for 0 <= p <= q and 0 < q < 1",
        differs="q = 1 is left out: there kl is infinite",
        claims=("scarce.local_pinsker",),
    ),
    Theorem(
        name="expected_queries_are_at_most_expected_plays",
        file="Strategies.v",
        lines="l.268, l.317",
        says="E n^q_T(a) <= E n_T(a) for every strategy, instance, arm and T, so that lower bounds on queries bound "
        "plays",
        differs=_FINITE,
        claims=("lower.plays_too",),
    ),
    Theorem(
        name="divergence_of_histories_counts_queries",
        file="HistoryDivergence.v",
        lines="l.505-512",
        says=(
            "the divergence between the laws of the histories of T rounds under two instances is "
            "sum_a E_nu[n^q_T(a)] KL(nu_a, nu'_a), for every strategy and T"
        ),
        differs="the chain rule behind the inequality, which the paper cites; nu_a << nu'_a for every arm",
        claims=(),
    ),
    Theorem(
        name="information_bounds_the_binary_divergence",
        file="ChangeOfMeasure.v",
        lines="l.505-512",
        says=(
            "kl(E_nu Z, E_nu' Z) is finite and at most sum_a E_nu[n^q_T(a)] KL(nu_a, nu'_a), for every strategy, every T "
            "and every function Z of the history with values in [0, 1]"
        ),
        differs=f"{_FINITE}; nu_a << nu'_a for every arm (else KL is infinite); the seed drawn after the last round is "
        "not part of the history",
        claims=("kl.counts_inequality",),
    ),
    Theorem(
        name="consistent_strategies_rarely_play_suboptimal_arms",
        file="Consistency.v",
        lines="l.300-302",
        says=f"P(n_T(a) > eps T^alpha) tends to 0 for every suboptimal arm, eps > 0 and alpha in (0, 1], {_CONSISTENT}",
        differs="the print defines consistency without the expectation",
        claims=("consistency.definition.corrected",),
    ),
    Theorem(
        name="optimal_arms_get_almost_all_plays",
        file="Consistency.v",
        lines="l.642-647",
        says=f"the expected plays of the optimal arms over T tend to 1, {_CONSISTENT}",
        differs=_FINITE,
        claims=("lower.optimal_share_tends_to_one",),
    ),
    Theorem(
        name="the_unique_optimal_arm_gets_almost_all_plays",
        file="Consistency.v",
        lines="l.562-567",
        says=f"E n_T(a*)/T tends to 1 for a unique optimal arm, {_CONSISTENT}",
        differs=_FINITE,
        claims=("lower.optimal_share_tends_to_one",),
    ),
    Theorem(
        name="suboptimal_arms_are_queried_logarithmically",
        file="AsymptoticLowerBounds.v",
        lines="l.308",
        says=f"liminf E n^q_T(a)/ln T >= 1/Kinf+(nu_a, mu*, D) for every suboptimal arm, {_CONSISTENT}",
        differs=f"{_FINITE}; {_EVENTUALLY}",
        claims=("lower.suboptimal_arms",),
    ),
    Theorem(
        name="the_unique_optimal_arm_is_queried_logarithmically",
        file="AsymptoticLowerBounds.v",
        lines="l.309",
        says=(
            "liminf E n^q_T(a*)/ln T >= 1/Kinf-(nu_a*, mu_b, D) for a unique optimal arm and every other arm b, "
            f"{_CONSISTENT}"
        ),
        differs=f"{_FINITE}; mu^s is the largest mu_b; {_EVENTUALLY}",
        claims=("lower.unique_optimal_arm",),
    ),
    Theorem(
        name="a_pair_with_the_unique_optimal_arm_is_queried_logarithmically",
        file="AsymptoticLowerBounds.v",
        lines="l.309-313, l.591-601",
        says=(
            "liminf (E n^q_T(b) + E n^q_T(a*))/ln T >= 1/max{Kinf+(nu_b, mu, D), Kinf-(nu_a*, mu, D)} for a unique "
            f"optimal arm, every other arm b and every real mu, {_CONSISTENT}"
        ),
        differs=f"{_SUM}; {_FINITE}; mu is any number; {_EVENTUALLY}",
        claims=("lower.unique_pair.corrected", "lower.threshold_range.corrected"),
    ),
    Theorem(
        name="a_weighted_pair_with_the_unique_optimal_arm",
        file="AsymptoticLowerBounds.v",
        lines="l.603-611",
        says=(
            "if Kinf+(nu_b, mu, D) and Kinf-(nu_a*, mu, D) are finite, then for every M and d < 1 and all large T one "
            "of the "
            "two counts exceeds M ln T, or Kinf+ E n^q_T(b) + Kinf- E n^q_T(a*) >= d ln T, for a unique optimal arm and "
            f"every other arm b, {_CONSISTENT}"
        ),
        differs=f"{_SUM}; the convention 0 times infinity >= 1 is spelt out by M; {_FINITE}",
        claims=("lower.unique_pair_weighted.corrected",),
    ),
    Theorem(
        name="the_sum_of_the_liminfs_can_be_zero",
        file="CounterexampleUnique.v",
        lines="l.309-313",
        says=(
            "there are a family, a consistent strategy, an instance with a unique optimal arm and a threshold "
            "between the two means with Kinf+ = Kinf- = k positive and finite, while both limits inferior of E "
            "n^q_T(a)/ln T are 0: D = {Ber(1/4), Ber(3/4)}, and the strategy takes turns in querying"
        ),
        differs="the print asserts that the two limits inferior sum to at least 1/k",
        claims=(),
        refutes=("lower.unique_pair", "lower.unique_pair_weighted"),
    ),
    Theorem(
        name="with_several_optima_queries_are_super_logarithmic_if_means_can_fall",
        file="SeveralOptima.v",
        lines="l.314, l.655-658",
        says=(
            "with at least two optimal arms and Kinf-(nu_a, mu*, D) = 0 for all of them, their expected queries together "
            f"exceed every multiple of ln T for all large T, {_CONSISTENT}"
        ),
        differs=f"the sum over the optimal arms, where the print has one arm; {_FINITE}",
        claims=("lower.multiple_optimal.corrected",),
    ),
    Theorem(
        name="with_several_optima_queries_are_super_logarithmic_if_means_can_rise",
        file="SeveralOptima.v",
        lines="l.314, l.706-712",
        says=(
            "for two arms with Kinf+(nu_a, mu*, D) = Kinf+(nu_b, mu*, D) = 0, optimal or not, the expected queries of "
            "the "
            f"two together exceed every multiple of ln T for all large T, {_CONSISTENT}"
        ),
        differs=f"the sum of the two arms, where the print has one arm; {_FINITE}",
        claims=("lower.multiple_optimal.corrected",),
    ),
    Theorem(
        name="an_optimal_arm_that_can_move_both_ways_is_queried_super_logarithmically",
        file="SeveralOptima.v",
        lines="l.226, l.314",
        says=(
            "beside another optimal arm, an optimal arm with Kinf+(nu_a, mu*, D) = Kinf-(nu_a, mu*, D) = 0 is itself "
            f"queried more than every multiple of ln T for all large T, {_CONSISTENT}"
        ),
        differs=f"both Kinf are 0; {_FINITE}, while the table speaks of Gaussian arms",
        claims=("lower.multiple_optimal.corrected", "summary.several_optima"),
    ),
    Theorem(
        name="some_optimal_arm_is_queried_super_logarithmically_infinitely_often",
        file="SeveralOptima.v",
        lines="l.314",
        says=(f"under condition (1) some optimal arm has limsup E n^q_T(a)/ln T = +infinity, {_CONSISTENT}"),
        differs="limit superior, where the print has limit inferior",
        claims=(),
    ),
    Theorem(
        name="weighted_optimal_arms_are_queried_together",
        file="SeveralOptima.v",
        lines="l.659-663",
        says=(
            "with at least two optimal arms of finite Kinf-, for every M and d < 1 and all large T some optimal arm "
            "has more "
            f"than M ln T expected queries, or sum_a Kinf-_a E n^q_T(a) >= d ln T over the optimal arms, {_CONSISTENT}"
        ),
        differs=f"{_SUM}; the convention 0 times infinity >= 1 is spelt out by M; {_FINITE}",
        claims=("lower.multiple_weighted.corrected",),
    ),
    Theorem(
        name="two_weighted_arms_that_could_be_better",
        file="SeveralOptima.v",
        lines="l.712-716",
        says=(
            "for two arms of finite Kinf+ at mu*, for every M and d < 1 and all large T one of the two has more than "
            "M ln T "
            f"expected queries, or Kinf+_a E n^q_T(a) + Kinf+_b E n^q_T(b) >= d ln T, {_CONSISTENT}"
        ),
        differs=f"{_SUM}; the convention 0 times infinity >= 1 is spelt out by M; {_FINITE}",
        claims=("lower.multiple_weighted.corrected",),
    ),
    Theorem(
        name="no_optimal_arm_need_be_queried_super_logarithmically_if_means_can_fall",
        file="CounterexampleMultiple.v",
        lines="l.314, l.659-663",
        says=(
            "there are a family, a consistent strategy and an instance whose two arms are both optimal with Kinf- = 0, "
            "condition (1), while both limits inferior of E n^q_T(a)/ln T are 0: the strategy takes turns in querying"
        ),
        differs="the print asserts an optimal arm with infinite limit inferior",
        claims=(),
        refutes=("lower.multiple_optimal", "lower.multiple_weighted"),
    ),
    Theorem(
        name="no_optimal_arm_need_be_queried_super_logarithmically_if_means_can_rise",
        file="CounterexampleMultiple.v",
        lines="l.314, l.712-716",
        says=(
            "there are a family, a consistent strategy and an instance whose two arms are both optimal with Kinf+ = 0, "
            "condition (2), while both limits inferior of E n^q_T(a)/ln T are 0: the strategy takes turns in querying"
        ),
        differs="the print asserts an optimal arm with infinite limit inferior",
        claims=(),
        refutes=("lower.multiple_optimal", "lower.multiple_weighted"),
    ),
    Theorem(
        name="a_balancing_threshold_exists",
        file="BalancingThreshold.v",
        lines="l.319",
        says=(
            "for every family D and laws p, p' with E p < E p': if Kinf+(p, mu, D) and Kinf-(p', mu, D), with values in "
            "[0, +infinity], are continuous at every mu in [E p, E p'], and 0 at E p and at E p' respectively, they are "
            "equal at some mu_0 in [E p, E p'], and 1/max{Kinf+, Kinf-} is largest there among all thresholds"
        ),
        differs=f"the closed interval, where the print has the open one; {_FINITE}",
        claims=("lower.balancing_threshold",),
    ),
    Theorem(
        name="balancing_thresholds_lie_strictly_between",
        file="BalancingThreshold.v",
        lines="l.319",
        says=(
            "if all laws of D live on [0, 1] and Kinf+(p, E p, D) = Kinf-(p', E p', D) = 0 for p, p' in D with E p < E p', "
            "every mu_0 at which Kinf+(p, mu_0, D) = Kinf-(p', mu_0, D) lies strictly between E p and E p'"
        ),
        differs=f"rewards in [0, 1], which the print does not ask for here; {_FINITE}",
        claims=("lower.balancing_threshold", "lower.threshold_range.corrected"),
    ),
    Theorem(
        name="kinf_above_of_a_bernoulli_law",
        file="BernoulliThreshold.v",
        lines="l.287-294",
        says=(
            "in the family D of all laws on {0, 1}, Kinf+(Ber(a), mu, D) = kl(a, max{a, mu}) for mu < 1, which is 0 for "
            "mu <= a, and +infinity for mu >= 1, for every a in [0, 1] and every mu"
        ),
        differs="none",
        claims=("kinf.definition",),
    ),
    Theorem(
        name="kinf_below_of_a_bernoulli_law",
        file="BernoulliThreshold.v",
        lines="l.287-294",
        says=(
            "in the family D of all laws on {0, 1}, Kinf-(Ber(b), mu, D) = kl(b, min{b, mu}) for mu > 0, which is 0 for "
            "mu >= b, and +infinity for mu <= 0, for every b in [0, 1] and every mu"
        ),
        differs="none",
        claims=("kinf.definition",),
    ),
    Theorem(
        name="bernoulli_kinf_above_is_continuous",
        file="BernoulliThreshold.v",
        lines="l.319",
        says=(
            "the Kinf+ of Ber(a) in closed form, with values in [0, +infinity], is continuous at every mu, for every a in "
            "[0, 1)"
        ),
        differs="none",
        claims=(),
    ),
    Theorem(
        name="bernoulli_kinf_below_is_continuous",
        file="BernoulliThreshold.v",
        lines="l.319",
        says=(
            "the Kinf- of Ber(b) in closed form, with values in [0, +infinity], is continuous at every mu, for every b in "
            "(0, 1]"
        ),
        differs="none",
        claims=(),
    ),
    Theorem(
        name="the_balancing_threshold_of_bernoulli_laws",
        file="BernoulliThreshold.v",
        lines="l.319",
        says=(
            "in the family D of all laws on {0, 1}, for 0 <= a < b <= 1: Kinf+(Ber(a), mu, D) = Kinf-(Ber(b), mu, D) at "
            "mu_0 = 1/(1 + e^c) alone, where c = (h(a) - h(b))/(b - a) and h(x) = x ln x + (1 - x) ln(1 - x); there both "
            "are kl(a, mu_0) = kl(b, mu_0), a < mu_0 < b, and no threshold has a smaller max{Kinf+, Kinf-}"
        ),
        differs="the print has no closed form for Bernoulli arms",
        claims=("lower.balancing_threshold.bernoulli",),
    ),
    Theorem(
        name="logarithmic_queries_need_both_conditions_to_fail",
        file="SeveralOptima.v",
        lines="l.321",
        says=(
            "if the optimal arms, at least two, have at most C ln T expected queries together for infinitely many T, "
            "then "
            f"Kinf- is not 0 for some optimal arm and Kinf+ is 0 for at most one, {_CONSISTENT}"
        ),
        differs=_FINITE,
        claims=("lower.logarithmic_only_if",),
    ),
    Theorem(
        name="kinf_below_of_ber_x_is_zero",
        file="FamilyExample.v",
        lines="l.728-734",
        says="Kinf-(Ber(x), x, D1 u D2) = 0 for every x in (0, 1)",
        differs="none",
        claims=("lower.example_d1_d2",),
    ),
    Theorem(
        name="kinf_above_of_ber_x_is_infinite",
        file="FamilyExample.v",
        lines="l.728-736",
        says="Kinf+(Ber(x), x, D1 u D2) = +infinity for every x in (0, 1)",
        differs="none",
        claims=("lower.example_d1_d2",),
    ),
    Theorem(
        name="kinf_above_of_constant_x_is_zero",
        file="FamilyExample.v",
        lines="l.737-740",
        says="Kinf+(delta_x, x, D1 u D2) = 0 for every x in (0, 1)",
        differs="none",
        claims=("lower.example_d1_d2",),
    ),
    Theorem(
        name="kinf_below_of_constant_x_is_infinite",
        file="FamilyExample.v",
        lines="l.735-736",
        says="Kinf-(delta_x, x, D1 u D2) = +infinity for every x in (0, 1)",
        differs="none",
        claims=("lower.example_d1_d2",),
    ),
    Theorem(
        name="example_all_optimal_arms_in_D1",
        file="FamilyExample.v",
        lines="l.730-734",
        says=(
            "if at least two arms are optimal with mean x and all optimal arms are in D1, a consistent strategy "
            "queries them together more than every multiple of ln T for all large T"
        ),
        differs="the optimal arms together, where the print has at least one of them",
        claims=("lower.example_cases",),
    ),
    Theorem(
        name="example_one_optimal_arm_in_D2",
        file="FamilyExample.v",
        lines="l.735-736",
        says="with one optimal arm in D2 and the other optimal arms in D1, neither condition of part 3 holds",
        differs="that logarithmically many queries then suffice is not proved here",
        claims=("lower.example_cases",),
    ),
    Theorem(
        name="example_two_optimal_arms_in_D2",
        file="FamilyExample.v",
        lines="l.737-740",
        says=(
            "a consistent strategy queries any two optimal arms in D2 together more than every multiple of ln T for all "
            "large T"
        ),
        differs="any two together, where the print has all but a single arm",
        claims=("lower.example_cases",),
    ),
    Theorem(
        name="expected_regret_decomposes",
        file="QueryCosts.v",
        lines="l.270",
        says="Reg(T) = sum_a Delta_a E n_T(a) for every strategy, instance and T",
        differs=_FINITE,
        claims=("regret.decomposes",),
    ),
    Theorem(
        name="query_aware_regret_counts_queries",
        file="QueryCosts.v",
        lines="l.752-759",
        says="Reg^q(T) >= sum_a (Delta_a + c) E n^q_T(a) for every strategy, instance, T and price c",
        differs=_FINITE,
        claims=("costs.query_aware_regret",),
    ),
    Theorem(
        name="linear_queries_cost_linear_regret",
        file="QueryCosts.v",
        lines="l.325",
        says="if the expected queries are at least r T, then Reg^q(T) >= c r T, for every strategy, instance, T and c "
        ">= 0",
        differs=_FINITE,
        claims=("costs.any_price",),
    ),
    Theorem(
        name="sub_polynomial_regret_means_consistent",
        file="QueryCosts.v",
        lines="l.760",
        says="a strategy whose regret is o(T^alpha) for every alpha in (0, 1] on every instance of D is consistent on D",
        differs=_FINITE,
        claims=("costs.unique",),
    ),
    Theorem(
        name="query_aware_regret_is_at_least_logarithmic",
        file="QueryCosts.v",
        lines="l.762",
        says=(
            "Reg^q(T) >= (Delta_b + c) d ln T for all large T, every suboptimal arm b, every price c > 0 and every d "
            "below "
            f"1/Kinf+(nu_b, mu*, D), {_CONSISTENT}"
        ),
        differs=_FINITE,
        claims=("costs.unique",),
    ),
    Theorem(
        name="no_logarithmic_query_aware_regret_if_means_can_fall",
        file="QueryCosts.v",
        lines="l.764",
        says=(
            "under condition (1) of part 3 and a price c > 0, Reg^q(T) exceeds every multiple of ln T for all large T, "
            f"{_CONSISTENT}"
        ),
        differs=_FINITE,
        claims=("costs.no_logarithmic_regret",),
    ),
    Theorem(
        name="no_logarithmic_query_aware_regret_if_means_can_rise",
        file="QueryCosts.v",
        lines="l.764",
        says=(
            "under condition (2) of part 3 and a price c > 0, Reg^q(T) exceeds every multiple of ln T for all large T, "
            f"{_CONSISTENT}"
        ),
        differs=_FINITE,
        claims=("costs.no_logarithmic_regret",),
    ),
    Theorem(
        name="few_queries_mean_many_plays",
        file="ScarceQueries.v",
        lines="l.333-338",
        says=(
            "E n_T(a) >= (T/K)(1 - sqrt(2 min{K E n^q_T(a), T} Kinf+(nu_a, mu*, D))) for every T >= 1 and every arm "
            "of finite "
            f"Kinf+, {_UNIFORM}"
        ),
        differs=f"{_FINITE}; for Kinf+ = +infinity the right side is 0 by definition",
        claims=("scarce.linear_regret",),
    ),
    Theorem(
        name="very_few_queries_mean_linear_plays",
        file="ScarceQueries.v",
        lines="l.339",
        says=f"if 8 K Kinf+ E n^q_T(a) <= 1 then E n_T(a) >= T/(2K), for every T >= 1 and arm of finite Kinf+, "
        f"{_UNIFORM}",
        differs=f"{_FINITE}; Kinf+ = 0 is included",
        claims=("scarce.linear_regret",),
    ),
    Theorem(
        name="scarce_queries_cost_regret",
        file="ScarceQueries.v",
        lines="l.343-350",
        says=(
            "Reg(T) >= sum_a Delta_a/(2K) B_a^-1(1/(8 K Kinf+_a)) for every T that is at least all these inverses, "
            "for any B_a "
            f"with E n^q_t(a) <= B_a(t), {_UNIFORM}"
        ),
        differs=f"{_FINITE}; arms of infinite Kinf+ contribute 0, also where B_a(t) = 0; B_a need not be monotone or "
        f"positive",
        claims=("scarce.corollary.corrected", "scarce.remark_budgets"),
    ),
    Theorem(
        name="polynomial_profiles_cost_regret",
        file="ScarceQueries.v",
        lines="l.361",
        says=(
            "if E n^q_t(a) <= t^alpha/K, then Reg(T) >= sum_a Delta_a/(2K) n_a for all whole n_a <= "
            f"(8 Kinf+_a)^(-1/alpha), n_a <= T and alpha > 0, {_UNIFORM}"
        ),
        differs="Kinf+ in place of the Gaussian Delta_a^2/2, so it settles no claim about Gaussian arms",
        claims=(),
    ),
    Theorem(
        name="poly_logarithmic_profiles_cost_regret",
        file="ScarceQueries.v",
        lines="l.362",
        says=(
            "if E n^q_t(a) <= (ln t)^alpha/K for t >= 2, then Reg(T) >= sum_a Delta_a/(2K) n_a for all whole n_a from "
            "2 to "
            f"exp((8 Kinf+_a)^(-1/alpha)), n_a <= T and alpha > 0, {_UNIFORM}"
        ),
        differs="the constant stays in the exponent; Kinf+ in place of the Gaussian Delta_a^2/2",
        claims=(),
    ),
    Theorem(
        name="logarithmic_profiles_cost_regret",
        file="ScarceQueries.v",
        lines="l.363",
        says=(
            "if E n^q_t(a) <= r_a ln t, then Reg(T) >= sum_a Delta_a/(2K) n_a for all whole n_a from 1 to T with "
            f"8 K Kinf+_a r_a ln n_a <= 1, {_UNIFORM}"
        ),
        differs="Kinf+ in place of the Gaussian Delta_a^2/2, so it settles no claim about Gaussian arms",
        claims=(),
    ),
    Theorem(
        name="tape_and_fresh_draws_have_the_same_law",
        file="RewardTape.v",
        lines="l.268, l.1149",
        says=(
            "for every strategy, instance, T and function f of the history, the expectation of f where the k-th "
            "query of arm a reads X_a(k) from a table of independent columns equals that where every query draws "
            "afresh from nu_a"
        ),
        differs=_FINITE,
        claims=("tape.same_law",),
    ),
)

"""The Coq theorems about one round, one path, and any regular intervals."""

from __future__ import annotations

from bufalu.properties.coq.theorem import Theorem

_ONE_ROUND = "for every K, every tie-break and all intervals, infinite ones included"

THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        name="a_queried_arm_is_wider_than_epsilon",
        file="GapQuery.v",
        lines="l.877 (i)",
        says=f"a queried arm is wider than epsilon, {_ONE_ROUND}",
        differs="regularity and epsilon >= 0 are not needed",
        claims=("gap_query.queried_is_wide",),
    ),
    Theorem(
        name="an_unqueried_arm_is_within_epsilon_of_the_best",
        file="GapQuery.v",
        lines="l.877 (ii)",
        says=f"if every mean lies in its interval, an arm played without a query has gap at most epsilon, {_ONE_ROUND}",
        differs="the good event is replaced by what it implies",
        claims=("gap_query.unqueried_is_near_optimal",),
    ),
    Theorem(
        name="case_ii_a_suboptimal_leader_is_as_wide_as_its_gap",
        file="Cases.v",
        lines="l.968",
        says=f"case (ii): a suboptimal leader that is the candidate is at least as wide as its gap, {_ONE_ROUND}",
        differs="none",
        claims=("count.case_leader",),
    ),
    Theorem(
        name="case_iii_with_several_optima_a_challenger_is_as_wide_as_its_gap",
        file="Cases.v",
        lines="l.979",
        says=f"case (iii): with several optimal arms a challenger is at least as wide as its gap, {_ONE_ROUND}",
        differs="none",
        claims=("count.case_challenger_multiple",),
    ),
    Theorem(
        name="case_iv_a_queried_suboptimal_arm_is_as_wide_as_half_its_gap",
        file="Cases.v",
        lines="l.990",
        says=f"cases (ii) and (iv): a queried suboptimal arm is at least as wide as half its gap, {_ONE_ROUND}",
        differs="uniqueness of the optimal arm is not needed",
        claims=("count.case_challenger_unique",),
    ),
    Theorem(
        name="case_v_a_queried_unique_optimal_arm_is_as_wide_as_half_the_smallest_gap",
        file="Cases.v",
        lines="l.1010",
        says=f"case (v): a queried unique optimal arm is at least as wide as half the smallest gap, {_ONE_ROUND}",
        differs="any lower bound of the other gaps will do, so K = 1 is included",
        claims=("count.case_optimal_unique",),
    ),
    Theorem(
        name="a_queried_suboptimal_arm_is_wider_than_half_of_gap_plus_epsilon",
        file="Cases.v",
        lines="beyond the paper; compare l.965-1020",
        says=f"a queried suboptimal arm is wider than (gap + epsilon)/2, {_ONE_ROUND}",
        differs="not in the paper",
        claims=("theorem.sharper",),
    ),
    Theorem(
        name="queries_never_exceed_the_cap",
        file="Runs.v",
        lines="l.421, l.856",
        says="n^q_T(a) <= max_t N(t, epsilon(t)) + 1 on every path, for every K, T, tie-break and epsilon, adaptive "
        "included",
        differs="for any N(t, mu) whose excess makes intervals narrower than mu; its conventions at mu = 0 are not needed",
        claims=("cap.almost_sure", "theorem.general"),
    ),
    Theorem(
        name="good_queries_are_few",
        file="Levels.v",
        lines="l.946-951",
        says=(
            "on every path, good rounds that query an arm number at most N-bar + 1, for every width that a queried "
            "arm must have"
        ),
        differs="one statement for the levels of all five cases",
        claims=("count.queried",),
    ),
    Theorem(
        name="good_unqueried_plays_are_few",
        file="Levels.v",
        lines="l.938-945",
        says="on every path, good rounds that play an arm without a query number at most L_epsilon(T, gap)",
        differs="L counts rounds after K only, which is at most the printed count",
        claims=("count.unqueried",),
    ),
    Theorem(
        name="general_part_2_regret_with_several_optima",
        file="GeneralTheorem.v",
        lines="l.857-861",
        says="the general regret bound with several optimal arms, for any regular intervals and any expectation (a "
        "positive linear normalised functional on all real functions, so rewards of finite support), adaptive epsilon "
        "included",
        differs="N_a^g is given for all mu >= 0; predictability is not needed; adaptive epsilon adds expectations",
        claims=("theorem.multiple.regret", "theorem.adaptive_epsilon", "theorem.general"),
    ),
    Theorem(
        name="general_part_2_queries_with_several_optima",
        file="GeneralTheorem.v",
        lines="l.857-861",
        says="the general query bound with several optimal arms, under the same hypotheses",
        differs="as for the regret",
        claims=("theorem.multiple.queries", "theorem.adaptive_epsilon", "theorem.general"),
    ),
    Theorem(
        name="general_part_3_regret",
        file="GeneralTheorem.v",
        lines="l.862-866",
        says="the general regret bound at half the gap, under the same hypotheses",
        differs="uniqueness of the optimal arm is not needed",
        claims=("theorem.unique.regret", "theorem.adaptive_epsilon", "theorem.general"),
    ),
    Theorem(
        name="general_part_3_queries_with_a_unique_optimum",
        file="GeneralTheorem.v",
        lines="l.862-866",
        says="the general query bound with a unique optimal arm, under the same hypotheses",
        differs="any lower bound of the other gaps may stand for the smallest gap",
        claims=("theorem.unique.queries", "theorem.adaptive_epsilon", "theorem.general"),
    ),
    Theorem(
        name="general_query_costs_with_a_unique_optimum",
        file="GeneralTheorem.v",
        lines="l.268",
        says="the general query bound when a query of arm a costs c_a >= 0 and the optimal arm is unique, under the same "
        "hypotheses",
        differs="finite support; the print announces the extension without stating it",
        claims=("costs.arm_dependent",),
    ),
    Theorem(
        name="general_query_costs_with_several_optima",
        file="GeneralTheorem.v",
        lines="l.268",
        says="the general query bound when a query of arm a costs c_a >= 0 and there are several optimal arms, under the "
        "same hypotheses",
        differs="finite support; the print announces the extension without stating it",
        claims=("costs.arm_dependent",),
    ),
    Theorem(
        name="regret_decomposes_over_the_arms",
        file="Setting.v",
        lines="l.270",
        says="the regret is the sum over the arms of gap times expected plays, for every strategy and every expectation "
        "of all real functions",
        differs="finite support, by the kind of expectation",
        claims=("regret.decomposes",),
    ),
    Theorem(
        name="all_queries_are_at_most_the_horizon",
        file="Setting.v",
        lines="l.268",
        says="for every strategy, queries of an arm are at most its plays, plays sum to T, all queries are at most T",
        differs="none",
        claims=("counts.queries_at_most_plays",),
    ),
    Theorem(
        name="the_gap_is_at_most_the_largest_upper_bound_minus_the_lower",
        file="Setting.v",
        lines="l.394-397",
        says="if every mean lies in its interval, a gap is at most the largest UCB minus the arm's LCB",
        differs="for finite ends",
        claims=("gap.ucb_minus_lcb",),
    ),
    Theorem(
        name="the_gap_of_an_arm_with_the_largest_upper_bound_is_at_most_its_width",
        file="Setting.v",
        lines="l.398",
        says="if every mean lies in its interval, the gap of an arm with the largest UCB is at most its width",
        differs="none",
        claims=("gap.width_of_largest_ucb",),
    ),
    Theorem(
        name="a_single_arm_is_queried_once",
        file="Setting.v",
        lines="l.371-389",
        says="a single arm is queried in round 1 and never again",
        differs="the convention that a maximum over no arms is -infinity",
        claims=("algorithm.one_arm.corrected",),
    ),
    Theorem(
        name="every_initial_round_is_a_query",
        file="Setting.v",
        lines="l.929",
        says="for T <= K there are T queries",
        differs="none",
        claims=("theorem.short_horizon",),
    ),
    Theorem(
        name="a_wide_epsilon_blocks_queries",
        file="Setting.v",
        lines="l.443",
        says=f"an arm not wider than epsilon is not queried, {_ONE_ROUND}",
        differs="none",
        claims=("epsilon.wide_blocks",),
    ),
    Theorem(
        name="large_epsilon_rounds_are_at_most_the_inverse",
        file="Setting.v",
        lines="l.413",
        says="L_epsilon(T, d) <= s whenever epsilon stays below d after round s, for every sequence",
        differs="monotonicity is not needed; equality for nonincreasing sequences is not treated",
        claims=("discussion.logarithmic_regret",),
    ),
)

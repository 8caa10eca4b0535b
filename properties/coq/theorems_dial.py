"""The Coq theorems about the dial between BuFALU and BuFAU (beyond the paper), and about which laws all of this covers."""

from __future__ import annotations

from bufalu.properties.coq.theorem import Theorem

_BEYOND = "not in the paper"
_ROUND = "for every rho, every K, every tie-break and all intervals, infinite ones included"
_TABLES = (
    "for every rho >= 0, K >= 1, T, reward laws of finite support on [0,1], nonnegative epsilon fixed in advance and "
    "every tie-break, in expectation over the product space of reward tables"
)

THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        name="the_dial_at_one_is_bufalu",
        file="Dial.v",
        lines="beyond the paper; compare l.371-389",
        says=(
            "at rho = 1 the dial admits exactly the decisions of BuFALU, if an interval that is unbounded below is "
            "unbounded above"
        ),
        differs=_BEYOND,
        claims=("dial.at_one_is_bufalu", "discussion.unique_logarithmic"),
    ),
    Theorem(
        name="the_dial_at_zero_is_bufau",
        file="Dial.v",
        lines="beyond the paper; compare l.1377-1394",
        says="at rho = 0 the dial admits exactly the decisions of BuFAU, for all intervals",
        differs=_BEYOND,
        claims=("dial.at_zero_is_bufau",),
    ),
    Theorem(
        name="the_dial_is_steered",
        file="Decision.v",
        lines="beyond the paper",
        says="every decision of the dial is one of the relation that the next five theorems are about",
        differs=_BEYOND,
        claims=(
            "dial.queried_is_wide",
            "dial.unqueried_is_near_optimal",
            "dial.width.suboptimal",
            "dial.width.several_optima",
            "dial.width.optimal",
            "dial.cap",
        ),
    ),
    Theorem(
        name="a_steered_queried_arm_is_wider_than_epsilon",
        file="GapQuery.v",
        lines="beyond the paper; compare l.877 (i)",
        says=f"a queried arm is wider than epsilon, {_ROUND}",
        differs=_BEYOND,
        claims=("dial.queried_is_wide",),
    ),
    Theorem(
        name="a_steered_unqueried_arm_is_within_epsilon_of_the_best",
        file="GapQuery.v",
        lines="beyond the paper; compare l.877 (ii)",
        says=f"if every mean lies in its interval, an arm played without a query has gap at most epsilon, {_ROUND}",
        differs=_BEYOND,
        claims=("dial.unqueried_is_near_optimal",),
    ),
    Theorem(
        name="a_steered_queried_suboptimal_arm_is_as_wide_as_its_share_of_the_gap",
        file="Cases.v",
        lines="beyond the paper; compare l.968, l.990",
        says=(
            "if every mean lies in its interval, a queried suboptimal arm is at least as wide as gap/(1 + rho), for "
            "rho >= 0"
        ),
        differs=_BEYOND,
        claims=("dial.width.suboptimal",),
    ),
    Theorem(
        name="a_steered_queried_suboptimal_arm_is_as_wide_as_the_sharper_level",
        file="Cases.v",
        lines="beyond the paper; compare l.968, l.990",
        says="if every mean lies in its interval, a queried suboptimal arm is at least as wide as the smaller of gap and "
        "(gap + epsilon)/(1 + rho)",
        differs=_BEYOND,
        claims=("dial.width.suboptimal",),
    ),
    Theorem(
        name="with_several_optima_a_steered_queried_arm_is_as_wide_as_its_gap",
        file="Cases.v",
        lines="beyond the paper; compare l.979",
        says=(
            "with several optimal arms and every mean in its interval, a queried arm is at least as wide as its gap, "
            f"{_ROUND}"
        ),
        differs=_BEYOND,
        claims=("dial.width.several_optima",),
    ),
    Theorem(
        name="a_steered_queried_unique_optimal_arm_is_as_wide_as_its_share_of_the_smallest_gap",
        file="Cases.v",
        lines="beyond the paper; compare l.1010",
        says=(
            "if every mean lies in its interval, a queried unique optimal arm is at least as wide as rho m/(1 + rho), "
            "where no other gap is below m, for rho >= 0"
        ),
        differs=_BEYOND,
        claims=("dial.width.optimal",),
    ),
    Theorem(
        name="steered_queries_never_exceed_the_cap",
        file="Runs.v",
        lines="beyond the paper; compare l.421, l.856",
        says=(
            "n^q_T(a) <= max_t N(t, epsilon(t)) + 1 on every path, for every rho, K, T, tie-break and epsilon, "
            "adaptive included"
        ),
        differs=_BEYOND,
        claims=("dial.cap",),
    ),
    Theorem(
        name="the_dial_with_regular_intervals",
        file="DialEndToEnd.v",
        lines="beyond the paper; compare l.846-868",
        says=(
            "the general theorem for the dial, all parts: any regular intervals, any rho >= 0, any nonnegative "
            "epsilon, adaptive included"
        ),
        differs=_BEYOND,
        claims=("dial.theorem.regular",),
    ),
    Theorem(
        name="the_dial_end_to_end",
        file="DialEndToEnd.v",
        lines="beyond the paper; compare l.417-433",
        says="the theorem for the dial with Hoeffding's intervals: the cap on every path, several optimal arms, regret at "
        f"gap/(1 + rho), queries at rho m/(1 + rho) for a unique optimal arm, {_TABLES}",
        differs=_BEYOND,
        claims=("dial.theorem.regret", "dial.theorem.queries", "dial.cap"),
    ),
    Theorem(
        name="the_sharper_dial_end_to_end",
        file="DialEndToEnd.v",
        lines="beyond the paper; compare l.417-433",
        says=f"the same with the smaller of gap and (gap + epsilon(t))/(1 + rho) for gap/(1 + rho), {_TABLES}",
        differs=_BEYOND,
        claims=("dial.theorem.sharper",),
    ),
    Theorem(
        name="the_dial_in_closed_form_end_to_end",
        file="DialEndToEnd.v",
        lines="beyond the paper; compare l.427-432 with l.1141",
        says="regret at most the sum of 6 (1 + rho)^2 ln T / gap + gap L(gap), plus 2 K Delta_max; for rho > 0 and a unique "
        "optimal arm queries at most the sum of 6 (1 + rho)^2 ln T / gap^2, plus 6 (1 + 1/rho)^2 ln T / m^2, plus 2K, "
        f"{_TABLES}",
        differs=_BEYOND,
        claims=("dial.theorem.regret", "dial.theorem.queries", "discussion.unique_logarithmic"),
    ),
    Theorem(
        name="the_problem_independent_dial_end_to_end",
        file="DialEndToEnd.v",
        lines="beyond the paper; compare l.435",
        says=f"regret at most 2 (1 + rho) sqrt(6 K T ln T) + the sum of epsilon after round K + 2 K Delta_max, {_TABLES}",
        differs=_BEYOND,
        claims=("dial.theorem.independent",),
    ),
    Theorem(
        name="the_query_costs_of_the_dial_end_to_end",
        file="DialEndToEnd.v",
        lines="beyond the paper; compare l.268",
        says=f"the bounds on queries when a query of arm a costs c_a >= 0, {_TABLES}",
        differs=_BEYOND,
        claims=("dial.theorem.costs",),
    ),
    Theorem(
        name="experiments_with_the_dial_exist",
        file="DialEndToEnd.v",
        lines="beyond the paper",
        says=(
            "for every rho, every formula for the intervals, every bandit of laws of finite support, horizon and "
            "nonnegative epsilon there are such runs: nothing above is vacuous"
        ),
        differs=_BEYOND,
        claims=("dial.theorem.regret", "dial.theorem.queries"),
    ),
    Theorem(
        name="the_dial_with_bernstein_intervals_end_to_end",
        file="DialBernstein.v",
        lines="beyond the paper; compare l.846-868 with l.1211-1236",
        says=f"the theorem for the dial with Bernstein's intervals, all parts, with K + C(T) = 3K, {_TABLES}",
        differs=_BEYOND,
        claims=("dial.theorem.bernstein",),
    ),
    Theorem(
        name="the_sharper_dial_with_bernstein_intervals_end_to_end",
        file="DialBernstein.v",
        lines="beyond the paper; compare l.846-868 with l.1211-1236",
        says=f"the same with the smaller of gap and (gap + epsilon(t))/(1 + rho) for gap/(1 + rho), {_TABLES}",
        differs=_BEYOND,
        claims=("dial.theorem.bernstein",),
    ),
    Theorem(
        name="the_best_dial_for_a_price",
        file="BestDial.v",
        lines="beyond the paper",
        says=(
            "for A, B > 0, A (1 + rho)^2 + B (1 + 1/rho)^2 is least over rho > 0 at (B/A)^(1/3), and over (0,1] at "
            "the smaller of that and 1"
        ),
        differs=_BEYOND,
        claims=("dial.best_position",),
    ),
    Theorem(
        name="the_best_dial_for_queries_needs_no_gap",
        file="BestDial.v",
        lines="beyond the paper",
        says="with A = n/d^2 and B = 1/d^2 the best rho is n^(-1/3), whatever d",
        differs=_BEYOND,
        claims=("dial.best_position",),
    ),
    Theorem(
        name="query_costs_end_to_end",
        file="EndToEnd.v",
        lines="l.268",
        says="every bound on BuFALU's queries when a query of arm a costs c_a >= 0, for laws of finite support on [0,1]",
        differs="the print announces the extension without stating it",
        claims=("costs.arm_dependent",),
    ),
    Theorem(
        name="n_bar_at_zero_is_the_cap",
        file="ClosedForms.v",
        lines="l.1141",
        says="N-bar(T, 0) of Hoeffding's intervals is max_t N(t, epsilon(t)) for every nonnegative epsilon",
        differs="none",
        claims=("regular.hoeffding.n_bar_at_zero",),
    ),
    Theorem(
        name="the_smaller_of_both_numbers_suffices",
        file="Experiment.v",
        lines="l.843",
        says="regular intervals stay regular when N_a^g is replaced by the smaller of N_a^g and N^as",
        differs="none",
        claims=("regular.smaller_number",),
    ),
    Theorem(
        name="only_finite_support",
        file="FiniteSupport.v",
        lines="not a statement of the paper",
        says=(
            "under an expectation that is linear and positive on all real functions, every reward in [0,1] takes "
            "almost surely one of finitely many values: this is all that theorems about such expectations cover"
        ),
        differs="not a statement of the paper",
        claims=(),
    ),
)

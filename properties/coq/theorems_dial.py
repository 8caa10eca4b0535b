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
        "the_dial_at_one_is_bufalu",
        "Dial.v",
        "beyond the paper; compare l.371-389",
        "at rho = 1 the dial admits exactly the decisions of BuFALU, if an interval that is unbounded below is unbounded "
        "above",
        _BEYOND,
        (),
        main=True,
    ),
    Theorem(
        "the_dial_at_zero_is_bufau",
        "Dial.v",
        "beyond the paper; compare l.1377-1394",
        "at rho = 0 the dial admits exactly the decisions of BuFAU, for all intervals",
        _BEYOND,
        (),
        main=True,
    ),
    Theorem(
        "the_dial_is_steered",
        "Decision.v",
        "beyond the paper",
        "every decision of the dial is one of the relation that the next five theorems are about",
        _BEYOND,
        (),
    ),
    Theorem(
        "a_steered_queried_arm_is_wider_than_epsilon",
        "GapQuery.v",
        "beyond the paper; compare l.877 (i)",
        f"a queried arm is wider than epsilon, {_ROUND}",
        _BEYOND,
        (),
    ),
    Theorem(
        "a_steered_unqueried_arm_is_within_epsilon_of_the_best",
        "GapQuery.v",
        "beyond the paper; compare l.877 (ii)",
        f"if every mean lies in its interval, an arm played without a query has gap at most epsilon, {_ROUND}",
        _BEYOND,
        (),
    ),
    Theorem(
        "a_steered_queried_suboptimal_arm_is_as_wide_as_its_share_of_the_gap",
        "Cases.v",
        "beyond the paper; compare l.968, l.990",
        "if every mean lies in its interval, a queried suboptimal arm is at least as wide as gap/(1 + rho), for rho >= 0",
        _BEYOND,
        (),
    ),
    Theorem(
        "a_steered_queried_suboptimal_arm_is_as_wide_as_the_sharper_level",
        "Cases.v",
        "beyond the paper; compare l.968, l.990",
        "if every mean lies in its interval, a queried suboptimal arm is at least as wide as the smaller of gap and "
        "(gap + epsilon)/(1 + rho)",
        _BEYOND,
        (),
    ),
    Theorem(
        "with_several_optima_a_steered_queried_arm_is_as_wide_as_its_gap",
        "Cases.v",
        "beyond the paper; compare l.979",
        f"with several optimal arms and every mean in its interval, a queried arm is at least as wide as its gap, {_ROUND}",
        _BEYOND,
        (),
    ),
    Theorem(
        "a_steered_queried_unique_optimal_arm_is_as_wide_as_its_share_of_the_smallest_gap",
        "Cases.v",
        "beyond the paper; compare l.1010",
        "if every mean lies in its interval, a queried unique optimal arm is at least as wide as rho m/(1 + rho), where no "
        "other gap is below m, for rho >= 0",
        _BEYOND,
        (),
    ),
    Theorem(
        "steered_queries_never_exceed_the_cap",
        "Runs.v",
        "beyond the paper; compare l.421, l.856",
        "n^q_T(a) <= max_t N(t, epsilon(t)) + 1 on every path, for every rho, K, T, tie-break and epsilon, adaptive included",
        _BEYOND,
        (),
    ),
    Theorem(
        "the_dial_with_regular_intervals",
        "DialEndToEnd.v",
        "beyond the paper; compare l.846-868",
        "the general theorem for the dial, all parts: any regular intervals, any rho >= 0, any nonnegative epsilon, adaptive "
        "included",
        _BEYOND,
        (),
        main=True,
    ),
    Theorem(
        "the_dial_end_to_end",
        "DialEndToEnd.v",
        "beyond the paper; compare l.417-433",
        "the theorem for the dial with Hoeffding's intervals: the cap on every path, several optimal arms, regret at "
        f"gap/(1 + rho), queries at rho m/(1 + rho) for a unique optimal arm, {_TABLES}",
        _BEYOND,
        (),
        main=True,
    ),
    Theorem(
        "the_sharper_dial_end_to_end",
        "DialEndToEnd.v",
        "beyond the paper; compare l.417-433",
        f"the same with the smaller of gap and (gap + epsilon(t))/(1 + rho) for gap/(1 + rho), {_TABLES}",
        _BEYOND,
        (),
        main=True,
    ),
    Theorem(
        "the_dial_in_closed_form_end_to_end",
        "DialEndToEnd.v",
        "beyond the paper; compare l.427-432 with l.1141",
        "regret at most the sum of 6 (1 + rho)^2 ln T / gap + gap L(gap), plus 2 K Delta_max; for rho > 0 and a unique "
        "optimal arm queries at most the sum of 6 (1 + rho)^2 ln T / gap^2, plus 6 (1 + 1/rho)^2 ln T / m^2, plus 2K, "
        f"{_TABLES}",
        _BEYOND,
        (),
        main=True,
    ),
    Theorem(
        "the_problem_independent_dial_end_to_end",
        "DialEndToEnd.v",
        "beyond the paper; compare l.435",
        f"regret at most 2 (1 + rho) sqrt(6 K T ln T) + the sum of epsilon after round K + 2 K Delta_max, {_TABLES}",
        _BEYOND,
        (),
        main=True,
    ),
    Theorem(
        "the_query_costs_of_the_dial_end_to_end",
        "DialEndToEnd.v",
        "beyond the paper; compare l.268",
        f"the bounds on queries when a query of arm a costs c_a >= 0, {_TABLES}",
        _BEYOND,
        (),
    ),
    Theorem(
        "experiments_with_the_dial_exist",
        "DialEndToEnd.v",
        "beyond the paper",
        "for every rho, every formula for the intervals, every bandit of laws of finite support, horizon and nonnegative "
        "epsilon there are such runs: nothing above is vacuous",
        _BEYOND,
        (),
        main=True,
    ),
    Theorem(
        "the_best_dial_for_a_price",
        "BestDial.v",
        "beyond the paper",
        "for A, B > 0, A (1 + rho)^2 + B (1 + 1/rho)^2 is least over rho > 0 at (B/A)^(1/3), and over (0,1] at the smaller "
        "of that and 1",
        _BEYOND,
        (),
        main=True,
    ),
    Theorem(
        "the_best_dial_for_queries_needs_no_gap",
        "BestDial.v",
        "beyond the paper",
        "with A = n/d^2 and B = 1/d^2 the best rho is n^(-1/3), whatever d",
        _BEYOND,
        (),
    ),
    Theorem(
        "query_costs_end_to_end",
        "EndToEnd.v",
        "l.268",
        "every bound on BuFALU's queries when a query of arm a costs c_a >= 0, for laws of finite support on [0,1]",
        "the print announces the extension without stating it",
        (),
        main=True,
    ),
    Theorem(
        "n_bar_at_zero_is_the_cap",
        "ClosedForms.v",
        "l.1141",
        "N-bar(T, 0) of Hoeffding's intervals is max_t N(t, epsilon(t)) for every nonnegative epsilon",
        "none",
        (),
    ),
    Theorem(
        "the_smaller_of_both_numbers_suffices",
        "Experiment.v",
        "l.843",
        "regular intervals stay regular when N_a^g is replaced by the smaller of N_a^g and N^as",
        "none",
        (),
    ),
    Theorem(
        "only_finite_support",
        "FiniteSupport.v",
        "not a statement of the paper",
        "under an expectation that is linear and positive on all real functions, every reward in [0,1] takes almost surely "
        "one of finitely many values: this is all that theorems about such expectations cover",
        "not a statement of the paper",
        (),
        main=True,
    ),
)

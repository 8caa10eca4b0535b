"""The theorems of the Coq development: what each one says, where the paper says it, for which claims it speaks."""

from __future__ import annotations

from dataclasses import dataclass

STANDARD_AXIOMS = frozenset(
    {
        "ClassicalDedekindReals.sig_not_dec",
        "ClassicalDedekindReals.sig_forall_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    }
)
"""The axioms behind Coq's own real numbers. No theorem may rest on anything else."""


@dataclass(frozen=True)
class Theorem:
    """A theorem of `proofs/`. `says` names quantifiers and hypotheses; `differs`, every difference from the print.

    The build prints what a main theorem rests on by itself, and what all others rest on together: asking takes Coq a
    second for each.
    """

    name: str
    file: str
    lines: str
    says: str
    differs: str
    claims: tuple[str, ...]
    main: bool = False


_ONE_ROUND = "for every K, every tie-break and all intervals, infinite ones included"
_END_TO_END = (
    "for every K >= 1, T, finite reward laws on [0,1], nonnegative epsilon fixed in advance and every tie-break, in "
    "expectation over the product space of reward tables"
)

THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "a_queried_arm_is_wider_than_epsilon",
        "GapQuery.v",
        "l.877 (i)",
        f"a queried arm is wider than epsilon, {_ONE_ROUND}",
        "regularity and epsilon >= 0 are not needed",
        ("gap_query.queried_is_wide",),
    ),
    Theorem(
        "an_unqueried_arm_is_within_epsilon_of_the_best",
        "GapQuery.v",
        "l.877 (ii)",
        f"if every mean lies in its interval, an arm played without a query has gap at most epsilon, {_ONE_ROUND}",
        "the good event is replaced by what it implies",
        ("gap_query.unqueried_is_near_optimal",),
    ),
    Theorem(
        "case_ii_a_suboptimal_leader_is_as_wide_as_its_gap",
        "Cases.v",
        "l.968",
        f"case (ii): a suboptimal leader that is the candidate is at least as wide as its gap, {_ONE_ROUND}",
        "none",
        ("count.case_leader",),
    ),
    Theorem(
        "case_iii_with_several_optima_a_challenger_is_as_wide_as_its_gap",
        "Cases.v",
        "l.979",
        f"case (iii): with several optimal arms a challenger is at least as wide as its gap, {_ONE_ROUND}",
        "none",
        ("count.case_challenger_multiple",),
    ),
    Theorem(
        "case_iv_a_queried_suboptimal_arm_is_as_wide_as_half_its_gap",
        "Cases.v",
        "l.990",
        f"cases (ii) and (iv): a queried suboptimal arm is at least as wide as half its gap, {_ONE_ROUND}",
        "uniqueness of the optimal arm is not needed",
        ("count.case_challenger_unique",),
    ),
    Theorem(
        "case_v_a_queried_unique_optimal_arm_is_as_wide_as_half_the_smallest_gap",
        "Cases.v",
        "l.1010",
        f"case (v): a queried unique optimal arm is at least as wide as half the smallest gap, {_ONE_ROUND}",
        "any lower bound of the other gaps will do, so K = 1 is included",
        ("count.case_optimal_unique",),
    ),
    Theorem(
        "a_queried_suboptimal_arm_is_wider_than_half_of_gap_plus_epsilon",
        "Cases.v",
        "beyond the paper; compare l.965-1020",
        f"a queried suboptimal arm is wider than (gap + epsilon)/2, {_ONE_ROUND}",
        "not in the paper",
        ("theorem.sharper",),
    ),
    Theorem(
        "queries_never_exceed_the_cap",
        "Runs.v",
        "l.421, l.856",
        "n^q_T(a) <= max_t N(t, epsilon(t)) + 1 on every path, for every K, T, tie-break and epsilon, adaptive "
        "included",
        "for any N(t, mu) whose excess makes intervals narrower than mu; its conventions at mu = 0 are not needed",
        ("cap.almost_sure",),
        main=True,
    ),
    Theorem(
        "good_queries_are_few",
        "GeneralTheorem.v",
        "l.946-951",
        "on every path, good rounds that query an arm number at most N-bar + 1, for every width that a "
        "queried arm must have",
        "one statement for the levels of all five cases",
        ("count.queried",),
    ),
    Theorem(
        "good_unqueried_plays_are_few",
        "GeneralTheorem.v",
        "l.938-945",
        "on every path, good rounds that play an arm without a query number at most L_epsilon(T, gap)",
        "L counts rounds after K only, which is at most the printed count",
        ("count.unqueried",),
    ),
    Theorem(
        "general_part_2_regret_with_several_optima",
        "GeneralTheorem.v",
        "l.857-861",
        "the general regret bound with several optimal arms, for any regular intervals and any expectation (a "
        "positive linear normalised functional), adaptive epsilon included",
        "N_a^g is given for all mu >= 0; predictability is not needed; adaptive epsilon adds expectations",
        ("theorem.multiple.regret", "theorem.adaptive_epsilon"),
    ),
    Theorem(
        "general_part_2_queries_with_several_optima",
        "GeneralTheorem.v",
        "l.857-861",
        "the general query bound with several optimal arms, under the same hypotheses",
        "as for the regret",
        ("theorem.multiple.queries", "theorem.adaptive_epsilon"),
    ),
    Theorem(
        "general_part_3_regret",
        "GeneralTheorem.v",
        "l.862-866",
        "the general regret bound at half the gap, under the same hypotheses",
        "uniqueness of the optimal arm is not needed",
        ("theorem.unique.regret", "theorem.adaptive_epsilon"),
    ),
    Theorem(
        "general_part_3_queries_with_a_unique_optimum",
        "GeneralTheorem.v",
        "l.862-866",
        "the general query bound with a unique optimal arm, under the same hypotheses",
        "any lower bound of the other gaps may stand for the smallest gap",
        ("theorem.unique.queries", "theorem.adaptive_epsilon"),
    ),
    Theorem(
        "general_query_costs_with_a_unique_optimum",
        "GeneralTheorem.v",
        "l.268",
        "the general query bound when a query of arm a costs c_a >= 0 (its companion treats several optimal arms)",
        "the print announces the extension without stating it",
        ("costs.arm_dependent",),
    ),
    Theorem(
        "regret_decomposes_over_the_arms",
        "Setting.v",
        "l.270",
        "the regret is the sum over the arms of gap times expected plays, for any expectation",
        "none",
        ("regret.decomposes",),
    ),
    Theorem(
        "all_queries_are_at_most_the_horizon",
        "Setting.v",
        "l.268",
        "queries of an arm are at most its plays, plays sum to T, hence all queries are at most T",
        "none",
        ("counts.queries_at_most_plays",),
    ),
    Theorem(
        "the_gap_is_at_most_the_largest_upper_bound_minus_the_lower",
        "Setting.v",
        "l.394-397",
        "if every mean lies in its interval, a gap is at most the largest UCB minus the arm's LCB",
        "for finite ends",
        ("gap.ucb_minus_lcb",),
    ),
    Theorem(
        "a_wide_epsilon_blocks_queries",
        "Setting.v",
        "l.443",
        f"an arm narrower than epsilon is not queried, {_ONE_ROUND}",
        "none",
        ("epsilon.wide_blocks",),
    ),
    Theorem(
        "large_epsilon_rounds_are_at_most_the_inverse",
        "Setting.v",
        "l.413",
        "L_epsilon(T, d) <= s whenever epsilon stays below d after round s, for every sequence",
        "monotonicity is not needed",
        ("l_epsilon.inverse",),
    ),
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
        "l.1134-1172",
        "the Hoeffding intervals satisfy the five conditions with C = K, for every run on a tape of rewards",
        "C = K is smaller than the printed 2K; the factor 2 missing at l.1158 is there",
        ("regular.hoeffding", "interval.hoeffding_width"),
    ),
    Theorem(
        "n_bar_is_at_most_six_log_over_square",
        "ClosedForms.v",
        "l.1141",
        "N-bar(T, mu) <= 6 ln T / mu^2 for every epsilon and mu > 0",
        "none",
        ("regular.hoeffding.closed_form",),
    ),
    Theorem(
        "n_bar_of_a_nonincreasing_epsilon",
        "ClosedForms.v",
        "l.416, l.1141",
        "for a nonincreasing epsilon the maximum in N-bar is attained at T",
        "epsilon(T) where the print has epsilon(t); the capped form",
        ("n_bar.closed_form",),
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
        "a_budget_is_exceeded_by_at_most_K",
        "MainTheorem.v",
        "l.416, l.441",
        "with the schedule of a nondecreasing total budget B there are at most B(T) + K queries on every path",
        "l.416 says that the budget is never violated; the initial rounds and rounding cost K",
        ("discussion.total_budget",),
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
        ("independent.hoeffding", "independent.sum_from_first_round.corrected"),
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
        ("theorem.multiple.regret", "theorem.unique.regret"),
        main=True,
    ),
    Theorem(
        "the_code_decides_as_the_relation",
        "Vectors.v",
        "l.371-389, l.403",
        "on every vector, the decisions of the Python reference are exactly those of the relation that "
        "the theorems are about",
        "rational intervals; listed cases only",
        ("gap_query.queried_is_wide", "gap_query.unqueried_is_near_optimal"),
        main=True,
    ),
)

EVERY_THEOREM = "every_theorem"
"""The Coq name of all theorems taken together."""


def assumptions_source() -> str:
    """The text of `proofs/Assumptions.v`: asks Coq what the theorems rest on."""
    files = sorted({theorem.file.removesuffix(".v") for theorem in THEOREMS})
    together = ",\n   ".join(f"@{theorem.name}" for theorem in THEOREMS)
    asked = [EVERY_THEOREM, *(theorem.name for theorem in THEOREMS if theorem.main)]
    return "\n".join(
        (
            "(** What the theorems rest on, all together and the main ones alone: the axioms of Coq's own reals.",
            "    Written by `python -m bufalu.properties.kernel_theorems`, never by hand. *)",
            "",
            f"From Bufalu Require Import {' '.join(files[:6])}",
            f"  {' '.join(files[6:])}.",
            "",
            f"Definition {EVERY_THEOREM} :=",
            f"  ({together}).",
            "",
            *(f"Print Assumptions {name}." for name in asked),
            "",
        )
    )


if __name__ == "__main__":
    print(assumptions_source(), end="")

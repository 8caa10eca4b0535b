"""Wrong claims: statements of the paper made too strong in one place. The check of the right one must refute each.

A check that cannot tell the claim from its mutant would accept the mutant's paper as well. The first mutants for each
check drop a hypothesis or change a constant; docs/mutants.md tells what the list teaches.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from bufalu.properties.mutants.refuting import (
    ClaimMutant,
    alone_at_the_top,
    bernstein_scenarios,
    beside_several,
    budget_for_one_arm_more,
    count_rises_with_level,
    free_adversaries,
    free_scenarios,
    gap_within_own_width,
    half,
    hoeffding_scenarios,
    inverse_equals_count,
    never,
    on_others,
    on_runs,
    one_case,
    one_less,
    peeking,
    queried_at_level,
    slightly_less,
    smaller_bernstein,
    smaller_hoeffding,
    suboptimal_beside_one,
    twice,
    unqueried_in_bad_rounds,
    with_epsilon,
    without_good_event,
)
from bufalu.properties.runs.budgets import (
    budget_scenarios,
    constant_budget_scenarios,
    each_arm_within_its_share,
    everything_is_queried,
    lavish_scenarios,
    on_scenario,
    queries_within_budget,
)
from bufalu.properties.runs.cap import (
    plays_and_queries_add_up,
    queries_stay_below,
    queries_stay_below_cap,
    queries_stay_below_recurrence,
)
from bufalu.properties.runs.cases import ProofCase, Shares, queried_width_exceeds_average
from bufalu.properties.runs.counts import QUERIED_COUNT, UNQUERIED_COUNT, over_corner_means, queried_rounds
from bufalu.properties.runs.dial import (
    dial_scenarios,
    optimal_has_its_share,
    suboptimal_has_its_gap,
    suboptimal_has_its_share,
)
from bufalu.properties.runs.gap_query import (
    candidate_blocked,
    free_epsilon_queries,
    queried_is_wide,
    unqueried_is_near_optimal,
)
from bufalu.properties.runs.kl_ucb_scenarios import kl_ucb_scenarios
from bufalu.properties.runs.metamorphic import (
    any_policy_scenarios,
    moved_epsilon_only_stops,
    tables,
    unqueried_rewards_do_not_matter,
)
from bufalu.properties.runs.sequences import budget_questions, earlier_counts_are_smaller, questions
from bufalu.properties.runs.strategies import adaptive_scenarios, separating_scenarios
from bufalu.properties.runs.thresholds import BernsteinCount, HoeffdingCount

LEMMA = (
    on_runs(
        "queried-is-twice-as-wide",
        "a queried arm's interval would be wider than twice epsilon",
        "gap_query.queried_is_wide",
        with_epsilon(queried_is_wide, twice),
    ),
    on_runs(
        "gap-below-epsilon",
        "an unqueried arm's gap would be below epsilon by 2^-40",
        "gap_query.unqueried_is_near_optimal",
        with_epsilon(unqueried_is_near_optimal, slightly_less),
    ),
    on_runs(
        "gap-at-most-half-epsilon",
        "an unqueried arm's gap would be at most half of epsilon",
        "gap_query.unqueried_is_near_optimal",
        with_epsilon(unqueried_is_near_optimal, half),
    ),
    on_runs(
        "gap-without-good-event",
        "an unqueried arm's gap would be at most epsilon without the good event",
        "gap_query.unqueried_is_near_optimal",
        without_good_event,
    ),
    on_runs(
        "gap-within-own-width",
        "every arm's gap would be at most its own width",
        "gap.ucb_minus_lcb",
        gap_within_own_width,
        separating_scenarios,
    ),
    on_runs(
        "half-width-blocks",
        "an epsilon of half the candidate's width would forbid the query",
        "epsilon.wide_blocks",
        with_epsilon(candidate_blocked, twice),
    ),
    on_runs(
        "zero-always-queries",
        "with epsilon = 0 every round would be queried, the separated leader's too",
        "epsilon.zero_never_blocks",
        never(free_epsilon_queries),
        separating_scenarios,
    ),
    on_runs(
        "lowering-epsilon-stops",
        "a smaller epsilon would never start a query",
        "metamorphic.raising_epsilon",
        partial(moved_epsilon_only_stops, step=Fraction(-1)),
        any_policy_scenarios,
    ),
)

CAPS = (
    on_runs(
        "fewer-queries-than-plays",
        "an arm would be queried less often than it is played",
        "counts.queries_at_most_plays",
        one_less(plays_and_queries_add_up),
    ),
    on_runs("cap-without-plus-one", "the cap without + 1", "cap.almost_sure", one_less(queries_stay_below_cap)),
    on_runs(
        "cap-of-five",
        "the cap with 5 ln t for 6 ln t",
        "cap.almost_sure",
        partial(queries_stay_below, sure=HoeffdingCount(5)),
        hoeffding_scenarios,
    ),
    on_runs(
        "hoeffding-cap-for-bernstein",
        "Hoeffding's cap for Bernstein's interval",
        "cap.almost_sure",
        partial(queries_stay_below, sure=HoeffdingCount()),
        bernstein_scenarios,
    ),
    on_runs(
        "bernstein-cap-of-thirteen",
        "Bernstein's cap with 13 ln t / epsilon for 28",
        "cap.almost_sure",
        partial(queries_stay_below, sure=BernsteinCount(linear=13)),
        bernstein_scenarios,
    ),
    on_runs(
        "recurrence-one-ahead",
        "the exact worst case stopping one query early",
        "cap.exact_recurrence",
        one_less(queries_stay_below_recurrence),
        hoeffding_scenarios,
    ),
    on_runs(
        "adaptive-cap-without-plus-one",
        "the cap without + 1 against an adversary",
        "adaptive.cap.almost_sure",
        one_less(queries_stay_below_cap),
        adaptive_scenarios,
    ),
    on_runs(
        "variant-queried-is-twice-as-wide",
        "with the interval of l.1644 a queried arm would be wider than twice epsilon",
        "kl_ucb.gap_query.queried_is_wide",
        with_epsilon(queried_is_wide, twice),
        kl_ucb_scenarios,
    ),
    on_runs(
        "variant-gap-at-most-half-epsilon",
        "with the interval of l.1644 an unqueried gap would be at most half of epsilon",
        "kl_ucb.gap_query.unqueried_is_near_optimal",
        with_epsilon(unqueried_is_near_optimal, half),
        kl_ucb_scenarios,
    ),
    on_runs(
        "variant-cap-without-plus-one",
        "the cap without + 1 with the interval of l.1644",
        "kl_ucb.cap.almost_sure",
        one_less(queries_stay_below_cap),
        kl_ucb_scenarios,
    ),
)

COUNTS = (
    on_runs(
        "l-epsilon-strict",
        "L_epsilon counting epsilon >= Delta + 2^-40 instead of epsilon >= Delta",
        "count.unqueried",
        with_epsilon(UNQUERIED_COUNT.examine, slightly_less),
        free_scenarios,
    ),
    on_runs(
        "unqueried-without-good-event",
        "L_epsilon bounding all unqueried rounds, not only the good ones",
        "count.unqueried",
        unqueried_in_bad_rounds,
        separating_scenarios,
    ),
    on_runs(
        "unqueried-strict-against-adversary",
        "L_epsilon counting epsilon >= Delta + 2^-40 against an adversary",
        "adaptive.count.unqueried",
        with_epsilon(UNQUERIED_COUNT.examine, slightly_less),
        free_adversaries,
    ),
    on_runs(
        "whole-gap-when-unique",
        "Delta_a for Delta_a / 2 when one arm is optimal",
        "count.queried",
        queried_at_level(2, suboptimal_beside_one),
        separating_scenarios,
    ),
    on_runs(
        "whole-smallest-gap-when-unique",
        "Delta_min for Delta_min / 2 for the unique optimal arm",
        "count.queried",
        queried_at_level(2, alone_at_the_top),
        separating_scenarios,
    ),
    on_runs(
        "twice-the-gap-when-multiple",
        "2 Delta_a for Delta_a when several arms are optimal",
        "count.queried",
        queried_at_level(2, beside_several),
        separating_scenarios,
    ),
    on_runs(
        "queried-without-plus-one",
        "the bound on queried rounds without + 1",
        "count.queried",
        one_less(QUERIED_COUNT.examine),
    ),
    on_runs(
        "one-for-six",
        "N_a^g with ln t for 6 ln t",
        "count.queried",
        over_corner_means(partial(queried_rounds, rule=smaller_hoeffding)),
        hoeffding_scenarios,
    ),
    on_runs(
        "six-for-fifty-two",
        "Bernstein's N_a^g with 6 ln t / mu for 52",
        "count.queried",
        over_corner_means(partial(queried_rounds, rule=smaller_bernstein)),
        bernstein_scenarios,
    ),
    on_runs(
        "queried-without-plus-one-against-adversary",
        "the bound on queried rounds without + 1 against an adversary",
        "adaptive.count.queried",
        one_less(QUERIED_COUNT.examine),
        adaptive_scenarios,
    ),
    on_runs(
        "leader-above-its-gap",
        "case (ii) with 11/10 of the gap",
        "count.case_leader",
        one_case(ProofCase.LEADER, Shares(leader=Fraction(11, 10))),
    ),
    on_runs(
        "challenger-above-its-gap",
        "case (iii) with 11/10 of the gap",
        "count.case_challenger_multiple",
        one_case(ProofCase.CHALLENGER_OF_MANY, Shares(challenger_of_many=Fraction(11, 10))),
    ),
    on_runs(
        "lone-challenger-whole-gap",
        "case (iv) with the whole gap",
        "count.case_challenger_unique",
        one_case(ProofCase.CHALLENGER_OF_ONE, Shares(challenger_of_one=1)),
    ),
    on_runs(
        "unique-best-whole-gap",
        "case (v) with the whole smallest gap",
        "count.case_optimal_unique",
        one_case(ProofCase.UNIQUE_BEST, Shares(unique_best=1)),
    ),
    on_runs(
        "sharper-than-true",
        "the sharper width with twice epsilon",
        "theorem.sharper",
        with_epsilon(queried_width_exceeds_average, twice),
    ),
)

SCHEDULES = (
    on_others(
        "l-epsilon-rises-with-level",
        "L_epsilon growing with Delta",
        "l_epsilon.definition",
        subjects=questions,
        examine=count_rises_with_level,
    ),
    on_others(
        "inverse-exact-for-all",
        "L_epsilon = epsilon^-1 for every sequence",
        "l_epsilon.inverse",
        subjects=questions,
        examine=inverse_equals_count,
    ),
    on_others(
        "closed-form-for-all",
        "the maximum in N-bar at T for every schedule",
        "n_bar.closed_form",
        subjects=questions,
        examine=earlier_counts_are_smaller,
    ),
    on_others(
        "budget-for-one-arm-more",
        "N-bar(T, 0) <= B(T) / (K + 1)",
        "n_bar.budget",
        subjects=budget_questions,
        examine=budget_for_one_arm_more,
    ),
    on_others(
        "budget-as-printed",
        "all queries within B(T), as printed (E13)",
        "budget_overdrawn",
        subjects=constant_budget_scenarios,
        examine=on_scenario(queries_within_budget),
    ),
    on_others(
        "budget-one-query-less",
        "each arm within max{1, ceil(B(T)/K)} - 1 queries",
        "budget.never_violated.corrected",
        subjects=budget_scenarios,
        examine=one_less(on_scenario(each_arm_within_its_share)),
    ),
    on_others(
        "lavish-by-less",
        "CBM querying every round already with B(t) = K (t - K)",
        "cbm.wastes",
        subjects=partial(lavish_scenarios, short_by=1),
        examine=everything_is_queried,
    ),
    on_others(
        "peeks-at-unqueried-rewards",
        "a player who uses unqueried rewards",
        "mean.ignores_unqueried",
        subjects=tables,
        examine=partial(unqueried_rewards_do_not_matter, make=peeking),
    ),
)

DIAL = (
    on_runs(
        "dial-queried-is-twice-as-wide",
        "an arm that the dial queries would be wider than twice epsilon",
        "dial.queried_is_wide",
        with_epsilon(queried_is_wide, twice),
        dial_scenarios,
    ),
    on_runs(
        "dial-gap-at-most-half-epsilon",
        "an arm that the dial plays without a query would have a gap of at most half of epsilon",
        "dial.unqueried_is_near_optimal",
        with_epsilon(unqueried_is_near_optimal, half),
        dial_scenarios,
    ),
    on_runs(
        "dial-suboptimal-as-wide-as-its-gap",
        "a queried suboptimal arm would be as wide as its gap at every position of the dial",
        "dial.width.suboptimal",
        partial(suboptimal_has_its_share, share=Fraction(1)),
        dial_scenarios,
    ),
    on_runs(
        "dial-two-optima-wider-than-the-gap",
        "with several optimal arms a queried arm would be as wide as 11/10 of its gap",
        "dial.width.several_optima",
        partial(suboptimal_has_its_gap, share=Fraction(11, 10)),
        dial_scenarios,
    ),
    on_runs(
        "dial-optimal-as-wide-as-half-the-gap",
        "a queried optimal arm would be as wide as half the smallest gap at every position of the dial",
        "dial.width.optimal",
        partial(optimal_has_its_share, share=Fraction(1, 2)),
        dial_scenarios,
    ),
    on_runs(
        "dial-cap-without-plus-one",
        "no arm would be queried by the dial more than N-bar^as(T) times",
        "dial.cap",
        one_less(queries_stay_below_cap),
        dial_scenarios,
    ),
)
"""Statements about the dial, made too strong."""

CLAIM_MUTANTS: tuple[ClaimMutant, ...] = LEMMA + CAPS + COUNTS + SCHEDULES + DIAL
"""Every wrong claim, in a stable order."""

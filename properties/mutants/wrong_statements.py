"""Wrong claims: statements of the paper made too strong in one place. The check of the right one must refute each.

A check that cannot tell the claim from its mutant would accept the mutant's paper as well. The first mutants for each
check drop a hypothesis or change a constant; docs/mutants.md tells what the list teaches.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from bufalu.properties.mutants.refuting import (
    ClaimMutant,
    bernstein_games,
    counting,
    free_adversaries,
    free_games,
    hoeffding_games,
    on_others,
    on_runs,
    one_case,
    peeking,
    smaller_bernstein,
    smaller_hoeffding,
    unqueried_in_any_world,
    without_good_event,
)
from bufalu.properties.runs.budgets import (
    BudgetBound,
    budget_games,
    constant_budget_games,
    everything_is_queried,
    lavish_games,
)
from bufalu.properties.runs.cap import (
    plays_and_queries_add_up,
    queries_stay_below_cap,
    queries_stay_below_recurrence,
)
from bufalu.properties.runs.cases import ProofCase, Shares, queried_width_exceeds_average
from bufalu.properties.runs.counts import (
    CountBounds,
)
from bufalu.properties.runs.games import play
from bufalu.properties.runs.gap_query import (
    candidate_blocked,
    free_epsilon_queries,
    gap_is_enclosed,
    queried_is_wide,
    unqueried_is_near_optimal,
)
from bufalu.properties.runs.kl_ucb_games import kl_ucb_games
from bufalu.properties.runs.metamorphic import (
    any_policy_games,
    raising_epsilon_only_stops,
    tables,
    unqueried_rewards_do_not_matter,
)
from bufalu.properties.runs.sequences import (
    budget_caps_n_bar,
    budget_questions,
    count_is_monotone,
    inverse_equals_count,
    maximum_is_last,
    questions,
)
from bufalu.properties.runs.strategies import adaptive_games, separating_games
from bufalu.properties.runs.thresholds import BernsteinCount, HoeffdingCount

LEMMA = (
    on_runs(
        "queried-is-twice-as-wide",
        "a queried arm's interval would be wider than twice epsilon",
        "gap_query.queried_is_wide",
        partial(queried_is_wide, factor=2),
    ),
    on_runs(
        "gap-below-epsilon",
        "an unqueried arm's gap would be strictly below epsilon",
        "gap_query.unqueried_is_near_optimal",
        partial(unqueried_is_near_optimal, strict=True),
    ),
    on_runs(
        "gap-at-most-half-epsilon",
        "an unqueried arm's gap would be at most half of epsilon",
        "gap_query.unqueried_is_near_optimal",
        partial(unqueried_is_near_optimal, factor=2),
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
        partial(gap_is_enclosed, own_bound=True),
        separating_games,
    ),
    on_runs(
        "half-width-blocks",
        "an epsilon of half the candidate's width would forbid the query",
        "epsilon.wide_blocks",
        partial(candidate_blocked, factor=Fraction(1, 2)),
    ),
    on_runs(
        "zero-always-queries",
        "with epsilon = 0 every round would be queried, the separated leader's too",
        "epsilon.zero_never_blocks",
        partial(free_epsilon_queries, always=True),
        separating_games,
    ),
    on_runs(
        "lowering-epsilon-stops",
        "a smaller epsilon would never start a query",
        "metamorphic.raising_epsilon",
        partial(raising_epsilon_only_stops, step=Fraction(-1)),
        any_policy_games,
    ),
)

CAPS = (
    on_runs(
        "fewer-queries-than-plays",
        "an arm would be queried less often than it is played",
        "counts.queries_at_most_plays",
        partial(plays_and_queries_add_up, fewer=1),
    ),
    on_runs(
        "cap-without-plus-one", "the cap without + 1", "cap.almost_sure", partial(queries_stay_below_cap, extra=0)
    ),
    on_runs(
        "cap-of-five",
        "the cap with 5 ln t for 6 ln t",
        "cap.almost_sure",
        partial(queries_stay_below_cap, rule=HoeffdingCount(5)),
        hoeffding_games,
    ),
    on_runs(
        "hoeffding-cap-for-bernstein",
        "Hoeffding's cap for Bernstein's interval",
        "cap.almost_sure",
        partial(queries_stay_below_cap, rule=HoeffdingCount()),
        bernstein_games,
    ),
    on_runs(
        "bernstein-cap-of-thirteen",
        "Bernstein's cap with 13 ln t / epsilon for 28",
        "cap.almost_sure",
        partial(queries_stay_below_cap, rule=BernsteinCount(linear=13)),
        bernstein_games,
    ),
    on_runs(
        "recurrence-one-ahead",
        "the exact worst case stopping one query early",
        "cap.exact_recurrence",
        partial(queries_stay_below_recurrence, ahead=1),
        hoeffding_games,
    ),
    on_runs(
        "adaptive-cap-without-plus-one",
        "the cap without + 1 against an adversary",
        "adaptive.cap.almost_sure",
        partial(queries_stay_below_cap, extra=0),
        adaptive_games,
    ),
    on_runs(
        "variant-queried-is-twice-as-wide",
        "with the interval of l.1644 a queried arm would be wider than twice epsilon",
        "kl_ucb.gap_query.queried_is_wide",
        partial(queried_is_wide, factor=2),
        kl_ucb_games,
    ),
    on_runs(
        "variant-gap-at-most-half-epsilon",
        "with the interval of l.1644 an unqueried gap would be at most half of epsilon",
        "kl_ucb.gap_query.unqueried_is_near_optimal",
        partial(unqueried_is_near_optimal, factor=2),
        kl_ucb_games,
    ),
    on_runs(
        "variant-cap-without-plus-one",
        "the cap without + 1 with the interval of l.1644",
        "kl_ucb.cap.almost_sure",
        partial(queries_stay_below_cap, extra=0),
        kl_ucb_games,
    ),
)

COUNTS = (
    on_runs(
        "l-epsilon-strict",
        "L_epsilon counting epsilon > Delta instead of epsilon >= Delta",
        "count.unqueried",
        counting(CountBounds(strictly_above=True), queried=False),
        free_games,
    ),
    on_runs(
        "unqueried-without-good-event",
        "L_epsilon bounding all unqueried rounds, not only the good ones",
        "count.unqueried",
        unqueried_in_any_world,
        separating_games,
    ),
    on_runs(
        "unqueried-strict-against-adversary",
        "L_epsilon counting epsilon > Delta against an adversary",
        "adaptive.count.unqueried",
        counting(CountBounds(strictly_above=True), queried=False),
        free_adversaries,
    ),
    on_runs(
        "whole-gap-when-unique",
        "Delta_a for Delta_a / 2 when one arm is optimal",
        "count.queried",
        counting(CountBounds(unique_share=1)),
        separating_games,
    ),
    on_runs(
        "whole-smallest-gap-when-unique",
        "Delta_min for Delta_min / 2 for the unique optimal arm",
        "count.queried",
        counting(CountBounds(best_share=1)),
        separating_games,
    ),
    on_runs(
        "twice-the-gap-when-multiple",
        "2 Delta_a for Delta_a when several arms are optimal",
        "count.queried",
        counting(CountBounds(multiple_share=2)),
        separating_games,
    ),
    on_runs(
        "queried-without-plus-one",
        "the bound on queried rounds without + 1",
        "count.queried",
        counting(CountBounds(extra=0)),
    ),
    on_runs(
        "one-for-six",
        "N_a^g with ln t for 6 ln t",
        "count.queried",
        counting(CountBounds(rule=smaller_hoeffding)),
        hoeffding_games,
    ),
    on_runs(
        "six-for-fifty-two",
        "Bernstein's N_a^g with 6 ln t / mu for 52",
        "count.queried",
        counting(CountBounds(rule=smaller_bernstein)),
        bernstein_games,
    ),
    on_runs(
        "queried-without-plus-one-against-adversary",
        "the bound on queried rounds without + 1 against an adversary",
        "adaptive.count.queried",
        counting(CountBounds(extra=0)),
        adaptive_games,
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
        "the sharper width with twice the gap",
        "theorem.sharper",
        partial(queried_width_exceeds_average, factor=2),
    ),
)

SCHEDULES = (
    on_others(
        "l-epsilon-rises-with-level",
        "L_epsilon growing with Delta",
        "l_epsilon.definition",
        subjects=questions,
        examine=partial(count_is_monotone, rises_with_level=True),
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
        examine=partial(maximum_is_last, any_schedule=True),
    ),
    on_others(
        "budget-for-one-arm-more",
        "N-bar(T, 0) <= B(T) / (K + 1)",
        "n_bar.budget",
        subjects=budget_questions,
        examine=partial(budget_caps_n_bar, arms_too_many=1),
    ),
    on_others(
        "budget-as-printed",
        "all queries within B(T), as printed (E13)",
        "budget_overdrawn",
        subjects=constant_budget_games,
        examine=lambda game: BudgetBound(printed=True).findings(game, play(game)),
    ),
    on_others(
        "budget-rounded-down",
        "each arm within floor(B(T)/K) queries",
        "budget.never_violated.corrected",
        subjects=budget_games,
        examine=lambda game: BudgetBound(rounded_up=False).findings(game, play(game)),
    ),
    on_others(
        "lavish-by-less",
        "CBM querying every round already with B(t) = K (t - K)",
        "cbm.wastes",
        subjects=partial(lavish_games, short_by=1),
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

CLAIM_MUTANTS: tuple[ClaimMutant, ...] = LEMMA + CAPS + COUNTS + SCHEDULES
"""Every wrong claim, in a stable order."""

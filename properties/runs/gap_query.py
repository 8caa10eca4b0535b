"""The gap-query lemma (l.877), the gap bound of l.396, and what epsilon = 0 and a wide epsilon do (l.443)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bufalu.properties.runs.examination import check_statement
from bufalu.properties.runs.observed_rounds import ObservedRound, Run, maximum
from bufalu.properties.runs.statements import Place, Statement, at_most
from bufalu.properties.runs.strategies import scenarios, separating_scenarios
from bufalu.properties.runs.worst_means import Intervals, corner_means
from bufalu.properties.runs.wrong import half, never, slightly_less, twice, with_epsilon, wrong
from bufalu.reference.comparisons import EveryTie
from bufalu.reference.exact import ONE, ZERO, Exact
from bufalu.reference.policies import BUFALU

ALL_BUT_GREEDY = frozenset({"bufalu", "bufau", "cbm-ucb"})


def box_is_bounded(situation: ObservedRound) -> bool:
    """Whether the intervals of all arms are finite, so that the good event says something of every mean."""
    return not any(situation.view.width(arm).is_infinite for arm in situation.arms)


def lowest_mean(situation: ObservedRound, arm: int, in_unit_interval: bool) -> Exact:
    """The smallest mean that the good event allows an arm, of rewards in [0, 1] if asked."""
    low = situation.view.lcb(arm)
    return ZERO if in_unit_interval and low < ZERO else low


def highest_mean(situation: ObservedRound, arm: int, in_unit_interval: bool) -> Exact:
    """The largest mean that the good event allows an arm, of rewards in [0, 1] if asked."""
    high = situation.view.ucb(arm)
    return ONE if in_unit_interval and high > ONE else high


def is_foreign(run: Run) -> bool:
    """Whether the policy is none of the paper's.

    The paper's lemmas do not need means in [0, 1], and are asked of the paper's policies for all means. Of another
    policy nothing is proved, and a case against it must be one that rewards in [0, 1] can have.
    """
    return not run.rule.ours


def queried_is_wide(run: Run) -> Iterator[Place]:
    """(i): q_t = 1 implies epsilon(t) < CI_t(a_t)."""
    for situation in run.situations:
        if situation.query:
            yield width_of_queried(situation)


def width_of_queried(situation: ObservedRound) -> Place:
    """(i) in one queried round."""
    width = situation.view.width(situation.arm)
    reason = f"round {situation.round} queried arm {situation.arm}: epsilon against its width"
    return at_most(situation.epsilon, width, situation.round, situation.arm, reason, strict=True)


def unqueried_is_near_optimal(run: Run) -> Iterator[Place]:
    """(ii): under the good event q_t = 0 implies Delta_{a_t} <= epsilon(t), at the worst means of the round's box.

    The gap is largest when the played arm is as bad and another arm as good as their intervals allow: a single corner
    decides all means at once. The lemma does not need means in [0, 1], so the corners are the interval ends, except
    for a foreign policy.
    """
    foreign = is_foreign(run)
    for situation in run.situations:
        if not situation.query:
            yield gap_of_unqueried(situation, foreign)


def gap_of_unqueried(situation: ObservedRound, foreign: bool = False) -> Place:
    """(ii) in one unqueried round."""
    worst = lowest_mean(situation, situation.arm, foreign)
    others = [arm for arm in situation.arms if arm != situation.arm]
    gap = maximum([ZERO, *(highest_mean(situation, arm, foreign) - worst for arm in others)])
    reason = f"round {situation.round} played arm {situation.arm} unqueried: its worst gap against epsilon"
    telling = len(situation.arms) > 1
    return at_most(gap, situation.epsilon, situation.round, situation.arm, reason, telling=telling)


def gap_is_enclosed(run: Run) -> Iterator[Place]:
    """l.396: in a good round Delta_a <= max UCB - LCB(a) for every arm, for means at corners of the run's boxes."""
    intervals = Intervals(run)
    for true_means in corner_means(intervals):
        for index, situation in enumerate(run.situations):
            if not intervals.good(index, true_means):
                continue
            bounds = intervals.bounds[index]
            top = maximum([high for _, high in bounds])
            for arm, (low, _) in zip(situation.arms, bounds, strict=True):
                reason = (
                    f"round {situation.round}, arm {arm}, means {true_means.text()}: its gap against max UCB - LCB"
                )
                gap = Exact.of(true_means.gap(arm))
                bound = top - low
                yield at_most(gap, bound, situation.round, arm, reason, telling=not bound.is_infinite)


def candidate_blocked(run: Run) -> Iterator[Place]:
    """l.443: epsilon(t) >= CI_t(c_t) forbids a query, for every choice of l_t, u_t, c_t."""
    for situation in run.situations:
        widths = candidate_widths(situation)
        if not widths or any(width.is_infinite for width in widths):
            continue
        level = maximum(widths)
        if situation.epsilon < level:
            continue
        reason = f"round {situation.round}: epsilon reaches the candidate's width, which must forbid the query"
        finding = at_most(ZERO, situation.epsilon - level, situation.round, situation.arm, reason)
        yield finding._replace(holds=not situation.query)


def free_epsilon_queries(run: Run) -> Iterator[Place]:
    """l.443: epsilon(t) = 0 forbids nothing: a round without a query has a separated leader, or widths of zero."""
    for situation in run.situations:
        if situation.epsilon.sign() != 0 or situation.query:
            continue
        separation = ZERO
        others = [situation.view.ucb(arm) for arm in situation.arms if arm != situation.arm]
        if others:
            separation = situation.view.lcb(situation.arm) - maximum(others)
        reason = f"round {situation.round}: epsilon is 0 and nothing was queried, so the leader must be separated"
        finding = at_most(ZERO, separation, situation.round, situation.arm, reason)
        excused = finding.holds or any(width.sign() == 0 for width in candidate_widths(situation))
        yield finding._replace(holds=excused, telling=len(others) > 0)


def candidate_widths(situation: ObservedRound) -> list[Exact]:
    """The widths of BuFALU's possible candidates; empty for a single arm."""
    view = situation.view
    return [view.width(candidate) for _, challenger, candidate in BUFALU.selections(view, EveryTie()) if challenger]


def without_good_event(run: Run) -> Iterator[Place]:
    """(ii) for all means in [0, 1]: an unqueried arm would never have a gap above epsilon."""
    for situation in run.situations:
        if not situation.query and run.arms > 1:
            holds = situation.epsilon >= ONE
            words = f"round {situation.round}: arm {situation.arm} may have mean 0 and another arm mean 1"
            yield Place(holds, 0.0, True, situation.round, situation.arm, partial(str, words))


def gap_within_own_width(run: Run) -> Iterator[Place]:
    """Every arm's gap would be at most its own width, not only that of the arm with the largest upper bound."""
    intervals = Intervals(run)
    for true_means in corner_means(intervals):
        for index, situation in enumerate(run.situations):
            if intervals.good(index, true_means):
                for arm, (low, high) in zip(situation.arms, intervals.bounds[index], strict=True):
                    reason = (
                        f"round {situation.round}, arm {arm}, means {true_means.text()}: its gap against its width"
                    )
                    yield at_most(Exact.of(true_means.gap(arm)), high - low, situation.round, arm, reason)


QUERIED_IS_WIDE = check_statement(
    Statement(
        "gap_query.queried_is_wide",
        ("gap_query.queried_is_wide",),
        "a queried arm's interval is wider than epsilon",
        queried_is_wide,
        ALL_BUT_GREEDY,
        steered=True,
    ),
    scenarios,
    60,
    mutants={"wider than twice epsilon": wrong(with_epsilon(queried_is_wide, twice))},
)
UNQUERIED_IS_NEAR_OPTIMAL = check_statement(
    Statement(
        "gap_query.unqueried_is_near_optimal",
        ("gap_query.unqueried_is_near_optimal",),
        "under the good event an arm played without a query has a gap of at most epsilon",
        unqueried_is_near_optimal,
        ALL_BUT_GREEDY,
        steered=True,
    ),
    scenarios,
    60,
    mutants={
        "a gap below epsilon by 2^-40": wrong(with_epsilon(unqueried_is_near_optimal, slightly_less)),
        "a gap of at most half of epsilon": wrong(with_epsilon(unqueried_is_near_optimal, half)),
        "without the good event": wrong(without_good_event),
    },
)
GAP_IS_ENCLOSED = check_statement(
    Statement(
        "gap.ucb_minus_lcb",
        ("gap.ucb_minus_lcb",),
        "under the good event a gap is at most the largest UCB minus the arm's LCB",
        gap_is_enclosed,
        frozenset({"bufalu", "bufau", "cbm-ucb", "greedy"}),
    ),
    scenarios,
    15,
    mutants={"a gap of at most the arm's own width": wrong(gap_within_own_width, separating_scenarios)},
)
WIDE_EPSILON_BLOCKS = check_statement(
    Statement(
        "epsilon.wide_blocks",
        ("epsilon.wide_blocks",),
        "an epsilon of at least the candidate's width forbids the query",
        candidate_blocked,
    ),
    scenarios,
    40,
    mutants={"half the candidate's width forbids the query": wrong(with_epsilon(candidate_blocked, twice))},
)
ZERO_EPSILON_IS_FREE = check_statement(
    Statement(
        "epsilon.zero_never_blocks",
        ("epsilon.zero_never_blocks",),
        "with epsilon = 0 only a separated leader goes unqueried",
        free_epsilon_queries,
    ),
    separating_scenarios,
    30,
    mutants={
        "every round is queried, the separated leader's too": wrong(never(free_epsilon_queries), separating_scenarios)
    },
)

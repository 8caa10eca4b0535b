"""The dial of docs/dial.md on runs, at several positions: the lemma, the widths of queried arms, and the cap."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from bufalu.properties.runs.cap import queries_stay_below_cap
from bufalu.properties.runs.cases import sorted_by_reach
from bufalu.properties.runs.examination import check_statement_about
from bufalu.properties.runs.gap_query import box_is_bounded, queried_is_wide, unqueried_is_near_optimal
from bufalu.properties.runs.observed_rounds import ObservedRound, Run, maximum
from bufalu.properties.runs.statements import Place, at_most
from bufalu.properties.runs.wrong import half, one_less, twice, with_epsilon
from bufalu.reference.exact import Exact

POSITIONS = ("dial:1/2", "dial:1/4", "dial:3/4", "dial:0", "dial:1")


def queried_rounds(run: Run) -> Iterator[ObservedRound]:
    """The queried rounds in which the good event says something of every mean, and there is another arm."""
    for situation in run.situations:
        if situation.query and run.arms > 1 and box_is_bounded(situation):
            yield situation


def suboptimal_has_its_share(run: Run, share: Fraction | None = None) -> Iterator[Place]:
    """min{Delta_a, (Delta_a + epsilon(t))/(1 + rho)} <= CI_t(a), at the worst means of the round's box.

    The gap is largest where the arm is as bad and another as good as their intervals allow, and the level rises with
    the gap: one corner decides. `share` takes the place of 1/(1 + rho).
    """
    factor = Exact.of(1 / (1 + Fraction(run.rule.steering or 0)) if share is None else share)
    for situation in queried_rounds(run):
        view, arm = situation.view, situation.arm
        gap = maximum([view.ucb(other) for other in situation.arms if other != arm]) - view.lcb(arm)
        if gap.sign() > 0:
            level = min(gap, factor * (gap + situation.epsilon))
            reason = f"round {situation.round}, arm {arm} queried by {run.policy}: needed width"
            yield at_most(level, view.width(arm), situation.round, arm, reason)


def suboptimal_has_its_gap(run: Run, share: Fraction = Fraction(1)) -> Iterator[Place]:
    """Delta_a <= CI_t(a) where two other arms can be optimal: their common mean is at most the second largest UCB."""
    for situation in queried_rounds(run):
        view, arm = situation.view, situation.arm
        others = [other for other in situation.arms if other != arm]
        if len(others) < 2:
            continue
        level = view.ucb(sorted_by_reach(situation, others)[1])
        if view.lcb(arm) < level and all(view.lcb(other) <= level for other in others):
            reason = f"round {situation.round}, arm {arm} queried by {run.policy}, two optima: needed width"
            needed = Exact.of(share) * (level - view.lcb(arm))
            yield at_most(needed, view.width(arm), situation.round, arm, reason)


def optimal_has_its_share(run: Run, share: Fraction | None = None) -> Iterator[Place]:
    """rho/(1 + rho) Delta_min <= CI_t(a*), where the queried arm is optimal and the others as bad as can be.

    `share` takes the place of rho/(1 + rho).
    """
    rho = Fraction(run.rule.steering or 0)
    factor = Exact.of(rho / (1 + rho) if share is None else share)
    for situation in queried_rounds(run):
        view, arm = situation.view, situation.arm
        ahead = view.ucb(arm) - maximum([view.lcb(other) for other in situation.arms if other != arm])
        if ahead.sign() > 0:
            reason = f"round {situation.round}, optimal arm {arm} queried by {run.policy}: needed width"
            yield at_most(factor * ahead, view.width(arm), situation.round, arm, reason, telling=factor.sign() > 0)


_statement = partial(check_statement_about, POSITIONS)

STATEMENTS = (
    _statement(
        "dial.queried_is_wide",
        "an arm that the dial queries is wider than epsilon",
        queried_is_wide,
        {"wider than twice epsilon": with_epsilon(queried_is_wide, twice)},
    ),
    _statement(
        "dial.unqueried_is_near_optimal",
        "under the good event an arm that the dial plays without a query has a gap of at most epsilon",
        unqueried_is_near_optimal,
        {"a gap of at most half of epsilon": with_epsilon(unqueried_is_near_optimal, half)},
    ),
    _statement(
        "dial.width.suboptimal",
        "a queried suboptimal arm is as wide as the smaller of gap and (gap + epsilon)/(1 + rho)",
        suboptimal_has_its_share,
        {"as wide as its gap at every position of the dial": partial(suboptimal_has_its_share, share=Fraction(1))},
    ),
    _statement(
        "dial.width.several_optima",
        "with several optimal arms a queried suboptimal arm is as wide as its gap",
        suboptimal_has_its_gap,
        {"as wide as 11/10 of its gap": partial(suboptimal_has_its_gap, share=Fraction(11, 10))},
    ),
    _statement(
        "dial.width.optimal",
        "a queried unique optimal arm is as wide as rho/(1 + rho) of the smallest gap",
        optimal_has_its_share,
        {
            "as wide as half the smallest gap at every position of the dial": partial(
                optimal_has_its_share, share=Fraction(1, 2)
            )
        },
    ),
    _statement(
        "dial.cap",
        "no arm is queried more than N-bar^as(T) + 1 times, on any path",
        queries_stay_below_cap,
        {"without + 1": one_less(queries_stay_below_cap)},
    ),
)
"""What docs/dial.md says of single rounds and runs."""

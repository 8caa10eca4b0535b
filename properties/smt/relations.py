"""The decision relations of the paper after the initial rounds, written as hypotheses for the solvers.

Any selection from an argmax is allowed. With one arm there is no challenger; then the leader is separated, and the
symbol `challenger` means nothing.
"""

from __future__ import annotations

from bufalu.properties.smt.intervals import (
    EPSILON,
    lcb_at_most,
    lies_below,
    no_wider,
    reach_at_most,
    reach_below,
    share_at_most_width,
    ucb_at_most,
    width_at_most,
    width_at_most_share,
    width_below,
)
from bufalu.properties.smt.lemma import Hypothesis
from bufalu.properties.smt.terms import Real, RealFunction, SolverArm, all_of, any_of, arm, for_all, real, truth

LEADER = arm("leader")
CHALLENGER = arm("challenger")
CANDIDATE = arm("candidate")
PLAYED = arm("played")
QUERIED = truth("queried")

ALONE = for_all(lambda a: a.equals(LEADER))
SEPARATED = any_of(ALONE, lies_below(CHALLENGER, LEADER))
WITHIN_EPSILON = reach_at_most(CANDIDATE, LEADER, EPSILON)
STRICTLY_WITHIN_EPSILON = reach_below(CANDIDATE, LEADER, EPSILON)

EMPIRICAL_MEAN = RealFunction("empirical_mean")
QUERIES = RealFunction("queries")
TO_LEADER = RealFunction("radius_to_leader")
"""The radius of an arm and of the leader together, any symmetric function of two arms."""

LEADER_RULE = Hypothesis(
    "the leader has the largest lower end",
    for_all(lambda a: lcb_at_most(a, LEADER)),
    (("only compared with the challenger", lcb_at_most(CHALLENGER, LEADER)),),
)
UNQUERIED_PLAYS_LEADER = Hypothesis("an unqueried round plays the leader", (~QUERIED).implies(PLAYED.equals(LEADER)))

_LEADER_AND_CHALLENGER = (
    LEADER_RULE,
    Hypothesis("the challenger is not the leader", any_of(ALONE, CHALLENGER.differs(LEADER))),
    Hypothesis(
        "the challenger has the largest upper end of the others",
        for_all(lambda a: a.differs(LEADER).implies(ucb_at_most(a, CHALLENGER))),
    ),
    Hypothesis(
        "the candidate is the leader or the challenger", CANDIDATE.equals(LEADER) | CANDIDATE.equals(CHALLENGER)
    ),
)
_QUERY_RULE = (
    Hypothesis("a separated leader is not queried", QUERIED.implies(~SEPARATED)),
    Hypothesis(
        "a candidate within epsilon is not queried",
        QUERIED.implies(~WITHIN_EPSILON),
        (("a candidate strictly within epsilon is not queried", QUERIED.implies(~STRICTLY_WITHIN_EPSILON)),),
    ),
    Hypothesis("an unqueried round is separated or within epsilon", (~QUERIED).implies(SEPARATED | WITHIN_EPSILON)),
    Hypothesis("a queried round plays the candidate", QUERIED.implies(PLAYED.equals(CANDIDATE))),
    UNQUERIED_PLAYS_LEADER,
)

BUFALU = (
    *_LEADER_AND_CHALLENGER,
    Hypothesis(
        "the candidate is the wider of the two",
        all_of(no_wider(LEADER, CANDIDATE), no_wider(CHALLENGER, CANDIDATE)),
    ),
    *_QUERY_RULE,
)


def dial(rho: Real) -> tuple[Hypothesis, ...]:
    """The dial of docs/dial.md at a position, a number or a symbol: BuFALU with another candidate."""
    leader_on_top = ucb_at_most(CHALLENGER, LEADER)
    challenger_on_top = ucb_at_most(LEADER, CHALLENGER)
    return (
        *_LEADER_AND_CHALLENGER,
        Hypothesis(
            "a leader is the candidate only if it is wide enough and on top",
            (CANDIDATE.equals(LEADER) & ~ALONE).implies(share_at_most_width(rho, CHALLENGER, LEADER) & leader_on_top),
        ),
        Hypothesis(
            "a challenger is the candidate only if the leader is narrow or the challenger is on top",
            (CANDIDATE.equals(CHALLENGER) & ~ALONE).implies(
                width_at_most_share(LEADER, rho, CHALLENGER) | challenger_on_top
            ),
        ),
        *_QUERY_RULE,
    )


_TOP = Hypothesis("the challenger has the largest upper end", for_all(lambda a: ucb_at_most(a, CHALLENGER)))
_LEADER_ABOVE_OTHERS = for_all(lambda a: a.differs(LEADER).implies(lies_below(a, LEADER)))
_TOP_WITHIN_EPSILON = reach_at_most(CHALLENGER, LEADER, EPSILON)

BUFAU = (
    LEADER_RULE,
    _TOP,
    Hypothesis("a separated leader is not queried", QUERIED.implies(~_LEADER_ABOVE_OTHERS)),
    Hypothesis(
        "a challenger within epsilon is not queried",
        QUERIED.implies(~_TOP_WITHIN_EPSILON),
        (
            (
                "a challenger strictly within epsilon is not queried",
                QUERIED.implies(~reach_below(CHALLENGER, LEADER, EPSILON)),
            ),
        ),
    ),
    Hypothesis(
        "an unqueried round is separated or within epsilon",
        (~QUERIED).implies(_LEADER_ABOVE_OTHERS | _TOP_WITHIN_EPSILON),
    ),
    Hypothesis("a queried round plays the challenger", QUERIED.implies(PLAYED.equals(CHALLENGER))),
    UNQUERIED_PLAYS_LEADER,
)

CBM_UCB = (
    _TOP,
    Hypothesis("every round plays the challenger", PLAYED.equals(CHALLENGER)),
    Hypothesis(
        "a challenger no wider than epsilon is not queried",
        QUERIED.implies(~width_at_most(CHALLENGER, EPSILON)),
        (
            (
                "a challenger narrower than epsilon is not queried",
                QUERIED.implies(~width_below(CHALLENGER, EPSILON)),
            ),
        ),
    ),
    Hypothesis(
        "an unqueried round has a challenger no wider than epsilon",
        (~QUERIED).implies(width_at_most(CHALLENGER, EPSILON)),
    ),
)

ALL_QUERIES = real("all_queries")
BUDGET = real("effective_budget")

GREEDY = (
    Hypothesis(
        "a queried round plays the largest upper end",
        QUERIED.implies(for_all(lambda a: ucb_at_most(a, PLAYED))),
    ),
    Hypothesis(
        "an unqueried round plays the largest empirical mean",
        (~QUERIED).implies(for_all(lambda a: EMPIRICAL_MEAN(a) <= EMPIRICAL_MEAN(PLAYED))),
    ),
    Hypothesis(
        "a round is unqueried exactly when the budget is finite and spent",
        (~QUERIED).iff((EPSILON > 0) & (ALL_QUERIES > BUDGET - 1)),
    ),
)


def pair_index(of: SolverArm) -> Real:
    """U_t of an arm beside the leader."""
    return EMPIRICAL_MEAN(of) - EMPIRICAL_MEAN(LEADER) + TO_LEADER(of)


_CHALLENGER_WITHIN_EPSILON = pair_index(CHALLENGER) <= EPSILON
PAIRS = (
    Hypothesis("the leader has the largest mean", for_all(lambda a: EMPIRICAL_MEAN(a) <= EMPIRICAL_MEAN(LEADER))),
    Hypothesis("the challenger is not the leader", any_of(ALONE, CHALLENGER.differs(LEADER))),
    Hypothesis(
        "the challenger has the largest index of the others",
        for_all(lambda a: a.differs(LEADER).implies(pair_index(a) <= pair_index(CHALLENGER))),
    ),
    Hypothesis("a challenger within epsilon is not queried", QUERIED.implies(~ALONE & ~_CHALLENGER_WITHIN_EPSILON)),
    Hypothesis("an unqueried round is within epsilon", (~QUERIED).implies(ALONE | _CHALLENGER_WITHIN_EPSILON)),
    Hypothesis(
        "a queried round plays leader or challenger",
        QUERIED.implies(PLAYED.equals(LEADER) | PLAYED.equals(CHALLENGER)),
    ),
    UNQUERIED_PLAYS_LEADER,
)


def turns(kappa: Real) -> tuple[Hypothesis, ...]:
    """Whom the pair rule queries: the leader while it has at most kappa times the challenger's queries, else the other."""
    share = kappa * QUERIES(CHALLENGER)
    return (
        Hypothesis(
            "the leader is queried while it is little known",
            (QUERIED & PLAYED.equals(LEADER)).implies(QUERIES(LEADER) <= share),
        ),
        Hypothesis(
            "the challenger is queried while it is little known",
            (QUERIED & PLAYED.equals(CHALLENGER)).implies(share <= QUERIES(LEADER)),
        ),
    )

"""One round of the pair rule (beyond the paper, docs/pairs.md) for every number of arms, kappa and spread at once.

The radius of two arms is any symmetric function: `radius_to_leader` and `radius_to_optimal` are its values beside those two.
What the radii then say of counts is arithmetic, which the kernel checks (proofs/PairRule.v).
"""

from __future__ import annotations

from bufalu.properties.smt.intervals import (
    EPSILON,
    GAPS_AT_LEAST_THE_SMALLEST,
    NONNEGATIVE_EPSILON,
    OPTIMAL,
    OPTIMUM,
    SECOND_OPTIMAL,
    SMALLEST_GAP,
    TWO_OPTIMA,
    UNIQUE_OPTIMUM,
    gap,
)
from bufalu.properties.smt.lemma import Hypothesis, Lemma
from bufalu.properties.smt.lemmas_bufalu import IS_NOT_QUERIED, IS_QUERIED, SUBOPTIMAL
from bufalu.properties.smt.relations import CHALLENGER, EMPIRICAL_MEAN, LEADER, PAIRS, PLAYED, TO_LEADER
from bufalu.properties.smt.terms import RealFunction, SolverArm, SolverTruth, any_of, for_all

TO_OPTIMAL = RealFunction("radius_to_optimal")
TO_SECOND_OPTIMAL = RealFunction("radius_to_second_optimal")
HERE = "beyond the paper, docs/pairs.md"
COUNTS = (
    "Radii are bounded by the counts of the two arms, since n_l <= kappa n_u or kappa n_u <= n_l: proofs/PairRule.v."
)


def good_pairs(optimal: SolverArm, radius: RealFunction) -> SolverTruth:
    """No empirical difference to this arm falls short of the gap by more than the radius."""
    return for_all(
        lambda a: a.differs(optimal).implies(gap(a) - radius(a) <= EMPIRICAL_MEAN(optimal) - EMPIRICAL_MEAN(a))
    )


GOOD = (
    *OPTIMUM,
    Hypothesis("the pairs with the optimal arm are good", good_pairs(OPTIMAL, TO_OPTIMAL)),
    Hypothesis("a radius is that of two arms in either order", TO_LEADER(OPTIMAL).equals(TO_OPTIMAL(LEADER))),
)
SAME_RADII = Hypothesis(
    "beside an optimal leader the two radii are one",
    LEADER.equals(OPTIMAL).implies(for_all(lambda a: TO_LEADER(a).equals(TO_OPTIMAL(a)))),
)
AS_LEADER = PLAYED.equals(LEADER)


def _round(
    name: str, claim: str, says: str, conclusion: SolverTruth, *given: Hypothesis, full: bool = False
) -> Lemma:
    return Lemma(
        name=name,
        claims=(claim,),
        lines=HERE,
        says=says,
        hypotheses=(*PAIRS, *given),
        conclusion=conclusion,
        meta=None if full else COUNTS,
    )


UNQUERIED_IS_NEAR_OPTIMAL = _round(
    "an arm that the pair rule plays unqueried is within epsilon of the best",
    "pairs.unqueried_is_near_optimal",
    "With good pairs, q_t = 0 gives Delta of a_t at most epsilon(t).",
    gap(PLAYED) <= EPSILON,
    *GOOD,
    NONNEGATIVE_EPSILON,
    IS_NOT_QUERIED,
    full=True,
)

QUERIED_IS_WIDE = _round(
    "a query of the pair rule needs a radius above epsilon",
    "pairs.queried_is_thin",
    "q_t = 1 gives r_t(u_t, l_t) > epsilon(t), on every path.",
    TO_LEADER(CHALLENGER) > EPSILON,
    IS_QUERIED,
)

_ANOTHERS_CHALLENGER = gap(PLAYED) <= TO_LEADER(PLAYED) + TO_OPTIMAL(PLAYED) - TO_LEADER(OPTIMAL)

SUBOPTIMAL_RADIUS = _round(
    "a suboptimal arm that the pair rule queries has radii as large as its gap",
    "pairs.thin.suboptimal",
    "With good pairs a queried suboptimal arm has Delta <= r(u, l) as the leader, Delta + epsilon(t) < 2 r(u, *) as the "
    "challenger of the optimal arm, and Delta <= r(u, l) + r(u, *) - r(*, l) as that of another.",
    any_of(
        AS_LEADER & (gap(PLAYED) <= TO_LEADER(CHALLENGER)),
        LEADER.equals(OPTIMAL) & (gap(PLAYED) + EPSILON < 2 * TO_OPTIMAL(PLAYED)),
        LEADER.differs(OPTIMAL) & _ANOTHERS_CHALLENGER,
    ),
    *GOOD,
    SUBOPTIMAL,
    SAME_RADII,
    IS_QUERIED,
)

OPTIMAL_RADIUS = _round(
    "a unique optimum that the pair rule queries has radii as large as the smallest gap",
    "pairs.thin.optimal",
    "With good pairs a queried unique optimal arm has Delta_min + epsilon(t) < 2 r(u, *) as the leader, and Delta_min <= "
    "r(*, l) as the challenger.",
    any_of(
        LEADER.equals(OPTIMAL) & (2 * TO_LEADER(CHALLENGER) > SMALLEST_GAP + EPSILON),
        LEADER.differs(OPTIMAL) & (TO_LEADER(OPTIMAL) >= SMALLEST_GAP),
    ),
    *GOOD,
    GAPS_AT_LEAST_THE_SMALLEST,
    SAME_RADII,
    Hypothesis("the played arm is the optimal arm", PLAYED.equals(OPTIMAL)),
    IS_QUERIED,
)

SEVERAL_OPTIMA = _round(
    "with two optima a suboptimal arm that the pair rule queries challenges another arm",
    "pairs.thin.several_optima",
    "With good pairs of two optimal arms a queried suboptimal arm has Delta <= r(u, l) as the leader, or else "
    "Delta <= r(u, l) + r(u, *) - r(*, l) for one of the two that does not lead.",
    any_of(
        AS_LEADER & (gap(PLAYED) <= TO_LEADER(CHALLENGER)),
        LEADER.differs(OPTIMAL) & _ANOTHERS_CHALLENGER,
        LEADER.differs(SECOND_OPTIMAL)
        & (gap(PLAYED) <= TO_LEADER(PLAYED) + TO_SECOND_OPTIMAL(PLAYED) - TO_LEADER(SECOND_OPTIMAL)),
    ),
    *GOOD,
    *TWO_OPTIMA,
    Hypothesis("the pairs with the second optimal arm are good", good_pairs(SECOND_OPTIMAL, TO_SECOND_OPTIMAL)),
    SUBOPTIMAL,
    IS_QUERIED,
)

HALF_OF_EPSILON = _round(
    "an arm that the pair rule plays unqueried is within half of epsilon",
    "pairs.unqueried_is_near_optimal",
    "False: the gap can be all of epsilon.",
    2 * gap(PLAYED) <= EPSILON,
    *GOOD,
    NONNEGATIVE_EPSILON,
    IS_NOT_QUERIED,
)

ONE_RADIUS_IS_ENOUGH = _round(
    "a suboptimal challenger that the pair rule queries has a radius as large as its gap",
    "pairs.thin.suboptimal",
    "False: beside the optimal arm it takes two.",
    any_of(AS_LEADER, gap(PLAYED) <= TO_LEADER(PLAYED)),
    *SUBOPTIMAL_RADIUS.hypotheses[len(PAIRS) :],
    UNIQUE_OPTIMUM,
)

LEMMAS = (UNQUERIED_IS_NEAR_OPTIMAL, QUERIED_IS_WIDE, SUBOPTIMAL_RADIUS, OPTIMAL_RADIUS, SEVERAL_OPTIMA)
FALSE_STATEMENTS = (HALF_OF_EPSILON, ONE_RADIUS_IS_ENOUGH)

"""One round of the dial (beyond the paper, docs/dial.md), for every rho at once: the lemma, the widths and the cap."""

from __future__ import annotations

from bufalu.properties.smt.intervals import (
    EPSILON,
    GAPS_AT_LEAST_THE_SMALLEST,
    GOOD_EVENT,
    LCB,
    OPTIMAL,
    OPTIMUM,
    SMALLEST_GAP,
    TWO_OPTIMA,
    UCB,
    gap,
    width_at_most,
    width_below,
    width_infinite,
)
from bufalu.properties.smt.lemma import Hypothesis, Lemma
from bufalu.properties.smt.lemmas_bufalu import IS_NOT_QUERIED, IS_QUERIED, REGULAR, SUBOPTIMAL
from bufalu.properties.smt.lemmas_counting import cap_step
from bufalu.properties.smt.relations import PLAYED, dial
from bufalu.properties.smt.terms import SolverTruth, real

RHO = real("rho")
DIAL = (*dial(RHO), Hypothesis("rho is not negative", RHO >= 0))
NONLINEAR = "UFNRA"
HERE = "beyond the paper, docs/dial.md"


def _round(name: str, claim: str, says: str, conclusion: SolverTruth, *given: Hypothesis) -> Lemma:
    return Lemma(
        name=name,
        claims=(claim,),
        lines=HERE,
        says=says,
        hypotheses=(*DIAL, *REGULAR, *given),
        conclusion=conclusion,
        logic=NONLINEAR,
    )


QUERIED_IS_WIDE = _round(
    "an arm that the dial queries is wider than epsilon",
    "dial.queried_is_wide",
    "For every rho, q_t = 1 gives CI_t(a_t) > epsilon(t), with any intervals and any epsilon.",
    ~width_at_most(PLAYED, EPSILON),
    IS_QUERIED,
)

UNQUERIED_IS_NEAR_OPTIMAL = _round(
    "an arm that the dial plays unqueried is within epsilon of the best",
    "dial.unqueried_is_near_optimal",
    "For every rho, under the good event, q_t = 0 gives Delta of a_t at most epsilon(t).",
    gap(PLAYED) <= EPSILON,
    *GOOD_EVENT,
    *OPTIMUM,
    IS_NOT_QUERIED,
)

WIDTH = UCB(PLAYED) - LCB(PLAYED)

SUBOPTIMAL_WIDTH = _round(
    "a suboptimal arm that the dial queries has its share of the gap",
    "dial.width.suboptimal",
    "For every rho, under the good event, a queried suboptimal arm has CI_t >= Delta_a or (1 + rho) CI_t > Delta_a + "
    "epsilon(t).",
    ~width_below(PLAYED, gap(PLAYED)) | (gap(PLAYED) + EPSILON < WIDTH + RHO * WIDTH),
    *GOOD_EVENT,
    *OPTIMUM,
    SUBOPTIMAL,
    IS_QUERIED,
)

SEVERAL_OPTIMA = _round(
    "with two optima a queried suboptimal arm of the dial is as wide as its gap",
    "dial.width.several_optima",
    "For every rho, under the good event, with two optimal arms, a queried suboptimal arm has CI_t >= Delta_a.",
    ~width_below(PLAYED, gap(PLAYED)),
    *GOOD_EVENT,
    *OPTIMUM,
    *TWO_OPTIMA,
    SUBOPTIMAL,
    IS_QUERIED,
)

OPTIMAL_WIDTH = _round(
    "a unique optimum that the dial queries has its share of the smallest gap",
    "dial.width.optimal",
    "For every rho, under the good event, a queried unique optimal arm has (1 + rho) CI_t >= rho Delta_min.",
    width_infinite(PLAYED) | (RHO * SMALLEST_GAP <= WIDTH + RHO * WIDTH),
    *GOOD_EVENT,
    *OPTIMUM,
    GAPS_AT_LEAST_THE_SMALLEST,
    Hypothesis("the smallest gap is positive", SMALLEST_GAP > 0),
    Hypothesis("the played arm is the optimal arm", PLAYED.equals(OPTIMAL)),
    IS_QUERIED,
)

CAP = cap_step("no arm is queried by the dial more often than the cap plus one", ("dial.cap",), HERE, DIAL, NONLINEAR)

THE_SHARE_IS_THE_WHOLE_GAP = _round(
    "a suboptimal arm that the dial queries is as wide as its gap",
    "dial.width.suboptimal",
    "False: with a unique optimal arm a queried arm can be narrower than its gap.",
    ~width_below(PLAYED, gap(PLAYED)),
    *GOOD_EVENT,
    *OPTIMUM,
    SUBOPTIMAL,
    IS_QUERIED,
)

LEMMAS = (
    QUERIED_IS_WIDE,
    UNQUERIED_IS_NEAR_OPTIMAL,
    SUBOPTIMAL_WIDTH,
    SEVERAL_OPTIMA,
    OPTIMAL_WIDTH,
    CAP,
)
FALSE_STATEMENTS = (THE_SHARE_IS_THE_WHOLE_GAP,)

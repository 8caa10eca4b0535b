"""One round of BuFALU: the gap-query lemma, the five cases of the upper-bound proof, and the sharper lemma."""

from __future__ import annotations

from fractions import Fraction

from bufalu.properties.smt.intervals import (
    BEST_MEAN,
    EPSILON,
    GAPS_AT_LEAST_THE_SMALLEST,
    GOOD_EVENT,
    LOWER_INFINITE,
    MEAN,
    NONNEGATIVE_EPSILON,
    NONNEGATIVE_WIDTHS,
    OPTIMAL,
    OPTIMUM,
    SECOND_OPTIMAL,
    SMALLEST_GAP,
    TWO_OPTIMA,
    UCB,
    UNIQUE_OPTIMUM,
    UPPER_INFINITE,
    gap,
    width_at_most,
    width_below,
    width_infinite,
)
from bufalu.properties.smt.lemma import Hypothesis, Lemma
from bufalu.properties.smt.relations import (
    ALONE,
    BUFALU,
    CANDIDATE,
    CHALLENGER,
    LEADER,
    PLAYED,
    QUERIED,
    SEPARATED,
)
from bufalu.properties.smt.terms import SolverTruth, exists, for_all, real

THRESHOLD = real("threshold")

REGULAR = (NONNEGATIVE_WIDTHS, NONNEGATIVE_EPSILON)
IS_QUERIED = Hypothesis("the round is queried", QUERIED)
IS_NOT_QUERIED = Hypothesis("the round is not queried", ~QUERIED)
SUBOPTIMAL = Hypothesis(
    "the played arm is suboptimal", MEAN(PLAYED) < BEST_MEAN, (("it may be optimal", MEAN(PLAYED) <= BEST_MEAN),)
)
PLAYS_LEADER = Hypothesis("the played arm is the leader", PLAYED.equals(LEADER))
PLAYS_CHALLENGER = Hypothesis("the played arm is the challenger", PLAYED.equals(CHALLENGER))
WITHIN_GAP = Hypothesis("the threshold is at most the gap", gap(PLAYED) >= THRESHOLD)
WITHIN_HALF_GAP = Hypothesis(
    "the threshold is at most half the gap",
    gap(PLAYED) >= 2 * THRESHOLD,
    (("the threshold is at most the gap", gap(PLAYED) >= THRESHOLD),),
)

QUERIED_ARM_IS_WIDE = Lemma(
    name="a queried arm is wider than epsilon",
    claims=("gap_query.queried_is_wide",),
    lines="l.879, l.886-898, part (i)",
    says="On every round after the initial ones, with any intervals and any epsilon, q_t = 1 gives CI_t(a_t) > "
    "epsilon(t).",
    hypotheses=(*BUFALU, *REGULAR, IS_QUERIED),
    conclusion=~width_at_most(PLAYED, EPSILON),
)

UNQUERIED_ARM_IS_NEAR_OPTIMAL = Lemma(
    name="an unqueried arm is within epsilon of the best",
    claims=("gap_query.unqueried_is_near_optimal",),
    lines="l.879-880, l.900-921, part (ii)",
    says="Under the good event, q_t = 0 gives Delta of a_t at most epsilon(t).",
    hypotheses=(*BUFALU, *REGULAR, *GOOD_EVENT, *OPTIMUM, IS_NOT_QUERIED),
    conclusion=gap(PLAYED) <= EPSILON,
)


def _case(name: str, claim: str, lines: str, says: str, conclusion: SolverTruth, *extra: Hypothesis) -> Lemma:
    """A case of l.965-1019, turned round: under the good event a queried arm is at least as wide as the threshold.

    The paper assumes a query of a narrow arm and finds a contradiction; turned round, the hypotheses are satisfiable.
    """
    given = (*BUFALU, *REGULAR, *GOOD_EVENT, *OPTIMUM, IS_QUERIED, *extra)
    return Lemma(name=name, claims=(claim,), lines=lines, says=says, hypotheses=given, conclusion=conclusion)


AT_LEAST_AS_WIDE = ~width_below(PLAYED, THRESHOLD)
WIDER = ~width_at_most(PLAYED, THRESHOLD)

CASES = (
    _case(
        "a queried optimal arm is at least as wide as zero",
        "count.queried",
        "l.965-966, case (i)",
        "With threshold 0 the case says no more than CI_t(a) >= 0: it claims nothing about the queries of optimal "
        "arms.",
        AT_LEAST_AS_WIDE,
        Hypothesis("the played arm is optimal", MEAN(PLAYED).equals(BEST_MEAN)),
        Hypothesis("the threshold is zero", THRESHOLD.equals(0)),
    ),
    _case(
        "a queried suboptimal leader is as wide as its gap",
        "count.case_leader",
        "l.968-977, case (ii)",
        "A suboptimal leader is queried only if CI_t >= Delta_a, because the challenger is that wide.",
        AT_LEAST_AS_WIDE,
        SUBOPTIMAL,
        PLAYS_LEADER,
        WITHIN_GAP,
    ),
    _case(
        "with two optima a queried suboptimal challenger is as wide as its gap",
        "count.case_challenger_multiple",
        "l.979-988, case (iii)",
        "With two optimal arms, a suboptimal challenger is queried only if CI_t >= Delta_a.",
        AT_LEAST_AS_WIDE,
        SUBOPTIMAL,
        PLAYS_CHALLENGER,
        WITHIN_GAP,
        *TWO_OPTIMA,
    ),
    _case(
        "with one optimum a queried suboptimal challenger is wider than half its gap",
        "count.case_challenger_unique",
        "l.990-1008, case (iv)",
        "With a unique optimal arm, a suboptimal challenger is queried only if CI_t > Delta_a / 2, strictly, where the "
        "paper needs >= only.",
        WIDER,
        SUBOPTIMAL,
        PLAYS_CHALLENGER,
        WITHIN_HALF_GAP,
        UNIQUE_OPTIMUM,
    ),
    _case(
        "a queried unique optimum is wider than half the smallest gap",
        "count.case_optimal_unique",
        "l.1010-1019, case (v)",
        "A unique optimal arm is queried only if CI_t > Delta_min / 2, strictly, where the paper needs >= only.",
        WIDER,
        Hypothesis("the played arm is the optimal arm", PLAYED.equals(OPTIMAL)),
        UNIQUE_OPTIMUM,
        GAPS_AT_LEAST_THE_SMALLEST,
        Hypothesis("the smallest gap is positive", SMALLEST_GAP > 0),
        Hypothesis(
            "the threshold is at most half the smallest gap",
            2 * THRESHOLD <= SMALLEST_GAP,
            (("the threshold is at most the smallest gap", THRESHOLD <= SMALLEST_GAP),),
        ),
    ),
)

SHARPER = Lemma(
    name="a queried suboptimal arm is wider than the mean of its gap and epsilon",
    claims=("theorem.sharper",),
    lines="beyond the paper; compare l.965-1019",
    says="Under the good event a queried suboptimal arm has CI_t > (Delta_a + epsilon(t)) / 2, whether the optimum is "
    "unique or not.",
    hypotheses=(*BUFALU, *REGULAR, *GOOD_EVENT, *OPTIMUM, SUBOPTIMAL, IS_QUERIED),
    conclusion=~width_at_most(PLAYED, Fraction(1, 2) * (gap(PLAYED) + EPSILON)),
)

SHARPER_FOR_THE_OPTIMUM = Lemma(
    name="a queried unique optimum is wider than the mean of the smallest gap and epsilon",
    claims=("theorem.sharper",),
    lines="beyond the paper; false",
    says="The sharper lemma with the smallest gap in place of Delta_a does not hold of the optimal arm itself.",
    hypotheses=(
        *BUFALU,
        *REGULAR,
        *GOOD_EVENT,
        *OPTIMUM,
        UNIQUE_OPTIMUM,
        GAPS_AT_LEAST_THE_SMALLEST,
        Hypothesis("the smallest gap is positive", SMALLEST_GAP > 0),
        Hypothesis("the played arm is the optimal arm", PLAYED.equals(OPTIMAL)),
        IS_QUERIED,
    ),
    conclusion=~width_at_most(PLAYED, Fraction(1, 2) * (SMALLEST_GAP + EPSILON)),
)

ZERO_EPSILON_NEVER_BLOCKS = Lemma(
    name="epsilon zero never blocks a query",
    claims=("epsilon.zero_never_blocks",),
    lines="l.443",
    says="With epsilon(t) = 0 a round is unqueried only because the leader is separated: the epsilon test adds nothing.",
    hypotheses=(*BUFALU, NONNEGATIVE_WIDTHS, Hypothesis("epsilon is zero", EPSILON.equals(0)), IS_NOT_QUERIED),
    conclusion=SEPARATED,
)

WIDE_EPSILON_BLOCKS = Lemma(
    name="epsilon as wide as the candidate blocks the query",
    claims=("epsilon.wide_blocks",),
    lines="l.443",
    says="CI_t(c_t) <= epsilon(t) already blocks the query; the paper asks for <.",
    hypotheses=(
        *BUFALU,
        *REGULAR,
        Hypothesis("the candidate is no wider than epsilon", width_at_most(CANDIDATE, EPSILON)),
    ),
    conclusion=~QUERIED,
)

ONLY_WIDE_EPSILON_BLOCKS = Lemma(
    name="only an epsilon as wide as the candidate blocks the query",
    claims=("epsilon.wide_blocks",),
    lines="l.443, converse; false",
    says="The converse fails: an epsilon below CI_t(c_t) can block an unseparated leader, since the test reads "
    "UCB(c_t) - LCB(l_t), which may be smaller than the width of c_t.",
    hypotheses=(*BUFALU, *REGULAR, IS_NOT_QUERIED, Hypothesis("the leader is not separated", ~SEPARATED)),
    conclusion=width_at_most(CANDIDATE, EPSILON),
)

AN_INFINITE_INTERVAL_FORCES_A_QUERY = Lemma(
    name="while an interval is infinite the round is queried",
    claims=("beyond.infinite_interval_forces_query",),
    lines="l.378-389, l.1133, l.1210",
    says=(
        "With at least two arms and intervals that have both ends infinite or neither, one infinite interval makes "
        "the round queried, and the queried arm's interval infinite: so Bernstein intervals query every arm twice before "
        "anything else."
    ),
    hypotheses=(
        *BUFALU,
        *REGULAR,
        Hypothesis("there are two arms", ~ALONE),
        Hypothesis(
            "both ends of an interval are infinite or neither",
            for_all(lambda a: LOWER_INFINITE(a).iff(UPPER_INFINITE(a))),
        ),
        Hypothesis("some interval is infinite", exists(width_infinite)),
    ),
    conclusion=QUERIED & width_infinite(PLAYED),
)

_ROLES = BUFALU[:3]
IS_SEPARATED = Hypothesis("the leader is separated", SEPARATED)

SEPARATED_LEADER_IS_OPTIMAL = Lemma(
    name="a separated leader is optimal",
    claims=("algorithm.separated_is_optimal",),
    lines="l.401",
    says="Under the good event UCB(u_t) <= LCB(l_t) makes l_t an arm of largest mean.",
    hypotheses=(*_ROLES, *GOOD_EVENT, IS_SEPARATED),
    conclusion=for_all(lambda a: MEAN(a) <= MEAN(LEADER)),
)

TWO_OPTIMA_OVERLAP = Lemma(
    name="with two optimal arms the leader is not separated",
    claims=("algorithm.two_optima_overlap",),
    lines="l.405",
    says="Under the good event, if both optimal means lie strictly below their upper bounds, UCB(u_t) > LCB(l_t).",
    hypotheses=(
        *_ROLES,
        *GOOD_EVENT,
        *OPTIMUM,
        *TWO_OPTIMA,
        Hypothesis(
            "both optimal means lie strictly below their upper ends",
            (UPPER_INFINITE(OPTIMAL) | (MEAN(OPTIMAL) < UCB(OPTIMAL)))
            & (UPPER_INFINITE(SECOND_OPTIMAL) | (MEAN(SECOND_OPTIMAL) < UCB(SECOND_OPTIMAL))),
        ),
    ),
    conclusion=~SEPARATED,
)

LEMMAS = (
    SEPARATED_LEADER_IS_OPTIMAL,
    TWO_OPTIMA_OVERLAP,
    AN_INFINITE_INTERVAL_FORCES_A_QUERY,
    QUERIED_ARM_IS_WIDE,
    UNQUERIED_ARM_IS_NEAR_OPTIMAL,
    *CASES,
    SHARPER,
    ZERO_EPSILON_NEVER_BLOCKS,
    WIDE_EPSILON_BLOCKS,
)
FALSE_STATEMENTS = (SHARPER_FOR_THE_OPTIMUM, ONLY_WIDE_EPSILON_BLOCKS)

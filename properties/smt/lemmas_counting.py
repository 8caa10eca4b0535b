"""Inductive steps: how the counts of the upper-bound theorem pass from round t - 1 to round t, t > K.

A solver does not do the induction: it proves the step, and `meta` says what is added by hand. Counts are reals here,
which only makes the steps stronger.
"""

from __future__ import annotations

from fractions import Fraction

from bufalu.properties.smt.intervals import (
    BEST_MEAN,
    EPSILON,
    GAPS_AT_LEAST_THE_SMALLEST,
    MEAN,
    OPTIMAL,
    OPTIMUM,
    SMALLEST_GAP,
    TWO_OPTIMA,
    UNIQUE_OPTIMUM,
    gap,
    mean_above_lower_end,
    mean_below_upper_end,
    width_at_most,
    width_below,
)
from bufalu.properties.smt.lemma import Hypothesis, Lemma
from bufalu.properties.smt.lemmas_bufalu import REGULAR
from bufalu.properties.smt.relations import BUFALU, PLAYED, QUERIED
from bufalu.properties.smt.terms import (
    Real,
    RealFunction,
    SolverArm,
    SolverTruth,
    for_all,
    if_then_else,
    larger,
    real,
    truth,
)

ROUND = real("round")
GOOD = truth("good_event")
QUERIES = RealFunction("queries_before")
QUERIES_NOW = RealFunction("queries_now")
ENOUGH = RealFunction("enough_queries_now")
CAP = RealFunction("largest_enough_before")
CAP_NOW = RealFunction("largest_enough_now")
GOOD_QUERIES = RealFunction("good_queries_before")
GOOD_QUERIES_NOW = RealFunction("good_queries_now")
GOOD_UNQUERIED = RealFunction("good_unqueried_before")
GOOD_UNQUERIED_NOW = RealFunction("good_unqueried_now")
WIDE_ROUNDS = RealFunction("rounds_with_wide_epsilon_before")
WIDE_ROUNDS_NOW = RealFunction("rounds_with_wide_epsilon_now")


def _rises(name: str, now: RealFunction, before: RealFunction, when: SolverTruth) -> Hypothesis:
    """The count of the played arm rises by one when the condition holds; the others stay."""
    return Hypothesis(
        name,
        for_all(lambda a: now(a).equals(before(a) + if_then_else(a.equals(PLAYED) & when, 1, 0))),
    )


COUNTS_QUERIES = _rises("a query raises the count of the played arm by one", QUERIES_NOW, QUERIES, QUERIED)
COUNTS_GOOD_QUERIES = _rises(
    "a query under the good event raises the good count of the played arm by one",
    GOOD_QUERIES_NOW,
    GOOD_QUERIES,
    GOOD & QUERIED,
)
FEWER_QUERIES_THAN_ROUNDS = Hypothesis(
    "no arm was queried more than t - 1 times", for_all(lambda a: QUERIES(a) <= ROUND - 1)
)
CAP_COVERS_ROUND = Hypothesis(
    "the cap is a maximum over rounds, this one included",
    for_all(lambda a: (CAP_NOW(a) >= CAP(a)) & (CAP_NOW(a) >= ENOUGH(a))),
)
GOOD_EVENT_CONTAINS_MEANS = (
    Hypothesis(
        "under the good event no mean lies below its interval",
        for_all(lambda a: GOOD.implies(mean_above_lower_end(a))),
    ),
    Hypothesis(
        "under the good event no mean lies above its interval",
        for_all(lambda a: GOOD.implies(mean_below_upper_end(a))),
    ),
)
GOOD_QUERIES_BOUND = Hypothesis(
    "so far the good queries are at most the cap plus one", for_all(lambda a: GOOD_QUERIES(a) <= CAP(a) + 1)
)
GOOD_QUERIES_ARE_QUERIES = Hypothesis(
    "so far the good queries are queries", for_all(lambda a: GOOD_QUERIES(a) <= QUERIES(a))
)
GOOD_COUNTS = (
    FEWER_QUERIES_THAN_ROUNDS,
    CAP_COVERS_ROUND,
    COUNTS_QUERIES,
    COUNTS_GOOD_QUERIES,
    GOOD_QUERIES_BOUND,
    GOOD_QUERIES_ARE_QUERIES,
)
WHEN_GOOD = (*BUFALU, *REGULAR, *GOOD_EVENT_CONTAINS_MEANS, *OPTIMUM)


def cap_step(
    name: str, claims: tuple[str, ...], lines: str, relation: tuple[Hypothesis, ...], logic: str = "UFLRA"
) -> Lemma:
    """The step of l.931 for any relation that queries only arms wider than epsilon."""
    return Lemma(
        name=name,
        claims=claims,
        lines=lines,
        says=(
            "If n_{t-1}(a) <= N-bar(t-1) + 1 for every arm, then n_t(a) <= N-bar(t) + 1 for every arm, on every path, "
            "for every epsilon and every tie-break; N-bar(t) is any number at least N-bar(t-1) and N^as(t, epsilon(t))."
        ),
        hypotheses=(
            *relation,
            *REGULAR,
            Hypothesis(
                "more than enough queries make an arm narrower than epsilon",
                for_all(
                    lambda a: ((ENOUGH(a) < QUERIES(a)) & (QUERIES(a) <= ROUND - 1)).implies(width_below(a, EPSILON))
                ),
                (
                    (
                        "no wider than epsilon",
                        for_all(
                            lambda a: ((ENOUGH(a) < QUERIES(a)) & (QUERIES(a) <= ROUND - 1)).implies(
                                width_at_most(a, EPSILON)
                            )
                        ),
                    ),
                ),
            ),
            FEWER_QUERIES_THAN_ROUNDS,
            CAP_COVERS_ROUND,
            COUNTS_QUERIES,
            Hypothesis("so far no arm exceeds the cap plus one", for_all(lambda a: QUERIES(a) <= CAP(a) + 1)),
        ),
        conclusion=for_all(lambda a: QUERIES_NOW(a) <= CAP_NOW(a) + 1),
        meta=(
            "Induction on t from t = K, where every arm has one query and N-bar >= 0; for t <= K the count is at most "
            "one. N^as depends on the round and epsilon(t) alone; the lemma lets it depend on the arm as well."
        ),
        logic=logic,
    )


ALMOST_SURE_CAP = cap_step(
    "no arm is queried more often than the cap plus one", ("cap.almost_sure",), "l.856, l.931", BUFALU
)


def _counts_good_queries(name: str, says: str, lines: str, level: Hypothesis, *instance: Hypothesis) -> Lemma:
    """The step of l.944-951: good-event queries stay below the cap plus one, at the given level for each arm."""
    return Lemma(
        name=name,
        claims=("count.queried",),
        lines=lines,
        says=says,
        hypotheses=(
            *WHEN_GOOD,
            *instance,
            level,
            *GOOD_COUNTS,
        ),
        conclusion=for_all(
            lambda a: (GOOD_QUERIES_NOW(a) <= CAP_NOW(a) + 1) & (GOOD_QUERIES_NOW(a) <= QUERIES_NOW(a))
        ),
        meta=(
            "Induction on t with the invariant of the conclusion, true before the first round, where all counts are 0 "
            "and N-bar >= 0. An initial round t <= K queries arm t for the first time: its good count becomes at most 1 "
            "and its count of queries 1. Expectations are then taken by hand (or in Coq)."
        ),
    )


def _enough(level: Real, a: SolverArm) -> SolverTruth:
    """Regularity, condition 4: under the good event, more than enough queries make the arm narrower than the level."""
    many = (ENOUGH(a) < QUERIES(a)) & (QUERIES(a) <= ROUND - 1)
    return (GOOD & many).implies(width_below(a, level))


GOOD_QUERIES_WITH_TWO_OPTIMA = _counts_good_queries(
    "with two optima the good queries of an arm are at most its cap plus one",
    "With at least two optimal arms, sum of 1{G_t, a_t = a, q_t = 1} <= N-bar_a(T, Delta_a) + 1 for every arm a, step "
    "by step.",
    "l.944-951, l.1021",
    Hypothesis(
        "more than enough queries make an arm narrower than its gap or epsilon",
        for_all(lambda a: _enough(larger(gap(a), EPSILON), a)),
    ),
    *TWO_OPTIMA,
)

GOOD_QUERIES_WITH_ONE_OPTIMUM = _counts_good_queries(
    "with one optimum the good queries of an arm are at most its cap plus one",
    "With a unique optimal arm, sum of 1{G_t, a_t = a, q_t = 1} <= N-bar_a(T, D_a) + 1 for every arm a, step by step, "
    "where D_a = Delta_a / 2 for suboptimal arms and Delta_min / 2 for the optimal one.",
    "l.944-951, l.1021",
    Hypothesis(
        "more than enough queries make an arm narrower than half its gap or epsilon",
        for_all(
            lambda a: _enough(
                larger(Fraction(1, 2) * if_then_else(a.equals(OPTIMAL), SMALLEST_GAP, gap(a)), EPSILON), a
            )
        ),
    ),
    UNIQUE_OPTIMUM,
    GAPS_AT_LEAST_THE_SMALLEST,
    Hypothesis("the smallest gap is positive", SMALLEST_GAP > 0),
)

SHARPER_COUNT = Lemma(
    name="the good queries of a suboptimal arm are at most its sharper cap plus one",
    claims=("theorem.sharper",),
    lines="beyond the paper; compare l.944-951",
    says=(
        "For every suboptimal arm, unique optimum or not, sum of 1{G_t, a_t = a, q_t = 1} <= N + 1 where N is the "
        "maximum over t of N_a^g(t, max{(Delta_a + epsilon(t))/2, epsilon(t)}), step by step."
    ),
    hypotheses=(
        *WHEN_GOOD,
        Hypothesis(
            "more than enough queries make an arm narrower than the sharper level",
            for_all(lambda a: _enough(larger(Fraction(1, 2) * (gap(a) + EPSILON), EPSILON), a)),
        ),
        *GOOD_COUNTS,
    ),
    conclusion=for_all(
        lambda a: (MEAN(a) < BEST_MEAN).implies(
            (GOOD_QUERIES_NOW(a) <= CAP_NOW(a) + 1) & (GOOD_QUERIES_NOW(a) <= QUERIES_NOW(a))
        )
    ),
    meta=GOOD_QUERIES_WITH_ONE_OPTIMUM.meta,
)

UNQUERIED_COUNT = Lemma(
    name="an arm is played unqueried in no more rounds than epsilon reaches its gap",
    claims=("count.unqueried",),
    lines="l.938-943",
    says="sum of 1{G_t, a_t = a, q_t = 0} <= L_epsilon(T, Delta_a) for every arm a, step by step.",
    hypotheses=(
        *WHEN_GOOD,
        _rises(
            "an unqueried round under the good event raises the unqueried count of the played arm by one",
            GOOD_UNQUERIED_NOW,
            GOOD_UNQUERIED,
            GOOD & ~QUERIED,
        ),
        Hypothesis(
            "a round with epsilon at least the gap raises L by one",
            for_all(lambda a: WIDE_ROUNDS_NOW(a).equals(WIDE_ROUNDS(a) + if_then_else(gap(a) <= EPSILON, 1, 0))),
        ),
        Hypothesis("so far the unqueried count is at most L", for_all(lambda a: GOOD_UNQUERIED(a) <= WIDE_ROUNDS(a))),
    ),
    conclusion=for_all(lambda a: GOOD_UNQUERIED_NOW(a) <= WIDE_ROUNDS_NOW(a)),
    meta="Induction on t, from 0 = 0; the initial rounds are queried and can only raise L.",
)

LEMMAS = (
    ALMOST_SURE_CAP,
    GOOD_QUERIES_WITH_TWO_OPTIMA,
    GOOD_QUERIES_WITH_ONE_OPTIMUM,
    SHARPER_COUNT,
    UNQUERIED_COUNT,
)

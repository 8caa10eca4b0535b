"""The setting and the baselines: counts, gaps under the good event, BuFAU, CBM-UCB, greedy."""

from __future__ import annotations

from bufalu.properties.smt.intervals import (
    EPSILON,
    GOOD_EVENT,
    OPTIMUM,
    gap,
    reach_below,
    ucb_at_most,
    width_at_most,
    width_below,
)
from bufalu.properties.smt.lemma import Hypothesis, Lemma
from bufalu.properties.smt.lemmas_bufalu import IS_NOT_QUERIED, IS_QUERIED, REGULAR
from bufalu.properties.smt.lemmas_counting import COUNTS_QUERIES, QUERIES, QUERIES_NOW, ROUND, cap_step
from bufalu.properties.smt.relations import BUFAU, CBM_UCB, PLAYED, QUERIED
from bufalu.properties.smt.terms import RealFunction, arm, for_all, if_then_else, real

PLAYS = RealFunction("plays_before")
PLAYS_NOW = RealFunction("plays_now")
ALL_PLAYS, ALL_PLAYS_NOW = real("all_plays_before"), real("all_plays_now")
ALL_QUERIES, ALL_QUERIES_NOW = real("all_queries_before"), real("all_queries_now")
BUDGET = real("budget_now")
LARGEST_BUDGET, LARGEST_BUDGET_NOW = real("largest_budget_before"), real("largest_budget_now")
TOP = arm("top")

QUERIES_AT_MOST_PLAYS = Lemma(
    name="no arm is queried more often than played",
    claims=("counts.queries_at_most_plays",),
    lines="l.268",
    says="n^q_t(a) <= n_t(a) for every arm, sum over a of n_t(a) = t, and B^q(t) <= t, step by step, for every strategy.",
    hypotheses=(
        COUNTS_QUERIES,
        Hypothesis(
            "a round raises the plays of the played arm by one",
            for_all(lambda a: PLAYS_NOW(a).equals(PLAYS(a) + if_then_else(a.equals(PLAYED), 1, 0))),
        ),
        Hypothesis("one round is one play", ALL_PLAYS_NOW.equals(ALL_PLAYS + 1)),
        Hypothesis(
            "one round is at most one query", ALL_QUERIES_NOW.equals(ALL_QUERIES + if_then_else(QUERIED, 1, 0))
        ),
        Hypothesis("so far no arm is queried more often than played", for_all(lambda a: QUERIES(a) <= PLAYS(a))),
        Hypothesis("so far the plays sum to the rounds", ALL_PLAYS.equals(ROUND - 1)),
        Hypothesis("so far there are no more queries than rounds", ALL_QUERIES <= ROUND - 1),
    ),
    conclusion=for_all(lambda a: QUERIES_NOW(a) <= PLAYS_NOW(a))
    & ALL_PLAYS_NOW.equals(ROUND)
    & (ALL_QUERIES_NOW <= ROUND),
    meta=(
        "Induction on t from zero counts. That the totals are the sums over arms is the arithmetic of changing one "
        "summand by one; a solver has no sums over an unknown number of arms."
    ),
)

_TOP_UCB = Hypothesis("the top arm has the largest upper end", for_all(lambda a: ucb_at_most(a, TOP)))

GAP_AT_MOST_REACH = Lemma(
    name="a gap is at most the largest upper end minus the lower end",
    claims=("gap.ucb_minus_lcb",),
    lines="l.394-399",
    says=(
        "Under the good event, Delta_a <= max UCB - LCB(a) for every arm, and Delta_a <= CI(a) for an arm with the "
        "largest UCB; when an end is infinite, so is the right side."
    ),
    hypotheses=(_TOP_UCB, *GOOD_EVENT, *OPTIMUM),
    conclusion=for_all(lambda a: ~reach_below(TOP, a, gap(a))) & ~width_below(TOP, gap(TOP)),
)


def _baseline(claim: str, rule: str, lines: str, relation: tuple[Hypothesis, ...]) -> tuple[Lemma, ...]:
    """The analogues of the gap-query lemma and of the cap for a baseline that follows the maximal UCB."""
    return (
        Lemma(
            name=f"{rule}: a queried arm is wider than epsilon",
            claims=(claim,),
            lines=lines,
            says="q_t = 1 gives CI_t(a_t) > epsilon(t), with any intervals.",
            hypotheses=(*relation, *REGULAR, IS_QUERIED),
            conclusion=~width_at_most(PLAYED, EPSILON),
        ),
        Lemma(
            name=f"{rule}: an unqueried arm is within epsilon of the best",
            claims=(claim,),
            lines=lines,
            says="Under the good event, q_t = 0 gives Delta of a_t at most epsilon(t).",
            hypotheses=(*relation, *REGULAR, *GOOD_EVENT, *OPTIMUM, IS_NOT_QUERIED),
            conclusion=gap(PLAYED) <= EPSILON,
        ),
        Lemma(
            name=f"{rule}: a queried arm is as wide as its gap",
            claims=(claim,),
            lines=lines,
            says=(
                "Under the good event a queried arm has CI_t >= Delta_a, without the factor 1/2 that BuFALU pays for "
                "separating a unique optimum."
            ),
            hypotheses=(*relation, *REGULAR, *GOOD_EVENT, *OPTIMUM, IS_QUERIED),
            conclusion=~width_below(PLAYED, gap(PLAYED)),
        ),
        cap_step(f"{rule}: no arm is queried more often than the cap plus one", (claim,), lines, relation),
    )


GREEDY_WITHIN_BUDGET = Lemma(
    name="greedy: the queries never exceed the largest budget so far",
    claims=("baselines.greedy",),
    lines="l.1417-1435",
    says="If B^q(t-1) is at most the largest budget so far, so is B^q(t); the budgets may go up and down.",
    hypotheses=(
        Hypothesis("greedy queries exactly when a query fits in the budget", QUERIED.iff(ALL_QUERIES + 1 <= BUDGET)),
        Hypothesis(
            "one round is at most one query", ALL_QUERIES_NOW.equals(ALL_QUERIES + if_then_else(QUERIED, 1, 0))
        ),
        Hypothesis("so far the queries are at most the largest budget", ALL_QUERIES <= LARGEST_BUDGET),
        Hypothesis(
            "the largest budget is a maximum over rounds, this one included",
            (LARGEST_BUDGET_NOW >= LARGEST_BUDGET) & (LARGEST_BUDGET_NOW >= BUDGET),
        ),
    ),
    conclusion=ALL_QUERIES_NOW <= LARGEST_BUDGET_NOW,
    meta="Induction on t from t = K, where B^q(K) = K <= 6 K ln t / epsilon(t)^2 + K.",
)

BASELINES = (
    *_baseline("baselines.bufau", "BuFAU", "l.1377-1394", BUFAU),
    *_baseline("baselines.cbm_ucb", "CBM-UCB", "l.1397-1414", CBM_UCB),
    GREEDY_WITHIN_BUDGET,
)
LEMMAS = (QUERIES_AT_MOST_PLAYS, GAP_AT_MOST_REACH, *BASELINES)

"""The words of the lemmas: confidence intervals with ends in the extended reals, means, the good event, the optimum.

A lower end may be minus infinity and an upper end plus infinity, independently for each arm; the paper's intervals
have both or neither. An infinite end is a predicate beside the real value, and every comparison below says what it
means when an end is infinite. A width is infinite as soon as one end is, and no epsilon is.
"""

from __future__ import annotations

from bufalu.properties.smt.lemma import Hypothesis
from bufalu.properties.smt.terms import (
    Predicate,
    Real,
    RealFunction,
    SolverArm,
    SolverTruth,
    all_of,
    arm,
    for_all,
    real,
)

LCB = RealFunction("LCB")
UCB = RealFunction("UCB")
MEAN = RealFunction("mean")
LOWER_INFINITE = Predicate("lower_end_infinite")
UPPER_INFINITE = Predicate("upper_end_infinite")

EPSILON = real("epsilon")
BEST_MEAN = real("best_mean")
OPTIMAL = arm("optimal")
SECOND_OPTIMAL = arm("second_optimal")
SMALLEST_GAP = real("smallest_gap")


def lcb_at_most(first: SolverArm, second: SolverArm) -> SolverTruth:
    """LCB(first) <= LCB(second)."""
    return LOWER_INFINITE(first) | (~LOWER_INFINITE(second) & (LCB(first) <= LCB(second)))


def ucb_at_most(first: SolverArm, second: SolverArm) -> SolverTruth:
    """UCB(first) <= UCB(second)."""
    return UPPER_INFINITE(second) | (~UPPER_INFINITE(first) & (UCB(first) <= UCB(second)))


def lies_below(first: SolverArm, second: SolverArm) -> SolverTruth:
    """UCB(first) <= LCB(second): the first interval lies below the second."""
    return all_of(~UPPER_INFINITE(first), ~LOWER_INFINITE(second), UCB(first) <= LCB(second))


def reach_at_most(upper: SolverArm, lower: SolverArm, bound: Real) -> SolverTruth:
    """UCB(upper) - LCB(lower) <= bound."""
    return all_of(~UPPER_INFINITE(upper), ~LOWER_INFINITE(lower), UCB(upper) - LCB(lower) <= bound)


def reach_below(upper: SolverArm, lower: SolverArm, bound: Real) -> SolverTruth:
    """UCB(upper) - LCB(lower) < bound."""
    return all_of(~UPPER_INFINITE(upper), ~LOWER_INFINITE(lower), UCB(upper) - LCB(lower) < bound)


def width_at_most(of: SolverArm, bound: Real) -> SolverTruth:
    """CI(of) <= bound."""
    return reach_at_most(of, of, bound)


def width_below(of: SolverArm, bound: Real) -> SolverTruth:
    """CI(of) < bound."""
    return reach_below(of, of, bound)


def width_infinite(of: SolverArm) -> SolverTruth:
    """CI(of) is infinite."""
    return LOWER_INFINITE(of) | UPPER_INFINITE(of)


def no_wider(first: SolverArm, second: SolverArm) -> SolverTruth:
    """CI(first) <= CI(second)."""
    return width_infinite(second) | (~width_infinite(first) & (UCB(first) - LCB(first) <= UCB(second) - LCB(second)))


def share_at_most_width(share: Real, first: SolverArm, second: SolverArm) -> SolverTruth:
    """share CI(first) <= CI(second), for a share >= 0; a share of 0 is at most every width."""
    finite = ~width_infinite(first) & (share * (UCB(first) - LCB(first)) <= UCB(second) - LCB(second))
    return share.equals(0) | width_infinite(second) | finite


def width_at_most_share(first: SolverArm, share: Real, second: SolverArm) -> SolverTruth:
    """CI(first) <= share CI(second), for a share > 0; a share of 0 is not asked for."""
    finite = ~width_infinite(first) & (UCB(first) - LCB(first) <= share * (UCB(second) - LCB(second)))
    return ~share.equals(0) & (width_infinite(second) | finite)


def gap(of: SolverArm) -> Real:
    """The suboptimality gap."""
    return BEST_MEAN - MEAN(of)


def mean_above_lower_end(of: SolverArm) -> SolverTruth:
    """LCB(of) <= mean(of)."""
    return LOWER_INFINITE(of) | (LCB(of) <= MEAN(of))


def mean_below_upper_end(of: SolverArm) -> SolverTruth:
    """mean(of) <= UCB(of)."""
    return UPPER_INFINITE(of) | (MEAN(of) <= UCB(of))


NONNEGATIVE_WIDTHS = Hypothesis(
    "no interval is upside down",
    for_all(lambda a: width_infinite(a) | (LCB(a) <= UCB(a))),
)
NONNEGATIVE_EPSILON = Hypothesis("epsilon is not negative", EPSILON >= 0)

GOOD_EVENT = (
    Hypothesis("no mean lies below its interval", for_all(mean_above_lower_end)),
    Hypothesis("no mean lies above its interval", for_all(mean_below_upper_end)),
)

OPTIMUM = (
    Hypothesis("no mean exceeds the best mean", for_all(lambda a: MEAN(a) <= BEST_MEAN)),
    Hypothesis("the optimal arm has the best mean", MEAN(OPTIMAL).equals(BEST_MEAN)),
)
UNIQUE_OPTIMUM = Hypothesis(
    "every other arm is suboptimal", for_all(lambda a: a.differs(OPTIMAL).implies(MEAN(a) < BEST_MEAN))
)
GAPS_AT_LEAST_THE_SMALLEST = Hypothesis(
    "every other arm has at least the smallest gap",
    for_all(lambda a: a.differs(OPTIMAL).implies(gap(a) >= SMALLEST_GAP)),
)
TWO_OPTIMA = (
    Hypothesis("the second optimal arm is another arm", SECOND_OPTIMAL.differs(OPTIMAL)),
    Hypothesis("the second optimal arm has the best mean", MEAN(SECOND_OPTIMAL).equals(BEST_MEAN)),
)

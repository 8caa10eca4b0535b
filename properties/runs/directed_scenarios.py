"""Games made by hand for what random ones reach seldom: one arm, a lone wide leader, many queries, exact ties."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from bufalu.properties.runs.scenarios import Adversary, Aim, Cycle, EpsilonSource, Oblivious, Scenario, TieScript
from bufalu.reference.confidence import confidence_named
from bufalu.reference.rationals import Rational
from bufalu.reference.schedules import Budget, Zero

FIRST = TieScript((0,))
LAST = TieScript((7,))
HALF = Fraction(1, 2)
NEAR: tuple[tuple[Rational, ...], ...] = ((HALF,), (Fraction(11, 20),))
ZERO_AND_ONE: tuple[tuple[Rational, ...], ...] = ((0,), (1,))
MIXED: tuple[tuple[Rational, ...], ...] = ((Fraction(1, 5), Fraction(4, 5)), (HALF, Fraction(3, 5)), (0, 1, 1))
FREE_THEN_BLOCKED = Adversary((Aim.FREE, Aim.FREE, Aim.FREE, Aim.BLOCK))
JUST_BELOW = Adversary((Aim.FREE, Aim.FREE, Aim.BELOW))


def directed_scenarios(policy: str, confidence: str) -> list[Scenario]:
    """A dozen scenarios, each with the reason that it is here for."""
    # Widths with a variance in them, Bernstein's, are ten times as large at such horizons.
    scale = 12 if confidence_named(confidence).uses_variance else 1
    table: Sequence[tuple[Sequence[tuple[Rational, ...]], EpsilonSource, TieScript, int]] = (
        # a single arm is queried in round 1, and by CBM and greedy later on
        (((1,),), Cycle((0, 4 * scale)), FIRST, 8),
        # equal arms: every comparison is a tie
        (((0,), (0,), (0,)), Oblivious(Zero()), LAST, 20),
        # the leader gets separated; then nothing is queried for a while
        (ZERO_AND_ONE, Oblivious(Zero()), FIRST, 100),
        # the arm of best mean is not the best known one
        (NEAR, FREE_THEN_BLOCKED, FIRST, 30),
        ((*NEAR, (Fraction(3, 5),)), FREE_THEN_BLOCKED, LAST, 40),
        # epsilon just below the test of a leader that is the candidate itself
        (ZERO_AND_ONE, JUST_BELOW, FIRST, 24),
        (tuple(reversed(ZERO_AND_ONE)), JUST_BELOW, FIRST, 24),
        # a lone wide leader: its width exceeds epsilon, the challenger's reach does not
        (ZERO_AND_ONE, Cycle((0, Fraction(3, 2) * scale)), FIRST, 10),
        # widths that meet epsilon exactly
        (MIXED, Oblivious(Budget(15)), FIRST, 40),
        (ZERO_AND_ONE, Oblivious(Budget(8)), LAST, 30),
        # a budget that binds, for greedy
        (NEAR, Oblivious(Budget(5)), FIRST, 25),
        # fractional rewards, epsilon of medium size
        (MIXED, Cycle((Fraction(3, 2) * scale, 2 * scale, scale)), LAST, 60),
        # more than 64 queries of one arm
        (((HALF,), (HALF,)), Oblivious(Zero()), FIRST, 140),
    )
    return [
        Scenario(tuple(tapes), epsilon, ties, horizon, confidence, policy) for tapes, epsilon, ties, horizon in table
    ]

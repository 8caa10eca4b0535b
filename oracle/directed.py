"""The directed games: each is after a family of known bugs, some of which show only late."""

from __future__ import annotations

import math

from bufalu.oracle.games import Epsilon, Game, aimed, coins, fractions
from bufalu.reference.confidence import confidence_named
from bufalu.reference.view import ExactView

_HAIR = 1e-6
_BOTH_SIDES = (1 - _HAIR, 1 + _HAIR)
_MOSTLY_QUERIES = (1 - _HAIR, 1 - _HAIR, 1 - _HAIR, 1 + _HAIR)
_RATIOS = (1.02, 0.98, 1.07, 1.13, 1.18, 1.25, 1.33, 1.5, 1.7, 1.9, 2.1, 0.93, 0.85, 0.75, 0.65, 0.55, 0.4)
_SPIKES = (0.0, 5.0, 0.3, 1.0, 40.0, 0.7, 0.05, 2.0)


def smoke() -> Game:
    """A dozen easy rounds: does the program speak the protocol at all?"""
    return Game("smoke run", 2, 12, lambda view: 1.0, lambda arm, k: 1.0 if arm == 2 else 0.0)


def directed(policy: str, confidence: str) -> tuple[Game, ...]:
    """The games for a policy and an interval, the short ones first."""
    # Intervals with a variance, Bernstein's say, are several times wider: separation needs about twice the rounds.
    long = 900 if confidence_named(confidence).uses_variance else 450
    return (
        Game("a single arm", 1, 12, _cycle((0.0, 3.0, 0.1, 1000.0)), lambda arm, k: 0.5),
        Game("huge epsilon", 3, 12, lambda view: 1e6, lambda arm, k: 1.0 if arm == 1 else 0.25),
        Game("no epsilon", 3, 60, lambda view: 0.0, coins(1, (0.2, 0.5, 0.8))),
        Game("epsilon that jumps", 4, 160, _cycle(_SPIKES), fractions(2, (0.3, 0.5, 0.6, 0.7))),
        Game(
            "epsilon aimed at the test, fractions", 3, 160, aimed(policy, _BOTH_SIDES), fractions(3, (0.4, 0.5, 0.6))
        ),
        Game(
            "epsilon aimed at the test, coins", 5, 240, aimed(policy, _MOSTLY_QUERIES), coins(4, (0.2,) * 4 + (0.8,))
        ),
        Game("epsilon from far to near", 2, 120, _falling, fractions(5, (0.3, 0.7))),
        Game("one clear winner", 2, long, lambda view: 0.0, lambda arm, k: 1.0 if arm == 2 else 0.0),
        Game("one clear winner, noise", 3, long, _cycle((0.0, 0.0, 0.02)), _near_the_ends),
        Game("a budget", 3, 200, _budget(30), coins(6, (0.4, 0.5, 0.6))),
        Game("many queries, then aimed", 2, 400, _late(policy), fractions(7, (0.45, 0.55))),
        Game("a long run", 3, 1200, _power, coins(8, (0.25, 0.5, 0.75))),
    )


def distinguishing(policy: str) -> Game:
    """A game to tell wrong radii apart: epsilon at many ratios to the number it should be compared with."""
    return Game("second opinion", 3, 80, aimed(policy, _RATIOS), fractions(9, (0.3, 0.5, 0.7)))


def _cycle(values: tuple[float, ...]) -> Epsilon:
    return lambda view: values[(view.round - 1) % len(values)]


def _budget(total: int) -> Epsilon:
    return lambda view: math.sqrt(6 * view.arms * math.log(view.round) / total)


def _late(policy: str) -> Epsilon:
    """Zero until round 250, then aimed."""
    aim = aimed(policy, _BOTH_SIDES)
    return lambda view: 0.0 if view.round <= 250 else aim(view)


def _falling(view: ExactView) -> float:
    return 12.0 / view.round


def _power(view: ExactView) -> float:
    return float(view.round**-0.25)


def _near_the_ends(arm: int, k: int) -> float:
    """One arm near 1, the others near 0, a little noise."""
    noise = (k * (arm + 2) % 5) / 64
    return 1.0 - noise if arm == 1 else noise

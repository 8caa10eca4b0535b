"""How radii grow with the round: those of the intervals that the kernels know, and those of the pair rule."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from bufalu.experiments.engine.arrays import Floats
from bufalu.experiments.engine.errors import OutsideEngine
from bufalu.reference.radius_shapes import Growth, RadiusShape, RadiusTerm
from bufalu.reference.rationals import nearest_float

LEAST_BEND = 2.0**-10
MOST_GROWTH = 2.0**30
"""Coefficients of radii within which infinite widths and margins keep their distance from all others."""


class Radii(Protocol):
    """What the tables of rounds need to know of the radii of a policy."""

    def growth(self, rounds: Floats) -> tuple[Floats, Floats]:
        """The columns `GROWTH` and `BEND` of some rounds."""

    def largest(self, horizon: int) -> float:
        """No finite radius of a run is larger, but for roundings."""


@dataclass(frozen=True)
class IntervalRadii:
    """Of one arm: growth * slope + bend * curve."""

    shape: RadiusShape

    def growth(self, rounds: Floats) -> tuple[Floats, Floats]:
        """sqrt(c g) and d g with g the growth of the shape, ln t or max(0, ln t + 3 ln ln t).

        Hoeffding sqrt(3 ln t / 2) (l.1129), Bernstein sqrt(6 ln t) and 7 ln t (l.1208), sqrt(g / 2) in l.1644.
        """
        log = np.log(rounds)
        grown = log
        if self.shape.growth is Growth.LOG_LOG:
            grown = np.maximum(0.0, log + 3.0 * np.log(np.maximum(log, 0.5)))
        slope, curve = np.zeros_like(log), np.zeros_like(log)
        for term in self.shape.terms:
            if term.rooted:
                slope = np.sqrt(nearest_float(term.coefficient) * grown)
            else:
                curve = nearest_float(term.coefficient) * grown
        return slope, curve

    def largest(self, horizon: int) -> float:
        """Slopes and finite curves are at most 1."""
        slope, curve = self.growth(np.array([max(2.0, float(horizon))]))
        return float(slope[0] + curve[0])


@dataclass(frozen=True)
class PairRadii:
    """Of two arms, with the spread s: see pairs.py."""

    spread: int

    def growth(self, rounds: Floats) -> tuple[Floats, Floats]:
        """ln(t b(t)) / 2, where b(t) is the number of binary digits of t; and nothing."""
        digits = np.frexp(rounds)[1]
        return np.log(rounds * digits) / 2.0, np.zeros_like(rounds)

    def largest(self, horizon: int) -> float:
        """Of two arms with one query each, as if each had all."""
        grown, _ = self.growth(np.array([max(2.0, float(horizon))]))
        return math.sqrt((float(grown[0]) + math.log1p(horizon / self.spread) / 2) * 2 * (1 + self.spread))


def check_shape(text: str, shape: RadiusShape | None) -> RadiusShape:
    """The shape, if the kernels know how an arm's part of it is kept; raises `OutsideEngine` with the reason if not.

    They keep 1/sqrt(n), or sqrt(V/n) and 1/(n-1).
    """
    if shape is None:
        raise OutsideEngine(f"the interval '{text}' has no form in doubles: `simulate` takes it, the engine does not")
    if shape.growth is Growth.LOG_BEFORE:
        raise OutsideEngine(f"the engine has ln t, not the ln(t - 1) of '{text}': `simulate` takes it")
    plain = [RadiusTerm(term.coefficient) for term in shape.terms] == list(shape.terms) and len(shape.terms) == 1
    rooted = [term for term in shape.terms if term.rooted]
    linear = [term for term in shape.terms if not term.rooted]
    varied = (
        shape.growth is Growth.LOG
        and len(rooted) == len(linear) == 1
        and rooted[0] == RadiusTerm(rooted[0].coefficient, uses_variance=True)
        and linear[0] == RadiusTerm(linear[0].coefficient, rooted=False, offset=1)
        and linear[0].coefficient >= LEAST_BEND
    )
    if not (plain or varied) or max(term.coefficient for term in shape.terms) > MOST_GROWTH:
        raise OutsideEngine(
            f"the engine computes radii sqrt(c g / n) and sqrt(c V ln t / n) + d ln t / (n - 1) with coefficients up to "
            f"2^30 and d from 2^-10 on, and '{text}' is neither: `simulate` takes it"
        )
    return shape


def offset_of(radii: Radii, horizon: int) -> float:
    """A power of two above 1 and the largest radius."""
    return float(2.0 ** math.ceil(math.log2(1.001 * (1.0 + radii.largest(horizon)))))

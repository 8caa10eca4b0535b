"""The growth of an interval, ln t or max(0, ln t + 3 ln ln t) (l.1644), as whatever the bounds compute with.

N(t, level) is a multiple of it: an enclosure, doubles, a formula, an exact number for comparisons.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy
from numpy.typing import NDArray

from bufalu.bounds.enclosures import Enclosure
from bufalu.bounds.expressions import Expression, log, maximum, number
from bufalu.reference.exact import FILTER, ZERO, Exact, log_root
from bufalu.reference.radicals import NormalForm
from bufalu.reference.radius_shapes import Growth

Doubles: TypeAlias = NDArray[numpy.float64]

KNOWN_GROWTHS = (Growth.LOG, Growth.LOG_LOG)
"""The growths that N may have; doubles of ln(t - 1) do not come from those of ln t."""


def enclosed_growth(growth: Growth, round_number: int) -> Enclosure:
    """g(t) for t >= 2."""
    logarithm = Enclosure.of(round_number).log()
    if growth is Growth.LOG:
        return logarithm
    return logarithm + 3 * logarithm.log() if round_number > 2 else Enclosure.of(0)


def doubles_of_growth(growth: Growth, logarithm: Doubles) -> Doubles:
    """g(t) from doubles of ln t. From t = 3 on ln t is above 1, where ln t + 3 ln ln t is off by less than 32 u."""
    if growth is Growth.LOG:
        return logarithm
    return numpy.where(logarithm > 1, logarithm + 3 * numpy.log(numpy.maximum(logarithm, 1.0)), 0.0)


def growth_formula(growth: Growth, horizon: Expression) -> Expression:
    """g(T) as a formula for T >= 1; max(T, 2) changes nothing, for g(1) = g(2) = 0, and spares it the logarithm of 0."""
    if growth is Growth.LOG:
        return log(horizon)
    return maximum(number(0), log(horizon) + 3 * log(log(maximum(horizon, number(2)))))


def exact_growth(growth: Growth, round_number: int) -> Exact:
    """g(t) for t >= 2, to be compared exactly."""
    if growth is Growth.LOG:
        return log_root(round_number, 2)
    if round_number == 2:
        return ZERO
    approximation = growth.doubles(round_number)[1]
    return Exact(approximation, approximation * FILTER, NormalForm((growth.term(1, 1, 2),), round_number))

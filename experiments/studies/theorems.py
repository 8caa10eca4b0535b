"""What the theorems say of a cell: upper bounds for policies that have one, asymptotic lower bounds for consistent ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bufalu.bounds import upper
from bufalu.bounds.bound import Bound
from bufalu.bounds.enclosures import Enclosure
from bufalu.bounds.families import chosen_family
from bufalu.bounds.lower import lower_bounds
from bufalu.bounds.quantities import Quantities, quantities
from bufalu.bounds.sharp import sharp_bounds
from bufalu.experiments.studies.study import Cell
from bufalu.reference.confidence import confidence_named
from bufalu.reference.errors import BufaluError
from bufalu.reference.instances import Instance
from bufalu.reference.schedules import parse_schedule

POINTS = 14
"""On logarithmic axes the bounds are nearly straight, and certified ones cost time: some rounds make a line."""


@dataclass(frozen=True)
class BoundLine:
    """Upper bounds on a policy's expected regret and queries after some rounds (l.422-431), and the sharper ones.

    Certified: each double is at least the bound. `leading_*` are the leading terms of the sharp theorem (docs/bounds.md),
    its rate times ln t, which alone bound nothing; empty where there is none.
    """

    rounds: tuple[int, ...]
    regret: tuple[float, ...]
    queries: tuple[float, ...]
    sharper_regret: tuple[float, ...]
    sharper_queries: tuple[float, ...]
    leading_regret: tuple[float, ...]
    leading_queries: tuple[float, ...]


@dataclass(frozen=True)
class LowerRates:
    """liminf E[regret] / ln T and liminf E[queries] / ln T are at least these for every strategy that is consistent on
    the family (l.303-314); None where the theorem gives no finite number.
    """

    family: str
    regret: float | None
    queries: float | None


def bound_line(cell: Cell, rounds: Sequence[int], points: int = POINTS) -> BoundLine:
    """The bounds at about `points` of the given rounds, the last one among them; raises what `quantities` raises."""
    step = max(1, len(rounds) // points)
    chosen = tuple(rounds[len(rounds) - 1 :: -step][::-1])
    schedule, interval = parse_schedule(cell.epsilon), confidence_named(cell.confidence)
    found = [quantities(cell.instance, schedule, number, interval, cell.policy) for number in chosen]

    def line(bound: Callable[[Quantities], Bound]) -> tuple[float, ...]:
        return tuple(bound(numbers).evaluate().upper_float for numbers in found)

    sharp = sharp_bounds(found[-1])

    def leading(rate: Bound | None) -> tuple[float, ...]:
        return () if rate is None else tuple(float(rate.evaluate()) * math.log(number) for number in chosen)

    return BoundLine(
        chosen,
        line(lambda numbers: upper.regret(numbers, numbers.n_bar, "regret")),
        line(lambda numbers: upper.queries(numbers, numbers.n_bar, "queries")),
        line(lambda numbers: upper.regret(numbers, numbers.n_bar_sharper, "sharper regret")),
        line(lambda numbers: upper.queries(numbers, numbers.n_bar_sharper, "sharper queries")),
        leading(None if sharp is None else sharp.regret_rate),
        leading(None if sharp is None else sharp.queries_rate),
    )


def bound_line_or_reason(cell: Cell, rounds: Sequence[int], points: int = POINTS) -> BoundLine | str:
    """The bounds along a cell's curve, or why no theorem speaks of it."""
    if cell.late is not None:
        return "the theorems speak of answers that come at once"
    try:
        return bound_line(cell, rounds, points)
    except BufaluError as problem:
        return str(problem)


def lower_rates(instance: Instance) -> LowerRates:
    """The rates of an instance. An arm is played at least as often as it is queried, so the queries that suboptimal
    arms need cost regret; single arms' liminfs may be added.
    """
    family = chosen_family(None, instance)
    lower = lower_bounds(instance, family)
    regret, queries = Enclosure.of(0), lower.optimal.evaluate()
    for gap, bound in zip(instance.gaps, lower.suboptimal, strict=True):
        if bound is not None:
            regret = regret + bound.evaluate() * gap
            queries = queries + bound.evaluate()
    return LowerRates(family.name, _finite(regret), _finite(queries))


def _finite(value: Enclosure) -> float | None:
    return None if value.is_infinite else value.lower_float

"""The theorem behind the measured figures: leading constants four times smaller than the paper's (claims `sharp.*`).

For each delta > 0 a suboptimal arm is queried at most about c ln T / (gap - 2 delta)^2 times, and so many times more that
do not depend on T, or hardly: c is 6 for BuFALU, where the paper has 24, and (1 + 1/kappa)/2 for the pair rule (claims
`pairs.sharp.*`), where its theorem has 4 (1 + 1/kappa). As T grows, delta may fall: then c / gap^2 is what remains of the
queries per ln T. At horizons that anybody plays the rest is larger; there it is the rate that says what to expect.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from bufalu.bounds.bound import Bound, BoundTerm
from bufalu.bounds.enclosures import Enclosure, Number
from bufalu.bounds.epsilons import inverse
from bufalu.bounds.errors import OutsideDomain, TooLong
from bufalu.bounds.expressions import counting, nonnegative, positive, summed
from bufalu.bounds.guarantees import SharpForm
from bufalu.bounds.maxima import LevelRule, largest_count
from bufalu.bounds.quantities import Quantities
from bufalu.reference.instances import Instance
from bufalu.reference.rationals import NumberLike, Rational, parameter

GRID = 64
"""Deltas that are tried: so many shares of half the smallest gap."""


@dataclass(frozen=True)
class SharpBounds:
    """The bounds at one delta, and the rates that remain as T grows; `regret_rate` is None where epsilon stays at a gap."""

    delta: Fraction
    regret: Bound
    queries: Bound
    regret_rate: Bound | None
    queries_rate: Bound


def sharp_bounds(numbers: Quantities, delta: NumberLike | None = None) -> SharpBounds | None:
    """The sharp theorem for a question, at the delta that suits the horizon best or at a given one; None without one.

    Raises `OutsideDomain` for a delta that is not positive.
    """
    instance = numbers.instance
    form = numbers.guarantee.sharp(instance, numbers.horizon)
    if form is None:
        return None
    chosen = _best_delta(form, instance, numbers.horizon) if delta is None else Fraction(parameter(delta, "delta"))
    if chosen <= 0:
        raise OutsideDomain("the sharp theorem needs a positive delta")
    values: dict[str, Number] = {"K": numbers.arms, **form.values, "delta": chosen}
    regret, queries = [], []
    for number, (gap, level) in enumerate(zip(instance.gaps, _levels(instance), strict=True), start=1):
        rule, wanted = form.rule(number, chosen), LevelRule(max(Fraction(0), level - 2 * chosen))
        found = largest_count(rule, wanted, numbers.schedule, numbers.arms, numbers.horizon)
        values |= {f"N_{number}": found.count}
        count = nonnegative(f"N_{number}") + form.extra[number - 1]
        queries.append(BoundTerm(f"arm {number}", count))
        if gap:
            values |= {f"Delta_{number}": gap, f"L_{number}": numbers.l_epsilon[number - 1] or 0}
            blocked = nonnegative(f"L_{number}")
            regret.append(BoundTerm(f"arm {number}", positive(f"Delta_{number}") * (count + blocked)))
    overhead = counting("K") + form.failures
    queries.append(BoundTerm("first rounds and failures", overhead))
    regret.append(BoundTerm("first rounds and failures", overhead * nonnegative("Delta_max")))
    return SharpBounds(
        chosen,
        _bound("sharp regret", form, "the expected regret", regret, values | {"Delta_max": instance.largest_gap}),
        _bound("sharp queries", form, "the expected number of queries", queries, values),
        _regret_rate(form, numbers),
        _queries_rate(form, instance),
    )


def _bound(name: str, form: SharpForm, what: str, terms: list[BoundTerm], values: dict[str, Number]) -> Bound:
    expression = summed(term.expression for term in terms)
    wanted = expression.symbols
    used = {symbol: value for symbol, value in values.items() if symbol in wanted}
    return Bound(name, form.place, f"{what} after T rounds is at most this", expression, used, tuple(terms))


def _levels(instance: Instance) -> tuple[Rational, ...]:
    """The gap of each arm; the smallest one for the optimal arm."""
    return tuple(gap or instance.smallest_gap or 0 for gap in instance.gaps)


def _best_delta(form: SharpForm, instance: Instance, horizon: int) -> Fraction:
    """The delta of a grid with the fewest queries, about: any delta gives a valid bound."""
    half, log = Fraction(min(_levels(instance))) / 2, float(Enclosure.of(horizon).log())
    alike = Counter(zip(form.leading, _levels(instance), form.extra, strict=True))

    def queries(delta: Fraction) -> float:
        return sum(
            number
            * (
                float(factor) * log / float(level - 2 * delta) ** 2
                + float(extra.evaluate({**form.values, "delta": delta}))
            )
            for (factor, level, extra), number in alike.items()
        )

    return min((half * step / GRID for step in range(1, GRID)), key=queries)


def _regret_rate(form: SharpForm, numbers: Quantities) -> Bound | None:
    """sum over a of c / Delta_a, if every gap is above epsilon from some round on."""
    gaps = {number: gap for number, gap in enumerate(numbers.instance.gaps, start=1) if gap}
    try:
        blocked = [inverse(numbers.schedule, numbers.arms, gap) for gap in set(gaps.values())]
    except TooLong:
        return None
    if None in blocked:
        return None
    terms = [form.leading[number - 1] / positive(f"Delta_{number}") for number in gaps]
    return Bound(
        "regret, per ln T",
        form.place,
        "limsup E[regret] / ln T is at most this",
        summed(terms),
        {f"Delta_{number}": gap for number, gap in gaps.items()},
    )


def _queries_rate(form: SharpForm, instance: Instance) -> Bound:
    """sum over the arms of c / gap^2, with the smallest gap for the optimal arm."""
    levels = dict(enumerate(_levels(instance), start=1))
    return Bound(
        "queries, per ln T",
        form.place,
        "limsup E[queries] / ln T is at most this",
        summed(form.leading[number - 1] / positive(f"Delta_{number}") ** 2 for number in levels),
        {f"Delta_{number}": level for number, level in levels.items()},
    )

"""Expected plays and queries as polynomials in the means of Bernoulli arms, and certificates over all means at once.

Paths are counted once, in whole numbers: all paths into a state have the probability p^successes (1-p)^failures, for
each arm. A polynomial in Bernstein form lies between its smallest and largest coefficient on the unit box, and
halving the box sharpens that (de Casteljau), all in rational numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb, prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bufalu.law.branching import tie_law
from bufalu.law.errors import NoExactLaw
from bufalu.law.histograms import Histograms, Integers
from bufalu.law.round_values import RoundValues
from bufalu.law.walk import Setting, Stretches, Walk, Weighing
from bufalu.law.weights import Weights
from bufalu.reference import arguments
from bufalu.reference.arguments import PolicyLike, ScheduleLike, TiesLike
from bufalu.reference.confidence import HoeffdingInterval
from bufalu.reference.instances import Instance
from bufalu.reference.rationals import Rational

Coefficients: TypeAlias = NDArray[np.object_]

Outcomes: TypeAlias = tuple[tuple[int, int], ...]
"""(failures, successes) for each arm."""


@dataclass(frozen=True)
class PathPolynomial:
    """A sum of coefficient * product over arms of (1 - p_a)^failures_a p_a^successes_a."""

    arms: int
    terms: Mapping[Outcomes, Rational]

    def at(self, means: Sequence[Rational]) -> Fraction:
        """The value for these means; raises `NoExactLaw` unless there is one for each arm."""
        if len(means) != self.arms:
            raise NoExactLaw(f"{len(means)} means were given for {self.arms} arms")
        powers = [self._powers(Fraction(mean)) for mean in means]
        total = Fraction(0)
        for outcomes, coefficient in self.terms.items():
            total += coefficient * prod(
                lost[failures] * won[successes]
                for (lost, won), (failures, successes) in zip(powers, outcomes, strict=True)
            )
        return total

    def _powers(self, mean: Fraction) -> tuple[list[Fraction], list[Fraction]]:
        top = max(self.degrees, default=0)
        return [(1 - mean) ** k for k in range(top + 1)], [mean**k for k in range(top + 1)]

    @cached_property
    def degrees(self) -> tuple[int, ...]:
        """The largest number of observations of each arm."""
        return tuple(max((sum(outcomes[arm]) for outcomes in self.terms), default=0) for arm in range(self.arms))

    def bernstein(self) -> BernsteinForm:
        """This polynomial in the tensor Bernstein basis of its degrees."""
        coefficients = np.zeros(tuple(degree + 1 for degree in self.degrees), dtype=object)
        coefficients.fill(Fraction(0))
        for outcomes, coefficient in self.terms.items():
            lifted = [_lifted(*pair, degree) for pair, degree in zip(outcomes, self.degrees, strict=True)]
            for chosen in product(*lifted):
                index = tuple(position for position, _ in chosen)
                coefficients[index] += coefficient * prod((weight for _, weight in chosen), start=Fraction(1))
        return BernsteinForm(coefficients)


def _lifted(failures: int, successes: int, degree: int) -> list[tuple[int, Fraction]]:
    """(1-p)^failures p^successes in the Bernstein basis of a larger degree: positions and coefficients."""
    spare = degree - failures - successes
    return [
        (successes + extra, Fraction(comb(spare, extra), comb(degree, successes + extra)))
        for extra in range(spare + 1)
    ]


@dataclass(frozen=True)
class BernsteinForm:
    """A polynomial on the unit box by its Bernstein coefficients; the corners are values of the polynomial."""

    coefficients: Coefficients

    @cached_property
    def _values(self) -> list[Fraction]:
        values: list[Fraction] = self.coefficients.ravel().tolist()
        return values

    @property
    def smallest(self) -> Fraction:
        """No value on the box is below this."""
        return min(self._values)

    @property
    def largest(self) -> Fraction:
        """No value on the box is above this."""
        return max(self._values)

    def halves(self, axis: int) -> tuple[BernsteinForm, BernsteinForm]:
        """The polynomial on the two halves of the box along one axis (de Casteljau at 1/2)."""
        current = np.moveaxis(self.coefficients, axis, 0)
        left, right = [current[0]], [current[-1]]
        while len(current) > 1:
            current = (current[:-1] + current[1:]) * Fraction(1, 2)
            left.append(current[0])
            right.append(current[-1])
        first = np.moveaxis(np.array(left, dtype=object), 0, axis)
        second = np.moveaxis(np.array(right[::-1], dtype=object), 0, axis)
        return BernsteinForm(first), BernsteinForm(second)

    def nonnegative(self, depth: int = 8) -> bool | None:
        """Whether the polynomial is at least 0 on the box; None if `depth` halvings do not decide it."""
        if self.smallest >= 0:
            return True
        corners: list[Fraction] = [
            self.coefficients[index] for index in product(*((0, -1) for _ in self.coefficients.shape))
        ]
        if min(corners) < 0:
            return False
        if depth == 0:
            return None
        axis = depth % self.coefficients.ndim
        answers = [half.nonnegative(depth - 1) for half in self.halves(axis)]
        if False in answers:
            return False
        return None if None in answers else True


class _Counter:
    """A recorder of path counts: plays and queries of each arm, by outcomes."""

    def __init__(self, arms: int, horizon: int) -> None:
        self._horizon = horizon
        self.plays: list[dict[Outcomes, Rational]] = [{} for _ in range(arms)]
        self.queries: list[dict[Outcomes, Rational]] = [{} for _ in range(arms)]

    def stretches(self, table: Histograms, played: Stretches) -> None:
        """Every round of a stretch is one play for each path."""
        stop = np.minimum(played.stop, self._horizon + 1)
        for row, weight, arm, query, until in zip(
            played.rows.tolist(),
            played.weights.listed(),
            played.arm.tolist(),
            played.query.tolist(),
            stop.tolist(),
            strict=True,
        ):
            outcomes = tuple(_pair(table.counts[number]) for number in row)
            plays = self.plays[arm]
            plays[outcomes] = plays.get(outcomes, 0) + weight * (until - played.first)
            if query:
                queries = self.queries[arm]
                queries[outcomes] = queries.get(outcomes, 0) + weight

    def dropped(self, queries: Integers, weights: Weights, round_number: int) -> None:
        """Counting never drops paths."""
        raise NoExactLaw("paths were dropped while they were counted")

    def finished(self, table: Histograms, rows: Integers, weights: Weights) -> None:
        """Nothing is left to do."""


def _pair(counts: tuple[int, ...]) -> tuple[int, int]:
    failures, successes = counts
    return failures, successes


@dataclass(frozen=True)
class PolynomialLaw:
    """E n_T(a) and E n^q_T(a) as polynomials in the means, one for each arm."""

    plays: tuple[PathPolynomial, ...]
    queries: tuple[PathPolynomial, ...]


def polynomial_law(
    arms: int,
    schedule: ScheduleLike,
    horizon: int,
    *,
    policy: PolicyLike = "bufalu",
    ties: TiesLike = "first",
) -> PolynomialLaw:
    """The law of a run with Hoeffding's intervals on Bernoulli arms for all means at once; raises what `law` raises."""
    interval, rule, chosen = HoeffdingInterval(), arguments.policy(policy), arguments.schedule(schedule)
    # Any means inside (0, 1) will do: paths are counted, not weighed.
    instance = Instance.bernoulli([Fraction(1, 2)] * arms)
    counter = _Counter(arms, horizon)
    setting = Setting(instance, rule, interval, RoundValues(interval, chosen, arms, horizon), tie_law(ties))
    Walk(setting, Weighing.counting(instance)).run(counter)
    return PolynomialLaw(
        tuple(PathPolynomial(arms, terms) for terms in counter.plays),
        tuple(PathPolynomial(arms, terms) for terms in counter.queries),
    )


def grid(arms: int, denominator: int) -> Iterator[tuple[Fraction, ...]]:
    """All means with this denominator, the ends 0 and 1 included."""
    yield from product((Fraction(k, denominator) for k in range(denominator + 1)), repeat=arms)

"""Adds up what a walk in probabilities reports: plays, queries and bad rounds, for every round and exactly."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from bufalu.law.bad_events import LastBadRounds
from bufalu.law.histograms import Doubles, Histograms, Integers
from bufalu.law.walk import Stretches, merged
from bufalu.law.weights import Weights, grouped
from bufalu.reference.rationals import Rational, nearest_float


class Rates:
    """A piecewise constant function of the round: weights in units of
    base^-queries, from one round until before another.
    """

    def __init__(self, base: int) -> None:
        self._base = base
        self._steps: dict[int, dict[int, Rational]] = defaultdict(lambda: defaultdict(int))
        self._deepest = 0

    def add(self, queries: int, first: int, stop: int, weight: Rational) -> None:
        """`weight` in the rounds first..stop - 1."""
        depth = queries if self._base > 1 else 0
        self._deepest = max(self._deepest, depth)
        self._steps[first][depth] += weight
        self._steps[stop][depth] -= weight

    def running_sums(self, horizon: int) -> ByRound:
        """The sums over the rounds 1..t, for every t."""
        powers = [1]
        for _ in range(self._deepest):
            powers.append(powers[-1] * self._base)
        rate: Rational = 0
        total: Rational = 0
        numerators: list[Rational] = [0]
        for number in range(1, horizon + 1):
            for depth, weight in self._steps.get(number, {}).items():
                rate += weight * powers[self._deepest - depth]
            total += rate
            numerators.append(total)
        return ByRound(numerators, powers[-1])


class ByRound:
    """A number for each round 0..T, over one denominator."""

    def __init__(self, numerators: list[Rational], denominator: int) -> None:
        self.numerators = numerators
        self.denominator = denominator

    def at(self, round_number: int) -> Fraction:
        """The value after this many rounds."""
        return Fraction(self.numerators[round_number]) / self.denominator

    def __len__(self) -> int:
        return len(self.numerators)

    def doubles(self) -> Doubles:
        """The values after 1..T rounds as the nearest doubles."""
        return np.array([nearest_float(Fraction(value, self.denominator)) for value in self.numerators[1:]])

    def increments(self) -> Iterator[Fraction]:
        """The change in each of the rounds 1..T."""
        for before, after in zip(self.numerators, self.numerators[1:], strict=False):
            yield Fraction(after - before) / self.denominator


class Ledger:
    """The recorder of a law."""

    def __init__(self, arms: int, horizon: int, base: int, bad: LastBadRounds | None) -> None:
        self.plays = [Rates(base) for _ in range(arms)]
        self.queries = [Rates(base) for _ in range(arms)]
        self.bad = Rates(base)
        self.missing = Rates(base)
        self.most_queries = [[0] * (horizon + 1) for _ in range(arms)]
        """For each arm, the largest number of queries on any path that was made in each round (0: none)."""
        self.final: dict[tuple[int, ...], Fraction] = {}
        self._base = base
        self._horizon = horizon
        self._last_bad = bad

    @property
    def follows_bad_events(self) -> bool:
        """Whether `bad` means anything."""
        return self._last_bad is not None

    def stretches(self, table: Histograms, played: Stretches) -> None:
        """Plays, queries and bad rounds of these stretches."""
        counts = table.queries[played.rows]
        depth = counts.sum(axis=1)
        stop = np.minimum(played.stop, self._horizon + 1)
        # Arm and query in one number, so that the weights are summed once.
        kind = 2 * played.arm + played.query
        for (number, until, made), weight in _sums((kind, stop, depth), played.weights):
            arm, query = divmod(number, 2)
            self.plays[arm].add(made, played.first, until, weight)
            if query:
                self.queries[arm].add(made, played.first, until, weight)
        for arm, most in enumerate(self.most_queries):
            asked = played.query & (played.arm == arm)
            if asked.any():
                most[played.first] = max(most[played.first], int(counts[asked, arm].max()) + 1)
        if self._last_bad is None:
            return
        last_bad = self._last_bad.of_rows(table, played.rows)
        bad = last_bad >= played.first
        bad_stop = np.minimum(stop, last_bad + 1)
        for (until, made), weight in _sums((bad_stop[bad], depth[bad]), played.weights.chosen(bad)):
            self.bad.add(made, played.first, until, weight)

    def dropped(self, queries: Integers, weights: Weights, round_number: int) -> None:
        """From now on this mass may do anything."""
        for (made,), weight in _sums((queries,), weights):
            self.missing.add(made, round_number, self._horizon + 1, weight)

    def finished(self, table: Histograms, rows: Integers, weights: Weights) -> None:
        """The distribution of the queries of the arms."""
        if len(rows):
            counts, masses = merged([(table.queries[rows], weights)], self._horizon + 1)
            for row, mass in zip(counts.tolist(), masses.listed(), strict=True):
                self.final[tuple(row)] = Fraction(mass) / self._base ** sum(row)


def _sums(columns: Sequence[Integers], weights: Weights) -> Iterator[tuple[list[int], Rational]]:
    """The rows of the columns, each once, with the sum of their weights."""
    if len(weights) == 1:
        yield [int(column[0]) for column in columns], weights.listed()[0]
    if len(weights) <= 1:
        return
    places, groups = grouped(columns, [int(column.max()) + 1 for column in columns])
    rows = np.stack([column[places] for column in columns], axis=1)
    yield from zip(rows.tolist(), weights.sums(groups, len(places)).listed(), strict=True)

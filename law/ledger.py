"""Adds up what a walk in probabilities reports: plays, queries and bad rounds, for every round and exactly."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from bufalu.law.bad_events import LastBadRounds
from bufalu.law.histograms import Doubles, Histograms, Integers, Weights
from bufalu.law.walk import Stretches, merged
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
        for arm, (plays, queries, most) in enumerate(zip(self.plays, self.queries, self.most_queries, strict=True)):
            here = played.arm == arm
            silent, asked = here & ~played.query, here & played.query
            _add((plays,), depth[silent], played.first, stop[silent], played.weights[silent])
            if asked.any():
                _add((plays, queries), depth[asked], played.first, stop[asked], played.weights[asked])
                most[played.first] = max(most[played.first], int(counts[asked, arm].max()) + 1)
        if self._last_bad is None:
            return
        last_bad = self._last_bad.of_rows(table, played.rows)
        bad = last_bad >= played.first
        bad_stop = np.minimum(stop, last_bad + 1)
        _add((self.bad,), depth[bad], played.first, bad_stop[bad], played.weights[bad])

    def dropped(self, queries: Integers, weights: Weights, round_number: int) -> None:
        """From now on this mass may do anything."""
        _add((self.missing,), queries, round_number, np.full(len(queries), self._horizon + 1), weights)

    def finished(self, table: Histograms, rows: Integers, weights: Weights) -> None:
        """The distribution of the queries of the arms."""
        if len(rows):
            counts, masses = merged([(table.queries[rows], weights)], self._horizon + 1)
            for row, mass in zip(counts.tolist(), masses.tolist(), strict=True):
                self.final[tuple(row)] = Fraction(mass) / self._base ** sum(row)


def _add(books: tuple[Rates, ...], depth: Integers, first: int, stop: Integers, weights: Weights) -> None:
    """Adds weights from round `first` on; those that share depth and last round in one sum."""
    if not len(depth):
        return
    span = int(stop.max()) + 1
    keys = depth * span + stop
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.concatenate([[0], np.flatnonzero(ordered[1:] != ordered[:-1]) + 1])
    sums = np.add.reduceat(weights[order], starts).tolist()
    for key, weight in zip(ordered[starts].tolist(), sums, strict=True):
        for rates in books:
            rates.add(key // span, first, key % span, weight)

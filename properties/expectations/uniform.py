"""Strategies that are better than uniform on Bernoulli arms (l.330), with certificates for all means at once.

"Explore m": relabel the arms by a uniform permutation, query each of them m times in turn, then play an arm of the
largest empirical mean for ever, ties broken uniformly; m = 0 is the uniform choice of one arm. As long as it
explores, every arm has been played T/K times in expectation, by symmetry. Afterwards, for two arms, it is better than
uniform exactly if P(S1 > S2) >= P(S2 > S1) for binomial sums with p1 >= p2, a polynomial inequality on a triangle.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np

from bufalu.law.polynomials import BernsteinForm, Coefficients, PathPolynomial
from bufalu.reference.rationals import Rational


@dataclass(frozen=True)
class Expectations:
    """E n_T(a) and E n^q_T(a), one for each arm."""

    plays: tuple[Fraction, ...]
    queries: tuple[Fraction, ...]


def explore_then_commit(means: tuple[Rational, ...], rounds_each: int, horizon: int) -> Expectations:
    """The law of "explore m" on Bernoulli arms after `horizon` rounds."""
    arms = len(means)
    exploring = min(horizon, arms * rounds_each)
    even = Fraction(exploring, arms)
    committed = commitment(means, rounds_each)
    plays = tuple(even + (horizon - exploring) * probability for probability in committed)
    return Expectations(plays, (even,) * arms)


def commitment(means: tuple[Rational, ...], samples: int) -> tuple[Fraction, ...]:
    """The probability of each arm to be the one with most successes out of `samples`, ties broken uniformly."""
    chances = [[_binomial(samples, k, Fraction(mean)) for k in range(samples + 1)] for mean in means]
    found = []
    for arm in range(len(means)):
        total = Fraction(0)
        for successes in range(samples + 1):
            # The number of other arms that are level with this one, all others being below.
            level = [Fraction(1)]
            for other, mine in enumerate(chances):
                if other == arm:
                    continue
                below, equal = sum(mine[:successes], Fraction(0)), mine[successes]
                level = [
                    (level[k] * below if k < len(level) else Fraction(0))
                    + (level[k - 1] * equal if k else Fraction(0))
                    for k in range(len(level) + 1)
                ]
            share = sum((chance / (ties + 1) for ties, chance in enumerate(level)), Fraction(0))
            total += chances[arm][successes] * share
        found.append(total)
    return tuple(found)


def _binomial(samples: int, successes: int, mean: Fraction) -> Fraction:
    return comb(samples, successes) * mean**successes * (1 - mean) ** (samples - successes)


def advantage(samples: int) -> PathPolynomial:
    """P(S1 > S2) - P(S2 > S1) for two binomial sums, as a polynomial in their means."""
    terms: dict[tuple[tuple[int, int], ...], Rational] = {}
    for first in range(samples + 1):
        for second in range(samples + 1):
            if first != second:
                outcomes = ((samples - first, first), (samples - second, second))
                terms[outcomes] = (1 if first > second else -1) * comb(samples, first) * comb(samples, second)
    return PathPolynomial(2, terms)


def on_triangle(polynomial: PathPolynomial) -> BernsteinForm:
    """A polynomial in (p1, p2) as one in (p1, x) with p2 = p1 x: the triangle p1 >= p2 becomes the unit box."""
    first_degree, second_degree = polynomial.degrees
    powers = np.zeros((first_degree + second_degree + 1, second_degree + 1), dtype=object)
    powers.fill(Fraction(0))
    for ((lost1, won1), (lost2, won2)), coefficient in polynomial.terms.items():
        for i in range(lost1 + 1):
            for j in range(lost2 + 1):
                sign = (-1) ** (i + j)
                powers[won1 + i + won2 + j, won2 + j] += Fraction(
                    sign * coefficient * comb(lost1, i) * comb(lost2, j)
                )
    return BernsteinForm(_bernstein_from_powers(_bernstein_from_powers(powers).T).T)


def _bernstein_from_powers(powers: Coefficients) -> Coefficients:
    """Bernstein coefficients along the first axis: b_k = sum_i C(k, i) / C(n, i) a_i."""
    degree = len(powers) - 1
    rows = [
        sum((powers[i] * Fraction(comb(k, i), comb(degree, i)) for i in range(1, k + 1)), powers[0])
        for k in range(degree + 1)
    ]
    return np.array(rows, dtype=object)


def better_than_uniform(samples: int) -> bool:
    """Whether "explore m" with two arms is better than uniform for all Bernoulli means, by certificate.

    By symmetry it is enough that arm 1 is the better one. A refusal means that no certificate was found.
    """
    return samples == 0 or on_triangle(advantage(samples)).nonnegative() is True

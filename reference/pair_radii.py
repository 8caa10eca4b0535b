"""The radius of two arms together, beyond the paper: how far the difference of two empirical means may be from the true one.

For arms with n and m answers before round t, b(t) the number of binary digits of t and a whole number s, the spread:

    f = ln(t b(t)) + 1/2 ln((n + s)(m + s)/s^2) = 1/2 ln((t b(t)/s)^2 (n + s)(m + s)),
    r = sqrt(f/2 ((n + s)/n^2 + (m + s)/m^2)),

the root of a rational times the logarithm of a rational; +infinity if one arm has no answers. docs/pairs.md has the theorem.

**Doubles**, in units u = 2^-53, for rounds from 2 to 10^15 (below: exact arithmetic alone). t b(t) is off by 1 u, its
logarithm by 8 u of itself and 1 u; (n + s)/s is off by 1 u and so is twice its logarithm's share, beside 8 u of itself. All
parts are positive and ln(t b(t)) >= ln 4, so f is off by 8 u + 2 u/ln 4 + 2 u < 12 u of itself; each (n + s)/n^2 by 2 u, the
sum by 3 u, the product by 17 u, and r by half of that and one rounding: less than 10 u, and `FILTER` is 32 u.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from bufalu.reference.epsilon_shapes import AnyDoubles
from bufalu.reference.exact import FILTER, PLUS_INFINITY, Exact
from bufalu.reference.radicals import NormalForm, RadicalTerm

LARGEST_SPREAD = 10**9
LATEST_ROUND = 10**15
"""Later rounds, and more answers, are not turned into doubles."""


def squared_pair_radius(
    log: Callable[[AnyDoubles], AnyDoubles], of_round: AnyDoubles, one: AnyDoubles, other: AnyDoubles, spread: int
) -> AnyDoubles:
    """r^2 in doubles or arrays of them: `of_round` is ln(t b(t)), and the arms have `one` and `other` answers, at least 1."""
    mine, theirs = one + spread, other + spread
    growth = of_round + (log(mine / spread) + log(theirs / spread)) * 0.5
    return growth * 0.5 * (mine / (one * one) + theirs / (other * other))


def pair_radius(round_number: int, one: int, other: int, spread: int) -> Exact:
    """r of two arms with so many answers, exactly, with a double where there is a safe one."""
    fewer, more = (one, other) if one < other else (other, one)
    if not fewer:
        return PLUS_INFINITY
    form = (_pair_form, (round_number, fewer, more, spread))
    if more > LATEST_ROUND or not 2 <= round_number <= LATEST_ROUND:
        return Exact(0.0, math.inf, form)
    of_round = math.log(round_number * round_number.bit_length())
    approximation = math.sqrt(squared_pair_radius(math.log, of_round, float(fewer), float(more), spread))
    return Exact(approximation, approximation * FILTER, form)


def _pair_form(round_number: int, one: int, other: int, spread: int) -> NormalForm:
    scale = Fraction(round_number * round_number.bit_length(), spread)
    grown = scale * scale * (one + spread) * (other + spread)
    thinness = Fraction(one + spread, one * one) + Fraction(other + spread, other * other)
    return NormalForm((RadicalTerm(1, thinness / 4, logs=((grown, 1),)),), 0)

"""C(T): how often the good event may fail, as printed and as small as its proof allows (l.1158, erratum E14).

For the interval of l.1644 the proof is ours (docs/proofs.md, claim `kl_ucb.regular`).
"""

from __future__ import annotations

import math
from fractions import Fraction

from bufalu.bounds.enclosures import Enclosure, remembered, smallest, total
from bufalu.bounds.errors import OutsideDomain
from bufalu.bounds.smooth_sums import sum_of_inverse_powers
from bufalu.reference.errors import UndecidedComparison


def repaired_failures(arms: int, horizon: int) -> Enclosure:
    """sum over t <= T of 2 K (t-1) / t^3, which proves the printed C(T) = 2K for Hoeffding's interval.

    The two-sided inequality gives 2/t^3 for each of the t - 1 possible counts, not 1/t^3 (l.1158). Keeping t - 1
    rather than t gives 2K (zeta(2) - zeta(3)) < 0.886 K in the limit.
    """
    _check(arms, horizon)
    return 2 * arms * (sum_of_inverse_powers(2, 1, horizon) - sum_of_inverse_powers(3, 1, horizon))


def least_failures(arms: int, horizon: int) -> Enclosure:
    """The failures that matter to BuFALU with Hoeffding's interval: 2 K (t - K - i(t)) / t^3 summed over K < t <= T.

    Rounds up to K need no good event: their queries are counted in the "+1" of each arm. Afterwards every other arm
    has been queried at least once, so an arm has at most t - K queries; and with n <= i(t) = floor(3/2 ln t) of them
    the radius sqrt(3 ln t / (2n)) is at least 1, and a mean of numbers in [0, 1] cannot miss by more.
    """
    _check(arms, horizon)
    result = Enclosure.of(0)
    first = arms + 1
    while first <= horizon:
        impossible = _whole(Fraction(3, 2) * Enclosure.of(first).log())
        # The next whole number is reached at the first t above exp(2 (i + 1) / 3), which is no integer (Lindemann).
        last = min(horizon, _whole(Enclosure.of(Fraction(2 * (impossible + 1), 3)).exp()))
        start = max(first, arms + impossible + 1)
        squares, cubes = sum_of_inverse_powers(2, start, last), sum_of_inverse_powers(3, start, last)
        result = result + 2 * arms * (squares - (arms + impossible) * cubes)
        first = last + 1
    return result


def least_bernstein_failures(arms: int, horizon: int) -> Enclosure:
    """The least failures of Bernstein's interval: the sum over K < t <= T of 6 K (t - K - 1) / t^3.

    The mean fails with probability at most 4/t^3 and the deviation with at most 2/t^3 (l.1265), for each of the
    counts 2..t-K for which the interval is finite.
    """
    _check(arms, horizon)
    squares, cubes = sum_of_inverse_powers(2, arms + 1, horizon), sum_of_inverse_powers(3, arms + 1, horizon)
    return 6 * arms * (squares - (arms + 1) * cubes)


ROUNDS_ONE_BY_ONE = 1000
"""Failures of the interval of l.1644 are summed one by one up to this round; what follows is bounded at once."""


def least_log_log_failures(arms: int, horizon: int) -> Enclosure:
    """K times the failures of the interval of l.1644 in the rounds K < t <= T, each at most min{1, 2 sqrt(e) D e^-g}.

    Here g = ln t + 3 ln ln t, which is replaced by 0 at t = 2, and D is the whole part of sqrt(2g) ln(t - 1) / 4 and one
    more. After `ROUNDS_ONE_BY_ONE` rounds the sum is replaced by what the Coq theorem proves of it, a difference of two
    values of `_log_log_rest`.
    """
    _check(arms, horizon)
    first, listed = max(arms + 1, 2), min(horizon, ROUNDS_ONE_BY_ONE)
    result = _log_log_failures(first, listed)
    start = max(first - 1, ROUNDS_ONE_BY_ONE)
    if start < horizon:
        result = result + _log_log_rest(start) - _log_log_rest(horizon)
    return arms * result


@remembered
def _log_log_failures(first: int, last: int) -> Enclosure:
    return total(_log_log_failure(t) for t in range(first, last + 1))


def _log_log_failure(round_number: int) -> Enclosure:
    if round_number == 2:
        return Enclosure.of(1)
    logarithm = Enclosure.of(round_number).log()
    growth = logarithm + 3 * logarithm.log()
    ranges = _whole((2 * growth).sqrt() * Enclosure.of(round_number - 1).log() / 4) + 1
    return smallest([1, 2 * ranges * (Fraction(1, 2) - growth).exp()])


def _log_log_rest(round_number: int) -> Enclosure:
    """96/25 (ln t)^(-1/2) + 9/5 (ln t)^-2: between two rounds t >= 3 it falls by no less than the failures sum to."""
    logarithm = Enclosure.of(round_number).log()
    return Fraction(96, 25) / logarithm.sqrt() + Fraction(9, 5) / logarithm.squared()


def _whole(value: Enclosure) -> int:
    floor = math.floor(value.lower)
    if floor != math.floor(value.upper):
        raise UndecidedComparison("the whole part of a number is not decided: evaluate again with more bits")
    return floor


def _check(arms: int, horizon: int) -> None:
    if arms < 1 or horizon < 1:
        raise OutsideDomain(f"failures are counted for K >= 1 arms and T >= 1 rounds, not {arms} and {horizon}")

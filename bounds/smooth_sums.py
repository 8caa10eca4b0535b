"""Sums of t^e (ln t)^p over many rounds, by the formula of Euler and Maclaurin with a proved remainder.

For f(t) = t^e (ln t)^p with e <= 0, and any m, sum_{t=start}^{last} f(t) = integral + (f(start) + f(last))/2 +
sum_{k<=m} B_2k/(2k)! (f^(2k-1)(last) - f^(2k-1)(start)) + R with |R| <= |B_2m|/(2m)! times the integral of |f^(2m)|, because
|B_2m({x})| <= |B_2m|. The derivatives are f^(k)(t) = t^(e-k) sum_j c_j (ln t)^(p-j), so that the last integral is at most
start^(e-2m+1)/(2m-1-e) times the sum of |c_j| times the larger of (ln t)^(p-j) at the two ends.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, lru_cache
from math import comb

from bufalu.bounds.enclosures import Enclosure, largest, total
from bufalu.bounds.errors import OutsideDomain
from bufalu.reference.rationals import Rational

DIRECT_TERMS, CORRECTIONS = 64, 20
"""Rounds before the first of these are summed one by one, so that derivatives are tiny; the second is the m above."""


def sum_of_powers(exponent: Rational, log_power: Rational, first: int, last: int) -> Enclosure:
    """The sum of t^exponent (ln t)^log_power for t = first..last, exponent <= 0, first >= 2; zero over nothing."""
    if exponent > 0 or first < 2:
        raise OutsideDomain("only powers t^-a with a >= 0 of t >= 2 are summed")
    function = _Summand(Fraction(exponent), Fraction(log_power))
    if last - first < 2 * DIRECT_TERMS:
        return total(function.derivative(0, point) for point in range(first, last + 1))
    # some terms one by one, so that the derivatives are tiny
    start = max(first, DIRECT_TERMS)
    result = total(function.derivative(0, point) for point in range(first, start))
    result = result + function.primitive(last) - function.primitive(start)
    result = result + (function.derivative(0, start) + function.derivative(0, last)) / 2
    bernoulli = bernoulli_numbers(2 * CORRECTIONS)
    weight, factorial = Fraction(0), 1
    for k in range(1, CORRECTIONS + 1):
        factorial *= (2 * k - 1) * (2 * k)
        weight = bernoulli[2 * k] / factorial
        result = result + weight * (function.derivative(2 * k - 1, last) - function.derivative(2 * k - 1, start))
    remainder = abs(weight) * function.variation(2 * CORRECTIONS, start, last)
    return result + Enclosure.between(-remainder.upper, remainder.upper)


class _Summand:
    """f(t) = t^exponent (ln t)^log_power, with its derivatives and an integral."""

    def __init__(self, exponent: Fraction, log_power: Fraction) -> None:
        self._exponent, self._log_power = exponent, log_power
        self._orders = _factors(exponent, log_power, 2 * CORRECTIONS)

    def derivative(self, order: int, point: int) -> Enclosure:
        """f^(order)(t)."""
        logarithm = Enclosure.of(point).log()
        powers = (factor * logarithm.power(self._log_power - fall) for fall, factor in self._orders[order].items())
        return total(powers) * Enclosure.of(point).power(self._exponent - order)

    def variation(self, order: int, start: int, last: int) -> Enclosure:
        """At least the integral of |f^(order)| from start to last; order >= 2."""
        ends = Enclosure.of(start).log(), Enclosure.of(last).log()
        powers = (
            abs(factor) * largest([end.power(self._log_power - fall) for end in ends])
            for fall, factor in self._orders[order].items()
        )
        rest = self._exponent - order + 1
        return total(powers) * Enclosure.of(start).power(rest) / -rest

    def primitive(self, point: int) -> Enclosure:
        """An antiderivative: with x = ln t, f(t) dt is x^log_power exp((exponent + 1) x) dx."""
        return _primitive(self._log_power, self._exponent + 1, Enclosure.of(point).log())


def _primitive(power: Fraction, rate: Fraction, x: Enclosure) -> Enclosure:
    """An antiderivative of x^power exp(rate x)."""
    rise = power + 1
    if rate == 0:
        return x.power(rise) / rise if rise else x.log()
    if rise > 0:
        return x.power(rise) / rise * (rate * x).confluent_hypergeometric(rise, rise + 1)
    if rise == 0:
        return (rate * x).exponential_integral()
    return (x.power(rise) * (rate * x).exp() - rate * _primitive(rise, rate, x)) / rise


@lru_cache(maxsize=64)
def _factors(exponent: Fraction, log_power: Fraction, highest: int) -> tuple[dict[int, Fraction], ...]:
    """For each order k, the c_j with f^(k)(t) = t^(e-k) sum_j c_j (ln t)^(p-j)."""
    orders = [{0: Fraction(1)}]
    for order in range(highest):
        following: dict[int, Fraction] = {}
        for fall, factor in orders[-1].items():
            # d/dt of t^r (ln t)^q is t^(r-1) (r (ln t)^q + q (ln t)^(q-1))
            following[fall] = following.get(fall, Fraction(0)) + (exponent - order) * factor
            following[fall + 1] = following.get(fall + 1, Fraction(0)) + (log_power - fall) * factor
        orders.append({fall: factor for fall, factor in following.items() if factor})
    return tuple(orders)


def sum_of_inverse_powers(order: int, first: int, last: int) -> Enclosure:
    """The sum of t^-order for t = first..last, order >= 1, as a difference of digamma or Hurwitz zeta functions."""
    if last < first:
        return Enclosure.of(0)
    if order == 1:
        return Enclosure.of(last + 1).digamma() - Enclosure.of(first).digamma()
    power = Enclosure.of(order)
    return power.hurwitz_zeta(first) - power.hurwitz_zeta(last + 1)


@cache
def bernoulli_numbers(highest: int) -> tuple[Fraction, ...]:
    """B_0..B_highest, with B_1 = -1/2."""
    numbers = [Fraction(1)]
    for n in range(1, highest + 1):
        numbers.append(-sum((comb(n + 1, k) * numbers[k] for k in range(n)), Fraction(0)) / (n + 1))
    return tuple(numbers)

"""Sums of t^p, ln t and (ln t)^p over many rounds, by the formula of Euler and Maclaurin with a proved remainder.

With start >= 2 and any p, sum_{t=start}^{last} f(t) = integral + (f(start) + f(last))/2 + sum_{k<p} B_2k/(2k)!
(f^(2k-1)(last) - f^(2k-1)(start)) + R. If f^(2p) keeps one sign, |R| <= |B_2p|/(2p)! |f^(2p-1)(last) -
f^(2p-1)(start)|, because |B_2p({x})| <= |B_2p|. All functions here qualify: t^p with p <= 0 is completely monotone;
so is (ln t)^p with p < 0 on t > 1, the negative power of the Bernstein function ln(1 + s); and sqrt(ln t), a
Bernstein function of a Bernstein function, has a completely monotone derivative.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import TypeAlias

from bufalu.bounds.enclosures import Enclosure, pi, total
from bufalu.bounds.errors import OutsideDomain

DIRECT_TERMS = 64
CORRECTIONS = 20

Derivative: TypeAlias = Callable[[int, int], Enclosure]
"""(order, t) -> the derivative of that order at t; order 0 is the function."""


def sum_of_powers(exponent: Fraction, first: int, last: int) -> Enclosure:
    """The sum of t^exponent for t = first..last, exponent <= 0; zero over nothing."""
    if exponent > 0 or first < 1:
        raise OutsideDomain("only powers t^-a with a >= 0 of t >= 1 are summed")
    if exponent == 0:
        return Enclosure.of(max(0, last - first + 1))

    def derivative(order: int, point: int) -> Enclosure:
        factor = Fraction(1)
        for step in range(order):
            factor *= exponent - step
        return factor * Enclosure.of(point).power(exponent - order)

    def integral(start: int, end: int) -> Enclosure:
        if exponent == -1:
            return Enclosure.of(end).log() - Enclosure.of(start).log()
        rise = exponent + 1
        return (Enclosure.of(end).power(rise) - Enclosure.of(start).power(rise)) / rise

    return _summed(derivative, integral, first, last)


def sum_of_log_powers(exponent: Fraction, first: int, last: int) -> Enclosure:
    """The sum of (ln t)^exponent for t = first..last, first >= 2, exponent -1 or 1/2; zero over nothing."""
    if exponent not in (Fraction(-1), Fraction(1, 2)) or first < 2:
        raise OutsideDomain("only 1/ln t and sqrt(ln t) of t >= 2 are summed")
    coefficients = _log_power_derivatives(exponent, 2 * CORRECTIONS)

    def derivative(order: int, point: int) -> Enclosure:
        logarithm = Enclosure.of(point).log()
        powers = total(factor * logarithm.power(exponent - fall) for fall, factor in coefficients[order].items())
        return powers / Enclosure.of(point).power(order)

    primitive = _integral_of_inverse_log if exponent < 0 else _integral_of_root_log
    return _summed(derivative, lambda start, end: primitive(end) - primitive(start), first, last)


def sum_of_logs(first: int, last: int) -> Enclosure:
    """The sum of ln t for t = first..last, first >= 1, as ln(last!) - ln((first-1)!)."""
    if last < first:
        return Enclosure.of(0)
    return Enclosure.of(last + 1).log_gamma() - Enclosure.of(first).log_gamma()


def sum_of_inverse_powers(order: int, first: int, last: int) -> Enclosure:
    """The sum of t^-order for t = first..last, order >= 2, as a difference of Hurwitz zeta functions."""
    if last < first:
        return Enclosure.of(0)
    power = Enclosure.of(order)
    return power.hurwitz_zeta(first) - power.hurwitz_zeta(last + 1)


def _log_power_derivatives(exponent: Fraction, highest: int) -> list[dict[int, Fraction]]:
    """For each order k, the factors c_j in t^k (d/dt)^k (ln t)^p = sum_j c_j (ln t)^(p - j)."""
    orders = [{0: Fraction(1)}]
    for order in range(highest):
        following: dict[int, Fraction] = {}
        for fall, factor in orders[-1].items():
            # d/dt of t^-k (ln t)^q is t^-(k+1) (-k (ln t)^q + q (ln t)^(q-1))
            following[fall] = following.get(fall, Fraction(0)) - order * factor
            following[fall + 1] = following.get(fall + 1, Fraction(0)) + (exponent - fall) * factor
        orders.append({fall: factor for fall, factor in following.items() if factor})
    return orders


def _integral_of_inverse_log(end: int) -> Enclosure:
    return Enclosure.of(end).logarithmic_integral()


def _integral_of_root_log(end: int) -> Enclosure:
    """t sqrt(ln t) - sqrt(pi)/2 erfi(sqrt(ln t)), a primitive of sqrt(ln t)."""
    root_log = Enclosure.of(end).log().sqrt()
    return end * root_log - pi().sqrt() / 2 * root_log.imaginary_error_function()


def _summed(derivative: Derivative, integral: Callable[[int, int], Enclosure], first: int, last: int) -> Enclosure:
    """Some terms one by one, so that the derivatives are tiny, then the formula of the module's docstring."""
    if last - first < 2 * DIRECT_TERMS:
        return total(derivative(0, point) for point in range(first, last + 1))
    start = max(first, DIRECT_TERMS)
    result = total(derivative(0, point) for point in range(first, start))
    result = result + integral(start, last) + (derivative(0, start) + derivative(0, last)) / 2
    bernoulli = bernoulli_numbers(2 * CORRECTIONS)
    factorial = 1
    for k in range(1, CORRECTIONS + 1):
        factorial *= (2 * k - 1) * (2 * k)
        weight = bernoulli[2 * k] / factorial
        correction = weight * (derivative(2 * k - 1, last) - derivative(2 * k - 1, start))
        if k < CORRECTIONS:
            result = result + correction
        else:
            size = max(abs(correction.lower), abs(correction.upper))
            result = result + Enclosure.between(-size, size)
    return result


def bernoulli_numbers(highest: int) -> list[Fraction]:
    """B_0..B_highest, with B_1 = -1/2."""
    numbers = [Fraction(1)]
    for n in range(1, highest + 1):
        numbers.append(-sum((comb(n + 1, k) * numbers[k] for k in range(n)), Fraction(0)) / (n + 1))
    return numbers

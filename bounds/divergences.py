"""Kullback-Leibler divergences between finite distributions (l.288), certified."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeVar

from bufalu.bounds.enclosures import INFINITE, Enclosure, Number, largest
from bufalu.bounds.errors import OutsideDomain
from bufalu.bounds.expressions import Expression, log
from bufalu.reference.rationals import Rational

Formula = TypeVar("Formula", Fraction, Expression)
"""What a formula is made of: numbers where the product evaluates it, symbols where the audit examines it."""


def relative_entropy(left: Mapping[Rational, Rational], right: Mapping[Rational, Rational]) -> Enclosure:
    """KL(left, right) of two finite distributions given as value -> probability (l.288).

    Infinite when `left` puts mass where `right` puts none; 0 ln 0 is 0.
    """
    result = Enclosure.of(0)
    for value, mass in left.items():
        if mass == 0:
            continue
        other = right.get(value, 0)
        if other == 0:
            return INFINITE
        result = result + mass * Enclosure.of(Fraction(mass) / Fraction(other)).log()
    return result


def bernoulli_entropy(p: Number, q: Number) -> Enclosure:
    """kl(p, q) = p ln(p/q) + (1-p) ln((1-p)/(1-q)) with its limits at the ends (l.288).

    Raises `OutsideDomain` for a number known to lie outside [0, 1].
    """
    left, right = Enclosure.of(p), Enclosure.of(q)
    if any(side.is_infinite or side.upper < 0 or side.lower > 1 for side in (left, right)):
        raise OutsideDomain(f"kl({p}, {q}) needs two numbers in [0, 1]")
    return _half(left, right) + _half(1 - left, 1 - right)


def _half(p: Enclosure, q: Enclosure) -> Enclosure:
    """p ln(p/q), which is 0 at p = 0 and infinite at q = 0 < p."""
    if p.is_zero:
        return Enclosure.of(0)
    if q.is_zero:
        return INFINITE
    return p * (p / q).log()


def bernoulli_entropy_expression(p: Expression, q: Expression) -> Expression:
    """kl(p, q) as a formula, for p and q strictly between 0 and 1."""
    return p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))


def log_lower_bound(p: Rational, q: Rational) -> Enclosure:
    """max{p ln(1/q), (1-p) ln(1/(1-q))} - ln 2, which kl(p, q) is never below (l.518)."""
    halves = [_log_half(p, q), _log_half(1 - p, 1 - q)]
    if any(half.is_infinite for half in halves):
        return INFINITE
    return largest(halves) - Enclosure.of(2).log()


def _log_half(p: Rational, q: Rational) -> Enclosure:
    if p == 0:
        return Enclosure.of(0)
    if q == 0:
        return INFINITE
    return -(p * Enclosure.of(q).log())


def local_pinsker(p: Rational, q: Rational) -> Fraction:
    """(q - p)^2 / (2q), which kl(p, q) is never below for p < q (l.783); raises `OutsideDomain` for other numbers."""
    if not 0 <= p < q <= 1:
        raise OutsideDomain("the local refinement of Pinsker's inequality needs 0 <= p < q <= 1")
    return quadratic_form(Fraction(p), Fraction(q))


def quadratic_form(p: Formula, q: Formula) -> Formula:
    """(q - p)^2 / (2q), of rationals or of formulas (l.783)."""
    return (q - p) ** 2 / (2 * q)


def gaussian_form(distance: Formula, variance: Formula) -> Formula:
    """distance^2 / (2 variance), the divergence of two normal distributions, of rationals or of formulas (l.352)."""
    return distance**2 / (2 * variance)

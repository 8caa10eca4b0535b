"""The formulas of `bounds` in the symbols of the proofs: L stands for ln t, so that inequalities become polynomial."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy

from bufalu.bounds import BERNSTEIN, HOEFFDING
from bufalu.bounds.divergences import bernoulli_entropy_expression as kl
from bufalu.bounds.enclosures import Enclosure
from bufalu.bounds.expressions import Expression, Operand, counting, exp, number, pi_expression, positive, real, sqrt
from bufalu.bounds.regularity import ROUNDING, SampleRule
from bufalu.reference.exact import Exact


def hoeffding_count(logarithm: Expression, level: Expression) -> Expression:
    """N(t, level) of Hoeffding's interval, 6 L / level^2 as printed (l.411)."""
    return HOEFFDING.sure.expression(exp(logarithm), level)


def bernstein_count(variance: Operand, logarithm: Expression, level: Expression) -> Expression:
    """N_a^g(t, level) of Bernstein's interval for any variance, of which it is an affine function (l.1220)."""
    without = BERNSTEIN.good(0).expression(exp(logarithm), level)
    return without + variance * (BERNSTEIN.good(1).expression(exp(logarithm), level) - without)


def smaller_bernstein_cap(logarithm: Expression, level: Expression) -> Expression:
    """N_2^as(t, level) of Bernstein's interval (l.1226)."""
    return BERNSTEIN.sure.expression(exp(logarithm), level)


def larger_bernstein_cap(logarithm: Expression, level: Expression) -> Expression:
    """N_1^as(t, level) of Bernstein's interval (l.1224)."""
    return BERNSTEIN.looser.expression(exp(logarithm), level)


def numbers_follow_formula(rule: SampleRule, first: int = 2) -> bool:
    """Whether the numbers, the doubles and the exact comparisons of a rule are those of its formula, on a grid.

    `first` is the first round whose number is positive, so that it can be compared with a count below it.
    """
    formula = rule.expression(counting("T"), positive("level"))
    for t, level in product((first, 50, 10**6), (Fraction(1, 7), Fraction(3))):
        value = formula.evaluate({"T": t, "level": level, **rule.symbols(t)})
        count = Enclosure.of(rule.count(t, Exact.of(level)))
        double = float(rule.doubles(numpy.array([float(t)]), numpy.array([float(level)]))[0])
        below, above = math.floor(value.lower), math.floor(value.upper) + 1
        compared = rule.exceeds(below, t, Exact.of(level)) and not rule.exceeds(above, t, Exact.of(level))
        if not (count.overlaps(value) and math.isclose(double, float(value), rel_tol=ROUNDING) and compared):
            return False
    return True


def integrated_gaussian_divergence(mean: Expression, other: Expression) -> Expression:
    """KL(N(mean, 1), N(other, 1)) by integrating its definition over z = x - mean."""
    z = real("z")
    density = exp(-(z**2) / 2) / sqrt(2 * pi_expression())
    log_ratio = (z + mean - other) ** 2 / 2 - z**2 / 2
    return (density * log_ratio).integral_over_reals("z")


def zeta(argument: int) -> Enclosure:
    """Riemann's zeta function at a whole number above 1."""
    return Enclosure.of(argument).hurwitz_zeta(1)


def portion(odds: Expression) -> Expression:
    """A number strictly between 0 and 1 as x / (1 + x), so that logarithms of it and of its complement split."""
    return odds / (number(1) + odds)


__all__ = [
    "bernstein_count",
    "hoeffding_count",
    "integrated_gaussian_divergence",
    "kl",
    "larger_bernstein_cap",
    "numbers_follow_formula",
    "portion",
    "smaller_bernstein_cap",
    "zeta",
]

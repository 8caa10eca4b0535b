"""Formulas: built with assumptions, evaluated two ways, never from text."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from bufalu.bounds.divergences import bernoulli_entropy, bernoulli_entropy_expression
from bufalu.bounds.errors import NotEvaluable
from bufalu.bounds.expressions import (
    Expression,
    counting,
    exp,
    log,
    maximum,
    minimum,
    nonnegative,
    number,
    positive,
    sqrt,
    summed,
)
from tests.bounds.questions import fewer, portions

levels = portions(1, 1000, 1000)
inner = portions(1, 99, 100)


def sample_formula() -> Expression:
    horizon, gap, level = counting("T"), positive("Delta"), nonnegative("epsilon")
    return minimum(6 * log(horizon) / maximum(gap, level) ** 2, horizon - 1) + sqrt(gap) / 3 - exp(-level)


@fewer(2)
@given(st.integers(2, 10**9), levels, levels)
def test_both_evaluations_agree(horizon: int, gap: Fraction, level: Fraction) -> None:
    values = {"T": horizon, "Delta": gap, "epsilon": level}
    certified = sample_formula().evaluate(values)
    decimal = Fraction(sample_formula().decimal(values, 40))
    assert abs(certified.lower - decimal) <= abs(decimal) / 10**30


@given(inner, inner)
def test_kl_formula_and_function_agree(p: Fraction, q: Fraction) -> None:
    formula = bernoulli_entropy_expression(positive("p"), positive("q")).evaluate({"p": p, "q": q})
    assert formula.overlaps(bernoulli_entropy(p, q))


def test_a_symbol_without_a_value_is_named() -> None:
    with pytest.raises(NotEvaluable, match="Delta"):
        sample_formula().evaluate({"T": 10, "epsilon": 0})
    with pytest.raises(NotEvaluable, match="Delta"):
        sample_formula().decimal({"T": 10, "epsilon": 0})


def test_symbols_printing_and_algebra() -> None:
    assert sample_formula().symbols == {"T", "Delta", "epsilon"}
    assert r"\bar{N}_{1}" in (positive("Nbar_1") + 1).latex()
    x, y = positive("x"), positive("y")
    assert sqrt(x**2).is_identically(x), "needs the assumption that x is positive"
    assert not sqrt(x**2).is_identically(-x)
    assert (x * log(x)).derivative("x").is_identically(log(x) + 1)
    assert number(2).derivative("x").is_identically(0)
    assert summed([x, y, x]).is_identically(2 * x + y)
    assert summed([]).is_identically(0)


def test_minimiser_of_the_problem_independent_bound() -> None:
    """24 K ln T / D + D T is least at D = sqrt(24 K ln T / T), where it is 4 sqrt(6 K T ln T) (l.1055)."""
    arms, horizon, level = counting("K"), counting("T"), positive("D")
    objective = 24 * arms * log(horizon) / level + level * horizon
    minimiser = sqrt(24 * arms * log(horizon) / horizon)
    at = objective.substitute({"D": minimiser})
    for k, t in ((1, 2), (5, 1000), (7, 10**9)):
        values = {"K": k, "T": t}
        slope = objective.derivative("D").substitute({"D": minimiser}).evaluate(values)
        assert slope.lower <= 0 <= slope.upper
        assert slope.upper - slope.lower < Fraction(1, 10**20)
        assert at.evaluate(values).overlaps((4 * sqrt(6 * arms * horizon * log(horizon))).evaluate(values))
        # The mutant with 12 for 24 is not the minimiser.
        wrong = objective.derivative("D").substitute({"D": sqrt(12 * arms * log(horizon) / horizon)}).evaluate(values)
        assert wrong.upper < 0


def test_a_difference_of_one_is_no_identity():
    x = counting("x")
    assert not (x + 1).is_identically(x)
    assert (x + 1 - 1).is_identically(x)


def test_what_balls_do_not_compute_is_refused_by_its_name() -> None:
    with pytest.raises(NotEvaluable, match="no certified evaluation of sin"):
        Expression(sympy.sin(sympy.Symbol("x"))).evaluate({"x": 1})

"""Strategies and lists that several tests of the bounds share."""

from fractions import Fraction

from hypothesis import strategies as st

from bufalu.reference.instances import Instance
from bufalu.reference.schedules import (
    BernsteinBudget,
    Budget,
    Constant,
    InverseLog,
    NondecreasingBudget,
    Power,
    Schedule,
    Values,
    Zero,
)

FORMULAS: tuple[Schedule, ...] = (
    Zero(),
    Constant(Fraction(1, 10)),
    Constant(3),
    Power(Fraction(1, 4)),
    Power(Fraction(2, 5)),
    Power(Fraction(3, 4)),
    Power(Fraction(1, 100)),
    InverseLog(),
    Budget(100),
    Budget(3),
    Budget(Fraction(101, 2)),
    BernsteinBudget(300),
    BernsteinBudget(20),
    BernsteinBudget(Fraction(13, 2)),
)
"""Every schedule that is a formula, with budgets above and below what the arms need (at most five of them)."""

fractions = st.integers(0, 12).map(lambda twelfths: Fraction(twelfths, 12))
levels = st.integers(0, 24).map(lambda twelfths: Fraction(twelfths, 12))
instances = st.lists(fractions, min_size=1, max_size=4).map(Instance.deterministic)
several_arms = st.lists(fractions, min_size=2, max_size=4).map(Instance.deterministic)
formulas = st.one_of(
    st.sampled_from(FORMULAS),
    st.builds(Constant, levels),
    st.builds(Power, st.fractions(min_value=0, max_value=2, max_denominator=6)),
    st.builds(Budget, st.fractions(min_value=1, max_value=200, max_denominator=4)),
    st.builds(BernsteinBudget, st.fractions(min_value=6, max_value=400, max_denominator=4)),
)


def value_lists(length: int) -> st.SearchStrategy[Values]:
    """Arbitrary sequences, with zeros and repeated values."""
    return st.lists(levels, min_size=length, max_size=length).map(lambda values: Values(tuple(values)))


def growing_budget(round_number: int) -> int:
    """A nondecreasing budget that jumps."""
    return 3 + round_number // 7 + (40 if round_number > 30 else 0)


GROWING = NondecreasingBudget(growing_budget)

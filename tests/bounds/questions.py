"""Strategies and lists that several tests of the bounds share."""

from dataclasses import dataclass
from fractions import Fraction

from hypothesis import settings
from hypothesis import strategies as st

from bufalu.reference.instances import Instance
from bufalu.reference.radicals import RadicalTerm
from bufalu.reference.schedules import (
    BernsteinBudget,
    Budget,
    Constant,
    InverseLog,
    NondecreasingBudget,
    Power,
    Schedule,
    ShapedSchedule,
    Values,
    Zero,
)


@dataclass(frozen=True)
class OfTerms(ShapedSchedule):
    """A stranger's schedule: any terms, the same for any number of arms."""

    own: tuple[RadicalTerm, ...]

    def terms(self, arms: int) -> tuple[RadicalTerm, ...]:
        return self.own


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
    OfTerms((RadicalTerm(1, exponent=Fraction(-1, 2), degree=1),)),
    OfTerms((RadicalTerm(Fraction(1, 3)), RadicalTerm(1, exponent=Fraction(-1, 3)), RadicalTerm(1, 2, degree=-1))),
    OfTerms((RadicalTerm(Fraction(1, 9), degree=2),)),
    OfTerms((RadicalTerm(1, Fraction(1, 5), degree=1), RadicalTerm(Fraction(1, 4), degree=2))),
)
"""Every schedule that is a formula, also of a stranger; budgets above and below what the arms (at most five) need."""


WILD = OfTerms((RadicalTerm(1, exponent=Fraction(-1, 8), degree=2), RadicalTerm(Fraction(1, 20), degree=3)))
"""Terms of which nothing is known in advance but their sum: the rest is walked through."""


def portions(first: int, last: int, whole: int) -> st.SearchStrategy[Fraction]:
    """first/whole, ..., last/whole: much faster to draw than `st.fractions`."""
    return st.integers(first, last).map(lambda count: Fraction(count, whole))


def fewer(parts: int) -> settings:
    """A part of the profile's examples, for tests whose cases are costly."""
    return settings(max_examples=max(10, settings().max_examples // parts))


fractions = portions(0, 12, 12)
levels = portions(0, 24, 12)
instances = st.lists(fractions, min_size=1, max_size=4).map(Instance.deterministic)
several_arms = st.lists(fractions, min_size=2, max_size=4).map(Instance.deterministic)
formulas = st.one_of(
    st.sampled_from((*FORMULAS, WILD)),
    st.builds(Constant, levels),
    st.builds(Power, portions(0, 12, 6)),
    st.builds(Budget, portions(4, 800, 4)),
    st.builds(BernsteinBudget, portions(24, 1600, 4)),
)


def value_lists(length: int) -> st.SearchStrategy[Values]:
    """Arbitrary sequences, with zeros and repeated values."""
    return st.lists(levels, min_size=length, max_size=length).map(lambda values: Values(tuple(values)))


def growing_budget(round_number: int) -> int:
    """A nondecreasing budget that jumps."""
    return 3 + round_number // 7 + (40 if round_number > 30 else 0)


GROWING = NondecreasingBudget(growing_budget)

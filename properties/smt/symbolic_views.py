"""One round seen twice: with free reals in place of the numbers, and with the numbers of a solver's model."""

from __future__ import annotations

from fractions import Fraction

from bufalu.properties.smt.grounding import constant, radius
from bufalu.properties.smt.intervals import EPSILON, LCB, UCB
from bufalu.properties.smt.models import Model
from bufalu.properties.smt.relations import ALL_QUERIES, EMPIRICAL_MEAN, QUERIES
from bufalu.properties.smt.symbolic import Explorer, SymbolicReal
from bufalu.properties.smt.terms import number, real
from bufalu.reference.exact import MINUS_INFINITY, PLUS_INFINITY, Exact
from bufalu.reference.rationals import Rational

LOG = real("log")


class SymbolicView:
    """A round after the initial ones in which nothing is known but which intervals are infinite."""

    def __init__(self, explorer: Explorer, arms: int, infinite: frozenset[int]) -> None:
        self.round = arms + 1
        self.arms = arms
        self.epsilon = SymbolicReal(explorer, EPSILON)
        self._explorer = explorer
        self._infinite = infinite

    def lcb(self, arm: int) -> SymbolicReal:
        """A free real, or minus infinity."""
        if arm in self._infinite:
            return SymbolicReal(self._explorer, None, -1)
        return SymbolicReal(self._explorer, constant(LCB, arm))

    def ucb(self, arm: int) -> SymbolicReal:
        """A free real, or plus infinity."""
        if arm in self._infinite:
            return SymbolicReal(self._explorer, None, 1)
        return SymbolicReal(self._explorer, constant(UCB, arm))

    def width(self, arm: int) -> SymbolicReal:
        """UCB - LCB."""
        return self.ucb(arm) - self.lcb(arm)

    def mean(self, arm: int) -> SymbolicReal:
        """A free real."""
        return SymbolicReal(self._explorer, constant(EMPIRICAL_MEAN, arm))

    def queries(self, arm: int) -> SymbolicReal:
        """A free real."""
        return SymbolicReal(self._explorer, constant(QUERIES, arm))

    def pair_radius(self, arm: int, other: int, spread: int) -> SymbolicReal:
        """A free real for each pair of arms."""
        return SymbolicReal(self._explorer, radius(arm, other))

    def all_queries(self) -> SymbolicReal:
        """A free real."""
        return SymbolicReal(self._explorer, ALL_QUERIES)

    def log(self) -> SymbolicReal:
        """A free positive real."""
        return SymbolicReal(self._explorer, LOG)

    def number(self, value: Rational) -> SymbolicReal:
        """A rational constant."""
        return SymbolicReal(self._explorer, number(value))


class ReplayView:
    """A round with the numbers of a solver's model, as the reference's exact numbers."""

    def __init__(self, model: Model, arms: int, infinite: frozenset[int]) -> None:
        self.round = arms + 1
        self.arms = arms
        self._reals = model.reals
        self._infinite = infinite
        self.epsilon = self._value("epsilon")

    def _value(self, name: str) -> Exact:
        return Exact.of(self._reals.get(name, Fraction(0)))

    def lcb(self, arm: int) -> Exact:
        """LCB of the model."""
        return MINUS_INFINITY if arm in self._infinite else self._value(f"LCB_{arm}")

    def ucb(self, arm: int) -> Exact:
        """UCB of the model."""
        return PLUS_INFINITY if arm in self._infinite else self._value(f"UCB_{arm}")

    def width(self, arm: int) -> Exact:
        """UCB - LCB."""
        return PLUS_INFINITY if arm in self._infinite else self.ucb(arm) - self.lcb(arm)

    def mean(self, arm: int) -> Exact:
        """The empirical mean of the model."""
        return self._value(f"empirical_mean_{arm}")

    def queries(self, arm: int) -> Exact:
        """The queries of the model."""
        return self._value(f"queries_{arm}")

    def pair_radius(self, arm: int, other: int, spread: int) -> Exact:
        """The radius of the model."""
        return self._value(radius(arm, other).name)

    def all_queries(self) -> Exact:
        """B^q(t-1)."""
        return self._value("all_queries")

    def log(self) -> Exact:
        """ln t, whatever the model says it is."""
        return self._value("log")

    def number(self, value: Rational) -> Exact:
        """A rational constant."""
        return Exact.of(value)

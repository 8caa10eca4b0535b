"""Correct programs in plain doubles: other sums, other ties, the same policy. Nothing may reject them by default."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from bufalu.reference.comparisons import parse_ties
from bufalu.reference.confidence import confidence_named
from bufalu.reference.errors import UnknownName
from bufalu.reference.policies import Decision, policy_named
from bufalu.reference.radius_shapes import RadiusShape
from bufalu.reference.rationals import Rational, nearest_float

Keeping = Literal["sums", "running means"]
KEEPINGS: tuple[Keeping, ...] = ("sums", "running means")


@dataclass
class FloatArm:
    """An arm's statistics in doubles, kept as sums or as running means."""

    keeping: Keeping
    queries: int = 0
    first: float = 0.0
    second: float = 0.0

    def add(self, reward: float) -> None:
        """One more reward."""
        self.queries += 1
        if self.keeping == "sums":
            self.first += reward
            self.second += reward * reward
        else:
            step = reward - self.first
            self.first += step / self.queries
            self.second += step * (reward - self.first)

    @property
    def mean(self) -> float:
        """Of the rewards so far; 0 of none."""
        if self.keeping == "running means" or not self.queries:
            return self.first
        return self.first / self.queries

    @property
    def variance(self) -> float:
        """The unbiased one."""
        if self.keeping == "running means":
            return max(0.0, self.second) / (self.queries - 1)
        return max(0.0, self.second - self.first * self.first / self.queries) / (self.queries - 1)


class FloatView:
    """What a rule sees, in doubles."""

    def __init__(self, arms: list[FloatArm], shape: RadiusShape, round_number: int, epsilon: float) -> None:
        self.round = round_number
        self.arms = len(arms)
        self.epsilon = epsilon
        self._arms = arms
        growth = shape.growth.doubles(round_number)[1]
        self.radii = [_radius(shape, growth, arm) for arm in arms]

    def lcb(self, arm: int) -> float:
        """Mean minus radius."""
        return self.mean(arm) - self.radii[arm - 1]

    def ucb(self, arm: int) -> float:
        """Mean plus radius."""
        return self.mean(arm) + self.radii[arm - 1]

    def width(self, arm: int) -> float:
        """The difference of the bounds, as a program may well compute it."""
        return self.ucb(arm) - self.lcb(arm)

    def mean(self, arm: int) -> float:
        """The mean of the queried rewards."""
        return self._arms[arm - 1].mean

    def queries(self, arm: int) -> float:
        """n^q(a)."""
        return float(self._arms[arm - 1].queries)

    def pair_radius(self, arm: int, other: int, spread: int) -> float:
        """The radius of two arms together, as the page of the pair rule has it."""
        n, m = self.queries(arm), self.queries(other)
        if not n or not m:
            return math.inf
        growth = (
            math.log(self.round * self.round.bit_length()) + math.log((n + spread) * (m + spread) / spread**2) / 2
        )
        return math.sqrt(growth / 2 * ((n + spread) / n**2 + (m + spread) / m**2))

    def all_queries(self) -> float:
        """B^q(t-1)."""
        return float(sum(arm.queries for arm in self._arms))

    def log(self) -> float:
        """ln t."""
        return math.log(self.round)

    def number(self, value: Rational) -> float:
        """The double next to a rational."""
        return nearest_float(value)


def _radius(shape: RadiusShape, growth: float, arm: FloatArm) -> float:
    if arm.queries < shape.needed_queries:
        return math.inf
    radius = 0.0
    for term in shape.terms:
        part = nearest_float(term.coefficient) * growth / (arm.queries - term.offset)
        if term.uses_variance:
            part *= arm.variance
        radius += math.sqrt(part) if term.rooted else part
    return radius


class FloatPolicy:
    """A policy in doubles, with a tie-break of its own: `first`, `last` or `random:SEED`.

    Raises `UnknownName` for an interval without a shape.
    """

    def __init__(
        self, policy: str, arms: int, confidence: str, ties: str = "first", keeping: Keeping = "sums"
    ) -> None:
        self._rule = policy_named(policy)
        shape = confidence_named(confidence).shape
        if shape is None:
            raise UnknownName(f"the interval '{confidence}' has no form in doubles")
        self._shape = shape
        self._ties = parse_ties(ties)
        self._arms = [FloatArm(keeping) for _ in range(arms)]
        self._asked = 0

    def decide(self, round: int, epsilon: float) -> Decision:
        """The decision of a round."""
        view = FloatView(self._arms, self._shape, round, epsilon)
        decision = self._rule.decide(view, self._ties)
        self._asked = decision.arm
        return decision

    def observe(self, reward: float) -> None:
        """The reward of the round just queried."""
        self._arms[self._asked - 1].add(reward)

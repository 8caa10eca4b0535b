"""Correct programs in plain doubles: other sums, other ties, the same policy. Nothing may reject them by default."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from bufalu.oracle.stepwise_rules import STEPWISE_RULES
from bufalu.reference.policies import Decision
from bufalu.reference.ties import parse_ties

Keeping = Literal["sums", "running means"]
KEEPINGS: tuple[Keeping, ...] = ("sums", "running means")


@dataclass
class _Arm:
    """An arm's statistics in doubles, kept as sums or as running means."""

    keeping: Keeping
    queries: int = 0
    first: float = 0.0
    second: float = 0.0

    def add(self, reward: float) -> None:
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
        if self.keeping == "running means" or not self.queries:
            return self.first
        return self.first / self.queries

    @property
    def variance(self) -> float:
        if self.keeping == "running means":
            return max(0.0, self.second) / (self.queries - 1)
        return max(0.0, self.second - self.first * self.first / self.queries) / (self.queries - 1)


class FloatView:
    """What a rule sees, in doubles."""

    def __init__(self, arms: list[_Arm], confidence: str, round_number: int, epsilon: float) -> None:
        self.round = round_number
        self.arms = len(arms)
        self.epsilon = epsilon
        self._arms = arms
        self._confidence = confidence

    def lcb(self, arm: int) -> float:
        """Mean minus radius."""
        return self.mean(arm) - self._radius(arm)

    def ucb(self, arm: int) -> float:
        """Mean plus radius."""
        return self.mean(arm) + self._radius(arm)

    def width(self, arm: int) -> float:
        """The difference of the bounds, as a program may well compute it."""
        return self.ucb(arm) - self.lcb(arm)

    def mean(self, arm: int) -> float:
        """The mean of the queried rewards."""
        return self._arms[arm - 1].mean

    def overspend(self) -> float:
        """B^q(t-1) - K + 1."""
        return float(sum(arm.queries for arm in self._arms) - self.arms + 1)

    def six_k_log(self) -> float:
        """6 K ln t."""
        return 6 * self.arms * math.log(self.round)

    def _radius(self, arm: int) -> float:
        record = self._arms[arm - 1]
        n, height = record.queries, math.log(self.round)
        if self._confidence == "hoeffding":
            return math.sqrt(3 * height / (2 * n)) if n else math.inf
        if n < 2:
            return math.inf
        return math.sqrt(6 * record.variance * height / n) + 7 * height / (n - 1)


class FloatPolicy:
    """One of the four policies in doubles, with a tie-break of its own: `first`, `last` or `random:SEED`."""

    def __init__(
        self, policy: str, arms: int, confidence: str, ties: str = "first", keeping: Keeping = "sums"
    ) -> None:
        self._rule = STEPWISE_RULES[policy]
        self._confidence = confidence
        self._ties = parse_ties(ties)
        self._arms = [_Arm(keeping) for _ in range(arms)]
        self._asked = 0

    def decide(self, round: int, epsilon: float) -> Decision:
        """The decision of a round."""
        view = FloatView(self._arms, self._confidence, round, epsilon)
        decision = self._rule.decide(view, self._ties)
        self._asked = decision.arm
        return decision

    def observe(self, reward: float) -> None:
        """The reward of the round just queried."""
        self._arms[self._asked - 1].add(reward)

"""What depends on the round alone: how radii grow (sqrt(ln t) and ln t, as a rule), and epsilon(t), up to round T."""

from __future__ import annotations

import numpy as np

from bufalu.law.errors import NoExactLaw
from bufalu.law.histograms import Doubles
from bufalu.reference.confidence import ConfidenceInterval
from bufalu.reference.errors import InvalidSchedule
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.schedules import Schedule


class RoundValues:
    """The rounds 1..T of an oblivious schedule; entry t of each array belongs to round t.

    Raises `NoExactLaw` for a schedule that looks at rewards, `InvalidSchedule` for a negative or missing epsilon.
    """

    def __init__(self, confidence: ConfidenceInterval, schedule: Schedule, arms: int, horizon: int) -> None:
        if schedule.adaptive:
            raise NoExactLaw("the exact law needs a schedule that does not look at the rewards")
        self.horizon = horizon
        self.arms = arms
        self.epsilons: list[Exact] = [ZERO] * (horizon + 1)
        self.root: Doubles = np.zeros(horizon + 1)
        self.growth: Doubles = np.zeros(horizon + 1)
        self.log: Doubles = np.log(np.maximum(np.arange(horizon + 1), 1))
        shape = confidence.shape
        for number in range(1, horizon + 1):
            if shape is not None:
                self.root[number], self.growth[number] = shape.growth.doubles(number)
            if number > arms:
                level = schedule.at(number, arms)
                if level.approximation <= level.error and level.sign() < 0:
                    raise InvalidSchedule(f"epsilon({number}) = {float(level)} is negative")
                self.epsilons[number] = level
        self.epsilon: Doubles = np.array([level.approximation for level in self.epsilons])
        self.epsilon_error: Doubles = np.array([level.error for level in self.epsilons])

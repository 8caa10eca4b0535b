"""What depends on the round alone: the doubles of sqrt(ln t) and ln t, and epsilon(t), for all rounds up to T."""

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
        self.log: Doubles = np.zeros(horizon + 1)
        for number in range(1, horizon + 1):
            moment = confidence.clock(number)
            self.root[number], self.log[number] = moment.root, moment.log
            if number > arms:
                level = schedule.at(number, arms)
                if level.approximation <= level.error and level.sign() < 0:
                    raise InvalidSchedule(f"epsilon({number}) = {float(level)} is negative")
                self.epsilons[number] = level
        self.epsilon: Doubles = np.array([level.approximation for level in self.epsilons])
        self.epsilon_error: Doubles = np.array([level.error for level in self.epsilons])

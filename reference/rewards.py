"""Where rewards come from: X_a(k) is the reward of the k-th query of arm a, as in the paper's proofs (l.1149).

Only queried rounds draw a reward, so that a policy cannot see an unqueried one, and a run depends on each arm's own
tape alone.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import Protocol

from bufalu.reference.errors import InvalidReward
from bufalu.reference.instances import Arm, Instance
from bufalu.reference.rationals import Rational, format_rational, rational
from bufalu.reference.ties import uniform_index


class RewardSource(Protocol):
    """Gives the reward of the k-th query of an arm, k from 1; asked for every arm in the order of k."""

    def draw(self, arm: int, k: int) -> Rational:
        """X_arm(k)."""


class Tape:
    """Fixed rewards for each arm; raises `InvalidReward` for values outside [0, 1] and when an arm's tape has run
    out.
    """

    def __init__(self, rewards: Sequence[Sequence[Rational]]) -> None:
        self._rewards = [[rational(reward) for reward in column] for column in rewards]
        for column in self._rewards:
            for reward in column:
                if not 0 <= reward <= 1:
                    raise InvalidReward(f"the reward {format_rational(reward)} is outside [0, 1]")

    def draw(self, arm: int, k: int) -> Rational:
        """The k-th entry of the arm's tape."""
        column = self._rewards[arm - 1]
        if k > len(column):
            raise InvalidReward(f"the tape of arm {arm} has {len(column)} rewards, and query {k} needs one more")
        return column[k - 1]


class SeededRewards:
    """Independent rewards from an instance, one `getrandbits` stream for each arm: same seed, same run, on every
    machine.

    A uniform integer below the common denominator of the arm's probabilities picks the value by exact thresholds.
    """

    def __init__(self, instance: Instance, seed: int) -> None:
        self._streams = [_Stream(arm, f"rewards:{seed}:{i}") for i, arm in enumerate(instance.arms, start=1)]

    def draw(self, arm: int, k: int) -> Rational:
        """The next reward of the arm; `k` must count up from 1 (each stream is drawn once, in order)."""
        return self._streams[arm - 1].draw(k)


class _Stream:
    def __init__(self, arm: Arm, seed: str) -> None:
        self._generator = random.Random(seed)
        self._denominator = lcm(*(probability.denominator for probability in arm.probabilities))
        self._values = arm.values
        self._thresholds = list(accumulate(int(Fraction(p) * self._denominator) for p in arm.probabilities))
        self._drawn = 0

    def draw(self, k: int) -> Rational:
        self._drawn += 1
        if k != self._drawn:
            raise InvalidReward(f"reward {k} was asked for where reward {self._drawn} comes next")
        if len(self._values) == 1:
            return self._values[0]
        point = uniform_index(self._generator, self._denominator)
        for value, threshold in zip(self._values, self._thresholds, strict=True):
            if point < threshold:
                return value
        raise AssertionError("the thresholds of an arm end at its denominator")

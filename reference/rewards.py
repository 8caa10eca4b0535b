"""Where rewards come from: X_a(k) is the reward of the k-th query of arm a, as in the paper's proofs (l.1149).

Only queried rounds draw a reward, so that a policy cannot see an unqueried one, and a run depends on each arm's own
tape alone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Protocol

from bufalu.reference.errors import InvalidReward
from bufalu.reference.instances import Instance
from bufalu.reference.rationals import Rational, format_rational, rational
from bufalu.reference.streams import draw_bits, stream_key, thresholds


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
    """Independent rewards from an instance by the stream of streams.py: same seed, same rewards, everywhere.

    Raises `InvalidNumber` for a negative seed.
    """

    def __init__(self, instance: Instance, seed: int) -> None:
        self._arms = [
            (stream_key(seed, number), thresholds(arm), arm.values)
            for number, arm in enumerate(instance.arms, start=1)
        ]

    def draw(self, arm: int, k: int) -> Rational:
        """X_arm(k), in any order of k."""
        key, below, values = self._arms[arm - 1]
        return values[bisect_right(below, draw_bits(key, k))]

"""Where rewards come from: X_a(k) is the reward of the k-th query of arm a, as in the paper's proofs (l.1149).

A reward is data: a float is the binary64 that it is.

Only queried rounds draw a reward, so that a policy cannot see an unqueried one, and a run depends on each arm's own
tape alone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import ceil
from typing import Protocol, runtime_checkable

from bufalu.reference.errors import InvalidInstance, InvalidNumber, InvalidReward
from bufalu.reference.instances import Instance
from bufalu.reference.rationals import (
    CountLike,
    NumberLike,
    Rational,
    data,
    format_rational,
    many,
    parameter,
    shown,
    whole_number,
)
from bufalu.reference.streams import DRAW_BITS, draw_bits, stream_key, thresholds

LONGEST_DELAY = 10**12
_SILENCE = 2**32
"""Beyond every arm: where the streams are that say which answers are missing."""


@runtime_checkable
class RewardSource(Protocol):
    """Gives the reward of the k-th query of an arm, k from 1; asked for every arm in the order of k."""

    def draw(self, arm: int, k: int) -> Rational:
        """X_arm(k)."""


class Tape:
    """Fixed rewards for each arm; raises `InvalidReward` for values outside [0, 1] and when an arm's tape has run
    out.
    """

    def __init__(self, rewards: Iterable[Iterable[NumberLike]]) -> None:
        self._rewards = [[_reward(reward) for reward in many(row, "rewards")] for row in many(rewards, "rewards")]

    def __repr__(self) -> str:
        return f"<Tape of {', '.join(str(len(column)) for column in self._rewards)} rewards for the arms>"

    @property
    def arms(self) -> int:
        """How many arms it has rewards for."""
        return len(self._rewards)

    def draw(self, arm: int, k: int) -> Rational:
        """The k-th entry of the arm's tape."""
        if not 1 <= arm <= len(self._rewards):
            raise InvalidReward(f"the tape has rewards for {len(self._rewards)} arms, and none for arm {arm}")
        column = self._rewards[arm - 1]
        if k > len(column):
            raise InvalidReward(f"the tape of arm {arm} has {len(column)} rewards, and query {k} needs one more")
        return column[k - 1]


class RewardsInOrder:
    """Rewards in the order in which they are asked for, whatever the arm: a list, or an iterator that is read as needed."""

    def __init__(self, rewards: Iterable[NumberLike]) -> None:
        self._rewards: Iterator[NumberLike] = iter(many(rewards, "rewards"))
        self._drawn = 0

    def __repr__(self) -> str:
        return f"<RewardsInOrder, {self._drawn} drawn>"

    def draw(self, arm: int, k: int) -> Rational:
        """The next reward; raises `InvalidReward` when there is none, or one outside [0, 1]."""
        for reward in self._rewards:
            self._drawn += 1
            return _reward(reward)
        raise InvalidReward(f"the rewards have run out after {self._drawn}, and a query of arm {arm} needs one more")


class SeededRewards:
    """Independent rewards from an instance by the stream of streams.py: same seed, same rewards, everywhere.

    Raises `InvalidNumber` for a negative seed.
    """

    def __init__(self, instance: Instance, seed: int) -> None:
        if not isinstance(instance, Instance):
            raise InvalidInstance(f"instance must be an Instance, not {shown(instance)}")
        self._seed = seed = whole_number(seed, "seed", most=2**4096)
        self._arms = [
            (stream_key(seed, number), thresholds(arm), arm.values)
            for number, arm in enumerate(instance.arms, start=1)
        ]

    def __repr__(self) -> str:
        return f"<SeededRewards of {len(self._arms)} arms, seed {self._seed}>"

    def draw(self, arm: int, k: int) -> Rational:
        """X_arm(k), in any order of k."""
        key, below, values = self._arms[arm - 1]
        return values[bisect_right(below, draw_bits(key, k))]


class AnswerTimes:
    """When the answers to queries are known: `delay` rounds after the next one, or never with probability `missing`.

    Whether the answer to the k-th query of an arm is missing depends on seed, arm and k alone, by a stream beside that of the
    rewards: never on the reward. Raises `InvalidNumber` for what is no delay, no probability or no seed.
    """

    def __init__(self, delay: CountLike = 0, missing: NumberLike = 0, seed: CountLike = 0) -> None:
        self.delay = whole_number(delay, "delay", most=LONGEST_DELAY)
        self.missing = parameter(missing, "missing")
        if not 0 <= self.missing <= 1:
            raise InvalidNumber(f"missing must be a probability, not {format_rational(self.missing)}")
        self._seed = whole_number(seed, "seed", most=2**4096)
        self._below = ceil(Fraction(self.missing) * (1 << DRAW_BITS))

    def __repr__(self) -> str:
        return f"<AnswerTimes: {self.text}>"

    @property
    def text(self) -> str:
        """In words, for people."""
        late = "the next round knows" if self.delay == 0 else f"{self.delay} rounds late"
        return late if self.missing == 0 else f"{late}, {format_rational(self.missing)} never"

    def of(self, arm: int, k: int) -> int | None:
        """How many rounds after the next one the answer to the k-th query of an arm is known; None for never."""
        if self._below and draw_bits(stream_key(self._seed, _SILENCE + arm), k) < self._below:
            return None
        return self.delay


def _reward(value: NumberLike) -> Rational:
    reward = data(value, "reward")
    if not 0 <= reward <= 1:
        raise InvalidReward(f"the reward {format_rational(reward)} is outside [0, 1]")
    return reward

"""Where rewards come from: X_a(k) is the reward of the k-th query of arm a, as in the paper's proofs (l.1149).

A reward is data: a float is the binary64 that it is.

Only queried rounds draw a reward, so that a policy cannot see an unqueried one, and a run depends on each arm's own
tape alone.

**The one stream of random rewards.** X_a(k) is a function of seed, arm and k alone, drawn with whole numbers: whatever the
order of the queries, the machine or the program that draws, the same seed gives the same rewards. The k-th draw of an
arm is SplitMix64's output function at key + k * golden (Steele, Lea and Flood 2014), the key being mixed from seed and
arm by the same function. The top 63 bits of the word, as a number U in [0, 1), are compared with the cumulative
probabilities of the arm, exactly: P(X = x) is right for probabilities over powers of two up to 2^63 and off by less
than 2^-63 otherwise.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import accumulate
from math import ceil
from typing import Protocol, runtime_checkable

from bufalu.reference.errors import InvalidInstance, InvalidNumber, InvalidReward
from bufalu.reference.instances import Arm, Instance
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

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
FIRST_FACTOR = 0xBF58476D1CE4E5B9
SECOND_FACTOR = 0x94D049BB133111EB
DRAW_BITS = 63


def mixed(word: int) -> int:
    """SplitMix64's output function: a bijection of 64-bit words that looks like chance."""
    word = ((word ^ (word >> 30)) * FIRST_FACTOR) & MASK
    word = ((word ^ (word >> 27)) * SECOND_FACTOR) & MASK
    return word ^ (word >> 31)


def stream_key(seed: int, arm: int) -> int:
    """Where the stream of an arm (numbered from 1) begins; seeds beyond 64 bits are taken in, word by word.

    Raises `InvalidNumber` for a negative seed.
    """
    if seed < 0:
        raise InvalidNumber(f"a seed is a whole number of at least 0, not {seed}")
    key = mixed((seed + GOLDEN) & MASK)
    while seed := seed >> 64:
        key = mixed((key + seed) & MASK)
    return mixed((key + arm * GOLDEN) & MASK)


def draw_bits(key: int, k: int) -> int:
    """The 63 bits of draw number k (from 1) of a stream."""
    return mixed((key + k * GOLDEN) & MASK) >> 1


def thresholds(arm: Arm) -> list[int]:
    """Draws below entry i give one of the values 0..i of the arm; the last entry, 2^63, lies above every draw."""
    return [ceil(Fraction(total) * (1 << DRAW_BITS)) for total in accumulate(arm.probabilities)]


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
    """Independent rewards from an instance by the one stream of random rewards: same seed, same rewards, everywhere.

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

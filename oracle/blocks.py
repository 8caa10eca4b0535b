"""Blocks of rounds as arrays: what every source of a trace is turned into, so that a long one fits in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bufalu.reference.exact import Exact
from bufalu.reference.policies import Decision
from bufalu.reference.rationals import Rational, is_double, nearest_float, rational
from bufalu.reference.rounds import Round

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]

BLOCK_ROUNDS = 32_768


@dataclass(frozen=True)
class Block:
    """Consecutive rounds from `first` on. Rewards of unqueried rounds and absent epsilons are NaN.

    Numbers that no double holds are kept beside the arrays, by their place in the block.
    """

    first: int
    arm: Integers
    query: Booleans
    reward: Floats
    epsilon: Floats
    exact_rewards: dict[int, Rational] = field(default_factory=dict)
    exact_epsilons: dict[int, Exact] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.arm)

    def cut(self, start: int, stop: int) -> Block:
        """The rounds at places start..stop, sharing the arrays."""
        inside = range(start, stop)
        return Block(
            self.first + start,
            self.arm[start:stop],
            self.query[start:stop],
            self.reward[start:stop],
            self.epsilon[start:stop],
            {place - start: value for place, value in self.exact_rewards.items() if place in inside},
            {place - start: value for place, value in self.exact_epsilons.items() if place in inside},
        )

    def decision(self, place: int) -> Decision:
        """What was done in the round at this place."""
        return Decision(int(self.arm[place]), bool(self.query[place]))

    def exact_reward(self, place: int) -> Rational:
        """The reward of a queried round, exactly."""
        exact = self.exact_rewards.get(place)
        return rational(float(self.reward[place])) if exact is None else exact

    def exact_epsilon(self, place: int) -> Exact | None:
        """The epsilon of a round, exactly; None if it carries none."""
        exact = self.exact_epsilons.get(place)
        if exact is not None:
            return exact
        value = float(self.epsilon[place])
        return None if np.isnan(value) else Exact.of(rational(value))

    def rounds(self) -> Iterator[Round]:
        """The rounds one by one, exactly."""
        for place in range(len(self)):
            decision = self.decision(place)
            reward = self.exact_reward(place) if decision.query else None
            yield Round(self.first + place, decision.arm, decision.query, reward, self.exact_epsilon(place))


class BlockBuilder:
    """Collects rounds into blocks."""

    def __init__(self, first: int = 1) -> None:
        self._clear(first)

    def _clear(self, first: int) -> None:
        self.first = first
        self.arms: list[int] = []
        self.queries: list[bool] = []
        self.rewards: list[float] = []
        self.epsilons: list[float] = []
        self.exact_rewards: dict[int, Rational] = {}
        self.exact_epsilons: dict[int, Exact] = {}

    def add_doubles(self, arm: int, query: bool, reward: float, epsilon: float) -> None:
        """A round whose numbers are doubles, NaN where there is none."""
        self.arms.append(arm)
        self.queries.append(query)
        self.rewards.append(reward)
        self.epsilons.append(epsilon)

    def add(self, played: Round) -> None:
        """A round with exact numbers."""
        place = len(self.arms)
        reward = epsilon = float("nan")
        if played.reward is not None:
            reward = nearest_float(played.reward)
            if not is_double(played.reward):
                self.exact_rewards[place] = played.reward
        if played.epsilon is not None:
            epsilon = played.epsilon.approximation
            if played.epsilon.error:
                self.exact_epsilons[place] = played.epsilon
        self.add_doubles(played.arm, played.query, reward, epsilon)

    @property
    def full(self) -> bool:
        """Whether it is time for `take`."""
        return len(self.arms) >= BLOCK_ROUNDS

    def take(self) -> Block:
        """The block so far; the builder starts the next one."""
        block = Block(
            self.first,
            np.array(self.arms, dtype=np.int64),
            np.array(self.queries, dtype=np.bool_),
            np.array(self.rewards, dtype=np.float64),
            np.array(self.epsilons, dtype=np.float64),
            self.exact_rewards,
            self.exact_epsilons,
        )
        self._clear(self.first + len(block))
        return block


def blocks_of_rounds(rounds: Iterable[Round]) -> Iterator[Block]:
    """The rounds of a trace in blocks."""
    builder = BlockBuilder()
    for played in rounds:
        builder.add(played)
        if builder.full:
            yield builder.take()
    if builder.arms:
        yield builder.take()

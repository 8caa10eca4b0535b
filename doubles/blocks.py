"""Blocks of rounds as arrays: what every source of a trace is turned into, so that a long one fits in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from bufalu.reference.errors import BufaluError
from bufalu.reference.exact import Exact
from bufalu.reference.policies import Decision, Reason
from bufalu.reference.policies.decisions import REASONS
from bufalu.reference.rationals import Rational, is_double, nearest_float, rational
from bufalu.reference.rounds import Round

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]

BLOCK_ROUNDS = 32_768
_NAN = float("nan")


@dataclass(frozen=True)
class Answers:
    """Answers to queries: `known` is the first round that knew it, `asked` the round that asked.

    Rewards that no double holds are kept beside the arrays, by the round that asked.
    """

    known: Integers
    asked: Integers
    arm: Integers
    reward: Floats
    exact_rewards: dict[int, Rational]

    def __len__(self) -> int:
        return len(self.known)

    def exact_reward(self, index: int) -> Rational:
        """The reward of one answer, exactly."""
        exact = self.exact_rewards.get(int(self.asked[index])) if self.exact_rewards else None
        return rational(float(self.reward[index])) if exact is None else exact

    def chosen(self, places: Integers) -> Answers:
        """The answers at these places."""
        asked = self.asked[places]
        exact = self.exact_rewards
        if exact:
            exact = {number: exact[number] for number in asked.tolist() if number in exact}
        return Answers(self.known[places], asked, self.arm[places], self.reward[places], exact)

    def followed_by(self, more: Answers) -> Answers:
        """These answers and more."""
        return Answers(
            np.concatenate((self.known, more.known)),
            np.concatenate((self.asked, more.asked)),
            np.concatenate((self.arm, more.arm)),
            np.concatenate((self.reward, more.reward)),
            self.exact_rewards | more.exact_rewards,
        )


_NONE = np.zeros(0, dtype=np.int64)
NO_ANSWERS = Answers(_NONE, _NONE, _NONE, np.zeros(0), {})


@dataclass(frozen=True)
class Block:
    """Consecutive rounds from `first` on. Rewards that nobody saw and absent epsilons are NaN.

    Numbers that no double holds are kept beside the arrays, by their place in the block. `answered` has for each query the
    first round that knew the reward, and 0 where there was no query or no answer; None stands for the next round always.
    `reason` has for each decision the place among `REASONS` of the reason that was given for it; None: none was given.
    """

    first: int
    arm: Integers
    query: Booleans
    reward: Floats
    epsilon: Floats
    exact_rewards: dict[int, Rational] = field(default_factory=dict)
    exact_epsilons: dict[int, Exact] = field(default_factory=dict)
    answered: Integers | None = None
    reason: Integers | None = None

    def __len__(self) -> int:
        return len(self.arm)

    def put(self, place: int, played: Round) -> None:
        """Writes a round with exact numbers over the one at this place, but not when its answer was known."""
        self.arm[place], self.query[place] = played.arm, played.query
        self.reward[place], self.epsilon[place] = _reward(played), _epsilon(played)
        self.keep_exact(place, played)

    def keep_exact(self, place: int, played: Round) -> None:
        """Keeps those numbers of the round at this place that no double holds."""
        if played.reward is not None and not is_double(played.reward):
            self.exact_rewards[place] = played.reward
        if played.epsilon is not None and played.epsilon.error:
            self.exact_epsilons[place] = played.epsilon

    def with_late(self, rounds: Mapping[int, Round]) -> Block:
        """The block that also knows when the answers to these rounds of it, by place, were known."""
        if self.answered is None and not any(played.late for played in rounds.values()):
            return self
        answered = self.answered
        if answered is None:
            answered = np.where(self.query, np.arange(self.first + 1, self.first + 1 + len(self)), 0)
        for place, played in rounds.items():
            answered[place] = 0 if played.reward is None else played.answered or played.number + 1
        return replace(self, answered=answered)

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
            None if self.answered is None else self.answered[start:stop],
            None if self.reason is None else self.reason[start:stop],
        )

    def answers(self) -> Answers:
        """The answers to the queries of these rounds, in the order of the queries."""
        if self.answered is None:
            places = np.flatnonzero(self.query)
            known = places + (self.first + 1)
        else:
            places = np.flatnonzero(self.answered)
            known = self.answered[places]
        exact = {self.first + place: reward for place, reward in self.exact_rewards.items()}
        return Answers(known, places + self.first, self.arm[places], self.reward[places], exact)

    def decision(self, place: int) -> Decision:
        """What was done in the round at this place."""
        return Decision(int(self.arm[place]), bool(self.query[place]))

    def given_reason(self, place: int) -> Reason | None:
        """Why the decision of the round at this place was taken; None if that was not said."""
        return None if self.reason is None else REASONS[self.reason[place]]

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
            yield self.round(place)

    def round(self, place: int) -> Round:
        """The round at this place, exactly."""
        number, decision = self.first + place, self.decision(place)
        known = number + 1 if self.answered is None else int(self.answered[place])
        reward = self.exact_reward(place) if decision.query and known else None
        epsilon = self.exact_epsilon(place)
        return Round(number, *decision, reward, epsilon, None if known in (0, number + 1) else known)


class BlockBuilder:
    """Collects rounds into blocks."""

    def __init__(self) -> None:
        self._first = 1
        self._rounds: list[Round] = []

    def __len__(self) -> int:
        return len(self._rounds)

    def add(self, played: Round) -> None:
        """One more round, with exact numbers."""
        self._rounds.append(played)

    @property
    def full(self) -> bool:
        """Whether it is time for `take`."""
        return len(self._rounds) >= BLOCK_ROUNDS

    def take(self) -> Block:
        """The block so far; the builder starts the next one."""
        rounds = self._rounds
        block = Block(
            self._first,
            np.array([played.arm for played in rounds], dtype=np.int64),
            np.array([played.query for played in rounds], dtype=np.bool_),
            np.array([_reward(played) for played in rounds], dtype=np.float64),
            np.array([_epsilon(played) for played in rounds], dtype=np.float64),
        )
        for place, played in enumerate(rounds):
            block.keep_exact(place, played)
        self._first, self._rounds = self._first + len(rounds), []
        return block.with_late(dict(enumerate(rounds)))


def blocks_of_rounds(rounds: Iterable[Round]) -> Iterator[Block]:
    """The rounds of a trace in blocks."""
    builder = BlockBuilder()
    for played in rounds:
        builder.add(played)
        if builder.full:
            yield builder.take()
    if len(builder):
        yield builder.take()


def _reward(played: Round) -> float:
    return _NAN if played.reward is None else nearest_float(played.reward)


def _epsilon(played: Round) -> float:
    return _NAN if played.epsilon is None else played.epsilon.approximation


class NotOnArrays(BufaluError):
    """A rule that asks one number of many rounds at once for a single answer: it is run on exact numbers instead."""

"""Games: what the oracle plays with an implementation. Rewards and epsilons come from the oracle, so every game can be
played again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

import numpy as np

from bufalu.doubles.blocks import Block
from bufalu.oracle.checking import Checker, Divergence, TraceCheck
from bufalu.oracle.errors import BrokenProgram
from bufalu.oracle.implementations import Implementation, takes_late
from bufalu.reference.confidence import ConfidenceInterval, confidence_named
from bufalu.reference.errors import InvalidReward, InvalidTrace
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.rationals import rational
from bufalu.reference.state import ArmRecord, State
from bufalu.reference.traces import Trace, TraceHeader
from bufalu.reference.view import ExactView

Entry = TypeVar("Entry")

_FIRST_BLOCK, _LARGEST_BLOCK = 64, 1024
"""Rounds that are played before they are judged together: few at first, since a wrong program often errs early."""
_NAN = float("nan")


class GameTally:
    """The exact state of a game, summed up only when somebody looks: most rounds of a long game need the counts alone."""

    def __init__(self, arms: int) -> None:
        self._state = State(arms)
        self._queries = [0] * arms
        self._unanswered = [0] * arms
        self._waiting: list[list[float]] = [[] for _ in range(arms)]
        self._any_waiting = False

    def ask(self, arm: int) -> None:
        """Counts a query that is not answered yet."""
        self._unanswered[arm - 1] += 1

    def add_late(self, arm: int, reward: float) -> None:
        """Takes the answer to such a query; raises `InvalidReward` outside [0, 1]."""
        self._unanswered[arm - 1] -= 1
        self.add(arm, reward)

    def asked(self, arm: int) -> int:
        """How often `arm` was queried."""
        return self._queries[arm - 1] + self._unanswered[arm - 1]

    def add(self, arm: int, reward: float) -> None:
        """Takes the reward of a queried round at once; raises `InvalidReward` outside [0, 1]."""
        if not 0 <= reward <= 1:
            raise InvalidReward(f"the reward {reward!r} is outside [0, 1]")
        self._queries[arm - 1] += 1
        self._waiting[arm - 1].append(reward)
        self._any_waiting = True

    def queries(self, arm: int) -> int:
        """How many answers of `arm` are known."""
        return self._queries[arm - 1]

    @property
    def state(self) -> State:
        """The state after all rewards."""
        if self._any_waiting:
            self._any_waiting = False
            for place, rewards in enumerate(self._waiting):
                if rewards:
                    self._state.records[place] = _with_rewards(self._state.records[place], rewards)
                    rewards.clear()
            self._state.all_queries = sum(self._queries)
        return self._state


def _with_rewards(record: ArmRecord, rewards: list[float]) -> ArmRecord:
    """The record after more rewards. Doubles are whole numbers over a power of two: the largest one serves them all."""
    ratios = [reward.as_integer_ratio() for reward in rewards]
    unit = max(denominator for _, denominator in ratios)
    scaled = [numerator * (unit // denominator) for numerator, denominator in ratios]
    total = record.total + rational(Fraction(sum(scaled), unit))
    squares = record.squares + rational(Fraction(sum(value * value for value in scaled), unit * unit))
    return ArmRecord(record.queries + len(rewards), total, squares)


class Scene:
    """What the oracle sees when it chooses an epsilon or a reward: the round and the exact state before it."""

    def __init__(self, round_number: int, arms: int, tally: GameTally, confidence: ConfidenceInterval) -> None:
        self.round = round_number
        self.arms = arms
        self.confidence = confidence
        self._tally = tally

    @property
    def state(self) -> State:
        """The rewards so far."""
        return self._tally.state

    def queries(self, arm: int) -> int:
        """How many answers of `arm` are known so far: all to its queries, unless they come late."""
        return self._tally.queries(arm)

    def asked(self, arm: int) -> int:
        """How often `arm` was queried so far."""
        return self._tally.asked(arm)

    @cached_property
    def view(self) -> ExactView:
        """The intervals of this round, before its reward."""
        return ExactView(self.state, self.confidence, self.round, ZERO)


Epsilon = Callable[[Scene], float]
"""epsilon(t), also in the initial rounds, where it plays no role; the oracle may aim at a comparison."""

Reward = Callable[[Scene, int], float]
"""The reward of an arm that is queried in this scene; the oracle may aim at a comparison of the next round."""

Delay = Callable[[Scene, int], int | None]
"""How many rounds after the next one the answer of an arm that is queried in this scene is known; None for never."""

Tape = Callable[[int, int], float]
"""X_a(k)."""


@dataclass(frozen=True)
class Game:
    """One run: how many arms and rounds, where epsilon and rewards come from, and what the game is after.

    With a `delay` it is for implementations that take late answers; without, every answer is there before the next round.
    """

    name: str
    arms: int
    rounds: int
    epsilon: Epsilon
    reward: Reward
    delay: Delay | None = None

    def reset(self, implementation: Implementation, policy: str, confidence: str) -> str | None:
        """Starts the run; a reason if the implementation does not want it."""
        if self.delay is None:
            return implementation.reset(policy, confidence, self.arms)
        if takes_late(implementation):
            return implementation.reset_late(policy, confidence, self.arms)
        return "late answers are not declared"


@dataclass(frozen=True)
class FinishedGame:
    """A finished game: what was played in blocks, up to the divergence, if there is one."""

    game: Game
    header: TraceHeader
    blocks: tuple[Block, ...]
    ambiguous_rounds: int = 0
    divergence: Divergence | None = None
    skipped: str | None = None

    @property
    def rounds(self) -> int:
        """How many rounds were played."""
        return sum(len(block) for block in self.blocks)

    @cached_property
    def trace(self) -> Trace:
        """The game as a trace, with exact numbers: only who asks for it pays for it."""
        return _trace(self.header, self.blocks)

    @property
    def checked(self) -> TraceCheck:
        """The game as the check of its trace."""
        return TraceCheck(self.header, self.rounds, self.ambiguous_rounds, 0, self.divergence)


def play(game: Game, implementation: Implementation, policy: str, confidence: str, strict: bool) -> FinishedGame:
    """Plays a game until it ends or an inadmissible decision has been made; raises `BrokenProgram`.

    The judge is that of `bufalu check`. It looks at growing blocks of rounds, so that a long game costs little; what was
    played after an inadmissible decision is thrown away.
    """
    header = TraceHeader(policy, confidence, game.arms, None)
    skipped = game.reset(implementation, policy, confidence)
    if skipped is not None:
        return FinishedGame(game, header, (), skipped=skipped)
    checker, running = Checker(header, strict), _OpenGame(game, implementation, confidence)
    blocks: list[Block] = []
    broken: BrokenProgram | None = None
    size = _FIRST_BLOCK
    while checker.result.divergence is None and broken is None and not running.over:
        block, broken = running.block(size)
        if len(block):
            blocks.append(block)
            checker.take(block)
        size = min(4 * size, _LARGEST_BLOCK)
    result = checker.result
    if result.divergence is not None:
        last = blocks[-1]
        blocks[-1] = last.cut(0, result.divergence.round - last.first + 1)
        return FinishedGame(game, header, tuple(blocks), 0, result.divergence)
    if broken is not None:
        raise broken
    return FinishedGame(game, header, tuple(blocks), result.ambiguous_rounds)


def record(game: Game, implementation: Implementation, policy: str, confidence: str) -> Trace | None:
    """Plays a game to its end, right or wrong; None if it is skipped; raises `BrokenProgram`."""
    if game.reset(implementation, policy, confidence) is not None:
        return None
    block, broken = _OpenGame(game, implementation, confidence).block(game.rounds)
    if broken is not None:
        raise broken
    return _trace(TraceHeader(policy, confidence, game.arms, None), (block,))


def _trace(header: TraceHeader, blocks: Iterable[Block]) -> Trace:
    return Trace(header, tuple(played for block in blocks for played in block.rounds()))


class _OpenGame:
    """A game that is being played."""

    def __init__(self, game: Game, implementation: Implementation, confidence: str) -> None:
        self._game = game
        self._implementation = implementation
        self._confidence = confidence_named(confidence)
        self._tally = GameTally(game.arms)
        self._coming: dict[int, list[tuple[int, int, float]]] = {}
        self._next = 1

    @property
    def over(self) -> bool:
        """Whether all rounds were played."""
        return self._next > self._game.rounds

    def block(self, size: int) -> tuple[Block, BrokenProgram | None]:
        """The next rounds, at most so many, and the problem that ended them early."""
        game, implementation, tally = self._game, self._implementation, self._tally
        first = self._next
        arms, queries, rewards, epsilons = list[int](), list[bool](), list[float](), list[float]()
        answered = list[int]()
        broken: BrokenProgram | None = None
        try:
            for number in range(first, min(first + size, game.rounds + 1)):
                self._deliver(number)
                scene = Scene(number, game.arms, tally, self._confidence)
                epsilon = game.epsilon(scene)
                arm, query = implementation.decide(number, epsilon)
                reward, known = self._answer(scene, arm) if query else (_NAN, 0)
                answered.append(known)
                arms.append(arm)
                queries.append(query)
                rewards.append(reward)
                epsilons.append(epsilon)
        except BrokenProgram as problem:
            broken = problem
        self._next = first + len(arms)
        block = Block(
            first,
            np.array(arms, dtype=np.int64),
            np.array(queries, dtype=np.bool_),
            np.array(rewards, dtype=np.float64),
            np.array(epsilons, dtype=np.float64),
            answered=None if game.delay is None else np.array(answered, dtype=np.int64),
        )
        return block, broken

    def _answer(self, scene: Scene, arm: int) -> tuple[float, int]:
        """The reward of a query and the first round that knows it, 0 if none will; told at once if the game is so."""
        reward = self._game.reward(scene, arm)
        if self._game.delay is None:
            self._implementation.observe(reward)
            self._tally.add(arm, reward)
            return reward, scene.round + 1
        delay = self._game.delay(scene, arm)
        self._tally.ask(arm)
        if delay is None:
            return _NAN, 0
        known = scene.round + 1 + delay
        self._coming.setdefault(known, []).append((scene.round, arm, reward))
        return reward, known

    def _deliver(self, number: int) -> None:
        """Tells the answers that this round is the first to know, those to the latest queries first."""
        for asked, arm, reward in reversed(self._coming.pop(number, [])):
            assert takes_late(self._implementation)
            self._implementation.answer(asked, reward)
            self._tally.add_late(arm, reward)


def game_of_trace(trace: Trace) -> Game:
    """The game that a trace records: its epsilons by round and its rewards by arm, the last ones repeated, as doubles.

    Raises `InvalidTrace` for an epsilon beyond the doubles, and for what was known before round 1.
    """
    epsilons = {played.number: float(played.epsilon) for played in trace.rounds if played.epsilon is not None}
    for number, value in epsilons.items():
        if math.isinf(value):
            problem = f"round {number}: beyond the doubles, in which a program is asked"
            raise InvalidTrace("the trace to replay", None, "epsilon", problem)
    if trace.header.known is not None:
        raise InvalidTrace("the trace to replay", None, "known", "a program is asked to start with nothing")
    tapes: list[list[float]] = [[] for _ in range(trace.header.arms)]
    delays: list[list[int | None]] = [[] for _ in range(trace.header.arms)]
    for played in trace.rounds:
        if played.query:
            tapes[played.arm - 1].append(0.0 if played.reward is None else float(Fraction(played.reward)))
            late = 0 if played.answered is None else played.answered - played.number - 1
            delays[played.arm - 1].append(None if played.reward is None else late)
    return Game(
        "replay",
        trace.header.arms,
        len(trace.rounds),
        lambda scene: epsilons.get(scene.round, 1.0),
        from_tape(lambda arm, k: _entry(tapes[arm - 1], k, 0.0)),
        (lambda scene, arm: _entry(delays[arm - 1], scene.asked(arm) + 1, 0)) if trace.late else None,
    )


def rounded_numbers(trace: Trace) -> int:
    """How many epsilons and rewards of a trace no double equals: its game has the nearest ones in their place."""
    epsilons = (played.epsilon for played in trace.rounds if played.epsilon is not None)
    rewards = (Fraction(played.reward) for played in trace.rounds if played.reward is not None)
    return sum(Exact.of(Fraction(float(value))) != value for value in epsilons) + sum(
        Fraction(float(value)) != value for value in rewards
    )


def from_tape(tape: Tape) -> Reward:
    """Rewards that depend on the arm and on how often it was queried alone."""
    return lambda scene, arm: tape(arm, scene.asked(arm) + 1)


def _entry(tape: list[Entry], k: int, empty: Entry) -> Entry:
    """The k-th entry of a tape, its last one beyond the end, `empty` if it has none."""
    return tape[min(k, len(tape)) - 1] if tape else empty

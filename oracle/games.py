"""Games: what the oracle plays with an implementation. Rewards and epsilons come from the oracle, so every game can be
played again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from bufalu.oracle.blocks import BlockBuilder
from bufalu.oracle.checking import Checked, Checker, Divergence
from bufalu.oracle.errors import BrokenProgram
from bufalu.oracle.implementations import Implementation
from bufalu.reference.confidence import ConfidenceInterval, confidence_named
from bufalu.reference.errors import InvalidTrace
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.rationals import rational
from bufalu.reference.rounds import Round
from bufalu.reference.state import State
from bufalu.reference.traces import Trace, TraceHeader
from bufalu.reference.view import ExactView

_FIRST_BLOCK, _LARGEST_BLOCK = 16, 1024


class Scene:
    """What the oracle sees when it chooses an epsilon or a reward: the round and the exact state before it."""

    def __init__(self, round_number: int, state: State, confidence: ConfidenceInterval) -> None:
        self.round = round_number
        self.state = state
        self.confidence = confidence

    @property
    def arms(self) -> int:
        """K."""
        return self.state.arms

    @cached_property
    def view(self) -> ExactView:
        """The intervals of this round, before its reward."""
        return ExactView(self.state, self.confidence, self.round, ZERO)


Epsilon = Callable[[Scene], float]
"""epsilon(t), also in the initial rounds, where it plays no role; the oracle may aim at a comparison."""

Reward = Callable[[Scene, int], float]
"""The reward of an arm that is queried in this scene; the oracle may aim at a comparison of the next round."""

Tape = Callable[[int, int], float]
"""X_a(k)."""


@dataclass(frozen=True)
class Game:
    """One run: how many arms and rounds, where epsilon and rewards come from, and what the game is after."""

    name: str
    arms: int
    rounds: int
    epsilon: Epsilon
    reward: Reward


@dataclass(frozen=True)
class Played:
    """A finished game: the trace, and the divergence in its last round, if there is one."""

    game: Game
    trace: Trace
    ambiguous_rounds: int
    divergence: Divergence | None
    skipped: str | None = None

    @property
    def checked(self) -> Checked:
        """The game as the check of its trace."""
        return Checked(self.trace.header, len(self.trace.rounds), self.ambiguous_rounds, 0, self.divergence)


def play(game: Game, implementation: Implementation, policy: str, confidence: str, strict: bool) -> Played:
    """Plays a game until it ends or an inadmissible decision has been made; raises `BrokenProgram`.

    The judge is that of `bufalu check`. It looks at growing blocks of rounds, so that a long game costs little; what was
    played after an inadmissible decision is thrown away.
    """
    header = TraceHeader(policy, confidence, game.arms, None)
    skipped = implementation.reset(policy, confidence, game.arms)
    if skipped is not None:
        return Played(game, Trace(header, ()), 0, None, skipped)
    checker, rounds, builder = Checker(header, strict), list[Round](), BlockBuilder()
    broken: BrokenProgram | None = None
    block = _FIRST_BLOCK
    stream = _rounds(game, implementation, confidence)
    while checker.result.divergence is None and broken is None and len(rounds) < game.rounds:
        try:
            for played in stream:
                rounds.append(played)
                builder.add(played)
                if len(builder) >= block:
                    break
        except BrokenProgram as problem:
            broken = problem
        if len(builder):
            checker.take(builder.take())
        block = min(2 * block, _LARGEST_BLOCK)
    result = checker.result
    if result.divergence is not None:
        return Played(game, Trace(header, tuple(rounds[: result.divergence.round])), 0, result.divergence)
    if broken is not None:
        raise broken
    return Played(game, Trace(header, tuple(rounds)), result.ambiguous_rounds, None)


def record(game: Game, implementation: Implementation, policy: str, confidence: str) -> Trace | None:
    """Plays a game to its end, right or wrong; None if it is skipped; raises `BrokenProgram`."""
    if implementation.reset(policy, confidence, game.arms) is not None:
        return None
    header = TraceHeader(policy, confidence, game.arms, None)
    return Trace(header, tuple(_rounds(game, implementation, confidence)))


def _rounds(game: Game, implementation: Implementation, confidence: str) -> Iterator[Round]:
    """The rounds of a game, as the implementation plays them; raises `BrokenProgram`."""
    interval = confidence_named(confidence)
    state = State(game.arms)
    for number in range(1, game.rounds + 1):
        scene = Scene(number, state, interval)
        value = game.epsilon(scene)
        epsilon = Exact.of(rational(value))
        decision = implementation.decide(number, value)
        if not decision.query:
            yield Round(number, decision.arm, False, None, epsilon)
            continue
        reward = game.reward(scene, decision.arm)
        implementation.observe(reward)
        state.record(decision.arm, rational(reward))
        yield Round(number, decision.arm, True, rational(reward), epsilon)


def game_of_trace(trace: Trace) -> Game:
    """The game that a trace records: its epsilons by round and its rewards by arm, the last ones repeated, as doubles.

    Raises `InvalidTrace` for an epsilon beyond the doubles.
    """
    epsilons = {played.number: float(played.epsilon) for played in trace.rounds if played.epsilon is not None}
    for number, value in epsilons.items():
        if math.isinf(value):
            problem = f"round {number}: beyond the doubles, in which a program is asked"
            raise InvalidTrace("the trace to replay", None, "epsilon", problem)
    tapes: list[list[float]] = [[] for _ in range(trace.header.arms)]
    for played in trace.rounds:
        if played.reward is not None:
            tapes[played.arm - 1].append(float(Fraction(played.reward)))
    return Game(
        "replay",
        trace.header.arms,
        len(trace.rounds),
        lambda scene: epsilons.get(scene.round, 1.0),
        from_tape(lambda arm, k: _entry(tapes[arm - 1], k)),
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
    return lambda scene, arm: tape(arm, scene.state.queries(arm) + 1)


def _entry(tape: list[float], k: int) -> float:
    """The k-th entry of a tape, its last one beyond the end, 0 if it is empty."""
    return tape[min(k, len(tape)) - 1] if tape else 0.0

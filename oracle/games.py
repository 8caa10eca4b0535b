"""Games: what the oracle plays with an implementation. Rewards and epsilons come from the oracle, so every game can be
played again.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from bufalu.oracle.checking import Checked, Divergence, Referee
from bufalu.oracle.implementations import Implementation
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.policies import policy_named
from bufalu.reference.rationals import rational
from bufalu.reference.rounds import Round
from bufalu.reference.state import State
from bufalu.reference.traces import Trace, TraceHeader
from bufalu.reference.view import ExactView

Epsilon = Callable[[ExactView], float]
"""epsilon(t) as a function of what the oracle sees; the oracle may aim at a comparison."""

Reward = Callable[[int, int], float]
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
    """Plays a game until it ends or an inadmissible decision is made; raises `BrokenProgram`."""
    header = TraceHeader(policy, confidence, game.arms, None)
    referee = Referee(header, strict)
    state = State(game.arms)
    rounds: list[Round] = []
    ambiguous = 0
    skipped = implementation.reset(policy, confidence, game.arms)
    if skipped is not None:
        return Played(game, Trace(header, ()), 0, None, skipped)
    for number in range(1, game.rounds + 1):
        initial = number <= game.arms
        value = 1.0 if initial else game.epsilon(referee.view(state, number, ZERO))
        epsilon = None if initial else Exact.of(rational(value))
        accepted, close = referee.accepted(state, number, epsilon)
        decision = implementation.decide(number, value)
        reward: float | None = None
        if decision.query:
            reward = game.reward(decision.arm, state.queries(decision.arm) + 1)
        seen = None if reward is None else rational(reward)
        rounds.append(Round(number, decision.arm, decision.query, seen, epsilon))
        if decision not in accepted:
            exact = referee.exact(state, number, epsilon)
            divergence = Divergence(number, decision, accepted, exact, state, epsilon)
            return Played(game, Trace(header, tuple(rounds)), ambiguous, divergence)
        ambiguous += close
        if reward is not None:
            implementation.observe(reward)
            state.record(decision.arm, rational(reward))
    return Played(game, Trace(header, tuple(rounds)), ambiguous, None)


def record(game: Game, implementation: Implementation, policy: str, confidence: str) -> Trace | None:
    """Plays a game to its end, right or wrong; None if it is skipped; raises `BrokenProgram`."""
    header = TraceHeader(policy, confidence, game.arms, None)
    referee = Referee(header, False)
    state = State(game.arms)
    rounds: list[Round] = []
    if implementation.reset(policy, confidence, game.arms) is not None:
        return None
    for number in range(1, game.rounds + 1):
        initial = number <= game.arms
        value = 1.0 if initial else game.epsilon(referee.view(state, number, ZERO))
        decision = implementation.decide(number, value)
        epsilon = None if initial else Exact.of(rational(value))
        if not decision.query:
            rounds.append(Round(number, decision.arm, False, None, epsilon))
            continue
        reward = game.reward(decision.arm, state.queries(decision.arm) + 1)
        implementation.observe(reward)
        state.record(decision.arm, rational(reward))
        rounds.append(Round(number, decision.arm, True, rational(reward), epsilon))
    return Trace(header, tuple(rounds))


def game_of_trace(trace: Trace) -> Game:
    """The game that a trace records: its epsilons by round and its rewards by arm, the last ones repeated."""
    epsilons = {played.number: float(played.epsilon) for played in trace.rounds if played.epsilon is not None}
    tapes: list[list[float]] = [[] for _ in range(trace.header.arms)]
    for played in trace.rounds:
        if played.reward is not None:
            tapes[played.arm - 1].append(float(Fraction(played.reward)))
    return Game(
        "replay",
        trace.header.arms,
        len(trace.rounds),
        lambda view: epsilons.get(view.round, 1.0),
        lambda arm, k: tape_entry(tapes[arm - 1], k),
    )


def tape_entry(tape: list[float], k: int) -> float:
    """The k-th entry of a tape, its last one beyond the end, 0 if it is empty."""
    return tape[min(k, len(tape)) - 1] if tape else 0.0


def aimed(policy: str, factors: tuple[float, ...]) -> Epsilon:
    """Epsilon next to the very number that it is compared with, by the given factors in turn."""

    def epsilon(view: ExactView) -> float:
        factor = factors[view.round % len(factors)]
        return min(factor * compared_with_epsilon(policy, view), 1e6)

    return epsilon


def compared_with_epsilon(policy: str, view: ExactView) -> float:
    """The left side of the policy's epsilon test in this state as a double, 1000 where it is infinite."""
    side = side_of_epsilon(policy, view)
    if side is None:
        return 1000.0
    return max(0.0, side.approximation if math.isfinite(side.error) else float(side))


def side_of_epsilon(policy: str, view: ExactView) -> Exact | None:
    """What the policy compares with epsilon in this state (greedy: the epsilon that just meets its budget).

    None where it is infinite.
    """
    side = policy_named(policy).epsilon_side(view)
    return None if side.is_infinite else side


def coins(seed: int, means: tuple[float, ...]) -> Reward:
    """Rewards 0 and 1 with these means, the same for every run of the game."""

    def reward(arm: int, k: int) -> float:
        return float(random.Random(f"{seed}:{arm}:{k}").random() < means[arm - 1])

    return reward


def fractions(seed: int, means: tuple[float, ...]) -> Reward:
    """Rewards in sixteenths, spread around these means, the same for every run of the game."""

    def reward(arm: int, k: int) -> float:
        value = means[arm - 1] + random.Random(f"{seed}:{arm}:{k}").uniform(-0.4, 0.4)
        return round(16 * min(1.0, max(0.0, value))) / 16

    return reward

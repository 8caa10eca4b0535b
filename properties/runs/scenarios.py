"""A scenario: everything that fixes a run (rewards, epsilon, ties), small enough to print, and the loop that plays it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Protocol, TypeAlias

from bufalu.properties.runs.observed_rounds import ObservedRound, Run, after_query, maximum
from bufalu.reference.comparisons import EveryTie, TieBreak
from bufalu.reference.confidence import confidence_named
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.live import LivePolicy
from bufalu.reference.policies import BUFALU, Decision, policy_named
from bufalu.reference.rationals import Rational
from bufalu.reference.rounds import Round
from bufalu.reference.schedules import Schedule
from bufalu.reference.state import State
from bufalu.reference.view import ExactView


class Player(Protocol):
    """A program under examination, asked round by round: a live policy of the reference or a known bug."""

    def decide(self, round: int, epsilon: Exact) -> Decision:
        """The decision of the round."""

    def observe(self, reward: Rational) -> None:
        """Takes the reward of the round just queried."""


PlayerFactory: TypeAlias = Callable[[str, int, str, TieBreak], Player]
"""Makes a player from policy, number of arms, interval and tie-break."""


def reference_player(policy: str, arms: int, confidence: str, ties: TieBreak) -> Player:
    """The reference itself."""
    return LivePolicy(policy_named(policy), arms, confidence, ties)


class EpsilonSource(Protocol):
    """Chooses epsilon(t) when the state before the round is known; an oblivious one looks at the round alone."""

    @property
    def text(self) -> str | None:
        """The schedule's text, if it has one."""

    def level(self, view: ExactView) -> Exact:
        """epsilon(t); the view's own epsilon means nothing yet."""


@dataclass(frozen=True)
class Oblivious:
    """A schedule that does not look at the run."""

    schedule: Schedule

    @property
    def text(self) -> str | None:
        """The schedule's text."""
        return self.schedule.text

    def level(self, view: ExactView) -> Exact:
        """The schedule's level."""
        return self.schedule.at(view.round, view.arms)


@dataclass(frozen=True)
class Cycle:
    """epsilon(t) runs through the given rationals again and again: spikes, steps, anything."""

    values: tuple[Rational, ...]
    text = None

    def level(self, view: ExactView) -> Exact:
        """The value of the round, the first one belonging to round K + 1."""
        return Exact.of(self.values[(view.round - view.arms - 1) % len(self.values)])


@dataclass(frozen=True)
class FreeThen:
    """epsilon(t) = 0 for a while, so that intervals shrink, then another source."""

    free_rounds: int
    source: EpsilonSource
    text = None

    def level(self, view: ExactView) -> Exact:
        """0 in the rounds K < t <= K + free_rounds, the source's level later."""
        return ZERO if view.round <= view.arms + self.free_rounds else self.source.level(view)


class Aim(Enum):
    """What an adaptive adversary does in a round, knowing the intervals."""

    FREE = "epsilon = 0"
    BLOCK = "epsilon = 2, or more than every finite width"
    TIE = "epsilon exactly at BuFALU's epsilon test"
    BELOW = "epsilon just below that test"
    ABOVE = "epsilon just above that test"
    WIDTH = "epsilon exactly the width of the candidate"
    LEADER = "epsilon exactly the width of the leader"
    TOP = "epsilon exactly at BuFAU's epsilon test"


@dataclass(frozen=True)
class Adversary:
    """epsilon(t) aimed at the tests of the policies, tactic after tactic (l.1042)."""

    tactics: tuple[Aim, ...]
    text = None

    def level(self, view: ExactView) -> Exact:
        """The level of the round's tactic; a test that is infinite or negative is answered with zero."""
        aim = self.tactics[(view.round - view.arms - 1) % len(self.tactics)]
        return aimed(aim, view)


def aimed(aim: Aim, view: ExactView) -> Exact:
    """epsilon(t) for one tactic in one situation."""
    everyone = range(1, view.arms + 1)
    if aim is Aim.FREE:
        return ZERO
    if aim is Aim.BLOCK:
        widths = [width for arm in everyone if not (width := view.width(arm)).is_infinite]
        return maximum([Exact.of(2), *(width + Exact.of(1) for width in widths)])
    leader, _, candidate = next(BUFALU.selections(view, EveryTie()))
    if aim is Aim.WIDTH:
        level = view.width(candidate)
    elif aim is Aim.LEADER:
        level = view.width(leader)
    elif aim is Aim.TOP:
        level = maximum([view.ucb(arm) for arm in everyone]) - view.lcb(leader)
    else:
        level = view.ucb(candidate) - view.lcb(leader)
        if not level.is_infinite and aim is not Aim.TIE:
            # Far below any tolerance that a check might secretly have, far above the doubles' last digit.
            nudge = Fraction(1, 10**12) if aim is Aim.ABOVE else Fraction(-1, 10**12)
            level = level * Exact.of(1 + nudge)
    return ZERO if level.is_infinite or level.sign() < 0 else level


@dataclass(frozen=True)
class TieScript:
    """Breaks the i-th tie with the i-th number of a list, again and again; every tie-break of a run is one script."""

    choices: tuple[int, ...]

    def start(self) -> TieBreak:
        """A fresh tie-break at the beginning of the script."""
        position = 0

        def choose(tied: Sequence[int]) -> int:
            nonlocal position
            if len(tied) == 1:
                return tied[0]
            chosen = tied[self.choices[position % len(self.choices)] % len(tied)]
            position += 1
            return chosen

        return choose


@dataclass(frozen=True)
class Scenario:
    """A run before it is played. `tapes[a][(k-1) mod length]` is the reward of the k-th query of arm a + 1."""

    tapes: tuple[tuple[Rational, ...], ...]
    epsilon: EpsilonSource
    ties: TieScript
    horizon: int
    confidence: str = "hoeffding"
    policy: str = "bufalu"

    @property
    def arms(self) -> int:
        """K."""
        return len(self.tapes)


def play(scenario: Scenario, make_player: PlayerFactory = reference_player) -> Run:
    """The run of a scenario by the reference, or by another player that claims to be that policy.

    The situations hold the true state and the paper's intervals, whatever the player believes.
    """
    confidence = confidence_named(scenario.confidence)
    player = make_player(scenario.policy, scenario.arms, scenario.confidence, scenario.ties.start())
    state = State(scenario.arms)
    rounds: list[Round] = []
    situations: list[ObservedRound] = []
    for number in range(1, scenario.horizon + 1):
        view = ExactView(state, confidence, number, ZERO)
        epsilon = None
        if number > scenario.arms:
            epsilon = view.epsilon = scenario.epsilon.level(view)
        decision = player.decide(number, view.epsilon)
        reward = None
        if decision.query:
            reward = tape_reward(scenario, decision.arm, state.queries(decision.arm) + 1)
            player.observe(reward)
        played = Round(number, decision.arm, decision.query, reward, epsilon)
        rounds.append(played)
        if epsilon is not None:
            situations.append(ObservedRound(played, state, view))
        if reward is not None:
            state = after_query(state, decision.arm, reward)
    return Run(scenario.policy, confidence, scenario.arms, scenario.epsilon.text, tuple(rounds), tuple(situations))


def tape_reward(scenario: Scenario, arm: int, k: int) -> Rational:
    """X_a(k)."""
    tape = scenario.tapes[arm - 1]
    return tape[(k - 1) % len(tape)]

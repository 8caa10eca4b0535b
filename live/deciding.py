"""One round decided from what is known, and a run that is kept in memory alone, for those who keep their own books."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bufalu.live.settings import OpeningRequest, Settings
from bufalu.reference.arguments import IntervalLike, PolicyLike, ScheduleLike
from bufalu.reference.comparisons import OneTie
from bufalu.reference.errors import InvalidInstance, NoDecision
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.policies import Decision, Reason
from bufalu.reference.rationals import NumberLike, shown
from bufalu.reference.state import State
from bufalu.reference.view import ExactView


class Step(NamedTuple):
    """What to do in one round: play `arm`, and `ask` for its reward or not; `reason` says why, for a person.

    `id` is the number of the round, by which the answer is given.
    """

    id: int
    arm: str
    ask: bool
    reason: str


class Decider:
    """Policy, interval, schedule and ties of some settings, at hand."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._rule = settings.rule
        self._interval = settings.interval
        self.schedule = settings.schedule

    def decide(self, state: State, number: int) -> tuple[Decision, Reason]:
        """The decision of this round. Raises `NoDecision`, and `InvalidSchedule` where epsilon ends."""
        # The initial rounds do not look at epsilon.
        epsilon = ZERO if number <= state.arms else self.schedule.at(number, state.arms)
        view = ExactView(state, self._interval, number, epsilon)
        for possibility in self._rule.possible(view, OneTie[Exact](self._settings.ties_of(number))):
            return possibility
        raise NoDecision(f"the policy {self._settings.policy} gives no decision in round {number}")


class DecidingRun:
    """A policy at work in memory: what the adapters to other libraries share. Arms have names, rewards a range.

    Raises what `Journal.open` raises for arguments that are wrong.
    """

    def __init__(
        self,
        arms: Sequence[str],
        policy: PolicyLike = "bufalu",
        epsilon: ScheduleLike = "power:1/4",
        rewards: tuple[NumberLike, NumberLike] = (0, 1),
        *,
        confidence: IntervalLike = "hoeffding",
        ties: str = "random:0",
    ) -> None:
        wanted = OpeningRequest.of(
            arms, policy, epsilon, rewards=rewards, confidence=confidence, ties=ties, known=None
        )
        self.settings = wanted.settings(seed=0)
        self.state = State(len(self.settings.arms))
        self.rounds = 0
        self._decider = Decider(self.settings)

    def next(self) -> Step:
        """Decides the next round from what was learned so far."""
        decision, reason = self._decider.decide(self.state, self.rounds + 1)
        self.rounds += 1
        return Step(self.rounds, self.settings.arms[decision.arm - 1], decision.query, reason.value)

    def learn(self, arm: str, reward: NumberLike) -> None:
        """Takes a reward of an arm; raises `InvalidReward` outside the range, and `InvalidInstance` for no arm."""
        if arm not in self.settings.arms:
            raise InvalidInstance(f"there is no arm {shown(arm)} (the arms are {', '.join(self.settings.arms)})")
        self.state.record(self.settings.arms.index(arm) + 1, self.settings.scaled(reward))

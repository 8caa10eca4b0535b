"""Runs a live policy on an instance and a schedule, one round at a time."""

from __future__ import annotations

from collections.abc import Iterator

from bufalu.reference.errors import InvalidInstance
from bufalu.reference.exact import ZERO
from bufalu.reference.instances import Instance
from bufalu.reference.live import LivePolicy
from bufalu.reference.one_logarithm import check_one_logarithm
from bufalu.reference.rewards import RewardSource
from bufalu.reference.rounds import Round
from bufalu.reference.schedules import Schedule


def simulate(
    policy: LivePolicy, instance: Instance, schedule: Schedule, horizon: int, rewards: RewardSource
) -> Iterator[Round]:
    """The rounds 1..horizon of the interaction of l.268, as a stream; nothing is kept unless the schedule is
    adaptive.

    The policy must be new. Raises `InvalidInstance` for a negative horizon, `MixedRounds` for an interval and a
    schedule that do not go together, and what schedule and rewards raise.
    """
    if instance.number_of_arms != policy.state.arms:
        raise InvalidInstance(
            f"the policy was made for {policy.state.arms} arms and the instance has {instance.number_of_arms}"
        )
    if horizon < 0:
        raise InvalidInstance(f"a horizon of {horizon} rounds is negative")
    arms = policy.state.arms
    check_one_logarithm(policy.rule, policy.confidence, schedule, arms)
    history: list[Round] = []
    for number in range(1, horizon + 1):
        epsilon = schedule.at(number, arms, history) if number > arms else None
        decision = policy.decide(number, ZERO if epsilon is None else epsilon)
        reward = None
        if decision.query:
            reward = rewards.draw(decision.arm, policy.state.queries(decision.arm) + 1)
            policy.observe(reward)
        played = Round(number, decision.arm, decision.query, reward, epsilon)
        if schedule.adaptive:
            history.append(played)
        yield played

"""Runs a live policy on an instance and a schedule, one round at a time."""

from __future__ import annotations

from collections.abc import Iterator

from bufalu.reference import arguments
from bufalu.reference.arguments import InstanceLike, IntervalLike, PolicyLike, RewardsLike, ScheduleLike, TiesLike
from bufalu.reference.errors import InvalidInstance, InvalidInterval, InvalidSchedule
from bufalu.reference.exact import ZERO
from bufalu.reference.live import LivePolicy
from bufalu.reference.policies import check_one_logarithm
from bufalu.reference.rationals import CountLike, Rational, shown, whole_number
from bufalu.reference.rewards import AnswerTimes, RewardSource
from bufalu.reference.rounds import Round
from bufalu.reference.schedules import Schedule


def simulate(
    policy: LivePolicy | PolicyLike,
    instance: InstanceLike,
    schedule: ScheduleLike,
    horizon: CountLike,
    rewards: RewardsLike,
    *,
    confidence: IntervalLike | None = None,
    ties: TiesLike | None = None,
    answers: AnswerTimes | None = None,
) -> Iterator[Round]:
    """The rounds 1..horizon of the interaction of l.268, as a stream; nothing is kept unless the schedule is
    adaptive.

    A live policy must be new, and brings its interval and tie-break along; for any other they are Hoeffding's and the
    first of the tied arms unless given. `rewards` may be a seed. `answers` says when answers are known, if not in the next
    round. Raises a `BufaluError` that names the argument before
    the first round (`MixedRounds` for an interval and a schedule that do not go together), and later what schedule and
    rewards raise.
    """
    arms = arguments.instance(instance)
    live = _live(policy, arms.number_of_arms, confidence, ties)
    rounds, chosen = whole_number(horizon, "horizon"), arguments.schedule(schedule)
    check_one_logarithm(live.rule, live.confidence, chosen, live.state.arms)
    source = arguments.rewards(rewards, arms)
    if answers is None:
        return _rounds(live, chosen, rounds, source)
    if not isinstance(answers, AnswerTimes):
        raise InvalidInstance(f"answers must be AnswerTimes, not {shown(answers)}")
    if chosen.adaptive:
        raise InvalidSchedule("answers come late, and an adaptive schedule looks at all rewards so far")
    return _late_rounds(live, chosen, rounds, source, answers)


def _live(
    policy: LivePolicy | PolicyLike, arms: int, confidence: IntervalLike | None, ties: TiesLike | None
) -> LivePolicy:
    if not isinstance(policy, LivePolicy):
        interval = "hoeffding" if confidence is None else confidence
        return LivePolicy(arguments.policy(policy), arms, interval, "first" if ties is None else ties)
    if confidence is not None or ties is not None:
        raise InvalidInterval("policy is a live object, which has its own confidence and ties: give none")
    if arms != policy.state.arms:
        raise InvalidInstance(f"the policy was made for {policy.state.arms} arms and the instance has {arms}")
    return policy


def _rounds(policy: LivePolicy, schedule: Schedule, horizon: int, rewards: RewardSource) -> Iterator[Round]:
    arms = policy.state.arms
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


def _late_rounds(
    policy: LivePolicy, schedule: Schedule, horizon: int, rewards: RewardSource, answers: AnswerTimes
) -> Iterator[Round]:
    """The rounds of a run whose answers come later than the next round, or never."""
    arms = policy.state.arms
    asked = [0] * arms
    coming: dict[int, list[tuple[int, Rational]]] = {}
    for number in range(1, horizon + 1):
        for earlier, reward in coming.pop(number, ()):
            policy.observe(reward, earlier)
        epsilon = schedule.at(number, arms) if number > arms else None
        decision = policy.decide(number, ZERO if epsilon is None else epsilon)
        if not decision.query:
            yield Round(number, decision.arm, False, None, epsilon)
            continue
        asked[decision.arm - 1] = k = asked[decision.arm - 1] + 1
        reward, delay = rewards.draw(decision.arm, k), answers.of(decision.arm, k)
        policy.later()
        if delay is None:
            yield Round(number, decision.arm, True, None, epsilon)
            continue
        known = number + 1 + delay
        coming.setdefault(known, []).append((number, reward))
        yield Round(number, decision.arm, True, reward, epsilon, known if delay else None)

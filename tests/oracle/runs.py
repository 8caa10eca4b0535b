"""Traces for the tests of the oracle: correct runs, wrong runs, runs with one wrong round."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache

from hypothesis import strategies as st

from bufalu.oracle.implementations import LiveObject
from bufalu.oracle.known_bugs import KNOWN_BUGS
from bufalu.oracle.known_bugs.known_bug import KnownBug
from bufalu.properties.runs.strategies import fractions, whole
from bufalu.reference.exact import Exact
from bufalu.reference.live import LivePolicy
from bufalu.reference.policies import Decision, policy_named
from bufalu.reference.rationals import Rational
from bufalu.reference.rounds import Round
from bufalu.reference.schedules import parse_schedule
from bufalu.reference.traces import Trace, TraceHeader

POLICIES = ("bufalu", "bufau", "cbm-ucb", "greedy")
DIALS = ("dial:1/2", "dial:1/3", "dial:0")
"""Positions of the dial (docs/dial.md); a run of its neighbours is a wrong run of it."""

NEIGHBOURS = (*DIALS, "bufalu", "bufau")
INTERVALS = ("hoeffding", "bernstein")
SCHEDULES = ("zero", "constant:1/2", "constant:3", "power:1/4", "inverse-log", "budget:12", "bernstein-budget:12")


def play(
    live: LivePolicy,
    header: TraceHeader,
    horizon: int,
    reward: Callable[[int, int], Rational],
    epsilons: Sequence[Rational] | None = None,
    delays: Sequence[int | None] = (0,),
) -> Trace:
    """A run of `live`, epsilon being the header's schedule or the given numbers, over and over.

    So are the delays: how many rounds after the next one an answer is known first, None for never.
    """
    schedule = None if header.epsilon is None else parse_schedule(header.epsilon)
    rounds = []
    drawn = [0] * header.arms
    coming: dict[int, list[tuple[int, Rational]]] = {}
    for number in range(1, horizon + 1):
        epsilon: Exact | None = None
        if number > header.arms:
            if schedule is not None:
                epsilon = schedule.at(number, header.arms)
            else:
                assert epsilons is not None
                epsilon = Exact.of(epsilons[number % len(epsilons)])
        for asked, answer in reversed(coming.pop(number, [])):
            live.observe(answer, asked)
        decision = live.decide(number, Exact.of(0) if epsilon is None else epsilon)
        seen, known = None, number + 1
        if decision.query:
            live.later()
            drawn[decision.arm - 1] += 1
            delay = delays[sum(drawn) % len(delays)]
            if delay is not None:
                seen, known = reward(decision.arm, drawn[decision.arm - 1]), known + delay
                coming.setdefault(known, []).append((number, seen))
        told = None if seen is None or known == number + 1 else known
        rounds.append(Round(number, *decision, seen, epsilon if schedule is None else None, told))
    return Trace(header, tuple(rounds))


class LiveUnderTest:
    """What is made of a policy, a number of arms and an interval, as an implementation of every policy."""

    def __init__(self, make: Callable[[str, int, str], LiveObject]) -> None:
        self.make = make

    def reset(self, policy: str, confidence: str, arms: int) -> None:
        self.live = self.make(policy, arms, confidence)

    def decide(self, round_number: int, epsilon: float) -> Decision:
        return Decision(*self.live.decide(round_number, epsilon))

    def observe(self, reward: float) -> None:
        self.live.observe(reward)


def reference(header: TraceHeader, ties: str = "first") -> LivePolicy:
    return LivePolicy(policy_named(header.policy), header.arms, header.confidence, ties)


def rewards(kind: str, seed: int) -> Callable[[int, int], Rational]:
    """Rewards of a kind: `bernoulli`, `deterministic`, `eighths`, `thirds` (no doubles) or `doubles`."""
    generator = random.Random(seed)
    means = [generator.random() for _ in range(16)]

    def draw(arm: int, k: int) -> Rational:
        mean = means[arm % 16]
        if kind == "bernoulli":
            return int(generator.random() < mean)
        if kind == "deterministic":
            return Fraction(mean)
        if kind == "doubles":
            return Fraction(min(1.0, max(0.0, mean + generator.uniform(-0.3, 0.3))))
        parts = 8 if kind == "eighths" else 3
        return Fraction(generator.randint(0, parts), parts)

    return draw


REWARD_KINDS = ("bernoulli", "deterministic", "eighths", "thirds", "doubles")


_POLICIES, _INTERVALS = st.sampled_from((*POLICIES, *DIALS)), st.sampled_from(INTERVALS)
_SCHEDULES = st.none() | st.sampled_from(SCHEDULES)
_NUMBERS = st.lists(fractions(0, 12, 7), min_size=1, max_size=5)
_TIES, _NEIGHBOURS = st.sampled_from(["first", "last", "random:1"]), st.sampled_from(NEIGHBOURS)
_KINDS = st.sampled_from(REWARD_KINDS)
_DELAYS = st.lists(st.none() | st.integers(0, 9), min_size=1, max_size=6)


@cache
def _mutants(policy: str, interval: str) -> st.SearchStrategy[KnownBug | None]:
    suspects = [mutant for mutant in KNOWN_BUGS if (policy, interval) in mutant.settings()]
    return st.none() | st.sampled_from(suspects) if suspects else st.none()


@st.composite
def traces(draw: st.DrawFn, longest: int = 60, late: bool = False) -> Trace:
    """Runs of the policies and of their mutants, some with a decision changed, scheduled or with numbers.

    With `late` some answers come late or never.
    """
    policy, interval = draw(_POLICIES), draw(_INTERVALS)
    arms = draw(whole(1, 5))
    schedule = draw(_SCHEDULES)
    header = TraceHeader(policy, interval, arms, schedule)
    numbers = draw(_NUMBERS)
    mutant, ties = draw(_mutants(policy, interval)), draw(_TIES)
    live = reference(header, ties) if mutant is None else mutant.live(policy, arms, interval, ties)
    if policy in DIALS:
        live = reference(replace(header, policy=draw(_NEIGHBOURS)), ties)
    kind, seed = draw(_KINDS), draw(whole(0, 10**6))
    delays = draw(_DELAYS) if late else (0,)
    return play(live, header, draw(whole(0, longest)), rewards(kind, seed), numbers, delays)

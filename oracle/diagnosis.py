"""The likely bug: which known wrong version, if any, would have done what a trace did, round for round."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from bufalu.oracle.comparisons import NearTies
from bufalu.oracle.known_bugs import KNOWN_BUGS, KnownBug, LiveKnownBug
from bufalu.oracle.stepwise_rules import STEPWISE_RULES
from bufalu.reference.comparisons import EveryTie
from bufalu.reference.confidence import confidence_named
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.policies import Decision, policy_named
from bufalu.reference.rounds import Round
from bufalu.reference.schedules import Schedule
from bufalu.reference.traces import TraceHeader, with_epsilon

WORK = 8_000
"""How many rounds are judged, all suspects together, before the rest of a long trace is left alone."""

FOLLOWING = 300_000
"""How many rounds are followed without judging, all suspects together; a later divergence is not diagnosed."""


@dataclass(frozen=True)
class LikelyBug:
    """A known bug that explains the first `rounds` rounds of a trace (all of them if `whole`)."""

    mutant: KnownBug
    rounds: int
    whole: bool

    def sentence(self) -> str:
        """The diagnosis for a person."""
        reach = "the whole trace" if self.whole else f"the start of the trace, {self.rounds} rounds,"
        return f"{reach} is what `{self.mutant.id}` would do ({self.mutant.description})"


def suspects(header: TraceHeader) -> list[KnownBug]:
    """The mutants that differ under this policy and interval, and the other policies under a false name."""
    setting = policy_named(header.policy).text, confidence_named(header.confidence).text
    known = [mutant for mutant in KNOWN_BUGS if setting in mutant.settings()]
    others = [
        KnownBug(
            f"{name}-under-another-name",
            f"follows {name}, not {header.policy}",
            "another policy",
            rules={setting[0]: rule},
        )
        for name, rule in STEPWISE_RULES.items()
        if name != setting[0]
    ]
    return known + others


def likely_bugs(
    header: TraceHeader,
    rounds: Iterable[Round],
    divergent_round: int,
    schedule: Schedule | None = None,
    strict: bool = False,
) -> list[LikelyBug]:
    """The suspects that explain a trace whose first divergent round is given, those of the most rounds first.

    A suspect must admit the divergent decision, then every other one from the start on, until the work is done.
    """
    suspected = suspects(header)
    if divergent_round * len(suspected) > FOLLOWING:
        return []
    early: list[tuple[Round, Exact]] = []
    rest = with_epsilon(rounds, schedule, header.arms)
    for played in rest:
        early.append((played, played.epsilon or ZERO))
        if played.number == divergent_round:
            break
    suspected = [mutant for mutant in suspected if _admits_last(_live(header, mutant), early, strict)]
    alive = [(mutant, _live(header, mutant)) for mutant in suspected]
    work, last = 0, 0
    later = ((played, played.epsilon or ZERO) for played in rest)
    for played, epsilon in chain(early, later):
        if not alive or work > WORK:
            break
        work += len(alive)
        alive = [(mutant, live) for mutant, live in alive if _admits(live, played, epsilon, strict)]
        for _, live in alive:
            live.follow(played)
        last = played.number
    whole = next(later, None) is None and last >= divergent_round
    return [LikelyBug(mutant, last, whole) for mutant, _ in alive]


def _live(header: TraceHeader, mutant: KnownBug) -> LiveKnownBug:
    policy, confidence = policy_named(header.policy).text, confidence_named(header.confidence).text
    return mutant.live(policy, header.arms, confidence)


def _admits_last(live: LiveKnownBug, rounds: list[tuple[Round, Exact]], strict: bool) -> bool:
    """Whether a suspect, having followed all rounds but the last, admits that one."""
    for played, epsilon in rounds[:-1]:
        live.bookkeeping.epsilon(played.number, epsilon)
        live.follow(played)
    played, epsilon = rounds[-1]
    return _admits(live, played, epsilon, strict)


def _admits(live: LiveKnownBug, played: Round, epsilon: Exact, strict: bool) -> bool:
    comparisons = EveryTie[Exact]() if strict else NearTies()
    done = Decision(played.arm, played.query)
    return any(
        decision == done
        for decision, _ in live.stepwise_rule.possible(live.view(played.number, epsilon), comparisons)
    )

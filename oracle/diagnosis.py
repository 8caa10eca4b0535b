"""The likely bug: which known wrong version, if any, would have done what a trace did, round for round."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from bufalu.oracle.comparisons import EveryTie, NearTies
from bufalu.oracle.known_bugs import KNOWN_BUGS, KnownBug, LiveKnownBug
from bufalu.oracle.stepwise_rules import STEPWISE_RULES
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.policies import Decision
from bufalu.reference.rounds import Round
from bufalu.reference.schedules import Schedule
from bufalu.reference.traces import TraceHeader

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
    known = [mutant for mutant in KNOWN_BUGS if (header.policy, header.confidence) in mutant.settings()]
    others = [
        KnownBug(
            f"{name}-under-another-name",
            f"follows {name}, not {header.policy}",
            "another policy",
            rules={header.policy: rule},
        )
        for name, rule in STEPWISE_RULES.items()
        if name != header.policy
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
    rest = iter(rounds)
    for played in rest:
        early.append((played, _epsilon(header, played, schedule)))
        if played.number == divergent_round:
            break
    suspected = [mutant for mutant in suspected if _admits_last(_live(header, mutant), early, strict)]
    alive = [(mutant, _live(header, mutant)) for mutant in suspected]
    work, last = 0, 0
    later = ((played, _epsilon(header, played, schedule)) for played in rest)
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
    return mutant.live(header.policy, header.arms, header.confidence)


def _admits_last(live: LiveKnownBug, rounds: list[tuple[Round, Exact]], strict: bool) -> bool:
    """Whether a suspect, having followed all rounds but the last, admits that one."""
    for played, epsilon in rounds[:-1]:
        live.bookkeeping.epsilon(played.number, epsilon)
        live.follow(played)
    played, epsilon = rounds[-1]
    return _admits(live, played, epsilon, strict)


def _epsilon(header: TraceHeader, played: Round, schedule: Schedule | None) -> Exact:
    if played.number <= header.arms:
        return ZERO
    if schedule is not None:
        return schedule.at(played.number, header.arms)
    return ZERO if played.epsilon is None else played.epsilon


def _admits(live: LiveKnownBug, played: Round, epsilon: Exact, strict: bool) -> bool:
    comparisons = EveryTie[Exact]() if strict else NearTies()
    done = Decision(played.arm, played.query)
    return any(
        decision == done
        for decision, _ in live.stepwise_rule.possible(live.view(played.number, epsilon), comparisons)
    )

"""The likely bug: which known wrong version, if any, would have done what a trace did, round for round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from bufalu.oracle.comparisons import NearTies
from bufalu.oracle.known_bugs import FAR_BUGS, KNOWN_BUGS, KnownBug, LiveKnownBug
from bufalu.oracle.known_bugs.dial import bugs_of_the_dial
from bufalu.oracle.known_bugs.ucb import bugs_of_ucb
from bufalu.oracle.stepwise_rules import STEPWISE_RULES
from bufalu.oracle.tolerance import slack
from bufalu.reference.comparisons import EveryTie
from bufalu.reference.confidence import ConfidenceInterval, confidence_named
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.policies import Decision, DialPolicy, UCBPolicy, policy_named
from bufalu.reference.rounds import Round
from bufalu.reference.schedules import Schedule
from bufalu.reference.state import State
from bufalu.reference.traces import TraceHeader, with_epsilon

WORK = 8_000
"""How many rounds are judged, all suspects together, before the rest of a long trace is left alone."""

LONGEST_SUMS = 20_000
"""Bits of a sum of squares beyond which no bug is looked for: the suspects would compute with it hundreds of times."""

FOLLOWING = 300_000
"""How many rounds are followed without judging, all suspects with a memory of their own together; after a later
divergence they are not suspected.
"""


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
    policy = policy_named(header.policy)
    confidence = confidence_named(header.confidence)
    setting = policy.text, confidence.text
    catalogue: Sequence[KnownBug] = KNOWN_BUGS + FAR_BUGS
    if isinstance(policy, UCBPolicy):
        known = bugs_of_ucb(confidence, catalogue)
    elif isinstance(policy, DialPolicy):
        known = [bug for bug in bugs_of_the_dial(policy, catalogue) if setting in bug.settings()]
    else:
        known = [bug for bug in catalogue if setting in bug.settings()]
    others = [
        KnownBug(
            f"{name}-under-another-name",
            f"follows {name}, not {header.policy}",
            "another policy",
            rules={setting[0]: rule},
        )
        for name, rule in STEPWISE_RULES.items()
        # The others compare epsilon(t), which has no common algebra with the logarithm of the rounds before.
        if name != setting[0] and _has_this_rounds_logarithm(confidence)
    ]
    return known + others


def _has_this_rounds_logarithm(confidence: ConfidenceInterval) -> bool:
    shape = confidence.shape
    return shape is None or shape.growth.log_round(2) == 2


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
    early: list[tuple[Round, Exact]] = []
    rest = with_epsilon(rounds, schedule, header.arms)
    for played in rest:
        early.append((played, played.epsilon or ZERO))
        if played.number == divergent_round:
            break
    suspected = _admitting_last(header, suspected, early, strict)
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


def _admitting_last(
    header: TraceHeader, suspected: list[KnownBug], rounds: list[tuple[Round, Exact]], strict: bool
) -> list[KnownBug]:
    """The suspects that admit the last of these rounds, having followed those before.

    Most of them keep nothing but the right state, which is followed once for all; after many rounds those that keep more
    are left alone.
    """
    state = State(header.arms)
    for played, _ in rounds[:-1]:
        if played.reward is not None:
            state.record(played.arm, played.reward)
    lives = {bug.id: _live(header, bug) for bug in suspected}
    remembering = [live for live in lives.values() if live.bookkeeping.REMEMBERS]
    follow_them = len(rounds) * len(remembering) <= FOLLOWING
    last, epsilon = rounds[-1]
    found = []
    for bug in suspected:
        live = lives[bug.id]
        if not live.bookkeeping.REMEMBERS:
            live.bookkeeping.state = state
        elif follow_them:
            for played, level in rounds[:-1]:
                live.view(played.number, level)  # some keep what they have seen
                live.follow(played)
        else:
            continue
        if _admits(live, last, epsilon, strict):
            found.append(bug)
    return found


def _admits(live: LiveKnownBug, played: Round, epsilon: Exact, strict: bool) -> bool:
    close = NearTies(lambda: slack(live.bookkeeping.state.records, live.confidence, played.number))
    comparisons = EveryTie[Exact]() if strict else close
    done = Decision(played.arm, played.query)
    return any(
        decision == done
        for decision, _ in live.stepwise_rule.possible(live.view(played.number, epsilon), comparisons)
    )

"""The likely bug: which known wrong version, if any, would have done what a trace did, round for round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain

from bufalu.doubles.slices import longest_sum
from bufalu.oracle.checking import LONGEST_SUMS, SHORT_SUM, Divergence, Referee
from bufalu.oracle.known_bugs import FAR_BUGS, KNOWN_BUGS, LATE_BUGS, KnownBug, LiveKnownBug
from bufalu.oracle.known_bugs.edited_rules import UNEDITED_RULES
from bufalu.oracle.known_bugs.far import STALE_STATE
from bufalu.oracle.known_bugs.made import bugs_of
from bufalu.oracle.report import Report
from bufalu.oracle.tolerance import NearTies, slack
from bufalu.reference.comparisons import EveryTie
from bufalu.reference.confidence import ConfidenceInterval, confidence_named
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.policies import Decision, policy_named
from bufalu.reference.rationals import nearest_float
from bufalu.reference.rounds import Arrivals, Round
from bufalu.reference.schedules import Schedule
from bufalu.reference.state import State
from bufalu.reference.traces import Trace, TraceHeader, with_epsilon

WORK = 8_000
"""How many rounds are judged, all suspects together: those before the divergence, as many as that allows, and those after."""

FOLLOWING = 300_000
"""How many rounds are followed without judging, all suspects with a memory of their own together; after a later
divergence they are not suspected.
"""


EXPLAINS_NOTHING = Fraction(1, 3)
"""A suspect that admits this share of all other decisions in the rounds judged would have admitted nearly any run."""

HARDLY_EVER = Fraction(1, 10)
"""Somebody who may err and does so in a smaller share of the rounds does what is right for another reason."""


@dataclass(frozen=True)
class LikelyBug:
    """A known bug that explains the rounds `first` to `last` of a trace, the divergent one among them (all if `whole`)."""

    known: KnownBug
    first: int
    last: int
    whole: bool
    others_admitted: int = 0
    """How many other decisions it would have admitted in the rounds after the initial ones that were judged..."""
    others: int = 0
    """...of how many."""
    choices: int = 0
    """From the divergent round on: in how many rounds it admits right decisions and wrong ones..."""
    errors: int = 0
    """...and in how many the decision is wrong."""

    @property
    def errs_too_seldom(self) -> bool:
        """Whether a program that has it would have been free to err far more often than it did: then it is something else."""
        return self.errors < self.choices * HARDLY_EVER

    @property
    def is_vague(self) -> bool:
        """Whether it would not have rejected most other decisions: then it explains nothing."""
        return self.others > 0 and Fraction(self.others_admitted, self.others) >= EXPLAINS_NOTHING

    def seen_again(self, other: LikelyBug) -> LikelyBug:
        """This bug with what was counted in another run as well."""
        return replace(
            self,
            others_admitted=self.others_admitted + other.others_admitted,
            others=self.others + other.others,
            choices=self.choices + other.choices,
            errors=self.errors + other.errors,
        )

    @property
    def rounds(self) -> int:
        """How many rounds it explains."""
        return self.last - self.first + 1

    def sentence(self) -> str:
        """The diagnosis for a person."""
        reach = f"all that was done in the rounds {self.first} to {self.last}"
        return f"{'the whole trace' if self.whole else reach} is what `{self.known.id}` would do ({self.known.description})"


def suspects(header: TraceHeader, late: bool = False) -> list[KnownBug]:
    """The known bugs that differ under this policy and interval, and the other policies under a false name.

    If answers come `late`, the wrong ways to deal with that are among them.
    """
    policy = policy_named(header.policy)
    confidence = confidence_named(header.confidence)
    setting = policy.text, confidence.text
    catalogue: Sequence[KnownBug] = KNOWN_BUGS + FAR_BUGS + (LATE_BUGS if late else ())
    others = [
        KnownBug(
            f"{name}-under-another-name",
            f"follows {name}, not {header.policy}",
            "another policy",
            rules={setting[0]: rule},
        )
        for name, rule in UNEDITED_RULES.items()
        # The others compare epsilon(t), which has no common algebra with the logarithm of the rounds before.
        if name != setting[0] and _has_this_rounds_logarithm(confidence)
    ]
    return bugs_of(policy, confidence, catalogue) + others


def _has_this_rounds_logarithm(confidence: ConfidenceInterval) -> bool:
    shape = confidence.shape
    return shape is None or shape.growth.log_round(2) == 2


def likely_bugs(
    header: TraceHeader,
    rounds: Iterable[Round],
    divergent_round: int,
    schedule: Schedule | None = None,
    *,
    strict: bool = False,
    among: Sequence[KnownBug] | None = None,
) -> list[LikelyBug]:
    """The suspects (all of them, or those given) that explain a trace whose first divergent round is given.

    A suspect must admit the divergent decision, then those of the rounds before it and after it, until the work is done:
    what shows late is told from its likes by what was done late. Choices and errors of suspects that are given are counted
    in all rounds judged, since they were found in another run.
    """
    early: list[tuple[Round, Exact]] = []
    rest = with_epsilon(rounds, schedule, header.arms)
    for played in rest:
        early.append((played, played.epsilon or ZERO))
        if played.number == divergent_round:
            break
    suspected = suspects(header, late=any(played.late for played, _ in early)) if among is None else among
    last, epsilon = early[-1]
    found = [bug for bug, live in _lives_after(header, suspected, early[:-1]) if _admits(live, last, epsilon, strict)]
    start = max(0, len(early) - WORK // max(1, len(found)))
    alive = [_Suspect(bug, live) for bug, live in _lives_after(header, found, early[:start])]
    counted_from = divergent_round if among is None else 1
    right = _RightRule(header, strict)
    for played, _ in early[:start]:
        right.follow(played)
    work, end, whole = 0, 0, start == 0
    for played, epsilon in chain(early[start:], ((played, played.epsilon or ZERO) for played in rest)):
        later = played.number > divergent_round
        if not alive or (later and (work > WORK or longest_sum(alive[0].live.bookkeeping.state) > SHORT_SUM)):
            whole = False
            break
        work += len(alive)
        right_ones = right.admitted(played, epsilon) if played.number >= counted_from else None
        alive = [suspect for suspect in alive if suspect.admits(played, epsilon, strict, right_ones)]
        for suspect in alive:
            suspect.live.follow(played)
        right.follow(played)
        end = played.number
    return [
        LikelyBug(one.bug, start + 1, end, whole, one.others_admitted, one.others, one.choices, one.errors)
        for one in alive
    ]


def with_likely_bugs(
    report: Report, rounds: Iterable[Round], divergence: Divergence, schedule: Schedule | None
) -> Report:
    """The report on a trace with this first divergence, with the bugs that explain it."""
    header = report.checked.header
    long = max(record.squares.denominator.bit_length() for record in divergence.state.records) > LONGEST_SUMS
    if long or header.known is not None:
        return replace(report, searched=False)
    bugs = likely_bugs(header, rounds, divergence.round, schedule, strict=report.strict)
    return _as_found(replace(report, bugs=tuple(bug for bug in bugs if not bug.errs_too_seldom)))


def narrowed(report: Report, others: Sequence[Trace]) -> Report:
    """The report with those likely bugs alone that explain other runs of the same program too, maybe none.

    A run shrunk to its first wrong round fits many bugs, a long one fits few. What would have fitted nearly any run,
    all of them together, is no explanation.
    """
    bugs = report.bugs
    for other in others:
        if bugs:
            told = [bug.known for bug in bugs]
            schedule = other.header.schedule
            found = likely_bugs(
                other.header, other.rounds, len(other.rounds), schedule, strict=report.strict, among=told
            )
            explaining = {bug.known.id: bug for bug in found}
            bugs = tuple(bug.seen_again(explaining[bug.known.id]) for bug in bugs if bug.known.id in explaining)
    return replace(report, bugs=tuple(bug for bug in bugs if not (others and (bug.is_vague or bug.errs_too_seldom))))


def with_stale_state(report: Report) -> Report:
    """The report on a run that a new process plays right: something of an earlier run survives the reset."""
    return replace(report, bugs=(LikelyBug(STALE_STATE, 1, report.checked.rounds, whole=True),))


def _as_found(report: Report) -> Report:
    """The report on a counterexample that tells what was found in other runs: of the bugs that explain it, those."""
    finding = report.checked.header.finding
    if finding is None:
        return report
    if STALE_STATE.id in finding:
        return with_stale_state(report)
    told = (replace(bug, others_admitted=0, others=0) for bug in report.bugs if bug.known.id in finding)
    return replace(report, bugs=tuple(told))


@dataclass
class _Suspect:
    """A suspect that is followed through the rounds, and what else it would have admitted after the initial ones."""

    bug: KnownBug
    live: LiveKnownBug
    others_admitted: int = 0
    others: int = 0
    choices: int = 0
    errors: int = 0

    def admits(self, played: Round, epsilon: Exact, strict: bool, right: set[Decision] | None) -> bool:
        """Whether it might have done what was done in this round, in which these decisions are right (None: whichever)."""
        admitted = set(_admitted(self.live, played, epsilon, strict))
        decision = Decision(played.arm, played.query)
        if played.number > self.live.bookkeeping.state.arms:
            self.others_admitted += len(admitted) - 1
            self.others += 2 * self.live.bookkeeping.state.arms - 1
            if right is not None:
                self.choices += not admitted <= right and not admitted.isdisjoint(right)
                self.errors += decision not in right
        return decision in admitted


class _RightRule:
    """The policy itself, followed through the rounds."""

    def __init__(self, header: TraceHeader, strict: bool) -> None:
        self._referee = Referee(header, strict)
        self._state, self._arrivals = State(header.arms), Arrivals()

    def admitted(self, played: Round, epsilon: Exact) -> set[Decision]:
        """Every decision that is accepted in this round."""
        return set(self._referee.accepted(self._state, played.number, epsilon)[0])

    def follow(self, played: Round) -> None:
        """Takes the answers that the next round is the first to know."""
        for _, arm, reward in self._arrivals.after(played):
            self._state.record(arm, reward)


def _live(header: TraceHeader, bug: KnownBug) -> LiveKnownBug:
    policy, confidence = policy_named(header.policy).text, confidence_named(header.confidence).text
    return bug.live(policy, header.arms, confidence)


def _lives_after(
    header: TraceHeader, suspected: Sequence[KnownBug], rounds: Sequence[tuple[Round, Exact]]
) -> list[tuple[KnownBug, LiveKnownBug]]:
    """The suspects, having followed these rounds.

    Most of them keep nothing but the right state, which is followed once for all; after many rounds those that keep more
    are left alone.
    """
    state, arrivals = State(header.arms), Arrivals()
    rewards = []
    for played, _ in rounds:
        for _, arm, reward in arrivals.after(played):
            state.record(arm, reward)
            rewards.append((arm, nearest_float(reward)))
    lives = [(bug, _live(header, bug)) for bug in suspected]
    remembering = sum(live.bookkeeping.REMEMBERS for _, live in lives)
    found = []
    for bug, live in lives:
        if not live.bookkeeping.REMEMBERS:
            live.bookkeeping.catch_up(state.copy(), rewards)
            live.arrivals = arrivals.copy()
        elif len(rounds) * remembering <= FOLLOWING:
            for played, level in rounds:
                live.view(played.number, level)  # some keep what they have seen
                live.follow(played)
        else:
            continue
        found.append((bug, live))
    return found


def _admits(live: LiveKnownBug, played: Round, epsilon: Exact, strict: bool) -> bool:
    return Decision(played.arm, played.query) in _admitted(live, played, epsilon, strict)


def _admitted(live: LiveKnownBug, played: Round, epsilon: Exact, strict: bool) -> Iterator[Decision]:
    """Every decision that a suspect might take in this round, some of them several times."""
    close = NearTies(lambda: slack(live.bookkeeping.state.records, live.confidence, played.number))
    comparisons = EveryTie[Exact]() if strict else close
    view = live.view(played.number, epsilon)
    return (decision for decision, _ in live.edited_rule.possible(view, comparisons))

"""The outcome of a check for people and for machines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bufalu.doubles.blocks import Block, blocks_of_rounds
from bufalu.oracle.argument import argument
from bufalu.oracle.checking import LONGEST_SUMS, Divergence, Referee, TraceCheck, check_blocks
from bufalu.oracle.sources import TraceOptions, TraceSource, open_trace
from bufalu.reference import arguments
from bufalu.reference.arguments import PathLike
from bufalu.reference.errors import InvalidTrace
from bufalu.reference.exact import Exact
from bufalu.reference.policies import Admissible, Decision, named_with
from bufalu.reference.rationals import truth_value
from bufalu.reference.rounds import Round
from bufalu.reference.schedules import Schedule
from bufalu.reference.traces import Trace, with_epsilon

if TYPE_CHECKING:
    from bufalu.oracle.diagnosis import LikelyBug

_TOLD_BUGS = 3
"""How many bugs can be likely; where more explain a trace, it is too short to tell."""


@dataclass(frozen=True, repr=False)
class Report:
    """A checked trace with the story of its first divergence, if there is one."""

    checked: TraceCheck
    strict: bool
    bugs: tuple[LikelyBug, ...] = ()
    searched: bool = True
    """Whether likely bugs were looked for."""
    miscounts: tuple[str, ...] = ()
    """What the file says beside its rounds that they do not bear out."""

    @property
    def conforms(self) -> bool:
        """Whether every decision is admissible, and all that the file counts is what its rounds add up to."""
        return self.checked.conforms and not self.miscounts

    @property
    def verdict(self) -> str:
        """`conforms` or `nonconforming`."""
        return "conforms" if self.conforms else "nonconforming"

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """The report for a person."""
        checked = self.checked
        header = checked.header
        title = f"{named_with(header.policy, f'{header.confidence} intervals')}, {_count(header.arms, 'arm')}"
        if checked.divergence is None:
            ambiguous = ""
            if checked.ambiguous_rounds:
                ambiguous = f", {checked.ambiguous_rounds} of them too close for doubles"
            if self.miscounts:
                return [
                    f"nonconforming: {title}: each of {_count(checked.rounds, 'round')} is admissible{ambiguous}, and what "
                    "is counted beside them is wrong",
                    *self.miscounts,
                ]
            return [f"conforms: {title}: {_count(checked.rounds, 'round')} checked{ambiguous}"]
        wrong = "gives a wrong reason" if checked.divergence.in_reason_alone else "is not admissible"
        return [
            *self._rounding_lines(),
            f"nonconforming: {title}: round {checked.divergence.round} {wrong}",
            *argument(checked, checked.divergence),
            *self.hints(),
            *self.miscounts,
        ]

    @property
    def rounding(self) -> Exact | None:
        """How far apart the sides of the comparison are, if that is less than a program in doubles can be asked to tell."""
        divergence = self.checked.divergence
        if not self.strict or divergence is None or divergence.round <= self.checked.header.arms:
            return None
        referee = Referee(self.checked.header, strict=False)
        return referee.gap(divergence.state, divergence.round, divergence.epsilon, divergence.got)

    def _rounding_lines(self) -> list[str]:
        gap = self.rounding
        if gap is None:
            return []
        return [
            f"rounding: the sides of a comparison differ by {float(gap):.1e}, less than a program in doubles can be "
            "asked to tell; without --strict the decision is accepted"
        ]

    def hints(self) -> list[str]:
        """What probably went wrong, and what helps."""
        divergence = self.checked.divergence
        if self.rounding is not None or (divergence is not None and divergence.in_reason_alone):
            return []
        if not self.searched:
            why = f"the sums of the rewards have more than {LONGEST_SUMS:,} bits"
            if self.checked.header.known is not None:
                why = "some answers were known before the first round"
            return [f"Likely bugs were not looked for: {why}."]
        if self.too_short:
            names = ", ".join(bug.known.id for bug in self.bugs)
            return [f"Too short to tell which bug it is. Known ones that would have done this: {names}."]
        return [f"Likely bug: {bug.sentence()}." for bug in self.bugs] or ["No known bug explains it."]

    @property
    def too_short(self) -> bool:
        """Whether so many known bugs explain the trace, or such vague ones, that none of them is likely."""
        return len(self.bugs) > _TOLD_BUGS or any(bug.is_vague for bug in self.bugs)

    def as_json(self) -> dict[str, object]:
        """The report for a machine."""
        checked = self.checked
        first: dict[str, object] | None = None
        if checked.divergence is not None:
            first = divergence_json(checked, checked.divergence)
        return {
            "verdict": self.verdict,
            "policy": checked.header.policy,
            "confidence": checked.header.confidence,
            "arms": checked.header.arms,
            "strict": self.strict,
            "rounds": checked.rounds,
            "ambiguous_rounds": checked.ambiguous_rounds,
            "first_divergence": first,
            "rounding": None if self.rounding is None else float(self.rounding),
            "likely_bugs": None
            if not self.searched
            else [
                {"id": bug.known.id, "description": bug.known.description, "rounds": bug.rounds, "whole": bug.whole}
                for bug in self.bugs
            ],
            "miscounts": list(self.miscounts),
        }


def divergence_json(checked: TraceCheck, divergence: Divergence) -> dict[str, object]:
    """`{round, got, admissible, because}`, and the `reason` where that alone is wrong."""
    reason = divergence.reason if divergence.in_reason_alone else None
    return {
        "round": divergence.round,
        "got": decision_json(divergence.got),
        "admissible": [decision_json(decision) for decision in sorted(divergence.admissible)],
        "because": "\n".join(argument(checked, divergence)),
        **({} if reason is None else {"reason": reason.name.lower()}),
    }


def decision_json(decision: Decision) -> dict[str, object]:
    """`{arm, query}`."""
    return {"arm": decision.arm, "query": decision.query}


def admissible_json(admissible: Admissible) -> list[dict[str, object]]:
    """The admissible decisions with their reasons."""
    return [
        {**decision_json(decision), "because": sorted(reason.name.lower() for reason in reasons)}
        for decision, reasons in sorted(admissible.items())
    ]


def check_file(
    source: TraceSource, strict: bool = False, progress: Callable[[int], None] = lambda rounds: None
) -> Report:
    """Checks a trace file and tells `progress` the rounds read so far; raises `InvalidTrace` if it is not a trace."""

    def counted() -> Iterator[Block]:
        done = 0
        for block in source.blocks():
            yield block
            done += len(block)
            progress(done)

    checked = check_blocks(source.header, counted(), strict, source.schedule)
    if not checked.rounds:
        raise InvalidTrace(source.path, None, None, "no rounds: there is nothing to judge")
    miscounts = tuple(source.miscounts)
    return replace(_diagnosed(checked, _rounds(source.blocks()), source.schedule, strict), miscounts=miscounts)


def check_trace(trace: Trace | PathLike, strict: bool = False) -> Report:
    """Whether a trace, or the trace file at a path, is one of its policy under some tie-break.

    Raises `InvalidTrace` or `UnusableFile` for a broken file.
    """
    strict = truth_value(strict, "strict")
    if not isinstance(trace, Trace):
        return check_file(open_trace(arguments.path(trace, "trace"), TraceOptions()), strict)
    if not trace.rounds:
        raise InvalidTrace("the trace", None, None, "no rounds: there is nothing to judge")
    schedule = trace.header.schedule
    checked = check_blocks(trace.header, blocks_of_rounds(_bare(trace.rounds, schedule)), strict, schedule)
    return diagnosed(checked, trace, strict)


def whole_trace(source: TraceSource) -> Trace:
    """A trace file with all its rounds in memory, each with its epsilon after the initial rounds."""
    rounds = with_epsilon(_rounds(source.blocks()), source.schedule, source.header.arms)
    return Trace(source.header, tuple(rounds))


def diagnosed(checked: TraceCheck, trace: Trace, strict: bool) -> Report:
    """The report on a trace that has been checked, with the likely bug."""
    return _diagnosed(checked, iter(trace.rounds), trace.header.schedule, strict)


def _bare(rounds: tuple[Round, ...], schedule: Schedule | None) -> Iterator[Round]:
    """Rounds without epsilons where the schedule has them."""
    for played in rounds:
        yield played if schedule is None else played._replace(epsilon=None)


def _diagnosed(checked: TraceCheck, rounds: Iterator[Round], schedule: Schedule | None, strict: bool) -> Report:
    report = Report(checked, strict)
    if checked.divergence is None or checked.divergence.in_reason_alone:
        return report
    # A trace that conforms needs no known bugs: they are most of what a check would load.
    from bufalu.oracle.diagnosis import with_likely_bugs

    return with_likely_bugs(report, rounds, checked.divergence, schedule)


def _rounds(blocks: Iterator[Block]) -> Iterator[Round]:
    for block in blocks:
        yield from block.rounds()


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

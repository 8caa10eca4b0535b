"""The outcome of a check: what `pages` shows to people and to machines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bufalu.doubles.blocks import Block, blocks_of_rounds
from bufalu.oracle.checking import Referee, TraceCheck, check_blocks
from bufalu.oracle.sources import TraceOptions, TraceSource, open_trace
from bufalu.reference import arguments
from bufalu.reference.arguments import PathLike
from bufalu.reference.errors import InvalidTrace
from bufalu.reference.exact import Exact
from bufalu.reference.policies import named_with
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
    def headline(self) -> str:
        """The verdict in a line."""
        checked = self.checked
        header = checked.header
        title = f"{named_with(header.policy, f'{header.confidence} intervals')}, {_count(header.arms, 'arm')}"
        if checked.divergence is not None:
            wrong = "gives a wrong reason" if checked.divergence.in_reason_alone else "is not admissible"
            return f"nonconforming: {title}: round {checked.divergence.round} {wrong}"
        close = f", {checked.ambiguous_rounds} of them too close for doubles" if checked.ambiguous_rounds else ""
        if not self.miscounts:
            return f"conforms: {title}: {_count(checked.rounds, 'round')} checked{close}"
        return (
            f"nonconforming: {title}: each of {_count(checked.rounds, 'round')} is admissible{close}, and what is counted "
            "beside them is wrong"
        )

    def __repr__(self) -> str:
        return self.headline

    @property
    def rounding(self) -> Exact | None:
        """How far apart the sides of the comparison are, if that is less than a program in doubles can be asked to tell."""
        divergence = self.checked.divergence
        if not self.strict or divergence is None or divergence.round <= self.checked.header.arms:
            return None
        referee = Referee(self.checked.header, strict=False)
        return referee.gap(divergence.state, divergence.round, divergence.epsilon, divergence.got)

    @property
    def too_short(self) -> bool:
        """Whether so many known bugs explain the trace, or such vague ones, that none of them is likely."""
        return len(self.bugs) > _TOLD_BUGS or any(bug.is_vague for bug in self.bugs)


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

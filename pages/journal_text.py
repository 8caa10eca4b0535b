"""A journal in a terminal: what is known of each arm, which may be best, what is waited for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bufalu.live.deciding import Step
from bufalu.live.summary import ArmSummary, Summary
from bufalu.pages.text import columns

_MOST_WAITING = 10
_HEAD = ("arm", "played", "asked", "answered", "mean", "interval")


def journal_lines(summary: Summary, waiting: Sequence[Step]) -> Iterator[str]:
    """The summary line by line, arms as a table."""
    before = f", {summary.before:,} of them from before" if summary.before else ""
    known = f"{_counted(summary.answers, 'answer')} known{before}"
    yield f"{_counted(summary.rounds, 'round')}, asked {_counted(summary.asked, 'time')}, {known}"
    yield columns([_HEAD, *map(_cells, summary.arms)])
    yield best_words(summary)
    yield f"lost so far against the best arm: at most {lost_words(summary)}, if every mean lies in its interval"
    if waiting:
        shown = ", ".join(f"step {step.id} ({step.arm})" for step in waiting[:_MOST_WAITING])
        more = f" and {len(waiting) - _MOST_WAITING} more" if len(waiting) > _MOST_WAITING else ""
        yield f"waiting for answers to {shown}{more}"


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def _cells(arm: ArmSummary) -> tuple[str, ...]:
    mean = "" if arm.mean is None else f"{arm.mean:.4g}"
    return arm.name, f"{arm.plays:,}", f"{arm.asked:,}", f"{arm.answers:,}", mean, interval_words(arm)


def interval_words(arm: ArmSummary) -> str:
    """From where to where the true mean of an arm may lie."""
    known = arm.lower is not None and arm.upper is not None
    return f"{arm.lower:.4g} to {arm.upper:.4g}" if known else "not known yet"


def lost_words(summary: Summary) -> str:
    """How much was lost at most, without an exponent where it is large."""
    lost = summary.lost_at_most
    return f"{lost:,.0f}" if lost >= 1000 else f"{lost:.4g}"


def best_words(summary: Summary) -> str:
    """Which arm is best, or which may be."""
    if len(summary.may_be_best) == 1:
        return f"best arm: {summary.may_be_best[0]}, if every mean lies in its interval"
    return f"may be best: {', '.join(summary.may_be_best)}"

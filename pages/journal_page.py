"""A journal as one HTML file: what is known of each arm, when it asked, why it stopped, what is waited for and was paid."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from bufalu.live.deciding import Step
from bufalu.live.journal import Journal
from bufalu.live.settings import Settings
from bufalu.live.summary import ArmSummary, Summary
from bufalu.pages.journal_text import best_words, interval_words, lost_words
from bufalu.pages.palette import REASON_COLOURS, REASON_WORDS
from bufalu.pages.templates import rendered
from bufalu.reference.policies import Reason, named_with
from bufalu.reference.rationals import Rational

COLUMNS = 80
"""The run is cut into at most so many columns of equally many rounds."""

MOST_WAITING = 50

_WIDE, _HIGH = 640, 150
_COUNTS = ("mean", "played", "asked", "answered")


@dataclass
class Reasons:
    """The rounds that one reason decided."""

    first: int
    last: int = 0
    columns: Counter[int] = field(default_factory=Counter)


class Bar(NamedTuple):
    """A part of a column of the timeline, in the units of its picture."""

    x: str
    y: str
    width: str
    height: str
    colour: str
    words: str


def journal_page(name: str, journal: Journal, cost: Rational | None = None) -> str:
    """The page of a journal called `name` as HTML text, with `cost` for every answer; nothing in it is fetched.

    Reads the journal once, in memory that does not grow with its rounds.
    """
    settings, summary, waiting = journal.settings, journal.summary(), journal.waiting
    column = max(1, -(-summary.rounds // COLUMNS))
    reasons = reasons_of(journal.steps(), summary.rounds, column)
    best = best_words(summary)
    return rendered(
        "journal.html",
        name=name,
        best=best[0].upper() + best[1:],
        settings=_settings_words(settings, summary.before),
        figures=_figures(summary, cost),
        ends=" to ".join(settings.rewards),
        counts=_COUNTS,
        arms=[_arm(settings, arm, arm.name in summary.may_be_best) for arm in summary.arms],
        rounds=f"{summary.rounds:,}" if summary.rounds else None,
        wide=_WIDE,
        high=_HIGH,
        bars=list(_bars(reasons, summary.rounds, column)),
        stopped=_stopped(reasons, summary.rounds),
        reasons=[
            (REASON_COLOURS[reason], reason.value, *(f"{n:,}" for n in (told.columns.total(), told.first, told.last)))
            for reason, told in sorted(reasons.items(), key=lambda item: item[1].first)
        ],
        waiting=waiting[:MOST_WAITING],
        more=max(0, len(waiting) - MOST_WAITING),
    )


def reasons_of(steps: Iterable[Step], rounds: int, column: int) -> dict[Reason, Reasons]:
    """Where the first `rounds` steps had which reason, counted in columns of so many rounds."""
    found: dict[Reason, Reasons] = {}
    for step in steps:
        if step.id > rounds:
            break
        told = found.setdefault(Reason(step.reason), Reasons(step.id))
        told.last = step.id
        told.columns[(step.id - 1) // column] += 1
    return found


def _settings_words(settings: Settings, before: int) -> str:
    lowest, highest = settings.rewards
    known = f", {before:,} answers known before the first round" if before else ""
    if not settings.rule.uses_interval:
        known += f"; the intervals are {settings.confidence}'s, for the eye: the policy has none"
    return (
        f"{named_with(settings.policy, f'{settings.confidence} intervals')}, epsilon {settings.epsilon}, answers from "
        f"{lowest} to {highest}, ties {settings.ties}{known}"
    )


def _figures(summary: Summary, cost: Rational | None) -> list[tuple[str, str]]:
    share = f" ({summary.asked / summary.rounds:.0%})" if summary.rounds else ""
    figures = [
        ("rounds", f"{summary.rounds:,}"),
        ("asked", f"{summary.asked:,}{share}"),
        ("answers", f"{summary.given:,}"),
        ("waiting", f"{summary.waiting:,}"),
        ("never answered", f"{summary.never:,}"),
        ("lost at most", lost_words(summary)),
    ]
    if cost is not None:
        figures[3:3] = [("paid", f"{float(cost * summary.given):,.2f}")]
        figures.append(("saved by not asking", f"{float(cost * (summary.rounds - summary.asked)):,.2f}"))
    return figures


def _arm(settings: Settings, arm: ArmSummary, may_be_best: bool) -> dict[str, object]:
    """An arm as the template has it: its interval inside the range of the answers, where every mean lies."""
    lowest, spread = float(settings.lowest), float(settings.spread)

    def place(value: float) -> float:
        return 300 * min(1.0, max(0.0, (value - lowest) / spread))

    left = 0.0 if arm.lower is None else place(arm.lower)
    right = 300.0 if arm.upper is None else place(arm.upper)
    values = (
        "none" if arm.mean is None else f"{arm.mean:.4g}",
        *(f"{n:,}" for n in (arm.plays, arm.asked, arm.answers)),
    )
    return {
        "name": arm.name,
        "may_be_best": may_be_best,
        "interval": interval_words(arm),
        "left": f"{left:.1f}",
        "width": f"{max(right - left, 1):.1f}",
        "dot": None if arm.mean is None else f"{place(arm.mean):.1f}",
        "counts": list(zip(_COUNTS, values, strict=True)),
    }


def _bars(reasons: dict[Reason, Reasons], rounds: int, column: int) -> Iterator[Bar]:
    """One column for each stretch of rounds, the share of each reason in its colour, those that ask at the bottom."""
    width = _WIDE / max(1, -(-rounds // column))
    heights: defaultdict[int, float] = defaultdict(float)
    for reason in sorted(reasons, key=lambda one: (not asks(one), list(Reason).index(one))):
        for place, count in sorted(reasons[reason].columns.items()):
            length = min(column, rounds - place * column)
            height = _HIGH * count / length
            heights[place] += height
            stretch = f"rounds {place * column + 1:,} to {place * column + length:,}"
            yield Bar(
                f"{place * width:.2f}",
                f"{_HIGH - heights[place]:.2f}",
                f"{width:.2f}",
                f"{height:.2f}",
                REASON_COLOURS[reason],
                f"{stretch}: {count:,} of {length:,} {REASON_WORDS[reason]}",
            )


def asks(reason: Reason) -> bool:
    """Whether this reason is one for asking."""
    return not reason.value.startswith("no query")


def _stopped(reasons: dict[Reason, Reasons], rounds: int) -> str:
    last = max((told.last for reason, told in reasons.items() if asks(reason)), default=0)
    if last == rounds:
        return "It asks still." if rounds else "It has not begun."
    now = next(reason for reason, told in reasons.items() if told.last == rounds)
    return f"It asked last in round {last:,}. Since then, and in round {rounds:,}: {now.value}."

"""A journal as one HTML file: what is known of each arm, when it asked, why it stopped, what is waited for and was paid."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape

from bufalu.live.deciding import Step
from bufalu.live.journal import Journal
from bufalu.live.settings import Settings
from bufalu.live.summary import ArmSummary, Summary
from bufalu.pages.assets import asset
from bufalu.pages.journal_text import best_words, interval_words
from bufalu.pages.palette import REASON_COLOURS, REASON_WORDS
from bufalu.reference.policies import Reason
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


def journal_page(name: str, journal: Journal, cost: Rational | None = None) -> str:
    """The page of a journal called `name` as HTML text, with `cost` for every answer; nothing in it is fetched.

    Reads the journal once, in memory that does not grow with its rounds.
    """
    settings, summary, waiting = journal.settings, journal.summary(), journal.waiting
    column = max(1, -(-summary.rounds // COLUMNS))
    reasons = reasons_of(journal.steps(), summary.rounds, column)
    before = sum(record.queries for record in settings.records_before())
    title, told = escape(name), best_words(summary)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}: a journal</title>
<link rel="icon" href="data:,">
<style>{asset("common.css")}{asset("journal.css")}</style>
</head>
<body>
<main>
<h1>{title}</h1>
<p>{escape(told[0].upper() + told[1:])}.</p>
<p class="lead">{_lead(settings, before)}</p>
<dl class="figures">{_figures(summary, len(waiting), before, cost)}</dl>
<h2>What is known of each arm</h2>
{_arms(settings, summary)}
<h2>When it asked</h2>
{_timeline(reasons, summary.rounds, column)}
<h2>Why it asked, and why it stopped</h2>
{_why(reasons, summary.rounds)}
<h2>What is waited for</h2>
{_waiting(waiting)}
<h2>What this does not tell</h2>
<p>Intervals and bounds speak of answers that are independent of each other and of the same law over time. Answers that are
missing <em>because they are bad</em>, arms that get better or worse over time (<em>drift</em>), and arms that are best for
some and not for others (<em>context</em>) are not covered, and nothing here notices them.</p>
</main>
</body>
</html>
"""


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


def _lead(settings: Settings, before: int) -> str:
    lowest, highest = settings.rewards
    known = f", {before:,} answers known before the first round" if before else ""
    return escape(
        f"{settings.policy} with {settings.confidence} intervals, epsilon {settings.epsilon}, answers from {lowest} to "
        f"{highest}, ties {settings.ties}{known}"
    )


def _figures(summary: Summary, waiting: int, before: int, cost: Rational | None) -> str:
    given = summary.answers - before
    share = f" ({summary.asked / summary.rounds:.0%})" if summary.rounds else ""
    figures = [
        ("rounds", f"{summary.rounds:,}"),
        ("asked", f"{summary.asked:,}{share}"),
        ("answers", f"{given:,}"),
        ("waiting", f"{waiting:,}"),
        ("never answered", f"{summary.asked - given - waiting:,}"),
        ("lost at most", f"{summary.lost_at_most:.4g}"),
    ]
    if cost is not None:
        figures[3:3] = [("paid", f"{float(cost * given):,.2f}")]
        figures.append(("saved by not asking", f"{float(cost * (summary.rounds - summary.asked)):,.2f}"))
    return "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in figures)


def _arms(settings: Settings, summary: Summary) -> str:
    ends = " to ".join(settings.rewards)
    head = (
        f"<tr><th>arm</th><th>interval, from {ends}</th>" + "".join(f"<th>{name}</th>" for name in _COUNTS) + "</tr>"
    )
    rows = "".join(_arm(settings, arm, arm.name in summary.may_be_best) for arm in summary.arms)
    return (
        f'<div class="wide"><table class="arms"><thead>{head}</thead><tbody>{rows}</tbody></table></div>'
        '<p class="lead">Violet: may be the best arm. The dot is the mean of the answers; the bar is where the true mean '
        "lies, unless luck was against it.</p>"
    )


def _arm(settings: Settings, arm: ArmSummary, may_be_best: bool) -> str:
    words = interval_words(arm)
    mean = "none" if arm.mean is None else f"{arm.mean:.4g}"
    values = (mean, f"{arm.plays:,}", f"{arm.asked:,}", f"{arm.answers:,}")
    cells = "".join(f'<td data-name="{name}">{value}</td>' for name, value in zip(_COUNTS, values, strict=True))
    bar = _bar(settings, arm, escape(f"{arm.name}: {words}"))
    return (
        f'<tr class="{"best" if may_be_best else "out"}"><th>{escape(arm.name)}</th><td>{bar}{words}</td>{cells}</tr>'
    )


def _bar(settings: Settings, arm: ArmSummary, title: str) -> str:
    """The interval inside the range of the answers, where every mean lies."""
    lowest, spread = float(settings.lowest), float(settings.spread)

    def place(value: float) -> float:
        return 300 * min(1.0, max(0.0, (value - lowest) / spread))

    left = 0.0 if arm.lower is None else place(arm.lower)
    right = 300.0 if arm.upper is None else place(arm.upper)
    dot = "" if arm.mean is None else f'<circle cx="{place(arm.mean):.1f}" cy="8" r="4"/>'
    return (
        f'<svg viewBox="-5 0 310 16" role="img"><title>{title}</title><line x1="0" x2="300" y1="8" y2="8"/>'
        f'<rect x="{left:.1f}" width="{max(right - left, 1):.1f}" y="5" height="6"/>{dot}</svg>'
    )


def _timeline(reasons: dict[Reason, Reasons], rounds: int, column: int) -> str:
    """One column for each stretch of rounds, the share of each reason in its colour, those that ask at the bottom."""
    if not rounds:
        return "<p>No round was played yet.</p>"
    width = _WIDE / -(-rounds // column)
    bars: list[str] = []
    heights: defaultdict[int, float] = defaultdict(float)
    for reason in sorted(reasons, key=lambda one: (not asks(one), list(Reason).index(one))):
        for place, count in sorted(reasons[reason].columns.items()):
            length = min(column, rounds - place * column)
            height = _HIGH * count / length
            top = _HIGH - heights[place] - height
            heights[place] += height
            span = f"rounds {place * column + 1:,} to {place * column + length:,}"
            bars.append(
                f'<rect x="{place * width:.2f}" y="{top:.2f}" width="{width:.2f}" height="{height:.2f}" '
                f'fill="{REASON_COLOURS[reason]}"><title>{span}: {count:,} of {length:,} {escape(REASON_WORDS[reason])}'
                "</title></rect>"
            )
    return (
        f'<svg class="timeline" viewBox="0 0 {_WIDE} {_HIGH}" preserveAspectRatio="none" role="img" '
        f'aria-label="share of the rounds with each reason, from round 1 to {rounds:,}">{"".join(bars)}</svg>'
        f'<p class="ends"><span>round 1</span><span>{rounds:,}</span></p>'
    )


def asks(reason: Reason) -> bool:
    """Whether this reason is one for asking."""
    return not reason.value.startswith("no query")


def _why(reasons: dict[Reason, Reasons], rounds: int) -> str:
    rows = "".join(
        f'<tr><td><span class="swatch" style="background:{REASON_COLOURS[reason]}"></span>{escape(reason.value)}</td>'
        f"<td>{told.columns.total():,}</td><td>{told.first:,}</td><td>{told.last:,}</td></tr>"
        for reason, told in sorted(reasons.items(), key=lambda item: item[1].first)
    )
    head = "<tr><th>reason</th><th>rounds</th><th>first</th><th>last</th></tr>"
    return f"<p>{_stopped(reasons, rounds)}</p>" + (
        f'<div class="wide"><table><thead>{head}</thead><tbody>{rows}</tbody></table></div>' if rows else ""
    )


def _stopped(reasons: dict[Reason, Reasons], rounds: int) -> str:
    last = max((told.last for reason, told in reasons.items() if asks(reason)), default=0)
    if last == rounds:
        return "It asks still." if rounds else "It has not begun."
    now = next(reason for reason, told in reasons.items() if told.last == rounds)
    return escape(f"It asked last in round {last:,}. Since then, and in round {rounds:,}: {now.value}.")


def _waiting(waiting: Sequence[Step]) -> str:
    if not waiting:
        return "<p>No answer is outstanding.</p>"
    rows = "".join(f"<tr><td>{step.id:,}</td><td>{escape(step.arm)}</td></tr>" for step in waiting[:MOST_WAITING])
    more = f"<p>and {len(waiting) - MOST_WAITING:,} more</p>" if len(waiting) > MOST_WAITING else ""
    return (
        f'<table class="waiting"><thead><tr><th>step</th><th>arm</th></tr></thead><tbody>{rows}</tbody></table>{more}'
    )

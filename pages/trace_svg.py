"""A trace as a static SVG: intervals over rounds, uncertainty against epsilon, and why each round was decided so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import TypeVar

import numpy as np

from bufalu.doubles.blocks import Floats
from bufalu.pages.palette import EPSILON, REASON_COLOURS, REASON_WORDS, arm_colour, arm_dashes
from bufalu.pages.story import COLUMNS, Story
from bufalu.reference.policies import named_with, policy_named
from bufalu.reference.policies.decisions import REASONS

WIDTH, LEFT, RIGHT = 1000, 78, 58
INTERVALS_HEIGHT, ROLE_HEIGHT, TEST_HEIGHT, COUNTS_HEIGHT, STRIP_HEIGHT = 250, 9, 130, 80, 26
LEGEND_ROW, LEGEND_STEP, PER_ROW = 18, 128, 7
CROWDED = 5
"""With more arms than this their intervals are lines alone: layers of colour would hide each other."""

Number = TypeVar("Number", float, Floats)

LOWEST, HIGHEST = -0.75, 1.75
"""The vertical range of the intervals: rewards lie in [0, 1], and wider ends are cut."""

STYLE = """
.bufalu-trace { --ink: #1b1f24; --soft: #59636e; --grid: #d8dee4; --paper: #ffffff; --loss: #a40e26; font-family: system-ui,
sans-serif; } @media (prefers-color-scheme: dark) {
  .bufalu-trace { --ink: #e6edf3; --soft: #9da7b1; --grid: #30363d; --paper: #0d1117; --loss: #ffa198; }
}
.bufalu-trace text { fill: var(--ink); font-size: 12px; }
.bufalu-trace .soft { fill: var(--soft); }
.bufalu-trace .title { font-size: 16px; font-weight: 600; }
.bufalu-trace .grid { stroke: var(--grid); stroke-width: 1; }
.bufalu-trace .paper { fill: var(--paper); }
"""


@dataclass(frozen=True)
class Layout:
    """Where the panels begin, from above; more arms need more room."""

    intervals: int
    lanes: int
    lane: int
    roles: int
    test: int
    counts: int
    strip: int
    legend: int
    height: int


def layout(arms: int) -> Layout:
    """The layout for a number of arms."""
    intervals = 44 + LEGEND_ROW * (1 + (arms - 1) // PER_ROW)
    lane = max(5, min(14, 64 // arms))
    lanes = intervals + INTERVALS_HEIGHT + 10
    roles = lanes + lane * arms + 10
    test = roles + 2 * (ROLE_HEIGHT + 4) + 14
    counts = test + TEST_HEIGHT + 14
    strip = counts + COUNTS_HEIGHT + 14
    legend = strip + STRIP_HEIGHT + 28
    return Layout(intervals, lanes, lane, roles, test, counts, strip, legend, legend + LEGEND_ROW + 10)


def trace_svg(story: Story) -> str:
    """The whole picture as SVG text; needs no script and follows the reader's colour scheme."""
    places = layout(story.header.arms)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="bufalu-trace" viewBox="0 0 {WIDTH} {places.height}" '
        f'role="img" aria-label="{escape(title(story))}">',
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{places.height}"/>',
        f'<text x="{LEFT}" y="26" class="title">{escape(title(story))}</text>',
        *_arm_legend(story),
        *_intervals(story, places),
        *_queries(story, places),
        *_roles(story, places),
        *_tests(story, places),
        *_counts(story, places),
        *_strip(story, places),
        *_divergence(story, places),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def title(story: Story) -> str:
    """Policy, interval, schedule, rounds and queries in one line."""
    header = story.header
    schedule = header.epsilon or "given epsilon"
    rounds, queries = story.length, int(story.queried.sum())
    setting = named_with(header.policy, header.confidence, ", ")
    return (
        f"{setting}, {schedule}: {rounds:,} {'round' if rounds == 1 else 'rounds'}, "
        f"{queries:,} {'query' if queries == 1 else 'queries'}"
    )


def x_of(story: Story, round_number: Number) -> Number:
    """The horizontal position of a round."""
    span = max(story.length - 1, 1)
    return LEFT + (WIDTH - LEFT - RIGHT) * (round_number - 1) / span


def _points(pairs: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in pairs)


def _interval_y(value: float, top: int) -> float:
    cut = min(max(value, LOWEST), HIGHEST)
    return top + INTERVALS_HEIGHT * (HIGHEST - cut) / (HIGHEST - LOWEST)


def _arm_legend(story: Story) -> list[str]:
    parts = []
    means = story.header.means
    for number in range(1, story.header.arms + 1):
        row, column = divmod(number - 1, PER_ROW)
        x, y = LEFT + LEGEND_STEP * column, 38 + LEGEND_ROW * row
        label = f"arm {number}" if means is None else f"arm {number} (μ {float(means[number - 1]):.3g})"
        parts.append(
            f'<path d="M{x} {y + 5.5}h14" stroke="{arm_colour(number)}" stroke-width="9" '
            f'stroke-dasharray="{arm_dashes(number)}"/><text x="{x + 19}" y="{y + 10}">{escape(label)}</text>'
        )
    return parts


def _intervals(story: Story, panels: Layout) -> list[str]:
    parts = []
    top = panels.intervals
    for level in (0, 0.5, 1):
        y = _interval_y(level, top)
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" class="soft">{level:g}</text>')
    middle = top + INTERVALS_HEIGHT / 2
    drawn = "intervals" if policy_named(story.header.policy).uses_interval else "means"
    parts.append(
        f'<text transform="translate(16 {middle:.0f}) rotate(-90)" text-anchor="middle" class="soft">{drawn}</text>'
    )
    places = [x_of(story, t) for t in story.columns.tolist()]
    for number in range(1, story.header.arms + 1):
        upper = [(x, _interval_y(end, top)) for x, end in zip(places, story.upper[number - 1], strict=True)]
        lower = [(x, _interval_y(end, top)) for x, end in zip(places, story.lower[number - 1], strict=True)]
        line = f'fill="none" stroke="{arm_colour(number)}" stroke-width="1.3" stroke-dasharray="{arm_dashes(number)}"'
        if story.header.arms <= CROWDED:
            area = _points([*upper, *reversed(lower)])
            parts.append(f'<polygon points="{area}" fill="{arm_colour(number)}" fill-opacity="0.14"/>')
        parts.append(f'<polyline points="{_points(upper)}" {line}/><polyline points="{_points(lower)}" {line}/>')
        parts += _true_mean(story, number, top)
    return parts


def _true_mean(story: Story, arm: int, top: int) -> list[str]:
    """The mean of an arm as a dotted line, where the header has it."""
    means = story.header.means
    if means is None:
        return []
    y, end = _interval_y(float(means[arm - 1]), top), WIDTH - RIGHT
    return [
        f'<path d="M{LEFT} {y:.1f}H{end}" stroke="{arm_colour(arm)}" stroke-width="0.8" stroke-dasharray="1 4"/>'
        f'<path d="M{end} {y:.1f}h10" stroke="{arm_colour(arm)}" stroke-width="2"><title>true mean of arm {arm}</title>'
        "</path>"
    ]


def _queries(story: Story, places: Layout) -> list[str]:
    """One lane of marks for each arm."""
    parts = [f'<text x="{LEFT - 8}" y="{places.lanes + 9}" text-anchor="end" class="soft">queries</text>']
    for number in range(1, story.header.arms + 1):
        rounds = (1 + np.flatnonzero(story.queried & (story.played == number))).astype(np.float64)
        marks = np.unique(np.rint(x_of(story, rounds))).astype(int).tolist()
        y = places.lanes + places.lane * (number - 1)
        path = "".join(f"M{x} {y}v{places.lane - 2}" for x in marks)
        parts.append(
            f'<path d="{path}" stroke="{arm_colour(number)}" stroke-width="1"><title>queries of arm {number}</title></path>'
        )
    return parts


def _roles(story: Story, places: Layout) -> list[str]:
    """Two thin strips: who leads, and who challenges; a single arm has no challenger."""
    parts = []
    strips = [("leader", story.leaders), ("challenger", story.challengers)][: story.header.arms]
    for row, (label, holders) in enumerate(strips):
        y = places.roles + row * (ROLE_HEIGHT + 4)
        parts.append(f'<text x="{LEFT - 8}" y="{y + 9}" text-anchor="end" class="soft">{label}</text>')
        rounds = story.columns.tolist()
        width = (WIDTH - LEFT - RIGHT) / max(len(rounds), 1) + 0.6
        parts.extend(
            f'<rect x="{x_of(story, t):.1f}" y="{y}" width="{width:.2f}" height="{ROLE_HEIGHT}" '
            f'fill="{arm_colour(int(holders[t - 1]))}" shape-rendering="crispEdges"/>'
            for t in rounds
            if holders[t - 1]
        )
    return parts


def _tests(story: Story, places: Layout) -> list[str]:
    known = np.flatnonzero(~np.isnan(story.epsilons))
    values = np.concatenate([story.uncertainties[known], story.epsilons[known]])
    top = min(float(np.max(values, where=np.isfinite(values), initial=1e-9)), 3.0)

    def y_of(value: float) -> float:
        return places.test + TEST_HEIGHT * (1 - min(max(value / top, 0), 1))

    thinned = known[:: max(1, len(known) // (2 * COLUMNS))].tolist()
    uncertainty = [(x_of(story, place + 1), y_of(float(story.uncertainties[place]))) for place in thinned]
    epsilon = [(x_of(story, place + 1), y_of(float(story.epsilons[place]))) for place in thinned]
    label = policy_named(story.header.policy).uncertainty_words
    middle = places.test + TEST_HEIGHT / 2
    return [
        f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y_of(0):.1f}" y2="{y_of(0):.1f}"/>',
        f'<text x="{LEFT - 8}" y="{y_of(0) + 4:.1f}" text-anchor="end" class="soft">0</text>',
        f'<text x="{LEFT - 8}" y="{y_of(top) + 9:.1f}" text-anchor="end" class="soft">{top:.2g}</text>',
        f'<text transform="translate(16 {middle:.0f}) rotate(-90)" text-anchor="middle" class="soft">epsilon test</text>',
        f'<polyline points="{_points(uncertainty)}" fill="none" stroke="var(--ink)" stroke-width="1.2"/>',
        f'<polyline points="{_points(epsilon)}" fill="none" stroke="{EPSILON}" stroke-width="2" stroke-dasharray="6 3"/>',
        f'<text x="{WIDTH - RIGHT}" y="{places.test + 12}" text-anchor="end">solid: {escape(label)} · dashed: ε(t)</text>',
    ]


def _counts(story: Story, places: Layout) -> list[str]:
    """Queries so far, and regret so far where the header has the means; each curve ends at the top."""
    curves: list[tuple[str, str, Floats]] = [("queries", EPSILON, story.queried.astype(np.float64))]
    means = story.header.means
    if means is not None:
        best = max(means)
        lost = np.array([float(best - mean) for mean in means])
        curves.append(("regret", "var(--loss)", lost[story.played - 1]))
    parts = [f'<path class="grid" d="M{LEFT} {places.counts + COUNTS_HEIGHT}H{WIDTH - RIGHT}"/>']
    for row, (name, colour, each) in enumerate(curves):
        sums = np.cumsum(each)
        peak = max(float(sums[-1]), 1e-9)
        rounds = sorted({1 + (story.length - 1) * i // COLUMNS for i in range(COLUMNS + 1)})
        line = [(x_of(story, t), places.counts + COUNTS_HEIGHT * (1 - sums[t - 1] / peak)) for t in rounds]
        x, anchor = (LEFT - 8, "end") if row == 0 else (WIDTH - RIGHT + 6, "start")
        label = f'text-anchor="{anchor}" style="fill:{colour}"'
        parts.append(
            f'<polyline points="{_points(line)}" fill="none" style="stroke:{colour}" stroke-width="1.5"/>'
            f'<text x="{x}" y="{places.counts + 10}" {label}>{sums[-1]:,.10g}</text>'
            f'<text x="{x}" y="{places.counts + 24}" {label}>{name}</text>'
        )
    return parts


def _strip(story: Story, places: Layout) -> list[str]:
    parts = []
    buckets = min(COLUMNS, story.length)
    for bucket in range(buckets):
        start, end = story.length * bucket // buckets, story.length * (bucket + 1) // buckets
        shares = np.bincount(story.reasons[start:end]).tolist()
        x, width = x_of(story, start + 1), (WIDTH - LEFT - RIGHT) / buckets + 0.4
        y = float(places.strip)
        for reason, count in enumerate(shares):
            if not count:
                continue
            height = STRIP_HEIGHT * count / (end - start)
            colour = REASON_COLOURS[REASONS[reason]]
            parts.append(
                f'<rect x="{x:.1f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" fill="{colour}" '
                'shape-rendering="crispEdges"/>'
            )
            y += height
    for mark in (1, max(1, story.length // 2), story.length):
        anchor = {1: "start", story.length: "end"}.get(mark, "middle")
        y_text = places.strip + STRIP_HEIGHT + 16
        parts.append(
            f'<text x="{x_of(story, mark):.0f}" y="{y_text}" text-anchor="{anchor}" class="soft">{mark:,}</text>'
        )
    used = sorted(set(story.reasons.tolist()))
    for place, reason in enumerate(used):
        x = LEFT + 180 * place
        parts.append(
            f'<rect x="{x}" y="{places.legend}" width="11" height="11" fill="{REASON_COLOURS[REASONS[reason]]}"/>'
            f'<text x="{x + 15}" y="{places.legend + 10}">{escape(REASON_WORDS[REASONS[reason]])}</text>'
        )
    return parts


def _divergence(story: Story, places: Layout) -> list[str]:
    if story.divergence is None:
        return []
    x = x_of(story, story.divergence)
    anchor = "end" if x > WIDTH * 0.7 else "start"
    shift = -6 if anchor == "end" else 6
    return [
        f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{places.intervals}" y2="{places.strip + STRIP_HEIGHT}" stroke="#c1121f" '
        'stroke-width="2" stroke-dasharray="3 2"/>',
        f'<text x="{x + shift:.1f}" y="{places.intervals + 14}" text-anchor="{anchor}" style="fill:#c1121f;font-weight:600">'
        f"round {story.divergence:,} does not conform</text>",
    ]

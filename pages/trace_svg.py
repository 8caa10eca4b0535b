"""A trace as a static SVG: intervals over rounds, uncertainty against epsilon, and why each round was decided so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np

from bufalu.doubles.blocks import Floats
from bufalu.pages.palette import EPSILON, REASON_COLOURS, REASON_WORDS, arm_colour, arm_dashes
from bufalu.pages.story import COLUMNS, Story
from bufalu.pages.templates import rendered
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
    return rendered(
        "trace.svg",
        title=title(story),
        drawn="intervals" if policy_named(story.header.policy).uses_interval else "means",
        levels=[(level, _interval_y(level, places.intervals)) for level in (0, 0.5, 1)],
        arms=[_arm(story, places, number) for number in range(1, story.header.arms + 1)],
        roles=_roles(story, places),
        test=_test(story, places),
        counts=_counts(story, places),
        shares=list(_shares(story, places)),
        marks=_marks(story),
        reasons=[
            (REASON_COLOURS[REASONS[reason]], REASON_WORDS[REASONS[reason]])
            for reason in sorted(set(story.reasons.tolist()))
        ],
        divergence=story.divergence,
        x_of=partial(x_of, story),
        places=places,
        width=WIDTH,
        left=LEFT,
        right=WIDTH - RIGHT,
        intervals_height=INTERVALS_HEIGHT,
        role_height=ROLE_HEIGHT,
        test_height=TEST_HEIGHT,
        counts_height=COUNTS_HEIGHT,
        strip_height=STRIP_HEIGHT,
        violet=EPSILON,
    )


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


def _arm(story: Story, places: Layout, number: int) -> dict[str, object]:
    """An arm: its place in the legend, its interval over the rounds, its true mean where the header has it, its queries."""
    row, column = divmod(number - 1, PER_ROW)
    means, top = story.header.means, places.intervals
    mean = None if means is None else float(means[number - 1])
    upper, lower = (
        [(x_of(story, t), _interval_y(end, top)) for t, end in zip(story.columns.tolist(), ends, strict=True)]
        for ends in (story.upper[number - 1], story.lower[number - 1])
    )
    return {
        "label": f"arm {number}" if mean is None else f"arm {number} (μ {mean:.3g})",
        "x": LEFT + LEGEND_STEP * column,
        "y": 38 + LEGEND_ROW * row,
        "colour": arm_colour(number),
        "dashes": arm_dashes(number),
        "upper": _points(upper),
        "lower": _points(lower),
        "area": _points([*upper, *reversed(lower)]) if story.header.arms <= CROWDED else None,
        "mean": None if mean is None else _interval_y(mean, top),
        "queries": _query_marks(story, places, number),
    }


def _query_marks(story: Story, places: Layout, number: int) -> str:
    """The path of an arm's lane: a stroke for each query."""
    rounds = (1 + np.flatnonzero(story.queried & (story.played == number))).astype(np.float64)
    y = places.lanes + places.lane * (number - 1)
    return "".join(
        f"M{x} {y}v{places.lane - 2}" for x in np.unique(np.rint(x_of(story, rounds))).astype(int).tolist()
    )


def _roles(story: Story, places: Layout) -> list[dict[str, object]]:
    """Two thin strips: who leads, and who challenges; a single arm has no challenger."""
    rounds = story.columns.tolist()
    strips = [("leader", story.leaders), ("challenger", story.challengers)][: story.header.arms]
    return [
        {
            "label": label,
            "y": places.roles + row * (ROLE_HEIGHT + 4),
            "width": (WIDTH - LEFT - RIGHT) / max(len(rounds), 1) + 0.6,
            "rounds": [(x_of(story, t), arm_colour(int(holders[t - 1]))) for t in rounds if holders[t - 1]],
        }
        for row, (label, holders) in enumerate(strips)
    ]


def _test(story: Story, places: Layout) -> dict[str, object]:
    """The uncertainty against epsilon."""
    known = np.flatnonzero(~np.isnan(story.epsilons))
    values = np.concatenate([story.uncertainties[known], story.epsilons[known]])
    top = min(float(np.max(values, where=np.isfinite(values), initial=1e-9)), 3.0)

    def y_of(value: float) -> float:
        return places.test + TEST_HEIGHT * (1 - min(max(value / top, 0), 1))

    thinned = known[:: max(1, len(known) // (2 * COLUMNS))].tolist()
    return {
        "top": top,
        "y_of": y_of,
        "uncertainty": _points((x_of(story, at + 1), y_of(float(story.uncertainties[at]))) for at in thinned),
        "epsilon": _points((x_of(story, at + 1), y_of(float(story.epsilons[at]))) for at in thinned),
        "label": policy_named(story.header.policy).uncertainty_words,
    }


def _counts(story: Story, places: Layout) -> list[dict[str, str]]:
    """Queries so far, and regret so far where the header has the means; each curve ends at the top."""
    curves: list[tuple[str, str, Floats]] = [("queries", EPSILON, story.queried.astype(np.float64))]
    means = story.header.means
    if means is not None:
        best = max(means)
        lost = np.array([float(best - mean) for mean in means])
        curves.append(("regret", "var(--loss)", lost[story.played - 1]))
    rounds = sorted({1 + (story.length - 1) * i // COLUMNS for i in range(COLUMNS + 1)})
    found = []
    for name, colour, each in curves:
        sums = np.cumsum(each)
        peak = max(float(sums[-1]), 1e-9)
        line = [(x_of(story, t), places.counts + COUNTS_HEIGHT * (1 - sums[t - 1] / peak)) for t in rounds]
        found.append({"name": name, "colour": colour, "points": _points(line), "total": f"{sums[-1]:,.10g}"})
    return found


def _shares(story: Story, places: Layout) -> Iterator[dict[str, object]]:
    """The reasons of each stretch of rounds, above each other by their shares."""
    buckets = min(COLUMNS, story.length)
    for bucket in range(buckets):
        start, end = story.length * bucket // buckets, story.length * (bucket + 1) // buckets
        x, width = x_of(story, start + 1), (WIDTH - LEFT - RIGHT) / buckets + 0.4
        y = float(places.strip)
        for reason, count in enumerate(np.bincount(story.reasons[start:end]).tolist()):
            if count:
                height = STRIP_HEIGHT * count / (end - start)
                yield {"x": x, "y": y, "width": width, "height": height, "colour": REASON_COLOURS[REASONS[reason]]}
                y += height


def _marks(story: Story) -> list[tuple[float, str, int]]:
    """The first, middle and last round below the axis: each with its place, and which end of its number is there."""
    anchors = {1: "start", story.length: "end"}
    marks = (1, max(1, story.length // 2), story.length)
    return [(x_of(story, mark), anchors.get(mark, "middle"), mark) for mark in marks]

"""What a study says in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from bufalu.experiments.studies.statistics import LEVEL, PairedDifference, Spread
from bufalu.experiments.studies.summary import CellSummary, StudySummary
from bufalu.pages.text import columns


def study_text(summary: StudySummary) -> str:
    """A table for each setting, and what can be told apart."""
    blocks = [_setting(cells) for cells in summary.settings()]
    by_engine = any(found.path_reason is None for found in summary.cells)
    played = f"{summary.study.rounds:,} rounds, all played by the exact reference"
    if by_engine:
        played = (
            f"{summary.study.rounds:,} rounds; {summary.resolved:,} of them decided by the exact reference, the others "
            "certified in doubles: no decision depended on rounding"
        )
    reasons = dict.fromkeys(found.path_reason for found in summary.cells if found.path_reason is not None)
    for reason in reasons:
        cells = sum(found.path_reason == reason for found in summary.cells)
        played += f"\n{cells} of {len(summary.cells)} cells were played by the reference: {reason}"
    notes = (
        f"Intervals cover the mean with probability {LEVEL:.0%} each, in the limit of many seeds; those of the "
        f"differences, {LEVEL:.0%} together.\nEvery policy meets the same rewards: differences are taken seed by seed."
    )
    return "\n\n".join([*blocks, f"{played}\n{notes}"])


ABOVE_THE_BOUND = "what the interval states of itself is doubtful: `bufalu audit --interval` asks"


def heading(found: CellSummary) -> str:
    """The setting of a cell in one line."""
    cell = found.cell
    late = "" if cell.late is None else f"answers {cell.late} | "
    return (
        f"{cell.instance_name} | epsilon {cell.epsilon} | {cell.confidence} | ties {cell.ties} | "
        f"{late}T = {cell.horizon:,} | {found.seeds:,} seeds"
    )


def _setting(cells: Sequence[CellSummary]) -> str:
    first = cells[0].cell.policy
    lines = [heading(cells[0])]
    for quantity in ("regret", "queries"):
        head = [f"  {quantity}", "mean", "5%", "median", "95%", "theorem", "bound / mean", f"minus {first}"]
        rows = [head]
        for found in cells:
            spread: Spread = getattr(found, quantity)
            bound: float | None = getattr(found, f"{quantity}_bound")
            against: PairedDifference | None = getattr(found, f"{quantity}_against_first")
            rows.append(
                [
                    f"  {found.cell.policy}",
                    with_radius(spread),
                    *(number(spread.quantiles[at]) for at in (0, 2, 4)),
                    "-" if bound is None else number(bound),
                    f"{bound / spread.mean:.3g}" if bound and spread.mean else "-",
                    "-" if against is None else difference_words(against),
                ]
            )
        lines.append(columns(rows))
    empty = [f"{quantity} of {found.cell.policy}" for found in cells for quantity in found.vacuous]
    if empty:
        lines.append(f"  VACUOUS (no better than the trivial bound): {', '.join(empty)}")
    above = [f"{quantity} of {found.cell.policy}" for found in cells for quantity in found.above_bound]
    if above:
        lines.append(f"  ABOVE THE BOUND ({ABOVE_THE_BOUND}): {', '.join(above)}")
    lines += [f"  {sentence}" for found in cells[1:] for sentence in untold(found, first)]
    return "\n".join(lines)


def untold(found: CellSummary, first: str) -> list[str]:
    """What these seeds cannot tell about a policy and the first one."""
    sentences = []
    for quantity in ("regret", "queries"):
        against: PairedDifference | None = getattr(found, f"{quantity}_against_first")
        if against is None or against.told_apart:
            continue
        if against.always_equal:
            sentences.append(f"{found.cell.policy} and {first} have the same {quantity} in every seed")
        elif against.low is None:
            sentences.append(f"one seed tells nothing about {quantity}: give more --seeds")
        else:
            about = f"about {against.seeds_needed:,}" if against.seeds_needed else "many more"
            sentences.append(
                f"more seeds are needed to tell the {quantity} of {found.cell.policy} and {first} apart: {about}, if the "
                "difference is what it seems"
            )
    return sentences


def difference_words(against: PairedDifference) -> str:
    """A difference with its interval, if there is one."""
    shown = f"{against.mean:+,.1f}"
    if against.low is not None and against.high is not None:
        shown += f" [{against.low:+,.1f}, {against.high:+,.1f}]"
    return shown


def with_radius(spread: Spread) -> str:
    """A mean with half the width of its interval."""
    mean, low = spread.mean, spread.low
    return number(mean) if low is None else f"{number(mean)} ± {number(mean - low)}"


def number(value: float) -> str:
    """A number to read."""
    if value == round(value) and abs(value) < 1e15:
        return f"{round(value):,}"
    return f"{value:,.1f}" if abs(value) >= 10 else f"{value:.3g}"

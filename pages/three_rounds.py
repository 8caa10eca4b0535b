"""The picture of docs/bufalu.md: three rounds of one run of BuFALU, with the words of the algorithm on them.

`python -m bufalu.pages.three_rounds` writes docs/images/three-rounds.svg again, and the same for narrow screens.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from bufalu.pages.palette import ASKED, EPSILON, arm_colour
from bufalu.reference.arguments import rewards
from bufalu.reference.comparisons import EveryTie
from bufalu.reference.instances import Instance
from bufalu.reference.live import BuFALU
from bufalu.reference.policies import BUFALU, Reason
from bufalu.reference.schedules import parse_schedule
from bufalu.reference.view import ExactView
from bufalu.reference.whole_files import write_whole

FOLDER = Path("docs") / "images"
WIDE, NARROW = FOLDER / "three-rounds.svg", FOLDER / "three-rounds-narrow.svg"
MEANS, SEED = ("1/5", "1/2", "9/10"), 7
ARMS = len(MEANS)

PANEL, TALL, TOP, BOTTOM = 880 / 3, 350, 64, 300
LOWEST, HIGHEST = -0.62, 1.65
INK, SOFT, PAPER = "#1b1f24", "#59636e", "#ffffff"
DARK = {INK: "#e6edf3", SOFT: "#9da7b1", PAPER: "#0d1117", ASKED: "#b79bf7", EPSILON: "#b79bf7"}
"""What the words, the dashes and the paper become where dark is preferred; the arms keep their colours."""


@dataclass(frozen=True)
class RoundPicture:
    """What BuFALU sees in one round, as doubles for drawing, and what it does."""

    number: int
    means: tuple[float, ...]
    bounds: tuple[tuple[float, float], ...]
    epsilon: float
    leader: int
    challenger: int
    arm: int
    reason: Reason


def scenes() -> list[RoundPicture]:
    """A round that asks, one in which nothing more is worth a question, and one with a separated leader.

    As long as epsilon is positive the leader is hardly ever separated, since nobody asks so often: the third has epsilon 0.
    """
    return [
        first_scene(Reason.UNCERTAIN, "power:1/4", start=40),
        first_scene(Reason.WITHIN_EPSILON, "power:1/4"),
        first_scene(Reason.SEPARATED, "zero"),
    ]


def first_scene(wanted: Reason, epsilon_text: str, start: int = 1, horizon: int = 2000) -> RoundPicture:
    """The first round from `start` on with this reason; raises `LookupError` if there is none up to the horizon."""
    instance, schedule = Instance.bernoulli(MEANS), parse_schedule(epsilon_text)
    live, tape = BuFALU(ARMS), rewards(SEED, instance)
    for number in range(1, horizon + 1):
        epsilon = schedule.at(number, ARMS)
        view = ExactView(live.state, live.confidence, number, epsilon)
        decision = live.decide(number, epsilon)
        reasons = [reason for played, reason in BUFALU.possible(view, EveryTie()) if played == decision]
        if number >= start and wanted in reasons:
            return _scene(view, decision.arm, wanted)
        if decision.query:
            live.observe(tape.draw(decision.arm, live.state.queries(decision.arm) + 1))
    raise LookupError(f"no round up to {horizon} has the reason {wanted.name}")


def _scene(view: ExactView, arm: int, reason: Reason) -> RoundPicture:
    everyone = range(1, ARMS + 1)
    leader, challenger, _ = next(BUFALU.selections(view, EveryTie()))
    bounds = tuple((float(view.lcb(each)), float(view.ucb(each))) for each in everyone)
    means = tuple(float(view.mean(each)) for each in everyone)
    return RoundPicture(view.round, means, bounds, float(view.epsilon), leader, challenger, arm, reason)


_TITLES = {
    Reason.UNCERTAIN: ("the intervals overlap:", "play the wider one, and ask"),
    Reason.WITHIN_EPSILON: ("little can be gained:", "play the leader, do not ask"),
    Reason.SEPARATED: ("the leader is separated:", "play the leader, do not ask"),
}


NOTES = ("dot: mean of the answers", "bar: from LCB to UCB", "violet: asked in this round")


def draw(path: Path) -> str:
    """The picture of this path as SVG: the rounds side by side, or below each other."""
    across, down, notes = (0.0, TALL, NOTES) if path == NARROW else (PANEL, 0, ("; ".join(NOTES),))
    width, height = PANEL + 2 * across, TALL + 2 * down + 4 + 18 * len(notes)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" font-family="system-ui, sans-serif">',
        "<title>Three rounds of a run of BuFALU with three arms</title>",
        f"<style>@media (prefers-color-scheme: dark) {{ {_dark_rules()} }}</style>",
        f'<rect width="{width:.0f}" height="{height}" fill="{PAPER}"/>',
    ]
    for place, scene in enumerate(scenes()):
        parts += [f'<g transform="translate({place * across:.1f} {place * down})">', *_panel(scene), "</g>"]
    for line, note in enumerate(notes):
        parts.append(_text(width / 2, TALL + 2 * down + 12 + 18 * line, note, SOFT, 12.5))
    return "\n".join([*parts, "</svg>", ""])


def _dark_rules() -> str:
    return " ".join(f'[fill="{a}"] {{ fill: {b}; }} [stroke="{a}"] {{ stroke: {b}; }}' for a, b in DARK.items())


def _panel(scene: RoundPicture) -> Iterator[str]:
    middle = PANEL / 2
    first, second = _TITLES[scene.reason]
    yield _text(middle, 22, f"round {scene.number}: {first}", INK, 13.5)
    yield _text(middle, 42, second, ASKED if scene.reason is Reason.UNCERTAIN else INK, 14.5, weight="bold")
    for arm in range(1, ARMS + 1):
        yield from _arm(scene, arm, PANEL * (arm - 0.5) / ARMS)
    floor = scene.bounds[scene.leader - 1][0]
    yield _line(14, PANEL - 14, floor, SOFT, "4 4")
    if scene.reason is Reason.WITHIN_EPSILON:
        x, top = PANEL * 2 / 3, _y(floor + scene.epsilon)
        yield f'<path d="M{x:.1f} {_y(floor):.1f}V{top:.1f}" stroke="{EPSILON}" stroke-width="5"/>'
        yield _text(x, top - 7, "epsilon", EPSILON, 12)


def _arm(scene: RoundPicture, arm: int, x: float) -> Iterator[str]:
    low, high = scene.bounds[arm - 1]
    asked = scene.reason is Reason.UNCERTAIN and scene.arm == arm
    colour = arm_colour(arm)
    if asked:
        yield f'<path d="M{x:.1f} {_y(low):.1f}V{_y(high):.1f}" stroke="{ASKED}" stroke-width="19" stroke-opacity=".3"/>'
    yield f'<path d="M{x:.1f} {_y(low):.1f}V{_y(high):.1f}" stroke="{colour}" stroke-width="7"/>'
    yield f'<circle cx="{x:.1f}" cy="{_y(scene.means[arm - 1]):.1f}" r="6" fill="{colour}"/>'
    role = {scene.leader: "leader", scene.challenger: "challenger"}.get(arm, "")
    yield _text(x, BOTTOM + 22, f"arm {arm}", INK, 13)
    yield _text(x, BOTTOM + 40, role, INK, 13, weight="bold")
    if arm == scene.leader:
        yield _text(x, _y(low) + 15, "LCB", SOFT, 12)
    if arm == scene.challenger:
        yield _text(x, _y(high) - 7, "UCB", SOFT, 12)


def _y(value: float) -> float:
    return BOTTOM - (value - LOWEST) / (HIGHEST - LOWEST) * (BOTTOM - TOP)


def _line(left: float, right: float, height: float, colour: str, dashes: str) -> str:
    y = _y(height)
    return f'<path d="M{left:.1f} {y:.1f}H{right:.1f}" stroke="{colour}" stroke-dasharray="{dashes}"/>'


def _text(x: float, y: float, words: str, colour: str, size: float, *, weight: str = "normal") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" font-size="{size}" font-weight="{weight}" '
        f'text-anchor="middle">{escape(words)}</text>'
    )


if __name__ == "__main__":
    for _path in (WIDE, NARROW):
        write_whole(_path, draw(_path))

"""The picture of docs/bufalu.md: three rounds of one run of BuFALU, with the words of the algorithm on them.

`python -m bufalu.pages.three_rounds` writes docs/images/three-rounds.svg again, and the same for narrow screens.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bufalu.pages.palette import ASKED, EPSILON, arm_colour
from bufalu.pages.templates import rendered
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
    return rendered(
        "three_rounds.svg",
        scenes=scenes(),
        titles=_TITLES,
        notes=notes,
        width=width,
        height=height,
        across=across,
        down=down,
        panel=PANEL,
        tall=TALL,
        bottom=BOTTOM,
        y=_y,
        ink=INK,
        soft=SOFT,
        paper=PAPER,
        dark=DARK,
        asked=ASKED,
        violet=EPSILON,
        arm_colour=arm_colour,
    )


def _y(value: float) -> float:
    return BOTTOM - (value - LOWEST) / (HIGHEST - LOWEST) * (BOTTOM - TOP)


if __name__ == "__main__":
    for _path in (WIDE, NARROW):
        write_whole(_path, draw(_path))

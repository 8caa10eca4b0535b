"""The picture of the first page: regret against queries, the pair rule and the dial as curves, and the frontier from below.

The numbers are those of `docs/images/front.json`; `python -m bufalu.pages.front_picture --measure` plays the runs again
(a few minutes), and without the flag the two pictures, light and dark, are drawn from the file. Letters are large, so
that they can be read on a telephone.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bufalu.pages.templates import rendered
from bufalu.reference.errors import BufaluError
from bufalu.reference.instances import Instance
from bufalu.reference.rationals import parse_rational

FOLDER = Path("docs/images")
DATA = "front.json"
MEANS = "1/4,1/4,1/4,1/4,1/2"
HORIZON = 100_000
SEEDS = 1_000
DIAL = ("dial:1", "dial:7/8", "dial:3/4", "dial:5/8", "dial:1/2", "dial:3/8", "dial:1/4", "dial:1/8", "dial:0")
PAIRS = ("pairs:1", "pairs:3/2", "pairs:2", "pairs:3", "pairs:4", "pairs:8")
BASELINES = ("cbm-ucb", "greedy")
SCHEDULES = {"zero": "ε = 0", "power:1/4": "ε = t^−1/4"}

WIDTH, HEIGHT = 660, 560
LEFT, RIGHT, TOP, BOTTOM = 74, 22, 84, 66
FEWEST, MOST = 600.0, 140_000.0
LEAST, HIGHEST = 68.0, 1_300.0


@dataclass(frozen=True)
class Theme:
    """Colours of one of the two pictures; `curves` are those of the schedules, `closed` that of what nobody reaches."""

    name: str
    ink: str
    soft: str
    grid: str
    paper: str
    closed: str
    curves: tuple[str, str]


THEMES = (
    Theme("light", "#1b1f24", "#59636e", "#d8dee4", "#ffffff", "#eceff2", ("#0072b2", "#c04a00")),
    Theme("dark", "#e6edf3", "#9da7b1", "#30363d", "#0d1117", "#20262d", ("#56b4e9", "#f0883e")),
)


@dataclass(frozen=True)
class PolicyMeans:
    """The means over all seeds of one policy with one schedule."""

    policy: str
    epsilon: str
    queries: float
    regret: float


@dataclass(frozen=True)
class FrontNumbers:
    """What the picture shows: the points, and the corners (queries, regret) of the frontier at this horizon."""

    points: Sequence[PolicyMeans]
    frontier: Sequence[tuple[float, float]]

    def at(self, policy: str, epsilon: str) -> PolicyMeans:
        """One of the points."""
        return next(point for point in self.points if (point.policy, point.epsilon) == (policy, epsilon))


def instance() -> Instance:
    """The paper's arms."""
    return Instance.bernoulli([parse_rational(mean) for mean in MEANS.split(",")])


def limit() -> list[tuple[float, float]]:
    """The frontier's rates times ln T, certified but for the last rounding."""
    from bufalu.bounds.frontiers import frontier

    log = math.log(HORIZON)
    return [
        (round(float(queries) * log, 2), round(float(regret) * log, 3))
        for queries, regret in frontier(instance()).corners
    ]


def measure(policies: Sequence[str], epsilons: Sequence[str]) -> list[PolicyMeans]:
    """Plays the paper's instance with the compiled engine; raises what a study raises."""
    # Studies need numba, which drawing need not wait for.
    from bufalu.experiments.studies.running import run_study
    from bufalu.experiments.studies.study import Study
    from bufalu.experiments.studies.summary import summarised

    study = Study(
        instances=instance(),
        policies=policies,
        epsilons=epsilons,
        horizons=HORIZON,
        seeds=SEEDS,
    )
    cells = summarised(run_study(study), 1).cells
    return [PolicyMeans(cell.cell.policy, cell.cell.epsilon, cell.queries.mean, cell.regret.mean) for cell in cells]


def read(text: str) -> FrontNumbers:
    """What the data file holds."""
    document = json.loads(text)
    return FrontNumbers(
        [PolicyMeans(**point) for point in document["points"]],
        [(queries, regret) for queries, regret in document["frontier"]],
    )


def written(found: FrontNumbers) -> str:
    """The data file, with what was played."""
    played = {"means": MEANS, "horizon": HORIZON, "seeds": SEEDS}
    lines = [json.dumps(vars(point)) for point in found.points]
    corners = json.dumps(found.frontier)
    return json.dumps(played)[:-1] + ',\n"points": [\n' + ",\n".join(lines) + f'],\n"frontier": {corners}}}\n'


def x_of(queries: float) -> float:
    """The horizontal place of a number of queries, logarithmic."""
    share = math.log(queries / FEWEST) / math.log(MOST / FEWEST)
    return LEFT + (WIDTH - LEFT - RIGHT) * min(share, 1.0)


def y_of(regret: float) -> float:
    """The vertical place of a regret, logarithmic."""
    share = math.log(regret / LEAST) / math.log(HIGHEST / LEAST)
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - min(share, 1.0))


def draw(found: FrontNumbers, theme: Theme) -> str:
    """The picture as SVG text."""
    frontier = [(found.frontier[0][0], HIGHEST), *found.frontier, (MOST, found.frontier[-1][1])]
    return rendered(
        "front.svg",
        theme=theme,
        schedules=SCHEDULES,
        twice=found.at("pairs:2", "zero"),
        always=found.at("dial:0", "zero"),
        line=_path(frontier),
        closed=_path([*frontier, (MOST, LEAST), (FEWEST, LEAST), (FEWEST, HIGHEST)]),
        curves=[_curves(found, *drawn) for drawn in zip(SCHEDULES, theme.curves, strict=True)],
        names=_names(found, theme),
        x_of=x_of,
        y_of=y_of,
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=WIDTH - RIGHT,
        top=TOP,
        bottom=BOTTOM,
        floor=y_of(LEAST),
    )


def _path(places: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x_of(queries):.1f} {y_of(regret):.1f}" for queries, regret in places)


def _curves(found: FrontNumbers, epsilon: str, colour: str) -> dict[str, object]:
    """One schedule: the dial from BuFALU to BuFAU, the pair rule over kappa, and the baselines as points."""
    dial, pairs, baselines = ([found.at(policy, epsilon) for policy in group] for group in (DIAL, PAIRS, BASELINES))
    return {
        "colour": colour,
        "dial": dial,
        "dial_path": _path([(point.queries, point.regret) for point in dial]),
        "pairs": pairs,
        "pairs_path": _path([(point.queries, point.regret) for point in pairs]),
        "baselines": baselines,
    }


class Label(NamedTuple):
    """Words in the picture, those after ^ raised; `look` is one of the classes of the picture's style."""

    x: float
    y: float
    text: str
    colour: str
    anchor: str = "start"
    look: str = ""


def _names(found: FrontNumbers, theme: Theme) -> list[Label]:
    """What the curves and points are."""

    def beside(policy: str, epsilon: str, right: float, down: float, *words: str) -> Label:
        point = found.at(policy, epsilon)
        return Label(x_of(point.queries) + right, y_of(point.regret) + down, *words)

    names = []
    for (epsilon, words), colour in zip(SCHEDULES.items(), theme.curves, strict=True):
        names.append(beside("dial:1", epsilon, 14, -4, f"BuFALU, {words}", colour, "start", "named"))
        names.append(beside("pairs:8", epsilon, 12, 6, f"pair rule, {words}", colour, "start", "named"))
    return [
        *names,
        beside("pairs:1", "zero", 10, 2, "κ = 1", theme.curves[0]),
        beside("pairs:2", "zero", 12, -2, "κ = 2", theme.curves[0]),
        beside("dial:1/4", "zero", 12, 0, "the dial", theme.curves[0]),
        beside("dial:0", "zero", 26, 32, "BuFAU, CBM-UCB,", theme.soft, "end"),
        beside("dial:0", "zero", 26, 52, "greedy: always ask", theme.soft, "end"),
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Draws both pictures into the folder; 2 with one clear line if that fails."""
    parser = argparse.ArgumentParser(
        prog="python -m bufalu.pages.front_picture", description="Draw the first picture."
    )
    parser.add_argument("--measure", action="store_true", help="play the runs again first")
    parser.add_argument("--folder", type=Path, default=FOLDER, help=f"where the files are (default: {FOLDER})")
    chosen = parser.parse_args(arguments)
    data = chosen.folder / DATA
    try:
        if chosen.measure:
            points = measure([*DIAL, *PAIRS, *BASELINES], list(SCHEDULES))
            data.write_text(written(FrontNumbers(points, limit())), encoding="utf-8")
        found = read(data.read_text(encoding="utf-8"))
        for theme in THEMES:
            (chosen.folder / f"front-{theme.name}.svg").write_text(draw(found, theme), encoding="utf-8")
    except (BufaluError, OSError) as problem:
        print(f"front_picture: {problem}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

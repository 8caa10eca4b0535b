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
from html import escape
from pathlib import Path

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
    pair, always = found.at("pairs:2", "zero"), found.at("dial:0", "zero")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="Regret against queries: BuFALU, the dial, the pair rule, and the frontier that no strategy crosses" '
        'font-family="system-ui, sans-serif">',
        f"<style>text {{ stroke: {theme.paper}; stroke-width: 4px; paint-order: stroke; font-size: 17px; }} "
        ".title { font-size: 20px; } .title, .named { font-weight: 600; } .plain { stroke: none; }</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{theme.paper}"/>',
        _text(16, 28, "The pair rule (κ = 2): less regret than always asking,", theme.ink, look="title"),
        _text(
            16, 54, f"with {pair.queries:,.0f} questions instead of {always.queries:,.0f}", theme.ink, look="title"
        ),
        *_frontier(found.frontier, theme),
        *_axes(theme),
    ]
    for epsilon, colour in zip(SCHEDULES, theme.curves, strict=True):
        parts += _dial(found, epsilon, colour)
        parts += _pairs(found, epsilon, colour, theme)
    parts += _names(found, theme)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _text(x: float, y: float, words: str, colour: str, anchor: str = "start", *, look: str = "") -> str:
    """Words in the picture, those after ^ raised; `look` is one of the classes of the picture's style."""
    plain, mark, power = words.partition("^")
    raised = f'<tspan dy="-6" font-size="13">{escape(power)}</tspan>' if mark else ""
    chosen = f' class="{look}"' if look else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}"{chosen}>{escape(plain)}{raised}</text>'
    )


def _path(places: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x_of(queries):.1f} {y_of(regret):.1f}" for queries, regret in places)


def _frontier(corners: Sequence[tuple[float, float]], theme: Theme) -> list[str]:
    """The frontier, and what lies beyond it shaded."""
    line = [(corners[0][0], HIGHEST), *corners, (MOST, corners[-1][1])]
    closed = [*line, (MOST, LEAST), (FEWEST, LEAST), (FEWEST, HIGHEST)]
    right, bottom = x_of(MOST), y_of(LEAST)
    return [
        f'<path d="{_path(closed)}Z" fill="{theme.closed}"/>',
        f'<path d="{_path(line)}" fill="none" stroke="{theme.soft}" stroke-width="2"/>',
        _text(right - 6, bottom - 14, "as T grows, no strategy gets here", theme.soft, "end", look="plain"),
    ]


def _axes(theme: Theme) -> list[str]:
    parts = []
    for regret in (100, 200, 500, 1_000):
        y = y_of(regret)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{theme.grid}"/>')
        parts.append(_text(LEFT - 8, y + 6, f"{regret:,}", theme.soft, "end"))
    for queries in (1_000, 10_000, 100_000):
        x = x_of(queries)
        parts.append(f'<path d="M{x:.1f} {y_of(LEAST):.1f}v6" stroke="{theme.soft}"/>')
        parts.append(_text(x, y_of(LEAST) + 25, f"{queries:,}", theme.soft, "middle"))
    parts.append(
        _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, "questions asked, of 100,000 rounds", theme.soft, "middle")
    )
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(
        f'<g transform="rotate(-90 20 {middle:.0f})">{_text(20, middle, "regret", theme.soft, "middle")}</g>'
    )
    return parts


def _dot(point: PolicyMeans, colour: str, size: float, paper: str | None = None) -> str:
    """A point with its numbers for a mouse; hollow if the paper's colour is given."""
    title = f"{point.policy}, {SCHEDULES[point.epsilon]}: {point.queries:,.0f} queries, regret {point.regret:,.0f}"
    fill = colour if paper is None else paper
    return (
        f'<circle cx="{x_of(point.queries):.1f}" cy="{y_of(point.regret):.1f}" r="{size}" fill="{fill}" stroke="{colour}" '
        f'stroke-width="2"><title>{escape(title)}</title></circle>'
    )


def _dial(found: FrontNumbers, epsilon: str, colour: str) -> list[str]:
    """The dial of one schedule, a thin curve from BuFALU to BuFAU."""
    dial = [found.at(policy, epsilon) for policy in DIAL]
    path = _path([(point.queries, point.regret) for point in dial])
    return [
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.5" stroke-linejoin="round"/>',
        _dot(dial[0], colour, 6),
        _dot(dial[-1], colour, 4),
    ]


def _pairs(found: FrontNumbers, epsilon: str, colour: str, theme: Theme) -> list[str]:
    """The pair rule of one schedule, a thick curve over kappa, and the baselines as hollow points."""
    pairs = [found.at(policy, epsilon) for policy in PAIRS]
    path = _path([(point.queries, point.regret) for point in pairs])
    parts = [f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="5" stroke-linejoin="round"/>']
    parts += [_dot(point, colour, 3.5, theme.paper) for point in pairs]
    return [*parts, *(_dot(found.at(policy, epsilon), colour, 6, theme.paper) for policy in BASELINES)]


def _names(found: FrontNumbers, theme: Theme) -> list[str]:
    """What the curves and points are."""
    parts = []
    for (epsilon, words), colour in zip(SCHEDULES.items(), theme.curves, strict=True):
        bufalu, most = found.at("dial:1", epsilon), found.at("pairs:8", epsilon)
        parts.append(
            _text(x_of(bufalu.queries) + 14, y_of(bufalu.regret) - 4, f"BuFALU, {words}", colour, look="named")
        )
        parts.append(
            _text(x_of(most.queries) + 12, y_of(most.regret) + 6, f"pair rule, {words}", colour, look="named")
        )
    equal, twice = found.at("pairs:1", "zero"), found.at("pairs:2", "zero")
    parts.append(_text(x_of(equal.queries) + 10, y_of(equal.regret) + 2, "κ = 1", theme.curves[0]))
    parts.append(_text(x_of(twice.queries) + 12, y_of(twice.regret) - 2, "κ = 2", theme.curves[0]))
    half, asked = found.at("dial:1/4", "zero"), found.at("dial:0", "zero")
    parts.append(_text(x_of(half.queries) + 12, y_of(half.regret), "the dial", theme.curves[0]))
    parts.append(_text(x_of(asked.queries) + 26, y_of(asked.regret) + 32, "BuFAU, CBM-UCB,", theme.soft, "end"))
    parts.append(_text(x_of(asked.queries) + 26, y_of(asked.regret) + 52, "greedy: always ask", theme.soft, "end"))
    return parts


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

"""The picture of the first page: regret against queries, the dial as a curve for each schedule, light and dark.

The numbers are those of `docs/images/front.json`; `python -m bufalu.pages.front_picture --measure` plays the runs again
(a minute or two), and without the flag the two pictures are drawn from the file.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from pathlib import Path

from bufalu.reference.errors import BufaluError
from bufalu.reference.instances import Instance
from bufalu.reference.rationals import parse_rational

FOLDER = Path("docs/images")
DATA = "front.json"
MEANS = "1/4,1/4,1/4,1/4,1/2"
HORIZON = 100_000
SEEDS = 200
POSITIONS = ("1", "7/8", "3/4", "5/8", "1/2", "3/8", "1/4", "1/8", "0")
SCHEDULES = {"zero": "ε = 0", "power:1/4": "ε = t^−1/4", "inverse-log": "ε = 1/ln t"}

WIDTH, HEIGHT = 860, 470
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 64, 54
FEWEST, MOST = 1_000.0, 130_000.0
HIGHEST = 1_150.0


@dataclass(frozen=True)
class Theme:
    """Colours of one of the two pictures; `curves` are those of the schedules."""

    name: str
    ink: str
    soft: str
    grid: str
    paper: str
    curves: tuple[str, str, str]


THEMES = (
    Theme("light", "#1b1f24", "#59636e", "#d8dee4", "#ffffff", ("#0072b2", "#c04a00", "#00795a")),
    Theme("dark", "#e6edf3", "#9da7b1", "#30363d", "#0d1117", ("#56b4e9", "#f0883e", "#3fbf96")),
)


@dataclass(frozen=True)
class PolicyMeans:
    """The means over all seeds of one policy with one schedule."""

    policy: str
    epsilon: str
    queries: float
    regret: float

    @property
    def position(self) -> Fraction:
        """Where the dial stands: 1 is BuFALU, 0 is BuFAU."""
        return Fraction(self.policy.removeprefix("dial:"))


def measure(policies: Sequence[str], epsilons: Sequence[str]) -> list[PolicyMeans]:
    """Plays the paper's instance with the compiled engine; raises what a study raises."""
    # Studies need numba, which drawing need not wait for.
    from bufalu.experiments.studies.running import run_study
    from bufalu.experiments.studies.study import Study
    from bufalu.experiments.studies.summary import summarised

    study = Study(
        instances=Instance.bernoulli([parse_rational(mean) for mean in MEANS.split(",")]),
        policies=policies,
        epsilons=epsilons,
        horizons=HORIZON,
        seeds=SEEDS,
    )
    cells = summarised(run_study(study), 1).cells
    return [PolicyMeans(cell.cell.policy, cell.cell.epsilon, cell.queries.mean, cell.regret.mean) for cell in cells]


def read(text: str) -> list[PolicyMeans]:
    """The points of the data file."""
    return [PolicyMeans(**point) for point in json.loads(text)["points"]]


def written(points: Sequence[PolicyMeans]) -> str:
    """The points as the data file, with what was played."""
    return (
        json.dumps(
            {
                "means": MEANS,
                "horizon": HORIZON,
                "seeds": SEEDS,
                "points": [vars(point) for point in points],
            },
            indent=1,
        )
        + "\n"
    )


def x_of(queries: float) -> float:
    """The horizontal place of a number of queries, logarithmic."""
    share = math.log(queries / FEWEST) / math.log(MOST / FEWEST)
    return LEFT + (WIDTH - LEFT - RIGHT) * share


def y_of(regret: float) -> float:
    """The vertical place of a regret."""
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - regret / HIGHEST)


def draw(points: Sequence[PolicyMeans], theme: Theme) -> str:
    """The picture as SVG text."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="Regret against queries: the dial from BuFALU to BuFAU as a curve for three schedules" '
        'font-family="system-ui, sans-serif">',
        f"<style>text {{ stroke: {theme.paper}; stroke-width: 4px; paint-order: stroke; font-size: 13px; }} "
        ".title { font-size: 17px; } .title, .named { font-weight: 600; }</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{theme.paper}"/>',
        _text(LEFT, 24, f"Turn the dial: no more queries, {saving(points)}% less regret", theme.ink, look="title"),
        _text(
            LEFT,
            44,
            f"T = {HORIZON:,} rounds, five arms (means 1/4 four times, and 1/2), mean of {SEEDS} runs",
            theme.soft,
        ),
        *_axes(theme),
    ]
    for (epsilon, words), colour in zip(SCHEDULES.items(), theme.curves, strict=True):
        parts += _curve([point for point in points if point.epsilon == epsilon], words, colour, theme)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _text(x: float, y: float, words: str, colour: str, anchor: str = "start", *, look: str = "") -> str:
    """Words in the picture, those after ^ raised; `look` is one of the classes of the picture's style."""
    plain, mark, power = words.partition("^")
    raised = f'<tspan dy="-5" font-size="10">{escape(power)}</tspan>' if mark else ""
    chosen = f' class="{look}"' if look else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}"{chosen}>{escape(plain)}{raised}</text>'
    )


def _axes(theme: Theme) -> list[str]:
    parts = []
    for regret in range(0, 1_001, 250):
        y = y_of(regret)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{theme.grid}"/>')
        parts.append(_text(LEFT - 8, y + 4, f"{regret:,}", theme.soft, "end"))
    for queries in (1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000):
        x = x_of(queries)
        parts.append(f'<path d="M{x:.1f} {y_of(0):.1f}v5" stroke="{theme.soft}"/>')
        parts.append(_text(x, y_of(0) + 20, f"{queries:,}", theme.soft, "middle"))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, "queries (logarithmic)", theme.soft, "middle"))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(
        f'<g transform="rotate(-90 16 {middle:.0f})">{_text(16, middle, "regret", theme.soft, "middle")}</g>'
    )
    return parts


def _curve(points: Sequence[PolicyMeans], words: str, colour: str, theme: Theme) -> list[str]:
    """One schedule: the dial as a curve with its ends and its middle named."""
    dial = sorted(points, key=lambda point: -point.position)
    path = "M" + "L".join(f"{x_of(point.queries):.1f} {y_of(point.regret):.1f}" for point in dial)
    parts = [f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2.5" stroke-linejoin="round"/>']
    for point in dial:
        x, y = x_of(point.queries), y_of(point.regret)
        named = point.position in (0, 1) or point.position == Fraction(1, 2)
        title = f"{point.policy}, {words}: {point.queries:,.0f} queries, regret {point.regret:,.0f}"
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{5 if named else 3}" fill="{colour}"><title>{escape(title)}</title>'
            "</circle>"
        )
    first, last, half = dial[0], dial[-1], _at(dial, Fraction(1, 2))
    parts.append(
        _text(x_of(first.queries) - 11, y_of(first.regret) + 4, f"BuFALU, {words}", colour, "end", look="named")
    )
    # The leftmost curve has room on its left, the others on their right.
    side, shift, anchor = (-10, 16, "end") if words == SCHEDULES["inverse-log"] else (9, -5, "start")
    parts.append(_text(x_of(half.queries) + side, y_of(half.regret) + shift, "dial:1/2", colour, anchor))
    parts.append(_text(x_of(last.queries), y_of(last.regret) + 21, "BuFAU", colour, "middle", look="named"))
    if last.queries >= HORIZON:
        parts.append(
            _text(
                x_of(last.queries) + 30, y_of(last.regret) + 38, "asks in every round, as UCB does", theme.soft, "end"
            )
        )
    return parts


def _at(dial: Sequence[PolicyMeans], position: Fraction) -> PolicyMeans:
    return next(point for point in dial if point.position == position)


def saving(points: Sequence[PolicyMeans]) -> int:
    """How many percent less regret the middle of the dial has than BuFALU: the least over the schedules, rounded."""
    savings = []
    for epsilon in SCHEDULES:
        dial = [point for point in points if point.epsilon == epsilon]
        bufalu, half = _at(dial, Fraction(1)), _at(dial, Fraction(1, 2))
        savings.append(100 * (1 - half.regret / bufalu.regret))
    return round(min(savings))


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
            found = measure([f"dial:{position}" for position in POSITIONS], list(SCHEDULES))
            data.write_text(written(found), encoding="utf-8")
        points = read(data.read_text(encoding="utf-8"))
        for theme in THEMES:
            (chosen.folder / f"front-{theme.name}.svg").write_text(draw(points, theme), encoding="utf-8")
    except (BufaluError, OSError) as problem:
        print(f"front_picture: {problem}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The only door to matplotlib: a grid of panels with lines, bands, bounds, points and histograms, saved as
PNG and SVG.
"""

from __future__ import annotations

import importlib
import textwrap
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import numpy as np

from bufalu.experiments.engine.arrays import Floats
from bufalu.experiments.studies.errors import UnusableFolder
from bufalu.experiments.studies.statistics import Spread
from bufalu.experiments.studies.store import UNFINISHED
from bufalu.reference.errors import BufaluError
from bufalu.reference.whole_files import check_writable, whole_file

Numbers: TypeAlias = Sequence[float] | Sequence[int] | Floats

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#7a5195", "#7f7f7f")
"""Colours that people with any colour vision can tell apart (after Okabe and Ito); lines also differ in style."""

DARK_COLOURS = ("#4aa8e0", "#f0b429", "#2fc79a", "#e29cc6", "#ff8a4c", "#8fd0f7", "#b796d6", "#b0b0b0")
"""The colours of COLOURS, lighter, for a dark page."""

_DARK_INKS = {"#ffffff": "#0d1117", "#000000": "#e6edf3", "#666666": "#9da7b1", "#4c4c4c": "#9da7b1"}
"""What matplotlib draws paper, ink and the greys of markers and lines with, and their colours on a dark page."""

STYLES: tuple[Any, ...] = ("-", (0, (5, 1)), "-.", ":")
WIDTHS = (1.8, 1.5, 1.5, 2.2)
FORMATS = (".svg", ".png", ".pdf")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")


class PlotUnavailable(BufaluError):
    """A picture that cannot be drawn: matplotlib is missing, or the file's ending names no known format."""


def _library(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise PlotUnavailable("drawing needs matplotlib: pip install matplotlib") from None


def check_drawable(path: str) -> None:
    """Raises `PlotUnavailable` for an ending that is not drawn or without matplotlib, and `UnusableFile` for a file that
    cannot be written.
    """
    if Path(path).suffix.lower() not in FORMATS:
        raise PlotUnavailable(f"'{path}' ends in none of {', '.join(FORMATS)}")
    check_writable(path)
    _library("matplotlib.figure")


def colour(number: int) -> str:
    """The colour of the policy with this number, from 0; repeated after the eighth."""
    return COLOURS[number % len(COLOURS)]


def for_both_themes(svg: str) -> str:
    """Matplotlib's SVG with a style that recolours it where the reader prefers dark pages."""
    rules = ["text { fill: #e6edf3; }"]
    for light, dark in (*_DARK_INKS.items(), *zip(COLOURS, DARK_COLOURS, strict=True)):
        # Matplotlib gives every element a style of its own, which only !important goes before.
        rules += [f'[style*="{name}: {light}"] {{ {name}: {dark} !important; }}' for name in ("fill", "stroke")]
    style = "@media (prefers-color-scheme: dark) { " + " ".join(rules) + " }"
    return svg.replace("</style>", f"\n{style}</style>", 1)


class Canvas:
    """A figure of rows x columns panels; `panel` opens one, and what follows is drawn there.

    Raises `PlotUnavailable` without matplotlib.
    """

    def __init__(self, rows: int, columns: int, title: str, size: tuple[float, float] = (5.2, 3.6)) -> None:
        # A figure made without pyplot needs no display and leaves no global state behind.
        self._figure: Any = _library("matplotlib.figure").Figure(
            figsize=(size[0] * columns, size[1] * rows + 0.9), layout="constrained"
        )
        self._axes: Any = self._figure.subplots(rows, columns, squeeze=False)
        self._figure.suptitle(title, fontsize=11)
        self._here: Any = self._axes[0][0]
        self._columns = columns
        self._names: dict[str, Any] = {}
        self._footer = ""

    def footer(self, text: str) -> None:
        """Small words above the legend, in lines that fit: what was drawn, by what."""
        width = int(self._figure.get_figwidth() * 15)
        lines = [line for part in text.splitlines() for line in textwrap.wrap(part, width, break_long_words=False)]
        self._footer = "\n".join(lines)

    def panel(
        self, row: int, column: int, title: str, across: str, up: str, *, log: bool, linear_up: bool = False
    ) -> None:
        """Opens a panel; `log` makes both axes logarithmic, but for a vertical one that is to be linear."""
        self._here = self._axes[row][column]
        self._here.set_title(title, fontsize=10)
        self._here.set_xlabel(across)
        self._here.set_ylabel(up)
        self._here.grid(True, alpha=0.25, linewidth=0.6)
        if log:
            self._here.set_xscale("log")
            self._here.set_yscale("linear" if linear_up else "log")

    def line(self, x: Numbers, y: Numbers, band: tuple[Numbers, Numbers], name: str, number: int) -> None:
        """A curve with a band, its lower and its upper end, around it."""
        style = {
            "color": colour(number),
            "linestyle": STYLES[number % len(STYLES)],
            "linewidth": WIDTHS[number % len(WIDTHS)],
        }
        (drawn,) = self._here.plot(x, y, label=name, **style)
        self._names.setdefault(name, drawn)
        self.band(x, y, band, number, strength=0.22)

    def band(self, x: Numbers, y: Numbers, band: tuple[Numbers, Numbers], number: int, *, strength: float) -> None:
        """A band alone. On a logarithmic axis it ends above 0."""
        below, middle = np.asarray(band[0], float), np.asarray(y, float)
        if self._here.get_yscale() == "log":
            below = np.maximum(below, np.minimum(middle, 0.5))
        self._here.fill_between(x, below, band[1], color=colour(number), alpha=strength, linewidth=0)

    def bound(self, x: Numbers, y: Numbers, name: str, style: str, number: int | None = None) -> None:
        """A thin line for a bound, in black or in a policy's colour; `style` is one of -, --, -. and :."""
        ink = "black" if number is None else colour(number)
        (drawn,) = self._here.plot(x, y, color=ink, linewidth=0.9, linestyle=style, label=name)
        self._names.setdefault(name, drawn)

    def level(self, y: float) -> None:
        """A thin horizontal line."""
        self._here.axhline(y, color="0.4", linewidth=0.8)

    def path(self, x: Numbers, y: Numbers, name: str, number: int, *, style: str = "-", marker: str = "o") -> None:
        """A curve through points, each marked."""
        look = {"color": colour(number), "linestyle": style, "marker": marker, "markersize": 4}
        (drawn,) = self._here.plot(x, y, linewidth=1.5, label=name, **look)
        self._names.setdefault(name, drawn)

    def label(self, x: float, y: float, text: str, number: int) -> None:
        """A word beside a point."""
        self._here.annotate(text, (x, y), xytext=(5, 5), textcoords="offset points", fontsize=8, color=colour(number))

    def corner(self, x: float, y: float, name: str) -> None:
        """A vertical line at x and a horizontal one at y."""
        drawn = self._here.axvline(x, color="0.4", linewidth=0.9, linestyle=(0, (1, 2)))
        self._here.axhline(y, color="0.4", linewidth=0.9, linestyle=(0, (1, 2)))
        self._names.setdefault(name, drawn)

    def mark(self, x: float, name: str) -> None:
        """A vertical line at x."""
        drawn = self._here.axvline(x, color="0.4", linewidth=0.8, linestyle=(0, (1, 2)), label=name)
        self._names.setdefault(name, drawn)

    def point(self, x: Spread, y: Spread, name: str, number: int, marker: int) -> None:
        """The means of two quantities, with whiskers from the 5% to the 95% quantile."""
        reach = [[[max(0.0, s.mean - s.quantiles[0])], [max(0.0, s.quantiles[-1] - s.mean)]] for s in (x, y)]
        self._here.errorbar(
            [x.mean],
            [y.mean],
            xerr=reach[0],
            yerr=reach[1],
            fmt=MARKERS[marker % len(MARKERS)],
            color=colour(number),
            markersize=7,
            elinewidth=0.8,
            alpha=0.9,
        )
        (key,) = self._here.plot([], [], marker="o", linestyle="none", color=colour(number))
        self._names.setdefault(name, key)

    def key(self, name: str, marker: int) -> None:
        """An entry of the legend for a marker."""
        (key,) = self._here.plot([], [], marker=MARKERS[marker % len(MARKERS)], linestyle="none", color="0.3")
        self._names.setdefault(name, key)

    def ridges(
        self, edges: Floats, counts: Sequence[Sequence[int]], names: Sequence[str], spreads: Sequence[Spread]
    ) -> None:
        """A histogram over seeds for each policy, mirrored, with its median, mean and 5% to 95% range."""
        for row, (bins, spread) in enumerate(zip(counts, spreads, strict=True)):
            # A single seed is seen too.
            height = np.where(np.asarray(bins) > 0, np.maximum(np.asarray(bins) / max(1, *bins) * 0.38, 0.012), 0.0)
            steps = np.append(height, height[-1])
            self._here.fill_between(
                edges, row - steps, row + steps, step="post", color=colour(row), alpha=0.45, linewidth=0
            )
            self._here.plot([spread.quantiles[0], spread.quantiles[-1]], [row, row], color=colour(row), linewidth=1.4)
            self._here.plot([spread.quantiles[2]] * 2, [row - 0.3, row + 0.3], color="black", linewidth=1.2)
            self._here.plot([spread.mean], [row], marker="o", color="black", markersize=4)
        self._here.locator_params(axis="x", nbins=6)
        self._here.xaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")
        self._here.set_yticks(range(len(names)), names)
        self._here.invert_yaxis()
        self._here.grid(False, axis="y")

    def _finish(self) -> None:
        """Room for data that are one number on a logarithmic axis, where matplotlib leaves none; and the legend."""
        for axes in self._axes.flat:
            for name, scale, reach, limit in (
                ("x", axes.get_xscale(), axes.dataLim.intervalx, axes.set_xlim),
                ("y", axes.get_yscale(), axes.dataLim.intervaly, axes.set_ylim),
            ):
                # Matplotlib takes its limits through logarithms and back: equal numbers come out a hair apart.
                if scale == "log" and reach[0] > 0 and reach[1] <= reach[0] * (1 + 1e-9):
                    axes.autoscale(False, axis=name)  # which would warn that they are equal
                    limit(reach[0] / 2, reach[1] * 2)
        if self._names or self._footer:
            columns = min(3 if self._columns == 1 else 4, max(1, len(self._names)))
            self._figure.legend(
                self._names.values(),
                self._names.keys(),
                loc="outside lower center",
                ncols=columns,
                fontsize=9,
                title=self._footer or None,
                title_fontsize=7,
                frameon=not self._footer,
            )

    @property
    def figure(self) -> Any:
        """The finished figure of matplotlib, which a notebook shows."""
        self._finish()
        return self._figure

    def write(self, path: Path) -> None:
        """Writes one file, by its ending, the same on every run, an SVG for light and dark pages.

        Raises `UnusableFile` if it cannot.
        """
        self._finish()
        kind = path.suffix[1:].lower()
        metadata = {"svg": {"Date": None}, "png": {"Software": None}}.get(kind)
        settings = {"svg.hashsalt": "bufalu", "svg.fonttype": "none"}
        with _library("matplotlib").rc_context(settings), whole_file(str(path)) as part:
            drawn = BytesIO()
            self._figure.savefig(drawn, format=kind, dpi=130, metadata=metadata)
            content = drawn.getvalue()
            part.write_bytes(for_both_themes(content.decode()).encode() if kind == "svg" else content)

    def save(self, folder: Path, name: str) -> list[Path]:
        """Writes `name.png` and `name.svg`, the same on every run; raises `UnusableFolder` if it cannot."""
        self._finish()
        matplotlib = _library("matplotlib")
        written = []
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # The layout is found once for both files, and each is drawn once; `savefig` would draw each of them twice.
            self._figure.get_layout_engine().execute(self._figure)
            self._figure.set_layout_engine("none")
            self._figure.set_dpi(130)
            png = _library("matplotlib.backends.backend_agg").FigureCanvasAgg(self._figure).print_png
            svg = _library("matplotlib.backends.backend_svg").FigureCanvasSVG(self._figure).print_svg
            with matplotlib.rc_context({"svg.hashsalt": name}):
                for kind, printed, metadata in (("png", png, {"Software": None}), ("svg", svg, {"Date": None})):
                    path, temporary = folder / f"{name}.{kind}", folder / f"{UNFINISHED}{name}.{kind}"
                    printed(temporary, metadata=metadata)
                    temporary.replace(path)
                    written.append(path)
        except OSError as problem:
            raise UnusableFolder(f"cannot write the figures to {folder}: {problem}") from None
        return written

"""The only door to matplotlib: a grid of panels with lines, bands and bounds, saved as PNG and SVG."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import numpy as np

from bufalu.experiments.engine.arrays import Floats
from bufalu.experiments.engine.errors import ExperimentsUnavailable, InvalidResults

Numbers: TypeAlias = Sequence[float] | Sequence[int] | Floats

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7")
"""Four colours that people with any colour vision can tell apart (Okabe and Ito); lines also differ in style."""

STYLES: tuple[Any, ...] = ("-", (0, (5, 1)), "-.", ":")
WIDTHS = (1.8, 1.5, 1.5, 2.2)


def _library(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise ExperimentsUnavailable("figures need matplotlib: pip install 'bufalu[experiments]'") from None


class Canvas:
    """A figure of rows x columns panels; `panel` opens one, and what follows is drawn there.

    Raises `ExperimentsUnavailable` without matplotlib.
    """

    def __init__(self, rows: int, columns: int, title: str) -> None:
        # A figure made without pyplot needs no display and leaves no global state behind.
        self._figure: Any = _library("matplotlib.figure").Figure(
            figsize=(5.2 * columns, 3.6 * rows), layout="constrained"
        )
        self._axes: Any = self._figure.subplots(rows, columns, squeeze=False)
        self._figure.suptitle(title, fontsize=11)
        self._here: Any = self._axes[0][0]
        self._names: dict[str, Any] = {}

    def panel(self, row: int, column: int, title: str, across: str, up: str, *, log: bool) -> None:
        """Opens a panel; `log` makes both axes logarithmic."""
        self._here = self._axes[row][column]
        self._here.set_title(title, fontsize=10)
        self._here.set_xlabel(across)
        self._here.set_ylabel(up)
        self._here.grid(True, alpha=0.25, linewidth=0.6)
        if log:
            self._here.set_xscale("log")
            self._here.set_yscale("log")

    def line(self, x: Numbers, y: Numbers, name: str, number: int, error: Numbers) -> None:
        """A curve with a band of +- error around it."""
        style = {"color": COLOURS[number], "linestyle": STYLES[number], "linewidth": WIDTHS[number]}
        (drawn,) = self._here.plot(x, y, label=name, **style)
        self._names.setdefault(name, drawn)
        middle, spread = np.asarray(y, float), np.asarray(error, float)
        low = np.maximum(middle - spread, np.minimum(middle, 0.5))
        self._here.fill_between(x, low, middle + spread, color=COLOURS[number], alpha=0.22, linewidth=0)

    def bound(self, x: Numbers, y: Numbers, name: str, *, dashed: bool) -> None:
        """An upper bound, in black."""
        style = "--" if dashed else "-"
        (drawn,) = self._here.plot(x, y, color="black", linewidth=0.9, linestyle=style, label=name)
        self._names.setdefault(name, drawn)

    def mark(self, x: float, name: str) -> None:
        """A vertical line at x."""
        drawn = self._here.axvline(x, color="0.4", linewidth=0.8, linestyle=(0, (1, 2)), label=name)
        self._names.setdefault(name, drawn)

    def save(self, folder: Path, name: str) -> list[Path]:
        """Writes `name.png` and `name.svg`, the same on every run; raises `InvalidResults` if it cannot."""
        columns = min(4, len(self._names))
        self._figure.legend(
            self._names.values(), self._names.keys(), loc="outside lower center", ncols=columns, fontsize=9
        )
        matplotlib = _library("matplotlib")
        paths = [folder / f"{name}.png", folder / f"{name}.svg"]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with matplotlib.rc_context({"svg.hashsalt": name}):
                self._figure.savefig(paths[0], dpi=130, metadata={"Software": None})
                self._figure.savefig(paths[1], metadata={"Date": None})
        except OSError as problem:
            raise InvalidResults(f"cannot write the figures to {folder}: {problem}") from None
        return paths

"""The printed figures of the numerical section (l.1464-1634), as data."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib import resources

from bufalu.reference.instances import Instance
from bufalu.reference.rationals import parse_rational

HORIZON = 100_000
SEEDS = 1_000
POLICIES = ("bufalu", "bufau", "greedy", "cbm-ucb")
SCHEDULES = ("power:1/4", "zero", "inverse-log")
UNIQUE = ("1/4", "1/4", "1/4", "1/4", "1/2")
MULTIPLE = ("1/4", "1/4", "1/4", "1/2", "1/2")
STATISTICS = ("mean", "std", "q90", "max")


@dataclass(frozen=True)
class PrintedFigure:
    """A figure as printed: its value and half a unit of its last digit, by which rounding may have moved it."""

    value: float
    rounding: float


@dataclass(frozen=True)
class PaperRow:
    """One row of the three tables: eight figures over 1,000 seeds at T = 100,000."""

    schedule: str
    means: tuple[str, ...]
    policy: str
    line: int
    regret: dict[str, PrintedFigure]
    queries: dict[str, PrintedFigure]

    @property
    def instance(self) -> Instance:
        """The Bernoulli instance of the row."""
        return Instance.bernoulli([parse_rational(mean) for mean in self.means])

    @property
    def optimum(self) -> str:
        """`unique` or `multiple`."""
        return "unique" if self.means == UNIQUE else "multiple"

    @property
    def claim(self) -> str:
        """The id of the row in the claim registry."""
        return f"table.{self.schedule.split(':')[0]}.{self.optimum}.{self.policy}"


def printed(text: str) -> PrintedFigure:
    """A printed number. The tables show six significant digits or two decimals, without trailing zeros."""
    number = Decimal(text)
    decimals = max(0, min(2, 5 - number.adjusted())) if number else 2
    return PrintedFigure(float(number), 0.5 * 10.0**-decimals)


@cache
def paper_rows() -> tuple[PaperRow, ...]:
    """The 24 rows in the order of the paper."""
    text = resources.files("bufalu.experiments.paper").joinpath("paper_tables.json").read_text(encoding="utf-8")
    rows = json.loads(text, parse_float=str, parse_int=str)["rows"]
    return tuple(
        PaperRow(
            schedule=row["epsilon"],
            means=tuple(row["means"]),
            policy=row["policy"],
            line=int(row["line"]),
            regret={name: printed(row["regret"][name]) for name in STATISTICS},
            queries={name: printed(row["queries"][name]) for name in STATISTICS},
        )
        for row in rows
    )

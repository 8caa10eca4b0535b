"""The measured tables of `docs/pairs.md`: the pair rule beside the paper's policies and the dial.

The numbers are those of `docs/images/pairs.json`; `python -m bufalu.pages.pair_tables --measure` plays the runs again (some
minutes), and without the flag the section of the page is written from the file.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bufalu.reference.errors import BufaluError
from bufalu.reference.instances import Instance
from bufalu.reference.rationals import parse_rational

DATA, PAGE = Path("docs/images/pairs.json"), Path("docs/pairs.md")
HEADING, NEXT_HEADING = "## Measured\n", "\n## "
HORIZON, SEEDS = 100_000, 1_000
SCHEDULES = {"zero": "0", "power:1/4": "$`t^{-1/4}`$", "inverse-log": "$`1/\\ln t`$"}
OF_THE_PAPER = {"bufalu": "BuFALU", "bufau": "BuFAU", "cbm-ucb": "CBM-UCB", "greedy": "Greedy"}
PAIRS = {f"pairs:{kappa}": f"**pairs:{kappa}**" if kappa == 2 else f"pairs:{kappa}" for kappa in (1, 2, 4)}
POLICIES = {**OF_THE_PAPER, "dial:1/2": "dial:1/2", **PAIRS}
CHOSEN = "pairs:2"
INSTANCES = {
    "one optimum": (("1/4",) * 4 + ("1/2",), "The paper's five arms with one optimum (1/4 four times, 1/2)"),
    "two optima": (("1/4",) * 3 + ("1/2",) * 2, "The paper's five arms with two optima (1/4 three times, 1/2 twice)"),
    "two arms": (("1/4", "1/2"), "Two arms (1/4, 1/2)"),
    "twenty arms": (("1/4",) * 19 + ("1/2",), "Twenty arms (1/4 nineteen times, 1/2)"),
    "hundred arms": (("1/4",) * 99 + ("1/2",), "A hundred arms (1/4 ninety-nine times, 1/2)"),
    "small means": (
        ("1/100", "1/50", "3/100", "1/25", "1/20"),
        "Five arms of small means (0.01, 0.02, 0.03, 0.04, 0.05)",
    ),
}
"""By a name for the data file: means, and words for the page."""

REMARKS = """\
- Where optima are equal, or too close for the horizon, and epsilon = 0, every policy asks in every round, the pair rule
  too: no radius tells them apart.
- A larger kappa asks more of the best arm and less of each other one: it loses less, but for several optima, where it makes
  little difference. Two arms are asked least at kappa = 1, twenty at 2, a hundred at 4.
- Where epsilon exceeds small gaps, some runs settle on an arm that epsilon allows: with small means the regret of the pair
  rule varies more from run to run than that of the others.
- Radii are those of rewards as spread as [0, 1] allows: that rewards of small means vary little is not used.
"""


class PairCell(NamedTuple):
    """Means and standard deviations over all seeds of one policy, on one instance with one schedule."""

    instance: str
    epsilon: str
    policy: str
    regret: float
    regret_spread: float
    queries: float
    queries_spread: float


def measure(instance: str, policies: Sequence[str], epsilons: Sequence[str], seeds: int = SEEDS) -> list[PairCell]:
    """Plays the cells of an instance with the compiled engine; raises what a study raises."""
    # Studies need numba, which writing tables need not wait for.
    from bufalu.experiments.studies.running import run_study
    from bufalu.experiments.studies.statistics import spread
    from bufalu.experiments.studies.study import Study

    study = Study(
        instances=Instance.bernoulli([parse_rational(mean) for mean in INSTANCES[instance][0]]),
        policies=policies,
        epsilons=epsilons,
        horizons=HORIZON,
        seeds=seeds,
        points=1,
    )
    runs = run_study(study)
    found = []
    for cell in runs.cells:
        counts = runs.counts(cell)
        assert counts is not None, "a study is looked at when it is finished"
        regret, queries = spread(counts.final_regret), spread(counts.final_queries)
        found.append(
            PairCell(instance, cell.epsilon, cell.policy, regret.mean, regret.std, queries.mean, queries.std)
        )
    return found


def written(cells: Sequence[PairCell]) -> str:
    """The cells as the data file, with what was played: a line for each."""
    head = {"horizon": HORIZON, "seeds": SEEDS, "instances": {name: means for name, (means, _) in INSTANCES.items()}}
    lines = ",\n".join(json.dumps(cell) for cell in cells)
    return json.dumps(head)[:-1] + f', "cells": [\n{lines}\n]}}\n'


def read(text: str) -> list[PairCell]:
    """The cells of the data file."""
    return [PairCell(*cell) for cell in json.loads(text)["cells"]]


def not_below(cells: Sequence[PairCell], policy: str) -> list[tuple[PairCell, str]]:
    """The cells of a policy in which some policy of the paper has as few of something, and the words for what it is."""
    found = []
    for cell in cells:
        if cell.policy == policy:
            others = [c for c in cells if c[:2] == cell[:2] and c.policy in OF_THE_PAPER]
            regret = "regret" if min(other.regret for other in others) <= cell.regret else ""
            queries = "queries" if min(other.queries for other in others) <= cell.queries else ""
            if regret or queries:
                found.append((cell, " and ".join(filter(None, (regret, queries)))))
    return found


def table(cells: Sequence[PairCell], instance: str) -> list[str]:
    """The lines of the table of an instance: a row for each policy, a column for each schedule."""
    lines = ["| policy | " + " | ".join(f"$`\\epsilon(t)`$ = {words}" for words in SCHEDULES.values()) + " |"]
    lines.append("|---" * (1 + len(SCHEDULES)) + "|")
    for policy, name in POLICIES.items():
        row = [
            f"{cell.regret:,.0f} ± {cell.regret_spread:,.0f} / {cell.queries:,.0f} ± {cell.queries_spread:,.0f}"
            for epsilon in SCHEDULES
            for cell in cells
            if cell[:3] == (instance, epsilon, policy)
        ]
        lines.append(f"| {name} | " + " | ".join(row) + " |")
    return lines


def exceptions(cells: Sequence[PairCell]) -> list[str]:
    """For each kappa, in which cells it is not below the paper's four policies."""
    lines = []
    for policy in PAIRS:
        number, found = sum(cell.policy == policy for cell in cells), not_below(cells, policy)
        share = f"{number - len(found)} of {number} cells"
        places = "; ".join(f"{cell.instance}, epsilon = {SCHEDULES[cell.epsilon]} ({what})" for cell, what in found)
        lines.append(f"- `{policy}` is below all four policies of the paper in regret and in queries in {share}")
        lines[-1] += f"; not with {places}." if found else "."
    return lines


def section(cells: Sequence[PairCell]) -> str:
    """The section of the page."""
    lines = [
        HEADING,
        f"Regret ± its standard deviation / queries ± theirs, T = {HORIZON:,}, {SEEDS:,} runs of each policy on the same",
        "rewards; kappa is the number after `pairs:`, the spread is 4. `python -m bufalu.pages.pair_tables --measure` plays",
        "them again and writes this section.",
        "",
    ]
    for instance, (_, words) in INSTANCES.items():
        lines += [f"{words}:", "", *table(cells, instance), ""]
    return "\n".join([*lines, "Where it does not help:", "", *exceptions(cells), REMARKS])


def renewed(page: str, cells: Sequence[PairCell]) -> str:
    """The page with its section written anew, at its end if it has none."""
    before, heading, after = page.partition(HEADING)
    _, following, rest = after.partition(NEXT_HEADING)
    return before + ("" if heading else "\n") + section(cells) + (following + rest if following else "")


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the tables into the page; 2 with one clear line if that fails."""
    parser = argparse.ArgumentParser(
        prog="python -m bufalu.pages.pair_tables", description="Write the measured tables."
    )
    parser.add_argument("--measure", action="store_true", help="play the runs again first")
    parser.add_argument("--data", type=Path, default=DATA, help=f"the numbers (default: {DATA})")
    parser.add_argument("--page", type=Path, default=PAGE, help=f"the page (default: {PAGE})")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.measure:
            played = [cell for name in INSTANCES for cell in measure(name, list(POLICIES), list(SCHEDULES))]
            chosen.data.write_text(written(played), encoding="utf-8")
        cells = read(chosen.data.read_text(encoding="utf-8"))
        page = chosen.page.read_text(encoding="utf-8")
        chosen.page.write_text(renewed(page, cells), encoding="utf-8")
    except (BufaluError, OSError) as problem:
        print(f"pair_tables: {problem}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

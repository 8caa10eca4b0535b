"""`bufalu reproduce`: the numbers and figures of the paper's numerical section, run again and compared."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from bufalu.commands import options
from bufalu.commands.terminal import Progress, coloured

if TYPE_CHECKING:
    from bufalu.experiments.paper.reproduction import Reproduction
    from bufalu.experiments.paper.results import Results

HELP = """\
Run the paper's experiments again and compare every printed number.

deterministic  the two deterministic instances with their ratios and break-even cost (l.473-477)
tables         the three tables of five-armed Bernoulli problems, 24 rows of eight figures (l.1464-1634)
budget         regret and queries as a function of the total budget (l.1639-1669)
figures        every figure, with confidence bands and the theorem's bounds, as PNG and SVG
all            all of these

Decisions are those of exact arithmetic: a comparison too close for doubles is settled by the reference. The comparisons
with printed figures have a false-alarm probability of 0.001 together. Exit code 1 means that a figure is not
reproduced; an erratum in the text is shown and does not change the code."""

EXAMPLE = """\
  bufalu reproduce tables --seeds 1000 --workers 2 --out results"""

PARTS = ("deterministic", "tables", "budget", "figures", "all")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `reproduce`."""
    parser.add_argument("part", nargs="?", choices=PARTS, default="all", help="what to reproduce (default: all)")
    parser.add_argument(
        "--seeds", metavar="N", type=options.positive_integer, default=1000, help="seeds a row (default: 1000)"
    )
    options.add_workers(parser, os.cpu_count() or 1)
    parser.add_argument(
        "--out", metavar="DIR", type=Path, default=Path("results"), help="folder for the results (default: results)"
    )
    options.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Reproduces, writes the results and prints the verdicts."""
    # The room needs numba and matplotlib, which are optional: only this command asks for them.
    from bufalu.experiments.paper.reproduction import Reproduction
    from bufalu.experiments.paper.results import write_results

    work = Reproduction(arguments.part, arguments.seeds)
    with Progress(work.rounds, "rounds", arguments.part) as progress:
        work.run(arguments.workers, progress.update)
    paths = write_results(work.results, arguments.out)
    paths += work.draw(arguments.out)
    if arguments.json:
        print((arguments.out / "results.json").read_text(encoding="utf-8"), end="")
    else:
        show(work.results)
        print(f"\n{certificate(work.results)}\nwritten: {', '.join(str(path) for path in paths)}")
    if work.interrupted:
        print(f"interrupted: {unfinished(work)}; what is finished is written")
        return 130
    return 0 if work.results.holds() else 1


def show(results: Results) -> None:
    """The verdicts, one line each."""
    from bufalu.experiments.paper.verdicts import table_evidence

    for evidence in table_evidence(results):
        colour = {"REPRODUCED": "green", "EXACT": "green", "ERRATUM": "magenta", "REFUTED": "red"}
        verdict = coloured(f"{evidence.verdict:<10}", colour.get(evidence.verdict, "yellow"))
        print(f"{verdict} {evidence.claim:<34} l.{evidence.line:<5} {evidence.figures}")
        print(f"{'':<10} {evidence.reason}")
    for record in results.power:
        told = "told apart" if record["told_apart"] else "NOT told apart"
        print(f"{'power':<10} {record['variant']!s:<34} {told} by the tables (largest |z| {record['largest_z']:.1f})")


def certificate(results: Results) -> str:
    """What the finished run can say about rounding."""
    return (
        f"certified: no decision depended on rounding ({results.resolved} rounds were too close for doubles and were "
        "decided exactly)"
    )


def unfinished(work: Reproduction) -> str:
    """What was not finished, in words."""
    return f"unfinished parts: {json.dumps(work.missing)}"

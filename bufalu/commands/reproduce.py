"""`bufalu reproduce`: the numbers and figures of the paper's numerical section, run again and compared."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from bufalu.commands import options
from bufalu.commands.terminal import Progress, say, show

HELP = """\
Run the paper's experiments again and compare every printed number.

deterministic  the two deterministic instances with their ratios and break-even cost (l.473-477)
tables         the three tables of five-armed Bernoulli problems, 24 rows of eight figures (l.1464-1634)
budget         regret and queries as a function of the total budget (l.1639-1669)
figures        every figure, with confidence bands and the theorem's bounds, as PNG and SVG
all            all of these

Each part is a study, kept in --out piece by piece: the same command takes up where it stopped, and every part writes a
folder of its own there.

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
    from bufalu.experiments.paper.results import documents, write_results
    from bufalu.experiments.studies.folder import as_json, held
    from bufalu.experiments.studies.store import Folder
    from bufalu.experiments.studies.workers import crew
    from bufalu.pages.paper_figures import draw_figures
    from bufalu.pages.paper_text import results_lines

    parts = PARTS[:-1] if arguments.part == "all" else (arguments.part,)
    with held(arguments.out), crew(arguments.workers) as hands:
        work = Reproduction(parts, arguments.seeds, Folder(arguments.out / "pieces"))
        try:
            with Progress(work.work().rounds, "rounds", arguments.part) as progress:
                results = work.run(hands, progress.update)
        except KeyboardInterrupt:
            kept = f"what is finished is kept in {arguments.out}, and the same command goes on from there"
            say(f"\nbufalu reproduce: interrupted; {kept}")
            return 130
        paths = write_results(results, arguments.out)
        if (drawn := work.drawn()) is not None:
            paths += draw_figures(*drawn, arguments.out / "figures")
    if arguments.json:
        print(as_json(documents(results)).decode(), end="")
    else:
        show(results_lines(results))
        print(f"written: {', '.join(map(str, paths))}")
    return 0 if results.holds() else 1

"""`bufalu compare`: a study of your own instances, policies, intervals and schedules."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from bufalu.commands import options
from bufalu.commands.terminal import Progress, say
from bufalu.reference.instance_files import read_instance
from bufalu.reference.instances import Instance
from bufalu.reference.rationals import parse_rational

if TYPE_CHECKING:
    from bufalu.experiments.studies.running import Work
    from bufalu.experiments.studies.study import Study

HELP = """\
Compare policies on your own instances, over many seeds: regret, queries, spread, bounds.

Every option of the grid may be repeated, and every combination is a cell; what does not fit a line goes into a study
file (docs/studies.md). All policies meet the same rewards, so that differences are taken seed by seed. Finished work is
kept in --out: the same command takes up where it stopped, also after a crash. There it leaves results.parquet (a row for
each seed and cell), curves.parquet, summary.csv, summary.json, pictures as PNG and SVG, and study.html, a page that
opens offline. Tie-breaks that the engine does not take, and late or missing answers, are played by the exact reference,
slowly, and said."""

EXAMPLE = """\
  bufalu compare --means 0.13,0.2,0.25,0.3,0.33,0.35,0.4 --policy bufalu --policy bufau --policy greedy \\
      --epsilon power:1/4 --epsilon inverse-log --horizon 1e6 --seeds 1000 --workers 2 --out study
  bufalu compare study.toml --cluster tcp://scheduler:8786 --out study"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `compare`."""
    parser.add_argument("study", metavar="STUDY", nargs="?", type=Path, help="a study in TOML, instead of the grid")
    options.add_grid(parser)
    parser.add_argument("--seeds", metavar="N", type=options.positive_integer, help="seeds 0 to N - 1 of every cell")
    options.add_answer_times(parser)
    options.add_workers(parser, 1)
    parser.add_argument(
        "--cluster", metavar="WHERE", help="a Dask scheduler, tcp://host:8786, or local:N to start one with N workers"
    )
    parser.add_argument("--out", metavar="DIR", type=Path, help="keep everything there, and take up from there")
    options.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Runs the study, prints the tables, says what was left where; 0."""
    # Studies need numpy, sympy and more, which the other commands need not wait for.
    from bufalu.experiments.studies.columns import cell_record
    from bufalu.experiments.studies.folder import as_json
    from bufalu.studies import compare

    study = chosen_study(arguments)
    with Progress(study.rounds, "rounds") as progress:

        def report(work: Work, done: int) -> None:
            progress.expect(work.rounds)
            if not done:
                say_what_is_found(work, arguments)
            progress.update(done)

        try:
            found = compare(
                study, out=arguments.out, workers=arguments.workers, cluster=arguments.cluster, report=report
            )
        except KeyboardInterrupt:
            kept = "what is finished is kept, and the same command goes on from there"
            say(f"\nbufalu compare: interrupted{f'; {kept}' if arguments.out else ''}")
            return 130
    if arguments.json:
        print(
            as_json({"study": study.document(), "cells": [cell_record(c) for c in found.summary.cells]}).decode(),
            end="",
        )
        return 0
    print(found.text())
    if found.damaged:
        print(f"{len(found.damaged)} stored pieces were damaged and were computed again: {', '.join(found.damaged)}")
    if found.written:
        print(f"written: {', '.join(str(path) for path in found.written)}")
    return 0


def say_what_is_found(work: Work, arguments: argparse.Namespace) -> None:
    """What a folder holds already, and that the engine is compiled first, if it is."""
    from bufalu.experiments.engine.compiled import kept
    from bufalu.experiments.engine.loop import build

    stored = len(work.pieces) - len(work.missing)
    if stored:
        left = f"{work.rounds:,} rounds are left" if work.missing else "nothing is left to play"
        say(f"taking up {arguments.out}: {stored} of {len(work.pieces)} pieces are stored, {left}")
    if work.missing and arguments.cluster is None and not kept(build):
        say("compiling the engine, once: the next study finds it compiled")


def chosen_study(arguments: argparse.Namespace) -> Study:
    """The study of the file or of the options; raises `InvalidStudy` for both or neither."""
    from bufalu.experiments.studies.errors import InvalidStudy
    from bufalu.experiments.studies.study import Study
    from bufalu.experiments.studies.study_files import read_study

    grid = {name: getattr(arguments, name) for name in options.GRID}
    if arguments.study is not None:
        times = {"delay": arguments.delay, "missing": arguments.missing}
        given = [f"--{name}" for name, value in {**grid, **times}.items() if value is not None]
        if given:
            raise InvalidStudy(f"{arguments.study} says what to run: leave out {', '.join(given)}")
        return read_study(arguments.study, arguments.seeds)
    for name, value in (*grid.items(), ("seeds", arguments.seeds)):
        if name in ("policy", "epsilon", "horizon", "seeds") and not value:
            raise InvalidStudy(f"--{name} is missing (or give a study file)")
    return Study(
        instances=chosen_instances(arguments),
        policies=arguments.policy,
        epsilons=arguments.epsilon,
        confidences=arguments.confidence or "hoeffding",
        ties=arguments.ties or "first",
        horizons=arguments.horizon,
        seeds=arguments.seeds,
        delay=arguments.delay or 0,
        missing=parse_rational(arguments.missing or "0"),
    )


def chosen_instances(arguments: argparse.Namespace) -> dict[str, Instance]:
    """The instances of --means and --instance by name; raises `InvalidStudy` for none, or for one given twice."""
    from bufalu.experiments.studies.errors import InvalidStudy
    from bufalu.experiments.studies.study import LONGEST_NAME, instance_name

    if arguments.rewards is not None and not arguments.means:
        raise InvalidStudy("--rewards goes with --means; an instance file says itself how its arms pay")
    found: dict[str, Instance] = {}
    named = [(text, options.instance_of_means(text, arguments.rewards)) for text in arguments.means or ()]
    named += [(Path(path).stem, read_instance(path)) for path in arguments.instance or ()]
    for text, instance in named:
        wanted = text if len(text) <= LONGEST_NAME else instance_name(instance)
        if instance in found.values():
            raise InvalidStudy(f"the instance {wanted} is given twice")
        number = sum(known.split(" #")[0] == wanted for known in found)
        found[f"{wanted} #{number + 1}" if number else wanted] = instance
    if not found:
        raise InvalidStudy("give the arms with --means 1/4,1/2 or with --instance FILE (or give a study file)")
    return found

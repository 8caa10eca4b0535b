"""`bufalu bounds`: what the theorems promise for one instance, schedule and horizon."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from bufalu.commands import options
from bufalu.commands.terminal import Progress
from bufalu.reference.errors import InvalidSchedule

if TYPE_CHECKING:
    from bufalu.reference.instances import Instance

HELP = """\
Print every bound of the paper for an instance: quantities, upper bounds, sharper ones, lower bounds.

The upper bounds of l.417-436 (with --confidence bernstein, of l.846-867; with kl-ucb, of docs/proofs.md) for BuFALU,
those of the dial with --policy dial:RHO (bufau is dial:0) or those of the pair rule with --policy pairs:KAPPA (about
other policies there is no theorem), and the asymptotic lower bounds of l.303-314 for every consistent strategy on a
family of distributions. All numbers are certified: --json prints lower and upper ends, null for infinite. A bound is
called vacuous when it says no more than the trivial one. --frontier prints instead which pairs of regret and queries no
consistent strategy has as T grows."""

EXAMPLE = """\
  bufalu bounds --means 1/4,1/4,1/4,1/4,1/2 --horizon 100000 --epsilon power:1/4 --confidence hoeffding
  bufalu bounds --means 1/4,1/4,1/4,1/4,1/2 --horizon 100000 --epsilon zero --policy pairs:2
  bufalu bounds --means 1/4,1/4,1/4,1/4,1/2 --horizon 100000 --frontier
  bufalu bounds --means 1/4,1/2 --horizon 1000000000 --epsilon budget:5000 --json
  bufalu bounds --means 0,1 --rewards deterministic --horizon 100000 --epsilon inverse-log --plot bounds.svg"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `bounds`."""
    options.add_instance(parser)
    options.add_epsilon(parser, required=False)
    options.add_horizon(parser)
    options.add_confidence(parser)
    options.add_policy(parser)
    parser.add_argument(
        "--family",
        metavar="FAMILY",
        help="distributions for the lower bounds: bernoulli, gaussian:VARIANCE or bounded "
        "(default: bernoulli, or bounded if some arm pays other values than 0 and 1)",
    )
    parser.add_argument(
        "--frontier", action="store_true", help="print the frontier of regret and queries from below instead"
    )
    parser.add_argument(
        "--plot", metavar="FILE", help="also draw the bounds against T: .svg, .png or .pdf (needs matplotlib)"
    )
    options.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints the table or the JSON, and draws the picture if one is asked for; 0."""
    # sympy takes half a second to load, which the other subcommands need not wait for
    from bufalu.bounds.families import parse_family
    from bufalu.bounds.report import Question, as_json
    from bufalu.pages.bounds_picture import POINTS, draw_bounds
    from bufalu.pages.bounds_text import bounds_text
    from bufalu.pages.drawing import check_drawable

    if arguments.plot is not None:
        # said before anything is computed or printed
        check_drawable(arguments.plot)
    instance = options.chosen_instance(arguments)
    if arguments.frontier:
        return _frontier(instance, arguments)
    if arguments.epsilon is None:
        raise InvalidSchedule("the bounds need an --epsilon (--frontier does not)")
    with Progress(instance.number_of_arms, "arms") as progress:
        question = Question(
            instance,
            options.chosen_schedule(arguments),
            arguments.horizon,
            options.chosen_confidence(arguments),
            None if arguments.family is None else parse_family(arguments.family),
            options.chosen_policy(arguments),
            progress.update,
        )
        told = (
            json.dumps(as_json(question), indent=2, allow_nan=False) + "\n"
            if arguments.json
            else bounds_text(question)
        )
    print(told, end="")
    if arguments.plot is not None:
        with Progress(POINTS, "horizons") as progress:
            draw_bounds(arguments.plot, question, progress.update)
    return 0


def _frontier(instance: Instance, arguments: argparse.Namespace) -> int:
    """Prints the frontier, and draws it if that is asked for; 0."""
    from bufalu.bounds.frontiers import frontier
    from bufalu.bounds.report import frontier_report
    from bufalu.pages.bounds_picture import draw_frontier
    from bufalu.pages.bounds_text import frontier_text

    found = frontier(instance, arguments.family)
    if arguments.json:
        print(json.dumps(frontier_report(found, arguments.horizon), indent=2, allow_nan=False))
    else:
        print(frontier_text(found, arguments.horizon), end="")
    if arguments.plot is not None:
        draw_frontier(arguments.plot, found, arguments.horizon)
    return 0

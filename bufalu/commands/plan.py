"""`bufalu plan`: which policy and epsilon cost least for a price of a query, by what is proved."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from bufalu.commands import options
from bufalu.commands.terminal import Progress
from bufalu.reference.errors import InvalidInstance
from bufalu.reference.policies import DEFAULT_INTERVAL
from bufalu.reference.rationals import parse_rational

if TYPE_CHECKING:
    from bufalu.bounds.planning import Offer
    from bufalu.experiments.studies.summary import CellSummary
    from bufalu.reference.instances import Instance

HELP = """\
Say which policy and epsilon have the least proved bound on regret plus price times queries.

Tried are positions of the dial (docs/dial.md; dial:1 is BuFALU, dial:0 is BuFAU) with the intervals of --confidence and
the pair rule (docs/pairs.md) with a few schedules. What a row costs at most is certified: the smallest of the proved
bounds on expectations. Without means, give --arms: then a row holds for every instance with so many arms; with
--smallest-gap too, for every one with one optimal arm and gaps of at least that. The lower bound is asymptotic: it is
about ln T times a rate as T grows, not about this T. --seeds plays the candidates, greedy and CBM-UCB, and shows what
they cost on average."""

EXAMPLE = """\
  bufalu plan --means 1/4,1/4,1/4,1/4,1/2 --horizon 100000 --cost 1/10
  bufalu plan --arms 5 --horizon 100000 --cost 1/10
  bufalu plan --arms 5 --smallest-gap 1/4 --horizon 100000 --cost 1/10 --confidence kl-ucb
  bufalu plan --means 1/4,1/4,1/4,1/4,1/2 --horizon 100000 --cost 1/10 --seeds 200 --plot plan.svg"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `plan`."""
    options.add_instance(parser)
    parser.add_argument(
        "--arms", metavar="K", type=options.positive_integer, help="the number of arms, without means"
    )
    parser.add_argument("--smallest-gap", metavar="D", help="no gap is smaller, without means")
    options.add_horizon(parser)
    options.add_confidence(parser)
    parser.add_argument("--cost", metavar="C", required=True, help="price of a query in units of reward: 1/10")
    parser.add_argument("--seeds", metavar="N", type=options.positive_integer, help="also play so many seeds of each")
    parser.add_argument(
        "--plot", metavar="FILE", help="regret against queries: .svg, .png or .pdf (needs matplotlib, and means)"
    )
    options.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints the table or the JSON, draws the picture if one is asked for; 0."""
    from bufalu.bounds.planning import offers, offers_for_any_gaps, offers_for_any_means
    from bufalu.experiments.studies.theorems import lower_rates
    from bufalu.pages.drawing import check_drawable
    from bufalu.pages.plan_text import Plan, plan_document, plan_text

    price = parse_rational(arguments.cost)
    if arguments.plot is not None:
        check_drawable(arguments.plot)
    if arguments.arms is None and arguments.smallest_gap is None:
        if arguments.means is None and arguments.instance is None:
            raise InvalidInstance(
                "give the arms with --means 1/4,1/2 or --instance FILE, or how many they are with --arms 5"
            )
        instance = options.chosen_instance(arguments)
        never_asking = instance.largest_gap * arguments.horizon
        found = offers(instance, arguments.horizon, price, arguments.confidence)
        lower = lower_rates(instance)
        measured = [] if arguments.seeds is None else _measured(instance, found, arguments)
        if arguments.plot is not None:
            from bufalu.bounds.frontiers import frontier
            from bufalu.pages.plan_picture import draw_plan

            draw_plan(
                arguments.plot, found, frontier(instance) if instance.unique else None, measured, arguments.horizon
            )
    else:
        _refuse_means(arguments)
        if arguments.smallest_gap is None:
            found = offers_for_any_gaps(arguments.arms, arguments.horizon, price, arguments.confidence)
        else:
            gap = parse_rational(arguments.smallest_gap)
            found = offers_for_any_means(arguments.arms, gap, arguments.horizon, price, arguments.confidence)
        lower, measured, never_asking = None, [], Fraction(arguments.horizon)
    plan = Plan(arguments.horizon, price, _scope(arguments), found, lower, measured, never_asking)
    print(json.dumps(plan_document(plan), indent=2, allow_nan=False) if arguments.json else plan_text(plan))
    return 0


def _refuse_means(arguments: argparse.Namespace) -> None:
    if arguments.arms is None:
        raise InvalidInstance("--smallest-gap is for a plan without means, which needs --arms")
    for name in ("means", "instance", "rewards", "seeds", "plot"):
        if getattr(arguments, name) is not None:
            raise InvalidInstance(
                f"--{name} is for a plan with known means, --arms and --smallest-gap for one without: leave one of them out"
            )


def _measured(instance: Instance, found: Sequence[Offer], arguments: argparse.Namespace) -> list[CellSummary]:
    from bufalu.experiments.studies.study import Study
    from bufalu.pages.plan_text import BASELINES
    from bufalu.studies import compare

    policies = [*dict.fromkeys(offer.policy for offer in found), *BASELINES]
    epsilons = list(dict.fromkeys(offer.epsilon for offer in found))
    study = Study(
        instances=instance,
        policies=policies,
        epsilons=epsilons,
        confidences=arguments.confidence,
        horizons=arguments.horizon,
        seeds=arguments.seeds,
    )
    with Progress(study.rounds, "rounds") as progress:
        return list(compare(study, report=lambda _, done: progress.update(done)).summary.cells)


def _scope(arguments: argparse.Namespace) -> str:
    intervals = (
        "" if arguments.confidence == DEFAULT_INTERVAL else f", the dial with {arguments.confidence} intervals"
    )
    if arguments.arms is None:
        return f"this instance{intervals}"
    if arguments.smallest_gap is None:
        return f"every instance of {arguments.arms} arms, whatever its gaps{intervals}"
    return (
        f"every instance of {arguments.arms} arms with one optimal arm and gaps of at least {arguments.smallest_gap}"
        f"{intervals}"
    )

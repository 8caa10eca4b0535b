"""`bufalu plan`: which policy, position of the dial and epsilon cost least for a price of a query, by what is proved."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bufalu.commands import options
from bufalu.commands.terminal import Progress
from bufalu.reference.errors import InvalidInstance
from bufalu.reference.rationals import format_rational, parse_rational

if TYPE_CHECKING:
    from fractions import Fraction

    from bufalu.bounds.planning import Offer
    from bufalu.experiments.studies.summary import CellSummary
    from bufalu.experiments.studies.theorems import LowerRates
    from bufalu.reference.instances import Instance

HELP = """\
Say which policy and epsilon have the least proved bound on regret plus price times queries.

Tried are positions of the dial (docs/dial.md; dial:1 is BuFALU, dial:0 is BuFAU) with a few schedules and Hoeffding's
intervals. What a row costs at most is certified: the smallest of the proved bounds on expectations. Without means, give
--arms and --smallest-gap: then a row holds for every instance with one optimal arm and gaps of at least that. The
lower bound is asymptotic: it is about ln T times a rate as T grows, not about this T. --seeds plays the candidates,
greedy and CBM-UCB, and shows what they cost on average."""

EXAMPLE = """\
  bufalu plan --means 1/4,1/4,1/4,1/4,1/2 --horizon 100000 --cost 1/10
  bufalu plan --arms 5 --smallest-gap 1/4 --horizon 100000 --cost 1/10
  bufalu plan --means 1/4,1/4,1/4,1/4,1/2 --horizon 100000 --cost 1/10 --seeds 200 --plot plan.svg"""

ROWS = 10
"""How many rows the table has; --json has them all."""

BASELINES = ("greedy", "cbm-ucb")
"""Played beside the dial; no theorem bounds them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `plan`."""
    options.add_instance(parser)
    parser.add_argument(
        "--arms", metavar="K", type=options.positive_integer, help="the number of arms, without means"
    )
    parser.add_argument("--smallest-gap", metavar="D", help="no gap is smaller, without means")
    options.add_horizon(parser)
    parser.add_argument("--cost", metavar="C", required=True, help="price of a query in units of reward: 1/10")
    parser.add_argument("--seeds", metavar="N", type=options.positive_integer, help="also play so many seeds of each")
    parser.add_argument(
        "--plot", metavar="FILE", help="regret against queries: .svg, .png or .pdf (needs matplotlib, and means)"
    )
    options.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints the table or the JSON, draws the picture if one is asked for; 0."""
    from bufalu.bounds.planning import offers, offers_for_any_means
    from bufalu.experiments.studies.theorems import lower_rates
    from bufalu.pages.drawing import check_drawable

    price = parse_rational(arguments.cost)
    if arguments.plot is not None:
        check_drawable(arguments.plot)
    if arguments.arms is None and arguments.smallest_gap is None:
        instance = options.chosen_instance(arguments)
        found = offers(instance, arguments.horizon, price)
        lower = lower_rates(instance)
        measured = [] if arguments.seeds is None else _measured(instance, found, arguments)
        if arguments.plot is not None:
            from bufalu.pages.plan_picture import draw_plan

            draw_plan(arguments.plot, found, lower, measured, arguments.horizon)
    else:
        _refuse_means(arguments)
        found = offers_for_any_means(arguments.arms, parse_rational(arguments.smallest_gap), arguments.horizon, price)
        lower, measured = None, []
    if arguments.json:
        print(json.dumps(_document(arguments, found, lower, measured), indent=2, allow_nan=False))
    else:
        _tell(arguments, found, lower, measured)
    return 0


def _refuse_means(arguments: argparse.Namespace) -> None:
    if arguments.arms is None or arguments.smallest_gap is None:
        raise InvalidInstance("without means both --arms and --smallest-gap are needed")
    for name in ("means", "instance", "rewards", "seeds", "plot"):
        if getattr(arguments, name) is not None:
            raise InvalidInstance(f"--{name} needs the means: leave out --arms and --smallest-gap, or --{name}")


def _measured(instance: Instance, found: Sequence[Offer], arguments: argparse.Namespace) -> list[CellSummary]:
    from bufalu.experiments.studies.study import Study
    from bufalu.studies import compare

    policies = [*dict.fromkeys(offer.policy for offer in found), *BASELINES]
    epsilons = list(dict.fromkeys(offer.epsilon for offer in found))
    study = Study(
        instances=instance, policies=policies, epsilons=epsilons, horizons=arguments.horizon, seeds=arguments.seeds
    )
    with Progress(study.rounds, "rounds") as progress:
        return list(compare(study, report=lambda _, done: progress.update(done)).summary.cells)


def _document(
    arguments: argparse.Namespace, found: Sequence[Offer], lower: LowerRates | None, measured: Sequence[CellSummary]
) -> dict[str, object]:
    from bufalu.bounds.enclosures import Enclosure
    from bufalu.bounds.planning import cheapest

    def above(number: Fraction) -> float:
        """A double that is not below the number."""
        return Enclosure.of(number).upper_float

    price = parse_rational(arguments.cost)
    document: dict[str, object] = {
        "horizon": arguments.horizon,
        "price": format_rational(price),
        "holds_for": _scope(arguments),
        "least": [{"policy": offer.policy, "epsilon": offer.epsilon} for offer in cheapest(found)],
        "offers": [
            {
                "policy": offer.policy,
                "epsilon": offer.epsilon,
                "regret_at_most": above(offer.regret),
                "queries_at_most": above(offer.queries),
                "cost_at_most": above(offer.cost),
            }
            for offer in found
        ],
    }
    if lower is not None:
        document["asymptotic_lower_rates"] = {
            "family": lower.family,
            "regret_over_log_T": lower.regret,
            "queries_over_log_T": lower.queries,
        }
    if measured:
        document["measured"] = [
            {
                "policy": cell.cell.policy,
                "epsilon": cell.cell.epsilon,
                "seeds": cell.seeds,
                "regret_mean": cell.regret.mean,
                "queries_mean": cell.queries.mean,
                "cost_mean": cell.regret.mean + float(price) * cell.queries.mean,
            }
            for cell in measured
        ]
    return document


def _scope(arguments: argparse.Namespace) -> str:
    if arguments.smallest_gap is None:
        return "this instance"
    return (
        f"every instance of {arguments.arms} arms with one optimal arm and gaps of at least {arguments.smallest_gap}"
    )


def _named(tied: Sequence[Offer], rows: int) -> str:
    """One offer, or all that share the first place: nothing that is proved tells them apart."""
    if len(tied) == rows:
        return f"all {rows} rows are equal, nothing that is proved tells them apart after so few rounds"
    if len(tied) == 1:
        return f"{tied[0].policy} with epsilon {tied[0].epsilon}"
    by_epsilon: dict[str, list[str]] = {}
    for offer in tied:
        by_epsilon.setdefault(offer.epsilon, []).append(offer.policy)
    listed = "; ".join(f"{', '.join(policies)} with epsilon {epsilon}" for epsilon, policies in by_epsilon.items())
    return f"a tie of {len(tied)} rows, whose proved bounds are equal: {listed}"


def _tell(
    arguments: argparse.Namespace, found: Sequence[Offer], lower: LowerRates | None, measured: Sequence[CellSummary]
) -> None:
    from bufalu.bounds.planning import cheapest

    price = parse_rational(arguments.cost)
    best = found[0]
    print(f"Least certified cost: {_named(cheapest(found), len(found))}.")
    print(
        f"Expected regret + {format_rational(price)} x queries after {arguments.horizon:,} rounds is at most "
        f"{_whole(best.cost)}, for {_scope(arguments)}."
    )
    played = {(cell.cell.policy, cell.cell.epsilon): cell for cell in measured}
    head = f"{'policy':<12}{'epsilon':<20}{'regret <=':>12}{'queries <=':>12}{'cost <=':>12}"
    print("\n" + head + (f"{'regret':>12}{'queries':>12}{'cost':>12}" if measured else ""))
    for offer in found[:ROWS]:
        row = f"{offer.policy:<12}{offer.epsilon:<20}"
        row += "".join(f"{_whole(number):>12}" for number in (offer.regret, offer.queries, offer.cost))
        print(row + (_played(played[offer.policy, offer.epsilon], price) if measured else ""))
    for cell in measured:
        if cell.cell.policy in BASELINES and cell.cell.epsilon == best.epsilon:
            print(f"{cell.cell.policy:<12}{cell.cell.epsilon:<20}{'no theorem':>36}" + _played(cell, price))
    if len(found) > ROWS:
        print(f"({len(found) - ROWS} more rows with --json)")
    if measured:
        least = min((cell for cell in measured), key=lambda cell: cell.regret.mean + float(price) * cell.queries.mean)
        print(f"\nLeast on average over {least.seeds} seeds: {least.cell.policy} with epsilon {least.cell.epsilon}.")
    if lower is not None:
        log = math.log(arguments.horizon)
        parts = [
            f"{name} about {rate * log:,.0f} or more"
            for name, rate in (("regret", lower.regret), ("queries", lower.queries))
            if rate is not None
        ]
        print(
            f"\nFor comparison, asymptotically (as T grows; at this T it bounds nothing), every strategy that is "
            f"consistent on {lower.family} arms has {' and '.join(parts) or 'no finite lower bound'}."
        )


def _played(cell: CellSummary, price: int | Fraction) -> str:
    cost = cell.regret.mean + float(price) * cell.queries.mean
    return f"{cell.regret.mean:>12,.0f}{cell.queries.mean:>12,.0f}{cost:>12,.0f}"


def _whole(number: Fraction) -> str:
    """Rounded up: an upper bound stays one."""
    return f"{math.ceil(number):,}"

"""`bufalu law`: the exact law of a run on arms with finite supports."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bufalu.commands import options
from bufalu.commands.terminal import Progress, show
from bufalu.reference.rationals import parse_rational

if TYPE_CHECKING:
    from bufalu.properties.expectations.claims_on_law import OnLaw
    from bufalu.reference.instances import Instance
    from bufalu.reference.schedules import Schedule

HELP = """\
Compute the exact law of a policy: expected regret, plays and queries over all paths, as rational numbers.

All paths with the same observations are merged, so the numbers are sums over every path and not a simulation. With
--json the bounds of the policy's theorem stand beside them, null where there is none. With --negligible P states of
probability below P are not followed, and every answer becomes an interval that holds the exact value. --claim holds a
claim about expectations against the law, which is how witnesses of `bufalu audit` are replayed; exit code 1 means that
it fails there, and 2 that it says nothing about such an instance."""

EXAMPLE = """\
  bufalu law --means 1/2,1/4 --horizon 30 --epsilon power:1/4 --policy bufalu --confidence hoeffding --ties first \\
      --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `law`."""
    options.add_instance(parser)
    options.add_horizon(parser)
    options.add_epsilon(parser)
    options.add_policy(parser)
    options.add_confidence(parser)
    options.add_ties(parser)
    parser.add_argument(
        "--negligible", metavar="P", default="0", help="do not follow states of probability below P (default: 0)"
    )
    parser.add_argument(
        "--claim", metavar="CLAIM", help="a claim about expectations: show both sides of it on this law"
    )
    options.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Computes the law and prints it."""
    from bufalu.law import exact_law
    from bufalu.pages.law_outcome import law_outcome

    instance = options.chosen_instance(arguments)
    schedule = options.chosen_schedule(arguments)
    with Progress(arguments.horizon, "rounds", growing=True) as progress:
        found = exact_law(
            instance,
            schedule,
            arguments.horizon,
            policy=options.chosen_policy(arguments),
            confidence=options.chosen_confidence(arguments),
            ties=arguments.ties,
            negligible=parse_rational(arguments.negligible),
            progress=progress.update,
        )
    asked = _asked(arguments, instance, schedule)
    texts = {name: getattr(arguments, name) for name in ("policy", "confidence", "epsilon", "ties")}
    bounds = _bounds(arguments, instance, schedule) if arguments.json else {}
    with _digits_without_limit():
        outcome = law_outcome(found, asked, texts, bounds)
        print(outcome.json) if arguments.json else show(outcome.lines)
    return outcome.verdict.code


@contextmanager
def _digits_without_limit() -> Iterator[None]:
    """Whole numbers of any length are printed: an exact probability after many rounds has more digits than Python's limit."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(limit)


def _bounds(arguments: argparse.Namespace, instance: Instance, schedule: Schedule) -> dict[str, object]:
    """The bounds of the theorem about this policy and interval, null where there is none."""
    # sympy takes half a second to load, which the other subcommands need not wait for
    from bufalu.bounds import bounds_report
    from bufalu.bounds.errors import NoTheorem, NotRegular

    policy, interval = options.chosen_policy(arguments), options.chosen_confidence(arguments)
    try:
        return {"bounds": bounds_report(instance, schedule, arguments.horizon, interval, policy=policy)}
    except (NoTheorem, NotRegular):
        return {"bounds": None}


def _asked(arguments: argparse.Namespace, instance: Instance, schedule: Schedule) -> list[OnLaw]:
    """What --claim says of the law, nothing without it; raises `SaysNothing` if it does not speak of it."""
    if arguments.claim is None:
        return []
    from bufalu.properties.claims.errors import SaysNothing
    from bufalu.properties.expectations.cases import ExactCase
    from bufalu.properties.expectations.claims_on_law import examine_on_law

    case = ExactCase(
        instance,
        schedule,
        arguments.horizon,
        arguments.confidence,
        arguments.ties,
        arguments.policy,
        parse_rational(arguments.negligible),
    )
    outcomes = examine_on_law(case, arguments.claim)
    if not outcomes:
        raise SaysNothing(f"{arguments.claim} says nothing about such an instance, so that nothing was judged")
    return outcomes

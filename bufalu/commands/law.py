"""`bufalu law`: the exact law of a run on arms with finite supports."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from bufalu.commands import options
from bufalu.commands.terminal import Progress, coloured
from bufalu.reference.rationals import format_rational, parse_rational

if TYPE_CHECKING:
    from bufalu.law import Law, Value
    from bufalu.properties.expectations.claims_on_law import OnLaw
    from bufalu.reference.instances import Instance
    from bufalu.reference.schedules import Schedule

HELP = """\
Compute the exact law of a policy: expected regret, plays and queries over all paths, as rational numbers.

All paths with the same observations are merged, so the numbers are sums over every path and not a simulation. With
--json the bounds of the theorem stand beside them (for BuFALU; l.417-436). With --negligible P states of
probability below P are not followed, and every answer becomes an interval that holds the exact value. --claim
holds a claim about expectations against the law, which is how witnesses of `bufalu audit` are replayed; exit code 1
means that it fails there, and 2 that it says nothing about such an instance."""

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

    instance = options.chosen_instance(arguments)
    schedule = options.chosen_schedule(arguments)
    with Progress(arguments.horizon, "rounds") as progress:
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
    # An exact probability after many rounds has more digits than Python prints by default.
    sys.set_int_max_str_digits(0)
    asked = _asked(arguments, instance, schedule)
    if arguments.json:
        # sympy takes half a second to load, which the other subcommands need not wait for
        from bufalu.bounds import bounds_report
        from bufalu.bounds.errors import NotRegular

        try:
            bounds = bounds_report(instance, schedule, arguments.horizon, options.chosen_confidence(arguments))
        except NotRegular:
            # The interval of l.1644 has no theorem.
            bounds = None
        told = report(arguments, found) | {"bounds": bounds}
        if arguments.claim is not None:
            told["claim"] = [outcome.as_json() for outcome in asked]
        print(json.dumps(told, indent=2))
    else:
        for outcome in asked:
            print(coloured(outcome.line(), "green" if outcome.holds else "red"))
        print(closing_lines(found))
    return 0 if all(outcome.holds for outcome in asked) else 1


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


def report(arguments: argparse.Namespace, found: Law) -> dict[str, object]:
    """The law for machines: exact numbers as text beside the nearest doubles; lists are per arm."""
    return {
        "policy": arguments.policy,
        "confidence": arguments.confidence,
        "epsilon": arguments.epsilon,
        "ties": arguments.ties,
        "arms": found.instance.number_of_arms,
        "horizon": found.horizon,
        "means": [format_rational(mean) for mean in found.instance.means],
        "expected_regret": as_json(found.expected_regret()),
        "expected_queries": as_json(found.expected_queries()),
        "expected_plays": [as_json(value) for value in found.expected_plays()],
        "expected_queries_per_arm": [as_json(value) for value in found.expected_queries_per_arm()],
        "bad_event_probability_sum": as_json(found.bad_event_probability_sum()) if found.knows_bad_events else None,
        "states": found.states,
    }


def as_json(value: Value) -> dict[str, object]:
    """`{"exact": "p/q", "float": x}`; where mass was dropped, `exact` is null and `lower`, `upper` enclose it."""
    if value.is_exact:
        return {"exact": format_rational(value.exact), "float": float(value)}
    return {
        "exact": None,
        "float": float(value),
        "lower": format_rational(value.lower),
        "upper": format_rational(value.upper),
    }


def closing_lines(found: Law) -> str:
    """The law for people."""
    rows = [
        ("expected regret", found.expected_regret()),
        ("expected queries", found.expected_queries()),
        *((f"expected plays of arm {arm}", value) for arm, value in enumerate(found.expected_plays(), start=1)),
        *(
            (f"expected queries of arm {arm}", value)
            for arm, value in enumerate(found.expected_queries_per_arm(), start=1)
        ),
    ]
    if found.knows_bad_events:
        rows.append(("sum of P(not G_t)", found.bad_event_probability_sum()))
    lines = [f"{name:<26} {_shown(value)}" for name, value in rows]
    return "\n".join([*lines, f"{found.states:,} states in {found.horizon:,} rounds"])


def _shown(value: Value) -> str:
    if not value.is_exact:
        return f"between {float(value.lower):.10g} and {float(value.upper):.10g}"
    exact = format_rational(value.exact)
    return f"{float(value):.10g}" + (f" = {exact}" if len(exact) <= 40 else "")

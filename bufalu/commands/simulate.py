"""`bufalu simulate`: one run of a policy in exact arithmetic, as a trace."""

from __future__ import annotations

import argparse
import json

from bufalu.commands import options
from bufalu.commands.terminal import Progress
from bufalu.reference.instances import Instance
from bufalu.reference.live import LivePolicy
from bufalu.reference.rationals import format_rational, nearest_float
from bufalu.reference.rewards import SeededRewards
from bufalu.reference.simulation import simulate
from bufalu.reference.trace_files import trace_writer
from bufalu.reference.traces import Tally, TraceHeader

HELP = """\
Run one of the four policies in exact arithmetic and write its trace.

The interaction of l.268: in each round the policy plays an arm and decides whether to see the reward. Comparisons are
exact, so a tie is a real tie and is broken by --ties; the same seed gives the same run on every machine."""

EXAMPLE = """\
  bufalu simulate --policy bufalu --confidence hoeffding --means 1/4,1/4,1/2 --epsilon power:1/4 \\
      --horizon 100000 --seed 7 --ties first --out trace.jsonl"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `simulate`."""
    options.add_policy(parser)
    options.add_confidence(parser)
    options.add_instance(parser)
    options.add_epsilon(parser)
    options.add_horizon(parser)
    options.add_seed(parser)
    options.add_ties(parser)
    parser.add_argument("--out", metavar="FILE", help="write the trace there: .jsonl or .csv")
    options.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Simulates, writes the trace round by round, and closes with regret, queries and plays."""
    instance = options.chosen_instance(arguments)
    schedule = options.chosen_schedule(arguments)
    policy = LivePolicy(
        options.chosen_policy(arguments),
        instance.number_of_arms,
        options.chosen_confidence(arguments),
        options.chosen_ties(arguments),
    )
    header = TraceHeader(
        policy=arguments.policy,
        confidence=arguments.confidence,
        arms=instance.number_of_arms,
        epsilon=schedule.text,
        means=instance.means,
    )
    tally = Tally(instance.number_of_arms)
    rounds = simulate(policy, instance, schedule, arguments.horizon, SeededRewards(instance, arguments.seed))
    with Progress(arguments.horizon, "rounds") as progress, trace_writer(arguments.out, header) as writer:
        for played in tally.count(rounds):
            writer.write(played)
            if played.number % 512 == 0:
                progress.update(played.number)
    if arguments.json:
        print(json.dumps(summary(header, instance, tally), indent=2))
    else:
        print(closing_line(instance, tally))
    return 0


def closing_line(instance: Instance, tally: Tally) -> str:
    """Regret, queries and plays of a run in one line."""
    regret = tally.regret(instance.gaps)
    plays = " ".join(f"{arm}:{count}" for arm, count in enumerate(tally.plays, start=1))
    return f"rounds {tally.rounds}  regret {nearest_float(regret):.6g}  queries {tally.queries}  plays {plays}"


def summary(header: TraceHeader, instance: Instance, tally: Tally) -> dict[str, object]:
    """The closing line for machines: exact numbers as text."""
    return {
        "policy": header.policy,
        "confidence": header.confidence,
        "arms": header.arms,
        "epsilon": header.epsilon,
        "rounds": tally.rounds,
        "regret": format_rational(tally.regret(instance.gaps)),
        "queries": tally.queries,
        "plays_per_arm": list(tally.plays),
        "queries_per_arm": list(tally.queries_per_arm()),
        "means": [format_rational(mean) for mean in instance.means],
    }

"""`bufalu simulate`: one run of a policy in exact arithmetic, as a trace."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bufalu.commands import options
from bufalu.commands.terminal import Progress, say
from bufalu.reference.instances import Instance
from bufalu.reference.live import LivePolicy
from bufalu.reference.rationals import Rational, format_rational, nearest_float
from bufalu.reference.rewards import SeededRewards
from bufalu.reference.rounds import Round
from bufalu.reference.schedules import Schedule
from bufalu.reference.simulation import simulate
from bufalu.reference.trace_files import TraceWriter, trace_writer, unfinished_trace
from bufalu.reference.traces import Tally, TraceHeader
from bufalu.reference.whole_files import ending

if TYPE_CHECKING:  # the engine is loaded for long runs alone
    from bufalu.experiments.engine.rules import Configuration

ENGINE_FROM = 200_000
"""Shorter runs are over before the engine is loaded."""

HELP = """\
Run a policy in exact arithmetic and write its trace.

The interaction of l.268: in each round the policy plays an arm and decides whether to see the reward. Comparisons are
exact, so a tie is a real tie and is broken by --ties; the same seed gives the same run on every machine. Long runs are
played by the compiled engine where it is installed and knows the setting: the same rounds, faster. With --delay or
--missing answers come late or never, and the trace says when. The file gets its name when it is whole; an interrupted
run leaves its rounds in FILE.part (not for NPZ)."""

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
    options.add_answer_times(parser)
    parser.add_argument("--out", metavar="FILE", help="write the trace there: .npz, .csv, or .jsonl")
    parser.add_argument("--reference", action="store_true", help="play every round by the exact reference")
    options.add_json(parser)


@dataclass(frozen=True)
class Totals:
    """What a run comes to, and what played it."""

    rounds: int
    plays: tuple[int, ...]
    queries_per_arm: tuple[int, ...]
    played_by: str

    @property
    def queries(self) -> int:
        """B^q."""
        return sum(self.queries_per_arm)

    def regret(self, instance: Instance) -> Rational:
        """The sum of Delta_a n(a)."""
        return sum((gap * plays for gap, plays in zip(instance.gaps, self.plays, strict=True)), start=0)


def run(arguments: argparse.Namespace) -> int:
    """Simulates, writes the trace, and closes with regret, queries and plays."""
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
    answers = options.chosen_answer_times(arguments, arguments.seed)
    configuration = None
    fast = answers is None and not arguments.reference and schedule.text is not None
    if arguments.horizon >= ENGINE_FROM and fast:
        configuration = engine_configuration(arguments, instance, schedule)
    try:
        late = answers is not None
        with Progress(arguments.horizon, "rounds") as progress, opened_writer(arguments.out, header, late) as writer:
            if configuration is None:
                rewards = SeededRewards(instance, arguments.seed)
                rounds = simulate(policy, instance, schedule, arguments.horizon, rewards, answers=answers)
                totals = by_reference(rounds, instance.number_of_arms, writer, progress)
            else:
                totals = by_engine(configuration, arguments.seed, writer, progress)
    except BaseException as end:
        # After an error nothing stays: a file of that name would be of an earlier run.
        kept = None if arguments.out is None or isinstance(end, Exception) else unfinished_trace(arguments.out)
        if kept is not None and Path(kept).exists():
            say(f"\nthe rounds so far are in {kept}")
        raise
    if arguments.json:
        print(json.dumps(summary(header, instance, totals), indent=2))
    else:
        print(closing_line(instance, totals))
    return 0


def opened_writer(path: str | None, header: TraceHeader, late: bool) -> AbstractContextManager[TraceWriter]:
    """The writer of the format that the name says."""
    if path is not None and ending(path) == ".npz":
        from bufalu.oracle.npz_writing import npz_writer  # numpy is loaded only where arrays are written

        return npz_writer(path, header)
    return trace_writer(path, header, late)


def engine_configuration(
    arguments: argparse.Namespace, instance: Instance, schedule: Schedule
) -> Configuration | None:
    """The run as the engine takes it, or None where it is not installed or does not know the setting."""
    from bufalu.experiments.engine import compiled
    from bufalu.experiments.engine.errors import OutsideEngine
    from bufalu.experiments.engine.rules import Configuration

    if not compiled.AVAILABLE:
        return None
    try:
        return Configuration(
            arguments.policy, instance, schedule, arguments.horizon, arguments.confidence, arguments.ties
        )
    except OutsideEngine:
        return None


def by_reference(rounds: Iterable[Round], arms: int, writer: TraceWriter, progress: Progress) -> Totals:
    """Plays and writes the rounds of the exact simulator."""
    tally = Tally(arms)
    for played in tally.count(rounds):
        writer.write(played)
        if played.number % 512 == 0:
            progress.update(played.number)
    return Totals(tally.rounds, tuple(tally.plays), tally.queries_per_arm(), "reference")


def by_engine(configuration: Configuration, seed: int, writer: TraceWriter, progress: Progress) -> Totals:
    """Plays the rounds by the engine and writes them: as arrays where the format has them, else one by one."""
    import numpy as np

    from bufalu.experiments.engine.tracing import traced_rounds
    from bufalu.oracle.npz_writing import NpzWriter

    arms = configuration.instance.arms
    plays, queries, rounds = np.zeros(len(arms), np.int64), np.zeros(len(arms), np.int64), 0
    for block in traced_rounds(configuration, seed):
        plays += np.bincount(block.arm - 1, minlength=len(arms))
        queries += np.bincount(block.arm[block.query] - 1, minlength=len(arms))
        rounds += block.arm.size
        if isinstance(writer, NpzWriter):
            reward = np.full(block.arm.size, np.nan)
            for number, arm in enumerate(arms, start=1):
                values = np.array([writer.double(value) for value in arm.values])
                here = block.query & (block.arm == number)
                reward[here] = values[block.value[here]]
            writer.write_arrays(block.arm, block.query, reward)
        else:
            columns = (block.arm.tolist(), block.query.tolist(), block.value.tolist())
            for number, (arm, query, value) in enumerate(zip(*columns, strict=True), start=block.first):
                writer.write(Round(number, arm, query, arms[arm - 1].values[value] if query else None, None))
        progress.update(rounds)
    return Totals(rounds, tuple(plays.tolist()), tuple(queries.tolist()), "engine")


def closing_line(instance: Instance, tally: Totals) -> str:
    """Regret, queries and plays of a run in one line."""
    regret = tally.regret(instance)
    plays = " ".join(f"{arm}:{count}" for arm, count in enumerate(tally.plays, start=1))
    return f"rounds {tally.rounds}  regret {nearest_float(regret):.6g}  queries {tally.queries}  plays {plays}"


def summary(header: TraceHeader, instance: Instance, tally: Totals) -> dict[str, object]:
    """The closing line for machines: exact numbers as text."""
    return {
        "policy": header.policy,
        "confidence": header.confidence,
        "arms": header.arms,
        "epsilon": header.epsilon,
        "rounds": tally.rounds,
        "regret": format_rational(tally.regret(instance)),
        "queries": tally.queries,
        "plays_per_arm": list(tally.plays),
        "queries_per_arm": list(tally.queries_per_arm),
        "played_by": tally.played_by,
        "means": [format_rational(mean) for mean in instance.means],
    }

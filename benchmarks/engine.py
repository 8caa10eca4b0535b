"""The fast engine against its peers and against itself, in one run; every line is a ratio.

    python benchmarks/engine.py [--peers PYTHON] [--grid]

Peers are measured by `peers.py` in an environment of their own (`make bench` makes `.venv-bench`); one that cannot be
installed or run is reported and skipped. Times are processor seconds of one core, the best of three; the grid
(`--grid`) is wall-clock time on two processes, after compilation.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bufalu import Instance, parse_schedule
from bufalu.experiments.engine.parallel import processes
from bufalu.experiments.engine.running import Configuration, run_seeds
from bufalu.experiments.paper.tables import table_jobs, table_rows

HERE = Path(__file__).resolve().parent
UNIQUE = Instance.bernoulli([Fraction(1, 4)] * 4 + [Fraction(1, 2)])
MULTIPLE = Instance.bernoulli([Fraction(1, 4)] * 3 + [Fraction(1, 2)] * 2)
HORIZON, SEEDS, REPEATS = 100_000, 100, 3
GOALS = {"smpybandits": 2000, "numpy": 8, "mabwiser": None}


def processor_seconds(work: Callable[[], object]) -> float:
    """The least of a few measurements, after a first one that compiles and warms up."""
    work()
    best = float("inf")
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def rate(policy: str, instance: Instance, epsilon: str, *, jumps: bool = True, horizon: int = HORIZON) -> float:
    """Rounds a processor second of the engine."""
    seeds = range(max(1, SEEDS * HORIZON // horizon))
    configuration = Configuration(policy, instance, parse_schedule(epsilon), horizon, jumps=jumps)
    return horizon * len(seeds) / processor_seconds(lambda: run_seeds(configuration, seeds))


def peer(python: str, name: str) -> dict[str, float] | None:
    """What `peers.py` prints for one peer, or None with a line of explanation."""
    try:
        done = subprocess.run(
            [python, str(HERE / "peers.py"), name], capture_output=True, text=True, timeout=300, check=True
        )
        answer: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
        return answer
    except (OSError, subprocess.SubprocessError, ValueError, IndexError) as problem:
        print(f"  {name}: not measured ({type(problem).__name__}); run `make bench` to install the peers")
        return None


def processor() -> str:
    """The name of the processor, where the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def show(label: str, ratio: float, goal: float | None, note: str) -> None:
    mark = "" if goal is None else f" (goal {goal:g}: {'met' if ratio >= goal else 'MISSED'})"
    print(f"  {label:<58} {ratio:>10,.1f} x{mark}  {note}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", default=str(HERE.parent / ".venv-bench/bin/python"), help="their interpreter")
    parser.add_argument("--grid", action="store_true", help="also time the whole grid of the tables")
    arguments = parser.parse_args()
    found = peer(arguments.peers, "versions") or {}
    tools = {"python": platform.python_version(), "numpy": version("numpy"), "numba": version("numba")}
    print(f"{processor()}, {os.cpu_count()} cores, {platform.system()}; ours: {tools}; peers: {found}")

    print("UCB with a query in every round, K = 5, one core:")
    ours = {name: rate("cbm-ucb", where, "zero") for name, where in (("unique", UNIQUE), ("multiple", MULTIPLE))}
    for name in ("smpybandits", "mabwiser", "numpy"):
        if answer := peer(arguments.peers, name):
            theirs = answer["rounds_per_second"]
            note = f"{1e9 / ours['unique']:.1f} ns against {1e9 / theirs:,.0f} ns a round"
            show(f"engine / {name}, unique optimum", ours["unique"] / theirs, GOALS[name], note)
    note = f"{1e9 / ours['multiple']:.1f} ns a round with two"
    show("engine, unique optimum / two optimal arms", ours["unique"] / ours["multiple"], None, note)

    print("BuFALU with jumps against the engine's own plain loop, unique optimum:")
    for epsilon in ("zero", "power:1/4", "inverse-log"):
        fast, plain = rate("bufalu", UNIQUE, epsilon), rate("bufalu", UNIQUE, epsilon, jumps=False)
        show(f"epsilon {epsilon}", fast / plain, 3, f"{1e9 / fast:.1f} ns against {1e9 / plain:.1f} ns a round")

    print("Cost against the horizon, BuFALU, unique optimum, epsilon t^-1/4 (seconds for ten times the rounds):")
    before = None
    for horizon in (10**4, 10**5, 10**6, 10**7):
        configuration = Configuration("bufalu", UNIQUE, parse_schedule("power:1/4"), horizon)
        cost = processor_seconds(lambda configuration=configuration: run_seeds(configuration, range(20)))
        grown = "" if before is None else f", {cost / before:.2f} times the cost of a tenth of it"
        print(f"  T = {horizon:>10,}: {cost:7.3f} s for 20 seeds, {1e9 * cost / horizon / 20:7.3f} ns a round{grown}")
        before = cost

    if arguments.grid:
        with processes(2) as executor:
            table_rows(20, executor)
            start = time.perf_counter()
            table_rows(1000, executor)
            seconds = time.perf_counter() - start
        rounds = sum(job.rounds for job in table_jobs(1000))
        print(f"The grid of the tables, {rounds:,} rounds, two processes: {seconds:.1f} s (goal 30)")


if __name__ == "__main__":
    main()

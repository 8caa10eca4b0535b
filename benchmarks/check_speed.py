"""How fast `bufalu check` certifies: rounds a processor second from arrays, NPZ and JSON Lines, at K = 5.

    python benchmarks/check_speed.py

The trace is a run of BuFALU on the instance of l.1441 with epsilon = t^-1/4. Each line ends with the ratio to its goal
(a million rounds a second from arrays and NPZ, a hundred thousand from JSON Lines): 1 or more is what we want.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bufalu import BuFALU, Instance, SeededRewards, parse_schedule, simulate
from bufalu.oracle.checking import Checked, check_blocks
from bufalu.oracle.npz_files import array_blocks
from bufalu.oracle.sources import Flags, open_trace
from bufalu.reference.trace_files import trace_writer
from bufalu.reference.traces import TraceHeader

HORIZON = 200_000
INSTANCE = Instance.bernoulli([Fraction(1, 4)] * 4 + [Fraction(1, 2)])
HEADER = TraceHeader("bufalu", "hoeffding", 5, "power:1/4")


def measured(name: str, goal: int, work: Callable[[], Checked]) -> None:
    """Prints the best rate of three runs."""
    best = 0.0
    for _ in range(3):
        start = time.process_time()
        checked = work()
        best = max(best, checked.rounds / (time.process_time() - start))
        assert checked.conforms
    print(f"{name:12} {best:12,.0f} rounds/s   {best / goal:.2f} of the goal")


def main() -> None:
    """Makes the trace in three forms and checks each."""
    schedule = parse_schedule("power:1/4")
    rounds = list(simulate(BuFALU(5), INSTANCE, schedule, HORIZON, SeededRewards(INSTANCE, 0)))
    arrays = {
        "arm": np.array([played.arm for played in rounds]),
        "query": np.array([played.query for played in rounds]),
        "reward": np.array([np.nan if played.reward is None else float(played.reward) for played in rounds]),
    }
    with tempfile.TemporaryDirectory() as folder:
        npz, lines = str(Path(folder) / "trace.npz"), str(Path(folder) / "trace.jsonl")
        np.savez(npz, **arrays)
        with trace_writer(lines, HEADER) as writer:
            for played in rounds:
                writer.write(played)
        flags = Flags("bufalu", "hoeffding", 5, "power:1/4")
        sources = {"NPZ": (open_trace(npz, flags), 10**6), "JSON Lines": (open_trace(lines), 10**5)}
        measured("arrays", 10**6, lambda: check_blocks(HEADER, array_blocks("arrays", HEADER, arrays)))
        for name, (source, goal) in sources.items():
            measured(
                name, goal, lambda source=source: check_blocks(source.header, source.blocks(), schedule=schedule)
            )


if __name__ == "__main__":
    main()

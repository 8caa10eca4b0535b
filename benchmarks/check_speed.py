"""How fast `bufalu check` certifies: rounds a processor second from NPZ, JSON Lines and CSV, at K = 5.

The trace is a run of BuFALU on the instance of l.1441 with epsilon = t^-1/4, written by `simulate`'s own writers.
"""

from __future__ import annotations

import contextlib
import io
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from benchmarks.figures import Measurement, processor_seconds
from bufalu import Instance, parse_schedule
from bufalu.cli import main
from bufalu.oracle.checking import check_blocks
from bufalu.oracle.sources import TraceOptions, open_trace

HORIZON = 400_000
MEANS = "1/4,1/4,1/4,1/4,1/2"
INSTANCE = Instance.bernoulli([Fraction(1, 4)] * 4 + [Fraction(1, 2)])
FORMATS = {"npz": ("NPZ", 2e6), "jsonl": ("JSON Lines", 1e6), "csv": ("CSV", 1e6)}


def figures() -> Iterator[Measurement]:
    """Writes the trace in three forms and checks each."""
    schedule = parse_schedule("power:1/4")
    flags = TraceOptions("bufalu", "hoeffding", 5, "power:1/4")
    with tempfile.TemporaryDirectory() as folder:
        for ending, (name, goal) in FORMATS.items():
            path = str(Path(folder) / f"trace.{ending}")
            run = ["--means", MEANS, "--epsilon", "power:1/4", "--horizon", str(HORIZON), "--out", path, "--json"]
            silently(["simulate", *run])
            source = open_trace(path) if ending == "jsonl" else open_trace(path, flags)

            def work(source=source) -> None:
                checked = check_blocks(source.header, source.blocks(), schedule=schedule)
                assert checked.conforms
                assert checked.rounds == HORIZON

            yield Measurement(
                f"check from {name}", HORIZON / processor_seconds(work), "rounds/s", goal, at_least=True
            )


def silently(arguments: list[str]) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        assert main(arguments) == 0

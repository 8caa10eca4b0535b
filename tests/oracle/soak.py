"""Plays all stages of all settings with one program again and again, and watches the memory of the oracle and the program.

    python -m tests.oracle.soak [--seconds 600] [--rounds T] [-- COMMAND ...]

The first pass warms up; exit code 1 if a later one ever needs more than the first by more than `ALLOWED`. Linux only.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bufalu.oracle.conformance import Effort, SettingRun, turns
from bufalu.oracle.implementations import ProgramUnderTest
from bufalu.oracle.limits import LONG
from bufalu.oracle.processes import children_of
from bufalu.oracle.program import Program
from tests.oracle.planted.programs import correct_variants

ALLOWED = 6.0
"""Megabytes that a later pass may need beyond the first: the allocator's, not ours. One pass holds thousands of games."""

_PAGES_IN_A_MEGABYTE = 2**20 / os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Sample:
    """Megabytes in use after a stage of a pass, the passes counted from 0."""

    run: int
    seconds: float
    oracle: float
    program: float


def resident(pid: int) -> float:
    """The megabytes that a process holds in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) / _PAGES_IN_A_MEGABYTE


def peaks(samples: Sequence[Sample], of: Callable[[Sample], float]) -> list[float]:
    """The most that was in use in each pass."""
    return [
        max(of(sample) for sample in samples if sample.run == run)
        for run in sorted({sample.run for sample in samples})
    ]


def growth(samples: Sequence[Sample]) -> float:
    """By how much oracle or program ever exceed the first pass; raises `ValueError` unless there were two at least."""
    after_warming_up = []
    for of in (lambda sample: sample.oracle, lambda sample: sample.program):
        first, *later = peaks(samples, of)
        if not later:
            raise ValueError("one pass shows no growth: soak longer, or with fewer rounds")
        after_warming_up.append(max(later) - first)
    return max(after_warming_up)


def soak(command: list[str], seconds: float, rounds: int) -> Iterator[Sample]:
    """Plays until the time is over, the pass that is under way then to its end; a sample after each stage of a setting."""
    began = time.monotonic()
    with Program(command, 60.0) as process:
        program = ProgramUnderTest(process)
        introduction = program.start()
        (pid,) = children_of(os.getpid())
        run = 0
        while run == 0 or time.monotonic() - began < seconds:
            settings = {
                (policy, confidence): SettingRun(program, policy, confidence, Effort(rounds=rounds, seed=run))
                for policy in introduction.policies
                for confidence in introduction.confidence
            }
            for stage, running in turns(settings):
                running.play(stage)
                if running.result.failed is not None:
                    raise ValueError(f"{' '.join(command)} does not conform: soak a program that does")
                yield Sample(run, time.monotonic() - began, resident(os.getpid()), resident(pid))
            run += 1


def main() -> int:
    """Soaks the C example, or another program, and tells the peaks of each pass."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--rounds", type=int, default=LONG, help=f"rounds of the long games ({LONG})")
    parser.add_argument("command", nargs="*", help="the program, after --")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = arguments.command or correct_variants()[0].build(Path(folder))
        samples = []
        for sample in soak(command, arguments.seconds, arguments.rounds):
            if samples and sample.run > samples[-1].run:
                _tell(samples)
            samples.append(sample)
    _tell(samples)
    grown = growth(samples)
    print(f"{samples[-1].seconds:.0f} s: grew by {grown:.1f} MB after the first pass, {ALLOWED:g} MB are allowed")
    return 1 if grown > ALLOWED else 0


def _tell(samples: Sequence[Sample]) -> None:
    last = samples[-1]
    own = [sample for sample in samples if sample.run == last.run]
    oracle, program = max(sample.oracle for sample in own), max(sample.program for sample in own)
    print(f"pass {last.run + 1}, {last.seconds:.0f} s: oracle {oracle:.1f} MB, program {program:.1f} MB", flush=True)


if __name__ == "__main__":
    sys.exit(main())

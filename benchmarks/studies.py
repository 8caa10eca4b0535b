"""What a study costs, predicted from the engine's own rates: seven arms, four policies, three schedules, T = 1,000,000."""

from __future__ import annotations

import resource
from collections.abc import Iterator

from benchmarks.figures import Measurement, processor_seconds
from bufalu import Instance, Study
from bufalu.experiments.studies.pieces import computed, pieces_of
from bufalu.experiments.studies.running import run_study
from bufalu.experiments.studies.workers import Processes

CORES = 2
WHOLE, SAMPLE, TRIAL = 1000, 64, 128
"""Seeds of the study, of the measurement of each cell's rate, and of the trial that holds the prediction to account."""


def example(seeds: int) -> Study:
    return Study(
        instances={"seven arms": Instance.bernoulli([0.13, 0.2, 0.25, 0.3, 0.33, 0.35, 0.4])},
        policies=["bufalu", "dial:1/2", "bufau", "cbm-ucb"],
        epsilons=["power:1/4", "inverse-log", "zero"],
        horizons=10**6,
        seeds=seeds,
    )


def figures() -> Iterator[Measurement]:
    pieces = [piece for cell in example(SAMPLE).cells() for piece in pieces_of(cell, SAMPLE)]
    seconds = sum(processor_seconds(lambda p=piece: computed(p.text), repeats=1) for piece in pieces)
    rounds = example(SAMPLE).rounds
    note = f"{1e9 * seconds / rounds:.1f} ns a round on one core; {example(WHOLE).rounds:,} rounds"
    yield Measurement(
        f"the study of seven arms on two cores, {WHOLE:,} seeds, predicted from {SAMPLE}",
        seconds * WHOLE / SAMPLE / CORES,
        "s",
        note=note,
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run_study(example(TRIAL), crew=Processes(CORES))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    note = f"{TRIAL} seeds, processor time of the workers"
    yield Measurement(
        "  the same work in a study / that prediction", spent / (seconds * TRIAL / SAMPLE), "x", 1.3, note=note
    )

"""Work split over any `concurrent.futures.Executor`, in chunks of seeds keyed by their content.

A run is a pure function of its configuration and seed, so neither the split nor the executor changes a result.
"""

from __future__ import annotations

import hashlib
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from bufalu.experiments.engine.compiled import require
from bufalu.experiments.engine.running import Configuration, SeedResults, run_seeds

CHUNK_ROUNDS = 6_400_000
"""Rounds in one piece of work: small enough for a smooth progress bar, large enough to share the tables of rounds."""

CHUNK_SEEDS = 64
"""The least seeds in one piece of work: eight groups of eight lanes."""


@dataclass(frozen=True)
class Job:
    """One configuration with its seeds, and the rounds after which its counts are wanted (by default the last)."""

    configuration: Configuration
    seeds: range
    checkpoints: tuple[int, ...] | None = None

    @property
    def rounds(self) -> int:
        """All rounds of all seeds."""
        return self.configuration.horizon * len(self.seeds)

    @property
    def key(self) -> str:
        """A digest of everything that the result depends on."""
        return hashlib.sha256(repr(self).encode()).hexdigest()

    def chunks(self) -> list[Job]:
        """The job in pieces of about CHUNK_ROUNDS rounds."""
        size = max(CHUNK_SEEDS, CHUNK_ROUNDS // max(1, self.configuration.horizon) // CHUNK_SEEDS * CHUNK_SEEDS)
        starts = range(0, len(self.seeds), size)
        return [Job(self.configuration, self.seeds[at : at + size], self.checkpoints) for at in starts]

    def run(self) -> SeedResults:
        """Plays all its seeds here and now."""
        return run_seeds(self.configuration, self.seeds, self.checkpoints)


class Interrupted(Exception):
    """Ctrl-C: carries the outcomes of the jobs that were finished, in order, None for the others."""

    def __init__(self, outcomes: list[SeedResults | None]) -> None:
        super().__init__("interrupted")
        self.outcomes = outcomes


def run_job(job: Job) -> SeedResults:
    """`job.run()`, as a plain function that can be sent to another process."""
    return job.run()


def run_jobs(
    jobs: Sequence[Job], executor: Executor | None = None, report: Callable[[int], None] | None = None
) -> list[SeedResults]:
    """The outcome of every job, in order; without an executor in this process. `report` hears the rounds done so far.

    Raises `ExperimentsUnavailable` without numba, and `Interrupted` with what is finished on Ctrl-C.
    """
    require()
    pieces = [job.chunks() for job in jobs]
    done: dict[str, SeedResults] = {}
    rounds = 0
    try:
        for chunk, outcome in finished(list({c.key: c for piece in pieces for c in piece}.values()), executor):
            done[chunk.key] = outcome
            rounds += chunk.rounds
            if report is not None:
                report(rounds)
    except KeyboardInterrupt:
        raise Interrupted([joined(piece, done) for piece in pieces]) from None
    outcomes = [joined(piece, done) for piece in pieces]
    return [outcome for outcome in outcomes if outcome is not None]


def finished(chunks: Sequence[Job], executor: Executor | None) -> Iterator[tuple[Job, SeedResults]]:
    """The chunks with their outcomes, as they come; what has not begun is cancelled when the consumer stops."""
    if executor is None:
        for chunk in chunks:
            yield chunk, chunk.run()
        return
    futures: dict[Future[SeedResults], Job] = {executor.submit(run_job, chunk): chunk for chunk in chunks}
    try:
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        for future in futures:
            future.cancel()


def joined(chunks: Sequence[Job], done: dict[str, SeedResults]) -> SeedResults | None:
    """One outcome from those of the chunks of a job, or None if one is missing."""
    parts = [done[chunk.key] for chunk in chunks if chunk.key in done]
    if len(parts) < len(chunks):
        return None
    return SeedResults(
        parts[0].checkpoints,
        np.concatenate([part.plays for part in parts], axis=1),
        np.concatenate([part.queries for part in parts], axis=1),
        sum(part.resolved for part in parts),
    )


@contextmanager
def processes(workers: int) -> Iterator[Executor | None]:
    """An executor of that many processes, which leave Ctrl-C to this one; None, meaning this process, for one."""
    if workers <= 1:
        yield None
        return
    with ProcessPoolExecutor(workers, initializer=_ignore_interrupts) as executor:
        yield executor


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)

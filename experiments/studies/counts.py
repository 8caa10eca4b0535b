"""What the runs of one cell leave: numbers for each seed, and their form in bytes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bufalu.experiments.engine.arrays import Floats, Integers
from bufalu.experiments.engine.running import SeedResults, regret
from bufalu.experiments.studies.errors import BrokenWork
from bufalu.reference.instances import Instance


class Counts(NamedTuple):
    """`regret` and `queries` have a row for each checkpoint and a column for each seed; `arm_plays` and `arm_queries`,
    at the horizon, a row for each seed and a column for each arm. `resolved` counts rounds decided exactly.
    """

    regret: Floats
    queries: Integers
    arm_plays: Integers
    arm_queries: Integers
    resolved: int

    @property
    def final_regret(self) -> Floats:
        """The regret of every seed at the horizon."""
        values: Floats = self.regret[-1]
        return values

    @property
    def final_queries(self) -> Integers:
        """The queries of every seed at the horizon."""
        values: Integers = self.queries[-1]
        return values


def counts_of(instance: Instance, outcome: SeedResults) -> Counts:
    """The numbers of the engine's runs."""
    return Counts(
        regret(instance, outcome.plays),
        outcome.queries.sum(axis=2),
        outcome.plays[-1],
        outcome.queries[-1],
        outcome.resolved,
    )


def joined(parts: Sequence[Counts]) -> Counts:
    """The numbers of several groups of seeds, in order."""
    return Counts(
        np.concatenate([part.regret for part in parts], axis=1),
        np.concatenate([part.queries for part in parts], axis=1),
        np.concatenate([part.arm_plays for part in parts]),
        np.concatenate([part.arm_queries for part in parts]),
        sum(part.resolved for part in parts),
    )


def encoded(counts: Counts) -> bytes:
    """A line of JSON with the shapes, and the arrays behind it: the same bytes for the same numbers everywhere."""
    points, seeds = counts.regret.shape
    shape = {"points": points, "seeds": seeds, "arms": counts.arm_plays.shape[1], "resolved": counts.resolved}
    arrays = [
        np.ascontiguousarray(counts.regret, "<f8"),
        *(np.ascontiguousarray(a, "<i8") for a in (counts.queries, counts.arm_plays, counts.arm_queries)),
    ]
    return json.dumps(shape).encode() + b"\n" + b"".join(array.tobytes() for array in arrays)


def decoded(content: bytes) -> Counts:
    """What `encoded` wrote; raises `BrokenWork` for anything else."""
    try:
        line, _, body = content.partition(b"\n")
        shape: dict[str, int] = json.loads(line)
        points, seeds, arms = shape["points"], shape["seeds"], shape["arms"]
        sizes = [points * seeds, points * seeds, seeds * arms, seeds * arms]
        if len(body) != 8 * sum(sizes):
            raise ValueError("the arrays have another length")
        ends = np.cumsum(sizes) * 8
        parts = [body[end - 8 * size : end] for end, size in zip(ends, sizes, strict=True)]
        return Counts(
            np.frombuffer(parts[0], "<f8").reshape(points, seeds),
            np.frombuffer(parts[1], "<i8").reshape(points, seeds),
            np.frombuffer(parts[2], "<i8").reshape(seeds, arms),
            np.frombuffer(parts[3], "<i8").reshape(seeds, arms),
            shape["resolved"],
        )
    except (ValueError, KeyError, TypeError) as problem:
        raise BrokenWork(f"these are not the numbers of a piece: {problem}") from None

"""The state of many seeds in lanes: made, read, and carried one round further by an exact decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from bufalu.experiments.engine.arrays import (
    ARM_ROWS,
    ASKED,
    COUNT,
    NEXT,
    PAIR,
    REST_ROWS,
    RESTS,
    SEED_ROWS,
    SQUARES,
    SUM,
    Field,
    Floats,
    Integers,
    Prizes,
    Rewards,
    Seeds,
    lined,
)
from bufalu.experiments.engine.loop import renewing_kernel
from bufalu.experiments.engine.rules import Configuration
from bufalu.experiments.engine.streams import stream_keys
from bufalu.experiments.engine.vectors import WIDTH
from bufalu.reference.policies import Decision
from bufalu.reference.rewards import MASK, draw_bits


def fresh_seeds(configuration: Configuration, seeds: Sequence[int], traced_rounds: int = 0) -> Seeds:
    """The state before round 1; lanes without a seed wait for a round that never comes.

    `traced_rounds` makes room for the decisions of so many rounds of every seed.
    """
    arms = configuration.instance.number_of_arms
    groups = -(-len(seeds) // WIDTH)
    keys = np.zeros((groups * WIDTH, arms), np.uint64)
    keys[: len(seeds)] = stream_keys(seeds, arms)[:, :: configuration.direction]
    rows = np.zeros((groups, SEED_ROWS, WIDTH))
    next_rounds = np.full(groups * WIDTH, np.inf)
    next_rounds[: len(seeds)] = 1.0
    rows[:, NEXT] = next_rounds.reshape(groups, WIDTH)
    return Seeds(
        groups=groups,
        arms=lined(np.zeros(groups * ARM_ROWS * arms * WIDTH)),
        keys=lined(np.ascontiguousarray(keys.reshape(groups, WIDTH, arms).swapaxes(1, 2)).view(np.int64)),
        seeds=lined(rows),
        waiting=np.zeros(groups, np.int64),
        patience=np.zeros(groups, np.int64),
        failures=np.ones(groups, np.int64),
        active=np.zeros(groups, np.int64),
        played=np.full(traced_rounds * groups * WIDTH, -1, np.int64),
        field=fresh_field(groups),
        drawn=lined(np.zeros(WIDTH, np.int64)),
        chosen=lined(np.zeros(WIDTH, np.int64)),
        found=lined(np.zeros(4 * WIDTH)),
    )


def fresh_field(groups: int) -> Field:
    """Room for the narrowed fields, of which there are none yet."""
    places = groups * PAIR * WIDTH
    return Field(
        arms=lined(np.zeros(ARM_ROWS * places)),
        keys=lined(np.zeros(places, np.int64)),
        prizes=Prizes(lined(np.zeros(places, np.int64)), lined(np.zeros(places)), lined(np.zeros(places))),
        tags=lined(np.zeros(places, np.int64)),
        rest=lined(np.zeros(groups * REST_ROWS * WIDTH)),
        until=np.full(groups, -1, np.int64),
        since=np.zeros(groups, np.int64),
        patience=np.zeros(groups, np.int64),
        failures=np.ones(groups, np.int64),
    )


def arm_rows(seeds: Seeds) -> Floats:
    """The rows of all arms, by group, row, arm and lane: a view."""
    return seeds.arms.reshape(seeds.groups, ARM_ROWS, -1, WIDTH)


def seed_rows(seeds: Seeds) -> Floats:
    """The rows of all seeds, by group, row and lane: a view."""
    return seeds.seeds.reshape(seeds.groups, SEED_ROWS, WIDTH)


def counted(seeds: Seeds, direction: int, number: int) -> tuple[Integers, Integers]:
    """Plays and queries of every arm (columns), for the first `number` seeds (rows)."""
    rows = arm_rows(seeds)
    queries = rows[:, COUNT].swapaxes(1, 2).reshape(seeds.groups * WIDTH, -1)[:number, ::direction]
    rests = rows[:, RESTS].swapaxes(1, 2).reshape(seeds.groups * WIDTH, -1)[:number, ::direction]
    return (queries + rests).astype(np.int64), queries.astype(np.int64)


def unfinished(seeds: Seeds, last: int) -> bool:
    """Whether a seed has rounds up to `last` to play."""
    return bool((seed_rows(seeds)[:, NEXT] <= last).any())


def waiting_lanes(seeds: Seeds) -> Iterator[tuple[int, int]]:
    """Group and lane of every seed that waits for an exact decision."""
    for group in np.flatnonzero(seeds.waiting):
        for lane in range(WIDTH):
            if seeds.waiting[group] >> lane & 1:
                yield int(group), lane


def carry(
    configuration: Configuration, rewards: Rewards, seeds: Seeds, place: tuple[int, int], decision: Decision
) -> int:
    """Plays one round of a seed as decided, which waits no longer; gives 2 * arm + query in the kernels' order."""
    group, lane = place
    arms = configuration.instance.number_of_arms
    arm = decision.arm - 1 if configuration.direction == 1 else arms - decision.arm
    rows, own = seed_rows(seeds)[group, :, lane], arm_rows(seeds)[group, :, arm, lane]
    rows[NEXT] += 1.0
    seeds.waiting[group] &= ~(1 << lane)
    if not decision.query:
        own[RESTS] += 1.0
        return 2 * arm
    key = int(seeds.keys[(group * arms + arm) * WIDTH + lane]) & MASK
    draw = draw_bits(key, int(own[COUNT]) + 1)
    below = rewards.below.reshape(arms, -1)[arm, :-1]
    value = rewards.values.reshape(arms, -1)[arm, int(np.searchsorted(below, draw, "right"))]
    rows[ASKED] += 1.0
    own[COUNT] += 1.0
    own[SUM] += value
    own[SQUARES] += value * value
    renewing_kernel(configuration.family.code, int(configuration.curved))(configuration.rule, seeds, group, arm)
    return 2 * arm + 1

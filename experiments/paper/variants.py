"""BuFALU with one step changed, in plain doubles: which figures could tell the change, and which fit it better?

These never speak for the paper's rule. They measure the power of the statistics (a table that cannot tell a variant
from BuFALU does not pin the algorithm) and look for the rule behind a printed number that BuFALU does not give.
"""

# ruff: noqa: PLR0917 - compiled code takes its arrays one by one

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from bufalu.experiments.engine import draws
from bufalu.experiments.engine.arrays import EPSILON, GROWTH, ROUND_COLUMNS, Floats, Integers, Words
from bufalu.experiments.engine.compiled import compiled, digest, inlined, require
from bufalu.experiments.engine.draws import value_at
from bufalu.experiments.engine.radii import IntervalRadii
from bufalu.experiments.engine.round_tables import WINDOW, window
from bufalu.experiments.engine.running import SeedResults
from bufalu.experiments.engine.streams import common_denominator, reward_tables, stream_keys
from bufalu.experiments.studies.counts import Counts, counts_of
from bufalu.experiments.studies.pieces import PieceText
from bufalu.reference import rewards
from bufalu.reference.confidence import HoeffdingInterval
from bufalu.reference.instances import Instance
from bufalu.reference.schedules import Schedule, parse_schedule

GOLDEN, FIRST_FACTOR, SECOND_FACTOR = (
    np.uint64(constant) for constant in (rewards.GOLDEN, rewards.FIRST_FACTOR, rewards.SECOND_FACTOR)
)
SHIFT_30, SHIFT_27, SHIFT_31, SHIFT_1 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(1)

AS_PRINTED, CHALLENGER, OWN_WIDTH, LEADER_BY_UCB, LEADER_BY_MEAN, NARROWER, NO_SEPARATION, NO_EPSILON = range(8)


@dataclass(frozen=True)
class Variant:
    """A change of one step: `code` for the compiled loop, `scale` multiplies every radius.

    A variant that is a known bug has its id in `oracle/known_bugs`.
    """

    name: str
    meaning: str
    code: int
    scale: float = 1.0


VARIANTS = (
    Variant("as-printed", "Algorithm 1 (l.371)", AS_PRINTED),
    Variant("epsilon-on-challenger", "UCB(u) - LCB(l) <= epsilon stops", CHALLENGER),
    Variant("epsilon-on-width", "CI(c) <= epsilon stops", OWN_WIDTH),
    Variant("leader-by-ucb", "the leader has the largest UCB", LEADER_BY_UCB),
    Variant("leader-by-mean", "the leader has the largest mean", LEADER_BY_MEAN),
    Variant("narrower-queried", "the candidate has the narrower interval", NARROWER),
    Variant("separation-ignored", "only epsilon stops", NO_SEPARATION),
    Variant("epsilon-ignored", "only separation stops", NO_EPSILON),
    Variant("constant-two", "radius sqrt(2 ln t / n) for sqrt(3 ln t / (2n))", AS_PRINTED, (4 / 3) ** 0.5),
    Variant("constant-one", "radius sqrt(ln t / n)", AS_PRINTED, (2 / 3) ** 0.5),
    Variant("radius-two-percent-wide", "every radius 2% too wide", AS_PRINTED, 1.02),
)


def variant_named(name: str) -> Variant:
    """The variant with this name."""
    return {variant.name: variant for variant in VARIANTS}[name]


def run_variant(
    variant: Variant, instance: Instance, schedule: Schedule, horizon: int, seeds: Sequence[int]
) -> SeedResults:
    """Plays and queries at the horizon, on the engine's own rewards; ties go to the smallest arm number."""
    require()
    arms = instance.number_of_arms
    denominator = common_denominator(instance)
    rewards = reward_tables(instance.arms, denominator)
    keys = stream_keys(seeds, arms)
    counts = np.zeros((len(seeds), 3, arms))
    for start in range(1, horizon + 1, WINDOW):
        tables = window(
            IntervalRadii(HoeffdingInterval().shape), schedule, arms, start, min(horizon, start + WINDOW - 1)
        )
        table = tables.table.reshape(-1, ROUND_COLUMNS).T.copy()
        table[GROWTH] *= variant.scale
        play(
            variant.code,
            denominator,
            start,
            table,
            rewards.values.size // arms,
            rewards.below,
            rewards.values,
            keys,
            counts,
        )
    return SeedResults((horizon,), counts[None, :, 0].astype(np.int64), counts[None, :, 1].astype(np.int64), 0)


def play_piece(piece: PieceText) -> Counts:
    """The seeds of a piece whose policy is the name of a variant: the horizon alone, there is no curve to draw."""
    instance, schedule = piece.instance(), parse_schedule(piece.epsilon)
    outcome = run_variant(variant_named(piece.policy), instance, schedule, piece.horizon, piece.seeds)
    return counts_of(instance, outcome)


@inlined
def draw_bits(key: np.uint64, count: int) -> np.int64:
    """The 63 bits of draw number `count` (from 1) of one stream: `bufalu.reference.rewards.draw_bits`."""
    word = key + np.uint64(count) * GOLDEN
    word = (word ^ (word >> SHIFT_30)) * FIRST_FACTOR
    word = (word ^ (word >> SHIFT_27)) * SECOND_FACTOR
    return np.int64((word ^ (word >> SHIFT_31)) >> SHIFT_1)


def build(sources: int) -> Callable[[int, int, int, Floats, int, Integers, Floats, Words, Floats], None]:  # noqa: C901 - one compiled loop, a branch for each variant
    """The compiled loop; `sources` renews its cache when what it calls is edited."""

    def play(  # noqa: C901, PLR0912 - one compiled loop, a branch for each variant
        code: int,
        denominator: int,
        start: int,
        table: Floats,
        size: int,
        below: Integers,
        values: Floats,
        keys: Words,
        counts: Floats,
    ) -> None:
        """Plays every seed through the rounds of `table`; counts are plays, queries and sums of each arm."""
        assert sources >= 0
        arms = counts.shape[2]
        for s in range(counts.shape[0]):
            for i in range(table.shape[1]):
                arm, query = start + i - 1, True
                if start + i > arms:
                    leader, lead = 0, -np.inf
                    for a in range(arms):
                        n = counts[s, 1, a]
                        mean, radius = counts[s, 2, a] / (n * denominator), table[GROWTH, i] / np.sqrt(n)
                        value = mean - radius
                        if code == LEADER_BY_UCB:
                            value = mean + radius
                        elif code == LEADER_BY_MEAN:
                            value = mean
                        if value > lead:
                            leader, lead = a, value
                    challenger, top = -1, -np.inf
                    for a in range(arms):
                        n = counts[s, 1, a]
                        value = counts[s, 2, a] / (n * denominator) + table[GROWTH, i] / np.sqrt(n)
                        if a != leader and value > top:
                            challenger, top = a, value
                    n, m = counts[s, 1, leader], counts[s, 1, challenger]
                    candidate = challenger if m < n or (m == n and challenger < leader) else leader
                    if code == NARROWER and m != n:
                        candidate = leader if candidate == challenger else challenger
                    low = counts[s, 2, leader] / (n * denominator) - table[GROWTH, i] / np.sqrt(n)
                    radius = table[GROWTH, i] / np.sqrt(counts[s, 1, candidate])
                    gap = counts[s, 2, candidate] / (counts[s, 1, candidate] * denominator) + radius - low
                    if code == CHALLENGER:
                        gap = top - low
                    elif code == OWN_WIDTH:
                        gap = 2.0 * radius
                    separated = top <= low and code != NO_SEPARATION
                    within = gap <= table[EPSILON, i] and code != NO_EPSILON
                    query = not (separated or within)
                    arm = candidate if query else leader
                counts[s, 0, arm] += 1
                if query:
                    counts[s, 1, arm] += 1
                    draw = int(draw_bits(keys[s, arm], int(counts[s, 1, arm])))
                    counts[s, 2, arm] += value_at(below, values, size, arm, draw)

    return compiled(play)


play = build(digest(draws))

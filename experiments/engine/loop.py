"""The compiled loop over rounds and groups of seeds."""

# ruff: noqa: PLR0917 - compiled code takes its arrays one by one

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from bufalu.experiments.engine import (
    arrays,
    decisions,
    draws,
    events,
    families,
    jumps,
    lanes,
    logarithms,
    narrowing,
    pairs,
    steps,
)
from bufalu.experiments.engine.arrays import ARM_ROWS, ASKED, PAIR, PAIRS, KernelRule, Rewards, Seeds, Window
from bufalu.experiments.engine.compiled import compiled, digest, inlined
from bufalu.experiments.engine.draws import renew
from bufalu.experiments.engine.events import play_event
from bufalu.experiments.engine.families import rests
from bufalu.experiments.engine.lanes import bits, every, load
from bufalu.experiments.engine.narrowing import pair_rule, rest_of, widen
from bufalu.experiments.engine.steps import (
    BLOCK,
    at_work,
    end_field,
    first_block,
    play_pair,
    play_round,
    renew_field,
    rest_through,
    round_now,
    row_of,
    stretch,
    turn,
)
from bufalu.experiments.engine.vectors import WIDTH

STOP = 1024
"""Seeds that go on while another waits for an exact decision stop at rounds whose place is a multiple of this."""

TILE = 8
"""Groups of seeds that take turns."""


@inlined
def play_events(family: int, rule: KernelRule, curved: int, window: Window, rewards: Rewards, seeds: Seeds) -> None:
    """Plays every seed to the end of the window, the initial rounds one by one, all others from query to query."""
    for i in range(min(window.length, rule.initial + 1 - window.start)):
        for g in range(seeds.groups):
            mine = turn(seeds, g, window.start + i)
            if bits(mine):
                now = round_now(rule, window.table, i)
                play_round(family, rule, curved, rewards, seeds, g, i, window.start + i, now, mine)
    for tile in range(0, seeds.groups, TILE):
        going = 1
        while going:
            going = 0
            for g in range(tile, min(tile + TILE, seeds.groups)):
                going |= play_event(family, rule, curved, window, rewards, seeds, g)


Advance = Callable[[KernelRule, Window, Rewards, Seeds], None]


def build(family: int, curved: int, sources: int) -> Advance:  # noqa: C901 - nested loops around one call each
    """The compiled `advance` of a family of rules, for straight (Hoeffding) or curved (Bernstein) radii. Its cache on
    disk is keyed by its own code and by `sources`, the digest of everything that is compiled into it.

    `family` and `curved` are literals, each a type of its own, for which numba would compile every part again. `| 0`
    makes plain numbers of them: the parts are compiled once for all kernels, and LLVM takes out what a kernel never does.
    """

    def advance(rule: KernelRule, window: Window, rewards: Rewards, seeds: Seeds) -> None:  # noqa: C901 - nested loops around one call each
        """Plays every seed to the end of the window, or to the first round that only exact arithmetic can decide. While
        one waits for that, the others go on to the next stop.
        """
        assert sources >= 0
        kind, bent = family | 0, curved | 0
        if family == PAIRS and rule.jumps and rule.arms > 1:
            play_events(kind, rule, bent, window, rewards, seeds)
            return
        pair, field, stopped = pair_rule(rule), seeds.field, 0
        fields = family != PAIRS and rewards.size <= 2 and rule.arms > PAIR and rule.jumps
        for block in range(first_block(window, seeds), window.length, BLOCK):
            if stopped and block % STOP == 0:
                break
            end = min(block + BLOCK, window.length)
            number = at_work(kind, rule, bent, window, seeds, block, end)
            # One round of every group after the other, so that none waits for the numbers it has just stored; a few
            # groups at a time, so that all of them stay in the nearest cache.
            for tile in range(0, number, TILE):
                for i in range(block, end):
                    now, t = round_now(rule, window.table, i), window.start + i
                    for position in range(tile, min(tile + TILE, number)):
                        g = seeds.active[position]
                        mine = turn(seeds, g, t)
                        if bits(mine) == 0:
                            continue
                        if fields and field.until[g] < i and t > rule.initial:
                            renew_field(kind, rule, bent, window, rewards, seeds, g, i, now)
                        if field.until[g] >= 0:
                            rest = rest_of(field, g)
                            if play_pair(kind, rule, pair, bent, rewards, seeds, g, i, now, mine, rest):
                                continue
                            end_field(rule, bent, seeds, g, i)
                        stopped |= play_round(kind, rule, bent, rewards, seeds, g, i, t, now, mine)
        for g in range(seeds.groups):
            if field.until[g] >= 0:
                widen(rule, bent, seeds.arms, field, g)

    return compiled(advance)


Leap = Callable[[KernelRule, Window, Seeds], None]


def build_leap(family: int, curved: int, sources: int) -> Leap:
    """The compiled `leap` of a family, cached as `advance` is."""

    def leap(rule: KernelRule, window: Window, seeds: Seeds) -> None:
        """Takes every seed that certainly rests through all rounds of the window, of which the table has the two ends,
        to the end of it.
        """
        assert sources >= 0
        time = stretch(rule, window.table, 0, 1, window.floor[0])
        for g in range(seeds.groups):
            asked = load(seeds.seeds, row_of(g, ASKED))
            arm, calm = rests(family | 0, rule, curved | 0, seeds.arms, g * ARM_ROWS * rule.arms * WIDTH, time, asked)
            rest_through(rule, seeds, g, arm, calm & turn(seeds, g, window.start), every(float(window.length)))

    return compiled(leap)


Renew = Callable[[KernelRule, Seeds, int, int], None]


def build_renew(family: int, curved: int, sources: int) -> Renew:
    """The compiled `renew_arm` of a family, cached as `advance` is."""

    def renew_arm(rule: KernelRule, seeds: Seeds, g: int, arm: int) -> None:
        """Renews an arm of a group by the operations of a query: equal arms tie by equal bits, whoever renewed them."""
        assert sources >= 0
        renew(family | 0, rule, curved | 0, seeds.arms, (g * ARM_ROWS * rule.arms + arm) * WIDTH)

    return compiled(renew_arm)


def sources() -> int:
    """The digest of all that is compiled into the kernels."""
    return digest(arrays, lanes, logarithms, draws, decisions, jumps, pairs, families, narrowing, steps, events)


@cache
def kernel(family: int, curved: int) -> Advance:
    """The loop of a family, compiled when it is first used."""
    return build(family, curved, sources())


@cache
def leaping_kernel(family: int, curved: int) -> Leap:
    """The leap of a family, compiled when it is first used."""
    return build_leap(family, curved, sources())


@cache
def renewing_kernel(family: int, curved: int) -> Renew:
    """The renewal of a family, compiled when it is first used."""
    return build_renew(family, curved, sources())

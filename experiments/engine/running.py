"""The fast engine: many seeds of one configuration, with the decisions of the exact reference.

outcome = run_seeds(Configuration("bufalu", instance, parse_schedule("power:1/4"), 100_000), range(1000))
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np

from bufalu.experiments.engine.arrays import COUNT, NEXT, SQUARES, SUM, Floats, Integers, Rewards, Seeds
from bufalu.experiments.engine.compiled import require
from bufalu.experiments.engine.loop import kernel, leaping_kernel
from bufalu.experiments.engine.round_tables import WINDOW, RecentWindows, ends
from bufalu.experiments.engine.rules import Configuration, checked_marks
from bufalu.experiments.engine.seed_groups import (
    arm_rows,
    carry,
    counted,
    fresh_seeds,
    seed_rows,
    unfinished,
    waiting_lanes,
)
from bufalu.experiments.engine.streams import reward_tables
from bufalu.reference.comparisons import parse_ties
from bufalu.reference.instances import Instance
from bufalu.reference.policies import Decision, policy_named
from bufalu.reference.rationals import rational
from bufalu.reference.state import ArmRecord, State
from bufalu.reference.view import ExactView

__all__ = ["Configuration", "SeedResults", "regret", "run_seeds"]

RECENT = RecentWindows()


class SeedResults(NamedTuple):
    """Plays and queries of every arm (columns) for every seed (rows), after each checkpoint (first axis).

    `resolved` counts the rounds that doubles could not decide and the exact reference did, so that no decision of the
    run depended on rounding.
    """

    checkpoints: tuple[int, ...]
    plays: Integers
    queries: Integers
    resolved: int


def run_seeds(
    configuration: Configuration, seeds: Sequence[int], checkpoints: Sequence[int] | None = None
) -> SeedResults:
    """Runs every seed to the horizon; memory does not grow with the horizon.

    `checkpoints` are increasing round numbers (by default the horizon alone) after which the counts are kept. Raises
    `ExperimentsUnavailable` without numba.
    """
    require()
    marks = checked_marks(checkpoints, configuration.horizon)
    state = fresh_seeds(configuration, seeds)
    plays = np.zeros((len(marks), len(seeds), configuration.instance.number_of_arms), np.int64)
    queries = np.zeros_like(plays)
    resolved = done = 0
    for position, mark in enumerate(marks):
        resolved += play(configuration, state, done + 1, mark)
        done = mark
        plays[position], queries[position] = counted(state, configuration.direction, len(seeds))
    return SeedResults(marks, plays, queries, resolved)


def play(configuration: Configuration, seeds: Seeds, first: int, last: int) -> int:
    """Plays the rounds first..last of every seed; gives the number of rounds that exact arithmetic decided.

    A stretch of several windows is first tried as one leap, then in halves, so that where nothing happens for long no
    table is made.
    """
    if first > last or not unfinished(seeds, last):
        return 0
    if last - first < WINDOW:
        return play_window(configuration, seeds, first, last)
    if configuration.jumps and first > configuration.rule.initial:
        leap = leaping_kernel(configuration.family.code, int(configuration.curved))
        arms = configuration.rule.arms
        leap(configuration.rule, ends(configuration.radii, configuration.schedule, arms, first, last), seeds)
    windows = -(-(last - first + 1) // WINDOW)
    middle = first + WINDOW * ((windows + 1) // 2) - 1
    return play(configuration, seeds, first, middle) + play(configuration, seeds, middle + 1, last)


def play_window(configuration: Configuration, seeds: Seeds, first: int, last: int) -> int:
    """Plays the rounds first..last, at most a window, round by round or in jumps."""
    rule = configuration.rule
    advance = kernel(configuration.family.code, int(configuration.curved))
    rewards = reward_tables(configuration.ordered_arms, configuration.denominator)
    tables = RECENT.window(configuration.radii, configuration.schedule, rule.arms, first, last)
    resolved = 0
    advance(rule, tables, rewards, seeds)
    while lanes := list(waiting_lanes(seeds)):
        for place in lanes:
            settle(configuration, rewards, seeds, first, place)
        resolved += len(lanes)
        advance(rule, tables, rewards, seeds)
    return resolved


def settle(configuration: Configuration, rewards: Rewards, seeds: Seeds, first: int, place: tuple[int, int]) -> None:
    """Plays by exact arithmetic the round for which a seed waits, in the window that begins with round `first`."""
    group, lane = place
    number = int(seed_rows(seeds)[group, NEXT, lane])
    played = carry(configuration, rewards, seeds, place, exact_decision(configuration, seeds, group, lane))
    if seeds.played.size:
        seeds.played.reshape(-1, *seeds.waiting.shape, seeds.drawn.size)[number - first, group, lane] = played


def regret(instance: Instance, plays: Integers) -> Floats:
    """sum_a Delta_a n(a) for every run (l.270): exact sums, each rounded once to the nearest double."""
    denominator = lcm(*(gap.denominator for gap in instance.gaps))
    scaled = np.array([int(gap * denominator) for gap in instance.gaps], object)
    totals = (plays.astype(object) * scaled).sum(axis=-1, keepdims=True)
    rounded: Floats = np.array([total / denominator for total in totals.ravel()], np.float64)
    return rounded.reshape(plays.shape[:-1])


def exact_decision(configuration: Configuration, seeds: Seeds, group: int, lane: int) -> Decision:
    """What the reference decides in the next round of a seed."""
    arms, denominator = configuration.instance.number_of_arms, configuration.denominator
    rows = arm_rows(seeds)[group, :, :: configuration.direction, lane]
    state = State(arms)
    state.records = [
        ArmRecord(
            int(rows[COUNT, a]),
            rational(Fraction(int(rows[SUM, a]), denominator)),
            rational(Fraction(int(rows[SQUARES, a]), denominator**2)),
        )
        for a in range(arms)
    ]
    state.all_queries = int(rows[COUNT].sum())
    number = int(seed_rows(seeds)[group, NEXT, lane])
    view = ExactView(state, configuration.interval, number, configuration.schedule.at(number, arms))
    return policy_named(configuration.policy).decide(view, parse_ties(configuration.ties))

"""The compiled loop over seeds and rounds."""

from __future__ import annotations

from collections.abc import Callable

from bufalu.experiments.engine import arrays, decisions, draws, jumps
from bufalu.experiments.engine.arrays import (
    BUFALU,
    PLAYS,
    Rewards,
    Rule,
    Seeds,
    Window,
)
from bufalu.experiments.engine.compiled import compiled, digest
from bufalu.experiments.engine.decisions import decide
from bufalu.experiments.engine.draws import record
from bufalu.experiments.engine.jumps import jump, run_end

PATIENCE = 2
"""A jump is tried after this many unqueried rounds in a row, and a run after this many queries: what is shorter is not
worth the try.
"""

RUN = 64
"""A run of queries of one arm is certified for this many rounds at a time."""


def build(sources: int) -> Callable[[Rule, Window, Rewards, Seeds], None]:
    """The compiled `advance`. Its cache on disk is keyed by its own code and by `sources`, the digest of everything
    that is compiled into it, so that an edit anywhere is noticed.
    """

    def advance(rule: Rule, window: Window, rewards: Rewards, seeds: Seeds) -> None:
        """Plays every seed to the end of the window, or to the first round that only exact arithmetic can decide."""
        assert sources >= 0
        # Arrays are taken out of their tuples once: doing it in the loop costs a reference count each time.
        table, floor, level_start = window.table, window.floor, window.level_start
        below, values, inverse = rewards.below, rewards.values, rewards.inverse
        lower, upper, length = seeds.scratch[0], seeds.scratch[1], table.shape[1]
        runs = rule.jumps and rule.policy != BUFALU and not rule.bernstein
        for s in range(seeds.next_round.size):
            if seeds.waiting[s]:
                continue
            counts, forms, keys = seeds.counts[s], seeds.forms[s], seeds.keys[s]
            i = seeds.next_round[s] - window.start
            forced, forced_query = seeds.forced_arm[s], seeds.forced_query[s]
            seeds.forced_arm[s] = -1
            asked, rested = 0, 0
            while i < length:
                if forced >= 0:
                    arm, query, forced = forced, forced_query, -1
                elif window.start + i <= rule.arms:
                    arm, query = window.start + i - 1, 1
                else:
                    choice = decide(rule, table, counts, forms, i, lower, upper)
                    if choice < 0:
                        seeds.waiting[s] = 1
                        break
                    arm, query = choice >> 1, choice & 1
                counts[PLAYS, arm] += 1
                i += 1
                if query:
                    record(rule, below, values, inverse, keys, counts, forms, arm)
                    asked += 1
                    if runs and asked >= PATIENCE and window.start + i > rule.arms and i < length:
                        e = min(i + RUN, length) - 1
                        i = run_end(rule, table, below, values, inverse, keys[arm], counts, forms, arm, i, e)
                    rested = 0
                elif rule.jumps:
                    rested += 1
                    asked = 0
                    if rested >= PATIENCE:
                        i = jump(rule, table, floor, level_start, counts, forms, arm, i)
            seeds.next_round[s] = window.start + i

    return compiled(advance)


advance = build(digest(arrays, draws, decisions, jumps))

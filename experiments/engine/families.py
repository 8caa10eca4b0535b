"""The rule of each family of policies: a round decided quickly, a round decided carefully, and rounds without a query."""

# ruff: noqa: PLR0917 - compiled code takes its arrays one by one

from __future__ import annotations

from bufalu.experiments.engine.arrays import DIAL, PAIRS, WIDEST, Floats, KernelRule
from bufalu.experiments.engine.compiled import apart, inlined
from bufalu.experiments.engine.decisions import Now, Rest, decide_dial, decide_dial_carefully
from bufalu.experiments.engine.jumps import Stretch, rests_dial, rests_widest
from bufalu.experiments.engine.lanes import Flags, Lanes, Wholes
from bufalu.experiments.engine.pairs import decide_pairs, rests_pairs
from bufalu.experiments.engine.top_arms import (
    best_mean,
    decide_spending,
    decide_widest,
    decide_widest_carefully,
    largest,
    largest_carefully,
    over_budget,
)


@inlined
def decide(
    family: int, rule: KernelRule, curved: int, state: Floats, base: int, now: Now, asked: Lanes, rest: Rest | None
) -> tuple[Wholes, Flags, Flags]:
    """The quick form of a family's decision; `asked` counts the queries of each seed."""
    if family == DIAL:
        return decide_dial(rule, curved, state, base, now, rest)
    if family == WIDEST:
        return decide_widest(rule, curved, state, base, now, rest)
    if family == PAIRS:
        return decide_pairs(rule, state, base, now, 0)
    arm, _, sure = largest(rule, curved, state, base, now, rest)
    return decide_spending(rule, state, base, now, asked, (arm, sure), rest)


@apart
def decide_carefully(
    family: int, rule: KernelRule, curved: int, state: Floats, base: int, now: Now, asked: Lanes
) -> tuple[Wholes, Flags, Flags]:
    """The careful form of a family's decision."""
    if family == DIAL:
        return decide_dial_carefully(rule, curved, state, base, now)
    if family == WIDEST:
        return decide_widest_carefully(rule, curved, state, base, now)
    if family == PAIRS:
        return decide_pairs(rule, state, base, now, 1)
    return decide_spending(rule, state, base, now, asked, largest_carefully(rule, curved, state, base, now), None)


@apart
def rests(
    family: int, rule: KernelRule, curved: int, state: Floats, base: int, time: Stretch, asked: Lanes
) -> tuple[Wholes, Flags]:
    """The arms that are played, and where they are played unqueried in every round of a stretch, for certain."""
    if family == DIAL:
        return rests_dial(rule, curved, state, base, time)
    if family == WIDEST:
        return rests_widest(rule, curved, state, base, time)
    if family == PAIRS:
        return rests_pairs(rule, state, base, time)
    over, _ = over_budget(rule, asked, time.end_log, time.epsilon)
    arm, known = best_mean(rule, state, base)
    return arm, over & known

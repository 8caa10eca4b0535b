"""Decides with the exact reference the rounds in which doubles come too close."""

from __future__ import annotations

from fractions import Fraction

from bufalu.experiments.engine.arrays import COUNT, NEXT, SQUARES, SUM, Seeds
from bufalu.experiments.engine.rules import Configuration
from bufalu.experiments.engine.seed_groups import arm_rows, seed_rows
from bufalu.reference.comparisons import parse_ties
from bufalu.reference.policies import Decision, policy_named
from bufalu.reference.rationals import rational
from bufalu.reference.state import ArmRecord, State
from bufalu.reference.view import ExactView


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

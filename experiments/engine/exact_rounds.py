"""Decides with the exact reference the rounds in which doubles come too close."""

from __future__ import annotations

from fractions import Fraction

from bufalu.experiments.engine.arrays import QUERIES, SQUARES, SUMS, Seeds
from bufalu.reference.confidence import confidence_named
from bufalu.reference.policies import Decision, policy_named
from bufalu.reference.rationals import rational
from bufalu.reference.schedules import Schedule
from bufalu.reference.state import ArmRecord, State
from bufalu.reference.ties import parse_ties
from bufalu.reference.view import ExactView


def exact_decision(
    seeds: Seeds, s: int, *, denominator: int, policy: str, confidence: str, schedule: Schedule, ties: str
) -> Decision:
    """What the reference decides in the next round of seed row `s`."""
    arms = seeds.counts.shape[2]
    state = State(arms)
    state.records = [
        ArmRecord(
            int(seeds.counts[s, QUERIES, a]),
            rational(Fraction(int(seeds.counts[s, SUMS, a]), denominator)),
            rational(Fraction(int(seeds.counts[s, SQUARES, a]), denominator**2)),
        )
        for a in range(arms)
    ]
    state.all_queries = int(seeds.counts[s, QUERIES].sum())
    number = int(seeds.next_round[s])
    view = ExactView(state, confidence_named(confidence), number, schedule.at(number, arms))
    return policy_named(policy).decide(view, parse_ties(ties))

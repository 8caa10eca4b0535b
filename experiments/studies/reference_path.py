"""Pieces played by the exact reference, round by round: random tie-breaks, late answers, whatever the engine refuses."""

from __future__ import annotations

import numpy as np

from bufalu.experiments.engine.running import SeedResults
from bufalu.experiments.studies.counts import Counts, counts_of
from bufalu.experiments.studies.pieces import PieceText
from bufalu.reference.comparisons import RandomTies, TieBreak, parse_ties
from bufalu.reference.confidence import confidence_named
from bufalu.reference.live import LivePolicy
from bufalu.reference.policies import Policy, policy_named
from bufalu.reference.rewards import SeededRewards
from bufalu.reference.schedules import parse_schedule
from bufalu.reference.simulation import simulate


def play_piece(piece: PieceText) -> Counts:
    """The seeds of a piece, on the same rewards as the engine's."""
    instance, schedule = piece.instance(), parse_schedule(piece.epsilon)
    arms, marks = instance.number_of_arms, set(piece.checkpoints)
    plays = np.zeros((len(piece.checkpoints), len(piece.seeds), arms), np.int64)
    queries = np.zeros_like(plays)
    rule, interval = policy_named(piece.policy), confidence_named(piece.confidence)
    for column, seed in enumerate(piece.seeds):
        policy = LivePolicy(rule, arms, interval, ties_of_run(piece.ties, seed, rule))
        played, asked, point = np.zeros(arms, np.int64), np.zeros(arms, np.int64), 0
        rewards, answers = SeededRewards(instance, seed), piece.answers(seed)
        for round_ in simulate(policy, instance, schedule, piece.horizon, rewards, answers=answers):
            played[round_.arm - 1] += 1
            asked[round_.arm - 1] += round_.query
            if round_.number in marks:
                plays[point, column], queries[point, column] = played, asked
                point += 1
    everything = piece.horizon * len(piece.seeds)
    return counts_of(instance, SeedResults(piece.checkpoints, plays, queries, everything))


def ties_of_run(text: str, seed: int, policy: Policy) -> TieBreak:
    """The tie-break of one run: `random:S` is `random:(S + seed)`, so that runs are independent and each can be played
    again with `bufalu simulate`. Where a policy tosses a coin, `first` and `last` are `random:seed`.
    """
    ties = parse_ties(text)
    if isinstance(ties, RandomTies):
        return RandomTies(ties.seed + seed)
    return RandomTies(seed) if policy.tosses else ties

"""Pieces played by the compiled engine."""

from __future__ import annotations

from bufalu.experiments.engine.running import Configuration, run_seeds
from bufalu.experiments.studies.counts import Counts, counts_of
from bufalu.experiments.studies.pieces import PieceText
from bufalu.reference.schedules import parse_schedule


def play_piece(piece: PieceText) -> Counts:
    """The seeds of a piece, fast, with the decisions of exact arithmetic."""
    instance = piece.instance()
    schedule = parse_schedule(piece.epsilon)
    configuration = Configuration(
        piece.policy, instance, schedule, piece.horizon, confidence=piece.confidence, ties=piece.ties
    )
    return counts_of(instance, run_seeds(configuration, piece.seeds, piece.checkpoints))

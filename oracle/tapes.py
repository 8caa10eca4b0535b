"""Rewards that look at nothing but the arm and how often it was queried: the same ones for every program.

`spread` costs one multiplication and uses all bits of a double; what is drawn by a seed is slower and less regular.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from bufalu.oracle.games import Reward, Tape, from_tape
from bufalu.reference.confidence import confidence_named

_GOLDEN = 0.6180339887498949
"""The golden section: its multiples, taken without their whole parts, fill [0, 1] evenly."""

_APART = 0.377
"""By how much the places of two arms in that sequence differ, so that no two arms have the same rewards."""


def spread(arm: int, k: int, offset: float = 0.0) -> float:
    """The k-th of numbers spread evenly over [0, 1], another sequence for every arm."""
    return (k * _GOLDEN + arm * _APART + offset) % 1.0


def spread_tape(offset: float) -> Tape:
    """Rewards spread evenly over [0, 1] for every arm, beginning elsewhere for another offset."""
    return lambda arm, k: spread(arm, k, offset)


def spread_rewards(offset: float) -> Reward:
    """The rewards of `spread_tape`."""
    return from_tape(spread_tape(offset))


def constant(levels: Sequence[float]) -> Reward:
    """Each arm has its own reward, always."""
    return lambda scene, arm: levels[arm - 1]


def late_winner(unknown: int, winner: int) -> Tape:
    """Every arm near 0 for so many queries, then the winner near 1."""

    def tape(arm: int, k: int) -> float:
        noise = spread(arm, k) / 32
        return 1.0 - noise if arm == winner and k > unknown else noise

    return tape


def late_winner_after(confidence: str) -> int:
    """How many queries of each arm a late winner waits for, so that separation comes late with either width."""
    return 150 if confidence_named(confidence).uses_variance else 60


def at_both_ends(arm: int, k: int) -> float:
    """Rewards near 0 and near 1, half of them each: a large variance."""
    place = spread(arm, k)
    return place / 8 if place < 0.5 else 1.0 - (1.0 - place) / 8


def first_arm_best(arm: int, k: int) -> float:
    """The first arm near 1, the others near 0, a little noise."""
    noise = (k * (arm + 2) % 5) / 64
    return 1.0 - noise if arm == 1 else noise


def coins(seed: int, means: Sequence[float]) -> Reward:
    """Rewards 0 and 1 with these means, the same for every run of the game."""
    return from_tape(lambda arm, k: float(seeded_by(seed, arm, k).random() < means[arm - 1]))


def sixteenths(seed: int, means: Sequence[float]) -> Reward:
    """Rewards in sixteenths, spread around these means, the same for every run of the game."""

    def tape(arm: int, k: int) -> float:
        value = means[arm - 1] + seeded_by(seed, arm, k).uniform(-0.4, 0.4)
        return round(16 * min(1.0, max(0.0, value))) / 16

    return from_tape(tape)


def all_bits(seed: int, means: Sequence[float], spread: float = 0.4) -> Reward:
    """Rewards that use all bits of a double, spread around these means, the same for every run of the game."""
    return from_tape(all_bits_tape(seed, means, spread))


def all_bits_tape(seed: int, means: Sequence[float], spread: float) -> Tape:
    """Rewards that use all bits of a double, as a function of the arm and of its queries."""

    def tape(arm: int, k: int) -> float:
        return min(1.0, max(0.0, means[arm - 1] + seeded_by(seed, arm, k).uniform(-spread, spread)))

    return tape


def seeded_by(*key: int) -> random.Random:
    """A source of random numbers that depends on the key alone, on every machine."""
    return random.Random(":".join(map(str, key)))

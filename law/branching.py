"""One decision of the reference with every tie-break's choice and its probability."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from bufalu.doubles.masks import Ties
from bufalu.reference import arguments
from bufalu.reference.arguments import TiesLike
from bufalu.reference.comparisons import RandomTies, TieBreak, first, last
from bufalu.reference.policies import Decision

Branches: TypeAlias = list[tuple[Decision, int | Fraction]]


@dataclass(frozen=True)
class TieLaw:
    """How ties are broken: by a fixed rule, or uniformly at random (then `rule` is None)."""

    rule: TieBreak | None
    settlement: Ties
    """What arrays of states make of a tie."""

    def branches(self, decide: Callable[[TieBreak], Decision]) -> Branches:
        """The decisions that the tie-break gives, with their probabilities."""
        if self.rule is not None:
            return [(decide(self.rule), 1)]
        return _uniform(decide)


def tie_law(ties: TiesLike) -> TieLaw:
    """The law of `first`, `last`, `random` (or `random:SEED`: the law does not depend on the seed), or of a function
    of the tied arms alone; raises `UnknownName`.
    """
    if ties == "random":
        return TieLaw(None, Ties.UNSETTLED)
    chosen = arguments.ties(ties)
    if chosen is first:
        return TieLaw(first, Ties.FIRST)
    if chosen is last:
        return TieLaw(last, Ties.LAST)
    # One seed's choices have no law; those of all seeds together do.
    return TieLaw(None if isinstance(chosen, RandomTies) else chosen, Ties.UNSETTLED)


class _Replay:
    """A tie-break that follows given choices, then takes the first arm, and notes what else it could have taken."""

    def __init__(self, choices: Sequence[int]) -> None:
        self.choices = list(choices)
        self.sizes: list[int] = []

    def __call__(self, tied: Sequence[int]) -> int:
        if len(self.sizes) == len(self.choices):
            self.choices.append(0)
        self.sizes.append(len(tied))
        return tied[self.choices[len(self.sizes) - 1]]


def _uniform(decide: Callable[[TieBreak], Decision]) -> Branches:
    """Every sequence of tie-breaks, each choice uniform: runs the rule again with the next choice until none is left."""
    found: dict[Decision, Fraction] = {}
    choices: list[int] | None = []
    while choices is not None:
        replay = _Replay(choices)
        decision = decide(replay)
        probability = Fraction(1)
        for size in replay.sizes:
            probability /= size
        found[decision] = found.get(decision, Fraction(0)) + probability
        choices = _next_choices(replay.choices, replay.sizes)
    return list(found.items())


def _next_choices(choices: list[int], sizes: list[int]) -> list[int] | None:
    for position in reversed(range(len(choices))):
        if choices[position] + 1 < sizes[position]:
            return [*choices[:position], choices[position] + 1]
    return None

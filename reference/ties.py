"""Tie-breaks: the paper takes any element of each argmax, so a runnable policy must be told which."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from bufalu.reference.errors import UnknownName

TieBreak: TypeAlias = Callable[[Sequence[int]], int]
"""Chooses one of the tied arm numbers, which come in increasing order."""

TIE_FORMS = ("first", "last", "random:SEED")


def first(tied: Sequence[int]) -> int:
    """The smallest arm number wins."""
    return tied[0]


def last(tied: Sequence[int]) -> int:
    """The largest arm number wins."""
    return tied[-1]


def uniform_index(generator: random.Random, size: int) -> int:
    """A uniform number below `size` from `getrandbits` alone, by rejection, so that every Python draws the same."""
    bits = size.bit_length()
    while (index := generator.getrandbits(bits)) >= size:
        pass
    return index


class RandomTies:
    """Uniform over each argmax; the same seed gives the same choices on every machine."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._generator = random.Random(f"ties:{seed}")

    def __call__(self, tied: Sequence[int]) -> int:
        """One of the tied arms, each with the same probability."""
        return tied[0] if len(tied) == 1 else tied[uniform_index(self._generator, len(tied))]


def parse_ties(text: str) -> TieBreak:
    """The tie-break written `first`, `last` or `random:SEED`; raises `UnknownName` otherwise."""
    if text == "first":
        return first
    if text == "last":
        return last
    if match := re.fullmatch(r"random:(\d{1,18})", text, re.ASCII):
        return RandomTies(int(match[1]))
    raise UnknownName(f"there is no tie-break '{text}' (choose one of: {', '.join(TIE_FORMS)})")

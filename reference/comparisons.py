"""How a relation takes a maximum or a test, so that it is written once: for one tie-break, for all ties, or (in the
oracle) for all that a program in doubles cannot tell apart.

The paper takes any element of each argmax, so a runnable policy must be told which: by a tie-break.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Generic, Protocol, TypeAlias, TypeVar

from bufalu.reference.errors import NoChance, UnknownName
from bufalu.reference.view import Number, maximisers

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


N = TypeVar("N", bound=Number)
N_contra = TypeVar("N_contra", bound=Number, contravariant=True)


_YES, _NO = (True,), (False,)


class Comparisons(Protocol[N_contra]):
    """Answers with everything that is possible: all maximisers, all outcomes of a test.

    To be looped over, each answer used inside its loop: where many rounds are looked at, the loop is about those that have
    this answer.
    """

    def largest(self, arms: Sequence[int], value: Callable[[int], N_contra]) -> Iterable[int]:
        """The arms that may count as those of largest value; empty for no arms."""

    def smallest(self, arms: Sequence[int], value: Callable[[int], N_contra]) -> Iterable[int]:
        """The arms that may count as those of smallest value; empty for no arms."""

    def at_most(self, left: N_contra, right: N_contra) -> Iterable[bool]:
        """The possible outcomes of left <= right."""

    def below(self, left: N_contra, right: N_contra) -> Iterable[bool]:
        """The possible outcomes of left < right."""

    def toss(self, chance: Fraction) -> Iterable[bool]:
        """The possible outcomes of a toss that says yes with this probability."""


class EveryTie(Generic[N]):
    """All real ties, and the one outcome of each test: the relation of the paper."""

    def largest(self, arms: Sequence[int], value: Callable[[int], N]) -> Sequence[int]:
        """All maximisers."""
        return maximisers(arms, value)

    def smallest(self, arms: Sequence[int], value: Callable[[int], N]) -> Sequence[int]:
        """All minimisers."""
        values = {arm: value(arm) for arm in arms}
        return [arm for arm in arms if not any(bool(other < values[arm]) for other in values.values())]

    def at_most(self, left: N, right: N) -> Sequence[bool]:
        """Whether left <= right."""
        return _YES if left <= right else _NO

    def below(self, left: N, right: N) -> Sequence[bool]:
        """Whether left < right."""
        return _YES if left < right else _NO

    def toss(self, chance: Fraction) -> Sequence[bool]:
        """Both, unless one has probability 0."""
        return _NO if chance <= 0 else _YES if chance >= 1 else _YES + _NO


class OneTie(EveryTie[N]):
    """The tie that a tie-break chooses: a runnable rule."""

    def __init__(self, ties: TieBreak) -> None:
        self._ties = ties

    def largest(self, arms: Sequence[int], value: Callable[[int], N]) -> Sequence[int]:
        """The chosen maximiser."""
        tied = maximisers(arms, value)
        return [self._ties(tied)] if len(tied) > 1 else tied

    def smallest(self, arms: Sequence[int], value: Callable[[int], N]) -> Sequence[int]:
        """The chosen minimiser."""
        tied = super().smallest(arms, value)
        return [self._ties(tied)] if len(tied) > 1 else tied

    def toss(self, chance: Fraction) -> Sequence[bool]:
        """One of as many equal sides as the probability has for a denominator, chosen as a tie of them is.

        Raises `NoChance` where the tie-break is `first` or `last`, whose choices are no toss.
        """
        if self._ties is first or self._ties is last:
            raise NoChance("a policy that tosses a coin needs ties broken by chance, as random:SEED does")
        side = self._ties(range(1, chance.denominator + 1))
        return _YES if side <= chance.numerator else _NO

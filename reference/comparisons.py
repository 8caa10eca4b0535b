"""How a relation takes a maximum or a test, so that it is written once: for one tie-break, for all ties, or (in the
oracle) for all that a program in doubles cannot tell apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, Protocol, TypeVar

from bufalu.reference.ties import TieBreak
from bufalu.reference.view import Number, maximisers

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

"""The weights of many states at once: whole numbers of any size in arrays of machine words, or rational numbers.

Sums and products of long integers are most of what a walk does, and one at a time they take most of its time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from bufalu.law.histograms import Booleans, Integers
from bufalu.reference.rationals import Rational

LIMB_BITS = 32
LARGEST_LIMB = 2**LIMB_BITS - 1
LARGEST_WORD = 2**63 - 1
ROOMY_LIMB = 2**44
"""Sums are carried when a limb is above this, so that half a million of them can be added up as they are."""
LARGEST_FACTOR = LARGEST_WORD // LARGEST_LIMB
"""A limb times a factor up to this is a machine word."""


SPARSE = 8
"""Keys that are up to so many times as large as they are many are looked up in a table, others sorted."""


def grouped(columns: Sequence[Integers], bounds: Sequence[int]) -> tuple[Integers, Integers]:
    """Equal rows of the columns in groups: the place of one row of each group, and the group of each row.

    Entries are at least 0 and below the bound of their column.
    """
    size = len(columns[0])
    if math.prod(bounds) > LARGEST_WORD:
        order = np.lexsort(columns)
        fresh = np.zeros(max(size - 1, 0), dtype=np.bool_)
        for column in columns:
            fresh |= column[order][1:] != column[order][:-1]
        return _of_sorted(order, fresh)
    keys = np.zeros(size, dtype=np.int64)
    for column, bound in zip(columns, bounds, strict=True):
        keys = keys * bound + column
    if size and int(keys.max()) > SPARSE * size:
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        return _of_sorted(order, ordered[1:] != ordered[:-1])
    present = np.flatnonzero(np.bincount(keys, minlength=1))
    rank = np.zeros(int(keys.max(initial=0)) + 1, dtype=np.int64)
    rank[present] = np.arange(len(present))
    groups = rank[keys]
    places = np.zeros(len(present), dtype=np.int64)
    places[groups] = np.arange(size)
    return places, groups


def _of_sorted(order: Integers, fresh: Booleans) -> tuple[Integers, Integers]:
    """The groups of rows that have been put in order; `fresh` says where, after the first, a new one begins."""
    groups = np.zeros(len(order), dtype=np.int64)
    groups[order[1:]] = np.cumsum(fresh)
    return order[np.concatenate([[0], np.flatnonzero(fresh) + 1])], groups


class Weights(Protocol):
    """Exact nonnegative numbers, one for each of many states."""

    def __len__(self) -> int: ...

    def chosen(self, index: Integers | Booleans) -> Self:
        """The numbers at some places, or where a mask is true."""

    def times(self, factor: Rational) -> Self:
        """All numbers times one factor."""

    def shared(self, shares: Sequence[Rational]) -> Self:
        """Each number times its own share."""

    def joined(self, others: Sequence[Self]) -> Self:
        """All numbers, and then the others."""

    def sums(self, groups: Integers, size: int) -> Self:
        """For each group below `size` the sum of the numbers that belong to it."""

    def listed(self) -> list[Rational]:
        """The numbers themselves."""


@dataclass(frozen=True)
class RationalWeights:
    """Any rational numbers, each an object of its own: for shares that are fractions."""

    numbers: NDArray[np.object_]

    @staticmethod
    def of(numbers: Sequence[Rational]) -> RationalWeights:
        """The weights with these numbers."""
        return RationalWeights(np.array(numbers, dtype=object))

    def __len__(self) -> int:
        return len(self.numbers)

    def chosen(self, index: Integers | Booleans) -> RationalWeights:
        """The numbers at some places, or where a mask is true."""
        return RationalWeights(self.numbers[index])

    def times(self, factor: Rational) -> RationalWeights:
        """All numbers times one factor."""
        return RationalWeights(self.numbers * factor)

    def shared(self, shares: Sequence[Rational]) -> RationalWeights:
        """Each number times its own share."""
        return RationalWeights(self.numbers * np.array(shares, dtype=object))

    def joined(self, others: Sequence[RationalWeights]) -> RationalWeights:
        """All numbers, and then the others."""
        return RationalWeights(np.concatenate([self.numbers, *(other.numbers for other in others)]))

    def sums(self, groups: Integers, size: int) -> RationalWeights:
        """For each group below `size` the sum of the numbers that belong to it."""
        found = np.zeros(size, dtype=object)
        np.add.at(found, groups, self.numbers)
        return RationalWeights(found)

    def listed(self) -> list[Rational]:
        """The numbers themselves."""
        numbers: list[Rational] = self.numbers.tolist()
        return numbers


@dataclass(frozen=True)
class WholeWeights:
    """Whole numbers: number i is the sum over j of limbs[j][i] * 2^(32 j), and no limb is above `largest`.

    Limbs may grow beyond 32 bits as long as they are machine words: carrying waits until a word could overflow.
    """

    limbs: tuple[Integers, ...]
    largest: int

    @staticmethod
    def of(numbers: Sequence[int]) -> WholeWeights:
        """The weights with these numbers, each below 2^32."""
        limb = np.array(numbers, dtype=np.int64)
        if limb.size and not (limb.min() >= 0 and limb.max() <= LARGEST_LIMB):
            raise ValueError("a first limb must be a number of 32 bits")
        return WholeWeights((limb,), LARGEST_LIMB)

    def __len__(self) -> int:
        return len(self.limbs[0])

    def chosen(self, index: Integers | Booleans) -> WholeWeights:
        """The numbers at some places, or where a mask is true."""
        places = np.flatnonzero(index) if index.dtype == np.bool_ else index
        return WholeWeights(tuple(limb[places] for limb in self.limbs), self.largest)

    def times(self, factor: Rational) -> WholeWeights:
        """All numbers times one whole number of at most `LARGEST_FACTOR`; raises `ValueError` for any other."""
        if not isinstance(factor, int) or not 0 <= factor <= LARGEST_FACTOR:
            raise ValueError(f"{factor} is no factor for machine words")
        ready = self._with_room(factor)
        return WholeWeights(tuple(limb * factor for limb in ready.limbs), ready.largest * factor)

    def shared(self, shares: Sequence[Rational]) -> WholeWeights:
        """These numbers unchanged, for whole weights cannot be split: raises `ValueError` for a share that is not 1."""
        if any(share != 1 for share in shares):
            raise ValueError("whole numbers are not divided")
        return self

    def joined(self, others: Sequence[WholeWeights]) -> WholeWeights:
        """All numbers, and then the others."""
        parts = [self, *others]
        length = max(len(part.limbs) for part in parts)
        limbs = tuple(np.concatenate([part._limb(place) for part in parts]) for place in range(length))
        return WholeWeights(limbs, max(part.largest for part in parts))

    def sums(self, groups: Integers, size: int) -> WholeWeights:
        """For each group below `size` the sum of the numbers that belong to it."""
        most = int(np.bincount(groups, minlength=1).max())
        ready = self._with_room(most)
        found: list[Integers] = []
        for limb in ready.limbs:
            total = np.zeros(size, dtype=np.int64)
            np.add.at(total, groups, limb)
            found.append(total)
        largest = max(int(limb.max(initial=0)) for limb in found)
        added = WholeWeights(tuple(found), largest)
        return added if largest <= ROOMY_LIMB else added._carried()

    def listed(self) -> list[Rational]:
        """The numbers themselves."""
        carried = self._carried()
        words = np.stack([limb.astype("<u4") for limb in carried.limbs], axis=1)
        data, step = words.tobytes(), words.itemsize * words.shape[1]
        return [int.from_bytes(data[place : place + step], "little") for place in range(0, len(data), step)]

    def _limb(self, place: int) -> Integers:
        return self.limbs[place] if place < len(self.limbs) else np.zeros(len(self), dtype=np.int64)

    def _with_room(self, factor: int) -> WholeWeights:
        """These numbers with limbs that can be multiplied by `factor`; raises `ValueError` above `LARGEST_FACTOR`."""
        if factor > LARGEST_FACTOR:
            raise ValueError(f"limbs have no room for {factor} times their size")
        return self if self.largest * factor <= LARGEST_WORD else self._carried()

    def _carried(self) -> WholeWeights:
        """These numbers with limbs of 32 bits."""
        limbs: list[Integers] = []
        carry: Integers = np.zeros(len(self), dtype=np.int64)
        for limb in self.limbs:
            # A word has 63 bits, so no carry is above 2^31, and no sum here above 2^33.
            total = (limb & LARGEST_LIMB) + carry
            limbs.append(total & LARGEST_LIMB)
            carry = (limb >> LIMB_BITS) + (total >> LIMB_BITS)
        while carry.any():
            limbs.append(carry & LARGEST_LIMB)
            carry = carry >> LIMB_BITS
        return WholeWeights(tuple(limbs), LARGEST_LIMB)

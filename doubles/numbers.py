"""Numbers of many rounds at once: an expression over arrays of doubles, with a bound on the error of each.

An expression is evaluated only where a comparison looks at it. It knows three things of itself: its doubles in some
rounds, how far these may be from the truth, and where it is known to equal another one exactly. A single answer about all
rounds is refused with `NotOnArrays`, so that no rule decides many rounds by the numbers of one.

**Errors**, with u = 2^-53: a difference or product of doubles is rounded once, by at most u of itself, for which 2 u are
counted (and 2^-1000, should a product vanish).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import NoReturn, TypeAlias

import numpy as np

from bufalu.doubles.blocks import Booleans, Floats, Integers, NotOnArrays
from bufalu.reference.exact import FILTER, ROUNDING, Exact
from bufalu.reference.radius_shapes import squared_pair_radius
from bufalu.reference.rationals import Rational, is_double, nearest_float

Places: TypeAlias = Integers | None
"""Rounds by their places in the arrays, in increasing order; None: all of them."""

Leaf: TypeAlias = "OfArm | OfPair | OfRound"
"""What expressions are made of, but for constants."""

Sameness: TypeAlias = Callable[[int, int, Integers], Booleans]
"""In which of some rounds two arms, numbered from 0, are known to have a quantity in common."""

_VANISHED = 2.0**-1000
"""More than is lost where a constant or a product is too small for a normal double."""
_WHOLE = 2.0**53
"""Products of whole numbers below are doubles."""
_ROOM = 1 + 2.0**-40
"""For the roundings in a bound itself."""


def _refused(*_: object) -> NoReturn:
    raise NotOnArrays("a rule compares numbers through `comparisons` alone: many rounds have no single answer")


class ArrayNumber(ABC):
    """A number in each of many rounds. `size` bounds its finite doubles, `error_size` its errors."""

    size: float
    error_size: float
    whole = False
    """Whether all doubles are whole numbers without an error, so that equal ones are equal numbers."""

    @abstractmethod
    def values(self, places: Places) -> Floats:
        """The doubles in these rounds."""

    @abstractmethod
    def errors(self, places: Integers) -> Floats:
        """How far each may be from the truth."""

    @abstractmethod
    def same(self, other: ArrayNumber, places: Integers) -> Booleans:
        """Where the two are known to be equal exactly; False only means that this is not known."""

    @abstractmethod
    def leaves(self) -> Iterator[Leaf]:
        """What this expression is made of but for constants, from left to right."""

    @abstractmethod
    def exact(self, of_leaf: Callable[[Leaf], Exact]) -> Exact:
        """The number in one round, from the exact numbers of that round."""

    @abstractmethod
    def __str__(self) -> str:
        """How it is made of its leaves, whatever arms and rounds these are about."""

    def __sub__(self, other: ArrayNumber) -> ArrayNumber:
        return ArrayDifference(self, other)

    def __mul__(self, other: ArrayNumber) -> ArrayNumber:
        return Product(self, other)

    def __lt__(self, other: ArrayNumber) -> bool:
        return _refused(other)

    def __le__(self, other: ArrayNumber) -> bool:
        return _refused(other)

    def __eq__(self, other: object) -> bool:
        return _refused(other)

    def __bool__(self) -> bool:
        return _refused()

    __hash__ = None  # type: ignore[assignment]  # a number of many rounds is no key


class ArrayQuantity:
    """LCB, UCB, width or mean of every arm in every round: one row for each arm."""

    def __init__(
        self,
        name: str,
        doubles: Floats,
        errors: Floats,
        same: Sameness,
        *,
        size: float,
        error_size: float,
        factor: float = 1.0,
        whole: bool = False,
    ) -> None:
        """`factor` times `errors` bounds the errors; `size` bounds the finite doubles, `error_size` the errors."""
        self.name = name
        self.doubles = doubles
        self.same = same
        self.size = size
        self.error_size = error_size
        self.whole = whole
        self.less: tuple[ArrayQuantity, ArrayQuantity] | None = None
        """Another quantity, and what is left of this one without it, arm by arm: UCB less LCB is the width."""
        self._errors = errors
        self._factor = factor

    def __call__(self, arm: int, /) -> ArrayNumber:
        """The quantity of this arm."""
        return OfArm(self, arm - 1)

    def of_arms(self, arms: Sequence[int], places: Places) -> Floats:
        """The doubles of some arms in some rounds, one row for each arm; to be looked at only."""
        if len(arms) == len(self.doubles) and places is None:
            return self.doubles
        rows = np.array(arms, dtype=np.int64) - 1
        if places is None:
            chosen: Floats = self.doubles[rows]
            return chosen
        if len(places) < _FEW:
            return self.doubles[np.ix_(rows, places)]
        return np.array([self.doubles[row].take(places) for row in rows])

    def errors_of(self, row: int, places: Integers) -> Floats:
        """The bounds on the errors of one arm."""
        errors: Floats = self._errors[row].take(places)
        return self._factor * errors


_FEW = 256
"""Rounds up to which one call for all arms is quicker than one for each."""


class OfArm(ArrayNumber):
    """A quantity of one arm."""

    def __init__(self, quantity: ArrayQuantity, row: int) -> None:
        self.quantity = quantity
        self.row = row
        self.size = quantity.size
        self.error_size = quantity.error_size
        self.whole = quantity.whole

    def values(self, places: Places) -> Floats:
        """The doubles in these rounds."""
        row: Floats = self.quantity.doubles[self.row]
        return row if places is None else row.take(places)

    def errors(self, places: Integers) -> Floats:
        """How far each may be from the truth."""
        return self.quantity.errors_of(self.row, places)

    def same(self, other: ArrayNumber, places: Integers) -> Booleans:
        """Where both are the same quantity of arms that have it in common."""
        if not isinstance(other, OfArm) or other.quantity is not self.quantity:
            return np.zeros(len(places), dtype=np.bool_)
        if other.row == self.row:
            return np.ones(len(places), dtype=np.bool_)
        return self.quantity.same(self.row, other.row, places)

    def leaves(self) -> Iterator[Leaf]:
        """Itself."""
        yield self

    def exact(self, of_leaf: Callable[[Leaf], Exact]) -> Exact:
        """The arm's number."""
        return of_leaf(self)

    def __str__(self) -> str:
        return self.quantity.name

    def __sub__(self, other: ArrayNumber) -> ArrayNumber:
        less = self.quantity.less
        if less is not None and isinstance(other, OfArm) and other.quantity is less[0] and other.row == self.row:
            return OfArm(less[1], self.row)
        return ArrayDifference(self, other)


class OfPair(ArrayNumber):
    """The radius of two arms together (`bufalu.reference.radius_shapes`): +infinity where one has no answers."""

    def __init__(self, queries: ArrayQuantity, log_scale: Floats, rows: tuple[int, int], spread: int) -> None:
        """`log_scale` has ln(t b(t)) of each round, and NaN where doubles are not safe."""
        self.rows = rows
        self.spread = spread
        self._queries = queries
        self._log_scale = log_scale
        # (n + s)/n^2 is largest for one answer, and the logarithm for the most.
        growth = _largest(log_scale) + math.log1p(queries.size / spread)
        self.size = math.sqrt(growth * (1 + spread)) * _ROOM
        self.error_size = self.size * FILTER

    def __str__(self) -> str:
        return f"radius of two with spread {self.spread}"

    def values(self, places: Places) -> Floats:
        """The doubles in these rounds."""
        one, other = (OfArm(self._queries, row).values(places) for row in self.rows)
        log_scale = self._log_scale if places is None else self._log_scale.take(places)
        with np.errstate(divide="ignore"):
            radii: Floats = np.sqrt(squared_pair_radius(np.log, log_scale, one, other, self.spread))
        return radii

    def errors(self, places: Integers) -> Floats:
        """A share of each finite radius."""
        values = self.values(places)
        return np.where(values < np.inf, values * FILTER, 0.0)

    def same(self, other: ArrayNumber, places: Integers) -> Booleans:
        """Where two pairs have the same numbers of answers, in either order."""
        if not isinstance(other, OfPair) or other.spread != self.spread:
            return np.zeros(len(places), dtype=np.bool_)
        same: Booleans = (self.counts(places) == other.counts(places)).all(axis=0)
        return same

    def counts(self, places: Integers) -> Integers:
        """The answers of the arm that has fewer, and of the other."""
        return np.sort([OfArm(self._queries, row).values(places) for row in self.rows], axis=0).astype(np.int64)

    def leaves(self) -> Iterator[Leaf]:
        """Itself."""
        yield self

    def exact(self, of_leaf: Callable[[Leaf], Exact]) -> Exact:
        """The radius of the two arms."""
        return of_leaf(self)


class OfRound(ArrayNumber):
    """A number that depends on the round alone: epsilon, ln t, the queries so far."""

    def __init__(self, name: str, doubles: Floats, errors: Floats) -> None:
        """`doubles` that are not negative, but may be missing (NaN) in some rounds."""
        self.name = name
        self._doubles = doubles
        self._errors = errors
        self.size, self.error_size = _largest(doubles), _largest(errors)

    def __str__(self) -> str:
        return self.name

    def values(self, places: Places) -> Floats:
        """The doubles in these rounds."""
        return self._doubles if places is None else self._doubles.take(places)

    def errors(self, places: Integers) -> Floats:
        """How far each may be from the truth."""
        return self._errors.take(places)

    def same(self, other: ArrayNumber, places: Integers) -> Booleans:
        """Where both are one and the same."""
        return np.full(len(places), other is self)

    def leaves(self) -> Iterator[Leaf]:
        """Itself."""
        yield self

    def exact(self, of_leaf: Callable[[Leaf], Exact]) -> Exact:
        """The round's number."""
        return of_leaf(self)


def known_equal(left: ArrayNumber, right: ArrayNumber, places: Integers) -> Booleans:
    """Where two numbers are known to be equal exactly."""
    if left.whole and right.whole:
        equal: Booleans = left.values(places) == right.values(places)
        return equal
    return left.same(right, places)


def _largest(doubles: Floats) -> float:
    """The largest finite one of nonnegative doubles."""
    most = float(doubles.max())
    return most if most < np.inf else float(np.max(doubles, where=np.isfinite(doubles), initial=0.0))


class ArrayConstant(ArrayNumber):
    """One rational number in every round."""

    def __init__(self, value: Rational, rounds: int) -> None:
        self._value = value
        self._rounds = rounds
        self._double = nearest_float(value)
        self.size = abs(self._double)
        self.error_size = 0.0 if is_double(value) else self.size * ROUNDING + _VANISHED
        self.whole = value.denominator == 1 and self.size < _WHOLE

    def __str__(self) -> str:
        return str(self._value)

    def values(self, places: Places) -> Floats:
        """The double next to it."""
        return np.full(self._rounds if places is None else len(places), self._double)

    def errors(self, places: Integers) -> Floats:
        """How far that is from it."""
        return np.full(len(places), self.error_size)

    def same(self, other: ArrayNumber, places: Integers) -> Booleans:
        """Where both are the same rational."""
        return np.full(len(places), isinstance(other, ArrayConstant) and other._value == self._value)

    def leaves(self) -> Iterator[Leaf]:
        """None."""
        return iter(())

    def exact(self, of_leaf: Callable[[Leaf], Exact]) -> Exact:
        """The rational."""
        return Exact.of(self._value)


class _OfTwo(ArrayNumber):
    """What is made of two numbers."""

    def __init__(self, left: ArrayNumber, right: ArrayNumber, size: float, error_size: float) -> None:
        self.left, self.right = left, right
        self.size, self.error_size = size, error_size

    def same(self, other: ArrayNumber, places: Integers) -> Booleans:
        """Where both are made in one way of the same numbers."""
        if not isinstance(other, _OfTwo) or type(other) is not type(self):
            return np.zeros(len(places), dtype=np.bool_)
        return self.left.same(other.left, places) & self.right.same(other.right, places)

    def leaves(self) -> Iterator[Leaf]:
        """The leaves of both sides."""
        yield from self.left.leaves()
        yield from self.right.leaves()


class ArrayDifference(_OfTwo):
    """left - right."""

    def __init__(self, left: ArrayNumber, right: ArrayNumber) -> None:
        size = left.size + right.size
        super().__init__(left, right, size, left.error_size + right.error_size + size * ROUNDING)

    def __str__(self) -> str:
        return f"({self.left} - {self.right})"

    def values(self, places: Places) -> Floats:
        """The difference of the doubles."""
        return self.left.values(places) - self.right.values(places)

    def errors(self, places: Integers) -> Floats:
        """The sum of the errors, and the rounding."""
        return self.left.errors(places) + self.right.errors(places) + np.abs(self.values(places)) * ROUNDING

    def exact(self, of_leaf: Callable[[Leaf], Exact]) -> Exact:
        """The difference."""
        return self.left.exact(of_leaf) - self.right.exact(of_leaf)


class Product(_OfTwo):
    """left * right."""

    def __init__(self, left: ArrayNumber, right: ArrayNumber) -> None:
        size = left.size * right.size
        mixed = left.size * right.error_size + (right.size + right.error_size) * left.error_size
        self.whole = left.whole and right.whole and size < _WHOLE
        super().__init__(left, right, size, 0.0 if self.whole else mixed * _ROOM + size * ROUNDING + _VANISHED)

    def __str__(self) -> str:
        return f"({self.left} * {self.right})"

    def values(self, places: Places) -> Floats:
        """The product of the doubles."""
        return self.left.values(places) * self.right.values(places)

    def errors(self, places: Integers) -> Floats:
        """|x| error(y) + (|y| + error(y)) error(x), and the rounding; none of a product of whole numbers."""
        if self.whole:
            return np.zeros(len(places))
        left, right = np.abs(self.left.values(places)), np.abs(self.right.values(places))
        of_left, of_right = self.left.errors(places), self.right.errors(places)
        mixed = left * of_right + (right + of_right) * of_left
        return mixed * _ROOM + left * right * ROUNDING + _VANISHED

    def exact(self, of_leaf: Callable[[Leaf], Exact]) -> Exact:
        """The product."""
        return self.left.exact(of_leaf) * self.right.exact(of_leaf)

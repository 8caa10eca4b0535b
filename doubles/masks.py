"""Comparisons that narrow a mask: the rule of a policy, run once, goes through many rounds, each along its own path.

A `for` loop of a rule over what a comparison gives runs its body once for every outcome that some round has, and while the
body runs, the mask holds the rounds that have it. So what the rule yields is a decision of exactly the rounds in the mask.
A comparison is *far* when the doubles, with their error bounds, settle it (by default: settle that the sides are not even
close); a *tie* when both sides are known to be equal; a *near* test has both outcomes, and its rounds are ambiguous.
Rounds of which none of this is sure are unsettled: exact arithmetic decides them.

What a comparison gives means something inside its loop alone. A loop whose body asks and yields nothing has taken it out
(`list(...)`), and one that is left early has not gone to all its rounds (`True in ...`): these rounds are unsettled too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Generic, TypeAlias, TypeVar

import numpy as np

from bufalu.doubles.blocks import Booleans, Floats, Integers, NotOnArrays
from bufalu.doubles.numbers import ArrayNumber, ArrayQuantity, Places, known_equal
from bufalu.doubles.views import ArrayView
from bufalu.reference.comparisons import EveryTie
from bufalu.reference.exact import ROUNDING
from bufalu.reference.policies import Decision, Policy, Reason
from bufalu.reference.policies.decisions import REASONS

T = TypeVar("T")

_NEARER, _FURTHER = 1 - 1e-3, 1 + 1e-3
"""A tolerance is computed in doubles too: a thousandth of it is more than all its roundings."""
_MOST_TIED = 16
"""Rounds with more tied arms are left to exact arithmetic, which looks at a few of equal arms."""

_EVERYWHERE = slice(None)

_HUGE = 1e300
"""Doubles below are no overflow away from an infinite one."""


@dataclass(frozen=True)
class Tolerance:
    """How far apart numbers may be and still count as close: `relative` (1 + |x| + |y|) + `slack`; all 0: only if equal."""

    relative: float = 0.0
    slack: float = 0.0
    """No round has more of it."""

    def far(self, gap: Floats, scale: Floats, error: Floats) -> Booleans:
        """Where numbers with this gap and this |x| + |y| are certainly not close."""
        result: Booleans = gap > self.relative * _FURTHER * (1 + scale + error) + self.slack + error
        return result

    def near(self, gap: Floats, scale: Floats, error: Floats) -> Booleans:
        """Where they are certainly close; never without a tolerance."""
        result: Booleans = gap + error < self.relative * _NEARER * (1 + np.maximum(scale - error, 0.0))
        return result

    def surely_far(self, size: float, error: float) -> float:
        """Numbers with |x| + |y| at most `size` and errors at most `error` together that are further apart are far."""
        return _FURTHER * (self.relative * _FURTHER * (1 + size + error) + self.slack + error + size * ROUNDING)


STRICT = Tolerance()


class Ties(Enum):
    """Which of tied arms are taken."""

    EVERY = "all of them"
    FIRST = "the first"
    LAST = "the last"
    UNSETTLED = "none: exact arithmetic decides such rounds"


Signs: TypeAlias = Callable[[ArrayNumber, ArrayNumber, Integers], Integers]
"""The signs of left - right in some rounds, exactly."""


class Masks:
    """`Comparisons` for the numbers of an `ArrayView` of `size` rounds."""

    def __init__(
        self, size: int, tolerance: Tolerance = STRICT, ties: Ties = Ties.EVERY, signs: Signs | None = None
    ) -> None:
        self.places: Places = None
        """The rounds that the loops entered so far are about."""
        self.unsettled: Booleans = np.zeros(size, dtype=np.bool_)
        self.ambiguous: Booleans = np.zeros(size, dtype=np.bool_)
        self._tolerance = tolerance
        self._ties = ties
        self._signs = signs
        self._events = 0

    def largest(self, arms: Sequence[int], value: Callable[[int], ArrayNumber]) -> Iterable[int]:
        """The arms that have the largest value in some round of the mask, which holds those rounds meanwhile."""
        return _Loop(lambda: self._ranked(arms, value, 1.0))

    def smallest(self, arms: Sequence[int], value: Callable[[int], ArrayNumber]) -> Iterable[int]:
        """The arms that have the smallest value in some round of the mask, which holds those rounds meanwhile."""
        return _Loop(lambda: self._ranked(arms, value, -1.0))

    def at_most(self, left: ArrayNumber, right: ArrayNumber) -> Iterable[bool]:
        """The outcomes of left <= right in some round of the mask, which holds those rounds meanwhile."""
        return _Loop(lambda: self._tested(left, right, equal=True))

    def below(self, left: ArrayNumber, right: ArrayNumber) -> Iterable[bool]:
        """The outcomes of left < right in some round of the mask, which holds those rounds meanwhile."""
        return _Loop(lambda: self._tested(left, right, equal=False))

    def toss(self, chance: Fraction) -> Iterable[bool]:
        """The outcomes of a toss, each about all rounds of the mask; one tie-break's own toss is not for arrays."""
        return _Loop(lambda: self._tossed(chance))

    def here(self) -> Integers | slice:
        """The rounds of the mask, to index arrays with; who asks uses what the innermost loop gave."""
        self._events += 1
        return _EVERYWHERE if self.places is None else self.places

    def follow(self, policy: Policy, view: ArrayView) -> Iterator[tuple[Decision, Reason]]:
        """What the policy yields, each while the mask holds its rounds; all are unsettled if it cannot be run on arrays."""
        try:
            with np.errstate(invalid="ignore", over="ignore"):
                yield from policy.possible(view, self)
        except (NotOnArrays, TypeError, AttributeError):
            # Whatever else is wrong with the rule shows when it is run on exact numbers.
            self.unsettled[:] = True

    def _narrowed(self, outcomes: Sequence[tuple[T, Places]]) -> Iterator[T]:
        """Each outcome, while its rounds are the mask."""
        outer = self.places
        for number, (outcome, inner) in enumerate(outcomes):
            self.places, before, ended = inner, self._events, False
            try:
                yield outcome
                ended = True
            finally:
                self.places = outer
                if self._events == before:
                    self._give_up(inner)
                if not ended:
                    for _, never_visited in outcomes[number + 1 :]:
                        self._give_up(never_visited)

    def _give_up(self, places: Places) -> None:
        self.unsettled[_EVERYWHERE if places is None else places] = True

    def _chosen(self, members: Booleans) -> Places:
        """The rounds of the mask that are members; the mask itself if all are."""
        if members.all():
            return self.places
        return np.flatnonzero(members) if self.places is None else self.places[members]

    def _at(self, columns: Integers) -> Integers:
        """Places of the mask by their order in it."""
        return columns if self.places is None else self.places[columns]

    def _tossed(self, chance: Fraction) -> Iterator[bool]:
        self._events += 1
        if self._ties is not Ties.EVERY:
            self._give_up(self.places)
            return
        yield from self._narrowed([(outcome, self.places) for outcome in EveryTie[ArrayNumber]().toss(chance)])

    # ---- tests

    def _tested(self, left: ArrayNumber, right: ArrayNumber, *, equal: bool) -> Iterator[bool]:
        self._events += 1
        ours, theirs = left.values(self.places), right.values(self.places)
        holds: Booleans = ours < theirs  # where they are equal, a closer look decides
        fails = ~holds
        size, error = left.size + right.size, left.error_size + right.error_size
        doubtful = np.flatnonzero(~(np.abs(ours - theirs) > self._tolerance.surely_far(size, error)))
        if len(doubtful):
            self._look_closer(left, right, doubtful, equal=equal, holds=holds, fails=fails)
        outcomes = ((True, holds), (False, fails))
        yield from self._narrowed([(outcome, self._chosen(where)) for outcome, where in outcomes if where.any()])

    def _look_closer(
        self,
        left: ArrayNumber,
        right: ArrayNumber,
        columns: Integers,
        *,
        equal: bool,
        holds: Booleans,
        fails: Booleans,
    ) -> None:
        """Corrects the outcomes of a test in the rounds that are not surely far."""
        places = self._at(columns)
        ours, theirs = left.values(places), right.values(places)
        gap, scale = np.abs(ours - theirs), np.abs(ours) + np.abs(theirs)
        error = left.errors(places) + right.errors(places) + scale * ROUNDING
        far = self._tolerance.far(gap, scale, error) | _one_infinite(ours, theirs)
        same = known_equal(left, right, places)
        if self._tolerance.relative:
            near, tied = same | self._tolerance.near(gap, scale, error), np.zeros_like(far)
        else:
            near, tied = np.zeros_like(far), same
        open_ones = ~(far | near | tied)
        if self._signs is not None and open_ones.any():
            signs = self._signs(left, right, places[open_ones])
            holds[columns[open_ones]] = signs <= 0 if equal else signs < 0
            fails[columns[open_ones]] = ~holds[columns[open_ones]]
        else:
            self.unsettled[places[open_ones]] = True
            holds[columns[open_ones]] = fails[columns[open_ones]] = False
        holds[columns[tied]], fails[columns[tied]] = equal, not equal
        holds[columns[near]] = fails[columns[near]] = True
        self.ambiguous[places[near]] = True

    # ---- maxima

    def _ranked(self, arms: Sequence[int], value: Callable[[int], ArrayNumber], sign: float) -> Iterator[int]:
        self._events += 1
        if not arms:
            return
        values = _Values(arms, value, self.places, sign)
        top = values.doubles.max(axis=0)
        reach = self._tolerance.surely_far(2 * values.size, 2 * values.error_size)
        # Of what is not further than that from the top there is one arm, as a rule.
        members: Booleans = values.doubles >= top - reach
        unknown: Booleans = np.isnan(top)  # where one value is no number, none is the largest
        if np.count_nonzero(members) != len(top) or unknown.any():
            self._settle(values, members, unknown)
        yield from self._narrowed(
            [(arm, self._chosen(mine)) for arm, mine in zip(arms, members, strict=True) if mine.any()]
        )

    def _settle(self, values: _Values, members: Booleans, unknown: Booleans) -> None:
        """Leaves in each round the arms that are known to have the largest value, as the ties want them."""
        best = values.best()
        for row in np.flatnonzero(members.any(axis=1)).tolist():
            close = members[row] & (best != row)
            for rival in np.flatnonzero(np.bincount(best[close])).tolist():
                columns = np.flatnonzero(close & (best == rival))
                places = self._at(columns)
                tied = known_equal(values.number(row), values.number(rival), places)
                if not tied.all():
                    columns, places = columns[~tied], places[~tied]
                    far = self._apart(values, row, rival, columns, places)
                    members[row, columns] = False
                    unknown[columns[~far]] = True
        crowd = members.sum(axis=0)
        if self._ties is Ties.EVERY:
            unknown |= crowd > _MOST_TIED
        elif self._ties is Ties.UNSETTLED:
            unknown |= crowd > 1
        else:
            direction = 1 if self._ties is Ties.FIRST else -1
            members &= np.cumsum(members[::direction], axis=0)[::direction] == 1
        if unknown.any():
            members &= ~unknown
            self.unsettled[self._at(np.flatnonzero(unknown))] = True

    def _apart(self, values: _Values, row: int, rival: int, columns: Integers, places: Integers) -> Booleans:
        """Where the value of one row is certainly not close to that of another."""
        mine, theirs = values.doubles[row, columns], values.doubles[rival, columns]
        scale = np.abs(mine) + np.abs(theirs)
        error = values.number(row).errors(places) + values.number(rival).errors(places) + scale * ROUNDING
        return self._tolerance.far(theirs - mine, scale, error) | _one_infinite(mine, theirs)


class _Loop(Generic[T]):
    """What a comparison gives, as often as it is asked for."""

    def __init__(self, start: Callable[[], Iterator[T]]) -> None:
        self._start = start

    def __iter__(self) -> Iterator[T]:
        return self._start()


class _Values:
    """The values of some arms in the rounds of a mask, one row for each arm; with the sign -1 the other way round."""

    def __init__(self, arms: Sequence[int], value: Callable[[int], ArrayNumber], places: Places, sign: float) -> None:
        self._arms = arms
        self._value = value
        if isinstance(value, ArrayQuantity):
            doubles, self.size, self.error_size = value.of_arms(arms, places), value.size, value.error_size
        else:
            numbers = [value(arm) for arm in arms]
            doubles = np.array([number.values(places) for number in numbers])
            self.size = max(number.size for number in numbers)
            self.error_size = max(number.error_size for number in numbers)
        self.doubles: Floats = doubles if sign > 0 else -doubles

    def number(self, row: int) -> ArrayNumber:
        """The expression behind a row."""
        return self._value(self._arms[row])

    def best(self) -> Integers:
        """The first row of the largest double."""
        if len(self.doubles) == 2:  # several times as quick, and most often wanted
            second: Integers = (self.doubles[1] > self.doubles[0]).astype(np.int64)
            return second
        found: Integers = self.doubles.argmax(axis=0)
        return found


def _one_infinite(left: Floats, right: Floats) -> Booleans:
    """Where one side is infinite, and the other is not or has the other sign: no tolerance is that large."""
    found: Booleans = (np.isinf(left) & (np.abs(right) < _HUGE)) | (np.isinf(right) & (np.abs(left) < _HUGE))
    found |= np.isinf(left) & np.isinf(right) & (left != right)
    return found


@dataclass
class Findings:
    """For each of many rounds: accepted, ambiguous, or unsure (then the other two say nothing)."""

    accepted: Booleans
    ambiguous: Booleans
    unsure: Booleans


def nothing_found(size: int) -> Findings:
    """Unsure of every round."""
    return Findings(np.zeros(size, dtype=np.bool_), np.zeros(size, dtype=np.bool_), np.ones(size, dtype=np.bool_))


def examine(
    policy: Policy,
    view: ArrayView,
    arm: Integers,
    query: Booleans,
    tolerance: Tolerance,
    *,
    reasons: Integers | None = None,
) -> Findings:
    """Judges the decisions (arm, query) of rounds after the initial ones, and the reasons given for them, if any were."""
    masks = Masks(len(arm), tolerance)
    accepted = np.zeros(len(arm), dtype=np.bool_)
    for decision, reason in masks.follow(policy, view):
        here = masks.here()
        same = (arm[here] == decision.arm) & (query[here] == decision.query)
        if reasons is not None:
            same &= reasons[here] == REASONS.index(reason)
        accepted[here] |= same
    return Findings(accepted, masks.ambiguous, masks.unsettled)

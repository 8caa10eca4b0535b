"""The rule of a policy on many states at once, in doubles with error bounds: a filter, never a judge.

Where doubles cannot tell, the same comparison is made in exact numbers, once for all states that have these numbers in
common; where a tie must be broken by more than the smallest or largest arm number, the answer is "not sure" and the
reference decides. Error bounds are those of `bufalu.reference.exact` and `confidence`. Ties cost nothing: histograms of the
same class are exactly equal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bufalu.doubles.masks import Masks, Ties
from bufalu.doubles.numbers import ArrayNumber, ArrayQuantity, Leaf, OfArm, OfPair, OfRound, Sameness
from bufalu.doubles.views import ArrayView, Rounds, counts_of_arms
from bufalu.law.histograms import Booleans, Doubles, Histograms, Integers
from bufalu.law.round_values import RoundValues
from bufalu.reference.confidence import ConfidenceInterval
from bufalu.reference.exact import FILTER, ROUNDING, Exact
from bufalu.reference.policies import Policy
from bufalu.reference.view import ExactView

GROWING = 3
"""From this round on the growth of every radius is positive; before, some are 0 (`bufalu.reference.radius_shapes`)."""


@dataclass(frozen=True)
class Decisions:
    """Arm index (from 0) and query of each row; only meaningful where `sure`."""

    arm: Integers
    query: Booleans
    sure: Booleans


class Batch:
    """Rows of histogram numbers, one column for each arm, each row with its own round.

    What belongs to an arm of a row is kept arm by arm, `mean[arm][row]`: arms are few and rows are many.
    """

    def __init__(self, double_filter: DoubleFilter, rows: Integers, rounds: Integers) -> None:
        self._filter = double_filter
        self._rows = rows
        self._rounds = rounds
        table, clock = double_filter.table, double_filter.clock
        numbers = np.ascontiguousarray(rows.T)
        mean = table.mean[numbers]
        radius = table.slope[numbers] * clock.root[rounds] + table.curvature[numbers] * clock.growth[rounds]
        upper = mean + radius
        known = upper < np.inf
        size = float(np.max(upper, where=known, initial=0.0))
        width, interval_class = 2 * radius, table.interval_class[numbers]
        error, width_error = np.where(known, upper * FILTER, 0.0), np.where(known, width * FILTER, 0.0)
        queries = table.queries[numbers]
        plain, mean_class = table.plain_mean[numbers], table.mean_class[numbers]
        self._classes = {
            "lcb": interval_class,
            "ucb": interval_class,
            "width": table.width_class[numbers],
            "mean": mean_class,
            "queries": queries,
        }
        self._queries: Integers = queries.sum(axis=0)
        self.view = ArrayView(
            Rounds(rounds),
            (
                self._quantity("lcb", mean - radius, error, size),
                self._quantity("ucb", upper, error, size),
                self._quantity("width", width, width_error, 2 * size),
                self._quantity("mean", plain, plain * ROUNDING, 1.0),
            ),
            counts_of_arms(queries.astype(np.float64), self._same("queries")),
            (
                OfRound("epsilon", clock.epsilon[rounds], clock.epsilon_error[rounds]),
                OfRound("log", clock.log[rounds], clock.log[rounds] * FILTER),
                OfRound("queries", self._queries.astype(np.float64), np.zeros(len(rows))),
            ),
        )

    def _quantity(self, name: str, doubles: Doubles, errors: Doubles, size: float) -> ArrayQuantity:
        return ArrayQuantity(name, doubles, errors, self._same(name), size=size, error_size=size * FILTER)

    def _same(self, name: str) -> Sameness:
        classes = self._classes[name]

        def same(one: int, other: int, places: Integers) -> Booleans:
            equal: Booleans = classes[one].take(places) == classes[other].take(places)
            return equal

        return same

    def signs(self, left: ArrayNumber, right: ArrayNumber, places: Integers) -> Integers:
        """The signs of left - right in some rows, exactly: each comparison of the same numbers is made once."""
        if str(right) < str(left):
            # Asked in one order, a tie that is tested both ways is decided once.
            return -self.signs(right, left, places)
        leaves = [*left.leaves(), *right.leaves()]
        keys = np.stack([self._rounds[places], *(key for leaf in leaves for key in self._keys(leaf, places))], axis=1)
        distinct, where, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        form = f"{left} {right}"
        found = [
            self._filter.sign(form, key, left, right, self._rows[place])
            for key, place in zip(map(tuple, distinct.tolist()), places[where].tolist(), strict=True)
        ]
        return np.array(found, dtype=np.int64)[inverse.reshape(-1)]

    def _keys(self, leaf: Leaf, places: Integers) -> list[Integers]:
        """Numbers that are equal in two rows of one round only if the leaf is."""
        if isinstance(leaf, OfPair):
            return list(leaf.counts(places))
        if isinstance(leaf, OfArm):
            return [self._classes[leaf.quantity.name][leaf.row].take(places)]
        return [(self._queries if leaf.name == "queries" else self._rounds).take(places)]


class DoubleFilter:
    """The filter of one policy: decides rows in doubles and says where it is sure."""

    def __init__(
        self, policy: Policy, confidence: ConfidenceInterval, table: Histograms, clock: RoundValues, ties: Ties
    ) -> None:
        self.table = table
        self.clock = clock
        self._policy = policy
        self._ties = ties
        self._confidence = confidence
        self._signs: dict[tuple[str, tuple[int, ...]], int] = {}
        self._lasting: dict[tuple[str, tuple[int, ...]], int] = {}

    def decide(self, rows: Integers, rounds: Integers) -> Decisions:
        """The decisions in rounds t > K, one for each row: the first that the rule gives, as `Policy.decide` has it."""
        arm, query = np.full(len(rows), -1), np.zeros(len(rows), dtype=np.bool_)
        # An interval without doubles leaves every decision to the reference.
        if self._confidence.shape is None:
            return Decisions(arm, query, query)
        # Infinity minus infinity is met on purpose: it is never larger than an error, so the row is not sure.
        with np.errstate(invalid="ignore"):
            batch = Batch(self, rows, rounds)
        masks = Masks(len(rows), ties=self._ties, signs=batch.signs)
        for decision, _ in masks.follow(self._policy, batch.view):
            here = masks.here()
            query[here] = np.where(arm[here] < 0, decision.query, query[here])
            arm[here] = np.where(arm[here] < 0, decision.arm - 1, arm[here])
        return Decisions(arm, query, ~masks.unsettled & (arm >= 0))

    def sign(self, form: str, key: tuple[int, ...], left: ArrayNumber, right: ArrayNumber, row: Integers) -> int:
        """The sign of left - right in a row, exactly; remembered by the numbers that it depends on, the round first.

        Where the round has no part in it, it is remembered without: a tie of two widths is met in round after round.
        """
        round_number, lasting = key[0], (form, key[1:])
        if round_number >= GROWING and lasting in self._lasting:
            return self._lasting[lasting]
        if (form, key) not in self._signs:
            epsilon = self.clock.epsilons[round_number]
            view = ExactView(self.table.state(row.tolist()), self._confidence, round_number, epsilon)
            ours, theirs = (number.exact(lambda leaf: _exact(leaf, view)) for number in (left, right))
            self._signs[form, key] = int(theirs < ours) - int(ours < theirs)
            if round_number >= GROWING and _grow_together(ours, theirs):
                self._lasting[lasting] = self._signs[form, key]
        return self._signs[form, key]


def _grow_together(left: Exact, right: Exact) -> bool:
    """Whether both are multiples of one number that only the round makes, as two widths of Hoeffding's are of sqrt(ln t).

    These keep their order while that is positive: coefficients and radicands are those of the arms. Other logarithms have
    round and arm in one.
    """
    if left.is_infinite or right.is_infinite:
        return False
    terms = [term for number in (left, right) for term in number.form().terms if term.coefficient]
    powers = {(term.exponent, term.degree, term.variant_degree) for term in terms}
    return len(powers) == 1 and not any(term.logs for term in terms)


def _exact(leaf: Leaf, view: ExactView) -> Exact:
    if isinstance(leaf, OfPair):
        one, other = leaf.rows
        return view.pair_radius(one + 1, other + 1, leaf.spread)
    if isinstance(leaf, OfArm):
        of_arm: dict[str, Callable[[int], Exact]] = {
            "lcb": view.lcb,
            "ucb": view.ucb,
            "width": view.width,
            "mean": view.mean,
            "queries": view.queries,
        }
        return of_arm[leaf.quantity.name](leaf.row + 1)
    if leaf.name == "epsilon":
        return view.epsilon
    return view.log() if leaf.name == "log" else view.all_queries()

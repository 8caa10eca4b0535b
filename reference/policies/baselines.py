"""What people do instead: ask with probability p, ask in every n-th round, explore first and then commit.

The first two are UCB where they ask, and play the best mean where they do not: none of them looks at epsilon, and none
notices that it knows enough. The third is the approach of l.277, whose exploration must end in a round fixed in advance.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from bufalu.reference.comparisons import Comparisons
from bufalu.reference.errors import InvalidNumber
from bufalu.reference.policies.decisions import Decision, Possibility, Reason
from bufalu.reference.policies.policy import Policy
from bufalu.reference.rationals import format_rational, parameter, parse_count
from bufalu.reference.view import N, View

MOST_SIDES = 10_000
"""The largest denominator of a coin's probability: the law looks at every side."""


class ChosenRounds(Policy):
    """In chosen rounds an arm of largest UCB is played and queried, in the others an arm of largest mean is played."""

    queries_largest_ucb = True

    @abstractmethod
    def chosen(self, view: View[N], comparisons: Comparisons[N]) -> Iterable[bool]:
        """Whether this round is a chosen one."""

    def possible(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[Possibility]:
        """Every selection from the argmax set that the query rule points to."""
        # initial rounds
        if view.round <= view.arms:
            yield Decision(view.round, True), Reason.INITIAL
            return

        # query rule
        for asks in self.chosen(view, comparisons):
            # leader, challenger, candidate: every candidate
            for arm in comparisons.largest(range(1, view.arms + 1), view.ucb if asks else view.mean):
                yield Decision(arm, asks), Reason.CHOSEN_ROUND if asks else Reason.OTHER_ROUND


@dataclass(frozen=True, repr=False)
class CoinPolicy(ChosenRounds):
    """A round is chosen with this probability."""

    probability: Fraction
    uses_epsilon = False
    tosses = True

    @property
    def text(self) -> str:
        """`coin:P`."""
        return f"coin:{format_rational(self.probability)}"

    def chosen(self, view: View[N], comparisons: Comparisons[N]) -> Iterable[bool]:
        """A toss."""
        return comparisons.toss(self.probability)


@dataclass(frozen=True, repr=False)
class ClockPolicy(ChosenRounds):
    """The rounds n, 2n, 3n, ... are chosen."""

    period: int
    uses_epsilon = False

    @property
    def text(self) -> str:
        """`every:N`."""
        return f"every:{self.period}"

    def chosen(self, view: View[N], comparisons: Comparisons[N]) -> Iterable[bool]:
        """By the number of the round."""
        return (view.round % self.period == 0,)


@dataclass(frozen=True, repr=False)
class ExploreFirstPolicy(Policy):
    """The arms are queried in turn for so many rounds, then an arm of largest mean is played for good."""

    exploration: int
    uses_epsilon = False

    @property
    def text(self) -> str:
        """`explore:N`."""
        return f"explore:{self.exploration}"

    def possible(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[Possibility]:
        """The arm whose turn it is; after the exploration every selection of the best mean."""
        # initial rounds
        if view.round <= view.arms:
            yield Decision(view.round, True), Reason.INITIAL
            return

        # query rule
        if view.round <= self.exploration:
            yield Decision((view.round - 1) % view.arms + 1, True), Reason.EXPLORING
            return
        # leader, challenger, candidate: every candidate
        for arm in comparisons.largest(range(1, view.arms + 1), view.mean):
            yield Decision(arm, False), Reason.COMMITTED


def coin(argument: str | None) -> CoinPolicy:
    """The policy of the text form `coin:P`; raises `InvalidNumber` without a rational between 0 and 1."""
    probability = Fraction(parameter("" if argument is None else argument, "the coin's probability"))
    if not 0 <= probability <= 1 or probability.denominator > MOST_SIDES:
        raise InvalidNumber(
            f"the coin's probability is between 0 and 1 and has a denominator of at most {MOST_SIDES}, unlike "
            f"{format_rational(probability)}"
        )
    return CoinPolicy(probability)


def every_nth(argument: str | None) -> ClockPolicy:
    """The policy of the text form `every:N`; raises `InvalidNumber` without a whole number of at least 1."""
    return ClockPolicy(parse_count("" if argument is None else argument, 1))


def explore_first(argument: str | None) -> ExploreFirstPolicy:
    """The policy of the text form `explore:N`, N rounds in all; raises `InvalidNumber` without a whole number."""
    return ExploreFirstPolicy(parse_count("" if argument is None else argument))

"""A view whose intervals are simply stated: lets the paper's rule decide in situations that no sample path reaches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from bufalu.reference.exact import Exact, log_root, root
from bufalu.reference.rationals import Rational
from bufalu.reference.view import WithoutCounts


@dataclass(frozen=True)
class StatedView(WithoutCounts[Exact]):
    """Round, epsilon and the intervals of the arms, all given."""

    round: int
    epsilon: Exact
    lower: tuple[Exact, ...]
    upper: tuple[Exact, ...]

    @property
    def arms(self) -> int:
        """K."""
        return len(self.lower)

    def lcb(self, arm: int) -> Exact:
        """The stated lower bound."""
        return self.lower[arm - 1]

    def ucb(self, arm: int) -> Exact:
        """The stated upper bound."""
        return self.upper[arm - 1]

    def width(self, arm: int) -> Exact:
        """Upper minus lower bound."""
        return self.ucb(arm) - self.lcb(arm)

    def mean(self, arm: int) -> Exact:
        """The midpoint of the interval."""
        return (self.ucb(arm) + self.lcb(arm)) * Exact.of(Fraction(1, 2))

    def all_queries(self) -> Exact:
        """No budget plays a role in a stated view."""
        return Exact.of(0)

    def log(self) -> Exact:
        """ln t."""
        return log_root(self.round, 2)

    def number(self, value: Rational) -> Exact:
        """A rational constant."""
        return Exact.of(value)


def hoeffding_view(round_number: int, samples: Sequence[tuple[int, Fraction]], epsilon: Exact) -> StatedView:
    """The Hoeffding intervals of arms with these (queries, mean), the means being any rationals."""
    radii = [root(Fraction(3, 2 * queries)) * log_root(round_number) for queries, _ in samples]
    lower = tuple(Exact.of(mean) - radius for (_, mean), radius in zip(samples, radii, strict=True))
    upper = tuple(Exact.of(mean) + radius for (_, mean), radius in zip(samples, radii, strict=True))
    return StatedView(round_number, epsilon, lower, upper)

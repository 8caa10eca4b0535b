"""What a policy remembers: for each arm the number, the sum and the sum of squares of its queried rewards (l.268)."""

from __future__ import annotations

from fractions import Fraction

from bufalu.reference.errors import InvalidReward
from bufalu.reference.exact import Exact
from bufalu.reference.rationals import Rational, format_rational

MOST_ARMS = 1_000_000
"""No run has more arms."""


class ArmRecord:
    """The queried rewards of one arm, summed up. Never changes: a new reward makes a new record."""

    __slots__ = ("_mean", "_variance", "doubles", "mean", "queries", "squares", "total")

    def __init__(self, queries: int = 0, total: Rational = 0, squares: Rational = 0) -> None:
        self.queries = queries
        self.total = total
        self.squares = squares
        self._mean: Rational | None = None
        self._variance: Rational | None = None
        self.doubles: tuple[object, float, float, float] | None = None
        """What the float filter needs of this arm, once it has been computed, after the interval that it belongs to
        (see view.py).
        """
        self.mean: Exact | None = None
        """The mean as a number that policies compare, once it has been computed (see view.py)."""

    def with_reward(self, reward: Rational) -> ArmRecord:
        """The record after one more queried reward."""
        return ArmRecord(self.queries + 1, self.total + reward, self.squares + reward * reward)

    @property
    def is_possible(self) -> bool:
        """Whether some rewards in [0, 1] have this number, sum and sum of squares, as far as Cauchy and Schwarz can tell."""
        n, total, squares = self.queries, self.total, self.squares
        return n >= 0 and 0 <= squares <= total <= n and total * total <= n * squares

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ArmRecord):
            return NotImplemented
        return self.queries == other.queries and self.total == other.total and self.squares == other.squares

    def __hash__(self) -> int:
        return hash((self.queries, self.total, self.squares))

    def exact_mean(self) -> Rational:
        """The empirical mean over queried rewards, 0 without any (l.268)."""
        if self._mean is None:
            total, n = self.total, self.queries
            self._mean = Fraction(total.numerator, total.denominator * n) if n else 0
        return self._mean

    def exact_variance(self) -> Rational:
        """The unbiased variance over queried rewards, 0 for fewer than two (l.1203)."""
        if self._variance is None:
            numerator, denominator = self.variance_quotient()
            self._variance = Fraction(numerator, denominator) if numerator else 0
        return self._variance

    def variance_quotient(self) -> tuple[int, int]:
        """Numerator and denominator of the variance, not in lowest terms: long rationals take long to reduce."""
        n = self.queries
        if n < 2:
            return 0, 1
        total, squares = self.total, self.squares
        denominator = total.denominator * total.denominator
        if squares.denominator == denominator:
            return n * squares.numerator - total.numerator * total.numerator, n * (n - 1) * denominator
        spread = n * squares.numerator * denominator - total.numerator * total.numerator * squares.denominator
        return spread, n * (n - 1) * squares.denominator * denominator


class State:
    """The records of all arms, and the total number of queries B^q."""

    __slots__ = ("all_queries", "arms", "records")

    def __init__(self, arms: int) -> None:
        self.arms = arms
        self.all_queries = 0
        self.records = [ArmRecord() for _ in range(arms)]

    def queries(self, arm: int) -> int:
        """n^q(a): how often `arm` was queried."""
        return self.records[arm - 1].queries

    def total(self, arm: int) -> Rational:
        """The sum of the queried rewards of `arm`."""
        return self.records[arm - 1].total

    def squares(self, arm: int) -> Rational:
        """The sum of the squared queried rewards of `arm`."""
        return self.records[arm - 1].squares

    def mean(self, arm: int) -> Rational:
        """The empirical mean of `arm` over queried rewards."""
        return self.records[arm - 1].exact_mean()

    def record(self, arm: int, reward: Rational) -> None:
        """Adds the reward of a queried round; raises `InvalidReward` outside [0, 1]."""
        if not 0 <= reward <= 1:
            raise InvalidReward(f"the reward {format_rational(reward)} is outside [0, 1]")
        self.records[arm - 1] = self.records[arm - 1].with_reward(reward)
        self.all_queries += 1

    def copy(self) -> State:
        """An independent state with the same records."""
        twin = State(self.arms)
        twin.all_queries = self.all_queries
        twin.records = list(self.records)
        return twin

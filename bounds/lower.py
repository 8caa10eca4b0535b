"""The asymptotic lower bounds on queries (l.303-314, l.605, l.661, l.714), in the form that their proofs give.

All of them speak of queries divided by ln T as T grows, for strategies that are consistent on a family of
distributions. Where the paper adds the liminfs of single arms, the proof bounds the liminf of the sum, which is what
`Bound.statement` says; `Bound.printed` keeps the paper's wording (errata E1 and E2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from bufalu.bounds.bound import Bound, listed_bounds
from bufalu.bounds.enclosures import INFINITE, Enclosure, Truth, largest
from bufalu.bounds.errors import OutsideDomain
from bufalu.bounds.expressions import Expression, maximum, nonnegative
from bufalu.bounds.families import Family, chosen_family
from bufalu.reference import arguments
from bufalu.reference.arguments import InstanceLike
from bufalu.reference.errors import InvalidNumber
from bufalu.reference.instances import Arm, Instance
from bufalu.reference.rationals import Rational
from bufalu.reference.schedules import callable_with

BALANCE_BITS = 64
"""mu_0 is bracketed to this many bits of the gap."""


@dataclass(frozen=True)
class PairBound:
    """What separating a suboptimal arm from the unique optimal one costs together (l.310, l.605).

    `balance` encloses mu_0, where Kinf+ of the arm meets Kinf- of the best arm; `level` is the rational at which the bound
    is taken: mu_0 rounded, also where it lies below the printed range [mu^s, mu*] (erratum E4): the bound holds for
    every threshold.
    """

    arm: int
    balance: Enclosure
    level: Rational
    plus: Enclosure
    minus: Enclosure
    bound: Bound

    def excludes(self, arm_queries: Rational, best_queries: Rational) -> Truth:
        """Whether Kinf+ n_a + Kinf- n_a* >= 1 rules out this pair of query rates (l.605).

        With an infinite coefficient nothing is excluded.
        """
        if self.plus.is_infinite or self.minus.is_infinite:
            return Truth.FALSE
        return self.plus * arm_queries + self.minus * best_queries < 1


@dataclass(frozen=True, repr=False)
class LowerBounds:
    """Everything that the asymptotic theorem says of one instance; lists are per arm, None where it says nothing.

    `kinf_plus` is taken at mu*; `kinf_minus` at mu^s for a unique optimal arm and at mu* for several.
    """

    family: Family
    kinf_plus: tuple[Enclosure, ...]
    kinf_minus: tuple[Enclosure | None, ...]
    suboptimal: tuple[Bound | None, ...]
    optimal: Bound
    pairs: tuple[PairBound, ...]
    several: tuple[Bound, ...]

    def __repr__(self) -> str:
        return listed_bounds(self.title, self.bounds)

    @property
    def title(self) -> str:
        """What is bounded."""
        return f"Lower bounds for the family {self.family.name}"

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """All of them, in the paper's order."""
        single = tuple(bound for bound in self.suboptimal if bound is not None)
        optimal = self.several or (self.optimal,)
        return (*single, *optimal, *(pair.bound for pair in self.pairs))


def lower_bounds(
    instance: InstanceLike,
    family: Family | str | None = None,
    *,
    progress: Callable[[int], None] | None = None,
) -> LowerBounds:
    """The theorem of l.303-314 for an instance; raises `NotInFamily` for an arm outside the family.

    By default that is the Bernoulli family if all arms are such, else all distributions on [0, 1]. `progress` is told how
    many arms are done. Arms that are equal are worked out once.
    """
    instance = arguments.instance(instance)
    family = chosen_family(family, instance)
    if progress is not None:
        callable_with(progress, 1, "progress", InvalidNumber)
    best = instance.best_mean
    of_arm = {arm: family.kinf_plus(arm, best) for arm in dict.fromkeys(instance.arms)}
    plus = tuple(of_arm[arm] for arm in instance.arms)
    suboptimal = tuple(
        None if number in instance.optimal_arms else _single_arm(number, value)
        for number, value in enumerate(plus, start=1)
    )
    if instance.unique:
        return _unique(instance, family, plus, suboptimal, progress)
    return _several(instance, family, plus, suboptimal)


def _single_arm(number: int, kinf: Enclosure) -> Bound:
    """Part 1: 1 / Kinf+ (l.308)."""
    symbol = nonnegative(f"K_{number}")
    return Bound(
        name=f"queries of suboptimal arm {number}, per ln T",
        line="l.308",
        statement=f"liminf E[queries of arm {number}] / ln T is at least this",
        expression=1 / symbol,
        values={f"K_{number}": kinf},
    )


def _unique(
    instance: Instance,
    family: Family,
    plus: tuple[Enclosure, ...],
    suboptimal: tuple[Bound | None, ...],
    progress: Callable[[int], None] | None,
) -> LowerBounds:
    """Part 2 (l.309-312)."""
    (best,) = instance.optimal_arms
    best_arm = instance.arms[best - 1]
    others = [mean for number, mean in enumerate(instance.means, start=1) if number != best]
    runner_up = max(others, default=None)
    kinf = INFINITE if runner_up is None else family.kinf_minus(best_arm, runner_up)
    optimal = Bound(
        name=f"queries of the optimal arm {best}, per ln T",
        line="l.309",
        statement=f"liminf E[queries of arm {best}] / ln T is at least this",
        expression=1 / nonnegative(f"K_{best}"),
        values={f"K_{best}": kinf},
    )
    balances: dict[Arm, tuple[Rational, Rational]] = {}
    done = 0
    for arm, alike in Counter(instance.arms).items():
        if arm != best_arm:
            balances[arm] = balance_level(family, arm, best_arm)
        done += alike
        if progress is not None:
            progress(done)
    pairs = tuple(
        pair_bound(instance, family, number, balance=balances[arm])
        for number, arm in enumerate(instance.arms, start=1)
        if number != best
    )
    minus = tuple(kinf if number == best else None for number in range(1, instance.number_of_arms + 1))
    return LowerBounds(family, plus, minus, suboptimal, optimal, pairs, ())


def pair_bound(
    instance: Instance,
    family: Family,
    number: int,
    level: Rational | None = None,
    *,
    balance: tuple[Rational, Rational] | None = None,
) -> PairBound:
    """1 / max{Kinf+(arm, level), Kinf-(best, level)} at the best level between the two means, or at a given one (l.310).

    `balance` are the two rationals around mu_0, if they are known already.
    Raises `OutsideDomain` for a level outside [mu_a, mu*], for an optimal arm, and unless the optimal arm is unique.
    """
    if not instance.unique or number in instance.optimal_arms:
        raise OutsideDomain("the bound pairs a suboptimal arm with the unique optimal one")
    (best,) = instance.optimal_arms
    arm, best_arm = instance.arms[number - 1], instance.arms[best - 1]
    low, high = balance or balance_level(family, arm, best_arm)
    if level is None:
        level = min((low, high), key=lambda point: _cost(family, arm, best_arm, point))
    if not arm.mean <= level <= best_arm.mean:
        raise OutsideDomain(f"the level {level} is outside [{arm.mean}, {best_arm.mean}]")
    plus, minus = family.kinf_plus(arm, level), family.kinf_minus(best_arm, level)
    left, right = nonnegative(f"K_{number}"), nonnegative(f"K_{best}")
    names = f"queries of arms {number} and {best}"
    bound = Bound(
        name=f"{names} together, per ln T",
        line="l.310",
        statement=f"liminf E[{names}] / ln T is at least this",
        expression=1 / maximum(left, right),
        values={f"K_{number}": plus, f"K_{best}": minus},
        printed=f"liminf E[queries of arm {number}] / ln T + liminf E[queries of arm {best}] / ln T is at least this",
    )
    return PairBound(number, Enclosure.between(low, high), level, plus, minus, bound)


def balance_level(family: Family, arm: Arm, best_arm: Arm) -> tuple[Rational, Rational]:
    """Two rationals around mu_0, where Kinf+(arm, .) rises above Kinf-(best arm, .) (l.319).

    A bisection on certified comparisons; it stops early only where mu_0 is met to within the working precision.
    """
    low, high = Fraction(arm.mean), Fraction(best_arm.mean)
    if low >= high:
        raise OutsideDomain("mu_0 lies between the mean of a suboptimal arm and that of a better one")
    smallest_width = (high - low) / 2**BALANCE_BITS

    def below(level: Fraction) -> Truth:
        return family.kinf_plus(arm, level) < family.kinf_minus(best_arm, level)

    while high - low > smallest_width:
        middle, quarter = (low + high) / 2, (high - low) / 4
        verdict = below(middle)
        if verdict is Truth.TRUE:
            low = middle
        elif verdict is Truth.FALSE:
            high = middle
        elif below(middle - quarter) is Truth.TRUE and below(middle + quarter) is Truth.FALSE:
            low, high = middle - quarter, middle + quarter
        else:
            break
    return low, high


def _cost(family: Family, arm: Arm, best_arm: Arm, level: Rational) -> float:
    """max{Kinf+, Kinf-} as a double, to choose between two neighbouring levels (any choice is a valid bound)."""
    return float(largest([family.kinf_plus(arm, level), family.kinf_minus(best_arm, level)]))


def _several(
    instance: Instance, family: Family, plus: tuple[Enclosure, ...], suboptimal: tuple[Bound | None, ...]
) -> LowerBounds:
    """Part 3 (l.314, l.661, l.714): the liminf of the sum over the optimal arms."""
    numbers = sorted(instance.optimal_arms)
    of_arm = {
        arm: family.kinf_minus(arm, instance.best_mean) for arm in {instance.arms[number - 1] for number in numbers}
    }
    minus = {number: of_arm[instance.arms[number - 1]] for number in numbers}
    symbols = {number: nonnegative(f"K_{number}") for number in numbers}
    below = _total_bound(
        "from below", "l.657", 1 / maximum(*symbols.values()), {f"K_{number}": minus[number] for number in numbers}
    )
    # Any two optimal arms give a bound; the two that are easiest to mistake for better ones give the best.
    first, second = sorted(numbers, key=lambda number: float(plus[number - 1]))[:2]
    above = _total_bound(
        "from above",
        "l.709",
        1 / maximum(symbols[first], symbols[second]),
        {f"K_{first}": plus[first - 1], f"K_{second}": plus[second - 1]},
    )
    optimal = below if below.evaluate().is_infinite or not _exceeds(above, below) else above
    listed = tuple(minus.get(number) for number in range(1, instance.number_of_arms + 1))
    return LowerBounds(family, plus, listed, suboptimal, optimal, (), (below, above))


def _exceeds(left: Bound, right: Bound) -> bool:
    """Whether `left` is certainly the larger bound."""
    return (left.evaluate() > right.evaluate()) is Truth.TRUE


def _total_bound(side: str, line: str, expression: Expression, values: dict[str, Enclosure]) -> Bound:
    return Bound(
        name=f"queries of the optimal arms together, per ln T ({side})",
        line=line,
        statement="liminf E[queries of the optimal arms] / ln T is at least this",
        expression=expression,
        values=values,
        printed="if this is infinite, liminf E[queries of a] / ln T is infinite for some optimal arm a (l.314)",
    )

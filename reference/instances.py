"""Arms and bandit instances (l.265-267): finite supports in [0, 1] with rational values and probabilities.

All numbers here are parameters: a float is the decimal that it shows, 0.13 being 13/100.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from bufalu.reference.errors import InvalidInstance
from bufalu.reference.rationals import NumberLike, Rational, format_rational, many, parameter, rational, shown


@dataclass(frozen=True, init=False, repr=False)
class Arm:
    """A reward distribution nu_a: values in [0, 1] in increasing order, with positive probabilities that sum to one."""

    values: tuple[Rational, ...]
    probabilities: tuple[Rational, ...]

    def __init__(self, values: Iterable[NumberLike], probabilities: Iterable[NumberLike]) -> None:
        object.__setattr__(self, "values", _parameters(values, "values"))
        object.__setattr__(self, "probabilities", _parameters(probabilities, "probabilities"))
        if len(self.values) != len(self.probabilities) or not self.values:
            raise InvalidInstance("an arm needs at least one value, and as many probabilities as values")
        for value in self.values:
            if not 0 <= value <= 1:
                raise InvalidInstance(f"the value {format_rational(value)} is outside [0, 1]")
        for probability in self.probabilities:
            if probability <= 0:
                raise InvalidInstance(f"probabilities: {format_rational(probability)} is not positive")
        if list(self.values) != sorted(set(self.values)):
            raise InvalidInstance("the values of an arm must be distinct and in increasing order")
        if (total := sum(self.probabilities)) != 1:
            raise InvalidInstance(f"the probabilities of an arm sum to {format_rational(total)}, not to 1")

    def __repr__(self) -> str:
        if set(self.values) <= {0, 1} and len(self.values) > 1:
            return f"Arm.bernoulli({format_rational(self.mean)!r})"
        if len(self.values) == 1:
            return f"Arm.deterministic({format_rational(self.mean)!r})"
        pairs = zip(map(format_rational, self.values), map(format_rational, self.probabilities), strict=True)
        return f"Arm.finite({list(pairs)})"

    @staticmethod
    def finite(weighted: Iterable[tuple[NumberLike, NumberLike]]) -> Arm:
        """The arm with the given (value, probability) pairs, in any order; raises `InvalidInstance`."""
        pairs = [tuple(many(pair, "weighted")) for pair in many(weighted, "weighted")]
        if not pairs or any(len(pair) != 2 for pair in pairs):
            raise InvalidInstance("weighted must hold pairs of a value and its probability")
        ordered = sorted((parameter(value, "value"), parameter(weight, "probability")) for value, weight in pairs)
        return Arm(tuple(value for value, _ in ordered), tuple(probability for _, probability in ordered))

    @staticmethod
    def bernoulli(mean: NumberLike) -> Arm:
        """The arm that pays 1 with probability `mean` and 0 otherwise.

        Raises `InvalidInstance` outside [0, 1], `InvalidNumber` for what is no number.
        """
        (exact,) = _means([mean], "mean")
        pairs = [(0, 1 - exact), (1, exact)]
        return Arm.finite([(value, probability) for value, probability in pairs if probability])

    @staticmethod
    def deterministic(value: NumberLike) -> Arm:
        """The arm that always pays `value`; raises `InvalidInstance` outside [0, 1]."""
        return Arm((parameter(value, "value"),), (1,))

    @cached_property
    def mean(self) -> Rational:
        """mu_a."""
        return rational(sum(Fraction(v) * p for v, p in zip(self.values, self.probabilities, strict=True)))

    @cached_property
    def variance(self) -> Rational:
        """V_a."""
        square = sum(Fraction(v) * v * p for v, p in zip(self.values, self.probabilities, strict=True))
        return rational(square - Fraction(self.mean) ** 2)


@dataclass(frozen=True, init=False, repr=False)
class Instance:
    """A bandit instance: its arms, numbered from 1 everywhere outside of tuples."""

    arms: tuple[Arm, ...]

    def __init__(self, arms: Iterable[Arm]) -> None:
        object.__setattr__(self, "arms", tuple(many(arms, "arms")))
        if not self.arms:
            raise InvalidInstance("an instance needs at least one arm")
        for arm in self.arms:
            if not isinstance(arm, Arm):
                raise InvalidInstance(f"arms must hold Arm objects (see Instance.bernoulli), not {shown(arm)}")

    def __repr__(self) -> str:
        means = ", ".join(map(format_rational, self.means[:12])) + (", ..." if len(self.arms) > 12 else "")
        kind = "arms"
        if all(set(arm.values) <= {0, 1} for arm in self.arms):
            kind = "Bernoulli arms"
        elif all(len(arm.values) == 1 for arm in self.arms):
            kind = "deterministic arms"
        return f"<Instance of {len(self.arms)} {kind}, means {means}>"

    @staticmethod
    def bernoulli(means: Iterable[NumberLike]) -> Instance:
        """Bernoulli arms with the given means; raises `InvalidInstance`."""
        return Instance(Arm.bernoulli(mean) for mean in _means(means))

    @staticmethod
    def deterministic(means: Iterable[NumberLike]) -> Instance:
        """Arms that always pay their mean, as in the illustration of l.473; raises `InvalidInstance`."""
        return Instance(Arm.deterministic(mean) for mean in _means(means))

    @property
    def number_of_arms(self) -> int:
        """K."""
        return len(self.arms)

    @cached_property
    def means(self) -> tuple[Rational, ...]:
        """mu_a for every arm."""
        return tuple(arm.mean for arm in self.arms)

    @cached_property
    def best_mean(self) -> Rational:
        """mu*."""
        return max(self.means)

    @cached_property
    def gaps(self) -> tuple[Rational, ...]:
        """Delta_a = mu* - mu_a for every arm."""
        return tuple(rational(self.best_mean - mean) for mean in self.means)

    @cached_property
    def optimal_arms(self) -> frozenset[int]:
        """The arm numbers with gap zero."""
        return frozenset(number for number, gap in enumerate(self.gaps, start=1) if gap == 0)

    @property
    def unique(self) -> bool:
        """Whether exactly one arm is optimal."""
        return len(self.optimal_arms) == 1

    @cached_property
    def smallest_gap(self) -> Rational | None:
        """Delta_min, the smallest positive gap; None when every arm is optimal (then it is +infinity)."""
        return min((gap for gap in self.gaps if gap > 0), default=None)

    @property
    def largest_gap(self) -> Rational:
        """Delta_max."""
        return max(self.gaps)


def _means(given: Iterable[NumberLike], name: str = "means") -> tuple[Rational, ...]:
    """At least one number of [0, 1]."""
    means = _parameters(given, name)
    if not means:
        raise InvalidInstance(f"{name}: an instance needs at least one arm")
    for mean in means:
        if not 0 <= mean <= 1:
            raise InvalidInstance(f"the mean {format_rational(mean)} is outside [0, 1]")
    return means


def _parameters(numbers: Iterable[NumberLike], name: str) -> tuple[Rational, ...]:
    return tuple(parameter(number, name) for number in many(numbers, name))

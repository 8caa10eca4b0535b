"""Kinf+ and Kinf-: how far an arm's distribution is from those of a family with a higher or lower mean (l.288-295).

Each family answers for the arms that belong to it and raises `NotInFamily` for the others. The infimum over nothing
is +infinity. Kinf+ grows with the level and Kinf- falls (the paper says the reverse, l.319).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, runtime_checkable

from bufalu.bounds.divergences import bernoulli_entropy, gaussian_form
from bufalu.bounds.enclosures import INFINITE, Enclosure, smallest, total
from bufalu.bounds.errors import NotInFamily, OutsideDomain
from bufalu.reference.errors import UnknownName
from bufalu.reference.instances import Arm, Instance
from bufalu.reference.rationals import NumberLike, Rational, format_rational, parameter, parse_rational, shown

ZERO = Enclosure.of(0)


@runtime_checkable
class Family(Protocol):
    """A set D of reward distributions."""

    @property
    def name(self) -> str:
        """The command line's name, or a description."""

    def kinf_plus(self, arm: Arm, level: Rational) -> Enclosure:
        """inf KL(arm, nu') over nu' in D with mean > level (l.291); raises `NotInFamily`."""

    def kinf_minus(self, arm: Arm, level: Rational) -> Enclosure:
        """inf KL(arm, nu') over nu' in D with mean < level (l.292); raises `NotInFamily`."""


@dataclass(frozen=True, init=False)
class Bernoulli:
    """Distributions on {0, 1} with mean at most `cap`; raises `InvalidNumber` for a cap that is no number."""

    cap: Rational

    def __init__(self, cap: NumberLike = 1) -> None:
        object.__setattr__(self, "cap", parameter(cap, "cap"))

    @property
    def name(self) -> str:
        """`bernoulli`, with the cap when there is one."""
        return "bernoulli" if self.cap == 1 else f"bernoulli with means up to {format_rational(self.cap)}"

    def _mean(self, arm: Arm) -> Rational:
        if not set(arm.values) <= {0, 1} or arm.mean > self.cap:
            raise NotInFamily(f"an arm with values {_listed(arm.values)} is not in the family '{self.name}'")
        return arm.mean

    def kinf_plus(self, arm: Arm, level: Rational) -> Enclosure:
        """kl(p, level) above the mean; infinite when no mean of the family exceeds the level."""
        mean = self._mean(arm)
        if level >= self.cap:
            return INFINITE
        return ZERO if mean >= level else bernoulli_entropy(mean, level)

    def kinf_minus(self, arm: Arm, level: Rational) -> Enclosure:
        """kl(p, level) below the mean; infinite when the level is 0."""
        mean = self._mean(arm)
        if level <= 0:
            return INFINITE
        return ZERO if mean <= level else bernoulli_entropy(mean, level)


@dataclass(frozen=True, init=False)
class Gaussian:
    """Normal distributions of one known variance; only the means of the arms are used (l.352)."""

    variance: Rational

    def __init__(self, variance: NumberLike = 1) -> None:
        object.__setattr__(self, "variance", parameter(variance, "variance"))
        if self.variance <= 0:
            raise OutsideDomain(f"a variance must be positive, and {format_rational(self.variance)} is not")

    @property
    def name(self) -> str:
        """`gaussian:VARIANCE`."""
        return f"gaussian:{format_rational(self.variance)}"

    def exact_kinf_plus(self, arm: Arm, level: Rational) -> Fraction:
        """(level - mean)^2 / (2 variance), zero below the mean: a rational number."""
        return gaussian_form(Fraction(max(0, level - arm.mean)), Fraction(self.variance))

    def kinf_plus(self, arm: Arm, level: Rational) -> Enclosure:
        """(level - mean)^2 / (2 variance), zero below the mean."""
        return Enclosure.of(self.exact_kinf_plus(arm, level))

    def kinf_minus(self, arm: Arm, level: Rational) -> Enclosure:
        """(mean - level)^2 / (2 variance), zero above the mean."""
        return Enclosure.of(gaussian_form(Fraction(max(0, arm.mean - level)), Fraction(self.variance)))


@dataclass(frozen=True)
class Bounded:
    """All distributions on [0, 1], by the dual form of Honda and Takemura.

    For a level m above the mean, Kinf+ is the maximum over 0 <= x <= 1 of E ln(1 - x (X - m)/(1 - m)), a concave
    function whose derivative at a rational x is a rational number: the maximiser is bracketed by exact signs, and
    concavity turns the bracket into an enclosure of the maximum. Kinf- is the mirror image.
    """

    name = "bounded"

    def kinf_plus(self, arm: Arm, level: Rational) -> Enclosure:
        """The maximum of the dual; infinite for a level of 1."""
        return _dual_maximum(arm.values, arm.probabilities, level)

    def kinf_minus(self, arm: Arm, level: Rational) -> Enclosure:
        """Kinf+ of the mirrored arm at the mirrored level."""
        return _dual_maximum([1 - value for value in arm.values], arm.probabilities, 1 - level)


@dataclass(frozen=True, init=False)
class TwoFaced:
    """The example D1 u D2 of l.726: on {0, 1} with mean at most x, or on {x, 1}."""

    x: Rational

    def __init__(self, x: NumberLike) -> None:
        object.__setattr__(self, "x", parameter(x, "x"))
        if not 0 < self.x < 1:
            raise OutsideDomain("the example of l.726 needs 0 < x < 1")

    @property
    def name(self) -> str:
        """The two supports."""
        x = format_rational(self.x)
        return f"{{0, 1}} with mean up to {x}, or {{{x}, 1}}"

    def _weight(self, arm: Arm) -> Rational | None:
        """The mass at 1 of a member of D2, None for a member of D1."""
        if set(arm.values) <= {self.x, 1}:
            return Fraction(arm.mean - self.x) / (1 - Fraction(self.x))
        if set(arm.values) <= {0, 1} and arm.mean <= self.x:
            return None
        raise NotInFamily(f"an arm with values {_listed(arm.values)} is not in the family '{self.name}'")

    def _weight_at(self, level: Rational) -> Fraction:
        return Fraction(level - self.x) / (1 - Fraction(self.x))

    def kinf_plus(self, arm: Arm, level: Rational) -> Enclosure:
        """Within D1 the capped Bernoulli family; within D2 a Bernoulli family on {x, 1}. 0 never looks like D2."""
        weight = self._weight(arm)
        if weight is None:
            return Bernoulli(self.x).kinf_plus(arm, level)
        return Bernoulli().kinf_plus(Arm.bernoulli(weight), self._weight_at(level))

    def kinf_minus(self, arm: Arm, level: Rational) -> Enclosure:
        """As Kinf+, but the arm that always pays 1 belongs to the support of both faces."""
        weight = self._weight(arm)
        if weight is None:
            return Bernoulli(self.x).kinf_minus(arm, level)
        candidates = [Bernoulli().kinf_minus(Arm.bernoulli(weight), self._weight_at(level))]
        if weight == 1 and level > 0:
            candidates.append(bernoulli_entropy(1, min(self.x, level)))
        return smallest(candidates)


def chosen_family(given: Family | str | None, instance: Instance) -> Family:
    """The family, also by its text form; by default Bernoulli if all arms are such, else all distributions on [0, 1].

    Raises `UnknownName`.
    """
    if given is None:
        return Bernoulli() if all(set(arm.values) <= {0, 1} for arm in instance.arms) else Bounded()
    if isinstance(given, str):
        return parse_family(given)
    if not isinstance(given, Family) or isinstance(given, type):
        raise UnknownName(f"family must be bernoulli, gaussian:VARIANCE, bounded or a Family, not {shown(given)}")
    return given


def parse_family(text: str) -> Family:
    """`bernoulli`, `gaussian:VARIANCE` or `bounded`; raises `UnknownName`."""
    if not isinstance(text, str):
        raise UnknownName(f"text must name a family, not {shown(text)}")
    name, _, argument = text.partition(":")
    if text == "bernoulli":
        return Bernoulli()
    if text == "bounded":
        return Bounded()
    if name == "gaussian" and argument:
        return Gaussian(parse_rational(argument))
    raise UnknownName(f"there is no family '{text}' (write bernoulli, gaussian:VARIANCE or bounded)")


def _dual_maximum(values: Sequence[Rational], weights: Sequence[Rational], level: Rational) -> Enclosure:
    """Kinf+ of a finite distribution on [0, 1] among all distributions there."""
    if level >= 1:
        return INFINITE
    pairs = [(Fraction(value), Fraction(weight)) for value, weight in zip(values, weights, strict=True)]
    if sum(value * weight for value, weight in pairs) >= level:
        return ZERO
    scaled = [((value - level) / (1 - Fraction(level)), weight) for value, weight in pairs]
    if all(value < 1 for value, _ in pairs) and _dual_slope(scaled, Fraction(1)) >= 0:
        return _dual_value(scaled, Fraction(1))
    low, high = _maximiser_bracket(scaled)
    bottom = _dual_value(scaled, low)
    top = bottom + (high - low) * _dual_slope(scaled, low)
    return Enclosure.between(bottom.lower, top.upper)


def _maximiser_bracket(scaled: Sequence[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """Two rationals around the maximiser, to 2^-36 of its size: guessed in doubles, confirmed by exact signs."""
    doubles = [(float(value), float(weight)) for value, weight in scaled]
    guess, step = 0.0, 0.5
    while step > guess * 2**-45:
        middle = guess + step
        if sum(-weight * value / (1 - middle * value) for value, weight in doubles) > 0:
            guess = middle
        step /= 2
    margin = Fraction(1, 2**37)
    low, high = Fraction(guess) * (1 - margin), min(Fraction(guess) * (1 + margin), Fraction(1))
    if 0 < low < high and _dual_slope(scaled, low) > 0 and (high == 1 or _dual_slope(scaled, high) <= 0):
        return low, high
    low, high = Fraction(0), Fraction(1)
    while low == 0 or (high - low) * 2**36 > low:
        middle_exact = (low + high) / 2
        if _dual_slope(scaled, middle_exact) > 0:
            low = middle_exact
        else:
            high = middle_exact
    return low, high


def _dual_value(scaled: Sequence[tuple[Fraction, Fraction]], x: Fraction) -> Enclosure:
    """E ln(1 - x Y) for Y = (X - m)/(1 - m)."""
    return total(weight * Enclosure.of(1 - x * value).log() for value, weight in scaled)


def _dual_slope(scaled: Sequence[tuple[Fraction, Fraction]], x: Fraction) -> Fraction:
    """The derivative of the dual at x, exactly."""
    return sum((-weight * value / (1 - x * value) for value, weight in scaled), Fraction(0))


def _listed(values: Sequence[Rational]) -> str:
    return "{" + ", ".join(format_rational(value) for value in values) + "}"

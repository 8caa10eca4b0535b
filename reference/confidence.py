"""Confidence intervals: mean +- radius, each one object with everything that any room needs of it.

Hoeffding (l.1129), empirical Bernstein (l.1200), and the variant suggested at l.1644; `register_interval` adds others.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from bufalu.reference.errors import InvalidInterval
from bufalu.reference.exact import FILTER, Exact
from bufalu.reference.radicals import NormalForm
from bufalu.reference.radius_shapes import Growth, RadiusShape, RadiusTerm
from bufalu.reference.rationals import (
    MAX_WRITTEN_LENGTH,
    NumberLike,
    Rational,
    format_rational,
    parameter,
    parse_rational,
    truth_value,
)
from bufalu.reference.registry import Registry
from bufalu.reference.state import ArmRecord


@dataclass(frozen=True)
class SampleNumbers:
    """N(t, level) = g(t) ((quadratic + by_variance V) / level^2 + linear / level) + constant, g(t) being the `growth`."""

    quadratic: Rational = 0
    by_variance: Rational = 0
    linear: Rational = 0
    constant: Rational = 0
    growth: Growth = Growth.LOG


@dataclass(frozen=True)
class RegularityNumbers:
    """What is proved of an interval under the name of regularity (l.833-845), in numbers.

    `good` gives N^g, `sure` gives N^as, `failures` times K bounds the sum of P(not G_t), and `line` is where the proof
    stands. `sure` None means the smallest count that the radius itself allows with the largest variance,
    n / (4 (n - 1)); `looser` is another N^as that is proved beside it.
    """

    line: str
    failures: int
    good: SampleNumbers
    sure: SampleNumbers | None
    looser: SampleNumbers


class ConfidenceInterval(ABC):
    """A rule for the half-width of an arm's interval. `text` and `radius_form` are all that it must have.

    Whatever else is None is not known of the interval: then the oracle and the law decide by exact arithmetic alone,
    and the engine and the bounds refuse it.
    """

    def __init_subclass__(cls) -> None:
        """A class that changes the radius of another does not inherit what is proved of that radius alone.

        Raises `InvalidInterval` for one that changes the exact radius and keeps the shape that gave it.
        """
        super().__init_subclass__()
        if "shape" in vars(cls):
            for name in ("deviation", "regularity"):
                if name not in vars(cls):
                    setattr(cls, name, None)
        elif "radius_form" in vars(cls) and issubclass(cls, ShapedInterval):
            raise InvalidInterval(
                f"{cls.__name__} changes the exact radius and keeps the shape that it comes from: give it another `shape`, "
                "or derive it from ConfidenceInterval"
            )

    @property
    @abstractmethod
    def text(self) -> str:
        """The form that the command line and trace files use."""

    @abstractmethod
    def radius_form(self, queries: int, variance: Rational, round_number: int) -> NormalForm:
        """The exact half-width of an arm with `queries` rewards of unbiased variance `variance`, at a round t >= 2."""

    @property
    def needed_queries(self) -> int:
        """The smallest number of queries with a finite interval."""
        return 1

    @property
    def uses_variance(self) -> bool:
        """Whether the radius depends on the variance of the rewards; if not, it is given as 0."""
        return False

    @property
    def decidable(self) -> bool:
        """Whether every comparison with this interval is decided; with ln ln t (l.1644) no theorem says so."""
        return True

    @property
    def shape(self) -> RadiusShape | None:
        """The radius as data, for whatever computes it in doubles."""
        return None

    @property
    def deviation(self) -> Rational | None:
        """c, if the good event asks besides that |sqrt(V-hat) - sqrt(V)| <= sqrt(c ln t / (n - 1)) (l.1213)."""
        return None

    @property
    def regularity(self) -> RegularityNumbers | None:
        """What the bounds need."""
        return None

    def __repr__(self) -> str:
        return f"<interval {self.text}>" if self.shape is None else f"<interval {self.text}: mean +- ({self.shape})>"

    def radius(self, record: ArmRecord, round_number: int) -> Exact:
        """Half the width of an arm with enough queries, exactly, with a double where there is a safe one."""
        variance = record.exact_variance() if self.uses_variance else 0
        form = (self.radius_form, (record.queries, variance, round_number))
        coefficients = None if self.shape is None else self.shape.coefficients(record)
        if self.shape is None or coefficients is None:
            return Exact(0.0, float("inf"), form)
        root, growth = self.shape.growth.doubles(round_number)
        approximation = coefficients[0] * root + coefficients[1] * growth
        return Exact(approximation, approximation * FILTER, form)


class ShapedInterval(ConfidenceInterval):
    """An interval whose radius is a `RadiusShape`: everything but its theorems follows from that."""

    @property
    @abstractmethod
    def shape(self) -> RadiusShape:
        """The radius as data."""

    @cached_property
    def needed_queries(self) -> int:
        """The smallest number of queries for which the radius is defined."""
        return self.shape.needed_queries

    @cached_property
    def uses_variance(self) -> bool:
        """Whether the radius depends on the variance."""
        return self.shape.uses_variance

    def radius_form(self, queries: int, variance: Rational, round_number: int) -> NormalForm:
        """The exact radius of the shape."""
        return self.shape.form(queries, variance, round_number)


_HOEFFDING_SAMPLES = SampleNumbers(quadratic=6)
_HOEFFDING_REGULARITY = RegularityNumbers(
    line="l.1134", failures=2, good=_HOEFFDING_SAMPLES, sure=_HOEFFDING_SAMPLES, looser=_HOEFFDING_SAMPLES
)
_BERNSTEIN_REGULARITY = RegularityNumbers(
    line="l.1211",
    failures=12,
    good=SampleNumbers(by_variance=24, linear=52, constant=1),
    sure=None,
    looser=SampleNumbers(quadratic=6, linear=28, constant=1),
)

_LOG_LOG_SAMPLES = SampleNumbers(quadratic=2, growth=Growth.LOG_LOG)
_LOG_LOG_REGULARITY = RegularityNumbers(
    line="docs/proofs.md", failures=8, good=_LOG_LOG_SAMPLES, sure=_LOG_LOG_SAMPLES, looser=_LOG_LOG_SAMPLES
)


@dataclass(frozen=True, init=False, repr=False)
class HoeffdingInterval(ShapedInterval):
    """mean +- sqrt(c ln t / n); the paper has c = 3/2 (l.1129-1133), for which alone its theorems are stated.

    With `before` it is sqrt(c ln(t - 1) / n): many UCBs take the logarithm of the rounds before the one they decide.
    Raises `InvalidInterval` for a coefficient that is not positive.
    """

    coefficient: Rational
    before: bool

    def __init__(self, coefficient: NumberLike = Fraction(3, 2), before: bool = False) -> None:
        object.__setattr__(self, "coefficient", parameter(coefficient, "coefficient"))
        object.__setattr__(self, "before", truth_value(before, "before"))
        _ = self.shape  # refuses a coefficient that is not positive

    @cached_property
    def text(self) -> str:
        """`hoeffding`, `hoeffding:C` with another coefficient, or `hoeffding:C:before`."""
        if self._is_the_papers:
            return "hoeffding"
        return f"hoeffding:{format_rational(self.coefficient)}" + (":before" if self.before else "")

    @cached_property
    def shape(self) -> RadiusShape:
        """One rooted term."""
        return RadiusShape((RadiusTerm(self.coefficient),), Growth.LOG_BEFORE if self.before else Growth.LOG)

    @property
    def regularity(self) -> RegularityNumbers | None:
        """The paper's (l.1134), for its own coefficient and logarithm."""
        return _HOEFFDING_REGULARITY if self._is_the_papers else None

    @property
    def _is_the_papers(self) -> bool:
        return self.coefficient == Fraction(3, 2) and not self.before


@dataclass(frozen=True, repr=False)
class BernsteinInterval(ShapedInterval):
    """mean +- (sqrt(6 V ln t / n) + 7 ln t / (n - 1)), V the unbiased variance of the queried rewards (l.1200-1208)."""

    text = "bernstein"
    shape = RadiusShape((RadiusTerm(7, rooted=False, offset=1), RadiusTerm(6, uses_variance=True)))
    deviation = 6
    regularity = _BERNSTEIN_REGULARITY


@dataclass(frozen=True, repr=False)
class KLUCBInterval(ShapedInterval):
    """mean +- sqrt(max(0, ln t + 3 ln ln t) / (2 n)): the tighter radius suggested at l.1644, made symmetric.

    The paper proves nothing of it. That it is regular is a theorem of ours, in Coq.
    """

    text = "kl-ucb"
    decidable = False
    shape = RadiusShape((RadiusTerm(Fraction(1, 2)),), Growth.LOG_LOG)
    regularity = _LOG_LOG_REGULARITY


KNOWN_INTERVALS: Registry[ConfidenceInterval] = Registry("confidence interval")


def register_interval(
    name: str, make: ConfidenceInterval | Callable[[str | None], ConfidenceInterval], form: str | None = None
) -> None:
    """Makes an interval known under `name`: an object, or a function from the argument after the colon to one.

    Raises `NameTaken` if the name is in use.
    """
    KNOWN_INTERVALS.register(
        name, KNOWN_INTERVALS.fixed(name, make) if isinstance(make, ConfidenceInterval) else make, form
    )


def confidence_named(text: str) -> ConfidenceInterval:
    """The interval with this text form; raises `UnknownName` with the list of forms."""
    return KNOWN_INTERVALS.parse(text)


def _hoeffding(argument: str | None) -> ConfidenceInterval:
    if argument is None:
        return HoeffdingInterval()
    coefficient, colon, convention = argument.partition(":")
    if colon and convention != "before":
        raise InvalidInterval(f"after the coefficient comes 'before' or nothing, not '{convention}'")
    return HoeffdingInterval(parse_rational(coefficient, MAX_WRITTEN_LENGTH), before=bool(colon))


register_interval("hoeffding", _hoeffding, "hoeffding[:C[:before]]")
register_interval("bernstein", BernsteinInterval())
register_interval("kl-ucb", KLUCBInterval())

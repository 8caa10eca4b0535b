"""What a theorem promises, as an object: a formula in named symbols, the numbers for one instance, and its terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from bufalu.bounds.enclosures import Enclosure, Number
from bufalu.bounds.expressions import Expression, summed


@dataclass(frozen=True)
class BoundTerm:
    """One summand of a bound: what it stands for, and its formula."""

    label: str
    expression: Expression


@dataclass(frozen=True, repr=False)
class Bound:
    """A bound with its place in the paper ("l.430"), its formula, and the values of its symbols for one instance.

    `statement` says what is bounded, in the form that is true; `printed` gives the
    paper's wording where it says more than its proof does.
    """

    name: str
    line: str
    statement: str
    expression: Expression
    values: Mapping[str, Number]
    terms: tuple[BoundTerm, ...] = field(default=())
    printed: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))

    def latex(self) -> str:
        """The formula in LaTeX."""
        return self.expression.latex()

    def evaluate(self, changes: Mapping[str, Number] | None = None) -> Enclosure:
        """The certified value, with some symbols changed; raises `NotEvaluable` for a symbol without a value."""
        return self.expression.evaluate({**self.values, **(changes or {})})

    def contributions(self) -> tuple[tuple[str, Enclosure], ...]:
        """What each term adds, in the order of the formula."""
        return tuple((term.label, term.expression.evaluate(self.values)) for term in self.terms)

    def __repr__(self) -> str:
        return f"<{self.name} ({self.line}): {self.expression} = {self.shown}>"

    @property
    def shown(self) -> str:
        """The value in a few digits."""
        value = self.evaluate()
        return "infinite" if value.is_infinite else f"{float(value):.9g}"


def listed_bounds(title: str, bounds: Sequence[Bound]) -> str:
    """Several bounds as lines, for a reader."""
    return "\n".join([f"<{title}:", *(f"  {bound!r}" for bound in bounds), ">"])


def summing(name: str, line: str, what: str, terms: Sequence[BoundTerm], values: Mapping[str, Number]) -> Bound:
    """The sum of these terms, which bounds `what` after T rounds."""
    total = summed(term.expression for term in terms)
    return Bound(name, line, f"{what} after T rounds is at most this", total, values, tuple(terms))

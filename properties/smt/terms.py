"""Typed formulas over reals, truth values and arms, printed as SMT-LIB 2.

The formulas are plain Python values: no solver is needed to write, print or evaluate one, and every solver reads the
same text. Arms are an uninterpreted sort, so a formula speaks of every number of arms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Self

SYMBOL, APPLY, NUMERAL, FORALL, EXISTS = "symbol", "apply", "numeral", "forall", "exists"

_fresh = count(1)
_WRITTEN: dict[tuple[type, str, tuple[SolverTerm, ...], str, int, int], SolverTerm] = {}
"""Every term so far, by what it is made of."""


@dataclass(frozen=True, eq=False)
class SolverTerm:
    """A node: an SMT-LIB operator, or one of SYMBOL, APPLY, NUMERAL, FORALL, EXISTS, with what that node needs.

    Equal nodes are one object, however often they are written: comparing and looking up terms does not look inside.
    """

    operator: str
    arguments: tuple[SolverTerm, ...] = ()
    name: str = ""
    value: Fraction = Fraction(0)

    def __new__(
        cls, operator: str, arguments: tuple[SolverTerm, ...] = (), name: str = "", value: Fraction = Fraction(0)
    ) -> Self:
        """The one node that is made of these."""
        written = (cls, operator, arguments, name, value.numerator, value.denominator)
        known = _WRITTEN.get(written)
        if not isinstance(known, cls):
            known = super().__new__(cls)
            _WRITTEN[written] = known
        return known

    def __bool__(self) -> bool:
        """Refuse: a formula has no truth value of its own, so `if formula` is always a mistake."""
        raise TypeError("a formula is neither true nor false: give it to a solver or evaluate it in a model")


class Real(SolverTerm):
    """A real-valued term."""

    def __add__(self, other: Real | int | Fraction) -> Real:
        return Real("+", (self, number(other)))

    def __sub__(self, other: Real | int | Fraction) -> Real:
        return Real("-", (self, number(other)))

    def __mul__(self, other: Real | int | Fraction) -> Real:
        return Real("*", (self, number(other)))

    def __rmul__(self, other: int | Fraction) -> Real:
        return Real("*", (number(other), self))

    def __neg__(self) -> Real:
        return Real("-", (self,))

    def __le__(self, other: Real | int | Fraction) -> SolverTruth:
        return SolverTruth("<=", (self, number(other)))

    def __lt__(self, other: Real | int | Fraction) -> SolverTruth:
        return SolverTruth("<", (self, number(other)))

    def __ge__(self, other: Real | int | Fraction) -> SolverTruth:
        return SolverTruth("<=", (number(other), self))

    def __gt__(self, other: Real | int | Fraction) -> SolverTruth:
        return SolverTruth("<", (number(other), self))

    def equals(self, other: Real | int | Fraction) -> SolverTruth:
        """Equality as a formula (`==` compares the terms themselves)."""
        return SolverTruth("=", (self, number(other)))


class SolverTruth(SolverTerm):
    """A formula."""

    def __and__(self, other: SolverTruth) -> SolverTruth:
        return SolverTruth("and", (self, other))

    def __or__(self, other: SolverTruth) -> SolverTruth:
        return SolverTruth("or", (self, other))

    def __invert__(self) -> SolverTruth:
        return SolverTruth("not", (self,))

    def implies(self, other: SolverTruth) -> SolverTruth:
        """If self then other."""
        return SolverTruth("=>", (self, other))

    def iff(self, other: SolverTruth) -> SolverTruth:
        """Self exactly when other."""
        return SolverTruth("=", (self, other))


class SolverArm(SolverTerm):
    """A term that denotes an arm."""

    def equals(self, other: SolverArm) -> SolverTruth:
        """Whether both terms denote the same arm."""
        return SolverTruth("=", (self, other))

    def differs(self, other: SolverArm) -> SolverTruth:
        """Whether the terms denote different arms."""
        return ~self.equals(other)


def number(value: Real | int | Fraction) -> Real:
    """A rational constant as a term; a term is returned as it is."""
    return value if isinstance(value, Real) else Real(NUMERAL, (), "", Fraction(value))


def real(name: str) -> Real:
    """A real constant that the solver may choose."""
    return Real(SYMBOL, (), name)


def truth(name: str) -> SolverTruth:
    """A truth value that the solver may choose."""
    return SolverTruth(SYMBOL, (), name)


def arm(name: str) -> SolverArm:
    """An arm that the solver may choose."""
    return SolverArm(SYMBOL, (), name)


@dataclass(frozen=True)
class RealFunction:
    """An uninterpreted function from arms to reals, such as the mean."""

    name: str

    def __call__(self, of: SolverArm) -> Real:
        """The function's value at an arm."""
        return Real(APPLY, (of,), self.name)


@dataclass(frozen=True)
class Predicate:
    """An uninterpreted predicate on arms, such as having no finite upper bound."""

    name: str

    def __call__(self, of: SolverArm) -> SolverTruth:
        """Whether it holds of an arm."""
        return SolverTruth(APPLY, (of,), self.name)


def for_all(body: Callable[[SolverArm], SolverTruth]) -> SolverTruth:
    """The body holds of every arm."""
    bound = SolverArm(SYMBOL, (), f"any_{next(_fresh)}")
    return SolverTruth(FORALL, (body(bound),), bound.name)


def exists(body: Callable[[SolverArm], SolverTruth]) -> SolverTruth:
    """The body holds of some arm."""
    bound = SolverArm(SYMBOL, (), f"some_{next(_fresh)}")
    return SolverTruth(EXISTS, (body(bound),), bound.name)


TRUE = SolverTruth("true")
FALSE = SolverTruth("false")


def all_of(*formulas: SolverTruth) -> SolverTruth:
    """Conjunction; of nothing, true."""
    if len(formulas) == 1:
        return formulas[0]
    return SolverTruth("and", formulas) if formulas else TRUE


def any_of(*formulas: SolverTruth) -> SolverTruth:
    """Disjunction; of nothing, false."""
    if len(formulas) == 1:
        return formulas[0]
    return SolverTruth("or", formulas) if formulas else FALSE


def if_then_else(condition: SolverTruth, yes: Real | int, no: Real | int) -> Real:
    """The real `yes` if the condition holds and else `no`."""
    return Real("ite", (condition, number(yes), number(no)))


def larger(first: Real, second: Real) -> Real:
    """The maximum of two reals."""
    return if_then_else(first >= second, first, second)


def substitute(term: SolverTerm, name: str, replacement: SolverTerm) -> SolverTerm:
    """The term with the symbol `name` replaced; bound names are fresh, so nothing is captured."""
    if term.operator == SYMBOL:
        return replacement if term.name == name else term
    if not term.arguments:
        return term
    arguments = tuple(substitute(argument, name, replacement) for argument in term.arguments)
    return type(term)(term.operator, arguments, term.name, term.value)


def walk(term: SolverTerm) -> Iterator[SolverTerm]:
    """The term and every term inside it."""
    yield term
    for argument in term.arguments:
        yield from walk(argument)


def text(term: SolverTerm) -> str:
    """The term in SMT-LIB 2."""
    if term.operator == SYMBOL:
        return term.name
    if term.operator == NUMERAL:
        return _numeral(term.value)
    inside = " ".join(text(argument) for argument in term.arguments)
    if term.operator in (FORALL, EXISTS):
        return f"({term.operator} (({term.name} Arm)) {inside})"
    head = term.name if term.operator == APPLY else term.operator
    return f"({head} {inside})" if term.arguments else head


def declarations(*terms: SolverTerm) -> str:
    """Declarations of everything free in the terms, in order of name, after that of the sort of arms if it occurs."""
    found: dict[str, str] = {}
    bound = {term.name for whole in terms for term in walk(whole) if term.operator in (FORALL, EXISTS)}
    for whole in terms:
        for term in walk(whole):
            kind = {Real: "Real", SolverTruth: "Bool", SolverArm: "Arm"}.get(type(term), "Real")
            if term.operator == SYMBOL and term.name not in bound:
                found[term.name] = f"(declare-fun {term.name} () {kind})"
            elif term.operator == APPLY:
                found[term.name] = f"(declare-fun {term.name} (Arm) {kind})"
    speaks_of_arms = bool(bound) or any(isinstance(term, SolverArm) for whole in terms for term in walk(whole))
    sort = ["(declare-sort Arm 0)"] if speaks_of_arms else []
    return "\n".join([*sort, *(found[name] for name in sorted(found))])


def _numeral(value: Fraction) -> str:
    """A rational as SMT-LIB writes it, which has no negative numerals."""
    size = abs(value)
    shown = f"{size.numerator}.0" if size.denominator == 1 else f"(/ {size.numerator}.0 {size.denominator}.0)"
    return f"(- {shown})" if value < 0 else shown

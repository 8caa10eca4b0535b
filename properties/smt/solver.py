"""The only place that touches z3: formulas go in as SMT-LIB text, answers and rational models come out typed.

z3 is optional. `available` says whether it is there; everything else raises `SolverMissing` without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from importlib.util import find_spec
from time import perf_counter
from typing import Any

from bufalu.properties.smt.errors import IrrationalModel, SolverMissing, UndecidedPath
from bufalu.properties.smt.models import Model, arm_names, finite
from bufalu.properties.smt.terms import (
    APPLY,
    EXISTS,
    FORALL,
    SYMBOL,
    Real,
    SolverArm,
    SolverTruth,
    declarations,
    text,
    walk,
)

DEFAULT_MILLISECONDS = 20_000
"""For a question with a clock; those of the catalogue take less than a tenth of a second."""
MOST_STEPS = 200_000_000
"""After so many steps of its own, as z3 counts them, a question of a session without a clock is given up."""


class Satisfiability(Enum):
    """What a solver says of a set of formulas."""

    SATISFIABLE = "sat"
    UNSATISFIABLE = "unsat"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class SolverAnswer:
    """An answer, the time it took, and a model when the formulas are over finitely many arms and satisfiable."""

    answer: Satisfiability
    seconds: float
    model: Model | None = None


def available() -> bool:
    """Whether z3 can be imported."""
    return find_spec("z3") is not None


def name_and_version() -> str:
    """For example "z3 4.13.0"."""
    return f"z3 {_z3().get_version_string()}"


def script(formulas: Iterable[SolverTruth], logic: str = "ALL") -> str:
    """A complete SMT-LIB script asking whether the formulas can hold together."""
    given = list(formulas)
    asserted = "\n".join(f"(assert {text(formula)})" for formula in given)
    return f"(set-logic {logic})\n{declarations(*given)}\n{asserted}\n(check-sat)\n"


def check(formulas: Iterable[SolverTruth]) -> SolverAnswer:
    """Whether the formulas can hold together, over any number of arms; gives no model."""
    solver: Any = _z3().Solver()
    solver.set("timeout", DEFAULT_MILLISECONDS)
    start = perf_counter()
    solver.from_string(script(formulas))
    answer = Satisfiability(str(solver.check()))
    return SolverAnswer(answer, perf_counter() - start)


def check_finite(formulas: Iterable[SolverTruth], number_of_arms: int) -> SolverAnswer:
    """Whether the formulas can hold together over exactly that many arms, with a model if they can."""
    start = perf_counter()
    session = Session(finite(list(formulas), number_of_arms), DEFAULT_MILLISECONDS)
    answer = session.check()
    model = session.model(number_of_arms) if answer is Satisfiability.SATISFIABLE else None
    return SolverAnswer(answer, perf_counter() - start, model)


class Session:
    """An incremental solver: assumptions are added, and taken back with `scope`.

    Each question is given up after `milliseconds`. Without them it is given up after `MOST_STEPS`, the same on every
    machine, and thousands of short questions start no clock; nonlinear ones need one, since some of their long steps are
    not counted. A `logic` of SMT-LIB that holds all formulas ("QF_LRA") is a fifth faster than none.
    """

    def __init__(
        self, formulas: Iterable[SolverTruth] = (), milliseconds: int | None = None, logic: str | None = None
    ) -> None:
        self._solver: Any = _z3().Solver() if logic is None else _z3().SolverFor(logic)
        if milliseconds is None:
            self._solver.set("rlimit", MOST_STEPS)
        else:
            self._solver.set("timeout", milliseconds)
        self._formulas: list[SolverTruth] = []
        self._depths: list[int] = []
        self.checks = 0
        for formula in formulas:
            self.assume(formula)

    def assume(self, formula: SolverTruth) -> None:
        """Add a formula."""
        self._solver.add(_parsed(formula))
        self._formulas.append(formula)

    def push(self, formula: SolverTruth) -> None:
        """Assume a formula until the matching `pop`."""
        self._depths.append(len(self._formulas))
        self._solver.push()
        self.assume(formula)

    def pop(self) -> None:
        """Take back what has been assumed since the last `push` that is still open."""
        self._solver.pop()
        del self._formulas[self._depths.pop() :]

    @contextmanager
    def scope(self, formula: SolverTruth) -> Iterator[None]:
        """Assume the formula until the end of the `with` block."""
        self.push(formula)
        try:
            yield
        finally:
            self.pop()

    def assumed(self) -> list[SolverTruth]:
        """Everything assumed at present."""
        return list(self._formulas)

    def check(self) -> Satisfiability:
        """Whether everything assumed can hold together."""
        self.checks += 1
        return Satisfiability(str(self._solver.check()))

    def point(self) -> SolverPoint:
        """The numbers behind the last satisfiable answer, for asking what else holds of them."""
        return SolverPoint(self._solver.model())

    def model(self, number_of_arms: int) -> Model:
        """The model behind the last satisfiable answer; raises IrrationalModel if a value is not rational."""
        z3 = _z3()
        found: Any = self._solver.model()
        sort: Any = z3.DeclareSort("Arm")
        names = arm_names(number_of_arms)
        places: dict[str, Any] = {name: z3.Const(name, sort) for name in names}
        where = {str(found.eval(place, model_completion=True)): name for name, place in places.items()}
        reals: dict[str, Fraction] = {}
        truths: dict[str, bool] = {}
        chosen: dict[str, str] = {}
        functions: dict[str, dict[str, Fraction]] = {}
        predicates: dict[str, dict[str, bool]] = {}
        seen = {t.name for f in self._formulas for t in walk(f) if t.operator in (FORALL, EXISTS)} | set(names)
        for term in (part for formula in self._formulas for part in walk(formula)):
            if term.operator == SYMBOL and term.name not in seen:
                seen.add(term.name)
                if isinstance(term, Real):
                    reals[term.name] = _rational(found.eval(z3.Real(term.name), model_completion=True))
                elif isinstance(term, SolverArm):
                    chosen[term.name] = where[str(found.eval(z3.Const(term.name, sort), model_completion=True))]
                else:
                    truths[term.name] = _true(found.eval(z3.Bool(term.name), model_completion=True))
            elif term.operator == APPLY and term.name not in functions and term.name not in predicates:
                kind: Any = z3.RealSort() if isinstance(term, Real) else z3.BoolSort()
                function: Any = z3.Function(term.name, sort, kind)
                values = {n: found.eval(function(place), model_completion=True) for n, place in places.items()}
                if isinstance(term, Real):
                    functions[term.name] = {n: _rational(value) for n, value in values.items()}
                else:
                    predicates[term.name] = {n: _true(value) for n, value in values.items()}
        return Model(names, reals, truths, chosen, functions, predicates)


@dataclass(frozen=True)
class SolverPoint:
    """Numbers that a solver found, as it keeps them."""

    _found: Any

    def makes_true(self, formula: SolverTruth) -> bool:
        """Whether the formula holds of these numbers; what they leave open is zero. Raises UndecidedPath."""
        values = [self._found.eval(part, model_completion=True) for part in _parsed(formula)]
        if not all(_z3().is_true(value) or _z3().is_false(value) for value in values):
            raise UndecidedPath("the solver cannot tell whether a comparison holds of its own numbers")
        return all(_true(value) for value in values)


def _z3() -> Any:
    """The module z3, imported on first use."""
    if not available():
        raise SolverMissing("z3 is not installed: pip install z3-solver")
    import z3

    return z3


@lru_cache(maxsize=20_000)
def _parsed(formula: SolverTruth) -> tuple[Any, ...]:
    """A formula as z3 reads and simplifies it: each once, whichever session asks."""
    z3 = _z3()
    read = z3.parse_smt2_string(f"{declarations(formula)}(assert {text(formula)})")
    return tuple(z3.simplify(part) for part in read)


def _rational(value: Any) -> Fraction:
    """A z3 number as a Fraction."""
    if not _z3().is_rational_value(value):
        raise IrrationalModel(f"the solver chose the irrational number {value}")
    return Fraction(int(value.numerator_as_long()), int(value.denominator_as_long()))


def _true(value: Any) -> bool:
    return bool(_z3().is_true(value))

"""Symbolic execution: run a decision rule on unknown reals, once for each way in which its comparisons can turn out.

A comparison asks the explorer, which answers yes or no so that the answers so far can all be true, remembers that the
other answer is left to try, and runs the rule again until none is left. The solver prunes what cannot happen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Generic, TypeVar

from bufalu.properties.smt.errors import TooManyPaths, UndecidedPath
from bufalu.properties.smt.solver import Satisfiability, Session, SolverPoint
from bufalu.properties.smt.terms import TRUE, Real, SolverTruth

Result = TypeVar("Result")


class SymbolicReal:
    """An extended real: a term, or plus or minus infinity. Comparisons ask the explorer."""

    __slots__ = ("_explorer", "_sign", "term")

    def __init__(self, explorer: Explorer, term: Real | None, sign: int = 0) -> None:
        self._explorer = explorer
        self._sign = sign
        self.term = term

    def __lt__(self, other: SymbolicReal) -> bool:
        if self.term is None or other.term is None:
            return self._sign < other._sign
        return self._explorer.decide(self.term < other.term)

    def __le__(self, other: SymbolicReal) -> bool:
        if self.term is None or other.term is None:
            return self._sign <= other._sign
        return self._explorer.decide(self.term <= other.term)

    def __gt__(self, other: SymbolicReal) -> bool:
        return other < self

    def __ge__(self, other: SymbolicReal) -> bool:
        return other <= self

    def __sub__(self, other: SymbolicReal) -> SymbolicReal:
        """The difference; plus infinity minus minus infinity is plus infinity, and no other infinite one occurs."""
        if self.term is None or other.term is None:
            return SymbolicReal(self._explorer, None, self._sign or -other._sign)
        return SymbolicReal(self._explorer, self.term - other.term)

    def __mul__(self, other: SymbolicReal) -> SymbolicReal:
        if self.term is None or other.term is None:
            return SymbolicReal(self._explorer, None, self._sign or other._sign)
        return SymbolicReal(self._explorer, self.term * other.term)


@dataclass
class _Fork:
    """A comparison on the current path; `pushed` says that the solver holds it, `untried` that no is left to try, which
    then is true at the point `otherwise`.
    """

    condition: SolverTruth
    answer: bool
    pushed: bool
    untried: bool
    otherwise: SolverPoint | None = None


@cache
def _says(condition: SolverTruth, answer: bool) -> dict[SolverTruth, bool]:
    """A comparison with its answer, and what follows for the others between the same terms; nothing for a free choice."""
    if condition is TRUE:
        return {}
    one, other = (part for part in condition.arguments if isinstance(part, Real))
    strict = condition.operator == "<"
    if answer is strict:
        less, more = (one, other) if answer else (other, one)
        return {less < more: True, less <= more: True, more < less: False, more <= less: False}
    less, more = (other, one) if strict else (one, other)
    return {less <= more: True, more < less: False}


class Explorer:
    """The current path: what has been asked, what was answered, and what is left to try."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.choices: list[int] = []
        self._forks: list[_Fork] = []
        self._position = 0
        self._point = self._point_with(TRUE)
        """Numbers for which everything on the current path holds: one answer that is possible needs no solver."""

    def decide(self, condition: SolverTruth) -> bool:
        """Answer a comparison: as before while replaying, else yes if that can be, else no.

        Raises UndecidedPath if the solver gives up.
        """
        if self._position < len(self._forks):
            fork = self._forks[self._position]
            if fork.condition is not condition:
                raise UndecidedPath("the rule asked another question after the same answers: it is not a function")
            self._position += 1
            return fork.answer
        known = self._known(condition)
        if known is not None:
            self._forks.append(_Fork(condition, known, pushed=False, untried=False))
            self._position += 1
            return known
        here = self._point.makes_true(condition) if self._point is not None else False
        elsewhere = self._point_with(~condition if here else condition)
        if elsewhere is None:
            self._forks.append(_Fork(condition, here, pushed=False, untried=False))
        else:
            yes, no = (self._point, elsewhere) if here else (elsewhere, self._point)
            self.session.push(condition)
            self._forks.append(_Fork(condition, answer=True, pushed=True, untried=True, otherwise=no))
            self._point = yes
        self._position += 1
        return self._forks[-1].answer

    def _known(self, condition: SolverTruth) -> bool | None:
        """What the answers of this path say by themselves of a comparison: of one that was asked, or of its converse."""
        answers = (_says(fork.condition, fork.answer).get(condition) for fork in self._forks)
        return next((answer for answer in answers if answer is not None), None)

    def choose(self, options: Sequence[int]) -> int:
        """Any of the options: a tie-break that leaves no choice untried."""
        chosen = next((option for option in options[:-1] if self._free()), options[-1])
        self.choices.append(chosen)
        return chosen

    def _free(self) -> bool:
        """An answer on which nothing depends but the choice itself."""
        if self._position < len(self._forks):
            self._position += 1
            return self._forks[self._position - 1].answer
        self.session.push(TRUE)
        self._forks.append(_Fork(TRUE, answer=True, pushed=True, untried=True, otherwise=self._point))
        self._position += 1
        return True

    def _point_with(self, condition: SolverTruth) -> SolverPoint | None:
        """Numbers for which the condition holds on the current path; None if there are none."""
        with self.session.scope(condition):
            answer = self.session.check()
            if answer is Satisfiability.UNKNOWN:
                raise UndecidedPath("the solver gave up on a comparison of the rule under test")
            return self.session.point() if answer is Satisfiability.SATISFIABLE else None

    def next_path(self) -> bool:
        """Turn the last untried comparison round; False when every path has been tried."""
        while self._forks:
            fork = self._forks.pop()
            if fork.pushed:
                self.session.pop()
            if fork.untried:
                negated = fork.condition if fork.condition is TRUE else ~fork.condition
                self.session.push(negated)
                self._forks.append(_Fork(fork.condition, answer=False, pushed=True, untried=False))
                self._point = fork.otherwise
                self._position = 0
                self.choices = []
                return True
        return False


@dataclass(frozen=True)
class Path(Generic[Result]):
    """One way through the rule: what it returned, and which arms the open tie-break chose on the way."""

    outcome: Result
    choices: tuple[int, ...]


def explore(rule: Callable[[Explorer], Result], session: Session, limit: int) -> Iterator[Path[Result]]:
    """Every path of the rule under what the session assumes; while a path is current, the session holds its answers.

    Raises TooManyPaths beyond the limit and UndecidedPath if the solver gives up or the rule is not deterministic.
    """
    explorer = Explorer(session)
    for _ in range(limit):
        outcome = rule(explorer)
        yield Path(outcome, tuple(explorer.choices))
        if not explorer.next_path():
            return
    raise TooManyPaths(f"the rule has more than {limit} paths")

"""What can go wrong with a proof by solver, one class each."""

from __future__ import annotations

from bufalu.reference.errors import BufaluError


class SolverMissing(BufaluError):
    """A solver that is needed is not installed."""


class SolverFailed(BufaluError):
    """A solver stopped without an answer, for example because it could not read the question."""


class IrrationalModel(BufaluError):
    """A solver's counterexample has an irrational value, so that it cannot be evaluated in rational arithmetic."""


class UnexplainedModel(BufaluError):
    """A solver's counterexample does not survive evaluation: the solver or the translation is wrong."""


class TooManyPaths(BufaluError):
    """Symbolic execution met more paths than it was allowed."""


class UndecidedPath(BufaluError):
    """The solver gave up on a path condition, so that nothing can be said about the code."""

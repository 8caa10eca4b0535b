"""A lemma, and what it means to prove it.

A lemma is proved when its hypotheses and the negation of its conclusion cannot hold together. If they can, the
solver's finite model is evaluated again in rational arithmetic before it is called a counterexample.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bufalu.properties.smt.errors import UnexplainedModel
from bufalu.properties.smt.models import Model
from bufalu.properties.smt.solver import Satisfiability, check, check_finite, name_and_version
from bufalu.properties.smt.terms import SolverTruth

SIZES = (2, 3, 1)
"""Numbers of arms, in the order in which a counterexample is looked for."""


@dataclass(frozen=True)
class Hypothesis:
    """A named assumption, with the weaker forms that the necessity report tries in its place."""

    name: str
    formula: SolverTruth
    weaker: tuple[tuple[str, SolverTruth], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Lemma:
    """A statement for the solvers. `meta` is the argument around it that the solvers do not check.

    `rational_choice` fixes symbols so that square roots come out rational and counterexamples can be evaluated.
    """

    name: str
    claims: tuple[str, ...]
    lines: str
    says: str
    hypotheses: tuple[Hypothesis, ...]
    conclusion: SolverTruth
    logic: str = "UFLRA"
    meta: str | None = None
    rational_choice: SolverTruth | None = None

    def formulas(self, without: str | None = None, instead: SolverTruth | None = None) -> list[SolverTruth]:
        """The hypotheses, one of them possibly left out or replaced."""
        kept = [each.formula for each in self.hypotheses if each.name != without]
        return kept if instead is None else [*kept, instead]


class Status(Enum):
    """What came of an attempt at a proof."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class ProofResult:
    """The outcome of an attempt at a proof; the model, if any, contradicts the lemma."""

    status: Status
    seconds: float
    solver: str
    model: Model | None = None


def prove(lemma: Lemma) -> ProofResult:
    """Try to prove the lemma for every number of arms; if that fails, look for a counterexample with a few arms.

    Raises UnexplainedModel if a counterexample fails its evaluation, IrrationalModel if it cannot be evaluated.
    """
    hypotheses = lemma.formulas()
    first = check([*hypotheses, ~lemma.conclusion])
    if first.answer is Satisfiability.UNSATISFIABLE:
        return ProofResult(Status.PROVED, first.seconds, name_and_version())
    model, seconds = counterexample(hypotheses, lemma.conclusion)
    status = Status.UNKNOWN if model is None else Status.REFUTED
    return ProofResult(status, first.seconds + seconds, name_and_version(), model)


def counterexample(
    hypotheses: list[SolverTruth], conclusion: SolverTruth, sizes: tuple[int, ...] = SIZES
) -> tuple[Model | None, float]:
    """A model, of one of the sizes, in which the hypotheses hold and the conclusion does not; and the seconds spent.

    Raises UnexplainedModel if a model fails its evaluation, IrrationalModel if it cannot be evaluated.
    """
    formulas = [*hypotheses, ~conclusion]
    seconds = 0.0
    for arms in sizes:
        outcome = check_finite(formulas, arms)
        seconds += outcome.seconds
        if outcome.model is not None:
            confirm(outcome.model, formulas)
            return outcome.model, seconds
    return None, seconds


def confirm(model: Model, formulas: list[SolverTruth]) -> None:
    """Evaluate every formula in the model; raises UnexplainedModel if one does not hold."""
    for formula in formulas:
        if not model.holds(formula):
            raise UnexplainedModel(f"the solver's model does not satisfy {formula}:\n{model.describe()}")
